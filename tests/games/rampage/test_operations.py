"""Stacking and movement (6, 9): forces, legs, battles on the way, and orders that events have overtaken."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from pbem.engine.desk import Desk, FirstOf
from pbem.engine.errors import NotAllowed, Overtaken
from pbem.engine.play import Answer, Ask, Decision, advance
from pbem.engine.wording import percent
from pbem.games.rampage.notes import (
    Allotted,
    Controlled,
    Defended,
    Dropped,
    Engaged,
    Fired,
    Moved,
    Relieved,
    Repulsed,
    Stopped,
    Won,
)
from pbem.games.rampage.operations import operations
from pbem.games.rampage.orders import Concede, Move
from pbem.games.rampage.state import State
from pbem.games.rampage.supply_die import Grounding
from tests.games.playing import Played, opening, play
from tests.games.rampage.kit import at, game

# 1302, 1202, 1102 and 1002 are open country and German 1303, 1203, 1403, 1103 and 1003 lie next to them; 1601
# is rough, behind a river from 1701 and 1602. West of the line a die of three or less finds nobody at home.
NOBODY, ONE, TWO = 3, 4, 5


def refused(state: State, *orders: Move, case: str, dice: tuple[Any, ...] = ()) -> NotAllowed:
    """The last of the orders must be refused, citing the case."""
    with pytest.raises(NotAllowed) as caught:
        play(operations, state, *orders, dice=dice)
    assert caught.value.case == case, caught.value
    return caught.value


def moves(played: Played) -> list[tuple[str, ...]]:
    return [note.path for note in played.of(Moved)]


# --- moving ---------------------------------------------------------------------------------------------


def test_9_12_six_points_hex_by_hex() -> None:
    """9.8, 9.12 A division goes six clear hexes; every hex of the way is logged."""
    state = game("3A 1002", allied="1003 1004 1103 1104")
    played = play(operations, state, Move(("3A",), ("1102", "1202", "1302", "1202", "1102", "1002")))
    assert moves(played) == [("1002", "1102", "1202", "1302", "1202", "1102", "1002")]
    (moved,) = played.of(Moved)
    assert (moved.spent, moved.of) == (6, 6)


def test_9_8_nothing_is_lent() -> None:
    """9.8 A way that costs more than six is refused, with what is within reach."""
    error = refused(game("3A 1500"), Move(("3A",), ("1400", "1500", "1400", "1500", "1400")), case="9.12")
    assert error.legal and all(line.startswith("move 3A to ") for line in error.legal)
    assert "point" in error.text


def test_9_8_hexes_left_out_are_filled_in() -> None:
    """9.8 With only the goal named a force goes the cheapest way through Allied hexes,
    into a German hex at last."""
    played = play(operations, game("3A 1002"), Move(("3A",), ("1303",)), dice=[NOBODY])
    assert moves(played) == [("1002", "1101", "1202", "1302", "1303")]
    assert at(played.state, "3A") == "1303"


def test_9_12_what_is_offered_instead_lies_near_to_what_was_wanted() -> None:
    """9.12 A way that is too long is answered with orders that end as near to its goal
    as the points allow."""
    error = refused(game("3A 1500", allied="1403 1404 1405 1406"), Move(("3A",), ("1406",)), case="9.12")
    assert error.legal == ("move 3A to 1405", "move 3A to 1304", "move 3A to 1504")


def test_9_8_staying_is_no_move() -> None:
    """9.8 An order to where the force stands is refused."""
    refused(game("3A 1002"), Move(("3A",), ("1002",)), case="9.8")


# --- stacking -------------------------------------------------------------------------------------------

SIX = "1Inf 1302, 4Inf 1302, 5Inf 1302, 9Inf 1302, 28Inf 1302, 30Inf 1302"


def test_6_2_a_full_hex_is_not_even_passed() -> None:
    """6.1, 6.2 Six units fill a hex: a seventh may not pass through, and its way leads round."""
    state = game(f"3A 1202, {SIX}")
    refused(state, Move(("3A",), ("1302", "1402")), case="6.2")
    played = play(operations, state, Move(("3A",), ("1402",)))
    assert moves(played) == [("1202", "1301", "1402")]


def test_6_2_the_limit_counts_the_force_as_it_is() -> None:
    """6.1 Two units do not fit where one would; replenishing units count as well (7.7)."""
    state = game("3A 1202, 2A 1202, 1Inf 1302, 4Inf 1302, 5Inf 1302, 9Inf 1302, 28Inf 1302 replenishing")
    refused(state, Move(("3A", "2A"), ("1302",)), case="6.2")
    assert play(operations, state, Move(("3A",), ("1302",))).ended


def test_6_5_germans_do_not_count() -> None:
    """6.5 Six units may attack a hex however many Germans stand in it, and stand there when it has fallen."""
    state = game(f"{SIX}, 84Inf 1303, 85Inf 1303")
    six = ("1Inf", "4Inf", "5Inf", "9Inf", "28Inf", "30Inf")
    played = play(operations, state, Move(six, ("1303",)), dice=[[1, 1], [4] * 12])
    assert {unit.id for unit in played.state.at("1303")} == set(six)


def test_6_2_the_army_groups_never_share_a_hex() -> None:
    """6.2 A US force may neither enter nor pass through a hex with British units."""
    state = game("3A 1600, GdsA 1700, 43BrInf 1500")
    refused(state, Move(("3A",), ("1700",)), case="6.2")
    refused(state, Move(("3A",), ("1500", "1400")), case="6.2")


def test_9_11_one_hex_one_army_group() -> None:
    """9.11 A hex that one army group has attacked is closed to the other for the turn,
    after a repulse too."""
    state = game("3A 1501, GdsA 1701, 2A 1501", allied="1602")
    first = Move(("3A",), ("1702",), rounds=1)
    british = Move(("GdsA",), ("1702",))
    thrown = (ONE, "84Inf", [1], [1, 1])
    error = refused(state, first, british, case="9.11", dice=thrown)
    assert isinstance(error, Overtaken), "the first attack was thrown back: nobody is to blame"
    state = game("3A 1501, GdsA 1701, 2A 1501", allied="1602")
    second = Move(("2A",), ("1702",), rounds=1)
    again = play(operations, state, first, second, dice=[*thrown, [1], [1, 1]])
    assert [note.case for note in again.of(Defended)] == ["8.2", "8.8"], "no new defence"


def test_13_8_airborne_units_are_relieved() -> None:
    """13.8, 6.3 A force that enters the hex of an airborne division relieves it;
    it takes no room and never moves."""
    state = game("3A 1202, 82AB 1302")
    refused(state, Move(("82AB",), ("1202",)), case="13.8")
    played = play(operations, state, Move(("3A",), ("1302",)))
    assert played.of(Relieved)[0].names == ("82AB",)
    assert played.state.units["82AB"].place == "relieved"


# --- forces ---------------------------------------------------------------------------------------------


def test_9_1_a_force_begins_in_one_hex() -> None:
    """9.1 Units of two hexes make no force; nor do units of another player's, or of nobody."""
    refused(game("3A 1202, 2A 1302"), Move(("3A", "2A"), ("1201",)), case="9.1")
    refused(game("3A 1202"), Move(("2A",), ("1201",)), case="9.1")
    refused(game("3A 1202", options={"command": "two"}), Move(("GdsA",), ("1201",)), case="9.1")


