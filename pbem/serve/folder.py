"""A Maildir as a way in: a mail server delivers into it, and it is looked at every two seconds."""

from __future__ import annotations

import asyncio
import logging
from datetime import datetime

from pbem.config import MaildirIn
from pbem.mail.transport import HEAD, Maildir
from pbem.paths import denied
from pbem.serve.desk import Desk, now
from pbem.service.time.host import Source

log = logging.getLogger("pbem.serve")

EVERY = 2.0
"""Seconds between two looks."""


class Folder:
    """Empties a Maildir. A mail stays in `new` until its outcome is committed."""

    keeps = True

    def __init__(self, desk: Desk, settings: MaildirIn) -> None:
        self.desk, self.path = desk, settings.path
        self.name = f"maildir:{settings.path}"
        self.empty: datetime | None = None
        self.trouble = ""
        """Why mail cannot be read, as it was written into the log."""
        self.stopped = asyncio.Event()
        self.task: asyncio.Task[None] | None = None

    async def start(self) -> None:
        """Begin to look. Raise OSError if the Maildir cannot be made."""
        self.box = Maildir(self.path)
        self.task = asyncio.create_task(self._watch())

    async def stop(self) -> None:
        """Finish the mail in hand."""
        self.stopped.set()
        if self.task is not None:
            await self.task

    def source(self) -> Source:
        """Until when the Maildir is read."""
        return Source(self.empty, self.keeps)

    async def _watch(self) -> None:
        while not self.stopped.is_set():
            try:
                await self._emptied()
                self.trouble = ""
            except OSError as error:
                self._complain(error)
            try:
                await asyncio.wait_for(self.stopped.wait(), EVERY)
            except TimeoutError:
                continue

    def _complain(self, error: OSError) -> None:
        """Write into the log, once, why mail is not read; the deadlines wait for it (time/host.py)."""
        why = f"{error}. {denied(error.filename)}" if isinstance(error, PermissionError) else str(error)
        if why != self.trouble:
            log.warning("maildir out of reach, deadlines wait", extra={"why": why})
        self.trouble = why

    async def _emptied(self) -> None:
        began = now()
        most = self.desk.limits.bytes
        unread: OSError | None = None
        for name, raw in await asyncio.to_thread(lambda: list(self.box.waiting(most))):
            if self.stopped.is_set():
                return
            if isinstance(raw, OSError):
                unread = raw
                continue
            if len(raw) > most:
                kept = str(self.box.path / "cur")
                taken = await self.desk.refuse_large(raw[:HEAD], self.box.size(name), kept, self.name)
            else:
                taken = await self.desk.take(raw, self.name)
            if taken.result == "later":
                if not taken.outcome:
                    return
                continue  # over a limit: nobody waits for it
            self.box.done(name)
        if unread is not None:
            raise unread  # the others are taken; it may be of somebody whose deadline is near
        self.empty = began
