"""Activation (2.6): whose it is, reinforcements, movement, then combat, and what ends with it."""

from __future__ import annotations

import copy
from typing import Any

import pytest

from pbem.engine.desk import Desk
from pbem.engine.errors import NotAllowed
from pbem.engine.play import advance
from pbem.games.normandy44 import activation
from pbem.games.normandy44.activation import Activation, acting, ahead
from pbem.games.normandy44.notes import Activated, Attacked, Bombed, Entered, Moved, TrackRolled
from pbem.games.normandy44.orders import Activate, Attack, Enter, Land, Move
from pbem.games.normandy44.state import State
from tests.games.normandy44.kit import at, game
from tests.games.playing import opening, play

# 1306 and all around it is open country without roads and rivers.

FRONT = "4US 1306, VII/US 1306, 709ID 1307"


def check(desk: Activation, order: object) -> str:
    """The case by which an order is refused now, "" if it is not."""
    try:
        desk.check(order)  # type: ignore[arg-type]
    except NotAllowed as error:
        return error.case
    return ""


def test_2_6_player_one_acts_first_in_both_phases() -> None:
    """2.3, 2.6 The side with the initiative, then its opponent."""
    state = game(initiative="german")
    assert [acting(state, key) for key in ("a_first", "a_second", "b_first", "b_second")] == [
        "german",
        "allied",
        "german",
        "allied",
    ]


def test_2_6_phase_a_is_for_supported_headquarters() -> None:
    """2.6, 6.2 Without one and without reinforcements nobody is even asked; in phase B everybody is."""
    assert opening(activation.first_a, game("4US 1306")) is None
    asked = opening(activation.first_a, game(FRONT, supported=["VII/US"]))
    assert (asked.seat, asked.section) == ("allied", "phase A")
    assert opening(activation.second_a, game(FRONT, supported=["VII/US"])) is None
    assert opening(activation.second_b, game(FRONT)).section == "phase B"


def test_2_6_markers_go_at_the_end_of_phase_a() -> None:
    """2.6 When player two has finished."""
    state = game(FRONT, supported=["VII/US"])
    play(activation.first_a, state)
    assert state.supported == ["VII/US"]
    play(activation.second_a, state)
    assert state.supported == []


def test_2_6_the_first_attack_ends_movement() -> None:
    """2.6 Movement comes before combat."""
    state = game("4US 1306, 9US 1206, 709ID 1307, XXX/BR 1206", initiative="allied")
    with pytest.raises(NotAllowed) as caught:
        play(activation.first_b, state, Attack("1307", ("4US",)), Move(("9US",), ("1106",)), dice=[6])
    assert caught.value.case == "2.6"


def test_2_6_moved_units_attack() -> None:
    """2.6, 13.0 A unit moves next to the enemy and attacks him; both count as activation."""
    state = game("4US 1206, 9US 1306, 709ID 1307")
    played = play(
        activation.first_b, state, Move(("4US",), ("1207",)), Attack("1307", ("4US", "9US")), dice=[1]
    )
    (fight,) = played.of(Attacked)
    assert fight.attackers == ("4US", "9US")
    assert state.units["9US"].acted
    assert not state.units["709ID"].acted


def test_3_1_no_attack_while_a_hex_holds_too_much() -> None:
    """3.1 Stacking binds when movement ends."""
    state = game("4US 1306, 9US 1306, 90US 1206, 709ID 1307")
    desk = Activation(state, "allied", "B")
    desk.movement.carry_out(Move(("90US",), ("1306",)))
    assert check(desk, Attack("1307", ("4US",))) == "3.1"
    assert desk.options("1307") == []
    assert check(desk, None) == "3.1"


def test_6_2_an_attack_activates_too() -> None:
    """6.2 Units that do not move are activated when they attack."""
    state = game(FRONT, supported=["VII/US"])
    played = play(activation.first_a, state, Attack("1307", ("4US",)), dice=[1])
    (note,) = played.of(Activated)
    assert (note.hq, note.names) == ("VII/US", ("4US",))


