"""Who attacks what, the order of a combat, advances, landings and drops (7.1, 7.2, 7.4, 6.4, 9.0, 15.0)."""

from __future__ import annotations

from typing import Any

import pytest

from pbem.engine.errors import NotAllowed, Overtaken, Unwanted
from pbem.games.normandy44 import combat, naval
from pbem.games.normandy44.combat import Combat
from pbem.games.normandy44.losses import Way, means
from pbem.games.normandy44.notes import (
    Advanced,
    Attacked,
    Gunfire,
    HeadquartersLost,
    LoneHeadquarters,
)
from pbem.games.normandy44.orders import Attack
from pbem.games.normandy44.state import Side, State, Unit
from tests.games.normandy44.kit import at, game
from tests.games.playing import Played, play


def free(unit: Unit) -> NotAllowed | None:
    return None


def desk(state: State, side: Side = "allied", phase: str = "a_first") -> Combat:
    return Combat(state, side, phase, free)


def attacks(
    state: State, *orders: Attack, side: Side = "allied", dice: tuple[int, ...] = (), choose: Any = None
) -> Played[State]:
    """These attacks in turn, each judged before it is made."""

    async def phase(state: State) -> None:
        judge = desk(state, side)
        for order in orders:
            judge.check(order)
            await judge.carry_out(order)

    return play(phase, state, dice=dice, choose=choose)


def refused(state: State, order: Attack, side: Side = "allied") -> NotAllowed:
    with pytest.raises(NotAllowed) as error:
        desk(state, side).check(order)
    return error.value


def answer(kind: str, value: str) -> Any:
    return lambda ask: value if ask.kind == kind else None


# --- who may attack -------------------------------------------------------------------------------------


def test_7_1_only_neighbours_attack() -> None:
    """7.1 And not across an arm of the sea."""
    state = game("3BR 1306, 43BR 1305, 709ID 1407")
    desk(state).check(Attack("1407", ("3BR",)))
    assert refused(state, Attack("1407", ("43BR",))).case == "7.1"
    assert refused(game("4US 0617, 709ID 0716"), Attack("0716", ("4US",))).case == "7.1"


@pytest.mark.parametrize(
    ("text", "hex", "id", "case"),
    [
        ("VII/US 1306, 709ID 1407", "1407", "VII/US", "6.4"),
        ("3BR 1306 unsupplied, 709ID 1407", "1407", "3BR", "8.3"),
        ("3BR 1306", "1407", "3BR", "7.1"),
        ("3BR 1306, 709ID 1407", "1407", "709ID", "7.1"),
        ("3BR 1306, 709ID 1407", "9999", "3BR", "7.1"),
        ("3BR later, 709ID 1407", "1407", "3BR", "7.1"),
    ],
)
def test_7_1_who_does_not_attack(text: str, hex: str, id: str, case: str) -> None:
    """6.4, 7.1, 8.3 Headquarters, units out of supply, units of the enemy; and nobody attacks nothing."""
    assert refused(game(text), Attack(hex, (id,))).case == case


def test_E8_garrisons_do_not_attack() -> None:
    """E8 They are fixed and fight only in defence."""
    assert refused(game("WN-Gold 0809, 3BR 0808"), Attack("0808", ("WN-Gold",)), "german").case == "E8"


def test_15_0_everybody_is_in_supply_in_the_german_reaction() -> None:
    """15.0 A marker does not matter in it."""
    state = game("709ID 0519 unsupplied, 82AB 0518", turn=0)
    desk(state, "german", "reaction").check(Attack("0518", ("709ID",)))
    assert refused(state, Attack("0518", ("709ID",)), "german").case == "8.3"


def test_2_6_who_is_not_activated_does_not_attack() -> None:
    """2.6 The activation says who acts."""
    state = game("3BR 1306, 709ID 1407")
    judge = Combat(state, "allied", "a_first", lambda unit: NotAllowed("not activated", "2.6"))
    assert judge.targets() == []
    with pytest.raises(NotAllowed, match="not activated"):
        judge.check(Attack("1407", ("3BR",)))


def test_7_1_a_unit_attacks_once_and_is_attacked_once() -> None:
    """7.1 In one phase; a defender that has retreated is not attacked where it went, either."""
    state = game("3BR 1306, 43BR 1306, 50BR 1708, 352ID 1407, 716ID 1606")
    judge = desk(state)

    async def phase(state: State) -> None:
        await judge.carry_out(Attack("1407", ("3BR", "43BR"), stay=True))

    play(phase, state, dice=(6,), choose=lambda ask: "1507 1607" if ask.kind == "retreat" else None)
    assert at(state, "352ID") == "1607"
    with pytest.raises(Overtaken, match="352ID in 1607"):
        judge.check(Attack("1607", ("50BR",)))
    state.units["3BR"].hex = "1507"
    with pytest.raises(Overtaken, match="3BR has already attacked"):
        judge.check(Attack("1606", ("3BR",)))
    assert "1607" not in judge.targets()


