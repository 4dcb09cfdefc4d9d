"""No offer says less than what was written."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache

import pytest
from sizes import some

from pbem.engine.language import amiss, phrases, senses
from pbem.engine.language import lines as said_lines
from pbem.engine.language.names import Names
from pbem.engine.language.whole import says_all
from tests.language.test_language import GAMES, Desk, Written, choices, corpus, desk, offered


@pytest.mark.parametrize(
    ("line", "offer"),
    [
        ("2Rangers holds, 5Rangers to 4429", "2Rangers, 5Rangers to 4429"),
        ("79Inf to 1303 next turn", "79Inf to 1303"),
        ("fight at least 2 rounds", "fight at 2 rounds"),
        ("land 8/4 at Utah beach 2", "land 8/4 at Utah"),
        ("79Inf to 1303; then 80Inf follows", "80Inf to 1303"),
        ("50 BR dont move, 79a to 0811", "50 BR move, 79a to 0811"),
        ("35ID stays, 28 + 30 ID to 1105, 1106", "35ID, 28, 30 ID to 1105, 1106"),
        ("9th SS: all three regiments to 0912", "all to 0912"),
        ("commit 2 if the allied air force stays home", "commit 2 if the air"),
        ("Airstrike on 1625, two counters", "airstrike 1625"),
        ("7th Armoured to 1509, one RP", "7th Armoured to 1509"),
        ("attack 1009 with 3CA, below 2:1", "attack 1009 with 3CA"),
        ("V Corps, 3 AD attack 1310, no advance for 3 AD", "V Corps, 3 AD attack 1310, no advance"),
        ("8/4 to 5230, island", "8/4 to 5230"),  # no slip of "inland"
    ],
)
def test_an_offer_that_says_less(line: str, offer: str) -> None:
    names = Names(desk("normandy44").rosters["allied"])
    assert not says_all(line, offer, names)
    assert says_all(line, line, names)


@pytest.mark.parametrize(
    ("line", "offer"),
    [
        ("move 4S to the hex 0518 please", "move 4S to 0518"),
        ("attack 0914 with 29US at least 2:1", "attack 0914 with 29US at 2:1 or better"),
        ("attack 0914 with 29US, nobody advances", "attack 0914 with 29US, no advance"),
        ("moev 4US ot 0518", "move 4US to 0518"),
        ("4US pulls back to 0518 this turn", "move 4US to 0518"),
    ],
)
def test_an_offer_that_says_all(line: str, offer: str) -> None:
    assert says_all(line, offer, Names(desk("normandy44").rosters["allied"]))


IN_OTHER_WORDS = {
    "none": "DONE",
    "armour replacement to 2 AD": "when administration: replace 2 AD",
    "1 armor RP: Lehr": "when administration: replace Lehr",
    "37 PzG and 38 PzG enter at 5501 (south edge)": "[movement]\n37 PzG and 38 PzG enter at 5501",
}
"""Offers that say all of a line in words of the game, or leave out a comment that says nothing of it."""


def offers(key: str, lines: Iterable[Written]) -> Iterator[tuple[Written, str]]:
    """Those of these lines of a game that do not read, each with what is offered for it."""
    at = desk(key)
    for line in lines:
        reading = at.read(line.seat, line.section, line.text)
        for offer in offered(reading) if reading.faults else ():
            yield line, offer


@cache
def known(key: str) -> list[tuple[Written, str]]:
    """The same of lines as strangers write them."""
    return [*offers(key, some(corpus(f"fresh_{key}"), 30))]


def shorter(key: str, found: Iterable[tuple[Written, str]]) -> list[tuple[str, str]]:
    """The lines of a game for which less is offered than they say."""
    rosters = desk(key).rosters
    return [
        (line.text, offer)
        for line, offer in found
        if not says_all(line.text, offer, Names(rosters[line.seat]))
        and IN_OTHER_WORDS.get(line.text) != offer
    ]


@pytest.mark.parametrize("key", GAMES)
def test_every_offer_reads(key: str) -> None:
    """What is offered for a line as strangers write it can be sent as it stands."""
    at = desk(key)
    for line, offer in known(key):
        again = at.read(line.seat, line.section, offer)
        assert not again.faults and not again.unread, (line.text, offer)


@pytest.mark.parametrize("key", GAMES)
def test_no_offer_says_less(key: str) -> None:
    assert not shorter(key, known(key))


@pytest.mark.parametrize(
    "text",
    ["9th SS ot 0912 (if it ever left)", "91 ID back to 0721 (if it ever left)", "91 ID ot 0721; no attack"],
)
def test_a_comment_that_limits_is_never_left_out(text: str) -> None:
    """Where a limit behind an order is no clause of it, nothing is offered."""
    reading = desk("normandy44").read("german", "phase B", text)
    assert reading.faults and not [*offered(reading)]


def test_an_order_behind_another_is_offered_with_it() -> None:
    reading = desk("normandy44").read("german", "phase B", "moev 91ID to 0721; 352ID to 0914")
    assert [*offered(reading)] == ["move 91ID to 0721\n352ID to 0914"]


def test_an_offer_that_leaves_out_words_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the check of offers less is offered, and it is found."""
    monkeypatch.setattr(Desk, "read", Desk.read.__wrapped__)  # not what was read before
    for module in (amiss, said_lines, phrases, senses):
        monkeypatch.setattr(module, "says_all", lambda line, offer, names: True)
    found = shorter("france44", offers("france44", corpus("fresh_france44")))
    assert ("commit 2 if the allied air force stays home", "commit 2 if the air") in found


