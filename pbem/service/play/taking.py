"""How a letter changes its writer's sheet: lines are added, replace others, are withdrawn, come late or are
refused.

Lines of one letter never replace one another. Against the lines of earlier letters the first rule that fits
applies. Every change to a kept line is noted, so that its writer reads of it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace

from pbem.engine.errors import OrderError
from pbem.engine.language import Command, Fault, Heading, Line, Order, Reading, Said, Spot
from pbem.service.play.sheet import Sheet, SheetLine, groups, in_order, stages

NOTHING_OPEN = "no more orders are possible this turn"


@dataclass(frozen=True, slots=True)
class Change:
    """What became of a kept line or of a line of this letter. `kind`: kept, same, replaced, withdrawn, moved,
    refused, late, idle. `was` is the earlier text, `why` the reason, `instead` lines to send."""

    kind: str
    title: str
    text: str
    section: str = ""
    was: str = ""
    why: str = ""
    instead: tuple[str, ...] = ()
    number: int = 0


@dataclass(slots=True)
class Scene:
    """What taking in a letter depends on. `asked` is the section asked for now ("" for none), `answered` the
    one that the answered letter asks for, `open` all sections that may still be written this turn, in the
    order of play, `drawn` those drawn by chance. `late` gives the reason for each section whose lines come
    too late, `over` for each that is over. `write` puts a line into words."""

    asked: str
    open: Sequence[str]
    drawn: frozenset[str]
    answered: str = ""
    late: Mapping[str, str] = field(default_factory=dict)
    over: Mapping[str, str] = field(default_factory=dict)
    write: Callable[[Line], str] | None = None


@dataclass(slots=True)
class Taken:
    """What a letter has done to a sheet. `touched` are the sections in which anything has changed, `named`
    those that it has lines or headings for, `new` the names of its lines; `muddled` sections repeat kept
    lines but leave others out or change their order; `faults` are the lines of the letter to be corrected,
    each with the name under which it is kept ("" if it is not)."""

    sheet: Sheet
    changes: list[Change] = field(default_factory=list)
    touched: set[str] = field(default_factory=set)
    named: list[str] = field(default_factory=list)
    new: list[int] = field(default_factory=list)
    faults: list[tuple[str, Fault]] = field(default_factory=list)
    muddled: dict[str, Change] = field(default_factory=dict)
    reopened: list[str] = field(default_factory=list)
    aside: list[SheetLine] = field(default_factory=list)
    """Lines that came too late: KEEP puts them on the sheets that are open now."""
    stays: list[str] = field(default_factory=list)
    """Units that the letter orders to stay where they are."""
    afresh: dict[str, str] = field(default_factory=dict)
    """Sections in which a whole plan has taken the place of another, and which."""
    resumed: list[str] = field(default_factory=list)
    """The sections whose lines KEEP has put on the sheet."""
    unclear: list[str] = field(default_factory=list)
    """Refused changes to kept lines: the letter closes nothing until they are clear."""

    def behind(self, first: Taken) -> Taken:
        """Return the effects of `first` and of this letter together."""
        still = {line.title for line in self.sheet.faulty()}
        mine = {title for title, _ in self.faults}
        self.changes[:0] = first.changes
        self.touched |= first.touched
        self.named = list(dict.fromkeys([*first.named, *self.named]))
        self.new = [name for name in dict.fromkeys([*first.new, *self.new]) if self.sheet.named(name)]
        self.faults[:0] = [(title, fault) for title, fault in first.faults if title in still - mine]
        self.muddled = first.muddled | self.muddled
        self.reopened = list(dict.fromkeys([*first.reopened, *self.reopened]))
        self.aside[:0] = first.aside
        self.stays[:0] = first.stays
        self.afresh = first.afresh | self.afresh
        self.unclear[:0] = first.unclear
        return self

    def note(self, kind: str, line: SheetLine, **more: object) -> None:
        self.changes.append(
            Change(kind, line.title, line.text, line.section, **more)  # type: ignore[arg-type]
        )


def take(sheet: Sheet, reading: Reading, scene: Scene, letter: int) -> Taken:
    """Put what a letter says on a copy of the sheet."""
    taking = _Taking(Taken(sheet.copy()), scene, letter, {line.name for line in sheet.lines})
    for said in reading.said:
        if isinstance(said, Command) and said.name in ("withdraw", "new"):
            taking.take_back(said)
    for said in reading.said:
        taking.say(said)
    taking.finish()
    return taking.taken


class _Taking:
    """One letter being put on a sheet."""

    def __init__(self, taken: Taken, scene: Scene, letter: int, earlier: set[int]) -> None:
        self.taken = taken
        self.sheet = taken.sheet
        self.scene = scene
        self.letter = letter
        self.earlier = earlier
        """The names of the lines of earlier letters that have not been dealt with."""
        self.before = {
            section: [line.name for line in self.sheet.of(section)] for section in self.sheet.sections()
        }
        self.repeated: dict[str, list[int]] = {}
        self.last: dict[str, SheetLine] = {}
        """The last line of this letter in each section."""
        self.below = ""
        """The section of the heading in force; "" below none."""
        self.heads: set[int] = set()
        """The names of the heads that this letter writes out, not by the name of a kept line."""
        self.wiped: set[tuple[str, str]] = set()
        self.bereft: dict[int, list[str]] = {}
        self.replaced: dict[int, SheetLine] = {}
        """The units that a replaced line was about and the new one is not, by the place of the change."""

    # --- withdrawing ----------------------------------------------------------------------------------------

    def take_back(self, said: Command) -> None:
        """WITHDRAW and NEW: they apply only to earlier letters, wherever they are written."""
        if said.name == "new":
            section = next(iter(said.names), "") or self.scene.asked
            gone = self.sheet.of(section)
            self._remove(gone, said)
            self.taken.named.append(section)
            return
        kept = self.sheet.of(said.text) if said.text else list(self.sheet.lines)
        refused = len(self.taken.changes)
        match said.argument:
            case "all":
                gone = kept
            case "lines":
                gone = [line for line in self.sheet.lines if str(line.name) in said.names]
                for name in said.names:
                    if self.sheet.named(int(name)) is None:
                        self._refuse(said, self._missing(int(name)))
            case "targets":
                gone = [line for line in kept if set(said.names) & _targets(line)]
            case _:
                gone = self._about(said, kept)
        self._remove(gone, said)
        if not gone and said.argument == "all":
            self.taken.changes.append(Change("idle", "", "withdraw all", said.text, why="no lines were kept"))
        elif not gone and len(self.taken.changes) == refused:
            self._refuse(said, f"no kept line{f' of [{said.text}]' * bool(said.text)} matches")

    def _about(self, said: Command, kept: Iterable[SheetLine]) -> list[SheetLine]:
        """Return the lines about only these units. A line that is also about others is refused."""
        units = set(said.names)
        gone: list[SheetLine] = []
        for line in kept:
            actors = _actors(line)
            if actors and actors <= units:
                gone.append(line)
            elif actors & units and line.line is not None:
                left = ", ".join(unit for unit in line.line.order.actors() if unit not in units)
                why = f"{line.title} is also about {left}: {line.text}"
                self._refuse(said, why, (f"withdraw {line.title}", *self._left(line, units)))
        return gone

    def _left(self, line: SheetLine, gone: set[str]) -> tuple[str, ...]:
        """Return the line to send instead of one without some of its units, if there is one."""
        without = self._without(line.line, gone) if line.line is not None and _actors(line) - gone else ""
        return (f"{line.title}: {without}",) if without else ()

    def _without(self, line: Line, gone: set[str]) -> str:
        """A line in words without some of its units; "" if it cannot be written so."""
        if self.scene.write is None:
            return ""
        values = {item.name: getattr(line.order, item.name) for item in fields(line.order)}
        left = {
            name: tuple(each for each in value if each not in gone)
            for name, value in values.items()
            if isinstance(value, tuple)
        }
        return self.scene.write(replace(line, order=replace(line.order, **left)))

    def _remove(self, gone: Iterable[SheetLine], said: Command) -> None:
        for line in list(gone):
            self.sheet.lines.remove(line)
            self.earlier.discard(line.name)
            self.taken.note("withdrawn", line)
            self._touch(line.section)

    def _missing(self, name: int) -> str:
        """Why there is no line of this name: names are never given twice."""
        if 0 < name < self.sheet.next:
            return f"L{name} is no longer on your sheet: it was played or withdrawn"
        return f"there is no line L{name}"

    def _refuse(self, said: Command, why: str, instead: tuple[str, ...] = ()) -> None:
        names = ", ".join(f"L{name}" if said.argument == "lines" else name for name in said.names)
        words = f"{said.name} {'attack on ' * (said.argument == 'targets')}{names}"
        self._refuse_command(words, said, why, instead)

    def _refuse_command(self, words: str, said: Command, why: str, instead: tuple[str, ...] = ()) -> None:
        """Refuse a command about kept lines; its letter closes nothing until that is clear."""
        self.taken.unclear.append(words)
        self.taken.changes.append(Change("refused", "", words, why=why, instead=instead, number=said.number))

    # --- lines ----------------------------------------------------------------------------------------------

    def say(self, said: Said) -> None:
        """Process one element of the letter."""
        match said:
            case Heading():
                self.below = said.section
                if said.section and said.section not in self.taken.named:
                    self.taken.named.append(said.section)
            case Line():
                self._line(said)
            case Fault():
                self._fault(said)
            case Command(name="after"):
                self._move(said)
            case Command(name="stay"):
                self._stay(said)

    def _fault(self, fault: Fault) -> None:
        """Keep an unreadable line in its section as faulty."""
        if fault.command:
            self.taken.faults.append(("", fault))
            return
        section = fault.section or self._section_of_fault(fault)
        offers = (fault.suggestion,) if fault.suggestion else fault.either
        text = fault.words or fault.text.strip()
        entry = self._entry(section, text, None, fault.error, offers, fault.meant)
        entry.about, entry.sort = fault.about, fault.sort
        if self._not_open(entry, fault.number):
            return
        entry = self._put(entry, fault.spot, fault.number)
        self.taken.faults.append((entry.title, fault))

    def _section_of_fault(self, fault: Fault) -> str:
        if fault.spot and (line := self.sheet.named(fault.spot.name)):
            return line.section
        return next((line.section for line in fault.meant if line.section), "") or self.scene.asked

    def _entry(
        self,
        section: str,
        text: str,
        line: Line | None,
        error: OrderError | None = None,
        offers: tuple[str, ...] = (),
        meant: tuple[Line, ...] = (),
    ) -> SheetLine:
        """A line of this letter, without a name yet."""
        why, case = (str(error), error.case) if error else ("", "")
        state = "faulty" if error else "ready"
        return SheetLine(
            0,
            section,
            text,
            line,
            state,  # type: ignore[arg-type]
            why,
            case,
            offers,
            meant,
            self.letter,
        )

    def _line(self, line: Line) -> None:
        found = self._with_section(line)
        if found is None:
            return
        entry = self._entry(found.section, found.text, found)
        if self._not_open(entry, found.number):
            return
        if found.section not in self.taken.named:
            self.taken.named.append(found.section)
        self._put(entry, found.spot, found.number)

    def _with_section(self, line: Line) -> Line | None:
        """Return the line with its section; None if it needs a heading, which is noted."""
        if line.section:
            return line
        if not self.scene.open and len(self.scene.over) == 1:
            return replace(line, section=next(iter(self.scene.over)))
        fits = {each.section: each for each in line.fits}
        if line.spot and (kept := self.sheet.named(line.spot.name)):
            if kept.section in fits:
                return fits[kept.section]
            self._headless(line, fits)
            return None
        alike = [
            kept
            for section, each in fits.items()
            for kept in self._kept(section)
            if _is_about_the_same(each, kept)
        ]
        faulty = [kept for kept in alike if kept.state == "faulty"]
        corrected = {kept.section for kept in faulty or alike}
        if len(corrected) == 1:
            return fits[corrected.pop()]
        if self.scene.asked in fits:
            return fits[self.scene.asked]
        open_ = [section for section in self.scene.open if section in fits]
        if len(open_) == 1:
            return fits[open_[0]]
        if len(fits) == 1 and not open_:
            return next(iter(fits.values()))
        self._headless(line, fits)
        return None

    def _headless(self, line: Line, fits: Mapping[str, Line]) -> None:
        if self._not_open(self._entry("", line.text, None), line.number):
            return
        known = [section for section in self.scene.open if section in fits] or list(fits)
        why = f"{line.order.verb} needs a heading that names its section"
        legal = tuple(f"[{section}]" for section in known)
        error = OrderError(why, legal=legal, length=len(line.text))
        instead = tuple(f"[{section}]\n{line.text}" for section in known[:2])
        fault = Fault(
            line.number,
            line.text,
            error,
            instead[0] if len(instead) == 1 else "",
            "",
            line.spot,
            either=instead,
            headless=True,
        )
        entry = self._entry("", line.text, None, error, instead, tuple(fits[section] for section in known))
        entry = self._put(entry, line.spot, line.number)
        self.taken.faults.append((entry.title, fault))
        self.taken.unclear.append(line.text.strip())

    def _not_open(self, entry: SheetLine, number: int) -> bool:
        """Whether a section is closed to new lines: they are refused or late. A line without a section is
        refused when nothing is open."""
        section, open_ = entry.section, self.scene.open
        if (not section and open_) or (section in open_ and section not in self.scene.late):
            return False
        kind = "late" if section in self.scene.late else "refused"
        if kind == "late":
            self.taken.aside.append(entry)
        why = (
            self.scene.late.get(section)
            or self.scene.over.get(section)
            or (f"[{section}] does not come up again this turn" if section else NOTHING_OPEN)
        )
        self.taken.changes.append(Change(kind, "", entry.text, section, why=why, number=number))
        return True

    def _stay(self, said: Command) -> None:
        """Process "stay": nothing is kept. ``L9: 8/4 stays`` takes L9 off, and so does ``8/4 stays`` with a
        faulty line about 8/4 alone; any other kept line that moves the units is reported. Below a heading it
        is about that section alone."""
        named = [line for line in self.sheet.lines if str(line.name) == said.argument]
        if said.argument and not named:
            self._refuse_command(f"L{said.argument}", said, self._missing(int(said.argument)))
            return
        units = set(said.names)
        here = [line for line in self.sheet.lines if line in named or self.below in ("", line.section)]
        for line in here:
            about = _actors(line) or set(line.about)
            corrects = line.state == "faulty" and line.name in self.earlier and about and about <= units
            if line in named or corrects:
                self.sheet.lines.remove(line)
                self.earlier.discard(line.name)
                left = sorted(_actors(line) - units) if units else []
                why = f"now without an order: {', '.join(left)}" if left else ""
                self.taken.note("withdrawn", line, why=why)
                self._touch(line.section)
        for line in here:
            both = _actors(line) & set(said.names)
            if both and line.name in self.earlier:
                why = f"{line.title} still says: {line.text}"
                words = f"{', '.join(sorted(both))} {'stay' if len(both) > 1 else 'stays'}"
                self._refuse_command(words, said, why, self._left(line, both) or (f"withdraw {line.title}",))
                return
        self.taken.stays += said.names or ("all others",)

    def _move(self, said: Command) -> None:
        """``after L9: L4`` puts L4 behind L9."""
        behind, line = self.sheet.named(int(said.argument)), self.sheet.named(int(said.names[0]))
        if behind is None or line is None or behind is line or behind.section != line.section:
            missing = int(said.argument if behind is None else said.names[0])
            why = (
                self._missing(missing)
                if behind is None or line is None
                else "both lines must be in the same section"
            )
            self._refuse_command(f"after L{said.argument}: L{said.names[0]}", said, why)
            return
        self.sheet.lines.remove(line)
        self.sheet.lines.insert(self.sheet.lines.index(behind) + 1, line)
        self.taken.note("moved", line, why=f"after {behind.title}")
        self._touch(line.section)

    # --- where a line goes ----------------------------------------------------------------------------------

    def _kept(self, section: str) -> list[SheetLine]:
        """The lines of earlier letters in a section that no line of this letter has dealt with."""
        return [line for line in self.sheet.of(section) if line.name in self.earlier]

    def _put(self, entry: SheetLine, spot: Spot | None, number: int) -> SheetLine:
        """Keep a line of this letter by the first rule that fits, and return it."""
        if spot is not None:
            return self._at_spot(entry, spot, number)
        placed = self._put_plain(entry, number)
        if entry.order is not None and entry.order.heads:
            self.heads.add(placed.name)
        return placed

    def _put_plain(self, entry: SheetLine, number: int) -> SheetLine:
        kept = self._kept(entry.section)
        if (same := next((line for line in kept if _is_same(line, entry)), None)) is not None:
            self.earlier.discard(same.name)
            self._wipe(entry)
            return self._again(same)
        self._wipe(entry)
        kept = self._kept(entry.section)
        if entry.line is None:
            return self._add(entry)
        stage = self._stage_in(entry.section)
        alike = [line for line in kept if _has_same_subject(line, entry, stage)]
        faulty = [line for line in alike if line.state == "faulty"]
        if len(faulty or alike) == 1:
            return self._replace((faulty or alike)[0], entry)
        ill = [line for line in kept if line.state == "faulty" and _is_instead_of(line, entry)]
        if ill and not alike:
            return self._replace(ill[0], entry)
        if shared := alike or [line for line in kept if _shares(line, entry)]:
            return self._unclear(entry, shared, number)
        return self._add(entry)

    def _stage_in(self, section: str) -> Callable[[SheetLine], int]:
        """What gives the place of a line of a section in the order of play, its lines being counted once."""
        lines, last = self.sheet.of(section), [self.last[section]] if section in self.last else []
        known: dict[int, int] = {}

        def stage(line: SheetLine) -> int:
            if not known:
                known.update(zip(map(id, lines), stages(lines), strict=True))
            if id(line) not in known:
                known[id(line)] = stages([*last, line])[-1]
            return known[id(line)]

        return stage

    def _again(self, line: SheetLine) -> SheetLine:
        """A line that is kept already: nothing changes."""
        self.earlier.discard(line.name)
        self.repeated.setdefault(line.section, []).append(line.name)
        self.taken.note("same", line)
        self.last[line.section] = line
        return line

    def _at_spot(self, entry: SheetLine, spot: Spot, number: int) -> SheetLine:
        """``L9: ...`` takes the place of L9, ``after L9: ...`` stands behind it."""
        kept = self.sheet.named(spot.name)
        if kept is None:
            text = f"{'after ' * spot.after}L{spot.name}: {entry.text}"
            faulty = replace(
                entry,
                state="faulty",
                why=self._missing(spot.name),
                line=None,
                meant=entry.lines,
                offers=(entry.text,),
            )
            self.taken.faults.append(
                (
                    f"L{self.sheet.next}",
                    Fault(number, text, OrderError(faulty.why, length=len(text)), entry.text),
                )
            )
            return self._add(faulty)
        entry.section = kept.section or entry.section
        if spot.after:
            before = self.last.get(entry.section)
            added = self._behind(kept, entry)
            if before is not None and not (entry.order and entry.order.heads):
                self.last[entry.section] = before
            elif not (entry.order and entry.order.heads):
                self.last.pop(entry.section, None)
            return added
        if kept.name in self.taken.new:  # several lines share a place
            return self._behind(self._tail(kept), entry)
        if _is_same(kept, entry):
            return self._again(kept)
        return self._replace(kept, entry)

    def _tail(self, line: SheetLine) -> SheetLine:
        """The last of the lines of this letter that share a place with another."""
        lines = self.sheet.of(line.section)
        at = lines.index(line)
        while at + 1 < len(lines) and lines[at + 1].name in self.taken.new:
            at += 1
        return lines[at]

    def _behind(self, line: SheetLine, entry: SheetLine) -> SheetLine:
        entry.name = self.sheet.take_name()
        self.sheet.lines.insert(self.sheet.lines.index(line) + 1, entry)
        return self._noted(entry, "kept")

    def _replace(self, kept: SheetLine, entry: SheetLine) -> SheetLine:
        """Replace a kept line; the new one takes its place and name."""
        entry.name = kept.name
        self.sheet.lines[self.sheet.lines.index(kept)] = entry
        self.earlier.discard(kept.name)
        self.bereft[len(self.taken.changes)] = sorted(_actors(kept) - _actors(entry))
        self.replaced[entry.name] = kept
        return self._noted(entry, "replaced", was=kept.text)

    def _add(self, entry: SheetLine) -> SheetLine:
        """A new line: behind the last line of this letter in its section, or under the head that has its
        units, or at the end."""
        entry.name = self.sheet.take_name()
        behind = self.last.get(entry.section) or self._head_of(entry)
        if self._stands_above(entry):
            self.sheet.lines.insert(self.sheet.lines.index(self.sheet.of(entry.section)[0]), entry)
        elif behind is not None and behind in self.sheet.lines:
            self.sheet.lines.insert(self.sheet.lines.index(behind) + 1, entry)
        else:
            self.sheet.lines.append(entry)
        return self._noted(entry, "kept")

    def _stands_above(self, entry: SheetLine) -> bool:
        """Whether a head belongs above the kept lines of its section, which have no such head."""
        kept = self._kept(entry.section)
        heads = [line.order is not None and line.order.outermost for line in self.sheet.of(entry.section)]
        return bool(kept) and entry.order is not None and entry.order.outermost and not any(heads)

    def _head_of(self, entry: SheetLine) -> SheetLine | None:
        """The last line below the head that is about the units of a line; None if there is none, or the line
        is a head."""
        if entry.order is not None and entry.order.heads:
            return None
        for group in groups(self.sheet.of(entry.section)):
            head = group[0].order
            if head is not None and head.heads and set(head.actors()) & _actors(entry):
                return group[-1]
        return None

    def _unclear(self, entry: SheetLine, shared: Sequence[SheetLine], number: int) -> SheetLine:
        """Refuse a line that may replace one of several or come after it; its writer must say which."""
        titles = " or ".join(f"{line.title} ({line.text})" for line in shared[:3])
        why = f"does it replace {titles}, or come after it?"
        offers = tuple(
            text
            for line in shared[:3]
            for text in (f"{line.title}: {entry.text}", f"after {line.title}: {entry.text}")
        )
        unclear = replace(entry, state="faulty", why=why, offers=offers, line=None, meant=entry.lines)
        error = OrderError(why, length=len(entry.text))
        unclear = self._add(unclear)
        self.taken.faults.append(
            (unclear.title, Fault(number, entry.text, error, "", entry.section, either=offers))
        )
        return unclear

    def _noted(self, entry: SheetLine, kind: str, **more: object) -> SheetLine:
        self.taken.note(kind, entry, **more)
        self.taken.new.append(entry.name)
        self.last[entry.section] = entry
        if kind == "replaced" or entry.line is not None:
            self._answered_for(entry)
        self._touch(entry.section)
        return entry

    def _answered_for(self, entry: SheetLine) -> None:
        """Remove the faulty lines that this one corrects."""
        for line in list(self.sheet.lines):
            offered = (
                line.name in self.earlier
                and line.state == "faulty"
                and any(_written_as(offer, entry) for offer in line.offers)
            )
            if offered:
                self.sheet.lines.remove(line)
                self.earlier.discard(line.name)
                self.taken.note("withdrawn", line, why=f"{entry.title} takes its place")

    def _touch(self, section: str) -> None:
        self.taken.touched.add(section)
        if self.sheet.reopen(section) and section not in self.taken.reopened:
            self.taken.reopened.append(section)

    # --- heads ----------------------------------------------------------------------------------------------

    def _wipe(self, entry: SheetLine) -> None:
        """A line below a head of this letter: what earlier letters have below that head begins afresh. A head
        with nothing below it but another head does not."""
        head = self.last.get(entry.section)
        if head is None or not self.heads:
            return
        lines = self.sheet.of(entry.section)
        group = next((group for group in groups(lines) if head in group), [])
        if not group or group[0].order is None or group[0].name not in self.heads:
            return
        heads, section = group[0].order.heads, entry.section
        whole = heads in ("section", "react")
        alone = entry.order is not None and entry.order.heads and not whole
        if (section, heads) in self.wiped or alone:
            return
        self.wiped.add((section, heads))
        gone = [line for line in (lines if whole else group) if line.name in self.earlier]
        if other := self._other_plan(group[0], gone):
            new, old = group[0].title, other.title
            self.taken.afresh[section] = (
                f"{new} is another plan than before, and the old lines below it are gone"
                if new == old
                else f"{new} takes the place of {old} and its lines"
            )
        for line in gone:
            self.sheet.lines.remove(line)
            self.earlier.discard(line.name)
            self.taken.note("withdrawn", line, why=f"{group[0].title} starts afresh")

    def _other_plan(self, head: SheetLine, gone: Sequence[SheetLine]) -> SheetLine | None:
        """A head among the lines that begin afresh, or in the place of the new one, which orders about other
        units: another plan, and no correction of it."""
        mine = _actors(head)
        before = [self.replaced[head.name]] if head.name in self.replaced and gone else []
        heads = (
            line for line in (*before, *gone) if line.order is not None and line.order.heads and _actors(line)
        )
        return next((line for line in heads if mine and mine.isdisjoint(_actors(line))), None)

    # --- at the end -----------------------------------------------------------------------------------------

    def finish(self) -> None:
        """Sort every section into the order of play, note sections that repeat only some lines, and name the
        units that no longer have an order."""
        for section in self.sheet.sections():
            lines = in_order(self.sheet.of(section))
            others = [line for line in self.sheet.lines if line.section != section]
            at = next(at for at, line in enumerate(self.sheet.lines) if line.section == section)
            before = [line for line in self.sheet.lines[:at] if line.section != section]
            self.sheet.lines = [*before, *lines, *others[len(before) :]]
        for section, names in self.repeated.items():
            self._muddle(section, names)
        ordered = {unit for line in self.sheet.lines for unit in _actors(line)}
        for at, units in self.bereft.items():
            if left := [unit for unit in units if unit not in ordered]:
                why = f"now without an order: {', '.join(left)}"
                self.taken.changes[at] = replace(self.taken.changes[at], why=why)

    def _muddle(self, section: str, repeated: list[int]) -> None:
        kept = [name for name in self.before.get(section, ()) if self.sheet.named(name)]
        left = [name for name in kept if name in self.earlier]
        order = [name for name in kept if name in repeated]
        if len(repeated) < 2 or (not left and order == repeated):
            return
        missing = ", ".join(f"L{name}" for name in left)
        why = (
            f"your email repeats lines of [{section}] but leaves out {missing}"
            if left
            else f"your email has the lines of [{section}] in a different order"
        )
        drop = (f"to drop {'them' if len(left) > 1 else 'it'}, send:  withdraw {missing}",) if left else ()
        offers = (*drop, f"to start over, send with all your lines:  new [{section}]")
        self.taken.muddled[section] = Change("refused", "", f"[{section}]", section, why=why, instead=offers)


# --- comparing lines ----------------------------------------------------------------------------------------


def _orders(line: SheetLine) -> list[Order]:
    return [each.order for each in line.lines]


def _actors(line: SheetLine) -> set[str]:
    return {unit for order in _orders(line) for unit in order.actors()}


def _targets(line: SheetLine) -> set[str]:
    return {hex for order in _orders(line) for hex in order.targets()}


def _is_same(kept: SheetLine, entry: SheetLine) -> bool:
    """Whether two lines say the same."""
    if kept.line is None or entry.line is None:
        return kept.line is entry.line and " ".join(kept.text.split()) == " ".join(entry.text.split())
    a, b = kept.line, entry.line
    return (a.order, a.conditions, a.otherwise, a.attempt) == (b.order, b.conditions, b.otherwise, b.attempt)


def _has_same_subject(kept: SheetLine, entry: SheetLine, stage: Callable[[SheetLine], int]) -> bool:
    """Rule 2: the same verb about exactly the same: all units of those that go, the target of an attack with
    an attacker in common."""
    if entry.order is None or not kept.lines:
        return False
    order, other = entry.order, kept.lines[0].order
    if order.verb != other.verb:
        return False
    if targets := order.targets():
        actors = set(order.actors()) & set(other.actors())
        same = set(targets) == set(other.targets()) and (
            bool(actors) or not order.actors() or not other.actors()
        )
    else:
        same = set(order.subjects()) == set(other.subjects())
    return same and stage(kept) == stage(entry)  # last: it counts through all lines before


def _sort(order: Order) -> str:
    return order.sort or order.verb


def _is_instead_of(ill: SheetLine, entry: SheetLine) -> bool:
    """Rule 3: whether a line may take the place of a faulty one: of the same kind and about a unit or target
    of it, or what was offered."""
    if any(_written_as(offer, entry) for offer in ill.offers):
        return True
    assert entry.order is not None
    mine = {*entry.order.actors(), *entry.order.targets()}
    if not ill.lines:
        same = ill.sort == _sort(entry.order) and not mine and not ill.about
        return same or (ill.sort in ("", _sort(entry.order)) and bool(mine & set(ill.about)))
    return any(
        _sort(order) == _sort(entry.order) and mine & {*order.actors(), *order.targets()}
        for order in _orders(ill)
    )


def _shares(kept: SheetLine, entry: SheetLine) -> bool:
    """Rule 4: the same verb about some of the same units."""
    assert entry.order is not None
    return any(
        order.verb == entry.order.verb
        and not order.targets()
        and set(order.actors()) & set(entry.order.actors())
        for order in _orders(kept)
        if order.actors()
    )


def _is_about_the_same(line: Line, kept: SheetLine) -> bool:
    """Whether a line without a heading may correct a kept one."""
    mine = {*line.order.actors(), *line.order.targets()}
    if not kept.lines:
        return kept.sort in ("", _sort(line.order)) and bool(mine & set(kept.about))
    theirs = _actors(kept) | _targets(kept)
    return any(_sort(order) == _sort(line.order) for order in _orders(kept)) and bool(mine & theirs)


def _written_as(offer: str, entry: SheetLine) -> bool:
    """Whether a line is what was offered or one line of it, with its heading or name or without."""
    said = " ".join(entry.text.split())
    return any(
        said in (" ".join(words.split()), " ".join(_unnamed(words).split())) for words in offer.splitlines()
    )


def _unnamed(words: str) -> str:
    """An offered line without the name or the section in front of it."""
    name, _, rest = words.partition(": ")
    return rest if rest and name.startswith(("L", "after L", "when ")) else words
