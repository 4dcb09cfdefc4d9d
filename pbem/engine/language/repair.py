"""Faults of a line: what to say about it, and the line that was probably meant.

A suggestion is a reading that works: words near the one that stopped the line are put in its place, nearest
first, and the first line that reads as a whole is offered.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from difflib import SequenceMatcher
from itertools import islice

from rapidfuzz.distance import OSA

from pbem.engine.errors import Ambiguous, NotAllowed, OrderError, Unreadable
from pbem.engine.language.limits import BOUNDS, REFUSALS, TIMES
from pbem.engine.language.names import PLURALS, SIZES, name_words, place_key
from pbem.engine.language.people import NOISE, NUMBERS, ORDINALS, VERBS
from pbem.engine.language.usage import SMALL, Key, Scan, Slot

Attempt = Callable[[str], Scan | None]
"""Tries to read a line: None if it reads as a whole, else the scan that says where it stopped."""

Whole = Callable[[str, str], bool]
"""Whether a line that is offered says all that was written (whole.py)."""

HEXES = ("a hex", "hexes", "the hexes of a path")
"""The titles of the slots that take hexes."""
TRIES = 12
LONGEST = 300
MOST = 30
"""Try at most this many lines: repair must be quick, whatever the text."""


def distance(one: str, other: str, limit: int) -> int:
    """Typing errors between two words (letter left out, put in, exchanged, or two swapped); `limit` + 1 if
    more."""
    return OSA.distance(one, other, score_cutoff=limit)


PRONOUNS = frozenset("it it's its that that's they them he his".split())
"""Words that are a slip of no name."""


def near(word: str, candidates: Iterable[str], present: Sequence[str] = ()) -> list[str]:
    """Those of `candidates` that `word` may be a misspelling of, the nearest first. Among equals those
    already `present` on the line come last; what is equal still keeps its order."""
    if word in PRONOUNS:
        return []
    limit = 1 if len(word) <= 4 else 2
    scored = []
    for candidate in dict.fromkeys(candidates):
        off = distance(word, candidate.lower(), limit)
        if 0 < off <= limit and off < max(len(word), len(candidate)):
            alike = SequenceMatcher(None, word, candidate.lower(), autojunk=False).ratio()
            scored.append((off, candidate.lower() in present, -alike, candidate))
    return [score[-1] for score in sorted(scored, key=lambda score: score[:3])]


def complaint(scan: Scan) -> OrderError:
    """Return why the line cannot be read, pointing at the first word that no reading could use."""
    for miss in scan.misses:
        if miss.error is not None:
            return miss.error
    wanted = list(dict.fromkeys(miss.wanted.name for miss in scan.misses if miss.wanted is not None))
    if scan.furthest >= scan.length:
        end = scan.pieces[-1].end if scan.pieces else 0
        text = f"incomplete: expected {_either(wanted)}"
        return Unreadable(text, legal=wanted, column=end, length=1)
    if place := misspelt_place(scan):
        name, column, length = place
        written = scan.line[column : column + length]
        text = f'there is no place "{written}" on the map; the closest is {name}'
        return Unreadable(text, legal=[name], column=column, length=length)
    piece = scan.pieces[scan.furthest]
    column, length = piece.column, piece.width or len(piece.text)
    keys = [miss.wanted.word for miss in scan.misses if isinstance(miss.wanted, Key)]
    short = piece.text.lower() if len(piece.text) > 1 and piece.text.lower() not in SMALL else "-"
    begun = sorted({key for key in keys if key.startswith(short)})
    if len(begun) > 1:
        text = f'"{piece.text}": {" or ".join(begun)}?'
        return Ambiguous(text, legal=begun, column=column, length=length)
    text = _unknown(scan, piece.text, wanted) + _also_unknown(scan)
    return Unreadable(text, legal=wanted, column=column, length=length)


def _also_unknown(scan: Scan) -> str:
    """The further names of a list of units of which the first bad one has just been named."""
    slots = [miss.wanted for miss in scan.misses if isinstance(miss.wanted, Slot)]
    if "units" not in {slot.type.title for slot in slots}:
        return ""
    bad: list[str] = []
    for at in range(scan.furthest + 1, scan.length):
        word, before = scan.keys[at], scan.keys[at - 1]
        if word in scan.reserved and word not in ("and", ","):
            break
        if before in (",", "and") and scan.names.meant(scan.words(at), scan.reserved) is None:
            bad.append(f'"{scan.pieces[at].text}"')
    return f"; also unknown: {', '.join(bad)}" if bad else ""


def _unknown(scan: Scan, word: str, wanted: list[str]) -> str:
    slots = [miss.wanted for miss in scan.misses if isinstance(miss.wanted, Slot)]
    types = {slot.type.title for slot in slots}
    digits = any(letter.isdecimal() for letter in word)
    if not wanted:
        return f'unexpected "{word}": the order was already complete'
    sized = name_words(scan.keys[scan.furthest + 1]) & SIZES and types & {"a unit", "units"}
    if sized and (meant := scan.names.meant([word], scan.reserved)):
        unit, behind = scan.names.roster.units[meant.units[0]], scan.pieces[scan.furthest + 1].text
        return f'there is no unit "{word} {behind}"; {unit.id} is the {unit.name}'
    units_alone = types <= {"a unit", "units"} and len(types) == len(wanted)
    if digits and types & {"a unit", "units"} and (units_alone or not (word.isdecimal() and scan.furthest)):
        closest = near(word.lower(), slots[0].candidates(scan))[:3]
        several = close_units(scan)
        if len(several) > 1:
            return f'there is no unit "{word}"; the closest are {", ".join(several[:MOST_EITHER])}'
        return f'there is no unit "{word}"' + (f"; the closest is {closest[0]}" if closest else "")
    if digits and types & set(HEXES):
        return f'there is no hex "{word}" on the map'
    if not word[0].isalnum() or word.lower() in scan.reserved or digits:
        return f'"{word}" is not allowed here; expected {_either(wanted)}'
    if any(
        near(word.lower(), miss.wanted.candidates(scan)) for miss in scan.misses if miss.wanted is not None
    ):
        return f'unknown word "{word}"'
    if types and types <= set(HEXES) and len(types) == len(wanted):
        return f'there is no place "{word}" on the map; give the number of the hex'
    return f'unknown word "{word}"; expected {_either(wanted)}'


def _either(wanted: list[str]) -> str:
    shown = wanted[:5]
    return " or ".join([", ".join(shown[:-1]), shown[-1]] if len(shown) > 1 else shown or ["something"])


SUPPORT = frozenset(
    "support supported air naval fleet ship ships destroyer destroyers cruiser cruisers battleship "
    "battleships bomber bombers fighter fighters tactical heavy heavies artillery gun guns gunfire barrage "
    "bombardment reserve administrative admin".split()
)
"""Words of what helps a battle or of how a march is made: without them a line would say less."""

TELLING = frozenset("from at in on against to with via through or if then else until lose by there".split())
"""Words that say how others hang together: a line without one of them would say something else."""

DROPPED = 6
"""The most words that are left out of a line to find what it says."""

_SEPARATORS = (r"\s*;\s*", r"\.\s+", r",?\s+(?:and\s+)?then\s+", r",\s+and\s+|,\s+|\s+and\s+")
_EITHER = re.compile(
    r"(?:try\s+)?(?P<head>.*?\bto\s+)(?P<one>\w*\d{4})\s+or\s+(?:to\s+)?(?P<other>\w*\d{4})\s*$",
    re.IGNORECASE,
)
_STACK = re.compile(
    r"\s*(?P<hex>\w{0,2}\d{4})\s*(?::|-|–|->|=?>|→|to)\s*(?P<way>\w{0,2}\d{4}.*)", re.IGNORECASE
)
_ORIGINS = re.compile(
    r"(?P<head>.*\d{4})\s+from\s+"
    r"(?P<origins>\w{0,2}\d{4}(?:(?:,\s*|\s+and\s+|\s*&\s*)\w{0,2}\d{4})*)(?P<rest>.*)",
    re.IGNORECASE,
)
_PARTED = re.compile(r"\b(\d\d)\s+(\d\d)\b")


Complete = Callable[[str, str], str]
"""Makes a whole order of a part of a line, given the order before it: the part itself, or with the units of
that order; "" if neither reads."""


def split_orders(line: str, complete: Complete, most: int = 8) -> list[str]:
    """The orders that a line holds one after another; none if it cannot be divided so."""
    line = line.strip().rstrip(".")
    for words in (line, line.partition(":")[2].strip()):
        for separator in _SEPARATORS:
            parts = [part.strip() for part in re.split(separator, words) if part.strip()]
            if 1 < len(parts) <= most and (found := _all_complete(parts, complete)):
                return found
        pieces = re.split(r"(,\s+(?:and\s+)?(?:then\s+)?|;\s*|\.\s+|\s+and\s+(?:then\s+)?)", words)
        if 3 <= len(pieces) <= 2 * most and (found := _divided(pieces, complete)):
            return found
    return []


def _all_complete(parts: Sequence[str], complete: Complete) -> list[str]:
    found: list[str] = []
    for part in parts:
        whole = complete(part, found[-1] if found else "")
        if not whole:
            return []
        found.append(whole)
    return found


def _divided(words: Sequence[str], complete: Complete) -> list[str]:
    """Parts (with what joins them in between) put together again so that each whole reads; the fewest wholes
    that do."""
    count = len(words) // 2 + 1
    best: list[list[str] | None] = [[], *[None] * count]
    for end in range(1, count + 1):
        for start in range(end):
            before = best[start]
            if before is None or len(best[end] or range(count + 1)) <= len(before) + 1:
                continue
            part = "".join(words[2 * start : 2 * end - 1]).strip()
            if (
                before
                and end - start > 1
                and complete(before[-1] + "".join(words[2 * start - 1 : 2 * start + 1]), "")
            ):
                continue  # "attack 1217 with 35US, 9US, then ...": 9US belongs to the attack
            if whole := complete(part, before[-1] if before else ""):
                best[end] = [*before, whole]
    found = best[count] or []
    return found if len(found) > 1 else []


MOST_EITHER = 6
"""The most units that a name may fit for a line with each to be offered."""


MOST_UNCLEAR = 3
"""The most names of a line that may each fit several units for lines with all of them to be offered."""


def either(scan: Scan, attempt: Attempt) -> tuple[str, ...]:
    """The line with each of the few units or hexes that a name of it may mean, as far as it reads then. Where
    several names are unclear these are lines with one meaning of each, those first whose units are of one
    sort; at most `MOST_EITHER`."""
    found = list(islice(_with_each(scan, attempt, MOST_UNCLEAR, ()), MOST))
    alike = sorted(found, key=lambda each: len({_letters(name) for name in each[1]}))
    return tuple(dict.fromkeys(line for line, _ in alike[:MOST_EITHER]))


def _with_each(
    scan: Scan, attempt: Attempt, names_left: int, chosen: tuple[str, ...]
) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Lines with one of the meanings of each unclear name, and these meanings."""
    names, start, end = _meanings(scan)
    for name in names if len(names) <= MOST_EITHER else ():
        line = f"{scan.line[:start]}{name}{scan.line[end:]}".strip()
        left = attempt(line)
        if left is None:
            yield line, (*chosen, name)
        elif names_left > 1 and left.furthest > scan.furthest and any(miss.either for miss in left.misses):
            yield from _with_each(left, attempt, names_left - 1, (*chosen, name))


