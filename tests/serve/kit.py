"""A running service for tests: the process `pbem serve`, a mail server at the far end that counts, and a club
of small games whose players write letters."""

from __future__ import annotations

import json
import os
import signal
import smtplib
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from email.message import EmailMessage
from email.utils import format_datetime
from pathlib import Path
from typing import Any, Self

from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, Envelope, Session
from sqlmodel import col, select, update

from pbem.service.moderating.start import NewGame, Player, start
from pbem.service.record.rows import JournalRow, LetterRow, OutboxRow, SeatRow
from pbem.service.record.store import Store
from pbem.service.record.terms import replies_to

TESTS = Path(__file__).parents[1]
ADDRESS = "pbem@host.example"
PORTS = iter(range(10_000 + os.getpid() % 500 * 40, 32_768))
"""Ports of this process, below those that the system gives to connections of other programs."""


def free_port() -> int:
    """A port of this machine that nobody listens on."""
    for port in PORTS:
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)):
                return port
    raise RuntimeError("no port is free")


def wait_until(what: Callable[[], Any], seconds: float = 30.0, says: str = "") -> Any:
    """Wait until `what` gives something; return that. Raise AssertionError after this many seconds."""
    began = time.monotonic()
    while not (got := what()):
        assert time.monotonic() - began < seconds, says or f"nothing after {seconds:.0f} s"
        time.sleep(0.02)
    return got


# --- the far end --------------------------------------------------------------------------------------------


class FarEnd:
    """A mail server that counts the letters it takes, by Message-ID. `refuses` gives the reply to the n-th
    mail and its recipient; "" takes it."""

    controller_class = Controller

    def __init__(
        self, port: int, refuses: Callable[[int, str], str] = lambda number, to: "", host: str = "127.0.0.1"
    ) -> None:
        self.port, self.refuses = port, refuses
        self.offered = 0
        self.taken: Counter[str] = Counter()
        self.mails: list[bytes] = []
        self.at: dict[str, float] = {}
        made = self.controller_class(self, hostname=host, port=port, data_size_limit=32_000_000)
        self.controller = made

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:
        self.offered += 1
        if answer := self.refuses(self.offered, envelope.rcpt_tos[0]):
            return answer
        content = envelope.content
        assert isinstance(content, bytes)
        name = _message_id(content)
        self.taken[name] += 1
        self.at.setdefault(name, time.monotonic())
        self.mails.append(content)
        return "250 OK"

    def __enter__(self) -> Self:
        self.controller.start()
        return self

    def __exit__(self, *error: object) -> None:
        self.controller.stop()


def _message_id(raw: bytes) -> str:
    head = raw.replace(b"\r\n", b"\n").partition(b"\n\n")[0].decode("ascii", "replace")
    return next(line for line in head.splitlines() if line.lower().startswith("message-id:"))[11:].strip()


# --- the service --------------------------------------------------------------------------------------------


class Service:
    """A process of `pbem serve` in a folder of its own, and how to reach it; `within` is a network namespace,
    in which it is reached by a socket."""

    def __init__(
        self,
        folder: Path,
        store: str,
        smtp: int,
        name: str = "w1",
        intake: str = "",
        more: str = "",
        smtp_host: str = "127.0.0.1",
        within: str = "",
        address: str = ADDRESS,
    ) -> None:
        self.folder, self.store, self.name, self.within = folder, store, name, within
        self.lmtp, self.health = free_port(), free_port()
        self.door = folder / f"{name}.lmtp"
        folder.mkdir(parents=True, exist_ok=True)
        self.config = folder / f"{name}.toml"
        listen = f"unix:{self.door}" if within else f"127.0.0.1:{self.lmtp}"
        intake = intake or f'[intake.lmtp]\nlisten = "{listen}"\n'
        self.config.write_text(
            f'store = "{store}"\naddress = "{address}"\nworker = "{name}"\n{more}\n'
            f'[smtp]\nhost = "{smtp_host}"\nport = {smtp}\ntls = "none"\nretry_minutes = [0.01]\n'
            f'[health]\nlisten = "127.0.0.1:{self.health}"\n{intake}'
        )
        self.log = folder / f"{name}.log"
        self.process: subprocess.Popen[bytes] | None = None

    def start(self, wait: bool = True) -> Service:
        """Start the process, and wait until it is ready."""
        path = os.pathsep.join([str(TESTS.parent), str(TESTS)])  # the games of the tests, too
        environment = {**os.environ, "PBEM_CONFIG": str(self.config), "PYTHONPATH": path}
        inside = ["ip", "netns", "exec", self.within] if self.within else []
        words = [*inside, sys.executable, "-m", "pbem", "serve"]
        before = self.said().count("event=ready")
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(words, cwd=self.folder, env=environment, stderr=log, stdout=log)
        if wait:
            wait_until(lambda: self.said().count("event=ready") > before or self._ended(), 60, self.said())
        return self

    def _ended(self) -> bool:
        assert self.process is not None
        assert self.process.poll() is None, f"it ended with {self.process.returncode}: {self.said()}"
        return False

    def said(self) -> str:
        """What stands in its log."""
        return self.log.read_text() if self.log.exists() else ""

    def kill(self) -> None:
        """kill -9; its children end by themselves, after what they have in hand."""
        assert self.process is not None
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()

    def run_to_end(self) -> int:
        """Start the process where it cannot serve; return its exit code."""
        self.start(wait=False)
        assert self.process is not None
        return self.process.wait(60)

    def stop(self) -> int:
        """SIGTERM; return the exit code."""
        assert self.process is not None
        self.process.terminate()
        return self.process.wait(60)

    def get(self, path: str) -> tuple[int, str]:
        """What it answers on its health port."""
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{self.health}{path}", timeout=20) as answer:
                return answer.status, answer.read().decode()
        except urllib.error.HTTPError as error:
            return error.code, error.read().decode()

    def ready(self) -> dict[str, Any]:
        code, text = self.get("/readyz")
        told: dict[str, Any] = json.loads(text)
        assert (code == 200) == ("ok" in told)
        return told

    def hand_over(self, raw: bytes, to: str) -> str:
        """Hand a mail over by LMTP; return the reply to it."""
        host, port = (str(self.door), 0) if self.within else ("127.0.0.1", self.lmtp)
        with smtplib.LMTP(host, port, timeout=60) as client:
            try:
                client.sendmail("anna@mail.example", [to], raw)
            except smtplib.SMTPDataError as error:
                return f"{error.smtp_code} {error.smtp_error!r}"
            except smtplib.SMTPRecipientsRefused as error:
                return str(next(iter(error.recipients.values())))
            return "250"