def test_6_2_who_is_not_activated_does_not_attack() -> None:
    """6.2 In phase A nobody attacks beyond the range of a supported headquarters."""
    state = game("4US 1306, 9US 1308, V/US 2019, 709ID 1307", supported=["V/US"])
    assert check(Activation(state, "allied", "A"), Attack("1307", ("4US",))) == "6.2"
    assert Activation(state, "allied", "A").subjects() == ["V/US"]
    assert check(Activation(state, "allied", "B"), Attack("1307", ("4US",))) == ""


def test_6_2_attackers_count_together() -> None:
    """6.2 Each of six divisions could be activated, all of them could not: no such attack is offered."""
    text = "VII/US 1206, 1US 1306, 2US 1306, 4US 1207, 9US 1207, 90US 1208, 79US 1208, 709ID 1307"
    state = game(text, supported=["VII/US"])
    desk = Activation(state, "allied", "A")
    six = ("1US", "2US", "4US", "9US", "90US", "79US")
    assert check(desk, Attack("1307", six)) == "6.2"
    assert check(desk, Attack("1307", six[:5])) == ""
    offered = [order for order in desk.options("1307") if isinstance(order, Attack)]
    assert offered
    assert max(len(order.units) for order in offered) <= 5


def test_e5_reinforcements_are_active_by_themselves() -> None:
    """E5, 6.2 What has landed in phase A fights without a headquarters and counts for none."""
    state = game("90US reserve phase=A, 709ID 0517", capacity={"0617": 3}, control={"0617": "german"})
    played = play(activation.first_a, state, Land(("90US",), "0617"), Attack("0517", ("90US",)), dice=[1])
    assert played.of(Attacked)[0].attackers == ("90US",)
    assert played.of(Activated) == []
    desk = Activation(game("90US 0617, VII/US 0617", supported=["VII/US"]), "allied", "A")
    desk.movement.arrived["90US"] = None
    assert check(desk, Activate(("90US",), "VII/US")) == "E5"


def test_11_1_german_units_roll_at_the_start_of_each_activation() -> None:
    """11.1, E5 A unit that gets through the last box enters and may go on in the same activation,
    in phase A too."""
    text = "25/12SS track box=Paris"
    state = game(text, initiative="german")
    played = play(activation.first_a, state, Enter(("25/12SS",), "1901", ("1902",)), dice=[5])
    assert played.of(TrackRolled)[0].passed
    assert played.of(Entered)[0].path == ("1901", "1902")
    state = game(text, initiative="german")
    played = play(activation.first_a, state, dice=[6])
    assert not played.of(TrackRolled)[0].passed
    assert at(state, "25/12SS") is None


def test_10_3_bombs_fall_before_the_first_combat_of_phase_a() -> None:
    """10.3 Before the first attack, or at the end of the first activation if nobody attacks."""
    text = FRONT + ", 91ID 1307"
    state = game(text, supported=["VII/US"], targets={"1307": "us"})
    played = play(
        activation.first_a,
        state,
        Move(("VII/US",), ("1206",)),
        Attack("1307", ("4US",)),
        dice=[1, 1, 1],
    )
    kinds = [type(note) for note in played.notes]
    assert kinds.index(Moved) < kinds.index(Bombed) < kinds.index(Attacked)
    state = game(text, targets={"1307": "us"}, initiative="german")
    played = play(activation.first_a, state, dice=[1, 1])
    assert len(played.of(Bombed)) == 2
    assert state.craters == ["1307"]


