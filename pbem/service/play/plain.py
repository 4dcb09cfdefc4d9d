"""Plain JSON values, as rows keep them: what a value must look like stands on the class that it is read
into, and here is how it is looked at."""

from __future__ import annotations

import re
from datetime import datetime
from typing import Annotated, Any, TypeVar

import msgspec

T = TypeVar("T")

Whole = Annotated[int, msgspec.Meta(ge=0, lt=2**31)]
"""A number from 0 on that every database can hold."""

Number = Annotated[int, msgspec.Meta(ge=1, lt=2**31)]
"""A number from 1 on that every database can hold."""


class Plain(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    """What a JSON object must look like that pbem reads as it is."""


def check_moments(**moments: str | None) -> None:
    """Raise ValueError unless each of these fields is a moment with a time zone, as rows write it; "" and
    None are let through."""
    for name, text in moments.items():
        if not text:
            continue
        try:
            moment = datetime.fromisoformat(text)
        except ValueError:
            raise ValueError(f"{name}: should be a time, such as 2026-11-20T21:00:00+00:00") from None
        if moment.tzinfo is None:
            raise ValueError(f"{name}: should have a time zone")


def read_as(kind: type[T], value: Any, *, whole: bool = True) -> T:
    """Return a plain value as an object of a class. Raise ValueError, with the place, for one that does not
    fit it, has other fields or, where it is to be `whole`, lacks one that has a default."""
    try:
        converted = msgspec.convert(value, kind)
    except msgspec.ValidationError as error:
        raise ValueError(_in_words(str(error))) from None
    if not (isinstance(kind, type) and issubclass(kind, msgspec.Struct)):
        _compare(value, msgspec.to_builtins(converted), "", whole)
    return converted


_PLACE = re.compile(r" - at `\$(?P<place>.*)`$")


def _in_words(said: str) -> str:
    """What msgspec says of a value, with the place first: ``lines.0.name: Expected int, got str``."""
    place = _PLACE.search(said)
    where = re.sub(r"\[(\d+|\.\.\.)\]", r".\1", place["place"]).strip(".") if place else ""
    what = _PLACE.sub("", said).replace("`", "")
    return f"{where}: {what}" if where else what


def _compare(value: Any, written: Any, place: str, whole: bool) -> None:
    """Raise ValueError where a value has other fields than what would be written of it."""
    if isinstance(value, dict) and isinstance(written, dict):
        for name in (*value, *written):
            where = f"{place}{name}"
            if name not in written:
                raise ValueError(f"{where}: there is no such field")
            if name in value:
                _compare(value[name], written[name], f"{where}.", whole)
            elif whole:
                raise ValueError(f"{where}: is missing")
    elif isinstance(value, list) and isinstance(written, list | tuple):
        for at, (each, other) in enumerate(zip(value, written, strict=True)):
            _compare(each, other, f"{place}{at}.", whole)
