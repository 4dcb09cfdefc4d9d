"""A mail as a letter: who wrote it, whom it was sent to, what kind it is, and the lines its writer wrote.

`parse` is pure and takes any bytes. It decides nothing about games: whether the letter may act is found out from
its recipients (`address`), what it orders from its lines.
"""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Literal

from pbem.mail.mime import Headers, Part, decode_words, leaves, read_mail
from pbem.mail.quotes import Line, divide
from pbem.mail.text import html_to_text, plain, unflow

__all__ = ["MAX_BYTES", "MAX_COLUMNS", "MAX_LINES", "Kind", "Letter", "Line", "parse"]

MAX_BYTES = 1_000_000
MAX_LINES = 2_000
MAX_COLUMNS = 1_000

Kind = Literal["letter", "auto-reply", "bounce", "list", "ours"]

_HEADERS_OF_TOO_BIG = 64_000  # bytes of an oversized mail that are read to know whom to answer
_RECIPIENTS = ("delivered-to", "x-original-to", "envelope-to", "to", "cc")
_ADDRESS = re.compile(r"[^\s<>,;:\"'()\[\]@]{1,64}@[^\s<>,;:\"'()\[\]@]{1,255}")
_IN_ANGLES = re.compile(r"<\s*([^\s<>@]{1,64}@[^\s<>@]{1,255})\s*>")
_QUOTED_NAME = re.compile(r'"(?:[^"\\]|\\.)*+"?|\([^()]*\)')
_QUOTED_LOCAL_PART = re.compile(r'"([^\s"<>,;:()\\@\[\]]{1,64})"(?=@)')
_ID = re.compile(r"<[^<>\s]{1,250}>")
_OUR_ID = re.compile(r"<pbem\.[a-z2-7]{32}@[!-;=?-~]{1,250}>")
_DAEMONS = ("mailer-daemon", "postmaster", "mail-daemon", "mailerdaemon")
_AUTO_HEADERS = ("x-autoreply", "x-auto-reply", "x-autorespond", "x-autoresponder", "x-vacation")
_AUTO_SUBJECTS = (
    "automatic reply:",
    "auto-reply:",
    "out of office",
    "automatische antwort:",
    "réponse automatique",
)


@dataclass(frozen=True, slots=True)
class Letter:
    """What a mail says.

    message_id      as sent, or made from the digest when the mail has none
    digest          SHA-256 of the mail as received, in hex
    content_digest  SHA-256 of sender and own words; the same for a letter sent again under a new Message-ID.
                    Compare it within one seat's phase only: "no orders" may well be said twice in a game
    sender          the first of `senders`, or "": a claim, never a proof
    senders         every address in From, lower case, without repeats
    doubtful        why nobody can say who wrote the mail ("it has 2 From headers"), or ""
    recipients      every address the mail was sent or delivered to, lower case, without repeats
    date            as the sender's clock says, always with a zone, or None
    kind            only a "letter" is ever answered
    lines           written and quoted lines; see `own`
    set_aside       introductions of quotations and signatures, which nobody means as orders
    about           of a bounce: the Message-ID of the letter of ours that came back, if it says so
    too_big         more bytes or lines than are read; `faults` says which
    faults          what could not be read as sent, in words for the sender
    """

    message_id: str
    digest: str
    content_digest: str
    sender: str
    senders: tuple[str, ...]
    doubtful: str
    recipients: tuple[str, ...]
    subject: str
    date: datetime | None
    in_reply_to: str
    references: tuple[str, ...]
    kind: Kind
    lines: tuple[Line, ...]
    set_aside: tuple[Line, ...]
    about: str
    too_big: bool
    faults: tuple[str, ...]

    @property
    def own(self) -> tuple[Line, ...]:
        """The lines that the writer wrote, without empty ones."""
        return tuple(line for line in self.lines if line.text.strip() and not line.quoted)


def parse(raw: bytes, *, max_bytes: int = MAX_BYTES, max_lines: int = MAX_LINES) -> Letter:
    """Read a mail. Takes any bytes and never raises; what cannot be read is named in `faults`. Of a mail longer
    than `max_bytes` only the headers are read, of a text longer than `max_lines` only so many lines."""
    digest = hashlib.sha256(raw).hexdigest()
    faults: list[str] = []
    too_big = len(raw) > max_bytes
    mail = read_mail(raw[:_HEADERS_OF_TOO_BIG] if too_big else raw)
    headers = mail.headers
    if mail.broken:
        faults.append("some lines among the headers of the mail are no headers")
    senders = _senders(headers)
    sender = next(iter(senders), "")
    doubtful = _doubt(headers, senders)
    if doubtful:
        faults.append("the mail names more than one sender")
    text = _Text()
    if too_big:
        faults.append(
            f"the mail has {len(raw):,} bytes and only {max_bytes:,} are allowed; nothing in it was read"
        )
    else:
        text = _read_text(mail, max_lines)
    message_id = next(iter(_ID.findall(headers.first("message-id"))), f"<{digest[:32]}@digest.invalid>")
    kind = _kind(mail, sender, message_id)
    came_back = _OUR_ID.search(mail.body.decode("ascii", "replace")) if kind == "bounce" else None
    return Letter(
        message_id=message_id,
        digest=digest,
        content_digest=_content_digest(sender, text.lines),
        sender=sender,
        senders=senders,
        doubtful=doubtful,
        recipients=_recipients(headers),
        subject=" ".join(plain(decode_words(headers.first("subject"))).split()),
        date=_date(headers.first("date")),
        in_reply_to=next(iter(_ID.findall(headers.first("in-reply-to"))), ""),
        references=tuple(_ID.findall(headers.first("references"))),
        kind=kind,
        lines=text.lines,
        set_aside=text.set_aside,
        about=came_back[0] if came_back else "",
        too_big=too_big or text.cut,
        faults=(*faults, *text.faults),
    )


