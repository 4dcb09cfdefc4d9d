"""Shell completion: games, scenarios, options, seats, bots and game files.

Each function is a `shell_complete` of click. What cannot be found out offers nothing: there is no place for
an error in the middle of a command line.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from click.shell_completion import CompletionItem

from pbem.cli.stores import target

if TYPE_CHECKING:
    import click

    from pbem.engine.game import Game

Offers = Iterable[tuple[str, str]]
"""What may be written, each with a few words about it."""

GAME_FILE = ".pbem"
BOTS = ("random", "greedy", "planner")


def offered(
    function: Callable[[click.Context], Offers],
) -> Callable[[click.Context, click.Parameter, str], list[CompletionItem]]:
    """Make a `shell_complete` of a function: it keeps the offers that begin as the word does."""

    @functools.wraps(function)
    def complete(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
        try:
            offers = list(function(ctx))
        except Exception:
            return []
        return [
            CompletionItem(word, help=about)
            for word, about in dict(offers).items()
            if word.startswith(incomplete)
        ]

    return complete


# --- what the command line says so far -------------------------------------------------------------------


def said(ctx: click.Context) -> list[str]:
    """Return the arguments before the word; those of a line that ends in an option are in `ctx.args` only."""
    words = [ctx.params.get("game"), ctx.params.get("file"), *(ctx.params.get("words") or ())]
    return [str(word) for word in words if word] or list(ctx.args)


def named_game(ctx: click.Context) -> Game[Any] | None:
    """Return the game whose key is among the arguments."""
    from pbem.engine.installed import games

    key = next((word for word in said(ctx) if word in games()), None)
    if key is None:
        return None
    from pbem.engine.game import game

    return game(key)


def seats_of(ctx: click.Context) -> list[str]:
    """Return the seats of the game that is named, or else those in the game file."""
    from pbem.service.tools.glance import seats

    if rules := named_game(ctx):
        return [seat.key for seat in rules.seats]
    store = ctx.params.get("store") or next(iter(said(ctx)), None)
    return seats(target(store if store and Path(store).is_file() else None), ctx.params.get("game_id"))


# --- what may follow -------------------------------------------------------------------------------------


@offered
def games(ctx: click.Context) -> Offers:
    """The keys of the installed games."""
    from pbem.engine.installed import games

    return [(key, "") for key in games()]


@offered
def scenarios(ctx: click.Context) -> Offers:
    """The scenarios of the game that is named."""
    rules = named_game(ctx)
    return ((key, scenario.title) for key, scenario in rules.scenarios.items()) if rules else ()


@offered
def options(ctx: click.Context) -> Offers:
    """The options of the game that is named, each with every value."""
    rules = named_game(ctx)
    return [
        (f"{option.key}={value}", "")
        for option in (rules.options if rules else ())
        for value in option.choices
    ]


@offered
def seats(ctx: click.Context) -> Offers:
    """The seats of the game."""
    return [(seat, "") for seat in seats_of(ctx)]


@offered
def viewers(ctx: click.Context) -> Offers:
    """The seats of the game, and the umpire."""
    return [*((seat, "") for seat in seats_of(ctx)), ("umpire", "sees everything")]


@offered
def players(ctx: click.Context) -> Offers:
    """The seats of the game that is named, ready for a name or a bot."""
    return [
        (f"{seat}={who}", "")
        for seat in seats_of(ctx)
        for who in ("", "bot:planner", "bot:greedy", "bot:random")
    ]


@offered
def bots(ctx: click.Context) -> Offers:
    """The bots, for every seat or for one."""
    return [(word, "") for bot in BOTS for word in (bot, *(f"{seat}={bot}" for seat in seats_of(ctx)))]


@offered
def game_ids(ctx: click.Context) -> Offers:
    """The games in the game file."""
    from pbem.service.tools.glance import game_ids

    store = ctx.params.get("store") or next(iter(said(ctx)), None)
    return [(game, "") for game in game_ids(target(store if store and Path(store).is_file() else None))]


def files(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """The game files where the first argument belongs, with the folders on the way to them; then any file."""
    if param.nargs == -1 and said(ctx):
        return [CompletionItem(incomplete, type="file")]
    folder, slash, _ = incomplete.rpartition("/")
    paths = sorted(Path(f"{folder}{slash}" or ".").glob(f"*{GAME_FILE}"))
    names = [f"{folder}{slash}{path.name}" for path in paths]
    here = [CompletionItem(name) for name in names if name.startswith(incomplete)]
    return [CompletionItem(incomplete, type="dir"), *here]


def file_or_game(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """A game file or the key of a game, then any file."""
    items = files(ctx, param, incomplete)
    return items if said(ctx) else [*items, *games(ctx, param, incomplete)]


def file_seat_bot(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """A game file, a seat, a bot, in this order; the file may be left out."""
    words = said(ctx)
    in_file = bool(words) and Path(words[0]).is_file()
    items = [] if words else files(ctx, param, incomplete)
    if len(words) == in_file:
        items += seats(ctx, param, incomplete)
    elif len(words) == in_file + 1:
        items += [CompletionItem(bot) for bot in (*BOTS, "none") if bot.startswith(incomplete)]
    return items
