"""Chapter 3: the clash, and who has won."""

from fourth_game.notes import Fought
from fourth_game.state import State
from fourth_game.tables import CLASH, UNITS

from pbem.engine.game import Result
from pbem.engine.play import Ask, Roll


async def clash(state: State) -> None:
    """3.1 A die says whether blue is pushed back; if so, he says which unit goes home (3.2)."""
    die = await Roll(case="3.1", what="clash")
    result = CLASH.results[die - 1]
    if result == "red wins":
        state.wins += 1
        back = await Ask(case="3.2", what="who goes back", seat="blue", options=("B1", "B2"), kind="retreat")
        if UNITS[back].hex not in state.units.values():
            state.units[back] = UNITS[back].hex
        result = f"{result}, {back} goes back"
    state.note(Fought(case="3.1", die=die, result=result, roll=state.rolls))


def result(state: State) -> Result:
    """3.3 Red must win twice."""
    winner = "red" if state.wins > 1 else "blue"
    return Result(f"{state.wins} wins", winner, (("wins", str(state.wins), "3.3"),))
