"""How notes, orders, conditions and standing orders are declared."""

from __future__ import annotations

from dataclasses import FrozenInstanceError
from typing import Any

import pytest

from pbem.engine.notes import Note


class Seen(Note):
    reveals = True

    unit: str
    hex: str = ""


def test_a_note_is_a_frozen_dataclass() -> None:
    """A class derived from Note takes its fields by name, is equal by their values, and cannot be changed."""
    note = Seen(case="2.2", unit="R1")
    assert note == Seen(case="2.2", unit="R1", hex="") != Seen(case="2.2", unit="R2")
    assert hash(note) == hash(Seen(case="2.2", unit="R1")) and note.reveals
    assert note.facts() == {"kind": "Seen", "case": "2.2", "readers": (), "roll": 0, "unit": "R1", "hex": ""}
    with pytest.raises(TypeError, match="positional"):
        Seen("2.2", "R1")  # type: ignore[call-arg, misc]
    with pytest.raises(FrozenInstanceError):
        note.unit = "R2"  # type: ignore[misc]


def declared(base: type, words: dict[str, Any], fields: dict[str, str] | None = None) -> type:
    """A class `Wrong` of this base with these words and fields."""
    return type("Wrong", (base,), {**words, "__annotations__": fields or {}, "__module__": __name__})


@pytest.mark.parametrize(
    ("base", "words", "error"),
    [
        (Note, {"cell": "die"}, r"Wrong\.cell must be tuple\[str, \.\.\.\], not 'die'"),
        (Note, {"chart": 1}, r"Wrong\.chart must be str, not 1"),
    ],
)
def test_a_word_of_a_wrong_type_is_refused(base: type, words: dict[str, Any], error: str) -> None:
    """The error comes when the class is made, and names the class, the word and what it must be."""
    with pytest.raises(TypeError, match=error):
        declared(base, words)


@pytest.mark.parametrize(("base", "word"), [(Note, "chart")])
def test_a_word_with_a_type_is_refused(base: type, word: str) -> None:
    """With a type it would be a field, which nobody means."""
    with pytest.raises(TypeError, match=rf"Wrong\.{word} is a word, not a field"):
        declared(base, {word: ""}, {word: "str"})
