"""What the commands show: times in the zone of the game, a store that can only be read."""

from __future__ import annotations

from pathlib import Path

import pytest

from pbem.service import store
from tests.cli.test_commands import ok, refused


@pytest.fixture
def rolled(tmp_path: Path) -> Path:
    """A game in which dice have fallen and letters have told of them."""
    file = tmp_path / "utah.pbem"
    ok("new", "normandy44", "--scenario", "cherbourg", "-o", file, "--id", "utah", "--zone", "Europe/Paris",
       "--player", "allied=Anna <anna@mail.example>")  # fmt: skip
    return file


def test_rulings_have_their_times_in_the_zone_of_the_game(rolled: Path) -> None:
    """The preview and the list of rulings."""
    preview = ok("rule", "set", rolled, "R1", "5", "--dry-run")
    assert "already told" in preview and "Europe/Paris" in preview and " UTC" not in preview
    ok("rule", "uphold", rolled, "R1", "--yes")
    done = ok("rule", "list", rolled, "--done")
    assert "Europe/Paris" in done and " UTC" not in done


def test_a_store_that_cannot_be_written_can_be_looked_at(
    rolled: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Status, log, map, page of a roll, verify. What would write is refused with the reason."""
    monkeypatch.setattr(store, "is_only_to_read", lambda target: True)
    before = rolled.read_bytes()
    assert "Allocation" in ok("status", rolled) and "Weather" in ok("log", rolled)
    ok("map", rolled, "-o", tmp_path / "map.svg")
    assert "Weather" in ok("dice", "show", rolled, "R1")
    assert "0 wrong" in ok("dice", "verify", rolled)
    ok("replay", rolled, "--verify")
    monkeypatch.setattr(store, "closed_to_us", lambda path: f"user nobody may not open and write {path}")
    says = refused("player", "name", rolled, "allied", "Anna B.")
    assert "user nobody may not open and write" in says and "it can only be looked at" in says
    assert rolled.read_bytes() == before
