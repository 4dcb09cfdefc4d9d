"""How the program ends: at once, but with the exit code and the output that it would have had otherwise."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from sizes import some

SCRIPT = [str(Path(sys.executable).parent / "pbem")]
AT_LEISURE = [sys.executable, "-c", "import sys; sys.argv[0] = 'pbem'; from pbem.cli import main; main()"]
"""The same command, whose interpreter is taken apart at the end."""

WITH_WORK_LEFT = """
import atexit, sys, threading, time
from pbem import cli

def main(command=cli.main):
    threading.Thread(target=lambda: (time.sleep(0.2), print("thread"))).start()
    atexit.register(print, "handler")
    command()

cli.main = main
cli.run()
"""

needs_full_disk = pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full")


@pytest.mark.parametrize(
    ("words", "code"),
    some(
        [
            ("--version", 0),
            ("games --json", 0),
            ("status missing.pbem", 1),
            ("stauts", 2),
            ("cases clash --xyz", 2),
        ],
        2,
    ),
)
def test_output_and_exit_code_are_whole(words: str, code: int) -> None:
    """Through pipes everything that a command has written arrives, and its exit code."""
    ended, other = (
        subprocess.run([*command, *words.split()], capture_output=True, text=True, check=False)
        for command in (SCRIPT, AT_LEISURE)
    )
    assert ended.returncode == other.returncode == code
    assert (ended.stdout, ended.stderr) == (other.stdout, other.stderr)
    assert ended.stdout or ended.stderr


@pytest.mark.parametrize("words", some(["--help", "games", "games --json"], 1))
@pytest.mark.parametrize("into", [pytest.param("> /dev/full", marks=needs_full_disk), "| true", ">&-"])
def test_output_that_cannot_be_written(words: str, into: str) -> None:
    """On a full disk, into a pipe that nobody reads and into a closed file a command ends as it does at
    leisure: with an error where something is lost that was asked for."""
    ended, other = (
        subprocess.run(
            ["bash", "-c", f'set -o pipefail; (sleep 0.3; exec "$@") {into}', "-", *command, *words.split()],
            capture_output=True,
            text=True,
            check=False,
        )
        for command in (SCRIPT, AT_LEISURE)
    )
    assert ended.returncode == other.returncode
    assert ended.stderr.splitlines()[-1:] == other.stderr.splitlines()[-1:]
    assert ended.returncode != 0 or into in (">&-", "| true")


def test_threads_and_exit_handlers_come_first() -> None:
    """What still runs at the end of a command, or has been left for the end, is done."""
    words = [sys.executable, "-c", WITH_WORK_LEFT, "--version"]
    told = subprocess.run(words, capture_output=True, text=True, check=True).stdout
    assert told.splitlines()[1:] == ["thread", "handler"]


def test_a_bug_shows_its_traceback() -> None:
    """An error that nobody was meant to meet is shown with its traceback, exit code 1."""
    begin = "from pbem import cli; cli.main = lambda: {}[0]; cli.run()"
    ended = subprocess.run([sys.executable, "-c", begin], capture_output=True, text=True, check=False)
    assert ended.returncode == 1
    assert ended.stderr.endswith("KeyError: 0\n")
