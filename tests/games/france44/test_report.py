"""What letters show: boards, summaries, and the log in words."""

from __future__ import annotations

from dataclasses import fields

import pytest

from pbem.engine.notes import Note
from pbem.engine.tally import Modifier
from pbem.games.france44 import notes, setup
from pbem.games.france44.notes import (
    Activated,
    Advanced,
    AirRolled,
    Attacked,
    BridgeheadChanged,
    BridgeRolled,
    ChitDrawn,
    ChitsPlaced,
    Committed,
    Dispersed,
    Eliminated,
    Entered,
    HeldFast,
    Moved,
    PhasePassed,
    Replaced,
    Retreated,
    SentBack,
    StepsLost,
    TookControl,
    TurnPoints,
)
from pbem.games.france44.report import COLOURS, SIZES, SYMBOLS, WORDS, board, colours, summary
from pbem.games.france44.state import State
from pbem.games.france44.tables import RHINE, UNITS, place_name
from pbem.games.france44.view import view
from pbem.render import png, text
from pbem.service.letters.log import environment, worded
from tests.games.france44.kit import game
from tests.games.playing import filled, kinds

CONTROL = {"1207": "allied", "1309": "allied", "1409": "allied", "1410": "allied", "0910": "german"}


def test_2_0_8_in_the_last_turn_no_letter_speaks_of_what_is_committed() -> None:
    """2.0.8 There is no next turn to commit supply for."""
    for turn, told in ((1, True), (3, False)):
        state = war(scenario="westwall", turn=turn)
        note = Committed(case="2.0.8", readers=("allied",), side="allied", number=0, left=4)
        assert (
            any("committed for the next turn" in line for line in summary(view(state, "allied"), (note,)))
            == told
        )


def war(text: str = "VII/US 1208, US1 1208, 2SS 1209, AOK7 1311", **fields: object) -> State:
    return game(text, **({"phase": "cycle", "control": dict(CONTROL)} | fields))  # type: ignore[arg-type]


COMBAT = Attacked(
    case="9.6", roll=17, side="allied", fight="set_piece", hexes=("1209",), origins=("1208", "1309"),
    attackers=("VII/US", "V/US"), defenders=("LXXXIV", "17SS"), attack=16, defence=5,
    attack_parts=(Modifier(7, "3.8", "VII/US"), Modifier(3, "11.5", "V/US, halved: out of supply"),
        Modifier(3, "4.9", "US1")),
    defence_parts=(Modifier(4, "3.8", "LXXXIV"), Modifier(3, "3.8", "17SS"),
        Modifier(-2, "11.5", "defenders out of supply, halved")),
    comparison="triple or more", attack_lead="VII/US", defence_lead="LXXXIV",
    attack_morale=(Modifier(4, "9.3", "VII/US"),),
    defence_morale=(Modifier(3, "9.3", "LXXXIV"), Modifier(1, "9.4", "rough"),
        Modifier(-1, "9.4", "tactical air")),
    attack_die=2, defence_die=5, attack_needs=4, defence_needs=3, corner="retreat",
    attack_hit_die=1, defence_hit_die=2, attack_hits=0, defence_hits=4, air="tactical",
    rolls=("R14", "R15", "R16", "R17"),
)  # fmt: skip
TOLD: tuple[Note, ...] = (
    AirRolled(case="2.0.3", roll=3, die=4, needed=5, available=True),
    ChitsPlaced(case="2.0.6", allied=4, german=2),
    Committed(case="2.0.8", readers=("allied",), side="allied", number=3, left=1),
    ChitDrawn(case="2.0.9", roll=4, chit="allied", left=6),
    Activated(case="5.1", side="allied", hq="US1", names=("VII/US", "V/US")),
    Moved(case="7.0", side="allied", names=("V/US",), path=("1308", "1309"), points=1, of=4),
    Moved(case="7.0", side="allied", names=("2AD/US",), path=("1308", "1309"), points=1, of=6),
    COMBAT,
    StepsLost(case="9.6", side="german", hex="1209", lost=(("LXXXIV", 3), ("17SS", 1)), why="combat"),
    Eliminated(case="9.6", side="german", name="LXXXIV", hex="1209", why="combat"),
    Retreated(case="9.7", side="german", names=("17SS",), path=("1209", "1210", "1211")),
    TookControl(case="11.3", side="allied", hex="1410"),
    Dispersed(case="4.10", side="german", name="AOK7", hex="1311", back=4),
    Advanced(case="9.8", side="allied", name="V/US", start="1309", path=("1209", "1210")),
    PhasePassed(case="5.2", side="german", what="denied", left=2),
    Entered(case="10.1.5", side="allied", names=("XV/US",), path=("1207", "1108")),
    BridgeRolled(case="12.7", roll=20, hexes=("3511", "3611"), dice=(1, 4), standing=1),
    BridgeheadChanged(case="12.6", hex="3610", won=True),
)

