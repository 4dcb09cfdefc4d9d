"""Games whose secrets stand in the subject: played by mail as any other, and no code is shown to anybody but
its owner."""

from __future__ import annotations

import json
import re
from email import message_from_bytes, policy
from email.header import Header
from email.message import EmailMessage
from pathlib import Path
from typing import Any

import pytest
from conftest import HOUR, NOW
from postbox import Postbox
from protocol_kit import flat
from sqlmodel import select
from test_desk_by_mail import page

from pbem.mail.address import ReplyTo
from pbem.service.intake.outbox import letters as outbox_letters
from pbem.service.intake.submit import submit
from pbem.service.moderating import held, people
from pbem.service.moderating.hosting import carry_out
from pbem.service.moderating.start import NewGame, Player, start
from pbem.service.record.rows import GameRow, StaffRow
from pbem.service.record.store import Store
from pbem.service.record.table import Table
from pbem.service.tools import queries
from pbem.service.tools.transfer import export, import_

RITA, BOB, MODERATOR, ED = "rita@mail.example", "bob@mail.example", "mod@host.example", "ed@x.example"
EVE = "eve@evil.example"
SERVER = "pbem@host.example"
MOVE = "move R1 to 0201\n"


def begun(path: Path, **terms: Any) -> Postbox:
    store = Store.create(path)
    players = {"red": Player("Rita", RITA), "blue": Player("Bob", BOB)}
    settings = {"address": SERVER, "clock_hours": 72, "moderator": MODERATOR} | terms
    start(store, NewGame("clash", "toy", players=players, settings=settings, seed="toy"), NOW)
    return Postbox(store, "toy", SERVER, NOW)


@pytest.fixture
def box(tmp_path: Path) -> Postbox:
    """The toy game with its secrets in the subject."""
    return begun(tmp_path / "toy.pbem", token="subject")


def sent(raw: bytes) -> EmailMessage:
    message = message_from_bytes(raw, policy=policy.default)
    assert isinstance(message, EmailMessage)
    return message


def newest(box: Postbox, to: str) -> EmailMessage:
    return sent(box.outbox(to)[-1].raw)


def reply(box: Postbox, seat: str, body: str, prefix: str = "Re: ", **how: Any) -> Any:
    """Answer the last letter to somebody as a mail program does: by its From and its Subject."""
    asked = newest(box, box.address(seat))
    subject = Header(prefix + str(asked["Subject"]), maxlinelen=60, header_name="Subject").encode()
    to = str(asked["From"]).partition("<")[2].rstrip(">")
    return box.mail(seat, body, **{"to": to, "subject": subject} | how)


def code(box: Postbox, seat: str) -> str:
    return box.reply_to(seat).code


def secret(box: Postbox, seat: str) -> str:
    return code(box, seat).rpartition(".")[2]


def everyone(box: Postbox) -> list[str]:
    with box.store.transaction() as session:
        return ["red", "blue", *(row.key for row in session.exec(select(StaffRow)))]


def words(raw: bytes) -> str:
    """Everything that a letter says, its headers too."""
    message = sent(raw)
    parts = [f"{name}: {value}" for name, value in message.items()]
    for part in message.walk():
        if not part.is_multipart():
            data = part.get_payload(decode=True)
            assert isinstance(data, bytes)
            parts.append(data.decode("utf-8", "replace"))
    return "\n".join(parts)


def assert_nothing_leaks(box: Postbox) -> None:
    """Each secret stands in letters to its owner alone, and in no list."""
    for key in everyone(box):
        for row in box.outbox():
            assert secret(box, key) not in row.subject
            if row.recipient != box.address(key):
                assert secret(box, key) not in words(row.raw), (key, row.recipient, row.subject)
        shown = [each.line() for each in held.letters(box.store)]
        shown += [repr(each) for each in outbox_letters(box.store, everything=True)]
        shown += [repr(queries.status(box.store, "toy"))]
        with box.store.transaction() as session:
            shown += [line for row in box.letters() for line in held.page(session, row.id or 0)]
            shown += [json.dumps(row.told) for row in session.exec(select(StaffRow))]
        assert secret(box, key) not in "\n".join(shown)


# --- a whole game -------------------------------------------------------------------------------------------


def played_out(box: Postbox, answer: Any) -> list[str]:
    """Play the game by letters until it is over; return what became of each."""
    outcomes = []
    for turn in range(60):
        with box.store.transaction() as session:
            table = Table(session, session.get_one(GameRow, "toy"), box.now)
            here = table.here()
            if here.over:
                return outcomes
            seat = next(iter(table.waited_for(here)))
        asked = "".join(f"Q{number}: a\n" for number in box.questions(seat))
        body = asked or "no orders all\n"
        outcomes.append(answer(box, seat, body if turn else f"{MOVE}done\n").outcome)
    raise AssertionError("it does not end")


