"""Use case: put running games under the rules at hand, after an upgrade of pbem.

Every game is rerun from its record. Where nothing comes out otherwise it is marked with the version at hand.
Where something would, what was recorded stands, and the rules at hand apply from now on: the journal and the
players are told so. A game whose running phase cannot be rerun is left alone: it must be finished with the
version before.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from sqlmodel import Session, col, select

from pbem.engine.errors import ReplayMismatch
from pbem.engine.game import game
from pbem.service.moderating.hosting import note
from pbem.service.play.sections import phase_title
from pbem.service.proof.verify import difference
from pbem.service.record.rows import GameRow, JournalRow
from pbem.service.record.store import Store, game_ids, is_temporary, locked_game
from pbem.service.record.table import Table

Verdict = Literal["same", "differs", "stuck"]


@dataclass(frozen=True, slots=True)
class Upgraded:
    """What the rules at hand mean for a game: its version of them (`stored`, "" for none) and the one `now`,
    the `verdict`, and what comes out otherwise first: turn, phase, step, what was recorded and what comes
    now. With `done` something was written down."""

    game: str
    rules: str
    stored: str
    now: str
    verdict: Verdict
    difference: str = ""
    done: bool = False

    def lines(self) -> list[str]:
        """The findings in words."""
        versions = f"{self.rules}, rules {self.stored or 'without a version'}, at hand {self.now}"
        return [
            f"{self.game}: {versions}: {_SAYS[self.verdict]}",
            *([f"  {self.difference}"] * bool(self.difference)),
        ]


_SAYS: dict[Verdict, str] = {
    "same": "everything comes out the same",
    "differs": "something comes out otherwise; what is recorded stands, the rules at hand apply from now on",
    "stuck": "the running phase cannot be played on: finish it with the version of pbem before",
}


def upgrade(store: Store, game_id: str | None, now: datetime, *, dry_run: bool = False) -> list[Upgraded]:
    """Rerun one game, or every game that is not over, under the rules at hand, and put it under them if it
    can be played on; with `dry_run` only find out. Raise StoreError for an unknown game."""
    with store.transaction() as session:
        known = [game_id] if game_id else [*game_ids(session, "running"), *game_ids(session, "stopped")]
    return [_upgraded(store, each, now, dry_run) for each in sorted(known)]


def _upgraded(store: Store, game_id: str, now: datetime, dry_run: bool) -> Upgraded:
    with store.transaction() as session:
        row = locked_game(session, game_id)
        stored = row.rules
        try:
            verdict, first = _verdict(Table(session, row, now))
            at_hand = game(row.game).rules
        except Exception as error:  # a game that cannot be opened at all does not hold up the others
            if is_temporary(error):
                raise
            session.rollback()
            why = str(error.args[0]) if error.args else type(error).__name__
            return Upgraded(game_id, row.game, stored, "none", "stuck", why)
        done = not dry_run and verdict != "stuck" and not _is_under(session, row, at_hand)
        if done:
            _put_under(Table(session, row, now), at_hand, verdict, first)
        return Upgraded(game_id, row.game, stored, at_hand, verdict, first, done)


def _verdict(table: Table) -> tuple[Verdict, str]:
    """How the game comes out under the rules at hand, and the first difference."""
    try:
        if running := difference(table, table.row.phase):
            return "stuck", running
        table.here()
    except ReplayMismatch as error:
        return "stuck", str(error)
    first = difference(table)
    return ("differs", first) if first else ("same", "")


def _is_under(session: Session, row: GameRow, version: str) -> bool:
    """Whether a game is under a version of its rules already, from its beginning or from an upgrade on."""
    query = select(JournalRow).where(
        JournalRow.game == row.id, JournalRow.kind == "host", JournalRow.asked == "upgrade"
    )
    rows = list(session.exec(query.order_by(col(JournalRow.number))))
    return row.rules == version or (bool(rows) and rows[-1].answer["to"] == version)


def _put_under(table: Table, version: str, verdict: Verdict, first: str) -> None:
    """Write down that the rules at hand apply to a game; where they would have decided otherwise, tell the
    players."""
    row = table.row
    details = {"from": row.rules, "to": version, "phase": row.phase, "difference": first}
    says, told = f"Version {version} of the rules decides everything as it was played", {}
    if verdict == "same":
        row.rules = version
        table.record.keep(row)
    else:
        title = phase_title(table.game, table.record.phase().label)
        says = (
            f"Version {version} of the rules applies from {title} on. What was played before stands, "
            "although some of it would be decided otherwise now"
        )
        told = dict.fromkeys(table.seats, says)
    note(table, "upgrade", details, says, told, by="host", why="pbem was upgraded")
