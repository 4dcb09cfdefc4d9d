"""Exact odds against closed forms and sums done by hand."""

from __future__ import annotations

import pickle
from collections.abc import Coroutine
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import product
from math import comb
from typing import Any

import pytest
from given import Given

from pbem.engine.errors import NotAllowed
from pbem.engine.notes import Note
from pbem.engine.play import Answer, Ask, AskAll, Draw, Hits, Request, Roll
from pbem.testing.odds import TooManyBranches, distribution, rounds


@dataclass(slots=True)
class Table:
    """Two sides with some steps left, and what has come of it."""

    red: int = 4
    blue: int = 4
    found: Any = None
    rolls: int = 0
    log: list[Note] = field(default_factory=list)


Play = Coroutine[Request, Any, None]


def started(procedure: Any) -> Any:
    def start() -> tuple[Table, Play]:
        table = Table()
        return table, procedure(table)

    return start


def found(table: Table) -> Any:
    return table.found


def test_one_die() -> None:
    """Each face of a die has the same probability, and they are listed in order."""

    async def throw(table: Table) -> None:
        table.found = await Roll(case="1", what="a die", sides=10)

    odds = distribution(started(throw), found)
    assert list(odds.items()) == [(face, Fraction(1, 10)) for face in range(1, 11)]


@pytest.mark.parametrize(
    ("count", "at_least", "sides"), [(0, 5, 6), (1, 1, 6), (8, 5, 6), (12, 8, 10), (3, 7, 6)]
)
def test_hits_are_binomial(count: int, at_least: int, sides: int) -> None:
    """Counted hits follow the binomial distribution exactly."""

    async def volley(table: Table) -> None:
        table.found = await Hits(case="1", what="volley", count=count, at_least=at_least, sides=sides)

    chance = Fraction(max(0, sides - at_least + 1), sides)
    binomial = {n: comb(count, n) * chance**n * (1 - chance) ** (count - n) for n in range(count + 1)}
    assert distribution(started(volley), found) == {n: p for n, p in binomial.items() if p}


def test_eight_counted_dice_are_nine_branches() -> None:
    """Dice that are only counted fork by their number of hits, not by their faces."""

    async def volley(table: Table) -> None:
        table.found = await Hits(case="1", what="volley", count=8, at_least=5)

    assert len(distribution(started(volley), found, limit=9)) == 9


@pytest.mark.parametrize("drawn", range(6))
def test_draws_are_hypergeometric(drawn: int) -> None:
    """Draws without replacement follow the hypergeometric distribution exactly."""
    pool = ("tank",) * 3 + ("gun",) * 4 + ("foot",) * 2

    async def draw(table: Table) -> None:
        table.found = (await Draw(case="1", what="pool", pool=pool, count=drawn)).count("tank")

    wanted = {n: Fraction(comb(3, n) * comb(6, drawn - n), comb(9, drawn)) for n in range(min(3, drawn) + 1)}
    assert distribution(started(draw), found) == wanted


async def one_round(table: Table) -> None:
    """Both sides throw a die per step left; each 5 or 6 costs the other side a step, at the same time."""
    red = await Hits(case="1", what="red fires", count=table.red, at_least=5)
    blue = await Hits(case="1", what="blue fires", count=table.blue, at_least=5)
    table.red, table.blue = max(0, table.red - blue), max(0, table.blue - red)


def left(table: Table) -> tuple[int, int]:
    return table.red, table.blue


def volley(count: int) -> dict[int, Fraction]:
    return {n: comb(count, n) * Fraction(1, 3) ** n * Fraction(2, 3) ** (count - n) for n in range(count + 1)}


def round_by_hand(odds: dict[tuple[int, int], Fraction]) -> dict[tuple[int, int], Fraction]:
    after: dict[tuple[int, int], Fraction] = {}
    for (red, blue), chance in odds.items():
        for (r, p), (b, q) in product(volley(red).items(), volley(blue).items()):
            there = max(0, red - b), max(0, blue - r)
            after[there] = after.get(there, Fraction(0)) + chance * p * q
    return after


def test_two_rounds_convolved_by_hand() -> None:
    """A battle of two rounds gives what two convolutions by hand give."""

    async def two_rounds(table: Table) -> None:
        await one_round(table)
        await one_round(table)

    assert distribution(started(two_rounds), left) == round_by_hand(round_by_hand({(4, 4): Fraction(1)}))


@dataclass(slots=True)
class Counted(Table):
    round: int = 0


def test_rounds_merge_to_the_same_odds() -> None:
    """Walked round by round with equal states merged, a battle of two rounds has the same exact odds."""

    async def counted(table: Counted) -> None:
        await one_round(table)
        table.round += 1

    merged = rounds(
        Counted, counted, lambda t: (t.red, t.blue, t.round), lambda t: t.round == 2, left,
    )  # fmt: skip
    assert merged == round_by_hand(round_by_hand({(4, 4): Fraction(1)}))


