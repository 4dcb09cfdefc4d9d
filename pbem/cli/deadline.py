"""`pbem deadline`: the host's hand on the clock."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from pbem.cli import complete
from pbem.cli.hosted import do, hosted
from pbem.cli.new import hours, terms
from pbem.cli.shell import (
    Group,
    dispute_options,
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


@click.group("deadline", cls=Group)
def deadline_command() -> None:
    """Put off deadlines, stop the clock, change its terms."""


@deadline_command.command(
    "extend",
    epilog=examples(
        "pbem deadline extend mill.pbem 2d --why holidays", "pbem deadline extend mill.pbem 12h --dry-run"
    ),
)
@on_game_with("time")
@hosted
def extend_command(store: Store, game_id: str | None, time: str, why: str, by: str, **how: Any) -> None:
    """Put off the present deadline by TIME, such as 2d or 12h."""
    from pbem.service.moderating.timing import extend

    do(store, game_id, lambda table: extend(table, hours(time) or 0, by=by, why=why), **how)


@deadline_command.command(
    "pause", epilog=examples("pbem deadline pause mill.pbem", "pbem deadline pause mill.pbem --why holidays")
)
@on_game
@hosted
def pause_command(store: Store, game_id: str | None, why: str, by: str, **how: Any) -> None:
    """Stop the clock. Letters are taken and play goes on."""
    from pbem.service.moderating.timing import pause

    do(store, game_id, lambda table: pause(table, by=by, why=why), **how)


@deadline_command.command(
    "continue",
    epilog=examples("pbem deadline continue mill.pbem", "pbem deadline continue mill.pbem --dry-run"),
)
@on_game
@hosted
def continue_command(store: Store, game_id: str | None, why: str, by: str, **how: Any) -> None:
    """Let the clock go on with the time it had left."""
    from pbem.service.moderating.timing import go_on

    do(store, game_id, lambda table: go_on(table, by=by, why=why), **how)


@deadline_command.command(
    "restart",
    epilog=examples(
        'pbem deadline restart mill.pbem --why "the server was off"',
        "pbem deadline restart mill.pbem --dry-run",
    ),
)
@on_game
@hosted
def restart_command(store: Store, game_id: str | None, why: str, by: str, **how: Any) -> None:
    """Let the whole time run again from now.

    After the machine was off or its clock was wrong: deadlines named before no longer count.
    """
    from pbem.service.moderating.timing import restart

    do(store, game_id, lambda table: restart(table, by=by, why=why), **how)


@deadline_command.command(
    "away",
    epilog=examples(
        "pbem deadline away mill.pbem german 2027-07-01 2027-07-14",
        "pbem deadline away mill.pbem german 2027-07-01 2027-07-14 --dry-run",
    ),
)
@on_game_with("seat", "first", "last")
@hosted
def away_command(
    store: Store, game_id: str | None, seat: str, first: str, last: str, why: str, by: str, **how: Any
) -> None:
    """Move deadlines that fall into an absence to its end."""
    from pbem.service.moderating.timing import away

    do(store, game_id, lambda table: away(table, seat, first, last, by=by, why=why), **how)


@deadline_command.command(
    "terms",
    epilog=examples(
        'pbem deadline terms mill.pbem --days "mon tue wed thu fri" --missed wait',
        "pbem deadline terms mill.pbem --bank 20d --minimum 2d --missed substitute",
        "pbem deadline terms mill.pbem --disputes wait --dispute-days 2",
    ),
)
@on_game
@click.option("--clock", metavar="3d|36h", help="Time allowed for each reply.")
@click.option("--bank", metavar="20d", help="In place of --clock: time for each player in the whole game.")
@click.option("--at", type=click.IntRange(0, 23), help="Round deadlines up to this hour of the day.")
@click.option("--days", metavar="DAYS", help="The weekdays that count.")
@click.option("--grace", metavar="6h", help="How long to wait after a deadline before acting.")
@click.option("--minimum", metavar="1d", help="The least time to answer in.")
@click.option(
    "--missed",
    type=click.Choice(["wait", "standing", "hold", "bot", "substitute"]),
    help="After a missed deadline: wait on; play the lines as they are, then standing orders and defaults; "
    "hold, without lines and standing orders; let a bot, or the stand-by of the game, take the seat.",
)
@click.option("--remind", metavar="1d|12h|0h", help="How long before a deadline a reminder goes out.")
@dispute_options
@hosted
def terms_command(
    store: Store,
    game_id: str | None,
    clock: str | None,
    bank: str | None,
    at: int | None,
    days: str | None,
    grace: str | None,
    minimum: str | None,
    missed: str | None,
    remind: str | None,
    disputes: str | None,
    dispute_days: int | None,
    why: str,
    by: str,
    **how: Any,
) -> None:
    """Change how the clock runs.

    A deadline that letters have named does not come earlier.
    """
    from pbem.service.moderating.timing import set_terms

    given = {
        "clock_hours": hours(clock), "bank_hours": hours(bank), "clock_at": at, "days": days,
        "grace_hours": hours(grace), "minimum_hours": hours(minimum), "missed": missed,
        "remind_hours": hours(remind), "disputes": disputes, "dispute_days": dispute_days,
    }  # fmt: skip
    changed = terms(given)
    if not changed:
        raise click.UsageError("say what to change")
    do(store, game_id, lambda table: set_terms(table, changed, by=by, why=why), **how)


@deadline_command.command(
    "clock",
    epilog=examples("pbem deadline clock club.pbem", "pbem deadline clock club.pbem --confirm"),
)
@click.argument("file", required=False, metavar="[FILE]", shell_complete=complete.files)
@click.option("--confirm", is_flag=True, help="The clock of this machine is right: call deadlines again.")
@store_option
@json_option
def clock_command(file: str | None, confirm: bool, store: str | None, as_json: bool) -> None:
    """Say what the service knows of the clock of the host.

    When the clock has jumped by more than a day since the service last looked at it, the machine was off or
    the clock is wrong, and no deadline is called until a person says which with --confirm. Deadlines that
    passed meanwhile are then put off, and the players told."""
    from pbem.service.time import host

    with opened(file or store) as open_store:
        lines = host.confirm_clock(open_store, now()) if confirm else (host.clock_line(open_store),)
        show_either(as_json, list(lines), list(lines))
