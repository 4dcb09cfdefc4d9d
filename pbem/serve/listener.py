"""The ways in by which a mail server hands mail over: LMTP and SMTP. 250 means that the letter has its
outcome; 4xx that nothing is stored, and that the mail server keeps it."""

from __future__ import annotations

import asyncio
import logging
import ssl
from collections.abc import Callable
from email.utils import format_datetime

from aiosmtpd.lmtp import LMTP
from aiosmtpd.smtp import SMTP, Envelope, Session

from pbem.config import LimitSettings, SmtpIn, host_and_port
from pbem.mail.address import is_address
from pbem.serve.desk import Desk, now
from pbem.serve.work import Taken
from pbem.service.record.errors import StoreError
from pbem.service.time.host import Source

log = logging.getLogger("pbem.serve")

LONGEST_LINE = 100_000
"""Bytes of a line of a mail: more than any mail server lets through."""

REPLIES = {
    "done": "250 2.0.0 {0.outcome}",
    "aside": "250 2.0.0 set aside",
    "later": "451 4.3.0 try again later: {0.why}",
    "refused": "550 5.7.1 {0.why}",
}
"""What a mail server hears, by the result."""

FULL = "452 4.3.1 the disk is full: try again later"
NO_ROOM = ("disk is full", "No space left on device")
"""What a game file and a database say of a full disk."""

BUSY = "451 4.3.2 busy: try again later"


class _Smtp(SMTP):
    line_length_limit = LONGEST_LINE


class _Lmtp(LMTP):
    line_length_limit = LONGEST_LINE


class Listener:
    """Takes mail at an address: HOST:PORT, or unix:PATH."""

    keeps = False

    def __init__(self, desk: Desk, name: str, listen: str, address: str, smtp: SmtpIn | None = None) -> None:
        self.desk, self.name, self.listen = desk, name, listen
        self.handler = _Handler(desk, name, address, desk.limits, is_smtp=smtp is not None)
        self.tls = _tls(smtp) if smtp else None
        self.is_smtp = smtp is not None
        self.server: asyncio.AbstractServer | None = None

    async def start(self) -> None:
        """Begin to listen. Raise OSError if the address cannot be had."""
        self.server = await serve_at(self.listen, self._connection)

    def _connection(self) -> SMTP:
        kind = _Smtp if self.is_smtp else _Lmtp
        return kind(
            self.handler,
            data_size_limit=self.desk.limits.bytes,
            enable_SMTPUTF8=True,
            tls_context=self.tls,
            ident="pbem",
        )

    def source(self) -> Source:
        """Until when mail that was handed over here has been read."""
        return Source(self.desk.read_until if self.server else None, self.keeps)

    async def stop(self) -> None:
        """Take no new connections."""
        if self.server is not None:
            self.server.close()


async def serve_at(listen: str, connection: Callable[[], asyncio.BaseProtocol]) -> asyncio.AbstractServer:
    """Serve at HOST:PORT, or at unix:PATH. Raise OSError if that cannot be had."""
    loop = asyncio.get_running_loop()
    if listen.startswith("unix:"):
        return await loop.create_unix_server(connection, listen.removeprefix("unix:"))
    host, port = host_and_port(listen)
    return await loop.create_server(connection, host or None, port)


def _tls(settings: SmtpIn) -> ssl.SSLContext | None:
    if settings.tls_certificate is None:
        return None
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    try:
        context.load_cert_chain(settings.tls_certificate, settings.tls_key)
    except OSError as error:
        files = " and ".join(str(each) for each in (settings.tls_certificate, settings.tls_key) if each)
        raise StoreError(f"[intake.smtp] with {files}: {error.strerror or error}") from error
    return context


class _Handler:
    """What a connection asks at each step of handing mail over."""

    def __init__(self, desk: Desk, name: str, address: str, limits: LimitSettings, is_smtp: bool) -> None:
        self.desk, self.name, self.limits, self.is_smtp = desk, name, limits, is_smtp
        local, _, self.host = address.lower().rpartition("@")
        self.local = local

    async def handle_MAIL(
        self, server: SMTP, session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        if self.desk.is_full:
            return BUSY
        envelope.mail_from = address
        envelope.mail_options.extend(options)
        return "250 2.1.0 OK"

    async def handle_RCPT(
        self, server: SMTP, session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        if not self._is_ours(address):
            return "550 5.1.1 there is no such mailbox here"
        if len(envelope.rcpt_tos) >= self.limits.recipients:
            return f"452 4.5.3 at most {self.limits.recipients} recipients"
        envelope.rcpt_tos.append(address)
        envelope.rcpt_options.extend(options)
        return "250 2.1.5 OK"

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:
        """Every recipient hears the same: the letter is one, whomever it names."""
        if self.desk.is_full:
            taken = BUSY
        else:
            raw = self._with_envelope(session, envelope)
            taken = reply(await self.desk.take(raw, self.name))
        return taken if self.is_smtp else "\r\n".join([taken] * len(envelope.rcpt_tos))

    async def handle_exception(self, error: Exception) -> str:
        """Whatever goes wrong here may pass: the mail server keeps the letter."""
        log.error("a connection failed", exc_info=error)
        return "451 4.3.0 try again later"

    def _is_ours(self, address: str) -> bool:
        """Whether an address is the server's, or a secret one below that of a game, which may have another
        server address: the token decides."""
        local, _, host = address.lower().rpartition("@")
        first, _, rest = local.partition("+")
        return is_address(address) and (rest.count(".") == 2 or (first, host) == (self.local, self.host))

    def _with_envelope(self, session: Session, envelope: Envelope) -> bytes:
        """The mail with its recipients before it, where pbem looks for the secret address."""
        head = [f"Delivered-To: {address}" for address in envelope.rcpt_tos]
        if self.is_smtp:
            peer = session.peer[0] if isinstance(session.peer, tuple) else "a socket"
            stamp = f"by {self.host} with ESMTP; {format_datetime(now())}"
            head.append(f"Received: from {session.host_name or 'unknown'} ([{peer}]) {stamp}")
        content = envelope.content
        assert isinstance(content, bytes)
        return "".join(f"{line}\r\n" for line in head).encode() + content


def reply(taken: Taken) -> str:
    """What a mail server hears: one line of ASCII."""
    if taken.result == "later" and any(each in taken.why for each in NO_ROOM):
        return FULL
    text = " ".join(REPLIES[taken.result].format(taken).split())
    return text.encode("ascii", "replace").decode()[:400]
