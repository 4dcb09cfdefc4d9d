"""What a letter shows of a view: the map with the counters of both sides, the moves,
the fire and the assaults of the last phases, and what happened in a few plain lines."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from pbem.engine.board import Board, Border, Counter, Mark, Size
from pbem.engine.game import View
from pbem.engine.notes import Note
from pbem.engine.wording import count, sentence, some
from pbem.games.falaise.notes import (
    Airstrikes,
    Arrived,
    Assaulted,
    Bombarded,
    Controlled,
    CounterattackDeclared,
    Deployed,
    DisruptedBy,
    Drawn,
    Eliminated,
    Exited,
    FinalCount,
    FriendlyFire,
    Moved,
    OpFired,
    ParisTried,
    PutBack,
    Redeployed,
    ReliefTried,
    StepLost,
    SurrenderTried,
    Withheld,
    ZoneTriggered,
)
from pbem.games.falaise.setup import SECTORS
from pbem.games.falaise.tables import ARGENTAN, COMMAND_NAMES, GERMAN_EXIT, MAP, UNITS, Hex, place_name
from pbem.games.falaise.view import FalaiseView, SeenUnit
from pbem.wargame import report

COLOURS = {
    "ss": "ss",
    "wehrmacht": "german",
    "luftwaffe": "luftwaffe",
    "british": "uk",
    "canadian": "canadian",
    "polish": "polish",
    "us": "us",
    "french": "french",
}
"""Nation -> palette of its counters."""
SIZES: dict[str, Size] = {
    "company": "company",
    "battalion": "battalion",
    "regiment": "regiment",
    "brigade": "brigade",
    "kampfgruppe": "battalion",
    "task force": "battalion",
}
"""5.3 What the sign above the symbol shows: Kampfgruppen and Task Forces count as battalions."""
LEGEND = {
    "german": "German",
    "ss": "SS",
    "luftwaffe": "Paratroops",
    "uk": "British",
    "canadian": "Canadian",
    "polish": "Polish",
    "us": "US",
    "french": "French",
}
"""Palette keys with what they stand for, in the order of the legend."""
SIGNS = {
    "figures": "combat factor and rating",
    "dimmed": "finished for this turn",
    "unsupplied": "cut off",
    "target": "bombarded, with how often",
    "exit": "the way out for the Germans",
}
"""What signs on the map mean in this game."""

# --- the board ------------------------------------------------------------------------------------------


def board(seen: View, notes: tuple[Note, ...]) -> Board:
    """The map as the reader of the view sees it, with the moves, fire and assaults of these notes."""
    assert isinstance(seen, FalaiseView)
    drawn = report.compose(
        seen,
        MAP,
        "The Pocket at Falaise",
        _counters(seen),
        notes,
        standing=standing(seen),
        names=LEGEND,
        signs=SIGNS,
        marks=(*_places(seen), *_bombed(report.readable(seen, notes))),
        borders=(
            *(Border(pair, "neutral", "boundary", "front line") for pair in seen.front),
            *(Border(pair, "german", "boundary", "withdrawal line") for pair in seen.withdrawal),
        ),
    )
    return replace(drawn, focus=tuple(dict.fromkeys((*drawn.focus, *_goals(seen)))))


def _goals(seen: FalaiseView) -> Iterable[Hex]:
    """Where the reader's units may be set up (3.1), and the way out: the map shows these besides the
    units."""
    for each in seen.to_place:
        for id in each.units:
            yield from SECTORS.get(UNITS[id].division, ())
    yield from (GERMAN_EXIT, ARGENTAN)


def _counters(seen: FalaiseView) -> Iterable[Counter]:
    """On top of a stack are the units that can still act, then the strongest."""
    there = [unit for unit in seen.units if unit.hex]
    for unit in sorted(there, key=lambda unit: (unit.hex, unit.finished, -unit.strength, unit.id)):
        yield _counter(unit)


def _counter(unit: SeenUnit) -> Counter:
    """Combat factor and rating; disrupted ones carry a D, cut off ones the sign for want of supply,
    finished ones are dimmed."""
    return Counter(
        hex=unit.hex or "",
        colours=COLOURS[unit.nation],
        figures=f"{unit.strength}-{unit.ter}",
        name=unit.id,
        symbol=unit.symbol,
        size=SIZES[unit.size],
        disrupted=unit.disrupted,
        unsupplied=unit.cut_off,
        dimmed=unit.finished,
        unit=unit.id,
    )


def _places(seen: FalaiseView) -> Iterable[Mark]:
    """The side that holds Argentan (3.4), and where the Germans leave the pocket (6.5)."""
    yield Mark(ARGENTAN, "control", colours=seen.argentan)
    yield Mark(GERMAN_EXIT, "exit", colours="german")


def _bombed(notes: Iterable[Note]) -> Iterable[Mark]:
    """8.1 The hexes that were bombarded, with how often."""
    times: dict[Hex, int] = {}
    for note in notes:
        if isinstance(note, Bombarded):
            times[note.hex] = times.get(note.hex, 0) + 1
    for hex, number in times.items():
        yield Mark(hex, "target", str(number) if number > 1 else "")


# --- the summary ----------------------------------------------------------------------------------------


def summary(seen: View, notes: tuple[Note, ...]) -> tuple[str, ...]:
    """What happened, in two or three plain lines: commands and moves, fighting and losses, what else matters,
    and the result so far."""
    assert isinstance(seen, FalaiseView)
    notes = report.readable(seen, notes)
    lines = [_activity(notes), _fighting(notes), *_news(notes)]
    return report.summary(lines, sentence(standing(seen)))


def story(seen: View, notes: tuple[Note, ...]) -> tuple[str, ...]:
    """What a turn or several come to, in sentences, the most important first."""
    assert isinstance(seen, FalaiseView)
    notes = report.readable(seen, notes)
    score = f"Allied points {seen.points}." if seen.phase else ""
    hardest = report.hardest(notes, place_name)
    return report.told(
        _lost(notes), score, hardest, *_news(notes), _fights(notes), _losses(notes, disrupted=False)
    )


def _lost(notes: Iterable[Note]) -> str:
    """How many units each side has lost."""
    dead = [note for note in notes if isinstance(note, Eliminated)]
    germans = sum(UNITS[note.unit].side == "german" for note in dead)
    cut_off = sum(note.cut_off for note in dead)
    told = [f"German {count(germans, 'unit')}" + f" ({cut_off} cut off)" * bool(cut_off)] if germans else []
    told += [f"Allied {count(len(dead) - germans, 'unit')}"] if len(dead) > germans else []
    return f"Lost: {'; '.join(told)}." if told else ""


def _activity(notes: Iterable[Note]) -> str:
    """Whose markers were drawn, and how many units moved."""
    notes = list(notes)
    commands: list[str] = []
    back: list[str] = []
    for note in notes:
        match note:
            case Drawn(command=command):
                commands.append(command)
            case PutBack(command=command) if command in commands:
                commands.remove(command)
            case PutBack(command=command):
                back.append(command)
    moved = {name for note in notes if isinstance(note, Moved) for name in note.names}
    told = [f"Drawn: {some(commands)}"] if commands else []
    told += [f"back in the cup: {some(back)}"] if back else []
    told += [f"{count(len(moved), 'unit')} moved"] if moved else []
    return sentence(*told)


def _fighting(notes: Iterable[Note]) -> str:
    """Bombardments, fire, assaults, and what they cost."""
    notes = list(notes)
    return " ".join(line for line in (_fights(notes), _losses(notes)) if line)


def _fights(notes: Sequence[Note]) -> str:
    """Assaults, fire and bombardments."""
    fights = [note for note in notes if isinstance(note, Assaulted)]
    fire = [note for note in notes if isinstance(note, OpFired)]
    bombed = [note for note in notes if isinstance(note, Bombarded)]
    told = [count(len(fights), "assault")] if fights else []
    told += (
        [f"{count(len(fire), 'op-fire')} ({sum(each.effect != 'none' for each in fire)} with effect)"]
        if fire
        else []
    )
    told += [count(len(bombed), "bombardment")] if bombed else []
    return sentence(", ".join(told))


def _losses(notes: Iterable[Note], *, disrupted: bool = True) -> str:
    """Units eliminated and reduced, and `disrupted` ones."""
    dead: dict[str, list[str]] = {"german": [], "allied": []}
    cut_off = reduced = 0
    shaken: dict[str, None] = {}
    for note in notes:
        match note:
            case Eliminated(unit=unit):
                dead[UNITS[unit].side].append(unit)
                cut_off += note.cut_off
            case StepLost():
                reduced += 1
            case Bombarded(disrupted=names) | FriendlyFire(disrupted=names) | DisruptedBy(names=names):
                shaken.update(dict.fromkeys(names))
            case OpFired(effect="disrupted", names=names):
                shaken.update(dict.fromkeys(names))
    told = []
    if dead["german"]:
        told.append(f"Germans eliminated: {some(dead['german'])} ({cut_off} of them cut off)")
    if dead["allied"]:
        told.append(f"Allies eliminated: {some(dead['allied'])}")
    if reduced:
        told.append(count(reduced, "unit") + " reduced")
    if shaken and disrupted:
        told.append(f"disrupted: {some(list(shaken))}")
    return sentence(*told)


def _news(notes: Sequence[Note]) -> Iterable[str]:
    """What else matters, each in a line."""
    exited: list[str] = []
    for note in notes:
        match note:
            case Deployed(side=side):
                yield f"The {side.capitalize() if side == 'german' else 'Allied'} side is set up."
            case Redeployed(moved=moved) if moved:
                yield (
                    f"{count(len(moved), 'German unit')} redeployed: {some([name for name, _, _ in moved])}."
                )
            case CounterattackDeclared(command=command):
                yield f"The Germans counterattack with the {COMMAND_NAMES[command]}."
            case Airstrikes(number=number):
                yield f"{count(number, 'airstrike')} this turn."
            case ReliefTried(done=True):
                yield "The commander of the Canadian 4th Armoured Division has been replaced."
            case ParisTried(outcome="gone"):
                yield "The French division has left for Paris."
            case ZoneTriggered():
                yield "The 86th Corps has been called up."
            case Arrived(names=names, hex=hex):
                yield f"Arrived at {place_name(hex)}: {some(names)}."
            case Controlled(side=side):
                yield f"Argentan is {'German again' if side == 'german' else 'in Allied hands'}."
            case Exited(names=names):
                exited += names
            case FinalCount(allied=allied, result=result):
                yield f"Allied points {allied}, result {result:+d}."
    if withheld := next((note.number for note in notes if isinstance(note, Withheld)), 0):
        yield f"{count(withheld, 'German unit')} withheld as unknown forces."
    if exited:
        yield f"Left the map by the south edge: {some(exited)}."
    if surrendered := [note.unit for note in notes if isinstance(note, SurrenderTried) and note.surrendered]:
        yield f"Surrendered: {some(surrendered)}."


def standing(seen: FalaiseView) -> str:
    """The Allied points, and the level of victory that they would give now."""
    if not seen.phase:
        return f"the game is over: {seen.level}"
    germans = [unit for unit in seen.units if unit.side == "german" and unit.place == "map"]
    shut = sum(unit.cut_off for unit in germans)
    told = f"; {shut} of {count(len(germans), 'German unit')} cut off" if germans else ""
    return f"Allied points {seen.points}; if the game ended now: {seen.level}{told}"
