"""Use case: tell the history of a game, step by step, as one reader may know it.

Every phase is played again from its snapshot and answers. Before each answer that begins a new step, and at
the end of the phase, each reader's view is looked at: what a step holds is built from these views and from
the notes that their reader may read, and from nothing else.
"""

from __future__ import annotations

import hashlib
import re
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
from pbem.render.replay import (
    Chapter,
    Die,
    Order,
    Player,
    Position,
    Step,
    Story,
    Track,
    html,
    part,
    with_proof,
)
from pbem.service.letters.caselist import titles
from pbem.service.letters.diary import Opened, opened
from pbem.service.letters.layout import roll_line, with_dice
from pbem.service.letters.log import log_lines, visible_facts
from pbem.service.letters.luck import Luck
from pbem.service.letters.rolls.page import zone_of
from pbem.service.letters.rolls.words import cell_of, in_words, modifiers_of, names_any
from pbem.service.letters.ruled import TOLD_TO_ALL, recorded
from pbem.service.play.sections import phase_title
from pbem.service.play.steps import Step as Now
from pbem.service.proof.lines import PAGE, Proof, lines_of, signed
from pbem.service.record.rows import unpack
from pbem.service.record.table import Table
from pbem.service.record.turn_dice import Roll

MOST_OUTCOMES = 40
"""Up to this many outcomes of a die are listed."""

DIARY_FROM = 1_000_000
"""The serials of steps that are entries of a diary lie below those of rulings by this."""

PASSING = ("lost", "target")
"""Marks of what has just happened; all others last."""


def story_of(record: Record) -> Story:
    """Return what a record tells. Raises OrderError where today's rules refuse what was played."""
    return _Telling(record).story()


def html_of(record: Record, luck: Luck, start: str = "", end: str = "") -> tuple[str, Story]:
    """Return the page that tells a record, with the luck report of the same reader, and its story. A part of
    the game has the report on its own dice. Raises OrderError where today's rules refuse what was played, and
    ValueError where there is no such part."""
    story = part(story_of(record), start, end)
    if start or end:
        luck = luck.between(min(story.dice, default=0), max(story.dice, default=0))
    page = html(story, luck.on_page())
    digest = hashlib.sha256(page.encode()).hexdigest()
    lines = signed(lines_of(record.proof_of(story)), {PAGE: digest}, record.letter_key, "page")
    return with_proof(page, lines), story


@dataclass(frozen=True, slots=True)
class Scene:
    """A step of the game with its phase and the map after it."""

    chapter: Chapter
    step: Step
    board: Board


def scenes_of(record: Record) -> Iterator[Scene]:
    """Yield what a record tells its reader, step by step. A phase is played when its first step is asked for.
    Raises OrderError where today's rules refuse what was played."""
    telling = _Telling(replace(record, rulings=dict(islice(record.rulings.items(), 1))))
    writer, position = telling.writers[0], Position()
    for step in telling.steps():
        assert writer.first is not None
        chapter = telling.chapters[step.chapter]
        position.take(step)
        title = f"{telling.game.title} · {chapter.title}"
        frame = replace(writer.first, title=title, legend=dict(writer.legend))
        yield Scene(chapter, step, position.board(frame, step))


@dataclass(frozen=True, slots=True)
class Played:
    """A phase as it was recorded: what it began with, and each answer with its roll if it was an open one;
    `rows` are the rows of these answers in the journal."""

    number: int
    turn: int
    label: str
    snapshot: bytes
    answers: tuple[tuple[Entry, Roll | None], ...]
    rows: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class RulingTold:
    """A ruling: its number, the phase and the roll that it is about (0 for none), and its lines."""

    number: int
    phase: int
    roll: int
    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Record:
    """All that is read of a game, in plain values: it is played again when the store is free for others.
    `rulings` are those that each reader may know of, `proof` is that of all dice, with the links that may be
    known, `diary` what is opened of the diaries, `letter` the last row of the journal when the first reader's
    last letter with a map was written (0: there is none)."""

    id: str
    game: Game[Any]
    scenario: str
    options: Mapping[str, str]
    players: tuple[Player, ...]
    here: Now
    phases: tuple[Played, ...]
    rulings: Mapping[str, tuple[RulingTold, ...]]
    rolls: tuple[Roll, ...]
    proof: Proof
    letter_key: bytes
    letter: int = 0
    diary: tuple[Opened, ...] = ()

    @property
    def readers(self) -> tuple[str, ...]:
        return tuple(self.rulings)

    def proof_of(self, story: Story) -> Proof:
        """Return what proves the dice of a story, and the sealed ones of a game that is over."""
        rolls = [roll for roll in self.rolls if not roll.number or roll.number in story.dice]
        salts = self.proof.salts and {roll.phase: roll.salts for roll in rolls}
        return replace(self.proof, salts=salts, rolls=tuple(map(roll_line, rolls)))


