"""Takes a mail apart: bytes to headers, parts and decoded text.

Written for mail from strangers. Every function here takes any bytes, raises nothing and needs time in
proportion to the length of the mail; what cannot be read is read as well as it can be. The standard library's
parser does neither on crafted input (deep nesting, endless parameters), and builds the whole tree where
headers and one text part are enough.
"""

from __future__ import annotations

import binascii
import quopri
import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property
from urllib.parse import unquote_to_bytes

from pbem.mail.text import html_to_text, plain, says_nothing

MAX_DEPTH = 8  # multiparts within multiparts
MAX_PARTS = 200  # parts of one multipart
MAX_VALUE = 4000  # characters of one header that are looked at
MAX_NAME = 100  # characters of the name of a file

_FIELD = re.compile(r"([!-9;-~]{1,76})[ \t]*:(.*)", re.DOTALL)
_CONTROLS = dict.fromkeys([*range(0x09), 0x0B, 0x0C, *range(0x0E, 0x20), *range(0x7F, 0xA0)])
_HEAD_END = re.compile(rb"\n[ \t]*\n")
_PARAMETER = re.compile(r';\s*([\w-]{1,40})((?:\*\d{0,3}){0,2})\s*=\s*("[^"]*"|[^;\s]*)')
_WORD = re.compile(r"=\?([\w.:-]{1,40})(?:\*[\w-]{0,20})?\?([bBqQ])\?([^?]*)\?=")
_BETWEEN_WORDS = re.compile(r"(\?=)\s+(?==\?)")
_STRAY_ESCAPE = re.compile(
    rb"=(?:3D|[89A-F][0-9A-F]|(?<![<>:= ]=)20(?=[ \t]*=?[ \t]*$)|(?=[ \t]*$))", re.MULTILINE
)
_ANSWER = re.compile(rb"[ \t]*(?:answer[ \t]+)?q?\d{1,4}[ \t]*=", re.IGNORECASE)
_OTHER_FORMATS = (
    b"PK\3\4",
    b"%PDF",
    b"\xd0\xcf\x11\xe0",
    b"{\\rtf",
)  # what Word and others begin with, whatever the name
_NOT_BASE64 = re.compile(rb"[^A-Za-z0-9+/]+")
# Python knows many more encodings, among them some that are not text, or that are slow on purpose-made input.
_CHARSET = re.compile(
    r"utf-?(8|16|16-?[lb]e)|iso-?8859-?\d+|windows-?\d+|cp-?\d+|koi8-[ru]|mac(intosh|-?roman)"
    r"|gb2312|gbk|gb18030|big5|shift[_-]jis|euc-(jp|kr)|iso-2022-(jp|kr)|ks_c_5601-1987",
    re.IGNORECASE,
)
_LATIN_1 = {"iso-8859-1", "iso8859-1", "iso_8859-1", "latin1", "latin-1"}


@dataclass(frozen=True, slots=True)
class Headers:
    """The headers of a mail or a part, by lower-case name, unfolded, in the order in which they came."""

    fields: dict[str, list[str]] = field(default_factory=dict)

    def all(self, name: str) -> list[str]:
        """Every value of the header `name`, each cut to a length that is safe to search."""
        return [value[:MAX_VALUE] for value in self.fields.get(name, ())]

    def first(self, name: str) -> str:
        """The first value of the header `name`, or an empty string."""
        return next(iter(self.all(name)), "")

    def __contains__(self, name: str) -> bool:
        return name in self.fields


