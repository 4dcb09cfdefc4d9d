"""What a seat may know, built up from nothing. Map, points, chits and arrivals lie open to both sides;
what a side has committed for the next turn is its own until it turns into chits (2.0.8),
and so is what that leaves of its supply.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from pbem.engine.game import Part, View
from pbem.engine.language import Called, Roster, RosterUnit, Vocabulary
from pbem.engine.notes import UMPIRE
from pbem.engine.wording import count, some
from pbem.games.france44 import (
    airborne,
    combat,
    command,
    crossing,
    idioms,
    replacement,
    victory,
    zones,
)
from pbem.games.france44.commanded import Commanded
from pbem.games.france44.notes import (
    Activated,
    AdministrativeChosen,
    Attacked,
    BoxEntered,
    ChitDrawn,
    Moved,
    PieceActivated,
)
from pbem.games.france44.sequence import PHASES
from pbem.games.france44.state import ADMINISTRATIVE, ENEMY, SIDES, Place, State, Unit
from pbem.games.france44.supply import Supply
from pbem.games.france44.tables import (
    CHARTS,
    GRID,
    LAND,
    MAP,
    NAMES,
    OPEN_GROUND,
    RHINE_BRIDGES,
    SCENARIOS,
    SETUP,
    SOUTH,
    TURNS,
    UNITS,
    Hex,
    Nation,
    Side,
    place_name,
)

HERE = ("map", "due", "fresh")
"""Where pieces are that can act this turn."""
AHEAD = 2
"""How many turns ahead arrivals are shown."""
DEAD: tuple[Place, ...] = ("eliminated", "fresh", "gone")
ENTRIES = {
    "normandy": "Normandy",
    "german city": "a German city",
    "south": "the south",
    "airborne": "the airborne box",
}


class SeenUnit(Part):
    """A counter of either side: strengths, morale and steps as they are now, of a headquarters range and
    capacities. `supplied` is how its supply would be judged now; `unsupplied` says that it carries a marker.
    `state` holds in a word or two what a player should know of it."""

    id: str
    name: str
    side: Side
    nation: Nation
    kind: str
    size: str
    hq: bool
    set_piece: int
    mobile: int
    morale: int
    allowance: int
    range: int
    armour: int
    infantry: int
    steps: int
    printed_steps: int
    hex: Hex | None
    place: Place
    back: int
    unsupplied: bool
    supplied: bool
    green: bool
    mine: bool
    state: tuple[str, ...]


class Post(Part):
    """A headquarters on the map (4): who feeds it, along which hexes from there, which hexes it reaches
    and whom it could command."""

    id: str
    side: Side
    hex: Hex
    supplied: bool
    source: str
    """The hex of the source, or the headquarters whose command range it stands in; "" without supply."""
    line: tuple[Hex, ...]
    reach: tuple[Hex, ...]
    units: tuple[str, ...]
    one_of: tuple[str, ...]
    """4.5 Those of them of whom it could command only one: Americans, by a British headquarters."""


class Bridges(Part):
    """12.7 The bridges over a hexside of the Rhine: printed ones, those that stand,
    and whether they have been tried."""

    hexes: tuple[Hex, Hex]
    printed: int
    standing: int
    tried: bool


class Coming(Part):
    """Who comes on a turn, and where (1.4, 10.1.3 to 10.1.6)."""

    turn: int
    month: str
    side: Side
    where: str
    units: tuple[str, ...]


class France44View(View):
    """Everything that a seat may know of a game of France 1944."""

    scenario: str
    month: str
    last_turn: int
    units: tuple[SeenUnit, ...]
    supply: dict[str, int]
    """2.0.4 Supply points; of the other side with those that it has just committed."""
    committed: dict[str, int]
    """2.0.8 Committed for the next turn, of the reader's side alone."""
    reaction: dict[str, int]
    cup: dict[str, int]
    """2.0.9 Chits in the cup: allied, german, administrative."""
    air: bool
    tacticals: int
    """9.2 Tactical air markers for ground support this turn."""
    heavies: int
    interdicting: int
    replacements: dict[str, dict[str, int]]
    """10.1.2 Replacement points of this turn: us, allied and german, each by armour and infantry."""
    posts: tuple[Post, ...]
    """The headquarters of the reader's side."""
    sources: dict[str, tuple[Hex, ...]]
    """11.2 Sources of supply of each side, without the southern row."""
    bridges: tuple[Bridges, ...]
    bridgeheads: tuple[Hex, ...]
    rhine_crossed: int
    drop: Hex | None
    coming: tuple[Coming, ...]
    entry: str
    """10.1 What letters say of those who are due: that they may come in in this turn's administrative phase,
    or wait for the next one; "" if no other comes."""
    control: dict[Hex, Side]
    advantage: str
    advantage_from: int
    level: str
    """The result, were the game to end now."""
    figures: tuple[tuple[str, str, str], ...]
    notes: tuple[str, ...]


