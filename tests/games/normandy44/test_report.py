"""What letters show: boards, summaries, and the log in words."""

from __future__ import annotations

from dataclasses import fields, replace

import pytest

from pbem.engine.notes import Note
from pbem.engine.tally import Modifier
from pbem.games.normandy44 import GAME, naval, notes
from pbem.games.normandy44.notes import (
    Advanced,
    Attacked,
    Entered,
    Gunfire,
    HeadquartersLost,
    Initiative,
    Landed,
    LoneHeadquarters,
    Lost,
    Moved,
    PortNews,
    Retreated,
    StepsLost,
    Supported,
    TookControl,
    TrackRolled,
    WeatherRolled,
)
from pbem.games.normandy44.report import COLOURS, SIZES, SYMBOLS, board, colours, summary
from pbem.games.normandy44.state import Port, State
from pbem.games.normandy44.tables import UNITS
from pbem.games.normandy44.view import view
from pbem.service.letters.log import changed_forces, environment, forces, log_lines
from pbem.service.play.sections import phase_title
from tests.games.normandy44.kit import game, put
from tests.games.playing import filled, kinds


def war(text: str = "4US 0617, 709ID 0519", **fields: object) -> State:
    return game(text, **({"phase": "a_first"} | fields))  # type: ignore[arg-type]


COMBAT = Attacked(
    case="7.2", roll=17, attacker="allied", hex="0818", origins=("0717", "0817"), attackers=("4US", "82AB"),
    defenders=("709ID",), attack=11, defence=2,
    attack_parts=(Modifier(4, "7.2", "4US"), Modifier(4, "7.2", "82AB"), Modifier(3, "10.1", "1 fighter")),
    defence_parts=(Modifier(2, "8.3", "709ID, halved: out of supply"),), odds="5:1",
    shifts=(Modifier(-1, "C3", "town"), Modifier(2, "6.3", "VII/US")), column="6:1", die=4, result="0/2",
)  # fmt: skip
TOLD: tuple[Note, ...] = (
    WeatherRolled(case="2.1", die=4, modifier=0, total=4, weather="overcast"),
    Supported(case="2.3", side="allied", names=("VII/US",), stock=1),
    Initiative(case="2.3", side="allied", allied=1, german=0),
    Moved(case="5.1", side="allied", names=("4US",), path=("0617", "0717"), points=2.0, of=8.0),
    Landed(case="11.2", names=("90US",), site="0617", pe=3, path=("0617", "0618")),
    Entered(case="11.1", names=("77ID",), path=("2721",)),
    TrackRolled(case="11.1", roll=12, name="275ID", box="Bretagne", to="map", die=6, bombers=0, number=6,
        passed=False),
    Gunfire(
        case="12.0", roll=16, hex="0818", army="us", points=2, use="attack", die=3,
        modifiers=(Modifier(-1, "C3", "fortified line"),), total=2, needed=4, hit=False,
    ),
    COMBAT,
    StepsLost(case="7.3", side="german", hex="0818", lost=(("709ID", 1),), why="combat"),
    Retreated(case="7.4", side="german", names=("709ID",), path=("0818", "0918")),
    Advanced(case="7.4", side="allied", names=("4US",), hex="0818"),
    TookControl(case="S3", side="allied", hex="0222"),
    LoneHeadquarters(case="6.4", attacker="allied", hex="1218", attackers=("82AB",)),
    HeadquartersLost(case="6.4", side="german", name="LXXXIV", hex="1218", why="attacked", back=4),
    Lost(case="7.3", side="german", name="FJR6", hex="1119", why="combat"),
    PortNews(case="14.2", name="Isigny", what="working", worth=3),
)  # fmt: skip


# --- boards -----------------------------------------------------------------------------------------------


def test_counters_show_strengths_and_marks() -> None:
    """0.1, 8.3, 6.3 A counter carries attack, defence and movement as they are now,
    a headquarters its columns; supply, use and support show."""
    state = war(
        "4US 0617, 82AB 0619 lost=1 unsupplied, VII/US 0617, V/US 0713 used, 25/12SS 1204, 3FJ 1216",
        supported=["VII/US"],
    )
    faces = {counter.name: counter for counter in board(view(state, "german"), ()).counters}
    assert (faces["4US"].figures, faces["82AB"].figures) == ("4-4-8", "3-2-6")
    assert faces["82AB"].unsupplied and not faces["4US"].unsupplied
    assert faces["VII/US *"].figures == "+2" and not faces["VII/US *"].dimmed and faces["V/US"].dimmed
    assert faces["25/12SS"].colours == "ss" and faces["3FJ"].colours == "luftwaffe"


