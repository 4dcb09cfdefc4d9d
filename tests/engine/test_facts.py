"""Words are told from facts: what a note says, and what is compared of it."""

from __future__ import annotations

import json
from collections.abc import Sequence

import pytest

from pbem.engine.facts import Prose, cuts
from pbem.engine.notes import Note
from pbem.engine.tally import Modifier


class Fell(Note):
    unit: str
    why: Prose = ""
    told: Prose | None = None
    parts: tuple[Modifier, ...] = ()
    lines: tuple[tuple[Prose, int, str], ...] = ()
    least: tuple[Prose, int] | None = None


NOTE = Fell(
    case="1.1",
    unit="R1",
    why="fire",
    parts=(Modifier(2, "1.2", "hill"),),
    lines=(("for the hill", 3, "1.3"),),
)


def test_words_are_left_out_wherever_they_are() -> None:
    """Fields of words, reasons of a sum, words within rows: none of them is compared."""
    other = Fell(
        case="1.1",
        unit="R1",
        why="artillery",
        told="it was seen",
        parts=(Modifier(2, "1.2", "high ground"),),
        lines=(("for high ground", 3, "1.3"),),
    )
    assert other.fingerprint() == NOTE.fingerprint()
    assert other.facts() != NOTE.facts()
    assert b"R1" in NOTE.fingerprint() and b"fire" not in NOTE.fingerprint()


@pytest.mark.parametrize(
    "other",
    [
        Fell(case="1.1", unit="R2", parts=NOTE.parts, lines=NOTE.lines),
        Fell(case="1.2", unit="R1", parts=NOTE.parts, lines=NOTE.lines),
        Fell(case="1.1", unit="R1", parts=(Modifier(1, "1.2", "hill"),), lines=NOTE.lines),
        Fell(case="1.1", unit="R1", parts=(Modifier(2, "1.4", "hill"),), lines=NOTE.lines),
        Fell(case="1.1", unit="R1", parts=NOTE.parts, lines=(("for the hill", 4, "1.3"),)),
        Fell(case="1.1", unit="R1", parts=NOTE.parts, lines=NOTE.lines * 2),
        Fell(case="1.1", unit="R1", parts=NOTE.parts, lines=NOTE.lines, roll=1),
        Fell(case="1.1", unit="R1", parts=NOTE.parts, lines=NOTE.lines, least=("least", 1)),
    ],
)
def test_every_fact_counts(other: Fell) -> None:
    """A key, a case, a value or a row that differs makes another note."""
    assert other.fingerprint() != NOTE.fingerprint()


def test_a_note_that_was_stored_has_the_same_facts() -> None:
    """What comes back from JSON is cut as the note itself is, and may be of an older shape."""
    stored = json.loads(json.dumps(NOTE.facts()))
    bare = json.loads(json.dumps(Fell.without_words(NOTE.facts())))
    assert Fell.without_words(stored) == bare
    assert Fell.without_words({**stored, "parts": None, "lines": [["short", 1]]}) == {
        **bare,
        "parts": None,
        "lines": [["short", 1]],
    }


def test_a_new_field_counts_if_it_is_a_fact() -> None:
    """A field of words may be added to a kind of note while games are being played; a fact may not."""

    def kind(name: str, field: object) -> type[Note]:
        values = {"__annotations__": {"unit": str, name: field}, name: "", "__module__": __name__}
        return type("Rose", (Note,), values)

    old: type[Note] = type("Rose", (Note,), {"__annotations__": {"unit": str}, "__module__": __name__})
    before = old(case="1", unit="R1").fingerprint()  # type: ignore[call-arg]
    assert kind("why", Prose)(case="1", unit="R1").fingerprint() == before  # type: ignore[call-arg]
    assert kind("by", str)(case="1", unit="R1").fingerprint() != before  # type: ignore[call-arg]


def test_words_may_not_hide() -> None:
    """Words in a place from which they cannot be taken out are refused, not compared in silence."""

    class Hidden(Note):
        by_unit: dict[str, Prose]
        rows: Sequence[Prose] = ()

    with pytest.raises(TypeError, match=r"Hidden\.by_unit"):
        cuts(Hidden)


@pytest.mark.parametrize("unit", ["R1", "".join(map(chr, range(127))), "Fallschirmjäger", "\u2028"])
def test_the_bytes_of_a_note_are_those_of_its_facts_as_json(unit: str) -> None:
    """What is compared is JSON without blanks, its keys sorted, in ASCII alone: it must stay so for games
    that are being played."""
    note = Fell(case="1.1", unit=unit, parts=(Modifier(-2, "1.2", "hill"),), least=("three", 3))
    facts = note.without_words(note.facts())
    assert note.fingerprint() == json.dumps(facts, sort_keys=True, separators=(",", ":")).encode()
