"""Case files: a mistake in a file is named with what would do, and what does not come to pass is told."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from fourth_game import GAME
from fourth_game.state import State

from pbem.engine.errors import DataError
from pbem.engine.game import Game
from pbem.testing import faults_of_case

SOUND = """
title = "A six sends the unit home that blue names"
case = "3.1"
dice = [6]
[position]
phase = "clash"
units = { B1 = "0401", B2 = "0402" }
[answers]
"who goes back" = "B2"
[expect]
units = { B1 = "0401", B2 = "0503" }
notes = [{ kind = "Fought", die = 6 }]
"""
MARCH = """
title = "Red moves"
case = "2.1"
[position]
phase = "red_march"
[orders]
red = "move R1 to 0201"
[expect]
units = { R1 = "0201" }
"""


def faults(tmp_path: Path, text: str, *changes: tuple[str, str], game: Game[State] = GAME) -> list[str]:
    for words, others in changes:
        assert words in text
        text = text.replace(words, others)
    path = tmp_path / "case.toml"
    path.write_text(text, encoding="utf-8")
    return list(faults_of_case(game, path))


def test_what_comes_to_pass_is_no_fault(tmp_path: Path) -> None:
    """Both files are as they should be."""
    assert faults(tmp_path, SOUND) == faults(tmp_path, MARCH) == []


@pytest.mark.parametrize(
    ("words", "others", "told"),
    [
        ('phase = "clash"', 'phase = "clsh"', "position.phase: there is no 'clsh'; did you mean clash"),
        ('case = "3.1"', 'case = "3.9"', "case: there is no '3.9'; did you mean 3.3, 3.2, 3.1"),
        ("B1 = \"0401\", B2 = \"0402\"", 'B11 = "0401"', "the scenario has no unit 'B11'; did you mean B1"),
        ("dice = [6]", "dice = [7]", "dice: 7: a die shows 1 to 6"),
        ("[position]", "[positions]", "positions: no such entry is known"),
        ('title = "A six', 'name = "A six', "title: is missing"),
        ('phase = "clash"', 'phase = "clash"\nstate = { wons = 1 }', "there is no wons; there are scenario"),
        ('{ kind = "Fought", die = 6 }', "{ die = 6 }", "a note needs its kind"),
        (
            'phase = "clash"',
            'phase = "clash"\noptions = { weather = "hot" }',
            "option weather is one of dry, wet",
        ),
    ],
)  # fmt: skip
def test_a_mistake_in_the_file_is_named(tmp_path: Path, words: str, others: str, told: str) -> None:
    """Names that the game does not have come with those that it has."""
    with pytest.raises(DataError) as error:
        faults(tmp_path, SOUND, (words, others))
    assert told in str(error.value) and "case.toml: " in str(error.value)


def test_a_file_must_expect_something(tmp_path: Path) -> None:
    """A case that asserts nothing is no case."""
    with pytest.raises(DataError, match="says nothing of what must come"):
        faults(tmp_path, SOUND[: SOUND.index('units = { B1 = "0401", B2 = "0503"')])


@pytest.mark.parametrize(
    ("text", "words", "others", "told"),
    [
        (SOUND, 'B2 = "0503"', 'B2 = "0402"', "expect.units.B2 is 0503, not 0402"),
        (SOUND, "dice = [6]", "dice = [6, 1]", "dice: 1 are left over; rolled for: clash"),
        (SOUND, "dice = [6]", "", "dice: no die is given for clash (d6)"),
        (SOUND, "die = 6", "die = 5", "expect.notes.Fought.die is 6, not 5"),
        (SOUND, '"Fought", die = 6', '"Moved"', "expect.notes: there is no Moved left; the log has Fought"),
        (MARCH, "to 0201", "to 0505", "orders: 'move R1 to 0505' is refused"),
        (MARCH, "[expect]", '[expect]\nwaits = "blue"', "the phase has ended"),
        (
            MARCH,
            "[expect]",
            '[expect]\nrefused = [{ line = "move R1", case = "2.1" }]',
            "'move R1' is not refused",
        ),
        (MARCH, "[expect]", '[expect]\nstate = { wins = 2 }', "expect.state.wins is 0, not 2"),
        (MARCH, "[expect]", '[expect]\ndice = ["clash"]', "expect.dice: rolled for []"),
    ],
)  # fmt: skip
def test_what_does_not_come_to_pass_is_told(
    tmp_path: Path, text: str, words: str, others: str, told: str
) -> None:
    """Each difference is told with what came and what was expected."""
    assert any(told in fault for fault in faults(tmp_path, text, (words, others)))


def test_a_unit_may_be_expected_to_be_lost(tmp_path: Path) -> None:
    """`none` says that the state keeps a unit no longer; a unit that never was is a mistake all the same."""

    async def lost(state: State) -> None:
        del state.units["R1"]

    phases = tuple(replace(each, play=lost) if each.key == "red_march" else each for each in GAME.phases)
    game = replace(GAME, phases=phases)
    no_orders = MARCH.replace('red = "move R1 to 0201"', "")
    assert faults(tmp_path, no_orders, ('"0201"', '"none"'), game=game) == []
    assert faults(tmp_path, no_orders, ('R1 = "0201"', 'R2 = "none"'), game=game) == [
        "expect.units.R2 is 0102, not none"
    ]
    assert faults(tmp_path, no_orders, ('R1 = "0201"', 'R9 = "none"'), game=game) == [
        "expect.units.R9: there is no such unit"
    ]
