"""Plays one step of a game in processes that are killed at every point at which anything is written, and once
more undisturbed.

    python crash.py FOLDER STEP

Prints a JSON object: how many points there were, and what differed from the undisturbed play after the step
had been repeated, as a mail server or a timer would repeat it. Works on POSIX only: each trial is a process
of its own, and dies by SIGKILL.
"""

from __future__ import annotations

import contextlib
import gc
import hashlib
import json
import os
import shutil
import signal
import sys
import traceback
from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

TESTS = Path(__file__).parents[1]
sys.path[:0] = [str(TESTS), str(TESTS / "service")]

import pytest  # noqa: E402
from conftest import NOW, begin, share_pictures, share_statements  # noqa: E402
from postbox import Postbox, facts  # noqa: E402
from sqlalchemy import Engine, event  # noqa: E402
from sqlmodel import col, select  # noqa: E402

from pbem.mail import transport  # noqa: E402
from pbem.service.intake.outbox import LEASE, send_pending  # noqa: E402
from pbem.service.moderating.digest import write_digests  # noqa: E402
from pbem.service.record.errors import StoreError  # noqa: E402
from pbem.service.record.rows import OutboxRow  # noqa: E402
from pbem.service.record.store import Store  # noqa: E402
from pbem.service.time import deadline  # noqa: E402

Step = Callable[[Path, datetime], object]

WRITES = ("INSERT", "UPDATE", "DELETE", "CREATE")


def _start(folder: Path, now: datetime) -> None:
    store = Store.create(folder / "game.pbem")
    with contextlib.suppress(StoreError):  # it was started before
        begin(store, welcome=True)


def _letter(seat: str, body: str, number: int, **how: Any) -> Step:
    def step(folder: Path, now: datetime) -> None:
        box = Postbox(Store.open(folder / "game.pbem"), "toy", "pbem@host.example", now, number)
        box.mail(seat, body, **how)

    return step


def _deadline(folder: Path, now: datetime) -> None:
    deadline.act(Store.open(folder / "game.pbem"), "toy", now, late=True)


def _send(folder: Path, now: datetime) -> None:
    """Send as a timer does: what a killed process had in hand is left to it for a while, then it is sent."""
    store, way = Store.open(folder / "game.pbem"), transport.FolderTransport(folder / "sent")
    send_pending(store, way, now)
    send_pending(store, way, now + 2 * LEASE)


def _digest(folder: Path, now: datetime) -> None:
    write_digests(Store.open(folder / "game.pbem"), now)


STEPS: dict[str, Step] = {
    "start": _start,
    "send the first letters": _send,
    "orders for later": _letter(
        "blue", "move B1 to 0401\npress red: it is cold here\n\n[standing]\nretreat B2\n", 1
    ),
    "a letter with a fault": _letter("red", "move R1 to 0503\nmove R2 to 0202\nsalt sea\n", 2),
    "a forged letter": _letter("red", "move R1 to 0201\n", 3, sender="eve@evil.example"),
    "the letter that moves the game": _letter("red", "move R1 to 0201\n", 4),
    "act at the deadline": _deadline,
    "write the digest": _digest,
    "send the rest": _send,
}


# --- killing ------------------------------------------------------------------------------------------------


class Points:
    """Counts the points at which something is written, and kills the process at one of them."""

    def __init__(self, last: int | None) -> None:
        self.count, self.last = 0, last

    def __call__(self) -> None:
        self.count += 1
        if self.count == self.last:
            os.kill(os.getpid(), signal.SIGKILL)

    def watch(self) -> None:
        """Before each statement that writes, before and after each commit, and around each file of the
        outgoing folder."""

        def statement(conn: Any, cursor: Any, text: str, *rest: Any) -> None:
            if text.lstrip().upper().startswith(WRITES):
                self()

        event.listen(Engine, "before_cursor_execute", statement)
        event.listen(Engine, "commit", lambda conn: self())
        event.listen(Engine, "checkin", lambda *rest: self())  # the connection goes back: the commit is done
        write, sync = transport._write_synced, transport.settle

        def half_and_whole(path: Path, data: bytes) -> None:
            self()
            write(path, data[: len(data) // 2])
            self()
            write(path, data)
            self()

        def renamed(path: Path) -> None:
            self()
            sync(path)
            self()

        transport._write_synced, transport.settle = half_and_whole, renamed


def in_a_process(step: Step, folder: Path, now: datetime, last: int | None) -> tuple[bool, int]:
    """Run a step in a process of its own; whether it was killed, and how many points it has met."""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        status = 1
        try:
            points = Points(last)
            points.watch()
            step(folder, now)
            os.write(writer, str(points.count).encode())
            status = 0
        except BaseException:
            traceback.print_exc()
        finally:
            os._exit(status)
    os.close(writer)
    with os.fdopen(reader) as pipe:
        count = pipe.read()
    _, status = os.waitpid(child, 0)
    if os.WIFSIGNALED(status):
        return os.WTERMSIG(status) == signal.SIGKILL, 0
    if os.WEXITSTATUS(status):
        raise SystemExit(f"the step failed at point {last}")
    return False, int(count)


def found(folder: Path) -> dict[str, Any]:
    """All that a game file and the folder of sent letters hold, but not when letters went."""
    kept: dict[str, Any] = {}
    if (folder / "game.pbem").exists():
        store = Store(folder / "game.pbem")
        if store.version():
            kept = facts(store) | {"outbox": outbox(store)}
        store.close()
    for file in (folder / "sent").glob("*.eml"):
        _, _, name = file.name.partition("-")
        kept[name] = [*kept.get(name, []), hashlib.sha256(file.read_bytes()).hexdigest()]
    return kept


def outbox(store: Store) -> list[str]:
    """The letters of the outbox, and whether they were sent, not when."""
    with store.transaction() as session:
        rows = session.exec(select(OutboxRow).order_by(col(OutboxRow.id)))
        return [
            f"{row.model_dump(exclude={'sent', 'tried', 'digests'})} {row.sent is not None}" for row in rows
        ]


def trials(work: Path, name: str) -> Iterator[tuple[int, list[str]]]:
    """For every point of a step: what is different after a kill there and a repetition."""
    now = NOW
    before, after, trial = work / "before", work / "after", work / "trial"
    after.mkdir(parents=True)
    for key, step in STEPS.items():
        now += timedelta(hours=80)
        if key == name:
            shutil.copytree(after, before)
        _, count = in_a_process(step, after, now, None)
        if key == name:
            break
    expected = found(after)
    for point in range(1, count + 1):
        shutil.rmtree(trial, ignore_errors=True)
        shutil.copytree(before, trial)
        killed, _ = in_a_process(step, trial, now, point)
        in_a_process(step, trial, now, None)
        result = found(trial)
        differs = [key for key in {**expected, **result} if expected.get(key) != result.get(key)]
        yield point, differs if killed else [*differs, "it was not killed"]


def warm_up(folder: Path) -> None:
    """Play everything once here, so that the processes to come find maps, templates, statements and pictures
    ready."""
    patch = pytest.MonkeyPatch()
    share_statements(patch)
    share_pictures(patch)
    folder.mkdir(parents=True)
    for step in STEPS.values():
        step(folder, NOW)
    gc.collect()
    gc.freeze()


def main() -> None:
    work = Path(sys.argv[1])
    warm_up(work / "warm")
    wrong = dict(trials(work, sys.argv[2]))
    print(json.dumps({"points": len(wrong), "wrong": {point: what for point, what in wrong.items() if what}}))


if __name__ == "__main__":
    main()
