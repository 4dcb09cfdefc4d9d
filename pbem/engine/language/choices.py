"""The choices of a question, as letters print them and as players name them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any


def choice_letter(number: int) -> str:
    """The letter by which an option is chosen: a to z, then aa, ab."""
    return chr(97 + number) if number < 26 else choice_letter(number // 26 - 1) + choice_letter(number % 26)


def chosen(options: Sequence[Any], text: str) -> int | None:
    """Which of `options` some words name: by its letter, by its text, or by the beginning of its text alone;
    None if they name none."""
    word = re.sub(r"\s+", " ", text.strip().strip(".!()").lower())
    if not word:
        return None
    written = [str(option).lower() for option in options]
    for at, option in enumerate(written):
        if word in (choice_letter(at), option):
            return at
    begun = [at for at, option in enumerate(written) if len(word) > 1 and option.startswith(word)]
    return begun[0] if len(begun) == 1 else None
