"""What a letter says of its deadline: what happens to a seat that lets it pass, by the terms of the game."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any

from pbem.engine.wording import count
from pbem.service.letters.log import due_words, left_words, local_time, who
from pbem.service.play.steps import Step
from pbem.service.record.bank import bank_hours, least_hours
from pbem.service.record.table import Table

CLOSED = (
    "At the deadline {what} is closed as it is: lines to correct are not used; your standing orders, then "
    "the defaults, decide the rest."
)


def at_the_deadline(table: Table, step: Step, seat: str) -> str:
    """Return what happens at the deadline, for a seat that the game is waiting for; "" if there is none."""
    if not table.deadline(step):
        return ""
    section = table.waited_for(step)[seat]
    match table.clock.policy(seat):
        case "wait":
            return "If the deadline passes, pbem goes on waiting for you: nothing is decided for you."
        case "bot":
            return (
                "At the deadline the planner takes your seat and plays on for you; lines without DONE are "
                "not played."
            )
        case "substitute":
            return (
                f"At the deadline {table.clock.stand_by_name} takes your seat, with your lines and standing "
                "orders, and gets the whole time to answer in."
            )
        case "hold" if section:
            return (
                "At the deadline this section is closed without your lines: your units hold, your standing "
                "orders do not count, and the defaults decide what the rules demand."
            )
        case "hold":
            return f"At the deadline the defaults decide{_more(table, seat) or ' for you'}."
        case _ if section:
            return _no_stand_by(table) + CLOSED.format(what="this section")
        case _:
            more = _more(table, seat) or " for you"
            return f"{_no_stand_by(table)}At the deadline your standing orders and the defaults decide{more}."


def of_others(table: Table, seats: list[str]) -> str:
    """Return what happens if the seats that the game is waiting for miss the deadline, for another reader."""
    names = " and ".join(who(table, key) for key in seats)
    match table.clock.policy(seats[0]):
        case "wait":
            return f"If the deadline passes, pbem goes on waiting for {names}."
        case "bot":
            return f"At the deadline the planner plays on for {names}."
        case "substitute":
            return f"At the deadline {table.clock.stand_by_name} plays on for {names}."
        case "hold":
            return f"At the deadline pbem plays on without orders from {names}."
        case _:
            return (
                f"At the deadline the lines of {names} are played as they are; standing orders, then the "
                "defaults, decide the rest."
            )


def for_a_draft(table: Table, section: str, seat: str, due: datetime) -> str:
    """Return what becomes of a draft of the section that is asked for, `section` being its title, if nothing
    more is written."""
    when = due_words(due, table.now, table.seats[seat].zone)
    match table.clock.policy(seat):
        case "wait":
            return f"Nothing of {section} is played without DONE, also after the deadline on {when}."
        case "bot":
            return f"Without DONE none of {section} is played: on {when} the planner plays on for you."
        case "substitute":
            return f"Without DONE {section} goes to {table.clock.stand_by_name} as a draft on {when}."
        case "hold":
            return f"Without DONE {section} is closed without your lines on {when}."
        case _:
            return f"Unless you change it, {section} is played on {when}."


def in_general(table: Table) -> str:
    """Return what happens at a deadline of this game, for the first letter, or that it has none."""
    if not table.clock.hours:
        return "This game has no deadlines: it waits for each player as long as it takes."
    match table.row.settings.get("missed", "standing"):
        case "wait":
            return "After a deadline pbem goes on waiting: nothing is decided for a player who is late."
        case "bot":
            return (
                "At the deadline the planner takes the seat of a player who is late; if no other person "
                "plays, the section is closed as it is, and standing orders, then the defaults, decide "
                "the rest."
            )
        case "substitute":
            return (
                "At the deadline a stand-by takes the seat of a player who is late; if there is none, the "
                "section is closed as it is, and standing orders, then the defaults, decide the rest."
            )
        case "hold":
            return (
                "At the deadline a section is closed without the lines of a player who is late; the defaults "
                "decide what the rules demand."
            )
        case _:
            return (
                "At the deadline a section is closed as it is; your standing orders, then the defaults, "
                "decide the rest."
            )


def time_left(table: Table, seat: str) -> str:
    """Return ``Time left: 12 d 4 h of 20 d`` for a player in a game with a total clock; "" in another."""
    bank = table.clock.bank
    if not bank.hours:
        return ""
    left, whole = (left_words(timedelta(hours=hours)) for hours in (bank.left(seat), bank.hours))
    return f"Time left: {left.removeprefix('in ').replace('now', 'none')} of {whole.removeprefix('in ')}"


def clock_words(settings: Mapping[str, Any]) -> str:
    """Return how long players have to answer: ``3 days for each letter``; "" in a game without deadlines."""
    if bank := bank_hours(settings):
        least = _long(least_hours(settings))
        return f"{_long(bank)} in all for each player, at least {least} for each letter"
    hours = settings.get("clock_hours")
    return f"{_long(hours)} for each letter" if hours else ""


def _long(hours: float) -> str:
    days, rest = divmod(int(hours), 24)
    return count(int(hours), "hour") if rest else count(days, "day")


def passed(table: Table, due: datetime, zone: str) -> str:
    """Return ``, due Fri 20 Nov 21:00 (in 2 d 5 h)``, or since when a deadline has passed."""
    if due > table.now:
        return f", due {due_words(due, table.now, zone)}"
    return f", due since {local_time(due, zone)}"


def stopped(table: Table, zone: str) -> str:
    """Return ``; the clock is stopped``, and until when it is if it waits for a ruling."""
    until = table.clock.ruling_by
    ruling = f" until the ruling, {due_words(until, table.now, zone)} at the latest" if until else ""
    return f"; the clock is stopped{ruling}"


def _more(table: Table, seat: str) -> str:
    if not table.has_missed(table.seats[seat]):
        return ""
    return " this and anything else in the phase, because you have already missed a deadline"


def _no_stand_by(table: Table) -> str:
    missing = table.row.settings.get("missed") == "substitute"
    return "There is no stand-by who could take your seat. " if missing else ""
