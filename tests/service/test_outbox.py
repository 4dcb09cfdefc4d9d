"""The outbox: every letter goes once, whatever happens; those that could not go stay in sight."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path
from typing import Any, Literal

import pytest
from conftest import HOUR, NOW, begin
from postbox import Postbox
from sizes import some
from sqlmodel import select

from pbem.mail.transport import FolderTransport, Outgoing, Sent, Unreachable
from pbem.service.intake.outbox import LEASE, Which, failures, letters, pending, resend, send_pending, visit
from pbem.service.moderating.start import NewGame, start
from pbem.service.record.errors import StoreError
from pbem.service.record.rows import GameRow, OutboxRow
from pbem.service.record.store import Store
from tests.mail.test_transport import Office, server

MINUTE = timedelta(minutes=1)
MODERATOR = "mod@host.example"
PBEM = [sys.executable, "-c", "from pbem.cli import run; run()"]


class Way:
    """A way out with the same answer for every letter; remembers what it was given."""

    def __init__(self, result: Literal["sent", "later", "refused"] = "sent", detail: str = "") -> None:
        self.result, self.detail = result, detail
        self.given: list[str] = []

    def send(self, letter: Outgoing) -> Sent:
        self.given.append(letter.to)
        return Sent(letter.message_id, self.result, self.detail)

    def close(self) -> None: ...


def row(store: Store, number: int = 1) -> OutboxRow:
    with store.transaction() as session:
        return session.get_one(OutboxRow, number)


def filled(store: Store, count: int) -> None:
    """Put `count` short letters of a toy game into the outbox, and nothing else."""
    start(store, NewGame("clash", "toy", settings={"address": "pbem@host.example"}, seed="toy"), NOW)
    with store.transaction() as session:
        for each in session.exec(select(OutboxRow)):
            session.delete(each)
        for number in range(count):
            raw = f"From: pbem@host.example\nTo: r@mail.example\nMessage-ID: <{number}@host>\n\nx\n".encode()
            session.add(
                OutboxRow(game="toy", key=f"k{number}", recipient="r@mail.example", raw=raw, created=NOW)
            )


# --- sending ------------------------------------------------------------------------------------------------


def test_letters_are_sent_once(toy: Store, tmp_path: Path) -> None:
    """A letter that has been sent is not sent again."""
    assert pending(toy) == 1
    handed = send_pending(toy, FolderTransport(tmp_path / "out"), NOW)
    assert [(each.result, each.recipient) for each in handed] == [("sent", "rita@mail.example")]
    assert send_pending(toy, FolderTransport(tmp_path / "out"), NOW) == []
    assert len(list((tmp_path / "out").glob("*.eml"))) == 1
    assert pending(toy) == 0


def test_letters_of_one_game(store: Store) -> None:
    """A run for one game leaves the letters of the others."""
    begin(store, "one")
    begin(store, "two")
    assert {each.key.split("-")[0] for each in send_pending(store, Way(), NOW, game="two")} == {"two"}
    assert pending(store) == 1


def test_a_crash_after_sending_does_no_harm(toy: Store, tmp_path: Path) -> None:
    """A letter handed over but not marked is left alone for a while, then goes again unchanged."""

    class Crash(FolderTransport):
        def send(self, letter: Outgoing) -> Sent:
            super().send(letter)
            raise KeyboardInterrupt

    folder = tmp_path / "out"
    with pytest.raises(KeyboardInterrupt):
        send_pending(toy, Crash(folder), NOW)
    before = {path.name: path.read_bytes() for path in folder.glob("*.eml")}
    assert send_pending(toy, FolderTransport(folder), NOW + LEASE - MINUTE) == []
    again = send_pending(toy, FolderTransport(folder), NOW + LEASE + MINUTE)
    assert [each.result for each in again] == ["sent"]
    assert {path.name: path.read_bytes() for path in folder.glob("*.eml")} == before


def test_a_slow_process_does_not_undo_what_another_did(toy: Store) -> None:
    """A process that wakes after its claim has run out leaves the letter to the one that has it by now."""

    class Asleep(Way):
        def send(self, letter: Outgoing) -> Sent:
            send_pending(toy, Way(), NOW + 2 * LEASE)
            return Sent(letter.message_id, "later", "the line was cut")

    send_pending(toy, Asleep(), NOW)
    assert (row(toy).sent, row(toy).error, row(toy).attempts) == (NOW + 2 * LEASE, "", 1)


def test_the_run_stops_when_asked(store: Store) -> None:
    """The letter in hand is finished, the others wait."""
    filled(store, 3)
    way = Way()
    assert len(send_pending(store, way, NOW, stop=lambda: len(way.given) >= 2)) == 2
    assert pending(store) == 1


# --- failing ------------------------------------------------------------------------------------------------


def test_a_letter_that_failed_waits_longer_each_time(toy: Store) -> None:
    """After 5 minutes, 15, 1 hour, 4 hours and then every 8 hours a letter is tried again, not before."""
    now = NOW
    for wait in (5, 15, 60, 240, 480, 480):
        assert [each.result for each in send_pending(toy, Way("later", "greylisted"), now)] == ["later"]
        assert (row(toy).tried, row(toy).next_try) == (now, now + wait * MINUTE)
        assert send_pending(toy, Way(), now + (wait - 1) * MINUTE) == []
        now += wait * MINUTE
    assert (row(toy).sent, row(toy).attempts, row(toy).error) == (None, 6, "greylisted")
    assert [each.result for each in send_pending(toy, Way(), row(toy).tried or NOW, at_once=True)] == ["sent"]
    assert (row(toy).error, row(toy).next_try, row(toy).claimed) == ("", None, None)


def test_a_worker_has_one_letter_in_hand(toy: Store) -> None:
    """What a worker of the service has claimed and was not told of, as its child was killed, it claims again
    at once; what another has in hand is left to that."""
    _, mine = visit(toy, NOW, None, Which(by="one"))
    assert mine is not None
    assert visit(toy, NOW, None, Which(by="two"))[1] is None and visit(toy, NOW, None, Which())[1] is None
    _, again = visit(toy, NOW, None, Which(by="one"))
    assert again is not None and again.id == mine.id


def test_a_letter_is_given_up_after_five_days(toy: Store) -> None:
    """Then it is refused, its moderator reads of it, and it can be put back. A host that was off for a week
    does not give up at the first failure."""
    now, tries = NOW + timedelta(days=7), 0
    while not row(toy).error.startswith("refused"):
        send_pending(toy, Way("later", "greylisted"), now)
        tries, now = tries + 1, now + timedelta(hours=8)
    assert tries == 6 and row(toy).error == "refused: given up after 5 days: greylisted"
    assert notices(toy) == ["[toy] Digest: 1 news item"]
    assert [each.state for each in resend(toy, [1])] == ["refused"]
    assert [each.result for each in send_pending(toy, Way(), now)][:1] == ["sent"]


def test_a_server_out_of_reach_costs_no_letter_anything(store: Store) -> None:
    """Without a connection the first letter says why, and all go as soon as the server is back."""

    class Down(Way):
        def send(self, letter: Outgoing) -> Sent:
            super().send(letter)
            raise Unreachable("mx.example:25: nobody answers")

    filled(store, 3)
    down = Down()
    (first,) = send_pending(store, down, NOW)
    assert (first.result, first.detail, len(down.given)) == ("later", "mx.example:25: nobody answers", 1)
    assert [(each.state, each.attempts) for each in letters(store)] == [
        ("failing", 0),
        ("waiting", 0),
        ("waiting", 0),
    ]
    assert [each.result for each in send_pending(store, Way(), NOW + MINUTE)] == ["sent"] * 3


def test_any_answer_of_a_server_is_kept(toy: Store) -> None:
    """What a server says is kept on one line, also with characters that a database cannot take."""
    send_pending(toy, Way("later", "450 caf\udce9\n not\0now "), NOW)
    assert row(toy).error == "450 caf? not now"


def test_a_refused_letter_stays_in_sight(toy: Store) -> None:
    """A refused letter is not tried again, is listed with the server's words, and can be put back."""
    assert send_pending(toy, Way("refused", "no such person"), NOW)[0].result == "refused"
    assert send_pending(toy, Way(), NOW + 9 * HOUR, at_once=True) == []
    posted, digest = letters(toy)
    assert (digest.recipient, digest.state) == (MODERATOR, "refused")
    assert (posted.state, posted.detail, posted.attempts) == ("refused", "no such person", 1)
    with toy.transaction() as session:
        assert failures(session, "toy") == [posted, digest]
    assert resend(toy, [posted.number]) == [posted]
    with toy.transaction() as session:
        assert failures(session, "toy") == [digest]
    assert [each.result for each in send_pending(toy, Way(), NOW + 9 * HOUR)] == ["sent"]
    assert [each.state for each in letters(toy, "toy", everything=True)] == ["sent", "refused"]


