"""What a replay tells: a game as a list of steps that one reader may know.

A step is an order with all that came of it, or a die that no order led to. It holds what changed on the map,
so that the page can go forwards and backwards. Nothing here knows a state or a store.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from pbem.engine.board import Arrow, Battle, Board, Border, Counter, Mark
from pbem.engine.notes import UMPIRE

LETTER = "letter"
"""What names the place up to which the reader's last letter with a map had shown the game."""


class NothingSince(ValueError):
    """Nothing has happened since a place of the game."""


Stack = tuple[Counter, ...]
"""The counters of one hex, the uppermost first."""


@dataclass(frozen=True, slots=True)
class Player:
    """A seat and who plays it. `colours` is the key of its side in the palette."""

    seat: str
    title: str
    name: str
    side: str


@dataclass(frozen=True, slots=True)
class Order:
    """An order or a decision in the words of the game's order language. `by` says by what means it was given:
    orders, standing, default, bot, moderator."""

    seat: str
    text: str
    by: str


@dataclass(frozen=True, slots=True)
class Die:
    """An open roll. `chances` are (what it shows, weight) for each outcome that the rules tell apart, `fell`
    is the one that came; both are empty where they were not worked out.

    `phase` and `label` name it in proof lines, `set_by` is the ruling that has set it (0: none). `modifiers`
    are (sum, value, case, reason), `cell` is the place on its table and `result` what stands there.
    """

    number: int
    case: str
    dice: str
    what: str
    faces: tuple[Any, ...]
    fell: str
    chances: tuple[tuple[str, int], ...]
    phase: str
    label: str
    set_by: int = 0
    modifiers: tuple[tuple[str, int, str, str], ...] = ()
    cell: str = ""
    result: str = ""


@dataclass(slots=True)
class Step:
    """One step of a reader's game. `serial` is its place in the whole game, `chapter` the phase it belongs
    to, `roll` the first of its open rolls, `row` the last row of the journal that had a part in it.

    `stacks` are the hexes whose counters changed, with what stands there now. `marks`, `borders` and lines
    of `supply` are those that last, None where they are as before; `signs` are marks of this step alone.
    `ruling` is the number of the ruling that it tells of, 0 for all else.
    """

    serial: int
    chapter: int
    lines: tuple[str, ...] = ()
    orders: tuple[Order, ...] = ()
    rolls: tuple[int, ...] = ()
    stacks: dict[str, Stack] = field(default_factory=dict)
    arrows: tuple[Arrow, ...] = ()
    battles: tuple[Battle, ...] = ()
    signs: tuple[Mark, ...] = ()
    marks: tuple[Mark, ...] | None = None
    borders: tuple[Border, ...] | None = None
    supply: tuple[Arrow, ...] | None = None
    ruling: int = 0
    row: int = 0

    @property
    def roll(self) -> int:
        return self.rolls[0] if self.rolls else 0


@dataclass(frozen=True, slots=True)
class Chapter:
    """A phase. `day` is when its turn was, if the game says so. `figures` are the score at its end as the
    reader of the page knows it, (what, value, case). `orders` are all that were written in it and may
    be known."""

    number: int
    turn: int
    label: str
    title: str
    day: str = ""
    orders: tuple[Order, ...] = ()
    figures: tuple[tuple[str, str, str], ...] = ()


@dataclass(slots=True)
class Track:
    """The game as one reader knows it."""

    reader: str
    steps: list[Step] = field(default_factory=list)


@dataclass(slots=True)
class Story:
    """A game for the reader of a page. `tracks` begins with that of the reader; the umpire's is followed by
    those of the seats. `board` is the first one drawn: its map, title and legend.

    `link` is link 0, which the first letter carried; `titles` are the titles of the cases. `letter` is the
    last row of the journal when the reader's last letter with a map was written; 0 if there is none.
    """

    game: str
    rules: str
    title: str
    scenario: str
    options: Mapping[str, str]
    players: tuple[Player, ...]
    over: bool
    result: str
    figures: tuple[tuple[str, str, str], ...]
    board: Board
    chapters: list[Chapter]
    tracks: list[Track]
    dice: dict[int, Die]
    link: str
    titles: Mapping[str, str]
    credits: str = ""
    letter: int = 0

    @property
    def reader(self) -> str:
        return self.tracks[0].reader

    @property
    def is_open_book(self) -> bool:
        """Whether it tells the secrets of every side while the game still goes on."""
        return self.reader == UMPIRE and not self.over


