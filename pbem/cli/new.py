"""`pbem new`: start a game."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import closing
from typing import TYPE_CHECKING, Any

import click

from pbem.cli import complete
from pbem.cli.shell import (
    dispute_options,
    examples,
    game_argument,
    now,
    pairs,
    show,
    think_on,
    usage,
    use_settings,
)
from pbem.cli.stores import target

if TYPE_CHECKING:
    from pbem.service.moderating.start import Player


@click.command(
    "new",
    epilog=examples(
        "pbem new normandy71 -o cotentin.pbem --id cotentin --clock 3d --at 21 \\",
        '  --player "allied=Anna <anna@mail.example>" \\',
        "  --player german=bot:planner --think 500",
        "pbem new rampage --player allied=clara@mail.example",
        "pbem new falaise -o pocket.pbem --option players=one --beacon",
    ),
)
@game_argument
@click.option(
    "-o",
    "--store",
    "file",
    metavar="FILE|URL",
    shell_complete=complete.files,
    help="The game file to create or add to.  [default: PBEM_STORE, store in pbem.toml, or GAME.pbem]",
)
@click.option(
    "--id",
    "game_id",
    metavar="ID",
    help="The name of the game in letters: a-z, 0-9, - and _.  [default: GAME]",
)
@click.option("--scenario", shell_complete=complete.scenarios, help="The scenario.  [default: the first]")
@click.option(
    "--option",
    "options",
    multiple=True,
    metavar="KEY=VALUE",
    shell_complete=complete.options,
    help="A game option (see pbem games).",
)
@click.option(
    "--player",
    "players",
    multiple=True,
    metavar='SEAT="NAME <ADDRESS>"|SEAT=bot:planner',
    shell_complete=complete.players,
    help="Who plays a seat. A seat without a player is played from the command line.",
)
@click.option(
    "--password",
    "passwords",
    multiple=True,
    metavar="SEAT=TEXT",
    help="A password for the letters of a seat, to prove that they are genuine.",
)
@click.option(
    "--zone",
    "zones",
    multiple=True,
    metavar="ZONE|SEAT=ZONE",
    help="The time zone of all players, or of one.",
)
@click.option("--clock", metavar="3d|36h", help="Time allowed for each reply.  [default: no deadlines]")
@click.option("--bank", metavar="20d", help="In place of --clock: time for each player in the whole game.")
@click.option("--at", type=click.IntRange(0, 23), help="Round deadlines up to this hour of the day.")
@dispute_options
@click.option("--address", help="The server's own email address.  [default: from the settings]")
@click.option(
    "--token",
    type=click.Choice(["address", "subject"]),
    help="Where the secret of a player stands: in the reply address (pbem+...), or as a code in the subject, "
    "if your provider does not deliver such addresses.  [default: address, or subject with token_in_subject "
    "in pbem.toml]",
)
@click.option(
    "--moderator",
    metavar='"NAME <ADDRESS>"',
    help="Who gets disputes, internal errors and unclaimed letters.  [default: from the settings]",
)
@click.option(
    "--senders",
    type=click.Choice(["trusted", "checked"]),
    help="Whether an address counts unless your mail server disowns it, or only if it was checked and found "
    "genuine; of others the owner is asked.  [default: trusted]",
)
@click.option(
    "--open",
    "is_open",
    is_flag=True,
    help="Let strangers find the game by mail (LIST, JOIN) and read the moderator's address.",
)
@click.option(
    "--beacon",
    is_flag=True,
    help="Let all dice hang on the drand beacon, so that not even the host can foresee or choose them.",
)
@click.option(
    "--think",
    type=int,
    metavar="DECISIONS",
    help="How many decisions a planner imagines before each of its turns; 2000 take some seconds.  "
    "[default: 0]",
)
@click.option("--seed", help="Fix the dice; for tests and examples only.")
def new_command(
    game: str,
    file: str | None,
    game_id: str | None,
    scenario: str | None,
    options: tuple[str, ...],
    players: tuple[str, ...],
    passwords: tuple[str, ...],
    zones: tuple[str, ...],
    clock: str | None,
    bank: str | None,
    at: int | None,
    disputes: str | None,
    dispute_days: int | None,
    address: str | None,
    token: str | None,
    moderator: str | None,
    senders: str | None,
    is_open: bool,
    beacon: bool,
    think: int | None,
    seed: str | None,
) -> None:
    """Start a game and write the first letters.

    See pbem games for the games, their seats, scenarios and options. The
    tutorial (tour) has no moderator unless you name one here.
    """
    from pbem.config import settings
    from pbem.service.letters.lessons import is_tutorial
    from pbem.service.moderating.start import NewGame, check, start
    from pbem.service.record.store import Store, use_data_beside

    use_settings()
    known = settings()
    default = [known.zone, *(zone for zone in zones if "=" not in zone)][-1]
    by_seat = pairs([zone for zone in zones if "=" in zone], "--zone")
    choices = terms(
        {
            "address": address or known.address,
            "token": token,
            "moderator": moderator or ("" if is_tutorial(game) else known.moderator),
            "clock_hours": hours(clock),
            "bank_hours": hours(bank),
            "clock_at": at,
            "disputes": disputes,
            "dispute_days": dispute_days,
            "zone": default,
            "dice": "beacon" if beacon else None,
            "senders": senders,
            "open": is_open or None,
            "think": think,
        }
    )
    if senders == "checked" and not (known.senders.server or known.senders.dkim):
        raise click.UsageError(
            "--senders checked needs somebody who checks them: name your mail server in the settings, with "
            "server below [senders], or set dkim = true there (pbem help hosting, Forged senders)"
        )
    if token is None and known.intake.imap is not None and known.intake.imap.token_in_subject:
        choices["token"] = "subject"
    secrets = pairs(passwords, "--password")
    seated = {
        seat: player(text, by_seat.get(seat, default), secrets.get(seat, ""))
        for seat, text in pairs(players, "--player").items()
    }
    if strange := (by_seat.keys() | secrets.keys()) - seated.keys():
        named = ", ".join(sorted(strange))
        raise click.UsageError(f"--zone and --password need a --player for the same seat: {named}")
    file = target(file, f"{game}.pbem")
    use_data_beside(file)
    begun = NewGame(game, game_id or game, scenario, pairs(options, "--option"), seated, choices, seed)
    with usage():
        check(begun)  # before a file is made
    with closing(Store.create(file)) as store:
        start(store, begun, now())
        think_on(store, begun.id)
    show([f"Started game {begun.id} in {store.name}. Next: pbem status {store.name}"])


def terms(given: Mapping[str, Any]) -> dict[str, Any]:
    """Return those of the terms of a game that are given, as its row keeps them."""
    from pbem.service.record.terms import settled

    try:
        return settled(given)
    except ValueError as error:
        raise click.UsageError(str(error)) from error


def hours(clock: str | None) -> float | None:
    """Return ``3d``, ``36h`` or ``1d12h`` in hours."""
    if clock is None:
        return None
    from pbem.service.record.terms import hours as read

    try:
        return read(clock)
    except ValueError as error:
        raise click.UsageError(str(error)) from error


def player(text: str, zone: str, password: str = "") -> Player:
    """Read ``Anna <anna@example.org>``, ``anna@example.org`` or ``bot:planner``."""
    from pbem.fields import person
    from pbem.service.moderating.start import Player

    if text.startswith("bot:"):
        return Player(zone=zone, bot=text[4:])
    try:
        return Player(*person(text), zone, password)
    except ValueError as error:
        raise click.UsageError(
            f'{error}; write a player as "Anna <anna@example.org>" or bot:planner'
        ) from None
