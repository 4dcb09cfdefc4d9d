"""Which rulebook cases play reaches: from each case that is met in code to the functions that cite it,
and from those to the games in which they run.

    python tests/reach.py rampage --random 20 --greedy 4        what games reach, and what they do not
    python tests/reach.py rampage --units                       the same, and what the game's unit tests reach
"""

from __future__ import annotations

import argparse
import ast
import inspect
import io
import random
import re
import sys
import tokenize
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import partial
from itertools import product
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

import pytest

import pbem
from pbem.engine.autoplay import autoplay
from pbem.engine.bots import Bot, greedy_bot, random_bot
from pbem.engine.desk import FirstOf
from pbem.engine.game import Game, game
from pbem.engine.language import Order
from pbem.engine.play import Answer, Decision
from pbem.service.letters.caselist import cases

PACKAGE = Path(pbem.__file__).parent
TESTS = Path(__file__).parent / "games"

Spot = tuple[str, int]
"""A function or class: its file and first line."""


def cited(key: str) -> dict[str, frozenset[Spot]]:
    """Every case of a game that is met in code, with the functions and the classes of orders that cite it."""
    numbers = [case.number for case in cases(key).listed if case.status == "code"]
    spots: dict[str, set[Spot]] = {number: set() for number in numbers}
    patterns = {n: re.compile(rf"(?<![\w.]){re.escape(n)}(?!\w|\.\w)") for n in numbers}
    kinds = {kind.__name__ for kind in game(key).grammar.orders}
    for path in sorted((PACKAGE / "games" / key).rglob("*.py")):
        source = path.read_text(encoding="utf-8")
        inside = _bodies(ast.parse(source), kinds)
        for line, words in _words(source):
            first = next((first for first, body in inside if line in body), None)
            if first is not None:
                for number, pattern in patterns.items():
                    if pattern.search(words):
                        spots[number].add((str(path), first))
    return {number: frozenset(found) for number, found in spots.items()}


def _bodies(tree: ast.AST, kinds: set[str]) -> list[tuple[int, range]]:
    """The functions of a module and its classes of these names, innermost first: first line,
    and all lines."""
    spans: list[tuple[int, range]] = []
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) or (
            isinstance(node, ast.ClassDef) and node.name in kinds
        ):
            first = min([node.lineno, *(each.lineno for each in node.decorator_list)])
            spans.append((first, range(first, (node.end_lineno or first) + 1)))
    return sorted(spans, key=lambda each: len(each[1]))


def _words(source: str) -> Iterator[tuple[int, str]]:
    """The comments and strings of a module, where cases are cited, with their lines."""
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        kind = tokenize.tok_name[token.type]
        if kind == "COMMENT" or "STRING" in kind:
            yield token.start[0], token.string


@contextmanager
def watched(key: str) -> Iterator[Callable[[], set[Spot]]]:
    """Notes which functions of a game are called; what is handed out tells them."""
    called: set[CodeType] = set()
    before = sys.gettrace()

    def trace(frame: FrameType, event: str, arg: Any) -> None:
        called.add(frame.f_code)

    folder = str(PACKAGE / "games" / key)
    sys.settrace(trace)
    try:
        yield lambda: {
            (c.co_filename, c.co_firstlineno) for c in called.copy() if c.co_filename.startswith(folder)
        }
    finally:
        sys.settrace(before)


def played(rules: Game[Any], whims: int, greeds: int, options: Iterable[dict[str, str]] = ({},)) -> set[Spot]:
    """The functions of a game that run, and the classes of the orders that are given, in `whims` random and
    `greeds` greedy games of each scenario with each set of options."""
    given: set[type] = set()

    def noted(bot: Bot) -> Bot:
        def answers(request: Decision, state: Any) -> Answer:
            answer = bot(request, state)
            value = answer.value[1] if isinstance(request, FirstOf) else answer.value
            given.add(type(value))
            return answer

        return answers

    with watched(rules.key) as called:
        for scenario, chosen in product(rules.scenarios, options):
            for number in range(whims + greeds):
                rng = random.Random(f"{number}")
                bot = random_bot(rng) if number < whims else greedy_bot(rules.judge, rng)
                seats = {seat.key: noted(bot) for seat in rules.seats}
                autoplay(rules, f"reach {number}", seats, scenario, chosen, check=partial(_looked_at, rules))
        ran = called()
    return ran | {_spot(kind) for kind in given if issubclass(kind, Order)}


def _looked_at(rules: Game[Any], state: Any) -> Iterable[str]:
    """What is wrong with a state, of which each seat asks to see what it may."""
    for seat in rules.seats:
        rules.view(state, seat.key)
        for phase in rules.phases:
            phase.open_to(state, seat.key)
    return rules.invariants(state)


def _spot(kind: type) -> Spot:
    _, first = inspect.getsourcelines(kind)
    return inspect.getsourcefile(kind) or "", first


def every_option(rules: Game[Any]) -> list[dict[str, str]]:
    """The options as they are by default, and each other choice of each option by itself."""
    others = [{o.key: choice} for o in rules.options for choice in o.choices if choice != o.choices[0]]
    return [{}, *others]


def unreached(key: str, called: set[Spot]) -> list[str]:
    """The cases met in code of which no function ran and no order was given.
    A case that only tables and other classes cite counts as met."""
    return [number for number, spots in cited(key).items() if spots and not spots & called]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("game")
    parser.add_argument("--random", type=int, default=4)
    parser.add_argument("--greedy", type=int, default=1)
    parser.add_argument("--units", action="store_true", help="run the game's unit tests too")
    asked = parser.parse_args()
    rules = game(asked.game)
    found = cited(asked.game)
    left = unreached(asked.game, played(rules, asked.random, asked.greedy, every_option(rules)))
    print(f"{asked.game}: {len(found)} cases met in code; play reaches {len(found) - len(left)}")
    if asked.units:
        with watched(asked.game) as called:
            pytest.main(["-q", "-n0", "-p", "no:cacheprovider", str(TESTS / asked.game)])
            units = unreached(asked.game, called())
        print(f"only unit tests reach: {', '.join(n for n in left if n not in units) or 'none'}")
        left = [number for number in left if number in units]
    print(f"not reached: {', '.join(left) or 'none'}")


if __name__ == "__main__":
    main()
