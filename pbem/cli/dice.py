"""`pbem dice`: show and verify every roll."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

import click

from pbem.cli import complete
from pbem.cli.shell import (
    Group,
    examples,
    game_option,
    json_option,
    now,
    opened,
    progress_bar,
    show,
    show_either,
    show_json,
    store_option,
    think_on,
)

if TYPE_CHECKING:
    from pbem.service.proof.lines import Findings


@click.group("dice", cls=Group)
def dice_command() -> None:
    """Show and verify the dice of a game."""


SETTLING = (
    "To settle it: pbem rule uphold FILE {name} lets it stand; reroll and set change it, back goes back to "
    "before it. --dry-run first shows what would change."
)
"""How a moderator who has read the page of a disputed roll goes on."""


@dice_command.command(
    "show",
    epilog=examples(
        "pbem dice show cotentin.pbem",
        "pbem dice show cotentin.pbem --as allied --turn 1",
        "pbem dice show cotentin.pbem R1 --as german",
    ),
)
@click.argument("words", nargs=-1, metavar="[FILE] [ROLL]", shell_complete=complete.files)
@store_option
@game_option
@click.option(
    "--as",
    "--seat",
    "seat",
    default="umpire",
    show_default=True,
    metavar="SEAT",
    shell_complete=complete.viewers,
    help="Show only what this seat may see. Without it you see everything.",
)
@click.option("--turn", type=int, help="Show only this turn.")
@json_option
def show_command(
    words: tuple[str, ...],
    store: str | None,
    game_id: str | None,
    seat: str,
    turn: int | None,
    as_json: bool,
) -> None:
    """List every roll with the event it decided, or show all about one.

    ROLL is the number of a roll, such as R22: its page has the orders that led to it, the situation, rule and
    modifiers, the exact odds, how to compute the die, and who read of it when.
    """
    from pbem.service.tools.queries import dispute_lines, roll_page, rolls

    file, name = _file_and_roll(words)
    with opened(file or store) as open_store:
        if name:
            page = roll_page(open_store, game_id, name, seat)
            said = dispute_lines(open_store, game_id, name, seat)
            if said and seat == "umpire":
                said.append(SETTLING.format(name=name.upper()))
            show_either(as_json, page, [*said, *[""] * bool(said), *page.lines()])
            return
        listed = rolls(open_store, game_id, seat, turn)
        lines = [f"{roll['name']:<5} {roll['phase']}|{roll['label']} = {roll['shows']}" for roll in listed]
        show_either(as_json, listed, lines)


def _file_and_roll(words: tuple[str, ...]) -> tuple[str | None, str]:
    """The words of a command line as a game file and the name of a roll, each of which may be missing."""
    roll = words[-1] if words and re.fullmatch(r"[Rr]\d+", words[-1]) else ""
    files = words[:-1] if roll else words
    if len(files) > 1:
        raise click.UsageError(f'give [FILE] [ROLL], a roll being a number such as R22, not "{words[-1]}"')
    return files[0] if files else None, roll


@dice_command.command(
    "verify",
    epilog=examples(
        "pbem dice verify cotentin.pbem",
        "pbem dice verify r22.txt saved-letters",
        "pbem dice verify cotentin.html saved-letters",
    ),
)
@click.argument("where", nargs=-1, metavar="[FILE|FOLDER]...", shell_complete=complete.files)
@game_option
@json_option
def verify_command(where: tuple[str, ...], game_id: str | None, as_json: bool) -> None:
    """Verify every roll, link, order and letter of a game.

    FILE is a game file, a saved letter (.eml), the proof of a roll (.txt) or a replay (.html), FOLDER one of
    saved letters. Letters, proofs and replays are verified against each other, and need no game file. A proof
    or a replay alone shows only what it depends on.

    Exits with 1 if anything was altered or is not signed, if a letter or a roll is missing, or if a file
    cannot be verified. Each is named, with the reason.
    """
    by_name = verify(where, game_id)
    if as_json:
        show_json(by_name)
    for name, findings in by_name.items():
        if not as_json:
            click.echo(f"{name}: {findings.summary()}")
            for line in findings.noted:
                click.echo(line)
        for line in [*findings.wrong, *findings.unchecked]:
            click.echo(line, err=True)
    if not all(findings.ok for findings in by_name.values()):
        raise SystemExit(1)


SAVED = (".eml", ".html", ".txt")
"""How the names of saved letters, replays and proofs end."""


def verify(where: tuple[str, ...], game_id: str | None) -> dict[str, Findings]:
    """Return what verifying saved letters and proofs, or the games of a store, has found."""
    paths = [Path(each) for each in where]
    if len(paths) > 1 or any(path.is_dir() or path.suffix.lower() in SAVED for path in paths):
        from pbem.service.proof.lines import check_files

        return {" ".join(where): check_files(paths)}
    from pbem.service.proof.verify import verify_store

    with opened(where[0] if where else None) as store, progress_bar("Verifying games") as done:
        return verify_store(store, game_id, done)


@dice_command.command(
    "proof",
    epilog=examples(
        "pbem dice proof cotentin.pbem R22 -o r22.txt", "pbem dice proof club.pbem R3 --game utah"
    ),
)
@click.argument("words", nargs=-1, metavar="[FILE|URL] ROLL", shell_complete=complete.files)
@game_option
@click.option("-o", "--output", type=click.Path(dir_okay=False, path_type=Path), help="The file to write.")
def proof_command(words: tuple[str, ...], game_id: str | None, output: Path | None) -> None:
    """Write the proof of one roll, signed with the key of the game.

    Send it to anyone who has letters of the game: `pbem dice verify r22.txt LETTERS` compares the two. The
    program in `pbem help dice` recomputes the roll without pbem.
    """
    from pbem.service.proof.verify import roll_proof

    file, roll = _file_and_roll(words)
    if not roll:
        raise click.UsageError("name the roll, such as R22")
    if file and Path(file).is_dir():
        raise click.UsageError("a proof is signed with the key of the game: give its game file, not letters")
    with opened(file) as store:
        lines = roll_proof(store, game_id, roll.upper())
    if output is None:
        show(lines)
    else:
        output.write_text("\n".join(lines) + "\n", encoding="utf-8")


@dice_command.command(
    "beacon",
    epilog=examples("pbem dice beacon cotentin.pbem", "pbem dice beacon cotentin.pbem --fetch"),
)
@click.argument("store", required=False, metavar="[FILE|URL]", shell_complete=complete.files)
@game_option
@click.option(
    "--file",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="Take rounds from a file: lines ROUND SIGNATURE, or JSON as drand serves it.",
)
@click.option("--fetch", is_flag=True, help="Fetch the rounds that are out from api.drand.sh.")
@json_option
def beacon_command(
    store: str | None, game_id: str | None, file: Path | None, fetch: bool, as_json: bool
) -> None:
    """List the games that wait for the beacon, or play on.

    A value is checked before it is used; a false one is refused and named. Run this with --fetch from cron,
    as you run `pbem mail receive`.
    """
    from pbem.service.time import beacon

    if file and fetch:
        raise click.UsageError("give --file or --fetch, not both")
    with opened(store) as open_store:
        waiting = beacon.waiting(open_store, game_id, now())
        values: dict[int, str] = {}
        if file:
            values = beacon.read_values(file.read_text(encoding="utf-8"))
        elif fetch:
            values = {each.round: beacon.fetch(each.round) for each in waiting if each.out <= now()}
        played = beacon.take(open_store, values, game_id, now()) if values else []
        if played:
            think_on(open_store, game_id)
        left = beacon.waiting(open_store, game_id, now()) if played else waiting
        lines = [f"{each.game}: played on with round {each.round}" for each in played]
        lines += [each.line() for each in left] or ([] if played else ["no game waits for the beacon"])
        show_either(as_json, {"played": played, "waiting": left}, lines)