def answers_in(box: Postbox) -> list[tuple[Any, ...]]:
    return [(row.kind, row.asked, row.answer) for row in box.journal() if row.kind != "host"]


def test_a_whole_game(box: Postbox, tmp_path: Path) -> None:
    """Every letter comes from the server's own address and is answered to it; the game is the same as with
    addresses of their own, journal and letters."""
    plus = begun(tmp_path / "plus.pbem")
    prefixes = iter(["Re: ", "AW: ", "Réponse : ", "[club] Fwd: SV: ", "回复："] * 12)
    carry_out(box.store, "toy", NOW, lambda t: people.add_staff(t, "observer", ED, by="host", why=""))
    carry_out(plus.store, "toy", NOW, lambda t: people.add_staff(t, "observer", ED, by="host", why=""))
    outcomes = played_out(box, lambda box, seat, body: reply(box, seat, body, next(prefixes)))
    assert outcomes and set(outcomes) == {"accepted"}
    assert played_out(plus, lambda box, seat, body: reply(box, seat, body)) == outcomes
    assert [row.subject for row in box.outbox()] == [row.subject for row in plus.outbox()]
    for row in box.outbox():
        message = sent(row.raw)
        whose = next(key for key in everyone(box) if box.address(key) == row.recipient)
        assert str(message["From"]).endswith(f"<{SERVER}>")
        assert str(message["Subject"]) == f"{row.subject} ({code(box, whose)})"
    answers = [
        [(r.kind, r.asked, r.answer) for r in each.journal() if r.kind != "host"] for each in (box, plus)
    ]
    assert answers[0] == answers[1]
    assert "leave its subject as it is: the code at the end is secret" in flat(box.texts(RITA)[0])
    assert "Its reply address has a secret part" in flat(plus.texts(RITA)[0])
    assert_nothing_leaks(box)


# --- who may act --------------------------------------------------------------------------------------------


def kept(box: Postbox, seat: str = "red") -> list[str]:
    return [line["text"].strip() for line in box.seat(seat).sheet.get("lines", ())]


def changed(text: str) -> str:
    return re.sub(r"\.[a-z2-7]{16}\)", ".aaaaaaaaaaaaaaaa)", text)


@pytest.mark.parametrize("kind", ["forged", "another's", "cut off", "none", "broken", "wrong sender", "two"])
def test_a_letter_in_doubt_is_held_and_can_be_confirmed(box: Postbox, kind: str) -> None:
    """Nothing is done without the right code and the right sender, nor with two codes; the owner alone hears
    of it, without any code, and can confirm the letter by an answer to that."""
    whole = f"[toy] orders ({code(box, 'red')})"
    how: dict[str, str] = {
        "forged": {"subject": changed(whole)},
        "another's": {"subject": f"[toy] orders (toy.red.{secret(box, 'blue')})"},
        "cut off": {"subject": whole[:-4]},
        "none": {"subject": "[toy] orders"},
        "broken": {"subject": whole[:-5] + " " + whole[-5:]},
        "wrong sender": {"subject": whole, "sender": EVE},
        "two": {"subject": f"{whole} ({code(box, 'blue')})"},
    }[kind]
    last = box.last()
    assert box.mail("red", MOVE, to=SERVER, **how).outcome == "held"
    assert kept(box) == [] and kept(box, "blue") == []
    assert [row.recipient for row in box.outbox(after=last)] == [RITA]
    said = flat(box.texts(RITA, last)[0])
    assert "Nothing was done, because" in said and ".red." not in said and secret(box, "blue") not in said
    why = {"forged": "has a code in its subject that is not", "none": "does not have your secret code in its"}
    assert why.get(kind, "because") in said
    box.digests()
    assert_nothing_leaks(box)
    (number,) = re.findall(r"CONFIRM ([0-9a-f]{8})", said)
    assert reply(box, "red", f"confirm {number}\n", "Antw: ").outcome == "accepted"
    assert kept(box) == [MOVE.strip()]


@pytest.mark.parametrize("sender", [RITA, EVE])
def test_two_codes_act_for_none(box: Postbox, sender: str) -> None:
    """Not even with a password; a letter of somebody unknown is for no game."""
    carry_out(box.store, "toy", NOW, lambda t: people.set_password(t, "red", "sesame", by="host", why=""))
    subject = f"({code(box, 'red')}) ({code(box, 'blue')})"
    got = box.mail("red", f"password: sesame\n{MOVE}", to=SERVER, subject=subject, sender=sender)
    assert got.outcome == ("held" if sender == RITA else "quarantined")
    assert kept(box) == []
    box.digests()
    assert_nothing_leaks(box)