def test_9_1_one_force_after_another() -> None:
    """9.1, 9.9 Once another force has begun, the first one is done."""
    state = game("3A 1202, 2A 1302")
    orders = (Move(("3A",), ("1201",)), Move(("2A",), ("1402",)), Move(("3A",), ("1202",)))
    error = refused(state, *orders, case="9.1")
    assert not isinstance(error, Overtaken)


def test_9_2_splitting_off_and_dropping() -> None:
    """9.2 Part of a stack sets out, drops a unit on the way and goes on; the rest of the stack may still act,
    the dropped may not."""
    state = game("3A 1202, 2A 1202, 1Inf 1202")
    played = play(
        operations,
        state,
        Move(("3A", "2A"), ("1302",)),
        Move(("3A",), ("1402",)),
        Move(("1Inf",), ("1302",)),
    )
    assert [at(played.state, id) for id in ("3A", "2A", "1Inf")] == ["1402", "1302", "1302"]
    assert played.of(Dropped)[0].names == ("2A",)
    assert [(note.names, note.spent) for note in played.of(Moved)] == [
        (("3A", "2A"), 1),
        (("3A",), 2),
        (("1Inf",), 1),
    ]
    state = game("3A 1202, 2A 1202, 1Inf 1202")
    orders = (Move(("3A", "2A"), ("1302",)), Move(("3A",), ("1402",)), Move(("2A",), ("1202",)))
    refused(state, *orders, case="9.2")


