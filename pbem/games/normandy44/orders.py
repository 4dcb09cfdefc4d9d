"""The order verbs and conditions of Normandy 1944: what a letter may say in each section,
and on what it may depend."""

from __future__ import annotations

from typing import Any

from pbem.engine import verbs
from pbem.engine.language import ATTACK, GOES, Condition, Order

# --- D-Day ------------------------------------------------------------------------------------------------


class Assault(Order):
    usage = "assault <hex> with <units>"
    help = (
        "Lands these commandos or special tanks at this hex with the first wave. The division that lands "
        "there anyway may be named with them."
    )
    example = "assault 0907 with 1SSB"
    case = "15.0"
    again = "instead"
    sort = GOES

    units: tuple[str, ...]
    hex: str


class Guns(Order):
    usage = "guns <number> [points] (at|on) <hex>"
    help = "Supports the landing at this hex with this many points of naval gunfire."
    example = "guns 2 at 0714"
    case = "12.0"
    again = "instead"

    number: int
    hex: str


class UseDefault(verbs.UseDefault):
    help = "Lands commandos and special tanks as in 1944, with 2 points of gunfire for each beach."
    case = "15.0"


# --- allocation -------------------------------------------------------------------------------------------


class Support(Order):
    usage = "support <units>"
    help = (
        "Gives these headquarters an offensive marker each, in this order, as long as there are markers: "
        "they also act in phase A."
    )
    example = "support VII/US, XXX/BR"
    examples = {"german": "support LXXXIV, ISS"}
    case = "2.3"
    again = "instead"

    units: tuple[str, ...]


class Cover(Order):
    usage = "cover <unit> [with <number> (fighters|fighter)]"
    help = "Sends fighters to this headquarters, for combat near it this turn."
    example = "cover VII/US with 2 fighters"
    case = "10.1"
    seats = ("allied",)

    unit: str
    number: int = 1


class Interdict(Order):
    usage = "interdict [zone] <zone> [with [(a|an)] <army> [fighter]]"
    help = "Sends a fighter over one of the four air zones; it hampers all Germans there."
    example = "interdict zone II with UK"
    case = "10.2"
    again = "instead"
    seats = ("allied",)

    zone: str
    army: str = ""

    def subjects(self) -> tuple[str, ...]:
        return (self.zone,)


class Delay(Order):
    usage = "delay <box> [with <number> (bombers|bomber)]"
    help = "Sends bombers over a box of the German strategic movement track."
    example = "delay Paris with 2 bombers"
    case = "10.4"
    seats = ("allied",)

    box: str
    number: int = 1

    def subjects(self) -> tuple[str, ...]:
        return (self.box,)


class Carpet(Order):
    usage = "carpet [bomb] <hex> [with [the] <army> [bombers]]"
    help = "Once a game, the bombers of an army strike a German hex adjacent to one of your units in phase A."
    example = "carpet 1218 with US"
    case = "10.3"
    again = "instead"
    sort = ATTACK
    seats = ("allied",)

    hex: str
    army: str = ""


# --- phases A and B -----------------------------------------------------------------------------------------


class Activate(Order):
    usage = "activate <units> (with|by) <hq:unit>"
    help = (
        "A supported headquarters activates these units in phase A. "
        "Without this order, the nearest headquarters that can activates a unit when it moves or attacks."
    )
    example = "activate 4US, 90US with VII/US"
    examples = {"german": "activate 25/12SS, 26/12SS with ISS"}
    case = "6.2"
    again = "instead"

    units: tuple[str, ...]
    hq: str


class Land(Order):
    usage = "land <units> (at|in|on) <hex> [[then] to <path>]"
    help = "Lands these units from the reserve at a beach or port; they move on if you say where."
    example = "land 90US at 0617 to 0618"
    case = "11.2"
    arrives = True
    again = "instead"
    excludes = ("move", "exit")
    sort = GOES
    rank = 1
    seats = ("allied",)

    units: tuple[str, ...]
    hex: str
    path: tuple[str, ...] = ()


class Enter(Order):
    usage = "enter <units> (at|by|in) <hex> [[then] to <path>]"
    help = "These units enter the map from the strategic track by this road; they move on if you say where."
    example = "enter 25/12SS, 26/12SS at 1401 to 1204"
    case = "11.1"
    arrives = True
    again = "instead"
    excludes = ("move",)
    sort = GOES
    rank = 1
    seats = ("german",)

    units: tuple[str, ...]
    hex: str
    path: tuple[str, ...] = ()


class Move(Order):
    verb = "move"
    usage = "[(move|advance)] <units> [to] <path> [<step:=at the cost of a step>]"
    help = (
        "Moves each unit along these hexes, or by the cheapest path to the last one; "
        "by strategic movement if necessary and allowed."
    )
    example = "move 4US to 0518 0519"
    examples = {"german": ("move 22/21Pz to 1507 1407", "move 709ID to 0418")}
    case = "5.1"
    again = "instead"
    excludes = ("land", "enter", "exit")
    sort = GOES
    rank = 1

    units: tuple[str, ...]
    path: tuple[str, ...]
    step: bool = False
    """Break away from the enemy for a step instead of three points."""


class Exit(Order):
    usage = "exit <units> (at|by|from) <hex>"
    help = (
        "Moves these Allied units to this hex of the south or east edge, or hex L, and off the map for good."
    )
    example = "exit A/4AD, B/4AD at 2227"
    case = "S2"
    again = "instead"
    excludes = ("land", "move", "attack")
    lasting = True
    sort = GOES
    rank = 1
    seats = ("allied",)

    units: tuple[str, ...]
    hex: str


