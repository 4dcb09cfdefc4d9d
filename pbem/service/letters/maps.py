"""MAP by mail: the whole map and its parts, what is around a hex, a map of an earlier turn, a text map."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
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

_ASKED = re.compile(r"(?:T(?P<turn>\d{1,3})\b)?\s*(?P<text>TEXT\b)?\s*(?P<place>.*)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Asked:
    """What is asked for: a map of now or of the end of a turn, of the whole or around a place, drawn or as
    text."""

    turn: int | None = None
    text: bool = False
    place: str = ""

    @classmethod
    def read(cls, words: str) -> Asked:
        """``T3 TEXT 5327``, each part of it optional; TEXT may come first."""
        first, _, rest = words.strip().partition(" ")
        if first.upper() == "TEXT":
            turned = re.match(r"\s*T\d{1,3}\b", rest, re.IGNORECASE)
            words = f"{turned[0]} TEXT {rest[turned.end() :]}" if turned else words
        found = _ASKED.fullmatch(words.strip())
        assert found is not None
        turn = int(found["turn"]) if found["turn"] else None
        return cls(turn, bool(found["text"]), found["place"].strip())


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
    table: Table, here: Step, seat: str, words: str, maps: Maps
) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Give the parts of a letter that answer MAP and add its pictures and files to `maps`. Raises StoreError
    with the reason if there is no such map."""
    asked = Asked.read(words)
    board, state = board_of(table, here, seat, asked.turn)
    title = "Map" if asked.turn is None else f"Map, end of turn {asked.turn}"
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
        yield f"It also lies in {', '.join(hexes[1:])}: MAP {hexes[1]} shows that."


def _caption(board: Board, hex_id: str, asked: Asked) -> str:
    when = f"End of turn {asked.turn}: " if asked.turn is not None else ""
    return f"{when}around {board.map.called(hex_id)}" if when else f"Around {board.map.called(hex_id)}"


def _picture(board: Board, areas: Sequence[render.Area], place: int, maps: Maps) -> Attachment:
    scene = render.layout(board, MAP_WIDTH, "action", maps.look, tuple(areas), place)
    name = f"map-{len(maps.pictures) + 1}"
    return attach(f"{name}.png", "image/png", render.scene_png(scene), cid=name)


def _whole(
    table: Table, state: GameState, seat: str, board: Board, asked: Asked, maps: Maps
) -> Iterator[str]:
    """The whole map as a file, and of its parts as many pictures as there is room for."""
    name = "map.svg" if asked.turn is None else f"map-t{asked.turn}.svg"
    file = attach(name, "image/svg+xml", render.whole_svg(board, maps.look))
    if maps.size + len(file.part) > MOST_BYTES:
        yield f"Not attached: {name} is too much for this letter. Ask for it in an email of its own."
        return
    maps.files.append(file)
    yield f"{name} is attached: the whole map with every unit you know of, to zoom into."
    own = own_units(table, state, seat)
    areas = render.parts(board, own)
    if asked.turn is not None:
        areas = tuple(
            replace(area, caption=f"End of turn {asked.turn}: {render.whereabouts(board.map, area)}")
            for area in areas
        )
    drawn = 0
    while drawn < len(areas) and len(maps.pictures) < MOST_PICTURES and maps.size < MOST_BYTES:
        maps.pictures.append(_picture(board, areas, drawn, maps))
        drawn += 1
    if drawn == len(areas):
        return
    if drawn:
        yield f"The pictures show {drawn} of its {len(areas)} parts, those with most of your units."
    before = "MAP " if asked.turn is None else f"MAP T{asked.turn} "
    rest = [f"{before}{_middle(board, area)}{_held(board, area, own)}" for area in areas[drawn:]]
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
