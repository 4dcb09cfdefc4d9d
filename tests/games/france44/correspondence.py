"""Two scripted players: their standing orders, and what they write each time that pbem waits for them."""

from __future__ import annotations

from collections.abc import Mapping

from pbem.engine.game import game
from pbem.service.play.steps import Position, Step
from tests.correspondence import Script, planned, wanted

GAME = game("france44")
STANDING: Mapping[str, tuple[str, ...]] = {
    "german": (
        "standing reaction: spend one point to deny keeping 3 points",
        "standing reaction: never",
        "standing lead: spare 1SS, 12SS then best morale",
        "standing losses: spare 1SS, 12SS then infantry first",
        "standing retreat: stay in city, fortress, rough",
        "standing retreat: give ground in clear with 4 steps or fewer",
        "standing retreat: stay",
        "standing retreat: toward 1512",
        "standing headquarters: go along",
        "standing advance: always",
    ),
    "allied": (
        "standing reaction: never",
        "standing lead: best morale, most steps",
        "standing losses: evenly then weakest first",
        "standing retreat: stay in clear, rough, city, fortress",
        "standing retreat: toward 1208",
        "standing headquarters: go along",
        "standing advance: toward 1411",
    ),
}
"""Standing orders that answer every decision of the game without the Advantage."""
DECIDED = ("reaction", "lead", "losses", "retreat", "headquarters", "advance")
"""The kinds of decision that may come up for each side."""


def letter(position: Position, step: Step, seat: str) -> str:
    """What a scripted player writes when he is asked for orders: what the greedy bot would do
    if the dice fell in some way. Every line is tried only, because they fall in another."""
    section = wanted(step.waiting, seat).section
    lines = [f"[{section}]", *(f"try {line}" for line in planned(GAME, position, seat, section))]
    return "\n".join(lines) + "\n"


SCRIPT = Script("france44", "gap", STANDING, letter, "falaise")
MONTHS = Script("france44", "gap", STANDING, letter, "westwall")
"""Falaise Gap, of one month, and the breakout of three months."""
