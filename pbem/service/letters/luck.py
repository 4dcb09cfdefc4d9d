"""The luck report: how high the dice of a game fell, against the exact distribution of their sum.

What is compared are faces, and nothing else. They are recorded for every open die, and their chances are the
same in any game. The report says "high" and "low", never good or bad luck: which end of a die helps whom is
known to the tables of each game alone, and often depends on the next decision. Neither is on record:
`Chance.low` is a hint for checks of orders, set only where these need it, and the log of what other faces
would have led to (rolls/happened.py) ends at the next decision and has no measure that the games share.

- A die belongs to the side whose order was carried out when it was rolled, or else to the only side whose
  orders of the phase name what it decided. If there is none, it is a die of neither side.
- Draws (chits, counters) have no faces; dice that a moderator has set are no chance; sealed dice are known to
  nobody before the end: none of them counts.
- A roll that a ruling threw again counts as it was thrown last, since that was played. The report then says
  that its chances are no longer exact, because nobody asks to throw a good roll again.
- A seat's report has only rolls of which its log tells, or which no note tells of once their phase is over
  (letters prove these too).
- Chances are exact for this many dice with these numbers of sides. Where a result decides whether a further
  die is rolled, how many there are is chance too, which the report leaves out of account.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import accumulate
from math import ceil, floor
from typing import Any

from pbem.engine.dice import is_set, parse_dice, ruling_of
from pbem.engine.notes import UMPIRE
from pbem.engine.pips import Sums, corrected, corridor
from pbem.engine.wording import count, percent
from pbem.render.luck import COLUMNS, Course, Report, Row
from pbem.service.letters.caselist import titles
from pbem.service.letters.log import Part, readable
from pbem.service.letters.rolls.words import names_any
from pbem.service.play.steps import Step
from pbem.service.record.rows import JournalRow
from pbem.service.record.table import Table
from pbem.service.record.turn_dice import Roll

FEWEST = 5
"""Groups of fewer dice are not looked at: hardly any result of theirs could be unusual."""

ALARM = Fraction(5, 100)
"""What is called unusual comes in at most this share of fair games, all looks taken together."""

_DECIDED = re.compile(r"[a-z-]+(?: [a-z-]+)*?(?=,| (?:at|of|on|for|in|from|to|against)\b|$)")
"""What a die decides, without the units and hexes: ``attack hits`` of ``attack hits, combat at 1411``."""

RAREST = Fraction(1, 1_000_000)
"""No smaller chance is written out."""

LONGEST = 32
"""The longest name of a group in the table, which is to fit into a letter."""

SIDES, RULES, TURNS = "By the side whose order led to them", "By rule", "By turn"
"""What the dice are grouped by, as the table says it."""

NEITHER = "neither side"


@dataclass(frozen=True, slots=True)
class Thrown:
    """The dice of a roll: all have the same number of `sides`. `side` is the title of the seat whose order
    led to it, `kind` its rulebook case with the title, or with what it decides."""

    number: int
    turn: int
    side: str
    kind: str
    sides: int
    faces: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Group:
    """The dice of one look: how many, their sum and what fair dice show on average.

    `chance` is the share of fair throws of these dice that miss the average by as much or more, to either
    side; `corrected` is the same as Holm corrects it for the number of looks.
    """

    by: str
    name: str
    dice: int
    sum: int
    expected: Fraction
    chance: Fraction
    corrected: Fraction

    @property
    def unusual(self) -> bool:
        return self.corrected <= ALARM

    @property
    def called(self) -> str:
        """What the dice are called within a sentence."""
        if not self.by:
            return f"the {count(self.dice, 'die')}"
        if self.by == SIDES and self.name != NEITHER:
            return f"the {self.name} dice"
        return f"the dice of {self.name}"

    def told(self) -> str:
        """Return the sum beside that of fair dice."""
        off = self.sum - self.expected
        if not off:
            return f"{self.sum:,}, just the average of fair dice"
        more = "more" if off > 0 else "less"
        return f"{self.sum:,}, {_number(abs(off))} {more} than fair dice on average"

    @property
    def tends(self) -> str:
        return "high" if self.sum > self.expected else "low" if self.sum < self.expected else "even"


@dataclass(frozen=True, slots=True)
class Luck:
    """The luck report of a game for one reader. `groups` begins with all dice; `few` are the names of groups
    with too few dice to be looked at, `again` and `fixed` the rolls that a ruling has thrown or set."""

    game: str
    reader: str
    groups: tuple[Group, ...]
    few: tuple[str, ...] = ()
    again: tuple[int, ...] = ()
    fixed: tuple[int, ...] = ()
    thrown: tuple[Thrown, ...] = ()
    colours: Mapping[str, str] = field(default_factory=dict)
    """The colours of each side, by its title."""

    @property
    def title(self) -> str:
        """What the picture is called."""
        knows = "" if self.reader == UMPIRE else f", as {self.reader} knows them"
        return f"The dice of {self.game}{knows}"

    def headline(self) -> str:
        """Return the result in plain words."""
        if not self.groups:
            return f"Too few dice to tell: a look needs {FEWEST}."
        whole, looks = self.groups[0], len(self.groups)
        odd = [group for group in self.groups if group.unusual]
        if odd:
            first = min(odd, key=lambda group: group.corrected)
            return (
                f"Unusual: {first.called} show {first.told()}. Among {count(looks, 'look')}, fair dice show "
                f"anything so unlikely in at most {_of_games(first.corrected, ceil, floor)}."
            )
        return (
            f"Nothing unusual: {whole.called} show {whole.told()}. Fair dice are as far off, or further, in "
            f"{_of_games(whole.chance)}."
        )

    def sentences(self) -> list[str]:
        """Return the result in plain words, and what is the least likely of all that was looked at."""
        lines = [self.headline()]
        if len(self.groups) > 1 and not any(group.unusual for group in self.groups):
            least = min(self.groups, key=lambda group: group.chance)
            looks = count(len(self.groups), "look")
            lines.append(
                f"The least likely of {looks}: {least.called} are {least.tends}, by chance in "
                f"{_of_games(least.chance)} if looked at alone, "
                + (
                    f"in up to {_of_games(least.corrected, ceil, floor)} with all looks counted."
                    if least.corrected < 1
                    else "which says nothing once all looks are counted."
                )
            )
        return lines

    def rows(self) -> Iterator[Row]:
        """Yield the table, a row for each group."""
        for group in self.groups:
            off = float(group.sum - group.expected)
            average, chance = f"{float(group.expected):.1f}", _rarely(group.chance)
            cells = (str(group.dice), str(group.sum), average, f"{off:+.1f}", chance)
            yield Row(group.by, group.name, cells, group.unusual)

    def lines(self) -> list[str]:
        """Return the report in words: the result, a table, and what it leaves out."""
        lines = self.sentences()
        if not self.groups:
            return lines
        wide = 2 + min(LONGEST, max(len(group.name) for group in self.groups))
        lines += ["", f"{'':<{wide}}{_in_columns(COLUMNS)}"]
        by = ""
        for row in self.rows():
            if row.by != by:
                by = row.by
                lines.append(by)
            name = row.name if len(row.name) <= LONGEST else f"{row.name[: LONGEST - 1].rstrip()}…"
            mark = " *" if row.unusual else ""
            lines.append(f"{f'  {name}' if by else name:<{wide}}{_in_columns(row.cells)}{mark}")
        return [*lines, "", *self.remarks()]

    def on_page(self) -> Report:
        """Return the report as a page shows it."""
        remarks = tuple(self.remarks()) if self.groups else ()
        return Report(tuple(self.sentences()), tuple(self.courses()), tuple(self.rows()), remarks)

    def between(self, first: int, last: int) -> Luck:
        """Return the report on the rolls from one number to another alone."""

        def within(numbers: Iterable[int]) -> tuple[int, ...]:
            return tuple(number for number in numbers if first <= number <= last)

        dice = [roll for roll in self.thrown if first <= roll.number <= last]
        luck = report(self.game, self.reader, dice, self.colours)
        return replace(luck, again=within(self.again), fixed=within(self.fixed))

    def remarks(self) -> Iterator[str]:
        """Yield what is to be known of the table."""
        yield "By chance: how often fair dice are as far off, or further, to either side."
        if any(group.unusual for group in self.groups):
            looks = count(len(self.groups), "look")
            yield f"*: unusual. {looks} find such a group in at most {percent(ALARM)} of fair games."
        yield "High is not always good: each game says which end of a die helps whom."
        if self.few:
            yield f"Fewer than {FEWEST} dice, not looked at: {', '.join(self.few)}."
        if self.again:
            rolls = count(len(self.again), "roll")
            yield f"{rolls} thrown again or anew for a ruling: counted as thrown last."
        if self.fixed:
            yield f"{count(len(self.fixed), 'roll')} set by the moderator: not counted."
        if self.again or self.fixed:
            yield "As nobody asks for a ruling after a good roll, these chances are not exact."

    @property
    def drawable(self) -> bool:
        """Whether any side, or neither, has enough dice for a picture."""
        sides = Counter(roll.side for roll in self.thrown for _ in roll.faces)
        return any(many >= FEWEST for many in sides.values())

    def courses(self) -> Iterator[Course]:
        """The way of each side's dice and of those of neither, for the picture; none of too few dice."""
        for side in dict.fromkeys([*self.colours, NEITHER]):
            dice = [(roll, face) for roll in self.thrown if roll.side == side for face in roll.faces]
            if len(dice) < FEWEST:
                continue
            off = accumulate(face - Fraction(roll.sides + 1, 2) for roll, face in dice)
            turns = [roll.turn for roll, _ in dice]
            yield Course(
                side,
                self.colours.get(side, "neutral"),
                tuple(map(float, off)),
                float(corridor([roll.sides for roll, _ in dice])),
                {turn: turns.index(turn) for turn in dict.fromkeys(turns)},
            )

    def facts(self) -> dict[str, Any]:
        """Return the report as plain values."""
        return {
            "game": self.game,
            "reader": self.reader,
            "headline": self.headline(),
            "groups": [
                {
                    "by": group.by,
                    "name": group.name,
                    "dice": group.dice,
                    "sum": group.sum,
                    "expected": float(group.expected),
                    "chance": float(group.chance),
                    "corrected": float(group.corrected),
                    "unusual": group.unusual,
                }
                for group in self.groups
            ],
            "few": list(self.few),
            "again": len(self.again),
            "fixed": len(self.fixed),
        }


