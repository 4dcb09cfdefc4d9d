"""Faults of a line: what to say about it, and the line that was probably meant.

A suggestion is a reading that works: words near the one that stopped the line are put in its place, nearest first, and the
first line that reads as a whole is offered.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from difflib import SequenceMatcher
from itertools import islice

from pbem.engine.errors import Ambiguous, NotAllowed, OrderError, Unreadable
from pbem.engine.usage import Key, Scan, Slot

Attempt = Callable[[str], Scan | None]
"""Tries to read a line: None if it reads as a whole, else the scan that says where it stopped."""

TRIES = 12
LONGEST = 300
MOST = 30
"""Lines tried in all: mending must not take long, whatever was written."""


def distance(one: str, other: str, limit: int) -> int:
    """Typing errors between two words (letter left out, put in, exchanged, or two swapped); `limit` + 1 if more."""
    while one and other and one[0] == other[0]:
        one, other = one[1:], other[1:]
    while one and other and one[-1] == other[-1]:
        one, other = one[:-1], other[:-1]
    if abs(len(one) - len(other)) > limit or (limit == 1 and max(len(one), len(other)) > 2):
        return limit + 1
    before: list[int] = []
    row = list(range(len(other) + 1))
    for i, a in enumerate(one, 1):
        older, before, row = before, row, [i]
        for j, b in enumerate(other, 1):
            cost = min(before[j] + 1, row[-1] + 1, before[j - 1] + (a != b))
            if i > 1 and j > 1 and a == other[j - 2] and one[i - 2] == b:
                cost = min(cost, older[j - 2] + 1)
            row.append(cost)
        if min(row) > limit and min(before) > limit:
            return limit + 1
    return row[-1]


def near(word: str, candidates: Iterable[str], present: Sequence[str] = ()) -> list[str]:
    """Those of `candidates` that `word` may be a misspelling of, the nearest first. Among equals those already `present` on the
    line come last; what is equal still keeps its order."""
    limit = 1 if len(word) <= 3 else 2
    scored = []
    for candidate in dict.fromkeys(candidates):
        off = distance(word, candidate.lower(), limit)
        if 0 < off <= limit and off < max(len(word), len(candidate)):
            alike = SequenceMatcher(None, word, candidate.lower(), autojunk=False).ratio()
            scored.append((off, candidate.lower() in present, -alike, candidate))
    return [score[-1] for score in sorted(scored, key=lambda score: score[:3])]


def complaint(scan: Scan) -> OrderError:
    """Why the line cannot be read, pointing at the first word that no reading could use."""
    for miss in scan.misses:
        if miss.error is not None:
            return miss.error
    wanted = list(dict.fromkeys(miss.wanted.name for miss in scan.misses if miss.wanted is not None))
    if scan.furthest >= scan.length:
        end = scan.pieces[-1].end if scan.pieces else 0
        text = f"The line ends too soon; missing: {_either(wanted)}."
        return Unreadable(text, legal=wanted, column=end, length=1)
    piece = scan.pieces[scan.furthest]
    column, length = piece.column, len(piece.text)
    keys = [miss.wanted.word for miss in scan.misses if isinstance(miss.wanted, Key)]
    begun = sorted({key for key in keys if len(piece.text) > 1 and key.startswith(piece.text.lower())})
    if len(begun) > 1:
        text = f'"{piece.text}": {" or ".join(begun)}?'
        return Ambiguous(text, legal=begun, column=column, length=length)
    return Unreadable(_unknown(scan, piece.text, wanted), legal=wanted, column=column, length=length)


def _unknown(scan: Scan, word: str, wanted: list[str]) -> str:
    slots = [miss.wanted for miss in scan.misses if isinstance(miss.wanted, Slot)]
    types = {slot.type.title for slot in slots}
    digits = any(letter.isdigit() for letter in word)
    if not wanted:
        return f'The order is complete before "{word}".'
    if digits and types & {"a unit", "units"} and not (word.isdigit() and scan.furthest):
        closest = near(word.lower(), slots[0].candidates(scan))[:3]
        return f'There is no unit "{word}".' + (f" The closest is {closest[0]}." if closest else "")
    if digits and types & {"a hex", "hexes", "the hexes of a path"}:
        return f'There is no hex "{word}" on the map.'
    if not word[0].isalnum() or word.lower() in scan.reserved or digits:
        return f'"{word}" cannot stand here; wanted: {_either(wanted)}.'
    if any(
        near(word.lower(), miss.wanted.candidates(scan)) for miss in scan.misses if miss.wanted is not None
    ):
        return f'I do not know the word "{word}".'
    return f'I do not know the word "{word}"; wanted: {_either(wanted)}.'


def _either(wanted: list[str]) -> str:
    shown = wanted[:5]
    return " or ".join([", ".join(shown[:-1]), shown[-1]] if len(shown) > 1 else shown or ["something"])


def suggestion(scan: Scan, attempt: Attempt, rounds: int = 2) -> str:
    """A line near this one that reads as a whole; "" if there is none, or if several hexes are equally near."""
    further: list[Scan] = []
    for line in islice(_mended(scan), MOST) if len(scan.line) <= LONGEST else ():
        left = attempt(line)
        if left is None:
            return line.strip()
        refused = any(isinstance(miss.error, NotAllowed) for miss in left.misses)
        if left.furthest > scan.furthest and not refused:
            further.append(left)
    for left in further[:2] if rounds > 1 else ():
        if line := suggestion(left, attempt, rounds - 1):
            return line
    return ""


def _mended(scan: Scan) -> Iterator[str]:
    """Lines with one thing changed, the likeliest first."""
    for miss in scan.misses:
        if miss.error is not None and miss.replace:
            column = miss.error.column
            yield scan.line[:column] + miss.replace + scan.line[column + miss.error.length :]
        elif isinstance(miss.error, Ambiguous):
            return
    if scan.furthest < scan.length:
        word = scan.keys[scan.furthest]
        for candidate in near(word, _candidates(scan), scan.keys)[:TRIES]:
            yield _with(scan, scan.furthest, candidate)
    for at in range(min(scan.furthest, scan.length) - 1, -1, -1):
        if scan.keys[at].isalpha() and scan.keys[at] not in scan.reserved:
            for candidate in near(scan.keys[at], sorted(scan.reserved))[:2]:
                yield _with(scan, at, candidate)


def _candidates(scan: Scan) -> list[str]:
    word = scan.keys[scan.furthest]
    found: dict[str, None] = {}
    for miss in scan.misses:
        if miss.wanted is None:
            continue
        names = miss.wanted.candidates(scan)
        if isinstance(miss.wanted, Slot) and miss.wanted.type.title in (
            "a hex",
            "hexes",
            "the hexes of a path",
        ):
            # Most misspelt hexes are one keystroke from half a dozen others: a guess would be worse than none.
            close = [name for name in names if distance(word, name.lower(), 1) == 1]
            names = close if len(close) == 1 else []
        found |= dict.fromkeys(names)
    return list(found)


def _with(scan: Scan, at: int, word: str) -> str:
    piece = scan.pieces[at]
    return scan.line[: piece.column] + word + scan.line[piece.end :]
