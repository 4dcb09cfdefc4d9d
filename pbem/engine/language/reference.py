"""The order reference that HELP sends, the same as a page, and the empty order form, all made from a game's
declarations."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches
from functools import cached_property
from textwrap import wrap
from typing import Any

from pbem.engine.desk import Desk
from pbem.engine.language.commands import COMMANDS, Form
from pbem.engine.language.grammar import Grammar
from pbem.engine.language.model import Condition, Order, Policy, Roster

WIDTH = 78
NO_HELP = "There is no help on"
"""How the answer to an unknown topic begins."""

_HOW = (
    "Write one order per line. Capitals do not matter. Words may be abbreviated while unambiguous.",
    "A heading such as [movement] names the section of the lines below it. ; or # or // starts a comment.",
    (
        "Your lines are a draft until you write DONE below them. DONE closes the section that it is in, "
        "DONE ALL every section with lines, NO ORDERS a section without any."
    ),
    (
        "Each line that you send gets a name: L1, L2. L9: <order> replaces L9; WITHDRAW L9 removes it. "
        "Questions are Q1, Q2; answer one with Q1: a."
    ),
    (
        "Below, [word] may be left out, (one|other) means one of these, {{one | other}} any of these in any "
        "order; fill in what is in <angle brackets>."
    ),
    "Name units by any unambiguous part of their names: {units}.",
    (
        "try <order>: if the order cannot be carried out, it is passed over without an error. "
        "<order>; then <order>: two orders on one line."
    ),
)
_DRAWN = (
    "when <section>: <order>; <order>: orders ahead for a section that has yet to be drawn; "
    "the same as its heading with these lines below it."
)
_CONDITIONAL = (
    "if <condition> [and <condition>], <order>, else <order>. Without else, the units stay. "
    '"if not" reverses the condition.'
)
_HABITS = (
    (
        "standing done: always|never",
        "always: a letter without an error closes the sections that it has lines for, without DONE",
    ),
    (
        "standing empty: close|ask",
        "close: DONE ALL also closes the sections of this turn that have no lines and wait for no draw",
    ),
)
"""Standing orders of every game, which are about letters."""
_CLEAR, _CLEARED = "standing clear [<kind>]", "cancels your standing orders, or those of one kind"


@dataclass(frozen=True)
class Examples:
    """Examples of what `seat` can write: orders that are legal now where it is `asked` for orders, else those
    that come with the game, if they are about units that its `roster` has. Without a roster, all of them."""

    grammar: Grammar
    seat: str = ""
    roster: Roster | None = None
    asked: Desk[Any] | None = None
    kept: Sequence[Order] = ()
    """Orders that the seat has on its sheet for the section that it is asked for."""

    def now(self, kind: type[Order], section: str = "") -> str:
        """A legal order of this kind; "" if there is none now, or another section is open."""
        if self.asked is None or (section and section != self.asked.section):
            return ""
        order = self._legal.get(kind)
        return self.grammar.write(order) if order is not None else ""

    def written(self, kind: type[Order | Condition | Policy[Any]]) -> str:
        """An order that another makes possible now, else the example that comes with the game; "" if that is
        about units that are not this seat's here. An order with many options keeps the example with them."""
        if issubclass(kind, Order) and "{" not in kind.usage and (order := self._legal_after.get(kind)):
            return self.grammar.write(order)
        found = kind.examples.get(self.seat, kind.example)
        given = (found,) if isinstance(found, str) else found
        return next((example for example in given if self._fits(kind, example)), "")

    @cached_property
    def _legal(self) -> Mapping[type[Order], Order]:
        return self.asked.samples() if self.asked is not None else {}

    @cached_property
    def _legal_after(self) -> Mapping[type[Order], Order]:
        return self.asked.samples_after() if self.asked is not None else {}

    def legal(self, kind: type[Order]) -> Iterator[Order]:
        """Orders of this kind that are legal now, or once another of these examples has been given; none that
        repeats what is `kept`."""
        if any(order.verb == kind.verb for order in self.kept):
            return
        spoken = {unit for order in self.kept for unit in order.actors()}
        for found in (self._legal, self._legal_after):
            order = found.get(kind)
            if order is not None and not spoken & set(order.actors()):
                yield order

    def _fits(self, kind: type[Order | Condition | Policy[Any]], example: str) -> bool:
        if self.roster is None:
            return True
        if issubclass(kind, Condition):
            orders = (self.grammar.write(order) for order in self._legal.values())
            example = f"{example}, {next(orders, 'pause')}"
        reading = self.grammar.read([(1, example)], self.roster)
        actors = [unit for line in reading.orders for unit in line.order.actors()]
        actors += [unit for line in reading.standing if line.policy for unit in line.policy.actors()]
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