def test_9_0_americans_and_british_do_not_attack_together() -> None:
    """9.0 Canadians are British, the French American."""
    state = game("3BR 1306, 3CA 1306, 4US 1406, L/2DB 1406, 709ID 1407")
    assert refused(state, Attack("1407", ("3BR", "4US"))).case == "9.0"
    desk(state).check(Attack("1407", ("3BR", "3CA")))
    desk(state).check(Attack("1407", ("4US", "L/2DB")))


def test_7_2_there_are_no_such_odds() -> None:
    """7.2 The columns of the table only; losses and advances of attackers only."""
    state = game("3BR 1306, 709ID 1407")
    error = refused(state, Attack("1407", ("3BR",), odds="9:1"))
    assert error.case == "7.2" and "8:1" in error.legal
    assert refused(state, Attack("1407", ("3BR",), advance=("4US",))).case == "7.4"
    assert refused(state, Attack("1407", ("3BR",), losses=("4US",))).case == "7.3"


def test_7_1_attacks_that_are_offered_are_legal() -> None:
    """7.1, 6.3, 10.1, 12.0 Each unit, each stack and each army, with and without what can help."""
    state = game(
        "3BR 0908, 43BR 0908, 4US 1009, I/BR 0908, 709ID 0909, 716ID 1109",
        fighters={"I/BR": 2},
    )
    naval.reset(state)
    judge = desk(state)
    assert judge.targets() == ["0909", "1109"]
    found = judge.options("0909")
    for order in found:
        judge.check(order)
    assert {order.units for order in found} == {("3BR",), ("43BR",), ("3BR", "43BR"), ("4US",)}
    assert Attack("0909", ("3BR", "43BR"), air=2, guns=4, support=("I/BR",)) in found
    assert Attack("0909", ("3BR", "43BR")) in found
    assert judge.options("0808") == []


# --- odds that are wanted -------------------------------------------------------------------------------


def test_7_2_an_attack_at_worse_odds_is_not_wanted() -> None:
    """7.2, 6.3, 10.1 The column with terrain, types, and the fighters and headquarters
    of the order counts."""
    state = game("3BR 1306, 43BR 1306, I/BR 1306, 709ID 1407", fighters={"I/BR": 1})
    units = ("3BR", "43BR")
    assert isinstance(refused(state, Attack("1407", units, odds="3:1")), Unwanted)
    for order in (
        Attack("1407", units, odds="2:1"),
        Attack("1407", units, odds="3:1", support=("I/BR",)),
        Attack("1407", units, odds="3:1", air=1),
    ):
        desk(state).check(order)
    assert isinstance(refused(state, Attack("1407", units, odds="4:1", support=("I/BR",))), Unwanted)


def test_7_2_what_shots_may_add_makes_odds_no_better() -> None:
    """7.2, 12.0 Gunfire hits only perhaps: the odds that an order names are those without it."""
    state = game("3BR 0908, 43BR 0908, 709ID 1008")
    naval.reset(state)
    assert isinstance(refused(state, Attack("1008", ("3BR", "43BR"), odds="3:2", guns=4)), Unwanted)
    desk(state).check(Attack("1008", ("3BR", "43BR"), odds="1:2", guns=4))


def test_7_1_nobody_is_left_out_of_an_attack() -> None:
    """7.1 An attack with a unit that cannot attack is not made by the others,
    whatever odds its order names."""
    state = game("3BR 1306, 43BR 1306, 50BR 1205, 709ID 1407")
    for named in ("", "2:1"):
        fault = refused(state, Attack("1407", ("3BR", "43BR", "50BR"), odds=named))
        assert isinstance(fault, Overtaken) and not isinstance(fault, Unwanted)


# --- order of a combat ----------------------------------------------------------------------------------


def test_7_2_order_of_a_combat() -> None:
    """7.2 Strengths, terrain and types, gunfire, headquarters of the attacker, of the defender, die."""
    state = game("3BR 0908, 43BR 0908, I/BR 0908, 709ID 1008, LXXXIV 1108", fighters={"I/BR": 1})
    naval.reset(state)
    played = attacks(
        state,
        Attack("1008", ("3BR", "43BR"), guns=4, support=("I/BR",)),
        dice=(6, 3),
        choose=answer("support", "LXXXIV"),
    )
    (note,) = played.of(Attacked)
    assert [(part.value, part.case) for part in note.shifts] == [
        (-2, "C3"),
        (1, "12.0"),
        (1, "6.3"),
        (-1, "6.3"),
    ]
    assert (note.attack, note.defence, note.odds, note.column, note.die) == (8, 3, "2:1", "3:2", 3)
    assert note.origins == ("0908",)
    assert note.roll == state.rolls == 2


