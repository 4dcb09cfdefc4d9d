"""Stacking (5)."""

from __future__ import annotations

import pytest

from pbem.games.falaise import stacking
from tests.games.falaise.kit import game


def test_5_4_markers_take_no_room() -> None:
    """5.4 Units that are disrupted, finished or attached stack as any others do."""
    state = game("1053/85 1720 disrupted finished to=47Pz, 501SS 1720 disrupted")
    assert stacking.fits(state.at("1720"))
    assert stacking.fault(state, [state.units["1054/85"]], "1720") is not None


@pytest.mark.parametrize(
    ("ids", "fit"),
    [
        ("25/12SS 26/12SS", True),  # two battlegroups
        ("1053/85 501SS", True),  # a regiment and a battalion
        ("1053/85 1054/85", False),  # two regiments
        ("25/12SS 26/12SS Pz/12SS", False),  # three units
        ("4/2C 6/2AB", True),
        ("Koszutski Stefanowicz", True),  # Polish task forces are battalions (11.7)
        ("Koszutski 357/90", True),  # Poles with Americans (11.7)
        ("4/2C Greys/4AB", True),  # Canadians with British
        ("610TD Dio", False),  # Americans with French
        ("610TD 4/2C", False),  # Americans with Canadians
        ("610TD Currie", False),
        ("Currie 10/4C", True),
        ("Currie 6/2AB", False),  # Currie with its brigade alone
    ],
)
def test_5_3_who_may_stack(ids: str, fit: bool) -> None:
    """5.3, 11.7 Two units, one regiment at most; nations; Task Force Currie."""
    state = game()
    assert stacking.fits([state.units[id] for id in ids.split()]) is fit


def test_5_1_fault() -> None:
    """5.1, 5.3 A third unit, a second regiment and an enemy are each refused with the reason;
    units that leave make room."""
    state = game("1053/85 1720, 501SS 1720, 1054/85 1819, 357/90 1719")
    newcomer = [state.units["25/12SS"]]
    full = stacking.fault(state, newcomer, "1720")
    assert full is not None and full.case == "5.3" and "two units" in full.text
    assert stacking.fault(state, newcomer, "1720", leaving=[state.units["501SS"]]) is None
    second = stacking.fault(state, [state.units["1055/89"]], "1819")
    assert second is not None and "one regiment" in second.text
    held = stacking.fault(state, newcomer, "1719")
    assert held is not None and held.case == "7.2"
    assert stacking.fault(state, [state.units["501SS"]], "1720") is None, "it is there already"