def view(state: State, seat: str) -> France44View:
    """What `seat` ("allied", "german" or "umpire") may know now."""
    result = victory.result(state)
    fed = {side: Supply(state, side) for side in SIDES}
    return France44View(
        game="france44",
        seat=seat,
        turn=state.turn,
        phase=state.phase,
        title=title(state),
        scenario=state.scenario,
        month=month(state.turn),
        last_turn=SCENARIOS.of(state.scenario).last_turn,
        units=tuple(seen_unit(unit, seat, fed[unit.side]) for unit in state.units.values()),
        supply={side: _supply_points(state, seat, side) for side in SIDES},
        committed={side: state.committed.get(side, 0) for side in SIDES if _own(seat, side)},
        reaction={side: state.reaction.get(side, 0) for side in SIDES},
        cup={chit: state.cup.count(chit) for chit in (*SIDES, ADMINISTRATIVE) if chit in state.cup},
        air=state.air,
        tacticals=combat.tacticals(state),
        heavies=state.heavies,
        interdicting=state.interdicting,
        replacements=replacements(state),
        posts=tuple(post for side in SIDES if _own(seat, side) for post in posts(state, fed[side])),
        sources={side: GRID.named(fed[side].sources & ~SOUTH) for side in SIDES},
        bridges=tuple(bridges(state)),
        bridgeheads=tuple(state.bridgeheads),
        rhine_crossed=state.rhine_crossed,
        drop=state.drop,
        coming=tuple(coming(state)),
        entry=entry(state),
        control=dict(state.control),
        advantage=state.advantage,
        advantage_from=state.advantage_from,
        level=result.level,
        figures=result.figures,
        notes=tuple(remarks(state, seat, fed)),
    )


def month(turn: int) -> str:
    """The month of a turn: ``July 1944``."""
    return TURNS[min(max(turn, 1), len(TURNS))].month


def title(state: State) -> str:
    """Turn, month and phase in words; of the chits which one is played."""
    if not state.phase:
        return "The game is over"
    phase = next(phase for phase in PHASES if phase.key == state.phase)
    return (
        f"Turn {state.turn} ({month(state.turn)}), {_drawn(state) if state.phase == 'cycle' else phase.title}"
    )


def _drawn(state: State) -> str:
    """2.0.9, 12.5 The chit that is played in this round, as far as one has been drawn."""
    chit = next((note.chit for note in state.log if isinstance(note, ChitDrawn)), "")
    if chit == ADMINISTRATIVE:
        return "administrative phase"
    if chit:
        return f"{NAMES[chit]} chit"
    return "German offensive" if state.bulge or state.chit else "chits"


# --- supply points (2.0.8) --------------------------------------------------------------------------------


def _own(seat: str, side: Side) -> bool:
    return seat in (side, UMPIRE)


def _supply_points(state: State, seat: str, side: Side) -> int:
    """2.0.8 The supply points of a side; for the other one those that it has just committed count in,
    since the other side has not seen them."""
    left = state.supply.get(side, 0)
    return left if _own(seat, side) else left + state.committed.get(side, 0)


# --- units ------------------------------------------------------------------------------------------------


