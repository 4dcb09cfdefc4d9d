"""What plain values must look like that are read from an exported game."""

from __future__ import annotations

from typing import Any

import pytest

from pbem.service.play.news import LineNews, News
from pbem.service.play.plain import read_as
from pbem.service.play.questions import Questions
from pbem.service.play.sheet import KeptStanding
from pbem.service.tools.transfer import storable

ASKED = {"number": 1, "phase": 2, "what": "retreat", "options": ["a", "b"], "chosen": 1, "held": 0}
QUESTIONS = {"next": 2, "open": [ASKED], "past": [], "defaults": 0}


def test_what_a_class_writes_is_read_as_it() -> None:
    questions = Questions.load(QUESTIONS)
    assert read_as(Questions, questions.dump()) == questions
    news = News(3, 1, lines=[LineNews("L1", "march", "R1 to 0102")], due="2026-06-06T07:00:00+00:00")
    assert read_as(News, news.dump()) == news


@pytest.mark.parametrize(
    ("kind", "value", "says"),
    [
        (Questions, QUESTIONS | {"colour": "red"}, "colour: there is no such field"),
        (Questions, {"next": 1, "open": [], "past": []}, "defaults: is missing"),
        (Questions, QUESTIONS | {"next": 0}, "next: Expected int >= 1"),
        (Questions, QUESTIONS | {"next": 2**31}, "next: Expected int <= 2147483647"),
        (Questions, QUESTIONS | {"next": True}, "next: Expected int, got bool"),
        (Questions, QUESTIONS | {"open": [ASKED | {"hue": 1}]}, "open.0.hue: there is no such field"),
        (Questions, QUESTIONS | {"past": [ASKED, ASKED | {"chosen": 2}]}, "past.1: there is no option 2"),
        (News, News().dump() | {"due": "soon"}, "due: should be a time"),
        (News, News().dump() | {"due": "2026-06-06"}, "due: should have a time zone"),
        (
            list[KeptStanding],
            [{"text": "", "kind": "x", "policy": {}, "by": ""}],
            "0: Object contains unknown",
        ),
        (list[KeptStanding], [{"text": "", "kind": "x"}], "0: Object missing required field policy"),
    ],
)
def test_what_it_would_not_write_is_refused_with_its_place(kind: Any, value: Any, says: str) -> None:
    """Fields of other names, missing ones, other types and numbers out of bounds."""
    with pytest.raises(ValueError) as refused:
        read_as(kind, value)
    assert str(refused.value).startswith(says)


@pytest.mark.parametrize("value", ["a\0b", "\\\0", "\ud800", float("inf"), {"a": [float("nan")]}, {"\0": 1}])
def test_what_a_database_cannot_hold_is_refused(value: Any) -> None:
    """Characters and numbers that PostgreSQL refuses are refused for SQLite, too."""
    with pytest.raises(ValueError):
        storable(value)


@pytest.mark.parametrize("value", ["\\u0000", "a\\b", "é\n", 1.5, None, {"a": [True, -1]}])
def test_other_values_are_taken_as_they_are(value: Any) -> None:
    """A backslash and what follows it are just text."""
    assert storable(value) == value
