"""The invasion game-turn (INV): plans, set-up, the drop, and attacks that beaches compel."""

from __future__ import annotations

from typing import Any

import pytest

from pbem.engine.desk import FirstOf
from pbem.engine.errors import NotAllowed
from pbem.engine.play import Answer, Draw, Roll, advance
from pbem.games.normandy71 import (
    combat,
    deployment,
    invasion,
    invasion_plan,
    movement,
    paradrop,
    reinforcement,
)
from pbem.games.normandy71.deployment import GermanSetup
from pbem.games.normandy71.invasion_plan import InvasionPlan
from pbem.games.normandy71.notes import Attacked, DieCast, Drawn, Dropped
from pbem.games.normandy71.orders import Attack, Commando, Drop, Land, Move, Place, Supply, UseDefault
from pbem.games.normandy71.setup import create_germans, setup
from pbem.games.normandy71.state import State
from pbem.games.normandy71.tables import BEACHES, LAND, MAP, OOB
from pbem.service.letters.log import log_lines
from tests.games.normandy71.kit import at, game
from tests.games.playing import opening, play


def allied() -> InvasionPlan:
    return InvasionPlan(setup("campaign", {}))


def german(letter: str = "A") -> GermanSetup:
    state = setup("campaign", {})
    create_germans(state, letter)
    return GermanSetup(state)


def refused(desk: InvasionPlan | GermanSetup, order: Any, case: str) -> str:
    with pytest.raises(NotAllowed) as error:
        desk.check(order)
    assert error.value.case == case
    return error.value.text


def write(desk: InvasionPlan | GermanSetup, *orders: Any) -> None:
    for order in orders:
        desk.check(order)
        desk.carry_out(order)


# --- the Allied plan ------------------------------------------------------------------------------------


def test_inv_1a_landing_by_name_or_number() -> None:
    """INV.1A A beach is named in full or by its number, and a later line for a unit moves it."""
    desk = allied()
    write(desk, Land(("8/4", "70"), "3"), Land(("70",), "4 Utah"))
    assert desk.plan.beaches == {"3 Utah": ["8/4"], "4 Utah": ["70"]}
    assert "no beach" in refused(desk, Land(("8/4",), "18"), "INV.1A")
    refused(desk, Land(("505/82",), "3"), "INV.1A")


def test_inv_1a_eight_beaches_at_most() -> None:
    """INV.1A The first wave lands on eight beaches at most."""
    desk = allied()
    first = [unit.id for unit in desk.units("invasion")]
    write(desk, *(Land((id,), str(number)) for number, id in enumerate(first[:8], start=1)))
    refused(desk, Land((first[8],), "9"), "INV.1A")
    write(desk, Land((first[0],), "9"))
    assert "1 Utah" not in desk.plan.beaches and "9 Gold" in desk.plan.beaches


def test_inv_1a_five_supply_areas_at_most_among_the_beaches() -> None:
    """INV.1A Five of the invaded beaches at most become supply areas."""
    desk = allied()
    refused(desk, Supply(("1", "2", "3", "4", "5", "6")), "INV.1A")
    write(desk, Land(("8/4",), "3"), Supply(("4",)))
    assert "4 Utah" in refused(desk, None, "INV.1A")
    write(desk, Supply(("3",)), UseDefault())
    desk.check(None)
    assert desk.plan.supply == ["3 Utah"]


def test_inv_1a_commandos_on_partially_sea_hexes() -> None:
    """INV.1A Commandos land on partially-sea hexes, paratroops anywhere on the map."""
    desk = allied()
    write(desk, Commando(("2Rangers",), "4330"), Drop(("505/82",), "5530"))
    with pytest.raises(NotAllowed) as error:
        desk.check(Commando(("2Rangers",), "4230"))
    assert error.value.case == "INV.1A"
    assert error.value.legal == tuple(f"commando 2Rangers at {hex}" for hex in ("4130", "4330", "4030"))
    refused(desk, Commando(("8/4",), "4330"), "INV.1A")
    refused(desk, Drop(("2Rangers",), "4330"), "INV.1A")


