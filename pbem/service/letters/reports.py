"""Letters after play: what became of a seat's lines, what has happened since its last letter, what it must
decide or order, and by when."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import groupby
from typing import Any

from pbem.engine import beacon
from pbem.engine.errors import ReplayMismatch
from pbem.engine.language.choices import choice_letter
from pbem.engine.notes import Note
from pbem.engine.play import Ask
from pbem.engine.wording import count
from pbem.mail.compose import Attachment
from pbem.service.letters import budget, handbook
from pbem.service.letters.calendar import wanted
from pbem.service.letters.deadlines import at_the_deadline, of_others, passed, stopped, time_left
from pbem.service.letters.former import tell_of_the_end
from pbem.service.letters.layout import WAITING, Pictures, Writing, send, send_plain
from pbem.service.letters.log import (
    Head,
    Part,
    changed_forces,
    clock_time,
    common_zone,
    due_words,
    ended_by,
    forces,
    local_time,
    log_in_short,
    result_part,
    who,
)
from pbem.service.letters.luck import at_the_end
from pbem.service.letters.observers import tell_observers
from pbem.service.letters.sheets import order_form, sheet_part
from pbem.service.play.answers import questions
from pbem.service.play.history import retell
from pbem.service.play.news import DeadlineNews, DecisionNews, LineNews, News
from pbem.service.play.questions import Questions
from pbem.service.play.sections import asked_section, open_orders
from pbem.service.play.steps import Step
from pbem.service.record.clock import what_is_asked
from pbem.service.record.dice_rules import Round
from pbem.service.record.rows import PhaseRow
from pbem.service.record.table import Table, visible

NOTHING = "Nothing has happened."
"""The first line of a game's summary where its reader has seen nothing new. A letter with other news leaves
it out."""

IN_BRIEF = (
    "Decisions for you",
    WAITING,
    "A deadline passed",
    "Closed early",
    "Your orders",
    "Decided for you",
)
"""The parts that letters have after BRIEF ON: what is wanted, and what became of lines and decisions."""

LEFT_OUT = Part(
    "Left out (BRIEF ON)",
    ("Log, map, lines and forces: LOG, MAP, ORDERS and FORCES send them, BRIEF OFF ends it.",),
)

# --- what the game is waiting for ---------------------------------------------------------------------------


def question_part(asks: Sequence[Ask[Any]], asked: Questions) -> Part:
    """The open questions with their choices, and how to answer them."""
    numbers = {each.what: each for each in asked.open}
    lines: list[str] = []
    for ask in asks:
        question = numbers[ask.what]
        lines.append(Head(f"{question.title}. {ask.what[:1].upper()}{ask.what[1:]} [{ask.case}]"))
        if ask.intro:
            lines.append(f"     {ask.intro}")
        for at, option in enumerate(ask.options):
            default = " (default)" if option == ask.fallback else ""
            says = ask.says(option)
            lines.append(f"     {choice_letter(at)}  {option}{default}{'   ' if says else ''}{says}")
        if question.answer:
            lines.append(f"     Your answer so far: {question.answer}")
    open_ = [numbers[ask.what] for ask in asks if numbers[ask.what].chosen is None]
    lines += ["", 'To answer, write one line for each question, such as (without the ";"):']
    lines += [f"     ; {question.title}: a" for question in open_[:3] or [numbers[asks[0].what]]]
    if len(open_) > 1:
        lines.append(
            "Your answers are carried out once every question is answered. "
            "DEFAULTS leaves the rest to your standing orders and the defaults."
        )
    return Part("Decisions for you", tuple(lines), table=True)


def waiting_lines(table: Table, step: Step, seat: str) -> tuple[str, ...]:
    """Return who the game is waiting for, for what and until when, in the reader's time zone."""
    zone = table.seats[seat].zone if seat in table.seats else common_zone(table)
    if step.over:
        return ("The game is over.",)
    if (round := table.dice.open_round()) is not None:
        return round_lines(round, table.now, zone)
    due = table.deadline(step)
    until = passed(table, due, zone) if due else ""
    if table.clock.paused:
        until = stopped(table, zone)
    lines = []
    phase = table.game.phase(step.state.phase).title_in(step.state)
    waited = table.waited_for(step)
    for key, section in waited.items():
        if section:
            what = f"orders for {table.game.grammar.heading(section)} ({phase})"
        else:
            what = count(len(questions(step.waiting, key)), "decision")
        lines.append(f"{'You' if key == seat else who(table, key)}: {what}{until}.")
    if due and seat in waited:
        lines.append(at_the_deadline(table, step, seat))
    elif due and waited:
        lines.append(of_others(table, list(waited)))
    lines += [
        f"{who(table, key)}: the planner thinks about its turn. Its move comes with the next letter."
        for key in table.must_think(step)
    ]
    lines = lines or ["Not waiting for anyone."]
    if seat in table.seats and (left := time_left(table, seat)):
        lines.append(f"{left}.")
    return tuple(lines)


