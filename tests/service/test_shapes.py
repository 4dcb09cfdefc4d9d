"""The shapes of exported JSON columns follow what the columns are read into."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

import pytest

from pbem.service.play import lateness, news, questions, sheet
from pbem.service.tools import shapes


@pytest.mark.parametrize(
    ("shape", "read"),
    [
        (shapes.SheetLine, sheet.SheetLine),
        (shapes.Sheet, sheet.Sheet),
        (shapes.Question, questions.Question),
        (shapes.Questions, questions.Questions),
        (shapes.Played, lateness.Played),
        (shapes.News, news.News),
        (shapes.LineNews, news.LineNews),
        (shapes.DecisionNews, news.DecisionNews),
        (shapes.DeadlineNews, news.DeadlineNews),
    ],
)
def test_a_shape_has_the_fields_of_what_is_read(shape: Any, read: Any) -> None:
    """No field that pbem writes is refused in an import, and none is let through that it does not read."""
    assert set(shape.model_fields) == {field.name for field in fields(read)}


@pytest.mark.parametrize("value", ["a\0b", "\\\0", "\ud800", float("inf"), {"a": [float("nan")]}, {"\0": 1}])
def test_what_a_database_cannot_hold_is_refused(value: Any) -> None:
    """Characters and numbers that PostgreSQL refuses are refused for SQLite, too."""
    with pytest.raises(ValueError):
        shapes.storable(value)


@pytest.mark.parametrize("value", ["\\u0000", "a\\b", "é\n", 1.5, None, {"a": [True, -1]}])
def test_other_values_are_taken_as_they_are(value: Any) -> None:
    """A backslash and what follows it are just text."""
    assert shapes.storable(value) == value
