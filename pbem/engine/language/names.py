"""What people call units, formations and places: the words of a roster, made ready for looking up.

A unit goes by its id (``505/82``), by the id as people say it (``505th/82nd``, ``7/US`` for ``VII/US``), by
the part before the stroke (``505``), by words of its full name (``4 ID`` for the 4th US Infantry Division),
and by the beginning of its id. The surer way comes before the others, the writer's own side before the
enemy's, and what can act now before what is to come or lost. What still fits several units is asked back.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_left
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence, Set
from copy import copy
from dataclasses import dataclass
from functools import cached_property, lru_cache, wraps
from typing import Any, Concatenate, ParamSpec, TypeVar

from pbem.engine.language.model import Roster, RosterUnit
from pbem.engine.language.work import Work
from pbem.engine.map import Map

P = ParamSpec("P")
T = TypeVar("T")

LONGEST_NAME = 5
"""The most words of a line that are looked up as one name."""

_ORDINAL = re.compile(r"(\d+)(?:st|nd|rd|th|e|er|\.)$")
_ROMAN = re.compile(r"(?=[ivxlc])(xc|xl|l?x{0,3})(ix|iv|v?i{0,3})$")
_SPOKEN = {
    word: str(number)
    for number, word in enumerate(
        "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth".split(), 1
    )
}
_ROMAN_VALUES = {"i": 1, "v": 5, "x": 10, "l": 50, "c": 100}
_SPLIT = re.compile(r"\d+|[^\d]+")
_TWIN = re.compile(r"(\d+(?:\+\d+)+)([A-Za-z]+)")
"""The id of a unit made of several of one kind: ``4+45Cdo/1SS``."""
_ARM_AND_FORMATION = re.compile(r"(\d+)[A-Za-z]+/(.+)")
"""An id with the arm of its unit, which may be left out: ``26/12SS`` for 26PzG/12SS."""
_OF_CORPS = frozenset({"corps", "army", "headquarters", "us", "british"})
"""Words behind the number of a corps in small letters: ``v corps``."""
_HEX = re.compile(r"[A-Za-z]{0,2}\d{2,4}$")
_FIGURES = re.compile(r"(?P<one>\d{1,3})-(?P<other>\d{1,2})")
"""Odds, or the number of a unit and that of its division."""

_SAME: Mapping[str, str] = {
    word: first
    for words in (
        "infantry inf id infanterie rifle",
        "armoured armored armd arm ad tank tanks tk tks armour armor blinde blindee",
        "panzer panzers pz pd pzdiv",
        "panzergrenadier panzergrenadiers pzg pzgr pzgren pgr pzgrenadier",
        "airborne ab abn",
        "parachute para paras pir fj fallschirmjager fallschirm paratroop paratroops",
        "glider gliders gir airlanding airldg luftlande ll",
        "guards guard gds grds",
        "commando commandos cdo",
        "rangers ranger rgrs rgr",
        "grenadier grenadiers gr gren grenadierregiment",
        "division div divisions divs divn dvn",
        "corps corp korps armeekorps ak",
        "headquarters headquarter hq em ems",
        "army armee aok",
        "regiment regt rgt reg regiments regts rct ir rgts",
        "brigade bde brig brigades bdes brigaden",
        "battalion bn btn bataillon battalions btl abt abteilung batallion bns",
        "british brit brits br uk english",
        "us usa american americans",
        "canadian canadians canada can cdn ca canadienne canadien",
        "polish poles pole pol",
        "french fr france",
        "german germans ger",
        "yeomanry yeo",
        "kampfgruppe kg kgs taskforce tf battlegroup",
        "panzergroup panzergruppe pzgrp pzgp pzgruppe",
    )
    for first, *others in [words.split()]
    for word in (first, *others)
}
"""Words of names that mean the same: each leads to the first of its line."""

_IMPLIED: Mapping[str, tuple[str, ...]] = {
    "id": ("infantry", "division"),
    "ad": ("armoured", "division"),
    "pd": ("panzer", "division"),
    "pzdiv": ("panzer", "division"),
    "pir": ("parachute", "regiment"),
    "fjr": ("parachute", "regiment"),
    "gir": ("glider", "regiment"),
    "ir": ("infantry", "regiment"),
    "rct": ("regiment",),
}
"""Abbreviations that say two things."""

_JOINED = (
    ("u.s.", "us"),
    ("task force", "taskforce"),
    ("panzer group", "panzergroup"),
    ("panzer gruppe", "panzergroup"),
    ("pz gp", "panzergroup"),
    ("pz grp", "panzergroup"),
    ("pz group", "panzergroup"),
    ("pz gruppe", "panzergroup"),
    ("special service", "ss"),
)
"""Words of names that are written as one."""

NAME_WORDS = frozenset(_SAME) | frozenset(_IMPLIED)
"""Words of names that people write, in all their spellings."""

GENERIC = frozenset(_SAME.values()) | {"ss", "the", "of"}
"""Words that many units share: one alone does not name a unit."""

RANKS = frozenset({"regiment", "brigade", "battalion", "headquarters", "taskforce", "kampfgruppe"})
"""Words behind the name of a unit that add nothing to one that is already clear."""
SIZES = frozenset({"division", "corps", "army"})
"""Words behind a name that it must not contradict."""
SPOKEN = frozenset(
    "will am have had would think guess wonder hope want need like can could should shall do did see assume "
    "propose suggest agree know mean attack move advance place hold stay was still just hate love read must "
    "told owe made may might wish went got came saw thought feel admit confess played lost won took gave "
    "found tried asked wrote enjoyed really also never always do don't didn't".split()
)
"""Words behind an "I" that is a person, and no corps."""
PLURALS = frozenset(
    "regiments regts rgts brigades bdes brigaden battalions bataillons bns divisions divs".split()
)
"""Words for several units."""
ARMS = frozenset(
    "infantry armoured panzer panzergrenadier airborne parachute glider guards grenadier commando".split()
)
"""Words for the arm of a unit: behind a clear name they must not contradict it."""

GENITIVE = re.compile(r"(?<=\w)['’]s$|(?<=s)['’]$")
BEHIND_NICKNAMES = frozenset(
    "division div corps korps korp army hq headquarters brigade bde regiment men boys lads commandos".split()
)
"""Words behind a nickname that are part of it."""

PARTICLES = frozenset({"von", "van", "de"})
"""Words that a family name may begin with: they name nobody by themselves."""

FILLERS = frozenset({"the", "of", "and", "&"}) | PARTICLES


REMEMBERED = 10_000
"""Words of which it is remembered what they are: the games have fewer, and the letters of years have no
end."""


@lru_cache(REMEMBERED)
def folded(text: str) -> str:
    """A name without what people leave out or write in another way: capitals, accents, blanks, hyphens, full
    stops."""
    plain = unicodedata.normalize("NFKD", text.casefold())
    return re.sub(r"[\s.'’\-]|[\u0300-\u036f]", "", plain)


def _without_umlauts(text: str) -> str:
    """A folded name with ``fuehrer`` as ``fuhrer``."""
    return re.sub(r"(?<=[aou])e", "", text)


@lru_cache(REMEMBERED)
def place_key(text: str) -> str:
    """A place name for looking up: folded, and with one spelling of Saint."""
    words = re.split(r"[\s\-.]+", text.casefold().strip())
    saint = "".join("saint" if word in ("st", "ste", "sainte") else word for word in words)
    return _without_umlauts(folded(saint))


@lru_cache(REMEMBERED)
def _nickname_key(name: str) -> str:
    """A nickname for looking up, with or without the ending of a genitive."""
    return _without_umlauts(folded(GENITIVE.sub("", name)))


def _is_spoken(word: str) -> bool:
    """Whether an "I" in front of a word is a person."""
    return word.lower() in SPOKEN or re.fullmatch(r"\w+n['’]?t|['’]\w+", word.lower()) is not None


def counts_one(words: Set[str]) -> bool:
    """Whether the words of a name only count: ``one division`` is not the Big Red One."""
    return "one" in words and words <= GENERIC | {"one"}


def counts_several(words: Sequence[str]) -> bool:
    """Whether words count units: ``2 armoured divisions`` are two of them, and not the 2nd."""
    several = PLURALS | {"units", "tanks", "stacks"}
    return words[0].isdecimal() and words[0] != "1" and any(word.lower() in several for word in words[1:])


@lru_cache(REMEMBERED)
def plain_number(word: str) -> str:
    """``4th`` and ``IV`` as ``4``; any other word as it is, in lower case."""
    word = word.lower()
    if word in _SPOKEN:
        return _SPOKEN[word]
    if found := _ORDINAL.fullmatch(word):
        return found[1]
    if word not in ("c", "l") and _ROMAN.fullmatch(word):
        return str(_arabic(word))
    return word


def _arabic(roman: str) -> int:
    values = [_ROMAN_VALUES[letter] for letter in roman]
    following = [*values[1:], 0]
    return sum(-a if a < b else a for a, b in zip(values, following, strict=True))


@lru_cache(REMEMBERED)
def plain_id(text: str) -> str:
    """An id as people say it: ``VII/US`` and ``7th/US`` as ``7/us``."""
    return "/".join(plain_number(folded(part)) for part in text.split("/"))


def _uncompounded(word: str) -> tuple[str, ...]:
    """``infanteriedivision`` and ``pzrgt`` as their two words; any other word as it is."""
    if word in _SAME or word in _IMPLIED or len(word) < 5:
        return (word,)
    for at in range(2, len(word) - 1):
        first, last = word[:at], word[at:]
        if first in _SAME and _SAME.get(last) in RANKS | {"division", "corps"}:
            return (first, last)
    return (word,)


@lru_cache(REMEMBERED)
def name_words(text: str) -> frozenset[str]:
    """The telling words of a name: numbers as digits, one word for each thing, no fillers."""
    found: list[str] = []
    text = re.sub(r"(?<=[^\W\d_]{2})\.(?=[^\W\d_])", " ", text.lower())
    for words, word in _JOINED:
        text = text.replace(words, word)
    for word in re.split(r"[\s,;/()\-]+", text):
        word = plain_number(word.strip(".'’\""))
        pieces = [word] if word in _SAME or word in _IMPLIED else _SPLIT.findall(word)
        for piece in (part for whole in pieces for part in _uncompounded(whole)):
            plain = _without_umlauts(folded(piece))
            found += _IMPLIED.get(piece, (_SAME.get(piece, _SAME.get(plain, plain)),))
    return frozenset(word for word in found if word and word not in FILLERS)


def _nation(id: str) -> frozenset[str]:
    """What an id without a stroke says of its unit's nation: ``british`` of 3BR."""
    return name_words(id) & GENERIC if "/" not in id else frozenset()


