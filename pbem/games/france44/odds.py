"""What decides a combat before its dice (9.1 to 9.4, 9.6): its kind, the strengths,
the morale of the lead units, and how likely each outcome is."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache, cached_property
from itertools import product
from typing import Literal

from pbem.engine.tally import Modifier, Tally
from pbem.games.france44 import airborne, command, crossing
from pbem.games.france44.state import State, Unit
from pbem.games.france44.supply import Supply
from pbem.games.france44.tables import CHARTS, MAP, Corner, Fight, Hex, Strength, river, terrains

DIE = range(1, 7)
Air = Literal["", "tactical", "heavy"]


@dataclass(slots=True)
class Battle:
    """A combat before its dice. `hq` is the activated headquarters, if it stands with an attacker (4.9);
    `weak` are attackers without supply (11.5)."""

    state: State
    hexes: tuple[Hex, ...]
    attackers: tuple[Unit, ...]
    fight: Fight
    hq: Unit | None = None
    air: Air = ""
    weak: frozenset[str] = frozenset()

    defenders: tuple[Unit, ...] = field(init=False)
    """8.0 All combat units of the enemy in the hexes; they defend together."""
    origins: tuple[Hex, ...] = field(init=False)
    """From where the attackers attack."""

    def __post_init__(self) -> None:
        side = self.attackers[0].side
        found = (unit for hex in self.hexes for unit in self.state.at(hex))
        self.defenders = tuple(unit for unit in found if unit.side != side and not unit.hq)
        self.origins = tuple(dict.fromkeys(unit.placed for unit in self.attackers))

    @property
    def mobile(self) -> bool:
        return self.fight == "mobile"

    # --- strengths ---

    @property
    def attack_parts(self) -> tuple[Modifier, ...]:
        """3.8, 4.9, 11.5 What each attacker counts for, and the headquarters with them."""
        found = []
        for unit in self.attackers:
            strength = unit.strength(self.mobile)
            if unit.id in self.weak:
                found.append(Modifier((strength + 1) // 2, "11.5", f"{unit.id}, halved: out of supply"))
            else:
                found.append(Modifier(strength, "3.8", unit.id))
        return (*found, *_bonus(self.hq))

    def defence_parts(self, supply: Supply) -> tuple[Modifier, ...]:
        """3.8, 4.9, 11.5 What each defender counts for; those out of supply are added up
        and then halved together, rounded up."""
        found, weak = [], 0
        for unit in self.defenders:
            strength = unit.strength(self.mobile)
            found.append(Modifier(strength, "3.8", unit.id))
            weak += 0 if supply.has(unit) else strength
        if weak:
            found.append(Modifier(-(weak // 2), "11.5", "defenders out of supply, halved"))
        return (*found, *_bonus(self.defending_hq(supply)))

    def defending_hq(self, supply: Supply) -> Unit | None:
        """4.9, 11.5 The headquarters that helps the defence: in supply, in a hex with a unit
        that it could command; one at most."""
        side = self.defenders[0].side if self.defenders else None
        for hex in self.hexes:
            here = self.state.at(hex)
            for hq in (piece for piece in here if piece.hq and piece.side == side and supply.has(piece)):
                if any(not unit.hq and command.may_command(hq, unit) for unit in here):
                    return hq
        return None

    # --- morale ---

    def terrain(self) -> tuple[str, int]:
        """9.4 The one terrain that helps the defender most, and by how much."""
        kinds: dict[str, None] = {}
        for hex in self.hexes:
            kinds |= dict.fromkeys(terrains(hex))
        if self.across("rhine"):
            kinds["rhine"] = None
        elif self.across("river"):
            kinds["river"] = None
        gains = {kind: CHARTS.terrain.gain(kind, self.fight) for kind in kinds}
        best = max(gains, key=lambda kind: gains[kind])
        return best, gains[best]

    def across(self, what: str) -> bool:
        """9.4, 12.3, 12.8 Whether all attackers attack across a river, or across the Rhine without a bridge;
        one beside the 18th Airborne does not count."""
        for a, b in product(self.origins, self.hexes):
            wet = crossing.needs_boats(self.state, a, b) if what == "rhine" else river(a, b)
            if not wet or airborne.ignored(self.state, self.attackers[0].side, a, b):
                return False
        return True

    def attack_morale(self, lead: Unit) -> Tally:
        """9.3, 9.4 Morale of the attacker's lead unit."""
        found = Tally([Modifier(lead.morale, "9.3", lead.id)])
        if self.air and self.mobile:
            found.add(getattr(CHARTS.air, self.air).lead, "9.4", f"{self.air} air")
        return found

    def defence_morale(self, lead: Unit) -> Tally:
        """9.3, 9.4 Morale of the defender's lead unit: the best terrain helps, air support hurts."""
        found = Tally([Modifier(lead.morale, "9.3", lead.id)])
        kind, gain = self.terrain()
        found.add(gain, "9.4", kind)
        if self.air:
            found.add(getattr(getattr(CHARTS.air, self.air), self.fight), "9.4", f"{self.air} air")
        return found


def _bonus(hq: Unit | None) -> tuple[Modifier, ...]:
    return (Modifier(CHARTS.combat.headquarters, "4.9", hq.id),) if hq else ()


def total(parts: Iterable[Modifier]) -> int:
    """What these parts add up to."""
    return sum(part.value for part in parts)


