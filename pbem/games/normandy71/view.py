"""What each side may know (INV.1B, ENT.B, SUP.H): a view is built up from nothing.

A side sees everything about its own units, what is printed on enemy units in the open, and of a stack
under a marker only the marker. The Allied plan and supply areas, and the German reserves and order of
battle, are hidden from the enemy until the game is over."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Literal

from pbem.engine.game import Part, View
from pbem.engine.language import Called, Roster, RosterUnit, Vocabulary
from pbem.engine.notes import UMPIRE
from pbem.engine.wording import count
from pbem.games.normandy71 import naval, odds, stacking, supply, victory
from pbem.games.normandy71.allocation import Allocation
from pbem.games.normandy71.disclosure import name_for
from pbem.games.normandy71.notes import Allotted
from pbem.games.normandy71.sequence import PHASES
from pbem.games.normandy71.state import ENEMY, LAST_TURN, SIDES, Hex, Side, State, Unit
from pbem.games.normandy71.tables import BEACHES, CHARTS, EDGES, EXITS, MAP, OOB, UNITS, Kind, missions

DAYS = ("6 June", "7 June", "8 June", "9 June", "10 June", "11 June")
BEFORE_GUNFIRE = ("deployment", "paradrop", "allied_movement")
"""NAV.D In these phases all missions of the game-turn are available, whatever was fired in the last one."""


class OwnUnit(Part):
    """A unit as its owner knows it. `state` is a word or two on what limits it ("" for nothing)."""

    id: str
    formation: str
    side: Side
    kind: str
    type: str
    size: Literal["regiment", "battalion"]
    nation: str
    strength: int
    allowance: int
    hex: Hex | None
    place: Literal["map", "later", "box", "exited", "lost"]
    supplied: bool
    entrenched: bool
    inverted: bool
    state: str
    arrives: int
    entry: str
    edges: tuple[str, ...]
    beach: str


class SeenUnit(Part):
    """An enemy unit on the open map: what is printed on it. Allied names are public, German ones are not."""

    name: str
    kind: str
    type: str
    size: Literal["regiment", "battalion"]
    nation: str
    inverted: bool


class Stack(Part):
    """What a side sees of an enemy-held hex; under a marker nothing but the marker."""

    hex: Hex
    side: Side
    hidden: bool
    units: tuple[SeenUnit, ...]


class Trench(Part):
    hex: Hex
    side: Side


class PlanSeen(Part):
    """The Allied plan: first wave by beach, commandos and drop zones by unit."""

    beaches: dict[str, tuple[str, ...]]
    commandos: dict[str, Hex]
    drops: dict[str, Hex]


class SupplyArea(Part):
    beach: str
    hex: Hex
    alive: bool


class MissionLeft(Part):
    """A kind of naval mission with how often it can still fire this game-turn."""

    mission: str
    attack: int
    defence: int
    range: int
    left_in_attack: int
    left_in_defence: int


class Reserve(Part):
    """German reinforcements that have not entered: from which game-turn, by which edges, of which kind."""

    arrives: int
    edges: tuple[str, ...]
    kind: str
    count: int


class Fallen(Part):
    """Units lost so far, as this reader may name them."""

    side: Side
    names: tuple[str, ...]


class Normandy71View(View):
    """Everything that a seat may know of a game of Normandy."""

    units: tuple[OwnUnit, ...]
    formations: tuple[str, ...]
    """The formations of the units on the map."""
    boxes: dict[str, str]
    """The beaches at which units wait to land, as they are numbered, with their hexes."""
    gates: dict[str, tuple[str, ...]]
    """German reinforcements still to come: edge of the map -> the hexes at which roads lead in."""
    seen: tuple[Stack, ...]
    trenches: tuple[Trench, ...]
    plan: PlanSeen | None
    supply_areas: tuple[SupplyArea, ...]
    missions: tuple[MissionLeft, ...]
    reserves: tuple[Reserve, ...]
    order_of_battle: str
    lost: tuple[Fallen, ...]
    left_map: dict[str, tuple[str, ...]]
    """Map edge -> Allied units that have left by it."""
    passed: dict[Hex, Side]
    """Who passed last through each city hex."""
    figures: tuple[tuple[str, str, str], ...]
    notes: tuple[str, ...]


def view(state: State, seat: str) -> Normandy71View:
    """What `seat` ("allied", "german" or "umpire") may know now; when the game is over, everything."""
    over = state.phase == ""
    sides: tuple[Side, ...] = SIDES if seat == UMPIRE else ("german",) if seat == "german" else ("allied",)
    allied, german = "allied" in sides or over, "german" in sides or over
    units = tuple(own_units(state, sides))
    edges = {edge for unit in units if unit.side == "german" and unit.place == "later" for edge in unit.edges}
    boxed = {unit.beach for unit in units if unit.place == "box"}
    return Normandy71View(
        game="normandy71",
        seat=seat,
        turn=state.turn,
        phase=state.phase,
        title=title(state),
        units=units,
        formations=formations(unit for unit in units if unit.place == "map"),
        boxes={beach: hex for beach, hex in BEACHES.items() if beach in boxed},
        gates={edge: roads_in(edge) for edge in EDGES if edge in edges},
        seen=tuple(seen_stacks(state, seat)) if seat != UMPIRE else (),
        trenches=tuple(Trench(hex=hex, side=side) for hex, side in trenches(state, seat)),
        plan=plan_seen(state) if allied else None,
        supply_areas=tuple(supply_areas(state)) if allied else (),
        missions=tuple(missions_left(state)) if allied else (),
        reserves=tuple(reserves(state)) if german else (),
        order_of_battle=order_of_battle(state) if german else "",
        lost=tuple(fallen(state, seat)),
        left_map={edge: tuple(ids) for edge, ids in state.exits.items()},
        passed=dict(state.passed),
        figures=figures(state, allied, german),
        notes=tuple(remarks(state, seat)),
    )


def title(state: State) -> str:
    """Turn and phase in words."""
    if not state.phase:
        return "The game is over"
    phase = next(phase for phase in PHASES if phase.key == state.phase)
    return f"Turn {state.turn} ({DAYS[min(state.turn, LAST_TURN) - 1]}), {phase.title}"


# --- units ----------------------------------------------------------------------------------------------


def own_units(state: State, sides: Iterable[Side]) -> Iterable[OwnUnit]:
    for side in sides:
        area = supply.supplied(state, side)
        for unit in state.units.values():
            if unit.side == side:
                yield own_unit(state, unit, area)


def formation(unit: Unit) -> str:
    """The division or brigade of a unit, with its nation if it is Allied: ``US 4``, ``UK 27``, ``709``."""
    _, inside, division = (unit.part_of or unit.id).rpartition("/")
    name = division if inside else "independent"
    return name if unit.side == "german" else f"{unit.nation} {name}"


def formations(units: Iterable[OwnUnit]) -> tuple[str, ...]:
    """The formations of these units, by nation and number."""

    def place(name: str) -> tuple[str, int, str]:
        nation, _, division = name.rpartition(" ")
        number = re.match(r"\d*", division)
        return nation, int(number[0]) if number and number[0] else 1000, division

    return tuple(sorted({unit.formation for unit in units}, key=place))


def roads_in(edge: str) -> tuple[str, ...]:
    """OOB.R The hexes of an edge at which roads lead onto the map."""
    return tuple(MAP.called(hex) for hex, side in EXITS.items() if side == edge)


def own_unit(state: State, unit: Unit, area: int) -> OwnUnit:
    on_map = unit.place == "map"
    return OwnUnit(
        id=unit.id,
        formation=formation(unit),
        side=unit.side,
        kind=unit.kind,
        type=unit.type,
        size=unit.size,
        nation=unit.nation,
        strength=unit.strength,
        allowance=unit.allowance,
        hex=unit.hex,
        place=unit.place,
        supplied=not on_map or supply.trace(state, unit, area),
        entrenched=on_map and state.entrenched(unit),
        inverted=unit.inverted,
        state=condition(state, unit, not on_map or supply.trace(state, unit, area)),
        arrives=unit.arrives,
        entry=unit.entry,
        edges=unit.edges,
        beach=unit.beach,
    )


def condition(state: State, unit: Unit, supplied: bool) -> str:
    """What a player should know before he gives the unit an order."""
    if unit.place != "map":
        return ""
    if unit.inverted:
        return "inverted"
    if unit.never_supplied:
        return "waits for supply"
    if unit.id in state.announced:
        return "digs in"
    if not supplied:
        return "out of supply"
    return "armour alone" if odds.lone_armour(state, unit) else ""


def seen_stacks(state: State, seat: str) -> Iterable[Stack]:
    """ENT.B Enemy stacks; before both sides have deployed there is nothing to see."""
    enemy = ENEMY[seat]
    if state.phase == "deployment":
        return
    over = state.phase == ""
    stacks: dict[Hex, list[Unit]] = {}
    for unit in state.on_map(enemy):
        stacks.setdefault(unit.placed, []).append(unit)
    for hex in sorted(stacks):
        hidden = state.entrenchments.get(hex) == enemy and not over
        units = () if hidden else [seen_unit(unit, seat) for unit in stacks[hex]]
        # By name: the order in which units came into the game would tell of the order of battle.
        yield Stack(
            hex=hex,
            side=enemy,
            hidden=hidden,
            units=tuple(sorted(units, key=lambda unit: (unit.name, unit.type))),
        )


def seen_unit(unit: Unit, seat: str) -> SeenUnit:
    return SeenUnit(
        name=name_for(unit, seat),
        kind=unit.kind,
        type=unit.type,
        size=unit.size,
        nation=unit.nation,
        inverted=unit.inverted,
    )


def trenches(state: State, seat: str) -> Iterable[tuple[Hex, Side]]:
    """All markers on the map, empty ones too; an enemy's none before both have deployed."""
    for hex, side in sorted(state.entrenchments.items()):
        if state.phase != "deployment" or seat in (side, UMPIRE):
            yield hex, side


