"""MAP by mail: the whole map and its parts, what is around a hex, a map of an earlier turn, what has changed
since, a text map."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import reduce
from operator import add

from pbem import render
from pbem.engine.board import Board
from pbem.engine.errors import OrderError
from pbem.engine.game import GameState
from pbem.engine.language import Roster, RosterUnit, hexes_of
from pbem.mail.compose import Attachment, attach
from pbem.render.palette import PaletteName
from pbem.render.pieces import as_seen, describe
from pbem.render.replay import LETTER, Story, changed_since
from pbem.service.letters.layout import MAP_WIDTH
from pbem.service.letters.wrapping import TEXT_WIDTH
from pbem.service.play.steps import Step
from pbem.service.record.errors import StoreError
from pbem.service.record.rows import unpack
from pbem.service.record.table import Table, visible

MOST_PICTURES = 4
"""Pictures that MAP puts into one letter."""

MOST_BYTES = 480_000
"""What MAP adds to one letter at most, in bytes as they are mailed."""

_ASKED = re.compile(
    r"\s*(?:T(?P<turn>\d{1,3})\b|(?P<text>TEXT)\b|SINCE\b\s*(?:MY\s+)?(?:LAST\s+)?(?P<since>\S*))",
    re.IGNORECASE,
)
_SINCE = re.compile(rf"[TR]\d{{1,6}}|{LETTER}", re.IGNORECASE)

Told = Callable[[], Story]
"""Tells the game as a seat knows it."""


@dataclass(frozen=True, slots=True)
class Asked:
    """What is asked for: a map of now or of the end of a turn, of the whole or around a place, drawn or as
    text; with what has happened `since` a roll, a turn or a letter, None for what a map has of itself."""

    turn: int | None = None
    text: bool = False
    place: str = ""
    since: str | None = None

    @classmethod
    def read(cls, words: str) -> Asked:
        """``T3 SINCE R17 TEXT 5327``, each part of it optional; the place comes last."""
        known: dict[str, str] = {}
        while (found := _ASKED.match(words)) and found.lastgroup and found.lastgroup not in known:
            known[found.lastgroup] = found[found.lastgroup]
            words = words[found.end() :]
        turn = int(known["turn"]) if "turn" in known else None
        since = known["since"].rstrip(",:").upper() if "since" in known else None
        return cls(turn, "text" in known, words.strip(), since)

    @property
    def command(self) -> str:
        """The same, to be followed by a place."""
        turn = f" T{self.turn}" if self.turn is not None else ""
        return f"MAP{turn}{f' SINCE {self.since}' if self.since else ''} "

    @property
    def when(self) -> str:
        """What it shows in words: ``end of turn 3, since R17``; "" for the map of now."""
        turn = f"end of turn {self.turn}" if self.turn is not None else ""
        named = "the last letter" if self.since == LETTER.upper() else self.since
        return ", ".join(filter(None, (turn, named and f"since {named}")))

    @property
    def name(self) -> str:
        """What the file of the whole map is called, without its ending."""
        turn = f"-t{self.turn}" if self.turn is not None else ""
        return f"map{turn}{f'-since-{self.since}' if self.since else ''}".lower()


@dataclass(slots=True)
class Maps:
    """What MAP commands of one letter have come to."""

    look: PaletteName = "paper"
    pictures: list[Attachment] = field(default_factory=list)
    files: list[Attachment] = field(default_factory=list)

    @property
    def size(self) -> int:
        """How much they are, in bytes as they are mailed."""
        return sum(len(each.part) for each in (*self.pictures, *self.files))


def told(
    table: Table, here: Step, seat: str, words: str, maps: Maps, story: Told
) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Give the parts of a letter that answer MAP and add its pictures and files to `maps`; `story` tells the
    game to the seat, for a map of what has changed. Raises StoreError with the reason if there is no such
    map."""
    asked = Asked.read(words)
    board, state = board_of(table, here, seat, asked.turn)
    if asked.since is not None:
        board = replace(_changed(asked, story), focus=board.focus)
    title = f"Map, {asked.when}" if asked.when else "Map"
    hexes = place_of(table, state, seat, board, asked.place) if asked.place else ()
    if asked.text:
        shown = render.text(board, TEXT_WIDTH, around=hexes)
        yield title, tuple(render.folded(shown, TEXT_WIDTH).splitlines())
    elif hexes:
        yield title, tuple(_close_ups(board, hexes, asked, maps))
    else:
        yield title, tuple(_whole(table, state, seat, board, asked, maps))