def test_a_battle_to_the_end() -> None:
    """A fight in which a round may pass without loss is solved exactly: one die each, hits on a 6."""

    async def duel(table: Table) -> None:
        red = await Hits(case="1", what="red fires", count=1, at_least=6)
        blue = await Hits(case="1", what="blue fires", count=1, at_least=6)
        table.red, table.blue = table.red - blue, table.blue - red

    def finished(table: Table) -> bool:
        return not (table.red and table.blue)

    odds = rounds(lambda: Table(1, 1), duel, left, finished, left)
    assert odds == {(0, 0): Fraction(1, 11), (1, 0): Fraction(5, 11), (0, 1): Fraction(5, 11)}


def test_a_long_battle_is_walked_once_per_state() -> None:
    """Thirty steps a side, fought until one is gone, take no more branches than there are states times
    volleys."""
    copies = 0

    def counting_copy(table: Table) -> Table:
        nonlocal copies
        copies += 1
        return Table(table.red, table.blue)

    async def volleys(table: Table) -> None:
        red = await Hits(case="1", what="red fires", count=min(3, table.red), at_least=5)
        blue = await Hits(case="1", what="blue fires", count=min(3, table.blue), at_least=5)
        table.red, table.blue = max(0, table.red - blue), max(0, table.blue - red)

    odds = rounds(
        lambda: Table(30, 30), volleys, left, lambda t: 0 in left(t),
        lambda t: t.red > t.blue, copy=counting_copy
    )  # fmt: skip
    assert sum(odds.values()) == 1
    assert copies <= 30 * 30 * 16


def test_a_round_that_changes_nothing_is_named() -> None:
    """A battle that cannot go on is an error, not an endless loop."""

    async def wait(table: Table) -> None:
        await Roll(case="1", what="weather")

    with pytest.raises(ValueError, match=r"changes nothing.*\(4, 4\)"):
        rounds(Table, wait, left, lambda t: False, left)


def test_too_many_branches_are_refused() -> None:
    """More branches than the limit end in an error that says so."""

    async def many(table: Table) -> None:
        for number in range(5):
            await Roll(case="1", what=f"die {number}")

    with pytest.raises(TooManyBranches, match="more than 100 branches"):
        distribution(started(many), found, limit=100)


def test_an_endless_battle_is_refused() -> None:
    """A battle that goes round in circles ends in an error."""

    async def turn(table: Table) -> None:
        table.red = (table.red + 1) % 4

    with pytest.raises(TooManyBranches, match="has not ended"):
        rounds(Table, turn, left, lambda t: False, left)


async def asks(table: Table) -> None:
    """A die, a decision after a low one, a batch, and orders until no more come."""
    die = await Roll(case="1", what="die", sides=2)
    how = "stand"
    if die == 1:
        how = await Ask(case="2", what="how", seat="red", options=("stand", "run"), default="run")
    both = await AskAll(
        tuple(Ask(case="3", what=f"loss {n}", seat="red", options=("a", "b")) for n in (1, 2))
    )
    order = await Given(
        case="4", what="orders", seat="red", section="", takes=(), check=lambda order: None,
        subjects=tuple, options=lambda subject: (),
    )  # fmt: skip
    table.found = (die, how, *both, order)


def test_decisions_take_their_defaults() -> None:
    """Unless told otherwise, decisions are answered by their defaults and orders by none."""
    odds = distribution(started(asks), found)
    assert odds == {(1, "run", "a", "a", None): Fraction(1, 2), (2, "stand", "a", "a", None): Fraction(1, 2)}


def test_decisions_by_the_answers_given() -> None:
    """Decisions are answered by `answers` where it is given, and one left open is named."""

    def bold(request: Any) -> Answer | None:
        return (
            Answer(("b", "b"))
            if isinstance(request, AskAll)
            else Answer("stand")
            if request.case == "2"
            else None
        )

    with pytest.raises(ValueError, match=r"no answer to '4\|red\|orders'"):
        distribution(started(asks), found, bold)
    odds = distribution(started(asks), found, lambda request: bold(request) or Answer(None))
    assert list(odds) == [(1, "stand", "b", "b", None), (2, "stand", "b", "b", None)]


def test_an_illegal_answer_is_refused() -> None:
    """Odds obey the rules: an answer that is not an option is refused as in play."""
    with pytest.raises(NotAllowed, match="fly is not one of"):
        distribution(started(asks), found, lambda request: Answer("fly"))


def test_the_state_is_copied_as_told() -> None:
    """Rounds are played on copies: the merged states stay as they were."""
    seen = []

    def faithful(table: Table) -> Table:
        seen.append(left(table))
        copied: Table = pickle.loads(pickle.dumps(table))
        return copied

    async def single(table: Table) -> None:
        if await Roll(case="1", what="die", sides=2) == 1:
            table.red -= 1
        else:
            table.blue -= 1

    odds = rounds(lambda: Table(2, 2), single, left, lambda t: 0 in left(t), left, copy=faithful)
    assert odds[0, 2] == Fraction(1, 4)
    assert seen == [(2, 2), (2, 2), (1, 2), (1, 2), (2, 1), (2, 1), (1, 1), (1, 1)]
