"""Use case: prove that a stored game is what was played. Journal, dice, states and letters are checked
against each other, and every phase can be rerun with the installed rules."""

from __future__ import annotations

import hashlib
import json
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass
from itertools import zip_longest
from typing import Any

from sqlalchemy import inspect
from sqlalchemy.exc import DatabaseError, StatementError
from sqlmodel import Session, col, select

from pbem.engine.beacon import MissingLibrary, is_genuine, round_after
from pbem.engine.dice import is_set, link_of, roll_again, round_of, ruled
from pbem.engine.errors import ReplayMismatch
from pbem.engine.game import SYSTEM, GameState, game
from pbem.engine.notes import Note, plain
from pbem.engine.play import Entry, asked
from pbem.engine.wording import count
from pbem.mail.signing import public_key
from pbem.service.play.history import Retold, Told, retell, told_by
from pbem.service.play.steps import state_hash
from pbem.service.proof import lines as proof
from pbem.service.record.covered import Covered, altered
from pbem.service.record.dice_rules import rounds_of, rule_of, salts_kept, salts_that_count
from pbem.service.record.errors import StoreError
from pbem.service.record.journal import broken_links, journal, standing_rows
from pbem.service.record.rows import (
    GameRow,
    JournalRow,
    LetterRow,
    OutboxRow,
    PhaseRow,
    SeatRow,
    StaffRow,
    unpack,
)
from pbem.service.record.store import Store, game_ids, only_game, only_key, seats
from pbem.service.record.table import Table


def verify_game(store: Store, game_id: str | None = None) -> proof.Findings:
    """Check a game with nothing but its own rows: the fields of every row, the hash chain of the journal,
    every die (sealed ones too) from links and salts, the snapshots against the state hashes, the letters
    received, and the proof lines of all letters written. What is wrong is named, with table, row and field.

    Raises StoreError if there is no such game.
    """
    with store.transaction() as session:
        game_id = game_id or only_key(session)
        if unreadable := list(_unreadable(session, game_id)):
            return proof.Findings(wrong=unreadable)
        row = only_game(session, game_id)
        rows: list[Covered] = [row]
        for kind in TABLES[1:]:
            rows += session.exec(select(kind).where(kind.game == row.id).order_by(*inspect(kind).primary_key))
        changed = list(field_faults(rows))
        try:
            findings = _checked(session, row)
        except Exception as error:  # whatever a damaged value leads to
            told = changed or [f"game {row.id}: it cannot be checked: {type(error).__name__}: {error}"]
            return proof.Findings(wrong=told)
        findings.wrong[:0] = changed
    return findings


def verify_store(
    store: Store, game_id: str | None = None, done: Callable[[int, int], None] = lambda count, of: None
) -> dict[str, proof.Findings]:
    """Check the file of a store and every game in it, or one of them. Return what was found by the name of
    the game, and what is damaged of the file itself by that of the store; a damaged file is read as far as
    that can be done. `done` is called with the number of games checked, and of those there are. Raises
    StoreError if there is no such game, or none at all."""
    damage = store.damage()
    findings = {store.target: proof.Findings(wrong=damage)} if damage else {}
    try:
        with store.transaction() as session:
            games = [game_id] if game_id else game_ids(session)
        if not games:
            raise StoreError(f"there is no game in {store.name}")
        for number, game_key in enumerate(games, 1):
            findings[game_key] = verify_game(store, game_key)
            done(number, len(games))
    except DatabaseError:
        if not damage:
            raise
    return findings


TABLES: tuple[Any, ...] = (GameRow, SeatRow, StaffRow, PhaseRow, JournalRow, LetterRow, OutboxRow)


