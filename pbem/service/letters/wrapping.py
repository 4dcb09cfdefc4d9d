"""Long lines as lines that a phone, an 80-column program or a terminal can show."""

from __future__ import annotations

import re
import textwrap

TEXT_WIDTH = 78
"""Longer lines of the text part of a letter are broken."""

KEY = "Key   "
"""How the line of a page begins that holds the key of the roll; it must not be broken."""

CODED = re.compile(r"(.+?) CODE ([a-z0-9]+)\.?", re.IGNORECASE)
"""A moderator's command with the code by which it is sent back."""

WHOLE = (
    re.compile(r" +(?:ok|wait|NO|pass|under way|passed over|send instead:|or:) | {21}\S"),
    re.compile(rf"{re.escape(KEY)}|.*\b[0-9a-f]{{64}}\b"),
    re.compile(r" carried out +L\d+ [^;]*$"),
    re.compile(r".+? CODE [a-z0-9]+"),
)
"""Lines that are never broken."""

_TEXT = re.compile(r"R\d+ +| *\S.*? {2,}(?=\S)")
"""A line up to where its text begins: behind its roll, its name or its sign and at least two blanks."""

TOGETHER = re.compile(
    r"\b(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun) \d{1,2} [A-Z][a-z]{2} \d\d:\d\d"
    r"|\b\d+ d \d+ h\b|\b\d+ (?:d|h|min|MP)\b|\bMAP (?:T\d+ )?(?:SINCE \w+ )?\d{4}\b"
)
"""What is never broken within a line: a date, the time left, a number with its unit, a command MAP."""

_JOINT = re.compile(r"(?<=\d)-(?=\d)")
"""The hyphen of a counter or of odds, as in 7-4."""


def kept_together(text: str) -> str:
    """A text whose times and the like hold blanks that do not break."""
    return TOGETHER.sub(lambda found: found[0].replace(" ", "\N{NO-BREAK SPACE}"), text)


def for_html(text: str) -> str:
    """A text for a browser, which breaks lines at hyphens too: those between numbers do not break. An order
    copied from it is read as with plain ones."""
    return _JOINT.sub("\N{NON-BREAKING HYPHEN}", kept_together(text))


def short_lines(line: str, width: int = TEXT_WIDTH) -> list[str]:
    """Return a line as lines of at most `width` characters, the following ones set in as far as its text, or
    two columns where it begins at once. An order, the key of a roll, a digest and a line with a code stay
    whole, as they may be copied."""
    if len(line) <= width or any(pattern.match(line) for pattern in WHOLE):
        return [line]
    hang = min(len(line) - len(line.lstrip()) + 2, width // 2)
    begins = _TEXT.match(line)
    if begins and begins.end() <= width // 3:
        hang = begins.end()
    broken = textwrap.wrap(
        kept_together(line),
        width,
        subsequent_indent=" " * hang,
        break_long_words=False,
        break_on_hyphens=False,
    )
    return [each.replace("\N{NO-BREAK SPACE}", " ") for each in broken]
