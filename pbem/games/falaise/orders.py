"""The order verbs and conditions of The Pocket at Falaise: what a letter may say in each section,
and on what it may depend."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from pbem.engine import verbs
from pbem.engine.language import ATTACK, GOES, Condition, Order
from pbem.games.falaise.state import State, Unit
from pbem.games.falaise.tables import GRID

# --- before the first turn -------------------------------------------------------------------------------


class Place(verbs.Place):
    example = "place 16/116Pz at 3320"
    examples = {"allied": "place 4/2C at 1424"}
    case = "3.1"


class UseDefault(verbs.UseDefault):
    case = "3.1"


class Withhold(Order):
    usage = "withhold <units>"
    help = (
        "Takes these units off the map as unknown forces, which return with a counterattack "
        "or the 86th Corps; more than four give the Allies a point. At most six units may be lifted in all."
    )
    example = "withhold D/2SS, DF/2SS, 19/9SS, 20/9SS"
    case = "3.1"
    again = "instead"
    excludes = ("redeploy",)
    seats = ("german",)
    sort = GOES

    units: tuple[str, ...]


class Redeploy(Order):
    usage = "redeploy <units> (to|at|in) <hex>"
    help = (
        "Lifts a unit and sets it down anywhere on your side of the line, "
        "not adjacent to an Allied unit; at most two units."
    )
    example = "redeploy 501SS to 2216"
    case = "3.1"
    arrives = True
    again = "instead"
    excludes = ("withhold",)
    seats = ("german",)
    sort = GOES

    units: tuple[str, ...]
    hex: str


# --- guns and aircraft ------------------------------------------------------------------------------------


class Strike(Order):
    usage = "airstrike [on] <hex> [times <number>]"
    help = "Sends one airstrike, or several in turn, against German units in any hex; only by day."
    example = "airstrike on 2315 times 2"
    case = "8.3"
    seats = ("allied",)
    sort = ATTACK

    hex: str
    number: int = 1


class Bombard(Order):
    verb = "bombard"
    usage = "(artillery|bombard) [of] <command> [on] <hex>"
    help = (
        "The guns of a command fire at German units in a hex within range of any of its units; once a turn."
    )
    example = "artillery 2CC on 1625"
    case = "8.2"
    again = "instead"
    seats = ("allied",)
    sort = ATTACK

    command: str
    hex: str

    def actors(self) -> tuple[str, ...]:
        return (self.command,)


# --- action rounds ----------------------------------------------------------------------------------------


class Attach(Order):
    """Several names are a list of priorities: units that may not be attached when the command is drawn
    are passed over."""

    usage = "attach <units>"
    help = (
        "Units of other commands, within two hexes of a unit of this one, act with it this turn; "
        "at most three a turn in all. You may name more, in order of preference."
    )
    example = "attach 501SS, Co/PGEb"
    case = "11.1"
    again = "instead"
    seats = ("german",)
    rank = -1

    units: tuple[str, ...]


class Enter(Order):
    usage = "enter <units> (at|in) <hex>"
    help = "Unknown forces or reinforcements enter the map in this hex."
    example = "enter D/2SS at 1805"
    case = "11.3"
    arrives = True
    again = "instead"
    seats = ("german",)
    sort = GOES
    rank = -1

    units: tuple[str, ...]
    hex: str


class Move(Order):
    verb = "move"
    usage = "[(move|advance)] <units> [to] <path> [covered by <cover:units>]"
    help = (
        "A unit, or the units of one stack, move along these hexes, or by the cheapest path to the last one. "
        "A later line for the same units continues from there as long as no other unit has moved, "
        "and leaves behind the units that it does not name."
    )
    example = "move 25/12SS to 1720 2118"
    examples = {"allied": "move Koszutski to 1117 1216"}
    case = "7.2"
    again = "on"
    bars = ("assault",)
    as_one = True
    sort = GOES

    units: tuple[str, ...]
    path: tuple[str, ...]
    cover: tuple[str, ...] = ()
    """Friends that stay in the hex for the whole round, so that leaving it draws no fire (6.3)."""


class Exit(Order):
    usage = "exit <units>"
    help = (
        "German units in a hex of the southern edge exit the map: each costs a movement point "
        "and scores a victory point."
    )
    example = "exit KG/9Pz"
    case = "3.3"
    again = "instead"
    bars = ("assault",)
    seats = ("german",)
    lasting = True
    sort = GOES

    units: tuple[str, ...]


class Attack(Order):
    """What the two kinds of assault have in common."""

    sort = ATTACK

    hex: str
    units: tuple[str, ...]
    odds: str = ""
    """The worst odds at which it is made; at worse odds it is passed over."""
    advance: tuple[str, ...] = ()
    onward: str = ""
    """Where mechanised units among them advance to, following the defenders."""
    stay: bool = False
    losses: tuple[str, ...] = ()
    """The units that take a step loss first."""


_HOW = (
    "{[at] <odds> or better | advance <advance:units> [to <onward:hex>] | <stay:=no advance>"
    " | lose <losses:units>}"
)


class Assault(Attack):
    verb = "assault"
    usage = f"(assault|attack) <hex> with <units> {_HOW}"
    help = (
        "An assault round: these units attack this hex, and no unit of the command moves. "
        "Units of other commands adjacent to the hex help if they pass a rating check. "
        "What the line says about advance and losses overrides standing orders."
    )
    example = "assault 1625 with 4/2C, 6/2AB at 1-1 or better, advance 6/2AB"
    examples = {"german": "assault 1425 with 25/12SS, 26/12SS at 1-1 or better, advance 26/12SS"}
    case = "10.0"
    again = "instead"
    bars = ("move", "exit", "mech")


class MechAssault(Attack):
    verb = "mech"
    usage = f"(mech|mechanised|mechanized) (assault|attack) <hex> with <units> {_HOW}"
    help = (
        "After the movement of its command, mechanised units, and Allied infantry stacked with them, "
        "attack this hex. Units of other commands that can do the same help if they were adjacent to a unit "
        "of the command when its round began."
    )
    example = "mech assault 2315 with Koszutski at 2-1 or better, advance Koszutski to 2415"
    examples = {"german": "mech assault 1424 with Pz/12SS, 25/12SS at 2-1 or better, advance Pz/12SS to 1323"}
    case = "10.0"
    again = "instead"
    bars = ("assault", "move", "exit")


class Hold(Order):
    usage = "hold"
    help = "This command does nothing (more) this turn: lines after this one are not played."
    example = "hold"
    case = "7.1.2"
    ends = True


# --- conditions -----------------------------------------------------------------------------------------


class Held(verbs.Held):
    example = "if 2715 is held by the enemy"


class Empty(verbs.Empty):
    example = "if 2715 is empty"


class OfUnits(Condition):
    """A condition on any unit of a line: `among` are those, if no unit is named, or the hex that the line
    fires at."""

    unit: str = ""
    among: tuple[str, ...] = ()

    @property
    def units(self) -> tuple[str, ...]:
        return (self.unit,) if self.unit else self.among

    def about(self, order: Order) -> Condition:
        return (
            self
            if self.unit
            else replace(self, among=order.actors() if hasattr(order, "units") else (order.place(),))
        )

    def on_map(self, state: State) -> list[Unit]:
        units = [unit for id in self.units for unit in (state.at(id) if id in GRID else (state.units[id],))]
        return [unit for unit in units if unit.place == "map"]


class Disrupted(OfUnits):
    usage = "[<unit> is] disrupted"
    help = "The unit is disrupted; without a name, any unit of the line."
    example = "if disrupted"

    def holds(self, state: Any, seat: str) -> bool:
        return any(unit.disrupted for unit in self.on_map(state))


class Reduced(OfUnits):
    usage = "[<unit> is] reduced"
    help = "The unit has lost a step; without a name, any unit of the line."
    example = "if 357/90 is reduced"
    examples = {"german": "if 19/9SS is reduced"}

    def holds(self, state: Any, seat: str) -> bool:
        return any(unit.steps < unit.counter.steps for unit in self.on_map(state))


class FirstThisTurn(Condition):
    usage = "first [this turn]"
    help = "This command is the first to be activated this turn."
    example = "if first this turn"

    def holds(self, state: Any, seat: str) -> bool:
        return all(key == state.active for key in state.activated)


class Activated(Condition):
    usage = "<command> has been activated"
    help = "That command has had its action round this turn."
    example = "if 2CC has been activated"
    examples = {"german": "if 2SS has been activated"}

    command: str

    def holds(self, state: Any, seat: str) -> bool:
        return self.command in state.activated and self.command != state.active


class PointsAtLeast(Condition):
    usage = "[at] least <points:number 0..> [movement] (points|mp)"
    help = "The die gave this command at least this many movement points."
    example = "if at least 2 points"

    points: int

    def holds(self, state: Any, seat: str) -> bool:
        return bool(state.allowance >= self.points)


class IsAt(verbs.IsAt):
    example = "if Koszutski is at 2508"
    examples = {"german": "if 25/12SS is at 1720"}


class Alive(verbs.Alive):
    example = "if 501SS is alive"
    examples = {"allied": "if 4/2C is alive"}


CONDITIONS: tuple[type[Condition], ...] = (
    Held, Empty, Disrupted, Reduced, FirstThisTurn, Activated, PointsAtLeast, IsAt, Alive,
)  # fmt: skip