def board_of(table: Table, here: Step, seat: str, turn: int | None = None) -> tuple[Board, GameState]:
    """Return what a seat sees now, or saw at the end of a turn, and the state behind it. Raises StoreError
    for a turn that is not over."""
    if turn is None:
        view = table.game.view(here.state, seat)
        return table.board(here, view, visible(here.notes, seat)), here.state
    rows, over = table.record.phases(), turns_over(table, here)
    if turn not in over:
        known = f"T{over[0]}" + (f" to T{over[-1]}" if len(over) > 1 else "") if over else ""
        begun = "is not over yet" if turn == here.turn and not here.over else "has not been played"
        have = f"You can ask for {known}." if known else "No turn is over yet."
        raise StoreError(f"Turn {turn} {begun}. {have}")
    later = [row for row in rows if row.turn > turn]
    state = table.game.load(unpack(later[0].snapshot)) if later else here.state
    board = table.game.report.board(table.game.view(state, seat), ())
    title = board.title.rpartition(" · ")[0] or table.game.title
    return replace(board, title=f"{title} · End of turn {turn}", entries=()), state


def _changed(asked: Asked, story: Told) -> Board:
    """What a seat sees with all that has happened since a place of the game. Raises StoreError with what can
    be asked for instead."""
    instead = "MAP SINCE takes a roll of your log (R17), a turn (T2) or LETTER: your last letter with a map"
    since, until = asked.since or "", "" if asked.turn is None else f"T{asked.turn}"
    if not _SINCE.fullmatch(since):
        raise StoreError(f"{instead}.")
    try:
        return changed_since(story(), since, until)
    except ValueError as error:
        raise StoreError(f"{error}. {instead}; MAP alone sends the map as it is.") from error


def turns_over(table: Table, here: Step) -> list[int]:
    """The turns that have been played to their end."""
    return sorted({row.turn for row in table.record.phases() if here.over or row.turn < here.turn})


def place_of(table: Table, state: GameState, seat: str, board: Board, words: str) -> tuple[str, ...]:
    """Return the hexes of a hex, a place or a unit: as orders name them, or as the board shows them. Raises
    StoreError for what is unknown or in doubt."""
    try:
        return hexes_of(table.game.roster(state, seat), words)
    except OrderError as error:
        try:
            return place_on(board, words)
        except StoreError:
            raise StoreError(str(error)) from error


def place_on(board: Board, words: str) -> tuple[str, ...]:
    """Return the hexes of a hex, a place or a unit that a board shows. Raises StoreError for what is unknown
    or in doubt."""
    seen = (as_seen(counter) for counter in board.counters)
    units = {each.name: RosterUnit(each.name, each.figures, each.hex) for each in seen if each.name}
    try:
        return hexes_of(Roster(units, board.map.ids, places=board.map.called_places), words)
    except OrderError as error:
        raise StoreError(str(error)) from error


def own_units(table: Table, state: GameState, seat: str) -> frozenset[str]:
    """The ids of the units of a seat."""
    units = table.game.roster(state, seat).units.values()
    return frozenset(unit.id for unit in units if not unit.enemy)


