"""Assaults (10.1, 10.2) and the help that other commands give (11.9.1, 11.9.2). Retreats are in retreat.py,
advances in advance.py.

Settled here because the rules leave it open: odds below 1-1 are also rounded in the defender's favour;
the rating may soften even the result of an assault below 1-3; a hex with a unit that has been attacked
in the round, even elsewhere, is not attacked again; the modifiers of 11.9.1 count only where units
of another command take part.

`Fight` is an assault before its die. The played rule and `chances` ask it the same questions.
"""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import product
from typing import Literal

from pbem.engine.errors import NotAllowed, Overtaken, Unwanted
from pbem.engine.play import Ask, Roll
from pbem.engine.tally import Tally
from pbem.games.falaise import ratings, restrictions, victory, zones
from pbem.games.falaise.advance import advance
from pbem.games.falaise.notes import Assaulted, CalledOff, DisruptedBy, HelpTried, ResultChosen
from pbem.games.falaise.orders import Assault, Attack, MechAssault
from pbem.games.falaise.retreat import Way, retreat, ways
from pbem.games.falaise.state import OTHER, State, Unit
from pbem.games.falaise.tables import CHARTS, GRID, MAP, Hex, Nation, Result, Side
from pbem.wargame.counters import of_side

Who = Literal["attacker", "defender"]
ODDS = CHARTS.assault.columns
"""The odds that an order may name, the worst first."""
KEEP, CHANGE = "keep", "change"
"""The answers to `ResultChange`."""
DIE = range(1, 7)
US: tuple[Nation, ...] = ("us", "french")
"""11.9.1 The French count as US, the Poles as Commonwealth."""
COMMONWEALTH: tuple[Nation, ...] = ("british", "canadian", "polish")


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ResultChange(Ask[str]):
    """10.2 Does the side with the higher rating, `who`, change `result` into `to`?"""

    kind: str = "ter"
    result: Result
    to: Result
    who: Who


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class UnitHit(Ask[str]):
    """8.1, 8.4, 10.2 Which unit is hit? `steps` says how many each has left."""

    steps: Mapping[str, int]


# --- an assault -----------------------------------------------------------------------------------------


def odds_column(attack: int, defence: int) -> str | None:
    """10.2 The column for these strengths; None below the first column. Fractions are dropped:
    12 to 7 is 1-1, 7 to 12 is 1-2."""
    if attack >= defence:
        return f"{min(attack // defence, int(ODDS[-1].split('-')[0]))}-1"
    column = f"1-{-(-defence // attack)}"
    return column if column in ODDS else None


def rank(column: str | None) -> int:
    """How good odds are: the number of the column, -1 below the first one."""
    return ODDS.index(column) if column else -1


@dataclass(frozen=True, slots=True)
class Fight:
    """An assault on a hex; `helpers` are the ids of the attackers that belong to other commands
    than the active one."""

    state: State
    hex: Hex
    attackers: tuple[Unit, ...]
    mech: bool
    helpers: tuple[str, ...] = ()

    @property
    def defenders(self) -> tuple[Unit, ...]:
        """10.1 All enemy units in the hex."""
        side = self.attackers[0].side
        return tuple(unit for unit in self.state.at(self.hex) if unit.side != side)

    @property
    def origins(self) -> tuple[Hex, ...]:
        return tuple(dict.fromkeys(unit.placed for unit in self.attackers))

    @property
    def strengths(self) -> tuple[int, int]:
        return sum(unit.strength for unit in self.attackers), sum(unit.strength for unit in self.defenders)

    @property
    def column(self) -> str | None:
        return odds_column(*self.strengths)

    @property
    def ters(self) -> tuple[int, int]:
        """10.2 The highest rating of either side, as it is after everything that changes it."""
        return ratings.highest(self.state, self.attackers), ratings.highest(self.state, self.defenders)

    @property
    def modifiers(self) -> Tally:
        """10.2, 11.9.1 What changes the die: each hex that attacks counts for itself,
        and all of it adds up."""
        found = Tally()
        for origin in self.origins:
            if key := water(origin, self.hex):
                count(found, key, f" from {origin}")
        if MAP.terrain(self.hex) == "town":
            count(found, "town")
        elif CHARTS.terrain[MAP.terrain(self.hex)].cover:
            count(found, "cover")
        if MAP.has(self.hex, "crest") and not any(MAP.has(origin, "crest") for origin in self.origins):
            count(found, "crest")
        if self.mech and self.helpers:
            nations = [unit.counter.nation for unit in self.attackers]
            if len(set(nations)) > 1:
                count(found, "nations")
            if any(nation in US for nation in nations) and any(nation in COMMONWEALTH for nation in nations):
                count(found, "allies")
        return found

    def result(self, die: int) -> Result:
        """10.2 What the table says for a die; the attackers lose a step whatever it is below
        the first column."""
        if self.column is None:
            return "AL1"
        return CHARTS.assault.result(self.column, die + self.modifiers.total)

    def side(self, who: Who) -> Side:
        """The side that attacks, or defends."""
        side = self.attackers[0].side
        return side if who == "attacker" else OTHER[side]

    @property
    def better(self) -> Who | None:
        """10.2 The side with the higher rating."""
        attack, defence = self.ters
        return None if attack == defence else "attacker" if attack > defence else "defender"

    @property
    def trapped(self) -> bool:
        """10.3 Whether a retreat would eliminate one of the defenders, which has no path."""
        return any(not ways(self.state, unit) for unit in self.defenders)

    def preferred(self, result: Result) -> Result:
        """10.2 The final result if the side with the higher rating does what is best for it:
        it changes a result that it can change, because the charts only have changes in its favour,
        unless a retreat would eliminate a defender. That is worse for a side than a lost step."""
        to = self.changed(result)
        if to is None or ({result, to} == {"DR", "DL1"} and self.trapped):
            return result
        return to

    def changed(self, result: Result) -> Result | None:
        """10.2 What the side with the higher rating may turn a result into, once; None if it cannot."""
        may: dict[Who | None, Mapping[Result, Result]] = {
            "attacker": CHARTS.assault.attacker_may,
            "defender": CHARTS.assault.defender_may,
        }
        return may.get(self.better, {}).get(result)


