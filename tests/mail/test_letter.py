"""Mails of many programs, broken and hostile ones among them, read as letters."""

from __future__ import annotations

import gc
import subprocess
import sys
import time
from base64 import b64encode
from collections.abc import Callable, Iterator
from dataclasses import asdict
from datetime import timedelta
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sizes import size

from pbem.mail.letter import MAX_COLUMNS, Letter, parse
from pbem.mail.text import html_to_text, plain, unflow

LETTERS = sorted((Path(__file__).parent / "letters").glob("*.eml"))
US = "pocket+cotentin.allied.k3v9x2m7q4w8n5ra@club.example"


def mail(body: str | bytes, *headers: str) -> bytes:
    """A mail with this body and, after the ordinary ones, these headers."""
    lines = ["From: Anna <anna@example.org>", f"To: {US}", "Message-ID: <1@example.org>", *headers]
    return "\n".join(lines).encode() + b"\n\n" + (body.encode() if isinstance(body, str) else body)


def own(letter: Letter) -> list[str]:
    return [line.text for line in letter.own]


def named(name: str) -> Letter:
    return parse((Path(__file__).parent / "letters" / f"{name}.eml").read_bytes())


# --- the corpus -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("path", LETTERS, ids=lambda path: path.stem)
def test_what_the_writer_wrote(path: Path) -> None:
    """Each mail of the corpus gives its kind, its sender, exactly the lines its writer wrote, in the mail and
    in files, and what was not opened."""
    letter = parse(path.read_bytes())
    head, _, lines = path.with_suffix(".txt").read_text(encoding="utf-8").partition("\n\n")
    assert [
        f"kind: {letter.kind}",
        f"sender: {letter.sender}",
        *(f"file: {file.name}: {' / '.join(line.text for line in file.own)}" for file in letter.files),
        *(f"unopened: {why}" for why in letter.unopened),
    ] == head.strip("\n").split("\n")
    assert own(letter) == lines.strip("\n").split("\n") if lines.strip() else own(letter) == []


@pytest.mark.parametrize("path", LETTERS, ids=lambda path: path.stem)
def test_line_ends_do_not_matter(path: Path) -> None:
    """A mail says the same with CRLF, LF or CR between its lines."""
    unix = path.read_bytes().replace(b"\r\n", b"\n")
    readings = [parse(unix.replace(b"\n", end)) for end in (b"\n", b"\r\n", b"\r")]
    assert readings[0].lines == readings[1].lines == readings[2].lines
    assert len({reading.content_digest for reading in readings}) == 1


def test_the_corpus_is_complete() -> None:
    """Every mail has its expected lines beside it, every expectation its mail, and there are enough of
    them."""
    folder = Path(__file__).parent / "letters"
    assert {path.stem for path in LETTERS} == {path.stem for path in folder.glob("*.txt")}
    assert len(LETTERS) >= 24


# --- headers ----------------------------------------------------------------------------------------------


def test_headers_of_an_ordinary_letter() -> None:
    """Ids, subject, date and thread of a letter are what its headers say."""
    letter = named("mutt-plain")
    assert letter.message_id == "<20261120.GA1@lap.example.org>"
    assert letter.subject == "Re: [cotentin] Turn 2, Allied combat: your move"
    assert letter.date is not None
    assert letter.date.isoformat() == "2026-11-20T21:14:00+01:00"
    assert (
        letter.in_reply_to == letter.references[0] == "<pbem.abcdefghijklmnopqrstuvwxyz234567@club.example>"
    )
    assert letter.recipients == (US,)
    assert letter.faults == ()


def test_recipients_come_from_every_header_a_server_may_use() -> None:
    """The address with the secret part is found wherever a mail server or a player put it."""
    for name in ("Delivered-To", "X-Original-To", "Envelope-To", "To", "Cc"):
        address = f"pocket+g.s.{'a' * 16}@club.example"
        raw = f"From: a@example.org\n{name}: Club <{address.upper()}>, other@example.org\n\nx".encode()
        assert parse(raw).recipients == (address, "other@example.org")


def test_missing_message_id_is_made_from_the_content() -> None:
    """A mail without Message-ID gets one that is the same each time and differs from other mails'."""
    one, other = parse(b"From: a@b.example\n\nx"), parse(b"From: a@b.example\n\ny")
    assert one.message_id == parse(b"From: a@b.example\n\nx").message_id != other.message_id


def test_encoded_subject() -> None:
    """Encoded words are undone, also when a sentence is spread over several and the charset is Latin."""
    raw = mail("x", "Subject: =?utf-8?q?Saint-L=C3=B4?= =?utf-8?b?LCBub24=?=\n =?iso-8859-1?q?_=E9t=E9?= now")
    assert parse(raw).subject == "Saint-Lô, non été now"


@pytest.mark.parametrize(
    "value", ["yesterday", "", "Fri, 99 Nov 2026 21:14:00 +0100", "1 Jan 99999999 00:00 +0000"]
)
def test_a_date_that_is_none(value: str) -> None:
    """A date nobody can read is no date."""
    assert parse(mail("x", f"Date: {value}")).date is None


def test_a_date_without_zone_is_utc() -> None:
    """`-0000` says that the zone is unknown; the time is still a moment."""
    date = parse(mail("x", "Date: Fri, 20 Nov 2026 21:14:00 -0000")).date
    assert date is not None
    assert date.utcoffset() == timedelta(0)


@pytest.mark.parametrize(
    "headers",
    [
        "From: a@b.example\nFrom: c@d.example",
        "From: a@b.example\nTo: x@y.example\nfrom : Anna <c@d.example>",
        "From: Anna <a@b.example>, Bernd <c@d.example>",
        "From: a@b.example, c@d.example",
        "From: a@b.example c@d.example",
        "From: <a@b.example> <c@d.example>",
        "From: all: Anna <a@b.example>, c@d.example;",
        'From: Anna (me, x@y.example) <a@b.example>,\n "B, x@y.example" <c@d.example>\nSender: c@d.example',
    ],
)
def test_several_senders_are_in_doubt(headers: str) -> None:
    """A mail with several From headers, or several addresses in one, counts as from the first and says so."""
    letter = parse(f"{headers}\n\nx".encode())
    assert letter.sender == "a@b.example"
    assert letter.senders == ("a@b.example", "c@d.example")
    assert letter.doubtful in ("it has 2 From headers", "its From header names 2 addresses")
    assert letter.faults == ("the email names more than one sender",)


