"""Use case: think for the planners of games that wait for it. The thinking itself holds no transaction, so
that letters are taken meanwhile."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime

from sqlmodel import col, select

from pbem.engine.game import game
from pbem.engine.planner import Thought, choose
from pbem.service.intake.trouble import guarded
from pbem.service.letters.reports import tell
from pbem.service.record.rows import GameRow, SeatRow
from pbem.service.record.store import Store, find_game, is_temporary
from pbem.service.record.table import Table

MOST = 400
"""Most thoughts of one game in one run: two planners may play it to its end between them, and no more."""


@dataclass(frozen=True, slots=True)
class ToThink:
    """What is to be thought in a game: for which seat and moment, from the `snapshot` of the phase's start,
    with the stance in use, how many decisions to imagine, and the key of the imagined dice, which is secret.
    What has been played in the phase since is not looked at."""

    game: str
    rules: str
    phase: int
    seat: str
    moment: tuple[int, int]
    snapshot: bytes = field(repr=False)
    stance: str = field(repr=False)
    think: int
    key: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class Idea:
    """What came of thinking; `fault` is why nothing did, and the stance in use is kept."""

    thought: Thought
    fault: str = ""


def games_that_think(store: Store, game_id: str | None = None) -> list[str]:
    """Return the games that are played with a planner who thinks, or the one called `game_id` if it is: only
    these can wait for a thought."""
    seats = select(SeatRow.game).where(SeatRow.bot == "planner")
    query = select(GameRow.id, GameRow.settings).where(
        GameRow.status == "running", col(GameRow.id).in_(seats)
    )
    with store.transaction() as session:
        rows = session.exec(query.order_by(col(GameRow.id))).all()
    return [key for key, settings in rows if settings.get("think") and game_id in (None, key)]


def waiting(store: Store, game_id: str, now: datetime) -> list[ToThink]:
    """Return what is to be thought in a game."""
    with store.transaction() as session:
        row = find_game(session, game_id)
        return _waiting(Table(session, row, now)) if row is not None else []


def _waiting(table: Table) -> list[ToThink]:
    if table.row.status != "running":
        return []
    position, thoughts = table.position(), table.thoughts
    return [
        ToThink(
            table.row.id,
            table.game.key,
            position.number,
            seat,
            (turn, round),
            position.snapshot,
            thoughts.stance(seat).name,
            thoughts.budget,
            table.dice.commitment(f"thought {seat} {position.number} {turn} {round}".encode()),
        )
        for seat, (turn, round) in table.must_think(table.here()).items()
    ]


def think(wait: ToThink) -> Idea:
    """Think; equal waits bring equal thoughts. Does not raise: where the planner fails, the stance in use is
    kept, for a game must go on."""
    try:
        return Idea(choose(game(wait.rules), wait.snapshot, wait.seat, wait.stance, wait.think, wait.key))
    except Exception as error:
        return Idea(Thought(wait.stance), f"{type(error).__name__}: {error}")


def hand_in(store: Store, wait: ToThink, idea: Idea, now: datetime) -> bool:
    """Write down a thought and play on. Return whether it was wanted: if the game has moved on meanwhile, or
    somebody else was faster, it is dropped."""
    with store.transaction() as session:
        row = find_game(session, wait.game)
        if row is None:
            return False
        table = Table(session, row, now)
        if wait not in _waiting(table):
            return False
        guarded(table, lambda: _play(table, wait, idea))
        return True


def _play(table: Table, wait: ToThink, idea: Idea) -> None:
    table.thoughts.append(wait.phase, wait.seat, *wait.moment, idea.thought)
    if idea.fault:
        says = f"The planner of {table.row.id} could not think, and goes on as before"
        table.record.tell_moderators(says, [f"{wait.seat}, turn {wait.moment[0]}: {idea.fault}"])
    tell(table, table.play_on())


def think_on(store: Store, game_id: str | None, now: Callable[[], datetime]) -> int:
    """Think and play on until no game waits for a thought, or not the one called `game_id`. Return how many
    thoughts were handed in. `now` tells the time, as thinking takes some.

    A game that cannot be opened keeps no other back. Raise what may pass by itself (a locked database); the
    next run thinks then.
    """
    done = 0
    for each in games_that_think(store, game_id):
        try:
            for _ in range(MOST):
                waits = waiting(store, each, now())
                if not waits:
                    break
                done += hand_in(store, waits[0], think(waits[0]), now())
        except Exception as error:
            if is_temporary(error):
                raise
    return done
