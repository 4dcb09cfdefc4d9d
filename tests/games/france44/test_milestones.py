"""How far the Allies have come: the months that a result tells."""

from __future__ import annotations

import pytest

from pbem.games.france44 import milestones
from pbem.games.france44.tables import GERMAN_CITIES, GRID, MAP
from tests.games.france44.kit import game


@pytest.mark.parametrize(
    ("line", "beyond", "short"),
    [
        (
            "Seine crossed",
            ("Le Havre", "Rouen", "Amiens", "Reims", "Antwerp"),
            ("Caen", "Chartres", "Orleans", "Rennes"),
        ),
        (
            "German border crossed",
            ("Aachen", "Trier", "Emden", "Freiburg", *GERMAN_CITIES),
            ("Arnhem", "Maastricht", "Venlo", "Metz", "Strasbourg", "Colmar", "Liege", "Basel"),
        ),
    ],
)
def test_what_lies_beyond(line: str, beyond: tuple[str, ...], short: tuple[str, ...]) -> None:
    """The set of the hexes beyond a line has the places that lie there, and none of the others."""
    places = {name: GRID.index(hex) for hex in GRID.ids for name in MAP.names(hex)}
    assert {name for name in (*beyond, *short) if milestones.LINES[line] >> places[name] & 1} == set(beyond)


def test_the_first_month_counts() -> None:
    """A line is crossed in the turn at the end of which an Allied combat unit first stands beyond;
    headquarters do not count."""
    state = game("US1 2109, VII/US 1409", turn=1)
    milestones.mark(state)
    assert dict(milestones.months(state)) == dict.fromkeys((*milestones.LINES, "Rhine crossed"), "no")
    for turn, hex in ((2, "2109"), (3, "3310"), (4, "1409")):
        state.turn, state.units["VII/US"].hex = turn, hex
        milestones.mark(state)
    state.rhine_crossed = 9
    assert dict(milestones.months(state)) == {
        "Seine crossed": "August 1944",
        "German border crossed": "September 1944",
        "Rhine crossed": "March 1945",
    }
