"""How games declare notes, orders, conditions and standing orders: as classes with plain words and fields.

A word says something of the class and is written without a type: ``usage = "move <unit> to <hex>"``. The base
class lists its words as `ClassVar`. Anything with a type is a field. The base class makes each class that is
derived from it a frozen dataclass, so a declaration needs no decorator.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from functools import cache
from inspect import formatannotation
from typing import Any, ClassVar, get_args, get_origin, get_type_hints

import msgspec


def declare(kind: type, base: type, kw_only: bool = False) -> None:
    """Make a class derived from `base` a frozen dataclass. Raise TypeError if one of its words has a wrong
    value or is written as a field, or if it has help or an example but no usage line."""
    known = _words(base)
    for name, value in vars(kind).items():
        if name in known:
            try:
                msgspec.convert(value, known[name])
            except msgspec.ValidationError:
                wanted = formatannotation(known[name])
                raise TypeError(f"{kind.__name__}.{name} must be {wanted}, not {value!r}") from None
    if "usage" in known and not hasattr(kind, "usage") and not {"help", "example"}.isdisjoint(vars(kind)):
        raise TypeError(f"{kind.__name__} has no usage line")
    dataclass(frozen=True, kw_only=kw_only)(kind)
    for field in fields(kind):
        if field.name in known:
            raise TypeError(f"{kind.__name__}.{field.name} is a word, not a field: write it without a type")


def complete(kind: type, base: type) -> None:
    """Raise TypeError if a class lacks a word for which `base` has no value."""
    missing = [word for word in _words(base) if not hasattr(kind, word)]
    if missing:
        raise TypeError(f"{kind.__name__} has no {', no '.join(missing)}")


@cache
def _words(base: type) -> Mapping[str, Any]:
    """The words that a base class lists, with their types."""
    hints = get_type_hints(base)
    return {name: get_args(hint)[0] for name, hint in hints.items() if get_origin(hint) is ClassVar}
