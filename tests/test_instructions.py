"""Each instruction of pbem does what it says: what a letter offers to send is sent back word by word.

Orders of a month of mail are spoilt as people spoil them, and each text that the reply offers instead is sent
in the same game, which stays as it is. ``PBEM_SPOILT=20`` spoils so many letters at each stop.
"""

from __future__ import annotations

import os
import random
import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import pytest
from correspondence import PLAYERS, SETTINGS, looked_up, planned, waited_for
from postbox import START, Postbox
from sqlmodel import Session
from test_month import GAMES, Month

from pbem.engine.game import game
from pbem.mail.letter import parse
from pbem.service.inbox import Inbox, consider, inbox_of, keep
from pbem.service.letters.layout import Writing, laid_out
from pbem.service.letters.log import Part
from pbem.service.letters.replies import check_lines
from pbem.service.letters.sheets import order_form
from pbem.service.play.sections import asked_section
from pbem.service.start import NewGame, start
from pbem.service.store import LetterRow, Store, only_game
from pbem.service.submit import letter
from pbem.service.table import Table

SPOILT = int(os.environ.get("PBEM_SPOILT", "3"))
STOPS = 2
"""At so many stops of each game letters are spoilt."""
OFFER = re.compile(r" {6}(?P<label>send instead:|or: {11}| {14}) (?P<line>\S.*)")


def heard(box: Postbox, session: Session, seat: str, text: str) -> Inbox:
    """A letter of a seat, read and judged, and not yet kept."""
    table = Table(session, only_game(session, box.game), box.now)
    row = table.seats[seat]
    raw = letter(row.address, table.address, text)
    inbox = inbox_of(table, row, parse(raw), LetterRow(identity="", received=table.now, raw=raw))
    consider(inbox)
    return inbox


def spoilt(chance: random.Random, lines: Sequence[str]) -> list[str]:
    """The lines with one of them as people write it."""
    at = chance.randrange(len(lines))
    line, other = lines[at], chance.choice(lines)
    slip = chance.randrange(1, len(line))
    again = chance.choice(
        (
            f"{line[:slip]}{line[slip + 1 :]}",
            f"{line}; and {other}",
            f"{line} and {other}",
            f"{line} (only if it is safe)",
            re.sub(r"/\w+", "", line),
            re.sub(r"\b(\d{3})\d\b", rf"\g<1>{chance.randrange(10)}", line),
            line.partition(" ")[2] or line,
        )
    )
    return [*lines[:at], again, *lines[at + 1 :]]


def offers(reply: Iterable[str]) -> Iterator[str]:
    """What a reply offers to send: each of several texts behind a label of its own."""
    found: list[str] = []
    for line in reply:
        told = OFFER.fullmatch(line)
        if told and told["label"].strip():
            yield from found
            found = [told["line"].strip()]
        elif told and found:
            found = [f"{found[0]}\n{told['line'].strip()}"]
        else:
            yield from found
            found = []
    yield from found


def amiss(inbox: Inbox, text: str, section: str) -> list[str]:
    """What is wrong with a letter that only does as it was told."""
    reading = inbox.reading
    new = [line for line in inbox.sheet.lines if line.name in inbox.taken.new]
    headed = re.findall(r"^\[([^\]]+)\]", text, re.MULTILINE)
    orders = [repr(line.order) for line in new if line.order is not None]
    return [
        *(f"fault: {fault.error}" for fault in reading.faults),
        *(f"not read: {unread.text}" for unread in reading.unread),
        *(f"goes to [{each.section}]" for each in new if each.section not in (headed or [section])),
        *(f"{each.kind}: {each.why}" for each in inbox.taken.changes if each.kind in ("refused", "late")),
        *(f"twice: {order}" for order in set(orders) if orders.count(order) > 1),
    ]


def month_of(key: str, path: Path) -> Month:
    """A game by mail that has just begun."""
    box = Postbox(Store.create(path / "game.pbem"), "month")
    rules = game(key)
    options = rules.start().options
    people = {seat.key for seat in rules.seats_of(options)} - {*rules.systems_of(options)}
    players = {seat: player for seat, player in PLAYERS.items() if seat in people}
    start(box.store, NewGame(key, "month", settings=SETTINGS, seed="4", players=players), START)
    month = Month(box, key, random.Random(f"instructions {key}"))
    month.read()
    return month


@pytest.mark.parametrize("key", GAMES)
def test_what_is_offered_can_be_sent(key: str, tmp_path: Path) -> None:
    """Offers and the examples of the order form, sent back word by word, are read as what they say, in the
    section that they stand under."""
    month = month_of(key, tmp_path)
    box, chance = month.box, random.Random(key)
    sent, stops, wrong = 0, 0, []
    while box.row().status == "running" and stops < STOPS:
        position, here = looked_up(box)
        seat = waited_for(box)[0]
        section = asked_section(here, seat)
        lines = planned(game(key), position, seat, section)[:3] if section else []
        if lines:
            stops += 1
            for text, back in _sent_back(box, seat, section, [spoilt(chance, lines) for _ in range(SPOILT)]):
                sent += 1
                wrong += [(text, each) for each in amiss(back, text, section)]
        month.turn()
    print(key, sent)
    assert sent and not wrong
    box.store.close()


def _sent_back(
    box: Postbox, seat: str, section: str, letters: Iterable[Sequence[str]]
) -> Iterator[tuple[str, Inbox]]:
    """What the order form and the replies to these letters offer, with what becomes of it."""
    with box.store.transaction() as session:
        table = Table(session, only_game(session, box.game), box.now)
        form = order_form(table, table.here(), seat).split(f"[{section}]\n")[-1].split("\n\n")[0]
        for example in (line.removeprefix("; ") for line in form.splitlines() if line.startswith("; ")):
            text = f"[{section}]\n{example}"
            yield text, heard(box, session, seat, text)
        session.rollback()
    for lines in letters:
        with box.store.transaction() as session:
            first = heard(box, session, seat, "\n".join((f"[{section}]", *lines)))
            keep(first)
            reply = laid_out(
                Writing("reply", "", (), (Part("Reply", tuple(check_lines(first)), table=True),))
            )
            for text in offers(reply):
                yield text, heard(box, session, seat, text)
            session.rollback()
