"""What letters show: boards, summaries, and the log in words."""

from __future__ import annotations

from dataclasses import fields

import pytest

from pbem.engine.notes import Note
from pbem.engine.tally import Modifier
from pbem.games.falaise import GAME, notes
from pbem.games.falaise.notes import (
    Advanced,
    Assaulted,
    Bombarded,
    Controlled,
    Drawn,
    Eliminated,
    Moved,
    OpFired,
    PutBack,
    ResultChosen,
    Retreated,
    StepLost,
)
from pbem.games.falaise.report import COLOURS, SIZES, board, summary
from pbem.games.falaise.setup import SECTORS
from pbem.games.falaise.state import State
from pbem.games.falaise.tables import COMMAND_NAMES, UNITS
from pbem.games.falaise.view import view
from pbem.service.letters.log import environment, log_lines
from tests.games.falaise.kit import game
from tests.games.playing import filled, kinds


def war(text: str = "25/12SS 1525, 4/2C 1425", **fields: object) -> State:
    return game(text, **({"phase": "activation"} | fields))  # type: ignore[arg-type]


TOLD: tuple[Note, ...] = (
    Drawn(case="4.0", command="2CC", how="drawn", cup=7),
    Moved(case="7.2", side="allied", names=("5/2C",), path=("1424", "1425"), spent="1", of="4"),
    OpFired(
        case="6.2", roll=12, side="german", firing=("25/12SS",), origin="1525", names=("5/2C",), hex="1425",
        parts=(Modifier(1, "6.2", "higher TER"),), die=4, total=5, result="halt", effect="halt",
    ),
    OpFired(
        case="6.2", roll=13, side="german", firing=("25/12SS",), origin="1525", names=("6/2C",), hex="1424",
        parts=(), die=1, total=1, result="none", effect="none",
    ),
    Bombarded(
        case="8.3", roll=3, by="air", hex="1525", parts=(), die=4, total=4, result="one",
        disrupted=("25/12SS",)
    ),
    Bombarded(case="8.2", roll=4, by="2CC", hex="1525", parts=(), die=1, total=1, result="none",
        disrupted=()),
    Assaulted(
        case="10.2", roll=14, side="allied", mech=False, hex="1525", origins=("1425", "1424"),
        attackers=("4/2C", "5/2C"), defenders=("25/12SS",), strengths=(6, 2), odds="3-1", parts=(), die=4,
        total=4, result="DR", ters=(3, 5),
    ),
    Retreated(case="10.3", unit="25/12SS", path=("1525", "1625", "1725")),
    Advanced(case="10.4", names=("4/2C",), path=("1425", "1525")),
    StepLost(case="10.2", unit="1055/89", hex="1626", left=1),
    Eliminated(case="10.3", unit="1056/89", hex="1626", why="no way to retreat", cut_off=True, points=1),
    Controlled(case="3.4", side="allied"),
)  # fmt: skip


# --- boards -----------------------------------------------------------------------------------------------


def test_counters_show_strength_rating_and_marks() -> None:
    """2.2, 9.1, 6.5 A counter carries its combat factor and rating as they are; it is marked when disrupted,
    dimmed when finished."""
    state = war("25/12SS 1525 disrupted, 26/12SS 1526 finished, 357/90 3109 reduced")
    faces = {counter.name: counter for counter in board(view(state, "allied"), ()).counters}
    assert (faces["25/12SS"].figures, faces["357/90"].figures) == ("2-3", "2-3")
    assert faces["25/12SS"].disrupted and not faces["26/12SS"].disrupted
    assert faces["26/12SS"].dimmed and not faces["25/12SS"].dimmed
    assert faces["25/12SS"].colours == "ss" and faces["357/90"].colours == "us"


def test_6_5_cut_off_counters_carry_the_sign() -> None:
    """6.5 Without a line of communication a counter carries the sign for want of supply."""
    ring = ", 4/2C 2214, 5/2C 2314, 6/2C 2415, 7/3C 2316, 8/3C 2216, 9/3C 2215"
    for text, shut in (("25/12SS 2315", False), ("25/12SS 2315" + ring, True)):
        faces = {counter.name: counter for counter in board(view(war(text), "allied"), ()).counters}
        assert faces["25/12SS"].unsupplied is shut


def test_in_a_stack_those_lie_on_top_that_can_act() -> None:
    """The first counter of a hex is one that has not finished, the strongest of those."""
    drawn = board(view(war("25/12SS 1525 finished, Co/PGEb 1525"), "german"), ())
    assert [counter.name for counter in drawn.counters] == ["Co/PGEb", "25/12SS"]


