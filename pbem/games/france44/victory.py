"""Victory (2.0.12, 13.1, 13.2): points of the two short scenarios, bridgeheads over the Rhine,
the surrender of Germany."""

from __future__ import annotations

from collections.abc import Iterator

from pbem.engine.game import Result
from pbem.games.france44 import begin, control, milestones
from pbem.games.france44.notes import Decided
from pbem.games.france44.state import State
from pbem.games.france44.supply import Supply
from pbem.games.france44.tables import (
    BREST,
    BRUSSELS,
    GERMAN_CITIES,
    METZ,
    NORMANDY,
    PARIS,
    SAINT_NAZAIRE,
    SCENARIOS,
    V1_SITES,
    Crusade,
    Rhine,
    Side,
)

Figure = tuple[str, str, str]


async def verdict(state: State) -> None:
    """2.0.12 At the end of a turn: has a side won, or is the scenario over?"""
    milestones.mark(state)
    level = automatic(state)
    if not level and state.turn >= SCENARIOS.of(state.scenario).last_turn:
        level = final(state)
    if level:
        state.ended = level
        state.note(Decided(case=case(state), level=level, winner=winner(level) or ""))


def case(state: State) -> str:
    return "13.1" if state.scenario == "falaise" else "13.2"


def winner(level: str) -> Side | None:
    """The side that a level belongs to; None for a draw."""
    return "allied" if level.startswith("Allied") else "german" if level.startswith("German") else None


def margin(state: State, level: str) -> int:
    """How far the winner is ahead: in points from the nearest result that is not his where the scenario
    counts points (13.1, 13.2), else in levels of victory above a draw."""
    if winner(level) is None:
        return 0
    if state.scenario == "falaise":
        ahead = points(state) - SCENARIOS.falaise.marginal
        return ahead + 1 if winner(level) == "allied" else -ahead
    if state.scenario == "westwall":
        rule = SCENARIOS.westwall
        return points(state) - rule.allied + 1 if winner(level) == "allied" else rule.draw - points(state)
    return 3 if "automatic" in level else 2 if "decisive" in level else 1


def points(state: State) -> int:
    """13.1, 13.2 The Allied points of the two short scenarios."""
    return sum(
        count for _, count in (falaise_points if state.scenario == "falaise" else westwall_points)(state)
    )


# --- what counts ------------------------------------------------------------------------------------------


def cities_taken(state: State) -> int:
    """13.2 German cities in which an Allied piece stands."""
    return sum(any(unit.side == "allied" for unit in state.at(hex)) for hex in GERMAN_CITIES.values())


def bridgeheads_held(state: State, *, supplied: bool) -> int:
    """13.2 Hexes with a bridgehead and an Allied combat unit in it, by option of the scenario
    one in supply."""
    supply = Supply(state, "allied") if supplied else None
    return sum(
        any(
            unit.side == "allied" and not unit.hq and (supply is None or supply.has(unit))
            for unit in state.at(hex)
        )
        for hex in state.bridgeheads
    )


def falaise_points(state: State) -> Iterator[tuple[str, int]]:
    """13.1 Allied points of the first scenario."""
    rule = SCENARIOS.falaise
    for name, hex in rule.towns.items():
        if state.control.get(hex) == "allied":
            yield name, rule.town_points
    supply = Supply(state, "german")
    cut = sum(not unit.hq and not supply.has(unit) for unit in state.on_map("german"))
    yield "German units eliminated", rule.german_loss * state.losses.get("german", 0)
    yield "German units out of supply", rule.german_unsupplied * cut
    yield "Allied units eliminated", rule.allied_loss * state.losses.get("allied", 0)


