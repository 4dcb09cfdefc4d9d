"""What of a note is a fact, and what only words it.

Facts are keys (a unit, a hex, a seat, a case, the code of an outcome), values and dice. They are what is
compared when a phase is played again. Words that a person reads are declared as `Prose`: a better sentence
may take their place at any time, in games that are being played too.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields
from types import NoneType, UnionType
from typing import Annotated, Any, Union, get_args, get_origin, get_type_hints

_PROSE = "prose"

Prose = Annotated[str, _PROSE]
"""The type of words that a person reads. A field of this type, and an element of a tuple, is never
compared."""

_UNIONS = (Union, UnionType)

Cut = Callable[[Any], Any]
"""Takes the words out of a value."""


_known: dict[type[Any], Mapping[str, Cut | None]] = {}


def cuts(kind: type[Any]) -> Mapping[str, Cut | None]:
    """Return what takes the words out of each field of a dataclass that has any: None drops the whole field.

    Raises TypeError where words are in a place from which they cannot be taken out.
    """
    if kind not in _known:
        _known[kind] = _cuts(kind)
    return _known[kind]


def _cuts(kind: type[Any]) -> Mapping[str, Cut | None]:
    hints = get_type_hints(kind, include_extras=True)
    found: dict[str, Cut | None] = {}
    for field in fields(kind):
        hint = hints[field.name]
        if _is_prose(hint):
            found[field.name] = None
        elif cut := _cut(hint, f"{kind.__name__}.{field.name}"):
            found[field.name] = cut
    return found


def _is_prose(hint: Any) -> bool:
    """Whether a type is that of words alone: of one text, of several, or of one that may be missing."""
    args = get_args(hint)
    if get_origin(hint) in _UNIONS:
        return all(each is NoneType or _is_prose(each) for each in args)
    if get_origin(hint) is tuple:
        return args[1:] == (Ellipsis,) and _is_prose(args[0])
    return get_origin(hint) is Annotated and _PROSE in hint.__metadata__


def _cut(hint: Any, where: str) -> Cut | None:
    """What takes the words out of a value of this type, as it is or as it comes back from JSON; None if there
    are none in it."""
    parts = _elements(hint)
    if parts is not None:
        return _cut_each(parts, where)
    args = [each for each in get_args(hint) if each not in (NoneType, Ellipsis)]
    found = [each for each in args if _is_prose(each) or _cut(each, where)]
    if not found:
        return None
    inner = _cut(found[0], where)
    if inner and len(args) == 1 and get_origin(hint) in _UNIONS:
        return inner
    if inner and get_origin(hint) is tuple:
        return lambda value: [inner(each) for each in value] if _is_row(value) else value
    raise TypeError(f"{where}: words can only be left out of tuples, not of {hint}")


def _elements(hint: Any) -> Sequence[Any] | None:
    """The types of a tuple with a fixed number of elements, named or not."""
    if isinstance(hint, type) and hasattr(hint, "_fields"):
        hints = get_type_hints(hint, include_extras=True)
        return [hints[name] for name in hint._fields]
    args = get_args(hint)
    return args if get_origin(hint) is tuple and Ellipsis not in args else None


def _cut_each(parts: Sequence[Any], where: str) -> Cut | None:
    kept = [(place, _cut(part, where)) for place, part in enumerate(parts) if not _is_prose(part)]
    if len(kept) == len(parts) and not any(cut for _, cut in kept):
        return None

    def cut_all(value: Any) -> Any:
        if not _is_row(value) or len(value) != len(parts):
            return value
        return [cut(value[place]) if cut else value[place] for place, cut in kept]

    return cut_all


def _is_row(value: Any) -> bool:
    return isinstance(value, list | tuple)
