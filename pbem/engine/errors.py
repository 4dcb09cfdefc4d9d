"""What can be wrong with what a player wrote, and with what a program recorded.

* OrderError             mailed back word for word; the rest of the letter is still processed
  - Unreadable           the words are not an order
  - Ambiguous            the order names more than one thing
  - NotAllowed           the order is clear, and a rule forbids it
    - Overtaken          it was allowed when it was written, and events have made it void
      - Unwanted         its writer does not want it so: the odds are worse than it names
* ReplayMismatch         today's rules decide something else than was decided when an answer was given
* DataError              a map, chart or scenario file does not hold what it must
"""

from __future__ import annotations

from collections.abc import Sequence


class OrderError(ValueError):
    """An order that cannot be carried out.

    `text` says why; `case` is the rulebook case that forbids it; `legal` lists what would be legal, in the
    words of an order; `column` (from 0) and `length` point at the offending words of the line.
    """

    def __init__(
        self, text: str, case: str = "", *, legal: Sequence[str] = (), column: int = 0, length: int = 0
    ) -> None:
        super().__init__(f"{text} [{case}]" if case else text)
        self.text = text
        self.case = case
        self.legal = tuple(legal)
        self.column = column
        self.length = length


class Unreadable(OrderError):
    """The words are not an order."""


class Ambiguous(OrderError):
    """The order names more than one thing."""


class NotAllowed(OrderError):
    """The order is clear, and a rule forbids it."""


class Overtaken(NotAllowed):
    """The order was allowed when it was written, and what has happened since has made it void: it is passed
    over."""


class Unwanted(Overtaken):
    """The order itself says not to carry it out as things are: the odds are worse than those it names."""


class ReplayMismatch(RuntimeError):
    """Today's rules decide something else than was decided when an answer was given.

    `step` is the place of that answer among those of its phase, from 1; 0 if it is not known.
    """

    def __init__(self, text: str, step: int = 0) -> None:
        super().__init__(text)
        self.step = step


class DataError(ValueError):
    """A data file does not hold what the game needs; says which file, what and why."""