def _checked(session: Session, row: GameRow) -> proof.Findings:
    table = Table(session, row, row.created)
    rows = journal(session, row.id)
    letters = list(session.exec(select(LetterRow).where(LetterRow.game == row.id)))
    findings = _letters_out(table, rows, letters)
    findings.links += len(rows)
    findings.wrong += broken_links(rows, {letter.id: letter.digest for letter in letters})
    standing = standing_rows(rows)
    phases = {phase.number: phase for phase in table.record.phases()}
    findings.links += sum(row.kind == "end" for row in standing)
    findings.wrong += seat_faults(row, list(seats(session, row.id).values()))
    findings.wrong += phase_faults(row, standing, phases)
    findings.wrong += round_faults(row, rows)
    _check_dice(table, standing, phases, findings)
    _check_letters_in(letters, findings)
    return findings


def field_faults(rows: Iterable[Covered]) -> Iterator[str]:
    """Yield which fields of rows are not as pbem wrote them."""
    for row in rows:
        for name in altered(row):
            yield f"{named(row)}, field {name}: it is not what pbem wrote"


def named(row: Any) -> str:
    """A row as people find it: its table and its key."""
    match row:
        case SeatRow() | StaffRow():
            key = row.key
        case PhaseRow():
            key = f"{row.number} ({row.label})"
        case JournalRow():
            key = f"{row.number} ({row.kind} {row.asked})"
        case LetterRow():
            key = f"{row.id} from {row.sender}"
        case OutboxRow():
            key = row.key
        case _:
            key = row.id
    return f"table {row.__tablename__}, row {key}"


def _unreadable(session: Session, game_id: str) -> Iterator[str]:
    """Yield the fields of a game's rows that cannot be read at all."""
    for kind in TABLES:
        mine = (kind.id if kind is GameRow else kind.game) == game_id
        try:
            session.exec(select(kind).where(mine)).all()
            continue
        except _DAMAGE:
            pass
        columns = kind.__table__.columns
        keys = [column for column in inspect(kind).primary_key if column.name != "game"]
        for key in session.exec(select(*keys).where(mine)).all():
            values = key if len(keys) > 1 else (key,)
            where = [column == value for column, value in zip(keys, values, strict=True)]
            for column in columns:
                try:
                    session.exec(select(column).where(mine, *where)).all()
                except _DAMAGE:
                    row = " ".join(map(str, values))
                    yield f"table {kind.__tablename__}, row {row}, field {column.name}: it cannot be read"


_DAMAGE = (ValueError, TypeError, AttributeError, StatementError)
"""What reading a damaged field raises: it is no JSON, no time, not of its type."""


def seat_faults(row: GameRow, seats: Sequence[SeatRow]) -> Iterator[str]:
    """Yield how the seats of a game differ from those of its rules and options."""
    rules = game(row.game)
    chosen = rules.chosen(row.options)
    played = {
        seat.key: SYSTEM if seat.key in rules.systems_of(chosen) else "" for seat in rules.seats_of(chosen)
    }
    there = {seat.key: SYSTEM if seat.bot == SYSTEM else "" for seat in seats}
    if played != there or len(there) != len(seats):
        yield f"the seats are {', '.join(seat.key for seat in seats)}, not {', '.join(played)}"


def phase_faults(
    game: GameRow, standing: Sequence[JournalRow], phases: Mapping[int, PhaseRow]
) -> Iterator[str]:
    """Yield what is wrong with the phases of a game.

    Each begins with the state in which the one before ended, but for what rulings have changed in it, and
    with the salts given before it first began.
    """
    if list(phases) != list(range(1, len(phases) + 1)) or game.phase != len(phases):
        listed = ", ".join(map(str, phases)) or "none"
        yield f"the phases are {listed}, and phase {game.phase} is being played"
        return
    ends = {row.phase: row for row in standing if row.kind == "end"}
    for number, phase in phases.items():
        where = f"phase {number} ({phase.label})"
        end = ends.get(number)
        if phase.ended != (end is not None):
            yield f"only one of phase and journal says that {where} has ended"
        elif end is not None and number + 1 in phases:
            if end.answer != phase.state_hash:
                yield f"{where}: the state after it does not have the hash that was recorded"
            yield from _start_faults(phases[number + 1], end.answer, standing)
        if list(phase.salts) != _salts(game, standing, ends.get(number - 1), phase):
            yield f"{where}: its salts differ from those in the journal"


