"""Hex grids of every convention: numbers, neighbours, distances and sets of hexes."""

from __future__ import annotations

from itertools import pairwise, product
from math import dist, isclose, sqrt
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.engine.hexes import EVERYWHERE, Grid, bits, indices, side_key

CONVENTIONS = list(product(("CCRR", "RRCC"), ("flat", "pointy"), ("odd", "even"), ("E", "W"), ("N", "S")))


def grid_of(convention: Any, cols: tuple[int, int] = (0, 6), rows: tuple[int, int] = (3, 10)) -> Grid:
    return Grid(*convention, cols=cols, rows=rows)


GRIDS = [grid_of(convention) for convention in CONVENTIONS] + [
    grid_of(convention, cols=(1, 8), rows=(10, 14)) for convention in CONVENTIONS
]
every_grid = pytest.mark.parametrize("grid", GRIDS, ids=str)
grids = st.sampled_from(GRIDS)

NORMANDY71 = Grid("CCRR", "flat", "odd", "W", "N", (1, 63), (1, 34))
FRANCE44 = Grid("CCRR", "flat", "even", "E", "S", (1, 46), (1, 28))
RAMPAGE = Grid("RRCC", "pointy", "odd", "E", "N", (0, 23), (10, 30))
NORMANDY44 = Grid("RRCC", "pointy", "odd", "W", "S", (1, 27), (1, 27))
FALAISE = Grid("RRCC", "pointy", "even", "W", "S", (1, 45), (1, 40))


@every_grid
def test_numbers_and_indices_answer_each_other(grid: Grid) -> None:
    """Every index has one printed number, and that number leads back to it."""
    assert len(set(grid.ids)) == len(grid) == grid.width * grid.height
    assert [grid.index(hex_id) for hex_id in grid.ids] == list(range(len(grid)))


def test_the_order_of_the_digits() -> None:
    """CCRR prints the column first and RRCC the row."""
    assert NORMANDY71.col_row(NORMANDY71.index("4230")) == (42, 30)
    assert RAMPAGE.col_row(RAMPAGE.index("2105")) == (5, 21)


@pytest.mark.parametrize("wrong", ["6401", "0135", "0000", "12", "", "abcd", "１２０１"])
def test_an_unknown_hex_is_refused(wrong: str) -> None:
    """A number that the grid does not have is refused with the numbers that it has."""
    assert wrong not in NORMANDY71
    with pytest.raises(ValueError, match=r"columns run from 01 to 63 and rows from 01 to 34"):
        NORMANDY71.index(wrong)


def test_an_impossible_grid_is_refused() -> None:
    """Columns that end before they begin are refused."""
    with pytest.raises(ValueError, match="cols"):
        Grid("CCRR", "flat", "odd", "E", "S", (5, 4), (1, 2))


@every_grid
def test_neighbours_are_the_hexes_whose_centres_are_one_hex_apart(grid: Grid) -> None:
    """The neighbour table holds exactly the hexes that touch on the picture."""
    for a in grid.ids:
        touching = {b for b in grid.ids if isclose(dist(grid.center(a), grid.center(b)), sqrt(3))}
        assert set(grid.neighbours(a)) == touching


@every_grid
def test_directions_are_true_on_the_picture(grid: Grid) -> None:
    """North is up, east is right, and neighbours come clockwise from north."""
    for a in grid.ids:
        x, y = grid.center(a)
        names = [grid.direction(a, b) for b in grid.neighbours(a)]
        assert names == [name for name in grid.directions if name in names]
        for name, b in zip(names, grid.neighbours(a), strict=True):
            east, south = grid.center(b)[0] - x, grid.center(b)[1] - y
            assert (("E" in name) - ("W" in name)) * east >= 0 and (abs(east) > 1e-9) == (
                "E" in name or "W" in name
            )
            assert (("S" in name) - ("N" in name)) * south >= 0 and (abs(south) > 1e-9) == (
                "S" in name or "N" in name
            )
            assert grid.toward(a, name) == b