# --- what is secret -------------------------------------------------------------------------------------


def plan_seen(state: State) -> PlanSeen:
    plan = state.plan
    return PlanSeen(
        beaches={beach: tuple(ids) for beach, ids in plan.beaches.items()},
        commandos=dict(plan.commandos),
        drops=dict(plan.drops),
    )


def supply_areas(state: State) -> Iterable[SupplyArea]:
    for beach in state.plan.supply:
        yield SupplyArea(beach=beach, hex=BEACHES[beach], alive=beach not in state.dead_beaches)


def missions_left(state: State) -> Iterable[MissionLeft]:
    fresh = state.phase in BEFORE_GUNFIRE
    attack, defence = naval.left(state, "attack"), naval.left(state, "defence")
    for each in missions(state):
        yield MissionLeft(
            mission=each.key,
            attack=each.attack,
            defence=each.defence,
            range=each.range,
            left_in_attack=each.count if fresh else attack[each.key],
            left_in_defence=(each.count if each.defence else 0) if fresh else defence[each.key],
        )


def reserves(state: State) -> Iterable[Reserve]:
    counts: dict[tuple[int, tuple[str, ...], str], int] = {}
    for unit in state.units.values():
        if unit.side == "german" and unit.place == "later" and unit.arrives:
            key = (unit.arrives, unit.edges, unit.kind)
            counts[key] = counts.get(key, 0) + 1
    for (arrives, edges, kind), number in sorted(counts.items()):
        yield Reserve(arrives=arrives, edges=edges, kind=kind, count=number)