def record_of(table: Table, here: Now, reader: str, *, diaries: bool = True) -> Record:
    """Return what the game at a table has recorded, for a seat or the umpire; with `diaries` also what
    players have written for themselves, if the game is over."""
    row, game = table.row, table.game
    seats = tuple(table.seats) if reader == UMPIRE else ()
    rolls = tuple(table.dice.rolls(sealed=here.over))
    thrown = {roll.row: roll for roll in rolls if roll.number}
    answers: dict[int, list[tuple[Entry, Roll | None]]] = {}
    rows: dict[int, list[int]] = {}
    for answer in table.record.rows(1, "answer"):
        answers.setdefault(answer.phase, []).append((answer.entry(), thrown.get(answer.number)))
        rows.setdefault(answer.phase, []).append(answer.number)
    return Record(
        row.id,
        game,
        row.scenario,
        dict(row.options),
        tuple(
            Player(key, game.seat(key).title, seat.name or seat.bot, game.seat(key).side)
            for key, seat in table.seats.items()
        ),
        here,
        tuple(
            Played(
                phase.number,
                max(1, phase.turn),
                phase.label,
                phase.snapshot,
                tuple(answers.get(phase.number, ())),
                tuple(rows.get(phase.number, ())),
            )
            for phase in table.record.phases()
        ),
        {each: tuple(_rulings(table, each)) for each in (reader, *seats)},
        rolls,
        _proof(table, here, rolls),
        row.letter_key,
        table.post.shown_to(reader),
        opened(table) if here.over and diaries else (),
    )


def _rulings(table: Table, reader: str) -> Iterator[RulingTold]:
    """The rulings that a reader may know of."""
    zone = zone_of(table, reader)
    for row in table.record.rulings:
        if reader == UMPIRE or row.answer["what"] in TOLD_TO_ALL:
            roll = int(row.asked[1:]) if row.asked[:1] == "R" and row.asked[1:].isdecimal() else 0
            yield RulingTold(int(row.answer["ruling"]), row.phase, roll, tuple(recorded(row, zone)))


def _proof(table: Table, here: Now, rolls: Sequence[Roll]) -> Proof:
    """What proves all dice, with the links that may be known: those of turns that are over, and of a game
    that is over also what opens the sealed dice."""
    row, chain = table.row, table.dice.chain
    known = Proof(game=row.id, key=row.game, turn=here.turn, public=public_key(row.letter_key))
    if not here.over:
        return with_dice(table, known, 1, table.dice.secret_turn(max(1, here.turn))[0] - 1)
    turns = filter(None, (link_of(roll.phase, roll.label) for roll in rolls))
    known = with_dice(table, known, 1, max([1, here.turn, *turns]))
    opened = {"sealed": chain.sealed_commitment.hex(), "opened": chain.sealed_secret.hex()}
    return replace(known, links={**known.links, **opened})


@dataclass(slots=True)
class _Happened:
    """What a step of the game comes to, for all its readers: `orders` with the seats that know them, `rolls`
    with what was asked."""

    chapter: int
    orders: list[tuple[tuple[str, ...], Order]] = field(default_factory=list)
    notes: list[Note] = field(default_factory=list)
    rolls: list[tuple[Roll, Chance]] = field(default_factory=list)
    begun: bool = False
    """Whether an order or a die has begun it."""
    row: int = 0
    """The row of the last answer in it."""


