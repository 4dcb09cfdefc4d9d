"""N21: picture, vector map, text map and JSON of a board show the same, wherever bots have led a game."""

from __future__ import annotations

import json
import random
import re
from collections import Counter as Tally
from functools import lru_cache
from typing import Any
from xml.etree import ElementTree

import pytest
from sizes import few, size

from pbem.engine.board import Board, Counter
from pbem.engine.game import Game, game
from pbem.engine.play import advance
from pbem.render import (
    Area,
    Scene,
    around,
    as_json,
    folded,
    layout,
    parts,
    read_text,
    scene_png,
    shown_in,
    text,
    whole_svg,
)
from pbem.render.ground import kinds_of
from pbem.render.pieces import as_seen
from pbem.service.letters.layout import MAP_WIDTH
from pbem.testing.plays import Plan, Play
from tests.render.test_render_svg import SVG, read_svg

GAMES = ("falaise", "france44", "normandy44", "normandy71", "rampage")
Signs = set[tuple[str, ...]]


@lru_cache(maxsize=1)
def played(key: str) -> tuple[Game[Any], tuple[Any, ...]]:
    """A game that bots have played, phase by phase."""
    rules = game(key)
    play = Play.of(rules, Plan("mixed", next(iter(rules.scenarios)), 2))
    assert play.played is not None, play.stopped
    return rules, tuple(play.played.phases)


def position(key: str, seed: int) -> tuple[Game[Any], Any, str]:
    """A phase of that game as it ended, with its log, and a seat that looks at it."""
    rules, phases = played(key)
    lots = random.Random(f"{key} {seed}")
    phase = lots.choice(phases)
    state = rules.load(phase.snapshot)
    advance(rules.phase(state.phase).play(state), state, phase.entries)
    return rules, state, lots.choice([seat.key for seat in rules.seats])


def signs_of(board: Board) -> Signs:
    """What a board shows besides units: battles, arrows, marks and borders."""
    arrows = {("arrow", each.kind, *each.path) for each in board.arrows if len(each.path) > 1}
    return {
        *(("battle", each.label, each.hex) for each in board.battles),
        *arrows,
        *(("mark", each.kind, each.hex) for each in board.marks),
        *(("border", each.kind, each.hexes[0]) for each in board.borders),
        *(("entry", hex_id) for hex_id in board.entries),
    }


def signs_of_json(told: dict[str, Any]) -> Signs:
    """The same from its JSON."""
    return {
        *(("battle", each["label"], each["hex"]) for each in told["battles"]),
        *(("arrow", each["kind"], *each["path"]) for each in told["arrows"] if len(each["path"]) > 1),
        *(("mark", each["kind"], each["hex"]) for each in told["marks"]),
        *(("border", each["kind"], each["hexes"][0]) for each in told["borders"]),
        *(("entry", hex_id) for hex_id in told["entries"]),
    }


def signs_of_text(written: str) -> Signs:
    """The same from its text map."""
    found: Signs = set()
    title = ""
    for line in re.sub(r"\n {6}(?=\S)", " ", written).splitlines():
        if not line.startswith("  "):
            title = line
        elif title == "Battles":
            label, hex_id = line.split()[:2]
            found.add(("battle", label, hex_id))
        elif title == "Moves":
            _, kind, path = line.split(maxsplit=2)
            found.add(("arrow", kind, *path.split(" > ")))
        elif title == "Signs":
            hex_id, kind = line.split()[:2]
            found.add(("mark", kind, hex_id))
        elif title == "Lines":
            kind, hexes = line.strip().split(" at ")
            found |= {("border", kind.split()[-1], hex_id) for hex_id in hexes.split()}
        elif title == "Open to your units":
            found |= {("entry", hex_id) for hex_id in line.split()}
    return {sign for sign in found if sign[0] != "arrow" or len(sign) > 3}


def signs_of_titles(groups: list[tuple[str, str]], hexes: dict[int, str]) -> Signs:
    """The same from what the pieces of a picture are called."""
    found: Signs = set()
    for at, (layer, title) in enumerate(groups):
        if layer == "battle":
            found.add(("battle", title.removeprefix("battle "), hexes[at]))
        elif layer == "arrow":
            kind, path = title.split(" ", 1)
            found.add(("arrow", kind, *path.split(" > ")))
        elif layer == "border" and title == "open to your units":
            found.add(("entry", hexes[at]))
        elif layer == "border" and title:
            kind, sides = title.split(" ")
            found.add(("border", kind, sides.split("-")[0]))
        elif layer == "mark":
            found.add(("mark", title.split()[0], hexes[at]))
    return found


def signs_of_scene(scene: Scene) -> Signs:
    """The same from the pieces that a PNG is put together from."""
    groups = [(piece.layer, piece.title) for piece in scene.pieces]
    return signs_of_titles(groups, {at: piece.hex for at, piece in enumerate(scene.pieces)})