def test_9_2_nobody_is_picked_up() -> None:
    """9.2 A force on the move takes nobody along from a hex that it enters."""
    state = game("3A 1202, 1Inf 1302")
    refused(state, Move(("3A",), ("1302",)), Move(("3A", "1Inf"), ("1402",)), case="9.2")


def test_7_7_units_under_reps_stay() -> None:
    """7.7 A unit that is being replenished does not move."""
    refused(game("3A 1202 replenishing"), Move(("3A",), ("1302",)), case="7.7")


def test_11_1_nobody_enters_the_pocket() -> None:
    """11.1 The hex of the Argentan-Falaise Pocket is closed while its marker stands."""
    state = game("3A 1601", turn=1, afp="standing")
    refused(state, Move(("3A",), ("1602",)), case="11.1")


# --- battles --------------------------------------------------------------------------------------------


def test_8_7_an_undefended_hex_falls_at_once() -> None:
    """8.7, 9.5 With nobody at home the force goes on, through several German hexes if its points last."""
    played = play(operations, game("3A 1302"), Move(("3A",), ("1303",), ("1304",)), dice=[NOBODY, NOBODY])
    assert at(played.state, "3A") == "1304"
    assert [(note.hexes, note.why) for note in played.of(Controlled)] == [
        (("1303",), "undefended"),
        (("1304",), "undefended"),
    ]


def test_9_5_after_a_victory_it_goes_on() -> None:
    """9.3, 9.5 The first round costs nothing beyond entering; the rest of the points carry the force on."""
    state = game("3A 1302, 1Inf 1302")
    order = Move(("3A", "1Inf"), ("1303",), ("1304", "1305", "1306", "1307", "1308"), won=True)
    played = play(operations, state, order, dice=[ONE, "84Inf", [1], [4, 1], [1, 1], *[NOBODY] * 5])
    assert at(played.state, "3A") == "1308"
    assert played.of(Won)[0].rounds == 1
    assert played.of(Moved)[-1].spent == 6


def test_9_4_each_later_round_costs_a_point() -> None:
    """9.4, 9.8 Two more rounds take two points: the force stops short of its goal."""
    state = game("3A 1302")
    order = Move(("3A",), ("1303",), ("1304", "1305", "1306", "1307"), won=True)
    dice: list[Any] = [ONE, "84Inf", [1], [1, 1], [1], [1, 1], [1], [6, 1], NOBODY, NOBODY, NOBODY]
    played = play(operations, state, order, dice=dice)
    assert at(played.state, "3A") == "1306"
    (stopped,) = played.of(Stopped)
    assert (stopped.short_of, stopped.points, stopped.why) == ("1307", 0, "")


def test_9_6_the_repulsed_go_back_and_are_done() -> None:
    """9.6, 8.8 Breaking off leads back to the hex from which the force came; the defenders stay;
    further lines are overtaken."""
    state = game("3A 1202, 1Inf 1202")
    played = play(
        operations,
        state,
        Move(("3A", "1Inf"), ("1302", "1303"), rounds=1),
        dice=[TWO, "84Inf 85Inf", [1, 1], [1, 1], [1, 4]],
    )
    (repulsed,) = played.of(Repulsed)
    assert (repulsed.back, repulsed.names, repulsed.defenders) == ("1302", ("3A", "1Inf"), ("85Inf",))
    assert at(played.state, "3A") == "1302" and at(played.state, "85Inf") == "1303"
    assert played.state.germans["84Inf"].place == "fallen"
    with pytest.raises(Overtaken) as caught:
        play(
            operations,
            game("3A 1202"),
            Move(("3A",), ("1303",), rounds=1),
            Move(("3A",), ("1202",)),
            dice=[ONE, "84Inf", [1], [1, 1]],
        )
    assert caught.value.case == "9.6"


