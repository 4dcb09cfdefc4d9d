"""The log of a game in words, and other parts that letters and the command line share: made from views and
from notes that their reader may read, with the templates of the game."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import cache
from itertools import takewhile
from typing import Any
from zoneinfo import ZoneInfo

from jinja2 import (
    ChoiceLoader,
    Environment,
    FileSystemLoader,
    FunctionLoader,
    StrictUndefined,
    Template,
    TemplateNotFound,
)

from pbem.engine import game as contract
from pbem.engine.errors import DataError
from pbem.engine.game import SYSTEM, Game, View
from pbem.engine.installed import home, playable
from pbem.engine.notes import UMPIRE, Note
from pbem.engine.wording import count
from pbem.paths import templates
from pbem.service.play.sections import phase_title
from pbem.service.play.steps import Step
from pbem.service.record.rows import PhaseRow
from pbem.service.record.table import Table, visible

KINDS = ("acting", "own", "later", "enemy", "marks", "score")
"""What a part of a list of forces is about: units that may be ordered now, the reader's other units, what is
to come or lost, the enemy, what the signs mean, or the figures of victory; "" for all else."""


FOLDED = ("own", "later", "enemy", "marks", "changed", "kept")
"""The kinds of parts that are looked up, not read: lists of forces, and what is kept for the record."""


TOLD_AGAIN = 1
"""Repeat what an earlier letter has told of a phase if it is at most this many lines: to say that it was left
out would take as many."""


class Head(str):
    """A line that heads those after it."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class Part:
    """A titled stretch of a letter. `table` lines keep their columns, others may be wrapped."""

    title: str
    lines: tuple[str, ...]
    table: bool = False
    kind: str = ""

    @property
    def folded(self) -> bool:
        """Whether the HTML shows the title alone until its reader opens it."""
        return self.kind in FOLDED


@cache
def environment() -> Environment:
    """The templates of letters and logs; those of a game are in ``templates/<key>``, or in the folder
    ``templates`` of its own package."""
    made = Environment(
        loader=ChoiceLoader([FileSystemLoader(templates()), FunctionLoader(_own_template)]),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        autoescape=lambda name: bool(name and name.endswith(".html.j2")),
    )
    made.filters |= {"ways": ways, "going": going, "rolls": rolls}
    return made


def _own_template(name: str) -> tuple[str, str, None] | None:
    key, _, file = name.partition("/")
    path = home(key) / "templates" / file
    return (
        (path.read_text(encoding="utf-8"), str(path), None) if key in playable() and path.is_file() else None
    )


@cache
def template(name: str) -> Template:
    return environment().get_template(name)


@cache
def _of_game(key: str, name: str) -> Template:
    """A template of a game; in it `at(hex)` is what the game calls a hex."""
    known = {"at": contract.game(key).report.place}
    try:
        return environment().get_template(f"{key}/{name}.txt.j2", globals=known)
    except TemplateNotFound as error:
        file = home(key) / "templates" / f"{name}.txt.j2"
        raise DataError(f"{key} has no template {name}.txt.j2; write it: {file}") from error


@cache
def has_template(key: str, name: str) -> bool:
    """Whether a game has this template."""
    try:
        environment().get_template(f"{key}/{name}.txt.j2")
    except TemplateNotFound:
        return False
    return True


@cache
def _macros(key: str) -> Any:
    return _of_game(key, "log").module


def ways(notes: Iterable[Mapping[str, Any]]) -> list[tuple[Sequence[str], str, str]]:
    """Movements as who went, from where and to where. Movements of the same units one after another that
    begin where the last one has ended are one."""
    told: list[tuple[Sequence[str], str, str]] = []
    for note in notes:
        names, path = note["names"], note["path"]
        if told and told[-1][0] == names and told[-1][2] == path[0]:
            told[-1] = (names, told[-1][1], path[-1])
        elif len(path) > 1:
            told.append((names, path[0], path[-1]))
    return told


