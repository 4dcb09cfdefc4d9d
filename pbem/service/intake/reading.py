"""What a player's letter says. A long one is read while the store is not locked.

Reading a letter depends on nothing but its `Basis`. A transaction that meets a long letter is taken back with
`DoFirst`; the letter is read, and the transaction begins again. If the game has moved on by then, the basis
is another one, and the letter is read again. The page of a game that a letter asks for is made so, too.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar

from pbem.engine.language import Grammar, Reading, Roster, Scope
from pbem.engine.language.reading import BRACKETS
from pbem.engine.language.work import MOST_LINES, TakesLong, Work
from pbem.mail import quotes
from pbem.mail.address import without_password
from pbem.mail.letter import Letter, TextFile
from pbem.service.play.steps import Position

T = TypeVar("T")

LONG = 1_000
"""A letter with more characters is long. 50 plain orders have as many and are read in 20 to 40 ms; to look at
the game a second time takes 5 ms."""

LITTLE_WORK = 15_000
"""A letter is long, too, if more words are looked at to read it. Six lines of chat take as many, and 30 ms;
seven lines to correct take 80 ms."""

TRIES = 3
"""Read a letter outside the lock at most this often: others may move the game on each time."""


@dataclass(frozen=True, slots=True)
class Basis:
    """All that the reading of a letter depends on. The roster follows from the position; `quotable` are the
    lines of letters from pbem that it may repeat (`quotes.folded`)."""

    letter: Letter
    game: str
    seat: str
    position: Position
    scope: Scope
    quotable: frozenset[str]
    grammar: Grammar = field(compare=False)
    roster: Roster = field(compare=False)


@dataclass(frozen=True, slots=True)
class Read:
    """What a letter says, how many of its lines repeat a letter from pbem without a mark, and sentences for
    its reply about what was read."""

    reading: Reading
    quoted: int = 0
    notes: tuple[str, ...] = ()


class DoFirst(Exception):
    """What takes long is to be done before the store is locked: take back what was done, and begin again.
    What comes of it holds as long as its `basis` is the same."""

    def __init__(self, basis: object, do: Callable[[], Any]) -> None:
        super().__init__("something is to be done first")
        self.basis = basis
        self.do = do


class Readings:
    """The readings of a letter, and of one that it confirms, and what else is done for it beforehand. Without
    `tries` all is done on the spot."""

    def __init__(self, tries: int = 0) -> None:
        self._tries = tries
        self._made: list[tuple[object, Any]] = []

    def of(self, basis: Basis) -> Read:
        """The letter as it was read, or as it is read now. Raises DoFirst for a long one."""
        for known, read in self._made:
            if known == basis:
                assert isinstance(read, Read)
                return read
        if not self._tries:
            return read_letter(basis)
        first = DoFirst(basis, lambda: read_letter(basis))
        if _length(basis.letter) > LONG:
            raise first
        try:
            return read_letter(basis, now=True)
        except TakesLong:
            raise first from None

    def done(self, basis: object, do: Callable[[], T]) -> T:
        """What was done beforehand on this basis, or is done now. Raises DoFirst where there is time for
        it."""
        for known, made in self._made:
            if known == basis:
                return made  # type: ignore[no-any-return]
        if self._tries:
            raise DoFirst(basis, do)
        return do()

    def make(self, first: DoFirst) -> None:
        """Do while nothing is locked what was put off. After an error it is done within the transaction,
        where the error stops the game."""
        self._tries -= 1
        try:
            self._made.append((first.basis, first.do()))
        except Exception:
            self._tries = 0


def _length(letter: Letter) -> int:
    """How many characters of a letter are to be read."""
    lines = [*letter.lines, *(line for file in _forms(letter) for line in file.lines)]
    return sum(len(line.text) for line in lines if not line.quoted)


def read_letter(basis: Basis, *, now: bool = False) -> Read:
    """Read the letter; if its text has no orders, read an attached order form. Raises TakesLong if it is to
    be read `now` and is long."""
    lines, quoted = _written(basis, now)
    text = _reading_of(basis, lines, now)
    forms = _forms(basis.letter)
    if not forms:
        return Read(text, quoted)
    names = [file.name for file in forms]
    if _gives_orders(text):
        were = "were" if len(forms) > 1 else "was"
        note = f"{', '.join(names)} {were} not read because the email itself has orders."
        return Read(text, quoted, (note,))
    if len(forms) > 1:
        listed = " and ".join(names)
        note = f"{listed} were not read: send only one order form, or write the orders in the email."
        return Read(text, quoted, (note,))
    note = f"Your orders were read from the attached {names[0]}."
    attached = _reading_of(
        basis, [(line.number, line.text) for line in forms[0].lines if not line.quoted], now
    )
    ends = attached.ends or text.ends
    return Read(replace(text, said=(*text.said, *attached.said), ends=ends), quoted, (note,))


def _forms(letter: Letter) -> list[TextFile]:
    """The attached text files that may hold orders: order forms, or else the only one."""
    forms = [file for file in letter.files if file.name.lower().startswith("orders")]
    return forms or (list(letter.files) if len(letter.files) == 1 else [])


def _gives_orders(reading: Reading) -> bool:
    closing = ("done", "final", "none", "answer", "withdraw", "new", "keep")
    faulty = [fault for fault in reading.faults if not fault.command]
    return bool(
        reading.orders
        or reading.standing
        or faulty
        or any(command.name in closing for command in reading.commands)
    )


def _reading_of(basis: Basis, lines: Sequence[tuple[int, str]], now: bool) -> Reading:
    work = Work(LITTLE_WORK, now=True) if now else Work()
    return basis.grammar.read(lines, basis.roster, "", basis.scope, work)


def _written(basis: Basis, now: bool) -> tuple[list[tuple[int, str]], int]:
    """Return the lines that the sender wrote, with empty ones, which end a block, and how many lines are
    quoted without a mark. Lines written into a quoted order form belong to its headings: a quoted heading
    counts if the sender's own lines follow in its block. Several lines in a row of the letter that is
    answered are quoted, even without a mark."""
    lines: list[tuple[int, str]] = []
    heading: tuple[int, str] | None = None
    block_ends = False
    written = without_password(basis.letter.lines)
    runs = quotes.repeated(written, basis.quotable)
    looked: dict[str, bool] = {}
    again = {line.number for run in runs if _holds_prose(basis, run, looked, now) for line in run}
    for line in written:
        if line.quoted or line.number in again:
            text = line.text.lstrip("> ").rstrip()
            if BRACKETS.fullmatch(text):
                heading, block_ends = (line.number, text), False
            elif text and block_ends:
                heading = None
            block_ends = block_ends or not text
        elif line.text.strip() and heading is not None:
            lines.append(heading)
            heading = None
        lines.append((line.number, "" if line.quoted or line.number in again else line.text))
    return lines, len(again)


def _holds_prose(basis: Basis, lines: Sequence[quotes.Line], looked: dict[str, bool], now: bool) -> bool:
    """Whether one of these lines, which stand in a letter from pbem too, is nothing that anyone would send:
    then they are a quotation, and no copy of the order form or of lines that were offered. `looked` are the
    lines of the letter that have been looked at; no more than `MOST_LINES` are."""
    for line in lines:
        if line.text not in looked and len(looked) < MOST_LINES:
            looked[line.text] = _is_prose(_reading_of(basis, [(line.number, line.text)], now))
        if looked.get(line.text):
            return True
    return False


def _is_prose(reading: Reading) -> bool:
    return bool(reading.unread) or any(not fault.suggestion and not fault.either for fault in reading.faults)
