"""Lines as people write them who know the printed rules and not the usage lines: nicknames, reasons, limits
that no order has, verbs of their own. Each is read as it is meant, or comes back with the line that is left
and the words that it does not say."""

from __future__ import annotations

import re
import time

import pytest

from pbem.engine.language import Reading
from pbem.engine.language.leftover import BRACKETS, CUT, LABELLED, ON_TERMS, PUSHES_ON
from pbem.engine.language.model import Scope
from pbem.engine.language.parts import ALL_OF_THEM, SORTIES
from pbem.engine.language.turns import RESPELT
from pbem.engine.language.unsaid import HOLDS
from pbem.engine.language.work import MOST_WORK, Work
from pbem.games.falaise import phrasing as falaise
from pbem.games.normandy71 import phrasing as normandy71
from pbem.games.rampage import phrasing as rampage
from tests.language.test_language import desk, said


def read(key: str, seat: str, section: str, line: str) -> Reading:
    return desk(key).read(seat, section, line)


@pytest.mark.parametrize(
    ("key", "seat", "section", "line", "meant"),
    [
        ("falaise", "allied", "12C", "71/53 and Greys att 1627, Greys take first loss",
         "assault 1627 with 71/53, Greys, lose Greys"),
        ("falaise", "allied", "15C", "80th Div attacks 3319 w/317+318, need 2-1",
         "assault 3319 with 317/80, 318/80 at 2-1 or better"),
        ("falaise", "allied", "15C", "Billotte breaks contact, falls back to 3429", "move Billotte to 3429"),
        ("falaise", "allied", "bombardment", "Typhoons x2 on KG Prinz", "airstrike on 1523 times 2"),
        ("falaise", "german", "1SS", "Wittmann's Tigers counterattack 1526 together with KG 25",
         "assault 1526 with 501SS, 25/12SS"),
        ("falaise", "german", "84", "353 ID exits by the southern edge", "exit 941/353, 942/353, 943/353"),
        ("rampage", "allied", "operations", "90ID & 2e DB to Orleans", "90Inf, 2FrA to Orleans"),
        ("rampage", "allied", "operations", "30th Old Hickory -> Evreux", "30Inf to Evreux"),
        ("rampage", "allied", "operations", "2CanInf + 3CanInf attack Le Havre until taken",
         "2CanInf, 3CanInf to Le Havre, fight until won"),
        ("rampage", "allied", "operations", "80th & 5th ID → Sens, then hold", "80Inf, 5Inf to Sens"),
        ("rampage", "allied", "grounding", "28th gives up its trucks", "ground 28Inf"),
        ("rampage", "allied", "replacement", "both to Desert Rats and 3rd Armored", "replenish 7BrA, 3A"),
        ("normandy71", "allied", "movement", "Sherwood Rgrs with 231 Bde -> Bayeux",
         "SherRgrs/8, 231/50 to Bayeux"),
        ("normandy71", "allied", "movement", "Lovat's commandos (3+6) to 1421", "3+6Cdo to 1421"),
        ("normandy71", "allied", "combat", "501+506 v FJR6 (5325), no naval",
         "attack 5325 with 501/101, 506/101, naval none"),
        ("normandy71", "allied", "plan", "116 RCT + 743 on Omaha (beach 5)", "land 116/29, 743 at 5 Omaha"),
        ("normandy71", "allied", "plan", "the 116th and 743 on no. 6", "land 116/29, 743 at 6 Omaha"),
        ("normandy71", "allied", "plan", "502nd jumps over 5431, 506th over 5329",
         "drop 502/101 at 5431\ndrop 506/101 at 5329"),
        ("normandy71", "allied", "plan", "Supplies come in over 3, 8, 11, 14 and 16.",
         "supply from 3, 8, 11, 14, 16"),
        ("normandy71", "german", "entrenchment", "FJR6 and 739 dig themselves in", "entrench FJR6, 739"),
        ("falaise", "allied", "bombardment", "two strikes on 1524, one on 1525",
         "airstrike on 1524 times 2\nairstrike on 1525"),
        ("falaise", "allied", "bombardment", "All three air strikes on 1523", "airstrike on 1523 times 3"),
        ("falaise", "allied", "bombardment", "2 Cdn Cps arty - 1525", "artillery of 2CC on 1525"),
        ("normandy71", "german", "set-up", "Rest: standard.", "default"),
        ("normandy71", "allied", "plan", "anything I forgot: wherever you usually put it", "default"),
        ("falaise", "german", "set-up", "All the others as you like (standard positions).", "default"),
        ("falaise", "allied", "set-up", "everyone not mentioned sets up by default", "default"),
    ],
)  # fmt: skip
def test_read_as_meant(key: str, seat: str, section: str, line: str, meant: str) -> None:
    assert said(read(key, seat, section, line)) == desk(key).meaning(seat, section, meant)


