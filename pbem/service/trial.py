"""Use case: try orders from a file, without a letter and without changing anything."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from pbem.engine.errors import Unreadable
from pbem.engine.game import Game, game
from pbem.engine.orders import Reading
from pbem.engine.play import seats_asked
from pbem.service.adjudicate import Position, Step, resume
from pbem.service.check import Check, Checked, check_lines, fault_lines
from pbem.service.desk import Papers
from pbem.service.letters import sections_in_turn, upcoming_sections
from pbem.service.store import Store, only_game
from pbem.service.table import Table


@dataclass(frozen=True, slots=True)
class Trial:
    """Orders that were tried: what was read of them, and what would become of them."""

    reading: Reading
    check: Check

    @property
    def ok(self) -> bool:
        return not self.reading.faults and self.check.ok

    def lines(self) -> list[str]:
        """The result as a confirmation shows it: every order with its verdict, then what is wrong and what is missing."""
        from pbem.service.replies import shown

        lines = shown(self.check)
        lines += [line for fault in self.reading.faults for line in fault_lines(fault)]
        lines += [f"missing: {what}" for what in self.check.missing]
        return [*lines, "these orders can be sent as they are" if self.ok else "these orders need you"]

    def facts(self) -> dict[str, Any]:
        """The result as plain values."""
        return {
            "ok": self.ok,
            "orders": [_facts(checked) for checked in self.check.lines],
            "faults": [
                {
                    "line": fault.number,
                    "text": fault.text,
                    "why": str(fault.error),
                    "case": fault.error.case,
                    "column": fault.error.column,
                    "suggestion": fault.suggestion,
                }
                for fault in self.reading.faults
            ],
            "missing": list(self.check.missing),
            "unread": [text for _, text in self.reading.unread],
        }


def _facts(checked: Checked) -> dict[str, Any]:
    line = checked.line
    return {
        "line": line.number if line else 0,
        "section": line.section if line else "",
        "text": line.text.strip() if line else "",
        "verdict": checked.verdict,
        "says": list(checked.says),
        "case": checked.error.case if checked.error else "",
    }


def check_file(source: Store | str, seat: str, text: str, game_id: str | None = None) -> Trial:
    """Try the orders in `text` as those of `seat`: in a game of a store as it stands (`game_id` where it holds several), or, if
    `source` is the key of a game, at the start of its first scenario. Nothing is changed. Raises KeyError for an unknown game or seat."""
    if isinstance(source, Store):
        with source.transaction() as session:
            row = only_game(session, game_id)
            table = Table(session, row, row.created)
            here = table.here()
            return try_orders(table.game, table.position(), table.papers(here.state), seat, text)
    rules = game(source)
    return try_orders(rules, *opening(rules), seat, text)


def opening(rules: Game[Any], scenario: str | None = None) -> tuple[Position, dict[str, Papers]]:
    """A game that nobody has touched yet, and the empty papers of its seats."""
    return Position(1, rules.dump(rules.start(scenario))), {
        seat.key: Papers(seat.key) for seat in rules.seats
    }


def try_orders(
    rules: Game[Any], position: Position, papers: dict[str, Papers], seat: str, text: str
) -> Trial:
    """Try orders from a position on, through as many phases of the seat as need no die and nobody else's decision."""
    rules.seat(seat)
    here = resume(rules, position)
    section = next(iter(sections_in_turn(rules, here, seat)), "")
    reading = rules.grammar.read(
        list(enumerate(text.splitlines(), 1)), rules.roster(here.state, seat), section
    )
    own = Papers(
        seat,
        lines=list(reading.orders),
        standing=[*papers[seat].standing, *(line for line in reading.standing if line.policy is not None)],
        answers=papers[seat].answers,
    )
    return Trial(reading, check_lines(rules, position, own, papers))


def preview(store: Store, game_id: str | None, seat: str | None, text: str) -> tuple[str, ...]:
    """What may come of one order, given after those that its seat has handed in already: exact odds, by what the seat knows.

    Without a seat, the order is taken for one of the first seat that can write it. Nothing is changed. Raises OrderError for words that
    are no order and for one that a rule forbids, StoreError for an unknown game, KeyError for an unknown seat."""
    with store.transaction() as session:
        row = only_game(session, game_id)
        table = Table(session, row, row.created)
        here = table.here()
        writer = seat or _writer(table, here, text)
        table.game.seat(writer)
        reading = _read_one(table, here, writer, text)
        papers = table.papers(here.state)
        own = Papers(
            writer,
            lines=[*papers[writer].lines, *reading.orders],
            standing=papers[writer].standing,
            answers=papers[writer].answers,
        )
        checked = check_lines(table.game, table.position(), own, papers).lines
    found = next(each for each in checked if each.line is reading.orders[-1])
    if found.error is not None:
        raise found.error
    return found.says


def _writer(table: Table, here: Step, text: str) -> str:
    """The seat whose order it can be, those that are waited for first."""
    asked = seats_asked(here.waiting)
    for seat in sorted(table.seats, key=lambda key: key not in asked):
        reading = table.game.grammar.read([(1, text)], table.game.roster(here.state, seat))
        if reading.orders and not reading.faults:
            return seat
    return next(iter(asked or table.seats))


def _read_one(table: Table, here: Step, seat: str, text: str) -> Reading:
    for section in (*upcoming_sections(table.game, here, seat), ""):
        reading = table.game.grammar.read([(1, text)], table.game.roster(here.state, seat), section)
        if reading.orders and not reading.faults:
            return reading
    if reading.faults:
        raise reading.faults[0].error
    raise Unreadable(f'"{text.strip()}" is not an order')


def decoded(raw: bytes) -> str:
    """The text of an order file, as UTF-8 or else cp1252."""
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError:
        return raw.decode("cp1252", "replace")
