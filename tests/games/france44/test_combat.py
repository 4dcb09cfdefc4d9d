"""Who attacks what, air support, the course of a combat, green units
(8.0, 9.1 to 9.7, 3.10, 3.11, 12.3, 12.8)."""

from __future__ import annotations

import pytest

from pbem.engine.errors import NotAllowed, Overtaken
from pbem.games.france44 import combat
from pbem.games.france44.notes import Attacked, HeldFast, Retreated, Tried
from pbem.games.france44.orders import Attack, Move
from pbem.games.france44.state import State
from tests.games.france44.fighting import answers, fights, refused, series, war
from tests.games.france44.kit import at
from tests.games.playing import play

ONE = Attack(("1021",), ("VII/US",), 4)
EVEN = "VII/US 1022, LXXXIV 1021"
"""7 against 4 in the clear: morale 4 against 3, no change for strength."""


# --- who may attack (8.0) ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "hexes", "ids", "case"),
    [
        ("VII/US 1023, LXXXIV 1021", "1021", "VII/US", "8.0"),
        ("VII/US 1022", "1021", "VII/US", "8.0"),
        ("VII/US 1022, AOK1 1021", "1021", "VII/US", "8.0"),
        ("VII/US 1022, V/US 1020, LXXXIV 1021", "1021", "VII/US V/US", "8.0"),
        ("VII/US 1022, LXXXIV 1021, LXXIV 1023", "1021 1023", "VII/US", "8.0"),
        ("VII/US 1022, V/US 1121, LXXXIV 1021, LXXIV 1122", "1021 1122", "VII/US V/US", "8.0"),
        ("VII/US 1022, LXXXIV 1021, LXXIV 1122, XXV 0922", "1021 1122 0922", "VII/US", "8.0"),
        ("VII/US 1609, LXXXIV 1610", "1610", "VII/US", "8.0"),
        ("VII/US 1022, LXXXIV 1021", "9999", "VII/US", "8.0"),
        ("VII/US 1227, LXXXIV 1228", "1228", "VII/US", "8.0"),
        ("VII/US 1022, US1 1022, LXXXIV 1021", "1021", "US1", "4.7"),
        ("VII/US 1022, LXXXIV 1021", "1021", "LXXXIV", "7.0"),
    ],
)
def test_8_0_attacks_that_are_not_allowed(text: str, hexes: str, ids: str, case: str) -> None:
    """8.0 All hexes involved are next to each other, no blocked side lies between,
    nothing but combat units is attacked, and not in the south; only commanded combat units attack."""
    assert refused(war(text), Attack(tuple(hexes.split()), tuple(ids.split()), 4)).case == case


def test_8_0_two_hexes_attack_one_and_one_attacks_two() -> None:
    """8.0 Three hexes next to each other are the most; three are never attacked at once."""
    state = war("VII/US 1022, V/US 1122, LXXXIV 1021, LXXIV 1121")
    series(state).check(Attack(("1021",), ("VII/US", "V/US"), 4))
    state.units["LXXIV"].hex = "0922"
    series(state).check(Attack(("1021", "0922"), ("VII/US",), 4))
    state.units["XXV"].place, state.units["XXV"].hex = "map", "0921"
    assert "one hex or on two" in refused(state, Attack(("1021", "0922", "0921"), ("VII/US",), 4)).text


def test_8_0_who_is_not_commanded_does_not_attack() -> None:
    """8.0, 6.0 Of a stack only the units under command."""
    state = war("VII/US 1022, V/US 1022, LXXXIV 1021")
    desk = series(state)
    desk.units = [state.units["VII/US"]]
    desk.check(ONE)
    with pytest.raises(NotAllowed, match="V/US is not under command") as error:
        desk.check(Attack(("1021",), ("VII/US", "V/US"), 4))
    assert error.value.case == "4.7"