def test_7_2_attackers_have_acted() -> None:
    """13.0 Who has fought gets no replacements this turn."""
    state = game("3BR 1306, 709ID 1407")
    attacks(state, Attack("1407", ("3BR",)), dice=(1,))
    assert state.units["3BR"].acted and not state.units["709ID"].acted


# --- headquarters ---------------------------------------------------------------------------------------


def test_6_4_a_lone_headquarters_is_lost_without_a_die() -> None:
    """6.4, 7.1 It counts as the attack of the unit; the hex may be entered."""
    state = game("3BR 1306, ISS 1407")
    judge = desk(state)

    async def phase(state: State) -> None:
        await judge.carry_out(Attack("1407", ("3BR",), advance=("3BR",)))

    played = play(phase, state)
    assert played.of(LoneHeadquarters)
    assert [(note.name, note.why, note.back) for note in played.of(HeadquartersLost)] == [
        ("ISS", "attacked", 4)
    ]
    assert at(state, "3BR") == "1407"
    assert judge.fought == ["3BR"]


# --- advance --------------------------------------------------------------------------------------------

WON = "3BR 1306, 43BR 1306, 15BR 1406, StB7 1407"


def test_7_4_the_attacker_may_advance_within_the_stacking_limits() -> None:
    """7.4, 3.1 Two divisions fit; without an answer nobody goes."""
    state = game(WON)
    attacks(state, Attack("1407", ("3BR", "43BR", "15BR")), dice=(6,))
    assert state.holder("1407") is None
    state = game(WON)
    order = Attack("1407", ("3BR", "43BR", "15BR"))
    played = attacks(state, order, dice=(6,), choose=answer("advance", "3BR, 43BR"))
    (ask,) = played.asked("advance")
    assert ask.options == ("3BR, 43BR", "3BR, 15BR", "43BR, 15BR", "3BR", "43BR", "15BR", "none")
    assert sum(at(state, id) == "1407" for id in ("3BR", "43BR", "15BR")) == 2
    assert played.of(Advanced)


def test_7_4_a_letter_tells_what_an_advance_leaves_behind() -> None:
    """7.4 Of each choice the hexes that it leaves empty, and headquarters that it leaves alone."""
    state = game(f"{WON}, I/BR 1306")
    played = attacks(state, Attack("1407", ("3BR", "43BR", "15BR")), dice=(6,))
    (ask,) = played.asked("advance")
    assert ask.intro == "1407 is empty (clear); advancing costs nothing."
    assert ask.fallback == "none" and not ask.says("none")
    told = {option: ask.says(option) for option in ask.options}
    assert any("leaves I/BR alone at 1306" in line for line in told.values())


def test_7_3_a_letter_tells_the_combat_and_what_each_way_costs() -> None:
    """7.3, 7.4 Attackers, odds, column and result; of each way who is destroyed, what is left of the others,
    and what the way back costs."""
    state = game("3BR 1306, 43BR 1306, 709ID 1407 lost=1, 716ID 1407, 50BR 1305")
    told: dict[str, str] = {}

    def read(ask: Any) -> Any:
        """What the letter would say while the game waits."""
        told.update({option: ask.says(option) for option in ask.options} if ask.kind == "losses" else {})
        return "retreat 1" if ask.kind == "losses" else None

    played = attacks(state, Attack("1407", ("3BR", "43BR")), dice=(5,), choose=read)
    (ask,) = played.asked("losses")
    assert ask.intro.startswith("3BR 4 + 43BR 4 = 8 from 1306 against 709ID 2 + 716ID 3 = 5 at 1407: ")
    assert (
        "The result is " in ask.intro and "each a step of one unit or a hex of retreat for all" in ask.intro
    )
    assert told["lose 709ID"] == "709ID destroyed"
    assert told["lose 716ID"] == "left: 716ID 1-2"
    assert told["retreat 1"] == "retreat of 1 hex, with no further loss"


