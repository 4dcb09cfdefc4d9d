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
    re.compile(r" +(?:ok|wait|NO|pass|carried out|under way|passed over|send instead:|or:) | {21}\S"),
    re.compile(rf"{re.escape(KEY)}|.*\b[0-9a-f]{{64}}\b"),
    re.compile(r".+? CODE [a-z0-9]+"),
)
"""Lines that are never broken."""

_TEXT = re.compile(r" *\S.*? {2,}(?=\S)")
"""A line up to where its text begins: behind its name, number or sign and at least two blanks."""


def short_lines(line: str, width: int = TEXT_WIDTH, *, at_text: bool = False) -> list[str]:
    """Return a line as lines of at most `width` characters, the following ones set in: with `at_text` as far
    as the text of the first. An order, the key of a roll, a digest and a line with a code stay whole, as they
    may be copied."""
    if len(line) <= width or any(pattern.match(line) for pattern in WHOLE):
        return [line]
    set_in = len(line) - len(line.lstrip())
    hang = min(set_in + 6 if set_in else 2, width // 2)
    begins = _TEXT.match(line)
    if at_text and begins and begins.end() <= width // 3:
        hang = begins.end()
    return textwrap.wrap(
        line, width, subsequent_indent=" " * hang, break_long_words=False, break_on_hyphens=False
    )
