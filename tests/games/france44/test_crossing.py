"""The Rhine (12.6 to 12.9): bridgeheads, bridges, boats, and what follows."""

from __future__ import annotations

from typing import Any

import pytest

from pbem.engine.errors import NotAllowed
from pbem.engine.language import Order
from pbem.games.france44 import activation, begin, crossing, reaction, replacement
from pbem.games.france44.movement import Ground
from pbem.games.france44.notes import BridgeheadChanged, BridgeRolled, Moved, RhineCrossed
from pbem.games.france44.orders import Activate, Administrative, Attack, Move, Piece, React
from pbem.games.france44.series import Series
from pbem.games.france44.state import State
from pbem.games.france44.tables import RHINE_BRIDGES, Side
from tests.games.france44.kit import at, game
from tests.games.playing import Played, play

# The Rhine runs between 3512 and 3612 without a bridge; 3409 and 3509 (Dusseldorf) are joined by one.
# Antwerp (2907) feeds the Allies.
CONTROL: dict[str, Side] = {"2907": "allied"}
ARMY = "US1 3411"


def rhine(text: str, **fields: Any) -> State:
    fields.setdefault("turn", 8)
    return game(text, control=dict(CONTROL), **fields)


def initiative(state: State, *orders: Order, side: Side = "allied", dice: Any = ()) -> Played[State]:
    return play(lambda s: activation.initiative(s, side), state, *orders, dice=dice)


def refused(case: str, state: State, *orders: Order) -> NotAllowed:
    with pytest.raises(NotAllowed) as caught:
        initiative(state, *orders)
    assert caught.value.case == case, caught.value
    return caught.value


def heads(state: State) -> set[str]:
    crossing.judge_bridgeheads(state)
    return set(state.bridgeheads)


# --- bridgeheads (12.6) -------------------------------------------------------------------------------------


@pytest.mark.parametrize("words", ["", "lost=2"])
def test_12_6_a_supplied_allied_unit_wins_a_bridgehead(words: str) -> None:
    """A cadre too, and in an enemy zone."""
    assert "3612" in heads(rhine(f"{ARMY}, VII/US 3612 {words}, LXXX 3712"))


def test_12_6_a_unit_without_supply_wins_none_and_keeps_one() -> None:
    """It is placed for supplied units, and taken off for German ones only."""
    state = rhine("VII/US 3612, LXXX 3712")
    assert "3612" not in heads(state)
    state.bridgeheads = ["3612"]
    assert "3612" in heads(state)


def test_12_6_an_empty_hex_in_allied_zones_alone_gets_one() -> None:
    """From the west bank too; not from a cadre, and not if a German zone covers it as well."""
    assert heads(rhine("VII/US 3512")) == {"3611", "3612"}
    assert heads(rhine("VII/US 3512 lost=2")) == set()
    assert "3612" not in heads(rhine("VII/US 3512, LXXX 3713"))
    assert "3612" not in heads(rhine("VII/US 3512, LXXX 3612"))


def test_12_6_bridgeheads_are_on_the_east_bank_of_the_rhine_only() -> None:
    """Not on the west bank, not on another river."""
    assert set(crossing.EAST_BANK) >= {"3509", "3612", "3715", "3405"}
    assert not {"3409", "3510", "3511", "3512", "3615"} & set(crossing.EAST_BANK)
    assert heads(rhine("US1 2011, VII/US 2012")) == set()


def test_12_6_a_german_unit_removes_a_bridgehead() -> None:
    """By entering it, a cadre too; or by its zone alone over an empty hex."""
    for text in ("LXXX 3612", "LXXX 3612 lost=2", "LXXX 3712"):
        state = rhine(f"{text}, VII/US 3513 lost=2", bridgeheads=["3612"])
        assert heads(state) == set(), text
        assert [note.won for note in state.log if isinstance(note, BridgeheadChanged)] == [False]


def test_12_6_a_bridgehead_in_both_zones_stays() -> None:
    """It would not be placed there."""
    assert heads(rhine("VII/US 3512, LXXX 3713", bridgeheads=["3612"])) >= {"3612"}
    assert heads(rhine("", bridgeheads=["3612"])) == {"3612"}