@pytest.mark.parametrize(
    ("key", "seat", "section", "line", "quoted", "offers"),
    [
        ("falaise", "allied", "12C", "Attack 1530 w/ 158 Bde and 44RTR, max 1 step lost",
         'no order says "max 1 step lost": without it?',
         ("when 12C: assault 1530 with 158/53, 44RTR/4AB",)),
        ("falaise", "allied", "12C", "160 Bde probes 1530",
         '"probes" is no order here: which is meant?',
         ("when 12C: mech assault 1530 with 160/53", "when 12C: assault 1530 with 160/53")),
        ("rampage", "allied", "operations", "4A to 1407, bypass Orleans",
         'no order says "bypass Orleans": without it?', ("move 4A to 1407",)),
        ("rampage", "allied", "operations", "7AD to Melun via Fontainebleau, keep going if won",
         'which of these? no order says "keep going if won": without it?',
         ("move 7BrA to 1308 1408", "move 7A to 1308 1408")),
        ("rampage", "allied", "airborne", "Screaming Eagles jump at 2307 to trap the Germans",
         'no order says "to trap the Germans": without it?', ("drop 101AB at 2307",)),
        ("normandy71", "german", "movement", "716 ID survivors to 1420",
         'no order says "survivors": without it?', ("move 736/716 to 1420",)),
        ("normandy71", "german", "movement", "FJR 6 defends Carentan, no move",
         '"defends" is no order here: which is meant? no order says "no move": without it?',
         ("FJR6/2FJ stays",)),
        ("normandy71", "german", "movement 2", "12. SS tanks follow up into 0919 for once",
         '"follow up into" is no order here: which is meant? no order says "for once": without it?',
         ("move 12Pz/12SS to 0919",)),
        ("normandy71", "allied", "entrenchment", "116 entrenches if not in contact",
         'no condition says "if not in contact": in any case?', ("entrench 116/29",)),
    ],
)  # fmt: skip
def test_asked_with_what_is_left(
    key: str, seat: str, section: str, line: str, quoted: str, offers: tuple[str, ...]
) -> None:
    """Nothing is played; the words that the offer does not say are quoted."""
    reading = read(key, seat, section, line)
    assert not reading.orders
    [fault] = reading.faults
    assert str(fault.error) == quoted and fault.either == offers
    for offer in offers:
        again = read(key, seat, section, offer)
        assert not again.faults and not again.unread


@pytest.mark.parametrize(
    ("key", "seat", "section", "line", "never"),
    [
        ("rampage", "allied", "operations", "4A to 1407, bypass Orleans", "1106"),
        ("rampage", "allied", "operations", "4A to 1407 next turn", "1407"),
        ("rampage", "allied", "operations", "4A to 1407, forget it", "1407"),
        ("normandy71", "allied", "movement", "8/4 to 5230 5130, not 5230", "5230"),
        ("falaise", "allied", "2CC", "4AB/4C bypasses Potigny, ends at 1417", "0528"),
        ("rampage", "allied", "operations", "2nd Free French with 90th to Fontainebleau", "2CanInf"),
        ("falaise", "allied", "12C", "If 1628 is empty 71 Bde moves in, otherwise stays", "hold"),
    ],
)
def test_never_offered(key: str, seat: str, section: str, line: str, never: str) -> None:
    """No line is offered that does what its writer does not want, or does it now."""
    reading = read(key, seat, section, line)
    assert not reading.orders
    assert not [
        offer for each in reading.faults for offer in (each.suggestion, *each.either) if never in offer
    ]


