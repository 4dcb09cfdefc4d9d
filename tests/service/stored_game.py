"""A small game as SQL text, as this version of pbem stores it: one for each release.

``python tests/service/stored_game.py`` writes ``data/game-VERSION.sql`` anew. Do so for a release, once: from
then on the file is what that release has left on the disks of its users.
"""

from __future__ import annotations

import sqlite3
import sys
from importlib.metadata import version
from pathlib import Path
from tempfile import TemporaryDirectory

DATA = Path(__file__).parent / "data"
LETTERS = (
    ("blue", "standing retreat: B2\n"),
    ("red", "salt hop and malt\nmove R1 to 0201\nmove R2 to 0202\ndone\n"),
    ("red", "draft\nmove R2 to 0302\npress moderator: well met\n"),
)
"""What the players write: a standing order, orders that are played, a draft that is still on the sheet."""


def play(path: Path) -> None:
    """Begin a game in a new file and play it into its second turn: red writes letters, blue soon is a bot."""
    from conftest import HOUR, NOW, begin
    from postbox import Postbox

    from pbem.service.moderating.seats import hand_to_bot
    from pbem.service.record.store import Store

    store = Store.create(path)
    begin(store)
    box = Postbox(store, "toy", "pbem@host.example", NOW)
    for seat, letter in LETTERS:
        box.now += HOUR
        assert box.mail(seat, letter).outcome == "accepted"
        if seat == "blue":
            hand_to_bot(store, "toy", "blue", "random", box.now)
    store.close()


def main() -> None:
    here = Path(__file__).parent
    sys.path[:0] = [str(here), str(here.parent)]
    with TemporaryDirectory() as folder:
        path = Path(folder) / "game.pbem"
        play(path)
        game = sqlite3.connect(path)
        text = "\n".join(game.iterdump())
        game.close()
    (DATA / f"game-{version('pbem')}.sql").write_text(f"{text}\n", encoding="utf-8")


if __name__ == "__main__":
    main()
