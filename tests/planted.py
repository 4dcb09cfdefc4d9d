"""Clash of Twenty Hexes with faults planted in it, three for each check of pbem.testing."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from itertools import count
from typing import Any, cast

from fourth_game import GAME, setup
from fourth_game.clash import clash
from fourth_game.march import March
from fourth_game.notes import Moved as WellMoved
from fourth_game.orders import GRAMMAR, Free, Move, Retreat, Scout
from fourth_game.state import State
from fourth_game.tables import MAP, UNITS
from fourth_game.view import ClashView, board, roster, view

from pbem.engine.board import Board
from pbem.engine.desk import write
from pbem.engine.errors import NotAllowed
from pbem.engine.game import Game, Result, View
from pbem.engine.language import Order
from pbem.engine.notes import Note
from pbem.engine.offer import Offer
from pbem.engine.play import Ask, AskAll

COUNT = count()
red_march = GAME.phase("red_march").play
Rule = Callable[[State], Any]


def played(key: str, rule: Rule) -> Game[Any]:
    """The game with another rule for one phase."""
    phases = tuple(replace(each, play=rule) if each.key == key else each for each in GAME.phases)
    return replace(GAME, phases=phases)


def after(rule: Rule, change: Callable[[State], object]) -> Rule:
    """A rule, and then a change of the state."""

    async def both(state: State) -> None:
        await rule(state)
        change(state)

    return both


def clashing(change: Callable[[State], object]) -> Game[Any]:
    return played("clash", after(clash, change))


def wins(number: Callable[[], int]) -> Game[Any]:
    return clashing(lambda state: setattr(state, "wins", number()))


# --- rules ------------------------------------------------------------------------------------------------


async def endless(state: State) -> None:
    while True:
        await Ask(case="3.2", what="again", seat="blue", options=("yes", "no"))


async def dead_end(state: State) -> None:
    def refuse(answers: Any) -> None:
        raise NotAllowed("no answers go together", "3.2")

    asks = tuple(Ask(case="3.2", what=what, seat="blue", options=("B1", "B2")) for what in ("one", "other"))
    await AskAll(asks, refuse)


async def by_a_wrong_default(state: State) -> None:
    await Ask(case="3.2", what="who", seat="blue", options=("B1", "B2"), default="B9")


async def together(state: State) -> None:
    """Both sides write at the same time; what they write is the same for both."""
    await write(March(state, "red"), March(state, "blue"))


class Telling(March):
    """What an order would bring tells where the prize lies."""

    def offer(self, order: Order) -> Offer:
        return super().offer(order).adding(Offer(told=(f"the prize is in {self.state.prize}",)))


class Early(Telling):
    """What an order would bring tells where the prize lies, but only before red has marched."""

    def offer(self, order: Order) -> Offer:
        marched = any(self.state.units[unit] != UNITS[unit].hex for unit in ("R1", "R2"))
        return March.offer(self, order) if marched else super().offer(order)


class Leading(March):
    """The way to the prize is offered first."""

    def ways(self, unit: str) -> list[str]:
        prize = self.state.prize
        return sorted(super().ways(unit), key=lambda hex: MAP.grid.distance(hex, prize))


def reporting(**changes: Any) -> Game[Any]:
    """The game with another part of its report."""
    return replace(GAME, report=replace(GAME.report, **changes))


def crowded_from_the_start(scenario: str, options: Any) -> State:
    state = setup(scenario, options)
    state.units["R2"] = state.units["R1"]
    return state


@dataclass(slots=True, kw_only=True)
class Loose(State):
    extra: Any = None


def loose(value: Any) -> Game[Any]:
    """A state with a value that JSON gives back as another one."""

    def begin(scenario: str, options: Any) -> Loose:
        return Loose(scenario=scenario, options=dict(options), units=setup(scenario, options).units)

    return replace(clashing(lambda state: setattr(state, "extra", value)), state=Loose, setup=begin)


class Unheard(Note):
    """A note that the log has no words for."""


class Moved(Note):
    """A note whose words speak of a hex that it does not have."""

    unit: str


def noting(note: Note) -> Game[Any]:
    return clashing(lambda state: state.note(note))


# --- faces ------------------------------------------------------------------------------------------------


class OddView(ClashView):
    extra: Any = ()


def odd_view(state: State, seat: str) -> OddView:
    return OddView(**view(state, seat).model_dump(), extra=("a", "b"))


def titled(state: State, seat: str) -> View:
    return view(state, seat).model_copy(update={"title": f"Turn {None}"})


def shown_to_all(state: State, seat: str) -> View:
    return view(state, seat).model_copy(update={"prize": state.prize})


def told_by_the_roster(state: State, seat: str) -> Any:
    return replace(roster(state, seat), places={**MAP.called_places, "the prize": (state.prize,)})


def calling(places: dict[str, tuple[str, ...]], *seats: str) -> Game[Any]:
    """The game in which these are the only places that these seats can name."""

    def called(state: State, seat: str) -> Any:
        known = roster(state, seat)
        return replace(known, places=places) if seat in seats else known

    return replace(GAME, roster=called)


def first_of_all(seen: View, notes: tuple[Note, ...]) -> tuple[str, ...]:
    return (type(notes[0]).__name__,)


def off_the_map(seen: View, notes: tuple[Note, ...]) -> Board:
    drawn = board(seen, notes)
    return replace(drawn, counters=tuple(replace(face, hex="9999") for face in drawn.counters))


def restless(seen: View, notes: tuple[Note, ...]) -> Board:
    drawn = board(seen, notes)
    return replace(drawn, counters=tuple(replace(face, figures=str(next(COUNT))) for face in drawn.counters))


def misnamed(seen: View, notes: tuple[Note, ...]) -> Board:
    """Every counter is said to be the first unit."""
    drawn = board(seen, notes)
    return replace(drawn, counters=tuple(replace(face, unit="R1") for face in drawn.counters))


def no_charts(state: State) -> Any:
    raise KeyError("weather")


def no_sections(state: State, seat: str) -> Any:
    raise LookupError("sections")


def seated(**changes: Any) -> Game[Any]:
    """A game whose roster says who writes, so that orders of other seats are not read."""
    return replace(GAME, roster=lambda state, seat: replace(roster(state, seat), seat=seat), **changes)


def towards_the_prize(state: State, request: Any) -> Any:
    """The bot makes for the prize, whoever plays."""
    return lambda choice: (
        20.0 - MAP.grid.distance(choice.hex, state.prize) if isinstance(choice, Move) else 0.0
    )


def another_prize(state: State, seat: str) -> Iterator[State]:
    """1.1 Where the prize lies, which blue does not know."""
    if seat == "blue" and state.phase != "hide":
        yield replace(state, prize="0301" if state.prize != "0301" else "0302")


# --- the plants -------------------------------------------------------------------------------------------

Attributes = tuple[tuple[type, str, Any], ...]


@dataclass(frozen=True)
class Plant:
    """A fault: the game that has it, or what is changed in the classes of its orders, and in its files:
    (file, words, other words)."""

    name: str
    game: Game[Any] = GAME
    attributes: Attributes = ()
    files: tuple[tuple[str, str, str], ...] = ()


def phases(key: str, **changes: Any) -> Game[Any]:
    return replace(
        GAME, phases=tuple(replace(each, **changes) if each.key == key else each for each in GAME.phases)
    )


BY_HASH = [
    wins(lambda: hash("R1") % 1000),
    clashing(lambda state: setattr(state, "prize", "".join({"0301", "0302", "0303", "0304"}))),
    clashing(lambda state: setattr(state, "prize", max({f"{n:04}" for n in range(50)}, key=len))),
]
BY_HASH_0, BY_HASH_1, BY_HASH_2 = BY_HASH
CASES = '"3.3" = { title = "How the game is won", status = "code" }'
TIES = '"3.4" = { title = "Ties", status = "code" }'
FOR_BLUE: Attributes = ((Move, "seats", ("blue",)), (Move, "example", "move B1 to 0401"))

PLANTS: dict[str, tuple[Plant, ...]] = {
    "ends": (
        Plant("a phase asks for ever", played("clash", endless)),
        Plant("no answers go together", played("clash", dead_end)),
        Plant("a phase that is always played again", phases("clash", again=lambda state: True)),
        Plant("a winner who is not ahead", reporting(result=lambda _: Result("Red wins", "red", margin=0))),
    ),
    "invariants": (
        Plant("a clash crowds a hex", clashing(lambda state: state.units.update(B1=state.units["B2"]))),
        Plant("the set-up crowds a hex", replace(GAME, setup=crowded_from_the_start)),
        Plant(
            "a march crowds a hex",
            played("red_march", after(red_march, lambda state: state.units.update(R1=state.units["B1"]))),
        ),
    ),
    "shortcuts": (
        Plant("no unit is anywhere", replace(GAME, where=lambda state, unit: None)),
        Plant("the set-up for ever", replace(GAME, where=lambda state, unit: UNITS[unit].hex)),
        Plant("another turn", replace(GAME, heading=lambda state: f"Turn {state.turn + 1}")),
        Plant("a map of misnamed counters", reporting(board=misnamed)),
    ),
    "replays": (
        Plant("a rule draws a number", wins(lambda: random.randrange(10**9))),
        Plant("a rule counts in a module", wins(lambda: next(COUNT))),
        Plant("a rule reads the clock", wins(time.perf_counter_ns)),
    ),
    "snapshots": (
        Plant("a tuple", loose(("a", "b"))),
        Plant("numbers as keys", loose({1: "a"})),
        Plant("a set", loose({"a"})),
    ),
    "words": (
        Plant("a note without a macro", noting(Unheard(case="3.1"))),
        Plant("a macro that wants another fact", noting(Moved(case="2.1", unit="R1"))),
        Plant("a fact that is missing", noting(WellMoved(case="2.1", unit="R1", hex=cast(Any, None)))),
    ),
    "reports": (
        Plant("a summary that wants a note", reporting(summary=first_of_all)),
        Plant("a title with a gap", replace(GAME, view=titled)),
        Plant("charts that fail", reporting(charts=no_charts)),
    ),
    "views": (
        Plant("a view that JSON changes", replace(GAME, view=odd_view)),
        Plant("counters off the map", reporting(board=off_the_map)),
        Plant("a map that the view does not decide", reporting(board=restless)),
    ),
    "offers": (
        Plant("blue is offered what red may do", seated(), ((Move, "seats", ("red",)),)),
        Plant("red is offered what blue may do", seated(), FOR_BLUE),
        Plant(
            "both write, and only red may",
            seated(phases=played("red_march", together).phases),
            ((Move, "seats", ("red",)),),
        ),
    ),
    "secrets": (
        Plant("the view", replace(GAME, view=shown_to_all)),
        Plant("the roster", replace(GAME, roster=told_by_the_roster)),
        Plant("the charts", reporting(charts=lambda state: {"prize": (f"in {state.prize}",)})),
        Plant("an offer", played("blue_march", lambda state: write(Telling(state, "blue")))),
        Plant("an offer before its turn", played("blue_march", lambda state: write(Early(state, "blue")))),
        Plant("a bot that knows too much", replace(GAME, judge=towards_the_prize)),
        Plant("the order of the options", played("blue_march", lambda state: write(Leading(state, "blue")))),
    ),
    "declarations": (
        Plant("a section without orders", phases("red_march", sections=("march", "rest"))),
        Plant("an order of a section alone", replace(GAME, grammar=replace(GRAMMAR, orders=(Move,)))),
        Plant("a seat that there is not", phases("clash", seats=("blue", "green"))),
        Plant(
            "a heading of no phase",
            replace(GAME, grammar=replace(GRAMMAR, sections={**GRAMMAR.sections, "rest": (Scout,)})),
        ),
    ),
    "places": (
        Plant("a roster without places", calling({}, "red", "blue")),
        Plant("a place that one side cannot name", calling({}, "blue")),
        Plant("a place that is another hex", calling({"Mill": ("0303",)}, "red", "blue")),
    ),
    "examples": (
        Plant("an order that cannot be read", GAME, ((Move, "example", "move R1 twice"),)),
        Plant("a condition that cannot be read", GAME, ((Free, "example", "if 0201 is full"),)),
        Plant("a standing order of an unknown unit", GAME, ((Retreat, "example", "standing retreat: R9"),)),
    ),
    "hashing": (
        Plant("a hash", BY_HASH[0]),
        Plant("the order of a set", BY_HASH[1]),
        Plant("the first of equals in a set", BY_HASH[2]),
    ),
    "letters": (
        Plant("a default that is no choice", played("clash", by_a_wrong_default)),
        Plant("sections that fail", phases("blue_march", sections_of=no_sections)),
        Plant("a result with a gap", reporting(result=lambda state: Result(f"{None} wins", "red"))),
    ),
    "cases": (
        Plant("a case that is not listed", files=(("march.py", '"2.1"', '"2.9"'),)),
        Plant("a case that no code cites", files=(("data/cases.toml", CASES, f"{CASES}\n{TIES}"),)),
        Plant("a case that no test names", files=(("test_fourth_game.py", "3.3", "3.1"),)),
    ),
}  # fmt: skip