@pytest.mark.parametrize(
    ("value", "sender"),
    [
        ("a@b.example", "a@b.example"),
        ("Anna <A@b.Example>", "a@b.example"),
        ("c@d.example <a@b.example>", "a@b.example"),
        ('"c@d.example, Anna" <a@b.example> (c@d.example)', "a@b.example"),
        ('"Anna \\" c@d.example" <a@b.example>', "a@b.example"),
        ("Lind, Anna <a@b.example>", "a@b.example"),
        ("<a@b.example>, <A@B.example>", "a@b.example"),
        ('"a"@b.example', "a@b.example"),
        ('"a@b.example"', "a@b.example"),
        ("Anna", ""),
        ("undisclosed-recipients:;", ""),
        ("", ""),
    ],
)
def test_one_sender(value: str, sender: str) -> None:
    """A name may hold what looks like another address, and Sender names nobody: there is one sender, or
    none."""
    letter = parse(f"From: {value}\nSender: list <c@d.example>\n\nx".encode())
    assert (letter.sender, letter.senders, letter.doubtful) == (sender, (sender,) if sender else (), "")


def test_two_from_headers_are_in_doubt_even_if_they_agree() -> None:
    """No mail program writes two From headers, so which one a check was made on cannot be known."""
    letter = parse(b"From: a@b.example\nFrom: A <a@b.example>\n\nx")
    assert letter.senders == ("a@b.example",)
    assert letter.doubtful == "it has 2 From headers"


@pytest.mark.parametrize(
    "address", ['"{}"@club.example', '<"{}"@club.example>', 'pbem <"{}"@CLUB.example>, a@b.example']
)
def test_quoted_local_parts(address: str) -> None:
    """An address whose local part a program has put in quotation marks is the same address."""
    raw = f"From: a@b.example\nTo: {address.format(US.partition('@')[0])}\n\nx"
    assert parse(raw.encode()).recipients[0] == US


@pytest.mark.parametrize(
    ("header", "kind"),
    [
        ("Auto-Submitted: no", "letter"),
        ("X-Auto-Response-Suppress: None", "letter"),
        ("Precedence: first-class", "letter"),
        ("Return-Path: <anna@example.org>", "letter"),
        ("Auto-Submitted: auto-generated", "auto-reply"),
        ("Auto-Submitted: Auto-Replied; owner-email=anna@example.org", "auto-reply"),
        ("X-Autoreply: yes", "auto-reply"),
        ("X-Auto-Response-Suppress: DR, OOF, AutoReply", "auto-reply"),
        ("Precedence: auto_reply", "auto-reply"),
        ("Subject: =?utf-8?q?Automatic_reply=3A_your_move?=", "auto-reply"),
        ("Precedence: bulk", "list"),
        ("Precedence: JUNK", "auto-reply"),
        ("X-Precedence: auto_reply", "auto-reply"),
        ("X-Autogenerated: Reply", "auto-reply"),
        ("X-Autogenerated: Forward", "letter"),
        ("X-FC-MachineGenerated: true", "auto-reply"),
        ("X-Mail-Autoreply: yes", "auto-reply"),
        ("X-Boxtrapper: 6Tb9hvJ9yAuJH2FCy0gwpCiKxf9HsUyk", "auto-reply"),
        ("X-AskVersion: 2.5.2", "auto-reply"),
        ("X-TMDA-Fingerprint: hXJ2DDZFLLNOvkp0T3H8CkBUZHE", "letter"),
        ("List-Id: <wargames.lists.example>", "list"),
        ("Return-Path: < >", "bounce"),
        ("X-Failed-Recipients: anna@example.org", "bounce"),
        ("Content-Type: multipart/report; boundary=x", "bounce"),
        ("X-Pbem: letter", "ours"),
    ],
)
def test_kinds(header: str, kind: str) -> None:
    """Each mark that programs put on mail they write of themselves is known, and none on people's."""
    assert parse(mail("8/4 to 4918", header)).kind == kind


_CONTROLS = "".join(map(chr, [*range(0x09), 0x0B, 0x0C, *range(0x0E, 0x20), *range(0x7F, 0xA0)]))
_HEADERS = (
    "Subject",
    "In-Reply-To",
    "References",
    "Delivered-To",
    "Reply-To",
    "List-Id",
    "X-Other",
    "Date",
    "Return-Path",
)


def _texts(value: object) -> Iterator[str]:
    """Every text in what `asdict` makes of a letter."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list | tuple):
        for each in value.values() if isinstance(value, dict) else value:
            yield from _texts(each)


@pytest.mark.parametrize("sign", ["\0", _CONTROLS], ids=["nul", "all"])
@pytest.mark.parametrize("charset", ["utf-8", "iso-8859-2"])
def test_control_characters_reach_no_field(sign: str, charset: str) -> None:
    """Whatever header, body or file name holds control characters, no field of the letter does."""
    ids = f"<pbem.{'a' * 32}@c{sign}lub.example> <{sign}x@y{sign}z>"
    word = f"=?utf-8?q?{''.join(f'={byte:02X}' for byte in sign.encode())}a?="
    head = "".join(f"{name}: a{sign}b {ids} {word}\n" for name in _HEADERS) + (
        f"From: An{sign}na <an{sign}na@example.org{sign}>\nTo: <{US}{sign}>\nMessage-ID: {ids}\n"
        f"Content-Type: multipart/mixed{sign}; boundary=b{sign}\n\n"
    )
    body = (
        f"--b\nContent-Type: text/plain; charset={charset}\n\n8/4 to{sign} 4918\n{sign}\n"
        f"--b\nContent-Disposition: attachment; filename={word}.txt\n\n12/4{sign} to 4825\n--b--\n"
    )
    letter = parse(head.encode() + body.encode(charset))
    assert not {*"".join(_texts(asdict(letter)))} & {*_CONTROLS}
    assert letter.sender == "anna@example.org"
    assert letter.recipients[-1] == US
    assert letter.subject.startswith("ab <pbem.")
    bounce = parse(f"From: mailer-daemon@x.example\n\nMessage-ID: {ids}\n".encode())
    assert not {*bounce.about} & {*_CONTROLS}


@pytest.mark.parametrize(
    "subject",
    [
        "Automatic reply: [cotentin] Turn 2: your move",
        "AUTOMATIC REPLY",
        "Automatic reply : Re: your move",
        "Auto-reply: your move",
        "Auto reply from Anna Lind",
        "Autoreply: your move",
        "Automatic response: your move",
        "Out of Office",
        "Out of Office: Re: your move",
        "Out of Office AutoReply: your move",
        "Out of the office (was: your move)",
        "Out of office until 1 December",
        "OOO: your move",
        "OOO",
        "away from my mail",
        "Vacation reply",
        "Vacation auto-reply: your move",
        "Abwesenheitsnotiz: Ihr Zug",
        "Automatische Antwort: [cotentin] Turn 2",
        "Abwesend: your move",
        "Réponse automatique : your move",
        "Re\u0301ponse automatique: your move",
        "Absence du bureau",
        "Respuesta automática: your move",
        "Fuera de la oficina: your move",
        "Risposta automatica: your move",
        "Fuori sede: your move",
        "Automatisch antwoord: your move",
        "Afwezigheidsbericht: your move",
        "Autosvar: your move",
        "Automatisk svar: your move",
        "Automatiskt svar: your move",
        "Automaattinen vastaus: your move",
        "Autoodpowiedź: your move",
        "Odpowiedź automatyczna: your move",
        "Automatická odpověď: your move",
        "Automatikus válasz: your move",
        "Răspuns automat: your move",
        "Resposta automática: your move",
        "Ausência temporária: your move",
        "Otomatik Yanıt: your move",
        "Автоответ: your move",
        "Автоматический ответ: your move",
        "Автоматична відповідь: your move",
        "Αυτόματη απάντηση: your move",
        "自動応答: your move",
        "自動応答：your move",
        "自动答复: your move",
        "自動回覆: your move",
        "자동 회신: your move",
    ],
)
def test_subjects_of_automatic_replies(subject: str) -> None:
    """Where no header says so, an answer that nobody wrote is known by its subject, in the usual
    languages."""
    assert parse(mail("I am away.", f"Subject: {subject}")).kind == "auto-reply"
    encoded = f"=?utf-8?b?{b64encode(subject.encode()).decode()}?="
    assert parse(mail("I am away.", f"Subject: {encoded}")).kind == "auto-reply"


@pytest.mark.parametrize(
    "subject",
    [
        "Re: Automatic reply: your move",
        "AW: Abwesenheitsnotiz: Ihr Zug",
        "Sv: Autosvar: your move",
        "[cotentin] Turn 2 orders (out of office tomorrow)",
        "Orders before I am out of office: turn 2",
        "Out of office supplies, so orders by hand",
        "Automatic replies annoy me",
        "Automatically drawn units?",
        "My vacation reply: 8/4 to 4918",
        "Vacation: orders until Friday",
        "Away from my map until Monday",
        "OOOrders",
        "Poissa",
        "Accepted: 8/4 to 4918",
        "Autoresponder is a nice word",
        "",
    ],
)
def test_subjects_of_people(subject: str) -> None:
    """A subject that holds such words elsewhere, or answers one that began with them, is a person's."""
    assert parse(mail("8/4 to 4918", f"Subject: {subject}")).kind == "letter"