def kind_of_fight(
    state: State,
    hexes: Sequence[Hex],
    attackers: Sequence[Unit],
    *,
    arrived: Mapping[str, int],
    advanced: Mapping[str, int],
    displaced: Mapping[str, int],
    before: int,
) -> Fight:
    """9.1 Set piece or mobile combat. `before` numbers the increment just before this one; `arrived`,
    `advanced` and `displaced` say in which increment units moved, advanced or retreated into their hexes.

    Mobile: every attacker came into its hex in the increment before, none attacks across a river, and the
    defenders stand in the clear without a city or fortress. Or it is a pursuit: in a city or fortress on
    clear terrain a defender is who retreated there in the increment before, and every attacker advanced then.
    """
    fresh = all(unit.id in arrived and arrived[unit.id] == before for unit in attackers) and before > 0
    wet = any(
        river(unit.placed, hex) and not airborne.ignored(state, unit.side, unit.placed, hex)
        for unit in attackers
        for hex in hexes
    )
    if not fresh or wet or any(MAP.terrain(hex) != "clear" for hex in hexes):
        return "set_piece"
    walled = [hex for hex in hexes if MAP.has(hex, "city") or MAP.has(hex, "fortress")]
    hot = all(advanced.get(unit.id) == before for unit in attackers)
    for hex in walled:
        if not hot or all(displaced.get(unit.id) != before for unit in state.at(hex)):
            return "set_piece"
    return "mobile"


# --- outcomes -------------------------------------------------------------------------------------------


def best_lead(units: Iterable[Unit]) -> Unit:
    """9.3 The lead unit that a player would name: the best morale, then the most steps."""
    return max(units, key=lambda unit: (unit.morale, unit.left))


def passes(morale: int) -> Fraction:
    """9.5 How likely a morale test is passed: a die of no more than the morale;
    nothing passes or fails by itself."""
    return Fraction(max(0, min(len(DIE), morale)), len(DIE))


def hits(die: int, change: int, strength: int) -> int:
    """9.5, 9.6 Hits of a side: its die, changed by the box and by how strengths compare;
    at least zero."""
    return max(0, CHARTS.combat.hits[die - 1] + change + strength)


@dataclass(frozen=True, eq=False)
class Chances:
    """9.5, 9.6 How likely each outcome of the four dice is, and what follows from that: worked out once, as
    many combats have the same, and known by the object."""

    results: Mapping[tuple[Corner, int, int], Fraction]

    @cached_property
    def corners(self) -> Mapping[Corner, Fraction]:
        found: dict[Corner, Fraction] = {}
        for (corner, _, _), chance in self.results.items():
            found[corner] = found.get(corner, Fraction(0)) + chance
        return found

    @cached_property
    def attack_loss(self) -> Fraction:
        return sum((chance * hits for (_, hits, _), chance in self.results.items()), Fraction(0))

    @cached_property
    def defence_loss(self) -> Fraction:
        return sum((chance * hits for (_, _, hits), chance in self.results.items()), Fraction(0))


@dataclass(frozen=True, slots=True)
class Outlook:
    """9 A combat as it would be fought now: strengths, how they compare, what the morale tests need,
    and how likely everything is."""

    fight: Fight
    attack: int
    defence: int
    attack_parts: tuple[Modifier, ...]
    defence_parts: tuple[Modifier, ...]
    comparison: Strength
    attack_needs: int
    defence_needs: int
    chances: Chances

    @property
    def results(self) -> Mapping[tuple[Corner, int, int], Fraction]:
        """9.6 Box, hits of the attacker, hits of the defender -> chance; before anybody retreats, or
        cannot."""
        return self.chances.results

    @property
    def corners(self) -> Mapping[Corner, Fraction]:
        """9.6 How likely each box is."""
        return self.chances.corners

    @property
    def attack_loss(self) -> Fraction:
        """9.6 Hits that the attacker takes on average."""
        return self.chances.attack_loss

    @property
    def defence_loss(self) -> Fraction:
        """9.6 Hits that the defender takes on average, if he stays where he may, and can go where he must."""
        return self.chances.defence_loss


def outlook(battle: Battle, lead: Unit, other: Unit, supply: Supply) -> Outlook:
    """9 What a combat comes to with these lead units."""
    attack_parts, defence_parts = battle.attack_parts, battle.defence_parts(supply)
    attack, defence = total(attack_parts), total(defence_parts)
    comparison = CHARTS.compare(attack, defence)
    needs = battle.attack_morale(lead).total, battle.defence_morale(other).total
    return Outlook(
        fight=battle.fight,
        attack=attack,
        defence=defence,
        attack_parts=attack_parts,
        defence_parts=defence_parts,
        comparison=comparison,
        attack_needs=needs[0],
        defence_needs=needs[1],
        chances=_chances(battle.fight, comparison.hits, *needs),
    )


@cache
def _chances(fight: Fight, strength: tuple[int, int], attack_needs: int, defence_needs: int) -> Chances:
    """9.5, 9.6 How likely each outcome of the four dice is; what cannot be is left out. `strength`:
    what the comparison changes in the hits of either side."""
    found: dict[tuple[Corner, int, int], Fraction] = {}
    for won, held in product((True, False), repeat=2):
        tests = _test(attack_needs, won) * _test(defence_needs, held)
        corner = CHARTS.combat.corner(won, held)
        changes = CHARTS.combat.box(corner).changes(fight)
        for ours, theirs in product(DIE, repeat=2):
            key = (
                corner,
                hits(ours, changes[0], strength[0]),
                hits(theirs, changes[1], strength[1]),
            )
            found[key] = found.get(key, Fraction(0)) + tests / len(DIE) ** 2
    return Chances({key: chance for key, chance in found.items() if chance})


def _test(morale: int, passed: bool) -> Fraction:
    return passes(morale) if passed else 1 - passes(morale)