def luck_of(table: Table, here: Step, reader: str = UMPIRE) -> Luck:
    """Return the luck report of the game at a table, as a seat or the umpire may know it."""
    rolls = list(known_rolls(table, here, reader))
    dice = list(thrown(table, rolls))
    counted = {each.number for each in dice}
    again = tuple(roll.number for roll in rolls if roll.number in counted and ruling_of(roll.label) > 0)
    fixed = tuple(roll.number for roll in rolls if is_set(roll.label))
    return replace(report(table.row.id, reader, dice, _colours(table)), again=again, fixed=fixed)


def at_the_end(table: Table, here: Step, reader: str) -> tuple[Part, ...]:
    """The part about the dice in the letter that ends a game; none if there were too few."""
    luck = luck_of(table, here, reader)
    more = "LUCK sends the whole report, with a picture."
    return (Part("Luck", (luck.headline(), more)),) if luck.groups else ()


def report(game: str, reader: str, dice: Sequence[Thrown], colours: Mapping[str, str] | None = None) -> Luck:
    """Return the report on dice, in the order in which they were thrown. `colours` are those of each side."""
    looks: dict[tuple[str, str], list[Thrown]] = {("", "all dice"): list(dice)}
    looks |= {(SIDES, side): [] for side in colours or {}}
    looks |= {(RULES, kind): [] for kind, _ in Counter(roll.kind for roll in dice).most_common()}
    for roll in dice:
        looks.setdefault((SIDES, roll.side), []).append(roll)
        looks[RULES, roll.kind].append(roll)
        looks.setdefault((TURNS, f"turn {roll.turn}"), []).append(roll)
    order = ["", SIDES, RULES, TURNS]
    looks = dict(sorted(looks.items(), key=lambda look: order.index(look[0][0])))
    groups: list[tuple[str, str, int, int, Sums]] = []
    few: list[str] = []
    seen: set[tuple[int, ...]] = set()
    for (by, name), rolls in looks.items():
        sides = [roll.sides for roll in rolls for _ in roll.faces]
        numbers = tuple(sorted(roll.number for roll in rolls))
        if len(sides) < FEWEST:
            few += [f"dice of {name}" if name == NEITHER else name] if by and sides else []
        elif numbers not in seen:  # all dice of one side are one look, not two
            seen.add(numbers)
            groups.append((by, name, len(sides), sum(sum(roll.faces) for roll in rolls), Sums(sides)))
    chances = [sums.chance(total) for _, _, _, total, sums in groups]
    return Luck(
        game,
        reader,
        tuple(
            Group(by, name, many, total, sums.expected, chance, holm)
            for (by, name, many, total, sums), chance, holm in zip(
                groups, chances, corrected(chances), strict=True
            )
        ),
        tuple(few),
        thrown=tuple(dice),
        colours=colours or {},
    )


