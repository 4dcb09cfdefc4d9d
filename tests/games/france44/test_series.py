"""Phases of increments played: commanded units box by box (5.1, 5.2, 5.3, 6.0, 7.0)."""

from __future__ import annotations

from typing import Any

import pytest

from pbem.engine.errors import NotAllowed
from pbem.engine.language import Order
from pbem.games.france44 import activation, cycle, reaction
from pbem.games.france44.notes import (
    Activated,
    Attacked,
    BoxEntered,
    Dispersed,
    Moved,
    PhasePassed,
    PieceActivated,
)
from pbem.games.france44.orders import Activate, Administrative, Attack, Denial, Increment, Move, Piece, React
from pbem.games.france44.series import Series
from pbem.games.france44.state import State
from pbem.games.france44.tables import Side
from pbem.games.france44.track import What
from tests.games.france44.kit import at, game
from tests.games.playing import Played, play

# Open country in the west, with La Rochelle (0719) as the source of the Allies and Bordeaux
# (0724) as that of the Germans.
CONTROL: dict[str, Side] = {"0719": "allied", "0724": "german"}
COMBAT = (6, 1, 1, 1)
"""Attack fails, one hit; defence holds, one hit."""


def west(text: str, **fields: Any) -> State:
    fields.setdefault("control", dict(CONTROL))
    return game(text, **fields)


def initiative(state: State, *orders: Order, side: Side = "allied", dice: Any = ()) -> Played[State]:
    return play(lambda s: activation.initiative(s, side), state, *orders, dice=dice)


def react(state: State, *orders: Order, side: Side = "german", dice: Any = ()) -> Played[State]:
    return play(lambda s: reaction.opportunity(s, side), state, React(), *orders, dice=dice)


def refused(
    case: str, state: State, *orders: Order, side: Side = "allied", single: bool = False
) -> NotAllowed:
    """The last of these orders is refused by this case."""
    with pytest.raises(NotAllowed) as caught:
        react(state, *orders, side=side) if single else initiative(state, *orders, side=side)
    assert caught.value.case == case, caught.value
    return caught.value


FRONT = "US1 1018, VII/US 1019, 2AD/US 1019, 3AD/US 1018"


# --- initiative (5.1, 4.1) ----------------------------------------------------------------------------------


def test_5_1_a_headquarters_in_supply_is_activated_with_the_units_it_names() -> None:
    """Only these units move."""
    state = west(FRONT)
    played = initiative(state, Activate("US1", ("2AD/US",)), Move(("2AD/US",), ("1020",), 1))
    (note,) = played.of(Activated)
    assert (note.hq, note.names, note.cost) == ("US1", ("2AD/US",), 0)
    assert at(state, "2AD/US") == "1020"
    refused("4.7", west(FRONT), Activate("US1", ("2AD/US",)), Move(("VII/US",), ("1020",), 1))


def test_5_1_the_initiative_player_may_pass() -> None:
    """Nothing is activated, and that is told."""
    played = initiative(west(FRONT))
    assert [note.what for note in played.of(PhasePassed)] == ["initiative"]


def test_5_1_one_headquarters_acts_in_a_phase() -> None:
    """And no single pieces."""
    state = west(f"{FRONT}, US3 1017")
    refused("5.1", state, Activate("US1", ("2AD/US",)), Activate("US3", ("3AD/US",)))
    refused("5.1", west(FRONT), Move(("2AD/US",), ("1020",), 1))
    assert Piece not in activation.VERBS["allied"]


def test_5_1_11_5_a_headquarters_out_of_supply_is_not_activated() -> None:
    """Judged as the phase begins."""
    text = f"{FRONT}, US9 3016, 5AD/US 3016"
    refused("11.5", west(text), Activate("US9", ("5AD/US",)))


def test_11_5_a_unit_out_of_supply_is_not_activated() -> None:
    """It is out of the range of every headquarters that could command it, so of this one too."""
    refused("4.6", west(f"{FRONT}, VIII/US 1024"), Activate("US1", ("VIII/US",)))


def test_4_1_4_8_an_activated_headquarters_stays_where_it_is() -> None:
    """It commands, and does not move."""
    refused("4.7", west(FRONT), Activate("US1", ("2AD/US",)), Move(("US1",), ("1019",), 1))


