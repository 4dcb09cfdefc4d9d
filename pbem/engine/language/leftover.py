"""Lines of which a part is no order: what remains is offered, and its writer is asked whether that is all.

No order says ``bypass Orleans``, ``to keep the line intact`` or ``probes``. Such words are never passed over:
the fault quotes them, and what reads without them, or with a verb of the section in their place, is offered
as a choice. A name among the rest that fits several units or hexes gives a line for each.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from pbem.engine.errors import Ambiguous, OrderError
from pbem.engine.language.amiss import made
from pbem.engine.language.bearing import takes_back
from pbem.engine.language.free import FreeReader, free_reader
from pbem.engine.language.limits import CONDITIONS, TIMES
from pbem.engine.language.model import ATTACK, GOES, Fault, Order
from pbem.engine.language.names import LONGEST_NAME
from pbem.engine.language.nothing import WORD, Nothing
from pbem.engine.language.people import NUMBERS, STAY
from pbem.engine.language.senses import DEEDS
from pbem.engine.language.turns import FILLERS, FROM, ON, SETS, TO, VIA, WITH
from pbem.engine.language.unsaid import ATTACKS_BEFORE, HEX
from pbem.engine.language.usage import Scan
from pbem.engine.language.whole import says_all

CUT = re.compile(
    r"[,;(]|(?<=\s)[-–—]{1,2}(?=\s)|(?<=\w)[.!](?=\s)"
    r"|(?<=\s)(?:and|but|then|otherwise|else|so|because|since|while|as|to|after|before|until|till|unless|if"
    r"|when|for|in|with|at|along|by|using|on|over|near|behind|where|who|which|that|up|all|not|no|without|or"
    r"|per|the|its|their|from|towards?|via|through|against|under|around)(?=\s)",
    re.IGNORECASE,
)
"""Where the last part of a line may begin."""
LABELLED = re.compile(r"[^:,;]{1,40}:(?=\s)")
"""Words with a colon in front of an order."""
ON_TERMS = re.compile(r"(?:if|unless|when)\s[^,:;]{1,80}[,:](?:\s+then(?=\s))?", re.IGNORECASE)
"""A condition in front of an order."""
INSIDE = re.compile(
    r"(?<=\w) (?:along|across|over|by|past|around|round|through|behind|from|near|down|up) "
    r"[^,;:\d]{1,40}?(?= (?:to|into) )",
    re.IGNORECASE,
)
"""How a way leads, in front of its end."""
BRACKETS = re.compile(r"\([^()]{0,80}\)")
PUSHES_ON = re.compile(
    r"(?<=\w) (?:push|drive|march|advance|press|close|thrust|move)(?:e?s)? (?:up)?on (?=\d{4}\b|(?-i:[A-Z]))",
    re.IGNORECASE,
)
"""Words that may send units to a hex or against it."""
AVOIDS = re.compile(
    r"(?:bypass|avoid|skirt|evacuat|abandon|ignor|skip|shun|vacat|quit|desert|circumvent|leav|flee|dodg)",
    re.IGNORECASE,
)
"""Verbs of which the hex behind them is not the goal."""
MOST_CUTS = 10
MOST_TRIED = 40
"""At most this many lines are tried in place of one."""
MOST_CLOSELY = 1
"""At most this many parts of a line are looked through for slips."""
MOST_MEANT = 6
"""At most this many lines are offered."""
MOST_STRANGE = 2
"""At most this many words stand where a verb is to be."""
MOST_BETWEEN = 9
"""At most this many stand between units and the place where they are sent."""
MOST_NAMED = 12
"""At most this many words name the units in front."""
PLACED_FROM = re.compile(r"\b(?:from|out of|off)\s+(?:the\s+)?[A-Za-z]{0,2}\d{3,4}\b", re.IGNORECASE)
"""Where units come from."""
FALLEN = re.compile(
    r"(?:if|when|once|as soon as) (?P<where>[^,;:]{2,40}?)"
    r" (?:has fallen|falls|has been taken|is taken|has been captured|is captured|is lost)"
    r"(?: by (?:then|now))?(?:,|(?= ))",
    re.IGNORECASE,
)
"""A condition that a place changes hands."""
FROM_TO = re.compile(r"from \S{1,40} to\b", re.IGNORECASE)
"""What says where a move ends."""
NUMBERED = re.compile(r"[,;:(]|\d(?!\d{0,2}(?:st|nd|rd|th)\b)")
"""What is more than words, but for the number of a unit."""
NOT_AT = (
    FROM | VIA | frozenset("of off near past beyond around behind before between by along opposite".split())
)
"""Words in front of a place that is not where a way ends."""
CHANGES = frozenset(
    "not no never nobody none except unless if only or without until till before after when while as instead"
    " nor but and with plus together both also then otherwise else than against attack attacks".split()
)
"""Words for which none of those between units and a place can be left out: they say more than how to get
there."""
MOST_QUOTED = 60
AT_FIRST = re.compile(r"(?:at|on|near|in|the)\s", re.IGNORECASE)
"""A preposition in front of where something happens."""
NO_VERB = (
    FILLERS | TO | ON | WITH | VIA | FROM | SETS | DEEDS | CONDITIONS | TIMES
    | frozenset("and or not no but then else otherwise instead".split())
)  # fmt: skip
"""Words in whose place no verb is put."""


class Leftover(Nothing):
    """Offers what is left of a line without the words that no order says."""

    tried = 0
    """How many lines may still be tried in place of the present one."""
    closely = 0
    """For how many parts of the present line slips may still be looked for."""

    def _without(
        self, number: int, text: str, words: str, comments: Sequence[str] = (), known: Fault | None = None
    ) -> Fault | None:
        """What to ask of a line of which no more is known than that it does not read, or what is `known` of
        it if nothing is left out; None if none of it can be offered. `comments` stand behind it, and tell of
        the game."""
        words = words.strip().rstrip(".! ")
        row = words.startswith("|")  # of a table, which is seen but not read
        if "?" in words or row or not self.names.work.offers or not words:
            return None
        self.tried, self.closely = MOST_TRIED, MOST_CLOSELY
        for head, left in self._parts(words):
            if not all(map(self._may_be_left, filter(None, (left, *comments)))):
                continue
            if not {*HEX.findall(head)}.isdisjoint(HEX.findall(left)):
                continue  # "3BR to 0808 0908, not 0808"
            if HEX.search(left) and self._names_units(left) and not HEX.search(head):
                continue  # "increment 4, I Corps thru 1511": the order is in what would be left out
            for strange, more, offers in self._meant_by(head):
                if offers:
                    also = "; ".join(filter(None, (more, left, *comments)))
                    if known and not (also or strange):
                        return replace(known, either=tuple(map(self._sendable, offers[:MOST_MEANT])))
                    return self._asked_without(number, text, words, also, strange, offers)
            if not self.tried:
                break
        return None

    def _asked_without(
        self, number: int, text: str, words: str, left: str, strange: str, offers: Sequence[str]
    ) -> Fault:
        """The fault that quotes what an offer does not say."""
        whys = []
        if strange:
            whys.append(f'"{strange}" is no order here: which is meant?')
        elif len(offers) > 1 or not left:
            whys.append("which of these?" if len(offers) > 1 else "is this meant?")
        if left:
            quoted = left if len(left) <= MOST_QUOTED else f"{left[:MOST_QUOTED]}..."
            begins = WORD.match(left.lower())
            bound = begins is not None and begins[0] in CONDITIONS
            whys.append(
                f'no condition says "{quoted}": in any case?'
                if bound
                else f'no order says "{quoted}": without it?'
            )
        said = next((each for each in (left, strange) if each and each in text), words)
        error: OrderError = Ambiguous(" ".join(whys), column=max(text.find(said), 0), length=len(said))
        return Fault(number, text, error, either=tuple(map(self._sendable, offers[:MOST_MEANT])))

    def _parts(self, words: str) -> Iterator[tuple[str, str]]:
        """The line whole, then without its last part, the shortest first, without brackets, and without what
        stands in front; each with the words that are left out."""
        yield words, ""
        for found in BRACKETS.finditer(words):
            head = f"{words[: found.start()].rstrip()} {words[found.end() :].lstrip()}".strip()
            yield head, found[0]
        for found in INSIDE.finditer(words):
            if CHANGES & {*WORD.findall(found[0].lower())}:
                continue
            head = f"{words[: found.start()]} {words[found.end() :].lstrip()}"
            yield head, found[0].strip()
        begins = [found for found in (LABELLED.match(words), ON_TERMS.match(words)) if found]
        cuts = [found.start() for found in CUT.finditer(words) if found.start()][-MOST_CUTS:]
        for start in reversed(cuts):
            yield words[:start].rstrip(" ,;-–—(."), words[start:].strip(" ,;-–—()")
        for found in begins:
            yield words[found.end() :].strip(), found[0].rstrip(" ,:")

    def _may_be_left(self, left: str) -> bool:
        """Whether an order may be offered without these words, which are quoted: they do not say when it is
        for, nor take it back, and are no further units or hexes of a list, nor who takes part."""
        said = set(WORD.findall(left.lower()))
        if said & TIMES or takes_back(left) or not said - {"and", "or"} or FROM_TO.match(left):
            return False
        listed = re.sub(r"^(?:and|or|&|\+|,)\s+", "", left, flags=re.IGNORECASE)
        pieces = [each.strip(" .!") for each in re.split(r"[,;]| (?:and|or|&) ", listed)]
        return not any(map(self._all_units, pieces)) and not any(map(self._is_part_of_an_order, pieces))

    def _is_part_of_an_order(self, words: str) -> bool:
        """Whether words say who takes part, helps or advances, or a limit: ``with 8/4 naval``, ``at 5
        losses``."""
        said = words.lower().split()
        terms = (self._free().terms | {"advance"}) - CONDITIONS
        if said[:1] and said[0] in WITH | terms and self._names_units(words):
            return True
        return not terms.isdisjoint(said) and any(map(str.isdecimal, said))

    def _names_units(self, words: str) -> bool:
        """Whether there is the name of a unit among words."""
        scan = Scan(words, self.names, self.reader.reserved)
        return any(self.names.meant(scan.words(at), scan.reserved) for at in range(scan.length))

    def _meant_by(self, words: str) -> Iterator[tuple[str, str, list[str]]]:
        """What words may order, as they stand, with each meaning of an unclear name, then with a verb of the
        section in the place of a word that is none (the first thing told), or without it (the second)."""
        if not words:
            return
        yield "", "", self._offers(words)
        if fallen := FALLEN.match(words):
            yield "", "", self._all_offers(self._once_fallen(fallen))
        yield "", "", self._all_offers(self._clear(words))
        plain = self._respelled(words)
        if plain != words:
            yield "", "", self._all_offers((plain, *self._clear(plain)))
        if found := PUSHES_ON.search(plain):
            yield found[0].strip(), "", self._with_verbs(plain[: found.start()], plain[found.end() :])
        if (named := self._strange(plain)) is not None:
            start, end = named
            before, strange, behind = plain[:start].strip(), plain[start:end], plain[end:].strip()
            if behind.split(" ", 1)[0].lower() in TO:  # "716 ID survivors to Caen"
                without = f"{before} {behind}".strip()
                yield "", strange, self._all_offers((without, *self._clear(without)))
            else:
                yield strange, "", self._with_verbs(before, behind)
        for units, strange, goal in filter(None, map(self._sent, dict.fromkeys((words, plain)))):
            yield strange, "", self._with_verbs(units, goal)
        if self.closely > 0:
            self.closely -= 1
            yield "", "", self._corrected(plain)

    def _once_fallen(self, fallen: re.Match[str]) -> Iterator[str]:
        """A line on condition that a place falls, which is to whose it is not now: us, the enemy, or
        either where nobody is seen there."""
        own = {unit.hex for unit in self.names.own}
        behind = fallen.string[fallen.end() :].lstrip(" ,")
        for hex in self._hexes_of(fallen["where"]):
            taken, lost = hex not in own, hex not in self._enemy_hexes
            for whose in ("us",) * taken + ("the enemy",) * lost:
                yield f"if {hex} is held by {whose}, {behind}"

    def _hexes_of(self, where: str) -> tuple[str, ...]:
        """The hexes that a place or a number may mean."""
        if hex := self.names.hex(where):
            return (hex,)
        place = self.names.place(where.split())
        return tuple(place[0]) if place and place[1] == len(where.split()) else ()

    def _respelled(self, words: str) -> str:
        """Words with what stands for the names and turns of phrase of the game and of any game."""
        return self._free().respelt(words).strip()

    def _free(self) -> FreeReader:
        return free_reader(self.reader, self._present, self.seat)

    def _all_offers(self, lines: Iterable[str]) -> list[str]:
        return list(dict.fromkeys(offer for each in lines for offer in self._offers(each)))

    def _with_verbs(self, before: str, behind: str) -> list[str]:
        """The lines that words are with each verb of the section between them."""
        goal = re.sub(r"(?:at|on|near|in|the)\s+", "", behind, count=1) if AT_FIRST.match(behind) else behind
        found: dict[str, None] = {}
        for verb, goes in self._verbs_for():
            for rest in dict.fromkeys((behind, f"to {goal}" if goes else goal)):
                line = f"{before} {verb} {rest}".strip()
                for each in (line, *self._clear(line)):
                    found |= dict.fromkeys(self._fitting(each))
        return list(found)

    def _corrected(self, words: str) -> list[str]:
        """What is offered for words as for a line with a slip, if that reads."""
        lines = [words]
        if not self._has_verb(self._phrase(), words):
            lines += [f"{verb} {words}" for verb, goes in self._verbs_for() if goes]
        found: list[str] = []
        for line in lines:
            read = self._says(self._phrase(), line)
            if isinstance(read, Scan):
                fault = self._phrase().fault(0, line, read)
                found += [fault.suggestion] if fault.suggestion else fault.either
            else:
                found.append(line)
        return self._all_offers(found)

    def _offers(self, line: str) -> list[str]:
        """The line to send for one that reads; none if it does not."""
        if self.tried <= 0:
            return []
        self.tried -= 1
        if orders := self._ordered(line):
            ends = any(order.ends for order in orders)  # "Hold the line!" ends no turn
            return [] if ends else list(self._ready([line])) or self._as_attacks(line, orders)
        read = self._says(self._phrase(), line)
        if not isinstance(read, Scan):
            return (
                [line]
                if len(read) > 1
                and not self._wrong(0, line, made(0, line, self._present, read, "", self.names))
                else []
            )
        return [f"{', '.join(units)} stays"] if (units := self._staying(line)) else []

    def _as_attacks(self, line: str, orders: Sequence[Order]) -> list[str]:
        """Moves that are attacks, with that verb, if they say all of a line then: ``1 Pol Armd attacks
        2004``."""
        free = self._free()
        if not all(order.sort == GOES and "attack" in free.beginnings[type(order)] for order in orders):
            return []
        written = (self.reader.write(order).removeprefix(order.verb) for order in orders)
        offer = "\n".join(f"attack{each}" for each in written)
        return [offer] if says_all(line, offer, self.names) else []

    def _fitting(self, line: str) -> list[str]:
        """The same of a line with a verb that was put in: no attack where there is no enemy, no move to him
        where attacks have a verb of their own; where its units are at its end they stay."""
        kinds = self.grammar.allowed(self._present, self.seat)
        apart = any(kind.sort == ATTACK for kind in kinds)
        orders = self._ordered(line) if self.tried > 0 else []
        self.tried -= 1
        if len(orders) != 1:
            return []
        order, where = orders[0], self._where(orders[0].actors())
        ends = {*order.targets(), *getattr(order, "path", ())[-1:], str(getattr(order, "hex", ""))} - {""}
        if where and where == ends:
            return [f"{', '.join(order.actors())} stays"]
        if apart and bool(ends & self._enemy_hexes) != (order.sort == ATTACK):
            return []
        return [] if order.arrives and where - {None} else [self.reader.write(order)]

    def _verbs_for(self) -> list[tuple[str, bool]]:
        """The verbs of the section by which units go somewhere or attack, and of each whether they go."""
        kinds = self.grammar.allowed(self._present, self.seat)
        fit = (kind for kind in kinds if kind.sort in (GOES, ATTACK) and not kind.lasting and not kind.grave)
        return list(dict.fromkeys((kind.verb, kind.sort == GOES) for kind in fit))

    def _strange(self, words: str) -> tuple[int, int] | None:
        """Where the words stand that may be meant as the verb: the only ones that are no name, no place and
        no word of the order language; None if there are none, or too many."""
        scan = Scan(words, self.names, self.reader.reserved)
        strange: list[int] = []
        at = 0
        while at < scan.length:
            if named := self._named(scan, at):
                at += named
                continue
            key = scan.keys[at]
            if key in NUMBERS and at and scan.keys[at - 1] in SETS:
                return None  # "all three": of which?
            plain = key.isalpha() and len(key) > 2 and key not in NO_VERB
            if plain and key in STAY:
                strange.append(at)
                at += 1
                continue
            if plain and (key in self._phrase().verbs or self._phrase_has(key)):
                return None  # it has a verb
            if plain and key not in scan.reserved:
                strange.append(at)
            at += 1
        if not 0 < len(strange) <= MOST_STRANGE or strange[-1] - strange[0] >= MOST_STRANGE:
            return None
        start, end = scan.pieces[strange[0]].column, scan.pieces[strange[-1]].end
        before, behind = words[:start].strip(), words[end:].split()
        if AVOIDS.match(words[start:]) or (behind and self._is_own(behind)):
            return None
        if words[start:end].lower().split()[-1] in NOT_AT:
            return None
        return (start, end) if not before or self._names_only_units(before) else None

    def _names_only_units(self, words: str) -> bool:
        """Whether words name units and nothing else, clearly or not."""
        words = re.sub(r"^(?:the|our|my|his)\s+", "", words, flags=re.IGNORECASE)
        return bool(self._all_units(words)) or any(map(self._all_units, self._clear(words)))

    def _sent(self, words: str) -> tuple[str, str, str] | None:
        """Units, the words behind them, and the place at the end of a line where they are sent: ``Marcks``,
        ``takes his staff from Marigny forward to``, ``0821``; None if the words between may say more than
        how."""
        scan = Scan(words, self.names, self.reader.reserved)
        ends = [piece.end for piece in scan.pieces[: scan.length]]
        goals = range(scan.length - 1, max(scan.length - LONGEST_NAME - 1, 0), -1)
        goal = next((at for at in goals if at + self._placed(scan, at) == scan.length), 0)
        sides = range(min(goal, MOST_NAMED), 0, -1)
        side = next((at for at in sides if self._names_only_units(words[: ends[at - 1]].rstrip(" ,:."))), 0)
        if not goal or not 0 < goal - side <= MOST_BETWEEN:
            return None
        between = words[ends[side - 1] : scan.pieces[goal].column].strip() if side else ""
        plain = PLACED_FROM.sub("", between)
        said = set(WORD.findall(plain.lower()))
        if not said or said & (CHANGES | CONDITIONS | TIMES) or NUMBERED.search(plain):
            return None
        if any(map(AVOIDS.match, said)) or plain.lower().split()[-1] in NOT_AT:
            return None
        return words[: ends[side - 1]].strip(), between, words[scan.pieces[goal].column :].strip()

    def _placed(self, scan: Scan, at: int) -> int:
        """How many words from here on name a place or a hex; 0 if none do."""
        if self.names.hex(scan.pieces[at].text):
            return 1
        place = self.names.place([piece.text for piece in scan.pieces[at : at + LONGEST_NAME]])
        return place[1] if place else 0

    def _is_own(self, words: Sequence[str]) -> bool:
        """Whether words begin with the name of one's own units: ``2nd Free French``."""
        meant = self.names.meant(words[:LONGEST_NAME], self.reader.reserved)
        return meant is not None and not any(self.names.roster.units[unit].enemy for unit in meant.units)

    def _phrase_has(self, word: str) -> bool:
        return self._has_verb(self._phrase(), word)

    def _named(self, scan: Scan, at: int) -> int:
        """How many words from here on are a name."""
        place = self.names.place([piece.text for piece in scan.pieces[at : at + LONGEST_NAME]])
        if place is not None:
            return place[1]
        meant = self.names.meant(scan.words(at), scan.reserved)
        formation = self.names.formation(scan.words(at), scan.reserved, sure=True)
        return max(meant.length if meant else 0, formation[1] if formation else 0)

    def _clear(self, words: str) -> list[str]:
        """The line with each meaning of the first of its names that fits several units or hexes, and of the
        next."""
        found = self._once_clear(words)
        return [each for line in found for each in (self._once_clear(line) or [line])][: 2 * MOST_MEANT]

    def _once_clear(self, words: str) -> list[str]:
        scan = Scan(words, self.names, self.reader.reserved)
        at = 0
        while at < scan.length:
            meant = self.names.meant(scan.words(at), scan.reserved)
            if ":" in (scan.keys[at + 1], scan.keys[at - 1] if at else "") and scan.keys[at].isdecimal():
                meant = None  # "at 2:1"
            names: Sequence[str] = meant.units if meant else ()
            length = meant.length if meant else 0
            if not meant and scan.pieces[at].text[:1].isupper():
                place = self.names.place([piece.text for piece in scan.pieces[at : at + LONGEST_NAME]])
                names, length = place if place else ((), 0)
            names = self._close_by(names, words) if meant else names
            if 1 < len(names) <= MOST_MEANT:
                start, end = scan.pieces[at].column, scan.pieces[at + length - 1].end
                return [f"{words[:start]}{name}{words[end:]}" for name in names]
            at += max(length, 1)
        return []

    def _close_by(self, units: Sequence[str], words: str) -> Sequence[str]:
        """Of the units that a name may mean those next to a hex that is attacked; all, if none is."""
        around = self.names.roster.neighbours
        if around is None or not ATTACKS_BEFORE.search(words):
            return units
        close = {hex for each in HEX.findall(words) if self.names.hex(each) for hex in around(each)}
        near = [unit for unit in units if self._where((unit,)) <= close]
        return near or units
