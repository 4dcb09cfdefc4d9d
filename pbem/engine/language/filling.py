"""What the fields of an order hold, by what a clause says."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence, Set
from typing import Any

from pbem.engine.language.clauses import Clause
from pbem.engine.language.slots import expanded
from pbem.engine.language.usage import Slot, SlotType

ONE_OR_MORE = "one or more of "


class Misfit(Exception):
    """The clause fits no order of the kind."""


class Filling:
    """The units, hexes, numbers and words of a clause, put into the slots of a kind of order one after the
    other: into those first that it `needs`. `are_at` says whether the units of the clause are in a hex."""

    def __init__(
        self,
        types: Mapping[str, SlotType],
        slots: Sequence[Slot],
        needs: Set[str],
        clause: Clause,
        are_at: Callable[[str], bool],
    ) -> None:
        self.clause, self.needs, self.are_at = clause, needs, are_at
        self.slots = sorted(slots, key=lambda slot: (slot.field not in needs, slot.type is not types["unit"]))
        self.units, self.targets = tuple(clause.units), (*clause.via, *clause.targets)
        self.numbers, self.words = list(clause.numbers), list(clause.words)
        self.found: dict[str, Any] = {}
        self.several = ""
        """The field of which there is one for each unit or hex, an order each."""
        self.of_units = False
        """Whether these are units."""
        titles = {name: types[name].title for name in ("unit", "units", "path", "hexes", "hex", "number")}
        needed = [slot.type.title for slot in slots if slot.field in needs]
        self.apart = len(clause.subject) == 1 and {titles["unit"], titles["units"]} <= set(needed)
        """Whether the unit in front of the verb is one thing, and those behind it are another."""
        self.has_path = any(slot.type is types["path"] for slot in slots)
        self.one_number = sum(slot.type.title == titles["number"] for slot in slots) == 1
        self.takes = {
            titles["unit"]: self._unit,
            titles["units"]: self._units,
            titles["path"]: self._path,
            titles["hexes"]: self._hexes,
            titles["hex"]: self._hex,
            titles["number"]: self._number,
        }

    def values(self) -> list[dict[str, Any]] | None:
        """The fields, of several orders for what is given for each unit or hex; None if something is lacking
        or left over."""
        if self.clause.via and not self.clause.targets:
            return None
        try:
            for slot in self.slots:
                take = self.takes.get(slot.type.title)
                if slot.field not in self.found and not (take and take(slot.field, slot.field in self.needs)):
                    self._word(slot.field, slot.type.title)
        except Misfit:
            return None
        if self.units or self.targets or self.numbers or self.words or self.needs - set(self.found):
            return None
        return self._for_each() if self.several else [self.found]

    def _for_each(self) -> list[dict[str, Any]] | None:
        clause = self.clause
        if clause.kinds is None or (clause.numbers and not clause.each):
            return None  # "three airstrikes: 1523, 1524, 1525"
        every = clause.units if self.of_units else (*clause.via, *clause.targets)
        if not self.of_units and (clause.units or (not clause.each and len(every) > 6)):
            return None
        return [self.found | {self.several: each} for each in every]

    # --- what takes a part of the clause, and returns whether it did ---------------------------------------

    def _unit(self, field: str, needed: bool) -> bool:
        if not needed or not (self.units or self.apart):
            return False
        if self.apart:
            self.found[field] = self.clause.subject[0]
            self.units = tuple(each for each in self.units if each not in self.clause.subject)
            return True
        if len(self.units) > 1 and self.clause.company:
            raise Misfit  # "cover VII/US with 2 US fighters" covers no 2US
        if len(self.units) > 1:
            self.several, self.of_units = field, True
        self.found[field], self.units = self.units[0], ()
        return True

    def _units(self, field: str, needed: bool) -> bool:
        if not self.units or not (needed or field == "units"):
            return False
        self.found[field], self.units = expanded(self.units, self.clause.sets), ()
        return True

    def _path(self, field: str, needed: bool) -> bool:
        if not self.targets or not (needed or field == "path"):
            return False
        if needed and self.clause.joint == "on" and len(self.targets) > 1:
            if not self.are_at(self.targets[0]):
                raise Misfit
            self.targets = self.targets[1:]
        self.found[field], self.targets = self.targets, ()
        return True

    def _hexes(self, field: str, needed: bool) -> bool:
        if field == "origins" and self.clause.origin:
            self.found[field] = self.clause.origin
            return True
        if not self.targets or not needed:
            return False
        self.found[field], self.targets = self.targets, ()
        return True

    def _hex(self, field: str, needed: bool) -> bool:
        if not self.targets or not needed:
            return False
        several = len(self.targets) > 1
        if several and self.has_path and not self.clause.onward:
            raise Misfit
        if several and not self.has_path:
            self.several, self.of_units = field, False
        left = self.targets[1:] if self.has_path or not several else ()
        self.found[field], self.targets = self.targets[0], left
        return True

    def _number(self, field: str, needed: bool) -> bool:
        if not self.numbers or not (needed or (self.clause.counted and self.one_number)):
            return False
        self.found[field] = self.numbers.pop(0)
        return True

    def _word(self, field: str, title: str) -> None:
        """Words of the game, of the vocabulary with this title."""
        mine = [
            each
            for each in self.words
            if each[0].removeprefix(ONE_OR_MORE) == title.removeprefix(ONE_OR_MORE)
        ]
        many = title.startswith(ONE_OR_MORE)
        if mine:
            self.found[field] = tuple(each[1] for each in mine) if many else mine[0][1]
            self.words = [each for each in self.words if each not in (mine if many else mine[:1])]
