"""What a seat may know, built up from nothing. Both seats play for one side and the Germans by the rules,
so nearly everything is public; what stays untold is which units of the force pool the next die will call up:
players read how many there are, of which colour.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from pbem.engine.game import Part, View
from pbem.engine.language import Called, Roster, RosterUnit, Vocabulary
from pbem.engine.notes import UMPIRE
from pbem.engine.wording import count
from pbem.games.rampage import control, victory
from pbem.games.rampage.administration import Arrival
from pbem.games.rampage.command import commands, seat_of
from pbem.games.rampage.movement import NAMES
from pbem.games.rampage.notes import Dropped, Moved, Repulsed, Won
from pbem.games.rampage.sequence import PHASES
from pbem.games.rampage.setup import GROUND
from pbem.games.rampage.state import ARMY_GROUPS, Group, Hex, Place, State, Type, Unit
from pbem.games.rampage.supply_die import Grounding
from pbem.games.rampage.tables import AFP, CHARTS, FORTRESSES, MAP, UNITS, place_name, v1_sites


class SeenUnit(Part):
    """An Allied division. `mine` says whether the reader commands it, `state` in a word
    or two what keeps it from acting ("" for nothing), `done` what it has done in the running operations:
    acted, under way, or "" if it may still act."""

    id: str
    group: Group
    nation: str
    type: Type
    steps: int
    hex: Hex | None
    place: Place
    mine: bool
    state: str
    done: str
    arrives: int


class Defender(Part):
    """A German unit on the map."""

    id: str
    hex: Hex
    type: Type
    elite: bool
    garrison: bool


class Pool(Part):
    """The force pool (3.3): how many units are in it, and how many are on their way
    into it or will never be."""

    elite: int
    other: int
    pocketed: int
    """Waiting in the Argentan-Falaise Pocket (11.1)."""
    fallen: int
    """Back in the pool in phase IV (10.6)."""
    arriving: dict[int, int]
    """Box of the turn track -> units that wait in it (7.2)."""
    gone: tuple[str, ...]
    names: tuple[str, ...]
    """The units in it: for the umpire, and for all readers when the game is over."""


class Condition(Part):
    """One of the numbered conditions of 4.1 with the hexes that are still missing."""

    number: int
    title: str
    met: bool
    any_of: bool
    """One of the missing hexes would be enough."""
    missing: tuple[Hex, ...]
    told: str
    """In words: met, or what it lacks."""
    case: str


class Supply(Part):
    """What the supply die has decided (9.14, 9.15): nothing before turn 3."""

    die: int
    partial: str
    """The army group that is only partially supplied."""


class RampageView(View):
    """Everything that a seat may know of a game of Rampage."""

    label: str
    """The third of a month that is played."""
    units: tuple[SeenUnit, ...]
    germans: tuple[Defender, ...]
    german: tuple[Hex, ...]
    """The hexes that the Germans control (3.7)."""
    front: tuple[Hex, ...]
    """Those of them that carry a Front Line marker (3.6)."""
    ground: dict[str, tuple[Hex, ...]]
    """The same hexes by their terrain."""
    borders: tuple[tuple[Hex, Hex], ...]
    """Every hexside of the front line: the German hex, the Allied one."""
    fortresses: tuple[Hex, ...]
    """The fortress cities among them (8.3)."""
    unsupplied: tuple[Hex, ...]
    """German-controlled hexes without supply: garrisoned fortresses (12.1, 12.8)."""
    pocket: Hex | None
    """The hex of the Argentan-Falaise Pocket marker, with `pool.pocketed` divisions
    under it (11.1)."""
    pool: Pool
    supply: Supply
    attacked: dict[Hex, str]
    """Which army group has attacked a hex this turn; the other may not (9.11)."""
    drop_turn: int
    sites: tuple[Hex, ...]
    """The launching sites of this game (4.1)."""
    conditions: tuple[Condition, ...]
    british_lost: tuple[str, ...]
    """Divisions that count for 4.2; all after the first lower the level."""
    level: str
    """The level of victory if the game ended now."""
    figures: tuple[tuple[str, str, str], ...]
    notes: tuple[str, ...]


def view(state: State, seat: str) -> RampageView:
    """What `seat` ("allied", "us", "british" or "umpire") may know now."""
    result, acted = victory.result(state), actions(state)
    return RampageView(
        game="rampage",
        seat=seat,
        turn=state.turn,
        phase=state.phase,
        title=title(state),
        label=label(state.turn),
        units=tuple(seen_unit(state, unit, seat, acted) for unit in state.units.values()),
        germans=tuple(defenders(state)),
        german=tuple(state.german),
        front=control.front_hexes(state),
        ground=front_ground(state),
        borders=tuple(borders(state)),
        fortresses=tuple(hex for hex in FORTRESSES if hex in state.german),
        unsupplied=control.unsupplied(state),
        pocket=AFP if state.afp == "standing" else None,
        pool=pool(state, told=seat == UMPIRE or not state.phase),
        supply=Supply(die=state.supply_die, partial=state.partial),
        attacked=dict(state.attacked),
        drop_turn=state.drop_turn,
        sites=v1_sites(state),
        conditions=tuple(conditions(state)),
        british_lost=victory.british_lost(state),
        level=result.level,
        figures=result.figures,
        notes=tuple(remarks(state, seat)),
    )


def label(turn: int) -> str:
    """The third of a month that a turn represents (1.3)."""
    return CHARTS.turns.labels[min(turn, len(CHARTS.turns.labels)) - 1]


def title(state: State) -> str:
    """Turn and phase in words."""
    if not state.phase:
        return "The game is over"
    phase = next(phase for phase in PHASES if phase.key == state.phase)
    return f"Turn {state.turn} ({label(state.turn)}), {phase.title}"


# --- units ----------------------------------------------------------------------------------------------


def seen_unit(state: State, unit: Unit, seat: str, acted: Mapping[str, str]) -> SeenUnit:
    return SeenUnit(
        id=unit.id,
        group=unit.group,
        nation=unit.nation,
        type=unit.type,
        steps=unit.steps,
        hex=unit.hex,
        place=unit.place,
        mine=seat == UMPIRE or commands(state, seat, unit.group),
        state=condition(unit),
        done=acted.get(unit.id, ""),
        arrives=unit.arrives,
    )


def actions(state: State) -> dict[str, str]:
    """9.1, 9.2, 9.9 What divisions have done in the current operations, from the log: they have acted,
    or are under way with points left. All others may still act."""
    done: dict[str, str] = {}
    moving: dict[str, tuple[str, ...]] = {}
    points: dict[str, int] = {}
    for note in state.log:
        match note:
            case Moved(names=names, group="us" | "british" as group):
                seat = seat_of(state, group)
                done |= dict.fromkeys(set(moving.get(seat, ())) - set(names), "acted")
                moving[seat], points[seat] = names, note.of - note.spent
            case Won(attackers=names):
                for seat in (seat for seat, force in moving.items() if set(names) <= set(force)):
                    moving[seat], points[seat] = names, note.points
            case Dropped(names=names) | Repulsed(names=names):
                done |= dict.fromkeys(names, "acted")
                moving = {
                    seat: tuple(id for id in force if id not in names) for seat, force in moving.items()
                }
    for seat, names in moving.items():
        left = points[seat]
        done |= dict.fromkeys(names, f"under way, {count(left, 'point')} left" if left else "acted")
    return done


def condition(unit: Unit) -> str:
    """What players should know before they give the unit an order."""
    if unit.place != "map":
        return ""
    if unit.replenishing:
        return "replenishing"
    if unit.group == "airborne":
        return "holds"
    return "reduced" if unit.steps == 1 else ""


def defenders(state: State) -> Iterable[Defender]:
    for unit in sorted((u for u in state.germans.values() if u.hex), key=lambda u: (u.hex or "", u.id)):
        if unit.hex and unit.place == "map":
            yield Defender(
                id=unit.id,
                hex=unit.hex,
                type=unit.type,
                elite=unit.elite,
                garrison=unit.hex in state.garrisons,
            )


def pool(state: State, told: bool) -> Pool:
    """The force pool; the names of its units only if `told`."""
    germans = state.germans.values()
    arriving: dict[int, int] = {}
    for unit in germans:
        if unit.place == "later":
            arriving[unit.arrives] = arriving.get(unit.arrives, 0) + 1
    return Pool(
        elite=sum(unit.elite for unit in germans if unit.place == "pool"),
        other=sum(not unit.elite for unit in germans if unit.place == "pool"),
        pocketed=sum(unit.place == "afp" for unit in germans),
        fallen=sum(unit.place == "fallen" for unit in germans),
        arriving=dict(sorted(arriving.items())),
        gone=tuple(sorted(unit.id for unit in germans if unit.place == "gone")),
        names=state.pool() if told else (),
    )


# --- the map --------------------------------------------------------------------------------------------


def borders(state: State) -> Iterable[tuple[Hex, Hex]]:
    """3.6 The hexsides between German-controlled and Allied-controlled land;
    all-sea hexsides need no line."""
    german = frozenset(state.german)
    for hex in state.german:
        for near in MAP.neighbours(hex):
            if near not in german and MAP.terrain(near) != "sea" and "sea" not in MAP.hexside(hex, near):
                yield hex, near


def front_ground(state: State) -> dict[str, tuple[Hex, ...]]:
    """3.6 The hexes of the front line by terrain, cities by name: ``{"clear": ("1003",), "city": ...}``."""
    found: dict[str, tuple[Hex, ...]] = {}
    for hex in control.front_hexes(state):
        ground = f"{MAP.terrain(hex)}, city" if MAP.has(hex, "city") else MAP.terrain(hex)
        found[ground] = (*found.get(ground, ()), hex)
    return found


# --- victory and what to remember -------------------------------------------------------------------------


def conditions(state: State) -> Iterable[Condition]:
    for number, each in enumerate(victory.conditions(state), 1):
        yield Condition(
            number=number,
            title=each.title,
            met=each.met,
            any_of=each.any_of,
            missing=each.missing,
            told=victory.told(each),
            case=each.case,
        )


def remarks(state: State, seat: str) -> Iterable[str]:
    """Reminders for this phase, in plain words; none once the game is over."""
    if not state.phase:
        return
    if state.phase == "set_up":
        yield from ground(state, seat)
    if state.afp == "standing" and state.phase == "operations":
        pocket = sum(unit.place == "afp" for unit in state.germans.values())
        yield (
            f"No unit may enter {AFP}. If you cut it off, {pocket} divisions break out at once; "
            "if you leave it open, they join the pool [11.2, 11.4]."
        )
    if state.partial:
        yield (
            f"The {NAMES[state.partial]} army group is partially supplied: a die decides the points of each "
            "force, each attack has one round, and there is one replacement fewer [9.15]."
        )
    if state.phase == "supply_die" and state.partial and (owed := Grounding(state).owed):
        full = ", ".join(unit.id for unit in Grounding(state).full())
        yield (
            f"Of the {NAMES[state.partial]} army group {count(owed, 'full-strength division')} "
            f"must be grounded and leave the game. Choose from: {full} [9.15]."
        )
    if state.phase == "administration" and (due := Arrival(state).waiting()):
        cities = ", ".join(map(place_name, Arrival(state).cities())) or "none held and in supply"
        yield (
            f"US reinforcements: {', '.join(unit.id for unit in due)}. Cities with room for them now: "
            f"{cities} [7.3]."
        )
    if state.phase == "airborne" and not state.drop_turn:
        yield (
            "The airborne army drops once in the game, not into front line, rough or fortress city hexes "
            "[13.4]."
        )
    waiting = [
        unit.id for unit in state.units.values() if unit.place == "later" and 0 < unit.arrives <= state.turn
    ]
    late = [id for id in waiting if state.units[id].group != "airborne"]
    if late and state.phase != "administration":
        yield f"Waiting for a supplied city on or west of the Seine: {', '.join(late)} [7.3]."
    if state.phase == "operations" and seat in ARMY_GROUPS:
        other = [group for group in ARMY_GROUPS if not commands(state, seat, group)]
        if hexes := [hex for hex, group in state.attacked.items() if group in other]:
            closed = ", ".join(hexes)
            yield f"Closed to you, because the other army group attacked there this turn: {closed} [9.11]."


def ground(state: State, seat: str) -> Iterable[str]:
    """3.4, 6.2 Where the army groups of a reader may be set up, in words."""
    for group in ARMY_GROUPS:
        if seat == UMPIRE or commands(state, seat, group):
            yield (
                f"{NAMES[group]} divisions are set up in: {', '.join(map(place_name, GROUND[group]))} [3.4]."
            )
    if seat == UMPIRE or commands(state, seat, "british"):
        yield (
            "1901 replaces 1902, which the rulebook gives to both the British and the German "
            "front [3.1, 3.4]."
        )
    yield (
        "At most 6 divisions per hex. Divisions that you do not place take the hexes of the default "
        "set-up [3.4, 6.2]."
    )


# --- roster and conditions ------------------------------------------------------------------------------


NATIONS = {"us": "US", "french": "French", "british": "British", "canadian": "Canadian", "polish": "Polish"}
ARMS = {"armour": "Armoured", "infantry": "Infantry", "airborne": "Airborne"}
GUARDS = {"GdsA": "Guards British Armoured Division"}


def _counters() -> dict[str, Called]:
    """Every counter of either side with its name in full."""
    found = {
        each.id: Called(
            "allied",
            each.type,
            GUARDS.get(each.id)
            or f"{_number(each.id)} {NATIONS[each.nation]} {ARMS[each.type]} Division"
            + (f" {CALLED[each.id]}" if each.id in CALLED else ""),
        )
        for each in UNITS.allied
    }
    return found | {each.id: Called("german", each.type) for each in UNITS.german}


def _number(id: str) -> str:
    return "".join(letter for letter in id if letter.isdecimal())


CALLED = {
    "15BrInf": "Scottish",
    "43BrInf": "Wessex",
    "49BrInf": "West Riding",
    "50BrInf": "Northumbrian",
    "51BrInf": "Highland",
    "53BrInf": "Welsh",
    "59BrInf": "Staffordshire",
    "7BrA": "Desert Rats",
    "1Inf": "Big Red One",
    "1BrAB": "Red Devils",
    "82AB": "All American",
    "101AB": "Screaming Eagles",
}
"""Names of their own that divisions go by besides."""


def _of_nation(nation: str) -> str:
    return ", ".join(
        unit.id for unit in UNITS.allied if unit.nation == nation and unit.type in ("infantry", "armour")
    )


NATIONAL = {
    "british": f"the British: {_of_nation('british')}",
    "canadians": f"the Canadians: {_of_nation('canadian')}",
    "poles": f"the Poles: {_of_nation('polish')}",
    "french": f"the French: {_of_nation('french')}",
}

VOCABULARY = Vocabulary(_counters(), MAP, formations={"allied": NATIONAL})


def roster(state: State, seat: str) -> Roster:
    """The names that a seat may use: every Allied division, also those of the other army group;
    of the Germans only the names."""
    divisions = (
        RosterUnit(
            unit.id, unit.type, unit.hex,
            enemy=seat != UMPIRE and not commands(state, seat, unit.group),
            here=unit.place == "map" or (unit.place == "later" and unit.arrives <= state.turn),
            gone=unit.place not in ("map", "later"),
        )
        for unit in state.units.values()
    )  # fmt: skip
    coming = tuple(
        unit.id for unit in state.units.values() if unit.place == "later" and unit.arrives <= state.turn
    )
    commanded = {"reinforcement": coming} if coming else {}
    return VOCABULARY.roster("allied", "" if seat == UMPIRE else seat, divisions, commanded)
