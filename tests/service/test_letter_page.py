"""The page of a letter: what a part looks like in a browser, and what stays together on a line of a phone."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from postbox import toy_to_the_end

from pbem.mail.text import plain
from pbem.paths import templates
from pbem.service.letters.layout import Writing, as_html
from pbem.service.letters.log import Head, Part
from pbem.service.proof.lines import letter_text


def page(*lines: str, kind: str = "") -> str:
    """The page of a letter with one part of these lines."""
    return as_html(Writing("turn", "Subject", parts=(Part("Title", lines, table=True, kind=kind),)), (), "")


def test_a_list_of_labels_is_one_table() -> None:
    """More texts of one label are rows of its table, with an empty cell in front, and labels are marked."""
    told = page("game       Rampage", "options    one: yes", "           two: no", "dice       fixed")
    tables = re.findall(r"<table[^>]*>.*?</table>", told, re.DOTALL)
    assert len(tables) == 1 and tables[0].startswith('<table class="labels">')
    assert re.findall(r"<td>(.*?)</td>", tables[0])[2:6] == ["options", "one: yes", "", "two: no"]


def test_long_first_columns_are_no_labels() -> None:
    told = page("retreat of 4/1 from 5131  5132", "retreat of 8/1 from 2526  2426")
    assert "<table>" in told and 'class="labels"' not in told


def test_what_stands_in_front_of_a_line_is_bold() -> None:
    """Alone or in a table: a verdict, a hex, the letter of an option; not a sum, not a unit that moved."""
    assert "<b>NO</b>&ensp;L49\u2002place 2A" in page("  NO   L49  place 2A")
    assert '<table class="labels"' in page(
        "  a  fight on (default)  83% to win", "  b  break off  back to 1505"
    )
    assert '<table class="labels"' in page("1015  1053/85 2-2", "1116  1054/85 2-2")
    assert "<b>" not in page("  9 : 7 = 1-1  die 2") and 'class="labels"' not in page(
        "8/3  1 MP", "9/3  2 MP"
    )


def test_words_in_narrow_columns_are_not_crushed() -> None:
    """On a wide screen a column is as wide as its longest word; only the last one, which may hold a digest,
    breaks anywhere."""
    wide = page("line").partition("@media(min-width:600px)")[2]
    assert "overflow-wrap:break-word}td:last-child{overflow-wrap:anywhere}" in wide


def test_a_head_among_lines_is_a_heading() -> None:
    """As the questions and the sections of a letter are."""
    told = page(Head("Q1. Retreat [COM]"), "     a  5131  ends in clear", "     b  5132  ends in bocage")
    assert "<h3>Q1. Retreat [COM]</h3>" in told and told.index("<h3>") < told.index("<table")


def test_lines_are_set_in_by_half() -> None:
    """A phone has some 40 characters a line: eight and more columns of a text are four there."""
    assert "margin-left:2.5ch" in page("     once") and "margin-left:4.0ch" in page(f"{' ' * 21}deep")


def test_what_a_caret_points_at_is_marked() -> None:
    """A phone breaks a long line, and a caret below it would stand under another word; what is missing at the
    end is a caret there."""
    told = page(
        " NO   L5:  attack 4817", "           ^^^^^^", "      no such unit", " NO   L6:  at ", f"{' ' * 14}^"
    )
    assert "NO   L5:  <u>attack</u> 4817</pre>" in told and "NO   L6:  at <u>^</u></pre>" in told
    assert told.count("^") == 1 and ">no such unit</pre>" in told


@pytest.mark.parametrize("kind", ["", "log"])
@pytest.mark.parametrize("words", ["17%", "0.5 of 4 MP", "1-1", "7-4", "4-4-8", "MAP 5327", "MAP T3 5327"])
def test_numbers_are_not_broken(words: str, kind: str) -> None:
    """No line ends within a percentage, a counter or odds, and what is copied is read as it was written."""
    shown = re.search(r"before (.*?) after", page(f"before {words} after", kind=kind))
    assert shown is not None and plain(shown[1]) == words
    assert shown[1].split(" ")[-1] == words.split("of ")[-1].replace(" ", "\xa0").replace(
        "-", "\N{NON-BREAKING HYPHEN}"
    )


def test_a_folded_heading_of_two_lines_keeps_together() -> None:
    """It is 44 pixels high for a finger, without lines that are 44 pixels apart."""
    rule = re.search(r"summary\{([^}]*)\}", page("line"))
    assert rule is not None
    height = re.search(r"line-height:(\d+)px", rule[1])
    beside = re.search(r"padding:(\d+)px", rule[1])
    assert height and beside and int(height[1]) <= 30 and int(height[1]) + 2 * int(beside[1]) >= 44


@pytest.mark.parametrize("game", sorted(path.parent.name for path in templates().glob("*/forces.txt.j2")))
def test_every_game_calls_its_reminders_so(game: str) -> None:
    heads = re.findall(r"^## (.*)$", (templates() / game / "forces.txt.j2").read_text(), re.MULTILINE)
    assert "Reminders" in heads and "To remember" not in heads


def test_after_the_end_no_letter_says_who_it_is_waiting_for(tmp_path: Path) -> None:
    """Neither the last letter of play nor a reply to one more command."""
    box = toy_to_the_end(tmp_path / "toy.pbem")
    box.mail("red", "MAP\n")
    over = [row for row in box.outbox() if "The game is over" in row.subject]
    assert len(over) > 1
    for row in over:
        assert "Waiting for" not in letter_text(row.raw)