def water(a: Hex, b: Hex) -> str:
    """The modifier for attacking across a hexside: the Dives or the Orne, another river, or neither ("")."""
    kinds = MAP.hexside(a, b)
    return "bridge" if "river_major" in kinds else "river" if "river_minor" in kinds else ""


def count(tally: Tally, key: str, where: str = "") -> None:
    """Add a modifier of the charts."""
    modifier = CHARTS.modifier[key]
    tally.add(modifier.value, modifier.case, modifier.why + where)


# --- chances --------------------------------------------------------------------------------------------


def chances(
    state: State,
    hex: Hex,
    units: Sequence[Unit],
    mech: bool,
    helpers: Sequence[Unit] = (),
    *,
    passed: Container[str] = (),
    change: bool = True,
) -> dict[Result, Fraction]:
    """10.2 The chance of each final result of an assault by `units`, in the order of the charts.
    Those of them that are also `helpers` belong to another command, and join a prepared assault only
    if their die allows it; those that have `passed` need no die. `change`: the side that may change
    the result does what is best for it."""
    sure = [unit for unit in units if unit not in helpers]
    nations = tuple(unit.counter.nation for unit in sure)
    passing = [
        Fraction(1) if mech or unit.id in passed else help_chance(state, unit, nations) for unit in helpers
    ]
    totals: dict[Result, Fraction] = {}
    for coming in product((True, False), repeat=len(helpers)):
        share = Fraction(1, len(DIE))
        for comes, chance in zip(coming, passing, strict=True):
            share *= chance if comes else 1 - chance
        joined = [unit for unit, comes in zip(helpers, coming, strict=True) if comes]
        if share:
            fight = Fight(state, hex, (*sure, *joined), mech, tuple(unit.id for unit in joined))
            for die in DIE:
                result = fight.result(die)
                final = fight.preferred(result) if change else result
                totals[final] = totals.get(final, Fraction(0)) + share
    results: tuple[Result, ...] = ("AL1", "CON", "DR", "DL1", "DLR")
    return {result: totals[result] for result in results if result in totals}


# --- help -----------------------------------------------------------------------------------------------


def help_modifiers(unit: Unit, nations: Container[Nation]) -> Tally:
    """11.9.2 What is added to the die of a unit that wants to help an assault by units of these nations."""
    found = Tally()
    if unit.counter.nation not in nations:
        count(found, "other_nation")
    if unit.side == "allied":
        count(found, "allied")
    return found


def joins(state: State, unit: Unit, nations: Container[Nation], die: int) -> bool:
    """11.9.2 Whether this die lets a unit help."""
    return die + help_modifiers(unit, nations).total <= ratings.ter(state, unit)


