"""Arrivals from the south (10.1.3), in September."""

from __future__ import annotations

from typing import Any

import pytest

from pbem.engine.errors import NotAllowed
from pbem.games.france44 import control, south, zones
from pbem.games.france44.notes import Advanced, Eliminated, Retreated, SetUpSouth
from pbem.games.france44.orders import Place
from pbem.games.france44.south import HEXES, SouthernArrivals, neighbours
from pbem.games.france44.state import State
from pbem.games.france44.supply import Supply
from pbem.games.france44.tables import GRID, Side
from tests.games.france44.kit import at, game, put
from tests.games.playing import Played, play

GERMANS = ("LXIV", "LXXXV", "IVLw", "11Pz", "AOK19")
ALLIES = ("VI/US", "1DB/FR", "I/FR", "II/FR", "US7", "FR1")


def september(text: str = "", **fields: Any) -> State:
    state = game(text, turn=3, **fields)
    control.begin(state)
    return state


def refused(desk: SouthernArrivals, order: Place) -> str:
    with pytest.raises(NotAllowed) as caught:
        desk.check(order)
    return caught.value.case


def pursued(*orders: Place | None, text: str = "", choose: Any = None) -> Played[State]:
    """The southern segments: Germans, then Allies are placed by these orders."""
    return play(south.south, september(text), *orders, choose=choose)


SETTING = (
    Place(("LXIV", "LXXXV", "AOK19"), "2328"),
    Place(("IVLw",), "2028"),
    Place(("11Pz",), "1928"),
    None,
    Place(("VI/US", "1DB/FR", "US7"), "2428"),
    Place(("I/FR", "FR1"), "1828"),
    Place(("II/FR",), "2128"),
)
"""Two stacks of Germans side by side, a third one further east; Allies next to all of them."""


# --- setting up ---------------------------------------------------------------------------------------------


def test_10_1_3_the_row_from_1128_to_2528() -> None:
    assert tuple(f"{column}28" for column in range(11, 26)) == HEXES
    desk = SouthernArrivals(september(), "german")
    desk.check(Place(("LXIV",), "1128"))
    assert refused(desk, Place(("LXIV",), "2628")) == "10.1.3"
    assert refused(desk, Place(("LXIV",), "2427")) == "10.1.3"


def test_10_1_3_only_those_who_come_from_the_south() -> None:
    desk = SouthernArrivals(september("LXXXIV 1411"), "german")
    assert tuple(desk.subjects()) == GERMANS[:4]
    assert refused(desk, Place(("LXXXIV",), "1128")) == "10.1.3"
    assert refused(desk, Place(("VI/US",), "1128")) == "10.1.3"


def test_7_1_stacking_holds_in_the_row() -> None:
    assert refused(SouthernArrivals(september(), "german"), Place(("LXIV", "LXXXV", "IVLw"), "2328")) == "7.1"


def test_10_1_3_germans_first_then_allies_next_to_them() -> None:
    played = pursued(*SETTING)
    assert [note.side for note in played.of(SetUpSouth)] == ["german"] * 3 + ["allied"] * 3
    state = september()
    put(state, "LXIV", "1528")
    desk = SouthernArrivals(state, "allied")
    assert desk.open_to([state.units["VI/US"]]) == ["1428", "1628"]
    assert refused(desk, Place(("VI/US",), "1928")) == "10.1.3"
    assert refused(desk, Place(("VI/US",), "1528")) == "7.1"


def test_10_1_3_every_german_hex_has_a_pursuer() -> None:
    """10.1.3 As many hexes as Allied units: each unit must cover one more."""
    state = september()
    for id, hex in zip(GERMANS, ("1228", "1528", "1928", "2328"), strict=False):
        put(state, id, hex)
    desk = SouthernArrivals(state, "allied")
    desk.carry_out(Place(("VI/US",), "1128"))
    assert refused(desk, Place(("I/FR",), "1328")) == "10.1.3"
    assert refused(desk, Place(("I/FR", "II/FR"), "1628")) == "10.1.3"
    desk.check(Place(("I/FR",), "1628"))
    desk.fill_in()
    assert all(
        any(unit.side == "allied" for near in neighbours(hex) for unit in state.at(near))
        for hex in ("1228", "1528", "1928", "2328")
    )