class Lexicon:
    """The names of all units of a game, of either side: made once, since they never change. `names` gives for
    each id its full name, "" where there is none; `nicknames` for the ids of units and the keys of formations
    what else they go by, with commas between."""

    def __init__(self, names: Mapping[str, str], nicknames: Mapping[str, str] | None = None) -> None:
        self.nicknames = {
            _nickname_key(name): id for id, all in (nicknames or {}).items() for name in all.split(", ")
        }
        self.ids: dict[str, list[str]] = {}
        self.said: dict[str, list[str]] = {}
        self.parts: dict[str, list[str]] = {}
        self.short: dict[str, list[str]] = {}
        for id in names:
            self.ids.setdefault(folded(id), []).append(id)
            self.said.setdefault(plain_id(id), []).append(id)
            if short := _ARM_AND_FORMATION.fullmatch(id):
                self.short.setdefault(folded(f"{short[1]}/{short[2]}"), []).append(id)
            for part in id.split("/") if "/" in id else ():
                self.parts.setdefault(plain_number(folded(part)), []).append(id)
            if twin := _TWIN.match(id):
                for number in twin[1].split("+"):
                    self.parts.setdefault(f"{number}{twin[2].lower()}", []).append(id)
        self.sorted = sorted(self.ids)
        self.all = frozenset(names)
        self._names = names

    @cached_property
    def _words(self) -> dict[str, list[str]]:
        """Word of a full name -> the units that have it."""
        found: dict[str, list[str]] = {}
        for id, name in self._names.items():
            for word in name_words(name) | _nation(id) if name else ():
                found.setdefault(word, []).append(id)
        return found

    @cached_property
    def _beginnings(self) -> frozenset[str]:
        """The letters with which nicknames begin: most words are none."""
        return frozenset(key[:length] for key in self.nicknames for length in (1, 2))

    def nickname(self, words: Sequence[str]) -> tuple[str, int] | None:
        """The id or key of the unit or formation whose nickname the first of `words` are (``Hell on Wheels``,
        ``Meindl's HQ``), and how many words these are. A nickname begins with a capital: ``leads the
        spearhead`` names no division."""
        if not words or (words[0][:1].islower() and words[0] not in PARTICLES):
            return None
        if _nickname_key(words[0])[:2] not in self._beginnings:
            return None
        for length in range(min(LONGEST_NAME, len(words)), 0, -1):
            id = self.nicknames.get(_nickname_key(" ".join(words[:length])))
            if id and (length > 1 or folded(words[0]) != folded(id)):
                again = self.nickname(words[length:])
                if again and again[0] == id:  # "Bayerlein's Panzer Lehr"
                    return id, length + again[1]
                behind = words[length].lower().strip(".") if length < len(words) else ""
                return id, length + (behind in BEHIND_NICKNAMES)
        return None

    def named(self, words: Sequence[str]) -> list[str]:
        """The units whose full names hold all of these words, of which at least one must tell units apart, or
        all together one unit from all others. A stroke stands in ids alone: what has one is never taken for
        words of a name."""
        wanted = name_words(" ".join(words))
        if not wanted or any("/" in word for word in words):
            return []
        each = [self._words.get(word, []) for word in wanted]
        found = [id for id in min(each, key=len) if all(id in ids for ids in each)]
        if len(found) > 1:  # what stands in brackets tells more of a unit, and names it less
            plain = [
                id for id in found if wanted <= name_words(self._names[id].partition("(")[0]) | _nation(id)
            ]
            found = plain or found
        numbers = {word for word in wanted if word.isdecimal()}
        if numbers and any("," in self._names[id] for id in found):
            # What stands behind a comma is its division: a number that is only there names that.
            found = [id for id in found if numbers & name_words(self._names[id].partition(",")[0])] or (
                found if len(found) > 1 else []
            )
        if wanted <= RANKS | {"corps", "army", "division"}:
            return []
        if counts_one(wanted) or counts_several(words):
            return []
        if len(found) == 1 and not PLURALS.isdisjoint(word.lower() for word in words):
            return []  # "the 9SS regiments" are more than the one with that word in its name
        return found if len(found) == 1 or not wanted <= GENERIC else []

    def beginning(self, key: str) -> list[str]:
        """The units whose id begins with `key`. What is left out must be no slip of the hand: nothing of a
        number (``11`` is not 116/29), no letter behind the last number of an id with a stroke (``7/3`` is not
        7/3C), of a word two letters or more, where `key` has three (``4S`` is not 4SSB)."""
        letters = sum(map(str.isalpha, key))
        at = bisect_left(self.sorted, key)
        found = []
        while at < len(self.sorted) and self.sorted[at].startswith(key):
            rest = self.sorted[at][len(key) :]
            if key[-1].isdecimal():
                cut = rest[:1].isdecimal() or ("/" in key and rest[:1].isalpha())
            else:
                cut = rest[:1].isalpha() and (letters < 3 or len(rest) < 2)
            if not cut:
                found += self.ids[self.sorted[at]]
            at += 1
        return found