@pytest.mark.parametrize(
    ("grid", "south", "north", "west", "east"),
    [
        (NORMANDY71, "1001", "1030", "6010", "0110"),
        (FRANCE44, "1020", "1001", "0110", "4010"),
        (RAMPAGE, "1010", "3010", "1500", "1520"),
        (NORMANDY44, "2710", "0110", "1027", "1001"),
        (FALAISE, "4010", "0110", "1045", "1001"),
    ],
    ids=["normandy71", "france44", "rampage", "normandy44", "falaise"],
)
def test_numbers_grow_the_way_the_sheet_says(
    grid: Grid, south: str, north: str, west: str, east: str
) -> None:
    """North is up and east to the right whatever way the numbers grow."""
    assert grid.center(north)[1] < grid.center(south)[1]
    assert grid.center(west)[0] < grid.center(east)[0]


def test_a_flat_hex_names_its_neighbours_clockwise_from_north() -> None:
    """With numbers growing west and north, the hex to the north has the next row number."""
    assert NORMANDY71.neighbours("4129") == ("4130", "4030", "4029", "4128", "4229", "4230")


def test_a_pointed_hex_names_its_neighbours_clockwise_from_north() -> None:
    """With numbers growing west and south, the hex to the east has the column number before."""
    assert NORMANDY44.neighbours("0714") == ("0614", "0713", "0814", "0815", "0715", "0615")


@pytest.mark.parametrize(
    ("grid", "a", "b"),
    [(NORMANDY71, "4129", "4230"), (NORMANDY44, "0713", "0714"), (FALAISE, "3221", "3321")],
    ids=["normandy71", "normandy44", "falaise"],
)
def test_hexes_that_the_rules_call_adjacent(grid: Grid, a: str, b: str) -> None:
    """Hexes that must touch by the rules of a game do touch."""
    assert grid.are_neighbours(a, b) and a in grid.neighbours(b)


def test_the_ring_of_the_scheldt() -> None:
    """2805 and its six neighbours are the Scheldt hexes of France 1944."""
    assert set(FRANCE44.neighbours("2805")) == {"2705", "2706", "2804", "2806", "2905", "2906"}


def test_the_chain_of_v1_sites() -> None:
    """The V-1 hexes of Rampage form one chain."""
    chain = RAMPAGE.bits(["2105", "2106", "2207", "2307", "2407", "2507"])
    assert RAMPAGE.flood(chain & -chain, chain) == chain


@every_grid
def test_spreading_agrees_with_the_neighbour_table(grid: Grid) -> None:
    """The neighbours of each single hex, worked out by shifts, are those of the table, at the edges too."""
    for index in range(len(grid)):
        assert grid.spread(1 << index) == bits(grid.adjacent[index])


@given(grids, st.integers(min_value=0))
def test_spreading_a_set_is_spreading_its_hexes(grid: Grid, drawn: int) -> None:
    """The neighbours of a set are the neighbours of its hexes, and nothing outside the grid."""
    chosen = drawn & grid.all
    expected = bits({near for index in indices(chosen) for near in grid.adjacent[index]})
    assert grid.spread(chosen) == grid.zone(chosen) == expected
    assert grid.spread(~chosen) == grid.spread(grid.all & ~chosen)


@every_grid
def test_everywhere_spreads_everywhere(grid: Grid) -> None:
    """The endless set spreads over the whole grid and not beyond."""
    assert grid.spread(EVERYWHERE) == grid.all