def test_9_7_out_of_points_is_out_of_the_battle() -> None:
    """9.7 With no points left the battle is lost, however much the orders want it won."""
    state = game("3A 1002")
    order = Move(("3A",), ("1102", "1202", "1302", "1303"), won=True)
    dice: list[Any] = [ONE, "84Inf", [1], [1, 1], [1], [1, 1], [1], [1, 1]]
    played = play(operations, state, order, dice=dice)
    assert [note.why for note in played.of(Repulsed)] == ["points"]
    assert played.of(Fired)[-1].round == 3


def test_10_1_a_force_that_is_wiped_out() -> None:
    """10.1 (7), 8.8 Everybody lost: the defenders stay, and later lines for the dead are overtaken;
    the living go on alone."""
    state = game("1Inf 1302 reduced")
    played = play(operations, state, Move(("1Inf",), ("1303",)), dice=[ONE, "1SS", [6]], choose=None)
    assert played.of(Repulsed)[0].why == "lost"
    assert played.state.units["1Inf"].place == "dead"
    state = game("1Inf 1302 reduced, 3A 1302")
    played = play(
        operations,
        state,
        Move(("1Inf", "3A"), ("1303",), prefs=("reduced first",), won=True),
        Move(("1Inf", "3A"), ("1304",)),
        dice=[ONE, "84Inf", [6], [6, 1], [1], NOBODY],
    )
    assert at(played.state, "3A") == "1304"


@pytest.mark.parametrize(
    ("instructions", "rounds"),
    [
        ({"rounds": 2}, 2),
        ({"losses": 1}, 2),
        ({"won": True, "losses": 1}, 2),
        ({"odds": 99}, 1),
        ({"odds": 1, "rounds": 3}, 3),
    ],
    ids=str,
)
def test_9_6_instructions_end_a_battle(instructions: dict[str, Any], rounds: int) -> None:
    """9.6 A limit on rounds, on losses or on the odds: each breaks the battle off when it should."""
    thrown: list[Any] = [[1], [1, 1], [5], [1, 1], [1], [1]]  # a step is lost in the second round
    played = play(
        operations,
        game("1Inf 1302"),
        Move(("1Inf",), ("1303",), **instructions),
        dice=[ONE, "84Inf", *thrown[: 2 * rounds]],
    )
    assert played.of(Fired)[-1].round == rounds
    assert [(note.why, note.back) for note in played.of(Repulsed)] == [("orders", "1302")]
    assert not played.asked("battle")


def test_10_1_what_no_instruction_covers_is_asked() -> None:
    """10.1 (8) Another round is asked for with the exact odds; by default the battle goes on while they
    are even or better."""
    state = game("1Inf 1302, 3A 1302")
    order = Move(("1Inf", "3A"), ("1303",))
    dice: list[Any] = [TWO, "84Inf 85Inf", [1, 1], [1, 1], [1, 4], [1], [1, 1], [4, 4]]
    played = play(operations, state, order, dice=dice)
    (ask,) = played.asked("battle")
    assert ask.options == ("fight on", "break off") and ask.fallback == "fight on"
    assert ask.round == 2 and ask.odds > 90
    assert played.of(Won)
    state = game("1Inf 1302 reduced")
    hopeless = play(
        operations, state, Move(("1Inf",), ("1303",)), dice=[6, "84Inf 85Inf 89Inf", [1, 1, 1], [1]]
    )
    assert hopeless.asked("battle")[0].fallback == "break off"
    assert hopeless.of(Repulsed)[0].why == "orders"