def round_lines(round: Round, now: datetime, zone: str) -> tuple[str, ...]:
    """The round of the beacon on which the next dice hang."""
    out = beacon.QUICKNET.out_at(round.number)
    return (
        f"The dice: they hang on {round.name} of the drand beacon, out {due_words(out, now, zone)}.",
        f"The last orders for them were closed {local_time(round.closed, zone)}. If this letter reaches you "
        "before the round is out, nobody can have known the dice when the orders were closed.",
    )


# --- writing letters ----------------------------------------------------------------------------------------


def turn_letter(
    table: Table,
    steps: Sequence[Step],
    seat: str,
    *,
    seated: handbook.Seated | None = None,
    answers: bool = False,
) -> Writing | None:
    """Return the letter of a seat after play: the fate of its lines, events since its last letter, open
    requests, map, forces and order form; its first letter also explains the game, unless its player, who is
    `seated` while it is running, is back. One that `answers` a letter says of each kept line what it would
    do. Return None if there is nothing new."""
    last, row = steps[-1], table.seats[seat]
    news = News.load(row.news)
    if not _has_news(table, steps, seat, news):
        return None
    phases = table.record.phases(max(1, news.phase))
    notes = untold(table, steps, seat, news)
    asks = questions(last.waiting, seat)
    writes = open_orders(last.waiting, seat)
    view = table.game.view(last.state, seat)
    parts, lead = list[Part](), table.game.report.summary(view, notes)
    if not news.phase:
        if seated is None or not seated.back:
            parts += handbook.welcome(table, last, seat, begun=seated is not None and bool(notes))
        lead = (*handbook.greeting(table, last, seat, seated), *(lead if notes else ()))
    missed = missed_lines(news, seat)
    if missed or asks or news.deadlines or not news.phase:
        lead = tuple(line for line in lead if line != NOTHING)
    if last.decreed is not None:
        said = f"The game has ended: {last.decreed.level}."
        lead = (said, *ended_by(table), *(line for line in lead if line != NOTHING))
    if asks:
        parts.append(question_part(asks, Questions.load(row.questions)))
    if not last.over:
        parts.append(Part(WAITING, waiting_lines(table, last, seat)))
    parts += news_parts(table, seat, news)
    if kept := sheet_part(table, last, seat, short=not answers):
        parts.append(kept)
    if taken := decided_lines(news.decided):
        parts.append(Part("Decided for you", taken))
    parts += log_in_short(table, seat, phases, last, (news.phase, news.notes))
    if last.over or not news.phase or not phases:  # a ruling may have gone back to before the last letter
        parts += forces(table.game, view)
    else:
        before = table.game.view(table.game.load(table.record.snapshot(phases[0])), seat)
        parts += changed_forces(table.game, view, before, orders=bool(asks or writes))
    if last.over:
        parts += [result_part(table, last), *at_the_end(table, last, seat)]
    if used := budget.lines(table, seat, 0 if last.over else last.turn - 1, everything=last.over):
        parts.append(Part("Mail by turn", used, kind="kept"))
    brief = bool(row.settings.get("brief")) and not last.over
    if brief:
        parts = [*(part for part in parts if part.title in IN_BRIEF), LEFT_OUT]
    return Writing(
        "turn",
        subject(table, last, seat, late=[each for each in news.deadlines if each.seat == seat]),
        lead=(*missed, *lead),
        parts=tuple(parts),
        board=None if brief else lambda: table.board(last, view, notes),
        form=order_form(table, last, seat) if writes else "",
        rolls_from=phases[0].number if phases else 0,
        show_view=True,
        section=writes.section if writes else "",
    )


def _has_news(table: Table, steps: Sequence[Step], seat: str, news: News) -> bool:
    """Whether to write to a seat: the game has begun or ended, the seat has a new request or missed a
    deadline, or a phase that it may know of has ended."""
    last = steps[-1]
    if last.over:
        return not news.over
    if not news.phase:
        return True
    asked = what_is_asked(table, last, seat)
    if asked and (asked != news.asked or news.lines):
        return True
    if any(late.seat == seat for late in news.deadlines):
        return True
    went_on = news.phase != last.number or any(step.ended for step in steps)
    return went_on and bool(untold(table, steps, seat, news))