@pytest.mark.parametrize(
    ("subject", "kind", "calendar", "expected"),
    [
        ("your move", "text/calendar; method=REPLY", "BEGIN:VCALENDAR\nEND:VCALENDAR", "auto-reply"),
        ("your move", 'text/calendar; charset="utf-8"; method="counter"', "BEGIN:VCALENDAR", "auto-reply"),
        (
            "your move",
            "application/ics; name=invite.ics",
            "BEGIN:VCALENDAR\nMETHOD:REPLY\nEND:VCALENDAR",
            "auto-reply",
        ),
        ("Accepted: your move", "text/calendar", "BEGIN:VCALENDAR\nEND:VCALENDAR", "auto-reply"),
        ("Zugesagt: your move", "text/calendar", "BEGIN:VCALENDAR\nEND:VCALENDAR", "auto-reply"),
        ("Refusé : your move", "text/calendar", "BEGIN:VCALENDAR\nEND:VCALENDAR", "auto-reply"),
        ("your move", "text/calendar; method=REQUEST", "BEGIN:VCALENDAR\nMETHOD:REQUEST", "letter"),
        ("Re: Accepted: your move", "text/calendar; method=REQUEST", "BEGIN:VCALENDAR", "letter"),
        ("your move", "text/calendar", "BEGIN:VCALENDAR\nDESCRIPTION:METHOD:REPLY", "letter"),
    ],
)
def test_answers_to_invitations(subject: str, kind: str, calendar: str, expected: str) -> None:
    """What a calendar answers to an invitation is automatic; an invitation is not."""
    body = f"--b\nContent-Type: text/plain\n\n8/4 to 4918\n--b\nContent-Type: {kind}\n\n{calendar}\n--b--\n"
    for inside in ("alternative", "mixed"):
        headers = [f"Subject: {subject}", f"Content-Type: multipart/{inside}; boundary=b"]
        assert parse(mail(body, *headers)).kind == expected


@pytest.mark.parametrize(
    ("body", "kind"),
    [
        (f"[like]  Anna Lind reacted to your message:\n{'_' * 32}\nFrom: pbem\nSent: x\nSubject: y\n\nz",
         "auto-reply"),
        ("Anna reacted to your message: \U0001f44d\n\n> 8/4 to 4818", "auto-reply"),
        ("\U0001f496\n\nAnna reacted via Gmail\n<https://www.google.com/gmail/about/?x=y>\n\n"
         "pbem wrote:\n\n> y", "auto-reply"),
        ("Anna Lind hat auf Ihre Nachricht reagiert:", "auto-reply"),
        ("Bernd reacted to your message, so\n8/4 to 4918", "letter"),
        ("Bernd reacted to your message:\n8/4 to 4918", "letter"),
        ("\U0001f44d", "letter"),
    ],
)  # fmt: skip
def test_reactions_in_words(body: str, kind: str) -> None:
    """A mail that only says that somebody reacted is automatic; with anything else in it, it is a letter."""
    assert parse(mail(body, "Content-Type: text/plain; charset=utf-8")).kind == kind


def test_reactions_in_a_part_of_their_own() -> None:
    """The part that marks a reaction makes the mail one, but not when it is attached to a letter as a
    file."""
    part = 'Content-Type: text/vnd.google.email-reaction+json; charset="UTF-8"'
    for place, kind in (("", "auto-reply"), ("\nContent-Disposition: attachment; filename=r.json", "letter")):
        body = (
            f"--b\n\nAnna likes it\n--b\n{part}{place}\n\n{{}}\n--b\nContent-Type: text/html\n\n<p>x\n--b--"
        )
        assert parse(mail(body, "Content-Type: multipart/alternative; boundary=b")).kind == kind


def test_challenges() -> None:
    """A mail that asks to be answered so that another is let through is automatic."""
    raw = (
        b"From: a@b.example\nMessage-ID: <1131.123.TMDA@host-tmda-confirm>\n"
        b"Subject: Please confirm\n\nAnswer this."
    )
    assert parse(raw).kind == "auto-reply"


@pytest.mark.parametrize("local", ["MAILER-DAEMON", "postmaster"])
def test_daemons_send_bounces(local: str) -> None:
    """What mail servers write in their own name is a bounce."""
    assert parse(f"From: {local}@example.org\n\nfailed".encode()).kind == "bounce"


