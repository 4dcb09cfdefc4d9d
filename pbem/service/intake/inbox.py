"""How a seat's letter is processed: read it, put its lines on the sheet, judge them, close sections, play.

`consider` stops after judging and closing and stores nothing: the server, TRY and ``pbem orders check`` all
use it. `act` stores its result and plays on.
"""

from __future__ import annotations

import hashlib
import hmac
import re
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any

from sqlmodel import col, select

from pbem.engine.errors import OrderError
from pbem.engine.language import Command, Fault, Line, Reading, Said, Scope, Spot
from pbem.engine.language.choices import choice_letter
from pbem.engine.language.model import sent
from pbem.mail.compose import Attachment
from pbem.mail.letter import Letter
from pbem.mail.letter import Line as LetterLine
from pbem.service.intake.reading import Basis, Readings
from pbem.service.letters.log import Part, local_time
from pbem.service.letters.maps import Maps
from pbem.service.letters.sheets import judged
from pbem.service.play.closing import Closing, close
from pbem.service.play.judging import Judgement
from pbem.service.play.lateness import late, played_of, reason
from pbem.service.play.placing import Taken
from pbem.service.play.plain import Number, Plain, Whole
from pbem.service.play.questions import Question, Questions
from pbem.service.play.sections import asked_section, is_drawn, open_sections, titles
from pbem.service.play.sheet import KeptStanding, Sheet, SheetLine, dump_standing, load_standing
from pbem.service.play.steps import Step
from pbem.service.play.taking import Scene, take
from pbem.service.record.rows import LetterRow, OutboxRow, SeatRow
from pbem.service.record.table import Table

CORRECTING = ("answer", "defaults", "done", "final", "none", "withdraw", "new")
"""Commands with which a letter without orders may correct an earlier one."""


MADE_BESIDE = re.compile(r"Re: \[(?P<game>[a-z0-9_-]+)\] (?P<where>- T\d+ .+)", re.IGNORECASE)
"""What an order desk writes above its letter."""

FOR_ANOTHER_GAME = (
    "It begins with the line of an order desk of game {game}: send it in reply to a letter of that game."
)


class SetAside(Plain):
    """One thing that a letter set aside for KEEP: a line and the name of the one before it, a line that is
    withdrawn, or a standing order."""

    line: dict[str, Any] | None = None
    behind: Whole = 0
    gone: Number | None = None
    standing: KeptStanding | None = None

    def __post_init__(self) -> None:
        if [self.line, self.gone, self.standing].count(None) != 2:
            raise ValueError("should be one of line, gone and standing")
        if self.line is not None:
            try:
                SheetLine.check(self.line)
            except ValueError as error:
                raise ValueError(f"line.{error}") from None


@dataclass(slots=True)
class Inbox:
    """One letter of a seat while it is processed. `here` is the game as the letter found it, `answered` the
    letter from pbem that it answers.

    `parts` are what letter commands gave, `set_right` the questions that it answered, `steps` what was played
    because of it.
    """

    table: Table
    seat: SeatRow
    letter: Letter
    row: LetterRow
    here: Step
    answered: OutboxRow | None = None
    reading: Reading = field(default_factory=Reading)
    scene: Scene = field(default_factory=lambda: Scene("", (), frozenset()))
    taken: Taken = field(default_factory=lambda: Taken(Sheet()))
    judgement: Judgement = field(default_factory=Judgement)
    once_kept: Judgement = field(default_factory=Judgement)
    """What the sheet would be judged once KEEP has put on it the lines that came too late."""
    closing: Closing = field(default_factory=Closing)
    questions: Questions = field(default_factory=Questions)
    answers: list[Question] = field(default_factory=list)
    refused: str = ""
    """Why its answers are refused together; "" if they are not."""
    torn: list[Question] = field(default_factory=list)
    """Questions that the letter answers in more ways than one."""
    standing: list[dict[str, Any]] = field(default_factory=list)
    parts: list[Part] = field(default_factory=list)
    files: list[Attachment] = field(default_factory=list)
    """What its commands send besides."""
    maps: Maps = field(default_factory=Maps)
    quoted: int = 0
    """How many of its lines repeat a letter from pbem without a mark."""
    first: list[str] = field(default_factory=list)
    """Sentences for the first line of its reply, about what its commands have done."""
    notes: list[str] = field(default_factory=list)
    """Sentences about the letter as a whole, for its reply."""
    steps: list[Step] = field(default_factory=list)
    readings: Readings = field(default_factory=Readings)

    @property
    def tried(self) -> bool:
        return bool(self.said("try"))

    @property
    def sheet(self) -> Sheet:
        """The sheet with this letter on it."""
        return self.taken.sheet

    def said(self, *names: str) -> list[Command]:
        """The letter commands of these names."""
        return [command for command in self.reading.commands if command.name in names]


