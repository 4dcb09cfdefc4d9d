"""The log in letters: what is quiet takes a line, and what has nothing to tell none."""

from __future__ import annotations

from pathlib import Path

from protocol_kit import toy_box

from pbem.service.letters.log import Head, _entry, as_told, going, log_in_short
from pbem.service.letters.reports import line_news
from pbem.service.play.news import LineNews
from pbem.service.record.rows import PhaseRow
from pbem.service.tools import queries


def test_a_turn_with_nothing_to_tell_has_no_part(tmp_path: Path) -> None:
    """A phase that is over and told its reader nothing leaves no trace, nor does a turn of such phases."""
    box = toy_box(tmp_path)
    box.mail("red", "move R1 to 0201\ndone\n")
    box.mail("blue", "move B1 to 0401\ndone\n")
    with queries.table_of(box.store, "toy") as (table, _):
        first = table.record.phases()[0]
        values = {name: getattr(first, name) for name in type(first).model_fields}
        silent = PhaseRow(**values | {"notes": [], "turn": 7})
        assert first.ended and log_in_short(table, "red", [silent], None) == ()
        parts = log_in_short(table, "red", [first, silent], None)
    assert [part.title for part in parts] == ["Turn 1"]
    assert not any("No more than that" in line for part in parts for line in part.lines)


def test_lines_that_went_a_part_of_their_way_share_a_line() -> None:
    """Lines played whole stand together, then those that went only so far, each with where it ended."""
    whole, *part = (
        LineNews(title, "march", f"{unit} to 0301", reached=reached)
        for title, unit, reached in (("L1", "R1", ""), ("L2", "R2", "0201"), ("L3", "R3", "0202"))
    )
    assert list(line_news([part[0], whole, part[1]])) == [
        "[march]",
        " carried out  L1 R1 to 0301",
        " carried out  L2 R2 to 0301 (as far as 0201); L3 R3 to 0301 (as far as 0202)",
    ]


def test_a_way_that_ends_where_it_began_is_no_arrow() -> None:
    """A unit that stays where it came in is at a hex; one that returned went there and back."""
    paths = (["5434"], ["5434", "5435", "5434"], ["5434", "5435"])
    assert going({"names": ["4-1"], "path": path} for path in paths) == [
        "4-1 at 5434",
        "4-1 5434 and back",
        "4-1 5434 > 5435",
    ]


def test_a_hex_is_taken_after_the_move_that_took_it() -> None:
    """The rules note a hex that a unit comes through before its way; the log tells the way first."""
    left = {"kind": "Retreated", "path": ["1410", "1311"]}
    taken, more = ({"kind": "TookControl", "hex": hex} for hex in ("1410", "1411"))
    other, took = ({"kind": "Moved", "path": path} for path in (["1409", "1310"], ["1409", "1410", "1411"]))
    assert as_told([left, taken, more, other, took]) == [left, other, took, taken, more]
    won = {"kind": "Advanced", "hex": "1410"}
    assert as_told([won, taken, took]) == [won, taken, took]  # told in order already
    assert as_told([taken, other]) == [taken, other]


def test_the_log_of_a_running_phase_begins_where_the_last_letter_ended(tmp_path: Path) -> None:
    """What a letter has told of the phase is counted; all else is there, and no more."""
    box = toy_box(tmp_path)
    box.mail("red", "move R1 to 0201\ndone\n")
    box.mail("blue", "move B1 to 0401\ndone\n")
    with queries.table_of(box.store, "toy") as (table, _):
        first = table.record.phases()[0]
        values = {name: getattr(first, name) for name in type(first).model_fields}
        row = PhaseRow(**values | {"notes": [*first.notes] * 4})
        number, notes = row.number, len(row.notes)
        (whole,) = log_in_short(table, "red", [row], None)
        (part,) = log_in_short(table, "red", [row], None, (number, notes - len(first.notes)))
        assert log_in_short(table, "red", [row], None, (number, notes)) == ()
        assert log_in_short(table, "red", [row], None, (number - 1, notes)) == (whole,)
    head, told, *new = part.lines
    assert head == whole.lines[0] and new == [*whole.lines[-len(new) :]]
    assert told == f"     {len(whole.lines) - 1 - len(new)} lines of this phase were in earlier letters."
    assert new[-1] == "LOG 1 tells it step by step."


def test_a_log_that_begins_in_a_combat_names_it() -> None:
    """Lines within an entry that an earlier letter has begun stand below its first line."""
    head, fight = Head("Combat"), "R3   COMBAT at 0519"
    odds, lost = "       3:1", "       steps lost: 82AB 1"
    below = "     2 units moved"
    known = (head, "R1   COMBAT at 0418", odds, fight, odds)
    for last in ((), (below,)):  # what is gathered stands below all else
        assert [*_entry((*known, *last), (*known, lost, *last))] == [f"{fight} (continued)"]
        assert [*_entry((*known, *last), (*known, "     82AB lands", lost, *last))] == []
    assert [*_entry((head,), known)] == [*_entry(known, known)] == []
