"""The reply to a letter: what was read of it, what became of every line, what is kept, open and due."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import groupby
from textwrap import shorten

from pbem.engine.language import Command, Heading, Unread
from pbem.engine.language.work import LONGEST, MOST_LINES, MOST_WORDS, is_too_long
from pbem.engine.wording import count, sentence
from pbem.service.intake.inbox import Inbox, choices
from pbem.service.letters.deadlines import for_a_draft
from pbem.service.letters.ideas import how_to_write, idea, is_plea
from pbem.service.letters.layout import WAITING
from pbem.service.letters.log import Part, local_time, who
from pbem.service.letters.reports import Reply, question_part, waiting_lines
from pbem.service.letters.sheets import (
    NO_STANDING,
    decided_before,
    habits,
    lines_to_correct,
    offer_lines,
    order_form,
    sheet_lines,
    standing_lines,
)
from pbem.service.play.answers import questions
from pbem.service.play.judging import Judgement
from pbem.service.play.lateness import played_of
from pbem.service.play.placing import LineChange
from pbem.service.play.questions import Questions
from pbem.service.play.sections import (
    asked_section,
    heading,
    is_drawn,
    open_sections,
    phase_title,
    titles,
)
from pbem.service.play.sheet import Sheet, load_standing
from pbem.service.play.steps import Step

UNREAD_SHOWN = 20
"""At most this many lines that were not read are listed."""

NOT_COUNTED = "Also not read; keeps nothing open"
"""The title of what was not read and holds no section."""

PLEAS_TOLD = 3
"""At most this many lines of a letter that ask for help reach the moderators."""

UNREAD_LONGEST = 300
"""Of a longer one only the beginning is repeated."""


def reply(inbox: Inbox, after: Step) -> Reply:
    """P2, P3: the one reply to a letter. `after` is the game once the letter has been acted upon."""
    table, seat, here = inbox.table, inbox.seat, inbox.here
    title = phase_title(table.game, here.label)
    received = (
        f"{table.row.id} · {title} · {table.game.seat(seat.key).title} · received "
        f"{local_time(table.now, seat.zone)}"
    )
    receipt = f"Received {local_time(table.now, seat.zone)}, SHA-256 {inbox.letter.digest}"
    lines = tuple(f"{line.title} [{line.section}] {line.text.strip()}" for line in inbox.sheet.lines)
    was_late = any(change.kind == "late" for change in inbox.taken.changes)
    asked = was_late and not inbox.steps and asked_section(after, seat.key)
    return Reply(
        seat.key,
        (first_line(inbox, after), received),
        tuple(_parts(inbox)),
        tuple(_alone(inbox, after)),
        Part("Receipt", (receipt,), kind="kept"),
        f"[{table.row.id}] {title}",
        inbox.row.id or 0,
        inbox.letter.message_id,
        lines,
        files=(*inbox.files, *inbox.maps.files),
        pictures=tuple(inbox.maps.pictures),
        form=order_form(table, after, seat.key) if asked else "",
        mend=any(_to_mend(inbox)),
    )


# --- the first line -----------------------------------------------------------------------------------------


def first_line(inbox: Inbox, after: Step) -> str:
    """What came of the letter, in the order of urgency."""
    said = [*_sentences(inbox, after)]
    return " ".join(said) or "Received."


def _to_mend(inbox: Inbox) -> Iterator[str]:
    """What its writer must know before anything else."""
    if is_unread(inbox):
        yield "Nothing in this email was read."
    if bot := inbox.seat.bot:
        yield f"The {bot} bot plays your side: none of your lines is played until the side is yours again."
    yield from inbox.first
    if late := [change for change in inbox.taken.changes if change.kind == "late"]:
        yield f"You were late: {count(len(late), 'line')} {'were' if len(late) > 1 else 'was'} not used."
    yield from _not_read(inbox)
    yield from _to_correct(inbox)
    if inbox.tried:
        return
    yield from _not_closed(inbox)
    for section in _halted(inbox):
        yield f"Stopped at your PAUSE in {_listed(inbox, [section])}: the lines below it are a draft."


def _halted(inbox: Inbox) -> list[str]:
    """The sections of its writer that stopped at his PAUSE."""
    return [section for step in inbox.steps for key, section in sorted(step.halted) if key == inbox.seat.key]


def _sentences(inbox: Inbox, after: Step) -> Iterator[str]:
    yield from _to_mend(inbox)
    if inbox.tried:
        yield "Tried: nothing is kept."
        for section in dict.fromkeys(_new_sections(inbox)):
            if section in inbox.judgement.lacks:
                yield f"Missing in {heading(inbox.table.game, section)}: {inbox.judgement.lacks[section]}."
        return
    played = _played(inbox)
    by = " by STANDING DONE: ALWAYS" if inbox.closing.always else ""
    emptied = [section for section in inbox.closing.closed if section in inbox.closing.emptied]
    under_way = [section for section in played if section in _under_way(inbox)]
    if ended := [section for section in played if section not in (*emptied, *under_way)]:
        yield f"Played{by}: {_listed(inbox, ended)}."
    if under_way:
        yield f"Under way{by}: {_listed(inbox, under_way)}.{_waiting_for_answers(inbox, after)}"
    halted = _halted(inbox)
    if emptied:
        empty = " by STANDING EMPTY: CLOSE" if inbox.closing.standing_empty else ""
        yield f"Closed as empty{empty}: {', '.join(heading(inbox.table.game, each) for each in emptied)}."
    if closed := [section for section in inbox.closing.closed if section not in (*played, *halted, *emptied)]:
        yield f"Closed{by}: {_listed(inbox, closed)}.{'' if under_way else _waiting_for(inbox, after)}"
        yield from _barred(inbox, closed)
    yield from _answered(inbox)
    yield from _closed_nothing(inbox)
    yield from _idle_standing(inbox)
    yield from _draft(inbox, after)
    yield from _still_open(inbox, after)


def _closed_nothing(inbox: Inbox) -> Iterator[str]:
    """DONE, DONE ALL or NO ORDERS for no section: less urgent than what the letter has done."""
    if not inbox.closing.nothing:
        return
    if inbox.said("final"):
        yield "DONE ALL closed nothing: no section has lines."
        return
    said = "DONE" if inbox.said("done") else "NO ORDERS"
    open_ = ", ".join(question.title for question in inbox.questions.open if question.chosen is None)
    held = ", ".join(question.title for question in inbox.answers if question.held)
    why = "is not waiting for orders from you"
    if open_:
        why = f"is waiting for your answer to {open_}, not for orders"
    elif held:
        why = f"is waiting for your corrections, which hold your answer to {held}"
    yield f"{said} closed nothing: it names no section, and pbem {why}."


def _idle_standing(inbox: Inbox) -> Iterator[str]:
    """Standing orders of this letter that an earlier one leaves nothing to decide."""
    new = {line.text for line in inbox.reading.standing if line.policy is not None}
    for line, first in decided_before(list(load_standing(inbox.table.game.grammar, inbox.standing))):
        if first and line.text in new:
            clear = f"to replace it, send STANDING CLEAR {line.kind.upper()} and the new line"
            yield f'"{line.text}" is never used: "{first}" decides first; {clear}.'


def _barred(inbox: Inbox, closed: Sequence[str]) -> Iterator[str]:
    """Lines of sections that this letter has closed which only the enemy or chance can make possible."""
    for section in closed:
        names = [
            verdict.line.title
            for verdict in inbox.judgement.verdicts
            if verdict.barred and verdict.line.section == section
        ]
        if names:
            yield (
                f"In {_listed(inbox, [section])} {_some(names)} {'are' if len(names) > 1 else 'is'} "
                "not possible now, and will be passed over unless something changes."
            )


def is_unread(inbox: Inbox) -> bool:
    """Whether nothing in a letter was read at all."""
    headings = sum(isinstance(said, Heading) for said in inbox.reading.said)
    idle = len(inbox.reading.unread) + len(inbox.reading.comments) + headings
    return idle == len(inbox.reading.said) and not inbox.parts


def is_chat(inbox: Inbox) -> bool:
    """Whether a letter has words, none of them was read, and none looks like an order."""
    words = [unread for unread in inbox.reading.unread if unread.text.strip()]
    return is_unread(inbox) and bool(words) and not any(unread.like for unread in words)


def pleas_of(inbox: Inbox) -> list[Unread]:
    """The lines of a letter that were not read and ask for help, the first `PLEAS_TOLD` of them."""
    return [each for each in inbox.reading.unread if is_plea(each.text)][:PLEAS_TOLD]


def _not_read(inbox: Inbox) -> Iterator[str]:
    """The lines among the orders that were not read, what they keep open, and how to go without them."""
    lines = inbox.reading.holding
    if not lines or inbox.closing.anyway:
        return
    number, were = count(len(lines), "line"), "were" if len(lines) > 1 else "was"
    sections = inbox.closing.unread
    if not sections:
        yield f"{number} {were} not read."
        return
    named = " ".join(heading(inbox.table.game, section) for section in sections)
    asked = asked_section(inbox.here, inbox.seat.key)
    which = " ALL" if len(sections) > 1 else "" if sections == [asked] else f" {sections[0]}"
    order = "none of them is an order" if len(lines) > 1 else "it is not an order"
    yield f"{number} {were} not read; {named} {'stay' if len(sections) > 1 else 'stays'} open."
    yield f"If {order}, send DONE{which} ANYWAY."


def _to_correct(inbox: Inbox) -> Iterator[str]:
    judged_ = [verdict.line for verdict in inbox.judgement.faulty()] or inbox.sheet.faulty()
    faulty = [line for line in judged_ if line not in inbox.closing.left_out]
    sections = sorted(dict.fromkeys(line.section for line in faulty), key=lambda section: not section)
    for section in sections:
        number = sum(line.section == section for line in faulty)
        waits = [each for each, behind in inbox.closing.held.items() if behind == section]
        nowhere = " without a heading" if len(sections) > 1 else ""
        where = f" in {heading(inbox.table.game, section)}" if section else nowhere
        wait = f"; {_listed(inbox, waits)} {'wait' if len(waits) > 1 else 'waits'} for it" if waits else ""
        yield (
            f"{count(number, 'line')} to correct{where}"
            f"{wait.replace('for it', 'for them') if number > 1 else wait}."
        )
    others = sum(fault.command for fault in inbox.reading.faults)
    if others:
        yield (
            f"{count(others, 'more line')} to correct: not orders, but commands, answers or the like."
            if faulty
            else f"{count(others, 'line')} to correct."
        )
    if refused := [change for change in inbox.taken.changes if change.kind == "refused"]:
        yield f"{count(len(refused), 'line')} {'were' if len(refused) > 1 else 'was'} refused."


def _not_closed(inbox: Inbox) -> Iterator[str]:
    """DONE that did not close its section, and why."""
    closing = inbox.closing
    faulty = {line.section for line in inbox.sheet.faulty()}
    open_: dict[str, list[str]] = {}
    for section, why in closing.open.items():
        if section not in faulty and section not in closing.unread:
            open_.setdefault(why, []).append(heading(inbox.table.game, section))
    for why, sections in open_.items():
        yield f"{' '.join(sections)} {'stay' if len(sections) > 1 else 'stays'} open: {why}."
    for section in closing.empty:
        if section in inbox.judgement.lacks:
            yield (
                f"{heading(inbox.table.game, section)} has no lines: {inbox.judgement.lacks[section]}. "
                f"To leave that to the default, write DONE {section} ANYWAY."
            )
            continue
        yield (
            f"{heading(inbox.table.game, section)} has no lines. To close it without any, "
            f"write NO ORDERS: {section}."
        )
    for section in closing.full:
        yield (
            f"{heading(inbox.table.game, section)} has lines: to drop them, "
            f"write NEW {section} above NO ORDERS: {section}."
        )
    for section in closing.over:
        why = inbox.scene.late.get(section) or inbox.scene.over.get(section) or f"[{section}] is not open"
        yield f"There was nothing to close: {why}."
    if closing.none_empty:
        yield "NO ORDERS ALL closed nothing: no section is open and empty."
    if closing.lost:
        yield "DONE closed nothing: the heading above it is unknown."
    if closing.left_out:
        names = ", ".join(line.title for line in closing.left_out)
        yield f"Not used, because you wrote DONE ANYWAY: {names}."
    for section, why in closing.lacking.items():
        yield f"Left to the default in {heading(inbox.table.game, section)}: {why}."


def _played(inbox: Inbox) -> list[str]:
    """The sections of the writer that have been played because of the letter."""
    mine = [
        section
        for step in inbox.steps
        for key, section in step.spent
        if key == inbox.seat.key
        and (
            section in inbox.closing.closed
            or any((each.seat, each.line.section) == (key, section) for each in step.outcomes)
        )
    ]
    return list(dict.fromkeys(mine))


def _under_way(inbox: Inbox) -> set[str]:
    """The sections of the writer with lines that a question keeps from being carried out to the end."""
    outcomes = inbox.steps[-1].outcomes if inbox.steps else ()
    return {each.line.section for each in outcomes if each.under_way and each.seat == inbox.seat.key}


def _waiting_for_answers(inbox: Inbox, after: Step) -> str:
    """Whose answers an action under way waits for: the writer's own questions, or another player."""
    mine = [each.title for each in Questions.load(inbox.seat.questions).open if each.chosen is None]
    return f" Waiting for your answer to {', '.join(mine)}." if mine else _waiting_for(inbox, after)