def order_of_battle(state: State) -> str:
    if not state.order_of_battle:
        return ""
    return f"{state.order_of_battle}: {OOB.of(state.order_of_battle).title}"


def fallen(state: State, seat: str) -> Iterable[Fallen]:
    for side in SIDES:
        names = tuple(
            name_for(unit, seat)
            for unit in state.units.values()
            if unit.side == side and unit.place == "lost"
        )
        if names:
            yield Fallen(
                side=side, names=names if side == "allied" or seat != "allied" else tuple(sorted(names))
            )


def figures(state: State, allied: bool, german: bool) -> tuple[tuple[str, str, str], ...]:
    """VIC The Allied player's points on the ground; the German player's order of battle;
    both together for the umpire or at the end."""
    if allied and german:
        return victory.result(state).figures
    if allied:
        found = victory.score(state)
        return (*victory.ground_figures(found), ("On the ground", victory.written(found.ground), "VIC.L"))
    if german and state.order_of_battle:
        order = OOB.of(state.order_of_battle)
        return ((f"Order of battle {order.letter}, {order.title}", f"{order.points:+d}", "VIC.L"),)
    return ()


def remarks(state: State, seat: str) -> Iterable[str]:
    """Reminders for a reader in this phase."""
    if state.phase == "allied_combat" and state.turn > 1 and seat != "german":
        yield f"At most {CHARTS.supply.attacks} attacks in this phase [SUP.M]."
    written = any(isinstance(note, Allotted) for note in state.log)
    if state.phase == "allied_combat" and state.turn == 1 and seat != "german" and not written:
        hexes = ", ".join(Allocation(state, "allied", lambda unit: True).compelled())
        where = f", in {hexes}" if hexes else ""
        yield f"Units on invasion beaches must attack every German adjacent to them{where} [INV.3]."
    if state.phase == "allied_movement" and state.turn == 1 and seat != "german":
        yield (
            "First-wave units without an order come ashore on their beach at the end of this phase. "
            "Write a move for one that is to go further; it cannot if its beach is in an enemy ZOC [INV.2]."
        )
    if state.phase == "allied_second_movement" and state.turn == 1 and seat != "german":
        yield "Half allowances and no roads in this phase [INV.4]."
    waiting = [unit for unit in state.on_map("allied") if unit.never_supplied]
    if waiting and seat != "german" and state.turn <= 3:
        units, are = ("unit has", "it is") if len(waiting) == 1 else ("units have", "they are")
        yield (
            f"{len(waiting)} paratroop {units} never been in supply; "
            f"without supply {are} lost after game-turn 3 [PAR.D]."
        )
    if seat != "allied" and state.phase == "german_movement":
        here = [
            u
            for u in state.units.values()
            if u.side == "german" and u.place == "later" and 0 < u.arrives <= state.turn
        ]
        if here:
            yield f"{count(len(here), 'unit')} can enter the map; units that do not are withheld [OOB.R]."


