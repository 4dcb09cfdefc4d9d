"""A game as a use case works on it: its rows in one transaction, turned into a position and papers, and steps turned into rows."""

from __future__ import annotations

import hashlib
import hmac
import random
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from sqlmodel import Session, col, select

from pbem.engine.bots import greedy_bot, random_bot
from pbem.engine.dice import GameDice, HashChain
from pbem.engine.game import Game, GameState, game
from pbem.engine.notes import Note
from pbem.engine.orders import Line, StandingLine
from pbem.engine.play import Dice, Entry, Request, seats_asked
from pbem.mail.compose import Key
from pbem.service.adjudicate import Position, Step, play_on, resume, state_hash
from pbem.service.desk import Papers, questions
from pbem.service.store import (
    GameRow,
    JournalRow,
    JournalWriter,
    LetterRow,
    OutboxRow,
    PhaseRow,
    SeatRow,
    pack,
    phase_entries,
    phase_row,
    seats,
    standing_rows,
    unpack,
)


@dataclass(frozen=True, slots=True)
class Roll:
    """A recorded die or draw. `number` is its place among the open rolls of the game (R17), 0 if it is sealed."""

    number: int
    turn: int
    phase: str
    label: str
    faces: tuple[Any, ...]
    salts: tuple[str, ...]

    @property
    def event(self) -> str:
        return "|".join([self.phase, self.label])


