"""Digests to moderators: one a day, whatever happens and whatever a host has written into the settings."""

from __future__ import annotations

import json
from datetime import datetime, timedelta
from email import message_from_bytes
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from conftest import HOUR, NOW, begin
from postbox import Postbox, sent
from protocol_kit import toy_box
from sqlmodel import select
from test_rulings import played

from pbem.service.moderating import timing
from pbem.service.moderating.digest import write_digests
from pbem.service.moderating.hosting import carry_out
from pbem.service.moderating.rulings.ruling import rule
from pbem.service.moderating.start import NewGame, new_staff, start
from pbem.service.proof.verify import verify_game
from pbem.service.record.notices import MOST_LINES, MOST_NEWS, tell_moderators
from pbem.service.record.rows import GameRow, OutboxRow, StaffRow
from pbem.service.record.store import Store, staff
from pbem.service.time import deadline
from pbem.service.tools.transfer import export, import_

STRAY = b"From: Eve <eve@evil.example>\nTo: pbem@host.example\nSubject: hello\nMessage-ID: <1@evil>\n\nhi\n"
MODERATOR = "mod@host.example"


def digests(store: Store) -> list[OutboxRow]:
    with store.transaction() as session:
        return list(session.exec(select(OutboxRow).where(OutboxRow.kind == "digest")))


def with_moderators(store: Store, *people: tuple[str, str]) -> None:
    """Give the toy game these moderators, unchecked."""
    with store.transaction() as session:
        for row in staff(session, "toy"):
            session.delete(row)
        session.flush()
        for number, (name, to) in enumerate(people, 1):
            key = "moderator" if number == 1 else f"moderator{number}"
            session.add(new_staff("toy", key, "moderator", name, to))


def test_every_moderator_is_told(toy: Store) -> None:
    """A stray mail is in the digest of each moderator, who is written to by name."""
    with_moderators(toy, ("Carla", "carla@club.example"), ("", "dora@club.example"))
    assert Postbox(toy, "toy", "pbem@host.example", NOW).deliver(STRAY).outcome == "quarantined"
    assert write_digests(toy, NOW) == 2
    told = digests(toy)
    assert [(row.recipient, row.error) for row in told] == [
        ("carla@club.example", ""), ("dora@club.example", ""),
    ]  # fmt: skip
    assert message_from_bytes(told[0].raw)["To"] == '"Carla" <carla@club.example>'


def test_every_moderator_gets_press(toy: Store) -> None:
    with_moderators(toy, ("Carla", "carla@club.example"), ("", "dora@club.example"))
    box = Postbox(toy, "toy", "pbem@host.example", NOW)
    box.mail("red", "press moderator: how about 4.2?")
    assert box.digests() == 2
    for to in ("carla@club.example", "dora@club.example"):
        (text,) = box.texts(to)
        assert "Press from Red" in text and "> how about 4.2?" in text and "PRESS red: your words" in text


def test_a_digest_that_cannot_be_written_stops_nothing(toy: Store) -> None:
    """Without an address for the moderator a stray mail is taken in, and the digest is kept as refused."""
    with_moderators(toy, ("", "Carla of the club"))
    assert Postbox(toy, "toy", "pbem@host.example", NOW).deliver(STRAY).outcome == "quarantined"
    assert write_digests(toy, NOW) == 1
    (told,) = digests(toy)
    assert told.error.startswith("refused: ") and "carla of the club" in told.error
    assert b"eve@evil.example" in told.raw


def test_a_moderator_is_named_in_the_letter(store: Store) -> None:
    """The name given at the start of a game is kept beside the address, and stands in the letter."""
    start(store, NewGame("clash", "toy", settings={"moderator": "Carla C. <carla@club.example>"}), NOW)
    with store.transaction() as session:
        (carla,) = staff(session, "toy", "moderator")
        assert (carla.name, carla.address) == ("Carla C.", "carla@club.example")
        assert "moderator" not in session.get_one(GameRow, "toy").settings
        assert tell_moderators(session, "toy", "hello", ["text"], NOW)
    assert write_digests(store, NOW) == 1
    (told,) = digests(store)
    assert message_from_bytes(told.raw)["To"] == '"Carla C." <carla@club.example>'


def test_a_game_without_a_moderator_tells_nobody(toy: Store) -> None:
    with_moderators(toy)
    assert Postbox(toy, "toy", "pbem@host.example", NOW).deliver(STRAY).outcome == "quarantined"
    assert write_digests(toy, NOW) == 0 and digests(toy) == []