def westwall_points(state: State) -> Iterator[tuple[str, int]]:
    """13.2 Allied points of the second scenario."""
    rule = SCENARIOS.westwall
    for name, hexes, points in (
        ("Paris", (PARIS,), rule.paris),
        ("Brussels", (BRUSSELS,), rule.brussels),
        ("Metz", (METZ,), rule.metz),
        ("Saint-Nazaire and Brest", (SAINT_NAZAIRE, BREST), rule.brittany),
        ("V-1 sites", tuple(V1_SITES.values()), rule.v1),
    ):
        yield name, points if control.holds(state, "allied", hexes) else 0
    yield "Antwerp with the Scheldt", rule.antwerp if begin.antwerp_open(state) else 0
    yield "German cities", rule.german_city * cities_taken(state)
    yield "Bridgeheads over the Rhine", rule.bridgehead * bridgeheads_held(state, supplied=True)


# --- levels -----------------------------------------------------------------------------------------------


def automatic(state: State) -> str:
    """13.2 The victory that ends the game at once; "" if there is none."""
    rule = SCENARIOS.of(state.scenario)
    if isinstance(rule, Rhine | Crusade) and state.turn >= rule.german_from:
        lost = sum(state.control.get(hex) == "german" for hex in NORMANDY)
        if lost >= rule.german_hexes:
            return "German automatic victory"
    if isinstance(rule, Rhine) and bridgeheads_held(state, supplied=True) >= rule.automatic:
        return "Allied automatic victory"
    if isinstance(rule, Crusade) and surrendered(state):
        return _surrender_level(state, rule)
    return ""


def surrendered(state: State) -> bool:
    """13.2 Whether Germany surrenders: bridgeheads that are held, and cities taken."""
    rule = SCENARIOS.crusade
    held = bridgeheads_held(state, supplied=False) >= rule.bridgeheads
    return held and cities_taken(state) >= rule.cities


def _surrender_level(state: State, rule: Crusade) -> str:
    if state.turn <= rule.decisive_by:
        return "Allied decisive victory"
    return "Allied substantive victory" if state.turn <= rule.substantive_by else "draw"


def final(state: State) -> str:
    """13.1, 13.2 The level of victory if the game ended now without an automatic one."""
    match state.scenario:
        case "falaise":
            falaise = SCENARIOS.falaise
            if points(state) >= falaise.decisive:
                return "Allied decisive victory"
            return "Allied marginal victory" if points(state) >= falaise.marginal else "German victory"
        case "westwall":
            westwall = SCENARIOS.westwall
            if points(state) >= westwall.allied:
                return "Allied victory"
            return "draw" if points(state) >= westwall.draw else "German victory"
        case "rhine":
            count, rhine = bridgeheads_held(state, supplied=True), SCENARIOS.rhine
            if count >= rhine.decisive:
                return "Allied decisive victory"
            if count >= rhine.marginal:
                return "Allied marginal victory"
            return "draw" if count >= rhine.draw else "German victory"
    if surrendered(state):
        return _surrender_level(state, SCENARIOS.crusade)
    return "German marginal victory" if state.rhine_crossed else "German decisive victory"


# --- the result -------------------------------------------------------------------------------------------


def result(state: State) -> Result:
    """2.0.12 How the game has ended, or would end now, and what it turns on."""
    level = state.ended or automatic(state) or final(state)
    return Result(level, winner(level), tuple(figures(state)), margin(state, level))


def figures(state: State) -> Iterator[Figure]:
    """13.1, 13.2 What the scenario counts."""
    cited = case(state)
    if state.scenario in ("falaise", "westwall"):
        for name, count in falaise_points(state) if state.scenario == "falaise" else westwall_points(state):
            yield name, f"{count:+d}", cited
        yield "Allied points", str(points(state)), cited
    if state.scenario == "falaise":
        return
    for line, month in milestones.months(state):
        yield line, month, "12.9" if line == "Rhine crossed" else "2.0.12"
    if state.scenario == "westwall":
        return
    supplied = state.scenario == "rhine"
    yield "Bridgeheads held", str(bridgeheads_held(state, supplied=supplied)), cited
    yield "German cities taken", str(cities_taken(state)), cited
    lost = sum(state.control.get(hex) == "german" for hex in NORMANDY)
    yield "Normandy hexes in German hands", f"{lost} of {len(NORMANDY)}", cited
