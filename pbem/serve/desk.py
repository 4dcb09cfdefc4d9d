"""The one way to the store for everything that the service does: child processes (work.py), one for a game
file, several for a server. Whoever asks waits for the answer; letters wait for one another before that, so
that the outbox and the clock are never behind more than the letter in hand."""

from __future__ import annotations

import asyncio
import multiprocessing
import os
from collections.abc import Callable
from concurrent.futures.process import BrokenProcessPool
from datetime import UTC, datetime
from time import monotonic
from typing import Any, ParamSpec, TypeVar

from pebble import ProcessExpired, ProcessPool

from pbem.config import Settings
from pbem.serve import work
from pbem.serve.work import Taken
from pbem.service.intake.limits import Limits

P = ParamSpec("P")
T = TypeVar("T")

TRIES = 3
"""How often an email is tried on which pbem fails, before it is set aside."""

LETTERS_A_CHILD = 1_000
"""After so many visits a child is replaced, so that memory stays flat for years."""

PATIENCE = 4
"""A visit that is no letter may take that many times as long as one."""


def now() -> datetime:
    """The time, in UTC."""
    return datetime.now(UTC)


class Gone(RuntimeError):
    """A visit to the store has not come back: its child was ended, or ended itself."""


class Desk:
    """Takes letters, and lets the others visit the store."""

    def __init__(self, settings: Settings) -> None:
        self.limits = settings.limits
        self.hourly = Limits(
            settings.limits.letters_an_hour_seat,
            settings.limits.letters_an_hour_stranger,
            settings.limits.letters_an_hour,
        )
        self.handlers = 1
        if "://" in settings.store:
            self.handlers = settings.handlers or min(4, os.cpu_count() or 1)
        self.begins = [settings.store, settings.limits.megabytes]
        self.context = multiprocessing.get_context("forkserver")
        self.context.set_forkserver_preload(["pbem.serve.work"])
        self.pool = self._children()
        self.turn = asyncio.Semaphore(self.handlers)
        self.in_hand: dict[object, datetime] = {}
        self.on_taken: Callable[[str, Taken], None] = lambda source, taken: None
        self.wake = asyncio.Event()
        """Set when a letter may have been written."""

    async def visit(self, what: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Do something in the store. Raise what it raises, and Gone if it does not come back."""
        return await self._in_child(what, self.limits.seconds * PATIENCE, *args, **kwargs)

    async def take(self, raw: bytes, source: str) -> Taken:
        """Take an email that came by the way in `source`. When this returns, its outcome is committed, or
        nothing is stored."""
        key, began = object(), monotonic()
        self.in_hand[key] = now()
        try:
            async with self.turn:
                taken = await self._tried(raw, source)
        finally:
            del self.in_hand[key]
        taken = taken.lasting(round(1000 * (monotonic() - began)))
        self.wake.set()
        self.on_taken(source, taken)
        return taken

    @property
    def is_full(self) -> bool:
        """Whether as many letters are in hand as may be: whoever sends one has to come again."""
        return len(self.in_hand) >= self.limits.waiting

    @property
    def read_until(self) -> datetime:
        """Every letter that was handed over before this moment has its outcome."""
        return min(self.in_hand.values(), default=now())

    async def _tried(self, raw: bytes, source: str) -> Taken:
        error = ""
        for _ in range(TRIES):
            try:
                taken = await self._in_child(work.take, self.limits.seconds, raw, now(), self.hourly)
            except Gone as gone:
                error = str(gone)
                continue
            if taken.result != "failed":
                return taken
            error = taken.why
        try:
            number = await self.visit(work.set_aside, raw, source, error, TRIES, now())
        except Exception as fault:
            return Taken("later", f"it could not be set aside: {fault}")
        return Taken("aside", f"set aside as {number}: {error.splitlines()[0]}")

    async def _in_child(self, what: Callable[..., T], seconds: float, *args: Any, **kwargs: Any) -> T:
        pool = self.pool
        try:
            future = pool.schedule(what, args=args, kwargs=kwargs, timeout=seconds)
            result: T = await asyncio.wrap_future(future)
        except TimeoutError as error:
            raise Gone(f"not done after {seconds:g} s") from error
        except ProcessExpired as error:
            raise Gone(f"its process ended (code {error.exitcode})") from error
        except BrokenProcessPool as error:  # children were killed that had nothing to do
            if pool is self.pool:
                self.pool = self._children()
            raise Gone("its process was killed") from error
        return result

    def _children(self) -> ProcessPool:
        return ProcessPool(self.handlers, LETTERS_A_CHILD, work.begin, self.begins, self.context)

    def close(self) -> None:
        """End the children."""
        self.pool.stop()  # type: ignore[no-untyped-call]
        self.pool.join(timeout=5)
