"""The order verbs of Normandy (1971): what a letter may say in each section."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from pbem.engine import verbs
from pbem.engine.language import ATTACK, GOES, Again, Order

# --- before the first turn ------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Land(Order):
    units: tuple[str, ...]
    beach: str

    verb: ClassVar[str] = "land"
    again: ClassVar[Again] = "instead"
    usage: ClassVar[str] = "land <units> (at|on) <beach>"
    help: ClassVar[str] = (
        "In the plan: these units land at this beach. Later: these reinforcements arrive at this supply area."
    )
    example: ClassVar[str] = "land 8/4, 70 at 3 Utah"
    case: ClassVar[str] = "INV.1A"
    sort: ClassVar[str] = GOES
    rank: ClassVar[int] = 1
    seats: ClassVar[tuple[str, ...]] = ("allied",)


@dataclass(frozen=True, slots=True)
class Supply(Order):
    beaches: tuple[str, ...]

    verb: ClassVar[str] = "supply"
    again: ClassVar[Again] = "instead"
    usage: ClassVar[str] = "supply [from] <beaches:beach...>"
    help: ClassVar[str] = (
        "Chooses your supply areas: at most 5 beaches where units land, hidden from the enemy."
    )
    example: ClassVar[str] = "supply 3 Utah, 8 Omaha, 11 Gold, 14 Juno, 16 Sword"
    case: ClassVar[str] = "INV.1A"
    seats: ClassVar[tuple[str, ...]] = ("allied",)

    def subjects(self) -> tuple[str, ...]:
        return ("supply",)


@dataclass(frozen=True, slots=True)
class Drop(Order):
    units: tuple[str, ...]
    hex: str

    arrives: ClassVar[bool] = True
    verb: ClassVar[str] = "drop"
    again: ClassVar[Again] = "instead"
    usage: ClassVar[str] = "drop <units> (at|on) <hex>"
    help: ClassVar[str] = "These parachute units jump over this hex; they may scatter."
    example: ClassVar[str] = "drop 505/82 at 5530"
    case: ClassVar[str] = "INV.1A"
    sort: ClassVar[str] = GOES
    seats: ClassVar[tuple[str, ...]] = ("allied",)


@dataclass(frozen=True, slots=True)
class Commando(Order):
    units: tuple[str, ...]
    hex: str

    arrives: ClassVar[bool] = True
    verb: ClassVar[str] = "commando"
    again: ClassVar[Again] = "instead"
    usage: ClassVar[str] = "commando <units> (at|on) <hex>"
    help: ClassVar[str] = "These commandos land at this partially-sea hex."
    example: ClassVar[str] = "commando 2Rangers at 4330"
    case: ClassVar[str] = "INV.1A"
    sort: ClassVar[str] = GOES
    seats: ClassVar[tuple[str, ...]] = ("allied",)


@dataclass(frozen=True, slots=True)
class Place(Order):
    units: tuple[str, ...]
    hex: str
    open: bool = False

    arrives: ClassVar[bool] = True
    verb: ClassVar[str] = "place"
    again: ClassVar[Again] = "instead"
    usage: ClassVar[str] = "place <units> [(at|on)] <hex> [(<open:=unentrenched>|entrenched)]"
    help: ClassVar[str] = "Sets up German units, entrenched unless you add `unentrenched`."
    example: ClassVar[str] = "place 919/709, 729/709 at 5231"
    case: ClassVar[str] = "INV.1B"
    sort: ClassVar[str] = GOES
    seats: ClassVar[tuple[str, ...]] = ("german",)


class UseDefault(verbs.UseDefault):
    help: ClassVar[str] = (
        "Places everything you have not placed yet, by the default invasion plan or the default setup."
    )
    case: ClassVar[str] = "INV.1A"


# --- movement -------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Move(Order):
    units: tuple[str, ...]
    path: tuple[str, ...]

    verb: ClassVar[str] = "move"
    again: ClassVar[Again] = "instead"
    excludes: ClassVar[tuple[str, ...]] = ("exit", "enter", "break")
    usage: ClassVar[str] = "[(move|advance)] <units> [to] <path>"
    help: ClassVar[str] = "Moves each unit along these hexes; where hexes are left out, by the cheapest path."
    example: ClassVar[str] = "move 8/4 to 4818 4918"
    case: ClassVar[str] = "MOV"
    sort: ClassVar[str] = GOES
    rank: ClassVar[int] = 1


@dataclass(frozen=True, slots=True)
class Exit(Order):
    units: tuple[str, ...]
    hex: str

    verb: ClassVar[str] = "exit"
    again: ClassVar[Again] = "instead"
    excludes: ClassVar[tuple[str, ...]] = ("move", "break")
    usage: ClassVar[str] = "exit <units> (at|by|from) <hex>"
    help: ClassVar[str] = "These Allied units move to this exit hex and leave the map by its road."
    example: ClassVar[str] = "exit 22Armd/7 at 0109"
    lasting: ClassVar[bool] = True
    case: ClassVar[str] = "VIC.X"
    sort: ClassVar[str] = GOES
    rank: ClassVar[int] = 1
    seats: ClassVar[tuple[str, ...]] = ("allied",)


@dataclass(frozen=True, slots=True)
class Break(Order):
    unit: str

    verb: ClassVar[str] = "break"
    again: ClassVar[Again] = "instead"
    excludes: ClassVar[tuple[str, ...]] = ("move", "exit")
    usage: ClassVar[str] = "break <unit> [(down|up)] [into <parts:number>]"
    help: ClassVar[str] = (
        "Breaks a unit down into its parts, which are named after it: 8/4 becomes 8/4a, 8/4b and 8/4c."
    )
    example: ClassVar[str] = "break 8/4"
    case: ClassVar[str] = "STK.B"
    parts: int | None = None


@dataclass(frozen=True, slots=True)
class Build(Order):
    units: tuple[str, ...]

    verb: ClassVar[str] = "build"
    again: ClassVar[Again] = "instead"
    usage: ClassVar[str] = "(build|rebuild) <units>"
    help: ClassVar[str] = "Rebuilds a larger unit from parts of the same type in one hex."
    example: ClassVar[str] = "build 8/4a, 8/4b, 8/4c"
    case: ClassVar[str] = "STK.E"

    @property
    def stage(self) -> int | None:
        """STK.E In the order written: parts may be rebuilt before they move, or where their moves end."""
        return None


@dataclass(frozen=True, slots=True)
class Enter(Order):
    units: tuple[str, ...]
    hex: str
    path: tuple[str, ...] = ()

    arrives: ClassVar[bool] = True
    verb: ClassVar[str] = "enter"
    again: ClassVar[Again] = "instead"
    excludes: ClassVar[tuple[str, ...]] = ("move",)
    usage: ClassVar[str] = "enter <units> at <hex> [to <path>]"
    help: ClassVar[str] = (
        "German reinforcements enter the map at this edge hex and may move on. Units that do not enter are "
        "withheld."
    )
    example: ClassVar[str] = "enter 130Pz at 0801 to 0902"
    case: ClassVar[str] = "OOB.R"
    sort: ClassVar[str] = GOES
    rank: ClassVar[int] = 1
    seats: ClassVar[tuple[str, ...]] = ("german",)


@dataclass(frozen=True, slots=True)
class Glide(Order):
    unit: str
    hex: str

    arrives: ClassVar[bool] = True
    verb: ClassVar[str] = "glide"
    again: ClassVar[Again] = "instead"
    usage: ClassVar[str] = "glide <unit> (to|at) <hex>"
    help: ClassVar[str] = (
        "Lands a glider unit within 4 hexes of a parachute unit, not on or adjacent to a German."
    )
    example: ClassVar[str] = "glide 325/82 to 5529"
    case: ClassVar[str] = "INV.4"
    sort: ClassVar[str] = GOES
    rank: ClassVar[int] = 1
    seats: ClassVar[tuple[str, ...]] = ("allied",)


@dataclass(frozen=True, slots=True)
class Disentrench(Order):
    hex: str

    verb: ClassVar[str] = "disentrench"
    again: ClassVar[Again] = "instead"
    usage: ClassVar[str] = "disentrench <hex>"
    help: ClassVar[str] = "Removes your entrenchment marker from this hex."
    example: ClassVar[str] = "disentrench 4817"
    case: ClassVar[str] = "ENT.E"


# --- combat ---------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Attack(Order):
    hexes: tuple[str, ...]
    units: tuple[str, ...] = ()
    origins: tuple[str, ...] = ()
    missions: tuple[str, ...] = ()

    verb: ClassVar[str] = "attack"
    again: ClassVar[Again] = "instead"
    usage: ClassVar[str] = (
        "attack <hexes> [from <origins:hexes>] [with <units>] [[(with|and)] [naval] <missions:mission...>]"
    )
    help: ClassVar[str] = (
        "Attacks the enemy in these hexes in one combat. If you name no units, every unit that can takes "
        "part, or every one in the `from` hexes. `naval` names one mission for each attacked hex."
    )
    example: ClassVar[str] = "attack 4817 with 8/4 + 22/4, naval heavy"
    case: ClassVar[str] = "COM"
    sort: ClassVar[str] = ATTACK
    rank: ClassVar[int] = 2


# --- the end of a player-turn ---------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Entrench(Order):
    units: tuple[str, ...]

    verb: ClassVar[str] = "entrench"
    again: ClassVar[Again] = "instead"
    usage: ClassVar[str] = "entrench <units>"
    help: ClassVar[str] = (
        "Announces that these units will sit out your next player-turn and then roll to entrench."
    )
    example: ClassVar[str] = "entrench 8/4, 22/4"
    case: ClassVar[str] = "ENT"


# --- conditions -----------------------------------------------------------------------------------------


class Empty(verbs.Empty):
    example: ClassVar[str] = "if 3120 is empty"


class Held(verbs.Held):
    example: ClassVar[str] = "if 3120 is held by the enemy"


class Alive(verbs.Alive):
    example: ClassVar[str] = "if 8/4 is alive"

    def holds(self, state: Any, seat: str) -> bool:
        return verbs.Alive.holds(self, state, seat) and bool(state.units[self.unit].side == seat)
