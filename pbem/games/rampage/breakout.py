"""Breakouts (11.2, 11.6, 12.5, 14.2): by which case and out of which hex they come, and,
before they are played, who will come and how likely the force that has sealed the pocket is lost.

The forecast takes every step of pockets.py, with lots and dice weighed in place of being drawn.
Of a German unit only its arm and its colour count.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from itertools import product
from math import comb

from pbem.engine.tally import Modifier
from pbem.games.rampage.battle import Battlefield, EnemyShape, Firing, german_fire, sums
from pbem.games.rampage.state import German, Hex, State
from pbem.games.rampage.tables import AFP, CHARTS, FORTRESSES, GRID, MAP, is_city, is_west

# --- the case, the die and the hex of exit ---


def seals(state: State, field: Iterable[Hex]) -> bool:
    """11.2, 11.6 Whether a pocket holds the divisions of the Argentan-Falaise Pocket."""
    return state.afp == "standing" and AFP in field


def breakout_case(state: State, hexes: tuple[Hex, ...]) -> str:
    """Which case brings the Germans together: that of the hex of the Argentan-Falaise Pocket alone,
    of a larger pocket with it, or of any other."""
    if not seals(state, hexes):
        return "12.5"
    return "11.2" if hexes == (AFP,) else "11.6"


def breakout_parts(hexes: tuple[Hex, ...]) -> tuple[Modifier, ...]:
    """12.5 The modifier of the die for the size of a breakout: -3 if the whole pocket is west
    of the Western Position Line."""
    plus = CHARTS.defence.west if all(map(is_west, hexes)) else CHARTS.defence.east
    return (Modifier(plus, "12.5", "pocket west of the line"),) if plus else ()


def way_out(field: tuple[Hex, ...], hex: Hex) -> Hex:
    """12.5 Out of which hex of the pocket the Germans come: next to the hex that has fallen,
    open ground first (10.2), then that of the Argentan-Falaise Pocket."""
    near = [each for each in field if GRID.are_neighbours(each, hex)] or list(field)
    return min(near, key=lambda each: (MAP.has(each, "rough") or is_city(each), each != AFP, each))


# --- the forecast ---

KINDS: tuple[EnemyShape, ...] = tuple(
    EnemyShape(arm, elite) for elite in (True, False) for arm in ("armour", "infantry")
)
Mix = tuple[int, ...]
"""How many German units there are of each of the KINDS."""
Ways = dict[tuple[Mix, Mix], Fraction]
"""(who breaks out so far, who is left in the pool) -> how likely."""


@dataclass(frozen=True, slots=True)
class Breakout:
    """A breakout that is still to come: how many units try it, and the chance that none of the units
    that meet it is left. Where bombers may be called, `bombed` is the same after they were."""

    case: str
    sizes: dict[int, Fraction]
    lost: Fraction
    bombed: Breakout | None = None


def forecast(
    state: State,
    pocket: Sequence[Hex],
    hex: Hex,
    units: Sequence[Firing],
    defenders: Sequence[German] = (),
) -> Breakout | None:
    """12.5 The breakout of a pocket through the hex that sealed it, which these units hold; `defenders` of
    earlier battles may be in the pocket. None for fortress cities only, which do not break out (12.8)."""
    field = tuple(each for each in pocket if each not in FORTRESSES)
    if not field:
        return None
    calm = _weighed(state, pocket, field, hex, units, defenders, bombers=False)
    if not (seals(state, field) and state.options.get("heavy_bombers") == "yes"):
        return calm
    hit = _weighed(state, pocket, field, hex, units, defenders, bombers=True)
    return replace(calm, bombed=hit)


def _weighed(
    state: State,
    pocket: Sequence[Hex],
    field: tuple[Hex, ...],
    hex: Hex,
    units: Sequence[Firing],
    defenders: Sequence[German],
    bombers: bool,
) -> Breakout:
    stranded = [unit for unit in defenders if unit.hex in field]
    held = {unit.hex for unit in defenders}
    pool = _kinds(unit for unit in state.germans.values() if unit.place == "pool")
    pocketed = _kinds(unit for unit in state.germans.values() if unit.place == "afp" and seals(state, field))
    ways: Ways = {(pocketed, pool): Fraction(1)}
    for fortress in pocket:
        if fortress in FORTRESSES and fortress not in held:
            ways = _garrisoned(ways)
    if bombers:
        ways = _bombed(ways)
    ways = {(_plus(force, _kinds(stranded)), left): weight for (force, left), weight in ways.items()}
    if (case := breakout_case(state, tuple(pocket))) != "11.2":
        ways = _joined(ways, sum(part.value for part in breakout_parts(tuple(pocket))))
    sizes: dict[int, Fraction] = {}
    lost = Fraction(0)
    ground = Battlefield(hex, way_out(field, hex), "breakout")
    steps = sum(unit.steps for unit in units)
    for (force, _), weight in ways.items():
        size = sum(force)
        sizes[size] = sizes.get(size, Fraction(0)) + weight
        lost += weight * _at_least(ground, force, steps)
    return Breakout(case, dict(sorted(sizes.items())), lost)


def _kinds(units: Iterable[German]) -> Mix:
    kinds = [EnemyShape(unit.type, unit.elite) for unit in units]
    return tuple(kinds.count(kind) for kind in KINDS)


def _plus(one: Mix, other: Mix, sign: int = 1) -> Mix:
    return tuple(a + sign * b for a, b in zip(one, other, strict=True))


@lru_cache(maxsize=4096)
def drawn(pool: Mix, count: int) -> tuple[tuple[Mix, Fraction], ...]:
    """8.2, 8.7 Whom `count` blind lots out of a pool may bring, and how likely;
    all of it where it holds no more."""
    count = min(count, sum(pool))
    total = comb(sum(pool), count)
    found = []
    for mix in product(*(range(min(count, each) + 1) for each in pool)):
        if sum(mix) == count:
            ways = 1
            for each, taken in zip(pool, mix, strict=True):
                ways *= comb(each, taken)
            found.append((mix, Fraction(ways, total)))
    return tuple(found)


def _garrisoned(ways: Ways) -> Ways:
    """12.9 One unit that is not elite leaves the pool for a fortress."""
    found: Ways = {}
    for (force, pool), weight in ways.items():
        ordinary = tuple(0 if kind.elite else each for kind, each in zip(KINDS, pool, strict=True))
        for mix, chance in drawn(ordinary, 1):
            _add_way(found, force, _plus(pool, mix, -1), weight * chance)
    return found


def _bombed(ways: Ways) -> Ways:
    """14.2 The dice of the bombers move that many divisions from the pocket into the pool."""
    found: Ways = {}
    faces = 6**CHARTS.bombers.dice
    for (force, pool), weight in ways.items():
        for dice in product(range(1, 7), repeat=CHARTS.bombers.dice):
            for mix, chance in drawn(force, sum(dice)):
                _add_way(found, _plus(force, mix, -1), _plus(pool, mix), weight * chance / faces)
    return found


def _joined(ways: Ways, plus: int) -> Ways:
    """12.5, 11.6 A die says how many units of the pool join in."""
    found: Ways = {}
    for (force, pool), weight in ways.items():
        for die in range(1, 7):
            for mix, chance in drawn(pool, max(0, die + plus)):
                _add_way(found, _plus(force, mix), _plus(pool, mix, -1), weight * chance / 6)
    return found


def _add_way(ways: Ways, force: Mix, pool: Mix, weight: Fraction) -> None:
    ways[force, pool] = ways.get((force, pool), Fraction(0)) + weight


@lru_cache(maxsize=4096)
def _at_least(ground: Battlefield, force: Mix, steps: int) -> Fraction:
    """10.1, 12.5 The chance that the only fire of a breakout hits at least `steps` steps, all there are."""
    units = [kind for kind, count in zip(KINDS, force, strict=True) for _ in range(count)]
    hits = sums([fire for elite in (True, False) for fire in german_fire(ground, True, units, elite)])
    return Fraction(sum(ways for hit, ways in hits.items() if hit >= steps), sum(hits.values()))