# --- one a day ----------------------------------------------------------------------------------------------


@pytest.mark.dear
def test_a_month_in_a_club_brings_at_most_a_digest_a_day(tmp_path: Path) -> None:
    """Two games with one moderator, and something every hour or two: strays, held letters, press, disputes,
    deadlines put off. Each digest has what came since the last, none comes within a day of another, nothing
    comes on quiet days, and every other letter to the moderator answers one of his."""
    box = toy_box(tmp_path)
    begin(box.store, "mill", "mill")
    mill = Postbox(box.store, "mill", "pbem@host.example", NOW)
    at: list[datetime] = []
    strays = asked = 0
    for hour in range(30 * 24):
        box.now = mill.now = NOW + hour * HOUR
        quiet = 10 <= hour // 24 < 14
        if hour % 7 == 0 and not quiet:
            strays += box.deliver(STRAY.replace(b"<1@evil>", b"<%d@evil>" % hour)).outcome == "quarantined"
        if hour % 11 == 0 and not quiet:
            mill.deliver(mill.raw("red", f"status {hour}\n", sender="eve@x.example"))
        if hour % 50 == 0 and not quiet:
            box.mail("red", f"press moderator: it is hour {hour}\n")
        if hour % 97 == 0 and not quiet:
            carry_out(mill.store, "mill", mill.now, lambda t: timing.extend(t, 24, by="host", why="away"))
        if hour % 60 == 0:
            asked += 1
            mill.mail("moderator", "mill: STATUS\n")
        at += [NOW + hour * HOUR] * write_digests(box.store, NOW + hour * HOUR)
    at += [NOW + timedelta(days=31)] * write_digests(box.store, NOW + timedelta(days=31))
    mine = box.outbox(MODERATOR)
    assert [row.kind for row in mine].count("desk") == asked
    assert [row.kind for row in mine].count("digest") == len(at) and len(mine) == len(at) + asked
    assert all(later - earlier >= timedelta(days=1) for earlier, later in pairwise(at))
    assert 24 <= len(at) <= 29  # not on the four quiet days
    texts = [text for row, text in zip(mine, box.texts(MODERATOR), strict=True) if row.kind == "digest"]
    told = "\n".join(texts)
    assert told.count("from eve@evil.example: hello") == strays
    assert "mill: RELEASE" in told and "mill: Held letters" in told and "toy: News" in told
    assert verify_game(box.store, "toy").wrong == [] and verify_game(box.store, "mill").wrong == []


def test_the_first_digest_goes_out_at_once(tmp_path: Path) -> None:
    """The next one a day later, and none without news; what the moderator did himself is none."""
    box = toy_box(tmp_path)
    assert box.digests() == 0
    box.deliver(STRAY)
    assert box.digests() == 1
    first = box.now
    box.mail("moderator", "EXTEND 1d\n")
    carry_out(box.store, "toy", box.now, lambda t: timing.pause(t, by="host", why="holidays"))
    box.now = first + 23 * HOUR
    assert box.digests() == 0
    box.now = first + 24 * HOUR
    assert box.digests() == 1
    text = box.texts(MODERATOR)[-1]
    assert "The clock is stopped (by host)" in text and "Reason: holidays" in text
    assert "by moderator" not in text
    box.now += 48 * HOUR
    assert box.digests() == 0


def test_an_open_dispute_is_told_in_full_once(tmp_path: Path) -> None:
    """Its page is in the first digest; later ones say that it is open, and how to read the page again."""
    box = toy_box(tmp_path)
    played(box.store)
    box.now += 3 * HOUR
    box.mail("red", "dispute R1 cocked\n")
    assert box.digests() == 1
    box.deliver(STRAY)
    box.now += 30 * HOUR
    assert box.digests() == 1
    first, second = (text for text in box.texts(MODERATOR))
    for text in (first, second):
        assert "R1 is disputed by Red (Rita)" in text and "    UPHOLD R1\n    REROLL R1 because ..." in text
    assert "Key   toy|t1.clash|3.1|d6|clash|1" in first and "What could have fallen" in first
    assert "Key   toy" not in second and "SHOW R1" in second


