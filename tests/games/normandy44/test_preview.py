"""What desks say of orders: the odds of attacks and landings before they are carried out; then where a move
has ended and what is left to give out."""

from __future__ import annotations

from pbem.engine.desk import Desk
from pbem.engine.language import Order
from pbem.games.normandy44.activation import Activation
from pbem.games.normandy44.administration import EndOfTurn
from pbem.games.normandy44.allocation import Allocation
from pbem.games.normandy44.landing import FirstWave
from pbem.games.normandy44.orders import (
    Assault,
    Attack,
    Carpet,
    Cover,
    Exit,
    Guns,
    Interdict,
    Land,
    Move,
    Replace,
    Support,
)
from pbem.games.normandy44.state import Port, Side, State
from tests.games.normandy44.kit import game


def war(text: str, **fields: object) -> State:
    fields = {"phase": "b_first", "control": {"0617": "allied", "0713": "allied"}} | fields
    return game(text, **fields)  # type: ignore[arg-type]


def before(state: State, side: Side, order: Order) -> tuple[str, ...]:
    """What is said of an order in phase B before it is carried out."""
    desk = Activation(state, side, "B")
    desk.check(order)
    return tuple(desk.preview(order))


def after(desk: Desk[Order], order: Order) -> tuple[str, ...]:
    """What is said of an order that needs no dice when it has been carried out."""
    desk.check(order)
    if isinstance(desk, Activation):
        desk.movement.carry_out(order)
    else:
        desk.carry_out(order)
    return tuple(desk.remarks(order))


# --- attacks ------------------------------------------------------------------------------------------------


def test_7_2_an_attack_is_told_with_its_exact_chances() -> None:
    """7.2, 6.3, 12.0, C3 Strengths, odds, shifts, the chance of each result, of the gunfire,
    and the help that the enemy may bring."""
    state = war(
        "4US 0619, 9US 0518, 709ID 0519, VII/US 0518, LXXXIV 0520",
        guns={"us destroyers": 3, "us cruisers": 3},
    )
    order = Attack("0519", ("4US", "9US"), support=("VII/US",), guns=2)
    odds, chances, guns, answer = before(state, "allied", order)
    assert odds.startswith("Montebourg (0519): 4US 4 + 9US 5 = 9 against 709ID 3: 3:1")
    assert ", +2 support" in odds and odds.endswith(" [7.2]")
    assert chances.startswith("losses of attackers/defenders: ") and chances.endswith(" [7.3]")
    likely = chances.removeprefix("losses of attackers/defenders: ").removesuffix(" [7.3]")
    assert sum(int(part.split()[1].rstrip("%")) for part in likely.split(", ")) in (99, 100, 101)
    assert guns == "2 points of gunfire: 50% chance of one more column [12.0]"
    assert answer == "the enemy may add: LXXXIV -1 [6.3]"


def test_7_2_without_shifts_and_help_the_odds_are_all() -> None:
    """7.2 Where nothing is added only the odds stand there."""
    odds, _ = before(war("4US 0905, 709ID 0906"), "allied", Attack("0906", ("4US",)))
    assert odds.count("4US 4 against 709ID 3: 1:1") == 1 and "Cabourg" not in odds


def test_6_3_10_1_12_0_what_allied_defenders_may_add() -> None:
    """6.3, 10.1, 12.0 A German attack may meet headquarters, fighters and guns."""
    state = war(
        "4US 0518, 709ID 0519, VII/US 0518",
        fighters={"VII/US": 1},
        guns={"us destroyers": 3, "us cruisers": 3},
    )
    told = before(state, "german", Attack("0518", ("709ID",)))
    assert told[-1] == "the enemy may add: VII/US -2, 1 fighter, 6 points of gunfire [6.3]"
    mixed = war("4US 0518, 1SSB 0518, 709ID 0519, VII/US 0518")
    assert not any("may add" in line for line in before(mixed, "german", Attack("0518", ("709ID",))))


def test_6_4_a_headquarters_alone() -> None:
    """6.4 No die is thrown for a headquarters alone."""
    told = before(war("4US 0617, LXXXIV 0618"), "allied", Attack("0618", ("4US",)))
    assert told == ("0618: only headquarters, lost without a die roll [6.4]",)


# --- moves --------------------------------------------------------------------------------------------------


