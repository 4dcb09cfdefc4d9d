"""Words that every game's letters use alike."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction

NAMED = 6
"""List at most this many names, or one more; count the rest."""

_PLURALS = {"hex": "hexes", "die": "dice"}


def some(names: Sequence[str], most: int = NAMED) -> str:
    """Return the first few names of a list, and how many more there are; a single one more is named."""
    if len(names) <= most + 1:
        return ", ".join(names)
    return f"{', '.join(names[:most])} and {len(names) - most} more"


def count(number: int, what: str, several: str = "") -> str:
    """Return the number with its noun: ``1 hex``, ``3 hexes``, ``2 dice``.

    `several` is the plural of an irregular noun that is not in the table; of a
    compound only the last word is looked up.
    """
    if number == 1:
        return f"{number} {what}"
    before, space, last = what.rpartition(" ")
    return f"{number} {several or before + space + _PLURALS.get(last, last + 's')}"


def sentence(*parts: str) -> str:
    """Join the parts that say something into a sentence: ``Snow; Allied initiative.``; "" if none does."""
    text = "; ".join(part for part in parts if part)
    return f"{text[:1].upper()}{text[1:]}." if text else ""


def percent(chance: Fraction | float) -> str:
    """Return a chance in words: ``17%``. Never round to 0 or 100 what is not impossible or certain."""
    whole = round(100 * chance)
    if whole == 0 and chance > 0:
        return "under 1%"
    if whole == 100 and chance < 1:
        return "over 99%"
    return f"{whole}%"


def unknown(there_is_no: str, name: str, known: Iterable[str]) -> str:
    """Return that a name is not known, with all that are and the one that was probably meant.

    ``no game "rampge"; there are: falaise, rampage; did you mean rampage?``
    """
    from difflib import get_close_matches

    names = list(known)
    near = get_close_matches(name.lower(), names, 1)
    meant = f"; did you mean {near[0]}?" if near else ""
    return f'{there_is_no} "{name}"; there are: {", ".join(names) or "none"}{meant}'
