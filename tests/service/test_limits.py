"""What protects a game from its letters, and its letters from what surrounds them: limits, copies, pictures,
machines."""

from __future__ import annotations

from collections import Counter
from email import message_from_bytes
from pathlib import Path
from typing import Any

import pytest
from conftest import HOUR, NOW, begin
from postbox import ID, Postbox, placed, position
from protocol_kit import toy_box

from pbem import render
from pbem.mail.address import reply_address
from pbem.service.intake.receive import IDLE_LETTERS, receive
from pbem.service.record.store import Store
from pbem.service.time.deadline import act
from pbem.service.tools import queries


@pytest.fixture
def box(tmp_path: Path) -> Postbox:
    return toy_box(tmp_path)


def test_a_fault_in_a_picture_leaves_the_letter_without_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A map that cannot be drawn stops no game: the letter goes out without it, and the moderator is told."""
    box = placed(tmp_path / "game.pbem", position("greedy", "1", "t2.allied_movement"))

    def broken(*words: Any) -> Any:
        raise ValueError("there is no hex")

    monkeypatch.setattr(render, "layout", broken)
    last = box.last()
    act(box.store, ID, box.now, force=True)
    assert (box.row().status, box.row().trouble) == ("running", "")
    mine = box.outbox(box.address("allied"), last)
    assert mine and not any("image/png" in _types(row.raw) for row in mine)
    assert box.digests() == 1
    assert "there is no hex" in box.texts("mod@club.example", last)[0]


def _types(raw: bytes) -> list[str]:
    return [part.get_content_type() for part in message_from_bytes(raw).walk()]


def test_one_mail_to_two_games_counts_in_both(tmp_path: Path) -> None:
    """Each game takes its own copy of a mail, and the same mail again in neither."""
    store = Store.create(tmp_path / "club.pbem")
    boxes = []
    for name in ("first", "second"):
        begin(store, name)
        boxes.append(Postbox(store, name, "pbem@host.example", NOW))
    to = ", ".join(
        reply_address("pbem@host.example", box.game, "red", box.seat("red").token_key) for box in boxes
    )
    raw = boxes[0].raw("red", "move R1 to 0201\n", to=to)
    got = receive(store, raw, NOW + HOUR)
    assert [each.outcome for each in (got, *got.also)] == ["accepted", "accepted"]
    assert [len(box.seat("red").sheet["lines"]) for box in boxes] == [1, 1]
    again = receive(store, raw, NOW + 2 * HOUR)
    assert {each.outcome for each in (again, *again.also)} == {"duplicate"}


def test_a_machine_that_answers_us_is_answered_no_more(box: Postbox) -> None:
    """After twenty letters without an order in an hour a seat is not answered; a letter after that hour
    is."""
    outcomes = Counter()
    for _ in range(IDLE_LETTERS + 5):
        raw = box.raw("red", "I am out of the office and read nothing.\n")
        outcomes[receive(box.store, raw, NOW + HOUR).outcome] += 1
    assert outcomes["ignored"] == 5
    raw = box.raw("red", "move R1 to 0201\n")
    assert receive(box.store, raw, NOW + 3 * HOUR).outcome == "accepted"


def test_forged_mail_brings_its_owner_one_notice_a_day(box: Postbox) -> None:
    """Letters from a wrong address to one without the secret are one notice a day to the owner of the
    seat."""
    last = box.last()
    for _ in range(30):
        to = box.reply_address("red").replace(".red.", ".red.a")
        box.deliver(box.raw("red", "move R1 to 0201\n", sender="eve@evil.example", to=to))
        box.now -= HOUR
    assert len(box.outbox(box.address("red"), last)) == 1


def test_a_salt_counts_once_in_a_phase(box: Postbox) -> None:
    """Of many salts of a seat one is kept for each phase; a letter carries out twenty commands."""
    box.mail("red", "".join(f"salt number {number}\n" for number in range(200)))
    assert sum(row.kind == "salt" for row in box.journal()) == 1


def test_press_of_a_corrected_letter_is_not_sent_again(box: Postbox) -> None:
    """A letter sent again with a line corrected sends its press no second time."""
    last = box.last()
    box.mail("red", "press blue: Guten Abend\nmove R1 to 0299\ndone\n")
    box.mail("red", "press blue: Guten Abend\nmove R1 to 0201\n")
    press = [row for row in box.outbox(box.address("blue"), last) if row.kind == "press"]
    assert len(press) == 1


def test_the_umpire_reads_each_thing_once(tmp_path: Path) -> None:
    """Of what each side is told in its own way the umpire's log has the fullest."""
    box = placed(tmp_path / "game.pbem", position("greedy", "1", "t2.allied_movement"))
    act(box.store, ID, box.now, force=True)
    box.mail("allied", "[combat]\nno orders\n")
    box.mail("allied", "[movement 2]\nmove 8/3 to 1422\ndone\n")
    lines = [line for part in queries.log(box.store, ID) for line in part.lines]
    assert len(lines) == len(set(lines))


def test_the_map_comes_as_svg_on_request_alone(box: Postbox) -> None:
    """A turn letter has a PNG; MAP brings an SVG that any browser opens."""
    turn = _types(box.outbox(box.address("red"))[0].raw)
    assert "image/png" in turn and "image/svg+xml" not in turn
    last = box.last()
    box.mail("red", "map\n")
    (row,) = box.outbox(box.address("red"), last)
    (svg,) = [
        part for part in message_from_bytes(row.raw).walk() if part.get_content_type() == "image/svg+xml"
    ]
    assert svg.get_filename() == "map.svg" and b"<svg" in svg.get_payload(decode=True)[:400]