def _close_ups(board: Board, hexes: Sequence[str], asked: Asked, maps: Maps) -> Iterator[str]:
    """A picture around a place, and in words what stands there."""
    area = render.around(board, hexes[0], _caption(board, hexes[0], asked))
    shown = render.shown_in(board, area)
    if len(maps.pictures) < MOST_PICTURES and maps.size < MOST_BYTES:
        maps.pictures.append(_picture(board, (area,), 0, maps))
        yield f"A picture shows {board.map.called(hexes[0])} and the hexes around it. Known there:"
    else:
        yield f"This letter has no room for a picture of {board.map.called(hexes[0])}. Known there:"
    stacks: dict[str, list[str]] = {}
    for counter in board.counters:
        if counter.hex in shown:
            stacks.setdefault(counter.hex, []).append(describe(as_seen(counter)))
    for hex_id in sorted(stacks):
        yield f"  {hex_id}  {' | '.join(stacks[hex_id])}"
    if not stacks:
        yield "  no units"
    if len(hexes) > 1:
        yield f"It also lies in {', '.join(hexes[1:])}: {asked.command}{hexes[1]} shows that."


def _caption(board: Board, hex_id: str, asked: Asked) -> str:
    return _dated(asked, f"around {board.map.called(hex_id)}")


def _dated(asked: Asked, what: str) -> str:
    """What a picture shows, behind the time that it shows it of."""
    told = f"{asked.when}: {what}" if asked.when else what
    return told[:1].upper() + told[1:]


def _picture(board: Board, areas: Sequence[render.Area], place: int, maps: Maps) -> Attachment:
    scene = render.layout(board, MAP_WIDTH, "action", maps.look, tuple(areas), place)
    name = f"map-{len(maps.pictures) + 1}"
    return attach(f"{name}.png", "image/png", render.scene_png(scene), cid=name)


def _whole(
    table: Table, state: GameState, seat: str, board: Board, asked: Asked, maps: Maps
) -> Iterator[str]:
    """The whole map as a file, and of its parts as many pictures as there is room for."""
    name = f"{asked.name}.svg"
    file = attach(name, "image/svg+xml", render.whole_svg(board, maps.look))
    if maps.size + len(file.part) > MOST_BYTES:
        yield f"Not attached: {name} is too much for this letter. Ask for it in an email of its own."
        return
    maps.files.append(file)
    yield f"{name} is attached: the whole map with every unit you know of, to zoom into."
    own = own_units(table, state, seat)
    areas = render.parts(board, own)
    if asked.when:
        areas = tuple(
            replace(area, caption=_dated(asked, render.whereabouts(board.map, area))) for area in areas
        )
    drawn = 0
    while drawn < len(areas) and len(maps.pictures) < MOST_PICTURES and maps.size < MOST_BYTES:
        maps.pictures.append(_picture(board, areas, drawn, maps))
        drawn += 1
    if drawn == len(areas):
        return
    if drawn:
        yield f"The pictures show {drawn} of its {len(areas)} parts, those with most of your units."
    rest = [f"{asked.command}{_middle(board, area)}{_held(board, area, own)}" for area in areas[drawn:]]
    yield f"To see the others, write: {'; '.join(rest)}."


def _middle(board: Board, area: render.Area) -> str:
    """The hex of an area that lies nearest to its middle."""
    centers = {hex_id: board.map.grid.center(hex_id) for hex_id in area.hexes}
    # `sum` rounds otherwise from Python 3.12 on, and the letter would name another of two hexes as near
    x, y = (reduce(add, [each[at] for each in centers.values()]) / len(centers) for at in (0, 1))
    return min(centers, key=lambda hex_id: (centers[hex_id][0] - x) ** 2 + (centers[hex_id][1] - y) ** 2)


def _held(board: Board, area: render.Area, own: frozenset[str]) -> str:
    """How many units of the reader an area holds."""
    there = sum(counter.unit in own for counter in board.counters if counter.hex in area.hexes)
    return f" ({there} of yours)" if there else ""
