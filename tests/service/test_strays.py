"""What is kept of emails that belong to no game."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest
from conftest import NOW, begin
from hypothesis import given
from hypothesis import strategies as st
from postbox import Postbox

from pbem.mail.letter import parse
from pbem.service.intake.strays import MOST, Purged, kept, purge
from pbem.service.proof.verify import verify_game
from pbem.service.record.rows import LetterRow
from pbem.service.record.store import Store

HEAD = (
    b"From: Eve <eve@evil.example>\r\nTo: pbem@host.example\r\nSubject: hello\r\nMessage-ID: <1@evil>\r\n\r\n"
)


def test_headers_and_the_beginning_of_the_body_are_kept() -> None:
    """A short email is kept as it is; of a long one the headers and 64 KB of the body are."""
    assert kept(HEAD + b"hi\r\n") == HEAD + b"hi\r\n"
    assert kept(HEAD + b"x" * 54_000_000) == HEAD + b"x" * MOST
    assert kept(HEAD.replace(b"\r\n", b"\n") + b"x" * MOST * 2).endswith(b"<1@evil>\n\n" + b"x" * MOST)
    assert parse(kept(HEAD + b"x" * 200_000)).sender == "eve@evil.example"


@pytest.mark.parametrize(
    "raw", [b"X: y\n" * 100_000, b"x" * 1_000_000, b"X: y\n" * 100_000 + b"\n" + b"z" * 99_999]
)
def test_endless_headers_are_cut(raw: bytes) -> None:
    """Of headers without end no more than 64 KB are kept, and a body is not taken for headers."""
    assert len(kept(raw)) <= 2 * MOST + 2
    assert kept(raw)[MOST : MOST + 2] == b"\n\n"


@given(st.binary(max_size=300))
def test_any_bytes_can_be_kept(raw: bytes) -> None:
    """Whatever was sent is kept, and kept again it stays the same."""
    assert kept(raw) == raw
    assert kept(kept(raw)) == kept(raw)


def mail(store: Store, sender: str, number: int, size: int, to: str = "pbem@host.example") -> None:
    head = f"From: {sender}\nTo: {to}\nSubject: hello\nMessage-ID: <{number}@evil>\n\n".encode()
    Postbox(store, "toy", "pbem@host.example", NOW + timedelta(days=number)).deliver(head + b"x" * size)


def test_old_bodies_of_strangers_are_removed(store: Store) -> None:
    """Bodies of old quarantined and ignored emails go, their headers and all other letters stay."""
    begin(store)
    box = Postbox(store, "toy", "pbem@host.example", NOW)
    mail(store, "eve@evil.example", 1, 1000)
    mail(store, "mailer-daemon@evil.example", 2, 2000)
    mail(store, "eve@evil.example", 50, 4000)
    mail(store, "eve@evil.example", 3, 8000, box.reply_address("red"))
    assert [row.outcome for row in box.letters()] == ["quarantined", "ignored", "quarantined", "held"]
    assert purge(store, NOW + timedelta(days=10)) == Purged(2, 3000)
    assert [len(row.raw) > 200 for row in box.letters()] == [False, False, True, True]
    assert parse(box.letters()[0].raw).sender == "eve@evil.example"
    assert purge(store, NOW + timedelta(days=10)) == Purged()
    mail(store, "eve@evil.example", 1, 1000)
    assert len(box.letters()) == 4  # still known as one that has come
    assert verify_game(store).wrong == []


def test_a_purged_game_file_is_smaller(game_file: Path) -> None:
    """What was removed is given back to the disk."""
    store = Store.create(game_file)
    with store.transaction() as session:
        for number in range(20):
            session.add(
                LetterRow(identity=str(number), received=NOW, raw=HEAD + b"x" * MOST, outcome="quarantined")
            )
    store.close()
    before = game_file.stat().st_size
    store = Store.open(game_file)
    assert purge(store, NOW + timedelta(days=1)).letters == 20
    store.close()
    assert game_file.stat().st_size < before - 19 * MOST
