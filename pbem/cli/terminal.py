"""How output looks in a terminal: as wide as it is, with a few colours, page by page, Markdown as text.

Through a pipe, and into a file, lines stay as they are, for programs that read them.
"""

from __future__ import annotations

import io
import os
import re
import shutil
import sys
from collections.abc import Iterable, Iterator
from itertools import pairwise
from typing import TextIO

import click

GUIDE_WIDTH = 100
"""Most columns of a guide: longer lines are hard to read."""

LEAST_WIDTH = 20
"""A terminal that says that it is narrower is not believed."""

LEAST_MAP, WIDE_MAP = 52, 100
"""Least columns of a text map, and those that it has where there is no terminal."""

HEAD = re.compile(r"== \d+  ")
"""A heading that has no line of dashes below it: that of a page of the replay."""

MARK = re.compile(r"( +)(ok|NO)(?= )")
"""What has become of an order, before it."""


def is_watched() -> bool:
    """Whether standard output is a terminal."""
    return is_terminal(sys.stdout)


def is_terminal(stream: TextIO | None) -> bool:
    """Whether a stream is a terminal; None is one that the caller has closed."""
    return stream is not None and stream.isatty()


def width() -> int:
    """Return the number of columns of the terminal."""
    return max(LEAST_WIDTH, shutil.get_terminal_size().columns)


def map_columns() -> int:
    """Return the columns of a text map."""
    return max(LEAST_MAP, width()) if is_watched() else WIDE_MAP


def is_coloured(stream: TextIO | None = None) -> bool:
    """Whether a stream, standard output by default, may have colours: it is a terminal that has them, and
    neither NO_COLOR nor CLICOLOR=0 is set."""
    return (
        is_terminal(stream or sys.stdout)
        and not os.environ.get("NO_COLOR")
        and os.environ.get("CLICOLOR") != "0"
        and os.environ.get("TERM") != "dumb"
    )


# --- lines ------------------------------------------------------------------------------------------------


def laid_out(lines: Iterable[str], heads: str = "") -> Iterator[str]:
    """Yield lines as this terminal shows them: broken at words, with headings and marks in colour. A heading
    is a line with dashes below it, or one that matches the pattern `heads`."""
    from pbem.service.letters.wrapping import short_lines

    coloured, columns = is_coloured(), width()
    every = (each for line in lines for each in line.split("\n"))
    for line, below in pairwise([*every, ""]):
        is_head = below.strip("-") == "" and 0 < len(below) == len(line)
        is_head = is_head or bool(HEAD.match(line) or (heads and re.match(heads, line)))
        for short in short_lines(line, columns):
            yield painted(short, is_head) if coloured else short


def painted(line: str, is_head: bool = False) -> str:
    """Return a line with its colours: bold for a heading, green for ok, red for NO."""
    if is_head:
        return click.style(line, bold=True)
    found = MARK.match(line)
    if not found:
        return line
    mark = click.style(found[2], fg="green" if found[2] == "ok" else "red", bold=True)
    return f"{found[1]}{mark}{line[found.end() :]}"


def laid_out_error(error: click.ClickException) -> str:
    """Return an error as click words it, for a terminal: broken at words, its first word in red."""
    from pbem.service.letters.wrapping import short_lines

    worded = io.StringIO()
    type(error).show(error, file=worded)
    text = "\n".join(short for line in worded.getvalue().splitlines() for short in short_lines(line, width()))
    if is_coloured(sys.stderr):
        text = re.sub("^Error:", click.style("Error:", fg="red", bold=True), text, flags=re.MULTILINE)
    return text


# --- pages ------------------------------------------------------------------------------------------------


def page_through(text: str, pager: bool = True) -> None:
    """Print text; with `pager`, more than fits goes to the program in PAGER, if there is one."""
    fits = text.count("\n") < shutil.get_terminal_size().lines
    plain = os.environ.get("PAGER", "less").strip() in ("", "cat") or os.environ.get("TERM") == "dumb"
    if not pager or fits or plain or not is_terminal(sys.stdin):
        click.echo(text, nl=False)
        return
    os.environ.setdefault("LESS", "FRX")  # colours, and the text stays when it ends
    click.echo_via_pager(text.removesuffix("\n"))