class _Telling:
    """Plays a game again and writes down what each reader sees of it."""

    def __init__(self, record: Record) -> None:
        self.record = record
        self.game = record.game
        self.over = record.here.over
        self.writers = [_Writer(self.game, reader) for reader in record.readers]
        self.chapters: list[Chapter] = []
        self.serial = 0
        self.row = 0
        """The last row of the journal that has been played."""

    def story(self) -> Story:
        record, first = self.record, self.writers[0]
        for phase in record.phases:
            self._phase(phase)
        assert first.first is not None
        for writer in self.writers:
            for ruling in record.rulings[writer.reader]:
                writer.add_ruling(ruling, self._chapter(ruling.phase))
            for number, entry in enumerate(record.diary, 1):
                writer.add_entry(entry, self._chapter(entry.phase), number)
        state = record.here.state
        result = record.here.result(self.game) if self.over else None
        figures = result.figures if result else self.game.report.figures(self.game.view(state, first.reader))
        return Story(
            game=record.id,
            rules=self.game.key,
            title=self.game.title,
            scenario=self.game.scenarios[record.scenario].title,
            options=record.options,
            players=record.players,
            over=self.over,
            result=result.level if result else "",
            figures=figures,
            board=replace(first.first, legend=first.legend),
            chapters=self.chapters,
            tracks=[writer.track for writer in self.writers],
            dice=first.dice,
            link=record.proof.links["0"],
            titles=titles(self.game.key),
            credits=self.game.report.credits,
            letter=record.letter,
        )

    def steps(self) -> Iterator[Step]:
        """Yield the steps of the first reader, phase by phase."""
        writer = self.writers[0]
        rulings, told = list(self.record.rulings[writer.reader]), 0
        for phase in self.record.phases:
            self._phase(phase)
            rolls = {roll for step in writer.track.steps[told:] for roll in step.rolls}
            last = phase is self.record.phases[-1]
            for ruling in [
                each for each in rulings if last or each.roll in rolls or each.phase == phase.number
            ]:
                writer.add_ruling(ruling, self._chapter(ruling.phase))
                rulings.remove(ruling)
            yield from writer.track.steps[told:]
            told = len(writer.track.steps)

    def _chapter(self, phase: int) -> int:
        """The chapter of a phase; the last one of a phase that has not begun."""
        there = [at for at, each in enumerate(self.chapters) if each.number == phase]
        return there[0] if there else len(self.chapters) - 1

    # --- a phase ------------------------------------------------------------------------------------------

    def _phase(self, phase: Played) -> None:
        state: GameState = self.game.load(unpack(phase.snapshot))
        if not state.phase:
            return
        player = _Player(self, state, phase)
        advance(self.game.phase(state.phase).play(state), state, answers=player.decision, dice=player.throw)
        player.end()
        first = self.writers[0]
        view = self.game.view(state, first.reader)
        self.chapters.append(
            Chapter(
                phase.number,
                phase.turn,
                phase.label,
                phase_title(self.game, phase.label, lambda: state),
                day_of(view.title),
                tuple(order for seats, order in player.orders if first.may_know(seats)),
                self.game.report.figures(view),
            )
        )


def day_of(title: str) -> str:
    """When a turn is, from the title of a view: ``Turn 2 (7 June), Allied combat``."""
    match = re.match(r"Turn \d+ \(([^)]+)\)", title)
    return match[1] if match else ""


