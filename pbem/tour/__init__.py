"""The Mill: a game of two turns that teaches how to play by mail.

One player, Red, has two patrols; Blue's are moved by the rules. Its letters begin with lessons
(`templates/lessons.txt.j2`; what the player has done is in `pbem/service/letters/lessons.py`). It can be
played like any game, but is not listed among them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from pbem.engine.desk import write
from pbem.engine.game import Game, Phase, Report, Scenario, Seat
from pbem.tour.orders import GRAMMAR, Move
from pbem.tour.rules import March, blue_march, fight, result
from pbem.tour.state import State
from pbem.tour.tables import BLUE, KEY, MAP, RED, UNITS
from pbem.tour.view import board, heading, roster, summary, view


def setup(scenario: str, options: Mapping[str, str]) -> State:
    """1.0 The patrols are where their file says."""
    units = {id: patrol.hex for id, patrol in UNITS.items()}
    return State(scenario=scenario, options=dict(options), units=units)


def invariants(state: State) -> Iterator[str]:
    """What must never be."""
    if len(set(state.units.values())) != len(state.units):
        yield "two patrols in one hex"
    if not set(state.units.values()) <= set(MAP.grid.ids):
        yield "a patrol off the map"


GAME: Game[State] = Game(
    key=KEY,
    title="The Mill (a tutorial)",
    seats=(Seat(RED, "Red", RED), Seat(BLUE, "Blue", BLUE, system=lambda options: True)),
    scenarios={"lessons": Scenario("Six lessons in two turns", turns=2)},
    options=(),
    state=State,
    setup=setup,
    phases=(
        Phase("red_march", "Red march", lambda state: write(March(state)), (RED,), ("march",)),
        Phase("blue_march", "Blue march", blue_march, ()),
        Phase("fight", "The fight", fight, (RED,)),
    ),
    grammar=GRAMMAR,
    roster=roster,
    where=lambda state, unit: state.units.get(unit),
    heading=heading,
    view=view,
    report=Report(board=board, summary=summary, result=result),
    judge=lambda state, request: lambda choice: 1.0 if isinstance(choice, Move) else 0.0,
    invariants=invariants,
)
