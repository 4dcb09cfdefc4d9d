"""Setting up: the Allied order of battle, and the German one when it has been drawn (OOB.A, OOB.B, OOB.C,
OOB.D, OOB.E, OOB.F)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from pbem.games.normandy71.state import State, Unit
from pbem.games.normandy71.tables import OOB, UNITS


def setup(scenario: str, options: Mapping[str, str]) -> State:
    """The state before the secret deployment: no Allied unit has arrived, and there are no German units
    yet."""
    state = State(scenario=scenario, options=dict(options), turn=1)
    for line in OOB.allied:
        kind = UNITS.get("allied", line.kind, line.type)
        for name in line.names:
            state.units[name] = kind.unit(name, nation=line.nation, arrives=line.turn, entry=line.entry)
    return state


def create_germans(state: State, letter: str) -> tuple[Unit, ...]:
    """INV.1B Create the German units of the order of battle that was drawn. Names are given in the same order
    for each.

    Units that begin on the map have their setup area in `entry`, reinforcements the turn and the edges of
    their arrival."""
    order, names = OOB.of(letter), {kind.name: iter(kind.names) for kind in UNITS.kind if kind.names}
    units = [
        *(unit for line in order.start for unit in _made(line.units, names, 0, line.area, ())),
        *(
            unit
            for line in order.later
            for unit in _made(line.units, names, line.turn, "reinforcement", line.edges)
        ),
    ]
    state.order_of_battle = letter
    # The same order for every order of battle: the Allied player sees these units in the order of this table.
    units.sort(key=lambda unit: (unit.kind, unit.type))
    state.units.update({unit.id: unit for unit in units})
    return tuple(units)


def _made(
    counts: Mapping[str, int],
    names: Mapping[str, Iterator[str]],
    turn: int,
    entry: str,
    edges: tuple[str, ...],
) -> Iterator[Unit]:
    for name, count in counts.items():
        kind = next(kind for kind in UNITS.kind if kind.name == name and kind.names)
        for _ in range(count):
            yield kind.unit(next(names[name]), nation="DE", arrives=turn, entry=entry, edges=edges)
