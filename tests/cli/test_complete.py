"""Shell completion, through the interface that shells use."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from click.shell_completion import ShellComplete

from pbem.cli import main
from pbem.engine.installed import games
from pbem.service.tools.glance import game_ids, seats
from tests.cli.test_commands import ok


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with two game files, one of them with two games, and another file."""
    monkeypatch.chdir(tmp_path)
    ok("new", "clash", "-o", "toy.pbem", "--id", "toy")
    ok("new", "clash", "-o", "toy.pbem", "--id", "second")
    ok("new", "lots", "-o", "lots.pbem")
    (tmp_path / "orders.txt").touch()
    (tmp_path / "old").mkdir()
    ok("new", "clash", "-o", "old/first.pbem")
    return tmp_path


def offers(line: str) -> list[str]:
    """What is offered for the last word of a line; a shell's own completion of files as <file> and <dir>."""
    *words, last = line.split(" ")
    found = ShellComplete(main, {}, "pbem", "_PBEM_COMPLETE").get_completions(words[1:], last)
    return [item.value if item.type == "plain" else f"<{item.type}>" for item in found]


@pytest.mark.parametrize(
    ("line", "offered"),
    [
        ("pbem adj", ["adjudicate"]),
        ("pbem mail res", ["resend"]),
        ("pbem new cla", ["clash"]),
        ("pbem cases cla", ["clash"]),
        ("pbem data export cla", ["clash"]),
        ("pbem demo --game cla", ["clash"]),
        ("pbem new clash --scenario ", ["meeting"]),
        ("pbem new clash --scenario x", []),
        ("pbem new --scenario ", []),
        ("pbem new chess --scenario ", []),
        ("pbem new clash --option weather=", ["weather=dry", "weather=wet"]),
        ("pbem new clash --player b", ["blue=", "blue=bot:planner", "blue=bot:greedy", "blue=bot:random"]),
        (
            "pbem autoplay clash --bot ",
            [
                *("random", "red=random", "blue=random", "greedy", "red=greedy", "blue=greedy"),
                *("planner", "red=planner", "blue=planner"),
            ],
        ),
        ("pbem status ", ["<dir>", "lots.pbem", "toy.pbem"]),
        ("pbem status to", ["<dir>", "toy.pbem"]),
        ("pbem status old/", ["<dir>", "old/first.pbem"]),
        ("pbem status none/", ["<dir>"]),
        ("pbem status --store to", ["<dir>", "toy.pbem"]),
        ("pbem new clash -o to", ["<dir>", "toy.pbem"]),
        ("pbem status toy.pbem --seat ", ["blue", "red", "umpire"]),
        ("pbem status --store toy.pbem --seat ", ["blue", "red", "umpire"]),
        ("pbem status toy.pbem --game ", ["second", "toy"]),
        ("pbem status none.pbem --game ", []),
        ("pbem submit toy.pbem orders.txt --seat r", ["red"]),
        ("pbem orders check toy.pbem orders.txt --seat ", ["blue", "red"]),
        ("pbem orders check clash orders.txt --seat ", ["red", "blue"]),
        ("pbem orders check to", ["<dir>", "toy.pbem"]),
        ("pbem orders check cla", ["<dir>", "clash"]),
        ("pbem orders check toy.pbem o", ["<file>"]),
        ("pbem mail receive toy.pbem le", ["<file>"]),
        ("pbem bot toy.pbem ", ["blue", "red"]),
        ("pbem bot toy.pbem red g", ["greedy"]),
        ("pbem bot toy.pbem red greedy ", []),
        ("pbem dice verify to", ["<dir>", "toy.pbem"]),
    ],
)
def test_what_is_offered(folder: Path, line: str, offered: list[str]) -> None:
    """Commands, games, scenarios, options, seats, bots and game files are offered where they belong."""
    assert offers(line) == offered


def test_games_are_offered() -> None:
    """Every installed game is offered, without loading any."""
    assert offers("pbem new ") == list(games())


def test_the_store_of_the_environment_counts(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without a file the seats are those of the game that the command would open."""
    assert offers("pbem log --seat ") == []
    monkeypatch.setenv("PBEM_STORE", "toy.pbem")
    assert offers("pbem log --seat ") == ["blue", "red", "umpire"]
    assert offers("pbem bot r") == ["<dir>", "red"]
    monkeypatch.setenv("PBEM_STORE", "postgresql://nobody@127.0.0.1:1/none")
    assert offers("pbem log --seat ") == ["umpire"]


def test_a_game_file_is_only_glanced_at(folder: Path) -> None:
    """Seats and games are read from the file; nothing is made or changed, and one game's seats can be told
    apart."""
    before = Path("toy.pbem").read_bytes()
    assert (game_ids("toy.pbem"), seats("toy.pbem"), seats("toy.pbem", "none")) == (
        ["second", "toy"],
        ["blue", "red"],
        [],
    )
    assert Path("toy.pbem").read_bytes() == before


def test_a_shell_is_answered(folder: Path) -> None:
    """A shell that asks for the words that fit gets them, from a process that loads no database library."""
    code = (
        "import sys, atexit; from pbem.cli import main; "
        "atexit.register(lambda: print(*sys.modules)); main(prog_name='pbem')"
    )
    asked = {
        "_PBEM_COMPLETE": "bash_complete",
        "COMP_WORDS": "pbem status toy.pbem --seat r",
        "COMP_CWORD": "4",
    }
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, env=os.environ | asked
    )
    first, loaded = done.stdout.splitlines()
    assert first == "plain,red"
    assert not {"sqlalchemy", "pydantic", "jinja2", "PIL"} & set(loaded.split())
