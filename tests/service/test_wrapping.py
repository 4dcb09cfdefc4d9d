"""Lines of letters and of terminals are broken at words, and what may be copied stays whole."""

from __future__ import annotations

import pytest

from pbem.service.letters.wrapping import TEXT_WIDTH, short_lines

WORDS = " ".join(["word"] * 40)
HASH = "5d" * 32


@pytest.mark.parametrize(
    ("line", "hang"),
    [
        (f"R95  {WORDS}", 5),
        (f"     16/1  {WORDS}", 11),
        (f"  allied       {WORDS}", 15),
        (f"  {WORDS}", 8),
        (WORDS, 2),
        (f"{'x' * 50}  {WORDS}", 2),
    ],
)
def test_lines_of_a_terminal_hang_at_their_text(line: str, hang: int) -> None:
    """Behind a roll, a unit or a seat; without one, or far to the right, as in a letter."""
    first, *others = short_lines(line, 60, at_text=True)
    assert len(others) > 2
    assert {len(each) - len(each.lstrip()) for each in others} == {hang}
    assert max(map(len, [first, *others])) <= 60
    assert " ".join([first, *map(str.strip, others)]) == line


def test_lines_of_a_letter_are_set_in_alike() -> None:
    """By two columns, or six more than an indented line."""
    assert short_lines(WORDS)[1].startswith("  word")
    assert short_lines(f"  {WORDS}")[1].startswith(" " * 8 + "word")
    assert max(map(len, short_lines(WORDS))) <= TEXT_WIDTH


@pytest.mark.parametrize(
    "line",
    [f"  ok   {WORDS}", f"  NO   {WORDS}", f"Key   {WORDS}", f"state {HASH} {WORDS}", f"{WORDS} CODE a23f"],
)
@pytest.mark.parametrize("at_text", [False, True])
def test_what_may_be_copied_stays_whole(line: str, at_text: bool) -> None:
    assert short_lines(line, 40, at_text=at_text) == [line]


def test_a_sentence_about_a_code_is_no_command() -> None:
    assert len(short_lines(f"The word counts with the code that the reply gives. {WORDS}")) > 2


def test_a_word_that_is_too_long_stays_whole() -> None:
    """And in a window of a few columns nothing fails."""
    assert f"  {'x' * 90}" in short_lines(f"see {'x' * 90} there", 40)
    assert short_lines(f"{' ' * 15}{WORDS}", 20, at_text=True)[1].startswith(" " * 10 + "word")