def test_5_1_a_commanded_unit_stays_commanded_beyond_the_range() -> None:
    """Two increments, six hexes away from the headquarters."""
    state = west(FRONT)
    initiative(
        state,
        Activate("US1", ("2AD/US",)),
        Move(("2AD/US",), ("1023",), 2),
        Move(("2AD/US",), ("1025",), 6),
    )
    assert at(state, "2AD/US") == "1025"


def test_11_5_activation_takes_a_stale_marker_off() -> None:
    """The headquarters and its units are found in supply."""
    state = west("US1 1018 unsupplied, VII/US 1019 unsupplied")
    initiative(state, Activate("US1", ("VII/US",)))
    assert not state.units["US1"].unsupplied and not state.units["VII/US"].unsupplied


def test_11_5_a_unit_in_supply_at_its_activation_is_so_for_the_whole_phase() -> None:
    """It goes out of every range in the first box, and has its full points in the next; no marker comes."""
    state = west("US1 1018, 2AD/US 1021")
    initiative(
        state, Activate("US1", ("2AD/US",)), Move(("2AD/US",), ("1025",), 2), Move(("2AD/US",), ("1027",), 6)
    )
    assert at(state, "2AD/US") == "1027"
    assert not state.units["2AD/US"].unsupplied


# --- increments (6.0, 3.9) ----------------------------------------------------------------------------------


def test_6_0_one_box_serves_all_commanded_units_by_their_allowances() -> None:
    """3.9 Box 8: an allowance of 6 has four points, 4 two, 3 one."""
    state = west("BR2 1018, 2AD/US 1019, 4AD/CA 1020, XXX/BR 1021")
    series = Series(state, "allied", [state.units[id] for id in ("2AD/US", "4AD/CA", "XXX/BR")])
    assert [series.points(unit, 8) for unit in series.units] == [4, 2, 1]


def test_6_0_unused_points_are_lost() -> None:
    """Two of the four points of box 2 are left, and do not help in box 6."""
    refused(
        "7.0",
        west("US1 1018, 2AD/US 1018"),
        Activate("US1", ("2AD/US",)),
        Move(("2AD/US",), ("1020",), 2),
        Move(("2AD/US",), ("1024",), 6),
    )


def test_7_0_a_unit_may_go_on_in_the_same_box_as_far_as_its_points_go() -> None:
    """Four points in two orders, a fifth is refused."""
    state = west("US1 1018, 2AD/US 1018")
    begin = (Activate("US1", ("2AD/US",)), Move(("2AD/US",), ("1020",), 2), Move(("2AD/US",), ("1022",)))
    played = initiative(state, *begin)
    assert at(state, "2AD/US") == "1022"
    assert [(note.points, note.of) for note in played.of(Moved)] == [(2, 4), (2, 2)]
    assert len(played.of(BoxEntered)) == 1
    refused("7.0", west("US1 1018, 2AD/US 1018"), *begin, Move(("2AD/US",), ("1023",)))


def test_6_0_units_may_not_move_while_others_attack() -> None:
    """Either way round in one box."""
    text = f"{FRONT}, LXXX 1020"
    refused(
        "6.0",
        west(text),
        Activate("US1", ("VII/US", "3AD/US")),
        Move(("3AD/US",), ("1017",), 2),
        Attack(("1020",), ("VII/US",), 2),
    )


def test_6_0_a_box_may_pass_with_nothing_done() -> None:
    """The marker goes on, and then box 8 is open."""
    state = west("US1 1018, 2AD/US 1018")
    played = initiative(state, Activate("US1", ("2AD/US",)), Increment(4), Move(("2AD/US",), ("1022",), 8))
    assert at(state, "2AD/US") == "1022"
    assert [(note.box, note.what) for note in played.of(BoxEntered)] == [(4, "nothing"), (8, "move")]
    refused("6.0", west("US1 1018, 2AD/US 1018"), Activate("US1", ("2AD/US",)), Increment(8))
    refused("6.0", west("US1 1018, 2AD/US 1018"), Activate("US1", ("2AD/US",)), Increment(4), Increment(4))


