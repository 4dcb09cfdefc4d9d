"""The bot: what it makes of decisions, of ground and of assaults, and what comes of it in whole games."""

from __future__ import annotations

import random
from dataclasses import replace
from functools import cache
from typing import Any

import pytest

from pbem.engine.autoplay import Played, autoplay
from pbem.engine.bots import Bot, greedy_bot, random_bot
from pbem.engine.desk import Desk
from pbem.engine.language import Order
from pbem.engine.play import Ask
from pbem.games.falaise import GAME, zone86
from pbem.games.falaise.advance import AdvanceWay
from pbem.games.falaise.assault import ResultChange
from pbem.games.falaise.bombardment import Bombardment
from pbem.games.falaise.bot import Scene, intended, judge
from pbem.games.falaise.counterattack import Counterattack
from pbem.games.falaise.opfire import OpFire
from pbem.games.falaise.orders import Assault, Bombard, MechAssault, Move, Strike, Withhold
from pbem.games.falaise.setup import Redeployment
from pbem.games.falaise.state import State
from tests.games.falaise.kit import game, rehearsal
from tests.games.playing import decision


def orders(state: State, seat: str, command: str) -> Desk[Order]:
    """The orders of an action round."""
    return rehearsal(state, seat, command)[-1]


def best(state: State, request: Desk[Order], subject: str) -> Order:
    """The order for a subject that is worth most."""
    return max(request.options(subject), key=lambda order: worth(state, request, order))


def worth(state: State, request: Desk[Order] | Ask[str], choice: Any) -> float:
    """What an order or option is worth."""
    return judge(state, request)(choice)


def favourite(state: State, request: Ask[str]) -> str:
    return max(request.options, key=lambda option: worth(state, request, option))


# --- decisions --------------------------------------------------------------------------------------------


def test_it_fires_with_the_best_stack() -> None:
    """6.2 It fires whenever it can, from where the die is highest."""
    modifier = {"2010": -1, "2111": 2}
    about: dict[str, Any] = {"mech": False, "town": False, "breaking": False, "stacks": {}}
    request = decision(OpFire, "hold", *modifier, modifier=modifier, **about)
    assert favourite(game(), request) == "2111"


@pytest.mark.parametrize(
    ("who", "result", "to", "answer"),
    [
        ("attacker", "AL1", "CON", "change"),
        ("defender", "DR", "CON", "change"),
        ("defender", "CON", "AL1", "change"),
    ],
)
def test_it_uses_its_rating(who: str, result: str, to: str, answer: str) -> None:
    """10.2 A result is changed where that is better for whoever may change it."""
    request = decision(ResultChange, "keep", "change", who=who, result=result, to=to)
    assert favourite(game(), request) == answer


# --- orders -----------------------------------------------------------------------------------------------


def test_germans_go_east() -> None:
    """Germans in the pocket come nearer to the Withdrawal Line; those behind it stay where they are."""
    state = game("KG/9Pz 2433, Pz/2SS 2003", turn=4)
    request = orders(state, "german", "47Pz")
    order = best(state, request, "KG/9Pz")
    assert isinstance(order, Move) and int(order.path[-1][2:]) < 30
    assert worth(state, request, order) > 0
    safe = orders(state, "german", "2SS")
    assert all(worth(state, safe, each) <= 0 for each in safe.options("Pz/2SS"))


def test_the_garrison_of_argentan_stays() -> None:
    """3.3 The last unit in Argentan does not leave it."""
    state = game("16/116Pz 3219", turn=4)
    request = orders(state, "german", "47Pz")
    assert all(worth(state, request, each) <= 0 for each in request.options("16/116Pz"))


def test_poles_make_for_the_passes() -> None:
    """Poles far from the Dives are worth moving there."""
    state = game("Koszutski 1221, KG/9Pz 2430", turn=4)
    request = orders(state, "allied", "Pol")
    order = best(state, request, "Koszutski")
    assert isinstance(order, Move) and worth(state, request, order) > 0
    assert int(order.path[-1][:2]) > 12 or int(order.path[-1][2:]) < 21


def test_it_assaults_at_good_odds_alone() -> None:
    """10.2 A brigade against a disrupted company is worth an assault;
    a battalion against two regiments is not."""
    strong = game("71/53 2430, 158/53 2530, KG/708 2431 disrupted", turn=4)
    request = orders(strong, "allied", "12C")
    found = [each for each in request.options("2431") if isinstance(each, Assault | MechAssault)]
    assert max(worth(strong, request, each) for each in found) > 0
    weak = game("Greys/4AB 2430, 5/3FJ 2431, KG/Lehr 2431", turn=4)
    request = orders(weak, "allied", "12C")
    found = [each for each in request.options("2431") if isinstance(each, Assault | MechAssault)]
    assert all(worth(weak, request, each) <= 0 for each in found)


def test_passes_that_are_held_are_gone_round() -> None:
    """Who comes to a pass that the enemy holds reckons with a longer way home."""
    free, held = (
        Scene(game(text, turn=4), "german") for text in ("KG/9Pz 2416", "KG/9Pz 2416, Koszutski 2315")
    )
    assert held.way_home(True, "2416") > free.way_home(True, "2416") + 1
    assert held.way_home(True, "2003") == free.way_home(True, "2003") == 0