def test_stk_a_a_plan_may_overfill_a_beach_for_the_limit_counts_later() -> None:
    """STK.A More units than a beach holds may be planned there, with a warning; they are neither offered nor
    filled in."""
    desk = allied()
    assert not list(desk.preview(Land(("8/4", "16/1"), "9")))
    write(desk, Land(("8/4", "16/1"), "9"))
    assert not any(order.beach == "9 Gold" for order in desk.options("70") if isinstance(order, Land))
    (warning,) = desk.preview(Land(("70",), "9"))
    assert warning.startswith("too many units for 2627") and "wait in the box" in warning
    write(desk, Land(("70",), "9"))
    (warning,) = desk.preview(Commando(("2Rangers",), BEACHES["9 Gold"]))
    assert "are lost" in warning
    write(desk, UseDefault())
    assert desk.plan.beaches["9 Gold"] == ["8/4", "16/1", "70"]


def test_stk_a_first_wave_units_above_the_limit_move_on_or_wait() -> None:
    """STK.A, INV.2 Of three regiments planned for one beach one moves inland; without an order it waits in
    the box."""
    text = (
        "a allied 7-4 later entry:invasion, b allied 7-4 later entry:invasion, "
        "c allied 7-4 later entry:invasion"
    )
    for orders, place in (((Move(("c",), ("2626",)),), "map"), ((), "box")):
        state = game(text, turn=1)
        state.plan.beaches = {"9 Gold": ["a", "b", "c"]}
        play(invasion.placement, state)
        play(movement.allied_first_movement, state, *orders)
        assert [at(state, id) for id in "ab"] == ["2627"] * 2 and state.units["c"].place == place
    play(movement.allied_second_movement, state, Move(("c",), ("2626",)))
    assert at(state, "c") == "2626"


def test_sup_h_a_first_wave_unit_whose_beach_is_lost_arrives_elsewhere() -> None:
    """SUP.H A unit that still waits when a German takes the beach comes as a reinforcement."""
    text = "c allied 7-4 box:9_Gold entry:invasion, g german 4-1 2627"
    state = game(text, turn=2, supply=["9 Gold", "3 Utah"], dead_beaches=["9 Gold"])
    play(movement.allied_first_movement, state)
    play(reinforcement.allied_reinforcement, state, Land(("c",), "3 Utah"))
    assert state.units["c"].beach == "3 Utah"


def test_stk_a_commandos_above_the_limit_move_on() -> None:
    """STK.A Four battalions that come ashore in one hex spread out in the first movement phase."""
    text = ", ".join(f"c{n} allied 2-4 commando later entry:commando" for n in range(4))
    state = game(text, turn=1)
    state.plan.commandos = {f"c{n}": "2627" for n in range(4)}
    play(invasion.placement, state)
    with pytest.raises(NotAllowed, match="can still leave"):
        opening(movement.allied_first_movement, state).check(None)
    play(movement.allied_first_movement, state, Move(("c3",), ("2626",)))
    assert at(state, "c3") == "2626"


def test_inv_1a_the_default_fills_in_what_is_open() -> None:
    """INV.1A What a plan leaves open is filled in, and no unit is forgotten."""
    desk = allied()
    write(desk, Land(("8/4",), "1"), UseDefault())
    assert "8/4" in desk.plan.beaches["1 Utah"] and desk.unplaced() == [] and desk.subjects() == ()
    assert 1 <= len(desk.plan.supply) <= 5 and len(desk.plan.beaches) <= 8
    assert set(desk.plan.supply) <= set(desk.plan.beaches) and len(desk.plan.drops) == 8


def test_every_option_of_the_plan_is_legal() -> None:
    """INV.1A All that is offered for a unit may be ordered."""
    desk = allied()
    for subject in desk.subjects():
        for order in desk.options(subject):
            desk.check(order)
    assert len(invasion_plan.DROPPABLE) == LAND.bit_count()


# --- the German set-up ----------------------------------------------------------------------------------


