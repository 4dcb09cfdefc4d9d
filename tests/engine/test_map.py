"""Maps: the five conventions read and checked, faults named, movement and floods."""

from __future__ import annotations

import random
from functools import cache
from itertools import pairwise
from pathlib import Path

import pytest

from pbem.engine.data import find_data
from pbem.engine.errors import DataError
from pbem.engine.hexes import EVERYWHERE, bits, indices
from pbem.engine.map import OFF_MAP, CostTable, Extra, Map

GAMES = ("normandy71", "rampage", "falaise", "normandy44", "france44")

SMALL = """
game = "toy"
title = "Toy"
reconstructed = true
data = "drawn for the tests"
[grid]
order = "CCRR"
kind = "flat"
shifted_parity = "even"
col_grows = "E"
row_grows = "S"
cols = [1, 5]
rows = [1, 3]
[terrain]
legend = { "." = "clear", "w" = "woods", "C" = "clear+city", "S" = "sea", "x" = "off the map" }
[terrain.rows]
"01" = "..w.."
"02" = ".CwSS"
"03" = "....x"
[hexes]
fort = ["0202", "0403"]
[hexsides]
river_major = ["0201-0101", "0102-0201"]
bridge = ["0101-0201"]
sea = []
[rivers]
"Brook" = ["0101-0201"]
[roads]
main = ["0101-0201"]
minor = ["0201-0101", "0201-0301", "0301-0401"]
[places]
"Here" = "0202"
[cities]
"Town" = ["0202"]
[features]
ports = { "North" = "0101" }
"""


def map_file(game: str) -> Path:
    return Path(__file__).parent / "maps" / f"{game}.toml"


@cache
def map_of(game: str) -> Map:
    return Map.load(find_data(game, "map.toml") if game == "normandy71" else map_file(game))


def toy(tmp_path: Path, *changes: tuple[str, str]) -> Map:
    """The small map, after replacing pieces of its text."""
    text = SMALL
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    path = tmp_path / "map.toml"
    path.write_text(text, encoding="utf-8")
    return Map.load(path)


# --- the five maps --------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", GAMES)
def test_every_hexside_river_and_road_joins_neighbours(game: str) -> None:
    """Each map loads, and all that it says about two hexes is about neighbours: the numbering is
    understood."""
    found = map_of(game)
    keys = [
        key for lists in (found.sides, found.rivers, found.roads) for keys in lists.values() for key in keys
    ]
    assert len(keys) > 100
    for key in keys:
        a, b = key.split("-")
        assert b in found.grid.neighbours(a) and a < b


@pytest.mark.parametrize("game", GAMES)
def test_another_parity_breaks_every_map(game: str, tmp_path: Path) -> None:
    """With the other columns or rows shifted, hexsides no longer join neighbours, and the file is refused."""
    packaged = find_data(game, "map.toml") if game == "normandy71" else map_file(game)
    text = packaged.read_text(encoding="utf-8")
    parity = map_of(game).grid.shifted_parity
    other = {"odd": "even", "even": "odd"}[parity]
    path = tmp_path / "map.toml"
    path.write_text(
        text.replace(f'shifted_parity = "{parity}"', f'shifted_parity = "{other}"'), encoding="utf-8"
    )
    with pytest.raises(DataError, match="does not join neighbouring hexes"):
        Map.load(path)


@pytest.mark.parametrize("game", GAMES)
def test_each_map_says_where_it_comes_from(game: str) -> None:
    """All five are reconstructed, say so, credit their data and tell what their anchors rest on."""
    found = map_of(game)
    assert found.game == game and found.reconstructed and found.source == "reconstructed"
    assert "GeoNames" in found.credit
    assert {anchor.confidence for anchor in found.anchors} <= {"stated", "inferred"} and found.anchors
    assert all(anchor.hex in found for anchor in found.anchors)


@pytest.mark.parametrize("game", GAMES)
def test_terrain_and_marks_agree(game: str) -> None:
    """Every hex has one terrain, and the set of each terrain holds exactly its hexes."""
    found = map_of(game)
    for hex_id, terrain in zip(found.grid.ids, found.terrains, strict=True):
        assert found.has(hex_id, terrain) and found.terrain(hex_id) == terrain
        assert (hex_id in found) == (terrain != OFF_MAP)
    for mark, chosen in found.marks.items():
        assert found.hexes(mark) == found.grid.named(chosen)
        assert mark == OFF_MAP or not chosen & ~found.on_map


