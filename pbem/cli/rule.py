"""`pbem rule`: settle disputes, mend what went wrong."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from pbem.cli import complete
from pbem.cli.hosted import do, hosted, look_first
from pbem.cli.shell import (
    Group,
    examples,
    json_option,
    now,
    on_game,
    on_game_with,
    opened,
    show_either,
    store_option,
    think_on,
)
from pbem.engine.wording import count

if TYPE_CHECKING:
    from pbem.service.letters.ruled import Ruled, What
    from pbem.service.record.store import Store


CITE = 'To rule likewise, cite one in your reason: pbem rule uphold FILE R1 --why "as in game ID, R32".'
NOT_FOUND = (
    "Try the number of the case, a single word, or no word at all. Rulings of running games are not "
    "searched: pbem rule list FILE --done lists those of one game. How pbem fills the gaps of a rulebook: "
    "pbem help GAME rulings"
)
TO_RULE = (
    "To rule on one: pbem rule COMMAND FILE NAME, with uphold, reroll or set for a roll (R1), strike or "
    "correct for an order (J1), back for either. --dry-run first shows what would change."
)
"""What to do with what was found."""


@click.group("rule", cls=Group)
def rule_command() -> None:
    """Rule on a roll, an order or a position.

    Nothing is overwritten: a ruling is an event in the journal.
    Every player gets a letter about what it changes.
    """


@rule_command.command(
    "list",
    epilog=examples(
        "pbem rule list utah.pbem",
        "pbem rule list utah.pbem --turn 1",
    ),
)
@on_game
@click.option("--turn", type=int, help="The turn to list.  [default: the running one]")
@click.option("--done", is_flag=True, help="List the rulings so far instead.")
@json_option
def list_command(store: Store, game_id: str | None, turn: int | None, done: bool, as_json: bool) -> None:
    """List rolls (R1), orders and decisions (J1) by name.

    These are the names that rulings are given with. It lists the running turn,
    phase by phase; --turn lists another one, --done the rulings so far.
    """
    from pbem.service.moderating.rulings.named import decisions
    from pbem.service.moderating.rulings.ruling import rulings

    if done:
        lines = rulings(store, game_id)
        none = "no ruling yet; without --done this lists what a ruling can be about"
        show_either(as_json, lines, lines or [none])
        return
    listed = decisions(store, game_id, turn)
    lines, phase = [], ""
    for item in listed:
        if item.phase != phase:
            phase = item.phase
            lines.append(phase)
        lines.append(f"  {item.names:<10} {item.text}")
    if lines:
        rolls = sum(item.names.startswith("R") for item in listed)
        others = count(len(listed) - rolls, "order or decision", "orders and decisions")
        which = "the running turn" if turn is None else f"turn {turn}"
        lines = [f"{which[:1].upper()}{which[1:]}: {count(rolls, 'roll')}, {others}", *lines, "", TO_RULE]
    none = "nothing was thrown or decided in this turn yet; --turn NUMBER lists another turn"
    show_either(as_json, listed, lines or [none])


@rule_command.command(
    "find",
    epilog=examples(
        "pbem rule find club.pbem 9.2",
        "pbem rule find club.pbem bridge --rules falaise",
    ),
)
@click.argument("file", required=False, metavar="[FILE]", shell_complete=complete.files)
@click.argument("words", nargs=-1, metavar="[CASE|WORDS]...")
@click.option("--rules", default="", metavar="GAME", help="Only of games of this rulebook.")
@store_option
@json_option
def find_command(
    file: str | None, words: tuple[str, ...], rules: str, store: str | None, as_json: bool
) -> None:
    """Find rulings in games that are over, by case or by words.

    Searches the reasons, cases and titles of what moderators have ruled in the
    games of the store. CASE (9.2) also finds its parts (9.2.1); of several
    words all must be there; without any, all rulings are listed. Games that
    still run are left out, since what was ruled there may be a secret.

    A moderator may rule "as in game gap, R32". By mail RULINGS does the same.
    """
    from pbem.service.moderating.library import find, searched, told

    asked = " ".join(words)
    with opened(file or store) as open_store:
        found, (games, rulings) = find(open_store, asked, rules), searched(open_store, rules)
    on, of = f" on {asked}" if asked else "", f" of {rules}" if rules else ""
    where = (
        f"{count(rulings, 'ruling')} in {count(games, 'game')}{of} that {'is' if games == 1 else 'are'} over"
    )
    lines = told(found)
    if lines:
        lines += ["", f"Found {count(len(found), 'ruling')}{on}; searched {where}.", CITE]
    show_either(as_json, found, lines or [f"there is none{on}; searched {where}.", NOT_FOUND])


@rule_command.command(
    "uphold",
    epilog=examples(
        "pbem rule uphold utah.pbem R1 --dry-run",
        'pbem rule uphold utah.pbem R1 --why "2.1 allows it" --yes',
    ),
)
@on_game_with("roll")
@hosted
def uphold_command(store: Store, game_id: str | None, roll: str, **how: Any) -> None:
    """Let a roll stand."""
    _rule(store, game_id, "uphold", roll, "", **how)


@rule_command.command(
    "reroll",
    epilog=examples(
        "pbem rule reroll utah.pbem R1 --dry-run",
        'pbem rule reroll utah.pbem R1 --why "wrong column" --yes',
    ),
)
@on_game_with("roll")
@hosted
def reroll_command(store: Store, game_id: str | None, roll: str, **how: Any) -> None:
    """Throw a roll again.

    What was played later stands as far as it can.
    """
    _rule(store, game_id, "reroll", roll, "", **how)


@rule_command.command(
    "set",
    epilog=examples(
        "pbem rule set utah.pbem R1 5 --dry-run",
        'pbem rule set utah.pbem R1 5 --why "both agree" --yes',
    ),
)
@on_game_with("roll", "faces")
@hosted
def set_command(store: Store, game_id: str | None, roll: str, faces: str, **how: Any) -> None:
    """Set a roll to FACES, such as 5 or 3,4."""
    _rule(store, game_id, "set", roll, faces, **how)


@rule_command.command(
    "strike",
    epilog=examples(
        "pbem rule strike caen.pbem J3 --dry-run",
        'pbem rule strike caen.pbem J3 --why "sent by mistake" --yes',
    ),
)
@on_game_with("order")
@hosted
def strike_command(store: Store, game_id: str | None, order: str, **how: Any) -> None:
    """Strike out an order.

    `pbem rule list` shows its name.
    """
    _rule(store, game_id, "strike", order, "", **how)


@rule_command.command(
    "correct",
    epilog=examples(
        'pbem rule correct caen.pbem J3 "place 2A at 1102" --dry-run',
        'pbem rule correct caen.pbem J3 "place 2A at 1102" --why misread --yes',
    ),
)
@on_game_with("order", "line")
@hosted
def correct_command(store: Store, game_id: str | None, order: str, line: str, **how: Any) -> None:
    """Put LINE in the place of an order, or of a decision."""
    _rule(store, game_id, "correct", order, line, **how)


@rule_command.command(
    "back",
    epilog=examples(
        'pbem rule back caen.pbem "turn 1" --dry-run',
        "pbem rule back utah.pbem R1 --why agreed --yes",
    ),
)
@on_game_with("place")
@hosted
def back_command(store: Store, game_id: str | None, place: str, **how: Any) -> None:
    """Go back to before a roll, an order, a phase or a turn.

    Orders given since become drafts. Dice that were thrown stay as they fell, if the same orders are given.
    """
    _rule(store, game_id, "back", place, "", **how)


@rule_command.command(
    "position",
    epilog=examples(
        'pbem rule position caen.pbem "units.2A.hex=1202" --dry-run',
        'pbem rule position caen.pbem "units.2A.hex=1202" --why misread --yes',
    ),
)
@on_game_with("changes")
@hosted
def position_command(store: Store, game_id: str | None, changes: str, **how: Any) -> None:
    """Correct the position and let history stand.

    CHANGES are one or more PATH=VALUE, in quotation marks. A path that is not there is answered with what is.
    Where something has been played in the running phase, the change is made when the phase is over.
    """
    _rule(store, game_id, "position", changes, "", **how)


@rule_command.command(
    "propose",
    epilog=examples(
        'pbem rule propose utah.pbem "reroll R1" --why "wrong column" --dry-run',
        'pbem rule propose utah.pbem "set R1 5" --why "both may agree"',
    ),
)
@on_game_with("ruling")
@hosted
def propose_command(store: Store, game_id: str | None, ruling: str, why: str, by: str, **how: Any) -> None:
    """Propose RULING to those who play; it is made when all of them agree.

    RULING is written as one of these commands is, in quotation marks.
    """
    from pbem.service.moderating.proposals import propose_ruling
    from pbem.service.moderating.roles import ruling_written

    words = ruling_written(ruling)
    do(store, game_id, lambda table: propose_ruling(table, *words, by=by, why=why), **how)


def _rule(
    store: Store, game_id: str | None, what: What, about: str, value: str, *, why: str, by: str,
    dry_run: bool, **how: Any,
) -> None:  # fmt: skip
    """Rule; what cannot be undone is shown first."""
    from pbem.service.moderating.rulings.ruling import rule

    def act(dry: bool) -> Ruled:
        return rule(store, game_id, what, about, value, by=by, why=why, now=now(), dry_run=dry)

    look_first(act, final=True, dry_run=dry_run, **how)
    if not dry_run:
        think_on(store, game_id)
