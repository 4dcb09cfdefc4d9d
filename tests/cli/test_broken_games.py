"""A game that cannot be loaded or opened stands in the way of no other."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from conftest import begin
from sqlmodel import select

from pbem.service.record.rows import GameRow, OutboxRow
from pbem.service.record.store import Store
from pbem.service.tools.queries import status
from tests.cli.test_commands import ok, run

ENTRY_POINTS = """[pbem.games]
crashes = crashes:GAME
missing = missing_package.rules:GAME
odd = odd:GAME
other = fourth_game:GAME
"""


@pytest.fixture
def packages(tmp_path: Path) -> dict[str, str]:
    """An environment with four bad games: one with a bug, one missing, one that is not a game,
    one under another name than its key."""
    folder = tmp_path / "site"
    (folder / "bad-1.0.dist-info").mkdir(parents=True)
    (folder / "bad-1.0.dist-info" / "METADATA").write_text("Metadata-Version: 2.1\nName: bad\nVersion: 1.0\n")
    (folder / "bad-1.0.dist-info" / "entry_points.txt").write_text(ENTRY_POINTS)
    (folder / "crashes.py").write_text("GAME = Gmae()\n")
    (folder / "odd.py").write_text("GAME = 'a string'\n")
    return os.environ | {"PYTHONPATH": os.pathsep.join([str(folder), *sys.path])}


def process(environment: dict[str, str], *words: str | Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", "from pbem.cli import run; run()", *map(str, words)]
    return subprocess.run(command, capture_output=True, text=True, env=environment, check=False, timeout=120)


@pytest.mark.dear
def test_a_broken_package_is_named(packages: dict[str, str], game_file: Path) -> None:
    """`pbem games` says of each broken package why it cannot be loaded; the other games can be started."""
    done = process(packages, "games")
    assert done.returncode == 0, done.stderr
    assert "crashes: cannot be loaded: NameError: name 'Gmae' is not defined" in done.stdout
    assert "missing: cannot be loaded: ModuleNotFoundError: No module named 'missing_package'" in done.stdout
    assert "odd: cannot be loaded: odd:GAME is not a Game" in done.stdout
    assert 'other: cannot be loaded: the key of fourth_game:GAME is "clash"' in done.stdout
    assert "Clash of Twenty Hexes" in done.stdout
    faults = {
        each["key"]: bool(each["fault"]) for each in json.loads(process(packages, "games", "--json").stdout)
    }
    assert faults["crashes"] and not faults["clash"]
    assert process(packages, "new", "clash", "-o", game_file).returncode == 0
    for words in (["new", "crashes"], ["cases", "missing"], ["data", "export", "missing", "x"]):
        done = process(packages, *words)
        assert (done.returncode, "Traceback" in done.stderr) == (1, False), done.stderr


BROKEN: dict[str, dict[str, Any]] = {
    "rules": {"game": "gone"},
    "zone": {"settings": {"clock_hours": 1, "clock_at": 21, "zone": "Nowhere/Land"}},
    "settings": {"settings": "soon"},
    "clock": {"settings": {"clock_hours": "soon"}},
}


@pytest.mark.parametrize("what", BROKEN)
def test_a_game_that_cannot_be_opened_stops_no_other(game_file: Path, tmp_path: Path, what: str) -> None:
    """Deadlines, status, outgoing and stray mail go on for every game but the broken one, which is named."""
    store = Store.create(game_file)
    for name in ("a-broken", "good"):
        begin(store, name)
    with store.transaction() as session:
        session.get_one(GameRow, "good").waiting_since = datetime(2020, 1, 1, tzinfo=UTC)
        for letter in session.exec(select(OutboxRow).where(OutboxRow.game == "good")):
            letter.sent = letter.created
        row = session.get_one(GameRow, "a-broken")
        for name, value in BROKEN[what].items():
            setattr(row, name, value)
        session.add(row)

    shown = run("status", game_file)
    assert (shown.exit_code, "cannot be opened" in shown.stdout) == (1, True), shown.output
    assert "good: clash" in shown.stdout
    acted = run("adjudicate", game_file, "--late")
    assert (acted.exit_code, "pbem: a-broken: " in acted.stderr) == (1, True), acted.output
    assert status(store, "good").phase == "t1.blue_march"
    assert ok("adjudicate", game_file, "--deadline") == ""  # named once: cron does not report it every time
    assert ok("mail", "send", game_file, "--folder", tmp_path / "out")
    with store.transaction() as session:
        assert {row.sent is None for row in session.exec(select(OutboxRow))} == {False}
    store.close()
