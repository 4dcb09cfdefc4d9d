"""Mails that stop or slow other programs (poison.py) each have one outcome, and the next letter has its own;
so have letters that were changed at random (fuzz.py)."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest
from serve.fuzz import Hunt, fuzz
from serve.poison import POISONS
from sizes import few, size, some

pytestmark = pytest.mark.skipif(os.name != "posix", reason="a socket of POSIX")

FUZZED = size(12, 40)
TRIED = some([*POISONS], 45)
HEAVY = ("nested_1000", "headers_of_30_mb", "orders_20000_falaise", "orders_20000_clash")


@pytest.fixture(scope="module")
def hunt(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Hunt]:
    with Hunt(tmp_path_factory.mktemp("poison")) as made:
        yield made
        assert made.troubles() == []


@pytest.mark.parametrize("name", few(TRIED, *(name for name in TRIED if name not in HEAVY)))
def test_poison(hunt: Hunt, name: str) -> None:
    """Nothing is set aside, no game stops, and the next letter is accepted."""
    made = POISONS[name]
    post = hunt.addressed.post(made.game, made.to)
    assert hunt.give(name, made.mail(post), post.to) == ""
    assert hunt.calm() == ""


@pytest.mark.dear
def test_changed_letters(hunt: Hunt) -> None:
    until = len(hunt.others) + FUZZED
    assert [wrong for wrong, _ in fuzz(hunt, 1, lambda done: done < until)] == []
