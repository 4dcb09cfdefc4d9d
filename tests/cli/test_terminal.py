"""In a terminal output is laid out for it; through a pipe it stays as it is."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.terminal_kit import COLOUR, in_terminal
from tests.cli.test_commands import ok


@pytest.fixture(scope="module")
def fought(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A game of Rampage that bots have played to its end."""
    file = tmp_path_factory.mktemp("fought") / "rampage.pbem"
    ok("new", "rampage", "-o", file, "--seed", "7", "--player", "allied=bot:greedy")
    return file


@pytest.mark.parametrize("columns", [50, 80])
def test_lines_are_as_wide_as_the_terminal(fought: Path, columns: int) -> None:
    """They are broken at words, and hang at their text; through a pipe they are whole."""
    piped = ok("log", fought)
    assert max(map(len, piped.splitlines())) > 100
    shown = COLOUR.sub("", in_terminal("log", fought, columns=columns, PAGER="cat"))
    assert max(map(len, shown.splitlines())) <= columns
    assert shown.split() == piped.split()


def test_a_status_hangs_behind_the_seats(fought: Path) -> None:
    shown = COLOUR.sub("", in_terminal("status", fought, columns=40))
    assert max(map(len, shown.splitlines())) <= 40
    assert shown.split() == ok("status", fought).split()


@pytest.mark.parametrize("off", [{"NO_COLOR": "1"}, {"CLICOLOR": "0"}, {"TERM": "dumb"}])
def test_colours_can_be_switched_off(fought: Path, off: dict[str, str]) -> None:
    """Headings are bold in a terminal, unless it has no colours or its user wants none."""
    assert in_terminal("log", fought, "--turn", "1", PAGER="cat").startswith("\x1b[1mTurn 1")
    assert "\x1b" not in in_terminal("log", fought, "--turn", "1", PAGER="cat", **off)
    assert in_terminal("status", fought).startswith("\x1b[1mrampage")
    assert "\x1b" not in in_terminal("status", fought, **off)
    assert "\x1b" not in ok("log", fought)


def test_what_is_longer_than_the_terminal_goes_to_a_pager(fought: Path) -> None:
    """To the program in PAGER, unless it is cat, or --no-pager is given, or it is not much."""
    pager = "sed -e s/^/PAGED:/"
    assert in_terminal("log", fought, PAGER=pager).startswith("PAGED:")
    for words, variables in (
        (["log", fought, "--no-pager"], {"PAGER": pager}),
        (["log", fought], {"PAGER": "cat"}),
        (["log", fought], {"PAGER": pager, "TERM": "dumb"}),
        (["status", fought], {"PAGER": pager}),
    ):
        assert "PAGED:" not in in_terminal(*words, **variables)
