"""How large the dear tests are: small in a bare `pytest`, whole with `pytest --full`, as `.ci/run` runs
them. Variables of the environment make one of them larger than that."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TypeVar

T = TypeVar("T")

FULL = bool(os.environ.get("PBEM_TEST_FULL"))
"""Whether all that CI runs is to be run (`--full`)."""


def size(small: int, whole: int, variable: str = "") -> int:
    """How often something is tried: `small` or, in full, `whole` times; as often as an environment variable
    says, if that is set."""
    return int(os.environ.get(variable) or (whole if FULL else small))


def some(items: Sequence[T], most: int) -> Sequence[T]:
    """In full all of these; else at most `most`, from the first to the last."""
    return items if FULL or len(items) <= most else items[:: -(-len(items) // most)]