def test_6_0_the_box_says_who_may_attack() -> None:
    """6.0 Nobody in box 5; in box 8 an allowance of four at least."""
    state = war("VII/US 1022, I/BR 1022, LXXXIV 1021")
    assert refused(state, Attack(("1021",), ("VII/US",), 5)).case == "6.0"
    desk = series(state)
    desk.track.enter(4, "attack")
    desk.check(Attack(("1021",), ("VII/US",), 8))
    with pytest.raises(NotAllowed, match="I/BR may not attack in box 8"):
        desk.check(Attack(("1021",), ("I/BR",), 8))


def test_8_0_once_in_an_increment_and_again_in_the_next() -> None:
    """8.0 Nobody attacks twice or is attacked twice in one increment."""
    state = war("2AD/US 1022, 3AD/US 1022, VII/US 1122, V/US 1022, LXXXIV 1021, 2Pz 1021, LXXIV 0922")
    desk = series(state)

    async def phase(state: State) -> None:
        await desk.carry_out(Attack(("1021",), ("2AD/US", "3AD/US"), 4))

    play(phase, state, dice=(1, 1, 1, 1))
    with pytest.raises(Overtaken, match="2AD/US has already attacked"):
        desk.check(Attack(("0922",), ("2AD/US",), 4))
    with pytest.raises(Overtaken, match="1021 has already been attacked"):
        desk.check(Attack(("1021",), ("VII/US",), 4))
    desk.check(Attack(("0922",), ("V/US",), 4))
    desk.check(Attack(("1021",), ("2AD/US",), 8))


def test_8_0_options_leave_out_who_has_attacked() -> None:
    """8.0 The rest of a stack is still offered together."""
    state = war("2AD/US 1022, VII/US 1022, V/US 1022, LXXXIV 1021, LXXIV 1122")
    desk = series(state)
    desk.track.enter(4, "attack")
    desk.attacked = {"2AD/US", "LXXXIV"}
    offered = [order for order in combat.options(desk, state.units["V/US"], 4) if isinstance(order, Attack)]
    assert {(order.hexes, order.units) for order in offered} == {
        (("1122",), ("V/US",)),
        (("1122",), ("V/US", "VII/US")),
    }
    assert not list(combat.options(desk, state.units["2AD/US"], 4))


def test_9_3_lead_losses_and_advances_are_of_attackers() -> None:
    """9.3 Others cannot be named."""
    state = war("VII/US 1022, V/US 1022, LXXXIV 1021")
    for order in (
        Attack(("1021",), ("VII/US",), 4, lead="V/US"),
        Attack(("1021",), ("VII/US",), 4, losses=("V/US",)),
        Attack(("1021",), ("VII/US",), 4, advance=("V/US",)),
    ):
        assert refused(state, order).case == "9.3"


def test_10_1_3_out_of_the_southern_row_but_not_into_it() -> None:
    """10.1.3, 9.1 Allies who could not come in attack out of it, in set piece; nobody attacks them there."""
    state = war("VI/US 1228, LXXXIV 1227")
    order = Attack(("1227",), ("VI/US",), 4, stay=True)
    (note,) = fights(state, order, dice=(1, 1, 1, 1)).of(Attacked)
    assert (note.fight, note.origins) == ("set_piece", ("1228",))
    assert refused(war("VI/US 1228, LXXXIV 1227"), Attack(("1228",), ("LXXXIV",), 4), "german").case == "8.0"


def test_5_3_who_moves_administratively_does_not_fight() -> None:
    """5.3 All through the phase."""
    desk = series(war(EVEN), administrative=frozenset({"VII/US"}))
    desk.track.enter(4, "attack")
    for box in (4, 8):
        with pytest.raises(NotAllowed, match="VII/US may not attack"):
            desk.check(Attack(("1021",), ("VII/US",), box))


# --- air support (9.2, 2.0.3) -----------------------------------------------------------------------------


def flown(air: str) -> Attack:
    return Attack(("1021",), ("VII/US",), 4, air=air)


def test_9_2_germans_have_no_air_support() -> None:
    """9.2 Nor have the Allies in defence, for the attacker alone names it."""
    assert (
        refused(war("2Pz 1021, V/US 1022"), Attack(("1022",), ("2Pz",), 4, air="tactical"), "german").case
        == "9.2"
    )


