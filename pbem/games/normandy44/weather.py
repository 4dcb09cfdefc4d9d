"""Weather (2.1), storms (14.1) and offensive markers (2.2, E3): what the dice of a turn's beginning bring."""

from __future__ import annotations

from pbem.engine.play import Roll
from pbem.games.normandy44 import ports
from pbem.games.normandy44.notes import Resources, WeatherRolled
from pbem.games.normandy44.state import State
from pbem.games.normandy44.tables import CHARTS, UNITS, Side

FIXED: dict[tuple[str, int], str] = {("cobra", 7): "clear"}
"""S2 (scenario, turn) -> weather for which no die is thrown."""

PANZER_DIVISIONS: tuple[str, ...] = tuple(
    dict.fromkeys(
        counter.division
        for counter in UNITS.values()
        if counter.side == "german" and counter.kind == "armour" and counter.size == "regiment"
    )
)
"""E3 The divisions that bring a bonus: those with a regiment of tanks. 17 SS, with a battalion,
is panzer grenadiers."""


async def weather(state: State) -> None:
    """2.1, 2.2 The weather of the turn, storms, and the offensive markers of both sides."""
    await roll_weather(state)
    if state.weather == "adverse":
        await ports.storms(state)
    await german_markers(state)
    receive(state, "allied", CHARTS.weather.sky(state.weather).markers)


async def roll_weather(state: State) -> None:
    """2.1 One die, less one for each overcast or adverse turn in a row just before."""
    modifier = -state.bad_turns
    die = total = 0
    if fixed := FIXED.get((state.scenario, state.turn)):
        state.weather, modifier, case = fixed, 0, "S2"
    else:
        die = await Roll(case="2.1", what="weather")
        total, case = die + modifier, "2.1"
        state.weather = CHARTS.weather.of(total)
    state.bad_turns = 0 if state.weather == "clear" else state.bad_turns + 1
    roll = state.rolls if die else 0
    state.note(
        WeatherRolled(case=case, roll=roll, die=die, modifier=modifier, total=total, weather=state.weather)
    )


# --- offensive markers ----------------------------------------------------------------------------------


def on_the_map(state: State) -> list[str]:
    """E3 The panzer divisions of which a unit is on the map, or has been lost there."""
    seen = {UNITS[unit.id].division for unit in state.units.values() if unit.place in ("map", "dead")}
    return [name for name in PANZER_DIVISIONS if name in seen]


def bonus(state: State) -> list[str]:
    """E3 The panzer divisions that have come onto the map since the last German die."""
    return [name for name in on_the_map(state) if name not in state.panzers]


async def german_markers(state: State) -> None:
    """2.2, E3 One die for the German markers, and one more for each panzer division that is new."""
    fresh = bonus(state)
    die = await Roll(case="2.2", what="German offensive markers")
    state.panzers += fresh
    receive(state, "german", CHARTS.resources.markers(die + len(fresh)), die, tuple(fresh))


def receive(state: State, side: Side, number: int, die: int = 0, fresh: tuple[str, ...] = ()) -> None:
    """2.2, 2.3 Markers go into the depots of a side, to those that it has kept."""
    state.markers[side] += number
    stock = state.markers[side]
    roll = state.rolls if die else 0
    state.note(Resources(case="2.2", roll=roll, side=side, die=die, bonus=fresh, number=number, stock=stock))
