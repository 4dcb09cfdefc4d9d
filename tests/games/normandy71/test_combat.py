"""Combat (COM): odds, table, terrain, armour, allocation and exchanges, case by case."""

from __future__ import annotations

import pytest

from pbem.engine.desk import Desk
from pbem.engine.errors import NotAllowed
from pbem.engine.play import Ask, AskAll
from pbem.games.normandy71 import combat, naval, odds
from pbem.games.normandy71.notes import Attacked, Gunfire, Lost, MarkerGone, Revealed
from pbem.games.normandy71.orders import Attack, Disentrench
from pbem.games.normandy71.state import State
from pbem.games.normandy71.tables import MAP
from tests.games.normandy71.kit import at, game
from tests.games.playing import opening, play

OPEN = "1215"
"""A clear hex in open country; its neighbours are 1216, 1115, 1114, 1214, 1314 and 1315, all clear."""


def german(  # type: ignore[no-untyped-def]
    state: State, *attacks: Attack, dice: tuple[int, ...] = (), choose: object = None
):
    return play(combat.german_combat, state, *attacks, dice=dice, choose=choose)  # type: ignore[arg-type]


def legal_attacks(state: State, phase=combat.german_combat):  # type: ignore[no-untyped-def]
    request = opening(phase, state)
    return request if isinstance(request, Desk) else None


def refused(  # type: ignore[no-untyped-def]
    state: State, order: Attack | None, case: str, phase=combat.german_combat
) -> str:
    request = opening(phase, state)
    with pytest.raises(NotAllowed) as error:
        request.check(order)
    assert error.value.case == case
    return error.value.text


# --- odds and table -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("attack", "defence", "column"),
    [
        (26, 9, "2-1"),
        (51, 9, "5-1"),
        (36, 9, "4-1"),
        (70, 10, "6-1"),
        (90, 10, "8-1"),
        (200, 3, "10-1"),
        (10, 21, "1-3"),
        (7, 7, "1-1"),
        (1, 9, "1-4"),
    ],
)
def test_com_g_odds_are_rounded_in_favour_of_the_defender(attack: int, defence: int, column: str) -> None:
    """COM.G The ratio is rounded down to a column: 26 to 9 is 2-1."""
    assert odds.column(attack, 2 * defence) == column


def test_com_the_result_is_carried_out_before_the_next_combat() -> None:
    """COM Procedure: defenders that are eliminated in the first combat are gone when the second is fought."""
    state = game("a german 14-6 1216, b german 14-6 1114, x allied 2-4 1215, y allied 2-4 1113", turn=1)
    played = german(state, Attack(("1215",), ("a",)), Attack(("1113",), ("b",)), dice=(1, 1))
    assert [note.hexes for note in played.of(Attacked, "german")] == [("1215",), ("1113",)]
    assert state.units["x"].place == state.units["y"].place == "lost"


# --- who may attack -------------------------------------------------------------------------------------


def test_com_a_only_adjacent_units_attack() -> None:
    """COM.A A unit two hexes away may not take part."""
    state = game("a german 14-6 1216, far german 14-6 1217, x allied 7-4 1215", turn=1)
    assert "not adjacent to" in refused(state, Attack(("1215",), ("far",)), "COM.A")
    assert refused(state, Attack(("1314",)), "COM.A")


def test_com_b_nobody_has_to_attack() -> None:
    """COM.B A side may stop at once."""
    played = german(game("a german 14-6 1216, x allied 7-4 1215", turn=1))
    assert played.ended and not played.of(Attacked)


def test_com_c_units_and_hexes_fight_once() -> None:
    """COM.C A unit attacks once and a hex is attacked once in a phase."""
    state = game("a german 14-6 1216, b german 14-6 1216, x allied 7-4 1215, y allied 2-4 1315", turn=1)
    first = Attack(("1215",), ("a",))
    for second, case in ((Attack(("1215",), ("b",)), "COM.C"), (Attack(("1315",), ("a",)), "COM.C")):
        with pytest.raises(NotAllowed) as error:
            german(
                game("a german 14-6 1216, b german 14-6 1216, x allied 7-4 1215, y allied 2-4 1315", turn=1),
                first,
                second,
                dice=(1, 1),
            )
        assert error.value.case == case
    assert german(state, first, Attack(("1315",), ("b",)), dice=(1, 1)).ended


