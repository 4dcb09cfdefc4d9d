"""Two scripted players: their standing orders, and what they write each time that pbem waits for them."""

from __future__ import annotations

from collections.abc import Mapping

from pbem.engine.game import game
from pbem.service.play.steps import Position, Step
from tests.correspondence import Script, planned, wanted

GAME = game("normandy44")
STANDING: Mapping[str, tuple[str, ...]] = {
    "german": (
        "standing losses: lose steps before ground in town, city then weakest first",
        "standing losses: lose ground before steps at most 2 hexes then full first",
        "standing retreat: fewest losses then toward 0219",
        "standing support: with LXXXIV when it changes the column",
        "standing support: never",
        "standing advance: never",
    ),
    "allied": (
        "standing losses: fewest steps then strongest first",
        "standing retreat: toward 0617",
        "standing support: always at 2:1 or better when it changes the column",
        "standing support: never",
        "standing air: up to 1 fighter when they change the column",
        "standing air: never",
        "standing guns: never",
        "standing advance: always",
    ),
}
"""Standing orders that answer every decision of the scenario."""
DECIDED = {
    "german": ("losses", "retreat", "support", "advance"),
    "allied": ("losses", "retreat", "support", "air", "guns", "advance"),
}
"""The kinds of decision that may come up for each side."""


def letter(position: Position, step: Step, seat: str) -> str:
    """What a scripted player writes when he is asked for orders: what the greedy bot would do
    if the dice fell in some way. Every line is tried only, because they fall in another. The end of the turn,
    at which there is next to nothing to order here, is written at once."""
    section = wanted(step.waiting, seat).section
    lines = [f"[{section}]", *(f"try {line}" for line in planned(GAME, position, seat, section))]
    if section == "allocation":
        lines.append("[end]")
    return "\n".join(lines) + "\n"


SCRIPT = Script("normandy44", "cherbourg", STANDING, letter, "cherbourg")