def inbox_of(
    table: Table, seat: SeatRow, letter: Letter, row: LetterRow, readings: Readings | None = None
) -> Inbox:
    """Return an inbox for a letter that has not been processed yet."""
    beside, answered, first = _beside(letter), None, []
    if beside is not None and beside["game"].lower() != table.row.id:
        letter = replace(letter, lines=(), files=())
        first.append(FOR_ANOTHER_GAME.format(game=beside["game"]))
    else:
        letter, answered = _answering(table, seat, letter, beside)
    inbox = Inbox(table, seat, letter, row, table.here(), answered, first=first)
    inbox.readings = readings or inbox.readings
    _ = table.record.journal  # read before anything is written, so that the letter is written once
    row.game, row.seat, row.turn = table.row.id, seat.key, inbox.here.turn
    return inbox


def _beside(letter: Letter) -> re.Match[str] | None:
    """The line that an order desk writes above its letter. It says of which game the desk is, and beside
    which letter it was made: ``Re: [cotentin] - T2 Allied combat``."""
    first = _first(letter)
    return MADE_BESIDE.fullmatch(first.text.strip()) if first is not None and not first.quoted else None


def _first(letter: Letter) -> LetterLine | None:
    """The first line of a letter that says anything."""
    return next((line for line in letter.lines if line.text.strip()), None)


def _answering(
    table: Table, seat: SeatRow, letter: Letter, beside: re.Match[str] | None
) -> tuple[Letter, OutboxRow | None]:
    """A letter without the line that an order desk writes above it, and the letter from pbem that it answers.
    That line counts where the mail itself answers nothing, or a letter about another phase."""
    answered = table.post.answered(letter, seat.key)
    if beside is None:
        return letter, answered
    first = _first(letter)
    words = replace(letter, subject=beside[0], in_reply_to="", references=())
    if answered is None or beside["where"].lower() not in answered.subject.lower():
        answered = table.post.answered(words, seat.key) or answered
    return replace(letter, lines=tuple(line for line in letter.lines if line is not first)), answered


# --- reading and judging ------------------------------------------------------------------------------------


def consider(inbox: Inbox) -> None:
    """Read a letter and work out what it would do. Store nothing."""
    table, seat = inbox.table, inbox.seat
    inbox.questions = Questions.load(seat.questions)
    inbox.scene = _scene(inbox)
    inbox.reading = _with_standing(inbox, _graves_guarded(inbox, _read(inbox)))
    kept = take(table.sheet(seat), _kept(inbox), inbox.scene, inbox.row.id or 0)
    inbox.taken = take(kept.sheet, inbox.reading, inbox.scene, inbox.row.id or 0).behind(kept)
    inbox.taken.resumed = list(kept.touched)
    inbox.sheet.turn = inbox.here.turn
    inbox.standing = _standing(inbox)
    for command in inbox.said("always"):
        inbox.sheet.always = command.argument == "on"
    for command in inbox.said("empty"):
        inbox.sheet.empty = command.argument == "on"
    _answers(inbox)
    if inbox.taken.touched or inbox.taken.named or inbox.said("done", "final", "none"):
        inbox.judgement = judged(table, inbox.here, seat, inbox.sheet, inbox.questions)
    inbox.closing = close(inbox.reading, inbox.taken, inbox.judgement, inbox.scene, _why_draft(inbox))
    if any(line.section in inbox.scene.open for line in inbox.taken.aside):
        late = Reading(tuple(_said_again(line, None) for line in inbox.taken.aside))
        taken = take(inbox.sheet, late, replace(inbox.scene, late={}), inbox.row.id or 0)
        inbox.once_kept = judged(table, inbox.here, seat, taken.sheet, inbox.questions)
    _hold_answers(inbox)