def seen_unit(unit: Unit, seat: str, fed: Supply) -> SeenUnit:
    """A counter as it is now."""
    fighting = None if unit.hq else unit.counter
    staff = unit.headquarters if unit.hq else None
    alive = unit.place not in DEAD
    return SeenUnit(
        id=unit.id,
        name=unit.piece.name,
        side=unit.side,
        nation=unit.nation,
        kind=fighting.kind if fighting else "headquarters",
        size=fighting.size if fighting else "army",
        hq=unit.hq,
        set_piece=unit.strength(False) if fighting and alive else 0,
        mobile=unit.strength(True) if fighting and alive else 0,
        morale=unit.morale if fighting else 0,
        allowance=unit.piece.allowance,
        range=staff.range if staff else 0,
        armour=staff.armour if staff else 0,
        infantry=staff.infantry if staff else 0,
        steps=unit.left if fighting and alive else 0,
        printed_steps=len(fighting.steps) if fighting else 0,
        hex=unit.hex,
        place=unit.place,
        back=unit.back,
        unsupplied=unit.unsupplied,
        supplied=unit.place == "map" and fed.has(unit),
        green=unit.green,
        mine=_own(seat, unit.side),
        state=tuple(condition(unit)),
    )


def condition(unit: Unit) -> Iterable[str]:
    """What a player should know before he gives the unit an order."""
    if not unit.hq and unit.cadre and unit.place not in DEAD:
        yield "cadre"
    if unit.unsupplied:
        yield "out of supply marker"
    if unit.green:
        yield "untried"
    if unit.rebuilt:
        yield "rebuilt"
    if unit.place == "track":
        yield f"back on turn {unit.back}"


def kind(unit: Unit) -> str:
    """What is printed on a counter at full strength: ``7-3-4``, set piece, mobile and morale;
    of a headquarters ``HQ 4``, its range."""
    if unit.hq:
        return f"HQ {unit.headquarters.range}"
    set_piece, mobile = unit.counter.steps[0]
    return f"{set_piece}-{mobile}-{unit.counter.morale}"


VOCABULARY = Vocabulary(
    {each.id: Called(each.side, "", each.name) for each in UNITS.values()},
    MAP,
    nicknames=idioms.NICKNAMES,
)


def roster(state: State, seat: str) -> Roster:
    """The names that a seat may use: its own pieces, and, for conditions, all the others."""
    units = (
        RosterUnit(
            unit.id, kind(unit), unit.hex,
            enemy=unit.side != seat,
            here=unit.place in HERE,
            gone=unit.place not in HERE and unit.place != "later",
        )
        for unit in state.units.values()
    )  # fmt: skip
    return VOCABULARY.roster(seat, "" if seat == UMPIRE else seat, units)


# --- headquarters and supply lines (4.6, 11.1) --------------------------------------------------------------


def posts(state: State, fed: Supply) -> Iterable[Post]:
    """4.6, 11.1 Every headquarters of a side on the map, with its supply and its command."""
    for hq in state.on_map(fed.side):
        if not hq.hq:
            continue
        line = supply_line(state, fed, hq) if fed.has(hq) else ()
        source = _feeder(state, fed, hq, line)
        able = command.eligible(state, hq)
        yield Post(
            id=hq.id,
            side=hq.side,
            hex=hq.placed,
            supplied=fed.has(hq),
            source=source,
            line=line or ((state.units[source].placed, hq.placed) if source in state.units else ()),
            reach=GRID.named(fed.hqs.get(hq.id) or command.reach(state, hq)),
            units=tuple(unit.id for unit in able),
            one_of=tuple(unit.id for unit in able if hq.nation == "british" and unit.nation == "us"),
        )


def _feeder(state: State, fed: Supply, hq: Unit, line: tuple[Hex, ...]) -> str:
    """11.1 What supplies a headquarters: the source at the beginning of its line,
    or the first headquarters of the chain in whose range it stands."""
    if line:
        return line[0]
    if not fed.has(hq):
        return ""
    here = GRID.index(hq.placed)
    chain = (id for id, reach in fed.hqs.items() if id != hq.id and reach >> here & 1)
    return next(chain, hq.placed)


def supply_line(state: State, fed: Supply, hq: Unit) -> tuple[Hex, ...]:
    """11.1 The shortest way from a source to a headquarters, to be drawn: over hexes without enemies,
    not through their zones; none if it is longer than a line may be. Whether the headquarters is in supply
    is judged in supply.py."""
    open_to = (LAND | SOUTH) & ~zones.occupied(state, ENEMY[fed.side])
    through = open_to & ~zones.closed(state, fed.side)
    here = 1 << GRID.index(hq.placed)
    layers = [fed.sources & open_to]
    while not layers[-1] & here:
        nearer = layers[-1] & through
        further = layers[-1] | (OPEN_GROUND.spread(nearer) & open_to)
        if further == layers[-1] or len(layers) > CHARTS.command.supply_range:
            return ()
        layers.append(further)
    path = [hq.placed]
    for layer in reversed(layers[:-1]):
        before = OPEN_GROUND.spread(1 << GRID.index(path[-1])) & layer & through
        path.append(GRID.named(before)[0])
    return tuple(reversed(path))


