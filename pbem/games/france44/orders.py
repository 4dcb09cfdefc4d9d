"""The order verbs and conditions of France 1944: what a letter may say in each section,
and on what it may depend."""

from __future__ import annotations

from typing import Any

from pbem.engine import verbs
from pbem.engine.language import ATTACK, GOES, Condition, Order

# --- the beginning of a turn --------------------------------------------------------------------------------


class Commit(Order):
    usage = "commit <number> [supply] [(points|point)]"
    help = "Turn this many supply points into initiative chits of the next turn. Secret."
    example = "commit 3 supply points"
    case = "2.0.8"
    again = "instead"

    number: int

    def subjects(self) -> tuple[str, ...]:
        return ("commit",)


class Interdict(Order):
    usage = "interdict with <number> [tactical] [air] [(markers|marker)]"
    help = (
        "Use this many tactical air markers to cut German reaction points this turn; "
        "they cannot support attacks."
    )
    example = "interdict with 1 marker"
    case = "2.0.3"
    again = "instead"
    seats = ("allied",)

    number: int

    def subjects(self) -> tuple[str, ...]:
        return ("interdict",)


class Offensive(Order):
    verb = "offensive"
    usage = "declare [the] [a] [surprise] offensive"
    help = "October to January: a German reaction at once, then two German initiative phases in a row."
    example = "declare the offensive"
    case = "12.5"
    again = "instead"
    seats = ("german",)

    def subjects(self) -> tuple[str, ...]:
        return ("offensive",)


# --- initiative and reaction --------------------------------------------------------------------------------


class Drop(Order):
    usage = "drop [the] [airborne] (at|on|in) <hex>"
    help = "Drop the 18th Airborne into this hex, before a headquarters is activated."
    example = "drop the airborne at 3405"
    case = "12.3"
    arrives = True
    again = "instead"
    bars = ("drop",)
    sort = GOES
    rank = -1
    seats = ("allied",)

    hex: str


class Activate(Order):
    usage = "activate <hq:unit> [with <units>]"
    help = (
        "Activate this headquarters with these units; if you name none, with as many as it can command. "
        "In a reaction this costs three points."
    )
    example = "activate US1 with VII/US, V/US, 2AD/US, 3AD/US"
    examples = {"german": "activate PzWest with LXXXVI, 1SS, 12SS, 21Pz"}
    case = "5.1"
    again = "instead"
    bars = ("activate", "piece")

    hq: str
    units: tuple[str, ...] = ()

    def subjects(self) -> tuple[str, ...]:
        return ("activate",)

    def instead(self) -> tuple[Order, ...]:
        """4.7 The headquarters with all of these units but one, else with as many as it can command."""
        fewer = (self.units[:at] + self.units[at + 1 :] for at in reversed(range(len(self.units))))
        return (*(Activate(self.hq, units) for units in fewer if units), Activate(self.hq))

    @property
    def heads(self) -> str:
        return "section"


class React(Order):
    """That a side reacts, written ahead: the army or the pieces of the lines that follow."""

    usage = "react [as ordered]"
    help = (
        "React at the next opportunity, with the lines below. Each such line is for one opportunity, "
        "in the order written."
    )
    example = "react as ordered"
    case = "5.2"
    outermost = True

    def subjects(self) -> tuple[str, ...]:
        return ("react",)

    @property
    def heads(self) -> str:
        return "react"


class Denial(Order):
    """That a side spends a point to keep the other from its reaction, written ahead."""

    verb = "deny"
    usage = "(react|deny) with [a] point"
    help = "Spend one point after the enemy's next chit to deny it a reaction to that chit."
    example = "react with a point"
    case = "5.2"

    def subjects(self) -> tuple[str, ...]:
        return ("react",)

    @property
    def heads(self) -> str:
        return "react"


class Piece(Order):
    usage = "piece <unit>"
    help = (
        "Spend a reaction point on this unit or headquarters: it uses the track alone, with the lines below."
    )
    example = "piece 116Pz"
    examples = {"allied": "piece 2AD/US"}
    case = "5.2"
    again = "instead"
    bars = ("activate",)

    unit: str

    @property
    def heads(self) -> str:
        return f"piece {self.unit}"


class Administrative(Order):
    usage = "administrative [movement] [for] <units>"
    help = (
        "These commanded units have twice their movement points for the whole phase, "
        "but cannot enter enemy ZOCs or attack."
    )
    example = "administrative movement for 4AD/US, 6AD/US"
    examples = {"german": "administrative movement for 9SS, 10SS"}
    case = "5.3"
    again = "instead"
    excludes = ("attack",)

    units: tuple[str, ...]


class Increment(Order):
    """The track marker goes to a box in which nobody needs to do anything."""

    verb = "increment"
    usage = "(increment|inc|box) <box:number>"
    help = "Go on to this box of the track and let its time pass."
    example = "increment 10"
    case = "6.0"
    again = "instead"

    box: int

    @property
    def stage(self) -> int | None:
        return self.box or None

    def subjects(self) -> tuple[str, ...]:
        return (f"box {self.box}",)


class Move(Order):
    verb = "move"
    usage = '[[(increment|inc|box)] <box:number> [":"]] [(move|advance)] <units> [to] <path>'
    help = (
        "Move commanded units along these hexes, or by the cheapest path to the last one. "
        "Name the box where a new one begins."
    )
    example = "inc 10: move 2AD/US, 3AD/US to 1210 1311"
    examples = {"german": "inc 10: move 9SS, 10SS to 1410 1310"}
    case = "7.0"
    again = "on"
    sort = GOES

    units: tuple[str, ...]
    path: tuple[str, ...]
    box: int = 0

    @property
    def stage(self) -> int | None:
        return self.box or None

    def instead(self) -> tuple[Order, ...]:
        """6.0 The marker goes on to the box without it."""
        return (Increment(self.box),) if self.box else ()