def _scene(inbox: Inbox) -> Scene:
    table, seat, here = inbox.table, inbox.seat, inbox.here
    played = played_of(seat.played)
    over = [section for section, each in played.items() if each.phase == here.number]
    sections = open_sections(table.game, here, seat.key, over)

    def when(section: str) -> str:
        return reason(section, played[section], local_time(played[section].moment, seat.zone))

    missed = seat.missed.get("turn") is not None and inbox.answered is None
    if missed:
        due = local_time(datetime.fromisoformat(seat.missed["due"]), seat.zone)
        early = seat.missed.get("early")
        passed = (
            f"{early} closed a section of yours on {due}" if early else f"you missed the deadline of {due}"
        )
        why = f"{passed}, and this is your first email since; it does not reply to any letter from pbem"
        too_late = dict.fromkeys(sections, why)
        too_late |= {section: when(section) for section in played if section not in sections}
    else:
        position = inbox.answered.position if inbox.answered else table.record.journal.last
        too_late = {section: when(section) for section in late(played, position)}
    return Scene(
        asked_section(here, seat.key),
        sections,
        frozenset(section for section in sections if is_drawn(table.game, section)),
        inbox.answered.section if inbox.answered else "",
        too_late,
        {section: when(section) for section in played if section not in sections},
        table.game.grammar.write_line,
    )


def _read(inbox: Inbox) -> Reading:
    read = inbox.readings.of(_basis(inbox))
    inbox.quoted = read.quoted
    inbox.notes += read.notes
    return read.reading


def _basis(inbox: Inbox) -> Basis:
    table, seat, here = inbox.table, inbox.seat, inbox.here
    scope = Scope(
        tuple(inbox.scene.open),
        titles(table.game, here.state, seat.key),
        {each.number: tuple(each.options) for each in inbox.questions.open},
        {each.number: (tuple(each.options), each.chosen) for each in inbox.questions.past},
        _going(table.sheet(seat)),
        here.turn,
        frozenset(re.findall(r"[^\W\d_]+", seat.name.casefold())),
        table.sheet(seat).always,
        {line.name: line.line for line in table.sheet(seat).lines if line.line is not None},
    )
    return Basis(
        inbox.letter,
        table.row.id,
        seat.key,
        table.position(),
        scope,
        table.post.quotable(seat.key, inbox.answered),
        table.game.grammar,
        table.game.roster(here.state, seat.key),
    )


def _going(sheet: Sheet) -> dict[str, str]:
    """Where kept lines send units."""
    return {
        unit: hex for line in sheet.lines if line.order is not None for unit, hex in sent(line.order).items()
    }


def _graves_guarded(inbox: Inbox, reading: Reading) -> Reading:
    """Require a code for orders that end or concede the game: without it they become faults that offer the
    code."""
    return replace(reading, said=tuple(_guarded(inbox, said) for said in reading.said))


def _guarded(inbox: Inbox, said: Said) -> Said:
    if not isinstance(said, Line) or not any(
        order is not None and order.grave for order in (said.order, said.otherwise)
    ):
        return said
    code = grave_code(inbox, said.order.verb)
    if hmac.compare_digest(said.code, code):
        return said
    error = OrderError(
        f"{said.order.verb} ends the game for you; if you mean it, send it with the code",
        length=len(said.text),
    )
    offered = f"{said.text} {code}"
    return Fault(said.number, said.text, error, offered, said.section, said.spot, meant=(said,))


def grave_code(inbox: Inbox, verb: str) -> str:
    """The code that shows that a seat means an order that ends the game, in this turn."""
    about = f"{inbox.table.row.id}|{inbox.seat.key}|{inbox.here.turn}|{verb}"
    return hmac.digest(inbox.seat.token_key, about.encode(), hashlib.sha256).hex()[:6]


