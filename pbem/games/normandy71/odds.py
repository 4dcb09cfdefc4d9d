"""The numbers of a combat: strengths, odds and die modifiers (COM.F, COM.G, COM.I, COM.J, COM.T). Nothing
here changes the state.

Defence is counted in half points, so that halved units stay exact; a unit is halved only once."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction

from pbem.engine.tally import Modifier, Tally
from pbem.engine.wording import percent
from pbem.games.normandy71.state import ENEMY, Hex, State, Unit
from pbem.games.normandy71.tables import CHARTS, MAP, Outcome


def lone_armour(state: State, unit: Unit) -> bool:
    """COM.J Whether an armour unit has only armour with it."""
    return unit.armour and only_armour(state.at(unit.placed))


def only_armour(units: Iterable[Unit]) -> bool:
    """COM.J Whether these units are all armour."""
    return all(unit.armour for unit in units)


def unfit_armour(state: State, unit: Unit) -> bool:
    """COM.J Whether an armour unit may not attack: it has only armour, or units that can only defend, with
    it."""
    return unit.armour and all(other.armour or other.defend_only for other in state.at(unit.placed))


def attack_parts(units: Iterable[Unit]) -> list[Modifier]:
    return [Modifier(unit.strength, "COM", unit.kind) for unit in units]


def defence_parts(
    state: State, units: Iterable[Unit], supplied: Callable[[Unit], bool]
) -> tuple[list[Modifier], int]:
    """COM.F, COM.I, COM.J What each defender counts for, and the sum in half points.
    Inverted units count nothing."""
    parts, total = [], 0
    for unit in units:
        if unit.inverted:
            continue
        case = "COM.I" if not supplied(unit) else "COM.J" if lone_armour(state, unit) else "COM"
        total += 2 * unit.strength if case == "COM" else unit.strength
        why = {"COM": "", "COM.I": ", halved: out of supply", "COM.J": ", halved: armour alone"}[case]
        parts.append(Modifier(unit.strength, case, unit.kind + why))
    return parts, total


def column(attack: int, defence_halves: int) -> str:
    """COM.G The column of these odds, rounded in favour of the defender; the lowest one for odds below it."""
    return CHARTS.combat.column(2 * attack, defence_halves) or CHARTS.combat.columns[0]


def too_poor(attack: int, defence_halves: int) -> bool:
    """COM Whether the odds are below the lowest column."""
    return CHARTS.combat.column(2 * attack, defence_halves) is None


def hex_die(state: State, hex: Hex, defender: str) -> list[Modifier]:
    """COM.T The die modifiers of a hex, one for each reason."""
    found = [Modifier(CHARTS.ground(hex).die, "COM.T", MAP.terrain(hex))]
    if state.entrenchments.get(hex) == defender:
        found.append(Modifier(CHARTS.entrenchment.die, "ENT.A", "entrenched"))
    return found


def crossing_die(origins: Iterable[Hex], hexes: Iterable[Hex]) -> list[Modifier]:
    """COM.T A river modifies the die only if every attacker attacks across one; flooded ground counts
    more."""
    targets = tuple(hexes)
    waters = [CHARTS.water(origin, hex) for origin in origins for hex in targets]
    if not waters or None in waters:
        return []
    least = min(water.die for water in waters if water)
    name = "a river" if least == CHARTS.hexside["river"].die else "flooded ground"
    return [Modifier(least, "COM.T", f"all across {name}")]


def die_modifiers(state: State, attackers: Sequence[Unit], hexes: Iterable[Hex]) -> Tally:
    """COM.T The effect of terrain or entrenchment that is best for the defender."""
    targets = tuple(hexes)
    defender = ENEMY[attackers[0].side]
    reasons = [reason for hex in targets for reason in hex_die(state, hex, defender)]
    reasons += crossing_die({unit.placed: None for unit in attackers}, targets)
    tally = Tally()
    best = max(reasons, key=lambda reason: reason.value)
    tally.add(*best)
    return tally


def die_words(modifiers: Tally) -> str:
    """The die modifiers, in words."""
    return "; ".join(f"{part.why} {part.value:+d}" for part in modifiers.parts) or "die unmodified"


RESULTS: dict[Outcome, str] = {"De": "De", "Dr2": "Dr", "Ex": "Ex", "Ar2": "Ar", "Ae": "Ae"}


def chances(shares: Mapping[Outcome, Fraction]) -> str:
    """COM The chance of each result of an attack, in words: "De 50%  Dr 33%  Ex 17%"."""
    return "  ".join(f"{RESULTS[each]} {percent(chance)}" for each, chance in shares.items())


def fates(column: str, plus: int, way_back: bool) -> dict[str, Fraction]:
    """COM How likely the defenders are lost, retreat or hold. Without a way back those that would retreat are
    lost."""
    found = CHARTS.combat.chances(column, plus)
    lost, back = found.get("De", Fraction(0)) + found.get("Ex", Fraction(0)), found.get("Dr2", Fraction(0))
    if not way_back:
        lost, back = lost + back, Fraction(0)
    return {"lost": lost, "back": back, "holds": 1 - lost - back}
