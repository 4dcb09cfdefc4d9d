"""The planner: its stances, its set-up, the units that it lifts, what it makes of positions; and the greedy
bot, which none of this changes."""

from __future__ import annotations

import random
from dataclasses import replace
from functools import cache, partial
from typing import Any

import pytest
from sizes import LONG, size, some

from pbem.engine.autoplay import Played, autoplay, replay_equal
from pbem.engine.bots import greedy_bot
from pbem.engine.desk import Desk
from pbem.engine.language import Order
from pbem.engine.planner import Planner, first_stance
from pbem.games.falaise import GAME, communication, victory, zone86
from pbem.games.falaise.bot import GREEDY, Scene, depth, intended, judge
from pbem.games.falaise.orders import Exit, Move, Redeploy, UseDefault, Withhold
from pbem.games.falaise.plan import PLAN, SET_UP, STANCES, orders, saved, score
from pbem.games.falaise.setup import Redeployment, SetUp
from pbem.games.falaise.state import State
from pbem.games.falaise.tables import SETUP, UNITS
from pbem.games.falaise.view import view
from tests.games.falaise.kit import game, rehearsal
from tests.shortened import shortened

POSITIONS = (
    "Pz/12SS 1523, KG/9Pz unknown, 2/2Pz unknown, Koszutski 1115",
    "16/116Pz 3219, 317/80 3520, D/2SS 2003, KG/243 dead, Pz/10SS unknown",
)


def best(state: State, desk: Desk[Order], subject: str, stance: Any) -> Order:
    return max(desk.options(subject), key=PLAN.judge(state, desk, stance))


# --- stances ----------------------------------------------------------------------------------------------


def test_each_side_has_a_few_ways_to_play() -> None:
    """The planner has a choice for either side, and a first stance to follow without thinking."""
    assert set(STANCES) == {"german", "allied"}
    assert all(2 <= len(stances) <= 6 for stances in STANCES.values())
    assert first_stance(GAME, "german") == "south"


def test_who_has_little_to_save_leaves_by_the_south_edge() -> None:
    """3.3 A regiment by the edge whose division is safe goes there and off the map; the greedy bot never
    does."""
    state = game("1051/84 4010, 1052/84 2003, 71/53 1020", turn=4)
    desk = rehearsal(state, "german", "84")[-1]
    assert isinstance(best(state, desk, "1051/84", STANCES["german"]["south"]), Exit)
    for stance in (STANCES["german"]["east"], GREEDY):
        assert isinstance(best(state, desk, "1051/84", stance), Move)


def test_one_who_alone_can_save_its_division_goes_east() -> None:
    """3.3 A mechanised unit, the last of its division, does not leave the map near the line."""
    state = game("KG/9Pz 3510, 71/53 1020", turn=4)
    desk = rehearsal(state, "german", "47Pz")[-1]
    order = best(state, desk, "KG/9Pz", STANCES["german"]["south"])
    assert isinstance(order, Move) and int(order.path[-1][2:]) < 10


def test_allies_beside_germans_assault_rather_than_move_on() -> None:
    """10.0 One brigade can assault, the others are still far off: the greedy bot brings those up."""
    state = game("1051/84 2030, 71/53 2031, 158/53 2042, 160/53 2142, 176/59 2242, 177/59 1942", turn=4)
    command = state.units["71/53"].command
    assert intended(Scene(state, "allied", GREEDY), command) == "movement"
    assert intended(Scene(state, "allied", STANCES["allied"]["assault"]), command) == "assault"


def test_germans_beyond_the_line_make_room_for_others() -> None:
    """5.1 One that came in at the edge of the ground in the east goes on; the greedy bot stays."""
    state = game("KG/9Pz 0906, 71/53 1020", turn=6)
    desk = rehearsal(state, "german", "47Pz")[-1]
    stance = STANCES["german"]["south"]
    order = best(state, desk, "KG/9Pz", stance)
    assert isinstance(order, Move) and depth(order.path[-1]) > depth("0906")
    assert PLAN.judge(state, desk, stance)(order) > 0 > PLAN.judge(state, desk, GREEDY)(order)


