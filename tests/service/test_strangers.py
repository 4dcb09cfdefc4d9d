"""Letters of people who have no part in any game here: one answer each to HELP, LIST and JOIN, from people
whose domain vouches for them, and none to programs."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from conftest import HOUR, NOW, begin
from postbox import Postbox
from protocol_kit import flat

from pbem.config import SenderSettings, Settings
from pbem.mail.senders import Gate, Senders
from pbem.mail.transport import FolderTransport
from pbem.service.intake import strangers
from pbem.service.intake.outbox import send_pending
from pbem.service.intake.reception import Reception, reception
from pbem.service.moderating import people
from pbem.service.moderating.digest import write_digests
from pbem.service.moderating.hosting import carry_out
from pbem.service.moderating.start import NewGame, Player, check
from pbem.service.record.store import Store

MODERATOR, SERVER, DORA = "mod@host.example", "mx.host.example", "dora@mail.example"
PASS = f"Authentication-Results: {SERVER}; dmarc=pass header.from=mail.example\n"
HOW = Reception(senders=Senders((SERVER,)), public="pbem@host.example")


@pytest.fixture
def box(store: Store) -> Postbox:
    """A game that nobody plays blue in, open to strangers, and one that is not."""
    begin(store, blue=Player())
    begin(store, "mill", blue=Player())
    carry_out(store, "toy", NOW, lambda t: people.set_open(t, "yes", by="host", why=""))
    return Postbox(store, "toy", "pbem@host.example", NOW + HOUR, how=HOW)


def letter(
    text: str, *, sender: str = DORA, to: str = "pbem@host.example", subject: str = "", heads: str = PASS
) -> bytes:
    mail = f"{heads}From: {sender}\nTo: {to}\nSubject: {subject}\nDate: Fri, 20 Nov 2026 20:00:00 +0000\n"
    return (mail + f"\n{text}\n").encode()


def answers(box: Postbox) -> list[str]:
    """What strangers have been written, each with its recipient and its subject."""
    rows = [row for row in box.outbox() if row.kind == "stranger"]
    assert all(row.game is None for row in rows)
    return [f"{row.recipient}: {row.subject}\n{row.raw.decode()}" for row in rows]


def digest(box: Postbox) -> str:
    box.now += 48 * HOUR
    assert write_digests(box.store, box.now) == 1
    return " ".join(box.texts(MODERATOR)[-1].split())


def test_help(box: Postbox, tmp_path: Path) -> None:
    """What this is, what can be written, which games wait for players and whom to write; it is mailed."""
    got = box.deliver(letter("Help!\n\nI have heard of you from Anna."))
    assert (got.outcome, got.game) == ("explained", "")
    (text,) = answers(box)
    assert text.startswith("dora@mail.example: Playing by email here\n")
    for part in (
        "runs wargames by email",
        "JOIN  and a game",
        "toy: Clash of Twenty",
        "to play Blue",
        MODERATOR,
    ):
        assert part in text, part
    assert "mill" not in text and "rita@" not in text
    assert "Auto-Submitted: auto-replied" in text
    sent = send_pending(box.store, FolderTransport(tmp_path / "out"), box.now, local=True, at_once=True)
    assert DORA in [each.recipient for each in sent if each.result == "sent"]
    assert box.deliver(next((tmp_path / "out").rglob("*stranger*")).read_bytes()).outcome == "ignored"


def test_list_from_the_subject(box: Postbox) -> None:
    assert box.deliver(letter("", subject="LIST please")).outcome == "explained"
    (text,) = answers(box)
    assert "to play Blue, send: JOIN toy blue" in text and "deadlines: 3 days for each letter" in text


def test_join_reaches_the_moderator_who_sends_a_line_back(box: Postbox) -> None:
    got = box.deliver(letter("join toy blue\n\nI have played this since 1975.\n-- \nDora"))
    assert got.outcome == "explained"
    (text,) = answers(box)
    assert f"passed on to {MODERATOR}" in " ".join(text.split()) and "Blue" in text
    said = digest(box)
    line = "toy: JOIN blue dora@mail.example"
    assert f"dora@mail.example asks for Blue. To give the seat, send: {line}" in said
    assert "> join toy blue I have played this since 1975." in said
    assert box.mail("moderator", f"{line}\n").outcome == "accepted"
    assert box.seat("blue").address == DORA
    first = box.texts(DORA)[-1]
    assert "You play Blue" in first or "Blue" in first
    box.deliver(letter("list", heads=PASS.replace("mail.", "mail."), sender="x@mail.example"))
    assert "No game here waits for players now." in answers(box)[-1]


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("join", "Your wish to play any side in toy"),
        ("Join: mill!", "Your wish to play any side in toy"),
        ("JOIN toy as Blue, please", "Your wish to play Blue in toy"),
        ("JOIN toy red", "Your wish to play any side in toy"),
    ],
)
def test_join_is_read_kindly(box: Postbox, line: str, says: str) -> None:
    """Where one game waits for players it is meant."""
    box.deliver(letter(line))
    assert says in " ".join(answers(box)[-1].split())


def test_join_of_several_games_must_name_one(box: Postbox) -> None:
    carry_out(box.store, "mill", NOW, lambda t: people.set_open(t, "yes", by="host", why=""))
    box.deliver(letter("join"))
    assert "Say which game you would like to play." in answers(box)[-1]
    assert "JOIN mill blue" in answers(box)[-1] and "JOIN toy blue" in answers(box)[-1]
    box.deliver(letter("join mill", sender="ed@mail.example"))
    assert "in mill is passed on" in " ".join(answers(box)[-1].split())
    said = digest(box)
    assert "ed@mail.example" in said and "dora@" not in said


def test_each_word_is_answered_once_a_day(box: Postbox) -> None:
    outcomes = [box.deliver(letter(f"{word}\n{number}")).outcome for number in range(3) for word in
                ("help", "list", "join toy")]  # fmt: skip
    assert outcomes == ["explained"] * 3 + ["quarantined"] * 6
    box.now += 24 * HOUR
    assert box.deliver(letter("help\nonce more")).outcome == "explained"
    assert len(answers(box)) == 4


def test_all_of_them_get_so_many_answers_a_day(box: Postbox, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(strangers, "MOST_A_DAY", 3)
    outcomes = [box.deliver(letter("help", sender=f"a{number}@mail.example")).outcome for number in range(5)]
    assert outcomes == ["explained"] * 3 + ["quarantined"] * 2


SILENT = {
    "nothing is known of its sender": {"heads": ""},
    "its domain disowns it": {"heads": PASS.replace("pass", "fail")},
    "another server vouches for it": {"heads": PASS.replace(SERVER, "mx.evil.example")},
    "its server vouches for another domain": {"heads": PASS.replace("mail.example", "evil.example")},
    "it has two senders": {"sender": f"{DORA}, eve@evil.example"},
    "it is not sent to the server": {"to": "list@elsewhere.example"},
    "it is sent to somebody's reply address": {"to": "pbem+none.blue.aaaaaaaaaaaaaaaa@host.example"},
    "it is from a program": {"sender": "no-reply@mail.example"},
    "it begins with nothing of the kind": {"subject": "Buy now"},
}


@pytest.mark.parametrize("what", SILENT)
def test_any_other_letter_is_set_aside_without_an_answer(box: Postbox, what: str) -> None:
    text = "Dear Sir or Madam" if what == "it begins with nothing of the kind" else "HELP"
    assert box.deliver(letter(text, **SILENT[what])).outcome == "quarantined"
    assert answers(box) == []


def test_a_host_may_answer_nobody(box: Postbox) -> None:
    box.how = Reception(senders=Senders((SERVER,)))
    assert box.deliver(letter("HELP")).outcome == "quarantined"
    assert answers(box) == []


AUTOMATIC = (
    "Auto-Submitted: auto-replied",
    "Auto-Submitted: auto-generated",
    "Precedence: bulk",
    "Precedence: list",
    "Precedence: auto_reply",
    "List-Id: <chat.example>",
    "X-Autoreply: yes",
    "X-Auto-Response-Suppress: All",
    "Return-Path: <>",
    "X-Pbem: letter",
    "Subject: Out of office: HELP",
    "Subject: Automatic reply: LIST",
    "Subject: Abwesenheitsnotiz",
    "Content-Type: multipart/report; report-type=delivery-status; boundary=x",
    "X-Failed-Recipients: dora@mail.example",
)


def automatic() -> Iterator[bytes]:
    """300 mails of programs that hold a word that a person would be answered for."""
    for number in range(300):
        head = AUTOMATIC[number % len(AUTOMATIC)]
        word = ("HELP", "LIST", "JOIN toy blue")[number % 3]
        subject = "" if head.startswith("Subject") else word
        raw = letter(f"{word}\n{number}", sender=f"p{number}@mail.example", subject=subject)
        if head.startswith("Subject"):
            raw = re.sub(rb"^Subject: *\n", b"", raw, flags=re.MULTILINE)
        yield f"{head}\n".encode() + raw


@pytest.mark.dear
def test_300_automatic_mails_get_no_answer(box: Postbox) -> None:
    assert {box.deliver(raw).outcome for raw in automatic()} == {"ignored"}
    assert answers(box) == []


def test_an_open_game_has_a_moderator(store: Store) -> None:
    with pytest.raises(ValueError, match="an open game needs a moderator"):
        check(NewGame("clash", "toy", settings={"open": True}))


# --- who may write ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("listed", [DORA, "@mail.example"])
def test_letters_of_those_who_are_denied_are_not_read(box: Postbox, listed: str) -> None:
    """Whatever they write, a stranger or a player: nothing is answered, kept or told."""
    box.how = replace(HOW, gate=Gate(deny=(listed,)))
    before = box.last()
    got = box.deliver(letter("JOIN toy blue"))
    assert (got.outcome, got.game) == ("ignored", "") and "may not write" in got.why
    two = letter("JOIN toy", sender=f"ann@fair.example, {DORA}", heads=f"{PASS}Sender: ann@fair.example\n")
    assert box.deliver(two).outcome == "ignored"
    if listed.startswith("@"):
        assert box.mail("red", "move R1 to 0201\ndone\n").outcome == "ignored"
        assert not box.seat("red").sheet["lines"]
    assert box.last() == before
    assert "dora" not in digest(box)


def test_others_are_not_denied(box: Postbox) -> None:
    """Neither a subdomain nor a name that ends alike is meant."""
    box.how = replace(HOW, gate=Gate(deny=("@ail.example", "@x.mail.example", "ora@mail.example")))
    assert box.deliver(letter("HELP")).outcome == "explained"
    assert box.mail("red", "status\n").outcome == "accepted"


def test_only_those_who_are_allowed_may_ask_to_play(box: Postbox) -> None:
    """JOIN of others is refused and told to nobody; their HELP and LIST are answered, and players play."""
    box.how = replace(HOW, gate=Gate(allow=("@club.example",)))
    assert box.deliver(letter("JOIN toy blue")).outcome == "explained"
    assert box.deliver(letter("LIST")).outcome == "explained"
    refused, listed = answers(box)
    assert "Only people whom the host of this server has named may ask to play here." in flat(refused)
    assert "to play Blue" in flat(listed)
    assert box.mail("red", "status\n").outcome == "accepted"
    assert "dora" not in digest(box)
    box.how = replace(HOW, gate=Gate(allow=(DORA,)))
    box.deliver(letter("JOIN toy blue\nonce more", heads=PASS))
    assert "toy: JOIN blue dora@mail.example" in digest(box)


def test_the_lists_are_settings() -> None:
    allow: Any = "a@x.example, @club.example"
    known = SenderSettings(deny=["Eve@X.example", "@Spam.example"], allow=allow)
    assert known.deny == ("eve@x.example", "@spam.example") and known.allow == (
        "a@x.example",
        "@club.example",
    )
    gate = reception(Settings(senders=known)).gate
    assert gate == Gate(known.deny, known.allow) and gate.lets_ask("B@club.example")
    with pytest.raises(ValueError, match="is not a mail address"):
        SenderSettings(deny=("spam",))