def test_inv_1b_the_order_of_battle_is_drawn_in_secret() -> None:
    """INV.1B The assignment is sealed, the die is open; the German is told the order of battle,
    the Allied player only the die."""
    state = setup("campaign", {})
    requests: list[Any] = []

    def dice(request: Any, label: str) -> list[Any]:
        requests.append(request)
        return list("FEDCBA") if isinstance(request, Draw) else [2]

    progress = advance(invasion.secret_deployment(state), state, dice=dice)
    assert isinstance(requests[0], Draw) and requests[0].sealed
    assert isinstance(requests[1], Roll) and not requests[1].sealed
    assert state.order_of_battle == "E" and isinstance(progress.waiting, FirstOf)
    allied_notes = [note for note in state.log if note.seen_by("allied")]
    assert [type(note) for note in allied_notes] == [DieCast] and "E" not in str(
        allied_notes[0].facts()["die"]
    )
    assert [
        note.order_of_battle for note in state.log if isinstance(note, Drawn) and note.seen_by("german")
    ] == ["E"]


def test_both_sides_write_at_the_same_time() -> None:
    """INV.1A, INV.1B Either side may finish first, and the default fills in what it left open."""
    state = setup("campaign", {})
    written = (("german", UseDefault()), ("german", None), ("allied", Land(("8/4",), "1")))
    given = iter([*written, ("allied", UseDefault()), ("allied", None)])
    progress = advance(
        invasion.secret_deployment(state),
        state,
        answers=lambda request: Answer(next(given)),
        dice=lambda request, label: list("ABCDEF") if isinstance(request, Draw) else [1],
    )
    assert progress.waiting is None
    at_start = sum(sum(line.units.values()) for line in OOB.of("A").start)
    assert len(state.on_map("german")) == at_start and "8/4" in state.plan.beaches["1 Utah"]


def test_inv_1b_germans_stay_off_the_coast() -> None:
    """INV.1B Not on partially-sea hexes; the forts may be held but not entrenched."""
    desk = german()
    anywhere = next(unit.id for unit in desk.units() if unit.entry == "anywhere")
    refused(desk, Place((anywhere,), "5031"), "INV.1B")
    refused(desk, Place((anywhere,), "3034"), "INV.1B")
    write(desk, Place((anywhere,), "4230"))
    assert at(desk.state, anywhere) == "4230" and desk.state.entrenchments == {}


@pytest.mark.parametrize(
    ("area", "inside", "outside"),
    [
        ("within ten of Falaise", "0912", "0913"),
        ("within ten of the south edge", "3010", "3011"),
        ("within ten of Coutances", "6120", "6121"),
        ("in Caen or Saint-Lo", "4615", "3024"),
    ],
)
def test_inv_1b_areas_of_the_order_of_battle(area: str, inside: str, outside: str) -> None:
    """INV.1B Units are set up in the area that their order of battle names."""
    desk = german("A")
    unit = next(unit for unit in desk.units() if unit.entry == area)
    desk.check(Place((unit.id,), inside))
    refused(desk, Place((unit.id,), outside), "INV.1B")


def test_inv_1b_entrenched_unless_said_otherwise() -> None:
    """INV.1B, ENT.C Units are entrenched by hex, and a marker does not stay behind
    when all are placed elsewhere."""
    desk = german("B")
    first, second = [unit.id for unit in desk.units() if unit.entry == "anywhere"][:2]
    write(desk, Place((first,), "1215"), Place((second,), "1415", True))
    assert desk.state.entrenchments == {"1215": "german"}
    write(desk, Place((first,), "1314", True))
    assert desk.state.entrenchments == {}


def test_inv_1b_units_that_are_not_set_up_are_named() -> None:
    """INV.1B The set-up cannot end while a unit has no place."""
    desk = german("A")
    desk.fill_in()
    desk.check_end()
    one, other = desk.units()[:2]
    one.place = "later"
    with pytest.raises(NotAllowed, match=f"{one.id} is not set up yet"):
        desk.check_end()
    other.place = "later"
    with pytest.raises(NotAllowed, match="are not set up yet"):
        desk.check_end()


def test_oob_a_room_is_kept_in_caen_and_saint_lo() -> None:
    """OOB.A Nobody may take the place of units that must be set up in Caen or Saint-Lo."""
    desk = german("A")
    free = [unit.id for unit in desk.units() if unit.entry == "anywhere"]
    write(desk, Place(tuple(free[:2]), "1518"), Place(tuple(free[2:4]), "1618"))
    write(desk, Place((free[4],), "1619"))
    refused(desk, Place((free[5],), "1619"), "INV.1B")
    desk.fill_in()
    assert desk.unplaced() == []


