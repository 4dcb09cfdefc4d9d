"""A game as a use case works on it: what is stored of it, turned into a position and papers, played on, and
written down again."""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import datetime
from functools import cached_property
from typing import Any

from sqlmodel import Session

from pbem.engine.board import Board
from pbem.engine.desk import FirstOf
from pbem.engine.game import SYSTEM, Game, Result, View, game
from pbem.engine.language import StandingLine
from pbem.engine.notes import Note
from pbem.engine.planner import bot_for
from pbem.engine.play import AskAll, Chance, Request, seats_asked
from pbem.mail.address import ReplyTo
from pbem.service.play.answers import Outcome, questions
from pbem.service.play.lateness import let_pass
from pbem.service.play.news import DeadlineNews
from pbem.service.play.papers import ForPhase, Late, Papers
from pbem.service.play.position import changed
from pbem.service.play.questions import Questions
from pbem.service.play.sections import asked_section, entries
from pbem.service.play.sheet import Sheet, load_standing
from pbem.service.play.steps import EARLY, HELD, Position, Step, play_on, resume, state_hash
from pbem.service.record.aftermath import mark_played, note_news
from pbem.service.record.clock import Clock
from pbem.service.record.dice_rules import Round
from pbem.service.record.game_record import GameRecord
from pbem.service.record.post import Post
from pbem.service.record.rows import GameRow, JournalRow, PhaseRow, SeatRow, StaffRow, pack, unpack
from pbem.service.record.terms import replies_to
from pbem.service.record.thoughts import Thoughts
from pbem.service.record.turn_dice import TurnDice


