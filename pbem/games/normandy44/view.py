"""What a seat may know, built up from nothing. Map, reserve, strategic track and depots are open to both
sides; what a side allocates is hidden from the other until both have done so (2.3).
"""

from __future__ import annotations

from collections.abc import Iterable

from pbem.engine.game import Part, View
from pbem.engine.language import Called, Roster, RosterUnit, Vocabulary
from pbem.engine.notes import UMPIRE
from pbem.engine.wording import count, some
from pbem.games.normandy44 import allocation, phrasing, ports, reinforcement, replacement, victory
from pbem.games.normandy44.landing import DROPS, FIXED, FREE
from pbem.games.normandy44.notes import Supported
from pbem.games.normandy44.offensive import Offensive
from pbem.games.normandy44.sequence import PHASES
from pbem.games.normandy44.state import SIDES, Place, State, Unit
from pbem.games.normandy44.tables import (
    BEACHES,
    CHARTS,
    GRID,
    MAP,
    PORTS,
    ROUTES,
    UNITS,
    UTAH,
    Army,
    GermanArrival,
    Hex,
    Kind,
    Side,
    place_name,
)

NAMES: dict[str, str] = {"allied": "Allied", "german": "German"}
"""Sides as adjectives."""
ARMIES: dict[str, str] = {"us": "US", "uk": "UK", "german": "German"}
AHEAD = 2
"""Show the arrivals of this many turns after the present one."""


class SeenUnit(Part):
    """A counter of either side. Strengths, steps and stacking points as they are now; `defence` is halved out
    of supply (8.3). `state` holds in a word or two what keeps it from acting, or helps it."""

    id: str
    name: str
    side: Side
    army: Army
    nation: str
    kind: Kind
    size: str
    attack: int
    defence: int
    movement: int
    support: int
    steps: int
    printed_steps: int
    pe: int
    hex: Hex | None
    place: Place
    box: str
    phase: str
    back: int
    unsupplied: bool
    supported: bool
    used: bool
    fighters: int
    mine: bool
    state: tuple[str, ...]


class Box(Part):
    """A box of the strategic movement track (11.1): what a die must stay below, bombers included."""

    name: str
    number: int
    bombers: int
    units: tuple[str, ...]


class PortSeen(Part):
    """A port or artificial port (14): who holds it, and in words what it gives."""

    name: str
    hexes: tuple[Hex, ...]
    works: bool
    told: str


class Entry(Part):
    """Units of the track and the roads, with their hexes, by which they come onto the map (11.1):
    "J (2724)"."""

    roads: tuple[str, ...]
    units: tuple[str, ...]


class Coming(Part):
    """The units that arrive on a turn, and where (2.5)."""

    turn: int
    side: Side
    where: str
    units: tuple[str, ...]


class Normandy44View(View):
    """Everything that a seat may know of a game of Normandy 1944."""

    scenario: str
    label: str
    """The dates of the turn."""
    weather: str
    bad_turns: int
    initiative: str
    units: tuple[SeenUnit, ...]
    markers: dict[str, int]
    """2.2 Offensive markers in the depots of each side; during the allocation those on headquarters
    of the other side are counted in."""
    supported: tuple[str, ...]
    activates: dict[str, tuple[str, ...]]
    """6.2 In phase A: supported headquarters of the reader -> the units that it can activate."""
    fighters: dict[str, int]
    zones: tuple[str, ...]
    bombers: dict[str, int]
    targets: dict[Hex, Army]
    """10.3 Hexes to be carpet bombed in phase A."""
    craters: tuple[Hex, ...]
    carpets: tuple[str, ...]
    """10.3 The armies that have carpet bombed in this game."""
    guns: dict[str, int]
    capacity: dict[str, int]
    """14.0 Landing points left this turn, by beach hex or port in use; without those where Germans are."""
    beaches: tuple[Hex, ...]
    """11.2 The landing beaches of the scenario that are not destroyed (S1)."""
    ports: tuple[PortSeen, ...]
    track: tuple[Box, ...]
    """The boxes with units in them or bombers over them, and "map" for units that come
    without the track."""
    entries: tuple[Entry, ...]
    """11.1 By which roads the units of the track enter; those without a road that is open are left out."""
    reserve: dict[str, tuple[str, ...]]
    """11.2 The units that wait to land, by the phase from which they may: "A", "B"."""
    coming: tuple[Coming, ...]
    control: dict[Hex, Side]
    exits: dict[str, tuple[tuple[str, int], ...]]
    level: str
    """The result, were the game to end now."""
    figures: tuple[tuple[str, str, str], ...]
    notes: tuple[str, ...]


