"""The sequence of a turn (1.0), readable aloud: weather and resources, allocation,
phase A and phase B of either player, the end of the turn.

The campaign begins with D-Day, turn 0, which has phases of its own (15.0). Player one is
who has the initiative (2.3): both sides have a place in each activation, and one of them acts in it.
"""

from __future__ import annotations

from collections.abc import Callable

from pbem.engine.game import Ahead, Phase
from pbem.games.normandy44 import activation, administration, allocation, forecast, landing, weather
from pbem.games.normandy44.state import State

BOTH = ("allied", "german")
A, B = "phase A", "phase B"


def d_day(state: State) -> bool:
    """15.0 Whether this is turn 0."""
    return state.turn == 0


def after_d_day(state: State) -> bool:
    return state.turn > 0


Sections = Callable[[State, str], tuple[str, ...]]


def first(section: str) -> Sections:
    """2.3, 2.6 The section is open to the side that has, or may still get, the initiative."""
    return lambda state, seat: (section,) if state.initiative in ("", seat) else ()


def second(section: str) -> Sections:
    """2.3, 2.6 The section is open to the side that has not the initiative."""
    return lambda state, seat: (section,) if state.initiative != seat else ()


AHEAD = Ahead(activation.ahead, forecast.never)


PHASES: tuple[Phase[State], ...] = (
    Phase("landing", "D-Day landing", landing.landing, ("allied",), ("landing",), d_day, ahead=AHEAD),
    Phase("reaction", "German reaction", landing.reaction, ("german",), ("reaction",), d_day, ahead=AHEAD),
    Phase("weather", "Weather and resources", weather.weather, (), (), after_d_day),
    Phase("allocation", "Allocation", allocation.allocation, BOTH, ("allocation",), after_d_day, ahead=AHEAD),
    Phase(
        "a_first",
        "Phase A, side with the initiative",
        activation.first_a,
        BOTH,
        (A,),
        after_d_day,
        ahead=AHEAD,
        named=activation.title_of("a_first"),
        sections_of=first(A),
    ),
    Phase(
        "a_second",
        "Phase A, other side",
        activation.second_a,
        BOTH,
        (A,),
        after_d_day,
        ahead=AHEAD,
        named=activation.title_of("a_second"),
        sections_of=second(A),
    ),
    Phase(
        "b_first",
        "Phase B, side with the initiative",
        activation.first_b,
        BOTH,
        (B,),
        after_d_day,
        ahead=AHEAD,
        named=activation.title_of("b_first"),
        sections_of=first(B),
    ),
    Phase(
        "b_second",
        "Phase B, other side",
        activation.second_b,
        BOTH,
        (B,),
        after_d_day,
        ahead=AHEAD,
        named=activation.title_of("b_second"),
        sections_of=second(B),
    ),
    Phase("end", "End of the turn", administration.end, BOTH, ("end",), after_d_day, ahead=AHEAD),
)
"""1.0, 2 The phases of a turn; after the last one the next turn begins."""
