"""The turn (2.0): supply and chits, the chits one after another, two last reactions, the verdict."""

from __future__ import annotations

from pbem.engine.game import Ahead, Phase
from pbem.games.france44 import begin, cycle, forecast, victory
from pbem.games.france44.state import State

BOTH = ("allied", "german")
AHEAD = Ahead(forecast.ahead, forecast.never)

PHASES: tuple[Phase[State], ...] = (
    Phase("begin", "Supply and chits", begin.begin, BOTH, ("commitment",), ahead=AHEAD),
    Phase(
        "cycle",
        "Initiative and reaction",
        cycle.cycle,
        BOTH,
        tuple(cycle.TITLES),
        again=cycle.more,
        repeats=cycle.repeats,
        drawn=True,
        ahead=AHEAD,
        sections_of=cycle.sections_of,
    ),
    Phase(
        "german_final", "Last German reaction", cycle.german_final, ("german",), ("reaction",), ahead=AHEAD
    ),
    Phase(
        "allied_final", "Last Allied reaction", cycle.allied_final, ("allied",), ("reaction",), ahead=AHEAD
    ),
    Phase("verdict", "Verdict", victory.verdict, ()),
)
