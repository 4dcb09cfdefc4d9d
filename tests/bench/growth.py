#!/usr/bin/env python3
"""How the cost of pbem grows with what it has to do: units, games in a store, turns played, letters in a
game, lines in a letter, players who wait at once, and the memory of a process that goes on and on.

    python tests/bench/growth.py [words of a name ...] [--most 10000] [--picture growth.svg]

Times are those of the processor, medians of several runs; where several processes wait for each other, those
of the clock. With PBEM_TEST_POSTGRES the tables of the store are also made on PostgreSQL. To add a table,
write a function that yields (size, {what: seconds or MB}) and put `@table(...)` over it.
"""

from __future__ import annotations

import argparse
import gc
import os
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from math import log10
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any

TESTS = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(TESTS), str(TESTS / "bench"), str(TESTS.parent)]

from run import LANDING, field_of_battle, in_words  # noqa: E402
from sqlalchemy import text  # noqa: E402

from pbem.cli.adjudicate import every_deadline  # noqa: E402
from pbem.engine.hexes import bits  # noqa: E402
from pbem.mail.address import reply_address  # noqa: E402
from pbem.mail.transport import FolderTransport  # noqa: E402
from pbem.service.intake import outbox  # noqa: E402
from pbem.service.intake.receive import receive  # noqa: E402
from pbem.service.intake.submit import submit  # noqa: E402
from pbem.service.moderating.seats import hand_to_bot  # noqa: E402
from pbem.service.moderating.start import NewGame, Player, start  # noqa: E402
from pbem.service.record.rows import SeatRow  # noqa: E402
from pbem.service.record.store import Store  # noqa: E402
from pbem.service.tools import queries  # noqa: E402

NOW = datetime(2026, 6, 6, 6, tzinfo=UTC)
NEW = "CAST(:new AS VARCHAR)"
POSTGRES = os.environ.get("PBEM_TEST_POSTGRES", "")
RUNS = 5

Rows = Iterator[tuple[int, dict[str, float]]]


@dataclass(frozen=True, slots=True)
class Table:
    name: str
    size: str
    unit: str
    rows: Callable[[str], Rows]
    stores: bool


TABLES: list[Table] = []
MOST = 10_000


def table(name: str, size: str, *, unit: str = "s", stores: bool = False) -> Callable[[Any], Any]:
    """Enter a table: its name, what grows, and whether it is made for each kind of store."""

    def enter(rows: Callable[[str], Rows]) -> Callable[[str], Rows]:
        TABLES.append(Table(name, size, unit, rows, stores))
        return rows

    return enter


def cpu(work: Callable[[], object], runs: int = RUNS) -> float:
    """The seconds that the processor works on one call: the median, after a first one that warms the
    caches."""
    work()
    return median(_once(work) for _ in range(runs))


def _once(work: Callable[[], object]) -> float:
    gc.collect()
    began = time.process_time()
    work()
    return time.process_time() - began


# --- stores -------------------------------------------------------------------------------------------------


@contextmanager
def empty(kind: str) -> Iterator[Store]:
    """A store to be filled: a game file, or a schema of its own on the PostgreSQL server."""
    if kind == "SQLite":
        with TemporaryDirectory() as folder:
            store = Store.create(Path(folder) / "growth.pbem")
            yield store
            store.close()
        return
    from conftest import schema

    yield from schema(kept=False)