# --- roster and conditions ------------------------------------------------------------------------------


PARTS = "abcdef"
"""The letters of parts, as far as names of units not yet broken down are read."""
TYPES = {"paratroop": "Parachute", "glider": "Glider Infantry", "commando": "Commando", "armour": "Armoured"}
NAMED = {
    "SherRgrs": "Sherwood Rangers Yeomanry",
    "StaffsYeo": "Staffordshire Yeomanry",
    "ERidYeo": "East Riding Yeomanry",
    "4/7DG": "4th 7th Dragoon Guards",
    "13/18H": "13th 18th Hussars",
    "24L": "24th Lancers",
}
"""Units with names of their own."""


def _counters() -> dict[str, Called]:
    """Every counter that can come into the game, by its name, and the parts into which it can be broken down
    (STK.B)."""
    found: dict[str, Called] = {}
    for line in OOB.allied:
        kind = UNITS.get("allied", line.kind, line.type)
        found |= {id: Called("allied", line.kind, _full_name(id, kind)) for id in line.names}
    for kind in UNITS.kind:
        found |= {id: Called("german", kind.name, _full_name(id, kind)) for id in kind.names}
    for id, whole in list(found.items()):
        if any(kind.parts for kind in UNITS.kind if (kind.side, kind.name) == (whole.side, whole.kind)):
            found |= {f"{id}{letter}": Called(whole.side) for letter in PARTS}
    return found