def going(notes: Iterable[Mapping[str, Any]]) -> list[str]:
    """Movements in short, those that are alike counted: ``8/3 1518 > 2116``, ``2x 7-6 1221 > 1222``, ``4-1 at
    5434`` if it went no further than where it came in."""
    told = Counter(f"{', '.join(n['names'])} {way_in_short(n['path'])}" for n in notes)
    return [f"{times}x {way}" if times > 1 else way for way, times in told.items()]


def way_in_short(path: Sequence[str]) -> str:
    """The ends of a path: ``1518 > 2116``, ``at 5434`` of a single hex, ``1518 and back``."""
    if path[0] != path[-1]:
        return f"{path[0]} > {path[-1]}"
    return f"at {path[0]}" if len(path) == 1 else f"{path[0]} and back"


def rolls(notes: Iterable[Mapping[str, Any]]) -> str:
    """The numbers of the rolls of notes, in their order: ``R497 to R500, R503``."""
    spans: list[list[int]] = []
    for number in (note["roll"] for note in notes):
        if spans and number == spans[-1][-1] + 1:
            spans[-1][1:] = [number]
        else:
            spans.append([number])
    return ", ".join(" to ".join(f"R{each}" for each in span) for span in spans)


def worded(game: str, facts: Mapping[str, Any], seat: str) -> tuple[str, ...]:
    """One note of the log in words, as lines; the macro of the note's kind in the game's ``log.txt.j2``.
    Raises DataError where it has none."""
    macro = getattr(_macros(game), facts["kind"], None)
    if macro is None:
        raise DataError(f"log.txt.j2 of {game} has no macro {facts['kind']}")
    text = str(macro(facts, seat))
    return tuple(line.rstrip() for line in text.splitlines() if line.strip())


TAKEN, STARTS = "TookControl", ("Moved", "Retreated", "Exited")
"""The note of a hex that changes hands, and those whose path begins with the hex that is left."""

MOVE_WITHIN = 12
"""The move that took a hex is looked for in this many notes after that."""


