"""N25 kill -9 at every write: no letter is lost, none is acted on twice, none goes out twice or with another
content."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from crash import STEPS

CRASH = Path(__file__).parent / "crash.py"
FEWEST = {"a forged letter": 5, "write the digest": 3}
"""At least this many points must have been met, or the test has not looked."""


@pytest.mark.dear
@pytest.mark.skipif(not hasattr(os, "fork"), reason="processes are forked to be killed")
@pytest.mark.parametrize("step", list(STEPS))
def test_a_process_killed_at_any_write_does_no_harm(tmp_path: Path, step: str) -> None:
    """Killed at any commit, statement or file it writes and then repeated, a step leaves the same rows, the
    same hashes and the same letters as if it had never been disturbed."""
    done = subprocess.run(
        [sys.executable, str(CRASH), str(tmp_path), step],
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr
    report = json.loads(done.stdout)
    assert report["wrong"] == {}
    assert report["points"] >= FEWEST.get(step, 10)


def test_every_commit_waits_for_the_disk(tmp_path: Path) -> None:
    """A letter that has been confirmed survives a power cut: SQLite waits until it is on the disk."""
    code = (
        "import sys; from pbem.service.record.store import Store; engine = Store.create(sys.argv[1]).engine; "
        "print(engine.connect().exec_driver_sql('PRAGMA synchronous').scalar())"
    )
    words = [sys.executable, "-c", code, str(tmp_path / "toy.pbem")]
    assert subprocess.run(words, capture_output=True, text=True, check=True).stdout == "2\n"
