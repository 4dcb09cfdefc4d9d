"""Disputed rolls: the page of one roll for one reader, and which disputes are open.

A page is built up from what its reader may know: his own lines as he wrote them, his view of the map just
before the die fell, the notes of the log that he may read. The moderator sees everything but the links that
are still secret: who knows one can foresee every die of its turn.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from fractions import Fraction
from functools import cached_property
from itertools import islice
from typing import Any

from sqlmodel import col, select

from pbem.engine.dice import Word, event_key, link_of, roll_again
from pbem.engine.errors import ReplayMismatch
from pbem.engine.game import Game, GameState
from pbem.engine.language import Scope
from pbem.engine.notes import UMPIRE, Note
from pbem.engine.play import Answer, Chance, Decision, Draw, Hits, Request, Volley, advance
from pbem.engine.tally import Modifier
from pbem.engine.wording import count, percent
from pbem.mail.letter import parse
from pbem.service.caselist import titles as case_titles
from pbem.service.letters.log import Part, local_time, log_lines, told_once, who, worded
from pbem.service.letters.proof import faces_text, letter_text
from pbem.service.play.history import Move, Retold, retell
from pbem.service.play.sections import phase_title, titles
from pbem.service.play.steps import Step
from pbem.service.store import JournalRow, LetterRow, OutboxRow, PhaseRow, StoreError, unpack
from pbem.service.table import Roll, Table

MOST_OPEN = 3
"""Disputes that a seat may have open at the same time."""

MOST_OUTCOMES = 40
"""Up to this many outcomes of a die are listed and played through."""

MOST_LETTERS = 40
"""Look for a line in at most this many letters of its writer, and for a roll in as many of ours."""

MOST_PHASES = 8
"""Look for the order that led to a die in at most this many phases before its own."""

KEY = "Key   "
"""How the line of a page begins that holds the key of the roll; it must not be broken."""

_PLACES = ("hex", "hexes", "origin", "origins", "back", "zone", "landed", "target")
"""The facts of a note that name hexes."""


# --- which are open -----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Dispute:
    """A disputed roll: its name (``R22``), the seat that disputes it and why, since when, and the seats that
    have its page."""

    roll: str
    seat: str
    why: str
    at: datetime
    seats: tuple[str, ...]


def open_disputes(table: Table, reader: str = UMPIRE) -> tuple[Dispute, ...]:
    """The disputes that a reader knows of and no ruling has settled, oldest first. One whose roll has been
    taken back since is settled too."""
    found: dict[str, JournalRow] = {}
    for row in table.rows(1, "dispute", "ruling"):
        if row.kind == "dispute":
            found[row.asked] = row
        else:
            found.pop(row.asked.upper(), None)
    if not found:
        return ()
    rolls = {f"R{roll.number}": roll.event for roll in table.rolls()}
    return tuple(
        Dispute(name, row.by, row.answer["why"], row.at, tuple(row.answer["seats"]))
        for name, row in found.items()
        if rolls.get(name) == row.answer["roll"] and reader in (UMPIRE, *row.answer["seats"])
    )


def open_lines(table: Table, reader: str = UMPIRE) -> tuple[str, ...]:
    """The open disputes that a reader knows of, in words. The reason is for the moderator alone."""
    zone = _zone(table, reader)
    return tuple(
        f"{each.roll} is disputed by {'you' if each.seat == reader else who(table, each.seat)} since "
        f"{local_time(each.at, zone)}; no ruling yet."
        f"{f' Reason: {each.why}' if each.why and reader == UMPIRE else ''}"
        for each in open_disputes(table, reader)
    )


def _zone(table: Table, reader: str) -> str:
    return table.seats[reader].zone if reader in table.seats else str(table.row.settings.get("zone", "UTC"))


def raise_dispute(table: Table, name: str, why: str, by: str, letter: int | None = None) -> dict[str, Page]:
    """Record that a seat disputes a roll, and return the page of each reader who gets one, by his key: every
    seat that may know of the roll, and the umpire. `letter` is the one that says so.

    Raises StoreError when the seat may know of no such roll, when the roll is disputed already, or when too
    many disputes of the seat are open.
    """
    open_ = open_disputes(table)
    happened = _happened(table, name)
    page = _page(happened, by)
    for each in open_:
        if each.roll == page.name:
            since = local_time(each.at, _zone(table, by))
            whom = "you" if each.seat == by else who(table, each.seat)
            raise StoreError(f"{each.roll} is disputed already, by {whom} since {since}.")
    mine = [each.roll for each in open_ if each.seat == by]
    if len(mine) >= MOST_OPEN:
        raise StoreError(
            f"You have {count(len(mine), 'open dispute')} ({', '.join(mine)}), which is the most: "
            "wait for a ruling on one of them."
        )
    pages = {by: page}
    for reader in (UMPIRE, *table.seats):
        if reader not in pages:
            try:
                pages[reader] = _page(happened, reader)
            except StoreError:  # a seat that may not know of the roll
                continue
    answer = {"why": why, "roll": page.event, "seats": [key for key in pages if key != UMPIRE]}
    table.journal.append(table.row.phase, "dispute", page.name, answer, at=table.now, by=by, letter=letter)
    return pages


# --- the page of a roll -------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Written:
    """An order or a decision that led to the die. `text` is the line as it was written, where the letter is
    still at hand; `how` says by what means it was given (orders, standing, default, bot), `subject`,
    `message_id` and `received` in which letter it came and when."""

    seat: str
    text: str
    how: str
    subject: str = ""
    message_id: str = ""
    received: str = ""

    def line(self) -> str:
        """The order in words, with where it comes from."""
        by = {
            "standing": "by a standing order",
            "default": "by default",
            "bot": "by the bot",
            "moderator": "by the moderator",
        }.get(self.how, f"by {self.how}")
        if self.how == "orders":
            letter = f'letter "{self.subject}", received {self.received}'
            by = letter if self.received else "as it was read"
        return f"{self.seat}: {self.text}   ({by})"


@dataclass(frozen=True, slots=True)
class Outcome:
    """One outcome of the die: what it shows, how likely it was, whether it came, and what it would have meant
    (log lines that differ from those of other outcomes)."""

    shows: str
    chance: Fraction
    fell: bool
    means: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Told:
    """A letter that told of the roll: to whom, when it was written, and when it went out ("": not yet)."""

    seat: str
    subject: str
    written: str
    sent: str

    def line(self) -> str:
        """The letter in words."""
        return f'{self.seat}: "{self.subject}", written {self.written}, {self.sent or "not sent yet"}'


@dataclass(frozen=True, slots=True)
class Page:
    """All about one roll that its `reader` may know. Times are in the reader's zone.

    `situation` are the hexes that it was about, just before it fell; `case` is that of the die and
    `case_title` its title; `modifiers` are (title, value, case, reason); `cell` is the place on the table;
    `key`, `link` and `working` say how the faces are computed, `lacking` what the page cannot tell and why.
    """

    game: str
    name: str
    event: str
    reader: str
    title: str
    case: str
    case_title: str
    orders: tuple[Written, ...]
    situation: tuple[str, ...]
    log: tuple[str, ...]
    modifiers: tuple[tuple[str, int, str, str], ...]
    cell: str
    dice: str
    faces: tuple[Any, ...]
    outcomes: tuple[Outcome, ...]
    key: str
    link: str
    working: tuple[str, ...]
    told: tuple[Told, ...]
    lacking: tuple[str, ...] = ()

    def parts(self) -> tuple[Part, ...]:
        """The page as the parts of a letter."""
        found = [
            Part(f"{self.name}: {self.title}", (self._fell(), self._rule()), table=True),
            Part("Lines that led to it", tuple(each.line() for each in self.orders) or self._no_line()),
            Part("Just before it fell", self.situation, table=True),
            Part("What the log says", self.log, table=True),
            Part("Modifiers and table", tuple(self._sums()), table=True),
            Part("What could have fallen", tuple(self._odds()), table=True),
            Part("How to compute it", self._proof(), table=True),
            Part("Who read of it when", tuple(each.line() for each in self.told) or (_UNTOLD,)),
            Part("Not on this page", self.lacking),
        ]
        return tuple(part for part in found if part.lines)

    def lines(self) -> list[str]:
        """The page as text."""
        lines: list[str] = []
        for part in self.parts():
            lines += [part.title, "-" * len(part.title), *part.lines, ""]
        return lines[:-1]

    def _fell(self) -> str:
        what = self.event.split("|")[3]
        return f"Dice {self.dice} for {what}: fell {faces_text(self.faces)}"

    def _rule(self) -> str:
        return f"Rule [{self.case}]{f' {self.case_title}' if self.case_title else ''}"

    def _no_line(self) -> tuple[str, ...]:
        return ("none" if self.reader == UMPIRE else "none of yours",)

    def _sums(self) -> Iterator[str]:
        for title, value, case, why in self.modifiers:
            yield f"{title}: {value:+d} {why} [{case}]"
        if self.cell:
            yield self.cell

    def _odds(self) -> Iterator[str]:
        wide = max((len(each.shows) for each in self.outcomes), default=0)
        for each in self.outcomes:
            head = f"{'>' if each.fell else ' '} {each.shows:<{wide}}  {_chance(each.chance)}"
            yield f"{head:<{wide + 20}}{each.means[0].strip() if each.means else ''}".rstrip()
            yield from (f"{'':<{wide + 20}}{line.strip()}" for line in each.means[1:])

    def _proof(self) -> tuple[str, ...]:
        return (f"{KEY}{self.key}", f"Link  {self.link}", *self.working)


_UNTOLD = "No letter has told of it yet."


def page_of(table: Table, name: str, reader: str = UMPIRE) -> Page:
    """Return the page of an open roll for a seat or the umpire. Raise StoreError where the reader may know of
    no such roll: one that is sealed, or of which only the other side has been told."""
    return _page(_happened(table, name), reader)


def _happened(table: Table, name: str) -> _Happened:
    roll = next((each for each in table.rolls() if f"R{each.number}" == name.upper()), None)
    if roll is None:
        raise StoreError(_NO_ROLL.format(name.upper()))
    return _Happened(table, roll)


def _page(happened: _Happened, reader: str) -> Page:
    if not happened.known_to(reader):
        raise StoreError(_NO_ROLL.format(f"R{happened.roll.number}"))
    return _Writer(happened, reader).page()


_NO_ROLL = "The log has no roll {}."


class _Happened:
    """A roll in its phase, which is played again by today's rules: `retold` is None where these play it
    differently."""

    def __init__(self, table: Table, roll: Roll) -> None:
        self.table = table
        self.game: Game[Any] = table.game
        self.roll = roll
        self.phase: PhaseRow = next(row for row in table.phases() if row.label == roll.phase)
        answers = table.rows(self.phase.number, "answer")
        self.rows = [row for row in answers if row.phase == self.phase.number]
        self.place = next(at for at, row in enumerate(self.rows) if row.number == roll.row)
        self.asked = self.rows[self.place].asked
        self.entries = [row.entry() for row in self.rows]
        self.snapshot = unpack(self.phase.snapshot)
        self._instead: dict[str, tuple[tuple[Note, ...], Request | None]] = {}
        self.retold: Retold | None
        try:
            self.retold = retell(self.game, self.snapshot, self.entries)
        except ReplayMismatch:
            self.retold = None

    @property
    def request(self) -> Chance | None:
        """The request that the die answered."""
        request = self.retold.moves[self.place].request if self.retold else None
        assert request is None or isinstance(request, Chance)
        return request

    @cached_property
    def notes(self) -> tuple[Note, ...]:
        """The notes that tell of the die."""
        if self.retold is None:
            return ()
        return self.telling(note for step, note in self.retold.told if step > self.place)

    def telling(self, notes: Iterable[Note]) -> tuple[Note, ...]:
        """Those of the notes written after the die that tell of it: with its number, or the first that sums
        up several dice, this one among them."""
        number, later = self.roll.number, [note for note in notes if note.roll]
        exact = tuple(note for note in later if number in (note.roll, getattr(note, "lots", 0)))
        if any(note.chart or type(note).__name__ != "Rerolled" for note in exact):
            return exact
        case, _, what, *_ = self.roll.label.split("|")
        for note in later:
            if note.cell and note not in exact and (note.case == case or _named(what, note.facts())):
                return (
                    *exact,
                    *(each for each in later if type(each) is type(note) and each.roll == note.roll),
                )
        return exact

    def facts(self) -> list[dict[str, Any]]:
        """The notes that tell of the die as plain values, from the record where they cannot be told again."""
        if self.retold is not None:
            return [note.facts() for note in self.notes]
        number = self.roll.number
        return [note for note in self.phase.notes if number in (note.get("roll"), note.get("lots"))]

    def known_to(self, reader: str) -> bool:
        """Whether a reader may know of the roll: the log tells everyone of it, or him too."""
        facts = self.facts()
        return (
            reader == UMPIRE
            or not facts
            or any(not note["readers"] or reader in note["readers"] for note in facts)
        )

    @cached_property
    def led(self) -> tuple[tuple[Move, JournalRow], ...]:
        """The orders and decisions before the die that name what it is about, each with its row: those of its
        phase; if there are none, those of the last phase before it that has any."""
        if self.retold is None:
            return ()
        here = zip(self.retold.moves[: self.place], self.rows, strict=False)
        found = [(move, row) for move, row in here if self._led(move)]
        earlier = self.table.phases(max(1, self.phase.number - MOST_PHASES)) if self._is_about else []
        for phase in reversed(earlier):
            if found or phase.number >= self.phase.number:
                continue
            rows = [row for row in self.table.rows(phase.number, "answer") if row.phase == phase.number]
            try:
                moves = retell(self.game, unpack(phase.snapshot), [row.entry() for row in rows]).moves
            except ReplayMismatch:
                break
            found = [(move, row) for move, row in zip(moves, rows, strict=True) if self._led(move)]
        return tuple(found)

    @cached_property
    def _targets(self) -> frozenset[str]:
        """The hexes that the notes say the die is about."""
        return frozenset(_strings([_of_places(note, ("hex", "hexes")) for note in self.facts()]))

    @property
    def _is_about(self) -> bool:
        """Whether the die is about a unit or a hex."""
        return any(map(str.isdigit, self.roll.label.split("|")[2]))

    def _led(self, move: Move) -> bool:
        """Whether an order or a decision names what the die is about."""
        if isinstance(move.request, Chance) or (move.orders is not None and move.order is None):
            return False
        what = self.roll.label.split("|")[2]
        if move.order is not None:
            said = {name: value for name, value in move.order.dump().items() if name != "verb"}
            return _named(what, said) or bool(self._targets & set(_strings(said)))
        return len(move.seats) == 1 and (
            any(_named(move.request.what, hex) for hex in self._targets) or _named(what, move.entry.answer)
        )

    def before(self) -> GameState:
        """The state just before the die fell."""
        state: GameState = self.game.load(self.snapshot)
        advance(self.game.phase(state.phase).play(state), state, self.entries[: self.place])
        return state

    def instead(self, faces: list[Any]) -> tuple[tuple[Note, ...], Request | None]:
        """What the log would have gained with these faces, up to the next decision or another die, and what
        is asked then. Dice thrown for the same result keep the faces that they had."""
        shown = faces_text(faces)
        if shown not in self._instead:
            self._instead[shown] = self._played_with(faces)
        return self._instead[shown]

    def _played_with(self, faces: list[Any]) -> tuple[tuple[Note, ...], Request | None]:
        state: GameState = self.game.load(self.snapshot)
        kept = {entry.asked: entry.answer for entry in self.entries[self.place + 1 :]}
        start = 0

        def dice(request: Chance, label: str) -> list[Any] | None:
            nonlocal start
            if label == self.asked:
                start = len(state.log)
                return faces
            return None if self.telling(state.log[start:]) else kept.get(label)

        def nobody(request: Decision) -> Answer | None:
            return None

        play, known = self.game.phase(state.phase).play(state), self.entries[: self.place]
        progress = advance(play, state, known, answers=nobody, dice=dice)
        return tuple(state.log[start:]), progress.waiting


class _Writer:
    """Writes the page of a roll for one reader."""

    def __init__(self, happened: _Happened, reader: str) -> None:
        self.happened = happened
        self.table = happened.table
        self.game = happened.game
        self.roll = happened.roll
        self.reader = reader
        self.zone = _zone(self.table, reader)
        self.facts = self._readable(happened.facts())

    def page(self) -> Page:
        roll, here = self.roll, self.table.here()
        case, dice, *_ = roll.label.split("|")
        notes = [note for note in self.happened.notes if note.facts() in self.facts]
        return Page(
            self.table.row.id,
            f"R{roll.number}",
            roll.event,
            self.reader,
            phase_title(self.game, roll.phase),
            case,
            case_titles(self.game.key).get(case, ""),
            tuple(self._orders()),
            tuple(self._situation()),
            log_lines(self.game.key, self.facts, self.reader),
            tuple(each for note in notes for each in _modifiers(note)),
            "; ".join(filter(None, (_cell(note) for note in notes))),
            f"{dice}{_counts(self.happened.request)}",
            roll.faces,
            tuple(self._outcomes()),
            event_key(self.table.row.id, roll.phase, roll.label, roll.salts),
            *self._link(here),
            tuple(self._told()),
            tuple(self._lacking()),
        )

    def _readable(self, facts: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
        mine = [note for note in facts if not note["readers"] or self.reader in (UMPIRE, *note["readers"])]
        return told_once(mine, self.reader)

    def _lacking(self) -> Iterator[str]:
        if self.happened.retold is None:
            yield (
                "The installed rules play this phase in another way than it was played: the lines, the map "
                "and the odds are left out. The log and the proof are as they were recorded."
            )
        elif not self.facts:
            yield "The log has no line of its own for this die."

    # --- orders ---

    def _orders(self) -> Iterator[Written]:
        """The orders and decisions before the die that name what it is about, as far as the reader may know
        them: his own, and all for the umpire."""
        letters: dict[str, _Letters] = {}
        for move, row in self.happened.led:
            if self.reader not in (UMPIRE, *move.seats):
                continue
            seat = move.seats[0]
            title = self.game.seat(seat).title
            if move.order is None:
                yield Written(title, f"{move.request.what}: {_words(move.entry.answer)}", row.by)
                continue
            found = None
            if row.by == "orders":
                mine = letters.setdefault(seat, _Letters(self.happened, seat))
                found = mine.find(move.order, row.at)
            if found is None:
                yield Written(title, self.game.grammar.write(move.order), row.by)
            else:
                text, subject, letter = found
                received = local_time(letter.received, self.zone)
                yield Written(title, text, row.by, subject, letter.message_id, received)

    # --- the map ---

    def _situation(self) -> Iterator[str]:
        """The hexes that the die is about, with what the reader saw there just before."""
        if self.happened.retold is None:
            return
        state = self.happened.before()
        view = self.game.view(state, self.reader)
        board = self.game.report.board(view, tuple(note for note in state.log if note.seen_by(self.reader)))
        named = dict.fromkeys(hex for note in self.facts for hex in _strings(_of_places(note, _PLACES)))
        for hex in named:
            if hex not in board.map:
                continue
            there = [
                " ".join(filter(None, (board.legend.get(each.colours, each.colours), *_counter(each))))
                for each in board.counters
                if each.hex == hex
            ]
            yield f"{self.game.report.place(hex)}, {board.map.terrain(hex)}: {', '.join(there) or 'nobody'}"
        if not any(hex in board.map for hex in named):
            yield f"{view.title}. The die is about no hex of the map."

    # --- odds ---

    def _outcomes(self) -> Iterator[Outcome]:
        """Each outcome of the die with its exact chance, and what it would have meant."""
        request, roll = self.happened.request, self.roll
        if request is None:
            return
        listed = list(islice(request.outcomes(), MOST_OUTCOMES + 1))
        fell = request.worth_of(roll.faces)
        if len(listed) > MOST_OUTCOMES:
            yield Outcome(fell, _chance_of(request, roll.faces), True, ())
            return
        total = sum(weight for _, weight in listed)
        told = [self._means(faces) for faces, _ in listed]
        common = set(told[0]).intersection(*told[1:]) if len(told) > 1 else set()
        for (faces, weight), lines in zip(listed, told, strict=True):
            means = tuple(line for line in lines if line not in common)
            shows = request.worth_of(faces)
            yield Outcome(shows, Fraction(weight, total), shows == fell, means)

    def _means(self, faces: list[Any]) -> tuple[str, ...]:
        """What the reader would have read with these faces: a seat only of the result itself, for what comes
        of it may hang on what the other side hides."""
        notes, waiting = self.happened.instead(faces)
        telling = self.happened.telling(notes)
        facts = self._readable([note.facts() for note in (notes if self.reader == UMPIRE else telling)])
        lines = tuple(line for note in facts for line in worded(self.game.key, note, self.reader))
        if telling or waiting is None:
            return lines
        next_ = f": {waiting.what} [{waiting.case}]" if self.reader == UMPIRE else ""
        kind = "die or draw" if isinstance(waiting, Chance) else "decision"
        return (*lines, f"hangs on another {kind}{next_}" if next_ else "hangs on what follows")

    # --- proof ---

    def _link(self, here: Step) -> tuple[str, tuple[str, ...]]:
        """The link of the die and how its faces come from it, once the link may be known."""
        turn = link_of(self.roll.phase, self.roll.label)
        if turn is None:
            return "none: the moderator has set this die", ()
        if not here.over and turn >= self.table.secret_turn(max(1, here.turn))[0]:
            return f"of turn {turn}: revealed after turn {turn}", (
                f"Then: HMAC-SHA-256(link, key with |0 behind it) gives 32 bytes, four for each number. "
                f"{_HOW[0].upper()}{_HOW[1:]}",
            )
        link = self.table.chain.link(turn)
        seen: list[Word] = []
        roll_again(link, self.table.row.id, self.roll.phase, self.roll.label, self.roll.salts, seen)
        return f"of turn {turn}: {link.hex()}", tuple(_working(seen, self.roll.label))

    # --- letters ---

    def _told(self) -> Iterator[Told]:
        """The first letter that told each side of the roll; a seat learns only of its own."""
        row = self.happened.rows[self.happened.place]
        roll = self.roll
        line = f"R{roll.number} {roll.phase}|{roll.label} = {faces_text(roll.faces)}"
        for key in self.table.seats:
            if self.reader not in (UMPIRE, key):
                continue
            query = (
                select(OutboxRow)
                .where(OutboxRow.game == self.table.row.id, OutboxRow.seat == key)
                .where(OutboxRow.position >= row.number)
                .order_by(col(OutboxRow.id))
                .limit(MOST_LETTERS)
            )
            for letter in self.table.session.exec(query):
                if line in letter_text(letter.raw):
                    sent = f"sent {local_time(letter.sent, self.zone)}" if letter.sent else ""
                    written = local_time(letter.created, self.zone)
                    yield Told(self.game.seat(key).title, letter.subject, written, sent)
                    break


class _Letters:
    """The letters of a seat, read again to find the line that an order was written as."""

    def __init__(self, happened: _Happened, seat: str) -> None:
        self._happened = happened
        table, self._seat = happened.table, seat
        query = (
            select(LetterRow)
            .where(LetterRow.game == table.row.id, LetterRow.seat == seat)
            .where(col(LetterRow.turn) <= max(1, happened.phase.turn))
            .where(col(LetterRow.outcome).in_(("accepted", "explained")))
            .order_by(col(LetterRow.id).desc())
            .limit(MOST_LETTERS)
        )
        self._rows = list(table.session.exec(query))
        self._read: dict[int, list[tuple[Any, str, str]]] = {}

    def find(self, order: Any, at: datetime) -> tuple[str, str, LetterRow] | None:
        """The line as it was written, and its letter with its subject: the last before `at` that says exactly
        this, else the last with the same verb for the same units or hexes."""
        alike = None
        for row in self._rows:
            if row.received > at:
                continue
            for meant, text, subject in self._lines(row):
                if meant == order:
                    return text, subject, row
                if alike is None and meant.verb == order.verb and meant.subjects() == order.subjects():
                    alike = text, subject, row
        return alike

    def _lines(self, row: LetterRow) -> list[tuple[Any, str, str]]:
        assert row.id is not None
        if row.id not in self._read:
            self._read[row.id] = [*self._orders_of(row)]
        return self._read[row.id]

    def _orders_of(self, row: LetterRow) -> Iterator[tuple[Any, str, str]]:
        game, letter = self._happened.game, parse(row.raw)
        state = game.load(self._happened.snapshot)
        scope = Scope(
            tuple(game.grammar.sections), titles(game, state, self._seat), {}, {}, {}, max(1, state.turn)
        )
        roster = game.roster(state, self._seat)
        texts = [letter.own, *([line for line in file.lines if not line.quoted] for file in letter.files)]
        for lines in texts:
            numbered = [(line.number, line.text) for line in lines]
            written = dict(numbered)
            for line in game.grammar.read(numbered, roster, "", scope).orders:
                yield line.order, written.get(line.number, line.text).strip(), letter.subject


# --- facts in words -----------------------------------------------------------------------------------------


_HOW = (
    "each number (the first byte counts most) is divided by the number of sides; the remainder plus 1 is the "
    "face, or counts from 0 in the pool of a draw. A number in the incomplete last stretch is thrown away."
)


def _working(seen: Sequence[Word], label: str) -> Iterator[str]:
    """How the faces come from the link, number by number."""
    draws = label.split("|")[1].startswith("draw ")
    block = -1
    for word in seen:
        if word.block != block:
            block = word.block
            yield f'HMAC-SHA-256(link, key + "|{block}") = {word.digest.hex()}'
        head = f"bytes {word.start} to {word.start + 3}: {word.number:#010x} = {word.number}"
        if word.picked is None:
            yield f"{head}: thrown away, for no face may be likelier than another with {word.sides}"
        elif draws:
            yield f"{head}; modulo {word.sides} = {word.picked}: the place in the pool, from 0"
        else:
            yield f"{head}; modulo {word.sides} = {word.picked}; plus 1 = {word.picked + 1}"


def _counts(request: Chance | None) -> str:
    """How dice are counted that are not simply read."""
    if isinstance(request, Hits):
        return f" ({request.at_least} or more is a hit)"
    if isinstance(request, Volley):
        return f" (faces 1 to {len(request.worth)} count {', '.join(map(str, request.worth))})"
    return ""


def _chance(chance: Fraction) -> str:
    """An exact chance: ``1/6 (17 %)``."""
    return f"{chance} ({percent(chance)})"


def _chance_of(request: Chance, faces: Sequence[Any]) -> Fraction:
    """The chance of a draw from a pool that is too large to list every outcome."""
    assert isinstance(request, Draw)
    left, chance = list(request.pool), Fraction(1)
    for item in faces:
        chance *= Fraction(left.count(item), len(left))
        left.remove(item)
    return chance


def _modifiers(note: Note) -> Iterator[tuple[str, int, str, str]]:
    """Every part of the sums of a note, with the name of the sum."""
    for name, value in note.facts().items():
        if isinstance(value, tuple):
            title = name.replace("_", " ").replace("parts", "strength" if "_" in name else "die")
            yield from (
                (title, part.value, part.case, part.why) for part in value if isinstance(part, Modifier)
            )


def _cell(note: Note) -> str:
    """Where a note finds its result: ``combat results: column 3-1, total 4, result DR``."""
    facts = note.facts()
    said = [
        f"{name.replace('_', ' ')} {_words(facts[name])}" for name in note.cell if facts[name] not in ("", ())
    ]
    if not said:
        return ""
    return f"Table of {note.chart}: {', '.join(said)}" if note.chart else f"No table: {', '.join(said)}"


def _words(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list | tuple):
        return ", ".join(map(_words, value))
    return "none" if value is None else str(value)


def _counter(counter: Any) -> Iterator[str]:
    """A counter as its reader sees it, without its colours."""
    if counter.hidden:
        yield "unknown unit, entrenched" if counter.entrenched else "unknown unit"
        return
    yield counter.name
    yield counter.figures
    yield from (f"({word})" for word in ("disrupted", "unsupplied", "inverted") if getattr(counter, word))


def _of_places(facts: Mapping[str, Any], names: Iterable[str]) -> list[Any]:
    return [facts[name] for name in names if name in facts]


def _strings(value: Any) -> Iterator[str]:
    """Every text in a plain value."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for each in value.values():
            yield from _strings(each)
    elif isinstance(value, list | tuple):
        for each in value:
            yield from _strings(each)


def _named(text: str, value: Any) -> bool:
    """Whether a text names one of the units or hexes in a plain value, as a whole word."""
    return any(
        re.search(rf"(?<![\w/]){re.escape(name)}(?![\w/])", text)
        for name in _strings(value)
        if len(name) > 1 and any(map(str.isdigit, name))
    )
