"""Writes a letter as bytes, ready to be sent.

The same envelope gives the same bytes every time: boundaries and Message-ID are digests and the date is the
caller's. So a letter can be composed again after a crash and is still the same letter, and whole games can be
compared byte for byte. Line ends are single newlines, as mail is kept in files; SMTP makes CRLF of them.

The parts of a full letter: mixed( alternative( text, related( html, inline pictures ) ), attachments ).
An attachment is encoded when it is made, once, and joined into the letters of as many readers as there are.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from email.header import Header
from email.utils import format_datetime
from typing import Literal

from pbem.mail import digests
from pbem.mail.address import is_address

MAX_PLAIN_COLUMNS = 78  # longer lines are sent quoted-printable, which every mail server leaves alone
MAX_REFERENCES = 20
MAX_HEADER_WORD = 60
MAX_NAME = 100

_CONTROLS = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]+")
_ID = re.compile(r"<[!-;=?-~]{1,250}>")
_TYPE = re.compile(r"[a-z]+/[a-z0-9.+-]+")
_WORD = re.compile(r"[^A-Za-z0-9._-]+")
_LINE_FROM = re.compile(rb"^From ", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Key:
    """What a letter is about. No two letters share a key, and a letter composed again keeps its own. `number`
    counts the letters to one reader, so that it tells nothing of those to others; who does not know the
    `secret` cannot tell the Message-ID of any letter."""

    game: str
    phase: str
    seat: str
    kind: str
    number: int = 0
    secret: bytes = field(default=b"", repr=False)

    @property
    def slug(self) -> str:
        """The key as part of a file name. It says where the game stands: no header may hold it."""
        parts = [self.game, self.phase, self.seat, self.kind, *([str(self.number)] if self.number else [])]
        return "-".join(filter(None, (_ascii_word(part) for part in parts)))

    def message_id(self, host: str) -> str:
        """The Message-ID of this letter; `host` is the domain of the sending address."""
        return self._id(host, self.game, self.phase, self.seat, self.kind, str(self.number))

    def thread_id(self, host: str) -> str:
        """The Message-ID to which all letters of this game to this reader refer, so that mail programs keep
        them together. No letter has it."""
        return self._id(host, self.game, self.seat)

    def _id(self, host: str, *parts: str) -> str:
        seed = "\0".join(parts).encode("utf-8", "replace")
        digest = hmac.digest(self.secret, seed, hashlib.sha256)[:20]
        return f"<pbem.{base64.b32encode(digest).decode('ascii').lower()}@{host}>"


@dataclass(frozen=True, slots=True)
class Attachment:
    """A file as a finished part of a mail; make it with `attach`. `cid` names a picture that the HTML
    shows; `digest` is that of the part, `content` that of the file as its reader gets it."""

    name: str
    cid: str
    part: bytes
    digest: str
    content: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Envelope:
    """Everything that makes a letter. `sender` is the address to answer to; `auto` says whether the letter
    answers another one or comes of itself; `inline` pictures appear where the HTML names `cid:<their
    cid>`."""

    key: Key
    sender: str
    to: str
    subject: str
    text: str
    date: datetime
    sender_name: str = "pbem"
    to_name: str = ""
    html: str = ""
    inline: Sequence[Attachment] = ()
    attachments: Sequence[Attachment] = ()
    in_reply_to: str = ""
    references: Sequence[str] = ()
    auto: Literal["auto-replied", "auto-generated"] = "auto-generated"

    @property
    def message_id(self) -> str:
        """The Message-ID the letter has, given by its key and its sender's domain."""
        return self.key.message_id(self.sender.rpartition("@")[2])


def attach(name: str, mime_type: str, data: bytes | str, cid: str = "", *, method: str = "") -> Attachment:
    """Encode a file once for any number of letters. With a `cid` it is a picture to be shown inside the HTML,
    else a file beside the letter. Text given as `str` stays readable in the raw mail. `method` says what a
    calendar program does with the file.

    Raises ValueError for something that is not a MIME type.
    """
    if not _TYPE.fullmatch(mime_type):
        raise ValueError(f"{mime_type!r} is not a MIME type")
    name = _ascii_word(name) or "file"
    cid = _ascii_word(cid)
    if isinstance(data, str):
        encoding, body = _encode_text(data)
        content = digests.of_text(_plain(data))
        kind = f'{mime_type}; charset="utf-8"; name="{name}"'
    else:
        encoding, body = "base64", base64.encodebytes(data)
        content = hashlib.sha256(data).hexdigest()
        kind = f'{mime_type}; name="{name}"'
    kind += f"; method={_ascii_word(method)}" if method else ""
    headers = [
        f"Content-Type: {kind}",
        f"Content-Transfer-Encoding: {encoding}",
        f'Content-Disposition: {"inline" if cid else "attachment"}; filename="{name}"',
        *([f"Content-ID: <{cid}>"] if cid else []),
    ]
    part = _part(headers, body)
    return Attachment(name, cid, part, hashlib.sha256(part).hexdigest(), content)


def contents(envelope: Envelope) -> dict[str, str]:
    """Return the digests by which a reader can check the headers and all parts, by name: what `digests.read`
    finds in the composed letter."""
    people = [
        f"{_one_line(name)[:MAX_NAME]}{address}"
        for name, address in (
            (envelope.sender_name, envelope.sender),
            (envelope.to_name, envelope.to),
        )
    ]
    by_name = {
        digests.SUBJECT: digests.of_headers(_one_line(envelope.subject)),
        digests.HEAD: digests.of_headers(*people, format_datetime(envelope.date)),
        digests.TEXT: digests.of_text(_plain(envelope.text)),
    }
    if envelope.html:
        by_name[digests.PAGE] = digests.of_text(_plain(envelope.html))
    return by_name | {file.name: file.content for file in (*envelope.inline, *envelope.attachments)}


