"""What a seat may know, built up from nothing. Both players see every counter on the map with all its marks,
the cup and the points; what stays untold is which German units wait as unknown forces (3.1):
the Allied player reads how many there are.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Literal

from pbem.engine.board import Symbol
from pbem.engine.game import Part, View
from pbem.engine.language import Called, Roster, RosterUnit, Vocabulary
from pbem.engine.notes import UMPIRE
from pbem.games.falaise import attaching, communication, ratings, setup, victory, zone86
from pbem.games.falaise.activation import FIRST_GERMANS, LAST_58TH, TRAFFIC
from pbem.games.falaise.command import INITIATIVE_TURNS
from pbem.games.falaise.sequence import PHASES
from pbem.games.falaise.state import OTHER, Place, State, Unit
from pbem.games.falaise.tables import (
    ALLIED_COMMANDS,
    CHARTS,
    COMMAND_NAMES,
    GERMAN_COMMANDS,
    MAP,
    UNITS,
    Hex,
    Nation,
    Side,
    is_day,
)

ARRIVES: Mapping[Side, str] = {
    "german": "when the marker of the 86th Corps is drawn [11.4]",
    "allied": "from turn 5 on, with a unit of the 80th Division [11.5]",
}
"""What brings the units of a side that are not on the map at the start."""
Size = Literal["company", "battalion", "regiment", "brigade", "kampfgruppe", "task force"]
Standing = Literal["cup", "drawn", "acting", "activated", "chosen", "held back", "away"]
"""Where a command marker is: in the cup; drawn, while the 58th Corps may still take its place (11.2);
its action round is played; activated this turn; chosen for the counterattack; held back until the German
initiative is over (11.10); not in the game now (11.2, 11.4)."""


class SeenUnit(Part):
    """A combat unit. `ter` is its rating now, 0 for none or unknown; `mine` whether the reader commands it;
    `cut_off` whether it has no line of communication (6.5), told of every unit on the map since everybody
    can see where the others stand."""

    id: str
    name: str
    side: Side
    nation: Nation
    command: str
    """The command that activates it now, "" for none."""
    attached: bool
    division: str
    symbol: Symbol
    type: Literal["armour", "mech", "leg"]
    """2.2 Armour is mechanised, and may not use the Trun bridge (7.2.1)."""
    size: Size
    strength: int
    ter: int
    steps: int
    printed_steps: int
    hex: Hex | None
    place: Place
    disrupted: bool
    finished: bool
    cut_off: bool
    mine: bool


class Command(Part):
    """A command marker (2.2): where it is, and how many units it would activate now."""

    key: str
    name: str
    side: Side
    standing: Standing
    units: int


class Point(Part):
    """A line of the ledger of victory points (3.2)."""

    turn: int
    what: str
    points: int
    case: str
    unit: str


class ToPlace(Part):
    """Units of the reader's that are still to be set up, and where they may be, in words (3.1)."""

    where: str
    units: tuple[str, ...]


class Unknown(Part):
    """The German Unknown Forces (3.1): how many there are, and which, for those who may know."""

    number: int
    names: tuple[str, ...]


class FalaiseView(View):
    """Everything that a seat may know of a game of The Pocket at Falaise."""

    label: str
    """The day of the turn, and whether it is by day or by night."""
    day: bool
    units: tuple[SeenUnit, ...]
    """Every unit on the map, and every one off it but the unknown forces."""
    unknown: Unknown
    to_place: tuple[ToPlace, ...]
    reinforcements: tuple[str, ...]
    """The reader's units that are not on the map at the start, and have not come yet (11.4, 11.5),
    with what brings them."""
    commands: tuple[Command, ...]
    cup: tuple[str, ...]
    activated: tuple[str, ...]
    """The commands that have had their action round this turn, in order, the acting one among them."""
    active: str
    allowance: int
    """Movement points of the acting command (7.1.1); 0 before its die has been rolled."""
    attachments: int
    """How many units the Germans may still attach this turn (11.1)."""
    points: int
    ledger: tuple[Point, ...]
    argentan: Side
    argentan_fell: bool
    rating_80: int
    """11.8; 0 before it has been rolled."""
    rating_4th: int
    """11.6 The printed rating of the Canadian 4th Armoured, raised once its commander is replaced."""
    airstrikes: int
    counterattack: int
    counter_command: str
    zone_86: str
    zone_open: bool
    """11.4 Germans may enter the 86th Corps Zone."""
    boundary: bool
    """13.3 In a solitaire game: the system's side may cross the boundary of that zone."""
    withdrawal: tuple[tuple[Hex, Hex], ...]
    front: tuple[tuple[Hex, Hex], ...]
    solitaire: bool
    level: str
    """The result if the game ended now."""
    figures: tuple[tuple[str, str, str], ...]
    notes: tuple[str, ...]