def _waiting_for(inbox: Inbox, after: Step) -> str:
    table = inbox.table
    others = [who(table, key) for key in table.waited_for(after) if key != inbox.seat.key]
    return f" Waiting for {' and '.join(others)}." if others else ""


def _answered(inbox: Inbox) -> Iterator[str]:
    done = [question.title for question in inbox.answers if not question.held]
    held = [question.title for question in inbox.answers if question.held]
    if inbox.refused:
        yield f"Your answers cannot be combined: {inbox.refused}."
    elif done:
        yield f"Answered: {', '.join(done)}."
    if held:
        word = "wait" if len(held) > 1 else "waits"
        yield f"{', '.join(held)} {word} until your lines are corrected, or you write DONE ANYWAY."
    if inbox.questions.defaults == inbox.table.row.phase and inbox.said("defaults"):
        left = [each.title for each in inbox.questions.open if each.chosen is None]
        what = f"{', '.join(left)} and anything else" if left else "Anything"
        phase = inbox.table.game.phase(inbox.here.state.phase).title
        yield f"Left to your standing orders and the defaults: {what} that this phase ({phase}) asks you."
    open_ = [each for each in Questions.load(inbox.seat.questions).open if each.chosen is None]
    if inbox.torn:
        yield (
            f"{', '.join(each.title for each in inbox.torn)}: your email has several answers, "
            "and none of them was used."
        )
    tried = inbox.answers or inbox.torn or any(fault.command for fault in inbox.reading.faults)
    if open_ and (tried or inbox.said("defaults")):
        yield f"Open: {', '.join(each.title for each in open_)}."