@dataclass(frozen=True, slots=True)
class Formation:
    """A division or the like that is no counter itself: its units stand for it. `words` are those by which it
    goes, `key` is how the ids of its units name it (``12SS``)."""

    side: str
    key: str
    words: frozenset[str]
    units: tuple[str, ...]

    def goes_by(self, text: str, sure: bool) -> bool:
        """Whether these words name it; a number alone does only where it is `sure` that a formation is
        named."""
        wanted = name_words(text)
        if folded(text) == folded(self.key) and (sure or not self.key.isdecimal()):
            return True
        rest = wanted - {"division"}
        if wanted and wanted == name_words(self.key) and not any(map(str.isdecimal, self.key)):
            return True
        if not rest or not wanted or wanted <= GENERIC or not rest <= self.words:
            return False
        if "division" in wanted and self.words & RANKS and "division" not in self.words:
            return False
        number = any(word.isdecimal() for word in rest)
        telling = any(not word.isdecimal() and word not in GENERIC for word in rest)
        if telling or (sure and number):
            return True
        return number and ("division" in wanted or self._tells(rest))

    def _tells(self, words: frozenset[str]) -> bool:
        """Whether these words are its number with its arm: ``116th Panzer``, ``12 SS``."""
        return not words.isdisjoint(ARMS | {"ss"}) and not words & RANKS