def test_4_0_8_2_3_1_where_a_move_has_ended() -> None:
    """4.0, 8.2, 3.1 Of a move that has been made the end is told: enemies next to it, want of supply,
    too many in the hex."""
    state = war("4US 1216, 9US 1215, 2US 1215, 709ID 1115", control={})
    told = after(Activation(state, "allied", "B"), Move(("4US",), ("1215",)))
    assert told[0] == "1215 is adjacent to the enemy [4.0]"
    assert told[1] == "1215 is out of supply if judged now [8.2]"
    assert told[2].startswith("1215 exceeds the stacking limit so far") and told[2].endswith("[3.1]")
    assert after(Activation(war("4US 0618"), "allied", "B"), Move(("4US",), ("0617",))) == ()


def test_15_0_supply_is_not_judged_on_d_day() -> None:
    """15.0 Of a German reaction only the enemy is told, in whatever phase it is written."""
    state = war("709ID 0519, 4US 0618", phase="landing", turn=0)
    told = after(Activation(state, "german", "reaction"), Move(("709ID",), ("0518",)))
    assert told == ("0518 is adjacent to the enemy [4.0]",)


def test_what_a_move_costs_is_in_the_log() -> None:
    """5.1 Beforehand there is nothing to tell of a move."""
    assert before(war("4US 1216"), "allied", Move(("4US",), ("1215",))) == ()


# --- D-Day, landing, allocation, replacements ---------------------------------------------------------------


def test_15_0_the_first_wave() -> None:
    """15.0, 12.0 The odds of a landing with all that are to land there, and the chance of gunfire
    on the garrison."""
    wave = FirstWave(war("WN-Gold 0710, 50BR reserve, 79a reserve, 79b reserve", phase="landing", turn=0))
    odds, chances = wave.preview(Assault(("79a",), "0710"))
    assert odds.startswith("Gold (0710): 50BR 4 + 79a 2 = 6 against WN-Gold 2: 3:1")
    assert chances.startswith("losses of attackers/defenders: ")
    wave.carry_out(Assault(("79a",), "0710"))
    (odds, _) = wave.preview(Assault(("79b",), "0710"))
    assert odds.startswith("Gold (0710): 50BR 4 + 79a 2 + 79b 2 = 8 against WN-Gold 2: 4:1")
    assert tuple(wave.preview(Guns(2, "0710"))) == (
        "2 points of gunfire: 33% chance of one more column [12.0]",
    )
    assert tuple(wave.preview(Assault(("79a",), "0809"))) == ()


def test_11_2_what_a_beach_or_port_can_still_take() -> None:
    """11.2, 14.0 The capacity left where units have landed."""
    state = war(
        "709ID 0222, 4US reserve phase=A, 1SSB reserve phase=A",
        capacity={"0617": 4, "Isigny": 2},
        ports={"Isigny": Port(left=0, worth=3)},
    )
    desk = Activation(state, "allied", "B")
    assert after(desk, Land(("4US",), "0617")) == ("Utah (0617): 1 landing point left [11.2]",)
    assert after(desk, Land(("1SSB",), "0816")) == ("Isigny: 0 landing points left [11.2]",)


def test_2_3_what_is_left_to_allocate() -> None:
    """2.2, 2.4 Markers, and for the Allies aircraft."""
    state = war(
        "VII/US 0617, 4US 1217, LXXXIV 1218, 709ID 1218",
        phase="allocation",
        markers={"allied": 1, "german": 1},
    )
    allied, german = Allocation(state, "allied"), Allocation(state, "german")
    left = "left: 1 offensive marker; fighters US 1, UK 2; 2 bombers [2.3]"
    assert after(allied, Cover("VII/US")) == (left,)
    left = "left: 1 offensive marker; fighters US 1, UK 2; 1 bomber [2.3]"
    assert after(allied, Carpet("1218", "US")) == (left,)
    left = "left: 1 offensive marker; fighters US 1, UK 2, 2 in all; 1 bomber [2.3]"
    assert after(allied, Interdict("I")) == (left,)
    assert after(german, Support(("LXXXIV",))) == ("left: 0 offensive markers [2.3]",)


def test_13_0_what_is_left_for_replacements() -> None:
    """13.0 German steps by class, Allied landing points by army."""
    state = war("4US 0617 lost=1, 709ID 0222 lost=1", phase="end", capacity={"0617": 3})
    assert after(EndOfTurn(state, "allied"), Replace(("4US",))) == ("landing points left: US 2, UK 0 [13.0]",)
    assert after(EndOfTurn(state, "german"), Replace(("709ID",))) == (
        "steps left: 1 motorised, 1 foot [13.0]",
    )


def test_of_other_orders_nothing_is_told() -> None:
    order = Exit(("A/4AD",), "2227")
    assert before(war("A/4AD 2227"), "allied", order) == ()
    assert after(Activation(war("A/4AD 2227"), "allied", "B"), order) == ()
