"""The log of a game: typed notes for people, each with its rulebook case and its readers.

A game declares its own kinds of note as frozen dataclasses derived from `Note`. A note holds facts; its
wording stands in the template ``templates/<game>/log.txt.j2`` as a macro named after the class. Rules write
notes and never read them. A note that two sides see differently is two notes. Fields hold plain JSON values,
tuples and Tally parts, never sets.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields
from operator import attrgetter
from typing import Any, ClassVar

UMPIRE = "umpire"
"""The reader who may know everything; no seat has this name."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Note:
    """`readers` are the seats that may read the note (and the umpire, always); empty means everyone. `roll`
    is the number of the open roll that decided it (the R17 of a letter), 0 for none."""

    case: str
    readers: tuple[str, ...] = ()
    roll: int = 0

    chancy: ClassVar[bool] = False
    """Whether it names what dice or lots have brought: a check that has imagined any leaves it out."""

    def seen_by(self, seat: str) -> bool:
        return not self.readers or seat in self.readers or seat == UMPIRE

    def facts(self) -> dict[str, Any]:
        """The note as plain values, `kind` being the name of its class."""
        names, values = _reader(type(self))
        return {"kind": type(self).__name__, **dict(zip(names, values(self), strict=True))}

    def fingerprint(self) -> bytes:
        """The note as bytes that differ when anything in it differs."""
        _, values = _reader(type(self))
        return f"{type(self).__name__}{values(self)!r}".encode()


@dataclass(frozen=True, slots=True, kw_only=True)
class Imagined(Note):
    """In a check alone: from here on the log tells of dice that were imagined, and of what they brought."""


Reader = tuple[tuple[str, ...], Callable[[Note], tuple[Any, ...]]]
_readers: dict[type[Note], Reader] = {}


def _reader(kind: type[Note]) -> Reader:
    """The names of a note's fields, and what reads all of them at once; made once for each kind."""
    if kind not in _readers:
        names = tuple(field.name for field in fields(kind))
        _readers[kind] = names, attrgetter(*names)
    return _readers[kind]
