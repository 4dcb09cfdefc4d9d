"""What notes draw, the board put together from them, and sentences that games share."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from pbem.engine.board import Arrow, Battle, Border, Counter, Mark
from pbem.engine.game import View
from pbem.engine.notes import Note
from pbem.engine.wording import sentence
from pbem.games.rampage.tables import MAP
from pbem.wargame import report
from pbem.wargame.notes import Entered, MapNote, Perished, Retreated, StepsLost, TookControl, Travelled

NAMES = {"blue": "Blue", "red": "Red"}


class Fought(MapNote):
    hex: str
    origins: tuple[str, ...]

    def battles(self) -> Iterator[Battle]:
        yield Battle(self.hex, f"R{self.roll}", self.origins)


class Eliminated(Perished):
    fate = "eliminated"


def went(kind: type[Travelled], *path: str, side: str = "red", readers: tuple[str, ...] = ()) -> Travelled:
    return kind(case="1", readers=readers, side=side, names=("R1",), path=path)


def seen(seat: str = "red", phase: str = "move") -> View:
    return View(game="toy", seat=seat, turn=1, phase=phase, title="Turn 1")


NOTES: tuple[Note, ...] = (
    went(Travelled, "1506", "1507"),
    went(Travelled, "1506", "1507"),
    went(Travelled, "1506"),
    went(Retreated, "1507", "1506", side="blue"),
    went(Entered, "1501", "1502"),
    went(Travelled, "1601", "1602", side="blue", readers=("blue",)),
    Fought(case="1", roll=3, hex="1507", origins=("1506",)),
    Eliminated(case="1", side="blue", name="B1", hex="1507"),
    Perished(case="1", side="blue", name="B2", hex="1507"),
    Perished(case="1", side="blue", name="B3", hex=""),
    StepsLost(case="1", side="red", hex="1506", lost=(("R1", 1), ("R2", 2)), why="combat"),
    TookControl(case="1", side="red", hex="1507"),
    TookControl(case="1", side="blue", hex="1508"),
)


def test_the_board_shows_what_the_notes_draw() -> None:
    """Each way once, and only of notes that the reader may read; battles; losses off the map leave no
    mark."""
    board = report.compose(
        seen(),
        MAP,
        "Toy",
        [Counter("1507", "red"), Counter("1507", "red")],
        NOTES,
        standing="level",
        names=NAMES,
        signs={"supply": "a port"},
        also=("blue",),
        arrows=[Arrow(("1501", "1506"), "supply", "supply")],
        battles=[Battle("1502", "HQ")],
        marks=[Mark("1501", "supply")],
        borders=[Border(("1501", "1502"))],
    )
    assert [(arrow.kind, arrow.colours, arrow.path) for arrow in board.arrows] == [
        ("supply", "supply", ("1501", "1506")),
        ("move", "red", ("1506", "1507")),
        ("retreat", "blue", ("1507", "1506")),
        ("arrival", "red", ("1501", "1502")),
    ]
    assert [(battle.hex, battle.label) for battle in board.battles] == [("1502", "HQ"), ("1507", "R3")]
    assert [(mark.kind, mark.hex, mark.text) for mark in board.marks] == [
        ("supply", "1501", ""),
        ("lost", "1507", "2"),
    ]
    assert (board.title, board.subtitle, board.focus) == ("Toy · Turn 1", "level", ("1507",))
    assert board.legend == NAMES and len(board.borders) == 1 and board.signs == {"supply": "a port"}


def test_the_umpire_sees_everything() -> None:
    """The umpire's board has the notes of every side, and says so."""
    board = report.compose(seen("umpire"), MAP, "Toy", (), NOTES, standing="level", names=NAMES, signs={})
    assert board.subtitle == "full view" and len(board.arrows) == 4
    assert report.readable(seen("umpire"), NOTES) == NOTES and len(report.readable(seen(), NOTES)) == 12


def test_sentences_on_ground_fighting_and_losses() -> None:
    """Places that are still held, attacks with what they took, losses by what became of the units."""
    words = report.Words(NAMES, lambda hex: f"at {hex}")
    assert words.ground({"1507": "red", "1508": "red"}, NOTES) == "Red now: at 1507, at 1508."
    assert words.ground({"1507": "red", "1508": "blue"}, NOTES) == "Blue now: at 1508. Red now: at 1507."
    fights = [("red", ("1507",)), ("red", ("1507", "1508")), ("blue", ("1506",))]
    assert [*words.attacks(fights, {"1507"})] == ["1 Blue attack", "2 Red attacks, taken at 1507"]
    assert words.losses(NOTES) == "Blue losses: B1 eliminated; B2, B3 lost. Red losses: 3 steps."
    assert words.ground({}, ()) == words.losses(()) == "" and not [*words.attacks((), ())]


def test_sentences_of_a_story() -> None:
    """The battles with most losses on their own hexes come first, without any loss none does; steps and units
    are counted for each side."""
    more = (
        Fought(case="1", roll=4, hex="1601", origins=("1602",)),
        StepsLost(case="1", side="blue", hex="1601", lost=(("B4", 1),), why="combat"),
        Perished(case="1", side="blue", name="B5", hex="1507"),
        Fought(case="1", roll=5, hex="1701", origins=()),
    )
    place = "hex {}".format
    assert report.hardest((*NOTES, *more), place) == "Hardest fought: R3 at hex 1507, R4 at hex 1601."
    assert report.hardest(more[3:], place) == ""
    words = report.Words(NAMES, place)
    assert words.tally((*NOTES, *more)) == "Lost: Blue 1 step, 4 units; Red 3 steps."
    assert words.tally(()) == "" and report.told("", "One.", "") == ("One.",)


@pytest.mark.parametrize(
    ("parts", "text"), [((), ""), (("", ""), ""), (("snow", "", "Red acts"), "Snow; Red acts.")]
)
def test_sentence(parts: tuple[str, ...], text: str) -> None:
    """What is said is joined and begins with a capital; nothing gives no sentence."""
    assert sentence(*parts) == text


def test_lines_of_a_summary() -> None:
    """Lines that say nothing are left out; the level is that of now, or of the end."""
    assert report.summary(["", "Snow."], "End.") == ("Snow.", "End.")
    assert report.summary([""]) == ("Nothing has happened.",)
    assert [*report.listed("Landed", ["1ID", "29ID", "1ID"])] == ["Landed: 1ID, 29ID."]
    assert not [*report.listed("Landed", [])]
    assert report.level(seen(), "Red win") == "if the game ended now: Red win"
    assert report.level(seen(phase=""), "Red win") == "the game is over: Red win"
