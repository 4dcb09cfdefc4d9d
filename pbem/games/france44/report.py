"""What a letter shows of a view: the map with the counters of both sides, supply and the Rhine,
the moves and combats of the last phases, and what happened in a few plain lines.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from pbem.engine.board import Arrow, Board, Border, Counter, Mark, Size, Symbol
from pbem.engine.game import View
from pbem.engine.notes import Note
from pbem.engine.wording import count, sentence, some
from pbem.games.france44.crossing import EAST_BANK
from pbem.games.france44.notes import (
    Activated,
    Advanced,
    AirRolled,
    Attacked,
    BridgeheadChanged,
    BridgeRolled,
    ChitDrawn,
    Committed,
    Dropped,
    Entered,
    Interdicted,
    Lifted,
    OffensiveDeclared,
    PhasePassed,
    PieceActivated,
    Replaced,
    Rerolled,
    RhineCrossed,
    SentBack,
    SetUpSouth,
    ShutOut,
    SupplyJudged,
    Tried,
)
from pbem.games.france44.tables import (
    BRUSSELS,
    GRID,
    LAND,
    MAP,
    METZ,
    NAMES,
    PARIS,
    RHINE,
    SCENARIOS,
    UNITS,
    Hex,
    place_name,
)
from pbem.games.france44.view import France44View, SeenUnit
from pbem.wargame import report

COLOURS = {
    "us": "us",
    "british": "uk",
    "canadian": "canadian",
    "polish": "polish",
    "french": "french",
    "german": "german",
}
"""Nation -> palette of its counters; the SS and the paratroops have their own."""
SYMBOLS: dict[str, Symbol] = {
    "infantry": "infantry",
    "paratroop": "parachute",
    "armour": "armour",
    "mechanized": "mechanised",
    "headquarters": "headquarters",
}
SIZES: dict[str, Size] = {"division": "division", "corps": "corps", "army": "army"}
LEGEND = {
    "us": "US",
    "uk": "British",
    "canadian": "Canadian",
    "polish": "Polish",
    "french": "French",
    "german": "German",
    "ss": "SS",
    "luftwaffe": "Paratroops",
}
"""Palette keys with what they stand for, in the order of the legend."""
SIGNS = {
    "figures": "set-piece strength, mobile strength and morale, of a headquarters armour and infantry",
    "dimmed": "a cadre",
}
"""What signs on the map mean in this game."""
SUPPLY = "supply"
"""The lines that feed headquarters are drawn in the colour of no side."""
OBJECTIVES: dict[str, tuple[Hex, ...]] = {
    "falaise": tuple(SCENARIOS.falaise.towns.values()),
    "westwall": (PARIS, BRUSSELS, METZ),
    "rhine": (),
    "crusade": (),
}
"""13.1, 13.2 The towns that count by themselves in each scenario."""
WORDS = report.Words(NAMES, place_name)

# --- the board ------------------------------------------------------------------------------------------


def board(seen: View, notes: tuple[Note, ...]) -> Board:
    """The map as the reader of the view sees it, with the moves and combats of these notes."""
    assert isinstance(seen, France44View)
    return report.compose(
        seen,
        MAP,
        "France 1944",
        _counters(seen),
        notes,
        standing=standing(seen),
        names=LEGEND,
        signs=SIGNS,
        arrows=_lines(seen),
        marks=(*_places(seen), *_bridgeheads(seen), *_bridges(seen)),
        borders=(*_rhine(seen), *_ranges(seen)),
    )


def _counters(seen: France44View) -> Iterable[Counter]:
    """The strongest of a stack is on top, its headquarters at the bottom."""
    there = [unit for unit in seen.units if unit.hex]
    for unit in sorted(
        there, key=lambda unit: (unit.hex, unit.hq, -unit.set_piece - unit.mobile, -unit.morale, unit.id)
    ):
        yield _counter(unit)


def _counter(unit: SeenUnit) -> Counter:
    """Set piece, mobile and morale as they are now, of a headquarters its range; a cadre is dimmed."""
    return Counter(
        hex=unit.hex or "",
        colours=colours(unit.id),
        figures=figures(unit),
        name=unit.id,
        symbol=SYMBOLS[unit.kind],
        size=SIZES[unit.size],
        unsupplied=unit.unsupplied,
        dimmed="cadre" in unit.state,
        unit=unit.id,
    )


def figures(unit: SeenUnit) -> str:
    """``7-3-4``: set piece, mobile, morale; of a headquarters its capacities, armour before infantry."""
    if unit.hq:
        return f"{unit.armour}+{unit.infantry}"
    return f"{unit.set_piece}-{unit.mobile}-{unit.morale}"


def colours(id: str) -> str:
    """The palette of a counter."""
    piece = UNITS[id]
    if piece.side == "german" and not piece.hq:
        if "SS" in piece.name:
            return "ss"
        if piece.kind == "paratroop":
            return "luftwaffe"
    return COLOURS[piece.nation]


def _lines(seen: France44View) -> Iterable[Arrow]:
    """11.1 How the headquarters of the reader's side are fed: from their sources, or from one another."""
    for post in seen.posts:
        if len(post.line) > 1:
            yield Arrow(post.line, SUPPLY, "supply")


