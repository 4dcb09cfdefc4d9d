"""What looks for words that are not read finds them: one fault at a time is planted in the reading of
letters, and letters with words put among their orders tell of it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import pytest
from among_orders import PHRASES, Finding, Written, tried, valid, words
from sizes import size

from pbem.engine.language import cover, free, people
from pbem.engine.language.model import Span
from pbem.engine.language.senses import OTHERS, Senses

GAME = "rampage"
LETTERS = 60


@pytest.fixture(scope="module")
def letters(tmp_path_factory: pytest.TempPathFactory) -> list[Written]:
    return list(valid(GAME, tmp_path_factory.mktemp(GAME), places=3))


def nothing_holds(plant: pytest.MonkeyPatch) -> None:
    """No line that is not read holds its section open."""
    plant.setattr(cover, "_holding", lambda said, begun: iter(said))


def comments_say_nothing(plant: pytest.MonkeyPatch) -> None:
    """A comment with words that limit is dropped."""
    plant.setattr(Senses, "_tells", lambda self, words, said=frozenset(): False)


def the_rest_stays(plant: pytest.MonkeyPatch) -> None:
    """Whatever is said of the rest, it stays."""
    sound = Senses._staying
    plant.setattr(Senses, "_staying", lambda self, line: () if OTHERS.match(line) else sound(self, line))


def limits_are_fillers(plant: pytest.MonkeyPatch) -> None:
    """`only` and `not` say nothing."""
    for module, name in ((people, "NOISE"), (free, "FILLERS")):
        plant.setattr(module, name, getattr(module, name) | {"only", "not"})


def a_gap(plant: pytest.MonkeyPatch) -> None:
    """The end of a line is part of nothing."""
    sound = cover._of_line

    def short(*line: Any) -> Iterator[Span]:
        *first, last = sound(*line)
        yield from first
        yield Span(last.number, last.start, last.end - 1, last.kind, last.section)

    plant.setattr(cover, "_of_line", short)


FAULTS = {
    nothing_holds: ("closed over", ()),
    comments_say_nothing: ("a limit as a comment", ()),
    the_rest_stays: ("closed over", ("rest", "others", "else")),
    limits_are_fillers: ("closed over", ("only", "not")),
    a_gap: ("not covered", ()),
}
"""What is found by each fault, and in which phrases: in any of them, or in those with one of these words."""


def with_words(wanted: Sequence[str]) -> list[str]:
    return [phrase for phrase in PHRASES if not wanted or {*wanted} & {*words(phrase)}]


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.__name__)
def test_a_fault_is_found(fault: Any, letters: list[Written], monkeypatch: pytest.MonkeyPatch) -> None:
    fault(monkeypatch)
    told, wanted = FAULTS[fault]
    with pytest.raises(Finding) as found:
        tried(letters, LETTERS, phrases=with_words(wanted))
    assert found.value.args[0] == told


@pytest.mark.parametrize("wanted", [(), ("rest", "others", "else"), ("only", "not")], ids=str)
def test_nothing_is_found_without_a_fault(wanted: Sequence[str], letters: list[Written]) -> None:
    most = size(15, LETTERS)
    assert tried(letters, most, phrases=with_words(wanted)).total() == most
