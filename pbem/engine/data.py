"""Data files: TOML on disk, checked and frozen in memory, with the source of every value.

A group that owns a printed game may put its own files into a data folder beside the game file; a file there
takes the place of the packaged one of the same name.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Iterator
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Annotated, Any, Literal, TypeVar

from pydantic import BaseModel, ConfigDict, StringConstraints, ValidationError

from pbem.engine.errors import DataError
from pbem.engine.installed import home, playable

SOURCE = r"^((rulebook|found) \S.*|(historical|reconstructed)([ :,;(].*)?)$"
Source = Annotated[str, StringConstraints(pattern=SOURCE)]
"""Where a value comes from: `rulebook <case>`, `found <where>`, `historical` or `reconstructed`, with a
remark after the last two if there is one to make."""


class Data(BaseModel):
    """A part of a data file: frozen, and with no entry that the game does not know."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class Sourced(Data):
    """A part of a data file that says where it comes from."""

    source: Source


class Case(Data):
    """A case of a rulebook: our own short title for it, and how it is met: in code, by a component (a data
    file), by a note, or by the players."""

    title: str
    status: Literal["code", "component", "note", "players"]


class CasesFile(Data):
    """The list of cases of a rulebook, by number."""

    case: dict[str, Case]


class SourcedModifier(Sourced):
    """A modifier of a die: how much, by which case, and what for."""

    value: int
    case: str
    why: str


M = TypeVar("M", bound=Data)


def load(path: Path | Traversable, model: type[M]) -> M:
    """The file at `path` as a `model`. Raises DataError naming the file and every fault in it."""
    try:
        written = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise DataError(f"{path}: cannot be read: {error.strerror or error}") from error
    except UnicodeDecodeError as error:
        raise DataError(f"{path}: is not UTF-8 text: {error.reason} at byte {error.start}") from error
    except tomllib.TOMLDecodeError as error:
        raise DataError(f"{path}: is not TOML: {error}") from error
    try:
        return model.model_validate(written)
    except ValidationError as error:
        raise faulty(path, map(_fault, error.errors(include_url=False))) from error


def read(game_key: str, name: str, model: type[M]) -> M:
    """The data file `name` of a game as a `model`. Raises DataError."""
    return load(find_data(game_key, name), model)


def faulty(path: Path | Traversable | str, faults: Iterable[str]) -> DataError:
    """The error that lists all `faults` of one file, each written as `place: what is wrong`."""
    listed = list(faults)
    count = "1 fault" if len(listed) == 1 else f"{len(listed)} faults"
    return DataError("\n  ".join([f"{path}: {count}", *listed]))


_own: dict[str, Path] = {}


def use_own(game_key: str, folder: Path) -> None:
    """Let the files in `folder` take the place of a game's packaged ones of the same name. A game reads its
    data once, when it is first needed in a process: this must come before."""
    _own[game_key] = folder


def find_data(game_key: str, name: str) -> Path:
    """The data file `name` of a game: the players' own if there is one, else the packaged one. Raises
    DataError when there is neither."""
    own = _own.get(game_key)
    if own is not None and (own / name).is_file():
        return own / name
    packaged = home(game_key) / "data" / name
    if not packaged.is_file() and game_key not in playable():
        raise DataError(f"{name}: no game {game_key} is installed; its key is the name of its entry point")
    if not packaged.is_file():
        raise DataError(f"{name}: {game_key} has no data file of this name")
    return packaged


def sources(data: Data) -> tuple[str, ...]:
    """The different sources named anywhere in `data`, in the order in which they first appear."""
    return tuple(dict.fromkeys(_sources(data)))


def _sources(value: Any) -> Iterator[str]:
    if isinstance(value, Data):
        for name in type(value).model_fields:
            part = getattr(value, name)
            if name == "source" and isinstance(part, str):
                yield part
            else:
                yield from _sources(part)
    elif isinstance(value, dict):
        for part in value.values():
            yield from _sources(part)
    elif isinstance(value, list | tuple):
        for part in value:
            yield from _sources(part)


def _fault(error: Any) -> str:
    """One fault that pydantic found, as `place: what is wrong (what was written)`."""
    place = ".".join(str(step) for step in error["loc"]) or "whole file"
    if error["type"] == "missing":
        return f"{place}: is missing"
    if error["type"] == "extra_forbidden":
        return f"{place}: no such entry is known"
    what = error["msg"].removeprefix("Value error, ")
    if error.get("ctx", {}).get("pattern") == SOURCE:
        what = 'a source is "rulebook <case>", "found <where>", "historical" or "reconstructed"'
    written = repr(error["input"])
    return f"{place}: {what}" + (f" (written: {written})" if len(written) <= 80 else "")
