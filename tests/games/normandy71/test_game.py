"""Whole games: they come to an end, keep the rules, and can be played again from their journals."""

from __future__ import annotations

import random

import pytest

from pbem.engine.autoplay import autoplay, replay_equal
from pbem.engine.bots import Bot, greedy_bot, random_bot
from pbem.engine.errors import OrderError
from pbem.engine.orders import Order
from pbem.games.normandy71 import GAME, victory
from tests.games.normandy71.kit import game


def bots(seed: int) -> dict[str, Bot]:
    rng = random.Random(seed)
    return {"allied": random_bot(rng), "german": random_bot(rng)}


@pytest.mark.parametrize("seed", range(20))
def test_random_games_end_and_replay(seed: int) -> None:
    """Random legal play reaches the end of game-turn 6 without a dead end, keeps every invariant,
    and the journal gives the same game again from snapshots that went through JSON."""
    options = {
        "naval": ("literal", "monotone")[seed % 2],
        "lift": ("resolution", "allocation")[seed // 2 % 2],
    }
    played = autoplay(GAME, f"normandy {seed}", bots(seed), options=options)
    assert played.phases[0].label == "t1.deployment" and played.phases[-1].label == "t6.german_entrenchment"
    assert len(played.phases) == 2 + 6 * 9
    replay_equal(GAME, played)
    snapshot = GAME.dump(played.state)
    assert GAME.dump(GAME.load(snapshot)) == snapshot
    assert played.result.winner in ("allied", "german")


def test_the_same_seed_gives_the_same_game() -> None:
    """Nothing but seed and answers decides a game."""
    first, second = (autoplay(GAME, "again", bots(3)) for _ in range(2))
    assert first.phases == second.phases


@pytest.mark.parametrize("seed", range(2))
def test_the_greedy_bot_beats_the_random_one(seed: int) -> None:
    """The bot that a beginner meets gains more ground against random play than random play
    gains against it."""
    gained = []
    for side, other in (("allied", "german"), ("german", "allied")):
        rng = random.Random(seed)
        players = {side: greedy_bot(GAME.judge, rng), other: random_bot(rng)}
        played = autoplay(GAME, f"greedy {seed}", players)
        gained.append(victory.score(played.state).ground)
    assert gained[0] > gained[1] + 5


def test_the_bot_lands_in_strength_and_stays_in_supply() -> None:
    """The Allied bot brings its army ashore and keeps nearly all of it supplied."""
    rng = random.Random(1)
    played = autoplay(GAME, "army", {seat: greedy_bot(GAME.judge, rng) for seat in ("allied", "german")})
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
    for word in ("place later and hex 1215", "MOV.G", "marker is in 4230", "STK.B"):
        assert word in found, found


# --- the language of orders -----------------------------------------------------------------------------


@pytest.mark.parametrize("verb", GAME.grammar.orders)
def test_every_example_can_be_read(verb: type[Order]) -> None:
    """Each verb's own example is an order of that verb, written back in the same words."""
    state = game(
        "8/4 allied 7-4 5031, 22/4 allied 7-4 5031, 70 allied 6-10 5031, 505/82 allied 5-4 paratroop later,"
        "2Rangers allied 2-4 commando later, 325/82 allied 5-4 glider later, 22Armd/7 allied 22-10 later,"
        "8/4a allied 2-4 infantry 5031, 8/4b allied 2-4 infantry 5031, 8/4c allied 2-4 infantry 5031"
    )
    germans = game("919/709 german 4-1 later, 729/709 german 4-1 later, 130Pz/Lehr german 16-6 later")
    seat = "german" if verb.verb in ("place", "enter") else "allied"
    roster = GAME.roster(germans if seat == "german" else state, seat)
    order = GAME.grammar.read_line(verb.example, roster)
    assert isinstance(order, verb)
    assert GAME.grammar.read_line(GAME.grammar.write(order), roster) == order
    assert GAME.grammar.load(order.dump()) == order


def test_beaches_may_be_named_by_number() -> None:
    """A beach is written in full or by its number alone."""
    roster = GAME.roster(game("8/4 allied 7-4 later"), "allied")
    assert GAME.grammar.read_line("land 8/4 at 3", roster).dump()["beach"] == "3"
    assert GAME.grammar.read_line("supply 3, 8 Omaha", roster).dump()["beaches"] == ("3", "8 Omaha")
    with pytest.raises(OrderError):
        GAME.grammar.read_line("land 8/4 at 18", roster)


def test_sections_hold_what_the_phases_ask_for() -> None:
    """Every section of a phase is a heading of the grammar."""
    for phase in GAME.phases:
        assert set(phase.sections) <= set(GAME.grammar.sections), phase.key
        assert set(phase.seats) <= {seat.key for seat in GAME.seats}