def test_12_6_no_bridgehead_over_a_blown_bridge() -> None:
    """3509 is the far end of the bridge of 3409."""
    text = f"{ARMY}, VII/US 3509"
    assert "3509" in heads(rhine(text))
    assert "3509" not in heads(rhine(text, bridges={"3409-3509": 0}))
    assert "3509" in heads(rhine(text, bridges={"3409-3509": 1}))


def test_12_6_a_bridgehead_acts_like_a_bridge() -> None:
    """For both sides; a river is crossed all the same."""
    state = rhine("US1 3511, 2AD/US 3512", bridgeheads=["3612"])
    initiative(state, Activate("US1", ("2AD/US",)), Move(("2AD/US",), ("3612",), 3))
    assert at(state, "2AD/US") == "3612"
    state = rhine("US1 3511, 2AD/US 3512", bridgeheads=[])
    refused("12.8", state, Activate("US1", ("2AD/US",)), Move(("2AD/US",), ("3612",), 3))


# --- bridges (12.7) -----------------------------------------------------------------------------------------


def test_12_7_example_3409_is_rolled_for_when_the_allies_enter_it() -> None:
    """A 1 leaves the bridge standing, 2 to 6 blow it; once only."""
    for die, standing in ((1, 1), (2, 0), (6, 0)):
        state = rhine("US1 3408, VII/US 3408, 2AD/US 3408", bridges={"3408-3508": 0, "3407-3507": 0})
        played = initiative(
            state,
            Activate("US1", ("VII/US", "2AD/US")),
            Move(("VII/US",), ("3409",), 1),
            Move(("2AD/US",), ("3409",)),
            dice=[die],
        )
        assert [(note.dice, note.standing) for note in played.of(BridgeRolled)] == [((die,), standing)]
        assert crossing.is_open(state, "3409-3509") is bool(standing)


def test_12_10_the_holder_of_the_advantage_may_have_a_bridge_rolled_again() -> None:
    """The bridge that a 1 has left standing is blown by the second die."""
    state = rhine(
        "US1 3408, VII/US 3408",
        bridges={"3408-3508": 0, "3407-3507": 0},
        advantage="german",
        advantage_from=2,
    )
    played = play(
        lambda s: activation.initiative(s, "allied"),
        state,
        Activate("US1", ("VII/US",)),
        Move(("VII/US",), ("3409",), 1),
        dice=[1, 5],
        choose=lambda ask: "bridge 1" if ask.kind == "advantage" else None,
    )
    assert [note.dice for note in played.of(BridgeRolled)] == [(5,)]
    assert not crossing.is_open(state, "3409-3509") and state.advantage == "allied"


def test_12_7_example_three_dice_are_thrown_in_3511() -> None:
    """Two bridges over one hexside, one over the other."""
    state = rhine("US1 3411, VII/US 3512")
    played = initiative(state, Activate("US1", ("VII/US",)), Move(("VII/US",), ("3511",), 1), dice=[2, 1, 6])
    assert sum(len(note.dice) for note in played.of(BridgeRolled)) == 3
    assert sum(note.standing for note in played.of(BridgeRolled)) == 1
    assert sum(crossing.is_open(state, key) for key in crossing.BRIDGES_AT["3511"]) == 1


@pytest.mark.parametrize("hex", ["3510", "3715"])
def test_12_7_example_cologne_and_mannheim_have_two_bridges_over_different_hexsides(hex: str) -> None:
    """One each, and each is rolled for when the city is entered."""
    keys = crossing.BRIDGES_AT[hex]
    assert len(keys) == 2
    assert [RHINE_BRIDGES[key] for key in keys] == [1, 1]


def test_12_7_the_germans_and_headquarters_trigger_nothing() -> None:
    """Allied combat units do: ruling."""
    state = rhine("US1 3408, VII/US 3407, LXXX 3309, AOK7 3309", reaction={"allied": 3, "german": 3})
    state.units["LXXX"].hex, state.units["AOK7"].hex = "3609", "3609"
    played = play(
        lambda s: reaction.opportunity(s, "german"),
        state,
        React(),
        Piece("LXXX"),
        Move(("LXXX",), ("3509",), 1),
    )
    assert not played.rolled()
    played = play(
        lambda s: reaction.opportunity(s, "allied"),
        rhine("US1 3408, VII/US 3407"),
        React(),
        Piece("US1"),
        Move(("US1",), ("3409",), 1),
    )
    assert not played.rolled()


