"""Use case: check orders from a file as the server would check a letter, without changing anything."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from pbem.engine.errors import Unreadable
from pbem.engine.game import SYSTEM, game
from pbem.engine.play import seats_asked
from pbem.engine.wording import unknown
from pbem.mail.letter import parse
from pbem.service.intake.inbox import Inbox, consider, inbox_of
from pbem.service.intake.replies import check_lines, first_line, is_unread
from pbem.service.intake.submit import letter
from pbem.service.moderating.start import NewGame, start
from pbem.service.record.errors import StoreError
from pbem.service.record.rows import LetterRow
from pbem.service.record.store import Store, now_utc, only_game
from pbem.service.record.table import Table


@dataclass(frozen=True, slots=True)
class Trial:
    """Orders that were checked: whether they are without error, and what the reply to a letter with them
    says, as lines or as plain values."""

    ok: bool
    lines: tuple[str, ...]
    facts: dict[str, Any]


def check_file(source: Store | str, seat: str, text: str, game_id: str | None = None) -> Trial:
    """Check the orders in `text` as those of `seat`: in a game of a store as it is (`game_id` where it holds
    several), or, if `source` is the key of a game, at the start of its first scenario. Nothing is changed.
    Raises KeyError for an unknown game or seat."""
    with considered(source, seat, text, game_id) as inbox:
        ok = not inbox.reading.faults and not inbox.judgement.faulty()
        ok = ok and not inbox.reading.holding and not is_unread(inbox)
        lines = (first_line(inbox, inbox.here), *check_lines(inbox))
        return Trial(ok, lines, _facts(inbox, ok))


def preview(store: Store, game_id: str | None, seat: str | None, text: str) -> tuple[str, ...]:
    """What may come of one order, given after those that its seat has on its sheet: exact odds, by what the
    seat knows.

    Without a seat, the order is taken for one of the first seat that can write it. Nothing is changed. Raises
    OrderError for words that are no order and for one that a rule forbids, StoreError for an unknown game,
    KeyError for an unknown seat."""
    with considered(store, seat or "", text, game_id) as inbox:
        if inbox.reading.faults:
            raise inbox.reading.faults[0].error
        new = [verdict for verdict in inbox.judgement.verdicts if verdict.line.name in inbox.taken.new]
        if not new:
            raise Unreadable(f'"{text.strip()}" is not an order')
        if new[-1].error is not None:
            raise new[-1].error
        if new[-1].state == "faulty":
            raise Unreadable(" ".join(new[-1].says))
        after = new[-1].after
        return new[-1].says or (f"waiting for: {after}" if after else "possible now; no dice decide it",)


@contextmanager
def considered(source: Store | str, seat: str, text: str, game_id: str | None) -> Iterator[Inbox]:
    """A letter with these words, read and judged, in a game that stays as it is. Without a seat it is from
    the first one whose order it can be."""
    if isinstance(source, str):
        with _new_game(source, seat) as store, considered(store, seat, text, None) as inbox:
            yield inbox
        return
    with source.transaction() as session:
        table = Table(session, only_game(session, game_id), now_utc())
        key = seat or _writer(table, text)
        if key not in table.seats:
            raise StoreError(unknown(f"game {table.row.id} has no seat", key, table.seats))
        row = table.seats[key]
        raw = letter(row.address or f"{key}@localhost", table.address, text)
        read = parse(raw)
        inbox = inbox_of(table, row, read, LetterRow(identity="", received=table.now, raw=raw))
        consider(inbox)
        yield inbox
        session.rollback()


@contextmanager
def _new_game(key: str, seat: str) -> Iterator[Store]:
    """Return a new game in memory."""
    game(key).seat(seat)
    store = Store.create("sqlite://")
    try:
        start(store, NewGame(key, key.replace(".", "-")), now_utc())
        yield store
    finally:
        store.close()


def _writer(table: Table, text: str) -> str:
    """The seat whose order it can be, those that are waited for first."""
    here = table.here()
    asked = seats_asked(here.waiting)
    people = [key for key, row in table.seats.items() if row.bot != SYSTEM]
    for seat in sorted(people, key=lambda key: key not in asked):
        reading = table.game.grammar.read([(1, text)], table.game.roster(here.state, seat))
        if reading.orders and not reading.faults:
            return seat
    return next(iter(asked or table.seats))


def _facts(inbox: Inbox, ok: bool) -> dict[str, Any]:
    return {
        "ok": ok,
        "lines": [
            {
                "name": verdict.line.title,
                "section": verdict.line.section,
                "text": verdict.line.text.strip(),
                "state": verdict.state,
                "says": list(verdict.says),
                "after": verdict.after,
                "case": verdict.line.case,
            }
            for verdict in inbox.judgement.verdicts
        ],
        "faults": [
            {
                "line": fault.number,
                "name": title,
                "text": fault.text,
                "why": str(fault.error),
                "case": fault.error.case,
                "column": fault.error.column,
                "suggestion": fault.suggestion,
                "either": list(fault.either),
            }
            for title, fault in inbox.taken.faults
        ],
        "closes": list(inbox.closing.closed),
        "open": dict(inbox.closing.open),
        "missing": {section: str(error) for section, error in inbox.judgement.lacks.items()},
        "unread": [unread.text for unread in inbox.reading.unread],
    }


def decoded(raw: bytes) -> str:
    """The text of an order file, as UTF-8 or else cp1252."""
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError:
        return raw.decode("cp1252", "replace")
