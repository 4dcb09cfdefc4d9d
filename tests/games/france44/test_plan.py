"""The planner's page of France 1944."""

from __future__ import annotations

import hashlib
import random
from dataclasses import replace
from functools import cache

import pytest
from sizes import size

from pbem.engine.autoplay import autoplay, replay_equal
from pbem.engine.bots import Bot
from pbem.engine.planner import bot_for, choose
from pbem.games.france44 import GAME, bot, crossing, tables, victory
from pbem.games.france44.bot import Picture
from pbem.games.france44.orders import Attack
from pbem.games.france44.plan import (
    FOLLOWED,
    PLAN,
    STANCES,
    across_the_rhine,
    aims,
    at_home,
    garrisons,
    inland,
    mend,
    sample,
    score,
    to_the_rhine,
    weigh,
)
from pbem.games.france44.reaction import Reaction
from pbem.games.france44.replacement import Replacements
from pbem.games.france44.series import Series
from pbem.games.france44.state import State
from tests.shortened import shortened

SIDES = ("allied", "german")


@cache
def played(name: str, seed: str = "plan", scenario: str = "falaise", phases: int = 10**6) -> list[State]:
    """The states at the start of each phase of a game, or of the first ones, and the last state."""
    bots: dict[str, Bot] = {seat: bot_for(name, GAME, seat, random.Random(seat)) for seat in SIDES}
    game = autoplay(shortened(GAME, phases), seed, bots, scenario)
    if len(game.phases) < phases:
        replay_equal(GAME, game)
    return [*(GAME.load(phase.snapshot) for phase in game.phases), game.state]


@pytest.mark.parametrize("side", SIDES)
def test_what_cannot_be_seen_is_drawn_anew(side: str) -> None:
    """2.0.8 What the enemy has committed; the seat sees the same."""
    drawn = set()
    for state in played("greedy", scenario="westwall", phases=12)[:12]:
        for number in range(4):
            other = GAME.load(GAME.dump(state))
            sample(other, side, random.Random(number))
            assert GAME.view(other, side) == GAME.view(state, side)
            drawn.add(other.committed.get("german" if side == "allied" else "allied"))
    assert len(drawn) > 1


def test_the_score_is_that_of_the_scenario() -> None:
    """13.1 Points in the short scenarios, as each side sees them; 2.0.12 levels in the others."""
    for state in played("planner")[-3:]:
        assert score(state, "allied") == victory.points(state) == -score(state, "german")
    start = GAME.start("crusade")
    assert score(start, "german") == -score(start, "allied") == 2


def test_games_of_planners_play_again_and_differ_from_greedy_ones() -> None:
    assert played("planner")[-1] != played("greedy")[-1]


def test_a_headquarters_alone_is_hunted() -> None:
    """4.10 A hex beside it is worth more to Allies who hunt."""
    state = GAME.start("falaise")
    alone = next(unit for unit in state.on_map("german") if unit.hq and len(state.at(unit.placed)) == 1)
    unit = next(unit for unit in state.on_map("allied") if not unit.hq)
    plain = bot.Picture(state, "allied", stance=STANCES["allied"]["press on"])
    hunting = bot.Picture(state, "allied", stance=STANCES["allied"]["hunt"])
    beside = bot.GRID.neighbours(alone.placed)[0]
    assert hunting.standing(unit, beside) == plain.standing(unit, beside) + 2
    assert hunting.standing(unit, alone.placed) == plain.standing(unit, alone.placed)


def test_an_attack_counts_the_units_that_it_eliminates() -> None:
    """13.1 A cadre is worth more as a target, and costs more as an attacker, than one step of many."""

    def more(hurt: str) -> float:
        state = GAME.start("falaise")
        units = [unit for unit in state.at("1510") if not unit.hq]
        for unit in [*units, *state.at("1609")]:
            unit.lost = 2 if unit.side == hurt else 0
        plain, keen = (
            bot.Picture(state, "allied", stance=replace(bot.GREEDY["allied"], kill=kill)) for kill in (0, 2)
        )
        fights = (seen.fight(("1609",), units, "", "set_piece") for seen in (keen, plain))
        return next(fights) - next(fights)

    assert more("german") > more("") > more("allied")


