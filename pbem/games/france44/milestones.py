"""How far the Allies have come: the months in which they were first beyond the Seine,
in Germany and over the Rhine. No rule needs the first two; letters give them with the result,
so that a game can be compared with history."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from pbem.games.france44 import zones
from pbem.games.france44.state import State
from pbem.games.france44.tables import GERMANY, GRID, LAND, MAP, TURNS

_AMIENS = "2109"
_SEINE = MAP.rivers["Seine"]
_SOURCE = max(hex[2:] for key in _SEINE for hex in key.split("-"))
_NORTH = GRID.bits(hex for hex in GRID.ids if hex[2:] < _SOURCE)
"""The rows north of the springs of the Seine: south of them nothing separates its banks."""

LINES: Mapping[str, int] = {
    "Seine crossed": MAP.walled((*_SEINE, *MAP.hexsides("sea"))).flood(
        1 << GRID.index(_AMIENS), LAND & _NORTH
    ),
    "German border crossed": GERMANY,
}
"""What is crossed -> the set of the hexes beyond."""


def mark(state: State) -> None:
    """At the end of a turn: the lines beyond which an Allied combat unit stands for the first time."""
    allied = zones.held(state, "allied")
    for line, beyond in LINES.items():
        if allied & beyond:
            state.reached.setdefault(line, state.turn)


def months(state: State) -> Iterator[tuple[str, str]]:
    """Each line and the month in which it was crossed, "no" if it was not; the Rhine as 12.9 has it."""
    for line, turn in {
        **{line: state.reached.get(line, 0) for line in LINES},
        "Rhine crossed": state.rhine_crossed,
    }.items():
        yield line, TURNS[turn].month if turn else "no"
