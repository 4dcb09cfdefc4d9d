"""Letters of ours that come back: the moderator learns whose and why, nobody is answered, nothing loops."""

from __future__ import annotations

import pytest
from conftest import HOUR, NOW, begin
from postbox import Postbox
from sqlmodel import select

from pbem.service.moderating.digest import write_digests
from pbem.service.record.rows import OutboxRow
from pbem.service.record.store import Store

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