class Attack(Order):
    verb = "attack"
    usage = (
        '[[(increment|inc|box)] <box:number> [":"]] attack <hexes> with <units>'
        " {(led by|lead) <lead:unit> | air <air>"
        " | lose <losses:units> | advance <advance:units> [to <onward:hex>] | <stay:=no advance>}"
    )
    help = (
        "Attack one hex, or two adjacent to each other and to every attacker, with commanded units. "
        "Name the lead unit, air support, which units lose steps next and which advance; "
        "standing orders decide the rest."
    )
    example = "inc 4: attack 1209 with VII/US, 2AD/US led by VII/US, air tactical, advance 2AD/US to 1210"
    examples = {"german": "inc 4: attack 1409 with 1SS, 12SS led by 1SS, lose 12SS, advance 12SS"}
    case = "8.0"
    excludes = ("administrative",)
    sort = ATTACK

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

    @property
    def stage(self) -> int | None:
        return self.box or None

    def instead(self) -> tuple[Order, ...]:
        """6.0 The marker goes on to the box without it."""
        return (Increment(self.box),) if self.box else ()


# --- the administrative phase -------------------------------------------------------------------------------


class Replace(Order):
    usage = "replace <unit> [with <number> (points|point)]"
    help = (
        "Spend replacement points on a unit supplied by a headquarters, or on one in the eliminated box: "
        "a step each."
    )
    example = "replace V/US with 2 points"
    examples = {"german": "replace LXXXIV with 2 points"}
    case = "10.1.2"

    unit: str
    number: int = 1


class Enter(Order):
    usage = "enter <units> (at|in) <hex> [[then] to <path>]"
    help = "Arrivals enter at this hex, and move on by administrative movement if you say where."
    example = "enter XV/US at 1309 to 1311"
    examples = {"german": "enter LXVII at 3409 to 3309"}
    case = "10.1.5"
    arrives = True
    again = "instead"
    sort = GOES
    goes_on = True

    units: tuple[str, ...]
    hex: str
    path: tuple[str, ...] = ()


class Place(verbs.Place):
    help = "Set up arrivals from the south in this hex of the southern row."
    example = "place LXIV, AOK19 at 2428"
    case = "10.1.3"


# --- conditions ---------------------------------------------------------------------------------------------


class Held(verbs.Held):
    example = "if 1410 is held by the enemy"

    def holds(self, state: Any, seat: str) -> bool:
        holder = state.holder(self.hex) or state.control.get(self.hex)
        return holder is not None and (holder == seat) == (self.by == "us")


class Empty(verbs.Empty):
    example = "if 1410 is empty"


class Alive(verbs.Alive):
    example = "if 2AD/US is alive"


class IsAt(verbs.IsAt):
    example = "if 2AD/US is at 1210"


class AirSupport(Condition):
    usage = "[there is] air [support]"
    help = "The Allies have air support this turn."
    example = "if there is air support"

    def holds(self, state: Any, seat: str) -> bool:
        return bool(state.air_support)


class PointsLeft(Condition):
    usage = "[at] least <number> reaction (points|point)"
    help = "You have at least this many reaction points left."
    example = "if at least 4 reaction points"

    number: int

    def holds(self, state: Any, seat: str) -> bool:
        return any(points >= self.number for side, points in state.reaction.items() if side == seat)


CONDITIONS: tuple[type[Condition], ...] = (Held, Empty, Alive, IsAt, AirSupport, PointsLeft)

_ACTS = r"(?:(?:activate|use)\s+)?"
_TAKES = (
    r"takes|takes\s+command\s+of|commands|leads|gets|aktiviert"
    r"|(?:acts|activates|is\s+activated)(?:\s+(?:with|and\s+(?:commands|takes|leads)))"
)
_UNDER = r"(?:\s+(?:under\s+(?:(?:his|its|her)\s+)?command|in\s+hand))?"
"""How people say that a headquarters acts, and with which units."""

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
        rf"^\s*{_ACTS}(?P<hq>[^:;]+?)(?:\s+(?:{_TAKES}|acts|with))?\s*:\s*(?P<units>[^:;]+?){_UNDER}\s*$",
        r"activate \g<hq> with \g<units>",
    ),
    (
        rf"^\s*(?P<hq>[^:;]+?)\s+(?:{_TAKES})\s+(?P<units>[^:;]+?){_UNDER}\s*$",
        r"activate \g<hq> with \g<units>",
    ),
    (
        r"^\s*(?:let\s+)?(?P<hq>[^:;,]+?)"
        r"(?:['’]s?\s+turn|\s+(?:has|have|gets?)\s+this\s+(?:one|chit))\s*[:,]\s*(?:(?:he|she|it|they)\s+)?"
        rf"(?:(?:{_TAKES}|with|get|take|lead|command)\s+)?(?P<units>[^:;]+?){_UNDER}\s*$",
        r"activate \g<hq> with \g<units>",
    ),
    (
        r"^\s*activate\s+(?P<hq>[^:;,]+?)\s*,\s*(?P<units>[^:;]+?)\s*$",
        r"activate \g<hq> with \g<units>",
    ),
    (
        r"^\s*(?:put|place)\s+(?P<units>[^:;]+?)\s+under\s+(?P<hq>[^:;]+?)(?:\s+command)?\s*$",
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
