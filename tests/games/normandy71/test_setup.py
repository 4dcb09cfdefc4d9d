"""Setting up: the Allied units, the six German orders of battle, and the defaults for players
who write nothing."""

from __future__ import annotations

import pytest

from pbem.games.normandy71 import stacking
from pbem.games.normandy71.deployment import AREAS
from pbem.games.normandy71.setup import create_germans, setup
from pbem.games.normandy71.state import State, Unit
from pbem.games.normandy71.tables import BEACHES, CHARTS, DEFAULTS, GRID, LAND, MAP, OOB

LETTERS = "ABCDEF"


def start() -> State:
    return setup("campaign", {"naval": "literal"})


def test_all_allied_units_are_still_to_come() -> None:
    """INV.1A Before the secret deployment every Allied unit is off the map and no German unit exists."""
    state = start()
    assert state.units and all(
        (u.side, u.place, u.hex) == ("allied", "later", None) for u in state.units.values()
    )
    assert len(state.units) == sum(len(line.names) for line in OOB.allied)
    assert state.options == {"naval": "literal"} and state.turn == 1


@pytest.mark.parametrize("letter", LETTERS)
def test_oob_the_germans_are_those_of_the_order_of_battle(letter: str) -> None:
    """OOB.A to OOB.F The units made are those of the letter drawn, with area or turn and edges."""
    state = start()
    made = create_germans(state, letter)
    counts: dict[str, int] = {}
    for unit in made:
        counts[unit.kind] = counts.get(unit.kind, 0) + 1
        assert (unit.entry in AREAS) == (unit.arrives == 0) == (not unit.edges)
    assert counts == OOB.of(letter).counts
    assert state.order_of_battle == letter and all(unit.id in state.units for unit in made)


@pytest.mark.parametrize("letter", LETTERS)
def test_inv_1b_the_default_set_up_is_legal(letter: str) -> None:
    """INV.1B The default set-up places every unit that begins on the map, in its area,
    within the stacking limit."""
    state = start()
    at_start = [unit for unit in create_germans(state, letter) if not unit.arrives]
    placed = DEFAULTS.set_up[letter]  # type: ignore[index]
    assert set(placed) == {unit.id for unit in at_start}
    stacks: dict[str, list[Unit]] = {}
    for unit in at_start:
        hex = placed[unit.id]
        assert hex in AREAS[unit.entry], (unit.id, unit.entry, hex)
        stacks.setdefault(hex, []).append(unit)
    for hex, units in stacks.items():
        assert stacking.within_limit(hex, units), hex
        assert not all(unit.armour for unit in units), f"tanks alone in {hex}"


def test_inv_1a_the_default_plan_is_legal() -> None:
    """INV.1A The default plan lands the whole first wave, drops every parachute unit
    and keeps within all limits."""
    state, plan = start(), DEFAULTS.plan
    entry = {id: unit.entry for id, unit in state.units.items()}
    assert len(plan.beaches) <= 8 and len(plan.supply) <= 5 and set(plan.supply) <= set(plan.beaches)
    landing = [id for ids in plan.beaches.values() for id in ids]
    for kind, ids in (("invasion", landing), ("commando", plan.commandos), ("paradrop", plan.drops)):
        assert sorted(ids) == sorted(id for id in entry if entry[id] == kind)
    ashore: dict[str, list[Unit]] = {}
    for beach, units in plan.beaches.items():
        ashore.setdefault(BEACHES[beach], []).extend(state.units[id] for id in units)
    for id, hex in plan.commandos.items():
        assert MAP.has(hex, "coastal")
        ashore.setdefault(hex, []).append(state.units[id])
    assert all(stacking.within_limit(hex, units) for hex, units in ashore.items())
    assert all(LAND >> GRID.index(hex) & 1 for hex in plan.drops.values())


def test_inv_4_a_turns_reinforcements_fit_through_the_supply_areas() -> None:
    """INV.4 The reinforcements of game-turn 1 can all arrive at the supply areas of the default plan."""
    state = start()
    waves = [u.strength for u in state.units.values() if u.entry == "reinforcement" and u.arrives == 1]
    assert sum(waves) <= CHARTS.invasion.points * len(DEFAULTS.plan.supply)