def test_9_2_without_air_support_this_turn_nothing_flies() -> None:
    """9.2, 2.0.3 In July one tactical marker does; heavy bombers are free."""
    state = war(EVEN, air=False)
    assert refused(state, flown("tactical")).case == "9.2"
    assert refused(state, flown("heavy")).case == "9.2"
    july = war(EVEN, air=False, turn=1)
    assert combat.tacticals(july) == 1
    series(july).check(flown("tactical"))
    series(july).check(flown("heavy"))


def test_9_2_markers_that_interdict_do_not_support() -> None:
    """9.2 One is left of two, then none."""
    assert [combat.tacticals(war(EVEN, interdicting=number)) for number in (0, 1, 2)] == [2, 1, 0]
    series(war(EVEN, interdicting=1)).check(flown("tactical"))
    assert refused(war(EVEN, interdicting=2), flown("tactical")).case == "9.2"


def test_9_2_a_heavy_bomber_marker_is_used_once_in_the_game() -> None:
    """9.2 Two of them; one for each chit."""
    state = war(EVEN)
    fights(state, flown("heavy"), dice=(1, 1, 1, 1))
    assert state.heavies == 1 and state.heavy_used
    assert "since the last chit" in refused(state, flown("heavy")).text
    state.heavy_used = False
    series(state).check(flown("heavy"))
    assert "both heavy bomber markers" in refused(war(EVEN, heavies=0), flown("heavy")).text


def test_9_2_example_of_air_support_in_three_increments() -> None:
    """9.2, the example: heavy bombers on the first of two attacks and nothing on the second;
    then a tactical marker on each; then on one."""
    state = war(
        "2AD/US 1022, 3AD/US 1022, 4AD/US 1222, 5AD/US 1222,LXXXIV 1021, 2Pz 1021, 9SS 1221, LXVI 1221"
    )
    first, second = ("2AD/US", "3AD/US"), ("4AD/US", "5AD/US")
    desk = series(state)
    held = (1, 1, 1, 1)

    async def phase(state: State) -> None:
        async def attack(hex: str, units: tuple[str, ...], box: int, air: str = "") -> None:
            order = Attack((hex,), units, box, air=air)
            desk.check(order)
            await desk.carry_out(order)

        await attack("1021", first, 4, "heavy")
        for air in ("heavy", "tactical"):
            with pytest.raises(NotAllowed) as error:
                desk.check(Attack(("1221",), second, 4, air=air))
            assert error.value.case == "9.2"
        await attack("1221", second, 4)
        with pytest.raises(NotAllowed, match="since the last chit"):
            desk.check(Attack(("1021",), first, 9, air="heavy"))
        await attack("1021", first, 9, "tactical")
        await attack("1221", second, 9, "tactical")
        await attack("1021", first, 13, "tactical")

    played = play(phase, state, dice=held * 5)
    assert [note.air for note in played.of(Attacked)] == ["heavy", "", "tactical", "tactical", "tactical"]
    assert state.heavies == 1


def test_9_2_no_heavy_bombers_after_tactical_air_in_an_increment() -> None:
    """9.2 In the next increment they may fly."""
    state = war("2AD/US 1022, V/US 1022, LXXXIV 1021, 2Pz 1021, LXXIV 1122")
    desk = series(state)

    async def phase(state: State) -> None:
        await desk.carry_out(Attack(("1021",), ("2AD/US",), 4, air="tactical"))

    play(phase, state, dice=(1, 1, 1, 1))
    with pytest.raises(NotAllowed, match="tactical air has flown"):
        desk.check(Attack(("1122",), ("V/US",), 4, air="heavy"))
    desk.check(Attack(("1122",), ("V/US",), 8, air="heavy"))


