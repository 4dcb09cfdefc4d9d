"""Games by mail for the tests of the service: seats with addresses, letters as a mail client sends them, and
what lies in the outbox."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from conftest import HOUR, NOW, begin
from shortened import shortened
from sqlmodel import col, delete, select

from pbem.engine.autoplay import PlayedPhase, autoplay
from pbem.engine.bots import greedy_bot, random_bot
from pbem.engine.game import game
from pbem.games.normandy71.state import State
from pbem.service.moderating.start import NewGame, Player
from pbem.service.record.journal import JournalWriter
from pbem.service.record.rows import (
    GameRow,
    JournalRow,
    LetterRow,
    OutboxRow,
    PhaseRow,
    SeatRow,
    StaffRow,
    pack,
)
from pbem.service.record.store import Store
from pbem.service.time.deadline import act
from pbem.testing import post
from pbem.testing.post import MODERATOR as MODERATOR
from pbem.testing.post import SERVER as SERVER
from pbem.testing.post import SETTINGS, START

GAME = game("normandy71")
ID = "cotentin"
PLAYERS = {
    "allied": Player("Anna", "anna@x.example", "Europe/Paris"),
    "german": Player("Bert", "bert@y.example", "Europe/Berlin"),
}


def new_game(seed: str = "1", **changes: Any) -> NewGame:
    """A game of Normandy between two people, with fixed dice."""
    values: dict[str, Any] = {"players": PLAYERS, "settings": SETTINGS, "seed": seed}
    return NewGame("normandy71", "cotentin", **(values | changes))


@dataclass
class Postbox(post.Postbox):
    """A store in which one game of Normandy is played by mail, unless another one is named."""

    game: str = ID

    @classmethod
    def started(cls, store: Store, new: NewGame | None = None) -> Postbox:
        return super().started(store, new or new_game())


def sent(store: Store, now: datetime) -> None:
    """All letters written so far go out."""
    with store.transaction() as session:
        for row in session.exec(select(OutboxRow).where(col(OutboxRow.sent).is_(None))):
            row.sent = now
            session.add(row)


def facts(store: Store) -> dict[str, Any]:
    """Everything that a store holds, as plain values: two stores with equal facts hold the same."""
    tables: tuple[Any, ...] = (GameRow, SeatRow, StaffRow, PhaseRow, JournalRow, LetterRow, OutboxRow)
    with store.transaction() as session:
        return {
            table.__tablename__: sorted(repr(row.model_dump()) for row in session.exec(select(table)))
            for table in tables
        }


# --- games that stand where they are wanted -----------------------------------------------------------------


TWO_TURNS = 20
"""The phases of the first two turns."""


@cache
def played(kind: str, seed: str, phases: int = 1000) -> tuple[PlayedPhase, ...]:
    """A game played by bots, or its first phases, as snapshots at the phase starts."""
    bots = {
        seat: random_bot(random.Random(seed + seat))
        if kind == "random"
        else greedy_bot(GAME.judge, random.Random(seed + seat))
        for seat in ("allied", "german")
    }
    return autoplay(shortened(GAME, phases), seed, bots).phases


def position(kind: str, seed: str, label: str) -> State:
    phases = played(kind, seed, TWO_TURNS) if label[:2] in ("t1", "t2") else played(kind, seed)
    snapshot = next(phase.snapshot for phase in phases if phase.label == label)
    state: State = GAME.load(snapshot)
    return state


@cache
def _begun(seed: str) -> bytes:
    """The file of a game that has just been started."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "begun.pbem"
        players = {key: Player(player.name) for key, player in PLAYERS.items()}
        Postbox.started(Store.create(path), new_game(seed, players=players)).store.close()
        return path.read_bytes()


def placed(path: Path, state: State, seed: str = "1", entries: tuple[Any, ...] = ()) -> Postbox:
    """A game that stands at `state`, nothing having been written to anybody."""
    path.write_bytes(_begun(seed))
    box = Postbox(Store.open(path), ID)
    with box.store.transaction() as session:
        row = session.get_one(GameRow, ID)
        for key, player in PLAYERS.items():
            seat = session.get_one(SeatRow, (ID, key))
            seat.address, seat.zone = player.address, player.zone
            seat.news = {}
        for table in (OutboxRow, JournalRow, PhaseRow):
            session.exec(delete(table))
        writer = JournalWriter(session, ID)
        writer.append(1, "start", "placed", {}, at=START)
        for entry in entries:
            writer.append(1, "answer", entry.asked, entry.answer, at=START, by=entry.by, digest=entry.digest)
        session.add(
            PhaseRow(
                game=ID, number=1, label=GAME.label(state), turn=state.turn, snapshot=pack(GAME.dump(state)),
                rolls=state.rolls
            )
        )  # fmt: skip
        row.phase, row.waiting_since = 1, START
    return box


MADE: dict[Callable[[Path], Postbox], tuple[Postbox, bytes]] = {}
"""Games as they were made first, and their files."""


def copy_of(make: Callable[[Path], Postbox], path: Path) -> Postbox:
    """A game that is made once in a process, as a copy at `path`."""
    if make not in MADE:
        box = make(path)
        box.store.close()
        MADE[make] = box, path.read_bytes()
    box, data = MADE[make]
    path.write_bytes(data)
    return replace(box, store=Store.open(path))


def toy_to_the_end(file: Path) -> Postbox:
    """Play the toy game to its end in a new file: red writes letters and a salt, blue is a bot."""
    store = Store.create(file)
    begin(store, blue=Player(bot="random"))
    box = Postbox(store, "toy", "pbem@host.example", NOW)
    box.mail("red", "salt hop and malt\nmove R1 to 0201\nmove R2 to 0202\ndone\n")
    for step in range(12):
        if box.row().status == "over":
            return box
        act(store, None, NOW + (step + 5) * HOUR, force=True)
    raise AssertionError("the game does not end")
