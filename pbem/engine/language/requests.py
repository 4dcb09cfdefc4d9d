"""What else a line may be: an answer to a question, a line of the sheet by its name, a command of the
letter."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from pbem.engine.errors import Ambiguous, OrderError, Unreadable
from pbem.engine.language.choices import choice_letter, chosen
from pbem.engine.language.commands import (
    VERBATIM,
    Numbered,
    command,
    numbered,
    several,
)
from pbem.engine.language.courtesies import without_closing
from pbem.engine.language.lines import Lines
from pbem.engine.language.model import (
    Command,
    Fault,
    Line,
    Order,
    Said,
    Spot,
    Unread,
)
from pbem.engine.language.names import LONGEST_NAME
from pbem.engine.language.repair import complaint
from pbem.engine.language.senses import (
    Bare,
    first_word,
    unlisted,
)
from pbem.engine.language.usage import Scan

SPOT = re.compile(
    r"\s*(?P<after>after\s+)?(?:L\s?|line\s+)(?P<name>\d{1,5})\s*(?:[:.)]|\s[-–]\s|\s|$)\s*(?P<rest>.*)",
    re.IGNORECASE,
)
LINE_NAME = re.compile(r"(?:L\s?|lines?\s+)(\d{1,5})", re.IGNORECASE)
LINE_NAMES = re.compile(
    r"(?:L\s?|lines?\s+)?(?P<first>\d{1,5})(?:\s*(?:-|–|to)\s*(?:L\s?)?(?P<last>\d{1,5}))?", re.IGNORECASE
)
"""The name of a line behind one with its L, or several in a row: ``L3, 4``, ``L3-L5``."""
MOST_LINES = 50
"""At most this many lines in a row are withdrawn by the names of the first and the last."""
ALL_BUT = re.compile(r"\b(?:but|except|save|apart\s+from|other\s+than|excluding)\b", re.IGNORECASE)
"""Words between all lines and those that stay."""
CANCEL = re.compile(
    r"\s*(?:please\s+|I\s+|pls\s+)?(?:withdraw|cancel|delete|remove|scratch|strike|revoke|drop|kill|undo"
    r"|forget|skip|scrap|take\s+(?:out|off|back)|ignore|(?:do\s+not|don'?t)\s+play)\s+"
    r"(?P<what>(?:L\s?|lines?\s+)\d[^.!]*?)(?:\s+please)?\s*[.!]*\s*",
    re.IGNORECASE,
)
"""Other words for WITHDRAW with the names of lines."""
AS_IT_IS = re.compile(
    r"(?:is\s+)?(?:yes|ok|okay|fine|good|correct|right|as\s+(?:is|it\s+is|before|above|written)|unchanged"
    r"|confirmed|agreed|stands|keep(?:\s+it)?|no\s+change)\s*[.!]*",
    re.IGNORECASE,
)
"""``L3: ok``: it stays as it is."""
AS_ANOTHER = re.compile(
    r"(?:the\s+)?(?:same|as|like|ditto|repeat|copy\s+of)\b(?:\s+(?:as|the|same|for|it|was|is))*"
    r"\s+(?:before|above|now|(?:L\s?|line\s+)(?P<other>\d{1,5}))\s*[,;:]?\s*"
    r"(?:(?:but|except(?:\s+that)?|only|plus|and)\b)?\s*(?P<more>.*)",
    re.IGNORECASE,
)
"""A line that is to say what another says: ``L8: as L7 but two rounds``."""
CHANGE = re.compile(
    r"(?P<how>(?:with|without|no|not|minus|plus|also|add|to|at|on|via)\b)?\s*(?:the\s+)?(?P<what>.+?)"
    r"(?P<instead>\s+(?:instead|too|as\s+well|also))?",
    re.IGNORECASE,
)
"""What is other in it: units, or a hex."""
TAKE_OFF = re.compile(
    r"(?:withdraw|withdrawn|w/d|delete|cancel|cancelled|remove|none|nothing|nil|no|no orders?)\s*[.!]*",
    re.IGNORECASE,
)
MORE = re.compile(r"[,;]\s*|\.\s+|\s(?=(?:but|and|also)\b)", re.IGNORECASE)
"""What stands between an answer and more words on its line."""
ALSO = re.compile(r"^[\s,]*(?:(?:but|and|also|then)\b[\s,]*)+", re.IGNORECASE)
"""What joins them to it."""


def _lines_named(parts: Sequence[str]) -> tuple[list[str], list[str]]:
    """The names of the lines in a list, rows from a first to a last line included, and its other parts. A
    bare number is a line behind one that is named with its L."""
    named: list[str] = []
    others: list[str] = []
    for part in parts:
        match = LINE_NAMES.fullmatch(part)
        if match is None or not (named or LINE_NAME.match(part)):
            others.append(part)
            continue
        first, last = int(match["first"]), int(match["last"] or match["first"])
        named += [str(name) for name in range(first, min(last, first + MOST_LINES) + 1)]
    return named, others


def _courteous(words: str) -> str:
    return re.sub(r"\b(?:please|pls|thanks)\b", "", words, flags=re.IGNORECASE).strip(" ,.!")


class Requests(Lines):
    """Reads answers, commands and lines that name kept ones."""

    def _open(self, number: int, text: str, title: str) -> bool:
        """Let the heading `title` be in force from here on; whether it is known."""
        raise NotImplementedError

    def _as_another(self, number: int, text: str, rest: str, spot: Spot) -> Fault | None:
        """``L8: as L7 but two rounds``: the whole line, if what is other in it can be put into it."""
        found = AS_ANOTHER.fullmatch(rest)
        if found is None:
            return None
        other, more = int(found["other"] or spot.name), found["more"].strip(" ,.!")
        kept = self.scope.kept.get(other)
        column = max(text.find(rest), 0)
        if kept is None:
            unknown = Unreadable("write the whole line", column=column, length=len(rest))
            return Fault(number, text, unknown, section=self.section, spot=spot, words=rest)
        before, self.section = self.section, self.section or kept.section
        offers = [
            self.reader.write_line(replace(kept, order=each)) for each in self._changed(kept.order, more)
        ]
        either = tuple(dict.fromkeys(map(self._sendable, offers)))
        self.section = before
        why = f'write the whole line: L{other} is "{self.reader.write_line(kept)}"'
        error = Ambiguous(why, column=column, length=len(rest))
        return Fault(number, text, error, section=self.section, spot=spot, words=rest, either=either)

    def _changed(self, order: Order, more: str) -> list[Order]:
        """The orders that a kept one may be with what else is said of it."""
        if not more:
            return [order]
        usual = self.reader.defaults[type(order)]
        without = [
            replace(order, **{name: value}) for name, value in usual.items()
        ]  # "at 3:1" in place of 2:1
        lines = [self.reader.write(each) for each in (order, *without)]
        read = (self._ordered(f"{each}{comma} {more}") for each in lines for comma in (",", ""))
        found = [each[0] for each in read if len(each) == 1 and type(each[0]) is type(order)]
        found = found[:1]
        change = CHANGE.fullmatch(more)
        what, how = (change["what"], (change["how"] or "").lower()) if change else ("", "")
        if hex := self.names.hex(what):
            if path := getattr(order, "path", ()):
                found = [replace(order, path=(*path[:-1], hex)), replace(order, path=(hex,))]  # type: ignore[call-arg]
            elif hasattr(order, "hex"):
                found = [replace(order, hex=hex)]  # type: ignore[call-arg]
        units, mine = self._all_units(what), order.actors()
        if units and hasattr(order, "units"):
            left = tuple(each for each in mine if each not in units)
            both, alone = replace(order, units=(*left, *units)), replace(order, units=units)  # type: ignore[call-arg]
            out = how in ("without", "no", "not", "minus")
            found = ([replace(order, units=left)] * bool(left)) if out else [both, alone]  # type: ignore[call-arg]
        return [each for each in found if each != order]

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
        if AS_IT_IS.fullmatch(rest) and not found["after"]:
            self.claims[number] = "courtesy"
            return True
        spot = Spot(name, bool(found["after"]))
        if fault := self._as_another(number, text, rest, spot):
            self._fail(fault)
            return True
        before = len(self.said)
        start = found.start("rest")
        told = unlisted(line.line)[:start].rstrip()[-1:].isdigit() and not found["after"]  # "L3 is fine"
        self._order(number, text, replace(line, line=" " * start + unlisted(line.line)[start:]))
        if told and not any(self._corrects(each, rest) for each in self.said[before:]):
            del self.said[before:]
            self.said.append(Unread(number, text.strip(), self.section, like=True, holds=True))
            return True
        for at in range(before, len(self.said)):
            each = self.said[at]
            if isinstance(each, Command) and each.name == "stay":
                self.said[at] = replace(each, argument=str(name))
            elif isinstance(each, Line):
                fits = tuple(replace(line, text=text[start:].strip(), spot=spot) for line in each.fits)
                self.said[at] = replace(each, text=text[start:].strip(), spot=spot, fits=fits)
            elif isinstance(each, Fault):
                self.said[at] = replace(each, spot=spot, words=rest)
            elif isinstance(each, Unread):
                wrong = self._wherefore(rest, start)
                units = tuple(filter(self.names.roster.units.__contains__, self._mentioned(rest)))
                self.said[at] = Fault(
                    number, text, wrong, section=self.section, spot=spot, words=rest, about=units
                )
        return True

    def _wherefore(self, words: str, column: int) -> OrderError:
        """What is wrong with words behind the name of a line that do not even look like an order."""
        scan = self._scan_of(words)
        if not scan.length or not self.names.work.offers:
            return Unreadable("this is no order", column=column, length=len(words))
        error = complaint(scan)
        error.column += column
        return error

    def _corrects(self, said: Said, words: str) -> bool:
        """Whether what was read behind the name of a line is what the line is to be."""
        if isinstance(said, Fault):
            return bool(said.suggestion or said.either) or first_word(words) in self._verbs
        return isinstance(said, Line) or (isinstance(said, Command) and said.name == "stay")

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
            if letter and isinstance(self._try(line), Scan) and not self._may_be_initial(line):
                self._one_answer(number, text, asked, word, 0, "")
                return True
        return self._closed_question(number, text, line)

    def _may_be_initial(self, line: str) -> bool:
        """Whether a lone letter below other lines may be the initial of its writer."""
        word = line.strip().strip(".!")
        names = {name[:1].upper() for name in self.scope.writer}
        return bool(self.said) and len(word) == 1 and word.isupper() and word in names

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
        if any(map(str.isdecimal, found.text)) or not isinstance(self._try(unlisted(line)), Scan):
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
        at = chosen(options, _courteous(words))
        if at is None:
            at = chosen(options, _courteous(self._with_hexes(words)))
        choice, more = (*MORE.split(words, maxsplit=1), "")[:2]
        if at is None and (at := chosen(options, _courteous(choice))) is not None and more.strip():
            others = (ALSO.sub("", part) for part in re.split(r",|\b(?:and|or)\b", more))
            if any(chosen(options, part) not in (None, at) for part in others):
                at = None
            elif self._tells(more) or "," not in words:
                self._more_than_chosen(number, text, f"Q{asked}: {choice_letter(at)}", more)
                return
            else:
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
            instead = (ways if len(ways) <= 4 else []) + [order] * bool(order)
        error = Ambiguous(why, legal=tuple(instead), column=column, length=length)
        self._fail(Fault(number, text, error, command=True))

    def _more_than_chosen(self, number: int, text: str, answer: str, more: str) -> None:
        """``Q3: a, but 47Pz holds``: an answer and what else its line says, on a line of its own if it
        reads."""
        words = ALSO.sub("", more).strip(" .!,")
        reads = not isinstance(self._try(words), Scan) or self._staying(words) or self._read_freely(words)
        holds = None if reads else self._command_holds(number, text, words)
        why = f"the answer is {answer.partition(': ')[2]}, and this is more: give it a line of its own"
        error = Unreadable(why, column=text.find(more), length=len(more.rstrip()))
        line = holds.suggestion if holds else words if reads else ""
        self._fail(Fault(number, text, error, f"{answer}\n{line}" if line else "", command=True))

    def _with_hexes(self, words: str) -> str:
        """Words with the numbers of the hexes that they name as places; the number alone where both
        stand."""
        scan = Scan(words, self.names, self.reader.reserved)
        found: list[str] = []
        at = 0
        while at < scan.length:
            place = self.names.place([piece.text for piece in scan.pieces[at : at + LONGEST_NAME]])
            if place is not None and len(place[0]) == 1 and scan.pieces[at].text[:1].isupper():
                found += [] if place[0][0] in scan.keys else [place[0][0]]
                at += place[1]
                continue
            found.append(scan.pieces[at].text)
            at += 1
        return " ".join(found)

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

    def _letter_command(self, number: int, text: str, line: str) -> bool:
        found = command(number, without_closing(line))
        if found is None and (words := CANCEL.fullmatch(line)):
            return self._withdraw(number, text, Command("withdraw", words["what"].strip(), number))
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
        if found.name == "none" and words.lower() in ("all", "everything"):
            self.said.append(Command("none", "all", number))
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
        if found.name == "new" and names:
            self._open(number, text, names[0])
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
        words = _courteous(found.argument)
        if words.lower() in ("", "all", "everything"):
            self.said.append(Command("withdraw", "all", number, self.section))
            return True
        parts = [part.strip() for part in re.split(r",|\band\b|&|\+", words) if part.strip()]
        named, others = _lines_named(parts)
        if LINE_NAME.search(words) and (not named or ALL_BUT.search(words)):
            error = Unreadable("name the lines that are to be withdrawn: L3, L4", length=len(text.strip()))
            self._fail(Fault(number, text, error, command=True))
            return True
        if named:
            before = len(self.said)
            if others and not self._withdraw(number, text, replace(found, argument=", ".join(others))):
                return False
            if not any(isinstance(each, Fault) for each in self.said[before:]):  # all of it, or nothing
                self.said.insert(before, Command("withdraw", "lines", number, names=tuple(named)))
            return True
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
        if not any(map(str.isdecimal, words)) and len(words.split()) > 2:
            return False
        start = max(text.find(words), 0)
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