def test_fights_stand_on_the_map_under_their_numbers() -> None:
    """Assaults, and fire that told, carry the number of their die; moves, retreats and advances are arrows;
    bombs and losses are marked."""
    drawn = board(view(war("1055/89 1626"), "allied"), TOLD)
    assert [(battle.label, battle.hex, battle.attackers) for battle in drawn.battles] == [
        ("R12", "1425", ("1525",)),
        ("R14", "1525", ("1425", "1424")),
    ]
    assert [(arrow.kind, arrow.colours, arrow.path[0]) for arrow in drawn.arrows] == [
        ("move", "allied", "1424"),
        ("retreat", "german", "1525"),
        ("advance", "allied", "1425"),
    ]
    marks = {(mark.kind, mark.hex): mark for mark in drawn.marks}
    assert marks["target", "1525"].text == "2" and marks["lost", "1626"].colours == "german"


def test_3_4_6_5_lines_and_places_are_marked() -> None:
    """3.1, 3.4, 6.5, 11.4 Both lines are drawn and named; who holds Argentan and where the Germans
    leave is marked."""
    drawn = board(view(war(argentan="allied"), "allied"), ())
    assert {border.name for border in drawn.borders} == {"front line", "withdrawal line"}
    marks = {mark.hex: (mark.kind, mark.colours) for mark in drawn.marks}
    assert marks["3219"] == ("control", "allied") and marks["1703"] == ("exit", "german")
    assert {mark.hex: mark.colours for mark in board(view(war(), "allied"), ()).marks}["3219"] == "german"


def test_every_nation_and_size_can_be_drawn() -> None:
    """Each counter of the game has its colours and the sign of its size."""
    assert {counter.nation for counter in UNITS.values()} == set(COLOURS)
    assert {counter.size for counter in UNITS.values()} == set(SIZES)


# --- summaries --------------------------------------------------------------------------------------------


def test_summary_tells_moves_fights_losses_and_how_it_stands() -> None:
    """The first lines of a letter: who acted, how the fighting went, what it cost, what else matters,
    and the points."""
    lines = summary(view(war(points=1), "allied"), TOLD)
    assert lines[0] == "Drawn: 2CC; 1 unit moved."
    assert lines[1] == (
        "1 assault, 2 op-fires (1 with effect), 2 bombardments. "
        "Germans eliminated: 1056/89 (1 of them cut off); 1 unit reduced; disrupted: 25/12SS."
    )
    assert lines[2] == "Argentan is in Allied hands."
    assert lines[-1].startswith("Allied points 1; if the game ended now: ")


def test_11_2_a_command_that_was_put_back_was_not_activated() -> None:
    """11.2, 3.1 Of two markers drawn the one that goes back is not told; the unknown forces are counted once,
    whoever reads."""
    told = (
        Drawn(case="4.0", command="2SS", how="initiative", cup=5),
        PutBack(case="11.2", command="2SS", why="58th"),
        Drawn(case="11.2", command="58Pz", how="58th", cup=6),
        notes.Withheld(case="3.1", number=2, names=("D/2SS", "DF/2SS"), readers=("german",)),
        notes.Withheld(case="3.1", number=2, readers=("allied",)),
    )
    lines = summary(view(war(), "umpire"), told)
    assert lines[:2] == ("Drawn: 58Pz.", "2 German units withheld as unknown forces.") and len(lines) == 3


def test_summary_of_nothing() -> None:
    """Where nothing has happened the letter says so, and how the game stands."""
    lines = summary(view(war(), "allied"), ())
    assert lines[0] == "Nothing has happened." and len(lines) == 2
    assert summary(view(war(phase=""), "allied"), ())[-1].startswith("The game is over: ")


# --- words ------------------------------------------------------------------------------------------------

KINDS = kinds(notes)
VALUES: dict[str, object] = {
    "side": "german", "command": "2CC", "outcome": "waiting", "result": "DR", "final": "DL1",
    "effect": "halt", "how": "drawn", "units": "half", "action": "either", "mode": "movement", "by": "air",
    "odds": "2-1", "moved": (("501SS", "1623", "2216"),), "better": "allied",
    "german": (("divisions", 4, "3.3"),), "strengths": (5, 2), "ters": (4, 2), "spent": "2 1/2", "of": "6",
}  # fmt: skip