@dataclass(frozen=True, slots=True)
class Called:
    """A counter of a game, in play or not: whose it is, what is printed on it, its full name."""

    side: str
    kind: str = ""
    name: str = ""


class Vocabulary:
    """All names of a game, made ready once: its units of either side, the lost and those to come included, so
    that no name ever comes to mean another unit; its places; its formations (`groups`, names that are no
    unit's)."""

    def __init__(
        self,
        counters: Mapping[str, Called],
        map: Map,
        groups: Mapping[str, tuple[str, ...]] | None = None,
        places: Mapping[str, tuple[str, ...]] | None = None,
        absent: str = "it is not in this scenario",
        formations: Mapping[str, Mapping[str, str]] | None = None,
        nicknames: Mapping[str, str] | None = None,
    ) -> None:
        self.counters = counters
        self.hexes = map.ids
        self.groups = groups or {}
        self.places = {**map.called_places, **(places or {})}
        self.absent = absent
        self.lexicon = Lexicon({id: called.name for id, called in counters.items()}, nicknames)
        self.grid = map.grid
        self.formations = self._formations(formations or {})
        self._others: dict[str, dict[str, RosterUnit]] = {}

    def _formations(self, named: Mapping[str, Mapping[str, str]]) -> tuple[Formation, ...]:
        """The formations that the ids of units name behind the stroke. `named` are, by side, what they are
        called in full; it may name sets of units besides, with their ids behind a colon (``the
        Canadians: 4CanA, 2CanInf``)."""
        members: dict[tuple[str, str], list[str]] = {}
        for id, called in self.counters.items():
            if "/" in id and called.name:
                members.setdefault((called.side, id.rpartition("/")[2]), []).append(id)
        found: list[Formation] = []
        for (side, key), ids in members.items():
            words = name_words(key) - GENERIC or name_words(key)
            full = name_words(named.get(side, {}).get(key, ""))
            if not words <= GENERIC:
                found.append(Formation(side, key, name_words(key) | full, tuple(ids)))
        for side, texts in named.items():
            for key, text in texts.items():
                if ":" in text:
                    called_, _, listed = text.partition(":")
                    ids = [id.strip() for id in listed.split(",")]
                    found.append(Formation(side, key, name_words(called_), tuple(ids)))
        return tuple(found)

    def roster(
        self,
        side: str,
        seat: str,
        units: Iterable[RosterUnit],
        commanded: Mapping[str, tuple[str, ...]] | None = None,
    ) -> Roster:
        """The names that `seat` may use: `units` are those in the game now as it knows them, in the order in
        which letters list them; `commanded` those that take their orders below the heading of a
        formation."""
        known = {unit.id: self._named(unit) for unit in units}
        # Those in the game come first, as letters list them.
        names = known | self._away(side) | known
        return Roster(
            names, self.hexes, self.groups, self.places, seat, self.lexicon, self.formations,
            self.grid.neighbours, self._toward, commanded or {},
        )  # fmt: skip

    def _toward(self, hex: str, way: str, steps: int) -> str | None:
        """Return the hex `steps` away in a direction; None where the grid has no such direction."""
        return self.grid.toward(hex, way, steps) if way in self.grid.directions else None

    def _named(self, unit: RosterUnit) -> RosterUnit:
        """A unit with its full name, if it has one. It is made field by field: `replace` takes five times as
        long, and a roster is made for every order of a letter."""
        called = self.counters.get(unit.id)
        if unit.name or called is None:
            return unit
        return RosterUnit(
            unit.id, unit.kind, unit.hex, unit.enemy, called.name, unit.here, unit.gone, unit.absent
        )

    def _away(self, side: str) -> dict[str, RosterUnit]:
        """Every counter as it is while it is not in the game."""
        if side not in self._others:
            self._others[side] = {
                id: RosterUnit(
                    id, called.kind, None, called.side != side, called.name, here=False, absent=self.absent
                )
                for id, called in self.counters.items()
            }
        return self._others[side]