def view(state: State, seat: str) -> Normandy44View:
    """What `seat` ("allied", "german" or "umpire") may know now."""
    result = victory.result(state)
    air = _revealed(state, seat, "allied")
    return Normandy44View(
        game="normandy44",
        seat=seat,
        turn=state.turn,
        phase=state.phase,
        title=title(state),
        scenario=state.scenario,
        label=label(state.turn),
        weather=state.weather,
        bad_turns=state.bad_turns,
        initiative=state.initiative,
        units=tuple(seen_unit(state, unit, seat) for unit in state.units.values()),
        markers={side: _markers(state, seat, side) for side in SIDES},
        supported=_supported(state, seat),
        activates=activates(state, seat),
        fighters=dict(state.fighters) if air else {},
        zones=tuple(state.interdicted) if air else (),
        bombers=dict(state.bombers) if air else {},
        targets=dict(state.targets) if air else {},
        craters=tuple(state.craters),
        carpets=tuple(state.carpets),
        guns=dict(state.guns),
        capacity=capacity(state),
        beaches=tuple(ports.beaches(state)),
        ports=tuple(seen_ports(state)),
        track=tuple(track(state, state.bombers if air else {})),
        entries=tuple(entries(state)),
        reserve=reserve(state),
        coming=tuple(coming(state)),
        control=dict(state.control),
        exits={edge: tuple(units) for edge, units in state.exits.items() if units},
        level=result.level,
        figures=result.figures,
        notes=tuple(remarks(state, seat)),
    )


def label(turn: int) -> str:
    """The dates of a turn."""
    return CHARTS.calendar.turns[min(turn, len(CHARTS.calendar.turns) - 1)]


def title(state: State) -> str:
    """Turn and phase in words; of an activation whose it is."""
    if not state.phase:
        return "The game is over"
    phase = next(phase for phase in PHASES if phase.key == state.phase)
    return f"Turn {state.turn} ({label(state.turn)}), {phase.title_in(state)}"


# --- what is allocated (2.3) ------------------------------------------------------------------------------


def _revealed(state: State, seat: str, side: Side) -> bool:
    """2.3 Whether the seat may know what a side allocates: its own always, the other's once
    that is laid open."""
    if seat in (side, UMPIRE) or state.phase != "allocation":
        return True
    return any(isinstance(note, Supported) and note.side == side for note in state.log)


def _supported(state: State, seat: str) -> tuple[str, ...]:
    return tuple(id for id in state.supported if _revealed(state, seat, UNITS[id].side))


def _markers(state: State, seat: str, side: Side) -> int:
    """2.2 The markers in the depots of a side; what it has just taken from there counts in until
    it is laid open."""
    taken = 0 if _revealed(state, seat, side) else sum(UNITS[id].side == side for id in state.supported)
    return state.markers[side] + taken


# --- units ------------------------------------------------------------------------------------------------


def seen_unit(state: State, unit: Unit, seat: str) -> SeenUnit:
    counter = unit.counter
    alive = unit.place != "dead"
    air = _revealed(state, seat, "allied")
    return SeenUnit(
        id=unit.id,
        name=counter.name,
        side=unit.side,
        army=unit.army,
        nation=counter.nation,
        kind=counter.kind,
        size=counter.size,
        attack=unit.attack if alive else 0,
        defence=unit.defence if alive else 0,
        movement=counter.movement,
        support=counter.support,
        steps=unit.left if alive else 0,
        printed_steps=len(counter.steps),
        pe=unit.pe if alive else 0,
        hex=unit.hex,
        place=unit.place,
        box=unit.box,
        phase=unit.phase,
        back=unit.back,
        unsupplied=unit.unsupplied,
        supported=unit.id in _supported(state, seat),
        used=unit.used,
        fighters=state.fighters.get(unit.id, 0) if air else 0,
        mine=seat in (unit.side, UMPIRE),
        state=tuple(condition(unit)),
    )


def condition(unit: Unit) -> Iterable[str]:
    """What a player should know before ordering the unit."""
    if unit.place == "map" and unit.unsupplied:
        yield "out of supply"
    if unit.used:
        yield "support given"
    if unit.place == "track" and unit.ready:
        yield "may enter"
    if unit.place == "reserve" and unit.paid:
        yield "rebuilt"


# --- ports, track, reserve, arrivals ----------------------------------------------------------------------


def seen_ports(state: State) -> Iterable[PortSeen]:
    """14 Every port of the scenario's map, and what it gives or when."""
    for name, hexes in PORTS.items():
        if name in state.ports:
            works = ports.works(state, name)
            yield PortSeen(name=name, hexes=hexes, works=works, told=_port_told(state, name, works))


def capacity(state: State) -> dict[str, int]:
    """14.0 Landing points left this turn at sites that are open now."""
    open_to = {site for army in allocation.FLYING for site in reinforcement.open_sites(state, army)}
    return {
        name: points
        for name, points in state.capacity.items()
        if name in open_to and (points or ports.works(state, name))
    }