@pytest.mark.parametrize("letter", "ABCDEF")
def test_the_default_set_up_is_legal(letter: str) -> None:
    """OOB.A to OOB.F The default set-up places every unit of each order of battle where it may stand."""
    desk = german(letter)
    write(desk, UseDefault())
    assert desk.unplaced() == []
    for unit in desk.units():
        desk.check_area(unit, unit.placed)
    for subject in list(deployment.AREAS):
        assert deployment.AREAS[subject]


# --- landing and drop -----------------------------------------------------------------------------------


def dropped(zone: str, *dice: int, text: str = "") -> tuple[State, Dropped]:
    state = game(f"p allied 5-4 paratroop entry:paradrop, {text}", turn=1)
    state.plan.drops = {"p": zone}
    played = play(invasion.placement, state, dice=dice)
    return state, played.of(Dropped)[0]


def test_inv_1c_placement() -> None:
    """INV.1C The first wave goes into the boxes of its beaches, commandos onto their hexes."""
    state = game("i allied 7-4 entry:invasion, c allied 2-4 commando entry:commando", turn=1)
    state.plan.beaches, state.plan.commandos = {"9 Gold": ["i"]}, {"c": "4330"}
    play(invasion.placement, state)
    assert (state.units["i"].place, state.units["i"].beach) == ("box", "9 Gold") and at(state, "c") == "4330"


def test_inv_1c_scatter() -> None:
    """INV.1C The drop zone's terrain gives the row, the second die the direction,
    north first and then clockwise."""
    state, note = dropped("1215", 1)
    assert at(state, "p") == "1215" and note.table == "clear" and state.units["p"].never_supplied
    state, note = dropped("1215", 6, 1)
    assert at(state, "p") == "1217" and (note.scatter, note.direction) == (2, "N")
    state, note = dropped("1215", 4, 4)
    assert at(state, "p") == "1214"
    assert dropped("2215", 5, 1)[1].table in ("bocage", "flooded")
    assert dropped("4615", 6, 4)[1].scatter == 3


def said(note: Dropped) -> str:
    """A note of the log in words."""
    return " ".join(log_lines("normandy71", [note.facts()], "german"))


def test_inv_1c_the_log_shows_both_dice_of_the_scatter() -> None:
    """INV.1C The direction die stands in the log beside the scatter die, under its own number."""
    note = dropped("1215", 6, 3)[1]
    assert note.direction_die == 3
    assert f"die 6: scattered 2 hexes, R{note.roll + 1} die 3: {note.direction}" in said(note)
    assert "on target, lands at 1215" in said(dropped("1215", 1)[1])


def test_inv_1c_a_drop_over_the_sea_is_warned_of() -> None:
    """INV.1C, PAR.B Who writes a drop over open sea or flooded ground is told how likely the unit is lost;
    Germans are not looked at."""
    desk = InvasionPlan(game("x german 4-1 1215", turn=1))
    (sea,) = desk.preview(Drop(("p",), "4433"))
    assert "over 4433 (open sea) may be lost: 97% in the sea, 3% off the map" in sea
    assert not list(desk.preview(Drop(("p",), "1215")))
    flooded = next(hex for hex in invasion_plan.DROPPABLE if paradrop.scatter_row(hex)[0] == "flooded")
    (warning,) = desk.preview(Drop(("p",), flooded))
    assert "17% in the drop" in warning
    assert all(sum(paradrop.dangers(hex).values()) == 1 for hex in ("4433", "1215", flooded, "0101"))


def test_par_b_lost_on_germans_at_sea_and_in_flooded_ground() -> None:
    """PAR.B Paratroops that come down on a German, in the sea or off the map are lost;
    a held drop zone is rolled for all the same."""
    _, note = dropped("1215", 1, text="g german 4-1 1215")
    assert note.landed is None and note.case == "PAR.B"
    state, note = dropped("1215", 4, 1, text="g german 4-1 1215")
    assert at(state, "p") == "1216"
    assert dropped("1626", 6, 1)[1].why == "in the sea"
    assert dropped("0101", 6, 3)[1].why == "off the map"
    flooded = next(
        hex
        for hex in invasion_plan.DROPPABLE
        if any("flooded" in MAP.hexside(hex, near) for near in MAP.neighbours(hex))
    )
    state, note = dropped(flooded, 6)
    assert state.units["p"].place == "lost" and note.why == "destroyed in the drop"


