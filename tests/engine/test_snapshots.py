"""The snapshots of a state: their bytes, which stored games and their hashes rest on, and what is refused."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest
from pydantic import TypeAdapter
from shortened import shortened
from sizes import size
from toygame import TOY

from pbem.engine.autoplay import autoplay
from pbem.engine.bots import random_bot
from pbem.engine.errors import DataError
from pbem.engine.game import game, games


@pytest.mark.parametrize("key", sorted(games()))
def test_snapshots_are_compact_json_in_the_order_of_the_fields(key: str) -> None:
    """Every snapshot of a game is byte for byte what pydantic makes of the same state, and reads the same."""
    rules = game(key)
    rng = random.Random(1)
    played = autoplay(
        shortened(rules, size(30, 10**6)), "snapshots", {seat.key: random_bot(rng) for seat in rules.seats}
    )
    reference = TypeAdapter(rules.state)
    for phase in played.phases:
        state = rules.load(phase.snapshot)
        assert state == reference.validate_json(phase.snapshot)
        assert rules.dump(state) == reference.dump_json(state) == phase.snapshot


def put(**values: Any) -> bytes:
    return json.dumps(json.loads(TOY.dump(TOY.start())) | values).encode()


@pytest.mark.parametrize(
    "snapshot",
    [b"", b"\xff", b"[]", b'{"scenario": 3}', put(turn="3"), put(log=None), put() + b"!", b"[" * 100_000],
    ids=["nothing", "no text", "a list", "a number for text", "text for a number", "no log", "more", "deep"],
)
def test_what_is_no_snapshot_is_refused(snapshot: bytes) -> None:
    """Bytes that are no state of the game raise DataError, which names the game."""
    with pytest.raises(DataError, match="not a snapshot of toy: "):
        TOY.load(snapshot)


def test_a_field_of_another_version_is_passed_over() -> None:
    """A snapshot with a field that this version does not know is read without it."""
    assert TOY.load(put(colour="red")) == TOY.start()