def test_in_a_stack_the_strongest_lies_on_top() -> None:
    """The first counter of a hex is the strongest; headquarters lie below."""
    drawn = board(view(war("VII/US 0617, 1SSB 0617, 4US 0617"), "german"), ())
    assert [counter.name for counter in drawn.counters] == ["4US", "1SSB", "VII/US"]


def test_combats_stand_on_the_map_under_their_numbers() -> None:
    """Combats carry the number of their die; moves, arrivals and retreats are arrows; losses are marked."""
    drawn = board(view(war(), "allied"), TOLD)
    assert [(battle.label, battle.hex, battle.attackers) for battle in drawn.battles] == [
        ("R17", "0818", ("0717", "0817")),
        ("HQ", "1218", ()),
    ]
    assert [(arrow.kind, arrow.colours, arrow.path[0]) for arrow in drawn.arrows] == [
        ("move", "allied", "0617"),
        ("arrival", "allied", "0617"),
        ("retreat", "german", "0818"),
    ]
    assert {(mark.hex, mark.colours) for mark in drawn.marks if mark.kind == "lost"} == {
        ("1218", "german"),
        ("1119", "german"),
    }


def test_8_2_S3_depots_and_towns_are_marked() -> None:
    """8.2, S3 Beaches in Allied hands and free German depots are sources of supply;
    the towns that decide fly the flag of their holder."""
    state = war(
        "4US 0617, 709ID 0519, 2US 1101", control={"0617": "allied", "1008": "allied", "0222": "german"}
    )
    marks = {(mark.hex, mark.kind): mark for mark in board(view(state, "allied"), ()).marks}
    assert marks["0617", "supply"].colours == "allied" and ("0714", "beach") in marks
    assert marks["1901", "supply"].colours == "german" and ("1101", "supply") not in marks
    assert marks["1008", "control"].colours == "allied" and marks["0222", "control"].colours == "german"
    assert ("2227", "exit") in marks


def test_S1_the_drive_on_cherbourg_shows_its_own_map() -> None:
    """S1 East of column 17 nothing is marked, there is no way out, and Cherbourg is what counts."""
    drawn = board(view(war(scenario="cherbourg"), "allied"), ())
    assert {mark.hex for mark in drawn.marks if mark.kind in ("control", "exit")} == {"0222", "0221"}
    assert all(int(mark.hex[2:]) >= 17 for mark in drawn.marks)
    edge = {border.hexes for border in drawn.borders if border.name == "edge of the scenario"}
    assert ("1217", "1216") in edge
    inside = [hex for border in drawn.borders if border.hexes not in edge for hex in border.hexes]
    assert inside and all(int(hex[2:]) >= 17 for hex in inside)


def test_10_2_air_zones_are_drawn_and_interdicted_ones_named() -> None:
    """10.2, 10.3 The lines between the air zones are drawn; interdicted zones are named;
    targets and craters are marked."""
    names = {border.name for border in board(view(war(), "allied"), ()).borders}
    assert names == {"air zones I NW, II NE, III SW, IV SE"}
    drawn = board(view(war(interdicted=["I"], targets={"1218": "us"}, craters=["1008"]), "allied"), ())
    assert {border.name for border in drawn.borders} == {*names, "interdicted: I NW"}
    assert {(mark.hex, mark.text) for mark in drawn.marks if mark.kind == "target"} == {
        ("1218", "US"),
        ("1008", ""),
    }


def test_every_counter_can_be_drawn() -> None:
    """Each counter of the game has its colours, its symbol and the sign of its size."""
    assert {counter.nation for counter in UNITS.values()} == set(COLOURS)
    assert {counter.size for counter in UNITS.values()} == set(SIZES)
    assert {counter.kind for counter in UNITS.values()} == set(SYMBOLS)
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


# --- summaries --------------------------------------------------------------------------------------------


def test_summary_tells_ground_fights_losses_and_how_it_stands() -> None:
    """The first lines of a letter: weather and initiative, what was taken, the fighting, what it cost,
    what else matters, the result."""
    lines = summary(view(war(control={"0222": "allied"}), "allied"), TOLD)
    assert lines[:4] == (
        "Overcast weather; Allied support for VII/US; Allied initiative.",
        "Allied now: Cherbourg (0222).",
        "2 Allied attacks, taken Carentan (0818); 1 Allied unit moved.",
        "German losses: 1 step; LXXXIV lost; FJR6 destroyed.",
    )
    assert (
        "Landed: 90US." in lines
        and "Isigny works." in lines
        and "Blocked on the strategic track: 275ID." in lines
    )
    assert lines[-1].startswith("If the game ended now: ")


