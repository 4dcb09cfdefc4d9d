"""What a ruling can be about: rolls, orders, decisions and phases, by the names that moderators give them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from pbem.engine.language import Order
from pbem.engine.play import Ask
from pbem.engine.wording import count, unknown
from pbem.service.play.history import Move, retell
from pbem.service.play.sections import phase_title
from pbem.service.proof.lines import faces_text
from pbem.service.record.errors import StoreError
from pbem.service.record.rows import JournalRow, unpack
from pbem.service.record.store import Store, only_game
from pbem.service.record.table import Table
from pbem.service.record.turn_dice import Roll

_ROLL = re.compile(r"R(\d+)", re.IGNORECASE)
_ROW = re.compile(r"J(\d+)", re.IGNORECASE)
_TURN = re.compile(r"turn (\d+)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Playable:
    """A recorded answer as a moderator may name it: its names (R22, J45), its phase, and itself in words."""

    names: str
    phase: str
    text: str


def decisions(store: Store, game_id: str | None, turn: int | None = None) -> list[Playable]:
    """Return what was thrown and decided in a turn (the running one), with the names under which a ruling
    can be about it."""
    with store.transaction() as session:
        game_row = only_game(session, game_id)
        return decisions_at(Table(session, game_row, game_row.created), turn)


def decisions_at(table: Table, turn: int | None = None) -> list[Playable]:
    """Return the same of the game at a table."""
    names = {roll.row: f"R{roll.number} " for roll in table.dice.rolls()}
    wanted = table.record.phase().turn if turn is None else turn
    listed: list[Playable] = []
    for phase in table.record.phases():
        if phase.turn == wanted:
            title = phase_title(table.game, phase.label)
            for row, move in moves(table, phase.number):
                listed.append(
                    Playable(f"{names.get(row.number, '')}J{row.number}", title, words(table, move))
                )
    return listed


def moves(table: Table, number: int) -> list[tuple[JournalRow, Move]]:
    """Return the recorded answers of a phase, each with what it answered."""
    rows = [row for row in table.record.rows(number, "answer") if row.phase == number]
    told = retell(table.game, unpack(table.record.phase(number).snapshot), [row.entry() for row in rows])
    return list(zip(rows, told.moves, strict=True))


def move_of(table: Table, row: JournalRow) -> Move:
    """Return what a row of the journal answered."""
    return next(move for each, move in moves(table, row.phase) if each.number == row.number)


def words(table: Table, move: Move) -> str:
    """A recorded answer in words."""
    if move.entry.dice:
        return f"{move.entry.asked} = {faces_text(move.entry.answer)}"
    who = ", ".join(move.seats)
    if move.orders is not None:
        order = table.game.grammar.write(move.order) if move.order is not None else "done"
        return f"{who} [{move.orders.section}] {order} ({move.entry.by})"
    return f"{who}: {move.request.what}: {faces_text([move.entry.answer])} ({move.entry.by})"


def roll_named(table: Table, name: str) -> Roll:
    """Return the open roll called R22. Raises StoreError."""
    match = _ROLL.fullmatch(name)
    rolls = {roll.number: roll for roll in table.dice.rolls()}
    if match is None or int(match[1]) not in rolls:
        last = f": they are R1 to R{max(rolls)}" if rolls else ", nor any other"
        raise StoreError(f'there is no roll "{name}" in the log{last}')
    return rolls[int(match[1])]


def row_of(table: Table, number: int) -> JournalRow:
    """Return a recorded answer that counts, by its row. Raises StoreError."""
    rows = [row for row in table.record.rows(1, "answer") if row.number == number]
    if not rows:
        raise StoreError(f"J{number} is no recorded answer that counts: pbem rule list shows them")
    return rows[0]


def decision_named(table: Table, name: str) -> JournalRow:
    """Return the order or decision called J45. Raises StoreError, also for a roll."""
    match = _ROW.fullmatch(name)
    if match is None:
        raise StoreError(f'"{name}" names no order: pbem rule list shows them as J1, J2, ...')
    row = row_of(table, int(match[1]))
    if row.entry().dice:
        raise StoreError(f"{name} is a roll: reroll it, or set it")
    return row


def place_named(table: Table, name: str) -> JournalRow:
    """Return the row before which the game is to stand, for R22, J45, ``turn 2`` or the label of a phase. Of
    a roll it is the decision that led to it: the same orders would throw the same die. Raises StoreError."""
    if _ROLL.fullmatch(name):
        rows, thrown = table.record.rows(1, "answer"), roll_named(table, name).row
        decided = [row for row in rows if row.number < thrown and not row.entry().dice]
        return decided[-1] if decided else rows[0]
    if match := _ROW.fullmatch(name):
        return row_of(table, int(match[1]))
    turn = _TURN.fullmatch(name)
    phases = [
        phase.number
        for phase in table.record.phases()
        if (phase.turn == int(turn[1]) if turn else phase.label == name)
    ]
    rows = table.record.rows(phases[0], "answer", "end") if phases else []
    if not rows:
        labels = ", ".join(phase.label for phase in table.record.phases()[-6:])
        raise StoreError(
            f'"{name}" is nothing that the game could go back to: name a roll (R22), an answer (J45), '
            f"a turn (turn 2) or a phase ({labels})"
        )
    return rows[0]


def order_written(table: Table, row: JournalRow, move: Move, text: str) -> Order:
    """Return the order that is to take the place of another, read as a line of its seat. Raises
    StoreError."""
    assert move.orders is not None
    seat = move.seats[0]
    before = [each.entry() for each, _ in moves(table, row.phase) if each.number < row.number]
    state = retell(table.game, unpack(table.record.phase(row.phase).snapshot), before).state
    reading = table.game.grammar.read([(1, text)], table.game.roster(state, seat), move.orders.section)
    if len(reading.orders) != 1 or reading.faults:
        fault = str(reading.faults[0].error) if reading.faults else "it is no single order"
        raise StoreError(f'"{text}" cannot take its place: {fault}')
    order: Order = reading.orders[0].order
    return order


def choice_written(move: Move, text: str) -> Any:
    """Return the choice that is to take the place of another. Raises StoreError."""
    if not isinstance(move.request, Ask):
        raise StoreError("that was decided by several sides at once: go back to it instead")
    options = [option for option in move.request.options if str(option) == text]
    if not options:
        raise StoreError(unknown("there is no choice", text, [str(each) for each in move.request.options]))
    return options[0]


def faces_written(text: str, roll: Roll) -> list[Any]:
    """Return the faces that a moderator has written, as many and of the kind that were thrown. Raises
    StoreError."""
    faces: list[Any] = [part for part in re.split(r"[,\s]+", text) if part]
    if len(faces) != len(roll.faces):
        raise StoreError(
            f"R{roll.number} has {count(len(roll.faces), 'die')}, as in {faces_text(roll.faces)}"
        )
    if all(isinstance(face, int) for face in roll.faces):
        if not all(face.isdecimal() for face in faces):
            raise StoreError(
                f'"{text}" are no faces of dice: write numbers, such as {faces_text(roll.faces)}'
            )
        faces = [int(face) for face in faces]
    return faces
