"""The page of an order desk: a form as one HTML file that opens from disk and needs no network. Its script
(templates/orderdesk/orderdesk.js) writes the letter; this module packs the data that the script reads.

Orders that differ only in their hex are one group: its text with a sign in place of the hex, and the set of
hexes. Costs are numbers in a table, a way is the hex before, and each line of words is in the page once.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache
from typing import Any

from markupsafe import Markup

from pbem.engine.board import Counter
from pbem.engine.offer import Offer
from pbem.render.orderdesk.form import Choice, Form, Kept, Part, Question, Verb
from pbem.render.web import OnPage, as_json, environment, policy, script_of
from pbem.render.web.shell import BOOT, packed

HERE = "\N{BULLET}"
"""Stands for the hex of a choice in the text of its group."""

ACTOR = "\N{DEGREE SIGN}"
"""Stands for the unit of a group with one unit, in the words about its choices."""

NONE = 4095
"""A number that is no hex of any map."""

NO_LIMIT = -1000
"""The room of a hex without a limit."""

COLUMN = re.compile(r"\d+[-:]\d+")
"""Odds as a map shows them."""


def html(form: Form) -> str:
    """Return the page of a form: the same bytes for the same form."""
    return _DeskPage(form).html()


@dataclass(slots=True)
class _Group:
    """Orders that differ in their hex alone: of each the hex, cost, way, words and odds."""

    verb: int
    units: list[Any]
    subject: Any
    text: str
    hexes: list[int] = field(default_factory=list)
    costs: list[int] = field(default_factory=list)
    ways: list[tuple[int, ...]] = field(default_factory=list)
    told: list[int] = field(default_factory=list)
    columns: list[int] = field(default_factory=list)


class _DeskPage:
    def __init__(self, form: Form) -> None:
        self.form = form
        self.on = OnPage(form.board)
        self.hexes = self.on.hexes
        self.units = {unit.id: at for at, unit in enumerate(form.units)}
        self.words: dict[str, int] = {"": 0}
        self.says: dict[tuple[int, ...], int] = {(): 0}
        self.figures: dict[str, int] = {"": 0}
        self.sets: dict[str, int] = {}
        self.verbs: dict[Verb, int] = {}
        self.groups: dict[str, int] = {}

    def html(self) -> str:
        data = self._data()
        script = script_of("orderdesk/orderdesk.js")
        return (
            environment("orderdesk")
            .get_template("page.html.j2")
            .render(
                form=self.form,
                policy=policy(BOOT, script, form="mailto:"),
                style=self.on.style("orderdesk/orderdesk.css", [self.form.side]),
                boot=Markup(BOOT),
                script=Markup(script),
                data=as_json(data),
                **self.on.drawing(),
            )
        )

    def _data(self) -> dict[str, Any]:
        form = self.form
        told = {
            "game": form.game,
            "seat": form.seat,
            "sides": [form.side],
            "seats": {form.seat: [form.reader, form.side]},
            "turn": form.turn,
            "to": form.to,
            "subject": form.subject,
            "beside": form.beside,
            "units": [[unit.id, unit.kind, self.hexes.get(unit.hex, -1), unit.name] for unit in form.units],
            "stacks": self._stacks(),
            "borders": self._borders(),
            "marks": [self.on.mark(each) for each in form.board.marks],
            "names": {self.hexes[hex]: text for hex, text in self._names().items()},
            "parts": [self._part(part) for part in form.parts],
            "kept": [self._kept(line) for line in form.kept],
            "questions": [self._question(each) for each in form.questions],
            "standing": form.standing,
            "policies": [[each.usage, each.example, each.help, each.case] for each in form.policies],
            "press": form.press,
        }
        told |= {
            "verbs": [self._verb(each) for each in self.verbs],
            "told": list(self.words),
            "says": [list(each) for each in self.says],
            "figures": list(self.figures),
            "sets": list(self.sets),
            "groups": [json.loads(each) for each in self.groups],
            **self.on.data(),
        }
        # A draft that the browser has kept belongs to this page alone.
        plain = json.dumps(told, sort_keys=True, ensure_ascii=False)
        told["edition"] = hashlib.sha256(plain.encode()).hexdigest()[:12]
        return told

    # --- the map ---

    def _names(self) -> dict[str, str]:
        map = self.on.map
        return {hex: ", ".join(names) for hex in map.grid.ids if (names := map.names(hex))}

    def _stacks(self) -> list[list[int]]:
        """Each hex with its counters, the uppermost first: the number of each, and which unit it is."""
        found: dict[int, list[int]] = {}
        for counter in self.form.board.counters:
            if counter.hex in self.hexes:
                there = found.setdefault(self.hexes[counter.hex], [])
                there += [self.on.shown(counter), self._unit_of(counter)]
        return [[hex, *there] for hex, there in found.items()]

    def _unit_of(self, counter: Counter) -> int:
        return self.units.get(counter.unit, -1)

    def _borders(self) -> list[list[str]]:
        """The borders of each kind: its colours, and the two hexes of each."""
        found: dict[tuple[str, str], list[int]] = {}
        for border in self.form.board.borders:
            found.setdefault((border.colours, border.kind), []).extend(
                map(self.hexes.__getitem__, border.hexes)
            )
        return [[colours, kind, packed(hexes)] for (colours, kind), hexes in found.items()]

    # --- sections and their orders ---

    def _part(self, part: Part) -> dict[str, Any]:
        told: dict[str, Any] = {
            "key": part.key,
            "title": part.title,
            "asked": int(part.asked),
            "known": int(part.known),
            "state": part.state,
            "left": self._all(part.left),
            "demand": part.demand,
            "cut": int(part.cut),
            "verbs": [self.verbs.setdefault(verb, len(self.verbs)) for verb in part.verbs],
        }
        by_verb = {verb.verb: self.verbs[verb] for verb in part.verbs}
        told["groups"] = self._groups(part.choices, by_verb)
        if part.heads:
            told["heads"] = [
                {
                    "text": head.text,
                    "left": self._all(head.left),
                    "groups": self._groups(head.choices, by_verb),
                }
                for head in part.heads
            ]
        if part.room:
            told["room"] = self._room(part)
            told["sizes"] = {self.units[unit]: n for unit, n in part.sizes.items() if unit in self.units}
        return told

    def _room(self, part: Part) -> list[Any]:
        """What most hexes hold, and what the others do; -1000 for what has no limit."""
        held = {hex: NO_LIMIT if left is None else left for hex, left in part.room.items()}
        usual = max(held.values(), key=list(held.values()).count)
        others: dict[int, list[int]] = {}
        for hex, left in held.items():
            if left != usual:
                others.setdefault(left, []).append(self.hexes[hex])
        return [usual, {left: packed(hexes) for left, hexes in others.items()}]

    def _all(self, names: Iterable[str]) -> list[Any]:
        return [self.units.get(name, name) for name in names]

    def _groups(self, choices: Sequence[Choice], verbs: dict[str, int]) -> list[int]:
        groups: dict[tuple[Any, ...], _Group] = {}
        seen: set[str] = set()
        for choice in choices:
            if choice.text in seen:
                continue
            seen.add(choice.text)
            offer = choice.offer
            text, hex = _cut(choice.text, offer.end) if offer.end in self.hexes else (choice.text, "")
            key = (text, choice.units, *(() if hex else (offer.end,)))
            group = groups.get(key)
            if group is None:
                units = self._all(choice.units)
                group = groups[key] = _Group(verbs.get(choice.verb, -1), units, choice.subject, text)
            group.hexes.append(self.hexes.get(offer.end, NONE))
            group.costs.append(self._price(offer))
            group.ways.append(tuple(self.hexes[each] for each in offer.way if each in self.hexes))
            group.told.append(self._says(choice) if offer.told else 0)
            group.columns.append(self._column(offer) if offer.odds else 0)
        return [self._shared(self._group(group)) for group in groups.values()]

    def _shared(self, group: dict[str, Any]) -> int:
        """The number of a group; the same may be ordered below several heads."""
        return self.groups.setdefault(json.dumps(group, ensure_ascii=False), len(self.groups))

    def _price(self, offer: Offer) -> int:
        """The number of a cost, with the points there are for it, among the figures of the page."""
        if offer.cost is None:
            return 0
        of = "" if offer.of is None else points(offer.of)
        return self.figures.setdefault(f"{points(offer.cost)}|{of}", len(self.figures))

    def _column(self, offer: Offer) -> int:
        """The number of the odds that a map shows for a choice."""
        found = next((m[0] for odds in offer.odds if (m := COLUMN.fullmatch(odds.column))), "")
        return self.figures.setdefault(found, len(self.figures))

    def _says(self, choice: Choice) -> int:
        """The number of the words about a choice. Signs replace its hex and its unit, so that choices with
        the same words share one entry."""
        lines, end = [], choice.offer.end
        for line in choice.offer.told:
            said = _hex(end).sub(HERE, line) if end and end in line else line
            if len(choice.units) == 1:
                said = said.replace(choice.units[0], ACTOR)
            lines.append(self.words.setdefault(said, len(self.words)))
        return self.says.setdefault(tuple(lines), len(self.says))

    def _group(self, group: _Group) -> dict[str, Any]:
        told: dict[str, Any] = {"v": group.verb, "u": group.units, "t": group.text}
        subject = self.units.get(group.subject, group.subject)
        if subject not in group.units:
            told["s"] = subject
        if group.hexes != [NONE]:
            signs = packed(group.hexes)
            told["h"] = self.sets.setdefault(signs, len(self.sets))
        if any(group.costs):
            told["c"] = packed(group.costs)
        if any(group.ways):
            told["p"], odd = _ways(group)
            if odd:
                told["q"] = odd
        if any(group.told):
            told["w"] = group.told[0] if len(set(group.told)) == 1 else packed(group.told)
        if any(group.columns):
            told["o"] = packed(group.columns)
        return told

    def _verb(self, verb: Verb) -> list[Any]:
        return [
            verb.verb, verb.usage, verb.example, verb.help, verb.case, verb.sort, verb.again,
            list(verb.excludes), list(verb.bars),
        ]  # fmt: skip

    def _kept(self, line: Kept) -> list[Any]:
        ends = self.hexes.get(line.end, -1)
        targets = [self.hexes[hex] for hex in line.targets if hex in self.hexes]
        return [
            line.name, line.section, line.text, line.state, line.why, line.verb, self._all(line.units),
            targets, ends,
        ]  # fmt: skip

    def _question(self, question: Question) -> list[Any]:
        options = [list(option) for option in question.options]
        return [question.name, question.what, question.case, question.intro, options, question.chosen]


@cache
def points(number: Fraction) -> str:
    """Movement points as a map shows them: ``2``, ``2 1/2``."""
    whole, rest = divmod(number, 1)
    return " ".join(filter(None, (str(whole) if whole or not rest else "", str(rest) if rest else "")))


@cache
def _hex(hex: str) -> re.Pattern[str]:
    """A hex in a line, as a word of its own."""
    return re.compile(rf"(?<!\w){re.escape(hex)}(?!\w)")


def _cut(text: str, hex: str) -> tuple[str, str]:
    """A line with a sign in place of a hex that stands in it once, and the hex; the line itself and "" if it
    does not."""
    if not hex or HERE in text or len(_hex(hex).findall(text)) != 1:
        return text, ""
    return _hex(hex).sub(HERE, text), hex


def _ways(group: _Group) -> tuple[str, dict[int, str]]:
    """The ways of a group: of each hex the one before, whose own way is the rest; and of those that do not
    go on from one of the group as much as no other has."""
    whole = {way[-1]: way for way in group.ways if way}
    before, odd = [], {}
    for hex, way in zip(group.hexes, group.ways, strict=True):
        if len(way) < 2 or hex != way[-1]:
            before.append(NONE)
        elif len(way) == 2 or whole.get(way[-2]) == way[:-1]:
            before.append(way[-2])
        else:
            before.append(NONE)
            joins = (at for at in range(len(way) - 2, 0, -1) if whole.get(way[at]) == way[: at + 1])
            odd[hex] = packed(way[next(joins, 0) :])
    return packed(before), odd
