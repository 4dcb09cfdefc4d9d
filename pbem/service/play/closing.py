"""Which sections a letter closes (DONE, FINAL and NO ORDERS) and what keeps a section open.

Only a closed section is played when its turn comes. So only explicit words close a section, and not while any
line meant for it is in doubt.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise

from pbem.engine.language import Command, Heading, Reading
from pbem.engine.wording import count
from pbem.service.play.judging import Judgement
from pbem.service.play.placing import Taken
from pbem.service.play.sheet import Sheet, SheetLine
from pbem.service.play.taking import Scene


@dataclass(slots=True)
class Closing:
    """What has been closed. `held` are the sections that wait for a later one of the same letter that has
    faults; `open` those that were to be closed and stay open, with the reason; `empty` those without lines,
    of which the reply asks whether that is meant; `over` those that have been played already. `left_out` are
    the faulty lines that DONE ANYWAY goes without, `lacking` what it leaves to the default. `always` tells
    that a standing order closed them."""

    closed: list[str] = field(default_factory=list)
    held: dict[str, str] = field(default_factory=dict)
    open: dict[str, str] = field(default_factory=dict)
    empty: list[str] = field(default_factory=list)
    over: list[str] = field(default_factory=list)
    full: list[str] = field(default_factory=list)
    left_out: list[SheetLine] = field(default_factory=list)
    lacking: dict[str, str] = field(default_factory=dict)
    emptied: list[str] = field(default_factory=list)
    """Sections that NO ORDERS ALL means, or STANDING EMPTY: CLOSE: those without lines."""
    standing_empty: bool = False
    anyway: bool = False
    always: bool = False
    nothing: bool = False
    """DONE was written with no open request and no lines."""
    unread: list[str] = field(default_factory=list)
    """The sections among `open` in which lines were not read."""
    none_empty: bool = False
    """NO ORDERS ALL was said, and no section is empty."""
    lost: bool = False
    """DONE was said below a heading that is not known."""


def close(reading: Reading, taken: Taken, judgement: Judgement, scene: Scene, draft: str = "") -> Closing:
    """Close what a letter says is done, on the sheet that it has been taken to. `draft` says why the whole
    letter is only a draft; "" if it is not."""
    return _Closer(reading, taken, judgement, scene, draft).close()


class _Closer:
    def __init__(
        self, reading: Reading, taken: Taken, judgement: Judgement, scene: Scene, draft: str
    ) -> None:
        self.reading = reading
        self.taken = taken
        self.sheet: Sheet = taken.sheet
        self.judgement = judgement
        self.scene = scene
        self.draft = draft or ("you wrote DRAFT" if self._said("draft") else "")
        self.found = Closing(anyway=any(said.text == "anyway" for said in self._said("done", "final")))
        self.anyway: set[str] = set()
        """The sections of which the letter says DONE ANYWAY: no other goes without its faulty lines."""

    def close(self) -> Closing:
        self._reopen()
        wanted = self._wanted()
        for section in wanted:
            if why := self.draft or self._why_open(section) or self._why_not_empty(section):
                self.found.open[section] = why
                if not self.draft and not self._whole_letter_waits and self._unread_in(section):
                    self.found.unread.append(section)
        good = [section for section in wanted if section not in self.found.open]
        for section in good:
            behind = "" if section in self.sheet.closed else self._waits_for(section, wanted)
            if behind:
                self.found.held[section] = behind
            else:
                self._close(section)
        for section in (*self.found.open, *self.found.full):
            if self.sheet.reopen(section):  # closed by an earlier letter
                self.taken.reopened.append(section)
        for section, behind in self.found.held.items():
            if behind not in self.sheet.closed and section not in self.sheet.held:
                self.sheet.held.append(section)
        return self.found

    def _reopen(self) -> None:
        """Open again what earlier letters closed, where lines that were not read may be about it: those of
        its section, and those of none unless the letter answers questions. A letter that says no more than
        that it is a draft opens all."""
        draft = bool(self._said("draft")) and not self.reading.orders and not self.reading.faults
        answers = bool(self._said("answer", "settled", "defaults"))
        for section in self.scene.open:
            about = any(
                each.section == section or not (each.section or answers) for each in self.reading.holding
            )
            if (draft or (about and not self.found.anyway)) and self.sheet.reopen(section):
                self.taken.reopened.append(section)

    def _said(self, *names: str) -> list[Command]:
        return [command for command in self.reading.commands if command.name in names]

    # --- what is to be closed -------------------------------------------------------------------------------

    def _wanted(self) -> list[str]:
        """The sections that the letter says are done, in the order of play."""
        wanted: dict[str, None] = {}
        for said in self._said("done", "none", "final"):
            sections = self._sections_of(said)
            if said.text == "anyway":
                self.anyway.update(sections)
            for section in sections:
                if self._may_close(section, said):
                    wanted[section] = None
        if self.sheet.empty and self._said("final") and not self._doubtful:
            new = [section for section in self._without_lines() if section not in wanted]
            self.found.emptied += new
            self.found.standing_empty = bool(new)
            self.found.nothing &= not new
            wanted |= dict.fromkeys(new)
        if not wanted and self.sheet.always and not self.draft and not self._whole_letter_waits:
            wanted = dict.fromkeys(self._with_new_lines())
            self.found.always = bool(wanted)
        self.found.empty = [section for section in self.found.empty if section not in wanted]
        both = set() if self.found.anyway else set(self.found.full)  # no orders, and done with them
        return [section for section in self.scene.open if section in wanted and section not in both]

    def _sections_of(self, said: Command) -> Sequence[str]:
        if said.name == "final":
            sections = [section for section in self.sheet.sections() if section in self.scene.open]
            self.found.nothing |= not sections
            return sections
        if said.argument == "all":
            self.found.emptied = self._without_lines()
            self.found.none_empty = not self.found.emptied
            return self.found.emptied
        if said.argument == "lost":
            self.found.lost = True
            return ()
        if said.names:
            return said.names
        if said.name == "done" and self.taken.resumed:
            return self.taken.resumed
        section = self.scene.answered or self.scene.asked
        self.found.nothing |= not section
        return (section,) if section else ()

    def _without_lines(self) -> list[str]:
        """The open sections without lines that come up in a known order."""
        return [
            section
            for section in self.scene.open
            if not self.sheet.of(section)
            and not any(section in each for each in (self.scene.drawn, self.scene.late, self.sheet.closed))
        ]

    def _may_close(self, section: str, said: Command) -> bool:
        if section not in self.scene.open or section in self.scene.late:
            self.found.over.append(section)
        elif said.name == "none" and self.sheet.of(section):
            self.found.full.append(section)
        elif said.name == "done" and not self.sheet.of(section) and section not in self._meant_empty:
            self.found.empty.append(section)
        else:
            return True
        return False

    @cached_property
    def _meant_empty(self) -> set[str]:
        """The sections which DONE closes without lines, as this letter says: by DONE ANYWAY, or since their
        units stay where they are."""
        empty, section = set(self.anyway), self.scene.answered or self.scene.asked
        for said in self.reading.said:
            if isinstance(said, Heading):
                section = said.section
            elif isinstance(said, Command) and said.name == "stay" and not said.argument:
                empty.add(section)
        return empty

    def _with_new_lines(self) -> list[str]:
        kinds = ("kept", "same", "replaced")
        return list(dict.fromkeys(change.section for change in self.taken.changes if change.kind in kinds))

    # --- what keeps it open ---------------------------------------------------------------------------------

    @cached_property
    def _whole_letter_waits(self) -> str:
        """Why this letter closes nothing at all; "" if it may."""
        for fault in self.reading.faults:
            if fault.fatal:
                name = fault.text.split()[0].rstrip(":")
                return f"the {name.lower()} in this letter has no END {name}"
        if self.found.anyway:
            return ""
        faulty = [fault.text.strip() for fault in self.reading.faults if fault.command]
        return next((f'"{words}" needs correcting' for words in (*faulty, *self.taken.unclear)), "")

    @cached_property
    def _doubtful(self) -> bool:
        """Whether any line of this letter may have been meant for a section that it leaves empty."""
        unclear = self.reading.faults or self.reading.holding
        return bool(self.draft) or (bool(unclear) and not self.found.anyway)

    def _why_open(self, section: str) -> str:
        return self._whole_letter_waits or ("" if section in self.anyway else self._fault_in(section))

    def _why_not_empty(self, section: str) -> str:
        """What may belong into a section that is to be closed as empty: lines below a heading that is not
        known, and faulty ones without a heading."""
        if section not in self.found.emptied:
            return ""
        for heading, below in pairwise(self.reading.said):
            unknown = isinstance(heading, Heading) and not heading.section
            if unknown and not isinstance(below, Heading | Command):
                return f"the heading {heading.text.strip()} is unknown"
        names = [line.title for line in self.sheet.faulty() if line.section not in self.scene.open]
        return f"{', '.join(names)} {'have' if len(names) > 1 else 'has'} no heading" if names else ""

    def _fault_in(self, section: str) -> str:
        """What needs correcting in a section before it can be closed; "" if nothing does."""
        faulty = [verdict.line.title for verdict in self.judgement.faulty(section)]
        if faulty:
            return f"{', '.join(faulty)} {'need' if len(faulty) > 1 else 'needs'} correcting"
        if section in self.taken.muddled:
            return self.taken.muddled[section].why
        if section in self.taken.afresh:
            return self.taken.afresh[section]
        if unread := self._unread_in(section):
            return f"{count(unread, 'line')} {'were' if unread > 1 else 'was'} not read"
        if section in self.judgement.lacks:
            return str(self.judgement.lacks[section])
        return ""

    def _unread_in(self, section: str) -> int:
        """How many lines that were not read may belong to a section: they stand in it, or under no heading
        at all."""
        return sum(each.section in ("", section) for each in self.reading.holding)

    def _waits_for(self, section: str, wanted: Sequence[str]) -> str:
        """The later section of the same letter, of the same plan, whose faults hold this one back; "" if none
        does."""
        if section in self.scene.drawn or section in self.anyway:
            return ""
        later = list(self.scene.open)[list(self.scene.open).index(section) + 1 :]
        spoken = {*wanted, *(line.section for _, line in self._faulty_now)}
        return next(
            (
                other
                for other in later
                if other not in self.scene.drawn
                and other not in self.anyway
                and other in spoken
                and self._fault_in(other)
            ),
            "",
        )

    @cached_property
    def _faulty_now(self) -> list[tuple[str, SheetLine]]:
        """The faulty lines that came with this letter."""
        return [
            (verdict.line.section, verdict.line)
            for verdict in self.judgement.faulty()
            if verdict.line.name in self.taken.new
        ]

    # --- closing --------------------------------------------------------------------------------------------

    def _close(self, section: str) -> None:
        """Close a section, and those before it that have been waiting for it."""
        if section in self.anyway:
            self._leave_out(section)
        order = list(self.scene.open)
        for held in list(self.sheet.held):
            before = held in order and order.index(held) < order.index(section)
            if before and not self._fault_in(held) and section not in self.scene.drawn:
                self.sheet.close(held)
                self.found.closed.append(held)
        self.sheet.close(section)
        self.found.closed.append(section)

    def _leave_out(self, section: str) -> None:
        for verdict in self.judgement.faulty(section):
            self.sheet.lines.remove(verdict.line)
            self.found.left_out.append(verdict.line)
        if section in self.judgement.lacks:
            self.found.lacking[section] = str(self.judgement.lacks[section])
