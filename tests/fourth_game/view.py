"""What a seat may know, built up from nothing, and what is drawn and said of it."""

from fourth_game.state import State
from fourth_game.tables import KEY, MAP, UNITS

from pbem.engine.board import Board, Counter
from pbem.engine.game import View
from pbem.engine.language import Roster, RosterUnit
from pbem.engine.notes import Note


class ClashView(View):
    """The game as a seat sees it; `prize` is empty for those who may not know it (1.1)."""

    units: dict[str, str]
    prize: str = ""


def view(state: State, seat: str) -> ClashView:
    """1.1 Everything but the prize lies open."""
    phase = {"hide": "Hiding", "red_march": "Red march", "blue_march": "Blue march", "clash": "Clash"}
    return ClashView(
        game=KEY,
        seat=seat,
        turn=state.turn,
        phase=state.phase,
        title=f"Turn {state.turn}, {phase[state.phase]}" if state.phase else "The game is over",
        units=dict(state.units),
        prize=state.prize if seat in ("red", "umpire") else "",
    )


def board(seen: View, notes: tuple[Note, ...]) -> Board:
    """The map with the counters."""
    assert isinstance(seen, ClashView)
    counters = tuple(
        Counter(hex, UNITS[unit].side, UNITS[unit].strength, unit, unit=unit)
        for unit, hex in seen.units.items()
    )
    return Board(MAP, "Clash", seen.title, counters, legend={"red": "Red", "blue": "Blue"})


def summary(seen: View, notes: tuple[Note, ...]) -> tuple[str, ...]:
    """What has happened, in a line."""
    return (f"Notes in the log: {len(notes)}.",)


def roster(state: State, seat: str) -> Roster:
    """The names that a seat may use: units, hexes, and the places on the map."""
    units = {
        unit: RosterUnit(unit, counter.strength, state.units.get(unit), enemy=counter.side != seat)
        for unit, counter in UNITS.items()
    }
    return Roster(units, frozenset(MAP.grid.ids), places=MAP.called_places)