def help_chance(state: State, unit: Unit, nations: Container[Nation]) -> Fraction:
    """11.9.2 How likely a unit helps."""
    return Fraction(sum(joins(state, unit, nations, die) for die in DIE), len(DIE))


# --- the assaults of a round ----------------------------------------------------------------------------


@dataclass
class Assaults:
    """10.1 The assaults of one action round: an assault round, or with `mech` what follows the movement
    of a movement round.

    `helpers` are the units of other commands that were adjacent to a unit of the command when its round began
    (11.9.1; not needed without `mech`). `active` are the units that act, by default all of the command
    that have not finished. `pinned` are those that stay in their hex to cover others (6.3):
    they attack, and do not advance. Attackers are finished at once: no unit attacks twice in a turn.
    """

    state: State
    side: Side
    command: str
    mech: bool
    helpers: Sequence[str] = ()
    active: Sequence[str] | None = None
    pinned: Container[str] = ()
    fought: list[str] = field(default_factory=list)
    """The units that have attacked this round, helpers included."""
    attacked: list[str] = field(default_factory=list)
    """The units that have been attacked this round."""
    hexes: list[Hex] = field(default_factory=list)
    """The hexes that have been attacked this round."""
    tried: dict[str, bool] = field(default_factory=dict)
    """11.9.2 The units that have rolled to help this round, and whether they may."""

    def __post_init__(self) -> None:
        if self.active is None:
            self.active = [unit.id for unit in self.state.command_of(self.command)]

    @property
    def verb(self) -> type[Attack]:
        return MechAssault if self.mech else Assault

    # --- what is offered ---

    def subjects(self) -> Sequence[Hex]:
        """The hexes that can be attacked now, in the order of their numbers."""
        leaders = self.leaders()
        near = GRID.zone(GRID.bits(unit.placed for unit in leaders))
        enemy = zones.occupied(self.state, OTHER[self.side])
        return [
            hex
            for hex in sorted(GRID.named(near & enemy))
            if not self.target_fault(hex) and any(not self.unit_fault(unit, hex) for unit in leaders)
        ]

    def leaders(self) -> list[Unit]:
        """10.0 The acting units that could attack without a companion."""
        units = (self.state.units[id] for id in self.own)
        return [unit for unit in units if (unit.mech or not self.mech) and not self.duty_fault(unit)]

    def options(self, subject: Hex) -> Sequence[Attack]:
        """The legal assaults on a hex: with all units, with all of the command, with those of one hex,
        and with one unit."""
        if self.target_fault(subject):
            return ()
        beside = MAP.neighbours(subject)
        able = [
            unit
            for unit in self.state.on_map(self.side)
            if unit.hex in beside and not self.unit_fault(unit, subject)
        ]
        ours = [unit for unit in able if unit.id in self.own]
        stacks = [[unit for unit in ours if unit.hex == hex] for hex in dict.fromkeys(u.hex for u in ours)]
        groups = [able, ours, *stacks, *([unit] for unit in ours)]
        fit = [tuple(unit.id for unit in group if not self.partner_fault(unit, group)) for group in groups]
        found = [ids for ids in dict.fromkeys(fit) if any(id in self.own for id in ids)]
        return [self.verb(subject, ids) for ids in found]

    @property
    def own(self) -> Sequence[str]:
        """The units that act."""
        return self.active or ()

    # --- judging an order ---

    def check(self, order: Attack | None) -> None:
        """Refuse what 10.0, 10.1 and 11.9 forbid. Raises NotAllowed;
        Overtaken where it depends on where units are now."""
        if order is not None:
            self.judge(order)

    def judge(self, order: Attack) -> list[Unit]:
        """The attackers: all units that are named, or none. Raises NotAllowed; Unwanted if the odds are worse
        than those that the order names."""
        if not isinstance(order, self.verb):
            kind = "movement and mechanised assault" if self.mech else "assault"
            raise NotAllowed(f"this is a round of {kind}", "10.0", legal=(self.verb.example,))
        if fault := self.words_fault(order) or self.target_fault(order.hex):
            raise fault
        named = [self.unit(id) for id in dict.fromkeys(order.units)]
        for unit in named:
            if fault := self.unit_fault(unit, order.hex) or self.partner_fault(unit, named):
                raise fault
        if not any(unit.id in self.own for unit in named):
            raise Overtaken(f"no unit of {self.command} attacks {order.hex}", "10.1")
        if order.odds and rank(column := self.fight(order.hex, named).column) < rank(order.odds):
            raise Unwanted(f"the odds are {column or 'below 1-3'}, not {order.odds} or better", "10.2")
        return named

    def unit(self, id: str) -> Unit:
        """A unit of this side. Raises NotAllowed."""
        return self.state.own(id, of_side(self.side), "10.1")

    def target_fault(self, hex: Hex) -> NotAllowed | None:
        """10.1 Why a hex cannot be attacked, None if it can."""
        if hex not in MAP:
            return NotAllowed(f"there is no hex {hex}", "10.1")
        if hex in self.hexes:
            return Overtaken(f"{hex} has already been attacked this round", "10.1")
        if not zones.occupied(self.state, OTHER[self.side]) >> GRID.index(hex) & 1:
            return Overtaken(f"there is no enemy in {hex}", "10.1")
        again = [unit.id for unit in self.state.at(hex) if unit.id in self.attacked]
        if again:
            return Overtaken(f"{', '.join(again)} in {hex} has already been attacked this round", "10.1")
        return None

    def words_fault(self, order: Attack) -> NotAllowed | None:
        """What is wrong with the particulars of an order, None if nothing is."""
        if order.odds and order.odds not in ODDS:
            return NotAllowed(f"there are no odds {order.odds}", "10.2", legal=ODDS)
        for ids, case, what in ((order.advance, "10.4", "advance"), (order.losses, "10.2", "lose a step")):
            if strangers := [id for id in ids if id not in order.units]:
                return NotAllowed(f"{', '.join(strangers)} cannot {what}: not one of the attackers", case)
        return None

    def unit_fault(self, unit: Unit, hex: Hex) -> NotAllowed | None:
        """Why a unit cannot take part in the attack on a hex, apart from its companions (`partner_fault`);
        None if it can."""
        if fault := self.duty_fault(unit):
            return fault
        if not GRID.are_neighbours(unit.placed, hex):
            return Overtaken(f"{unit.id} at {unit.hex} is not adjacent to {hex}", "10.1")
        if fault := restrictions.attack_fault(self.state, unit, unit.placed, hex):
            return Overtaken(fault.text, fault.case, legal=fault.legal)
        return None

    def duty_fault(self, unit: Unit) -> NotAllowed | None:
        """10.0, 10.1, 11.9 Why a unit may not attack this round, None if it may."""
        if unit.place != "map":
            return Overtaken(f"{unit.id} is not on the map", "10.1")
        if unit.id in self.fought or unit.finished:
            return Overtaken(f"{unit.id} is finished for this turn", "10.1")
        if unit.id not in self.own and (fault := self.helper_fault(unit)):
            return fault
        if self.mech and not unit.mech and unit.side == "german":
            return NotAllowed(
                f"{unit.id} is not mechanised: only Allied infantry joins mechanised assaults", "10.0"
            )
        return None

    def helper_fault(self, unit: Unit) -> NotAllowed | None:
        """11.9.1, 11.9.2 Why a unit that is not active cannot help, None if it can."""
        case = "11.9.1" if self.mech else "11.9.2"
        if unit.command in (self.command, "") or unit.command in self.state.activated:
            return Overtaken(f"{unit.id} does not act in this round", case)
        if self.mech and unit.id not in self.helpers:
            return Overtaken(
                f"{unit.id} was not adjacent to a unit of {self.command} when its round began", case
            )
        if not self.mech and self.side == "german" and self.state.options.get("prepared") == "allied":
            return NotAllowed("only the Allies help each other in an assault round", case)
        if not self.tried.get(unit.id, True):
            return Overtaken(f"{unit.id} has already rolled to help this round, and failed", case)
        return None

    def partner_fault(self, unit: Unit, together: Sequence[Unit]) -> NotAllowed | None:
        """10.0, 10.1, 11.9.1 In a mechanised assault infantry attacks with a mechanised unit of its hex
        and its corps; a helper with any in its hex."""
        if not self.mech or unit.mech:
            return None
        for other in together:
            alike = unit.id not in self.own or (other.id in self.own and other.command == unit.command)
            if other.mech and other.hex == unit.hex and alike:
                return None
        return Overtaken(f"{unit.id} attacks only with a mechanised unit stacked with it", "10.0")

    def fight(self, hex: Hex, units: Sequence[Unit]) -> Fight:
        """The assault by these units."""
        helpers = tuple(unit.id for unit in units if unit.id not in self.own)
        return Fight(self.state, hex, tuple(units), self.mech, helpers)

    # --- help ---

    @property
    def passed(self) -> list[str]:
        """11.9.2 The units of other commands that have rolled in this round, and may help."""
        return [id for id, done in self.tried.items() if done]

    def help_chance(self, unit: Unit, units: Sequence[Unit]) -> Fraction:
        """11.9.2 How likely a unit of another command joins the prepared assault of these units."""
        return Fraction(1) if unit.id in self.passed else help_chance(self.state, unit, self._nations(units))

    def _nations(self, units: Sequence[Unit]) -> tuple[Nation, ...]:
        """11.9.2 The nations of those of these units that act."""
        return tuple(unit.counter.nation for unit in units if unit.id in self.own)

    # --- carrying out ---

    async def carry_out(self, order: Attack) -> None:
        """10.2 One assault: help, die, change by rating, losses, retreats and advances."""
        fight = self.fight(order.hex, await self.joined(order, self.judge(order)))
        if order.odds and rank(fight.column) < rank(order.odds):
            self.state.note(
                CalledOff(case="11.9.2", hex=order.hex, odds=fight.column or "", wanted=order.odds)
            )
            return
        defenders = fight.defenders
        self.hexes.append(order.hex)
        self.attacked += [unit.id for unit in defenders]
        self.fought += [unit.id for unit in fight.attackers]
        for unit in fight.attackers:
            unit.finished = True
        result = await resolve(fight)
        retreats = await apply(fight, defenders, result, order.losses)
        await advance(self.state, order.hex, fight.attackers, retreats, order, self.pinned)

    async def joined(self, order: Attack, units: Sequence[Unit]) -> list[Unit]:
        """11.9.2 The attackers of a prepared assault: units of other commands only if their die allows it.
        A unit that passes need not roll again this round if the assault is called off;
        one that fails is not finished."""
        nations = self._nations(units)
        for unit in units:
            if not self.mech and unit.id not in self.own and unit.id not in self.tried:
                self.tried[unit.id] = await self.offers(unit, nations, order.hex)
        return [unit for unit in units if self.tried.get(unit.id, True)]

    async def offers(self, unit: Unit, nations: Sequence[Nation], hex: Hex) -> bool:
        """11.9.2 The die of one unit."""
        die = await Roll(case="11.9.2", what=f"help of {unit.id} against {hex}", low=True)
        parts = help_modifiers(unit, nations)
        done = joins(self.state, unit, nations, die)
        self.state.note(
            HelpTried(
                case="11.9.2",
                roll=self.state.rolls,
                unit=unit.id,
                parts=tuple(parts.parts),
                die=die,
                total=die + parts.total,
                ter=ratings.ter(self.state, unit),
                done=done,
            )
        )
        return done