@dataclass(frozen=True)
class Part:
    """A mail or a part of one: its headers and its body as sent, with line ends as single newlines. A `spare`
    part belongs to an alternative that is harder to read than another."""

    headers: Headers
    body: bytes
    broken: bool = False
    spare: bool = False

    @property
    def type(self) -> str:
        """The content type in lower case; `text/plain` where none is given."""
        value = self.headers.first("content-type").partition(";")[0].strip().lower()
        return value if "/" in value else "text/plain"

    def parameter(self, name: str, header: str = "content-type") -> str:
        """A parameter of a header (`charset`, `boundary`, `filename`), without its quotes, or an empty
        string. One in pieces is put together, one with a charset of its own decoded (RFC 2231)."""
        matches = [
            (mark, value.strip('"'))
            for key, mark, value in _PARAMETER.findall(self.headers.first(header))
            if key.lower() == name
        ]
        pieces = [(mark, value) for mark, value in matches if mark] or matches[:1]
        if not pieces or not pieces[0][0].startswith("*0"):
            pieces = pieces[:1]
        text = "".join(value for _, value in pieces)
        if not any(mark.endswith("*") for mark, _ in pieces):
            return text
        charset, _, rest = text.partition("'")
        _, quote, value = rest.partition("'")
        return decode(unquote_to_bytes(value if quote else text), charset if quote else "")

    @property
    def filename(self) -> str:
        """The name the sender gave to an attached file, or an empty string. Of an endless one the middle is
        left out."""
        name = decode_words(self.parameter("filename", "content-disposition") or self.parameter("name"))
        name = " ".join(plain(name).split())
        return name if len(name) <= MAX_NAME else name[: MAX_NAME - 4] + name[-4:]

    @property
    def disposition(self) -> str:
        """How the part is to be shown: `attachment`, `inline` or nothing."""
        return self.headers.first("content-disposition").replace(";", " ").strip().partition(" ")[0].lower()

    @property
    def attached(self) -> bool:
        """Whether the part is a file sent along and not text to be read in place."""
        return self.disposition == "attachment" or bool(self.filename)

    @property
    def is_text_file(self) -> bool:
        """Whether the part is an attached file that holds plain text."""
        named = self.type == "text/plain" or self.filename.lower().endswith(".txt")
        return named and self.attached and not self.data.startswith(_OTHER_FORMATS)

    @cached_property
    def data(self) -> bytes:
        """The body with its transfer encoding undone."""
        encoding = self.headers.first("content-transfer-encoding").strip().lower()
        return _undo_transfer(self.body, encoding)

    @property
    def text(self) -> str:
        """The body with transfer encoding and charset undone."""
        return decode(self.data, self.parameter("charset"))

    @cached_property
    def legible(self) -> int:
        """How well it can be read in place: 3 plain text, 2 HTML, 1 a notice that the words are in another
        part, 0 not at all."""
        if self.attached or self.spare or not self.body.strip():
            return 0
        if self.type == "text/plain":
            return 1 if says_nothing(self.text) else 3
        return 2 if self.type == "text/html" and plain(html_to_text(self.text)).strip() else 0


def read_mail(raw: bytes) -> Part:
    """A whole mail as it came from a server, a pipe or a file; an mbox `From ` line on top is passed over."""
    raw = raw.replace(b"\r\n", b"\n").replace(b"\r", b"\n").lstrip(b"\n")
    if raw.startswith(b"From "):
        raw = raw.partition(b"\n")[2]
    return read_part(raw)


def read_part(raw: bytes) -> Part:
    """Headers up to the first empty line, then the body. Control characters are left out of headers, and so
    are lines between them that are none; those after the last header belong to the body, for some programs
    forget the empty line."""
    if raw.startswith(b"\n"):
        return Part(Headers(), raw[1:])
    end = _HEAD_END.search(raw)
    head, body = (raw[: end.start()], raw[end.end() :]) if end else (raw, b"")
    fields: list[tuple[str, list[str]]] = []
    stray: list[str] = []
    broken = False
    for line in decode(head).translate(_CONTROLS).split("\n"):
        match = _FIELD.match(line)
        if match:
            fields.append((match[1].lower(), [match[2]]))
            broken, stray = broken or bool(stray), []
        elif line[:1] in (" ", "\t") and fields and not stray:
            fields[-1][1].append(line)
        elif line:
            stray.append(line)
    if stray:
        body, broken = "\n".join([*stray, "", ""]).encode() + body, True
    headers: dict[str, list[str]] = {}
    for name, values in fields:
        headers.setdefault(name, []).append(" ".join(value.strip() for value in values))
    return Part(Headers(headers), body, broken)


