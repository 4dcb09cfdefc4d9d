"""What the bot wants: towns, fair odds, headquarters that keep up, a line;
and a whole game of the training scenario."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import pytest

from pbem.engine.autoplay import autoplay, replay_equal
from pbem.engine.bots import greedy_bot
from pbem.engine.desk import Desk
from pbem.engine.play import Ask
from pbem.games.france44 import (
    GAME,
    activation,
    arrivals,
    begin,
    bot,
    control,
    crossing,
    reaction,
    replacement,
)
from pbem.games.france44.advance import AdvanceWay
from pbem.games.france44.notes import Attacked
from pbem.games.france44.orders import (
    Activate,
    Administrative,
    Attack,
    Commit,
    Enter,
    Interdict,
    Move,
    Offensive,
    Piece,
    Replace,
)
from pbem.games.france44.reaction import Opportunity
from pbem.games.france44.retreat import RetreatWay
from pbem.games.france44.series import Series
from pbem.games.france44.setup import setup
from pbem.games.france44.state import SIDES, State
from pbem.games.france44.tables import GERMAN_CITIES, GRID, MAP, Side
from pbem.games.france44.track import What
from tests.games.france44.kit import game
from tests.games.playing import decision


def field(text: str, **more: Any) -> State:
    state = game(text, **more)
    held = state.control
    control.begin(state)
    state.control |= held
    state.phase = "cycle"
    return state


DESKS: dict[str, Callable[[State, Side], Desk[Any]]] = {
    "initiative": activation.Initiative,
    "reaction": reaction.Reaction,
    "commitment": lambda state, side: begin.Commitment(state, side, 2),
    "administration": replacement.Replacements,
    "arrival": arrivals.Arrivals,
}


def worth(state: State, seat: Side, order: Any, section: str = "initiative") -> float:
    """What an order at the desk of a section is worth."""
    return bot.judge(state, DESKS[section](state, seat))(order)


def commanded(
    state: State, side: Side, hq: str, *names: str, box: int = 0, what: What | None = None
) -> Series:
    """A series of these units under a headquarters, the marker in a box where they move or attack."""
    series = Series(state, side, [state.units[name] for name in names], hq=state.units[hq])
    if box:
        series.track.enter(box, what)
    return series


def planned(series: Series, order: Any) -> float:
    """What an order is worth in the midst of this series."""
    desk = activation.Initiative(series.state, series.side)
    desk.series = series
    return bot.judge(series.state, desk)(order)


def favourite(state: State, request: Ask[str]) -> str:
    return max(request.options, key=bot.judge(state, request))


# --- fights -------------------------------------------------------------------------------------------------


def test_it_attacks_at_good_odds_alone() -> None:
    """9.6 Two corps and armour against a weak one are worth an attack;
    a cadre against four divisions is not."""
    strong = field("VII/US 1208, V/US 1208, 2AD/US 1208, US1 1207, LXXIV 1209")
    series = commanded(strong, "allied", "US1", "VII/US", "V/US", "2AD/US")
    together = planned(series, Attack(("1209",), ("VII/US", "V/US", "2AD/US"), 4))
    assert together > planned(series, Attack(("1209",), ("2AD/US",), 4))
    assert together > 0
    weak = field("VII/US 1208 lost=2, US1 1207, 1SS 1209, 12SS 1209, 2SS 1209, 9SS 1209")
    assert planned(commanded(weak, "allied", "US1", "VII/US"), Attack(("1209",), ("VII/US",), 4)) <= 0


def test_9_2_air_support_is_welcome() -> None:
    """9.2, 9.4 The same attack is worth more with a tactical air marker."""
    state = field("VII/US 1208, 2AD/US 1208, US1 1207, 2SS 1209")
    series = commanded(state, "allied", "US1", "VII/US", "2AD/US")
    plain, flown = (
        planned(series, Attack(("1209",), ("VII/US", "2AD/US"), 4, air=air)) for air in ("", "tactical")
    )
    assert flown > plain


def test_9_2_each_air_marker_counts_for_one_attack() -> None:
    """9.2 The attack that gains most has the marker; only three attacks count, and bad ones not at all."""
    attacks = [(1.0, 1.5), (2.0, 3.0), (0.5, 0.6), (-1.0, 0.25)]
    assert bot.promise(attacks, 0) == 3.5
    assert bot.promise(attacks, 1) == 4.5
    assert bot.promise(attacks, 2) == 5.0
    assert bot.promise([], 2) == 0


def test_9_2_a_marker_that_has_flown_in_the_box_is_not_counted_again() -> None:
    """9.2 With one marker interdicting and the other used, the next attack of the box is worth
    no more than without air support."""
    state = field("VII/US 1208, 2AD/US 1208, US1 1207, 2SS 1209", interdicting=1)
    series = commanded(state, "allied", "US1", "VII/US", "2AD/US", box=4, what="attack")
    fresh = bot.Picture(state, "allied", series).best_attacks(series.units, (), box=4)
    series.tactical_here = 1
    assert bot.Picture(state, "allied", series).best_attacks(series.units, (), box=4) < fresh


def test_2_0_3_it_interdicts_only_points_that_are_there() -> None:
    state = field("VII/US 1208, US1 1207", reaction={"allied": 3, "german": 0})
    assert worth(state, "allied", Interdict(1), "commitment") == 0
    state.reaction["german"] = 3
    assert worth(state, "allied", Interdict(1), "commitment") > 0


def test_6_0_it_finishes_a_box_before_it_goes_on() -> None:
    """6.0 While somebody has something to do in a box, nothing is worth doing in the next one;
    then the march goes on there."""
    state = field(
        "2AD/US 1309, 3AD/US 1309, US1 1309", control={"1111": "allied"}, scenario="falaise", turn=1
    )
    series = commanded(state, "allied", "US1", "2AD/US", "3AD/US", box=4, what="move")
    series.spent["2AD/US"] = 2
    state.units["2AD/US"].hex = "1310"
    here, onward = Move(("3AD/US",), ("1310",), 4), Move(("2AD/US",), ("1410",), 8)
    assert planned(series, here) > 0 >= planned(series, onward)
    state.units["3AD/US"].hex = "1310"
    series.spent["3AD/US"] = 2
    assert planned(series, onward) > 0


def test_9_1_allies_like_to_come_up_in_time_to_attack() -> None:
    """6.0, 9.1 A hex beside the enemy is worth more in a box after which the unit can attack;
    to infantry of three points not after box 2."""
    state = field("2AD/US 1813, XXX/BR 1813, US1 1813, LXXX 2014")
    seen, beside = bot.Picture(state, "allied"), GRID.index("1914")
    armour, foot = state.units["2AD/US"], state.units["XXX/BR"]
    assert seen.rings[beside] == 1
    assert seen.contact(armour, beside, 2) > seen.contact(armour, beside, 1) == 0
    assert seen.contact(foot, beside, 2) == 0


def test_12_8_it_crosses_the_rhine_in_boats() -> None:
    """12.8 Where the far bank is free a unit on the river goes over in the first box;
    an attack in boats is not planned for a later one."""
    west, east = next(
        (west, east)
        for east in crossing.EAST_BANK
        for west in MAP.neighbours(east)
        if crossing.needs_boats(game(), west, east) and west not in GERMAN_CITIES.values()
    )
    free = field(f"VII/US {west}, US1 {west}", turn=9)
    assert planned(commanded(free, "allied", "US1", "VII/US"), Move(("VII/US",), (east,), 1)) > 0
    held = field(f"VII/US {west}, US1 {west}, LXXIV {east} lost=2", turn=9)
    seen = bot.Picture(held, "allied", commanded(held, "allied", "US1", "VII/US"))
    assert seen.value(1, "attack") > 0 == seen.value(4, "attack")


def test_9_1_it_knows_who_has_come_up_in_the_box_before() -> None:
    """9.1 An attack in clear country is mobile for units that moved in the increment before, in the current
    box or in the next one."""
    state = field("2AD/US 1022, LXXXIV 1021, US1 1023")
    series = commanded(state, "allied", "US1", "2AD/US", box=4, what="move")
    series.arrived["2AD/US"] = 1
    seen = bot.Picture(state, "allied", series)
    assert [seen.kind(("1021",), series.units, box) for box in (4, 8)] == ["set_piece", "mobile"]
    series.track.enter(8, "attack")
    assert [seen.kind(("1021",), series.units, box) for box in (8, 11)] == ["mobile", "set_piece"]


# --- where to go --------------------------------------------------------------------------------------------


def test_allies_go_for_towns() -> None:
    """13.1 On the way to a town that is still German every hex nearer is better."""
    seen = bot.Picture(field("VII/US 1409, US1 1409", scenario="falaise", turn=1), "allied")
    unit = seen.state.units["VII/US"]
    assert seen.standing(unit, "1410") > seen.standing(unit, "1310") > seen.standing(unit, "1207")


def test_allies_go_by_their_nations() -> None:
    """13.2 The British go for the ports of the V-1 sites, the Americans for Paris,
    two of their units for Brittany."""
    state = field("VIII/US 1409, VII/US 1409, XXX/BR 1409")
    seen = bot.Picture(state, "allied")
    assert "1609" in seen.aims_of(state.units["XXX/BR"]) and "2113" not in seen.aims_of(state.units["XXX/BR"])
    assert "2113" in seen.aims_of(state.units["VII/US"])
    assert seen.aims_of(state.units["VIII/US"]) == ("0308", "0614")
    state.control |= {"0308": "allied", "0614": "allied"}
    fresh = bot.Picture(state, "allied")
    assert fresh.aims_of(state.units["VIII/US"]) == fresh.aims_of(state.units["VII/US"])


def test_germans_hold_towns_and_good_ground() -> None:
    """9.4 A town that the Allies are near is worth holding; far from the front nobody is needed."""
    seen = bot.Picture(field("LXXXIV 1410, AOK7 1411, VII/US 1309", scenario="falaise", turn=1), "german")
    unit = seen.state.units["LXXXIV"]
    assert seen.standing(unit, "1410") > seen.standing(unit, "1511") > seen.standing(unit, "2013")


def test_germans_give_way_to_what_is_too_strong() -> None:
    """A cadre beside three corps stands worse than one beside nobody."""
    seen = bot.Picture(field("LXXIV 1914 lost=2, AOK7 1915, V/US 1912, VII/US 1912, XIX/US 1812"), "german")
    unit = seen.state.units["LXXIV"]
    assert seen.standing(unit, "1914") > seen.standing(unit, "1913")


def test_5_3_who_is_far_from_the_enemy_marches() -> None:
    """5.3 Administrative movement is chosen for a unit that nobody is near and that has far to go,
    not for one beside the enemy."""
    state = field("VII/US 1309, XIX/US 1613, US1 1513, LXXX 1714")
    series = commanded(state, "allied", "US1", "VII/US", "XIX/US")
    assert planned(series, Administrative(("VII/US",))) > 0
    assert planned(series, Administrative(("XIX/US",))) <= 0
    plain = bot.Picture(state, "allied", series).points(state.units["VII/US"], 1)
    series.administrative = frozenset({"VII/US"})
    seen = bot.Picture(state, "allied", series)
    assert seen.points(state.units["VII/US"], 1) == 2 * plain
    assert all(cost <= 2 * plain for cost, _, _ in seen.gains["VII/US"])


def test_11_1_allies_stay_within_command_but_for_a_place_that_counts() -> None:
    """4.6, 11.1 The next hex towards Paris is worth less beyond the range of every headquarters;
    Paris is not."""
    state = field("2AD/US 1812, US1 1309")
    seen, unit = bot.Picture(state, "allied"), state.units["2AD/US"]
    near, far = (seen.standing(unit, hex) for hex in ("1512", "1612"))
    assert seen.fed >> GRID.index("1512") & 1 and not seen.fed >> GRID.index("1612") & 1
    assert near > far
    assert seen.standing(unit, "2113") > near


def test_germans_fall_back_when_they_have_been_passed() -> None:
    """Behind the foremost Allies a hex nearer home is better."""
    front = "VII/US 1309, 2AD/US 2410, 3AD/US 2410, 4AD/US 2410"
    passed, before = field(f"{front}, 2SS 1512"), field("VII/US 1309, 2SS 1512")
    gains = []
    for state in (passed, before):
        seen = bot.Picture(state, "german")
        gains.append(seen.standing(state.units["2SS"], "1813") - seen.standing(state.units["2SS"], "1512"))
    assert gains[0] > gains[1]


# --- headquarters and reactions -----------------------------------------------------------------------------


def test_5_1_the_headquarters_with_most_to_do_acts() -> None:
    """5.1 Of two headquarters the one whose units can attack well is activated."""
    state = field("VII/US 1208, 2AD/US 1208, US1 1207, LXXIV 1209, XXX/BR 1510, BR2 1409", turn=1)
    assert bot.Picture(state, "allied").best_hq == "US1"
    assert worth(state, "allied", Activate("US1", ("VII/US", "2AD/US"))) > 0
    assert worth(state, "allied", Activate("BR2", ("XXX/BR",))) <= 0


def test_4_8_headquarters_move_up() -> None:
    """4.8, 5.2 A headquarters that is left behind is worth a point, one among its units is not."""
    text = "2AD/US 1914, 3AD/US 1914, VII/US 1813, LXXX 2115"
    left, there = field(f"{text}, US1 1309"), field(f"{text}, US1 1813")
    assert (
        worth(left, "allied", Piece("US1"), "reaction")
        > 0
        >= worth(there, "allied", Piece("US1"), "reaction")
    )
    options = ("none", "deny", "react")
    about = {"points": 1, "chit": "allied", "fallen": [], "army": []}
    for state in (left, there):
        state.reaction = {"allied": 1, "german": 0}
    assert favourite(left, decision(Opportunity, *options, seat="allied", **about)) == "react"
    assert favourite(there, decision(Opportunity, *options, seat="allied", **about)) == "none"


def test_5_2_a_german_closes_a_gap() -> None:
    """5.2 A division that can take its stand in a town before the Allies is worth a point,
    one that stands there already is not."""
    text = "AOK7 1411, VII/US 1309, V/US 1309"
    for hex, wanted in (("1512", True), ("1410", False)):
        state = field(f"{text}, 12SS {hex}", scenario="falaise", turn=1)
        assert (worth(state, "german", Piece("12SS"), "reaction") > 0) is wanted


def test_4_10_a_headquarters_is_not_left_alone() -> None:
    """4.10 The last unit with a headquarters beside the enemy does not advance;
    with another one there it does."""
    for more, answer in (("", "none"), (", V/US 1310", "1410")):
        state = field(f"2AD/US 1310, US1 1310{more}, LXXIV 1311", scenario="falaise", turn=1)
        about = {"unit": "2AD/US", "arm": "armour", "start": "1310", "first": "1410"}
        question = decision(AdvanceWay, "none", "1410", seat="allied", **about)
        assert favourite(state, question) == answer


def test_5_2_a_spare_point_denies() -> None:
    """5.1 A point that one's own army can do without keeps an enemy from reacting who could send an army."""
    state = field("LXXXIV 2113, AOK7 2113", reaction={"german": 4, "allied": 3})
    about = {"points": 4, "chit": "allied", "fallen": [], "army": ["AOK7"]}
    request = decision(Opportunity, "none", "deny", "react", **about)
    assert favourite(state, request) == "deny"
    state.reaction["allied"] = 2
    assert favourite(state, request) == "none"


