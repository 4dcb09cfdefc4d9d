"""Mails in from pipes, files and Maildirs; out to folders and to a real SMTP server."""

from __future__ import annotations

import asyncio
import gc
import io
import os
import shutil
import signal
import socket
import ssl
import subprocess
import sys
import time
import warnings
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pytest
from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP as Server
from aiosmtpd.smtp import AuthResult, Envelope, LoginPassword, Session

from pbem.mail.transport import (
    FolderTransport,
    Maildir,
    Outgoing,
    Sent,
    SmtpSettings,
    SmtpTransport,
    Transport,
    Unreachable,
    from_files,
    from_pipe,
)

ROOT = Path(__file__).parents[2]


def letter(number: int, to: str = "anna@example.org", text: str = "Your move.\n") -> Outgoing:
    message_id = f"<pbem.{number}@club.example>"
    data = f"From: pocket@club.example\nTo: {to}\nMessage-ID: {message_id}\n\n{text}".encode()
    return Outgoing(message_id, "pocket@club.example", to, data, slug=f"pocket-turn-{number}")


def sent_by(way: Transport, letters: Iterable[Outgoing]) -> list[Sent]:
    """Hand letters over one after another, and say goodbye."""
    with closing(way):
        return [way.send(one) for one in letters]


def results(sent: list[Sent]) -> list[str]:
    return [one.result for one in sent]


# --- inward -----------------------------------------------------------------------------------------------


def test_pipe() -> None:
    """A pipe is read to its end, and what is beyond the limit is not kept."""
    assert from_pipe(io.BytesIO(b"a" * 100_000), 100_000) == (b"a" * 100_000, 100_000)
    stream = io.BytesIO(b"a" * 200_000)
    assert from_pipe(stream, 70_000) == (b"a" * 70_000, 200_000)
    assert stream.read() == b""


def test_files_and_folders(tmp_path: Path) -> None:
    """Files come as named, the mails of a folder by name, and other files of a folder not at all."""
    for name in ("2.eml", "1.eml", "notes.txt"):
        (tmp_path / name).write_bytes(name.encode())
    single = tmp_path / "notes.txt"
    assert [raw for _, raw in from_files([single, tmp_path])] == [b"notes.txt", b"1.eml", b"2.eml"]
    with pytest.raises(FileNotFoundError):
        list(from_files([tmp_path / "missing.eml"]))


def test_maildir(tmp_path: Path) -> None:
    """A mail waits, oldest first, until it is done, and is then kept as read."""
    box = Maildir(tmp_path / "box")
    names = [box.deliver(b"one"), box.deliver(b"two")]
    assert list(box.waiting()) == [(names[0], b"one"), (names[1], b"two")]
    box.done(names[0])
    box.done(names[0])
    assert list(Maildir(tmp_path / "box").waiting()) == [(names[1], b"two")]
    assert (tmp_path / "box" / "cur" / f"{names[0]}:2,S").read_bytes() == b"one"
    assert list((tmp_path / "box" / "tmp").iterdir()) == []


def test_maildir_shared_by_two(tmp_path: Path) -> None:
    """A mail that another process has finished meanwhile is passed over."""
    box = Maildir(tmp_path)
    names = [box.deliver(b"one"), box.deliver(b"two")]
    waiting = box.waiting()
    assert next(waiting)[0] == names[0]
    Maildir(tmp_path).done(names[1])
    assert list(waiting) == []


# --- a folder ---------------------------------------------------------------------------------------------


def test_folder_numbers_letters(tmp_path: Path) -> None:
    """Letters are files in the order of sending, as composed, and numbering goes on in the next process."""
    assert results(sent_by(FolderTransport(tmp_path / "out"), [letter(1), letter(2)])) == ["sent", "sent"]
    FolderTransport(tmp_path / "out").send(letter(3))
    files = sorted((tmp_path / "out").glob("*.eml"))
    assert [file.name for file in files] == [f"000{n}-pocket-turn-{n}.eml" for n in (1, 2, 3)]
    assert [file.read_bytes() for file in files] == [letter(n).data for n in (1, 2, 3)]


def test_folder_keeps_no_letter_twice(tmp_path: Path) -> None:
    """A letter handed over again, by whichever process, is reported as sent under its first name."""
    first = FolderTransport(tmp_path)
    sent_by(first, [letter(1), letter(1)])
    other = sent_by(FolderTransport(tmp_path), [letter(2), letter(1)])
    assert other[1] == Sent(letter(1).message_id, "sent", "0001-pocket-turn-1.eml")
    assert first.send(letter(2)).detail == "0002-pocket-turn-2.eml"
    assert len(list(tmp_path.glob("*.eml"))) == 2