# --- which rolls --------------------------------------------------------------------------------------------


def known_rolls(table: Table, here: Step, reader: str) -> Iterator[Roll]:
    """The open rolls of which a reader may know: the log tells it of them, or tells nobody and their phase is
    over."""
    phases = {phase.label: phase for phase in table.record.phases()}
    telling: dict[int, list[dict[str, Any]]] = {}
    for phase in phases.values():
        for note in phase.notes if phase.ended else [note.facts() for note in here.notes]:
            for number in {int(note.get("roll", 0)), int(note.get("lots", 0))} - {0}:
                telling.setdefault(number, []).append(note)
    for roll in table.dice.rolls():
        notes = telling.get(roll.number, ())
        untold = not notes and phases[roll.phase].ended
        if reader == UMPIRE or untold or any(readable(note, reader) for note in notes):
            yield roll


def thrown(table: Table, rolls: Iterable[Roll]) -> Iterator[Thrown]:
    """The dice of rolls, those that are chance and have faces."""
    chancy = [
        (roll, dice) for roll in rolls if not is_set(roll.label) and not (dice := parse_dice(roll.label)).pool
    ]
    leads, kinds = leading(table), kinds_of(table.game.key, [roll.label for roll, _ in chancy])
    for roll, dice in chancy:
        seat = leads[roll.row]
        yield Thrown(
            roll.number,
            roll.turn,
            table.game.seat(seat).title if seat else NEITHER,
            kinds[roll.label],
            dice.sides,
            tuple(int(face) for face in roll.faces),
        )


