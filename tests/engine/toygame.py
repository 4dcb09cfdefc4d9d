"""A small whole game for the engine's tests: two sides of three units on a row of twelve squares.

It has every kind of request: set-up by both seats at the same time, compulsory orders, moves that bring the
same unit back, counted dice, a draw, single decisions and batches whose answers must go together.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from given import Given

from pbem.engine.board import Board
from pbem.engine.desk import Desk, FirstOf
from pbem.engine.errors import NotAllowed
from pbem.engine.game import Game, GameState, Phase, Rate, Report, Result, Scenario, Seat, View
from pbem.engine.language import Grammar, Order, Roster
from pbem.engine.notes import Note
from pbem.engine.play import Ask, AskAll, Draw, Hits, Roll

SQUARES = 12
TURNS = 4
HOME = {"red": range(4), "blue": range(8, 12)}


class Place(Order):
    usage = "place <unit> at <square:number>"
    help = "Sets up a unit on its side's squares."
    example = "place red1 at 2"
    case = "1.1"

    unit: str
    square: int


class Step(Order):
    usage = "step <unit> to <square:number>"
    help = "Moves a unit one square; a unit has three steps in a turn."
    example = "step red1 to 3"
    case = "2.1"

    unit: str
    square: int


GRAMMAR = Grammar(orders=(Place, Step))


@dataclass(slots=True, kw_only=True)
class Toy(GameState):
    squares: dict[str, int] = field(default_factory=dict)
    steps: dict[str, int] = field(default_factory=dict)
    lost: list[str] = field(default_factory=list)

    def own(self, side: str) -> list[str]:
        return [unit for unit in self.squares if unit.startswith(side)]

    @property
    def over(self) -> bool:
        """4.1 The game lasts until a side has no units left."""
        placed = self.turn > 1 or self.phase != "set_up"
        return placed and not (self.own("red") and self.own("blue"))


class Fought(Note):
    square: int
    hits: int


def units(side: str) -> tuple[str, ...]:
    return tuple(f"{side}{number}" for number in (1, 2, 3))


async def set_up(state: Toy) -> None:
    """1.1 Both sides place all their units at the same time."""
    writing = ["red", "blue"]
    while writing:
        seat, order = await FirstOf(tuple(_placing(state, side) for side in writing))
        if order is None:
            writing.remove(seat)
        else:
            state.squares[order.unit] = order.square


def _placing(state: Toy, side: str) -> Desk[Any]:
    def check(order: Place | None) -> None:
        if order is None:
            if missing := [unit for unit in units(side) if unit not in state.squares]:
                raise NotAllowed(f"{missing[0]} has not been placed", "1.1")
        elif order.unit not in units(side) or order.square not in HOME[side]:
            raise NotAllowed(f"{order.unit} cannot be placed at {order.square}", "1.1")

    return Given(
        case="1.1", what=f"set-up of {side}", seat=side, section="set-up", takes=(Place,), check=check,
        subjects=lambda: units(side),
        options=lambda unit: [Place(unit, square) for square in HOME[side]],
    )  # fmt: skip


async def red_moves(state: Toy) -> None:
    await _move(state, "red")


async def blue_moves(state: Toy) -> None:
    await _move(state, "blue")


async def _move(state: Toy, side: str) -> None:
    """2.1 Each unit has three steps."""
    state.steps = dict.fromkeys(state.own(side), 3)

    def ways(unit: str) -> list[Step]:
        if state.steps[unit] == 0:
            return []
        here = state.squares[unit]
        held = {state.squares[other] for other in state.squares if not other.startswith(side)}
        return [Step(unit, to) for to in (here - 1, here + 1) if 0 <= to < SQUARES and to not in held]

    def check(order: Step | None) -> None:
        if order is not None and (order.unit not in state.steps or order not in ways(order.unit)):
            raise NotAllowed(f"{order.unit} cannot go to {order.square}", "2.1")

    def subjects() -> Sequence[str]:
        return [unit for unit, left in state.steps.items() if left]

    while subjects():
        order: Step | None = await Given(
            case="2.1", what=f"moves of {side}", seat=side, section="movement", takes=(Step,),
            check=check, subjects=subjects, options=ways,
        )  # fmt: skip
        if order is None:
            return
        state.squares[order.unit] = order.square
        state.steps[order.unit] -= 1


async def fights(state: Toy) -> None:
    """3.1 Neighbours fight, from left to right; 3.2 a lot says who first; 3.3 both lose the same number of
    units."""
    (first,) = await Draw(case="3.2", what="who chooses first", pool=("red", "blue", "blue"))
    for square in range(SQUARES - 1):
        red = [unit for unit in state.own("red") if abs(state.squares[unit] - square) == 0]
        blue = [unit for unit in state.own("blue") if abs(state.squares[unit] - square) == 1]
        if not red or not blue:
            continue
        hits = await Hits(case="3.1", what=f"fight at {square}", count=len(red) + len(blue), at_least=5)
        state.note(Fought(case="3.1", square=square, hits=hits, roll=state.rolls))
        if hits:
            await _losses(state, first, square, red, blue)
        if await Roll(case="3.4", what=f"retreat from {square}", sides=3) == 1 and (left := state.own(first)):
            back = await Ask(case="3.4", what=f"retreat from {square}", seat=first, options=(*left, "nobody"))
            if back != "nobody":
                state.squares[back] = HOME[first][0]


async def _losses(state: Toy, first: str, square: int, red: list[str], blue: list[str]) -> None:
    def together(answers: tuple[Any, ...]) -> None:
        if len({answer == "none" for answer in answers}) > 1:
            raise NotAllowed("both lose a unit, or neither does", "3.3")

    asks = {
        side: Ask(
            case="3.3", what=f"{side} loss at {square}", seat=side, options=(*own, "none"), default="none"
        )
        for side, own in (("red", red), ("blue", blue))
    }
    other = "blue" if first == "red" else "red"
    for unit in await AskAll((asks[first], asks[other]), together):
        if unit != "none":
            del state.squares[unit]
            state.lost.append(unit)


def judge(state: Toy, request: Any) -> Rate:
    """Red goes right, blue goes left; a lost enemy is as good as a lost unit is bad."""

    def rate(choice: Any) -> float:
        if isinstance(choice, Step):
            ahead = choice.square - state.squares[choice.unit]
            return ahead if choice.unit.startswith("red") else -ahead
        return 0

    return rate


def invariants(state: Toy) -> Iterator[str]:
    if len(state.squares) + len(state.lost) != 6:
        yield f"{len(state.squares)} units and {len(state.lost)} losses do not make six"


def _set_up(scenario: str, options: Mapping[str, str]) -> Toy:
    return Toy(scenario=scenario, options=dict(options))


TOY: Game[Toy] = Game(
    key="toy",
    title="Twelve Squares",
    seats=(Seat("red", "Red", "red"), Seat("blue", "Blue", "blue")),
    scenarios={"meeting": Scenario("Both sides advance", TURNS)},
    options=(),
    state=Toy,
    setup=_set_up,
    phases=(
        Phase("set_up", "Set-up", set_up, ("red", "blue"), ("set-up",), lambda state: state.turn == 1),
        Phase("red_moves", "Red moves", red_moves, ("red",), ("movement",)),
        Phase("blue_moves", "Blue moves", blue_moves, ("blue",), ("movement",)),
        Phase("fights", "Fights", fights, ("red", "blue")),
    ),
    grammar=GRAMMAR,
    roster=lambda state, seat: Roster({}),
    view=lambda state, seat: View(
        game="toy", seat=seat, turn=state.turn, phase=state.phase, title=f"Turn {state.turn}"
    ),
    report=Report(
        board=lambda view, notes: _no_board(),
        summary=lambda view, notes: (),
        result=lambda state: Result("even", None, (("units lost", str(len(state.lost)), "4.1"),)),
    ),
    judge=judge,
    invariants=invariants,
)


def _no_board() -> Board:
    raise NotAllowed("this game has no map to draw", "")