def _meanings(scan: Scan) -> tuple[Sequence[str], int, int]:
    """What the name that stopped the line may mean, and where it stands."""
    miss = next((miss for miss in scan.misses if miss.either and miss.error is not None), None)
    if miss is not None and miss.error is not None:
        return miss.either, miss.error.column, miss.error.column + miss.error.length
    if place := misspelt_place(scan):
        name, start, width = place
        return scan.names.roster.places[name], start, start + width
    if scan.furthest < scan.length:
        piece = scan.pieces[scan.furthest]
        return close_units(scan), piece.column, piece.end
    return (), 0, 0


def _letters(name: str) -> str:
    """What sort of unit an id is of, as far as that can be seen: ``Inf`` of 35Inf, ``/4`` of 8/4."""
    return re.sub(r"^\d+", "", name)


def close_units(scan: Scan) -> list[str]:
    """The units of which the word that stopped the line is a slip: the nearest, one's own before the enemy's
    and those that the line has not named yet before the others. A word with figures is one slip away at most,
    since the next number is another unit."""
    slots = [miss.wanted for miss in scan.misses if isinstance(miss.wanted, Slot)]
    if scan.furthest >= scan.length or not any(slot.type.title in ("a unit", "units") for slot in slots):
        return []
    word, units = scan.keys[scan.furthest], scan.names.roster.units
    limit = 1 if len(word) <= 3 or any(map(str.isdecimal, word)) else 2
    off: dict[str, int] = {}
    for unit in units.values():
        slips = distance(word, unit.id.lower(), limit)
        known = unit.here or (not unit.gone and not unit.absent and _figures(word) == _figures(unit.id))
        if known and 0 < slips <= limit and slips < max(len(word), len(unit.id)):
            off[unit.id] = slips
    found = [name for name in off if not units[name].enemy] or list(off)
    found = [name for name in found if units[name].here] or found
    found = [name for name in found if name.lower() not in scan.keys] or found
    return [name for name in found if off[name] == min(off[each] for each in found)]