def _places(seen: France44View) -> Iterable[Mark]:
    """11.2, 13 The sources of supply of either side, and the holders of the towns that count."""
    sources = {hex: side for side, hexes in seen.sources.items() for hex in hexes}
    for hex, side in sources.items():
        yield Mark(hex, "supply", colours=side)
    for hex in OBJECTIVES[seen.scenario]:
        yield Mark(hex, "control", colours=seen.control.get(hex, "german"))


def _bridgeheads(seen: France44View) -> Iterable[Mark]:
    """12.6"""
    for hex in seen.bridgeheads:
        yield Mark(hex, "control", "bridgehead", "allied")


def _bridges(seen: France44View) -> Iterable[Mark]:
    """12.7 The bridges over the Rhine that have been tried, each on its far bank;
    the ground shows the others."""
    for each in seen.bridges:
        if each.tried:
            near, far = each.hexes if each.hexes[1] in EAST_BANK else each.hexes[::-1]
            told = f"bridge {near} {'stands' if each.standing else 'blown'}"
            yield Mark(far, "control", told, "allied" if each.standing else "german")


def _ranges(seen: France44View) -> Iterable[Border]:
    """4.6 The edge of what the headquarters of the reader's side command that are in supply;
    the coast needs no line."""
    for side, name in NAMES.items():
        reach = {hex for post in seen.posts if post.side == side and post.supplied for hex in post.reach}
        for hex in sorted(reach):
            for near in GRID.neighbours(hex):
                if near not in reach and LAND >> GRID.index(near) & 1:
                    yield Border((hex, near), side, "boundary", f"{name} command range")


def _rhine(seen: France44View) -> Iterable[Border]:
    """12.8 The hexsides of the Rhine: units cross them only by bridges, at bridgeheads and in boats.
    Falaise Gap is far from it."""
    for key in sorted(RHINE) if seen.scenario != "falaise" else ():
        a, b = key.split("-")
        yield Border((a, b), "uk", "boundary", "the Rhine")


# --- the summary ----------------------------------------------------------------------------------------


def summary(seen: View, notes: tuple[Note, ...]) -> tuple[str, ...]:
    """What happened, in a few plain lines: chits and who acted, ground and combats, losses,
    what else matters, and the result so far."""
    assert isinstance(seen, France44View)
    notes = report.readable(seen, notes)
    turns = sum(isinstance(note, AirRolled) for note in notes)
    lines = [
        *([_beginning(seen, notes), _chits(notes)] if turns < 2 else [_of_several(notes, turns)]),
        WORDS.ground(seen.control, notes),
        _fighting(notes),
        WORDS.losses(notes),
        *_news(notes),
    ]
    return report.summary(lines, sentence(standing(seen)), _hand(seen))


def story(seen: View, notes: tuple[Note, ...]) -> tuple[str, ...]:
    """What a turn or several come to, in sentences, the most important first."""
    assert isinstance(seen, France44View)
    notes = report.readable(seen, notes)
    level = sentence(standing(seen)) if seen.phase else ""
    ground, lost = WORDS.ground(seen.control, notes), WORDS.tally(notes)
    hardest = report.hardest(notes, place_name)
    return report.told(ground, lost, level, hardest, _fighting(notes), *_news(notes))


def _beginning(seen: France44View, notes: Sequence[Note]) -> str:
    """Air support, what has been committed and declared; nothing is committed in the last turn (2.0.8)."""
    told = []
    for note in notes:
        match note:
            case AirRolled(available=available):
                told.append("air support" if available else "no air support")
            case Interdicted(cost=cost):
                told.append(f"{count(cost, 'German reaction point')} interdicted")
            case Committed(side=side, number=number) if seen.turn < seen.last_turn:
                told.append(f"{NAMES[side]} supply committed for the next turn: {number or 'none'}")
            case OffensiveDeclared():
                told.append("the Germans declare a surprise offensive")
    return sentence(*told)