def test_a_weak_stack_keeps_away_from_the_enemy() -> None:
    """9.6 A cadre beside him is in more danger than a full unit, and neither is out of his reach."""
    state = GAME.start("falaise")
    unit = state.units["I/BR"]
    seen = [bot.Picture(state, "allied", stance=replace(bot.GREEDY["allied"], risk=risk)) for risk in (0, 2)]

    def peril(hex: str) -> float:
        for picture in seen:
            picture._stand.clear()
        return seen[0].standing(unit, hex) - seen[1].standing(unit, hex)

    full = peril("1510")
    unit.lost = 2
    assert peril("1510") > full > 0
    assert peril("1508") == 0


def test_points_mend_first_who_is_beside_the_enemy() -> None:
    """10.1.2, 13.1 Units on the map before those that come back; only where eliminated ones stay counted."""
    state = GAME.start("falaise")
    back, front, dead = state.units["XIX/US"], state.units["V/US"], state.units["VII/US"]
    back.lost, front.lost, dead.place, dead.hex = 2, 1, "eliminated", None
    stance = STANCES["allied"]["hunt"]
    desk = Replacements(state, "allied")
    assert [order.unit for order in mend(state, desk, stance)] == [front.id, back.id]
    assert not list(mend(GAME.start("westwall"), desk, stance))


def test_steps_are_cheap_in_the_last_reactions() -> None:
    """2.0.11, 13.1 Nothing follows in which they could be missed."""
    state = GAME.start("falaise")
    order = Attack(("1609",), ("I/BR", "7AD/BR"), 1)
    series = Series(state, "allied", [state.units[id] for id in order.units])
    desk = Reaction(state, "allied")
    desk.series = series
    worths = []
    for phase in ("cycle", "allied_final"):
        state.phase = phase
        series.track.enter(1, "attack")
        worths.append(weigh(state, desk, STANCES["allied"]["hunt"])(order))
    assert worths[1] > worths[0] > 0


def test_the_longer_scenarios_are_played_as_before() -> None:
    """13.1, 13.2 What is known of the two short scenarios holds in them alone."""
    state = GAME.start("falaise")
    order = Attack(("1609",), ("I/BR", "7AD/BR"), 1)
    desk = Reaction(state, "allied")
    desk.series = Series(state, "allied", [state.units[id] for id in order.units])
    desk.series.track.enter(1, "attack")
    stance = STANCES["allied"]["hunt"]
    assert weigh(state, desk, stance)(order) != bot.judge(state, desk, stance)(order)
    state.scenario = "rhine"
    elsewhere = replace(stance, goals=across_the_rhine)
    assert weigh(state, desk, stance)(order) == bot.judge(state, desk, elsewhere)(order)


def test_the_allies_go_on_to_the_bridgeheads() -> None:
    """13.2 The north beyond the Neder Rijn once Antwerp is taken, the south over the Rhine after Metz."""
    state = GAME.start("westwall")
    assert set(aims(state, "north")) == {tables.ANTWERP, tables.BRUSSELS}
    assert set(aims(state, "south")) == {tables.PARIS, tables.METZ}
    state.control |= dict.fromkeys((tables.ANTWERP, tables.PARIS, tables.METZ), "allied")
    assert {"3104", tables.PORTS["Rotterdam"]} < set(aims(state, "north"))
    assert set(aims(state, "south")) == set(crossing.EAST_BANK)


def test_the_germans_hold_one_hex_of_the_estuary() -> None:
    """11.4 A single unit keeps Antwerp shut."""
    state = GAME.start("westwall")
    assert set(tables.SCHELDT) < set(garrisons(state, "north"))
    state.units["LXXXIX"].hex = "2705"
    assert set(tables.SCHELDT) & set(garrisons(state, "north")) == {"2705"}


