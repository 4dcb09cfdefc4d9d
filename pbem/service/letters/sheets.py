"""A seat's sheet in letters: its lines with their verdicts, the lines to correct and the order form."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import chain, groupby, repeat

from pbem.engine.errors import OrderError
from pbem.engine.language import Fault, StandingLine
from pbem.engine.language.reference import Examples, template
from pbem.service.letters.log import Head, Part, worded
from pbem.service.letters.wrapping import TEXT_WIDTH
from pbem.service.play.answers import questions
from pbem.service.play.judging import Judgement, Verdict, judge
from pbem.service.play.papers import ForPhase, Papers
from pbem.service.play.questions import Questions
from pbem.service.play.sections import (
    asked_section,
    in_turn,
    is_drawn,
    open_orders,
    open_sections,
    own_stretch,
)
from pbem.service.play.sheet import Sheet, SheetLine
from pbem.service.play.steps import Step
from pbem.service.record.rows import SeatRow
from pbem.service.record.table import Table

SHOWN = 70
"""At most this many characters of a line are shown around its error, so that the caret stays under it."""

MOST_LEGAL = 5
"""What would be legal in the place of an error is listed up to this number."""

NO_STANDING = "none; HELP STANDING lists what there is"
"""What a letter says instead of standing orders where there are none."""

MARKS = {"ready": "ok", "waiting": "wait", "faulty": "NO"}

NO_UNIT = re.compile(r"there is no unit\b")
"""Errors of a name, in whose place any unit would be legal."""


def judged(table: Table, step: Step, seat: SeatRow, sheet: Sheet, asked: Questions) -> Judgement:
    """Judge the lines of a sheet and update their states. Answers that are held back are included, because
    the lines of the same letter depend on them."""
    papers = Papers(
        seat.key,
        tuple(sheet.lines),
        frozenset(sheet.closed),
        tuple(table.standing(seat)),
        phase=ForPhase(asked.values(questions(step.waiting, seat.key), forced=True)),
    )
    judgement = judge(
        table.game,
        table.position(),
        papers,
        table.seats,
        lambda note: worded(table.game.key, note.facts(), seat.key),
        step,
    )
    for verdict in judgement.verdicts:
        line = verdict.line
        line.state = verdict.state
        if line.readable:
            line.why = " ".join(verdict.says) if verdict.state == "faulty" else ""
            line.case = verdict.error.case if verdict.error else ""
    return judgement


# --- the lines of a sheet -----------------------------------------------------------------------------------


def sheet_part(table: Table, step: Step, seat: str, *, short: bool = False) -> Part | None:
    """Return the sheet of a seat after play, judged again, or in `short` what a letter that answers none says
    of it; None if it is empty."""
    row = table.seats[seat]
    sheet = table.sheet(row)
    if not sheet.lines or step.over:
        return None
    before = {line.name: line.state for line in sheet.lines}
    judgement = judged(table, step, row, sheet, Questions.load(row.questions))
    table.keep_sheet(row, sheet)
    changed = {line.name for line in sheet.lines if before[line.name] != line.state}
    lines = sheet_in_short if short else sheet_lines
    return Part("Your lines", tuple(lines(sheet, judgement, changed)), table=True)


def sheet_lines(sheet: Sheet, judgement: Judgement | None, changed: Iterable[int] = ()) -> Iterator[str]:
    """Yield a sheet below its section headings: each line with its name and verdict; lines in `changed` are
    marked."""
    says = {verdict.line.name: verdict for verdict in judgement.verdicts} if judgement else {}
    for section in sheet.sections():
        yield Head(f"[{section}] {state_of(sheet, section)}" if section else "Without a heading")
        for line in sheet.of(section):
            yield from line_lines(line, says.get(line.name), line.name in changed)


def sheet_in_short(sheet: Sheet, judgement: Judgement, changed: Collection[int]) -> Iterator[str]:
    """Yield a sheet as a letter has it that answers none: lines in `changed` and those to correct with their
    verdicts, the others by what they wait for."""
    says = {verdict.line.name: verdict for verdict in judgement.verdicts}
    for section in sheet.sections():
        yield Head(f"[{section}] {state_of(sheet, section)}" if section else "Without a heading")
        alike: dict[str, list[str]] = {}
        for line in sheet.of(section):
            verdict = says.get(line.name)
            if line.state == "faulty" or line.name in changed:
                yield from line_lines(line, verdict, line.name in changed)
                continue
            waits = f"wait for {verdict.after}" if verdict and verdict.after else MARKS[line.state]
            alike.setdefault(waits, []).append(f"{line.title} {line.text.strip()}")
        yield from (f"  {waits}: {'; '.join(lines)}" for waits, lines in alike.items())
    yield "ORDERS tells what each line would do if it were played now."


def state_of(sheet: Sheet, section: str) -> str:
    """Whether a section is closed or a draft."""
    if section in sheet.closed:
        return "closed"
    if section in sheet.held:
        return "waiting for another section"
    return "draft"


def line_lines(line: SheetLine, verdict: Verdict | None, changed: bool) -> Iterator[str]:
    """Yield one line of a sheet and its verdict."""
    mark = "pass" if verdict and verdict.passed and line.state == "ready" else MARKS[line.state]
    yield f" {mark:<4} {line.title:<4} {line.text.strip()}" + ("   (changed)" if changed else "")
    bare = re.split("[;#]", line.text, maxsplit=1)[0].strip()
    says = [line.why] if line.state == "faulty" else [*(verdict.says if verdict else ())]
    if line.state == "waiting" and verdict and verdict.after:
        supposed = says and not verdict.barred and not verdict.passed
        says.insert(0, f"waiting for: {verdict.after}" + ("; if played now:" if supposed else ""))
    yield from (f"           {words}" for words in says if words.strip() and words.strip() != bare)


def standing_lines(lines: Sequence[StandingLine]) -> Iterator[str]:
    """Yield standing orders in the order in which they apply; a line that is never used names the one that
    decides first."""
    for line, first in decided_before(lines):
        yield line.text
        if first:
            yield f'      never used: "{first}" decides first'


def decided_before(lines: Sequence[StandingLine]) -> Iterator[tuple[StandingLine, str]]:
    """Yield standing orders, each with the one that leaves it nothing to decide, "" if none does."""
    settled: dict[str, str] = {}
    for line in lines:
        yield line, settled.get(line.kind, "")
        if line.policy is not None and line.policy.settles:
            settled.setdefault(line.kind, line.text)


def habits(sheet: Sheet) -> Iterator[str]:
    """Yield the standing orders about letters that are in force."""
    if sheet.always:
        yield "standing done: always: each letter without an error closes the sections that it has lines for"
    if sheet.empty:
        yield "standing empty: close: DONE ALL also closes the sections of the turn that have no lines"


# --- lines to correct ---------------------------------------------------------------------------------------


def lines_to_correct(
    faults: Sequence[tuple[str, Fault]], judgement: Judgement, sheet: Sheet
) -> tuple[str, ...]:
    """Return all lines to correct in the order of the sheet, unreadable ones as written, with a caret below
    the error; those of the letter that are not on the sheet come last."""
    written = {title for title, _ in faults}
    shown = [line for section in sheet.sections() for line in sheet.of(section)]
    places = {line.title: at for at, line in enumerate(shown)}
    found: list[tuple[str, list[str]]] = []
    for _, alike in groupby(faults, key=lambda each: each[1].error.text if each[1].headless else id(each[1])):
        group = list(alike)
        found.append((group[0][0], _fault_group(group)))
    for verdict in judgement.faulty():
        if verdict.line.title not in written:
            found.append((verdict.line.title, _unplayable(verdict)))
    judged_ = {id(verdict.line) for verdict in judgement.verdicts}
    for line in sheet.faulty():
        if line.title not in written and id(line) not in judged_:
            found.append((line.title, [f" NO   {line.title}: {line.text.strip()}", f"      {line.why}"]))
    found.sort(key=lambda each: places.get(each[0], len(places)))
    return tuple(line for _, lines in found for line in lines)


def _fault_group(faults: Sequence[tuple[str, Fault]]) -> list[str]:
    """Return lines with the same error as a group, with the error once."""
    if len(faults) == 1:
        return fault_lines(*faults[0])
    error = faults[0][1].error
    shown = [f" NO   {title or f'line {fault.number}'}: {fault.text.strip()}" for title, fault in faults]
    return [*shown, f"      {error}: send them again below one of these headings: {', '.join(error.legal)}"]


def _unplayable(verdict: Verdict) -> list[str]:
    line = verdict.line
    lines = [f" NO   {line.title}: {line.text.strip()}", f"      {' '.join(verdict.says) or line.why}"]
    if verdict.error is not None:
        lines += _legal(verdict.error)
    return lines + offer_lines(line.offers)


def _legal(error: OrderError) -> list[str]:
    """What would be legal in the place of an error, where it is little and the error does not say it."""
    told = (
        len(error.legal) > MOST_LEGAL
        or NO_UNIT.match(error.text)
        or all(each in error.text for each in error.legal)
    )
    return [] if told else [f"      legal: {', '.join(error.legal)}"]


def offer_lines(offers: Sequence[str]) -> list[str]:
    """Return the lines to send instead: each offer is sent whole, and one of several is enough."""
    lines: list[str] = []
    for offer in offers:
        labels = chain(("or:" if lines else "send instead:",), repeat(""))
        lines += [
            f"      {label:<14} {line}" for label, line in zip(labels, offer.splitlines(), strict=False)
        ]
    return lines


def fault_lines(title: str, fault: Fault) -> list[str]:
    """Return an unreadable line as the reply shows it: its name, the words, a caret, the reason and a line to
    send instead."""
    error, shown, column = fault.error, fault.text.rstrip(), fault.error.column
    if len(shown) > SHOWN:
        start = max(0, min(column - SHOWN // 3, len(shown) - SHOWN))
        cut = "..." if start else ""
        shown, column = f"{cut}{shown[start : start + SHOWN]}", column - start + len(cut)
    head = f" NO   {title or f'line {fault.number}'}:  "
    length = max(1, min(error.length, len(shown) - column, TEXT_WIDTH - len(head) - column))
    lines = [head + shown, " " * (len(head) + column) + "^" * length, f"      {error}"]
    if not fault.either:
        lines += _legal(error)
    return lines + offer_lines(named_offers(title, fault))


def named_offers(title: str, fault: Fault) -> tuple[str, ...]:
    """Return what to send instead of a faulty line, with its name where needed: each is enough."""
    offers = fault.either or ((fault.suggestion,) if fault.suggestion else ())
    return tuple(_under(title, offer) for offer in offers)


def _under(title: str, offer: str) -> str:
    """Return an offered line with the name of the line that it replaces, unless it already names its
    place."""
    whole = not title or "\n" in offer or offer.startswith(("[", "when ", "withdraw ", "L", "after L"))
    return offer if whole else f"{title}: {offer}"


# --- the order form -----------------------------------------------------------------------------------------


def examples(table: Table, step: Step, seat: str) -> Examples:
    """Examples of what a seat can write at this step."""
    game = table.game
    return Examples(game.grammar, seat, game.roster(step.state, seat), open_orders(step.waiting, seat))


def order_form(table: Table, step: Step, seat: str, *, whole: bool = False) -> str:
    """Return the order form: the headings up to the other side's turn, examples for the section that is asked
    for, and the lines kept so far but those of closed sections; the `whole` form has these too. Sent back
    unchanged, it changes nothing."""
    game, sheet = table.game, table.sheet(table.seats[seat])
    lines: dict[str, list[str]] = {
        section: [] for section in own_stretch(game, step, seat) or in_turn(game, step, seat)[:1]
    }
    for section in sheet.sections():
        if whole or section in lines or section not in sheet.closed:
            lines[section] = [f"{line.title}: {line.text.strip()}" for line in sheet.of(section)]
    kept = [line.order for line in sheet.of(asked_section(step, seat)) if line.order is not None]
    form = template(game.grammar, lines, replace(examples(table, step, seat), kept=kept))
    later = [
        section
        for section in open_sections(game, step, seat)
        if is_drawn(game, section) and section not in lines and section not in sheet.closed
    ]
    return form + _also_open(later) if later else form


def _also_open(sections: Sequence[str]) -> str:
    """Return a comment that names the sections still to be drawn."""
    names = textwrap.wrap(", ".join(sections), 76, initial_indent="; ", subsequent_indent="; ")
    head = f"; Not drawn yet. You may order ahead (when {sections[0]}: order; order):"
    return "\n".join(["", head, *names]) + "\n"
