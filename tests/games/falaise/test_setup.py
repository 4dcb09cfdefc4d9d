"""The set-up as it is written, filled in and refused (3.1), the rating of the 80th (11.8),
redeployment and unknown forces (3.1, 3.2)."""

from __future__ import annotations

import random
from typing import Any

import pytest

from pbem.engine.desk import Desk
from pbem.engine.errors import NotAllowed
from pbem.engine.language import Order
from pbem.games.falaise import setup
from pbem.games.falaise.notes import Deployed, Rated, Redeployed, Scored, Withheld
from pbem.games.falaise.orders import Place, Redeploy, UseDefault, Withhold
from pbem.games.falaise.state import State
from pbem.games.falaise.tables import GRID, MAP, SETUP, UNITS, Side
from tests.games.falaise.kit import at
from tests.games.playing import opening, play

PHASES = {"german": setup.set_up_german, "allied": setup.set_up_allied}
DIE = {"german": [], "allied": [4]}


def new(**options: str) -> State:
    return setup.setup("campaign", options)


def placed(side: Side, *orders: Order) -> State:
    """The state after the set-up of one side."""
    return play(PHASES[side], new(), *orders, dice=DIE[side]).state


def both() -> State:
    """The state after both set-ups, nobody having written anything."""
    state = placed("german")
    return play(setup.set_up_allied, state, dice=[4]).state


def refused(side: Side, case: str, *orders: Order) -> NotAllowed:
    """The set-up must refuse the last of these orders, citing the case."""
    desk = setup.SetUp(new(), side)
    for order in orders[:-1]:
        desk.check(order)
        desk.carry_out(order)
    with pytest.raises(NotAllowed) as caught:
        desk.check(orders[-1])
    assert caught.value.case == case, caught.value
    return caught.value


def allowed(side: Side, *orders: Order) -> State:
    """The state when the set-up takes all of these orders."""
    desk = setup.SetUp(new(), side)
    for order in orders:
        desk.check(order)
        desk.carry_out(order)
    return desk.state


def at_(hex: str, *units: str) -> Place:
    return Place(units, hex)


# --- the whole ------------------------------------------------------------------------------------------


def test_3_1_before_the_set_up() -> None:
    """3.1, 3.4 Nobody is on the map, all are at full strength, Argentan is German, nobody has points."""
    state = new(paris="yes")
    assert not state.on_map() and list(state.units) == list(UNITS)
    assert all(unit.steps == unit.counter.steps for unit in state.units.values())
    assert (state.turn, state.argentan, state.points, state.on("paris")) == (1, "german", 0, True)


@pytest.mark.parametrize("side", ["german", "allied"])
def test_3_1_nobody_writes_anything(side: Side) -> None:
    """3.1 Without orders everybody of the start stands where the example has him;
    those that come later are off the map."""
    played = play(PHASES[side], new(), dice=DIE[side])
    for unit in played.state.units.values():
        if unit.side == side:
            assert unit.hex == SETUP.example.hexes.get(unit.id), unit.id
    [note] = played.of(Deployed)
    assert note.side == side and set(note.hexes) == {u.hex for u in played.state.on_map()}


@pytest.mark.parametrize("side", ["german", "allied"])
def test_3_1_the_example_is_legal(side: Side) -> None:
    """3.1 Every unit of the example could be placed where it stands, by a line of its own,
    in the order of the list."""
    desk = setup.SetUp(new(), side)
    for unit in desk.open():
        order = Place((unit.id,), SETUP.example.hexes[unit.id])
        desk.check(order)
        desk.carry_out(order)
    desk.check(None)
    assert desk.subjects() == []


@pytest.mark.parametrize("side", ["german", "allied"])
@pytest.mark.parametrize("seed", range(12))
def test_3_1_the_default_leaves_nobody_off(side: Side, seed: int) -> None:
    """3.1 However some units have been placed, the rest finds a legal hex, and everybody
    then stands legally."""
    rng = random.Random(seed)
    state = new()
    desk = setup.SetUp(state, side)
    for _ in range(rng.randrange(60)):
        if not (subjects := [s for s in desk.subjects() if s != "default"]):
            break
        if options := desk.options(rng.choice(subjects)):
            order = rng.choice(options)
            desk.check(order)
            desk.carry_out(order)
    desk.carry_out(UseDefault())
    assert desk.open() == []
    desk.check(None)
    where = desk.where()
    for id in where:
        assert setup.company_fault(state, where, id) is None, id
        assert not setup.left_alone(where, id), id


