"""The checks as a class of tests for pytest: derive from it, name your game, and run pytest."""

from __future__ import annotations

import inspect
import os
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar

from pbem.engine.game import Game, GameState
from pbem.testing.casefile import case_files, faults_of_case
from pbem.testing.checks import CHECKS_OF_A_GAME, CHECKS_OF_A_PLAY, Suite
from pbem.testing.plays import Plan

SEEDS = int(os.environ.get("PBEM_SEEDS", "0"))
"""PBEM_SEEDS=30 plays 30 games of each kind; without it few are played, to keep tests quick."""

_suites: dict[type[Conformance], Suite] = {}


class Conformance:
    """Checks every rule that pbem has for games::

        class TestMine(Conformance):
            game = GAME

    What else may be set is explained in README.md of this package.
    """

    game: ClassVar[Game[Any]]
    tests: ClassVar[Path | None] = None
    """The folder of the game's tests, or the one module of them, with its case files in ``cases`` beside
    them; by default the folder of the class."""
    where: ClassVar[str] = ""
    """``package.module:GAME``, for a game that is no entry point."""
    whims: ClassVar[int] = 1
    """How many random games of each scenario are played where time is short."""
    greedy: ClassVar[Sequence[str]] = ()
    """The scenarios that the greedy bot plays where time is short; by default the first one."""
    silent: ClassVar[Sequence[Mapping[str, str]]] = ({},)
    """The options of the games in which no one writes a letter."""
    seeds: ClassVar[int] = SEEDS

    @staticmethod
    def hidden(state: GameState, seat: str) -> Iterable[GameState]:
        """States that differ from `state` only in what `seat` may not know; `state` itself stays as it is."""
        return ()

    @classmethod
    def suite(cls) -> Suite:
        """What is checked, made once for each class."""
        if cls not in _suites:
            tests = cls.tests or Path(inspect.getfile(cls)).parent
            silent = [dict(options) for options in cls.silent]
            _suites[cls] = Suite(
                cls.game,
                where=cls.where,
                tests=tests,
                seeds=cls.seeds,
                whims=cls.whims,
                greedy=cls.greedy,
                silent=silent,
                hidden=cls.hidden,
            )
        return _suites[cls]

    def pytest_generate_tests(self, metafunc: Any) -> None:
        """Make one test of each check, for each game that is played, and of each case file."""
        suite = self.suite()
        asked = set(metafunc.fixturenames)
        if {"plan", "check_of_a_play"} <= asked:
            pairs = [(plan, check) for plan in suite.plans() for check in CHECKS_OF_A_PLAY]
            ids = [f"{plan}-{check}" for plan, check in pairs]
            metafunc.parametrize(("plan", "check_of_a_play"), pairs, ids=ids)
        if "check_of_a_game" in asked:
            metafunc.parametrize("check_of_a_game", list(CHECKS_OF_A_GAME))
        if "case_file" in asked:
            files = case_files(suite.tests)
            metafunc.parametrize("case_file", files, ids=[path.stem for path in files])

    def test_a_game_of_bots(self, plan: Plan, check_of_a_play: str) -> None:
        """A game that bots play passes every check."""
        suite = self.suite()
        _nothing(CHECKS_OF_A_PLAY[check_of_a_play](suite, suite.play(plan)))

    def test_the_game(self, check_of_a_game: str) -> None:
        """The game as a whole passes every check."""
        _nothing(CHECKS_OF_A_GAME[check_of_a_game](self.suite()))

    def test_a_case_file(self, case_file: Path) -> None:
        """What a case file expects happens."""
        _nothing(faults_of_case(self.game, case_file))


def _nothing(faults: Iterable[str]) -> None:
    __tracebackhide__ = True
    found = list(faults)
    if found:
        more = [f"and {len(found) - 10} more"] if len(found) > 10 else []
        raise AssertionError("\n".join([*found[:10], *more]))
