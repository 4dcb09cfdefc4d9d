"""The sequence of play (4.0), readable aloud: counterattack, bombardment, command pool,
one action round for each command, recovery; on turn 10 the victory check.

Turn 1 begins with the set-up of both sides and the second thoughts of the Germans (3.1).
"""

from __future__ import annotations

from pbem.engine.game import Ahead, Phase
from pbem.games.falaise import (
    activation,
    bombardment,
    command,
    counterattack,
    forecast,
    recovery,
    setup,
    victory,
)
from pbem.games.falaise.state import State
from pbem.games.falaise.tables import CHARTS, COMMAND_NAMES

GERMAN, ALLIED, BOTH = ("german",), ("allied",), ("german", "allied")


def first_turn(state: State) -> bool:
    return state.turn == 1


def last_turn(state: State) -> bool:
    """3.3, 4.0 Whether victory is checked this turn."""
    return state.turn == CHARTS.turns.number


PHASES: tuple[Phase[State], ...] = (
    Phase("set_up_german", "German set-up", setup.set_up_german, GERMAN, ("set-up",), first_turn),
    Phase("set_up_allied", "Allied set-up", setup.set_up_allied, ALLIED, ("set-up",), first_turn),
    Phase("redeployment", "German redeployment", setup.redeployment, GERMAN, ("redeployment",), first_turn),
    Phase(
        "counterattack",
        "German counterattack",
        counterattack.counterattack,
        GERMAN,
        ("counterattack",),
        counterattack.due,
    ),
    Phase("bombardment", "Air and artillery", bombardment.bombardment, ALLIED, ("bombardment",)),
    Phase("command", "Command pool", command.command, BOTH),
    Phase(
        "activation",
        "Action round",
        activation.activation,
        BOTH,
        tuple(COMMAND_NAMES),
        again=activation.pending,
        drawn=True,
        ahead=Ahead(activation.ahead, forecast.never),
        sections_of=activation.sections_of,
    ),
    Phase("recovery", "Recovery", recovery.recovery, BOTH),
    Phase("victory", "Victory check", victory.victory, BOTH, when=last_turn),
)
"""4.0 The phases of a turn."""
