"""Use case: a moderator rules on a game."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any, get_args

import msgspec
from sqlmodel import col, select

from pbem.engine.errors import OrderError
from pbem.engine.notes import UMPIRE
from pbem.engine.play import Chance
from pbem.engine.wording import count, unknown
from pbem.service.letters.layout import Pictures, send, without_log
from pbem.service.letters.observers import tell_again
from pbem.service.letters.reports import tell
from pbem.service.letters.rolls.page import zone_of
from pbem.service.letters.ruled import FROM_THERE, HOW, Leak, Ruled, What, recorded, stand
from pbem.service.letters.rulings import Known, known, ruling_letter, umpire_changes
from pbem.service.moderating import disputes
from pbem.service.moderating.rulings import named
from pbem.service.moderating.rulings.giving_back import Returned, ask_again, give_back, own_decisions
from pbem.service.moderating.rulings.record import record_from, secret_turn, thrower
from pbem.service.moderating.rulings.tail import Tail
from pbem.service.play.news import News
from pbem.service.play.plain import Number, Plain, Whole
from pbem.service.play.position import changed, written
from pbem.service.play.rerun import Change, Rerun, Stretch, rerun
from pbem.service.play.sections import phase_title
from pbem.service.play.steps import Step, state_hash
from pbem.service.proof.lines import faces_text
from pbem.service.record.clock import what_is_asked
from pbem.service.record.errors import StoreError
from pbem.service.record.rows import JournalRow, OutboxRow
from pbem.service.record.store import Store, only_game
from pbem.service.record.table import Table
from pbem.service.record.turn_dice import Roll


class RulingRow(Plain):
    """A ruling, as the journal keeps it, with the `case` of the roll that it is about. One that goes back
    says which rows of the journal still stand, the turn that it goes back into, the salts and the first
    salts of phases that will open again; one on the position says what it sets, in which phase."""

    ruling: Number
    what: str
    says: str
    why: str
    before: str
    after: str
    case: str = ""
    stands: Whole | None = None
    turn: Whole | None = None
    salts: dict[str, list[str]] = msgspec.field(default_factory=dict)
    opened: dict[str, list[str]] = msgspec.field(default_factory=dict)
    phase: Number | None = None
    set: dict[str, str] = msgspec.field(default_factory=dict)


class PositionRow(Plain):
    """What a ruling has changed in the state with which a phase begins, as the journal keeps it."""

    ruling: Number
    before: str
    after: str


def rule(
    store: Store,
    game_id: str | None,
    what: What,
    about: str = "",
    value: str = "",
    *,
    by: str,
    why: str,
    now: datetime,
    dry_run: bool = False,
) -> Ruled:
    """Rule on a game and tell everyone concerned; with `dry_run` only find out what the ruling would do.

    `about` names a roll (R22), a decision or order (J45, its row of the journal), or for "back" also a phase
    (``t2.combat``) or ``turn 2``; for "position" it holds the changes (``units.1A.hex=2126 ...``). `value` is
    what to set the die to, or the order or choice that takes the place of another. `by` is who rules.
    Raise StoreError for what cannot be, with the reason.
    """
    with store.transaction() as session:
        table = Table(session, only_game(session, game_id), now)
        ruled = rule_on(table, what, about, value, by=by, why=why, dry_run=dry_run)
        if dry_run:
            session.rollback()
    return ruled


def rule_on(
    table: Table, what: What, about: str, value: str, *, by: str, why: str, dry_run: bool = False
) -> Ruled:
    """Rule on the game at a table, as `rule` does on a stored one. After a `dry_run` the caller must roll
    back."""
    if what not in get_args(What):
        raise StoreError(unknown("there is no ruling", what, list(get_args(What))))
    if not why.strip() and not dry_run and what not in ("undo", "uphold"):
        raise StoreError("a ruling needs a reason that its readers can understand: --why TEXT")
    ruling = _Ruling(table, what, about.strip(), value.strip(), by, " ".join(why.split()))
    return ruling.preview() if dry_run else ruling.carry_out()


def looked_at(table: Table, what: What, about: str, value: str, *, by: str, why: str) -> Ruled:
    """Find out what a ruling would do, as `rule_on` does; nothing of it remains."""
    session, row, now = table.record.session, table.row, table.record.machine_time
    nested = session.begin_nested()
    try:
        return rule_on(Table(session, row, now), what, about, value, by=by, why=why, dry_run=True)
    finally:
        nested.rollback()
        session.expire_all()


def rulings(store: Store, game_id: str | None) -> list[str]:
    """Return the rulings of a game in words, a line each with its reason below, with times in its zone."""
    with store.transaction() as session:
        row = only_game(session, game_id)
        table = Table(session, row, row.created)
        zone = zone_of(table, UMPIRE)
        lines: list[str] = []
        for ruling in table.record.rulings:
            lines += recorded(ruling, zone)
            lines.append(f"  state before {ruling.answer['before']}, after {ruling.answer['after']}")
        return lines


MOST_TOLD = 40
"""The other moderators get at most this many lines of a ruling."""


@dataclass(slots=True)
class _Ruling:
    """A ruling while it is worked out.

    `public` is what every seat may read of it in a sentence, `private` what one seat reads instead, because
    the ruling is about an order or a decision of its own.
    """

    table: Table
    what: What
    about: str
    value: str
    by: str
    why: str
    number: int = field(init=False)
    case: str = ""
    public: str = ""
    private: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.number = len(self.table.record.rulings) + 1

    def preview(self) -> Ruled:
        """What the ruling would do; of a die to be thrown again, what each fall of it would."""
        if self.what != "reroll":
            return replace(self.carry_out(), done=False)
        roll = named.roll_named(self.table, self.about)
        row = named.row_of(self.table, roll.row)
        falls = tuple(self._if_it_falls(row))
        before = self._hash(self.table.here())
        says = f"R{roll.number} is thrown again (it fell {faces_text(row.answer)})"
        ruled = self._ruled(says, falls=falls, leaks=self._leaks(roll.row), before=before)
        return replace(ruled, done=False)

    def carry_out(self) -> Ruled:
        """Rule, and tell everyone: the other moderators of the whole ruling, with who knew what."""
        ruled = self._carry_out()
        table, says = self.table, f"Ruling {self.number}, by {self.by}"
        lines = ruled.lines()[:MOST_TOLD]
        table.record.tell_moderators(says, lines, by=self.by)
        return ruled

    def _carry_out(self) -> Ruled:
        table = self.table
        if self.what == "uphold":
            return self._uphold()
        if self.what == "position":
            return self._position()
        if table.row.status == "over":
            raise StoreError(
                "the game is over and every link is revealed, so that no die could be thrown in secret: "
                "only uphold and position are left"
            )
        if self.what == "undo":
            tail = Tail.of(table)
            title = table.game.seat(tail.seat).title
            says = f"Undone: the last orders or decision of {title}"
            return self._go_back(tail.rows[0], Change(tail.rows[0].number, "back"), says)
        if self.what == "back":
            row = named.place_named(table, self.about)
            title = phase_title(table.game, table.record.phase(row.phase).label)
            self.public = f"The game goes back to {title}"
            return self._go_back(row, Change(row.number, "back"), f"{self.public}, to before {self.about}")
        if self.what in ("strike", "correct"):
            return self._mend_decision()
        roll = self._roll()
        change = Change(roll.row, "throw")
        if self.what == "set":
            faces = named.faces_written(self.value, roll)
            change = Change(roll.row, "answer", faces, f"dice set by ruling {self.number}")
        return self._go_back(named.row_of(table, roll.row), change)

    def _roll(self) -> Roll:
        """The roll that it is about; its name and case are noted."""
        roll = named.roll_named(self.table, self.about)
        self.about, self.case = f"R{roll.number}", roll.label.partition("|")[0]
        return roll

    def _says_of_die(self, row: JournalRow, change: Change, again: Rerun) -> str:
        """What the die shows now, and what it showed before."""
        before = faces_text(row.answer)
        if change.kind == "answer":
            fell = "before: it was set to" if row.by.startswith("dice set by") else "it fell"
            return f"{self.about} counts as {faces_text(change.answer)} ({fell} {before})"
        thrown = [entry.answer for entry in again.thrown if entry.asked == row.asked]
        if not thrown:  # its dice hang on a round of the beacon that is not out yet
            return f"{self.about} is thrown again (before: {before})"
        return f"{self.about} was thrown again: {faces_text(thrown[0])} (before: {before})"

    def _mend_decision(self) -> Ruled:
        """Strike an order, or put another order or choice in its place. What it says is for its own seat."""
        game, row = self.table.game, named.decision_named(self.table, self.about)
        move = named.move_of(self.table, row)
        title = ", ".join(game.seat(seat).title for seat in move.seats)
        what = "order" if move.orders is not None else "decision"
        if self.what == "strike":
            if move.order is None:
                raise StoreError(f"{self.about} is no order: a decision can only be corrected")
            says = f"{title}: {game.grammar.write(move.order)} is struck out"
            self.public = f"An order of {title} is struck out"
            change = Change(row.number, "strike")
        else:
            answer, text = self._answer(row)
            old = game.grammar.write(move.order) if move.order is not None else faces_text([row.answer])
            says = f"{title}: {text}, in place of {old}"
            self.public = f"An {what} of {title} is corrected".replace("An d", "A d")
            change = Change(row.number, "answer", answer)
        self.private = dict.fromkeys(move.seats, says)
        return self._go_back(row, change, says)

    def _answer(self, row: JournalRow) -> tuple[Any, str]:
        """The order or choice that takes the place of another, and the same in words."""
        move = named.move_of(self.table, row)
        if move.orders is None:
            choice = named.choice_written(move, self.value)
            return choice, str(choice)
        order = named.order_written(self.table, row, move, self.value)
        return order, self.table.game.grammar.write(order)

    # --- from now on ----------------------------------------------------------------------------------

    def _uphold(self) -> Ruled:
        table, here = self.table, self.table.here()
        self._roll()
        says, digest, first = f"{self.about} stands", self._hash(here), table.row.phase
        before = self._known(here, first)
        self._note(first, says, {"before": digest, "after": digest})
        self._tell(here, says, before, first, {})
        return self._ruled(says, before=digest, after=digest)

    def _position(self) -> Ruled:
        """Change the position at once, or where the next phase opens if this one is being played."""
        table, here = self.table, self.table.here()
        if not self.about:
            raise StoreError("say what to change: PATH=VALUE, such as units.1A.hex=2126")
        try:
            values = written(self.about.split())
            now = changed(table.game, table.game.dump(without_log(here.state)), values)
        except ValueError as error:
            raise StoreError(str(error)) from error
        first, played = table.row.phase, bool(table.position().entries)
        before, old = self._known(here, first), self._hash(here)
        when = f" when {phase_title(table.game, here.label)} is over" if played else ""
        self.about, self.public = "position", f"The position is corrected{when}"
        says = f"{self.public}: {', '.join(f'{path} = {value}' for path, value in values.items())}"
        new = old if played else state_hash(now)
        self._note(first, says, {"set": values, "phase": first + played, "before": old, "after": new})
        if not played:
            table.change_position(table.record.rulings[-1])
            here = table.here()
            ask_again(table, here)
        changes = umpire_changes(table, here, before[UMPIRE], first)
        self._tell(here, says, before, first, {})
        return self._ruled(says, before=old, after=new, changes=changes)

    # --- from there on --------------------------------------------------------------------------------

    def _go_back(self, row: JournalRow, change: Change, says: str = "") -> Ruled:
        """Go back to a row, put the change in, and play again what stands of the record. A ruling on a die
        `says` what came of it."""
        table, here, first = self.table, self.table.here(), row.phase
        old, before, leaks = self._hash(here), self._known(here, first), self._leaks(row.number)
        record = record_from(table, first)
        again = self._rerun(record, change)
        says = says or self._says_of_die(row, change, again)
        salts = _salts(table, record, again)
        new = state_hash(table.game.dump(without_log(again.steps[-1].state)))
        stands = max(each.number for each in table.record.rows() if each.number < row.number)
        turn = secret_turn(table)
        opened = {stretch.label: list(stretch.salts) for stretch in record}
        details = {"stands": stands, "turn": turn, "salts": salts, "opened": opened}
        details |= {"before": old, "after": new}
        self._note(first, says, details)
        _write(table, first, again, salts)
        tell_again(table, table.record.phase(first).turn, self.number)
        here = table.here()
        turns = {each.row: stretch.turn for stretch in record for each in stretch.answers}
        returned = give_back(table, here, again.left, turns)
        changes = umpire_changes(table, here, before[UMPIRE], first)
        self._tell(here, says, before, first, returned)
        write = table.game.grammar.write
        ruled = self._ruled(
            says,
            before=old,
            after=new,
            changes=changes,
            leaks=leaks,
            kept=again.kept,
            thrown=tuple(f"{entry.asked} = {faces_text(entry.answer)}" for entry in again.thrown),
            left=tuple(
                (given.seat, given.section, write(given.order) if given.order else given.what)
                for given in own_decisions(again.left)
            ),
            opened=tuple((key, ", ".join(each.opened)) for key, each in returned.items() if each.opened),
            smaller=self._smaller(again),
        )
        tell(table, table.play_on())
        return ruled

    def _rerun(self, record: Sequence[Stretch], change: Change) -> Rerun:
        throw = thrower(self.table, change, self.number)
        try:
            again = rerun(self.table.game, record, change, throw, self.table.opened)
        except OrderError as error:
            raise StoreError(f"the record cannot be played again by the installed rules: {error}") from error
        if again.refused is not None:
            what = self.about if self.what == "set" else self.value or self.about
            raise StoreError(f"{what}: {again.refused}")
        return again

    def _if_it_falls(self, row: JournalRow) -> list[str]:
        """What each outcome of a die that is thrown again would leave standing."""
        request = named.move_of(self.table, row).request
        assert isinstance(request, Chance)
        record = record_from(self.table, row.phase)
        by_effect: dict[str, list[str]] = {}
        for faces, _ in request.outcomes():
            again = self._rerun(record, Change(row.number, "answer", faces, "dice"))
            left = len(own_decisions(again.left))
            what = f"{count(again.kept, 'answer')} after it {stand(again.kept)}, {left} asked for again"
            same = " (as now)" if list(faces) == list(row.answer) else ""
            what = what if again.kept or left else "nothing was decided after it"
            by_effect.setdefault(what, []).append(f"{faces_text(faces)}{same}")
        return [f"{', '.join(faces)}: {what}" for what, faces in by_effect.items()]

    def _smaller(self, again: Rerun) -> str:
        """A ruling that would change less than this one; "" if this one asks nobody again."""
        if not own_decisions(again.left) or self.what == "undo":
            return ""
        if self.what == "back" and self.about.upper().startswith("R"):
            return f"reroll {self.about} or set {self.about} keeps what its writers would have ordered anyway"
        return "position PATH=VALUE corrects the result and lets history stand"

    # --- writing it down, and telling -----------------------------------------------------------------

    def _note(self, phase: int, says: str, details: Mapping[str, Any]) -> None:
        """Write the row of the ruling."""
        table = self.table
        answer = {"ruling": self.number, "what": self.what, "says": says, "why": self.why, **details}
        if self.what in ("uphold", "reroll", "set"):
            answer["case"] = self.case
        table.record.journal.append(
            phase, "ruling", self.about or self.what, answer, at=table.now, by=self.by
        )
        table.record.session.flush()
        del table.record.rulings

    def _known(self, here: Step, first: int) -> dict[str, Known]:
        """What every seat knows, and the umpire, of the log since a phase began."""
        readers = [key for key, seat in self.table.seats.items() if seat.address] + [UMPIRE]
        return {key: known(self.table, key, here, first) for key in readers}

    def _tell(
        self,
        here: Step,
        says: str,
        before: Mapping[str, Known],
        first: int,
        returned: Mapping[str, Returned],
    ) -> None:
        """Write to every seat what the ruling means for it."""
        table = self.table
        disputes.go_on(table)
        who = {"host": "the host", "the players": "the players"}.get(self.by, "the moderator")
        what = f"This is ruling {self.number}, by {who}: {HOW.get(self.what, FROM_THERE)}."
        for key, seat in table.seats.items():
            if key not in before:
                continue
            mine = returned.get(key, Returned())
            lead = (f"{self.private.get(key, self.public or says)}. {mine.sentence()}".rstrip(), what)
            subject = self.public or says
            later = mine.later
            writing = ruling_letter(table, key, here, subject, lead, self.why, before[key], first, later)
            letter = send(table, key, writing, here, Pictures())
            news = News.load(seat.news)
            news.told(here.number, len(here.notes))
            news.begun = []
            news.asked, news.letter, news.over = what_is_asked(table, here, key), letter, here.over
            seat.news = news.dump()
            table.record.keep(seat)
            table.clock.promise(key, here)
        table.record.session.flush()

    def _leaks(self, row: int) -> tuple[Leak, ...]:
        """The letters to seats that were written after a row of the journal was, and those to observers who
        have been told of its turn."""
        table = self.table
        turn = max(1, table.record.phase(named.row_of(table, row).phase).turn)
        watching = [each.key for each in table.record.staff("observer") if each.told.get("turn", 0) >= turn]
        to_seats = col(OutboxRow.kind).in_(("turn", "reply", "ruling"))
        to_observers = (col(OutboxRow.kind) == "observer") & col(OutboxRow.seat).in_(watching)
        query = select(OutboxRow).where(OutboxRow.game == table.row.id, OutboxRow.position >= row)
        query = query.where(to_seats | to_observers)
        rows = table.record.session.exec(query.order_by(col(OutboxRow.id)))
        return tuple(Leak(each.seat, each.subject, each.created, each.sent is not None) for each in rows)

    def _hash(self, here: Step) -> str:
        return state_hash(self.table.game.dump(without_log(here.state)))

    def _ruled(self, says: str, **found: Any) -> Ruled:
        zone = zone_of(self.table, UMPIRE)
        return Ruled(
            self.table.row.id, self.number, self.what, self.about, says, self.by, self.why, True, zone=zone,
            public=self.public or says, **found,
        )  # fmt: skip


def _salts(table: Table, record: Sequence[Stretch], again: Rerun) -> dict[str, list[str]]:
    """The salts of the phases that begin again, by number: those that counted before, so that the dice stay
    as they fell."""
    known_ = {(stretch.number, stretch.label): list(stretch.salts) for stretch in record}
    begun = [(step.number + 1, step.after) for step in again.steps if step.after is not None]
    following = [(number, table.game.label(table.game.load(after))) for number, after in begun]
    return {str(each[0]): known_.get(each, table.dice.salts(each[1])) for each in following}


def _write(table: Table, first: int, again: Rerun, salts: Mapping[str, Sequence[str]]) -> None:
    """Take back what was played since a phase began, and write down what is played instead."""
    table.reopen(first)
    for step, origins in zip(again.steps, again.origins, strict=True):
        for entry, origin in zip(step.fresh, origins, strict=True):
            letter, at = (origin.letter, origin.at) if origin else (None, None)
            table.record.append(step.number, entry, letter, at)
        if step.after is not None:
            table.end_phase(step, salts[str(step.number + 1)])
    table.forget()
