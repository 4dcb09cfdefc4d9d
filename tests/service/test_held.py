"""A letter that is held is never unknown to the one in whose name it came."""

from __future__ import annotations

import re
from datetime import timedelta
from functools import partial

import pytest
from conftest import HOUR, NOW
from postbox import Postbox, sent
from sqlmodel import select

from pbem.service.intake.released import release
from pbem.service.moderating import people
from pbem.service.moderating.hosting import carry_out
from pbem.service.proof.lines import letter_text
from pbem.service.record.rows import LetterRow, OutboxRow
from pbem.service.record.store import Store
from pbem.service.time.deadline import act

OWNERS = {"red": "rita@mail.example", "blue": "bob@mail.example"}
SERVER = "pbem@host.example"
EVE = "eve@evil.example"


@pytest.fixture
def box(toy: Store) -> Postbox:
    return Postbox(toy, "toy", SERVER, NOW)


def wrong(box: Postbox, seat: str) -> str:
    """An address that anybody can guess: that of a seat without its secret."""
    return re.sub(r"\.[a-z2-7]{16}@", ".aaaaaaaaaaaaaaaa@", box.reply_address(seat))


def held_of(box: Postbox, seat: str) -> list[LetterRow]:
    """What is held in the name of a seat, newest first."""
    return [row for row in reversed(box.letters()) if (row.seat, row.outcome) == (seat, "held")]


def kept(box: Postbox, seat: str = "red") -> list[str]:
    return [line["text"].strip() for line in box.seat(seat).sheet.get("lines", ())]


def newest(box: Postbox, seat: str = "red") -> OutboxRow:
    return box.outbox(OWNERS[seat])[-1]


def words(row: OutboxRow) -> str:
    return " ".join("\n".join(letter_text(row.raw)).split())


def assert_all_are_known(box: Postbox, seat: str, row: OutboxRow) -> None:
    """A letter to the owner says how many are held in his name, and shows the codes, newest first."""
    there = [each.identity[:8] for each in held_of(box, seat)]
    text = words(row)
    if row.kind == "doubt":
        assert f"If you sent it, answer this letter with one line: CONFIRM {there[0]}" in text
        there = there[1:]
    elif not there:
        assert "in your name" not in text
    else:
        says = f"{len(there)} emails in your name are held" if len(there) > 1 else "1 email in your name is"
        assert text.startswith(says)
    places = [text.index(code) for code in there[:20]]
    assert places == sorted(places)
    if len(there) > 23:
        assert f"and {len(there) - 23} more" in text


@pytest.mark.dear
@pytest.mark.parametrize("settling", [0, 5])
def test_a_month_in_which_nothing_that_is_held_is_unknown(box: Postbox, settling: int) -> None:
    """Two people write from wrong addresses, on old threads and after their secret has changed, and each day
    a stranger writes in their names. What proves something is answered at once; and no letter of any kind to
    an owner leaves out what is held in his name."""
    old = {seat: box.reply_address(seat) for seat in OWNERS}
    for day in range(30):
        for seat, owner in OWNERS.items():
            last = box.last()
            assert box.mail(seat, "no orders\n", sender=EVE, to=wrong(box, seat)).outcome == "held"
            mine = [
                ("status\n", {"sender": f"{seat}@work.example"}),
                ("move R1 to 0201\n", {"to": old[seat]}),
                ("status\n", {}),
                ("press blue: hello\npress red: hello\n", {}),
            ][(day + len(owner)) % 4]
            seen = box.last()
            got = box.mail(seat, mine[0], **mine[1])  # type: ignore[arg-type]
            if got.outcome == "held":
                assert [row.recipient for row in box.outbox(after=seen)] == [owner]
            for key, address in OWNERS.items():
                if fresh := box.outbox(address, last):
                    assert_all_are_known(box, key, fresh[-1])
            assert not box.outbox(EVE) and not box.outbox(f"{seat}@work.example")
        if changed := {6: "red", 17: "blue"}.get(day):
            new = partial(people.renew_token, seat=changed, by="host", why="lost")
            carry_out(box.store, "toy", box.now, new)
        if settling and day % settling == 0:
            box.mail("red", "confirm none\nstatus\n")
            assert held_of(box, "red") == []
            assert_all_are_known(box, "red", newest(box))
        box.now = NOW + timedelta(days=day + 1)
        if box.row().status == "running":
            act(box.store, "toy", box.now)
        for key, address in OWNERS.items():
            for row in box.outbox(address):
                if row.sent is None and row.created == box.now:
                    assert_all_are_known(box, key, row)
        sent(box.store, box.now)


