"""The driver: requests, journals, waiting, resuming, refusing what no longer fits."""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import pytest
from given import Given

from pbem.engine.desk import Desk, FirstOf
from pbem.engine.errors import NotAllowed, ReplayMismatch
from pbem.engine.language import Order
from pbem.engine.notes import Note
from pbem.engine.play import (
    Answer,
    Ask,
    AskAll,
    Chance,
    Draw,
    Entry,
    Hits,
    Roll,
    Volley,
    advance,
    seats_asked,
)


@dataclass
class Table:
    log: list[Note] = field(default_factory=list)
    rolls: int = 0


class Said(Note):
    words: str


class Step(Order):
    usage = "step <hex>"
    help = "One hex."
    example = "step 0101"
    case = "1"

    hex: str


def check_step(order: Step | None) -> None:
    if order is not None and order.hex == "9999":
        raise NotAllowed("9999 is sea", "1")


def steps(seat: str) -> Desk[Step]:
    return Given(
        case="1", what="steps", seat=seat, section="movement", takes=(Step,), check=check_step,
        subjects=lambda: ("x",), options=lambda subject: (Step("0101"),),
        settle=lambda order: Step(order.hex.zfill(4)),
    )  # fmt: skip


async def battle(table: Table) -> int:
    """A die, a decision that depends on it, and a note between them."""
    die = await Roll(case="7.1", what="attack on 2214")
    table.log.append(Said(case="7.1", words=f"die {die}"))
    lost = await Ask(case="7.2", what="loss", seat="red", options=("a", "b"), default="b")
    table.log.append(Said(case="7.2", words=lost))
    return die


def dice(request: Chance, label: str) -> list[Any]:
    return request.faces(random.Random(label).randrange)


class TestAdvance:
    def test_it_stops_before_the_first_die_when_there_are_no_dice(self) -> None:
        """Without dice a phase runs up to its first roll, which checks orders for nothing."""
        progress = advance(battle(Table()), Table())
        assert isinstance(progress.waiting, Roll)
        assert progress.entries == []

    def test_it_waits_for_a_seat_and_goes_on_from_the_journal(self) -> None:
        """A phase that waited goes on from its journal as if it had never stopped."""
        first = advance(battle(table := Table()), table, dice=dice)
        assert seats_asked(first.waiting) == ("red",)
        later = Table()
        second = advance(battle(later), later, first.entries, answers=lambda ask: Answer("a"))
        assert second.waiting is None
        assert [entry.asked for entry in second.entries] == ["7.1|d6|attack on 2214|1", "7.2|red|loss|1"]
        assert second.new == 1
        again = Table()
        assert advance(battle(again), again, second.entries).waiting is None
        assert again.log == later.log

    def test_open_rolls_are_counted(self) -> None:
        """The state knows how many open rolls have been made, so that a rule can cite its own."""
        table = Table()
        advance(battle(table), table, dice=dice)
        assert table.rolls == 1

    def test_a_journal_of_other_rules_is_refused(self) -> None:
        """A recorded answer to another question stops the replay and names both questions."""
        with pytest.raises(ReplayMismatch, match=r"attack on 9999.*attack on 2214"):
            advance(battle(Table()), Table(), [Entry("7.1|d6|attack on 9999|1", [3])])

    def test_a_recorded_answer_that_is_no_longer_legal_is_refused(self) -> None:
        """Rules that have become stricter do not take an old answer."""
        journal = [Entry("7.1|d6|attack on 2214|1", [3]), Entry("7.2|red|loss|1", "c")]
        with pytest.raises(ReplayMismatch, match="c is not one of: a, b"):
            advance(battle(Table()), Table(), journal)

    def test_a_log_that_reads_differently_is_noticed(self) -> None:
        """The same questions after another log are a mismatch: players have read the old one."""
        table = Table()
        done = advance(battle(table), table, dice=dice, answers=lambda ask: Answer("a"))
        other = [Entry(done.entries[0].asked, [7 - done.entries[0].answer[0]]), *done.entries[1:]]
        with pytest.raises(ReplayMismatch, match="tells other facts"):
            advance(battle(Table()), table := Table(), other)

    def test_too_many_entries_are_noticed(self) -> None:
        """A phase that ends before its journal does is a mismatch."""
        table = Table()
        done = advance(battle(table), table, dice=dice, answers=lambda ask: Answer("a"))
        with pytest.raises(ReplayMismatch, match="ended before"):
            advance(battle(again := Table()), again, [*done.entries, Entry("7.3|red|more|1", "a")])

    def test_an_illegal_new_answer_is_refused(self) -> None:
        """What is not among the options is not taken."""
        with pytest.raises(NotAllowed, match=r"z is not one of: a, b \[7\.2\]"):
            advance(battle(table := Table()), table, dice=dice, answers=lambda ask: Answer("z"))

    def test_an_exhausted_source_of_answers_is_an_error(self) -> None:
        """A StopIteration in a callback is not taken for the end of the phase."""
        nothing = iter(())
        with pytest.raises(StopIteration):
            advance(battle(table := Table()), table, dice=lambda request, label: next(nothing))


