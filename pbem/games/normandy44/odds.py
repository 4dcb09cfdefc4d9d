"""What decides a combat before its die: strengths, odds and what shifts the column (7.2, C1, C3).
Questions only; nothing changes here.

Decided here, where the rules are silent: shifts are added up first and the column is held within
the table at the end; a bridge does not take away the shift of a river; the column of the 79th's special tanks
comes in place of all other shifts for types of units; open terrain is clear terrain without a fortified line,
and a beach under attack from the sea is not open.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from pbem.engine.tally import Modifier, Tally
from pbem.engine.wording import percent
from pbem.games.normandy44.state import State, Unit
from pbem.games.normandy44.tables import CHARTS, MAP, Hex, Side, place_name, river_between

FACES = len(CHARTS.combat.rows)
EVERYBODY = "E"
"""7.3 The result that destroys all defenders."""


@dataclass(slots=True)
class Fight:
    """A combat before its die. Headquarters are no part of it (6.4); `landing` is an assault from the sea,
    `drop` one from the air (15.0)."""

    state: State
    hex: Hex
    attackers: tuple[Unit, ...]
    defenders: tuple[Unit, ...]
    landing: bool = False
    drop: bool = False
    air: int = 0
    """Fighters with the attackers (10.1)."""
    cover: int = 0
    """Fighters with the defenders."""
    help: Tally = field(default_factory=Tally)
    """Columns by naval gunfire (12.0) and headquarters (6.3), to the right for the attacker."""

    @property
    def origins(self) -> tuple[Hex, ...]:
        """The hexes from which the attack comes; none if it comes from the sea or the air."""
        if self.landing or self.drop:
            return ()
        return tuple(dict.fromkeys(unit.placed for unit in self.attackers))

    @property
    def attack_parts(self) -> tuple[Modifier, ...]:
        """7.2, 10.1 What each attacker and the fighters with them count for."""
        return (*(Modifier(unit.attack, "7.2", unit.id) for unit in self.attackers), *fighters(self.air))

    @property
    def defence_parts(self) -> tuple[Modifier, ...]:
        """7.2, 8.3, 10.1 What each defender and the fighters with them count for."""
        return (*(defending(unit) for unit in self.defenders), *fighters(self.cover))

    @property
    def attack(self) -> int:
        return sum(part.value for part in self.attack_parts)

    @property
    def defence(self) -> int:
        return sum(part.value for part in self.defence_parts)

    @property
    def odds(self) -> str:
        """7.2 The odds as they are without any shift."""
        return CHARTS.combat.columns[CHARTS.combat.column(self.attack, self.defence)]

    @property
    def ground(self) -> Tally:
        """7.2, C1, C3 The shifts for terrain, rivers and types of units."""
        found = Tally()
        found.add(*terrain(self.hex, self.landing))
        if river := crossing(self.origins, self.hex):
            found.add(*river)
        for part in types(self.attackers, self.defenders, is_open(self.hex) and not self.landing):
            found.add(*part)
        if self.drop:
            found.add(CHARTS.shifts.paradrop, "C1", "paradrop")
        return found

    @property
    def shifts(self) -> tuple[Modifier, ...]:
        """7.2 All shifts of the column, with what they are for."""
        return (*self.ground.parts, *self.help.parts)

    def number(self, more: int = 0) -> int:
        """7.2 The number of the column with all shifts and `more`; 1:4 and 8:1 are the ends."""
        start = CHARTS.combat.column(self.attack, self.defence)
        return CHARTS.combat.shifted(start, sum(part.value for part in self.shifts) + more)

    def column(self, more: int = 0) -> str:
        """7.2 The column with all shifts and `more`."""
        return CHARTS.combat.columns[self.number(more)]


# --- parts ----------------------------------------------------------------------------------------------


def fighters(number: int) -> tuple[Modifier, ...]:
    """10.1 What fighters add to a strength."""
    if not number:
        return ()
    name = "fighter" if number == 1 else "fighters"
    return (Modifier(number * CHARTS.air.fighter, "10.1", f"{number} {name}"),)


def defending(unit: Unit) -> Modifier:
    """8.3 The strength of a defender; halved and rounded up out of supply."""
    if unit.unsupplied:
        return Modifier(unit.defence, "8.3", f"{unit.id}, halved: out of supply")
    return Modifier(unit.defence, "7.2", unit.id)


def is_open(hex: Hex) -> bool:
    """C1 Whether a hex is open terrain."""
    return MAP.terrain(hex) == "clear" and not MAP.has(hex, "fortified_line")


def terrain(hex: Hex, landing: bool = False) -> Modifier:
    """C3 The one best effect of terrain and fortified line for the defender;
    a landing meets the beach only."""
    if landing:
        return Modifier(CHARTS.beach.shift, "C3", "beach")
    kind = MAP.terrain(hex)
    reasons = [Modifier(CHARTS.terrain[kind].shift, "C3", kind)]
    if MAP.has(hex, "fortified_line"):
        reasons.append(Modifier(CHARTS.fortified.shift, "C3", "fortified line"))
    return min(reasons, key=lambda reason: reason.value)


def crossing(origins: Iterable[Hex], hex: Hex) -> Modifier | None:
    """C3 The shift for rivers, added to that for terrain: only if every attacker attacks across one,
    and then the lesser of them."""
    rivers = [river_between(origin, hex) for origin in origins]
    found = [
        Modifier(CHARTS.river[kind].shift, "C3", f"all across a {kind} river") for kind in rivers if kind
    ]
    if not found or len(found) < len(rivers):
        return None
    return max(found, key=lambda river: river.value)


def types(attackers: Sequence[Unit], defenders: Sequence[Unit], open_ground: bool) -> tuple[Modifier, ...]:
    """C1, E6 The shift for the types of the units engaged; there is one at most."""
    kinds = {unit.counter.kind for unit in attackers}
    if "specialised armour" in kinds and not open_ground:
        return (Modifier(CHARTS.shifts.funnies, "C1", "79th Armoured"),)
    if not defenders or not all(unit.counter.infantry for unit in defenders):
        return ()
    tanks = any(unit.counter.armour for unit in attackers)
    foot = "armour with infantry" in kinds or any(unit.counter.infantry for unit in attackers)
    if tanks and foot and all(unit.army != "uk" for unit in attackers):
        return (Modifier(CHARTS.shifts.combined_arms, "C1", "tanks and infantry against infantry"),)
    if not foot and not open_ground and all(unit.counter.armour for unit in attackers):
        return (Modifier(CHARTS.shifts.tanks_alone, "C1", "tanks alone against infantry, not in the open"),)
    return ()


# --- results --------------------------------------------------------------------------------------------


def result(column: int, die: int) -> str:
    """7.2 The result in a column for a die: "attacker/defender"."""
    return CHARTS.combat.rows[die - 1][column]


def points(result: str) -> tuple[int, int | None]:
    """7.3 What a result costs either side: steps of the attacker, points of the defender;
    None if all defenders are destroyed."""
    attacker, defender = result.split("/")
    return int(attacker), None if defender == EVERYBODY else int(defender)


def chances(column: int) -> dict[str, Fraction]:
    """7.2 How likely each result in a column is, in the order of the table."""
    found: dict[str, Fraction] = {}
    for die in range(1, FACES + 1):
        cell = result(column, die)
        found[cell] = found.get(cell, Fraction(0)) + Fraction(1, FACES)
    return found


# --- for letters ------------------------------------------------------------------------------------------


def shifted(column: str) -> str:
    """7.2 A column after shifts: at an end of the table they may have moved it less than they say."""
    first, *_, last = CHARTS.combat.columns
    return column + {first: ", the lowest column", last: ", the highest column"}.get(column, "")


def column_in_words(column: str) -> str:
    """7.2, 7.3 A column with the chance of each of its results, for letters: ``3:2: 1/0 33%, 1/1 67%``."""
    found = chances(CHARTS.combat.columns.index(column)).items()
    return f"{column}: " + ", ".join(f"{result} {percent(chance)}" for result, chance in found)


def strength_in_words(total: int, parts: Sequence[Modifier]) -> str:
    """7.2 A strength and its parts, for letters: ``4US 4 + 1 fighter 3 = 7``."""
    names = " + ".join(f"{why.split(',')[0]} {value}" for value, _, why in parts)
    return names if len(parts) == 1 else f"{names} = {total}"


def fight_in_words(fight: Fight) -> str:
    """7.2 A combat before its die, for letters: attackers, hexes, defenders, odds, shifts and column."""
    ours, theirs = (
        strength_in_words(fight.attack, fight.attack_parts),
        strength_in_words(fight.defence, fight.defence_parts),
    )
    origins = f" from {', '.join(fight.origins)}" if fight.origins else ""
    shifts = "".join(f", {value:+d} {why}" for value, _, why in fight.shifts)
    column = f" = {shifted(fight.column())}" if fight.shifts else ""
    return f"{ours}{origins} against {theirs} at {place_name(fight.hex)}: {fight.odds}{shifts}{column}."


@dataclass(frozen=True, slots=True)
class Outlook:
    """7.2 A combat as it would be fought now: `odds` without shifts, `column` with them,
    and how likely each result is."""

    attack: int
    defence: int
    attack_parts: tuple[Modifier, ...]
    defence_parts: tuple[Modifier, ...]
    odds: str
    shifts: tuple[Modifier, ...]
    column: str
    chances: dict[str, Fraction]


def opposed(state: State, hex: Hex, side: Side) -> tuple[Unit, ...]:
    """7.1 The combat units that a side would have to fight in a hex: all enemies there together."""
    return tuple(unit for unit in state.at(hex) if unit.side != side and not unit.hq)


def outlook(
    state: State,
    side: Side,
    hex: Hex,
    attackers: Sequence[Unit],
    *,
    air: int = 0,
    support: int = 0,
    landing: bool = False,
    drop: bool = False,
) -> Outlook:
    """7.2 An attack by these units with `air` fighters and `support` columns by headquarters and gunfire,
    without what the defender may add."""
    fight = Fight(state, hex, tuple(attackers), opposed(state, hex, side), landing, drop, air)
    fight.help.add(support, "6.3", "support")
    return Outlook(
        attack=fight.attack,
        defence=fight.defence,
        attack_parts=fight.attack_parts,
        defence_parts=fight.defence_parts,
        odds=fight.odds,
        shifts=fight.shifts,
        column=fight.column(),
        chances=chances(fight.number()),
    )
