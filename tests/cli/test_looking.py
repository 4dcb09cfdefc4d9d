"""What the commands show: times in the zone of the game, a store that can only be read, what is not there."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from pbem.cli.demo import called
from pbem.service import store
from pbem.service.demo import Demo
from pbem.service.queries import Status
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


def test_rulings_are_in_the_log(rolled: Path) -> None:
    """With the reason, in the log of their turn; a seat reads those that all were told in full."""
    ok("rule", "uphold", rolled, "R1", "--why", "2.1 says so", "--yes")
    for seat in ("umpire", "german"):
        told = ok("log", rolled, "--turn", "1", "--seat", seat)
        assert "Rulings" in told and "by host: R1 stands" in told and "reason: 2.1 says so" in told
    ok("rule", "position", rolled, "turn=1", "--why", "no change", "--yes")
    assert "turn = 1" in ok("log", rolled) and "turn = 1" not in ok("log", rolled, "--seat", "german")


def test_a_turn_that_has_not_begun_is_named(rolled: Path) -> None:
    """Log and dice are not silent about it."""
    for words in (["log", rolled], ["log", rolled, "--json"], ["dice", "show", rolled]):
        says = refused(*words, "--turn", "99")
        assert "turn 99 of game utah has not begun: it is in turn 1" in says


def test_an_unknown_topic_of_a_game_is_an_error() -> None:
    """It names the nearest one."""
    says = refused("help", "normandy71", "attak")
    assert 'There is no help on "attak". Did you mean attack?' in says
    ok("help", "normandy71", "attack")
    assert "Did you mean" not in refused("help", "rampage", "xyzzy")


@pytest.mark.parametrize(
    "words", [(), ("--days", "someday"), ("--grace", "soon"), ("--missed", "never"), ("--dispute-days", "0")]
)
def test_wrong_values_of_terms_are_usage_errors(rolled: Path, words: tuple[str, ...]) -> None:
    """Like those of `pbem new`: exit code 2."""
    refused("deadline", "terms", rolled, *words, code=2)


def test_the_status_says_nothing_twice() -> None:
    """A game of the name of its rules has one name; one that is over is over once, with its table in line."""
    figures = (("Points", "12", "9.1"), ("A line of more than forty characters for the table", "3", "9.2"))
    over = Status(
        game="rampage", rules="rampage", scenario="campaign", options={}, status="over", turn=3, phase="",
        title="The game is over", waited_for=("The game is over.",), deadline="", seats={},
        result="German win", figures=figures,
    )  # fmt: skip
    first, second, *rest = over.lines()
    assert (first, second) == ("rampage, campaign, over", "  The game is over")
    assert "The game is over." not in "".join(rest)
    one, two = (line.index("  [") for line in rest if "[9." in line)
    assert one == two


def test_the_demo_names_the_pbem_that_was_called(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """By its path, unless its name alone finds it."""
    path = tmp_path / "my tools" / "pbem"
    path.parent.mkdir()
    path.touch(mode=0o755)
    monkeypatch.setattr("sys.argv", [str(path), "demo"])
    monkeypatch.setenv("PATH", "/nowhere")
    assert called() == f"'{path}'"
    assert f"    {called()} replay" in "\n".join(Demo(tmp_path).lines(called()))
    monkeypatch.setenv("PATH", str(path.parent))
    assert called() == "pbem"


def test_a_reader_who_stops_reading_is_no_error(rolled: Path) -> None:
    """`pbem replay | head -1` exits with 0."""
    whole = f"set -o pipefail; {sys.executable} -m pbem replay {rolled} | head -1"
    assert subprocess.run(["bash", "-c", whole], capture_output=True).returncode == 0