def begin(store: Store, games: int = 1, now: datetime = NOW) -> None:
    """Games in which the Allied player is to write the first movement, all letters sent; the first is played
    there at `now`, the others are copies of its rows."""
    settings = {"clock_hours": 72.0, "moderator": "carla@mail.example"}
    players = {"allied": Player("Anna", "anna@mail.example"), "german": Player("Bernd", "bernd@mail.example")}
    start(store, NewGame("normandy71", "g0", players=players, settings=settings, seed="bench"), now)
    submit(store, "g0", "german", "[set-up]\ndefault\ndone\n", now)
    submit(store, "g0", "allied", "[plan]\ndefault\ndone\n", now)
    with store.engine.begin() as connection:
        connection.execute(text("UPDATE outbox SET sent = created"))
        for name in ("game", "seat", "staff", "phase", "journal", "letter", "outbox"):
            row = connection.execute(text(f"SELECT * FROM {name} LIMIT 1")).mappings().one()
            columns = [each for each in row if (name, each) not in {("letter", "id"), ("outbox", "id")}]
            of = "id" if name == "game" else "game"
            values = ", ".join(_copied(name, each) for each in columns)
            query = f"INSERT INTO {name} ({', '.join(map(_quoted, columns))}) SELECT {values} FROM {name}"
            numbers = [{"new": f"g{at}", "at": f"{at}@"} for at in range(1, games)]
            if numbers:
                connection.execute(text(f"{query} WHERE {of} = 'g0'"), numbers)


def _quoted(column: str) -> str:
    return f'"{column}"'


def _copied(table: str, column: str) -> str:
    """What a copied row has in a column."""
    if (table, column) == ("game", "id") or (table != "game" and column == "game"):
        return NEW
    if column in ("identity", "words") or (table == "outbox" and column in ("key", "message_id")):
        return f"replace({_quoted(column)}, 'g0', {NEW}) || {NEW}"
    if column == "address":
        return "replace(address, '@', CAST(:at AS VARCHAR))"
    if column == "raw":
        return "substr(raw, 1, 2000)"
    return _quoted(column)


def mail(store: Store, game: str, number: int, words: str) -> bytes:
    """A letter of the Allied player of a game."""
    with store.transaction() as session:
        seat = session.get_one(SeatRow, (game, "allied"))
    to = reply_address("pbem@localhost", game, "allied", seat.token_key)
    date = f"{NOW + timedelta(seconds=number):%a, %d %b %Y %H:%M:%S +0000}"
    head = f"From: {seat.address}\nTo: {to}\nSubject: orders\nMessage-ID: <{game}.{number}@mail.example>\n"
    return f"{head}Date: {date}\n\n{words}".encode()


DRAFT = "[movement]\n" + "\n".join(LANDING) + "\ndraft\n"


def confirmation(store: Store, words: str = DRAFT) -> float:
    """The time from a letter to its reply, in the first game of a store."""
    letters = iter([mail(store, "g0", 1_000_000 + at, words) for at in range(RUNS + 1)])
    return cpu(lambda: receive(store, next(letters), NOW))


# --- tables -------------------------------------------------------------------------------------------------


@table("games in one store, nothing due", "games", stores=True)
def games(kind: str) -> Rows:
    for number in (10, 100, 1_000, 10_000):
        if number > MOST:
            return
        with empty(kind) as store, TemporaryDirectory() as folder:
            begin(store, number)
            every_deadline(store, NOW)  # after which each is known to be quiet

            def send(store: Store = store, folder: str = folder) -> object:
                return outbox.send_pending(store, FolderTransport(Path(folder)), NOW)

            yield (
                number,
                {
                    "letter to confirmation": confirmation(store),
                    "deadlines": cpu(lambda store=store: every_deadline(store, NOW)),
                    "mail send": cpu(send),
                    "status, a game": cpu(lambda store=store: queries.statuses(store), 1) / number,
                },
            )


