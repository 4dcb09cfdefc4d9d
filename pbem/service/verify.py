"""Use case: prove that a stored game is what was played. Journal, dice, states and letters are checked
against each other, and every phase can be adjudicated anew by today's rules."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass
from typing import Any

from sqlmodel import col, select

from pbem.engine.dice import roll_again
from pbem.engine.errors import ReplayMismatch
from pbem.engine.game import GameState
from pbem.engine.play import asked
from pbem.service import proof
from pbem.service.adjudicate import state_hash
from pbem.service.history import Retold, retell
from pbem.service.store import (
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
            yield f"{where} has ended, says only one of phase and journal"
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
            yield f"{where}: its salts are not those of the journal"


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
    """A phase, adjudicated anew.

    `after` is the state with which the next phase begins and `state_hash` its hash; None and "" while
    the phase is being played.
    """

    number: int
    label: str
    turn: int
    retold: Retold
    after: GameState | None = None
    state_hash: str = ""


def replay(store: Store, game_id: str | None = None) -> Iterator[Replayed]:
    """Adjudicate every phase anew, from its snapshot and its recorded answers, by today's rules.

    Raises ReplayMismatch naming the phase in which these ask something else, tell another log or lead to
    another state.
    """
    with store.transaction() as session:
        row = only_game(session, game_id)
        table = Table(session, row, row.created)
        rows = [each for each in table.rows() if each.kind == "answer"]
        phases = table.phases()
    for phase in phases:
        yield _replayed(table, phase, [each for each in rows if each.phase == phase.number])


def _replayed(table: Table, phase: PhaseRow, rows: list[JournalRow]) -> Replayed:
    where = f"phase {phase.number}, {phase.label}"
    try:
        retold = retell(table.game, unpack(phase.snapshot), [row.entry() for row in rows])
    except ReplayMismatch as error:
        raise ReplayMismatch(f"{where}: {error}") from error
    if not phase.ended:
        return Replayed(phase.number, phase.label, phase.turn, retold)
    if retold.waiting is not None:
        raise ReplayMismatch(f"{where}: the rules now also ask {asked(retold.waiting)!r}")
    if _plain([note.facts() for note in retold.state.log]) != _plain(phase.notes):
        raise ReplayMismatch(f"{where}: the log now reads differently from what the players have read")
    after = deepcopy(retold.state)
    table.game.next_phase(after)
    digest = state_hash(table.game.dump(after))
    if digest != phase.state_hash:
        raise ReplayMismatch(f"{where}: the same answers now lead to another state")
    return Replayed(phase.number, phase.label, phase.turn, retold, after, digest)


def _plain(notes: Any) -> str:
    """Notes as they are stored, so that fresh ones and those read back can be compared."""
    return json.dumps(notes, sort_keys=True)
