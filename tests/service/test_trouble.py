"""Faults of pbem itself: what becomes of the game, of its letters, and of other games."""

from __future__ import annotations

import json

import pytest
from conftest import HOUR, NOW, begin
from postbox import Postbox, sent

from pbem.service.intake import reading, receive
from pbem.service.intake.reading import Basis, Read
from pbem.service.record.errors import StoreError
from pbem.service.record.rows import GameRow, PhaseRow, pack, unpack
from pbem.service.record.store import Store
from pbem.service.time import deadline
from pbem.service.tools import queries

RITA, MODERATOR = "rita@mail.example", "mod@host.example"
SERVER = "pbem@host.example"


@pytest.fixture
def box(store: Store) -> Postbox:
    """Two games; the rules of the first come upon a state that they cannot handle."""
    for name in ("toy", "other"):
        begin(store, name)
    return Postbox(store, "toy", SERVER, NOW)


def phase_key(store: Store, key: str) -> str:
    """Give the snapshot of the running phase another phase; returns the one it had."""
    with store.transaction() as session:
        row = session.get_one(PhaseRow, ("toy", session.get_one(GameRow, "toy").phase))
        state = json.loads(unpack(row.snapshot))
        before, state["phase"] = state["phase"], key
        row.snapshot = pack(json.dumps(state).encode())
        session.add(row)
    return str(before)


def test_a_fault_stops_its_game_and_loses_nothing(box: Postbox) -> None:
    """The letter is kept, sender and moderator are told, nothing of the game changes, and other games go
    on."""
    good = phase_key(box.store, "nowhere")
    rows, last = len(box.journal()), box.last()
    assert box.mail("red", "move R1 to 0201\n").outcome == "stopped"
    assert len(box.journal()) == rows
    assert "stopped because of an internal error" in box.texts(RITA, last)[0]
    assert box.digests() == 1
    (told,) = box.texts(MODERATOR, last)
    assert "KeyError" in told and "nowhere" in told
    other = Postbox(box.store, "other", SERVER, NOW)
    assert other.mail("red", "move R1 to 0201\n").outcome == "accepted"
    assert box.mail("red", "move R2 to 0202\n").outcome == "stopped"
    assert box.digests() == 0 and len(box.texts(MODERATOR, last)) == 1

    phase_key(box.store, good)
    results = receive.resume(box.store, "toy", NOW + HOUR)
    assert [result.outcome for result in results] == ["accepted", "accepted"]
    assert [letter.outcome for letter in box.letters() if letter.game == "toy"] == ["accepted", "accepted"]
    assert queries.status(box.store, "toy").status == "running"
    with pytest.raises(StoreError, match="running, not stopped"):
        receive.resume(box.store, "toy", NOW + HOUR)


def test_no_memory_is_no_fault_of_the_rules(box: Postbox, monkeypatch: pytest.MonkeyPatch) -> None:
    """The letter may come again, and its game goes on."""

    def out_of_memory(basis: Basis, *, now: bool = False) -> Read:
        raise MemoryError

    with monkeypatch.context() as patched, pytest.raises(MemoryError):
        patched.setattr(reading, "read_letter", out_of_memory)
        box.mail("red", "move R1 to 0201\n")
    assert queries.status(box.store, "toy").status == "running" and box.letters() == []
    assert box.mail("red", "move R1 to 0201\n").outcome == "accepted"


def test_a_fault_at_the_deadline_stops_one_game_only(box: Postbox) -> None:
    """A game whose rules fail while a deadline is acted upon is stopped, and the next one is played."""
    phase_key(box.store, "nowhere")
    late = NOW + 90 * HOUR
    sent(box.store, NOW)
    assert deadline.act(box.store, "toy", late) == []
    assert queries.status(box.store, "other").status == "running"
    assert deadline.act(box.store, "other", late)
    with pytest.raises(StoreError, match="toy is stopped: KeyError"):
        deadline.act(box.store, "toy", late)
