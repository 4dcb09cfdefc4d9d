"""The sequence of play (5), readable aloud: replacements, airborne drop, movement and combat, administration.

Turn 1 begins with the Allied set-up and has neither replacements nor a drop (5.3);
turn 3 begins with the supply die (9.14). The game ends after turn 5, or when the Allies concede (5.5).
"""

from __future__ import annotations

from pbem.engine.game import Phase
from pbem.games.rampage import administration, airborne, operations, replacement, setup, supply_die
from pbem.games.rampage.command import airborne_seats, seat_of
from pbem.games.rampage.state import State
from pbem.games.rampage.tables import CHARTS

SEATS = ("allied", "us", "british")


def first_turn(state: State) -> bool:
    return state.turn == 1


def replaced(state: State) -> bool:
    """5.3, 7.6 Whether there are replacements this turn."""
    return state.turn >= CHARTS.replacement.from_turn


def drops(state: State, seat: str) -> tuple[str, ...]:
    """13.1, 13.4 The seats that command the airborne army order it, until it has dropped."""
    return ("airborne",) if seat in airborne_seats(state) and airborne.may_come(state) else ()


def grounds(state: State, seat: str) -> tuple[str, ...]:
    """9.15 The partially supplied army group gives up divisions, only in the turn of the supply die."""
    return (
        ("grounding",)
        if state.partial and supply_die.due(state) and seat == seat_of(state, state.partial)
        else ()
    )


def receives(state: State, seat: str) -> tuple[str, ...]:
    """7.3 The US army group has reinforcements, in turns in which some are due."""
    due = seat == seat_of(state, "us") and administration.Arrival(state).waiting()
    return ("reinforcement",) if due else ()


PHASES: tuple[Phase[State], ...] = (
    Phase("set_up", "Set-up", setup.set_up, SEATS, ("set-up",), first_turn),
    Phase(
        "supply_die",
        "Army group supply",
        supply_die.supply_die,
        SEATS,
        ("grounding",),
        supply_die.due,
        sections_of=grounds,
    ),
    Phase("replacement", "Replacement", replacement.replacement, SEATS, ("replacement",), replaced),
    Phase(
        "airborne",
        "Airborne drop",
        airborne.airborne_drop,
        SEATS,
        ("airborne",),
        airborne.can_drop,
        sections_of=drops,
    ),
    Phase("operations", "Movement and combat", operations.operations, SEATS, ("operations",)),
    Phase(
        "administration",
        "Administration",
        administration.administration,
        SEATS,
        ("reinforcement",),
        sections_of=receives,
    ),
)
"""5.1, 5.2 The phases of a turn; after the last one the next turn begins (5.4)."""