def reference(grammar: Grammar, topic: str | None = None, examples: Examples | None = None) -> str:
    """Return the whole reference, or the entries for `topic` (verb, section, condition, standing order,
    command): what the seat of `examples` may write. For an unknown topic, return the list of topics."""
    examples = examples or Examples(grammar)
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
    parts += ["", "[standing]", *_entries(grammar.policies, examples)]
    clear = ((_CLEAR, _CLEARED),) if grammar.policies else ()
    for usage, help in (*clear, *_HABITS):
        parts += [f"  {usage}", *(f"    {line}" for line in wrap(help, WIDTH - 4))]
    if grammar.words:
        parts += ["", "WORDS", *(f"  <{name}>: {', '.join(words)}" for name, words in grammar.words.items())]
    parts += ["", "LETTER COMMANDS", *(line for form in COMMANDS.values() for line in _command(form))]
    return "\n".join(parts) + "\n"


def _for_seat(grammar: Grammar, seat: str) -> Grammar:
    """Return the grammar with only the sections, orders and standing orders of this seat."""
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


def template(grammar: Grammar, lines: Mapping[str, Sequence[str]], examples: Examples | None = None) -> str:
    """Return an order form: for each section of `lines` its heading, its lines, and as comments the words
    that close it; for the one that is asked for also orders that are legal now, as comments."""
    examples = examples or Examples(grammar)
    parts: list[str] = []
    for section, written in lines.items():
        heading = [f"[{section}]"] if section else []
        closing = ["; done", "; no orders"] if section else []
        parts += ["\n".join([*heading, *_shown(grammar, section, examples), *written, *closing])]
    return "\n\n".join(parts) + "\n"


def _shown(grammar: Grammar, section: str, examples: Examples) -> Iterator[str]:
    asked = examples.asked
    if asked is None or asked.section != section:
        return
    for kind in grammar.allowed(section, examples.seat):
        if not kind.grave and (not asked.offers or kind in asked.offers):
            yield from (f"; {grammar.write(order)}" for order in examples.legal(kind))


def _sections(grammar: Grammar) -> Iterator[tuple[list[str], Sequence[type[Order]]]]:
    """Yield every order below its headings, orders without a heading first. Drawn sections that take the same
    orders are listed together."""
    placed = {kind for orders in grammar.sections.values() for kind in orders}
    if loose := [kind for kind in grammar.orders if kind not in placed]:
        yield [], loose
    told: set[str] = set()
    for section, orders in grammar.sections.items():
        alike = [name for name in grammar.titles if grammar.sections[name] == orders]
        if section not in told:
            told.update(same := alike if section in alike else [section])
            yield same, orders


def _entries(kinds: Sequence[type[Order | Condition | Policy[Any]]], examples: Examples) -> Iterator[str]:
    for kind in kinds:
        yield from _entry(kind, examples)


def _entry(kind: type[Order | Condition | Policy[Any]], examples: Examples) -> Iterator[str]:
    yield f"  {usage_line(kind, examples.grammar.words)}"
    for line in wrap(_explained(kind), WIDTH - 4):
        yield f"    {line}"
    legal = examples.now(kind) if issubclass(kind, Order) else ""
    if example := legal or examples.written(kind):
        yield f"    e.g. {example}"


def usage_line(kind: type[Order | Condition | Policy[Any]], words: Collection[str]) -> str:
    """The usage line of an order, condition or standing order, as a letter has it."""
    usage = _readable(kind.usage, words)
    if issubclass(kind, Policy):
        return f"standing {kind.kind}: {usage}"
    return f"{'if ' * issubclass(kind, Condition)}{usage}"


def _explained(kind: type[Order | Condition | Policy[Any]]) -> str:
    """Return what it does, with its rulebook case."""
    return kind.help if issubclass(kind, Condition) else f"{kind.help} [{kind.case}]"


def _readable(usage: str, words: Collection[str]) -> str:
    """A usage line for people: ``<hexes:hex...>`` becomes ``<hexes>``, ``<dug_in:=dug in>`` its words,
    ``">" "="`` the mark ``>=``. A slot for one of `words` has the name under which these are listed."""

    def slot(found: re.Match[str]) -> str:
        name, type, many = found.groups()
        known = type in words and not name.startswith(type)
        return f"<{type}>{', ...' if many else ''}" if known else f"<{name}>"

    usage = re.sub(r"<\w+:=([^>]*)>", r"\1", usage)
    return re.sub(r"<(\w+):(\w+)(\.\.\.)?(?: \d+\.\.\d*)?>", slot, usage).replace('" "', "").replace('"', "")


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
    known = topics(grammar)
    near = get_close_matches(topic, known, 1, 0.7)
    meant = f" Did you mean {near[0]}?" if near else ""
    return f'{NO_HELP} "{topic}".{meant} Topics:\n' + "\n".join(wrap(", ".join(known), WIDTH)) + "\n"


