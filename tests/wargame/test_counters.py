"""Counters on the map and off it, the units that an order names, and what must hold of them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

import pytest
from pydantic import TypeAdapter

from pbem.engine.errors import NotAllowed
from pbem.engine.game import GameState
from pbem.wargame.counters import Placed, Sides, of_side
from pbem.wargame.invariants import filed, stacks

Side = Literal["blue", "red"]


@dataclass(slots=True)
class Unit(Placed):
    id: str
    side: Side
    hex: str | None = None
    place: Literal["map", "later", "lost"] = "later"


@dataclass(slots=True, kw_only=True)
class State(Sides[Unit, Side], GameState):
    units: dict[str, Unit] = field(default_factory=dict)


@pytest.fixture
def state() -> State:
    units = [
        Unit("R1", "red", "0101", "map"),
        Unit("B1", "blue", "0102", "map"),
        Unit("R2", "red", "0101", "map"),
        Unit("R3", "red", None, "lost"),
    ]
    return State(scenario="toy", units={unit.id: unit for unit in units})


def ids(units: list[Unit]) -> list[str]:
    return [unit.id for unit in units]


def test_where_counters_are(state: State) -> None:
    """Stacks, sides and holders are in the order of the units."""
    assert ids(state.at("0101")) == ["R1", "R2"] and state.at("0103") == []
    assert ids(state.on_map()) == ["R1", "B1", "R2"] and ids(state.on_map("red")) == ["R1", "R2"]
    assert (state.holder("0101"), state.holder("0102"), state.holder("0103")) == ("red", "blue", None)


def test_a_counter_off_the_map_has_no_hex(state: State) -> None:
    """`placed` is for units that must be on the map."""
    assert state.units["R1"].placed == "0101"
    with pytest.raises(AssertionError, match="R3 is not on the map"):
        _ = state.units["R3"].placed


def test_a_unit_named_in_an_order(state: State) -> None:
    """A unit of the side itself, also one that is not on the map."""
    mine = of_side("red")
    assert state.own("R2", mine, "7.0") is state.units["R2"]
    assert state.own("R3", mine, "7.0").place != "map"


@pytest.mark.parametrize("id", ["B1", "R9"])
def test_units_that_are_refused(state: State, id: str) -> None:
    """Enemy and unknown units are refused in the same words, with the case."""
    with pytest.raises(NotAllowed) as refused:
        state.own(id, of_side("red"), "7.0", legal=("move R1",))
    assert str(refused.value) == f"{id} is not one of your units [7.0]"
    assert refused.value.legal == ("move R1",)


def test_the_state_is_stored(state: State) -> None:
    """Mixins add no fields: the state comes back from JSON as it was."""
    kind = TypeAdapter(State)
    stored = kind.dump_json(state)
    assert kind.validate_json(stored) == state
    assert set(kind.dump_python(state)["units"]["R1"]) == {"id", "side", "hex", "place"}


def test_what_must_hold(state: State) -> None:
    """Wrong names, places without hex, mixed and full stacks are each found, with the case."""
    assert not [*filed(state.units)]
    assert not [*stacks(state.on_map(), lambda units: len(units) < 3, both="5.1", full="5.2")]
    state.units["X"] = Unit("R4", "red", None, "map")
    assert [*filed(state.units)] == ["R4 is filed under X", "R4 has place map and hex None"]
    state.units["B2"] = Unit("B2", "blue", "0102", "map")
    assert [*stacks(state.on_map(), lambda units: len(units) < 2, both="5.1", full="5.2")] == [
        "5.2 0101 holds R1, R2",
        "5.2 0102 holds B1, B2",
    ]
    state.units["B2"].hex = "0101"
    assert [*stacks(state.on_map(), lambda units: True, both="5.1", full="5.2")] == [
        "5.1 both sides are in 0101: R1, R2, B2"
    ]
