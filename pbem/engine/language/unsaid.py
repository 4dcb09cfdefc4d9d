"""Turns of phrase for which there is no order: what is asked, and the lines that may be meant.

Each is one of several lines (``1US or 29US to 0714``, ``1-3 fighters``), or says what no order says (``max 2
hexes``, ``half of 2AD``). Only lines that read, and can act, are offered.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from pbem.engine.errors import Ambiguous, OrderError, Unreadable
from pbem.engine.language.amiss import REST, Amiss, made
from pbem.engine.language.clauses import Bound, Outcome
from pbem.engine.language.free import free_reader
from pbem.engine.language.model import ATTACK, GOES, Fault, Order
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
    r"\s*(?:the\s+)?(?P<title>[^,;:]{1,40}?)\s(?:holds?|passes|waits|stays? put|does nothing"
    r"|sits tight)[\s.!]*",
    re.IGNORECASE,
)
"""A command that does nothing."""
THEN_WITH = re.compile(
    r"\b(?:then|next|afterwards|after that),?\s+(?:attack|assault|hit|storm)\b[^,;]{0,60}?\bwith\s+"
    r"(?P<who>.+)",
    re.IGNORECASE,
)
"""An attack that follows a move, and those whom it names."""


def _shape(order: Order) -> tuple[type[Order], int, int, int]:
    """What two orders have in common of which a line says the one or the other."""
    return type(order), len(order.actors()), len(order.targets()), len(getattr(order, "path", ()))


def _head(words: str) -> str:
    """Words without what joins them to those that follow."""
    while (short := words.rstrip(" ,").removesuffix(" and").removesuffix(" the")) != words:
        words = short
    return words


class Unsaid(Amiss):
    """Asks what is meant by a line that no order says."""

    def _asked_first(self, number: int, text: str, words: str) -> Fault | None:
        """What to ask of a line that may read as an order, and as another one than is meant."""
        asked = (self._how_many, self._in_place_of, self._joining)
        return next(filter(None, (each(number, text, words) for each in asked)), None)

    def _asked_at_last(self, number: int, text: str, words: str) -> Fault | None:
        """What to ask of a line that does not read."""
        asked = (self._command_holds, self._at_most, self._of_half, self._rest_there, self._rest_of_words)
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
        found = HOLDS.fullmatch(words)
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
        left = [unit for unit in attack.actors() if unit not in move.actors()]
        if attack.sort != ATTACK or not set(move.actors()) < set(attack.actors()):
            return None
        if any(between(found["who"], (unit, unit)) for unit in move.actors()):
            return None
        alone = replace(attack, units=tuple(left))  # type: ignore[call-arg]
        why = f"{', '.join(move.actors())} as well, or {', '.join(left)} alone?"
        error = Ambiguous(why, column=max(text.find(found[0]), 0), length=len(found[0]))
        offers = ("\n".join(map(self.reader.write, (*before, move, each))) for each in (attack, alone))
        return Fault(number, text, error, either=tuple(map(self._sendable, offers)))

    def _rest_of_words(self, number: int, text: str, words: str) -> Fault | None:
        """``artillery 12C on 1433, rest on 1434``: a line for each of the others."""
        found = REST_ON.search(words)
        head = _head(words[: found.start()]) if found else ""
        orders = self._ordered(head) if head else []
        if found is None or len(orders) != 1:
            return None
        order, every = orders[0], self.names.roster.commanded
        this = getattr(order, "command", "")
        others = [self._ordered(f"{order.verb} {key} {found['on']}") for key in every if key != this]
        if this not in every or not any(others):
            return None
        lines = [self.reader.write(each) for orders in ([order], *others) for each in orders]
        column, length = max(text.find(found["on"]), 0), len(found["on"])
        error = Ambiguous("which others? a line for each", column=column, length=length)
        return self._ask(number, text, error, ["\n".join(lines)])

    def _ask(self, number: int, text: str, error: OrderError, lines: Iterable[str]) -> Fault | None:
        """What to ask, with those lines that are orders as they stand; None if none is."""
        ready = tuple(dict.fromkeys(map(self._sendable, self._ready(lines))))
        return Fault(number, text, error, either=ready) if ready else None

    def _ready(self, lines: Iterable[str]) -> Iterator[str]:
        for line in lines:
            written = [self._ordered(each) for each in line.splitlines()]
            if written and all(written):
                offer = "\n".join(self.reader.write(order) for orders in written for order in orders)
                if says_all(line, offer, self.names):
                    yield offer

    def _ordered(self, line: str) -> list[Order]:
        """The plain orders of a line below the heading in force; none if it has others, or reads as none, or
        as one that is faulty."""
        section = self.section or next(iter(self.scope.sections), "")
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