def test_summary_tells_of_an_advance_after_the_combat_has_been_told() -> None:
    """7.4 When the advance was decided a letter later than the combat, what it took is told with it."""
    note = Advanced(case="7.4", side="allied", names=("4US",), hex="0818")
    assert summary(view(war(), "allied"), (note,))[0] == "Allied advance: taken Carentan (0818)."


def test_summary_of_nothing() -> None:
    """Where nothing has happened the letter says so, and how the game stands."""
    lines = summary(view(war(), "allied"), ())
    assert lines[0] == "Nothing has happened." and len(lines) == 2
    assert summary(view(war(phase=""), "allied"), ())[-1].startswith("The game is over: ")


def test_2_3_a_summary_tells_nothing_that_its_reader_may_not_read() -> None:
    """2.3 A note kept to one side is left out of the other's summary and map."""
    secret = Supported(case="2.3", side="allied", names=("VII/US",), stock=0, readers=("allied",))
    assert "VII/US" in summary(view(war(), "allied"), (secret,))[0]
    assert summary(view(war(), "german"), (secret,))[0] == "Nothing has happened."


# --- words ------------------------------------------------------------------------------------------------

KINDS = kinds(notes)
VALUES: dict[str, object] = {
    "side": "german", "attacker": "allied", "army": "us", "what": "working", "result": "1/2", "edge": "east",
    "use": "attack", "weather": "clear", "odds": "2:1", "column": "3:1", "why": "overrun", "where": "reserve",
    "lost": (("709ID", 1),), "fighters": (("VII/US", 2),), "boxes": (("Paris", 1),),
    "carpets": (("1218", "us"),), "sites": (("0617", 3),), "zones": ("II",), "to": "map",
}  # fmt: skip


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
def test_every_note_has_its_words(kind: type[Note]) -> None:
    """The log can put every kind of note into words, with its case and every modifier."""
    lines = log_lines(
        "normandy44",
        [filled(kind, VALUES, ("4US", "9US"), "0818", Modifier(-1, "6.2", "night")).facts()],
        "allied",
    )
    told = " ".join(lines)
    assert lines and all(line.strip() for line in lines) and "None" not in told
    assert kind is Moved or "[9.99]" in told
    if any(each.type == "tuple[Modifier, ...]" for each in fields(kind)):
        assert "-1 night [6.2]" in told or "night -1 [6.2]" in told


def words(*told: Note) -> list[str]:
    return [line.strip() for line in log_lines("normandy44", [note.facts() for note in told], "allied")]


def test_7_2_the_log_shows_what_decided_a_combat() -> None:
    """7.2 Strengths with their parts, odds, shifts, column, die and result stand in the log,
    each with its case."""
    assert words(COMBAT) == [
        "R17  COMBAT at Carentan (0818) from 0717, 0817 [7.2]",
        "4US 4 + 82AB 4 + 1 fighter 3 [10.1] = 11 against 709ID 2 (halved: out of supply) [8.3]: 5:1",
        "column shifts: -1 town [C3], +2 VII/US [6.3] = 6:1",
        "die 4: 0/2, defenders lose 2 steps or hexes",
    ]


def test_7_2_a_shift_at_the_end_of_the_table_says_so() -> None:
    """7.2 Beyond 8:1 and 1:4 there is no column: the log says why a shift has moved nothing."""
    told = words(replace(COMBAT, odds="8:1", column="8:1"))
    assert told[2] == "column shifts: -1 town [C3], +2 VII/US [6.3] = 8:1, the highest column"
    told = words(replace(COMBAT, odds="1:4", column="1:4"))
    assert told[2].endswith("= 1:4, the lowest column")


def test_2_3_a_phase_is_called_after_the_side_that_acts() -> None:
    """2.3, 2.6 Once the initiative is known, letters name its side; before, a phase is called after its
    place in the turn."""
    german = game(phase="b_first", initiative="german")
    assert phase_title(GAME, "t3.b_first", lambda: german) == "Turn 3, German phase B"
    assert phase_title(GAME, "t3.b_second", lambda: german) == "Turn 3, Allied phase B"
    unknown = game(phase="weather", initiative="")
    assert phase_title(GAME, "t3.a_second", lambda: unknown) == "Turn 3, Phase A, other side"


def test_units_that_have_only_moved_are_told_once() -> None:
    """5.1 The log tells of the movement: of units, a letter lists what else has changed."""
    before = game("4US 0419, 90US 0518, 243ID 0320, StB7 0320", phase="b_first")
    after = game("4US 0319, 90US 0319, 243ID 0320 lost=1, StB7 dead", phase="b_second")
    views = [GAME.view(state, "allied") for state in (after, before)]
    told = {part.title: part for part in changed_forces(GAME, *views, orders=False)}
    lines = "\n".join(told["Changed since your last letter"].lines)
    assert "0320: 243ID" in lines and "StB7" in lines and "4US" not in lines and "90US" not in lines


