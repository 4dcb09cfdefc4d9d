from __future__ import annotations

import os
import subprocess
import sys
from collections import Counter as Tally
from dataclasses import replace
from pathlib import Path
from typing import get_args
from xml.etree import ElementTree

import pytest

from pbem.engine.board import Board, Counter, Symbol
from pbem.render import layout, svg
from pbem.render.pieces import FLAGS, symbols

SVG = "{http://www.w3.org/2000/svg}"


def read_svg(document: str) -> Tally[Counter]:
    """The counters that an SVG map holds, read back from its data attributes."""
    found: Tally[Counter] = Tally()
    for group in ElementTree.fromstring(document).iter(f"{SVG}g"):
        if group.get("class") == "counter":
            told = {
                name.removeprefix("data-"): value for name, value in group.items() if name.startswith("data-")
            }
            marked = told.pop("flags", "").split()
            found[Counter(**told, **{flag: flag in marked for flag in FLAGS})] += 1  # type: ignore[arg-type]
    return found


@pytest.mark.parametrize("frame", ["focus", "whole", "overview", "action"])
def test_svg_holds_the_counters_of_the_board(beachhead: Board, frame: str) -> None:
    """N21: an SVG map, whatever its frame, holds every counter of the board and no other."""
    assert read_svg(svg(beachhead, frame=frame)) == Tally(beachhead.counters)  # type: ignore[arg-type]


def test_svg_of_one_of_everything(island_board: Board) -> None:
    """Names with quotes and brackets, stacks, flags and all kinds of signs survive being written as SVG."""
    document = svg(island_board)
    assert read_svg(document) == Tally(island_board.counters)
    classes = Tally(group.get("class") for group in ElementTree.fromstring(document).iter(f"{SVG}g"))
    assert classes["battle"] == 1 and classes["mark"] == 7 and classes["arrow"] == 2
    texts = [text.text for text in ElementTree.fromstring(document).iter(f"{SVG}text")]
    assert {"R7", "Bourg & Fils", "Ville", "Island · Turn 1 & only", "2", "0303"} <= set(texts)


def test_hidden_counters_show_their_back(island_board: Board) -> None:
    """A hidden counter is drawn without figures, name or symbol even if a game forgets to leave them out."""
    leaky = replace(island_board, counters=(Counter("0403", "german", "9-9", "Lehr", "armour", hidden=True),))
    shown = next(piece for piece in layout(leaky).pieces if piece.layer == "counter")
    assert "9-9" not in shown.body and "Lehr" not in shown.body and "#armour" not in shown.body
    document = svg(leaky)
    assert "9-9" not in document and "Lehr" not in document and 'data-symbol="armour"' not in document


def test_svg_is_the_same_everywhere(tmp_path: Path, island_board: Board) -> None:
    """The same board gives the same bytes under different hash seeds."""
    script = tmp_path / "draw.py"
    script.write_text(
        "import sys\n"
        "from pbem.engine.board import Arrow, Battle, Board, Counter\n"
        "from pbem.engine.data import find_data\n"
        "from pbem.engine.map import Map\n"
        "from pbem.render import svg\n"
        "map = Map.load(find_data('normandy71', 'map.toml'))\n"
        "board = Board(map, 'T', '', (Counter('5325', 'german', '7-4', '6 FJ', 'parachute', 'regiment'),),\n"
        "    (Arrow(('5324', '5325'), 'german'),), (Battle('5325', 'R1', ('5326',)),),\n"
        "    focus=('5325',), legend={'german': 'G'})\n"
        "sys.stdout.write(svg(board))\n",
        encoding="utf-8",
    )
    drawn = [
        subprocess.run(
            [sys.executable, str(script)],
            capture_output=True,
            check=True,
            env={**os.environ, "PYTHONHASHSEED": seed},
        ).stdout
        for seed in ("1", "2")
    ]
    assert drawn[0] == drawn[1] and b'data-name="6 FJ"' in drawn[0]


def test_every_branch_has_a_symbol() -> None:
    """Each symbol that a counter may show is drawn in templates/map/symbols.svg."""
    assert set(symbols()) == set(get_args(Symbol)) - {"none"}


def test_dark_palette_changes_colours_only(island_board: Board) -> None:
    """The dark variant places the same things in the same places."""
    paper, dark = layout(island_board), layout(island_board, look="dark")
    assert [(p.layer, p.x, p.y, p.hex) for p in paper.pieces] == [
        (p.layer, p.x, p.y, p.hex) for p in dark.pieces
    ]
    assert svg(island_board) != svg(island_board, palette="dark")


def test_legend_lists_only_what_occurs(island_board: Board) -> None:
    """The legend explains a sign if it is on the board, and does not if it is not."""
    bare = replace(island_board, arrows=(), battles=(), marks=(), counters=island_board.counters[2:3])
    full, short = svg(island_board), svg(bare)
    for word in (
        "out of supply",
        "units lost",
        "battle, as numbered in the log",
        "units in the hex",
        "attack, from where",
    ):
        assert word in full and word not in short
    assert "unknown, dug in" in short and "front line" in short


def test_reconstructed_maps_say_so(island_board: Board) -> None:
    """A map with reconstructed data carries the line that says so and where the data come from."""
    assert "Reconstructed map" in svg(island_board) and "drawn for the tests" in svg(island_board)