@dataclass(frozen=True, slots=True)
class Meant:
    """The units that some words may mean, and how many words these are."""

    units: list[str]
    length: int


def once(
    find: Callable[Concatenate[Names, Sequence[str], P], T],
) -> Callable[Concatenate[Names, Sequence[str], P], T]:
    """What words mean is found out once: they are looked at again with every reading of a line."""

    @wraps(find)
    def found(names: Names, words: Sequence[str], /, *args: P.args, **how: P.kwargs) -> T:
        key = find.__name__, tuple(words), args, *how.items()
        if key not in names.found_out:
            names.found_out[key] = find(names, words, *args, **how)
        meant: T = names.found_out[key]
        return meant

    return found


class Names:
    """A roster as a reader of orders uses it."""

    def __init__(self, roster: Roster) -> None:
        self.roster = roster
        self.lexicon = roster.lexicon or Lexicon({id: unit.name for id, unit in roster.units.items()})
        self.units = self._known_ids()
        self.groups = {name.lower(): meant for name, meant in roster.groups.items()}
        self.within: frozenset[str] = frozenset()
        """Units of a formation that the line names besides: names mean these before others."""
        self.labelled = False
        """Whether that formation stands in front of a colon."""
        self.commanded: frozenset[str] = frozenset()
        """The units that take their orders below the heading in force: of several of one name these are
        meant."""
        self.going: dict[str, str] = {}
        """Where earlier lines send units: there they may be said to be as well."""
        self.work = Work()
        """What reading may still cost."""
        self.looked_up: dict[tuple[str, bool], list[Formation]] = {}
        self.found_out: dict[Hashable, Any] = {}
        """What words mean (`once`)."""

    def _known_ids(self) -> Set[str]:
        """The ids of the roster, folded: as a rule those of the whole game."""
        ids, units = self.lexicon.ids, self.roster.units
        if self.lexicon.all <= units.keys():
            return ids.keys()
        return {key for key, same in ids.items() if any(id in units for id in same)}

    @cached_property
    def places(self) -> dict[str, tuple[str, ...]]:
        return {place_key(name): hexes for name, hexes in self.roster.places.items()}

    @cached_property
    def kinds(self) -> dict[str, list[RosterUnit]]:
        """Own units by kind, in roster order, without those that are gone."""
        found: dict[str, list[RosterUnit]] = {}
        for unit in self.own:
            if unit.kind:
                found.setdefault(unit.kind.lower(), []).append(unit)
        return found

    @cached_property
    def own(self) -> list[RosterUnit]:
        return [unit for unit in self.roster.units.values() if not unit.enemy and not unit.gone]

    @cached_property
    def order(self) -> list[str]:
        return [unit.id for unit in self.own]

    def likeliest(self, ids: Iterable[str]) -> list[str]:
        """Of several units one's own, if there are any, and of these those in the game, or better those that
        can act now."""
        known = [self.roster.units[id] for id in dict.fromkeys(ids) if id in self.roster.units]
        known = [unit for unit in known if unit.id in self.within] or known
        own = [unit for unit in known if not unit.enemy] or known
        playing = [unit for unit in own if not unit.absent] or own
        here = [unit for unit in playing if unit.here] or playing
        return [unit.id for unit in [unit for unit in here if unit.id in self.commanded] or here]

    def meant(self, words: Sequence[str], reserved: frozenset[str]) -> Meant | None:
        """The units that the first of `words` name, the surest and longest name first; None if they name
        none. Words of the order language (`reserved`) are no part of a name, but for an id."""
        self.work.spend(len(words))
        meant = self._meant_by(words, reserved)
        behind = " ".join(words[meant.length : meant.length + 1]) if meant else ""
        return None if meant and self._are_of_another_size(meant.units, behind) else meant

    @once
    def _meant_by(self, words: Sequence[str], reserved: frozenset[str]) -> Meant | None:
        if words[:1] == ["à"] or (
            [word.lower() for word in words[:1]] == ["i"] and any(map(_is_spoken, words[1:2]))
        ):
            return None
        if words[:1] == ["v"] and words[1:] and name_words(words[1]).isdisjoint(_OF_CORPS):
            return None  # "501 v FJR6" is no 5th parachute regiment
        if nick := self.lexicon.nickname(words):
            called = self.meant([nick[0]], reserved)
            length = self._apposed(words, nick[1], called) if called else 0
            return Meant(called.units, length) if called and length else None
        if words and (figures := _FIGURES.fullmatch(words[0])):
            units = self._of_figures(figures["one"], figures["other"])
            return Meant(units, 1) if units else None
        if words and not self.labelled and (exact := self._ids(words[0])):
            return Meant(exact, 1)
        free = next((n for n, word in enumerate(words) if word.lower() in reserved), len(words))
        for length in range(min(free, LONGEST_NAME, len(words)), 0, -1):
            if found := self.likeliest(self._called(words[:length])):
                return Meant(self._whole_divisions(words[:length], found), length)
        if words and (exact := self._ids(words[0])):
            return Meant(exact, 1)
        for length in (2, 1):
            key = folded("".join(words[:length]))
            if name_words(" ".join(words[:length])) <= GENERIC:
                continue
            if length <= free and len(key) > 1 and (found := self.likeliest(self.lexicon.beginning(key))):
                return Meant(found, length)
        return None

    def _are_of_another_size(self, units: Iterable[str], behind: str) -> bool:
        """Whether the word behind a name says that a corps is meant, or an army, where the units of that name
        are divisions, or the other way round: ``2SS Corps``."""
        size = name_words(behind) & SIZES
        named = [name_words(self.roster.units[unit].name) & SIZES for unit in units] if size else []
        return bool(named) and all(sizes and size.isdisjoint(sizes) for sizes in named)

    def _apposed(self, words: Sequence[str], length: int, called: Meant) -> int:
        """How many of `words` name the unit whose nickname the first `length` of them are, with its own name
        behind it: ``Hausser's 7th Army``; 0 for one who only owns what is named behind: ``Patton's 4th
        Armored``."""
        again = self.meant(words[length:], frozenset()) if length < len(words) else None
        if again and again.units == called.units:
            return length + again.length
        other = again and not words[length].isdecimal() and self.known(words[length:], frozenset())
        return 0 if other else length

    def _of_figures(self, one: str, other: str) -> list[str]:
        """The units that ``2-1`` may name, which may be odds as well: those with these numbers on both sides
        of their stroke, and of the enemy only one that has no other name."""
        if exact := self._ids(f"{one}/{other}"):
            return exact
        begun = re.compile(rf"{one}/{other}(?!\d)")
        return self.likeliest(unit.id for unit in self.own if begun.match(unit.id))

    def _whole_divisions(self, words: Sequence[str], found: list[str]) -> list[str]:
        """Of the units that ``2nd Division`` may mean the one that is a division, if it is only one: of the
        others only parts go by it."""
        said = name_words(" ".join(words))
        if len(found) < 2 or "division" not in said or said & ARMS:
            return found
        named = self._going_by(" ".join(words), False)
        whole = [unit for unit in found if not any(unit in each.units for each in named)]
        return whole if len(whole) == 1 else found

    def narrowed(self, units: Iterable[str], labelled: bool = True) -> Names:
        """These names as they are meant behind the name of a formation: of its units before others."""
        narrow = copy(self)
        narrow.within = self.within | frozenset(units)
        narrow.labelled = labelled
        narrow.found_out = {}
        return narrow

    def below(self, units: Iterable[str]) -> Names:
        """These names as they are meant below the heading of a formation that commands these units."""
        below = copy(self)
        below.commanded = frozenset(units)
        below.found_out = {}
        return below

    @once
    def formation(
        self, words: Sequence[str], reserved: frozenset[str] = frozenset(), sure: bool = False
    ) -> tuple[list[Formation], int] | None:
        """The formations that the first of `words` name, the writer's own before others, and how many words
        these are; the longest name counts. Words of the order language are no part of one."""
        if nick := self.lexicon.nickname(words):
            named = self.formation([nick[0]], sure=True)
            return (named[0], nick[1]) if named else None
        free = next((n for n, word in enumerate(words) if word.lower() in reserved), len(words))
        for length in range(min(free, LONGEST_NAME, len(words)), 0, -1):
            text = " ".join(words[:length])
            if "/" in text or counts_one(name_words(text)):
                continue
            found = self._going_by(text, sure)
            exact = [each for each in found if folded(each.key) == folded(text)]
            found = exact or found
            own = [each for each in found if self._of_own(each)]
            own = [each for each in own if not self.commanded.isdisjoint(each.units)] or own
            if own or found:
                return own or found, length
        return None

    def _going_by(self, text: str, sure: bool) -> list[Formation]:
        """The formations of this name; each name is looked up once in a letter."""
        if (text, sure) not in self.looked_up:
            self.work.spend(len(self.roster.formations) // 8)
            found = [each for each in self.roster.formations if each.goes_by(text, sure)]
            self.looked_up[text, sure] = found
        return self.looked_up[text, sure]

    def _of_own(self, formation: Formation) -> bool:
        units = self.roster.units
        return any(id in units and not units[id].enemy and not units[id].absent for id in formation.units)

    def members(self, formation: Formation) -> tuple[str, ...]:
        """The units of a formation that are here, in roster order."""
        own = set(formation.units)
        return tuple(unit.id for unit in self.own if unit.id in own and unit.here)

    def known(self, words: Sequence[str], reserved: frozenset[str]) -> bool:
        """Whether the first of `words` name a unit or a formation in full, not by a beginning alone."""
        if not words:
            return False
        if self._ids(words[0]) or self.group(words) or self.lexicon.nickname(words):
            return True
        return any(
            self._called(words[:length])
            for length in range(1, min(LONGEST_NAME, len(words)) + 1)
            if words[length - 1].lower() not in reserved
        )

    def _ids(self, word: str) -> list[str]:
        """The unit with this id. Capitals count only where two ids differ by nothing else (9/3C is a brigade,
        9/3c a part of 9/3), and there only for a unit that is in play: who writes small letters throughout
        may mean the other."""
        twins = [id for id in self.lexicon.ids.get(folded(word), ()) if id in self.roster.units]
        if len(twins) > 1 and word in twins and self.roster.units[word].here:
            return [word]
        return [] if self._are_strangers(twins, word) else twins

    def _are_strangers(self, ids: Sequence[str], word: str) -> bool:
        """Whether a word that is the id of units of the other side that take no part is what a unit of one's
        own goes by: ``XXX`` for XXX/BR."""
        units = self.roster.units
        if not ids or not all(units[id].absent and units[id].enemy for id in ids):
            return False
        parts = self.lexicon.parts.get(plain_number(folded(word)), ())
        return any(id in units and not units[id].enemy and not units[id].absent for id in parts)

    def _own_of_that_name(self, words: Sequence[str]) -> list[str]:
        """The units of one's own whose names have these words, where together they are the id of units of the
        other side that take no part: ``59 Inf`` for 59BrInf."""
        units = self.roster.units
        if not all(units[id].absent and units[id].enemy for id in self._ids("".join(words))):
            return []
        named = [id for id in self.lexicon.named(words) if id in units]
        return [id for id in named if not units[id].enemy and not units[id].absent]

    @once
    def group(self, words: Sequence[str]) -> tuple[tuple[str, ...], int] | None:
        """What the name of a formation at the beginning of `words` may mean, and how many words it has:
        ``12SS``, ``the 116th Panzer Division``."""
        if nick := self.lexicon.nickname(words):
            of_it = self.group([nick[0]])
            return (of_it[0], nick[1]) if of_it else None
        for length in range(min(LONGEST_NAME, len(words)), 0, -1):
            meant = self.groups.get(words[0].lower()) if length == 1 else None
            if meant := meant or self._groups.get(name_words(" ".join(words[:length])) - {"division"}):
                return meant, length
        return None

    @cached_property
    def _groups(self) -> dict[frozenset[str], tuple[str, ...]]:
        return {name_words(name): meant for name, meant in self.roster.groups.items() if not name.isdecimal()}

    def _called(self, words: Sequence[str]) -> list[str]:
        """The units that go by exactly these words: as id, as part of one, or by words of their full name."""
        joined = folded("".join(words))
        if exact := self._ids("".join(words)):
            return (self._own_of_that_name(words) or exact) if len(words) > 1 else exact
        said = self.lexicon.said.get(plain_id("".join(words)), [])
        if said and not self._are_strangers(said, "".join(words)):
            return said
        if short := self.lexicon.short.get(joined):
            return short
        roman = len(words) == 2 and not words[0][0].isdecimal() and plain_number(words[0]).isdecimal()
        if roman and (said := self.lexicon.said.get(plain_id("/".join(words)), [])):
            return said  # ``V US`` is V/US
        part = self.lexicon.parts.get(plain_number(joined), []) if len(words) == 1 else []
        if len(words) == 2 and words[1].isalpha():  # ``21. AA`` is 21AA/21
            number = f"{plain_number(words[0].strip('.'))}{folded(words[1])}"
            ids = self.lexicon.parts.get(number, ()) if number[0].isdecimal() else ()
            if own := [id for id in ids if folded(id.split("/")[0]) == number]:
                return own
        if len(words) == 1 and plain_number(joined) != joined and not joined[0].isdecimal():
            return [id for id in part if joined in map(folded, id.split("/"))]  # XV is no 15th division
        if part and name_words(words[0]) <= GENERIC:
            return [id for id in part if id in self.within]  # ``1SS: Pz`` is Pz/1SS
        if part and not plain_number(joined).isdecimal():
            return part
        return [*part, *(self.lexicon.named(words) or self._arm_within(words))]

    def _arm_within(self, words: Sequence[str]) -> list[str]:
        """The one unit of the formation that the line names whose arm these words are: ``Pz Rgt``."""
        wanted = name_words(" ".join(words))
        if wanted.isdisjoint(ARMS):
            return []
        found = [id for id in self.within if wanted <= name_words(self.roster.units[id].name)]
        return found if len(found) == 1 else []

    def hex(self, text: str) -> str | None:
        """A hex by its number."""
        hexes = self.roster.hexes
        if text in hexes:
            return text
        upper = text.upper()
        if hexes:
            return upper if upper in hexes else None
        return upper if _HEX.match(text) else None

    @once
    def place(self, words: Sequence[str]) -> tuple[tuple[str, ...], int] | None:
        """The hexes of the place that the first of `words` name, and how many words these are; the longest
        name counts."""
        if not self.roster.places:
            return None
        for length in range(min(LONGEST_NAME, len(words)), 0, -1):
            found = self.places.get(place_key(" ".join(words[:length])))
            if found and words[length - 1] and words[length - 1][-1].isalnum():
                return found, length
        for length in range(min(LONGEST_NAME, len(words)), 1, -1):
            begun = self._place_beginnings.get(place_key(" ".join(words[:length])), set())
            if len(begun) == 1 and words[length - 1][-1:].isalnum():
                return next(iter(begun)), length
        return None

    @cached_property
    def _place_beginnings(self) -> dict[str, set[tuple[str, ...]]]:
        """The first words, two or more, of longer names of places -> the hexes of each: ``St Lambert`` for
        Saint-Lambert-sur-Dive."""
        found: dict[str, set[tuple[str, ...]]] = {}
        for name, hexes in self.roster.places.items():
            words = re.split(r"[\s\-]+", name)
            for length in range(2, len(words)):
                found.setdefault(place_key(" ".join(words[:length])), set()).add(hexes)
        return found