def test_6_0_who_may_attack_depends_on_the_allowance() -> None:
    """Box 9 asks for 4: an infantry corps of allowance 3 stays out of it."""
    text = "BR2 1018, XXX/BR 1019, 4AD/CA 1019, LXXX 1020"
    start = (Activate("BR2", ("XXX/BR", "4AD/CA")), Increment(4))
    refused("6.0", west(text), *start, Attack(("1020",), ("XXX/BR",), 9))
    played = initiative(west(text), *start, Attack(("1020",), ("4AD/CA",), 9, stay=True), dice=COMBAT)
    assert played.of(Attacked)[0].attackers == ("4AD/CA",)


def test_6_0_a_unit_may_attack_in_one_box_after_another() -> None:
    """8.0 Once in each."""
    text = "US1 1018, VII/US 1019, LXXX 1020"
    state = west(text)
    played = initiative(
        state,
        Activate("US1", ("VII/US",)),
        Attack(("1020",), ("VII/US",), 4, stay=True),
        Attack(("1020",), ("VII/US",), 9, stay=True),
        dice=COMBAT * 2,
    )
    assert len(played.of(Attacked)) == 2
    with pytest.raises(NotAllowed) as caught:
        initiative(
            west(text),
            Activate("US1", ("VII/US",)),
            Attack(("1020",), ("VII/US",), 4, stay=True),
            Attack(("1020",), ("VII/US",), stay=True),
            dice=COMBAT,
        )
    assert caught.value.case == "8.0"


def test_6_0_a_new_increment_begins_anew_for_everybody() -> None:
    """8.0 Whoever attacked in the box before may attack in this one, after another unit has."""
    state = west("US1 1018, VII/US 1019, V/US 1019, LXXX 1020, LXXXI 1120")
    played = initiative(
        state,
        Activate("US1", ("VII/US", "V/US")),
        Attack(("1020",), ("VII/US",), 4, stay=True),
        Attack(("1120",), ("V/US",), 9, stay=True),
        Attack(("1020",), ("VII/US",), stay=True),
        dice=COMBAT * 3,
    )
    assert [note.attackers for note in played.of(Attacked)] == [("VII/US",), ("V/US",), ("VII/US",)]


# --- stacks (7.1) -------------------------------------------------------------------------------------------


def test_7_1_units_that_go_together_need_room_together() -> None:
    """One corps more would fit, two do not."""
    text = "US1 1018, VII/US 1018, V/US 1018, VIII/US 1020"
    refused("7.1", west(text), Activate("US1", ("VII/US", "V/US")), Move(("VII/US", "V/US"), ("1020",), 1))
    state = west(text)
    initiative(state, Activate("US1", ("VII/US", "V/US")), Move(("VII/US",), ("1020",), 1))
    assert at(state, "VII/US") == "1020"


# --- administrative movement (5.3) --------------------------------------------------------------------------


def test_5_3_administrative_movement_doubles_the_points_of_every_box() -> None:
    """Box 2 gives eight to an allowance of 6, box 6 four."""
    state = west("US1 1018, 2AD/US 1018")
    played = initiative(
        state,
        Activate("US1", ("2AD/US",)),
        Administrative(("2AD/US",)),
        Move(("2AD/US",), ("1026",), 2),
        Move(("2AD/US",), ("1022",), 6),
    )
    assert at(state, "2AD/US") == "1022"
    assert [(note.points, note.of, note.administrative) for note in played.of(Moved)] == [
        (8, 8, True),
        (4, 4, True),
    ]


def test_5_3_administrative_movement_is_chosen_before_the_first_box() -> None:
    """For commanded units only."""
    start = Activate("US1", ("2AD/US",))
    refused("5.3", west(FRONT), start, Move(("2AD/US",), ("1020",), 2), Administrative(("2AD/US",)))
    refused("4.7", west(FRONT), start, Administrative(("VII/US",)))