def round_faults(game: GameRow, rows: Sequence[JournalRow]) -> Iterator[str]:
    """Yield what is wrong with the rounds of the beacon that a journal names, and with dice that do not hang
    on the one that was named last."""
    rounds = rounds_of(rows)
    for round in rounds:
        if round.number != round_after(round.closed) or round.closed != rows[round.row - 1].at:
            yield f"journal row {round.row}: {round.name} is not that of the moment when orders were closed"
        if round.waits and round is not rounds[-1]:
            yield f"journal row {round.row}: {round.name} was named, and its value withheld"
        try:
            if round.signature and not is_genuine(round.number, round.signature):
                yield (
                    f"journal row {round.signed}: the signature of {round.name} is not the one of the beacon"
                )
        except MissingLibrary as error:
            yield f"journal row {round.signed}: {round.name} cannot be checked, for {error}"
    if rule_of(game) != "beacon":
        return
    for row in rows:
        entry = row.entry() if row.kind == "answer" else None
        if entry is None or not entry.dice or is_set(ruled(row.asked, entry.ruling)):
            continue
        named = [each for each in rounds if each.row < row.number][-1:]
        known = named and 0 < named[0].signed < row.number
        if not known or round_of(ruled(row.asked, entry.ruling)) != named[0].number:
            yield f"journal row {row.number}: these dice do not hang on the round that was named for them"


def _start_faults(phase: PhaseRow, before: str, standing: Sequence[JournalRow]) -> Iterator[str]:
    """Yield what is wrong with the state with which a phase begins, given the hash of the one before it and
    the rulings that have changed it."""
    where = f"phase {phase.number} ({phase.label})"
    for row in standing:
        if row.kind == "position" and row.phase == phase.number:
            if row.answer["before"] != before:
                yield f"{where}: ruling {row.answer['ruling']} changed another state than the one before it"
            before = row.answer["after"]
    try:
        begins = state_hash(unpack(phase.snapshot))
    except StoreError as error:
        begins = str(error)
    if begins != before:
        yield f"{where}: the state with which it begins does not have the hash that was recorded"


def _salts(
    game: GameRow, standing: Sequence[JournalRow], before: JournalRow | None, phase: PhaseRow
) -> list[str]:
    """The salts that count in a phase: those given before the one `before` it ended, or if a ruling has gone
    back to before it, those that it names."""
    if before is None:
        return []
    earlier = [row for row in standing if row.number < before.number]
    for row in reversed(earlier):
        if row.kind == "ruling":
            if str(phase.number) in row.answer.get("salts", {}):
                return list(row.answer["salts"][str(phase.number)])
            if "stands" in row.answer:
                break
    kept = salts_kept([row for row in earlier if row.kind == "ruling"], phase.label)
    given = [row for row in earlier if row.kind == "salt"]
    return salts_that_count(given, rule_of(game)) if kept is None else kept


def _check_dice(
    table: Table, standing: list[JournalRow], phases: dict[int, PhaseRow], findings: proof.Findings
) -> None:
    values = {each.number: each.value for each in table.dice.rounds() if each.signature}
    for row in standing:
        if row.kind != "answer" or not row.entry().dice or row.phase not in phases:
            continue
        entry, phase = row.entry(), phases[row.phase]
        label = ruled(row.asked, entry.ruling)
        try:
            turn = link_of(phase.label, label)
            if turn is None:
                continue
            material = (
                table.dice.chain.sealed_secret if entry.dice == "sealed" else table.dice.chain.link(turn)
            )
            findings.rolls += 1
            round = round_of(label)
            if round is not None and round not in values:
                raise ValueError(f"the value of round {round} is not there")
            salts = tuple(phase.salts) if round is None else (values[round],)
            fell = roll_again(material, table.row.id, phase.label, label, salts)
        except ValueError as error:
            findings.wrong.append(f"journal row {row.number}: {error}")
            continue
        if fell != row.answer:
            shows = proof.faces_text(row.answer if isinstance(row.answer, list) else [row.answer])
            findings.wrong.append(
                f"journal row {row.number}, {phase.label}|{row.asked}, shows {shows}, "
                f"the dice fell {proof.faces_text(fell)}"
            )


