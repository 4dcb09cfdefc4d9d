"""What a player is told of an order that he has written, before anything is rolled:
of an attack what counts for either side, what the morale tests need, and the exact chance of each outcome;
of a move what there is to know of where it ends. All of it follows from what lies open to him.

An order is judged before it is carried out (a line that waits for its turn) or when it has been,
as far as the first die. What has been done in the phase so far is read from its log: who is under command,
and who came into his hex when (9.1).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from pbem.engine.orders import Order
from pbem.engine.wording import count
from pbem.games.france44 import combat, odds, outcomes, zones
from pbem.games.france44.notes import (
    Activated,
    AdministrativeChosen,
    Advanced,
    Attacked,
    BoxEntered,
    Moved,
    PieceActivated,
    Retreated,
)
from pbem.games.france44.orders import Attack, Commit, Move, Replace
from pbem.games.france44.series import Series
from pbem.games.france44.state import ENEMY, State, Unit
from pbem.games.france44.supply import Supply
from pbem.games.france44.tables import GRID, Hex, Side, place_name

WASTED = {
    "heavy": "WARNING: heavy bombers change nothing here, and their marker is used up [9.2, 9.4]",
    "tactical": "WARNING: tactical air changes nothing here [9.4]",
}
"""The warning about air support that changes no chance."""


def preview(state: State, seat: str, order: Order) -> tuple[str, ...]:
    """What `seat` may be told of an order that it has given."""
    side: Side = "german" if seat == "german" else "allied"
    match order:
        case Attack():
            return tuple(_attack(state, side, order))
        case Move():
            return tuple(_moved(state, side, order))
        case Replace(id) if state.units[id].rebuilt:
            return (
                (
                    f"without a line `enter {id} at ...` under [arrival] it goes back to the eliminated box, "
                    "and the points are lost [10.1.2]"
                ),
            )
        case Commit(number):
            left = state.supply.get(side, 0) - number
            return (
                f"{count(number, 'chit')} of yours next turn; {count(left, 'supply point')} left [2.0.8]",
            )
    return ()


# --- attacks (9) ------------------------------------------------------------------------------------------


def _attack(state: State, side: Side, order: Attack) -> Iterable[str]:
    """9 Strengths, morale and chances of an attack, led on the other side by the unit of the best morale.
    Units that cannot take part as things stand are left out."""
    hexes = tuple(dict.fromkeys(order.hexes))
    named = [state.units[id] for id in dict.fromkeys(order.units)]
    units = [unit for unit in named if unit.place == "map" and _beside(unit, hexes)]
    if not units or not all(_defended(state, side, hex) for hex in hexes):
        return
    if missing := [unit.id for unit in named if unit not in units]:
        yield f"without {', '.join(missing)}, as things stand [8.0]"
    series = so_far(state, side)
    battle = combat.battle_of(series, order, units, order.box or series.track.box)
    lead = next((unit for unit in units if unit.id == order.lead), None) or odds.best_lead(units)
    other = odds.best_lead(battle.defenders)
    supply = Supply(state, ENEMY[side])
    seen = odds.outlook(battle, lead, other, supply)
    yield outcomes.strengths(seen, hexes)
    yield outcomes.morale(battle, seen, lead, other)
    yield from outcomes.chances(seen, outcomes.prospects(state, battle, seen))
    if order.air and odds.outlook(replace(battle, air=""), lead, other, supply).results == seen.results:
        yield WASTED[order.air]


def _beside(unit: Unit, hexes: Sequence[Hex]) -> bool:
    return all(GRID.are_neighbours(unit.placed, hex) for hex in hexes)


def _defended(state: State, side: Side, hex: Hex) -> bool:
    return any(unit.side != side and not unit.hq for unit in state.at(hex))


# --- moves (7) --------------------------------------------------------------------------------------------


def _moved(state: State, side: Side, order: Move) -> Iterable[str]:
    """3.3, 11.1 Where units have come to: next to the enemy, out of supply.
    Of a move that is still to be made there is nothing to tell."""
    gone = {name for note in state.log if isinstance(note, Moved) for name in note.names}
    units = [state.units[id] for id in dict.fromkeys(order.units)]
    units = [unit for unit in units if unit.id in gone and unit.place == "map"]
    if not units:
        return
    zone = zones.zone(state, ENEMY[side])
    for hex in dict.fromkeys(unit.placed for unit in units):
        if zone >> GRID.index(hex) & 1:
            yield f"{place_name(hex)} is next to the enemy [3.3]"
    supply = Supply(state, side)
    if cut := [unit.id for unit in units if not supply.has(unit)]:
        yield f"out of supply as things stand: {', '.join(cut)} [11.1]"


# --- what has been done in the phase ------------------------------------------------------------------------


def so_far(state: State, side: Side) -> Series:
    """6.0, 9.1 The series of increments that a side is in, as the log of the phase tells it;
    a new one before anybody is under command."""
    found = Series(state, side, [])
    for note in state.log:
        match note:
            case Activated(side=whose, hq=hq, names=names):
                found = _begun(state, side, names if whose == side else (), hq if whose == side else "")
            case PieceActivated(side=whose, name=name, unsupplied=weak):
                found = _begun(state, side, (name,) if whose == side else ())
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
                found.arrived.update(dict.fromkeys(names, found.track.count))
                for name in names:
                    found.spent[name] = found.spent.get(name, 0) + points
            case Advanced(side=whose, name=name) if whose == side:
                found.arrived[name] = found.advanced[name] = found.track.count
            case Retreated(side=whose, names=names) if whose != side:
                found.displaced.update(dict.fromkeys(names, found.track.count))
    return found


def _begun(state: State, side: Side, names: Sequence[str], hq: str = "") -> Series:
    units = [state.units[name] for name in names if state.units[name].place == "map"]
    return Series(state, side, units, hq=state.units[hq] if hq else None)
