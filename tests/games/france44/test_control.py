"""Control of sources and ports (11.3)."""

from __future__ import annotations

from pbem.games.france44 import control
from pbem.games.france44.notes import TookControl
from pbem.games.france44.setup import setup
from pbem.games.france44.tables import NORMANDY, PORTS, SOURCES
from tests.games.france44.kit import game


def test_11_3_at_the_start_the_allies_hold_three_sources() -> None:
    """The hexes of Normandy; every other source and port is German."""
    state = setup("crusade", {"advantage": "no"})
    held = {hex for hex in (*SOURCES, *PORTS.values()) if state.control[hex] == "allied"}
    assert held == set(NORMANDY) == {"1207", "1309", "1409"}


def test_11_3_a_combat_unit_takes_a_hex_by_entering_it_or_passing_through() -> None:
    """It stays taken when the unit is gone, until one of the other side comes."""
    state = game("VII/US 0816, LXXX 0720 lost=2", control={"0719": "german"})
    control.entered(state, state.units["VII/US"], ("0818", "0719", "0819"))
    assert control.holds(state, "allied", ["0719"])
    assert [note.hex for note in state.log if isinstance(note, TookControl)] == ["0719"]
    control.entered(state, state.units["LXXX"], ("0719",))
    assert control.holds(state, "german", ["0719"])


def test_11_3_a_headquarters_takes_nothing() -> None:
    """Only combat units do."""
    state = game("US1 0819", control={"0719": "german"})
    control.entered(state, state.units["US1"], ("0719",))
    assert state.control["0719"] == "german"


def test_11_3_a_cadre_takes_a_hex() -> None:
    """It is a combat unit (3.2)."""
    state = game("VII/US 0819 lost=2", control={"0719": "german"})
    control.entered(state, state.units["VII/US"], ("0719",))
    assert state.control["0719"] == "allied"


def test_11_3_other_hexes_belong_to_nobody() -> None:
    """No record is kept of them."""
    state = game("VII/US 1020")
    control.entered(state, state.units["VII/US"], ("1021",))
    assert state.control == {} and not state.log


def test_11_3_a_side_holds_hexes_if_it_holds_every_one() -> None:
    """12.1, 12.2 As the campaigns for ports ask."""
    state = game(control={"0719": "allied", "0724": "german"})
    assert control.holds(state, "allied", ["0719"])
    assert not control.holds(state, "allied", ["0719", "0724"])