def test_12_7_who_is_on_his_way_stops_where_the_bridge_is_blown_before_him() -> None:
    """And pays for the hexes that he has entered; those of the same order come as far.
    The second die of the other attempt is for the bridge between Dusseldorf and Cologne."""
    blown = {"3408-3508": 0, "3407-3507": 0}
    state = rhine("US1 3408, 2AD/US 3410, 3AD/US 3410", bridges=dict(blown))
    played = initiative(
        state,
        Activate("US1", ("2AD/US", "3AD/US")),
        Move(("2AD/US", "3AD/US"), ("3409", "3509"), 1),
        dice=[4],
    )
    assert (at(state, "2AD/US"), at(state, "3AD/US")) == ("3409", "3409")
    assert [(note.path, note.points) for note in played.of(Moved)] == [(("3410", "3409"), 1)] * 2
    state = rhine("US1 3408, 2AD/US 3410, 3AD/US 3410", bridges=dict(blown))
    played = initiative(
        state,
        Activate("US1", ("2AD/US", "3AD/US")),
        Move(("2AD/US", "3AD/US"), ("3409", "3509"), 1),
        dice=[1, 6],
    )
    assert (at(state, "2AD/US"), at(state, "3AD/US")) == ("3509", "3509")


def test_12_7_who_cannot_leave_its_hex_has_not_moved() -> None:
    """7.0, 9.1 The first goes over and the bridge is blown behind it; the second keeps its points
    and has entered no hex."""
    state = rhine("US1 3408, 2AD/US 3409, 3AD/US 3409", bridges={"3408-3508": 0, "3407-3507": 0})
    series = Series(state, "allied", [state.units["2AD/US"], state.units["3AD/US"]])
    order = Move(("2AD/US", "3AD/US"), ("3509",), 2)
    played = play(lambda s: series.carry_out(order), state, dice=[6, 6])
    assert (at(state, "2AD/US"), at(state, "3AD/US")) == ("3509", "3409")
    assert series.arrived == {"2AD/US": 1}
    assert [note.names for note in played.of(Moved)] == [("2AD/US",)]
    assert series.points(state.units["3AD/US"], 2) == 4


def test_12_7_7_1_who_is_stopped_by_a_blown_bridge_leaves_the_stacking_limits_alone() -> None:
    """The second corps does not come into a hex that the first has filled."""
    state = rhine("US1 3408, VII/US 3410, V/US 3410, VIII/US 3409", bridges={"3408-3508": 0})
    initiative(
        state,
        Activate("US1", ("VII/US", "V/US")),
        Move(("VII/US", "V/US"), ("3409", "3509"), 1),
        dice=[4],
    )
    assert [at(state, id) for id in ("VIII/US", "VII/US", "V/US")] == ["3409", "3409", "3410"]


def test_12_7_a_blown_bridge_stays_blown() -> None:
    """Only boats are left, or a bridgehead elsewhere."""
    state = rhine("", bridges={"3409-3509": 0})
    assert not crossing.is_open(state, "3409-3509")
    assert crossing.needs_boats(state, "3409", "3509")
    assert crossing.is_open(rhine(""), "3409-3509")
    assert not crossing.is_open(rhine(""), "3512-3612")


# --- boats (12.8) -------------------------------------------------------------------------------------------

BANK = "US1 3411, VII/US 3512, 2AD/US 3512, LXXX 3713"
"""A German over the river, so that no bridgehead comes before there is one."""


def test_12_8_boats_cross_in_the_first_box_and_take_all_movement() -> None:
    """By a unit that began the phase on the river; a bridgehead follows."""
    state = rhine(BANK)
    begin_ = (Activate("US1", ("VII/US", "2AD/US")), Move(("2AD/US",), ("3612",), 1))
    played = initiative(state, *begin_)
    (note,) = played.of(Moved)
    assert note.crossing and note.points == note.of == 6
    assert at(state, "2AD/US") == "3612"
    assert "3612" in state.bridgeheads
    refused("12.8", rhine(BANK), *begin_, Move(("2AD/US",), ("3611",)))


@pytest.mark.parametrize("box", [2, 3, 4])
def test_12_8_not_in_another_box(box: int) -> None:
    """The first option of the track is the only one."""
    refused("12.8", rhine(BANK), Activate("US1", ("2AD/US",)), Move(("2AD/US",), ("3612",), box))


