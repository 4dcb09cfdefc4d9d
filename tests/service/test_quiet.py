"""A game that is known to be quiet needs no look: nothing is due in it, whatever has happened to it."""

from __future__ import annotations

import contextlib
import random
from datetime import datetime

import pytest
from conftest import HOUR, NOW, begin
from postbox import Postbox, facts, sent
from sizes import size
from sqlmodel import select

from pbem.service.moderating import people, timing
from pbem.service.moderating.hosting import carry_out
from pbem.service.record.clock import NEVER, nothing_before
from pbem.service.record.errors import StoreError
from pbem.service.record.rows import GameRow
from pbem.service.record.store import Store, seats
from pbem.service.time import deadline

HOW = {"by": "host", "why": ""}


def looked_at(store: Store, now: datetime) -> list[str]:
    """Look at the games that may have something to do; return which they were."""
    games = deadline.to_look_at(store, now)
    for game in games:
        deadline.act(store, game, now, late=True)
    return games


def something_happens(box: Postbox, chance: random.Random) -> None:
    """A letter, or one thing that a host can do to a clock."""
    store, now = box.store, box.now
    hosts = [
        lambda table: timing.extend(table, chance.choice((5, 48)), **HOW),
        lambda table: timing.pause(table, **HOW),
        lambda table: timing.go_on(table, **HOW),
        lambda table: timing.away(table, chance.choice(("red", "blue")), "2026-06-08", "2026-06-11", **HOW),
        lambda table: timing.set_terms(table, {"clock_hours": chance.choice((6, 96))}, **HOW),
        lambda table: timing.set_terms(table, {"missed": chance.choice(("wait", "hold", "bot"))}, **HOW),
        lambda table: timing.set_terms(table, {"remind_hours": chance.choice((0, 12))}, **HOW),
        lambda table: timing.set_terms(table, {"grace_hours": chance.choice((0, 6))}, **HOW),
        lambda table: people.give_back(table, chance.choice(("red", "blue")), **HOW),
    ]
    what = chance.random()
    if what < 0.3:
        box.mail(chance.choice(("red", "blue")), chance.choice(("no orders\n", "move R1 to 0201\n", "final")))
    elif what < 0.4:
        sent(store, now)
    else:
        with contextlib.suppress(StoreError):
            carry_out(store, "toy", now, chance.choice(hosts))


def everything(box: Postbox) -> list[object]:
    """What the store holds, but for the moment until which its game is quiet."""
    rows = facts(box.store)
    del rows["game"]
    return [rows, box.row().model_dump(exclude={"quiet_until"})]


@pytest.mark.parametrize("seed", range(size(2, 6)))
def test_nothing_is_due_in_a_quiet_game(store: Store, seed: int) -> None:
    """Whatever happens, and whenever it is looked at: in a game that is passed over as quiet a look would
    have changed nothing at all."""
    begin(store)
    sent(store, NOW)
    box, chance, quiet = Postbox(store, "toy", "pbem@host.example", NOW), random.Random(seed), 0
    for _ in range(60):
        if chance.random() < 0.6:
            something_happens(box, chance)
        box.now += chance.choice((1, 3, 11, 30)) * HOUR
        if looked_at(store, box.now):
            sent(store, box.now)
            continue
        if box.row().status != "running":
            break
        before = everything(box)
        assert deadline.act(store, "toy", box.now) == []
        assert everything(box) == before
        quiet += 1
    assert quiet


def test_a_game_is_quiet_until_its_reminder_then_its_deadline(toy: Store) -> None:
    """One look is enough for each: the reminder a day before, the deadline, the time of grace after it."""
    sent(toy, NOW)
    assert looked_at(toy, NOW + HOUR) == ["toy"] and looked_at(toy, NOW + 47 * HOUR) == []
    assert looked_at(toy, NOW + 48 * HOUR) == ["toy"]
    sent(toy, NOW + 48 * HOUR)
    assert looked_at(toy, NOW + 71 * HOUR) == [] and looked_at(toy, NOW + 72 * HOUR) == ["toy"]
    assert row(toy).phase > 1


def test_a_game_whose_letters_were_not_sent_is_never_quiet(toy: Store) -> None:
    assert looked_at(toy, NOW + HOUR) == looked_at(toy, NOW + 2 * HOUR) == ["toy"]


def test_a_game_without_deadlines_is_quiet_until_it_has_some(toy: Store) -> None:
    """One look and no more, for as long as nothing is written to the game."""
    sent(toy, NOW)
    carry_out(toy, "toy", NOW, lambda table: timing.set_terms(table, {"clock_hours": 0}, **HOW))
    assert looked_at(toy, NOW) == ["toy"] and looked_at(toy, NOW + 9999 * HOUR) == []
    assert row(toy).quiet_until == NEVER
    carry_out(toy, "toy", NOW, lambda table: timing.set_terms(table, {"clock_hours": 24}, **HOW))
    assert looked_at(toy, NOW + 25 * HOUR) == ["toy"] and row(toy).phase > 1


def test_first_looks_come_in_portions_but_nothing_due_waits(
    toy: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of games in which nothing can be due yet a run looks at a few, the nearest deadlines first; a game that
    may be due is looked at in any case."""
    monkeypatch.setattr(deadline, "FIRST_LOOKS", 2)
    for number, hours in enumerate((240, 96, 120, 48)):
        begin(toy, f"g{number}")
        with toy.transaction() as session:
            row = session.get_one(GameRow, f"g{number}")
            row.settings = row.settings | {"clock_hours": hours}
            session.add(row)
    sent(toy, NOW)
    assert looked_at(toy, NOW + HOUR) == ["g3", "toy"]
    assert looked_at(toy, NOW + HOUR) == ["g1", "g2"]
    with toy.transaction() as session:
        for row in session.exec(select(GameRow)):
            row.quiet_until = None
            session.add(row)
    assert deadline.to_look_at(toy, NOW + 97 * HOUR) == ["g0", "g1", "g2", "g3", "toy"]
    assert deadline.to_look_at(toy, NOW + 50 * HOUR) == ["g0", "g1", "g2", "g3", "toy"][1:]


@pytest.mark.parametrize("seed", range(size(2, 6)))
def test_what_a_row_tells_of_its_deadline_is_never_too_late(store: Store, seed: int) -> None:
    """Whatever happens: before the moment of which the row of a game tells, a look would change nothing but
    that the game is known to be quiet, and the game as it is then known is quiet at least as long."""
    begin(store)
    sent(store, NOW)
    box, chance, told = Postbox(store, "toy", "pbem@host.example", NOW), random.Random(seed), 0
    for _ in range(60):
        something_happens(box, chance)
        box.now += chance.choice((1, 3, 11, 30)) * HOUR
        if (found := box.row()).status != "running":
            break
        moment = nothing_before(found.settings, found.clock, found.waiting_since)
        with store.transaction() as session:
            missed = any(seat.missed for seat in seats(session, "toy").values())
        before = everything(box)
        deadline.act(store, "toy", box.now, late=True)
        if moment is not None and box.now < moment and not missed:
            assert everything(box) == before
            told += 1
        sent(store, box.now)
    assert told


def row(store: Store) -> GameRow:
    with store.transaction() as session:
        return session.get_one(GameRow, "toy")