def test_a_bounce_names_the_letter_that_came_back() -> None:
    """The Message-ID of our own letter is found inside a delivery report."""
    assert named("bounce-postfix").about == "<pbem.abcdefghijklmnopqrstuvwxyz234567@club.example>"
    assert named("mutt-plain").about == ""


# --- duplicates -------------------------------------------------------------------------------------------


def test_content_digest_ignores_the_envelope() -> None:
    """The same words sent again under another id, subject and wrapping are recognised; other words are
    not."""
    first = parse(mail("8/4 to 4918\n\n> old"))
    again = parse(mail("8/4  to 4918 ", "Subject: once more", "X-Mailer: other"))
    other = parse(mail("8/4 to 4919"))
    elsewhere = parse(b"From: eve@evil.example\n\n8/4 to 4918")
    assert first.digest != again.digest
    assert first.content_digest == again.content_digest
    assert len({first.content_digest, other.content_digest, elsewhere.content_digest}) == 3


# --- text -------------------------------------------------------------------------------------------------


def test_quoted_lines_are_kept_as_quoted_with_their_numbers() -> None:
    """Lines keep their place in the letter, quoted ones are marked, and introductions are set aside."""
    letter = named("mutt-inline-reply")
    numbered = {line.number: (line.text, line.quoted) for line in letter.lines}
    assert numbered[4] == (">   8/4   4717", True)
    assert numbered[5] == ("8/4 to 4918", False)
    assert [line.number for line in letter.set_aside] == [1, 13, 14]


@pytest.mark.parametrize(
    "orders",
    [
        ["On 4817 attack with 8/4", "12/4 to 4825"],
        ["On 4817 we attack with 8/4, 12/4 and 22/4 if they are there"],
        ["write to <anna@example.org>", "[movement]", "press german:"],
        ["from: 4717", "to: 4918"],
        ["press german: von meinem Standpunkt aus", "- 8/4 stays"],
        ["-----", "8/4 to 4918", "----------", "12/4 to 4825"],
        ["password: On 1, a@b wrote"],
        ["de: 4717", "para: 4918", "8/4 to 4918"],
        [
            "8/4 to 4918",
            "_" * 40,
            "press all: a mailing list?",
            "12/4 to 4825",
            "see https://lists.example.org",
        ],
        ["---- first wave ----", "from: 4717", "8/4 to 4918", "---- second wave ----", "12/4 to 4825"],
    ],
)
@pytest.mark.parametrize(
    "end", ["", "\nOn Fri, 20 Nov 2026 at 20:00, pbem <pocket@club.example> wrote:\n", "\n> quoted\n"]
)
def test_orders_that_look_like_something_else(orders: list[str], end: str) -> None:
    """Lines that only resemble an introduction, a header or a signature stay the writer's, whatever follows
    them."""
    letter = parse(mail("\n".join(orders) + end))
    assert own(letter) == orders


@pytest.mark.parametrize(
    "introduction",
    [
        "On Fri, 20 Nov 2026 at 20:00, pbem <\npocket+cotentin.allied.k3v9x2m7q4w8n5ra@club.example> wrote:",
        "pbem <pocket@club.example> writes:",
        "2026-11-20 20:00 GMT+01:00 pbem <pocket@club.example>:",
        "* pbem <pocket@club.example> [2026-11-20 20:00]:",
        "pbem wrote:",
        "El vie, 20 nov 2026 a las 20:00, pbem (<pocket@club.example>)\nescribió:",
        "Op vr 20 nov. 2026 om 20:00 schreef pbem <pocket@club.example>:",
        "W dniu 20.11.2026 o 20:00, pbem napisał:",
    ],
)
def test_introductions_of_quotations(introduction: str) -> None:
    """What mail programs write above a quotation is set aside, in several languages, wrapped or not."""
    letter = parse(mail(f"8/4 to 4918\n\n{introduction}\n\n> 8/4 to 4818\n"))
    assert own(letter) == ["8/4 to 4918"]
    assert " ".join(line.text for line in letter.set_aside) == introduction.replace("\n", " ")


@pytest.mark.parametrize(
    ("writer", "sent", "reader", "subject"),
    [
        ("De", "Enviado el", "Para", "Asunto"),
        ("De", "Enviada em", "Para", "Assunto"),
        ("De", "Data", "Para", "Assunto"),
        ("De", "Envoyé", "À", "Objet"),
        ("Da", "Inviato", "A", "Oggetto"),
        ("Van", "Verzonden", "Aan", "Onderwerp"),
        ("Från", "Skickat", "Till", "Ämne"),
        ("Fra", "Sendt", "Til", "Emne"),
        ("Fra", "Dato", "Til", "Emne"),
        ("Lähettäjä", "Päivämäärä", "Vastaanottaja", "Aihe"),
        ("Od", "Wysłano", "Do", "Temat"),
        ("Od", "Odesláno", "Komu", "Předmět"),
        ("Od", "Odoslané", "Komu", "Predmet"),
        ("Feladó", "Elküldve", "Címzett", "Tárgy"),
        ("De la", "Trimis", "Către", "Subiect"),
        ("От", "Дата", "Кому", "Тема"),
        ("Від", "Надіслано", "Кому", "Тема"),
        ("Kimden", "Gönderildi", "Kime", "Konu"),
        ("Από", "Στάλθηκε", "Προς", "Θέμα"),
        ("差出人", "日時", "宛先", "件名"),
        ("发件人", "发送时间", "收件人", "主题"),
        ("寄件者", "寄件日期", "收件者", "主旨"),
        ("보낸 사람", "보낸 날짜", "받는 사람", "제목"),
    ],
)
@pytest.mark.parametrize("rule", ["", "_" * 32, "----- Isto é o original -----"])
def test_header_blocks_of_quotations(writer: str, sent: str, reader: str, subject: str, rule: str) -> None:
    """In each of these languages the headers above an unmarked quotation are set aside, and the rest is
    quoted."""
    block = (
        f"{rule}\n{writer}: pbem <pocket@club.example>\n{sent}: 20.11.2026 20:00\n*{reader}:* Anna\n"
        f"{subject} : Turn 2"
    )
    letter = parse(mail(f"8/4 to 4918\n{block}\n\n8/4 to 4818\n12/4 to 4825\n"))
    assert own(letter) == ["8/4 to 4918"]
    assert [line.text for line in letter.lines if line.quoted] == ["", "8/4 to 4818", "12/4 to 4825"]


@pytest.mark.parametrize(
    "footer",
    [
        "Enviado desde mi iPhone",
        "Enviado do meu iPhone",
        "Wysłane z iPhone'a",
        "Odesláno z iPhonu",
        "Lähetetty iPhonesta",
        "Sendt fra min iPhone",
        "Отправлено с iPhone",
        "iPhoneから送信",
    ],
)
def test_advertisements_of_telephones(footer: str) -> None:
    """The line that a telephone puts below a letter is set aside in more languages than English."""
    assert own(parse(mail(f"8/4 to 4918\n\n{footer}\n"))) == ["8/4 to 4918"]


