"""Standing orders: what each line decides, what it leaves alone, and that all can be written."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from pbem.engine.language import Grammar, Policy, Roster, RosterUnit
from pbem.engine.play import Ask
from pbem.games.france44 import advance, losses, reaction, retreat, standing
from pbem.games.france44.advance import AdvanceWay
from pbem.games.france44.advantage import Reroll
from pbem.games.france44.combat import Lead, Leader
from pbem.games.france44.losses import Losses
from pbem.games.france44.notes import PhasePassed
from pbem.games.france44.orders import Attack
from pbem.games.france44.reaction import Opportunity
from pbem.games.france44.retreat import GoAlong, RetreatWay
from pbem.games.france44.series import Series
from pbem.games.france44.standing import (
    AdvanceAlways,
    AdvanceArm,
    AdvanceNever,
    AdvanceTowards,
    AdvanceWith,
    AdvantageNever,
    Deny,
    GiveGround,
    HeadquartersGo,
    HeadquartersStay,
    LeadPreferring,
    LeadSparing,
    LeadWith,
    LoseEvenly,
    LosePreferring,
    LoseSparing,
    NeverOutOf,
    ReactNever,
    ReactWith,
    RetreatTowards,
    StayThere,
    ThrowHigh,
    ThrowLow,
)
from pbem.games.france44.state import State
from pbem.games.france44.tables import GRID, UNITS
from tests.games.france44.kit import at, game
from tests.games.playing import Played, decision, play

GRAMMAR = Grammar(orders=(), policies=standing.POLICIES, words=standing.WORDS)
ROSTER = Roster({id: RosterUnit(id, "2-5") for id in UNITS}, frozenset(GRID.ids))


# --- reactions ----------------------------------------------------------------------------------------------


def chance(
    points: int = 4,
    chit: str = "allied",
    fallen: Sequence[str] = (),
    army: Sequence[str] = ("PzWest",),
    options: Sequence[str] = ("none", "deny", "react"),
) -> Opportunity:
    """The Germans may react after a chit."""
    return decision(Opportunity, *options, default="none", points=points, chit=chit, fallen=fallen, army=army)


CAEN = ("1409",)
ARMY = ReactWith(3, ("PzWest",))
IF_CAEN = ReactWith(3, ("PzWest",), "Caen")


@pytest.mark.parametrize(
    ("policy", "asked", "answer"),
    [
        (ARMY, chance(), "react"),
        (ARMY, chance(points=2, army=()), None),
        (ARMY, chance(army=("AOK7",)), None),
        (ReactWith(3, ("AOK7", "PzWest")), chance(), "react"),
        (ARMY, chance(options=("none", "deny")), None),
        (IF_CAEN, chance(fallen=CAEN), "react"),
        (IF_CAEN, chance(fallen=("1410",)), None),
        (IF_CAEN, chance(), None),
        (ReactWith(3, ("PzWest",), "1409"), chance(fallen=CAEN), "react"),
        (ReactWith(1, ("116Pz",)), chance(points=1, army=()), "react"),
        (ReactWith(2, ("116Pz", "9SS")), chance(points=1, army=()), None),
        (Deny(), chance(points=1), "deny"),
        (Deny(), chance(chit="german"), None),
        (Deny(), chance(chit="final"), None),
        (Deny(keep=3), chance(points=4), "deny"),
        (Deny(keep=3), chance(points=3), None),
        (Deny("Falaise"), chance(fallen=CAEN), None),
        (Deny("Falaise"), chance(fallen=("1409", "1410")), "deny"),
        (ReactNever(), chance(fallen=CAEN), "none"),
    ],
)
def test_5_2_reactions(policy: Policy, asked: Ask[str], answer: str | None) -> None:
    """5.1, 5.2 Points in hand, a headquarters that can act, a place that has fallen;
    a point is spent to deny after a chit of the enemy only."""
    assert policy.decide(asked, {}) == answer


# --- leads --------------------------------------------------------------------------------------------------


def leading() -> Lead:
    units = {
        "LXXXIV": Leader(3, 3, "infantry"),
        "2SS": Leader(5, 1, "armour"),
        "17SS": Leader(3, 2, "armour"),
    }
    return decision(Lead, *units, default="2SS", units=units)


@pytest.mark.parametrize(
    ("policy", "answer"),
    [
        (LeadPreferring(("best morale",)), "2SS"),
        (LeadPreferring(("most steps",)), "LXXXIV"),
        (LeadPreferring(("armour", "most steps")), "17SS"),
        (LeadPreferring(("infantry",)), "LXXXIV"),
        (LeadPreferring(("worst morale", "armour")), "17SS"),
        (LeadWith(("IIFJ", "17SS", "2SS")), "17SS"),
        (LeadWith(("IIFJ",)), None),
        (LeadSparing(("2SS",)), "LXXXIV"),
        (LeadSparing(("2SS",), ("armour",)), "17SS"),
        (LeadSparing(("2SS", "LXXXIV", "17SS")), "2SS"),
    ],
)
def test_9_3_leads(policy: Policy, answer: str | None) -> None:
    """9.3 Who leads, by morale, steps or arm, or by name."""
    assert policy.decide(leading(), {}) == answer


# --- losses -------------------------------------------------------------------------------------------------


def losing(steps: Mapping[str, int], hits: int, lead: str) -> Losses:
    """`hits` on units with these steps left, offered as the rules do it."""
    splits = losses.splits(list(steps.values()), hits)
    found = [{id: n for id, n in zip(steps, split, strict=True) if n} for split in splits]
    ways = {losses.name(way): way for way in found if way.get(lead, 0)}
    return decision(Losses, *ways, steps=steps, ways=ways)


STACK = {"LXXXIV": 3, "2SS": 3, "17SS": 1}
"""A corps and an armoured division at full strength, and the cadre of another one."""


@pytest.mark.parametrize(
    ("policy", "answer"),
    [
        (LosePreferring(("infantry first",)), "lose LXXXIV, LXXXIV"),
        (LosePreferring(("armour first", "full first")), "lose LXXXIV, 2SS"),
        (LosePreferring(("armour first", "weakest first")), "lose LXXXIV, 17SS"),
        (LosePreferring(("reduced first",)), "lose LXXXIV, LXXXIV"),
        (LosePreferring(("strongest first",)), "lose LXXXIV, 2SS"),
        (LosePreferring(("worst morale first",)), "lose LXXXIV, LXXXIV"),
        (LoseSparing(("LXXXIV", "2SS")), "lose LXXXIV, 17SS"),
        (LoseSparing(("2SS",), ("armour first",)), "lose LXXXIV, 17SS"),
        (LoseEvenly(), "lose LXXXIV, 2SS"),
    ],
)
def test_9_6_losses(policy: Policy, answer: str) -> None:
    """9.6 The lead unit has lost the first step in every way that is offered;
    the line says who loses the second."""
    assert policy.decide(losing(STACK, 2, "LXXXIV"), {}) == answer


def test_9_6_evenly_keeps_units_alive() -> None:
    """3.2, 9.6 Nobody is eliminated while others have steps to lose, even if one must lose two."""
    assert LoseEvenly().decide(losing({"LXXXIV": 3, "17SS": 1}, 2, "LXXXIV"), {}) == "lose LXXXIV, LXXXIV"
    chosen = LoseEvenly(("armour first",)).decide(losing({"LXXXIV": 3, "2SS": 3}, 3, "LXXXIV"), {})
    assert chosen == "lose LXXXIV, 2SS, 2SS"


# --- retreats -----------------------------------------------------------------------------------------------

WAYS = ("1310 1311", "1310 1411", "1209 1208")


def going(hex: str = "1410", must: bool = False, steps: int = 4, hits: int = 2) -> RetreatWay:
    options = WAYS if must else ("stay", *WAYS)
    return decision(
        RetreatWay,
        *options,
        default="1310 1311" if must else "stay",
        hex=hex,
        must=must,
        best="1310 1311",
        hits=hits,
        steps=steps,
    )


@pytest.mark.parametrize(
    ("policy", "asked", "answer"),
    [
        (StayThere(), going(), "stay"),
        (StayThere(), going(must=True), None),
        (StayThere(("fortress",)), going("3211"), "stay"),
        (StayThere(("city", "fortress")), going("0308"), "stay"),
        (StayThere(("fortress",)), going("1414"), None),
        (StayThere(hexes=("1410",)), going(), "stay"),
        (StayThere(hexes=("1411",)), going(), None),
        (GiveGround(), going(), "1310 1311"),
        (GiveGround(hex="1511"), going(), "1310 1411"),
        (GiveGround(hex="1207"), going(must=True), "1209 1208"),
        (GiveGround(hexes=("1411",)), going(), None),
        (GiveGround(steps=3), going(steps=4), None),
        (GiveGround(steps=4), going(steps=4), "1310 1311"),
        (GiveGround(("fortress",)), going("1414"), None),
        (GiveGround(), going(hits=0), "stay"),
        (GiveGround(), going(hits=0, must=True), "1310 1311"),
        (RetreatTowards("1511"), going(must=True), "1310 1411"),
        (RetreatTowards("1511"), going(), None),
    ],
)
def test_9_7_retreats(policy: Policy, asked: Ask[str], answer: str | None) -> None:
    """9.7 Who need not go stays, or gives ground to spare a hit; who must goes where his line sends him."""
    assert policy.decide(asked, {}) == answer


@pytest.mark.parametrize(
    ("policy", "answer"),
    [
        (HeadquartersGo(), "goes along"),
        (HeadquartersGo(("AOK7",)), "goes along"),
        (HeadquartersGo(("PzWest",)), None),
        (HeadquartersStay(), "stays"),
        (HeadquartersStay(("PzWest",)), None),
    ],
)
def test_4_10_headquarters(policy: Policy, answer: str | None) -> None:
    """4.10 A headquarters goes along with the stack that retreats, or stays."""
    asked = decision(GoAlong, retreat.GOES, retreat.STAYS, hq="AOK7")
    assert policy.decide(asked, {}) == answer


# --- advances -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("policy", "answer"),
    [
        (AdvanceAlways(), "1209"),
        (AdvanceTowards("1211"), "1209 1210"),
        (AdvanceTowards("1209"), "1209"),
        (AdvanceTowards("1207"), "none"),
        (AdvanceWith(("2AD/US",)), None),
        (AdvanceWith(("VII/US",)), "none"),
        (AdvanceArm("armour"), None),
        (AdvanceArm("infantry"), "none"),
        (NeverOutOf(("1208",)), "none"),
        (NeverOutOf(("1309",)), None),
        (AdvanceNever(), "none"),
    ],
)
def test_9_8_advances(policy: Policy, answer: str | None) -> None:
    """9.8 One unit after another may go into the vacated hex, and on."""
    facts = {"unit": "2AD/US", "arm": "armour", "start": "1208", "first": "1209"}
    asked = decision(AdvanceWay, "none", "1209", "1209 1210", "1209 1310", default="1209", **facts)
    assert policy.decide(asked, {}) == answer


# --- the Advantage ------------------------------------------------------------------------------------------

FACES = {"attack morale": 6, "attack hits": 3, "defence morale": 2, "defence hits": 6}


@pytest.mark.parametrize(
    ("policy", "answer"),
    [
        (ThrowHigh("attack morale", 5), "attack morale"),
        (ThrowHigh("attack hits", 4), None),
        (ThrowLow("defence morale", 2), "defence morale"),
        (ThrowLow("defence hits", 5), None),
        (ThrowHigh("attack morale", 5, ("1410",)), "attack morale"),
        (ThrowHigh("attack morale", 5, ("1411",)), None),
        (ThrowHigh("air support", 5), None),
        (ThrowHigh("attack morale", 5, role="defend"), None),
        (ThrowLow("defence morale", 2, role="attack"), "defence morale"),
        (AdvantageNever(), "no"),
    ],
)
def test_12_10_the_advantage(policy: Policy, answer: str | None) -> None:
    """12.10 A die is thrown again for what it shows, and where."""
    asked = decision(Reroll, "no", *FACES, what="combat at 1410", faces=FACES, attacker="german")
    assert policy.decide(asked, {}) == answer


def test_12_10_the_die_for_air_support() -> None:
    """12.10 The die for air support is called after what it is for."""
    asked = decision(Reroll, "no", "air support", faces={"air support": 6}, attacker="")
    assert ThrowHigh("air support", 5).decide(asked, {}) == "air support"


# --- the decisions of the rules themselves ------------------------------------------------------------------


def answering(*policies: Policy) -> Any:
    def choose(ask: Ask[Any]) -> Any:
        lines = [policy for policy in policies if policy.kind == ask.kind]
        return next((answer for line in lines if (answer := line.decide(ask, {})) is not None), None)

    return choose


def fought(*policies: Policy, dice: Sequence[int]) -> Played[State]:
    """V Corps and 2nd Armoured attack two German units at Saint-Lo; these lines decide for both sides."""
    state = game("V/US 1208, 2AD/US 1208, US1 1207, LXXXIV 1209, 2SS 1209, AOK7 1209")

    async def attack(state: State) -> None:
        series = Series(state, "allied", [state.units["V/US"], state.units["2AD/US"]])
        await series.carry_out(Attack(("1209",), ("V/US", "2AD/US"), 4, lead="V/US"))

    return play(attack, state, dice=dice, choose=answering(*policies))


def test_9_7_lines_answer_the_decisions_of_a_combat() -> None:
    """9.3, 9.6 to 9.8 The names in the decisions of the rules are those that the lines use."""
    lines = (
        LeadWith(("LXXXIV",)),
        LosePreferring(("infantry first",)),
        RetreatTowards("1412"),
        HeadquartersGo(),
        AdvanceArm("armour"),
        AdvanceTowards("1210"),
    )
    played = fought(*lines, dice=[1, 1, 6, 1])
    kinds = {"lead", "retreat", "losses", "headquarters", "advance"}
    assert kinds <= {request.kind for request in played.requests if isinstance(request, Ask)}
    state = played.state
    assert state.units["2SS"].lost == 0 and at(state, "2SS") not in (None, "1209")
    assert at(state, "AOK7") == at(state, "2SS")
    assert at(state, "V/US") == "1208" and at(state, "2AD/US") in ("1209", "1210")


def test_9_7_a_line_holds_the_ground() -> None:
    """9.7 Who need not retreat stays by one line, and goes by another; both are ways that the rules offer."""
    dice = [1, 1, 1, 1]
    assert at(fought(StayThere(), dice=dice).state, "2SS") == "1209"
    assert at(fought(GiveGround(hex="1412"), dice=dice).state, "2SS") != "1209"


def test_5_2_a_line_answers_the_decision_to_react() -> None:
    """5.1, 5.2 A point is spent to deny by a standing line; without one nothing is spent."""

    async def opportunity(state: State) -> None:
        await reaction.opportunity(state, "german", fallen=["1410"], chit="allied")

    for lines, left, what in (((Deny("Falaise"),), 2, "denied"), ((), 3, "reaction")):
        state = game("2SS 1209, AOK7 1311, V/US 1208", scenario="falaise", turn=1)
        played = play(opportunity, state, choose=answering(*lines))
        assert played.state.reaction["german"] == left
        assert [note.what for note in played.of(PhasePassed)] == [what]


def test_the_words_of_the_lines_are_those_of_the_rules() -> None:
    """5.2, 9.7, 9.8 What a line answers is what the rules offer."""
    assert (reaction.NONE, reaction.DENY, reaction.REACT) == ("none", "deny", "react")
    assert (retreat.STAY, advance.NONE) == ("stay", "none")
    assert standing.PLACES["Caen"] == standing.PLACES["1409"] == "1409"


# --- writing ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "policy"),
    [
        ("standing reaction: react with 3 points PzWest", ARMY),
        ("standing reaction: react with 3 points: PzWest if Caen falls", IF_CAEN),
        (
            "standing reaction: react with 1 point: 116Pz if Le Havre falls",
            ReactWith(1, ("116Pz",), "Le Havre"),
        ),
        ("standing reaction: spend one point to deny", Deny()),
        ("standing reaction: spend a point to deny if 1410 falls", Deny("1410")),
        ("standing lead: never 1SS", LeadSparing(("1SS",))),
        ("standing losses: evenly", LoseEvenly()),
        ("standing losses: never 1SS", LoseSparing(("1SS",))),
        ("standing retreat: stay", StayThere()),
        ("standing retreat: stay at 1410, 1411", StayThere(hexes=("1410", "1411"))),
        ("standing retreat: give ground to 2113", GiveGround(hex="2113")),
        ("standing retreat: give ground with 1 step or fewer", GiveGround(steps=1)),
        ("standing headquarters: AOK7, PzWest go along", HeadquartersGo(("AOK7", "PzWest"))),
        ("standing headquarters: stay", HeadquartersStay()),
        ("standing advantage: throw attack hits again on 6 or more", ThrowHigh("attack hits", 6)),
    ],
)
def test_other_ways_to_write(text: str, policy: Policy) -> None:
    """Lines may be written shorter and longer; those of the design read as they stand there."""
    (line,) = GRAMMAR.read([(1, text)], ROSTER).standing
    assert line.policy == policy
