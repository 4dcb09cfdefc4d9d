"""Ways in and out for emails: a pipe, files and a Maildir inward, a folder or an SMTP server outward.

Nothing here looks into a letter beyond its Message-ID. An email that came in stays where it is until the
caller says that it is done. A letter may be handed over again after a crash; a folder keeps it once.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import re
import socket
import ssl
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, Literal, Protocol

from pbem.mail.address import is_address
from pbem.paths import PRIVATE_FOLDER, private, settle

if TYPE_CHECKING:
    import aiosmtplib

LONGEST = 90.0
"""Seconds that handing over one letter may take in all; then it is tried again later."""

_HEAD_BYTES = 16_384
_MESSAGE_ID = re.compile(rb"^message-id:\s*(<[^<>\s]+>)", re.IGNORECASE | re.MULTILINE)
_NUMBERED = re.compile(r"(\d+)-.*\.eml")
_UNSAFE = re.compile(r"[^A-Za-z0-9._-]+")


# --- inward -----------------------------------------------------------------------------------------------


def from_pipe(stream: BinaryIO, most: int) -> tuple[bytes, int]:
    """One mail and how many bytes it has, read from `stream` to its end, so that the mail server can finish;
    what lies beyond `most` bytes is thrown away."""
    kept: list[bytes] = []
    size = 0
    while chunk := stream.read(65_536):
        if size < most:
            kept.append(chunk[: most - size])
        size += len(chunk)
    return b"".join(kept), size


def from_files(paths: Iterable[Path]) -> Iterator[tuple[Path, bytes]]:
    """The mails in the given files, and in the `.eml` files of given folders, in the order of their names.
    Raises OSError for a file that cannot be read."""
    for path in paths:
        for file in sorted(path.glob("*.eml")) if path.is_dir() else [path]:
            yield file, file.read_bytes()


HEAD = 65_536
"""Bytes that are read of a mail over the limit, to say who wrote it."""


class Maildir:
    """A Maildir as mail servers fill it. A mail stays in `new` until `done` moves it to `cur`, so a crash in
    between only means that it is read again."""

    def __init__(self, path: Path) -> None:
        self.path = path
        for folder in ("tmp", "new", "cur"):
            (path / folder).mkdir(PRIVATE_FOLDER, parents=True, exist_ok=True)

    def waiting(self, most: int | None = None) -> Iterator[tuple[str, bytes | OSError]]:
        """Name and content of each mail not yet done, oldest first; in place of its content the error of one
        that cannot be read, which keeps none of the others back. One that another process has moved away in
        the meantime is passed over. Of a mail of more than `most` bytes one byte more than that is read."""
        for file in sorted((self.path / "new").iterdir(), key=_arrival):
            if not file.name.startswith("."):
                try:
                    with file.open("rb") as mail:
                        raw: bytes | OSError = mail.read() if most is None else mail.read(most + 1)
                except FileNotFoundError:
                    continue
                except OSError as error:
                    raw = error
                yield file.name, raw

    def size(self, name: str) -> int:
        """How many bytes a mail has that is not yet done; 0 if it is gone."""
        with contextlib.suppress(FileNotFoundError):
            return (self.path / "new" / name).stat().st_size
        return 0

    def done(self, name: str) -> None:
        """Mark a mail as read. To say so twice does no harm."""
        with contextlib.suppress(FileNotFoundError):
            (self.path / "new" / name).rename(self.path / "cur" / f"{name}:2,S")
            settle(self.path / "cur")
            settle(self.path / "new")

    def deliver(self, raw: bytes) -> str:
        """Put a mail in, as a mail server does, and return its name. When this returns, the mail is on the
        disk."""
        now = time.time_ns()
        host = _UNSAFE.sub("_", socket.gethostname())
        name = f"{now // 10**9}.M{now % 10**9:09}P{os.getpid()}R{os.urandom(4).hex()}.{host}"
        _write_synced(self.path / "tmp" / name, raw)
        (self.path / "tmp" / name).rename(self.path / "new" / name)
        settle(self.path / "new")
        return name


def _arrival(file: Path) -> tuple[int, str]:
    seconds = file.name.partition(".")[0]
    return (int(seconds) if seconds.isascii() and seconds.isdecimal() and len(seconds) < 20 else 0, file.name)


# --- outward ----------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Outgoing:
    """A letter ready to go. `sender` is the address that bounces return to; `slug` names its file."""

    message_id: str
    sender: str
    to: str
    data: bytes
    slug: str = "letter"


@dataclass(frozen=True, slots=True)
class Sent:
    """What became of a letter: "later" means try again, "refused" that it will never go.
    `detail` is the server's answer or the reason, in words; `code` the SMTP reply code, 0 without one."""

    message_id: str
    result: Literal["sent", "later", "refused"]
    detail: str = ""
    code: int = 0


