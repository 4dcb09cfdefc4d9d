"""The digest and the answer that MODERATING.md shows are real.

``pytest --golden tests/service/test_desk_guide.py`` writes them anew.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from conftest import HOUR, NOW
from postbox import Postbox

from pbem.service.moderating.start import NewGame, Player, start
from pbem.service.record.store import Store

GUIDE = Path(__file__).parents[2] / "pbem/service/MODERATING.md"
BLOCK = re.compile(r"(<!-- desk: (digest|answer) -->\n```text\n)(.*?)```", re.DOTALL)
PEOPLE = {
    "allied": Player("Anna", "anna@mail.example"),
    "german": Player("Bernd", "bernd@mail.example"),
}
SETTINGS = {"address": "pbem@club.example", "clock_hours": 72, "moderator": "Carla <carla@club.example>"}


def written(folder: Path) -> dict[str, str]:
    """The subject and the text of the letters that the guide shows, without their proof lines."""
    store = Store.create(folder / "utah.pbem")
    new = NewGame("normandy44", "utah", "cherbourg", players=PEOPLE, settings=SETTINGS, seed="guide")
    start(store, new, NOW)
    box = Postbox(store, "utah", "pbem@club.example", NOW)
    box.mail("german", "dispute R1 the weather was read from the wrong table\n")
    box.mail("allied", "status\n", sender="anna@work.example", subject="Re: your move")
    box.now += HOUR
    assert box.digests() == 1
    box.mail("moderator", "REROLL R1 because it was read from the wrong table\n")
    found = {}
    for name, row, text in zip(
        ("first", "digest", "answer"),
        box.outbox("carla@club.example"),
        box.texts("carla@club.example"),
        strict=True,
    ):
        found[name] = f"Subject: {row.subject}\n\n{text.strip()}\n"
    store.close()
    del found["first"]  # its commands are in the table of the guide
    return found


def test_the_letters_of_the_guide_are_real(tmp_path: Path, request: pytest.FixtureRequest) -> None:
    """They are what a moderator is written, line by line."""
    letters, text = written(tmp_path), GUIDE.read_text(encoding="utf-8")
    if request.config.getoption("--golden"):
        text = BLOCK.sub(lambda found: f"{found[1]}{letters[found[2]]}```", text)
        GUIDE.write_text(text, encoding="utf-8")
    assert {found[2]: found[3] for found in BLOCK.finditer(text)} == letters
