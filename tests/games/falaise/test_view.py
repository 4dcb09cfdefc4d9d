"""What a seat knows: the unknown forces are the German player's secret, everything else lies open;
names that letters may use."""

from __future__ import annotations

from typing import Any

import pytest

from pbem.engine.errors import Ambiguous
from pbem.engine.language import Grammar
from pbem.games.falaise import GAME, standing
from pbem.games.falaise.orders import CONDITIONS, Attach, Move
from pbem.games.falaise.state import Award, State
from pbem.games.falaise.tables import COMMAND_NAMES, UNITS
from pbem.games.falaise.view import GROUPS, label, remarks, roster, title, view
from pbem.service.letters.log import forces
from tests.games.falaise.kit import game

GRAMMAR = Grammar(
    orders=(Attach, Move), conditions=CONDITIONS, policies=standing.POLICIES, words=standing.WORDS
)


def war(text: str = "25/12SS 1525, 4/2C 1425", **fields: Any) -> State:
    """A state in the middle of the action rounds of turn 3."""
    return game(text, **({"phase": "activation"} | fields))


# --- secrets ----------------------------------------------------------------------------------------------


def test_3_1_the_allies_know_how_many_unknown_forces_there_are_and_not_which() -> None:
    """3.1 The names of the unknown forces stand in the German and the umpire's view alone,
    until the game is over."""
    state = war("D/2SS unknown, 19/9SS unknown, 25/12SS 1525")
    allied = view(state, "allied")
    assert allied.unknown.number == 2 and allied.unknown.names == ()
    assert not [name for name in ("D/2SS", "19/9SS", "Deutschland") if name in allied.model_dump_json()]
    for seat in ("german", "umpire"):
        assert set(view(state, seat).unknown.names) == {"D/2SS", "19/9SS"}
    state.phase = ""
    assert set(view(state, "allied").unknown.names) == {"D/2SS", "19/9SS"}


def test_3_1_which_units_wait_changes_nothing_that_the_allies_see() -> None:
    """3.1 Two states that differ in nothing but who is withheld and who is still to come look the same to the
    Allied player, but for who is on the list of those to come; a unit seen on the map is there for both."""
    one, other = war("D/2SS unknown, 25/12SS 1525"), war("DF/2SS unknown, 25/12SS 1525")
    for state in (one, other):
        state.units = {
            id: unit
            for id, unit in state.units.items()
            if id not in ("D/2SS", "DF/2SS") or unit.place == "unknown"
        }
    assert view(one, "allied") == view(other, "allied")
    assert view(one, "german") != view(other, "german")


# --- what lies open ---------------------------------------------------------------------------------------


def test_2_2_units_are_seen_with_all_their_marks() -> None:
    """2.2, 9.1, 5.3, 11.1 Strength and rating as they are now; reduced, disrupted, finished,
    attached and cut off are told of friend and foe."""
    state = war("357/90 3109 reduced disrupted, 25/12SS 1525 finished, 501SS 1526 to=47Pz")
    seen = {unit.id: unit for unit in view(state, "german").units}
    regiment, kg, battalion = seen["357/90"], seen["25/12SS"], seen["501SS"]
    assert (regiment.strength, regiment.ter, regiment.steps, regiment.printed_steps) == (2, 1, 1, 2)
    assert regiment.disrupted and not regiment.mine and kg.mine and kg.finished
    assert battalion.attached and battalion.command == "47Pz" and UNITS["501SS"].corps == "1SS"


def test_6_5_units_without_communication_are_marked() -> None:
    """6.5 Allies that hold the roads leave a German cut off; without them he is not."""
    free, shut = (
        war("25/12SS 2315"),
        war("25/12SS 2315, 4/2C 2214, 5/2C 2314, 6/2C 2415, 7/3C 2316, 8/3C 2216, 9/3C 2215"),
    )
    for state, cut_off in ((free, False), (shut, True)):
        seen = {unit.id: unit for unit in view(state, "allied").units}
        assert seen["25/12SS"].cut_off is cut_off


