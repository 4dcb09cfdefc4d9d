"""The one way to the store for everything that the service does: child processes (work.py), one for a game
file, several for a server. Whoever asks waits for the answer; letters wait for one another before that, so
that the outbox and the clock are never behind more than the letter in hand."""

from __future__ import annotations

import asyncio
import logging
import multiprocessing
import os
import signal
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import suppress
from datetime import UTC, datetime
from functools import partial
from multiprocessing import forkserver, resource_tracker
from time import monotonic
from typing import ParamSpec, TypeVar

from pbem.config import Settings
from pbem.serve import work
from pbem.serve.work import Taken
from pbem.service.intake.reception import reception

log = logging.getLogger("pbem.serve")

P = ParamSpec("P")
T = TypeVar("T")

TRIES = 3
"""How often an email is tried on which pbem fails, before it is set aside."""

VISITS = 2_000
"""A child is replaced after this many visits, so that memory does not grow over the years."""

PATIENCE = 4
"""A visit that is no letter may take that many times as long as one."""

CONTEXT = multiprocessing.get_context("forkserver")
CONTEXT.set_forkserver_preload(["pbem.serve.work"])


def start_children() -> None:
    """Start the process that makes the children, deaf to Ctrl-C, which is for the service: it would break
    into what it imports. The service itself hears of it as soon as that is done."""
    resource_tracker.ensure_running()  # or the other would start it, and let the signal in
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        forkserver.ensure_running()
    finally:
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})


def now() -> datetime:
    """The time, in UTC."""
    return datetime.now(UTC)


class Gone(RuntimeError):
    """A visit to the store has not come back: its child was ended, or ended itself."""


class Child:
    """A process that has the store open. It shares no queue and no lock with another, so whatever kills it
    stops nobody else."""

    def __init__(self, settings: Settings) -> None:
        begins = (settings.store, settings.limits.megabytes)
        self.executor = ProcessPoolExecutor(1, CONTEXT, work.begin, begins)
        self.visits = self.process = 0

    async def run(self, what: Callable[[], T], seconds: float) -> T:
        """Do something in this process. Raise what it raises, and Gone if it does not come back in time."""
        loop = asyncio.get_running_loop()
        self.visits += 1
        try:
            async with asyncio.timeout(seconds):
                self.process = self.process or await loop.run_in_executor(self.executor, os.getpid)
                return await loop.run_in_executor(self.executor, what)
        except TimeoutError as error:
            raise Gone(f"not done after {seconds:g} s") from error
        except BrokenProcessPool as error:
            raise Gone("its process was killed, or ran out of memory") from error

    def end(self, at_once: bool = False) -> None:
        """End the process, `at_once` in the middle of what it does, and wait for that: an executor that is
        still closing when Python exits may fail there. A process that never began is not waited for."""
        if at_once and self.process:
            with suppress(ProcessLookupError):
                os.kill(self.process, signal.SIGKILL)
        self.executor.shutdown(wait=not at_once or self.process > 0, cancel_futures=True)


class Desk:
    """Takes letters, and lets the others visit the store."""

    def __init__(self, settings: Settings) -> None:
        self.settings, self.limits = settings, settings.limits
        self.reception = reception(settings, limited=True)
        handlers = 1
        if "://" in settings.store:
            handlers = settings.handlers or min(4, os.cpu_count() or 1)
        self.free = [Child(settings) for _ in range(handlers)]
        self.place = asyncio.Semaphore(handlers)
        """Who comes first visits first: a queue would hand its child to whoever has just brought it back."""
        self.turn = asyncio.Semaphore(handlers)
        self.in_hand: dict[object, datetime] = {}
        self.on_taken: Callable[[str, Taken], None] = lambda source, taken: None
        self.wake = asyncio.Event()
        """Set when a letter may have been written."""
        self.played = asyncio.Event()
        """Set when a game may have been played on: a planner may have to think."""

    async def visit(self, what: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Do something in the store. Raise what it raises, and Gone if it does not come back."""
        return await self._in_child(partial(what, *args, **kwargs), self.limits.seconds * PATIENCE)

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
        self.played.set()
        self.on_taken(source, taken)
        return taken

    async def refuse_large(self, head: bytes, size: int, folder: str, source: str) -> Taken:
        """Refuse an email over the limit, which stays in a folder (work.tell_of_large): the moderators read
        who wrote it. It is to come again where that cannot be done now."""
        try:
            why = await self.visit(work.tell_of_large, head, size, self.limits.bytes, folder, now())
        except Exception as error:
            log.warning("a large mail could not be refused", extra={"source": source, "why": str(error)})
            return Taken("later", str(error))
        taken = Taken("refused", why, "over the limit")
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
                letter = partial(work.take, raw, now(), self.reception)
                taken = await self._in_child(letter, self.limits.seconds)
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

    async def _in_child(self, what: Callable[[], T], seconds: float) -> T:
        async with self.place:
            child = self.free.pop()
            try:
                return await child.run(what, seconds)
            except Gone:
                child.end(at_once=True)
                child = Child(self.settings)
                raise
            finally:
                if child.visits >= VISITS:
                    child.end()
                    child = Child(self.settings)
                self.free.append(child)

    def close(self) -> None:
        """End the children; nobody may visit the store any more."""
        while self.free:
            self.free.pop().end()