def test_the_facts_of_normandy71() -> None:
    """Single facts of the map of Normandy 1971, read from its rows by eye."""
    found = map_of("normandy71")
    assert found.terrain("4230") == "fort" and found.hexes("fort") == ("4129", "4230")
    assert found.terrain("0109") == "bocage" and found.terrain("6334") == "bocage"
    assert found.terrain("0134") == "all sea"
    assert found.cities["Caen"] == ("1518", "1618", "1619")
    assert found.names("1518") == ("Caen",)
    assert found.hexside("0315", "0415") == {"river_major", "flooded", "bridge"}
    assert found.river("0101", "0201") == ("Dives",)
    assert found.road("0209", "0109") == "main" and found.road("0109", "0110") is None
    assert found.features["beaches"]["5 Omaha"] == "3929"
    assert found.has("3929", "coastal") and not found.has("4230", "coastal")
    assert found.hex_km == 2.0


def test_the_scheldt_of_france44() -> None:
    """The seven hexes of the Scheldt estuary are 2805 and its neighbours."""
    found = map_of("france44")
    assert set(found.hexes("scheldt_estuary")) == {"2805", *found.neighbours("2805")}


def test_the_v1_sites_of_rampage() -> None:
    """The V-1 sites are one chain."""
    found = map_of("rampage")
    chain = found.bits("v1_sites")
    assert found.flood(chain & -chain, chain) == chain and chain.bit_count() == 6


def test_terrain_with_an_addition() -> None:
    """Terrain with an addition is the terrain, the addition is a mark, and a list of hexes adds to a mark."""
    found = map_of("france44")
    assert (
        found.terrain("2113") == "clear" and found.has("2113", "city") and not found.has("2113", "fortress")
    )
    assert found.terrain("3211") == "rough" and found.has("3211", "fortress") and found.has("3211", "rough")
    assert found.has("3310", "city") and found.has("3310", "fortress")


# --- a small map ----------------------------------------------------------------------------------------


def test_hexes_and_places(tmp_path: Path) -> None:
    """Terrain, marks, names and neighbours are asked for by printed number."""
    found = toy(tmp_path)
    assert [found.terrain(hex_id) for hex_id in ("0101", "0301", "0202", "0502")] == [
        "clear",
        "woods",
        "clear",
        "sea",
    ]
    assert found.hexes("city") == ("0202",) and found.hexes("fort") == ("0202", "0403")
    assert found.names("0202") == ("Here", "Town") and found.names("0101") == ()
    assert "0503" in found.grid and "0503" not in found and "0503" not in found.neighbours("0502")
    assert found.neighbours("0403") == ("0402", "0303")


def test_hexsides_and_roads(tmp_path: Path) -> None:
    """Hexsides and roads are asked for between two hexes, in either order; the better road wins."""
    found = toy(tmp_path)
    assert found.hexside("0101", "0201") == found.hexside("0201", "0101") == {"river_major", "bridge"}
    assert found.hexside("0101", "0102") == frozenset()
    assert found.hexsides("river_major") == ("0101-0201", "0102-0201") and found.hexsides("sea") == ()
    assert found.road("0201", "0101") == "main" and found.road("0301", "0201") == "minor"
    assert found.grid.named(found.road_hexes) == ("0101", "0201", "0301", "0401")
    assert found.grid.named(found.road_links("main").spread(found.grid.all)) == ("0101", "0201")


def test_an_unknown_mark_is_an_error(tmp_path: Path) -> None:
    """A mark, hexside or feature that the map lacks is named, never taken for an empty one."""
    found = toy(tmp_path)
    with pytest.raises(DataError, match="no hexes are called 'coastal'; known: clear, woods"):
        found.has("0101", "coastal")
    with pytest.raises(DataError, match="no hexsides are called 'ford'; known: river_major, bridge, sea"):
        found.hexsides("ford")
    found.require(hexes=["fort", "woods"], hexsides=["sea"], features=["ports"])
    with pytest.raises(
        DataError, match=r"2 faults\n  hexes\.swamp: is missing\n  features\.depots: is missing"
    ):
        found.require(hexes=["fort", "swamp"], features=["depots"])