# --- points, bridges, arrivals ------------------------------------------------------------------------------


def replacements(state: State) -> dict[str, dict[str, int]]:
    """10.1.2 The replacement points of the turn."""
    found: dict[str, dict[str, int]] = {}
    for (owner, arm), points in replacement.points(state).items():
        found.setdefault(owner, {})[arm] = points
    return found


def bridges(state: State) -> Iterable[Bridges]:
    """12.7 Every hexside of the Rhine with printed bridges."""
    for key, printed in RHINE_BRIDGES.items():
        a, b = key.split("-")
        yield Bridges(
            hexes=(a, b),
            printed=printed,
            standing=state.bridges.get(key, printed),
            tried=key in state.bridges,
        )


def entry(state: State) -> str:
    """10.1, 2.0.9 When those who are due may come in: in this turn's administrative phase,
    unless it is over."""
    if ADMINISTRATIVE in (*state.cup, state.chit) or state.phase == "begin":
        return (
            "May come in now" if state.chit == ADMINISTRATIVE else "May come in with the administrative chit"
        )
    last = SCENARIOS.of(state.scenario).last_turn
    return "May come in with the administrative chit of the next turn" if state.turn < last else ""


def coming(state: State) -> Iterable[Coming]:
    """1.4 The arrivals that are still to come by the schedule, this turn's and those of the next turns;
    and headquarters that come back (4.10)."""
    last = SCENARIOS.of(state.scenario).last_turn
    found: dict[tuple[int, Side, str], list[str]] = {}
    for arrival in SETUP.arrival:
        here = found.setdefault((arrival.turn, arrival.side, ENTRIES[arrival.entry]), [])
        here += [id for id in arrival.units if id in state.units and state.units[id].place == "later"]
    for unit in state.units.values():
        if unit.place == "track":
            where = "back from the track" if unit.hq else "the eliminated box"
            found.setdefault((unit.back, unit.side, where), []).append(unit.id)
    for turn, side, where in sorted(found, key=lambda key: key[:2]):
        units = found[turn, side, where]
        if units and state.turn <= turn <= min(state.turn + AHEAD, last):
            yield Coming(turn=turn, month=month(turn), side=side, where=where, units=tuple(units))


# --- what to remember ---------------------------------------------------------------------------------------


def remarks(state: State, seat: str, fed: Mapping[Side, Supply]) -> Iterable[str]:
    """What a reader should remember in this phase, in plain words; nothing once the game is over."""
    if not state.phase:
        return
    sides = [side for side in SIDES if _own(seat, side)]
    if state.turn == 1:
        yield "HELP victory says what wins; HELP track, terrain, combat, supply and turns are the charts."
    match state.phase:
        case "begin":
            for side in sides:
                yield from _begin_remarks(state, side)
        case "cycle":
            yield from _cycle_remarks(state, sides)
        case "german_final" | "allied_final":
            most = CHARTS.points.reaction
            yield f"The last reaction of the turn: at most {count(most, 'point')} [2.0.10, 2.0.11]."
    for side in sides:
        yield from _series_remarks(state, side)
        yield from _supply_remarks(state, side, fed[side])


def _begin_remarks(state: State, side: Side) -> Iterable[str]:
    turn, points = TURNS[state.turn], CHARTS.points
    most = min(points.commit[side], state.supply.get(side, 0))
    if state.turn < SCENARIOS.of(state.scenario).last_turn:
        yield (
            f"{NAMES[side]}: you may commit {count(most, 'supply point')} for the next turn, "
            "in secret [2.0.8]."
        )
    if side == "allied" and state.air:
        air = CHARTS.air
        yield (
            f"Each of {air.tacticals} tactical air markers may cut {air.interdiction} German reaction points "
            "instead of flying for attacks [2.0.3]."
        )
    if side == "german" and turn.bulge and state.cup.count("german") >= points.bulge_chits:
        yield "You may declare the surprise offensive this turn [12.5]."


