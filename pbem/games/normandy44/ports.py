"""Ports (14): Mulberries, minor ports and Cherbourg, how they come into use and are lost,
and the landing capacity of a turn.

A port is begun at the end of a turn and comes on by one turn at each reinforcement phase after that.
The landing counts as a turn: a Mulberry begun on D-Day works from turn 2 on.
"""

from __future__ import annotations

from pbem.engine.play import Roll
from pbem.games.normandy44 import zones
from pbem.games.normandy44.notes import PortNews, Storm
from pbem.games.normandy44.state import Port, State, Unit
from pbem.games.normandy44.tables import BEACH_HEXES, CHARTS, GRID, MULBERRIES, PLAYED, PORTS, UTAH, Hex

NAME = "Cherbourg"
LANDING = CHARTS.landing
FULL = 2 * LANDING.cherbourg
"""14.3 What Cherbourg is worth with both its depots."""


def at_start(scenario: str) -> dict[str, Port]:
    """14, S1 to S3 The ports on the map of a scenario as they are when it begins. In Cobra (S2) the storm of
    June has destroyed the Mulberry of Saint-Laurent, and Cherbourg, liberated on turn 4, opens on turn 7."""
    found = {
        name: Port()
        for name, hexes in PORTS.items()
        if GRID.bits(hexes) & PLAYED[scenario] == GRID.bits(hexes)
    }
    if scenario == "cobra":
        for name, port in found.items():
            port.left, port.worth = 0, _worth(name)
        found["Saint-Laurent"] = Port(gone=True)
        found[NAME] = Port(left=1)
    return found


def case_of(name: str) -> str:
    """The case on a port of this sort."""
    return "14.1" if name in MULBERRIES else "14.3" if name == NAME else "14.2"


def _worth(name: str) -> int:
    """14.1, 14.2, 14.3 What a depot adds to the landing capacity when it comes into use."""
    if name == NAME:
        return LANDING.cherbourg
    return LANDING.mulberry if name in MULBERRIES else LANDING.minor


def _delay(name: str) -> int:
    """14.1, 14.2, 14.3 The turns that a depot takes."""
    if name == NAME:
        return LANDING.cherbourg_delay
    return LANDING.mulberry_delay if name in MULBERRIES else LANDING.minor_delay


def _quiet(state: State, name: str) -> bool:
    """14.0 Whether no hex of a port is in a German zone, or has Germans in it."""
    return not GRID.bits(PORTS[name]) & (zones.zone(state, "german") | zones.held(state, "german"))


def works(state: State, name: str) -> bool:
    """14.0 Whether a port is in use now: functional, and not in a German zone."""
    port = state.ports.get(name)
    return port is not None and port.worth > 0 and _quiet(state, name)


def capacity(state: State) -> dict[str, int]:
    """14.0 The landing capacity of the turn in stacking points: three at each beach hex on the first two
    turns and none later, and what each port in use adds."""
    beach = LANDING.beach if state.turn in LANDING.beach_turns else 0
    found = dict.fromkeys(beaches(state), beach)
    return found | {name: port.worth for name, port in state.ports.items() if works(state, name)}


def beaches(state: State) -> list[Hex]:
    """11.2, S1 The beach hexes of a scenario; before Cherbourg Utah is destroyed once Germans
    have been there."""
    played = PLAYED[state.scenario]
    return [hex for hex in BEACH_HEXES if played >> GRID.index(hex) & 1 and not destroyed(state, hex)]


def destroyed(state: State, hex: Hex) -> bool:
    """S1 Whether a beach is destroyed for good."""
    return state.scenario == "cherbourg" and state.utah_lost and hex == UTAH


# --- coming into use ------------------------------------------------------------------------------------


def end_turn(state: State) -> None:
    """14.0 At the end of a turn work begins on ports that are ripe for it."""
    for name, port in state.ports.items():
        port.hindered = False
        idle = port.left < 0 and not port.gone
        if idle and _ripe(state, name):
            port.left = _delay(name)
            state.note(
                PortNews(
                    case=case_of(name), name=name, what="begun", left=port.left, turn=state.turn + port.left
                )
            )


def _ripe(state: State, name: str) -> bool:
    """14.0 to 14.3 Whether work on a port may begin: all of it in Allied hands and out of German zones,
    with an Allied unit there; a Mulberry needs none."""
    hexes = PORTS[name]
    if any(state.control.get(hex) != "allied" for hex in hexes) or not _quiet(state, name):
        return False
    return name in MULBERRIES or any(state.holder(hex) == "allied" for hex in hexes)


def begin_turn(state: State) -> None:
    """14.0 In the reinforcement phase work goes on everywhere but in German zones,
    and Germans still in Cherbourg take their points off again (14.3)."""
    for hex in PORTS[NAME]:
        for unit in state.at(hex):
            entered(state, unit, hex)
    for name, port in state.ports.items():
        if port.left <= 0:
            continue
        if not _quiet(state, name):
            state.note(
                PortNews(case="14.0", name=name, what="delayed", left=port.left, turn=state.turn + port.left)
            )
            continue
        port.left -= 1
        if port.left == 0:
            _open(state, name, port)


def _open(state: State, name: str, port: Port) -> None:
    """14.1 to 14.3 A depot comes into use; in Cherbourg the second one follows the first."""
    port.worth += _worth(name)
    if name == NAME and port.worth < FULL:
        port.left = LANDING.cherbourg_full_delay - LANDING.cherbourg_delay
    state.note(
        PortNews(
            case=case_of(name),
            name=name,
            what="working",
            worth=port.worth,
            left=port.left,
            turn=state.turn + port.left,
        )
    )


# --- loss -----------------------------------------------------------------------------------------------


def entered(state: State, unit: Unit, hex: Hex) -> None:
    """14.0, 14.3 A German combat unit in a port destroys its depot and whatever is under way;
    of Cherbourg's capacity it takes nine points, once a turn."""
    name = next((name for name, hexes in PORTS.items() if hex in hexes), "")
    port = state.ports.get(name)
    if port is None or unit.side != "german" or unit.hq:
        return
    if (port.worth == 0 and port.left <= 0) or port.hindered:
        return
    lost = LANDING.german_presence if name == NAME else port.worth
    port.worth, port.left, port.damaged = max(0, port.worth - lost), -1, False
    port.hindered = name == NAME
    if name in state.capacity:
        state.capacity[name] = max(0, state.capacity[name] - lost)
    what = "hindered" if port.worth else "destroyed"
    case = "14.3" if name == NAME else "14.0"
    state.note(PortNews(case=case, name=name, what=what, worth=port.worth))


async def storms(state: State) -> None:
    """14.1 In adverse weather a die for each Mulberry in use; one that was damaged before goes without a die,
    and for good."""
    for name in MULBERRIES:
        port = state.ports.get(name)
        if port is None or not port.worth:
            continue
        die = 0 if port.damaged else await Roll(case="14.1", what=f"storm at {name}")
        if port.damaged:
            port.worth, port.left, port.gone, what = 0, -1, True, "destroyed"
        elif die >= LANDING.storm_at:
            port.worth, port.damaged, what = LANDING.mulberry_damaged, True, "damaged"
        else:
            what = "unhurt"
        roll = state.rolls if die else 0
        state.note(Storm(case="14.1", roll=roll, name=name, die=die, what=what))