@pytest.mark.parametrize(("steps", "answer"), [(3, "stay"), (1, "1412 1413")])
def test_9_7_who_is_weak_retreats(steps: int, answer: str) -> None:
    """9.7 Germans with few steps left spare a hit where they can;
    others stay where the ground is worth it."""
    state = field(f"LXXXIV 1411 lost={3 - steps}, 2SS 1411 lost={3 - steps}, AOK7 1412, VII/US 1410")
    about = {"hex": "1411", "must": False, "best": "1412 1413", "hits": 2, "steps": 2 * steps}
    assert favourite(state, decision(RetreatWay, "stay", "1412 1413", **about)) == answer


# --- the beginning of a turn and the administrative phase ---------------------------------------------------


def test_2_0_8_all_supply_is_committed() -> None:
    """2.0.8, 2.0.3, 12.5 As much as may be committed is; one marker interdicts;
    the Germans attack in December."""
    state = field("", supply={"allied": 7, "german": 2}, turn=6)
    assert rated(state, "allied", Commit(5)) > 0 >= rated(state, "allied", Commit(4))
    assert rated(state, "german", Commit(2)) > 0 >= rated(state, "german", Commit(1))
    assert rated(state, "allied", Interdict(1)) > 0 >= rated(state, "allied", Interdict(2))
    assert rated(state, "german", Offensive()) > 0
    assert rated(field("", turn=4), "german", Offensive()) <= 0


