"""Whatever happens to a letter on its way, nobody loses a turn by it: every order is carried out as it was
meant, or named in the reply and not played in another sense; nothing reaches another player that does not
stand under PRESS; no section closes without DONE.

``PBEM_LETTERS=5000 pytest tests/test_changed_letters.py`` tries that many letters for each game;
PBEM_LETTERS_SEED begins elsewhere.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from changed import PHASES, Changed, changed, judge, originals
from hypothesis import HealthCheck, given, note, settings
from hypothesis import strategies as st
from sizes import few, size

from pbem.engine.language import Command, Fault, Grammar, Heading, Line, Reading, Unread
from pbem.service.intake import inbox
from pbem.service.play.closing import Closing

LETTERS = size(6, 60, "PBEM_LETTERS")
FROM = int(os.environ.get("PBEM_LETTERS_SEED", "0"))

numbers = st.integers(FROM, FROM + 10**6)


def told(letter: Changed) -> str:
    rows = [*letter.before, *letter.rows]
    return "\n".join(
        [f"{letter.original.label} {letter.original.seat}: {letter.said}", *(row.text for row in rows)]
    )


@pytest.mark.parametrize("key", few([*PHASES], "normandy71", "rampage"))
def test_no_change_of_a_letter_costs_a_turn(key: str) -> None:
    """Letters of real positions, changed in one to three of the ways in which people and their programs
    change them."""

    @settings(
        max_examples=LETTERS,
        deadline=None,
        derandomize=True,
        database=None,
        suppress_health_check=list(HealthCheck),
    )
    @given(st.sampled_from(originals(key)), numbers, st.integers(1, 3))
    def holds(original: Any, seed: int, changes: int) -> None:
        letter = changed(original, seed, changes)
        note(told(letter))
        assert judge(letter).wrong == []

    holds()


@pytest.mark.parametrize("key", few([*PHASES], "normandy71", "rampage"))
def test_letters_as_their_writers_meant_them_are_taken_whole(key: str) -> None:
    """A letter that nothing has happened to is kept whole, and closes what it says is done."""
    for original in originals(key):
        letter = Changed.of(original, done=True)
        outcome = judge(letter)
        assert (outcome.wrong, outcome.named) == ([], 0)
        assert outcome.kept == sum(len(lines) for _, lines in original.sections)


# --- planted faults -----------------------------------------------------------------------------------------

Read = Callable[..., Reading]


def press_swallows(read: Read) -> Read:
    """Lines below PRESS that are no orders go with it."""

    def reading(*words: Any) -> Reading:
        said: list[Any] = []
        for each in read(*words).said:
            last = said[-1] if said else None
            if isinstance(last, Command) and last.name == "press" and isinstance(each, Fault | Unread):
                said[-1] = replace(last, text=f"{last.text}\n{each.text}")
            else:
                said.append(each)
        return Reading(tuple(said))

    return reading


def numbers_are_answers(read: Read) -> Read:
    """A line that begins with a number is swallowed as an answer."""

    def reading(*words: Any) -> Reading:
        texts = dict(words[1])
        is_numbered = re.compile(r"\s*\d+[:.)]").match
        return Reading(
            tuple(
                each
                for each in read(*words).said
                if not (isinstance(each, Line) and is_numbered(texts.get(each.number, "")))
            )
        )

    return reading


def unknown_headings_count_for_nothing(read: Read) -> Read:
    """What stands below a heading that is not known is dropped."""

    def reading(*words: Any) -> Reading:
        said, lost = [], False
        for each in read(*words).said:
            if isinstance(each, Heading):
                lost = not each.section
            if not (lost and isinstance(each, Fault | Line)):
                said.append(each)
        return Reading(tuple(said))

    return reading


def what_looks_like_an_order_is_chat(read: Read) -> Read:
    """Faulty and doubtful lines are dropped without a word."""

    def reading(*words: Any) -> Reading:
        return Reading(tuple(each for each in read(*words).said if not isinstance(each, Unread | Fault)))

    return reading


def bare_headings_close(close: Callable[..., Closing]) -> Callable[..., Closing]:
    """A letter that names a section closes it."""

    def closing(reading: Reading, *others: Any) -> Closing:
        found = close(reading, *others)
        found.closed = list(dict.fromkeys([*found.closed, *reading.headings]))
        return found

    return closing


def the_last_line_of_a_unit_counts(take: Callable[..., Any]) -> Callable[..., Any]:
    """A line of an earlier letter goes when a new one shares a unit with it."""

    def taken(*words: Any) -> Any:
        found = take(*words)
        new = [line for line in found.sheet.lines if line.name in found.new and line.order is not None]
        units = {unit for line in new for unit in line.order.actors()}
        found.sheet.lines = [
            line
            for line in found.sheet.lines
            if line.name in found.new or line.order is None or not units & set(line.order.actors())
        ]
        return found

    return taken


PLANTED: dict[str, tuple[str, Any]] = {
    "press swallows": ("grammar", press_swallows),
    "numbers are answers": ("grammar", numbers_are_answers),
    "unknown headings count for nothing": ("grammar", unknown_headings_count_for_nothing),
    "what looks like an order is chat": ("grammar", what_looks_like_an_order_is_chat),
    "bare headings close": ("close", bare_headings_close),
    "the last line of a unit counts": ("take", the_last_line_of_a_unit_counts),
}


@pytest.mark.parametrize("name", PLANTED)
def test_a_planted_fault_is_found(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each fault of the kinds that once cost turns is found within two hundred letters."""
    where, plant = PLANTED[name]
    letters = originals("normandy44")
    if where == "grammar":
        monkeypatch.setattr(Grammar, "read", plant(Grammar.read))
    else:
        monkeypatch.setattr(inbox, where, plant(getattr(inbox, where)))
    found = (
        seed for seed in range(200) if judge(changed(letters[seed % len(letters)], seed, 1 + seed % 3)).wrong
    )
    assert next(found, None) is not None
