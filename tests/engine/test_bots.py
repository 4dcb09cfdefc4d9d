"""Bots: always legal, always finished, never told a rule."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from typing import Any

import pytest
from given import Given
from toygame import HOME, TOY, Step, Toy, set_up, units

from pbem.engine.bots import MOST_ORDERS, Bot, DeadEnd, agreeable, greedy_bot, random_bot, seated
from pbem.engine.desk import Desk, FirstOf
from pbem.engine.errors import NotAllowed
from pbem.engine.game import Judge, Rate
from pbem.engine.play import Answer, Ask, AskAll, advance


def state(**fields: Any) -> Toy:
    return Toy(scenario="meeting", phase="red_moves", **fields)


def moves(subjects: Sequence[str], options: Any, check: Any = None, what: str = "moves") -> Desk[Any]:
    return Given(
        case="2.1", what=what, seat="red", section="movement", takes=(Step,),
        check=check or (lambda order: None), subjects=lambda: list(subjects), options=options,
    )  # fmt: skip


def orders_given(bot: Bot, request: Desk[Any], at_most: int = 1000) -> list[Any]:
    """The orders a bot gives before it says that it is done."""
    given = []
    while (order := bot(request, state()).value) is not None:
        given.append(order)
        assert len(given) < at_most
    return given


def all_worth(value: float) -> Judge:
    return lambda state, request: lambda option: value


def own_worth(state: Any, request: Any) -> Rate:
    return lambda option: float(option)


def by_square(state: Any, request: Any) -> Rate:
    return lambda choice: float(getattr(choice, "square", 0))


@pytest.mark.parametrize("seed", range(20))
def test_random_orders_come_to_an_end(seed: int) -> None:
    """A random bot stops by itself although its subjects could act for ever, and picks legal orders only."""
    asked: Counter[str] = Counter()

    def options(unit: str) -> list[Step]:
        asked[unit] += 1
        return [Step(unit, 1), Step(unit, 2)]

    request = moves(["a", "b", "c"], options)
    given = orders_given(random_bot(random.Random(seed), eagerness=1.0), request)
    assert Counter(order.unit for order in given) == dict.fromkeys("abc", MOST_ORDERS)
    assert asked == dict.fromkeys("abc", MOST_ORDERS)


def test_a_subject_passed_over_is_not_asked_again() -> None:
    """Whoever has no orders is looked at once in a phase, not at each order of the others."""
    asked: Counter[str] = Counter()

    def options(unit: str) -> list[Step]:
        asked[unit] += 1
        return [Step(unit, 1)] if unit == "able" else []

    bot = greedy_bot(by_square, random.Random(1))
    assert len(orders_given(bot, moves(["idle", "able"], options))) == MOST_ORDERS
    assert asked == {"idle": 1, "able": MOST_ORDERS}


def test_a_lazy_bot_gives_no_orders() -> None:
    """With no eagerness nothing is ordered unless the rules insist."""
    assert (
        orders_given(random_bot(random.Random(1), eagerness=0), moves("ab", lambda unit: [Step(unit, 1)]))
        == []
    )


def test_a_new_phase_is_a_new_start() -> None:
    """What was passed over in one phase is considered again in the next."""
    bot = greedy_bot(by_square, random.Random(1))
    request = moves(["a"], lambda unit: [Step(unit, 5)])
    first = [bot(request, state(turn=1)).value for _ in range(MOST_ORDERS)]
    assert bot(request, state(turn=2)).value == first[0] == Step("a", 5)


@pytest.mark.parametrize("make", [lambda rng: random_bot(rng, 0), lambda rng: greedy_bot(all_worth(-1), rng)])
def test_compulsory_orders_are_given(make: Any) -> None:
    """A bot that would rather stop goes on as long as the rules refuse to let it."""
    toy = Toy(scenario="meeting", phase="set_up")
    bots = dict.fromkeys(("red", "blue"), make(random.Random(3)))
    progress = advance(set_up(toy), toy, answers=seated(bots, toy))
    assert progress.waiting is None
    assert sorted(toy.squares) == sorted(units("red") + units("blue"))
    assert len(progress.entries) < 50


def test_a_dead_end_is_named() -> None:
    """When stopping is refused and nobody has an order left, the rules are at fault and the case is told."""

    def check(order: Any) -> None:
        if order is None:
            raise NotAllowed("3 units too many in 2214", "5.1")

    with pytest.raises(DeadEnd, match=r"red may not stop and has no orders left: 3 units.*\[5.1\]"):
        random_bot(random.Random(1))(moves("ab", lambda unit: [], check), state())


def test_the_greedy_bot_takes_the_best() -> None:
    """In the order of the rules' subjects, each gets its best order if that is worth anything."""
    options = {"a": [Step("a", 1), Step("a", 3), Step("a", 2)], "b": [Step("b", 0), Step("b", -2)]}
    done: list[str] = []

    def ways(unit: str) -> list[Step]:
        return [] if unit in done else options[unit]

    bot = greedy_bot(by_square, random.Random(1))
    request = moves(["a", "b"], ways)
    assert bot(request, state()).value == Step("a", 3)
    done.append("a")
    assert bot(request, state()).value is None