@pytest.mark.parametrize(
    ("result", "told"),
    [
        ("3/0", "attackers lose 3 steps"),
        ("1/1", "attackers lose 1 step, defenders lose 1 step or hex"),
        ("0/E", "all defenders are destroyed"),
        ("0/0", "no effect"),
    ],
)
def test_7_3_results_in_words(result: str, told: str) -> None:
    """7.3 A cell of the table is put into words."""
    macro = environment().get_template("normandy44/log.txt.j2").module.outcome  # type: ignore[attr-defined]
    assert str(macro(result)).strip() == told


def test_7_3_losses_are_told_once() -> None:
    """7.3, 10.3, 4.0 Of a combat the losses follow its result; where bombs or a move have told them they
    are not told again."""
    lost = {"side": "german", "hex": "0818", "lost": (("709ID", 1), ("91ID", 2))}
    told = words(
        StepsLost(case="7.3", why="combat", **lost),  # type: ignore[arg-type]
        StepsLost(case="C2", why="interdiction", **lost),  # type: ignore[arg-type]
        StepsLost(case="10.3", why="bombers", **lost),  # type: ignore[arg-type]
        StepsLost(case="4.0", why="breaking away", **lost),  # type: ignore[arg-type]
        Lost(case="7.3", side="german", name="91ID", hex="0818", why="combat"),
        Lost(case="3.1", side="german", name="91ID", hex="0818", why="no room"),
    )
    assert told == [
        "steps lost: 709ID 1, 91ID 2 [7.3]",
        "steps lost at Carentan (0818), interdiction: 709ID 1, 91ID 2 [C2]",
        "91ID DESTROYED at Carentan (0818) [7.3]",
        "91ID DESTROYED at Carentan (0818), no room [3.1]",
    ]


def test_11_1_14_0_the_forces_say_what_leaves_a_box_and_when_a_port_works() -> None:
    """10.4, 14.0 The dice that let a unit go, bombers counted in; the same turn for a port in log and list;
    the guns of D-Day."""
    state = war(bombers={"Bretagne": 2})
    put(state, "77ID", "track", "box=Bretagne")
    state.ports = {"Isigny": Port(left=2), "Arromanches": Port()}
    told = "\n".join(line for part in forces(GAME, view(state, "allied")) for line in part.lines)
    assert "Bretagne (leaves on a die of 1 to 3, 2 bombers over it): 77ID [11.1]" in told
    assert f"Isigny: works from turn {state.turn + 2} on [14.0]" in told
    assert "Ports and Mulberries not begun: Arromanches [14.0]" in told
    assert "By road " in told
    begun = PortNews(case="14.2", name="Isigny", what="begun", left=2, turn=state.turn + 2)
    assert words(begun)[0] == f"Isigny: work on its depot begins, works from turn {state.turn + 2} on [14.2]"
    d_day = war(turn=0, weather="", phase="landing", markers={"allied": 0, "german": 0})
    naval.reset(d_day)
    assert any(
        "Naval gunfire left: " in line for part in forces(GAME, view(d_day, "allied")) for line in part.lines
    )


def test_11_1_the_log_shows_the_dice_of_the_track() -> None:
    """11.1, 10.4 Die, bombers, number and what comes of it; where no die is needed none is told."""
    rolled = TrackRolled(
        case="11.1", name="77ID", box="Paris", to="map", die=5, bombers=1, number=6, passed=False
    )
    free = TrackRolled(
        case="11.1", name="77ID", box="Paris*", to="Paris", die=0, bombers=0, number=7, passed=True
    )
    assert words(rolled, free) == [
        "77ID in Paris: die 5 +1 for bombers = 6, 5 or less needed: blocked [11.1]",
        "77ID in Paris*: no die roll needed: on to Paris [11.1]",
    ]


def test_5_1_the_log_shows_ways_and_points() -> None:
    """5.1, 5.3, 4.0 A move stands in the log with its hexes and points, and how it was made."""
    move = Moved(
        case="5.1",
        side="allied",
        names=("4US", "90US"),
        path=("0617", "0717"),
        points=4.5,
        of=16,
        strategic=True,
    )
    away = Moved(case="4.0", side="allied", names=("4US",), path=("0617", "0717"), points=2, of=8, step=True)
    assert words(move, away) == [
        "4US, 90US  0617 > 0717   4.5 of 16 MP, strategic [5.3]",
        "4US  0617 > 0717   2 of 8 MP, a step lost in breaking away [4.0]",
    ]
