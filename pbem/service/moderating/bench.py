"""What the staff of a game reads about it: open disputes, held letters, news, who the game is waiting for,
and the lines to send back."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any

from pbem.engine.wording import count
from pbem.service.letters.log import Part, common_zone, local_time
from pbem.service.letters.reports import waiting_lines
from pbem.service.letters.rolls.open import open_disputes, open_lines
from pbem.service.letters.rolls.page import THEN, Page, page_of
from pbem.service.moderating.held import Kept, kept_letters, shown
from pbem.service.play.sections import phase_title
from pbem.service.proof.lines import faces_text
from pbem.service.record.table import Table

MOST_NAMED = 3
"""At most this many of the orders that led to a disputed roll are named with lines to send."""

MOST_HELD = 20
"""At most this many held letters are listed."""

STOPPED = "The game is stopped by an internal error; RESUME lets it go on (pbem adjudicate --resume)."


def dispute_part(table: Table, prefix: str, since: datetime | None) -> Part:
    """The open disputes with the lines that settle them; those raised after `since` with all about the
    roll."""
    lines: list[str] = []
    explained = ""
    for dispute, said in zip(open_disputes(table), open_lines(table), strict=True):
        new = since is None or dispute.at > since
        lines += ["", said] if lines else [said]
        page = page_of(table, dispute.roll) if new else None
        for line in page.lines() if page else ():
            if line.startswith(THEN):  # the same for all dice: the first page explains it
                line = f"{THEN}as for {explained}" if explained else line
                explained = explained or dispute.roll
            lines.append(f"  {line}".rstrip())
        lines += _settling(dispute.roll, page, prefix)
        lines += [] if new else [f"To read all about it: {prefix}SHOW {dispute.roll}"]
    return Part("Open disputes", tuple(lines), table=True)


def _settling(roll: str, page: Page | None, prefix: str) -> Iterator[str]:
    """The lines that settle a dispute, to be sent with a reason; with its `page` also those on its orders."""
    what = "" if page is None else ", in SET the face that counts, in CORRECT the right order"
    yield f'To settle it, send one of these lines with your reason in place of "..."{what}:'
    yield f"    {prefix}UPHOLD {roll}"
    yield f"    {prefix}REROLL {roll} because ..."
    if page is None:
        return
    yield f"    {prefix}SET {roll} {faces_text(page.faces)} because ..."
    yield f"    {prefix}BACK {roll} because ..."
    for each in page.orders[-MOST_NAMED:]:
        if each.order:
            yield f"    {prefix}STRIKE {each.name} because ..."
            yield f"    {prefix}CORRECT {each.name} {each.order} because ..."
    yield f"To see what else a ruling can name: {prefix}LIST"


def still_disputed(table: Table, prefix: str) -> list[str]:
    """What disputes are open after a ruling, which may have been meant to settle them."""
    return [
        f"{each.roll} is still disputed. To settle it: {prefix}UPHOLD {each.roll}"
        for each in open_disputes(table)
    ]


def held_letters(table: Table) -> list[Kept]:
    """The held letters in the names of players, oldest first. Those of the staff only their owners can let
    act."""
    kept = kept_letters(table.record.session, table.row.id, "held")
    return [each for each in kept if each.seat in table.seats]


def held_part(table: Table, prefix: str) -> Part:
    """The letters that are held, with the lines that let them act or not."""
    kept = held_letters(table)
    lines = [line for each in kept[-MOST_HELD:] for line in _held_lines(each, prefix, zone_of(table))]
    if len(kept) > MOST_HELD:
        lines.append(f"and {count(len(kept) - MOST_HELD, 'earlier one')} (pbem mail list)")
    return Part("Held letters", tuple(lines), table=True)


def _held_lines(letter: Kept, prefix: str, zone: str) -> Iterator[str]:
    sender = shown(letter.sender) or "an unknown address"
    yield (
        f"{letter.number}  in the name of {letter.seat}, from {sender}, "
        f"{local_time(letter.received, zone)}: {shown(letter.subject) or '(no subject)'}"
    )
    yield f"    {prefix}RELEASE {letter.number}"
    yield f"    {prefix}DISCARD {letter.number}"


def news_part(news: Sequence[Mapping[str, Any]], zone: str) -> Part:
    """What has happened since the last digest."""
    lines: list[str] = []
    for item in news:
        if item["says"]:
            times = f", {item['times']} times" if item["times"] > 1 else ""
            when = local_time(datetime.fromisoformat(item["at"]), zone)
            lines.append(f"{item['says']} ({'last ' if times else ''}{when}{times})")
            lines += [f"    {shown(line)}".rstrip() for line in item["lines"]]
    return Part("News", tuple(lines), table=True)


def waiting_part(table: Table) -> Part:
    """Where the game is, and who it is waiting for: what everybody in the game may know."""
    if table.row.status == "stopped":
        return Part("Where the game is", (STOPPED,))
    here = table.here()
    title = "The game is over." if here.over else f"{phase_title(table.game, here.label)}."
    lines = [title, *(line for line in waiting_lines(table, here, "") if line != title)]
    return Part("Where the game is", tuple(lines))


def zone_of(table: Table) -> str:
    """The zone of a game, in which its staff reads times."""
    return common_zone(table)
