"""The invasion game-turn (INV): secret deployment by both sides, landing of the first wave, paradrop.

The die for the German order of battle is rolled before either side writes: it shows the Allied player
nothing, and both sides can write at the same time. Which order of battle each face means is drawn in secret
(`sealed`) and revealed at the end.

The other special rules of the turn are in the modules that play it: landing, no roads and half allowances in
movement.py and reach.py (INV.2, INV.4), the drop in paradrop.py (INV.1C), compulsory attacks in allocation.py
(INV.3), reinforcements and gliders in reinforcement.py (INV.4), supply for all units in supply.py (INV.5).
"""

from __future__ import annotations

from pbem.engine.desk import write
from pbem.engine.play import Draw, Roll
from pbem.games.normandy71 import paradrop, setup
from pbem.games.normandy71.deployment import GermanSetup
from pbem.games.normandy71.invasion_plan import InvasionPlan
from pbem.games.normandy71.notes import DieCast, Drawn, Landed
from pbem.games.normandy71.state import Hex, State, Unit
from pbem.games.normandy71.tables import OOB

LETTERS = ("A", "B", "C", "D", "E", "F")


# --- secret deployment ----------------------------------------------------------------------------------


async def secret_deployment(state: State) -> None:
    """INV.1A, INV.1B Draw the German order of battle; then both sides write at the same time
    until every unit has its place."""
    await draw_order_of_battle(state)
    await write(InvasionPlan(state), GermanSetup(state), secret=True)


async def draw_order_of_battle(state: State) -> None:
    """INV.1B Assign an order of battle to each face in secret, then roll the die openly."""
    state.assignment = await Draw(case="INV.1B", what="orders of battle", pool=LETTERS, count=6, sealed=True)
    die = await Roll(case="INV.1B", what="German order of battle")
    order = OOB.of(state.assignment[die - 1])
    setup.create_germans(state, order.letter)
    state.note(DieCast(case="INV.1B", readers=("allied",), roll=state.rolls, die=die))
    state.note(
        Drawn(
            case="INV.1B",
            readers=("german",),
            roll=state.rolls,
            die=die,
            order_of_battle=order.letter,
            title=order.title,
        )
    )


# --- placement ------------------------------------------------------------------------------------------


async def placement(state: State) -> None:
    """INV.1C Put the first wave into its beach boxes and commandos on their hexes, then drop the parachute
    units one by one."""
    for beach, ids in state.plan.beaches.items():
        for id in ids:
            state.units[id].place, state.units[id].beach = "box", beach
    by_hex: dict[Hex, list[Unit]] = {}
    for id, hex in state.plan.commandos.items():
        unit = state.units[id]
        unit.place, unit.hex = "map", hex
        by_hex.setdefault(hex, []).append(unit)
    for hex, units in by_hex.items():
        land(state, units, hex, "commando", "INV.1C")
    for id, hex in state.plan.drops.items():
        await paradrop.drop(state, state.units[id], hex)


def land(state: State, units: list[Unit], hex: Hex, how: str, case: str) -> None:
    """Log that units have landed."""
    names = tuple(unit.id for unit in units)
    state.note(Landed(case=case, side="allied", names=names, hex=hex, how=how))