def _kept(inbox: Inbox) -> Reading:
    """KEEP: return the lines of a late or tried letter as they were then. Anything else in the current letter
    comes after them."""
    if not inbox.said("keep"):
        return Reading()
    row = _set_aside(inbox)
    if row is None:
        inbox.notes.append("KEEP: you have no late or tried lines to keep.")
        return Reading()
    sheet, grammar = inbox.table.sheet(inbox.seat), inbox.table.game.grammar
    there = tuple(str(each["gone"]) for each in row.aside if "gone" in each and sheet.named(each["gone"]))
    said: list[Said] = [Command("withdraw", "lines", 0, names=there)] if there else []
    lines = [(SheetLine.load(grammar, each["line"]), each["behind"]) for each in row.aside if "line" in each]
    unchanged = all(line.name >= sheet.next or sheet.named(line.name) for line, _ in lines)
    for line, before in lines:
        if line.name and sheet.named(line.name):
            said.append(_said_again(line, Spot(line.name)))
        else:
            said.append(_said_again(line, Spot(before, after=True) if before and unchanged else None))
    return Reading(tuple(said))


def _with_standing(inbox: Inbox, reading: Reading) -> Reading:
    """KEEP: the standing orders of a letter that was only tried are those of this one."""
    tried = any(command.name == "keep" for command in reading.commands)
    row = _set_aside(inbox) if tried else None
    values = [each["standing"] for each in row.aside if "standing" in each] if row else []
    return replace(reading, said=(*load_standing(inbox.table.game.grammar, values), *reading.said))


def _said_again(line: SheetLine, spot: Spot | None) -> Said:
    """A line that was set aside, as a line of the present letter."""
    if line.line is not None:
        return replace(line.line, spot=spot)
    error = OrderError(line.why, length=len(line.text))
    return Fault(0, line.text, error, section=line.section, spot=spot, meant=line.meant)


def _set_aside(inbox: Inbox) -> LetterRow | None:
    """The letter whose lines KEEP is about: the one that the answered letter was about, else the last one of
    the seat with such lines."""
    session, table = inbox.table.record.session, inbox.table
    if inbox.answered is not None and inbox.answered.letter:
        row = session.get(LetterRow, inbox.answered.letter)
        if row is not None and row.aside:
            return row
    query = select(LetterRow).where(LetterRow.game == table.row.id, LetterRow.seat == inbox.seat.key)
    recent = session.exec(query.order_by(col(LetterRow.id).desc()).limit(20)).all()
    return next((row for row in recent if row.aside), None)


def _standing(inbox: Inbox) -> list[dict[str, Any]]:
    """The standing orders with those of this letter, as plain values."""
    table, grammar = inbox.table, inbox.table.game.grammar
    kept = table.standing(inbox.seat)
    for line in inbox.reading.standing:
        if line.policy is None:
            kept = [old for old in kept if line.kind and old.kind != line.kind]
            continue
        written = grammar.write_standing(line)
        if written not in [grammar.write_standing(old) for old in kept]:
            kept.append(replace(line, text=written))
    return dump_standing(kept)


def _why_draft(inbox: Inbox) -> str:
    """Return why the whole letter is only a draft even if it says DONE; "" if it is not."""
    if inbox.letter.too_big or inbox.letter.faults or inbox.reading.ends:
        return "part of your email could not be read"
    if any(change.kind == "late" for change in inbox.taken.changes):
        return "part of your email arrived too late"
    refused = [change.section for change in inbox.taken.changes if change.kind == "refused"]
    anyway = any(command.text == "anyway" for command in inbox.said("done", "final"))
    if not anyway and (over := [section for section in refused if section in inbox.scene.over]):
        return f"part of your email is for [{over[0]}], which has been played"
    return ""


# --- answers ------------------------------------------------------------------------------------------------


def _answers(inbox: Inbox) -> None:
    """Store the letter's answers with their questions. A question with two different answers stays open, and
    the letter closes nothing."""
    given: dict[str, set[str]] = {}
    for command in inbox.said("answer"):
        given.setdefault(command.argument, set()).add(command.text)
    for number, choices_ in given.items():
        question = inbox.questions.named(int(number))
        if question is not None and len(choices_) > 1:
            inbox.taken.unclear.append(question.title)
            inbox.torn.append(question)
        elif question is not None:
            question.chosen, question.held = int(choices_.pop()), 0
            inbox.answers.append(question)


