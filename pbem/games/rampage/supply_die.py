"""Army group supply (9.14, 9.15): at the start of turn 3 a die decides which army group is supplied in full.
The other one, the partially supplied army group, gives up three divisions at once.

Its other effects are in the modules that play them: a die for the movement of each force in operations.py,
one round in each battle in battle.py, one replacement fewer in replacement.py.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from pbem.engine.desk import write
from pbem.engine.errors import NotAllowed
from pbem.engine.language import Order
from pbem.engine.play import Ask, Roll
from pbem.engine.wording import count
from pbem.games.rampage.command import AlliedDesk, seat_of
from pbem.games.rampage.movement import NAMES
from pbem.games.rampage.notes import Grounded, SupplyDecided
from pbem.games.rampage.orders import Concede, Ground
from pbem.games.rampage.state import OTHER, State, Type, Unit
from pbem.games.rampage.tables import CHARTS

FIRST: dict[str, Type] = {"infantry first": "infantry", "armour first": "armour"}
"""How divisions are chosen if no order names them: the words of the decision, and which arm goes first."""


def due(state: State) -> bool:
    """9.14 Whether the supply die is rolled this turn."""
    return state.turn == CHARTS.supply.turn


async def supply_die(state: State) -> None:
    """9.14 The die, and the grounding that follows from it; neither is ever repeated."""
    die = await Roll(case="9.14", what="army group supply")
    full = "british" if die in CHARTS.supply.british_fully else "us"
    state.supply_die, state.partial = die, OTHER[full]
    state.note(SupplyDecided(case="9.14", roll=state.rolls, die=die, full=full, partial=state.partial))
    grounding = Grounding(state)
    if grounding.owed == len(grounding.full()):  # no choice is left
        if grounding.owed:
            grounding.ground(grounding.full())
        return
    if grounding.owed:
        await write(grounding)
    if grounding.owed and not state.conceded:
        await grounding.choose()


@dataclass(eq=False)
class Grounding(AlliedDesk):
    """9.15 Three full-strength divisions of the partially supplied army group leave the game. Only divisions
    on the map count; if there are fewer than three, all of them leave."""

    case = "9.15"
    section = "grounding"
    takes = (Ground, Concede)
    what = "divisions to be grounded"

    seat: str = field(init=False)
    gone: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        assert self.state.partial
        self.seat = seat_of(self.state, self.state.partial)
        self.wanted = min(CHARTS.replacement.grounded, len(self.full()))

    @property
    def owed(self) -> int:
        """How many divisions must still be named."""
        return self.wanted - len(self.gone)

    def full(self) -> list[Unit]:
        """The divisions that may be grounded, infantry first."""
        assert self.state.partial
        found = [unit for unit in self.state.on_map(self.state.partial) if unit.steps == 2]
        return sorted(found, key=lambda unit: unit.type != "infantry")

    def subjects(self) -> Sequence[str]:
        return [unit.id for unit in self.full()] if self.owed else []

    def options(self, subject: str) -> Sequence[Order]:
        return [Ground((subject,))]

    def check(self, order: Order | None) -> None:
        """Refuse what 9.15 forbids, and stopping half way; a seat that names no division is asked afterwards.
        Raises NotAllowed."""
        if order is None and self.gone and self.owed:
            legal = tuple(f"ground {unit.id}" for unit in self.full()[:3])
            raise NotAllowed(f"{self.owed} more must be grounded (three in all)", "9.15", legal=legal)
        if isinstance(order, Ground):
            self._check_units(order.units)

    def _check_units(self, units: tuple[str, ...]) -> None:
        full = {unit.id: unit for unit in self.full()}
        legal = tuple(f"ground {id}" for id in list(full)[:3])
        for id in units:
            if id not in full:
                raise NotAllowed(f"{id} {self._fault(id)}", "9.15", legal=legal)
        if len(set(units)) > self.owed:
            raise NotAllowed(f"only {self.owed} more must be grounded, not {len(set(units))}", "9.15")

    def _fault(self, id: str) -> str:
        unit = self.state.units.get(id)
        if unit is None:
            return "is not one of your divisions"
        if id in self.gone:
            return "is already grounded"
        if unit.group != self.state.partial:
            return (
                f"does not belong to the {NAMES[self.state.partial]} army group, which is partially supplied"
            )
        return unit.whereabouts if unit.place != "map" else "is not at full strength"

    def obey(self, order: Ground) -> None:
        self.ground([self.state.units[id] for id in dict.fromkeys(order.units)])

    def ground(self, units: Sequence[Unit]) -> None:
        """9.15 Take divisions out of the game; they were not eliminated (4.2)."""
        ids = tuple(unit.id for unit in units)
        for unit in units:
            unit.place, unit.hex = "grounded", None
        self.gone.extend(ids)
        self.state.note(Grounded(case="9.15", group=self.state.partial, names=ids))

    async def choose(self) -> None:
        """Ground the divisions that no order has named, by type; within a type in the sequence
        of the order of battle."""
        assert self.state.partial
        ways = {words: tuple(unit.id for unit in self.going(arm)) for words, arm in FIRST.items()}
        answer = await Ask(
            case="9.15",
            what="which divisions are grounded",
            seat=self.seat,
            kind="grounding",
            options=tuple(FIRST) if len(set(ways.values())) > 1 else tuple(FIRST)[:1],
            intro=(
                f"{count(self.owed, 'full-strength division')} of the {NAMES[self.state.partial]} army "
                "group must leave the game."
            ),
            says=lambda answer: f"{', '.join(ways[answer])} leave the game",
        )
        self.ground(self.going(FIRST[answer]))

    def going(self, arm: Type) -> list[Unit]:
        """The divisions that go when this arm goes first."""
        return sorted(self.full(), key=lambda unit: unit.type != arm)[: self.owed]
