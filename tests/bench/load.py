#!/usr/bin/env python3
"""What the service does under load: letters a second, and the time from a letter's DATA to its answer at the
far end, by store, workers and games; and its memory over many letters.

    python tests/bench/load.py [--stores sqlite postgres] [--workers 1 2] [--games 10 1000] [--letters 400]
                               [--rate 4] [--memory 10000]

Each letter is a draft of 16 order lines of Normandy 1971, in a game chosen in turn. First comes a burst: all
letters as fast as 8 connections hand them over; then as many a second as `--rate` says. CPU is that of all
processes of the service; statements and commits are counted in this process, which does what a worker does
with a letter. PostgreSQL is the server of PBEM_TEST_POSTGRES, on which databases are made and dropped.
"""

from __future__ import annotations

import argparse
import itertools
import os
import re
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from statistics import quantiles
from typing import Any

TESTS = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(TESTS), str(TESTS / "bench"), str(TESTS.parent)]

from growth import DRAFT, begin, mail  # noqa: E402
from serve.kit import FarEnd, Service, free_port, serving, wait_until  # noqa: E402
from sqlalchemy import Engine, create_engine, event, text  # noqa: E402
from sqlmodel import select  # noqa: E402

from pbem.mail.address import reply_address  # noqa: E402
from pbem.service.intake import outbox  # noqa: E402
from pbem.service.intake.limits import Limits  # noqa: E402
from pbem.service.intake.receive import receive  # noqa: E402
from pbem.service.intake.reception import Reception  # noqa: E402
from pbem.service.record.rows import SeatRow  # noqa: E402
from pbem.service.record.store import Store, now_utc  # noqa: E402

POSTGRES = os.environ.get("PBEM_TEST_POSTGRES", "")
TICK = os.sysconf("SC_CLK_TCK")
PAGE = os.sysconf("SC_PAGESIZE")
UNLIMITED = (
    "[limits]\nletters_an_hour = 10000000\nletters_an_hour_seat = 10000000\n"
    "letters_an_hour_stranger = 10000000"
)
ANSWERS = re.compile(rb"^In-Reply-To:\s*(<[^>]+>)", re.IGNORECASE | re.MULTILINE)


class Counting(FarEnd):
    """A far end that notes when the answer to each letter came."""

    def __init__(self, port: int) -> None:
        super().__init__(port)
        self.answered: dict[str, float] = {}

    async def handle_DATA(self, server: Any, session: Any, envelope: Any) -> str:
        if match := ANSWERS.search(envelope.content[:20_000]):
            self.answered.setdefault(match[1].decode(), time.monotonic())
        self.offered += 1
        return "250 OK"


@contextmanager
def filled(kind: str, games: int) -> Iterator[Store]:
    """A store with this many games, in a file or a database of its own."""
    with tempfile.TemporaryDirectory() as folder:
        if kind == "sqlite":
            store = Store.create(Path(folder) / "load.pbem")
            begin(store, games, now_utc())
            yield store
            store.close()
            return
        server = create_engine(POSTGRES, isolation_level="AUTOCOMMIT")
        name = f"pbem_load_{os.getpid()}_{games}"
        with server.connect() as connection:
            connection.execute(text(f"CREATE DATABASE {name}"))
        try:
            store = Store.create(POSTGRES.rpartition("/")[0] + f"/{name}")
            begin(store, games, now_utc())
            yield store
            store.close()
        finally:
            with server.connect() as connection:
                connection.execute(text(f"DROP DATABASE {name} WITH (FORCE)"))
            server.dispose()


class Letters:
    """Letters of the games in turn, each with its own Message-ID."""

    def __init__(self, store: Store, games: int) -> None:
        with store.transaction() as session:
            rows = session.exec(select(SeatRow).where(SeatRow.key == "allied"))
            keys = {row.game: row.token_key for row in rows}
        self.to = {game: reply_address("pbem@localhost", game, "allied", key) for game, key in keys.items()}
        self.store, self.games, self.numbers = store, games, itertools.count(1)

    def next(self) -> tuple[bytes, str, str]:
        """A letter, its address and its Message-ID."""
        number = next(self.numbers)
        game = f"g{number % self.games}"
        return mail(self.store, game, number, DRAFT), self.to[game], f"<{game}.{number}@mail.example>"


def processes(parent: int) -> list[int]:
    """A process and all below it."""
    below: dict[int, list[int]] = {}
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = path.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        below.setdefault(int(fields[1]), []).append(int(path.parent.name))
    found = [parent]
    for each in found:
        found += below.get(each, [])
    return found


def used(parent: int) -> tuple[float, float]:
    """Seconds of the processor and megabytes of memory that a service has used, with all its processes."""
    seconds = megabytes = 0.0
    for pid in processes(parent):
        try:
            fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        except OSError:
            continue
        seconds += sum(map(int, fields[11:15])) / TICK  # its own, and that of children that have ended
        megabytes += int(fields[21]) * PAGE / 2**20
    return seconds, megabytes