@pytest.mark.parametrize(
    ("old", "new", "fault"),
    [
        ('"01" = "..w.."', '"01" = "..w."', "terrain.rows.01: has 4 letters, but there are 5 columns"),
        ('"01" = "..w.."', '"01" = "..w.?"', "terrain.rows.01: column 05: '?' is not in the legend"),
        ('"03" = "....x"\n', "", "terrain.rows.03: is missing"),
        ('"03" = "....x"\n', '"03" = "....x"\n"04" = "....."\n', "terrain.rows.04: there is no such row"),
        (
            '"0403"]',
            '"0404"]',
            "hexes.fort: there is no hex 0404: columns run from 01 to 05 and rows from 01 to 03",
        ),
        ('"Here" = "0202"', '"Here" = "0602"', "places.Here: there is no hex 0602"),
        ('"Town" = ["0202"]', '"Town" = ["0200"]', "cities.Town: there is no hex 0200"),
        ('"North" = "0101"', '"North" = "0001"', "features.ports.North: there is no hex 0001"),
        ('"0102-0201"]', '"0102-0301"]', "hexsides.river_major: 0102-0301 does not join neighbouring hexes"),
        ('"0102-0201"]', '"0102-0009"]', "hexsides.river_major: 0102-0009: there is no hex 0009"),
        ('"0102-0201"]', '"0102/0201"]', "hexsides.river_major: '0102/0201' is not a hexside"),
        ('bridge = ["0101-0201"]', 'bridge = ["0101-0101"]', "hexsides.bridge: 0101-0101 does not join"),
        ('"0201-0301", ', '"0201-0401", ', "roads.minor: 0201-0401 does not join neighbouring hexes"),
        ('"Brook" = ["0101-0201"]', '"Brook" = ["0101-0301"]', "rivers.Brook: 0101-0301 does not join"),
        ("cols = [1, 5]", "cols = [5, 1]", "grid: cols must run from a lower to a higher number"),
        ("reconstructed = true", "reconstructed = false", "source: is missing"),
        ('kind = "flat"', 'kind = "round"', "grid.kind: "),
        ("[roads]", "[roads]\ntrack = []", "roads.track.[key]: "),
        ('game = "toy"', 'game = "toy"\nscale = 3', "scale: no such entry is known"),
    ],
)
def test_a_fault_of_the_file_is_named(old: str, new: str, fault: str, tmp_path: Path) -> None:
    """Each fault is refused with its place, what was written and what is wrong with it."""
    with pytest.raises(DataError) as caught:
        toy(tmp_path, (old, new))
    assert str(caught.value).startswith(f"{tmp_path / 'map.toml'}: ")
    assert fault in str(caught.value)


def test_all_faults_come_at_once(tmp_path: Path) -> None:
    """A file with several faults is answered with all of them."""
    with pytest.raises(DataError, match="3 faults"):
        toy(
            tmp_path,
            ('"0403"]', '"0409"]'),
            ('"01" = "..w.."', '"01" = "..w"'),
            ('"Here" = "0202"', '"Here" = "x"'),
        )


def test_a_map_that_was_found_names_its_source(tmp_path: Path) -> None:
    """A map that is not reconstructed is accepted with a source."""
    found = toy(tmp_path, ("reconstructed = true", 'reconstructed = false\nsource = "found printed map"'))
    assert not found.reconstructed and found.source == "found printed map"


# --- links ----------------------------------------------------------------------------------------------


def test_zones_do_not_cross_barred_hexsides(tmp_path: Path) -> None:
    """Spreading over links leaves out what lies beyond a barred hexside or off the map."""
    found = toy(tmp_path)
    start = found.grid.bits(["0201"])
    assert found.grid.named(found.links.spread(start)) == ("0101", "0301", "0102", "0202", "0302")
    barred = found.without("river_major")
    assert found.grid.named(barred.spread(start)) == ("0301", "0202", "0302")
    assert found.links.spread(found.grid.bits(["0403", "0502"])) & ~found.on_map == 0


@pytest.mark.parametrize("game", GAMES)
def test_links_agree_with_the_neighbours_one_by_one(game: str) -> None:
    """A set spread over links is what its hexes reach singly, without the barred hexsides."""
    found, luck = map_of(game), random.Random(game)
    links = found.without("river_major", "sea")
    for size in (1, 10, 200):
        chosen = luck.sample(range(len(found.grid)), size)
        expected = found.grid.bits(
            near
            for hex_id in found.grid.named(bits(chosen))
            for near in found.neighbours(hex_id)
            if not found.hexside(hex_id, near) & {"river_major", "sea"}
        )
        assert links.spread(bits(chosen)) == expected


