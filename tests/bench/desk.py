#!/usr/bin/env python3
"""The order desk of both seats at many moments of each game: its offers, its size, and what it costs to make.

    python tests/bench/desk.py [GAME ...] [--all] [--json]

Greedy bots play the longest scenario of each game, which is cut after some of its phases. The worst rows of
each game are shown, with `--all` every one. Seconds are of the processor, the median of three.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

TESTS = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(TESTS / "service"), str(TESTS), str(TESTS.parent)]

from desks import OFTEN, positions, seats_of, sitting  # noqa: E402
from replays import LONGEST  # noqa: E402

from pbem.render.orderdesk import html  # noqa: E402
from pbem.service.letters.ordering import form_of  # noqa: E402

BYTES, SECONDS = 300_000, 2.0
"""The goals for every page."""

ROUNDS, WORST = 3, 3
"""How often a page is made, and how many rows of each game are shown."""


@dataclass(frozen=True, slots=True)
class Row:
    """A page. `form` is the part of its `seconds` that the rules take."""

    game: str
    moment: str
    seat: str
    offers: int
    size: int
    seconds: float
    form: float

    def failed(self) -> list[str]:
        """Which goals it misses."""
        goals = {"size": self.size > BYTES, "seconds": self.seconds > SECONDS}
        return [name for name, missed in goals.items() if missed]


def measure(key: str, folder: Path) -> Iterator[Row]:
    for _, store in positions(folder, key, LONGEST[key], OFTEN):
        for seat in seats_of(store):
            whole, rules = [], []
            for _ in range(ROUNDS):
                began = time.process_time()
                with sitting(store, seat) as here:
                    pass
                form = form_of(here)
                rules.append(time.process_time() - began)
                page = html(form)
                whole.append(time.process_time() - began)
            heads = [head for part in form.parts for head in part.heads]
            offers = sum(len(each.choices) for each in (*form.parts, *heads))
            yield Row(
                key, here.here.label, seat, offers, len(page.encode()),
                statistics.median(whole), statistics.median(rules),
            )  # fmt: skip
        store.close()


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("games", nargs="*", default=[], metavar="GAME", choices=[*LONGEST, []])
    parser.add_argument("--all", action="store_true", help="show every row")
    parser.add_argument("--json", action="store_true")
    told = parser.parse_args()
    if not told.json:
        print("| game | moment | seat | offers | bytes | made, s | of it rules, s |")
        print("|---|---|---|" + "---:|" * 4)
    rows: list[Row] = []
    with TemporaryDirectory() as folder:
        for key in told.games or LONGEST:
            found = sorted(measure(key, Path(folder)), key=lambda row: row.seconds, reverse=True)
            rows += found
            for row in found if told.all else found[:WORST]:
                if not told.json:
                    print(
                        f"| {row.game} | {row.moment} | {row.seat} | {row.offers:,} | {row.size:,} "
                        f"| {row.seconds:.2f} | {row.form:.2f} |",
                        flush=True,
                    )
    if told.json:
        print(json.dumps([asdict(row) for row in rows]))
    for row in rows:
        if row.failed():
            print(f"{row.game} {row.moment}, {row.seat} misses: {', '.join(row.failed())}", file=sys.stderr)
    return any(row.failed() for row in rows)


if __name__ == "__main__":
    sys.exit(main())
