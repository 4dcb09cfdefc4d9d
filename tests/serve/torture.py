"""Kills workers of `pbem serve` at random while letters come in, and counts: each letter has one outcome,
each game's journal is that of an undisturbed run, each answer came to the far end once.

    PYTHONPATH=tests:. python -m serve.torture [--games 200] [--workers 3] [--kills 30] [--refuses 5]
                                               [--seed 1] [--restarts 2] [--store sqlite|URL]

`--restarts` restarts the PostgreSQL cluster (pg_ctlcluster) that many times in between. In `tests/` it runs
at a small size (test_torture.py).
"""

from __future__ import annotations

import argparse
import random
import shutil
import subprocess
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from serve.kit import Club, FarEnd, Service, free_port, serving, wait_until

from pbem.service.record.store import Store

LETTERS = (
    ("red", "move R1 to 0201\npress blue: we are coming\n"),
    ("blue", "move B1 to 0401\ndraft\n"),
    ("red", "move R2 to 0202\ndone\n"),
)
"""What the two people of a game write, one after another. The last letter moves the game on."""


@dataclass
class Torture:
    """How hard, and what came of it."""

    games: int
    workers: int
    kills: int
    refuses: int = 5
    """Every so manieth mail is put off at the far end; 0 for none."""
    seed: int = 1
    restarts: int = 0
    tries: Counter[int] = field(default_factory=Counter)
    """How often letters had to be handed over."""
    twice: int = 0
    """Answers that came twice, with one Message-ID."""
    ended: Counter[int] = field(default_factory=Counter)
    """How workers ended that nobody had killed, by exit code. A worker that starts while the database does
    ends with 75: systemd starts it again."""
    seconds: float = 0.0

    def note_end(self, service: Service) -> bool:
        """Note it if a worker has ended by itself; return whether it has."""
        code = service.process.poll() if service.process else None
        if code is not None:
            self.ended[code] += 1
        return code is not None


def undisturbed(folder: Path, names: Sequence[str]) -> dict[str, list[tuple[Any, ...]]]:
    """The journals of the games if every letter comes in once, in order."""
    from pbem.service.intake.receive import receive
    from pbem.service.record.store import now_utc

    store = Store.create(folder / "undisturbed.pbem")
    club = Club(store, list(names))
    for name in names:
        for seat, body in LETTERS:
            assert receive(store, club.letter(name, seat, body)[0], now_utc()).outcome == "accepted"
    journals = {name: club.journal(name) for name in names}
    store.close()
    return journals


def torture(
    store: Store, folder: Path, how: Torture, restart: Callable[[], None] = lambda: None
) -> tuple[Club, FarEnd]:
    """Play the letters of all games through workers that are killed meanwhile. Return the club and the far
    end."""
    rng = random.Random(how.seed)
    names = [f"g{number}" for number in range(how.games)]
    expected = undisturbed(folder, names)
    club = Club(store, names)
    refuses = (lambda number, to: "451 later" if number % how.refuses == 0 else "") if how.refuses else None
    far = FarEnd(free_port(), *([refuses] if refuses else []))
    services = [Service(folder, store.target, far.port, f"w{n}") for n in range(how.workers)]
    letters = {name: [club.letter(name, *each) for each in LETTERS] for name in names}
    queue, lock = [*names], threading.Lock()
    began = time.monotonic()

    def deliver() -> None:
        """A mail server: it hands a letter over until it hears 250, each time to any worker."""
        mine = random.Random(rng.random())
        while True:
            with lock:
                if not queue:
                    return
                name = queue.pop(0)
            for raw, to in letters[name]:
                tries = 0
                while True:
                    tries += 1
                    try:
                        if mine.choice(services).hand_over(raw, to) == "250":
                            break
                    except OSError:
                        pass  # it was killed
                    except Exception as error:  # smtplib, when the line breaks
                        assert str(error)[:1] != "5", error
                    time.sleep(0.1)
                    assert tries < 600, "a letter is never taken"
                how.tries[tries] += 1

    with far, serving(*services):
        senders = [threading.Thread(target=deliver) for _ in range(how.workers * 2)]
        for each in senders:
            each.start()
        for number in range(how.kills):
            time.sleep(rng.uniform(0.3, 1.5))
            victim = rng.choice(services)
            how.note_end(victim)
            victim.kill()
            if how.restarts and number % max(1, how.kills // how.restarts) == how.kills // (2 * how.restarts):
                restart()
            victim.start(wait=how.workers == 1)
        for each in senders:
            each.join(600)
            assert not each.is_alive(), "letters are still not taken"
        wait_until(lambda: club.unsent() == 0, 300, f"{club.unsent()} letters are unsent")
        how.seconds = time.monotonic() - began
        for each in services:
            if not how.note_end(each):
                assert each.stop() == 0
    outcomes = club.outcomes()
    assert outcomes == {"accepted": how.games * len(LETTERS)}, outcomes
    wrong = [name for name in names if club.journal(name) != expected[name]]
    assert not wrong, f"journals differ: {wrong[:5]}"
    assert how.restarts or not how.ended, f"workers have ended by themselves: {how.ended}"
    assert set(far.taken) == club.answers(), "an answer is missing, or one too many came"
    how.twice = sum(1 for times in far.taken.values() if times > 1)
    return club, far


def restart_postgres() -> None:
    """Restart the PostgreSQL cluster of a Debian machine; whoever has a connection loses it."""
    clusters = subprocess.run(["pg_lsclusters", "-h"], capture_output=True, text=True, check=True).stdout
    version, name = clusters.split()[:2]
    subprocess.run(["pg_ctlcluster", version, name, "restart", "-m", "fast"], check=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    sizes = {"games": 200, "workers": 3, "kills": 30, "refuses": 5, "seed": 1, "restarts": 0}
    for name, default in sizes.items():
        parser.add_argument(f"--{name}", type=int, default=default)
    parser.add_argument(
        "--store", default="sqlite", help="sqlite, or the URL of an empty PostgreSQL database"
    )
    args = parser.parse_args()
    folder = Path(tempfile.mkdtemp(prefix="pbem-torture-"))
    store = Store.create(folder / "club.pbem" if args.store == "sqlite" else args.store)
    how = Torture(args.games, args.workers, args.kills, args.refuses, args.seed, args.restarts)
    _, far = torture(store, folder, how, restart_postgres)
    print(
        f"{how.games} games, {how.games * len(LETTERS)} letters, {how.workers} workers, {how.kills} kills, "
        f"{how.restarts} restarts of the database, {how.seconds:.0f} s:\n"
        "every letter has one outcome, all journals are those of an undisturbed run, "
        f"{len(far.taken)} answers came, {how.twice} of them twice.\n"
        f"How often letters were handed over: {dict(sorted(how.tries.items()))}\n"
        f"Workers that ended by themselves, by exit code: {dict(how.ended) or 'none'}"
    )
    shutil.rmtree(folder)


if __name__ == "__main__":
    main()
