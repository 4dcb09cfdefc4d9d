"""How long `pbem site` takes: 100 games at first, with nothing changed, and with one game changed.

    python tests/bench/site.py [--games 100] [--rounds 5]

Three of four games are over. Times are those of the processor, medians of several runs.
"""

from __future__ import annotations

import argparse
import statistics
import sys
from datetime import timedelta
from pathlib import Path
from tempfile import TemporaryDirectory
from time import process_time

TESTS = Path(__file__).parents[1]
sys.path[:0] = [str(TESTS), str(TESTS / "service"), str(TESTS.parent)]

from conftest import NOW, begin  # noqa: E402

from pbem.service.intake.submit import submit  # noqa: E402
from pbem.service.moderating.start import NewGame, Player, start  # noqa: E402
from pbem.service.record.store import Store  # noqa: E402
from pbem.service.tools.site import Written, write_site  # noqa: E402
from pbem.testing.post import SETTINGS  # noqa: E402


def club(folder: Path, games: int) -> Store:
    """A store of toy games, a quarter of which runs."""
    store = Store.create(folder / "club.pbem")
    for number in range(games):
        if number % 4 == 0:
            begin(store, f"g{number}")
            continue
        seats = {"red": Player(bot="greedy"), "blue": Player(bot="random")}
        new = NewGame("clash", f"g{number}", players=seats, settings=dict(SETTINGS), seed=str(number))
        start(store, new, NOW)
    return store


def timed(store: Store, folder: Path) -> tuple[float, Written]:
    began = process_time()
    written = write_site(store, folder, "The Club")
    return process_time() - began, written


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--games", type=int, default=100)
    options.add_argument("--rounds", type=int, default=5)
    chosen = options.parse_args()
    with TemporaryDirectory() as name:
        folder = Path(name)
        store = club(folder, chosen.games)
        seconds, written = timed(store, folder / "site")
        print(f"at first           {seconds:7.2f} s  {written.lines()[0]}")
        still, moved = [], []
        for number in range(chosen.rounds):
            still.append(timed(store, folder / "site"))
            submit(store, f"g{4 * number}", "red", "move R1 to 0201\ndone\n", NOW + timedelta(hours=1))
            moved.append(timed(store, folder / "site"))
        for says, runs in (("nothing changed", still), ("one game changed", moved)):
            print(
                f"{says:<18} {statistics.median(each for each, _ in runs):7.2f} s  {runs[-1][1].lines()[0]}"
            )


if __name__ == "__main__":
    main()