def test_mail_that_proves_nothing_does_not_silence_the_owner(box: Postbox) -> None:
    """A stranger's letter to a guessed address uses up the notice of the day for such letters alone."""
    box.mail("red", "no orders\n", sender=EVE, to=wrong(box, "red"))
    last = box.last()
    box.mail("red", "no orders\n", sender=EVE, to=wrong(box, "red"))
    assert box.outbox(after=last) == []
    box.mail("red", "move R1 to 0201\n", sender="rita@work.example")
    box.mail("red", "move R1 to 0201\n", to=wrong(box, "red"))
    assert [row.kind for row in box.outbox(after=last)] == ["doubt", "doubt"]


def test_a_program_that_proves_something_is_not_answered_for_ever(box: Postbox) -> None:
    """At most 20 notices are written within an hour."""
    last = box.last()
    for _ in range(25):
        box.mail("red", "no orders\n", sender="rita@work.example")
        box.now -= HOUR
    assert len(box.outbox(after=last)) == 20


def test_confirm_lets_the_one_act_that_it_names(box: Postbox) -> None:
    """The code of an older letter lets that one act, and the reply names the newer one; without a code
    nothing acts while several are held, unless the answered letter is about the newest."""
    box.mail("red", "move R1 to 0201\n", sender="rita@work.example")
    first = newest(box)
    box.mail("red", "move R1 to 0102\n", sender="rita@work.example")
    second = newest(box)
    older, newer = (each.identity[:8] for each in reversed(held_of(box, "red")))
    assert f"1 other email in your name is held: CONFIRM {older} lets it act" in words(second)

    in_reply = [f"In-Reply-To: {first.message_id}"]
    box.mail("red", "confirm\n", headers=in_reply)
    assert kept(box) == []
    assert f"2 emails are held, so CONFIRM needs a code; the newest is CONFIRM {newer}." in words(newest(box))

    last = box.last()
    box.mail("red", f"confirm {older.upper()}\n", headers=in_reply)
    assert kept(box) == ["move R1 to 0201"]
    for row in box.outbox(OWNERS["red"], last):
        assert words(row).startswith(f"1 email in your name is held: CONFIRM {newer} lets it act")
    box.mail("red", "confirm\n", headers=[f"In-Reply-To: {second.message_id}"])
    assert kept(box) == ["move R1 to 0102"]
    assert "in your name" not in words(newest(box))


def test_what_the_moderator_releases_is_held_no_longer(box: Postbox) -> None:
    """The reply to a released letter does not name it as held."""
    box.mail("red", "move R1 to 0201\n", sender="rita@work.example")
    number = held_of(box, "red")[0].id or 0
    carry_out(box.store, "toy", box.now, lambda t: release(t, number, by="host", why="asked by phone"))
    assert kept(box) == ["move R1 to 0201"]
    assert "in your name" not in words(newest(box))


def test_what_is_held_in_the_name_of_a_moderator_is_in_every_letter_to_him(box: Postbox) -> None:
    """The staff reads the same lines, and CONFIRM NONE settles them."""
    box.mail("moderator", "PAUSE\n", sender="mod@phone.example")
    (code,) = (each.identity[:8] for each in held_of(box, "moderator"))
    last = box.last()
    box.mail("moderator", "STATUS\n")
    assert box.texts("mod@host.example", last)[0].startswith(f"1 email in your name is held: CONFIRM {code}")
    box.mail("moderator", "CONFIRM NONE\n")
    with box.store.transaction() as session:
        assert session.exec(select(LetterRow).where(LetterRow.outcome == "held")).all() == []