WHY: dict[type[Note], dict[str, object]] = {
    OpFired: {"result": "halt"},
    Bombarded: {"result": "one"},
    PutBack: {"why": "initiative"},
}


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
def test_every_note_has_its_words(kind: type[Note]) -> None:
    """The log can put every kind of note into words, with its case and every modifier."""
    lines = log_lines(
        "falaise",
        [
            filled(
                kind, VALUES | WHY.get(kind, {}), ("4/2C", "5/2C"), "1525", Modifier(-1, "6.2", "night")
            ).facts()
        ],
        "allied",
    )
    told = " ".join(lines)
    assert lines and all(line.strip() for line in lines) and "None" not in told
    assert kind is Moved or "[9.99]" in told
    if "parts" in {each.name for each in fields(kind)}:
        assert "-1 night [6.2]" in told


def test_the_log_shows_what_decided_an_assault() -> None:
    """10.2 Strengths, odds, die, modifiers, ratings, and the result before and after its change
    stand in the log."""
    note = Assaulted(
        case="10.2", roll=14, side="allied", mech=True, hex="1525", origins=("1425",),
        attackers=("4/2C", "6/2AB"), defenders=("25/12SS",), strengths=(5, 2), odds="2-1",
        parts=(Modifier(-1, "10.2", "town"),), die=5, total=4, result="DR", ters=(5, 4), may="DL1",
        better="allied",
    )  # fmt: skip
    first, second, third = log_lines("falaise", [note.facts()], "allied")
    assert first == "R14    MECH ASSAULT on 1525 from 1425 [10.2]"
    assert second.strip() == "4/2C, 6/2AB (5) against 25/12SS (2): 2-1"
    assert third == (
        "         die 5, -1 town = 4: DR; TER 5 against 4: the defenders retreat; the Allies may make it DL1"
    )
    chosen = ResultChosen(case="10.2", side="allied", hex="1525", result="DR", final="DL1")
    assert log_lines("falaise", [chosen.facts()], "german")[0].strip() == (
        "the Allies make it DL1: the defenders lose a step [10.2]"
    )
    kept = ResultChosen(case="10.2", side="german", hex="1525", result="DR", final="DR")
    assert "the Germans leave it at DR" in log_lines("falaise", [kept.facts()], "german")[0]


def test_7_2_the_log_shows_ways_points_and_why_they_end() -> None:
    """7.2, 7.3 A move stands in the log with its hexes and points; what ends it early is told,
    also where the way has been told before."""
    way = {"case": "7.2", "side": "german", "names": ("978/271",), "spent": "3", "of": "6"}
    why = "978/271: 3 movement points left in 1630, 1730 costs 4"
    told = [
        Moved(path=("1530", "1630"), road=True, **way),  # type: ignore[arg-type]
        Moved(path=("1630",), why=why, **way),  # type: ignore[arg-type]
    ]
    assert [line.strip() for line in log_lines("falaise", [note.facts() for note in told], "german")] == [
        "978/271  1530 > 1630   3 of 6 MP by road",
        "978/271 at 1630; stopped: 3 movement points left in 1630, 1730 costs 4",
    ]


def test_3_1_names_of_unknown_forces_are_told_to_those_who_may_read_them() -> None:
    """3.1 A note without names tells the number; one with names, for German eyes, tells both."""
    number = notes.Withheld(case="3.1", number=5)
    names = notes.Withheld(case="3.1", number=1, names=("D/2SS",), readers=("german",))
    assert (
        log_lines("falaise", [number.facts()], "allied")[0].strip()
        == "5 German units withheld as unknown forces [3.1]"
    )
    assert "forces: D/2SS" in log_lines("falaise", [names.facts()], "german")[0]
    assert names.seen_by("german") and not names.seen_by("allied")


def test_commands_are_called_as_they_are_in_the_tables() -> None:
    """The log calls every command by the name that the tables give it."""
    for key, name in COMMAND_NAMES.items():
        told = log_lines("falaise", [Drawn(case="4.0", command=key, how="drawn", cup=3).facts()], "allied")
        assert told[0].strip().startswith(f"{name.upper()} ({key}) drawn; 3 left in the cup")


def test_the_log_knows_the_commands_by_their_names() -> None:
    """2.2 The names of the commands in the log are those of the tables."""
    assert (
        environment().get_template("falaise/log.txt.j2").module.corps  # type: ignore[attr-defined]
        == COMMAND_NAMES
    )


def test_3_1_the_map_of_the_set_up_shows_the_sectors() -> None:
    """3.1 Who sets up sees every sector in which a unit of his may stand."""
    state = GAME.start()
    focus = set(board(view(state, "german"), ()).focus)
    assert {"1015", "3440", "3210"} <= focus and set(SECTORS["12SS"]) <= focus
    assert set(board(view(state, "allied"), ()).focus) == {"1703", "3219"}
