"""Standing orders: what each line decides, what it leaves alone, and that all can be written."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from pbem.engine.language import Grammar, Policy, Roster, RosterUnit
from pbem.engine.play import Ask
from pbem.games.normandy44 import combat, standing
from pbem.games.normandy44.advance import Advance
from pbem.games.normandy44.losses import Losses, Way, losers
from pbem.games.normandy44.notes import Attacked
from pbem.games.normandy44.retreat import RetreatWay
from pbem.games.normandy44.standing import (
    AdvanceAlways,
    AdvanceNever,
    AdvanceWith,
    ExcessPreferring,
    ExcessSparing,
    FewestSteps,
    FightersNever,
    FightersUpTo,
    GroundFirst,
    GunsNever,
    GunsUpTo,
    LosePreferring,
    LoseSparing,
    NeverOutOf,
    RetreatCheaply,
    RetreatTowards,
    SetDownTowards,
    StepsFirst,
    SupportAlways,
    SupportNever,
    SupportWith,
)
from pbem.games.normandy44.state import State
from pbem.games.normandy44.support import Help
from pbem.games.normandy44.tables import GRID, MAP, UNITS
from tests.games.normandy44.kit import at, game
from tests.games.playing import Played, decision, play

GRAMMAR = Grammar(orders=(), policies=standing.POLICIES, words=standing.WORDS)
ROSTER = Roster({id: RosterUnit(id, "2-5") for id in UNITS}, frozenset(GRID.ids))


# --- losses -------------------------------------------------------------------------------------------------

STACK = {"91ID": 2, "Pz206": 1, "22/21Pz": 1}
"""A reduced division, a battalion of tanks at full strength, a reduced regiment of tanks."""
WAYS = {
    "lose 2 steps of 91ID": (2, 0),
    "lose 91ID, Pz206": (2, 0),
    "lose 91ID, 22/21Pz": (2, 0),
    "lose Pz206, 22/21Pz": (2, 0),
    "lose 91ID, retreat 1": (1, 1),
    "lose 22/21Pz, retreat 1": (1, 1),
    "retreat 2": (0, 2),
}


def result(
    ways: Mapping[str, tuple[int, int]] = WAYS,
    units: Mapping[str, int] = STACK,
    *,
    terrain: str = "bocage",
    default: str = "retreat 2",
    cost: Mapping[int, int] | None = None,
    attack: bool = False,
) -> Losses:
    """A result that may be taken in these ways: (steps, hexes)."""
    return decision(
        Losses,
        *ways,
        kind="losses",
        default=default,
        hex=next(hex for hex in GRID.ids if MAP.terrain(hex) == terrain),
        attack=attack,
        steps=units,
        ways={way: Way(tuple(losers(way).items()), hexes) for way, (_, hexes) in ways.items()},
        retreat_cost=cost or {0: 0, 1: 0, 2: 0},
    )


@pytest.mark.parametrize(
    ("policy", "terrain", "answer"),
    [
        (StepsFirst(), "clear", "lose 2 steps of 91ID"),
        (StepsFirst(terrains=("bocage",)), "bocage", "lose 2 steps of 91ID"),
        (StepsFirst(terrains=("bocage",)), "clear", None),
        (StepsFirst(units=("91ID",)), "bocage", "lose Pz206, 22/21Pz"),
        (StepsFirst(prefs=("armour first",)), "bocage", "lose Pz206, 22/21Pz"),
        (GroundFirst(), "clear", "retreat 2"),
        (GroundFirst(most=1), "clear", "lose 91ID, retreat 1"),
        (GroundFirst(most=1, units=("91ID",)), "clear", "lose 22/21Pz, retreat 1"),
        (GroundFirst(most=1, prefs=("armour first",)), "clear", "lose 22/21Pz, retreat 1"),
        (GroundFirst(terrains=("town", "city")), "clear", None),
        (FewestSteps(), "clear", "retreat 2"),
    ],
)
def test_7_3_steps_or_ground(policy: Policy, terrain: str, answer: str | None) -> None:
    """7.3 A line gives steps or ground, in its terrain; of who loses the steps its preferences decide,
    then the order of the ways."""
    assert policy.decide(result(terrain=terrain), {}) == answer


def test_7_3_a_hex_is_not_held_by_the_dead() -> None:
    """7.3 Where the steps of a result would destroy everybody, ground is given after all;
    where a retreat would do that, it is not."""
    ways = {"lose Pz206": (1, 0), "retreat 1": (0, 1)}
    alone = result(ways, {"Pz206": 1}, default="retreat 1")
    assert StepsFirst().decide(alone, {}) == "retreat 1"
    both = {"lose 91ID": (1, 0), "retreat 1": (0, 1)}
    chased = result(both, {"91ID": 2}, default="lose 91ID", cost={0: 0, 1: 2})
    assert GroundFirst().decide(chased, {}) == "lose 91ID"


def test_7_4_the_price_of_the_retreat_counts() -> None:
    """7.4 Fewest steps counts those that a retreat into enemy zones costs;
    of equals the least ground is given up."""
    assert FewestSteps().decide(result(cost={0: 0, 1: 0, 2: 3}), {}) == "lose 91ID, retreat 1"
    assert FewestSteps().decide(result(cost={0: 0, 1: 1, 2: 2}), {}) == "lose 2 steps of 91ID"


@pytest.mark.parametrize(
    ("policy", "answer"),
    [
        (LosePreferring(prefs=("reduced first",)), "lose 2 steps of 91ID"),
        (LosePreferring(prefs=("full first", "armour first")), "lose Pz206, 22/21Pz"),
        (LosePreferring(prefs=("infantry first",)), "lose 2 steps of 91ID"),
        (LosePreferring(prefs=("weakest first",)), "lose Pz206, 22/21Pz"),
        (LosePreferring(prefs=("strongest first",)), "lose 2 steps of 91ID"),
        (LoseSparing(("91ID",)), "lose Pz206, 22/21Pz"),
        (LoseSparing(("91ID", "Pz206")), "lose 22/21Pz, retreat 1"),
        (LoseSparing(("91ID", "Pz206", "22/21Pz")), "retreat 2"),
        (LoseSparing(("503s",), ("armour first",)), "lose Pz206, 22/21Pz"),
    ],
)
def test_7_3_who_loses_a_step(policy: Policy, answer: str) -> None:
    """7.3 Preferences leave the ground as it is, and choose among the units step by step;
    who is spared is paid for in ground."""
    assert policy.decide(result(default="lose 2 steps of 91ID"), {}) == answer


def test_7_3_attackers_lose_steps_by_their_attack_strength() -> None:
    """7.3 Attackers pay in steps; the weakest is who attacks worst, not who defends worst."""
    ways = {"lose FJR6": (1, 0), "lose 22/21Pz": (1, 0)}
    units = {"FJR6": 2, "22/21Pz": 2}
    weakest = LosePreferring(prefs=("weakest first",))
    attackers = result(ways, units, default="lose 22/21Pz", attack=True)
    assert weakest.decide(attackers, {}) == "lose FJR6"
    assert weakest.decide(result(ways, units, default="lose FJR6"), {}) == "lose 22/21Pz"


@pytest.mark.parametrize(
    ("policy", "answer"),
    [
        (ExcessPreferring(prefs=("weakest first",)), "lose Pz206, 22/21Pz"),
        (ExcessSparing(("Pz206", "22/21Pz")), "lose 2 steps of 91ID"),
    ],
)
def test_7_4_who_is_lost_in_a_full_hex(policy: Policy, answer: str) -> None:
    """7.4 Who goes where a retreat ends in a hex without room for all."""
    ways = {way: cost for way, cost in WAYS.items() if not cost[1]}
    assert policy.decide(result(ways, default="lose 91ID, Pz206"), {}) == answer


# --- retreats -----------------------------------------------------------------------------------------------

PATHS = {"0819 0919": 0, "0820 0921": 1, "0718 0717": 2}


def retreating(steps: Mapping[str, int] = PATHS) -> RetreatWay:
    return decision(RetreatWay, *steps, default="0820 0921", steps=steps)


@pytest.mark.parametrize(
    ("policy", "answer"),
    [
        (RetreatTowards("1118"), "0819 0919"),
        (RetreatTowards("0716"), "0718 0717"),
        (RetreatCheaply(), "0819 0919"),
        (RetreatCheaply("0716"), "0819 0919"),
    ],
)
def test_7_4_retreats(policy: Policy, answer: str) -> None:
    """7.4 Where they end, or what it costs."""
    assert policy.decide(retreating(), {}) == answer


def test_7_4_among_equal_retreats() -> None:
    """7.4 Of retreats that cost the same the one nearest to the hex is taken, or the one that would be taken
    without a line."""
    same = retreating(dict.fromkeys(PATHS, 0))
    assert RetreatCheaply("0716").decide(same, {}) == "0718 0717"
    assert RetreatCheaply().decide(same, {}) == "0820 0921"


# --- support, fighters, guns --------------------------------------------------------------------------------

HELP = {"none": "3:1", "LXXXIV": "2:1", "IIFJ": "3:1", "LXXXIV + IIFJ": "3:2"}


def supporting(after: Mapping[str, str] = HELP, kind: str = "support") -> Help:
    return decision(Help, *after, kind=kind, column=next(iter(after.values())), after=after)


@pytest.mark.parametrize(
    ("policy", "answer"),
    [
        (SupportWith(("LXXXIV",)), "LXXXIV"),
        (SupportWith(("LXXXIV",), changing=True), "LXXXIV"),
        (SupportWith(("IIFJ",), changing=True), None),
        (SupportWith(("IIFJ",)), "IIFJ"),
        (SupportWith(("IIFJ", "LXXXIV")), "IIFJ"),
        (SupportWith(("IIFJ", "LXXXIV"), changing=True), "LXXXIV"),
        (SupportWith(("IIFJ", "LXXXIV"), together=True), "LXXXIV + IIFJ"),
        (SupportWith(("LXXXIV",), together=True), "LXXXIV"),
        (SupportWith(("LXXXIV",), odds="3:1"), "LXXXIV"),
        (SupportWith(("LXXXIV",), odds="4:1"), None),
        (SupportWith(("ISS",)), None),
        (SupportAlways(), "LXXXIV + IIFJ"),
        (SupportAlways(odds="4:1"), None),
        (SupportNever(), "none"),
    ],
)
def test_6_3_support_in_defence(policy: Policy, answer: str | None) -> None:
    """6.3 Which headquarters help a hex that is attacked at 3:1, and when."""
    assert policy.decide(supporting(), {}) == answer


def test_6_3_support_that_changes_nothing() -> None:
    """6.3 Support of which the column would not come is not spent by a line that asks for the change."""
    useless = supporting({"none": "8:1", "LXXXIV": "8:1"})
    assert SupportAlways(changing=True).decide(useless, {}) is None
    assert SupportAlways().decide(useless, {}) == "LXXXIV"


FLIGHTS = {"0": "3:1", "1": "3:1", "2": "2:1", "3": "2:1"}


@pytest.mark.parametrize(
    ("policy", "answer"),
    [
        (FightersUpTo(2), "2"),
        (FightersUpTo(9), "3"),
        (FightersUpTo(9, changing=True), "2"),
        (FightersUpTo(1, changing=True), None),
        (FightersUpTo(0), None),
        (FightersUpTo(3, odds="4:1"), None),
        (FightersNever(), "0"),
    ],
)
def test_10_1_fighters_in_defence(policy: Policy, answer: str | None) -> None:
    """10.1 As many fighters as the policy says, or only those that change the column."""
    assert policy.decide(supporting(FLIGHTS, kind="air"), {}) == answer


@pytest.mark.parametrize(
    ("policy", "answer"),
    [
        (GunsUpTo(2), "2"),
        (GunsUpTo(1), "1"),
        (GunsUpTo(2, odds="3:1"), "2"),
        (GunsUpTo(2, odds="4:1"), None),
        (GunsNever(), "0"),
    ],
)
def test_12_0_gunfire_in_defence(policy: Policy, answer: str | None) -> None:
    """12.0 As many points of naval gunfire as the policy says, against attacks that are strong enough."""
    guns = {"0": "3:1", "1": "2:1", "2": "2:1"}
    assert policy.decide(supporting(guns, kind="guns"), {}) == answer


# --- advances -----------------------------------------------------------------------------------------------

GOING = ("4US, 82AB", "4US", "82AB", "none")


@pytest.mark.parametrize(
    ("policy", "answer"),
    [
        (AdvanceAlways(), "4US, 82AB"),
        (AdvanceWith(("82AB", "9US")), "82AB"),
        (AdvanceWith(("82AB", "4US")), "4US, 82AB"),
        (AdvanceWith(("9US",)), None),
        (NeverOutOf(("0617",)), "82AB"),
        (NeverOutOf(("0617", "0619")), "none"),
        (NeverOutOf(("0818",)), None),
        (AdvanceNever(), "none"),
    ],
)
def test_7_4_advances(policy: Policy, answer: str | None) -> None:
    """7.4 Who advances into the hex that was won."""
    origins = {"4US": "0617", "82AB": "0619"}
    assert policy.decide(decision(Advance, *GOING, hex="0719", origins=origins), {}) == answer


def test_15_0_parachutists() -> None:
    """15.0 They are set down as near to a hex as can be."""
    beside = decision(Ask, "0518", "0618", "0519", kind="set down")
    assert SetDownTowards("0617").decide(beside, {}) == "0618"
    assert SetDownTowards("0420").decide(beside, {}) == "0519"


# --- the decisions of the rules themselves ------------------------------------------------------------------


def fought(*policies: Policy, die: int = 6) -> Played[State]:
    """An attack on Montebourg at 3:2, in which these lines decide for both sides."""
    state = game("4US 0518, 82AB 0619, 709ID 0519, LXXXIV 0420, VII/US 0617")

    async def attack(state: State) -> None:
        units = [state.units["4US"], state.units["82AB"]]
        await combat.fight(state, "allied", "0519", units)

    def choose(ask: Ask[Any]) -> Any:
        lines = [policy for policy in policies if policy.kind == ask.kind]
        answers = [answer for line in lines if (answer := line.decide(ask, {})) is not None]
        return answers[0] if answers else None

    return play(attack, state, dice=[die], choose=choose)


def test_7_3_a_line_answers_the_decision_of_a_result() -> None:
    """7.3, 7.4 The names in the decisions of the rules are those that the lines use: a step is lost,
    or ground is given towards a hex."""
    stood = fought(StepsFirst(terrains=("bocage",)), SupportNever(), die=5).state
    assert (at(stood, "709ID"), stood.units["709ID"].lost) == ("0519", 1)
    went = fought(GroundFirst(most=2), RetreatTowards("0221"), AdvanceNever()).state
    assert went.units["709ID"].lost == 0
    assert went.units["709ID"].hex != "0519"
    assert (at(went, "4US"), at(went, "82AB")) == ("0518", "0619")


def test_6_3_a_line_answers_the_decision_of_support() -> None:
    """6.3 The headquarters of a line is turned face down, and the column is the worse for it."""
    for policy, used in ((SupportWith(("LXXXIV",), changing=True), True), (SupportNever(), False)):
        played = fought(policy)
        assert played.state.units["LXXXIV"].used is used
        (note,) = played.of(Attacked)
        assert note.column == ("1:1" if used else "3:2")


def test_7_4_a_line_answers_the_decision_of_an_advance() -> None:
    """7.4 One of two attackers goes."""
    after = fought(GroundFirst(), RetreatTowards("0221"), AdvanceWith(("82AB",))).state
    assert (at(after, "4US"), at(after, "82AB")) == ("0518", "0519")


# --- writing ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "policy"),
    [
        ("standing losses: lose steps before ground in bocage", StepsFirst(terrains=("bocage",))),
        (
            "standing losses: lose steps before ground in town, city, spare 503s, then weakest first",
            StepsFirst(terrains=("town", "city"), units=("503s",), prefs=("weakest first",)),
        ),
        ("standing losses: lose ground before steps", GroundFirst()),
        (
            "standing losses: lose ground before steps in clear at most 1 hex",
            GroundFirst(terrains=("clear",), most=1),
        ),
        ("standing losses: never 503s", LoseSparing(("503s",))),
        ("standing retreat: to 0118", RetreatTowards("0118")),
        ("standing retreat: fewest losses", RetreatCheaply()),
        (
            "standing support: with LXXXIV when it changes the column",
            SupportWith(("LXXXIV",), changing=True),
        ),
        (
            "standing support: with LXXXIV, IIFJ together at 3:1 or better",
            SupportWith(("LXXXIV", "IIFJ"), together=True, odds="3:1"),
        ),
        ("standing support: always", SupportAlways()),
        ("standing air: 1 fighter", FightersUpTo(1)),
        ("standing guns: 3 points", GunsUpTo(3)),
        ("standing advance: with 4US", AdvanceWith(("4US",))),
    ],
)
def test_other_ways_to_write(text: str, policy: Policy) -> None:
    """Lines may be written shorter and longer; the two examples of the design read as they stand there."""
    (line,) = GRAMMAR.read([(1, text)], ROSTER).standing
    assert line.policy == policy