@pytest.mark.parametrize("game", ["normandy71", "normandy44", "falaise"])
def test_a_flood_along_roads(game: str) -> None:
    """Hex by hex or set by set, the same road hexes are reached, and all of them are linked by roads."""
    found = map_of(game)
    roads = found.road_links()
    start = found.road_hexes & -found.road_hexes
    blocked = bits(random.Random(1).sample(list(indices(found.road_hexes & ~start)), 12))
    for passable in (EVERYWHERE, ~blocked):
        reached = found.road_flood(start, passable)
        assert reached == roads.flood(start, passable, len(found.grid))
        assert reached & ~found.road_hexes == 0 and reached.bit_count() > 5
        assert roads.spread(reached) & passable == reached & roads.spread(reached)
    assert found.road_flood(start, ~blocked) & blocked == 0


def test_a_flood_stays_on_the_map() -> None:
    """Supply spreads through what is passable on the map and stops at its edge."""
    found = map_of("rampage")
    land = found.on_map & ~found.bits("sea")
    reached = found.flood(found.grid.bits(["1507"]), land)
    assert reached & ~land == 0 and reached >> found.grid.index("3017") & 1
    assert found.flood(found.grid.bits(["1507"]), EVERYWHERE, 2) == found.grid.within("1507", 2)


# --- movement -------------------------------------------------------------------------------------------


def normandy_cost(a: str, b: str) -> int | None:
    """Half points: 1 by road, 2 clear, 4 bocage, 2 more across a river; no way into or across the sea."""
    found = map_of("normandy71")
    sides = found.hexside(a, b)
    if found.terrain(b) == "all sea" or "sea" in sides:
        return None
    if found.road(a, b):
        return 1
    return (4 if found.terrain(b) == "bocage" else 2) + (2 if sides & {"river_major", "river_minor"} else 0)


@cache
def normandy_table() -> CostTable:
    return map_of("normandy71").costs(normandy_cost)


def cheapest_ways(table: CostTable, start: int, allowance: int) -> dict[int, int]:
    """Costs by trying to better every hex again and again: slow, and plainly right."""
    found = {start: 0}
    better = True
    while better:
        better = False
        for a, spent in list(found.items()):
            if a != start and table.stop >> a & 1:
                continue
            for b in table.grid.adjacent[a]:
                price = table.cost(a, b)
                if price is not None and spent + price <= min(allowance, found.get(b, allowance + 1) - 1):
                    found[b] = spent + price
                    better = True
    return found


@pytest.mark.parametrize("seed", range(8))
def test_reach_finds_the_cheapest_ways(seed: int) -> None:
    """Reach gives the least cost of every hex, with zones, enemy units and stops, and paths that cost as
    much."""
    luck = random.Random(seed)
    found = map_of("normandy71")
    land = list(indices(found.grid.all & ~found.bits("all sea")))
    start = luck.choice(land)
    near = [index for index in indices(found.grid.within(found.grid.ids[start], 8)) if index != start]
    enemy = bits(luck.sample(near, 6))
    zone = found.grid.zone(enemy)
    table = normandy_table().with_extra(
        Extra(EVERYWHERE, zone, 2),
        Extra(zone, EVERYWHERE, 1),
        Extra(EVERYWHERE, enemy, None),
        stop=zone if seed % 2 else 0,
    )
    reach = table.reach(start, 14)
    assert dict(reach.costs) == cheapest_ways(table, start, 14)
    assert list(reach.costs.values()) == sorted(reach.costs.values())
    assert list(reach) == list(table.reach(start, 14))
    assert reach.hexes == bits(reach) and not reach.hexes & enemy
    for goal in reach:
        path = reach.path_to(goal)
        assert path[0] == start and path[-1] == goal and table.cost_of(path) == reach.costs[goal]
        for before, here in pairwise(path):
            same = [
                a
                for a in found.grid.adjacent[here]
                if a in reach
                and reach.costs[a] + (table.cost(a, here) or 99) == reach.costs[here]
                and (a == start or not table.stop >> a & 1)
            ]
            assert before == min(same)
    assert reach.ways()[start] == (0, None) and len(reach.ways()) == len(reach)


def plain(tmp_path: Path) -> Map:
    return toy(tmp_path, ('".CwSS"', '"....."'), ('"..w.."', '"....."'), ('"....x"', '"....."'))


def test_roads_and_rivers_have_a_direction_of_their_own(tmp_path: Path) -> None:
    """A cost may differ both ways and depend on the hexside; the printed numbers are what it is asked by."""
    found = plain(tmp_path)
    table = found.costs(
        lambda a, b: 1 if found.road(a, b) else 5 if "river_major" in found.hexside(a, b) else 2 + (a < b)
    )
    at = found.grid.index
    assert table.cost(at("0101"), at("0201")) == 1 and table.cost(at("0102"), at("0201")) == 5
    assert table.cost(at("0301"), at("0302")) == 3 and table.cost(at("0302"), at("0301")) == 2
    assert table.cost(at("0101"), at("0301")) is None
    assert table.cost_of([at("0101"), at("0201"), at("0301"), at("0302")]) == 5
    assert table.cost_of([at("0101"), at("0301")]) is None


