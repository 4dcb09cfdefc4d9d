"""The bot: a companion that keeps its divisions and gets somewhere."""

from __future__ import annotations

import random

import pytest

from pbem.engine.autoplay import autoplay
from pbem.engine.bots import greedy_bot, random_bot
from pbem.engine.play import Ask
from pbem.games.rampage import GAME, victory
from pbem.games.rampage.administration import Arrival
from pbem.games.rampage.battle import LOSS_ORDERS
from pbem.games.rampage.bot import chances, judge, prospects
from pbem.games.rampage.operations import Operations
from pbem.games.rampage.orders import Move, Place, UseDefault
from pbem.games.rampage.setup import SetUp
from pbem.games.rampage.tables import WEST_OF_SEINE
from tests.games.rampage.kit import game


@pytest.mark.long
def test_greedy_bot_draws_or_wins_some_games() -> None:
    """Out of ten games the greedy bot loses fewer than it draws or wins, and random play hardly ever
    holds its ground."""
    levels = {}
    for kind in ("greedy", "random"):
        found = []
        for seed in range(10):
            rng = random.Random(seed)
            bot = greedy_bot(GAME.judge, rng) if kind == "greedy" else random_bot(rng)
            found.append(autoplay(GAME, f"bot {seed}", {"allied": bot}).result.level)
        levels[kind] = found
    assert sum(level != "German win" for level in levels["greedy"]) >= 3
    assert levels["greedy"].count("German win") < levels["random"].count("German win")


def test_two_bots_share_the_command() -> None:
    """With two seats each bot moves its own army group, and together they take ground in every turn."""
    rng = random.Random(5)
    bots = {seat: greedy_bot(GAME.judge, rng) for seat in ("us", "british")}
    played = autoplay(GAME, "two", bots, options={"command": "two", "airborne": "both"})
    met = [condition.met for condition in victory.conditions(played.state)]
    assert sum(met) >= 1
    held = [
        len(GAME.load(phase.snapshot).german) for phase in played.phases if phase.label.endswith("operations")
    ]
    assert held == sorted(held, reverse=True) and held[-1] < held[0] - 60


def test_reckoned_chances_are_those_of_the_table() -> None:
    """10.5 The bot reckons with the chart: two US dice hit at least once three times out of four."""
    assert chances((0, 2, 0, 0), 0, 1)[1] == pytest.approx(0.75)
    assert chances((0, 0, 0, 1), 0, 1)[1] > 0.33 and chances((1, 0, 0, 0), -1, 1)[1] < 0.34


def test_a_strong_force_is_sent_and_a_weak_one_is_not() -> None:
    """An attack is worth something to a full stack, and nothing to a single reduced division
    against three."""
    strong = game(
        "3A 1303, 1Inf 1303, 4Inf 1303, 5Inf 1303, 70Inf 1304, 47Inf 1304, 48Inf 1304", allied="1303"
    )
    units = strong.at("1303")
    attack = Move(tuple(unit.id for unit in units), ("1304",))
    assert judge(strong, Operations(strong, "allied"))(attack) > 0
    weak = game("1Inf 1303 reduced, 70Inf 1304, 47Inf 1304, 48Inf 1304", allied="1303")
    assert judge(weak, Operations(weak, "allied"))(Move(("1Inf",), ("1304",))) <= 0
    assert prospects(weak, weak.at("1303"), "1303", "1304")[0] < 0.2


def test_losses_are_spread() -> None:
    """10.4, 4.2 Asked whom losses fall on, the bot spreads them; it calls the bombers."""
    state = game("3A 1303")
    ask = Ask(case="10.4", what="losses", seat="allied", kind="losses", options=LOSS_ORDERS)
    assert max(LOSS_ORDERS, key=judge(state, ask)) == "full first, infantry first"
    bombers = Ask(case="14.2", what="bombers", seat="allied", kind="bombers", options=("yes", "no"))
    rate = judge(state, bombers)
    assert rate("yes") > rate("no")


def test_orders_are_rated_by_the_desk_they_are_written_at() -> None:
    """3.4, 7.3 The default set-up is preferred to placing a division; one that arrives goes to a city
    near to what is missing."""
    state = game(turn=3, allied=" ".join(WEST_OF_SEINE))
    near, far = (judge(state, Arrival(state))(Place(("6A",), hex)) for hex in ("1507", "1202"))
    assert near > far > 0
    set_up = judge(state, SetUp(state, "allied"))
    assert set_up(UseDefault()) > set_up(Place(("3A",), "1402")) == 0