# --- boards -----------------------------------------------------------------------------------------------


def test_counters_show_strengths_and_marks() -> None:
    """3.2, 3.8, 4.7, 11.5 A counter carries set piece, mobile and morale as they are now,
    a headquarters what it commands."""
    state = war(
        "VII/US 1208, 2AD/US 1208 lost=2, US1 1208, III/US 1309 green unsupplied, "
        "12SS 1410, IIFJ 1310, AOK7 1311"
    )
    faces = {counter.name: counter for counter in board(view(state, "german"), ()).counters}
    assert (faces["VII/US"].figures, faces["2AD/US"].figures, faces["US1"].figures) == (
        "7-3-4",
        "1-1-4",
        "4+4",
    )
    assert faces["III/US"].figures == "6-3-1" and faces["III/US"].unsupplied
    assert faces["2AD/US"].dimmed and not faces["VII/US"].dimmed
    assert (faces["12SS"].colours, faces["IIFJ"].colours, faces["AOK7"].colours) == (
        "ss",
        "luftwaffe",
        "german",
    )


def test_in_a_stack_the_strongest_lies_on_top() -> None:
    """The first counter of a hex is the strongest; headquarters lie below."""
    drawn = board(view(war("US1 1208, XIX/US 1208, VII/US 1208"), "german"), ())
    assert [counter.name for counter in drawn.counters] == ["VII/US", "XIX/US", "US1"]


def test_combats_and_moves_stand_on_the_map() -> None:
    """Combats carry the number of their dice; moves, arrivals, retreats and advances are arrows,
    those along one way only one; losses are marked."""
    drawn = board(view(war(), "allied"), TOLD)
    assert [(battle.label, battle.hex, battle.attackers) for battle in drawn.battles] == [
        ("R17", "1209", ("1208", "1309"))
    ]
    moves = [(arrow.kind, arrow.colours, arrow.path) for arrow in drawn.arrows if arrow.colours != "supply"]
    assert moves == [
        ("move", "allied", ("1308", "1309")),
        ("retreat", "german", ("1209", "1210", "1211")),
        ("advance", "allied", ("1309", "1209", "1210")),
        ("arrival", "allied", ("1207", "1108")),
    ]
    assert {(mark.hex, mark.colours) for mark in drawn.marks if mark.kind == "lost"} == {
        ("1209", "german"),
        ("1311", "german"),
    }


def test_8_0_a_combat_on_two_hexes_is_shown_in_both() -> None:
    """8.0 An attack on two hexes has its burst in each."""
    both = Attacked(
        **{**{each.name: getattr(COMBAT, each.name) for each in fields(COMBAT)}, "hexes": ("1209", "1310")}
    )
    assert [battle.hex for battle in board(view(war(), "german"), (both,)).battles] == ["1209", "1310"]


def test_11_1_supply_lines_sources_and_command_range_of_the_own_side() -> None:
    """4.6, 11.1, 11.2 A reader's headquarters show their lines and the edge of their range;
    sources are marked for both sides."""
    allied, german = (board(view(war(), seat), ()) for seat in ("allied", "german"))
    assert [arrow.path for arrow in allied.arrows] == [("1207", "1208")]
    assert all(arrow.path[-1] == "1311" for arrow in german.arrows)
    assert {border.name for border in allied.borders} == {"the Rhine", "Allied command range"}
    assert {border.name for border in german.borders} == {"the Rhine", "German command range"}
    inside = set(view(war(), "allied").posts[0].reach)
    edge = [border.hexes for border in allied.borders if border.name == "Allied command range"]
    assert all(a in inside and b not in inside for a, b in edge)
    umpire = board(view(war(), "umpire"), ())
    assert len({border.name for border in umpire.borders}) == 3 and umpire.subtitle == "full view"
    marks = {(mark.hex, mark.kind): mark for mark in allied.marks}
    assert marks["1207", "supply"].colours == "allied" and marks["0910", "supply"].colours == "german"