def test_com_d_one_attack_on_several_hexes() -> None:
    """COM.D A group may attack several hexes as one combat if it is next to each."""
    state = game("a german 14-6 1216, x allied 7-4 1215, y allied 2-4 1315", turn=1)
    fought = german(state, Attack(("1215", "1315"), ("a",)), dice=(1,)).of(Attacked, "german")[0]
    assert fought.defence_strength == 9 and fought.column == "1-1"


def test_com_e_and_com_f_all_around_against_the_whole_stack() -> None:
    """COM.E, COM.F Any number of stacks attack a hex, whose defenders count together."""
    state = game(
        "a german 4-1 1216, b german 4-1 1115, c german 4-1 1114, d german 4-1 1214, e german 4-1 1314, "
        "f german 4-1 1315,"
        "x allied 7-4 1215, y allied 2-4 1215",
        turn=1,
    )
    fought = german(state, Attack(("1215",)), dice=(1,)).of(Attacked, "german")[0]
    assert (fought.attack_strength, fought.defence_strength, len(fought.origins)) == (24, 9, 6)


def test_com_h_stack_mates_need_not_join() -> None:
    """COM.H One unit of a stack may attack and the other not."""
    state = game("a german 14-6 1216, b german 14-6 1216, x allied 7-4 1215", turn=1)
    assert german(state, Attack(("1215",), ("a",)), dice=(1,)).of(Attacked, "german")[0].attackers == ("a",)


def test_com_i_unsupplied_units_do_not_attack_and_defend_at_half() -> None:
    """COM.I Without supply a unit may not attack, and its strength is halved in defence."""
    state = game("x allied 7-4 1216, a german 14-6 1215", turn=2, supply=())
    assert opening(combat.allied_combat, state).subjects() == ()
    refused(state, Attack(("1215",), ("x",)), "COM.I", combat.allied_combat)
    fought = german(game("x allied 7-4 1216, a german 14-6 1215", turn=2), Attack(("1216",)), dice=(1,))
    note = fought.of(Attacked, "german")[0]
    assert (note.defence_strength, note.column) == (3.5, "4-1")
    assert note.defence_parts[0].case == "COM.I"


def test_u_defend_only_units_never_attack() -> None:
    """U A unit with a d between its figures may not attack."""
    state = game("a german 10d6 1216, b german 14-6 1216, x allied 7-4 1215", turn=1)
    assert refused(state, Attack(("1215",), ("a",)), "U")


def test_com_j_armour_and_bocage() -> None:
    """COM.J Armour may not attack into bocage or the forts, not even beside infantry."""
    state = game("t german 7-6 armour battalion 2115, i german 4-1 2115, x allied 2-4 2215", turn=1)
    assert refused(state, Attack(("2215",), ("t",)), "COM.J")
    fort = game("t german 7-6 armour battalion 4229, i german 4-1 4229, x allied 2-4 4230", turn=1)
    assert refused(fort, Attack(("4230",), ("t",)), "COM.J")


def test_com_j_lone_armour() -> None:
    """COM.J Armour alone in its hex may not attack, two tank units are still alone, flak does not help;
    and it defends at half."""
    for company in ("", "u german 5-6 1216,", "u german 10d6 1216,"):
        state = game(
            f"t german 7-6 armour battalion 1216, {company} i german 14-6 1115, x allied 7-4 1215", turn=1
        )
        assert refused(state, Attack(("1215",), ("t",)), "COM.J")
    idle = game("t german 7-6 armour battalion 1216, i german 4-1 1216, x allied 2-4 1215", turn=1)
    assert german(idle, Attack(("1215",), ("t",)), dice=(1,)).of(Attacked, "german")[0].attack_strength == 7
    tanks = game("t allied 6-10 1215, u allied 6-10 1215, a german 14-6 1216", turn=1)
    note = german(tanks, Attack(("1215",)), dice=(1,)).of(Attacked, "german")[0]
    assert note.defence_strength == 6 and {part.case for part in note.defence_parts} == {"COM.J"}


def test_halved_once_at_most() -> None:
    """COM.I, COM.J Lone armour out of supply is halved once."""
    state = game("t allied 6-10 1215, a german 14-6 1216", turn=2)
    assert german(state, Attack(("1215",)), dice=(1,)).of(Attacked, "german")[0].defence_strength == 3


