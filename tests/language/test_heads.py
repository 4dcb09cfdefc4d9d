"""Lines that a head and a box above them complete, and what players of France 1944 say in their own words."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pbem.engine.language.model import Line, Reading, Scope
from tests.language.test_language import desk, offered, said

SCOPE = Scope(sections=("initiative",))


def read(text: str, section: str = "initiative", seat: str = "allied") -> Reading:
    return desk("france44").read(seat, section, text)


def written(text: str, section: str = "initiative", seat: str = "allied") -> list[str]:
    """The lines as they are kept, if nothing is wrong and nothing left over."""
    reading = read(text, section, seat)
    assert not reading.faults and not reading.unread, (reading.faults, reading.unread)
    return [each.text for each in reading.orders]


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("US1\n4 A", ["activate US1", "increment 4"]),
        (
            "US1\n4 A\nV Corps 1310\nVIII Corps 1209",
            ["activate US1", "increment 4: attack 1310 with V/US", "attack 1209 with VIII/US"],
        ),
        (
            "US1\n4 A\ninc 10: move 2AD/US to 1308",
            ["activate US1", "increment 4", "inc 10: move 2AD/US to 1308"],
        ),
        (
            "US1\n4 M\nactivate BR2\n5 M\nVIII Corps 1508",
            ["activate US1", "increment 4", "activate BR2", "increment 5: move VIII/BR to 1508"],
        ),
        (
            "US1\n4 M\nall at 1208 to 1308",
            ["activate US1", "increment 4: move VII/US, VIII/US, 2AD/US to 1308"],
        ),
        ("In the first increment 2AD/US goes to 1308", ["increment 1: move 2AD/US to 1308"]),
        ("US1\nat the fourth box\nV Corps hits 1310", ["activate US1", "increment 4: attack 1310 with V/US"]),
        ("At increment 4 V Corps attacks 1310", ["increment 4: attack 1310 with V/US"]),
        ("activate US1\nVIII Corps to 1308", ["activate US1", "move VIII/US to 1308"]),
    ],
)
def test_lines_below_a_head_are_kept_as_they_are_meant(text: str, lines: list[str]) -> None:
    assert written(text) == lines


def test_a_kept_line_means_the_same_without_its_head() -> None:
    for line in read("US1\n4 A\nVII, VIII Corps 1209 + tac air, VII leads").orders:
        again = read(line.text)
        assert [each.order for each in again.orders] == [line.order]


@pytest.mark.parametrize(
    "text",
    [
        "US1\n4 attack\nmove 2AD to 1309",  # no attack
        "US1\n4 attack\n2AD to 1309",
        "US1\n4 A\nV Corps 1310, not 3AD",
        "US1\n4 A\nV Corps 1310 maybe",
        "US1\n4 A\nV Corps 1310 with naval support",
        "US1\n4 A\nV Corps attacks the British at 1310",  # Germans are there
        "US1\n4 A\nV Corps, VII Corps lead, 2AD attack 1209",  # who leads?
        "US1\n4 A\nV Corps 1310, no air, tac air",
        "US1\n4 A\nV Corps 1310, 2AD leads",  # 2AD does not attack
        "US1 ; BR2",
        "US1 # BR2",
        "US1 (not BR2)",
        "US1 if 1309 is empty",
        "activate US1\nXXX Corps (not the 11th) maybe",
    ],
)
def test_no_word_that_says_something_is_passed_over(text: str) -> None:
    reading = read(text)
    assert reading.faults or reading.holding
    assert not any(isinstance(each, Line) and "attack" in each.text for each in reading.said)


@pytest.mark.parametrize(
    ("section", "text"),
    [
        ("reaction", "US1"),  # an army reaction, or a piece?
        ("reaction", "V Corps reacts (2 points)"),
        ("reaction", "V Corps reacts if 1310 is empty"),
        ("reaction", "no reaction unless Caen falls"),
        ("administration", "1 armor RP on VII Corps"),
        ("administration", "1 British RP on VII Corps"),
        ("administration", "2 RP on VII Corps"),
        ("commitment", "4 SP for Patton"),
        ("commitment", "two points kept"),
        ("initiative", "nothing in the south"),
    ],
)
def test_what_contradicts_itself_is_no_idiom(section: str, text: str) -> None:
    reading = read(text, section)
    assert not said(reading) and (reading.faults or reading.holding)


def test_one_that_does_not_read_holds_the_lines_of_its_head() -> None:
    reading = read("BR2\n4 A\nXXX Corps 1410\n7AD/BR 1511 asap\nDONE")
    assert not reading.orders
    [fault] = reading.faults
    assert fault.text.startswith("BR2 / 4 A / XXX Corps 1410")


def test_what_belongs_to_no_head_is_left_alone() -> None:
    reading = read(
        "US1\n4 A\nV Corps 1310 asap\nL7: 2AD/US to 1308\n3AD/US stays\nhelp\n[reaction]\nno orders"
    )
    assert len(reading.faults) == 1 and reading.faults[0].section == "initiative"
    assert [each.spot.name for each in reading.orders if each.spot] == [7]
    assert [each.name for each in reading.commands] == ["help", "none"]


def test_a_box_passes_in_the_section_in_which_it_stands() -> None:
    reading = read("US1\n4 A\n[reaction]\nno orders")
    assert [(each.section, each.text) for each in reading.orders] == [
        ("initiative", "activate US1"),
        ("initiative", "increment 4"),
    ]


def test_an_offer_holds_all_lines_of_the_head() -> None:
    reading = read("AOK7\n4 A\nII Para Corps & 2nd Panzer attack V Corps", seat="german")
    [fault] = reading.faults
    assert len(fault.either) == 2 and not list(offered(reading))
    assert all(
        line.splitlines()[0] == "when initiative: activate AOK7" and "increment 4: attack 1309" in line
        for line in fault.either
    )


def test_an_offer_keeps_its_conditions() -> None:
    [fault] = read("US1\n10 M\n2AD to 1308 or 1209").faults
    assert fault.suggestion.splitlines()[1].endswith(
        "try increment 10: move 2AD/US to 1308, else increment 10: move 2AD/US to 1209"
    )


def test_what_may_answer_a_question_is_no_box() -> None:
    at = desk("france44")
    lines = list(enumerate(["4 A"], 1))
    for scope in (
        replace(SCOPE, questions={4: ("yes", "no")}),
        replace(SCOPE, settled={4: (("yes", "no"), 0)}),
    ):
        reading = at.game.grammar.read(lines, at.rosters["allied"], "initiative", scope)
        assert not reading.orders
    lines = list(enumerate(["US1", "4 A", "V Corps 1310"], 1))
    asked = replace(SCOPE, questions={4: ("yes", "no")})
    reading = at.game.grammar.read(lines, at.rosters["allied"], "initiative", asked)
    assert "this may answer Q4 or be an order" in [str(fault.error) for fault in reading.faults]
    assert not reading.orders and not reading.commands


def test_a_comment_that_says_nothing_is_noted() -> None:
    reading = read("US1 # here we go")
    assert [each.text for each in reading.comments] == ["here we go"]
    assert [each.text for each in reading.orders] == ["activate US1"]


def test_a_headquarters_reacts_with_its_units() -> None:
    reading = read("AOK7 reacts with LXXXIV, 2SS\nbox 3: 2SS counterattacks 1208", "reaction", "german")
    meant = read("activate AOK7 with LXXXIV, 2SS\ninc 3: attack 1208 with 2SS", "reaction", "german")
    assert not reading.faults and said(reading) == said(meant)