def _check_letters_in(letters: Iterable[LetterRow], findings: proof.Findings) -> None:
    """A letter is the one that was received if it still has the digest with which it was taken in."""
    for row in letters:
        findings.texts += 1
        if hashlib.sha256(row.raw).hexdigest() != row.digest:
            findings.wrong.append(f"letter {row.id} from {row.sender} is not the one that was received")


def _letters_out(table: Table, rows: Sequence[JournalRow], letters: Iterable[LetterRow]) -> proof.Findings:
    """The proof lines of all letters written, with the links of the game itself: here nothing has to wait
    until it is revealed."""
    checker = proof.Checker()
    received = {letter.id: letter.digest for letter in letters}
    query = select(OutboxRow).where(OutboxRow.game == table.row.id).order_by(col(OutboxRow.id))
    for row in table.record.session.exec(query):
        if not proof.is_letter(row.raw):  # a notice to the moderators
            continue
        name = f"letter {row.key}"
        checker.read_letter(name, row.raw)
        told = checker.told.get(name)
        if told is None:
            continue
        head = rows[row.position - 1].hash if 0 < row.position <= len(rows) else ""
        if told.journal and told.journal != table.dice.journal_seal(row.seat, told.number, head):
            checker.found.wrong.append(
                f"{name}: the journal up to row {row.position} is not the one it was written after"
            )
        if told.received and told.received != received.get(row.letter):
            checker.found.wrong.append(f"{name}: letter {row.letter} is not the one that it answers")
    if checker.key and checker.key != public_key(table.row.letter_key):
        checker.found.wrong.append("the key of the letters is not the one of the game")
    chain = table.dice.chain
    known = {str(turn): chain.link(turn).hex() for turn in range(chain.turns + 1)}
    known |= {"sealed": chain.sealed_commitment.hex(), "opened": chain.sealed_secret.hex()}
    for link, value in checker.links.items():
        if value != known.get(link):
            checker.found.wrong.append(f"link {link} of the letters is not the one of the game")
    checker.links = known
    named = {each.number for each in table.dice.rounds()}
    for number in checker.rounds.keys() - named:
        checker.found.wrong.append(f"a letter has named round {number} of the beacon, the journal has not")
    for each in table.dice.rounds():
        checker.take("journal", each.line())
    return checker.finish()


def roll_proof(store: Store, game_id: str | None, roll: str) -> list[str]:
    """Return the signed proof of one roll (R22) that the letters of a game hold. Raises ValueError if none of
    them has the roll, its link is not yet revealed, or the letters are not in order."""
    with store.transaction() as session:
        row = only_game(session, game_id)
        query = select(OutboxRow).where(OutboxRow.game == row.id).order_by(col(OutboxRow.id))
        letters = [(each.key, each.raw) for each in session.exec(query) if proof.is_letter(each.raw)]
        return proof.roll_proof(letters, roll, row.letter_key)


# --- replay -------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Replayed:
    """A phase, rerun.

    `after` is the state with which the next phase begins and `state_hash` its hash; None and "" while the
    phase is being played. `worded` are the notes that say the same in other words than were recorded.
    """

    number: int
    label: str
    turn: int
    retold: Retold
    after: GameState | None = None
    state_hash: str = ""
    worded: tuple[str, ...] = ()


def replay(store: Store, game_id: str | None = None) -> Iterator[Replayed]:
    """Rerun every phase from its snapshot and recorded answers with the installed rules.

    Raises ReplayMismatch naming the first difference: the turn, the phase and the step (the place of the
    answer that led to it), what was recorded and what comes now. Other words are no difference.
    """
    with store.transaction() as session:
        row = only_game(session, game_id)
        rerun = rerun_of(Table(session, row, row.created))
    yield from rerun


