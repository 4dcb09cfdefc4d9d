"""Markdown as text for a terminal. It loads rich, so it is loaded only where a guide is shown in one."""

from __future__ import annotations

import re
from textwrap import indent

from rich.console import Console, ConsoleOptions, RenderResult
from rich.markdown import CodeBlock, Heading, Markdown
from rich.text import Text
from rich.theme import Theme

LINK = re.compile(r"\[([^\]\n]+)\]\((?!https?:)[^)\s]*\)")
"""A link to another page of pbem, which leads nowhere in a terminal."""


LOOK = Theme(
    {"markdown.code": "cyan", "markdown.table.header": "bold", "markdown.table.border": "dim"}
    | {f"markdown.h{level}": "bold underline" if level == 1 else "bold" for level in range(1, 7)}
)


class PlainHeading(Heading):
    """A heading at the left, in no box; with a line of dashes where it cannot be bold."""

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        self.text.justify = "left"
        yield self.text
        if console.color_system is None:
            yield Text("-" * min(len(self.text), options.max_width))


class PlainBlock(CodeBlock):
    """A block of code, set in; its lines are never broken, as they may be copied."""

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        code = indent(str(self.text).rstrip(), " " * 4)
        yield Text(code, style="markdown.code", no_wrap=True, overflow="ignore")


class Guide(Markdown):
    """Markdown without boxes and backgrounds."""

    elements = Markdown.elements | {
        "heading_open": PlainHeading,
        "fence": PlainBlock,
        "code_block": PlainBlock,
    }


def rendered(text: str, width: int, *, coloured: bool) -> str:
    """Return Markdown as text of at most `width` columns, with colours if it may have them."""
    console = Console(
        width=width,
        force_terminal=True,
        color_system="standard" if coloured else None,
        legacy_windows=False,
        highlight=False,
        theme=LOOK,
    )
    with console.capture() as shown:
        console.print(Guide(LINK.sub(r"\1", text), hyperlinks=False), crop=False)
    return "\n".join(map(_bare_end, shown.get().splitlines())) + "\n"


def _bare_end(line: str) -> str:
    """Return a line without the blanks that fill it up."""
    return re.sub(r"[ ]+((?:\x1b\[[0-9;]*m)*)$", r"\1", line)