def as_told(notes: Iterable[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """Notes in the order in which the log tells them: rules note a hex that changes hands as a unit comes
    through it, and its way only when it has ended. The way comes first."""
    told = list(notes)
    for facts in [each for each in told if each["kind"] == TAKEN]:
        at = next(at for at, each in enumerate(told) if each is facts)
        before = next((each for each in reversed(told[:at]) if each["kind"] != TAKEN), None)
        if before is not None and facts["hex"] in _went_through(before):
            continue
        for after in range(at + 1, min(len(told), at + 1 + MOVE_WITHIN)):
            if facts["hex"] in _went_through(told[after]):
                while after + 1 < len(told) and told[after + 1]["kind"] == TAKEN:
                    after += 1  # behind those that the same way has taken
                told.insert(after, told.pop(at))
                break
    return told


def _went_through(facts: Mapping[str, Any]) -> Sequence[str]:
    """The hexes into which a note tells that units went."""
    if "path" in facts:
        return [*facts["path"]][facts["kind"] in STARTS :]
    return [facts["hex"]] if facts["kind"] in ("Advanced", "Dropped") and "hex" in facts else []


def log_lines(game: str, notes: Iterable[Mapping[str, Any]], seat: str) -> tuple[str, ...]:
    """Notes in words, each with the number of its roll in front where one decided it."""
    return tuple(line for facts in as_told(notes) for line in _marked(facts, worded(game, facts, seat)))


def short_log(game: str, notes: Iterable[Mapping[str, Any]], seat: str, title: str) -> tuple[str, ...]:
    """The notes of a phase in short, as letters have them, below its `title` or what the game heads it with.

    The game's ``log.txt.j2`` may have a macro ``Kind_short`` for notes of a kind. Its macro `gathered` may
    name another macro, which joins a note with others of the phase: below the rest, above it if it is called
    `heading`, or where the first of them stands, below the entry that it may be in, if it is one of
    `IN_PLACE`. Such a macro writes the numbers of the rolls itself. So does one whose text begins with ``;``:
    that text continues the line above."""
    macros = _macros(game)
    lines: list[str] = []
    groups: dict[str, list[Mapping[str, Any]]] = {}
    begins: dict[str, int] = {}
    for facts in as_told(notes):
        group = str(macros.gathered(facts)).strip() if hasattr(macros, "gathered") else ""
        if group:
            groups.setdefault(group, []).append(facts)
            begins.setdefault(group, len(lines))
            continue
        macro = getattr(macros, f"{facts['kind']}_short", None)
        told = str(macro(facts, seat)).splitlines() if macro else list(worded(game, facts, seat))
        while lines and told and told[0].startswith(";"):
            lines[-1] += told.pop(0).rstrip()
        lines += _marked(facts, [line.removeprefix("; ") for line in told])
    heads: list[str] = []
    below: list[str] = []
    for name, group_ in reversed(groups.items()):  # from below, so that the places above stay right
        told = str(getattr(macros, name)(group_, seat)).splitlines()
        made = [line if ROLL.match(line) else f"{'':<5}{line}" for line in told if line.strip()]
        if name == "heading":
            heads = made
            continue
        if name not in IN_PLACE:
            below[:0] = made
            continue
        at = begins[name]
        while at < len(lines) and lines[at].startswith(WITHIN_ENTRY):
            at += 1
        lines[at:at] = made
    lines += below
    return (*map(Head, heads or [title]), *lines) if heads or lines else ()


IN_PLACE = ("moves", "fire")
"""Joined notes that stand in the order of events: a movement comes before the assault that it leads to."""

ROLL = re.compile(r"R\d+ ")
"""The number of a roll at the beginning of a line."""


def _marked(facts: Mapping[str, Any], lines: Iterable[str]) -> Iterator[str]:
    """The lines of a note that say anything, the number of its roll before the first."""
    mark = f"R{facts['roll']}" if facts.get("roll") else ""
    for line in lines:
        if line.strip():
            yield f"{mark:<5}{line.rstrip()}"
            mark = ""


def common_zone(table: Table) -> str:
    """The zone in which those read times who have none of their own, such as moderators: that of the game,
    or the one that all its players have."""
    zone = str(table.row.settings.get("zone", "UTC"))
    theirs = {row.zone for row in table.seats.values() if row.address}
    return theirs.pop() if zone == "UTC" and len(theirs) == 1 else zone


def local_time(moment: datetime, zone: str) -> str:
    """A time as its reader's clock shows it: ``Fri 20 Nov 21:00 Europe/Paris``. In the hour that comes twice
    when clocks are put back, it says which one is meant: ``Sun 25 Oct 02:30 (+01:00) Europe/Paris``."""
    return f"{clock_time(moment, zone)} {zone}"


def clock_time(moment: datetime, zone: str) -> str:
    """A time as in `local_time`, without the name of the zone."""
    local = moment.astimezone(ZoneInfo(zone))
    twice = local.replace(fold=0).utcoffset() != local.replace(fold=1).utcoffset()
    offset = f" ({local.isoformat()[-6:]})" if twice else ""
    return f"{local:%a} {local.day} {local:%b %H:%M}{offset}"


def due_words(moment: datetime, now: datetime, zone: str) -> str:
    """A deadline: ``Fri 20 Nov 21:00 Europe/Paris (in 2 d 5 h)``."""
    return f"{local_time(moment, zone)} ({left_words(moment - now)})"


def left_words(left: timedelta) -> str:
    """How much time is left: ``in 2 d 5 h``, ``in 40 min``."""
    minutes = int(left.total_seconds()) // 60
    if minutes <= 0:
        return "now"
    days, hours, rest = minutes // 1440, minutes // 60 % 24, minutes % 60
    if days:
        return f"in {days} d {hours} h" if hours else f"in {days} d"
    return (
        f"in {hours} h" if hours and not rest else f"in {hours} h {rest} min" if hours else f"in {rest} min"
    )


def who(table: Table, seat: str) -> str:
    """A seat as other players know it: ``German (Bernd)``, ``German (bot)``."""
    row = table.seats[seat]
    name = "bot" if row.bot and row.bot != SYSTEM else row.bot or row.name
    title = table.game.seat(seat).title
    return f"{title} ({name})" if name else title


def writer(table: Table, seat: str) -> str:
    """The person of a seat who writes, also where a bot plays it: ``German (Bernd)``."""
    row, title = table.seats[seat], table.game.seat(seat).title
    return f"{title} ({row.name})" if row.name else title


# --- the log of a game for one reader -----------------------------------------------------------------------


def log_of_phases(
    table: Table, seat: str, rows: Iterable[PhaseRow], running: Step | None
) -> tuple[Part, ...]:
    """The log of some phases as a reader may know it, a part for each phase that has anything to tell."""
    parts: list[Part] = []
    for row, _, facts in _told(seat, rows, running):
        if lines := log_lines(table.game.key, facts, seat):
            parts.append(Part(_title(table, row), lines, table=True))
    return tuple(parts)


def _title(table: Table, row: PhaseRow) -> str:
    """A phase in words, as it was when it began."""
    return phase_title(table.game, row.label, lambda: table.game.load(table.record.snapshot(row)))


def log_in_short(
    table: Table,
    seat: str,
    rows: Iterable[PhaseRow],
    running: Step | None,
    told: tuple[int, int] = (0, 0),
) -> tuple[Part, ...]:
    """The log of some phases as letters tell it: a part for each turn that has anything to tell. What a
    letter has `told`, the first notes of one phase, is only counted: LOG has it."""
    by_turn: dict[int, list[str]] = {}
    quiet: dict[int, list[str]] = {}
    for row, known, facts in _told(seat, rows, running, told):
        title = _title(table, row)
        where, _, phase = title.partition(", ")
        title = phase[:1].upper() + phase[1:] or where
        lines = short_log(table.game.key, facts, seat, title)
        old = short_log(table.game.key, known, seat, title)
        before = sum(not _heads(line) for line in old)
        if before and (lines or not row.ended):
            whole = short_log(table.game.key, [*known, *facts], seat, title)
            says = f"     {before} lines of this phase were in earlier letters."
            rest = (line for line in lines if not _heads(line))
            new = (*filter(_heads, whole), says, *_entry(old, whole), *rest)
            lines = new if before > TOLD_AGAIN else whole
        empty = row.ended and all(map(_heads, lines))
        if lines:
            (quiet if empty else by_turn).setdefault(row.turn, []).extend(lines)
    for turn, heads in quiet.items():
        named = "; ".join(" ".join(head.split()) for head in heads)
        by_turn.setdefault(turn, []).append(f"     No more than that: {named}")
    return tuple(
        Part(f"Turn {turn}" if turn else "Set-up", (*lines, f"LOG {turn} tells it step by step."), kind="log")
        for turn, lines in by_turn.items()
    )


def _entry(known: Sequence[str], whole: Sequence[str]) -> Iterator[str]:
    """The line below which the new lines of a `whole` go on if they begin in the midst of an entry, such as a
    combat; its first lines are `known`."""
    told, every = ([line for line in each if not _heads(line)] for each in (known, whole))
    same = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(told, every, strict=False)))
    if every[same : same + 1] and every[same].startswith(WITHIN_ENTRY):
        begun = [line for line in every[:same] if not line.startswith(WITHIN_ENTRY)]
        yield from (f"{line} (continued)" for line in begun[-1:])