# --- terrain --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("attacker", "target", "trench", "plus"),
    [
        ("1216", "1215", False, 0),
        ("2115", "2215", False, 1),
        ("1517", "1518", False, 2),
        ("4229", "4230", False, 5),
        ("1216", "1215", True, 4),
        ("1517", "1518", True, 4),
        ("1319", "1219", False, 1),
    ],
)
def test_com_t_terrain_adds_its_best_effect_only(attacker: str, target: str, trench: bool, plus: int) -> None:
    """COM.T Bocage +1, city +2, fort +5, entrenchment +4, river +1: the single best one."""
    state = game(
        f"a german 10-6 {attacker}, x allied 2-4 {target}",
        turn=1,
        trenches=f"{target} allied" if trench else "",
    )
    note = german(state, Attack((target,)), dice=(1,)).of(Attacked, "german")[0]
    assert note.total == 1 + plus


def test_com_t_a_river_counts_only_if_all_cross_it() -> None:
    """COM.T One attacker on the near side takes the river away."""
    state = game("a german 10-6 1319, b german 4-1 1218, x allied 2-4 1219", turn=1)
    assert german(state, Attack(("1219",)), dice=(1,)).of(Attacked, "german")[0].total == 1


def test_ent_a_a_marker_of_the_other_side_protects_nobody() -> None:
    """ENT.C A marker has an owner: an enemy who stands on it is not entrenched."""
    state = game("a german 10-6 1216, x allied 2-4 1215", turn=1, trenches="1215 german")
    assert german(state, Attack(("1215",)), dice=(1,)).of(Attacked, "german")[0].total == 1


# --- results --------------------------------------------------------------------------------------------


def test_exchange_costs_the_attacker_as_much() -> None:
    """COM An exchange removes the defenders and attackers of at least their printed strength,
    the cheapest by default."""
    state = game(
        "a german 4-1 1216, b german 8-4 1115, c german 4-1 1114, x allied 5-4 infantry 1215",
        turn=1,
        trenches="",
    )
    played = german(state, Attack(("1215",)), dice=(6,))
    assert played.of(Attacked, "german")[0].result == "Ex"
    losses = next(request for request in played.requests if isinstance(request, Ask))
    assert losses.kind == "losses" and losses.options == ("a + c", "b")
    assert {unit.id for unit in state.units.values() if unit.place == "lost"} == {"x", "a", "c"}


def test_exchange_spares_inverted_paratroops_no_loss_to_the_attacker() -> None:
    """INV.1C Inverted defenders die in an exchange and are not counted when losses are matched."""
    state = game(
        "a german 4-1 1216, b german 10-6 1115, x allied 2-4 1215, p allied 5-4 paratroop inverted 1215",
        turn=1,
    )
    note = german(state, Attack(("1215",)), dice=(1,)).of(Attacked, "german")[0]
    assert note.defence_strength == 2
    assert state.units["p"].place == "lost"


def test_attackers_can_be_eliminated() -> None:
    """COM Ae removes all attackers and nobody else."""
    state = game("a german 4-1 1216, x allied 7-4 1215", turn=1)
    played = german(state, Attack(("1215",)), dice=(6,))
    assert played.of(Attacked, "german")[0].result == "Ae"
    assert [(note.name, note.why) for note in played.of(Lost, "german")] == [("a", "combat")]
    assert at(state, "x") == "1215"


def test_a_voluntary_attack_below_1_4_is_refused() -> None:
    """COM An attack at worse than 1-4 may not be written against a stack in the open."""
    state = game("a german 2-6 1216, x allied 7-4 1215, y allied 7-4 1215", turn=1)
    assert "below 1-4" in refused(state, Attack(("1215",)), "COM")


def test_an_attack_on_a_marker_is_fought_however_poor() -> None:
    """COM Allotted attacks must be fought: on a stack under a marker that proves too strong the lowest
    column is used."""
    state = game("a german 2-6 1216, x allied 7-4 1215, y allied 7-4 1215", turn=1, trenches="1215 allied")
    assert german(state, Attack(("1215",)), dice=(1,)).of(Attacked, "german")[0].column == "1-4"


# --- entrenched hexes -----------------------------------------------------------------------------------


def test_ent_b_an_attacked_marker_is_lifted() -> None:
    """ENT.B The attacker sees what lies under a marker when the combat is resolved: kinds, not names."""
    state = game("x allied 7-4 1216, y allied 7-4 1216, g german 4-1 1215", turn=1, trenches="1215 german")
    played = play(combat.allied_combat, state, Attack(("1215",), ("x", "y")), dice=(1,))
    assert [note.names for note in played.of(Revealed, "allied")] == [("4-1",)]
    assert [note.names for note in played.of(Revealed, "german")] == [("g",)]