def part(story: Story, start: str = "", end: str = "") -> Story:
    """Return the steps from one place of the story to another, each a turn (T2) or a roll (R17); "" is the
    beginning or the end. What came before is in the position of the first step. Raises ValueError where there
    is no such place."""
    if not (start or end):
        return story
    steps = story.tracks[0].steps
    first = _place(story, start, last=False) if start else 0
    last = _place(story, end, last=True) if end else len(steps) - 1
    if first > last:
        raise ValueError(f"{start} comes after {end}")
    gone = {step.serial for step in steps[:first]}
    kept = {step.serial for step in steps[first : last + 1]}
    tracks = [Track(track.reader, _between(track.steps, gone, kept)) for track in story.tracks]
    shown = {number for step in tracks[0].steps for number in step.rolls}
    dice = {number: die for number, die in story.dice.items() if number in shown}
    return replace(story, tracks=tracks, dice=dice, chapters=list(_chapters(story, first, last)))


def _chapters(story: Story, first: int, last: int) -> Iterator[Chapter]:
    """The chapters up to the last of a part. Those before it keep their place and nothing else; orders of
    steps that are not in it are left out."""
    steps = story.tracks[0].steps
    begins, ends = steps[first].chapter, steps[last].chapter
    cut: dict[int, list[Order]] = {}
    for step in (*steps[:first], *steps[last + 1 :]):
        cut.setdefault(step.chapter, []).extend(step.orders)
    for place, chapter in enumerate(story.chapters[: ends + 1]):
        if place < begins:
            yield replace(chapter, orders=(), figures=())
        else:
            yield replace(chapter, orders=tuple(without(chapter.orders, cut.get(place, ()))))


def without(orders: Iterable[Order], others: Iterable[Order]) -> Iterator[Order]:
    """Yield the orders that are not among the others, each of which counts once."""
    left = list(others)
    for order in orders:
        if order in left:
            left.remove(order)
        else:
            yield order


def boards(story: Story, start: str, end: str = "") -> Iterator[Board]:
    """Yield what to draw for each step from one place of the story to another, named as in `part`; without
    `end` for the last step of `start` alone. Raises ValueError where there is no such place."""
    steps = story.tracks[0].steps
    last = _place(story, end or start, last=True)
    first = _place(story, start, last=False) if end else last
    position = Position()
    for at, step in enumerate(steps[: last + 1]):
        position.take(step)
        if at >= first:
            yield position.board(_frame(story, step), step)


def changed_since(story: Story, since: str, until: str = "") -> Board:
    """Return what to draw for a place of the story, or for its end, with every move, fight and mark since a
    turn, a roll or the reader's last letter with a map (LETTER); the places are named as in `part`. Raises
    ValueError where there is no such place, and NothingSince where nothing has happened since."""
    steps = story.tracks[0].steps
    first = (_lettered(story) if since.lower() == LETTER else _place(story, since, last=True)) + 1
    last = _place(story, until, last=True) if until else len(steps) - 1
    named = "the last letter" if since.lower() == LETTER else since.upper()
    if first > last:
        raise NothingSince(f"nothing has happened since {named}")
    position = Position()
    for step in steps[: last + 1]:
        position.take(step)
    stretch = steps[first : last + 1]
    whole = replace(
        steps[last],
        arrows=tuple(dict.fromkeys(arrow for step in stretch for arrow in step.arrows)),
        battles=tuple(dict.fromkeys(battle for step in stretch for battle in step.battles)),
        signs=tuple(_signs(stretch)),
    )
    return replace(position.board(_frame(story, whole), whole), subtitle=f"since {named}")


