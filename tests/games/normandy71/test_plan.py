"""The planner's part of the game: what a side cannot see is drawn anew behind an equal view, stances lead to
different orders, and planned games can be played again."""

from __future__ import annotations

import random
from collections.abc import Iterator
from functools import cache

import pytest
from sizes import LONG, size

from pbem.engine.autoplay import Played, autoplay, replay_equal
from pbem.engine.bots import greedy_bot
from pbem.engine.imagine import Budget, play_on
from pbem.engine.planner import Planner, choose, follower
from pbem.games.normandy71 import GAME, combat, victory
from pbem.games.normandy71.bot import GREEDY, Picture, Stance, leaving
from pbem.games.normandy71.deployment import GermanSetup
from pbem.games.normandy71.ground import Ground
from pbem.games.normandy71.movement import Movement
from pbem.games.normandy71.orders import Move, UseDefault
from pbem.games.normandy71.plan import PLAN, SET_UPS
from pbem.games.normandy71.setup import create_germans
from pbem.games.normandy71.state import State
from pbem.games.normandy71.tables import BEACHES, GRID, LAND, OOB
from tests.games.normandy71.kit import game, unit
from tests.games.playing import opening

SEATS = ("allied", "german")


@cache
def played(seed: int) -> Played[State]:
    """A game of the planner, without thinking."""
    rng = random.Random(seed)
    return autoplay(GAME, f"plan {seed}", {seat: Planner(GAME, seat, rng, 0) for seat in SEATS})


def positions(seed: int) -> Iterator[State]:
    """The starts of the phases of a game."""
    for phase in played(seed).phases:
        yield GAME.load(phase.snapshot)


@pytest.mark.parametrize("seat", SEATS)
@pytest.mark.parametrize("seed", range(size(1, 2)))
def test_what_is_hidden_is_drawn_anew_behind_an_equal_view(seat: str, seed: int) -> None:
    """INV.1B, ENT.B, SUP.H The seat sees the same position at every phase of a game, and something in it is
    different; nothing is wrong with the state that was not before."""
    different = 0
    for number, state in enumerate(positions(seed)):
        before, view, faults = GAME.dump(state), GAME.view(state, seat), set(GAME.invariants(state))
        PLAN.sample(state, seat, random.Random(number))
        assert GAME.view(state, seat) == view, GAME.label(state)
        assert set(GAME.invariants(state)) <= faults, GAME.label(state)
        different += GAME.dump(state) != before
    assert different > 30


def test_the_allies_do_not_know_the_order_of_battle() -> None:
    """INV.1B Before the landing every order of battle may be drawn; the more is seen, the fewer."""
    early, *_, late = (state for state in positions(0) if state.phase == "allied_movement")
    drawn: dict[int, set[str]] = {}
    for state in (early, late):
        snapshot = GAME.dump(state)
        for number in range(30):
            again = GAME.load(snapshot)
            PLAN.sample(again, "allied", random.Random(number))
            drawn.setdefault(state.turn, set()).add(again.order_of_battle)
    assert len(drawn[1]) > 3 and len(drawn[6]) <= len(drawn[1])


def test_ent_b_stacks_under_markers_are_drawn_anew() -> None:
    """ENT.B Another unit may be under a German marker; one in the open stays."""
    state = next(state for state in positions(0) if state.phase == "allied_movement")
    before = {id: unit.hex for id, unit in state.units.items() if unit.side == "german"}
    PLAN.sample(state, "allied", random.Random(1))
    after = {id: unit.hex for id, unit in state.units.items() if unit.side == "german"}
    assert before != after and set(filter(None, before.values())) == set(filter(None, after.values()))


def test_sup_h_the_germans_do_not_know_the_supply_areas() -> None:
    """SUP.H Any beach that was invaded may be one."""
    state = next(state for state in positions(0) if (state.turn, state.phase) == (2, "german_movement"))
    snapshot, found = GAME.dump(state), set()
    for number in range(8):
        again = GAME.load(snapshot)
        PLAN.sample(again, "german", random.Random(number))
        found.add(tuple(again.plan.supply))
        assert set(again.plan.supply) <= set(again.plan.beaches)
    assert len(found) > 3


@pytest.mark.parametrize("seed", range(size(1, 2)))
def test_games_of_the_planner_can_be_played_again(seed: int) -> None:
    """The same dice and answers lead to the same states, and the same position to the same answers."""
    replay_equal(GAME, played(seed))
    rng = random.Random(seed)
    again = autoplay(GAME, f"plan {seed}", {seat: Planner(GAME, seat, rng, 0) for seat in SEATS})
    assert [phase.entries for phase in again.phases] == [phase.entries for phase in played(seed).phases]


ALLIED = ("allied", "allied_movement", "peninsula")
GERMAN = ("german", "german_second_movement", "deny")
"""Who thinks before which phase of the last turn with which stance: with much or little to imagine."""