@pytest.mark.parametrize(("interdicting", "combats"), [(0, 2), (1, 1)])
def test_9_2_a_tactical_marker_supports_one_combat_of_an_increment(interdicting: int, combats: int) -> None:
    """9.2 Two markers do for two combats, one for one; in the next increment they fly again."""
    state = war(
        "2AD/US 1022, 3AD/US 1222, 4AD/US 0920, 2Pz 1021, 9SS 1221, LXXXIV 0820", interdicting=interdicting
    )
    desk = series(state)
    attacks = [
        Attack((hex,), (id,), 4, air="tactical")
        for hex, id in (("1021", "2AD/US"), ("1221", "3AD/US"), ("0820", "4AD/US"))
    ]

    async def phase(state: State) -> None:
        for order in attacks[:combats]:
            desk.check(order)
            await desk.carry_out(order)
        with pytest.raises(NotAllowed, match="every tactical air marker has flown"):
            desk.check(attacks[combats])
        desk.check(Attack(("1021",), ("2AD/US",), 9, air="tactical"))

    play(phase, state, dice=(1, 1, 1, 1) * combats)


# --- the course of a combat (9.3 to 9.7) ------------------------------------------------------------------


@pytest.mark.parametrize(
    ("dice", "corner", "lost"),
    [
        ((4, 1, 3, 1), "standoff", (1, 1)),
        ((4, 1, 4, 1), "retreat", (1, 2)),
        ((5, 1, 3, 4), "repulse", (2, 1)),
        ((5, 1, 4, 4), "stalemate", (2, 2)),
        ((4, 6, 4, 6), "retreat", (3, 3)),
    ],
)
def test_9_6_set_piece(dice: tuple[int, int, int, int], corner: str, lost: tuple[int, int]) -> None:
    """9.5, 9.6 The tests give the box, the box changes the hits of either side's own hit die."""
    state = war(EVEN)
    (note,) = fights(state, ONE, dice=dice).of(Attacked)
    assert (note.fight, note.corner, note.attack, note.defence) == ("set_piece", corner, 7, 4)
    units = state.units
    steps = tuple(3 if units[id].place == "eliminated" else units[id].lost for id in ("VII/US", "LXXXIV"))
    assert steps == lost


@pytest.mark.parametrize(
    ("dice", "corner", "hits"),
    [
        ((4, 4, 3, 1), "standoff", (1, 2)),
        ((4, 4, 4, 1), "retreat", (0, 3)),
        ((5, 4, 3, 4), "repulse", (2, 2)),
        ((5, 4, 4, 4), "stalemate", (1, 3)),
    ],
)
def test_9_6_mobile(dice: tuple[int, int, int, int], corner: str, hits: tuple[int, int]) -> None:
    """9.1, 9.6 Those who have moved up in the increment before attack with 7 against 2: triple,
    one hit less and one more."""
    state = war("2AD/US 1023, LXXXIV 1021")
    orders = Move(("2AD/US",), ("1022",), 4), Attack(("1021",), ("2AD/US",), 8)
    (note,) = fights(state, *orders, dice=dice).of(Attacked)
    assert (note.fight, note.corner, note.attack, note.defence) == ("mobile", corner, 7, 2)
    assert (note.attack_hits, note.defence_hits) == hits


def test_9_1_after_an_increment_of_waiting_the_combat_is_set_piece() -> None:
    """9.1 The move must be in the increment immediately before."""
    state = war("2AD/US 1023, 3AD/US 1222, LXXXIV 1021")
    orders = (
        Move(("2AD/US",), ("1022",), 4),
        Move(("3AD/US",), ("1223",), 9),
        Attack(("1021",), ("2AD/US",), 13),
    )
    (note,) = fights(state, *orders, dice=(1, 1, 1, 1)).of(Attacked)
    assert note.fight == "set_piece"


def test_9_1_after_an_advance_the_next_combat_is_mobile() -> None:
    """9.1 Advancing after combat is entering a hex, too."""
    state = war("2AD/US 1022, 3AD/US 1022, LXXXIV 1021, LXXIV 1019")
    orders = (
        Attack(("1021",), ("2AD/US", "3AD/US"), 4, advance=("2AD/US", "3AD/US"), onward="1020"),
        Attack(("1019",), ("2AD/US", "3AD/US"), 8),
    )
    dice = (1, 1, 6, 6, 1, 1, 1, 1)
    assert [note.fight for note in fights(state, *orders, dice=dice).of(Attacked)] == ["set_piece", "mobile"]


