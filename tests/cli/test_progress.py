"""Long work shows how far it is, to people in a terminal alone."""

from __future__ import annotations

import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest
from sizes import some

PBEM = [sys.executable, "-c", "from pbem.cli import run; run()"]


def run(*words: str | Path, terminal: bool) -> tuple[str, str]:
    """Standard output, and standard error, which is a terminal or not."""
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}
    command = [*PBEM, *map(str, words)]
    if not terminal:
        done = subprocess.run(
            command, capture_output=True, text=True, env=environment, check=True, timeout=120
        )
        return done.stdout, done.stderr
    master, slave = pty.openpty()
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=slave, env=environment) as process:
        os.close(slave)
        shown = b""
        try:
            while chunk := os.read(master, 65536):
                shown += chunk
        except OSError:  # the terminal is closed when the process ends
            pass
        os.close(master)
        assert process.stdout is not None
        told = process.stdout.read().decode()
    assert process.returncode == 0, shown
    return told, shown.decode()


@pytest.mark.dear
def test_a_demonstration_is_watched(tmp_path: Path) -> None:
    """In a terminal each turn that bots play has a line; elsewhere there is nothing but the result."""
    told, shown = run("demo", tmp_path / "one", "--game", "clash", terminal=True)
    assert [line for line in shown.splitlines() if line.startswith("Turn")] == [
        f"Turn {turn}: played by bots" for turn in (1, 2, 3)
    ]
    quiet, nothing = run("demo", tmp_path / "two", "--game", "clash", terminal=False)
    assert nothing == ""
    assert quiet == told.replace(str(tmp_path / "one"), str(tmp_path / "two"))


def test_a_series_is_counted() -> None:
    """In a terminal a bar shows how many games of a series have ended, elsewhere nothing."""
    told, shown = run("autoplay", "clash", "--games", "3", terminal=True)
    assert shown.count("Playing games") == 4
    assert [n for n in range(4) if f"  {n}/3" in shown] == [0, 1, 2, 3]
    assert "replays equal: 3 of 3" in told
    assert run("autoplay", "clash", "--games", "3", terminal=False)[1] == ""


@pytest.mark.dear
@pytest.mark.parametrize(
    ("command", "label", "says"),
    some(
        [("replay --verify", "Rerunning phases", "rerun"), ("dice verify", "Verifying games", "0 wrong")], 1
    ),
)
def test_long_checks_show_a_bar(tmp_path: Path, command: str, label: str, says: str) -> None:
    """In a terminal, and nothing elsewhere; the result is the same."""
    file, bots = tmp_path / "toy.pbem", ["--player", "red=bot:random", "--player", "blue=bot:random"]
    run("new", "clash", "-o", file, *bots, terminal=False)
    told, shown = run(*command.split(), file, terminal=True)
    assert label in shown and "100%" in shown and says in told
    assert run(*command.split(), file, terminal=False) == (told, "")
