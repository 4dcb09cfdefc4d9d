"""The choices of a question, as letters print them and as players name them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from typing import Any


def choice_letter(number: int) -> str:
    """The letter by which an option is chosen: a to z, then aa, ab."""
    return chr(97 + number) if number < 26 else choice_letter(number // 26 - 1) + choice_letter(number % 26)


def chosen(options: Sequence[Any], text: str) -> int | None:
    """Which of `options` some words name: by its letter, by its text, by both, by the beginning of its text
    alone, or by words that one option alone has, in any order; None if they name none."""
    word = re.sub(r"\s+", " ", text.strip().strip(".!()\"'“”").lower())
    word = _CALLED.sub("", word)
    if not word:
        return None
    written = [str(option).lower() for option in options]
    for at, option in enumerate(written):
        if word in (choice_letter(at), option):
            return at
    letter, _, rest = word.partition(" ")
    if rest and letter in map(choice_letter, range(len(written))):
        at = list(map(choice_letter, range(len(written)))).index(letter)
        return at if chosen(options, rest) == at else None
    begun = [
        at
        for at, option in enumerate(written)
        if len(word) > 1 and option.startswith(word) and not _MORE.match(option, len(word))
    ]
    if begun:
        return begun[0] if len(begun) == 1 else None
    return _by_words(written, word)


_CALLED = re.compile(r"^(?:option|choice|answer|number|letter|i take|i choose)\s+(?=[a-z]$)")
_MORE = re.compile(r"\s*(?:[,&+]|and\b)")
"""What an option goes on with that names more: ``lose 9US`` is not ``lose 9US, 35US``."""
_WORD = re.compile(r"[^\s,;:()&+]+")
_ABOUT = frozenset("the a to in at on with and please i we take takes choose chose option lose loses".split())
"""Words around the words of a choice."""


def _by_words(options: Sequence[str], text: str) -> int | None:
    """The only option whose words are those of the text; else the only one that has all of these among
    others. Words that all options have tell nothing."""
    words = [[word.strip(".!") for word in _WORD.findall(option)] for option in options]
    common = set.intersection(*map(set, words)) if len(words) > 1 else set()
    wanted = [word.strip(".!") for word in _WORD.findall(text)]
    wanted = [word for word in wanted if word not in _ABOUT | common]
    telling = [[word for word in each if word not in _ABOUT | common] for each in words]
    if not wanted or (len(wanted) == 1 and len(wanted[0]) == 1):
        return None
    for fits in (
        [at for at, each in enumerate(telling) if sorted(each) == sorted(wanted)],
        [at for at, each in enumerate(telling) if not Counter(wanted) - Counter(each)],
    ):
        if fits:
            return fits[0] if len(fits) == 1 else None
    return None