def _figures(word: str) -> list[str]:
    return re.findall(r"\d", word)


def gist(scan: Scan, attempt: Attempt, verbs: frozenset[str] = frozenset()) -> str:
    """The line without the words that nothing makes sense of, if it reads then; "" if it does not, or if it
    says `not`. No verb, one of `verbs` or another, is left out."""
    if any(key in REFUSALS for key in scan.keys) or len(scan.line) > LONGEST:
        return ""
    line, left = scan.line, scan
    for dropped in range(DROPPED):
        if left.furthest >= left.length:
            return ""
        piece = left.pieces[left.furthest]
        digits = any(map(str.isdecimal, piece.text)) and (dropped or left.furthest)
        if digits or piece.text.lower().removesuffix("s") in verbs | VERBS or _tells(left, left.furthest):
            return ""
        line = line[: piece.column] + " " * piece.width + line[piece.end :]
        again = attempt(line)
        if again is None:
            return " ".join(line.split()).replace(" ,", ",")
        if again is scan:
            return ""
        left = again
    return ""


def _tells(scan: Scan, at: int) -> bool:
    """Whether a word must not be left out: it names a unit, or what the line says hangs on it."""
    word = scan.keys[at]
    if (
        word in TELLING
        or word in TIMES | BOUNDS | PLURALS | WHOSE
        or word in SUPPORT
        or "/" in word
        or any(isinstance(miss.error, Ambiguous) for miss in scan.misses)
    ):
        return True
    wanted = [miss.wanted.type.title for miss in scan.misses if isinstance(miss.wanted, Slot)]
    joined = {scan.keys[at + 1], scan.keys[at - 1] if at else ""} & {",", "&", "and", "+"}
    if joined and "units" in wanted:
        return True
    return scan.names.meant(scan.words(at), scan.reserved) is not None