def test_4_0_the_cup_and_what_has_been_drawn_lie_open() -> None:
    """4.0, 11.10, 7.1.1, 11.1 Every marker is somewhere, and both sides see where;
    so they do the points of the acting command."""
    state = war(
        active="2CC",
        activated=["1SS", "2CC"],
        cup=["12C", "84"],
        held_back=["Pol"],
        allowance=5,
        attachments=2,
    )
    for seat in ("german", "allied", "umpire"):
        seen = view(state, seat)
        where = {command.key: command.standing for command in seen.commands}
        assert list(where) != [] and set(where) == set(COMMAND_NAMES)
        assert (where["2CC"], where["1SS"], where["84"], where["Pol"], where["86"]) == (
            "acting", "activated", "cup", "held back", "away",
        )  # fmt: skip
        assert (seen.cup, seen.allowance, seen.attachments) == (("12C", "84"), 5, 1)
    assert {c.key: c.standing for c in view(war(counter_command="2SS"), "allied").commands}["2SS"] == "chosen"


def test_3_2_the_ledger_lies_open() -> None:
    """3.2, 3.3 The points, line by line, and what the game would come to now."""
    state = war(points=1, ledger=[Award(3, "cut off", 1, "3.3", "25/12SS")])
    seen = view(state, "german")
    assert seen.points == 1 and seen.ledger[0].unit == "25/12SS"
    assert seen.level in ("Allied win", "German win") and seen.figures


def test_11_6_11_8_ratings_that_change_are_told() -> None:
    """11.6, 11.8 The rating of the 80th Division as rolled, of the 4th Armoured as printed
    until its commander is replaced."""
    assert (view(war(rating_80=3), "allied").rating_80, view(war(), "allied").rating_4th) == (3, 2)
    assert view(war(relieved=True), "allied").rating_4th == 4


def test_titles_say_whose_round_it_is() -> None:
    """2.1, 7.0 Turn, day or night, phase, and in an action round the command."""
    told = title(war(active="2CC"))
    assert told.startswith("Turn 3 (18 August, day)") and told.endswith(": Canadian 2nd Corps")
    assert title(war(phase="")) == "The game is over" and label(4) == "18 August, night"


def test_3_1_in_its_set_up_a_side_reads_where_its_units_may_be_placed() -> None:
    """3.1 Every unit still to be placed stands there once with its place;
    neither the other side nor another phase shows it."""
    state = game(phase="set_up_german", turn=1)
    listed = {id: each.where for each in view(state, "german").to_place for id in each.units}
    starting = {id for id, counter in UNITS.items() if counter.side == "german" and not counter.later}
    assert set(listed) == starting and "in the sector of 12SS" in listed["25/12SS"]
    assert listed["Recon/Lehr"] == "in or adjacent to 3437"
    assert not view(state, "allied").to_place and not view(war(), "german").to_place
    mine = view(state, "german").reinforcements
    assert mine == ("980/272, 981/272, 982/272, when the marker of the 86th Corps is drawn [11.4]",)
    assert view(state, "allied").reinforcements == (
        "610TD, from turn 5 on, with a unit of the 80th Division [11.5]",
    )
    assert len(view(state, "umpire").reinforcements) == 2


@pytest.mark.parametrize(
    ("fields", "seat", "told"),
    [
        ({"turn": 2}, "german", "the third is Allied [11.10]"),
        ({"counter_command": "2SS", "turn": 6}, "allied", "2nd SS Panzer Corps [11.3]"),
        ({"french": "waiting"}, "allied", "[12.5]"),
        ({"turn": 4}, "german", "[11.2]"),
        ({}, "german", "86th Corps Zone is closed to you [11.4]"),
        ({}, "allied", "north of Argentan"),
        ({}, "allied", "calls up the 86th Corps [11.4]"),
    ],
)
def test_what_binds_a_player_now_is_remembered(fields: dict[str, Any], seat: str, told: str) -> None:
    """What a player should remember in this phase stands at the head of his forces,
    and is gone when it no longer holds."""
    assert told in " ".join(remarks(war(**fields), seat))
    later = war(turn=8, zone_86="open", zone_entered=True, argentan_fell=True)
    assert told not in " ".join(remarks(later, seat))
    assert not list(remarks(war(phase=""), seat))