WITHIN_ENTRY = " " * 7
"""What a line within an entry of the log begins with."""


def _heads(line: str) -> bool:
    return isinstance(line, Head)


def _told(
    seat: str, rows: Iterable[PhaseRow], running: Step | None, told: tuple[int, int] = (0, 0)
) -> Iterator[tuple[PhaseRow, list[dict[str, Any]], list[dict[str, Any]]]]:
    """Phases with the notes of each that a seat may read: those that a letter has `told`, and the others."""
    for row in rows:
        known = told[1] if row.number == told[0] else 0
        if row.ended:
            before, after = (
                told_once([note for note in notes if readable(note, seat)], seat)
                for notes in (row.notes[:known], row.notes[known:])
            )
            yield row, before, after
        elif running is not None and running.number == row.number:
            notes = running.notes
            yield row, visible_facts(notes[:known], seat), visible_facts(notes[known:], seat)


def visible_facts(notes: Iterable[Note], seat: str) -> list[dict[str, Any]]:
    """The notes a seat may read, as plain values."""
    return told_once([note.facts() for note in visible(notes, seat)], seat)


def told_once(facts: Sequence[dict[str, Any]], seat: str) -> list[dict[str, Any]]:
    """Return the notes for a reader. The umpire may read all; of notes written differently for each side it
    gets the fullest."""
    if seat != UMPIRE:
        return list(facts)
    groups: list[list[dict[str, Any]]] = []
    for note in facts:
        if groups and _is_for_another(groups[-1], note):
            groups[-1].append(note)
        else:
            groups.append([note])
    return [max(group, key=lambda note: len(repr(note))) for group in groups]


