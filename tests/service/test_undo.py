"""Undo: as far back as nobody has learned anything."""

from __future__ import annotations

from datetime import datetime

import pytest
from conftest import HOUR, NOW, begin
from sqlmodel import col, select

from pbem.service.intake.submit import submit
from pbem.service.letters.ruled import Ruled
from pbem.service.moderating.digest import write_digests
from pbem.service.moderating.rulings.ruling import rule
from pbem.service.moderating.start import Player
from pbem.service.proof.lines import letter_text
from pbem.service.proof.verify import replay, verify_game
from pbem.service.record.errors import StoreError
from pbem.service.record.journal import journal
from pbem.service.record.rows import OutboxRow, SeatRow
from pbem.service.record.store import Store
from pbem.service.time.deadline import act
from pbem.service.tools import queries


def undo(store: Store, game_id: str | None, now: datetime, why: str = "") -> Ruled:
    return rule(store, game_id, "undo", by="host", why=why, now=now)


def letters(store: Store, kind: str) -> dict[str, str]:
    with store.transaction() as session:
        rows = session.exec(select(OutboxRow).where(col(OutboxRow.key).contains(f"-{kind}-"))).all()
    return {row.recipient: "\n".join(letter_text(row.raw)) for row in rows}


def test_orders_are_taken_back_across_a_phase(toy: Store) -> None:
    """Orders that ended their phase are a draft again, the phase is open, and both seats are told why."""
    submit(toy, None, "red", "move R1 to 0201\nmove R2 to 0103\ndone\n", NOW + HOUR)
    undone = undo(toy, "toy", NOW + 2 * HOUR, "Rita asked for it")
    assert undone.says == "Undone: the last orders or decision of Red"
    assert undone.left == (("red", "march", "move R1 to 0201"), ("red", "march", "move R2 to 0103"))
    status = queries.status(toy, None)
    assert status.phase == "t1.red_march"
    assert queries.view_of(toy, None).units["R1"] == "0101"  # type: ignore[attr-defined]
    told = letters(toy, "ruling")
    assert set(told) == {"rita@mail.example", "bob@mail.example"}
    assert write_digests(toy, NOW + 2 * HOUR) == 1
    assert "Rita asked for it" in letters(toy, "digest")["mod@host.example"]
    assert all("Rita asked for it" in text and "R1 goes to 0201" in text for text in told.values())
    with toy.transaction() as session:
        seat = session.get(SeatRow, ("toy", "red"))
        assert seat is not None
        lines = [(line["section"], line["text"]) for line in seat.sheet["lines"]]
        assert lines == [("march", "move R1 to 0201"), ("march", "move R2 to 0103")]
        assert seat.sheet["closed"] == []


def test_the_game_goes_on_after_an_undo(toy: Store) -> None:
    """What was taken back can be ordered otherwise, every row stays in the journal, and all of it still adds
    up."""
    submit(toy, None, "red", "move R1 to 0201\ndone\n", NOW + HOUR)
    undo(toy, None, NOW)
    submit(toy, None, "red", "withdraw all\n", NOW + HOUR)
    submit(toy, None, "red", "move R2 to 0103\ndone\n", NOW + HOUR)
    submit(toy, None, "blue", "move B1 to 0402\ndone\n", NOW + HOUR)
    assert queries.view_of(toy, None).units["R1"] == "0101"  # type: ignore[attr-defined]
    assert queries.view_of(toy, None).units["R2"] == "0103"  # type: ignore[attr-defined]
    with toy.transaction() as session:
        kinds = [row.kind for row in journal(session, "toy")]
    assert kinds.count("ruling") == 1
    assert verify_game(toy).wrong == []
    assert [phase.label for phase in replay(toy)][:3] == ["t1.hide", "t1.red_march", "t1.blue_march"]


def test_never_across_another_seat(toy: Store) -> None:
    """Only the last seat's decisions are taken back; those of the seat before it stand."""
    submit(toy, None, "blue", "standing retreat: B1\n", NOW + HOUR)
    submit(toy, None, "red", "move R1 to 0201\ndone\n", NOW + HOUR)
    submit(toy, None, "blue", "move B1 to 0402\n", NOW + HOUR)
    undo(toy, None, NOW)
    with pytest.raises(StoreError, match="nothing can be undone"):
        undo(toy, None, NOW)


def test_why_nothing_can_be_undone_is_said_in_words(toy: Store) -> None:
    """By the names of letters: no key of a row of the journal."""
    with pytest.raises(StoreError, match=r"the last event was a roll that is still secret$"):
        undo(toy, None, NOW)
    submit(toy, None, "red", "no orders\n", NOW + HOUR)
    submit(toy, None, "blue", "no orders\n", NOW + HOUR)
    with pytest.raises(StoreError, match=r"the last event was a roll, R1$"):
        undo(toy, None, NOW)
    submit(toy, None, "blue", "salt hop\n", NOW + HOUR)
    with pytest.raises(StoreError, match="Blue has added a salt"):
        undo(toy, None, NOW)


def test_never_across_a_die(store: Store) -> None:
    """After a die has been thrown nothing that led to it can be taken back, and the error names the die or
    the turn."""
    begin(store, blue=Player(bot="random"))
    act(store, None, NOW, force=True)
    with pytest.raises(
        StoreError, match=r"nothing can be undone: (the last event was a roll|turn 1 is over)"
    ):
        undo(store, None, NOW)


def test_never_across_a_reveal(toy: Store) -> None:
    """An order that has shown what was hidden stands."""
    submit(toy, None, "red", "scout 0502 with R1\nmove R2 to 0103\ndone\n", NOW + HOUR)
    undo(toy, None, NOW)
    assert undone_lines(toy) == ["move R2 to 0103"]
    with pytest.raises(StoreError, match="revealed secret information"):
        undo(toy, None, NOW)


def undone_lines(store: Store) -> list[str]:
    with store.transaction() as session:
        seat = session.get(SeatRow, ("toy", "red"))
        assert seat is not None
        return [line["text"] for line in seat.sheet["lines"]]


def test_nothing_to_undo_at_the_start(toy: Store) -> None:
    """Before the first decision there is nothing to take back; the lot that was drawn stands."""
    with pytest.raises(StoreError, match="nothing can be undone"):
        undo(toy, None, NOW)