def test_a_dispute_does_not_wait_for_the_day_of_the_digest(tmp_path: Path) -> None:
    """It is told at once, though a digest went out an hour before; a second one within the hour shares the
    next, and other news waits for its day."""
    box = toy_box(tmp_path)
    played(box.store)
    box.now += 3 * HOUR
    box.deliver(STRAY)
    assert box.digests() == 1
    box.mail("red", "dispute R1 cocked\n")
    assert box.digests() == 1
    told = box.now
    box.mail("red", "press moderator: are you there?\n")
    rule(box.store, "toy", "uphold", "R1", by="host", why="it lay flat", now=told)
    box.mail("red", "dispute R1 it did not\n")
    box.now = told + HOUR / 2
    assert box.digests() == 0
    box.now = told + HOUR
    assert box.digests() == 1
    assert "it did not" in box.texts(MODERATOR)[-1] and "are you there?" in box.texts(MODERATOR)[-1]
    box.deliver(STRAY.replace(b"<1@evil>", b"<2@evil>"))
    box.now = told + 5 * HOUR
    assert box.digests() == 0


@pytest.mark.parametrize("checked", [False, True])
def test_a_mail_server_that_checks_no_sender_is_named_once(tmp_path: Path, checked: bool) -> None:
    """After ten letters; not if one of them has been checked."""
    box = toy_box(tmp_path)
    check = ["Authentication-Results: mx.host.example; dmarc=pass header.from=mail.example"]
    for number in range(10):
        assert "Authentication-Results" not in "".join(box.texts(MODERATOR))
        box.mail(
            "red", f"press moderator: number {number}\n", headers=check if checked and number == 4 else ()
        )
        box.now += 24 * HOUR
        assert box.digests() == 1
    assert ("Authentication-Results" in box.texts(MODERATOR)[-1]) is not checked
    box.mail("red", "press moderator: once more\n")
    box.now += 24 * HOUR
    assert box.digests() == 1 and "Authentication-Results" not in box.texts(MODERATOR)[-1]


def test_a_missed_deadline_is_in_the_digest(tmp_path: Path) -> None:
    box = toy_box(tmp_path)
    sent(box.store, box.now)
    box.now += 100 * HOUR
    assert deadline.act(box.store, "toy", box.now, late=True)
    assert box.digests() == 1
    assert "The deadline has passed for Red" in box.texts(MODERATOR)[-1]
    assert deadline.act(box.store, "toy", box.now, force=True)
    box.now += 25 * HOUR
    assert box.digests() == 1
    assert "The host has closed early for Blue" in box.texts(MODERATOR)[-1]


def test_the_digest_of_a_game_that_cannot_be_read_has_the_rest(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    box = toy_box(tmp_path)
    box.deliver(STRAY)

    def broken(*words: Any) -> Any:
        raise KeyError("nowhere")

    monkeypatch.setattr("pbem.service.moderating.digest.waiting_part", broken)
    assert box.digests() == 1
    text = box.texts(MODERATOR)[-1]
    assert "pbem cannot read it: KeyError: 'nowhere'" in text and "eve@evil.example" in text


def test_news_have_an_end(toy: Store) -> None:
    """However much happens, a bounded part of it is kept, and the rest is counted."""
    with toy.transaction() as session:
        for number in range(MOST_NEWS + 30):
            tell_moderators(session, "toy", f"event {number}", ["a line"] * 500, NOW)
        row = session.get_one(StaffRow, ("toy", "moderator"))
        assert len(row.told["news"]) == MOST_NEWS + 1
        assert all(len(each["lines"]) <= MOST_LINES for each in row.told["news"])
    assert write_digests(toy, NOW) == 1
    assert "More has happened (last" in Postbox(toy, "toy").texts(MODERATOR)[-1]


def test_what_the_staff_has_been_told_moves_with_the_game(toy: Store, tmp_path: Path) -> None:
    """News, lines that have acted and letters of the staff are in an exported game."""
    box = Postbox(toy, "toy", "pbem@host.example", NOW)
    box.deliver(STRAY)
    assert box.digests() == 1
    headers = [f"In-Reply-To: {box.outbox(MODERATOR)[-1].message_id}"]
    box.mail("moderator", "EXTEND 1d\n", headers=headers)
    box.mail("red", "press moderator: hello\n")
    other = Postbox(Store.create(tmp_path / "other.pbem"), "toy", "pbem@host.example", box.now)
    other.written = 10
    import_(other.store, json.loads(json.dumps(export(toy))))
    assert other.person("moderator").told == box.person("moderator").told
    other.mail("moderator", "EXTEND 1d\n", headers=headers)
    assert "This line acted already" in other.texts(MODERATOR)[-1]
    assert verify_game(other.store, "toy").wrong == []
