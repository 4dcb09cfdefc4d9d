"""How large the tests are that try many things: small in a bare `pytest` and with `pytest --full`, whole with
`pytest --long`. Variables of the environment make one of them larger than that."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any, TypeVar

import pytest

T = TypeVar("T")

LONG = bool(os.environ.get("PBEM_TEST_LONG"))
"""Whether all there is runs, whole (`--long`)."""
FULL = LONG or bool(os.environ.get("PBEM_TEST_FULL"))
"""Whether the tests that are marked as dear run (`--full`)."""


def size(small: int, whole: int, variable: str = "") -> int:
    """How often something is tried: `small` or, with `--long`, `whole` times; as often as an environment
    variable says, if that is set."""
    return int(os.environ.get(variable) or (whole if LONG else small))


def some(items: Sequence[T], most: int) -> Sequence[T]:
    """With `--long` all of these; else at most `most`, from the first to the last."""
    return items if LONG or len(items) <= most else items[:: -(-len(items) // most)]


def few(items: Sequence[str], *kept: str) -> list[Any]:
    """All of these, for `pytest.mark.parametrize`: in a bare `pytest` only those that are `kept`, the others
    are marked as dear."""
    return [item if item in kept else pytest.param(item, marks=pytest.mark.dear) for item in items]
