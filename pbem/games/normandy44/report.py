"""What a letter shows of a view: the map with the counters of both sides, the moves and combats of the last
phases, and what happened in a few plain lines."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache

from pbem.engine.board import Board, Border, Counter, Mark, Size, Symbol
from pbem.engine.game import View
from pbem.engine.notes import Note
from pbem.engine.wording import sentence, some
from pbem.games.normandy44.notes import (
    Advanced,
    Appeared,
    Arrived,
    Attacked,
    Bombed,
    Decided,
    Dropped,
    Entered,
    Exited,
    HeadquartersBack,
    Initiative,
    Landed,
    LoneHeadquarters,
    PortNews,
    Rebuilt,
    Replaced,
    Repulsed,
    Storm,
    SupplyJudged,
    Supported,
    TrackRolled,
    WeatherRolled,
)
from pbem.games.normandy44.tables import (
    AIR_ZONES,
    ALENCON,
    AVRANCHES,
    BEACH_HEXES,
    CAEN,
    CHERBOURG,
    GERMAN_DEPOTS,
    GRID,
    LISIEUX,
    MAP,
    PLAYED,
    ROUTES,
    UNITS,
    Hex,
    place_name,
)
from pbem.games.normandy44.view import ARMIES, NAMES, Normandy44View, SeenUnit
from pbem.wargame import report

COLOURS = {
    "us": "us",
    "french": "french",
    "british": "uk",
    "canadian": "canadian",
    "polish": "polish",
    "german": "german",
}
"""Nation -> palette of its counters; the SS and the paratroops have their own."""
SYMBOLS: dict[str, Symbol] = {
    "infantry": "infantry",
    "mech infantry": "motorised",
    "airborne": "parachute",
    "commando": "commando",
    "armour": "armour",
    "heavy armour": "armour",
    "armour with infantry": "mechanised",
    "specialised armour": "armour",
    "flak": "flak",
    "artillery": "artillery",
    "garrison": "infantry",
    "headquarters": "headquarters",
}
SIZES: dict[str, Size] = {
    "detachment": "company",
    "battalion": "battalion",
    "regiment": "regiment",
    "brigade": "brigade",
    "division": "division",
    "corps": "corps",
}
LEGEND = {
    "us": "US",
    "french": "French",
    "uk": "British",
    "canadian": "Canadian",
    "polish": "Polish",
    "german": "German",
    "ss": "SS",
    "luftwaffe": "Paratroops",
}
"""Palette keys with what they stand for, in the order of the legend."""
SIGNS = {
    "figures": "attack, defence and movement, of a headquarters columns of support",
    "dimmed": "a headquarters that has given support",
    "supply": "supply source or port",
    "target": "a target of the bombers, with its army, or a hex that they have struck",
    "exit": "route L",
}
"""What signs on the map mean in this game."""
OBJECTIVES: dict[str, tuple[Hex, ...]] = {
    "cherbourg": CHERBOURG,
    "cobra": (AVRANCHES, ALENCON, LISIEUX, *CAEN),
    "campaign": (AVRANCHES, ALENCON, LISIEUX, *CAEN, *CHERBOURG),
}
"""S1 to S3 The towns that decide each scenario."""
WORDS = report.Words(NAMES, place_name)

# --- the board ------------------------------------------------------------------------------------------


def board(seen: View, notes: tuple[Note, ...]) -> Board:
    """The map as the reader of the view sees it, with the moves and combats of these notes."""
    assert isinstance(seen, Normandy44View)
    return report.compose(
        seen,
        MAP,
        "Normandy 1944",
        _counters(seen),
        notes,
        standing=standing(seen),
        names=LEGEND,
        signs=SIGNS,
        marks=(*_places(seen), *_bombs(seen)),
        borders=(*_zones(seen), *_edge(seen.scenario)),
    )


def _counters(seen: Normandy44View) -> Iterable[Counter]:
    """The strongest of a stack is on top, its headquarters at the bottom."""
    there = [unit for unit in seen.units if unit.hex]
    for unit in sorted(
        there, key=lambda unit: (unit.hex, unit.support, -unit.attack - unit.defence, unit.id)
    ):
        yield _counter(unit)


def _counter(unit: SeenUnit) -> Counter:
    """Attack, defence and movement, of a headquarters its columns of support;
    those that have given it are dimmed, supported ones called so."""
    figures = f"+{unit.support}" if unit.support else f"{unit.attack}-{unit.defence}-{unit.movement}"
    return Counter(
        hex=unit.hex or "",
        colours=colours(unit.id),
        figures=figures,
        name=f"{unit.id} *" if unit.supported else unit.id,
        symbol=SYMBOLS[unit.kind],
        size=SIZES[unit.size],
        unsupplied=unit.unsupplied,
        dimmed=unit.used,
        unit=unit.id,
    )


def colours(id: str) -> str:
    """The palette of a counter."""
    counter = UNITS[id]
    if counter.side == "german":
        if "SS" in counter.name:
            return "ss"
        if "Fallschirm" in counter.name:
            return "luftwaffe"
    return COLOURS[counter.nation]


def _places(seen: Normandy44View) -> Iterable[Mark]:
    """The holders of the towns that decide and the beaches, depots (8.2), and the roads
    by which the Allies may leave."""
    for hex in OBJECTIVES[seen.scenario]:
        side = seen.control.get(hex, "german")
        yield Mark(hex, "control", colours=side)
    for hex, name in BEACH_HEXES.items():
        if hex not in seen.beaches:
            continue
        label = "" if name in MAP.names(hex) else name
        if seen.control.get(hex) == "allied":
            yield Mark(hex, "supply", label, "allied")
        else:
            yield Mark(hex, "beach", label)
    for port in seen.ports:
        if port.works:
            yield Mark(port.hexes[0], "supply", colours="allied")
    allied = {unit.hex for unit in seen.units if unit.side == "allied" and not unit.support}
    for hex in GERMAN_DEPOTS.values():
        if _played(seen, hex) and hex not in allied:
            yield Mark(hex, "supply", colours="german")
    if seen.scenario != "cherbourg":
        yield Mark(ROUTES["L"], "exit", "L", "allied")


def _played(seen: Normandy44View, hex: Hex) -> bool:
    return bool(PLAYED[seen.scenario] >> GRID.index(hex) & 1)


def _bombs(seen: Normandy44View) -> Iterable[Mark]:
    """10.3 Where the bombers are to strike, and where they have struck this turn."""
    for hex, army in seen.targets.items():
        yield Mark(hex, "target", ARMIES[army])
    for hex in seen.craters:
        if hex not in seen.targets:
            yield Mark(hex, "target")


def _zones(seen: Normandy44View) -> Iterable[Border]:
    """10.2 The lines between the air zones; those around an interdicted zone are drawn and named apart."""
    quiet = f"air zones {_placed(zone for zone, bits in AIR_ZONES.items() if bits & PLAYED[seen.scenario])}"
    loud = f"interdicted: {_placed(seen.zones)}"
    for hexes, zones in _zone_sides(seen.scenario):
        if zones.isdisjoint(seen.zones):
            yield Border(hexes, "neutral", "boundary", quiet)
        else:
            yield Border(hexes, "allied", "boundary", loud)


@cache
def _zone_sides(scenario: str) -> tuple[tuple[tuple[Hex, Hex], frozenset[str]], ...]:
    """10.2 The hexsides between two air zones, and the zones."""
    of = {hex: zone for zone, bits in AIR_ZONES.items() for hex in GRID.named(bits & PLAYED[scenario])}
    return tuple(
        ((hex, near), frozenset((zone, of[near])))
        for hex, zone in of.items()
        for near in GRID.neighbours(hex)
        if near in of and zone < of[near]
    )


def _placed(zones: Iterable[str]) -> str:
    """Air zones with the corners they are in: ``I NW, II NE``."""
    return ", ".join(f"{zone} {corner(zone)}" for zone in zones)


def corner(zone: str) -> str:
    """10.2 The corner of the map that an air zone is in: NW."""
    hexes = GRID.named(AIR_ZONES[zone])
    north = min(hexes)[:2] == f"{GRID.rows[0]:02}"
    east = min(hex[2:] for hex in hexes) == f"{GRID.cols[0]:02}"
    return f"{'N' if north else 'S'}{'E' if east else 'W'}"


@cache
def _edge(scenario: str) -> tuple[Border, ...]:
    """S1 Where the part of the map ends on which the scenario is played."""
    beyond = MAP.on_map & ~MAP.bits("sea") & ~PLAYED[scenario]
    return tuple(
        Border((hex, near), "uk", "boundary", "edge of the scenario")
        for hex in GRID.named(PLAYED[scenario] & GRID.spread(beyond))
        for near in GRID.neighbours(hex)
        if beyond >> GRID.index(near) & 1
    )


# --- the summary ----------------------------------------------------------------------------------------


def summary(seen: View, notes: tuple[Note, ...]) -> tuple[str, ...]:
    """What happened, in two or three plain lines: ground and combats, losses, what else matters,
    and the result so far."""
    assert isinstance(seen, Normandy44View)
    notes = report.readable(seen, notes)
    lines = [
        _beginning(notes),
        WORDS.ground(seen.control, notes),
        _fighting(notes),
        WORDS.losses(notes),
        *_news(notes),
    ]
    return report.summary(lines, sentence(standing(seen)))


def story(seen: View, notes: tuple[Note, ...]) -> tuple[str, ...]:
    """What a turn or several come to, in sentences, the most important first."""
    assert isinstance(seen, Normandy44View)
    notes = report.readable(seen, notes)
    level = sentence(standing(seen)) if seen.phase else ""
    ground, lost = WORDS.ground(seen.control, notes), WORDS.tally(notes)
    hardest = report.hardest(notes, place_name)
    return report.told(ground, lost, level, hardest, _fighting(notes), *_news(notes))


def _beginning(notes: Sequence[Note]) -> str:
    """Weather, supported headquarters, initiative."""
    told = []
    for note in notes:
        match note:
            case WeatherRolled(weather=weather):
                told.append(f"{weather.capitalize()} weather")
            case Supported(side=side, names=names) if names:
                told.append(f"{NAMES[side]} support for {some(names)}")
            case Initiative(side=side):
                told.append(f"{NAMES[side]} initiative")
    return f"{'; '.join(told)}." if told else ""


def _fighting(notes: Sequence[Note]) -> str:
    """Combats and moves."""
    fights = [(note.attacker, (note.hex,)) for note in notes if isinstance(note, Attacked | LoneHeadquarters)]
    advanced = {note.hex for note in notes if isinstance(note, Advanced)}
    told = [*WORDS.attacks(fights, advanced)]
    fought = {hex for _, hexes in fights for hex in hexes}
    for note in notes:
        if isinstance(note, Advanced) and note.hex not in fought:  # the combat was in an earlier letter
            told.append(f"{NAMES[note.side]} advance: taken {place_name(note.hex)}")
    return sentence(*told, WORDS.moves(notes))


def _news(notes: Sequence[Note]) -> Iterable[str]:
    """What else matters, each in a line."""
    landed: list[str] = []
    entered: list[str] = []
    exited: list[str] = []
    for note in notes:
        match note:
            case Landed(names=names):
                landed += names
            case Entered(names=names):
                entered += names
            case Exited(names=names):
                exited += names
            case PortNews(name=name, what="working"):
                yield f"{name} works."
            case PortNews(name=name, what="destroyed"):
                yield f"The depot of {name} is destroyed."
            case Storm(name=name, what=what) if what != "unhurt":
                yield f"The Mulberry of {name} is {what} by a storm."
            case Appeared(name=name, hex=hex) | HeadquartersBack(name=name, hex=hex):
                yield f"{name} commands at {place_name(hex)}."
            case Repulsed(names=names, hex=hex):
                yield f"Repulsed at {place_name(hex)}: {some(names)}."
            case Decided(level=level):
                yield f"Decided: {level}."
    drops = [note.name for note in notes if isinstance(note, Dropped)]
    yield from report.listed("Dropped", drops)
    yield from report.listed("Landed", landed)
    yield from report.listed("Came onto the map", entered)
    yield from report.listed("Left the map", exited)
    blocked = [note.name for note in notes if isinstance(note, TrackRolled) and not note.passed]
    yield from report.listed("Blocked on the strategic track", blocked)
    for side in NAMES:
        arrived = [
            name for note in notes if isinstance(note, Arrived) and note.side == side for name in note.names
        ]
        yield from report.listed(f"{NAMES[side]} reinforcements", arrived)
    yield from report.listed("Carpet bombed", [note.name for note in notes if isinstance(note, Bombed)])
    yield from report.listed(
        "Out of supply", [id for note in notes if isinstance(note, SupplyJudged) for id in note.out]
    )
    replaced = [name for note in notes if isinstance(note, Replaced) for name in note.names]
    yield from report.listed("Replacements", replaced)
    yield from report.listed("Raised again", [note.name for note in notes if isinstance(note, Rebuilt)])


def standing(seen: Normandy44View) -> str:
    """The level of victory: as it would be now, or as it is."""
    return report.level(seen, seen.level)