def test_a_condition_behind_a_semicolon_comes_back_with_the_line_alone() -> None:
    line = "Guards attack Amiens; if that fails they fall back to 1702"
    reading = read("rampage", "allied", "operations", line)
    assert not reading.orders and reading.faults[0].either == ("Guards attack Amiens",)
    later = read("rampage", "allied", "operations", "Guards attack Amiens; if that fails, next turn")
    assert not later.orders and not later.faults[0].either


@pytest.mark.parametrize(
    ("key", "section", "line"),
    [
        ("rampage", "operations", "4A to 1407, " + "and then with the rest if at all " * 16),
        ("falaise", "2CC", "10 and 4 and 2 to the of by in at " * 16),
        ("normandy71", "combat", "8 Bde, 9 Bde attack 1321 " + "(8) at 7 if " * 40),
    ],
)
def test_a_long_line_costs_no_more_than_a_letter_may(key: str, section: str, line: str) -> None:
    at, work = desk(key), Work()
    scope = Scope(sections=(section,), turn=at.state.turn)
    reading = at.game.grammar.read([(1, line)], at.rosters["allied"], section, scope, work)
    assert not reading.orders and MOST_WORK - work.left < MOST_WORK // 4


def test_all_that_are_counted_attack() -> None:
    """Only one of three brigades is next to the hex: it does not attack alone in silence."""
    reading = read("falaise", "allied", "12C", "59 Div assaults 1433, all three brigades")
    assert not reading.orders and "all 3, or those that can?" in str(reading.faults[0].error)


@pytest.mark.parametrize(
    ("key", "seat", "section", "line"),
    [
        ("falaise", "allied", "bombardment", "Typhoons on 1523"),  # how many?
        ("rampage", "allied", "operations", "3A to 1502, 4A holds there"),
        ("normandy71", "allied", "movement", "8/4 to 5230 and digs in there"),  # to entrench is an order
    ],
)
def test_nothing_is_left_out_in_silence(key: str, seat: str, section: str, line: str) -> None:
    reading = read(key, seat, section, line)
    assert reading.faults or reading.unread or len(said(reading)) > 1


PATTERNS = {
    **{pattern.pattern: pattern for pattern in (BRACKETS, CUT, LABELLED, ON_TERMS, PUSHES_ON)},
    **{pattern.pattern: pattern for pattern in (ALL_OF_THEM, SORTIES, HOLDS)},
    **{pattern.pattern: pattern for pattern, _ in RESPELT},
}


@pytest.mark.parametrize(
    "text",
    [" " * 3000, "x" * 3000, "x " * 1500, "a, " * 1000, "4/2 " * 750, "to " * 1000, "if " * 1000, "(" * 3000],
    ids=["blanks", "letters", "words", "commas", "units", "to", "if", "brackets"],
)
def test_no_pattern_takes_long(text: str) -> None:
    """Mail is hostile: each pattern gets through a page of anything in a moment."""
    games = [
        re.compile(said, re.IGNORECASE)
        for phrasing in (falaise, normandy71, rampage)
        for said, _ in phrasing.RESPELT
    ]
    for pattern in (*PATTERNS.values(), *games):
        start = time.perf_counter()
        pattern.search(text)
        pattern.fullmatch(text)
        assert time.perf_counter() - start < 1, pattern.pattern


def test_each_unit_in_its_place() -> None:
    """``A at X, B at Y`` is a line for each."""
    [fault] = read("normandy71", "german", "set-up", "919 at 5131, 729 at 5130").faults
    assert fault.either == ("place 919/709 at 5131\nplace 729/709 at 5130",)
    assert "send one line for each hex" in str(fault.error)


def test_no_attack_on_one_hex_says_nothing_of_the_others() -> None:
    [fault] = read("normandy71", "german", "combat", "No attack at 5328, odds are silly").faults
    assert not fault.either and not fault.suggestion