def test_ent_b_what_lay_under_a_marker_is_told_by_kind() -> None:
    """ENT.B The order of the counters in the stack, which tells of regroupings, is not shown."""
    state = game(
        "x allied 7-4 1216, y allied 7-4 1216, g german 7-2 1215, h german 4-1 1215",
        turn=1,
        trenches="1215 german",
    )
    played = play(combat.allied_combat, state, Attack(("1215",)), dice=(6,))
    assert [note.names for note in played.of(Revealed, "allied")] == [("4-1", "7-2")]


def test_com_a_a_unit_that_is_not_on_the_map_is_told_where_it_is() -> None:
    """COM.A Who attacks with a unit in a beach box, or one still to come, reads where it is."""
    text = "x allied 7-4 1216, w allied 7-4 box:16_Sword, l allied 7-4 later, g german 4-1 1215"
    state = game(text, turn=1)
    for id, where in (("w", "w waits to land at 16 Sword"), ("l", "l is still to come")):
        assert where in refused(state, Attack(("1215",), (id,)), "COM.A", combat.allied_combat)


def test_ent_c_attacking_out_takes_the_marker_off() -> None:
    """ENT.C One unit that attacks out of an entrenched hex strips the marker from all in it."""
    state = game("a german 14-6 1216, b german 4-1 1216, x allied 2-4 1215", turn=1, trenches="1216 german")
    played = german(state, Attack(("1215",), ("a",)), dice=(1,))
    assert "1216" not in state.entrenchments
    assert [(note.hex, note.why) for note in played.of(MarkerGone)] == [("1216", "attacked out")]


def test_ent_e_a_marker_may_be_taken_off_in_combat() -> None:
    """ENT.E The owner may remove his marker at any time."""
    state = game("a german 14-6 1216, x allied 2-4 1215", turn=1, trenches="1216 german")
    german(state, Disentrench("1216"))
    assert state.entrenchments == {}


def test_ent_announced_units_do_not_attack() -> None:
    """ENT A unit that announced last turn that it will entrench sits this one out."""
    state = game("a german 14-6 1216, x allied 2-4 1215", turn=2, announced={"a": 1})
    assert opening(combat.german_combat, state).subjects() == ()
    refused(state, Attack(("1215",), ("a",)), "ENT")


# --- the number of attacks ------------------------------------------------------------------------------

FIVE = (
    "a allied 7-4 2626, b allied 7-4 2626, c allied 7-4 2526, d allied 7-4 2526, e allied 7-4 2726,"
    "p german 2-6 2625, q german 2-6 2525, r german 2-6 2426, s german 2-6 2725, t german 2-6 2826"
)


def test_sup_m_four_allied_attacks_after_game_turn_1() -> None:
    """SUP.M From game-turn 2 on the Allied player makes at most four attacks, on game-turn 1 any number."""
    attacks = [
        Attack(("2625",), ("a",)), Attack(("2525",), ("c",)), Attack(("2426",), ("d",)),
        Attack(("2725",), ("b",)), Attack(("2826",), ("e",)),
    ]  # fmt: skip
    supply = {"supply": ["9 Gold", "10 Gold"]}
    with pytest.raises(NotAllowed, match="at most 4 attacks"):
        play(
            combat.allied_combat,
            game(FIVE, turn=2, **supply),  # type: ignore[arg-type]
            *attacks,
            dice=(1, 1, 1, 1),
        )
    played = play(combat.allied_combat, game(FIVE, turn=1), *attacks, dice=(1, 1, 1, 1, 1))
    assert len(played.of(Attacked, "allied")) == 5


# --- naval gunfire --------------------------------------------------------------------------------------

EXAMPLE = (
    "a allied 7-4 1218, b allied 7-4 1218, t allied 6-10 1118, u allied 6-10 1118, i allied 2-4 1118,"
    "x german 7-2 1219, y german 2-6 1219"
)


@pytest.mark.parametrize(
    ("naval", "mission", "points", "column"),
    [
        ("literal", "medium", 51, "5-1"),
        ("literal", "heavy", 36, "4-1"),
        ("monotone", "medium", 36, "4-1"),
        ("monotone", "heavy", 51, "5-1"),
    ],
)
def test_nav_example_of_the_rulebook(naval: str, mission: str, points: int, column: str) -> None:
    """NAV 26 points against 9 six hexes inland become 51 with medium and 36 with heavy gunfire,
    or the other way round by option."""
    state = game(EXAMPLE, turn=1, options={"naval": naval})
    order = Attack(("1219",), ("a", "b", "t", "u"), missions=(mission,))
    note = play(combat.allied_combat, state, order, dice=(1,)).of(Attacked, "allied")[0]
    assert (note.attack_strength, note.column) == (points, column)
    assert state.fired == {f"attack {mission}": 1}


