"""The planner's part of the game: nothing is hidden where it thinks, its games can be played again, its
stances differ, and the greedy bot is what it was."""

from __future__ import annotations

import random
from functools import cache

import pytest
from sizes import size

from pbem.engine.autoplay import Played, autoplay, replay_equal
from pbem.engine.bots import Bot, greedy_bot
from pbem.engine.planner import Planner, choose, follower
from pbem.games.normandy44 import GAME, bot
from pbem.games.normandy44.activation import Activation
from pbem.games.normandy44.orders import Move
from pbem.games.normandy44.plan import BREAK_OUT, PLAN, score
from pbem.games.normandy44.state import State
from pbem.games.normandy44.tables import ALENCON, AVRANCHES, CAEN, GRID, LAND
from tests.games.normandy44.kit import game

SEATS = ("allied", "german")


@cache
def played(seed: int) -> Played[State]:
    """A game of the planner for Cherbourg, without thinking."""
    return autoplay(GAME, f"plan {seed}", planners(seed), "cherbourg")


def planners(seed: int) -> dict[str, Bot]:
    """A planner for each seat."""
    rng = random.Random(seed)
    return {seat: Planner(GAME, seat, rng, 0) for seat in SEATS}


@pytest.mark.parametrize("seed", range(size(1, 4)))
def test_2_3_nothing_is_hidden_at_the_start_of_a_phase(seed: int) -> None:
    """2.3 What is allocated has been shown by then, or not been written yet: there is nothing to draw anew.
    Both seats see the same, but for what is said of their own units."""
    for phase in played(seed).phases:
        state = GAME.load(phase.snapshot)
        if state.phase == "allocation":
            assert not (state.supported or state.fighters or state.interdicted or state.bombers)
        snapshot, view = GAME.dump(state), GAME.view(state, "allied")
        PLAN.sample(state, "allied", random.Random(seed))
        assert GAME.dump(state) == snapshot and GAME.view(state, "allied") == view
        seen = [GAME.view(state, seat).model_dump(exclude={"seat", "notes"}) for seat in SEATS]
        assert seen[0]["markers"] == seen[1]["markers"] and seen[0]["supported"] == seen[1]["supported"]


@pytest.mark.parametrize("seed", range(size(1, 4)))
def test_games_of_the_planner_can_be_played_again(seed: int) -> None:
    """The same dice and answers lead to the same states, and the same positions to the same answers."""
    replay_equal(GAME, played(seed))
    again = autoplay(GAME, f"plan {seed}", planners(seed), "cherbourg")
    assert [phase.entries for phase in again.phases] == [phase.entries for phase in played(seed).phases]


def test_a_planner_that_thinks_chooses_the_same_again() -> None:
    """A budget in decisions leads to the same choice on any machine."""
    snapshot = played(0).phases[1].snapshot
    chosen = [choose(GAME, snapshot, "allied", "gather", size(60, 300), "key") for _ in range(2)]
    assert chosen[0] == chosen[1] and len(chosen[0].tried) == len(PLAN.stances["allied"])


def test_the_stance_of_the_greedy_bot_is_the_greedy_bot() -> None:
    """A planner that follows it gives the same orders."""

    def entries(players: dict[str, Bot]) -> list[object]:
        return [phase.entries for phase in autoplay(GAME, "same", players, "cherbourg").phases]

    one, two = random.Random(1), random.Random(1)
    followers = {seat: follower(GAME, seat, "greedy", one) for seat in SEATS}
    assert entries(followers) == entries({seat: greedy_bot(GAME.judge, two) for seat in SEATS})


def test_stances_rate_orders_differently() -> None:
    """Where one stance gathers next to an enemy, another marches on."""
    state = game("4US 0620, 82AB 0619, 709ID 0519")
    desk = Activation(state, "allied", "B")
    order = Move(("4US",), (next(hex for hex in GRID.neighbours("0519") if LAND >> GRID.index(hex) & 1),))
    worths = {name: PLAN.judge(state, desk, stance)(order) for name, stance in PLAN.stances["allied"].items()}
    assert worths["gather"] > worths["greedy"] == bot.judge(state, desk)(order)
    assert len(set(worths.values())) > 2


