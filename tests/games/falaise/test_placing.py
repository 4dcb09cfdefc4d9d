"""What follows from entering a hex (3.4, 11.4)."""

from __future__ import annotations

from pbem.games.falaise import placing
from pbem.games.falaise.notes import Controlled, ZoneTriggered
from tests.games.falaise.kit import game


def test_3_4_argentan() -> None:
    """3.4, 11.9 Whoever enters Argentan controls it, and so back; the 80th Division stays free."""
    state = game("317/80 3220, 25/12SS 3119")
    placing.put(state, [state.units["317/80"]], "3219")
    assert (state.argentan, state.argentan_fell) == ("allied", True)
    placing.put(state, [state.units["317/80"]], "3220")
    placing.put(state, [state.units["25/12SS"]], "3219")
    assert (state.argentan, state.argentan_fell) == ("german", True)
    assert [note.side for note in state.log if isinstance(note, Controlled)] == ["allied", "german"]


def test_3_4_passing_through_ones_own() -> None:
    """3.4 The side that has it changes nothing by entering."""
    state = game("25/12SS 3119")
    placing.put(state, [state.units["25/12SS"]], "3219")
    assert not state.log and not state.argentan_fell


def test_11_4_trigger() -> None:
    """11.4 An Allied step to within six hexes of the bridges puts the marker of the 86th Corps into the cup;
    an arrival there does not."""
    state = game("Koszutski 2021")
    placing.put(state, [state.units["359/90"]], "2810")
    assert state.units["359/90"].place == "map" and "86" not in state.cup
    placing.put(state, [state.units["Koszutski"]], "2020")
    placing.put(state, [state.units["Koszutski"]], "2119")
    assert state.zone_86 == "triggered" and "86" in state.cup
    assert len([note for note in state.log if isinstance(note, ZoneTriggered)]) == 1
