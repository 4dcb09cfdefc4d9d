"""Words that the grammar does not know, put among the lines of a valid letter: no section closes over one of
them, and each word is accounted for.

``PBEM_LETTERS=1000 PBEM_SEED=7 pytest tests/service/test_words_among_orders.py`` tries 1000 letters of
each game, others than always."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from among_orders import tried, valid
from sizes import few, size

GAMES = ("normandy71", "rampage", "falaise", "normandy44", "france44")
LETTERS = size(5, 60, "PBEM_LETTERS")
SEED = int(os.environ["PBEM_SEED"]) if "PBEM_SEED" in os.environ else None


@pytest.mark.parametrize("key", few(GAMES, "rampage", "falaise"))
def test_no_section_closes_over_words_that_are_not_read(key: str, tmp_path: Path) -> None:
    """A limit, a place, a second clause or a sentence in the middle of orders costs a letter, never a turn;
    as a comment it is read back. Every word of the letter is covered, and told of in the reply."""
    written = list(valid(key, tmp_path, size(3, 6)))
    assert len(written) > 2
    print(key, dict(tried(written, LETTERS, SEED)))
