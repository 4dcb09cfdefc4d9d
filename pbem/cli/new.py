"""`pbem new`: a game is started."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import click

from pbem.cli.shell import now, pairs, show, target

if TYPE_CHECKING:
    from pbem.service.start import Player


@click.command("new")
@click.argument("game")
@click.option(
    "-o",
    "--store",
    "file",
    metavar="FILE|URL",
    help="The game file to begin or to add to.  [default: GAME.pbem]",
)
@click.option(
    "--id",
    "game_id",
    metavar="ID",
    help="The name of the game in letters: a-z, 0-9, - and _.  [default: GAME]",
)
@click.option("--scenario", help="The scenario.  [default: the first]")
@click.option(
    "--option",
    "options",
    multiple=True,
    metavar="KEY=VALUE",
    help="A choice that the game offers (pbem games).",
)
@click.option(
    "--player",
    "players",
    multiple=True,
    metavar='SEAT="NAME <ADDRESS>"|SEAT=bot:greedy',
    help="Who plays a seat. A seat without a player is played from the command line.",
)
@click.option(
    "--password",
    "passwords",
    multiple=True,
    metavar="SEAT=TEXT",
    help="A password that proves letters of a seat.",
)
@click.option(
    "--zone",
    "zones",
    multiple=True,
    metavar="ZONE|SEAT=ZONE",
    help="The time zone of all players, or of one.",
)
@click.option("--clock", metavar="3d|36h", help="The time to answer in.  [default: no deadlines]")
@click.option("--at", type=click.IntRange(0, 23), help="The hour of day to which deadlines are put off.")
@click.option("--address", help="The server's own mail address.  [default: from the settings]")
@click.option("--moderator", help="Who is told of disputes, faults and stray letters.")
@click.option("--seed", help="Fixes the dice, for tests and examples alone.")
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
    at: int | None,
    address: str | None,
    moderator: str | None,
    seed: str | None,
) -> None:
    """Start a game and write the first letters.

    \b
    pbem new normandy71 -o cotentin.pbem --id cotentin --clock 3d --at 21 \\
      --player allied="Anna <anna@example.org>" --player german=bot:greedy
    """
    from pbem.config import settings
    from pbem.engine.game import game as rules
    from pbem.service.start import NewGame, start
    from pbem.service.store import Store, use_data_beside

    known, wanted = settings(), {zone for zone in zones if "=" not in zone}
    default = next(iter(wanted), known.zone)
    by_seat = pairs([zone for zone in zones if "=" in zone], "--zone")
    choices = {
        "address": address or known.address,
        "moderator": moderator or known.moderator,
        "clock_hours": hours(clock),
        "clock_at": at,
        "zone": default,
    }
    secrets = pairs(passwords, "--password")
    seated = {
        seat: player(text, by_seat.get(seat, default), secrets.get(seat, ""))
        for seat, text in pairs(players, "--player").items()
    }
    file = target(file or f"{game}.pbem")
    use_data_beside(file)
    rules(game).start(scenario, pairs(options, "--option"))  # no file is begun for what cannot be started
    store = Store.create(file)
    settled = {key: value for key, value in choices.items() if value not in (None, "")}
    begun = NewGame(game, game_id or game, scenario, pairs(options, "--option"), seated, settled, seed)
    start(store, begun, now())
    store.close()
    show([f"{begun.id} has begun in {store.target}; next: pbem status {store.target}"])


def hours(clock: str | None) -> float | None:
    """``3d``, ``36h`` or ``1d12h`` in hours."""
    if clock is None:
        return None
    match = re.fullmatch(r"(?:(\d+)d)?(?:(\d+)h)?", clock.strip().lower())
    if not match or not any(match.groups()):
        raise click.UsageError(f"--clock is written like 3d, 36h or 1d12h, not {clock!r}")
    return 24.0 * int(match[1] or 0) + int(match[2] or 0)


def player(text: str, zone: str, password: str = "") -> Player:
    """``Anna <anna@example.org>``, ``anna@example.org`` or ``bot:greedy``."""
    from email.utils import parseaddr

    from pbem.service.start import Player

    if text.startswith("bot:"):
        return Player(zone=zone, bot=text[4:])
    name, address = parseaddr(text)
    if "@" not in address:
        raise click.UsageError(
            f'a player is written as "Anna <anna@example.org>" or bot:greedy, not {text!r}'
        )
    return Player(name, address, zone, password)
