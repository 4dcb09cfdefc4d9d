"""The dice of a game: which secret, salts and round of the beacon throw them, what has been thrown, and what
letters commit to."""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import UTC
from typing import Any

from pbem.engine.beacon import round_after
from pbem.engine.dice import GameDice, HashChain, round_of, ruled
from pbem.engine.game import GameState
from pbem.engine.play import Dice, Entry
from pbem.service.play.steps import Step
from pbem.service.record.dice_rules import Round, rounds_of, rule_of, salts_kept, salts_that_count
from pbem.service.record.game_record import GameRecord


@dataclass(frozen=True, slots=True)
class Roll:
    """A recorded die or draw. `number` is its place among the open rolls of the game (R17), 0 if it is
    sealed; `row` is its row in the journal."""

    number: int
    turn: int
    phase: str
    label: str
    faces: tuple[Any, ...]
    salts: tuple[str, ...]
    row: int

    @property
    def event(self) -> str:
        return "|".join([self.phase, self.label])


class TurnDice:
    """The dice of a game as they stand now. `turns` is the number of turns that its secret has links for."""

    def __init__(self, record: GameRecord, turns: int) -> None:
        self.record = record
        self.row = record.row
        self.chain = HashChain(record.row.secret, turns)
        self.named: Round | None = None
        """The round that was named in this transaction."""
        self._round: Round | None = None

    # --- throwing -------------------------------------------------------------------------------------

    def hang_on(self, round: Round | None) -> None:
        """Let a round of the beacon throw from now on; None for none."""
        self._round = round

    def of(self, state: GameState, label: str, phase: int) -> Dice:
        """The dice of a phase, given its state, label and number."""
        running = phase == self.row.phase
        salts = tuple(self.record.phase(phase).salts if running else self.salts(label))
        turn, ruling = self.secret_turn(max(1, state.turn))
        if rule_of(self.row) != "beacon":
            return GameDice(self.chain, self.row.id, turn, label, salts, ruling)
        if self._round is None:
            return lambda request, label: None
        return GameDice(self.chain, self.row.id, turn, label, (self._round.value,), ruling, self._round.name)

    def thrown(self, step: Step) -> list[Entry]:
        """The new answers of a step; its dice name the round and the ruling under which they fell."""
        ruling = self.secret_turn(max(1, step.turn))[1]
        round = self._round.name if self._round else ""
        entries: list[Entry] = []
        for entry in step.fresh:
            said = [round, ruling if entry.by == "dice" else ""] if entry.dice else []
            entries.append(replace(entry, by=f"{entry.by} {'|'.join(filter(None, said))}".rstrip()))
        return entries

    def secret_turn(self, turn: int) -> tuple[int, str]:
        """The turn whose link throws new dice in `turn`, and what these dice say of it: once a ruling has
        gone back into a turn whose link was revealed, the turn from which it went back, and the ruling."""
        back = [row.answer for row in self.record.rulings if row.answer.get("turn", 0) > turn]
        last = max(back, key=lambda each: int(each["turn"]), default=None)
        return (last["turn"], f"ruling {last['ruling']} of turn {last['turn']}") if last else (turn, "")

    # --- rounds of the beacon -------------------------------------------------------------------------

    def rounds(self) -> list[Round]:
        """The rounds of the beacon that were named in this game, in order."""
        if rule_of(self.row) != "beacon":
            return []
        return rounds_of(self.record.every_row("beacon", "ruling"))

    def open_round(self) -> Round | None:
        """The round of the beacon that the game waits for."""
        if rule_of(self.row) != "beacon" or self.row.status != "running":
            return None
        last = self.rounds()[-1:]
        return last[0] if last and last[0].waits else None

    def name_round(self, late: Mapping[str, str]) -> None:
        """Name the round on which the dice hang that the game has come to: its orders have just been closed,
        some of them by a deadline (`late`: seats with their sections). A game without a beacon waits for dice
        only where it is played for show."""
        if rule_of(self.row) != "beacon":
            return
        record = self.record
        number = round_after(record.now)
        answer = {"round": number, "closed": record.now.astimezone(UTC).isoformat(), "late": dict(late)}
        record.journal.append(self.row.phase, "beacon", f"round {number}", answer, at=record.now)
        record.session.flush()
        self.named = self.open_round()

    # --- salts ----------------------------------------------------------------------------------------

    def salts(self, phase: str) -> list[str]:
        """The salts that will count in the next phase to begin, given its label."""
        kept = salts_kept(self.record.rulings, phase)
        return salts_that_count(self.record.rows(1, "salt"), rule_of(self.row)) if kept is None else kept

    def add_salt(self, seat: str, words: str, letter: int | None, by: str = "") -> None:
        """Write down a salt of a seat; `by` is "letter" where its first letter gives it."""
        record = self.record
        record.journal.append(self.row.phase, "salt", seat, words, at=record.now, by=by, letter=letter)

    # --- what has been thrown, and proof --------------------------------------------------------------

    def rolls(self, first_phase: int = 1, sealed: bool = False) -> list[Roll]:
        """The dice recorded since a phase began, open ones, or the sealed ones too."""
        phases = {row.number: row for row in self.record.phases(first_phase)}
        numbers = {number: row.rolls for number, row in phases.items()}
        values = {each.number: each.value for each in self.rounds()}
        rolls: list[Roll] = []
        for row in self.record.rows(first_phase, "answer"):
            entry, where = row.entry(), phases[row.phase]
            open_ = entry.dice == "dice"
            numbers[row.phase] += open_
            if open_ or (sealed and entry.dice):
                label = ruled(row.asked, entry.ruling)
                round = round_of(label)
                salts = tuple(where.salts) if round is None else (values[round],)
                rolls.append(
                    Roll(
                        numbers[row.phase] if open_ else 0,
                        max(1, where.turn),
                        where.label,
                        label,
                        tuple(row.answer),
                        salts,
                        row.number,
                    )
                )
        return rolls

    def commitment(self, secret: bytes) -> str:
        """The sealed commitment to a state or another secret, checkable when the game is over (design: dice
        that anyone can check)."""
        return hmac.digest(self.chain.sealed_secret, secret, hashlib.sha256).hex()

    def journal_seal(self, seat: str, letter: int, head: str) -> str:
        """What letter number `letter` to a seat commits to of the journal, whose last hash is `head`. The
        hash itself would let the reader try out what the other side may have written."""
        return self.commitment(f"{seat} {letter} {head}".encode())
