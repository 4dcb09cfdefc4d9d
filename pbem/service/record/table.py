"""A game as a use case works on it: its rows in one transaction, turned into a position and papers, and steps
turned into rows."""

from __future__ import annotations

import hashlib
import hmac
import random
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from functools import cached_property
from typing import Any

from sqlalchemy import bindparam
from sqlalchemy.orm import defer
from sqlmodel import Session, col, select

from pbem.engine.beacon import round_after
from pbem.engine.board import Board
from pbem.engine.bots import greedy_bot, random_bot
from pbem.engine.desk import FirstOf
from pbem.engine.dice import GameDice, HashChain, round_of, ruled
from pbem.engine.game import Game, GameState, View, game
from pbem.engine.language import StandingLine
from pbem.engine.notes import Note
from pbem.engine.play import Ask, AskAll, Chance, Dice, Entry, Request, seats_asked
from pbem.mail.compose import Key
from pbem.mail.letter import Letter
from pbem.mail.mime import first_text, read_mail
from pbem.mail.quotes import folded
from pbem.service.play.answers import Outcome, Papers, questions, reached
from pbem.service.play.lateness import Played
from pbem.service.play.news import DeadlineNews, DecisionNews, LineNews, News
from pbem.service.play.position import changed
from pbem.service.play.questions import Questions
from pbem.service.play.sections import asked_section, entries
from pbem.service.play.sheet import Sheet, load_standing
from pbem.service.play.steps import HELD, Position, Step, play_on, resume, state_hash
from pbem.service.record.clock import Clock
from pbem.service.record.dice_rules import Round, rounds_of, rule_of, salts_kept, salts_that_count
from pbem.service.record.notices import tell_moderators
from pbem.service.record.store import (
    TAKING_BACK,
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


def _lines_of(raw: bytes) -> list[str]:
    """The lines of the text part of a letter of ours."""
    return first_text(read_mail(raw)).splitlines()


_TITLE = re.compile(r"\[(?P<game>[a-z0-9_-]+)\].*(?P<where>- T\d+ [^,]+)", re.IGNORECASE)
"""The game and the phase in a subject."""


@dataclass(frozen=True, slots=True)
class Postmark:
    """What is to be known of a letter of ours: its Message-ID, the section that it asks for, the letter that
    it answers, and of press the seat that wrote it."""

    message_id: str
    section: str = ""
    letter: int | None = None
    about: str = ""


@dataclass(frozen=True, slots=True)
class Roll:
    """A recorded die or draw. `number` is its place among the open rolls of the game (R17), 0 if it is
    sealed; `row` is its row in the journal."""

    number: int
    turn: int
    phase: str
    label: str
    faces: tuple[Any, ...]
    salts: tuple[str, ...]
    row: int

    @property
    def event(self) -> str:
        return "|".join([self.phase, self.label])


_PHASES = (
    select(PhaseRow)
    .where(PhaseRow.game == bindparam("game"), col(PhaseRow.number) >= bindparam("first"))
    .order_by(col(PhaseRow.number))
)
_JOURNAL = select(JournalRow).where(JournalRow.game == bindparam("game")).order_by(col(JournalRow.number))
_SINCE = col(JournalRow.phase) >= bindparam("first")
_KINDS = col(JournalRow.kind).in_(bindparam("kinds", expanding=True))
_ROWS = _JOURNAL.where(_SINCE | col(JournalRow.kind).in_(TAKING_BACK))
_ROWS_OF_KINDS = _JOURNAL.where(_SINCE & _KINDS | col(JournalRow.kind).in_(TAKING_BACK))
_OF_KINDS = _JOURNAL.where(_KINDS)
_WRITTEN = select(OutboxRow.id).where(OutboxRow.key == bindparam("key"))


class Table:
    """The rows of one game in one transaction. `now` never goes back behind the moment since which the game
    has been waiting."""

    def __init__(self, session: Session, row: GameRow, now: datetime) -> None:
        self.session = session
        self.row = row
        self.machine_time = now
        self.now = max(now, row.waiting_since or now)
        self.game: Game[Any] = game(row.game)
        self.seats: dict[str, SeatRow] = seats(session, row.id)
        self.chain = HashChain(row.secret, self.game.turns)
        self._writer: JournalWriter | None = None
        self._position: Position | None = None
        self._sheets: dict[str, Sheet] = {}
        self._phases: dict[int, PhaseRow] = {}  # a session forgets rows that nobody holds
        self._read: dict[tuple[Any, ...], list[JournalRow]] = {}
        self._round: Round | None = None
        self.named: Round | None = None
        """The round that was named in this transaction."""

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
        row = phase_row(self.session, self.row.id, number or self.row.phase)
        self._phases[row.number] = row
        return row

    def phases(self, first: int = 1) -> list[PhaseRow]:
        """The phases from `first` on, in order."""
        if not self._phases.keys() >= {*range(first, self.row.phase + 1)}:
            rows = self.session.exec(_PHASES, params={"game": self.row.id, "first": first})
            self._phases |= {row.number: row for row in rows}
        return [row for number, row in sorted(self._phases.items()) if number >= first]

    def position(self) -> Position:
        """The running phase: its snapshot and the answers since. Read once; what this table plays is
        added."""
        if self._position is None:
            row = self.phase()
            entries = phase_entries(self.session, self.row.id, row.number)
            self._position = Position(row.number, unpack(row.snapshot), tuple(entries))
        return self._position

    def here(self) -> Step:
        """The game as it stands: its state and what is waited for."""
        return resume(self.game, self.position())

    def rows(self, first_phase: int = 1, *kinds: str) -> list[JournalRow]:
        """The journal rows that count, in order: of the phases from `first_phase` on, of these kinds or of
        all. The journal only grows, so what has been read holds until its next row."""
        what = (self.journal.last, first_phase, *kinds)
        if what not in self._read:
            named = self._of(*kinds) | {"first": first_phase}
            found = self.session.exec(_ROWS_OF_KINDS if kinds else _ROWS, params=named)
            rows = standing_rows(list(found))
            self._read[what] = [
                row for row in rows if row.phase >= first_phase and (not kinds or row.kind in kinds)
            ]
        return self._read[what]

    def _of(self, *kinds: str) -> dict[str, Any]:
        return {"game": self.row.id, "kinds": kinds}

    # --- what the seats have handed in ----------------------------------------------------------------

    def sheet(self, seat: SeatRow) -> Sheet:
        """The seat's order lines of this turn."""
        known = self._sheets.get(seat.key)
        if known is None:
            known = self._sheets[seat.key] = Sheet.load(self.game.grammar, seat.sheet)
        return known

    def keep_sheet(self, seat: SeatRow, sheet: Sheet) -> None:
        """Write down the seat's order lines."""
        self._sheets[seat.key] = sheet
        seat.sheet = sheet.dump()
        self.session.add(seat)

    def standing(self, seat: SeatRow) -> list[StandingLine]:
        """The seat's standing orders."""
        return list(load_standing(self.game.grammar, seat.standing))

    def papers(
        self, forced: Mapping[str, str] | None = None, waiting: Request | None = None
    ) -> dict[str, Papers]:
        """Everything the seats have handed in; `forced` are the seats whose time is up, each with the section
        that it was asked for ("" for a decision). `waiting` is what is asked now.

        A deadline for decisions decides those that were asked; so does one for orders with all that comes of
        them, and the second that a seat lets pass in a turn with all that the phase asks,
        as its letters say."""
        late = forced or {}
        return {key: self._papers(seat, late.get(key), waiting) for key, seat in self.seats.items()}

    def _papers(self, seat: SeatRow, late: str | None, waiting: Request | None) -> Papers:
        sheet, asked = self.sheet(seat), Questions.load(seat.questions)
        forced = late is not None
        asks = questions(waiting, seat.key)
        named = late == "" and not self.has_missed(seat)
        return Papers(
            seat.key,
            lines=list(sheet.lines),
            closed=set(sheet.closed),
            standing=self.standing(seat),
            answers=asked.values(asks, forced=forced),
            withheld=frozenset() if forced else asked.withheld(),
            bot=self._bot(seat),
            forced=forced,
            sections=frozenset({late} if late else ()),
            asked=frozenset(ask.what for ask in asks) if named else None,
            defaults=asked.defaults == self.row.phase,
            hold=forced and self.clock.policy(seat.key) == "hold",
        )

    def has_missed(self, seat: SeatRow) -> bool:
        """Whether a seat has let a deadline of this turn pass and not written since."""
        return bool(seat.missed) and seat.missed.get("turn") == self.phase().turn

    def _bot(self, seat: SeatRow) -> Any:
        if not seat.bot:
            return None
        # Link 0 is public: a bot that drew from it could be foreseen by its opponent.
        chance = random.Random(f"{self.row.id}|{seat.key}|{self.row.phase}|{self.chain.sealed_secret.hex()}")
        return random_bot(chance) if seat.bot == "random" else greedy_bot(self.game.judge, chance)

    # --- playing on -----------------------------------------------------------------------------------

    def dice(self, state: GameState, label: str, number: int) -> Dice:
        salts = tuple(self.phase(number).salts) if number == self.row.phase else tuple(self.salts(label))
        turn, ruling = self.secret_turn(max(1, state.turn))
        if rule_of(self.row) != "beacon":
            return GameDice(self.chain, self.row.id, turn, label, salts, ruling)
        if self._round is None:
            return lambda request, label: None
        return GameDice(self.chain, self.row.id, turn, label, (self._round.value,), ruling, self._round.name)

    def rounds(self) -> list[Round]:
        """The rounds of the beacon that were named in this game, in order."""
        if rule_of(self.row) != "beacon":
            return []
        return rounds_of(self.session.exec(_OF_KINDS, params=self._of("beacon", "ruling")))

    def open_round(self) -> Round | None:
        """The round of the beacon that the game waits for."""
        if rule_of(self.row) != "beacon" or self.row.status != "running":
            return None
        last = self.rounds()[-1:]
        return last[0] if last and last[0].waits else None

    @cached_property
    def rulings(self) -> list[JournalRow]:
        """The rulings of the game, in order."""
        return list(self.session.exec(_OF_KINDS, params=self._of("ruling")))

    def secret_turn(self, turn: int) -> tuple[int, str]:
        """The turn whose link throws new dice in `turn`, and what these dice say of it: once a ruling has
        gone back into a turn whose link was revealed, the turn from which it went back, and the ruling."""
        back = [row.answer for row in self.rulings if row.answer.get("turn", 0) > turn]
        last = max(back, key=lambda each: int(each["turn"]), default=None)
        return (last["turn"], f"ruling {last['ruling']} of turn {last['turn']}") if last else (turn, "")

    def salts(self, phase: str) -> list[str]:
        """The salts that will count in the next phase to begin, given its label."""
        kept = salts_kept(self.rulings, phase)
        return salts_that_count(self.rows(1, "salt"), rule_of(self.row)) if kept is None else kept

    def salt(self, seat: str, words: str, letter: int | None, by: str = "") -> None:
        """Write down a salt of a seat; `by` is "letter" where its first letter gives it."""
        self.journal.append(self.row.phase, "salt", seat, words, at=self.now, by=by, letter=letter)

    def play_on(
        self,
        here: Step | None = None,
        *,
        letter: int | None = None,
        forced: Mapping[str, str] | None = None,
        round: Round | None = None,
    ) -> list[Step]:
        """Adjudicate as far as it goes and write down what was played. `here` is the game as it is, if it is
        known; `letter` the one that sets off the play; `forced` are the seats whose time is up, each with the
        section asked for. `round` is that of the beacon which throws the dice: without it a game with a
        beacon plays up to the first die, and names the round."""
        here = here or self.here()
        self._round = round
        new = forced or {}  # a deadline before the round was told, and closed its sections, then
        if round is not None and round.phase == self.row.phase:
            forced = {seat: section for seat, section in round.late.items() if section}
        position = self.position()
        papers = self.papers(forced, here.waiting)
        before = _asked_for(here.waiting)
        steps = play_on(self.game, position, papers, self.dice, self.opened)
        for step in steps:
            self._record(step, letter)
            self._mark_played(step, forced or {})
        late = _close_late(papers, steps, new)
        self._note(steps, new)
        self._position = None
        self._keep(papers, steps, late)
        last = steps[-1]
        if (
            last.number != position.number
            or not _asked_for(last.waiting) <= before
            or any(step.answered for step in steps)
            or self.row.waiting_since is None
        ):
            self.row.waiting_since = self.now
        if last.over:
            self.row.status = "over"
        elif isinstance(last.waiting, Chance) and self.open_round() is None:
            self._name_round(forced or {})
        return steps

    def _name_round(self, late: Mapping[str, str]) -> None:
        """Name the round on which the dice hang that the game has come to: its orders have just been closed.
        A game without a beacon waits for dice only where it is played for show."""
        if rule_of(self.row) != "beacon":
            return
        number = round_after(self.now)
        answer = {"round": number, "closed": self.now.astimezone(UTC).isoformat(), "late": dict(late)}
        self.journal.append(self.row.phase, "beacon", f"round {number}", answer, at=self.now)
        self.session.flush()
        self.named = self.open_round()

    def _record(self, step: Step, letter: int | None) -> None:
        ruling = self.secret_turn(max(1, step.turn))[1]
        round = self._round.name if self._round else ""
        entries: list[Entry] = []
        for entry in step.fresh:
            said = [round, ruling if entry.by == "dice" else ""] if entry.dice else []
            by = f"{entry.by} {'|'.join(filter(None, said))}".rstrip()
            entries.append(replace(entry, by=by))
        self.journal.append_answers(step.number, entries, at=self.now, letter=letter)
        if step.after is not None:
            self.end_phase(step)

    def end_phase(self, step: Step, salts: Sequence[str] | None = None) -> None:
        """Write down the end of a phase and open the next one, in which `salts` count: those held now, unless
        they are given."""
        assert step.after is not None
        digest = state_hash(step.after)
        self.journal.append(step.number, "end", step.label, digest, at=self.now)
        row = self.phase(step.number)
        row.ended, row.state_hash, row.notes = True, digest, [note.facts() for note in step.notes]
        self.session.flush()
        snapshot = self._open(step.number + 1, step.after)
        following = self.game.load(snapshot)
        label = self.game.label(following)
        held = self.salts(label) if salts is None else list(salts)
        self.row.phase = step.number + 1
        opened = self._phases[self.row.phase] = PhaseRow(
            game=self.row.id, number=step.number + 1, label=label,
            turn=following.turn, snapshot=pack(snapshot), salts=held, rolls=following.rolls,
            notes=[],
        )  # fmt: skip
        self.session.add(opened)
        self.session.flush()

    def _rulings_on_position(self, number: int) -> list[JournalRow]:
        """The rulings that change the position where a phase begins."""
        return [
            row for row in self.rulings if row.answer["what"] == "position" and row.answer["phase"] == number
        ]

    def opened(self, number: int, snapshot: bytes) -> bytes:
        """What a phase begins with, given the state after the one before: rulings may change it."""
        for row in self._rulings_on_position(number):
            with suppress(ValueError):
                snapshot = changed(self.game, snapshot, row.answer["set"])
        return snapshot

    def _open(self, number: int, snapshot: bytes) -> bytes:
        """Write down what rulings change where a phase begins."""
        for row in self._rulings_on_position(number):
            snapshot = self._change(number, snapshot, row)
        return snapshot

    def _change(self, number: int, snapshot: bytes, row: JournalRow) -> bytes:
        """Carry out a ruling on the position; the moderator hears of one that cannot be."""
        ruling = row.answer["ruling"]
        try:
            after = changed(self.game, snapshot, row.answer["set"])
        except ValueError as error:
            says = f"Ruling {ruling} was not carried out"
            lines = [f"{row.answer['says']}: {error}."]
            tell_moderators(self.session, self.row.id, says, lines, self.now)
            return snapshot
        said = {"ruling": ruling, "before": state_hash(snapshot), "after": state_hash(after)}
        self.journal.append(number, "position", row.asked, said, at=self.now, by=row.by)
        return after

    def change_position(self, row: JournalRow) -> None:
        """Carry out a ruling on the position in the running phase, in which nothing has been played."""
        phase = self.phase()
        phase.snapshot = pack(self._change(phase.number, unpack(phase.snapshot), row))
        self.session.add(phase)
        self.session.flush()
        self.forget()

    def forget(self) -> None:
        """Read the game anew when it is next looked at: rows were changed under it."""
        self._position, self._phases = None, {}

    def reopen(self, number: int) -> None:
        """Make a phase that has been played the running one, and delete those after it."""
        row = self.phase(number)
        row.ended, row.state_hash, row.notes = False, "", []
        self.session.add(row)
        for later in self.phases(number + 1):
            self.session.delete(later)
        self.session.flush()
        self.row.phase = number
        self.session.add(self.row)
        self.forget()

    def append(self, phase: int, entry: Entry, letter: int | None = None, at: datetime | None = None) -> None:
        """Write down an answer that was given now, or `at` an earlier moment."""
        self.journal.append(
            phase,
            "answer",
            entry.asked,
            entry.answer,
            at=at or self.now,
            by=entry.by,
            digest=entry.digest,
            letter=letter,
        )

    def _note(self, steps: Sequence[Step], forced: Mapping[str, str]) -> None:
        """Note for each seat what it is to be told of what was played."""
        people = {key: seat for key, seat in self.seats.items() if not seat.bot}
        told = {key: News.load(seat.news) for key, seat in people.items()}
        for step in steps:
            for key, news in told.items():
                self._end_what_was_begun(key, news, step)
            for outcome in step.outcomes:
                if outcome.seat in told:
                    told[outcome.seat].lines.append(_line_news(outcome))
            for each in step.decided:
                if each.seat in told:
                    told[each.seat].decided.append(
                        DecisionNews(
                            each.what,
                            str(each.value),
                            each.by,
                            each.line,
                            each.why,
                            Questions.load(people[each.seat].questions).title_of(step.number, each.what),
                        )
                    )
        for late, section in forced.items():
            for news in told.values():
                news.deadlines.append(DeadlineNews(late, section, self.clock.policy(late)))
        for key, news in told.items():
            people[key].news = news.dump()

    def _end_what_was_begun(self, seat: str, news: News, step: Step) -> None:
        """Tell how far a line has come that a question had interrupted, once it has been carried out to its
        end."""
        if isinstance(step.waiting, Ask | AskAll) and all(each.seat != seat for each in step.outcomes):
            return
        for line in [line for line in (*news.begun, *news.lines) if line.under_way]:
            order = self.game.grammar.load(line.under_way)
            assert order is not None
            ended = replace(line, reached=reached(self.game, step.state, seat, order), under_way=None)
            news.lines = [each for each in news.lines if each is not line] + [ended]
        news.begun = []

    def _mark_played(self, step: Step, forced: Mapping[str, str]) -> None:
        """Note which sections have been played with a step, asked for or not."""
        phase = self.game.phase(step.label.split(".")[1]) if step.label else None
        for key, section in dict.fromkeys(step.spent):
            asked = (key, section) in step.finished or (key, section) in step.asked
            if key in self.seats and phase and (asked or not phase.drawn):
                seat = self.seats[key]
                missed = section in (forced.get(key), seat.missed.get("section"))
                by = "deadline" if missed else self._closed_by(step, key, section)
                record = Played(step.turn, step.number, self.journal.last, self.now.isoformat(), by)
                seat.played = seat.played | {section: asdict(record)}

    def _closed_by(self, step: Step, key: str, section: str) -> str:
        lines = [each for each in step.outcomes if (each.seat, each.line.section) == (key, section)]
        return "done" if lines or section in self.sheet(self.seats[key]).closed else ""

    def _keep(self, papers: dict[str, Papers], steps: Sequence[Step], late: Mapping[str, str]) -> None:
        """What is left of the seats' orders stays with them, and what is asked now gets its numbers. `late`
        are sections that a deadline has closed and a question keeps from being played to the end."""
        last = steps[-1]
        new_turn = any(step.ended and step.state.turn != step.turn for step in steps)
        for key, paper in papers.items():
            seat = self.seats[key]
            sheet = self.sheet(seat).copy()
            names = {line.name for line in paper.lines}
            sheet.lines = [line for line in sheet.lines if line.name in names]
            sheet.turn = last.state.turn
            sheet.closed = [section for section in sheet.closed if section in paper.closed]
            if key in late:
                sheet.close(late[key])
            sheet.held = [section for section in sheet.held if sheet.of(section)]
            self.keep_sheet(seat, sheet)
            asked = Questions.load(seat.questions)
            if new_turn:
                asked.new_turn()
            used = [what for step in steps for who, what in step.answered if who == key]
            asked.ask(last.number, questions(last.waiting, key), used)
            seat.questions = asked.dump()
            self.session.add(seat)

    # --- dice and proof -------------------------------------------------------------------------------

    def rolls(self, first_phase: int = 1, sealed: bool = False) -> list[Roll]:
        """The dice recorded since a phase began, open ones, or the sealed ones too."""
        phases = {row.number: row for row in self.phases(first_phase)}
        numbers = {number: row.rolls for number, row in phases.items()}
        values = {each.number: each.value for each in self.rounds()}
        found: list[Roll] = []
        for row in self.rows(first_phase, "answer"):
            entry, where = row.entry(), phases[row.phase]
            open_ = entry.dice == "dice"
            numbers[row.phase] += open_
            if open_ or (sealed and entry.dice):
                label = ruled(row.asked, entry.ruling)
                round = round_of(label)
                salts = tuple(where.salts) if round is None else (values[round],)
                found.append(
                    Roll(
                        numbers[row.phase] if open_ else 0,
                        max(1, where.turn),
                        where.label,
                        label,
                        tuple(row.answer),
                        salts,
                        row.number,
                    )
                )
        return found

    def commitment(self, secret: bytes) -> str:
        """The sealed commitment to a state or another secret, checkable when the game is over (design: dice
        that anyone can check)."""
        return hmac.digest(self.chain.sealed_secret, secret, hashlib.sha256).hex()

    def journal_seal(self, seat: str, letter: int, head: str) -> str:
        """What letter number `letter` to a seat commits to of the journal, whose last hash is `head`. The
        hash itself would let the reader try out what the other side may have written."""
        return self.commitment(f"{seat} {letter} {head}".encode())

    def letters_of_turn(self, turn: int) -> dict[str, int]:
        """N13: how many order letters each seat has used in a turn, those that had to be corrected
        included."""
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

    def post(self, key: Key, recipient: str, subject: str, raw: bytes, about: Postmark) -> None:
        """Put a letter into the outbox, unless one with this key is there already."""
        if self.session.exec(_WRITTEN, params={"key": key.slug}).first() is None:
            self.session.add(
                OutboxRow(
                    game=self.row.id, key=key.slug, recipient=recipient, subject=subject, raw=raw,
                    created=self.now, seat=key.seat, kind=key.kind, position=self.journal.last,
                    message_id=about.message_id, section=about.section, letter=about.letter,
                    about=about.about,
                )
            )  # fmt: skip

    def answered(self, letter: Letter, seat: str) -> OutboxRow | None:
        """The letter of ours to this seat that a letter answers: named in its headers, else the one with its
        subject, else the first of the turn and phase in it."""
        mine = select(OutboxRow).where(OutboxRow.game == self.row.id, OutboxRow.seat == seat)
        mine = mine.options(defer(OutboxRow.raw)).order_by(col(OutboxRow.id).desc())  # type: ignore[arg-type]
        for name in filter(None, (letter.in_reply_to, *reversed(letter.references))):
            if (row := self.session.exec(mine.where(OutboxRow.message_id == name)).first()) is not None:
                return row
        title = _TITLE.search(letter.subject)
        if title is None or title["game"].lower() != self.row.id:
            return None
        whole = letter.subject[title.start() :].strip()
        if (row := self.session.exec(mine.where(OutboxRow.subject == whole)).first()) is not None:
            return row
        where = title["where"].strip()
        named = mine.where(col(OutboxRow.subject).icontains(where, autoescape=True)).order_by(None)
        return self.session.exec(named.order_by(col(OutboxRow.id))).first()

    def quotable(self, seat: str, answered: OutboxRow | None) -> frozenset[str]:
        """The lines of the letter that a letter answers, or else of the last letters to this seat, as they
        are compared (`quotes.folded`)."""
        last = select(OutboxRow).where(OutboxRow.game == self.row.id, OutboxRow.seat == seat)
        rows = [answered] if answered else self.session.exec(last.order_by(col(OutboxRow.id).desc()).limit(3))
        return frozenset(folded(line) for row in rows for line in _lines_of(row.raw) if line.strip())

    # --- time -----------------------------------------------------------------------------------------

    def waited_for(self, here: Step) -> dict[str, str]:
        """The people that the game is waiting for, each with the section that it is asked for ("" for a
        decision). Who writes at the same time as others and has closed the section is not waited for any
        more."""
        asked = {seat: asked_section(here, seat) for seat in seats_asked(here.waiting)}
        return {
            seat: section
            for seat, section in asked.items()
            if not self.seats[seat].bot and section not in self.sheet(self.seats[seat]).closed
        }

    def board(self, step: Step, view: View, notes: tuple[Note, ...] = ()) -> Board:
        """The map of a view, with what `notes` tell, and where units of its seat may come onto the map
        now."""
        board = self.game.report.board(view, notes)
        open_to = entries(self.game, step, view.seat)
        return replace(board, entries=open_to)

    @cached_property
    def clock(self) -> Clock:
        return Clock(self)

    def deadline(self, here: Step | None = None) -> datetime | None:
        """When the seats that are waited for must have answered, in UTC; None if there is no deadline."""
        return self.clock.due(here)


def _close_late(
    papers: dict[str, Papers], steps: Sequence[Step], forced: Mapping[str, str]
) -> dict[str, str]:
    """Return the sections that a deadline has closed but that could not be played to the end because a
    decision is open: they stay closed, without the lines that the deadline does not play."""
    spent = {pair for step in steps for pair in step.spent}
    late = {seat: section for seat, section in forced.items() if section and (seat, section) not in spent}
    for seat, section in late.items():
        paper = papers[seat]
        left_out = [
            line for line in paper.lines if line.section == section and (paper.hold or line.state == "faulty")
        ]
        phase = steps[-1].state.phase
        steps[-1].outcomes += [
            Outcome(seat, line, phase, skipped=HELD if paper.hold else line.why) for line in left_out
        ]
        paper.lines = [line for line in paper.lines if line not in left_out]
    return late


def _line_news(outcome: Outcome) -> LineNews:
    line = outcome.line
    order = outcome.order.dump() if outcome.under_way and outcome.order else None
    return LineNews(line.title, line.section, line.text.strip(), outcome.skipped, outcome.reached, order)


def _asked_for(request: Request | None) -> set[tuple[str, str]]:
    """What is being asked of whom."""
    asks = request.asks if isinstance(request, FirstOf | AskAll) else (request,) if request else ()
    return {(ask.seat, getattr(ask, "section", ask.what)) for ask in asks if not isinstance(ask, Chance)}


def visible(notes: Iterable[Note], seat: str) -> tuple[Note, ...]:
    """The notes that a seat may read."""
    return tuple(note for note in notes if note.seen_by(seat))