@pytest.mark.parametrize("side", ["german", "allied"])
def test_options_of_the_set_up_are_legal(side: Side) -> None:
    """Every order that the set-up offers passes its own check; the default is one of them."""
    request = opening(PHASES[side], new())
    assert isinstance(request, Desk) and (request.seat, request.section) == (side, "set-up")
    for subject in request.subjects():
        for order in request.options(subject)[:8]:
            request.check(order)
    assert request.subjects()[-1] == "default"


# --- places -----------------------------------------------------------------------------------------------


def test_3_1_a_division_on_its_own_stretch() -> None:
    """3.1 A unit is set up next to the Front Line within the boundaries of its division;
    the refusal says what is legal."""
    state = allowed("german", at_("1434", "989/277"), at_("1335", "989/277"))
    assert at(state, "989/277") == "1335", "a later line moves it"
    error = refused("german", "3.1", at_("1431", "989/277"))
    assert error.legal[0] == "place 989/277 at 1433" and len(error.legal) > 1
    assert "1433, 1434, 1335, 1336" in error.text
    assert "there are no" not in refused("german", "3.1", at_("1533", "989/277")).text
    refused("allied", "3.1", at_("1433", "176/59"))
    refused("german", "3.1", at_("9999", "989/277"))


def test_3_1_only_ones_own_units_of_the_start() -> None:
    """3.1, 11.4, 11.5 Neither the enemy's nor those that come later."""
    refused("german", "3.1", at_("1331", "176/59"))
    refused("allied", "3.1", at_("1433", "989/277"))
    refused("german", "11.4", at_("0811", "980/272"))
    refused("allied", "11.5", at_("3420", "610TD"))
    refused("german", "3.1", at_("3420", "nobody"))


def test_5_3_stacking_in_the_set_up() -> None:
    """5.3 Two units in a hex, one regiment."""
    refused("german", "5.3", at_("1433", "989/277", "990/277"))
    refused("german", "5.3", at_("1523", "Pz/12SS", "25/12SS"), at_("1523", "26/12SS"))
    refused("allied", "5.3", at_("3420", "317/80", "318/80"))


def full_sector() -> list[Order]:
    """Both companies in a hex of the 353rd, so that only two of its three regiments find room."""
    return [at_("2744", "Co/7Army", "Co/PGEb"), at_("2644", "941/353"), at_("2843", "942/353")]


def test_3_1_a_sector_that_is_full() -> None:
    """3.1 Who finds no room next to the line goes next to a unit of its division that stands there."""
    near = {*GRID.neighbours("2644"), *GRID.neighbours("2843")}
    desk = setup.SetUp(allowed("german", *full_sector()), "german")
    offered = {order.hex for order in desk.options("943/353") if isinstance(order, Place)}
    assert offered and offered <= near - set(setup.SECTORS["353"])
    assert all(setup.GERMAN_SIDE >> GRID.index(hex) & 1 for hex in offered)
    order = at_(min(offered), "943/353")
    desk.check(order)
    desk.carry_out(order)
    desk.check(None)
    refused("german", "3.1", *full_sector()[1:], order)
    assert "full" in refused("german", "3.1", *full_sector(), at_("2540", "943/353")).text


def test_3_1_the_default_knows_a_full_sector() -> None:
    """3.1 The default puts such a unit in the nearest hex behind."""
    state = placed("german", *full_sector())
    hex = state.units["943/353"].placed
    assert hex not in setup.SECTORS["353"]
    assert any(GRID.are_neighbours(hex, front) for front in ("2644", "2843"))


def test_3_1_nobody_stays_behind_for_nothing() -> None:
    """3.1 When there is room in the sector again the writing may not end before the unit has gone there."""
    desk = setup.SetUp(allowed("german", *full_sector(), at_("2643", "943/353")), "german")
    for order in (at_("2836", "Co/7Army", "Co/PGEb"),):
        desk.check(order)
        desk.carry_out(order)
    with pytest.raises(NotAllowed) as caught:
        desk.check(None)
    assert caught.value.case == "3.1" and caught.value.legal == ("place 943/353 at 2744",)


