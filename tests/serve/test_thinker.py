"""`pbem serve` thinks for planners in a process of its own."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from serve.kit import Club, FarEnd, Service, free_port, serving, wait_until
from serve.test_service import children, sent_once
from sqlmodel import select

from pbem.games.normandy44.plan import PLAN
from pbem.service.moderating.start import NewGame, Player, start
from pbem.service.record.rows import GameRow, JournalRow
from pbem.service.record.store import Store, now_utc

pytestmark = pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")


def thoughts(store: Store) -> list[JournalRow]:
    with store.transaction() as session:
        return list(session.exec(select(JournalRow).where(JournalRow.kind == "thought")))


def set_think(store: Store, think: int) -> None:
    with store.transaction() as session:
        row = session.get_one(GameRow, "cherbourg")
        row.settings = row.settings | {"think": think}


@pytest.mark.dear
def test_letters_are_answered_while_it_thinks(tmp_path: Path) -> None:
    """A thought that takes long keeps no letter and no SIGTERM waiting; after a kill -9 it is thought again,
    and the game goes on. With these dice the weather is clear and the planner has something to allocate."""
    club = Club(Store.create(tmp_path / "club.pbem"), ["g1"])
    players = {"german": Player("Anna", "anna@x.example"), "allied": Player(bot="planner")}
    terms = {**club.terms, "think": 100_000}
    start(
        club.store,
        NewGame("normandy44", "cherbourg", "cherbourg", players=players, settings=terms, seed="1"),
        now_utc(),
    )
    with FarEnd(free_port()) as far:
        one = Service(tmp_path, club.store.target, far.port)
        with serving(one):
            assert one.process
            thinking = wait_until(lambda: _second_child(one), 60, "nobody thinks")
            assert one.hand_over(*club.letter("g1", "red", "move R1 to 0201\ndone\n")) == "250"
            sent_once(club, far)
            assert club.outcomes("g1") == {"accepted": 1}
            assert thinking in children(one.process.pid) and not thoughts(club.store)
            assert one.stop() == 0
            assert not Path(f"/proc/{thinking}").exists()
        with serving(one):
            wait_until(lambda: _second_child(one), 60, "nobody thinks")
            one.kill()
        set_think(club.store, 20)
        club.forget_claims()
        with serving(one):
            wait_until(lambda: thoughts(club.store), 60, one.said())
            sent_once(club, far)
            assert one.stop() == 0
    assert "event=thought" in one.said()
    assert not [stance for stance in PLAN.stances["allied"] if stance in one.said()]


def _second_child(one: Service) -> int:
    """The process that thinks, beside the one of the desk; 0 if there is none."""
    assert one.process
    found = children(one.process.pid)
    return found[-1] if len(found) > 1 else 0
