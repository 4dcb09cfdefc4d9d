"""In a terminal output is laid out for it; through a pipe it stays as it is."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from sizes import some

from tests.cli.terminal_kit import COLOUR, in_terminal
from tests.cli.test_commands import ok, refused


@pytest.fixture(scope="module")
def fought(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A game of Rampage that bots have played to its end."""
    file = tmp_path_factory.mktemp("fought") / "rampage.pbem"
    ok("new", "rampage", "-o", file, "--seed", "7", "--player", "allied=bot:greedy")
    return file


@pytest.mark.parametrize("columns", some([50, 80], 1))
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


@pytest.mark.parametrize("off", some([{"NO_COLOR": "1"}, {"CLICOLOR": "0"}, {"TERM": "dumb"}], 1))
def test_colours_can_be_switched_off(fought: Path, off: dict[str, str]) -> None:
    """Headings are bold in a terminal, unless it has no colours or its user wants none."""
    assert in_terminal("log", fought, "--turn", "1", PAGER="cat").startswith("\x1b[1mTurn 1")
    assert "\x1b" not in in_terminal("log", fought, "--turn", "1", PAGER="cat", **off)
    assert in_terminal("status", fought).startswith("\x1b[1mrampage")
    assert "\x1b" not in in_terminal("status", fought, **off)
    assert "\x1b" not in ok("log", fought)


@pytest.mark.dear
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


def test_errors_are_laid_out_too(tmp_path: Path) -> None:
    """Broken at words, the first word in red; those of click as well."""
    shown = in_terminal("help", "playing", "xyzzy", code=1)
    assert shown.startswith("\x1b[31m\x1b[1mError:\x1b[0m no chapter")
    assert max(map(len, COLOUR.sub("", shown).splitlines())) <= 80
    shown = in_terminal("log", "--turn", "x", code=2)
    assert shown.startswith("Usage: pbem log") and "\x1b[31m\x1b[1mError:" in shown
    assert "\x1b" not in in_terminal("log", "--turn", "x", code=2, NO_COLOR="1")
    assert refused("help", "playing", "xyzzy").count("\n") == 1


def test_pages_of_the_replay_are_as_wide_as_the_terminal(fought: Path) -> None:
    """Where there is no screen to step through it; maps too, if no other width is asked for."""
    shown = in_terminal("replay", fought, "--map", "--turn", "1", columns=70, TERM="dumb", PAGER="cat")
    first = shown.partition("== 2")[0]
    assert "(LGPL-3.0-or-later)" in first
    assert max(map(len, first.splitlines())) <= 70


@pytest.mark.parametrize(
    "words", [("map", "--columns", "51"), ("replay", "--columns", "0"), ("map", "--width", "-5")]
)
def test_a_width_that_no_map_can_have_is_a_usage_error(fought: Path, words: tuple[str, ...]) -> None:
    command, *options = words
    assert "is not in the range" in refused(command, fought, *options, code=2)
    ok(command, fought, "--columns", "52")


@pytest.mark.dear
def test_streams_may_be_closed(fought: Path) -> None:
    """With no standard output, error or input a command does its work all the same."""
    for into in (">&-", "2>&-", "<&-"):
        command = f"{sys.executable} -m pbem status {fought} {into}"
        ended = subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=False)
        assert ended.returncode == 0 and ended.stderr == "", into


# --- help ---------------------------------------------------------------------------------------------------


def test_a_guide_is_text_in_a_terminal() -> None:
    """Without the signs of Markdown, tables in columns; a line that may be copied stays whole. Through a pipe
    it is the Markdown of the file."""
    piped = ok("help", "playing")
    assert piped.startswith("# Playing by email\n") and "| DONE |" in " ".join(piped.split())
    shown = in_terminal("help", "playing", PAGER="cat")
    plain = COLOUR.sub("", shown)
    assert plain.startswith("Playing by email\n") and "\x1b[1mYour letter" in shown
    assert not [sign for sign in ("## ", "```", "**", "| DONE", "](") if sign in plain]
    whole = "so the Rangers stay where they are. And the pilots of the 82nd will hear from me."
    assert f"    {whole}\n" in plain
    assert all(len(line) <= 80 for line in plain.splitlines() if not line.startswith("    "))


def test_headings_of_a_guide_without_colours() -> None:
    """They have a line of dashes below."""
    shown = in_terminal("help", "playing", "your", "letter", PAGER="cat", NO_COLOR="1")
    assert "\x1b" not in shown
    assert shown.strip().startswith("Your letter\n-----------\n")


def test_tables_and_orders_fit_the_terminal() -> None:
    for words in some([["rampage", "charts"], ["rampage", "rulings"], ["rampage", "battle"], []], 2):
        shown = COLOUR.sub("", in_terminal("help", *words, PAGER="cat", columns=80))
        assert max(map(len, shown.splitlines())) <= 80, words


def test_words_of_a_heading_find_a_chapter() -> None:
    """All of them, in any order; what finds nothing names the nearest heading."""
    assert ok("help", "playing", "standing", "questions").startswith("## Questions and standing orders\n")
    assert 'Did you mean "Deadlines"?' in refused("help", "playing", "deadlnes")
    assert 'Did you mean "Deadlines"?' in refused("help", "playing", "deadlines", "xyzzy")
    assert "Did you mean" not in refused("help", "playing", "xyzzy")
    assert "Did you mean playing?" in refused("help", "playin")


def test_rich_is_loaded_for_guides_alone() -> None:
    """Other commands start as fast as without it."""
    show = "import sys; from pbem.cli import main; main(['games'], standalone_mode=False); "
    told = subprocess.run(
        [sys.executable, "-c", f"{show} print('rich' in sys.modules)"],
        capture_output=True,
        text=True,
        check=True,
    )
    assert told.stdout.splitlines()[-1] == "False"
