"""Clash of Twenty Hexes: the game of the guide "How to add a game" (pbem/games/README.md).

Two sides of two units. In each of three turns red moves, then blue, then a die is thrown; if it is high,
blue decides who of his retreats. A sealed lot, which only red may read, says where a prize lies.
"""

from collections.abc import Iterator, Mapping

from fourth_game.clash import clash, result
from fourth_game.hide import hide
from fourth_game.march import March
from fourth_game.orders import GRAMMAR, Move
from fourth_game.state import State
from fourth_game.tables import KEY, UNITS
from fourth_game.view import board, roster, summary, view

from pbem.engine.desk import write
from pbem.engine.game import Game, Option, Phase, Report, Scenario, Seat


def setup(scenario: str, options: Mapping[str, str]) -> State:
    """1.0 The counters stand where their file says."""
    units = {id: counter.hex for id, counter in UNITS.items()}
    return State(scenario=scenario, options=dict(options), units=units)


def invariants(state: State) -> Iterator[str]:
    """What must never be."""
    if len(set(state.units.values())) != len(state.units):
        yield "two units in one hex"


GAME: Game[State] = Game(
    key=KEY,
    title="Clash of Twenty Hexes",
    seats=(Seat("red", "Red", "red"), Seat("blue", "Blue", "blue")),
    scenarios={"meeting": Scenario("Both sides advance", turns=3)},
    options=(Option("weather", ("dry", "wet"), "changes nothing", "1.0"),),
    state=State,
    setup=setup,
    phases=(
        Phase("hide", "Hiding", hide, (), when=lambda state: state.turn == 1),
        Phase("red_march", "Red march", lambda state: write(March(state, "red")), ("red",), ("march",)),
        Phase("blue_march", "Blue march", lambda state: write(March(state, "blue")), ("blue",), ("march",)),
        Phase("clash", "Clash", clash, ("blue",)),
    ),
    grammar=GRAMMAR,
    roster=roster,
    where=lambda state, unit: state.units.get(unit),
    view=view,
    report=Report(board=board, summary=summary, result=result),
    judge=lambda state, request: lambda choice: 1.0 if isinstance(choice, Move) else 0.0,
    invariants=invariants,
)
