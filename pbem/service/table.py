"""A game as a use case works on it: its rows in one transaction, turned into a position and papers, and steps
turned into rows."""

from __future__ import annotations

import hashlib
import hmac
import random
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from sqlalchemy.orm import defer
from sqlmodel import Session, col, select

from pbem.engine.board import Board
from pbem.engine.bots import greedy_bot, random_bot
from pbem.engine.desk import FirstOf
from pbem.engine.dice import GameDice, HashChain
from pbem.engine.game import Game, GameState, View, game
from pbem.engine.language import StandingLine
from pbem.engine.notes import Note
from pbem.engine.play import Ask, AskAll, Chance, Dice, Entry, Request, seats_asked
from pbem.mail.address import NOWHERE
from pbem.mail.compose import Key
from pbem.mail.letter import Letter
from pbem.service.letters.news import DeadlineNews, DecisionNews, LineNews, News
from pbem.service.play.answers import Outcome, Papers, questions, reached
from pbem.service.play.lateness import Played
from pbem.service.play.questions import Questions
from pbem.service.play.sections import asked_section, entries
from pbem.service.play.sheet import Sheet, SheetLine, load_standing
from pbem.service.play.steps import Position, Step, play_on, resume, state_hash
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

MAIL_TAKES = timedelta(hours=1)
"""A letter that has been sent this long after it was written does not put off a deadline."""

