"""Comparing lines: which of them say the same, or are about the same."""

from __future__ import annotations

from collections.abc import Callable

from pbem.engine.language import Line, Order
from pbem.service.play.sheet import SheetLine


def orders_of(line: SheetLine) -> list[Order]:
    """The orders that a line gives or is meant to give."""
    return [each.order for each in line.lines]


def actors_of(line: SheetLine) -> set[str]:
    """The units of a line."""
    return {unit for order in orders_of(line) for unit in order.actors()}


def targets_of(line: SheetLine) -> set[str]:
    """The hexes that a line attacks."""
    return {hex for order in orders_of(line) for hex in order.targets()}


def is_same(kept: SheetLine, entry: SheetLine) -> bool:
    """Whether two lines say the same."""
    if kept.line is None or entry.line is None:
        return kept.line is entry.line and " ".join(kept.text.split()) == " ".join(entry.text.split())
    a, b = kept.line, entry.line
    return (a.order, a.conditions, a.otherwise, a.attempt) == (b.order, b.conditions, b.otherwise, b.attempt)


def has_same_subject(kept: SheetLine, entry: SheetLine, stage: Callable[[SheetLine], int]) -> bool:
    """Rule 2: the same verb about exactly the same: all units of those that go, the target of an attack with
    an attacker in common."""
    if entry.order is None or not kept.lines:
        return False
    order, other = entry.order, kept.lines[0].order
    if order.verb != other.verb:
        return False
    if targets := order.targets():
        actors = set(order.actors()) & set(other.actors())
        same = set(targets) == set(other.targets()) and (
            bool(actors) or not order.actors() or not other.actors()
        )
    else:
        same = set(order.subjects()) == set(other.subjects())
    return same and stage(kept) == stage(entry)  # last: it counts through all lines before


def _sort(order: Order) -> str:
    return order.sort or order.verb


def is_instead_of(ill: SheetLine, entry: SheetLine) -> bool:
    """Rule 3: whether a line may take the place of a faulty one: of the same kind and about a unit or target
    of it, or what was offered."""
    if any(written_as(offer, entry) for offer in ill.offers):
        return True
    assert entry.order is not None
    mine = {*entry.order.actors(), *entry.order.targets()}
    if not ill.lines:
        same = ill.sort == _sort(entry.order) and not mine and not ill.about
        return same or (ill.sort in ("", _sort(entry.order)) and bool(mine & set(ill.about)))
    return any(
        _sort(order) == _sort(entry.order) and mine & {*order.actors(), *order.targets()}
        for order in orders_of(ill)
    )


def shares(kept: SheetLine, entry: SheetLine) -> bool:
    """Rule 4: the same verb about some of the same units."""
    assert entry.order is not None
    return any(
        order.verb == entry.order.verb
        and not order.targets()
        and set(order.actors()) & set(entry.order.actors())
        for order in orders_of(kept)
        if order.actors()
    )


def is_about_the_same(line: Line, kept: SheetLine) -> bool:
    """Whether a line without a heading may correct a kept one."""
    mine = {*line.order.actors(), *line.order.targets()}
    if not kept.lines:
        return kept.sort in ("", _sort(line.order)) and bool(mine & set(kept.about))
    theirs = actors_of(kept) | targets_of(kept)
    return any(_sort(order) == _sort(line.order) for order in orders_of(kept)) and bool(mine & theirs)


def written_as(offer: str, entry: SheetLine) -> bool:
    """Whether a line is what was offered or one line of it, with its heading or name or without."""
    said = " ".join(entry.text.split())
    return any(
        said in (" ".join(words.split()), " ".join(_unnamed(words).split())) for words in offer.splitlines()
    )


def _unnamed(words: str) -> str:
    """An offered line without the name or the section in front of it."""
    name, _, rest = words.partition(": ")
    return rest if rest and name.startswith(("L", "after L", "when ")) else words