def test_what_cannot_be_read_without_a_key_is_set_aside() -> None:
    """An encrypted block or a key in the text is no writing; what is above and below it is."""
    for kind in ("MESSAGE", "PUBLIC KEY BLOCK"):
        block = f"-----BEGIN PGP {kind}-----\n\nhQEMA8/4to4918\n=abcd\n-----END PGP {kind}-----"
        assert own(parse(mail(f"8/4 to 4918\n{block}\n12/4 to 4825"))) == ["8/4 to 4918", "12/4 to 4825"]


def test_bars_that_mark_a_quotation() -> None:
    """Lines that begin with a bar are quoted where several do, like any other quotation; one alone stays."""
    letter = parse(mail("| [movement]\n8/4 to 4918\n |> 12/4 at 4718\n|\n12/4 to 4825"))
    assert [line.text for line in letter.lines if line.quoted] == ["> [movement]", "> > 12/4 at 4718", ">"]
    assert own(letter) == ["8/4 to 4918", "12/4 to 4825"]
    assert own(parse(mail("| press german: I draw\n8/4 to 4918"))) == [
        "| press german: I draw",
        "8/4 to 4918",
    ]


@pytest.mark.parametrize(
    "date", ["20.11.2026 20:00", "11/20/2026 08:00 PM", "2026-11-20 20:00", "20/11/26 20.00"]
)
@pytest.mark.parametrize(
    "headers", ["An: Anna\nKopie:\nThema: Turn 2", "        To: Anna\n        cc:\n        Subject: 2"]
)
def test_what_lotus_notes_puts_above_a_quotation(date: str, headers: str) -> None:
    """Writer, date and headers on lines of their own begin a quotation; an address alone does not."""
    orders = "write to anna@example.org\n8/4 to 4918"
    letter = parse(mail(f"{orders}\npbem <pocket@club.example>\n{date}\n\n{headers}\n\n8/4 to 4818\n"))
    assert own(letter) == orders.split("\n")
    assert own(parse(mail(f"{orders}\n{date}\nto: 4918"))) == [*orders.split("\n"), date, "to: 4918"]
    assert own(parse(mail(f"> -----+------\n> 8/4 | 4717\n{orders}"))) == orders.split("\n")


def test_typography_becomes_what_a_keyboard_types() -> None:
    """Dashes, quotes, special spaces and invisible signs of phones become plain ones."""
    assert (
        plain("“a”\u00a0–\u202f‘b’ — «c»…\u200b\ufeff\u00ad → é\u2028x\0") == '"a" - \'b\' - "c"... -> é\nx'
    )


def test_wide_signs_become_what_a_keyboard_types() -> None:
    """Signs of East Asian width, ligatures and Roman numerals become plain ones; powers and fractions
    stay."""
    assert (
        plain("［ｍｏｖｅ］　８/４ ｔｏ ５２３０；｀ａ｀、Ⅶ/ＵＳ ﬁnal 𝟖/𝟒")
        == "[move] 8/4 to 5230;'a',VII/US final 8/4"
    )
    assert plain("8/4² ½ ① • * · №") == "8/4² ½ ① • * · №"


@pytest.mark.parametrize(
    ("body", "lines"),
    [
        ("8/4 to 4918=20\n12/4 to 4825=20", ["8/4 to 4918", "12/4 to 4825"]),
        (
            "12/4 to 4825 and then =\nto 4826\n8/4 to 4918=20\nx=3Dy",
            ["12/4 to 4825 and then to 4826", "8/4 to 4918", "x=y"],
        ),
        ("8/4 to 4918=20", ["8/4 to 4918=20"]),
        ("8/4 to 4918=20\n12/4 to 4825\n22/4 to 4826", ["8/4 to 4918=20", "12/4 to 4825", "22/4 to 4826"]),
        ("1=20\n2=20", ["1=20", "2=20"]),
        ("Q1=20\nanswer 2 =20\n8/4 to 4918=20", ["Q1=20", "answer 2 =20", "8/4 to 4918=20"]),
        ("if modifier >=20\nif modifier >=20", ["if modifier >=20", "if modifier >=20"]),
        ("a = heavy=20\nb=20\nc=20", ["a = heavy=20", "b=20", "c=20"]),
        ("salt x=\nsalt y=4F", ["salt x=", "salt y=4F"]),
    ],
)
def test_stray_quoted_printable(body: str, lines: list[str]) -> None:
    """A part that is encoded but does not say so is decoded where that is certain, and nowhere else."""
    assert own(parse(mail(body))) == lines
    assert own(parse(mail(body, "Content-Transfer-Encoding: 8bit"))) == lines


@pytest.mark.parametrize(
    "stub",
    [
        "",
        " \u00a0\u200b\ufeff\u2800 ",
        "This message is in HTML format.",
        "To view this message, please use an HTML compatible email viewer!",
        "Your mail client does not support HTML messages",
        "Diese Nachricht wurde im HTML-Format verschickt.",
        "Ce message est au format HTML.",
        "Este mensaje está en formato HTML.",
    ],
)
@pytest.mark.parametrize("kind", ["alternative", "mixed", "related"])
def test_a_text_that_says_nothing_beside_html(stub: str, kind: str) -> None:
    """Where the plain text is empty or only speaks of HTML, the HTML is read, unless that is empty too."""
    kind = f"Content-Type: multipart/{kind}; boundary=b"
    both = "--b\nContent-Type: text/plain; charset=utf-8\n\n{}\n--b\nContent-Type: text/html\n\n{}\n--b--"
    assert own(parse(mail(both.format(stub, "<p>8/4 to 4918<br>done"), kind))) == ["8/4 to 4918", "done"]
    assert own(parse(mail(both.format(stub, "<p>&nbsp;<img src=x>"), kind))) == [plain(stub)] * bool(
        plain(stub).strip()
    )
    text = f"{stub}\n8/4 to 4918\n"
    assert own(parse(mail(both.format(text, "<p>something else"), kind)))[-1] == "8/4 to 4918"


def test_flowed_text() -> None:
    """A line that ends in a space goes on in the next of the same depth; stuffed spaces are taken off."""
    assert unflow("a \nb\n From x\n>> q \n> r\n-- \ns \nt") == "a b\nFrom x\n>> q \n> r\n-- \ns t"
    assert unflow("Bef \nehl", delete_space=True) == "Befehl"