LABEL = (r"^[^:]{1,40}:\s*(?=\S)", "")
"""Words with a colon in front of an order, which say what it is for."""
_WHO = r"(?P<who>[^,;.]+?)"
REWORDED: tuple[tuple[re.Pattern[str], str], ...] = tuple(
    (re.compile(pattern, re.IGNORECASE), instead)
    for pattern, instead in (
        (
            rf",\s*(?:and\s+)?{_WHO}\s+(?:then\s+)?(?:advances?|goes in(?: afterwards)?|follows up)\b"
            r"(?:\s+(?:then|afterwards|if (?:they|it|he|the enemy|the defenders?)\s+"
            r"(?:goes?|retreats?|leaves?|falls? back|dies?)))?",
            r", advance \g<who>",
        ),
        (rf",\s*(?:and\s+)?{_WHO}\s+(?:leads|leading|in the lead|takes the lead)\b", r", led by \g<who>"),
        (r",\s*lead(?:er)?\s+(?P<who>[^,;.]+)", r", led by \g<who>"),
        (
            rf",\s*(?:and\s+)?(?:HQ\s+)?{_WHO}\s+(?:supports?|helping|helps?|in support)\b",
            r", support of \g<who>",
        ),
        (
            r"\s+(?:with|w/)\s+(?P<who>(?!(?:naval|air|tac|tactical|heavy|medium|light|artillery|any)\b)"
            r"[^,;.]+?)\s+support\b(?!\s+of)",
            r", support of \g<who>",
        ),
        (r",\s*supp?(?:ort)?\.?\s+(?!of|by|from)(?P<who>[^,;.]+)", r", support of \g<who>"),
        (
            rf",\s*(?:and\s+)?{_WHO}\s+takes?\s+(?:the\s+)?(?:first\s+)?loss(?:es)?(?:\s+first)?\b",
            r", lose \g<who>",
        ),
        (r"[,.]\s*(?:nobody|no one|none|do not|don't|dont|no)\s+(?:to\s+)?advances?\b", ", no advance"),
        (r",\s*adv\.?\s+", ", advance "),
        (r"\b(?:att|atk)\.?\s+(?=\w*\d{4})", "attack "),
        (
            r",?\s*(?:but\s+)?(?:only\s+)?(?:if\s+|at\s+|with\s+|odds\s+|of\s+)*"
            r"(?:at\s+least|min(?:imum|\.)?|not\s+(?:if\s+|at\s+)?(?:below|under))\s+"
            r"(?P<odds>\d[:-]\d)(?:\s+or better)?",
            r" at \g<odds> or better",
        ),
        (
            r",?\s*(?:but\s+)?(?:only\s+)?(?:if\s+|at\s+)*(?P<odds>\d[:-]\d)"
            r"(?:\+|\s+or\s+(?:more|better)|\s+minimum)",
            r" at \g<odds> or better",
        ),
        (
            r",?\s*\b(?:(?:with|plus|and)\s+)?(?:(?:1|one|a|the)\s+)?"
            r"(?:tac(?:tical)?\.?\s+air|air\s+tac(?:tical)?)\b(?:\s+(?:marker|support))?",
            ", air tactical",
        ),
        (
            r",?\s*\b(?:(?:with|plus|and)\s+)?(?:the\s+)?heav(?:y bombers|ies)\b(?:\s+in\s+support)?",
            ", air heavy",
        ),
        (
            r"(?P<hex>\d{4})(?P<between>[^.;]*?)\bif\s+(?:it|that|the hex)\s+is\b",
            r"\g<hex>\g<between>if \g<hex> is",
        ),
        (
            r"\bto\s+(?P<hex>[^,;.]+?)(?P<between>,?\s+)if\s+"
            r"(?:nobody\s+is\s+(?:there|in\s+it)|(?:it\s+is\s+)?empty)\b",
            r"to \g<hex>\g<between>if \g<hex> is empty",
        ),
        (
            r",?\s*(?:with\s+)?naval\s+(?:gunfire\s+)?support\s+(?:of\s+)?(?P<points>\d+)"
            r"(?:\s+(?:points|destroyers|cruisers|ships))?",
            r" guns \g<points>",
        ),
        *(
            (rf"\b{ordinal}\s+(?P<what>increment|inc|box|round)\b", rf"\g<what> {number}")
            for number, ordinal in enumerate(ORDINALS, 1)
        ),
        (r",?\s+(?:as well|too)(?=[.!\s]*$)", ""),
        LABEL,
    )
)
"""What people write, and the words of the order language that say it: tried one after another, then all
together."""


