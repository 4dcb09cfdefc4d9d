"""What the planner must know (engine/planner.py): ways to play, and a guess at the result."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from random import Random
from typing import Any

from pbem.engine.desk import Desk
from pbem.engine.plan import Plan, Rate
from pbem.engine.play import Ask, Request
from pbem.games.france44 import crossing, victory
from pbem.games.france44.bot import BRIDGEHEADS, GREEDY, Stance, judge
from pbem.games.france44.orders import Replace
from pbem.games.france44.replacement import Replacements
from pbem.games.france44.state import ENEMY, State
from pbem.games.france44.tables import (
    ANTWERP,
    BRUSSELS,
    GERMAN_CITIES,
    GRID,
    METZ,
    PARIS,
    PORTS,
    SCENARIOS,
    SCHELDT,
    Hex,
)

ALLIED, GERMAN = GREEDY["allied"], GREEDY["german"]

STANCES: Mapping[str, Mapping[str, Stance]] = {
    "allied": {
        "hunt": replace(ALLIED, hunt=2.0),
        "press on": ALLIED,
        "spare the men": replace(ALLIED, own_loss=1.0),
        "to the towns": replace(ALLIED, onward=0.7),
        "kill where they stand": replace(ALLIED, onward=0.15),
    },
    "german": {
        "close the gaps": replace(GERMAN, gap=0.6, guard=1.0),
        "hold the line": GERMAN,
        "strike back": replace(GERMAN, own_loss=0.7),
        "hold the places": replace(GERMAN, hold=4.0),
        "give ground": replace(GERMAN, stay=-0.5, unfed=3.0),
    },
}
"""The stances of each side. The first ones differ from the greedy bot where it paid: the Allies look for
headquarters that stand alone, which disperse (4.10); the Germans spend reaction points sooner on a unit that
closes a gap, and keep their headquarters back."""


def in_the_pocket(stance: Stance, side: str) -> Stance:
    """13.1 A stance as it is followed in the Falaise Gap, where whole units that are eliminated are counted,
    and German ones without supply: a headquarters that disperses (4.10) leaves a dozen of them so.

    The Allies look twice before they spend steps, and then rather fight than march. The Germans go to their
    headquarters in time, and draw weak stacks away from the enemy.
    """
    if side == "allied":
        own_loss = stance.own_loss + 0.2
        return replace(stance, kill=1.5, own_loss=own_loss, fight_on=1.4, expose=stance.hunt / 2)
    return replace(stance, kill=1.5, risk=2.0, escort=2.0)


NEDER_RIJN: tuple[Hex, ...] = ("3003", "3104", "3204", "3305")
"""The far bank of the Neder Rijn, where bridgeheads count like any others (12.6, 13.2)."""


def aims(state: State, group: str) -> Iterator[Hex]:
    """13.2 Where the Allies go in the Breakout to the West Wall. A bridgehead counts more than a city: the
    south goes on to the Rhine from Metz, the north from Antwerp, where Rotterdam and Amsterdam supply those
    who are across (11.2)."""
    held = {hex for hex, side in state.control.items() if side == "allied"}
    taken = {unit.placed for unit in state.on_map("allied") if not unit.hq}
    banks = [hex for hex in crossing.EAST_BANK if hex not in taken]
    if group == "north":
        yield from (hex for hex in (ANTWERP, BRUSSELS) if hex not in held)
        if ANTWERP in held:
            yield from (hex for hex in NEDER_RIJN if hex not in taken)
            yield from (PORTS[name] for name in ("Rotterdam", "Amsterdam") if PORTS[name] not in held)
        return
    yield from [hex for hex in (PARIS, METZ) if hex not in held] or banks


def garrisons(state: State, group: str) -> Iterator[Hex]:
    """11.4, 13.2 What the Germans hold in it: the cities that count, the far bank of the Rhine, and one hex
    of the Scheldt estuary, where a single unit keeps Antwerp shut. Not all the V-1 sites can fall in time."""
    if group == "south":
        yield from (hex for hex in (PARIS, METZ) if state.control.get(hex) != "allied")
    if group == "north":
        yield from (hex for hex in (ANTWERP, BRUSSELS) if state.control.get(hex) != "allied")
        yield from [unit.placed for unit in state.on_map("german") if unit.hex in SCHELDT][:1] or SCHELDT
        taken = {unit.placed for unit in state.on_map("allied")}
        yield from (hex for hex in crossing.EAST_BANK if hex not in taken)


def to_the_rhine(stance: Stance, side: str) -> Stance:
    """4.8, 13.2 A stance as it is followed in the Breakout to the West Wall.

    The Allies spend reaction points on headquarters, which nothing else moves: armour that has left them
    behind stands still. They choose the headquarters whose units have a way to go before one whose units
    fight. The Germans hold their places by a unit each.
    """
    if side == "allied":
        return replace(stance, goals=aims, across=5.0, jump=5.0, keep=9, behind=1.0, forward=0.8, march=1.2)
    return replace(stance, goals=garrisons, hold=max(4.0, stance.hold))


def on_the_way(state: State, group: str) -> Iterator[Hex]:
    """The cities on the way to Germany that the Allies do not hold. It leads past the V-1 sites and Brittany,
    whose garrisons would keep armies back."""
    first = (PARIS, METZ) if group != "north" else (ANTWERP, BRUSSELS)
    yield from (hex for hex in first if state.control.get(hex) != "allied")


def across_the_rhine(state: State, group: str) -> Iterator[Hex]:
    """13.2 Where the Allies go in To the Rhine, where nothing but bridgeheads counts."""
    yield from on_the_way(state, group)
    taken = {unit.placed for unit in state.on_map("allied") if not unit.hq}
    yield from (hex for hex in crossing.EAST_BANK if hex not in taken)


def for_bridgeheads(stance: Stance, side: str) -> Stance:
    """13.2 A stance as it is followed in To the Rhine: the Allies go for the far bank alone."""
    return replace(stance, goals=across_the_rhine) if side == "allied" else stance


def inland(state: State, group: str) -> Iterator[Hex]:
    """13.2 Where the Allies go in the campaign."""
    yield from on_the_way(state, group)
    yield from left_in_germany(state, BRIDGEHEADS)


def at_home(state: State, group: str) -> Iterator[Hex]:
    """13.2 What the Germans hold in it: what surrender turns on, and nothing to the west."""
    yield from left_in_germany(state, SCENARIOS.crusade.bridgeheads)


def left_in_germany(state: State, bridgeheads: int) -> Iterator[Hex]:
    """13.2 The German cities without an Allied unit, and the far bank of the Rhine while there are fewer
    bridgeheads."""
    taken = {unit.placed for unit in state.on_map("allied") if not unit.hq}
    few = victory.bridgeheads_held(state, supplied=False) < bridgeheads
    places = (*GERMAN_CITIES.values(), *(crossing.EAST_BANK if few else ()))
    yield from (hex for hex in places if hex not in taken)


def to_surrender(stance: Stance, side: str) -> Stance:
    """13.2 A stance as it is followed in the campaign. Both sides rather fight than wait: the Allies, who
    have the men, to be in Germany in time, the Germans to throw back what stands there alone. They hold their
    cities and keep close to them."""
    if side == "allied":
        own_loss, onward = stance.own_loss - 0.25, stance.onward + 0.15
        return replace(stance, goals=inland, own_loss=own_loss, onward=onward, fight_on=2.0)
    own_loss, hold = stance.own_loss - 0.4, max(4.0, stance.hold)
    return replace(stance, goals=at_home, own_loss=own_loss, hold=hold, close=0.3)


def score(state: State, side: str) -> float:
    """How far a side is ahead, by what the result would be now."""
    result = victory.result(state)
    ahead = float(victory.margin(state, result.level))
    if state.scenario in ("falaise", "westwall"):
        ahead = float(victory.points(state))
        return ahead if side == "allied" else -ahead
    return ahead if victory.winner(result.level) == side else -ahead


def sample(state: State, seat: str, chance: Random) -> None:
    """2.0.8 What the other side has committed for the next turn, of the supply that is seen."""
    enemy = ENEMY[seat]
    seen = state.supply.get(enemy, 0) + state.committed.get(enemy, 0)
    state.committed[enemy] = chance.randint(0, seen)
    state.supply[enemy] = seen - state.committed[enemy]


FOLLOWED: Mapping[str, Callable[[Stance, str], Stance]] = {
    "falaise": in_the_pocket,
    "westwall": to_the_rhine,
    "rhine": for_bridgeheads,
    "crusade": to_surrender,
}
"""How a stance is followed in a scenario."""


def weigh(state: State, request: Request, stance: Stance) -> Rate:
    """2.0.10, 2.0.11, 13.1, 13.2 As the bot judges, by what the scenario counts. In the last reactions of
    the Falaise Gap steps and ground are spent freely: only whole units, towns and supply are counted after
    them."""
    assert isinstance(request, Ask | Desk)  # the asks of a batch are judged one by one
    if follow := FOLLOWED.get(state.scenario):
        stance = follow(stance, request.seat)
    if state.scenario == "falaise" and state.phase.endswith("final"):
        stance = replace(stance, own_loss=0.3, kill=2 * stance.kill)
    return judge(state, request, stance)


def mend(state: State, desk: Any, stance: Stance) -> Iterator[Replace]:
    """10.1.2, 13.1 Where units that were eliminated stay counted, points go first to those that may be
    eliminated next: cadres on the map before reduced units, beside the enemy before the others."""
    if state.scenario != "falaise" or not isinstance(desk, Replacements):
        return
    enemies = [unit.placed for unit in state.on_map(ENEMY[desk.side]) if not unit.hq]
    hurt = [unit for id in desk.subjects() if (unit := state.units[id]).place == "map"]
    far = {unit.id: min((GRID.distance(unit.placed, hex) for hex in enemies), default=0) for unit in hurt}
    for unit in sorted(hurt, key=lambda unit: (far[unit.id], unit.left, -unit.morale)):
        yield Replace(unit.id, desk.most(unit))


PLAN: Plan[State] = Plan(
    stances=STANCES, judge=weigh, score=score, sample=sample, orders=mend, afresh=("cycle",)
)
