"""The log of a game: typed notes for people, each with its rulebook case and its readers.

A game declares its own kinds of note as classes derived from `Note`, which become frozen dataclasses by
themselves (declare.py). A note holds facts; its wording is in the template ``templates/<game>/log.txt.j2`` as
a macro named after the class. Rules write notes and never read them. A note that two sides see differently is
two notes. Fields hold plain JSON values, tuples and Tally parts, never sets.

A field of type `str` is a key: a unit, a hex, a seat, a case, the code of an outcome. It is compared when a
phase is played again, so a stored game breaks if it changes; the template puts it into words. A field that
holds words is declared as `Prose` (facts.py) and never compared.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from operator import attrgetter
from typing import Any, ClassVar, dataclass_transform

import msgspec

from pbem.engine.declare import declare
from pbem.engine.facts import cuts

UMPIRE = "umpire"
"""The reader who may know everything; no seat has this name."""


@dataclass_transform(frozen_default=True, kw_only_default=True)
@dataclass(frozen=True, kw_only=True)
class Note:
    """`readers` are the seats that may read the note (and the umpire, always); empty means everyone. `roll`
    is the number of the open roll that decided it (the R17 of a letter), 0 for none."""

    case: str
    readers: tuple[str, ...] = ()
    roll: int = 0

    chancy: ClassVar[bool] = False
    """Whether it names what dice or lots have brought: a check that has imagined any leaves it out."""

    chart: ClassVar[str] = ""
    """The table on which its die is read; "" where the rule compares the die with a number."""

    cell: ClassVar[tuple[str, ...]] = ()
    """Of a note that tells of a die: the facts that find the cell of the table, and what stands there."""

    reveals: ClassVar[bool] = False
    """Whether it reveals something hidden, so that nothing before it can be undone."""

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        declare(cls, Note, kw_only=True)

    def seen_by(self, seat: str) -> bool:
        return not self.readers or seat in self.readers or seat == UMPIRE

    def facts(self) -> dict[str, Any]:
        """The note as plain values, words included; `kind` is the name of its class."""
        names, values = _reader(type(self))
        return {"kind": type(self).__name__, **dict(zip(names, values(self), strict=True))}

    @classmethod
    def without_words(cls, facts: Mapping[str, Any]) -> dict[str, Any]:
        """A note of this kind as `facts` gives it, or as it was stored, without what only words it."""
        bare = dict(facts)
        for name, cut in cuts(cls).items():
            if cut is None:
                bare.pop(name, None)
            elif name in bare:
                bare[name] = cut(bare[name])
        return bare

    def fingerprint(self) -> bytes:
        """The note as bytes that differ when a fact in it differs: neither its words nor the order of its
        fields count."""
        facts = self.without_words(self.facts())
        found = _sorted(facts)
        return found if found.isascii() else plain(facts).encode()


class Imagined(Note):
    """In a check alone: from here on the log tells of dice that were imagined, and of what they brought."""


plain = json.JSONEncoder(sort_keys=True, separators=(",", ":")).encode
"""Plain values as text that is the same for the same values, whatever their order."""

_sorted = msgspec.json.Encoder(order="sorted").encode
"""The same, five times as fast; it does not escape other letters than those of ASCII."""

Reader = tuple[tuple[str, ...], Callable[[Note], tuple[Any, ...]]]
_readers: dict[type[Note], Reader] = {}


def _reader(kind: type[Note]) -> Reader:
    """The names of a note's fields, and what reads all of them at once; made once for each kind."""
    if kind not in _readers:
        names = tuple(field.name for field in fields(kind))
        _readers[kind] = names, attrgetter(*names)
    return _readers[kind]