# --- lines of communication -------------------------------------------------------------------------------


@pytest.mark.parametrize(("turn", "cut"), [(9, True), (5, False)])
def test_allies_cut_lines_in_the_last_turns(turn: int, cut: bool) -> None:
    """3.3, 6.5 A regiment that is sure to surrender without communication has a line past a brigade, which
    can cut it or go nearer."""
    state = game("991/277 1722, 71/53 2020", turn=turn)
    assert communication.in_communication(state, state.units["991/277"])
    order = best(state, rehearsal(state, "allied", "12C")[-1], "71/53", STANCES["allied"]["assault"])
    assert isinstance(order, Move)
    after = game(f"991/277 1722, 71/53 {order.path[-1]}", turn=turn)
    assert communication.in_communication(after, after.units["991/277"]) is not cut


@pytest.mark.parametrize(("turn", "found"), [(10, True), (9, False)])
def test_germans_look_for_a_line_in_the_last_turn(turn: int, found: bool) -> None:
    """3.3, 6.5 A regiment that is cut off goes where it has a line, though that is further from the east."""
    allies = "71/53 1930, 158/53 1732"
    state = game(f"991/277 1830, {allies}", turn=turn)
    assert not communication.in_communication(state, state.units["991/277"])
    order = best(state, rehearsal(state, "german", "74")[-1], "991/277", STANCES["german"]["breakout"])
    assert isinstance(order, Move)
    after = game(f"991/277 {order.path[-1]}, {allies}", turn=turn)
    assert communication.in_communication(after, after.units["991/277"]) is found


# --- closing the pocket -----------------------------------------------------------------------------------


def test_allies_who_close_the_pocket_go_to_their_posts_before_they_assault() -> None:
    """The Poles are beside a regiment that they can assault, and short of the passes of the Dives: the
    planner moves them on. With no post to reach they assault."""
    state = game("1051/84 1617, Koszutski 1517, Stefanowicz 1618, Zgorzelski 1516", turn=4)
    command = state.units["Koszutski"].command
    assert intended(Scene(state, "allied", STANCES["allied"]["assault"]), command) == "movement"
    at_ease = replace(STANCES["allied"]["assault"], posts=())
    assert intended(Scene(state, "allied", at_ease), command) == "assault"


def test_allies_are_set_up_on_the_roads_to_the_south() -> None:
    """3.1 All that the plan puts elsewhere than the example does is legal there, and the last can be placed
    first; a unit that is set up already is left alone."""
    started = whole_game(1, phases=1).state
    desk = SetUp(started, "allied")
    stance = STANCES["allied"]["assault"]
    while found := list(orders(started, desk, stance)):
        desk.check(found[-1])
        desk.carry_out(found[-1])
    assert {id: started.units[id].hex for id in SET_UP} == SET_UP
    assert not any(SETUP.example.hexes[id] == hex for id, hex in SET_UP.items())
    desk.carry_out(UseDefault())
    desk.check(None)


def test_germans_set_up_as_the_example_has_them() -> None:
    """The plan has a set-up for the Allies only."""
    state = GAME.start()
    assert not list(orders(state, SetUp(state, "german"), STANCES["german"]["south"]))


# --- unknown forces ---------------------------------------------------------------------------------------


def test_two_are_set_down_in_the_east_and_four_are_withheld() -> None:
    """3.1 So the Allies score nothing for it."""
    state = whole_game(1, german="planner").state
    assert all(award.what != "unknown forces" for award in state.ledger)