def compose(envelope: Envelope) -> bytes:
    """The letter as bytes. Raises ValueError for an address that is none, or a date without a zone; subject,
    names and text may hold anything."""
    if envelope.date.tzinfo is None:
        raise ValueError("the date of a letter needs a time zone")
    message_id = envelope.message_id
    body = _text_part("plain", envelope.text)
    seed = [
        message_id,
        envelope.text,
        envelope.html,
        *(file.digest for file in (*envelope.inline, *envelope.attachments)),
    ]
    digest = hashlib.sha256("\0".join(seed).encode("utf-8", "replace")).hexdigest()[:32]
    if envelope.html:
        page = _text_part("html", envelope.html)
        if envelope.inline:
            page = _multipart("related", [page, *(file.part for file in envelope.inline)], f"=_r{digest}")
        body = _multipart("alternative", [body, page], f"=_a{digest}")
        files = [file.part for file in envelope.attachments]
    else:
        files = [file.part for file in (*envelope.inline, *envelope.attachments)]
    if files:
        body = _multipart("mixed", [body, *files], f"=_m{digest}")
    headers = [
        f"From: {_mailbox(envelope.sender_name, envelope.sender)}",
        f"To: {_mailbox(envelope.to_name, envelope.to)}",
        f"Subject: {_header_text('Subject', envelope.subject)}",
        f"Date: {format_datetime(envelope.date)}",
        f"Message-ID: {message_id}",
        *_threading(envelope.in_reply_to, envelope.references),
        f"Auto-Submitted: {envelope.auto}",
        "X-Auto-Response-Suppress: All",
        f"X-Pbem: {'letter' if envelope.key.secret else 'notice'}",
        "MIME-Version: 1.0",
    ]
    return "\n".join(headers).encode("ascii") + b"\n" + body


def _part(headers: Sequence[str], body: bytes) -> bytes:
    return "\n".join(headers).encode("ascii") + b"\n\n" + body


def _text_part(subtype: str, text: str) -> bytes:
    encoding, body = _encode_text(text)
    return _part(
        [f'Content-Type: text/{subtype}; charset="utf-8"', f"Content-Transfer-Encoding: {encoding}"], body
    )


def _multipart(subtype: str, parts: Sequence[bytes], boundary: str) -> bytes:
    """Parts between boundaries. `=_` occurs in neither base64 nor quoted-printable, and the digest in it
    covers the text, so that no text can hold its own boundary."""
    mark = f"--{boundary}".encode("ascii")
    head = f'Content-Type: multipart/{subtype}; boundary="{boundary}"\n'.encode("ascii")
    return b"\n".join([head, *(piece for part in parts for piece in (mark, part)), mark + b"--\n"])


def _encode_text(text: str) -> tuple[str, bytes]:
    """Transfer encoding and body: 7bit where it is safe everywhere, else quoted-printable, whose soft line
    breaks keep long lines whole for the reader."""
    text = _plain(text)
    if not text.endswith("\n"):
        text += "\n"
    data = text.encode("utf-8", "replace")
    if data.isascii() and not _LINE_FROM.search(data):
        lines = data.split(b"\n")
        if all(len(line) <= MAX_PLAIN_COLUMNS and not line.endswith((b" ", b"\t")) for line in lines):
            return "7bit", data
    encoded = binascii.b2a_qp(data, quotetabs=False, istext=True)
    return "quoted-printable", _LINE_FROM.sub(b"=46rom ", encoded)


def _plain(text: str) -> str:
    """Text as it is sent: line feeds alone end its lines, and it holds no zero bytes."""
    return text.replace("\r\n", "\n").replace("\r", "\n").replace("\0", "")


def _one_line(text: str) -> str:
    """Text as it stands in a header: what would end the header is made a space."""
    return " ".join(_CONTROLS.sub(" ", text).split())


def _header_text(name: str, text: str) -> str:
    """Text as a header value on lines of at most 76 characters."""
    text = _one_line(text)
    foldable = max(map(len, text.split()), default=0) <= MAX_HEADER_WORD
    charset = "us-ascii" if text.isascii() and "=?" not in text and foldable else "utf-8"
    if charset == "us-ascii" and len(name) + 2 + len(text) <= 76:
        return text
    return Header(text, charset, maxlinelen=76, header_name=name).encode()


def _mailbox(name: str, address: str) -> str:
    if not is_address(address):
        raise ValueError(f"{address!r} is not a mail address that can be written to")
    name = _one_line(name)[:MAX_NAME]
    if not name:
        return address
    if name.isascii() and "=?" not in name:
        escaped = name.replace("\\", "\\\\").replace('"', '\\"')
        return f'"{escaped}"\n <{address}>' if len(escaped) > 20 else f'"{escaped}" <{address}>'
    return f"{_header_text('From', name)}\n <{address}>"


def _threading(in_reply_to: str, references: Sequence[str]) -> list[str]:
    """The headers by which mail programs sort a letter to the one it answers. Ids come from other people's
    mail, so what is not plainly an id is left out."""
    parent = [in_reply_to] if _ID.fullmatch(in_reply_to) else []
    thread = [reference for reference in references if _ID.fullmatch(reference)]
    thread = list(dict.fromkeys([*thread, *parent]))
    if len(thread) > MAX_REFERENCES:
        thread = [thread[0], *thread[-MAX_REFERENCES + 1 :]]
    headers = [f"In-Reply-To: {reference}" for reference in parent]
    return headers + (["References: " + "\n ".join(thread)] if thread else [])


def _ascii_word(text: str) -> str:
    return _WORD.sub("-", text).strip("-.")[:80]
