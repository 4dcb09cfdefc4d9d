"""What all commands share: finding the store, who is looking, plain output and JSON, errors in one line."""

from __future__ import annotations

import functools
import inspect
import json
import os
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, is_dataclass
from datetime import datetime
from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from pbem.cli import complete, terminal
from pbem.cli.stores import target
from pbem.paths import denied

if TYPE_CHECKING:
    from pbem.service.record.store import Store

F = TypeVar("F", bound=Callable[..., Any])

json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON, for programs.")
seat_option = click.option(
    "--seat",
    default="umpire",
    show_default=True,
    metavar="SEAT",
    shell_complete=complete.viewers,
    help="Show only what this seat may see. Without it you see everything.",
)


def _known_game(ctx: click.Context, param: click.Parameter, value: str) -> str:
    """Return the key of a game if there is such a game."""
    from pbem.engine.installed import games, playable
    from pbem.engine.wording import unknown

    if value not in playable() and not ctx.resilient_parsing:
        raise click.UsageError(unknown("there is no game", value, games()), ctx)
    return value


game_argument = click.argument("game", shell_complete=complete.games, callback=_known_game)
game_option = click.option(
    "--game",
    "game_id",
    metavar="ID",
    shell_complete=complete.game_ids,
    help="The game, if the store holds several.",
)
store_option = click.option(
    "--store", metavar="FILE|URL", shell_complete=complete.files, help="The game file or database URL."
)


def place(ctx: click.Context, param: click.Parameter, value: str) -> str:
    """Return a value that names a turn or a roll, as it is written."""
    if value and not re.fullmatch(r"[TR]\d+", value, re.IGNORECASE):
        raise click.BadParameter(f'"{value}" is neither a turn (T2) nor a roll (R17)')
    return value


columns_option = click.option(
    "--columns",
    type=click.IntRange(terminal.LEAST_MAP),
    help="Width of a text map, in characters.  [default: that of the terminal, else 100]",
)
pager_option = click.option(
    "--pager/--no-pager",
    default=True,
    show_default=True,
    help="In a terminal, show what is longer than it page by page, with the program in PAGER.",
)
verbose_option = click.option("-v", "--verbose", is_flag=True, help="Say so if there is nothing to do.")
verbosity = os.environ.get("PBEM_DEBUG", "")


class Group(click.Group):
    """A group that lists its commands with whole summaries, and names the command that was probably meant."""

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        commands = {name: self.get_command(ctx, name) for name in self.list_commands(ctx)}
        with formatter.section("Commands"):
            formatter.write_dl([(name, summary(each)) for name, each in commands.items() if each])

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        try:
            return super().resolve_command(ctx, args)
        except click.UsageError as error:
            if args[0].startswith("-"):
                raise
            near = get_close_matches(args[0], self.list_commands(ctx), 1)
            meant = f"; did you mean {near[0]}?" if near else ""
            raise click.UsageError(f'there is no command "{args[0]}"{meant}', ctx) from error


def summary(command: click.Command) -> str:
    """Return the first paragraph of a command's help on one line."""
    return " ".join(inspect.cleandoc(command.help or "").split("\n\n")[0].split())


def examples(*lines: str) -> str:
    """Return the end of a command's help: examples of its use, as a shell reads them."""
    return "\n".join(["\b", "Examples:", *(f"  {line}" for line in lines)])


def dispute_options(function: F) -> F:
    """The terms of a game for disputes, as options of a command."""
    wait = click.option(
        "--disputes",
        type=click.Choice(["wait", "go on"]),
        help="While a roll is disputed: wait, with the clock stopped until the ruling, or go on with the "
        "deadlines as they are.",
    )
    days = click.option(
        "--dispute-days", type=int, metavar="DAYS", help="How many days the clock waits at most."
    )
    return wait(days(function))


def on_game(function: F) -> F:
    """A command on a game: it gets the open `store` and the `game_id`."""

    @click.argument("file", required=False, metavar="[FILE]", shell_complete=complete.files)
    @store_option
    @game_option
    @functools.wraps(function)
    def command(*args: Any, file: str | None, store: str | None, **kwargs: Any) -> Any:
        with opened(file or store) as open_store:
            return function(*args, store=open_store, **kwargs)

    return command  # type: ignore[return-value]


def on_game_with(*names: str) -> Callable[[F], F]:
    """A command on a game with further arguments, which it gets by these names: ``[FILE] NAME ...``."""

    def decorate(function: F) -> F:
        shown = " ".join(["[FILE]", *(name.upper() for name in names)])

        @click.argument("words", nargs=-1, metavar=shown, shell_complete=complete.files)
        @store_option
        @game_option
        @functools.wraps(function)
        def command(*args: Any, words: tuple[str, ...], store: str | None, **kwargs: Any) -> Any:
            if len(words) not in (len(names), len(names) + 1):
                raise click.UsageError(f"give {shown}")
            if len(words) == len(names) and names != ("orders",) and _is_game_file(words[0]):
                raise click.UsageError(f"{names[-1].upper()} is missing: give {shown}")
            file = words[0] if len(words) > len(names) else None
            rest = words[-len(names) :]
            with opened(file or store) as open_store:
                return function(*args, store=open_store, **kwargs, **dict(zip(names, rest, strict=True)))

        return command  # type: ignore[return-value]

    return decorate


def _is_game_file(word: str) -> bool:
    """Whether a word of the command line is a game file, by how it begins."""
    try:
        with Path(word).open("rb") as file:
            return file.read(16) == b"SQLite format 3\0"
    except (OSError, ValueError):
        return False


@contextmanager
def opened(given: str | None) -> Iterator[Store]:
    """Open the store, and close it again at the end."""
    from pbem.service.record.store import Store

    use_settings()
    store = Store.open(target(given))
    try:
        yield store
    finally:
        store.close()


