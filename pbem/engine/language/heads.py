"""Lines below a head, and what a game lets people say in words of its own.

A head (`Order.heads`) may be followed by lines that say only a part of their orders: the stage that they are
for on a line of its own (``4 attack``), then units and a hex without a verb. What such lines mean is settled
by the head and the stage in force. A game declares its stages and its idioms (`Declarations`); both stand for
canonical lines, and only these are read. An idiom is a usage line: it fits only if every word of the line is
part of it.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

from pbem.engine.errors import NotAllowed, Unreadable
from pbem.engine.language.amiss import made
from pbem.engine.language.commands import command, numbered
from pbem.engine.language.courtesies import is_closing, is_greeting
from pbem.engine.language.cover import CLOSES
from pbem.engine.language.free import free_reader
from pbem.engine.language.model import (
    ATTACK,
    GOES,
    Command,
    Comment,
    Fault,
    Heading,
    Idiom,
    Line,
    Order,
    Said,
    Scope,
    Unread,
)
from pbem.engine.language.names import GENERIC, Names, name_words
from pbem.engine.language.people import NOISE, NUMBERS, ORDINALS
from pbem.engine.language.phrases import Reader
from pbem.engine.language.requests import SPOT, Requests
from pbem.engine.language.senses import COMMENT, Bare, bare, unlisted
from pbem.engine.language.usage import (
    ARROWS,
    Captures,
    Found,
    Pattern,
    Piece,
    Scan,
    Slot,
    SlotType,
    compile_usage,
    keywords,
)

FIGURES = NUMBERS | {"zero": "0", "null": "0", "ein": "1", "eine": "1", "einen": "1", "einer": "1"}
FIGURES |= {"zwei": "2", "drei": "3"}
COUNTED = frozenset({"of", "unit", "units", *GENERIC})
"""What a number in words counts, rather than names."""
JOINTS = {"w/": "with", "+": "and", "&": "and", "u.": "and", "und": "and", "@": "at"}
JOINTS |= {"alles": "all", "alle": "all", "aus": "from"} | dict.fromkeys(ARROWS - {"-"}, "to")
CLOSED = ",,"
"""What a bracket that closes is read as: no list goes on over it."""
DROPPED = NOISE - {"both", "now", "again", "together"}
LEADS = ("lead", "leads", "leading", "leader")
NATIONS = {
    "british": "british",
    "brits": "british",
    "tommies": "british",
    "americans": "us",
    "american": "us",
    "us": "us",
    "canadians": "canadian",
    "canadian": "canadian",
    "germans": "german",
    "german": "german",
    "enemy": "",
}
"""How people call the other side in front of a hex, and the word for it in the names of units."""


# --- idioms -------------------------------------------------------------------------------------------------


def _nation(scan: Scan, at: int, slot: Slot) -> Found:
    if scan.keys[at] in NATIONS:
        yield at + 1, NATIONS[scan.keys[at]]


def _behind_comma(kind: SlotType) -> SlotType:
    """A type of slot before which a comma may stand."""

    def read(scan: Scan, at: int, slot: Slot) -> Found:
        return kind.read(scan, at + (at > 0 and scan.keys[at] == ","), slot)

    return replace(kind, read=read)


@cache
def compiled(reader: Reader) -> tuple[tuple[Idiom, Pattern, Mapping[str, SlotType]], ...]:
    """The idioms of a game with their patterns, and how their values are written."""
    types = {name: _behind_comma(kind) for name, kind in reader.types.items()}
    types["nation"] = SlotType("a nation", _nation)
    types["next_unit"] = reader.types["unit"]
    found = []
    for idiom in reader.grammar.idioms:
        pattern = compile_usage(idiom.usage, types)
        for key in keywords(pattern):
            key.accepts = frozenset({key.word})
        found.append((idiom, pattern, {slot.field: slot.type for slot in _slots(pattern)}))
    return tuple(found)


def _slots(pattern: Pattern) -> Iterator[Slot]:
    if isinstance(pattern, Slot):
        yield pattern
    for part in pattern.parts():
        yield from _slots(part)


def _without_accents(text: str) -> str:
    plain = unicodedata.normalize("NFKD", text)
    return "".join(letter for letter in plain if not unicodedata.combining(letter))


def _pieces(scan: Scan) -> Iterator[Piece]:
    """The words of a line with numbers in figures, joints in one spelling, and without the full stops of
    abbreviations. ``one unit`` names none."""
    for piece, behind in zip(scan.pieces, scan.keys[1:], strict=False):
        text = _without_accents(piece.text)
        parts = re.split(r"(\+)", text) if "+" in text and text != "+" else [text]
        if times := re.fullmatch(r"x(\d)", text.lower()):
            parts = ["x", times[1]]
        for part in filter(None, parts):
            word = JOINTS.get(part.lower(), part)
            if behind not in COUNTED:
                word = FIGURES.get(word.lower(), word)
            if len(word) > 1 and word[:-1].isalpha():
                word = word.removesuffix(".")
            yield Piece(word, piece.column, piece.width)


def _wordings(line: str, names: Names, reserved: frozenset[str]) -> Iterator[Scan]:
    """A line as idioms are looked for: as it is, then with brackets as commas, each also without
    courtesies."""
    scan = Scan(line, names, reserved)
    names = scan.names
    plain = list(_pieces(scan))
    open_ = list(_without_brackets(plain))
    known: list[list[str]] = []
    for pieces in (plain, open_):
        for each in (pieces, [piece for piece in pieces if piece.text.lower() not in DROPPED]):
            tidy = _tidied(each)
            words = [piece.text for piece in tidy]
            if tidy and words not in known:
                known.append(words)
                yield Scan(line, names, reserved, tidy)


def _without_brackets(pieces: Sequence[Piece]) -> Iterator[Piece]:
    """Brackets as commas, but for ``(lead)`` behind a unit, which leads."""
    at = 0
    while at < len(pieces):
        piece = pieces[at]
        inside = [each.text.lower() for each in pieces[at + 1 : at + 3]]
        if piece.text == "(" and len(inside) == 2 and inside[0] in LEADS and inside[1] == ")":
            yield Piece("leading", piece.column, piece.width)
            at += 3
            continue
        yield Piece({"(": ",", ")": CLOSED}.get(piece.text, piece.text), piece.column, piece.width)
        at += 1


def _tidied(pieces: Sequence[Piece]) -> list[Piece]:
    """Without commas at the end or next to other marks."""
    found: list[Piece] = []
    for piece in pieces:
        before = found[-1].text if found else ","
        if piece.text in (",", CLOSED) and before in (",", ":", CLOSED):
            continue
        if piece.text == ":" and before in (",", CLOSED) and found:
            found.pop()
        found.append(piece)
    while found and found[-1].text in (",", ":", CLOSED):
        found.pop()
    return found


def _filled(says: str, values: Mapping[str, str]) -> list[str]:
    """The lines that an idiom stands for: what is in square brackets only where all its slots are filled, and
    no line that lacks one."""

    def part(found: re.Match[str]) -> str:
        return found[1] if all(slot in values for slot in re.findall(r"{(\w+)}", found[1])) else ""

    lines = re.sub(r"\[([^\[\]]*)\]", part, says).splitlines()
    full = [line for line in lines if all(slot in values for slot in re.findall(r"{(\w+)}", line))]
    return [line.format_map(values).strip() for line in full]


# --- heads and stages ---------------------------------------------------------------------------------------


@dataclass(slots=True)
class Stage:
    """A stage that a line has named: its number, the sort of order that it is for ("" for any), and whether a
    line below it has said so."""

    line: int
    number: int
    sort: str
    at: int
    """How much was said before it."""
    used: bool = False


class Heads(Requests):
    """Reads idioms, stages, and what belongs to the head in force."""

    def __init__(self, reader: Reader, names: Names, section: str, scope: Scope) -> None:
        super().__init__(reader, names, section, scope)
        self.every = names
        """The names as they are without a head."""
        self.head: Order | None = None
        self.group: int | None = None
        """Where in what is said the head in force stands, or the first line that needs one."""
        self.under = section
        """The heading under which that group stands."""
        self.loose = False
        """Whether that head, or a stage below it, is written in other words than its usage line: then the
        lines of the group are read together or not at all."""
        self.stage: Stage | None = None
        self.written: dict[int, str] = {}
        """The lines of the group."""
        self.failing: tuple[int, str, int] | None = None
        """The line above, where it does not read: its number, its words, where what it says begins."""
        self.since: int | None = None
        """From where on what is said is new, if not from the line that is being read."""
        self.said_so: set[int] = set()
        """Lines that are said by an idiom."""

    def _here(self) -> str:
        """The section in which a line stands: of the heading in force, else what is asked for now."""
        return self.section or ("" if self.lost else next(iter(self.scope.sections), ""))

    # --- one line ------------------------------------------------------------------------------------------

    def _headed(self, number: int, text: str, line: Bare) -> bool:
        """A line in the game's own words, or one that its head and its stage complete."""
        self.names = self.every
        if not self.grammar.idioms or self.lost or self._is_asked(line.line) or self._is_standing(line.line):
            return False
        words, comment = self._source(text, line)
        self._narrow(words)
        if not words.strip() or SPOT.fullmatch(words) or command(number, words):
            return False
        if is_greeting(words) or is_closing(words):
            return False
        read = self._try(line.line)
        order = None if isinstance(read, Scan) else dict(read)["order"]
        sort = self.stage.sort if self.stage else ""
        if order is not None and self._absent(order):
            order = None  # "4 attack 1208" is no attack of a unit that has a 4 in its name
        fits = order is not None and (not sort or order.sort in (sort, "") or self._named_stage(order) > 0)
        if fits and not line.comments:
            return False
        if stages := self._several_stages(words):
            self._end_stage()
            self._emit(number, [self.grammar.stages.says.format(number=each) for each in stages])  # type: ignore[union-attr]
            self._no_comment(number, comment)
            return True
        if (found := self._stage_of(words)) and (order is None or line.comments):
            staged = self._staged(number, text, *found)
            if staged:
                self._no_comment(number, comment)
            return staged
        lines = self._meaning(words)
        if not lines and self.failing is not None and self.failing[0] < number:
            before, above, at = self.failing
            if lines := self._meaning(f"{above} {words.strip()}"):
                del self.said[at:]
                self.since = at
                self.claims[number] = "clause"
                number = before
        if lines:
            self._emit(number, lines)
            self._no_comment(number, comment)
            self.failing = None
            return True
        if order is None and self._fills_head(number, words):
            self._no_comment(number, comment)
            return True
        at = len(self.said)
        if order is not None and not fits and not line.comments:
            self._of_another_sort(number, text, order)
        elif self.group is not None or self.stage is not None:
            self.failing = number, words.strip(), at
        return len(self.said) > at

    def _source(self, text: str, line: Bare) -> tuple[str, str]:
        """A line with its brackets, from where its order begins, and the comment behind it, which says
        nothing of the game: one that may do so is left in the line, where no idiom takes it."""
        start = len(line.line) - len(line.line.lstrip())
        words = unlisted(" " * start + text[start:])
        cut = COMMENT.search(words)
        comment = words[cut.end() :].strip() if cut else ""
        if cut is None or self._alters(comment):
            return words, ""
        return words[: cut.start()], comment

    def _no_comment(self, number: int, comment: str) -> None:
        """Note the comment of a line whose other words are all read."""
        self.commented[number] = []
        if comment:
            self.said.append(Comment(number, comment, self.section))

    def _named_stage(self, order: Order) -> int:
        """The stage that an order names itself; 0 without one."""
        stages = self.grammar.stages
        return int(getattr(order, stages.field, 0)) if stages else 0

    def _unmistakable(self, line: str) -> str:
        """As for any line; below a head a stage is an order too."""
        stage = self._stage_of(unlisted(line)) if line and self.head is not None else None
        if stage is not None and not stage[2] and self.grammar.stages:
            return self.grammar.stages.says.format(number=stage[0])
        return super()._unmistakable(line)

    def _is_asked(self, line: str) -> bool:
        """Whether a line begins with the number of an open question."""
        found = numbered(unlisted(line))
        settled = self.head is None and found is not None and found.number in self.scope.settled
        return found is not None and (found.asked or found.number in self.scope.questions or settled)

    def _narrow(self, line: str) -> None:
        """Let names mean what the headquarters of the line, else the one in force, commands before others."""
        commanded = self.grammar.commanded
        self.names = self.every
        if commanded is None:
            return
        scan = Scan(line, self.every, self.reader.reserved)
        at = 0
        units: tuple[str, ...] = ()
        while at < scan.length and not units:
            meant = self.every.meant(scan.words(at), scan.reserved)
            if meant is not None and len(meant.units) == 1:
                units = commanded(meant.units[0]) if not self.every.roster.units[meant.units[0]].enemy else ()
            at += meant.length if meant is not None else 1
        units = units or commanded(str(getattr(self.head, "hq", "")))
        if units:
            self.names = self.every.narrowed(units, labelled=False)
            vars(self.names)["own"] = [unit for unit in self.every.own if unit.id in units]
            for known in ("kinds", "order"):
                vars(self.names).pop(known, None)
            self.known.clear()

    def _fills_head(self, number: int, line: str) -> bool:
        """A line of units alone, right below a head that names none and may: its units."""
        at = len(self.said) - 1
        if self.group != at or self.head is None or getattr(self.head, "units", None) != ():
            return False
        head, scan = self.said[at], Scan(unlisted(line), self.names, self.reader.reserved)
        units = next((each for end, each in self._phrase().unit_lists(scan, 0) if end == scan.length), ())
        if not units or not isinstance(head, Line):
            return False
        self.head = replace(self.head, units=tuple(units))  # type: ignore[call-arg]
        whole = replace(head, order=self.head)
        text = self.reader.write_line(whole)
        fits = tuple(replace(each, order=self.head, text=text) for each in head.fits)
        self.said[at] = replace(whole, text=text, fits=fits)
        self.claims[number] = "clause"
        self.loose = True
        return True

    # --- what words mean -----------------------------------------------------------------------------------

    def _meaning(self, words: str) -> list[str]:
        """The canonical lines that words stand for, below the head and the stage in force; none if they are
        no idiom."""
        other = free_reader(self.reader, self._here(), self.seat).respelt(words.strip())
        for wording in dict.fromkeys((words, other)):
            if lines := self._one_meaning(wording):
                return lines
        parts = words.split(";")
        if len(parts) < 2 or not self.loose:
            return []
        each = [self._one_meaning(part) or self._plain(part) for part in parts if part.strip()]
        return [line for lines in each for line in lines] if all(each) else []

    def _plain(self, words: str) -> list[str]:
        """Words that are an order, or say of units that they stay, as they are."""
        line = bare(words, self.names)
        if line.comments or not line.line.strip():
            return []
        reads = not isinstance(self._try(line.line), Scan) or self._staying(line.line) is not None
        return [line.line.strip()] if reads else []

    def _one_meaning(self, words: str) -> list[str]:
        here, sort = self._here(), self.stage.sort if self.stage else ""
        scans = list(_wordings(words, self.names, self.reader.reserved))
        for idiom, pattern, types in compiled(self.reader):
            if idiom.sections and here not in idiom.sections:
                continue
            if idiom.below and idiom.below != sort:
                continue
            for scan in scans:
                for end, captures in pattern.match(scan, 0):
                    if end != scan.length or (lines := self._lines_of(idiom, captures, types)) is None:
                        continue
                    if all(map(self._reads, lines)):
                        return lines
        return []

    def _lines_of(self, idiom: Idiom, captures: Captures, types: Mapping[str, SlotType]) -> list[str] | None:
        """The lines of an idiom with these values; None if they do not fit it."""
        values = dict(captures)
        if any(name in values and values[name] not in some for name, some in idiom.where.items()):
            return None
        if idiom.check is not None and not idiom.check(values):
            return None
        hq = values.get("hq")
        if hq is not None and not (self.grammar.commanded and self.grammar.commanded(hq)):
            return None
        if values.get("nation") and not self._there(values["nation"], values.get("hexes", ())):
            return None
        filled = {name: types[name].write(value) for name, value in values.items() if name in types}
        filled |= {name: "" for name, value in values.items() if value is True}
        if (units := self.head.actors() if self.head else ()) and "units" not in filled:
            filled["commanded"] = ", ".join(units)
        if "{commanded}" in idiom.says and "commanded" not in filled:
            return None
        return _filled(idiom.says, filled)

    def _there(self, nation: str, hexes: Sequence[str]) -> bool:
        """Whether units of the enemy of this nation are seen in one of these hexes."""
        units = self.names.roster.units.values()
        return any(unit.enemy and unit.hex in hexes and nation in name_words(unit.name) for unit in units)

    def _reads(self, line: str) -> bool:
        return (
            command(0, line) is not None
            or not isinstance(self._try(line), Scan)
            or self._staying(line) is not None
        )

    def _emit(self, number: int, lines: Sequence[str]) -> None:
        """Take the canonical lines of one line of the letter."""
        self.said_so.add(number)
        for line in lines:
            if command(number, line):
                self._letter_command(number, line, line)
            else:
                self._order(number, line, Bare(line))

    # --- stages --------------------------------------------------------------------------------------------

    def _stage_of(self, words: str, whole: bool = False) -> tuple[int, str, str, int] | None:
        """The number and the sort of the stage that a line names, the words behind it and their column."""
        stages = self.grammar.stages
        if stages is None or self._here() not in stages.sections:
            return None
        scan = Scan(re.sub(r"\b(\d{1,2})([A-Za-z])\b", r"\1 \2", words), self.names, frozenset())
        if len(scan.line) != len(words):
            words = scan.line
        keys = [key.rstrip(".") for key in scan.keys]
        at, sort = 0, ""
        if (
            keys[0] in stages.sorts
            and keys[1] in ("in", "at")
            and (keys[2] in stages.words or keys[2].isdecimal())
        ):
            sort, at = stages.sorts[keys[0]], 1
        at += keys[at] == "in" or (keys[at] in ("at", "during") and scan.length > at + 2)
        which = at + (keys[at] == "the")
        if counted := keys[which] in ORDINALS and which + 1 < scan.length and keys[which + 1] in stages.words:
            number, at = ORDINALS.index(keys[which]) + 1, which + 2
        named = counted or keys[at] in stages.words
        if not counted:
            at += named
            if not re.fullmatch(r"\d{1,2}", keys[at]) or (keys[at - 1] in ("at", "during")):
                return None
            number = int(keys[at])
            at += 1
        colon = keys[at] == ":"
        at += keys[at] in (":", ",", "-")
        bracket = keys[at] == "("
        if keys[at + bracket] in stages.sorts and (not bracket or keys[at + 2] == ")"):
            sort = stages.sorts[keys[at + bracket]]
            at += 1 + 2 * bracket
        at += keys[at] in (":", ",", "-")
        if at >= scan.length:
            return (number, sort, "", len(words)) if named or sort else None
        if whole or not (named or sort or colon):
            return None
        column = scan.pieces[at].column
        return number, sort, words[column:], column

    def _several_stages(self, words: str) -> list[int]:
        """``increments 4A, 10M``, ``4 move, 9 attack, stop``: the numbers, if there are several."""
        stages = self.grammar.stages
        if stages is None or self._here() not in stages.sections:
            return []
        found = re.match(r"\s*(\w+?)s?\.?\s*:?\s+(?=\d)", words)
        begun = bool(found and found[1].lower() in stages.words)
        parts = [
            part.strip()
            for part in re.split(r",|\band\b|&|\bthen\b", words[found.end() if found and begun else 0 :])
        ]
        parts = [part for part in parts if part]
        if len(parts) > 1 and parts[-1].lower() in ("stop", "end", "done"):
            parts.pop()
        each = [self._stage_of(part, whole=True) for part in parts]
        bare_numbers = begun and all(part.isdecimal() and len(part) < 3 for part in parts)
        if len(parts) < 2:
            return []
        if bare_numbers:
            return [int(part) for part in parts]
        return [stage[0] for stage in each if stage] if all(each) else []

    def _staged(self, number: int, text: str, stage: int, sort: str, rest: str, column: int) -> bool:
        """A stage on a line of its own, or with its first order behind it."""
        before = self.stage
        opened = Stage(number, stage, sort, len(self.said))
        if not rest.strip():
            self._end_stage()
            opened.at = len(self.said)
            self.stage = opened
            self._begin_group(number, text)
            self.loose = True
            self.claims[number] = "clause"
            return True
        self.stage = opened
        lines = self._meaning(rest) or self._ordinary(rest, sort)
        self.stage = before
        if not lines:
            if self.group is not None:
                self.failing = None
            return False
        self._end_stage()
        self.stage = opened
        self._begin_group(number, text)
        self._emit(number, lines)
        return True

    def _ordinary(self, words: str, sort: str) -> list[str]:
        """Words that are an order of this sort as they stand."""
        line = bare(words, self.names)
        read = self._try(line.line)
        if line.comments or isinstance(read, Scan):
            return []
        order: Order = dict(read)["order"]
        fits = order.sort == sort or (not sort and order.sort in (GOES, ATTACK))
        return [line.line.strip()] if fits else []

    def _end_stage(self) -> None:
        """A stage of which no line below has said anything passes by itself."""
        stage, stages = self.stage, self.grammar.stages
        self.stage = None
        if stage is None or stage.used or stages is None:
            return
        if any(isinstance(each, Fault | Unread) for each in self.said[stage.at :]):
            return
        self.claims.pop(stage.line, None)
        line = stages.says.format(number=stage.number)
        self._order(stage.line, line, Bare(line))

    def _of_another_sort(self, number: int, text: str, order: Order) -> None:
        stage, stages = self.stage, self.grammar.stages
        assert stage is not None and stages is not None
        start, length = len(text) - len(text.lstrip()), len(text.strip())
        sorts = {ATTACK: "attacks", GOES: "movement"}
        named = stages.says.format(number=stage.number)
        why = f"{named} is for {sorts[stage.sort]}, this line is not"
        self._fail(Fault(number, text, NotAllowed(why, column=start, length=length)))

    # --- groups --------------------------------------------------------------------------------------------

    def _begin_group(self, number: int, text: str) -> None:
        if self.group is None:
            self.group, self.under = len(self.said), self.section
        self.written[number] = text.strip()

    def _settle(self, number: int, text: str, before: int) -> None:
        """Let what a line has said take effect on the lines below it: a head begins a group, and what stands
        below one belongs to its stage."""
        if not self.grammar.idioms:
            return
        at = before if self.since is None else self.since
        self.since = None
        while at < len(self.said):
            each = self.said[at]
            ends = isinstance(each, Heading) or (isinstance(each, Command) and each.name in CLOSES)
            head = isinstance(each, Line) and each.order.heads and each.number != self._head_line()
            if ends or head:
                rest = self.said[at:]
                del self.said[at:]
                self._end_group()
                at = len(self.said)
                self.said += rest
                if isinstance(each, Line):
                    self.head, self.group, self.under = each.order, at, each.section
                    self.loose = number in self.said_so
                    self.written = {number: text.strip()}
            elif isinstance(each, Line):
                if (
                    self.stage
                    and not self.stage.used
                    and self._named_stage(each.order) not in (0, self.stage.number)
                ):
                    rest = self.said[at:]
                    del self.said[at:]
                    self._end_stage()
                    at = len(self.said)
                    self.said += rest
                self.said[at] = self._in_stage(each)
            if self.group is not None:
                self.written.setdefault(number, text.strip())
            at += 1
        if self.failing is not None and self.failing[0] != number and len(self.said) > before:
            self.failing = None

    def _head_line(self) -> int:
        """The number of the line that holds the head in force."""
        if self.group is None or self.group >= len(self.said):
            return -1
        each = self.said[self.group]
        return -1 if self._several_heads(each.number) else each.number

    def _several_heads(self, number: int) -> bool:
        return (
            sum(
                isinstance(each, Line) and each.number == number and each.order.heads != ""
                for each in self.said
            )
            > 1
        )

    def _in_stage(self, line: Line) -> Line:
        """A line with the stage in force, as it is to be sent again where its words alone would mean
        something else."""
        stages, stage = self.grammar.stages, self.stage
        found = line
        if stages is not None and line.order.sort in (GOES, ATTACK) and hasattr(line.order, stages.field):
            named = getattr(line.order, stages.field)
            if named:
                self.stage = stage if stage and stage.number == named else None
            elif stage is not None and not stage.used:
                found = self._with_stage(line, stage.number)
                stage.used = True
        if found is not line or self._reads_otherwise(line):
            text = self.reader.write_line(found)
            fits = tuple(replace(each, text=text) for each in found.fits)
            found = replace(found, text=text, fits=fits)
        return found

    def _with_stage(self, line: Line, number: int) -> Line:
        field = self.grammar.stages.field if self.grammar.stages else ""

        def staged(order: Any) -> Any:
            return replace(order, **{field: number}) if hasattr(order, field) else order

        fits = tuple(
            replace(each, order=staged(each.order), otherwise=staged(each.otherwise)) for each in line.fits
        )
        return replace(line, order=staged(line.order), otherwise=staged(line.otherwise), fits=fits)

    def _reads_otherwise(self, line: Line) -> bool:
        """Whether the words of a line mean something else without the head above them."""
        if self.names is self.every:
            return False
        read = self._phrase(line.section).read(line.text, self.every)
        return isinstance(read, Scan) or dict(read)["order"] != line.order

    def _end_group(self) -> None:
        """The end of what a head heads. Where its lines are written in other words than their usage lines, a
        fault in one of them holds all."""
        start, loose = self.group, self.loose
        section, self.section = self.section, self.under if start is not None else self.section
        lost, self.lost = self.lost, None if start is not None else self.lost
        pending = self.stage is not None and not self.stage.used
        said = self.said[start:] if start is not None else []
        broken = any(_is_folded(each) and isinstance(each, Fault) for each in said)
        broken = broken or (pending and any(isinstance(each, Unread) for each in said))
        if start is not None and loose and broken:
            self._held_together(start)
            self.stage = None
        else:
            self._end_stage()
        self.section, self.lost = section, lost
        self.head, self.group, self.loose, self.written, self.failing = None, None, False, {}, None

    def _held_together(self, start: int) -> None:
        """The lines of a group of which one does not read, as one line to correct."""
        stage, said = self.stage, self.said[start:]
        folded = [each for each in said if _is_folded(each)]
        others = [each for each in said if not _is_folded(each)]
        apart = {each.number for each in others} - {each.number for each in folded}
        numbers = sorted(({*self.written} | {each.number for each in folded}) - apart)
        texts = {number: self.written.get(number, "") for number in numbers}
        faults = [each for each in folded if isinstance(each, Fault | Unread)]
        first = faults[0]
        shift = sum(len(texts[each]) + 3 for each in numbers if each < first.number)
        text = " / ".join(filter(None, texts.values()))
        before = [self._again(each) for each in folded if each.number < first.number]
        after = [self._again(each) for each in folded if each.number > first.number]
        if isinstance(first, Fault):
            error = first.error
            error.column = max((error.column or 0) - len(first.text) + len(first.text.lstrip()), 0) + shift
        else:
            error = Unreadable("this cannot be read", column=shift, length=len(first.text))
        ready = _ready(first) if len(faults) == 1 else ()
        offers = [each for each in (self._whole_offer(before, one, after, stage) for one in ready) if each]
        one = offers[0] if isinstance(first, Fault) and first.suggestion and offers else ""
        del self.said[start:]
        for each in numbers[1:]:
            self.claims[each] = "clause"
        self.claims.pop(numbers[0], None)
        self._fail(Fault(numbers[0], text, error, one, either=() if one else tuple(offers), words=text))
        self.said[start:] = sorted(self.said[start:] + others, key=lambda each: each.number)

    def _again(self, said: Said) -> str:
        """A line of a group as it is to be sent again."""
        if isinstance(said, Command):
            return f"hold {', '.join(said.names)}" if said.names else "the rest hold"
        return self.reader.write_line(said) if isinstance(said, Line) else ""

    def _whole_offer(
        self, before: Sequence[str], offer: str, after: Sequence[str], stage: Stage | None
    ) -> str:
        """A ready line for a faulty one together with the others of its group; "" if it does not fit the
        stage."""
        found: list[str] = []
        for line in offer.splitlines():
            words = re.sub(r"^\s*when\s+[^:]*:\s*", "", line)
            read = self._try(words)
            if isinstance(read, Scan):
                return ""
            meant = made(0, words, self.section, read, "")
            if stage is not None and stage.sort and meant.order.sort not in (stage.sort, ""):
                return ""
            if stage is not None and not stage.used and not found and not self._named_stage(meant.order):
                words = self.reader.write_line(self._with_stage(meant, stage.number))
            found.append(words)
        return self._sendable("\n".join([*before, *found, *after]))


def _is_folded(said: Said) -> bool:
    """Whether something said is an order of a group, or was meant as one, and no line of its own."""
    match said:
        case Line(spot=None) | Unread() | Command(name="stay", argument="") | Command(name="abstain"):
            return True
        case Fault(spot=None, command=False):
            return True
    return False


def _ready(fault: Fault | Unread) -> Sequence[str]:
    either = fault.either if isinstance(fault, Fault) else ()
    return [fault.suggestion] if fault.suggestion else either
