"""What the commands share that do something to a game from outside play: who, why, and looking before."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

import click

from pbem.cli.shell import json_option, now, show, show_either, think_on

if TYPE_CHECKING:
    from pbem.service.moderating.hosting import Done
    from pbem.service.record.store import Store
    from pbem.service.record.table import Table

F = TypeVar("F", bound=Callable[..., Any])


def hosted(function: F) -> F:
    """The options of every such command."""
    options = (
        click.option("--why", default="", metavar="TEXT", help="The reason, told to those it concerns."),
        click.option("--by", default="host", metavar="WHO", help="Who does it.", show_default=True),
        click.option("--dry-run", is_flag=True, help="Only show what would be done, and who would be told."),
        click.option("--yes", is_flag=True, help="Do not ask first."),
        json_option,
    )
    for option in reversed(options):
        function = option(function)
    return function


class Shown(Protocol):
    """What was done, or would be, in lines."""

    def lines(self) -> list[str]: ...


def do(store: Store, game_id: str | None, act: Callable[[Table], Done], *, dry_run: bool, **how: Any) -> None:
    """Do something to a game; `how` are the options of `look_first`."""
    from pbem.service.moderating.hosting import carry_out

    look_first(lambda dry: carry_out(store, game_id, now(), act, dry_run=dry), dry_run=dry_run, **how)
    if not dry_run:
        think_on(store, game_id)


def look_first(
    act: Callable[[bool], Shown], *, dry_run: bool, yes: bool, as_json: bool, final: bool = False
) -> None:
    """Do something, and show what was done; what is `final` is shown first, and done with --yes or when a
    person agrees. `act` takes whether it is only to find out what it would do."""
    if dry_run or (final and not yes):
        shown = act(True)
        if dry_run:
            show_either(as_json, shown, shown.lines())
            return
        show(shown.lines())
        if not sys.stdin.isatty():
            raise click.UsageError(
                "nothing is done yet: send it again with --yes, or with --dry-run to look only"
            )
        click.confirm("Do it?", abort=True)
    done = act(False)
    show_either(as_json, done, done.lines())