def signs_of_svg(document: str) -> Signs:
    """The same from the vector map."""
    found: Signs = set()
    for group in ElementTree.fromstring(document).iter(f"{SVG}g"):
        title = group.findtext(f"{SVG}title") or ""
        layer, hex_id = group.get("class") or "", group.get("data-hex") or ""
        if layer in ("battle", "arrow", "mark") or (layer == "border" and title == "open to your units"):
            found |= signs_of_titles([(layer, title)], {0: hex_id})
        elif group.get("data-hexes"):
            kind = str(group.get("data-kind"))
            found |= {("border", kind, side.split("-")[0]) for side in str(group.get("data-hexes")).split()}
    return found


@pytest.mark.parametrize("key", few(GAMES, "normandy71", "rampage"))
def test_all_maps_of_a_board_agree(key: str) -> None:
    """Units, hexes and signs are the same in all four; and no unit of the reader's own is missing."""
    for seed in range(size(1, 50)):
        rules, state, seat = position(key, seed)
        notes = tuple(note for note in state.log if note.seen_by(seat))
        board = rules.report.board(rules.view(state, seat), notes)
        seen = Tally(as_seen(each) for each in board.counters)
        where = f"{rules.label(state)}, {seat}, seed {seed}"

        told = json.loads(as_json(board))
        written, document, scene = text(board), whole_svg(board), layout(board, frame="whole")
        assert Tally(Counter(**each) for each in told["counters"]) == seen, where
        assert Tally(read_text(written)) == Tally(read_text(folded(written, 78))) == seen, where
        assert read_svg(document) == seen, where
        assert Tally(each for piece in scene.pieces for each in piece.counters) == seen, where

        signs = signs_of(board)
        assert signs_of_json(told) == signs, where
        assert signs_of_text(written) == signs_of_text(folded(written, 78)) == signs, where
        assert signs_of_scene(scene) == signs, where
        assert signs_of_svg(document) == signs, where

        kinds = kinds_of(board.map)
        hexes = {hex_id for hex_id, kind in kinds.items() if kind != "outside"}
        assert {each["hex"] for each in told["hexes"]} == hexes, where
        numbered = {each.text for each in ElementTree.fromstring(document).iter(f"{SVG}text")}
        assert {hex_id for hex_id in hexes if kinds[hex_id] != "sea"} <= numbered, where
        assert {each.hex for each in board.counters} <= numbered, where
        assert set(scene.ground.centers) == hexes, where

        roster = rules.roster(state, seat).units.values()
        own = {unit.id for unit in roster if not unit.enemy and unit.hex in board.map and not unit.absent}
        assert own <= {each.unit for each in board.counters}, where


@pytest.mark.parametrize("key", few(GAMES, "normandy71", "rampage"))
def test_parts_show_all_that_stands_on_the_map(key: str) -> None:
    """The close-ups of the parts of a map show every unit, those of its reader first; a picture has at
    most 80 KB, the whole map as SVG at most 300."""
    for seed in range(size(1, 10)):
        rules, state, seat = position(key, seed)
        notes = tuple(note for note in state.log if note.seen_by(seat))
        board = rules.report.board(rules.view(state, seat), notes)
        own = {unit.id for unit in rules.roster(state, seat).units.values() if not unit.enemy}
        areas = parts(board, own)
        shown = [shown_in(board, area) for area in areas]
        assert {each.hex for each in board.counters} <= {hex_id for hexes in shown for hex_id in hexes}
        first = max((area for area in areas), key=lambda area: _held(board, area, own), default=None)
        assert first is None or _held(board, areas[0], own) == _held(board, first, own)
        for place in range(min(size(1, 4), len(areas))):
            scene = layout(board, MAP_WIDTH, "action", areas=areas, place=place)
            hexes = {each.hex for piece in scene.pieces for each in piece.counters}
            assert {each.hex for each in board.counters if each.hex in shown[place]} == hexes
            assert len(scene_png(scene)) <= 80_000
        assert len(whole_svg(board).encode()) <= 300_000


def _held(board: Board, area: Area, own: set[str]) -> int:
    return sum(each.unit in own for each in board.counters if each.hex in area.hexes)


def test_a_map_around_a_hex(beachhead: Board) -> None:
    """It has the hex near its middle and shows what stands around it; a hex off the map is refused."""
    for hex_id in dict.fromkeys(each.hex for each in beachhead.counters):
        area = around(beachhead, hex_id)
        assert hex_id in shown_in(beachhead, area) and 30 <= len(shown_in(beachhead, area)) <= 60
    with pytest.raises(ValueError, match="there is no hex 9999"):
        around(beachhead, "9999")
