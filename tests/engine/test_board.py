"""What may be drawn: a counter is refused when it is made, not when its picture is wanted."""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from typing import Any

import pytest

from pbem.engine.board import SIZES, SYMBOLS, Counter


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"size": "III"}, r'^R1: no size "III"; there are: company, battalion, regiment'),
        ({"size": "regimnt", "name": ""}, r'^0101: no size "regimnt"; .*; did you mean regiment\?$'),
        ({"symbol": "cavalry"}, r'^R1: no symbol "cavalry"; there are: infantry, parachute'),
        ({"symbol": ""}, r'^R1: no symbol ""; there are: infantry'),
    ],
)
def test_a_wrong_counter_is_refused_when_it_is_made(wrong: dict[str, Any], said: str) -> None:
    """A size or a symbol that there is not is named, with those that there are, also of a changed counter."""
    with pytest.raises(ValueError, match=said):
        Counter(**{"hex": "0101", "colours": "red", "figures": "1-1", "name": "R1"} | wrong)
    with pytest.raises(ValueError, match=said):
        replace(Counter("0101", "red", "1-1", "R1"), **wrong)


def test_every_counter_that_can_be_drawn_can_be_made() -> None:
    """Every symbol goes with every size, and a side may have a colour of its own."""
    made = [Counter("0101", "green", symbol=symbol, size=size) for symbol, size in product(SYMBOLS, SIZES)]
    assert len(set(made)) == len(SYMBOLS) * len(SIZES)