@every_grid
def test_distance_is_the_number_of_steps(grid: Grid) -> None:
    """The distance by formula is the number of steps that a flood needs."""
    for start in (0, len(grid) // 2, len(grid) - 3):
        reached = 1 << start
        for steps in range(20):
            for index in indices(reached):
                assert grid.steps(start, index) <= steps
            assert grid.within(grid.ids[start], steps) == reached
            reached |= grid.spread(reached)
        assert reached == grid.all


@every_grid
def test_a_ring_is_what_a_wider_circle_adds(grid: Grid) -> None:
    """The ring of radius n holds the hexes at distance n, each once."""
    for hex_id in (grid.ids[0], grid.ids[len(grid) // 2 + 3]):
        for radius in range(5):
            ring = grid.ring(hex_id, radius)
            assert len(set(ring)) == len(ring)
            assert set(ring) == {other for other in grid.ids if grid.distance(hex_id, other) == radius}


def test_a_whole_ring_runs_clockwise() -> None:
    """A ring that is all on the grid closes, and its first hex lies in the first direction."""
    ring = FRANCE44.ring("2010", 3)
    assert len(ring) == 18 and ring[0] == FRANCE44.toward("2010", "N", 3)
    assert all(FRANCE44.are_neighbours(a, b) for a, b in pairwise((*ring, ring[0])))
    assert FRANCE44.ring("2010", 1) == FRANCE44.neighbours("2010")


@every_grid
def test_a_line_is_a_shortest_way_along_the_straight_line(grid: Grid) -> None:
    """A line is unbroken, as long as the distance, the same both ways, and keeps to the straight line."""
    for a, b in product(grid.ids[::5], grid.ids[::3]):
        line = grid.line(a, b)
        assert line[0] == a and line[-1] == b and len(line) == grid.distance(a, b) + 1
        assert all(grid.are_neighbours(here, there) for here, there in pairwise(line))
        assert grid.line(b, a) == line[::-1]
        for step, hex_id in enumerate(line[1:-1], 1):
            part = step / (len(line) - 1)
            point = [p + (q - p) * part for p, q in zip(grid.center(a), grid.center(b), strict=True)]
            assert dist(point, grid.center(hex_id)) <= 1 + 1e-9


@every_grid
def test_neighbours_share_the_ends_of_their_hexside(grid: Grid) -> None:
    """The hexside between two hexes has the same ends seen from either, and one name."""
    a = grid.ids[len(grid) // 2 + 3]
    for b in grid.neighbours(a):
        ours, theirs = grid.side_points(a, b), grid.side_points(b, a)[::-1]
        for near, far in zip(ours, theirs, strict=True):
            assert dist(near, far) < 1e-9
        assert dist(*ours) == pytest.approx(1)
        assert grid.hexside(a, b) == grid.hexside(b, a) == side_key(a, b)


@every_grid
def test_the_picture_holds_the_grid_exactly(grid: Grid) -> None:
    """The corners of all hexes lie within the picture and touch its four edges."""
    points = [corner for hex_id in grid.ids for corner in grid.corners(hex_id)]
    xs, ys = [x for x, _ in points], [y for _, y in points]
    assert (min(xs), min(ys)) == pytest.approx((0, 0), abs=1e-9)
    assert (max(xs), max(ys)) == pytest.approx(grid.extent)


def test_hexes_apart_have_no_hexside() -> None:
    """A hexside is asked for between neighbours only."""
    with pytest.raises(ValueError, match="0101 and 0301 are not neighbours"):
        FRANCE44.hexside("0101", "0301")


def test_toward_stops_at_the_edge() -> None:
    """Beyond the edge there is no hex."""
    assert FRANCE44.toward("0101", "N") is None
    assert FRANCE44.toward("0101", "S", 3) == "0104"


@given(st.sets(st.integers(min_value=0, max_value=3000)))
def test_sets_and_indices_answer_each_other(chosen: set[int]) -> None:
    """A set lists its indices in ascending order and is rebuilt from them, however many there are."""
    assert list(indices(bits(chosen))) == sorted(chosen)


def test_an_endless_set_is_not_listed() -> None:
    """Listing a set without an end is refused instead of never ending."""
    with pytest.raises(ValueError, match="without an end"):
        list(indices(EVERYWHERE))


def test_a_flood_keeps_to_what_is_passable() -> None:
    """A flood goes round a wall through its gap, and no farther than the steps allow."""
    wall = FRANCE44.bits(f"10{row:02}" for row in range(1, 28))
    start, goal = FRANCE44.bits(["0905"]), FRANCE44.bits(["1105"])
    assert FRANCE44.flood(start, FRANCE44.all & ~wall) & goal
    shut = wall | FRANCE44.bits(["1028"])
    reached = FRANCE44.flood(start, FRANCE44.all & ~shut)
    assert reached == FRANCE44.bits(hex_id for hex_id in FRANCE44.ids if hex_id < "1000")
    assert FRANCE44.flood(start, EVERYWHERE, 4) == FRANCE44.within("0905", 4)


def test_named_hexes_of_a_set() -> None:
    """A set is named by the printed numbers of its hexes."""
    assert RAMPAGE.named(RAMPAGE.bits(["2507", "1003"])) == ("1003", "2507")
