"""What the bot thinks of an order: attacks by their odds, landing before waiting, digging in where it
counts, and nothing that it cannot see."""

from __future__ import annotations

import random

import pytest
from sizes import size

from pbem.engine.autoplay import autoplay
from pbem.engine.bots import greedy_bot, random_bot
from pbem.games.normandy71 import GAME, combat, entrenchment, victory
from pbem.games.normandy71.bot import UNSEEN, decision, distances, judge, strengths
from pbem.games.normandy71.movement import Movement
from pbem.games.normandy71.orders import Attack, Entrench, Move
from pbem.games.normandy71.retreat import RetreatWay
from pbem.games.normandy71.tables import GRID
from tests.games import playing
from tests.games.normandy71.kit import game
from tests.games.playing import opening

FRONT = "8/4 allied 7-4 1218, 22/4 allied 7-4 1218, x german 4-1 1219, y german 7-2 1119"


def test_good_odds_are_worth_more_than_bad_ones() -> None:
    """COM.G Two regiments against a weak one gain; one against a strong one loses."""
    state = game(FRONT, turn=3, supply=["3 Utah"])
    rate = judge(state, opening(combat.allied_combat, state))
    assert rate(Attack(("1219",), ("8/4", "22/4"))) > 0 > rate(Attack(("1119",), ("8/4",)))


@pytest.mark.parametrize("kind", ["4-1", "7-2", "10-6"])
def test_ent_b_a_stack_under_a_marker_counts_as_an_average_one(kind: str) -> None:
    """ENT.B The bot does not look under markers of the enemy; its own units it knows."""
    state = game(f"8/4 allied 7-4 1218, x german {kind} 1219", turn=3, trenches="1219 german")
    assert strengths(state, "allied") == {"1219": UNSEEN}
    assert strengths(state, "german") == {"1218": 7.0}


def test_landing_is_better_than_waiting() -> None:
    """INV.4 A unit that waits off shore gains a great deal by any move onto the beach."""
    state = game("8/4 allied 7-4 box:3_Utah, 22/4 allied 7-4 5130", turn=1)
    assert state.units["8/4"].place == "box"
    rate = judge(state, Movement(state, "allied", second=False))
    assert rate(Move(("8/4",), ("5031",))) > 50 > rate(Move(("22/4",), ("5131",)))


def test_ent_slow_germans_dig_in_where_the_enemy_is_near() -> None:
    """ENT A German next to the enemy digs in, one far from it does not, and the Allies never."""
    state = game("8/4 allied 7-4 1218, x german 4-1 1219, g german 4-1 1010, m german 16-6 1318", turn=3)
    rate = judge(state, opening(entrenchment.german_entrenchment, state))
    values = {id: rate(Entrench((id,))) for id in ("x", "g", "m")}
    assert values["x"] > values["g"] and values["m"] <= 0


def test_distances_count_hexes_from_the_nearest() -> None:
    """The nearest of the starting hexes counts; from none everything is equally near."""
    found = distances(GRID.bits(["1218"]))
    assert (found[GRID.index("1218")], found[GRID.index("1219")], found[GRID.index("1221")]) == (0, 1, 3)
    assert set(distances(0)) == {0}


def test_com_a_way_that_the_rules_allow_is_better_than_a_wasted_one() -> None:
    """COM The side that sends a loser back does not waste the choice."""
    ask = playing.decision(RetreatWay, "1219 1220", "1219 1320", side="german", sparing=["1219 1320"])
    assert decision(ask, "1219 1320") > decision(ask, "1219 1220")


@pytest.mark.long
@pytest.mark.parametrize("seed", range(size(1, 2)))
def test_the_greedy_bot_beats_the_random_one(seed: int) -> None:
    """The bot that a beginner meets gains more ground against random play than random play gains against
    it."""
    gained = []
    for side, other in (("allied", "german"), ("german", "allied")):
        rng = random.Random(seed)
        players = {side: greedy_bot(GAME.judge, rng), other: random_bot(rng)}
        gained.append(victory.score(autoplay(GAME, f"greedy {seed}", players).state).ground)
    assert gained[0] > gained[1] + 5


@pytest.mark.long
def test_the_allied_bot_gains_much_more_than_chance() -> None:
    """VIC Against the same German the Allied bot gains more than twice as much ground as random play."""

    def ground(seed: int, greedy: bool) -> float:
        rng = random.Random(seed)
        allied = greedy_bot(GAME.judge, rng) if greedy else random_bot(rng)
        players = {"allied": allied, "german": greedy_bot(GAME.judge, rng)}
        return float(victory.score(autoplay(GAME, f"ground {seed}", players).state).ground)

    seeds = range(size(1, 3))
    assert sum(ground(seed, True) for seed in seeds) > 2 * sum(ground(seed, False) for seed in seeds)


def test_the_bot_lands_in_strength_and_stays_in_supply() -> None:
    """The Allied bot brings its army ashore and keeps nearly all of it supplied."""
    rng = random.Random(1)
    played = autoplay(GAME, "army", {seat: greedy_bot(GAME.judge, rng) for seat in ("allied", "german")})
    units = GAME.view(played.state, "allied").units
    ashore = [unit for unit in units if unit.place == "map"]
    assert len(ashore) > 25 and sum(unit.supplied for unit in ashore) > 0.8 * len(ashore)
    assert not [unit for unit in units if unit.place == "later" and unit.arrives < 5]