class Attack(Order):
    """An attack on one hex. When the first one is ordered, movement is over."""

    usage = (
        "attack <hex> with <units> {[at] <odds> or better | (fighters|fighter) <air:number>"
        " | guns <guns:number> | support (of|by|from) <support:units> | lose <losses:units>"
        " | advance <advance:units> | <stay:=no advance>}"
    )
    help = (
        "These units attack all enemies in an adjacent hex; the first attack ends movement. "
        "Fighters, points of naval gunfire and headquarters help if you name them. "
        "With odds, the attack is passed over unless the column, with the fighters and headquarters named, "
        "is at least as good. Losses and advances named here take precedence over standing orders."
    )
    example = "attack 0519 with 4US, 82AB at 2:1 or better, fighters 1, support of VII/US, advance 4US"
    examples = {
        "german": (
            "attack 0714 with 352ID, FJR6 at 2:1 or better, support of LXXXIV, lose FJR6, advance 352ID",
            "attack 0519 with 709ID, 91ID at 2:1 or better, support of LXXXIV, lose 91ID, advance 709ID",
        )
    }
    case = "7.1"
    again = "instead"
    excludes = ("exit",)
    sort = ATTACK
    rank = 2

    hex: str
    units: tuple[str, ...]
    odds: str = ""
    """The worst column, with the fighters and headquarters named here and before gunfire,
    at which it is made."""
    air: int = 0
    """Fighters of headquarters within range that join."""
    guns: int = 0
    """Points of naval gunfire."""
    support: tuple[str, ...] = ()
    """Headquarters that help."""
    losses: tuple[str, ...] = ()
    """Units that lose steps first."""
    advance: tuple[str, ...] = ()
    stay: bool = False


# --- the end of the turn ------------------------------------------------------------------------------------


class Replace(Order):
    usage = "replace <units>"
    help = (
        "Gives these units a step back. They must be in supply, more than 2 hexes from the enemy, "
        "and must not have moved or fought this turn."
    )
    example = "replace 9US, 79US"
    examples = {"german": ("replace 352ID, 12Pz/12SS", "replace 709ID, 91ID")}
    case = "13.0"
    again = "instead"

    units: tuple[str, ...]


class Rebuild(Order):
    usage = "rebuild <units>"
    help = (
        "Rebuilds destroyed Allied units for landing points equal to twice their stacking points; "
        "they land in phase B of a later turn."
    )
    example = "rebuild 1SSB"
    case = "13.0"
    again = "instead"
    seats = ("allied",)

    units: tuple[str, ...]


class Supply(Order):
    usage = "supply <units> [by air]"
    help = "Supplies the units of one division that is out of supply by air, in clear or overcast weather."
    example = "supply 101AB by air"
    case = "8.5"
    again = "instead"
    bars = ("supply",)
    seats = ("allied",)

    units: tuple[str, ...]

    def subjects(self) -> tuple[str, ...]:
        return ("supply",)


class Return(Order):
    usage = "return <unit> (at|in|to) <hex>"
    help = "Returns a headquarters that was lost at least 2 turns ago to a hex in supply."
    example = "return VII/US at 0617"
    examples = {"german": "return LXXXIV at 1618"}
    case = "6.4"
    again = "instead"
    sort = GOES

    unit: str
    hex: str


# --- conditions ---------------------------------------------------------------------------------------------


class Held(verbs.Held):
    example = "if 0818 is held by the enemy"


class Empty(verbs.Empty):
    example = "if 0818 is empty"


class Alive(verbs.Alive):
    example = "if 82AB is alive"


class WeatherIs(Condition):
    usage = "[the] weather is <weather>"
    help = "The weather of the turn: clear, overcast, adverse."
    example = "if weather is clear"

    weather: str

    def holds(self, state: Any, seat: str) -> bool:
        return bool(state.weather == self.weather)


class HaveInitiative(Condition):
    usage = "we have [the] initiative"
    help = "Your side acts first in both phases of this turn."
    example = "if we have the initiative"

    def holds(self, state: Any, seat: str) -> bool:
        return bool(state.initiative == seat)


class IsSupported(Condition):
    usage = "<unit> is supported"
    help = "Your headquarters has an offensive marker this turn."
    example = "if VII/US is supported"

    unit: str

    def holds(self, state: Any, seat: str) -> bool:
        return self.unit in state.supported


class IsSupplied(Condition):
    usage = "<unit> is (supplied|in supply)"
    help = "Your unit is on the map and not marked as out of supply."
    example = "if 82AB is supplied"

    unit: str

    def holds(self, state: Any, seat: str) -> bool:
        unit = state.units[self.unit]
        return unit.place == "map" and not unit.unsupplied


class IsFull(Condition):
    usage = "<unit> is (full|whole)"
    help = "Your unit is on the map at full strength."
    example = "if 4US is full"

    unit: str

    def holds(self, state: Any, seat: str) -> bool:
        unit = state.units[self.unit]
        return unit.place == "map" and not unit.lost


class IsAt(verbs.IsAt):
    example = "if 4US is at 0519"


CONDITIONS: tuple[type[Condition], ...] = (
    Held, Empty, Alive, WeatherIs, HaveInitiative, IsSupported, IsSupplied, IsFull, IsAt,
)  # fmt: skip
