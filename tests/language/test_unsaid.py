"""Turns of phrase that no order has: their writer is asked, with a line for each thing that may be meant."""

from __future__ import annotations

import pytest

from tests.language.test_parts import asks, read


@pytest.mark.parametrize(
    ("line", "offers"),
    [
        ("1US or 29US to 0714", ("move 1US to 0714", "move 29US to 0714")),
        ("29US or 4US attacks 0714", ("attack 0714 with 29US", "attack 0714 with 4US")),
        ("82AB attacks 0719 or 0720", ("attack 0719 with 82AB", "attack 0720 with 82AB")),
        ("82AB to 0719 or attack 0720", ("move 82AB to 0719", "attack 0720 with 82AB")),
    ],
)
def test_a_choice_is_a_line_for_each(line: str, offers: tuple[str, ...]) -> None:
    reading = read("normandy44", line)
    assert asks(reading) == "which of the two?"
    assert reading.faults[0].either == offers


def test_a_choice_without_a_deed() -> None:
    assert asks(read("normandy44", "1US or 29US")) == "which of the two, and what is it to do?"


@pytest.mark.parametrize(
    ("line", "offers"),
    [
        ("4US to 0618, max 2 hexes", ("move 4US to 0618",)),
        ("1US to 0714 max 2 hexes", ("move 1US to 0714",)),  # it is to come
        ("4US to 0718 at most one hex", ()),
    ],
)
def test_no_order_counts_hexes(line: str, offers: tuple[str, ...]) -> None:
    """A way that is not longer is offered."""
    reading = read("normandy44", line)
    assert "no order counts hexes" in asks(reading)
    assert reading.faults[0].either == offers


@pytest.mark.parametrize(
    ("key", "line", "offers"),
    [
        (
            "normandy44",
            "attack 0719 with 82AB, 1-3 fighters",
            tuple(f"attack 0719 with 82AB fighters {number}" for number in (1, 2, 3)),
        ),
        (
            "rampage",
            "GdsA to 1704 for 1 or 2 rounds",
            ("move GdsA to 1704 fight at most 1 round", "move GdsA to 1704 fight at most 2 rounds"),
        ),
    ],
)
def test_a_number_left_open(key: str, line: str, offers: tuple[str, ...]) -> None:
    reading = read(key, line)
    assert asks(reading) == "how many?"
    assert reading.faults[0].either == offers


@pytest.mark.parametrize(
    ("line", "section", "offers"),
    [
        ("82AB relieves 101AB", "", ("move 82AB to 0716",)),
        ("82AB swaps with 101AB", "", ("move 82AB to 0716\nmove 101AB to 0619",)),
        ("35US replaces 2AD", "", ()),
        ("35US replaces 2AD", "end", ("replace 35US, A/2AD, B/2AD, R/2AD",)),
    ],
)
def test_one_in_the_place_of_the_other(line: str, section: str, offers: tuple[str, ...]) -> None:
    """It is no order of replacements for both."""
    reading = read("normandy44", line, section=section)
    assert asks(reading) == "one in the place of the other: where is each to go?"
    assert reading.faults[0].either == offers
    assert read("normandy44", "replace 35US, 2AD", section="end").orders


@pytest.mark.parametrize(
    ("key", "line", "why"),
    [
        (
            "normandy44",
            "half of 2AD to 0714",
            "which half? name the units that are meant: A/2AD, B/2AD, R/2AD",
        ),
        ("normandy44", "half of 1US", "1US is one unit"),
        ("normandy71", "half of 8/4 to 5230", "8/4 is one unit: break 8/4, then name the part"),
    ],
)
def test_half_of_units(key: str, line: str, why: str) -> None:
    assert asks(read(key, line, section="movement" if key == "normandy71" else "")) == why


def test_the_artillery_of_the_others() -> None:
    reading = read("falaise", "artillery 12C on 1433, rest on 1434", section="bombardment")
    assert asks(reading) == "which others? a line for each"
    first, second, *_ = reading.faults[0].either[0].splitlines()
    assert (first, second) == ("artillery of 12C on 1433", "artillery of 30C on 1434")


@pytest.mark.parametrize(
    ("more", "air", "guns"),
    [
        ("two fighters, guns 1", 2, 1),
        ("2 fighters, 1 gun", 2, 1),
        ("guns 1, two fighters", 2, 1),
        ("1 air, 2-1", 1, 0),
        ("2-1, 1 air", 1, 0),
    ],
)
def test_aircraft_and_guns_in_any_order(more: str, air: int, guns: int) -> None:
    (line,) = read("normandy44", f"attack 0719 with 82AB, {more}").orders
    assert (line.order.air, line.order.guns) == (air, guns)  # type: ignore[attr-defined]