def test_folder_names_are_harmless(tmp_path: Path) -> None:
    """A slug cannot lead out of the folder."""
    FolderTransport(tmp_path / "out").send(
        Outgoing("<a@b>", "a@b", "c@d", b"Message-ID: <a@b>\n\nx", "../../x/\n")
    )
    assert [file.name for file in (tmp_path / "out").glob("*.eml")] == ["0001-x.eml"]


def test_folder_that_cannot_be_written(tmp_path: Path) -> None:
    """When the disk refuses, no letter can go, and the reason names the folder."""
    (tmp_path / "out").write_text("a file, no folder")
    with pytest.raises(Unreachable, match="out"):
        FolderTransport(tmp_path / "out").send(letter(1))


_WRITER = """
import sys
from pathlib import Path
sys.path.insert(0, {root!r})
from pbem.mail.transport import FolderTransport, Outgoing
letters = [
    Outgoing(f"<{{n}}@x>", "a@b", "c@d", f"Message-ID: <{{n}}@x>\\n\\n".encode() + b"x" * 20000, "t")
    for n in range(400)
]
print("ready", flush=True)
for one in letters:
    FolderTransport(Path({path!r})).send(one)
"""


def test_folder_survives_a_kill(tmp_path: Path) -> None:
    """Killed in the middle of writing and started again, a folder holds each letter once and whole."""
    code = _WRITER.format(root=str(ROOT), path=str(tmp_path))
    for files in (3, 10):
        with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE) as process:
            while len(list(tmp_path.glob("*.eml"))) < files:
                assert process.poll() is None
            os.kill(process.pid, signal.SIGKILL)
    letters = [
        Outgoing(f"<{n}@x>", "a@b", "c@d", f"Message-ID: <{n}@x>\n\n".encode() + b"x" * 20000, "t")
        for n in range(40)
    ]
    assert results(sent_by(FolderTransport(tmp_path), letters)) == ["sent"] * 40
    contents = [file.read_bytes() for file in sorted(tmp_path.glob("*.eml"))]
    assert len(contents) == len(set(contents))
    assert {one.data for one in letters} <= set(contents)
    assert all(content.endswith(b"x" * 20000) for content in contents)


# --- SMTP -------------------------------------------------------------------------------------------------


class Office:
    """A mail server's clerk: knows some addresses, refuses others, and remembers what came."""

    def __init__(self) -> None:
        self.letters: list[tuple[str, bytes]] = []
        self.sessions: list[Session] = []

    async def handle_MAIL(
        self, server: Server, session: Session, envelope: Envelope, sender: str, options: Any
    ) -> str:
        if sender.startswith("stranger"):
            return "530 5.7.0 authentication required"
        envelope.mail_from = sender
        return "250 OK"

    async def handle_RCPT(
        self, server: Server, session: Session, envelope: Envelope, to: str, options: Any
    ) -> str:
        local = to.partition("@")[0]
        if local == "unknown":
            return "550 5.1.1 no such person here"
        if local == "busy":
            return "451 4.3.0 try again later"
        if local == "hangup":
            assert isinstance(server.transport, asyncio.Transport)
            server.transport.abort()
        envelope.rcpt_tos.append(to)
        return "250 OK"

    async def handle_DATA(self, server: Server, session: Session, envelope: Envelope) -> str:
        if b"forbidden" in (envelope.original_content or b""):
            return "554 5.7.1 message refused"
        if session not in self.sessions:
            self.sessions.append(session)
        self.letters.append((envelope.rcpt_tos[0], envelope.original_content or b""))
        return "250 kept"


@contextmanager
def server(office: Office, **options: Any) -> Iterator[int]:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    controller = Controller(office, hostname="127.0.0.1", port=port, **options)
    controller.start()
    try:
        yield port
    finally:
        # A connection that is still being closed when the server's loop stops is left to the garbage
        # collector,
        # whose warning would fall upon some later test.
        patience = time.monotonic() + 2
        while asyncio.all_tasks(controller.loop) and time.monotonic() < patience:
            time.sleep(0.005)
        controller.stop()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ResourceWarning)
            gc.collect()


def plain(port: int, **more: Any) -> SmtpSettings:
    return SmtpSettings("127.0.0.1", port, security="none", timeout=5, local_hostname="club.example", **more)


def test_smtp_sends_letters_over_one_connection() -> None:
    """Letters arrive whole, in order, on one connection; after a goodbye the next one opens another."""
    office = Office()
    with server(office) as port:
        way = SmtpTransport(plain(port))
        sent = sent_by(way, [letter(n, text=f"{n}\n.\n..dots\n") for n in range(5)])
        connections = len(office.sessions)
        sent_by(way, [letter(6)])
    assert results(sent) == ["sent"] * 5
    assert [content for _, content in office.letters[:5]] == [
        letter(n, text=f"{n}\n.\n..dots\n").data.replace(b"\n", b"\r\n") for n in range(5)
    ]
    assert (connections, len(office.sessions)) == (1, 2)


