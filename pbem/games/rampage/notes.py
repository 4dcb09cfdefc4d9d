"""What the log of Rampage can say. The wording is in ``templates/rampage/log.txt.j2``. Nothing is secret:
every note is for everyone."""

from __future__ import annotations

from collections.abc import Iterator

from pbem.engine.board import Arrow
from pbem.engine.facts import Prose
from pbem.engine.notes import Note
from pbem.engine.tally import Modifier
from pbem.wargame import notes as shared

ARROWS = {"us": "us", "british": "uk", "airborne": "us"}
"""Group -> palette of its arrows."""


class Deployed(Note):
    """3.4 An army group has been set up."""

    group: str
    hexes: tuple[str, ...]


class Conceded(Note):
    """5.5 The Allies concede the game."""

    seat: str


# --- supply, replacements, arrivals -----------------------------------------------------------------------


class SupplyDecided(Note):
    """9.14 The die chose the army group that keeps full supply; `partial` is the other one."""

    chart = "army group supply"
    cell = ("die", "full")

    die: int
    full: str
    partial: str


class Grounded(Note):
    """9.15 Divisions of the partially supplied army group leave the game."""

    group: str
    names: tuple[str, ...]


class Replenishing(Note):
    """7.7 Reduced units go under a REPS marker: they neither move nor fight this turn."""

    group: str
    names: tuple[str, ...]


class Replenished(Note):
    """7.7 Units are back at full strength."""

    names: tuple[str, ...]


class Arrived(Note):
    """7.3 US reinforcements enter in a city; `how` is orders or by itself."""

    names: tuple[str, ...]
    hex: str
    how: str = "orders"


class Waiting(Note):
    """7.3 US reinforcements find no city to enter and wait."""

    names: tuple[str, ...]


class GermansArrived(Note):
    """7.2 German reinforcements go into the force pool."""

    names: tuple[str, ...]


class Returned(Note):
    """8.9, 10.6 Defenders and fallen units go back into the force pool; `pool` is its size afterwards."""

    defenders: tuple[str, ...]
    fallen: tuple[str, ...]
    pool: int


# --- movement -------------------------------------------------------------------------------------------


class Allotted(Note):
    """9.15 The die gives a force of the partially supplied army group its movement points."""

    cell = ("die",)

    names: tuple[str, ...]
    hex: str
    die: int


class Moved(shared.MapNote):
    """9.8 A force moves; `path` begins where it was. `spent` points so far this turn, out of `of`."""

    group: str
    names: tuple[str, ...]
    path: tuple[str, ...]
    spent: int
    of: int

    def arrows(self) -> Iterator[Arrow]:
        if len(self.path) > 1:
            yield Arrow(self.path, ARROWS[self.group])


class Stopped(Note):
    """9.8 A force stays in `hex`, short of where it was to go next: out of points (`why` empty),
    or that hex is now closed to it."""

    names: tuple[str, ...]
    hex: str
    short_of: str
    why: Prose
    points: int


class Dropped(Note):
    """9.2 A force drops units off; they are done for the turn."""

    names: tuple[str, ...]
    hex: str


class Relieved(Note):
    """13.8 Airborne divisions leave the game: an Allied force has reached them."""

    names: tuple[str, ...]
    hex: str


class Controlled(Note):
    """3.6, 3.7 Hexes change hands: `to` is allied or german, `why` is battle, undefended, landing,
    pocket, breakout."""

    hexes: tuple[str, ...]
    to: str
    why: str


# --- battles --------------------------------------------------------------------------------------------


class Defended(Note):
    """8.1 The German defence of a hex: the die with what is added makes `rolled` units, `names` were drawn.
    `chosen` is the unit that a fortress city gets at least (8.3), `pool` the size of the pool afterwards.
    `die` 0: nothing was rolled. `lots` is the number of the draw, 0 where no unit was drawn."""

    chart = "defence"
    cell = ("die", "rolled", "names")
    chancy = True

    hex: str
    die: int
    parts: tuple[Modifier, ...]
    rolled: int
    names: tuple[str, ...]
    chosen: str = ""
    pool: int = 0
    lots: int = 0