def view(state: State, seat: str) -> FalaiseView:
    """What `seat` ("german", "allied" or "umpire") may know now; when the game is over, everything."""
    result = victory.result(state)
    cut_off = {unit.id for side in OTHER for unit in communication.cut_off(state, side)}
    return FalaiseView(
        game="falaise",
        seat=seat,
        turn=state.turn,
        phase=state.phase,
        title=title(state),
        label=label(state.turn),
        day=is_day(state.turn),
        units=tuple(
            seen_unit(state, unit, seat, unit.id in cut_off)
            for unit in state.units.values()
            if unit.place != "unknown"
        ),
        unknown=unknown(state, told=seat in ("german", UMPIRE) or not state.phase),
        to_place=tuple(to_place(state, seat)),
        reinforcements=tuple(
            f"{', '.join(units)}, {ARRIVES[side]}"
            for side in ("german", "allied")
            if seat in (side, UMPIRE) and (units := [u.id for u in state.units.values() if to_come(u, side)])
        ),
        commands=tuple(commands(state)),
        cup=tuple(state.cup),
        activated=tuple(state.activated),
        active=state.active,
        allowance=state.allowance,
        attachments=max(0, attaching.MOST - state.attachments),
        points=state.points,
        ledger=tuple(
            Point(turn=line.turn, what=line.what, points=line.points, case=line.case, unit=line.unit)
            for line in state.ledger
        ),
        argentan=state.argentan,
        argentan_fell=state.argentan_fell,
        rating_80=state.rating_80,
        rating_4th=UNITS["4AB/4C"].ter + (CHARTS.ter.relieved if state.relieved else 0),
        airstrikes=state.airstrikes,
        counterattack=state.counterattack,
        counter_command=state.counter_command,
        zone_86=state.zone_86,
        zone_open=zone86.open_to_germans(state),
        boundary=state.boundary,
        withdrawal=pairs("withdrawal_line"),
        front=pairs("front_line"),
        solitaire=state.solitaire,
        level=result.level,
        figures=result.figures,
        notes=tuple(remarks(state, seat)),
    )


def label(turn: int) -> str:
    """The day of a turn, as the turn track has it (2.1): ``18 August, night``."""
    return CHARTS.turns.labels[min(turn, CHARTS.turns.number) - 1]


def title(state: State) -> str:
    """Turn and phase in words; for an action round also its command."""
    if not state.phase:
        return "The game is over"
    phase = next(phase for phase in PHASES if phase.key == state.phase)
    acting = f": {COMMAND_NAMES[state.active]}" if state.active and state.phase == "activation" else ""
    return f"Turn {state.turn} ({label(state.turn)}), {phase.title}{acting}"


def pairs(kind: str) -> tuple[tuple[Hex, Hex], ...]:
    """The hexsides of a line printed on the map."""
    sides = (key.split("-") for key in MAP.hexsides(kind))
    return tuple((one, other) for one, other in sides)


# --- units and commands ---------------------------------------------------------------------------------


def seen_unit(state: State, unit: Unit, seat: str, cut_off: bool) -> SeenUnit:
    """A unit as `seat` sees it; `cut_off` if it has no line of communication (6.5)."""
    counter, on_map = unit.counter, unit.place == "map"
    return SeenUnit(
        id=unit.id,
        name=counter.name,
        side=counter.side,
        nation=counter.nation,
        command=unit.command,
        attached=bool(unit.attached),
        division=counter.division,
        symbol=counter.symbol,
        type="armour" if counter.armour else "mech" if unit.mech else "leg",
        size=counter.size,
        strength=unit.strength if unit.steps else 0,
        ter=ratings.ter(state, unit) if on_map else ratings.printed(state, unit),
        steps=unit.steps,
        printed_steps=counter.steps,
        hex=unit.hex,
        place=unit.place,
        disrupted=unit.disrupted,
        finished=unit.finished,
        cut_off=cut_off,
        mine=seat in (unit.side, UMPIRE),
    )


