"""A letter sent again, with changes or without: what becomes of each line, and what it costs to find out."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from types import FrameType
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.engine.data import find_data
from pbem.engine.language import Grammar, Roster, RosterUnit
from pbem.engine.map import Map
from pbem.games.normandy71.orders import Move
from pbem.service.play.placing import Taken
from pbem.service.play.sheet import Sheet
from pbem.service.play.taking import Scene, take

MAP = Map.load(find_data("normandy71", "map.toml"))
GRAMMAR = Grammar(orders=(Move,), sections={"movement": (Move,)})
SCENE = Scene("movement", ("movement",), frozenset())
MOST = 240


def sent(sheet: Sheet, moves: Mapping[int, int], number: int) -> Taken:
    """A letter with moves of units, each to one of the hexes next to it, put on a sheet."""
    ids, adjacent = MAP.grid.ids, MAP.grid.adjacent
    inland = [at for at in range(len(ids)) if len(adjacent[at]) == 6]
    places = {unit: inland[unit] for unit in range(MOST)}
    units = {f"{unit}/29": RosterUnit(f"{unit}/29", "7-4", ids[at]) for unit, at in places.items()}
    lines = [f"move {unit}/29 to {ids[adjacent[places[unit]][to]]}" for unit, to in moves.items()]
    reading = GRAMMAR.read([*enumerate(["[movement]", *lines])], Roster(units, frozenset(ids)))
    assert len(reading.orders) == len(moves), reading.faults
    return take(sheet, reading, SCENE, number)


def by_unit(sheet: Sheet) -> dict[str, tuple[int, str]]:
    return {line.order.units[0]: (line.name, line.text) for line in sheet.lines}  # type: ignore[union-attr]


drafts = st.dictionaries(st.integers(0, 30), st.integers(0, 5))


@given(drafts, drafts)
def test_of_each_unit_the_last_line_is_kept_under_its_first_name(
    first: dict[int, int], second: dict[int, int]
) -> None:
    """The lines of the second letter take the places of those about the same units and add the others; what
    it does not mention stays. A line keeps its name, and no name is given twice."""
    kept = sent(Sheet(), first, 1).sheet
    taken = sent(kept, second, 2)
    before, after = by_unit(kept), by_unit(taken.sheet)
    both = {f"{unit}/29" for unit in first.keys() & second.keys()}
    assert after.keys() == {f"{unit}/29" for unit in first | second}
    assert len(taken.sheet.lines) == len(after) == len({name for name, _ in after.values()})
    assert all(after[unit] == before[unit] for unit in before.keys() - both)
    assert all(after[unit][0] == before[unit][0] for unit in both)
    assert all(name >= kept.next for unit, (name, _) in after.items() if unit not in before)
    assert {unit: text for unit, (_, text) in after.items()} == {
        unit: text for unit, (_, text) in by_unit(sent(Sheet(), first | second, 1).sheet).items()
    }
    same = [unit for unit in first.keys() & second.keys() if first[unit] == second[unit]]
    kinds = [change.kind for change in taken.changes]
    assert kinds.count("same") == len(same)
    assert kinds.count("replaced") == len(both) - len(same)
    assert kinds.count("kept") == len(second) - len(both)


@pytest.mark.parametrize("to", [0, 1], ids=["unchanged", "changed"])
def test_a_long_letter_sent_again_costs_no_more_than_the_square_of_its_lines(to: int) -> None:
    """Twice the lines are at most four times the calls, and some more."""
    few, many = (calls(number, to) for number in (MOST // 4, MOST // 2))
    assert many < 4.5 * few


def calls(number: int, to: int) -> int:
    """How many functions are called while a letter of this many lines is taken in for the second time."""
    sheet = sent(Sheet(), dict.fromkeys(range(number), 0), 1).sheet
    counted = 0

    def count(frame: FrameType, event: str, arg: Any) -> None:
        nonlocal counted
        counted += event in ("call", "c_call")

    before = sys.getprofile()
    sys.setprofile(count)
    try:
        sent(sheet, dict.fromkeys(range(number), to), 2)
    finally:
        sys.setprofile(before)
    return counted