def _signs(steps: Iterable[Step]) -> Iterator[Mark]:
    """The marks of some steps, each once; what was lost in a hex is added up."""
    lost: dict[Mark, int] = {}
    for step in steps:
        for mark in dict.fromkeys(step.signs):
            if mark.kind == "lost" and mark.text.isdecimal():
                every = replace(mark, text="")
                lost[every] = lost.get(every, 0) + int(mark.text)
            else:
                lost.setdefault(mark, 0)
    for mark, many in lost.items():
        yield replace(mark, text=str(many)) if many else mark


def _lettered(story: Story) -> int:
    """The last step that the reader's last letter with a map had shown to its end; -1 if it had shown
    none."""
    if not story.letter:
        raise ValueError("no letter with a map has gone to this seat yet")
    steps = story.tracks[0].steps
    shown = (at for at, step in enumerate(steps) if step.row <= story.letter and not step.ruling)
    return max(shown, default=-1)


def _frame(story: Story, step: Step) -> Board:
    """The map, title and legend of what is drawn for a step."""
    return replace(story.board, title=f"{story.title} · {story.chapters[step.chapter].title}")


@dataclass(slots=True)
class Position:
    """What is on the map after some steps, as far as it lasts."""

    stacks: dict[str, Stack] = field(default_factory=dict)
    marks: tuple[Mark, ...] = ()
    borders: tuple[Border, ...] = ()
    supply: tuple[Arrow, ...] = ()

    def take(self, step: Step) -> None:
        """Change it as the next step does."""
        self.stacks |= step.stacks
        self.marks = self.marks if step.marks is None else step.marks
        self.borders = self.borders if step.borders is None else step.borders
        self.supply = self.supply if step.supply is None else step.supply

    def board(self, frame: Board, step: Step) -> Board:
        """Return what to draw for the step that was taken last; `frame` has the map, title and legend."""
        return replace(
            frame,
            subtitle=f"after R{step.rolls[-1]}" if step.rolls else "",
            counters=tuple(counter for hex in sorted(self.stacks) for counter in self.stacks[hex]),
            arrows=(*self.supply, *step.arrows),
            battles=step.battles,
            marks=(*self.marks, *step.signs),
            borders=self.borders,
            entries=(),
            focus=tuple(hex for hex, there in self.stacks.items() if there),
        )


def _place(story: Story, name: str, *, last: bool) -> int:
    """The step that a turn begins or ends with, or that holds a roll."""
    steps = story.tracks[0].steps
    kind, number = name[:1].upper(), int(name[1:]) if name[1:].isdecimal() else -1
    if kind == "T":
        found = [at for at, step in enumerate(steps) if story.chapters[step.chapter].turn == number]
    elif kind == "R":
        found = [at for at, step in enumerate(steps) if number in step.rolls]
    else:
        raise ValueError(f'"{name}" is neither a turn (T2) nor a roll (R17)')
    if not found:
        last_there = max((story.chapters[step.chapter].turn for step in steps), default=0)
        if kind == "R":
            last_there = max((roll for step in steps for roll in step.rolls), default=0)
        there = f"it ends with {kind}{last_there}" if last_there else "it has none yet"
        raise ValueError(f"nothing of {name.upper()} is in this game, as its reader knows it: {there}")
    return found[-1 if last else 0]


def _between(steps: list[Step], gone: Collection[int], serials: Collection[int]) -> list[Step]:
    """The steps of a stretch; the first stands on the position that those before it left."""
    before = [step for step in steps if step.serial in gone]
    kept = [replace(step) for step in steps if step.serial in serials]
    if before and kept:
        stacks: dict[str, Stack] = {}
        for step in (*before, kept[0]):
            stacks |= step.stacks
        kept[0].stacks = {hex: there for hex, there in stacks.items() if there}
        for name in ("marks", "borders", "supply"):
            told = [getattr(step, name) for step in (*before, kept[0])]
            setattr(kept[0], name, next((each for each in reversed(told) if each is not None), None))
    return kept