def test_5_3_who_moves_administratively_does_not_fight_in_this_phase() -> None:
    """Others of the same phase may."""
    text = f"{FRONT}, LXXX 1020"
    start = (Activate("US1", ("2AD/US", "VII/US")), Administrative(("2AD/US",)))
    refused("6.0", west(text), *start, Attack(("1020",), ("2AD/US",), 1))
    played = initiative(west(text), *start, Attack(("1020",), ("VII/US",), 1, stay=True), dice=COMBAT)
    assert played.of(Attacked)


# --- reaction (5.2) -----------------------------------------------------------------------------------------

GERMANS = "AOK7 1023, 2SS 1022, 12SS 1022, LXXX 1021"


def test_5_2_an_army_reacts_for_three_points() -> None:
    """Like an initiative phase; nothing is left for pieces."""
    state = west(GERMANS)
    played = react(state, Activate("AOK7", ("2SS",)), Move(("2SS",), ("1024",), 1))
    assert played.of(Activated)[0].cost == 3
    assert state.reaction["german"] == 0
    assert at(state, "2SS") == "1024"
    five: dict[Side, int] = {"allied": 0, "german": 5}
    refused(
        "5.2",
        west(GERMANS, reaction=five),
        Activate("AOK7", ("2SS",)),
        Piece("12SS"),
        side="german",
        single=True,
    )


def test_5_2_three_pieces_react_for_a_point_each() -> None:
    """Each runs the track by itself; a fourth is too many though points are left."""
    state = west(f"{GERMANS}, 1SS 1022", reaction={"allied": 0, "german": 5})
    pieces = ("2SS", "12SS", "1SS")
    orders: list[Order] = []
    for number, id in enumerate(pieces):
        orders += [Piece(id), Move((id,), (f"10{24 + number}",), 1)]
    played = react(state, *orders)
    assert [note.left for note in played.of(PieceActivated)] == [4, 3, 2]
    assert [at(state, id) for id in pieces] == ["1024", "1025", "1026"]
    again = west(f"{GERMANS}, 1SS 1022", reaction={"allied": 0, "german": 5})
    refused("5.2", again, *orders, Piece("LXXX"), side="german", single=True)


def test_5_2_a_piece_reacts_once_in_a_reaction() -> None:
    """And an army does not follow a piece."""
    refused("5.2", west(GERMANS), Piece("2SS"), Piece("2SS"), side="german", single=True)
    five: dict[Side, int] = {"allied": 0, "german": 5}
    refused(
        "5.2", west(GERMANS, reaction=five), Piece("2SS"), Activate("AOK7", ()), side="german", single=True
    )


def test_5_2_an_army_needs_three_points() -> None:
    """Two are enough for two pieces only."""
    two: dict[Side, int] = {"allied": 0, "german": 2}
    refused("5.2", west(GERMANS, reaction=two), Activate("AOK7", ("2SS",)), side="german", single=True)


def test_5_2_who_has_no_points_has_no_reaction() -> None:
    """He is not asked."""
    state = west(GERMANS, reaction={"allied": 0, "german": 0})
    played = play(lambda s: reaction.opportunity(s, "german"), state)
    assert not played.requests


def test_4_8_5_2_a_headquarters_moves_alone_as_a_single_piece() -> None:
    """It moves, by administrative movement too, and does not attack."""
    state = west(GERMANS)
    react(state, Piece("AOK7"), Administrative(("AOK7",)), Move(("AOK7",), ("1025",), 5))
    assert at(state, "AOK7") == "1025"
    state = west(GERMANS)
    react(state, Piece("AOK7"), Move(("AOK7",), ("1025",), 1))
    assert at(state, "AOK7") == "1025"
    text = f"{GERMANS}, VII/US 1020"
    refused(
        "6.0",
        west(text),
        Piece("LXXX"),
        Piece("AOK7"),
        Attack(("1020",), ("AOK7",), 1),
        side="german",
        single=True,
    )


def test_5_2_11_5_a_single_piece_may_react_without_supply() -> None:
    """One column lower: three points in box 1 for an allowance of 4, and a marker."""
    state = west("17SS 1020", control={})
    played = react(state, Piece("17SS"), Move(("17SS",), ("1023",), 1))
    assert played.of(PieceActivated)[0].unsupplied
    assert state.units["17SS"].unsupplied
    assert at(state, "17SS") == "1023"
    refused(
        "7.0",
        west("17SS 1020", control={}),
        Piece("17SS"),
        Move(("17SS",), ("1024",), 1),
        side="german",
        single=True,
    )


