"""Data files: what is refused, in which words, and which file is read."""

from __future__ import annotations

from pathlib import Path

import pytest
from pydantic import ValidationError

from pbem.engine import data
from pbem.engine.data import Data, Source, Sourced, find_data, load, sources, use_own
from pbem.engine.errors import DataError


class Unit(Sourced):
    name: str
    strength: int


class Roster(Data):
    title: str
    source: Source
    units: tuple[Unit, ...]


GOOD = """
title = "Allied units"
source = "rulebook 3.1"
[[units]]
name = "Red"
strength = 4
source = "reconstructed"
[[units]]
name = "Blue"
strength = 3
source = "found in a museum"
[[units]]
name = "Green"
strength = 2
source = "reconstructed"
"""


@pytest.fixture
def write(tmp_path: Path) -> Path:
    return tmp_path / "roster.toml"


def test_a_good_file_becomes_a_frozen_model(write: Path) -> None:
    """A good file is read into its model, which cannot be changed afterwards."""
    write.write_text(GOOD, encoding="utf-8")
    roster = load(write, Roster)
    assert [unit.strength for unit in roster.units] == [4, 3, 2]
    with pytest.raises(ValidationError):
        roster.units[0].strength = 5


def test_every_fault_is_listed(write: Path) -> None:
    """All faults of a file come in one error, each with its place and what was written."""
    write.write_text(GOOD.replace("4", '"many"').replace("strength = 3", "strenght = 3"), encoding="utf-8")
    with pytest.raises(DataError) as caught:
        load(write, Roster)
    lines = str(caught.value).splitlines()
    assert lines[0] == f"{write}: 3 faults"
    assert "units.0.strength" in lines[1] and "(written: 'many')" in lines[1]
    assert lines[2:] == ["  units.1.strength: is missing", "  units.1.strenght: no such entry is known"]


def test_a_slip_in_the_toml_is_located(write: Path) -> None:
    """A file that is not TOML is refused with the line of the slip."""
    write.write_text('title = "a"\nsource = \n', encoding="utf-8")
    with pytest.raises(DataError, match=r"roster\.toml: is not TOML: .*line 2"):
        load(write, Roster)


def test_other_bytes_are_refused(write: Path) -> None:
    """A file in another encoding is refused with the place of the first bad byte."""
    write.write_bytes(b'title = "Orl\xe9ans"')
    with pytest.raises(DataError, match=r"not UTF-8 text: .* at byte 12"):
        load(write, Roster)


def test_a_missing_file_is_named(write: Path) -> None:
    """A file that is not there is named."""
    with pytest.raises(DataError, match=r"roster\.toml: cannot be read: No such file"):
        load(write, Roster)


@pytest.mark.parametrize(
    "good", ["rulebook 6.5", "found scan of the map", "historical", "reconstructed: by eye"]
)
def test_sources_that_say_where_from(good: str, write: Path) -> None:
    """A source is one of four kinds; those that lean on a document name it."""
    write.write_text(GOOD.replace("rulebook 3.1", good), encoding="utf-8")
    assert load(write, Roster).source == good


@pytest.mark.parametrize("bad", ["", "rulebook", "found", "guessed", "reconstructedly"])
def test_sources_that_do_not(bad: str, write: Path) -> None:
    """Anything else is not a source."""
    write.write_text(GOOD.replace("rulebook 3.1", bad), encoding="utf-8")
    with pytest.raises(DataError, match='1 fault\n  source: a source is "rulebook <case>", "found <where>"'):
        load(write, Roster)


def test_sources_are_gathered_once_each(write: Path) -> None:
    """The sources of a file are listed in order of appearance."""
    write.write_text(GOOD, encoding="utf-8")
    assert sources(load(write, Roster)) == ("rulebook 3.1", "reconstructed", "found in a museum")


def test_a_players_file_takes_the_place_of_the_packaged_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A file beside the game file is preferred; without it the packaged one is read."""
    monkeypatch.setattr(data, "_own", {})
    packaged = find_data("normandy71", "map.toml")
    use_own("normandy71", tmp_path)
    assert find_data("normandy71", "map.toml") == packaged
    own = tmp_path / "map.toml"
    own.write_text(packaged.read_text(encoding="utf-8"), encoding="utf-8")
    assert find_data("normandy71", "map.toml") == own


def test_data_that_a_game_does_not_have() -> None:
    """Asking for a file that is in neither place is an error which names it."""
    with pytest.raises(DataError, match=r"weather\.toml: normandy71 has no data file"):
        find_data("normandy71", "weather.toml")
    with pytest.raises(DataError, match=r"map\.toml: no game chess is installed; its key is the name"):
        find_data("chess", "map.toml")