class Table:
    """The rows of one game in one transaction."""

    def __init__(self, session: Session, row: GameRow, now: datetime) -> None:
        self.session = session
        self.row = row
        self.now = now
        self.game: Game[Any] = game(row.game)
        self.seats: dict[str, SeatRow] = seats(session, row.id)
        self.chain = HashChain(row.secret, self.game.turns)
        self._writer: JournalWriter | None = None
        self._position: Position | None = None
        self._lines: dict[str, tuple[GameState, list[list[str]], tuple[Line, ...]]] = {}

    @property
    def journal(self) -> JournalWriter:
        if self._writer is None:
            self._writer = JournalWriter(self.session, self.row.id)
        return self._writer

    @property
    def address(self) -> str:
        """The server's own mail address, below which the seats have theirs."""
        return str(self.row.settings.get("address", "pbem@localhost"))

    # --- where the game stands ------------------------------------------------------------------------

    def phase(self, number: int | None = None) -> PhaseRow:
        return phase_row(self.session, self.row.id, number or self.row.phase)

    def phases(self, first: int = 1) -> list[PhaseRow]:
        """The phases from `first` on, in order."""
        query = select(PhaseRow).where(PhaseRow.game == self.row.id, col(PhaseRow.number) >= first)
        return list(self.session.exec(query.order_by(col(PhaseRow.number))))

    def position(self) -> Position:
        """The running phase: its snapshot and the answers since. Read once; what this table plays is added."""
        if self._position is None:
            row = self.phase()
            entries = phase_entries(self.session, self.row.id, row.number)
            self._position = Position(row.number, unpack(row.snapshot), tuple(entries))
        return self._position

    def here(self) -> Step:
        """The game as it stands: its state and what is waited for."""
        return resume(self.game, self.position())

    def rows(self, first_phase: int = 1, *kinds: str) -> list[JournalRow]:
        """The journal rows that count, in order: of the phases from `first_phase` on, of these kinds or of all."""
        query = select(JournalRow).where(JournalRow.game == self.row.id)
        wanted = col(JournalRow.phase) >= first_phase
        if kinds:
            wanted = wanted & col(JournalRow.kind).in_(kinds)
        query = query.where(wanted | (col(JournalRow.kind) == "undo"))
        return standing_rows(list(self.session.exec(query.order_by(col(JournalRow.number)))))

    # --- what the seats have handed in ----------------------------------------------------------------

    def lines(self, seat: SeatRow, state: GameState) -> tuple[Line, ...]:
        """The seat's kept order lines, read again with the names that hold now."""
        known = self._lines.get(seat.key)
        if known is None or known[0] is not state or known[1] != seat.lines:
            text: list[tuple[int, str]] = []
            for number, (section, line) in enumerate(seat.lines):
                text += [(-1, f"[{section}]"), (number, line)]
            roster = self.game.roster(state, seat.key)
            self.know(seat, state, self.game.grammar.read(text, roster).orders)
        return self._lines[seat.key][2]

    def know(self, seat: SeatRow, state: GameState, lines: Iterable[Line]) -> None:
        """Remember what the seat's kept order lines say, so that they need not be read again."""
        self._lines[seat.key] = state, list(seat.lines), tuple(lines)

    def standing(self, seat: SeatRow, state: GameState) -> list[StandingLine]:
        """The seat's standing orders, read again."""
        if not seat.standing:
            return []
        text = [(-1, "[standing]"), *enumerate(seat.standing)]
        reading = self.game.grammar.read(text, self.game.roster(state, seat.key))
        return [line for line in reading.standing if line.policy is not None]

    def papers(
        self, state: GameState, forced: Iterable[str] = (), waiting: Request | None = None
    ) -> dict[str, Papers]:
        """Everything the seats have handed in; `forced` names those whose time is up. What is `waiting` for an answer is not left to
        a default because something else has been answered."""
        late = frozenset(forced)
        return {key: self._papers(seat, state, key in late, waiting) for key, seat in self.seats.items()}

    def _papers(self, seat: SeatRow, state: GameState, forced: bool, waiting: Request | None) -> Papers:
        return Papers(
            seat.key,
            lines=list(self.lines(seat, state)) if seat.lines else [],
            released=set(seat.released),
            standing=self.standing(seat, state),
            answers=dict(seat.answers),
            bot=self._bot(seat),
            forced=forced,
            asked=seat.asked_in == self.row.phase
            and bool(seat.answers)
            and all(ask.what in seat.answers for ask in questions(waiting, seat.key)),
        )

    def _bot(self, seat: SeatRow) -> Any:
        if not seat.bot:
            return None
        # Link 0 is public: a bot that drew from it could be foreseen by its opponent.
        chance = random.Random(f"{self.row.id}|{seat.key}|{self.row.phase}|{self.chain.sealed_secret.hex()}")
        return random_bot(chance) if seat.bot == "random" else greedy_bot(self.game.worth, chance)

    # --- playing on -----------------------------------------------------------------------------------

    def dice(self, state: GameState, label: str, number: int) -> Dice:
        salts = tuple(self.phase(number).salts) if number == self.row.phase else tuple(self.salts())
        return GameDice(self.chain, self.row.id, max(1, state.turn), label, salts)

    def salts(self) -> list[str]:
        """The salts that will count in the next phase to begin."""
        return [f"{row.asked}: {row.answer}" for row in self.rows(1, "salt")]

    def play_on(
        self, here: Step | None = None, *, letter: int | None = None, forced: Iterable[str] = ()
    ) -> list[Step]:
        """Adjudicate as far as it goes and write down what was played. `here` is the game as it stands, if it is known."""
        here = here or self.here()
        position = self.position()
        papers = self.papers(here.state, forced, here.waiting)
        before = set(seats_asked(here.waiting))
        steps = play_on(self.game, position, papers, self.dice)
        for step in steps:
            self._record(step, letter)
            for key, section in step.closed:
                if key in self.seats:
                    self.seats[key].wanted = [other for other in self.seats[key].wanted if other != section]
        self._position = None
        self._keep(papers)
        last = steps[-1]
        if (
            last.number != position.number
            or not set(seats_asked(last.waiting)) <= before
            or self.row.waiting_since is None
        ):
            self.row.waiting_since = self.now
        if last.over:
            self.row.status = "over"
        return steps

    def _record(self, step: Step, letter: int | None) -> None:
        for entry in step.fresh:
            self._append(step.number, entry, letter)
        if step.after is None:
            return
        digest = state_hash(step.after)
        self.journal.append(step.number, "end", step.label, digest, at=self.now)
        row = self.phase(step.number)
        row.ended, row.state_hash, row.notes = True, digest, [note.facts() for note in step.notes]
        self.session.flush()
        following = self.game.load(step.after)
        self.row.phase = step.number + 1
        self.session.add(
            PhaseRow(
                game=self.row.id, number=step.number + 1, label=self.game.label(following), turn=following.turn,
                snapshot=pack(step.after), salts=self.salts(), rolls=following.rolls, notes=[],
            )
        )  # fmt: skip
        self.session.flush()

    def _append(self, phase: int, entry: Entry, letter: int | None) -> None:
        self.journal.append(
            phase,
            "answer",
            entry.asked,
            entry.answer,
            at=self.now,
            by=entry.by,
            digest=entry.digest,
            letter=letter,
        )

    def _keep(self, papers: dict[str, Papers]) -> None:
        """What is left of the seats' orders stays with them."""
        for key, paper in papers.items():
            seat = self.seats[key]
            seat.lines = [[line.section, line.text] for line in paper.lines]
            seat.released = sorted(paper.released)
            if seat.asked_in != self.row.phase:
                seat.answers = {}
            self.session.add(seat)

    # --- dice and proof -------------------------------------------------------------------------------

    def rolls(self, first_phase: int = 1, sealed: bool = False) -> list[Roll]:
        """The dice recorded since a phase began, open ones, or the sealed ones too."""
        phases = {row.number: row for row in self.phases(first_phase)}
        numbers = {number: row.rolls for number, row in phases.items()}
        found: list[Roll] = []
        for row in self.rows(first_phase, "answer"):
            if row.by not in ("dice", "sealed"):
                continue
            where = phases[row.phase]
            if row.by == "dice":
                numbers[row.phase] += 1
            if sealed or row.by == "dice":
                number = numbers[row.phase] if row.by == "dice" else 0
                found.append(
                    Roll(
                        number,
                        max(1, where.turn),
                        where.label,
                        row.asked,
                        tuple(row.answer),
                        tuple(where.salts),
                    )
                )
        return found

    def commitment(self, snapshot: bytes) -> str:
        """The sealed commitment to the whole state, checkable when the game is over (design: dice that anyone can check)."""
        return hmac.digest(self.chain.sealed_secret, snapshot, hashlib.sha256).hex()

    def letters_of_turn(self, turn: int) -> dict[str, int]:
        """N13: how many order letters each seat has used in a turn, those that had to be corrected included."""
        query = select(LetterRow.seat).where(
            LetterRow.game == self.row.id, LetterRow.turn == turn, col(LetterRow.orders) > 0
        )
        return Counter(self.session.exec(query))

    def press_count(self, seat: str, turn: int) -> int:
        """How many messages a seat has sent to others in a turn."""
        numbers = [row.number for row in self.phases() if row.turn == turn]
        query = select(JournalRow.number).where(
            JournalRow.game == self.row.id,
            JournalRow.kind == "press",
            col(JournalRow.phase).in_(numbers),
            col(JournalRow.asked).startswith(f"{seat} to "),
        )
        return len(list(self.session.exec(query)))

    def post(self, key: Key, recipient: str, subject: str, raw: bytes) -> None:
        """Put a letter into the outbox, unless one with this key is there already."""
        if self.session.exec(select(OutboxRow.id).where(OutboxRow.key == key.slug)).first() is None:
            self.session.add(
                OutboxRow(
                    game=self.row.id,
                    key=key.slug,
                    recipient=recipient,
                    subject=subject,
                    raw=raw,
                    created=self.now,
                )
            )
            self.session.flush()

    # --- time -----------------------------------------------------------------------------------------

    def deadline(self) -> datetime | None:
        """When the seats that are waited for must have answered, in UTC; None if the game has no clock."""
        hours = self.row.settings.get("clock_hours")
        if not hours or self.row.waiting_since is None or self.row.status != "running":
            return None
        due = self.row.waiting_since + timedelta(hours=hours)
        at = self.row.settings.get("clock_at")
        if at is None:
            return due
        zone = ZoneInfo(self.row.settings.get("zone", "UTC"))
        local = due.astimezone(zone)
        evening = local.replace(hour=int(at), minute=0, second=0, microsecond=0)
        return (evening if evening >= local else evening + timedelta(days=1)).astimezone(due.tzinfo)


def visible(notes: Iterable[Note], seat: str) -> tuple[Note, ...]:
    """The notes that a seat may read."""
    return tuple(note for note in notes if note.seen_by(seat))