def _cycle_remarks(state: State, sides: Iterable[Side]) -> Iterable[str]:
    """5.1, 12.3, 12.4 Who may do what after a chit."""
    yield (
        "A chit: its side acts, then the other side may react. If that side spends no point, "
        "the side of the chit may react instead [5.1, 5.2]."
    )
    if "allied" in sides and airborne.allowed(state):
        what, case = ("Varsity", "12.4") if TURNS[state.turn].varsity else ("Market Garden", "12.3")
        yield f"The 18th Airborne can jump with any Allied chit: {what} [{case}]."
    if state.drop:
        yield (
            f"Rivers beside {place_name(state.drop)} do not count while the 18th Airborne is there [12.3]."
        )
    if "german" in sides and state.rhine_crossed:
        yield (
            "The Rhine is crossed: no German reaction points, and replacements rebuild only "
            "Fuehrer divisions [12.9]."
        )


def _series_remarks(state: State, side: Side) -> Iterable[str]:
    """6.0, 7.0, 8.0 Where the marker of a side stands in the phase that is played,
    and who can still do something."""
    series = _series(state, side)
    if not series.track.box:
        return
    after = ", ".join(map(str, series.track.onward()))
    here: dict[bool, list[str]] = {True: [], False: []}
    for unit in series.here():
        here[series.can_act(unit)].append(unit.id)
    yield (
        f"{NAMES[side]}, box {series.track.box} of the track; "
        f"{f'next {after}' if after else 'the last one'} [6.0]."
    )
    if here[True]:
        yield f"{NAMES[side]}, can still act in box {series.track.box}: {some(here[True])} [6.0]."
    if here[False]:
        yield f"{NAMES[side]}, under command and done for box {series.track.box}: {some(here[False])} [6.0]."


def _series(state: State, side: Side) -> Commanded:
    """6.0 The units under command of a side and what they have done in the current box. A view is made of a
    state alone, so it is read off the log."""
    found = Commanded(state, side, [])
    for note in state.log:
        match note:
            case Activated(side=whose, names=names):
                found = _commanded(state, side, names if whose == side else ())
            case PieceActivated(side=whose, name=name, unsupplied=weak):
                found = _commanded(state, side, (name,) if whose == side else ())
                found.unsupplied = frozenset({name} if weak and whose == side else ())
            case AdministrativeChosen(side=whose, names=names) if whose == side:
                found.administrative |= frozenset(names)
            case BoxEntered(side=whose, box=box, what=what) if whose == side:
                if box != found.track.box:
                    found.spent, found.attacked = {}, set()
                found.track.enter(box, "move" if what == "move" else "attack" if what == "attack" else None)
            case Attacked(side=whose, attackers=ours, defenders=theirs) if whose == side:
                found.attacked |= {*ours, *theirs}
            case Moved(side=whose, names=names, points=points) if whose == side:
                for name in names:
                    found.spent[name] = found.spent.get(name, 0) + points
    return found


def _commanded(state: State, side: Side, names: Iterable[str]) -> Commanded:
    return Commanded(state, side, [state.units[name] for name in names if state.units[name].place == "map"])


def _supply_remarks(state: State, side: Side, fed: Supply) -> Iterable[str]:
    """11.5, 4.6 Who would be found out of supply, and who stands where no headquarters commands him."""
    out = [unit.id for unit in state.on_map(side) if not fed.has(unit)]
    if out:
        yield f"{NAMES[side]}, out of supply if judged now: {some(out)} [11.1]."
    commanded = {
        unit.id for id in fed.hqs for unit in command.eligible(state, state.units[id]) if not unit.in_south
    }
    alone = [
        unit.id
        for unit in state.on_map(side)
        if not unit.hq and unit.id not in commanded and unit.id not in out and not unit.in_south
    ]
    if alone:
        yield f"{NAMES[side]}, out of command range: {some(alone)} [4.6]."
    for hex in crossing.EAST_BANK:
        if side == "allied" and hex in state.bridgeheads and not any(u.side == side for u in state.at(hex)):
            yield f"The bridgehead at {place_name(hex)} is empty [12.6]."