def test_inv_1c_excess_paratroops_are_inverted() -> None:
    """INV.1C Those beyond the stacking limit are turned over."""
    state = game("p allied 5-4 paratroop entry:paradrop, q allied 5-4 paratroop entry:paradrop", turn=1)
    state.plan.drops = {"p": "2214", "q": "2214"}
    played = play(invasion.placement, state, dice=(1, 1))
    assert [note.inverted for note in played.of(Dropped)] == [False, True]
    assert state.units["q"].inverted and not state.units["p"].inverted


# --- compulsory attacks ---------------------------------------------------------------------------------


def beach(text: str, *beaches: str) -> State:
    state = game(text, turn=1)
    state.plan.beaches = {name: ["?"] for name in beaches}
    return state


def test_inv_3_beach_units_must_attack_all_germans_next_to_them() -> None:
    """INV.3 The phase does not end before every German next to a unit on an invasion beach is attacked."""
    state = beach("x allied 7-4 2627, g german 4-1 2626, h german 4-1 2526", "9 Gold")
    request = opening(combat.allied_combat, state)
    assert request.subjects() == ("2526", "2626")
    for order, case in ((None, "INV.3"), (Attack(("2626",)), "INV.3")):
        with pytest.raises(NotAllowed) as error:
            request.check(order)
        assert error.value.case == case
    request.check(Attack(("2626", "2526")))
    assert Attack(("2626", "2526"), ("x",)) in [
        Attack(tuple(sorted(order.hexes, reverse=True)), order.units) for order in request.options("2626")
    ]


def test_inv_3_units_may_share_what_they_must_attack() -> None:
    """INV.3 Two units may split the Germans next to both of them."""
    state = beach("x allied 7-4 2627, y allied 7-4 2627, g german 4-1 2626, h german 4-1 2526", "9 Gold")
    played = play(
        combat.allied_combat, state, Attack(("2626",), ("x",)), Attack(("2526",), ("y",)), dice=(1, 1)
    )
    assert len(played.of(Attacked, "allied")) == 2


def test_inv_3_binds_commandos_but_not_those_inland() -> None:
    """INV.3 Commandos on an invasion beach are bound too; units elsewhere are not."""
    assert opening(
        combat.allied_combat, beach("c allied 2-4 commando 2627, g german 2-6 2626", "9 Gold")
    ).subjects() == ("2626",)
    inland = beach("x allied 7-4 2626, g german 4-1 2625", "9 Gold")
    opening(combat.allied_combat, inland).check(None)


def test_inv_3_does_not_lift_the_ban_on_armour() -> None:
    """INV.3, COM.J Lone armour and armour before bocage is not compelled."""
    lone = beach("t allied 6-10 2627, g german 4-1 2626", "9 Gold")
    request = opening(combat.allied_combat, lone)
    assert request.subjects() == ()
    request.check(None)
    hedge = beach("t allied 6-10 5031, i allied 7-4 5031, g german 4-1 5130", "3 Utah")
    played = play(combat.allied_combat, hedge, Attack(("5130",)), dice=(1,))
    assert played.of(Attacked, "allied")[0].attackers == ("i",)


def test_inv_3_compelled_attacks_are_fought_however_poor() -> None:
    """INV.3 A compelled attack below 1-4 is fought on the lowest column."""
    state = beach("c allied 2-4 commando 2627, g german 14-6 2626", "9 Gold")
    played = play(combat.allied_combat, state, Attack(("2626",)), dice=(1,))
    assert played.of(Attacked, "allied")[0].column == "1-4"


def test_inv_3_a_compelled_hex_cannot_be_taken_from_the_beach_by_others() -> None:
    """INV.3 An attack from inland on Germans next to a beach unit must include it."""
    state = beach("x allied 7-4 2627, y allied 7-4 2726, g german 4-1 2626", "9 Gold")
    with pytest.raises(NotAllowed) as error:
        opening(combat.allied_combat, state).check(Attack(("2626",), ("y",)))
    assert error.value.case == "INV.3"