def test_the_address_comes_first(box: Postbox) -> None:
    """A code counts only where no recipient has a secret of his own."""
    red, blue = code(box, "red"), code(box, "blue")
    assert box.mail("red", MOVE, to=f"pbem+{red}@host.example", subject=f"x ({blue})").seat == "red"
    wrong = f"pbem+toy.red.{'a' * 16}@host.example"
    assert box.mail("red", MOVE, to=wrong, subject=f"y ({red})").outcome == "held"


def test_a_quoted_code_is_not_shown(box: Postbox) -> None:
    """Mail programs quote the subject above a reply; host and moderator do not read the code there."""
    subject = f"[toy] Your move ({code(box, 'red')})"
    body = f"Subject: {subject}\n\nWhat am I to do?\n"
    assert box.mail("red", body, sender=EVE).outcome == "held"
    assert box.mail("red", f"I know {body}").outcome == "explained"
    with box.store.transaction() as session:
        assert "Subject: [toy] Your move" in held.page(session, box.letters()[0].id or 0)[-3].rstrip()
    box.digests()
    assert_nothing_leaks(box)


def test_a_new_code(box: Postbox) -> None:
    """The old one is useless, and the letter that says so has the new one."""
    old = code(box, "red")
    carry_out(box.store, "toy", NOW, lambda t: people.renew_token(t, "red", by="host", why="lost"))
    assert "red has a new code: the one in the subject of this letter" in flat(box.texts(RITA)[-1])
    assert box.mail("red", MOVE, to=SERVER, subject=f"Re: ({old})").outcome == "held"
    assert reply(box, "red", MOVE).outcome == "accepted"


# --- all that is answered -----------------------------------------------------------------------------------


def test_moderators_observers_and_proposals(box: Postbox) -> None:
    """Their letters are answered by their codes as well."""
    carry_out(box.store, "toy", NOW, lambda t: people.add_staff(t, "observer", ED, by="host", why=""))
    assert reply(box, "observer", "status\n").outcome == "accepted"
    assert reply(box, "moderator", "status\n", "WG: ").outcome == "accepted"
    assert reply(box, "red", "extend 2d because of my exam\n").outcome == "accepted"
    assert "Red (Rita) proposes" in flat(box.texts(BOB)[-1])
    assert reply(box, "blue", "agree 1\n", "Sv: ").outcome == "accepted"
    assert queries.status(box.store, "toy").deadline == (NOW + 120 * HOUR).isoformat()
    box.mail("red", MOVE, sender=EVE)
    box.digests()
    digest = flat(box.texts(MODERATOR)[-1])
    (number,) = re.findall(r"RELEASE (\d+)", digest)
    assert f"from {EVE}" in digest and reply(box, "moderator", f"RELEASE {number}\n").outcome == "accepted"
    assert kept(box) == [MOVE.strip()]
    assert_nothing_leaks(box)


def test_the_order_desk(box: Postbox) -> None:
    """Its letter goes to the server's own address, with the code in the subject and not in the text."""
    assert reply(box, "red", "desk\n").outcome == "accepted"
    found = re.search(r'id="data">(.*?)</script>', page(box, "red"), re.DOTALL)
    assert found is not None
    data = json.loads(found[1])
    assert data["to"] == SERVER
    assert data["subject"].startswith("Re: [toy] ") and data["subject"].endswith(f" ({code(box, 'red')})")
    assert secret(box, "red") not in data["beside"]
    body = f"{data['beside']}\n\n{MOVE}done\n"
    assert box.mail("red", body, to=data["to"], subject=data["subject"]).outcome == "accepted"
    assert queries.view_of(box.store, "toy").units["R1"] == "0201"  # type: ignore[attr-defined]


def test_the_calendar_shows_no_code(box: Postbox) -> None:
    """People share their calendars."""
    files = [part for part in newest(box, RITA).walk() if part.get_content_type() == "text/calendar"]
    assert len(files) == 1
    text = files[0].get_payload(decode=True)
    assert isinstance(text, bytes) and SERVER.encode() in text and secret(box, "red").encode() not in text


def test_orders_handed_in_and_games_moved(box: Postbox, tmp_path: Path) -> None:
    """What is handed in on the machine acts, and an exported game keeps its codes."""
    assert submit(box.store, "toy", "red", MOVE, NOW + HOUR).received.outcome == "accepted"
    other = Store.create(tmp_path / "other.pbem")
    import_(other, export(box.store, "toy"))
    moved = Postbox(other, "toy", SERVER, NOW + 2 * HOUR)
    assert moved.reply_to("red") == box.reply_to("red") == ReplyTo(SERVER, code(box, "red"))
    assert reply(moved, "red", "done\n").outcome == "accepted"
