"""The sequence of play (5), readable aloud: replacements, airborne drop, movement and combat, administration.

Turn 1 begins with the Allied set-up and has neither replacements nor a drop (5.3); turn 3 begins with the supply die (9.14). The game ends
after turn 5, or when the Allies concede (5.5).
"""

from __future__ import annotations

from pbem.engine.game import Phase
from pbem.games.rampage import administration, airborne, operations, replacement, setup, supply_die
from pbem.games.rampage.state import State
from pbem.games.rampage.tables import CAMPAIGN, CHARTS

SEATS = ("allied", "us", "british")


def first_turn(state: State) -> bool:
    return state.turn == 1


def replaced(state: State) -> bool:
    """5.3, 7.6 Whether there are replacements this turn."""
    return state.turn >= CHARTS.replacement.from_turn


def over(state: State) -> bool:
    """5.5 The last phase of turn 5 has been played, or the Allies have conceded."""
    return state.conceded or (state.turn == CAMPAIGN.turns and state.phase == PHASES[-1].key)


PHASES: tuple[Phase[State], ...] = (
    Phase("set_up", "Set-up", setup.set_up, SEATS, ("set-up",), first_turn),
    Phase("supply_die", "Army group supply", supply_die.supply_die, SEATS, ("grounding",), supply_die.due),
    Phase("replacement", "Replacement", replacement.replacement, SEATS, ("replacement",), replaced),
    Phase("airborne", "Airborne drop", airborne.airborne_drop, SEATS, ("airborne",), airborne.can_drop),
    Phase("operations", "Movement and combat", operations.operations, SEATS, ("operations",)),
    Phase("administration", "Administration", administration.administration, SEATS, ("reinforcement",)),
)
"""5.1, 5.2 The phases of a turn; after the last one the next turn begins (5.4)."""
