"""Every game of this package, and the game of the guide, passes all checks of pbem.testing.

``PBEM_SEEDS=30 pytest tests/test_conformance.py`` plays 30 games of each kind, all of them to their end.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations, islice
from pathlib import Path
from typing import Any

from fourth_game import GAME as CLASH
from sizes import size, some

from pbem.engine.game import Game, GameState
from pbem.games.falaise import GAME as FALAISE
from pbem.games.france44 import GAME as FRANCE44
from pbem.games.france44.state import ENEMY
from pbem.games.normandy44 import GAME as NORMANDY44
from pbem.games.normandy71 import GAME as NORMANDY71
from pbem.games.rampage import GAME as RAMPAGE
from pbem.testing import Conformance
from pbem.tour import GAME as TOUR

GAMES = Path(__file__).parent / "games"


PAIRS, EXCHANGED = size(10, 60), size(1, 2)
"""Pairs of units that are tried in one position, and of those that a seat cannot tell apart are compared."""


def another(rules: Game[Any], state: GameState) -> Any:
    """The same state once more, to be changed."""
    return rules.load(rules.dump(state))


def exchanged(rules: Game[Any], state: Any, seat: str) -> Iterator[GameState]:
    """The state with two enemy units in each other's hexes, for the first few pairs of which the seat sees
    nothing."""
    seen = rules.view(state, seat)
    foes = [unit.id for unit in state.units.values() if unit.side != seat and unit.place == "map"]
    pairs = ((a, b) for a, b in combinations(foes, 2) if state.units[a].hex != state.units[b].hex)
    found = 0
    for a, b in islice(pairs, PAIRS):
        other = another(rules, state)
        one, two = other.units[a], other.units[b]
        one.hex, two.hex = two.hex, one.hex
        if rules.view(other, seat) == seen:
            yield other
            if (found := found + 1) == EXCHANGED:
                return


class TestNormandy71(Conformance):
    game = NORMANDY71
    whims = size(1, 2)
    tests = GAMES / "normandy71"

    @staticmethod
    def hidden(state: GameState, seat: str) -> Iterator[GameState]:
        """INV.1A, SUP.H Which beaches supply the Allies; INV.1B which order of battle the Germans have; ENT.B
        what lies under a marker."""
        other = another(NORMANDY71, state)
        if seat == "german" and other.phase == "deployment":
            return
        if seat == "german":
            other.plan.supply = ["16 Sword"] if other.plan.supply != ["16 Sword"] else ["3 Utah"]
        else:
            other.order_of_battle = "B" if other.order_of_battle == "A" else "A"
        yield other
        yield from exchanged(NORMANDY71, state, seat)


class TestRampage(Conformance):
    game = RAMPAGE
    whims = size(2, 4)
    tests = GAMES / "rampage"
    silent = ({"heavy_bombers": "yes", "afp": "round"}, {"command": "two", "airborne": "both"})


class TestFalaise(Conformance):
    game = FALAISE
    tests = GAMES / "falaise"

    @staticmethod
    def hidden(state: GameState, seat: str) -> Iterator[GameState]:
        """3.1 In what state the unknown forces are."""
        other = another(FALAISE, state)
        unknown = [unit for unit in other.units.values() if unit.place == "unknown"]
        if seat == "allied" and unknown:
            unknown[0].disrupted = not unknown[0].disrupted
            yield other


class TestNormandy44(Conformance):
    game = NORMANDY44
    tests = GAMES / "normandy44"
    greedy = some(("cherbourg", "cobra"), 1)


class TestFrance44(Conformance):
    game = FRANCE44
    tests = GAMES / "france44"
    greedy = some(("falaise", "westwall"), 1)

    @staticmethod
    def hidden(state: GameState, seat: str) -> Iterator[GameState]:
        """2.0.8 How many of its points the other side has committed for the next turn."""
        other = another(FRANCE44, state)
        enemy = ENEMY[seat]
        if other.phase != "begin" and other.supply[enemy]:
            other.supply[enemy] -= 1
            other.committed[enemy] += 1
            yield other


class TestTour(Conformance):
    game = TOUR
    where = "pbem.tour:GAME"
    tests = Path(__file__).parent / "service" / "test_tour.py"


class TestClash(Conformance):
    game = CLASH
    tests = Path(__file__).parent / "test_fourth_game.py"
    whims = 4

    @staticmethod
    def hidden(state: GameState, seat: str) -> Iterator[GameState]:
        """1.1 Where the prize lies, which blue does not know."""
        if seat == "blue" and state.phase != "hide":
            yield replace(state, prize="0301" if state.prize != "0301" else "0302")
