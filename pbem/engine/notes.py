"""The log of a game: typed notes for people, each with its rulebook case and its readers.

A game declares its own kinds of note as frozen dataclasses derived from `Note`. A note holds facts; its wording stands in the
template ``templates/<game>/log.txt.j2`` as a macro named after the class. Rules write notes and never read them.
A note that two sides see differently is two notes. Fields hold plain JSON values, tuples and Tally parts, never sets.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass, fields
from operator import attrgetter
from typing import Any


@dataclass(frozen=True, slots=True, kw_only=True)
class Note:
    """`readers` are the seats that may read the note (and the umpire, always); empty means everyone. `roll` is the number of
    the open roll that decided it (the R17 of a letter), 0 for none."""

    case: str
    readers: tuple[str, ...] = ()
    roll: int = 0

    def seen_by(self, seat: str) -> bool:
        return not self.readers or seat in self.readers or seat == "umpire"

    def facts(self) -> dict[str, Any]:
        """The note as plain values, `kind` being the name of its class."""
        return {"kind": type(self).__name__, **asdict(self)}

    def fingerprint(self) -> bytes:
        """The note as bytes that differ when anything in it differs."""
        kind = type(self)
        values = _values.get(kind) or _values.setdefault(
            kind, attrgetter(*(part.name for part in fields(kind)))
        )
        return f"{kind.__name__}{values(self)!r}".encode()


_values: dict[type[Note], Callable[[Note], tuple[Any, ...]]] = {}
"""For each kind of note what reads all its values at once."""
