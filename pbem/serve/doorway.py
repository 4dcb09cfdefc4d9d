"""A socket at which `pbem mail receive` hands over a mail that a pipe has given it (pbem/pipe.py). The answer
is one line: an exit code as mail servers read them, and what became of the mail."""

from __future__ import annotations

import asyncio
import os
from contextlib import suppress
from pathlib import Path

from pbem.config import Socket
from pbem.serve.desk import Desk
from pbem.service.intake.limits import TooLarge
from pbem.service.time.host import Source

TEMPORARY, REFUSED = 75, 77
"""Exit codes of a mail that is to come again, and of one that will never be taken (sysexits.h)."""

CODES = {"later": TEMPORARY, "refused": REFUSED}
CHUNK = 65_536
LONGEST = 60.0
"""Seconds that a process may take to hand a mail over."""


class Doorway:
    """Takes mail at a socket that only the user of the service may write to."""

    keeps = False

    def __init__(self, desk: Desk, settings: Socket) -> None:
        self.desk, self.path = desk, settings.path
        self.name = f"socket:{settings.path}"
        self.server: asyncio.AbstractServer | None = None

    async def start(self) -> None:
        """Begin to listen. Raise OSError if the socket cannot be made."""
        with suppress(FileNotFoundError):
            _remove_socket(self.path)
        before = os.umask(0o177)
        try:
            self.server = await asyncio.start_unix_server(self._serve, self.path)
        finally:
            os.umask(before)

    async def stop(self) -> None:
        """Take no new connections."""
        if self.server is not None:
            self.server.close()
            with suppress(OSError):
                self.path.unlink()

    def source(self) -> Source:
        """Until when mail that was handed over here has been read."""
        return Source(self.desk.read_until if self.server else None, self.keeps)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            async with asyncio.timeout(LONGEST):
                size = int((await reader.readline()).strip() or b"-1")
                if size > self.desk.limits.bytes:
                    await _read_off(reader, size)
                    raise TooLarge(size, self.desk.limits.bytes)
                raw = await reader.readexactly(size) if size > 0 else b""
            code, why = await self._taken(raw)
        except TooLarge as error:
            code, why = REFUSED, str(error)
        except (TimeoutError, ValueError, OSError, asyncio.IncompleteReadError) as error:
            code, why = TEMPORARY, f"the mail did not come whole: {error}"
        with suppress(OSError):
            writer.write(f"{code} {' '.join(why.split())}\n".encode())
            await writer.drain()
        writer.close()

    async def _taken(self, raw: bytes) -> tuple[int, str]:
        if not raw.strip():
            return TEMPORARY, "there is no email on standard input"
        if self.desk.is_full:
            return TEMPORARY, "busy"
        taken = await self.desk.take(raw, self.name)
        whose = f" {taken.game} {taken.seat}" if taken.game else ""
        return CODES.get(taken.result, 0), f"{taken.outcome or taken.result}{whose}: {taken.why}"


async def _read_off(reader: asyncio.StreamReader, size: int) -> None:
    """Read as many bytes and throw them away, so that who sends them can read the answer."""
    while size > 0:
        size -= len(await reader.readexactly(min(size, CHUNK)))


def _remove_socket(path: Path) -> None:
    """Remove the socket of a service that was killed; nothing else that lies there."""
    if path.is_socket():
        path.unlink()