def test_each_post_has_the_unit_that_is_there_soonest() -> None:
    """Posts are given out one after another, the most urgent first;
    who may not come next to the Dives is given none there."""
    state = game("Koszutski 2512, Stefanowicz 1016, 71/53 2412, 359/90 3309", turn=4)
    posts = Scene(state, "allied").posts
    assert {id: post.hex for id, post in posts.items()} == {
        "Koszutski": "2810",
        "Stefanowicz": "2315",
        "359/90": "3309",
    }


def test_who_is_at_his_post_stays_there() -> None:
    """A unit at its post does not move away, nor follow the enemy; one on its way goes there."""
    state = game("Koszutski 2810, Stefanowicz 2215, KG/9Pz 3012", turn=4)
    request = orders(state, "allied", "Pol")
    assert all(worth(state, request, order) <= 0 for order in request.options("Koszutski"))
    order = best(state, request, "Stefanowicz")
    assert isinstance(order, Move) and order.path[-1] == "2315"
    follow = decision(AdvanceWay, "stay", "2911", seat="allied", unit="Koszutski", start="2810")
    assert favourite(state, follow) == "stay"
    other = decision(AdvanceWay, "stay", "2116", seat="allied", unit="Stefanowicz", start="2215")
    assert favourite(state, other) == "2116"


def test_a_round_of_assaults_where_it_promises_more() -> None:
    """7.0 A command beside weak Germans assaults and does not move; one that is still on its way moves."""
    text = "71/53 2430, 158/53 2530, 160/53 2330"
    beside = game(f"{text}, KG/708 2431 disrupted", turn=4)
    request = orders(beside, "allied", "12C")
    assert intended(Scene(beside, "allied"), "12C") == "assault"
    assert all(worth(beside, request, order) <= 0 for order in request.options("71/53"))
    assert any(worth(beside, request, order) > 0 for order in request.options("2431"))
    away = game(f"{text}, KG/708 2436", turn=4)
    assert intended(Scene(away, "allied"), "12C") == "movement"
    assert worth(away, orders(away, "allied", "12C"), Move(("71/53",), ("2434",))) > 0


def test_strikes_keep_away_from_friends_and_guns_do_not() -> None:
    """8.4 By day guns fire beside friends with pleasure, aircraft less so; nobody bombards who is disrupted,
    or has got away."""
    text = "KG/9Pz 2430, KG/708 2440, KG/17SS 2003, KG/243 2444 disrupted, 71/53 2431, 158/53 2429, 4/2C 2530"
    state = game(text, turn=3)
    request = Bombardment(state)
    assert worth(state, request, Bombard("12C", "2430")) > worth(state, request, Bombard("12C", "2440")) > 0
    assert 0 < worth(state, request, Strike("2430", 1)) < worth(state, request, Bombard("12C", "2430"))
    assert worth(state, request, Strike("2003", 1)) == worth(state, request, Strike("2444", 1)) == 0


def test_mechanised_units_in_the_far_west_are_withheld() -> None:
    """3.1 Unknown forces are those who would be longest on the way."""
    state = game("Pz/10SS 3639, KG/275 3143, Pz/2SS 3213")
    request = Redeployment(state)
    assert [worth(state, request, Withhold((id,))) > 0 for id in ("Pz/10SS", "KG/275", "Pz/2SS")] == [
        True,
        False,
        False,
    ]


def test_the_counterattack_waits_for_the_last_turn() -> None:
    """11.3 It brings the unknown forces to safety, and the later it comes the longer the Dives ban holds
    (11.9)."""
    request = decision(Counterattack, "no", "2SS", turn=9)
    assert favourite(game("Pz/2SS 2003, KG/9Pz unknown", turn=9), request) == "no"
    assert favourite(game("Pz/2SS 2003, KG/9Pz unknown", turn=10), replace(request, turn=10)) == "2SS"


# --- whole games ------------------------------------------------------------------------------------------


@cache
def whole_game(seed: int, german: str, allied: str) -> Played[State]:
    def bot(kind: str) -> Bot:
        return greedy_bot(GAME.judge, rng) if kind == "greedy" else random_bot(rng)

    rng = random.Random(seed)
    return autoplay(GAME, f"bot {seed}", {"german": bot(german), "allied": bot(allied)})


def east(played: Played[State]) -> int:
    """How many Germans have got behind the line."""
    return sum(zone86.is_east(unit) for unit in played.state.on_map("german"))


@pytest.mark.long
def test_greedy_germans_get_away() -> None:
    """Against random Allies far more Germans get behind the line than when they wander about at random."""
    assert east(whole_game(1, "greedy", "random")) > 10 + east(whole_game(1, "random", "random"))


@pytest.mark.long
def test_greedy_allies_close_the_pocket() -> None:
    """Against the same Germans greedy Allies have the better of random ones."""
    results = [int(whole_game(1, "greedy", allied).result.figures[-1][1]) for allied in ("greedy", "random")]
    assert results[0] > results[1] + 10