def test_7_3_a_way_says_that_units_lose_a_step_each() -> None:
    """7.3 The names of several units in a choice are steps, not units."""
    units = [game("709ID 1407, 716ID 1407").units[id] for id in ("709ID", "716ID")]
    assert means(units, Way((("709ID", 1), ("716ID", 1))), {}).startswith("one step each; ")
    assert means(units, Way((("709ID", 2), ("716ID", 1))), {}).startswith("one step of 716ID; ")
    assert not means(units, Way((("716ID", 1),)), {}).startswith("one step")


def test_7_4_the_order_says_who_advances() -> None:
    """7.4 Or that nobody does; then nobody is asked."""
    state = game(WON)
    played = attacks(state, Attack("1407", ("3BR", "43BR", "15BR"), advance=("15BR",)), dice=(6,))
    assert at(state, "15BR") == "1407" and at(state, "3BR") == "1306"
    assert not played.asked("advance")
    state = game(WON)
    played = attacks(state, Attack("1407", ("3BR", "43BR", "15BR"), stay=True), dice=(6,))
    assert not state.at("1407") and not played.asked("advance")


def test_7_4_no_advance_while_a_defender_is_left() -> None:
    """7.4 The hex must have been vacated."""
    state = game("3BR 1306, 43BR 1306, 709ID 1407")
    played = attacks(
        state,
        Attack("1407", ("3BR", "43BR"), advance=("3BR",)),
        dice=(4,),
        choose=answer("losses", "lose 709ID"),
    )
    assert at(state, "3BR") == "1306" and not played.of(Advanced)


def test_E4_a_major_river_without_a_bridge_stops_tanks() -> None:
    """7.4, E4 Terrain costs nothing, but where they may not go they do not advance; by the bridge they do."""
    for origin, hex, tanks in (("1209", "1208", False), ("1209", "1309", True)):
        state = game(f"1Pz/1SS {origin}, 353ID {origin}, 1BE {hex} lost=1")
        ids = ("1Pz/1SS", "353ID")
        order = Attack(hex, ids, advance=ids)
        played = attacks(state, order, side="german", dice=(6,))
        (note,) = played.of(Advanced)
        assert ("1Pz/1SS" in note.names) is tanks
        assert "353ID" in note.names


# --- D-Day ----------------------------------------------------------------------------------------------


def assault(
    state: State, hex: str, *ids: str, dice: tuple[int, ...], landing: bool, **order: Any
) -> tuple[bool, Played[State]]:
    won: list[bool] = []

    async def phase(state: State) -> None:
        units = [state.units[id] for id in ids]
        attack = Attack(hex, ids, **order)
        won.append(
            await combat.fight(state, "allied", hex, units, order=attack, landing=landing, drop=not landing)
        )

    played = play(phase, state, dice=dice)
    return won[0], played


def test_15_0_a_landing_clears_the_beach_with_any_loss_of_the_garrison() -> None:
    """15.0, E8 Gunfire helps, against the protection of the beach; nobody is asked whether to advance."""
    state = game("50BR reserve, WN-Gold 0809", turn=0)
    naval.reset(state)
    won, played = assault(state, "0809", "50BR", dice=(5, 4), landing=True, guns=1)
    (gun,), (note,) = played.of(Gunfire), played.of(Attacked)
    assert (gun.total, gun.hit) == (4, False)
    assert (note.origins, note.column, note.result) == ((), "2:1", "0/1")
    assert won and not state.at("0809")
    assert not played.asked("advance") and state.units["50BR"].place == "reserve"


def test_15_0_nobody_retreats_from_a_landing() -> None:
    """15.0 All losses are steps, on either side."""
    state = game("50BR reserve, WN-Gold 0809, 352ID 0809", turn=0)
    won, played = assault(state, "0809", "50BR", dice=(6,), landing=True)
    (note,) = played.of(Attacked)
    assert not won and note.result == "0/1"
    assert all("retreat" not in option for ask in played.asked("losses") for option in ask.options)


def test_15_0_a_drop_on_germans_is_an_attack_a_column_to_the_left() -> None:
    """15.0 Germans may retreat from it; the parachutists do not advance, they are put down."""
    state = game("82AB reserve, StB7 0519", turn=0)
    won, played = assault(state, "0519", "82AB", dice=(6,), landing=False)
    (note,) = played.of(Attacked)
    assert (note.odds, note.column, note.origins) == ("4:1", "2:1", ())
    assert won and at(state, "StB7") != "0519"
    assert state.units["82AB"].place == "reserve"


def test_15_0_losses_of_a_landing_are_those_of_the_wave() -> None:
    """15.0 A unit that dies on the beach has never been on the map."""
    state = game("79a reserve, WN-OmahaW 0714", turn=0)
    won, _ = assault(state, "0714", "79a", dice=(1,), landing=True)
    assert not won and state.units["79a"].place == "dead"
