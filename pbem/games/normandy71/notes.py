"""What the log of Normandy (1971) can say. The wording is in ``templates/normandy71/log.txt.j2``.

A unit of the other side is named by its kind ("7-2"), never by its id: `names` holds what this reader
may read. Notes about what lies under a marker come in two versions, one for its owner and one for the enemy.
"""

from __future__ import annotations

from collections.abc import Iterator

from pbem.engine.board import Arrow, Battle
from pbem.engine.facts import Prose
from pbem.engine.notes import Note
from pbem.engine.tally import Modifier
from pbem.wargame import notes as shared


class Drawn(Note):
    """INV.1B For the German player: the order of battle that the Allied die chose."""

    chart = "orders of battle"
    cell = ("die", "order_of_battle")

    die: int
    order_of_battle: str
    title: Prose


class DieCast(Note):
    """INV.1B For the Allied player: only the die."""

    chart = "orders of battle"
    cell = ("die",)

    die: int


class Deployed(Note):
    """A side has finished its secret deployment."""

    side: str


class FilledIn(Note):
    """INV.1A, INV.1B For its owner: where the default plan or set-up puts the units that were left open.
    `places` holds each hex or beach with its units, `supply` the supply areas that it chose."""

    places: tuple[tuple[str, tuple[str, ...]], ...]
    supply: tuple[str, ...] = ()


class Landed(Note):
    """Units come ashore: first wave, commandos, reinforcements, gliders."""

    side: str
    names: tuple[str, ...]
    hex: str
    how: str
    """invasion, commando, reinforcement, glider"""


class Dropped(Note):
    """INV.1C A parachute unit comes down. `landed` is None when it was destroyed, `why` is then in the sea,
    off the map, on a German unit or destroyed in the drop."""

    chart = "parachute scatter"
    cell = ("table", "die", "scatter", "direction_die", "direction", "landed", "why")

    name: str
    zone: str
    table: str
    die: int
    scatter: int
    """Hexes from the drop zone."""
    direction: str
    direction_die: int = 0
    """The die for the direction, the next one after `roll`; 0 if none was rolled."""
    landed: str | None
    why: str = ""
    inverted: bool = False


class Moved(shared.Travelled):
    """MOV Units move; `path` begins where they were. `points` were spent, `of` were there."""

    points: float = 0.0
    of: float = 0.0


class Entered(shared.Entered):
    """OOB.R German reinforcements enter the map."""


class Exited(Note):
    """VIC.X Allied units leave the map by road."""

    side: str
    names: tuple[str, ...]
    hex: str
    edge: str


class Broken(Note):
    """STK.B, STK.E A unit is broken down, or built from parts (`into` then holds one name)."""

    side: str
    names: tuple[str, ...]
    into: tuple[str, ...]
    hex: str


class Allotted(Note):
    """COM For the attacker: an attack that it has written, with the units that take part.
    `missions` names a mission or "" for each hex."""

    attacker: str
    hexes: tuple[str, ...]
    attackers: tuple[str, ...]
    missions: tuple[str, ...]


class Attacked(shared.MapNote):
    """COM One combat, with all that decided it. Strengths are as counted, after halving."""

    chart = "combat results"
    cell = ("column", "total", "result")

    attacker: str
    hexes: tuple[str, ...]
    origins: tuple[str, ...]
    attackers: tuple[str, ...]
    defenders: tuple[str, ...]
    attack_strength: float
    defence_strength: float
    attack_parts: tuple[Modifier, ...]
    defence_parts: tuple[Modifier, ...]
    column: str
    die: int
    modifiers: tuple[Modifier, ...]
    total: int
    result: str

    def battles(self) -> Iterator[Battle]:
        for hex in self.hexes:
            yield Battle(hex, f"R{self.roll}", self.origins)


class Retreated(shared.MapNote):
    """COM A unit retreats along a path that the other side chose."""

    side: str
    name: str
    path: tuple[str, ...]

    def arrows(self) -> Iterator[Arrow]:
        yield Arrow(self.path, self.side, "retreat")


class Lost(shared.Perished):
    """A unit is removed: `why` is combat, exchange, no retreat, paratroops, drop, inverted."""

    why: str


class Announced(Note):
    """ENT Units in these hexes will try to entrench at the end of their next player-turn."""

    side: str
    names: tuple[str, ...]
    hexes: tuple[str, ...] = ()


class Dug(Note):
    """ENT A unit has tried to entrench."""

    cell = ("die", "needed", "success")

    side: str
    name: str
    hex: str
    die: int
    needed: int
    success: bool


class MarkerGone(Note):
    """ENT An entrenchment marker leaves the map: `why` is removed, attacked out, empty."""

    side: str
    hex: str
    why: str


class Revealed(Note):
    """ENT.B What lay under a marker that is attacked."""

    reveals = True

    side: str
    hex: str
    names: tuple[str, ...]


class Gunfire(Note):
    """NAV A mission fires in defence; in attack it is part of the combat."""

    hex: str
    mission: str
    strength: int


class BeachLost(Note):
    """SUP.H For the Allied player only: a German unit has entered one of its supply areas."""

    beach: str
    hex: str


class InSupplyNow(Note):
    """PAR.D For the Allied player: a parachute unit has come into supply for the first time."""

    name: str
    hex: str