def test_only_bridgeheads_count_in_to_the_rhine() -> None:
    """13.2 The Allies pass the V-1 sites and Brittany by, and go for the far banks that they do not hold; the
    greedy bot goes for the sites too."""
    state = GAME.start("rhine")
    banks = set(crossing.EAST_BANK)
    assert set(across_the_rhine(state, "north")) == {tables.ANTWERP, tables.BRUSSELS} | banks
    assert set(across_the_rhine(state, "brittany")) == {tables.PARIS, tables.METZ} | banks
    next(unit for unit in state.on_map("allied") if not unit.hq).hex = crossing.EAST_BANK[0]
    assert crossing.EAST_BANK[0] not in set(across_the_rhine(state, "south"))
    planned = Picture(state, "allied", stance=FOLLOWED["rhine"](bot.GREEDY["allied"], "allied"))
    sites = set(tables.V1_SITES.values())
    assert not sites & set(planned.aims("north")) and sites <= set(Picture(state, "allied").aims("north"))


def test_the_campaign_is_decided_in_germany() -> None:
    """13.2 The Allies pass the V-1 sites and Brittany by, and stop looking for bridgeheads once they have
    enough; the Germans hold what surrender needs, as long as it needs it."""
    state = GAME.start("crusade")
    cities, banks = set(tables.GERMAN_CITIES.values()), set(crossing.EAST_BANK)
    assert set(inland(state, "north")) == {tables.ANTWERP, tables.BRUSSELS} | cities | banks
    assert set(inland(state, "brittany")) == {tables.PARIS, tables.METZ} | cities | banks
    assert set(at_home(state, "south")) == cities | banks
    for unit, hex in zip(state.on_map("allied"), crossing.EAST_BANK[:3], strict=False):
        unit.hex = hex
        state.bridgeheads.append(hex)
    state.control |= dict.fromkeys((tables.PARIS, tables.METZ), "allied")
    assert set(at_home(state, "north")) == cities
    assert set(inland(state, "south")) == cities | banks - set(crossing.EAST_BANK[:3])


@pytest.mark.parametrize("side", SIDES)
def test_both_sides_rather_fight_in_the_campaign(side: str) -> None:
    """13.2 Steps of their own cost them less than in the scenario of the same map that ends at the Rhine."""
    worths = []
    for scenario in ("rhine", "crusade"):
        state = GAME.start("falaise")
        state.scenario, state.control["1609"] = scenario, "allied"  # neither goes for Le Havre
        order = Attack(("1609",), ("I/BR", "7AD/BR"), 1)
        if side == "german":
            order = Attack(("1510",), tuple(unit.id for unit in state.at("1609") if not unit.hq), 1)
        desk = Reaction(state, side)
        desk.series = Series(state, side, [state.units[id] for id in order.units])
        desk.series.track.enter(1, "attack")
        worths.append(weigh(state, desk, bot.GREEDY[side])(order))
    assert worths[1] > worths[0]


def test_reaction_points_are_kept_for_headquarters() -> None:
    """4.8, 5.2 Nothing else moves them; in the last reaction an army may have what is left."""
    state = GAME.start("westwall")
    state.phase, state.reaction["allied"] = "cycle", 4
    eager = replace(bot.GREEDY["allied"], army=0.0, behind=99.0)
    keep = to_the_rhine(eager, "allied").keep
    plain, keeping = (bot.Picture(state, "allied", stance=replace(eager, keep=each)) for each in (0, keep))
    assert plain.army_reacts and not keeping.army_reacts
    state.phase = "allied_final"
    assert bot.Picture(state, "allied", stance=replace(eager, keep=keep)).army_reacts


def test_it_thinks_before_each_chit_and_always_alike() -> None:
    assert PLAN.afresh == ("cycle",)
    state = next(state for state in played("greedy") if state.phase == "cycle")
    thoughts = {
        choose(GAME, GAME.dump(state), "german", "hold the line", size(12, 60), "key", horizon=1)
        for _ in range(2)
    }
    assert len(thoughts) == 1


def test_the_greedy_bot_weighs_as_ever() -> None:
    """Its stances are the figures that it has always had."""
    state = played("greedy")[-1]
    assert hashlib.sha256(GAME.dump(state)).hexdigest()[:12] == "82eb39932642"
