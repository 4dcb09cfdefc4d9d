"""The planner's page: paths of several battles, orders that the rules allow, better games than greedy's."""

from __future__ import annotations

import random
from collections import Counter
from functools import cache
from typing import Any

import pytest
from sizes import some

from pbem.engine.autoplay import Played, autoplay, replay_equal
from pbem.engine.bots import greedy_bot
from pbem.engine.desk import Desk
from pbem.engine.errors import OrderError
from pbem.engine.planner import choose, follower
from pbem.engine.play import Answer, Decision
from pbem.games.rampage import GAME, control, victory
from pbem.games.rampage.airborne import Assault
from pbem.games.rampage.movement import Marchers
from pbem.games.rampage.operations import Operations
from pbem.games.rampage.orders import Drop, Ground, Move
from pbem.games.rampage.paths import Mission, Search, away
from pbem.games.rampage.plan import PLAN, STANCES, leads, mission, orders, score
from pbem.games.rampage.state import State
from pbem.games.rampage.supply_die import Grounding
from pbem.games.rampage.tables import AFP, GRID
from tests.games.rampage.kit import game

BOOK = STANCES["saar"]
SPEARHEAD = "1Inf 1402, 4Inf 1402, 5Inf 1402, 9Inf 1402, 28Inf 1402, 30Inf 1402"
LEVELS = {"Allied win": 2, "Draw": 1, "German win": 0}


def played(seed: str, stance: str | None = None, **options: str) -> Played[State]:
    """A game in which every seat follows one stance."""
    chance = random.Random(seed)
    seats = GAME.seats_of(GAME.chosen(options))
    bots = {seat.key: follower(GAME, seat.key, stance, chance) for seat in seats}
    return autoplay(GAME, seed, bots, options=options)


@cache
def book_game(seed: int) -> Played[State]:
    return played(f"{seed}")


def aim(state: State, *goals: str, **fields: Any) -> Mission:
    """A mission towards these goals at any odds, unless `fields` say otherwise."""
    any_odds: dict[str, Any] = {"pull": 1.0, "prizes": {}, "plain": 0.1, "step": 0.0, "least": 0.0}
    return Mission(goals, **(any_odds | fields))


def searched(state: State, mission: Mission, points: int = 6) -> Search:
    units = tuple(state.on_map("us"))
    return Search(state, Marchers(units, units[0].placed, points), mission)


# --- paths ----


def test_a_path_goes_on_after_a_victory() -> None:
    """A force plans several battles in a row, where a desk offers one leg with one battle."""
    state = game(SPEARHEAD)
    path = searched(state, aim(state, "1408")).best()
    assert path is not None and len(path.onward) >= 1
    battles = (path.leg[-1], *path.onward)
    assert all(hex in state.german for hex in battles)
    assert away(("1408",), battles[-1]) < away(("1408",), path.leg[-1])
    desk = Operations(state, "allied")
    offered = [order for order in desk.options("1Inf") if isinstance(order, Move)]
    assert all(sum(hex in state.german for hex in order.path) <= 1 for order in offered)


def test_with_one_point_there_is_one_battle() -> None:
    """9.12 No path costs more points than the force has."""
    state = game(SPEARHEAD)
    path = searched(state, aim(state, "1408"), points=1).best()
    assert path is not None and path.onward == ()


def test_a_force_without_a_chance_stays() -> None:
    """A battle below the least chance of the mission is not sought."""
    state = game("1Inf 1303 reduced, 70Inf 1304, 47Inf 1304, 48Inf 1304", german="1304")
    path = searched(state, aim(state, "1304", least=0.5)).best()
    assert path is None or path.leg[-1] != "1304"


def test_the_pocket_is_never_sealed() -> None:
    """11.2 A hex whose fall cuts off the Argentan-Falaise Pocket is no part of a path."""
    around = [hex for hex in GRID.neighbours(AFP) if hex in control.at_start()]
    last = around[-1]
    state = game(turn=1, allied=" ".join(around[:-1]), afp="standing")
    for unit in ("1Inf", "4Inf", "5Inf"):
        state.units[unit].place, state.units[unit].hex = "map", around[0]
    search = Search(state, Marchers(tuple(state.on_map()), around[0], 6), aim(state))
    assert search.gain(last) is None
    state.afp = "escaped"
    after = Search(state, Marchers(tuple(state.on_map()), around[0], 6), aim(state))
    assert after.gain(last) is not None


# --- orders ----


