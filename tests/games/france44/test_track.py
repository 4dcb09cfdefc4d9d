"""Increments (6.0): the boxes of the track and what they give."""

from __future__ import annotations

import pytest

from pbem.engine.errors import NotAllowed
from pbem.games.france44.tables import TRACK, series
from pbem.games.france44.track import Track, What, weaker


def run(*boxes: int) -> Track:
    """The marker after these boxes."""
    track = Track()
    for box in boxes:
        track.enter(track.choose(box, "move"), "move")
    return track


def refused(track: Track, box: int, what: What = "move") -> NotAllowed:
    with pytest.raises(NotAllowed) as caught:
        track.choose(box, what)
    assert caught.value.case == "6.0"
    return caught.value


def test_6_0_nine_series_of_boxes() -> None:
    """Twenty boxes, five of them beginnings."""
    assert len(tuple(series())) == 9
    assert tuple(TRACK) == tuple(range(1, 21))
    assert [box.number for box in TRACK.values() if box.start] == [1, 2, 3, 4, 5]


@pytest.mark.parametrize("boxes", [(4, 10, 14, 18), (5, 11, 15), (3, 7, 12), (1,)])
def test_6_0_example_valid_series(boxes: tuple[int, ...]) -> None:
    """The four series of the rulebook, and nothing comes after them."""
    assert boxes in tuple(series())
    track = run(*boxes)
    assert track.count == len(boxes)
    assert track.onward() == ()


def test_6_0_example_4_8_13_is_no_series() -> None:
    """8 and 13 are not joined."""
    assert "8" in str(refused(run(4, 8), 13))
    assert run(4, 9, 13).box == 13


@pytest.mark.parametrize(("allowance", "points", "attacks"), [(2, 0, 0), (3, 1, 0), (4, 2, 1), (6, 2, 1)])
def test_6_0_example_a_box_from_four_on(allowance: int, points: int, attacks: int) -> None:
    """The box of the rulebook: two points for 6 and 4, one for 3, none for 2; 4 and 6 may attack."""
    box = TRACK[9]
    assert box.for_allowance(allowance) == points
    assert (allowance >= box.attack) == bool(attacks)


def test_6_0_a_phase_begins_in_a_box_at_the_top() -> None:
    """And the first line has to say in which."""
    assert "inc 4" in refused(Track(), 6).legal
    assert refused(Track(), 0).legal == tuple(f"inc {n}" for n in (1, 2, 3, 4, 5))


def test_6_0_the_marker_goes_on_to_a_box_that_is_joined() -> None:
    """Never back, never across."""
    track = run(4)
    assert track.onward() == (8, 9, 10)
    for box in (3, 5, 11):
        refused(track, box)
    assert track.choose(10, "move") == 10
    assert refused(run(4, 10), 4)


def test_6_0_without_a_number_a_line_means_the_current_box() -> None:
    """As long as what is done in it agrees."""
    assert run(4).choose(0, "move") == 4


def test_6_0_units_move_or_attack_in_an_increment_not_both() -> None:
    """Either way round."""
    track = run(4)
    refused(track, 4, "attack")
    track = Track()
    track.enter(4, "attack")
    refused(track, 4, "move")
    assert track.choose(9, "move") == 9


def test_6_0_nobody_attacks_in_a_box_without_a_number() -> None:
    """5 is one of them, 7 and 10 too."""
    refused(Track(), 5, "attack")
    assert run(3).choose(7, "move") == 7
    refused(run(3), 7, "attack")


def test_6_0_a_box_that_is_passed_over_can_still_be_used() -> None:
    """The marker has gone there, and nothing has been done yet."""
    track = Track()
    track.enter(4, None)
    assert track.choose(4, "attack") == 4
    assert track.choose(4, "move") == 4


@pytest.mark.parametrize(("printed", "now"), [(6, 4), (4, 3), (3, 2), (2, 0)])
def test_11_5_without_supply_a_piece_uses_the_next_lower_column(printed: int, now: int) -> None:
    """The drops of the rulebook."""
    assert weaker(printed) == now


def test_11_5_a_piece_dropped_to_nothing_has_no_points_in_any_box() -> None:
    """Nor may it attack."""
    assert all(box.for_allowance(0) == 0 for box in TRACK.values())