def _port_told(state: State, name: str, works: bool) -> str:
    port = state.ports[name]
    if port.gone:
        return "lost for good"
    told = "not begun"
    if works:
        told = "works"
    elif port.worth:
        told = "closed by Germans adjacent to it"
    elif port.left > 0:
        told = f"works from turn {state.turn + port.left} on"
    if port.worth and port.left > 0:
        told += f", doubled from turn {state.turn + port.left} on"
    return told + (", damaged by a storm" if port.damaged else "")


def track(state: State, bombers: dict[str, int]) -> Iterable[Box]:
    """11.1 The boxes in use, from the map outward on each track; before them those who come
    without the track."""
    there: dict[str, list[str]] = {}
    for unit in state.units.values():
        if unit.place == "track":
            there.setdefault(unit.box, []).append(unit.id)
    if reinforcement.DIRECT in there:
        yield Box(name=reinforcement.DIRECT, number=0, bombers=0, units=tuple(there[reinforcement.DIRECT]))
    for each in CHARTS.track:
        for box in each.boxes:
            units, over = tuple(there.get(box.name, ())), bombers.get(box.name, 0)
            if units or over:
                yield Box(name=box.name, number=box.number, bombers=over, units=units)


def entries(state: State) -> Iterable[Entry]:
    """11.1 The roads by which the units of the track can enter now, units that share theirs together."""
    letters = {hex: letter for letter, hex in ROUTES.items()}
    found: dict[tuple[str, ...], list[str]] = {}
    for unit in state.units.values():
        if unit.place == "track" and (unit.routes or unit.box != reinforcement.DIRECT):
            roads = tuple(f"{letters[hex]} ({hex})" for hex in reinforcement.entry_hexes(state, unit))
            found.setdefault(roads, []).append(unit.id)
    for roads, units in found.items():
        if roads:
            yield Entry(roads=roads, units=tuple(units))


def reserve(state: State) -> dict[str, tuple[str, ...]]:
    """11.2 The units that wait to land, by phase."""
    found = {phase: tuple(u.id for u in _waiting(state) if u.phase == phase) for phase in ("A", "B")}
    return {phase: units for phase, units in found.items() if units}


def _waiting(state: State) -> Iterable[Unit]:
    return (unit for unit in state.units.values() if unit.place == "reserve")


def coming(state: State) -> Iterable[Coming]:
    """2.5 The arrivals of the next turns, as the charts have them."""
    listed: list[tuple[int, Side, str, tuple[str, ...]]] = [
        (each.turn, "allied", f"reserve, phase {each.phase}", each.units)
        for each in reinforcement.allied_chart(state.scenario)
    ]
    listed += [
        (each.turn, "german", _entry(each), each.units) for each in reinforcement.german_chart(state.scenario)
    ]
    found: dict[tuple[int, Side, str], list[str]] = {}
    for turn, side, where, units in listed:
        if state.turn < turn <= state.turn + AHEAD:
            here = found.setdefault((turn, side, where), [])
            here += [id for id in units if state.units[id].place == "later"]
    for turn, side, where in sorted(found, key=lambda key: key[:2]):
        if units := tuple(found[turn, side, where]):
            yield Coming(turn=turn, side=side, where=where, units=units)


def _entry(arrival: GermanArrival) -> str:
    """Where a German arrival is put: its box, or by which roads it comes straight onto the map."""
    if arrival.box == reinforcement.DIRECT:
        return f"map, road {' or '.join(arrival.routes)}"
    return arrival.box


def activates(state: State, seat: str) -> dict[str, tuple[str, ...]]:
    """6.2 In phase A the units that each supported headquarters of the reader's side can activate,
    some of them together."""
    if not state.phase.startswith("a_") or seat not in SIDES:
        return {}
    side: Side = "german" if seat == "german" else "allied"
    units = [unit for unit in state.on_map(side) if not (unit.hq or unit.fixed)]
    return {
        group.hq: tuple(
            unit.id for unit in units if unit.army == group.army and group.area >> GRID.index(unit.placed) & 1
        )
        for group in Offensive(state, side).groups.values()
    }


# --- what to remember -------------------------------------------------------------------------------------


