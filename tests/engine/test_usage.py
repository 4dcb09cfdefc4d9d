"""Usage lines: what may stand in any order, and marks that stick to a word."""

from __future__ import annotations

from typing import Any

import pytest

from pbem.engine.orders import Roster
from pbem.engine.slots import slot_types
from pbem.engine.usage import Names, Scan, compile_usage, keywords

TYPES = slot_types({"speed": ("slow", "fast")})
LINE = (
    'go {at <speed> | stop after <hours:number> (hours|hour) | when below <left:number> ["%"] | '
    "<loud:=singing>}"
)
DEFAULTS: dict[str, Any] = {"speed": "", "hours": None, "left": None, "loud": False}


def read(text: str) -> dict[str, Any] | None:
    """What a whole line fills in; None if it does not fit."""
    pattern = compile_usage(LINE, TYPES)
    for key in keywords(pattern):
        key.accepts = frozenset({key.word})
    scan = Scan(text, Names(Roster({})), frozenset())
    for end, captures in pattern.match(scan, 0):
        if end == scan.length:
            return dict(captures)
    return None


@pytest.mark.parametrize(
    ("text", "filled"),
    [
        ("go", {}),
        ("go at fast", {"speed": "fast"}),
        ("go singing at slow", {"speed": "slow", "loud": True}),
        ("go stop after 3 hours, at slow, singing", {"speed": "slow", "hours": 3, "loud": True}),
        ("go when below 40%, stop after 1 hour", {"left": 40, "hours": 1}),
        ("go when below 40 %", {"left": 40}),
        ("go when below 40", {"left": 40}),
    ],
)
def test_each_once_and_in_any_order(text: str, filled: dict[str, Any]) -> None:
    """What stands in braces may be written in any order, all of it or none, with commas or without."""
    assert read(text) == filled


@pytest.mark.parametrize("text", ["go at fast at slow", "go singing singing", "go stop after 3", "go %"])
def test_nothing_twice_and_nothing_by_halves(text: str) -> None:
    """A part is written once and in full."""
    assert read(text) is None


def test_what_was_left_out_is_not_written() -> None:
    """Writing keeps the order of the usage line and leaves out what has its default."""
    pattern = compile_usage(LINE, TYPES)
    values = DEFAULTS | {"hours": 3, "loud": True}
    assert pattern.write(values, DEFAULTS) == "go stop after 3 hours, singing"
    assert pattern.write(DEFAULTS, DEFAULTS) == "go"
    assert set(pattern.slots()) == set(DEFAULTS)
