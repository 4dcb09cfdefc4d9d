"""Digests of what a letter says, as the program of its reader sees it: they are the same however the mail
servers on the way have folded, wrapped and encoded it.

Of a text, line ends, blanks at line ends and empty lines do not count; of a header, no blanks do. Of other
parts every byte counts.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from email import message_from_bytes
from email.message import EmailMessage, MIMEPart
from email.policy import EmailPolicy, default
from functools import lru_cache
from typing import Any

SUBJECT, HEAD, TEXT, PAGE = "subject", "head", "letter.txt", "letter.html"
"""How the subject, the other headers that people read, the text and the HTML part are called among the
parts."""

PROOF = "proof.txt"
"""The attached file that tells the digests of all parts. Of itself it tells none."""


LONG = 1000
"""A longer header is not kept: letters may come from anybody."""

_parsed = lru_cache(maxsize=4096)(default.header_fetch_parse)


class _Policy(EmailPolicy):
    """The library parses a header anew at every look; here each one is parsed once."""

    def header_fetch_parse(self, name: str, value: str) -> Any:
        return (_parsed if len(value) <= LONG else super().header_fetch_parse)(name, value)


_POLICY = _Policy()


@dataclass(frozen=True, slots=True)
class Contents:
    """What a mail holds: the lines of its `text`, the digests of its `parts` by name, and the lines of its
    `proof`."""

    text: list[str]
    parts: dict[str, str]
    proof: list[str]


def of_lines(lines: Sequence[str]) -> str:
    """Return the SHA-256 of a text in lines, in hexadecimal digits."""
    bare = [line.rstrip(" \t\r") for line in lines]
    return hashlib.sha256("\n".join(line for line in bare if line).encode("utf-8", "replace")).hexdigest()


def of_text(text: str) -> str:
    return of_lines(text.split("\n"))


def of_headers(*values: str) -> str:
    """Return the SHA-256 of headers, decoded, one after another."""
    return of_lines(["".join(value.split()) for value in values])


class Unreadable(ValueError):
    """A mail, or a part of one, that cannot be decoded. The text says which."""


def read(raw: bytes) -> Contents:
    """Read a mail. A second part of one name is numbered (`map.png 2`). Raises Unreadable for a part that
    cannot be decoded."""
    message = message_from_bytes(raw, policy=_POLICY)
    assert isinstance(message, EmailMessage)
    parts, proof = _headers(message), list[str]()
    body = message.get_body(("plain",))
    if body is not None and body.get_filename():  # an attached file is not what the letter says
        body = None
    text = [] if body is None else text_of(body).split("\n")
    if body is not None:
        parts[TEXT] = of_lines(text)
    for part in message.walk():
        if part is body or part.is_multipart():
            continue
        name = part.get_filename() or (PAGE if part.get_content_type() == "text/html" else "a nameless part")
        if name == PROOF and not proof:
            proof = text_of(part).split("\n")
            continue
        number = 1 + sum(other.partition(" ")[0] == name for other in parts)
        parts[name if number == 1 else f"{name} {number}"] = _part(name, part)
    return Contents(text, parts, proof)


def text_of(part: MIMEPart) -> str:
    """Return the text of a part, its lines ended by line feeds. Raises Unreadable."""
    data = part.get_payload(decode=True)
    try:
        assert isinstance(data, bytes)
        return data.decode(part.get_content_charset("utf-8")).replace("\r\n", "\n")
    except (AssertionError, LookupError, ValueError) as error:
        raise Unreadable(f"{part.get_filename() or 'its text'} cannot be decoded") from error


def _part(name: str, part: MIMEPart) -> str:
    if part.get_param("charset") is not None:
        return of_text(text_of(part))
    data = part.get_payload(decode=True)
    if not isinstance(data, bytes):
        raise Unreadable(f"{name} cannot be decoded")
    return hashlib.sha256(data).hexdigest()


def _headers(message: EmailMessage) -> dict[str, str]:
    """The digests of the headers; one that cannot be read is as one that is not there. A header that stands
    there twice counts twice, and a Reply-To too, though pbem writes none: programs differ in which they
    obey."""
    people = [
        f"{person.display_name}{person.addr_spec}"
        for name in ("From", "Reply-To", "To")
        for header in message.get_all(name, [])
        for person in getattr(header, "addresses", ())
    ]
    dates = [str(value) for name, value in message.raw_items() if name.lower() == "date"]
    subjects = [str(value) for value in message.get_all("Subject", [])]
    return {SUBJECT: of_headers(*subjects), HEAD: of_headers(*people, *dates)}