def test_3_1_who_stands_behind_keeps_a_mate_in_front() -> None:
    """3.1 The mate beside which a unit stands behind the sector does not leave it alone."""
    hex = next(h for h in GRID.neighbours("2644") if not GRID.are_neighbours(h, "2744") and h[:2] == "25")
    orders = [*full_sector(), at_(hex, "943/353"), at_("2836", "Co/7Army")]
    assert "943/353" in refused("german", "3.1", *orders, at_("2744", "941/353")).text
    allowed("german", *orders, at_("2744", "942/353"))


# --- the exceptions ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("id", "good", "bad"),
    [
        (
            "Recon/Lehr",
            "3437",
            "3436 3438 3337 3338 3537 3538",
        ),
        ("Pz/9SS", "2432", "2431 2433 2332 2333 2532 2533"),
        ("501SS", "1523", "1524 1525 1625 1626"),
    ],
)
def test_3_1_units_with_hexes_of_their_own(id: str, good: str, bad: str) -> None:
    """3.1 The Lehr reconnaissance in or next to 3437, the 9th SS in or next to 2432, the 501st in the sector
    of the 12th SS."""
    for hex in (good, *bad.split()):
        allowed("german", at_(hex, id))
    refused("german", "3.1", at_("2836", id))


@pytest.mark.parametrize(
    ("id", "good", "bad"),
    [
        ("Co/7Army", ["3322", "2836", "1440"], ["2718", "3222", "1625", "1238"]),
        ("Co/PGEb", ["2718", "2836", "1625"], ["2313", "1117"]),
    ],
)
def test_3_1_the_two_companies(id: str, good: list[str], bad: list[str]) -> None:
    """3.1 The company of the 7th Army anywhere west of the Orne and of 3221, that of Panzer Group Eberbach
    anywhere west of the Dives, neither of them necessarily at the line."""
    for hex in good:
        allowed("german", at_(hex, id))
    for hex in bad:
        refused("german", "3.1", at_(hex, id))


@pytest.mark.parametrize("id", ["KG/Lehr", "KG/1SS"])
def test_3_1_beside_the_parachute_corps(id: str) -> None:
    """3.1 With or next to a unit of the 2nd Parachute Corps, on the German side;
    not next to each other alone, nor before anybody is there."""
    para = at_("2144", "8/3FJ")
    allowed("german", para, at_("2144", id))
    allowed("german", para, at_("2143", id))
    refused("german", "3.1", para, at_("2141", id))
    refused("german", "3.1", para, at_("2145", id))
    early = refused("german", "3.1", at_("2144", id))
    assert "which is placed before it" in early.text
    assert early.legal[:2] == ("default", "place 5/3FJ at 2043")
    allowed("german", UseDefault(), at_("2143", id))
    other = "KG/1SS" if id == "KG/Lehr" else "KG/Lehr"
    refused("german", "3.1", para, at_("2143", other), at_("2142", id))


def test_3_1_hosts_do_not_leave_their_guests() -> None:
    """3.1 A unit beside which another one is set up goes away only with it."""
    orders = (at_("2144", "8/3FJ"), at_("2144", "KG/Lehr"))
    error = refused("german", "3.1", *orders, at_("2344", "8/3FJ"))
    assert "KG/Lehr" in error.text
    allowed("german", *orders, at_("2344", "8/3FJ", "KG/Lehr"))


def test_3_1_29th_armoured_next_to_the_30th_corps() -> None:
    """3.1 The 8th Corps brigade is set up next to any unit of the 30th Corps, on the Allied side,
    not with it, and not for itself."""
    brigade = at_("1236", "214/43")
    for hex in ("1235", "1136", "1237"):
        allowed("allied", brigade, at_(hex, "29AB"))
    refused("allied", "3.1", brigade, at_("1336", "29AB"))  # beyond the line
    refused("allied", "3.1", brigade, at_("1236", "29AB"))
    refused("allied", "3.1", at_("1643", "29AB"))
    refused("allied", "3.1", at_("1331", "176/59"), at_("1332", "29AB"))