class Engaged(Note):
    """9.3 A battle begins: the attackers and the hex they come from, the defenders. `river`
    if the attack crosses one."""

    hex: str
    origin: str
    attackers: tuple[str, ...]
    defenders: tuple[str, ...]
    river: bool = False


class Fired(Note):
    """10.1 Dice of one class of firing units in one round: `firer` is elite, german, us or british;
    `arm` is armour, infantry or "". `steps` were hit. `faces` says what the
    dice showed, and what each did."""

    cell = ("dice", "steps")

    hex: str
    round: int
    firer: str
    arm: str
    dice: int
    parts: tuple[Modifier, ...]
    steps: int
    faces: Prose = ""


class Losses(shared.MapNote):
    """10.4 Steps taken: Allied units reduced and eliminated, German units eliminated."""

    hex: str
    round: int
    reduced: tuple[str, ...] = ()
    eliminated: tuple[str, ...] = ()
    germans: tuple[str, ...] = ()

    def lost(self) -> Iterator[tuple[str, str, int]]:
        yield self.hex, "us", len(self.eliminated)
        yield self.hex, "german", len(self.germans)


class Won(Note):
    """10.1 The Germans in the hex are gone after `rounds` rounds; the force has `points` left."""

    hex: str
    rounds: int
    attackers: tuple[str, ...]
    points: int = 0


class Repulsed(shared.MapNote):
    """9.6, 10.1 The Germans hold; the attackers are back where they came from, or all lost (`names` empty).
    `why`: orders, points, supply, lost."""

    hex: str
    back: str
    names: tuple[str, ...]
    defenders: tuple[str, ...]
    why: str

    def arrows(self) -> Iterator[Arrow]:
        if self.names and self.back != self.hex:
            yield Arrow((self.hex, self.back), "us", "retreat")


# --- pockets --------------------------------------------------------------------------------------------


class PocketFormed(Note):
    """12.4 Hexes are cut off by the change of control in `cause`."""

    hexes: tuple[str, ...]
    cause: str


class Garrisoned(Note):
    """12.8, 12.9 A fortress city that is cut off gets its garrison ("" if the pool is empty).
    `lots` is the number of the draw, 0 where no unit was drawn."""

    cell = ("name",)

    hex: str
    name: str
    lots: int = 0


class Bombed(Note):
    """14.2 Heavy bombers: the dice take `dice` divisions out of the breakout; they go into the force pool.
    `faces` are the dice, the first of them numbered `roll`; `lots` is the number of the draw."""

    cell = ("faces", "dice", "names")

    dice: int
    names: tuple[str, ...]
    left: int
    faces: tuple[int, ...] = ()
    lots: int = 0


class BreakoutForce(Note):
    """12.5, 11.2, 11.6 The units that try to break out through `hex`: those of the Argentan-Falaise Pocket,
    and those rolled and drawn. `lots` is the number of the draw, 0 where no unit was drawn."""

    chart = "breakout"
    cell = ("die", "names")

    hex: str
    die: int
    parts: tuple[Modifier, ...]
    names: tuple[str, ...]
    pocket: tuple[str, ...] = ()
    lots: int = 0


class BreakoutResult(shared.MapNote):
    """12.6, 12.7, 11.3 How the breakout ended; `names` are the Germans involved, back in the pool
    or gone for good."""

    hex: str
    success: bool
    names: tuple[str, ...]

    def lost(self) -> Iterator[tuple[str, str, int]]:
        if not self.success:
            yield self.hex, "german", len(self.names)


class PocketEscaped(Note):
    """11.4 The Argentan-Falaise Pocket was never closed: its units go into the force pool."""

    names: tuple[str, ...]


# --- the airborne army ----------------------------------------------------------------------------------


class Landed(Note):
    """13.4 Airborne divisions come down."""

    names: tuple[str, ...]
    hex: str


class LandingLost(shared.MapNote):
    """13.5 Germans are left after the only round: the landing is wiped out."""

    names: tuple[str, ...]
    hex: str
    defenders: tuple[str, ...]

    def lost(self) -> Iterator[tuple[str, str, int]]:
        yield self.hex, "us", len(self.names)