# --- the die and what comes of it -------------------------------------------------------------------------


async def resolve(fight: Fight) -> Result:
    """10.2 The die and the final result. Below the first column no die is thrown."""
    state, column, parts = fight.state, fight.column, fight.modifiers
    die = await Roll(case="10.2", what=f"assault on {fight.hex}") if column else 0
    roll = state.rolls if column else 0
    result = fight.result(die)
    state.note(
        Assaulted(
            case="10.2",
            roll=roll,
            side=fight.attackers[0].side,
            mech=fight.mech,
            hex=fight.hex,
            origins=fight.origins,
            attackers=tuple(unit.id for unit in fight.attackers),
            defenders=tuple(unit.id for unit in fight.defenders),
            strengths=fight.strengths,
            odds=column or "",
            parts=tuple(parts.parts) if column else (),
            die=die,
            total=die + parts.total if column else 0,
            result=result,
            ters=fight.ters,
            may=fight.changed(result) or "",
            better=fight.side(fight.better) if fight.better else "",
        )
    )
    return await judged(fight, result, roll, die)


async def judged(fight: Fight, result: Result, roll: int, die: int) -> Result:
    """10.2 The side with the higher rating may change the result;
    by default it does what is best for it."""
    to, better = fight.changed(result), fight.better
    if to is None or better is None:
        return result
    seat = fight.side(better)
    final: dict[str, Result] = {KEEP: result, CHANGE: to}
    ours, theirs = fight.ters if better == "attacker" else fight.ters[::-1]
    names = {
        who: ", ".join(unit.id for unit in units)
        for who, units in (("attacker", fight.attackers), ("defender", fight.defenders))
    }
    thrown = f"R{roll}, die {die}: {result}" if roll else f"below 1-3: {result}"
    answer = await ResultChange(
        case="10.2",
        what=f"result {result} at {fight.hex}",
        seat=seat,
        options=tuple(final),
        default=CHANGE if fight.preferred(result) == to else KEEP,
        result=result,
        to=to,
        who=better,
        intro=(
            f"{names['attacker']} against {names['defender']}. {thrown}. TER: yours {ours}, theirs {theirs}."
        ),
        says=lambda option: f"{final[option]}: {consequence(fight, final[option])}",
    )
    fight.state.note(ResultChosen(case="10.2", side=seat, hex=fight.hex, result=result, final=final[answer]))
    return final[answer]