def reworded(line: str, more: Sequence[tuple[re.Pattern[str], str]] = ()) -> Iterator[str]:
    """The line in other words for what people mean by some that pbem does not read: ``to A or B``, ``52 30``,
    ``, 4US advances``. `more` are turns of phrase of one game."""
    fitting = [(pattern, instead) for pattern, instead in (*more, *REWORDED) if pattern.search(line)]
    for pattern, instead in fitting:
        yield pattern.sub(instead, line)
    together = line
    for pattern, instead in fitting[: None if len(fitting) > 1 else 0]:
        together = pattern.sub(instead, together)
    if together != line:
        yield together
    if either := _EITHER.match(line.strip()):
        yield f"try {either['head']}{either['one']}, else {either['head']}{either['other']}"
    if _PARTED.search(line):
        yield _PARTED.sub(r"\1\2", line)
    if origins := _ORIGINS.match(line):
        units = ", ".join(f"all at {hex}" for hex in re.findall(r"\w{0,2}\d{4}", origins["origins"]))
        yield f"{origins['head']} with {units}{origins['rest']}"
    if stack := _STACK.match(line):
        yield f"all at {stack['hex']} to {stack['way']}"


def suggestion(
    scan: Scan,
    attempt: Attempt,
    more: Sequence[tuple[re.Pattern[str], str]] = (),
    verbs: frozenset[str] = frozenset(),
    whole: Whole = lambda line, offer: True,
) -> str:
    """Return a similar line that reads as a whole, or the line without its unknown words; "" if there is
    none. `verbs` may begin an order here. What the tables of turns put in other words says the same; of
    everything else, `whole` tells whether an offer says all that its line does."""

    def kept(line: str) -> Attempt:
        return lambda offer: attempt(offer) or (None if whole(line, offer) else scan)

    for miss in scan.misses:
        if miss.error is not None and miss.replace and not miss.replace.startswith("at "):
            column = miss.error.column
            line = scan.line[:column] + miss.replace + scan.line[column + miss.error.length :]
            if attempt(line) is None:
                return line.strip()
    if close := corrected(scan, kept(scan.line)):
        return close
    others = list(reworded(scan.line, more))
    label = re.match(LABEL[0], scan.line)
    for line in others:
        if attempt(line) is None and (
            not label
            or line.startswith(label[0].rstrip())
            or whole(scan.line, line)
            or _turned(scan, line, more)
        ):
            return line.strip()
    if said := gist(scan, kept(scan.line), verbs):
        return said
    left = attempt(others[-1]) if others and not label else None
    if left is not None and (said := gist(left, kept(others[-1]), verbs)):
        return said
    for line in islice(_mended(scan), 3):
        if (left := attempt(line)) is not None and (said := gist(left, kept(scan.line), verbs)):
            return said
    return ""


