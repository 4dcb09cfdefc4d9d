"""Makes plain lines of what mail programs send: HTML, flowed paragraphs, typographic punctuation.

Quotation comes out in one form whatever went in: lines that begin with `>`. All of it is linear in the length
of the text; a mail is cut into pieces once and no piece is searched for something that lies beyond it.
"""

from __future__ import annotations

import html
import re
import unicodedata

_TAG = re.compile(r"""(/?)([a-zA-Z][a-zA-Z0-9]*+)((?:[^"'>]|"[^"]*"|'[^']*')*+)>""")
_LOOSE_TAG = re.compile(r"(/?)([a-zA-Z][a-zA-Z0-9]*+)([^>]*+)>")
_HUGE_REFERENCE = re.compile(r"&#[xX]?[0-9a-fA-F]{8,}+;?")

_LINK = re.compile(r"https?://\S+")
_NOTICE_LENGTH = 300

_BLOCKS = frozenset([
    "address", "article", "aside", "blockquote", "body", "center", "dd", "div", "dl", "dt", "fieldset",
    "footer", "form", "h1", "h2", "h3", "h4", "h5", "h6", "header", "hr", "li", "main", "nav", "ol", "p",
    "pre", "section", "table", "tr", "ul",
])  # fmt: skip
_UNREAD = frozenset(["head", "script", "style", "title", "template", "noscript"])
_MAX_QUOTE_DEPTH = 9

_WIDE = [*range(0x2160, 0x2180), *range(0xFB00, 0xFB07), *range(0xFF01, 0xFF5F), *range(0x1D400, 0x1D800)]
_PLAIN = {
    **{chr(code): unicodedata.normalize("NFKC", chr(code)) for code in _WIDE},
    **dict.fromkeys("‐‑‒–—―−﹘﹣", "-"),
    **dict.fromkeys("‘’‚‛′`´｀", "'"),
    **dict.fromkeys("“”„‟″«»", '"'),
    **dict.fromkeys(map(chr, [0xA0, *range(0x2000, 0x200B), 0x202F, 0x205F, 0x2800, 0x3000]), " "),
    **dict.fromkeys("\u2028\u2029\x85\x0b\x0c", "\n"),
    "…": "...",
    "→": "->",
    "➔": "->",
    "⟶": "->",
    "⁄": "/",
    "、": ",",
    "【": "[",
    "】": "]",
    "\t": " ",
}  # fmt: skip
_INVISIBLE = [
    *range(0x09), *range(0x0E, 0x20), *range(0x7F, 0x85), *range(0x86, 0xA0), 0xAD, 0x34F, 0x61C, 0x115F,
    0x1160, 0x180E, *range(0x200B, 0x2010), *range(0x202A, 0x202F), *range(0x2060, 0x2070), 0x3164,
    *range(0xFE00, 0xFE10), 0xFEFF, 0xFFA0,
]  # fmt: skip
_TABLE = str.maketrans({**_PLAIN, **dict.fromkeys(map(chr, _INVISIBLE), None)})


def plain(text: str) -> str:
    """Text as a keyboard without typography would give it: straight quotes, hyphens, ordinary spaces, letters
    and digits of ordinary width, newlines as the only line ends, and nothing invisible."""
    return text.replace("\r\n", "\n").replace("\r", "\n").translate(_TABLE)


def says_nothing(text: str) -> bool:
    """Whether a plain text is empty to the eye, or only a notice that the words are in an HTML part beside
    it."""
    words = _LINK.sub("", plain(text)).strip()
    notice = len(words) <= _NOTICE_LENGTH and "html" in words.lower() and not any(map(str.isdecimal, words))
    return notice or not words


