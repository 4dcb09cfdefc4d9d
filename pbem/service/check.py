"""Use case: check orders without playing them. The same rules as adjudication, stopped before the first die.

What a check says depends on nothing its reader may not know: it is made from the reader's own orders and what the rules say to them.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain, repeat
from typing import Any

from pbem.engine.errors import OrderError
from pbem.engine.game import Game
from pbem.engine.orders import Fault, Line
from pbem.service.adjudicate import Position, Step, play_on, resume
from pbem.service.desk import Fed, Papers, judged
from pbem.service.letters import open_orders, upcoming_sections, visible_facts, without_log, worded

SHOWN = 70
"""So many characters of a faulty line are shown around its fault, so that the caret stays under it."""


@dataclass(frozen=True, slots=True)
class Checked:
    """One order line and what would become of it: `verdict` is ok, no, if (its condition does not hold now), later (its phase has not come) or
    note (a remark). `says` are the words of the log for it, or the reason."""

    line: Line | None
    verdict: str
    says: tuple[str, ...] = ()
    error: OrderError | None = None


@dataclass(slots=True)
class Check:
    """All lines of a seat checked, and what still must be ordered before its section can end."""

    lines: list[Checked] = field(default_factory=list)
    missing: list[str] = field(default_factory=list)
    titles: Mapping[str, str] = field(default_factory=dict)
    """The sections whose turn chance decides, by key (`Grammar.titles`): where there are any, lines are shown under their headings."""

    @property
    def ok(self) -> bool:
        return not self.missing and all(checked.verdict != "no" for checked in self.lines)


def check_lines(
    game: Game[Any],
    position: Position,
    papers: Papers,
    others: dict[str, Papers],
    new: Collection[tuple[str, str]] | None = None,
) -> Check:
    """Try a seat's lines from `position` on, through as many of its phases as need no die and nobody else's decision. `new` are the (section, text)
    of those that have just been written, None for all: what events have made of an older one is told, and keeps no letter from being final."""
    seat = papers.seat
    trial = {key: Papers(key) for key in others} | {
        seat: Papers(seat, lines=list(papers.lines), standing=papers.standing, answers=papers.answers)
    }
    check = Check(titles=game.grammar.titles)
    steps = play_on(game, position, trial, None, checking=seat)
    tried: set[int] = set()
    for step in steps:
        for fed in step.fed:
            tried.add(id(fed.line))
            check.lines.append(_checked(game, step, fed, seat))
        if seat in step.blocked and not any(fed.error for fed in step.fed):
            check.missing.append(str(step.blocked[seat]))
    late = [line for line in papers.lines if id(line) not in tried]
    if not late:
        return check
    passed = {section for step in steps for key, section in step.closed if key == seat}
    ahead = {id(fed.line): fed for step in steps for fed in step.ahead}
    here = resume(game, position)
    still = upcoming_sections(game, here, seat)
    foreseen = {id(fed.line): fed for fed in _foreseen(game, here, seat, late)}
    for line in late:
        why = _useless(game, here, seat, line, passed, still)
        if why:
            verdict = "no" if new is None or (line.section, line.text) in new else "if"
            check.lines.append(Checked(line, verdict, (why,)))
        elif id(line) in foreseen:
            says = _in_its_turn(line, foreseen[id(line)], "things change until then")
            check.lines.append(Checked(line, "later", says))
        else:
            says = _in_its_turn(line, ahead.get(id(line)), "the lines before it make it possible")
            check.lines.append(Checked(line, "later", says))
    return check


def _useless(
    game: Game[Any], here: Step, seat: str, line: Line, passed: set[str], still: Sequence[str]
) -> str:
    """Why a line whose turn has not come will never be carried out; "" if it may be. `still` are the sections to come."""
    if line.section in game.grammar.titles and line.section not in still:
        others = ", ".join(f"[{section}]" for section in still if section in game.grammar.titles)
        return f"{game.grammar.heading(line.section)} has no turn of yours to come; there are: {others or 'none'}"
    if line.section in passed:
        return f"as things stand there is nothing to order under [{line.section}]"
    return game.never(here.state, seat, line)


def _foreseen(game: Game[Any], here: Step, seat: str, lines: Sequence[Line]) -> list[Fed]:
    """The lines of sections that are not being played, judged by what their writer would be asked if their turn came now."""
    if game.ahead is None:
        return []
    awaited = open_orders(here.waiting, seat)
    found: list[Fed] = []
    for section in dict.fromkeys(line.section for line in lines):
        if awaited is not None and section == awaited.section:
            continue
        state = game.load(game.dump(without_log(here.state)))
        request = game.ahead(state, seat, section)
        if request is not None:
            found += judged(game, state, request, [line for line in lines if line.section == section])
    return found


def _in_its_turn(line: Line, fed: Fed | None, need: str) -> tuple[str, ...]:
    """What is said of a line whose turn has not come: what it would do as things stand, or why it could not yet, and what it needs."""
    if fed is None:
        return (f"kept for [{line.section}]",)
    if fed.error is not None:
        return (f"only if {need}: {fed.error}",)
    if fed.order is None:
        return (f"kept for [{line.section}]; as things stand {fed.skipped}",)
    return (
        (f"kept for [{line.section}]; as things stand now:", *fed.preview)
        if fed.preview
        else ("fits as things stand now",)
    )


def _checked(game: Game[Any], step: Step, fed: Fed, seat: str) -> Checked:
    if fed.error is not None:
        return Checked(fed.line, "no", (str(fed.error),), fed.error)
    if fed.order is None:
        return Checked(fed.line, "if", (fed.skipped,))
    start, end = fed.notes
    says = [
        line for facts in visible_facts(step.notes[start:end], seat) for line in worded(game.key, facts, seat)
    ]
    says += fed.preview
    return Checked(fed.line, "ok", tuple(dict.fromkeys(says)) or (game.grammar.write(fed.order),))


def fault_lines(fault: Fault) -> list[str]:
    """A faulty line as it is mailed back: the words, a caret under them, the reason, and a line to send instead."""
    error, shown, column = fault.error, fault.text.rstrip(), fault.error.column
    if len(shown) > SHOWN:
        start = max(0, min(column - SHOWN // 3, len(shown) - SHOWN))
        shown, column = f"...{shown[start : start + SHOWN]}", column - start + 3
    head = f" NO   line {fault.number}:  "
    length = max(1, min(error.length, len(shown) - column))
    lines = [head + shown, " " * (len(head) + column) + "^" * length, f"      {error}"]
    if error.legal:
        lines.append("      legal: " + ", ".join(error.legal))
    if fault.suggestion:
        labels = chain(("send instead:",), repeat(""))
        lines += [
            f"      {label:<15} {line}"
            for label, line in zip(labels, fault.suggestion.splitlines(), strict=False)
        ]
    return lines
