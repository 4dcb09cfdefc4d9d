"""Whole games: they come to an end, keep the rules, and can be played again from their journals."""

from __future__ import annotations

import random

import pytest

from pbem.engine.autoplay import autoplay
from pbem.engine.bots import greedy_bot, random_bot
from pbem.engine.errors import OrderError
from pbem.games.normandy71 import GAME, victory
from tests.games.normandy71.kit import game


@pytest.mark.parametrize("seed", range(2))
def test_the_greedy_bot_beats_the_random_one(seed: int) -> None:
    """The bot that a beginner meets gains more ground against random play than random play gains against it."""
    gained = []
    for side, other in (("allied", "german"), ("german", "allied")):
        rng = random.Random(seed)
        players = {side: greedy_bot(GAME.worth, rng), other: random_bot(rng)}
        played = autoplay(GAME, f"greedy {seed}", players)
        gained.append(victory.score(played.state).ground)
    assert gained[0] > gained[1] + 5


def test_the_bot_lands_in_strength_and_stays_in_supply() -> None:
    """The Allied bot brings its army ashore and keeps nearly all of it supplied."""
    rng = random.Random(1)
    played = autoplay(GAME, "army", {seat: greedy_bot(GAME.worth, rng) for seat in ("allied", "german")})
    units = GAME.view(played.state, "allied").units
    ashore = [unit for unit in units if unit.place == "map"]
    assert len(ashore) > 25 and sum(unit.supplied for unit in ashore) > 0.8 * len(ashore)
    assert not [unit for unit in units if unit.place == "later" and unit.arrives < 5]


def test_invariants_notice_what_is_wrong() -> None:
    """The invariants speak up about overfull hexes, both sides in one hex, and units that are nowhere."""
    state = game(
        "a allied 7-4 1215, b allied 7-4 1215, c allied 7-4 1215, g german 4-1 1215", trenches="4230 german"
    )
    state.units["a"].place = "later"
    found = " ".join(GAME.invariants(state))
    for word in ("place later and hex 1215", "MOV.G", "marker stands in 4230", "STK.B"):
        assert word in found, found


# --- the language of orders -----------------------------------------------------------------------------


def test_beaches_may_be_named_by_number() -> None:
    """A beach is written in full or by its number alone."""
    roster = GAME.roster(game("8/4 allied 7-4 later"), "allied")
    assert GAME.grammar.read_line("land 8/4 at 3", roster).dump()["beach"] == "3"
    assert GAME.grammar.read_line("supply 3, 8 Omaha", roster).dump()["beaches"] == ("3", "8 Omaha")
    with pytest.raises(OrderError):
        GAME.grammar.read_line("land 8/4 at 18", roster)
