"""A small game in which lots decide who acts next, for the tests of drawn phases and of seats
that the game plays itself.

Red has the commands A1 and A2, blue B1 and B2, each with two units. In a turn red first picks a hex,
then the four commands act in the order in which they are drawn: a unit goes one hex,
and whoever enters the middle hex throws a die.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from fourth_game.tables import MAP
from given import Given

from pbem.engine.board import Board, Counter
from pbem.engine.desk import Desk
from pbem.engine.errors import NotAllowed, Overtaken
from pbem.engine.game import Ahead, Game, GameState, Option, Phase, Report, Result, Scenario, Seat, View
from pbem.engine.language import Condition, Grammar, Line, Order, Roster, RosterUnit
from pbem.engine.notes import Note
from pbem.engine.play import Ask, Draw, Roll

TITLES = {"A1": "Alpha One", "A2": "Alpha Two", "B1": "Bravo One", "B2": "Bravo Two"}
OWN = {"red": ("A1", "A2"), "blue": ("B1", "B2")}
START = {
    "1a": "0101", "2a": "0102", "3a": "0103", "4a": "0303",
    "1b": "0501", "2b": "0502", "3b": "0503", "4b": "0301",
}  # fmt: skip
UNITS = {"A1": ("1a", "2a"), "A2": ("3a", "4a"), "B1": ("1b", "2b"), "B2": ("3b", "4b")}
MIDDLE = "0302"
TURNS = 2


class Pick(Order):
    usage = "pick <hex>"
    help = "Picks a hex."
    example = "pick 0302"
    case = "1.1"

    hex: str


class Go(Order):
    verb = "go"
    usage = "[go] <unit> to <hex>"
    help = "A unit of the command goes one hex."
    example = "go 1a to 0201"
    case = "2.2"

    unit: str
    hex: str


class Free(Condition):
    usage = "<hex> is free"
    help = "No unit is in the hex."
    example = "0302 is free"

    hex: str

    def holds(self, state: Any, seat: str) -> bool:
        return self.hex not in state.units.values()


class At(Condition):
    usage = "[<unit>] at <hex>"
    help = "The unit is in the hex; without a name, the unit of the line."
    example = "1a at 0101"

    hex: str
    unit: str = ""

    def about(self, order: Order) -> At:
        return At(self.hex, self.unit or str(getattr(order, "unit", "")))

    def holds(self, state: Any, seat: str) -> bool:
        return bool(state.units[self.unit] == self.hex)


GRAMMAR = Grammar(
    orders=(Pick, Go),
    conditions=(Free, At),
    sections={"pick": (Pick,)} | dict.fromkeys(TITLES, (Go,)),
    titles=TITLES,
)


@dataclass(slots=True, kw_only=True)
class State(GameState):
    units: dict[str, str] = field(default_factory=dict)
    acted: list[str] = field(default_factory=list)
    picked: str = ""
    dice: list[int] = field(default_factory=list)


class Drawn(Note):
    command: str


class Gone(Note):
    unit: str
    hex: str


class Thrown(Note):
    unit: str
    die: int


async def pick(state: State) -> None:
    """1.1 Red picks a hex; a new turn begins."""
    state.acted, state.picked = [], ""
    order: Pick | None = await Given(
        case="1.1", what="the hex", seat="red", section="pick", takes=(Pick,), check=lambda order: None,
        subjects=lambda: [MIDDLE], options=lambda hex: [Pick(hex)],
    )  # fmt: skip
    if order is not None:
        state.picked = order.hex


async def act(state: State) -> None:
    """2.1 The next command is drawn and acts."""
    pool = tuple(command for command in TITLES if command not in state.acted)
    (command,) = await Draw(case="2.1", what="who acts next", pool=pool)
    state.acted.append(command)
    state.note(Drawn(case="2.1", command=command))
    if state.options.get("asks") == "yes":
        await Ask(case="2.1", what=f"how {command} acts", seat=owner(command), options=("calmly", "in haste"))
    gone: list[str] = []
    while (order := await writing(state, command, gone)) is not None:
        gone.append(order.unit)
        state.units[order.unit] = order.hex
        state.note(Gone(case="2.2", unit=order.unit, hex=order.hex))
        if order.hex == MIDDLE:
            die = await Roll(case="2.3", what=f"{order.unit} in the middle")
            state.dice.append(die)
            state.note(Thrown(case="2.3", unit=order.unit, die=die, roll=state.rolls))


def writing(state: State, command: str, gone: list[str]) -> Desk[Any]:
    def ways(unit: str) -> list[str]:
        near = MAP.grid.neighbours(state.units[unit])
        return [hex for hex in near if hex not in state.units.values()]

    def check(order: Go | None) -> None:
        if order is None:
            return
        if order.unit not in UNITS[command]:
            raise NotAllowed(f"{order.unit} is not of {command}", "2.2", legal=UNITS[command])
        if order.unit in gone:
            raise NotAllowed(f"{order.unit} has gone", "2.2")
        if order.hex in state.units.values() and order.hex == MIDDLE:
            raise Overtaken(f"{order.hex} is taken", "2.2")
        if order.hex not in ways(order.unit):
            raise NotAllowed(f"{order.unit} cannot go to {order.hex}", "2.2", legal=ways(order.unit))

    return Given(
        case="2.2", what=f"{command} acts", seat=owner(command), section=command, takes=(Go,), check=check,
        told=lambda order: (f"{order.verb} seen from {state.phase}",),
        subjects=lambda: [unit for unit in UNITS[command] if unit not in gone],
        options=lambda unit: [Go(unit, hex) for hex in ways(unit)],
    )  # fmt: skip


def owner(command: str) -> str:
    return next(seat for seat, commands in OWN.items() if command in commands)


def still(state: State, seat: str) -> tuple[str, ...]:
    return tuple(command for command in OWN[seat] if state.phase == "pick" or command not in state.acted)


def never(state: State, seat: str, line: Line) -> str:
    """A unit of another command cannot go with this one."""
    if isinstance(line.order, Go) and line.order.unit not in UNITS.get(line.section, ()):
        return f"{line.order.unit} never acts with {line.section} [2.2]"
    return ""


class LotsView(View):
    units: dict[str, str]


def view(state: State, seat: str) -> LotsView:
    title = f"Turn {state.turn}, {GAME.phase(state.phase).title}" if state.phase else "The game is over"
    return LotsView(
        game="lots", seat=seat, turn=state.turn, phase=state.phase, title=title, units=dict(state.units)
    )


def board(seen: View, notes: tuple[Note, ...]) -> Board:
    assert isinstance(seen, LotsView)
    counters = tuple(
        Counter(hex, "allied" if unit.endswith("a") else "german", "1-1", unit)
        for unit, hex in seen.units.items()
    )
    return Board(MAP, "Lots", seen.title, counters, legend={"allied": "Red", "german": "Blue"})


def roster(state: State, seat: str) -> Roster:
    own = {unit for command in OWN.get(seat, ()) for unit in UNITS[command]}
    units = {unit: RosterUnit(unit, "1-1", hex, enemy=unit not in own) for unit, hex in state.units.items()}
    return Roster(units, frozenset(MAP.grid.ids))


def invariants(state: State) -> Iterator[str]:
    if len(set(state.units.values())) != len(state.units):
        yield "two units in one hex"


async def rehearse(desk: Desk[Any]) -> None:
    """Take orders one after another, each judged as if it were the only one, and carry out none of them."""
    while await desk is not None:
        pass


def ahead(state: State, seat: str, section: str) -> Any:
    return rehearse(writing(state, section, [])) if section in OWN[seat] else None


GAME: Game[State] = Game(
    key="lots",
    title="Lots",
    seats=(
        Seat("red", "Red", "red"),
        Seat("blue", "Blue", "blue", system=lambda options: options.get("players") == "one"),
    ),
    scenarios={"one": Scenario("Four commands", TURNS)},
    options=(
        Option("players", ("two", "one"), "one: blue is played by the game", "0.1"),
        Option("asks", ("no", "yes"), "yes: the owner of a command is asked how it acts", "2.1"),
    ),
    state=State,
    setup=lambda scenario, options: State(scenario=scenario, options=dict(options), units=dict(START)),
    phases=(
        Phase("pick", "Pick", pick, ("red",), ("pick",)),
        Phase(
            "act", "Acts", act, ("red", "blue"), tuple(TITLES),
            again=lambda state: len(state.acted) < len(TITLES), drawn=True, ahead=Ahead(ahead, never),
            sections_of=still,
        ),
    ),
    grammar=GRAMMAR,
    roster=roster,
    view=view,
    report=Report(
        board=board,
        summary=lambda seen, notes: (f"{len(notes)} things have happened.",),
        result=lambda state: Result("played", None, (("dice", str(sum(state.dice)), "2.3"),)),
    ),
    judge=lambda state, request: lambda choice: float(isinstance(choice, Go) and choice.hex == MIDDLE),
    invariants=invariants,
)  # fmt: skip