def _draft(inbox: Inbox, after: Step) -> Iterator[str]:
    """What DONE would close, and what the deadline will."""
    sheet = inbox.table.sheet(inbox.seat) if inbox.steps else inbox.sheet
    open_ = open_sections(inbox.table.game, after, inbox.seat.key)
    drafts = [section for section in sheet.sections() if section in open_ and section not in sheet.closed]
    if reopened := [
        section for section in inbox.taken.reopened if section in drafts and section not in inbox.closing.held
    ]:
        yield f"{_listed(inbox, reopened)} {'are drafts' if len(reopened) > 1 else 'is a draft'} again."
    bare = [each for each in inbox.taken.reopened if each in open_ and not sheet.of(each)]
    if bare := [each for each in bare if each not in sheet.closed]:
        yield f"{_listed(inbox, bare)} {'are' if len(bare) > 1 else 'is'} open again, without lines."
    if not drafts or after.over:
        return
    asked = asked_section(after, inbox.seat.key)
    one = asked if asked in drafts else drafts[0]
    word = "plays" if one == asked else "closes"
    done = "DONE" if one == asked else f"DONE {one}"
    lacking = inbox.judgement.lacks.get(one) if not inbox.steps else None
    if lacking is not None and one not in inbox.closing.open:
        yield f"Still missing in {heading(inbox.table.game, one)}: {lacking}."
    if faulty := [line.title for line in sorted(sheet.faulty(one), key=lambda line: line.name)]:
        yield f"Draft: {done} ANYWAY {word} {_listed(inbox, [one])} without {_some(faulty)}."
    elif lacking is not None:
        yield (
            f"Draft: {done} ANYWAY {word} {_listed(inbox, [one])} and leaves what is missing to the default."
        )
    else:
        number = "both" if len(drafts) == 2 else f"all {len(drafts)}"
        every = f", DONE ALL {number} sections" if len(drafts) > 1 and not _is_faulty(sheet, drafts) else ""
        yield f"Draft: {done} {word} {_listed(inbox, [one])}{every}."
    due = inbox.table.deadline(after)
    if due and asked in drafts and not inbox.seat.bot:
        yield for_a_draft(inbox.table, _listed(inbox, [asked]), inbox.seat.key, due)


