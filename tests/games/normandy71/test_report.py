"""What letters show: signs and colours of every counter, arrows and marks, summaries, and the log in
words."""

from __future__ import annotations

from dataclasses import fields

import pytest

from pbem.engine.notes import Note
from pbem.engine.tally import Modifier
from pbem.games.normandy71 import notes
from pbem.games.normandy71.notes import Allotted, Attacked, Entered, Lost, Moved, Retreated
from pbem.games.normandy71.report import NATIONS, SYMBOLS, board, summary
from pbem.games.normandy71.tables import OOB, UNITS
from pbem.games.normandy71.view import view
from pbem.service.letters.log import log_lines
from tests.games.normandy71.kit import game
from tests.games.playing import filled, kinds

COMBAT = Attacked(
    case="COM", roll=7, attacker="allied", hexes=("1219",), origins=("1218",), attackers=("8/4", "70"),
    defenders=("919/709",), attack_strength=38, defence_strength=3.5,
    attack_parts=(Modifier(13, "COM", "strength"), Modifier(25, "NAV", "medium gunfire")),
    defence_parts=(Modifier(3.5, "SUP.H", "halved"),), column="10-1", die=4,
    modifiers=(Modifier(-1, "COM.M", "river"),), total=3, result="Dr2",
)  # fmt: skip
TOLD: tuple[Note, ...] = (
    COMBAT,
    Moved(case="MOV", side="allied", names=("8/4",), path=("1218", "1118"), points=2, of=4),
    Entered(case="OOB.R", side="german", names=("130Pz/Lehr",), path=("1010", "1011")),
    Retreated(case="COM", side="german", name="919/709", path=("1219", "1319", "1320")),
    Lost(case="COM", side="german", name="729/709", hex="1219", why="combat"),
)
KINDS = kinds(notes)
VALUES: dict[str, object] = {
    "side": "german", "attacker": "allied", "how": "invasion", "result": "Ex", "column": "2-1",
    "beach": "3 Utah", "why": "removed",
    "places": (("3 Utah", ("8/4", "70")),), "order_of_battle": "C", "direction": "north",
}  # fmt: skip


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
def test_every_note_has_its_words(kind: type[Note]) -> None:
    """The log can put every kind of note into words, with its case and every modifier; what the reply has
    said of an attack it does not repeat."""
    lines = log_lines(
        "normandy71",
        [
            filled(
                kind,
                VALUES,
                ("8/4", "70"),
                "1219",
                Modifier(4, "COM.N", "town"),
                Modifier(-1, "COM.M", "river"),
            ).facts()
        ],
        "allied",
    )
    told = " ".join(lines)
    assert bool(lines) is (kind is not Allotted) and "None" not in told
    assert kind in (Moved, Allotted) or "[9.99]" in told
    if any(each.type == "tuple[Modifier, ...]" for each in fields(kind)):
        assert "-1 river [COM.M]" in told


def test_com_the_log_shows_what_decided_a_combat() -> None:
    """COM, NAV Strengths with their parts, odds, die, modifiers and result stand in the log, each with its
    case."""
    assert log_lines("normandy71", [COMBAT.facts()], "allied") == (
        "R7   Combat at 1219   [COM]",
        "     8/4, 70 (38: +13 strength [COM], +25 medium gunfire [NAV])",
        "       against 919/709 (3.5)",
        "       38 : 3.5 = 10-1   die 4, -1 river [COM.M] = 3",
        "       Dr2: the defenders retreat two hexes",
    )


def test_every_counter_can_be_drawn() -> None:
    """Each type of unit has its sign, and each Allied nation its colours."""
    assert {kind.type for kind in UNITS.kind} <= set(SYMBOLS)
    assert {line.nation for line in OOB.allied} == set(NATIONS)


def test_moves_battles_and_losses_are_drawn() -> None:
    """The map has an arrow for each way that was gone, a number for each battle and a mark for what was
    lost."""
    state = game("8/4 allied 7-4 1118, x german 4-1 1320", phase="allied_combat", supply=["3 Utah"])
    drawn = board(view(state, "allied"), TOLD)
    assert [(arrow.kind, arrow.colours, arrow.path[-1]) for arrow in drawn.arrows] == [
        ("move", "allied", "1118"),
        ("arrival", "german", "1011"),
        ("retreat", "german", "1320"),
    ]
    assert [(battle.hex, battle.label, battle.attackers) for battle in drawn.battles] == [
        ("1219", "R7", ("1218",))
    ]
    marks = {(mark.kind, mark.hex): mark for mark in drawn.marks}
    assert marks["lost", "1219"].text == "1" and marks["supply", "5031"].text == "3"


def test_inv_1a_supply_areas_are_drawn_for_the_allies_alone() -> None:
    """INV.1A The German map has no supply area."""
    state = game("8/4 allied 7-4 1118, x german 4-1 1320", phase="allied_combat", supply=["3 Utah"])
    assert not [mark for mark in board(view(state, "german"), TOLD).marks if mark.kind == "supply"]


def test_summary_tells_battles_losses_and_moves() -> None:
    """The first lines of a letter: where it was fought, what it cost, who moved and came; or that nothing
    happened."""
    state = game("8/4 allied 7-4 1118, x german 4-1 1320", phase="allied_combat")
    assert summary(view(state, "allied"), TOLD)[0] == "1 battle at 1219. German losses: 729/709."
    assert "1 unit" in summary(view(state, "allied"), TOLD)[1]
    assert summary(view(state, "allied"), ()) == ("Nothing has happened.",)


@pytest.mark.parametrize(("names", "told"), [(("508/82",), "leaves"), (("507/82", "508/82"), "leave")])
def test_one_unit_leaves_and_several_leave(names: tuple[str, ...], told: str) -> None:
    exited = notes.Exited(case="VIC.X", side="allied", names=names, hex="6329", edge="west")
    [line] = log_lines("normandy71", [exited.facts()], "allied")
    assert f"{names[-1]} {told} the map by the west edge at 6329" in line
