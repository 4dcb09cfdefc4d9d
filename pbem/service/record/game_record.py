"""What is stored of one game: its rows in one transaction, read and added to. No rules."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from functools import cached_property
from typing import Any

from sqlalchemy import bindparam
from sqlmodel import Session, SQLModel, col, select

from pbem.engine.play import Entry
from pbem.service.record import notices, store
from pbem.service.record.journal import PLAYED, JournalWriter, phase_entries, standing_rows
from pbem.service.record.rows import GameRow, JournalRow, PhaseRow, SeatRow, StaffRow, unpack
from pbem.service.record.store import phase_row

_PHASES = (
    select(PhaseRow)
    .where(PhaseRow.game == bindparam("game"), col(PhaseRow.number) >= bindparam("first"))
    .order_by(col(PhaseRow.number))
)
_TURNS = (
    select(PhaseRow.number, PhaseRow.turn)
    .where(PhaseRow.game == bindparam("game"))
    .order_by(col(PhaseRow.number))
)
_JOURNAL = select(JournalRow).where(JournalRow.game == bindparam("game")).order_by(col(JournalRow.number))
_SINCE = col(JournalRow.phase) >= bindparam("first")
_KINDS = col(JournalRow.kind).in_(bindparam("kinds", expanding=True))
_RULING = col(JournalRow.kind) == "ruling"  # it may take earlier rows back
_ROWS = _JOURNAL.where(_SINCE | _RULING)
_ROWS_OF_KINDS = _JOURNAL.where(_SINCE & _KINDS | _RULING)
_SAID = _JOURNAL.where(col(JournalRow.kind).not_in(PLAYED), col(JournalRow.number) > bindparam("after"))


class GameRecord:
    """The rows of one game in one transaction. `now` never goes back behind the moment since which the game
    has been waiting."""

    def __init__(self, session: Session, row: GameRow, now: datetime) -> None:
        self.session = session
        self.row = row
        self.machine_time = now
        self.now = max(now, row.waiting_since or now)
        self.seats: dict[str, SeatRow] = store.seats(session, row.id)
        self._writer: JournalWriter | None = None
        self._phases: dict[int, PhaseRow] = {}  # a session forgets rows that nobody holds
        self._read: dict[tuple[Any, ...], list[JournalRow]] = {}
        self._said: list[JournalRow] = []
        self._said_to = 0
        self._turns: dict[int, int] = {}
        self._staff: list[StaffRow] | None = None

    def keep(self, *rows: SQLModel) -> None:
        """Write down rows as they are now."""
        self.session.add_all(rows)

    # --- people ---------------------------------------------------------------------------------------

    def staff(self, role: str = "") -> list[StaffRow]:
        """The staff of the game, or those with this role, in the order in which they came."""
        if self._staff is None:
            self._staff = store.staff(self.session, self.row.id)
        return [row for row in self._staff if role in ("", row.role)]

    def join(self, row: StaffRow) -> None:
        """Add somebody to the staff."""
        self.session.add(row)
        self._staff = None

    def leave(self, row: StaffRow) -> None:
        """Remove somebody from the staff."""
        self.session.flush()
        self.session.delete(row)
        self._staff = None

    def is_of_another(self, person: SeatRow | StaffRow, address: str) -> bool:
        """Whether somebody else than this person has, or had, a part in the game with this address."""
        people: list[SeatRow | StaffRow] = [*self.seats.values(), *self.staff()]
        others = {row.address for row in people if row.key != person.key}
        for row in self.every_row("host"):
            others |= {row.answer[was]["address"] for was in ("before", "was") if was in row.answer}
        return address in others and address not in ("", person.address)

    def tell_moderators(
        self, says: str, lines: Sequence[str] = (), *, by: str = "", urgent: bool = False
    ) -> bool:
        """Keep news for the moderators (notices.tell_moderators); whether the game has any."""
        return notices.tell_moderators(self.session, self.row.id, says, lines, self.now, by=by, urgent=urgent)

    # --- phases ---------------------------------------------------------------------------------------

    def phase(self, number: int | None = None) -> PhaseRow:
        """A phase, the running one unless a number is given."""
        row = phase_row(self.session, self.row.id, number or self.row.phase)
        self._phases[row.number] = row
        return row

    def phases(self, first: int = 1) -> list[PhaseRow]:
        """The phases from `first` on, in order."""
        if not self._phases.keys() >= {*range(first, self.row.phase + 1)}:
            rows = self.session.exec(_PHASES, params={"game": self.row.id, "first": first})
            self._phases |= {row.number: row for row in rows}
        return [row for number, row in sorted(self._phases.items()) if number >= first]

    def turns(self) -> dict[int, int]:
        """The turn of each phase, by its number, without loading them."""
        if not self._turns:
            self._turns = dict(self.session.exec(_TURNS, params={"game": self.row.id}).all())
        return self._turns

    def snapshot(self, row: PhaseRow) -> bytes:
        """The state at the start of a phase."""
        return unpack(row.snapshot)

    def open_phase(self, row: PhaseRow) -> None:
        """Make a new phase the running one."""
        self.row.phase = row.number
        self._phases[row.number] = row
        self._turns = {}
        self.session.add(row)
        self.session.flush()

    def reopen(self, number: int) -> None:
        """Make a phase that has been played the running one, and delete those after it."""
        row = self.phase(number)
        row.ended, row.state_hash, row.notes = False, "", []
        self.session.add(row)
        for later in self.phases(number + 1):
            self.session.delete(later)
        self.session.flush()
        self.row.phase = number
        self._turns = {}
        self.session.add(self.row)

    def forget(self) -> None:
        """Read the phases anew when they are next looked at: rows were changed under them."""
        self._phases, self._turns = {}, {}

    # --- journal --------------------------------------------------------------------------------------

    @property
    def journal(self) -> JournalWriter:
        if self._writer is None:
            self._writer = JournalWriter(self.session, self.row.id)
        return self._writer

    def entries(self, phase: int) -> list[Entry]:
        """The answers recorded in a phase that still count, in order."""
        return phase_entries(self.session, self.row.id, phase)

    def rows(self, first_phase: int = 1, *kinds: str) -> list[JournalRow]:
        """The journal rows that count, in order: of the phases from `first_phase` on, of these kinds or of
        all. The journal only grows, so what has been read holds until its next row."""
        if kinds and not set(kinds) & set(PLAYED):
            return [row for row in self.every_row(*kinds) if row.phase >= first_phase]
        what = (self.journal.last, first_phase, *kinds)
        if what not in self._read:
            named = {"game": self.row.id, "kinds": kinds, "first": first_phase}
            stored = self.session.exec(_ROWS_OF_KINDS if kinds else _ROWS, params=named)
            rows = standing_rows(list(stored))
            self._read[what] = [
                row for row in rows if row.phase >= first_phase and (not kinds or row.kind in kinds)
            ]
        return self._read[what]

    def every_row(self, *kinds: str) -> list[JournalRow]:
        """The journal rows of these kinds, none of which play has brought (`PLAYED`): they all count, in
        order."""
        if self._said_to < self.journal.last:
            named = {"game": self.row.id, "after": self._said_to}
            self._said += self.session.exec(_SAID, params=named)
            self._said_to = self.journal.last
        return [row for row in self._said if row.kind in kinds]

    @cached_property
    def rulings(self) -> list[JournalRow]:
        """The rulings of the game, in order."""
        return self.every_row("ruling")

    @property
    def ending(self) -> JournalRow | None:
        """The row by which people have ended the game before its rules did; None if they have not."""
        if self.row.status != "over":
            return None
        return next((row for row in reversed(self.every_row("host")) if row.asked == "end"), None)

    def append(self, phase: int, entry: Entry, letter: int | None = None, at: datetime | None = None) -> None:
        """Write down an answer that was given now, or `at` an earlier moment."""
        self.journal.append_answers(phase, [entry], at=at or self.now, letter=letter)
