"""The order verbs and conditions of The Pocket at Falaise: what a letter may say in each section,
and on what it may depend."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from pbem.engine import verbs
from pbem.engine.language import ATTACK, GOES, Again, Condition, Order
from pbem.games.falaise.state import State, Unit

# --- before the first turn -------------------------------------------------------------------------------


class Place(verbs.Place):
    example: ClassVar[str] = "place 16/116Pz at 3320"
    examples: ClassVar[Mapping[str, str | tuple[str, ...]]] = {"allied": "place 4/2C at 1424"}
    case: ClassVar[str] = "3.1"


class UseDefault(verbs.UseDefault):
    case: ClassVar[str] = "3.1"


@dataclass(frozen=True, slots=True)
class Withhold(Order):
    units: tuple[str, ...]

    verb: ClassVar[str] = "withhold"
    again: ClassVar[Again] = "instead"
    excludes: ClassVar[tuple[str, ...]] = ("redeploy",)
    usage: ClassVar[str] = "withhold <units>"
    help: ClassVar[str] = (
        "Takes these units off the map as unknown forces, which return with a counterattack "
        "or the 86th Corps; more than four give the Allies a point. At most six units may be lifted in all."
    )
    example: ClassVar[str] = "withhold D/2SS, DF/2SS, 19/9SS, 20/9SS"
    seats: ClassVar[tuple[str, ...]] = ("german",)
    case: ClassVar[str] = "3.1"
    sort: ClassVar[str] = GOES


@dataclass(frozen=True, slots=True)
class Redeploy(Order):
    units: tuple[str, ...]
    hex: str

    arrives: ClassVar[bool] = True
    verb: ClassVar[str] = "redeploy"
    again: ClassVar[Again] = "instead"
    excludes: ClassVar[tuple[str, ...]] = ("withhold",)
    usage: ClassVar[str] = "redeploy <units> (to|at|in) <hex>"
    help: ClassVar[str] = (
        "Lifts a unit and sets it down anywhere on your side of the line, "
        "not adjacent to an Allied unit; at most two units."
    )
    example: ClassVar[str] = "redeploy 501SS to 2216"
    seats: ClassVar[tuple[str, ...]] = ("german",)
    case: ClassVar[str] = "3.1"
    sort: ClassVar[str] = GOES


# --- guns and aircraft ------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Strike(Order):
    hex: str
    number: int = 1

    verb: ClassVar[str] = "airstrike"
    usage: ClassVar[str] = "airstrike [on] <hex> [times <number>]"
    help: ClassVar[str] = (
        "Sends one airstrike, or several in turn, against German units in any hex; only by day."
    )
    example: ClassVar[str] = "airstrike on 2315 times 2"
    seats: ClassVar[tuple[str, ...]] = ("allied",)
    case: ClassVar[str] = "8.3"
    sort: ClassVar[str] = ATTACK


@dataclass(frozen=True, slots=True)
class Bombard(Order):
    command: str
    hex: str

    verb: ClassVar[str] = "bombard"
    again: ClassVar[Again] = "instead"
    usage: ClassVar[str] = "(artillery|bombard) [of] <command> [on] <hex>"
    help: ClassVar[str] = (
        "The guns of a command fire at German units in a hex within range of any of its units; once a turn."
    )
    example: ClassVar[str] = "artillery 2CC on 1625"
    seats: ClassVar[tuple[str, ...]] = ("allied",)
    case: ClassVar[str] = "8.2"
    sort: ClassVar[str] = ATTACK

    def actors(self) -> tuple[str, ...]:
        return (self.command,)


# --- action rounds ----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Attach(Order):
    """Several names are a list of priorities: units that may not be attached when the command is drawn
    are passed over."""

    units: tuple[str, ...]

    verb: ClassVar[str] = "attach"
    again: ClassVar[Again] = "instead"
    usage: ClassVar[str] = "attach <units>"
    help: ClassVar[str] = (
        "Units of other commands, within two hexes of a unit of this one, act with it this turn; "
        "at most three a turn in all. You may name more, in order of preference."
    )
    example: ClassVar[str] = "attach 501SS, Co/PGEb"
    seats: ClassVar[tuple[str, ...]] = ("german",)
    case: ClassVar[str] = "11.1"
    rank: ClassVar[int] = -1


@dataclass(frozen=True, slots=True)
class Enter(Order):
    units: tuple[str, ...]
    hex: str

    arrives: ClassVar[bool] = True
    verb: ClassVar[str] = "enter"
    again: ClassVar[Again] = "instead"
    usage: ClassVar[str] = "enter <units> (at|in) <hex>"
    help: ClassVar[str] = "Unknown forces or reinforcements enter the map in this hex."
    example: ClassVar[str] = "enter D/2SS at 1805"
    seats: ClassVar[tuple[str, ...]] = ("german",)
    case: ClassVar[str] = "11.3"
    sort: ClassVar[str] = GOES
    rank: ClassVar[int] = -1


@dataclass(frozen=True, slots=True)
class Move(Order):
    units: tuple[str, ...]
    path: tuple[str, ...]
    cover: tuple[str, ...] = ()
    """Friends that stay in the hex for the whole round, so that leaving it draws no fire (6.3)."""

    verb: ClassVar[str] = "move"
    again: ClassVar[Again] = "on"
    bars: ClassVar[tuple[str, ...]] = ("assault",)
    as_one: ClassVar[bool] = True
    usage: ClassVar[str] = "[(move|advance)] <units> [to] <path> [covered by <cover:units>]"
    help: ClassVar[str] = (
        "A unit, or the units of one stack, move along these hexes, or by the cheapest path to the last one. "
        "A later line for the same units continues from there as long as no other unit has moved, "
        "and leaves behind the units that it does not name."
    )
    example: ClassVar[str] = "move 25/12SS to 1720 2118"
    examples: ClassVar[Mapping[str, str | tuple[str, ...]]] = {"allied": "move Koszutski to 1117 1216"}
    case: ClassVar[str] = "7.2"
    sort: ClassVar[str] = GOES


@dataclass(frozen=True, slots=True)
class Exit(Order):
    units: tuple[str, ...]

    verb: ClassVar[str] = "exit"
    again: ClassVar[Again] = "instead"
    bars: ClassVar[tuple[str, ...]] = ("assault",)
    usage: ClassVar[str] = "exit <units>"
    help: ClassVar[str] = (
        "German units in a hex of the southern edge exit the map: each costs a movement point "
        "and scores a victory point."
    )
    example: ClassVar[str] = "exit KG/9Pz"
    seats: ClassVar[tuple[str, ...]] = ("german",)
    lasting: ClassVar[bool] = True
    case: ClassVar[str] = "3.3"
    sort: ClassVar[str] = GOES


@dataclass(frozen=True, slots=True)
class Attack(Order):
    """What the two kinds of assault have in common."""

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

    sort: ClassVar[str] = ATTACK


_HOW = (
    "{[at] <odds> or better | advance <advance:units> [to <onward:hex>] | <stay:=no advance>"
    " | lose <losses:units>}"
)


@dataclass(frozen=True, slots=True)
class Assault(Attack):
    verb: ClassVar[str] = "assault"
    again: ClassVar[Again] = "instead"
    bars: ClassVar[tuple[str, ...]] = ("move", "exit", "mech")
    usage: ClassVar[str] = f"(assault|attack) <hex> with <units> {_HOW}"
    help: ClassVar[str] = (
        "An assault round: these units attack this hex, and no unit of the command moves. "
        "Units of other commands adjacent to the hex help if they pass a rating check. "
        "What the line says about advance and losses overrides standing orders."
    )
    example: ClassVar[str] = "assault 1625 with 4/2C, 6/2AB at 1-1 or better, advance 6/2AB"
    examples: ClassVar[Mapping[str, str | tuple[str, ...]]] = {
        "german": "assault 1425 with 25/12SS, 26/12SS at 1-1 or better, advance 26/12SS"
    }
    case: ClassVar[str] = "10.0"


@dataclass(frozen=True, slots=True)
class MechAssault(Attack):
    verb: ClassVar[str] = "mech"
    again: ClassVar[Again] = "instead"
    bars: ClassVar[tuple[str, ...]] = ("assault", "move", "exit")
    usage: ClassVar[str] = f"(mech|mechanised|mechanized) (assault|attack) <hex> with <units> {_HOW}"
    help: ClassVar[str] = (
        "After the movement of its command, mechanised units, and Allied infantry stacked with them, "
        "attack this hex. Units of other commands that can do the same help if they were adjacent to a unit "
        "of the command when its round began."
    )
    example: ClassVar[str] = "mech assault 2315 with Koszutski at 2-1 or better, advance Koszutski to 2415"
    examples: ClassVar[Mapping[str, str | tuple[str, ...]]] = {
        "german": "mech assault 1424 with Pz/12SS, 25/12SS at 2-1 or better, advance Pz/12SS to 1323"
    }
    case: ClassVar[str] = "10.0"


@dataclass(frozen=True, slots=True)
class Hold(Order):
    verb: ClassVar[str] = "hold"
    usage: ClassVar[str] = "hold"
    help: ClassVar[str] = "This command does nothing (more) this turn: lines after this one are not played."
    example: ClassVar[str] = "hold"
    case: ClassVar[str] = "7.1.2"
    ends: ClassVar[bool] = True


# --- conditions -----------------------------------------------------------------------------------------


class Held(verbs.Held):
    example: ClassVar[str] = "if 2715 is held by the enemy"


class Empty(verbs.Empty):
    example: ClassVar[str] = "if 2715 is empty"


@dataclass(frozen=True, slots=True)
class OfUnits(Condition):
    """A condition on any unit of a line: `among` are those, if no unit is named."""

    unit: str = ""
    among: tuple[str, ...] = ()

    @property
    def units(self) -> tuple[str, ...]:
        return (self.unit,) if self.unit else self.among

    def about(self, order: Order) -> Condition:
        return self if self.unit else replace(self, among=tuple(getattr(order, "units", ())))

    def on_map(self, state: State) -> list[Unit]:
        return [state.units[id] for id in self.units if state.units[id].place == "map"]


class Disrupted(OfUnits):
    usage: ClassVar[str] = "[<unit> is] disrupted"
    help: ClassVar[str] = "The unit is disrupted; without a name, any unit of the line."
    example: ClassVar[str] = "if disrupted"

    def holds(self, state: Any, seat: str) -> bool:
        return any(unit.disrupted for unit in self.on_map(state))


class Reduced(OfUnits):
    usage: ClassVar[str] = "[<unit> is] reduced"
    help: ClassVar[str] = "The unit has lost a step; without a name, any unit of the line."
    example: ClassVar[str] = "if 357/90 is reduced"
    examples: ClassVar[Mapping[str, str | tuple[str, ...]]] = {"german": "if 19/9SS is reduced"}

    def holds(self, state: Any, seat: str) -> bool:
        return any(unit.steps < unit.counter.steps for unit in self.on_map(state))


@dataclass(frozen=True, slots=True)
class FirstThisTurn(Condition):
    usage: ClassVar[str] = "first [this turn]"
    help: ClassVar[str] = "This command is the first to be activated this turn."
    example: ClassVar[str] = "if first this turn"

    def holds(self, state: Any, seat: str) -> bool:
        return all(key == state.active for key in state.activated)


@dataclass(frozen=True, slots=True)
class Activated(Condition):
    command: str

    usage: ClassVar[str] = "<command> has been activated"
    help: ClassVar[str] = "That command has had its action round this turn."
    example: ClassVar[str] = "if 2CC has been activated"
    examples: ClassVar[Mapping[str, str | tuple[str, ...]]] = {"german": "if 2SS has been activated"}

    def holds(self, state: Any, seat: str) -> bool:
        return self.command in state.activated and self.command != state.active


@dataclass(frozen=True, slots=True)
class PointsAtLeast(Condition):
    points: int

    usage: ClassVar[str] = "[at] least <points:number> [movement] (points|mp)"
    help: ClassVar[str] = "The die gave this command at least this many movement points."
    example: ClassVar[str] = "if at least 5 points"

    def holds(self, state: Any, seat: str) -> bool:
        return bool(state.allowance >= self.points)


class IsAt(verbs.IsAt):
    example: ClassVar[str] = "if Koszutski is at 2508"
    examples: ClassVar[Mapping[str, str | tuple[str, ...]]] = {"german": "if 25/12SS is at 1720"}


class Alive(verbs.Alive):
    example: ClassVar[str] = "if 501SS is alive"
    examples: ClassVar[Mapping[str, str | tuple[str, ...]]] = {"allied": "if 4/2C is alive"}


CONDITIONS: tuple[type[Condition], ...] = (
    Held, Empty, Disrupted, Reduced, FirstThisTurn, Activated, PointsAtLeast, IsAt, Alive,
)  # fmt: skip