def test_13_towns_that_count_fly_a_flag() -> None:
    """13.1, 13.2 The towns that count in a scenario show their holder."""
    falaise = board(view(war(scenario="falaise", turn=1), "allied"), ())
    flags = {mark.hex: mark.colours for mark in falaise.marks if mark.kind == "control"}
    assert flags == {"1111": "german", "1210": "german", "1410": "allied", "1411": "german"}
    westwall = board(view(war(scenario="westwall"), "allied"), ())
    assert {mark.hex for mark in westwall.marks if mark.kind == "control"} == {"2113", "2908", "3115"}


def test_12_6_12_7_12_8_the_rhine_its_bridges_and_bridgeheads_are_drawn() -> None:
    """12.6, 12.7 Bridgeheads carry their name, bridges that have been tried a flag on the far bank;
    the Rhine itself is drawn where it matters."""
    state = war(bridges={"3511-3610": 0, "3511-3611": 1}, bridgeheads=["3610"], turn=9)
    drawn = board(view(state, "german"), ())
    assert ("3610", "bridgehead") in {(mark.hex, mark.text) for mark in drawn.marks}
    tried = {(mark.hex, mark.text, mark.colours) for mark in drawn.marks if mark.text.startswith("bridge ")}
    assert tried == {("3610", "bridge 3511 blown", "german"), ("3611", "bridge 3511 stands", "allied")}
    assert {border.hexes for border in drawn.borders if border.name == "the Rhine"} == {
        tuple(key.split("-")) for key in RHINE
    }
    near = board(view(war(scenario="falaise", turn=1), "allied"), ())
    assert "the Rhine" not in {border.name for border in near.borders}


def test_every_counter_can_be_drawn() -> None:
    """Each counter of the game has its colours, its symbol and the sign of its size."""
    assert {piece.nation for piece in UNITS.values()} == set(COLOURS)
    fighting = [piece for piece in UNITS.values() if not piece.hq]
    assert {piece.kind for piece in fighting} | {"headquarters"} == set(SYMBOLS)
    assert {piece.size for piece in fighting} | {"army"} == set(SIZES)
    assert {colours(id) for id in UNITS} == {
        "us",
        "french",
        "uk",
        "canadian",
        "polish",
        "german",
        "ss",
        "luftwaffe",
    }


@pytest.mark.parametrize("scenario", ["falaise", "westwall", "rhine", "crusade"])
def test_the_first_position_of_each_scenario_can_be_drawn(scenario: str) -> None:
    """1.4, 13 A picture and a map in letters of every first position."""
    state = setup.setup(scenario, {"advantage": "no"})
    state.phase = "begin"
    drawn = board(view(state, "allied"), ())
    assert len(drawn.counters) == sum(1 for _ in state.on_map())
    assert png(drawn, 700).startswith(b"\x89PNG") and "1208" in text(drawn)


# --- summaries --------------------------------------------------------------------------------------------


def test_summary_tells_chits_ground_fights_losses_and_how_it_stands() -> None:
    """The first lines of a letter: the beginning, who acted, what was taken, the fighting, what it cost,
    what else matters, how the game stands."""
    state = war(
        cup=["allied", "german", "administrative"],
        supply={"allied": 1, "german": 2},
        committed={"allied": 3, "german": 1},
    )
    lines = summary(view(state, "allied"), TOLD)
    assert lines[:5] == (
        "Air support; Allied supply committed for the next turn: 3.",
        "Allied chit; US1 acts; a German point spent for nothing.",
        "Allied now: Falaise (1410).",
        "1 Allied attack, taken Saint-Lo (1209); 2 Allied units moved.",
        "German losses: 4 steps; LXXXIV eliminated; AOK7 dispersed.",
    )
    assert "The Rhine bridge at Koblenz (3611) is standing in part, 1 of 2." in lines
    assert "Allied arrivals: XV/US." in lines and "Bridgeheads won: 3610." in lines
    assert lines[-2].startswith("If the game ended now: ")
    assert lines[-1] == (
        "Reaction points: Allied 3, German 3; your supply points 1, 3 committed for the next turn; "
        "in the cup: 1 Allied chit, 1 German chit, the administrative chit."
    )


