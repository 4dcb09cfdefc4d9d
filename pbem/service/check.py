"""Use case: check orders without playing them. The same rules as adjudication, stopped before the first die.

What a check says depends on nothing its reader may not know: it is made from the reader's own orders and what the rules say to them.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import chain, repeat
from typing import Any

from pbem.engine.errors import OrderError
from pbem.engine.game import Game
from pbem.engine.orders import Fault, Line
from pbem.service.adjudicate import Position, Step, play_on
from pbem.service.desk import Fed, Papers
from pbem.service.letters import visible_facts, worded

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

    @property
    def ok(self) -> bool:
        return not self.missing and all(checked.verdict != "no" for checked in self.lines)


def check_lines(game: Game[Any], position: Position, papers: Papers, others: dict[str, Papers]) -> Check:
    """Try a seat's lines from `position` on, through as many of its phases as need no die and nobody else's decision."""
    seat = papers.seat
    trial = {key: Papers(key) for key in others} | {
        seat: Papers(seat, lines=list(papers.lines), standing=papers.standing, answers=papers.answers)
    }
    check = Check()
    steps = play_on(game, position, trial, None, checking=seat)
    tried: set[int] = set()
    for step in steps:
        for fed in step.fed:
            tried.add(id(fed.line))
            check.lines.append(_checked(game, step, fed, seat))
        if seat in step.blocked and not any(fed.error for fed in step.fed):
            check.missing.append(str(step.blocked[seat]))
    ahead = {id(fed.line): fed for step in steps for fed in step.ahead}
    passed = {section for step in steps for key, section in step.closed if key == seat}
    for line in papers.lines:
        if id(line) not in tried and line.section in passed:
            why = f"as things stand there is nothing to order under [{line.section}]"
            check.lines.append(Checked(line, "no", (why,)))
        elif id(line) not in tried:
            check.lines.append(Checked(line, "later", _in_its_turn(line, ahead.get(id(line)))))
    return check


def _in_its_turn(line: Line, fed: Fed | None) -> tuple[str, ...]:
    """What is said of a line whose turn has not come: what it would do as things stand, or why it could not yet."""
    if fed is None:
        return (f"kept for [{line.section}]",)
    if fed.error is not None:
        return (f"only if the lines before it make it possible: {fed.error}",)
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