def test_those_are_lifted_that_would_not_get_away() -> None:
    """3.1 The mechanised unit of a division in the far west comes before one on foot, and both before one
    that is nearly home. It is set down east of the line or withheld."""
    state = game("KG/9Pz 3638, Pz/10SS 3639, 21/10SS 3440, KG/243 3241, Pz/2SS 3213, 71/53 1020")
    worths = [saved(state, state.units[id]) for id in ("KG/9Pz", "KG/243", "Pz/2SS")]
    assert worths == sorted(worths, reverse=True)
    desk = Redeployment(state)
    found = list(orders(state, desk, STANCES["german"]["east"]))
    assert isinstance(found[0], Redeploy) and zone86.within(zone86.EAST, found[0].hex)
    assert isinstance(found[-1], Withhold) and found[0].units == found[-1].units == ("KG/9Pz",)
    for order in found:
        desk.check(order)


# --- positions --------------------------------------------------------------------------------------------


def test_the_score_at_the_end_is_that_of_the_rulebook() -> None:
    """3.3 Once the game is over nothing is guessed."""
    state = game(POSITIONS[1], turn=10)
    state.phase = ""
    assert score(state, "allied") == victory.total(state) == -score(state, "german")


@pytest.mark.parametrize(
    ("better", "worse"),
    [("KG/9Pz 2010", "KG/9Pz 2030"), ("KG/9Pz unknown", "KG/9Pz 2030"), ("KG/9Pz 2014", "KG/243 2014")],
)
def test_before_the_end_it_looks_at_who_will_get_away(better: str, worse: str) -> None:
    """3.3 Nearer to the line is better for the Germans, and so is a unit that will score more."""
    scores = [score(game(text, turn=5, phase="recovery"), "german") for text in (better, worse)]
    assert scores[0] > scores[1]


@pytest.mark.parametrize("text", POSITIONS)
@pytest.mark.parametrize("seat", ["german", "allied"])
def test_nothing_that_is_hidden_could_be_otherwise(text: str, seat: str) -> None:
    """3.1 Whoever knows the counters knows who waits as an unknown force: the only ones that a seat does not
    see. So a position that looks the same is the same, and none is drawn."""
    state = game(text, turn=5)
    before = view(state, seat)
    for seed in range(20):
        PLAN.sample(state, seat, random.Random(seed))
        assert view(state, seat) == before
    hidden = set(UNITS) - {unit.id for unit in before.units}
    assert hidden == {unit.id for unit in state.units.values() if unit.place == "unknown"}


# --- whole games ------------------------------------------------------------------------------------------


@cache
def whole_game(
    seed: int, german: str = "greedy", allied: str = "greedy", think: int = 0, phases: int = 10**6
) -> Played[State]:
    rng = random.Random(seed)
    bots = {
        seat: Planner(GAME, seat, rng, think) if kind == "planner" else greedy_bot(GAME.judge, rng)
        for seat, kind in (("german", german), ("allied", allied))
    }
    return autoplay(shortened(GAME, phases), f"bot {seed}", bots)


@pytest.mark.dear
@pytest.mark.parametrize(("seed", "hash"), some([(1, "655414769c30c6a6"), (2, "fd464888df8119e1")], 1))
def test_the_greedy_bot_plays_as_ever(seed: int, hash: str) -> None:
    """The defaults of a stance are the greedy bot: its games come out as they did before there were any."""
    assert whole_game(seed).phases[-1].state_hash.startswith(hash)
    rng = random.Random(seed)
    same = {seat: greedy_bot(partial(judge, stance=GREEDY), rng) for seat in ("german", "allied")}
    assert autoplay(GAME, f"bot {seed}", same).phases[-1].state_hash.startswith(hash)


def test_games_of_the_planner_can_be_played_again() -> None:
    """From its journal, and from the same seed."""
    phases = size(25, 10**6)
    played, again = (whole_game.__wrapped__(3, "planner", "planner", phases=phases) for _ in range(2))
    replay_equal(GAME, played if LONG else replace(played, phases=played.phases[:-1]))
    assert again.phases[-1].state_hash == played.phases[-1].state_hash


@pytest.mark.long
def test_it_gets_more_away_than_the_greedy_bot() -> None:
    """Against the same Allies the planner does better for the Germans."""
    points = [victory.total(whole_game(1, german).state) for german in ("planner", "greedy")]
    assert points[0] < points[1]
