"""Where a line of a letter goes on its writer's sheet, and what becomes of the lines of earlier letters."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from pbem.engine.errors import OrderError
from pbem.engine.language import Fault, Spot
from pbem.service.play.alike import actors_of, has_same_subject, is_instead_of, is_same, shares, written_as
from pbem.service.play.sheet import Sheet, SheetLine, groups, in_order, stages


@dataclass(frozen=True, slots=True)
class LineChange:
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
class Taken:
    """What a letter has done to a sheet. `touched` are the sections in which anything has changed, `named`
    those that it has lines or headings for, `new` the names of its lines; `muddled` sections repeat kept
    lines but leave others out or change their order; `faults` are the lines of the letter to be corrected,
    each with the name under which it is kept ("" if it is not)."""

    sheet: Sheet
    changes: list[LineChange] = field(default_factory=list)
    touched: set[str] = field(default_factory=set)
    named: list[str] = field(default_factory=list)
    new: list[int] = field(default_factory=list)
    faults: list[tuple[str, Fault]] = field(default_factory=list)
    muddled: dict[str, LineChange] = field(default_factory=dict)
    reopened: list[str] = field(default_factory=list)
    aside: list[SheetLine] = field(default_factory=list)
    """Lines that came too late: KEEP puts them on the sheets that are open now."""
    stays: list[str] = field(default_factory=list)
    """Units that the letter orders to stay where they are."""
    afresh: dict[str, str] = field(default_factory=dict)
    """Sections in which a whole plan has taken the place of another, and which."""
    resumed: list[str] = field(default_factory=list)
    """The sections whose lines KEEP has put on the sheet."""
    abstains: list[str] = field(default_factory=list)
    """What it says that is not ordered: ``no attacks``."""
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
        self.abstains[:0] = first.abstains
        self.afresh = first.afresh | self.afresh
        self.unclear[:0] = first.unclear
        return self

    def note(self, kind: str, line: SheetLine, **more: object) -> None:
        self.changes.append(
            LineChange(kind, line.title, line.text, line.section, **more)  # type: ignore[arg-type]
        )


class Placing:
    """A sheet on which the lines of one letter find their places. `earlier` are the names of the lines of
    earlier letters that have not been dealt with."""

    def __init__(self, taken: Taken, earlier: set[int]) -> None:
        self.taken = taken
        self.sheet = taken.sheet
        self.earlier = earlier
        self.before = {
            section: [line.name for line in self.sheet.of(section)] for section in self.sheet.sections()
        }
        self.repeated: dict[str, list[int]] = {}
        self.last: dict[str, SheetLine] = {}
        """The last line of this letter in each section."""
        self.heads: set[int] = set()
        """The names of the heads that this letter writes out, not by the name of a kept line."""
        self.wiped: set[tuple[str, str]] = set()
        self.bereft: dict[int, list[str]] = {}
        """The units that a replaced line was about and the new one is not, by the place of the change."""
        self.replaced: dict[int, SheetLine] = {}
        """The lines that others have replaced, by name."""

    def kept(self, section: str) -> list[SheetLine]:
        """The lines of earlier letters in a section that no line of this letter has dealt with."""
        return [line for line in self.sheet.of(section) if line.name in self.earlier]

    def put(self, entry: SheetLine, spot: Spot | None, number: int) -> SheetLine:
        """Keep a line of this letter by the first rule that fits, and return it."""
        if spot is not None:
            return self._at_spot(entry, spot, number)
        placed = self._put_plain(entry, number)
        if entry.order is not None and entry.order.heads:
            self.heads.add(placed.name)
        return placed

    def _put_plain(self, entry: SheetLine, number: int) -> SheetLine:
        kept = self.kept(entry.section)
        if (same := next((line for line in kept if is_same(line, entry)), None)) is not None:
            self.earlier.discard(same.name)
            self._wipe(entry)
            return self._again(same)
        self._wipe(entry)
        kept = self.kept(entry.section)
        if entry.line is None:
            return self._add(entry)
        stage = self._stage_in(entry.section)
        alike = [line for line in kept if has_same_subject(line, entry, stage)]
        faulty = [line for line in alike if line.state == "faulty"]
        if len(faulty or alike) == 1:
            return self._replace((faulty or alike)[0], entry)
        ill = [line for line in kept if line.state == "faulty" and is_instead_of(line, entry)]
        if ill and not alike:
            return self._replace(ill[0], entry)
        if shared := alike or [line for line in kept if shares(line, entry)]:
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
                why=self.missing(spot.name),
                line=None,
                meant=entry.lines,
                offers=(entry.text,) if entry.line is not None else entry.offers,
            )
            if entry.line is not None:  # else what is wrong with the words is listed
                error = OrderError(faulty.why, length=len(text))
                self.taken.faults.append((f"L{self.sheet.next}", Fault(number, text, error, entry.text)))
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
        if is_same(kept, entry):
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
        self.bereft[len(self.taken.changes)] = sorted(actors_of(kept) - actors_of(entry))
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
        kept = self.kept(entry.section)
        heads = [line.order is not None and line.order.outermost for line in self.sheet.of(entry.section)]
        return bool(kept) and entry.order is not None and entry.order.outermost and not any(heads)

    def _head_of(self, entry: SheetLine) -> SheetLine | None:
        """The last line below the head that is about the units of a line; None if there is none, or the line
        is a head."""
        if entry.order is not None and entry.order.heads:
            return None
        for group in groups(self.sheet.of(entry.section)):
            head = group[0].order
            if head is not None and head.heads and set(head.actors()) & actors_of(entry):
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
        self.touch(entry.section)
        return entry

    def _answered_for(self, entry: SheetLine) -> None:
        """Remove the faulty lines that this one corrects."""
        for line in list(self.sheet.lines):
            offered = (
                line.name in self.earlier
                and line.state == "faulty"
                and any(written_as(offer, entry) for offer in line.offers)
            )
            if offered:
                self.take_off(line, f"{entry.title} takes its place")

    def take_off(self, line: SheetLine, why: str = "") -> None:
        """Take a kept line off the sheet."""
        self.sheet.lines.remove(line)
        self.earlier.discard(line.name)
        self.taken.note("withdrawn", line, why=why)

    def missing(self, name: int) -> str:
        """Why there is no line of this name: names are never given twice."""
        if 0 < name < self.sheet.next:
            return f"L{name} is no longer on your sheet: it was played or withdrawn"
        return f"there is no line L{name}"

    def touch(self, section: str) -> None:
        """Note that a section has changed: one that was closed is open again."""
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
            self.take_off(line, f"{group[0].title} starts afresh")

    def _other_plan(self, head: SheetLine, gone: Sequence[SheetLine]) -> SheetLine | None:
        """A head among the lines that begin afresh, or in the place of the new one, which orders about other
        units: another plan, and no correction of it."""
        mine = actors_of(head)
        before = [self.replaced[head.name]] if head.name in self.replaced and gone else []
        heads = (
            line
            for line in (*before, *gone)
            if line.order is not None and line.order.heads and actors_of(line)
        )
        return next((line for line in heads if mine and mine.isdisjoint(actors_of(line))), None)

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
        ordered = {unit for line in self.sheet.lines for unit in actors_of(line)}
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
        self.taken.muddled[section] = LineChange(
            "refused", "", f"[{section}]", section, why=why, instead=offers
        )