def rerun_of(table: Table) -> Iterator[Replayed]:
    """Rerun the phases of the game at a table as `replay` does. The store is read at once."""
    record = _record(table)
    return (_replayed(table, *each) for each in record)


def difference(table: Table, first_phase: int = 1) -> str:
    """Return what comes out otherwise first when the game at a table is rerun from a phase on; "" if nothing
    does."""
    try:
        for each in _record(table, first_phase):
            _replayed(table, *each)
    except ReplayMismatch as error:
        return str(error)
    return ""


_Recorded = tuple[PhaseRow, Sequence[Entry], PhaseRow | None, bool]
"""A phase, its answers, the phase after it, and whether people have ended the game in it."""


def _record(table: Table, first_phase: int = 1) -> list[_Recorded]:
    """The phases from one on."""
    phases, entries = table.record.phases(first_phase), defaultdict[int, list[Entry]](list)
    ended_in = ending.phase if (ending := table.record.ending) is not None else 0
    for row in table.record.rows(first_phase, "answer"):
        entries[row.phase].append(row.entry())
    return [
        (phase, entries[phase.number], following, phase.number == ended_in)
        for phase, following in zip_longest(phases, phases[1:])
    ]


@dataclass(frozen=True, slots=True)
class Compared:
    """What a whole game was compared with: `phases` that have ended, `worded` as of each phase. `rules` says
    that it began under another version of its rules, or nothing."""

    phases: int
    worded: tuple[str, ...]
    rules: str

    def lines(self) -> list[str]:
        """The findings in words."""
        lines = [f"{count(self.phases, 'phase')} rerun; all states match the record"]
        if self.worded:
            lines.append(
                f"same decisions, different wording: {count(len(self.worded), 'note')}; "
                f"the first: {self.worded[0]}"
            )
        return [*lines, self.rules] if self.rules else lines


def compare(
    store: Store, game_id: str | None = None, done: Callable[[int, int], None] = lambda count, of: None
) -> Compared:
    """Rerun a game and return how it compares; `done` is called with the number of phases rerun, and of those
    there are. Raises ReplayMismatch as `replay` does."""
    with store.transaction() as session:
        row = only_game(session, game_id)
        rules, total = other_rules(row), len(Table(session, row, row.created).record.phases())
    phases = []
    try:
        for phase in replay(store, game_id):
            phases.append(phase)
            done(len(phases), total)
    except ReplayMismatch as error:
        raise ReplayMismatch(f"decided differently: {error}" + (f" ({rules})" if rules else "")) from error
    return Compared(
        sum(bool(phase.state_hash) for phase in phases),
        tuple(each for phase in phases for each in phase.worded),
        rules,
    )


def other_rules(row: GameRow) -> str:
    """Say that the installed rules of a game are not of the version under which it began; "" if they are."""
    now = game(row.game).rules
    if row.rules == now:
        return ""
    began = f"under version {row.rules} of the rules"
    return f"{row.id} began {began}; version {now} of {row.game} is installed"


def _replayed(
    table: Table, phase: PhaseRow, entries: Sequence[Entry], following: PhaseRow | None, decreed: bool
) -> Replayed:
    snapshot = unpack(phase.snapshot)
    try:
        retold = retell(table.game, snapshot, entries)
    except ReplayMismatch as error:
        told = told_by(table.game, snapshot, entries[: error.step - 1])
        raise _other_note(phase, told, error) or _mismatch(phase, error.step, str(error)) from error
    if not phase.ended:
        return Replayed(phase.number, phase.label, phase.turn, retold)
    if other := _other_note(phase, retold.told):
        raise other
    after = deepcopy(retold.state)
    if decreed:
        table.game.end(after)
    elif retold.waiting is not None:
        raise _mismatch(
            phase,
            len(entries) + 1,
            f"recorded the end of the phase, the rules now ask {asked(retold.waiting)!r}",
        )
    else:
        table.game.next_phase(after)
    dumped = table.game.dump(after)
    digest = state_hash(dumped)
    if digest != phase.state_hash:
        recorded = unpack(following.snapshot) if following else b""
        raise _mismatch(phase, len(entries), _other_state(phase.state_hash, recorded, dumped))
    worded = tuple(_worded(phase, retold.told))
    return Replayed(phase.number, phase.label, phase.turn, retold, after, digest, worded)


