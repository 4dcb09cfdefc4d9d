"""The order verbs and conditions of Normandy 1944: what a letter may say in each section,
and on what it may depend."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from pbem.engine import verbs
from pbem.engine.language import ATTACK, GOES, Again, Condition, Order

# --- D-Day ------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Assault(Order):
    units: tuple[str, ...]
    hex: str

    verb: ClassVar[str] = "assault"
    again: ClassVar[Again] = "instead"
    usage: ClassVar[str] = "assault <hex> with <units>"
    help: ClassVar[str] = (
        "Lands these commandos or special tanks at this hex with the first wave. The division that lands "
        "there anyway may be named with them."
    )
    example: ClassVar[str] = "assault 0907 with 1SSB"
    case: ClassVar[str] = "15.0"
    sort: ClassVar[str] = GOES


@dataclass(frozen=True, slots=True)
class Guns(Order):
    number: int
    hex: str

    verb: ClassVar[str] = "guns"
    again: ClassVar[Again] = "instead"
    usage: ClassVar[str] = "guns <number> [points] (at|on) <hex>"
    help: ClassVar[str] = "Supports the landing at this hex with this many points of naval gunfire."
    example: ClassVar[str] = "guns 2 at 0714"
    case: ClassVar[str] = "12.0"


class UseDefault(verbs.UseDefault):
    help: ClassVar[str] = (
        "Lands commandos and special tanks as in 1944, with 2 points of gunfire for each beach."
    )
    case: ClassVar[str] = "15.0"


# --- allocation -------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Support(Order):
    units: tuple[str, ...]

    verb: ClassVar[str] = "support"
    again: ClassVar[Again] = "instead"
    usage: ClassVar[str] = "support <units>"
    help: ClassVar[str] = (
        "Gives these headquarters an offensive marker each, in this order, as long as there are markers: "
        "they also act in phase A."
    )
    example: ClassVar[str] = "support VII/US, XXX/BR"
    examples: ClassVar[Mapping[str, str | tuple[str, ...]]] = {"german": "support LXXXIV, ISS"}
    case: ClassVar[str] = "2.3"


@dataclass(frozen=True, slots=True)
class Cover(Order):
    unit: str
    number: int = 1

    verb: ClassVar[str] = "cover"
    usage: ClassVar[str] = "cover <unit> [with <number> (fighters|fighter)]"
    help: ClassVar[str] = "Sends fighters to this headquarters, for combat near it this turn."
    example: ClassVar[str] = "cover VII/US with 2 fighters"
    case: ClassVar[str] = "10.1"
    seats: ClassVar[tuple[str, ...]] = ("allied",)


@dataclass(frozen=True, slots=True)
class Interdict(Order):
    zone: str
    army: str = ""

    verb: ClassVar[str] = "interdict"
    again: ClassVar[Again] = "instead"
    usage: ClassVar[str] = "interdict [zone] <zone> [with [a] <army> [fighter]]"
    help: ClassVar[str] = "Sends a fighter over one of the four air zones; it hampers all Germans there."
    example: ClassVar[str] = "interdict zone II with UK"
    case: ClassVar[str] = "10.2"
    seats: ClassVar[tuple[str, ...]] = ("allied",)

    def subjects(self) -> tuple[str, ...]:
        return (self.zone,)


@dataclass(frozen=True, slots=True)
class Delay(Order):
    box: str
    number: int = 1

    verb: ClassVar[str] = "delay"
    usage: ClassVar[str] = "delay <box> [with <number> (bombers|bomber)]"
    help: ClassVar[str] = "Sends bombers over a box of the German strategic movement track."
    example: ClassVar[str] = "delay Paris with 2 bombers"
    case: ClassVar[str] = "10.4"
    seats: ClassVar[tuple[str, ...]] = ("allied",)

    def subjects(self) -> tuple[str, ...]:
        return (self.box,)


@dataclass(frozen=True, slots=True)
class Carpet(Order):
    hex: str
    army: str = ""

    verb: ClassVar[str] = "carpet"
    again: ClassVar[Again] = "instead"
    usage: ClassVar[str] = "carpet [bomb] <hex> [with [the] <army> [bombers]]"
    help: ClassVar[str] = (
        "Once a game, the bombers of an army strike a German hex adjacent to one of your units in phase A."
    )
    example: ClassVar[str] = "carpet 1218 with US"
    case: ClassVar[str] = "10.3"
    sort: ClassVar[str] = ATTACK
    seats: ClassVar[tuple[str, ...]] = ("allied",)


# --- phases A and B -----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Activate(Order):
    units: tuple[str, ...]
    hq: str

    verb: ClassVar[str] = "activate"
    again: ClassVar[Again] = "instead"
    usage: ClassVar[str] = "activate <units> (with|by) <hq:unit>"
    help: ClassVar[str] = (
        "A supported headquarters activates these units in phase A. "
        "Without this order, the nearest headquarters that can activates a unit when it moves or attacks."
    )
    example: ClassVar[str] = "activate 4US, 90US with VII/US"
    examples: ClassVar[Mapping[str, str | tuple[str, ...]]] = {"german": "activate 25/12SS, 26/12SS with ISS"}
    case: ClassVar[str] = "6.2"


@dataclass(frozen=True, slots=True)
class Land(Order):
    units: tuple[str, ...]
    hex: str
    path: tuple[str, ...] = ()

    arrives: ClassVar[bool] = True
    verb: ClassVar[str] = "land"
    again: ClassVar[Again] = "instead"
    excludes: ClassVar[tuple[str, ...]] = ("move", "exit")
    usage: ClassVar[str] = "land <units> (at|in|on) <hex> [[then] to <path>]"
    help: ClassVar[str] = (
        "Lands these units from the reserve at a beach or port; they move on if you say where."
    )
    example: ClassVar[str] = "land 90US at 0617 to 0618"
    case: ClassVar[str] = "11.2"
    sort: ClassVar[str] = GOES
    rank: ClassVar[int] = 1
    seats: ClassVar[tuple[str, ...]] = ("allied",)


@dataclass(frozen=True, slots=True)
class Enter(Order):
    units: tuple[str, ...]
    hex: str
    path: tuple[str, ...] = ()

    arrives: ClassVar[bool] = True
    verb: ClassVar[str] = "enter"
    again: ClassVar[Again] = "instead"
    excludes: ClassVar[tuple[str, ...]] = ("move",)
    usage: ClassVar[str] = "enter <units> (at|by|in) <hex> [[then] to <path>]"
    help: ClassVar[str] = (
        "These units enter the map from the strategic track by this road; they move on if you say where."
    )
    example: ClassVar[str] = "enter 25/12SS, 26/12SS at 1401 to 1204"
    case: ClassVar[str] = "11.1"
    sort: ClassVar[str] = GOES
    rank: ClassVar[int] = 1
    seats: ClassVar[tuple[str, ...]] = ("german",)


@dataclass(frozen=True, slots=True)
class Move(Order):
    units: tuple[str, ...]
    path: tuple[str, ...]
    step: bool = False
    """Break away from the enemy for a step instead of three points."""

    verb: ClassVar[str] = "move"
    again: ClassVar[Again] = "instead"
    excludes: ClassVar[tuple[str, ...]] = ("land", "enter", "exit")
    usage: ClassVar[str] = "[(move|advance)] <units> [to] <path> [<step:=at the cost of a step>]"
    help: ClassVar[str] = (
        "Moves each unit along these hexes, or by the cheapest path to the last one; "
        "by strategic movement if necessary and allowed."
    )
    example: ClassVar[str] = "move 4US to 0518 0519"
    examples: ClassVar[Mapping[str, str | tuple[str, ...]]] = {
        "german": ("move 22/21Pz to 1507 1407", "move 709ID to 0418")
    }
    case: ClassVar[str] = "5.1"
    sort: ClassVar[str] = GOES
    rank: ClassVar[int] = 1


@dataclass(frozen=True, slots=True)
class Exit(Order):
    units: tuple[str, ...]
    hex: str

    verb: ClassVar[str] = "exit"
    again: ClassVar[Again] = "instead"
    excludes: ClassVar[tuple[str, ...]] = ("land", "move", "attack")
    usage: ClassVar[str] = "exit <units> (at|by|from) <hex>"
    help: ClassVar[str] = (
        "Moves these Allied units to this hex of the south or east edge, or hex L, and off the map for good."
    )
    example: ClassVar[str] = "exit A/4AD, B/4AD at 2227"
    lasting: ClassVar[bool] = True
    case: ClassVar[str] = "S2"
    sort: ClassVar[str] = GOES
    rank: ClassVar[int] = 1
    seats: ClassVar[tuple[str, ...]] = ("allied",)


@dataclass(frozen=True, slots=True)
class Attack(Order):
    """An attack on one hex. When the first one is ordered, movement is over."""

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

    verb: ClassVar[str] = "attack"
    again: ClassVar[Again] = "instead"
    excludes: ClassVar[tuple[str, ...]] = ("exit",)
    usage: ClassVar[str] = (
        "attack <hex> with <units> {[at] <odds> or better | (fighters|fighter) <air:number>"
        " | guns <guns:number> | support (of|by|from) <support:units> | lose <losses:units>"
        " | advance <advance:units> | <stay:=no advance>}"
    )
    help: ClassVar[str] = (
        "These units attack all enemies in an adjacent hex; the first attack ends movement. "
        "Fighters, points of naval gunfire and headquarters help if you name them. "
        "With odds, the attack is passed over unless the column, with the fighters and headquarters named, "
        "is at least as good. Losses and advances named here take precedence over standing orders."
    )
    example: ClassVar[str] = (
        "attack 0519 with 4US, 82AB at 2:1 or better, fighters 1, support of VII/US, advance 4US"
    )
    examples: ClassVar[Mapping[str, str | tuple[str, ...]]] = {
        "german": (
            "attack 0714 with 352ID, FJR6 at 2:1 or better, support of LXXXIV, lose FJR6, advance 352ID",
            "attack 0519 with 709ID, 91ID at 2:1 or better, support of LXXXIV, lose 91ID, advance 709ID",
        )
    }
    case: ClassVar[str] = "7.1"
    sort: ClassVar[str] = ATTACK
    rank: ClassVar[int] = 2


# --- the end of the turn ------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Replace(Order):
    units: tuple[str, ...]

    verb: ClassVar[str] = "replace"
    again: ClassVar[Again] = "instead"
    usage: ClassVar[str] = "replace <units>"
    help: ClassVar[str] = (
        "Gives these units a step back. They must be in supply, more than 2 hexes from the enemy, "
        "and must not have moved or fought this turn."
    )
    example: ClassVar[str] = "replace 9US, 79US"
    examples: ClassVar[Mapping[str, str | tuple[str, ...]]] = {
        "german": ("replace 352ID, 12Pz/12SS", "replace 709ID, 91ID")
    }
    case: ClassVar[str] = "13.0"


@dataclass(frozen=True, slots=True)
class Rebuild(Order):
    units: tuple[str, ...]

    verb: ClassVar[str] = "rebuild"
    again: ClassVar[Again] = "instead"
    usage: ClassVar[str] = "rebuild <units>"
    help: ClassVar[str] = (
        "Rebuilds destroyed Allied units for landing points equal to twice their stacking points; "
        "they land in phase B of a later turn."
    )
    example: ClassVar[str] = "rebuild 1SSB"
    case: ClassVar[str] = "13.0"
    seats: ClassVar[tuple[str, ...]] = ("allied",)


@dataclass(frozen=True, slots=True)
class Supply(Order):
    units: tuple[str, ...]

    verb: ClassVar[str] = "supply"
    again: ClassVar[Again] = "instead"
    bars: ClassVar[tuple[str, ...]] = ("supply",)
    usage: ClassVar[str] = "supply <units> [by air]"
    help: ClassVar[str] = (
        "Supplies the units of one division that is out of supply by air, in clear or overcast weather."
    )
    example: ClassVar[str] = "supply 101AB by air"
    case: ClassVar[str] = "8.5"
    seats: ClassVar[tuple[str, ...]] = ("allied",)

    def subjects(self) -> tuple[str, ...]:
        return ("supply",)


@dataclass(frozen=True, slots=True)
class Return(Order):
    unit: str
    hex: str

    verb: ClassVar[str] = "return"
    again: ClassVar[Again] = "instead"
    usage: ClassVar[str] = "return <unit> (at|in|to) <hex>"
    help: ClassVar[str] = "Returns a headquarters that was lost at least 2 turns ago to a hex in supply."
    example: ClassVar[str] = "return VII/US at 0617"
    examples: ClassVar[Mapping[str, str | tuple[str, ...]]] = {"german": "return LXXXIV at 1618"}
    case: ClassVar[str] = "6.4"
    sort: ClassVar[str] = GOES


# --- conditions ---------------------------------------------------------------------------------------------


class Held(verbs.Held):
    example: ClassVar[str] = "if 0818 is held by the enemy"


class Empty(verbs.Empty):
    example: ClassVar[str] = "if 0818 is empty"


class Alive(verbs.Alive):
    example: ClassVar[str] = "if 82AB is alive"


@dataclass(frozen=True, slots=True)
class WeatherIs(Condition):
    weather: str

    usage: ClassVar[str] = "[the] weather is <weather>"
    help: ClassVar[str] = "The weather of the turn: clear, overcast, adverse."
    example: ClassVar[str] = "if weather is clear"

    def holds(self, state: Any, seat: str) -> bool:
        return bool(state.weather == self.weather)


@dataclass(frozen=True, slots=True)
class HaveInitiative(Condition):
    usage: ClassVar[str] = "we have [the] initiative"
    help: ClassVar[str] = "Your side acts first in both phases of this turn."
    example: ClassVar[str] = "if we have the initiative"

    def holds(self, state: Any, seat: str) -> bool:
        return bool(state.initiative == seat)


@dataclass(frozen=True, slots=True)
class IsSupported(Condition):
    unit: str

    usage: ClassVar[str] = "<unit> is supported"
    help: ClassVar[str] = "Your headquarters has an offensive marker this turn."
    example: ClassVar[str] = "if VII/US is supported"

    def holds(self, state: Any, seat: str) -> bool:
        return self.unit in state.supported


@dataclass(frozen=True, slots=True)
class IsSupplied(Condition):
    unit: str

    usage: ClassVar[str] = "<unit> is (supplied|in supply)"
    help: ClassVar[str] = "Your unit is on the map and not marked as out of supply."
    example: ClassVar[str] = "if 82AB is supplied"

    def holds(self, state: Any, seat: str) -> bool:
        unit = state.units[self.unit]
        return unit.place == "map" and not unit.unsupplied


@dataclass(frozen=True, slots=True)
class IsFull(Condition):
    unit: str

    usage: ClassVar[str] = "<unit> is (full|whole)"
    help: ClassVar[str] = "Your unit is on the map at full strength."
    example: ClassVar[str] = "if 4US is full"

    def holds(self, state: Any, seat: str) -> bool:
        unit = state.units[self.unit]
        return unit.place == "map" and not unit.lost


class IsAt(verbs.IsAt):
    example: ClassVar[str] = "if 4US is at 0519"


CONDITIONS: tuple[type[Condition], ...] = (
    Held, Empty, Alive, WeatherIs, HaveInitiative, IsSupported, IsSupplied, IsFull, IsAt,
)  # fmt: skip