def test_11_5_a_corps_of_two_points_does_not_react_without_supply() -> None:
    """Its allowance drops to nothing."""
    refused("11.5", west("LXXX 1020", control={}), Piece("LXXX"), side="german", single=True)


def test_11_5_who_reacts_without_supply_attacks_with_half_his_strength_rounded_up() -> None:
    """17SS counts 3 in set piece combat, so 2; and in box 9 it may not attack at all, 4 having become 3."""
    text = "17SS 1020, VII/US 1021"
    state = west(text, control={})
    played = react(state, Piece("17SS"), Attack(("1021",), ("17SS",), 1, stay=True), dice=COMBAT)
    assert played.of(Attacked)[0].attack == 2
    refused(
        "6.0",
        west(text, control={}),
        Piece("17SS"),
        Increment(4),
        Attack(("1021",), ("17SS",), 9),
        side="german",
        single=True,
    )


def test_5_1_the_initiative_player_reacts_only_if_the_other_spends_nothing() -> None:
    """A point spent for nothing is enough to keep him from it."""

    def seats(how: str | None) -> list[str]:
        state = west(f"{FRONT}, LXXX 1022", chit="allied")
        asked = play(
            lambda s: cycle.initiative_round(s, "allied"),
            state,
            choose=lambda ask: how if ask.seat == "german" else None,
        )
        return [ask.seat for ask in asked.asked("reaction")]

    assert seats(None) == ["german", "allied"]
    assert seats("deny") == ["german"]


def test_5_2_a_point_spent_for_nothing_is_gone() -> None:
    """One of three."""
    state = west(GERMANS)
    played = play(lambda s: reaction.opportunity(s, "german", chit="allied"), state, Denial())
    assert state.reaction["german"] == 2
    assert [note.what for note in played.of(PhasePassed)] == ["denied"]


# --- headquarters left alone (4.10) -------------------------------------------------------------------------


def test_4_10_a_headquarters_disperses_when_its_stack_moves_away() -> None:
    """At once, in mid-increment."""
    state = west("US1 1019, VII/US 1019, LXXX 1020")
    played = initiative(state, Activate("US1", ("VII/US",)), Move(("VII/US",), ("1018",), 1))
    (note,) = played.of(Dispersed)
    assert (note.name, note.hex) == ("US1", "1019")
    assert state.units["US1"].place == "track"


def test_4_10_a_lone_headquarters_disperses_when_an_enemy_moves_next_to_it() -> None:
    """And its hex can be entered by the next order."""
    state = west("US1 1018, 2AD/US 1018, AOK7 1021")
    played = initiative(
        state, Activate("US1", ("2AD/US",)), Move(("2AD/US",), ("1020",), 1), Move(("2AD/US",), ("1021",))
    )
    assert [note.name for note in played.of(Dispersed)] == ["AOK7"]
    assert at(state, "2AD/US") == "1021"


def test_4_10_a_lone_headquarters_disperses_when_an_enemy_only_passes_by() -> None:
    """He ends his move far from it."""
    state = west("US1 1018, 2AD/US 1019, AOK7 1122")
    played = initiative(
        state, Activate("US1", ("2AD/US",)), Move(("2AD/US",), ("1020", "1021", "0921", "0821"), 1)
    )
    assert [note.name for note in played.of(Dispersed)] == ["AOK7"]
    assert at(state, "2AD/US") == "0821"


def test_4_10_a_headquarters_disperses_when_its_defenders_die() -> None:
    """Nobody needs to advance."""
    state = west("US1 1018, VII/US 1019, LXXX 1020 lost=2, AOK7 1020")
    played = initiative(
        state,
        Activate("US1", ("VII/US",)),
        Attack(("1020",), ("VII/US",), 1, stay=True),
        dice=(1, 1, 6, 1),
    )
    assert [note.name for note in played.of(Dispersed)] == ["AOK7"]


