"""What the bot wants: attacks at good odds, towns, lines, supply; and whole games that it plays soundly."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from pbem.engine.autoplay import autoplay
from pbem.engine.bots import greedy_bot, random_bot, seated
from pbem.engine.play import Ask, advance
from pbem.games.normandy44 import GAME, bot, control, reach
from pbem.games.normandy44.activation import Activation
from pbem.games.normandy44.administration import EndOfTurn
from pbem.games.normandy44.advance import Advance
from pbem.games.normandy44.allocation import Allocation
from pbem.games.normandy44.desk import SideDesk
from pbem.games.normandy44.invariants import invariants
from pbem.games.normandy44.landing import FirstWave
from pbem.games.normandy44.losses import Losses, Way
from pbem.games.normandy44.notes import Attacked
from pbem.games.normandy44.orders import (
    Attack,
    Cover,
    Delay,
    Exit,
    Guns,
    Interdict,
    Land,
    Move,
    Rebuild,
    Replace,
    Return,
    Supply,
    Support,
    UseDefault,
)
from pbem.games.normandy44.setup import setup
from pbem.games.normandy44.state import Side, State
from pbem.games.normandy44.support import Help
from pbem.games.normandy44.tables import ALENCON, AVRANCHES, CAEN, CHERBOURG, LISIEUX
from tests.games.normandy44.kit import OPTIONS, game
from tests.games.playing import decision


def field(text: str, **more: Any) -> State:
    state = game(text, **more)
    state.phase = more.get("phase", "b_first")
    control.begin(state)
    return state


def worth(state: State, side: Side, order: Any, desk: type[SideDesk] | None = None) -> float:
    """What an order is worth in phase B, or at another desk."""
    return bot.judge(state, desk(state, side) if desk else Activation(state, side, "B"))(order)


def best(state: State, side: Side, orders: Sequence[Any], desk: type[SideDesk]) -> Any:
    return max(orders, key=bot.judge(state, desk(state, side)))


# --- fighting -------------------------------------------------------------------------------------------


def test_it_attacks_at_good_odds_only() -> None:
    state = field("4US 0618, 90US 0618, StB7 0619, 4SSB 0810, 3FJ 0910")
    assert worth(state, "allied", Attack("0619", ("4US", "90US"))) > 0
    assert worth(state, "allied", Attack("0910", ("4SSB",))) < 0
    assert worth(state, "german", Attack("0810", ("3FJ",))) > 0


def test_it_attacks_with_all_that_it_has() -> None:
    state = field("4US 0618, 90US 0618, 709ID 0619, VII/US 0617, 4SSB 0810")
    alone, together = Attack("0619", ("4US",)), Attack("0619", ("4US", "90US"))
    helped = Attack("0619", ("4US", "90US"), support=("VII/US",))
    assert worth(state, "allied", helped) > worth(state, "allied", together) > worth(state, "allied", alone)


def test_a_headquarters_alone_is_always_worth_an_attack() -> None:
    assert worth(field("4US 0618, LXXXIV 0619"), "allied", Attack("0619", ("4US",))) > 0


def test_help_that_the_enemy_still_has_is_reckoned_with() -> None:
    attack = Attack("0619", ("4US", "90US"))
    alone = field("4US 0618, 90US 0618, 709ID 0619")
    helped = field("4US 0618, 90US 0618, 709ID 0619, IIFJ 0621")
    used = field("4US 0618, 90US 0618, 709ID 0619, IIFJ 0621 used")
    assert worth(helped, "allied", attack) < worth(alone, "allied", attack)
    assert worth(used, "allied", attack) == worth(alone, "allied", attack)


def test_a_town_of_victory_is_worth_more_the_later_it_is() -> None:
    early, late = (field("4US 0322, 9US 0322, 709ID 0222", turn=turn) for turn in (1, 10))
    attack = Attack("0222", ("4US", "9US"))
    assert worth(late, "allied", attack) > worth(early, "allied", attack)


def chosen(state: State, question: Ask[str]) -> str:
    return max(question.options, key=bot.judge(state, question))


WAYS = {way.name: way for way in (Way((("709ID", 1),)), Way((), 1))}


def owed(hex: str, cost: int) -> Losses:
    """A point that 709ID owes in this hex, where a retreat costs `cost` steps."""
    return decision(
        Losses,
        *WAYS,
        kind="losses",
        hex=hex,
        attack=False,
        steps={"709ID": 1},
        ways=WAYS,
        retreat_cost={1: cost},
    )


def test_a_division_on_its_last_step_gives_ground() -> None:
    weak = field("709ID 0619 lost=1, 4US 0618")
    assert chosen(weak, owed("0619", 0)) == "retreat 1"
    assert chosen(weak, owed("0619", 2)) == "lose 709ID"


def test_towns_of_victory_are_held_at_the_price_of_steps() -> None:
    state = field("709ID 0222, 4US 0322")
    assert chosen(state, owed("0222", 0)) == "lose 709ID"


def helping(after: Mapping[str, str], kind: str = "support", **facts: Any) -> Help:
    """Help against an attack at the first of these columns."""
    return decision(Help, *after, kind=kind, column=next(iter(after.values())), after=after, **facts)


def test_headquarters_help_where_it_changes_something() -> None:
    state = field("709ID 0619, 4US 0618")
    useful = helping({"none": "3:1", "LXXXIV": "3:2"})
    useless = helping({"none": "3:1", "LXXXIV": "3:1"})
    assert chosen(state, useful) == "LXXXIV"
    assert chosen(state, useless) == "none"


def test_gunfire_is_weighed_by_its_chance() -> None:
    state = field("709ID 0619, 4US 0618")
    after = {"0": "4:1", "2": "2:1"}
    likely = helping(after, "guns", seat="allied", chance={"0": 0.0, "2": 0.9})
    hopeless = helping(after, "guns", seat="allied", chance={"0": 0.0, "2": 0.0})
    assert chosen(state, likely) == "2"
    assert chosen(state, hopeless) == "0"


def test_germans_do_not_leave_cherbourg_to_follow_up() -> None:
    state = field("709ID 0222, 4US 0422")
    question = decision(Advance, "709ID", "none", hex="0322", origins={"709ID": "0222"})
    assert chosen(state, question) == "none"


# --- moving ---------------------------------------------------------------------------------------------


def test_the_garrison_of_cherbourg_stays() -> None:
    state = field("709ID 0222, StB7 0221, 4US 0420, 9US 0420")
    for hex in ("0323", "0123"):
        assert worth(state, "german", Move(("709ID",), (hex,))) < 0


def test_germans_spread_out_before_the_allies() -> None:
    state = field("352ID 1214, 3FJ 1214, 2US 1014, 1US 1013, 29US 1015")
    assert worth(state, "german", Move(("3FJ",), ("1215",))) > worth(
        state, "german", Move(("3FJ",), ("1414",))
    )


def test_americans_from_utah_go_for_cherbourg_and_others_for_avranches() -> None:
    state = field("4US 0617, 9US 0617, 29US 0617, 2US 0714, 5US 0420, 8US 1119")
    near_cherbourg, near_avranches = Move(("4US",), ("0420",)), Move(("4US",), ("1119",))
    assert worth(state, "allied", near_cherbourg) > worth(state, "allied", near_avranches)
    south, north = Move(("29US",), ("1119",)), Move(("29US",), ("0420",))
    assert worth(state, "allied", south) > worth(state, "allied", north)


def test_no_group_is_taken_for_an_edge_of_the_map() -> None:
    """What is meant for Avranches goes there, not off the map by the south edge."""
    state = field("29US 1218, 4US 0617, 3BR 0909, 5FJ 1119")
    seen = bot.Picture(state, "allied")
    units = [state.units[id] for id in ("29US", "4US", "3BR")]
    assert [seen.mover(unit).goals for unit in units] == [(AVRANCHES,), CHERBOURG, CAEN]
    assert not bot.AIMS.keys() & reach.EDGES.keys()


def test_somebody_stays_where_a_mulberry_is_to_be() -> None:
    state = field("1US 0713, 29US 0714, 2US 0814, 352ID 1013")
    state.ports = setup("campaign", OPTIONS).ports
    assert worth(state, "allied", Move(("1US",), ("0813",))) < 0


def test_headquarters_keep_with_their_troops() -> None:
    state = field("VII/US 0617, 4US 0618, 90US 0618, 9US 0518, 709ID 0519, 2US 0714")
    with_troops, to_the_enemy = Move(("VII/US",), ("0618",)), Move(("VII/US",), ("0520",))
    assert worth(state, "allied", with_troops) > worth(state, "allied", to_the_enemy)
    assert worth(state, "allied", to_the_enemy) < 0


def test_nobody_leaves_a_headquarters_alone_before_the_enemy() -> None:
    with_hq = field("4US 0618, VII/US 0618, 709ID 0519, 90US 0617")
    without = field("4US 0618, VII/US 0617, 709ID 0519, 90US 0617")
    away = Move(("4US",), ("0518",))
    assert worth(with_hq, "allied", away) < worth(without, "allied", away)


def test_a_beach_that_the_enemy_could_reach_is_not_left() -> None:
    state = field("4SSB 0808, 716ID 1009, 50BR 0909")
    assert worth(state, "allied", Move(("4SSB",), ("0908",))) < 0


def test_a_weak_garrison_is_worth_a_second_unit_and_a_strong_one_is_not() -> None:
    weak, strong = (
        field(f"{garrison} 0222, FJR6 0322, 4US 0420, 9US 0420") for garrison in ("StB7", "352ID")
    )
    join = Move(("FJR6",), ("0222",))
    assert worth(weak, "german", join) > worth(strong, "german", join)


def test_on_the_last_turn_supply_counts_no_more() -> None:
    text = "4US 0617, 9US 0618, 709ID 0320, 352ID 0219, 91ID 0422"
    early, late = (field(text, turn=turn) for turn in (11, 12))
    behind_the_enemy = Move(("4US",), ("0119",))
    assert worth(late, "allied", behind_the_enemy) > worth(early, "allied", behind_the_enemy) + 5


def test_whatever_fits_lands() -> None:
    state = field("4US 0617, 90US reserve phase=A")
    assert worth(state, "allied", Land(("90US",), "0617")) > 20


def test_divisions_leave_the_map_when_the_towns_are_taken_and_not_before() -> None:
    state = field("A/4AD 2227, B/4AD 2227, R/4AD 2227", turn=10)
    leaving = Exit(("A/4AD",), "2227")
    assert worth(state, "allied", leaving) == 0
    state.control.update(dict.fromkeys((AVRANCHES, ALENCON, LISIEUX), "allied"))
    assert worth(state, "allied", leaving) > 0
    state.units["R/4AD"].place, state.units["R/4AD"].hex = "dead", None
    assert worth(state, "allied", leaving) == 0


# --- the rest of the turn -------------------------------------------------------------------------------


def test_markers_go_to_the_headquarters_with_most_troops_at_the_front() -> None:
    state = field("VII/US 0617, 4US 0618, 90US 0618, 709ID 0519, V/US 0713, 1US 0713, 352ID 1014")
    orders = (Support(("V/US",)), Support(("VII/US",)))
    assert best(state, "allied", orders, Allocation) == Support(("VII/US",))


def test_everything_in_the_air_is_of_some_use() -> None:
    state = field("VII/US 0617, 4US 0618, 709ID 0519, ISS track box=Paris")
    for order in (Cover("VII/US", 1), Interdict("I"), Delay("Paris", 1)):
        assert worth(state, "allied", order, Allocation) > 0
    assert worth(state, "allied", Delay("Le Mans", 1), Allocation) == 0


def test_losses_are_made_good() -> None:
    state = field("4US 0617 lost=1, 1SSB dead, VII/US dead")
    for order in (Replace(("4US",)), Rebuild(("1SSB",)), Return("VII/US", "0617")):
        assert worth(state, "allied", order, EndOfTurn) > 0


def test_supply_by_air_goes_to_who_stands_before_a_town() -> None:
    state = field("4US 0322 unsupplied, 9US 0420 unsupplied, 709ID 0222")
    assert best(state, "allied", (Supply(("9US",)), Supply(("4US",))), EndOfTurn) == Supply(("4US",))


def test_d_day_is_left_to_the_default() -> None:
    state = setup("campaign", OPTIONS)
    rate = bot.judge(state, FirstWave(state))
    assert rate(UseDefault()) > 0 == rate(Guns(2, "0714"))


def test_every_request_is_looked_at_anew() -> None:
    """What has changed since the last one counts, whether or not it was logged."""
    state = field("4US 0618, 709ID 0519")
    attack = Attack("0519", ("4US",))
    before = worth(state, "allied", attack)
    state.units["709ID"].lost = 1
    assert worth(state, "allied", attack) > before


# --- whole games ----------------------------------------------------------------------------------------


def greedy(seed: int) -> Any:
    return greedy_bot(GAME.judge, random.Random(seed))


@pytest.mark.parametrize("seed", range(4))
def test_greedy_games_of_the_first_scenario_are_sound(seed: int) -> None:
    played = autoplay(
        GAME, f"greedy {seed}", {"allied": greedy(seed), "german": greedy(seed + 1)}, "cherbourg"
    )
    assert played.state.ended


@pytest.mark.parametrize("seed", range(2))
def test_a_greedy_side_beats_a_random_one(seed: int) -> None:
    bots = {"allied": random_bot(random.Random(seed)), "german": greedy(seed)}
    assert autoplay(GAME, f"g {seed}", bots, "cherbourg").result.winner == "german"


def test_the_allies_come_ashore_and_fight(seed: int = 5) -> None:
    """D-Day and turn 1 of the campaign, played by the greedy bots."""
    state = GAME.start("campaign", {})
    bots = {seat: greedy(seed) for seat in ("allied", "german")}
    dice = random.Random(seed)
    fights = 0
    while state.turn < 2:
        phase = GAME.phase(state.phase)
        progress = advance(
            phase.play(state),
            state,
            answers=seated(bots, state),
            dice=lambda chance, label: chance.faces(dice.randrange),
        )
        assert progress.waiting is None and list(invariants(state)) == []
        fights += sum(isinstance(note, Attacked) for note in state.log)
        GAME.next_phase(state)
    assert fights >= 7
    assert sum(unit.place == "map" for unit in state.units.values() if unit.side == "allied") >= 14
    assert control.holds(state, "german", CHERBOURG)
