"""Attack allocation (COM.A to COM.E, COM.H to COM.J, INV.3, SUP.M): which attacks a side may write, and which
it must.

An `Allocation` is made at the start of a combat phase and keeps the attacks written so far. No unit moves
meanwhile, so it finds only once which units are adjacent, in supply and able to attack."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from itertools import combinations

from pbem.engine.desk import Desk
from pbem.engine.errors import NotAllowed
from pbem.engine.language import Order
from pbem.engine.offer import Offer
from pbem.games.normandy71 import naval, odds, paratroops, preview
from pbem.games.normandy71.notes import Allotted, MarkerGone
from pbem.games.normandy71.orders import Attack, Disentrench
from pbem.games.normandy71.state import ENEMY, Hex, Side, State, Unit
from pbem.games.normandy71.tables import BEACHES, CHARTS, MAP
from pbem.wargame.counters import of_side


@dataclass(slots=True)
class Fight:
    """One combat: attackers, attacked hexes and gunfire. A `compelled` attack is resolved at any odds
    (INV.3)."""

    hexes: tuple[Hex, ...]
    attackers: list[Unit]
    missions: dict[Hex, str]
    compelled: bool = False
    shown: bool = False
    """Whether markers on the attacked hexes have been lifted."""

    @property
    def origins(self) -> tuple[Hex, ...]:
        return tuple(dict.fromkeys(unit.placed for unit in self.attackers))


@dataclass(eq=False)
class Allocation(Desk[Order]):
    """COM.B The attacks of one side, as many or as few as it likes unless game-turn 1 compels it (INV.3)."""

    case = "COM"
    section = "combat"
    takes = (Attack, Disentrench)

    state: State
    side: Side
    supplied: Callable[[Unit], bool]
    fights: list[Fight] = field(default_factory=list)
    enemies: dict[Hex, list[Unit]] = field(default_factory=dict)
    targets: dict[str, tuple[Hex, ...]] = field(default_factory=dict)
    """Unit that may attack -> the hexes that it may attack, as long as neither has been allotted."""
    beach_units: frozenset[str] = frozenset()
    remaining: Counter[str] = field(default_factory=Counter)

    def __post_init__(self) -> None:
        self.seat = self.side
        for unit in self.state.on_map(ENEMY[self.side]):
            self.enemies.setdefault(unit.placed, []).append(unit)
        for unit in self.state.on_map(self.side):
            near = self.next_to(unit)
            if near and self.barred(unit) is None:
                self.targets[unit.id] = tuple(hex for hex in near if self.barred_from(unit, hex) is None)
        if self.state.turn == 1 and self.side == "allied":
            beaches = {BEACHES[name] for name in self.state.plan.beaches}
            self.beach_units = frozenset(id for id in self.targets if self.unit(id).hex in beaches)
        if self.side == "allied":
            self.remaining = naval.left(self.state, "attack")

    @property
    def what(self) -> str:
        return f"{self.side} attacks"

    def unit(self, id: str) -> Unit:
        return self.state.units[id]

    # --- who may attack what ---

    def next_to(self, unit: Unit) -> tuple[Hex, ...]:
        """COM.A The enemy-held hexes adjacent to a unit."""
        return tuple(hex for hex in MAP.grid.neighbours(unit.placed) if hex in self.enemies)

    def barred(self, unit: Unit) -> NotAllowed | None:
        """Why a unit may not attack at all in this phase, if so."""
        if unit.defend_only:
            return NotAllowed(f"{unit.id} ({unit.kind}) can only defend", "U")
        if unit.inverted:
            return NotAllowed(f"{unit.id} landed above the stacking limit and cannot attack yet", "INV.1C")
        if not paratroops.may_attack(self.state, unit):
            case = "PAR.C" if self.state.turn == 1 else "PAR.D"
            return NotAllowed(
                f"{unit.id} cannot attack on the turn of its drop or before it has been in supply", case
            )
        if not self.supplied(unit):
            return NotAllowed(f"{unit.id} is out of supply and cannot attack", "COM.I")
        if self.state.announced.get(unit.id) == self.state.turn - 1:
            return NotAllowed(f"{unit.id} is entrenching and may not attack this turn", "ENT")
        if odds.unfit_armour(self.state, unit):
            return NotAllowed(f"{unit.id} is armour without infantry in its hex and cannot attack", "COM.J")
        return None

    def barred_from(self, unit: Unit, hex: Hex) -> NotAllowed | None:
        """Why a unit that may attack may not attack this enemy-held hex, if so."""
        if not MAP.grid.are_neighbours(unit.placed, hex):
            near = self.next_to(unit)
            return NotAllowed(f"{unit.id} in {unit.placed} is not adjacent to {hex}", "COM.A", legal=near)
        if unit.armour and not CHARTS.ground(hex).armour_attacks:
            return NotAllowed(
                f"{unit.id} is armour and cannot attack into the {MAP.terrain(hex)} of {hex}", "COM.J"
            )
        return None

    def in_contact(self) -> bool:
        """COM.A Whether any units of the two sides are adjacent, as both can see. The side is asked whenever
        they are, whether it can attack or not: a skipped phase would show supply, or what is under a
        marker."""
        return any(self.next_to(unit) for unit in self.state.on_map(self.side))

    # --- what is left ---

    def attacked(self) -> set[Hex]:
        return {hex for fight in self.fights for hex in fight.hexes}

    def used(self) -> set[str]:
        return {unit.id for fight in self.fights for unit in fight.attackers}

    def free(self, hexes: Iterable[Hex]) -> list[Unit]:
        """COM.A, COM.C, COM.D, COM.E The units that can still attack all of these hexes together."""
        wanted, used = tuple(hexes), self.used()
        return [
            self.unit(id)
            for id, near in self.targets.items()
            if id not in used and all(hex in near for hex in wanted)
        ]

    def attackable(self) -> tuple[Hex, ...]:
        """COM.C The hexes that a unit can still attack."""
        used, attacked = self.used(), self.attacked()
        near = {hex: None for id, hexes in self.targets.items() if id not in used for hex in hexes}
        return tuple(sorted(hex for hex in near if hex not in attacked))

    def compelled(self) -> tuple[Hex, ...]:
        """INV.3 The hexes that units on invasion beaches still have to attack."""
        used, attacked = self.used(), self.attacked()
        near = {hex: None for id in self.targets if id in self.beach_units - used for hex in self.targets[id]}
        return tuple(sorted(hex for hex in near if hex not in attacked))

    def may_attack_more(self) -> bool:
        """SUP.M Whether another attack may be written."""
        limited = self.side == "allied" and self.state.turn > 1
        return not limited or len(self.fights) < CHARTS.supply.attacks

    # --- what may be ordered ---

    def subjects(self) -> tuple[Hex, ...]:
        """The hexes that can still be attacked; only those that must be while there are any."""
        if not self.may_attack_more():
            return ()
        return self.compelled() or self.attackable()

    def options(self, hex: Hex, /) -> list[Order]:
        """Legal attacks on a hex: by all units that can, by one or two stacks, by one unit, also together
        with an adjacent hex; each with and without the strongest gunfire in range."""
        return [order for order in dict.fromkeys(self._options(hex)) if self._legal(order)]

    def _options(self, hex: Hex) -> Iterable[Attack]:
        attackable = set(self.attackable())
        beside = [other for other in MAP.grid.neighbours(hex) if other in attackable]
        groups = [(hex,), *((hex, other) for other in beside)]
        if self.compelled():
            groups += [
                tuple(h for h in self.targets[unit.id] if h in attackable)
                for unit in self.free((hex,))
                if unit.id in self.beach_units
            ]
        for hexes in dict.fromkeys(groups):
            for units in self._teams(hexes):
                names = tuple(unit.id for unit in units)
                yield Attack(hexes=hexes, units=names)
                for count in range(1, len(hexes) + 1):
                    if self.remaining:
                        yield Attack(hexes=hexes, units=names, missions=("any",) * count)

    def _teams(self, hexes: tuple[Hex, ...]) -> list[tuple[Unit, ...]]:
        units = self.free(hexes)
        stacks: dict[Hex, list[Unit]] = {}
        for unit in units:
            stacks.setdefault(unit.placed, []).append(unit)
        teams = [tuple(units), *(tuple(stack) for stack in stacks.values()), *((unit,) for unit in units)]
        teams += [(*a, *b) for a, b in combinations(stacks.values(), 2)]
        return [team for team in teams if team]

    def _legal(self, order: Attack) -> bool:
        try:
            self.check(order)
        except NotAllowed:
            return False
        return True

    def check(self, order: Order | None) -> None:
        """Refuse an attack that a rule forbids, and the end while one is compulsory. Raises NotAllowed."""
        if order is None:
            self._check_done()
        elif isinstance(order, Disentrench):
            if self.state.entrenchments.get(order.hex) != self.side:
                raise NotAllowed(f"you have no entrenchment in {order.hex}", "ENT.E")
        elif isinstance(order, Attack):
            self.fight(order)

    def _check_done(self) -> None:
        owed = self.compelled()
        if owed:
            listed = ", ".join(owed)
            legal = tuple(f"attack {hex}" for hex in owed)
            raise NotAllowed(
                f"units on the beaches must attack all Germans adjacent to them: {listed}",
                "INV.3",
                legal=legal,
            )

    def offer(self, order: Order) -> Offer:
        """COM.G, ENT.B The odds of an attack, as its side can see them."""
        if isinstance(order, Attack):
            fight = self.fight(order)
            return preview.attack(self.state, fight.attackers, fight.hexes, fight.missions.values())
        return super().offer(order)

    def carry_out(self, order: Order) -> None:
        """Write down a checked attack, or remove a marker."""
        if isinstance(order, Disentrench):
            self._lift(order.hex, "removed")
        elif isinstance(order, Attack):
            fight = self.fight(order)
            self.fights.append(fight)
            self.state.note(
                Allotted(
                    case="COM",
                    readers=(self.side,),
                    attacker=self.side,
                    hexes=fight.hexes,
                    attackers=tuple(unit.id for unit in fight.attackers),
                    missions=tuple(fight.missions.get(hex, "") for hex in fight.hexes),
                )
            )
            self.remaining -= Counter(fight.missions.values())
            naval.fire(self.state, "attack", fight.missions.values())
            for hex in fight.origins:
                if hex in self.state.entrenchments:
                    self._lift(hex, "attacked out")

    def _lift(self, hex: Hex, why: str) -> None:
        del self.state.entrenchments[hex]
        case = "ENT.E" if why == "removed" else "ENT.C"
        self.state.note(MarkerGone(case=case, side=self.side, hex=hex, why=why))

    # --- one attack ---

    def fight(self, order: Attack) -> Fight:
        """The combat that an attack order means. Raises NotAllowed."""
        if not self.may_attack_more():
            raise NotAllowed(
                f"supply allows at most {CHARTS.supply.attacks} attacks in a combat phase", "SUP.M"
            )
        hexes = self._hexes(order)
        attackers = self._attackers(order, hexes)
        if order.missions and self.side == "german":
            raise NotAllowed("only the Allied side has naval gunfire", "NAV")
        missions = naval.choose(self.state, hexes, order.missions, self.remaining)
        compelled = self._check_compulsion(hexes, attackers)
        fight = Fight(hexes, attackers, missions, compelled)
        if not compelled:
            self._check_odds(fight)
        return fight

    def _hexes(self, order: Attack) -> tuple[Hex, ...]:
        hexes, attacked = tuple(dict.fromkeys(order.hexes)), self.attacked()
        for hex in hexes:
            if hex not in self.enemies:
                raise NotAllowed(f"there is no enemy in {hex}", "COM.A", legal=self.attackable())
            if hex in attacked:
                raise NotAllowed(f"{hex} is already under attack in this phase", "COM.C")
        return hexes

    def _attackers(self, order: Attack, hexes: tuple[Hex, ...]) -> list[Unit]:
        if order.units:
            return [self._named(id, order, hexes) for id in dict.fromkeys(order.units)]
        free = [unit for unit in self.free(hexes) if not order.origins or unit.hex in order.origins]
        if not free:
            where = f" from {', '.join(order.origins)}" if order.origins else ""
            able = tuple(f"attack {hex}" for hex in self.attackable())
            raise NotAllowed(f"no unit can attack {' and '.join(hexes)}{where}", "COM.A", legal=able)
        return free

    def _named(self, id: str, order: Attack, hexes: tuple[Hex, ...]) -> Unit:
        unit = self.state.own(id, of_side(self.side), "COM.A")
        if unit.place != "map":
            raise NotAllowed(f"{id} {unit.absence}", "COM.A")
        if order.origins and unit.hex not in order.origins:
            raise NotAllowed(f"{id} is in {unit.hex}, not in {', '.join(order.origins)}", "COM.A")
        if id in self.used():
            raise NotAllowed(f"{id} is already attacking", "COM.C")
        fault = self.barred(unit) or next(filter(None, (self.barred_from(unit, hex) for hex in hexes)), None)
        if fault:
            raise fault
        return unit

    def _check_compulsion(self, hexes: tuple[Hex, ...], attackers: Sequence[Unit]) -> bool:
        """INV.3 Whether game-turn 1 compels this attack. Raises NotAllowed if it would leave a German
        unattacked that units on a beach must attack."""
        owed = set(self.compelled())
        if not owed:
            return False
        ids = {unit.id for unit in attackers}
        takes_part = bool(ids & self.beach_units)
        if owed & set(hexes) and not takes_part:
            raise NotAllowed("a unit on a beach adjacent to these Germans must take part", "INV.3")
        still = {hex for id in self.beach_units - self.used() - ids for hex in self.targets[id]}
        missed = sorted(owed - set(hexes) - still)
        if missed:
            whole = sorted(set(hexes) | set(missed))
            raise NotAllowed(
                f"{', '.join(missed)} would be left unattacked: the same units must attack it too",
                "INV.3",
                legal=(f"attack {', '.join(whole)}",),
            )
        return takes_part

    def _check_odds(self, fight: Fight) -> None:
        """COM Refuse an attack below 1-4. Units under a marker and lack of supply do not count beforehand."""
        if any(hex in self.state.entrenchments for hex in fight.hexes):
            return
        defenders = [unit for hex in fight.hexes for unit in self.enemies[hex]]
        _, halves = odds.defence_parts(self.state, defenders, lambda unit: True)
        attack = sum(unit.strength for unit in fight.attackers) + gunfire(self.state, fight)
        if odds.too_poor(attack, halves):
            raise NotAllowed(f"{attack} against {halves / 2:g} is below 1-4, the lowest odds allowed", "COM")


def gunfire(state: State, fight: Fight) -> int:
    """COM.K, NAV.F The strength that the missions of an attack add to it."""
    return sum(naval.mission(state, kind).attack for kind in fight.missions.values())
