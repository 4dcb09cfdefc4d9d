"""Turns of phrase for which there is no order: what is asked, and the lines that may be meant.

Each is one of several lines (``1US or 29US to 0714``, ``1-3 fighters``), or says what no order says (``max 2
hexes``, ``half of 2AD``). Only lines that read, and can act, are offered.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import islice, product

from pbem.engine.errors import Ambiguous, OrderError, Unreadable
from pbem.engine.language.amiss import REST, Amiss, made
from pbem.engine.language.clauses import Bound, Outcome
from pbem.engine.language.free import free_reader
from pbem.engine.language.model import ATTACK, GOES, Fault, Order
from pbem.engine.language.names import Meant
from pbem.engine.language.parts import between
from pbem.engine.language.people import NUMBERS
from pbem.engine.language.turns import MISSIONS
from pbem.engine.language.usage import Scan
from pbem.engine.language.whole import says_all

_COUNT = r"(?:\d|one|two|three|four|five|six)"
RANGE = re.compile(
    rf"\b(?P<one>{_COUNT})\s*(?:-|–|to|or)\s*(?P<other>{_COUNT})\s+(?={MISSIONS}\b)", re.IGNORECASE
)
"""A number that is left open: ``1-3 fighters``."""
_FEW = r"\S+(?:[ \t]\S+){0,5}?"
SWAP = re.compile(
    rf"(?:(?:swap|trade|exchange)[ \t](?P<one>{_FEW})[ \t](?:and|with|for)[ \t](?P<other>{_FEW})"
    rf"|(?P<first>{_FEW})[ \t](?:and|&|\+)[ \t](?P<second>{_FEW})[ \t](?:swap|trade|exchange|change)s?"
    r"(?:[ \t](?:hexes|places|positions))?)[.!]*",
    re.IGNORECASE,
)
"""Two that go each where the other is."""
FOLLOWS = re.compile(
    r",?\s(?:follows?(?!\s+(?:by|up)\b)|(?:is\s+|are\s+)?stack(?:s|ed|ing)?(?:\s+up)?\s+with"
    r"|(?:stays?|goes|go|remains?|keeps?|sticks?|moves?)(?:\s+(?:close|up))?\s+(?:with|behind|after))\s+",
    re.IGNORECASE,
)
"""What stands between a unit and the one beside which it goes or stays."""
HEX = re.compile(r"\b\d{4}\b")
PARTED = re.compile(r",[ \t]{0,3}(?:and[ \t])?|[ \t]and[ \t]", re.IGNORECASE)
"""What parts two clauses."""
IT = frozenset("it them him".split())
INSTEAD_OF = re.compile(
    r"\s(?:replaces?|relieves?|takes? over from|takes? the place of|spells"
    r"|(?P<swap>(?:swaps?|trades?|changes?)(?: places)? with))\s",
    re.IGNORECASE,
)
"""What stands between a unit and the one in whose place it is."""
JOINS = re.compile(
    r"(?P<one>\S.{0,60}?)\s+joins?(?: up)?(?: with)?\s+(?P<other>\S.{0,60}?)\s+(?:in|for|to)\s+(?:the |an? )?"
    r"(?:attack|assault)(?:ing)?(?: on| against| of)?\s+(?P<on>\S.*)",
    re.IGNORECASE,
)
"""Units that attack with others: ``3A joins 1Inf in attacking 1203``."""
MOST_HEXES = re.compile(
    r"\b(?:but |and )?(?:(?:max(?:imum)?\.?|at most|no more than|not more than|up to)\s+"
    rf"(?P<n>{_COUNT})\s+hex(?:es)?|(?P<behind>{_COUNT})\s+hex(?:es)?\s+(?:max(?:imum)?\.?|at most))"
    r"(?=[\s.!]*$)",
    re.IGNORECASE,
)
"""How far units go at most."""
HALF = re.compile(r"\s*half(?: of)?(?: the)?\s+(?P<rest>.+)", re.IGNORECASE)
OR = re.compile(r"\s+or\s+", re.IGNORECASE)
MOST_WORDS = 4
"""At most this many words stand on each side of an `or`."""
REST_ON = re.compile(r"\b(?:rest|others) (?P<on>(?:on|at|against) \S.*)", re.IGNORECASE)
"""What all others of a kind that is not units do: ``artillery 12C on 1433, rest on 1434``."""

HOLDS = re.compile(
    r"(?:the\s+)?(?P<title>[^\s,;:][^,;:]{0,39}?)\s(?:holds?|passes|waits|stays? put|does nothing"
    r"|sits tight)[\s.!]*",
    re.IGNORECASE,
)
"""A command that does nothing."""
THEN_WITH = re.compile(
    r"(?:\b(?:then|next|afterwards|after that),?|\band|&)\s+(?:attack|assault|hit|storm)\b[^,;]{0,60}?"
    r"\bwith\s+(?P<who>.+)",
    re.IGNORECASE,
)
"""An attack that follows a move, and those whom it names."""

THEN_ATTACKS = re.compile(
    r",?[ \t]{1,3}(?:(?:and|then)\s+){0,2}(?:attack|assault|hit|storm)(?P<its>s?)\s+(?:on\s+)?"
    r"(?P<hex>\d{4})(?:\s+with\s+(?P<who>[^,;]{1,80}))?(?P<more>[,;].{0,80})?$",
    re.IGNORECASE,
)
"""An attack behind a move."""
ATTACKS_BEFORE = re.compile(r"\b(?:attack|assault|hit|storm|strike)(?:s|ing)?\b", re.IGNORECASE)
SHORT_OF = re.compile(
    rf"(?<!\S)(?:(?P<n>{_COUNT}|an?)\s+hex(?:es)?\s+(?:short(?:\s+of)?|before|from|off|away\s+from|in\s+front\s+of)"
    r"|(?:just\s+)?short\s+of|(?:right\s+)?next\s+to|(?:adjacent|close|near)\s+to|within\s+(?:one|an?|1)\s+hex\s+of"
    r"|the\s+hex\s+(?:before|in\s+front\s+of)|alongside|beside)(?!\S)",
    re.IGNORECASE,
)
"""Where a move is to end, as seen from the hex that it names."""
JOINING = re.compile(
    r"(?<!\S)(?:to|into|towards?|at|up|up\s+to|and|but|then|only|stop(?:s|ping)?|halt(?:s|ing)?)[\s,]*$",
    re.IGNORECASE,
)
"""What joins a move to what is said of its end."""
ON_CONTACT = re.compile(
    r"(?<!\S)(?:(?:stop(?:s|ping)?|halt(?:s|ing)?)\s+(?:(?:on|upon|at|in|when|if|once|before|as\s+soon\s+as)\s+)?"
    r"|(?:until|till|unless|up\s+to|to\s+first)\s+)"
    r"(?:(?:in|it|they|we|you|he|there|is|are|makes?|making|comes?|coming|gets?|getting|into|meets?|meeting|runs?"
    r"|hits?|finds?|sees?|any|the|a|an|first|next\s+to|adjacent\s+to|opposed\s+by)\s+){0,6}"
    r"(?:contact|enemy|enemies|germans|allies|zoc|zocs|resistance|opposition)(?:\s+(?:units?|zocs?|contact))?[\s.!]*$",
    re.IGNORECASE,
)
"""A move that ends where it meets the enemy."""
NOT_THERE = re.compile(
    r"(?:[,(]\s*|(?<=\s))(?:and\s+|but\s+)?not\s+(?:to\s+|at\s+|in\s+|into\s+|on\s+)?(?P<hex>\d{4})[\s.!)]*$",
    re.IGNORECASE,
)
"""A hex that is not meant, behind the one that is: ``3A to 1403, not 1404``."""
STATE_OF_IT = re.compile(
    r",?[ \t]{0,3}(?<!\S)(?P<if>if|unless|when|while)\s+(?:it|they|it['’]s|he|these|this)"
    r"(?:\s+(?:is|are))?\s+(?P<no>not\s+)?(?P<state>[a-z]{3,20})[\s.!]*$",
    re.IGNORECASE,
)
"""A condition that asks for the state of what has been named: ``8/3C to 1521 unless it is disrupted``."""
AFTER_EACH = re.compile(
    r"\s*(?:pause|stop|wait|halt)\s+(?:after|following)\s+(?:each|every|any|all)\b.{0,60}", re.IGNORECASE
)
"""A pause that no line takes by itself."""
ODDS = re.compile(
    r"[,;(]?[ \t]{0,3}(?<![\w/:-])(?:(?:but|only|if|at|with|on|odds|of|least|min\.?|minimum)\s+){0,4}"
    r"\d{1,2}\s*[:-]\s*\d{1,2}(?:\s+(?:or|and|better|more|higher|up|odds|at|least|min\.?|minimum|only)){0,4}[\s.!)]*$",
    re.IGNORECASE,
)
"""Odds at the end of a line."""
SLASHED = re.compile(r"(?<![\w/])[\w'-]{1,12}(?:/[\w'-]{1,12}){1,5}(?![\w/])")
"""A name with strokes, or several names."""
MOST_UNCLEAR = 2
"""At most this many names of a line may be unclear for lines with each of their meanings to be offered."""
MOST_MEANINGS = 6
"""At most this many of these lines are offered."""
MOST_WAY = 30
"""The length of the longest way that is looked at."""
MOST_NEAR = 3
"""At most this many hexes in which a move may end are offered."""


def _shape(order: Order) -> tuple[type[Order], int, int, int]:
    """What two orders have in common of which a line says the one or the other."""
    return type(order), len(order.actors()), len(order.targets()), len(getattr(order, "path", ()))


def _head(words: str) -> str:
    """Words without what joins them to those that follow."""
    while (short := words.rstrip(" ,").removesuffix(" and").removesuffix(" the")) != words:
        words = short
    return words


def _unjoined(words: str) -> str:
    """The words of a move without what joins them to those behind."""
    words = words.rstrip(" ,;(")
    while found := JOINING.search(words):
        words = words[: found.start()].rstrip(" ,;(")
    return words


class Unsaid(Amiss):
    """Asks what is meant by a line that no order says."""

    def _asked_first(self, number: int, text: str, words: str) -> Fault | None:
        """What to ask of a line that may read as an order, and as another one than is meant."""
        asked = (self._how_many, self._in_place_of, self._joining, self._then_attacks, self._beside)
        return next(filter(None, (each(number, text, words) for each in asked)), None)

    def _asked_at_last(self, number: int, text: str, words: str) -> Fault | None:
        """What to ask of a line that does not read."""
        asked = (
            self._command_holds, self._at_most, self._of_half, self._rest_there, self._rest_of_words,
            self._short_of, self._on_contact, self._not_there, self._if_it_is, self._after_each,
            self._no_odds,
        )  # fmt: skip
        found = (each(number, text, words) for each in asked)
        return next((each for each in found if each is not None), None)

    def _how_many(self, number: int, text: str, words: str) -> Fault | None:
        """``1-3 fighters``: a line for each number."""
        found = RANGE.search(words)
        if found is None:
            return None
        one, other = (int(NUMBERS.get(each.lower(), each)) for each in (found["one"], found["other"]))
        lines = [f"{words[: found.start()]}{count} {words[found.end() :]}" for count in range(one, other + 1)]
        error = Ambiguous("how many?", column=max(text.find(found[0]), 0), length=len(found[0].rstrip()))
        return self._ask(number, text, error, lines)

    def _in_place_of(self, number: int, text: str, words: str) -> Fault | None:
        """``35US replaces 2AD``: it goes where the other is. Where the other goes its writer has to say."""
        if swap := SWAP.fullmatch(words.strip()):
            words = f"{swap['one'] or swap['first']} swaps with {swap['other'] or swap['second']}"
        if (found := INSTEAD_OF.search(words)) is None:
            return None
        one, other = map(self._all_units, (words[: found.start()], words[found.end() :].rstrip(" .!")))
        if not one or not other:
            return None
        ways = self._way(one, other), self._way(other, one)
        lines = ["\n".join(ways)] if found["swap"] else [ways[0], f"replace {', '.join((*one, *other))}"]
        why = "one in the place of the other: where is each to go?"
        error = Ambiguous(why, column=len(text) - len(text.lstrip()), length=len(text.strip()))
        return self._ask(number, text, error, lines if all(ways) else lines[1:]) or Fault(number, text, error)

    def _beside(self, number: int, text: str, words: str) -> Fault | None:
        """``XIX Corps follows VII Corps``, ``79b stays with 3BR``: to where the other is, or goes?"""
        found = FOLLOWS.search(words)
        if found is None:
            return None
        before, behind = words[: found.start()], words[found.end() :].rstrip(" .!")
        if behind.lower() in IT and (fault := self._behind_it(number, text, found, before)):
            return fault
        if HEX.search(behind):
            return None
        one, other = self._all_units(before), self._all_units(behind)
        if not one or not other or set(one) & set(other):
            return None
        here = self._where(one)
        hexes = dict.fromkeys((*(self.names.going.get(unit) for unit in other), *self._where(other)))
        lines = [f"{', '.join(one)} to {hex}" for hex in hexes if hex and here != {hex}]
        stays = [f"{', '.join(one)} stays"] if here & {*hexes} else []
        offers = [*(line for line in lines if self._way_of(line)), *stays]
        return self._ends_at(number, text, found, "beside the other: name the hex", offers)

    def _behind_it(self, number: int, text: str, found: re.Match[str], before: str) -> Fault | None:
        """``7/3C to 1420, 8/3C follows it``: to the same hex, or to where it came from?"""
        parts = PARTED.split(before)
        first, units = self._way_of(parts[0]), self._all_units(parts[-1])
        if len(parts) != 2 or first is None or not units:
            return None
        left = {self.names.going.get(unit) or hex for unit in first.actors() for hex in self._where((unit,))}
        hexes = dict.fromkeys((first.place(), *filter(None, left)))
        names = ", ".join(units)
        lines = [f"{names} to {hex}" for hex in hexes if self._where(units) != {hex}]
        offers = (f"{self.reader.write(first)}\n{each}" for each in lines if self._way_of(each))
        return self._ends_at(number, text, found, "beside the other, or where it was: name the hex", offers)

    def _joining(self, number: int, text: str, words: str) -> Fault | None:
        """``3A joins 1Inf in attacking 1203``: both at once, or 3A behind 1Inf?"""
        found = JOINS.fullmatch(words.strip())
        one, other = (self._all_units(found[name]) if found else () for name in ("one", "other"))
        if found is None or not one or not other or len(self._ordered(words)) == 1:
            return None
        why = "together, or one after the other? a line for those that attack at once"
        error = Ambiguous(why, column=len(text) - len(text.lstrip()), length=len(text.strip()))
        units = ", ".join((*other, *one))
        asked = (
            self._ask(number, text, error, [line])
            for line in (f"attack {found['on']} with {units}", f"{units} to {found['on']}")
        )
        return next(filter(None, asked), None) or Fault(number, text, error)

    def _then_attacks(self, number: int, text: str, words: str) -> Fault | None:
        """``8/4 to 5230, then attack 5130 with 22/4``, where an attack is a move or belongs below another
        heading: who attacks?"""
        found = THEN_ATTACKS.search(words.rstrip(" .!"))
        if found is None or any(
            kind.sort == ATTACK for kind in self.grammar.allowed(self.section, self.seat)
        ):
            return None
        head = words[: found.start()]
        move = None if ATTACKS_BEFORE.search(head) else self._way_of(head)
        others = self._all_units(found["who"]) if found["who"] else ()
        if move is None or (found["who"] and not others):
            return None
        mine = move.actors()
        left = tuple(unit for unit in others if unit not in mine)
        meant = [(*mine, *left)] if found["its"] or not left or left != others else [(*mine, *left), left]
        if not left and self._attack_of(mine, found, ""):
            return None
        for section in ("", *dict.fromkeys((*self.scope.sections, *self.grammar.sections))):
            lines = [self._attack_of(who, found, section) for who in meant]
            if all(lines):
                alone = f"{', '.join(mine)} as well, or {', '.join(left)} alone?"
                offers = [f"{self.reader.write(move)}\n{line}" for line in lines]
                return self._ends_at(number, text, found, alone if meant[1:] else "one line for each", offers)
        return None

    def _attack_of(self, units: Sequence[str], found: re.Match[str], section: str) -> str:
        """An attack of units below a heading, "" for that in force; "" if none reads there."""
        line = f"attack {found['hex']} with {', '.join(units)}{found['more'] or ''}"
        read = self._says(self._phrase(section or None), line)
        order = None if isinstance(read, Scan) else dict(read)["order"]
        if order is None or order.place() != found["hex"]:
            return ""
        return f"[{section}]\n{self.reader.write(order)}" if section else self.reader.write(order)

    def _way(self, units: Sequence[str], others: Sequence[str]) -> str:
        """A move of units to the one hex where others are; "" if there is none in this section."""
        hexes = self._where(others)
        line = f"{', '.join(units)} to {hexes.pop()}" if len(hexes) == 1 else ""
        orders = self._ordered(line)
        return line if orders and all(getattr(order, "path", ()) for order in orders) else ""

    def _at_most(self, number: int, text: str, words: str) -> Fault | None:
        """``1US to 0714 max 2 hexes``: the way, if it is not longer."""
        found = MOST_HEXES.search(words)
        head = words[: found.start()].rstrip(" ,;(") if found else ""
        orders = self._ordered(head) if head else []
        if found is None or len(orders) != 1 or orders[0].sort != GOES:
            return None
        most = found["n"] or found["behind"]
        most = int(NUMBERS.get(most.lower(), most))
        path: Sequence[str] = getattr(orders[0], "path", ()) or (str(getattr(orders[0], "hex", "")),)
        near = all(self._is_within(most, unit, path) for unit in orders[0].actors())
        why = "no order counts hexes: a move ends at the hex that it names; name the one where it is to stop"
        error = Unreadable(why, column=max(text.find(found[0]), 0), length=len(found[0]))
        return self._ask(number, text, error, [head] * near) or Fault(number, text, error)

    def _is_within(self, most: int, unit: str, path: Sequence[str]) -> bool:
        """Whether a unit is so near to the end of a way. A unit that is to come counts from its first hex."""
        around = self.names.roster.neighbours
        reached = {self.names.going.get(unit) or self.names.roster.units[unit].hex or path[0]}
        for _ in range(most if around else 0):
            reached |= {hex for start in reached for hex in around(start)}  # type: ignore[misc]
        return path[-1] in reached

    def _of_half(self, number: int, text: str, words: str) -> Fault | None:
        """``half of 2AD to 0714``: its writer names the half."""
        found = HALF.fullmatch(words)
        scan = Scan(found["rest"], self.names, self.reader.reserved) if found else None
        units = next((each for _, each in self._phrase().unit_lists(scan, 0)), ()) if scan else ()
        if found is None or not units:
            return None
        if len(units) > 1:
            why = f"which half? name the units that are meant: {', '.join(units)}"
        else:
            breaks = "break" in self._phrase().verbs
            why = f"{units[0]} is one unit" + (f": break {units[0]}, then name the part" if breaks else "")
        error = Ambiguous(why, legal=units, column=len(text) - len(text.lstrip()), length=len(text.strip()))
        return Fault(number, text, error)

    def _which_of_two(self, number: int, text: str, words: str) -> Fault | None:
        """``1US or 29US to 0714``: a line for each."""
        found = OR.split(words.strip())
        if len(found) != 2 or not self.names.work.offers:
            return None
        before, behind = found[0].split(), found[1].split()
        error = Ambiguous(
            "which of the two?", column=len(text) - len(text.lstrip()), length=len(text.strip())
        )
        for left, right in sorted(
            ((left, right) for left in range(1, MOST_WORDS + 1) for right in range(1, MOST_WORDS + 1)),
            key=lambda each: (abs(each[0] - each[1]), each),
        ):
            if left > len(before) or right > len(behind):
                continue
            lines = " ".join((*before, *behind[right:])), " ".join((*before[:-left], *behind))
            one, other = map(self._ordered, lines)
            if one != other and (list(map(_shape, one)) == list(map(_shape, other)) or right == len(behind)):
                fault = self._ask(number, text, error, lines)
                if fault and len(fault.either) == 2:
                    return fault
        if self._all_units(found[0]) and self._all_units(found[1]):
            why = "which of the two, and what is it to do?"
            error = Ambiguous(why, column=error.column, length=error.length)
            return Fault(number, text, error)
        return None

    def _command_holds(self, number: int, text: str, words: str) -> Fault | None:
        """``47Pz holds``: a command whose turn chance decides, and none of its units by name."""
        found = HOLDS.fullmatch(words.strip())
        title = found["title"] if found else ""
        drawn = (
            [name for name in self._sections(title, whole=True) if name in self.grammar.titles]
            if title
            else []
        )
        if len(drawn) != 1 or "hold" not in self._phrase(drawn[0]).verbs:
            return None
        error = Unreadable(f"[{drawn[0]}] is a section of its own", length=len(text.strip()))
        return Fault(number, text, error, f"when {drawn[0]}: hold")

    def _rest_there(self, number: int, text: str, words: str) -> Fault | None:
        """``entrench 69/50, rest at 2226``: the others there too, or not?"""
        found = REST.search(words)
        if found is None or not found["hex"] or re.search(r"\son\s", found[0]):
            return None
        head = _head(words[: found.start()])
        named = {unit for order in self._ordered(head) for unit in order.actors()}
        others = [unit for unit in self._others(found["hex"]) if unit not in named]
        if not named or not others:
            return None
        error = Ambiguous(
            f"{', '.join(others)}: too, or not?", column=max(text.find(found[0]), 0), length=len(found[0])
        )
        fault = self._ask(number, text, error, [f"{head}, {', '.join(others)}{words[found.end() :]}", head])
        return fault if fault and len(fault.either) == 2 else None

    def _who_attacks(self, number: int, text: str, words: str, outcomes: Sequence[Outcome]) -> Fault | None:
        """``4US to 0618, then attack 0718 with 82AB``: with 82AB too, or with it alone?"""
        found = THEN_WITH.search(words)
        orders = [each for each in outcomes if isinstance(each, Order)]
        if found is None or len(orders) != len(outcomes) or len(orders) < 2:
            return None
        *before, move, attack = orders
        mine = move.actors()
        left = [unit for unit in attack.actors() if unit not in mine]
        if attack.sort != ATTACK or move.sort != GOES or not left:
            return None
        if not set(mine) < set(attack.actors()) and not self._comes_next_to(move, attack):
            return None
        if any(between(found["who"], (unit, unit)) for unit in mine):
            return None
        alone = replace(attack, units=tuple(left))  # type: ignore[call-arg]
        attack = replace(attack, units=(*mine, *left))  # type: ignore[call-arg]
        why = f"{', '.join(mine)} as well, or {', '.join(left)} alone?"
        error = Ambiguous(why, column=max(text.find(found[0]), 0), length=len(found[0]))
        offers = ("\n".join(map(self.reader.write, (*before, move, each))) for each in (attack, alone))
        return Fault(number, text, error, either=tuple(map(self._sendable, offers)))

    def _comes_next_to(self, move: Order, attack: Order) -> bool:
        """Whether a move ends next to the hex that is attacked."""
        around = self.names.roster.neighbours
        return around is not None and move.place() in around(attack.place())

    def _rest_of_words(self, number: int, text: str, words: str) -> Fault | None:
        """``artillery 12C on 1433, rest on 1434``: a line for each of the others."""
        found = REST_ON.search(words)
        head = _head(words[: found.start()]) if found else ""
        orders = self._ordered(head) if head else []
        if found is None or len(orders) != 1:
            return None
        order, every = orders[0], self.names.roster.commanded
        if not hasattr(order, "command") and isinstance(getattr(order, "number", None), int):
            counts = ("", *(f" times {count}" for count in (2, 3)))
            again = (f"{order.verb} {found['on']}{count}" for count in counts)
            column, length = max(text.find(found[0]), 0), len(found[0])
            error = Ambiguous("how many are the rest?", column=column, length=length)
            return self._ask(number, text, error, [f"{self.reader.write(order)}\n{each}" for each in again])
        this = getattr(order, "command", "")
        others = [self._ordered(f"{order.verb} {key} {found['on']}") for key in every if key != this]
        if this not in every or not any(others):
            return None
        lines = [self.reader.write(each) for orders in ([order], *others) for each in orders]
        column, length = max(text.find(found["on"]), 0), len(found["on"])
        error = Ambiguous("which others? a line for each", column=column, length=length)
        return self._ask(number, text, error, ["\n".join(lines)])

    def _short_of(self, number: int, text: str, words: str) -> Fault | None:
        """``3BR one hex short of 0908``, ``3BR to 0908, stop one hex short``: a line for each hex."""
        found = SHORT_OF.search(words)
        head = _unjoined(words[: found.start()]) if found else ""
        behind = words[found.end() :].strip(" ,.!") if found else ""
        if found is None or not head:
            return None
        if others := self._all_units(behind) or self._foes(behind):
            behind = next((hex for hex in self._where(others) if hex), behind)
        order = self._way_of(f"{head} to {behind}" if behind not in ("", "it", "there") else head)
        if order is None:
            return None
        count = found["n"] or "1"
        far = int(NUMBERS.get(count.lower(), count if count.isdecimal() else "1"))
        why = "no order counts hexes: name the one where the move is to end"
        return self._ends_at(number, text, found, why, self._in_front_of(order, far))

    def _foes(self, words: str) -> tuple[str, ...]:
        """The one unit of the enemy that some words name; none else."""
        meant = self.names.meant(words.split(), self.reader.reserved) if words else None
        whole = meant is not None and meant.length == len(words.split()) and len(meant.units) == 1
        return tuple(meant.units) if meant is not None and whole else ()

    def _on_contact(self, number: int, text: str, words: str) -> Fault | None:
        """``3BR to 0908, stop on contact``: up to the hex in front of the enemy, or there if he is not."""
        found = ON_CONTACT.search(words)
        head = _unjoined(words[: found.start()]) if found else ""
        order = self._way_of(head) if head else None
        if found is None or (head and order is None):
            return None
        why = "no order stops on contact: name the hex where the move is to end"
        if order is None:
            return Fault(
                number, text, Unreadable(why, column=max(text.find(found[0]), 0), length=len(found[0]))
            )
        if order.place() in self._enemy_hexes:
            return self._ends_at(number, text, found, why, self._in_front_of(order, 1))
        return self._ends_at(
            number, text, found, why, self._on_terms((f"not {order.place()} is held by the enemy",), order)
        )

    def _not_there(self, number: int, text: str, words: str) -> Fault | None:
        """``3A to 1403, not 1404``."""
        found = NOT_THERE.search(words)
        orders = self._ordered(words[: found.start()].rstrip(" ,;(")) if found else []
        hexes = [*getattr(orders[0], "path", ()), *orders[0].targets()] if len(orders) == 1 else []
        if found is None or not hexes or found["hex"] in hexes:
            return None
        why = f"{found['hex']} is none of the hexes of this order"
        why += (
            ": is that all? If it must not be on the way, name each hex of the way"
            if orders[0].sort == GOES
            else ""
        )
        return self._ends_at(number, text, found, why, [self.reader.write(orders[0])])

    def _if_it_is(self, number: int, text: str, words: str) -> Fault | None:
        """``8/3C to 1521 unless it is disrupted``: a line for each that may be meant."""
        found = STATE_OF_IT.search(words)
        orders = self._ordered(words[: found.start()]) if found else []
        if found is None or len(orders) != 1:
            return None
        no = "not " * ((found["if"].lower() == "unless") != bool(found["no"]))
        units = self.names.roster.units.values()
        foes = (each.id for each in units if each.enemy and each.here and each.hex in {orders[0].place()})
        of_hexes = found["state"].lower() in ("empty", "free", "held", "ours", "theirs")
        named = (*(() if of_hexes else (*orders[0].actors(), *foes)), orders[0].place())
        offers = self._on_terms((f"{no}{each} is {found['state']}" for each in named), orders[0])
        return self._ends_at(number, text, found, "what is to be so?", offers) if offers else None

    def _after_each(self, number: int, text: str, words: str) -> Fault | None:
        """``pause after each battle``."""
        if (found := AFTER_EACH.fullmatch(words)) is None:
            return None
        why = "PAUSE is a line of its own: write it below each line of which you want to see the result first"
        return self._ends_at(number, text, found, why, ["pause"])

    def _no_odds(self, number: int, text: str, words: str) -> Fault | None:
        """``attack 1209 with VII/US, 3-1``, where no attack waits for odds."""
        found = ODDS.search(words)
        orders = self._ordered(words[: found.start()].rstrip(" ,;(")) if found else []
        if found is None or len(orders) != 1 or orders[0].sort != ATTACK or hasattr(orders[0], "odds"):
            return None
        why = "no attack waits for odds here: attack in any case?"
        return self._ends_at(number, text, found, why, [self.reader.write(orders[0])])

    def _of_strokes(self, number: int, text: str, words: str) -> Fault | None:
        """``15/43/50 to 1604``: a line with each unit by itself."""
        for found in SLASHED.finditer(words):
            if self.names.meant([found[0]], self.reader.reserved) is not None:
                continue
            line = f"{words[: found.start()]}{found[0].replace('/', ', ')}{words[found.end() :]}".strip()
            read = self._says(self._phrase(), line)
            fault = self._phrase().fault(number, line, read) if isinstance(read, Scan) else None
            either = [*([fault.suggestion] if fault.suggestion else []), *fault.either] if fault else [line]
            why = f'there is no unit "{found[0]}"; write several with commas'
            error = Ambiguous(why, column=max(text.find(found[0]), 0), length=len(found[0]))
            if asked := self._ask(number, text, error, either):
                return asked
        return None

    def _each_meaning(self, number: int, text: str, words: str) -> Fault | None:
        """A line in a free order of words with one or two names that fit several units or hexes: a line for
        each of them."""
        if not self.names.work.offers:
            return None
        unclear = list(islice(self._unclear(words), MOST_UNCLEAR + 1))
        if not unclear or len(unclear) > MOST_UNCLEAR:
            return None
        lines: list[str] = []
        for each in islice(product(*(names for _, _, names in unclear)), MOST_MEANINGS):
            line = words
            for (start, end, _), name in reversed(list(zip(unclear, each, strict=True))):
                line = f"{line[:start]}{name}{line[end:]}"
            lines.append(line)
        start, end, names = unclear[0]
        why = f'"{words[start:end]}": {" or ".join(names)}?'
        error = Ambiguous(why, legal=names, column=max(text.find(words[start:end]), 0), length=end - start)
        return self._ask(number, text, error, lines)

    def _unclear(self, words: str) -> Iterator[tuple[int, int, Sequence[str]]]:
        """The names in some words that fit several units or hexes: where each stands, and what it may
        mean."""
        scan, at = Scan(words, self.names, self.reader.reserved), 0
        while at < scan.length:
            meant, place = self.names.meant(scan.words(at), scan.reserved), self.names.place(scan.words(at))
            whole = self.names.formation(scan.words(at), scan.reserved)
            if place and not (meant and (meant.length > place[1] or self._is_mine(meant))):
                names, length = list(place[0]), place[1]
            elif meant and not (whole and len(whole[0]) == 1 and whole[1] >= meant.length):
                names, length = meant.units, meant.length
            else:
                names, length = [], whole[1] if whole else 1
            hex = self.names.hex(scan.pieces[at].text) or scan.pieces[at].text.isdecimal()
            if not hex and 1 < len(names) <= MOST_MEANINGS:
                column, width = scan.span(at, at + length)
                yield column, column + width, names
            at += length

    def _is_mine(self, meant: Meant) -> bool:
        return not all(self.names.roster.units[unit].enemy for unit in meant.units)

    def _way_of(self, line: str) -> Order | None:
        """The one move of a line; None if it is another order, or several."""
        orders = self._ordered(line)
        return orders[0] if len(orders) == 1 and orders[0].sort == GOES and orders[0].place() else None

    def _in_front_of(self, order: Order, far: int) -> list[str]:
        """A move with the hexes that are so far from its end and nearest to where its units are."""
        around, path = self.names.roster.neighbours, getattr(order, "path", ())
        starts = {self.names.going.get(unit) or self.names.roster.units[unit].hex for unit in order.actors()}
        if around is None or not path or None in starts:
            return []
        if len(path) > far:
            return [self.reader.write(replace(order, path=path[:-far]))]  # type: ignore[call-arg]
        ring, within = {path[-1]}, {path[-1]}
        for _ in range(far):
            ring = {hex for each in ring for hex in around(each)} - within
            within |= ring
        reached = {str(start) for start in starts}
        if ring & reached:
            return []
        for _ in range(MOST_WAY):
            if near := sorted(ring & reached - self._enemy_hexes)[:MOST_NEAR]:
                return [self.reader.write(replace(order, path=(hex,))) for hex in near]  # type: ignore[call-arg]
            reached |= {hex for each in reached for hex in around(each)}
        return []

    def _on_terms(self, terms: Iterable[str], order: Order) -> list[str]:
        """An order on each of these conditions, where that reads."""
        lines = (f"if {each}, {self.reader.write(order)}" for each in terms)
        return [line for line in lines if not isinstance(self._says(self._phrase(), line), Scan)]

    def _ends_at(
        self, number: int, text: str, found: re.Match[str], why: str, offers: Iterable[str]
    ) -> Fault:
        """What to ask of the words that were found in a line, with the lines that may be meant."""
        words = found[0].strip(" ,;(")
        error = Ambiguous(why, column=max(text.find(words), 0), length=len(words))
        return Fault(number, text, error, either=tuple(dict.fromkeys(map(self._sendable, offers))))

    def _ask(self, number: int, text: str, error: OrderError, lines: Iterable[str]) -> Fault | None:
        """What to ask, with those lines that are orders as they stand; None if none is."""
        ready = tuple(dict.fromkeys(map(self._sendable, self._ready(lines))))
        return Fault(number, text, error, either=ready) if ready else None

    def _ready(self, lines: Iterable[str]) -> Iterator[str]:
        for line in lines:
            written = [self._ordered(each) for each in line.splitlines()]
            if written and all(written):
                offer = "\n".join(self.reader.write(order) for orders in written for order in orders)
            else:
                offer = "\n".join(map(self.reader.write_line, self._by_itself(line)))
            if offer and says_all(line, offer, self.names):
                yield offer

    def _ordered(self, line: str) -> list[Order]:
        """The plain orders of a line below the heading in force; none if it has others, or reads as none, or
        as one that is faulty."""
        section = self._present
        read = self._says(self._phrase(), line)
        if not isinstance(read, Scan):
            found = [dict(read)["order"]] if len(read) == 1 and "order" in dict(read) else []
        else:
            freely = free_reader(self.reader, section, self.seat).read(line, self.names) or []
            found = [
                each.order if isinstance(each, Bound) and len(each.captures) == 1 else each for each in freely
            ]
        if not all(isinstance(each, Order) for each in found):
            return []
        wrong = (
            self._wrong(0, line, made(0, line, section, (("order", each),), "", self.names)) for each in found
        )
        return [] if any(wrong) else found

    def _all_units(self, words: str) -> tuple[str, ...]:
        """One's own units that some words name, if they say no more; none else."""
        scan = Scan(words.strip(), self.names, self.reader.reserved)
        known = self.names.roster.units
        for end, units in self._phrase().unit_lists(scan, 0):
            if end == scan.length and not any(known[unit].enemy for unit in units):
                return tuple(units)
        return ()
