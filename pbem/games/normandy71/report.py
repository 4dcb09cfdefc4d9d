"""What a letter shows of a view: the map to draw, with the moves and battles of the last phase,
and what happened in a few plain lines."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from pbem.engine.board import Board, Counter, Mark, Symbol
from pbem.engine.game import View
from pbem.engine.notes import UMPIRE, Note
from pbem.engine.wording import count, some
from pbem.games.normandy71 import victory
from pbem.games.normandy71.notes import (
    Announced,
    Attacked,
    BeachLost,
    Deployed,
    DieCast,
    Drawn,
    Dropped,
    Dug,
    Entered,
    Exited,
    InSupplyNow,
    Landed,
    Lost,
    Moved,
    Retreated,
)
from pbem.games.normandy71.state import SIDES
from pbem.games.normandy71.tables import BEACHES, EXITS, MAP
from pbem.games.normandy71.view import Normandy71View
from pbem.wargame import report

SYMBOLS: dict[str, Symbol] = {
    "infantry": "infantry",
    "motorised infantry": "motorised",
    "bicycle infantry": "bicycle",
    "paratroop": "parachute",
    "glider": "glider",
    "commando": "commando",
    "armour": "armour",
    "reconnaissance": "reconnaissance",
    "flak": "flak",
}
NATIONS = {"US": "us", "UK": "uk", "CA": "canadian"}

LEGEND = {
    "us": "American",
    "uk": "British",
    "canadian": "Canadian",
    "allied": "Allied",
    "german": "German",
}
"""Palette keys with what they stand for, in the order of the legend."""
SIGNS = {
    "figures": "strength and movement",
    "dimmed": "an empty trench",
    "inverted": "inverted, without room on land",
    "supply": "supply area, with the number of its beach",
    "objective": "a city that no side has passed through",
    "control": "a city, and who passed through it last",
    "exit": "a way off the map that counts points",
}
"""What signs on the map mean in this game."""

# --- the board ------------------------------------------------------------------------------------------


def board(seen: View, notes: tuple[Note, ...]) -> Board:
    """The map as the reader of the view sees it, with the moves and battles of these notes."""
    assert isinstance(seen, Normandy71View)
    drawn = report.compose(
        seen,
        MAP,
        "Normandy",
        (*_own_counters(seen), *_enemy_counters(seen)),
        notes,
        standing=f"as the {seen.seat.capitalize()} player may know it",
        names=LEGEND,
        signs=SIGNS,
        marks=_marks(seen),
    )
    focus = [hex for arrow in drawn.arrows for hex in arrow.path] + [battle.hex for battle in drawn.battles]
    focus += [hex for battle in drawn.battles for hex in battle.attackers]
    notes = report.readable(seen, notes)
    focus += [note.hex for note in notes if isinstance(note, Landed | Lost) and note.hex]
    return replace(drawn, focus=tuple(dict.fromkeys(focus)) or tuple(sorted(drawn.focus)))


def _colours(side: str, nation: str) -> str:
    return "german" if side == "german" else NATIONS.get(nation, "allied")


def _own_counters(seen: Normandy71View) -> Iterable[Counter]:
    for unit in seen.units:
        if unit.hex is None or unit.place != "map":
            continue
        yield Counter(
            hex=unit.hex,
            colours=_colours(unit.side, unit.nation),
            figures=unit.kind,
            name=unit.id,
            symbol=SYMBOLS.get(unit.type, "none"),
            size=unit.size,
            entrenched=unit.entrenched,
            inverted=unit.inverted,
            unsupplied=not unit.supplied,
            unit=unit.id,
        )


def _enemy_counters(seen: Normandy71View) -> Iterable[Counter]:
    own = {unit.hex for unit in seen.units if unit.place == "map"}
    shown = {stack.hex for stack in seen.seen}
    for stack in seen.seen:
        if stack.hidden:
            yield Counter(hex=stack.hex, colours=_colours(stack.side, ""), entrenched=True, hidden=True)
        for unit in stack.units:
            yield Counter(
                hex=stack.hex,
                colours=_colours(stack.side, unit.nation),
                figures=unit.kind,
                name=unit.name if stack.side == "allied" else "",
                symbol=SYMBOLS.get(unit.type, "none"),
                size=unit.size,
                inverted=unit.inverted,
                unit=unit.name if stack.side == "allied" else "",
            )
    for trench in seen.trenches:
        if trench.hex not in own | shown:
            yield Counter(
                hex=trench.hex,
                colours=_colours(trench.side, ""),
                figures="empty",
                entrenched=True,
                dimmed=True,
            )


def _marks(seen: Normandy71View) -> Iterable[Mark]:
    for area in seen.supply_areas:
        if area.alive:
            yield Mark(area.hex, "supply", area.beach.split()[0], "allied")
    mine = {area.hex for area in seen.supply_areas if area.alive}
    for name, hex in BEACHES.items():
        if hex not in mine:
            yield Mark(hex, "beach", name.split()[0])
    for hex in EXITS:
        yield Mark(hex, "exit")
    for hex in victory.CITY_HEXES:
        yield Mark(hex, "control" if hex in seen.passed else "objective", colours=seen.passed.get(hex, ""))


# --- the summary ----------------------------------------------------------------------------------------


def summary(seen: View, notes: tuple[Note, ...]) -> tuple[str, ...]:
    """What happened, in two or three plain lines: battles and losses, movement, what else matters."""
    told = _told(seen, notes)
    return report.summary([_fighting(told), _moving(told), *_news(told)])


def story(seen: View, notes: tuple[Note, ...]) -> tuple[str, ...]:
    """What a turn or several come to, in sentences, the most important first."""
    notes = _told(seen, notes)
    tally = report.Words({side: side.capitalize() for side in SIDES}, MAP.called).tally(notes)
    hardest = report.hardest(notes, MAP.called)
    return report.told(tally, hardest, _losses(notes), *_news(notes), _battles(notes), _moving(notes))


def _told(seen: View, notes: Iterable[Note]) -> tuple[Note, ...]:
    """The notes that the reader of a view may read; of those that each side has, the umpire gets one."""
    return tuple(
        note
        for note in report.readable(seen, notes)
        if seen.seat != UMPIRE or not note.readers or "german" in note.readers
    )


def _fighting(notes: Sequence[Note]) -> str:
    battles, losses = _battles(notes), _losses(notes)
    return " ".join(filter(None, (battles, losses or ("No unit was lost." if battles else ""))))


def _battles(notes: Iterable[Note]) -> str:
    """How many battles there were, and where."""
    fights = [note for note in notes if isinstance(note, Attacked)]
    places = ", ".join(dict.fromkeys(MAP.called(hex) for note in fights for hex in note.hexes))
    return f"{count(len(fights), 'battle')} at {places}." if fights else ""


def _losses(notes: Iterable[Note]) -> str:
    """The units that each side has lost."""
    lost = [note for note in notes if isinstance(note, Lost)]
    sides = [(side, [note.name for note in lost if note.side == side]) for side in SIDES]
    return " ".join(f"{side.capitalize()} losses: {some(names)}." for side, names in sides if names)


def _moving(notes: Sequence[Note]) -> str:
    told = []
    for side in SIDES:
        moved = sum(len(note.names) for note in notes if isinstance(note, Moved) and note.side == side)
        came = sum(
            len(note.names) for note in notes if isinstance(note, Landed | Entered) and note.side == side
        )
        left = sum(len(note.names) for note in notes if isinstance(note, Exited) and note.side == side)
        parts = [
            f"{count(number, 'unit')} {verb}"
            for number, verb in ((moved, "moved"), (came, "arrived"), (left, "left the map"))
            if number
        ]
        if parts:
            told.append(f"{side.capitalize()}: {', '.join(parts)}.")
    return " ".join(told)


def _news(notes: Sequence[Note]) -> Iterable[str]:
    if any(isinstance(note, Drawn | DieCast) for note in notes):
        yield "The game begins: both sides deploy in secret."
    if ready := [note.side.capitalize() for note in notes if isinstance(note, Deployed)]:
        yield f"{' and '.join(ready)} deployment is complete."
    drops = [note for note in notes if isinstance(note, Dropped)]
    if drops:
        dead = sum(note.landed is None for note in drops)
        scattered = sum(note.scatter > 0 and note.landed is not None for note in drops)
        yield f"{count(len(drops), 'paratroop unit')} dropped: {scattered} scattered, {dead} lost."
    if not any(isinstance(note, Attacked) for note in notes) and (
        back := [note for note in notes if isinstance(note, Retreated)]
    ):
        yield f"{count(len(back), 'unit')} retreated to {some([MAP.called(note.path[-1]) for note in back])}."
    dug = [note for note in notes if isinstance(note, Dug)]
    if dug:
        yield f"{sum(note.success for note in dug)} of {count(len(dug), 'unit')} dug in."
    for note in notes:
        if isinstance(note, BeachLost):
            yield f"The supply area at {note.beach} is lost for good."
    if supplied := [note.name for note in notes if isinstance(note, InSupplyNow)]:
        yield f"{some(supplied)} can trace supply now."
    for side in SIDES:
        if diggers := [
            name for note in notes if isinstance(note, Announced) and note.side == side for name in note.names
        ]:
            yield f"{side.capitalize()}: {some(diggers)} will dig in."
