"""What the log of France 1944 can say. The wording is in ``templates/france44/log.txt.j2``.

Everything on the map is open; only the supply that a side commits for the next turn is secret (2.0.8).
"""

from __future__ import annotations

from collections.abc import Iterator

from pbem.engine.board import Arrow, Battle
from pbem.engine.facts import Prose
from pbem.engine.notes import Note
from pbem.engine.tally import Modifier
from pbem.wargame import notes as shared

# --- the beginning of a turn --------------------------------------------------------------------------------


class AirRolled(Note):
    """2.0.3 Whether there is air support; `die` is 0 in July."""

    cell = ("die", "needed", "available")

    die: int
    needed: int
    available: bool


class TurnPoints(Note):
    """2.0.4, 2.0.5 Supply and reaction points of a side; `parts` say where the reaction points come from."""

    side: str
    supply: int
    gained: int
    reaction: int
    parts: tuple[Modifier, ...]


class ChitsPlaced(Note):
    """2.0.6, 2.0.7 What is in the cup."""

    allied: int
    german: int


class Committed(Note):
    """2.0.8 Supply points committed for the next turn; for its side alone."""

    side: str
    number: int
    left: int


class WrittenAgain(Note):
    """2.0.3, 2.0.8 A later line takes the place of an earlier one: supply points to commit,
    or markers that interdict; for its side alone."""

    side: str
    what: Prose
    was: int
    now: int


class Interdicted(Note):
    """2.0.3 Tactical air markers on the German reaction track."""

    number: int
    cost: int


class OffensiveDeclared(Note):
    """12.5 The German surprise offensive."""

    points: int


# --- chits, phases ------------------------------------------------------------------------------------------


class ChitDrawn(Note):
    """2.0.9 A chit: allied, german or administrative; `left` are those in the cup after it."""

    cell = ("chit", "left")

    chit: str
    left: int


class Activated(Note):
    """5.1, 5.2 A headquarters acts; `cost` are reaction points, 0 for an initiative phase."""

    side: str
    hq: str
    names: tuple[str, ...]
    cost: int = 0


class PieceActivated(Note):
    """5.2 A single piece reacts for a point."""

    side: str
    name: str
    unsupplied: bool
    left: int


class PhasePassed(Note):
    """5.1, 5.2 A side does nothing: `what` is initiative, reaction, or denied (a point spent for nothing)."""

    side: str
    what: str
    left: int = 0


class AdministrativeChosen(Note):
    """5.3 Commanded pieces go by administrative movement in this phase."""

    side: str
    names: tuple[str, ...]


class BoxEntered(Note):
    """6.0 The track marker goes to a box: move or attack."""

    side: str
    box: int
    what: str


class Moved(shared.Travelled):
    """7.0 Pieces that move together; points of the box."""

    points: int
    of: int
    administrative: bool = False
    crossing: bool = False
    """12.8 Across the Rhine in boats."""


class Dropped(Note):
    """12.3, 12.4 The 18th Airborne jumps."""

    name: str
    hex: str
    stays: bool


class Lifted(Note):
    """12.3 The 18th Airborne goes back to its box."""

    name: str


class Dispersed(shared.Perished):
    """4.10 A headquarters disperses; `back` is the turn in which it may enter again."""

    fate = "dispersed"

    back: int


class TookControl(shared.TookControl):
    """11.3 A hex that matters changes hands."""


class BridgeRolled(Note):
    """12.7 The bridges of a hexside of the Rhine are tried."""

    cell = ("dice", "standing")

    hexes: tuple[str, str]
    dice: tuple[int, ...]
    standing: int


class BridgeheadChanged(Note):
    """12.6 A bridgehead is won or lost."""

    hex: str
    won: bool


class RhineCrossed(Note):
    """12.9 The Allies have crossed the Rhine for the first time."""

    hex: str


class Rerolled(Note):
    """12.10 The Advantage is used: the die is rerolled."""

    cell = ("first", "second")

    side: str
    what: str
    first: int
    second: int


# --- combat -------------------------------------------------------------------------------------------------


class Attacked(shared.MapNote):
    """9 A combat. `fight` is set_piece or mobile."""

    chart = "combat"
    cell = (
        "comparison",
        "corner",
        "attack_die",
        "attack_needs",
        "defence_die",
        "defence_needs",
        "attack_hit_die",
        "defence_hit_die",
        "attack_hits",
        "defence_hits",
    )

    side: str
    fight: str
    hexes: tuple[str, ...]
    origins: tuple[str, ...]
    attackers: tuple[str, ...]
    defenders: tuple[str, ...]
    attack: int
    defence: int
    attack_parts: tuple[Modifier, ...]
    defence_parts: tuple[Modifier, ...]
    comparison: Prose
    """The column of the chart, as it is printed; the strengths decide it."""
    attack_lead: str
    defence_lead: str
    attack_morale: tuple[Modifier, ...]
    defence_morale: tuple[Modifier, ...]
    attack_die: int
    defence_die: int
    attack_needs: int
    defence_needs: int
    corner: str
    attack_hit_die: int
    defence_hit_die: int
    attack_hits: int
    defence_hits: int
    air: str = ""
    rolls: tuple[Prose, ...] = ()
    """The names of the rolls that count: morale and hits of the attack, then those of the defence. None in a
    combat recorded before pbem named them."""

    def battles(self) -> Iterator[Battle]:
        """One on two hexes is shown in both."""
        for hex in self.hexes:
            yield Battle(hex, f"R{self.roll}", self.origins)


class StepsLost(shared.StepsLost):
    """9.6, 10.1.1 Steps that units lose, (unit, steps): `why` is combat or attrition."""


class Eliminated(shared.Perished):
    """3.2 A unit is eliminated: `why` is combat, attrition or no way out of the south; `gone` if for good
    (10.1.1)."""

    fate = "eliminated"

    why: str
    gone: bool = False


class Retreated(shared.Retreated):
    """9.7 Pieces retreat; `spared` hits are saved by it."""

    spared: int = 0


class HeldFast(Note):
    """9.7 Defenders that cannot retreat stay, for another hit."""

    side: str
    hex: str


class Advanced(shared.MapNote):
    """9.8 A unit advances from `start` along `path`."""

    side: str
    name: str
    start: str
    path: tuple[str, ...]

    def arrows(self) -> Iterator[Arrow]:
        yield Arrow((self.start, *self.path), self.side, "advance")


class Tried(Note):
    """3.10 A green unit is no longer green."""

    name: str
    why: Prose


# --- the administrative phase -------------------------------------------------------------------------------


class SupplyJudged(shared.SupplyJudged):
    """10.1.1 Which units get an out of supply marker, and which lose it."""


class Replaced(Note):
    """10.1.2 Replacement points for a unit: `now` is full, reduced or cadre."""

    side: str
    name: str
    points: int
    now: str
    rebuilt: bool = False


class Entered(shared.Entered):
    """10.1.4, 10.1.5 Arrivals come in, and go on."""


class SentBack(Note):
    """10.1.2 Units that were rebuilt and have not entered are back in the eliminated box."""

    side: str
    names: tuple[str, ...]


class ShutOut(Note):
    """10.1.5 Allied arrivals that found no way in are lost for good."""

    side: str
    names: tuple[str, ...]


class SetUpSouth(Note):
    """10.1.3 Arrivals in the southern row."""

    side: str
    names: tuple[str, ...]
    hex: str


class FuehrerRaised(Note):
    """10.1.1, 12.9 A Fuehrer division is on its way: to the eliminated box, in this turn (0: at once)."""

    name: str
    turn: int


class Decided(shared.Decided):
    """2.0.12 The game is over."""
