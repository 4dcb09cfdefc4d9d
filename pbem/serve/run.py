"""Starts what the settings switch on, and ends it: SIGTERM takes nothing new and finishes what is in hand."""

from __future__ import annotations

import asyncio
import logging
import os
import signal
import socket
import threading
from collections.abc import Mapping
from contextlib import suppress
from importlib.metadata import version
from typing import Protocol

from pbem.config import Settings
from pbem.paths import denied
from pbem.serve import log as service_log
from pbem.serve import work
from pbem.serve.clock import Clock
from pbem.serve.desk import Desk, now, start_children
from pbem.serve.doorway import Doorway
from pbem.serve.folder import Folder
from pbem.serve.health import HealthServer, Seen
from pbem.serve.listener import Listener
from pbem.serve.mailbox import Mailbox
from pbem.serve.postman import Postman
from pbem.serve.thinker import Thinker
from pbem.service.record.errors import StoreError
from pbem.service.time.host import Source, Worker

log = logging.getLogger("pbem.serve")

FINISH = 30.0
"""Seconds that letters in hand have when the service stops; systemd's TimeoutStopSec should be longer."""
AT_LAST = 10.0
"""Seconds for each of the last steps: to say goodbye in the store, and to end."""


class WayIn(Protocol):
    """A way by which mail comes in."""

    name: str

    async def start(self) -> None: ...
    async def stop(self) -> None: ...
    def source(self) -> Source: ...


def ways_in(desk: Desk, settings: Settings) -> list[WayIn]:
    """The ways in that the settings switch on."""
    known, address = settings.intake, settings.address
    ways: list[WayIn] = []
    if known.lmtp:
        listen = known.lmtp.listen
        ways.append(Listener(desk, f"lmtp:{listen}", listen, address))
    if known.smtp:
        listen = known.smtp.listen
        ways.append(Listener(desk, f"smtp:{listen}", listen, address, known.smtp))
    if known.imap:
        ways.append(Mailbox(desk, known.imap))
    if known.maildir:
        ways.append(Folder(desk, known.maildir))
    if known.socket:
        ways.append(Doorway(desk, known.socket))
    return ways


async def _opened(way: WayIn) -> None:
    """Start a way in. Raise OSError, which names it, if it cannot be had."""
    try:
        await way.start()
    except OSError as error:
        why = f"{error.strerror or error}"
        if isinstance(error, PermissionError) and error.filename and (mend := denied(error.filename)):
            why = f"{why}. {mend}"
        raise OSError(f"{way.name} cannot be opened: {why}") from error


def serve(settings: Settings) -> int:
    """Serve until told to stop. Return the exit code: 0; 75 if the store is of another version by now, so
    that systemd starts the one that is installed. Raise StoreError or OSError for what keeps it from
    starting."""
    code = asyncio.run(_Service(settings).run())
    # A pool whose child was killed in a bad moment may wait for it for ever as the interpreter ends.
    last = threading.Timer(AT_LAST, os._exit, (code,))
    last.daemon = True
    last.start()
    return code


class _Service:
    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        host = socket.gethostname()
        self.me = Worker(settings.worker or host, host, os.getpid(), version("pbem"))
        service_log.start(settings.log.format, self.me.name)
        self.seen = Seen(self.me.version, settings.log.letters)
        self.desk = Desk(settings)
        self.desk.on_taken = self.seen.letter
        self.ways = ways_in(self.desk, settings)
        self.postman = Postman(self.desk, settings.smtp, self.me.name, self.seen)
        self.clock = Clock(self.desk, self.me, self.sources, settings.clock.outage_hours, self.seen)
        self.thinker = Thinker(self.desk, settings)
        self.health = HealthServer(
            self.desk, self.seen, settings.health, self.sources, lambda: self.stopped.is_set()
        )
        self.stopped = asyncio.Event()

    def sources(self) -> Mapping[str, Source]:
        """The ways in, and until when each is read."""
        return {way.name: way.source() for way in self.ways}

    async def run(self) -> int:
        """Start, serve, and stop."""
        loop = asyncio.get_running_loop()
        for each in (signal.SIGTERM, signal.SIGINT):
            loop.add_signal_handler(each, self.stopped.set)
        start_children()
        try:
            try:
                await self.desk.visit(work.arrive, self.me, now())
            except Exception:
                await asyncio.sleep(0.1)  # a signal may have come meanwhile
                if self.stopped.is_set():
                    return 0  # whoever stops the service has ended its children too
                raise
            for way in self.ways:
                await _opened(way)
            self.health.start()
            tasks = [asyncio.create_task(each.run()) for each in (self.postman, self.clock, self.thinker)]
            log.info("ready", extra={"ways_in": ", ".join(self.sources()), "version": self.me.version})
            _tell_systemd("READY=1")
            await self._until_stopped(tasks)
            await self._stop(tasks)
        finally:
            self.health.stop()
            self.desk.close()
        return 75 if self.clock.misfit else 0

    async def _until_stopped(self, tasks: list[asyncio.Task[None]]) -> None:
        """Wait for a signal; for the end of a task too, which is a fault."""
        stopped = asyncio.create_task(self.stopped.wait())
        while not self.stopped.is_set():
            done, _ = await asyncio.wait([stopped, *tasks], timeout=20, return_when=asyncio.FIRST_COMPLETED)
            _tell_systemd("WATCHDOG=1")
            for task in done - {stopped}:
                if task.exception():
                    log.error("the service fails", exc_info=task.exception())
                if self.clock.misfit:
                    log.error("the service stops", extra={"why": self.clock.misfit})
                self.stopped.set()

    async def _stop(self, tasks: list[asyncio.Task[None]]) -> None:
        """Take nothing new, finish what is in hand, and say goodbye."""
        log.info("stopping")
        _tell_systemd("STOPPING=1")
        with suppress(TimeoutError):
            async with asyncio.timeout(FINISH):
                self.thinker.stopped.set()
                await asyncio.gather(*(way.stop() for way in self.ways))
                while self.desk.in_hand:
                    await asyncio.sleep(0.02)
                self.postman.stopped.set()
                self.clock.stopped.set()
                await asyncio.gather(*tasks, return_exceptions=True)
        with suppress(Exception):
            async with asyncio.timeout(AT_LAST):
                await self.desk.visit(work.leave, self.me.name, now())
        log.info("stopped")


def _tell_systemd(what: str) -> None:
    """Tell systemd how the service is, where it runs under it (sd_notify)."""
    where = os.environ.get("NOTIFY_SOCKET", "")
    if not where:
        return
    with suppress(OSError), socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as out:
        out.sendto(what.encode(), where.replace("@", "\0", 1) if where[0] == "@" else where)


def check(settings: Settings) -> None:
    """Raise StoreError for settings with which a service has nothing to do."""
    if not settings.smtp.host:
        raise StoreError("no way to send: set smtp.host in pbem.toml")
    if not settings.intake.is_on:
        raise StoreError(
            "no way in: pbem.toml needs a section [intake.lmtp], [intake.smtp], [intake.imap], "
            "[intake.maildir] or [intake.socket]"
        )