def children(part: Part) -> list[Part]:
    """The parts of a multipart; none when it is not one, or when its boundary is missing."""
    boundary = part.parameter("boundary").encode()
    if not part.type.startswith("multipart/") or not boundary:
        return []
    mark = re.compile(rb"^--" + re.escape(boundary) + rb"(--)?[ \t]*(?:\n|\Z)", re.MULTILINE)
    parts: list[Part] = []
    start = -1
    for match in mark.finditer(part.body):
        if start >= 0:
            parts.append(read_part(part.body[start : match.start()].removesuffix(b"\n")))
        start = match.end()
        if match[1] or len(parts) >= MAX_PARTS:
            return parts
    if start >= 0:
        parts.append(read_part(part.body[start:]))
    return parts


def first_text(part: Part) -> str:
    """The first plain text in a mail of ours, which is never nested deeply; "" without one. No other part is
    looked at."""
    inner = children(part)
    if not inner:
        return part.text if part.type == "text/plain" and not part.attached else ""
    return next(filter(None, map(first_text, inner)), "")


def leaves(part: Part, depth: int = 0) -> Iterator[Part]:
    """The parts that hold something, in order. Of alternatives all are `spare` but the one that is easiest to
    read."""
    inner = children(part) if depth < MAX_DEPTH else []
    if not inner:
        yield part
    elif part.type == "multipart/alternative":
        choices = [list(leaves(child, depth + 1)) for child in inner]
        best = max(choices, key=lambda choice: max(leaf.legible for leaf in choice))
        for choice in choices:
            yield from choice if choice is best else (replace(leaf, spare=True) for leaf in choice)
    else:
        for child in inner:
            yield from leaves(child, depth + 1)


def decode(data: bytes, charset: str = "") -> str:
    """Bytes to text: the charset that their first two show or that they claim, else UTF-8, else Windows-1252,
    which fits any byte."""
    charset = "utf-16" if data[:2] in (b"\xff\xfe", b"\xfe\xff") else charset.strip().lower()
    if charset in _LATIN_1:
        charset = "cp1252"  # what programs that say Latin-1 really send
    for name in (charset, "utf-8"):
        if _CHARSET.fullmatch(name):
            try:
                return data.decode(name)
            except (UnicodeError, LookupError):
                continue
    return data.decode("cp1252", "replace")


def decode_words(value: str) -> str:
    """A header value with its encoded words (`=?utf-8?q?caf=C3=A9?=`) undone."""
    if "=?" not in value:
        return value
    return _WORD.sub(_decode_word, _BETWEEN_WORDS.sub(r"\1", value))


def _decode_word(match: re.Match[str]) -> str:
    charset, encoding, text = match.groups()
    data = text.encode("utf-8", "replace")
    if encoding in "bB":
        return decode(_undo_base64(data), charset)
    return decode(quopri.decodestring(data, header=True), charset)


def _undo_transfer(body: bytes, encoding: str) -> bytes:
    if encoding == "base64":
        return _undo_base64(body)
    if encoding == "quoted-printable" or _is_stray_quoted_printable(body):
        return quopri.decodestring(body)
    return body


def _is_stray_quoted_printable(body: bytes) -> bool:
    """Whether a body is surely quoted-printable though it does not say so: most of its lines show it, and no
    `=` in it can mean anything else."""
    if b"=" not in body:
        return False
    lines = [line for line in body.split(b"\n") if line.strip()]
    marked = sum(_STRAY_ESCAPE.search(line) is not None for line in lines)
    return (
        marked > 1
        and marked * 2 > len(lines)
        and body.count(b"=") == len(_STRAY_ESCAPE.findall(body))
        and not any(map(_ANSWER.match, lines))
    )


def _undo_base64(data: bytes) -> bytes:
    """Undo base64 up to its padding; stray characters and a cut end are forgiven."""
    clean = _NOT_BASE64.sub(b"", data.partition(b"=")[0])
    if len(clean) % 4 == 1:
        clean = clean[:-1]
    return binascii.a2b_base64(clean + b"=" * (-len(clean) % 4))
