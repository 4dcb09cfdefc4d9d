"""Deadlines as entries for a calendar: what they say, how they move, and when they end."""

from __future__ import annotations

import subprocess
import sys
from datetime import timedelta
from email import message_from_bytes, policy
from email.message import EmailMessage
from pathlib import Path

import pytest
from conftest import HOUR, NOW
from icalendar import Calendar, Event
from postbox import Postbox, sent
from protocol_kit import flat, told, toy_box

from pbem.mail import digests
from pbem.service.letters.calendar import NAME
from pbem.service.moderating import timing
from pbem.service.moderating.hosting import Done, carry_out
from pbem.service.time import deadline

HOW = {"by": "host", "why": ""}
LARGEST = 1500


@pytest.fixture
def box(tmp_path: Path) -> Postbox:
    return toy_box(tmp_path)


def files(box: Postbox, seat: str, after: int = 0) -> list[bytes]:
    """The calendar files of a seat's letters, as a mail program saves them; b"" for a letter without."""
    found = []
    for row in box.outbox(box.address(seat), after):
        mail = message_from_bytes(row.raw, policy=policy.default)
        assert isinstance(mail, EmailMessage)
        parts = [part for part in mail.iter_attachments() if part.get_filename() == NAME]
        assert len(parts) <= 1
        for part in parts:
            assert part.get_content_type() == "text/calendar" and part.get_param("method") == "PUBLISH"
        found.append(parts[0].get_content().encode() if parts else b"")
    return found


def entries(box: Postbox, seat: str, after: int = 0) -> list[Event]:
    """The entries that a seat's letters bring."""
    whole = [Calendar.from_ical(raw) for raw in files(box, seat, after) if raw]
    assert all(each["method"] == "PUBLISH" for each in whole)
    return [event for each in whole for event in each.events]


def clock(box: Postbox, act: str, *how: float) -> Done:
    return carry_out(box.store, "toy", box.now, lambda table: getattr(timing, act)(table, *how, **HOW))


def test_a_letter_that_asks_brings_its_deadline(box: Postbox) -> None:
    """Its reader's request and the moment, a day's warning, and what happens then; nobody else has one."""
    (entry,) = entries(box, "red")
    assert entry["summary"] == "[toy] Your move: T1 Red march"
    assert entry.start == NOW + 72 * HOUR and "dtend" not in entry
    assert entry["dtstamp"].dt == NOW and entry["status"] == "CONFIRMED"
    assert "At the deadline this section is closed as it is" in entry["description"]
    (alarm,) = entry.subcomponents
    assert alarm["trigger"].dt == -timedelta(days=1) and alarm["action"] == "DISPLAY"
    assert entries(box, "blue") == []


def test_the_entry_holds_no_secret_and_is_small(box: Postbox) -> None:
    """Neither the reply address nor the thread of the letters is in it, nor anything of another seat."""
    (raw,) = [raw for raw in files(box, "red") if raw]
    reply = box.reply_address("red").partition("@")[0]
    assert reply.encode() not in raw and reply.rpartition("-")[2].encode() not in raw
    (row,) = box.outbox(box.address("red"))
    assert (row.message_id or "<>").strip("<>").partition("@")[0].encode() not in raw
    assert b"blue" not in raw.lower() and len(raw) < LARGEST


def test_the_same_letter_has_the_same_entry(tmp_path: Path) -> None:
    """No moment and no number but those of the letter are in it; another game has another UID."""
    for name in "ab":
        (tmp_path / name).mkdir()
    one, two = (toy_box(tmp_path / name) for name in "ab")
    assert files(one, "red") == files(two, "red") != [b""]


def test_the_proof_covers_it(box: Postbox) -> None:
    """The digests of a letter name the file, and its proof does."""
    (row,) = box.outbox(box.address("red"))
    read = digests.read(row.raw)
    assert any(line.startswith(f"part {NAME} {read.parts[NAME]}") for line in read.proof)


def test_the_entry_moves_and_ends(box: Postbox) -> None:
    """One UID for all entries of a seat, with growing numbers: the reply that closes the section cancels it
    once, and the next request brings it back."""
    last = box.last()
    box.mail("red", "move R1 to 0201\n")
    assert files(box, "red", last) == [b""]
    box.mail("red", "done\n")
    (first, *rest) = entries(box, "red")
    assert [entry["status"] for entry in rest] == ["CANCELLED"]
    assert rest[0]["uid"] == first["uid"] and rest[0]["sequence"] > first["sequence"]
    assert rest[0].start == first.start and rest[0]["summary"] == first["summary"]
    assert not rest[0].subcomponents
    last = box.last()
    box.mail("red", "status\n")
    assert files(box, "red", last) == [b""]
    (mine,) = entries(box, "blue")
    assert mine["uid"] != first["uid"]


def test_the_host_moves_it(box: Postbox) -> None:
    """EXTEND moves the entry, a stopped clock cancels it, and one that goes on brings it back."""
    (first,) = entries(box, "red")
    last = box.last()
    clock(box, "extend", 48)
    clock(box, "pause")
    box.now += 5 * HOUR
    clock(box, "go_on")
    moved, stopped, back = entries(box, "red", last)
    assert [each["uid"] for each in (moved, stopped, back)] == [first["uid"]] * 3
    assert (moved.start, back.start) == (NOW + 120 * HOUR, NOW + 125 * HOUR)
    assert [each["status"] for each in (moved, stopped, back)] == ["CONFIRMED", "CANCELLED", "CONFIRMED"]
    assert first["sequence"] < moved["sequence"] < stopped["sequence"] < back["sequence"]
    assert entries(box, "blue", last) == []


@pytest.mark.parametrize(("at", "warns"), [(20, -timedelta(days=1)), (60, -timedelta(hours=2)), (71, None)])
def test_the_warning_fits_the_time_left(box: Postbox, at: int, warns: timedelta | None) -> None:
    """A day before the deadline, two hours if less than a day is left, and none in the past."""
    box.now += at * HOUR
    box.mail("red", "calendar off\n")
    last = box.last()
    box.mail("red", "calendar on\n")
    (entry,) = entries(box, "red", last)
    alarms = [each["trigger"].dt for each in entry.subcomponents]
    assert alarms == ([warns] if warns else [])


def test_a_reminder_brings_it_too(box: Postbox) -> None:
    sent(box.store, NOW)
    last = box.last()
    deadline.act(box.store, "toy", NOW + 50 * HOUR)
    (entry,) = entries(box, "red", last)
    assert entry.start == NOW + 72 * HOUR and int(str(entry["sequence"])) > 1


def test_calendar_off_leaves_it_out(box: Postbox) -> None:
    """CALENDAR OFF takes the entry back with its reply, and no letter has one until CALENDAR ON."""
    last = box.last()
    assert "no longer bring deadlines" in flat(told(box, "red", "calendar off\n"))
    (gone,) = entries(box, "red", last)
    assert gone["status"] == "CANCELLED"
    last = box.last()
    clock(box, "extend", 48)
    assert files(box, "red", last) == [b""]
    assert "bring its deadline" in flat(told(box, "red", "calendar on\n"))
    (entry,) = entries(box, "red", last)
    assert entry.start == NOW + 120 * HOUR


def test_trying_moves_nothing(box: Postbox) -> None:
    """TRY changes nothing, and the reply leaves the entry as it is."""
    last = box.last()
    box.mail("red", "try\nmove R1 to 0201\ndone\n")
    assert files(box, "red", last) == [b""]


def test_the_library_is_loaded_only_where_it_is_needed() -> None:
    code = "import sys; import pbem.cli, pbem.service.letters.layout; print('icalendar' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"
