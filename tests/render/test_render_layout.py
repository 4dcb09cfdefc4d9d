from __future__ import annotations

from dataclasses import replace
from itertools import combinations

import pytest

from pbem.engine.board import Arrow, Board, Counter
from pbem.render import layout
from pbem.render.frame import LARGEST_HEX, frame_for
from pbem.render.palette import DARK, FACES, PAPER, Palette, face, faded, inks, legible, palette, rgb
from pbem.render.pieces import Piece, counter_side


def overlap(a: Piece, b: Piece) -> float:
    left, top, right, bottom = a.box()
    x, y, across, down = b.box()
    return max(0.0, min(right, across) - max(left, x)) * max(0.0, min(bottom, down) - max(top, y))


def test_names_keep_clear_of_counters_and_each_other(beachhead: Board) -> None:
    """Hardly any part of a name lies under a counter or on another name."""
    scene = layout(beachhead, 1400)
    names = [piece for piece in scene.pieces if piece.layer == "name"]
    counters = [piece for piece in scene.pieces if piece.layer == "counter"]
    assert len(names) > 10
    area = sum(name.width * name.height for name in names)
    assert sum(overlap(name, counter) for name in names for counter in counters) < 0.05 * area
    assert sum(overlap(a, b) for a, b in combinations(names, 2)) < 0.05 * area


def test_cities_are_always_named(beachhead: Board) -> None:
    """A city in the frame is named however crowded it is there."""
    bodies = [piece.body for piece in layout(beachhead, frame="whole").pieces if piece.layer == "name"]
    for city in beachhead.map.cities:
        assert any(f">{city}<" in body for body in bodies), city


def test_arrow_heads_end_outside_the_counter(island_board: Board) -> None:
    """The head of an arrow into a stack stops at the counter's edge, where it can be seen."""
    scene = layout(replace(island_board, arrows=(Arrow(("0303", "0403"), "allied"),)))
    arrow = next(piece for piece in scene.pieces if piece.layer == "arrow")
    target = next(piece for piece in scene.pieces if piece.hex == "0403" and piece.counters)
    x, y = target.x + target.width / 2, target.y + target.height / 2
    points = arrow.body.rsplit("<path d=", 1)[1].split('"')[1].removeprefix("M").removesuffix("z").split("L")
    tip = [float(part) for part in points[1].split()]
    half = counter_side(scene.frame.size) / 2
    assert max(abs(arrow.x + tip[0] - x), abs(arrow.y + tip[1] - y)) >= half - 1


def test_arrows_along_one_way_lie_beside_each_other(island_board: Board) -> None:
    """Two sides that moved along the same hexes get two arrows that do not cover each other."""
    path = ("0302", "0303")
    both = replace(
        island_board,
        counters=(),
        arrows=(Arrow(path, "allied"), Arrow(path, "german"), Arrow(path, "german")),
    )
    drawn = [piece for piece in layout(both).pieces if piece.layer == "arrow"]
    assert len(drawn) == 2 and (drawn[0].x, drawn[0].y) != (drawn[1].x, drawn[1].y)


def test_focus_frame_shows_the_focus_and_its_surroundings(beachhead: Board) -> None:
    """Every hex of the focus lies in the frame, two hexes from its edge unless the map ends there."""
    frame = frame_for(beachhead.map, 1400, beachhead.focus)
    assert not frame.whole
    for hex_id in beachhead.focus:
        for near in beachhead.map.neighbours(hex_id):
            assert frame.shows(frame.at(beachhead.map.grid.center(near)))


def test_one_hex_of_focus_still_shows_a_region(beachhead: Board) -> None:
    """A focus of one hex shows about 18 by 14 hexes, not one huge hex."""
    frame = frame_for(beachhead.map, 1400, ["4218"])
    assert (
        frame.size <= LARGEST_HEX
        and frame.width / frame.size >= 18 * 1.5
        and frame.height / frame.size >= 14 * 1.7
    )


def test_inset_only_when_part_of_the_map_is_shown(beachhead: Board) -> None:
    """The small map of the whole stands on a focus picture and not on a whole one."""
    titles = {
        frame: [p.title for p in layout(beachhead, frame=frame).pieces]  # type: ignore[arg-type]
        for frame in ("focus", "whole")
    }
    assert "the whole map" in titles["focus"] and "the whole map" not in titles["whole"]


def test_counters_outside_the_frame_are_counted(beachhead: Board) -> None:
    """What a focus picture cannot show is known, so that the SVG can list it."""
    far = Counter("0102", "german", "4-4")
    scene = layout(replace(beachhead, counters=(*beachhead.counters, far)))
    assert far in scene.outside()


@pytest.mark.parametrize(("width", "look"), [(100, "paper"), (9000, "paper"), (1400, "sepia")])
def test_impossible_pictures_are_refused(island_board: Board, width: int, look: str) -> None:
    """A width or palette that does not exist is refused in words."""
    with pytest.raises(ValueError, match=r"pixels wide|palette"):
        layout(island_board, width, look=look)


@pytest.mark.parametrize("width", [400, 1200, 2400])
def test_everything_lies_on_the_picture(island_board: Board, width: int) -> None:
    """No counter, name or sign hangs over the edge of the picture, at any width."""
    scene = layout(island_board, width)
    for piece in scene.pieces:
        if piece.layer in ("counter", "name", "panel"):
            assert piece.x >= -2 and piece.x + piece.width <= scene.width + 2, piece
            assert piece.y >= -2 and piece.y + piece.height <= scene.height + 2, piece


# --- colours --------------------------------------------------------------------------------------------


def luminance(colour: str) -> float:
    """Relative luminance as WCAG defines it."""
    parts = [part / 255 for part in rgb(colour)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(a: str, b: str) -> float:
    high, low = sorted((luminance(a), luminance(b)), reverse=True)
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("look", [PAPER, DARK], ids=lambda look: look.name)
def test_figures_stand_out_from_their_counters(look: Palette) -> None:
    """The figures of every side, fresh or moved, have a contrast of at least 4.5."""
    for side in FACES:
        colours = face(side, look)
        assert contrast(colours.ink, colours.face) >= 4.5, side
        dim = faded(colours, look)
        assert contrast(legible(colours.ink, dim), dim) >= 4.5, side


def test_enemies_differ_in_lightness() -> None:
    """Every Allied counter is at least twice as light as every German one: no eye needs hue to tell them
    apart."""
    allied = [FACES[side].face for side in ("allied", "us", "uk", "canadian", "polish", "french")]
    german = [FACES[side].face for side in ("german", "ss", "luftwaffe", "army")]
    assert min(contrast(a, g) for a in allied for g in german) >= 2.5
    assert all(FACES[side].stripe for side in ("german", "ss", "luftwaffe", "army"))


def test_inks_hold_the_colours_that_matter() -> None:
    """However few colours there is room for, the faces of the sides are among them."""
    few = inks(PAPER, tuple(FACES), 100)
    assert len(few) == 100 and all(rgb(FACES[side].face) in few for side in FACES)


def test_unknown_palettes_are_refused() -> None:
    """An unknown palette is refused with the names of those there are."""
    with pytest.raises(ValueError, match="paper, dark"):
        palette("sepia")