def test_a_way_that_breaks_off_is_not_read() -> None:
    reading = desk("rampage").read("allied", "operations", "move GdsA, 3BrInf to 1604 1605 via")
    assert reading.faults and not reading.orders


@pytest.mark.parametrize(
    "words", ["infantry only", "only infantry", "Infantry Only", "armour at most", "max"]
)
def test_a_word_that_limits_is_never_left_out(words: str) -> None:
    """A word that an option may begin with says something wherever it stands."""
    reading = desk("rampage").read("allied", "operations", f"move GdsA to 1901, {words}")
    assert not reading.orders


@pytest.mark.parametrize(
    ("text", "ready"),
    [
        ("all divisions attack 0619", []),  # which of all units are divisions is asked, not left out
        ("711ID atacks 1007 togther", ["711ID attack 1007"]),
    ],
)
def test_what_is_offered(text: str, ready: list[str]) -> None:
    reading = desk("normandy44").read("german", "phase A", text)
    assert reading.faults and not reading.orders
    assert [*offered(reading)] == ready


def test_several_unclear_names_are_settled_together() -> None:
    """Lines with a meaning of each are ready, those first whose units are of one sort; none is taken."""
    reading = desk("rampage").read("allied", "grounding", "ground the 1st, 4th and 35th")
    assert not reading.orders and not any(offered(reading))
    assert reading.faults[0].either[0] == "ground the 1Inf, 4Inf and 35th"


def test_a_line_without_a_verb_is_told_of_as_if_it_had_one() -> None:
    """Where it begins with units, the fault is behind them."""
    reading = desk("normandy71").read("allied", "reinforcement", "327th glider infantry: not yet")
    assert not reading.orders and reading.faults[0].error.column == len("327th ")


@pytest.mark.parametrize(
    ("key", "seat", "section", "text", "never"),
    [
        ("falaise", "allied", "7C", "Hold the line!", "hold"),
        ("falaise", "allied", "7C", "hold the town", "hold"),
        ("falaise", "allied", "standing", "losses: Koszutski first", "spare"),
        ("normandy44", "german", "phase A", "attack 1007 with 716ID, no support of LXXXIV", "support"),
        ("normandy44", "allied", "phase A", "Turn 7: move 4US to 0518", "move"),
        ("normandy44", "allied", "phase A", "next turn: 4US to 0518", "4US"),
        ("normandy44", "allied", "phase A", "if 4US wins, 82AB to 0518", "alive"),
        ("normandy44", "allied", "phase A", "move 4US to 0518 in phase B", "0518"),
    ],
)
def test_what_is_never_offered(key: str, seat: str, section: str, text: str, never: str) -> None:
    """No offer turns a line round, or makes it one for now."""
    reading = desk(key).read(seat, section, text)
    assert not reading.orders
    offers = [each.suggestion for each in (*reading.faults, *reading.unread)]
    assert not any(never in offer for offer in (*offers, *choices(reading)))


def test_orders_behind_semicolons_are_all_offered() -> None:
    reading = desk("normandy44").read(
        "allied", "allocation", "support VII/US; cover VII/US with 2 fighters; carpet 1009 with UK"
    )
    assert [each.suggestion.count("\n") for each in reading.faults] == [2]
