"""What is told of an attack beforehand: strengths, morale, exact chances (9.4 to 9.7)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction

import pytest

from pbem.engine.desk import Desk
from pbem.engine.language import Order
from pbem.engine.play import Answer, Ask, advance
from pbem.games.france44 import begin, odds, outcomes, replacement
from pbem.games.france44.activation import Initiative
from pbem.games.france44.orders import Activate, Attack, Commit, Interdict, Move, Piece, Replace
from pbem.games.france44.reaction import Reaction
from pbem.games.france44.state import SIDES, State
from pbem.games.france44.tables import Side
from tests.games.france44.fighting import battle, series, supply, war
from tests.games.france44.kit import game

ONE = Attack(("1021",), ("VII/US",), 4)


def told(where: State | Desk[Order], order: Order, side: Side = "allied") -> tuple[str, ...]:
    """What is said of a legal order at a desk; by default with all combat units of the side under command."""
    desk = at_desk(where, side) if isinstance(where, State) else where
    desk.check(order)
    return tuple(desk.preview(order))


def at_desk(state: State, side: Side = "allied", hq: str = "") -> Initiative:
    """The initiative of a side of which all combat units are under command."""
    desk = Initiative(state, side)
    desk.series = series(state, side, hq=hq)
    return desk


def begun(state: State, *orders: Order, hq: str = "", dice: Sequence[int] = ()) -> Initiative:
    """The desk of the Allies after these orders, as far as the first die that has not been thrown."""
    desk, faces = at_desk(state, hq=hq), list(dice)

    async def phase(state: State) -> None:
        for order in orders:
            desk.check(order)
            await desk.carry_out(order)

    advance(
        phase(state),
        state,
        answers=lambda ask: Answer("4417") if isinstance(ask, Ask) and ask.kind == "retreat" else None,
        dice=lambda chance, label: [faces.pop(0)] if faces else None,
    )
    return desk


def figures(line: str) -> list[int]:
    return [int(number) for number in re.findall(r"(\d+)%", line)]


def test_9_6_an_attack_is_told_with_its_exact_chances() -> None:
    """9.4 to 9.7 Strengths, morale, boxes, steps and what becomes of the defenders."""
    state = war("VII/US 1022, LXXXIV 1021")
    strengths, morale, boxes, steps, fate = told(state, ONE)
    assert strengths == "1021, set piece: VII/US 7 against LXXXIV 4: even [9.6]"
    assert morale == "morale: VII/US 4, passed 67%; against LXXXIV 3, passed 50% [9.4]"
    assert boxes == "standoff 33%, retreat 33%, repulse 17%, stalemate 17% [9.6]"
    assert steps.startswith("you lose 1 step 33%, 2 steps 39%, 3 steps 28% (on average 1.9); they lose ")
    assert sum(figures(steps.split(";")[1])) in (99, 100, 101)
    assert fate.startswith("they must retreat 50%, may 50%; all eliminated ")
    assert fate.endswith(" [9.7]") and "no way" not in fate


def test_9_6_the_steps_are_exact() -> None:
    """9.5, 9.6 Of 1296 throws; nobody loses more than he has, and the stuck take
    one more where they must go."""
    state = war("VII/US 1022, LXXXIV 1021 lost=1")
    units = state.units
    fight = battle(state, "1021", "VII/US")
    seen = odds.outlook(fight, units["VII/US"], units["LXXXIV"], supply(state))
    assert (seen.attack, seen.defence, seen.comparison.name) == (7, 2, "triple or more")
    ahead = outcomes.prospects(state, fight, seen)
    # a hit more for the defender: at least two steps but in repulse, where his hits are the die's
    assert ahead.dead == 1 - Fraction(1, 6) * Fraction(1, 2)
    assert ahead.defence == {1: Fraction(1, 12), 2: Fraction(11, 12)}
    assert ahead.attack == {0: Fraction(6, 18), 1: Fraction(7, 18), 2: Fraction(4, 18), 3: Fraction(1, 18)}
    assert ahead.must == Fraction(1, 2) and ahead.gone == ahead.dead and ahead.stuck == ()


def test_9_7_no_way_out_is_told() -> None:
    """9.7 One hit more in half of the cases, and the hex is cleared only if all are eliminated."""
    state = war("VII/US 1022, 2AD/US 1121, 4AD/US 0921, LXXXIV 1021, 2Pz 1021, AOK7 1016")
    fight = battle(state, "1021", "VII/US")
    seen = odds.outlook(fight, state.units["VII/US"], state.units["2Pz"], supply(state))
    ahead = outcomes.prospects(state, fight, seen)
    assert ahead.stuck == ("1021",) and ahead.gone == ahead.dead
    assert sum(steps * chance for steps, chance in ahead.defence.items()) == seen.defence_loss + ahead.must
    assert "no way out of 1021: 1 more hit if they must" in told(state, ONE)[-1]


def test_4_9_9_4_headquarters_air_and_terrain_are_told() -> None:
    """4.9, 9.2, 9.4 With what they count for."""
    state = war("VII/US 1310, US1 1310, LXXXIV 1311, LXXIV 1311, AOK7 1313")
    order = Attack(("1311",), ("VII/US",), 4, lead="VII/US", air="tactical")
    strengths, morale, *_ = told(begun(state, hq="US1"), order)
    assert "VII/US 7 + US1 3 = 10 against LXXXIV 4 + LXXIV 3 = 7: even" in strengths
    assert "against LXXXIV 3 + rough 1 + tactical air -1 = 3, passed 50%" in morale


def test_11_5_defenders_out_of_supply_are_told_at_half() -> None:
    """11.5 As they stand now."""
    state = war("VII/US 1022, LXXXIV 1021, LXXIV 1021", control={})
    assert "LXXXIV 4 + LXXIV 3 + defenders out of supply, halved -3 = 4: even" in told(state, ONE)[0]


def test_7_0_where_a_move_has_led() -> None:
    """3.3, 11.1 Next to the enemy, out of supply; nothing before it is made, nor of a unit that stayed."""

    def ended(text: str, to: str, *, gone: bool = True) -> tuple[str, ...]:
        move = Move(("2AD/US",), (to,), 4)
        desk = begun(war(text), *([move] if gone else []))
        return tuple(desk.remarks(move))

    assert told(war("2AD/US 1023, LXXXIV 1021"), Move(("2AD/US",), ("1022",), 4)) == ()
    assert ended("2AD/US 1023, LXXXIV 1021, US1 1024", "1022") == ("1022 is next to the enemy [3.3]",)
    assert ended("2AD/US 1023, LXXXIV 1021", "1022")[1:] == ("out of supply if judged now: 2AD/US [11.1]",)
    assert ended("2AD/US 1023, LXXXIV 1021, US1 1025", "1024") == ()
    assert ended("2AD/US 1022, LXXXIV 1021, US1 1024", "1023", gone=False) == ()


def test_9_1_the_kind_of_combat_follows_from_the_series() -> None:
    """9.1 A unit that moved in the increment before attacks in mobile combat."""
    move, attack = Move(("2AD/US",), ("1022",), 4), Attack(("1021",), ("2AD/US",), 8)
    moved = begun(war("2AD/US 1023, LXXXIV 1021"), move)
    assert told(moved, attack)[0] == "1021, mobile: 2AD/US 7 against LXXXIV 2: triple or more [9.6]"
    waited = begun(war("2AD/US 1023, 3AD/US 1222, LXXXIV 1021"), move, Move(("3AD/US",), ("1223",), 9))
    assert "set piece" in told(waited, Attack(("1021",), ("2AD/US",), 13))[0]
    assert "set piece" in told(war("2AD/US 1022, LXXXIV 1021"), Attack(("1021",), ("2AD/US",), 4))[0]


def test_9_1_advances_and_retreats_of_the_phase_count() -> None:
    """9.1 After a retreat and an advance the next attack is mobile combat."""
    state = war("2AD/US 4420, LXXXIV 4419, LXXIV 4417, AOK7 4415")
    first = Attack(("4419",), ("2AD/US",), 4, advance=("2AD/US",), onward="4418")
    desk = begun(state, first, dice=(1, 1, 6, 1))
    assert "mobile" in told(desk, Attack(("4417",), ("2AD/US",), 8))[0]


def test_11_5_a_piece_without_supply_is_told_at_half() -> None:
    """5.2, 11.5 It reacts at half strength; under command of a headquarters a unit has all of it."""
    state = war("2AD/US 1022, LXXXIV 1021")
    desk = Reaction(state, "allied")
    with pytest.raises(StopIteration):
        desk.carry_out(Piece("2AD/US")).send(None)
    assert "2AD/US, halved: out of supply 2 against" in told(desk, Attack(("1021",), ("2AD/US",), 1))[0]
    assert "2AD/US 4 against" in told(state, Attack(("1021",), ("2AD/US",), 1))[0]


def test_5_1_of_other_orders_there_is_nothing_to_tell() -> None:
    """5.1 Nor of an attack before a headquarters is activated, which no rule allows."""
    desk = Initiative(war("VII/US 1022, LXXXIV 1021, US1 1023"), "allied")
    assert tuple(desk.preview(ONE)) == tuple(desk.preview(Activate("US1"))) == ()
    assert tuple(desk.remarks(Move(("VII/US",), ("1023",), 4))) == ()


def test_8_0_two_hexes_are_told_together() -> None:
    """8.0 With one strength, and each with its own way out."""
    state = war("VII/US 1022, LXXXIV 1021, LXXIV 1122")
    lines: Sequence[str] = told(state, Attack(("1021", "1122"), ("VII/US",), 4))
    assert lines[0] == "1021 and 1122, set piece: VII/US 7 against LXXXIV 4 + LXXIV 3 = 7: even [9.6]"


def test_9_0_the_german_side_is_told_of_its_own_attacks() -> None:
    """9 The preview is for either seat."""
    state = war("2Pz 1021, VII/US 1022, US1 1024")
    assert told(state, Attack(("1022",), ("2Pz",), 4), "german")[0].startswith(
        "1022, set piece: 2Pz 4 against VII/US 7"
    )


def test_2_0_8_what_a_commitment_leaves() -> None:
    """2.0.8 Points become chits of the next turn, the others stay."""
    state = game("", supply={"allied": 5, "german": 3})
    ours, theirs = (begin.Commitment(state, side, 2) for side in SIDES)
    assert told(ours, Commit(3)) == ("3 more chits for you next turn; 2 supply points left [2.0.8]",)
    assert told(theirs, Commit(1)) == ("1 more chit for you next turn; 2 supply points left [2.0.8]",)
    assert told(ours, Interdict(1)) == ()


# --- replacements, air support ------------------------------------------------------------------------------


def test_10_1_2_a_raised_unit_needs_an_enter() -> None:
    """10.1.2 Told with each point that it gets; not of a unit on the map,
    nor of the 18th Airborne in its box."""
    state = war("V/US eliminated, VII/US 1207 lost=1, XVIII/US eliminated, US1 1207")
    desk = replacement.Replacements(state, "allied")
    for _ in range(2):
        (line,) = told(desk, Replace("V/US", 1))
        assert "enter V/US at" in line and "back to the eliminated box" in line
        desk.carry_out(Replace("V/US", 1))
    desk = replacement.Replacements(state, "allied")
    assert told(desk, Replace("VII/US", 1)) == told(desk, Replace("XVIII/US", 1)) == ()


def test_9_4_bombers_that_change_nothing_are_warned_about() -> None:
    """9.2, 9.4 Heavy bombers do nothing in mobile combat, and their marker is gone."""
    flown = Attack(("1021",), ("2AD/US",), 8, air="heavy")
    mobile = begun(war("2AD/US 1023, LXXXIV 1021"), Move(("2AD/US",), ("1022",), 4))
    (warning,) = [line for line in told(mobile, flown) if "WARNING" in line]
    assert "mobile" in told(mobile, flown)[0] and "marker is used up" in warning
    still = war("2AD/US 1022, LXXXIV 1021")
    assert not any("WARNING" in line for line in told(still, replace(flown, box=4)))