def _full_name(id: str, kind: Kind) -> str:
    """``505/82`` in full: 505 Parachute regiment, 82 Division."""
    unit, _, division = id.rpartition("/")
    whole = f"{NAMED.get(unit or division, unit or division)} {TYPES.get(kind.type, kind.type)} {kind.size}"
    return f"{whole}, {division} Division" if unit else whole


DIVISIONS: Mapping[str, Mapping[str, str]] = {
    "allied": {
        "1": "1st US Infantry Division Big Red One",
        "2": "2nd US Infantry Division",
        "4": "4th US Infantry Division",
        "9": "9th US Infantry Division",
        "29": "29th US Infantry Division",
        "90": "90th US Infantry Division",
        "82": "82nd US Airborne Division All American",
        "101": "101st US Airborne Division Screaming Eagles",
        "3": "3rd British Infantry Division",
        "49": "49th British Infantry Division West Riding",
        "50": "50th British Infantry Division Northumbrian",
        "51": "51st British Infantry Division Highland",
        "6": "6th British Airborne Division",
        "7": "7th British Armoured Division Desert Rats",
        "3C": "3rd Canadian Infantry Division",
        "8": "8th British Armoured Brigade",
        "27": "27th British Armoured Brigade",
        "2C": "2nd Canadian Armoured Brigade",
        "1SS": "1st Special Service Brigade",
        "4SS": "4th Special Service Brigade",
        "the rangers": "the Rangers: 2Rangers, 5Rangers",
    },
    "german": {
        "1SS": "1st SS Panzer Division Leibstandarte LAH",
        "2SS": "2nd SS Panzer Division Das Reich",
        "12SS": "12th SS Panzer Division Hitlerjugend HJ",
        "17SS": "17th SS Panzergrenadier Division",
        "2": "2nd Panzer Division",
        "9": "9th Panzer Division",
        "11": "11th Panzer Division",
        "21": "21st Panzer Division",
        "116": "116th Panzer Division Windhund",
        "Lehr": "Panzer Lehr Division",
        "91": "91st Luftlande Air Landing LL Infantry Division",
        "2FJ": "2nd Parachute Division",
        "3FJ": "3rd Parachute Division",
    }
    | {
        number: f"{number} Infantry Division Infanterie"
        for number in "709 716 352 243 711 346 275 265 353".split()
    },
}
"""What the divisions and brigades are called whose regiments are the units."""

VOCABULARY = Vocabulary(
    _counters(), MAP, absent="there is no such unit in the game now", formations=DIVISIONS
)


def _can_act(state: State, unit: Unit) -> bool:
    """Whether a unit is on the map, or may come there now."""
    return unit.place in ("map", "box") or (unit.place == "later" and unit.arrives <= state.turn)


def roster(state: State, seat: str) -> Roster:
    """The names that a seat may use: its own units, and the parts into which those that can act may be broken
    down. Of the enemy it knows only that there are such counters."""
    own = [unit for unit in state.units.values() if unit.side == seat]
    mine = [
        RosterUnit(
            unit.id, unit.kind, unit.hex, here=_can_act(state, unit), gone=unit.place in ("lost", "exited")
        )
        for unit in own
    ]
    wholes = {unit.part_of for unit in own if unit.part_of}
    parts = [
        RosterUnit(id, kind, None, here=False)
        for unit in own
        if _can_act(state, unit)
        for id, kind in zip(stacking.names_of_parts(state, unit), stacking.parts_of(unit), strict=True)
    ]
    broken = [RosterUnit(id, "", None, here=False) for id in sorted(wholes - set(state.units))]
    return VOCABULARY.roster(seat, seat, [*mine, *parts, *broken])
