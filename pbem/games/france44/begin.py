"""The beginning of a turn (2.0, steps 1 to 8): air support, supply, reaction points, chits,
and what both sides commit for the next turn.

Turn 1 begins with step 8: its chits come from the set-up. What a side commits is written at the same time
and stays its secret until it turns into chits.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pbem.engine.desk import write
from pbem.engine.errors import NotAllowed
from pbem.engine.language import Order
from pbem.engine.offer import Offer
from pbem.engine.tally import Tally
from pbem.engine.wording import count
from pbem.games.france44 import advantage, control, zones
from pbem.games.france44.desk import SideDesk
from pbem.games.france44.notes import (
    AirRolled,
    ChitsPlaced,
    Committed,
    FuehrerRaised,
    Interdicted,
    OffensiveDeclared,
    TurnPoints,
    WrittenAgain,
)
from pbem.games.france44.orders import Commit, Interdict, Offensive
from pbem.games.france44.state import ADMINISTRATIVE, SIDES, State
from pbem.games.france44.tables import (
    ANTWERP,
    BREST,
    CHARTS,
    GRID,
    SAINT_NAZAIRE,
    SCENARIOS,
    SCHELDT,
    TURNS,
    V1_SITES,
    Side,
)

VERBS: dict[Side, tuple[type[Order], ...]] = {"allied": (Commit, Interdict), "german": (Commit, Offensive)}


async def begin(state: State) -> None:
    """2.0.1 to 2.0.8 The beginning of a turn."""
    if state.turn > 1:
        await roll_air(state)
    add_supply(state)
    add_reaction(state)
    raise_from_track(state)
    chits = place_chits(state)
    await commitment(state, chits)


# --- air support (2.0.3) ------------------------------------------------------------------------------------


async def roll_air(state: State) -> None:
    """2.0.3 A die for air support."""
    needed = TURNS[state.turn].air_to

    def means(name: str, face: int) -> str:
        return f"die {face}, {needed} or less needed"

    thrown = await advantage.throw(state, "2.0.3", "air support", {"": 6}, means)
    die = thrown[""].face
    state.air = die <= needed
    state.note(AirRolled(case="2.0.3", roll=state.rolls, die=die, needed=needed, available=state.air))


# --- supply and reaction points (2.0.4, 2.0.5) --------------------------------------------------------------


def antwerp_open(state: State) -> bool:
    """11.4 Whether the Allies hold Antwerp and no German stands in the estuary of the Scheldt."""
    germans = zones.occupied(state, "german")
    return control.holds(state, "allied", (ANTWERP,)) and not germans & GRID.bits(SCHELDT)


def supply_gained(state: State, side: Side) -> int:
    """2.0.4, 11.4 Supply points that a side gains in this turn; those of turn 1 are there from the start."""
    turn = TURNS[state.turn]
    if state.turn == 1:
        return 0
    return turn.supply[side] + (turn.antwerp if side == "allied" and antwerp_open(state) else 0)


def add_supply(state: State) -> None:
    """2.0.4 Supply points of the turn are added to what is left."""
    for side in SIDES:
        state.supply[side] = state.supply.get(side, 0) + supply_gained(state, side)


def add_reaction(state: State) -> None:
    """2.0.2, 2.0.5, 12.1, 12.2, 12.9 Both sides get new reaction points each turn and are shown them
    with their supply."""
    turn = TURNS[state.turn]
    for side in SIDES:
        parts = Tally()
        parts.add(turn.reaction[side], "2.0.5", "turn track")
        if side == "allied" and control.holds(state, "allied", (BREST, SAINT_NAZAIRE)):
            parts.add(CHARTS.points.brittany, "12.1", "Brittany")
        if side == "allied" and control.holds(state, "allied", V1_SITES.values()):
            parts.add(CHARTS.points.v1, "12.2", "V-1 sites")
        if side == "german" and state.rhine_crossed:
            parts = Tally()
        state.reaction[side] = parts.total
        state.note(
            TurnPoints(
                case="2.0.5",
                side=side,
                supply=state.supply.get(side, 0),
                gained=supply_gained(state, side),
                reaction=parts.total,
                parts=tuple(parts.parts),
            )
        )


def raise_from_track(state: State) -> None:
    """10.1.1 Fuehrer divisions whose turn has come go from the turn track to the eliminated box."""
    for unit in state.units.values():
        if unit.place == "track" and not unit.hq and unit.back <= state.turn:
            unit.place, unit.back = "eliminated", 0
            state.note(FuehrerRaised(case="10.1.1", name=unit.id, turn=0))


# --- chits (2.0.6, 2.0.7) -----------------------------------------------------------------------------------


def place_chits(state: State) -> dict[Side, int]:
    """2.0.6, 2.0.7 What was committed in the last turn goes into the cup as initiative chits,
    and the administrative chit with them."""
    chits = dict(CHARTS.points.first_chits) if state.turn == 1 else dict(state.committed)
    state.cup = [side for side in SIDES for _ in range(chits.get(side, 0))] + [ADMINISTRATIVE]
    state.committed = dict.fromkeys(SIDES, 0)
    state.heavy_used = False
    state.note(ChitsPlaced(case="2.0.6", allied=chits.get("allied", 0), german=chits.get("german", 0)))
    return chits


# --- what both sides decide (2.0.3, 2.0.8, 12.5) ------------------------------------------------------------


async def commitment(state: State, chits: dict[Side, int]) -> None:
    """2.0.3, 2.0.8, 12.5 Both sides commit supply for the next turn at the same time; the Allies interdict,
    the Germans may declare their offensive."""
    desks = {side: Commitment(state, side, chits.get(side, 0)) for side in SIDES}
    await write(*(desk for desk in desks.values() if desk.subjects()), secret=True)
    for desk in desks.values():
        desk.set_aside()
    _disclose(state, desks)


def _disclose(state: State, desks: Mapping[Side, Commitment]) -> None:
    """2.0.3, 2.0.5, 12.5 What lies open once both have written: interdiction and the offensive."""
    state.interdicting = desks["allied"].interdicting
    if state.interdicting:
        cost = min(state.interdicting * CHARTS.air.interdiction, state.reaction["german"])
        state.reaction["german"] -= cost
        state.note(Interdicted(case="2.0.3", number=state.interdicting, cost=cost))
    if desks["german"].offensive:
        for _ in range(CHARTS.points.bulge_chits):
            state.cup.remove("german")
        state.bulge, state.bulge_points = CHARTS.points.bulge_chits, True
        state.note(OffensiveDeclared(case="12.5", points=state.reaction["german"]))


class Commitment(SideDesk):
    """What one side writes at the beginning of a turn; the last line of each kind counts."""

    case = "2.0.8"
    section = "commitment"
    orders_for = "commitment"

    def __init__(self, state: State, side: Side, chits: int) -> None:
        super().__init__(state, side)
        self.chits = chits
        """2.0.6 The chits of the side that this turn began with."""
        self.number = 0
        """2.0.8 Supply points to be committed."""
        self.interdicting = 0
        """2.0.3 Tactical air markers that interdict."""
        self.offensive = False
        """12.5 Whether the offensive has been declared."""

    @property
    def takes(self) -> tuple[type[Order], ...]:
        return VERBS[self.side]

    @property
    def offers(self) -> tuple[type[Order], ...]:
        """2.0.3, 12.5 The orders that are possible this turn."""
        kinds = {"commit": Commit, "interdict": Interdict, "offensive": Offensive}
        return tuple(kinds[subject] for subject in self.subjects())

    @property
    def most(self) -> int:
        """2.0.8 Points that may be committed: none in the last turn of the scenario."""
        if self.state.turn >= SCENARIOS.of(self.state.scenario).last_turn:
            return 0
        return min(CHARTS.points.commit[self.side], self.state.supply.get(self.side, 0))

    @property
    def markers(self) -> int:
        """2.0.3 Tactical air markers that may interdict: both in a turn with air support, none in July."""
        return CHARTS.air.tacticals if self.side == "allied" and self.state.air else 0

    def may_declare(self) -> bool:
        """12.5 Whether the Germans may declare their offensive: from October to January,
        with two chits in the cup."""
        bulge = TURNS[self.state.turn].bulge
        return self.side == "german" and bulge and self.chits >= CHARTS.points.bulge_chits

    def subjects(self) -> Sequence[str]:
        found = ["commit"] if self.most else []
        found += ["interdict"] if self.markers else []
        return [*found, "offensive"] if self.may_declare() else found

    def options(self, subject: str) -> Sequence[Order]:
        match subject:
            case "commit":
                return [Commit(number) for number in range(1, self.most + 1) if number != self.number]
            case "interdict":
                return [Interdict(n) for n in range(1, self.markers + 1) if n != self.interdicting]
        return [] if self.offensive else [Offensive()]

    def check(self, order: Order | None) -> None:
        """Refuse what a rule forbids now. Raises NotAllowed."""
        match order:
            case Commit(number) if not 0 <= number <= self.most:
                raise NotAllowed(
                    f"{count(number, 'point')} cannot be committed: at most {self.most}",
                    "2.0.8",
                    legal=(f"commit {self.most}",),
                )
            case Interdict(number) if not 0 <= number <= self.markers:
                raise NotAllowed(
                    f"{count(number, 'marker')} cannot interdict: {self.markers or 'none'} available",
                    "2.0.3",
                )
            case Offensive() if not self.may_declare():
                raise NotAllowed(
                    "an offensive can be declared only from October to January, with "
                    f"{CHARTS.points.bulge_chits} German chits in the cup",
                    "12.5",
                )

    def offer(self, order: Order) -> Offer:
        """2.0.8 What a commitment leaves."""
        if not isinstance(order, Commit):
            return super().offer(order)
        left = self.state.supply.get(self.side, 0) - order.number
        told = (
            f"{count(order.number, 'more chit')} for you next turn; "
            f"{count(left, 'supply point')} left [2.0.8]"
        )
        return Offer(told=(told,))

    def carry_out(self, order: Order) -> None:
        """Take a checked order down."""
        match order:
            case Commit(number):
                self._again("commit", "2.0.8", self.number, number)
                self.number = number
            case Interdict(number):
                self._again("interdict with", "2.0.3", self.interdicting, number)
                self.interdicting = number
            case Offensive():
                self.offensive = True

    def _again(self, what: str, case: str, was: int, now: int) -> None:
        """2.0.3, 2.0.8 The side learns that an earlier line no longer counts."""
        if was and was != now:
            self.state.note(
                WrittenAgain(case=case, readers=(self.side,), side=self.side, what=what, was=was, now=now)
            )

    def set_aside(self) -> None:
        """2.0.8 The points are set aside; the other side does not learn of it."""
        side = self.side
        self.state.supply[side] = self.state.supply.get(side, 0) - self.number
        self.state.committed[side] = self.number
        left = self.state.supply[side]
        self.state.note(Committed(case="2.0.8", readers=(side,), side=side, number=self.number, left=left))