class _Player:
    """Gives the recorded answers of one phase, and closes a step before each that begins another."""

    def __init__(self, telling: _Telling, state: GameState, phase: Played) -> None:
        self.telling = telling
        self.state = state
        self.answers = phase.answers
        self.rows = phase.rows
        self.at = 0
        self.told = 0
        self.orders: list[tuple[tuple[str, ...], Order]] = []
        self.given: list[tuple[tuple[tuple[str, ...], Order], Mapping[str, Any]]] = []
        """The orders among them, each with what it says in plain values."""
        self.step = _Happened(len(telling.chapters))
        self.open = False
        """Whether an order is being carried out: dice and decisions belong to it."""
        self.thrown = -1
        """How much was noted when the last die of the step was thrown, -1 before the first: dice that one
        note tells of belong together."""

    def throw(self, request: Chance, label: str) -> list[Any] | None:
        if self.at == len(self.answers):
            return None
        entry, roll = self.answers[self.at]
        self.at += 1
        if not self.open and self.step.begun and len(self.state.log) > self.thrown:
            self._close()
        self.thrown = len(self.state.log)
        self.step.row = self.rows[self.at - 1]
        if roll is not None:
            if not self.open:
                led = [each for each in self._led(label) if each not in self.step.orders]
                self.step.orders[:0] = led
            self.step.rolls.append((roll, request))
            self.step.begun = True
        return list(entry.answer)

    def decision(self, request: Decision) -> Answer | None:
        if self.at == len(self.answers):
            return None
        entry, _ = self.answers[self.at]
        self.at += 1
        if isinstance(request, FirstOf):
            seat, recorded = entry.answer
            return self._ordered(request.of(seat), (seat,), recorded, entry, of=seat)
        if isinstance(request, Desk):
            return self._ordered(request, seats_asked(request), entry.answer, entry)
        self.step.row = self.rows[self.at - 1]
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
            known = seats, Order(", ".join(seats), self.telling.game.grammar.write(order), entry.by)
            self.given.append((known, order.dump()))
            self._know(*known)
        self.step.row = self.rows[self.at - 1]
        return Answer((of, order) if of else order, entry.by)

    def _led(self, label: str) -> list[tuple[tuple[str, ...], Order]]:
        """The orders of the phase that name what a die is about, where they are carried out later than they
        are given."""
        what = label.split("|")[2]
        return [known for known, said in self.given if names_any(what, said)]

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
        telling.row = self.step.row = max(telling.row, self.step.row)
        for writer in telling.writers:
            writer.write(self.state, self.step, telling.serial, last=last)
        telling.serial += 1
        self.step = _Happened(len(telling.chapters))
        self.thrown = -1


_NAMED = re.compile(r"\bR(\d{1,6})\b")
"""A roll that a line of the log names."""


def _numbers(note: Note) -> tuple[int, int]:
    """The rolls that a note tells of."""
    return note.roll, int(getattr(note, "lots", 0))


def die_of(roll: Roll, request: Chance, notes: Iterable[Note]) -> Die:
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
        lines = log_lines(self.game.key, visible_facts(notes, self.reader), self.reader)
        known = {number for note in notes for number in _numbers(note)}
        known |= {int(number) for line in lines for number in _NAMED.findall(line)}
        rolls = [each for each in happened.rolls if self.reader == UMPIRE or each[0].number in known]
        self.dice |= {each[0].number: die_of(*each, notes) for each in rolls}
        step = Step(
            serial,
            happened.chapter,
            lines,
            tuple(order for seats, order in happened.orders if self.may_know(seats)),
            tuple(roll.number for roll, _ in rolls),
            self._moved(board),
            tuple(dict.fromkeys(arrow for arrow in board.arrows if arrow.kind != "supply")),
            tuple(dict.fromkeys(board.battles)),
            tuple(mark for mark in board.marks if mark.kind in PASSING),
            row=happened.row,
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

    def add_ruling(self, ruling: RulingTold, chapter: int) -> None:
        """Add a ruling as a step of its own, behind the step of its roll or before the first of its
        chapter."""
        roll, steps = ruling.roll, self.track.steps
        at = next((at + 1 for at, step in enumerate(steps) if roll and roll in step.rolls), None)
        if at is None:
            at = next((at for at, step in enumerate(steps) if step.chapter >= chapter), len(steps))
        while at < len(steps) and steps[at].ruling:
            at += 1
        where = steps[at - 1].chapter if roll and at else chapter
        steps.insert(at, Step(-ruling.number, where, ruling.lines, ruling=ruling.number))

    def add_entry(self, entry: Opened, chapter: int, number: int) -> None:
        """Add an entry of a diary as a step of its own, behind what had been played when it was written."""
        steps = self.track.steps
        before = [at for at, step in enumerate(steps) if not step.ruling and step.row <= entry.row]
        at = max(before, default=-1) + 1
        while at < len(steps) and steps[at].ruling:
            at += 1
        where = max(chapter, steps[at - 1].chapter if at else 0)
        where = min(where, steps[at].chapter) if at < len(steps) else where
        steps.insert(at, Step(-DIARY_FROM - number, where, entry.lines, row=entry.row))

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