def _still_open(inbox: Inbox, after: Step) -> Iterator[str]:
    """The sections of this turn that have no lines and are not closed, but those that chance brings up; for a
    letter with orders or closings, not for a mere query."""
    reading = inbox.reading
    orders = reading.orders or [fault for fault in reading.faults if not fault.command]
    if after.over or not (orders or inbox.said("done", "final", "none", "draft", "withdraw", "new", "keep")):
        return
    game, seat = inbox.table.game, inbox.seat
    sheet = inbox.table.sheet(seat) if inbox.steps else inbox.sheet
    over = [key for key, each in played_of(seat.played).items() if each.phase == after.number]
    empty = [
        section
        for section in open_sections(game, after, seat.key, over)
        if not (is_drawn(game, section) or sheet.of(section) or section in sheet.closed)
    ]
    if empty:
        lacking = [each for each in empty if each in inbox.judgement.lacks and not inbox.steps]
        but = f", but not {', '.join(heading(game, each) for each in lacking)}" if lacking else ""
        named = ", ".join(heading(game, each) for each in empty)
        yield f"Still open for you: {named}; NO ORDERS ALL closes the empty ones{but}."


def _some(names: Sequence[str]) -> str:
    """Names, counted where they are many."""
    if len(names) <= 6:
        return ", ".join(names)
    return f"{', '.join(names[:5])} and {count(len(names) - 5, 'more line')}"


