"""A mailbox at a provider as a way in: IMAP with IDLE. A mail leaves the inbox once its outcome is committed,
not before."""

from __future__ import annotations

import asyncio
import logging
import ssl
from contextlib import suppress
from datetime import datetime, timedelta
from threading import Event, Thread

from imapclient import IMAPClient, SocketTimeout
from imapclient.exceptions import IMAPClientError

from pbem.config import Imap
from pbem.mail.transport import HEAD
from pbem.serve.desk import Desk, now
from pbem.serve.work import Taken
from pbem.service.time.host import Source

log = logging.getLogger("pbem.serve")

LOOK_AGAIN = timedelta(minutes=1)
"""So often the inbox is searched and IDLE begun anew, even if the server says nothing: firewalls forget a
silent connection after ten minutes."""

WAITS = (1, 5, 30, 120)
"""Seconds before the server is tried again, after the first, second, ... failure."""


def logged_in(known: Imap) -> IMAPClient:
    """A connection to a mailbox. Raise IMAPClientError if the login is refused, OSError if the server is out
    of reach."""
    context = ssl.create_default_context(cafile=known.cafile or None) if known.tls == "tls" else None
    client = IMAPClient(
        known.host, known.port, ssl=known.tls == "tls", ssl_context=context, timeout=SocketTimeout(30, 60)
    )
    try:
        client.login(known.user, known.password)
    except BaseException:
        client.shutdown()
        raise
    return client


class Mailbox:
    """Empties the inbox of a mailbox, in a thread of its own."""

    keeps = True

    def __init__(self, desk: Desk, settings: Imap) -> None:
        self.desk, self.settings = desk, settings
        self.name = f"imap:{settings.user}@{settings.host}/{settings.folder}"
        self.stopped = Event()
        self.empty: datetime | None = None
        self.thread = Thread(target=self._watch, name="mailbox", daemon=True)
        self.loop: asyncio.AbstractEventLoop | None = None

    async def start(self) -> None:
        """Begin to look."""
        self.loop = asyncio.get_running_loop()
        self.thread.start()

    async def stop(self) -> None:
        """Finish the mail in hand and close the connection."""
        self.stopped.set()
        await asyncio.to_thread(self.thread.join, 30)

    def source(self) -> Source:
        """Until when the inbox is read."""
        return Source(self.empty, self.keeps)

    def _watch(self) -> None:
        """Losing the server is no error: it is tried again, each time after a longer while."""
        failures = 0
        while not self.stopped.is_set():
            try:
                with self._connected() as client:
                    while not self.stopped.is_set():
                        client.select_folder(self.settings.folder)
                        self._rest(client, self._emptied(client))
                        failures = 0
            except (IMAPClientError, OSError) as error:
                wait = WAITS[min(failures, len(WAITS) - 1)]
                failures += 1
                log.warning("mailbox out of reach", extra={"why": str(error), "again_in": f"{wait} s"})
                self.stopped.wait(wait)
            except Exception:
                log.exception("mailbox")
                self.stopped.wait(WAITS[-1])

    def _connected(self) -> IMAPClient:
        known = self.settings
        client = logged_in(known)
        for folder in filter(None, (known.done, known.aside)):
            if not client.folder_exists(folder):
                client.create_folder(folder)
        return client

    def _emptied(self, client: IMAPClient) -> bool:
        """Take what is there, oldest first. Return whether nothing is left but what is over a limit, for
        which nobody waits. UNDELETED and not UNSEEN: a person may have looked into it."""
        began = now()
        for uid in client.search(["UNDELETED"]):
            if self.stopped.is_set():
                return False
            taken = self._taken(client, uid)
            if taken is None:  # another worker was faster
                continue
            if taken.result == "later":
                if not taken.outcome:
                    return False
                continue
            self._move(client, uid, self.settings.aside if taken.result == "refused" else self.settings.done)
        self.empty = began
        return True

    def _taken(self, client: IMAPClient, uid: int) -> Taken | None:
        """Take a mail, or refuse one that is too large; None if it is gone."""
        assert self.loop is not None
        size = client.fetch(uid, ["RFC822.SIZE"]).get(uid, {}).get(b"RFC822.SIZE", 0)
        is_large = size > self.desk.limits.bytes
        part = f"BODY.PEEK[]<0.{HEAD}>" if is_large else "BODY.PEEK[]"
        fetched = client.fetch(uid, [part]).get(uid) or {}
        raw = next((value for key, value in fetched.items() if key.startswith(b"BODY[")), None)
        if raw is None:
            return None
        if is_large:
            taking = self.desk.refuse_large(raw, size, self.settings.aside, self.name)
        else:
            taking = self.desk.take(raw, self.name)
        return asyncio.run_coroutine_threadsafe(taking, self.loop).result()

    def _move(self, client: IMAPClient, uid: int, folder: str) -> None:
        if folder and client.has_capability("MOVE"):
            client.move(uid, folder)
            return
        if folder:
            client.copy(uid, folder)
        client.delete_messages(uid)
        if client.has_capability("UIDPLUS"):
            client.uid_expunge(uid)
        else:
            client.expunge()

    def _rest(self, client: IMAPClient, is_empty: bool) -> None:
        """Wait until the server tells of new mail, or it is time to look."""
        if not is_empty or not client.has_capability("IDLE"):
            self.stopped.wait(WAITS[1])
            return
        until = now() + LOOK_AGAIN
        client.idle()
        try:
            while now() < until and not self.stopped.is_set():
                moment = now()
                if client.idle_check(timeout=1.0):
                    break
                self.empty = moment
        finally:
            with suppress(IMAPClientError, OSError):
                client.idle_done()
