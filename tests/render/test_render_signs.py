"""What the signs of a map mean: the legend and the words below the pictures of a letter explain them all."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pbem.engine.board import Arrow, Battle, Board, Border, Counter, Mark
from pbem.render import in_words, svg
from pbem.render.signs import FLAGS, MEANINGS
from pbem.service.letters.layout import Writing, as_html


@pytest.fixture
def signed(island_board: Board) -> Board:
    """Every flag of a counter, every kind of mark and of line."""
    flagged = tuple(Counter("0304", "allied", "7-4", **{flag: True}) for flag in FLAGS)  # type: ignore[arg-type]
    kinds = ("lost", "supply", "objective", "control", "beach", "target", "exit")
    return replace(
        island_board,
        counters=(*island_board.counters, *flagged),
        battles=(Battle("0303", "R7", ("0403",)),),
        marks=tuple(Mark("0304", kind) for kind in kinds),  # type: ignore[arg-type]
        arrows=(Arrow(("0303", "0403"), "allied", "retreat"), Arrow(("0303", "0403"), "allied", "supply")),
        borders=(Border(("0303", "0403"), "allied"), Border(("0303", "0304"), "", "boundary", "the Rhine")),
        entries=("0305",),
    )


def listed(board: Board) -> str:
    return "; ".join(f"{look} = {means}" for look, means in in_words(board))


def test_every_sign_is_explained(signed: Board) -> None:
    """Whatever is drawn stands in the legend and in the words."""
    legend, words = svg(signed), listed(signed)
    for sign, means in MEANINGS.items():
        assert means in legend or sign == "hidden", sign
        assert f"= {means}" in words, sign
    for name in ("Allied front line", "the Rhine", "supply line"):
        assert name in legend and name in words
    assert "dashed arrow = retreat" in words and "Allied retreat" in legend


def test_a_game_says_what_it_means_by_a_sign(signed: Board) -> None:
    """Its words stand for the usual ones; figures are explained only by a game."""
    board = replace(signed, signs={"dimmed": "cadre", "figures": "strength and movement"})
    for told in (svg(board), listed(board)):
        assert "cadre" in told and "has acted" not in told and "strength and movement" in told
    assert "figures" not in listed(signed)


def test_bridges_of_every_kind_are_in_the_legend(island: Board, island_board: Board) -> None:
    """Those over a river that only one game knows too."""
    sides = dict(island_board.map.sides)
    sides["rhine_bridge"] = sides.pop("bridge")
    object.__setattr__(island_board.map, "sides", sides)
    assert ">bridge<" in svg(island_board)


def test_the_words_stand_below_the_pictures_of_a_letter(signed: Board) -> None:
    """And only where there are any: a list, folded, with one sign to a line."""
    letter = Writing("turn", "Subject", board=lambda: signed)
    with_maps = as_html(letter, ("map",), "")
    assert "<summary>Signs on the maps</summary>" in with_maps
    assert "<tr><td>red star</td> <td>battle, as numbered in the log</td></tr>" in with_maps
    assert with_maps.count("<tr>") == len(in_words(signed)) and "red star" not in as_html(letter, (), "")
