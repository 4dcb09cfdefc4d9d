"""Letters of ours that come back: the moderator learns whose and why, nobody is answered, nothing loops."""

from __future__ import annotations

import pytest
from conftest import HOUR, NOW, begin
from postbox import Postbox
from sqlmodel import select

from pbem.engine.notes import UMPIRE
from pbem.mail.transport import Outgoing, Sent
from pbem.service.intake.outbox import send_pending
from pbem.service.moderating.digest import write_digests
from pbem.service.moderating.hosting import carry_out
from pbem.service.moderating.people import listed, set_address
from pbem.service.record.rows import OutboxRow
from pbem.service.record.store import Store, only_game
from pbem.service.record.table import Table
from pbem.service.tools.queries import status

REPORT = """\
Return-Path: <>
From: MAILER-DAEMON@mx.example (Mail Delivery System)
To: pbem@host.example
Subject: Undelivered Mail Returned to Sender
Message-ID: <{number}.dsn@mx.example>
MIME-Version: 1.0
Content-Type: multipart/report; report-type=delivery-status; boundary="b"

--b
Content-Type: text/plain

I could not deliver your message.

--b
Content-Type: message/delivery-status

Final-Recipient: rfc822; rita@mail.example
Action: {action}
Status: 5.1.1
Diagnostic-Code: smtp; 550 5.1.1 no such user here

--b
Content-Type: text/rfc822-headers

Message-ID: {about}

--b--
"""


class Discard:
    """A mail server that takes everything."""

    def send(self, letter: Outgoing) -> Sent:
        return Sent(letter.message_id, "sent")

    def close(self) -> None:
        pass


@pytest.fixture
def box(store: Store) -> Postbox:
    begin(store, welcome=True)
    return Postbox(store, "toy", "pbem@host.example")


def sent(box: Postbox, recipient: str) -> str:
    """The Message-ID of a letter to somebody."""
    with box.store.transaction() as session:
        query = select(OutboxRow.message_id).where(OutboxRow.recipient == recipient)
        found = session.exec(query).first()
    assert found
    return found


def report(about: str, action: str = "failed", number: int = 1) -> bytes:
    return REPORT.format(about=about, action=action, number=number).encode()


def test_the_moderator_reads_of_it(box: Postbox) -> None:
    """Once for all letters that came back, with the address and what the mail server said."""
    last = box.last()
    got = box.deliver(report(sent(box, "rita@mail.example")))
    assert (got.outcome, got.game, got.seat) == ("ignored", "toy", "red")
    assert got.why == "a letter to rita@mail.example came back: 550 5.1.1 no such user here"
    assert box.outbox(after=last) == []
    assert write_digests(box.store, NOW + HOUR) == 1
    (digest,) = box.texts("mod@host.example", after=last)
    assert "rita@mail.example: 550 5.1.1 no such user here" in " ".join(digest.split())


@pytest.mark.parametrize("action", ["delayed", "relayed", "delivered"])
def test_a_letter_that_is_late_is_no_news(box: Postbox, action: str) -> None:
    last = box.last()
    assert box.deliver(report(sent(box, "rita@mail.example"), action)).why.startswith(
        "a letter is on its way"
    )
    assert write_digests(box.store, NOW + HOUR) == 0 and box.outbox(after=last) == []


def test_a_digest_that_comes_back_is_not_written_about(box: Postbox) -> None:
    """Mail to a moderator that comes back is no news for that moderator: it would come back too."""
    last = box.last()
    assert "mod@host.example came back" in box.deliver(report(sent(box, "mod@host.example"))).why
    assert write_digests(box.store, NOW + HOUR) == 0 and box.outbox(after=last) == []


def test_a_report_about_nothing_of_ours(box: Postbox) -> None:
    """Forged, or about a letter of another server."""
    last = box.last()
    for number, about in enumerate(
        ("<pbem.abcdefghijklmnopqrstuvwxyz234567@host.example>", "<1@x.example>", "")
    ):
        got = box.deliver(report(about, number=number))
        assert (got.outcome, got.game, got.why) == (
            "ignored", "", "an automatic email (bounce): never answered",
        )  # fmt: skip
    assert write_digests(box.store, NOW + HOUR) == 0 and box.outbox(after=last) == []


def test_the_address_is_marked_until_somebody_writes_from_it(box: Postbox) -> None:
    """In the status that the host sees, not the players, and in the list of people."""

    def marked(seat: str = UMPIRE) -> bool:
        lines = status(box.store, "toy", seat).lines()
        return any("rita@mail.example" in line and "letters come back 550 5.1.1" in line for line in lines)

    letter = sent(box, "rita@mail.example")
    assert not marked()
    send_pending(box.store, Discard(), box.now)
    box.deliver(report(letter))
    assert marked() and not marked("red") and not marked("blue")
    again = send_pending(box.store, Discard(), box.now)
    assert "rita@mail.example" not in [each.recipient for each in again]
    with box.store.transaction() as session:
        table = Table(session, only_game(session, "toy"), box.now)
        assert any("letters come back: 550 5.1.1" in line for line in listed(table))
    box.mail("red", "status\n")
    assert not marked()


def test_a_new_address_is_not_marked(box: Postbox) -> None:
    box.deliver(report(sent(box, "rita@mail.example")))
    carry_out(box.store, "toy", box.now, lambda t: set_address(t, "red", "rita@new.example", by="x", why=""))
    assert "come back" not in "".join(status(box.store, "toy").lines())
