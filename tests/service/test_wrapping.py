"""Lines of letters and of terminals are broken at words, and what may be copied stays whole."""

from __future__ import annotations

import pytest

from pbem.service.letters.wrapping import short_lines

WORDS = " ".join(["word"] * 40)
HASH = "5d" * 32


@pytest.mark.parametrize(
    ("line", "hang"),
    [
        (f"R95  {WORDS}", 5),
        (f"     16/1  {WORDS}", 11),
        (f"  allied       {WORDS}", 15),
        (f"  {WORDS}", 4),
        (f"R1023 {WORDS}", 6),
        (WORDS, 2),
        (f"{'x' * 50}  {WORDS}", 2),
    ],
)
def test_lines_hang_at_their_text(line: str, hang: int) -> None:
    """Behind a roll, a unit or a seat; without one, or far to the right, two columns in."""
    first, *others = short_lines(line, 60)
    assert len(others) > 2
    assert {len(each) - len(each.lstrip()) for each in others} == {hang}
    assert max(map(len, [first, *others])) <= 60
    assert " ".join([first, *map(str.strip, others)]) == line


@pytest.mark.parametrize("time", ["Fri 20 Nov 21:00", "3 d 5 h", "40 min", "12 h"])
def test_a_time_is_never_broken(time: str) -> None:
    """Wherever it stands, and a line has no blanks but plain ones."""
    for before in range(60, 80):
        lines = short_lines(f"{'x' * before} {time} {WORDS}")
        assert sum(time in line for line in lines) == 1 and not any("\xa0" in line for line in lines)


@pytest.mark.parametrize(
    "line",
    [f"  ok   {WORDS}", f"  NO   {WORDS}", f"Key   {WORDS}", f"state {HASH} {WORDS}", f"{WORDS} CODE a23f"],
)
def test_what_may_be_copied_stays_whole(line: str) -> None:
    assert short_lines(line, 40) == [line]


def test_a_sentence_about_a_code_is_no_command() -> None:
    assert len(short_lines(f"The word counts with the code that the reply gives. {WORDS}")) > 2


def test_a_word_that_is_too_long_stays_whole() -> None:
    """And in a window of a few columns nothing fails."""
    assert f"  {'x' * 90}" in short_lines(f"see {'x' * 90} there", 40)
    assert short_lines(f"{' ' * 15}{WORDS}", 20)[1].startswith(" " * 10 + "word")