def test_nav_light_gunfire_does_not_reach_six_hexes() -> None:
    """NAV The range runs from an all-sea hex to the defender's hex."""
    state = game(EXAMPLE, turn=1)
    assert refused(state, Attack(("1219",), missions=("light",)), "NAV", combat.allied_combat)


def test_nav_a_and_nav_c_one_mission_for_each_attacked_hex() -> None:
    """NAV.A, NAV.C Gunfire only joins an attack, one mission for each attacked hex."""
    state = game(EXAMPLE, turn=1)
    assert refused(state, Attack(("1219",), missions=("medium", "heavy")), "NAV.C", combat.allied_combat)
    assert refused(
        game("a german 4-1 1218, x allied 7-4 1219", turn=1), Attack(("1219",), missions=("any",)), "NAV"
    )


def test_nav_f_each_attacked_hex_may_have_its_own_mission() -> None:
    """NAV.F A combat against two hexes takes a mission for each, added whole to the one total."""
    state = game("a allied 7-4 1218, x german 4-1 1219, y german 4-1 1118", turn=1)
    order = Attack(("1219", "1118"), missions=("medium", "heavy"))
    assert play(combat.allied_combat, state, order, dice=(1,)).of(Attacked, "allied")[0].attack_strength == 42


def test_nav_b_missions_are_used_up_in_attack_and_come_back() -> None:
    """NAV.B, NAV.D A mission fires once in attack in a game-turn; the next game-turn has them all again."""
    text = ", ".join(f"a{n} allied 7-4 {hex}, x{n} german 2-6 {target}" for n, (hex, target) in enumerate(
        [("1218", "1219"), ("2418", "2419"), ("2818", "2819")]
    ))  # fmt: skip
    state = game(text, turn=1, fired={"attack heavy": 2})
    heavy = [Attack((target,), missions=("heavy",)) for target in ("1219", "2419", "2819")]
    with pytest.raises(NotAllowed) as error:
        play(combat.allied_combat, state, *heavy, dice=(1, 1))
    assert error.value.case == "NAV.B"


def test_nav_b_defensive_gunfire() -> None:
    """NAV.B, NAV.G The Allied player may fire each mission once in defence; light gunfire cannot defend."""
    state = game(
        "a german 14-6 1218, x allied 7-4 1219", turn=1, fired={"attack medium": 3, "defence heavy": 1}
    )
    asked: list[Ask[str]] = []

    def choose(ask: Ask[str]) -> str:
        asked.append(ask)
        return "medium"

    played = german(state, Attack(("1219",)), dice=(1,), choose=choose)
    assert (
        asked[0].seat == "allied"
        and asked[0].options[0] == "none"
        and set(asked[0].options) == {"none", "medium", "heavy"}
    )
    assert isinstance(asked[0], combat.Mission) and asked[0].left == {"medium": 3, "heavy": 1}
    note = played.of(Attacked, "allied")[0]
    assert (note.defence_strength, note.column) == (17, "1-2")
    assert [shot.mission for shot in played.of(Gunfire)] == ["medium"]
    assert state.fired["defence medium"] == 1


def test_nav_defence_cannot_fire_more_than_there_is() -> None:
    """NAV.B Answers that are each legal are refused together when they use a mission twice."""
    state = game(
        "a german 14-6 1218, x allied 7-4 1219, b german 14-6 2418, y allied 7-4 2419",
        turn=1,
        fired={"defence heavy": 1},
    )
    with pytest.raises(NotAllowed) as error:
        german(state, Attack(("1219",)), Attack(("2419",)), dice=(1, 1), choose=lambda ask: "heavy")
    assert error.value.case == "NAV.B"


def test_lift_at_allocation_asks_for_gunfire_after_showing() -> None:
    """ENT.B With the option lift=allocation markers are lifted first, then gunfire is asked
    for where none was written."""
    state = game(
        "x allied 7-4 1218, g german 4-1 1219", turn=1, trenches="1219 german", options={"lift": "allocation"}
    )
    played = play(combat.allied_combat, state, Attack(("1219",)), dice=(1,), choose=lambda ask: "medium")
    kinds = [type(note).__name__ for note in played.notes]
    assert kinds.index("Revealed") < kinds.index("Attacked")
    assert played.of(Attacked, "allied")[0].attack_strength == 32
    assert len(played.of(Revealed, "allied")) == 1
    assert state.fired == {"attack medium": 1}