class Unreachable(RuntimeError):
    """No letter can go now: no server answers, it refuses the login, or the disk cannot be written."""


class Transport(Protocol):
    """A way out, for one letter after another."""

    def send(self, letter: Outgoing) -> Sent:
        """Hand a letter over. Raise Unreachable if no letter at all can go."""

    def close(self) -> None:
        """End a connection, if there is one; the next letter opens another."""


class FolderTransport:
    """Writes letters to a folder as `0001-<slug>.eml`, numbered on. A letter whose Message-ID is already
    there is not written again, whichever process wrote it."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._known: dict[str, str] = {}  # file name -> Message-ID
        self._next = 1

    def send(self, letter: Outgoing) -> Sent:
        """Write a letter. Raise Unreachable for a full or unwritable disk."""
        try:
            self.path.mkdir(PRIVATE_FOLDER, parents=True, exist_ok=True)
            with _only_one(self.path / ".lock"):
                return self._write(letter, self._message_ids())
        except OSError as error:
            raise Unreachable(str(error)) from error

    def close(self) -> None:
        """Do nothing: a folder has no connection."""

    def _write(self, letter: Outgoing, there: dict[str, str]) -> Sent:
        if letter.message_id in there:
            return Sent(letter.message_id, "sent", there[letter.message_id])
        name = f"{self._next:04}-{_UNSAFE.sub('-', letter.slug).strip('.-')[:100] or 'letter'}.eml"
        partial = self.path / ".partial"
        _write_synced(partial, letter.data)
        partial.replace(self.path / name)
        settle(self.path)
        self._known[name] = letter.message_id
        self._next += 1
        return Sent(letter.message_id, "sent", name)

    def _message_ids(self) -> dict[str, str]:
        """Message-ID -> file name of what lies in the folder now; files seen before are not opened again."""
        names = sorted(file.name for file in self.path.glob("*.eml"))
        self._known = {name: self._known.get(name) or self._message_id(name) for name in names}
        numbers = [int(match[1]) for name in names if (match := _NUMBERED.fullmatch(name))]
        self._next = max(numbers, default=0) + 1
        return {message_id: name for name, message_id in self._known.items() if message_id}

    def _message_id(self, name: str) -> str:
        with (self.path / name).open("rb") as file:
            head = file.read(_HEAD_BYTES).replace(b"\r\n", b"\n").partition(b"\n\n")[0]
        match = _MESSAGE_ID.search(head)
        return match[1].decode("ascii", "replace") if match else ""


@dataclass(frozen=True, slots=True)
class SmtpSettings:
    """How to reach a mail server. `security`: "starttls" (usual on port 587), "tls" (465) or "none". `cafile`
    names a certificate authority of one's own; `timeout` is in seconds and holds for each step."""

    host: str
    port: int = 587
    security: Literal["starttls", "tls", "none"] = "starttls"
    username: str = ""
    password: str = ""
    timeout: float = 30.0
    local_hostname: str = ""
    cafile: str = ""