def test_9_15_the_short_army_group() -> None:
    """9.15 Its forces throw for their points, once for those who go together, and fight one round;
    nobody else does."""
    state = game("3A 1302, 1Inf 1302, GdsA 1801", turn=3, partial="us")
    order = Move(("3A", "1Inf"), ("1303",), ("1304", "1305"), won=True)
    played = play(operations, state, order, Move(("GdsA",), ("1900",)), dice=[2, NOBODY, NOBODY])
    assert [note.die for note in played.of(Allotted)] == [2]
    assert at(played.state, "3A") == "1304"
    assert played.of(Stopped)[0].short_of == "1305"
    state = game("3A 1302", turn=3, partial="us")
    played = play(operations, state, Move(("3A",), ("1303",), won=True), dice=[6, ONE, "84Inf", [1], [1, 1]])
    assert [note.why for note in played.of(Repulsed)] == ["supply"]


def test_9_16_the_airborne_army_is_never_short() -> None:
    """9.16 The airborne divisions are not among those that the short army group gives up."""
    state = game("3A 1302, 82AB 1202, 101AB 1202", turn=3, partial="us")
    assert [unit.id for unit in Grounding(state).full()] == ["3A"]


def test_9_15_a_leg_that_the_die_cut_short_is_overtaken() -> None:
    """9.15 What the points of the die do not reach any more is passed over, not held against its writer."""
    state = game("3A 1202", turn=3, partial="us")
    error = refused(state, Move(("3A",), ("1302",)), Move(("3A",), ("1202",)), case="9.12", dice=(1,))
    assert isinstance(error, Overtaken)


def test_dice_overtake_only_what_depends_on_them() -> None:
    """After a battle a way that the points no longer pay for is overtaken;
    what no dice could have made legal is refused as before."""
    attack = Move(("3A",), ("1303",), won=True)
    dice = (ONE, "84Inf", [1], [1, 1], [1], [6, 1])
    far = Move(("3A",), ("1304", "1305", "1306", "1307", "1308"))
    assert isinstance(refused(game("3A 1302"), attack, far, case="9.12", dice=dice), Overtaken)
    sea = Move(("3A",), ("2002",))
    assert not isinstance(refused(game("3A 1302"), attack, sea, case="9.8", dice=dice), Overtaken)
    landed = game("3A 1302, 82AB 1202")
    stays = Move(("82AB",), ("1201",))
    assert not isinstance(refused(landed, attack, stays, case="13.8", dice=dice), Overtaken)


def test_12_4_a_breakout_interrupts_the_leg() -> None:
    """12.4, 12.6, 12.10 A breakout that wipes out the force gives the hex back to the Germans,
    and the force goes nowhere."""
    state = game("3A 1503 reduced", allied="1502 1503 1602 1702 1703")
    played = play(
        operations,
        state,
        Move(("3A",), ("1604", "1605")),
        dice=[NOBODY, TWO, "PzLr 503Tiger", [6, 6]],
    )
    assert played.state.units["3A"].place == "dead"
    assert "1604" in played.state.german and "1603" not in played.state.german
    assert moves(played) == [("1503", "1604")]
    with pytest.raises(Overtaken):
        play(
            operations,
            game("3A 1503 reduced", allied="1502 1503 1602 1702 1703"),
            Move(("3A",), ("1604",)),
            Move(("3A",), ("1605",)),
            dice=[NOBODY, TWO, "PzLr 503Tiger", [6, 6]],
        )


def test_12_7_the_survivors_of_a_breakout_go_on() -> None:
    """12.7 What a failed breakout leaves of the force goes on with the points that it has left."""
    state = game("3A 1503", allied="1502 1503 1602 1702 1703")
    order = Move(("3A",), ("1604", "1605"), prefs=("full first",))
    played = play(operations, state, order, dice=[NOBODY, ONE, "84Inf", [6], NOBODY])
    assert at(played.state, "3A") == "1605" and played.state.units["3A"].steps == 1


# --- what is offered, and who is asked --------------------------------------------------------------------