def test_only_letters_that_were_not_sent_are_put_back(toy: Store) -> None:
    """All refused letters are put back at once; an unknown number, or that of a sent letter, is refused."""
    assert resend(toy) == []
    send_pending(toy, Way("refused"), NOW)
    assert [each.recipient for each in resend(toy, game="toy")] == ["rita@mail.example", MODERATOR]
    with pytest.raises(StoreError, match="no letter 99"):
        resend(toy, [1, 99])
    send_pending(toy, Way(), NOW)
    with pytest.raises(StoreError, match=r"letter 1 to rita@mail\.example has been sent"):
        resend(toy, [1])


# --- telling the moderator ----------------------------------------------------------------------------------


def notices(store: Store) -> list[str]:
    return [each.subject for each in letters(store, everything=True) if "Digest" in each.subject]


def test_the_moderator_learns_of_refused_letters(toy: Store) -> None:
    """A notice names the letters, at most one goes out in a day, and the next counts what has come since."""
    way = Way("refused", "554 looks like spam")
    send_pending(toy, way, NOW)
    assert way.given == ["rita@mail.example", MODERATOR]
    assert notices(toy) == ["[toy] Digest: 1 news item"]
    told = " ".join(Postbox(toy).texts(MODERATOR)[0].split())
    assert "The mail server has refused letters" in told
    assert "rita@mail.example" in told and "554 looks like spam" in told
    for hours in (1, 2, 3):
        resend(toy, [1])
        send_pending(toy, way, NOW + hours * HOUR)
    assert len(notices(toy)) == 1
    send_pending(toy, Way(), NOW + 25 * HOUR)
    assert len(notices(toy)) == 2 and "3 times" in Postbox(toy).texts(MODERATOR)[1]
    send_pending(toy, Way(), NOW + 50 * HOUR)
    assert len(notices(toy)) == 2


