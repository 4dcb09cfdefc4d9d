#!/usr/bin/env python3
"""The page of a whole game: its size, and how long it takes to make, to open and to step through.

    python tests/bench/replay.py [GAME ...] [--json]

Bots play the longest scenario of each game to its end; a headless Chromium opens its page. Needs
`pip install -e .[test,browser]` and a Chromium. Times are by the clock, of this machine with what else it had
to do.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from dataclasses import asdict, dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

TESTS = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(TESTS / "service"), str(TESTS), str(TESTS.parent)]

from replays import LONGEST, TIMES, chromium, played  # noqa: E402

from pbem.service.tools.queries import replay_page  # noqa: E402

LONGEST_PAGE, PAGE, PICTURE, STEP = 3.0, 1.5, 1000, 50
"""The goals: MB of the longest campaign and of the others, ms to the first picture and for a step."""

SCREENS = ((1280, 900), (390, 844), (320, 640))
"""Of a desk, of a phone, of a small one: the first picture is to come soon on each."""

ALL_DICE = """async () => { const t = performance.now();
  for (const roll of [...replay.proof.rolls.values(), ...replay.proof.sealed]) await replay.again(roll);
  return performance.now() - t; }"""


@dataclass(frozen=True, slots=True)
class Row:
    """A game. Its size is in MB, `made` in seconds, other times in milliseconds: to the first picture on the
    slowest screen, until the script is ready, a step (95 of 100) and the slowest, all dice."""

    game: str
    steps: int
    dice: int
    size: float
    made: float
    picture: float
    ready: float
    step: float
    slowest: float
    checked: float

    def failed(self) -> list[str]:
        """Which goals it misses."""
        goals = {
            "size": self.size > (LONGEST_PAGE if self.game == "normandy44" else PAGE),
            "first picture": self.picture > PICTURE,
            "step": self.step > STEP,
        }
        return [name for name, missed in goals.items() if missed]


def first_picture(browser: Any, file: Path, width: int, height: int) -> float:
    """Milliseconds until a page is first painted on a screen."""
    window = browser.new_page(viewport={"width": width, "height": height})
    window.goto(f"file://{file}")
    painted = "performance.getEntriesByName('first-contentful-paint')"
    while not window.evaluate(f"{painted}.length"):  # the page lets nobody else's script wait for it
        window.wait_for_timeout(50)
    found: float = window.evaluate(f"{painted}[0].startTime")
    window.close()
    return found


def measure(browser: Any, key: str, folder: Path) -> Row:
    store = played(folder / f"{key}.pbem", key, LONGEST[key], bot="greedy", seed="7")
    began = time.perf_counter()
    page, story = replay_page(store, None)
    made = time.perf_counter() - began
    file = folder / f"{key}.html"
    file.write_text(page, encoding="utf-8", newline="\n")
    painted = max(first_picture(browser, file, *screen) for screen in SCREENS)
    window = browser.new_page(viewport={"width": 1280, "height": 900})
    window.goto(f"file://{file}")
    window.wait_for_timeout(1000)
    ready = window.evaluate("replay.opened")
    usual, slowest, _ = window.evaluate(TIMES)
    checked = window.evaluate(ALL_DICE)
    window.close()
    size = file.stat().st_size / 1e6
    steps, dice = len(story.tracks[0].steps), len(story.dice)
    return Row(key, steps, dice, size, made, painted, ready, usual, slowest, checked)


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("games", nargs="*", default=[], metavar="GAME", choices=[*LONGEST, []])
    parser.add_argument("--json", action="store_true")
    told = parser.parse_args()
    if not told.json:
        print(
            "| game | steps | dice | MB | made, s | first picture, ms | ready | step | slowest | all dice |"
        )
        print("|---|" + "---:|" * 9)
    rows = []
    with TemporaryDirectory() as folder, chromium() as browser:
        for key in told.games or LONGEST:
            row = measure(browser, key, Path(folder))
            rows.append(row)
            if not told.json:
                print(
                    f"| {row.game} | {row.steps:,} | {row.dice:,} | {row.size:.2f} | {row.made:.1f} "
                    f"| {row.picture:.0f} | {row.ready:.0f} | {row.step:.0f} | {row.slowest:.0f} "
                    f"| {row.checked:.0f} |",
                    flush=True,
                )
    if told.json:
        print(json.dumps([asdict(row) for row in rows]))
    missed = {row.game: row.failed() for row in rows if row.failed()}
    for key, goals in missed.items():
        print(f"{key} misses: {', '.join(goals)}", file=sys.stderr)
    return bool(missed)


if __name__ == "__main__":
    sys.exit(main())