def _is_faulty(sheet: Sheet, sections: Sequence[str]) -> bool:
    return any(line.section in sections for line in sheet.faulty())


def _listed(inbox: Inbox, sections: Sequence[str]) -> str:
    """Sections as letters call them: by their titles, if they have one and no other."""
    game = inbox.table.game
    by_title = titles(game, inbox.here.state, inbox.seat.key)
    keys = list(by_title.values())
    called = {
        key: title for title, key in by_title.items() if keys.count(key) == 1 and not is_drawn(game, key)
    }
    return ", ".join(called.get(section, heading(game, section)) for section in sections)


# --- its parts ----------------------------------------------------------------------------------------------


def _parts(inbox: Inbox) -> Iterator[Part]:
    left_out = [line.title for line in inbox.closing.left_out]
    faults = [(title, fault) for title, fault in inbox.taken.faults if title not in left_out]
    judgement = Judgement([each for each in inbox.judgement.verdicts if each.line.title not in left_out])
    if lines := lines_to_correct(faults, judgement, inbox.sheet):
        yield Part("Lines to correct", lines, table=True)
    if left_out:
        yield Part("Not used", tuple(_left_out(inbox)), table=True)
    if changes := tuple(_changes(inbox)):
        yield Part("Changes", changes, table=True)
    if inbox.answers or inbox.said("settled"):
        yield Part("Your answers", tuple(_answer_lines(inbox)))
    if inbox.reading.standing or inbox.said("always", "empty"):
        yield Part("Your standing orders", tuple(_standing_lines(inbox)) or (NO_STANDING,))
    yield from inbox.parts
    if notes := (*inbox.notes, *_how_to_keep(inbox), *_if_no_order(inbox)):
        yield Part("About your email", notes)
    if comments := inbox.reading.comments:
        words = tuple(f"line {each.number}: {each.text}" for each in comments)
        yield Part("Comments, read as words for yourself", words)
    yield from _unread_parts(inbox)


def _alone(inbox: Inbox, after: Step) -> Iterator[Part]:
    """What a reply says where no turn letter follows: the sheet, the open questions, and what the game is
    waiting for."""
    table, seat = inbox.table, inbox.seat
    sheet = inbox.sheet if inbox.tried else table.sheet(seat)
    if sheet.lines and not after.over:
        title = "Your lines, tried" if inbox.tried else "Your lines"
        yield Part(title, tuple(sheet_lines(sheet, inbox.judgement)), table=True)
    asks = questions(after.waiting, seat.key)
    if asks:
        yield question_part(asks, Questions.load(seat.questions))
    if not after.over:
        yield Part(WAITING, waiting_lines(table, after, seat.key))


