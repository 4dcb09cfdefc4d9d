"""The order verbs of Normandy (1971): what a letter may say in each section."""

from __future__ import annotations

from typing import Any

from pbem.engine import verbs
from pbem.engine.language import ATTACK, GOES, Order

# --- before the first turn ------------------------------------------------------------------------------


class Land(Order):
    usage = "land <units> (at|on) <beach>"
    help = (
        "In the plan: these units land at this beach. Later: these reinforcements arrive at this supply area."
    )
    example = "land 8/4, 70 at 3 Utah"
    case = "INV.1A"
    again = "instead"
    sort = GOES
    rank = 1
    seats = ("allied",)

    units: tuple[str, ...]
    beach: str


class Supply(Order):
    usage = "supply [from] <beaches:beach...>"
    help = "Chooses your supply areas: at most 5 beaches where units land, hidden from the enemy."
    example = "supply 3 Utah, 8 Omaha, 11 Gold, 14 Juno, 16 Sword"
    case = "INV.1A"
    again = "instead"
    seats = ("allied",)

    beaches: tuple[str, ...]

    def subjects(self) -> tuple[str, ...]:
        return ("supply",)


class Drop(Order):
    usage = "drop <units> (at|on) <hex>"
    help = "These parachute units jump over this hex; they may scatter."
    example = "drop 505/82 at 5530"
    case = "INV.1A"
    arrives = True
    again = "instead"
    sort = GOES
    seats = ("allied",)

    units: tuple[str, ...]
    hex: str


class Commando(Order):
    usage = "commando <units> (at|on) <hex>"
    help = "These commandos land at this partially-sea hex."
    example = "commando 2Rangers at 4330"
    case = "INV.1A"
    arrives = True
    again = "instead"
    sort = GOES
    seats = ("allied",)

    units: tuple[str, ...]
    hex: str


class Place(Order):
    usage = "place <units> [(at|on)] <hex> [(<open:=unentrenched>|entrenched)]"
    help = "Sets up German units, entrenched unless you add `unentrenched`."
    example = "place 919/709, 729/709 at 5231"
    case = "INV.1B"
    arrives = True
    again = "instead"
    sort = GOES
    seats = ("german",)

    units: tuple[str, ...]
    hex: str
    open: bool = False


class UseDefault(verbs.UseDefault):
    help = "Places everything you have not placed yet, by the default invasion plan or the default setup."
    case = "INV.1A"


# --- movement -------------------------------------------------------------------------------------------


class Move(Order):
    verb = "move"
    usage = "[(move|advance)] <units> [to] <path>"
    help = "Moves each unit along these hexes; where hexes are left out, by the cheapest path."
    example = "move 8/4 to 4818 4918"
    case = "MOV"
    again = "instead"
    excludes = ("exit", "enter", "break")
    sort = GOES
    rank = 1

    units: tuple[str, ...]
    path: tuple[str, ...]


class Exit(Order):
    usage = "exit <units> (at|by|from) <hex>"
    help = "These Allied units move to this exit hex and leave the map by its road."
    example = "exit 22Armd/7 at 0109"
    case = "VIC.X"
    again = "instead"
    excludes = ("move", "break")
    lasting = True
    sort = GOES
    rank = 1
    seats = ("allied",)

    units: tuple[str, ...]
    hex: str


class Break(Order):
    usage = "break <unit> [(down|up)] [into <parts:number>]"
    help = "Breaks a unit down into its parts, which are named after it: 8/4 becomes 8/4a, 8/4b and 8/4c."
    example = "break 8/4"
    case = "STK.B"
    again = "instead"
    excludes = ("move", "exit")

    unit: str
    parts: int | None = None


class Build(Order):
    verb = "build"
    usage = "(build|rebuild) <units>"
    help = "Rebuilds a larger unit from parts of the same type in one hex."
    example = "build 8/4a, 8/4b, 8/4c"
    case = "STK.E"
    again = "instead"

    units: tuple[str, ...]

    @property
    def stage(self) -> int | None:
        """STK.E In the order written: parts may be rebuilt before they move, or where their moves end."""
        return None


class Enter(Order):
    usage = "enter <units> at <hex> [to <path>]"
    help = (
        "German reinforcements enter the map at this edge hex and may move on. Units that do not enter are "
        "withheld."
    )
    example = "enter 130Pz at 0801 to 0902"
    case = "OOB.R"
    arrives = True
    again = "instead"
    excludes = ("move",)
    sort = GOES
    rank = 1
    seats = ("german",)

    units: tuple[str, ...]
    hex: str
    path: tuple[str, ...] = ()


class Glide(Order):
    usage = "glide <unit> (to|at) <hex>"
    help = "Lands a glider unit within 4 hexes of a parachute unit, not on or adjacent to a German."
    example = "glide 325/82 to 5529"
    case = "INV.4"
    arrives = True
    again = "instead"
    sort = GOES
    rank = 1
    seats = ("allied",)

    unit: str
    hex: str


class Disentrench(Order):
    usage = "disentrench <hex>"
    help = "Removes your entrenchment marker from this hex."
    example = "disentrench 4817"
    case = "ENT.E"
    again = "instead"

    hex: str


# --- combat ---------------------------------------------------------------------------------------------


class Attack(Order):
    usage = (
        "attack <hexes> [from <origins:hexes>] [with <units>] [[(with|and)] [naval] <missions:mission...>]"
    )
    help = (
        "Attacks the enemy in these hexes in one combat. If you name no units, every unit that can takes "
        "part, or every one in the `from` hexes. `naval` names one mission for each attacked hex."
    )
    example = "attack 4817 with 8/4 + 22/4, naval heavy"
    case = "COM"
    again = "instead"
    sort = ATTACK
    rank = 2
    declared = True

    hexes: tuple[str, ...]
    units: tuple[str, ...] = ()
    origins: tuple[str, ...] = ()
    missions: tuple[str, ...] = ()


# --- the end of a player-turn ---------------------------------------------------------------------------


class Entrench(Order):
    usage = "entrench <units>"
    help = "Announces that these units will sit out your next player-turn and then roll to entrench."
    example = "entrench 8/4, 22/4"
    case = "ENT"
    again = "instead"

    units: tuple[str, ...]


# --- conditions -----------------------------------------------------------------------------------------


class Empty(verbs.Empty):
    example = "if 3120 is empty"


class Held(verbs.Held):
    example = "if 3120 is held by the enemy"


class Alive(verbs.Alive):
    example = "if 8/4 is alive"

    def holds(self, state: Any, seat: str) -> bool:
        return verbs.Alive.holds(self, state, seat) and bool(state.units[self.unit].side == seat)