def test_9_1_pursuit_into_a_city() -> None:
    """9.1 A city on clear terrain is attacked in mobile combat where a unit has fled into it before
    those who advanced."""
    state = war("2AD/US 4420, LXXXIV 4419, LXXIV 4417, AOK7 4415")
    orders = (
        Attack(("4419",), ("2AD/US",), 4, advance=("2AD/US",), onward="4418"),
        Attack(("4417",), ("2AD/US",), 8),
    )
    choose = answers(retreat=["4417", "stay"])
    played = fights(state, *orders, dice=(1, 1, 6, 1, 1, 1, 1, 1), choose=choose)
    assert [note.fight for note in played.of(Attacked)] == ["set_piece", "mobile"]
    assert played.of(Attacked)[1].defenders == ("LXXXIV", "LXXIV")


def test_9_3_the_defender_names_his_lead() -> None:
    """9.3, 9.5 Its morale counts; without an answer the best."""
    for answer, needs in (("LXXIV", 2), (None, 3)):
        state = war("VII/US 1022, LXXXIV 1021, LXXIV 1021")
        played = fights(state, ONE, dice=(1, 1, 1, 1), choose=answers(lead=answer))
        (ask,), (note,) = played.asked("lead"), played.of(Attacked)
        assert (ask.seat, ask.options) == ("german", ("LXXXIV", "LXXIV"))
        assert note.defence_needs == needs


def test_9_3_the_attacker_names_his_lead() -> None:
    """9.3 In the order; it takes the first step loss."""
    state = war("VII/US 1022, V/US 1022, LXXXIV 1021, 2Pz 1021")
    (note,) = fights(state, Attack(("1021",), ("VII/US", "V/US"), 4, lead="V/US"), dice=(1, 1, 1, 1)).of(
        Attacked
    )
    assert (note.attack_lead, note.attack_needs) == ("V/US", 3)
    assert (state.units["V/US"].lost, state.units["VII/US"].lost) == (1, 0)


def test_11_5_a_stale_marker_comes_off_a_defender() -> None:
    """11.5 It is judged at the moment of combat; a new marker is not laid then."""
    state = war("VII/US 1022, LXXXIV 1021 unsupplied, V/US 1222, LXXIV 1221", control={"0614": "german"})
    fights(state, ONE, dice=(1, 1, 1, 1))
    assert not state.units["LXXXIV"].unsupplied
    cut = war(EVEN, control={})
    (note,) = fights(cut, ONE, dice=(1, 1, 1, 1)).of(Attacked)
    assert note.defence == 2 and not cut.units["LXXXIV"].unsupplied


def test_9_6_an_optional_retreat_spares_a_hit() -> None:
    """9.7 A defender that has passed its test may go, for one hit less."""
    state = war(EVEN)
    played = fights(state, ONE, dice=(1, 1, 1, 4), choose=answers(retreat="1019", advance="none"))
    assert (at(state, "LXXXIV"), state.units["LXXXIV"].lost) == ("1019", 1)
    assert played.of(Retreated)[0].spared == 1
    assert played.asked("retreat")[0].hits == 2


def test_9_7_who_must_retreat_is_spared_nothing() -> None:
    """9.5, 9.7 A defender that has failed its test goes, and takes all hits."""
    state = war("VII/US 1022, LXXXIV 1021, 2Pz 1021")
    played = fights(state, ONE, dice=(1, 1, 6, 1), choose=answers(retreat="1019", advance="none"))
    (ask,) = played.asked("retreat")
    assert "stay" not in ask.options
    assert (at(state, "LXXXIV"), at(state, "2Pz")) == ("1019", "1019")
    assert state.units["LXXXIV"].lost + state.units["2Pz"].lost == 2
    assert played.of(Retreated)[0].spared == 0


