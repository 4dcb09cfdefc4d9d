"""The sequence of play (SEQ), readable aloud: a game-turn is an Allied and a German player-turn.

Game-turn 1 has its own sequence (INV): it begins with the secret deployment and the paradrop. Its other
special rules are listed in invasion.py. The game ends after the German player-turn of game-turn 6 (LEN)."""

from __future__ import annotations

from pbem.engine.game import Phase
from pbem.games.normandy71 import combat, entrenchment, invasion, movement, reinforcement
from pbem.games.normandy71.state import State


def first_turn(state: State) -> bool:
    return state.turn == 1


PHASES: tuple[Phase[State], ...] = (
    Phase(
        "deployment",
        "Secret deployment",
        invasion.secret_deployment,
        ("allied", "german"),
        ("plan", "set-up"),
        first_turn,
    ),
    Phase("paradrop", "Landing and paradrop", invasion.placement, ("allied",), (), first_turn),
    Phase(
        "allied_movement", "Allied first movement", movement.allied_first_movement, ("allied",), ("movement",)
    ),
    Phase("allied_combat", "Allied combat", combat.allied_combat, ("allied",), ("combat",)),
    Phase(
        "allied_reinforcement",
        "Allied reinforcement",
        reinforcement.allied_reinforcement,
        ("allied",),
        ("reinforcement",),
    ),
    Phase(
        "allied_second_movement",
        "Allied second movement",
        movement.allied_second_movement,
        ("allied",),
        ("movement 2",),
    ),
    Phase(
        "allied_entrenchment",
        "Allied entrenchment",
        entrenchment.allied_entrenchment,
        ("allied",),
        ("entrenchment",),
    ),
    Phase(
        "german_movement", "German first movement", movement.german_first_movement, ("german",), ("movement",)
    ),
    Phase("german_combat", "German combat", combat.german_combat, ("german",), ("combat",)),
    Phase(
        "german_second_movement",
        "German second movement",
        movement.german_second_movement,
        ("german",),
        ("movement 2",),
    ),
    Phase(
        "german_entrenchment",
        "German entrenchment",
        entrenchment.german_entrenchment,
        ("german",),
        ("entrenchment",),
    ),
)
