"""How a letter changes its writer's sheet: lines are added, replace others, are withdrawn, come late or are
refused.

Lines of one letter never replace one another. Against the lines of earlier letters the first rule that fits
applies. Every change to a kept line is noted, so that its writer reads of it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace

from pbem.engine.errors import OrderError
from pbem.engine.language import Command, Fault, Heading, Line, Order, Reading, Said
from pbem.engine.language.cover import CLOSES
from pbem.engine.language.model import ATTACK
from pbem.service.play.alike import actors_of, is_about_the_same, orders_of, targets_of
from pbem.service.play.placing import LineChange, Placing, Taken
from pbem.service.play.sheet import Sheet, SheetLine

CHANGES = re.compile(
    r"(?:(?:but )?(?:without|minus|less|not)|(?P<more>(?:and |but )?(?:also |now )?(?:with|plus|add)))\b"
    r"(?! (?:at least|max|more than|over|under)\b)",
    re.IGNORECASE,
)
"""What words behind the name of a kept line begin with that leave out some of its units, or add to them."""
NOTHING_OPEN = "no more orders are possible this turn"


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


def take(sheet: Sheet, reading: Reading, scene: Scene, letter: int) -> Taken:
    """Put what a letter says on a copy of the sheet."""
    placing = Placing(Taken(sheet.copy()), {line.name for line in sheet.lines})
    taking = _Taking(placing, scene, letter)
    taking.answers = any(said.name in ("answer", "settled", "defaults") for said in reading.commands)
    for said in reading.said:
        if isinstance(said, Command) and said.name in ("withdraw", "new"):
            taking.take_back(said)
    for said in reading.said:
        taking.say(said)
    placing.finish()
    taking.stay()
    taking.abstain()
    return placing.taken


class _Taking:
    """One letter being put on a sheet."""

    def __init__(self, placing: Placing, scene: Scene, letter: int) -> None:
        self.placing = placing
        self.taken = placing.taken
        self.sheet = placing.sheet
        self.earlier = placing.earlier
        self.scene = scene
        self.letter = letter
        self.answers = False
        """Whether the letter answers questions."""
        self.below = ""
        """The section of the heading in force; "" below none."""
        self.head: type[Order] | None = None
        """The kind of the last head below no heading, such as ``react``; None below any other."""
        self.headed = ""
        """The section of that head, to which the lines below it belong."""
        self.staying: list[tuple[Command, str]] = []
        """What the letter says of units that stay, each with the section of its heading."""
        self.abstaining: list[Command] = []
        """What it says that is not ordered."""

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
                        self._refuse(said, self.placing.missing(int(name)))
            case "targets":
                gone = [line for line in kept if set(said.names) & targets_of(line)]
            case _:
                gone = self._about(said, kept)
        self._remove(gone, said)
        if not gone and said.argument == "all":
            self.taken.changes.append(
                LineChange("idle", "", "withdraw all", said.text, why="no lines were kept")
            )
        elif not gone and len(self.taken.changes) == refused:
            self._refuse(said, f"no kept line{f' of [{said.text}]' * bool(said.text)} matches")

    def _about(self, said: Command, kept: Iterable[SheetLine]) -> list[SheetLine]:
        """Return the lines about only these units. A line that is also about others is refused."""
        units = set(said.names)
        gone: list[SheetLine] = []
        for line in kept:
            actors = actors_of(line)
            if actors and actors <= units:
                gone.append(line)
            elif actors & units and line.line is not None:
                left = ", ".join(unit for unit in line.line.order.actors() if unit not in units)
                why = f"{line.title} is also about {left}: {line.text}"
                self._refuse(said, why, (f"withdraw {line.title}", *self._left(line, units)))
        return gone

    def _left(self, line: SheetLine, gone: set[str]) -> tuple[str, ...]:
        """Return the line to send instead of one without some of its units, if there is one."""
        without = self._without(line.line, gone) if line.line is not None and actors_of(line) - gone else ""
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
            self.placing.take_off(line)
            self.placing.touch(line.section)

    def _refuse(self, said: Command, why: str, instead: tuple[str, ...] = ()) -> None:
        names = ", ".join(f"L{name}" if said.argument == "lines" else name for name in said.names)
        words = f"{said.name} {'attack on ' * (said.argument == 'targets')}{names}"
        self._refuse_command(words, said, why, instead)

    def _refuse_command(self, words: str, said: Command, why: str, instead: tuple[str, ...] = ()) -> None:
        """Refuse a command about kept lines; its letter closes nothing until that is clear."""
        self.taken.unclear.append(words)
        self.taken.changes.append(
            LineChange("refused", "", words, why=why, instead=instead, number=said.number)
        )

    # --- lines ----------------------------------------------------------------------------------------------

    def say(self, said: Said) -> None:
        """Process one element of the letter."""
        match said:
            case Heading():
                self.below, self.head, self.headed = said.section, None, ""
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
            case Command(name="abstain"):
                self.abstaining.append(said)
            case Command() if said.name in CLOSES:
                self.head, self.headed = None, ""

    def _begin(self, head: type[Order], section: str) -> None:
        """Let a head that stands below no heading take the lines below it into its section."""
        if not self.below:
            self.head, self.headed = head, section

    def _fault(self, fault: Fault) -> None:
        """Keep an unreadable line in its section as faulty."""
        if fault.command:
            self.taken.faults.append(("", fault))
            return
        fault = self._changed(fault)
        section = fault.section or self._section_of_fault(fault)
        offers = (fault.suggestion,) if fault.suggestion else fault.either
        text = fault.words or fault.text.strip()
        entry = self._entry(section, text, None, fault.error, offers, fault.meant)
        entry.about, entry.sort = fault.about, fault.sort
        if self._not_open(entry, fault.number):
            return
        entry = self.placing.put(entry, fault.spot, fault.number)
        self.taken.faults.append((entry.title, fault))
        if fault.heads is not None and fault.spot is None:
            self._begin(fault.heads, section)

    def _changed(self, fault: Fault) -> Fault:
        """Offer for ``L25: without 101AB`` and ``L25: with 82AB too`` what L25 is then."""
        found = CHANGES.match(fault.words)
        kept = self.sheet.named(fault.spot.name) if found and fault.spot and not fault.spot.after else None
        if found is None or kept is None or kept.line is None or self.scene.write is None:
            return fault
        order, units = kept.line.order, kept.line.order.actors()
        if found["more"] and getattr(order, "units", ()) == units and set(fault.about) - set(units):
            more = replace(order, units=tuple(dict.fromkeys((*units, *fault.about))))  # type: ignore[call-arg]
            return replace(
                fault, suggestion=f"{kept.title}: {self.scene.write(replace(kept.line, order=more))}"
            )
        if not found["more"] and fault.about and set(fault.about) < set(units):
            return replace(fault, suggestion="".join(self._left(kept, set(fault.about))))
        return fault

    def _section_of_fault(self, fault: Fault) -> str:
        if fault.spot and (line := self.sheet.named(fault.spot.name)):
            return line.section
        meant = next((line.section for line in fault.meant if line.section), "")
        return meant or self.headed or self.scene.asked

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
        placed = self._with_section(line)
        if placed is None:
            return
        entry = self._entry(placed.section, placed.text, placed)
        if self._not_open(entry, placed.number):
            return
        if placed.section not in self.taken.named:
            self.taken.named.append(placed.section)
        self.placing.put(entry, placed.spot, placed.number)
        if placed.order.heads and placed.spot is None:
            self._begin(type(placed.order), placed.section)

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
            for section, fitting in fits.items()
            for kept in self.placing.kept(section)
            if is_about_the_same(fitting, kept)
        ]
        faulty = [kept for kept in alike if kept.state == "faulty"]
        corrected = {kept.section for kept in faulty or alike}
        if len(corrected) == 1:
            return fits[corrected.pop()]
        if self.headed in fits and self.head is not None and line.order.verb not in self.head.bars:
            return fits[self.headed]
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
        entry = self.placing.put(entry, line.spot, line.number)
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
        self.taken.changes.append(LineChange(kind, "", entry.text, section, why=why, number=number))
        return True

    def _stay(self, said: Command) -> None:
        """Process "stay": nothing is kept. ``L9: 8/4 stays`` takes L9 off, and so does ``8/4 stays`` with a
        faulty line about 8/4 alone; any other kept line that moves the units is reported. Below a heading it
        is about that section alone."""
        named = [line for line in self.sheet.lines if str(line.name) == said.argument]
        if said.argument and not named:
            self._refuse_command(f"L{said.argument}", said, self.placing.missing(int(said.argument)))
            return
        units = set(said.names)
        here = [line for line in self.sheet.lines if line in named or self.below in ("", line.section)]
        for line in here:
            about = actors_of(line) or set(line.about)
            corrects = line.state == "faulty" and line.name in self.earlier and about and about <= units
            left = sorted(actors_of(line) - units) if units else []
            ready = self._left(line, units) if line in named and left else ()
            if ready:
                why = f"{line.title} is for {', '.join(left)} too"
                stay = "stay" if len(units) > 1 else "stays"
                self._refuse_command(f"{line.title}: {', '.join(sorted(units))} {stay}", said, why, ready)
                self.placing.touch(line.section)
            elif line in named or corrects:
                why = f"now without an order: {', '.join(left)}" if left else ""
                self.placing.take_off(line, why)
                self.placing.touch(line.section)
        self.staying.append((said, self.below))

    def stay(self) -> None:
        """Report the kept lines, of this letter or an earlier one, that move units of which the letter says
        that they stay."""
        for said, below in self.staying:
            for line in self.sheet.lines:
                both = actors_of(line) & set(said.names)
                acts = line.line is not None and line.line.order.place()  # not "activate with 1SS, 12SS"
                if both and below in ("", line.section) and (acts or line.name in self.earlier):
                    why = f"{line.title} {'still ' * (line.name in self.earlier)}says: {line.text}"
                    words = f"{', '.join(sorted(both))} {'stay' if len(both) > 1 else 'stays'}"
                    left = self._left(line, both) or (f"withdraw {line.title}",)
                    self._refuse_command(words, said, why, left)
                    self.placing.touch(line.section)
                    break
                if said.names and acts and _is_for_all(line) and below in ("", line.section):
                    why = f"{line.title} says: {line.text}, which is for all that can: name those that attack"
                    self._refuse_command(f"{', '.join(said.names)} stays", said, why)
                    self.placing.touch(line.section)
                    break
            else:
                if self.answers and not below:
                    words = f"{', '.join(said.names) or 'all others'}: staying"
                    self._refuse_command(words, said, "answers no question: say it as an answer")
                else:
                    self.taken.stays += said.names or ("all others",)

    def abstain(self) -> None:
        """Report the kept lines, of this letter or an earlier one, that order what it says is not ordered:
        ``no attacks``."""
        for said in self.abstaining:
            against = [
                line
                for line in self.sheet.lines
                if line.section in said.names and any(each.sort == said.argument for each in orders_of(line))
            ]
            for line in against:
                still = "still " * (line.name in self.earlier)
                why = f"{line.title} {still}says: {line.text}"
                self._refuse_command(said.text, said, why, (f"withdraw {line.title}",))
                self.placing.touch(line.section)
            if not against:
                self.taken.abstains.append(said.text)

    def _move(self, said: Command) -> None:
        """``after L9: L4`` puts L4 behind L9."""
        behind, line = self.sheet.named(int(said.argument)), self.sheet.named(int(said.names[0]))
        if behind is None or line is None or behind is line or behind.section != line.section:
            missing = int(said.argument if behind is None else said.names[0])
            why = (
                self.placing.missing(missing)
                if behind is None or line is None
                else "both lines must be in the same section"
            )
            self._refuse_command(f"after L{said.argument}: L{said.names[0]}", said, why)
            return
        self.sheet.lines.remove(line)
        self.sheet.lines.insert(self.sheet.lines.index(behind) + 1, line)
        self.taken.note("moved", line, why=f"after {behind.title}")
        self.placing.touch(line.section)


def _is_for_all(line: SheetLine) -> bool:
    """Whether a line is an attack by all that can make it."""
    return any(order.sort == ATTACK and not order.actors() for order in orders_of(line))