@contextmanager
def serving(*services: Service) -> Iterator[tuple[Service, ...]]:
    """Services that are started, and in the end killed."""
    try:
        for each in services:
            each.start()
        yield services
    finally:
        for each in services:
            if each.process is not None and each.process.poll() is None:
                each.kill()


# --- the club -----------------------------------------------------------------------------------------------


class Club:
    """A store of small games (conftest.setup), and letters of their players."""

    def __init__(
        self,
        store: Store,
        names: list[str],
        now: datetime | None = None,
        address: str = ADDRESS,
        **terms: Any,
    ) -> None:
        self.store, self.address = store, address
        self.terms = {"address": address, "clock_hours": 72, "moderator": "mod@host.example"} | terms
        moment = now or datetime.now(UTC)
        for name in names:
            people = {
                "red": Player("Rita", f"rita@{name}.example"),
                "blue": Player("Bob", f"bob@{name}.example"),
            }
            start(store, NewGame("clash", name, players=people, settings=self.terms, seed=name), moment)
        with store.transaction() as session:
            self.seats = {(row.game, row.key): row for row in session.exec(select(SeatRow))}
        self.written = 0

    def letter(self, game: str, seat: str, body: str) -> tuple[bytes, str]:
        """A letter of a player, and the address to which it goes."""
        row = self.seats[game, seat]
        back = replies_to(self.terms, game, seat, row.token_key)
        to = back.address
        self.written += 1
        message = EmailMessage()
        message["From"], message["To"], message["Subject"] = row.address, to, back.subject(f"Re: [{game}]")
        message["Message-ID"] = f"<{self.written}.{os.getpid()}@mail.example>"
        message["Date"] = format_datetime(datetime.now(UTC))
        message.set_content(body)
        return message.as_bytes(), to

    def unsent(self) -> int:
        with self.store.transaction() as session:
            return len(session.exec(select(OutboxRow.id).where(col(OutboxRow.sent).is_(None))).all())

    def forget_claims(self) -> None:
        """Let the time pass for which a letter is left to a process that has it in hand and was killed."""
        with self.store.transaction() as session:
            session.execute(update(OutboxRow).values(claimed=None))

    def outcomes(self, game: str = "") -> Counter[str]:
        """What became of letters, of all or of those to one game."""
        with self.store.transaction() as session:
            rows = session.exec(select(LetterRow.game, LetterRow.outcome))
            return Counter(outcome for name, outcome in rows if game in ("", name))

    def answers(self, game: str = "") -> set[str]:
        """The Message-IDs of the letters in the outbox, of all or of those of one game."""
        with self.store.transaction() as session:
            rows = session.exec(select(OutboxRow.game, OutboxRow.message_id))
            return {message_id for name, message_id in rows if game in ("", name)}

    def journal(self, game: str) -> list[tuple[Any, ...]]:
        """The journal of a game without the moments and hashes, which differ from run to run."""
        with self.store.transaction() as session:
            rows = session.exec(
                select(JournalRow).where(JournalRow.game == game).order_by(col(JournalRow.number))
            )
            return [(row.phase, row.kind, row.asked, json.dumps(row.answer), row.by) for row in rows]
