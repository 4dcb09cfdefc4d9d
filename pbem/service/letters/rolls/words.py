"""Facts about a roll in words: chances, modifiers, the place on a table, counters, how its faces are
computed."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any

from pbem.engine.dice import Word
from pbem.engine.notes import Note
from pbem.engine.play import Chance, Draw, Hits, Volley
from pbem.engine.tally import Modifier
from pbem.engine.wording import percent

HOW = (
    "each number (the first byte counts most) is divided by the number of sides; the remainder plus 1 is the "
    "face, or counts from 0 in the pool of a draw. A number in the incomplete last stretch is thrown away."
)
"""How faces come from numbers."""


def working(seen: Sequence[Word], label: str) -> Iterator[str]:
    """How the faces come from the link, number by number."""
    draws = label.split("|")[1].startswith("draw ")
    block = -1
    for word in seen:
        if word.block != block:
            block = word.block
            yield f'HMAC-SHA-256(link, key + "|{block}") = {word.digest.hex()}'
        head = f"bytes {word.start} to {word.start + 3}: {word.number:#010x} = {word.number}"
        if word.picked is None:
            yield f"{head}: thrown away, for no face may be likelier than another with {word.sides}"
        elif draws:
            yield f"{head}; modulo {word.sides} = {word.picked}: the place in the pool, from 0"
        else:
            yield f"{head}; modulo {word.sides} = {word.picked}; plus 1 = {word.picked + 1}"


def counted(request: Chance | None) -> str:
    """How dice are counted that are not simply read."""
    if isinstance(request, Hits):
        return f" ({request.at_least} or more is a hit)"
    if isinstance(request, Volley):
        return f" (faces 1 to {len(request.worth)} count {', '.join(map(str, request.worth))})"
    return ""


def chance_words(chance: Fraction) -> str:
    """An exact chance: ``1/6 (17%)``."""
    return f"{chance} ({percent(chance)})"


def chance_of(request: Chance, faces: Sequence[Any]) -> Fraction:
    """The chance of a draw from a pool that is too large to list every outcome."""
    assert isinstance(request, Draw)
    left, chance = list(request.pool), Fraction(1)
    for item in faces:
        chance *= Fraction(left.count(item), len(left))
        left.remove(item)
    return chance


def modifiers_of(note: Note) -> Iterator[tuple[str, int, str, str]]:
    """Every part of the sums of a note, with the name of the sum."""
    for name, value in note.facts().items():
        if isinstance(value, tuple):
            title = name.replace("_", " ").replace("parts", "strength" if "_" in name else "die")
            yield from (
                (title, part.value, part.case, part.why) for part in value if isinstance(part, Modifier)
            )


def cell_of(note: Note) -> str:
    """Where a note finds its result: ``combat results: column 3-1, total 4, result DR``."""
    facts = note.facts()
    said = [
        f"{name.replace('_', ' ')} {in_words(facts[name])}"
        for name in note.cell
        if facts[name] not in ("", ())
    ]
    if not said:
        return ""
    return f"Table of {note.chart}: {', '.join(said)}" if note.chart else f"No table: {', '.join(said)}"


def in_words(value: Any) -> str:
    """A plain value as a page says it."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list | tuple):
        return ", ".join(map(in_words, value))
    return "none" if value is None else str(value)


def counter_words(counter: Any) -> Iterator[str]:
    """A counter as its reader sees it, without its colours."""
    if counter.hidden:
        yield "unknown unit, entrenched" if counter.entrenched else "unknown unit"
        return
    yield counter.name
    yield counter.figures
    yield from (f"({word})" for word in ("disrupted", "unsupplied", "inverted") if getattr(counter, word))


def places_of(facts: Mapping[str, Any], names: Iterable[str]) -> list[Any]:
    """The facts of a note with these names, where it has them."""
    return [facts[name] for name in names if name in facts]


def texts_in(value: Any) -> Iterator[str]:
    """Every text in a plain value."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for each in value.values():
            yield from texts_in(each)
    elif isinstance(value, list | tuple):
        for each in value:
            yield from texts_in(each)


def names_any(text: str, value: Any) -> bool:
    """Whether a text names one of the units or hexes in a plain value, as a whole word."""
    return any(
        re.search(rf"(?<![\w/]){re.escape(name)}(?![\w/])", text)
        for name in texts_in(value)
        if len(name) > 1 and any(map(str.isdecimal, name))
    )
