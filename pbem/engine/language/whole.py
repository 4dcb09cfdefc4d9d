"""No offer says less than what was written.

Every word of a line must stand in the line that is offered instead: as itself, as the mended spelling of
itself, as a word of the same meaning, as the name that it is part of, or as a filler. What cannot be offered
whole gets no offer.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from itertools import chain

from pbem.engine.language.names import LONGEST_NAME, Names, folded
from pbem.engine.language.people import FAMILIES, NOISE, NUMBERS, ORDINALS, STAY, TOGETHER
from pbem.engine.language.repair import COURTESIES, distance

FILLERS = (NOISE - {"both", "again"}) | frozenset(
    "a an and as back by down each for forward forwards in into inland it its quick quickly fast now of on "
    "onto our out over own please road roads straight still then there this to toward towards turn up us via "
    "we i will with would like want at against through phase is are be me my you your do der die "
    "das den dem le la les el los las de du des y und et con avec mit uses using "
    "too well takes take gets get goes go moves move him her his their them they yes along using upon till "
    "nach zu zum zur auf vers hacia naar w/ "
    "corps korps division divisions div hq army armee armeekorps brigade bde regiment marker markers".split()
)
"""Words that an order means without saying them: articles, prepositions, and what asks politely."""

_SAME = (
    "lead leads led leading leader leadership",
    "support supports supported supporting supp helps helping help aid",
    "loss losses lose loses loosing",
    "advance advances advancing adv",
    "no not nobody none nothing never dont don't without neither nicht kein keine keinen",
    "air aircraft plane planes airforce",
    "tactical tac",
    "heavy heavies",
    "gun guns gunfire naval navy destroyer destroyers cruiser cruisers battleship battleships ship ships",
    "fighter fighters",
    "bomber bombers",
    "point points pt pts rp rps sp",
    "increment increments inc box boxes",
    "artillery arty",
    "if wenn si",
    "else otherwise sonst",
    "empty nobody-there free vacant unoccupied",
    "all everything everyone everybody whole stack alles alle",
    "road strasse",
)
_CANONICAL = {word: group.split()[0] for group in _SAME for word in group.split()}
for _family in FAMILIES[::-1]:
    for _word in _family:
        _CANONICAL.setdefault(_word, _family[0])
for _word in STAY:
    _CANONICAL[_word] = "stay"

_EVERY = frozenset("all both every each".split())
_RANKS = frozenset("corps korps division divisions brigade regiment".split())
"""Fillers that say which units are meant behind one of `_EVERY`: ``all divisions``."""

_FIGURES = NUMBERS | {word: str(number) for number, word in enumerate(ORDINALS, 1)}

_ODDS = re.compile(
    r"(?:\b(?:but|only|if|at|with|on|not|odds|of|are|the|we|get|have|is|a|an|any)\s+)*"
    r"(?:\b(?:at\s+least|min(?:imum)?\b\.?|not\s+(?:below|under|worse\s+than|less\s+than)|no\s+worse\s+than"
    r"|no\s+less\s+than|below|under)\s*)?"
    r"\b(?P<one>\d{1,2})(?:\s*[-:]\s*|\s+to\s+)(?P<other>\d{1,2})\b(?!\d)"
    r"(?:\s+odds)?(?:\s*\+|\s+or\s+(?:better|more|higher|above|up)|\s+(?:minimum|min)\b\.?)?",
    re.IGNORECASE,
)
_THIS_IS_ODDS = re.compile(r"odds|least|min|worse|less|better|more|higher|\+|\d[-:]\d", re.IGNORECASE)
_WORD = re.compile(r"\d+(?=x\b)|[\w'’/+&]+(?:[-.](?=\w)[\w'’/]+)*", re.UNICODE)
_PHRASES = sorted(TOGETHER, key=len, reverse=True)


def _plain(text: str) -> str:
    """A text with odds put in one word, and phrases as what they are read as."""
    text = text.lower().replace("’", "'")
    text = _ODDS.sub(
        lambda found: (
            f" odds{found['one']}_{found['other']} " if _THIS_IS_ODDS.search(found[0]) else found[0]
        ),
        text,
    )
    for phrase in _PHRASES:
        if len(phrase) > 1 and all(part in text for part in phrase):
            joined = r"[ \t]+".join(map(re.escape, phrase))
            text = re.sub(rf"(?<!\w){joined}(?!\w)", TOGETHER[phrase], text)
    text = re.sub(r"\b(?:at )?even(?:s| odds)(?: or better)?(?!\w)", " odds1_1 ", text)
    text = re.sub(r"\bor else\b", "else", text)
    text = re.sub(r"\btwice\b", "2", text)
    text = re.sub(r"\bx\s*(\d)\b", r"\1", text)
    text = re.sub(r"\bx (?=\d{4}\b)", "attack ", text)
    return re.sub(
        r"\b(?:nobody|no one|no-one)\s+(?:is\s+)?(?:there|in\s+it)\b|\bnobody-there\b", "empty", text
    )


def _said(text: str) -> list[str]:
    """The words of a text that say something, each as the one that stands for all of its meaning."""
    found = []
    before = ""
    for word in _WORD.findall(_plain(text)):
        for part in re.split(r"[+&]", word) if "+" in word or "&" in word else [word]:
            part = _FIGURES.get(part, part).strip(".'")
            if part and (part not in FILLERS or (before in _EVERY and part in _RANKS)):
                word = _CANONICAL.get(part, _form(part))
                if word != "move":  # "retires", and "to" says it
                    found.append(word)
            before = part
    return found


def _form(word: str) -> str:
    """A verb without its ending: ``attacks``, ``attacked``, ``attacking``."""
    for end in ("ing", "es", "ed", "s"):
        if word.endswith(end) and (form := word.removesuffix(end)) in _CANONICAL:
            return _CANONICAL[form]
    return word


def says_all(line: str, offer: str, names: Names) -> bool:
    """Whether a line that is offered in place of another says all that it does."""
    mine, theirs = _said(line), _said(offer)
    left = Counter(mine) - Counter(theirs)
    if not left:
        return True
    missing = _places(mine, left)
    spare = list((Counter(_words(offer)) - Counter(_words(line))).elements())
    missing -= _named(line, mine, missing, offer, names)
    for at in sorted(missing):
        whereabouts = re.search(rf"\b(?:at|in|on|from)\s+{re.escape(mine[at])}\b", line, re.IGNORECASE)
        if names.hex(mine[at]) and not whereabouts and _starts_at(mine[at], line, offer, names):
            continue
        if names.hex(mine[at]) and names.roster.hexes and not whereabouts:
            return False
        close = next((word for word in spare if _mended(mine[at], word)), None)
        if close is None and _is_slip_of_filler(mine[at]):
            continue
        if close is None:
            return False
        spare.remove(close)
    return True


def _starts_at(hex: str, line: str, offer: str, names: Names) -> bool:
    """Whether a hex is the first of a way, where a unit of the offer is: ``7/3C 1321-1421``."""
    known, words = names.roster.units, re.findall(r"[^\s,]+", offer)
    there = any(word in known and known[word].hex == hex for word in words)
    return there and re.search(rf"\b{hex}\s*(?:-|–|->|→|>)\s*\d{{4}}\b", line) is not None


def _places(words: Sequence[str], left: Counter[str]) -> set[int]:
    """Where the words stand that are left over: of equal ones the last."""
    wanted, found = Counter(left), set[int]()
    for at in range(len(words) - 1, -1, -1):
        if wanted[words[at]] > 0:
            wanted[words[at]] -= 1
            found.add(at)
    return found


def _mended(word: str, other: str) -> bool:
    """Whether a word is a slip of another, or the beginning of it. A number of one to three figures is never
    a slip of another, nor is a word that says something by itself."""
    if word.isdecimal() and not other.isdecimal() and re.sub(r"\D", "", other) == word:
        return True
    if word in _CANONICAL or word in _CANONICAL.values() or (word.isdecimal() and len(word) < 4):
        return False
    if len(word) > 1 and other.startswith(word):
        return True
    figures = any(map(str.isdecimal, word))
    limit = 1 if len(word) <= 2 or figures else 2
    return distance(word, other, limit) <= limit and (len(word) > 1 or len(other) == 2)


def _is_slip_of_filler(word: str) -> bool:
    """Whether a long word is a slip of one that says nothing: ``togther``, ``pleese``."""
    if any(distance(word, each, 1) <= 1 for each in COURTESIES):
        return True
    if len(word) < 6 or not word.isalpha() or word in FILLERS:
        return False
    slips = (each for each in FILLERS if len(each) != len(word) or sorted(each) == sorted(word))
    return any(
        distance(word, each, 1) <= 1 for each in slips
    )  # "island" is another word, no slip of "inland"


def _words(text: str) -> list[str]:
    """The words of a text as they are written."""
    found = _WORD.findall(text.lower().replace("’", "'"))
    return [part for word in found for part in re.split(r"[+&]", word) if part]


def _named(line: str, mine: Sequence[str], missing: set[int], offer: str, names: Names) -> set[int]:
    """Those of the missing words that are part of a name of units or a place which the offer names in other
    words."""
    words = [part for word in _WORD.findall(line) for part in re.split(r"[+&]", word) if part]
    there = {folded(word) for word in re.findall(r"[^\s,:;()]+", offer)}
    inside: set[str] = set()
    at = 0
    while at < len(words):
        for end in range(min(len(words), at + LONGEST_NAME), at, -1):
            if _is_called(words[at:end], there, names):
                inside.update(chain.from_iterable(map(_said, words[at:end])))
                inside.update(word.lower() for word in words[at:end])
                at = end - 1
                break
        at += 1
    return {at for at in missing if mine[at] in inside}


def _is_called(words: Sequence[str], there: set[str], names: Names) -> bool:
    """Whether words are a name of what the offer names too."""
    if place := names.place(words):
        return place[1] == len(words) and any(folded(hex) in there for hex in place[0])
    meant = names.meant(words, frozenset())
    if meant is not None and meant.length == len(words):
        if any(folded(unit) in there for unit in meant.units):
            return True
        hexes = {names.roster.units[unit].hex for unit in meant.units}
        if len(meant.units) == 1 and any(hex and folded(hex) in there for hex in hexes):
            return names.roster.units[meant.units[0]].enemy
    formation = names.formation(words, sure=True)
    if formation is not None and formation[1] == len(words):
        units = [unit for each in formation[0] for unit in each.units]
        if any(folded(unit) in there for unit in units):
            return True
    group = names.group(words)
    if group is not None and group[1] == len(words):
        for each in group[0]:
            units = [word for word in re.findall(r"[^\s,()]+", each) if folded(word) in names.units]
            if units and all(folded(unit) in there for unit in units):
                return True
    return False