def _is_for_another(group: Sequence[Mapping[str, Any]], note: Mapping[str, Any]) -> bool:
    """Whether a note tells what those before it tell, to readers none of whom may read these: it has the
    kind, the case and the roll in common with them, and something else."""
    first, frame = group[0], ("kind", "case", "roll")
    if any(note[name] != first[name] for name in frame) or not note["readers"]:
        return False
    if any(not each["readers"] or set(note["readers"]) & set(each["readers"]) for each in group):
        return False
    return any(
        value and value == first[name] for name, value in note.items() if name not in (*frame, "readers")
    )


def readable(facts: Mapping[str, Any], seat: str) -> bool:
    """Whether a stored note may be read by a seat."""
    return not facts["readers"] or seat in facts["readers"] or seat == UMPIRE


def forces(game: Game[Any], view: View) -> list[Part]:
    """The parts that list what a seat has and knows, from the game's ``forces.txt.j2``."""
    return blocks(game.key, "forces", view=view)


def changed_forces(game: Game[Any], view: View, before: View, *, orders: bool) -> list[Part]:
    """What a letter in the midst of a game lists: of units, what has changed since its reader's last letter
    but for their places, which the log tells, and what it could not have had, in short. Those that may be
    ordered now are listed in full if the letter asks for `orders`."""
    had = forces(game, before)
    known = {line for part in had for line in part.lines}
    described = {_where_not(each) for part in had for line in part.lines for each in _row(line, part.kind)[1]}
    parts: list[Part] = []
    changed: list[str] = []
    quiet: list[str] = []
    for part in forces(game, view):
        lines = [line for line in part.lines if line not in known]
        if part.kind == "" and not orders and not lines:
            quiet.append(part.title)
        elif part.kind in ("", "acting" if orders else ""):
            parts.append(part)
        elif part.kind == "score":
            parts.append(replace(part, lines=_figures(part.lines, known), table=False))
        elif part.kind != "marks" and lines:
            rows = [
                (place, [each for each in units if _where_not(each) not in described])
                for place, units in (_row(line, part.kind) for line in lines)
            ]
            told = [
                (place, (", " if place.endswith(":") else " + ").join(new))
                for place, new in rows
                if place and new
            ]
            plain = [f"  {_added(new[0], known)}" for place, new in rows if new and not place]
            if told or plain:
                changed += [*_listed(part.title.replace(": ", ", "), told), *plain]
    if changed:
        changed += [f"As before: {'; '.join(quiet)}"] if quiet else []
        parts.append(Part("Changed since your last letter", (*changed, FULL_LISTS), kind="changed"))
    return parts


