"""Moderators and observers who have been removed: what they read, and what becomes of what they write."""

from __future__ import annotations

import re
from datetime import timedelta
from pathlib import Path

import pytest
from conftest import HOUR, NOW
from postbox import Postbox
from protocol_kit import flat
from sqlmodel import select

from pbem.service.moderating import held, people
from pbem.service.moderating.hosting import carry_out
from pbem.service.proof.verify import verify_game
from pbem.service.record.rows import StaffRow
from pbem.service.record.store import Store
from pbem.service.tools.transfer import export, import_

MODERATOR, CARLA = "mod@host.example", "carla@x.example"
HOW = {"by": "host", "why": "she has moved"}


@pytest.fixture
def box(toy: Store) -> Postbox:
    """The toy game with a moderator more, Carla."""
    carry_out(toy, "toy", NOW, lambda t: people.add_staff(t, "moderator", f"Carla <{CARLA}>", **HOW))
    return Postbox(toy, "toy", "pbem@host.example", NOW + HOUR)


def removed(box: Postbox, key: str = "moderator2") -> None:
    carry_out(box.store, "toy", box.now, lambda t: people.remove_staff(t, key, **HOW))


def test_who_is_removed_reads_it(box: Postbox) -> None:
    removed(box)
    (text,) = map(flat, box.texts(CARLA, box.last() - 3))
    assert "You are no longer moderator of this game. Reason: she has moved" in text
    assert "do nothing. They are kept. If this is a mistake, reply: the moderator reads it." in text
    assert verify_game(box.store, "toy").wrong == []


def test_the_next_moderator_is_written_to(box: Postbox) -> None:
    """Each of the staff has a key that nobody had before: with that of a moderator who was removed the first
    letters to the next one were taken for letters that were written already."""
    removed(box)
    carry_out(box.store, "toy", box.now, lambda t: people.add_staff(t, "moderator", "dora@x.example", **HOW))
    (text,) = box.texts("dora@x.example")
    assert "You are moderator of this game from now on" in text
    with box.store.transaction() as session:
        assert {row.key for row in session.exec(select(StaffRow))} == {"moderator", "moderator3"}


@pytest.mark.parametrize("by", ["address", "subject"])
def test_a_letter_of_a_former_moderator_is_kept_and_answered(box: Postbox, by: str) -> None:
    """To the old address, or to the server's with the game in the subject: it does nothing, its writer reads
    so once a day, and the moderator can read it and throw it away."""
    to = box.reply_address("moderator2") if by == "address" else box.server
    letters = [
        box.raw("moderator2", f"FORCE\nnumber {n}\n", to=to, subject="Re: [toy] Digest", sender=CARLA)
        for n in range(3)
    ]
    removed(box)
    last = box.last()
    got = box.deliver(letters[0])
    assert (got.outcome, got.game, got.seat) == ("quarantined", "toy", "moderator2")
    assert box.deliver(letters[1]).why == f"from {CARLA}, who is no longer moderator"
    (row,) = box.outbox(after=last)
    (text,) = map(flat, box.texts(CARLA, last))
    assert row.recipient == CARLA and row.subject == "Re: [toy] You are no longer moderator"
    assert "You are no longer moderator of toy. Nothing of your letter was done. It is kept" in text
    assert "moderator2" not in text and "CONFIRM" not in text
    assert box.digests()
    digest = flat(box.texts(MODERATOR)[-1])
    assert "Carla, who is no longer moderator, has written; the letter is kept: SHOW 1" in digest
    assert "> FORCE" in digest
    box.mail("moderator", "SHOW 1\nDISCARD 2\n")
    assert "number 0" in box.texts(MODERATOR)[-1]
    box.now += timedelta(days=1)
    assert box.deliver(letters[2]).why.endswith("the reply says so")
    assert verify_game(box.store, "toy").wrong == []


def test_it_is_in_the_list_and_can_be_discarded(box: Postbox, tmp_path: Path) -> None:
    raw = box.raw("moderator2", "please put me back\n")
    removed(box)
    box.deliver(raw)
    (kept,) = held.letters(box.store, "toy")
    assert (kept.outcome, kept.seat, kept.sender) == ("quarantined", "moderator2", CARLA)
    assert import_(Store.create(tmp_path / "other.pbem"), export(box.store, "toy")) == "toy"
    carry_out(box.store, "toy", box.now, lambda t: held.discard(t, kept.number, by="host", why=""))
    assert held.letters(box.store, "toy") == []


def test_nobody_else_is_taken_for_one(box: Postbox) -> None:
    """A stranger at the old address, one who forges the sender, and somebody whom the subject names nowhere
    are strangers: they are set aside, and not answered."""
    to = box.reply_address("moderator2")
    removed(box)
    last = box.last()
    for how in (
        {"sender": "eve@x.example"},
        {"sender": CARLA, "to": box.server, "subject": "hello"},
        {"sender": CARLA, "to": box.server, "subject": "[mill] hello"},
        {"sender": f"{CARLA}, eve@x.example"},
    ):
        got = box.mail("moderator2", "FORCE\n", **({"to": to} | how))  # type: ignore[arg-type]
        assert (got.outcome, got.game) == ("quarantined", ""), how
    assert box.outbox(after=last) == []


def test_the_last_moderator_can_go(toy: Store) -> None:
    """Nobody moderates then: the host finds what the former moderator writes."""
    box = Postbox(toy, "toy", "pbem@host.example", NOW + HOUR)
    raw = box.raw("moderator", "STATUS\n")
    removed(box, "moderator")
    assert "ask the host of the game" in flat(box.texts(MODERATOR)[-1])
    got = box.deliver(raw)
    assert got.outcome == "quarantined" and "the host of the game finds it" in flat(box.texts(MODERATOR)[-1])


def test_nobody_removes_himself_by_mail(box: Postbox) -> None:
    """The answer would have nobody to go to: it was an internal error once. The letter says who can."""
    box.mail("moderator2", "REMOVE moderator2 because I am moving\nREMOVE moderator because he has gone\n")
    text = flat(box.texts(CARLA)[-1])
    assert "Not done: moderator2 is you. Another moderator can remove you, or the host: pbem player" in text
    (code,) = re.findall(r"CODE (\w+)", text)
    box.mail("moderator2", f"REMOVE moderator because he has gone CODE {code}\n")
    with box.store.transaction() as session:
        assert [row.key for row in session.exec(select(StaffRow))] == ["moderator2"]