def test_smtp_one_bad_letter_does_not_stop_the_others() -> None:
    """Each letter has its own result: refused for ever, to be tried again, or sent."""
    office = Office()
    batch = [
        letter(1), letter(2, "unknown@example.org"), letter(3, "busy@example.org"),
        letter(4, text="forbidden\n"), letter(5, "hangup@example.org"),
        letter(6, "no address\r\nRCPT TO:<x@y.z>"), letter(7),
    ]  # fmt: skip
    with server(office) as port:
        sent = sent_by(SmtpTransport(plain(port)), batch)
    assert results(sent) == ["sent", "refused", "later", "refused", "later", "refused", "sent"]
    assert [one.message_id for one in sent] == [one.message_id for one in batch]
    assert (sent[1].code, sent[1].detail) == (550, "5.1.1 no such person here")
    assert sent[2].code == 451
    assert [to for to, _ in office.letters] == ["anna@example.org", "anna@example.org"]


def test_smtp_sender_refused() -> None:
    """When the server will not take mail from us at all, letters wait until somebody has mended that."""
    stranger = Outgoing("<1@x>", "stranger@club.example", "anna@example.org", b"Message-ID: <1@x>\n\n")
    with server(Office()) as port:
        sent = sent_by(SmtpTransport(plain(port)), [stranger, letter(2)])
    assert [(one.result, one.code) for one in sent] == [("later", 530), ("sent", 250)]


def test_smtp_letter_too_large() -> None:
    """A letter that the server says is too large will not get smaller by waiting."""
    with server(Office(), data_size_limit=1000) as port:
        sent = sent_by(SmtpTransport(plain(port)), [letter(1, text="x\n" * 2000), letter(2)])
    assert [(one.result, one.code) for one in sent] == [("refused", 552), ("sent", 250)]


def test_smtp_server_not_there() -> None:
    """When no server answers, no letter can go, and the reason names the server."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        with pytest.raises(Unreachable, match=r"^127\.0\.0\.1:"):
            sent_by(SmtpTransport(plain(free.getsockname()[1])), [letter(1)])


def test_smtp_of_nothing_connects_to_nothing() -> None:
    """Without letters no server is needed."""
    assert sent_by(SmtpTransport(plain(1)), []) == []


@pytest.mark.filterwarnings("ignore:Requiring AUTH while not requiring TLS")
def test_smtp_login() -> None:
    """With the right password letters go; with a wrong one none can, since the letters are not at fault."""

    def known(server: Any, session: Any, envelope: Any, mechanism: str, data: Any) -> AuthResult:
        assert isinstance(data, LoginPassword)
        return AuthResult(success=data.password == b"right", handled=False)

    office = Office()
    with server(office, authenticator=known, auth_required=True, auth_require_tls=False) as port:
        good = sent_by(SmtpTransport(plain(port, username="pbem", password="right")), [letter(1)])
        with pytest.raises(Unreachable):
            sent_by(SmtpTransport(plain(port, username="pbem", password="wrong")), [letter(2)])
    assert results(good) == ["sent"]
    assert len(office.letters) == 1


@pytest.mark.filterwarnings(
    "ignore::pytest.PytestUnraisableExceptionWarning"
)  # asyncio and a handshake refused
def test_smtp_starttls(tmp_path: Path) -> None:
    """Over STARTTLS letters go to a server whose certificate is trusted, and to no other."""
    openssl = shutil.which("openssl")
    if openssl is None:
        pytest.skip("openssl is needed to make a certificate")
    key, certificate = tmp_path / "key.pem", tmp_path / "cert.pem"
    command = [openssl, "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1",
               "-nodes", "-days", "2", "-subj", "/CN=localhost", "-addext", "subjectAltName=IP:127.0.0.1",
               "-keyout", str(key), "-out", str(certificate)]  # fmt: skip
    subprocess.run(command, check=True, capture_output=True)
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(certificate, key)
    office = Office()
    with server(office, tls_context=context, require_starttls=True) as port:
        trusted = SmtpSettings(
            "127.0.0.1", port, timeout=5, local_hostname="club.example", cafile=str(certificate)
        )
        strange = SmtpSettings("127.0.0.1", port, timeout=5, local_hostname="club.example")
        assert results(sent_by(SmtpTransport(trusted), [letter(1)])) == ["sent"]
        with pytest.raises(Unreachable, match="certificate"):
            sent_by(SmtpTransport(strange), [letter(2)])
    assert len(office.letters) == 1


def test_smtp_inside_an_event_loop() -> None:
    """A server that runs an event loop of its own awaits the same."""
    office = Office()

    async def inside(port: int) -> Sent:
        way = SmtpTransport(plain(port))
        sent = await way.deliver(letter(1))
        await way.quit()
        return sent

    with server(office) as port:
        assert asyncio.run(inside(port)).result == "sent"
