"""A letter, line by line: headings, orders, standing orders, letter commands, answers, faults, and what is
left alone.

What a whole line may be stands in phrases.py, how people put it in other words in people.py. Here it is
decided under which heading a line stands, whether it is an order at all, and what becomes of lists, comments,
quotations of line names, and press.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from copy import copy
from dataclasses import replace

from pbem.engine.errors import Ambiguous, OrderError, Unreadable
from pbem.engine.language.amiss import (
    WHEN,
)
from pbem.engine.language.bearing import bears, introduces
from pbem.engine.language.commands import (
    END_BLOCK,
    FIRST_WORDS,
    VERBATIM,
    begins_block,
    command,
)
from pbem.engine.language.courtesies import is_name
from pbem.engine.language.cover import CLOSES, cover, settle
from pbem.engine.language.heads import Heads
from pbem.engine.language.limits import BOUNDS, CONDITIONS, REFUSALS
from pbem.engine.language.lines import COMMENTED, COUNTED_OUT
from pbem.engine.language.model import (
    Command,
    Comment,
    Fault,
    Heading,
    Line,
    Order,
    Reading,
    Roster,
    Said,
    Scope,
    StandingLine,
    Unread,
)
from pbem.engine.language.names import Names
from pbem.engine.language.people import Verbs
from pbem.engine.language.phrases import STANDING, Reader
from pbem.engine.language.requests import SPOT
from pbem.engine.language.senses import (
    Bare,
    Broken,
    bare,
    first_word,
    unlisted,
    which_one,
)
from pbem.engine.language.turns import COUNT
from pbem.engine.language.usage import Scan
from pbem.engine.language.work import MOST_LINES, TooMuchWork, Work, is_too_long

BRACKETS = re.compile(r"\s*\[\s*(?P<title>[^\[\]]*?)\s*\]\s*:?(?P<rest>.*)")
FRAMED = re.compile(r"\s*(?P<frame>[-=*_~]{1,5})\s*(?P<title>\w[^-=*_~]*?)\s*(?P=frame)\s*:?(?P<rest>.*)")
WITH_NUMBER = re.compile(
    r"\s*\[\s*(?P<title>[^\[\]()]*?)\s*(?:\((?P<which>[^()]*)\)\s*\]|\]\s*\((?P<behind>[^()]*)\))\s*:?\s*$"
)
"""``[movement (2)]`` and ``[movement] (second)``."""
OF_TURN = re.compile(r"\s*turn\s*(?P<turn>\d+)\s*[,:·-]?\s*(?P<title>.*)", re.IGNORECASE)
THEN = re.compile(r";\s*then\b,?", re.IGNORECASE)
NUMBER = re.compile(r"\s*(\d{1,2})\s*[:=]\s+(?=\S)")
FIGURES = re.compile(r"\d{4}|\d\S*/|/\S*\d")
"""The number of a hex, or a unit's name with a slash."""
TAKEN_BACK = re.compile(
    r"\b(?:not (?:yet )?(?:done|final|finished|ready|to be played)|not done yet"
    r"|(?:do not|don['’]?t) (?:yet )?(?:play|close|process|run)|only a draft|just a draft"
    r"|(?:ignore|disregard|scrap|cancel) (?:this|that|my|the|L\s?\d+)|hold on\b|stop!)"
    r"|^\s*(?:please )?wait[,.! ](?!(?:till|until) you see)",
    re.IGNORECASE,
)
"""Words with which a writer takes back that a letter is done."""
NOT_NOW = re.compile(
    r"\b(?:next turn|tomorrow|later|wrote|schrieb|said|a écrit|for example|what if|will send|would send)\b"
    r".*[:?]\s*$|\b(?:legal|allowed|possible|correct|(?<!all )right|should I|can I|may I|would)\b.*[:?]\s*$",
    re.IGNORECASE,
)
"""Words above an order that is not one for now."""
LIMITS_BELOW = ((REFUSALS | BOUNDS | CONDITIONS) - {"over", "above", "below", "more", "before"}) | frozenset(
    "once cancelled draft test round rounds loss losses".split()
)
"""Words of a line with a colon that limit the orders below it: ``Max 2 rounds in all battles:``."""
WRITTEN = {"done": "DONE", "final": "DONE ALL", "none": "NO ORDERS"}
"""The commands that close, in words."""
EMPTY_BOX = re.compile(r"\s*(?:\(\s*\)|\[\s*\])\s+\S")
"""A box in front of a line that was not ticked: ``( ) 8/4 to 5230``."""
TWO_STAGES = re.compile(
    r"\s*(?:inc(?:rement)?s?|box(?:es)?)\.?\s*\d+[a-z]?\s*(?:,|and\b|&|\+|then\b)+\s*"
    r"(?:(?:inc(?:rement)?s?|box(?:es)?)\.?\s*)?\d+[a-z]?\s*:\s*\S",
    re.IGNORECASE,
)
"""One order for two stages: ``inc 4, 8: VII attacks 1209``."""
GOES_ON = re.compile(r"\s*(?:and|also|then|plus|&|\+|und|et|y|e|en)\b", re.IGNORECASE)
"""What an order begins with that goes on from the one above."""
BEGUN = re.compile(r"\s*(?:if|unless|when|falls|wenn|si|se|als)\b", re.IGNORECASE)
"""A condition in front of an order."""
THEN_SAYS = re.compile(r"[.;]\s*(?:and|also|then)\b", re.IGNORECASE)
"""What a further order on the line begins with."""
NAMED_TURN = re.compile(r"\bturn (\d{1,2})\b", re.IGNORECASE)
MOST_PARTS = 4
"""At most this many lines are read as one that was broken."""