CROWD = ", ".join(f"g{n} german 14-6 {hex}" for n, hex in enumerate(MAP.neighbours("1219")[:5] * 2))


def test_nav_c_a_doomed_stack_is_not_asked_about() -> None:
    """NAV.C Where no gunfire can save the defenders nobody is asked; beside them others still are."""
    text = f"{CROWD}, x allied 2-4 1219, a german 14-6 2418, y allied 7-4 2419"
    played = german(game(text, turn=1), Attack(("1219",)), Attack(("2419",)), dice=(6, 1))
    batches = [request for request in played.requests if isinstance(request, AskAll)]
    asks = [ask for batch in batches for ask in batch.asks]
    assert [ask.what for ask in asks] == ["gunfire at 2419"]
    assert asks[0].rank == 1 and played.state.units["x"].place == "lost"


def test_nav_c_each_choice_of_gunfire_says_its_column_and_chances() -> None:
    """NAV.C The question shows who attacks whom, strengths, the die and what is left; each choice its column
    and the chances."""
    text = "a german 14-6 1218, x allied 7-4 1219, p allied 5-4 paratroop unsupplied entry:paradrop 1219"
    played = german(game(text, turn=1), Attack(("1219",)), dice=(1,))
    (ask,) = next(request for request in played.requests if isinstance(request, AskAll)).asks
    assert ask.intro == (
        "14-6 from 1218 attack p, x: 14 against 9.5 (5 5-4, halved: out of supply + 7 7-4); "
        "die unmodified; left: 3 medium, 2 heavy"
    )
    assert ask.says("none") == "1-1: lost 17%, back 33%, holds 50%"
    assert ask.says("heavy") == "+10 = 1-2: lost 17%, back 0%, holds 83%"


def test_com_each_way_to_pay_for_an_exchange_says_what_it_costs() -> None:
    """COM The losses of an exchange are told in points and ground, with who is left."""
    text = "a german 14-6 1218, b german 7-6 armour 1218, c german 4-1 1118, x allied 7-4 1219"
    state = game(text, turn=1)
    units = [state.units[id] for id in "abc"]
    assert combat.costs(state, units, units[:1]) == (
        "14 points (14-6); leaves armour alone in 1218; left: b 7-6, c 4-1"
    )
    assert combat.costs(state, units, units[1:]) == "11 points (7-6, 4-1); leaves 1118 empty; left: a 14-6"


# --- fog ------------------------------------------------------------------------------------------------


def test_attacks_on_the_unsupplied_look_like_any_other() -> None:
    """SUP.H What a German may write against an Allied unit does not depend on its supply."""
    text = "a german 2-6 2625, x allied 7-4 2626"
    rich, poor = game(text, turn=2, supply=["9 Gold"]), game(text, turn=2)
    offers = [opening(combat.german_combat, state).options("2626") for state in (rich, poor)]
    assert offers[0] == offers[1]


def test_inv_5_everyone_is_supplied_on_game_turn_1() -> None:
    """INV.5, SUP.K On game-turn 1 units fight as if in supply; paratroops do not."""
    state = game("a german 14-6 1216, x allied 7-4 1215", turn=1)
    assert german(state, Attack(("1215",)), dice=(1,)).of(Attacked, "german")[0].defence_strength == 7
    state = game("a german 14-6 1216, p allied 5-4 paratroop unsupplied entry:paradrop 1215", turn=1)
    assert german(state, Attack(("1215",)), dice=(1,)).of(Attacked, "german")[0].defence_strength == 2.5


def test_com_k_and_nav_e_gunfire_joins_the_combat_with_its_whole_strength() -> None:
    """COM.K, NAV.E A mission adds all of its points to one attack, and none is left for another."""
    state = game("a allied 7-4 1218, x german 4-1 1219, b allied 7-4 1615, y german 4-1 1616", turn=1)
    first = Attack(("1219",), ("a",), missions=("medium",))
    note = play(combat.allied_combat, state, first, dice=(1,)).of(Attacked, "allied")[0]
    assert note.attack_strength == 7 + 25
    assert [part.value for part in note.attack_parts] == [7, 25] and note.attack_parts[1].case == "NAV.F"
    assert naval.left(state, "attack")["medium"] == 2