def test_summary_of_several_turns_counts_who_acted() -> None:
    """A game that bots have played on is no list of a hundred chits."""
    lines = summary(view(war(), "allied"), TOLD + TOLD)
    assert lines[0] == "2 turns; US1 acts 2 times; 0 reactions."
    assert not any("chit;" in line for line in lines[:-1])


def test_summary_of_nothing() -> None:
    """Where nothing has happened the letter says so, and how the game stands."""
    lines = summary(view(war(), "allied"), ())
    assert lines[0] == "Nothing has happened." and len(lines) == 3
    assert summary(view(war(phase=""), "allied"), ())[-2].startswith("The game is over: ")


def test_10_1_2_a_raised_unit_that_has_not_come_in_is_not_raised_again() -> None:
    """10.1.2 The summary and the log say that it is back in the box."""
    raised = [
        Replaced(case="10.1.2", side="allied", name=id, points=2, now="reduced", rebuilt=True)
        for id in ("V/US", "2AD/US")
    ]
    back = SentBack(case="10.1.2", side="allied", names=("2AD/US",))
    lines = summary(view(war(), "allied"), (*raised, back))
    assert "Raised again: V/US." in lines
    assert "Raised, not brought in and back in the eliminated box: 2AD/US." in lines
    assert words(back) == ["2AD/US not entered: back to the eliminated box, the points are lost [10.1.2]"]


def test_2_0_8_a_summary_tells_nothing_that_its_reader_may_not_read() -> None:
    """2.0.8 What a side has committed is left out of the other's summary, and so is what that leaves."""
    state = war(supply={"allied": 1, "german": 2}, committed={"allied": 3, "german": 1})
    told = " ".join(summary(view(state, "german"), TOLD))
    assert "Allied supply committed" not in told
    assert "your supply points 2, 1 committed for the next turn" in told
    both = " ".join(summary(view(state, "umpire"), TOLD))
    assert (
        "Allied supply points 1, 3 committed for the next turn; German supply points 2, 1 committed" in both
    )


# --- words ------------------------------------------------------------------------------------------------

KINDS = kinds(notes)
VALUES: dict[str, object] = {
    "side": "german", "chit": "german", "what": "reaction", "fight": "mobile", "corner": "repulse",
    "comparison": "even", "why": "combat", "now": "reduced", "level": "draw", "winner": "",
    "lost": (("2SS", 1),), "hexes": ("3511", "3611"), "air": "tactical", "dice": (1, 4),
}  # fmt: skip


def words(*told: Note, seat: str = "allied") -> list[str]:
    """Notes as the log puts them, line by line."""
    module = environment().get_template("france44/log.txt.j2", globals={"at": place_name}).module
    found: list[str] = []
    for note in told:
        facts = note.facts()
        found += str(getattr(module, facts["kind"])(facts, seat)).splitlines()
    return [line.rstrip() for line in found if line.strip()]


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
def test_every_note_has_its_words(kind: type[Note]) -> None:
    """The log can put every kind of note into words, with its case in brackets and every modifier."""
    lines = words(
        filled(
            kind, VALUES, ("VII/US", "V/US"), "1209", Modifier(4, "6.2", "night"), Modifier(-1, "6.2", "fog")
        )
    )
    told = " ".join(lines)
    assert lines and "None" not in told and "Modifier" not in told and "[9.99]" in told
    assert all(len(line) < 200 for line in lines)
    if any(each.type == "tuple[Modifier, ...]" for each in fields(kind)):
        assert "-1 fog [6.2]" in told or "- fog 1 [6.2]" in told


