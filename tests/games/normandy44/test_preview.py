"""What is told of orders beforehand: cost and end of moves, odds and chances of attacks,
what is left to give out."""

from __future__ import annotations

from pbem.games.normandy44.notes import Moved, Replaced
from pbem.games.normandy44.orders import (
    Assault,
    Attack,
    Carpet,
    Cover,
    Exit,
    Guns,
    Land,
    Move,
    Replace,
    Support,
)
from pbem.games.normandy44.preview import preview
from pbem.games.normandy44.state import Port, State
from tests.games.normandy44.kit import game


def war(text: str, **fields: object) -> State:
    fields = {"phase": "b_first", "control": {"0617": "allied", "0713": "allied"}} | fields
    return game(text, **fields)  # type: ignore[arg-type]


# --- attacks ------------------------------------------------------------------------------------------------


def test_7_2_an_attack_is_told_with_its_exact_chances() -> None:
    """7.2, 6.3, 12.0, C3 Strengths, odds, shifts, the chance of each result, of the gunfire,
    and the help that the enemy may bring."""
    state = war(
        "4US 0619, 9US 0518, 709ID 0519, VII/US 0518, LXXXIV 0520",
        guns={"us destroyers": 3, "us cruisers": 3},
    )
    order = Attack("0519", ("4US", "9US"), support=("VII/US",), guns=2)
    odds, chances, guns, answer = preview(state, "allied", order)
    assert odds.startswith("Montebourg (0519): 4US 4 + 9US 5 = 9 against 709ID 3: 3:1")
    assert ", +2 support" in odds and odds.endswith(" [7.2]")
    assert chances.startswith("attackers/defenders: ") and chances.endswith(" [7.3]")
    assert sum(int(part.split()[1]) for part in chances[21:-6].split(", ")) in (99, 100, 101)
    assert guns == "2 points of gunfire: 50 % for a column more [12.0]"
    assert answer == "the enemy may add: LXXXIV -1 [6.3]"


def test_7_2_without_shifts_and_help_the_odds_are_all() -> None:
    """7.2 Where nothing is added only the odds stand there."""
    odds, _ = preview(war("4US 0905, 709ID 0906"), "allied", Attack("0906", ("4US",)))
    assert odds.count("4US 4 against 709ID 3: 1:1") == 1 and "Cabourg" not in odds


def test_6_3_10_1_12_0_what_allied_defenders_may_add() -> None:
    """6.3, 10.1, 12.0 A German attack may meet headquarters, fighters and guns."""
    state = war(
        "4US 0518, 709ID 0519, VII/US 0518",
        fighters={"VII/US": 1},
        guns={"us destroyers": 3, "us cruisers": 3},
    )
    told = preview(state, "german", Attack("0518", ("709ID",)))
    assert told[-1] == "the enemy may add: VII/US -2, 1 fighter, 6 points of gunfire [6.3]"
    mixed = war("4US 0518, 1SSB 0518, 709ID 0519, VII/US 0518")
    assert not any("may add" in line for line in preview(mixed, "german", Attack("0518", ("709ID",))))


def test_6_4_a_headquarters_alone_and_an_empty_hex() -> None:
    """6.4 No die is thrown for a headquarters alone; of an empty hex there is nothing to tell,
    nor of attackers that are not there."""
    told = preview(war("4US 0617, LXXXIV 0618"), "allied", Attack("0618", ("4US",)))
    assert told == ("0618: headquarters alone, lost without a die [6.4]",)
    assert preview(war("4US 0617"), "allied", Attack("0618", ("4US",))) == ()
    assert preview(war("4US reserve, 709ID 0618"), "allied", Attack("0618", ("4US",))) == ()


# --- moves --------------------------------------------------------------------------------------------------


def test_5_1_what_a_way_costs() -> None:
    """5.1, 5.3 The way with its cost, where it meets the enemy; strategic movement is named."""
    state = war("4US 1216, 709ID 1013")
    (line,) = preview(state, "allied", Move(("4US",), ("1215",)))
    assert line == "1216 > 1215: 0.5 of 8 MP [5.1]"
    near = preview(state, "allied", Move(("4US",), ("1014",)))
    assert near[0].endswith("MP [5.1], next to the enemy") and near[0].startswith("1216 > ")
    far = preview(war("4US 1216"), "allied", Move(("4US",), ("1711",)))
    assert not far or "strategic [5.3]" in far[0] or "[5.1]" in far[0]
    assert preview(state, "allied", Move(("4US",), ("0505",))) == ()