def _hold_answers(inbox: Inbox) -> None:
    """Hold answers and DEFAULTS of a letter with faulty or unread lines until these are corrected; DONE
    ANYWAY releases them. A faulty answer, command or standing order also keeps standing orders from
    answering."""
    letter = inbox.row.id or -1
    faulty_now = bool(inbox.reading.faults or inbox.taken.unclear or inbox.reading.holding)
    command = any(fault.command for fault in inbox.reading.faults)
    wrong = {verdict.line.letter for verdict in inbox.judgement.faulty()}
    if inbox.said("defaults") and not ((faulty_now or letter in wrong) and not inbox.closing.anyway):
        inbox.questions.defaults = inbox.table.row.phase
    for question in inbox.questions.open:
        if question in inbox.answers:
            question.held = letter if (faulty_now or letter in wrong) and not inbox.closing.anyway else 0
        elif command and question.chosen is None and not inbox.closing.anyway:
            question.held = letter
        elif question.held and question.chosen is None:
            told = inbox.reading.standing or inbox.said("done", "final", "defaults")
            question.held = 0 if told else question.held
        elif question.held and not faulty_now and _corrects(inbox):
            still = {line.letter for line in inbox.sheet.faulty()} & {question.held, letter}
            question.held = min(still) if still and not inbox.closing.anyway else 0
            inbox.answers += [] if question.held else [question]


def _corrects(inbox: Inbox) -> bool:
    """Whether a letter may correct a faulty one; a mere query does not."""
    reading = inbox.reading
    return bool(reading.orders or reading.standing or inbox.said(*CORRECTING))


# --- acting -------------------------------------------------------------------------------------------------


def keep(inbox: Inbox) -> bool:
    """Store what the letter says. Return whether any of it may set off play."""
    table, seat = inbox.table, inbox.seat
    before = (seat.standing, seat.questions)
    table.keep_sheet(seat, inbox.sheet)
    seat.standing = inbox.standing
    seat.questions = inbox.questions.dump()
    seat.missed = {}
    if inbox.said("keep") and (used := _set_aside(inbox)) is not None:
        used.aside = []
        table.record.keep(used)
    inbox.row.aside = [_aside(line) for line in inbox.taken.aside]
    inbox.row.orders = weight(inbox)
    table.record.keep(seat)
    return bool(inbox.closing.closed) or before != (seat.standing, seat.questions)


def _aside(line: SheetLine, behind: int = 0) -> dict[str, Any]:
    """A line for KEEP, and the name of the one behind which it stood (0 for none)."""
    return {"line": line.dump(), "behind": behind}


def set_aside(inbox: Inbox) -> None:
    """TRY: nothing is kept but the lines, for KEEP."""
    inbox.row.aside = [
        {"gone": int(change.title[1:])} for change in inbox.taken.changes if change.kind == "withdrawn"
    ]
    for section in inbox.sheet.sections():
        before = 0
        for line in inbox.sheet.of(section):
            if line.name in inbox.taken.new:
                inbox.row.aside.append(_aside(line, before))
            before = line.name
    inbox.row.aside += [_aside(line) for line in inbox.taken.aside]
    inbox.row.aside += [{"standing": each} for each in dump_standing(inbox.reading.standing)]
    inbox.row.orders = 0


def weight(inbox: Inbox) -> int:
    """Count the letter's lines, answers and closings."""
    lines = len(inbox.reading.orders) + len(inbox.reading.standing)
    said = inbox.said("done", "final", "none", "answer", "withdraw", "new", "keep", "defaults")
    return lines + len([fault for fault in inbox.reading.faults if not fault.command]) + len(said)


def drop_refused(inbox: Inbox) -> None:
    """Reopen answers that are legal one by one but not together."""
    error = inbox.steps[-1].refused.get(inbox.seat.key) if inbox.steps else None
    inbox.refused = str(error) if error else ""
    for step in inbox.steps[-1:]:
        for key in step.refused:
            seat = inbox.table.seats[key]
            asked = Questions.load(seat.questions)
            for question in asked.open:
                question.chosen, question.held = None, 0
            seat.questions = asked.dump()
            inbox.table.record.keep(seat)


def acts(inbox: Inbox) -> bool:
    """Whether a letter would change what its seat has handed in. While the game waits for a round of the
    beacon such a letter has to wait: the dice may be known when it comes."""
    if inbox.tried:
        return False
    return bool(weight(inbox) or inbox.said("always", "empty", "confirm"))


def choices(question: Question) -> str:
    """The choices of a question on one line."""
    return ", ".join(f"{choice_letter(at)} {option}" for at, option in enumerate(question.options))
