"""The cases of a rulebook: how each is met, and where it stands in code, data and tests."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import pbem
from pbem.engine.data import find_data
from pbem.engine.errors import DataError
from pbem.engine.installed import games, home, playable
from pbem.engine.wording import unknown

PACKAGE = Path(pbem.__file__).parent


@dataclass(frozen=True, slots=True)
class Handled:
    """A case: `code` and `tests` are the places where it is named, as file:line. It is handled if it is named
    in code, or lies with a component, a remark or the players."""

    number: str
    title: str
    status: str
    note: str
    code: tuple[str, ...]
    tests: tuple[str, ...]

    @property
    def handled(self) -> bool:
        return bool(self.code) if self.status == "code" else self.status in ("component", "note", "players")


@dataclass(frozen=True, slots=True)
class Cases:
    """The case list of a game. `tests` says whether there are tests to look into: only a source checkout has
    them."""

    game: str
    listed: tuple[Handled, ...]
    tests: bool

    @property
    def summary(self) -> str:
        return f"{sum(case.handled for case in self.listed)} of {len(self.listed)} handled"


def cases(key: str) -> Cases:
    """Every case of a game's list. Raises KeyError for an unknown game, DataError for one without a case
    list."""
    if key not in playable():
        raise KeyError(unknown("there is no game", key, games()))
    listed = _listed(key)
    folder, tests = home(key), PACKAGE.parent / "tests" / "games" / key
    code = _Places(folder, ("*.py", "data/*.toml"))
    tested = _Places(tests, ("*.py", "*.toml")) if tests.is_dir() else None
    return Cases(
        key,
        tuple(
            Handled(
                number,
                str(entry.get("title", "")),
                str(entry.get("status", "")),
                str(entry.get("note", "")),
                code.of(number),
                tested.of(number) if tested else (),
            )
            for number, entry in listed.items()
        ),
        tested is not None,
    )


@cache
def titles(key: str) -> Mapping[str, str]:
    """The title of each case of a game; none for a game without a case list."""
    try:
        return {number: str(entry.get("title", "")) for number, entry in _listed(key).items()}
    except DataError:
        return {}


def _listed(key: str) -> dict[str, dict[str, Any]]:
    """The entries of a game's case list. Raises DataError."""
    try:
        written = tomllib.loads(find_data(key, "cases.toml").read_text(encoding="utf-8"))
    except (OSError, tomllib.TOMLDecodeError) as error:
        raise DataError(f"cases.toml of {key}: {error}") from error
    listed: dict[str, dict[str, Any]] = written.get("case", written)
    return listed


class _Places:
    """Where cases are named in the files of a folder: in comments, docstrings and strings, by their whole
    number."""

    def __init__(self, folder: Path, patterns: tuple[str, ...]) -> None:
        self._lines = [
            (f"{path.relative_to(folder).as_posix()}:{number}", line)
            for pattern in patterns
            for path in sorted(folder.rglob(pattern))
            if path.name != "cases.toml"
            for number, line in _worded(path)
        ]

    def of(self, number: str) -> tuple[str, ...]:
        whole = _whole(number)
        return tuple(place for place, line in self._lines if number in line and whole.search(line))


@cache
def _whole(number: str) -> re.Pattern[str]:
    return re.compile(rf"(?<![\w.]){re.escape(number)}(?!\w|\.\w)")


def _worded(path: Path) -> Iterator[tuple[int, str]]:
    """The lines of a file that can name a case; in code, the lines of strings and comments."""
    if path.suffix != ".py":
        yield from enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
        return
    import io
    import tokenize

    for token in tokenize.generate_tokens(io.StringIO(path.read_text(encoding="utf-8")).readline):
        kind = tokenize.tok_name[token.type]
        if kind == "COMMENT" or "STRING" in kind:
            yield from enumerate(token.string.splitlines(), token.start[0])
