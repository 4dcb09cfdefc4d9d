"""The page: a story as one HTML file that opens from disk, asks for nothing from the network, and can be read
without its script.

The log is the document. Each step is a list entry with an address of its own; the script steps through these
entries, moves the counters and computes the dice again from the data beside them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from html import escape, unescape
from itertools import groupby
from typing import Any

from markupsafe import Markup

from pbem.engine.board import Battle, Border, Counter
from pbem.render.luck import COLUMNS, SCALE, Course, Report, panels
from pbem.render.palette import FACES
from pbem.render.pieces import as_seen
from pbem.render.replay.charts import charts
from pbem.render.replay.story import Die, Order, Step, Story, Track, without
from pbem.render.web import OnPage, as_json, drawn, environment, policy, script_of
from pbem.render.web.shell import BOOT

CASE = re.compile(r" *\[([^\[\]]*\d[^\[\]]*|[A-Z]{2,5}(?:\.[A-Z0-9]+)*)\]")


def html(story: Story, luck: Report) -> str:
    """Return the page of a story, with a report on its dice. Its proof is empty: `with_proof` puts it in."""
    return _ReplayPage(story).html(luck)


NO_PROOF = '<pre id="proof" hidden></pre>'
_PROOF = re.compile(r'<pre id="proof" hidden>([^<]*)</pre>')


def with_proof(page: str, lines: Sequence[str]) -> str:
    """Return a page with the lines that prove its dice."""
    told = escape("\n".join(lines))
    return page.replace(NO_PROOF, f'<pre id="proof" hidden>{told}</pre>', 1)


def proof_in(page: str) -> tuple[str, list[str]]:
    """Return a page without its proof, and the lines of this. Raises ValueError for what is no page of
    ours."""
    found = _PROOF.search(page)
    if found is None:
        raise ValueError("it holds no proof")
    return _PROOF.sub(NO_PROOF, page, count=1), unescape(found[1]).split("\n")


@dataclass(frozen=True, slots=True)
class Entry:
    """A step in the log. `head` is its first line, `lines` are the others, `said` is what its dice came to,
    `kind` one of fight, move, dice, other, ruling."""

    id: str
    kind: str
    side: str
    name: str
    head: str
    said: str
    lines: tuple[str, ...]
    orders: tuple[tuple[str, Order], ...]


@dataclass(frozen=True, slots=True)
class Phase:
    """A phase of the log."""

    id: str
    title: str
    entries: tuple[Entry, ...]
    orders: tuple[Order, ...]


@dataclass(frozen=True, slots=True)
class Turn:
    """A turn of the log, with the map as it was when the turn began."""

    number: int
    label: str
    still: Markup
    stands: str
    phases: tuple[Phase, ...]


class _ReplayPage:
    def __init__(self, story: Story) -> None:
        self.story = story
        self.on = OnPage(story.board)
        self.map = story.board.map
        self.hexes = self.on.hexes
        self.main = story.tracks[0]
        self.sides = {player.seat: player.side for player in story.players}
        self.fronts: dict[tuple[Border, ...], int] = {}
        self.ids = tuple(self._ids(self.main))

    def html(self, luck: Report) -> str:
        story = self.story
        data = as_json(self._data())
        turns = tuple(self._turns())
        script = script_of("replay/replay.js")
        return (
            environment("replay")
            .get_template("page.html.j2")
            .render(
                story=story,
                policy=policy(BOOT, script),
                style=self.on.style("replay/replay.css", self.sides.values()),
                boot=Markup(BOOT),
                script=Markup(script),
                data=data,
                turns=turns,
                steps=len(self.main.steps),
                charts=tuple(charts(story)),
                luck=luck,
                panels=[(course, Markup(panel)) for course, panel in self._panels(luck)],
                scale=SCALE,
                columns=COLUMNS,
                tables=[(by, tuple(rows)) for by, rows in groupby(luck.rows, lambda row: row.by)],
                sides=[(player, FACES.get(player.side, FACES["neutral"])) for player in story.players],
                cases=self._cases,
                readers=[(track.reader, self._title(track.reader)) for track in story.tracks],
                **self.on.drawing(),
            )
        )

    def _panels(self, luck: Report) -> Iterator[tuple[Course, str]]:
        """How the dice of each side ran, in colours that are CSS variables."""
        return panels(luck.courses, drawn.VARIABLES, drawn.colour_of)

    def _title(self, reader: str) -> str:
        return next((each.title for each in self.story.players if each.seat == reader), "Umpire")

    # --- the log ------------------------------------------------------------------------------------------

    def _ids(self, track: Track) -> Iterator[str]:
        """The address of each step: its turn and its first roll, or its place in the turn."""
        turn, place = 0, 0
        for step in track.steps:
            now = self.story.chapters[step.chapter].turn
            turn, place = (turn, place + 1) if now == turn else (now, 1)
            yield f"t{turn}-r{step.roll}" if step.roll else f"t{turn}-m{place}"

    def _turns(self) -> Iterator[Turn]:
        chapters = self.story.chapters
        stacks: dict[str, tuple[Counter, ...]] = {}
        number, still, stands = 0, Markup(""), ""
        phases: list[Phase] = []
        per_turn: dict[int, int] = {}
        grouped: dict[int, list[int]] = {}
        for at, step in enumerate(self.main.steps):
            grouped.setdefault(step.chapter, []).append(at)
        for place, chapter in enumerate(chapters):
            steps = grouped.get(place, [])
            if chapter.turn != number:
                if phases:
                    yield Turn(number, self._label(number), still, stands, tuple(phases))
                number, phases = chapter.turn, []
                still, stands = self._still(stacks), self._stands(stacks)
            per_turn[number] = per_turn.get(number, 0) + 1
            entries = tuple(self._entry(at) for at in steps)
            told = [order for entry in entries for _, order in entry.orders]
            for at in steps:
                for hex, there in self.main.steps[at].stacks.items():
                    stacks[hex] = there
            left = tuple(without(chapter.orders, told))
            if entries or left:
                title = chapter.title.partition(", ")[2] or chapter.title
                phases.append(Phase(f"t{number}-p{per_turn[number]}", title, entries, left))
        if phases:
            yield Turn(number, self._label(number), still, stands, tuple(phases))

    def _label(self, turn: int) -> str:
        """When a turn was."""
        return next((each.day for each in self.story.chapters if each.turn == turn and each.day), "")

    def _entry(self, at: int) -> Entry:
        step = self.main.steps[at]
        head = step.lines[0] if step.lines else next((order.text for order in step.orders), "")
        head = head or f"{self.story.chapters[step.chapter].title}: the position changes"
        head = CASE.sub("", re.sub(r"^R\d+ *", "", head)).strip()
        return Entry(
            self.ids[at],
            kind_of(step),
            self._side(step),
            f"R{step.roll}" if step.roll else "",
            head,
            said([self.story.dice[number] for number in step.rolls]),
            tuple(step.lines),
            tuple((self.sides.get(order.seat, ""), order) for order in step.orders),
        )

    def _side(self, step: Step) -> str:
        return self.sides.get(step.orders[0].seat, "") if step.orders else ""

    def _still(self, stacks: Mapping[str, tuple[Counter, ...]]) -> Markup:
        """The counters of a position, for readers without the script and for print."""
        told = []
        for hex, there in stacks.items():
            if not there:
                continue
            x, y = drawn.center(self.map, hex)
            place = f"{round(x)} {round(y)}"
            told.append(f'<use href="#k{self.on.look(there[0])}" transform="translate({place})scale(.66)"/>')
            if len(there) > 1:
                told.append(f'<text x="{round(x) + 14}" y="{round(y) + 4}">{len(there)}</text>')
        return Markup("".join(told))

    def _stands(self, stacks: Mapping[str, tuple[Counter, ...]]) -> str:
        return "; ".join(
            f"{hex} {', '.join(self._named(each) for each in there)}"
            for hex, there in sorted(stacks.items())
            if there
        )

    def _named(self, counter: Counter) -> str:
        seen = as_seen(counter)
        return seen.name or seen.figures or "unknown"

    @cached_property
    def _cases(self) -> list[tuple[str, str]]:
        """The cases that the log names, with their titles."""
        text = "\n".join(line for step in self.main.steps for line in step.lines)
        named = dict.fromkeys(match[1] for match in CASE.finditer(text))
        titles = self.story.titles
        return sorted((case, titles[case]) for case in named if case in titles)

    # --- data for the script ------------------------------------------------------------------------------

    def _data(self) -> dict[str, Any]:
        story = self.story
        steps = [self._step(step) for step in self.main.steps]
        first: dict[int, int] = {}
        for at, step in enumerate(self.main.steps):
            first.setdefault(step.chapter, at)
        chapters, follows = [], len(steps)
        for place in range(len(story.chapters) - 1, -1, -1):
            follows = first.get(place, follows)
            chapter = story.chapters[place]
            chapters.append([follows, chapter.turn, chapter.title])
        chapters.reverse()
        dice = {number: self._die(die) for number, die in story.dice.items()}
        tracks = [self._track(track) for track in story.tracks[1:]]
        borders, fronts = self._fronts()
        return {
            "game": story.game,
            "sides": list(dict.fromkeys(self.sides.values())),
            "seats": {player.seat: [player.title, player.side] for player in story.players},
            "ids": list(self.ids),
            "chapters": chapters,
            "steps": steps,
            "tracks": tracks,
            "borders": borders,
            "fronts": fronts,
            "dice": dice,
            "cases": dict(self._cases),
            **self.on.data(),
        }

    def _step(self, step: Step) -> list[Any]:
        hexes = self.hexes
        stacks: list[int] = []
        for hex, there in step.stacks.items():
            if hex in hexes:
                stacks += [hexes[hex], len(there), *map(self.on.shown, there)]
        return [
            step.chapter,
            "fmdor"[("fight", "move", "dice", "other", "ruling").index(kind_of(step))],
            stacks,
            [self.on.arrow(each) for each in step.arrows],
            [self._battle(each) for each in step.battles],
            [self.on.mark(each) for each in step.signs],
            None if step.marks is None else [self.on.mark(each) for each in step.marks],
            None if step.borders is None else self.fronts.setdefault(step.borders, len(self.fronts)),
            None if step.supply is None else [self.on.arrow(each) for each in step.supply],
            list(step.rolls),
        ]

    def _battle(self, battle: Battle) -> list[Any]:
        where = [self.hexes[hex] for hex in (battle.hex, *battle.attackers) if hex in self.hexes]
        return [battle.label, *where]

    def _fronts(self) -> tuple[list[list[Any]], list[list[int]]]:
        """Every border that is ever drawn, and of each set of borders which of them it has or lacks otherwise
        than the set before."""
        every: dict[Border, int] = {}
        before: set[int] = set()
        changes: list[list[int]] = []
        for borders in self.fronts:
            now = {every.setdefault(each, len(every)) for each in borders}
            changes.append(sorted(now ^ before))
            before = now
        return [self.on.border(each) for each in every], changes

    def _die(self, die: Die) -> list[Any]:
        chances, sums = [list(each) for each in die.chances], [list(each) for each in die.modifiers]
        return [die.fell, chances, sums, die.cell, die.result, die.set_by]

    def _track(self, track: Track) -> dict[str, Any]:
        """What another reader saw, as differences: 0 where he saw nothing, 1 where the same, else the lines
        and the changes as he saw them."""
        mine = {step.serial: step for step in track.steps}
        told: list[Any] = []
        for step in self.main.steps:
            other = mine.get(step.serial)
            if other is None:
                told.append(0)
            elif _same(step, other):
                told.append(1)
            else:
                lines = [] if other.lines == step.lines else list(other.lines)
                told.append([lines, self._step(other)])
        return {"reader": track.reader, "title": self._title(track.reader), "steps": told}


def _same(step: Step, other: Step) -> bool:
    """Whether two readers saw the same of a step; orders apart."""
    return replace(step, orders=(), serial=0) == replace(other, orders=(), serial=0)


def kind_of(step: Step) -> str:
    """What a step is, to filter by."""
    if step.ruling:
        return "ruling"
    if step.battles or any(mark.kind == "lost" for mark in step.signs):
        return "fight"
    if step.arrows:
        return "move"
    return "dice" if step.rolls else "other"


def said(dice: Sequence[Die]) -> str:
    """What the dice of a step came to, in two or three words each."""
    told: list[str] = []
    result = ""
    for die in dice[:2]:
        fell = ", ".join(map(str, die.faces))
        if fell == result:  # what was drawn is what the die before has led to
            continue
        result = die.result
        named = f"drawn {fell}" if die.dice.startswith("draw ") else f"die {fell}"
        told.append(named + (f": {die.result}" if die.result not in ("", fell) else ""))
    return "; ".join(told) + ("; …" if len(dice) > 2 else "")
