"""A letter, line by line: headings, orders, standing orders, letter commands, answers, faults, and what is
left alone.

What a whole line may be stands in phrases.py, how people put it in other words in people.py. Here it is
decided under which heading a line stands, whether it is an order at all, and what becomes of lists, comments,
quotations of line names, and press.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields, replace
from functools import cached_property
from typing import Any

from pbem.engine.errors import Ambiguous, NotAllowed, OrderError, Unreadable
from pbem.engine.language.choices import choice_letter, chosen
from pbem.engine.language.commands import (
    COMMANDS,
    END_PRESS,
    FIRST_WORDS,
    VERBATIM,
    Numbered,
    command,
    numbered,
    several,
)
from pbem.engine.language.courtesies import is_closing, is_greeting, is_name
from pbem.engine.language.model import (
    Command,
    Fault,
    Heading,
    Line,
    Policy,
    Reading,
    Roster,
    Said,
    Scope,
    Spot,
    StandingLine,
    Unread,
)
from pbem.engine.language.names import LONGEST_NAME, Names, name_words
from pbem.engine.language.never import contradiction, idle_else
from pbem.engine.language.people import NUMBERS, STAY, Verbs
from pbem.engine.language.phrases import STANDING, Phrase, Reader
from pbem.engine.language.repair import SUPPORT, distance, near, reworded, split_orders
from pbem.engine.language.slots import EVERYBODY
from pbem.engine.language.usage import Captures, Scan

BRACKETS = re.compile(r"\s*\[\s*(?P<title>[^\[\]]*?)\s*\]\s*:?(?P<rest>.*)")
FRAMED = re.compile(r"\s*(?P<frame>[-=*_~]{1,5})\s*(?P<title>\w[^-=*_~]*?)\s*(?P=frame)\s*:?(?P<rest>.*)")
SPOT = re.compile(
    r"\s*(?P<after>after\s+)?(?:L\s?|line\s+)(?P<name>\d{1,5})\s*(?:[:.)]|\s[-–]\s|\s|$)\s*(?P<rest>.*)",
    re.IGNORECASE,
)
LINE_NAME = re.compile(r"(?:L\s?|line\s+)(\d{1,5})", re.IGNORECASE)
WHEN = re.compile(r"\s*when\s+(?P<section>[^:;]*?)\s*:(?P<orders>.*)", re.IGNORECASE)
OF_TURN = re.compile(r"\s*turn\s*(?P<turn>\d+)\s*[,:·-]?\s*(?P<title>.*)", re.IGNORECASE)
THEN = re.compile(r";\s*then\b", re.IGNORECASE)
BULLET = re.compile(r"\s*(?:[-*•·‣▪–—+>]\s+|\(*(?:\d{1,2}|[A-Za-z])[.)]+\s+)")
COMMENT = re.compile(r";|#|(?<![:\w])//|(?<!:)//(?!\w)|(?:^|\s)--(?=\s|$)")
NUMBER = re.compile(r"\s*(\d{1,2})\s*[:=]\s+(?=\S)")
COMMENTED = "text after ; or # or in brackets is a comment, but this looks like an order"
TAKE_OFF = re.compile(r"(?:withdraw|withdrawn|delete|cancel|cancelled|remove)\s*[.!]*", re.IGNORECASE)
SENTENCE_END = re.compile(r"[;.!?]+\s*")
CODE = re.compile(r"(?P<order>.*\S)\s+(?P<code>[0-9a-f]{6})\s*")
REST = re.compile(
    r"\b(?:all\s+)?(?:the\s+)?(?:rest|others)\b(?:\s+of(?:\s+the)?)?(?:\s+(?:at|in|from|on))?"
    r"(?:\s+(?:the\s+)?(?P<hex>[A-Za-z]{0,2}\d{2,4}))?(?:\s+stack)?",
    re.IGNORECASE,
)
STACK = re.compile(
    r"\b(?:the\s+)?(?:whole\s+)?(?:stack|everyone|everybody|everything|all\s+units|all)"
    r"\s+(?:(?:at|in|from|on|of)\s+)?(?P<hex>[A-Za-z]{0,2}\d{2,4})\b",
    re.IGNORECASE,
)
OTHERS = re.compile(
    r"\s*(?:all\s+)?(?:the\s+)?(?:rest|others|everybody else|everyone else|nobody else)\b", re.IGNORECASE
)
AGAIN = re.compile(
    r"\s*(?:the\s+)?(?:same|as|like)\b.{0,30}\b(?:last|previous)\s+(?:turn|time)\s*[.!]*\s*", re.IGNORECASE
)
UNIT_LIKE = re.compile(
    r"\d+x$|(?!https?:)(?=.*\d).+/.+|\d+(?!(?:st|nd|rd|th|am|pm|h)$)[a-z]+[\w/+.-]*$", re.IGNORECASE
)
SEEMS_A_HEX = re.compile(r"\b[A-Za-z]{0,2}\d{4}\b")
STANDING_DONE = re.compile(r"\s*standing\s*:?\s*done\s*:?\s*(?:always|never)\s*[.!]*\s*", re.IGNORECASE)
NOT_AN_ORDER_AFTER = frozenset(
    "is was are were has had have looks seems did does cannot can't could should would of might never".split()
)


def read_letter(
    reader: Reader, text_lines: Sequence[tuple[int, str]], roster: Roster, section: str, scope: Scope
) -> Reading:
    """Read the numbered lines of a letter; `section` is the heading in force at its beginning. Never raises
    for what a player wrote."""
    letter = _Letter(reader, Names(roster), section, scope)
    letter.names.going.update(scope.going)
    for number, text in text_lines:
        letter.take(number, text)
    return letter.reading()


@dataclass(frozen=True, slots=True)
class Bare:
    """A line without its comments, columns as they were; `comments` are their texts with the columns where
    they begin."""

    line: str
    comments: tuple[tuple[int, str], ...] = ()


def bare(text: str, names: Names) -> Bare:
    """Cut the comments off a line: behind ``;``, ``#``, ``//`` and `` -- ``, and in brackets that hold no
    hex. A ``#`` before the number of a hex or in front of a list is none; ``#36`` behind an order is no part
    of its comment."""
    comments: list[tuple[int, str]] = []
    line = re.sub(r"#(?=\d{4}\b)|^\s*#\d{1,3}[.:)]?(?=\s)", lambda found: " " * len(found[0]), text)
    cut = COMMENT.search(line)
    if cut:
        mark = re.match(r"\d{1,3}[.:)]?\s+", text[cut.end() :]) if cut[0] == "#" else None
        start = cut.end() + (mark.end() if mark else 0)
        comments.append((start, text[start:]))
        line = line[: cut.start()]
    for found in re.finditer(r"\(([^()]*)\)", line):
        inside = found[1].strip()
        first, *others = inside.split() or [""]
        if (first.isdigit() and names.hex(first) and not others) or _is_whereabouts(inside, names):
            continue
        if BULLET.match(line) and found.start() <= 2 and len(inside) <= 2:
            continue
        comments.append((found.start() + 1, found[1]))
        line = line[: found.start()] + " " * len(found[0]) + line[found.end() :]
    return Bare(line.rstrip(), tuple(comments))


def _is_whereabouts(inside: str, names: Names) -> bool:
    """Whether brackets say where a unit is: ``(from 0717)``."""
    words = inside.split()
    return (
        len(words) == 2 and words[0].lower() in ("at", "in", "from", "on") and names.hex(words[1]) is not None
    )


def unlisted(line: str) -> str:
    """The line with the mark of a list in front of it blanked out."""
    found = BULLET.match(line)
    return " " * found.end() + line[found.end() :] if found and line[found.end() :].strip() else line


MOST_PARTS = 4
"""At most this many lines are read as one that was broken."""


@dataclass(frozen=True, slots=True)
class Broken:
    """The lines before, as the beginning of one that a mail program may have broken: `start` is where what
    they say begins; `whole` tells that they read as an order by themselves."""

    start: int
    number: int
    text: str
    parts: int = 1
    whole: bool = False

    @property
    def comma(self) -> bool:
        """Whether it ends as if more were to come."""
        return self.text.rstrip(" ;").endswith(",")


class _Letter:
    """Reads one letter."""

    def __init__(self, reader: Reader, names: Names, section: str, scope: Scope) -> None:
        self.reader = reader
        self.grammar = reader.grammar
        self.names = names
        self.seat = names.roster.seat
        self.section = section
        self.scope = scope
        self.lost: Heading | None = None
        """The heading in force, if it is not known."""
        self.said: list[Said] = []
        self.press: Command | None = None
        self.pressed: list[str] = []
        self.closing = False
        self.broken: Broken | None = None
        self.known: dict[tuple[int, str], Captures | Scan] = {}
        """What words of the present line say, by section."""
        self.spoken: set[str] = set()
        """Units that earlier lines of the section speak of: `the rest` are the others."""

    def reading(self) -> Reading:
        if self.press is not None:
            text = f"PRESS {self.press.argument}:"
            why = (
                "the message has no end: write END PRESS below it; nothing was sent, "
                "and nothing below this line was read"
            )
            error = Unreadable(why, length=len(text))
            self.said.append(Fault(self.press.number, text, error, command=True, fatal=True))
        return Reading(tuple(self.said))

    # --- one line ------------------------------------------------------------------------------------------

    def take(self, number: int, text: str) -> None:
        if self.press is not None:
            self._press(text)
            return
        if not text.strip() or self._verbatim(number, unlisted(text)):
            self.broken = None
            return
        self.known.clear()
        before, broken = len(self.said), self.broken
        if broken is not None and self._goes_on(broken, text):
            return
        if not self._chain(number, text):
            line = bare(self._unframed(text), self.names)
            if line.line.strip() and not self._heading(number, text, line):
                self._content(number, text, line)
            if not any(isinstance(said, Line | Fault) for said in self.said[before:]):
                self._orders_behind(number, text, line)
        if broken is not None and broken.whole and broken.comma:
            self.said[before:] = [
                replace(said, like=True) if isinstance(said, Unread) else said for said in self.said[before:]
            ]
        self.broken = self._may_go_on(before, number, text, broken)

    def _may_go_on(self, before: int, number: int, text: str, broken: Broken | None) -> Broken | None:
        """What the next line may be the end of: an order, or a line that is none as it stands."""
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
        found = SPOT.fullmatch(unlisted(joined))
        words = bare(found["rest"] if found else unlisted(joined), self.names).line
        if bare(broken.text, self.names).comments or isinstance(self._try(words), Scan):
            return False
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

    def _content(self, number: int, text: str, line: Bare) -> None:
        """A line that is no heading in brackets."""
        if self._spot(number, text, line) or self._answer(number, text, line.line):
            return
        plain = replace(line, line=self._unnumbered(unlisted(line.line)))
        if (
            self._when(number, text, plain)
            or self._title(number, text, plain.line)
            or self._letter_command(number, text, plain.line)
        ):
            return
        self._order(number, text, plain)

    def _unnumbered(self, line: str) -> str:
        """The line without a number in front (``3: move 8/4 to 4818``) that is no unit and no answer: the
        mark of a list, even where a unit has such a number in its name."""
        found = NUMBER.match(line)
        if found is None or found[1] in self.names.units:
            return line
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
        if END_PRESS.fullmatch(text):
            self.said.append(replace(self.press, text="\n".join(self.pressed).strip("\n")))
            self.press = None
        else:
            self.pressed.append(text.rstrip())

    def _verbatim(self, number: int, text: str) -> bool:
        """Press, salt and passwords: what they hold is nobody's order."""
        found = command(number, text)
        if found is None or found.name not in VERBATIM:
            return False
        if found.name == "press" and not found.text:
            self.press, self.pressed = found, []
        elif found.name == "press" and (order := self._order_in(found.text)):
            self._swallowed(number, text, order)
        else:
            self.said.append(found)
        return True

    def _order_in(self, text: str) -> str:
        """The end of a message that reads as an order, as when the line end between the two got lost; "" if
        there is none."""
        ends = [found.end() for found in SENTENCE_END.finditer(text)]
        orders = (text[end:].strip() for end in ends)
        return next(
            (
                order
                for order in orders
                if any(map(str.isdigit, order))
                and not isinstance(self._try(bare(order, self.names).line), Scan)
            ),
            "",
        )

    def _swallowed(self, number: int, text: str, order: str) -> None:
        message = text.strip().removesuffix(order).rstrip(" ;")
        why = (
            "the message ends with what reads as an order: nothing was sent. "
            "An order stands on a line of its own"
        )
        error = Unreadable(why, column=text.rindex(order), length=len(order))
        self._fail(Fault(number, text, error, f"{message}\n{order}", self.section, command=True))

    # --- headings ------------------------------------------------------------------------------------------

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
        self._open(number, text, found["title"], bracketed=True)
        rest = found["rest"]
        if rest.strip():
            self._content(number, text, replace(line, line=" " * found.start("rest") + rest))
        return True

    def _orders_behind(self, number: int, text: str, line: Bare) -> None:
        """Orders in the comments of a line that is no order itself: a heading, a command, a courtesy."""
        head = unlisted(line.line).strip()
        for column, comment in line.comments if head else ():
            words = unlisted(bare(comment, self.names).line)
            if not isinstance(self._try(words), Scan) or self._is_meant(self._scan_of(words)):
                error = Unreadable(COMMENTED, column=column, length=len(comment.rstrip()))
                self._fail(Fault(number, text, error, f"{head}\n{comment.strip()}", self.section))

    def _title(self, number: int, text: str, line: str) -> bool:
        """A section's key or title alone on its line, without brackets."""
        title = line.strip().rstrip(":").strip()
        marked = line.rstrip().endswith(":")
        if not title or (title.lower() in FIRST_WORDS and not marked) or len(title) > 60:
            return False
        of_turn = OF_TURN.fullmatch(title)
        known = self._sections(of_turn["title"] if of_turn else title, whole=not marked)
        if not known and (any(map(str.isdigit, title.rstrip("12 "))) or len(title) < 5):
            return False
        if not marked and not isinstance(self._says(self._phrase(), line), Scan):
            return False
        if len(known) == 1:
            self._open(number, text, title)
            return True
        if known or any(map(str.isdigit, title.rstrip("12 "))) or len(title) < 5 or command(number, line):
            return False
        if self._near(title, 2) and self._scan_of(line).furthest == 0:
            self._open(number, text, title)
            return True
        return False

    def _open(self, number: int, text: str, title: str, bracketed: bool = False) -> bool:
        """Let the heading `title` be in force from here on; whether it is known."""
        why = ""
        if (of_turn := OF_TURN.fullmatch(title)) is not None:
            if int(of_turn["turn"]) != self.scope.turn and self.scope.turn:
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
            close = found[0] if found else self._near(title, 3)
            heading = Heading(number, text.strip(), "", close, why or f"there is no section [{title}]")
        self.said.append(heading)
        self.section, self.lost = heading.section, None if heading.section else heading
        self.spoken = set()
        return bool(heading.section)

    @cached_property
    def _titles(self) -> dict[str, set[str]]:
        """What every section may be called, squeezed: its key, its title, and what letters print for it."""
        known = {
            name: {_squeezed(name), _squeezed(self.grammar.titles.get(name, name))}
            for name in (*self.grammar.sections, STANDING)
        }
        for title, section in self.scope.titles.items():
            known.setdefault(section, set()).add(_squeezed(title))
        return known

    def _sections(self, title: str, whole: bool = False) -> list[str]:
        """The sections that a title may mean: as it stands, by the words of a formation's name, or by a
        beginning that fits one open section (not if it must be the `whole` title)."""
        wanted = _squeezed(title)
        if not wanted:
            return []
        open_ = [name for name in self._titles if name in self.scope.sections or not self.scope.sections]
        for names in (open_, list(self._titles)):
            if exact := [name for name in names if wanted in self._titles[name]]:
                return exact
        if formations := self._formations(title):
            return formations
        for names in (open_, list(self._titles)):
            begun = [name for name in names if any(each.startswith(wanted) for each in self._titles[name])]
            if begun and not whole and len(wanted) > 1:
                return begun
        return []

    def _formations(self, title: str) -> list[str]:
        """The drawn sections whose full names hold all words of a title, the writer's own first."""
        words = name_words(title.removeprefix("the ").strip())
        if not words or len(title.split()) > 5:
            return []
        found = [name for name, called in self.grammar.formations.items() if words <= name_words(called)]
        return [name for name in found if name in self.scope.sections] or found

    def _near(self, title: str, limit: int) -> str:
        """The section whose key or title is a slip away."""
        written = {each: name for name, titles in self._titles.items() for each in titles}
        close = near(_squeezed(title), list(written))
        return written[close[0]] if close and distance(_squeezed(title), close[0], limit) <= limit else ""

    def _when(self, number: int, text: str, line: Bare) -> bool:
        """``when 1SS: order; order`` and ``1SS: order``: the heading of a section whose turn chance decides,
        with its orders behind it."""
        source = _until_hash(text)
        found = WHEN.fullmatch(unlisted(source)) if self.grammar.titles else None
        if found is None:
            return self._short_when(number, text, unlisted(source)) or self._broken_when(
                number, text, line.line
            )
        if not self._drawn(found["section"]) and not any(map(str.isdigit, source)):
            return False
        known = self._open(number, text, found["section"])
        if not known or self.section not in self.grammar.titles:
            self._not_drawn(number, text, found["section"], found["orders"])
            return True
        self._pieces(number, text, found["orders"], found.start("orders"))
        return True

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
            or found["section"].strip().isdigit()
            or found["section"].strip().lower() in self.names.units
        ):
            return False
        title = found["section"].strip()
        named = self._sections(title, whole=True) or list(filter(None, [self._near(title, 1)]))
        if len(named) != 1 or self._is_of_this_section(bare(line, self.names).line, found["orders"]):
            return False
        if named[0] not in self.grammar.titles:
            return self._titled(number, text, named[0], found["orders"], found.start("orders"))
        self._open(number, text, title)
        self._pieces(number, text, found["orders"], found.start("orders"))
        return True

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
        phrase, word = self._phrase(), _first_word(unlisted(rest))
        mine = not self._drawn_in_force and (word in phrase.verbs or Verbs(phrase.verbs).of(word) != "")
        return mine or (bool(self.section) and not isinstance(self._says(self._phrase(), line), Scan))

    @property
    def _drawn_in_force(self) -> bool:
        return self.section in self.grammar.titles

    def _broken_when(self, number: int, text: str, line: str) -> bool:
        if (
            not self.grammar.titles
            or _first_word(line) != "when"
            or not (self.section or any(map(str.isdigit, line)))
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

    # --- names of lines, answers ----------------------------------------------------------------------------

    def _spot(self, number: int, text: str, line: Bare) -> bool:
        """``L9: order``, ``after L9: order``, ``after L9: L4``."""
        found = SPOT.fullmatch(unlisted(line.line))
        if found is None or f"l{found['name']}" in self.names.units:
            return False
        name, rest = int(found["name"]), found["rest"].strip()
        moved = LINE_NAME.fullmatch(rest)
        if found["after"] and moved:
            self.said.append(Command("after", str(name), number, names=(moved[1],)))
            return True
        if not rest:
            error = Unreadable(f"L{name}: what is it to be?", length=len(text.strip()))
            self._fail(Fault(number, text, error, f"withdraw L{name}", command=True))
            return True
        if TAKE_OFF.fullmatch(rest) and not found["after"]:
            self.said.append(Command("withdraw", "lines", number, names=(str(name),)))
            return True
        before = len(self.said)
        start = found.start("rest")
        self._order(number, text, replace(line, line=" " * start + unlisted(line.line)[start:]))
        spot = Spot(name, bool(found["after"]))
        for at in range(before, len(self.said)):
            each = self.said[at]
            if isinstance(each, Line):
                fits = tuple(replace(line, text=text[start:].strip(), spot=spot) for line in each.fits)
                self.said[at] = replace(each, text=text[start:].strip(), spot=spot, fits=fits)
            elif isinstance(each, Fault):
                self.said[at] = replace(each, spot=spot, words=rest)
            elif isinstance(each, Unread):
                error = Unreadable(f"L{name} cannot be read so", column=start, length=len(rest))
                self.said[at] = Fault(number, text, error, section=self.section, spot=spot, words=rest)
        return True

    def _answer(self, number: int, text: str, line: str) -> bool:
        """``Q7: a``, ``7. a``, several on a line, or a lone letter while one question is open."""
        parts = [(numbered(part, column), part) for column, part in several(line)]
        if all(each is not None and self._may_answer(each, part) for each, part in parts):
            for each, part in parts:
                assert each is not None
                self._one_answer(
                    number, text, each.number, each.text, each.column, "" if each.asked else part
                )
            return True
        if len(self.scope.questions) == 1:
            [(asked, options)] = self.scope.questions.items()
            word = line.strip().strip(".!").lower()
            letter = word in [choice_letter(at) for at in range(len(options))] or word in [
                str(option).lower() for option in options
            ]
            if letter and isinstance(self._try(line), Scan):
                self._one_answer(number, text, asked, word, 0, "")
                return True
        return self._closed_question(number, text, line)

    def _may_answer(self, each: Numbered, part: str) -> bool:
        """Whether words behind a number are for a question: they say so, or it is open and they are no order
        in a list (``1) move ...``)."""
        if each.asked or each.number not in self.scope.questions:
            return each.asked
        choice = chosen(self.scope.questions[each.number], _courteous(each.text))
        return choice is not None or each.mark not in (".", ")") or not self._unmistakable(part)

    def _closed_question(self, number: int, text: str, line: str) -> bool:
        """``7: b`` where no question 7 is open and nothing else could be meant."""
        found = numbered(line)
        if (
            found is None
            or len(found.text.split()) > 2
            or str(found.number) in self.names.units
            or not found.mark
        ):
            return False
        if any(map(str.isdigit, found.text)) or not isinstance(self._try(unlisted(line)), Scan):
            return False
        if self._staying(line) is not None:
            return False
        self._one_answer(number, text, found.number, found.text, found.column, "")
        return True

    def _one_answer(
        self, number: int, text: str, asked: int, words: str, column: int, otherwise: str
    ) -> None:
        """Words for question `asked`; `otherwise` is the line that they might be instead."""
        length = len(words)
        if asked not in self.scope.questions and asked in self.scope.settled:
            options, before = self.scope.settled[asked]
            if before is not None and chosen(options, _courteous(words)) == before:
                self.said.append(Command("settled", str(asked), number, str(before)))
                return
        if asked not in self.scope.questions:
            open_ = ", ".join(f"Q{each}" for each in self.scope.questions)
            why = self._decided(asked) + (
                f"; open: {open_}" if open_ else ", and nothing is being asked of you"
            )
            self._fail(Fault(number, text, Unreadable(why, column=column, length=length), command=True))
            return
        options = self.scope.questions[asked]
        choice, _, more = words.partition(",")
        at = chosen(options, _courteous(words))
        if at is None and (at := chosen(options, _courteous(choice))) is not None and more.strip():
            self.said.append(Unread(number, more.strip(), ""))
        order = self._unmistakable(otherwise)
        if at is not None and not order:
            self.said.append(Command("answer", str(asked), number, str(at)))
            return
        listed = ", ".join(f"{choice_letter(n)} {option}" for n, option in enumerate(options))
        if at is not None:
            why = f"this may answer Q{asked} or be an order"
            instead = [f"Q{asked}: {choice_letter(at)}", order]
        else:
            why = f'"{words.strip()}" is none of the choices of Q{asked}: {listed}'
            ways = [f"Q{asked}: {choice_letter(n)}" for n in range(len(options))]
            instead = ways[:4] + [order] * bool(order)
        error = Ambiguous(why, legal=tuple(instead), column=column, length=length)
        self._fail(Fault(number, text, error, command=True))

    def _unmistakable(self, line: str) -> str:
        """A line that begins with a number, as an order that nobody takes for an answer; "" if it is no
        order."""
        read = self._try(unlisted(line)) if line else None
        return "" if read is None or isinstance(read, Scan) else self.reader.write(dict(read)["order"])

    def _decided(self, asked: int) -> str:
        """Why question `asked` cannot be answered: with what it was decided, as far as its writer did."""
        if asked not in self.scope.settled:
            return f"Q{asked} is not open"
        options, before = self.scope.settled[asked]
        by = (
            "a standing order or the default"
            if before is None
            else f"{choice_letter(before)} {options[before]}"
        )
        return f"Q{asked} was decided before, by {by}"

    # --- letter commands ------------------------------------------------------------------------------------

    def _letter_command(self, number: int, text: str, line: str) -> bool:
        found = command(number, line)
        if found is None or found.name in VERBATIM:
            return False
        if found.name in self._phrase().verbs and not isinstance(self._try(line), Scan):
            return False
        if found.name in ("done", "none", "new"):
            return self._about_sections(number, text, found)
        if found.name == "withdraw":
            return self._withdraw(number, text, found)
        if found.name == "answer":
            self._one_answer(number, text, int(found.argument), found.text, text.find(found.text), "")
            return True
        self.said.append(found)
        return True

    def _about_sections(self, number: int, text: str, found: Command) -> bool:
        """DONE, NO ORDERS and NEW, with the sections that they name; without any they mean the one that they
        stand in."""
        words = found.argument.strip("[] ")
        anyway = found.name == "done" and re.search(r"\banyway\b", words, re.IGNORECASE) is not None
        words = re.sub(r"\banyway\b", "", words, flags=re.IGNORECASE).strip(" ,")
        if found.name == "done" and words.lower() in ("all", "everything"):
            self.said.append(Command("final", "", number, "anyway" * anyway))
            return True
        names: list[str] = []
        for title in filter(None, (part.strip("[] ") for part in re.split(r",|;|\band\b|\+|&", words))):
            known = self._sections(title)
            if len(known) == 1:
                names.append(known[0])
                continue
            return self._unknown_section(number, text, found, title, known)
        here = () if names or not self.section else (self.section,)
        lost = "lost" if self.lost and not names else ""
        self.said.append(Command(found.name, lost, number, "anyway" * anyway, tuple(names) or here))
        return True

    def _unknown_section(
        self, number: int, text: str, found: Command, title: str, known: Sequence[str]
    ) -> bool:
        """A command about a section that is none: wrong if it is short, otherwise chat that begins like
        one."""
        close = self._near(title, 3)
        if len(text.split()) > 4 and not close and not known:
            return False
        why = f"[{title}] may be {' or '.join(known)}" if known else f"there is no section [{title}]"
        column = max(text.lower().find(title.lower()), 0)
        error = Unreadable(why, legal=tuple(known), column=column, length=len(title))
        instead = f"{text[:column]}{close}{text[column + len(title) :]}".strip() if close else ""
        self._fail(Fault(number, text, error, instead, command=True))
        return True

    def _withdraw(self, number: int, text: str, found: Command) -> bool:
        """WITHDRAW with what it takes back: names of lines, units, the hexes of attacks, or all. Below a
        heading it speaks of that section."""
        words = found.argument.strip()
        if words.lower() in ("", "all", "everything"):
            self.said.append(Command("withdraw", "all", number, self.section))
            return True
        parts = [part.strip() for part in re.split(r",|\band\b|&|\+", words)]
        named = [match[1] for part in parts if (match := LINE_NAME.fullmatch(part))]
        if named:
            self.said.append(Command("withdraw", "lines", number, names=tuple(named)))
            others = [part for part in parts if not LINE_NAME.fullmatch(part)]
            return not others or self._withdraw(number, text, replace(found, argument=", ".join(others)))
        verb, _, rest = words.partition(" ")
        hexes = [
            hex for hex in re.split(r"[,\s]+|\band\b", re.sub(r"^\s*(?:on|at|against)\b", "", rest)) if hex
        ]
        if (
            verb.lower().rstrip("s") in ("attack", "assault", "fire", "airstrike", "bombard", "strike")
            and hexes
            and all(map(self.names.hex, hexes))
        ):
            self.said.append(Command("withdraw", "targets", number, self.section, tuple(hexes)))
            return True
        if all(map(self.names.hex, parts)):
            self.said.append(Command("withdraw", "targets", number, self.section, tuple(parts)))
            return True
        read = self.reader.units.read(words, self.names)
        if not isinstance(read, Scan):
            self.said.append(Command("withdraw", "units", number, self.section, dict(read)["units"]))
            return True
        return self._wrong_withdraw(number, text, words, read)

    def _wrong_withdraw(self, number: int, text: str, words: str, read: Scan) -> bool:
        if not any(map(str.isdigit, words)) and len(words.split()) > 2:
            return False
        start = text.index(words)
        if not isinstance(self._try(words), Scan):
            error = Unreadable(
                "withdraw takes back a line; to go back, move", column=start, length=len(words)
            )
            self._fail(self._with_meaning(Fault(number, text, error, self._sendable(words))))
            return True
        fault = self.reader.units.fault(number, text, read)
        fault.error.column += start
        close = text[:start] + fault.suggestion if fault.suggestion else ""
        self._fail(Fault(number, text, fault.error, close.strip(), command=True))
        return True

    # --- orders ---------------------------------------------------------------------------------------------

    def _phrase(self, section: str | None = None) -> Phrase:
        """What may stand under the heading in force, under none what is asked for now, under an unknown one
        what may stand under the nearest."""
        name = self.section if section is None else section
        if not name and section is None:
            name = (self.lost.near if self.lost else "") or next(iter(self.scope.sections), "")
        return self.reader.phrase(name, self.seat)

    def _says(self, phrase: Phrase, line: str) -> Captures | Scan:
        """What some words say in a section. Each line is looked at in several ways: what was read once is not
        read again."""
        key = id(phrase), line
        if key not in self.known:
            self.known[key] = phrase.read(line, self.names)
        return self.known[key]

    def _try(self, line: str) -> Captures | Scan:
        """The line as an order of the heading in force, or under none of any section."""
        read = self._says(self._phrase(), line)
        if not isinstance(read, Scan) or self.section or self.lost or not self.scope.sections:
            return read
        for section in (*self.scope.sections, *self.grammar.sections):
            again = self._says(self.reader.phrase(section, self.seat), line)
            if not isinstance(again, Scan):
                return again
        return read

    def _order(self, number: int, text: str, line: Bare) -> None:
        """An order, a standing order, or what is neither."""
        if self._is_standing(line.line):
            self._standing(number, text, line.line)
            return
        words, code = self._with_code(line.line)
        written = self._expanded(words)
        if not isinstance(self._try(written), Scan):
            self._keep(number, text, line, written, code)
        elif not self._stay(number, text, line.line):
            self._failed(number, text, line)

    def _with_code(self, line: str) -> tuple[str, str]:
        """The line without the code behind an order that ends the game."""
        grave = {kind.verb for kind in self.grammar.orders if kind.grave}
        found = CODE.fullmatch(line) if _first_word(line) in grave else None
        return (found["order"], found["code"]) if found else (line, "")

    def _expanded(self, line: str) -> str:
        """``stack 1102`` as ``all at 1102``, ``the rest at 1102`` as the units there that no line speaks of
        yet."""
        found = STACK.search(line)
        if found and self.names.hex(found["hex"]) and f"{found[0]}".lower() != f"all {found['hex']}":
            line = f"{line[: found.start()]}all at {found['hex']}{line[found.end() :]}"
        rest = REST.search(line)
        if rest and rest["hex"] and self.names.hex(rest["hex"]):
            line = f"{line[: rest.start()]}{', '.join(self._others(rest['hex']))}{line[rest.end() :]}"
        return line

    def _others(self, hex: str) -> list[str]:
        """The writer's units in a hex that no earlier line of the section speaks of."""
        return [unit.id for unit in self.names.own if unit.hex == hex and unit.id not in self.spoken]

    def _lines(self, number: int, text: str, written: str, code: str) -> list[Line]:
        """The line as an order of each section that it may stand in: of the heading in force, or of all."""
        every = (*self.scope.sections, *self.grammar.sections) if self.scope.sections else ("",)
        found: list[Line] = []
        for section in (self.section,) if self.section else dict.fromkeys(every):
            phrase = self.reader.phrase(section, self.seat)
            read = self._says(phrase, written)
            if not isinstance(read, Scan):
                found.append(_made(number, text.strip(), section, read, code, self.names.roster))
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
        if wrong := self._wrong(number, text, order) or self._commented(number, text, line, order):
            self._fail(wrong)
            return
        self.spoken.update(order.order.actors())
        if path := getattr(order.order, "path", ()):
            self.names.going.update(dict.fromkeys(order.order.actors(), path[-1]))
        fits = () if order.section == self.section else tuple(found)
        self.said.append(replace(order, section=self.section, fits=fits))

    def _wrong(self, number: int, text: str, line: Line) -> Fault | None:
        """What is wrong with a line that reads and can never act."""
        start, length = len(text) - len(text.lstrip()), len(text.strip())
        if absent := self._absent(
            line.order, line.otherwise, *(clause.condition for clause in line.conditions)
        ):
            return Fault(number, text, NotAllowed(absent, column=start, length=length))
        if contradiction(line):
            why = "this can never apply: its conditions contradict each other"
            return Fault(number, text, Unreadable(why, column=start, length=length))
        if idle_else(line):
            at = max(text.lower().rfind("else"), 0)
            why = 'this "else" can never apply: put "try" or "if" before it'
            return Fault(
                number, text, Unreadable(why, column=at, length=4), self._sendable(f"try {line.text}")
            )
        return None

    def _absent(self, *things: Any) -> str:
        """Why the first unit that some order, condition or standing order speaks of is not in the game; "" if
        all are."""
        units = self.names.roster.units
        for thing in filter(None, things):
            for item in fields(thing):
                value = getattr(thing, item.name)
                for name in value if isinstance(value, tuple) else (value,):
                    if isinstance(name, str) and name in units and units[name].absent:
                        return f"{name}: {units[name].absent}"
        return ""

    def _commented(self, number: int, text: str, line: Bare, order: Line) -> Fault | None:
        """A comment that reads as an order or as a clause of the one before it: nothing of an order is lost
        in silence."""
        head = line.line.strip().rstrip(".")
        for column, comment in line.comments:
            clauses = ", ".join(part.strip().rstrip(".!") for part in COMMENT.split(comment))
            words = dict.fromkeys((clauses, bare(comment, self.names).line.strip().rstrip(".!")))
            offers = (self._meant(number, head, each, order) for each in words)
            close = next((offer for offer in offers if offer is not None), None)
            if close is None:
                if not self._begins_an_order(comment):
                    continue
                close = ""
            error = Unreadable(COMMENTED, column=column, length=len(comment.rstrip()))
            return Fault(number, text, error, close)
        return None

    def _begins_an_order(self, comment: str) -> bool:
        """Whether a comment begins like an order and speaks of a unit or a hex: ``; drop 10AB at 1212``."""
        scan = self._scan_of(bare(comment, self.names).line)
        verbs = self._phrase().verbs
        verb = scan.keys[0] in verbs or (len(scan.keys[0]) > 3 and _one_slip(scan.keys[0], verbs))
        return scan.length > 1 and verb and not self._is_prose(scan) and any(map(str.isdigit, scan.line))

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
        if not isinstance(alone, Scan):
            return self._both(head, words)
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
        return any(key in SUPPORT for key in keys) and any(key.isdigit() or key in NUMBERS for key in keys)

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
        error = Unreadable(f"it is below {self.lost.text}: {self.lost.why}", column=start, length=length)
        for section in dict.fromkeys(filter(None, (self.lost.near, *self.scope.sections))):
            read = self.reader.phrase(section, self.seat).read(written, self.names)
            if not isinstance(read, Scan):
                meant = (_made(number, text.strip(), section, read, ""),)
                self._fail(Fault(number, text, error, f"[{section}]\n{written.strip()}", meant=meant))
                return
        self._fail(Fault(number, text, error))

    def _sendable(self, line: str) -> str:
        """A line to send instead of one under this heading: if chance decides of it, the line says where it
        belongs."""
        lines = (
            [f"when {self.section}: {each}" for each in line.splitlines()]
            if self.section in self.grammar.titles
            else [line]
        )
        return "\n".join(lines) if line else ""

    # --- those that do nothing ------------------------------------------------------------------------------

    def _stay(self, number: int, text: str, line: str) -> bool:
        """``9/3 stays``, ``hold 9/3``, ``the rest stays where it is``: units that get no order."""
        units = self._staying(line)
        if units is None:
            return False
        self.said.append(Command("stay", "", number, names=units))
        return True

    def _staying(self, line: str) -> tuple[str, ...] | None:
        """The units of which a line says that they do nothing (none for all the others); None if it says
        something else."""
        scan = Scan(line, self.names, self.reader.reserved)
        at = next((at for at, key in enumerate(scan.keys[: scan.length]) if key in STAY), None)
        if at is None:
            return None
        if OTHERS.match(line):
            busy = any(key in self._phrase().verbs or self.names.hex(key) for key in scan.keys[: scan.length])
            return None if busy else ()
        start = 1 if scan.keys[0] == "the" else 0
        for end, units in self._phrase().unit_lists(scan, start if at else 1):
            if at and end != at:
                continue
            tail = scan.pieces[at + 1 if at else end :]
            hexes = {self.names.hex(piece.text) for piece in tail if piece.text[0].isdigit()}
            orders = any(piece.text.lower() in self._phrase().verbs for piece in tail)
            return units if hexes <= self._where(units) and not orders else None
        return None

    def _where(self, units: Iterable[str]) -> set[str | None]:
        """Where units are; formations, which orders may speak of too, are nowhere."""
        known = self.names.roster.units
        return {known[unit].hex for unit in units if unit in known}

    # --- standing orders ------------------------------------------------------------------------------------

    def _is_standing(self, line: str) -> bool:
        first = _first_word(line)
        begun = len(first) > 3 and STANDING.startswith(first) and first not in self._phrase().verbs
        return self.section == STANDING or first == STANDING or begun

    def _standing(self, number: int, text: str, line: str) -> None:
        if STANDING_DONE.fullmatch(line):
            self.said.append(Command("always", "off" if "never" in line.lower() else "on", number))
            return
        read = self.reader.standing.read(line, self.names)
        if isinstance(read, Scan):
            self._failed_standing(number, text, read)
            return
        said = dict(read)
        policy: Policy | None = said.get("policy")
        if absent := self._absent(policy):
            self._fail(Fault(number, text, NotAllowed(absent, length=len(text.strip())), command=True))
            return
        kind = policy.kind if policy else dict(said["clear"]).get("kind", "")
        self.said.append(StandingLine(number, text.strip(), kind, policy))

    def _failed_standing(self, number: int, text: str, scan: Scan) -> None:
        if self._courtesy(text):
            return
        fault = self.reader.standing.fault(number, text, scan)
        self._fail(replace(fault, command=True))

    # --- what is not read -----------------------------------------------------------------------------------

    def _courtesy(self, line: str) -> bool:
        """Greetings, closings and names: dropped in silence."""
        if is_closing(line):
            self.closing = True
            return True
        return is_greeting(line) or (is_name(line) and self._is_signed(line))

    def _is_signed(self, line: str) -> bool:
        """Whether a name is a signature: it stands below a closing, or names nobody and no order, misspelt or
        not, and is no word of one."""
        scan = self._scan_of(line)
        names_second = scan.length > 1 and self.names.meant(scan.words(1), scan.reserved) is not None
        slip = len(scan.keys[0]) > 3 and _one_slip(scan.keys[0], self._verbs | {*COMMANDS})
        known = (
            (slip and (scan.length == 1 or names_second))
            or scan.keys[0] in self.reader.words
            or self._first_is_name(scan)
        )
        return self.closing or (scan.furthest == 0 and not known)

    def _scan_of(self, line: str) -> Scan:
        read = self._says(self._phrase(), line)
        return read if isinstance(read, Scan) else Scan(line, self.names, self.reader.reserved)

    def _first_is_formation(self, scan: Scan) -> bool:
        """Whether a line begins with the name of a formation that has a number: ``12SS``, ``the 116th Panzer
        Division``."""
        start = 1 if scan.keys[0] == "the" else 0
        return any(map(str.isdigit, scan.keys[start])) and self.names.group(scan.words(start)) is not None

    def _first_is_name(self, scan: Scan) -> bool:
        return bool(scan.length) and self.names.meant(scan.words(0), scan.reserved) is not None

    def _failed(self, number: int, text: str, line: Bare) -> None:
        """A line that nothing reads: wrong, like an order, a courtesy, or chat."""
        words = line.line
        if self._courtesy(words):
            return
        if AGAIN.fullmatch(words):
            error = Unreadable(
                "pbem repeats no orders of an earlier turn: send the lines again", length=len(words.strip())
            )
            self._fail(Fault(number, text, error))
            return
        scan = self._scan_of(words)
        if self.lost and self._reads_elsewhere(words):
            self._under_unknown(number, text, words)
        elif self._is_meant(scan) or _one_slip(_first_word(words), [STANDING]) or self._is_close(words, scan):
            section = self.section
            self.section = section or self._taking(words)
            self._fail(self._fault(number, text, words, self._scan_of(words)))
            self.section = section
        elif order := self._order_in(words):
            why = "the line ends with what reads as an order. An order stands on a line of its own"
            error = Unreadable(why, column=text.rindex(order), length=len(order))
            self._fail(Fault(number, text, error, self._sendable(order), self.section))
        else:
            like = self._is_like(scan)
            close = self._fault(number, text, words, scan).suggestion if like else ""
            self.said.append(Unread(number, text.strip(), self.section, like, close))

    def _taking(self, line: str) -> str:
        """The only open section that takes the verb of a line under no heading; "" if the one asked for takes
        it, or several do."""
        verb = _first_word(line)
        open_ = () if self.lost else self.scope.sections
        taking = [name for name in open_ if verb in self.reader.phrase(name, self.seat).verbs]
        return taking[0] if len(taking) == 1 else ""

    def _reads_elsewhere(self, line: str) -> bool:
        """Whether a line is an order of some open section."""
        phrases = (self.reader.phrase(section, self.seat) for section in self.scope.sections)
        return any(not isinstance(phrase.read(line, self.names), Scan) for phrase in phrases)

    def _is_close(self, line: str, scan: Scan) -> bool:
        """Whether a line is a slip or two away from an order."""
        phrase = self._phrase()
        told = any(map(str.isdigit, line)) or any(turn.search(line) for turn, _ in phrase.turns)
        return told and phrase.is_close(scan)

    def _is_meant(self, scan: Scan) -> bool:
        """Whether a line that cannot be read was meant as an order or a letter command."""
        if not scan.length:
            return False
        first, verbs = scan.keys[0], self._verbs
        prose = self._is_prose(scan)
        digits = any(letter.isdigit() for letter in scan.line)
        if first in verbs and not prose and (digits or scan.length <= 8 or self.section):
            return True
        if len(first) > 3 and (_one_slip(first, verbs) or (len(first) > 5 and digits and near(first, verbs))):
            return True
        if first in FIRST_WORDS and (digits or scan.length <= 2) and scan.length <= 4:
            return True
        if scan.length <= 3 and len(first) > 3 and _one_slip(first, COMMANDS):
            return True
        if len(first) > 1 and digits and any(verb.startswith(first) for verb in (*verbs, "try")):
            return True
        if first in ("if", "try", *EVERYBODY) and digits:
            return True
        named = self._first_is_name(scan) or self._first_is_formation(scan) or bool(UNIT_LIKE.match(first))
        return (
            named
            and not prose
            and scan.length > 1
            and (digits or scan.furthest > 1 or self._has_place(scan))
            and self._has_target(scan)
        )

    def _is_prose(self, scan: Scan) -> bool:
        """Whether a line goes on as a report does: ``8/4 was``, ``the 47th cannot``."""
        meant = self.names.meant(scan.words(0), scan.reserved)
        return scan.keys[meant.length if meant else 1] in NOT_AN_ORDER_AFTER

    def _has_target(self, scan: Scan) -> bool:
        """Whether there is more to a line than units: a hex, or a word of the order language."""
        pieces = scan.pieces[1:]
        return any(
            self.names.hex(piece.text)
            or SEEMS_A_HEX.fullmatch(piece.text)
            or piece.text.lower() in self._verbs
            or piece.text in (":", ">", "->", "→")
            for piece in pieces
        ) or self._has_place(scan)

    def _has_place(self, scan: Scan) -> bool:
        """Whether a line names a place of the map behind its first word."""
        words = [piece.text for piece in scan.pieces[1:]]
        return any(self.names.place(words[at : at + LONGEST_NAME]) for at in range(len(words)))

    @cached_property
    def _all_verbs(self) -> frozenset[str]:
        return frozenset(
            verb for section in self.grammar.sections for verb in self.reader.phrase(section, self.seat).verbs
        )

    @property
    def _verbs(self) -> frozenset[str]:
        return self._phrase().verbs | self._all_verbs

    def _is_like(self, scan: Scan) -> bool:
        """Whether a line that is not read looks like an order all the same: it begins with a unit or a
        formation, or holds a hex or a unit with a stroke in its name."""
        if not scan.length or scan.keys[0] in ("http", "https"):
            return False
        meant = self.names.meant(scan.words(0), scan.reserved)
        sure = meant is not None and (any(map(str.isdigit, scan.keys[0])) or scan.keys[0] in self.names.units)
        prose = scan.keys[0] == "the" and self._is_prose(scan)
        if (sure or self._first_is_formation(scan)) and not prose:
            return True
        return any(
            (piece.text.isdigit() and len(piece.text) >= 4 and self.names.hex(piece.text))
            or ("/" in piece.text and piece.text.lower().strip(".,!?") in self.names.units)
            for piece in scan.pieces
        )

    def _fault(self, number: int, text: str, line: str, scan: Scan) -> Fault:
        """What is wrong with a line that was meant as an order, and what to send instead."""
        if other := self._misplaced(number, text, line) or self._failed_command(number, text, scan):
            return other
        if _one_slip(_first_word(line), [STANDING]):
            read = self.reader.standing.read(line, self.names)
            if isinstance(read, Scan):
                return replace(self.reader.standing.fault(number, text, read), command=True)
        phrase = self._phrase()
        fault = phrase.fault(number, text, scan)
        if not fault.suggestion:
            fault = replace(fault, suggestion=self._split(line) or self._of_the_rest(line))
        return self._with_meaning(replace(fault, suggestion=self._sendable(fault.suggestion)))

    def _split(self, line: str) -> str:
        """The line as several orders, if it holds several."""
        sentences = re.split(r"(?<=[.!])\s+", line.strip())
        while len(sentences) > 1 and (is_closing(sentences[-1]) or is_greeting(sentences[-1])):
            sentences.pop()
        return "\n".join(split_orders(" ".join(sentences), self._completed))

    def _completed(self, part: str, before: str) -> str:
        """A part of a line as an order, if need be with the units of the order before it; as it is if it says
        of units that they do nothing."""
        phrase = self._phrase()
        if not isinstance(phrase.read(part, self.names), Scan) or self._staying(part) is not None:
            return part
        units = ", ".join(self._units_of(before))
        verb = _first_word(before) if _first_word(before) in phrase.verbs else ""
        alike = [f"{verb} {part}"] if verb else []
        alike += [f"{units} {part}", f"{part} with {units}"] if units else []
        for line in alike:
            if not isinstance(phrase.read(line, self.names), Scan):
                return line
        return next(
            (line for line in reworded(part) if not isinstance(phrase.read(line, self.names), Scan)), ""
        )

    def _units_of(self, line: str) -> tuple[str, ...]:
        read = self._says(self._phrase(), line)
        return () if isinstance(read, Scan) else dict(read)["order"].actors()

    def _of_the_rest(self, line: str) -> str:
        """``the rest to 1203`` with the names of those who are left in the hex of the line before."""
        found = REST.search(line)
        hexes = self._where(self.spoken) - {None}
        if not found or found["hex"] or len(hexes) != 1:
            return ""
        written = (
            f"{line[: found.start()]}{', '.join(self._others(str(hexes.pop())))}{line[found.end() :]}".strip()
        )
        return "" if isinstance(self._says(self._phrase(), written), Scan) else written

    def _with_meaning(self, fault: Fault) -> Fault:
        """The fault with what its suggestion says; without one that would be faulty itself."""
        meant: list[Line] = []
        for line in fault.suggestion.splitlines():
            words = WHEN.fullmatch(line)
            for part in words["orders"].split(";") if words else [line]:
                read = self._says(self._phrase(), part)
                if not isinstance(read, Scan) and "order" in dict(read):
                    meant.append(_made(fault.number, part.strip(), self.section, read, ""))
        units = self.names.roster.units
        foreign = any(unit in units and units[unit].enemy for line in meant for unit in line.order.actors())
        if foreign or any(self._wrong(line.number, line.text, line) for line in meant):
            return replace(fault, suggestion="")
        return replace(fault, meant=tuple(meant))

    def _misplaced(self, number: int, text: str, line: str) -> Fault | None:
        """A good order under a heading where it does not belong, or of another side."""
        start, length = len(line) - len(line.lstrip()), len(line.strip())
        if self.section in self.grammar.sections:
            known: dict[int, Captures | Scan] = {}
            for section in sorted(self.grammar.sections, key=lambda name: name not in self.scope.sections):
                phrase = self.reader.phrase(section, self.seat)
                if id(phrase) not in known:
                    known[id(phrase)] = phrase.read(line, self.names)
                read = known[id(phrase)]
                if isinstance(read, Scan):
                    continue
                verb = dict(read)["order"].verb
                if section in self.grammar.titles and section not in self.scope.sections[:1]:
                    legal = tuple(
                        f"[{name}]" for name in self.grammar.titles if name in self.scope.sections
                    ) or tuple(f"[{name}]" for name in self.grammar.titles)
                    error = Unreadable(
                        f"{verb} needs a heading that says which formation it is for",
                        legal=legal,
                        column=start,
                        length=length,
                    )
                    return Fault(number, text, error)
                error = Unreadable(
                    f"{verb} belongs under [{section}], not under [{self.section}]",
                    legal=(f"[{section}]",),
                    column=start,
                    length=length,
                )
                return Fault(
                    number,
                    text,
                    error,
                    f"[{section}]\n{line.strip()}",
                    meant=(_made(number, line.strip(), section, read, ""),),
                )
        if self.seat and not isinstance(
            read := self.reader.phrase(self.section).read(line, self.names), Scan
        ):
            order = dict(read)["order"]
            if order.seats and self.seat not in order.seats:
                return Fault(
                    number,
                    text,
                    Unreadable(
                        f"{order.verb} is an order of the other side",
                        column=start,
                        length=len(_first_word(line)),
                    ),
                )
        return None

    def _failed_command(self, number: int, text: str, scan: Scan) -> Fault | None:
        first = scan.keys[0] if scan.length else ""
        if first in FIRST_WORDS and first not in self._verbs and first not in scan.reserved:
            error = Unreadable(f"write it as: {FIRST_WORDS[first].usage}", length=len(first))
            return Fault(number, text, error, command=True)
        if scan.length > 3 or len(first) < 4 or first in self._verbs or not _one_slip(first, FIRST_WORDS):
            return None
        word = near(first, FIRST_WORDS)[0].upper()
        close = text[: scan.pieces[0].column] + word + text[scan.pieces[0].end :]
        if command(number, close) is None:
            return None
        error = Unreadable(
            f'unknown word "{scan.pieces[0].text}"', column=scan.pieces[0].column, length=len(first)
        )
        return Fault(number, text, error, close.strip(), command=True)

    def _fail(self, fault: Fault) -> None:
        if not fault.command:
            words = fault.words or unlisted(fault.text).strip()
            about, sort = self._mentioned(fault.text), self._sort_of(fault.text)
            fault = replace(fault, words=words, about=about, sort=sort)
        self.said.append(replace(fault, section=fault.section or self.section))

    def _mentioned(self, line: str) -> tuple[str, ...]:
        """The units and hexes that a line names, whatever it says of them."""
        scan = Scan(bare(line, self.names).line, self.names, self.reader.reserved)
        found: dict[str, None] = {}
        at = 0
        while at < scan.length:
            meant = self.names.meant(scan.words(at), scan.reserved)
            hex = self.names.hex(scan.pieces[at].text)
            if meant is not None and not (hex and meant.length == 1 and len(meant.units) > 1):
                found |= dict.fromkeys(meant.units)
                at += meant.length
                continue
            found |= dict.fromkeys([hex] if hex else [])
            at += 1
        return tuple(found)

    def _sort_of(self, line: str) -> str:
        """What kind of order the first word of a line begins, or nearly begins; "" if that is not clear."""
        first = _first_word(unlisted(line))
        sorts = {kind.verb: kind.sort or kind.verb for kind in self.grammar.orders}
        phrase = self._phrase()
        verb = first if first in sorts else Verbs(phrase.verbs, self._all_verbs).of(first)
        close = near(first, sorts) if not verb and len(first) > 2 else []
        found = {sorts[each] for each in ([verb] if verb else close) if each in sorts}
        return found.pop() if len(found) == 1 else ""


def _made(
    number: int, text: str, section: str, read: Captures, code: str, roster: Roster | None = None
) -> Line:
    """A line of what was read. A way that begins where all its units are begins with the next hex."""
    said = dict(read)
    path: tuple[str, ...] = getattr(said["order"], "path", ())
    units = said["order"].actors()
    if (
        roster is not None
        and units
        and len(path) > 1
        and {roster.units[unit].hex for unit in units} == {path[0]}
    ):
        said["order"] = replace(said["order"], path=path[1:])
    clauses = tuple(value for role, value in read if role == "clause")
    return Line(
        number, text, section, said["order"], clauses, said.get("otherwise"), said.get("attempt", False),
        code=code
    )  # fmt: skip


def _courteous(words: str) -> str:
    return re.sub(r"\b(?:please|pls|thanks)\b", "", words, flags=re.IGNORECASE).strip(" ,.!")


def _until_hash(text: str) -> str:
    return re.split(r"#(?!\d{4}\b)", text, maxsplit=1)[0].rstrip()


def _first_word(line: str) -> str:
    found = re.match(r"\s*(\w+)", line)
    return found[1].lower() if found else ""


def _squeezed(title: str) -> str:
    return "".join(re.split(r"[\s\[\]:·]+", title.lower()))


def _one_slip(word: str, words: Iterable[str]) -> bool:
    return any(distance(word, other, 1) == 1 and len(other) > 3 for other in words)