def _how_to_keep(inbox: Inbox) -> Iterator[str]:
    """What KEEP would do with lines that came too late or were only tried."""
    aside = [line.section for line in inbox.taken.aside if line.section in inbox.scene.open]
    if aside or (inbox.tried and inbox.taken.new):
        which = "that were not used" if aside else "that you tried"
        judgement = inbox.once_kept if aside else inbox.judgement
        yield (
            f"Reply KEEP to put the lines {which} on your sheet as a draft; "
            f"KEEP and DONE{_anyway(judgement, aside or _new_sections(inbox))} also closes their sections."
        )


def _if_no_order(inbox: Inbox) -> Iterator[str]:
    """What else a letter of one line may have meant that was read as an order, right or wrong: ``pause``."""
    own, reading = inbox.letter.own, inbox.reading
    if len(own) != 1 or not (reading.orders or reading.faults):
        return
    words = own[0].text.strip()
    says = idea(inbox.table, inbox.seat.key, words)
    if says and not says.casefold().startswith(words.casefold()):
        yield f'If "{words}" is not meant as an order: {says}'


def _new_sections(inbox: Inbox) -> Iterator[str]:
    """The sections of the lines that a letter has brought."""
    return (line.section for line in inbox.sheet.lines if line.name in inbox.taken.new)


def _anyway(found: Judgement, sections: Iterable[str]) -> str:
    """What DONE needs besides to close sections as they are, with lines to correct or what is missing."""
    return " ANYWAY" if any(each in found.lacks or found.faulty(each) for each in sections) else ""


def _left_out(inbox: Inbox) -> Iterator[str]:
    """The faulty lines that DONE ANYWAY went without, and why they are faulty."""
    for line in inbox.closing.left_out:
        yield f" {line.title}: {line.text.strip()}"
        yield f"      {line.why}"


def _changes(inbox: Inbox) -> Iterator[str]:
    for _, alike in groupby(
        inbox.taken.changes, key=lambda change: (change.kind, change.why, change.instead)
    ):
        changes = [*alike]
        for change in changes[:-1]:
            yield from _change(replace(change, why="", instead=()))
        yield from _change(changes[-1])
    for section, change in inbox.taken.muddled.items():
        yield f" {change.why}"
        if section in inbox.closing.closed:
            continue  # by DONE ANYWAY: there is nothing left to send
        yield from (f"      {line}" for line in change.instead)
        done = f"done {section}{_anyway(inbox.judgement, [section]).lower()}"
        yield f"      to go ahead with the kept lines, send:  {done}"
    if stays := dict.fromkeys(inbox.taken.stays):
        verb = "stay where they are" if len(stays) > 1 else "stays where it is"
        yield f" {verb}: {', '.join(stays)}"
    yield from (f' "{said}": none is ordered' for said in dict.fromkeys(inbox.taken.abstains))


def _change(change: LineChange) -> Iterator[str]:
    match change.kind:
        case "replaced":
            yield f" {change.title} was: {change.was}"
            yield f"{' ' * len(change.title)}  is now: {change.text}"
        case "withdrawn":
            yield f" {change.title} is withdrawn: {change.text}"
        case "moved":
            yield f" {change.title} now comes {change.why}: {change.text}"
        case "refused":
            yield f" refused: {change.text}"
        case "late":
            yield f" not used: {change.text}"
        case "idle":
            yield f" {change.text}: {change.why}"
            return
        case _:
            return
    if change.why and change.kind != "moved":
        yield f"      {change.why}"
    yield from offer_lines(change.instead)


def _answer_lines(inbox: Inbox) -> Iterator[str]:
    for question in inbox.answers:
        state = " (refused)" if inbox.refused else " (waits for your corrections)" if question.held else ""
        yield f"{question.title} {question.what}: {question.answer}{state}"
    for command in inbox.said("settled"):
        yield f"Q{command.argument} has already been decided; your answer changes nothing."
    for question in inbox.questions.open:
        if question.chosen is None:
            yield f"{question.title} is open: {question.what}: {choices(question)}"


def _standing_lines(inbox: Inbox) -> Iterator[str]:
    yield from standing_lines(list(load_standing(inbox.table.game.grammar, inbox.standing)))
    yield from habits(inbox.sheet)
    if inbox.said("always") and not inbox.sheet.always:
        yield "From now on only DONE closes a section."
    if inbox.said("empty") and not inbox.sheet.empty:
        yield "From now on only NO ORDERS closes a section without lines."