def test_a_planner_that_thinks_can_be_played_again() -> None:
    """A budget in decisions leads to the same game on any machine."""
    seat, phase, now = ALLIED if LONG else GERMAN
    state = next(state for state in positions(0) if (state.turn, state.phase) == (6, phase))
    chosen = [choose(GAME, GAME.dump(state), seat, now, 60, "key") for _ in range(2)]
    assert chosen[0] == chosen[1] and len(chosen[0].tried) == len(PLAN.stances[seat])


def test_inv_1a_each_stance_lands_in_its_own_way() -> None:
    """INV.1A The plan of invasion is the stance's, completed from the default one, and legal."""
    plans = {}
    for name, stance in PLAN.stances["allied"].items():
        state = GAME.start()
        bots = {
            "allied": follower(GAME, "allied", name, random.Random(1)),
            "german": greedy_bot(GAME.judge, random.Random(1)),
        }
        play_on(GAME, state, bots, "dice", 1, Budget(0))
        plans[stance.deployment] = (state.plan.beaches, state.plan.supply, state.plan.drops)
        assert set(state.plan.supply) <= set(state.plan.beaches)
    assert len({str(plan) for plan in plans.values()}) == len(plans) > 3


@pytest.mark.parametrize("letter", [order.letter for order in OOB.german])
def test_inv_1b_the_germans_guard_the_road_north(letter: str) -> None:
    """INV.1B The set-up is the stance's, completed from the default one, whatever the order of battle."""
    state = GAME.start()
    create_germans(state, letter)
    desk = GermanSetup(state)
    assert PLAN.orders is not None
    while order := next(iter(PLAN.orders(state, desk, PLAN.stances["german"]["deny"])), None):
        desk.check(order)
        desk.carry_out(order)
    desk.carry_out(UseDefault())
    desk.check_end()
    for id, hex in SET_UPS["north"].items():
        assert state.units[id].hex == hex and state.entrenchments[hex] == "german"


def test_vic_d_what_a_german_unit_takes_from_the_allies() -> None:
    """VIC.C, VIC.X, VIC.D, SUP.D With every beach a supply area the points are those of victory.py, and
    what a unit takes in a hex is what it would take if it stood there."""
    taken = 0
    for state in list(positions(0))[20::5]:
        state.plan.supply, state.dead_beaches = list(BEACHES), []
        seen, before = Ground(state), ground_points(state)
        assert seen.points == before, GAME.label(state)
        free = [hex for hex in GRID.named(seen.lines & LAND) if state.holder(hex) is None]
        other = [hex for hex in GRID.named(LAND & ~seen.lines) if state.holder(hex) is None]
        for hex in (*free[:: size(3, 1)], *other[:: size(100, 20)]):
            state.units["new"] = unit(f"new german 4-1 {hex}")
            assert seen.taken_in(hex) == before - ground_points(state), (GAME.label(state), hex)
            assert Ground(state).kept_from(hex, ()) == seen.taken_in(hex)
            del state.units["new"]
            taken += seen.taken_in(hex) > 0
    assert taken > 10


def ground_points(state: State) -> float:
    """The points for cities, exits and depth, as if there were one beachhead."""
    found = victory.score(state)
    return float(sum(found.cities.values()) + sum(found.exits.values())) + found.hexes * 0.5


def test_sup_m_the_best_attacks_come_first() -> None:
    """SUP.M The planner writes the attack that gains most, wherever it is on the map."""
    state = game(
        "8/4 allied 7-4 1218, x german 7-2 1219, 22/4 allied 7-4 3018, 12/4 allied 7-4 3117, "
        "y german 4-1 3017",
        turn=3,
        supply=["3 Utah"],
    )
    desk = opening(combat.allied_combat, state)
    stance = PLAN.stances["allied"]["peninsula"]
    assert PLAN.orders is not None
    found = list(PLAN.orders(state, desk, stance))
    rate = PLAN.judge(state, desk, stance)
    assert found == sorted(found, key=lambda order: -rate(order)) and found == list(
        PLAN.orders(state, desk, stance)
    )


def test_vic_c_a_german_unit_goes_where_it_denies_points() -> None:
    """VIC.C To the planner's Germans a hex beside an empty Caen is worth more than to the greedy ones."""
    state = game("x german 4-1 1515, 8/4 allied 7-4 2218", turn=6)
    order = Move(("x",), ("1517",))

    def worth(stance: Stance | None) -> float:
        return PLAN.judge(state, Movement(state, "german", second=True), stance)(order)

    assert worth(PLAN.stances["german"]["deny"]) > worth(None) + 5


def test_vic_x_a_regiment_leaves_only_with_its_division() -> None:
    """VIC.X Three regiments near an exit road leave by it; one alone does not, nor after the north counts."""
    three = "8/4 allied 7-4 5434, 22/4 allied 7-4 5332, 12/4 allied 7-4 5333"

    def worth(units: str, turn: int) -> float:
        state = game(units, turn=turn, supply=["1 Utah"])
        seen = Picture(Movement(state, "allied", second=False), GREEDY["allied"])
        return leaving(seen, state.units["8/4"], "5434")

    assert worth(three, 3) > 0 == worth(three, 4) == worth("8/4 allied 7-4 5434", 3)