# --- the text ---------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Text:
    lines: tuple[Line, ...] = ()
    set_aside: tuple[Line, ...] = ()
    faults: tuple[str, ...] = ()
    cut: bool = False

    @property
    def own(self) -> tuple[Line, ...]:
        return tuple(line for line in self.lines if line.text.strip() and not line.quoted)


def _read_text(mail: Part, max_lines: int) -> _Text:
    """The lines of the mail's text; when nobody wrote anything there, those of the first attached text file."""
    parts = list(leaves(mail))
    legible = [(part.legible, part) for part in parts]
    if mail.type.startswith("multipart/") and parts == [mail]:
        legible = [(3, mail)]  # a multipart whose boundary is lost
    seen = _Text()
    for level in (3, 2, 1):
        if chosen := [part for how, part in legible if how == level]:
            text = _divide("\n".join(_decoded(part, max_lines) for part in chosen), max_lines)
            if text.own:
                return text
            seen = seen if seen.lines else text
    for part in parts:
        if part.attached and (part.type == "text/plain" or part.filename.lower().endswith(".txt")):
            return _divide(_decoded(part, max_lines), max_lines)
    return seen


def _decoded(part: Part, max_lines: int) -> str:
    text = part.text
    if part.type == "text/html":
        return html_to_text(text, max_lines)
    if part.parameter("format").lower() == "flowed":
        return unflow(text, part.parameter("delsp").lower() == "yes")
    return text


def _divide(text: str, max_lines: int) -> _Text:
    texts = plain(text.rstrip()).split("\n")
    faults: list[str] = []
    cut = len(texts) > max_lines
    if cut:
        faults.append(f"the text has more than {max_lines} lines; the rest was not read")
        del texts[max_lines:]
    for index, line in enumerate(texts):
        if len(line) > MAX_COLUMNS:
            faults.append(
                f"line {index + 1} has more than {MAX_COLUMNS} characters; the rest of it was not read"
            )
            texts[index] = line[:MAX_COLUMNS]
    return _Text(*divide(texts), tuple(faults), cut)


def _content_digest(sender: str, lines: tuple[Line, ...]) -> str:
    words = [" ".join(line.text.split()) for line in lines if not line.quoted]
    return hashlib.sha256("\n".join([sender, *filter(None, words)]).encode("utf-8", "replace")).hexdigest()


# --- the headers ------------------------------------------------------------------------------------------


def _senders(headers: Headers) -> tuple[str, ...]:
    """The addresses in From. A name may contain what looks like another address, so angle brackets count first."""
    found: list[str] = []
    for value in headers.all("from"):
        value = _QUOTED_LOCAL_PART.sub(r"\1", value)
        bare = _QUOTED_NAME.sub(" ", value)
        found += _mailboxes(bare) or _mailboxes(value)
    return tuple(dict.fromkeys(found))


def _mailboxes(value: str) -> list[str]:
    texts = re.split("[,;]", value)
    return [each.lower() for text in texts for each in _IN_ANGLES.findall(text) or _ADDRESS.findall(text)]


def _doubt(headers: Headers, senders: tuple[str, ...]) -> str:
    """Why it cannot be said who wrote a mail, or an empty string."""
    count = len(headers.all("from"))
    if count > 1:
        return f"it has {count} From headers"
    return f"its From header names {len(senders)} addresses" if len(senders) > 1 else ""


def _recipients(headers: Headers) -> tuple[str, ...]:
    found = [
        address.lower()
        for name in _RECIPIENTS
        for value in headers.all(name)
        for address in _ADDRESS.findall(_QUOTED_LOCAL_PART.sub(r"\1", value))
    ]
    return tuple(dict.fromkeys(found))


def _date(value: str) -> datetime | None:
    try:
        date = parsedate_to_datetime(value[:100])
        return date if date.tzinfo else date.replace(tzinfo=UTC)
    except (ValueError, TypeError, IndexError, OverflowError):
        return None


def _kind(mail: Part, sender: str, message_id: str) -> Kind:
    """What sort of mail this is, from the marks that programs leave (RFC 3834 and older habits). A bounce is also
    an automatic answer, so it is looked for first."""
    headers = mail.headers
    if "x-pbem" in headers or _OUR_ID.fullmatch(message_id):
        return "ours"
    report = mail.parameter("report-type").lower() if mail.type == "multipart/report" else None
    local = sender.partition("@")[0]
    if report in ("delivery-status", "") or "x-failed-recipients" in headers or local in _DAEMONS:
        return "bounce"
    if report or _is_auto_reply(headers):
        return "auto-reply"
    if headers.first("return-path").replace(" ", "") == "<>":
        return "bounce"
    if {"list-id", "list-post"} & headers.fields.keys() or _word(headers, "precedence") in (
        "bulk",
        "list",
        "junk",
    ):
        return "list"
    return "letter"


def _is_auto_reply(headers: Headers) -> bool:
    return (
        _word(headers, "auto-submitted") not in ("", "no")
        or _word(headers, "precedence") in ("auto_reply", "auto-reply")
        or _word(headers, "x-auto-response-suppress") not in ("", "none")
        or any(_word(headers, name) not in ("", "no") for name in _AUTO_HEADERS)
        or decode_words(headers.first("subject")).strip().lower().startswith(_AUTO_SUBJECTS)
    )


def _word(headers: Headers, name: str) -> str:
    return headers.first(name).partition(";")[0].partition(",")[0].strip().lower()