def _mismatch(phase: PhaseRow, step: int, text: str) -> ReplayMismatch:
    return ReplayMismatch(f"{_where(phase, step)}: {text}", step)


def _where(phase: PhaseRow, step: int) -> str:
    place = f"step {step}" if step else "before step 1"
    return f"turn {phase.turn}, phase {phase.number}, {phase.label}, {place}"


def _other_note(phase: PhaseRow, told: Told, error: ReplayMismatch | None = None) -> ReplayMismatch | None:
    """The first note of a phase that tells other facts than the one recorded. `told` goes to the end of the
    phase, or up to the step of an `error`."""
    if not phase.ended:
        return None
    for (step, note), recorded in zip(told, phase.notes, strict=False):
        now = _as_stored(note)
        if recorded["kind"] != now["kind"]:
            return _mismatch(phase, step, f"recorded {_shown(recorded)}, now {_shown(now)}")
        if other := _difference(note.without_words(recorded), note.without_words(now)):
            return _mismatch(phase, step, f"{now['kind']}{other}")
    if len(told) > len(phase.notes):
        step, note = told[len(phase.notes)]
        return _mismatch(phase, step, f"recorded nothing more, now {_shown(_as_stored(note))}")
    if len(told) < len(phase.notes) and error is None:
        step = told[-1][0] if told else 0
        return _mismatch(phase, step, f"recorded {_shown(phase.notes[len(told)])}, now nothing more")
    return None


def _as_stored(note: Note) -> dict[str, Any]:
    """The note as it would come back from the store."""
    facts: dict[str, Any] = json.loads(plain(note.facts()))
    return facts


def _shown(facts: Mapping[str, Any]) -> str:
    """A note in short, for the umpire: its kind, its case and its facts."""
    rest = (f"{name} {value}" for name, value in facts.items() if name not in ("kind", "case", "readers"))
    return f"{facts['kind']} [{facts['case']}] ({', '.join(rest)})"


def _other_state(digest: str, recorded: bytes, now: bytes) -> str:
    """What of a state is not what was recorded; of the state itself nothing is said if it was altered
    since."""
    if state_hash(recorded) == digest and (other := _difference(json.loads(recorded), json.loads(now))):
        return f"the same answers now lead to another state: {other.removeprefix('.')}"
    return f"the same answers now lead to another state: recorded {digest}, now {state_hash(now)}"


def _worded(phase: PhaseRow, told: Told) -> Iterator[str]:
    """Yield each note that says the same as was recorded in other words."""
    for (step, note), recorded in zip(told, phase.notes, strict=True):
        now = _as_stored(note)
        if other := _difference(recorded, now):
            yield f"{_where(phase, step)}: {now['kind']}{other}"


_NOTHING = object()
"""Stands for what is on one side only."""


def _difference(recorded: Any, now: Any) -> str:
    """Where two plain values first differ, and how: ``.path.2: recorded '0102', now '0103'``; "" if they are
    equal."""
    if isinstance(recorded, Mapping) and isinstance(now, Mapping):
        names: Sequence[Any] = sorted({*recorded, *now})
        pairs = [(recorded.get(name, _NOTHING), now.get(name, _NOTHING)) for name in names]
    elif isinstance(recorded, list) and isinstance(now, list):
        names = range(max(len(recorded), len(now)))
        pairs = list(zip_longest(recorded, now, fillvalue=_NOTHING))
    else:
        same = type(recorded) is type(now) and recorded == now
        return "" if same else f": recorded {_value(recorded)}, now {_value(now)}"
    for name, pair in zip(names, pairs, strict=True):
        if other := _difference(*pair):
            return f".{name}{other}"
    return ""


def _value(value: Any) -> str:
    return "nothing" if value is _NOTHING else repr(value)
