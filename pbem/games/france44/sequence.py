"""The turn (2.0): supply and chits, the chits one after another, two last reactions, the verdict."""

from __future__ import annotations

from pbem.engine.game import Phase
from pbem.games.france44 import begin, cycle, victory
from pbem.games.france44.state import State

BOTH = ("allied", "german")


def over(state: State) -> bool:
    """2.0.12 Whether the game has ended."""
    return bool(state.ended)


PHASES: tuple[Phase[State], ...] = (
    Phase("begin", "Supply and chits", begin.begin, BOTH, ("commitment",)),
    Phase(
        "cycle",
        "Initiative and reaction",
        cycle.cycle,
        BOTH,
        tuple(cycle.TITLES),
        again=cycle.more,
        repeats=cycle.repeats,
        drawn=True,
        sections_of=cycle.sections_of,
    ),
    Phase("german_final", "Last German reaction", cycle.german_final, ("german",), ("reaction",)),
    Phase("allied_final", "Last Allied reaction", cycle.allied_final, ("allied",), ("reaction",)),
    Phase("verdict", "Verdict", victory.verdict, ()),
)
