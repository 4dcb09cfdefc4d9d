"""What is stored of a game is read once in a transaction, with what the transaction itself has changed."""

from __future__ import annotations

from datetime import timedelta

from conftest import NOW
from sqlalchemy import event
from sqlmodel import col, select

from pbem.service.moderating import people
from pbem.service.record.rows import OutboxRow
from pbem.service.record.store import Store, only_game
from pbem.service.record.table import Table

HOW = {"by": "host", "why": "as agreed"}


def test_the_staff_is_that_of_now(toy: Store) -> None:
    with toy.transaction() as session:
        table = Table(session, only_game(session, "toy"), NOW)
        before = [row.key for row in table.record.staff()]
        people.add_staff(table, "observer", "Dora <dora@x.example>", **HOW)
        assert [row.key for row in table.record.staff()] == [*before, "observer"]
        people.remove_staff(table, "observer", **HOW)
        assert [row.key for row in table.record.staff()] == before


def test_what_has_been_said_is_read_up_to_the_last_row(toy: Store) -> None:
    with toy.transaction() as session:
        table = Table(session, only_game(session, "toy"), NOW)
        assert table.record.rows(1, "salt") == table.record.every_row("salt") == []
        table.dice.add_salt("red", "a word", None)
        table.dice.add_salt("blue", "another", None)
        assert [row.answer for row in table.record.rows(1, "salt")] == ["a word", "another"]
        assert [row.asked for row in table.record.every_row("salt", "ruling")] == ["red", "blue"]
        assert table.record.rows(table.row.phase + 1, "salt") == []
        told = []
        event.listen(session.connection(), "before_cursor_execute", lambda *said: told.append(said[2]))
        assert len(table.record.rows(1, "salt", "dispute")) == 2
        assert not told


def test_when_a_letter_was_sent_is_read_once(toy: Store) -> None:
    with toy.transaction() as session:
        table = Table(session, only_game(session, "toy"), NOW)
        letter = session.exec(select(OutboxRow).order_by(col(OutboxRow.id)).limit(1)).one()
        assert table.post.sent([letter.key, "", "no such letter"]) == [(None, letter.recipient)]
        letter.sent = NOW + timedelta(days=400)
        assert table.post.sent([letter.key]) == [(None, letter.recipient)]
        table.post.sent_at_latest(NOW)
        assert table.post.sent([letter.key]) == [(NOW, letter.recipient)]