def test_15_0_the_reaction_is_one_hex() -> None:
    """15.0 On D-Day a way is a hex, whatever it costs."""
    state = war("709ID 0519, 4US 0617", phase="landing", turn=0)
    assert preview(state, "german", Move(("709ID",), ("0518",))) == ("0519 > 0518: one hex [5.1]",)


def test_5_1_units_with_different_costs_are_told_apart() -> None:
    """3.2, 5.1 Units that go another way, or at another price, have a line each."""
    told = preview(war("4US 1216, 82AB 1216"), "allied", Move(("4US", "82AB"), ("1215",)))
    assert told == ("4US: 1216 > 1215: 0.5 of 8 MP [5.1]", "82AB: 1216 > 1215: 0.5 of 6 MP [5.1]")


def test_4_0_8_2_3_1_where_a_move_has_ended() -> None:
    """4.0, 8.2, 3.1 Of a move that has been made the end is told: enemies next to it, want of supply,
    too many in the hex."""
    state = war("4US 1215, 9US 1215, 2US 1215, 709ID 1115", control={})
    state.note(Moved(case="5.1", side="allied", names=("4US",), path=("1216", "1215"), points=0.5, of=8))
    told = preview(state, "allied", Move(("4US",), ("1215",)))
    assert told[0] == "1215 is next to the enemy [4.0]"
    assert told[1] == "1215 is out of supply as things stand [8.2]"
    assert told[2].startswith("1215 holds too much so far") and told[2].endswith("[3.1]")
    fine = war("4US 0617")
    fine.note(Moved(case="5.1", side="allied", names=("4US",), path=("0618", "0617"), points=1, of=8))
    assert preview(fine, "allied", Move(("4US",), ("0617",))) == ()


# --- D-Day, landing, allocation, replacements ---------------------------------------------------------------


def test_15_0_the_first_wave() -> None:
    """15.0, 12.0 The odds of a landing with the division of the beach, and the chance of gunfire
    on its garrison."""
    state = war("WN-Gold 0710, 50BR reserve, 79a reserve", phase="landing", turn=0)
    odds, chances = preview(state, "allied", Assault(("79a",), "0710"))
    assert (
        odds.startswith("Gold (0710): 50BR 4 + 79a 2 = 6 against WN-Gold 2: 3:1")
        and "attackers/defenders" in chances
    )
    assert preview(state, "allied", Guns(2, "0710")) == (
        "2 points of gunfire: 33 % for a column more [12.0]",
    )
    assert preview(state, "allied", Assault(("79a",), "0809")) == ()


def test_11_2_what_a_beach_or_port_can_still_take() -> None:
    """11.2, 14.0 The capacity left where units land."""
    state = war("709ID 0222", capacity={"0617": 3, "Isigny": 1}, ports={"Isigny": Port(left=0, worth=3)})
    assert preview(state, "allied", Land(("4US",), "0617")) == ("Utah (0617): 3 landing points left [11.2]",)
    assert preview(state, "allied", Land(("4US",), "0816")) == ("Isigny: 1 landing point left [11.2]",)


def test_2_3_what_is_left_to_allocate() -> None:
    """2.2, 2.4 Markers, and for the Allies aircraft."""
    state = war("VII/US 0617, LXXXIV 1218", phase="allocation", markers={"allied": 1, "german": 0})
    state.fighters["VII/US"] = 1
    left = "left: 1 offensive marker; fighters US 1, UK 2; 2 bombers [2.3]"
    assert preview(state, "allied", Cover("VII/US")) == (left,)
    assert preview(state, "allied", Carpet("1218", "US")) == (left,)
    assert preview(state, "german", Support(("LXXXIV",))) == ("left: 0 offensive markers [2.3]",)


def test_13_0_what_is_left_for_replacements() -> None:
    """13.0 German steps by class, Allied landing points by army."""
    state = war("4US 0617 lost=1, 709ID 0222 lost=1", phase="end", capacity={"0617": 3})
    assert preview(state, "allied", Replace(("4US",))) == ("landing points left: US 3, UK 0 [13.0]",)
    assert preview(state, "german", Replace(("709ID",))) == ("steps left: 1 motorised, 2 foot [13.0]",)
    state.note(Replaced(case="13.0", side="german", names=("709ID",)))
    assert preview(state, "german", Replace(("709ID",))) == ("steps left: 1 motorised, 1 foot [13.0]",)


def test_of_other_orders_nothing_is_told() -> None:
    assert preview(war("A/4AD 2227"), "allied", Exit(("A/4AD",), "2227")) == ()
