"""The conformance suite finds what it claims to find: of each kind of fault three are planted in a small
game, and for each the right check speaks up, and no other."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import fourth_game
import planted
import pytest
from planted import GAME, PLANTS, Plant, another_prize

from pbem.engine import game as contract
from pbem.testing import Conformance, Suite
from pbem.testing.checks import CHECKS_OF_A_GAME, CHECKS_OF_A_PLAY

HERE = Path(__file__).parent
SLOW = ("hashing", "letters")
"""Checks that start processes or write letters: they look only at the faults that are theirs."""


def found(suite: Suite, *slow: str) -> dict[str, str]:
    """The checks that speak up, with the first fault that each names."""
    told: dict[str, str] = {}
    for plan in suite.plans():
        for name, check in CHECKS_OF_A_PLAY.items():
            if faults := list(check(suite, suite.play(plan))):
                told.setdefault(name, faults[0])
    for name, look in CHECKS_OF_A_GAME.items():
        if (name not in SLOW or name in slow) and (faults := list(look(suite))):
            told[name] = faults[0]
    return told


@pytest.fixture
def installed(monkeypatch: pytest.MonkeyPatch) -> Iterator[pytest.MonkeyPatch]:
    """What is planted is found by its key while the test runs."""
    yield monkeypatch
    monkeypatch.undo()
    contract.game.cache_clear()


def suite_of(plant: Plant, folder: Path) -> Suite:
    """The game of a plant with its files, changed as the plant says."""
    package = folder / "fourth_game"
    shutil.copytree(Path(fourth_game.__file__).parent, package)
    shutil.copy(HERE / "test_fourth_game.py", folder)
    for name, words, others in plant.files:
        path = next(place / name for place in (package, folder) if (place / name).is_file())
        text = path.read_text(encoding="utf-8")
        assert words in text, name
        path.write_text(text.replace(words, others), encoding="utf-8")
    return Suite(
        plant.game, "fourth_game:GAME", package, folder / "test_fourth_game.py", hidden=another_prize
    )


def test_every_check_has_its_plants() -> None:
    """No check is left out here."""
    assert set(PLANTS) == set(CHECKS_OF_A_PLAY) | set(CHECKS_OF_A_GAME)


@pytest.mark.parametrize(
    ("check", "plant"),
    [(check, plant) for check, plants in PLANTS.items() if check not in SLOW for plant in plants],
    ids=lambda value: getattr(value, "name", value),
)
def test_the_right_check_finds_it(
    check: str, plant: Plant, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A planted fault is found by the check that claims to find it, and by no other."""
    for kind, name, value in plant.attributes:
        monkeypatch.setattr(kind, name, value)
    told = found(suite_of(plant, tmp_path))
    assert set(told) == {check}, told


@pytest.mark.dear
@pytest.mark.parametrize("number", range(3))
def test_what_depends_on_hashing_is_found(number: int) -> None:
    """A state that depends on how strings are hashed is found by playing in two processes, and only so."""
    suite = Suite(planted.BY_HASH[number], f"planted:BY_HASH_{number}", hidden=another_prize)
    assert list(CHECKS_OF_A_GAME["hashing"](suite))
    assert set(found(suite)) <= {"cases"}


@pytest.mark.parametrize("plant", PLANTS["letters"], ids=lambda plant: plant.name)
def test_letters_that_cannot_be_written_are_found(plant: Plant, installed: pytest.MonkeyPatch) -> None:
    """What goes wrong only where no one writes is found by a game in which no one does."""
    installed.setattr(contract, "_loaded", lambda entry: plant.game)
    contract.game.cache_clear()
    suite = Suite(plant.game, "fourth_game:GAME", tests=None)
    assert set(found(suite, "letters")) == {"letters"}


def test_nothing_is_found_in_a_sound_game() -> None:
    """Without a plant every check is content, the slow ones too."""
    assert found(Suite(GAME, tests=HERE / "test_fourth_game.py", hidden=another_prize), *SLOW) == {}


def test_a_class_of_one_line_is_enough(pytester: pytest.Pytester) -> None:
    """A module with a class that names the game runs every check; a planted fault fails the test of its
    check."""
    pytester.makepyfile(
        """
        from planted import PLANTS
        from pbem.testing import Conformance

        class TestSound(Conformance):
            game = PLANTS["cases"][0].game

        class TestFaulty(Conformance):
            game = PLANTS["words"][0].game
        """
    )
    result = pytester.runpytest_inprocess("-n0", "-q", "-k", "words or declarations")
    result.assert_outcomes(passed=4, failed=2)
    result.stdout.fnmatch_lines(["*Unheard cannot be worded*"])
    assert "test_a_game_of_bots" in dir(Conformance)
