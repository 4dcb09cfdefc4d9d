"""The calendar file of a letter: when its reader must have answered, as an entry for a calendar program.

A seat has one entry in a game, under one UID: every later file replaces it (SEQUENCE is the number of the
letter), so an extension or the next request moves it. When nothing is asked of the seat any more, or the
clock is stopped, one file cancels it.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
from datetime import UTC, datetime, timedelta

from pbem.engine.wording import count
from pbem.mail.compose import Attachment, attach
from pbem.service.letters.deadlines import at_the_deadline
from pbem.service.play.answers import questions
from pbem.service.play.news import News
from pbem.service.play.sections import open_orders, phase_title
from pbem.service.play.steps import Step
from pbem.service.record.rows import SeatRow
from pbem.service.record.table import Table

NAME = "deadline.ics"
ASKING = ("turn", "ruling", "reminder")
"""Kinds of letters that have the file whenever they ask for something; others only if the entry changes."""

DAY, SHORT = timedelta(days=1), timedelta(hours=2)
"""How long before the deadline a calendar program reminds its reader: a day, or if less is left, `SHORT`."""


def wanted(table: Table, step: Step, seat: str) -> tuple[str, str]:
    """Return what a seat is asked for and where in the game, as subjects have it: ``("Your move", "T2 Action
    round")``. The first is "Report" if nothing is asked."""
    game = table.game
    where = phase_title(game, step.label, lambda: step.state).replace("Turn ", "T", 1).replace(", ", " ", 1)
    if asks := questions(step.waiting, seat):
        return count(len(asks), "decision"), where
    if orders := open_orders(step.waiting, seat):
        drawn = game.grammar.titles.get(orders.section, orders.section)
        return "Your move", where + f", {drawn}" * (drawn != orders.section)
    return "Report", where


def deadline_file(table: Table, row: SeatRow, kind: str, step: Step) -> Attachment | None:
    """Return the calendar file of the letter that is being written to a seat, and keep what it says; None if
    the letter has none. `kind` is the kind of the letter; `row.letters` is its number already."""
    news = News.load(row.news)
    due = table.deadline(step) if row.settings.get("calendar", True) else None
    if row.key not in table.waited_for(step):
        due = None
    title, where = wanted(table, step, row.key)
    entry = f"{due.astimezone(UTC).isoformat()} {title}: {where}" if due else ""
    if entry == news.calendar and not (entry and kind in ASKING):
        return None
    subject = f"[{table.row.id}] {title}: {where}"
    if due is None:
        moment, _, said = news.calendar.partition(" ")
        subject = f"[{table.row.id}] {said}"
        raw = _written(table, row, datetime.fromisoformat(moment), subject)
    else:
        raw = _written(table, row, due, subject, at_the_deadline(table, step, row.key))
    news.calendar = entry
    row.news = news.dump()
    table.record.keep(row)
    return attach(NAME, "text/calendar", raw, method="PUBLISH")


def _written(table: Table, row: SeatRow, due: datetime, subject: str, says: str | None = None) -> str:
    """Return the file: an entry at the deadline, or without words of what happens then, its end."""
    from icalendar import Alarm, Calendar, Event, vCalAddress  # slow to import, and few commands need it

    entry = Event()
    entry.add("uid", _uid(table, row))
    entry.add("sequence", row.letters)
    entry.add("dtstamp", table.now.astimezone(UTC).replace(microsecond=0))
    entry.add("dtstart", due.astimezone(UTC))
    entry.add("summary", subject)
    entry.add("organizer", vCalAddress(f"mailto:{table.address}"))
    entry.add("transp", "TRANSPARENT")
    entry.add("status", "CANCELLED" if says is None else "CONFIRMED")
    if says is not None:
        entry.add("description", says)
        left = due - table.now
        if left > SHORT:
            alarm = Alarm()
            alarm.add("action", "DISPLAY")
            alarm.add("description", subject)
            alarm.add("trigger", -(DAY if left >= DAY else SHORT))
            entry.add_component(alarm)
    whole = Calendar()
    whole.add("prodid", "-//pbem//deadlines//EN")
    whole.add("version", "2.0")
    whole.add("method", "PUBLISH")
    whole.add_component(entry)
    return str(whole.to_ical(), "utf-8")


def _uid(table: Table, row: SeatRow) -> str:
    """The UID of the seat's entry: a digest that leads neither to its reply address nor to any Message-ID."""
    seed = f"calendar\0{table.row.id}\0{row.key}".encode()
    digest = hmac.digest(table.row.secret, seed, hashlib.sha256)[:15]
    return f"{base64.b32encode(digest).decode().lower()}@{table.address.rpartition('@')[2]}"