def test_10_1_3_one_unit_can_pursue_on_both_sides() -> None:
    state = september()
    for id, hex in zip(GERMANS, ("1228", "1428", "1928", "2328"), strict=False):
        put(state, id, hex)
    desk = SouthernArrivals(state, "allied")
    desk.check(Place(("VI/US", "I/FR"), "1328"))


def test_10_1_3_germans_between_germans_need_no_pursuer() -> None:
    """10.1.3 Nobody can be set up next to 2528, so two units are free to stand together."""
    state = september()
    for id, hex in zip(GERMANS, ("1528", "1928", "2428", "2528"), strict=False):
        put(state, id, hex)
    desk = SouthernArrivals(state, "allied")
    desk.check(Place(("VI/US", "I/FR"), "2328"))
    assert refused(desk, Place(("VI/US", "1DB/FR", "I/FR"), "2328")) == "10.1.3"


def test_10_1_3_too_few_allies_do_what_they_can() -> None:
    state = september("LXXXIV 1128, LXXXI 1328")
    for id, hex in zip(GERMANS, ("1628", "1928", "2228", "2528"), strict=False):
        put(state, id, hex)
    SouthernArrivals(state, "allied").check(Place(("VI/US", "I/FR"), "2428"))


def test_10_1_3_a_later_line_moves_a_unit() -> None:
    state = september()
    desk = SouthernArrivals(state, "german")
    desk.carry_out(Place(("LXIV",), "1528"))
    desk.check(Place(("LXIV",), "1728"))
    desk.carry_out(Place(("LXIV",), "1728"))
    assert at(state, "LXIV") == "1728"


@pytest.mark.parametrize("side", ["german", "allied"])
def test_10_1_3_headquarters_are_set_up_with_a_unit(side: Side) -> None:
    state = september("LXIV 1528" if side == "allied" else "")
    desk = SouthernArrivals(state, side)
    staff = "US7" if side == "allied" else "AOK19"
    assert refused(desk, Place((staff,), "1428")) == "4.8"
    first = "VI/US" if side == "allied" else "LXIV"
    desk.check(Place((first, staff), "1428"))


def test_10_1_3_who_is_not_set_up_is() -> None:
    """10.1.3 Nobody stays behind if a player writes nothing."""
    state = pursued().state
    assert all(state.units[id].place == "map" for id in ALLIES)
    assert [id for id in GERMANS if state.units[id].place != "map"] == []


# --- the pursuit --------------------------------------------------------------------------------------------


def test_10_1_3_germans_retreat_two_hexes_onto_the_map() -> None:
    """10.1.3, 9.7 Two hexes with infantry, their headquarters with them; armour alone up to three."""
    played = pursued(*SETTING)
    state = played.state
    paths = {note.names: note.path for note in played.of(Retreated)}
    assert set(paths) == {("LXIV", "LXXXV", "AOK19"), ("IVLw",), ("11Pz",)}
    for names, path in paths.items():
        assert len(path) == 3 or (names == ("11Pz",) and len(path) == 4)
        assert path[0] in HEXES
        assert not set(path[1:]) & set(HEXES)
        assert at(state, names[0]) == path[-1]
    (armour,) = [ask for ask in played.asked("retreat") if ask.hex == "1928"]
    assert {GRID.distance(str(option).split()[-1], "1928") for option in armour.options} >= {2, 3}
    assert "stay" not in armour.options