def unknown(state: State, told: bool) -> Unknown:
    """3.1 The unknown forces; their names only if `told`."""
    names = tuple(unit.id for unit in state.units.values() if unit.place == "unknown")
    return Unknown(number=len(names), names=names if told else ())


def to_come(unit: Unit, side: Side) -> bool:
    """11.4, 11.5 Whether a unit of a side arrives after set-up and has not come yet."""
    return unit.side == side and unit.place == "later" and unit.counter.later


def to_place(state: State, seat: str) -> Iterable[ToPlace]:
    """3.1 In its set-up a side reads where each of its units may be placed."""
    if seat not in ("german", "allied") or state.phase != f"set_up_{seat}":
        return
    desk = setup.SetUp(state, "german" if seat == "german" else "allied")
    found: dict[str, list[str]] = {}
    for unit in desk.open():
        found.setdefault(setup.in_words(state, desk.where(), unit.id), []).append(unit.id)
    yield from (ToPlace(where=where, units=tuple(units)) for where, units in found.items())


def commands(state: State) -> Iterable[Command]:
    """Every command marker of the game, Germans first."""
    for key in (*GERMAN_COMMANDS, zone86.COMMAND, TRAFFIC, *ALLIED_COMMANDS):
        yield Command(
            key=key,
            name=COMMAND_NAMES[key],
            side="allied" if key in ALLIED_COMMANDS else "german",
            standing=standing(state, key),
            units=len(state.command_of(key)),
        )


def standing(state: State, key: str) -> Standing:
    """Where a command marker is."""
    if key == state.active:
        return "acting"
    if key in state.activated:
        return "activated"
    if key == state.counter_command:
        return "chosen"
    if key in state.held_back:
        return "held back"
    if key == state.drawn:
        return "drawn"
    return "cup" if key in state.cup else "away"


# --- what to remember -------------------------------------------------------------------------------------


def remarks(state: State, seat: str) -> Iterable[str]:
    """What a reader should remember in this phase, in plain words; nothing once the game is over
    or before it has begun."""
    if not state.phase or state.phase.startswith("set_up"):
        return
    if state.turn <= INITIATIVE_TURNS and not (
        state.phase == "activation" and len(state.activated) > FIRST_GERMANS
    ):
        yield "The first two action rounds of the turn are German, the third is Allied [11.10]."
    if state.counter_command:
        yield f"The Germans counterattack with the {COMMAND_NAMES[state.counter_command]} [11.3]."
    if state.french == "waiting":
        yield "The French division may only withdraw from German zones this turn [12.5]."
    if seat != "allied":
        yield from _german_remarks(state)
    if seat != "german":
        yield from _allied_remarks(state)


def _german_remarks(state: State) -> Iterable[str]:
    if state.active and not state.allowance:
        yield (
            "Units are attached and enter before the die for movement points; PAUSE after them, or on its "
            "own, shows you the die before you move [7.0]."
        )
    if state.turn <= LAST_58TH and TRAFFIC not in state.activated:
        yield "The 58th Panzer Corps may take the place of a German command that is drawn [11.2]."
    if not zone86.open_to_germans(state):
        yield "The 86th Corps Zone is closed to you [11.4]."
    cut_off = [unit for unit in communication.cut_off(state, "german") if unit.counter.corps]
    if cut_off:
        yield (
            f"{len(cut_off)} of your units have no line of communication: "
            "each scores a point for the Allies if it is eliminated while cut off [3.3, 6.5]."
        )


def _allied_remarks(state: State) -> Iterable[str]:
    if not state.argentan_fell:
        yield "The 80th Division may not go north of Argentan until you have held the town [11.9]."
    if state.zone_86 == "closed" and not state.solitaire:
        yield (
            "A unit that comes within six hexes of the Dives bridges, or enters its zone, calls up the "
            "86th Corps [11.4]."
        )