# --- names ------------------------------------------------------------------------------------------------


def test_names_of_all_units_are_known_and_one_s_own_come_first() -> None:
    """A letter may name anybody, the dead and the enemy included; it is known of each whose it is,
    and whether it can still act."""
    state = war("25/12SS 1525, 26/12SS dead, Koszutski 2508")
    known = roster(state, "german").units
    assert set(known) == set(UNITS)
    assert not known["25/12SS"].enemy and not known["26/12SS"].enemy and known["Koszutski"].enemy
    assert known["26/12SS"].gone and not known["26/12SS"].here and known["25/12SS"].here
    assert known["25/12SS"].hex == "1525" and known["25/12SS"].kind == "2-5" and known["317/80"].kind == "3-?"


@pytest.mark.parametrize("name", ["84", "1SS", "2SS", "2cc"])
def test_22_names_of_corps_and_divisions_are_asked_back(name: str) -> None:
    """A corps or a division is no unit: what was meant is asked, with all that it may be,
    and nothing is guessed."""
    reading = GRAMMAR.read([(1, f"attach {name}")], roster(war(), "german"))
    (fault,) = reading.faults
    assert isinstance(fault.error, Ambiguous) and "is not a unit" in str(fault.error) and not fault.suggestion


def test_22_a_name_of_both_says_both() -> None:
    """84 is a corps and a division, 1SS as well; both are named, the division with its units."""
    corps, division = GROUPS["84"]
    assert corps == "the 84th Corps" and division == "the 84 Division (1051/84, 1052/84)"
    assert len(GROUPS["1SS"]) == 2 and len(GROUPS["2CC"]) == 1
    assert not set(GROUPS) & set(UNITS)


def test_other_names_are_read_as_before() -> None:
    """The beginning of a unit's name is enough, where it is no formation's."""
    reading = GRAMMAR.read([(1, "attach 501, co/pg"), (2, "1051 to 1525")], roster(war(), "german"))
    assert [line.order for line in reading.orders] == [
        Attach(("501SS", "Co/PGEb")),
        Move(("1051/84",), ("1525",)),
    ]


def test_2_2_the_list_of_forces_tells_types_and_steps() -> None:
    """2.2, 5.3 Units are listed by corps with factor and rating, type, size and steps;
    each side reads of its own reinforcements alone."""
    state = war("25/12SS 1525, 501SS 1525, KG/Lehr 1727, 1055/89 1627, 6/2AB 1424, 4/2C 1424 reduced")
    told = {part.title: " ".join(part.lines) for part in forces(GAME, view(state, "german"))}
    (own,) = (lines for title, lines in told.items() if title.startswith("1st SS Panzer Corps"))
    (other,) = (lines for title, lines in told.items() if title.startswith("2nd Parachute Corps"))
    assert "KG/Lehr 2-5 mech KG" in other and "25/12SS 2-5 KG + 501SS" in own and "501SS 3-6 armour bn" in own
    assert "1055/89 2-2 rgt" in own
    assert "4/2C 2-3 bde r" in told["The enemy"] and "6/2AB 2-4 armour bn" in told["The enemy"]
    assert "610TD" not in told["Off the map"] and "980/272" in told["Off the map"]


@pytest.mark.parametrize(("attached", "told"), [(0, "3 units may"), (2, "1 unit may"), (3, "0 units may")])
def test_11_1_attachments_left_are_counted(attached: int, told: str) -> None:
    words = forces(GAME, view(war(attachments=attached, cup=("1SS",)), "german"))
    assert any(f"{told} still be attached this turn [11.1]" in line for part in words for line in part.lines)
