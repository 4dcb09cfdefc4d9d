"""The page of a roll for one reader, built up from what this reader may know."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import islice
from typing import Any

from pbem.engine.dice import Word, event_key, link_of, roll_again
from pbem.engine.notes import UMPIRE
from pbem.engine.play import Chance
from pbem.service.letters.caselist import titles as case_titles
from pbem.service.letters.log import Part, common_zone, log_lines, told_once, worded
from pbem.service.letters.rolls.happened import NO_ROLL, Happened, find_roll
from pbem.service.letters.rolls.letters import Told, Written, told, written
from pbem.service.letters.rolls.words import (
    HOW,
    cell_of,
    chance_of,
    chance_words,
    counted,
    counter_words,
    modifiers_of,
    places_of,
    texts_in,
    working,
)
from pbem.service.letters.wrapping import KEY
from pbem.service.play.sections import phase_title
from pbem.service.play.steps import Step
from pbem.service.proof.lines import faces_text
from pbem.service.record.errors import StoreError
from pbem.service.record.table import Table

MOST_OUTCOMES = 40
"""Up to this many outcomes of a die are listed and played through."""

THEN = "Then: "
"""How the line of a page begins that says what is done with key and link."""

_PLACES = ("hex", "hexes", "origin", "origins", "back", "zone", "landed", "target")
"""The facts of a note that name hexes."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """One outcome of the die: what it shows, how likely it was, whether it came, and what it would have meant
    (log lines that differ from those of other outcomes)."""

    shows: str
    chance: Fraction
    fell: bool
    means: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Page:
    """All about one roll that its `reader` may know. Times are in the reader's zone.

    `situation` are the hexes that it was about, just before it fell; `case` is that of the die and
    `case_title` its title; `modifiers` are (sum, value, case with its title, reason); `cell` is the place on
    the table; `key`, `link` and `working` say how the faces are computed, `lacking` what the page cannot tell
    and why.
    """

    game: str
    name: str
    event: str
    reader: str
    title: str
    case: str
    case_title: str
    orders: tuple[Written, ...]
    situation: tuple[str, ...]
    log: tuple[str, ...]
    modifiers: tuple[tuple[str, int, str, str], ...]
    cell: str
    dice: str
    faces: tuple[Any, ...]
    outcomes: tuple[Outcome, ...]
    key: str
    link: str
    working: tuple[str, ...]
    told: tuple[Told, ...]
    lacking: tuple[str, ...] = ()

    def parts(self) -> tuple[Part, ...]:
        """The page as the parts of a letter."""
        parts = [
            Part(f"{self.name}: {self.title}", (self._fell(), self._rule()), table=True),
            Part("Lines that led to it", tuple(each.line() for each in self.orders) or self._no_line()),
            Part("Just before it fell", self.situation, table=True),
            Part("What the log says", self.log, table=True),
            Part("Modifiers and table", tuple(self._sums()), table=True),
            Part("What could have fallen", tuple(self._odds()), table=True),
            Part("How to compute it", self._proof(), table=True),
            Part("Step by step", tuple(self._replay())),
            Part("Who read of it when", tuple(each.line() for each in self.told) or (_UNTOLD,)),
            Part("Not on this page", self.lacking),
        ]
        return tuple(part for part in parts if part.lines)

    def lines(self) -> list[str]:
        """The page as text."""
        lines: list[str] = []
        for part in self.parts():
            lines += [part.title, "-" * len(part.title), *part.lines, ""]
        return lines[:-1]

    def _fell(self) -> str:
        what = self.event.split("|")[3]
        return f"Dice {self.dice} for {what}: fell {faces_text(self.faces)}"

    def _rule(self) -> str:
        return f"Rule [{self.case}]{f' {self.case_title}' if self.case_title else ''}"

    def _no_line(self) -> tuple[str, ...]:
        return ("none" if self.reader == UMPIRE else "none of yours",)

    def _sums(self) -> Iterator[str]:
        for title, value, case, why in self.modifiers:
            yield f"{title}: {value:+d} {why} [{case}]"
        if self.cell:
            yield self.cell

    def _odds(self) -> Iterator[str]:
        wide = max((len(each.shows) for each in self.outcomes), default=0)
        for outcome in self.outcomes:
            head = f"{'>' if outcome.fell else ' '} {outcome.shows:<{wide}}  {chance_words(outcome.chance)}"
            yield f"{head:<{wide + 20}}{outcome.means[0].strip() if outcome.means else ''}".rstrip()
            yield from (f"{'':<{wide + 20}}{line.strip()}" for line in outcome.means[1:])

    def _replay(self) -> Iterator[str]:
        """How a moderator sees what came before the roll and after it, from each seat."""
        if self.reader == UMPIRE:
            phase, file = self.event.split("|")[0], f"{self.game}.html"
            turn = max(1, int(phase[1:].partition(".")[0]))
            yield (
                f"pbem replay FILE -o {file} makes a page of the game. "
                f"{file}#t{turn}-{self.name.lower()} opens it at this roll; "
                "its switch shows what each side saw."
            )

    def _proof(self) -> tuple[str, ...]:
        return (f"{KEY}{self.key}", f"Link  {self.link}", *self.working)


_UNTOLD = "No letter has told of it yet."


def page_of(table: Table, name: str, reader: str = UMPIRE) -> Page:
    """Return the page of an open roll for a seat or the umpire. Raise StoreError where the reader may know of
    no such roll: one that is sealed, or of which only the other side has been told."""
    return page_for(find_roll(table, name), reader)


def page_for(happened: Happened, reader: str) -> Page:
    """Return the page of a roll that was found. Raises StoreError as `page_of`."""
    if not happened.known_to(reader):
        raise StoreError(NO_ROLL.format(f"R{happened.roll.number}"))
    return _PageWriter(happened, reader).page()


def zone_of(table: Table, reader: str) -> str:
    """Return the time zone of a seat; for the umpire that of the game."""
    return table.seats[reader].zone if reader in table.seats else common_zone(table)


class _PageWriter:
    """Writes the page of a roll for one reader."""

    def __init__(self, happened: Happened, reader: str) -> None:
        self.happened = happened
        self.table = happened.table
        self.game = happened.game
        self.roll = happened.roll
        self.reader = reader
        self.zone = zone_of(self.table, reader)
        self.facts = self._readable(happened.facts())

    def page(self) -> Page:
        roll, here = self.roll, self.table.here()
        case, dice, *_ = roll.label.split("|")
        titles = case_titles(self.game.key)
        notes = [note for note in self.happened.notes if note.facts() in self.facts]
        return Page(
            self.table.row.id,
            f"R{roll.number}",
            roll.event,
            self.reader,
            phase_title(self.game, roll.phase),
            case,
            titles.get(case, ""),
            tuple(written(self.happened, self.reader, self.zone)),
            tuple(self._situation()),
            log_lines(self.game.key, self.facts, self.reader),
            tuple(
                (name, value, " ".join(filter(None, (cited, titles.get(cited)))), why)
                for note in notes
                for name, value, cited, why in modifiers_of(note)
            ),
            "; ".join(filter(None, (cell_of(note) for note in notes))),
            f"{dice}{counted(self.happened.request)}",
            roll.faces,
            tuple(self._outcomes()),
            event_key(self.table.row.id, roll.phase, roll.label, roll.salts),
            *self._link(here),
            tuple(told(self.happened, self.reader, self.zone)),
            tuple(self._lacking()),
        )

    def _readable(self, facts: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
        mine = [note for note in facts if not note["readers"] or self.reader in (UMPIRE, *note["readers"])]
        return told_once(mine, self.reader)

    def _lacking(self) -> Iterator[str]:
        if self.happened.retold is None:
            yield (
                "The installed rules play this phase in another way than it was played: the lines, the map "
                "and the odds are left out. The log and the proof are as they were recorded."
            )
        elif not self.facts:
            yield "The log has no line of its own for this die."

    # --- the map ---

    def _situation(self) -> Iterator[str]:
        """The hexes that the die is about, with what the reader saw there just before."""
        if self.happened.retold is None:
            return
        state = self.happened.before()
        view = self.game.view(state, self.reader)
        board = self.game.report.board(view, tuple(note for note in state.log if note.seen_by(self.reader)))
        named = dict.fromkeys(hex for note in self.facts for hex in texts_in(places_of(note, _PLACES)))
        for hex in named:
            if hex not in board.map:
                continue
            there = [
                " ".join(filter(None, (board.legend.get(unit.colours, unit.colours), *counter_words(unit))))
                for unit in board.counters
                if unit.hex == hex
            ]
            yield f"{self.game.report.place(hex)}, {board.map.terrain(hex)}: {', '.join(there) or 'nobody'}"
        if not any(hex in board.map for hex in named):
            yield f"{view.title}. The die is about no hex of the map."

    # --- odds ---

    def _outcomes(self) -> Iterator[Outcome]:
        """Each outcome of the die with its exact chance, and what it would have meant."""
        request, roll = self.happened.request, self.roll
        if request is None:
            return
        listed = list(islice(request.outcomes(), MOST_OUTCOMES + 1))
        fell = request.worth_of(roll.faces)
        if len(listed) > MOST_OUTCOMES:
            yield Outcome(fell, chance_of(request, roll.faces), True, ())
            return
        total = sum(weight for _, weight in listed)
        told = [self._means(faces) for faces, _ in listed]
        common = set(told[0]).intersection(*told[1:]) if len(told) > 1 else set()
        for (faces, weight), lines in zip(listed, told, strict=True):
            means = tuple(line for line in lines if line not in common)
            shows = request.worth_of(faces)
            yield Outcome(shows, Fraction(weight, total), shows == fell, means)

    def _means(self, faces: list[Any]) -> tuple[str, ...]:
        """What the reader would have read with these faces: a seat only of the result itself, for what comes
        of it may hang on what the other side hides."""
        notes, waiting = self.happened.instead(faces)
        telling = self.happened.telling(notes)
        facts = self._readable([note.facts() for note in (notes if self.reader == UMPIRE else telling)])
        lines = tuple(line for note in facts for line in worded(self.game.key, note, self.reader))
        if telling or waiting is None:
            return lines
        next_ = f": {waiting.what} [{waiting.case}]" if self.reader == UMPIRE else ""
        kind = "die or draw" if isinstance(waiting, Chance) else "decision"
        return (*lines, f"hangs on another {kind}{next_}" if next_ else "hangs on what follows")

    # --- proof ---

    def _link(self, here: Step) -> tuple[str, tuple[str, ...]]:
        """The link of the die and how its faces come from it, once the link may be known."""
        turn = link_of(self.roll.phase, self.roll.label)
        if turn is None:
            return "none: the moderator has set this die", ()
        if not here.over and turn >= self.table.dice.secret_turn(max(1, here.turn))[0]:
            return f"of turn {turn}: revealed after turn {turn}", (
                f"{THEN}HMAC-SHA-256(link, key with |0 behind it) gives 32 bytes, four for each number. "
                f"{HOW[0].upper()}{HOW[1:]}",
            )
        link = self.table.dice.chain.link(turn)
        seen: list[Word] = []
        roll_again(link, self.table.row.id, self.roll.phase, self.roll.label, self.roll.salts, seen)
        return f"of turn {turn}: {link.hex()}", tuple(working(seen, self.roll.label))