def _turned(scan: Scan, line: str, more: Sequence[tuple[re.Pattern[str], str]]) -> bool:
    """Whether a line is what one turn of this game makes of that of `scan`."""
    return any(pattern.sub(instead, scan.line) == line for pattern, instead in more)


def corrected(scan: Scan, attempt: Attempt, rounds: int = 3) -> str:
    """A line with a typing error or two mended that reads as a whole; "" if there is none, or if several
    hexes are equally near."""
    further: list[Scan] = []
    for line in islice(_mended(scan), MOST) if len(scan.line) <= LONGEST else ():
        left = attempt(line)
        if left is None:
            return line.strip()
        refused = any(isinstance(miss.error, NotAllowed) for miss in left.misses)
        if left.furthest > scan.furthest and not refused:
            further.append(left)
    for left in further[:2] if rounds > 1 else ():
        if line := corrected(left, attempt, rounds - 1):
            return line
    return ""


CLAUSES = frozenset({"if", "else", "and", "then", "not", "try"})
"""Words that no one leaves out: inserted, they would make a different sentence."""

COURTESIES = ("please",)
"""Words at the end of a line that order nothing, also where they are misspelt; "tanks" are no thanks."""

JOINTS = frozenset("to with at on in from by for of is the via".split())
"""Words that are put in where one is missing: any other would make a different sentence."""

WHOSE = frozenset("us uk american americans british canadian canadians polish french german germans".split())
"""Words that say whose units are meant."""