def remarks(state: State, seat: str) -> Iterable[str]:
    """What a reader should remember in this phase, in plain words; nothing once the game is over."""
    if not state.phase:
        return
    match state.phase.split("_")[0]:
        case "landing":
            yield (
                f"At most {CHARTS.beach.most_pe} stacking points attack a beach, "
                "besides commandos and special tanks [15.0]."
            )
            waves, drops = (
                ", ".join(f"{unit} {hex}" for unit, hex in FIXED.items() if (unit in DROPS) == dropped)
                for dropped in (False, True)
            )
            yield f"Landing anyway: {waves} [15.0]."
            yield f"Dropping anyway: {drops} [15.0]."
            for hexes in dict.fromkeys(FREE.values()):
                units = " and ".join(unit for unit in FREE if FREE[unit] == hexes)
                yield f"{units} may land at {', '.join(hexes)} [E8]."
        case "reaction":
            yield (
                "Germans within 2 hexes of Allied units may move 1 hex, and attack; all are in supply [15.0]."
            )
        case "allocation":
            yield from _allocation_remarks(state, seat)
        case "a":
            yield "Phase A: supported headquarters, the units they activate and reinforcements may act [6.2]."
        case "b":
            yield "Phase B: all units may move and fight, including those that did in phase A [2.6]."
        case "end":
            yield from _end_remarks(state, seat)
    if state.phase != "landing":
        yield from _supply_remarks(state, seat)


def _allocation_remarks(state: State, seat: str) -> Iterable[str]:
    yield "The side that supports more headquarters has the initiative; if equal, the Allies [2.3]."
    if seat == "german":
        return
    sky = allocation.sky(state)
    fighters = f"{sky.us_fighters} US and {count(sky.uk_fighters, 'UK fighter')}"
    yield f"{state.weather.capitalize()} weather: {fighters}, {count(sky.bombers, 'bomber')} [2.4]."
    for army in allocation.carpets_due(state):
        yield f"The {ARMIES[army]} bombers must carpet bomb this turn [S2]."


def _end_remarks(state: State, seat: str) -> Iterable[str]:
    if not replacement.played(state):
        return
    if seat != "german":
        left = ", ".join(
            f"{ARMIES[army]} {reinforcement.capacity_for(state, army)}" for army in allocation.FLYING
        )
        yield f"Landing points left for replacements and rebuilt units: {left} [13.0]."
    if seat != "allied":
        chart = CHARTS.replacement
        steps = f"{count(chart.motor_steps, 'step')} for motorised units, {chart.foot_steps} for foot"
        yield f"German replacements: {steps} [13.0]."


def _supply_remarks(state: State, seat: str) -> Iterable[str]:
    """S1, 8.3, 6.4 What is destroyed, who is out of supply, and which headquarters come back when."""
    if ports.destroyed(state, UTAH):
        yield f"{place_name(UTAH)} is destroyed: no unit may land there, and it is no longer a depot [S1]."
    for side in SIDES:
        if seat not in (side, UMPIRE):
            continue
        out = [unit.id for unit in state.on_map(side) if unit.unsupplied]
        if out:
            yield f"Out of supply, unable to attack and halved in defence: {some(out)} [8.3]."
        for unit in state.units.values():
            if unit.side == side and unit.place == "dead" and unit.back:
                when = (
                    "at the end of this turn"
                    if unit.back <= state.turn
                    else f"at the end of turn {unit.back}"
                )
                yield f"{unit.id} may return {when} [6.4]."


# --- roster -----------------------------------------------------------------------------------------------


def roster(state: State, seat: str) -> Roster:
    """The names that a seat may use: its own units, and, for conditions, all the others.
    A division in several counters is no name of a unit: its writer is asked which (`groups`)."""
    units = (
        RosterUnit(
            unit.id, kind(unit), unit.hex,
            enemy=unit.side != seat, here=unit.place in ("map", "reserve", "track"),
            gone=unit.place in ("exited", "dead"),
        )
        for unit in state.units.values() if reinforcement.takes_part(state, unit)
    )  # fmt: skip
    return VOCABULARY.roster(seat, "" if seat == UMPIRE else seat, units)


def kind(unit: Unit) -> str:
    """What is printed on a counter at full strength: ``4-4-8``, of a headquarters ``+2``."""
    counter = unit.counter
    return (
        f"+{counter.support}"
        if unit.hq
        else f"{counter.steps[0][0]}-{counter.steps[0][1]}-{counter.movement}"
    )


def _groups() -> dict[str, tuple[str, ...]]:
    members: dict[str, list[str]] = {}
    for counter in UNITS.values():
        if counter.division:
            members.setdefault(counter.division, []).append(counter.id)
    return {
        name: (f"the {name} division ({', '.join(ids)})",)
        for name, ids in members.items()
        if name not in UNITS
    }


GROUPS = _groups()
"""Divisions in several counters -> what their names stand for."""

VOCABULARY = Vocabulary(
    {each.id: Called(each.side, "", each.name) for each in UNITS.values()},
    MAP,
    GROUPS,
    {
        name: (hex,)
        for letter, hex in MAP.features["road_exits"].items()
        for name in (letter, f"road {letter}")
    }
    | dict(BEACHES),
    nicknames=phrasing.NICKNAMES,
)
"""The roads by which units enter and leave go by their letters too."""
