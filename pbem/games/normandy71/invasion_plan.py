"""The Allied invasion plan (INV.1A): which units land at which beach, which beaches are supply areas,
and where commandos and parachute units land."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from pbem.engine.errors import NotAllowed
from pbem.engine.language import Order
from pbem.engine.offer import Offer
from pbem.engine.wording import some
from pbem.games.normandy71 import preview, stacking
from pbem.games.normandy71.deployment import DeploymentDesk
from pbem.games.normandy71.notes import FilledIn
from pbem.games.normandy71.orders import Commando, Drop, Land, Supply, UseDefault
from pbem.games.normandy71.reach import nearest
from pbem.games.normandy71.state import Hex, Plan, State, Unit
from pbem.games.normandy71.tables import BEACHES, CHARTS, DEFAULTS, LAND, MAP

MOST_BEACHES = CHARTS.invasion.beaches
MOST_SUPPLY_AREAS = CHARTS.invasion.supply_areas
COASTAL = MAP.hexes("coastal")
DROPPABLE = MAP.grid.named(LAND)


def beach_named(word: str) -> str:
    """The full name of a beach given by name, number or both: "3", "3 Utah". Raises NotAllowed."""
    wanted = " ".join(word.split()).lower()
    found = [name for name in BEACHES if wanted in (name.lower(), name.split()[0])]
    if not found:
        raise NotAllowed(f"there is no beach {word}", "INV.1A", legal=tuple(BEACHES))
    return found[0]


@dataclass(eq=False)
class InvasionPlan(DeploymentDesk):
    """The Allied side writes its plan into `state.plan`."""

    case = "INV.1A"
    what = "the invasion plan"
    seat = side = "allied"
    section = "plan"
    takes = (Land, Supply, Drop, Commando, UseDefault)

    state: State

    @property
    def plan(self) -> Plan:
        return self.state.plan

    def units(self, entry: str) -> list[Unit]:
        return [unit for unit in self.state.units.values() if unit.side == "allied" and unit.entry == entry]

    def planned(self) -> set[str]:
        """The units in the plan."""
        landing = {id for ids in self.plan.beaches.values() for id in ids}
        return landing | set(self.plan.commandos) | set(self.plan.drops)

    def unplaced(self) -> list[str]:
        """The units that are not in the plan yet."""
        planned = self.planned()
        first = [*self.units("invasion"), *self.units("commando"), *self.units("paradrop")]
        return [unit.id for unit in first if unit.id not in planned]

    def stray_supply(self) -> list[str]:
        """Supply areas at which no unit lands."""
        return [beach for beach in self.plan.supply if beach not in self.plan.beaches]

    # --- what may be ordered ---

    def subjects(self) -> tuple[str, ...]:
        found = self.unplaced()
        if not self.plan.supply or self.stray_supply():
            found = [*found, "supply"]
        return (*found, "default") if found else ()

    def options(self, subject: str) -> Sequence[Order]:
        if subject == "default":
            return [UseDefault()]
        if subject == "supply":
            used = tuple(self.plan.beaches)
            return [
                Supply(used[start : start + MOST_SUPPLY_AREAS])
                for start in range(max(1, len(used) - 4))
                if used
            ]
        unit = self.state.units[subject]
        if unit.entry == "paradrop":
            return [Drop((subject,), hex) for hex in DROPPABLE]
        if unit.entry == "commando":
            return [Commando((subject,), hex) for hex in COASTAL if self.fits([unit], hex)]
        return [Land((subject,), beach) for beach in BEACHES if self.can_land([unit], beach)]

    def check(self, order: Order | None) -> None:
        """Refuse an order that the deployment rules forbid. Raises NotAllowed."""
        if order is None:
            self.check_end()
        elif isinstance(order, Land):
            self.check_land(order)
        elif isinstance(order, Supply):
            beaches = {beach_named(word) for word in order.beaches}
            if len(beaches) > MOST_SUPPLY_AREAS:
                raise NotAllowed(
                    f"at most {MOST_SUPPLY_AREAS} beaches may be supply areas, not {len(beaches)}", "INV.1A"
                )
        elif isinstance(order, Drop):
            self.named(order.units, "paradrop", "is not a parachute unit")
            if order.hex not in MAP:
                raise NotAllowed(f"{order.hex} is off the map", "INV.1A")
        elif isinstance(order, Commando):
            self.named(order.units, "commando", "is not a commando unit")
            if order.hex not in COASTAL:
                units = ", ".join(order.units)
                legal = tuple(f"commando {units} at {hex}" for hex in nearest(order.hex, COASTAL))
                raise NotAllowed(f"{order.hex} is not a partially-sea hex", "INV.1A", legal=legal)

    def check_end(self) -> None:
        """INV.1A The plan must have every unit of the first wave, and supply areas must be beaches where
        units land. Raises NotAllowed."""
        fault = ""
        if stray := self.stray_supply():
            fault = f"{', '.join(stray)}: a supply area must be a beach where units land"
        elif missing := self.unplaced():
            verb = "is" if len(missing) == 1 else "are"
            fault = f"{some(missing)} {verb} not in the plan yet; DEFAULT completes it"
        elif not self.plan.supply:
            fault = "no supply area has been chosen yet; DEFAULT chooses"
        if fault:
            raise NotAllowed(fault, "INV.1A", legal=("default",))

    def least(self) -> Sequence[Order]:
        """INV.1A Complete an unfinished plan by the default one."""
        return [UseDefault()]

    def check_land(self, order: Land) -> None:
        units = self.named(order.units, "invasion", "does not land in the first wave")
        beach = beach_named(order.beach)
        moved = {unit.id for unit in units}
        used = {name for name, ids in self.plan.beaches.items() if set(ids) - moved}
        if beach not in used and len(used) >= MOST_BEACHES:
            legal = tuple(name for name in BEACHES if name in used)
            raise NotAllowed(f"at most {MOST_BEACHES} beaches may be invaded", "INV.1A", legal=legal)

    def can_land(self, units: Sequence[Unit], beach: str) -> bool:
        full = beach not in self.plan.beaches and len(self.plan.beaches) >= MOST_BEACHES
        return not full and self.fits(units, BEACHES[beach])

    def named(self, ids: Iterable[str], entry: str, fault: str) -> list[Unit]:
        found = []
        for id in dict.fromkeys(ids):
            unit = self.state.units.get(id)
            if unit is None or unit.side != "allied" or unit.entry != entry:
                legal = tuple(unit.id for unit in self.units(entry))
                raise NotAllowed(f"{id} {fault}", "INV.1A", legal=legal)
            found.append(unit)
        return found

    def fits(self, units: Sequence[Unit], hex: Hex) -> bool:
        """STK, STK.A Whether a hex has room for these units and those that already land there. Offers and the
        default keep to this; a written plan need not, since units may move on before the limit applies."""
        coming = {id for name, ids in self.plan.beaches.items() if BEACHES[name] == hex for id in ids}
        coming |= {id for id, at in self.plan.commandos.items() if at == hex}
        moved = {unit.id for unit in units}
        others = [unit for unit in self.state.units.values() if unit.id in coming - moved]
        return stacking.within_limit(hex, [*others, *units])

    # --- what comes of it ---

    def offer(self, order: Order) -> Offer:
        """INV.1C, STK.A The chances of a drop, and a warning of a hex to which the plan sends too many
        units."""
        match order:
            case Drop(_, hex):
                return preview.drop(hex)
            case Land(units, beach):
                return self.landing(units, BEACHES[beach_named(beach)], "wait in the box")
            case Commando(units, hex):
                return self.landing(units, hex, "are lost")
        return super().offer(order)

    def landing(self, units: Iterable[str], hex: Hex, fate: str) -> Offer:
        """STK.A Where units come ashore, and what becomes of those for which there is no room."""
        return Offer(hex, told=() if self.have_room(units, hex) else (preview.crowded(hex, fate),))

    def have_room(self, ids: Iterable[str], hex: Hex) -> bool:
        """Whether the units with these names fit in a hex."""
        return self.fits([self.state.units[id] for id in dict.fromkeys(ids)], hex)

    def carry_out(self, order: Order) -> None:
        """Write a checked order into the plan; a later line for a unit replaces the earlier one."""
        match order:
            case Land(units, beach):
                self.forget(units)
                self.plan.beaches.setdefault(beach_named(beach), []).extend(dict.fromkeys(units))
            case Supply(beaches):
                self.plan.supply = list(dict.fromkeys(map(beach_named, beaches)))
            case Drop(units, hex):
                self.plan.drops.update(dict.fromkeys(units, hex))
            case Commando(units, hex):
                self.plan.commandos.update(dict.fromkeys(units, hex))
            case UseDefault():
                self.fill_in()

    def forget(self, ids: Iterable[str]) -> None:
        gone = set(ids)
        for beach, landing in list(self.plan.beaches.items()):
            self.plan.beaches[beach] = [id for id in landing if id not in gone]
            if not self.plan.beaches[beach]:
                del self.plan.beaches[beach]

    def fill_in(self) -> None:
        """INV.1A Complete the plan from the default one and notify its owner. A unit whose default place
        is full goes to the nearest one with room; without any it arrives later, as a reinforcement."""
        missing, supply = self.unplaced(), list(self.plan.supply)
        for id in missing:
            unit = self.state.units[id]
            if unit.entry == "paradrop":
                self.plan.drops[id] = DEFAULTS.plan.drops[id]
            elif unit.entry == "commando":
                self.fill_commando(unit, DEFAULTS.plan.commandos[id])
            else:
                self.fill_landing(unit)
        named = len(self.plan.supply) or MOST_SUPPLY_AREAS
        known = [beach for beach in self.plan.supply if beach in self.plan.beaches]
        others = [
            beach for beach in DEFAULTS.plan.supply if beach in self.plan.beaches and beach not in known
        ]
        found = [*known, *others][: max(named, len(known))]
        self.plan.supply = found or list(self.plan.beaches)[:named]
        chosen = () if self.plan.supply == supply else tuple(self.plan.supply)
        if missing or chosen:
            places = self.places(missing)
            self.state.note(FilledIn(case="INV.1A", readers=("allied",), places=places, supply=chosen))

    def places(self, ids: Sequence[str]) -> tuple[tuple[str, tuple[str, ...]], ...]:
        """Where the plan sends these units: beaches first, then hexes of commandos and parachute units."""
        wanted = set(ids)
        found = {name: list(self.plan.beaches[name]) for name in BEACHES if name in self.plan.beaches}
        for id, hex in (*self.plan.commandos.items(), *self.plan.drops.items()):
            found.setdefault(hex, []).append(id)
        kept = {place: tuple(id for id in there if id in wanted) for place, there in found.items()}
        kept["later, as reinforcements"] = tuple(id for id in ids if id not in self.planned())
        return tuple((place, there) for place, there in kept.items() if there)

    def fill_commando(self, unit: Unit, wanted: Hex) -> None:
        for hex in sorted(COASTAL, key=lambda hex: (MAP.grid.distance(hex, wanted), hex)):
            if self.fits([unit], hex):
                self.plan.commandos[unit.id] = hex
                return

    def fill_landing(self, unit: Unit) -> None:
        default = next(name for name, ids in DEFAULTS.plan.beaches.items() if unit.id in ids)
        near = sorted(BEACHES, key=lambda name: (MAP.grid.distance(BEACHES[name], BEACHES[default]), name))
        for beach in near:
            if self.can_land([unit], beach):
                self.plan.beaches.setdefault(beach, []).append(unit.id)
                return
        unit.entry, unit.arrives = "reinforcement", 1