def consequence(fight: Fight, result: Result) -> str:
    """10.2 What a result would do in this fight, for letters that ask about it."""
    match result:
        case "AL1":
            return loss_in_words(fight.attackers)
        case "CON":
            return "no losses, no retreat"
        case "DL1":
            return f"{loss_in_words(fight.defenders)}; surviving defenders are disrupted"
        case "DLR":
            return f"{loss_in_words(fight.defenders)}; surviving defenders are disrupted and retreat"
        case "DR":
            gone = [unit.id for unit in fight.defenders if not ways(fight.state, unit)]
            names = ", ".join(unit.id for unit in fight.defenders)
            verb = "retreats" if len(fight.defenders) == 1 else "retreat"
            lost = f"; eliminated, with no path: {', '.join(gone)}" if gone else ""
            return f"{names} {verb} 2 hexes{lost}"


def loss_in_words(units: Sequence[Unit]) -> str:
    """10.2 Which of these units would lose a step, and what that means for it."""
    may = may_lose(units)
    what = "is eliminated" if all(unit.steps == 1 for unit in may) else "loses a step"
    names = ", ".join(unit.id for unit in may)
    return f"{names} {what}" if len(may) == 1 else f"one of {names} {what}"


async def apply(fight: Fight, defenders: Sequence[Unit], result: Result, losses: Sequence[str]) -> list[Way]:
    """10.2 Carry out the result, all but the advance; `losses` are the attackers that lose a step before
    others. Return the paths of the defenders that retreated and survive."""
    if result == "AL1":
        await lose_step(fight, fight.attackers, "attacker", losses)
    if result in ("DL1", "DLR"):
        await lose_step(fight, defenders, "defender")
        disrupt(fight, [unit for unit in defenders if unit.place == "map"])
    if result in ("DR", "DLR"):
        return await retreat(fight.state, [unit for unit in defenders if unit.place == "map"])
    return []


