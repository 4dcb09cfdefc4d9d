"""Naval gunfire support (NAV): missions of ships at sea that join the battles of Allied units.

Each mission fires once in attack and once in defence per game-turn, undivided, at one hex, and only with
Allied units in the combat (NAV.A); `state.fired` keeps count. The range is counted from any all-sea hex
(NAV.G) to the defending hex, whichever side defends. Option ``naval`` chooses the figures: literal or
monotone."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Literal

from pbem.engine.errors import NotAllowed
from pbem.games.normandy71.state import Hex, State
from pbem.games.normandy71.tables import ALL_SEA, MAP, MissionKind, missions

Use = Literal["attack", "defence"]
ANY, NONE = "any", "none"


def _ranges() -> dict[Hex, int]:
    """NAV How far every hex is from the nearest all-sea hex."""
    grid = MAP.grid
    ranges: dict[Hex, int] = {}
    reached, steps = ALL_SEA, 0
    fresh = reached
    while fresh:
        ranges.update((hex, steps) for hex in grid.named(fresh))
        fresh = grid.spread(reached) & ~reached
        reached |= fresh
        steps += 1
    return ranges


RANGES = _ranges()
"""NAV.G How far every hex is from the sea: a mission may fire from any all-sea hex."""


def mission(state: State, kind: str) -> MissionKind:
    """The figures of a kind of mission."""
    return next(each for each in missions(state) if each.key == kind)


def strength(mission: MissionKind, use: Use) -> int:
    """NAV.D, NAV.E The whole strength of a mission, in attack or in defence."""
    return mission.attack if use == "attack" else mission.defence


def left(state: State, use: Use) -> Counter[str]:
    """NAV.B How many missions of each kind can still fire in attack (or defence) this game-turn."""
    return Counter(
        {m.key: m.count - state.fired.get(f"{use} {m.key}", 0) for m in missions(state) if strength(m, use)}
    )


def in_range(state: State, hex: Hex, use: Use, remaining: Counter[str]) -> list[MissionKind]:
    """NAV The kinds of mission that can fire at a defending hex, the strongest first."""
    found = [
        m for m in missions(state) if strength(m, use) and remaining[m.key] > 0 and RANGES[hex] <= m.range
    ]
    return sorted(found, key=lambda m: (-strength(m, use), m.range))


def choose(
    state: State, hexes: tuple[Hex, ...], wanted: tuple[str, ...], remaining: Counter[str]
) -> dict[Hex, str]:
    """NAV.A, NAV.C, NAV.F One mission for each of the first attacked hexes, as ordered; "any" is the
    strongest in range. Raises NotAllowed for a surplus mission and for one that is out of range or already
    used."""
    if len(wanted) > len(hexes):
        raise NotAllowed("at most 1 mission may fire at each attacked hex", "NAV.C")
    remaining = remaining.copy()
    chosen: dict[Hex, str] = {}
    for hex, word in zip(hexes, wanted, strict=False):
        if word == NONE:
            continue
        reach = [m.key for m in in_range(state, hex, "attack", remaining)]
        if word == ANY and not reach:
            raise NotAllowed(f"no remaining mission reaches {hex}", "NAV", legal=(NONE,))
        if word != ANY and word not in reach:
            why = "is used up" if remaining[word] <= 0 else f"does not reach {hex}"
            raise NotAllowed(
                f"{word} gunfire {why}", "NAV.B" if remaining[word] <= 0 else "NAV", legal=(*reach, NONE)
            )
        chosen[hex] = reach[0] if word == ANY else word
        remaining[chosen[hex]] -= 1
    return chosen


def fire(state: State, use: Use, kinds: Iterable[str]) -> None:
    """NAV.B Count missions as used."""
    for kind in kinds:
        key = f"{use} {kind}"
        state.fired[key] = state.fired.get(key, 0) + 1


def together(remaining: Counter[str], answers: Iterable[str]) -> None:
    """NAV.B Refuse more missions of a kind than are left. Raises NotAllowed."""
    for kind, count in Counter(answer for answer in answers if answer != NONE).items():
        if count > remaining[kind]:
            left = remaining[kind]
            are = f"mission is left, not {count}" if left == 1 else f"missions are left, not {count}"
            raise NotAllowed(f"only {left} {kind} {are}", "NAV.B")
