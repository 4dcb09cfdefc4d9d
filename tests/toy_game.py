"""A small whole game for the tests of service and command line, found by its entry point like any other.

Two sides of two units on a map of fifteen hexes. In each of three turns red moves, then blue, then a die is thrown; if it is high, blue
decides where a unit of his retreats. A sealed lot, which only red may read, says where a prize lies.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any, ClassVar

from pbem.engine.board import Board, Counter
from pbem.engine.errors import NotAllowed
from pbem.engine.game import Game, GameState, Option, Phase, Result, Seat, View
from pbem.engine.map import Map
from pbem.engine.notes import Note
from pbem.engine.orders import Condition, Grammar, Order, Policy, Roster, RosterUnit
from pbem.engine.play import Ask, Draw, Orders, Roll

TURNS = 3
START = {"R1": "0101", "R2": "0102", "B1": "0502", "B2": "0503"}


@cache
def land() -> Map:
    return Map.load(Path(__file__).parent / "toy_map.toml")


@dataclass(frozen=True, slots=True)
class Move(Order):
    unit: str
    hex: str

    verb: ClassVar[str] = "move"
    usage: ClassVar[str] = "move <unit> [to] <hex>"
    help: ClassVar[str] = "Moves a unit to a neighbouring hex, once in a turn."
    example: ClassVar[str] = "move R1 to 0201"
    case: ClassVar[str] = "2.1"


@dataclass(frozen=True, slots=True)
class Scout(Order):
    unit: str
    hex: str

    verb: ClassVar[str] = "scout"
    usage: ClassVar[str] = "scout <hex> with <unit>"
    help: ClassVar[str] = "Looks at a hex; what stands there is revealed."
    example: ClassVar[str] = "scout 0502 with R1"
    case: ClassVar[str] = "2.2"


@dataclass(frozen=True, slots=True)
class Free(Condition):
    hex: str

    usage: ClassVar[str] = "<hex> is free"
    help: ClassVar[str] = "nobody stands there"
    example: ClassVar[str] = "0201 is free"


@dataclass(frozen=True, slots=True)
class Retreat(Policy):
    way: str

    kind: ClassVar[str] = "retreat"
    usage: ClassVar[str] = "<way>"
    help: ClassVar[str] = "which unit goes back"
    example: ClassVar[str] = "B1"
    case: ClassVar[str] = "3.2"

    def decide(self, ask: Ask[Any], earlier: Mapping[str, Any]) -> Any | None:
        return self.way if self.way in ask.options else None


GRAMMAR = Grammar(
    orders=(Move, Scout),
    conditions=(Free,),
    policies=(Retreat,),
    words={"way": ("B1", "B2", "nobody")},
    sections={"march": (Move, Scout)},
)


@dataclass(slots=True, kw_only=True)
class State(GameState):
    units: dict[str, str] = field(default_factory=dict)
    moved: list[str] = field(default_factory=list)
    prize: str = ""
    wins: int = 0

    def own(self, seat: str) -> list[str]:
        return [unit for unit in self.units if unit.lower().startswith(seat[0])]


@dataclass(frozen=True, slots=True, kw_only=True)
class Moved(Note):
    unit: str
    hex: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Prize(Note):
    hex: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Spied(Note):
    unit: str
    hex: str

    reveals: ClassVar[bool] = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Fought(Note):
    die: int
    result: str


async def hide(state: State) -> None:
    """1.1 A lot decides where the prize lies; only red learns it."""
    (state.prize,) = await Draw(case="1.1", what="prize", pool=("0301", "0302", "0303"), sealed=True)
    state.note(Prize(case="1.1", readers=("red",), hex=state.prize))


async def march(state: State, seat: str) -> None:
    """2.1 A side moves its units, one hex each."""
    state.moved = []
    while (order := await writing(state, seat)) is not None:
        state.moved.append(order.unit)
        if isinstance(order, Scout):
            for unit, hex in state.units.items():
                if hex == order.hex:
                    state.note(Spied(case="2.2", readers=(seat,), unit=unit, hex=hex))
        else:
            state.units[order.unit] = order.hex
            state.note(Moved(case="2.1", unit=order.unit, hex=order.hex))


async def red_march(state: State) -> None:
    """2.1 Red moves."""
    await march(state, "red")


async def blue_march(state: State) -> None:
    """2.1 Blue moves."""
    await march(state, "blue")


def writing(state: State, seat: str) -> Orders[Any]:
    def ways(unit: str) -> list[str]:
        near = land().grid.neighbours(state.units[unit])
        return [hex for hex in near if hex not in state.units.values()]

    def subjects() -> list[str]:
        return [unit for unit in state.own(seat) if unit not in state.moved and ways(unit)]

    def check(order: Order | None) -> None:
        if order is None:
            return
        if not isinstance(order, Move | Scout) or order.unit not in state.own(seat):
            raise NotAllowed("that is not a unit of yours", "2.1", legal=tuple(state.own(seat)))
        if order.unit in state.moved:
            raise NotAllowed(f"{order.unit} has moved", "2.1")
        if isinstance(order, Move) and order.hex not in ways(order.unit):
            raise NotAllowed(f"{order.unit} cannot go to {order.hex}", "2.1", legal=tuple(ways(order.unit)))

    return Orders(
        case="2.1",
        what=f"{seat} moves",
        seat=seat,
        section="march",
        takes=(Move, Scout),
        check=check,
        subjects=subjects,
        options=lambda unit: [Move(unit, hex) for hex in ways(unit)],
        load=GRAMMAR.load,
    )


async def clash(state: State) -> None:
    """3.1 A die of four or more pushes blue back: he says which unit goes home."""
    die = await Roll(case="3.1", what="clash")
    if die < 4:
        state.note(Fought(case="3.1", die=die, result="blue holds", roll=state.rolls))
        return
    state.wins += 1
    back = await Ask(case="3.2", what="who goes back", seat="blue", options=("B1", "B2"), kind="retreat")
    home = START[back]
    if home not in state.units.values():
        state.units[back] = home
    state.note(Fought(case="3.1", die=die, result=f"red wins, {back} goes back", roll=state.rolls))


class ToyView(View):
    units: dict[str, str]
    prize: str = ""


def view(state: State, seat: str) -> ToyView:
    return ToyView(
        game="clash",
        seat=seat,
        turn=state.turn,
        phase=state.phase,
        title=f"Turn {state.turn}, {GAME.phase(state.phase).title}" if state.phase else "The game is over",
        units=dict(state.units),
        prize=state.prize if seat in ("red", "umpire") else "",
    )


def board(seen: View, notes: tuple[Note, ...]) -> Board:
    assert isinstance(seen, ToyView)
    counters = tuple(
        Counter(hex, "german" if unit.startswith("B") else "allied", "1-1", unit)
        for unit, hex in seen.units.items()
    )
    return Board(land(), "Clash", seen.title, counters, legend={"allied": "Red", "german": "Blue"})


def roster(state: State, seat: str) -> Roster:
    units = {
        unit: RosterUnit(unit, "1-1", hex, enemy=unit not in state.own(seat))
        for unit, hex in state.units.items()
    }
    return Roster(units, frozenset(land().grid.ids))


def over(state: State) -> bool:
    return state.turn == TURNS and state.phase == "clash"


def invariants(state: State) -> Iterator[str]:
    if len(set(state.units.values())) != len(state.units):
        yield "two units in one hex"


def set_up(scenario: str, options: Mapping[str, str]) -> State:
    return State(scenario=scenario, options=dict(options), units=dict(START))


def holds(state: State, seat: str, condition: Any) -> bool:
    return condition.hex not in state.units.values()


GAME: Game[State] = Game(
    key="clash",
    title="Clash of Fifteen Hexes",
    seats=(Seat("red", "Red", "red"), Seat("blue", "Blue", "blue")),
    scenarios={"meeting": "Both sides advance"},
    options=(Option("weather", ("dry", "wet"), "changes nothing", "1.1"),),
    turns=TURNS,
    state=State,
    setup=set_up,
    phases=(
        Phase("hide", "Hiding", hide, (), when=lambda state: state.turn == 1),
        Phase("red_march", "Red march", red_march, ("red",), ("march",)),
        Phase("blue_march", "Blue march", blue_march, ("blue",), ("march",)),
        Phase("clash", "Clash", clash, ("blue",)),
    ),
    over=over,
    grammar=GRAMMAR,
    roster=roster,
    holds=holds,
    view=view,
    board=board,
    summary=lambda seen, notes: (f"{len(notes)} things have happened.",),
    result=lambda state: Result(
        f"{state.wins} wins", "red" if state.wins > 1 else "blue", (("wins", str(state.wins), "3.1"),)
    ),
    preview=lambda state, seat, order: ("red wins the clash with 3 in 6",),
    worth=lambda state, request, choice: 1.0 if isinstance(choice, Move) else 0.0,
    invariants=invariants,
)
