"""The order reference that HELP mails, and the empty order letter: both made from a game's declarations."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from textwrap import wrap
from typing import Any

from pbem.engine.commands import COMMANDS, Form
from pbem.engine.orders import Condition, Grammar, Order, Policy, Roster
from pbem.engine.play import Orders

WIDTH = 78
_HOW = (
    "Write one order to a line. Capitals do not matter, and you may shorten words as long as they stay clear.",
    "A heading such as [movement] says where the lines below it belong. Comments begin with ; or # or //.",
    "Your lines are a draft until you write DONE under them: DONE alone closes the section it stands in, DONE ALL every section with lines, "
    "NO ORDERS a section without any.",
    "Each line you send is kept under a name: L1, L2. L9: <order> takes the place of L9, WITHDRAW L9 takes it off. Questions are Q1, Q2: "
    "answer them with Q1: a.",
    "Name units by any clear part of their names: {units}.",
    "try <order>: passes over the order if it cannot be carried out. <order>; then <order>: the next one on the same line.",
)
_DRAWN = "when <section>: <order>; <order>: orders for a section whose turn chance decides; the same as its heading with these lines below it."
_CONDITIONAL = "if <condition> [and <condition>], <order>, else <order>. Without else, the unit stays. if not asks for the opposite."


@dataclass(frozen=True)
class Examples:
    """Examples of what `seat` can write: orders that are legal now where it is `asked` for orders, else those
    that come with the game, if they are about units that its `roster` has. Without a roster, all of them."""

    grammar: Grammar
    seat: str = ""
    roster: Roster | None = None
    asked: Orders[Any] | None = None

    def now(self, kind: type[Order], section: str = "") -> str:
        """A legal order of this kind; "" if there is none now, or another section is open."""
        if self.asked is None or (section and section != self.asked.section):
            return ""
        order = self._legal.get(kind)
        return self.grammar.write(order) if order is not None else ""

    def written(self, kind: type[Order | Condition | Policy]) -> str:
        """The example that comes with the game; "" if it is about units that are not this seat's here."""
        found = kind.examples.get(self.seat, kind.example)
        given = (found,) if isinstance(found, str) else found
        return next((example for example in given if self._fits(kind, example)), "")

    @cached_property
    def _legal(self) -> Mapping[type[Order], Order]:
        return self.asked.samples() if self.asked is not None else {}

    def _fits(self, kind: type[Order | Condition | Policy], example: str) -> bool:
        if self.roster is None:
            return True
        if issubclass(kind, Condition):
            orders = (self.grammar.write(order) for order in self._legal.values())
            example = f"{example}, {next(orders, 'pause')}"
        reading = self.grammar.read([(1, example)], self.roster)
        actors = [unit for line in reading.orders for unit in line.order.actors()]
        for line in reading.standing:
            units = getattr(line.policy, "units", ())
            actors += units if isinstance(units, tuple) else ()  # `units` may be a number of them
        found = reading.orders or reading.standing
        return bool(found) and not reading.faults and all(self._own(unit) for unit in actors)

    def _own(self, name: str) -> bool:
        unit = self.roster.units.get(name) if self.roster else None
        return unit is not None and not unit.enemy and not unit.gone

    def units(self) -> str:
        """How units may be named, by two that the seat has."""
        units = self.roster.units.values() if self.roster else ()
        own = [unit for unit in units if not unit.enemy and not unit.gone and not unit.absent]
        own.sort(key=lambda unit: (not unit.here, unit.hex is None))
        one, other = ([unit.id for unit in own] + ["<unit>", "<unit>"])[:2]
        hex = own[0].hex if own and own[0].hex else "<hex>"
        return f"{one}; {one} + {other} for several, all at {hex} for a stack"


def reference(grammar: Grammar, topic: str | None, examples: Examples) -> str:
    """All of the reference, or the entries that `topic` names (verb, section, condition, standing order,
    command): what the seat of `examples` may write. A topic that is not known is said to be so, with the
    topics there are."""
    seat = examples.seat
    if seat:
        grammar = _for_seat(grammar, seat)
    if topic and topic.strip():
        return _about(grammar, " ".join(topic.lower().split()).removeprefix("standing "), examples)
    how_to = (*_HOW, _DRAWN) if grammar.titles else _HOW
    parts = [
        "HOW TO WRITE ORDERS",
        *(line for how in how_to for line in wrap(how.format(units=examples.units()), WIDTH)),
    ]
    for titles, orders in _sections(grammar):
        heading = wrap(", ".join(grammar.heading(title) for title in titles), WIDTH)
        parts += ["", *(heading or ["ORDERS"]), *_entries(orders, examples)]
    if grammar.conditions:
        parts += ["", "CONDITIONS", *wrap(_CONDITIONAL, WIDTH), *_entries(grammar.conditions, examples)]
    if grammar.policies:
        parts += [
            "",
            "[standing]",
            *_entries(grammar.policies, examples),
            "  standing clear [<kind>]",
            "    forget them",
        ]
    if grammar.words:
        parts += ["", "WORDS", *(f"  <{name}>: {', '.join(words)}" for name, words in grammar.words.items())]
    parts += ["", "LETTER COMMANDS", *(line for form in COMMANDS.values() for line in _command(form))]
    return "\n".join(parts) + "\n"


