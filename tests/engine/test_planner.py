"""The planner: a stance chosen by imagined games, the same on every machine, from what its seat may know."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from toygame import TOY, Step, Toy

from pbem.engine.autoplay import autoplay, replay_equal
from pbem.engine.bots import Bot, greedy_bot
from pbem.engine.game import Game, Plan, Rate
from pbem.engine.imagine import Budget, play_on
from pbem.engine.planner import Planner, bot_for, choose, first_stance, follower, has_choice, moment

WAYS = {"stay": 0, "march": 1}


def judge(state: Toy, request: Any, stance: int) -> Rate:
    """A unit goes ahead, or not at all."""

    def rate(choice: Any) -> float:
        return stance * TOY.judge(state, request)(choice)

    return rate


def ahead(state: Toy, side: str) -> float:
    """How far a side has come; each side wants to."""
    sign = 1 if side == "red" else -1
    return float(sum(sign * state.squares[unit] for unit in state.own(side)) - 5 * (3 - len(state.own(side))))


def planned(**changes: Any) -> Game[Toy]:
    plan: Plan[Toy] = Plan(stances={"red": WAYS, "blue": WAYS}, judge=judge, score=ahead)
    return replace(TOY, plan=replace(plan, **changes))


def at_red(blue: tuple[int, int, int] = (9, 10, 11)) -> bytes:
    """The start of the red moves, with the blue units on these squares."""
    squares = {f"red{at}": at for at in (1, 2, 3)} | {
        f"blue{at}": square for at, square in enumerate(blue, 1)
    }
    return TOY.dump(Toy(scenario="meeting", phase="red_moves", squares=squares))


def test_without_time_to_think_it_follows_its_first_stance() -> None:
    game = planned()
    assert first_stance(game, "red") == "stay"
    assert choose(game, at_red(), "red", "stay", 0, "key").stance == "stay"
    state = TOY.load(at_red())
    bots = {seat: follower(game, seat, None, random.Random(1)) for seat in ("red", "blue")}
    play_on(game, state, bots, "1", 1, Budget(0))
    assert state.squares["red3"] == 3


def test_it_takes_the_stance_whose_games_come_out_better() -> None:
    """And says what it has tried, within its budget but for the games begun."""
    thought = choose(planned(), at_red(), "red", "stay", 400, "key")
    assert thought.stance == "march"
    tried = {name: (games, worth) for name, games, worth in thought.tried}
    assert tried["stay"][0] == tried["march"][0] >= 4
    assert tried["march"][1] > tried["stay"][1]


def test_the_stance_in_use_keeps_its_place_against_its_equals() -> None:
    game = planned(stances={"red": {"one": 1, "other": 1, "third": 1}, "blue": WAYS})
    assert choose(game, at_red(), "red", "other", 2_000, "key").stance == "other"


def test_the_same_budget_leads_to_the_same_choice() -> None:
    thoughts = {choose(planned(), at_red(), "red", "stay", 300, "key") for _ in range(3)}
    assert len(thoughts) == 1


def test_it_knows_no_more_than_its_seat() -> None:
    """Two positions that look the same to red are the same to its planner: what it cannot see is drawn
    anew."""

    def redrawn(state: Toy, seat: str, chance: random.Random) -> None:
        for unit in state.own("blue" if seat == "red" else "red"):
            state.squares[unit] = chance.randrange(6, 12)

    game = planned(sample=redrawn)
    far, near = (choose(game, at_red(blue), "red", "stay", 400, "key") for blue in ((9, 10, 11), (4, 5, 6)))
    assert far == near
    told = choose(planned(), at_red((4, 5, 6)), "red", "stay", 400, "key")
    assert told.tried != near.tried


def test_equal_rolls_of_two_stances_meet_equal_dice() -> None:
    """With equal stances every imagined game of a sample is the same game."""
    game = planned(stances={"red": {"one": 1, "other": 1}, "blue": {"march": 1}})
    thought = choose(game, at_red((5, 6, 7)), "red", "one", 600, "key")
    assert len({worth for _, _, worth in thought.tried}) == 1


@pytest.mark.parametrize("think", [0, 200])
def test_games_of_planners_play_again(think: int) -> None:
    def players() -> dict[str, Bot]:
        return {seat: bot_for("planner", game, seat, random.Random(seat), think) for seat in ("red", "blue")}

    game = planned()
    played = autoplay(game, "7", players())
    replay_equal(game, played)
    again = autoplay(game, "7", players())
    assert [phase.state_hash for phase in again.phases] == [phase.state_hash for phase in played.phases]


def test_it_thinks_once_a_turn_where_its_seat_acts(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []
    game = planned()
    planner = Planner(game, "red", random.Random(1), 100)

    def noted(game: Any, snapshot: bytes, *rest: Any) -> Any:
        asked.append(TOY.load(snapshot).phase)
        return choose(game, snapshot, *rest)

    monkeypatch.setattr("pbem.engine.planner.choose", noted)
    autoplay(game, "7", {"red": planner, "blue": greedy_bot(TOY.judge, random.Random(1))})
    assert asked == ["set_up", "red_moves", "red_moves", "red_moves"]


def test_a_game_without_a_plan_is_played_greedily() -> None:
    planner, greedy = (
        autoplay(TOY, "7", {seat: bot_for(name, TOY, seat, random.Random(seat)) for seat in ("red", "blue")})
        for name in ("planner", "greedy")
    )
    assert planner.phases == greedy.phases


def test_orders_of_its_own_come_first_and_refused_ones_are_passed_over() -> None:
    """A desk's offers are looked at once there are no more."""

    def own(state: Toy, desk: Any, stance: int) -> Iterator[Step]:
        yield Step("red1", 11)
        if state.squares["red1"] < 3:
            yield Step("red1", state.squares["red1"] + 1)

    game = planned(orders=own)
    state = TOY.load(at_red())
    bots = {seat: follower(game, seat, None, random.Random(1)) for seat in ("red", "blue")}
    play_on(game, state, bots, "1", 1, Budget(0))
    assert (state.squares["red1"], state.squares["red2"]) == (3, 2)


def test_a_stance_that_a_side_does_not_have() -> None:
    with pytest.raises(KeyError):
        follower(planned(), "red", "hide", random.Random(1))
    with pytest.raises(KeyError, match="there is no bot"):
        bot_for("planer", TOY, "red", random.Random(1))


def test_the_moments_for_which_a_seat_chooses() -> None:
    """Once a turn, in its own phases; where the plan says so, before each round."""
    state = Toy(scenario="meeting", phase="red_moves", turn=2, round=3)
    assert moment(planned(), state, "red") == (2, 0)
    assert moment(planned(afresh=("red_moves",)), state, "red") == (2, 3)
    assert moment(planned(), state, "blue") is None


def test_who_has_a_choice() -> None:
    one = planned(stances={"red": {"march": 1}, "blue": WAYS})
    assert [has_choice(one, seat) for seat in ("red", "blue")] == [False, True]
    assert not has_choice(TOY, "red")