def test_11_3_a_unit_takes_a_port_by_passing_through() -> None:
    """Bordeaux (0724)."""
    state = west("US1 0822, 2AD/US 0723, AOK7 1023, LXXX 1023")
    initiative(state, Activate("US1", ("2AD/US",)), Move(("2AD/US",), ("0724", "0824"), 1))
    assert state.control["0724"] == "allied"


def test_4_10_a_cadre_does_not_disperse_it() -> None:
    """It has no zone."""
    state = west("US1 1018, 2AD/US 1018 lost=2, AOK7 1021")
    played = initiative(state, Activate("US1", ("2AD/US",)), Move(("2AD/US",), ("1020",), 1))
    assert not played.of(Dispersed)


# --- what is offered ----------------------------------------------------------------------------------------


def test_6_0_every_order_that_is_offered_is_legal() -> None:
    """For each unit, and for the marker."""
    state = west(f"{FRONT}, LXXX 1020, AOK7 1022")
    series = Series(state, "allied", [state.units[id] for id in ("VII/US", "2AD/US", "3AD/US")])
    assert set(series.subjects()) == {"administrative", "VII/US", "2AD/US", "3AD/US", "marker"}
    count = 0
    for subject in series.subjects():
        for order in series.options(subject):
            series.check(order)
            count += 1
    assert count > 100


def in_box(box: int, what: What | None = None, **fields: Any) -> Series:
    """The series of a corps (allowance 3) and two armoured divisions (6) beside a cadre, which has no zone,
    with the marker in a box."""
    state = west(f"{FRONT}, LXXX 1020 lost=2")
    series = Series(state, "allied", [state.units[id] for id in ("VII/US", "2AD/US", "3AD/US")], **fields)
    if box:
        series.track.enter(box, what)
    return series


def boxes(series: Series, id: str) -> dict[str, set[int]]:
    """The boxes in which a unit is offered moves and attacks."""
    found: dict[str, set[int]] = {}
    for order in series.options(id):
        assert isinstance(order, Move | Attack)
        found.setdefault(order.verb, set()).add(order.box)
    return found


def test_6_0_before_the_first_box_all_first_boxes_are_offered() -> None:
    """Attacks are offered where the box has them, moves also in box 5, which has none."""
    assert boxes(in_box(0), "VII/US") == {"move": {1, 2, 3, 4, 5}, "attack": {1, 2, 3, 4}}


def test_6_0_what_a_box_is_for_decides_what_is_still_offered_in_it() -> None:
    """While units move in box 4, attacks are offered only in the boxes after it, and the other way round; box
    10 has no attacks."""
    moving, attacking, passed = in_box(4, "move"), in_box(4, "attack"), in_box(4)
    assert boxes(moving, "2AD/US") == {"move": {4, 8, 9, 10}, "attack": {8, 9}}
    assert boxes(attacking, "2AD/US") == {"move": {8, 9, 10}, "attack": {4, 8, 9}}
    assert boxes(passed, "2AD/US") == {"move": {4, 8, 9, 10}, "attack": {4, 8, 9}}


def test_6_0_who_has_used_a_box_up_is_offered_those_after_it() -> None:
    """7.0, 8.0 Without points left there is no move in the box, and a unit attacks once in it."""
    moved, fought = in_box(4, "move", spent={"2AD/US": 2}), in_box(4, "attack", attacked={"2AD/US"})
    assert boxes(moved, "2AD/US") == boxes(fought, "2AD/US") == {"move": {8, 9, 10}, "attack": {8, 9}}
    assert boxes(moved, "3AD/US")["move"] == {4, 8, 9, 10}, "its own points are left"


def test_6_0_in_a_last_box_only_those_are_offered_who_can_use_it() -> None:
    """Box 6 has nothing for an allowance of 3, and the marker goes nowhere from it."""
    assert set(in_box(2, "move").subjects()) == {"VII/US", "2AD/US", "3AD/US", "marker"}
    assert set(in_box(6).subjects()) == {"2AD/US", "3AD/US"}


def test_12_8_who_has_crossed_in_boats_is_not_offered() -> None:
    """Its movement is over in every box; the others go on."""
    assert set(in_box(2, "move", crossed={"2AD/US"}).subjects()) == {"VII/US", "3AD/US", "marker"}