def ask(what: str, *options: Any, default: Any = None, seat: str = "red") -> Ask[Any]:
    return Ask(case="3.1", what=what, seat=seat, options=options, default=default)


def test_decisions() -> None:
    """A random bot takes any option in the long run, a greedy one the best and among equals the default."""
    question = ask("how many", 1, 2, 3, default=2)
    bot = random_bot(random.Random(7))
    assert {bot(question, state()).value for _ in range(60)} == {1, 2, 3}
    assert greedy_bot(own_worth, random.Random(1))(question, state()) == Answer(3, "bot")
    assert greedy_bot(all_worth(0), random.Random(1))(question, state()) == Answer(2, "bot")


def at_most_two(answers: tuple[Any, ...]) -> None:
    if sum(answers) > 2:
        raise NotAllowed("two ships are all there are", "7.2")


@pytest.mark.parametrize("seed", range(30))
def test_random_batches_go_together(seed: int) -> None:
    """The answers of a batch obey the rule that binds them."""
    batch = AskAll(tuple(ask(f"fire {n}", 0, 1, 2) for n in range(6)), at_most_two)
    answer = random_bot(random.Random(seed))(batch, state()).value
    batch.check(answer)


def test_greedy_batches_take_the_best_in_turn() -> None:
    """Each decision of a batch takes the best that the ones before it leave."""
    batch = AskAll(tuple(ask(f"fire {n}", 0, 1, 2) for n in range(3)), at_most_two)
    worth = {"fire 0": {1: 5.0}, "fire 1": {2: 9.0, 1: 3.0}, "fire 2": {1: 1.0}}
    bot = greedy_bot(lambda _, request: lambda option: worth[request.what].get(option, 0.0), random.Random(1))
    assert bot(batch, state()).value == (1, 1, 0)


def test_batches_whose_defaults_clash() -> None:
    """Where the defaults do not go together the first combination that does is found, or none is and that is
    said."""

    def different(answers: tuple[Any, ...]) -> None:
        if len(set(answers)) < len(answers):
            raise NotAllowed("one each", "7.3")

    batch = AskAll((ask("first", "a", "b"), ask("second", "a", "b")), different)
    assert agreeable(batch) == ("a", "b")
    batch.check(greedy_bot(all_worth(0), random.Random(1))(batch, state()).value)
    with pytest.raises(DeadEnd, match="first; second; third"):
        agreeable(AskAll((*batch.asks, ask("third", "a", "b")), different))


def test_each_seat_answers_its_part_of_a_batch() -> None:
    """A batch of several seats is put together from what each seat's own bot wants and the rule allows."""
    batch = AskAll(
        (ask("r", 0, 1, 2), ask("b", 0, 1, 2, seat="blue"), ask("shown", 0, seat="green")), at_most_two
    )
    eager = greedy_bot(own_worth, random.Random(1))
    answers = seated({"red": eager, "blue": greedy_bot(all_worth(0), random.Random(1))}, state())
    assert answers(batch) == Answer((2, 0, 0), "bot")
    assert seated({"red": eager, "blue": eager}, state())(batch) == Answer((2, 0, 0), "bot")
    assert seated({"red": eager}, state())(batch) is None


def test_seats_that_write_at_the_same_time_take_turns() -> None:
    """Of several seats writing orders each gets on, and a seat without a bot is waited for."""
    toy = Toy(scenario="meeting", phase="set_up")
    bots = {"red": random_bot(random.Random(1), 1.0), "blue": random_bot(random.Random(2), 1.0)}
    progress = advance(set_up(toy), toy, answers=seated(bots, toy))
    assert [entry.answer[0] for entry in progress.entries][:6] == ["red", "blue"] * 3
    assert all(toy.squares[unit] in HOME[unit[:-1]] for unit in toy.squares)

    toy = Toy(scenario="meeting", phase="set_up")
    progress = advance(set_up(toy), toy, answers=seated({"red": bots["red"]}, toy))
    assert isinstance(progress.waiting, FirstOf)
    assert [ask.seat for ask in progress.waiting.asks] == ["blue"]
    assert seated({}, toy)(ask("how", 1, 2)) is None


def test_one_bot_for_all_seats() -> None:
    """Asked for several seats at once, a bot answers for one of them, legally."""
    toy = Toy(scenario="meeting", phase="set_up")
    bot = random_bot(random.Random(5))
    progress = advance(set_up(toy), toy, answers=lambda request: bot(request, toy))
    assert progress.waiting is None
    assert len(toy.squares) == 6


def test_the_same_seed_plays_the_same() -> None:
    """A bot draws from nothing but the generator it was given."""

    def played(seed: int) -> list[Any]:
        toy = TOY.start()
        bot = random_bot(random.Random(seed))
        return advance(set_up(toy), toy, answers=lambda request: bot(request, toy)).entries

    assert played(4) == played(4)
    assert played(4) != played(5)
