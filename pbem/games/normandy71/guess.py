"""What a side cannot see, drawn anew for imagined games (INV.1B, ENT.B, SUP.H): its view stays the same.

To the Allies the German order of battle is unknown, with all that is still to come, and so are the stacks
under German markers. To the Germans the Allied plan is unknown until it is carried out, the supply areas to
the end, and so is which Allied unit is under which marker.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from random import Random

from pbem.games.normandy71 import stacking
from pbem.games.normandy71.deployment import AREAS
from pbem.games.normandy71.state import Hex, State, Unit
from pbem.games.normandy71.tables import BEACHES, DEFAULTS, OOB, UNITS

TRIES = 8
"""How often hidden units are dealt out to the markers before another order of battle is tried."""


def sample(state: State, seat: str, chance: Random) -> None:
    """Draw all that the seat cannot see anew, in place."""
    if seat == "allied":
        if state.order_of_battle:
            _germans(state, chance)
    else:
        _allies(state, chance)


# --- what the Allies cannot see --------------------------------------------------------------------------


def _germans(state: State, chance: Random) -> None:
    """An order of battle that has everything seen so far, and units of it under the markers. If none is
    found, everything stays as it is."""
    germans = [unit for unit in state.units.values() if unit.side == "german"]
    known = [unit for unit in germans if unit.place == "lost" or _open(state, unit)]
    marked = _marked(state, "german")
    letters = [order.letter for order in OOB.german]
    chance.shuffle(letters)
    for letter in letters:
        pool = _rest(letter, known, state.turn)
        if pool is None:
            continue
        for _ in range(TRIES):
            if (dealt := _dealt(state, pool, marked, chance)) is not None:
                _put(state, letter, known, dealt)
                return


def _open(state: State, unit: Unit) -> bool:
    """Whether the enemy sees what the unit is."""
    return unit.place == "map" and not state.entrenched(unit)


def _marked(state: State, side: str) -> tuple[Hex, ...]:
    """The hexes with units of a side under a marker."""
    return tuple(
        sorted(
            {
                unit.placed
                for unit in state.units.values()
                if unit.hex and state.entrenched(unit) and unit.side == side
            }
        )
    )


def _rest(letter: str, known: Sequence[Unit], turn: int) -> list[Unit] | None:
    """The units of an order of battle without the known ones; None if it does not have those."""
    seen: Counter[str] = Counter()
    wholes: dict[str, str] = {}
    for unit in known:
        if unit.part_of:
            wholes[unit.part_of] = unit.whole
        else:
            seen[unit.kind] += 1
    seen.update(wholes.values())
    used = {unit.part_of or unit.id for unit in known}
    order = OOB.of(letter)
    lines = [(0, line.area, (), line.units) for line in order.start]
    later = [(line.turn, "reinforcement", line.edges, line.units) for line in order.later]
    pool: list[Unit] = []
    names = {
        kind.name: iter([name for name in kind.names if name not in used])
        for kind in UNITS.kind
        if kind.names
    }
    for arrives, entry, edges, counts in (*lines, *sorted(later, key=lambda line: line[0])):
        for name, count in counts.items():
            gone = min(count, seen[name]) if arrives <= turn else 0
            seen[name] -= gone
            kind = next(kind for kind in UNITS.kind if kind.name == name and kind.names)
            for _ in range(count - gone):
                id = next(names[name], "")
                if not id:
                    return None
                pool.append(kind.unit(id, nation="DE", arrives=arrives, entry=entry, edges=edges))
    return None if +seen else pool


def _dealt(state: State, pool: Sequence[Unit], marked: Sequence[Hex], chance: Random) -> list[Unit] | None:
    """The pool with its units under these markers, or still to come. None if it does not come out even: a
    unit that began on the map is under a marker, and no marker is empty."""
    units = [replace(unit) for unit in pool]
    chance.shuffle(units)
    units.sort(key=lambda unit: unit.arrives)
    stacks: dict[Hex, list[Unit]] = {hex: [] for hex in marked}
    for unit in units:
        if unit.arrives > state.turn:
            continue
        free = [hex for hex, there in stacks.items() if stacking.within_limit(hex, [*there, unit])]
        if state.turn == 1 and not unit.arrives:
            free = [hex for hex in free if hex in AREAS[unit.entry]]
        empty = [hex for hex in free if not stacks[hex]]
        if unit.arrives and not empty:
            continue
        if not free:
            return None
        unit.hex, unit.place = chance.choice(empty or free), "map"
        stacks[unit.hex].append(unit)
    return units if all(stacks.values()) else None


def _put(state: State, letter: str, known: Sequence[Unit], dealt: Iterable[Unit]) -> None:
    """Make this order of battle the one that is played."""
    allied = [unit for unit in state.units.values() if unit.side == "allied"]
    germans = sorted([*known, *dealt], key=lambda unit: (unit.kind, unit.type))
    state.units = {unit.id: unit for unit in (*allied, *germans)}
    state.announced = {id: turn for id, turn in state.announced.items() if id in state.units}
    state.retreated = [id for id in state.retreated if id in state.units]
    swapped = {letter: state.order_of_battle, state.order_of_battle: letter}
    state.assignment = tuple(swapped.get(each, each) for each in state.assignment)
    state.order_of_battle = letter


# --- what the Germans cannot see -------------------------------------------------------------------------


def _allies(state: State, chance: Random) -> None:
    """Another plan, if it has not been carried out, other supply areas, and other stacks under markers."""
    if state.turn == 1 and state.phase == "paradrop":
        _plan(state, chance)
    boxed = [unit for unit in state.units.values() if unit.place == "box"]
    _shuffle(boxed, ("beach",), chance)
    for beach in state.plan.beaches if state.phase == "allied_movement" and state.turn == 1 else ():
        state.plan.beaches[beach] = [unit.id for unit in boxed if unit.beach == beach]
    hidden = [unit for unit in state.on_map("allied") if state.entrenched(unit)]
    _shuffle(hidden, ("hex", "inverted"), chance)
    if state.plan.supply:
        beaches = list(state.plan.beaches)
        drawn = chance.sample(beaches, min(len(beaches), len(state.plan.supply)))
        entered = [
            beach
            for beach in beaches
            if beach in state.dead_beaches or state.holder(BEACHES[beach]) == "german"
        ]
        state.plan.supply = [beach for beach in BEACHES if beach in drawn]
        state.dead_beaches = [beach for beach in state.plan.supply if beach in entered]


def _plan(state: State, chance: Random) -> None:
    """The default plan with its regiments, tanks and drop zones dealt out anew."""
    default = DEFAULTS.plan
    landing = [state.units[id] for ids in default.beaches.values() for id in ids if id in state.units]
    for beach, ids in default.beaches.items():
        for id in ids:
            state.units[id].beach = beach
    _shuffle(landing, ("beach",), chance)
    state.plan.beaches = {
        beach: [unit.id for unit in landing if unit.beach == beach] for beach in default.beaches
    }
    for unit in landing:
        unit.beach = ""
    state.plan.supply = list(default.supply)
    state.plan.commandos = dict(default.commandos)
    zones = list(default.drops.values())
    chance.shuffle(zones)
    state.plan.drops = dict(zip(default.drops, zones, strict=True))


def _shuffle(units: Sequence[Unit], fields: Sequence[str], chance: Random) -> None:
    """Deal out what these fields say among units of one size."""
    for size in ("regiment", "battalion"):
        alike = [unit for unit in units if unit.size == size]
        values = [tuple(getattr(unit, field) for field in fields) for unit in alike]
        chance.shuffle(values)
        for unit, chosen in zip(alike, values, strict=True):
            for field, value in zip(fields, chosen, strict=True):
                setattr(unit, field, value)
