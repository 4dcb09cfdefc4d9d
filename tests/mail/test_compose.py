"""Letters as bytes: the same each time, safe, and readable by the standard library and by our own reader."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from email import message_from_bytes, policy
from email.message import EmailMessage

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.mail import digests
from pbem.mail.compose import Attachment, Envelope, Key, attach, compose, contents
from pbem.mail.letter import parse

KEY = Key("cotentin", "turn-2", "allied", "turn")
PNG = b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 8
PLAIN = Envelope(
    key=KEY,
    sender="pocket+cotentin.allied.k3v9x2m7q4w8n5ra@club.example",
    to="anna@example.org",
    subject="[cotentin] Turn 2, Allied combat: your move, until Fri 20 Nov 21:00",
    text="cotentin · turn 2\n\nSainte-Mère-Église taken.\n",
    date=datetime(2026, 11, 20, 21, 14, tzinfo=UTC),
)
FULL = replace(
    PLAIN,
    html='<p>Taken.</p><img src="cid:map">',
    inline=[attach("map.png", "image/png", PNG, cid="map")],
    attachments=[
        attach("map.svg", "image/svg+xml", b"<svg/>"),
        attach("orders.txt", "text/plain", "8/4 to 4918\n"),
    ],
    in_reply_to="<a@example.org>",
    references=["<r@example.org>"],
    auto="auto-replied",
)


def read(raw: bytes) -> EmailMessage:
    message = message_from_bytes(raw, policy=policy.default)
    assert isinstance(message, EmailMessage)
    assert not message.defects
    assert not any(part.defects for part in message.walk())
    return message


def test_a_plain_letter() -> None:
    """Text alone makes a letter of one part, marked as written by a program."""
    message = read(compose(PLAIN))
    assert message.get_content_type() == "text/plain"
    assert message.get_content() == PLAIN.text
    assert message["Subject"] == PLAIN.subject
    assert message["Date"].datetime == PLAIN.date
    assert message["Auto-Submitted"] == "auto-generated"
    assert message["From"].addresses[0].addr_spec == PLAIN.sender
    assert message["To"].addresses[0].addr_spec == PLAIN.to
    assert message["Message-ID"] == PLAIN.message_id
    assert message["X-Pbem"] == "notice"


def test_a_full_letter() -> None:
    """Text, HTML with its picture, and files stand where mail programs look for them, whole."""
    message = read(compose(FULL))
    assert [part.get_content_type() for part in message.walk()] == [
        "multipart/mixed", "multipart/alternative", "text/plain", "multipart/related", "text/html",
        "image/png", "image/svg+xml", "text/plain",
    ]  # fmt: skip
    picture = next(part for part in message.walk() if part.get_content_type() == "image/png")
    assert picture["Content-ID"] == "<map>"
    assert picture.get_payload(decode=True) == PNG
    files = {
        part.get_filename(): part for part in message.walk() if part.get_content_disposition() == "attachment"
    }
    assert files["map.svg"].get_payload(decode=True) == b"<svg/>"
    assert files["orders.txt"].get_payload(decode=True) == b"8/4 to 4918\n"
    assert message["In-Reply-To"] == "<a@example.org>"
    assert message["References"].split() == ["<r@example.org>", "<a@example.org>"]


def test_pictures_without_html_are_sent_along() -> None:
    """A picture is not lost when there is no HTML to show it in."""
    message = read(compose(replace(FULL, html="")))
    assert "image/png" in [part.get_content_type() for part in message.walk()]


def test_the_same_letter_has_the_same_bytes() -> None:
    """Composed twice, a letter is equal to the byte; with another text its boundaries differ."""
    again = replace(FULL, inline=[attach("map.png", "image/png", PNG, cid="map")])
    assert compose(FULL) == compose(again)
    assert boundary(FULL) != boundary(replace(FULL, text="x"))


def boundary(envelope: Envelope) -> str:
    return str(read(compose(envelope)).get_boundary())


def test_message_ids_differ_with_every_part_of_the_key() -> None:
    """No two letters share a Message-ID, and one letter never has two."""
    keys = [KEY, Key("cotentin", "turn-2", "allied", "turn", 1), Key("cotentin", "turn-2", "german", "turn"),
            Key("cotentin", "turn-3", "allied", "turn"), Key("cotentin", "turn-2", "allied", "remind"),
            Key("cotentin-turn", "2", "allied", "turn")]  # fmt: skip
    ids = [key.message_id("club.example") for key in keys]
    assert len(set(ids)) == len(keys)
    assert ids[0] == Key("cotentin", "turn-2", "allied", "turn").message_id("club.example")


def test_our_own_letter_is_recognised_as_ours() -> None:
    """A letter of ours that comes back is never answered, even when a program on the way ate our header."""
    raw = compose(FULL)
    assert parse(raw).kind == "ours"
    stripped = raw.replace(b"X-Pbem: notice\n", b"").replace(b"X-Auto-Response-Suppress: All\n", b"")
    assert parse(stripped).kind == "ours"


def test_the_order_template_is_read_back() -> None:
    """A template sent back as a file, under an empty text, is read as the orders it holds."""
    template = attach("orders.txt", "text/plain", "[movement]\n8/4 to Saint-Lô\n")
    letter = parse(compose(replace(PLAIN, text="", attachments=[template])))
    assert [line.text for line in letter.own] == ["[movement]", "8/4 to Saint-Lô"]


@given(st.text(max_size=300), st.text(max_size=60), st.text(max_size=60))
def test_no_text_can_add_a_header(subject: str, name: str, reference: str) -> None:
    """Whatever stands in subject, names and ids, the headers are ours alone and their lines are short."""
    envelope = replace(
        PLAIN, subject=subject, sender_name=name, to_name=name, in_reply_to=reference, references=[reference]
    )
    raw = compose(envelope)
    head = raw.partition(b"\n\n")[0].decode("ascii")
    names = [line.partition(":")[0] for line in head.split("\n") if line[0] not in " \t"]
    assert [name for name in names if name not in ("In-Reply-To", "References")] == [
        "From", "To", "Subject", "Date", "Message-ID", "Auto-Submitted", "X-Auto-Response-Suppress", "X-Pbem",
        "MIME-Version", "Content-Type", "Content-Transfer-Encoding",
    ]  # fmt: skip
    assert max(map(len, head.split("\n"))) <= 998
    assert parse(raw).sender == PLAIN.sender


def test_headers_do_not_tell_where_a_game_stands() -> None:
    """Two letters that differ in phase, kind and number alone differ in the Message-ID alone, whose key only
    the server has."""
    keys = [
        Key("cotentin", "t1.plan", "allied", "turn", 1, b"s" * 32),
        Key("cotentin", "t9.german_combat", "allied", "reply", 40, b"s" * 32),
    ]
    one, two = (compose(replace(PLAIN, key=key)).splitlines() for key in keys)
    assert [line.partition(b":")[0] for line, other in zip(one, two, strict=True) if line != other] == [
        b"Message-ID"
    ]
    assert b"X-Pbem: letter" in one


@given(
    st.text(max_size=200), st.text(max_size=60), st.text(max_size=60), st.text(max_size=200), st.booleans()
)
def test_a_reader_finds_the_digests_that_were_sent(
    subject: str, name: str, html: str, file: str, crlf: bool
) -> None:
    """Whatever a letter says, its reader's program gets what has the digests of the sender's, with either
    line end and encoded anew on the way."""
    envelope = replace(
        FULL, subject=subject, sender_name=name, to_name=name[::-1], html=html or "<p>",
        attachments=[attach("a.txt", "text/plain", file), attach("b.svg", "image/svg+xml", b"<svg\r/>")],
    )  # fmt: skip
    raw = compose(envelope)
    again = raw.replace(b"\n", b"\r\n") if crlf else raw
    found = digests.read(again)
    assert found.parts == contents(envelope)
    assert digests.of_lines(found.text) == digests.of_text(envelope.text)


@pytest.mark.parametrize("encoding", ["base64", "quoted-printable"])
def test_other_encodings_are_the_same_letter(encoding: str) -> None:
    """A server that encodes every part of text in its own way changes no digest."""
    message = read(compose(FULL))
    for part in message.walk():
        if part.get_content_maintype() == "text":
            kind, name = part.get_content_subtype(), part.get_filename()
            part.set_content(part.get_content(), subtype=kind, cte=encoding, filename=name)
    found = digests.read(message.as_bytes())
    assert found.parts == contents(FULL)
    assert digests.of_lines(found.text) == digests.of_text(FULL.text)


def test_injected_headers_stay_in_the_subject() -> None:
    """A newline in a subject is a space."""
    message = read(compose(replace(PLAIN, subject="move\r\nBcc: eve@evil.example\n\nhello\u2028x")))
    assert message["Subject"] == "move Bcc: eve@evil.example hello x"
    assert message["Bcc"] is None


def test_long_foreign_subject_and_name() -> None:
    """Words without end and text beyond ASCII survive in subject and name, on lines of at most 78
    characters."""
    endless = compose(replace(PLAIN, subject="x" * 3000))
    assert max(len(line) for line in endless.partition(b"\n\n")[0].split(b"\n")) <= 78
    assert read(endless)["Subject"] == "x" * 3000
    envelope = replace(PLAIN, subject="Étonnante défense à Saint-Lô " * 6, to_name='Zoë "Z" Müller')
    raw = compose(envelope)
    message = read(raw)
    assert message["Subject"] == envelope.subject.strip()
    assert message["To"].addresses[0].display_name == envelope.to_name
    assert max(len(line) for line in raw.partition(b"\n\n")[0].split(b"\n")) <= 78


@given(st.text(st.characters(exclude_categories=["Cs", "Cc"]) | st.sampled_from("\n .>-F"), max_size=400))
def test_any_text_arrives_unchanged(text: str) -> None:
    """What is written is what is read, and on the way it is ASCII on short lines with nothing a server would
    mend."""
    raw = compose(replace(PLAIN, text=text + "\n", html="<p>x</p>"))
    part = read(raw).get_body(("plain",))
    assert part is not None
    assert part.get_payload(decode=True) == (text + "\n").encode()
    assert raw.isascii()
    assert all(
        len(line) <= 78 and not line.startswith(b"From ") for line in raw.partition(b"\n\n")[2].split(b"\n")
    )


@pytest.mark.parametrize(
    "address", ["", "anna", "a@b\nBcc: c@d", "a b@c.d", "<a@b.c>", "a@b.c, d@e.f", "é@b.c", "a@"]
)
def test_bad_addresses_are_refused(address: str) -> None:
    """A letter to something that is no address is not composed."""
    with pytest.raises(ValueError, match="not a mail address"):
        compose(replace(PLAIN, to=address))


def test_a_date_needs_a_zone() -> None:
    """A local time without zone would read differently on every server."""
    with pytest.raises(ValueError, match="time zone"):
        compose(replace(PLAIN, date=datetime(2026, 11, 20)))


def test_bad_types_are_refused() -> None:
    """A MIME type is checked, a file name is made harmless."""
    with pytest.raises(ValueError, match="MIME type"):
        attach("x", "image/png\nX: y", b"")
    assert attach('../a"b\n.png', "image/png", b"").name == "a-b-.png"


def test_a_further_reader_of_a_map_costs_little() -> None:
    """Joining an encoded map into a letter is much cheaper than encoding it."""
    picture = bytes(range(256)) * 800
    encoding = min(_seconds(lambda: attach("map.png", "image/png", picture, cid="map")) for _ in range(5))
    shared: list[Attachment] = [attach("map.png", "image/png", picture, cid="map")]
    joining = min(_seconds(lambda: compose(replace(FULL, inline=shared))) for _ in range(5))
    assert joining < encoding


def _seconds(work: Callable[[], object]) -> float:
    start = time.process_time()
    work()
    return time.process_time() - start
