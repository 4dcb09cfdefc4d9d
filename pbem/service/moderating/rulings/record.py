"""The record of a game as a rerun takes it: what was answered from a phase on, what each writer had read by
then, and how new dice are thrown."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sqlmodel import col, select

from pbem.engine.dice import GameDice
from pbem.engine.game import GameState
from pbem.engine.play import Chance
from pbem.service.moderating.rulings.named import row_of
from pbem.service.play.rerun import Change, Recorded, Stretch, Throw
from pbem.service.record.dice_rules import rule_of
from pbem.service.record.rows import JournalRow, LetterRow, unpack
from pbem.service.record.table import Table


def record_from(table: Table, first: int) -> list[Stretch]:
    """Return what was recorded from a phase on."""
    rows = table.record.rows(1, "answer")
    knew = _Reading(table, rows)
    return [
        Stretch(
            phase.number,
            phase.turn,
            phase.label,
            unpack(phase.snapshot),
            tuple(
                Recorded(row.number, row.entry(), row.at, row.letter, knew.before(row))
                for row in rows
                if row.phase == phase.number
            ),
            tuple(phase.salts),
        )
        for phase in table.record.phases(first)
    ]


def secret_turn(table: Table) -> int:
    """Return the turn whose link is not revealed yet."""
    return table.dice.secret_turn(max(1, table.record.phase().turn))[0]


def thrower(table: Table, change: Change, ruling: int) -> Throw:
    """Return what throws new dice for a ruling: as ever, but with the link that is still secret, and the
    ruling's name, for the die that is thrown again and in turns whose link is revealed. With a beacon new
    dice wait for a round."""
    turn = secret_turn(table)
    mine = f"ruling {ruling} of turn {turn}"
    row = row_of(table, change.row) if change.kind == "throw" else None

    def throw(
        request: Chance, stretch: Stretch, state: GameState, label: str
    ) -> tuple[list[Any], str] | None:
        if rule_of(table.row) == "beacon":
            return None
        playing = max(1, state.turn)
        again = row is not None and (stretch.number, label) == (row.phase, row.asked)
        link, said = (turn, mine) if again or playing < turn else (playing, "")
        dice = GameDice(table.dice.chain, table.row.id, link, stretch.label, stretch.salts, said)
        return dice(request, label), "sealed" if request.sealed else f"dice {said}".strip()

    return throw


class _Reading:
    """What the writer of each recorded answer had read when he wrote it."""

    def __init__(self, table: Table, rows: Sequence[JournalRow]) -> None:
        query = select(LetterRow.id, LetterRow.seat, LetterRow.received).where(
            LetterRow.game == table.row.id, col(LetterRow.outcome).in_(("accepted", "explained", "confirmed"))
        )
        self._letters = [(number or 0, seat, at) for number, seat, at in table.record.session.exec(query)]
        self._letters.sort(key=lambda letter: letter[0])
        self._rows = rows
        self._people = {key for key, seat in table.seats.items() if not seat.bot}

    def before(self, row: JournalRow) -> int:
        """The first row that was recorded after the writer's last letter before this answer; the row itself
        for a bot, which knows all that came before."""
        seats = row.asked.split("|")[1].split(",") if not row.entry().dice else []
        if row.by not in ("orders", "moderator") or not set(seats) <= self._people:
            return 0 if row.by in ("standing", "default") else row.number
        wrote = [
            (number, at)
            for number, seat, at in self._letters
            if seat in seats and (number <= row.letter if row.letter is not None else at <= row.at)
        ]
        if not wrote:
            return 0
        number, at = wrote[-1]
        later = (
            other.number
            for other in self._rows
            if (other.at > at if other.letter is None else other.letter >= number)
        )
        return next(later, row.number)