@pytest.mark.parametrize(
    ("source", "text"),
    [
        ("<p>a</p><p>b</p>", "a\n\nb"),
        ("a<br>b<br/>c", "a\nb\nc"),
        ("3 < 4 &lt;&amp;&gt; &eacute;&#233;", "3 < 4 <&> éé"),
        ("<blockquote>q<blockquote>r</blockquote></blockquote>s", "> q\n>> r\ns"),
        ("<!-- x > y --><style>p{}</style><script>if (a<b) {}</script>z", "z"),
        ('<a title="1 > 0" href=x>t</a>', "t"),
        ("<table><tr><td>8/4</td><td>4918</td></tr></table>", "8/4 4918"),
        ("<pre>a  b\nc</pre>d", "a  b\nc\nd"),
        ("&#x110000;&#99999999999999999999;", "\ufffd\ufffd"),
        ("before <!-- never closed", "before"),
        ("a <", "a <"),
    ],
)
def test_html(source: str, text: str) -> None:
    """HTML gives the lines a reader sees."""
    assert html_to_text(source) == text


# --- attachments ------------------------------------------------------------------------------------------


def mixed(*parts: str) -> bytes:
    """A mail of several parts, each given as headers, an empty line and a body."""
    return mail(
        "".join(f"--b\n{part}\n" for part in parts) + "--b--\n", "Content-Type: multipart/mixed; boundary=b"
    )


def text_part(body: str) -> str:
    return f"Content-Type: text/plain; charset=utf-8\n\n{body}"


def enclosed(name: str, body: str | bytes, kind: str = "text/plain", *headers: str) -> str:
    """An attached file as a part of a mail."""
    data = body.encode() if isinstance(body, str) else body
    head = [f"Content-Type: {kind}", f'Content-Disposition: attachment; filename="{name}"', *headers]
    return "\n".join([*head, "Content-Transfer-Encoding: base64", "", b64encode(data).decode()])


def file_texts(letter: Letter) -> dict[str, list[str]]:
    return {file.name: [line.text for line in file.lines] for file in letter.files}


def test_attached_text_files_are_kept_beside_the_text() -> None:
    """A letter with words of its own keeps its text files, with the quotations in them marked."""
    order_form = enclosed(
        "orders.txt", "[movement]\r\n8/4 to 4918\r\n> 12/4 to 4818", "application/octet-stream"
    )
    letter = parse(mixed(text_part("Here are my orders.\n"), order_form, enclosed("notes.txt", "x")))
    assert own(letter) == ["Here are my orders."]
    assert file_texts(letter) == {
        "orders.txt": ["[movement]", "8/4 to 4918", "> 12/4 to 4818"],
        "notes.txt": ["x"],
    }
    assert [line.text for line in letter.files[0].own] == ["[movement]", "8/4 to 4918"]
    assert letter.unopened == ()


def test_the_first_text_file_is_the_text_of_a_letter_without_words() -> None:
    """Where nobody wrote anything in the body, the first text file is the letter and not among the files."""
    files = [enclosed("orders.txt", "8/4 to 4918"), enclosed("more.txt", "12/4 to 4825")]
    letter = parse(mixed(text_part("\u00a0\nSent from my iPad\n"), *files))
    assert own(letter) == ["8/4 to 4918"]
    assert file_texts(letter) == {"more.txt": ["12/4 to 4825"]}
    assert own(parse(mixed(*files))) == ["8/4 to 4918"]


def test_text_files_beside_alternatives() -> None:
    """A file that a program has put into the alternative that is not read is kept all the same."""
    file = enclosed("orders.txt", "8/4 to 4918")
    inner = (
        "--c\n\nHello\n--c\nContent-Type: multipart/mixed; boundary=d\n\n"
        f"--d\nContent-Type: text/html\n\n<p>Hello\n--d\n{file}\n--d--\n--c--"
    )
    letter = parse(mail(inner, "Content-Type: multipart/alternative; boundary=c"))
    assert own(letter) == ["Hello"]
    assert file_texts(letter) == {"orders.txt": ["8/4 to 4918"]}
    assert letter.unopened == ()


def test_text_files_have_the_limits_of_the_text() -> None:
    """A file is cut as the text is and says so; only the first five are read."""
    files = [enclosed("long.txt", "x\n" * 30), *(enclosed(f"{number}.txt", "x") for number in range(2, 8))]
    letter = parse(mixed(text_part("Hello"), *files), max_lines=10)
    assert [len(file.lines) for file in letter.files] == [10, 1, 1, 1, 1]
    assert [file.too_big for file in letter.files] == [True, False, False, False, False]
    assert letter.files[0].faults == ("long.txt: the text has more than 10 lines; the rest was not read",)
    assert letter.faults == ()
    assert not letter.too_big
    assert letter.unopened == (
        "6.txt (text file, 1 KB) was not opened: only the first 5 text files are read",
        "7.txt (text file, 1 KB) was not opened: only the first 5 text files are read",
    )


def test_files_count_for_the_content_digest() -> None:
    """The same greeting with another file is another letter."""
    letters = [
        parse(mixed(text_part("Hello"), enclosed("orders.txt", text)))
        for text in ("8/4 to 4918", "8/4 to 4919")
    ]
    assert letters[0].content_digest != letters[1].content_digest


@pytest.mark.parametrize(
    ("header", "name"),
    [
        ("filename=orders.txt", "orders.txt"),
        ('filename="my; orders.txt"', "my; orders.txt"),
        ("filename*=utf-8''orders%20f%C3%BCr%20Bernd.txt", "orders für Bernd.txt"),
        ("filename*=iso-8859-1'de'f%FCr.txt", "für.txt"),
        ("filename*=orders%2Etxt", "orders.txt"),
        ("filename=x; filename*=utf-8''orders.txt", "orders.txt"),
        ('filename*0="orders "; filename*1="for Bernd.txt"', "orders for Bernd.txt"),
        ("filename*0*=utf-8''f%C3; filename*1*=%BCr; filename*2=.txt", "für.txt"),
        ('filename="=?utf-8?q?f=C3=BCr=2Etxt?="', "für.txt"),
        ("filename*=utf-8''or%00ders%0A%E2%80%AEtxt.txt", "orders txt.txt"),
        (f"filename={'x' * 300}.txt", "x" * 96 + ".txt"),
    ],
)
def test_names_of_files(header: str, name: str) -> None:
    """The name of a file is read in all forms that programs write, short and without what cannot be seen."""
    letter = parse(mixed(text_part("Hello"), f"Content-Disposition: attachment; {header}\n\n8/4 to 4918"))
    assert file_texts(letter) == {name: ["8/4 to 4918"]}


