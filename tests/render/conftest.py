from __future__ import annotations

from pathlib import Path

import pytest

from pbem.engine.board import Arrow, Battle, Board, Counter, Mark
from pbem.engine.data import find_data
from pbem.engine.map import Map

ISLAND = """
game = "toy"
title = "Island"
reconstructed = true
data = "drawn for the tests"
[grid]
order = "CCRR"
kind = "{kind}"
shifted_parity = "odd"
col_grows = "E"
row_grows = "S"
cols = [1, 8]
rows = [1, 6]
hex_km_stated = 2.0
rotation_deg = 10.0
[terrain]
legend = {{ "." = "clear", "b" = "bocage", "C" = "city", "F" = "fort", "S" = "all sea", "x" = "off the map" }}
[terrain.rows]
"01" = "SSSSSSSx"
"02" = "S..bbbSS"
"03" = "S.Cbbb.S"
"04" = "S..bbb.S"
"05" = "S..F...S"
"06" = "SSSSSSSS"
[hexsides]
river_minor = ["0302-0303"]
river_major = ["0402-0403"]
flooded = ["0302-0303"]
bridge = ["0402-0403"]
front_line = ["0503-0504"]
[roads]
main = ["0302-0303", "0402-0403"]
[places]
"Bourg & Fils" = "0304"
[cities]
"Ville" = ["0303"]
"""


@pytest.fixture(params=["flat", "pointy"])
def island(request: pytest.FixtureRequest, tmp_path: Path) -> Map:
    """A map of 8 by 6 hexes with everything that can be drawn on one, in either kind of grid."""
    file = tmp_path / "island.toml"
    file.write_text(ISLAND.format(kind=request.param), encoding="utf-8")
    return Map.load(file)


@pytest.fixture
def island_board(island: Map) -> Board:
    """A board with one of everything."""
    counters = (
        Counter("0303", "allied", "7-4", 'A "1" <8/4>', "infantry", "regiment", moved=True),
        Counter("0303", "allied", "2-4", "A/2", "armour", "company", entrenched=True),
        Counter("0403", "german", hidden=True, entrenched=True),
        Counter("0403", "german", hidden=True),
        Counter("0604", "ss", "10-12", "KG (Meyer)", "none", unsupplied=True, inverted=True),
        Counter("0704", "german", "", "", "headquarters", dimmed=True),
    )
    near = island.neighbours("0304")[0]
    return Board(
        island,
        "Island · Turn 1 & only",
        "as the Allied player may know it",
        counters,
        (Arrow(("0302", near, "0304"), "allied"), Arrow(("0504", "0604"), "ss", "retreat")),
        (Battle("0403", "R7", ("0303",)),),
        tuple(
            Mark(hex_id, kind, text)
            for hex_id, kind, text in (
                ("0502", "lost", "2"), ("0202", "supply", ""), ("0203", "objective", "20"),
                ("0204", "control", ""),
                ("0205", "beach", "4"), ("0505", "target", "heavy"), ("0702", "exit", "E"),
            )
        ),
        legend={"allied": "Allied", "german": "German", "ss": "SS"},
    )  # fmt: skip


@pytest.fixture(scope="session")
def normandy() -> Map:
    """The map of the largest grid."""
    return Map.load(find_data("normandy71", "map.toml"))


@pytest.fixture(scope="session")
def beachhead(normandy: Map) -> Board:
    """Some fifty stacks in the west of Normandy, among them hidden ones, with moves and battles."""
    land = [h for h in normandy.grid.ids if normandy.terrain(h) != "all sea" and 40 <= int(h[:2]) <= 56]
    held = [h for h in land if int(h[2:]) >= 18][::5][:54]
    counters: list[Counter] = []
    for order, hex_id in enumerate(held):
        if order % 3 == 1:
            counters += [Counter(hex_id, "german", hidden=True, entrenched=True)] * (1 + order % 2)
        else:
            side = "allied" if order % 3 == 0 else "german"
            counters += [
                Counter(hex_id, side, f"{2 + order % 9}-4", f"{order}/{copy}", "infantry", "regiment")
                for copy in range(1 + order % 3)
            ]
    arrows = tuple(
        Arrow((normandy.neighbours(hex_id)[2], hex_id), "allied")
        for hex_id in held[::3]
        if normandy.neighbours(hex_id)
    )
    battles = tuple(Battle(held[at], f"R{at}", (held[at - 1],)) for at in (1, 7, 13))
    legend = {"allied": "Allied", "german": "German"}
    title = "Cotentin · Turn 2 · Allied combat"
    return Board(
        normandy, title, "umpire", tuple(counters), arrows, battles, focus=tuple(held[:30]), legend=legend
    )


@pytest.fixture
def front(normandy: Map) -> Board:
    """Two fights far apart, a third beside the first, stacks, long names, and a unit on every hex about."""
    here, there = "4218", "1512"
    near = normandy.neighbours(here)
    counters = [
        Counter(here, "german", "14-6", "901PzG/Lehr", "armour", "regiment", disrupted=True),
        Counter(here, "german", "2-4", "1/919", "infantry", "regiment"),
        Counter(near[0], "us", "5-4", "506/101", "parachute", "regiment", moved=True),
        Counter(near[1], "uk", "2-4", "41+48Cdo/4SS", "commando", "brigade", inverted=True),
        Counter(near[2], "german", hidden=True, entrenched=True),
        Counter(there, "us", "7-4", "8/4", "infantry", "regiment", unsupplied=True),
    ]
    far = {other for hex_id in near for other in normandy.neighbours(hex_id)} - {here, *near}
    far |= {other for hex_id in far for other in normandy.neighbours(hex_id)} - {here, *near}
    counters += [Counter(hex_id, "us", "5-4", "22/4", "infantry") for hex_id in sorted(far)]
    battles = (
        Battle(there, "R9", (normandy.neighbours(there)[0],)),
        Battle(here, "R7", (near[0], near[1])),
        Battle(near[2], "R108", (near[1],)),
    )
    arrows = (Arrow((near[3], here), "german"), Arrow((near[0], near[1]), "us"))
    legend = {"us": "US", "uk": "British", "german": "German"}
    marks = (Mark(here, "lost", "2", "german"),)
    return Board(
        normandy, "Normandy", "as the umpire", tuple(counters), arrows, battles, marks, legend=legend
    )
