"""The chances of a battle by another road: dice folded into each other by hand, round by round,
without the rules' own code.

Charts are written out here once more (10.2, 10.3, 10.5), so that a slip in one of the two shows.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

Chances = dict[int, Fraction]
Force = tuple[tuple[str, str, int], ...]
"""Firing row, arm, steps of each unit."""

STEPS = {"us": (0, 0, 0, 1, 1, 2), "british": (0, 0, 0, 0, 1, 2), "german": (0, 0, 0, 0, 1, 1)}


def one_die(row: str, modifier: int) -> Chances:
    """How likely each number of steps is with one die."""
    found: Chances = {}
    for face in range(1, 7):
        steps = STEPS[row][min(6, max(1, face + modifier)) - 1]
        found[steps] = found.get(steps, Fraction(0)) + Fraction(1, 6)
    return found


def folded(a: Chances, b: Chances) -> Chances:
    """How likely each sum of two independent numbers is."""
    found: Chances = {}
    for x, p in a.items():
        for y, q in b.items():
            found[x + y] = found.get(x + y, Fraction(0)) + p * q
    return found


def volley(units: Iterable[tuple[str, str, int]], armour: int, everybody: int) -> Chances:
    """The steps that a force hits: `armour` modifies the dice of armour, `everybody` all of them."""
    total: Chances = {0: Fraction(1)}
    for row, arm, dice in units:
        for _ in range(dice):
            total = folded(total, one_die(row, everybody + (armour if arm == "armour" else 0)))
    return total


def hit(force: Force, steps: int) -> Force:
    """An Allied force that has taken losses: reduced divisions first, infantry before armour among equals."""
    left = list(force)
    for _ in range(min(steps, sum(each[2] for each in left))):
        at = min(range(len(left)), key=lambda i: (left[i][2], left[i][1] != "infantry", i))
        row, arm, there = left.pop(at)
        if there == 2:
            left.insert(at, (row, arm, 1))
    return tuple(left)


def killed(elite: Force, others: Force, steps: int) -> tuple[Force, Force]:
    """The Germans after losses: elites first, armour before infantry among equals."""
    spare = max(0, steps - len(elite))
    return _without(elite, steps), _without(others, spare)


def _without(units: Force, steps: int) -> Force:
    return tuple(sorted(units, key=lambda each: each[1] != "armour"))[min(steps, len(units)) :]


def results(
    allies: Force,
    elite: Force,
    others: Force,
    *,
    attack: int = 0,
    defence: int = 0,
    river: bool = False,
    rounds: int = 6,
) -> tuple[Fraction, Fraction]:
    """The chances that the Germans are gone within this many rounds, and that the Allies are. `attack` and
    `defence` modify the armour of either side, a river adds one to every German die of the first round."""
    fights: dict[tuple[Force, Force, Force], Fraction] = {(allies, elite, others): Fraction(1)}
    won, lost = Fraction(0), Fraction(0)
    for number in range(rounds):
        across = 1 if river and number == 0 else 0
        later: dict[tuple[Force, Force, Force], Fraction] = {}
        for (force, e, o), weight in fights.items():
            for after, chance in one_round(force, e, o, attack, defence, across).items():
                if not after[0]:
                    lost += weight * chance
                elif not after[1] and not after[2]:
                    won += weight * chance
                else:
                    later[after] = later.get(after, Fraction(0)) + weight * chance
        fights = later
    return won, lost


def one_round(
    force: Force, elite: Force, others: Force, attack: int, defence: int, across: int
) -> dict[tuple[Force, Force, Force], Fraction]:
    """10.1 Where a round leads: elites first, then everybody else at once."""
    found: dict[tuple[Force, Force, Force], Fraction] = {}
    for first, p in volley(elite, defence, across).items():
        shot_at = hit(force, first)
        for back, q in volley(others, defence, across).items():
            for steps, r in volley(shot_at, attack, 0).items():
                after = (hit(shot_at, back), *killed(elite, others, steps))
                found[after] = found.get(after, Fraction(0)) + p * q * r
    return found