def test_the_spearhead_leaves_first_and_whole() -> None:
    """In turn 1 six US infantry divisions are the spearhead, drawn towards their city; none of its orders
    leaves a division behind."""
    state = game(f"{SPEARHEAD}, 2A 1302, 35Inf 1302", turn=1)
    units = state.at("1402")
    assert leads(state, units, BOOK) and not leads(state, units, STANCES["broad"])
    assert mission(state, units, BOOK).goals[0] == "1719"
    for order in orders(state, Operations(state, "allied"), BOOK):
        assert isinstance(order, Move)
        assert "1Inf" not in order.units or len(order.units) == 6


def test_without_full_supply_there_is_no_spearhead() -> None:
    """9.15 When the US army group is short of supply all its divisions clear the land, but for the stance
    that presses on."""
    state = game(SPEARHEAD, turn=3, partial="us")
    assert not leads(state, state.at("1402"), BOOK)
    assert leads(state, state.at("1402"), STANCES["press"])


ARMOUR = "2A 1302, 35Inf 1302, 3A 1302, 79Inf 1302, 4A 1302, 80Inf 1302"


def test_the_spearheads_move_through_what_others_have_cleared() -> None:
    """Both large US stacks are spearheads, and all orders for other forces come before theirs."""
    state = game(f"{SPEARHEAD}, {ARMOUR}, 5A 1202, 90Inf 1202", turn=1)
    found = list(orders(state, Operations(state, "allied"), BOOK))
    leading = [isinstance(each, Move) and bool({"1Inf", "2A"} & set(each.units)) for each in found]
    assert leading.count(True) == 2 and not leading[0]
    assert leading == sorted(leading)


def test_the_second_spearhead_is_released_to_clear_the_land() -> None:
    """From turn 3 on only the stack nearest to a city marches while much is left to clear."""
    near, far = SPEARHEAD.replace("1402", "1612"), ARMOUR.replace("1302", "1610")
    corner = (*range(1007, 1013), *range(1107, 1113))
    cities, much, little = "1719 1422 2418 3017", "1311 " + " ".join(map(str, corner)), "1011"
    for german, both in ((much, False), (little, True)):
        state = game(f"{near}, {far}", turn=3, german=f"{cities} {german}")
        assert leads(state, state.at("1612"), BOOK)
        assert leads(state, state.at("1610"), BOOK) is both


def test_large_stacks_are_not_grounded_first() -> None:
    """9.15 The divisions that give up their vehicles come from small stacks, even nearer to the front."""
    state = game(f"{SPEARHEAD}, 2A 1303, 3A 1303, 4A 1303", turn=3, partial="us")
    found = [order.units[0] for order in orders(state, Grounding(state), BOOK) if isinstance(order, Ground)]
    assert set(found[:3]) == {"2A", "3A", "4A"}


def test_the_british_rest_when_only_a_city_is_lacking() -> None:
    """4.2 In the last turn ground that counts for nothing is worth no British division."""
    state = game("GdsA 2410, 7BrA 2410", turn=5, german="2411 2418")
    aims = mission(state, state.at("2410"), BOOK)
    assert aims.plain == 0.0 and aims.pull == 0.0


WORN = " ".join(f"{id} 2407 reduced," for id in ("GdsA", "7BrA", "3BrInf", "15BrInf")) + " 43BrInf 2407"


def test_worn_british_storm_the_last_site() -> None:
    """4.1, 4.2 A division that has been lost makes the British careful, but in the last turn the last
    launching site is worth the risk of another. Ordinary ground is not."""
    for target, stormed in (("2507", True), ("2408", False)):
        state = game(WORN, turn=5, partial="british", german=f"{target} 3017 2918")
        state.units["4CanA"].place = "dead"
        force = Marchers(tuple(state.on_map("british")), "2407", 3)
        path = Search(state, force, mission(state, force.units, BOOK)).best()
        assert (path is not None and path.leg[-1] == target) is stormed


def test_a_breakout_counts_as_a_danger() -> None:
    """4.2, 12.5 A battle that closes a pocket asks for more spare steps than the same battle without one."""
    state = game("GdsA 2407, 7BrA 2407 reduced, 3BrInf 2407 reduced", german="2408 2409 3017")
    force = Marchers(tuple(state.on_map("british")), "2407", 6)
    search = Search(state, force, aim(state, spare=1.2))
    assert search._dares("2408", 0.9, 0.4, 0.0, closes=False)
    assert not search._dares("2408", 0.9, 0.4, 0.0, closes=True)


