"""What a seat may know, which is everything, and what is drawn and said of it."""

from __future__ import annotations

from pbem.engine.board import Arrow, Battle, Board, Counter
from pbem.engine.game import View
from pbem.engine.language import Roster, RosterUnit
from pbem.engine.notes import Note
from pbem.tour.state import Fought, Moved, State, ways
from pbem.tour.tables import KEY, MAP, MILL, OWN, RED, UNITS

PHASES = {"red_march": "Red march", "blue_march": "Blue march", "fight": "The fight"}


class TourView(View):
    """The game; `ways` are the hexes to which each Red patrol can go, the best first."""

    units: dict[str, str]
    ways: dict[str, tuple[str, ...]]
    wins: int


def view(state: State, seat: str) -> TourView:
    """1.0 Everything lies open."""
    return TourView(
        game=KEY,
        seat=seat,
        turn=state.turn,
        phase=state.phase,
        title=heading(state),
        units=dict(state.units),
        ways={unit: tuple(ways(state.units, unit)) for unit in OWN[RED]},
        wins=state.wins,
    )


def heading(state: State) -> str:
    """Turn and phase in words."""
    return f"Turn {state.turn}, {PHASES[state.phase]}" if state.phase else "The game is over"


def board(seen: View, notes: tuple[Note, ...]) -> Board:
    """The map with the patrols, where they have gone, and the fight."""
    assert isinstance(seen, TourView)
    counters = tuple(
        Counter(hex, UNITS[unit].side, UNITS[unit].strength, unit, unit=unit)
        for unit, hex in seen.units.items()
    )
    arrows = tuple(Arrow(note.path, UNITS[note.unit].side) for note in notes if isinstance(note, Moved))
    battles = tuple(Battle(MILL, f"R{note.roll}") for note in notes if isinstance(note, Fought))
    return Board(
        MAP, "The Mill", seen.title, counters, arrows, battles, legend={"red": "Red", "blue": "Blue"}
    )


def summary(seen: View, notes: tuple[Note, ...]) -> tuple[str, ...]:
    """What has happened, in a line for each fight."""
    fights = [note for note in notes if isinstance(note, Fought)]
    told = tuple(
        f"{'You have' if note.won else 'Blue has'} won the fight for the Mill (R{note.roll})."
        for note in fights
    )
    return told or ("Nothing has happened.",)


def roster(state: State, seat: str) -> Roster:
    """The names that a seat may use: patrols, hexes and the Mill."""
    units = {
        unit: RosterUnit(unit, patrol.strength, state.units.get(unit), enemy=patrol.side != seat)
        for unit, patrol in UNITS.items()
    }
    return Roster(units, frozenset(MAP.grid.ids), places=MAP.called_places)
