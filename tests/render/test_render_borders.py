from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import pytest

from pbem.engine.board import Board, Border
from pbem.render import layout, png, svg, text

BOUNDARY = Border(("0304", "0303"), kind="boundary")


@pytest.fixture
def bordered(island_board: Board) -> Board:
    """The board of one of everything with a front line and a boundary."""
    near = island_board.map.neighbours("0303")
    sides = [(b, "0303") for b in ("0403", "0402", "0404") if b in near]
    return replace(island_board, borders=(*(Border(side, "german") for side in sides), BOUNDARY))


def test_borders_lie_on_their_hexsides(bordered: Board) -> None:
    """Each border is drawn on the hexside between its two hexes, its teeth on the side of the first."""
    scene = layout(bordered)
    drawn = [piece for piece in scene.pieces if piece.layer == "border" and piece.title]
    assert len(drawn) == len(bordered.borders)
    for border, piece in zip(bordered.borders, drawn, strict=True):
        one, other = (
            (x, y + scene.top) for x, y in map(scene.frame.at, bordered.map.grid.side_points(*border.hexes))
        )
        middle = ((one[0] + other[0]) / 2, (one[1] + other[1]) / 2)
        assert abs(piece.x + piece.width / 2 - middle[0]) < 2
        assert abs(piece.y + piece.height / 2 - middle[1]) < 2
        assert (piece.body.count("<path") == 2) is (border.kind == "front")


def test_rims_lie_below_all_lines(bordered: Board) -> None:
    """No rim of one stretch covers the line of another, and counters lie over both."""
    layers = [(piece.layer, bool(piece.title)) for piece in layout(bordered).pieces]
    rims = [at for at, each in enumerate(layers) if each == ("border", False)]
    lines = [at for at, each in enumerate(layers) if each == ("border", True)]
    counters = [at for at, (layer, _) in enumerate(layers) if layer == "counter"]
    assert rims and max(rims) < min(lines) and max(lines) < min(counters)


def test_legend_explains_borders(bordered: Board, island_board: Board) -> None:
    """The legend names the side of a front line, and says nothing of borders where there are none."""
    told = [
        each.text for each in ElementTree.fromstring(svg(bordered)).iter("{http://www.w3.org/2000/svg}text")
    ]
    assert "German front line" in told and "boundary" in told
    assert "German front line" not in svg(island_board)


def test_text_lists_borders(bordered: Board) -> None:
    """The text map lists the hexes along each line, each hex once."""
    lines = text(bordered).splitlines()
    assert lines.count("Lines") == 1
    assert next(line for line in lines if line.startswith("  german front at ")).split(" at ")[1] == " ".join(
        dict.fromkeys(border.hexes[0] for border in bordered.borders if border.kind == "front")
    )
    assert "  boundary at 0304" in lines


def test_sketch_marks_the_front(bordered: Board, island_board: Board) -> None:
    """The sketch puts a stroke before each hex on a front line, and the key says whose line it is."""
    told = text(bordered)
    assert "/ German front line" in told and "/ German" not in text(island_board)
    sketch = told.partition("2 number of counters")[0]
    held = {border.hexes[0] for border in bordered.borders if border.kind == "front"}
    fought = {battle.hex for battle in bordered.battles}
    assert sketch.count("/") - sketch.count("/ German") == len(held - fought)


def test_borders_change_the_picture(bordered: Board, island_board: Board, tmp_path: Path) -> None:
    """A border can be seen in the PNG as well."""
    assert png(bordered, cache=tmp_path) != png(island_board, cache=tmp_path)


def test_a_border_needs_neighbours(island_board: Board) -> None:
    """Two hexes that do not touch have no hexside to draw on."""
    with pytest.raises(ValueError, match="0202"):
        layout(replace(island_board, borders=(Border(("0202", "0504"), "german"),)))