@table("letters in a game", "letters", stores=True)
def letters(kind: str) -> Rows:
    for number in (10, 500, 2_000):
        with empty(kind) as store:
            begin(store)
            with store.engine.begin() as connection:
                for name in ("letter", "outbox"):
                    row = connection.execute(text(f"SELECT * FROM {name} LIMIT 1")).mappings().one()
                    columns = [each for each in row if each != "id"]
                    values = ", ".join(
                        f"{_quoted(each)} || {NEW}" if each in ("identity", "words", "key") else _quoted(each)
                        for each in columns
                    )
                    first = f"(SELECT min(id) FROM {name})"
                    into = f"INSERT INTO {name} ({', '.join(map(_quoted, columns))})"
                    query = f"{into} SELECT {values} FROM {name} WHERE id = {first}"
                    connection.execute(text(query), [{"new": f"+{at}"} for at in range(number)])
            status = cpu(lambda store=store: queries.status(store, "g0"))
            yield number, {"letter to confirmation": confirmation(store), "status": status}


@table("turns played by bots", "turn", stores=True)
def turns(kind: str) -> Rows:
    for last in (1, 3, 6):
        with empty(kind) as store:
            begin(store)
            play_to(store, last)
            yield (
                last,
                {
                    "letter with STATUS": confirmation(store, words="status\n"),
                    "status": cpu(lambda store=store: queries.status(store, "g0")),
                },
            )


def play_to(store: Store, last: int) -> None:
    """Bots play both seats, in turn, up to a turn."""
    while queries.status(store, "g0").turn < last:
        for seat in ("allied", "german"):
            hand_to_bot(store, "g0", seat, "random", NOW)
            hand_to_bot(store, "g0", seat, "none", NOW)


@table("lines in a letter", "lines")
def lines(kind: str) -> Rows:
    from service.test_sent_again import sent

    from pbem.service.play.sheet import Sheet

    for number in (15, 30, 60, 120, 240):
        first = sent(Sheet(), dict.fromkeys(range(number), 0), 1).sheet
        read = cpu(lambda number=number: sent(Sheet(), dict.fromkeys(range(number), 0), 1))
        again = cpu(lambda number=number, first=first: sent(first, dict.fromkeys(range(number), 0), 2))
        other = cpu(lambda number=number, first=first: sent(first, dict.fromkeys(range(number), 1), 2))
        yield number, {"read and kept": read, "sent again": again, "sent again, changed": other}


@table("units on the map", "units")
def units(kind: str) -> Rows:
    map_, own, enemy = field_of_battle()
    costs = map_.costs(lambda a, b: None if map_.terrain(b) == "all sea" else 2)
    blocked = bits(enemy)
    for number in (35, 70, 140):
        marches = own[:number]
        held = bits(marches)
        zones = cpu(lambda held=held: [map_.grid.zone(held) for _ in range(100)]) / 100
        ranges = cpu(lambda m=marches: [costs.reach(at, 8, blocked).costs for at in m])
        yield number, {"zones of control": zones, "movement ranges": ranges}


@table("players who wait at once, by the clock", "players", stores=True)
def crowd(kind: str) -> Rows:
    for number in (1, 5, 20):
        with empty(kind) as store:
            begin(store, number)
            receive(store, mail(store, "g0", 1, DRAFT), NOW)
            written = [mail(store, f"g{at}", 2, DRAFT) for at in range(number)]
            with ThreadPoolExecutor(number) as pool:
                began = time.perf_counter()
                done = list(pool.map(lambda raw, store=store: receive(store, raw, NOW), written))
                taken = time.perf_counter() - began
            assert [each.outcome for each in done] == ["accepted"] * number, done
            yield number, {"all": taken, "each": taken / number}


@table("memory of a process, MB resident", "letters", unit="MB", stores=True)
def memory(kind: str) -> Rows:
    with empty(kind) as store:
        begin(store)
        done = 0
        for number in (10, 100, 400):
            for at in range(done, number):
                receive(store, mail(store, "g0", at, DRAFT), NOW + timedelta(seconds=60 * at))
            done = number
            pages = int(Path("/proc/self/statm").read_text().split()[1])
            yield number, {"resident": pages * os.sysconf("SC_PAGE_SIZE") / 1e6}


# --- the report ---------------------------------------------------------------------------------------------