class Table:
    """One game on the table of a use case: what is being played, and beside it what is stored (`record`), its
    letters (`post`), its dice (`dice`) and what its planners have thought (`thoughts`)."""

    def __init__(self, session: Session, row: GameRow, now: datetime) -> None:
        self.record = GameRecord(session, row, now)
        self.post = Post(self.record)
        self.row, self.seats = row, self.record.seats
        self.game: Game[Any] = game(row.game)
        self.dice = TurnDice(self.record, self.game.turns)
        self.thoughts = Thoughts(self.record, self.game)
        self._position: Position | None = None
        self._sheets: dict[str, Sheet] = {}

    @property
    def now(self) -> datetime:
        return self.record.now

    @property
    def address(self) -> str:
        """The server's own mail address, below which the seats have theirs."""
        return str(self.row.settings.get("address", "pbem@localhost"))

    def reply_to(self, person: SeatRow | StaffRow, scope: str = "") -> ReplyTo:
        """How letters to a seat, or to one of the staff, are answered; with a `scope`, one letter alone."""
        return replies_to(self.row.settings, self.row.id, person.key, person.token_key, scope)

    # --- where the game stands ------------------------------------------------------------------------

    def position(self) -> Position:
        """The running phase: its snapshot and the answers since. Read once; what this table plays is
        added."""
        if self._position is None:
            row = self.record.phase()
            entries = self.record.entries(row.number)
            self._position = Position(row.number, unpack(row.snapshot), tuple(entries))
        return self._position

    def here(self) -> Step:
        """The game as it stands: its state and what is waited for."""
        here = resume(self.game, self.position())
        if here.over and (row := self.record.ending) is not None:
            here.decreed = Result(row.answer["level"], row.answer["winner"] or None)
            here.state.phase = row.answer["phase"]  # what views show: the game stopped in it
        return here

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
        self.record.keep(seat)

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
        phase = ForPhase(
            asked.values(asks, forced=forced),
            frozenset() if forced else asked.withheld(),
            asked.defaults == self.row.phase,
            Late(
                frozenset({late} if late else ()),
                frozenset(ask.what for ask in asks) if named else None,
                self.clock.policy(seat.key) == "hold",
            )
            if forced
            else None,
        )
        return Papers(
            seat.key,
            tuple(sheet.lines),
            frozenset(sheet.closed),
            tuple(self.standing(seat)),
            self._bot(seat),
            phase,
        )

    def has_missed(self, seat: SeatRow) -> bool:
        """Whether a seat has let a deadline of this turn pass and not written since."""
        return let_pass(seat.missed, self.record.phase().turn) is not None

    def _bot(self, seat: SeatRow) -> Any:
        if not seat.bot:
            return None
        # Link 0 is public: a bot that drew from it could be foreseen by its opponent.
        sealed = self.dice.chain.sealed_secret.hex()
        chance = random.Random(f"{self.row.id}|{seat.key}|{self.row.phase}|{sealed}")
        if self.thoughts.thinks(seat):
            return self.thoughts.bot(seat.key, chance)
        return bot_for("greedy" if seat.bot == SYSTEM else seat.bot, self.game, seat.key, chance)

    # --- playing on -----------------------------------------------------------------------------------

    def play_on(
        self,
        here: Step | None = None,
        *,
        letter: int | None = None,
        forced: Mapping[str, str] | None = None,
        round: Round | None = None,
        early: str = "",
    ) -> list[Step]:
        """Adjudicate as far as it goes and write down what was played. `here` is the game as it is, if it is
        known; `letter` the one that sets off the play; `forced` are the seats whose time is up, each with the
        section asked for. `round` is that of the beacon which throws the dice: without it a game with a
        beacon plays up to the first die, and names the round. `early` is who applies a deadline before it is
        due."""
        here = here or self.here()
        self.dice.hang_on(round)
        new = forced or {}  # a deadline before the round was told, and closed its sections, then
        if round is not None and round.phase == self.row.phase:
            forced = {seat: section for seat, section in round.late.items() if section}
        position = self.position()
        papers = self.papers(forced, here.waiting)
        before = _asked_for(here.waiting)
        steps, papers = play_on(self.game, position, papers, self.dice.of, self.opened)
        closed = {key: self.sheet(seat).closed for key, seat in self.seats.items()}
        for step in steps:
            self._record(step, letter)
            mark_played(self.game, self.record, step, forced or {}, closed, early)
        papers, late = _close_late(papers, steps, new)
        passed = [
            DeadlineNews(seat, section, self.clock.policy(seat), early) for seat, section in new.items()
        ]
        if early:
            _tell_held_lines_so(steps)
        note_news(self.game, self.record, steps, passed)
        self._position = None
        self._keep(papers, steps, late)
        last = steps[-1]
        anew = (
            last.number != position.number
            or not _asked_for(last.waiting) <= before
            or any(step.answered for step in steps)
            or self.row.waiting_since is None
        )
        self.clock.bank.turn(self.waited_for(last), anew=anew)
        if anew:
            self.row.waiting_since = self.now
        if last.over:
            self.row.status = "over"
        elif isinstance(last.waiting, Chance) and self.dice.open_round() is None:
            self.dice.name_round(forced or {})
        return steps

    def _record(self, step: Step, letter: int | None) -> None:
        self.record.journal.append_answers(step.number, self.dice.thrown(step), at=self.now, letter=letter)
        if step.after is not None:
            self.end_phase(step)

    def end(self, here: Step) -> None:
        """End the game where it stands, in the midst of a phase."""
        self.game.end(here.state)
        here.after, here.over = self.game.dump(here.state), True
        self.end_phase(here)
        self.row.status, self._position = "over", None
        self.record.keep(self.row)

    def end_phase(self, step: Step, salts: Sequence[str] | None = None) -> None:
        """Write down the end of a phase and open the next one, in which `salts` count: those held now, unless
        they are given."""
        assert step.after is not None
        digest = state_hash(step.after)
        self.record.journal.append(step.number, "end", step.label, digest, at=self.now)
        row = self.record.phase(step.number)
        row.ended, row.state_hash, row.notes = True, digest, [note.facts() for note in step.notes]
        self.record.session.flush()
        snapshot = self._open(step.number + 1, step.after)
        following = self.game.load(snapshot)
        label = self.game.label(following)
        held = self.dice.salts(label) if salts is None else list(salts)
        self.record.open_phase(
            PhaseRow(
                game=self.row.id, number=step.number + 1, label=label,
                turn=following.turn, snapshot=pack(snapshot), salts=held, rolls=following.rolls,
                notes=[],
            )
        )  # fmt: skip

    def _rulings_on_position(self, number: int) -> list[JournalRow]:
        """The rulings that change the position where a phase begins."""
        about = ("position", number)
        return [row for row in self.record.rulings if (row.answer["what"], row.answer.get("phase")) == about]

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
            self.record.tell_moderators(says, lines)
            return snapshot
        said = {"ruling": ruling, "before": state_hash(snapshot), "after": state_hash(after)}
        self.record.journal.append(number, "position", row.asked, said, at=self.now, by=row.by)
        return after

    def change_position(self, row: JournalRow) -> None:
        """Carry out a ruling on the position in the running phase, in which nothing has been played."""
        phase = self.record.phase()
        phase.snapshot = pack(self._change(phase.number, unpack(phase.snapshot), row))
        self.record.keep(phase)
        self.record.session.flush()
        self.forget()

    def forget(self) -> None:
        """Read the game anew when it is next looked at: rows were changed under it."""
        self._position = None
        self.record.forget()

    def reopen(self, number: int) -> None:
        """Make a phase that has been played the running one, and delete those after it."""
        self.record.reopen(number)
        self.forget()

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
            self.record.keep(seat)

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

    def must_think(self, here: Step) -> dict[str, tuple[int, int]]:
        """The seats that the game waits for because their planner has yet to think, each with the moment for
        which it does (time/thinking.py)."""
        asked = seats_asked(here.waiting) if self.row.status == "running" else ()
        moments = {seat: self.thoughts.lacking(self.seats[seat], here.state) for seat in asked}
        return {seat: moment for seat, moment in moments.items() if moment is not None}

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
) -> tuple[dict[str, Papers], dict[str, str]]:
    """Return the sections that a deadline has closed but that could not be played to the end because a
    decision is open, by seat: they stay closed. Before them the papers, without the lines that the deadline
    does not play."""
    spent = {pair for step in steps for pair in step.spent}
    late = {seat: section for seat, section in forced.items() if section and (seat, section) not in spent}
    for seat, section in late.items():
        paper = papers[seat]
        left_out = [
            line
            for line in paper.lines
            if line.section == section and (paper.on_hold or line.state == "faulty")
        ]
        steps[-1].outcomes += [
            Outcome(seat, line, steps[-1].state.phase, skipped=HELD if paper.on_hold else line.why)
            for line in left_out
        ]
        kept = tuple(line for line in paper.lines if line not in left_out)
        papers = papers | {seat: replace(paper, lines=kept)}
    return papers, late


def _tell_held_lines_so(steps: Sequence[Step]) -> None:
    """Lines that a deadline does not play have missed none where it was applied early."""
    for step in steps:
        step.outcomes = [
            replace(each, skipped=EARLY) if each.skipped == HELD else each for each in step.outcomes
        ]


def _asked_for(request: Request | None) -> set[tuple[str, str]]:
    """What is being asked of whom."""
    asks = request.asks if isinstance(request, FirstOf | AskAll) else (request,) if request else ()
    return {(ask.seat, getattr(ask, "section", ask.what)) for ask in asks if not isinstance(ask, Chance)}


def visible(notes: Iterable[Note], seat: str) -> tuple[Note, ...]:
    """The notes that a seat may read."""
    return tuple(note for note in notes if note.seen_by(seat))
