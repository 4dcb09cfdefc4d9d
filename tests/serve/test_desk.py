"""The way to the store, where who comes first visits first, and the clock of the service."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from serve.kit import Club
from sqlmodel import select

from pbem.config import Settings, Smtp
from pbem.serve import work
from pbem.serve.clock import Clock
from pbem.serve.desk import Desk
from pbem.serve.health import Seen
from pbem.serve.postman import Postman
from pbem.service.record.errors import StoreError, WrongVersion
from pbem.service.record.rows import GameRow, OutboxRow
from pbem.service.record.store import Store
from pbem.service.time.host import HostClock, Worker


def test_nobody_waits_for_all_visits_of_another(tmp_path: Path) -> None:
    """While one makes visit after visit, as the clock does with a thousand games, another that comes in
    between waits for one of them."""

    async def visits() -> tuple[int, int]:
        desk, made = Desk(Settings(store=str(tmp_path / "none.pbem"))), 0

        async def many() -> None:
            nonlocal made
            for _ in range(200):
                await desk.visit(int)
                made += 1

        clock = asyncio.create_task(many())
        while made < 5:
            await asyncio.sleep(0)
        before = made
        await desk.visit(int)
        waited = made - before
        await clock
        desk.close()
        return waited, made

    waited, made = asyncio.run(visits())
    assert waited <= 3 and made == 200


def test_nothing_of_a_child_is_left_when_the_desk_is_closed(tmp_path: Path) -> None:
    """Neither its process nor the thread that watches it: Python trips over one that ends while it exits."""

    async def visit() -> set[threading.Thread]:
        desk, before = Desk(Settings(store=str(tmp_path / "none.pbem"))), set(threading.enumerate())
        await desk.visit(int)
        assert set(threading.enumerate()) > before
        desk.close()
        return set(threading.enumerate()) - before

    assert not asyncio.run(visit())


# --- the clock of the service -------------------------------------------------------------------------------

NOW = datetime(2026, 6, 6, 18, tzinfo=UTC)


class Answers:
    """A desk that gives or raises what is written down for each kind of visit, and stops the clock after the
    last of `rounds`."""

    def __init__(self, rounds: int, **answers: Any) -> None:
        self.rounds, self.answers = rounds, answers
        self.asked: list[str] = []
        self.wake = asyncio.Event()

    async def visit(self, what: Callable[..., Any], *args: Any) -> Any:
        self.asked.append(what.__name__)
        if what is work.beat:
            self.rounds -= 1
            if not self.rounds:
                self.clock.stopped.set()
        answer = self.answers.get(what.__name__)
        if isinstance(answer, Exception):
            raise answer
        return answer

    def run(self) -> Clock:
        async def run() -> Clock:
            desk: Any = self
            me = Worker("one", "here", 1, "0.1.0")
            self.clock = Clock(desk, me, dict, 12, Seen("0.1.0", letters=False))
            await self.clock.run()
            return self.clock

        return asyncio.run(run())


def test_a_database_that_restarts_is_no_other_version() -> None:
    """While the store is out of reach the worker goes on; one of another version ends it."""
    assert Answers(1, beat=StoreError("it cannot be read")).run().misfit == ""
    assert Answers(2, beat=WrongVersion("it has version 9999")).run().misfit == "it has version 9999"


def test_moderators_read_of_a_clock_that_has_jumped() -> None:
    """No deadline is called, and the digest that says so is written."""
    desk = Answers(1, beat=HostClock(NOW, held=NOW, down=None))
    desk.run()
    assert desk.asked == ["beat", "digests"]


def test_a_game_that_cannot_be_opened_keeps_no_other_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After an outage its trouble is named, and the others are put off."""
    store = Store.create(tmp_path / "club.pbem")
    Club(store, ["bad", "good"], NOW)
    with store.transaction() as session:
        for row in session.exec(select(OutboxRow)):
            row.sent = NOW
            session.add(row)
        game = session.get_one(GameRow, "bad")
        game.game = "gone"
        session.add(game)
    monkeypatch.setattr(work, "_store", store)
    due = NOW + timedelta(hours=72)
    down = (due - timedelta(hours=1), due + timedelta(hours=1))
    assert work.put_off("bad", down, 12, down[1]).startswith("trouble: ")
    assert work.put_off("good", down, 12, down[1]).startswith("put off to 2026-06-09T21:00")


# --- letters out --------------------------------------------------------------------------------------------


class Office:
    """Stands for the desk: a letter is written while the outbox is looked at for the first time, too late for
    that look. The second look is the last."""

    def __init__(self) -> None:
        self.wake = asyncio.Event()
        self.looks = 0
        self.over: asyncio.Event

    async def visit(self, *_: Any) -> None:
        self.looks += 1
        self.wake.set()
        if self.looks == 2:
            self.over.set()


def test_a_letter_between_two_looks_is_not_overslept(monkeypatch: pytest.MonkeyPatch) -> None:
    """The outbox is looked at again at once, not after the usual rest."""
    monkeypatch.setattr("pbem.serve.postman.EVERY", 3600.0)

    async def looks() -> int:
        office = Office()
        postman = Postman(office, Smtp(), "w1", Seen("0.1.0", letters=False))  # type: ignore[arg-type]
        office.over = postman.stopped
        async with asyncio.timeout(30):
            await postman.run()
        return office.looks

    assert asyncio.run(looks()) == 2
