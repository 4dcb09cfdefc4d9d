"""The desk: lines fed to rules that throw dice between orders."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pytest
from given import Given

from pbem.engine.board import Board
from pbem.engine.desk import Desk
from pbem.engine.errors import NotAllowed, Overtaken
from pbem.engine.game import Game, GameState, Phase, Report, Result, Scenario, Seat, View
from pbem.engine.language import Grammar, Order, Roster, RosterUnit
from pbem.engine.play import Chance, Roll
from pbem.service.play.papers import ForPhase, Late, Papers
from pbem.service.play.sheet import SheetLine
from pbem.service.play.steps import Position, play_on


class Raid(Order):
    usage = "raid <unit> [<look:=and look>]"
    help = "Throws a die."
    example = "raid a"
    case = "1"

    unit: str
    look: bool = False

    @property
    def pauses(self) -> bool:
        return self.look


@dataclass(slots=True, kw_only=True)
class State(GameState):
    raided: list[str]


GRAMMAR = Grammar(orders=(Raid,), sections={"raids": (Raid,)})
UNITS = {name: RosterUnit(name, "1-1", "0101") for name in ("a1", "b1", "c1", "lost1", "bad1")}


async def raids(state: State) -> None:
    """Orders with a die after each."""

    def check(order: Raid | None) -> None:
        if order is not None and order.unit == "bad1":
            raise NotAllowed("bad1 may not raid", "1")
        if order is not None and order.unit == "lost1":
            raise Overtaken("lost1 was thrown back", "1")

    request: Desk[Raid] = Given(
        case="1", what="raids", seat="red", section="raids", takes=(Raid,), check=check,
        subjects=lambda: tuple(UNITS), options=lambda unit: (Raid(unit),),
    )  # fmt: skip
    while (order := await request) is not None:
        await Roll(case="1", what=f"raid of {order.unit}")
        state.raided.append(order.unit)


def nothing(state: State) -> Iterator[str]:
    return iter(())


def board(view: View, notes: Any) -> Board:
    raise AssertionError("no map is asked for")


GAME: Game[State] = Game(
    key="raids",
    title="Raids",
    seats=(Seat("red", "Red", "red"),),
    scenarios={"one": Scenario("", 1)},
    options=(),
    state=State,
    setup=lambda scenario, options: State(scenario=scenario, raided=[]),
    phases=(Phase("raids", "Raids", raids, ("red",), ("raids",)),),
    grammar=GRAMMAR,
    roster=lambda state, seat: Roster(UNITS),
    view=lambda state, seat: View(game="raids", seat=seat, turn=1, phase="", title=""),
    report=Report(board=board, summary=lambda view, notes: (), result=lambda state: Result("over", None)),
    judge=lambda state, request: lambda choice: 0.0,
    invariants=nothing,
)


def dice(state: GameState, label: str, number: int) -> Any:
    def throw(request: Chance, label: str) -> list[Any]:
        return [6]

    return throw


def played(*lines: str, forced: bool = False) -> tuple[list[str], Any, Papers]:
    """The raids that came about, the last step, and what is left of the papers."""
    text = [(0, "[raids]"), *enumerate(lines, 1)]
    orders = GRAMMAR.read(text, Roster(UNITS)).orders
    assert len(orders) == len(lines)
    kept = [SheetLine(number, line.section, line.text, line) for number, line in enumerate(orders, 1)]
    raids = frozenset({"raids"})
    closed, late = (frozenset(), Late(raids)) if forced else (raids, None)
    papers = Papers("red", tuple(kept), closed, phase=ForPhase(late=late))
    steps, left = play_on(GAME, Position(1, GAME.dump(GAME.start())), {"red": papers}, dice)
    return steps[-1].state.raided, steps[-1], left["red"]  # type: ignore[attr-defined]


def said(step: Any) -> list[tuple[int, str]]:
    """What became of each line: its name, and why it was passed over."""
    return [(outcome.line.name, outcome.skipped) for outcome in step.outcomes]


def test_a_closed_section_does_not_stop_for_a_line() -> None:
    """A line that cannot be carried out when its time has come is passed over, with the reason; those behind
    it are carried out."""
    raided, step, papers = played("raid a1", "raid bad1", "raid b1")
    assert raided == ["a1", "b1"] and step.over and papers.lines == ()
    assert said(step) == [(1, ""), (2, "bad1 may not raid [1]"), (3, "")]


def test_a_pause_stops_the_letter_and_keeps_the_rest() -> None:
    """After an order that pauses nothing further is done until its writer has spoken again: the rest is a
    draft."""
    raided, step, papers = played("raid a1 and look", "raid b1")
    assert raided == ["a1"] and isinstance(step.waiting, Desk) and step.halted == {("red", "raids")}
    assert [line.name for line in papers.lines] == [2] and papers.closed == set()


def test_a_pause_of_its_own() -> None:
    """PAUSE between lines stops there."""
    raided, step, papers = played("raid a1", "pause", "raid b1")
    assert raided == ["a1"] and [line.name for line in papers.lines] == [3] and papers.closed == set()
    assert isinstance(step.waiting, Desk)


@pytest.mark.parametrize(
    "lines", [("raid a1", "raid bad1", "raid b1"), ("raid bad1", "raid a1 and look", "raid b1")]
)
def test_nothing_stops_at_the_deadline(lines: tuple[str, ...]) -> None:
    """When its time is up, a seat's good orders are carried out and the section ends."""
    raided, step, _ = played(*lines, forced=True)
    assert raided == ["a1", "b1"] and step.over


def test_why_neither_an_order_nor_its_else_was_carried_out() -> None:
    """Where both fail, both reasons are given."""
    raided, step, _ = played("try raid bad1 else raid lost1", "raid a1")
    assert raided == ["a1"]
    assert step.outcomes[0].skipped == "bad1 may not raid [1]; else: lost1 was thrown back [1]"