def test_10_1_3_zones_of_the_pursuers_do_not_bar_the_way() -> None:
    """10.1.3 From a hex of the row whose one way onto the map lies next to the pursuer too."""
    played = pursued(Place(("LXIV", "LXXXV", "AOK19"), "2428"), Place(("IVLw", "11Pz"), "2028"), None)
    assert played.of(Eliminated) == []
    assert played.of(Retreated)[-1].path[1] == "2427"


def test_10_1_3_zones_of_allies_on_the_map_do() -> None:
    """10.1.3 The note: who cannot retreat but into zones of Allies already on the map is destroyed;
    his headquarters disperses."""
    wall = "V/US 2426, VII/US 2226"
    played = pursued(
        Place(("LXIV", "LXXXV", "AOK19"), "2328"), Place(("IVLw", "11Pz"), "1728"), None, text=wall
    )
    assert [note.name for note in played.of(Eliminated)] == ["LXIV", "LXXXV"]
    assert played.state.units["LXIV"].place == "eliminated"
    assert played.state.units["AOK19"].place == "track"


def test_10_1_3_allies_advance_through_the_hex_that_was_left() -> None:
    """10.1.3, 9.8 The first hex is the vacated one, and since no zone reaches it everybody may go a hex
    further, onto the map."""
    played = pursued(*SETTING)
    advances = {note.name: note.path for note in played.of(Advanced)}
    assert set(advances) == {"VI/US", "1DB/FR", "I/FR", "II/FR"}
    assert {advances[name][0] for name in ("VI/US", "1DB/FR")} == {"2328"}
    assert (advances["I/FR"][0], advances["II/FR"][0]) == ("1928", "2028")
    assert all(len(path) == 2 and path[1] not in HEXES for path in advances.values())
    assert all(at(played.state, name) == path[-1] for name, path in advances.items())


def test_10_1_3_they_may_also_stay_or_stop_in_it() -> None:
    def choose(ask: Any) -> Any:
        if ask.kind != "advance":
            return None
        return "none" if ask.unit == "VI/US" else "2328" if "2328" in ask.options else None

    state = pursued(*SETTING, choose=choose).state
    assert (at(state, "VI/US"), at(state, "1DB/FR")) == ("2428", "2328")


def test_10_1_3_germans_in_the_way_keep_allies_off_the_map() -> None:
    """10.1.3 They stop in the row, and fight their way out later."""
    wall = "XIIISS 2327, LIII 2227, LXVI 2427"
    played = pursued(*SETTING, text=wall)
    ends = {note.name: note.path[-1] for note in played.of(Advanced)}
    assert ends["VI/US"] == "2328"


def test_10_1_3_each_german_hex_retreats_and_is_followed_before_the_next() -> None:
    played = pursued(*SETTING)
    kinds = [(type(note).__name__, note.path[0]) for note in played.notes if isinstance(note, Retreated)]
    assert [hex for _, hex in kinds] == ["1928", "2028", "2328"]
    order = [type(note) for note in played.notes if isinstance(note, Retreated | Advanced)]
    assert order[:2] == [Retreated, Advanced]


# --- the row afterwards -------------------------------------------------------------------------------------


def test_11_2_the_row_is_an_allied_source_from_then_on() -> None:
    state = september("VI/US 2427")
    assert not Supply(state, "allied").has(state.units["VI/US"])
    play(south.south, state)
    put(state, "VI/US", "2427")
    assert state.south_open
    assert Supply(state, "allied").has(state.units["VI/US"])


def test_10_1_3_allied_zones_reach_out_of_the_row_and_none_into_it() -> None:
    state = september("VI/US 2428, LXIV 2327", south_open=True)
    assert zones.zone(state, "allied") >> GRID.index("2427") & 1
    assert not zones.zone(state, "german") >> GRID.index("2328") & 1
    assert not zones.zone(state, "allied", south=False)


def test_10_1_3_only_in_september() -> None:
    assert not south.arrivals(game(turn=4), "german")
    assert [unit.id for unit in south.arrivals(september(), "allied")] == list(ALLIES)