def _for_seat(grammar: Grammar, seat: str) -> Grammar:
    """The grammar without the sections, orders and standing orders that are none of this seat's."""
    sections = {
        section: kinds
        for section in grammar.sections
        if seat in grammar.writers.get(section, (seat,)) and (kinds := grammar.allowed(section, seat))
    }
    return replace(
        grammar,
        orders=tuple(kind for kind in grammar.orders if not kind.seats or seat in kind.seats),
        policies=tuple(kind for kind in grammar.policies if not kind.seats or seat in kind.seats),
        sections=sections,
        titles={section: title for section, title in grammar.titles.items() if section in sections},
    )


def template(grammar: Grammar, lines: Mapping[str, Sequence[str]], examples: Examples) -> str:
    """An order letter: a heading for each section of `lines`, as comments examples of what may be written
    there, its lines, and as comments the words that close it. An order that is legal now stands as it is sent;
    another one is marked. For orders that may say much more, both stand there."""
    parts: list[str] = []
    for section, written in lines.items():
        heading = [f"[{section}]"] if section else []
        closing = ["; done", "; no orders"] if section else []
        parts += ["\n".join([*heading, *_shown(grammar, section, examples), *written, *closing])]
    return "\n\n".join(parts) + "\n"


def _shown(grammar: Grammar, section: str, examples: Examples) -> Iterator[str]:
    if section == "standing":
        yield from (f"; {example}" for kind in grammar.policies if (example := examples.written(kind)))
        return
    asked = examples.asked
    narrow = asked.offers if asked is not None and asked.section == section else ()
    for kind in grammar.allowed(section, examples.seat):
        if kind.grave or (narrow and kind not in narrow):
            continue
        order = examples.now(kind, section)
        if order:
            yield f"; {order}"
        if (not order or "{" in kind.usage) and (example := examples.written(kind)):
            yield f"; such as: {example}"


def _sections(grammar: Grammar) -> Iterator[tuple[list[str], Sequence[type[Order]]]]:
    """Every order under its headings; those that stand under none come first. Sections whose turn chance
    decides and that take the same orders stand together."""
    placed = {kind for orders in grammar.sections.values() for kind in orders}
    if loose := [kind for kind in grammar.orders if kind not in placed]:
        yield [], loose
    told: set[str] = set()
    for section, orders in grammar.sections.items():
        alike = [name for name in grammar.titles if grammar.sections[name] == orders]
        if section not in told:
            told.update(same := alike if section in alike else [section])
            yield same, orders


def _entries(kinds: Sequence[type[Order | Condition | Policy]], examples: Examples) -> Iterator[str]:
    for kind in kinds:
        yield from _entry(kind, examples)


def _entry(kind: type[Order | Condition | Policy], examples: Examples) -> Iterator[str]:
    usage = _readable(kind.usage)
    if issubclass(kind, Policy):
        yield f"  standing {kind.kind}: {usage}"
    else:
        yield f"  {'if ' * issubclass(kind, Condition)}{usage}"
    case = "" if issubclass(kind, Condition) else f" [{kind.case}]"
    for line in wrap(f"{kind.help}{case}", WIDTH - 4):
        yield f"    {line}"
    legal = examples.now(kind) if issubclass(kind, Order) else ""
    if example := legal or examples.written(kind):
        yield f"    e.g. {example}"


def _readable(usage: str) -> str:
    """A usage line for people: ``<hexes:hex...>`` becomes ``<hexes>``, ``<dug_in:=dug in>`` its words."""
    return re.sub(r"<(\w+):[\w.]+>", r"<\1>", re.sub(r"<\w+:=([^>]*)>", r"\1", usage))


def _command(form: Form) -> Iterator[str]:
    yield f"  {form.usage}"
    yield f"    {form.help}"


def _about(grammar: Grammar, topic: str, examples: Examples) -> str:
    found = [
        *_entries([kind for kind in grammar.orders if kind.verb.startswith(topic)], examples),
        *_entries(
            [
                kind
                for section, orders in grammar.sections.items()
                if topic in (section.lower(), grammar.titles.get(section, "").lower())
                for kind in orders
            ],
            examples,
        ),
        *_entries([kind for kind in grammar.conditions if topic in kind.usage.split()], examples),
        *_entries([kind for kind in grammar.policies if topic in (kind.kind, "standing")], examples),
        *(line for name, form in COMMANDS.items() if name == topic for line in _command(form)),
    ]
    if topic in grammar.words:
        found.append(f"  <{topic}>: {', '.join(grammar.words[topic])}")
    if found:
        return "\n".join(found) + "\n"
    known = [
        *(kind.verb for kind in grammar.orders),
        *grammar.sections,
        *(p.kind for p in grammar.policies),
        *COMMANDS,
    ]
    return (
        f'There is no help on "{topic}". Topics:\n'
        + "\n".join(wrap(", ".join(dict.fromkeys(known)), WIDTH))
        + "\n"
    )