def untold(table: Table, steps: Sequence[Step], seat: str, news: News) -> tuple[Note, ...]:
    """Return the notes since the seat's last letter that it may read and has not seen, from all phases."""
    logs = {step.number: step.notes for step in steps}
    notes: list[Note] = []
    for row in table.record.phases(max(1, news.phase)):
        log = logs[row.number] if row.number in logs else _log_of(table, row)
        notes += visible(log[news.notes if row.number == news.phase else 0 :], seat)
    return tuple(notes)


def _log_of(table: Table, row: PhaseRow) -> Sequence[Note]:
    """Return the log of an earlier phase; empty if the installed rules give it a different log."""
    entries = table.record.entries(row.number)
    try:
        return retell(table.game, table.record.snapshot(row), entries).state.log
    except ReplayMismatch:
        return ()


def mark_told(table: Table, step: Step, seat: str, key: str) -> None:
    """Record that a letter, with this `key`, has given a seat all news and its current request."""
    row = table.seats[seat]
    news = News.load(row.news)
    news.told(step.number, len(step.notes))
    asked = what_is_asked(table, step, seat)
    if asked != news.asked:
        news.asked, news.letter = asked, key
    news.over = step.over
    row.news = news.dump()
    table.record.keep(row)


def news_parts(table: Table, seat: str, news: News) -> Iterator[Part]:
    """Yield who missed a deadline, and what became of each of the reader's lines."""
    if news.deadlines:
        lines = [_deadline_line(table, seat, late, news) for late in news.deadlines]
        title = "A deadline passed" if any(not each.early for each in news.deadlines) else "Closed early"
        yield Part(title, tuple(dict.fromkeys(lines)))
    if news.lines:
        yield Part("Your orders", tuple(line_news(news.lines)), table=True, kind="kept")


def missed_lines(news: News, seat: str) -> tuple[str, ...]:
    """What a letter begins with whose reader missed a deadline, or for whom a default decided."""
    mine = [late for late in news.deadlines if late.seat == seat]
    lines = [_missed_line(late, news) for late in mine]
    defaults = [each for each in news.decided if each.by == "default"]
    if defaults and not mine:
        what = ", ".join(dict.fromkeys(each.title or each.what for each in defaults))
        short = what if len(defaults) <= TOLD_SINGLY else count(len(defaults), "decision")
        lines.append(f"Decided for you by default: {short}, as listed below.")
    return tuple(dict.fromkeys(lines))


def _missed_line(late: DeadlineNews, news: News) -> str:
    early = late.early.capitalize()
    if not late.what:
        what = f"{early} did not wait any longer" if early else "You missed the deadline for a decision"
        return f"{what}: {'a decision' if early else 'it'} was made for you, as told below."
    mine = [line for line in news.lines if line.section == late.what]
    names = [line.title for line in mine if line.skipped]
    listed = " and ".join(filter(None, (", ".join(names[:-1]), *names[-1:])))
    if names:
        used = f"{listed} {'were' if len(names) > 1 else 'was'} not used"
    else:
        used = "your lines were played as they were" if mine else "you had no lines for it"
    what = f"{early} closed [{late.what}] early" if early else f"You missed the deadline for [{late.what}]"
    return f"{what}; {used}."


def _deadline_line(table: Table, seat: str, late: DeadlineNews, news: News) -> str:
    held = late.how == "hold"
    if late.early:
        return _early_line(table, seat, late, news)
    if late.seat != seat:
        closed = "without its lines" if held else "as it was"
        what = f"[{late.what}], which was closed {closed}" if late.what else "a decision"
        made = "" if late.what else ", which the default made"
        return f"{who(table, late.seat)} missed the deadline for {what}{made}."
    if held:
        what = f" for [{late.what}]: it was closed without your lines" if late.what else ""
        return f"You missed the deadline{what}. The defaults decided what the rules demand."
    if not late.what:
        return (
            "You missed the deadline: your standing orders and the defaults decided for you, as listed below."
        )
    decided = "your standing orders and the defaults decided"
    listed = ", as listed below" if news.decided else ""
    if all(line.section != late.what for line in news.lines):
        return f"You missed the deadline for [{late.what}] and had no lines for it: {decided}{listed}."
    return (
        f"You missed the deadline for [{late.what}]: it was closed as it was. "
        f"Lines to correct were not used; {decided} the rest{listed}."
    )