def _mended(scan: Scan) -> Iterator[str]:
    """Lines with one thing changed, the likeliest first."""
    for miss in scan.misses:
        if miss.error is not None and miss.replace:
            column = miss.error.column
            yield scan.line[:column] + miss.replace + scan.line[column + miss.error.length :]
        elif isinstance(miss.error, Ambiguous):
            return
    if scan.furthest < scan.length and scan.keys[scan.furthest] not in REFUSALS | TIMES | BOUNDS:
        word = scan.keys[scan.furthest]
        wanted = [miss.wanted.type.title for miss in scan.misses if isinstance(miss.wanted, Slot)]
        counts = scan.furthest and scan.keys[scan.furthest - 1] in TELLING - CLAUSES
        if word in NUMBERS and counts and "a number" in wanted:
            yield _with(scan, scan.furthest, NUMBERS[word])
        if scan.furthest == scan.length - 1 and near(word, COURTESIES):
            yield scan.line[: scan.pieces[scan.furthest].column].rstrip(" ,")
        close = near(word, _candidates(scan), scan.keys)[:TRIES]
        verbs = _near_words(scan, scan.furthest) if scan.furthest else []
        for candidate in dict.fromkeys([*close, *verbs]):
            yield _with(scan, scan.furthest, candidate)
        yield from _with_place(scan)
        column = scan.pieces[scan.furthest].column
        for key in dict.fromkeys(miss.wanted.word for miss in scan.misses if isinstance(miss.wanted, Key)):
            refused = scan.keys[scan.furthest - 1] in REFUSALS  # "no support" is not "no advance, support"
            if key in JOINTS and scan.furthest > 1 and not refused:
                yield f"{scan.line[:column]}{key} {scan.line[column:]}"
    for at in range(min(scan.furthest, scan.length) - 1, -1, -1):
        if scan.keys[at] not in scan.reserved:
            for candidate in _near_words(scan, at):
                yield _with(scan, at, candidate)


def _near_words(scan: Scan, at: int) -> list[str]:
    """The words of the order language of which a word may be a misspelling."""
    word, capital = scan.keys[at], scan.pieces[at].text.istitle()
    if not word.isalpha() or word in SUPPORT or word in REFUSALS | TIMES | BOUNDS:
        return []
    return [each for each in near(word, sorted(scan.reserved - NOISE))[:2] if len(each) > 2 or not capital]


def misspelt_place(scan: Scan) -> tuple[str, int, int] | None:
    """The place of which the words that stopped the line are a misspelling, with the column and width of
    these words: ``Le Harve``. None if several are equally near, or the line wants no hex there."""
    if not any(isinstance(miss.wanted, Slot) and miss.wanted.type.title in HEXES for miss in scan.misses):
        return None
    places = {place_key(name): name for name in scan.names.roster.places}
    words = scan.words(scan.furthest)
    for length in range(len(words) if words[:1] and words[0][:1].isupper() else 0, 0, -1):
        written = place_key(" ".join(words[:length]))
        limit = 1 if len(written) < 8 else 2
        close = [
            key for key in near(written, places) if len(key) > 3 and distance(written, key, limit) <= limit
        ]
        if close and (len(close) == 1 or distance(written, close[0], 1) < distance(written, close[1], 1)):
            return (places[close[0]], *scan.span(scan.furthest, scan.furthest + length))
    return None


def _with_place(scan: Scan) -> Iterator[str]:
    """The line with the place that its writer misspelt."""
    if found := misspelt_place(scan):
        name, column, width = found
        yield scan.line[:column] + name + scan.line[column + width :]


def _candidates(scan: Scan) -> list[str]:
    word = scan.keys[scan.furthest]
    found: dict[str, None] = {}
    for miss in scan.misses:
        if miss.wanted is None:
            continue
        names = miss.wanted.candidates(scan)
        if isinstance(miss.wanted, Slot) and miss.wanted.type.title in ("a unit", "units"):
            units = close_units(scan)
            names = units if len(units) == 1 else []
        if isinstance(miss.wanted, Slot) and miss.wanted.type.title in HEXES:
            # Most misspelt hexes are one keystroke from half a dozen others: a guess would be worse than
            # none.
            close = [name for name in names if distance(word, name.lower(), 1) == 1]
            names = close if len(close) == 1 else []
        found |= dict.fromkeys(names)
    return list(found)


def _with(scan: Scan, at: int, word: str) -> str:
    piece = scan.pieces[at]
    return scan.line[: piece.column] + word + scan.line[piece.end :]
