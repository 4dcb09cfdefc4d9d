"""Pockets (11, 12, 14.2): whenever a hex turns Allied, German-controlled hexes that are thereby cut off
from supply form a pocket.

Fortress cities in it get a garrison and stay German (12.8, 12.9). All else tries to break out through the hex
that has just fallen: what lies in the pocket, the divisions of the Argentan-Falaise Pocket among it,
and as many units of the force pool as a die says. Then the pocket is Allied, and if the breakout succeeded
the hex is German again.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from pbem.engine.play import Ask, Roll
from pbem.engine.tally import Modifier
from pbem.engine.wording import count, percent
from pbem.games.rampage import control
from pbem.games.rampage.battle import Battle, battle_round
from pbem.games.rampage.breakout import breakout_case, breakout_parts, forecast, seals, way_out
from pbem.games.rampage.command import seat_of, seat_of_group
from pbem.games.rampage.defence import draw, draw_garrison, lots, lots_since, names, station, to_pool
from pbem.games.rampage.notes import Bombed, BreakoutForce, BreakoutResult, Garrisoned, PocketFormed
from pbem.games.rampage.state import German, Hex, State
from pbem.games.rampage.tables import CHARTS, FORTRESSES, GRID, place_name


async def after_switch(
    state: State, hex: Hex, losses: tuple[str, ...] = (), spared: tuple[str, ...] = ()
) -> None:
    """12.4 A hex has turned Allied: resolve every pocket that this has made,
    the one with the lowest hex first.

    `losses` and `spared` say on whom of the force that took the hex losses fall (10.4);
    without them its commander is asked.
    """
    state.garrisons = [fortress for fortress in state.garrisons if fortress != hex]
    while hexes := next_pocket(state):
        await resolve(state, hexes, hex, losses, spared)


def next_pocket(state: State) -> tuple[Hex, ...]:
    """12.4, 12.5 The hexes of the first pocket that has not been resolved;
    none if all is in supply or garrisoned."""
    return next(iter(made_by(state, ())), ())


def made_by(state: State, taken: Iterable[Hex]) -> Iterator[tuple[Hex, ...]]:
    """12.4, 12.5 The pockets that there are, or would be when these hexes have turned Allied,
    the one with the lowest hex first."""
    held = control.german(state) & ~GRID.bits(taken)
    open_ = held & ~control.linked(held) & ~GRID.bits(state.garrisons)
    while open_:
        pocket = GRID.flood(open_ & -open_, open_)
        yield GRID.named(pocket)
        open_ &= ~pocket


async def resolve(
    state: State, hexes: tuple[Hex, ...], hex: Hex, losses: tuple[str, ...], spared: tuple[str, ...]
) -> None:
    """12.5 One pocket: garrisons, breakout, and whose its hexes are afterwards."""
    state.note(PocketFormed(case="12.4", hexes=hexes, cause=hex))
    for fortress in hexes:
        if fortress in FORTRESSES:
            await garrison(state, fortress, "12.8" if len(hexes) == 1 else "12.9")
    field = tuple(each for each in hexes if each not in FORTRESSES)
    success = bool(field) and await break_out(state, field, hexes, facing(state, hex, losses, spared))
    turned = (each for each in hexes if each not in state.garrisons)
    control.pass_to_allies(state, turned, "12.10", "pocket")
    if success:
        control.pass_to_germans(state, hex, "12.6", "breakout")


async def garrison(state: State, hex: Hex, case: str) -> None:
    """12.8, 12.9 A fortress city that is cut off: who defends it already stays,
    else one non-elite unit is put in. An empty pool leaves it to its fate."""
    roll = state.rolls
    units = state.defenders(hex) or await draw_garrison(state, f"garrison of {hex}", case)
    station(units, hex)
    if units:
        state.garrisons.append(hex)
    for name in names(units) or ("",):
        state.note(Garrisoned(case=case, hex=hex, name=name, lots=lots_since(state, roll)))


# --- the breakout ---------------------------------------------------------------------------------------


def facing(state: State, hex: Hex, losses: tuple[str, ...], spared: tuple[str, ...]) -> Battle:
    """12.5 The force that has closed a pocket, as it meets the breakout."""
    units = state.at(hex)
    seat = seat_of_group(state, units[0].group) if units else ""
    return Battle(
        hex, hex, units, [], kind="breakout", seat=seat, losses=losses, spared=spared, isolated=False
    )


async def break_out(state: State, field: tuple[Hex, ...], hexes: tuple[Hex, ...], battle: Battle) -> bool:
    """12.5 to 12.7, 11.3 Whether the pocket breaks out through a hex; `field` are its hexes
    without the fortresses.

    All who take part go back to the pool after a success, and are gone for good after a failure.
    """
    sealed, hex = seals(state, field), battle.hex
    force = await breakout_force(state, field, hexes, hex, sealed)
    if not force and not sealed:
        return False
    battle.origin, battle.defenders = way_out(field, hex), list(force)
    battle.returned = sealed and state.options.get("afp") == "round"
    if force:
        await battle_round(battle, state)
    success = bool(force) and not state.at(hex)
    if success:
        to_pool(unit for unit in force if unit.place != "gone")
    else:
        for unit in force:
            unit.place, unit.hex = "gone", None
    if sealed:
        state.afp = "escaped" if success else "destroyed"
    case = "11.3" if sealed else "12.6" if success else "12.7"
    state.note(BreakoutResult(case=case, hex=hex, success=success, names=names(force)))
    return success


async def breakout_force(
    state: State, field: tuple[Hex, ...], hexes: tuple[Hex, ...], hex: Hex, sealed: bool
) -> list[German]:
    """12.5, 11.2, 11.6 Who tries to break out: the divisions of the Argentan-Falaise Pocket,
    defenders left in the hexes by earlier battles, and units of the force pool. A pocket that is the hex
    of the Argentan-Falaise Pocket alone gets none of the last."""
    pocketed = [unit for unit in state.germans.values() if unit.place == "afp"] if sealed else []
    if pocketed and state.options.get("heavy_bombers") == "yes":
        pocketed = await bomb(state, pocketed, hexes, hex)
    stranded = [unit for each in field for unit in state.defenders(each) if unit.place == "map"]
    die = roll = drawn_by = 0
    parts: tuple[Modifier, ...] = ()
    rolled: list[German] = []
    case = breakout_case(state, hexes)
    if case != "11.2":
        die = await Roll(case=case, what=f"breakout at {hex}", low=True)
        roll, parts = state.rolls, breakout_parts(hexes)
        rolled = await draw(state, f"breakout at {hex}", case, die + sum(part.value for part in parts))
        drawn_by = lots_since(state, roll)
    force = [*pocketed, *stranded, *rolled]
    drawn = names([*stranded, *rolled])
    state.note(
        BreakoutForce(
            case=case,
            roll=roll,
            hex=hex,
            die=die,
            parts=parts,
            names=drawn,
            pocket=names(pocketed),
            lots=drawn_by,
        )
    )
    return force


async def bomb(state: State, units: list[German], hexes: tuple[Hex, ...], hex: Hex) -> list[German]:
    """14.2 Heavy bombers, if they are called (of two commanders the one of the US army group,
    which faces the pocket, decides): two dice say how many divisions of the pocket go back to the pool before
    it breaks out. Gives those that are left."""
    force = state.at(hex)
    found = forecast(
        state, hexes, hex, force, [unit for unit in state.germans.values() if unit.place == "map"]
    )
    assert found is not None and found.bombed is not None
    facing = ", ".join(f"{unit.id} ({count(unit.steps, 'step')})" for unit in force)
    danger = {"yes": found.bombed.lost, "no": found.lost}
    cost = {"yes": "; divisions hit go into the pool, whether or not the breakout succeeds", "no": ""}
    called = await Ask(
        case="14.2",
        what="heavy bombers on the Argentan-Falaise Pocket",
        seat=seat_of(state, "us"),
        kind="bombers",
        options=("yes", "no"),
        intro=(
            f"{len(units)} divisions break out through {place_name(hex)} against {facing}. "
            "If any of these steps survives, all divisions that broke out are out of the game [11.3]. "
            "Two dice decide how many divisions the bombers take out first."
        ),
        says=lambda answer: f"{percent(danger[answer])} to lose all these units{cost[answer]}",
    )
    if called == "no":
        return units
    first = state.rolls + 1
    faces = [
        await Roll(case="14.2", what=f"heavy bombers, die {number}")
        for number in range(1, CHARTS.bombers.dice + 1)
    ]
    roll, dice = state.rolls, sum(faces)
    hit = await lots(state, names(units), "divisions hit by heavy bombers", "14.2", dice)
    to_pool(hit)
    left = [unit for unit in units if unit.place == "afp"]
    state.note(
        Bombed(
            case="14.2",
            roll=first,
            dice=dice,
            names=names(hit),
            left=len(left),
            faces=tuple(faces),
            lots=lots_since(state, roll),
        )
    )
    return left
