"""Two scripted players: their standing orders, and what they write each time that pbem waits for them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from pbem.engine.desk import Desk
from pbem.engine.game import game
from pbem.games.falaise import activation
from pbem.games.falaise.state import State
from pbem.service.play.steps import Position, Step
from tests.correspondence import Script, wanted
from tests.games.falaise.kit import rehearsal

GAME = game("falaise")
STANDING: Mapping[str, tuple[str, ...]] = {
    "german": (
        "standing opfire: always",
        "standing ter: always",
        "standing losses: full first, weakest first",
        "standing retreat: toward 1703",
        "standing advance: never",
        "standing 58th: never",
        "standing counterattack: from turn 7 with 2SS",
        "standing disrupt: weakest first",
        "standing friendly fire: strongest first",
    ),
    "allied": (
        "standing opfire: always",
        "standing ter: always",
        "standing losses: full first, weakest first",
        "standing retreat: away from the enemy",
        "standing advance: always",
        "standing arrival: with 317/80, 318/80",
    ),
}
"""Standing orders that answer every decision of the game."""
LETTERS: Mapping[str, str] = {
    "set-up": "[set-up]\ndefault\n",
    "redeployment": "[redeployment]\nwithhold D/2SS, DF/2SS, 19/9SS, 20/9SS\n",
    "counterattack": "[counterattack]\nhold\n",
}


def letter(position: Position, step: Step, seat: str) -> str:
    """What a scripted player writes when he is asked for orders: what is best in the eyes of the bot,
    for all his commands at once."""
    state: State = step.state  # type: ignore[assignment]
    request = wanted(step.waiting, seat)
    if request.section in LETTERS:
        return LETTERS[request.section]
    fires = list(_best(state, request, 6)) if request.section == "bombardment" else []
    begun = ["[bombardment]", *fires] if request.section == "bombardment" else []
    return "\n".join([*begun, *_commands(state, request.seat)]) + "\n"


def _commands(state: State, seat: str) -> Iterator[str]:
    for key in activation.sections_of(state, seat):
        yield f"[{key}]"
        as_it_stands = replace(state, log=[])
        copy: State = GAME.load(GAME.dump(as_it_stands))
        lines = [line for request in rehearsal(copy, seat, key) for line in _best(copy, request, 40)]
        yield from lines
        if all(line.startswith(("try attach", "try enter")) for line in lines):
            yield "hold"


def _best(state: State, request: Desk[Any], most: int) -> Iterator[str]:
    rate = GAME.judge(state, request)
    for subject in list(request.subjects())[:most]:
        options = request.options(subject)
        worths = [rate(order) for order in options]
        if options and max(worths) > 0:
            yield f"try {GAME.grammar.write(options[worths.index(max(worths))])}"


SCRIPT = Script("falaise", "pocket", STANDING, letter)