@pytest.mark.parametrize(
    ("id", "brigade", "hex", "stranger", "there"),
    [
        ("Greys/4AB", "176/59", "1331", "129/43", "1234"),
        ("44RTR/4AB", "71/53", "1528", "4/2C", "1424"),
        ("6/2AB", "4/2C", "1424", "71/53", "1528"),
        ("10/2AB", "7/3C", "1321", "4AB/4C", "1218"),
    ],
)
def test_3_1_tank_battalions_stack_with_infantry(
    id: str, brigade: str, hex: str, stranger: str, there: str
) -> None:
    """3.1 Each unit of the 4th Armoured Brigade is stacked with an infantry brigade of the 12th Corps,
    each of the 2nd Canadian Armoured Brigade with one of the 2nd Canadian Corps; not next to it,
    and not with others."""
    allowed("allied", at_(hex, brigade), at_(hex, id))
    allowed("allied", at_(hex, brigade, id))
    other = next(h for h in setup.SECTORS[UNITS[brigade].division] if h != hex)
    refused("allied", "3.1", at_(hex, brigade), at_(other, id))
    refused("allied", "3.1", at_(there, stranger), at_(there, id))


def test_3_1_task_force_currie() -> None:
    """3.1 The two units of the 10th Canadian Brigade begin stacked, in the sector of their division."""
    allowed("allied", at_("1219", "10/4C", "Currie"))
    allowed("allied", at_("1219", "10/4C"), at_("1219", "Currie"))
    refused("allied", "3.1", at_("1219", "Currie"))
    refused("allied", "3.1", at_("1219", "10/4C"), at_("1218", "Currie"))
    refused("allied", "3.1", at_("1219", "10/4C", "Currie"), at_("1218", "10/4C"))
    refused("allied", "3.1", at_("1321", "10/4C", "Currie"))


def test_3_1_three_us_divisions_keep_apart() -> None:
    """3.1 Units of the 1st, 9th and 90th are not set up next to one another, whoever comes first;
    of one division they may be."""
    assert GRID.are_neighbours("3541", "3640")
    refused("allied", "3.1", at_("3541", "16/1"), at_("3640", "39/9"))
    refused("allied", "3.1", at_("3640", "39/9"), at_("3541", "16/1"))
    allowed("allied", at_("3441", "16/1"), at_("3541", "18/1"))


def test_3_1_the_80th_division() -> None:
    """3.1 Within five hexes of Argentan on the Allied side, next to no unit of another Allied division."""
    assert {GRID.distance("3219", hex) <= 5 for hex in setup.SPECIAL["317/80"].hexes} == {True}
    allowed("allied", at_("3420", "317/80"), at_("3421", "318/80"))
    refused("allied", "3.1", at_("3725", "317/80"))
    refused("allied", "3.1", at_("3320", "317/80"))
    assert GRID.are_neighbours("3324", "3325")
    refused("allied", "3.1", at_("3325", "Billotte"), at_("3324", "317/80"))
    refused("allied", "3.1", at_("3324", "317/80"), at_("3325", "Billotte"))


def test_poles_and_others_in_their_sectors() -> None:
    """3.1 The task forces are battalions for stacking, and stand in the sector of their division."""
    allowed("allied", at_("1016", "Koszutski", "Stefanowicz"), at_("1117", "Zgorzelski"))
    refused("allied", "3.1", at_("1218", "Koszutski"))


# --- 11.8 -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("die", "ter"), [(1, 1), (2, 1), (3, 1), (4, 2), (5, 2), (6, 3)])
def test_11_8_rating_of_the_80th(die: int, ter: int) -> None:
    """11.8 Half a die, rounded down, one at least, thrown when the Allies are set up."""
    played = play(setup.set_up_allied, new(), dice=[die])
    assert played.state.rating_80 == ter
    assert [(note.die, note.ter) for note in played.of(Rated)] == [(die, ter)]


# --- redeployment -----------------------------------------------------------------------------------------

GUF = ("D/2SS", "DF/2SS", "19/9SS", "20/9SS", "Pz/9SS", "Pz/2SS")


def again(*orders: Order) -> Any:
    return play(setup.redeployment, both(), *orders)


def not_again(case: str, *orders: Order) -> NotAllowed:
    with pytest.raises(NotAllowed) as caught:
        again(*orders)
    assert caught.value.case == case, caught.value
    return caught.value


@pytest.mark.parametrize(("number", "points"), [(0, 0), (1, 0), (4, 0), (5, 1), (6, 1)])
def test_3_2_unknown_forces(number: int, points: int) -> None:
    """3.1, 3.2 Units set aside are off the map; more than four of them give the Allies a point."""
    names = GUF[:number]
    played = again(*([Withhold(names)] if names else []))
    assert [unit.id for unit in played.state.units.values() if unit.place == "unknown"] == sorted(
        names, key=list(UNITS).index
    )
    assert all(at(played.state, id) is None for id in names)
    assert played.state.points == points
    assert [note.points for note in played.of(Scored)] == [1] * points