def unflow(text: str, delete_space: bool = False) -> str:
    """Undo `format=flowed` (RFC 3676): a line that ends in a space goes on in the next line of the same quote
    depth. `delete_space` is the parameter DelSp: the space itself is not part of the text."""
    done: list[tuple[int, str]] = []
    pieces: list[str] = []
    open_depth = -1
    for raw in text.replace("\r\n", "\n").split("\n"):
        content = raw.lstrip(">")
        depth = len(raw) - len(content)
        content = content.removeprefix(" ")
        if open_depth not in (-1, depth) or (pieces and content == "-- "):
            done.append((open_depth, "".join(pieces)))
            pieces, open_depth = [], -1
        if content.endswith(" ") and content != "-- ":
            pieces.append(content[:-1] if delete_space else content)
            open_depth = depth
        else:
            done.append((depth, "".join([*pieces, content])))
            pieces, open_depth = [], -1
    if pieces:
        done.append((open_depth, "".join(pieces)))
    return "\n".join(_quoted(depth, line) for depth, line in done)


def html_to_text(source: str, max_lines: int = 100_000) -> str:
    """The text of an HTML mail, line by line as a reader sees it. Quoted blocks get a `>` for each level;
    styles, scripts and comments are left out; a `<` that begins no tag stays. Reading stops after
    `max_lines`."""
    page = _Page()
    first, *pieces = source.split("<")
    page.write(first)
    closing = ""  # the end of a comment or of an unread element, when inside one
    for piece in pieces:
        if closing == "-->" or (not closing and piece.startswith("!--")):
            _, end, rest = piece.partition("-->")
            closing = "" if end else "-->"
            page.write(rest)
            continue
        tag = _tag(piece)
        if closing:
            if tag and tag[1] and tag[2].lower() == closing:
                closing = ""
                page.write(piece[tag.end() :])
        elif tag:
            name = tag[2].lower()
            if name in _UNREAD and not tag[1] and not tag[3].endswith("/"):
                closing = name
                continue
            page.tag(name, closing=bool(tag[1]))
            page.write(piece[tag.end() :])
            if len(page.lines) > max_lines:
                break
        elif piece[:1] in ("!", "?", "/"):
            page.write(piece.partition(">")[2])
        else:
            page.write("<" + piece)
    return page.text


def _tag(piece: str) -> re.Match[str] | None:
    """The tag that stands at the beginning of what follows a `<`, if one does."""
    if ">" not in piece or not (piece[0].isalpha() or piece[0] == "/"):
        return None
    return _TAG.match(piece) or _LOOSE_TAG.match(piece)


class _Page:
    """Lines in the making. White space is joined at the end of a line, once, except in preformatted text."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.line: list[str] = []
        self.depth = 0
        self.verbatim = 0

    def write(self, text: str) -> None:
        if "&" in text:
            text = html.unescape(_HUGE_REFERENCE.sub("\ufffd", text))
        if self.verbatim:
            text, *more = text.split("\n")
            for line in more:
                self.line.append(text)
                self.end_line()
                text = line
        if text:
            self.line.append(text)

    def tag(self, name: str, closing: bool) -> None:
        if name == "br":
            self.end_line()
        elif name in ("td", "th"):
            self.line.append(" ")
        elif name in _BLOCKS:
            self.end_block()
            step = -1 if closing else 1
            if name == "blockquote":
                self.depth = max(0, self.depth + step)
            elif name == "pre":
                self.verbatim = max(0, self.verbatim + step)
            elif name == "p" and not closing and self.lines and self.lines[-1]:
                self.lines.append("")

    def end_block(self) -> None:
        if any(not piece.isspace() for piece in self.line):
            self.end_line()
        self.line = []

    def end_line(self) -> None:
        text = "".join(self.line)
        if not self.verbatim:
            text = " ".join(text.split())
            text = "-- " if text == "--" else text
        self.lines.append(_quoted(min(self.depth, _MAX_QUOTE_DEPTH), text))
        self.line = []

    @property
    def text(self) -> str:
        self.end_block()
        return "\n".join(self.lines)


def _quoted(depth: int, line: str) -> str:
    return f"{'>' * depth} {line}" if depth else line
