"""How people set up their units, who have the printed rulebook before them and the first letter."""

from __future__ import annotations

import pytest

from pbem.engine.game import game
from pbem.engine.language.model import Command, Heading, Line, Reading, Scope

SECTIONS = {
    "rampage": ("set-up", "operations"),
    "falaise": ("set-up", "bombardment", "12C", "30C", "2CC", "Pol", "7C", "15C"),
}


def read(key: str, seat: str, text: str) -> Reading:
    """A letter to a new game, without headings."""
    rules = game(key)
    scope = Scope(sections=SECTIONS[key], turn=1)
    return rules.grammar.read(
        list(enumerate(text.splitlines(), 1)), rules.roster(rules.start(), seat), "", scope
    )


def placed(reading: Reading) -> list[str]:
    """The orders of a letter in which each line is read, and stands below no heading."""
    assert not reading.faults and not reading.unread, (reading.faults, reading.unread)
    assert not any(isinstance(each, Heading) for each in reading.said)
    lines = [each for each in reading.said if isinstance(each, Line)]
    return [
        f"{','.join(each.order.actors())} {getattr(each.order, 'hex', 'default')}".strip() for each in lines
    ]


@pytest.mark.parametrize(
    ("key", "seat", "text", "orders"),
    [
        ("rampage", "allied", "2A, 3A and 4A start in Le Mans", ["2A,3A,4A 1202"]),
        ("rampage", "allied", "1Inf and 4Inf go to 1302", ["1Inf,4Inf 1302"]),
        ("rampage", "allied", "1Inf at 1302\n5Inf set up with 1Inf", ["1Inf 1302", "5Inf 1302"]),
        ("rampage", "allied", "90Inf and 79Inf stack with 2FrA in 1402", ["90Inf,79Inf,2FrA 1402"]),
        ("rampage", "allied", "2FrA at 1402\n90Inf stacks with 2FrA in 1402", ["2FrA 1402", "90Inf 1402"]),
        ("rampage", "allied", "51 and 59 Inf into 1900", ["51BrInf,59BrInf 1900"]),
        ("rampage", "allied", "everyone else default", ["default"]),
        ("rampage", "allied", "default for the rest", ["default"]),
        (
            "falaise",
            "allied",
            "Poles: Koszutski 1016, Zgorzelski 1118",
            ["Koszutski 1016", "Zgorzelski 1118"],
        ),
        ("falaise", "allied", "12th Corps:\n197/59 at 1334", ["197/59 1334"]),
        (
            "falaise",
            "allied",
            "71/53 at 1528, 158/53 at 1429\nGreys with 71/53, 44RTR with 158/53",
            ["71/53 1528", "158/53 1429", "Greys/4AB 1528", "44RTR/4AB 1429"],
        ),
        ("falaise", "allied", "59 Div: 176 and 177 in 1331 and 1332", ["176/59 1331", "177/59 1332"]),
        ("falaise", "german", "21 Panzer: both KGs at 1420", ["192/21Pz,125/21Pz 1420"]),
    ],
)
def test_words_that_set_units_up(key: str, seat: str, text: str, orders: list[str]) -> None:
    assert placed(read(key, seat, text)) == orders


@pytest.mark.parametrize(
    ("key", "seat", "text"),
    [
        ("falaise", "allied", "Greys with 71/53"),  # which stands nowhere yet
        ("falaise", "allied", "176 and 177 of 59 Div in 1331, 1332 and 1333"),  # two brigades, three hexes
        ("falaise", "german", "9SS: all three around 2432"),
    ],
)
def test_what_does_not_say_where_is_not_taken(key: str, seat: str, text: str) -> None:
    reading = read(key, seat, text)
    assert len(reading.orders) == text.count("\n")
    assert reading.faults or any(each.like for each in reading.unread)
    assert not any(isinstance(each, Heading) for each in reading.said)


def test_a_formation_that_stands_on_the_map_heads_orders_for_its_turn() -> None:
    units = "Koszutski 1016\nStefanowicz 1117\nZgorzelski 1118"
    reading = read("falaise", "allied", f"{units}\nPoles: Koszutski 1015")
    assert [each.section for each in reading.said if isinstance(each, Heading)] == ["Pol"]


def test_no_redeployment_is_no_misspelt_heading() -> None:
    rules = game("falaise")
    scope = Scope(sections=("redeployment",), turn=1)
    roster = rules.roster(rules.start(), "german")
    reading = rules.grammar.read([(1, "[redeployment]"), (2, "no redeployment")], roster, "", scope)
    assert [each.name for each in reading.said if isinstance(each, Command)] == ["none"]
    assert not reading.faults and not reading.unread


@pytest.mark.parametrize(
    "line", ["192 does not move", "192 dont move", "192/21Pz stays, the rest does not attack"]
)
def test_one_that_does_not_move_ends_nothing_before_any_is_on_the_map(line: str) -> None:
    """It was read as `hold`: the orders behind it would not have been played."""
    rules = game("falaise")
    roster = rules.roster(rules.start(), "german")
    scope = Scope(sections=("set-up", "1SS"), turn=1)
    reading = rules.grammar.read([(1, line)], roster, "1SS", scope)
    assert not reading.orders and not reading.faults and not reading.unread
    first = next(each for each in reading.said if isinstance(each, Command))
    assert (first.name, first.names) == ("stay", ("192/21Pz",))