def test_9_7_who_must_and_cannot_takes_one_more_hit() -> None:
    """9.7 Enclosed by zones it stays where it is."""
    state = war("VII/US 1022, 2AD/US 1121, 4AD/US 0921, LXXXIV 1021, 2Pz 1021, AOK7 1016")
    played = fights(state, ONE, dice=(1, 1, 6, 1))
    assert [note.hex for note in played.of(HeldFast)] == ["1021"]
    (note,) = played.of(Attacked)
    units = state.units
    assert (at(state, "LXXXIV"), at(state, "2Pz")) == ("1021", "1021")
    assert units["LXXXIV"].lost + units["2Pz"].lost == note.defence_hits + 1 == 3


def test_9_7_who_may_and_cannot_stays_for_nothing() -> None:
    """9.5, 9.7 The extra hit is for those that must."""
    state = war("VII/US 1022, 2AD/US 1121, 4AD/US 0921, LXXXIV 1021, 2Pz 1021, AOK7 1016")
    played = fights(state, ONE, dice=(1, 1, 1, 1))
    assert not played.of(HeldFast) and not played.asked("retreat")
    assert state.units["LXXXIV"].lost + state.units["2Pz"].lost == 1


def test_9_7_two_hexes_retreat_one_by_one() -> None:
    """8.0, 9.7 Each stack goes its own way; a hit is spared if nobody stays."""
    for second, lost in (("1220", 1), ("stay", 2)):
        state = war("VII/US 1022, V/US 1022, LXXXIV 1021, LXXXII 1122")
        order = Attack(("1021", "1122"), ("VII/US", "V/US"), 4, stay=True)
        choose = answers(retreat=["1019", second])
        fights(state, order, dice=(1, 1, 1, 4), choose=choose)
        assert (at(state, "LXXXIV"), at(state, "LXXXII")) == (
            "1019",
            second if lost == 1 else "1122",
        )
        assert state.units["LXXXIV"].lost + state.units["LXXXII"].lost == lost


def test_4_10_a_headquarters_left_alone_disperses_before_the_advance() -> None:
    """4.10, 9.8 So the hex is free for the attackers; a cadre alone drives it off not."""
    state = war("VII/US 1022, LXXXIV 1021 lost=2, AOK1 1021")
    fights(state, Attack(("1021",), ("VII/US",), 4, advance=("VII/US",)), dice=(1, 1, 6, 1))
    assert state.units["AOK1"].place == "track" and state.units["AOK1"].back == 4
    assert at(state, "VII/US") == "1021"
    weak = war("VII/US 1022 lost=2, VIII/US 1022 lost=1, LXXXIV 1021 lost=2, AOK1 1021")
    order = Attack(
        ("1021",), ("VII/US", "VIII/US"), 4, losses=("VIII/US",), lead="VIII/US", advance=("VII/US",)
    )
    fights(weak, order, dice=(1, 1, 6, 1))
    assert (at(weak, "AOK1"), at(weak, "VII/US")) == ("1021", "1022")


# --- green and Fuehrer units (3.10, 3.11) -----------------------------------------------------------------


def test_3_10_green_attackers_are_tried_when_the_hex_is_vacated() -> None:
    """3.10 Those that took part, with the steps that they have left; a defender that stays tries nobody."""
    for dice, tried in (((1, 1, 6, 6), True), ((1, 1, 1, 1), False)):
        state = war("III/US 1022 green, XIII/US 1022 green, 2AD/US 1022, LXXXIV 1021, LXXIV 1021")
        order = Attack(("1021",), ("III/US", "2AD/US"), 4, lead="III/US", stay=True)
        played = fights(state, order, dice=dice)
        unit = state.units["III/US"]
        assert (unit.green, unit.lost, "III/US" in state.tried) == (not tried, 1, tried)
        assert unit.morale == (3 if tried else 1)
        assert state.units["XIII/US"].green
        assert len(played.of(Tried)) == tried