def _listed(title: str, told: Sequence[tuple[str, str]]) -> Iterator[str]:
    """What is at some places below a title: a few on its line, more on a line each."""
    few = len(told) <= FEW_PLACES
    yield f"{title}: {'; '.join(map(' '.join, told)) if few else ''}".rstrip()
    yield from (
        () if few else (f"  {place}{' ' * (1 if place.endswith(':') else 2)}{units}" for place, units in told)
    )


FEW_PLACES = 2


def _figures(lines: Sequence[str], known: Collection[str]) -> tuple[str, ...]:
    """The figures of victory that a letter had not told yet, and always their sum, the line ``Result``."""
    new = [" ".join(line.split()) for line in lines if line not in known or line.startswith("Result ")]
    rest = len(lines) - len(new)
    return ("; ".join([*new, *([f"{count(rest, 'other figure')} as before (FORCES)"] if rest else [])]),)


def _added(line: str, known: Iterable[str]) -> str:
    """A line ``Who: A, B, C`` as what it has more than the one line ``Who: A, B`` that was known."""
    who, colon, names = line.partition(": ")
    had = [each for each in known if each.startswith(who + colon)]
    if not colon or len(had) != 1:
        return line
    old = had[0].removeprefix(who + colon).split(", ")
    new = [each for each in names.split(", ") if each not in old]
    return f"{who}: {', '.join(new)}" if new and len(new) + len(old) == len(names.split(", ")) else line


STACK = re.compile(r"\s*([^:]+:) ([^;:]+)")
"""A line of a list of units: the hex or formation, and its units: ``Caen (1409): 4AD/US 3-7-5/6, BR2 HQ``."""

IN_HEX = re.compile(r" in (?:[^,()]+ \()?\d{4}\)?")
"""Where a unit of such a list is."""


def _where_not(unit: str) -> str:
    """What a list says of a unit but for its place."""
    return IN_HEX.sub("", unit, count=1)


def _row(line: str, kind: str) -> tuple[str, list[str]]:
    """The row of a table or list of units as the place and who is there; of any other line no place and the
    line. `kind` is what its part is about."""
    if kind in ("acting", "own", "enemy") and (stack := STACK.fullmatch(line)):
        return stack[1], stack[2].split(", ")
    *place, units = re.split(" {2,}", line.strip())
    return (" ".join(place), units.split(" + ")) if place else ("", [line])


FULL_LISTS = "FORCES and ENEMY send the full lists."


def blocks(key: str, name: str, **known: Any) -> list[Part]:
    """A template of a game that holds blocks of a title line, ``## Title`` or ``## kind: Title``, and its
    lines; `known` is what it can speak of."""
    text = _of_game(key, name).render(**known)
    parts: list[Part] = []
    for block in text.split("\n## "):
        head, _, rest = block.strip().removeprefix("## ").partition("\n")
        lines = tuple(line.rstrip() for line in rest.splitlines())
        kind, colon, title = head.partition(": ")
        if not colon or kind not in KINDS:
            kind, title = "", head
        if title and any(lines):
            parts.append(Part(title.strip(), lines, table=True, kind=kind))
    return parts


def ended_by(table: Table) -> list[str]:
    """Who has ended the game before its rules did, and why; nothing if they have."""
    row = table.record.ending
    if row is None:
        return []
    why = row.answer["why"]
    return [f"Ended by the {'host' if row.by == 'host' else 'moderator'}{f': {why}' if why else '.'}"]


def result_part(table: Table, step: Step) -> Part:
    """How a game has ended, with the figures that decided it."""
    result = step.result(table.game)
    lines = [f"{what:<40} {value:>8}  [{case}]" for what, value, case in result.figures]
    lines += ended_by(table)
    return Part(f"Result: {result.level}", tuple(lines), table=True)