class SmtpTransport:
    """Hands letters to an SMTP server, over one connection as long as that lasts."""

    def __init__(self, settings: SmtpSettings) -> None:
        self.settings = settings
        self._client: aiosmtplib.SMTP | None = None
        self._runner: asyncio.Runner | None = None

    def send(self, letter: Outgoing) -> Sent:
        """Send a letter from a program without an event loop; see `deliver`."""
        self._runner = self._runner or asyncio.Runner()
        return self._runner.run(self.deliver(letter))

    def close(self) -> None:
        """Say goodbye to the server, from a program without an event loop."""
        if self._runner is not None:
            self._runner.run(self.quit())
            self._runner.close()
            self._runner = None

    async def deliver(self, letter: Outgoing) -> Sent:
        """Send a letter. A 4xx reply or a lost connection makes it "later", a 5xx reply "refused".

        Raise Unreachable if there is no connection to be had, or the login is refused.
        """
        if self._client is None or not self._client.is_connected:
            try:
                self._client = await self._connect()
            except Exception as error:
                # Whatever keeps us from the server, from DNS to a certificate, is no fault of the letter.
                host = f"{self.settings.host}:{self.settings.port}"
                raise Unreachable(f"{host}: {_in_words(error)}") from error
        try:
            async with asyncio.timeout(LONGEST):
                return await self._hand_over(self._client, letter)
        except TimeoutError:
            self._client.close()
            return Sent(letter.message_id, "later", f"not done after {LONGEST:.0f} s")

    async def would_take(self, sender: str, to: str) -> tuple[int, str]:
        """Ask whether a letter to somebody would be taken, without sending one: the code of the reply and its
        text. Raise Unreachable as `deliver` does, and if mail of this sender is refused."""
        import aiosmtplib

        try:
            self._client = await self._connect()
            await self._client.mail(sender)
            reply = await self._client.rcpt(to)
            await self._client.rset()
        except aiosmtplib.SMTPAuthenticationError as error:
            raise Unreachable(f"the login is refused: {error.code} {error.message}") from error
        except aiosmtplib.SMTPSenderRefused as error:
            raise Unreachable(f"mail from {sender} is refused: {error.code} {error.message}") from error
        except aiosmtplib.SMTPResponseException as error:
            return error.code, error.message
        except Exception as error:
            raise Unreachable(_in_words(error)) from error
        finally:
            await self.quit()
        return reply.code, reply.message

    async def quit(self) -> None:
        """Say goodbye to the server."""
        if self._client is not None:
            with contextlib.suppress(Exception):  # the letters are accepted; a rude goodbye changes nothing
                await self._client.quit()
            self._client.close()
            self._client = None

    async def _connect(self) -> aiosmtplib.SMTP:
        import aiosmtplib

        settings = self.settings
        context = (
            ssl.create_default_context(cafile=settings.cafile or None)
            if settings.security != "none"
            else None
        )
        client = aiosmtplib.SMTP(
            hostname=settings.host,
            port=settings.port,
            timeout=settings.timeout,
            use_tls=settings.security == "tls",
            start_tls=settings.security == "starttls",
            tls_context=context,
            local_hostname=settings.local_hostname or socket.gethostname(),
        )
        try:
            await client.connect()
            if settings.username:
                await client.login(settings.username, settings.password)
        except BaseException:
            client.close()
            raise
        return client

    async def _hand_over(self, client: aiosmtplib.SMTP, letter: Outgoing) -> Sent:
        import aiosmtplib

        for address in (letter.sender, letter.to):
            if not is_address(address):
                return Sent(
                    letter.message_id, "refused", f"{address!r} is not a mail address that can be written to"
                )
        try:
            _, answer = await client.sendmail(letter.sender, [letter.to], letter.data)
            return Sent(letter.message_id, "sent", answer, 250)
        except aiosmtplib.SMTPRecipientsRefused as error:
            return _refusal(letter, error.recipients[0])
        except aiosmtplib.SMTPSenderRefused as error:
            # Our own address or login is at fault, which can be mended, unless the letter is too large (552).
            if error.code == 552:
                return _refusal(letter, error)
            return Sent(letter.message_id, "later", error.message, error.code)
        except aiosmtplib.SMTPResponseException as error:
            return _refusal(letter, error)
        except (aiosmtplib.SMTPException, OSError) as error:
            client.close()
            return Sent(letter.message_id, "later", _in_words(error))


def _refusal(letter: Outgoing, error: aiosmtplib.SMTPResponseException) -> Sent:
    result: Literal["later", "refused"] = "refused" if 500 <= error.code < 600 else "later"
    return Sent(letter.message_id, result, error.message, error.code)


def _in_words(error: BaseException) -> str:
    return str(error) or type(error).__name__


# --- the disk ---------------------------------------------------------------------------------------------


def _write_synced(path: Path, data: bytes) -> None:
    with open(path, "wb", opener=private) as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())


@contextlib.contextmanager
def _only_one(path: Path) -> Iterator[None]:
    """Keep other processes out of a folder meanwhile. The lock goes with the process that holds it."""
    with open(path, "wb", opener=private) as file:
        try:
            import fcntl
        except ImportError:  # Windows: one process at a time has to be enough
            yield
            return
        fcntl.flock(file, fcntl.LOCK_EX)
        yield