@pytest.mark.parametrize(
    ("name", "kind", "what"),
    [
        (
            "plan.docx",
            "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
            "Word document",
        ),
        ("plan.doc", "application/msword", "Word document"),
        ("plan.DOCX", "application/octet-stream", "Word document"),
        ("plan.odt", "application/vnd.oasis.opendocument.text", "text document"),
        ("plan.rtf", "text/rtf", "text document"),
        ("plan.xlsx", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", "spreadsheet"),
        ("plan.pdf", "application/pdf", "PDF"),
        ("plan.zip", "application/x-zip-compressed", "archive"),
        ("plan.7z", "application/octet-stream", "archive"),
        ("map.png", "image/png", "picture"),
        ("map.HEIC", "application/octet-stream", "picture"),
        ("memo.m4a", "audio/mp4", "sound"),
        ("turn.mov", "video/quicktime", "video"),
        ("letter.eml", "message/rfc822", "email"),
        ("invite.ics", "text/calendar", "calendar entry"),
        ("orders.html", "text/html", "web page"),
        ("winmail.dat", "application/ms-tnef", "Outlook file"),
        ("orders.xyz", "application/octet-stream", "file"),
        ("orders.txt", "application/octet-stream", "file"),
    ],
)
def test_parts_that_are_not_opened(name: str, kind: str, what: str) -> None:
    """Each part that is not read is named with what it is, its size, and what to do."""
    body = b"PK\3\4" * 3072
    letter = parse(mixed(text_part("> quoted"), enclosed(name, body, kind)))
    assert letter.unopened == (f"{name} ({what}, 12 KB) was not opened: write orders as plain text",)
    assert letter.files == ()


def test_parts_without_a_name_are_not_opened_either() -> None:
    """A part without a name is named by its kind; many are counted."""
    nameless = "Content-Type: application/pdf\n\n" + "x" * 3_000_000
    letter = parse(mixed(text_part("Hello"), nameless), max_bytes=4_000_000)
    assert letter.unopened == ("an attached PDF (2.9 MB) was not opened: write orders as plain text",)
    letter = parse(mixed(*(enclosed(f"{number}.pdf", "x", "application/pdf") for number in range(30))))
    assert len(letter.unopened) == 11
    assert letter.unopened[-1] == "20 more attached files were not opened"


def test_what_goes_along_with_every_letter_is_not_named() -> None:
    """Signatures, keys, cards, pictures of a signature, and what Outlook adds to a text need no word."""
    logo = "Content-Type: image/png; name=logo.png\nContent-Disposition: inline\n\n" + "x" * 3000
    shown = "Content-Type: image/jpeg; name=photo.jpg\nContent-ID: <1@x>\n\n" + "x" * 90_000
    page = "Content-Type: text/html\n\n<p>8/4 to 4918 <img src='cid:1@x'>"
    letter = parse(
        mixed(
            page,
            shown,
            logo,
            enclosed("winmail.dat", "x", "application/ms-tnef"),
            enclosed("smime.p7s", "x", "application/pkcs7-signature"),
            enclosed("signature.asc", "x", "application/pgp-signature"),
            enclosed("OpenPGP_0x1.asc", "x", "application/pgp-keys"),
            enclosed("anna.vcf", "x", "text/vcard"),
            enclosed("empty.pdf", "", "application/pdf"),
        )
    )
    assert own(letter) == ["8/4 to 4918"]
    assert letter.unopened == ()


def test_a_photo_is_named() -> None:
    """A picture that is attached, or shown but no small part of a signature, is one that was not opened."""
    inline = "Content-Type: image/jpeg; name=orders.jpg\nContent-Disposition: inline\n\n" + "x" * 90_000
    letter = parse(mixed(text_part("see picture"), inline, enclosed("map.png", "x", "image/png")))
    assert [said.partition(" (")[0] for said in letter.unopened] == ["orders.jpg", "map.png"]


def test_html_that_is_not_read_is_named() -> None:
    """HTML beside a plain text that is not the same in another form is not passed over in silence."""
    letter = parse(mixed(text_part("8/4 to 4918"), "Content-Type: text/html\n\n<p>12/4 to 4825"))
    assert own(letter) == ["8/4 to 4918"]
    assert letter.unopened == ("an attached web page (1 KB) was not opened: write orders as plain text",)


_PGP = "-----BEGIN PGP MESSAGE-----\n\nhQEMA8\n=abcd\n-----END PGP MESSAGE-----\n"
_ENCRYPTED_PARTS = (
    "Content-Type: application/pgp-encrypted\n\nVersion: 1",
    f"Content-Type: application/octet-stream; name=encrypted.asc\n\n{_PGP}",
)


@pytest.mark.parametrize(
    "raw",
    [
        mail(_PGP),
        mixed(*_ENCRYPTED_PARTS).replace(b"multipart/mixed", b"multipart/encrypted"),
        mixed(enclosed("orders.pgp", "x", "application/pgp-encrypted"), enclosed("orders.gpg", "x", "a/b")),
        mixed(enclosed("orders.asc", _PGP)),
        mail(
            "MIAGCSqGSIb3", "Content-Type: application/pkcs7-mime; smime-type=enveloped-data; name=smime.p7m"
        ),
    ],
    ids=["inline", "pgp-mime", "files", "text file", "s-mime"],
)
def test_encrypted_mail(raw: bytes) -> None:
    """An encrypted mail says so once and has no lines."""
    letter = parse(raw)
    assert own(letter) == []
    assert letter.unopened == ("the email is encrypted, and pbem has no key: write orders as plain text",)


def test_opaque_signatures() -> None:
    """A text inside an S/MIME signature cannot be read, and what to do is said."""
    letter = parse(
        mail("MIAGCSqGSIb3", "Content-Type: application/x-pkcs7-mime; smime-type=signed-data; name=smime.p7m")
    )
    assert own(letter) == []
    assert letter.unopened == (
        "the email is inside its signature (S/MIME), where pbem cannot read it: send it unsigned",
    )


# --- limits and malice ------------------------------------------------------------------------------------


def test_too_many_bytes() -> None:
    """An oversized mail is not read, but it is known whom to answer and why."""
    letter = parse(mail("8/4 to 4918\n" * 200), max_bytes=1000)
    assert letter.too_big
    assert letter.sender == "anna@example.org"
    assert letter.lines == ()
    assert "only 1,000 are allowed" in letter.faults[0]


def test_too_many_lines() -> None:
    """A text is read up to the limit and the rest is a fault, in plain text as in HTML."""
    for body, header in (("x\n" * 30, "text/plain"), ("<p>x" * 30, "text/html")):
        letter = parse(mail(body, f"Content-Type: {header}"), max_lines=10)
        assert letter.too_big
        assert len(letter.lines) == 10
        assert letter.faults == ("the text has more than 10 lines; the rest was not read",)


def test_endless_line() -> None:
    """A line longer than any order is cut and named."""
    letter = parse(mail("a\n" + "b" * 5000))
    assert [len(line.text) for line in letter.lines] == [1, MAX_COLUMNS]
    assert letter.faults[0].startswith("line 2 has more than")


def test_deep_nesting_ends() -> None:
    """Multiparts within multiparts without end are given up, not followed."""
    body = "".join(f"--b{n}\nContent-Type: multipart/mixed; boundary=b{n + 1}\n\n" for n in range(3000))
    letter = parse(mail(body, "Content-Type: multipart/mixed; boundary=b0"))
    assert letter.kind == "letter"


@settings(max_examples=size(100, 300), deadline=None)
@given(st.binary(max_size=2000))
def test_any_bytes_are_a_letter(raw: bytes) -> None:
    """Whatever comes in, reading it raises nothing and gives text that can be stored."""
    letter = parse(raw)
    assert len(letter.digest) == len(letter.content_digest) == 64
    assert letter.message_id.startswith("<")
    text = "".join(_texts(asdict(letter)))
    assert not {*text.encode().decode()} & {*_CONTROLS}


_TOKENS = st.sampled_from(
    [
        "From: ", "To: ", "Subject: ", "Date: ", "Message-ID: <", "Content-Type: ",
        "multipart/alternative; boundary=", "multipart/report; report-type=", "text/html",
        "text/plain; format=flowed; delsp=yes", "charset=", "utf-16", "utf-7", "idna", "unicode_escape",
        "rot13", "zip", '"', "b", "\n--b\n", "\n--b--\n", "\n\n", "\n", "\r", " ",
        "Content-Transfer-Encoding: base64\n", "Content-Transfer-Encoding: quoted-printable\n", "=C3", "=",
        "=?utf-8?b?", "=?x?q?=ED=A0=80?=", "?=", ";", "filename*0*=''%ff", ">", "> ", "<", "</", "<!--",
        "<blockquote>", "&#", "9" * 20, "&amp", "@", "a@b.example", "-- ", "On 1 Nov, x wrote:",
        "-----Original Message-----", "From: x\nSent: y\nTo: z\n", "-----BEGIN PGP SIGNED MESSAGE-----",
        "-----BEGIN PGP MESSAGE-----", "\n- -- \n", "\x00", "\ud7ff", "\u2028", "é",
        "Fri, 20 Nov 2026 21:14:00 +9999", "\n|", "\n|---------+------>\n",
        "\nDe: x\nEnviado el: y\nPara: z\n", "\n" + "_" * 20 + "\n", "list@b.example", "=20\n", "=\n", "=3D",
        "８/４", "multipart/mixed; boundary=b", "multipart/encrypted; boundary=b",
        "text/calendar; method=REPLY", "text/vnd.google.email-reaction+json",
        "application/pkcs7-mime; smime-type=signed-data", "image/png", "cid:", "Content-ID: <",
        "Content-Disposition: attachment; filename=", "x.txt", "filename*1*=", "'", "\xff\xfe", "\u2028",
        "Automatic reply:", "html",
    ]
)  # fmt: skip


@settings(max_examples=size(150, 500), deadline=None)
@given(st.lists(_TOKENS, max_size=60), st.sampled_from(["utf-8", "utf-16", "cp1252"]))
def test_any_heap_of_mail_pieces_is_a_letter(tokens: list[str], encoding: str) -> None:
    """Pieces of mails in any order raise nothing, and every line is kept or set aside exactly once."""
    letter = parse("".join(tokens).encode(encoding, "replace"))
    numbers = sorted(line.number for line in (*letter.lines, *letter.set_aside))
    assert numbers == list(range(1, len(numbers) + 1))
    text = "".join(_texts(asdict(letter)))
    assert not {*text.encode().decode()} & {*_CONTROLS}


_HOSTILE_HTML = [
    "<!--",
    "<a ",
    '<a b="',
    "<a b='\" ",
    "&",
    "&#9",
    "<blockquote>",
    "<",
    "</",
    "<!",
    "<style>",
    "<b>x",
    "<pre>\n",
]


@pytest.mark.parametrize("unit", _HOSTILE_HTML)
def test_hostile_html_takes_linear_time(unit: str) -> None:
    """Four times the HTML takes about four times as long, not sixteen times."""
    assert any(_growth("text/html", unit) < 9 for _ in range(3))


@pytest.mark.parametrize(
    "unit",
    [
        "> x \n",
        ">",
        "|\n",
        "_" * 20 + "\n@",
        "a@b\n1.1.26 20:00\n",
        "> -----+----->\n",
        "--\n\n",
        "On 1 x\n",
        "From: x\n",
        "-----BEGIN PGP SIGNATURE-----\n",
        "-----BEGIN PGP MESSAGE-----\n-----END PGP MESSAGE-----\n",
        "a ",
    ],
)
def test_hostile_text_takes_linear_time(unit: str) -> None:
    """The same holds of plain text that is made to look like quotations and signatures."""
    assert any(_growth("text/plain; format=flowed", unit) < 9 for _ in range(3))


@pytest.mark.parametrize(
    "head",
    ["Subject: {=?a?q?}", "From: {(}", 'From: {"\\\\}', "{From: \"\\\\\n}", "To: {a@}", "To: {\"}",
        "References: {<}", "Content-Type: a/b{; a=\"}", "To: x{\n y}", "{a:b\n}"],
)  # fmt: skip
def test_hostile_headers_take_linear_time(head: str) -> None:
    """The same holds of headers."""
    before, _, rest = head.partition("{")
    ratio = min(
        _quadrupled(lambda size: (before + rest[:-1] * (size // len(rest))).encode()) for _ in range(3)
    )
    assert ratio < 9


def _growth(content_type: str, unit: str) -> float:
    return _quadrupled(lambda size: mail(unit * (size // len(unit)), f"Content-Type: {content_type}"))


def _quadrupled(make: Callable[[int], bytes]) -> float:
    """How many times longer four times the mail takes; what takes next to no time counts as one millisecond.
    Nothing is tidied up meanwhile: that takes as long as other tests have left much behind."""
    spent = []
    gc.disable()
    try:
        for size in (60_000, 240_000):
            raw = make(size)
            start = time.process_time()
            parse(raw)
            spent.append(max(time.process_time() - start, 0.001))
    finally:
        gc.enable()
    return spent[1] / spent[0]


def test_reading_letters_needs_no_heavy_library() -> None:
    """The pipe command must start fast: reading a letter imports neither database, models nor templates."""
    code = "import sys, pbem.mail.letter, pbem.mail.transport; print(' '.join(sys.modules))"
    root = Path(__file__).parents[2]
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=root)
    loaded = set(done.stdout.split())
    assert "pbem.mail.letter" in loaded
    assert not loaded & {"pydantic", "sqlmodel", "sqlalchemy", "jinja2", "aiosmtplib", "click", "rich"}