def _early_line(table: Table, seat: str, late: DeadlineNews, news: News) -> str:
    """What is said of a deadline that somebody applied before it was due: nobody has missed it."""
    by, held = late.early.capitalize(), late.how == "hold"
    if late.seat != seat:
        if not late.what:
            return f"{by} did not wait any longer: the default made a decision of {who(table, late.seat)}."
        closed = "without its lines" if held else "as it was"
        return f"{by} closed [{late.what}] of {who(table, late.seat)} early, {closed}."
    decided = "the defaults decided what the rules demand"
    if not held:
        listed = ", as listed below" if news.decided else ""
        decided = f"your standing orders and the defaults decided{' the rest' * bool(late.what)}{listed}"
    if not late.what:
        return f"{by} did not wait any longer: {decided}."
    if held:
        return f"{by} closed [{late.what}] early, without your lines; {decided}."
    if all(line.section != late.what for line in news.lines):
        return f"{by} closed [{late.what}] early, and you had no lines for it: {decided}."
    return f"{by} closed [{late.what}] early, as it was. Lines to correct were not used; {decided}."


def line_news(lines: Iterable[LineNews]) -> Iterator[str]:
    """Yield what became of each line, below the headings of their sections: those that were carried out
    together, those that went only a part of their way, then those of which there is more to say."""
    for section, own in groupby(lines, key=lambda line: line.section):
        yield f"[{section}]"
        told = list(own)
        done = [line for line in told if not (line.skipped or line.under_way)]
        for alike in ([line for line in done if not line.reached], [line for line in done if line.reached]):
            if alike:
                told_of = [f"{line.title} {line.text.strip()}{_how_far(line)}" for line in alike]
                yield f" carried out  {'; '.join(told_of)}"
        for line in told:
            if line.skipped:
                yield f" passed over  {line.title:<4} {line.text}"
                yield f"                   {line.skipped}"
            elif line.under_way:
                yield f" under way    {line.title:<4} {line.text}{_how_far(line)}"


def _how_far(line: LineNews) -> str:
    """How far a line went that did not reach its end."""
    return f" (as far as {line.reached})" if line.reached else ""


TOLD_SINGLY = 4
"""List at most this many decisions of one standing order separately."""


def decided_lines(decided: Iterable[DecisionNews]) -> tuple[str, ...]:
    """N11: Return what standing orders, defaults or a rule decided for a seat, and which line decided it.
    Repeated decisions of one standing order are only counted: the log lists them. A question that was asked
    has its name."""
    by_line: dict[str, list[str]] = {}
    for news in decided:
        by = news.line if news.by == "standing" else f"default: {news.why}" if news.why else "default"
        what = f"{news.title} {news.what}" if news.title else news.what
        by_line.setdefault(by, []).append(f"{what}: {news.value}" if news.value else what)
    lines: list[str] = []
    for line, taken in by_line.items():
        shown = taken if len(taken) <= TOLD_SINGLY or line.startswith("default") else taken[:1]
        lines += [f"{what}   ({line})" for what in shown]
        if len(shown) < len(taken):
            lines.append(f"and {count(len(taken) - 1, 'decision')} more, listed in the log   ({line})")
    return tuple(lines)


def subject(table: Table, step: Step, seat: str, *, late: Sequence[DeadlineNews] = ()) -> str:
    """What is wanted and until when, then where the game is: ``[cotentin] Your move by Fri 20 Nov 21:00 - T2
    Allied combat``. A phone shows the first words alone, so a missed deadline (`late`) comes before."""
    game, due = table.game, table.deadline(step)
    if step.over:
        return f"[{table.row.id}] The game is over: {step.result(game).level}"
    what, where = wanted(table, step, seat)
    if due and what != "Report":
        what += f" by {clock_time(due, table.seats[seat].zone)}"
    missed = "Deadline missed - " if any(not each.early for each in late) else "Closed early - " * bool(late)
    return f"[{table.row.id}] {missed}{what} - {where}"


# --- writing to every seat --------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Reply:
    """The reply to a letter. If play that concerns the seat follows, it becomes the first part of the turn
    letter."""

    seat: str
    lead: tuple[str, ...]
    parts: tuple[Part, ...]
    alone: tuple[Part, ...]
    """Parts left out of a turn letter, which has its own."""
    receipt: Part
    subject: str
    letter: int
    answers: str
    orders: tuple[str, ...] = ()
    files: tuple[Attachment, ...] = ()
    pictures: tuple[Attachment, ...] = ()
    form: str = ""
    """The order form for the current request, if the letter came too late for an earlier one."""
    mend: bool = False
    """Whether it begins with something that its reader has to mend."""