def play(
    services: tuple[Service, ...], far: Counting, letters: Letters, number: int, rate: float
) -> dict[str, float]:
    """Hand letters over and wait for their answers; return what it took. `rate` 0: as fast as they are
    taken."""
    written = [letters.next() for _ in range(number)]
    queue, lock = list(enumerate(written)), threading.Lock()
    began_at: dict[str, float] = {}
    cpu = sum(used(each.process.pid)[0] for each in services if each.process)
    began = time.monotonic()

    def deliver() -> None:
        while True:
            with lock:
                if not queue:
                    return
                at, (raw, to, name) = queue.pop(0)
            if rate:
                time.sleep(max(0.0, began + at / rate - time.monotonic()))
            began_at[name] = time.monotonic()
            while services[at % len(services)].hand_over(raw, to) != "250":
                time.sleep(0.05)

    senders = [threading.Thread(target=deliver) for _ in range(8)]
    for each in senders:
        each.start()
    for each in senders:
        each.join()
    taken = time.monotonic() - began
    wait_until(lambda: all(name in far.answered for *_, name in written), 600)
    answered = time.monotonic() - began
    waits = [far.answered[name] - began_at[name] for *_, name in written]
    cut = quantiles(waits, n=100)
    cpu = sum(used(each.process.pid)[0] for each in services if each.process) - cpu
    return {
        "in/s": number / taken, "out/s": number / answered, "p50": cut[49], "p99": cut[98],
        "CPU ms": 1000 * cpu / number,
    }  # fmt: skip


def statements(store: Store, letters: Letters, number: int = 20) -> tuple[float, float]:
    """Statements and commits for a letter and its answer, counted in this process."""
    counts = {"statements": 0, "commits": 0}

    def executed(*_: Any) -> None:
        counts["statements"] += 1

    def committed(*_: Any) -> None:
        counts["commits"] += 1

    limits = Reception(Limits(10**7, 10**7, 10**7))
    receive(store, letters.next()[0], now_utc(), limits)
    event.listen(Engine, "before_cursor_execute", executed)
    event.listen(Engine, "commit", committed)
    outcome = None
    for _ in range(number):
        receive(store, letters.next()[0], now_utc(), limits)
        _, claimed = outbox.visit(store, now_utc(), outcome, outbox.Which())
        outcome = outbox.Outcome(claimed, datetime.now(UTC), "sent") if claimed else None
    event.remove(Engine, "before_cursor_execute", executed)
    event.remove(Engine, "commit", committed)
    outbox.visit(store, now_utc(), outcome, None)
    return counts["statements"] / number, counts["commits"] / number


def row(store: Store, letters: Letters, workers: int, number: int, rate: float) -> dict[str, Any]:
    """What this many workers do with this many letters of a store."""
    each, commits = statements(store, letters)
    with tempfile.TemporaryDirectory() as folder, Counting(free_port()) as far:
        made = [
            Service(Path(folder), store.target, far.port, f"w{at}", more=UNLIMITED) for at in range(workers)
        ]
        with serving(*made) as services:
            play(services, far, letters, 20, 0)  # warms the caches
            burst = play(services, far, letters, number, 0)
            time.sleep(3)
            slow = play(services, far, letters, max(40, round(rate * 20)), rate)
    return {
        "workers": workers,
        "in/s": f"{burst['in/s']:.0f}", "answered/s": f"{burst['out/s']:.0f}",
        "CPU ms": f"{burst['CPU ms']:.0f}",
        f"p50 s at {rate:g}/s": f"{slow['p50']:.3f}", f"p99 s at {rate:g}/s": f"{slow['p99']:.3f}",
        f"CPU ms at {rate:g}/s": f"{slow['CPU ms']:.0f}",
        "statements": f"{each:.0f}", "commits": f"{commits:.1f}",
    }  # fmt: skip


def memory(number: int) -> None:
    """Print the memory of the service, with all its processes, over many letters."""
    games, steps = 100, 10
    with filled("sqlite", games) as store, tempfile.TemporaryDirectory() as folder:
        letters = Letters(store, games)
        with Counting(free_port()) as far:
            service = Service(Path(folder), store.target, far.port, more=UNLIMITED)
            with serving(service) as services:
                for at in range(steps + 1):
                    if at:
                        play(services, far, letters, number // steps, 0)
                    assert service.process
                    print(f"| {at * number // steps:,} | {used(service.process.pid)[1]:.0f} |", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--stores", nargs="*", default=["sqlite", *(["postgres"] if POSTGRES else [])])
    parser.add_argument("--workers", nargs="*", type=int, default=[1, 2])
    parser.add_argument("--games", nargs="*", type=int, default=[10, 1_000])
    parser.add_argument("--letters", type=int, default=400)
    parser.add_argument("--rate", type=float, default=4)
    parser.add_argument("--memory", type=int, default=0)
    args = parser.parse_args()
    if args.memory:
        print("| letters | memory, MB |\n|---:|---:|")
        memory(args.memory)
        return
    headed = False
    for kind, games in itertools.product(args.stores, args.games):
        with filled(kind, games) as store:
            letters = Letters(store, games)
            for workers in args.workers if kind != "sqlite" else [1]:
                made = row(store, letters, workers, args.letters, args.rate)
                cells = {"store": kind, "games": f"{games:,}"} | made
                if not headed:
                    print(f"| {' | '.join(cells)} |\n|---|{'---:|' * (len(cells) - 1)}")
                    headed = True
                print(f"| {' | '.join(map(str, cells.values()))} |", flush=True)


if __name__ == "__main__":
    main()
