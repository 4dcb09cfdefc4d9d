"""Every word of a letter accounted for: each is part of an order, an answer, a command or a heading, or it is
a courtesy, a comment or a quotation; what is left is not read, and holds its section open if it stands among
orders.

`settle` is the one place that decides what is left, for all games: a line that nothing has claimed is not
read. `cover` tells the result word by word, without gaps.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from pbem.engine.language.model import (
    Command,
    Comment,
    Fault,
    Heading,
    Line,
    Said,
    Span,
    SpanKind,
    StandingLine,
    Unread,
)

CLOSES = frozenset({"done", "final", "none"})
"""Commands that say that something is finished: what stands below the last of them holds nothing."""

BEGINS = CLOSES | {"new", "withdraw", "keep", "after", "stay", "abstain"}
"""Commands that are orders about orders: what stands below the first of them stands among orders."""

MARKS = ";#/(- "
"""What stands between an order and its comment."""

Lines = Sequence[tuple[int, str]]


def settle(
    lines: Lines, said: Sequence[Said], claims: Mapping[int, SpanKind], begun: bool = False
) -> list[Said]:
    """What a letter says, with its unclaimed lines as not read, each in its place, and with those marked that
    hold their section open. `claims` are the lines that say nothing: courtesies, comments, and the ends of
    lines that a mail program has broken. With `begun` a heading is in force above the first line."""
    spoken = {each.number for each in said}
    whole: list[Said] = []
    behind = list(said)
    section = ""
    for number, text in lines:
        while behind and behind[0].number <= number:
            section = _section(behind[0], section)
            whole.append(behind.pop(0))
        if text.strip() and number not in spoken and number not in claims:
            whole.append(Unread(number, text.strip(), section))
    whole += behind
    return [*_holding(whole, begun)]


def _section(said: Said, before: str) -> str:
    return said.section if isinstance(said, Heading) else before


def _holding(said: Sequence[Said], begun: bool) -> Iterator[Said]:
    """Mark what is not read between the first heading or order and the last DONE; without any DONE, to the
    end."""
    first = -1 if begun else next((at for at, each in enumerate(said) if _begins(each)), len(said))
    ends = [at for at, each in enumerate(said) if isinstance(each, Command) and each.name in CLOSES]
    last = ends[-1] if ends else len(said)
    for at, each in enumerate(said):
        among = isinstance(each, Unread) and first < at < last
        yield replace(each, holds=True) if among and isinstance(each, Unread) else each


def _begins(said: Said) -> bool:
    if isinstance(said, Command):
        return said.name in BEGINS
    return isinstance(said, Heading | Line | StandingLine) or (isinstance(said, Fault) and not said.command)


# --- word by word -------------------------------------------------------------------------------------------


def cover(
    lines: Lines, said: Iterable[Said], claims: Mapping[int, SpanKind], comments: Mapping[int, Sequence[int]]
) -> tuple[Span, ...]:
    """What every word of these lines is taken for, in their order. `comments` are the columns where the
    comments of a line begin."""
    by_line: dict[int, list[Said]] = {}
    for each in said:
        by_line.setdefault(each.number, []).append(each)
    found: list[Span] = []
    for number, text in lines:
        if text.strip():
            mine = by_line.get(number, [])
            found += _of_line(number, text, mine, claims.get(number), comments.get(number, ()))
    return tuple(found)


def _of_line(
    number: int, text: str, said: Sequence[Said], claim: SpanKind | None, comments: Sequence[int]
) -> Iterator[Span]:
    """The spans of one line: what it says, and behind that its comments."""
    start, end = len(text) - len(text.lstrip()), len(text.rstrip())
    main = [each for each in said if not isinstance(each, Comment)]
    unread = next((each for each in main if isinstance(each, Unread)), None)
    section = unread.section if unread else ""
    cut = min((column for column in comments if column > start), default=end)
    while cut < end and cut - 1 > start and text[cut - 1] in MARKS:
        cut -= 1
    kind = claim or (_kind(main[0]) if main else "comment")
    if cut < end and (len(main) > 1 or len(main) < len(said) or claim == "comment"):
        yield Span(number, start, _shrunk(text, cut), kind, section if kind == "unread" else "")
        tail: SpanKind = "unread" if unread and kind != "unread" else "comment"
        if kind == "order" and isinstance(main[0], Fault):
            tail = "clause"
        yield Span(number, cut, end, tail, section if tail == "unread" else "")
    else:
        yield Span(number, start, end, kind, section if kind == "unread" else "")


def _shrunk(text: str, end: int) -> int:
    return len(text[:end].rstrip())


def _kind(said: Said) -> SpanKind:
    match said:
        case Heading():
            return "heading"
        case Command(name="answer" | "settled"):
            return "answer"
        case Command():
            return "command"
        case Fault(command=True):
            return "command"
        case Unread():
            return "unread"
        case Comment():
            return "comment"
    return "order"


def gaps(lines: Lines, spans: Iterable[Span]) -> list[tuple[int, str]]:
    """The lines, by number, with the letters that no span covers."""
    left = {number: list(text) for number, text in lines}
    for span in spans:
        left[span.number][span.start : span.end] = " " * (span.end - span.start)
    return [(number, "".join(text).strip()) for number, text in left.items() if "".join(text).strip()]
