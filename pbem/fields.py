"""Values that hosts write, checked: mail addresses, people, time zones. Functions and types for pydantic."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from difflib import get_close_matches
from types import UnionType
from typing import Annotated, Any, get_args
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError, available_timezones

from pydantic import AfterValidator, BaseModel, ValidationError

from pbem.mail.address import is_address

LISTED = 5
"""The most faults that are listed; the rest is counted."""

_WORDS = {
    **dict.fromkeys(("int_type", "int_parsing", "int_from_float"), "should be a whole number"),
    **dict.fromkeys(("float_type", "float_parsing"), "should be a number"),
    **dict.fromkeys(("bool_type", "bool_parsing"), "should be true or false"),
    "greater_than": "should be more than {gt:g}",
    "greater_than_equal": "should be {ge} or more",
    "less_than_equal": "should be {le} at most",
    "literal_error": "should be {expected}",
    "missing": "is missing",
    "string_type": "should be a text",
}
"""What pydantic finds wrong, in words for those who wrote it; the rest it says itself."""

_NAMED = re.compile(r'\s*"?(?P<name>[^"<>]*?)"?\s*<\s*(?P<address>[^<>\s]*)\s*>\s*')


def address(text: str) -> str:
    """Return a mail address in lower case. Raise ValueError if no mail can be sent to it."""
    if not is_address(text):
        raise ValueError(f'"{text}" is not a mail address')
    return text.lower()


def person(text: str) -> tuple[str, str]:
    """Return name and address of ``Anna <anna@example.org>`` or of a bare address. Raise ValueError."""
    match = _NAMED.fullmatch(text)
    return (match["name"], address(match["address"])) if match else ("", address(text.strip()))


def zone(text: str) -> str:
    """Return the name of a time zone as it is. Raise ValueError, with the nearest name, if there is none."""
    try:
        ZoneInfo(text)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        near = get_close_matches(text, available_timezones(), 1) or ["Europe/Paris"]
        raise ValueError(f'"{text}" is not a time zone; write one like {near[0]}') from None
    return text


def _person_or_nobody(text: str) -> str:
    if text:
        person(text)
    return text


Address = Annotated[str, AfterValidator(address)]
Person = Annotated[str, AfterValidator(_person_or_nobody)]
Zone = Annotated[str, AfterValidator(zone)]


def dotted(place: Sequence[Any]) -> str:
    """Return a place within values: `smtp.port`."""
    return ".".join(map(str, place))


def faults(
    error: ValidationError, model: type[BaseModel], written: Callable[[Sequence[Any]], str] = dotted
) -> str:
    """Return what pydantic found wrong with the values for `model`, each as `place: what is wrong`.

    `written` says how a place is written.
    """
    found = error.errors(include_url=False, include_input=False)
    more = f"; and {len(found) - LISTED} more" if len(found) > LISTED else ""
    return "; ".join(_fault(each, model, written(each["loc"])) for each in found[:LISTED]) + more


def _fault(fault: Any, model: type[BaseModel], place: str) -> str:
    if fault["type"] == "extra_forbidden":
        near = get_close_matches(str(fault["loc"][-1]), _known(model, fault["loc"][:-1]), 1)
        return f'there is no "{place}"' + (f"; did you mean {near[0]}?" if near else "")
    if words := _WORDS.get(fault["type"]):
        return f"{place}: {words.format(**fault.get('ctx', {}))}"
    return f"{place}: {fault['msg'].removeprefix('Value error, ')}"


def _known(model: Any, place: tuple[Any, ...]) -> list[str]:
    """Return the names that `model` knows at a place within it."""
    for step in place:
        model = get_args(model)[0] if isinstance(step, int) else model.model_fields[step].annotation
        if isinstance(model, UnionType):  # a table that may be left out
            model = get_args(model)[0]
    return list(model.model_fields)
