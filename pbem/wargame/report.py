"""What letters of most wargames show and say alike: the board put together, and sentences on ground, fighting
and losses."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from pbem.engine.board import Arrow, Battle, Board, Border, Counter, Mark, legend, lost_marks
from pbem.engine.game import View
from pbem.engine.map import Map
from pbem.engine.notes import UMPIRE, Note
from pbem.engine.wording import count, sentence, some
from pbem.wargame.notes import MapNote, Perished, StepsLost, TookControl, Travelled


def readable(seen: View, notes: Iterable[Note]) -> tuple[Note, ...]:
    """Return the notes that the reader of a view may read."""
    return tuple(note for note in notes if note.seen_by(seen.seat))


def compose(
    seen: View,
    map: Map,
    title: str,
    counters: Iterable[Counter],
    notes: Iterable[Note],
    *,
    standing: str,
    names: Mapping[str, str],
    signs: Mapping[str, str],
    also: Iterable[str] = (),
    arrows: Iterable[Arrow] = (),
    battles: Iterable[Battle] = (),
    marks: Iterable[Mark] = (),
    borders: Iterable[Border] = (),
) -> Board:
    """Return the board of a view: its counters, what these notes draw, and what the game adds.

    The title ends with that of the view. `standing`, how the game stands, is the subtitle; the umpire's is
    that it sees everything. `names` is the legend by palette key, `also` the keys that are in it even without
    a counter, `signs` what the game means by a sign. Each arrow is drawn once. The focus is on the counters.
    """
    shown = tuple(counters)
    drawn = [note for note in readable(seen, notes) if isinstance(note, MapNote)]
    ways = (*arrows, *(arrow for note in drawn for arrow in note.arrows()))
    return Board(
        map=map,
        title=f"{title} · {seen.title}",
        subtitle="full view" if seen.seat == UMPIRE else standing,
        counters=shown,
        arrows=tuple(dict.fromkeys(ways)),
        battles=(*battles, *(battle for note in drawn for battle in note.battles())),
        marks=(*marks, *lost_marks(lost for note in drawn for lost in note.lost())),
        borders=tuple(borders),
        focus=tuple(dict.fromkeys(counter.hex for counter in shown)),
        legend=legend(shown, names, *also),
        signs=signs,
    )


def listed(what: str, names: Sequence[str]) -> Iterable[str]:
    """Yield ``Landed: 1ID, 29ID.``, each name once; nothing without names."""
    if names:
        yield f"{what}: {some(tuple(dict.fromkeys(names)))}."


def level(seen: View, level: str) -> str:
    """Return the level of victory: as it is, or as it would be if the game ended now."""
    return f"if the game ended now: {level}" if seen.phase else f"the game is over: {level}"


def told(*sentences: str) -> tuple[str, ...]:
    """Return those of the sentences of a story that say something."""
    return tuple(sentence for sentence in sentences if sentence)


MOST_BATTLES = 2
"""A story names at most this many battles."""


def fought(note: Note) -> Battle | None:
    """Return the battle that a note tells of, from what the map shows of it, under the number of its roll."""
    shown = list(note.battles()) if note.roll and isinstance(note, MapNote) else []
    hexes = (hex for battle in shown for hex in (battle.hex, *battle.attackers))
    return Battle(shown[0].hex, f"R{note.roll}", tuple(dict.fromkeys(hexes))) if shown else None


def hardest(
    notes: Iterable[Note], place: Callable[[str], str], battle: Callable[[Note], Battle | None] = fought
) -> str:
    """Return the battles that cost most, with their rolls: ``Hardest fought: R17 at Caen (1008).`` A loss
    belongs to the last battle before it, if it is of a hex of that battle; no losses, no battle."""
    costs: dict[Battle, int] = {}
    here: Battle | None = None
    for note in notes:
        if (found := battle(note)) is not None:
            here = found
        if here is not None and (lost := _losses_in(note, {here.hex, *here.attackers})):
            costs[here] = costs.get(here, 0) + lost
    worst = sorted(costs, key=lambda each: -costs[each])[:MOST_BATTLES]
    named = [f"{each.label} at {place(each.hex)}" for each in worst]
    return f"Hardest fought: {', '.join(named)}." if named else ""


def _losses_in(note: Note, hexes: Collection[str]) -> int:
    """The steps and units that a note takes off these hexes."""
    if isinstance(note, StepsLost):
        return sum(number for _, number in note.lost) if note.hex in hexes else 0
    if isinstance(note, MapNote):
        return sum(number for hex, _, number in note.lost() if hex in hexes)
    return 0


def summary(lines: Iterable[str], *closing: str) -> tuple[str, ...]:
    """Return the lines that say something, or that nothing has happened, and the closing lines."""
    told = tuple(line for line in lines if line)
    return (*(told or ("Nothing has happened.",)), *closing)


@dataclass(frozen=True, slots=True)
class Words:
    """The sentences of a game of two sides: `names` are the sides as adjectives, `place` is what a hex is
    called."""

    names: Mapping[str, str]
    place: Callable[[str], str]

    def ground(self, control: Mapping[str, str], notes: Iterable[Note]) -> str:
        """Return the places that changed hands and have not changed back; `control` says who holds them."""
        changed = dict.fromkeys(note.hex for note in notes if isinstance(note, TookControl))
        held = {side: [self.place(hex) for hex in changed if control.get(hex) == side] for side in self.names}
        return " ".join(f"{self.names[side]} now: {some(places)}." for side, places in held.items() if places)

    def attacks(
        self, attacks: Iterable[tuple[str, tuple[str, ...]]], taken: Collection[str]
    ) -> Iterable[str]:
        """Yield how often each side attacked, and what it took: ``2 Allied attacks, taken Caen (1008)``.
        `attacks` are sides with the hexes attacked, `taken` the hexes entered."""
        fights = list(attacks)
        for side, name in self.names.items():
            mine = [hexes for attacker, hexes in fights if attacker == side]
            hexes = dict.fromkeys(hex for each in mine for hex in each)
            won = [self.place(hex) for hex in hexes if hex in taken]
            if mine:
                yield count(len(mine), f"{name} attack") + (f", taken {some(won)}" if won else "")

    def moves(self, notes: Iterable[Note]) -> str:
        """Return how many units each side has moved: ``27 Allied and 40 German units moved``."""
        moved: dict[str, dict[str, None]] = {side: {} for side in self.names}
        for note in notes:
            if isinstance(note, Travelled) and note.drawn == "move" and note.side in moved:
                moved[note.side] |= dict.fromkeys(note.names)
        told = [(len(names), self.names[side]) for side, names in moved.items() if names]
        if not told:
            return ""
        *others, (number, name) = told
        first = "".join(f"{number} {name} and " for number, name in others)
        return f"{first}{count(number, f'{name} unit')} moved"

    def tally(self, notes: Iterable[Note]) -> str:
        """Return how much each side has lost: ``Lost: Allied 10 steps, 2 units; German 1 step.``"""
        steps, units = dict.fromkeys(self.names, 0), dict.fromkeys(self.names, 0)
        for note in notes:
            match note:
                case StepsLost(side=side, lost=lost) if side in steps:
                    steps[side] += sum(number for _, number in lost)
                case Perished(side=side) if side in units:
                    units[side] += 1
        told = []
        for side, name in self.names.items():
            parts = [
                count(number, what)
                for what, number in (("step", steps[side]), ("unit", units[side]))
                if number
            ]
            told += [f"{name} {', '.join(parts)}"] if parts else []
        return f"Lost: {'; '.join(told)}." if told else ""

    def losses(self, notes: Sequence[Note]) -> str:
        """Return the steps and units that each side has lost: ``German losses: 3 steps; 12SS eliminated.``"""
        told = []
        for side, name in self.names.items():
            steps = sum(
                number
                for note in notes
                if isinstance(note, StepsLost) and note.side == side
                for _, number in note.lost
            )
            dead: dict[str, list[str]] = {}
            for note in notes:
                if isinstance(note, Perished) and note.side == side:
                    dead.setdefault(note.fate, []).append(note.name)
            parts = [count(steps, "step")] if steps else []
            parts += [f"{some(names)} {fate}" for fate, names in dead.items()]
            told += [sentence(f"{name} losses: {'; '.join(parts)}")] if parts else []
        return " ".join(told)
