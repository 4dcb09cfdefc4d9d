"""What a game of the tutorial keeps between two phases, and what its log can say."""

from __future__ import annotations

from dataclasses import dataclass, field

from pbem.engine.game import GameState
from pbem.engine.notes import Note
from pbem.tour.tables import MAP, MILL, OWN


@dataclass(slots=True, kw_only=True)
class State(GameState):
    """`units` says where each patrol is, `wins` how many fights Red has won."""

    units: dict[str, str] = field(default_factory=dict)
    wins: int = 0


def ways(units: dict[str, str], unit: str) -> list[str]:
    """2.1 The hexes to which a patrol can go, those nearest to the Mill first."""
    free = [hex for hex in MAP.grid.neighbours(units[unit]) if hex not in units.values()]
    return sorted(free, key=lambda hex: (MAP.grid.distance(hex, MILL), hex))


def near(units: dict[str, str], side: str) -> int:
    """3.1 How many patrols of a side are in the Mill or next to it."""
    return sum(MAP.grid.distance(units[unit], MILL) <= 1 for unit in OWN[side])


class Moved(Note):
    """2.1, 2.2 A patrol has gone to a hex."""

    unit: str
    path: tuple[str, str]


class Fought(Note):
    """3.1 The fight: its die, how many patrols each side had there, and whether Red has won. `roll` is the
    number of the die."""

    die: int
    red: int
    blue: int
    won: bool


class Rested(Note):
    """3.2 A patrol has gone back to where it began."""

    unit: str
    hex: str