def tell(
    table: Table, steps: Sequence[Step], writer: str = "", reply: Callable[[], Reply] | None = None
) -> None:
    """Write to every seat after play, and send a `reply` to the `writer` of the letter that set it off; it is
    made once the lines left have been judged again. `steps` ends with the current game."""
    pictures, last = Pictures(), steps[-1]
    ends = last.over and any(row.address and not News.load(row.news).over for row in table.seats.values())
    for key, row in table.seats.items():
        answers = reply is not None and key == writer
        if row.bot:
            writing = _end_beside_a_bot(table, steps, key) if last.over else None
        else:
            writing = turn_letter(table, steps, key, answers=answers)
        mine = reply() if reply is not None and key == writer else None
        if writing is not None:
            letter = send(table, key, _with_reply(writing, mine) if mine else writing, last, pictures)
            mark_told(table, last, key, letter)
        elif mine is not None:
            answer(table, last, mine)
        elif table.dice.named is not None and not row.bot:
            told = Part("Dice", round_lines(table.dice.named, table.now, row.zone))
            subject_ = f"[{table.row.id}] The dice wait for {table.dice.named.name}"
            send_plain(table, row, Writing("round", subject_, (), (told,)))
    if table.dice.named is not None:
        _tell_of_round(table, table.dice.named)
    if last.over or any(step.turn != last.turn for step in steps):
        tell_observers(table, last)
    if ends:
        tell_of_the_end(table, last)


def _end_beside_a_bot(table: Table, steps: Sequence[Step], seat: str) -> Writing | None:
    """The last letter of a game to the player of a seat that a bot holds. He knows little of what the bot has
    played: the log is left to LOG."""
    row = table.seats[seat]
    writing = turn_letter(table, steps, seat) if row.address else None
    if writing is None:
        return None
    says = f"The game is over. The {row.bot} bot played {table.game.seat(seat).title} to the end."
    lead = (says, *(line for line in writing.lead if line != NOTHING))
    parts = tuple(part for part in writing.parts if part.kind != "log")
    log = Part("What happened", ("LOG and the number of a turn, such as LOG 1, sends all of it.",))
    return replace(writing, lead=lead, parts=(*parts, log))


def _tell_of_round(table: Table, round: Round) -> None:
    """Keep the round that was named for the next digest of the moderators; all rounds are one news item."""
    zone = common_zone(table)
    closed, out = round.closed, beacon.QUICKNET.out_at(round.number)
    line = f"{round.name}: orders closed {local_time(closed, zone)}, out {local_time(out, zone)}"
    table.record.tell_moderators("Dice hang on the drand beacon", [line])


def answer(table: Table, step: Step, reply: Reply) -> None:
    """Write a reply without a turn letter, and include the news of lines and decisions not sent yet."""
    row = table.seats[reply.seat]
    news = News.load(row.news)
    parts = [*reply.parts, *news_parts(table, reply.seat, news), *reply.alone]
    if taken := decided_lines(news.decided):
        parts.append(Part("Decided for you", taken))
    missed = missed_lines(news, reply.seat)
    news.told(news.phase, news.notes)
    row.news = news.dump()
    writing = Writing(
        "reply",
        f"Re: {reply.subject}",
        (*missed, *reply.lead),
        in_order((*parts, reply.receipt)),
        files=reply.files,
        pictures=reply.pictures,
        orders=reply.orders,
        form=reply.form,
        section=asked_section(step, reply.seat),
        letter=reply.letter,
        answers=reply.answers,
    )
    send(table, reply.seat, writing, step, Pictures())


URGENT = ("Lines to correct", "Not used", "Decisions for you")
"""What stands above what the game is waiting for."""


def in_order(parts: Sequence[Part]) -> tuple[Part, ...]:
    """The parts of a reply so that its first screen says what is wanted, and until when. What the game is
    waiting for is said once, though STATUS asks for it."""
    first = [part for part in parts if part.title in URGENT]
    waiting = [part for part in parts if part.title == WAITING]
    return (*first, *waiting[-1:], *(part for part in parts if part not in first and part not in waiting))


def _with_reply(writing: Writing, reply: Reply) -> Writing:
    """A turn letter whose first part is a reply. It begins with what has happened, or with what its reader
    has to mend; when the letter was received is in the receipt."""
    first, *_ = reply.lead
    news = tuple(line for line in writing.lead if line != NOTHING)
    return replace(
        writing,
        lead=(first, *news) if reply.mend else (*news, first),
        parts=in_order((*reply.parts, *writing.parts, reply.receipt)),
        files=reply.files,
        pictures=reply.pictures,
        orders=reply.orders,
        letter=reply.letter,
        answers=reply.answers,
    )
