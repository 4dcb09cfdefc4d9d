"""The face of the order language: text to orders, orders to text."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from pbem.engine.language.model import Declarations, Line, Order, Reading, Roster, Scope, StandingLine

if TYPE_CHECKING:
    from pbem.engine.language.phrases import Reader
    from pbem.engine.language.work import Work


@dataclass(frozen=True, eq=False)
class Grammar(Declarations):
    """How the players of one game write: reads their letters and writes their orders."""

    def read(
        self,
        text_lines: Sequence[tuple[int, str]],
        roster: Roster,
        section: str = "",
        scope: Scope | None = None,
        work: Work | None = None,
    ) -> Reading:
        """Read the numbered lines of a letter; `section` is the heading in force at its beginning. Never
        raises for what a player wrote: every line ends up in one part of the result, but for courtesies and
        comments. Raises TakesLong only if `work` says so."""
        from pbem.engine.language.reading import read_letter

        return read_letter(self._reader, text_lines, roster, section, scope or Scope(), work)

    def write(self, order: Order) -> str:
        """The order in full, as its usage line has it; reading it back gives the same order."""
        return self._reader.write(order)

    def write_line(self, line: Line) -> str:
        """The line in full: try, conditions, order, else."""
        return self._reader.write_line(line)

    def write_standing(self, line: StandingLine) -> str:
        """The standing order in full."""
        return self._reader.write_standing(line)

    @cached_property
    def _reader(self) -> Reader:
        # Patterns are made when they are first needed: many commands start a game's module and read no
        # letter.
        from pbem.engine.language.phrases import Reader

        return Reader(self)
