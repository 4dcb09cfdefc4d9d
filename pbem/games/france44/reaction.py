"""Reaction (5.2): up to three points in an opportunity, for one headquarters with its units,
or for single pieces one after another.

A side that has written how it reacts is not asked; nor is one whose standing orders say it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pbem.engine.desk import write
from pbem.engine.errors import NotAllowed, Overtaken
from pbem.engine.language import Order
from pbem.engine.play import Ask
from pbem.engine.wording import count
from pbem.games.france44 import activation
from pbem.games.france44.desk import SideDesk
from pbem.games.france44.notes import PhasePassed, PieceActivated
from pbem.games.france44.orders import Activate, Denial, Move, Piece, React
from pbem.games.france44.series import Series
from pbem.games.france44.state import ENEMY, State, Unit
from pbem.games.france44.supply import Supply
from pbem.games.france44.tables import CHARTS, NAMES, Hex, Side, place_name
from pbem.games.france44.track import weaker
from pbem.wargame.counters import of_side

NONE, DENY, REACT = "none", "deny", "react"
AHEAD: tuple[type[Order], ...] = (React, Denial)
"""What may be written before the decision is asked for."""
VERBS: tuple[type[Order], ...] = (Activate, Piece, *activation.INCREMENTS)


async def opportunity(
    state: State, side: Side, *, fallen: Sequence[Hex] = (), chit: str = "", acted: Unit | None = None
) -> bool:
    """5.2 A reaction opportunity of a side; whether it has spent anything. `fallen` are the hexes that it has
    lost since the chit, `acted` is the headquarters that acted in its initiative phase."""
    if state.reaction.get(side, 0) < CHARTS.points.single:
        return False
    choice = await decision(state, side, fallen, chit, acted)
    if choice == NONE:
        state.note(PhasePassed(case="5.2", side=side, what="reaction", left=state.reaction[side]))
        return False
    if choice == DENY:
        deny(state, side)
        return True
    return await react(state, side, acted)


async def opportunities(state: State, side: Side) -> None:
    """5.2 One opportunity after another after chits of the other side, the side reacting in each:
    by it lines that are written ahead are judged."""
    for _ in range(state.reaction.get(side, 0)):
        if state.reaction[side] < CHARTS.points.single:
            return
        if isinstance(await WrittenAhead(state, side, denies=True), Denial):
            deny(state, side)
        else:
            await react(state, side)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Opportunity(Ask[str]):
    """5.2 Does a side react, with `points` in hand? `chit` is the side whose chit has been played, "final" or
    "offensive"; `fallen` are the places that the side has lost since, `army` the headquarters that could
    react with the points; `acted` is the headquarters that has just acted, if any."""

    kind: str = "reaction"
    points: int
    chit: str
    fallen: Sequence[Hex]
    army: Sequence[str]
    acted: str = ""


async def decision(
    state: State, side: Side, fallen: Sequence[Hex], chit: str, acted: Unit | None = None
) -> str:
    """5.2 Whether a side reacts: as it has written, else as it decides; nothing unless it says so.
    A point denies something only after a chit of the other side: then that side would react next."""
    desk, denies = Reaction(state, side), chit == ENEMY[side]
    written = await WrittenAhead(state, side, denies)
    if written is not None:
        return REACT if isinstance(written, React) else DENY
    options = (NONE, *((DENY,) if denies else ()), *((REACT,) if desk.subjects() else ()))
    points = state.reaction[side]
    army = [hq.id for hq in desk.headquarters()] if points >= CHARTS.points.army else []
    answer: str = await Opportunity(
        case="5.2",
        what=f"{NAMES[side]} reaction",
        seat=side,
        options=options,
        default=NONE,
        orders_in="reaction",
        says=lambda option: _says(option, desk, army),
        intro=_occasion(state, side, fallen, chit),
        points=points,
        chit=chit,
        fallen=tuple(fallen),
        army=tuple(army),
        acted=acted.id if acted else "",
    )
    return answer


def _occasion(state: State, side: Side, fallen: Sequence[Hex], chit: str) -> str:
    """5.1, 5.2, 2.0.10 What a side may react to, and with how many points."""
    points = f"{count(state.reaction[side], 'reaction point')} in hand"
    lost = f", {' and '.join(place_name(hex) for hex in fallen)} lost" if fallen else ""
    match chit:
        case "final":
            return f"The last reaction of the turn: {points}; unspent points are lost [2.0.10, 2.0.11]"
        case "offensive":
            return f"The offensive opens with a reaction: {points} [12.5]"
        case _ if chit == side:
            return f"After your own chit, because the enemy spent nothing: {points} [5.1]"
    return f"After the {NAMES[ENEMY[side]]} chit{lost}: {points} [5.1]"


def _says(option: str, desk: Reaction, army: Sequence[str]) -> str:
    """5.2 What a choice means, for letters, with an example of what may be written."""
    points = desk.state.reaction[desk.side]
    match option:
        case "none":
            return f"do nothing; {count(points, 'point')} left"
        case "deny":
            return (
                f"spend a point, {points - CHARTS.points.single or 'none'} left: "
                "the enemy may not react to its own chit"
            )
    each = f"a point for each unit, at most {min(points, CHARTS.points.reaction)}"
    whole = f", or {CHARTS.points.army} for an army ({', '.join(army)})" if army else ""
    return f"with the lines under [reaction] in the same letter: {each}{whole}{_example(desk)}"


def _example(desk: Reaction) -> str:
    """5.2, 6.0 Lines by which a piece could react now; none if nobody can move."""
    for unit in desk.pieces():
        alone = Series(desk.state, desk.side, [unit], unsupplied=desk.weak(unit))
        if move := next((order for order in alone.options(unit.id) if isinstance(order, Move)), None):
            return (
                f'; for example "piece {unit.id}" and below it "inc {move.box}: '
                f'move {unit.id} to {move.path[-1]}"'
            )
    return ""


async def react(state: State, side: Side, acted: Unit | None = None) -> bool:
    """5.2 The reaction itself; whether points were spent in it."""
    desk = Reaction(state, side, acted)
    await write(desk)
    if not desk.spent:
        state.note(PhasePassed(case="5.2", side=side, what="reaction", left=state.reaction[side]))
    return desk.spent > 0


def deny(state: State, side: Side) -> None:
    """5.2 A point is spent for nothing, so that the other side may not react to its own chit."""
    spend(state, side, CHARTS.points.single)
    state.note(PhasePassed(case="5.2", side=side, what="denied", left=state.reaction[side]))


def spend(state: State, side: Side, points: int) -> None:
    """5.2 Reaction points are spent."""
    state.reaction[side] -= points


class WrittenAhead(SideDesk):
    """5.2 The line, written before the decision is asked for, that says how a side reacts. The rules await it
    once and act on it themselves. `denies`: a point could deny the other side its reaction."""

    case = "5.2"
    section = "reaction"
    orders_for = "reaction"
    first = True

    def __init__(self, state: State, side: Side, denies: bool) -> None:
        super().__init__(state, side)
        self.denies = denies

    @property
    def takes(self) -> tuple[type[Order], ...]:
        return AHEAD if self.denies else (React,)

    def subjects(self) -> Sequence[str]:
        return ()

    def options(self, subject: str) -> Sequence[Order]:
        return ()

    def implied(self, order: Order) -> Order | None:
        """5.2 Who has closed lines by which an army or a piece acts has said that they react."""
        return React() if isinstance(order, VERBS) else None

    def check(self, order: Order | None) -> None:
        """Refuse nothing: what the line leads to is judged when it is carried out."""


class Reaction(activation.Initiative):
    """A reaction while it is played: an army, or one piece after another, up to the line for another
    opportunity."""

    case = "5.2"
    section = "reaction"
    orders_for = "reaction"
    offers = ()

    def __init__(self, state: State, side: Side, acted: Unit | None = None) -> None:
        super().__init__(state, side)
        self.acted = acted
        """The headquarters that acted in the initiative phase before, if it was the side's own."""
        self.spent = 0
        """5.2 Points spent in this opportunity."""
        self.army = False
        """5.2 Whether an army reacts."""
        self.reacted: list[str] = []
        """5.2 The pieces that have reacted alone."""

    @property
    def takes(self) -> tuple[type[Order], ...]:
        """5.2 A side that has answered that it reacts may write so once more, before anything else."""
        return (*self._again, *VERBS)

    @property
    def until(self) -> tuple[type[Order], ...]:
        return tuple(kind for kind in AHEAD if kind not in self._again)

    @property
    def _again(self) -> tuple[type[Order], ...]:
        return () if self.spent else (React,)

    @property
    def left(self) -> int:
        """5.2 Points that may still be spent in this opportunity."""
        return min(CHARTS.points.reaction - self.spent, self.state.reaction.get(self.side, 0))

    # --- single pieces ---

    def pieces(self) -> list[Unit]:
        """5.2 The pieces that may still react alone."""
        if self.army or self.left < CHARTS.points.single:
            return []
        return [unit for unit in self.state.on_map(self.side) if not self._piece_fault(unit)]

    def weak(self, unit: Unit) -> frozenset[str]:
        """11.5 The unit, if it is out of supply and so is slower."""
        return frozenset() if self.supply.has(unit) else frozenset({unit.id})

    def _piece_fault(self, unit: Unit) -> NotAllowed | None:
        if unit.id in self.reacted:
            return NotAllowed(f"{unit.id} has already reacted", "5.2")
        if not self.supply.has(unit) and not weaker(unit.piece.allowance):
            return NotAllowed(f"{unit.id} is out of supply and cannot move", "11.5")
        return None

    def _check_piece(self, id: str) -> Unit:
        unit = self.state.own(id, of_side(self.side), "5.2")
        if unit.place != "map":
            raise Overtaken(f"{id} is not on the map", "5.2")
        if self.army:
            raise NotAllowed("an army has reacted: that takes all three points", "5.2")
        if self.left < CHARTS.points.single:
            raise Overtaken("no reaction point is left for this opportunity", "5.2")
        if fault := self._piece_fault(unit):
            raise fault
        return unit

    # --- the request ---

    def subjects(self) -> Sequence[str]:
        found = list(self.series.subjects()) if self.series is not None else []
        if not self.spent and self.left >= CHARTS.points.army:
            found += [f"army {hq.id}" for hq in self.headquarters()]
        return [*found, *(f"piece {unit.id}" for unit in self.pieces())]

    def options(self, subject: str) -> Sequence[Order]:
        kind, _, id = subject.partition(" ")
        if kind == "piece" and id:
            return [Piece(id)]
        if kind == "army" and id:
            series, self.series = self.series, None
            found = super().options(id)
            self.series = series
            return found
        return super().options(subject)

    def check(self, order: Order | None) -> None:
        """Refuse what a rule forbids now. Raises NotAllowed."""
        match order:
            case Piece(unit):
                self._check_piece(unit)
            case Activate():
                if self.spent:
                    raise NotAllowed(
                        "an army reaction takes all three points, before any of them is spent", "5.2"
                    )
                if self.left < CHARTS.points.army:
                    raise Overtaken(f"an army reaction takes {CHARTS.points.army} points", "5.2")
                self.check_activate(order)
            case None | React():
                return
            case _ if self.series is None:
                raise NotAllowed("no headquarters or unit has been chosen to react yet", "5.2")
            case _:
                self.series.check(order)

    async def carry_out(self, order: Order) -> None:
        """Carry out a checked order."""
        match order:
            case React():  # said once more by who has answered already that he reacts
                return
            case Piece(id):
                self._begin_piece(self.state.units[id])
            case Activate():
                self._spend(CHARTS.points.army)
                self.army = True
                self.activate(order, cost=CHARTS.points.army)
            case _:
                await super().carry_out(order)
                self.supply = Supply(self.state, self.side)

    def _spend(self, points: int) -> None:
        spend(self.state, self.side, points)
        self.spent += points

    def _begin_piece(self, unit: Unit) -> None:
        """5.2, 11.5 A piece runs the track alone; without supply it is marked and slower."""
        self._spend(CHARTS.points.single)
        self.reacted.append(unit.id)
        unit.unsupplied = not self.supply.has(unit)
        self.series = Series(self.state, self.side, [unit], unsupplied=self.weak(unit))
        self.state.note(
            PieceActivated(
                case="5.2",
                side=self.side,
                name=unit.id,
                unsupplied=unit.unsupplied,
                left=self.state.reaction[self.side],
            )
        )
