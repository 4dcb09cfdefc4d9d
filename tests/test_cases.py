"""The case lists of the games are whole, and citations are read as they are meant; that lists, code and tests
agree is checked by tests/test_conformance.py."""

from __future__ import annotations

from pathlib import Path

import pytest

import pbem
from pbem.engine.installed import games, home
from pbem.testing.rulecases import heading, listed, mentioned

COUNTS = {"normandy71": 94, "rampage": 120, "falaise": 67, "normandy44": 62, "france44": 90}


def test_games_are_found() -> None:
    """The games of the package are found by their entry points, which need pbem to be installed (`pip install
    -e .`)."""
    folders = {path.parent.name for path in (Path(pbem.__file__).parent / "games").glob("*/__init__.py")}
    assert folders == {key for key, where in games().items() if where.startswith(f"pbem.games.{key}:")}
    assert folders == set(COUNTS)


@pytest.mark.parametrize("key", COUNTS)
def test_the_list_holds_every_case(key: str) -> None:
    """The list holds every numbered case of the rulebook."""
    assert len(listed(home(key))) == COUNTS[key]


def test_whole_numbers_only() -> None:
    """A case is mentioned by its whole number, not by that of a case within it or around it."""
    texts = ["# a stack (STK.A) and MOV.F/INV.1A.", '"10.33"', "110.3"]
    numbers = ["STK", "STK.A", "MOV", "MOV.F", "INV.1A", "INV.1", "10.3", "10.33", "10"]
    assert mentioned(numbers, texts) == {"STK.A", "MOV.F", "INV.1A", "10.33"}


def test_docstrings_begin_with_cases() -> None:
    """The cases at the head of a docstring are read as such, and ordinary first words are not."""
    assert list(heading("NAV.B, NAV.C The Allied player may help.")) == ["NAV.B", "NAV.C"]
    assert list(heading("10.33 Town defence")) == ["10.33"]
    assert list(heading("Whether a unit, 10.33 or not, may go.")) == []