def rated(state: State, side: Side, order: Any) -> float:
    return worth(state, side, order, "commitment")


def test_10_1_2_replacements_and_arrivals() -> None:
    """10.1.2, 10.1.5 More points are better, for better units; arrivals go on towards the front."""
    state = field("1SS eliminated, LXXIV eliminated, 4AD/US due, LXXX 2113, VII/US 1611")
    two, one, infantry = (
        worth(state, "german", order, "administration")
        for order in (Replace("1SS", 2), Replace("1SS", 1), Replace("LXXIV", 1))
    )
    assert two > one > infantry > 0
    onward, there = Enter(("4AD/US",), "1409", ("1610",)), Enter(("4AD/US",), "1409")
    assert worth(state, "allied", onward, "arrival") > worth(state, "allied", there, "arrival") > 0


# --- whole games --------------------------------------------------------------------------------------------


def test_10_1_5_arrivals_do_not_count_each_other_where_they_come_in() -> None:
    """10.1.5 They are still to go on: a hex through which another unit goes is not held by it."""
    state = field("AOK7 2113, LXXX 2113, LXXXI due, LXXXII due, VII/US 1914")
    desk = arrivals.Arrivals(state, "german")
    here = Enter(("LXXXII",), GERMAN_CITIES["Frankfurt"])
    before = bot.judge(state, desk)(here)
    desk.carry_out(Enter(("LXXXI",), here.hex))
    assert bot.judge(state, desk)(here) == before


def test_every_offer_at_the_start_has_a_worth() -> None:
    """5.1, 5.2 Whatever the rules offer at the start of the first scenario can be rated."""
    state = setup("falaise", {"advantage": "no"})
    state.phase, state.reaction = "cycle", {"allied": 4, "german": 6}
    for seat in SIDES:
        for make in DESKS.values():
            desk = make(state, seat)
            rate = bot.judge(state, desk)
            for subject in desk.subjects():
                for order in desk.options(subject):
                    assert isinstance(rate(order), float | int)


def test_a_greedy_game_of_the_first_scenario() -> None:
    """13.1 Both sides fight, the game ends after its only turn, and plays again from its journal."""
    bots = {side: greedy_bot(bot.judge, random.Random(f"1 {side}")) for side in ("allied", "german")}
    attacks: list[str] = []

    def watch(state: State) -> list[str]:
        attacks.extend(note.side for note in state.log if isinstance(note, Attacked))
        return list(GAME.invariants(state))

    played = autoplay(GAME, "1", bots, scenario="falaise", check=watch)
    assert played.state.ended and played.result.level
    assert attacks.count("allied") >= 5
    replay_equal(GAME, played)
