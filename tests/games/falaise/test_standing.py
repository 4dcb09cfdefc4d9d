"""Standing orders: what each line decides, what it leaves alone, and that all can be written."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pytest

from pbem.engine.language import Grammar, Policy, Roster, RosterUnit
from pbem.engine.play import Ask
from pbem.games.falaise import opfire, standing
from pbem.games.falaise.activation import Substitution
from pbem.games.falaise.advance import STAY, AdvanceWay
from pbem.games.falaise.assault import ResultChange, UnitHit
from pbem.games.falaise.command import Arrival
from pbem.games.falaise.counterattack import Counterattack
from pbem.games.falaise.opfire import OpFire
from pbem.games.falaise.retreat import RetreatWay
from pbem.games.falaise.standing import (
    AdvanceAlways,
    AdvanceNever,
    AdvanceOn,
    ArriveWith,
    ChangeAlways,
    ChangeExcept,
    ChangeNever,
    ChangeOnly,
    ChooseFirst,
    CounterattackNever,
    CounterattackWith,
    DisruptPreferring,
    DisruptSparing,
    FireAlways,
    FireAt,
    FireAtBreaking,
    FireAtMech,
    FireNever,
    FireWith,
    FriendlyFirePreferring,
    LosePreferring,
    LoseSparing,
    NeverAtBreaking,
    NeverAtMech,
    NeverOutOfTown,
    RetreatAway,
    RetreatByRoad,
    RetreatTowards,
    SubstituteFor,
    SubstituteNever,
)
from pbem.games.falaise.state import State
from pbem.games.falaise.tables import CHARTS, GRID, MAP, UNITS
from pbem.service.letters.sheets import standing_lines
from tests.games.falaise.kit import game
from tests.games.playing import Played, decision, play

GRAMMAR = Grammar(orders=(), policies=standing.POLICIES, words=standing.WORDS)
ROSTER = Roster({id: RosterUnit(id, "2-5") for id in UNITS}, frozenset(GRID.ids))


def fire(mech: bool = False, town: bool = False, breaking: bool = False, **modifier: int) -> OpFire:
    """Op-fire from hexes h1, h2 ..., with their modifiers."""
    modifier = modifier or {"h1": -1, "h2": 1, "h3": 1}
    return decision(
        OpFire,
        "hold",
        *modifier,
        mech=mech,
        town=town,
        breaking=breaking,
        modifier=modifier,
        stacks={hex: [f"on {hex}"] for hex in modifier},
    )


def whom(kind: str, **steps: int) -> UnitHit:
    """A choice among units, given with their steps."""
    left = {id.replace("_", "/"): number for id, number in steps.items()}
    return decision(UnitHit, *left, kind=kind, steps=left)


# --- op-fire ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("policy", "decision", "answer"),
    [
        (FireAlways(), fire(), "h2"),
        (FireAlways(), fire(h1=-4), "h1"),
        (FireNever(), fire(), "hold"),
        (FireAt(1), fire(), "h2"),
        (FireAt(2), fire(), "hold"),
        (FireAt(-1), fire(h1=-1), "h1"),
        (FireAtMech(), fire(mech=True), "h2"),
        (FireAtMech(), fire(), None),
        (FireAtMech(2), fire(mech=True), "hold"),
        (FireAtBreaking(), fire(breaking=True), "h2"),
        (FireAtBreaking(1), fire(breaking=True), "h2"),
        (FireAtBreaking(2), fire(breaking=True), "hold"),
        (FireAtBreaking(), fire(mech=True), None),
        (FireWith(("on h1",)), fire(), "h1"),
        (FireWith(("on h4", "on h2", "on h1")), fire(), "h2"),
        (FireWith(("on h2",), 2), fire(), None),
        (FireWith(("on h4",)), fire(), None),
        (NeverAtMech(), fire(mech=True), "hold"),
        (NeverAtMech(), fire(), None),
        (NeverAtMech(town=True), fire(mech=True, town=True), "hold"),
        (NeverAtMech(town=True), fire(mech=True), None),
        (NeverAtMech(town=True), fire(town=True), None),
        (NeverAtBreaking(), fire(breaking=True), "hold"),
        (NeverAtBreaking(), fire(), None),
    ],
)
def test_6_2_op_fire(policy: Policy, decision: Ask[str], answer: str | None) -> None:
    """6.2, 6.3 The best stack fires, or nobody; what spares some units says nothing of the others."""
    assert policy.decide(decision, {}) == answer


def test_6_2_a_line_answers_the_decision_of_the_rule() -> None:
    """6.2 The names in the decision are those that the lines use: nobody fires if a line holds fire."""

    async def entering(state: State) -> None:
        await opfire.fire(state, [state.units["25/12SS"]], "2521")

    def answered(policy: Policy, *dice: int) -> Played:
        state = game("25/12SS 2521, 357/90 2522")
        return play(entering, state, dice=dice, choose=lambda ask: policy.decide(ask, {}))

    assert not answered(FireAt(9)).rolled()
    assert answered(FireAlways(), 1).rolled()


def test_standing_orders_that_answer_everything_hide_those_behind_them() -> None:
    """Letters name a standing order that is never reached, because one of its kind before it answers
    every decision."""
    lines = GRAMMAR.read(
        list(
            enumerate(("standing opfire: never at mech", "standing opfire: always", "standing opfire: never"))
        ),
        ROSTER,
    ).standing
    told = list(standing_lines(lines))
    assert told[:2] == ["standing opfire: never at mech", "standing opfire: always"]
    assert "never used" in told[3] and len(told) == 4


# --- results ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("policy", "result", "answer"),
    [
        (ChangeAlways(), "CON", "change"),
        (ChangeNever(), "AL1", "keep"),
        (ChangeExcept(("CON", "DR")), "DR", "keep"),
        (ChangeExcept(("CON",)), "AL1", "change"),
        (ChangeOnly(("AL1",)), "AL1", "change"),
        (ChangeOnly(("AL1",)), "CON", "keep"),
    ],
)
def test_10_2_changes_by_rating(policy: Policy, result: str, answer: str) -> None:
    """10.2 Which results are changed by the higher rating."""
    assert (
        policy.decide(decision(ResultChange, "keep", "change", result=result, to="CON", who="attacker"), {})
        == answer
    )


def test_10_2_results_are_those_of_the_chart() -> None:
    """10.2 The vocabulary of results is that of the assault table."""
    assert set(standing.RESULTS) == {result for row in CHARTS.assault.rows for result in row}


# --- which unit -------------------------------------------------------------------------------------------

STACK = {"1055_89": 2, "1053_85": 1, "Pz_12SS": 1}
"""A full regiment, a reduced one, and a mechanised Kampfgruppe of one step."""


@pytest.mark.parametrize(
    ("policy", "answer"),
    [
        (LosePreferring(("reduced first",)), "1053/85"),
        (LosePreferring(("full first", "weakest first")), "1055/89"),
        (LosePreferring(("full first", "mechanised first")), "Pz/12SS"),
        (LosePreferring(("weakest first",)), "1053/85"),
        (LosePreferring(("strongest first", "mechanised first")), "Pz/12SS"),
        (LosePreferring(("infantry first", "strongest first")), "1055/89"),
        (LoseSparing(("1055/89",)), "1053/85"),
        (LoseSparing(("1055/89", "1053/85")), "Pz/12SS"),
        (LoseSparing(("1055/89",), ("mechanised first",)), "Pz/12SS"),
        (LoseSparing(("1055/89", "1053/85", "Pz/12SS")), None),
    ],
)
def test_10_2_losses(policy: Policy, answer: str | None) -> None:
    """10.2 Who loses a step, by preference or by who is spared;
    where everybody is spared the line says nothing."""
    assert policy.decide(whom("losses", **STACK), {}) == answer


@pytest.mark.parametrize(
    ("policy", "answer"),
    [
        (DisruptPreferring(("strongest first", "mechanised first")), "Pz/12SS"),
        (DisruptSparing(("1055/89", "Pz/12SS")), "1053/85"),
        (DisruptSparing(tuple(id.replace("_", "/") for id in STACK)), None),
        (FriendlyFirePreferring(("mechanised first",)), "Pz/12SS"),
        (FriendlyFirePreferring(("infantry first",)), "1055/89"),
    ],
)
def test_8_1_8_4_who_is_hit(policy: Policy, answer: str | None) -> None:
    """8.1, 8.4 Whom bombs and shells disrupt."""
    assert policy.decide(whom(policy.kind, **STACK), {}) == answer


# --- retreats and advances --------------------------------------------------------------------------------

WAYS = {"1626 1726": [], "1625 1725": ["1625"], "1627 1727": []}


def retreating(fire: Mapping[str, Sequence[str]] = WAYS, start: str = "1526") -> RetreatWay:
    return decision(RetreatWay, *fire, fire=fire, unit="1055/89", start=start)


def test_10_3_retreat_towards_a_hex() -> None:
    """10.3 The way that ends nearest to the hex is taken, though it be under fire;
    the other end of the map is nearer by another way."""
    assert RetreatTowards("1720").decide(retreating(), {}) == "1625 1725"
    assert RetreatTowards("1740").decide(retreating(), {}) == "1627 1727"


def test_10_3_retreat_away_from_the_enemy() -> None:
    """10.3 The first way with the fewest hexes under fire is taken."""
    assert RetreatAway().decide(retreating(), {}) == "1626 1726"
    worse = retreating({"1625 1725": ["1625"], "1626 1726": ["1626", "1726"]})
    assert RetreatAway().decide(worse, {}) == "1625 1725"


def test_10_3_retreat_along_roads() -> None:
    """10.3 The way with the most steps by road is taken: out of Trun by one of its roads."""
    ways: dict[str, list[str]] = {
        f"{a} {b}": [] for a in MAP.neighbours("2315") for b in MAP.neighbours(a) if b != "2315"
    }
    chosen = RetreatByRoad().decide(retreating(ways, "2315"), {})
    first, second = chosen.split()
    assert MAP.road("2315", first) and MAP.road(first, second)
    off = next(way for way in ways if not MAP.road("2315", way.split()[0]))
    assert RetreatByRoad().decide(retreating({off: []}, "2315"), {}) == off


def advancing(start: str, *ways: str) -> AdvanceWay:
    return decision(AdvanceWay, STAY, *ways, unit="4/2C", start=start)


@pytest.mark.parametrize(
    ("policy", "start", "answer"),
    [
        (AdvanceAlways(), "1526", "1626"),
        (AdvanceOn("2026"), "1526", "1626 1726"),
        (AdvanceOn("1026"), "1526", STAY),
        (AdvanceNever(), "1526", STAY),
        (NeverOutOfTown(), "1526", None),
        (NeverOutOfTown(), "1426", STAY),
    ],
)
def test_10_4_advances(policy: Policy, start: str, answer: str | None) -> None:
    """10.4 Into the hex, on the heels of the defenders, or not at all."""
    assert policy.decide(advancing(start, "1626", "1626 1726"), {}) == answer


def test_10_4_on_their_heels_only_where_it_is_offered() -> None:
    """10.4 Who can only go into the hex goes there; a line that wants that hex alone says nothing
    where it is not offered."""
    only = advancing("1526", "1626")
    assert AdvanceOn("2026").decide(only, {}) == "1626"
    assert AdvanceAlways().decide(advancing("1526"), {}) is None


# --- commands ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("policy", "answer"),
    [
        (SubstituteFor(("2FJ", "84")), "yes"),
        (SubstituteFor(("2FJ",)), "no"),
        (SubstituteFor(("84",), 3), "yes"),
        (SubstituteFor(("84",), 4), "no"),
        (SubstituteNever(), "no"),
    ],
)
def test_11_2_58th_corps(policy: Policy, answer: str) -> None:
    """11.2 It takes the place of those commands that are named, if enough units can act with it."""
    choice = decision(Substitution, "no", "yes", drawn="84", eligible=3)
    assert policy.decide(choice, {}) == answer


@pytest.mark.parametrize(
    ("policy", "turn", "answer"),
    [
        (CounterattackWith(6, "2SS"), 5, "no"),
        (CounterattackWith(6, "2SS"), 6, "2SS"),
        (CounterattackWith(6, "2SS"), 9, "2SS"),
        (CounterattackWith(5, "84"), 7, "no"),
        (CounterattackNever(), 10, "no"),
    ],
)
def test_11_3_counterattack(policy: Policy, turn: int, answer: str) -> None:
    """11.3 Not before its turn, and only by a command that can make it."""
    assert policy.decide(decision(Counterattack, "no", "1SS", "2SS", turn=turn), {}) == answer


def test_12_1_the_first_command() -> None:
    """12.1 The first of those named that can be chosen; nothing if none can."""
    choice = decision(Ask, "1SS", "74", "84", kind="choose")
    assert ChooseFirst(("2SS", "84", "1SS")).decide(choice, {}) == "84"
    assert ChooseFirst(("2SS",)).decide(choice, {}) is None


def test_11_5_arrival() -> None:
    """11.5 The tank destroyers come to the first unit named that has room; nothing is said if none has."""
    choice = decision(Arrival, "3520", "3422", present={"3520": ["317/80"], "3422": ["318/80"]})
    assert ArriveWith(("318/80", "317/80")).decide(choice, {}) == "3422"
    assert ArriveWith(("357/90",)).decide(choice, {}) is None


# --- writing ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "policy"),
    [
        ("standing opfire: if modifier >= -1", FireAt(-1)),
        ("standing opfire: when the modifier is at least 2", FireAt(2)),
        ("standing opfire: never at mech", NeverAtMech()),
        ("standing opfire: always at mech", FireAtMech()),
        ("standing opfire: at mech if the modifier is at least 1", FireAtMech(1)),
        ("standing opfire: at breaking contact", FireAtBreaking()),
        ("standing opfire: at breaking contact if modifier >= -1", FireAtBreaking(-1)),
        ("standing opfire: with 25/12SS, Pz/12SS if modifier >= 0", FireWith(("25/12SS", "Pz/12SS"), 0)),
        ("standing ter: except CON, DR", ChangeExcept(("CON", "DR"))),
        ("standing losses: spare Koszutski", LoseSparing(("Koszutski",))),
        ("standing retreat: to 1703", RetreatTowards("1703")),
        ("standing counterattack: in turn 7 with 1SS", CounterattackWith(7, "1SS")),
    ],
)
def test_other_ways_to_write(text: str, policy: Policy) -> None:
    """Lines may be written shorter, longer and with signs."""
    (line,) = GRAMMAR.read([(1, text)], ROSTER).standing
    assert line.policy == policy