def test_the_british_are_asked_before_another_round() -> None:
    """Their orders name no odds, so that the bot weighs what is left of the force."""
    state = game("GdsA 2410, 7BrA 2410, 1Inf 1303, 4Inf 1303", turn=2, german="2411 1304")
    for order in orders(state, Operations(state, "allied"), BOOK):
        assert isinstance(order, Move)
        if order.path[-1] in state.german:
            assert (order.odds is None) == ("GdsA" in order.units)


def test_arnhem_is_marched_on_where_it_is_needed() -> None:
    """14.1 With another victory city in Allied hands, Arnhem alone still attracts."""
    state = game("GdsA 2410, 7BrA 2410, 3BrInf 2410, 15BrInf 2410, 43BrInf 2410", turn=4, german="3017")
    units = state.at("2410")
    assert mission(state, units, BOOK).goals == ()
    state.options["montgomery"] = "yes"
    assert mission(state, units, BOOK).goals == ("3017",)


def test_only_us_divisions_are_dropped() -> None:
    """13.9 The British airborne division, whose loss would count, stays at home."""
    state = game(turn=2)
    found = list(orders(state, Assault(state, "allied"), BOOK))
    assert found and all(isinstance(order, Drop) and "1BrAB" not in order.units for order in found)


# --- whole games ----


class Counting:
    """A follower whose desks note every order that they refuse."""

    def __init__(self, seed: str) -> None:
        self.bot = follower(GAME, "allied", None, random.Random(seed))
        self.first: Counter[bool] = Counter()

    def __call__(self, request: Decision, state: Any) -> Answer:
        if isinstance(request, Desk):
            found = list(orders(state, request, BOOK))
            assert found == list(orders(state, request, BOOK)), "the same state, other orders"
            if found:
                self.first[_allowed(request, found[0])] += 1
        return self.bot(request, state)


def _allowed(desk: Desk[Any], order: Any) -> bool:
    try:
        desk.check(order)
    except OrderError:
        return False
    return True


@pytest.mark.dear
def test_orders_are_legal_and_depend_on_the_state_alone() -> None:
    """In a whole game hardly any order is refused, and the same desk is given the same orders twice."""
    bot = Counting("legal")
    autoplay(GAME, "legal", {"allied": bot})
    assert bot.first[True] > 50
    assert bot.first[False] == 0


def test_a_game_replays_equal() -> None:
    """A planner's game is the same when it is played again from its journal, and from its seed."""
    first = book_game(1)
    replay_equal(GAME, first)
    assert played("1").phases == first.phases


OPTIONS = ("command", "airborne", "heavy_bombers", "montgomery", "afp", "v1")


@pytest.mark.parametrize("option", some(OPTIONS, 2))
def test_every_option_is_played(option: str) -> None:
    """A game comes to its end under every choice of every option."""
    choices = next(each.choices for each in GAME.options if each.key == option)
    two = {"command": "two"} if option == "airborne" else {}
    for choice in choices[1:]:
        assert played("option", **(two | {option: choice})).result.level in LEVELS


@pytest.mark.parametrize("stance", some(list(STANCES), 2))
def test_every_stance_plays_a_game(stance: str) -> None:
    """Each stance takes ground west of the Seine and holds it."""
    state = played("stance", stance).state
    assert len(victory.conditions(state)[0].missing) < 40


@pytest.mark.long
def test_the_planner_gets_further_than_greed() -> None:
    """Over the same four seeds the planner's results add up to more than the greedy bot's."""
    planned = greedy = 0
    for seed in range(1, 5):
        rng = random.Random(seed)
        planned += LEVELS[book_game(seed).result.level]
        greedy += LEVELS[autoplay(GAME, f"{seed}", {"allied": greedy_bot(GAME.judge, rng)}).result.level]
    assert planned > greedy


def test_it_can_think() -> None:
    """Before the last turn the planner chooses among the stances by imagined games."""
    snapshot = next(each.snapshot for each in book_game(1).phases if each.label.startswith("t5"))
    choice = choose(GAME, snapshot, "allied", "saar", 1, "think")
    assert [name for name, games, _ in choice.tried if games] == list(STANCES)


def test_a_score_grows_with_the_ground() -> None:
    """At the end the result counts; before it more ground is worth more, and a lost division less."""
    state = book_game(5).state
    assert score(state, "allied") >= LEVELS[book_game(5).result.level]
    start, later = GAME.start(), game(turn=3, german="3017", phase="operations")
    assert score(start, "allied") < score(later, "allied")
    for id in ("GdsA", "7BrA"):
        later.units[id].place = "dead"
    assert score(later, "allied") < 2.0
    assert PLAN.stances["allied"] is STANCES