def test_10_3_attacks_are_ordered_behind_the_bombs() -> None:
    """10.3 While bombs are to fall no attack is taken: it is judged when they have left nobody to attack,
    and the attackers may do without."""
    state = game("4US 1306, VII/US 1306, 709ID 1307 lost=1", supported=["VII/US"], targets={"1307": "us"})
    state.units["709ID"].lost = len(state.units["709ID"].counter.steps) - 1
    first = opening(activation.first_a, copy.deepcopy(state))
    assert Attack not in first.takes and first.until == (Attack,)
    played = play(activation.first_a, state, dice=[6])
    assert state.units["709ID"].place == "dead"
    assert not state.units["4US"].acted
    (before, behind) = [request for request in played.requests if isinstance(request, Desk)]
    assert before is behind and Attack in behind.takes and behind.until == ()


def test_3_1_no_attack_by_units_that_the_end_of_movement_costs() -> None:
    """3.1, 2.6 A unit for which there is no room, and that cannot leave, is lost when combat begins:
    an attack with it is refused."""
    state = game("4US 1306, 9US 1306, 90US 1306, 709ID 1307, 91ID 1206, 77ID 1406")
    desk = Activation(state, "allied", "B")
    for id in ("4US", "9US", "90US"):
        desk.movement.moved[id] = None
    assert [unit.id for unit in desk.movement.surplus()] == ["90US"]
    assert check(desk, Attack("1307", ("4US", "90US"))) == "3.1"
    assert check(desk, Attack("1307", ("4US", "9US"))) == ""


def test_15_0_the_reaction_is_an_activation() -> None:
    """15.0 Germans near the landing move a hex and attack; those further off do neither,
    though next to a target."""
    state = game("82AB 1306, 709ID 1307, 91ID 1106, 243ID 1310", turn=0, initiative="")
    desk = Activation(state, "german", "reaction")
    assert desk.subjects() == ["709ID", "91ID", "1306"]
    assert check(desk, Move(("91ID",), ("1206",))) == ""
    assert check(desk, Move(("243ID",), ("1309",))) == "15.0"
    assert check(desk, Attack("1306", ("709ID",))) == ""
    assert desk.case == "15.0"


def first_request(state: State, seat: str, section: str) -> Desk[Any] | None:
    """What a side is asked first when its section comes up as it is judged beforehand; None if it is asked
    nothing."""
    played = ahead(state, seat, section)
    asked = advance(played, state).waiting if played else None
    assert asked is None or isinstance(asked, Desk)
    return asked


def test_ahead_what_would_be_asked() -> None:
    """2.6 Orders written beforehand are judged as if the activation came now, phase A by the markers
    that the side has given so far."""
    state = game(FRONT, initiative="")
    assert first_request(state, "allied", "phase B") is not None
    assert ahead(state, "allied", "allocation") is None
    alone = first_request(game(FRONT, initiative=""), "allied", "phase A")
    helped = first_request(game(FRONT, initiative="", supported=["VII/US"]), "allied", "phase A")
    assert alone is None
    assert helped is not None and "VII/US" in helped.subjects()
    assert ahead(game("709ID 1307"), "german", "reaction") is None
    coming = game("25/12SS track box=Paris, 9Pz/9SS track box=Sud_France")
    asked = first_request(coming, "german", "phase B")
    assert asked is not None
    assert asked.subjects() == ["25/12SS"]


def test_2_3_what_the_enemy_allocates_is_not_counted_on() -> None:
    """2.3, 10.2 Before both have allocated, the Germans reckon without the fighters over an air zone,
    the Allies without German markers."""
    secret = game(FRONT, initiative="", interdicted=["I"], fighters={"VII/US": 1}, supported=["LXXXIV"])
    assert first_request(secret, "german", "phase B") is not None
    assert (secret.interdicted, secret.fighters, secret.supported) == ([], {}, ["LXXXIV"])
    known = game(FRONT, initiative="german", interdicted=["I"], supported=["LXXXIV"])
    assert first_request(known, "german", "phase B") is not None
    assert known.interdicted == ["I"]
    other = game(FRONT, initiative="", interdicted=["I"], supported=["LXXXIV", "VII/US"])
    assert first_request(other, "allied", "phase B") is not None
    assert (other.interdicted, other.supported) == (["I"], ["VII/US"])
