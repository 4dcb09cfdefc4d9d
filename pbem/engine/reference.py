"""The order reference that HELP mails, and the empty order letter: both made from a game's declarations."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from textwrap import wrap

from pbem.engine.commands import COMMANDS, Form
from pbem.engine.orders import Condition, Grammar, Order, Policy

WIDTH = 78
_HOW = (
    "Write one order to a line. Capitals do not matter, and you may shorten words as long as they stay clear.",
    "A heading such as [movement] says where the lines below it belong. Comments begin with ; or # or //.",
    "Your lines are a draft until you write DONE under them: DONE alone closes the section it stands in, DONE ALL every section with lines, "
    "NO ORDERS a section without any.",
    "Each line you send is kept under a name: L1, L2. L9: <order> takes the place of L9, WITHDRAW L9 takes it off. Questions are Q1, Q2: "
    "answer them with Q1: a.",
    "Name units by any clear part of their names: 8/4, 22/4 or 8/4 + 22/4 or all at 3024.",
    "try <order>: passes over the order if it cannot be carried out. <order>; then <order>: the next one on the same line.",
)
_DRAWN = "when <section>: <order>; <order>: orders for a section whose turn chance decides; the same as its heading with these lines below it."
_CONDITIONAL = "if <condition> [and <condition>], <order>, else <order>. Without else, the unit stays. if not asks for the opposite."


def reference(grammar: Grammar, topic: str | None = None, seat: str = "") -> str:
    """All of the reference, or the entries that `topic` names (verb, section, condition, standing order,
    command); with a `seat`, what that seat may write. A topic that is not known is said to be so, with the
    topics there are."""
    if seat:
        grammar = _for_seat(grammar, seat)
    if topic and topic.strip():
        return _about(grammar, " ".join(topic.lower().split()).removeprefix("standing "), seat)
    how_to = (*_HOW, _DRAWN) if grammar.titles else _HOW
    parts = ["HOW TO WRITE ORDERS", *(line for how in how_to for line in wrap(how, WIDTH))]
    for titles, orders in _sections(grammar):
        heading = wrap(", ".join(grammar.heading(title) for title in titles), WIDTH)
        parts += ["", *(heading or ["ORDERS"]), *_entries(orders, seat)]
    if grammar.conditions:
        parts += ["", "CONDITIONS", *wrap(_CONDITIONAL, WIDTH), *_entries(grammar.conditions, seat)]
    if grammar.policies:
        parts += [
            "",
            "[standing]",
            *_entries(grammar.policies, seat),
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


def template(
    grammar: Grammar,
    lines: Mapping[str, Sequence[str]],
    seat: str = "",
    offers: Mapping[str, Sequence[type[Order]]] | None = None,
) -> str:
    """An order letter: a heading for each section of `lines`, examples of what may be written there as
    comments (in the sections of `offers` only of those kinds), its lines, and as comments the words that close it."""
    parts: list[str] = []
    for section, written in lines.items():
        examples = [f"; {example}" for example in _examples(grammar, section, seat, offers or {})]
        heading = [f"[{section}]"] if section else []
        closing = ["; done", "; no orders"] if section else []
        parts += ["\n".join([*heading, *examples, *written, *closing])]
    return "\n\n".join(parts) + "\n"


def _examples(
    grammar: Grammar, section: str, seat: str, offers: Mapping[str, Sequence[type[Order]]]
) -> Iterator[str]:
    if section == "standing":
        yield from (f"standing {policy.kind}: {policy.example}" for policy in grammar.policies)
        return
    for kind in grammar.allowed(section, seat):
        if kind in offers.get(section, (kind,)):
            yield kind.examples.get(seat, kind.example)


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


def _entries(kinds: Sequence[type[Order | Condition | Policy]], seat: str = "") -> Iterator[str]:
    for kind in kinds:
        yield from _entry(kind, seat)


def _entry(kind: type[Order | Condition | Policy], seat: str) -> Iterator[str]:
    usage = _readable(kind.usage)
    if issubclass(kind, Policy):
        yield f"  standing {kind.kind}: {usage}"
    else:
        yield f"  {'if ' * issubclass(kind, Condition)}{usage}"
    case = "" if issubclass(kind, Condition) else f" [{kind.case}]"
    for line in wrap(f"{kind.help}{case}", WIDTH - 4):
        yield f"    {line}"
    yield f"    e.g. {kind.examples.get(seat, kind.example)}"


def _readable(usage: str) -> str:
    """A usage line for people: ``<hexes:hex...>`` becomes ``<hexes>``, ``<dug_in:=dug in>`` its words."""
    return re.sub(r"<(\w+):[\w.]+>", r"<\1>", re.sub(r"<\w+:=([^>]*)>", r"\1", usage))


def _command(form: Form) -> Iterator[str]:
    yield f"  {form.usage}"
    yield f"    {form.help}"


def _about(grammar: Grammar, topic: str, seat: str) -> str:
    found = [
        *_entries([kind for kind in grammar.orders if kind.verb.startswith(topic)], seat),
        *_entries(
            [
                kind
                for section, orders in grammar.sections.items()
                if topic in (section.lower(), grammar.titles.get(section, "").lower())
                for kind in orders
            ],
            seat,
        ),
        *_entries([kind for kind in grammar.conditions if topic in kind.usage.split()], seat),
        *_entries([kind for kind in grammar.policies if topic in (kind.kind, "standing")], seat),
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