def test_everything_offered_is_legal() -> None:
    """Every order that the phase offers passes its own check, before and after a force has begun."""
    state = game("3A 1302, 1Inf 1302, 2A 1202, GdsA 1701, 43BrInf 1701, 28Inf 1402 replenishing, 82AB 1503")
    checked = 0

    def answers(request: Decision) -> Answer:
        nonlocal checked
        assert isinstance(request, Desk)
        for subject in request.subjects():
            for order in request.options(subject):
                request.check(order)
                checked += 1
        begun = any(isinstance(note, Moved) for note in state.log)
        return Answer(None if begun else Move(("3A", "1Inf"), ("1202",)))

    assert advance(operations(state), state, answers=answers).waiting is None
    assert checked > 200


def test_settled_orders_name_every_hex() -> None:
    """The journal keeps the whole way, and it reads back as the same way."""
    request = opening(operations, game("3A 1002"))
    assert isinstance(request, Desk)
    settled = request.settle(Move(("3A",), ("1303",), ("1304",), won=True))
    assert settled == Move(("3A",), ("1101", "1202", "1302", "1303"), ("1304",), won=True)
    request.check(settled)
    assert request.settle(settled) == settled
    assert request.load(settled.dump()) == settled


def test_9_1_one_force_is_under_way_at_a_time() -> None:
    """9.1, 9.10 Under `command two` both write; while the force of the one can go on the other's wait,
    and nobody loses a move by it."""
    state = game("3A 1202, GdsA 1701", options={"command": "two"})
    asked = opening(operations, state)
    assert isinstance(asked, FirstOf) and [ask.seat for ask in asked.asks] == ["us", "british"]
    script: Iterator[Any] = iter(
        [
            ("us", Move(("3A",), ("1302",))),
            Move(("3A",), ("1202",)),
            Move(("3A",), ("1302", "1402", "1302", "1202")),
            ("british", Move(("GdsA",), ("1802",))),
            None,
            None,
        ]
    )
    requests: list[Decision] = []

    def answers(request: Decision) -> Answer:
        requests.append(request)
        return Answer(next(script))

    assert advance(operations(state), state, answers=answers).waiting is None
    assert (at(state, "3A"), at(state, "GdsA")) == ("1202", "1802")
    waited = [request.seat for request in requests if isinstance(request, Desk)]
    assert waited == ["us", "us", "british", "us"]


def test_5_5_conceding_ends_the_phase() -> None:
    """5.5 After a concession nothing further is asked."""
    played = play(operations, game("3A 1202"), Concede())
    assert played.ended and played.state.conceded


def test_the_ask_about_losses_goes_to_the_commander() -> None:
    """10.4 Of two commanders the one whose army group fights is asked."""
    state = game("3A 1302, 1Inf 1302", options={"command": "two"})
    asks: list[Ask[Any]] = []

    def choose(ask: Ask[Any]) -> Any:
        asks.append(ask)
        return ask.fallback

    play(
        operations,
        state,
        Move(("3A", "1Inf"), ("1303",), rounds=1),
        dice=[ONE, "84Inf", [5], [1, 1], [4, 1]],
        choose=choose,
    )
    assert [(ask.kind, ask.seat) for ask in asks] == [("losses", "us")]


def test_engaged_tells_the_river() -> None:
    """10.3 The log says when an attack crosses a river."""
    state = game("3A 1601")
    played = play(operations, state, Move(("3A",), ("1602",), rounds=1), dice=[ONE, "84Inf", [1], [1, 1]])
    assert [note.river for note in played.of(Engaged)] == [True]


def test_10_1_the_letter_about_another_round_tells_chances_and_cost() -> None:
    """9.6, 10.1 Who is left on both sides, the points, and what either choice leads to."""
    state = game("3A 1302, 1Inf 1302")
    dice = [TWO, "84Inf 85Inf", [1, 1], [1, 1], [1, 1]]
    played = play(operations, state, Move(("3A", "1Inf"), ("1303",)), dice=dice)
    (ask,) = played.asked("battle")
    assert ask.intro == (
        "1303 from 1302: 3A (2 steps), 1Inf (2 steps) against 84Inf, 85Inf. 0 steps lost so far, "
        "5 movement points left; a round costs 1."
    )
    on, off = map(ask.says, ask.options)
    assert f"{percent(ask.odds / 100)} to win within 5 rounds" in on and on.endswith("otherwise back to 1302")
    assert off.startswith("back to 1302 and finished for this turn")