def topics(grammar: Grammar) -> list[str]:
    """What there is help on in a game."""
    kinds = (kind.kind for kind in grammar.policies)
    verbs = (kind.verb for kind in grammar.orders)
    return list(dict.fromkeys([*verbs, *grammar.sections, *kinds, *COMMANDS]))


# --- as a page ----------------------------------------------------------------------------------------


def page(grammar: Grammar, seats: Mapping[str, str]) -> str:
    """All of the reference as Markdown, for all `seats` (key -> title): each order once, with who may give it
    and an example for each seat that has one of its own."""
    how_to = (*_HOW, _DRAWN) if grammar.titles else _HOW
    units = Examples(grammar).units()
    parts = ["## How to write orders", "\n".join(f"- {_escaped(how.format(units=units))}" for how in how_to)]
    shown: dict[type[Order], str] = {}
    for titles, orders in _sections(grammar):
        parts.append(f"## {', '.join(f'[{title}]' for title in titles) or 'Orders'}")
        if names := [name for title in titles if (name := _page_heading(grammar, title, seats))]:
            parts.append("\n".join(names))
        for kind in orders:
            if kind not in shown:
                parts += _page_entry(kind, seats, grammar.words)
        if again := [f"`{kind.verb}` (see {shown[kind]})" for kind in orders if kind in shown]:
            parts.append(f"Also: {', '.join(again)}.")
        shown |= {kind: f"[{titles[0]}]" if titles else "Orders" for kind in orders if kind not in shown}
    if grammar.conditions:
        parts += ["## Conditions", _escaped(_CONDITIONAL)]
        parts += [part for kind in grammar.conditions for part in _page_entry(kind, seats, grammar.words)]
    parts.append("## Standing orders")
    parts += [part for kind in grammar.policies for part in _page_entry(kind, seats, grammar.words)]
    clear = ((_CLEAR, _CLEARED),) if grammar.policies else ()
    for usage, help in (*clear, *_HABITS):
        parts += [f"    {usage}", f"{help[:1].upper()}{help[1:]}."]
    if grammar.words:
        words = (f"- `<{name}>`: {', '.join(words)}" for name, words in grammar.words.items())
        parts += ["## Words", "\n".join(words)]
    commands = (f"- `{form.usage}` {_escaped(form.help)}" for form in COMMANDS.values())
    parts += ["## Letter commands", "\n".join(commands)]
    return "\n\n".join(parts) + "\n"


def _page_heading(grammar: Grammar, section: str, seats: Mapping[str, str]) -> str:
    """The full name of a section and who may write in it, if there is anything to say of these."""
    name = grammar.heading(section)
    writers = grammar.writers.get(section, ())
    if name == f"[{section}]" and not writers:
        return ""
    return f"- {name}{f', for {_listed(writers, seats)} only' if writers else ''}"


def _page_entry(
    kind: type[Order | Condition | Policy[Any]], seats: Mapping[str, str], words: Collection[str]
) -> Iterator[str]:
    name = f"{kind.kind}: " if issubclass(kind, Policy) else ""
    yield f"    {usage_line(kind, words)}"
    only = () if issubclass(kind, Condition) else kind.seats
    restricted = f" For {_listed(only, seats)} only." if only else ""
    yield f"{_escaped(_explained(kind))}{restricted}"
    found = {seat: (each,) if isinstance(each, str) else each for seat, each in kind.examples.items()}
    examples = [("", kind.example), *((seats.get(seat, seat), each[0]) for seat, each in found.items())]
    written = [
        f"`{_line(example, name)}`{f' ({who})' if who else ''}" for who, example in examples if example
    ]
    if written:
        yield f"For example {', '.join(dict.fromkeys(written))}"


def _line(example: str, name: str) -> str:
    """An example as a whole line."""
    return example if not name or example.startswith("standing ") else f"standing {name}{example}"


def _listed(keys: Sequence[str], seats: Mapping[str, str]) -> str:
    """The sides that these seats play."""
    return f"the {' and the '.join(seats.get(key, key) for key in keys)} side{'s' * (len(keys) > 1)}"


def _escaped(text: str) -> str:
    """Words that Markdown shows as they are."""
    return re.sub(r"([<*_])", r"\\\1", text)