def test_leaving_and_entering_zones_adds_up(tmp_path: Path) -> None:
    """A zone costs extra to enter and to leave, both when moving within it, and a ban stops zone to zone."""
    found = plain(tmp_path)
    at, zone = found.grid.index, found.grid.bits(["0202", "0302"])
    table = found.costs(lambda a, b: 2).with_extra(Extra(EVERYWHERE, zone, 2), Extra(zone, EVERYWHERE, 1))
    assert table.cost(at("0201"), at("0202")) == 4
    assert table.cost(at("0202"), at("0203")) == 3
    assert table.cost(at("0202"), at("0302")) == 5
    assert table.cost(at("0101"), at("0102")) == 2
    strict = table.with_extra(Extra(zone, zone, None))
    assert strict.cost(at("0202"), at("0302")) is None and strict.cost(at("0202"), at("0203")) == 3


def test_movement_ends_in_a_stop_hex_and_may_begin_there(tmp_path: Path) -> None:
    """A unit entering a stop hex goes no further in this move, but one that starts there may leave."""
    found = plain(tmp_path)
    at = found.grid.index
    column = found.grid.bits(["0201", "0202", "0203"])
    table = found.costs(lambda a, b: 1, stop=column)
    assert found.grid.named(table.reach(at("0101"), 9).hexes & ~column) == ("0101", "0102", "0103")
    assert at("0302") in table.reach(at("0202"), 1)
    assert table.cost_of([at("0101"), at("0201"), at("0301")]) is None
    assert table.cost_of([at("0201"), at("0301")]) == 1


def test_blocked_hexes_are_never_entered(tmp_path: Path) -> None:
    """Hexes that are blocked for one search are walked round; the start does not count."""
    found = plain(tmp_path)
    at = found.grid.index
    table = found.costs(lambda a, b: 1)
    wall = found.grid.bits(["0201", "0202", "0101"])
    reach = table.reach(at("0101"), 20, wall)
    assert not reach.hexes & wall & ~(1 << at("0101"))
    way = ("0101", "0102", "0103", "0203", "0303", "0302", "0301")
    assert reach.path_to(at("0301")) == tuple(map(at, way))


def test_reach_from_several_starts(tmp_path: Path) -> None:
    """From several starts each hex costs what the nearest one makes it, in whatever order they are given."""
    found = plain(tmp_path)
    at = found.grid.index
    table = found.costs(lambda a, b: 1)
    both = table.reach([at("0501"), at("0101")], 2)
    assert list(both.costs.items()) == list(table.reach([at("0101"), at("0501")], 2).costs.items())
    for index in both:
        assert both.costs[index] == min(
            found.grid.steps(index, at("0101")), found.grid.steps(index, at("0501"))
        )
    assert both.path_to(at("0401")) == (at("0501"), at("0401"))


def test_one_unit_without_a_table(tmp_path: Path) -> None:
    """A single search takes the cost itself and keeps to the map; with nothing to spend a unit stays."""
    found = toy(tmp_path)
    reach = found.reach("0403", 1, lambda a, b: None if found.terrain(b) == "sea" else 1)
    assert found.grid.named(reach.hexes) == ("0303", "0403")
    assert found.reach("0403", 0, lambda a, b: 1).hexes == found.reach("0403", -2, lambda a, b: 1).hexes
    assert found.grid.named(found.reach("0403", 0, lambda a, b: 1).hexes) == ("0403",)


def test_a_goal_out_of_reach(tmp_path: Path) -> None:
    """There is no path to a hex that cannot be reached."""
    found = plain(tmp_path)
    reach = found.costs(lambda a, b: 1).reach(found.grid.index("0101"), 1)
    with pytest.raises(KeyError):
        reach.path_to(found.grid.index("0501"))


def test_costs_are_whole_units_above_zero(tmp_path: Path) -> None:
    """A free move or a negative extra is a slip in the rules and is refused."""
    found = plain(tmp_path)
    with pytest.raises(ValueError, match="at least 1 unit, not 0"):
        found.costs(lambda a, b: 0).reach(0, 3)
    with pytest.raises(ValueError, match="cannot be negative: -1"):
        found.costs(lambda a, b: 2).with_extra(Extra(EVERYWHERE, EVERYWHERE, -1))
