"""How to win (4): three conditions, of which all make a win and two a draw,
less a level for each British division lost after the first.

Supply is that of control.py: land links a hex to the ground from which the Allies began. That includes
what 13.7 asks of a dropped division, since such a chain always passes through ground won overland.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Literal

from pbem.engine.game import Result
from pbem.games.rampage import control
from pbem.games.rampage.state import Hex, State
from pbem.games.rampage.tables import (
    CHARTS,
    CITY_NAMES,
    GRID,
    SEINE_OBJECTIVES,
    VICTORY_CITIES,
    WEST_OF_SEINE,
    place_name,
    v1_sites,
)

Level = Literal["win", "draw", "loss"]
LEVELS: tuple[Level, ...] = ("loss", "draw", "win")
TITLES: dict[Level, str] = {"win": "Allied win", "draw": "Draw", "loss": "German win"}
LISTED = 10
"""List at most this many missing hexes; beyond that give the number and name the cities."""
SEINE = tuple(dict.fromkeys((*SEINE_OBJECTIVES, *WEST_OF_SEINE)))


@dataclass(frozen=True, slots=True)
class VictoryCondition:
    """One of the conditions of 4.1 (or of 14.1): `missing` are the hexes that are not held in supply;
    with `any_of` one of them would be enough."""

    title: str
    case: str
    met: bool
    missing: tuple[Hex, ...]
    any_of: bool = False


def conditions(state: State) -> tuple[VictoryCondition, ...]:
    """4.1, 14.1 Each condition and the hexes it lacks; the last is Arnhem, if that option is in use."""
    held = control.allied_supplied(state)

    def all_of(title: str, hexes: Iterable[Hex], case: str = "4.1") -> VictoryCondition:
        missing = tuple(hex for hex in hexes if not held >> GRID.index(hex) & 1)
        return VictoryCondition(title, case, not missing, missing)

    cities = all_of("A victory city", VICTORY_CITIES)
    found = (
        all_of("Paris, Rouen, Troyes and all west of the Seine", SEINE),
        all_of("The launching sites", v1_sites(state)),
        replace(cities, met=len(cities.missing) < len(VICTORY_CITIES), any_of=True),
    )
    if state.options.get("montgomery") != "yes":
        return found
    return (*found, all_of("Arnhem", (CHARTS.victory.montgomery,), "14.1"))


def british_lost(state: State) -> tuple[str, ...]:
    """4.2, 13.9 The British divisions that were eliminated, Canadians, Poles and the airborne
    one among them."""
    dead = (unit for unit in state.units.values() if unit.place == "dead")
    return tuple(unit.id for unit in dead if unit.row == "british")


def ground_level(found: tuple[VictoryCondition, ...]) -> Level:
    """4.1, 14.1 The level for the ground that is held, before losses. Arnhem is needed only for a win."""
    three, further = found[: CHARTS.victory.conditions], found[CHARTS.victory.conditions :]
    met = sum(condition.met for condition in three)
    if met == len(three) and all(condition.met for condition in further):
        return "win"
    return "draw" if met >= CHARTS.victory.draw else "loss"


def penalty(state: State) -> int:
    """4.2 The levels by which British losses lower the result."""
    return max(0, len(british_lost(state)) - CHARTS.victory.free_losses)


def level(state: State) -> Level:
    """4.1, 4.2, 5.5 The level at which the game has ended, or would end now."""
    if state.conceded:
        return "loss"
    return LEVELS[max(0, LEVELS.index(ground_level(conditions(state))) - penalty(state))]


def result(state: State) -> Result:
    """4.1, 4.2 The level with the conditions behind it."""
    found = level(state)
    figures = [(condition.title, told(condition), condition.case) for condition in conditions(state)]
    lost = british_lost(state)
    text = f"{', '.join(lost)}: {-penalty(state)} levels" if penalty(state) else ", ".join(lost) or "none"
    figures.append(("British divisions eliminated", text, "4.2"))
    if state.conceded:
        figures.append(("Conceded", f"turn {state.turn}", "5.5"))
    winner = {"win": "allied", "draw": None, "loss": "german"}[found]
    return Result(TITLES[found], winner, tuple(figures))


def told(condition: VictoryCondition) -> str:
    """What a condition lacks, in words; a long list is replaced by its length and its cities."""
    if condition.met:
        return "met"
    listed = ", ".join(place_name(hex) for hex in condition.missing)
    if condition.any_of:
        return f"any one of {listed}"
    if len(condition.missing) <= LISTED:
        return f"missing {listed}"
    named = [place_name(hex) for hex in condition.missing if hex in CITY_NAMES]
    return f"{len(condition.missing)} hexes missing" + (f", among them {', '.join(named)}" if named else "")
