"""`pbem player`: who plays, moderates and watches."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from pbem.cli import complete
from pbem.cli.hosted import do, hosted
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
)

if TYPE_CHECKING:
    from pbem.service.record.store import Store


@click.group("player", cls=Group)
def player_command() -> None:
    """Change who plays, moderates and watches a game.

    Each change is an event in the journal, told to those it concerns.
    """


@player_command.command(
    "list", epilog=examples("pbem player list mill.pbem", "pbem player list mill.pbem --json")
)
@on_game
@json_option
def list_command(store: Store, game_id: str | None, as_json: bool) -> None:
    """List players, moderators and observers."""
    from pbem.service.moderating.people import listed
    from pbem.service.record.store import only_game
    from pbem.service.record.table import Table

    with store.transaction() as session:
        lines = listed(Table(session, only_game(session, game_id), now()))
    show_either(as_json, lines, lines)


@player_command.command(
    "record",
    epilog=examples(
        "pbem player record club.pbem",
        "pbem player record club.pbem anna@mail.example",
        "pbem player record club.pbem --json",
    ),
)
@click.argument("words", nargs=-1, metavar="[FILE] [NAME|ADDRESS]", shell_complete=complete.files)
@store_option
@json_option
def record_command(words: tuple[str, ...], store: str | None, as_json: bool) -> None:
    """Show how reliable each player has been.

    Over all games of the store: the letters that came in time, the deadlines missed, the games left (ejected,
    replaced, resigned, handed to a bot). Who has written from two addresses has two lines. Deadlines that
    passed before this was written down show only as letters that were not in time.
    """
    from pbem.service.record.reliability import records, table

    if len(words) > 2:
        raise click.UsageError("give [FILE] [NAME|ADDRESS]")
    *file, name = (*words, "") if len(words) < 2 and not _names_somebody(words, store) else words
    with opened(next(iter(file), None) or store) as open_store, open_store.transaction() as session:
        people, broken = records(session, telling=None)
    if name:
        people = [each for each in people if each.is_called(name)]
    if name and not people:
        raise click.ClickException(f'nobody called "{name}" plays or has played here')
    facts = {"people": [each.facts() for each in people], "unread": broken}
    show_either(as_json, facts, table(people, broken), heads="name")


def _names_somebody(words: tuple[str, ...], store: str | None) -> bool:
    """Whether the one word that is given is a person and not the store."""
    if not words:
        return False
    return bool(store) or not ("://" in words[0] or Path(words[0]).exists())


@player_command.command(
    "add",
    epilog=examples(
        'pbem player add mill.pbem observer "Ed <ed@mail.example>"',
        "pbem player add mill.pbem observer ed@mail.example --delay 2 --dry-run",
    ),
)
@on_game_with("role", "who")
@click.option(
    "--delay",
    default="",
    metavar="TURNS|end",
    help="How many turns an observer is behind; end: he learns everything when the game is over.",
)
@hosted
def add_command(
    store: Store, game_id: str | None, role: str, who: str, delay: str, why: str, by: str, **how: Any
) -> None:
    """Add a moderator or an observer."""
    from pbem.service.moderating.people import add_staff

    do(store, game_id, lambda table: add_staff(table, role, who, delay=delay, by=by, why=why), **how)


def _command(name: str, act: str, words: tuple[str, ...], text: str, example: str, final: bool) -> None:
    """Add a command around a use case of people.py whose arguments are `words`."""

    @on_game_with(*words)
    @hosted
    def command(
        store: Store,
        game_id: str | None,
        *,
        why: str,
        by: str,
        dry_run: bool,
        yes: bool,
        as_json: bool,
        **given: Any,
    ) -> None:
        from pbem.service.moderating import people

        values = [given[word] for word in words]
        do(
            store,
            game_id,
            lambda table: getattr(people, act)(table, *values, by=by, why=why),
            dry_run=dry_run,
            yes=yes,
            as_json=as_json,
            final=final,
        )

    command.__doc__ = text
    line = f"pbem player {name} {example}"
    epilog = examples(line, f"{line.removesuffix(' --yes')} --dry-run")
    player_command.command(name, epilog=epilog, help=text)(command)


for _each in (
    ("join", "join", ("seat", "who"), "Give a seat that nobody plays to a person.",
     'mill.pbem german "Carla <carla@mail.example>"', False),
    ("replace", "replace", ("seat", "who"), "Give a seat to another person for good.",
     'mill.pbem german "Carla <carla@mail.example>" --yes', True),
    ("substitute", "substitute", ("seat", "who"), "Give a seat to another person for a while.",
     'mill.pbem german "Dora <dora@mail.example>" --yes', True),
    ("standby", "standby", ("who",), "Name who takes the seat of a player who misses a deadline.",
     'mill.pbem "Dora <dora@mail.example>"', False),
    ("back", "give_back", ("seat",), "Return a seat from its substitute to its player.",
     "mill.pbem german --yes", True),
    ("eject", "eject", ("seat",), "Let nobody play a seat until somebody joins.",
     "mill.pbem german --yes", True),
    ("address", "set_address", ("seat", "to"), "Send letters to another address from now on.",
     "mill.pbem german carla@new.example", False),
    ("name", "set_name", ("seat", "name"), "Give a player another name.",
     'mill.pbem german "Carla C."', False),
    ("password", "set_password", ("seat", "password"), "Set the password of a player.",
     "mill.pbem german open-sesame", False),
    ("token", "renew_token", ("seat",), "Renew a reply address or code; letters with the old one are held.",
     "mill.pbem german --yes", True),
    ("delay", "set_delay", ("key", "delay"), "Settle how many turns an observer is behind, or end.",
     "mill.pbem observer 2", False),
    ("senders", "set_senders", ("senders",), "Settle which letters count as from their address.",
     "mill.pbem checked", False),
    ("signers", "set_signers", ("signers",), "Settle how many moderators a ruling by mail needs, 1 or 2.",
     "mill.pbem 2", False),
    ("anonymous", "set_anonymous", ("whether",), "Let players write press without their names, or not.",
     "mill.pbem yes", False),
    ("advice", "set_advice", ("whether",), "Let players ask what the planner would do, or not.",
     "mill.pbem no", False),
    ("mute", "mute", ("seat",), "Stop the press of a player to the others.", "mill.pbem german", False),
    ("unmute", "unmute", ("seat",), "Let the press of a player go on.", "mill.pbem allied", False),
    ("open", "set_open", ("whether",), "Let strangers find a game by mail and ask to play, or not.",
     "mill.pbem yes", False),
    ("reliability", "set_reliability", ("whose",),
     "Settle who reads how reliable the players are: public or private.", "mill.pbem public", False),
    ("remove", "remove_staff", ("key",), "Remove a moderator or an observer.",
     "mill.pbem observer --yes", True),
):  # fmt: skip
    _command(*_each)
