"""Turns of phrase of the games for parts of their orders, and what they must not swallow."""

from __future__ import annotations

import pytest

from pbem.games.falaise.orders import Strike
from tests.language.test_language import desk, said


@pytest.mark.parametrize(
    ("key", "seat", "section", "text", "meant"),
    [
        (
            "rampage",
            "allied",
            "operations",
            "3A attacks 1503, if it wins goes on to 1504",
            "3A to 1503, then continue to 1504",
        ),
        (
            "rampage",
            "allied",
            "operations",
            "3A to 1503, no more than one step lost",
            "3A to 1503 stop at 1 loss",
        ),
        (
            "rampage",
            "allied",
            "operations",
            "3A attacks 1503, break off if we lose a step",
            "3A to 1503 stop at 1 loss",
        ),
        (
            "rampage",
            "allied",
            "operations",
            "3A attacks 1503, call it off if the odds are worse than 50%",
            "3A to 1503 stop if odds under 50%",
        ),
        (
            "rampage",
            "allied",
            "operations",
            "3A attacks 1503 then 1504 as long as it has movement points",
            "3A to 1503 1504 fight until won",
        ),
        ("rampage", "allied", "operations", "3A takes 1503 and stops there", "3A to 1503"),
        ("normandy44", "allied", "phase A", "4US to Cherbourg (0222)", "4US to 0222"),
        (
            "normandy44",
            "allied",
            "allocation",
            "carpet bomb 0905 with the British bombers",
            "carpet 0905 with UK",
        ),
        (
            "normandy44",
            "allied",
            "allocation",
            "interdict zone II with an American fighter",
            "interdict zone II with US",
        ),
        ("rampage", "allied", "replacement", "3A and 1Inf get the US replacements", "replenish 3A, 1Inf"),
        ("normandy44", "allied", "phase B", "0714 is attacked by 1US", "attack 0714 with 1US"),
        ("normandy44", "allied", "phase B", "please have 1US attack 0714", "attack 0714 with 1US"),
        ("normandy44", "allied", "phase B", "let 1US stay put", "1US stays"),
        (
            "normandy44",
            "allied",
            "phase B",
            "1US will attack 0714, supported by 2 fighters",
            "attack 0714 with 1US, fighters 2",
        ),
        (
            "normandy44",
            "allied",
            "phase B",
            "1US to 0714 first, then 29US to 0713",
            "move 1US to 0714\nmove 29US to 0713",
        ),
        (
            "normandy44",
            "allied",
            "phase B",
            "1US to 0714 first, 29US to 0713 second",
            "move 1US to 0714\nmove 29US to 0713",
        ),
        ("falaise", "german", "47Pz", "KG/9Pz to 3537 and stays there", "KG/9Pz to 3537"),
        ("falaise", "allied", "bombardment", "15th corps guns fire at 3320", "artillery 15C on 3320"),
        (
            "falaise",
            "allied",
            "bombardment",
            "2 airstrikes on 3320 and one on 1524",
            "airstrike on 3320 times 2\nairstrike on 1524",
        ),
        (
            "falaise",
            "allied",
            "7C",
            "CCA and CCB attack 3534, advance with CCA if it's taken",
            "assault 3534 with CCA/3A, CCB/3A, advance CCA/3A",
        ),
        (
            "falaise",
            "german",
            "2SS",
            "all but the 9SS to 3213",
            "move D/2SS, DF/2SS, Pz/2SS, KG/17SS to 3213",
        ),
        ("falaise", "german", "47Pz", "1SS: PzG and Pz attack 3735", "assault 3735 with PzG/1SS, Pz/1SS"),
    ],
)
def test_turns_of_phrase(key: str, seat: str, section: str, text: str, meant: str) -> None:
    at = desk(key)
    reading = at.read(seat, section, text)
    assert not reading.faults and not reading.unread
    assert said(reading) == at.meaning(seat, section, meant)


@pytest.mark.parametrize(
    ("key", "seat", "section", "text"),
    [
        ("rampage", "allied", "operations", "3A attacks 1503, if it wins goes on to 1504 and 1505"),
        ("rampage", "allied", "operations", "3A attacks 1503, if it wins 1Inf goes on to 1504"),
        ("rampage", "allied", "operations", "1Inf guards 1999"),
        ("normandy44", "allied", "phase B", "don't let 1US attack 0714"),
        ("normandy44", "allied", "phase B", "1US to 0714 first"),  # of all lines?
        ("normandy44", "allied", "phase B", "if 0714 is attacked by 1US, 29US to 0713"),
        ("falaise", "german", "47Pz", "KG/9Pz to 3537, PzG/1SS stops there"),
        ("falaise", "german", "47Pz", "PzG/1SS attacks 3735 and stays there"),  # in 3735, or where it is
    ],
)
def test_what_turns_of_phrase_do_not_swallow(key: str, seat: str, section: str, text: str) -> None:
    assert not desk(key).read(seat, section, text).orders


def test_a_division_of_the_section_in_force_is_no_heading_of_another() -> None:
    reading = desk("falaise").read("german", "47Pz", "1SS Panzer: PzG and Pz attack 3735\nattach 5/3FJ")
    assert [each.section for each in reading.orders] == ["47Pz", "47Pz"]


@pytest.mark.parametrize(("text", "times"), [("airstrike 3736 twice", 2), ("airstrike 3736", 1)])
def test_a_single_word_stands_for_two(text: str, times: int) -> None:
    """``twice`` is read as ``times 2``."""
    (line,) = desk("falaise").read("allied", "bombardment", text).orders
    assert line.order == Strike("3736", times)