def test_3_1_their_names_are_secret() -> None:
    """3.1 The Germans read who was set aside, the Allies how many; the umpire reads both."""
    notes = again(Withhold(GUF[:4])).of(Withheld)
    assert [(note.readers, note.number, note.names) for note in notes] == [
        (("german",), 4, GUF[:4]),
        (("allied",), 4, ()),
    ]
    assert not any(GUF[0] in repr(note.facts()) for note in notes if note.seen_by("allied"))


def test_3_1_two_may_be_set_down_elsewhere() -> None:
    """3.1 Two of six anywhere on the German side, also east of the Withdrawal Line;
    the others are unknown forces."""
    played = again(Redeploy(("501SS",), "2216"), Redeploy(("3/2Pz",), "1802"), Withhold(GUF[:4]))
    assert (at(played.state, "501SS"), at(played.state, "3/2Pz")) == ("2216", "1802")
    assert played.of(Redeployed)[0].moved == (("501SS", "1625", "2216"), ("3/2Pz", "3331", "1802"))
    assert played.state.points == 0
    not_again("3.1", Redeploy(("501SS", "3/2Pz"), "2216"), Redeploy(("2/2Pz",), "2217"))
    not_again("3.1", Redeploy(("501SS",), "2216"), Redeploy(("3/2Pz", "2/2Pz"), "2217"))


def test_3_1_six_in_all() -> None:
    """3.1 Six may be lifted, and one that stays on the map counts among them."""
    not_again("3.1", Withhold((*GUF, "501SS")))
    not_again("3.1", Withhold(GUF[:5]), Redeploy(("501SS", "3/2Pz"), "2216"))
    played = again(Withhold(GUF[:5]), Redeploy(("501SS",), "2216"))
    assert played.state.points == 1
    assert opening(setup.redeployment, played.state).section == "redeployment"


def test_3_1_a_later_line_changes_what_becomes_of_a_unit() -> None:
    """3.1 One that was set aside may be set down, and the other way round; it counts once."""
    played = again(
        Withhold(GUF), Redeploy((GUF[0],), "2216"), Withhold((GUF[0],)), Redeploy((GUF[1],), "2216")
    )
    assert (at(played.state, GUF[0]), at(played.state, GUF[1])) == (None, "2216")
    assert played.of(Withheld)[0].number == 5


def test_3_1_where_units_may_be_set_down() -> None:
    """3.1, 5.3, 11.4 Not beyond the line, not next to an Allied unit, not in the 86th Corps Zone,
    not where there is no room."""
    not_again("3.1", Redeploy(("501SS",), "3522"))
    assert "317/80" in not_again("3.1", Redeploy(("501SS",), "3320")).text
    not_again("11.4", Redeploy(("501SS",), "0811"))
    not_again("5.3", Redeploy(("501SS",), "2043"))
    not_again("5.3", Redeploy(("978/271",), "2843"))
    not_again("3.1", Redeploy(("317/80",), "2216"))
    not_again("3.1", Withhold(("980/272",)))
    assert "withhold 2/2Pz" in not_again("3.1", Redeploy(("501SS", "3/2Pz", "2/2Pz"), "2216")).legal


def test_options_of_the_redeployment_are_legal() -> None:
    """Every order that is offered passes its own check, and nothing is offered once six units are lifted."""
    state = both()
    desk = setup.Redeployment(state)
    for subject in desk.subjects():
        offered = desk.options(subject)
        assert offered[0] == Withhold((subject,))
        for order in offered[1::97]:
            desk.check(order)
    assert len(desk.subjects()) == sum(unit.side == "german" for unit in state.on_map())
    desk.carry_out(Withhold(GUF))
    assert desk.subjects() == []


def test_ground_of_both_sides() -> None:
    """3.1, 11.4 The Front Line parts the map in two; every sector lies on its own side, at the line."""
    assert setup.GERMAN_SIDE & ~MAP.on_map == 0
    for sector in SETUP.sector:
        mine = GRID.bits(sector.hexes)
        assert mine & ~setup.GROUND[sector.side] == 0, sector.division
        enemy = setup.GROUND["allied" if sector.side == "german" else "german"]
        assert mine & ~GRID.spread(enemy | MAP.bits("zone_86")) == 0, sector.division