def read_letter(
    reader: Reader,
    text_lines: Sequence[tuple[int, str]],
    roster: Roster,
    section: str,
    scope: Scope,
    work: Work | None = None,
) -> Reading:
    """Read the numbered lines of a letter; `section` is the heading in force at its beginning. Never raises
    for what a player wrote, except TakesLong if `work` says so."""
    letter = _Letter(reader, Names(roster), section, scope)
    letter.names.going.update(scope.going)
    letter.names.work = work or letter.names.work
    for number, text in _as_counted(text_lines):
        letter.take(number, text)
    return letter.reading(text_lines)


def _as_counted(lines: Sequence[tuple[int, str]]) -> list[tuple[int, str]]:
    """The lines of a letter, of two that begin with `second` and `first` the latter in front."""
    found = list(lines)
    for at in range(len(found) - 1):
        pair = [COUNTED_OUT.match(text) for _, text in found[at : at + 2]]
        if [each and each["which"].lower() for each in pair] == ["second", "first"]:
            found[at], found[at + 1] = found[at + 1], found[at]
    return found


def _until_hash(text: str) -> str:
    return re.split(r"#(?!\d{4}\b)", text, maxsplit=1)[0].rstrip()


class _Letter(Heads):
    """Reads one letter."""

    above = ""
    """The line above, if it is not empty."""
    lines = 0
    """How many of its lines have been looked at."""
    counted = 0
    """The last number that its lines have in front."""
    ends = 0
    """The number of the line from which on it is not read, since it is too long."""

    def reading(self, lines: Sequence[tuple[int, str]]) -> Reading:
        """All that the letter says, every word of it accounted for."""
        if self.press is not None:
            begun, to = self.press.name.upper(), self.press.argument.removesuffix(":")
            text = f"{begun} {to}:" if to else f"{begun}:"
            what, kept = ("message", "sent") if begun == "PRESS" else ("entry", "kept")
            why = (
                f"the {what} has no end: write END {begun} below it; nothing was {kept}, "
                "and nothing below this line was read"
            )
            error = Unreadable(why, length=len(text))
            self.said.append(Fault(self.press.number, text, error, command=True, fatal=True))
        self._end_group()
        said: list[Said] = []
        last = self._last_name(lines)
        for each in settle(lines, self.said, self.claims, self.begun):
            name = (
                isinstance(each, Unread) and each.number in self.signed and not bears(each.text, self.names)
            )
            if isinstance(each, Unread) and name and (not each.holds or each.number == last):
                self.claims[each.number] = "courtesy"
            else:
                said.append(each)
        unread = [each for each in said if isinstance(each, Unread)]
        taken_back = self.other_turn or any(
            TAKEN_BACK.search(each.text) or self._of_another_turn(each.text) for each in unread
        )
        off = {
            each.number
            for each in said
            if isinstance(each, Comment) and bears(each.text, self.names, places=False)
        }
        if unread or taken_back or off:
            said = [self._in_doubt(each, taken_back or each.number in off) for each in said]
        said = [self._put_off(each, said) for each in self._bearing(said)]
        said = [self._not_meant(each, after) for each, after in zip(said, [*said[1:], None], strict=False)]
        return Reading(tuple(said), cover(lines, said, self.claims, self.commented), self.ends)

    def _in_doubt(self, said: Said, taken_back: bool) -> Said:
        """``nothing`` below no heading, beside words that are not read: it may be said of them. A DONE that
        other words take back closes nothing."""
        if not isinstance(said, Command):
            return said
        if said.name == "none" and said.number in self.idle:
            return Unread(said.number, self.idle[said.number], holds=True)
        if taken_back and said.name in ("done", "final", "none"):
            return Unread(said.number, WRITTEN[said.name], said.names[0] if said.names else "", holds=True)
        return said

    def _put_off(self, comment: Said, said: Sequence[Said]) -> Said:
        """A comment behind a heading or a courtesy, or on a line of its own, that takes orders back or puts
        them off: what it is about is not closed. One behind an order makes that faulty (`_commented`)."""
        if not isinstance(comment, Comment) or not bears(comment.text, self.names, places=False):
            return comment
        if any(
            isinstance(each, Line | Fault | StandingLine) and each.number == comment.number for each in said
        ):
            return comment
        return Unread(comment.number, comment.text, comment.section, like=True, holds=True)

    def _not_meant(self, said: Said, after: Said | None) -> Said:
        """Words above an order that say that it is for another turn, another's or a question, and a comment
        on a line of its own that takes an order back: what they are about is not closed."""
        if not isinstance(said, Unread) or not isinstance(after, Line):
            return said
        words = set(re.findall(r"[^\W\d_]+", said.text.lower()))
        limits = said.text.rstrip().endswith(":") and words & LIMITS_BELOW
        if limits or NOT_NOW.search(said.text) or self._of_another_turn(said.text):
            return replace(said, section=said.section or after.section, like=True, holds=True)
        return said

    def _bearing(self, said: Sequence[Said]) -> list[Said]:
        """Words above the first order or below the last DONE that bear on the orders hold all of them, or
        what earlier letters closed; so do those with a colon above orders that say more than that orders
        follow."""
        told = {each.name for each in said if isinstance(each, Command)}
        closes = self.scope.always or not told.isdisjoint(CLOSES | {"answer", "settled", "defaults"})
        orders = any(isinstance(each, Line | StandingLine) for each in said)
        if told & {"draft", "try"} or (orders and not closes):
            return list(said)  # there is nothing to hold back
        found: list[Said] = []
        for each, after in zip(said, [*said[1:], None], strict=False):
            if isinstance(each, Heading) and not each.section and bears(each.text.strip(" []:"), self.names):
                each = Unread(each.number, each.text, holds=True)  # "[draft]"
            if isinstance(each, Unread) and not each.holds and not each.like:
                heads = each.text.rstrip().endswith(":") and isinstance(after, Line | StandingLine | Heading)
                if (heads and not introduces(each.text)) or bears(each.text, self.names):
                    each = replace(each, section="", holds=True)
            found.append(each)
        return found

    def _of_another_turn(self, text: str) -> bool:
        """Whether words that head others name a turn that is not being played: ``[turn 8]``, ``Turn 8:``."""
        found = NAMED_TURN.search(text)
        words = text.strip()
        heads = words.startswith("[") or words.endswith(":") or NAMED_TURN.fullmatch(words)
        return bool(found and heads and self.scope.turn and int(found[1]) != self.scope.turn)

    def _last_name(self, lines: Sequence[tuple[int, str]]) -> int:
        """The number of the last line with words, if it is one word: a signature, if it could be a name."""
        number, text = next((each for each in reversed(lines) if each[1].strip()), (0, ""))
        return number if len(text.split()) == 1 else 0

    def take(self, number: int, text: str) -> None:
        if self.press is not None:
            self.claims[number] = "command"
            self._press(text)
            return
        if text.strip() and self._is_beyond(number, text):
            return
        if not text.strip() or self._verbatim(number, unlisted(text)):
            self.broken, self.above = None, ""
            return
        self.known.clear()
        closing, before = self.closing, len(self.said)
        try:
            self._take(number, text)
        except TooMuchWork:
            del self.said[before:]
            self.ends = number
            self._pass_over(number, text)
        if any(isinstance(each, Fault) or getattr(each, "like", False) for each in self.said[before:]):
            self.names.work.offers = max(self.names.work.offers - 1, 0)
        if closing and self.claims.get(number) != "courtesy":
            self.closing = False

    def _by_itself(self, line: str) -> list[Line]:
        names = copy(self._names)
        names.going, names.work = dict(self.names.going), Work(self.names.work.left, 0)
        letter = _Letter(self.reader, names, self.section, self.scope)
        letter.spoken = set(self.spoken)
        letter.take(1, line)
        letter._end_group()
        self.names.work.left = names.work.left
        read = [said for said in letter.said if isinstance(said, Line)]
        return read if all(isinstance(said, Line | Comment) for said in letter.said) else []

    def _is_beyond(self, number: int, text: str) -> bool:
        """Whether a line is not read because it is too long, or because those before it are more than a
        letter may have."""
        self.lines += 1
        if not self.ends and self.lines > MOST_LINES:
            self.ends = number
        if self.ends or is_too_long(text):
            self._pass_over(number, text)
            return True
        return False

    def _pass_over(self, number: int, text: str) -> None:
        """Leave a line unread. In doubt it holds orders; a long paragraph without figures is chat."""
        self.broken = None
        like = bool(self.ends or FIGURES.search(text) or first_word(unlisted(text)) in self._verbs)
        self.said.append(Unread(number, text.strip(), self.section, like))

    def _take(self, number: int, text: str) -> None:
        if EMPTY_BOX.match(text) or (self.grammar.stages is not None and TWO_STAGES.match(unlisted(text))):
            self.said.append(Unread(number, text.strip(), self.section, like=True))
            self.broken = None
            return
        before, broken = len(self.said), self.broken
        if broken is not None and not self._stage_of(unlisted(text)) and self._goes_on(broken, text):
            self.claims[number] = "clause"
            self._settle(number, text, broken.start)
            return
        if not self._chain(number, text):
            line = bare(self._unframed(text), self.names)
            self.commented[number] = [column for column, _ in line.comments]
            if not line.line.strip():
                self._remark(number, text, line)
            if line.line.strip() and not self._heading(number, text, line):
                self._content(number, text, line)
            if self.claims.get(number) == "courtesy" and any(
                bears(comment, self.names) for _, comment in line.comments
            ):
                del self.claims[number]  # "Cheers, Jim (ignore the above)"
                self.said.append(Unread(number, text.strip(), self.section, holds=True))
            if not any(isinstance(said, Line | Fault | Unread) for said in self.said[before:]):
                self._orders_behind(number, text, line)
        if broken is not None and broken.whole and broken.comma:
            self.said[before:] = [
                replace(said, like=True) if isinstance(said, Unread) else said for said in self.said[before:]
            ]
        self.broken = self._may_go_on(before, number, text, broken)
        self._goes_on_from(before, text)
        self._settle(number, text, before)
        self.above = text

    def _goes_on_from(self, before: int, text: str) -> None:
        """Ask of an order that goes on from one with a condition in front, on the next line or in the next
        sentence, whether it holds for both: ``if 5229 is empty, 8/4 to 5230``, ``and 12/4 to 5130``. Ask too
        where it follows up an attack and would be played before it."""
        indented = len(text) - len(text.lstrip()) > len(self.above) - len(self.above.lstrip())
        goes_on = GOES_ON.match(unlisted(text)) or self.above.rstrip()[-1:] in (",", ";") or indented
        for at in range(max(before, 1), len(self.said)):
            said, last = self.said[at], self.said[at - 1]
            if not (isinstance(said, Line) and isinstance(last, Line)):
                continue
            here = said.section and said.section == last.section
            counted = COUNTED_OUT.match(text)
            behind = here and last.order.rank > said.order.rank
            if behind and (
                counted
                or (
                    said.order.place() in last.order.targets()
                    and (said.number == last.number or GOES_ON.match(unlisted(text)))
                )
            ):
                why = "this is played before the attack in front of it: is it meant so?"
                error = Ambiguous(why, length=len(said.text))
                order = self.reader.write_line(said)
                self.said[at] = Fault(said.number, said.text, error, section=said.section, either=(order,))
                return
            same = said.number == last.number and BEGUN.match(text) and THEN_SAYS.search(text)
            next_ = at == before and goes_on and BEGUN.match(unlisted(self.above))
            if last.conditions and not said.conditions and (same or next_):
                order = self.reader.write_line(said)
                both = self.reader.write_line(replace(said, conditions=last.conditions))
                error = Ambiguous("does the condition before it hold here too?", length=len(said.text))
                self.said[at] = Fault(
                    said.number, said.text, error, section=said.section, either=(both, order)
                )
                return

    def _may_go_on(self, before: int, number: int, text: str, broken: Broken | None) -> Broken | None:
        """What the next line may be the end of: an order, or a line that is none as it stands."""
        if len(self.said) > before + 1 and all(isinstance(each, Line) for each in self.said[before:]):
            return Broken(before, number, text.strip(), whole=True)
        if len(self.said) != before + 1:
            return None
        said = self.said[-1]
        if isinstance(said, Line):
            return Broken(before, number, text.strip(), whole=True)
        if not isinstance(said, Unread) and not (isinstance(said, Fault) and not said.command):
            return None
        if broken is not None and not broken.whole and broken.parts < MOST_PARTS:
            return replace(broken, text=f"{broken.text} {text.strip()}", parts=broken.parts + 1)
        return Broken(before, number, text.strip())

    def _goes_on(self, broken: Broken, text: str) -> bool:
        """The rest of a line that a mail program has broken: together they read as one order, and alone this
        is none. Where what came before reads as an order too, its writer says which is meant."""
        self.broken = None
        other = unlisted(text) != text or command(0, text.strip()) or SPOT.fullmatch(text)
        if other or BRACKETS.fullmatch(text):
            return False
        alone = not isinstance(self._try(bare(text, self.names).line), Scan)
        if alone and not (broken.whole and broken.comma):
            return False
        joined = f"{broken.text} {text.strip()}"
        if is_too_long(joined):
            return False
        found = SPOT.fullmatch(unlisted(joined))
        words = bare(found["rest"] if found else unlisted(joined), self.names).line
        if bare(broken.text, self.names).comments:
            return False
        if isinstance(self._try(words), Scan):
            return self._goes_on_freely(broken, text, joined, words)
        first = self.said[broken.start]
        if not broken.whole:
            del self.said[broken.start :]
            self._content(broken.number, joined, bare(joined, self.names))
            return True
        assert isinstance(first, Line)
        longer = self._lines(broken.number, first.text, words, "")[0]
        if replace(longer, section=first.section, spot=first.spot) == first:
            return False
        ends = "the line ends with a comma, and" if broken.comma else "the line"
        error = Unreadable(f"{ends} reads as one order with the next", length=len(joined))
        either = (words.strip(), SPOT.sub(r"\g<rest>", unlisted(broken.text)).strip(" ,"))
        self.said[broken.start :] = [
            Fault(
                broken.number, joined, error, "", self.section, first.spot, either=either, words=words.strip()
            )
        ]
        return True

    def _goes_on_freely(self, broken: Broken, text: str, joined: str, words: str) -> bool:
        """The rest of a broken line in a free order of words: it must complete what came before, or add
        nothing to the orders there. What reads alone is the rest of a line only if that line cannot end."""
        orders = self._read_freely(words)
        if not orders:
            return False
        if not broken.open and self._read_freely(bare(text, self.names).line):
            return False
        if broken.whole:
            before = self.said[broken.start :]
            return orders == [each.order for each in before if isinstance(each, Line)]
        del self.said[broken.start :]
        self._content(broken.number, joined, bare(joined, self.names))
        return True

    def _content(self, number: int, text: str, line: Bare) -> None:
        """A line that is no heading in brackets."""
        if self._headed(number, text, line) or self._spot(number, text, self._spot_ahead(number, text, line)):
            return
        found = NUMBER.match(line.line)
        drawn = found is not None and int(found[1]) not in self.scope.questions and self._is_drawn(found[1])
        if not drawn and self._answer(number, text, line.line):
            return
        plain = replace(line, line=self._unnumbered(unlisted(line.line)))
        if (
            self._when(number, text, plain)
            or self._title(number, text, plain.line)
            or self._letter_command(number, text, plain.line)
        ):
            return
        self._unhead(plain.line)
        self._order(number, text, plain)

    def _unnumbered(self, line: str) -> str:
        """The line without a number in front (``3: move 8/4 to 4818``) that is no unit and no answer: the
        mark of a list, even where a unit has such a number in its name."""
        found = NUMBER.match(line)
        if found is None or found[1] in self.names.units:
            return line
        counts = int(found[1]) == self.counted + 1
        self.counted = int(found[1])
        if self.grammar.titles and not counts:
            return line  # "84: ..." may be the 84th Corps
        bare_line = " " * found.end() + line[found.end() :]
        whole, rest = self._try(line), self._try(bare_line)
        if isinstance(rest, Scan):
            return line
        if isinstance(whole, Scan):
            return bare_line
        more = {*dict(whole)["order"].actors()} - {*dict(rest)["order"].actors()}
        return bare_line if more else line

    def _press(self, text: str) -> None:
        assert self.press is not None
        end = END_BLOCK.fullmatch(text)
        if end and end["name"].lower() == self.press.name:
            self.said.append(replace(self.press, text="\n".join(self.pressed).strip("\n")))
            self.press = None
        else:
            self.pressed.append(text.rstrip())

    def _verbatim(self, number: int, text: str) -> bool:
        """Press, the diary, salt, passwords and reasons of disputes: what they hold is nobody's order."""
        found = command(number, text)
        if found is None or found.name not in VERBATIM:
            return False
        if begins_block(found):
            self.press, self.pressed = found, []
        elif found.name == "press" and (order := self._order_in(found.text, message=True)):
            self._swallowed(number, text, order)
        else:
            self.said.append(found)
        return True

    def _swallowed(self, number: int, text: str, order: str) -> None:
        message = text.strip().removesuffix(order).rstrip(" ;")
        why = (
            "the message ends with what reads as an order: nothing was sent. "
            "An order stands on a line of its own"
        )
        error = Unreadable(why, column=text.rindex(order), length=len(order))
        self._fail(Fault(number, text, error, f"{message}\n{order}", self.section, command=True))

    def _unframed(self, text: str) -> str:
        """``-- movement --`` and ``*movement*`` as ``[movement]``, columns as they were."""
        found = FRAMED.fullmatch(text)
        if found is None or len(self._sections(found["title"], whole=True)) != 1:
            return text
        start, end = found.start("title"), found.end("title")
        before, behind = f"{'[':>{start}}", f"{']':<{found.start('rest') - end}}"
        return f"{before}{found['title']}{behind}{found['rest']}"

    def _heading(self, number: int, text: str, line: Bare) -> bool:
        """``[movement]``, with an order behind it or without."""
        found = BRACKETS.fullmatch(line.line)
        if found is None:
            return False
        rest, title = found["rest"], found["title"]
        whole = WITH_NUMBER.match(text)
        which = (whole["which"] or whole["behind"] or "") if whole else ""
        if whole and which_one(f"x {which}")[1]:
            title = f"{whole['title']} {which}"
            self.commented[number] = []
            line = replace(line, comments=())
        known = self._open(number, text, title)
        second = BRACKETS.fullmatch(rest)
        if known and second and self._sections(second["title"]) and not second["rest"].strip():
            error = Unreadable(
                "two headings on a line: write the lines of each below it", length=len(text.strip())
            )
            self._fail(Fault(number, text, error, command=True))
        elif rest.strip():
            self._content(number, text, replace(line, line=" " * found.start("rest") + rest))
        return True

    def _remark(self, number: int, text: str, line: Bare) -> None:
        """A line that is a comment from its first word. Behind ``;``, ``#`` or ``//`` it is one, since the
        examples of order forms stand so; in brackets or behind a dash it may be meant for the game."""
        marked = text.lstrip().startswith((";", "#", "//"))
        if not marked and any(self._tells(comment) for _, comment in line.comments):
            self.said.append(Unread(number, text.strip(), self.section, like=True))
            return
        self.claims[number] = "comment"
        if not marked:
            self._note_comments(number, line)

    def _orders_behind(self, number: int, text: str, line: Bare) -> None:
        """The comments of a line that is no order itself: a heading, a command, a courtesy. What may be meant
        for the game is not read, and holds its section."""
        head = unlisted(line.line).strip()
        known = self.commented.get(number, ())
        for column, comment in line.comments if head else ():
            if column not in known or COUNT.fullmatch(comment.strip(" .!").lower()):
                continue
            words = unlisted(bare(comment, self.names).line)
            lasting = self._as_standing(words)
            if lasting or not isinstance(self._try(words), Scan) or self._is_meant(self._scan_of(words)):
                error = Unreadable(COMMENTED, column=column, length=len(comment.rstrip()))
                self._fail(Fault(number, text, error, f"{head}\n{lasting or comment.strip()}", self.section))
            elif self._tells(comment):
                self.said.append(Unread(number, comment.strip(), self.section, like=True))
            elif comment.strip() and number not in self.claims:
                self.said.append(Comment(number, comment.strip(), self.section))

    def _as_standing(self, words: str) -> str:
        """A comment that is a standing order, as one under no heading; "" if it is none."""
        said = words.strip()
        if self.section != STANDING and first_word(said) != STANDING:
            said = f"{STANDING} {said}"
        return "" if isinstance(self.reader.standing.read(said, self.names), Scan) else said

    def _title(self, number: int, text: str, line: str) -> bool:
        """A section's key or title alone on its line, without brackets."""
        title = line.strip().rstrip(":").strip()
        marked = line.rstrip().endswith(":")
        if not title or (title.lower() in FIRST_WORDS and not marked) or len(title) > 60:
            return False
        of_turn = OF_TURN.fullmatch(title)
        known = self._sections(of_turn["title"] if of_turn else title, whole=not marked)
        if not known and self._is_title_of_another(title, marked):
            self._open(number, text, title)
            return True
        if not known and (any(map(str.isdecimal, title.rstrip("12 "))) or len(title) < 5):
            return False
        if not marked and not isinstance(self._says(self._phrase(), line), Scan):
            return False
        if len(known) == 1:
            if self._open(number, text, title) and marked and self._drawn_in_force:
                self.colons.add(number)
            return True
        if known or any(map(str.isdecimal, title.rstrip("12 "))) or len(title) < 5 or command(number, line):
            return False
        if title.lower().startswith("no "):
            return False  # ``no redeployment`` is no slip of that title
        if not marked and (self._is_writer(title) or (self.closing and is_name(title))):
            return False
        if self._near(title, 2) and self._scan_of(line).furthest == 0:
            self._open(number, text, title)
            return True
        return False

    def _unhead(self, line: str) -> None:
        """Take back the heading ``12th Corps:`` right above a line that sets units up: those are asked for,
        and nothing can be ordered ahead for units that are not on the map."""
        heading = self.said[-1] if self.said else None
        if isinstance(heading, Heading) and heading.number in self.colons:
            self.section = ""
            if self._sets_up(line):
                self.said.pop()
                self.claims[heading.number] = "clause"
            else:
                self.section = heading.section

    def _is_title_of_another(self, title: str, marked: bool) -> bool:
        """Whether a line names one of several sections of a like name that there is not: ``third
        movement``."""
        base, number = which_one(title)
        return bool(number and self._sections(base, whole=True)) and (marked or len(title.split()) <= 4)

    def _open(self, number: int, text: str, title: str) -> bool:
        """Let the heading `title` be in force from here on; whether it is known."""
        why = ""
        if (of_turn := OF_TURN.fullmatch(title)) is not None:
            self.other_turn = bool(self.scope.turn) and int(of_turn["turn"]) != self.scope.turn
            if self.other_turn:
                why = f"turn {of_turn['turn']} is not the one being played"
            title = of_turn["title"]
        found = self._sections(title)
        if len(found) == 1 and not why:
            heading = Heading(number, text.strip(), found[0])
        elif found and not why:
            heading = Heading(
                number,
                text.strip(),
                "",
                found[0],
                f"[{title}] may be {' or '.join(f'[{name}]' for name in found)}",
            )
        else:
            close = found[0] if found else self._near(which_one(title)[0], 3)
            heading = Heading(number, text.strip(), "", close, why or f"there is no section [{title}]")
        self.said.append(heading)
        self.section, self.lost = heading.section, None if heading.section else heading
        self.spoken = set()
        return bool(heading.section)

    def _when(self, number: int, text: str, line: Bare) -> bool:
        """``when 1SS: order; order`` and ``1SS: order``: the heading of a section whose turn chance decides,
        with its orders behind it."""
        source = _until_hash(text)
        found = WHEN.fullmatch(unlisted(source)) if self.grammar.titles else None
        if found is None:
            return self._short_when(number, text, unlisted(source)) or self._broken_when(
                number, text, line.line
            )
        if not self._drawn(found["section"]) and not any(map(str.isdecimal, source)):
            return False
        known = self._open(number, text, found["section"])
        if not known or self.section not in self.grammar.titles:
            self._not_drawn(number, text, found["section"], found["orders"])
            return True
        self._pieces(number, text, found["orders"], found.start("orders"))
        return True

    def _spot_ahead(self, number: int, text: str, line: Bare) -> Bare:
        """``L9: when 1SS: order``, the line that was offered instead of L9 with the name of L9: opens the
        section, and returns the line without it."""
        found = SPOT.fullmatch(unlisted(line.line)) if self.grammar.titles else None
        ahead = WHEN.fullmatch(found["rest"]) if found and not found["after"] else None
        if not found or not ahead or ";" in ahead["orders"] or len(self._drawn(ahead["section"])) != 1:
            return line
        self._open(number, text, ahead["section"])
        named = f"L{found['name']}:"
        return replace(line, line=f"{named:<{found.start('rest') + ahead.start('orders')}}{ahead['orders']}")

    def _drawn(self, title: str) -> list[str]:
        return [name for name in self._sections(title) if name in self.grammar.titles]

    def _not_drawn(self, number: int, text: str, title: str, rest: str) -> None:
        """`when` with a section that chance does not bring up, or with none."""
        heading = self.said.pop()
        assert isinstance(heading, Heading)
        close = heading.near if heading.near in self.grammar.titles else ""
        drawn = self._drawn(title)
        kind: type[OrderError] = Ambiguous if len(drawn) > 1 else Unreadable
        why = heading.why if len(drawn) > 1 else f"there is no section [{title}] to write ahead for"
        close = "" if len(drawn) > 1 else close
        error = kind(
            why,
            legal=tuple(drawn or self.grammar.titles),
            column=max(text.find(title), 0), length=len(title),
        )  # fmt: skip
        self.said.append(Fault(number, text, error, f"when {close}:{rest}" if close else "", ""))
        self.section, self.lost = "", Heading(number, text.strip(), "", close, error.text)

    def _short_when(self, number: int, text: str, line: str) -> bool:
        """``1SS: order; order`` and ``Movement: order``, where this is no unit with its way."""
        found = re.fullmatch(r"(?P<section>[^:;,]{1,60}?)\s*:(?P<orders>.*)", line)
        if (
            found is None
            or not found["orders"].strip()
            or (found["section"].strip().isdecimal() and not self._is_drawn(found["section"].strip()))
            or found["section"].strip().lower() in self.names.units
        ):
            return False
        title = found["section"].strip()
        named = self._sections(title, whole=True) or self._nearly(title)
        words = bare(line, self.names).line
        if len(named) != 1 or self._is_of_this_section(words, found["orders"]) or self._sets_up(words):
            return False
        if self._is_division_of_this(title, named[0]):
            return False
        if named[0] not in self.grammar.titles:
            return self._titled(number, text, named[0], found["orders"], found.start("orders"))
        self._open(number, text, title)
        self._pieces(number, text, found["orders"], found.start("orders"))
        return True

    def _is_drawn(self, number: str) -> bool:
        """Whether a number in front of a colon is that of a command whose turn chance decides, and counts no
        lines."""
        return int(number) != self.counted + 1 and len(self._drawn(number)) == 1

    def _nearly(self, title: str) -> list[str]:
        """The section whose name is a slip away from a title that names nothing else."""
        words = title.removeprefix("the ").split()
        formation = self.names.formation(words, self.reader.reserved, sure=True)
        return [] if formation and formation[1] == len(words) else [*filter(None, [self._near(title, 1)])]

    def _is_division_of_this(self, title: str, section: str) -> bool:
        """Whether what may be the name of another section is here a formation that has units in the one in
        force: below [47Pz] ``1SS Panzer`` is the division and not the corps."""
        commanded = self.names.roster.commanded
        here, there = commanded.get(self.section, ()), commanded.get(section, ())
        if not here or section == self.section:
            return False
        words = title.removeprefix("the ").split()
        found = self.names.formation(words, self.reader.reserved)
        members = (
            {id for each in found[0] for id in each.units} if found and found[1] == len(words) else set()
        )
        return bool(members & set(here)) and not members & set(there)

    def _sets_up(self, line: str) -> bool:
        """Whether a line below no heading brings units in that are not on the map, in the section that is
        asked for: ``Poles: Koszutski 1016`` before the Poles are there."""
        asked = next(iter(self.scope.sections), "")
        if self.section or self.lost or not asked or asked in self.grammar.titles:
            return False
        orders = self._read_freely(line)
        return bool(orders) and all(
            isinstance(each, Order) and each.arrives and not any(map(self._start, each.actors()))
            for each in orders
        )

    def _titled(self, number: int, text: str, section: str, order: str, column: int) -> bool:
        """``Movement: order``, if the order reads under that heading."""
        words = bare(order, self.names).line
        if isinstance(self._says(self.reader.phrase(section, self.seat), words), Scan):
            return False
        self._open(number, text, section)
        self._part(number, text, order, column)
        return True

    def _is_of_this_section(self, line: str, rest: str) -> bool:
        """Whether a line that begins with a formation is an order of the section in force all the same:
        ``Pol: bombard 1015``."""
        phrase, word = self._phrase(), first_word(unlisted(rest))
        mine = not self._drawn_in_force and (word in phrase.verbs or Verbs(phrase.verbs).of(word) != "")
        return mine or (bool(self.section) and not isinstance(self._says(self._phrase(), line), Scan))

    def _broken_when(self, number: int, text: str, line: str) -> bool:
        if (
            not self.grammar.titles
            or first_word(line) != "when"
            or not (self.section or any(map(str.isdecimal, line)))
        ):
            return False
        start = len(line) - len(line.lstrip())
        error = Unreadable(
            "write it as: when <section>: order; order", column=start, length=len(line.strip())
        )
        self._fail(Fault(number, text, error))
        return True

    def _pieces(self, number: int, text: str, orders: str, column: int) -> None:
        """The orders of a ``when`` line, which begin in this column, each for itself."""
        for piece in orders.split(";"):
            if piece.strip():
                self._part(number, text, piece, column)
            column += len(piece) + 1

    def _part(self, number: int, text: str, piece: str, column: int) -> None:
        """One of several orders on a line."""
        before = len(self.said)
        self._order(number, piece.strip(), bare(piece.strip(), self.names))
        for at in range(before, len(self.said)):
            each = self.said[at]
            if isinstance(each, Fault):
                each.error.column += column + len(piece) - len(piece.lstrip())
                self.said[at] = replace(each, text=text)

    def _chain(self, number: int, text: str) -> bool:
        """``order; then order; then order``: several orders on one line; behind ``L9:`` they all stand in its
        place."""
        first, *others = THEN.split(_until_hash(text))
        if others and (named := SPOT.fullmatch(unlisted(first))) and not named["after"]:
            lead = f"L{named['name']}:"
            for piece in (named["rest"], *others):
                line = f"{lead} {piece.strip()}"
                self._content(number, line, bare(line, self.names))
            return True
        if (
            not others
            or BRACKETS.fullmatch(first)
            or isinstance(self._try(bare(unlisted(first), self.names).line), Scan)
        ):
            return False
        self._part(number, text, unlisted(first), 0)
        column = len(first)
        for piece in others:
            column = text.index(piece, column)
            self._part(number, text, piece, column)
        return True
