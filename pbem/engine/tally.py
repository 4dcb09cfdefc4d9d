"""Modifiers, added up in sight: the log shows each one with the case that grants it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

from pbem.engine.facts import Prose


class Modifier(NamedTuple):
    """A part of a sum. `why` words it for letters; the value and the case that grants it are the facts."""

    value: int
    case: str
    why: Prose


@dataclass(slots=True)
class Tally:
    """A sum whose every part keeps its reason and its rulebook case."""

    parts: list[Modifier] = field(default_factory=list)

    def add(self, value: int, case: str, why: str) -> None:
        """Count `value` for the reason `why`; a modifier of zero is not listed."""
        if value:
            self.parts.append(Modifier(value, case, why))

    @property
    def total(self) -> int:
        return sum(part.value for part in self.parts)

    def __str__(self) -> str:
        listed = ", ".join(f"{value:+d} {why} [{case}]" for value, case, why in self.parts)
        return f"{listed or 'no modifiers'} = {self.total:+d}"