def _unread_parts(inbox: Inbox) -> Iterator[Part]:
    """What was not read: where the first line counts those lines that hold a section, all else comes behind
    them under a title of its own."""
    lines = [unread for unread in inbox.reading.unread if unread.text.strip()]
    counted = () if inbox.closing.anyway else inbox.reading.holding
    if held := [unread for unread in lines if unread in counted]:
        yield Part("Not read", tuple(_unread(inbox, held)))
    others = [unread for unread in lines if unread not in held]
    if rest := (*_unread(inbox, others), *_unread_besides(inbox)):
        yield Part(NOT_COUNTED if held else "Not read", rest)


def _unread(inbox: Inbox, lines: Sequence[Unread]) -> Iterator[str]:
    pleas, moderated = pleas_of(inbox), bool(inbox.table.record.staff("moderator"))
    for unread in lines[:UNREAD_SHOWN]:
        yield f"line {unread.number}: {shorten(unread.text.strip(), UNREAD_LONGEST, placeholder=' ...')}"
        if unread.like or unread.holds:
            section = unread.section or inbox.scene.asked
            is_open = section in inbox.scene.open and section not in inbox.closing.closed
            keeps = f"[{section}] stays open" if is_open else ""
            meant = f"if it is an order, send: {unread.suggestion}" if unread.suggestion else ""
            looks = "this looks like an order" if unread.like else ""
            if is_too_long(unread.text):
                looks = f"a line of more than {MOST_WORDS} words or {LONGEST} characters is not read"
            if said := sentence(looks, keeps, meant):
                yield f"      {said}"
        elif unread.suggestion:
            yield f"      If you want this done, send: {unread.suggestion}"
        if says := idea(inbox.table, inbox.seat.key, unread.text):
            yield f"      {says}"
        if moderated and unread in pleas:
            yield "      The moderator reads this line in the next digest."
    if len(lines) > UNREAD_SHOWN:
        yield f"and {count(len(lines) - UNREAD_SHOWN, 'more line')}"


def _unread_besides(inbox: Inbox) -> Iterator[str]:
    """What else of a letter was not read, and how to write what is read."""
    moderated = bool(inbox.table.record.staff("moderator"))
    if not inbox.letter.own and any(line.quoted for line in inbox.letter.lines):
        yield "All of its text is quoted. Write your lines above the quotation."
    yield from (f"line {each.number}: {each.text} ({each.why})" for each in _idle_headings(inbox))
    yield from (f"{why}." for why in inbox.letter.unopened)
    yield from (f"{fault}." for fault in inbox.letter.faults)
    if inbox.reading.ends:
        yield (
            f"Nothing was read from line {inbox.reading.ends} on: at most {MOST_LINES} lines of an email are "
            "read, fewer if many of them need correcting. Send the rest in another email."
        )
    if is_unread(inbox):
        if is_chat(inbox) and moderated:
            yield "The moderator's next digest names this letter and quotes its first line."
        yield how_to_write(inbox.table, inbox.seat.key)


def _idle_headings(inbox: Inbox) -> Iterator[Heading]:
    """Headings that are not known and have nothing below them."""
    said = inbox.reading.said
    for at, entry in enumerate(said):
        alone = all(isinstance(following, Heading | Command) for following in said[at + 1 : at + 2])
        if isinstance(entry, Heading) and not entry.section and alone:
            yield entry


def check_lines(inbox: Inbox) -> Iterator[str]:
    """What a check says of a letter besides its first line: the parts of the reply that are about the
    orders."""
    for part in (*_parts(inbox), Part("Your lines", tuple(sheet_lines(inbox.sheet, inbox.judgement)))):
        if part.lines:
            yield from ("", part.title, *part.lines)


def in_one_line(inbox: Inbox) -> str:
    """What became of a letter, for the log and the command line."""
    reading = inbox.reading
    said = [
        count(len(items), name)
        for name, items in (
            ("line", reading.orders),
            ("standing order", reading.standing),
            ("command", reading.commands),
        )
        if items
    ]
    wrong = len({title or fault.number for title, fault in inbox.taken.faults}) + len(
        [verdict for verdict in inbox.judgement.faulty() if verdict.line.readable]
    )
    said += [f"{wrong} to correct"] if wrong else []
    closed = inbox.closing.closed
    said.append(f"closed: {', '.join(closed)}" if closed else "tried" if inbox.tried else "nothing closed")
    return ", ".join(said)
