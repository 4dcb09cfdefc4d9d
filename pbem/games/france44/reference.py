"""The charts in words, for who has neither the cards nor the map (1.5, 1.6): the track, the ground,
combat, supply, the months, and what wins. HELP sends them by their names; values that are reconstructed
are said to be so.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from pbem.engine.wording import count
from pbem.games.france44 import stacking, supply, track
from pbem.games.france44.state import CADRE, SIDES, State
from pbem.games.france44.tables import (
    ALLOWANCES,
    ANTWERP,
    BREST,
    BRUSSELS,
    CHARTS,
    GERMAN_CITIES,
    GRID,
    METZ,
    NAMES,
    NORMANDY,
    PARIS,
    SAINT_NAZAIRE,
    SCENARIOS,
    SOUTH,
    TRACK,
    TURNS,
    V1_SITES,
    Corner,
    Hex,
    ReplacementRate,
    Turn,
    place_name,
)

MARK = "~"
"""Behind what is reconstructed, wholly or in part."""
CORNERS: Mapping[Corner, str] = {
    "standoff": "both pass",
    "retreat": "the attacker passes, the defender fails",
    "repulse": "the attacker fails, the defender passes",
    "stalemate": "both fail",
}


def charts(state: State) -> Mapping[str, tuple[str, ...]]:
    """Every chart by its name, with what wins in the scenario that is played."""
    found = {name: tuple(lines()) for name, lines in LINES.items()}
    found["supply"] += tuple(_sources(state))
    return found | {"victory": tuple(victory(state))}


def mark(source: str) -> str:
    return f" {MARK}" if "reconstructed" in source else ""


def _track() -> Iterator[str]:
    """6.0 Each box: points by allowance, who may attack, which boxes follow."""
    yield (
        "The marker goes from a first box to one that follows it, and so on; "
        "each box is for moving or for attacking [6.0]."
    )
    yield (
        f"Points are for allowances {'/'.join(map(str, ALLOWANCES))}; "
        "by administrative movement twice as many, and no attack [5.3]."
    )
    yield (
        "A piece that reacts out of supply uses the next lower allowance [11.5]. "
        "Boats cross the Rhine in box 1 [12.8]."
    )
    for number, box in TRACK.items():
        first = "first box, " if box.start else ""
        after = f"then {', '.join(map(str, box.next))}" if box.next else "the end"
        yield f"box {number}: {first}{track.in_words(number)}; {after}{mark(box.source)}"
    yield f"{MARK} points and attacks reconstructed"


def _terrain() -> Iterator[str]:
    """3.3, 7.0, 7.1, 9.4 What hexes and rivers cost, and what they do for the defender."""
    costs, terrain = CHARTS.movement, CHARTS.terrain
    yield (
        f"To enter a hex: clear {costs.clear}, rough {costs.rough}; a city or fortress adds nothing; "
        f"across a river {costs.river} more [7.0]."
    )
    yield (
        "A ZOC (zone of control) is the six hexes around a combat unit; headquarters and cadres "
        f"(units that have lost {CADRE} steps) have none [3.2, 3.3]."
    )
    yield (
        f"Enemy ZOC: {costs.enter_zone} more to enter a hex in it, "
        f"{costs.leave_zone} more to leave one [3.3]."
    )
    yield (
        "The Rhine is crossed by bridges, at bridgeheads, and in boats for all points of box 1 [12.6, 12.8]."
    )
    yield f"A hex holds {stacking.in_words()} [7.1]."
    yield (
        "What the best of these adds to the morale of the defender's lead unit, "
        "in set piece and in mobile combat [9.4]:"
    )
    for name in ("clear", "rough", "city", "fortress", "river", "rhine"):
        set_piece, mobile = getattr(terrain, name)
        where = ", if all attackers attack across it" if name in ("river", "rhine") else ""
        yield f"  {name}{where}: {set_piece:+d}, {mobile:+d}{mark(terrain.source)}"
    yield f"{MARK} reconstructed"


def _combat() -> Iterator[str]:
    """9 The dice, how strengths compare, the matrix, air support, retreat."""
    combat, air = CHARTS.combat, CHARTS.air
    yield (
        "Each side rolls for its lead unit's morale (passed if the die is not higher) "
        "and for hits on its own units; a hit costs a step, the first the lead unit's [9.5, 9.6]."
    )
    yield (
        f"Hits by the die, 1 to 6: {', '.join(map(str, combat.hits))} [9.5]. "
        f"A headquarters adds {combat.headquarters} to its side's strength [4.9]."
    )
    yield (
        "Mobile: all attackers moved up in the increment before, none attacks across a river, "
        "and the defender is in clear terrain; otherwise set piece [9.1]."
    )
    yield "Strengths change the hits of attacker and defender [9.6]:"
    for line in CHARTS.strength:
        when = (
            f"at least {line.ratio} times the defender's"
            if line.ratio
            else f"more than {line.above} of it"
            if line.above
            else "otherwise"
        )
        yield f"  {line.name}, {when}: {line.hits[0]:+d}, {line.hits[1]:+d}{mark(line.source)}"
    yield "The morale tests also change them, in set piece, then in mobile combat [9.6]:"
    for corner, what in CORNERS.items():
        box = combat.box(corner)
        told = "; ".join(f"{ours:+d}, {theirs:+d}" for ours, theirs in (box.set_piece, box.mobile))
        yield f"  {what} ({corner}): {told}; the defender {box.retreat} retreat{mark(box.source)}"
    yield (
        f"A voluntary retreat spares {count(combat.retreat_spares, 'hit')}; "
        f"a stack that must retreat and cannot takes {combat.no_retreat_costs} more [9.7]."
    )
    for name in ("tactical", "heavy"):
        marker = getattr(air, name)
        yield (
            f"{name} air: German lead unit {marker.set_piece:+d} in set piece, "
            f"{marker.mobile:+d} in mobile combat, where the Allied one has {marker.lead:+d} [9.4]"
        )
    yield f"{MARK} reconstructed"


def _supply() -> Iterator[str]:
    """11.1, 10.1.1 Supply lines and attrition."""
    attrition = CHARTS.attrition
    yield (
        f"A headquarters is in supply within {CHARTS.command.supply_range} hexes of a source, "
        "or in the range of one that is [11.1]."
    )
    yield (
        "A unit is in supply in the range of a headquarters in supply that could command it, "
        "or within a hex of a source [11.1]."
    )
    yield (
        f"Attrition, steps lost with a new marker and with an old one: {_pair(attrition.open)}; "
        f"surrounded {_pair(attrition.surrounded)} [10.1.1]."
    )


def _sources(state: State) -> Iterator[str]:
    """11.2, 11.3 Where supply comes from now."""
    for side in SIDES:
        found = supply.sources(state, side)
        south = ", the southern row" if found & SOUTH else ""
        yield f"{NAMES[side]} sources now: {_named(*GRID.named(found & ~SOUTH))}{south} [11.2, 11.3]."


def _pair(steps: tuple[int, int]) -> str:
    return f"{steps[0]} and {steps[1]}"


def _turns() -> Iterator[str]:
    """2.0.3 to 2.0.5, 10.1.2 What each month brings."""
    yield (
        "The highest die for air support; supply and reaction points; "
        "replacements as armour+infantry [2.0, 10.1.2]."
    )
    for turn in TURNS.values():
        antwerp = f" (+{turn.antwerp} with Antwerp)" if turn.antwerp else ""
        may = [
            name
            for name, there in (
                ("arrivals from the south", turn.south),
                ("Market Garden", turn.market_garden),
                ("Varsity", turn.varsity),
                ("the German offensive", turn.bulge),
            )
            if there
        ]
        yield (
            f"{turn.number} {turn.month}: {_air(turn)}; "
            f"supply Allied {turn.supply['allied']}{antwerp}, German {turn.supply['german']}; "
            f"reaction Allied {turn.reaction['allied']}, German {turn.reaction['german']}; "
            f"replacements US {_points(turn.us)}, other Allied {_points(turn.allied)}, "
            f"German {_points(turn.german)}"
            f"{'; may come: ' + ', '.join(may) if may else ''}{mark(turn.source)}"
        )
    yield f"{MARK} numbers reconstructed"


def _air(turn: Turn) -> str:
    if turn.number == 1:
        return "1 tactical air marker, and heavy bombers"
    return f"air to {turn.air_to}" if turn.air_to else "no air support"


def _points(points: ReplacementRate) -> str:
    return f"{points.armour}+{points.infantry}"


LINES: Mapping[str, Callable[[], Iterator[str]]] = {
    "track": _track,
    "terrain": _terrain,
    "combat": _combat,
    "supply": _supply,
    "turns": _turns,
}


# --- what wins (13) -----------------------------------------------------------------------------------------


def victory(state: State) -> Iterator[str]:
    """13.1, 13.2 What the scenario counts, with towns and points, and what they make."""
    rule = SCENARIOS.of(state.scenario)
    months = f"{TURNS[rule.first_turn].month} to {TURNS[rule.last_turn].month}"
    yield (
        f"{rule.title}: {TURNS[rule.last_turn].month if rule.last_turn == rule.first_turn else months}, "
        f"{count(rule.last_turn - rule.first_turn + 1, 'turn')}."
    )
    yield from {"falaise": _falaise, "westwall": _westwall, "rhine": _rhine, "crusade": _crusade}[
        state.scenario
    ]()
    yield f"Source: {rule.source}."


def _falaise() -> Iterator[str]:
    """13.1"""
    rule = SCENARIOS.falaise
    towns = ", ".join(f"{name} ({hex})" for name, hex in rule.towns.items())
    yield "Allied points [13.1]:"
    yield f"  {rule.town_points:+d} for each of {towns} that an Allied combat unit entered last"
    yield f"  {rule.german_loss:+d} for each German unit eliminated"
    yield f"  {rule.german_unsupplied:+d} for each German unit out of supply at the end"
    yield f"  {rule.allied_loss:+d} for each Allied unit eliminated"
    yield (
        f"{rule.decisive} or more: Allied decisive victory. {rule.marginal} or more: "
        "Allied marginal victory. Fewer: German victory."
    )


def _westwall() -> Iterator[str]:
    """13.2"""
    rule = SCENARIOS.westwall
    yield "Allied points, for places that an Allied combat unit entered last [13.2]:"
    yield (
        f"  {_named(PARIS)} {rule.paris:+d}, {_named(BRUSSELS)} {rule.brussels:+d}, "
        f"{_named(METZ)} {rule.metz:+d}"
    )
    yield f"  {_named(ANTWERP)} {rule.antwerp:+d}, if no German unit is in the Scheldt estuary"
    yield f"  {_named(BREST, SAINT_NAZAIRE)} together {rule.brittany:+d}"
    yield f"  the V-1 sites {_named(*V1_SITES.values())} together {rule.v1:+d}"
    yield (
        f"  {rule.german_city:+d} for each German city with an Allied unit or headquarters in it: "
        f"{_named(*GERMAN_CITIES.values())}"
    )
    yield (
        f"  {rule.bridgehead:+d} for each bridgehead over the Rhine with an Allied combat unit "
        "in supply on it"
    )
    yield f"{rule.allied} or more: Allied victory. {rule.draw} or more: a draw. Fewer: German victory."


def _rhine() -> Iterator[str]:
    """13.2"""
    rule = SCENARIOS.rhine
    yield "What counts is bridgeheads over the Rhine with an Allied combat unit in supply on them [13.2]."
    yield (
        f"At the end {rule.decisive} or more: Allied decisive victory. {rule.marginal} or more: "
        f"Allied marginal victory. {rule.draw}: a draw. None: German victory."
    )
    yield f"{rule.automatic} at the end of any turn: Allied automatic victory."
    yield _normandy(rule.german_from, rule.german_hexes)


def _crusade() -> Iterator[str]:
    """13.2"""
    rule = SCENARIOS.crusade
    yield (
        f"Germany surrenders with {rule.bridgeheads} bridgeheads over the Rhine that have an Allied "
        "combat unit on them,"
    )
    yield (
        f"and {rule.cities} of these cities with an Allied unit or headquarters: "
        f"{_named(*GERMAN_CITIES.values())} [13.2]."
    )
    yield (
        f"By {TURNS[rule.decisive_by].month}: Allied decisive victory. "
        f"By {TURNS[rule.substantive_by].month}: Allied substantive victory. Later: a draw."
    )
    yield (
        "No surrender: German marginal victory if the Allies have crossed the Rhine, "
        "else German decisive victory."
    )
    yield _normandy(rule.german_from, rule.german_hexes)


def _normandy(turn: int, hexes: int) -> str:
    return (
        f"From {TURNS[turn].month} on: German automatic victory with {hexes} of {_named(*NORMANDY)} "
        "in German hands at the end of a turn."
    )


def _named(*hexes: Hex) -> str:
    return ", ".join(place_name(hex) for hex in hexes)