def kinds_of(game: str, labels: Sequence[str]) -> dict[str, str]:
    """The kind of roll that each label names: its case with the title (``6.2 Op-fire``), or with what is
    decided where one case has dice for several things (``9.5 attack hits``)."""
    cases = titles(game)
    decided: dict[str, set[str]] = {}
    named = {}
    for label in labels:
        case, _, what, *_ = label.split("|")
        found = _DECIDED.match(what)
        named[label] = case, found[0] if found else ""
        decided.setdefault(case, set()).add(named[label][1])
    return {
        label: f"{case} {words if words and len(decided[case]) > 1 else cases.get(case, '')}".rstrip()
        for label, (case, words) in named.items()
    }


def leading(table: Table) -> dict[int, str]:
    """The seat whose order led to each die, by its row in the journal; "" for none."""
    found: dict[int, str] = {}
    running, phase = "", 0
    given: list[tuple[str, Any]] = []
    for row in table.record.rows(1, "answer"):
        if row.phase != phase:
            running, phase, given = "", row.phase, []
        if row.entry().dice:
            what = row.asked.split("|")[2]
            named = {seat for seat, said in given if names_any(what, said)}
            found[row.number] = running or (named.pop() if len(named) == 1 else "")
        elif (order := _order(row)) is not None:
            running = order[0]
            given.append(order)
        elif row.answer is None:
            running = ""  # that is all
    return found


def _order(row: JournalRow) -> tuple[str, dict[str, Any]] | None:
    """The order that an answer is, with its seat and without its verb; None for any other answer."""
    seat, said = row.asked.split("|")[1], row.answer
    if isinstance(said, list) and len(said) == 2 and isinstance(said[0], str):  # the first of several seats
        seat, said = said
    if not isinstance(said, dict) or "verb" not in said:
        return None
    return seat, {name: value for name, value in said.items() if name != "verb"}


def _colours(table: Table) -> dict[str, str]:
    seats = (table.game.seat(key) for key in table.seats)
    return {seat.title: seat.side for seat in seats}


# --- words --------------------------------------------------------------------------------------------------


def _in_columns(cells: Iterable[str]) -> str:
    """The cells of a row of the table, below one another."""
    return "".join(f"{cell:>{wide}}" for cell, wide in zip(cells, (5, 7, 9, 8, 12), strict=True))


def _number(pips: Fraction) -> str:
    return f"{float(pips):,.1f}".removesuffix(".0")


def _of_games(
    chance: Fraction,
    hundredth: Callable[[Fraction], int] = round,
    nth: Callable[[Fraction], int] = round,
) -> str:
    """A chance as a number of games: ``43 of 100 games``, ``1 of 2,500 games``. `hundredth` and `nth` say how
    it is rounded."""
    hundred = hundredth(100 * chance)
    if chance == 1:
        return "every game"
    if hundred >= 2:
        return f"{hundred} of 100 games" if hundred < 100 else "nearly every game"
    return f"1 of {nth(1 / chance):,} games" if chance > RAREST else "1 of 1,000,000 games"


def _rarely(chance: Fraction) -> str:
    if chance * 100 >= 1:
        return percent(chance)
    return f"1 in {round(1 / chance):,}" if chance > RAREST else "< 1 in 10^6"
