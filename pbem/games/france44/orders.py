"""The order verbs and conditions of France 1944: what a letter may say in each section,
and on what it may depend."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from pbem.engine import verbs
from pbem.engine.language import ATTACK, GOES, Again, Condition, Order

# --- the beginning of a turn --------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Commit(Order):
    number: int

    verb: ClassVar[str] = "commit"
    again: ClassVar[Again] = "instead"
    usage: ClassVar[str] = "commit <number> [supply] [(points|point)]"
    help: ClassVar[str] = "Turn this many supply points into initiative chits of the next turn. Secret."
    example: ClassVar[str] = "commit 3 supply points"
    case: ClassVar[str] = "2.0.8"

    def subjects(self) -> tuple[str, ...]:
        return ("commit",)


@dataclass(frozen=True, slots=True)
class Interdict(Order):
    number: int

    verb: ClassVar[str] = "interdict"
    again: ClassVar[Again] = "instead"
    usage: ClassVar[str] = "interdict with <number> [tactical] [air] [(markers|marker)]"
    help: ClassVar[str] = (
        "Use this many tactical air markers to cut German reaction points this turn; "
        "they cannot support attacks."
    )
    example: ClassVar[str] = "interdict with 1 marker"
    case: ClassVar[str] = "2.0.3"
    seats: ClassVar[tuple[str, ...]] = ("allied",)

    def subjects(self) -> tuple[str, ...]:
        return ("interdict",)


@dataclass(frozen=True, slots=True)
class Offensive(Order):
    verb: ClassVar[str] = "offensive"
    again: ClassVar[Again] = "instead"
    usage: ClassVar[str] = "declare [the] [a] [surprise] offensive"
    help: ClassVar[str] = (
        "October to January: a German reaction at once, then two German initiative phases in a row."
    )
    example: ClassVar[str] = "declare the offensive"
    case: ClassVar[str] = "12.5"
    seats: ClassVar[tuple[str, ...]] = ("german",)

    def subjects(self) -> tuple[str, ...]:
        return ("offensive",)


# --- initiative and reaction --------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Drop(Order):
    hex: str

    arrives: ClassVar[bool] = True
    verb: ClassVar[str] = "drop"
    again: ClassVar[Again] = "instead"
    bars: ClassVar[tuple[str, ...]] = ("drop",)
    usage: ClassVar[str] = "drop [the] [airborne] (at|on|in) <hex>"
    help: ClassVar[str] = "Drop the 18th Airborne into this hex, before a headquarters is activated."
    example: ClassVar[str] = "drop the airborne at 3405"
    case: ClassVar[str] = "12.3"
    sort: ClassVar[str] = GOES
    rank: ClassVar[int] = -1
    seats: ClassVar[tuple[str, ...]] = ("allied",)


@dataclass(frozen=True, slots=True)
class Activate(Order):
    hq: str
    units: tuple[str, ...] = ()

    verb: ClassVar[str] = "activate"
    again: ClassVar[Again] = "instead"
    bars: ClassVar[tuple[str, ...]] = ("activate", "piece")
    usage: ClassVar[str] = "activate <hq:unit> [with <units>]"
    help: ClassVar[str] = (
        "Activate this headquarters with these units; if you name none, with as many as it can command. "
        "In a reaction this costs three points."
    )
    example: ClassVar[str] = "activate US1 with VII/US, V/US, 2AD/US, 3AD/US"
    examples: ClassVar[Mapping[str, str | tuple[str, ...]]] = {
        "german": "activate PzWest with LXXXVI, 1SS, 12SS, 21Pz"
    }
    case: ClassVar[str] = "5.1"

    def subjects(self) -> tuple[str, ...]:
        return ("activate",)

    def instead(self) -> tuple[Order, ...]:
        """4.7 The headquarters with all of these units but one, else with as many as it can command."""
        fewer = (self.units[:at] + self.units[at + 1 :] for at in reversed(range(len(self.units))))
        return (*(Activate(self.hq, units) for units in fewer if units), Activate(self.hq))

    @property
    def heads(self) -> str:
        return "section"


@dataclass(frozen=True, slots=True)
class React(Order):
    """That a side reacts, written ahead: the army or the pieces of the lines that follow."""

    verb: ClassVar[str] = "react"
    usage: ClassVar[str] = "react [as ordered]"
    help: ClassVar[str] = (
        "React at the next opportunity, with the lines below. Each such line is for one opportunity, "
        "in the order written."
    )
    example: ClassVar[str] = "react as ordered"
    case: ClassVar[str] = "5.2"
    outermost: ClassVar[bool] = True

    def subjects(self) -> tuple[str, ...]:
        return ("react",)

    @property
    def heads(self) -> str:
        return "react"


@dataclass(frozen=True, slots=True)
class Deny(Order):
    """That a side spends a point to keep the other from its reaction, written ahead."""

    verb: ClassVar[str] = "deny"
    usage: ClassVar[str] = "(react|deny) with [a] point"
    help: ClassVar[str] = "Spend one point after the enemy's next chit to deny it a reaction to that chit."
    example: ClassVar[str] = "react with a point"
    case: ClassVar[str] = "5.2"

    def subjects(self) -> tuple[str, ...]:
        return ("react",)

    @property
    def heads(self) -> str:
        return "react"


@dataclass(frozen=True, slots=True)
class Piece(Order):
    unit: str

    verb: ClassVar[str] = "piece"
    again: ClassVar[Again] = "instead"
    bars: ClassVar[tuple[str, ...]] = ("activate",)
    usage: ClassVar[str] = "piece <unit>"
    help: ClassVar[str] = (
        "Spend a reaction point on this unit or headquarters: it uses the track alone, with the lines below."
    )
    example: ClassVar[str] = "piece 116Pz"
    examples: ClassVar[Mapping[str, str | tuple[str, ...]]] = {"allied": "piece 2AD/US"}
    case: ClassVar[str] = "5.2"

    @property
    def heads(self) -> str:
        return f"piece {self.unit}"


@dataclass(frozen=True, slots=True)
class Administrative(Order):
    units: tuple[str, ...]

    verb: ClassVar[str] = "administrative"
    again: ClassVar[Again] = "instead"
    excludes: ClassVar[tuple[str, ...]] = ("attack",)
    usage: ClassVar[str] = "administrative [movement] [for] <units>"
    help: ClassVar[str] = (
        "These commanded units have twice their movement points for the whole phase, "
        "but cannot enter enemy ZOCs or attack."
    )
    example: ClassVar[str] = "administrative movement for 4AD/US, 6AD/US"
    examples: ClassVar[Mapping[str, str | tuple[str, ...]]] = {
        "german": "administrative movement for 9SS, 10SS"
    }
    case: ClassVar[str] = "5.3"


@dataclass(frozen=True, slots=True)
class Increment(Order):
    """The track marker goes to a box in which nobody needs to do anything."""

    box: int

    verb: ClassVar[str] = "increment"
    again: ClassVar[Again] = "instead"
    usage: ClassVar[str] = "(increment|inc|box) <box:number>"
    help: ClassVar[str] = "Go on to this box of the track and let its time pass."
    example: ClassVar[str] = "increment 10"
    case: ClassVar[str] = "6.0"

    @property
    def stage(self) -> int | None:
        return self.box or None

    def subjects(self) -> tuple[str, ...]:
        return (f"box {self.box}",)


@dataclass(frozen=True, slots=True)
class Move(Order):
    units: tuple[str, ...]
    path: tuple[str, ...]
    box: int = 0

    verb: ClassVar[str] = "move"
    again: ClassVar[Again] = "on"
    usage: ClassVar[str] = '[[(increment|inc|box)] <box:number> [":"]] [(move|advance)] <units> [to] <path>'
    help: ClassVar[str] = (
        "Move commanded units along these hexes, or by the cheapest path to the last one. "
        "Name the box where a new one begins."
    )
    example: ClassVar[str] = "inc 10: move 2AD/US, 3AD/US to 1210 1311"
    examples: ClassVar[Mapping[str, str | tuple[str, ...]]] = {
        "german": "inc 10: move 9SS, 10SS to 1410 1310"
    }
    case: ClassVar[str] = "7.0"
    sort: ClassVar[str] = GOES

    @property
    def stage(self) -> int | None:
        return self.box or None

    def instead(self) -> tuple[Order, ...]:
        """6.0 The marker goes on to the box without it."""
        return (Increment(self.box),) if self.box else ()


@dataclass(frozen=True, slots=True)
class Attack(Order):
    hexes: tuple[str, ...]
    units: tuple[str, ...]
    box: int = 0
    lead: str = ""
    air: str = ""
    """tactical or heavy."""
    losses: tuple[str, ...] = ()
    """Who loses steps after the lead unit."""
    advance: tuple[str, ...] = ()
    """Who advances into the hex."""
    onward: str = ""
    """Where those that may go on a second hex go."""
    stay: bool = False

    verb: ClassVar[str] = "attack"
    excludes: ClassVar[tuple[str, ...]] = ("administrative",)
    usage: ClassVar[str] = (
        '[[(increment|inc|box)] <box:number> [":"]] attack <hexes> with <units>'
        " {(led by|lead) <lead:unit> | air <air>"
        " | lose <losses:units> | advance <advance:units> [to <onward:hex>] | <stay:=no advance>}"
    )
    help: ClassVar[str] = (
        "Attack one hex, or two adjacent to each other and to every attacker, with commanded units. "
        "Name the lead unit, air support, which units lose steps next and which advance; "
        "standing orders decide the rest."
    )
    example: ClassVar[str] = (
        "inc 4: attack 1209 with VII/US, 2AD/US led by VII/US, air tactical, advance 2AD/US to 1210"
    )
    examples: ClassVar[Mapping[str, str | tuple[str, ...]]] = {
        "german": "inc 4: attack 1409 with 1SS, 12SS led by 1SS, lose 12SS, advance 12SS"
    }
    case: ClassVar[str] = "8.0"
    sort: ClassVar[str] = ATTACK

    @property
    def stage(self) -> int | None:
        return self.box or None

    def instead(self) -> tuple[Order, ...]:
        """6.0 The marker goes on to the box without it."""
        return (Increment(self.box),) if self.box else ()


# --- the administrative phase -------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Replace(Order):
    unit: str
    number: int = 1

    verb: ClassVar[str] = "replace"
    usage: ClassVar[str] = "replace <unit> [with <number> (points|point)]"
    help: ClassVar[str] = (
        "Spend replacement points on a unit supplied by a headquarters, or on one in the eliminated box: "
        "a step each."
    )
    example: ClassVar[str] = "replace V/US with 2 points"
    examples: ClassVar[Mapping[str, str | tuple[str, ...]]] = {"german": "replace LXXXIV with 2 points"}
    case: ClassVar[str] = "10.1.2"


@dataclass(frozen=True, slots=True)
class Enter(Order):
    units: tuple[str, ...]
    hex: str
    path: tuple[str, ...] = ()

    arrives: ClassVar[bool] = True
    verb: ClassVar[str] = "enter"
    again: ClassVar[Again] = "instead"
    usage: ClassVar[str] = "enter <units> (at|in) <hex> [[then] to <path>]"
    help: ClassVar[str] = (
        "Arrivals enter at this hex, and move on by administrative movement if you say where."
    )
    example: ClassVar[str] = "enter XV/US at 1309 to 1311"
    examples: ClassVar[Mapping[str, str | tuple[str, ...]]] = {"german": "enter LXVII at 3409 to 3309"}
    case: ClassVar[str] = "10.1.5"
    sort: ClassVar[str] = GOES
    goes_on: ClassVar[bool] = True


class Place(verbs.Place):
    help: ClassVar[str] = "Set up arrivals from the south in this hex of the southern row."
    example: ClassVar[str] = "place LXIV, AOK19 at 2428"
    case: ClassVar[str] = "10.1.3"


# --- conditions ---------------------------------------------------------------------------------------------


class Held(verbs.Held):
    example: ClassVar[str] = "if 1410 is held by the enemy"

    def holds(self, state: Any, seat: str) -> bool:
        holder = state.holder(self.hex) or state.control.get(self.hex)
        return holder is not None and (holder == seat) == (self.by == "us")


class Empty(verbs.Empty):
    example: ClassVar[str] = "if 1410 is empty"


class Alive(verbs.Alive):
    example: ClassVar[str] = "if 2AD/US is alive"


class IsAt(verbs.IsAt):
    example: ClassVar[str] = "if 2AD/US is at 1210"


@dataclass(frozen=True, slots=True)
class AirSupport(Condition):
    usage: ClassVar[str] = "[there is] air [support]"
    help: ClassVar[str] = "The Allies have air support this turn."
    example: ClassVar[str] = "if there is air support"

    def holds(self, state: Any, seat: str) -> bool:
        return bool(state.air_support)


@dataclass(frozen=True, slots=True)
class PointsLeft(Condition):
    number: int

    usage: ClassVar[str] = "[at] least <number> reaction (points|point)"
    help: ClassVar[str] = "You have at least this many reaction points left."
    example: ClassVar[str] = "if at least 4 reaction points"

    def holds(self, state: Any, seat: str) -> bool:
        return any(points >= self.number for side, points in state.reaction.items() if side == seat)


CONDITIONS: tuple[type[Condition], ...] = (Held, Empty, Alive, IsAt, AirSupport, PointsLeft)

TURNS = (
    (
        r"^\s*(?:in\s+)?(?:increment|inc|box)\s+(\d+)\s*"
        r"(?:[,:-]\s*)?(?:movement|move|attack)?\s*[,:-]?\s*(?=\S)",
        r"inc \1: ",
    ),
    (r"^\s*(\d{1,2})\s*[:-]\s+", r"inc \1: "),
    (r"^(?P<order>.*?\S),?\s+(?:in\s+)?(?:increment|inc|box)\s+(?P<box>\d+)\b", r"inc \g<box>: \g<order>"),
    (
        r"^\s*(?:replace\s+)?(?:(?:a|one|1)\s+)?(?:(?:infantry|armou?r)\s+)?"
        r"(?:step|rp|reps|replacements?(?:\s+point)?)\s*(?:of|for|to|on|:)\s*(?P<unit>[^,;:\d]*[^,;:]+?)\s*$",
        r"replace \g<unit>",
    ),
    (
        r"^\s*(?:HQ\s+)?(?P<hq>[^:;,]+?),?(?:\s+HQ)?(?:\s+(?:activated|activates|active))?\s*$",
        r"activate \g<hq>",
    ),
    (
        r"^\s*(?P<hq>[^:;]+?)(?:\s+(?:takes|commands|aktiviert|with))?\s*:\s*(?P<units>[^:;]+?)\s*$",
        r"activate \g<hq> with \g<units>",
    ),
    (
        r"^\s*(?P<hq>[^:;]+?)\s+(?:takes|commands|aktiviert)\s+(?P<units>[^:;]+?)\s*$",
        r"activate \g<hq> with \g<units>",
    ),
    (r"\s+x\s+(?=\d{4})", " attack "),
    (r"\b(?:set[- ]piece|mobile)\s+(?=attacks?\b|assaults?\b)", ""),
    (
        r"^\s*(?:army\s+reaction\s*(?:of|by|with|:)?|react\s+with)\s+(?!a\b|point)(?P<hq>[^:;]+?)\s*$",
        r"activate \g<hq>",
    ),
    (
        r"^\s*(?:spend|use)\s+(?:a|one)\s+(?:reaction\s+)?point\b"
        r"(?:,?\s*(?:and\s+)?(?:do\s+)?nothing.*)?\s*$",
        "react with a point",
    ),
    (
        r"^\s*(?:single[- ])?piece(?:\s+reaction)?\s*:?\s+(?:by\s+|of\s+|for\s+)?(?P<unit>[^:,;]+?)\s*$",
        r"piece \g<unit>",
    ),
)
"""How players name the box of the track, an attack, and the ways to react."""