def test_no_moderator_no_notice(store: Store) -> None:
    """Where nobody moderates, or the settings are broken, refused letters are only kept."""
    filled(store, 2)
    send_pending(store, Way("refused"), NOW)
    with store.transaction() as session:
        game = session.get_one(GameRow, "toy")
        game.settings = "soon"  # type: ignore[assignment]
        session.add(game)
    send_pending(store, Way("refused"), NOW)
    assert [each.state for each in letters(store)] == ["refused"] * 2


# --- with real processes and a real server ------------------------------------------------------------------


class Slow(Office):
    """A mail server that takes its time over each letter; `begun` counts those it has heard of."""

    begun = 0

    async def handle_DATA(self, server: Any, session: Any, envelope: Any) -> str:
        self.begun += 1
        await asyncio.sleep(0.1)
        return await super().handle_DATA(server, session, envelope)

    def ids(self) -> Counter[bytes]:
        return Counter(raw.partition(b"Message-ID: ")[2].split()[0] for _, raw in self.letters)


@contextmanager
def sender(store: Store, port: int) -> Iterator[subprocess.Popen[bytes]]:
    """`pbem mail send` as cron starts it."""
    words = ["mail", "send", store.target, "--smtp", f"127.0.0.1:{port}", "--tls", "none"]
    with subprocess.Popen([*PBEM, *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        try:
            yield process
        finally:
            process.kill()


def until(office: Slow, count: int, process: subprocess.Popen[bytes]) -> None:
    """Wait until the server has this many letters, the last one in hand."""
    patience = time.monotonic() + 60
    while office.begun < count:
        assert process.poll() is None and time.monotonic() < patience
        time.sleep(0.01)


@pytest.mark.dear
def test_two_processes_send_each_letter_once(store: Store) -> None:
    """Two processes that send at the same time share the letters; none is delivered twice."""
    filled(store, 24)
    office = Slow()
    with server(office) as port, sender(store, port) as one, sender(store, port) as other:
        told = [process.communicate(timeout=120) for process in (one, other)]
        assert [process.returncode for process in (one, other)] == [0, 0], told
    assert office.ids() == Counter({b"<%d@host>" % number: 1 for number in range(24)})
    assert len(office.sessions) == 2
    assert pending(store) == 0


@pytest.mark.dear
@pytest.mark.skipif(os.name != "posix", reason="signals are sent")
@pytest.mark.parametrize("number", some([signal.SIGTERM, signal.SIGINT], 1))
def test_a_process_that_is_told_to_stop_finishes_the_letter_in_hand(store: Store, number: int) -> None:
    """On SIGTERM and SIGINT the letter in hand is finished; the rest goes with the next run."""
    filled(store, 12)
    office = Slow()
    with server(office) as port:
        with sender(store, port) as process:
            until(office, 3, process)
            process.send_signal(number)
            _, told = process.communicate(timeout=60)
        assert (process.returncode, told) == (
            75,
            b"pbem: stopped; the other letters are still in the outbox\n",
        )
        assert pending(store) == 12 - len(office.letters) > 0
        with sender(store, port) as process:
            process.communicate(timeout=60)
    assert set(office.ids().values()) == {1} and len(office.letters) == 12


@pytest.mark.dear
def test_a_killed_process_doubles_one_letter_at_most(store: Store) -> None:
    """After kill -9 the letter in hand alone may come twice, with the same Message-ID and content."""
    filled(store, 12)
    office = Slow()
    with server(office) as port:
        with sender(store, port) as process:
            until(office, 5, process)
            process.kill()
            process.wait()
        with sender(store, port) as process:
            process.communicate(timeout=60)
        assert pending(store) == 1  # the one in hand
        with store.transaction() as session:
            claimed = session.exec(select(OutboxRow).where(OutboxRow.claimed != None)).one()  # noqa: E711
            claimed.claimed = claimed.claimed - LEASE if claimed.claimed else None
            session.add(claimed)
        with sender(store, port) as process:
            process.communicate(timeout=60)
    assert pending(store) == 0
    assert len(office.ids()) == 12
    assert sum(office.ids().values()) <= 13
    assert len({raw for _, raw in office.letters}) == 12
