from __future__ import annotations

import io
from collections import Counter as Tally
from dataclasses import replace
from pathlib import Path
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from pbem import paths
from pbem.engine.board import Board, Counter, Size, Symbol
from pbem.render import half_block, png, read_text, text
from pbem.render.pieces import describe
from pbem.render.terminal import _read_counter

WORDS = st.text(st.sampled_from("abcXYZ019/-. ()é"), max_size=12).map(lambda word: " ".join(word.split()))


def test_text_holds_the_counters_of_the_board(beachhead: Board, island_board: Board) -> None:
    """N21: a text map lists every counter of the board and no other."""
    for board in (beachhead, island_board):
        assert Tally(read_text(text(board))) == Tally(board.counters)


@given(
    st.builds(
        Counter,
        st.just("0303"),
        st.just("german"),
        figures=st.sampled_from(["", "7-4", "(3)-4", "4 6 8"]),
        name=WORDS,
        symbol=st.sampled_from(get_args(Symbol)),
        size=st.sampled_from(get_args(Size)),
        entrenched=st.booleans(),
        unsupplied=st.booleans(),
        dimmed=st.booleans(),
    )
)
def test_counters_in_words_can_be_read_back(counter: Counter) -> None:
    """Describing a counter and reading the description gives the counter."""
    assert _read_counter("0303", "german", describe(counter)) == counter


def test_a_line_that_is_not_of_units_is_refused() -> None:
    """Something else in the list of units is refused with its words."""
    with pytest.raises(ValueError, match="not a line of units"):
        read_text("x\n\nUnits\n  0303 german\n")


def test_sketch_puts_north_up(island_board: Board) -> None:
    """The sketch has the northern rows first and shows sides, numbers, hidden stacks, battles and ground."""
    lines = text(island_board).split("\n\n")[1].splitlines()
    assert lines[0].startswith("0101") or lines[0].startswith("0201")
    sketch = "\n".join(lines)
    for cell in ("A2", "*G?", "S", "~", "&"):
        assert cell in sketch


def test_sketch_keeps_to_its_columns(beachhead: Board) -> None:
    """No line of the sketch is wider than asked, and too narrow a width is refused."""
    for columns in (60, 100, 140):
        assert max(map(len, text(beachhead, columns).split("\n\n")[1].splitlines())) <= columns
    with pytest.raises(ValueError, match="columns"):
        text(beachhead, 20)


def test_text_tells_battles_moves_and_signs(island_board: Board) -> None:
    """Battles, moves and signs stand in the text under the names that the picture gives them."""
    written = text(island_board)
    assert "  R7 0403 (from 0303)" in written
    assert "  ss retreat 0504 > 0604" in written
    assert "  0205 beach 4" in written and "Reconstructed map" in written


def test_text_of_an_empty_board(island_board: Board) -> None:
    """A board with nothing on it is a map and no lists."""
    bare = replace(island_board, counters=(), arrows=(), battles=(), marks=())
    written = text(bare)
    assert "Units" not in written and "Battles" not in written and read_text(written) == ()


def test_half_blocks_show_the_picture(tmp_path: Path, island_board: Board) -> None:
    """Each character carries the colours of two pixels, above and below."""
    small = Image.new("RGB", (2, 2))
    small.putpixel((0, 0), (255, 0, 0))
    small.putpixel((1, 1), (0, 0, 255))
    written = io.BytesIO()
    small.save(written, "PNG")
    assert (
        half_block(written.getvalue(), 2)
        == "\x1b[38;2;255;0;0;48;2;0;0;0m▀\x1b[38;2;0;0;0;48;2;0;0;255m▀\x1b[0m\n"
    )
    lines = half_block(png(island_board, cache=tmp_path), 60).splitlines()
    assert all(line.count("▀") == 60 for line in lines)


def test_folders_are_found() -> None:
    """The templates, and with them the symbols, are found from the package."""
    assert (paths.templates() / "map" / "symbols.svg").is_file()