def test_12_8_not_by_a_unit_that_began_the_phase_elsewhere() -> None:
    """Nor by one that has moved in the box."""
    text = "US1 3411, 2AD/US 3411, LXXX 3713"
    start = (Activate("US1", ("2AD/US",)), Move(("2AD/US",), ("3512",), 1))
    refused("12.8", rhine(text), *start, Move(("2AD/US",), ("3612",)))
    start = (Activate("US1", ("2AD/US",)), Move(("2AD/US",), ("3512",), 1))
    state = rhine("US1 3411, 2AD/US 3511, LXXX 3713", bridges=dict.fromkeys(RHINE_BRIDGES, 0))
    refused("12.8", state, *start, Move(("2AD/US",), ("3612",)))


def test_12_8_5_3_not_by_administrative_movement() -> None:
    """The hex may lie in no zone at all."""
    state = rhine("US1 3411, 2AD/US 3512 lost=2", bridges=dict.fromkeys(RHINE_BRIDGES, 0))
    refused(
        "5.3",
        state,
        Activate("US1", ("2AD/US",)),
        Administrative(("2AD/US",)),
        Move(("2AD/US",), ("3612",), 1),
    )


def test_12_8_boats_do_not_land_among_the_enemy() -> None:
    """There they attack, in the same first box, and come one hex far."""
    text = "US1 3411, VII/US 3512, 2AD/US 3512, LXXX 3612 lost=2"
    both = Activate("US1", ("VII/US", "2AD/US"))
    refused("12.8", rhine(text), both, Move(("2AD/US",), ("3612",), 1))
    refused("12.8", rhine(text), both, Attack(("3612",), ("2AD/US",), 2))
    state = rhine(text)
    played = initiative(
        state,
        both,
        Attack(
            ("3612",), ("VII/US", "2AD/US"), 1, lead="VII/US", advance=("VII/US", "2AD/US"), onward="3713"
        ),
        dice=(1, 1, 6, 1),
    )
    assert at(state, "2AD/US") == "3612"
    assert played.of(RhineCrossed)
    assert "3612" in state.bridgeheads


def test_12_8_an_increment_is_for_boats_or_for_attacks_across_the_river() -> None:
    """Two stacks that need one each cannot both cross."""
    text = "US1 3411, VII/US 3512, 2AD/US 3510, LXXX 3610, 12SS 3713"
    both = Activate("US1", ("VII/US", "2AD/US"))
    error = refused(
        "6.0", rhine(text), both, Move(("VII/US",), ("3612",), 1), Attack(("3610",), ("2AD/US",), 1)
    )
    assert "not both" in str(error)


def test_12_8_a_bridge_that_stands_is_crossed_in_any_box() -> None:
    """With the points of a river; blown, it takes boats."""
    text = "US1 3408, 2AD/US 3409"
    start = (Activate("US1", ("2AD/US",)), Move(("2AD/US",), ("3509",), 2))
    state = rhine(text, bridges={"3409-3509": 1})
    initiative(state, *start, dice=[1])
    assert at(state, "2AD/US") == "3509"
    blown = {"3409-3509": 0, "3408-3508": 0, "3407-3507": 0, "3509-3510": 0, "3510-3609": 0}
    refused("12.8", rhine(f"{text}, LXXX 3608", bridges=blown), *start)


def test_12_3_12_8_no_boats_are_needed_beside_the_airborne() -> None:
    """The Allies walk; the Germans need boats still."""
    state = rhine("", drop="3612")
    assert not Ground(state, "allied").boats_only("3512", "3612")
    assert Ground(state, "german").boats_only("3512", "3612")
    assert Ground(state, "allied").boats_only("3512", "3611")
    text = "US1 3411, 2AD/US 3512, XVIII/US 3612, LXXX 3713"
    state = rhine(text, drop="3612", jumped=True)
    initiative(state, Activate("US1", ("2AD/US",)), Move(("2AD/US",), ("3612",), 4))
    assert at(state, "2AD/US") == "3612"


