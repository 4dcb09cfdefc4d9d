"""How often the lines of a letter are tried."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from dataclasses import replace
from typing import Any

import pytest

from pbem.engine.game import Phase, game
from pbem.engine.play import Request, advance
from pbem.service.play.judging import judge
from pbem.service.play.papers import Papers
from pbem.service.play.sheet import SheetLine
from pbem.service.play.steps import Position, resume
from pbem.testing.odds import fallbacks

RULES = game("rampage")
Play = Callable[[Any], Coroutine[Request, Any, None]]


@pytest.fixture
def operations() -> Position:
    """The first operations of a game against the system."""
    state = RULES.start()
    advance(RULES.phase(state.phase).play(state), state, answers=fallbacks)
    RULES.next_phase(state)
    assert state.phase == "operations"
    return Position(1, RULES.dump(state))


def tries(position: Position, *written: str) -> tuple[list[str], int]:
    """What becomes of these lines, and how often the phase is played to find out."""
    here, played = resume(RULES, position), []

    def counted(phase: Phase[Any]) -> Phase[Any]:
        def play(state: Any, play: Play = phase.play) -> Coroutine[Request, Any, None]:
            played.append(phase.key)
            return play(state)

        return replace(phase, play=play)

    rules = replace(RULES, phases=tuple(counted(phase) for phase in RULES.phases))
    numbered = [(0, "[operations]"), *enumerate(written, 1)]
    reading = rules.grammar.read(numbered, rules.roster(here.state, "allied"))
    lines = [SheetLine(name, line.section, line.text, line) for name, line in enumerate(reading.orders, 1)]
    found = judge(rules, position, Papers("allied", tuple(lines)), ["allied"], lambda note: (), here)
    return [verdict.state for verdict in found.verdicts], played.count("operations")


FAR = "move GdsA to 1003"
ATTACK = "move 7BrA, 4CanA, 1PolA, 51BrInf, 2CanInf, 3CanInf to 1702"


def test_a_line_that_chance_cannot_help_is_tried_once(operations: Position) -> None:
    """Where no die is rolled, no other luck is tried for a line that is refused."""
    assert tries(operations, FAR) == (["faulty"], 1)


def test_a_line_behind_dice_is_tried_with_every_luck(operations: Position) -> None:
    """Where dice are rolled, a line that is refused is tried again with other dice."""
    states, played = tries(operations, ATTACK, FAR)
    assert states == ["ready", "faulty"]
    assert played > 2
