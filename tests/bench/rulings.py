#!/usr/bin/env python3
"""What the letter about a ruling says first, for each kind of ruling in each game, as a table in Markdown.

    python tests/bench/rulings.py [GAME ...]

The games and the disputed rolls are those of tests/service/test_rulings_of_games.py. A row names the kind, to
whom the letter went, and its first sentence.
"""

from __future__ import annotations

import shutil
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import get_args

TESTS = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(TESTS / "service"), str(TESTS), str(TESTS.parent)]

from postbox import Postbox  # noqa: E402
from test_rulings_of_games import CASES, _played, named, people, rolls, ruling  # noqa: E402

from pbem.service.letters.ruled import What  # noqa: E402
from pbem.service.proof.lines import faces_text, letter_text  # noqa: E402
from pbem.service.record.store import Store, only_game  # noqa: E402
from pbem.service.tools import demo  # noqa: E402


def first_lines(key: str, what: What, folder: Path) -> list[tuple[str, str]]:
    """Rule on the example of a game; return who was written to, and the first sentence of each letter."""
    path = Path(shutil.copy(_played(key, folder), folder / f"{key}-{what}.pbem"))
    store = Store(path)
    example, _ = demo.read(key)
    with store.transaction() as session:
        now = only_game(session, None).waiting_since
        assert now is not None
    box = Postbox(store, example.game.id, example.game.address, now)
    case = CASES[key]
    roll, order = named(box, key, case.roll), named(box, key, case.order)
    about = {"position": case.change, "strike": order, "correct": order, "back": order}.get(what, roll)
    value = {"set": faces_text([1] * len(rolls(box)[roll].faces)), "correct": case.instead}.get(what, "")
    last = box.last()
    ruling(box, what, about, value)
    told = []
    for seat in people(box):
        rows = [row for row in box.outbox(box.address(seat), last) if row.kind == "ruling"]
        words = " ".join(" ".join(letter_text(rows[0].raw)).split())
        told.append((seat, words.partition(" This is ruling")[0]))
    store.close()
    return told


def main() -> int:
    print("| game | ruling | to | first |\n|---|---|---|---|")
    with TemporaryDirectory() as folder:
        for key in sys.argv[1:] or CASES:
            for what in get_args(What):
                if what == "undo":
                    continue
                for seat, said in first_lines(key, what, Path(folder)):
                    print(f"| {key} | {what} | {seat} | {said} |", flush=True)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
