"""Use case: tell the history of a game, step by step, as one reader may know it.

Every phase is played again from its snapshot and answers. Before each answer that begins a new step, and at
the end of the phase, each reader's view is looked at: what a step holds is built from these views and from
the notes that their reader may read, and from nothing else.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import Any

from pbem.engine.board import Arrow, Board, Border, Counter, Mark
from pbem.engine.desk import Desk, FirstOf
from pbem.engine.dice import is_set, link_of, ruling_of
from pbem.engine.game import Game, GameState
from pbem.engine.notes import UMPIRE, Note
from pbem.engine.play import Answer, Chance, Decision, Entry, advance, seats_asked
from pbem.mail.signing import public_key
from pbem.render.replay import Chapter, Die, Order, Player, Step, Story, Track, html, part, with_proof
from pbem.service.caselist import titles
from pbem.service.disputes.page import zone_of
from pbem.service.disputes.words import cell_of, in_words, modifiers_of
from pbem.service.letters.layout import roll_line, with_dice
from pbem.service.letters.log import log_lines, visible_facts
from pbem.service.letters.proof import PAGE, Proof, lines_of, signed
from pbem.service.play.sections import phase_title
from pbem.service.play.steps import Step as Now
from pbem.service.queries import table_of
from pbem.service.rulings.told import TOLD_TO_ALL, recorded
from pbem.service.store import JournalRow, PhaseRow, Store, unpack
from pbem.service.table import Roll, Table

MOST_OUTCOMES = 40
"""Up to this many outcomes of a die are listed."""

PASSING = ("lost", "target")
"""Marks of what has just happened; all others last."""


def tell(store: Store, game_id: str | None, reader: str = UMPIRE) -> Story:
    """Return the history of a game as a seat, or the umpire, may know it. The umpire's of a game that is over
    has a track for each seat too. Raises StoreError for an unknown game or seat, OrderError where today's
    rules refuse what was played."""
    return _Telling(_read(store, game_id, reader)).story()


def replay_page(
    store: Store, game_id: str | None, reader: str = UMPIRE, start: str = "", end: str = ""
) -> tuple[str, Story]:
    """Return the page of a game, or of a part of it (story.part), with its signed proof, and its story.
    Raises what `tell` raises, and ValueError where there is no such part."""
    record = _read(store, game_id, reader)
    story = part(_Telling(record).story(), start, end)
    page = html(story)
    digest = hashlib.sha256(page.encode()).hexdigest()
    lines = signed(lines_of(record.proof_of(story)), {PAGE: digest}, record.letter_key, "page")
    return with_proof(page, lines), story


@dataclass(frozen=True, slots=True)
class _Record:
    """All that is read of a game, which is played again when the store is free for others. `answers` are
    those of each phase, `proof` is that of all dice, with the links that may be known."""

    table: Table
    here: Now
    readers: tuple[str, ...]
    phases: tuple[PhaseRow, ...]
    answers: Mapping[int, tuple[JournalRow, ...]]
    rolls: tuple[Roll, ...]
    rulings: tuple[JournalRow, ...]
    proof: Proof
    letter_key: bytes

    def proof_of(self, story: Story) -> Proof:
        """Return what proves the dice of a story, and the sealed ones of a game that is over."""
        rolls = [roll for roll in self.rolls if not roll.number or roll.number in story.dice]
        salts = self.proof.salts and {roll.phase: roll.salts for roll in rolls}
        return replace(self.proof, salts=salts, rolls=tuple(map(roll_line, rolls)))


def _read(store: Store, game_id: str | None, reader: str) -> _Record:
    with table_of(store, game_id, reader) as (table, here):
        row, over = table.row, here.over
        seats = tuple(table.seats) if over and reader == UMPIRE else ()
        answers: dict[int, list[JournalRow]] = {}
        for each in table.rows(1, "answer"):
            answers.setdefault(each.phase, []).append(each)
        rolls = tuple(table.rolls(sealed=over))
        last = max(1, here.turn) if over else table.secret_turn(max(1, here.turn))[0] - 1
        if over:
            last = max([last, *filter(None, (link_of(roll.phase, roll.label) for roll in rolls))])
        known = Proof(game=row.id, key=row.game, turn=here.turn, public=public_key(row.letter_key))
        known = with_dice(table, known, 1, last)
        if over:
            opened = {
                "sealed": table.chain.sealed_commitment.hex(),
                "opened": table.chain.sealed_secret.hex(),
            }
            known = replace(known, links={**known.links, **opened})
        return _Record(
            table,
            here,
            (reader, *seats),
            tuple(table.phases()),
            {number: tuple(rows) for number, rows in answers.items()},
            rolls,
            tuple(table.rulings),
            known,
            row.letter_key,
        )


@dataclass(slots=True)
class _Happened:
    """What a step of the game comes to, for all its readers: `orders` with the seats that know them, `rolls`
    with what was asked and the seat whose order led to the die."""

    chapter: int
    orders: list[tuple[tuple[str, ...], Order]] = field(default_factory=list)
    notes: list[Note] = field(default_factory=list)
    rolls: list[tuple[Roll, Chance, str]] = field(default_factory=list)
    begun: bool = False
    """Whether an order or a die has begun it."""


class _Telling:
    """Plays a game again and writes down what each reader sees of it."""

    def __init__(self, record: _Record) -> None:
        self.record = record
        self.table = record.table
        self.game: Game[Any] = record.table.game
        self.over = record.here.over
        self.writers = [_Writer(self.game, reader) for reader in record.readers]
        self.chapters: list[Chapter] = []
        self.serial = 0

    def story(self) -> Story:
        table, first = self.table, self.writers[0]
        open_ = {roll.row: roll for roll in self.record.rolls if roll.number}
        for phase in self.record.phases:
            rows = self.record.answers.get(phase.number, ())
            self._phase(phase, [row.entry() for row in rows], [open_.get(row.number) for row in rows])
        assert first.first is not None
        self._add_rulings()
        state = self.record.here.state
        view = self.game.view(state, first.reader)
        result = self.game.report.result(state) if self.over else None
        return Story(
            game=table.row.id,
            rules=table.row.game,
            title=self.game.title,
            scenario=self.game.scenarios[table.row.scenario].title,
            options=dict(table.row.options),
            players=tuple(self._players()),
            over=self.over,
            result=result.level if result else "",
            figures=result.figures if result else self.game.report.figures(view),
            board=replace(first.first, legend=first.legend),
            chapters=self.chapters,
            tracks=[writer.track for writer in self.writers],
            dice=first.dice,
            link=table.chain.link(0).hex(),
            titles=titles(self.game.key),
            credits=self.game.report.credits,
        )

    def _players(self) -> Iterator[Player]:
        for key, row in self.table.seats.items():
            seat = self.game.seat(key)
            yield Player(key, seat.title, row.name or row.bot, seat.side)

    def _add_rulings(self) -> None:
        """Put each ruling behind the roll that it is about, or where the phase begins in which it changes
        something."""
        for writer in self.writers:
            for row in self.record.rulings:
                said = row.answer
                if writer.reader != UMPIRE and said["what"] not in TOLD_TO_ALL:
                    continue
                zone = zone_of(self.table, writer.reader)
                writer.add_ruling(int(said["ruling"]), self._place(row), tuple(recorded(row, zone)))

    def _place(self, row: JournalRow) -> tuple[int, int]:
        """Where a ruling stands: its chapter, and the number of a roll, 0 for none."""
        number = int(row.asked[1:]) if row.asked[:1] == "R" and row.asked[1:].isdecimal() else 0
        there = [at for at, each in enumerate(self.chapters) if each.number == row.phase]
        return (there[0] if there else len(self.chapters) - 1), number

    # --- a phase ------------------------------------------------------------------------------------------

    def _phase(self, phase: PhaseRow, entries: Sequence[Entry], rolls: Sequence[Roll | None]) -> None:
        state: GameState = self.game.load(unpack(phase.snapshot))
        if not state.phase:
            return
        player = _Player(self, state, entries, rolls)
        advance(self.game.phase(state.phase).play(state), state, answers=player.decision, dice=player.throw)
        player.end()
        first = self.writers[0]
        view = self.game.view(state, first.reader)
        self.chapters.append(
            Chapter(
                phase.number,
                max(1, phase.turn),
                phase.label,
                phase_title(self.game, phase.label),
                tuple(order for seats, order in player.orders if first.may_know(seats)),
                self.game.report.figures(view),
                first.standing,
                phase.state_hash if first.reader == UMPIRE or self.over else "",
            )
        )


class _Player:
    """Gives the recorded answers of one phase, and closes a step before each that begins another."""

    def __init__(
        self, telling: _Telling, state: GameState, entries: Sequence[Entry], rolls: Sequence[Roll | None]
    ) -> None:
        self.telling = telling
        self.state = state
        self.entries = entries
        self.rolls = rolls
        self.at = 0
        self.told = 0
        self.orders: list[tuple[tuple[str, ...], Order]] = []
        self.step = _Happened(len(telling.chapters))
        self.open = False
        """Whether an order is being carried out: dice and decisions belong to it."""

    def throw(self, request: Chance, label: str) -> list[Any] | None:
        if self.at == len(self.entries):
            return None
        entry, roll = self.entries[self.at], self.rolls[self.at]
        self.at += 1
        if not self.open and self.step.begun:
            self._close()
        if roll is not None:
            seats = {seat for seats, _ in self.step.orders for seat in seats}
            self.step.rolls.append((roll, request, seats.pop() if len(seats) == 1 else ""))
            self.step.begun = True
        return list(entry.answer)

    def decision(self, request: Decision) -> Answer | None:
        if self.at == len(self.entries):
            return None
        entry = self.entries[self.at]
        self.at += 1
        if isinstance(request, FirstOf):
            seat, recorded = entry.answer
            return self._ordered(request.of(seat), (seat,), recorded, entry, of=seat)
        if isinstance(request, Desk):
            return self._ordered(request, seats_asked(request), entry.answer, entry)
        seats = seats_asked(request)
        if not self.step.begun and not self.open:
            self.step.begun = True
        self._know(seats, Order(", ".join(seats), f"{request.what}: {in_words(entry.answer)}", entry.by))
        return Answer(entry.answer, entry.by)

    def _ordered(
        self, desk: Desk[Any], seats: tuple[str, ...], recorded: Any, entry: Entry, of: str = ""
    ) -> Answer:
        order = desk.load(recorded)
        if order is None:
            self.open = False
        else:
            if self.step.begun:
                self._close()
            self.open = self.step.begun = True
            self._know(seats, Order(", ".join(seats), self.telling.game.grammar.write(order), entry.by))
        return Answer((of, order) if of else order, entry.by)

    def _know(self, seats: tuple[str, ...], order: Order) -> None:
        self.orders.append((seats, order))
        self.step.orders.append((seats, order))

    def end(self) -> None:
        """The phase has been played, as far as it was."""
        self._close(last=True)

    def _close(self, *, last: bool = False) -> None:
        """Write down the step and begin another."""
        telling, log = self.telling, self.state.log
        self.step.notes = list(log[self.told :])
        self.told = len(log)
        for writer in telling.writers:
            writer.write(self.state, self.step, telling.serial, last=last)
        telling.serial += 1
        self.step = _Happened(len(telling.chapters))


def _numbers(note: Note) -> tuple[int, int]:
    """The rolls that a note tells of."""
    return note.roll, int(getattr(note, "lots", 0))


def _die(roll: Roll, request: Chance, seat: str, notes: Iterable[Note]) -> Die:
    """All about an open roll, as these notes tell of it."""
    case, dice, what, *_ = roll.label.split("|")
    about = [note for note in notes if roll.number in _numbers(note)]
    told = dict.fromkeys((tuple(modifiers_of(note)), cell_of(note)) for note in about)  # once for all sides
    listed = list(islice(request.outcomes(), MOST_OUTCOMES + 1))
    chances: dict[str, int] = {}
    if len(listed) <= MOST_OUTCOMES:
        for faces, weight in listed:
            shows = request.worth_of(faces)
            chances[shows] = chances.get(shows, 0) + weight
    return Die(
        number=roll.number,
        seat=seat,
        case=case,
        dice=dice,
        what=what,
        faces=roll.faces,
        fell=request.worth_of(roll.faces) if chances else "",
        chances=tuple(chances.items()),
        phase=roll.phase,
        label=roll.label,
        set_by=ruling_of(roll.label) if is_set(roll.label) else 0,
        modifiers=tuple(each for parts, _ in told for each in parts),
        cell="; ".join(cell for _, cell in told if cell),
        result=next((in_words(note.facts()[note.cell[-1]]) for note in about if note.cell), ""),
    )


class _Writer:
    """Writes the steps of one reader."""

    def __init__(self, game: Game[Any], reader: str) -> None:
        self.game = game
        self.reader = reader
        self.track = Track(reader)
        self.dice: dict[int, Die] = {}
        self.first: Board | None = None
        self.legend: dict[str, str] = {}
        self.standing = ""
        self._stacks: dict[str, tuple[Counter, ...]] = {}
        self._marks: tuple[Mark, ...] | None = None
        self._borders: tuple[Border, ...] = ()
        self._supply: tuple[Arrow, ...] = ()

    def may_know(self, seats: Sequence[str]) -> bool:
        """Whether an order of these seats is this reader's to read."""
        return self.reader == UMPIRE or tuple(seats) == (self.reader,)

    def write(self, state: GameState, happened: _Happened, serial: int, *, last: bool) -> None:
        """Add a step, if its reader learns anything from it."""
        notes = tuple(note for note in happened.notes if note.seen_by(self.reader))
        if not notes and not last:
            return
        view = self.game.view(state, self.reader)
        board = self.game.report.board(view, notes)
        self.first = self.first or board
        self.legend |= board.legend
        self.standing = board.subtitle
        known = {number for note in notes for number in _numbers(note)}
        rolls = [each for each in happened.rolls if self.reader == UMPIRE or each[0].number in known]
        self.dice |= {each[0].number: _die(*each, notes) for each in rolls}
        step = Step(
            serial,
            happened.chapter,
            log_lines(self.game.key, visible_facts(notes, self.reader), self.reader),
            tuple(order for seats, order in happened.orders if self.may_know(seats)),
            tuple(roll.number for roll, *_ in rolls),
            self._moved(board),
            tuple(dict.fromkeys(arrow for arrow in board.arrows if arrow.kind != "supply")),
            tuple(dict.fromkeys(board.battles)),
            tuple(mark for mark in board.marks if mark.kind in PASSING),
        )
        marks = tuple(mark for mark in board.marks if mark.kind not in PASSING)
        if marks != self._marks:
            step.marks = self._marks = marks
        if board.borders != self._borders:
            step.borders = self._borders = board.borders
        supply = tuple(arrow for arrow in board.arrows if arrow.kind == "supply")
        if supply != self._supply:
            step.supply = self._supply = supply
        lasting = (step.marks, step.borders, step.supply)
        changed = bool(step.stacks) or any(each is not None for each in lasting)
        steps = self.track.steps
        if notes:
            steps.append(step)
        elif changed and steps and steps[-1].chapter == step.chapter:
            self._join(steps[-1], step)
        elif changed:
            steps.append(step)

    def add_ruling(self, number: int, place: tuple[int, int], lines: tuple[str, ...]) -> None:
        """Add a ruling as a step of its own, behind the step of its roll or before the first of its
        chapter."""
        chapter, roll = place
        steps = self.track.steps
        at = next((at + 1 for at, step in enumerate(steps) if roll and roll in step.rolls), None)
        if at is None:
            at = next((at for at, step in enumerate(steps) if step.chapter >= chapter), len(steps))
        while at < len(steps) and steps[at].ruling:
            at += 1
        where = steps[at - 1].chapter if roll and at else chapter
        steps.insert(at, Step(-number, where, lines, ruling=number))

    def _moved(self, board: Board) -> dict[str, tuple[Counter, ...]]:
        """The hexes whose counters have changed, with what stands there now."""
        now: dict[str, list[Counter]] = {}
        for counter in board.counters:
            now.setdefault(counter.hex, []).append(counter)
        stacks = {hex: tuple(there) for hex, there in now.items()}
        changed = {hex: there for hex, there in stacks.items() if self._stacks.get(hex) != there}
        changed |= {hex: () for hex in self._stacks if hex not in stacks}
        self._stacks = stacks
        return changed

    def _join(self, step: Step, after: Step) -> None:
        """What changes at the end of a phase without a note belongs to its last step."""
        step.stacks |= after.stacks
        step.marks = step.marks if after.marks is None else after.marks
        step.borders = step.borders if after.borders is None else after.borders
        step.supply = step.supply if after.supply is None else after.supply