def may_lose(units: Sequence[Unit]) -> list[Unit]:
    """10.2 The units that may lose a step: no unit of two steps is eliminated while another of this side in
    the combat has both of its steps."""
    full = any(unit.steps == 2 for unit in units)
    return [unit for unit in units if not (full and unit.counter.steps == 2 and unit.steps == 1)]


async def lose_step(fight: Fight, units: Sequence[Unit], who: Who, first: Sequence[str] = ()) -> None:
    """10.2 One side loses a step: the first of `first` that may; otherwise the owner is asked;
    by default the weakest of the units that survive it."""
    choices = {unit.id: unit for unit in may_lose(units)}
    id = next((id for id in first if id in choices), "")
    if not id:
        id = await UnitHit(
            case="10.2",
            what=f"step loss of the {who} at {fight.hex}",
            seat=units[0].side,
            kind="losses",
            options=tuple(choices),
            default=min(choices, key=lambda id: (choices[id].steps == 1, choices[id].strength)),
            steps={id: unit.steps for id, unit in choices.items()},
            intro=f"In the assault: {', '.join(unit.id for unit in units)}.",
            says=lambda id: victory.loss_in_words(fight.state, choices[id]),
        )
    victory.lose_step(fight.state, choices[id], "10.2", "assault")


def disrupt(fight: Fight, units: Sequence[Unit]) -> None:
    """9.0, 9.1 The surviving defenders are disrupted; a mechanised assault eliminates
    those that already were."""
    broken = [unit for unit in units if unit.disrupted] if fight.mech else []
    fresh = [unit for unit in units if not unit.disrupted]
    for unit in fresh:
        unit.disrupted = True
    if fresh:
        names = tuple(unit.id for unit in fresh)
        fight.state.note(DisruptedBy(case="9.0", names=names, hex=fight.hex, why="assault"))
    for unit in broken:
        victory.eliminate(fight.state, unit, "9.1", "disrupted again by a mechanised assault")


__all__ = ["ODDS", "Assaults", "Fight", "chances", "odds_column"]