def test_12_3_the_river_counts_again_when_the_airborne_has_left_its_hex() -> None:
    """Within the same phase."""
    text = "US1 3411, 2AD/US 3512, XVIII/US 3612"
    state = rhine(text, drop="3612", jumped=True, bridges={"3511-3611": 0, "3511-3610": 0})
    initiative(state, Activate("US1", ("2AD/US", "XVIII/US")), Move(("XVIII/US",), ("3611",), 1))
    assert (at(state, "XVIII/US"), state.drop) == ("3611", None)
    state.bridgeheads = []
    assert Ground(state, "allied").boats_only("3512", "3612")


def test_12_3_the_river_counts_again_when_the_airborne_is_driven_off() -> None:
    """Before the attackers advance over it."""
    state = rhine("XVIII/US 3512, LXXX 3713", drop="3612", jumped=True)
    Series(state, "german", [state.units["LXXX"]]).changed()
    assert state.drop is None


# --- across (12.9) ------------------------------------------------------------------------------------------


def test_12_9_the_first_crossing_has_lasting_consequences() -> None:
    """No German reaction points, Fuehrer divisions in the box whether they were to come or on the track,
    and only they are raised."""
    state = rhine("VII/US 3612, Holstein track back=10, Donau gone, 2SS eliminated, LXXX 4406 lost=1")
    crossing.crossed(state, state.units["VII/US"], "3612")
    assert state.rhine_crossed == 8
    assert state.reaction["german"] == 0
    places = {id: state.units[id].place for id in ("Clausewitz", "Holstein", "Donau")}
    assert places == {"Clausewitz": "eliminated", "Holstein": "eliminated", "Donau": "gone"}
    desk = replacement.Replacements(state, "german")
    assert desk.most(state.units["Clausewitz"]) == 1
    assert desk.most(state.units["2SS"]) == desk.most(state.units["LXXX"]) == 0


def test_12_9_no_reaction_points_in_any_turn_after_it() -> None:
    """Though the Allies have been driven back."""
    state = game("", turn=9, rhine_crossed=8)
    begin.add_reaction(state)
    assert state.reaction["german"] == 0
    state.rhine_crossed = 0
    begin.add_reaction(state)
    assert state.reaction["german"] > 0


def test_12_9_once_only() -> None:
    """The second crossing changes nothing."""
    state = rhine("VII/US 3612", rhine_crossed=7)
    crossing.crossed(state, state.units["VII/US"], "3612")
    assert state.rhine_crossed == 7 and not state.log


@pytest.mark.parametrize(
    ("id", "hex"),
    [("VII/US", "3512"), ("US1", "3612"), ("LXXX", "3612"), ("VII/US", "3204"), ("VII/US", "3104")],
)
def test_12_9_what_is_no_crossing(id: str, hex: str) -> None:
    """The west bank, a headquarters, a German; and the north bank of the Neder Rijn, by ruling."""
    state = rhine(f"{id} {hex}")
    crossing.crossed(state, state.units[id], hex)
    assert not state.rhine_crossed


def test_12_9_germany_is_across_also_by_way_of_holland() -> None:
    """Ruling: who goes over the Neder Rijn has crossed with the first hex of Germany beyond (3606),
    wherever he comes from."""
    state = rhine("VII/US 3606")
    crossing.crossed(state, state.units["VII/US"], "3606")
    assert state.rhine_crossed
    assert not {"3606", "3903"} - crossing.RIGHT_BANK and not {"3505", "3204", "3310"} & crossing.RIGHT_BANK


def test_12_9_12_3_a_jump_of_market_garden_is_no_crossing_but_that_of_varsity_is() -> None:
    """Ruling: the corps that goes back to England has not crossed."""
    state = rhine("XVIII/US 3612", jumped=True)
    crossing.crossed(state, state.units["XVIII/US"], "3612")
    assert not state.rhine_crossed
    state.drop_stays = True
    crossing.crossed(state, state.units["XVIII/US"], "3612")
    assert state.rhine_crossed


def test_12_8_all_boats_that_can_cross_are_offered_once() -> None:
    """And only into free hexes with room."""
    state = rhine(BANK)
    series = Series(state, "allied", [state.units["2AD/US"], state.units["VII/US"]])
    goals = [
        order.path[-1] for order in series.options("2AD/US") if isinstance(order, Move) and order.box == 1
    ]
    assert len(goals) == len(set(goals))
    assert {"3611", "3612"} <= set(goals)
