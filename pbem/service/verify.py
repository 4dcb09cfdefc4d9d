"""Use case: prove that a stored game is what was played. Journal, dice, states and letters are checked
against each other, and every phase can be rerun with the installed rules."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass
from itertools import zip_longest
from typing import Any

from sqlmodel import col, select

from pbem.engine.dice import roll_again
from pbem.engine.errors import ReplayMismatch
from pbem.engine.game import GameState, game
from pbem.engine.notes import Note, plain
from pbem.engine.play import Entry, asked
from pbem.engine.wording import count
from pbem.service.letters import proof
from pbem.service.play.history import Retold, Told, retell, told_by
from pbem.service.play.steps import state_hash
from pbem.service.store import (
    GameRow,
    JournalRow,
    LetterRow,
    OutboxRow,
    PhaseRow,
    Store,
    StoreError,
    broken_links,
    journal,
    only_game,
    standing_rows,
    unpack,
)
from pbem.service.table import Table


def verify_game(store: Store, game_id: str | None = None) -> proof.Findings:
    """Check a game with nothing but its own rows: the hash chain of the journal, every die (sealed ones too)
    from links and salts, the snapshots against the state hashes, the letters received, and the proof lines of
    all letters written. What is wrong is named."""
    with store.transaction() as session:
        row = only_game(session, game_id)
        table = Table(session, row, row.created)
        try:
            rows = journal(session, row.id)
        except json.JSONDecodeError as error:
            return proof.Findings(wrong=[f"the journal holds an answer that cannot be read: {error}"])
        findings = _letters_out(table)
        findings.links += len(rows)
        findings.wrong += broken_links(rows)
        standing = standing_rows(rows)
        phases = {phase.number: phase for phase in table.phases()}
        findings.links += sum(row.kind == "end" for row in standing)
        findings.wrong += phase_faults(row.phase, standing, phases)
        _check_dice(table, standing, phases, findings)
        _check_letters_in(table, findings)
    return findings


def phase_faults(
    running: int, standing: Sequence[JournalRow], phases: Mapping[int, PhaseRow]
) -> Iterator[str]:
    """Yield what is wrong with the phases of a game, of which `running` is being played.

    Each begins with the state in which the one before ended, and with the salts given by then.
    """
    if list(phases) != list(range(1, len(phases) + 1)) or running != len(phases):
        yield f"the phases are {', '.join(map(str, phases)) or 'none'}, and phase {running} is being played"
        return
    ends = {row.phase: row for row in standing if row.kind == "end"}
    for number, phase in phases.items():
        where = f"phase {number} ({phase.label})"
        end = ends.get(number)
        if phase.ended != (end is not None):
            yield f"only one of phase and journal says that {where} has ended"
        elif end is not None and number + 1 in phases:
            try:
                after = state_hash(unpack(phases[number + 1].snapshot))
            except StoreError as error:
                after = str(error)
            if not end.answer == phase.state_hash == after:
                yield f"{where}: the state after it does not have the hash that was recorded"
        before = ends.get(number - 1)
        salts = [
            f"{row.asked}: {row.answer}"
            for row in standing
            if row.kind == "salt" and before and row.number < before.number
        ]
        if list(phase.salts) != salts:
            yield f"{where}: its salts differ from those in the journal"


def _check_dice(
    table: Table, standing: list[JournalRow], phases: dict[int, PhaseRow], findings: proof.Findings
) -> None:
    for row in standing:
        if row.kind != "answer" or row.by not in ("dice", "sealed") or row.phase not in phases:
            continue
        phase = phases[row.phase]
        material = table.chain.sealed_secret if row.by == "sealed" else table.chain.link(max(1, phase.turn))
        findings.rolls += 1
        try:
            fell = roll_again(material, table.row.id, phase.label, row.asked, tuple(phase.salts))
        except ValueError as error:
            findings.wrong.append(f"journal row {row.number}: {error}")
            continue
        if fell != row.answer:
            shows = proof.faces_text(row.answer if isinstance(row.answer, list) else [row.answer])
            findings.wrong.append(
                f"journal row {row.number}, {phase.label}|{row.asked}, shows {shows}, "
                f"the dice fell {proof.faces_text(fell)}"
            )


def _check_letters_in(table: Table, findings: proof.Findings) -> None:
    """A letter is the one that was received if it still has the digest with which it was taken in."""
    for row in table.session.exec(select(LetterRow).where(LetterRow.game == table.row.id)):
        findings.texts += 1
        if row.digest and hashlib.sha256(row.raw).hexdigest() != row.digest:
            findings.wrong.append(f"letter {row.id} from {row.sender} is not the one that was received")


def _letters_out(table: Table) -> proof.Findings:
    """The proof lines of all letters written, with the links of the game itself: here nothing has to wait
    until it is revealed."""
    checker = proof.Checker()
    query = select(OutboxRow).where(OutboxRow.game == table.row.id).order_by(col(OutboxRow.id))
    for row in table.session.exec(query):
        checker.read(f"letter {row.key}", proof.letter_text(row.raw))
    chain = table.chain
    known = {str(turn): chain.link(turn).hex() for turn in range(chain.turns + 1)}
    known |= {"sealed": chain.sealed_commitment.hex(), "opened": chain.sealed_secret.hex()}
    for name, told in checker.links.items():
        if told != known.get(name):
            checker.found.wrong.append(f"link {name} of the letters is not the one of the game")
    checker.links = known
    return checker.finish()


# --- replay -------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Replayed:
    """A phase, rerun.

    `after` is the state with which the next phase begins and `state_hash` its hash; None and "" while the
    phase is being played. `worded` are the notes that say the same in other words than were recorded, and
    `uncompared` is the number of decisions before which the log is not compared, for an earlier release has
    recorded its digest.
    """

    number: int
    label: str
    turn: int
    retold: Retold
    after: GameState | None = None
    state_hash: str = ""
    worded: tuple[str, ...] = ()
    uncompared: int = 0


def replay(store: Store, game_id: str | None = None) -> Iterator[Replayed]:
    """Rerun every phase from its snapshot and recorded answers with the installed rules.

    Raises ReplayMismatch naming the first difference: the turn, the phase and the step (the place of the
    answer that led to it), what was recorded and what comes now. Other words are no difference.
    """
    with store.transaction() as session:
        row = only_game(session, game_id)
        table = Table(session, row, row.created)
        rows = [each for each in table.rows() if each.kind == "answer"]
        phases = table.phases()
    for phase, following in zip_longest(phases, phases[1:]):
        yield _replayed(
            table, phase, [each.entry() for each in rows if each.phase == phase.number], following
        )


@dataclass(frozen=True, slots=True)
class Compared:
    """What a whole game was compared with: `phases` that have ended, `worded` and `uncompared` as of each
    phase. `rules` says that it began under another version of its rules, or nothing."""

    phases: int
    worded: tuple[str, ...]
    uncompared: int
    rules: str

    def lines(self) -> list[str]:
        """The findings in words."""
        lines = [f"{count(self.phases, 'phase')} rerun; all states match the record"]
        if self.worded:
            lines.append(
                f"same decisions, different wording: {count(len(self.worded), 'note')}; "
                f"the first: {self.worded[0]}"
            )
        if self.uncompared:
            lines.append(
                f"not compared: the log before {count(self.uncompared, 'decision')}, "
                "recorded by an earlier release; the logs of phases that have ended are compared as a whole"
            )
        return [*lines, self.rules] if self.rules else lines


def compare(store: Store, game_id: str | None = None) -> Compared:
    """Rerun a game and return how it compares. Raises ReplayMismatch as `replay` does."""
    with store.transaction() as session:
        rules = other_rules(only_game(session, game_id))
    try:
        phases = list(replay(store, game_id))
    except ReplayMismatch as error:
        raise ReplayMismatch(f"decided differently: {error}" + (f" ({rules})" if rules else "")) from error
    return Compared(
        sum(bool(phase.state_hash) for phase in phases),
        tuple(each for phase in phases for each in phase.worded),
        sum(phase.uncompared for phase in phases),
        rules,
    )


def other_rules(row: GameRow) -> str:
    """Say that the installed rules of a game are not of the version under which it began; "" if they are."""
    now = game(row.game).rules
    if row.rules == now:
        return ""
    began = f"under version {row.rules} of the rules" if row.rules else "before the rules had a version"
    return f"{row.id} began {began}; version {now} of {row.game} is installed"


def _replayed(
    table: Table, phase: PhaseRow, entries: Sequence[Entry], following: PhaseRow | None
) -> Replayed:
    snapshot = unpack(phase.snapshot)
    try:
        retold = retell(table.game, snapshot, entries)
    except ReplayMismatch as error:
        told = told_by(table.game, snapshot, entries[: error.step - 1])
        raise _other_note(phase, told, error) or _mismatch(phase, error.step, str(error)) from error
    uncompared = sum(entry.uncompared for entry in entries)
    if not phase.ended:
        return Replayed(phase.number, phase.label, phase.turn, retold, uncompared=uncompared)
    if other := _other_note(phase, retold.told):
        raise other
    if retold.waiting is not None:
        raise _mismatch(
            phase,
            len(entries) + 1,
            f"recorded the end of the phase, the rules now ask {asked(retold.waiting)!r}",
        )
    after = deepcopy(retold.state)
    table.game.next_phase(after)
    dumped = table.game.dump(after)
    digest = state_hash(dumped)
    if digest != phase.state_hash:
        recorded = unpack(following.snapshot) if following else b""
        raise _mismatch(phase, len(entries), _other_state(phase.state_hash, recorded, dumped))
    worded = tuple(_worded(phase, retold.told))
    return Replayed(phase.number, phase.label, phase.turn, retold, after, digest, worded, uncompared)


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
