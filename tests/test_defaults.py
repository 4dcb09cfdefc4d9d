"""Games in which nobody ever writes: every deadline is called, and standing orders and defaults carry them
on. ``PBEM_SEEDS=30 pytest tests/test_defaults.py`` plays so many games of each kind to their end."""

from __future__ import annotations

import os
from datetime import timedelta
from email import message_from_bytes
from pathlib import Path
from typing import Any

import pytest
from correspondence import PLAYERS, SETTINGS
from postbox import START, Postbox

from pbem.engine.game import game
from pbem.service.deadline import act
from pbem.service.proof import letter_text
from pbem.service.start import NewGame, Player, start
from pbem.service.store import Store
from pbem.service.verify import verify_game

SEEDS = int(os.environ.get("PBEM_SEEDS", "0"))
DEADLINES = 600 if SEEDS else 12
"""How many deadlines are called: a whole game, or enough for a turn or two."""
KINDS: dict[str, tuple[str, str | None, dict[str, str]]] = {
    "normandy71": ("normandy71", None, {}),
    "rampage": ("rampage", None, {"heavy_bombers": "yes", "afp": "round"}),
    "rampage-two": ("rampage", None, {"command": "two", "airborne": "both"}),
    "falaise": ("falaise", None, {}),
    "normandy44": ("normandy44", None, {}),
    "france44": ("france44", None, {}),
}


def players(rules: Any, options: dict[str, str]) -> dict[str, Player]:
    """A person for every seat that the game does not play itself."""
    people = iter((*PLAYERS.values(), Player("Carla", "carla@z.example")))
    playing = rules.seats_of(options)
    return {seat.key: next(people) for seat in playing if seat.key not in rules.systems_of(options)}


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("seed", range(1, 1 + (SEEDS or 1)))
def test_silence_stops_no_game(kind: str, seed: int, tmp_path: Path) -> None:
    """Whoever does not write loses no game to a fault: it goes on, and every turn letter is written with its
    picture."""
    key, scenario, chosen = KINDS[kind]
    rules = game(key)
    options = rules.start(scenario, chosen).options
    box = Postbox(Store.create(tmp_path / "game.pbem"), "silent")
    people = players(rules, options)
    start(box.store, NewGame(key, "silent", scenario, chosen, people, SETTINGS, str(seed)), START)
    for _ in range(DEADLINES):
        if box.row().status != "running":
            break
        box.now += timedelta(days=4)
        assert act(box.store, None, box.now, force=True), box.phase().label
    assert box.row().trouble == ""
    assert box.row().status == ("over" if SEEDS else box.row().status)
    for row in box.outbox():
        if row.kind == "turn":
            kinds = [part.get_content_type() for part in message_from_bytes(row.raw).walk()]
            assert "image/png" in kinds, row.subject
            assert not any("None" in line or "{{" in line for line in letter_text(row.raw)), row.subject
    assert verify_game(box.store).wrong == []
    box.store.close()
