"""How strangers write to the two games of 1944 who know the rulebook and not the usage lines: nicknames,
reasons, polite forms, names that fit several units."""

from __future__ import annotations

import pytest

from pbem.engine.language import Reading
from tests.language.test_language import desk, said


def read(key: str, line: str, seat: str = "allied", section: str = "") -> Reading:
    return desk(key).read(seat, section or {"normandy44": "phase A", "france44": "initiative"}[key], line)


def means(key: str, line: str, meant: str, seat: str = "allied", section: str = "") -> None:
    """A line is read as the canonical lines that it means."""
    section = section or {"normandy44": "phase A", "france44": "initiative"}[key]
    reading = read(key, line, seat, section)
    assert not reading.faults and not reading.unread, (reading.faults, reading.unread)
    assert said(reading) == desk(key).meaning(seat, section, meant)


def offers(key: str, line: str, *lines: str, seat: str = "allied", section: str = "") -> None:
    """A line is asked, with a line to send for each meaning."""
    reading = read(key, line, seat, section)
    assert not reading.orders and len(reading.faults) == 1, (reading.orders, reading.unread)
    fault = reading.faults[0]
    assert {fault.suggestion, *fault.either} - {""} == set(lines)


@pytest.mark.parametrize(
    "key, seat, section, line, meant",
    [
        ("normandy44", "allied", "phase A", "Tough Ombres ashore at Utah", "land 90US at 0617"),
        ("normandy44", "allied", "phase A", "the Screaming Eagles to 0818", "move 101AB to 0818"),
        ("normandy44", "allied", "phase A", "Ivy Division attacks 0519", "attack 0519 with 4US"),
        ("normandy44", "allied", "phase A", "Collins' HQ to 0518", "move VII/US to 0518"),
        ("normandy44", "allied", "end", "rebuild Lovat's commandos", "rebuild 1SSB"),
        ("normandy44", "german", "reaction", "von der Heydte's FJR 6 to 0818", "move FJR6 to 0818"),
        (
            "normandy44", "german", "phase A", "Panzer Lehr enters at D",
            "enter 130/Lehr, 901/Lehr, 902/Lehr at 1901",
        ),
        ("france44", "german", "initiative", "activate Eberbach with LAH", "activate PzWest with 1SS"),
        ("france44", "allied", "initiative", "activate Dempsey with Horrocks and the Desert Rats",
         "activate BR2 with XXX/BR, 7AD/BR"),
    ],
)  # fmt: skip
def test_nicknames(key: str, seat: str, section: str, line: str, meant: str) -> None:
    means(key, line, meant, seat, section)


def test_a_nickname_begins_with_a_capital() -> None:
    """Small letters make no division of an everyday word."""
    for line in ("VII Corps is the spearhead at 1209", "ivy to 0518"):
        assert not read("france44", line).orders


def test_a_particle_names_nobody() -> None:
    assert not read("normandy44", "von to 0519", seat="german", section="reaction").orders


@pytest.mark.parametrize(
    "line, meant",
    [
        ("90US lands at Utah and moves to 0618", "land 90US at 0617 to 0618"),
        ("Big Red One & 2US land at 0714, then move to 0813", "land 1US, 2US at 0714 to 0813"),
    ],
)
def test_a_move_behind_a_landing_is_part_of_it(line: str, meant: str) -> None:
    """Who lands has no other move in its phase."""
    means("normandy44", line, meant)


def test_whose_units_they_are() -> None:
    """Who owns what is named behind takes no part: his headquarters stays out of it."""
    line = "Patton's 4th and 6th Armored land at Cherbourg"
    assert not read("france44", line, section="arrival").orders


def test_no_unit_comes_twice() -> None:
    means(
        "france44",
        "4AD lands at Cherbourg and goes on to 1208",
        "enter 4AD at 1207 to 1208",
        section="arrival",
    )