class TestRequests:
    def test_a_single_option_is_not_asked(self) -> None:
        """A forced choice needs nobody."""

        async def forced(table: Table) -> None:
            assert await Ask(case="1", what="only way", seat="red", options=("north",)) == "north"

        assert advance(forced(table := Table()), table).waiting is None

    def test_orders_come_one_by_one_and_are_kept_in_full(self) -> None:
        """The journal keeps what an order means, the rule gets it, and None ends the stream."""

        async def march(table: Table) -> None:
            while (order := await steps("red")) is not None:
                table.log.append(Said(case="1", words=order.hex))

        given = iter([Step("101"), None])
        table = Table()
        done = advance(march(table), table, answers=lambda ask: Answer(next(given)))
        assert [entry.answer for entry in done.entries] == [{"verb": "step", "hex": "0101"}, None]
        assert table.log == [Said(case="1", words="0101")]
        with pytest.raises(NotAllowed, match="9999 is sea"):
            advance(march(again := Table()), again, answers=lambda ask: Answer(Step("9999")))

    def test_several_seats_write_at_the_same_time(self) -> None:
        """Whoever answers first is taken first; the answer names its seat."""

        async def both(table: Table) -> None:
            open_ = ["red", "blue"]
            while open_:
                seat, order = await FirstOf(tuple(steps(seat) for seat in open_))
                if order is None:
                    open_.remove(seat)

        given = iter([("blue", Step("0101")), ("red", None), ("blue", None)])
        done = advance(both(table := Table()), table, answers=lambda ask: Answer(next(given)))
        assert [entry.answer[0] for entry in done.entries] == ["blue", "red", "blue"]
        assert advance(both(again := Table()), again, done.entries).waiting is None

    def test_a_batch_is_taken_together(self) -> None:
        """Answers that are legal one by one but not together are refused."""

        def together(answers: tuple[Any, ...]) -> None:
            if answers.count("heavy") > 1:
                raise NotAllowed("one heavy mission is left", "NAV.B")

        asks = tuple(
            Ask(case="NAV", what=f"gunfire at {hex}", seat="red", options=("none", "heavy")) for hex in "ab"
        )

        async def guns(table: Table) -> None:
            assert await AskAll(asks, together) == ("none", "heavy")

        done = advance(guns(table := Table()), table, answers=lambda ask: Answer(("none", "heavy")))
        assert done.entries[0].answer == ["none", "heavy"]
        with pytest.raises(NotAllowed, match="one heavy"):
            advance(guns(again := Table()), again, answers=lambda ask: Answer(("heavy", "heavy")))


@pytest.mark.parametrize(
    "request_", [
        Roll(case="1", what="x"),
        Roll(case="1", what="x", sides=10),
        Hits(case="1", what="x", count=3, at_least=5),
        Volley(case="1", what="x", count=4, worth=(0, 0, 0, 1, 1, 2)),
        Draw(case="1", what="x", pool=("a", "a", "b"), count=2),
    ],
    ids=lambda request: request.dice,
)  # fmt: skip
def test_outcomes_are_all_there_is(request_: Chance) -> None:
    """The weights of the outcomes of a request are those of throwing it very often, and each outcome is a
    legal result."""

    def value(recorded: list[Any]) -> Any:
        coroutine = request_.__await__()  # type: ignore[attr-defined]
        next(coroutine)
        try:
            coroutine.send(recorded)
        except StopIteration as done:
            return done.value
        raise AssertionError

    total = sum(weight for _, weight in request_.outcomes())
    exact: dict[Any, Fraction] = {}
    for recorded, weight in request_.outcomes():
        request_.check(recorded)
        exact[value(recorded)] = exact.get(value(recorded), Fraction(0)) + Fraction(weight, total)
    rng = random.Random(1)
    thrown = [value(request_.faces(rng.randrange)) for _ in range(6000)]
    assert set(thrown) == set(exact)
    for outcome, chance in exact.items():
        assert abs(thrown.count(outcome) / 6000 - float(chance)) < 0.03


@pytest.mark.parametrize("wrong", [[0], [7], [1, 2], ["3"], 3, None])
def test_impossible_faces_are_refused(wrong: object) -> None:
    """A journal cannot hold a face that the die does not have."""
    with pytest.raises(NotAllowed):
        Roll(case="1", what="x").check(wrong)