def test_9_0_the_log_shows_what_decided_a_combat() -> None:
    """9.1 to 9.6 Kind, strengths with their parts, morale with its parts, dice,
    box and hits stand in the log, each with its case."""
    assert words(COMBAT) == [
        "SET PIECE COMBAT at Saint-Lo (1209) from 1208, 1309, tactical air [9.1]",
        "  VII/US 7 + V/US 3 (halved: out of supply) [11.5] + US1 3 [4.9] = 16 against LXXXIV 4 + 17SS 3"
        " - defenders out of supply, halved 2 [11.5] = 5: triple or more [9.6]",
        "  attack: VII/US 4 [9.4], R14 die 2 passed [9.5]",
        "  defence: LXXXIV 3, +1 rough, -1 tactical air = 3 [9.4], R16 die 5 FAILED [9.5]",
        (
            "  retreat, the defender must retreat; hits on the attacker 0 (R15: 1 before changes), "
            "on the defender 4 (R17: 2 before changes) [9.6]"
        ),
    ]


def test_9_0_a_combat_recorded_without_the_names_of_its_rolls_is_told() -> None:
    """A game begun under an earlier pbem keeps its log."""
    recorded = {name: value for name, value in COMBAT.facts().items() if name != "rolls"}
    *_, attack, _, hits = worded("france44", recorded, "allied")
    assert attack == "  attack: VII/US 4 [9.4], die 2 passed [9.5]"
    assert "hits on the attacker 0 (1 before changes), on the defender 4 (2 before changes)" in hits


def test_2_0_the_log_shows_air_points_and_chits() -> None:
    """2.0.3 to 2.0.8 The beginning of a turn in words."""
    points = TurnPoints(
        case="2.0.5", side="allied", supply=7, gained=4, reaction=8,
        parts=(Modifier(5, "2.0.5", "turn track"), Modifier(3, "12.1", "Brittany"))
    )  # fmt: skip
    assert words(*TOLD[:4], points) == [
        "Air support: die 4, 5 or less needed: available [2.0.3]",
        "In the cup: 4 Allied chits, 2 German chits, the administrative chit [2.0.6]",
        "Allied supply committed for the next turn: 3 points, 1 left; secret [2.0.8]",
        "Chit: Allied initiative; 6 chits left in the cup [2.0.9]",
        "Allied supply points: 7, 4 of them new [2.0.4]",
        "Allied reaction points: 8 (5 turn track, +3 Brittany [12.1]) [2.0.5]",
    ]


def test_what_follows_a_combat_in_words() -> None:
    """9.6 to 9.8, 4.10, 12.7 Losses, retreats, who cannot retreat, headquarters, bridges."""
    assert words(*TOLD[8:11], TOLD[12], TOLD[16], HeldFast(case="9.7", side="german", hex="1209")) == [
        "  steps lost: LXXXIV 3, 17SS 1 [9.6]",
        "  LXXXIV ELIMINATED at Saint-Lo (1209) [9.6]",
        "  17SS retreats 1209 > 1210 > 1211 [9.7]",
        "  AOK7 DISPERSED at 1311; it may return on turn 4 [4.10]",
        "  Rhine bridges Bonn (3511) to Koblenz (3611): dice 1, 4: 1 of 2 stands [12.7]",
        "  no retreat from Saint-Lo (1209): the German units stay and take 1 more hit [9.7]",
    ]


@pytest.mark.parametrize(
    ("what", "told"),
    [
        ("initiative", "German initiative passed: no headquarters was activated [5.2]"),
        ("reaction", "German reaction: none; points left: 2 [5.2]"),
        ("denied", "German reaction: a point spent to deny the enemy a reaction; points left: 2 [5.2]"),
    ],
)  # fmt: skip
def test_5_2_passing_in_words(what: str, told: str) -> None:
    """5.1, 5.2 Who passes, and who spends a point for nothing."""
    assert words(PhasePassed(case="5.2", side="german", what=what, left=2)) == [told]


def test_units_that_moved_are_counted_by_side() -> None:
    """Of each side, a unit that moves twice once."""
    move = Moved(case="7.0", side="allied", names=("V/US",), path=("1308", "1309"), points=1, of=4)
    back = Moved(case="7.0", side="german", names=("1SS", "2SS"), path=("1409", "1410"), points=1, of=6)
    assert WORDS.moves([]) == ""
    assert WORDS.moves([move, move]) == "1 Allied unit moved"
    assert WORDS.moves([back, move]) == "1 Allied and 2 German units moved"
