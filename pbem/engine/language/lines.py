"""Order lines and standing orders of a letter."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import fields, replace
from itertools import islice
from typing import Any

from pbem.engine.errors import Ambiguous, NotAllowed, Unreadable
from pbem.engine.language.amiss import (
    REST,
    made,
    one_slip,
)
from pbem.engine.language.bearing import bears, takes_back
from pbem.engine.language.clauses import Bound, Outcome, Staying
from pbem.engine.language.commands import (
    COMMANDS,
    command,
    disputing,
)
from pbem.engine.language.courtesies import free_words, is_closing, is_greeting, is_name
from pbem.engine.language.free import free_reader
from pbem.engine.language.leftover import Leftover
from pbem.engine.language.limits import BOUNDS, CONDITIONS, LIMITS
from pbem.engine.language.model import (
    GOES,
    Command,
    Comment,
    Fault,
    Line,
    Order,
    Policy,
    StandingLine,
    Unread,
    sent,
)
from pbem.engine.language.nothing import NOTHING, begins
from pbem.engine.language.people import NUMBERS, Verbs
from pbem.engine.language.phrases import STANDING, Phrase
from pbem.engine.language.repair import SUPPORT, reworded
from pbem.engine.language.senses import (
    COMMENT,
    Bare,
    bare,
    first_word,
    unlisted,
)
from pbem.engine.language.turns import COUNT
from pbem.engine.language.usage import Captures, Key, Scan
from pbem.engine.language.whole import says_all

COMMENTED = "text after ; or # or in brackets is a comment, but this may be part of the order"
CODE = re.compile(r"(?P<order>.*\S)\s+(?P<code>[0-9a-f]{6})\s*")
STACK = re.compile(
    r"\b(?:the\s+)?(?:whole\s+)?(?:stack|everyone|everybody|everything|all\s+units|all)"
    r"\s+(?:(?:at|in|from|on|of)\s+)?(?P<hex>[A-Za-z]{0,2}\d{2,4})\b",
    re.IGNORECASE,
)
CONDITION = re.compile(r"\s*(?:but\s+)?(?:only\s+)?(?:if|unless|when|until|falls|wenn)\b", re.IGNORECASE)
"""What a comment begins with that is a condition."""
FOR_NOW = re.compile(
    r"\b(?:this|next) (?:turn|phase|time|round|battle)\b|\b(?:for )?now\b|\b(?:today|tonight)\b",
    re.IGNORECASE,
)
"""What no standing order can be given for."""
LIMIT = re.compile(
    r"\s*(?:and\s+)?(?:no\s+(?:advances?|advancing|support)"
    r"|(?:only\s+)?(?:at\s+)?\d+\s*[:-]\s*\d+(?:\s+or better)?"
    r"|(?:(?:max\.?|maximum|at most|no more than|only|stop (?:at|after))\s+)?(?:\d|an?|one|two|three)\s+"
    r"(?:rounds?|loss(?:es)?|steps?)(?:\s+(?:max\.?|maximum|at most|only|lost))?)[\s.!]*",
    re.IGNORECASE,
)
"""A limit that stands by itself: ``no advances``, ``2:1 or better``, ``two rounds max``."""
FIRST = re.compile(r"\s*(first|firstly|first of all|zuerst|d'abord)\b[,:]?\s+(?=\S)", re.IGNORECASE)
"""What a line begins with that comes before those above it."""
COUNTED_WORDS = ("first", "second", "third", "fourth", "fifth", "sixth")
COUNTED_OUT = re.compile(rf"\s*(?P<which>{'|'.join(COUNTED_WORDS)})\s*[:,]\s+(?=\S)", re.IGNORECASE)
"""A line that is counted out: ``second: 8/4 to 5230``."""
COUNTED_SHORT = re.compile(r"\s*(?P<which>\d)(?:st|nd|rd|th)\s*:\s+(?=\S)", re.IGNORECASE)
"""The same in figures: ``2nd: 8/4 to 5230``."""
BY_THE_WAY = re.compile(
    r"(?<![\w-])(?:(?:by|using|with|via|along(?: the)?|on(?: the)?) )?"
    r"(?:(?:strategic(?:al|ally)?|road)(?: (?:movement|moves?|march))?|(?:main )?roads?)"
    r"(?![\w-]|(?-i: [A-Z]\b))",
    re.IGNORECASE,
)
"""How a move is made, which follows from its way: these words order nothing."""
LIMITED = CONDITIONS | BOUNDS | {"round", "rounds", "without", "except", "minus", "plus", "w"}
"""Words of a comment without which a line would go further than it says."""
NO_ALONE = re.compile(r"\s*no(?:,? thanks?)?\s*[.!]*\s*", re.IGNORECASE)
"""A word that says nothing of a section below no heading: it may answer anything."""
NOTHING_FOR = re.compile(
    r"\s*(?:nothing|no orders?|pass)\s+(?:for|from|with)\s+(?:the\s+)?(?P<title>[^,;:.]{1,40}?)"
    r"(?:\s+(?:this|for this) (?:turn|phase|time))?"
    r"(?:\s*[,.]\s*(?:they |it |all )?"
    r"(?:pass(?:es)?|holds?|stays?|waits?|sits? tight|rests?|do(?:es)? nothing))?"
    r"\s*[.!]*\s*",
    re.IGNORECASE,
)
LABEL = re.compile(r"\s*(?P<title>[^:;,.]{1,40}(?:,\s+\w+)?)\s*[:.]\s+(?P<rest>.*)")
BESIDE = re.compile(
    r"\s*(?P<own>.*?\S)\s+(?:(?:(?:is|are)\s+)?stack(?:s|ed)?\s+|together\s+)?with\s+(?P<units>.+?)\s+(?:at|in|on)\s+"
    r"(?P<hex>\d{4})\s*[.!]*\s*",
    re.IGNORECASE,
)
"""Units that are set up with others, and where."""
HOLDING = re.compile(
    r"\s*(?:(?:all(?:\s+units)?|everyone|everybody|everything)\s+holds?|"
    r"holds?\s+(?:all(?:\s+units)?|everyone|everybody|everything))\s*[.!]*\s*",
    re.IGNORECASE,
)
RESPECTIVELY = re.compile(r"\bresp(?:ectively|\.)", re.IGNORECASE)
AGAIN = re.compile(
    r"\s*(?:(?:the\s+)?(?:same|as|like|ditto)|repeat)\b.{0,30}\b(?:last|previous)\s+(?:turn|time)"
    r"(?:['’]s(?: orders| moves| attacks)?)?\s*[.!]*\s*",
    re.IGNORECASE,
)
REASON = re.compile(
    r"\b(?P<sure>because|since (?:it|he|they|the|this|that|we)\b|so that\b|in order to\b|in case\b"
    r"|(?:so as )?to (?:guard|watch|protect|screen|shield|threaten|keep|prevent|plug|block|relieve|pin|tie up"
    r"|make room|free|cut off|open)\b(?! to))"
    r"|[,–-] ?(?:and )?(?:because|as|for)?\b ?(?:it|they|he|she|this|that|we|I|which|who)"
    r"(?:['’](?:s|re|ll|ve))?"
    r"(?: (?:must|needs?|should|can|are|is|will|has|have|wants?|dies?|die)\b)|, (?:saving"
    r"|keeping) (?:them|it)\b"
    r"|, (?:I|we) (?:want|need|hope|think)\b",
    re.IGNORECASE,
)
"""What a reason behind an order begins with; `sure` where no order could."""
OPERATION = re.compile(
    r"\s{0,9}(?:(?i:operation|op\.|op|plan) (?P<name>[A-Z][\w'-]{1,20}(?: [A-Z][\w'-]{1,20})?)"
    r"|(?P<of>[A-Z][\w'-]{1,20}) (?:operation|op\.?|offensive|attack|push)) ?[:,–-] ?(?=\S)"
)
"""The name of an operation in front of an order."""
MOST_LACKING = 2
"""At most this many words are put in where a standing order lacks some."""
MOST_TRIED = 12
STANDING_EMPTY = re.compile(r"\s*standing\s*:?\s*empty\s*:?\s*(?:close|ask)\s*[.!]*\s*", re.IGNORECASE)
STANDING_DONE = re.compile(r"\s*standing\s*:?\s*done\s*:?\s*(?:always|never)\s*[.!]*\s*", re.IGNORECASE)


def _narrows(one: Outcome, other: Order) -> bool:
    """Whether an order is another one for some of its units, or for the same."""
    if type(one) is not type(other) or not set(getattr(one, "units", ())) <= set(getattr(other, "units", ())):
        return False
    mine, theirs = ({item.name: getattr(each, item.name) for item in fields(other)} for each in (one, other))
    return mine | {"units": ()} == theirs | {"units": ()}


def _limits(comment: str) -> bool:
    """Whether a comment says where or when something does not hold."""
    return not LIMITS.isdisjoint(re.findall(r"[^\W\d_]+", comment.lower()))


class Lines(Leftover):
    """Reads order lines and standing orders."""

    def _content(self, number: int, text: str, line: Bare) -> None:
        """A line that is no heading in brackets."""
        raise NotImplementedError

    counted_out = -1
    """The number of the last line that was counted out in words, from 0."""

    def _order(self, number: int, text: str, line: Bare) -> None:
        """An order, a standing order, or what is neither."""
        if self._is_standing(line.line):
            if limit := next((each for each in line.comments if _limits(each[1])), None):
                error = Unreadable(COMMENTED, column=limit[0], length=len(limit[1].rstrip()))
                self._fail(Fault(number, text, error, command=True))
                return
            said = self._standing_order(line.line) or line.line
            at = len(self.said)
            self._standing(number, text, said)
            for each in self.said[at:]:
                if isinstance(each, Fault):
                    each.error.column = max(each.error.column + len(line.line) - len(said), 0)
            return
        if self.scope.questions and not self.section and NOTHING.fullmatch(line.line):
            self.said.append(Unread(number, line.line.strip(), holds=True))  # to a question, or to orders?
            return
        if self.spoken and (first := FIRST.match(line.line)):
            why = "lines are played in the order in which they stand: put this one in front"
            error = Unreadable(why, column=first.start(1), length=len(first[1]))
            self._fail(Fault(number, text, error))
            return
        if counted := COUNTED_OUT.match(line.line):
            which = COUNTED_WORDS.index(counted["which"].lower())
            if which in (0, self.counted_out + 1):
                line = replace(line, line=" " * counted.end() + line.line[counted.end() :])
                self.counted_out = which
        line = self._counted_short(line)
        words, code = self._with_code(line.line)
        at = len(self.said)
        if asked := None if self.lost else self._asked_first(number, text, unlisted(words)):
            self._fail(asked)
            return
        written = self._expanded(words)
        if not isinstance(self._try(written), Scan):
            self._keep(number, text, line, written, code)
        elif not (
            self._stay(number, text, line)
            or self._nothing(number, text, line)
            or self._freely(number, text, line)
            or self._explained(number, text, line)
        ):
            self._failed(number, text, line)
        self._note_the_way(number, words, at)

    def _explained(self, number: int, text: str, line: Bare) -> bool:
        """An order with the name of an operation in front, or with a reason behind it: ``attack 0714 with
        1US, because it is weak``. They are comments: one that says something of the game makes the line
        faulty."""
        if self.lost or line.comments:
            return False
        for found in filter(None, (OPERATION.match(line.line), REASON.search(line.line))):
            if found.re is OPERATION:
                head, words = line.line[found.end() :], found["name"] or found["of"]
                column, padded = line.line.find(words), " " * found.end() + head
            else:
                head, words = (
                    line.line[: found.start()].rstrip(" ,;.–-"),
                    line.line[found.start() :].strip(" ,–-"),
                )
                column, padded = line.line.find(words), head
                if not found["sure"] and any(map(str.isdecimal, words)):
                    continue
            alone = self._unlabelled(unlisted(head))
            stays = self._staying(alone)
            lines = [] if stays is not None else self._by_itself(alone)
            if stays is None and not lines:
                continue
            said = set(stays or ()) or self._about([line.order for line in lines])
            if found.re is REASON and self._alters(words, said):
                offers = ["\n".join(map(self.reader.write_line, lines)) or alone.strip()]
                why = "a reason orders nothing: is this one, and no part of the order?"
                error = Ambiguous(why, column=max(text.find(words), 0), length=len(words))
                self._fail(Fault(number, text, error, either=tuple(map(self._sendable, offers))))
                return True
            if self._alters(words, said):
                continue
            self._content(number, text, Bare(padded, ((column, words),)))
            return True
        return False

    def _counted_short(self, line: Bare) -> Bare:
        """``2nd: 8/4 to 5230`` without its number, if it counts on and what is behind it reads alone."""
        found = COUNTED_SHORT.match(line.line)
        which = int(found["which"]) - 1 if found else -1
        if found is None or which not in (0, self.counted_out + 1):
            return line
        rest = " " * found.end() + line.line[found.end() :]
        if isinstance(self._try(rest), Scan) and not self._read_freely(rest):
            return line
        self.counted_out = which
        return replace(line, line=rest)

    def _note_the_way(self, number: int, words: str, at: int) -> None:
        """List ``by road`` or ``strategic`` behind a move among the words that order nothing."""
        moves = [each for each in self.said[at:] if isinstance(each, Line) and each.order.sort == GOES]
        if moves and (found := BY_THE_WAY.search(words)):
            self.said.append(Comment(number, found[0].strip(), self.section))

    def _with_code(self, line: str) -> tuple[str, str]:
        """The line without the code behind an order that ends the game."""
        grave = {kind.verb for kind in self.grammar.orders if kind.grave}
        found = CODE.fullmatch(line) if first_word(line) in grave else None
        return (found["order"], found["code"]) if found else (line, "")

    def _expanded(self, line: str) -> str:
        """``stack 1102`` as ``all at 1102``, ``the rest at 1102`` as the units there that no line speaks of
        yet; ``everyone hold`` as the order of that name, where a formation has one."""
        if "hold" in self._phrase().verbs and HOLDING.fullmatch(line):
            return "hold"
        found = STACK.search(line)
        if found and self.names.hex(found["hex"]) and f"{found[0]}".lower() != f"all {found['hex']}":
            line = f"{line[: found.start()]}all at {found['hex']}{line[found.end() :]}"
        beside = BESIDE.fullmatch(line)
        if beside and self._stand_there(beside["units"], beside["hex"]):
            line = f"{beside['own']} at {beside['hex']}"
        rest = REST.search(line)
        there = self._others(rest["hex"]) if rest and rest["hex"] and self.names.hex(rest["hex"]) else ()
        if rest and there and not line[: rest.start()].rstrip().endswith(","):  # "with 35US, rest on 1218"
            line = f"{line[: rest.start()]}{', '.join(there)}{line[rest.end() :]}"
        return line

    def _stand_there(self, words: str, hex: str) -> bool:
        """Whether earlier lines set these units up in this hex."""
        asked = self._present
        if not any(kind.arrives for kind in self.grammar.allowed(asked, self.seat)):
            return False
        scan = self._scan_of(words)
        units = next((each for end, each in self._phrase().unit_lists(scan, 0) if end == scan.length), ())
        return bool(units) and {self.names.going.get(unit) for unit in units} == {self.names.hex(hex)}

    def _lines(self, number: int, text: str, written: str, code: str) -> list[Line]:
        """The line as an order of each section that it may stand in: of the heading in force, or of all."""
        every = (*self.scope.sections, *self.grammar.sections) if self.scope.sections else ("",)
        found: list[Line] = []
        for section in (self.section,) if self.section else dict.fromkeys(every):
            phrase = self.reader.phrase(section, self.seat)
            read = self._says(phrase, written)
            if not isinstance(read, Scan):
                found.append(made(number, text.strip(), section, read, code, self.names))
        return found

    def _keep(self, number: int, text: str, line: Bare, written: str, code: str) -> None:
        """Take an order as it was read, unless it stands under an unknown heading, can never act, or its
        comment holds more of it."""
        if self.lost:
            self._under_unknown(number, text, written)
            return
        start = len(line.line) - len(line.line.lstrip())
        found = self._lines(number, text[start:], written, code)
        order = found[0]
        if self._respectively(number, text, order, line):
            return
        at = len(self.said)
        if self._is_unsaid(order.order, written):
            self._asked_what(number, text, order.order)
            return
        wrong = self._wrong(number, text, order)
        if (
            not wrong
            and (wrong := self._commented(number, text, line, order))
            and not any(takes_back(comment) for _, comment in line.comments)
            and self._freely(number, text, line, order.order)
        ):
            return  # what stands in brackets belongs to the order: "21 Pz (22 and 192) to 1008"
        if wrong:
            self._fail(wrong)
            return
        self.spoken.update(order.order.actors())
        self.names.going.update(sent(order.order))
        fits = () if order.section == self.section else tuple(found)
        self.said.insert(at, replace(order, section=self.section, fits=fits))

    def _respectively(self, number: int, text: str, line: Line, words: Bare) -> bool:
        """``751, 752 to 1538, 1539 respectively``: one line for each unit, or what is wrong with one."""
        units, path = getattr(line.order, "units", ()), getattr(line.order, "path", ())
        if (
            not RESPECTIVELY.search(text)
            or not 1 < len(units) == len(path)
            or line.conditions
            or words.comments
            or self.lost
        ):
            return False
        orders = [
            replace(line.order, units=(unit,), path=(hex,))  # type: ignore[call-arg]
            for unit, hex in zip(units, path, strict=True)
        ]
        ones = [
            made(number, self.reader.write(order), line.section, (("order", order),), "", self.names)
            for order in orders
        ]
        if wrong := next(filter(None, (self._wrong(number, text, one) for one in ones)), None):
            self._fail(wrong)
            return True
        for one in ones:
            self.spoken.update(one.order.actors())
            self.names.going.update(sent(one.order))
            self.said.append(one if self.section else replace(one, section="", fits=(one,)))
        return True

    def _commented(self, number: int, text: str, line: Bare, order: Line) -> Fault | None:
        """A comment that says something of the game, or may do so: in doubt it is a clause of the order, and
        its writer says which is meant. Every other comment is noted."""
        if not line.comments:
            return None
        head = line.line.strip().rstrip(".")
        said = set(self._mentioned(head)) | set(order.order.actors()) | set(order.order.targets())
        said |= {str(getattr(order.order, "hex", "")), *getattr(order.order, "path", ())} - {""}
        for column, comment in line.comments:
            if takes_back(comment):
                error = Unreadable("is this an order or not?", column=column, length=len(comment.rstrip()))
                return Fault(number, text, error, either=(self._sendable(unlisted(head).strip()),))
            clauses = ", ".join(part.strip().rstrip(".!") for part in COMMENT.split(comment))
            words = dict.fromkeys((clauses, bare(comment, self.names).line.strip().rstrip(".!")))
            offers = (self._meant(number, head, each, order) for each in words)
            close = self._apart_from(head, comment) or next(
                (offer for offer in offers if offer is not None), None
            )
            if close is None and not self._begins_an_order(comment) and not self._alters(comment, said):
                continue
            if close is None:
                freely = self._read_freely(f"{self.reader.write(order.order)}, {clauses}")
                if len(freely) == 1 and isinstance(freely[0], Order):
                    close = self._sendable(self.reader.write(freely[0]))
            error = Unreadable(COMMENTED, column=column, length=len(comment.rstrip()))
            if CONDITION.match(comment):
                close = self._conditional(head, comment)
                alone = not close and self._may_be_left(comment.strip().rstrip(".!"))
                ready = (self._sendable(unlisted(head).strip()),) if alone else ()
                return Fault(number, text, error, close, either=ready)
            limits = set(re.findall(r"[^\W\d_]+", comment.lower())) & LIMITED
            without = "" if limits else self._sendable(unlisted(head).strip())
            either = () if close and "\n" in close else tuple(filter(None, (close, without)))
            return Fault(number, text, error, close or "", either=either)
        self._note_comments(number, line)
        return None

    def _conditional(self, head: str, comment: str) -> str:
        """The line on the condition behind it: ``26/1 to 3440 (if empty)``; "" if that does not read."""
        line = f"{unlisted(head).strip()} {comment.strip().rstrip('.!')}"
        read = self._read_freely(line)
        return self._sendable(line) if len(read) == 1 and isinstance(read[0], Bound) else ""

    def _apart_from(self, head: str, comment: str) -> str:
        """The line and the orders behind its semicolons, each as a line of its own, if there are several and
        all read: ``; cover VII/US; carpet 1208 with UK``."""
        orders = [part.strip().rstrip(".!") for part in comment.split(";") if part.strip()]
        phrase = self._phrase()
        if len(orders) < 2 or any(isinstance(phrase.read(each, self.names), Scan) for each in orders):
            return ""
        return self._sendable("\n".join((unlisted(head).strip(), *orders)))

    def _with_comments(self, fault: Fault, comments: Iterable[str]) -> Fault:
        """What is offered instead of a line with comments that tell of the game: what says them too."""
        if not (telling := [comment.strip().rstrip(".!") for comment in comments if self._alters(comment)]):
            return fault
        close = self._telling(fault.suggestion, telling)
        either = filter(None, (self._telling(offer, telling) for offer in fault.either))
        return replace(fault, suggestion=close, either=tuple(either))

    def _with_brackets(self, text: str, line: Bare) -> tuple[str, list[str]]:
        """A line without its mark in a list, and with what stands in brackets; and those of the comments
        behind it that may say something of the game."""
        cut = COMMENT.search(text)
        behind = [comment for at, comment in line.comments if cut and at >= cut.end()]
        telling = [comment.strip().rstrip(".!") for comment in behind if self._tells(comment)]
        return unlisted(text[: cut.start()] if cut else text), telling

    def _telling(self, offer: str, comments: Iterable[str]) -> str:
        """The line to send with these comments as clauses or orders of their own; "" if they are none."""
        for words in comments if offer else ():
            if says_all(words, offer, self.names):
                continue
            lines = () if "\n" in offer or offer.startswith(("[", "when ")) else (offer,)
            phrase = self._phrase()
            if any(not isinstance(phrase.read(f"{line}, {words}", self.names), Scan) for line in lines):
                offer = f"{offer}, {words}"
            elif lines and not isinstance(phrase.read(words, self.names), Scan):
                offer = f"{offer}\n{words}"
            else:
                return ""
        return offer

    def _note_comments(self, number: int, line: Bare) -> None:
        for _, comment in line.comments:
            if comment.strip():
                self.said.append(Comment(number, comment.strip(), self.section))

    def _begins_an_order(self, comment: str) -> bool:
        """Whether a comment begins like an order and speaks of a unit or a hex: ``; drop 10AB at 1212``."""
        scan = self._scan_of(bare(comment, self.names).line)
        verbs = self._phrase().verbs
        verb = scan.keys[0] in verbs or (len(scan.keys[0]) > 3 and one_slip(scan.keys[0], verbs))
        return scan.length > 1 and verb and not self._is_prose(scan) and any(map(str.isdecimal, scan.line))

    def _meant(self, number: int, head: str, words: str, order: Line) -> str | None:
        """The line to send instead of one whose comment says `words`; None if these are no part of an
        order."""
        if not words or words.lower() in ("all", "both") or command(number, words):
            return None
        joined = f"{head}, {words}"
        phrase = self._phrase(order.section)
        again = phrase.read(joined, self.names)
        if not isinstance(again, Scan) and dict(again)["order"] != order.order:
            return self._sendable(joined)
        if clause := self._clause(phrase, joined, order):
            return self._sendable(clause)
        alone = phrase.read(bare(unlisted(words), self.names).line, self.names)
        if not isinstance(alone, Scan) or self._staying(words):
            return self._both(head, words)
        if (lines := self._written(self._read_freely(joined))) and lines != [self.reader.write(order.order)]:
            return self._sendable("\n".join(lines))
        close = phrase.fault(number, words, alone).suggestion if self._names_a_way(alone) else ""
        if close:
            return self._both(head, close)
        return "" if self._names_a_way(alone) or self._tells_of_support(alone) else None

    def _names_a_way(self, scan: Scan) -> bool:
        """Whether words name a unit and then a hex or a verb: ``Pz206 to Cherbourg``."""
        prose = self._is_prose(scan)
        return scan.length > 1 and not prose and self._first_is_name(scan) and self._has_target(scan)

    def _tells_of_support(self, scan: Scan) -> bool:
        """Whether words count what helps a battle: ``2 cruisers``, ``naval: 3``."""
        keys = scan.keys[: scan.length]
        return any(key in SUPPORT for key in keys) and any(key.isdecimal() or key in NUMBERS for key in keys)

    def _clause(self, phrase: Phrase, joined: str, order: Line) -> str:
        """A line with its comment that says more than the line alone once it is put in other words; "" if
        none does."""
        for line in reworded(joined, phrase.turns):
            read = phrase.read(line, self.names)
            if not isinstance(read, Scan) and dict(read)["order"] not in (order.order, None):
                return line
        return ""

    def _both(self, first: str, second: str) -> str:
        drawn = self.section in self.grammar.titles
        return self._sendable(f"{first}; {second}") if drawn else f"{first}\n{second}"

    def _under_unknown(self, number: int, text: str, written: str) -> None:
        """A good order below a heading that is not known: the nearest heading under which it reads is
        offered."""
        assert self.lost is not None
        start, length = len(text) - len(text.lstrip()), len(text.strip())
        head = self.lost.text.rstrip(": ")
        error = Unreadable(f"it is below {head}: {self.lost.why}", column=start, length=length)
        for section in dict.fromkeys(filter(None, (self.lost.near, *self.scope.sections))):
            read = self.reader.phrase(section, self.seat).read(written, self.names)
            if not isinstance(read, Scan):
                meant = (made(number, text.strip(), section, read, ""),)
                self._fail(Fault(number, text, error, f"[{section}]\n{written.strip()}", meant=meant))
                return
        self._fail(Fault(number, text, error))

    def _nothing(self, number: int, text: str, line: Bare) -> bool:
        """``none``, ``pass``, ``no replacements this turn``, ``Reinforcements: none``: nothing is ordered in
        the section in force."""
        section = self._present
        if self._nothing_for(number, line, section):
            return True
        whole, line = line, self._with_reason(line)
        found = NOTHING.fullmatch(line.line)
        what = (found["what"] or found["deed"] or found["does"] or "") if found else ""
        if found and NO_ALONE.fullmatch(line.line) and not self.section:
            return False
        if found is None or not section or self.lost or any(self._tells(each) for _, each in line.comments):
            return False
        if any(kind.ends and kind.usage == kind.verb for kind in self.grammar.allowed(section, self.seat)):
            return line is not whole and self._freely(number, text, line)
        other = self._sections(what.strip(), whole=True) if what else []
        if len(other) == 1 and other != [section] and other[0] not in self.grammar.titles:
            self._note_comments(number, line)
            self.said.append(Command("none", "", number, names=tuple(other)))  # "no second movement"
            return True
        if not found["label"] and (sort := self._sort_named(what, section)):
            self._note_comments(number, line)
            text = line.line.strip(" .!")
            self.said.append(Command("abstain", sort, number, text=text, names=(section,)))
            return True
        if not all(self._says_the_section(words, section) for words in filter(None, (found["label"], what))):
            return False
        self._note_comments(number, line)
        if not self.section and not found["label"]:
            self.idle[number] = line.line.strip()
        self.said.append(Command("none", "", number, names=(self.section,) if self.section else ()))
        return True

    def _nothing_for(self, number: int, line: Bare, section: str) -> bool:
        """``nothing for 84th Corps, they sit tight``: the section in force does nothing."""
        found = NOTHING_FOR.fullmatch(line.line)
        if found is None or line.comments or self._sections(found["title"].strip()) != [section]:
            return False
        ends = (
            kind for kind in self.grammar.allowed(section, self.seat) if kind.ends and kind.usage == kind.verb
        )
        if (kind := next(ends, None)) is None:
            self.said.append(Command("none", "", number, names=(self.section,) if self.section else ()))
        else:
            order = made(number, line.line.strip(), section, (("order", kind()),), "", self.names)
            self.said.append(order if self.section else replace(order, section="", fits=(order,)))
        return True

    def _is_of_section(self, word: str, section: str) -> bool:
        """Whether a word says what a section is for: it is one of its title, or of its orders."""
        if self._is_of_title(word, section):
            return True
        verbs = self.reader.phrase(section, self.seat).verbs
        kinds = {kind.verb for kind in self.grammar.allowed(section, self.seat)}
        return any(begins(each, word) for each in (*verbs, *kinds)) or Verbs(verbs).of(word) != ""

    def _freely(self, number: int, text: str, line: Bare, known: Order | None = None) -> bool:
        """Take the orders of a line in a free order of words, if each of its words is accounted for and none
        of them is wrong. What stands in brackets may only narrow the units of the order that the line is
        without it (`known`): ``21 Pz (22 and 192) to 1008``."""
        if self.lost:
            return False
        section = self._present
        free, comments = free_reader(self.reader, section, self.seat), line.comments
        words = self._unlabelled(line.line)
        alone = free.read(words, self.names, self.spoken) or []
        if len(alone) == 1 and isinstance(alone[0], Order):
            whole = made(number, text.strip(), section, (("order", alone[0]),), "", self.names)
            if self._respectively(number, text, whole, line):
                return True
            asked = self._of_several(number, text, whole)
            if asked and asked.either:
                self._fail(asked)
                return True
        outcomes = self._apart(alone)
        if comments and (
            not outcomes or any(self._alters(each, self._about(outcomes)) for _, each in comments)
        ):
            comments = tuple((at, each) for at, each in comments if text[at - 1 : at] != "(")
            end = min((at for at, _ in comments), default=len(text)) if comments else len(text)
            inside = text[:end].rstrip(";#/- ")
            plain = known or (alone[0] if len(alone) == 1 and isinstance(alone[0], Order) else None)
            within = free.read(self._unlabelled(inside), self.names, self.spoken) or []
            if plain is not None and not (len(within) == 1 and _narrows(within[0], plain)):
                return known is None and self._asked_of_bracket(number, text, line, plain, within)
            outcomes = self._apart(within)
        asked = self._of_how_many(number, text, words, outcomes)
        if asked := asked or self._who_attacks(number, text, words, outcomes):
            self._fail(asked)
            return True
        if any(self._is_unsaid(each, words) for each in outcomes):
            return len(outcomes) == 1 and self._asked_what(number, text, outcomes[0])
        found: list[Line | Command] = []
        said, going = self._about(outcomes), dict(self.names.going)
        for each in outcomes:
            if isinstance(each, Staying):
                found.append(Command("stay", "", number, names=each.units))
                self.spoken.update(each.units)
                continue
            read: Captures = each.captures if isinstance(each, Bound) else (("order", each),)
            order = made(number, text.strip(), section, read, "", self.names, going)
            going.update(sent(order.order))
            if len(outcomes) > 1:
                order = replace(order, text=self.reader.write_line(order))
            if wrong := self._wrong(number, order.text, order):
                if len(outcomes) == 1 and wrong.either:
                    self._fail(wrong)
                return len(outcomes) == 1 and bool(wrong.either)
            found.append(order if self.section else replace(order, section="", fits=(order,)))
        if not found or any(self._alters(comment, said) for _, comment in comments):
            return False
        for taken in found:
            if isinstance(taken, Line):
                self.spoken.update(taken.order.actors())
                self.names.going.update(sent(taken.order))
        self._note_comments(number, replace(line, comments=comments))
        self.said += found
        return True

    def _of_how_many(self, number: int, text: str, words: str, outcomes: Sequence[Outcome]) -> Fault | None:
        """Ask whether a limit at the end of a line of several orders is one of the last alone: ``2A to 1508,
        7A to 1505, two rounds``."""
        orders = [each for each in outcomes if isinstance(each, Order)]
        _, comma, limit = words.strip().rpartition(",")
        if len(orders) < 2 or len(orders) < len(outcomes) or not comma or not LIMIT.fullmatch(limit):
            return None
        free = free_reader(self.reader, self._present, self.seat)
        bound = [free.read(f"{self.reader.write(each)}, {limit.strip()}", self.names) for each in orders[:-1]]
        apart = [each[0] for each in bound if each and len(each) == 1 and isinstance(each[0], Order)]
        either = [[*apart, orders[-1]]] if len(apart) == len(bound) else []
        offers = ("\n".join(map(self.reader.write, each)) for each in (*either, orders))
        column = text.rfind(limit.strip())
        error = Ambiguous("is this a limit of all of it, or of the last order?", column=max(column, 0))
        return Fault(number, text, error, either=tuple(filter(None, map(self._sendable, offers))))

    def _asked_what(self, number: int, text: str, outcome: Outcome) -> bool:
        """Ask whether a line of names alone is the one order that can be made of them."""
        order = dict(outcome.captures)["order"] if isinstance(outcome, Bound) else outcome
        assert isinstance(order, Order)
        error = Ambiguous(f'does this mean "{order.verb}"?', length=len(text.strip()))
        self._fail(Fault(number, text, error, either=(self._sendable(self.reader.write(order)),)))
        return True

    def _is_unsaid(self, outcome: Outcome, words: str) -> bool:
        """Whether a part of a line of names alone is an order that neither sends nor attacks: ``16/1, 741 at
        5, 7 Omaha`` says nothing of supply."""
        order = dict(outcome.captures)["order"] if isinstance(outcome, Bound) else outcome
        if not isinstance(order, Order) or order.sort or not order.verb:
            return False
        begun = any(order.verb.startswith(word) for word in re.findall(r"\b[a-z]{2,}\b", words.lower()))
        told = re.search(r"\b(?:[a-z]{4,}|pts?|sps?|rps?)\b", words)
        return not order.actors() and not begun and told is None

    def _asked_of_bracket(
        self, number: int, text: str, line: Bare, plain: Order, within: Sequence[Outcome]
    ) -> bool:
        """Ask whether what stands in brackets is a clause of an order: ``711ID on 1007 (min. 1:2)``."""
        if len(within) != 1 or not isinstance(within[0], Order) or type(within[0]) is not type(plain):
            return False
        either = tuple(self._sendable(self.reader.write(each)) for each in (within[0], plain))
        column, comment = line.comments[0]
        error = Unreadable(COMMENTED, column=column, length=len(comment.rstrip()))
        self._fail(Fault(number, text, error, either[0], either=either))
        return True

    def _unlabelled(self, line: str) -> str:
        """A line without the name of its own section in front, or a word for what it is for: ``LXXXIV Corps
        moves: KG 243 to 3140``, ``Second movement: 501 to 1209``."""
        found = LABEL.match(line)
        if found is None or not self.section:
            return line
        words = [word for word in re.split(r"[\s,]+", found["title"].strip()) if word]
        if not words:
            return line
        last = words[-1].lower()
        verb = last if last in self._verbs else Verbs(self._phrase().verbs).of(last)
        title = " ".join(words[:-1] if verb else words).removeprefix("the ").removeprefix("The ")
        named = self._sections(title, whole=True) or self._sections(title.removesuffix("s"), whole=True)
        told = found["title"].strip().lower().split()
        if title and named == [self.section]:
            return f"{verb} {found['rest']}".strip()
        stages = self.grammar.stages.words if self.grammar.stages else frozenset()
        same = (
            not verb
            and stages.isdisjoint(told)
            and all(word[-1].isalpha() and self._is_of_section(word, self.section) for word in told)
        )
        return found["rest"] if same else line

    def _read_freely(self, words: str) -> list[Outcome]:
        """What words order in a free order of words; nothing if they do not read so."""
        section = self._present
        if self.lost:
            return []
        return self._apart(free_reader(self.reader, section, self.seat).read(words, self.names, self.spoken))

    def _written(self, outcomes: Iterable[Outcome]) -> list[str]:
        """Orders as their usage lines have them; none if one is no plain order."""
        orders = [each for each in outcomes if isinstance(each, Order)]
        return [self.reader.write(each) for each in orders] if len(orders) == len(list(outcomes)) else []

    def _apart(self, outcomes: Iterable[Outcome] | None) -> list[Outcome]:
        """Orders, those whose units must start in one hex divided by where these are."""
        found: list[Outcome] = []
        for each in outcomes or ():
            units: tuple[str, ...] = getattr(each, "units", ()) if getattr(each, "as_one", False) else ()
            hexes = dict.fromkeys(self._start(unit) for unit in units)
            if len(hexes) < 2 or not isinstance(each, Order):
                found.append(each)
                continue
            for hex in hexes:
                there = tuple(unit for unit in units if self._start(unit) == hex)
                found.append(replace(each, units=there))  # type: ignore[call-arg]
        return found

    def _start(self, unit: str) -> str:
        return self.names.going.get(unit) or self.names.roster.units[unit].hex or ""

    def _about(self, outcomes: Iterable[Outcome]) -> set[str]:
        """The units and hexes of which orders speak."""
        found: set[str] = set()
        for each in outcomes:
            if isinstance(each, Staying):
                found |= set(each.units)
            else:
                each = each.order if isinstance(each, Bound) else each
                found |= {
                    *each.actors(),
                    *each.targets(),
                    *getattr(each, "path", ()),
                    str(getattr(each, "hex", "")),
                }
        units = self.names.roster.units
        return (found | {units[each].kind.lower() for each in found if each in units}) - {""}

    def _stay(self, number: int, text: str, line: Bare) -> bool:
        """``9/3 stays``, ``hold 9/3``, ``the rest stays where it is``: units that get no order. A comment
        that says more makes the line faulty, as one behind an order does."""
        if first_word(line.line) == "i" and NOTHING.fullmatch(line.line):
            return False  # "I pass" is said by the writer, not of the I Corps
        units = self._staying(line.line)
        if units is None:
            return False
        for column, comment in line.comments:
            counted = COUNT.fullmatch(comment.strip(" .!").lower())
            if counted or not self._tells(comment, set(units)):
                continue
            error = Unreadable(COMMENTED, column=column, length=len(comment.rstrip()))
            head, words = unlisted(line.line).strip(), unlisted(comment).strip()
            close = "" if isinstance(self._try(bare(words, self.names).line), Scan) else f"{head}\n{words}"
            self._fail(Fault(number, text, error, self._sendable(close), either=() if close else (head,)))
            return True
        self._note_comments(number, line)
        self.said.append(Command("stay", "", number, names=units))
        self.spoken.update(units)
        return True

    def _standing(self, number: int, text: str, line: str) -> None:
        if STANDING_DONE.fullmatch(line):
            self.said.append(Command("always", "off" if "never" in line.lower() else "on", number))
            return
        if STANDING_EMPTY.fullmatch(line):
            self.said.append(Command("empty", "on" if "close" in line.lower() else "off", number))
            return
        if found := FOR_NOW.search(line):
            why = "a standing order holds until you change it: give it without this"
            error = Unreadable(why, column=found.start(), length=len(found[0]))
            self._fail(Fault(number, text, error, command=True))
            return
        read = self.reader.standing.read(line, self.names)
        if isinstance(read, Scan):
            self._failed_standing(number, text, read)
            return
        said = dict(read)
        policy: Policy[Any] | None = said.get("policy")
        if policy and policy.seats and self.seat and self.seat not in policy.seats:
            mine = any(
                each.kind == policy.kind and (not each.seats or self.seat in each.seats)
                for each in self.grammar.policies
            )
            why = (
                f"only the other side may say this of {policy.kind}; HELP standing lists what you may"
                if mine
                else f"the other side takes decisions about {policy.kind}: yours are never asked for"
            )
            self._fail(Fault(number, text, NotAllowed(why, length=len(text.strip())), command=True))
            return
        if absent := self._absent(policy):
            self._fail(Fault(number, text, NotAllowed(absent, length=len(text.strip())), command=True))
            return
        kind = policy.kind if policy else dict(said["clear"]).get("kind", "")
        self.said.append(StandingLine(number, text.strip(), kind, policy))

    def _failed_standing(self, number: int, text: str, scan: Scan) -> None:
        if self._courtesy(number, text):
            return
        if self._may_sign(text):
            self.signed.add(number)
            self.said.append(Unread(number, text.strip(), self.section))
            return
        fault = self.reader.standing.fault(number, text, scan)
        if not fault.suggestion and not fault.either:
            fault = replace(fault, either=self._near_standing(text))
        self._fail(replace(fault, command=True))

    def _lasting(self, line: str) -> tuple[str, ...]:
        """The standing orders that a line may be which begins with the name of a kind of decision; none if
        the section has a verb of that name."""
        first = first_word(line)
        if self.section == STANDING:
            return ()
        kinds = {policy.kind.split()[0].lower() for policy in self.grammar.policies}
        if first not in kinds or first in self._verbs:
            return ()
        return self._near_standing(f"{STANDING} {line.strip()}")

    def _near_standing(self, line: str) -> tuple[str, ...]:
        """The standing orders that a line may be which lacks a word or two of the usage line: ``standing
        battle: 3 rounds``."""
        plain = re.sub(r"\b1st\b", "first", line.strip(" .!"))
        asked = [plain, *islice(reworded(plain, self.reader.standing.turns), MOST_TRIED - 1)]
        found: dict[str, None] = {}
        for lacking in range(MOST_LACKING + 1):
            further: list[str] = []
            for each in asked[:MOST_TRIED]:
                read = self.reader.standing.read(each, self.names)
                policy = None if isinstance(read, Scan) else dict(read).get("policy")
                if isinstance(read, Scan):
                    column = read.pieces[read.furthest].column if read.furthest < read.length else len(each)
                    keys = dict.fromkeys(
                        miss.wanted.word for miss in read.misses if isinstance(miss.wanted, Key)
                    )
                    further += [f"{each[:column]} {key} {each[column:]}" for key in keys]
                elif policy and (not policy.seats or not self.seat or self.seat in policy.seats):
                    offer = self.reader.write_standing(StandingLine(0, each, policy.kind, policy))
                    found |= {offer: None} if not lacking or says_all(line, offer, self.names) else {}
            if found or not self.names.work.offers:
                break
            asked = further
        return tuple(found)

    def _courtesy(self, number: int, line: str) -> bool:
        """Greetings, closings and the names below them, from closed lists: they say nothing of the game."""
        if not is_greeting(line) and not is_closing(line):
            signed = is_name(line) and (self.closing or self._is_writer(line))
            signed = signed and not bears(line, self.names)  # "Pending"
            if signed:
                self.claims[number] = "courtesy"
            return signed
        if (free := free_words(line)) and (self._tells(free) or bears(line, self.names)):
            return False
        self.closing = self.closing or is_closing(line)
        self.claims[number] = "courtesy"
        return True

    def _is_writer(self, line: str) -> bool:
        """Whether a line is the name of its writer."""
        words = set(re.findall(r"[^\W\d_]+", line.casefold()))
        return bool(words) and words <= self.scope.writer

    def _may_sign(self, line: str) -> bool:
        """Whether a line could be a name, and names nobody and no order, misspelt or not, and no word of one:
        outside the orders it is taken for a signature."""
        if not is_name(line):
            return False
        scan = self._scan_of(line)
        names_second = scan.length > 1 and self.names.meant(scan.words(1), scan.reserved) is not None
        slip = len(scan.keys[0]) > 3 and one_slip(scan.keys[0], self._verbs | {*COMMANDS})
        known = (
            (slip and (scan.length == 1 or names_second))
            or scan.keys[0] in self.reader.words
            or self._first_is_name(scan)
        )
        return scan.furthest == 0 and not known

    def _such_as(self) -> str:
        """An example of a line in the section in force; "" if it has none."""
        section = self._present
        kinds = [kind for kind in self.grammar.allowed(section, self.seat) if kind.sort and kind.example]
        example = kinds[0].examples.get(self.seat, kinds[0].example) if kinds else ""
        example = example if isinstance(example, str) else example[0]
        return f', such as "{example}"' if example else ""

    def _of_several_meanings(self, number: int, text: str, words: str) -> Fault | None:
        """What to ask of a line that may mean several orders."""
        asked = (self._of_strokes, self._which_of_two, self._each_meaning)
        return next(filter(None, (each(number, text, words) for each in asked)), None)

    def _failed(self, number: int, text: str, line: Bare) -> None:
        """A line that nothing reads: wrong, like an order, a courtesy, or chat."""
        words, comments = line.line, [comment for _, comment in line.comments]
        if self._courtesy(number, words):
            return
        if AGAIN.fullmatch(words):
            why = f"pbem repeats no orders of an earlier turn: send each again as a line{self._such_as()}"
            self._fail(Fault(number, text, Unreadable(why, length=len(words.strip()))))
            return
        if (lasting := self._lasting(words)) and not self.lost:
            error = Unreadable("a standing order begins with STANDING", length=len(words.strip()))
            self._fail(Fault(number, text, error, either=lasting, command=True))
            return
        whole, _ = self._with_brackets(text, line)
        if asked := None if self.lost else self._asked_at_last(number, text, whole.rstrip()):
            self._fail(asked if not COMMENT.search(text) else self._with_comments(asked, comments))
            return
        if asked := None if self.lost else self._asked_at_last(number, text, unlisted(words)):
            self._fail(self._with_comments(asked, comments))
            return
        scan = self._scan_of(words)
        if self.lost and self._reads_elsewhere(words):
            self._under_unknown(number, text, words)
        elif self._is_meant(scan) or one_slip(first_word(words), [STANDING]) or self._is_close(words, scan):
            section = self.section
            self.section = section or self._taking(words)
            fault = self._fault(number, text, words, self._scan_of(words))
            if not (fault.suggestion or fault.either or self.lost):
                plain = unlisted(words)
                fault = self._of_several_meanings(number, text, plain) or fault
            fault = self._with_comments(fault, comments)
            known = isinstance(fault.error, NotAllowed) or fault.command
            if not (fault.suggestion or fault.either or self.lost or known):
                fault = self._without(number, text, *self._with_brackets(text, line), known=fault) or fault
            self._fail(fault)
            self.section = section
        elif order := self._order_in(words):
            why = "the line ends with what reads as an order. An order stands on a line of its own"
            error = Unreadable(why, column=text.rindex(order), length=len(order))
            self._fail(Fault(number, text, error, self._sendable(order), self.section))
        else:
            like = self._is_like(scan)
            plain = unlisted(words)
            asked = None if self.lost else self._each_meaning(number, text, plain)
            if like and not self.lost:
                asked = asked or self._of_several_meanings(number, text, plain)
            if (like or self.section) and not self.lost and not self._is_prose(scan):
                asked = asked or self._without(number, text, *self._with_brackets(text, line))
            if asked:
                self._fail(asked)
                return
            if self._may_sign(words):
                self.signed.add(number)
            close = self._fault(number, text, words, scan).suggestion if like else disputing(words)
            self.said.append(Unread(number, text.strip(), self.section, like, close))