# --- roster ---------------------------------------------------------------------------------------------


def roster(state: State, seat: str) -> Roster:
    """The names that a seat may use: its own units, and, for conditions, all the others.
    The names of corps and divisions do not name units (`groups`)."""
    units = (
        RosterUnit(
            unit.id, kind(unit), unit.hex,
            enemy=unit.side != seat, here=unit.place not in GONE, gone=unit.place in GONE,
        )
        for unit in state.units.values()
    )  # fmt: skip
    commanded: dict[str, tuple[str, ...]] = {}
    for unit in state.units.values():
        if unit.side == seat and unit.place not in GONE:
            commanded[unit.command] = (*commanded.get(unit.command, ()), unit.id)
    return VOCABULARY.roster(seat, "" if seat == UMPIRE else seat, units, commanded)


GONE: tuple[Place, ...] = ("dead", "exited", "removed")


def kind(unit: Unit) -> str:
    """What is printed on a counter: combat factor and rating, ``3-4``."""
    return f"{unit.counter.strength[0]}-{unit.counter.ter or '?'}"


def _groups() -> dict[str, tuple[str, ...]]:
    """What may be meant by the name of a corps or of a division, in words:
    several things where the two share it."""
    found: dict[str, list[str]] = {}
    for key, name in COMMAND_NAMES.items():
        found.setdefault(key, []).append(f"the {name}")
    for division in dict.fromkeys(counter.division for counter in UNITS.values() if counter.division):
        members = [counter.id for counter in UNITS.values() if counter.division == division]
        found.setdefault(division, []).append(f"the {division} Division ({', '.join(members)})")
    return {key: tuple(names) for key, names in found.items() if key not in UNITS}


GROUPS = _groups()
"""Names of corps and divisions -> what they may mean. The two share some,
so ``84`` on its own is asked back."""

POLES = ", ".join(counter.id for counter in UNITS.values() if counter.corps == "Pol")
DIVISIONS: Mapping[str, Mapping[str, str]] = {
    "allied": {
        "43": "43rd British Infantry Division Wessex",
        "50": "50th British Infantry Division Northumbrian",
        "53": "53rd British Infantry Division Welsh",
        "59": "59th British Infantry Division Staffordshire",
        "4AB": "4th British Armoured Brigade",
        "11A": "11th British Armoured Division",
        "2C": "2nd Canadian Infantry Division",
        "3C": "3rd Canadian Infantry Division",
        "4C": "4th Canadian Armoured Division",
        "2AB": "2nd Canadian Armoured Brigade",
        "1": "1st US Infantry Division Big Red One",
        "9": "9th US Infantry Division",
        "90": "90th US Infantry Division",
        "80": "80th US Infantry Division",
        "3A": "3rd US Armoured Division Spearhead",
        "2DB": "2nd French Armoured Division 2DB 2e Leclerc DB: Dio, Langlade, Billotte",
        "poles": f"the Poles 1st Polish Armoured Division: {POLES}",
    },
    "german": {
        "1SS": "1st SS Panzer Division Leibstandarte LAH",
        "2SS": "2nd SS Panzer Division Das Reich",
        "9SS": "9th SS Panzer Division Hohenstaufen",
        "10SS": "10th SS Panzer Division Frundsberg",
        "12SS": "12th SS Panzer Division Hitlerjugend HJ",
        "17SS": "17th SS Panzergrenadier Division",
        "2Pz": "2nd Panzer Division",
        "9Pz": "9th Panzer Division",
        "21Pz": "21st Panzer Division",
        "116Pz": "116th Panzer Division Windhund",
        "Lehr": "Panzer Lehr Division",
        "3FJ": "3rd Parachute Division",
        "5FJ": "5th Parachute Division",
    }
    | {
        number: f"{number} Infantry Division Infanterie"
        for number in "85 89 271 277 276 326 353 363 84 275 243 708 272".split()
    },
}
"""What the divisions and brigades are called whose regiments are the units."""

VOCABULARY = Vocabulary(
    {each.id: Called(each.side, "", each.name) for each in UNITS.values()},
    MAP,
    GROUPS,
    formations=DIVISIONS,
)
