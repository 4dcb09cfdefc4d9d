"""Reading one order, for tests of a grammar."""

from __future__ import annotations

from pbem.engine.errors import Unreadable
from pbem.engine.language import Grammar, Order, Roster


def read_line(grammar: Grammar, text: str, roster: Roster, section: str = "") -> Order:
    """The one plain order that `text` is. Raises OrderError."""
    reading = grammar.read([(1, text)], roster, section)
    if reading.faults:
        raise reading.faults[0].error
    if len(reading.orders) != 1:
        raise Unreadable(f'"{text.strip()}" is not an order')
    return reading.orders[0].order