def test_3_10_green_defenders_are_tried_when_the_attackers_lose_two_steps() -> None:
    """3.10 In that one combat; one step is not enough."""
    for die, tried in ((4, True), (1, False)):
        state = war("III/US 1022 green, 2Pz 1021, 9SS 1021, US1 1023")
        fights(state, Attack(("1022",), ("2Pz", "9SS"), 4), side="german", dice=(1, die, 1, 1))
        assert state.units["III/US"].green is not tried


def test_3_10_an_eliminated_green_unit_is_untried_no_more() -> None:
    """3.10 It would come back with its full morale."""
    state = war("III/US 1022 lost=2 green, LXXXIV 1021")
    fights(state, Attack(("1021",), ("III/US",), 4), dice=(1, 1, 1, 1))
    unit = state.units["III/US"]
    assert (unit.place, unit.green, unit.morale) == ("eliminated", False, 3) and "III/US" in state.tried


def test_3_11_a_fuehrer_division_has_one_step() -> None:
    """3.2, 3.11 A hit eliminates it; it has a zone of control as long as it lives."""
    state = war("VII/US 1022, Clausewitz 1021")
    assert not state.units["Clausewitz"].cadre
    fights(state, ONE, dice=(1, 1, 1, 1), choose=answers(retreat="stay"))
    assert state.units["Clausewitz"].place == "eliminated"


# --- across the Rhine (12.8, 12.3) ------------------------------------------------------------------------


def test_12_8_the_rhine_is_attacked_across_in_the_first_box_only() -> None:
    """12.8 By units that began the phase on it; across a bridge that stands in any box."""
    state = war("VII/US 3408, V/US 3409, LXXXIV 3509")
    series(state).check(Attack(("3509",), ("VII/US",), 1))
    assert refused(state, Attack(("3509",), ("VII/US",), 4)).case == "12.8"
    series(state).check(Attack(("3509",), ("V/US",), 4))
    state.bridges = {"3409-3509": 0}
    assert refused(state, Attack(("3509",), ("V/US",), 4)).case == "12.8"
    state.bridgeheads = ["3509"]
    series(state).check(Attack(("3509",), ("V/US",), 4))
    state.bridgeheads = []
    desk = series(state)
    desk.by_river = set()
    with pytest.raises(NotAllowed, match="began the phase on the river"):
        desk.check(Attack(("3509",), ("VII/US",), 1))


def test_12_8_after_an_attack_in_boats_all_stop_in_the_hex() -> None:
    """12.8, 12.9 No second hex, and the Rhine has been crossed."""
    state = war("2AD/US 3408, 3AD/US 3408, LXXIV 3509 lost=2", turn=9)
    order = Attack(("3509",), ("2AD/US", "3AD/US"), 1, advance=("2AD/US", "3AD/US"), onward="3609")
    desk = fights(state, order, dice=(1, 1, 6, 6, *(1,) * 2))
    assert (at(state, "2AD/US"), at(state, "3AD/US")) == ("3509", "3509")
    assert state.rhine_crossed == 9 and desk.ended


def test_12_3_beside_the_airborne_the_rhine_needs_no_boats() -> None:
    """12.3 Allied attackers ignore the river beside the corps in every box; Germans do not."""
    state = war("XVIII/US 3508, 2Pz 3407", drop="3508", jumped=True)
    series(state).check(Attack(("3407",), ("XVIII/US",), 4))
    assert refused(state, Attack(("3508",), ("2Pz",), 4), "german").case == "12.8"
    state.drop = None
    assert refused(state, Attack(("3407",), ("XVIII/US",), 4)).case == "12.8"


def test_12_3_rivers_count_again_when_the_corps_is_driven_off_or_dies() -> None:
    """12.3 Until it moves from its landing hex, by its will or not, or is eliminated."""
    for dice, text in (((1, 1, 6, 1), "XVIII/US 1022"), ((1, 1, 1, 6), "XVIII/US 1022 lost=2")):
        state = war(f"{text}, 2Pz 1021, US1 1024", drop="1022", jumped=True, turn=3)
        fights(state, Attack(("1022",), ("2Pz",), 4, stay=True), side="german", dice=dice)
        assert at(state, "XVIII/US") != "1022" and state.drop is None