_TITLE = re.compile(r"\[(?P<game>[a-z0-9_-]+)\]\s*(?P<title>Turn \d+, [^:]+)", re.IGNORECASE)


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
    sealed."""

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
    """The rows of one game in one transaction. `now` never goes back behind the moment since which the game
    has been waiting."""

    def __init__(self, session: Session, row: GameRow, now: datetime) -> None:
        self.session = session
        self.row = row
        self.now = max(now, row.waiting_since or now)
        self.game: Game[Any] = game(row.game)
        self.seats: dict[str, SeatRow] = seats(session, row.id)
        self.chain = HashChain(row.secret, self.game.turns)
        self._writer: JournalWriter | None = None
        self._position: Position | None = None
        self._sheets: dict[str, Sheet] = {}

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
        all."""
        query = select(JournalRow).where(JournalRow.game == self.row.id)
        wanted = col(JournalRow.phase) >= first_phase
        if kinds:
            wanted = wanted & col(JournalRow.kind).in_(kinds)
        query = query.where(wanted | (col(JournalRow.kind) == "undo"))
        return standing_rows(list(self.session.exec(query.order_by(col(JournalRow.number)))))

    # --- what the seats have handed in ----------------------------------------------------------------

    def sheet(self, seat: SeatRow) -> Sheet:
        """The seat's order lines of this turn."""
        known = self._sheets.get(seat.key)
        if known is None:
            value = seat.sheet
            known = self._read_again(seat, value) if "text" in value else Sheet.load(self.game.grammar, value)
            self._sheets[seat.key] = known
        return known

    def keep_sheet(self, seat: SeatRow, sheet: Sheet) -> None:
        """Write down the seat's order lines."""
        self._sheets[seat.key] = sheet
        seat.sheet = sheet.dump()
        self.session.add(seat)

    def _read_again(self, seat: SeatRow, value: dict[str, Any]) -> Sheet:
        """The order lines of a game that was begun when they were kept as text: pairs of section and line."""
        state = self.here().state
        roster = self.game.roster(state, seat.key)
        sheet = Sheet(state.turn, closed=list(value["closed"]))
        for section, text in value["text"]:
            reading = self.game.grammar.read([(1, text)], roster, section)
            line = SheetLine(sheet.take_name(), section, text)
            if len(reading.orders) == 1 and not reading.faults:
                line.line = reading.orders[0]
            else:
                line.state, line.why = "faulty", "it cannot be read any more"
            sheet.lines.append(line)
        return sheet

    def standing(self, seat: SeatRow) -> list[StandingLine]:
        """The seat's standing orders. Those of games begun when they were kept as text are read again."""
        kept = [value for value in seat.standing if not isinstance(value, str)]
        found = list(load_standing(self.game.grammar, kept))
        if texts := [value for value in seat.standing if isinstance(value, str)]:
            roster = self.game.roster(self.here().state, seat.key)
            reading = self.game.grammar.read([(-1, "[standing]"), *enumerate(texts)], roster)
            found += [line for line in reading.standing if line.policy is not None]
        return found

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
        salts = tuple(self.phase(number).salts) if number == self.row.phase else tuple(self.salts())
        return GameDice(self.chain, self.row.id, max(1, state.turn), label, salts)

    def salts(self) -> list[str]:
        """The salts that will count in the next phase to begin."""
        return [f"{row.asked}: {row.answer}" for row in self.rows(1, "salt")]

    def play_on(
        self,
        here: Step | None = None,
        *,
        letter: int | None = None,
        forced: Mapping[str, str] | None = None,
    ) -> list[Step]:
        """Adjudicate as far as it goes and write down what was played. `here` is the game as it is, if it is
        known; `letter` the one that sets off the play; `forced` are the seats whose time is up, each with the
        section asked for."""
        here = here or self.here()
        position = self.position()
        papers = self.papers(forced, here.waiting)
        before = _asked_for(here.waiting)
        steps = play_on(self.game, position, papers, self.dice)
        for step in steps:
            self._record(step, letter)
            self._mark_played(step, forced or {})
        late = _close_late(papers, steps, forced or {})
        self._note(steps, forced or {})
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
                game=self.row.id, number=step.number + 1, label=self.game.label(following),
                turn=following.turn, snapshot=pack(step.after), salts=self.salts(), rolls=following.rolls,
                notes=[],
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
                news.deadlines.append(DeadlineNews(late, section))
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
            asked = (key, section) in step.finished
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
        """The sealed commitment to the whole state, checkable when the game is over (design: dice that anyone
        can check)."""
        return hmac.digest(self.chain.sealed_secret, snapshot, hashlib.sha256).hex()

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
        if self.session.exec(select(OutboxRow.id).where(OutboxRow.key == key.slug)).first() is None:
            self.session.add(
                OutboxRow(
                    game=self.row.id, key=key.slug, recipient=recipient, subject=subject, raw=raw,
                    created=self.now, seat=key.seat, kind=key.kind, position=self.journal.last,
                    message_id=about.message_id, section=about.section, letter=about.letter,
                    about=about.about,
                )
            )  # fmt: skip
            self.session.flush()

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
        words = f"[{self.row.id}] {title['title'].strip()}"
        named = mine.where(col(OutboxRow.subject).icontains(words, autoescape=True)).order_by(None)
        return self.session.exec(named.order_by(col(OutboxRow.id))).first()

    # --- time -----------------------------------------------------------------------------------------

    def awaited(self, here: Step) -> dict[str, str]:
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

    def deadline(self, here: Step | None = None) -> datetime | None:
        """When the seats that are waited for must have answered, in UTC; None if the game has no clock.

        The clock runs from when the letters that asked were sent. Who has let a deadline pass and not written
        since has until the same hour of the next day for each further section of that turn.
        """
        if self.row.waiting_since is None or self.row.status != "running":
            return None
        hours = self.row.settings.get("clock_hours")
        if not hours:
            return None
        waited = self.awaited(here or self.here())
        missed = [self.seats[seat].missed for seat in waited]
        due = self._rounded(self._asked_at(waited) + timedelta(hours=hours))
        turn = (here or self.here()).turn
        if missed and all(each.get("turn") == turn for each in missed):
            again = [self._next_day(datetime.fromisoformat(each["due"])) for each in missed]
            return min(due, max(again))
        return due

    def is_due(self, here: Step) -> bool:
        """Whether the deadline has passed. While a letter that asks has not been sent, the clock does not
        run."""
        moment = self.deadline(here)
        unsent = any(row.sent is None for row in self._asking(self.awaited(here)))
        return moment is not None and moment <= self.now and not unsent

    def _asked_at(self, waited: Iterable[str]) -> datetime:
        """The moment from which the clock runs: when the game began to wait, or when the last letter that
        asks was sent, if that was much later."""
        assert self.row.waiting_since is not None
        sent = [row.sent for row in self._asking(waited) if row.sent is not None]
        late = [moment for moment in sent if moment - self.row.waiting_since > MAIL_TAKES]
        return max([self.row.waiting_since, *late])

    def _asking(self, waited: Iterable[str]) -> list[OutboxRow]:
        """The letters that asked the seats that are waited for, as far as they go by mail."""
        keys = [News.load(self.seats[seat].news).letter for seat in waited]
        query = (
            select(OutboxRow)
            .options(defer(OutboxRow.raw))  # type: ignore[arg-type]
            .where(col(OutboxRow.key).in_(keys))
        )
        return [row for row in self.session.exec(query) if not row.recipient.endswith(f"@{NOWHERE}")]

    def _rounded(self, due: datetime) -> datetime:
        """A deadline put off to the hour of day at which those of this game are."""
        at = self.row.settings.get("clock_at")
        if at is None:
            return due
        local = due.astimezone(ZoneInfo(self.row.settings.get("zone", "UTC")))
        evening = local.replace(hour=int(at), minute=0, second=0, microsecond=0)
        return (evening if evening >= local else evening + timedelta(days=1)).astimezone(due.tzinfo)

    def _next_day(self, due: datetime) -> datetime:
        """The same hour of the day after that on which the game began to wait."""
        assert self.row.waiting_since is not None
        local = due.astimezone(ZoneInfo(self.row.settings.get("zone", "UTC")))
        asked = self.row.waiting_since.astimezone(local.tzinfo).date()
        while local.date() <= asked:
            local += timedelta(days=1)
        return local.astimezone(due.tzinfo)


def _close_late(
    papers: dict[str, Papers], steps: Sequence[Step], forced: Mapping[str, str]
) -> dict[str, str]:
    """Return the sections that a deadline has closed but that could not be played to the end because a
    decision is open: they stay closed, without their faulty lines."""
    spent = {pair for step in steps for pair in step.spent}
    late = {seat: section for seat, section in forced.items() if section and (seat, section) not in spent}
    for seat, section in late.items():
        paper = papers[seat]
        faulty = [line for line in paper.lines if line.section == section and line.state == "faulty"]
        phase = steps[-1].state.phase
        steps[-1].outcomes += [Outcome(seat, line, phase, skipped=line.why) for line in faulty]
        paper.lines = [line for line in paper.lines if line not in faulty]
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
