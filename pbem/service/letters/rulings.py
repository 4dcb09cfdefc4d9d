"""What a ruling changes for one reader, in words: the log and the forces as they were, and as they are
now."""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

from pbem.engine.notes import UMPIRE
from pbem.service.letters.layout import Writing
from pbem.service.letters.log import Part, forces, log_of_phases
from pbem.service.letters.reports import question_part, waiting_lines
from pbem.service.letters.sheets import order_form, sheet_part
from pbem.service.play.answers import questions
from pbem.service.play.questions import Questions
from pbem.service.play.sections import asked_section, open_orders
from pbem.service.play.steps import Step
from pbem.service.record.table import Table

_ROLL = re.compile(r"^R(?P<number>\d+) +")
"""The number of a roll at the beginning of a line of the log."""

_COUNT = re.compile(r": \d+(?:, \w+)?$|(?<=\()\d+(?=[;)])")
"""What the title of a list of forces says of it and not of its units: how many they are, and that they may be
ordered now."""


@dataclass(frozen=True, slots=True)
class Known:
    """What one reader knows at a moment: the log since a phase began, the forces, the hash of its view."""

    log: tuple[Part, ...]
    forces: tuple[Part, ...]
    view_hash: str


def known(table: Table, seat: str, here: Step, first_phase: int) -> Known:
    """Return what a seat, or the umpire, knows of the game as it stands."""
    view = table.game.view(here.state, seat)
    digest = hashlib.sha256(view.model_dump_json().encode()).hexdigest()
    log = log_of_phases(table, seat, table.record.phases(first_phase), here)
    return Known(log, tuple(forces(table.game, view)), digest)


def differences(before: Known, after: Known) -> tuple[Part, ...]:
    """Return what is no longer so ("-") and what is so instead ("+")."""
    log, renamed = _changed_log(before.log, after.log)
    there = _changed_lists(before.forces, after.forces)
    parts = []
    if log:
        parts.append(Part("What changes in the log", tuple(log), table=True))
    if renamed:
        parts.append(Part("Rolls with another number", tuple(renamed)))
    if there:
        parts.append(Part("What changes on the map and in the lists", tuple(there), table=True))
    return tuple(parts)


def _changed_log(before: Sequence[Part], after: Sequence[Part]) -> tuple[list[str], list[str]]:
    """The lines of two logs that are not in both, in their order, those of each phase under its title; and
    which rolls of lines in both have another number."""
    old, new = _flat(before), _flat(after)
    lines: list[str] = []
    moved: list[tuple[int, int]] = []
    title = ""
    matcher = SequenceMatcher(None, _unnumbered(old), _unnumbered(new), autojunk=False)
    for kind, old_from, old_to, new_from, new_to in matcher.get_opcodes():
        if kind == "equal":
            pairs = zip(old[old_from:old_to], new[new_from:new_to], strict=True)
            numbers = ((_number(was), _number(now)) for (_, was), (_, now) in pairs)
            moved += [(was, now) for was, now in numbers if was != now]
            continue
        for sign, stretch in (("-", old[old_from:old_to]), ("+", new[new_from:new_to])):
            for where, line in stretch:
                if where != title:
                    lines.append(where)
                    title = where
                lines.append(f"  {sign} {line}")
    return lines, _renamed(moved)


def _unnumbered(lines: Iterable[tuple[str, str]]) -> list[tuple[str, str]]:
    return [(title, _ROLL.sub("R", line)) for title, line in lines]


def _number(line: str) -> int:
    found = _ROLL.match(line)
    return int(found["number"]) if found else 0


def _renamed(moved: Iterable[tuple[int, int]]) -> list[str]:
    """Say which rolls have another number, ``R3 to R20 are R2 to R19 now``, those that follow one another
    on a line."""
    runs: list[list[tuple[int, int]]] = []
    for was, now in moved:
        if runs and runs[-1][-1] == (was - 1, now - 1):
            runs[-1].append((was, now))
        else:
            runs.append([(was, now)])
    return [
        f"R{run[0][0]} is R{run[0][1]} now"
        if len(run) == 1
        else f"R{run[0][0]} to R{run[-1][0]} are R{run[0][1]} to R{run[-1][1]} now"
        for run in runs
    ]


def _changed_lists(before: Sequence[Part], after: Sequence[Part]) -> list[str]:
    """The lines of two states of lists that are not in both, those of each list under its title as it is now.
    A list is the same whatever its title counts."""
    old, new = _by_title(before), _by_title(after)
    lines: list[str] = []
    for key in dict.fromkeys([*new, *old]):
        there, here = old.get(key, ("", ())), new.get(key, ("", ()))
        gone, come = Counter(there[1]), Counter(here[1])
        changed = [f"  - {line}" for line in _without(there[1], come)]
        changed += [f"  + {line}" for line in _without(here[1], gone)]
        lines += [here[0] or there[0], *changed] if changed else []
    return lines


def _by_title(parts: Iterable[Part]) -> dict[str, tuple[str, tuple[str, ...]]]:
    """Lists by their titles without the number of their lines: each with its title and its lines."""
    lists: dict[str, tuple[str, tuple[str, ...]]] = {}
    for part in parts:
        key = _COUNT.sub("", part.title)
        title, lines = lists.get(key, (part.title, ()))
        lists[key] = title, (*lines, *(line for line in part.lines if line.strip()))
    return lists


def _without(lines: Iterable[str], others: Counter[str]) -> Iterator[str]:
    """The lines that are not among others, which are used up."""
    for line in lines:
        others[line] -= 1
        if others[line] < 0:
            yield line


def _flat(parts: Iterable[Part]) -> list[tuple[str, str]]:
    return [(part.title, line) for part in parts for line in part.lines if line.strip()]


def ruling_letter(
    table: Table,
    seat: str,
    here: Step,
    subject: str,
    lead: Sequence[str],
    why: str,
    before: Known,
    first_phase: int,
    later: Sequence[str],
) -> Writing:
    """The letter that tells a seat of a ruling.

    `lead` says what was ruled, `before` what the seat knew of the log since `first_phase`, `later` lists
    orders of this seat that cannot be kept as a draft.
    """
    now = known(table, seat, here, first_phase)
    parts = [Part("Reason", tuple(why.splitlines()))] if why else []
    changed = differences(before, now)
    parts += changed or [Part("What changes", ("nothing that you know of",))]
    if kept := sheet_part(table, here, seat):
        parts.append(kept)
    if later:
        parts.append(Part("Orders of yours that no longer count", tuple(later), table=True))
    if asks := questions(here.waiting, seat):
        parts.append(question_part(asks, Questions.load(table.seats[seat].questions)))
    parts.append(Part("Waiting for", waiting_lines(table, here, seat)))
    parts.append(Part("Proof", (f"your view before {before.view_hash}", f"your view now    {now.view_hash}")))
    view = table.game.view(here.state, seat)
    writes = open_orders(here.waiting, seat)
    return Writing(
        "ruling",
        f"[{table.row.id}] {subject}",
        tuple(lead),
        tuple(parts),
        board=(lambda: table.board(here, view)) if here.state.phase or here.over else None,
        form=order_form(table, here, seat) if writes else "",
        rolls_from=1,
        show_view=True,
        section=asked_section(here, seat),
    )


def umpire_changes(table: Table, here: Step, before: Known, first_phase: int) -> tuple[str, ...]:
    """What a ruling changes, as the umpire sees it."""
    after = known(table, UMPIRE, here, first_phase)
    return tuple(line for part in differences(before, after) for line in part.lines)