def test_s1_the_allies_go_straight_for_cherbourg() -> None:
    """A hex on the way is worth more to them in that scenario than in the campaign."""

    def gain(scenario: str, to: str) -> float:
        state = game("4US 0519, 709ID 0222", scenario=scenario, turn=2)
        desk = Activation(state, "allied", "B")
        return PLAN.judge(state, desk, PLAN.stances["allied"]["straight"])(Move(("4US",), (to,)))

    for to in ("0420", "0321"):
        assert gain("cherbourg", to) > gain("campaign", to)


def gathered(scenario: str, text: str, *path: str) -> float:
    """What a move along a path is worth to the Allies' first stance, for the first unit of the text."""
    state = game(text, scenario=scenario, turn=7)
    return PLAN.judge(state, Activation(state, "allied", "B"), PLAN.stances["allied"]["straight"])(
        Move((text.split()[0],), path)
    )


def test_s2_each_army_keeps_to_its_own_sector() -> None:
    """Americans are less willing to march to Caen, where the British are, than in the campaign."""
    text = "2US 1113, 3BR 1007, 272ID 1108, 276ID 1212"
    lost = [
        gathered(scenario, text, "1113") - gathered(scenario, text, "1009")
        for scenario in ("campaign", "cobra")
    ]
    assert lost[1] > lost[0]
    assert bot.outside("us", GRID.index("1009")) == 3 == bot.outside("uk", GRID.index("1115"))
    assert bot.outside("us", GRID.index("2404")) == 0


def test_s2_the_enemy_behind_is_left_alone() -> None:
    """A division on its way to Avranches does not turn round for Germans that it has passed."""
    text = "2US 1519, 3FJ 1319"
    assert "1419" in GRID.neighbours("1319")
    gained = [
        gathered(scenario, text, "1419") - gathered(scenario, text, "1619")
        for scenario in ("campaign", "cobra")
    ]
    assert gained[0] > gained[1]


def test_s2_units_enough_for_each_town_are_sent_to_it() -> None:
    """In Operation Cobra the nearest Americans go to Avranches, until they are strong enough for it; the next
    go to Alencon. In the campaign, and for the greedy bot, every group goes to its first town."""
    americans = "1US 1820, 2US 1520, 9US 1720, 30US 1420, 8US 1320, 4US 1620, 5US 1220, 35US 1120, 79US 1020"
    others = "90US 0818, 83US 0817, 28US 0716, 3BR 1004"
    garrison = "352ID 2019, 60/116Pz 2019, 156/116Pz 2019, 130/Lehr 2019"
    state = game(f"{americans}, {others}, {garrison}", scenario="cobra", turn=7)
    sieges = bot.Picture(state, "allied", PLAN.stances["allied"]["straight"]).sieges
    wanted = BREAK_OUT.siege * sum(unit.defence for unit in state.on_map("german"))
    before = [id for id in sieges if sieges[id] == (AVRANCHES,)]
    strength = [state.units[id].attack for id in before]
    assert before[:3] == ["1US", "2US", "9US"] and sum(strength[:-1]) < wanted <= sum(strength)
    assert sieges["3BR"] == CAEN and sieges["28US"] == (ALENCON,)
    assert not bot.Picture(game(americans, turn=7), "allied", PLAN.stances["allied"]["straight"]).sieges
    assert not bot.Picture(state, "allied").sieges


def test_the_score_of_one_side_is_lost_to_the_other() -> None:
    """S1 At the end it is the level of victory."""
    end = played(0)
    assert score(end.state, "allied") == -score(end.state, "german")
    assert abs(score(end.state, "allied")) == end.result.margin