def use_settings() -> None:
    """Keep drawn maps where the settings file, if there is one, wants them."""
    if "PBEM_CACHE" in os.environ or not Path(os.environ.get("PBEM_CONFIG") or "pbem.toml").is_file():
        return
    from pbem.config import settings

    if (folder := settings().cache) is not None:
        os.environ["PBEM_CACHE"] = str(folder)


def now() -> datetime:
    """The time of day: the one place where the command line reads a clock."""
    from pbem.service.record.store import now_utc

    return now_utc()


def think_on(store: Store, game_id: str | None) -> None:
    """Let the planners of a game think and play on, or those of all games, if any game waits for that."""
    from pbem.service.time import thinking

    thinking.think_on(store, game_id, now)


def progress() -> Callable[[str], None]:
    """Return a function that shows a line on standard error if a person is watching, and else nothing."""
    if not terminal.is_terminal(sys.stderr):
        return lambda line: None
    return lambda line: click.echo(line, err=True)


@contextmanager
def progress_bar(label: str, total: int = 0) -> Iterator[Callable[[int, int], None]]:
    """Show a bar on standard error if a person is watching; yield a function that takes how many are done and
    of how many."""
    if not terminal.is_terminal(sys.stderr) or os.environ.get("TERM") == "dumb":
        yield lambda done, of: None
        return
    shown = click.progressbar(
        length=total, label=label, show_pos=total > 0, show_percent=total == 0, file=sys.stderr
    )
    with shown as bar:

        def update(done: int, of: int) -> None:
            bar.length = of
            bar.update(done - bar.pos)

        yield update


def show(lines: Iterable[str], *, heads: str = "", pager: bool = False) -> None:
    """Print lines as they are; in a terminal laid out for it, with lines bold that match the pattern `heads`.

    With `pager`, more than the terminal has lines for goes to a pager.
    """
    if not terminal.is_watched():
        for line in lines:
            click.echo(line)
        return
    terminal.page_through("".join(f"{line}\n" for line in terminal.laid_out(lines, heads)), pager)


def show_json(value: Any) -> None:
    click.echo(json.dumps(_plain(value), indent=1, ensure_ascii=False, default=str))


def show_either(as_json: bool, value: Any, lines: Iterable[str], *, heads: str = "") -> None:
    show_json(value) if as_json else show(lines, heads=heads)


def pairs(words: Iterable[str], what: str) -> dict[str, str]:
    """``key=value`` words as a mapping."""
    values = dict(word.partition("=")[::2] for word in words if "=" in word)
    for word in words:
        if "=" not in word or not word.partition("=")[0]:
            raise click.UsageError(f'write {what} as KEY=VALUE, not "{word}"')
    return values


def _plain(value: Any) -> Any:
    if is_dataclass(value) and not isinstance(value, type):
        return asdict(value)
    if isinstance(value, Mapping):
        return {key: _plain(part) for key, part in value.items()}
    return [_plain(part) for part in value] if isinstance(value, list | tuple) else value


# --- errors -------------------------------------------------------------------------------------------------


@contextmanager
def explained() -> Iterator[None]:
    """Turn errors that a person can do something about into one line and exit code 1; let bugs pass
    through."""
    try:
        yield
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise SystemExit(0) from None  # its reader has had enough
    except Exception as error:
        text = explanation(error)
        if text is None or verbosity:
            raise
        raise click.ClickException(text) from error


@contextmanager
def shown_in_terminal() -> Iterator[None]:
    """Let errors that click shows be laid out for the terminal that they go to, if it is one."""
    try:
        yield
    except click.ClickException as error:
        if terminal.is_terminal(sys.stderr):
            text = terminal.laid_out_error(error)
            error.show = lambda file=None: click.echo(text, file=file, err=True)  # type: ignore[method-assign]
        raise


@contextmanager
def usage() -> Iterator[None]:
    """Turn what is wrong with values of the command line, whatever the game, into a usage error. The fault of
    a package is none."""
    from pbem.engine.errors import DataError

    try:
        yield
    except DataError:
        raise
    except (KeyError, ValueError) as error:
        raise click.UsageError(str(error.args[0] if error.args else error)) from error


def explanation(error: BaseException) -> str | None:
    """An error in one line, or None for one that nobody was meant to meet."""
    if isinstance(error, click.ClickException | click.Abort | click.exceptions.Exit):
        return None
    if isinstance(error, KeyError):
        return str(error.args[0]) if error.args else "not found"
    if isinstance(error, OSError) and not isinstance(
        error, _kinds("pbem.service.record.errors", "StoreError")
    ):
        what = ": ".join(str(part) for part in (error.filename, error.strerror or error) if part)
        if isinstance(error, PermissionError) and error.filename and (mend := denied(error.filename)):
            return f"{what}. {mend}"
        return what
    if isinstance(error, _kinds("sqlalchemy.exc", "SQLAlchemyError")):
        return f"the database: {getattr(error, 'orig', None) or error}".splitlines()[0]
    known = (
        *_kinds("pbem.service.record.errors", "StoreError"),
        *_kinds("pbem.engine.errors", "ReplayMismatch"),
        ValueError,
    )
    return str(error) if isinstance(error, known) else None


def _kinds(module: str, name: str) -> tuple[type[BaseException], ...]:
    """An exception type of a module, if that has been loaded; otherwise it cannot have been raised."""
    loaded: Any = sys.modules.get(module)
    return (getattr(loaded, name),) if loaded is not None else ()


def read_text(path: str) -> str:
    """The text of a file, or of standard input for ``-``."""
    from pbem.service.intake.trial import decoded

    raw = sys.stdin.buffer.read() if path == "-" else Path(path).read_bytes()
    return decoded(raw)
