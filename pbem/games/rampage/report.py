"""What a letter shows of a view: the map with its front line, the moves and battles of the last phases,
and what happened in a few plain lines."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from pbem.engine.board import Battle, Board, Border, Counter, Mark
from pbem.engine.game import View
from pbem.engine.notes import Note
from pbem.engine.wording import count, sentence, some
from pbem.games.rampage.movement import NAMES
from pbem.games.rampage.notes import (
    Arrived,
    BreakoutForce,
    BreakoutResult,
    Conceded,
    Controlled,
    Deployed,
    Engaged,
    Fired,
    Garrisoned,
    Grounded,
    Landed,
    LandingLost,
    Losses,
    PocketEscaped,
    Replenishing,
    Repulsed,
    SupplyDecided,
    Won,
)
from pbem.games.rampage.state import Hex
from pbem.games.rampage.tables import CITY_NAMES, MAP, SEINE_OBJECTIVES, VICTORY_CITIES, place_name
from pbem.games.rampage.view import Condition, RampageView, SeenUnit
from pbem.wargame import report

COLOURS = {"us": "us", "french": "french", "british": "uk", "canadian": "canadian", "polish": "polish"}
"""Nation -> palette of its counters."""

LEGEND = {
    "us": "US",
    "french": "French",
    "uk": "British",
    "canadian": "Canadian",
    "polish": "Polish",
    "german": "German",
    "ss": "German elite",
}
"""Palette keys with what they stand for, in the order of the legend."""
SIGNS = {
    "figures": "steps",
    "dimmed": "replenishing",
    "entrenched": "a garrison",
    "unsupplied": "a garrison, cut off from supply",
    "objective": "an objective that is German",
    "control": "an objective or V1 site that is Allied",
    "target": "a V1 site",
}
"""What signs on the map mean in this game."""

# --- the board ------------------------------------------------------------------------------------------


def board(seen: View, notes: tuple[Note, ...]) -> Board:
    """The map as the reader of the view sees it, with the moves and battles of these notes."""
    assert isinstance(seen, RampageView)
    counters = (*_allied_counters(seen), *_german_counters(seen))
    drawn = report.compose(
        seen,
        MAP,
        "Rampage",
        counters,
        notes,
        standing=standing(seen),
        names=LEGEND,
        signs=SIGNS,
        also=("german",),
        battles=_battles(report.readable(seen, notes)),
        marks=_objectives(seen),
        borders=(Border(pair, "german") for pair in seen.borders),
    )
    fought = [hex for arrow in drawn.arrows for hex in arrow.path] + [battle.hex for battle in drawn.battles]
    return replace(drawn, focus=tuple(dict.fromkeys((*fought, *seen.front, *drawn.focus))))


def _allied_counters(seen: RampageView) -> Iterable[Counter]:
    for unit in sorted(seen.units, key=lambda unit: (unit.hex or "", -unit.steps, unit.type != "armour")):
        if unit.hex and unit.place == "map":
            yield _allied_counter(unit)


def _allied_counter(unit: SeenUnit) -> Counter:
    return Counter(
        hex=unit.hex or "",
        colours=COLOURS[unit.nation],
        figures=str(unit.steps),
        name=f"{unit.id} REPS" if unit.state == "replenishing" else unit.id,
        symbol="parachute" if unit.group == "airborne" else unit.type,
        size="division",
        dimmed=unit.state == "replenishing",
        unit=unit.id,
    )


def _german_counters(seen: RampageView) -> Iterable[Counter]:
    for unit in seen.germans:
        yield Counter(
            hex=unit.hex,
            colours="ss" if unit.elite else "german",
            figures="1",
            name=unit.id,
            symbol=unit.type,
            size="division",
            entrenched=unit.garrison,
            unsupplied=unit.garrison,
            unit=unit.id,
        )
    if seen.pocket:
        yield Counter(
            hex=seen.pocket,
            colours="german",
            figures=str(seen.pool.pocketed),
            name="AFP",
            symbol="infantry",
            size="army",
        )


def _battles(notes: Iterable[Note]) -> Iterable[Battle]:
    """Every hex that was fought for, under the number of the first dice rolled for it, with all the hexes
    that it was attacked from. A battle is several notes, so no note draws it by itself."""
    origins: dict[Hex, tuple[Hex, ...]] = {}
    labels: dict[Hex, str] = {}
    for note in notes:
        match note:
            case Engaged(hex=hex, origin=origin):
                origins[hex] = tuple(dict.fromkeys((*origins.get(hex, ()), origin)))
            case Landed(hex=hex) | BreakoutForce(hex=hex):
                origins.setdefault(hex, ())
            case Fired(hex=hex, roll=roll):
                labels.setdefault(hex, f"R{roll}")
    yield from (Battle(hex, labels[hex], origins[hex]) for hex in origins if hex in labels)


def _objectives(seen: RampageView) -> Iterable[Mark]:
    """The hexes of the numbered conditions (4.1): stars while they are German, flags when they are ours."""
    german = frozenset(seen.german)
    for hex in (*SEINE_OBJECTIVES, *VICTORY_CITIES):
        yield (
            Mark(hex, "objective", colours="german") if hex in german else Mark(hex, "control", colours="us")
        )
    for hex in seen.sites:
        yield Mark(hex, "target", "V1") if hex in german else Mark(hex, "control", "V1", "us")


# --- the summary ----------------------------------------------------------------------------------------


def summary(seen: View, notes: tuple[Note, ...]) -> tuple[str, ...]:
    """What happened, in two or three plain lines: ground and battles, losses, what else matters,
    and the result so far."""
    assert isinstance(seen, RampageView)
    notes = report.readable(seen, notes)
    lines = [_ground(seen, notes), _fighting(notes), *_news(notes)]
    return report.summary(lines, _standing(seen))


def story(seen: View, notes: tuple[Note, ...]) -> tuple[str, ...]:
    """What a turn or several come to, in sentences, the most important first."""
    assert isinstance(seen, RampageView)
    notes = report.readable(seen, notes)
    level = sentence(standing(seen)) if seen.phase else ""
    battles = {battle.hex: battle for battle in _battles(notes)}
    hardest = report.hardest(
        notes, place_name, lambda note: battles.get(note.hex) if isinstance(note, Fired) else None
    )
    return report.told(_ground(seen, notes), _losses(notes), level, hardest, _outcomes(notes), *_news(notes))


def _ground(seen: RampageView, notes: Iterable[Note]) -> str:
    """The hexes that changed hands and have not changed back, towns by name."""
    changed = dict.fromkeys(hex for note in notes if isinstance(note, Controlled) for hex in note.hexes)
    lost = [
        hex
        for note in notes
        if isinstance(note, Controlled) and note.to == "german"
        for hex in note.hexes
        if hex in seen.german
    ]
    taken = [hex for hex in changed if hex not in seen.german]
    told = []
    if taken:
        named = [CITY_NAMES[hex] for hex in taken if hex in CITY_NAMES]
        towns = f", among them {some(named)}" if named else ""
        told.append(f"{count(len(taken), 'hex', 'hexes')} taken{towns}.")
    if lost:
        told.append(f"Lost again: {some([place_name(hex) for hex in dict.fromkeys(lost)])}.")
    return " ".join(told)


def _fighting(notes: Sequence[Note]) -> str:
    """Battles, losses, and the battle that goes on."""
    hex = _undecided(notes)
    told = (_outcomes(notes), _losses(notes), f"The battle for {place_name(hex)} goes on." if hex else "")
    return " ".join(filter(None, told))


def _outcomes(notes: Sequence[Note]) -> str:
    """How many battles there were, and how they ended."""
    won = sum(isinstance(note, Won) for note in notes)
    beaten = [note.hex for note in notes if isinstance(note, Repulsed | LandingLost)]
    repulsed = f", repulsed at {some(beaten)}" if beaten else ""
    fights = won + len(beaten)
    return f"{count(fights, 'battle')}, {won} won{repulsed}." if fights else ""


def _losses(notes: Sequence[Note]) -> str:
    """German units eliminated, Allied ones reduced and eliminated."""
    germans = sum(len(note.germans) for note in notes if isinstance(note, Losses))
    dead = [name for note in notes if isinstance(note, Losses) for name in note.eliminated]
    dead += [name for note in notes if isinstance(note, LandingLost) for name in note.names]
    reduced = sum(len(note.reduced) for note in notes if isinstance(note, Losses))
    return sentence(
        f"{count(germans, 'German unit')} eliminated" if germans else "",
        f"{count(reduced, 'Allied division')} reduced" if reduced else "",
        f"{some(dead)} eliminated" if dead else "",
    )


def _undecided(notes: Iterable[Note]) -> Hex:
    """The hex of a battle that a decision has interrupted; "" if there is none."""
    hex = ""
    for note in notes:
        match note:
            case Engaged() | Fired():
                hex = note.hex
            case Won() | Repulsed() | LandingLost() | BreakoutResult():
                hex = ""
    return hex


def _news(notes: tuple[Note, ...]) -> Iterable[str]:
    for note in notes:
        match note:
            case Deployed(group=group):
                yield f"The {NAMES[group]} army group is set up."
            case BreakoutResult(hex=hex, success=success, names=names) if names:
                fate = "back into the pool" if success else "gone for good"
                yield f"Breakout at {place_name(hex)}: {count(len(names), 'German unit')} {fate}."
            case PocketEscaped(names=names):
                yield (
                    f"The Argentan-Falaise Pocket stayed open: {len(names)} divisions have escaped "
                    "into the pool."
                )
            case Garrisoned(hex=hex) if note.name:
                yield f"Fortress {place_name(hex)} is cut off."
            case SupplyDecided(partial=partial):
                yield f"The {NAMES[partial]} army group is only partially supplied from now on."
            case Grounded(names=names):
                yield f"Grounded: {some(list(names))}."
            case Landed(names=names, hex=hex):
                yield f"Airborne landing at {place_name(hex)}: {some(list(names))}."
            case Conceded():
                yield "The Allies have conceded the game."
    if replenishing := [name for note in notes if isinstance(note, Replenishing) for name in note.names]:
        yield f"Replenishing: {some(replenishing)}."
    arrived: dict[Hex, list[str]] = {}
    for note in notes:
        if isinstance(note, Arrived):
            arrived.setdefault(note.hex, []).extend(note.names)
    yield from (f"Arrived at {place_name(hex)}: {some(names)}." for hex, names in arrived.items())


def _standing(seen: RampageView) -> str:
    """The result so far, in a line: what each condition still needs."""
    told = (f"{each.number} {'met' if each.met else _wanting(each)}" for each in seen.conditions)
    return f"{sentence(standing(seen))} Conditions: {'; '.join(told)}."


def standing(seen: RampageView) -> str:
    """The level of victory: as it would be now, or as it is."""
    return report.level(seen, seen.level)


def _wanting(condition: Condition) -> str:
    if condition.any_of:
        return "lacks a city"
    return f"lacks {count(len(condition.missing), 'hex', 'hexes')}"