def shown(value: float, unit: str) -> str:
    return f"{value:.0f} MB" if unit == "MB" else in_words(value).split(" (")[0]


def as_text(name: str, size: str, unit: str, rows: list[tuple[int, dict[str, float]]]) -> list[str]:
    """A table as Markdown."""
    names = list(rows[0][1])
    cells = [[f"{number:,}", *(shown(values[each], unit) for each in names)] for number, values in rows]
    head = [f"**{name}**", "", f"| {size} | {' | '.join(names)} |", "|" + "---:|" * (len(names) + 1)]
    return [*head, *(f"| {' | '.join(row)} |" for row in cells), ""]


def as_picture(found: list[tuple[str, str, str, list[tuple[int, dict[str, float]]]]]) -> str:
    """The tables side by side, each with scales of its own, both by powers of ten: a flat line does not
    grow."""
    width, height, colours = 300, 200, ("#1b6ca8", "#c0392b", "#2e8b57", "#8e44ad")
    across = 3
    parts: list[str] = []
    for place, (name, size, unit, rows) in enumerate(found):
        left, top = 40 + place % across * (width + 50), 40 + place // across * (height + 90)
        values = [value for _, row in rows for value in row.values()]
        low, high = log10(min(values)) - 0.2, log10(max(values)) + 0.2
        first, last = log10(rows[0][0]), log10(rows[-1][0])
        parts.append(f'<text x="{left}" y="{top - 8}" font-weight="bold">{name[:52]}</text>')
        parts.append(f'<rect x="{left}" y="{top}" width="{width}" height="{height}" fill="#f7f7f2"/>')
        for at, what in enumerate(rows[0][1]):
            points = [
                (
                    left + (log10(number) - first) / (last - first) * width,
                    top + height - (log10(row[what]) - low) / (high - low) * height,
                )
                for number, row in rows
            ]
            drawn = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
            colour, end = colours[at % len(colours)], shown(rows[-1][1][what], unit)
            parts.append(f'<polyline points="{drawn}" fill="none" stroke="{colour}" stroke-width="2"/>')
            words = f"{what}: {shown(rows[0][1][what], unit)} to {end}"
            parts.append(f'<text x="{left}" y="{top + height + 28 + 12 * at}" fill="{colour}">{words}</text>')
        ends = f"{rows[0][0]:,} to {rows[-1][0]:,} {size}"
        parts.append(f'<text x="{left}" y="{top + height + 14}" fill="#555">{ends}</text>')
    whole = (
        across * (width + 50) + 40,
        40 + (len(found) + across - 1) // across * (height + 90),
    )
    head = f'<svg xmlns="http://www.w3.org/2000/svg" width="{whole[0]}" height="{whole[1]}" '
    head += 'font-family="sans-serif" font-size="10"><rect width="100%" height="100%" fill="white"/>'
    return "\n".join([head, *parts, "</svg>"]) + "\n"


def main() -> None:
    global MOST
    parser = argparse.ArgumentParser(description="How the cost of pbem grows.")
    parser.add_argument("words", nargs="*", help="make only tables whose name holds one of these words")
    parser.add_argument("--most", type=int, default=MOST, help="the most games in a store")
    parser.add_argument("--picture", type=Path, help="draw the tables into this SVG file")
    given = parser.parse_args()
    MOST = given.most
    found = []
    for each in TABLES:
        if given.words and not any(word in each.name for word in given.words):
            continue
        for kind in ("SQLite", "PostgreSQL") if each.stores else ("",):
            if kind == "PostgreSQL" and not POSTGRES:
                continue
            rows = list(each.rows(kind))
            name = f"{each.name}{f' ({kind})' if kind else ''}"
            found.append((name, each.size, each.unit, rows))
            print("\n".join(as_text(*found[-1])), flush=True)
    if given.picture:
        given.picture.write_text(as_picture(found), encoding="utf-8")


if __name__ == "__main__":
    main()
