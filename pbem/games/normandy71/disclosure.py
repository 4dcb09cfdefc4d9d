"""Which names each side may read: those of Allied units are public, those of German units are secret (U,
ENT.B).

To the Allied player a German unit is what is printed on it ("7-2")."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from pbem.engine.notes import Note
from pbem.games.normandy71.state import State, Unit

Names = tuple[str, ...]


def name_for(unit: Unit, seat: str) -> str:
    """What `seat` may call the unit: its id, or the kind of a German unit to the Allied player."""
    return unit.kind if unit.side == "german" and seat == "allied" else unit.id


def names_for(units: Iterable[Unit], seat: str) -> Names:
    """What `seat` may call these units, in their order."""
    return tuple(name_for(unit, seat) for unit in units)


def disclose(state: State, units: Iterable[Unit], make: Callable[[Names, tuple[str, ...]], Note]) -> None:
    """Log a note that names units: `make(names, readers)` is called once, or once for each side
    if what they may read differs."""
    told = list(units)
    if all(unit.side == "allied" for unit in told):
        state.note(make(names_for(told, "german"), ()))
        return
    for seat in ("allied", "german"):
        state.note(make(names_for(told, seat), (seat,)))