def _chits(notes: Sequence[Note]) -> str:
    """Chits drawn, and who acted or passed."""
    told = []
    for note in notes:
        match note:
            case ChitDrawn(chit=chit):
                told.append(f"{NAMES[chit]} chit" if chit in NAMES else "administrative chit")
            case Activated(hq=hq, cost=0):
                told.append(f"{hq} acts")
            case Activated(hq=hq):
                told.append(f"{hq} reacts")
            case PieceActivated(name=name):
                told.append(f"{name} reacts")
            case PhasePassed(side=side, what="initiative"):
                told.append(f"the {'Allies pass' if side == 'allied' else 'Germans pass'}")
            case PhasePassed(side=side, what="denied"):
                told.append(f"{'an' if side == 'allied' else 'a'} {NAMES[side]} point spent for nothing")
    return sentence(*told)


def _of_several(notes: Sequence[Note], turns: int) -> str:
    """How often who acted in a story of several turns."""
    acts = [note for note in notes if isinstance(note, Activated)]
    acted = [note.hq for note in acts if not note.cost]
    reactions = len(acts) - len(acted) + sum(isinstance(note, PieceActivated) for note in notes)
    most = sorted(dict.fromkeys(acted), key=acted.count, reverse=True)
    often = [f"{hq} acts {count(acted.count(hq), 'time')}" for hq in most]
    return sentence(count(turns, "turn"), *often, count(reactions, "reaction"))


def _fighting(notes: Sequence[Note]) -> str:
    """Combats and moves."""
    fights = [(note.side, note.hexes) for note in notes if isinstance(note, Attacked)]
    entered = {note.path[0] for note in notes if isinstance(note, Advanced)}
    return sentence(*WORDS.attacks(fights, entered), WORDS.moves(notes))


def _news(notes: Sequence[Note]) -> Iterable[str]:
    """What else matters, each in a line."""
    heads: dict[Hex, bool] = {}
    for note in notes:
        match note:
            case Dropped(name=name, hex=hex):
                yield f"{name} jumps at {place_name(hex)}."
            case Lifted(name=name):
                yield f"{name} is back in England."
            case BridgeRolled(hexes=(_, b), standing=standing, dice=dice):
                yield (
                    f"The Rhine bridge at {place_name(b)} "
                    f"is {'blown' if not standing else _standing(standing, len(dice))}."
                )
            case RhineCrossed(hex=hex):
                yield f"The Allies have crossed the Rhine at {place_name(hex)}."
            case BridgeheadChanged(hex=hex, won=won):
                heads[hex] = won
            case Rerolled(side=side, what=what, first=first, second=second):
                yield f"The {NAMES[side]} Advantage: {what} again, {second} instead of {first}."
            case ShutOut(names=names):
                yield f"Shut out for good: {some(names)}."
    yield from report.listed("Bridgeheads won", [place_name(hex) for hex, won in heads.items() if won])
    yield from report.listed("Bridgeheads lost", [place_name(hex) for hex, won in heads.items() if not won])
    for side in NAMES:
        came = [
            name
            for note in notes
            if isinstance(note, Entered | SetUpSouth) and note.side == side
            for name in note.names
        ]
        yield from report.listed(f"{NAMES[side]} arrivals", came)
    yield from report.listed(
        "Out of supply", [id for note in notes if isinstance(note, SupplyJudged) for id in note.out]
    )
    replaced = [note for note in notes if isinstance(note, Replaced)]
    yield from report.listed("Replacements", [note.name for note in replaced if not note.rebuilt])
    back = [name for note in notes if isinstance(note, SentBack) for name in note.names]
    yield from report.listed(
        "Raised again", [note.name for note in replaced if note.rebuilt and note.name not in back]
    )
    yield from report.listed("Raised, not brought in and back in the eliminated box", back)
    yield from report.listed("No longer untried", [note.name for note in notes if isinstance(note, Tried)])


def _standing(number: int, of: int) -> str:
    return "standing" if number == of else f"standing in part, {number} of {of}"


def standing(seen: France44View) -> str:
    """The level of victory: as it would be now, or as it is."""
    return report.level(seen, seen.level)


def _hand(seen: France44View) -> str:
    """Reaction points, supply of the reader's side, chits still in the cup."""
    points = ", ".join(f"{NAMES[side]} {number}" for side, number in seen.reaction.items())
    told = [f"Reaction points: {points}"]
    for side in seen.committed:
        whose = "your supply points" if len(seen.committed) == 1 else f"{NAMES[side]} supply points"
        ahead = f", {seen.committed[side]} committed for the next turn" if seen.turn < seen.last_turn else ""
        told.append(f"{whose} {seen.supply[side]}{ahead}")
    if seen.cup:
        told.append(f"in the cup: {cup(seen)}")
    return sentence(*told)


def cup(seen: France44View) -> str:
    """2.0.9 The chits that can still be drawn."""
    return ", ".join(
        count(number, f"{NAMES[chit]} chit") if chit in NAMES else "the administrative chit"
        for chit, number in seen.cup.items()
    )
