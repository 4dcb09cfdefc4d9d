"""How well the order language understands people: lines as they are written in mail, and canonical lines with
a typing error.

A line is *understood* if it is read as what is meant, *offered* if the fault brings a ready line that is,
*asked* if the fault names the choices, *refused* if it says only what is wrong. *Misread* is what must never
be: a line taken for another order, or another order offered.
"""

from __future__ import annotations

import gzip
import random
import re
import tomllib
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

import pytest
from sizes import size

from pbem.engine.errors import Ambiguous
from pbem.engine.game import Game, game
from pbem.engine.language.model import Command, Line, Reading, Roster, Scope
from pbem.engine.language.names import (
    REMEMBERED,
    folded,
    name_words,
    place_key,
    plain_id,
    plain_number,
)

HERE = Path(__file__).parent
GAMES = ("rampage", "falaise", "normandy44", "france44", "normandy71")
OUTCOMES = ("understood", "offered", "asked", "refused", "MISREAD")

Meaning = tuple[Any, ...]
"""What lines say, in their order."""


@dataclass(frozen=True)
class Written:
    """A line of the corpus: who writes it where, what is meant, and what may be offered where nothing can be
    taken."""

    seat: str
    section: str
    text: str
    want: tuple[str, ...]
    also: tuple[str, ...] = ()
    offers: tuple[str, ...] = ()
    why: str = ""
    meant: str = ""


class Desk:
    """The position of one game in which its lines are read."""

    def __init__(self, key: str) -> None:
        self.game: Game[Any] = game(key)
        self.state = self.game.load(gzip.decompress((HERE / f"{key}.json.gz").read_bytes()))
        self.rosters = {seat.key: self.game.roster(self.state, seat.key) for seat in self.game.seats}

    @lru_cache(1000)  # noqa: B019 - there is one desk a game, to the end
    def read(self, seat: str, section: str, text: str) -> Reading:
        """What a letter with this text below this heading says."""
        roster: Roster = self.rosters[seat]
        scope = Scope(sections=(section,), turn=self.state.turn)
        return self.game.grammar.read(list(enumerate(text.splitlines(), 1)), roster, section, scope)

    def meaning(self, seat: str, section: str, text: str) -> Meaning:
        """The meaning of canonical lines, which must read; a heading in front may name another section."""
        found = re.match(r"\[(.+?)\] ", text)
        reading = self.read(seat, found[1] if found else section, text[found.end() :] if found else text)
        assert not reading.faults and not reading.unread, (text, reading.faults, reading.unread)
        return said(reading)


@cache
def desk(key: str) -> Desk:
    return Desk(key)


def corpus(key: str) -> tuple[Written, ...]:
    values = tomllib.loads((HERE / f"{key}.toml").read_text())["line"]
    return tuple(
        Written(**{name: tuple(value) if isinstance(value, list) else value for name, value in each.items()})
        for each in values
    )


def said(reading: Reading) -> Meaning:
    """What a letter orders, without the words in which it does."""
    return tuple(
        (each.section, each.order, each.conditions, each.otherwise, each.attempt)
        if isinstance(each, Line)
        else (each.name, each.argument, each.names, each.text)
        for each in reading.said
        if isinstance(each, Line | Command)
    )


def offered(reading: Reading) -> Iterator[str]:
    """The ready lines of a letter that is not read as a whole, as they stand among the others."""
    ready = [each.suggestion for each in (*reading.faults, *reading.unread)]
    taken = [each.text for each in reading.orders]
    if all(ready):
        yield "\n".join([*taken, *ready])


def choices(reading: Reading) -> Iterable[str]:
    return [line for each in reading.faults for line in each.either]


def outcome(at: Desk, seat: str, section: str, text: str, right: list[Meaning], offers: list[Meaning]) -> str:
    """How a line fares of which each of `right` is the meaning, and for which `offers` may be offered
    besides; without `right` no order may be taken."""
    reading = at.read(seat, section, text)
    taken = said(reading)
    if not reading.faults and not reading.holding:
        if taken:
            return "understood" if taken in right else "MISREAD"
        return "refused" if right else "understood"
    if taken:
        return "MISREAD"
    fine = (*right, *offers)
    for line in offered(reading):
        again = at.read(seat, section, line)
        return "offered" if not again.faults and said(again) in fine else "MISREAD"
    if any(said(at.read(seat, section, line)) in fine for line in choices(reading)):
        return "offered"
    errors = [each.error for each in reading.faults]
    asked = any(isinstance(error, Ambiguous) or choices(reading) for error in errors)
    return "asked" if asked else "refused"


def judged(at: Desk, line: Written) -> str:
    def meanings(texts: Iterable[str]) -> list[Meaning]:
        return [at.meaning(line.seat, line.section, text) for text in texts]

    assert bool(line.want) != bool(line.why), line
    right = meanings(["\n".join(line.want), *line.also] if line.want else ())
    return outcome(at, line.seat, line.section, line.text, right, meanings(line.offers))


@pytest.mark.parametrize("key", GAMES)
def test_lines_as_people_write_them(key: str) -> None:
    """No line is misread, and 85 of 100 that mean an order are understood or come back ready to send."""
    lines = corpus(key)
    assert len(lines) == 60
    outcomes = {line: judged(desk(key), line) for line in lines}
    orders = [found for line, found in outcomes.items() if line.want]
    table(f"{key}, orders", orders)
    table(f"{key}, no orders", [found for line, found in outcomes.items() if not line.want])
    for line, found in outcomes.items():
        if found not in ("understood", "offered"):
            print(f"  {found:10} [{line.section}] {line.text}")
    assert "MISREAD" not in outcomes.values()
    count = Counter(orders)
    assert count["understood"] + count["offered"] >= 0.85 * len(orders)


def table(title: str, outcomes: Iterable[str]) -> None:
    count = Counter(outcomes)
    print(f"{title:24}" + "  ".join(f"{name} {count[name]:3}" for name in OUTCOMES))


@pytest.mark.parametrize(
    ("key", "seat", "section", "text"),
    [
        ("normandy71", "allied", "movement", "move 7/3 to 1425"),  # 7/3C is another division
        ("rampage", "allied", "operations", "move 1BrA to 1705"),  # 1BrAB
        ("normandy44", "allied", "phase B", "attack 1106 with 6A"),  # A/6AD
        ("normandy44", "allied", "phase B", "move 4S to 0518"),  # 4SSB
        ("normandy44", "allied", "phase B", "move 79b, CA to 0909"),  # II/CA
        ("normandy71", "allied", "movement", "move 6/1 to 3628"),  # 3+6Cdo/1SS
        ("france44", "allied", "initiative", "activate US1 with VII/UK, V/US"),  # 7AD/BR
        ("france44", "allied", "initiative", "if 1209 is empty, ten move VIII/US to 1209"),  # in box 10
        ("falaise", "german", "1SS", "assault 1424 with 25//12SS, Pz/12SS"),  # the rest as a comment
    ],
)
def test_names_cut_short_are_never_taken_for_others(key: str, seat: str, section: str, text: str) -> None:
    """A slip in a name is a fault, even if it makes the beginning, or some words, of another name."""
    reading = desk(key).read(seat, section, text)
    assert reading.faults and not reading.orders


@pytest.mark.parametrize(
    ("key", "seat", "section", "text"),
    [
        ("normandy71", "allied", "movement", "move all in 1999 to 1223"),  # not: all units
        ("normandy71", "allied", "movement", "move 99/9 to 5230"),  # not: the next unit with a 9
        ("france44", "allied", "initiative", "attack 1209 with VIII Corps, VII/US"),  # not: VII/US alone
        ("normandy44", "allied", "phase B", "attack 1009 with 3CA and all UK cruisers"),  # not: without guns
        ("rampage", "allied", "operations", "move 3A, 1Inf, Inf to 1403"),  # not: without the third
        ("rampage", "allied", "operations", "3A to 1503 without fighting"),  # not: with a battle there
        ("rampage", "allied", "operations", "3A to 1504, no further than 1503"),  # not: to both
        ("rampage", "allied", "operations", "3A attacks 1503, no more losses"),
        ("rampage", "allied", "operations", "3A attacks 1503, no more rounds"),
        ("falaise", "allied", "bombardment", "all airstrikes on 3219"),  # not: one of them
        ("falaise", "allied", "bombardment", "both airstrikes on 3219"),
        ("falaise", "allied", "bombardment", "airstrike on 3219 with everything"),
        ("normandy44", "allied", "phase B", "82AB attacks 0720, not supported by VII"),  # not: supported
        ("normandy44", "allied", "phase B", "82AB attacks 0720 without the support of VII"),
    ],
)
def test_no_line_is_offered_that_says_less(key: str, seat: str, section: str, text: str) -> None:
    """A ready line leaves out nothing that names units, where they are, or what helps them."""
    reading = desk(key).read(seat, section, text)
    assert not reading.orders and not any(offered(reading))


@pytest.mark.parametrize(
    ("key", "seat", "section", "text", "units"),
    [
        ("normandy71", "german", "movement", "12SS to 1021", "25PzG/12SS 26PzG/12SS 12Pz/12SS 12AA/12SS"),
        (
            "normandy71",
            "german",
            "movement",
            "21st Panzer Division to 1322",
            "22Pz/21 125PzG/21 192PzG/21 21AA/21",
        ),
        ("normandy71", "german", "movement", "12SS: 25 -> 0520", "25PzG/12SS"),
        (
            "normandy71",
            "german",
            "movement",
            "all of 12SS but 26PzG to 1021",
            "25PzG/12SS 12Pz/12SS 12AA/12SS",
        ),
        ("normandy71", "allied", "movement", "8th Bde (3rd British Div) to 1422", "8/3"),
        ("normandy71", "allied", "movement", "8th Bde (of the 3rd British Div) to 1422", "8/3"),
        ("normandy71", "allied", "movement", "8th Bde of 3rd British Div to 1422", "8/3"),
        ("normandy71", "allied", "combat", "4th Div attacks 5131", "8/4 12/4 22/4"),
        (
            "falaise",
            "german",
            "47Pz",
            "the 116th Panzer Division attacks 3420",
            "60/116Pz 156/116Pz 16/116Pz",
        ),
        ("rampage", "allied", "operations", "everyone in 1104 but 28Inf to 1105", "9Inf 30Inf 35Inf"),
        ("rampage", "allied", "operations", "53 and 59 Br Inf to 1605", "53BrInf 59BrInf"),
    ],
)
def test_formations_and_sets_stand_for_their_units(
    key: str, seat: str, section: str, text: str, units: str
) -> None:
    """The name of a formation, or of a set, is read as its units; in an attack those near its target."""
    reading = desk(key).read(seat, section, text)
    assert [set(line.order.actors()) for line in reading.orders] == [set(units.split())]


@pytest.mark.parametrize(
    ("key", "seat", "section", "text"),
    [
        ("normandy71", "allied", "movement", "7th Armoured to 1322"),  # a division, or the 4th/7th Dragoons
        ("normandy71", "german", "movement", "2nd Panzer to 1021"),  # of the 2nd or of the 2nd SS
        ("normandy71", "allied", "movement", "3rd Division to 1322"),  # British or Canadian
        ("falaise", "allied", "7C", "18/1, 26/1 move to 3342 & 3341"),  # one way, or a hex for each
        ("falaise", "allied", "15C", "Dio + Langlade on 3431"),  # a move, or an attack
    ],
)
def test_what_may_be_two_things_is_asked_with_ready_lines(
    key: str, seat: str, section: str, text: str
) -> None:
    reading = desk(key).read(seat, section, text)
    assert not reading.orders and len(list(choices(reading))) > 1


@pytest.mark.parametrize(
    ("key", "seat", "section", "text"),
    [
        ("normandy44", "german", "phase B", "192/21Pz holds Caen and blows up the bridges"),
        ("normandy44", "german", "phase B", "192/21Pz holds Caen, marches north"),
    ],
)
def test_units_that_hold_a_place_do_nothing_else(key: str, seat: str, section: str, text: str) -> None:
    """Behind the place that units hold no word is passed over."""
    reading = desk(key).read(seat, section, text)
    assert reading.faults and not said(reading)


@pytest.mark.parametrize(
    ("key", "seat", "section", "text"),
    [
        ("normandy44", "allied", "phase B", "4US moves next to Valognes"),  # not: to it
        ("normandy44", "allied", "phase B", "4US goes next to 0519"),
        ("normandy44", "allied", "phase B", "82AB moves 2 hexes to 0720"),  # 2 is no unit
        ("normandy44", "allied", "phase B", "82AB to 0720 so that 4US can pass"),  # 4US does not stay
        ("normandy44", "allied", "phase B", "82AB attacks 0720, no more support"),
        ("france44", "allied", "initiative", "activate US1 with all corps"),  # not: with all
        ("france44", "allied", "initiative", "3rd increment: VII attacks Saint-Lo, VIII stays"),  # no 3AD
        ("france44", "allied", "initiative", "inc 2: VII moves to 1108, VIII stays"),  # no 2AD
        ("rampage", "allied", "operations", "all of V Corps to 1105"),  # not: all against 1105
    ],
)
def test_words_that_limit_or_place_are_not_fillers(key: str, seat: str, section: str, text: str) -> None:
    reading = desk(key).read(seat, section, text)
    assert reading.faults and not said(reading)


@pytest.mark.parametrize(
    ("key", "section", "text"),
    [
        ("normandy71", "combat", "16/1, 18/1 and 741 against 3828 (heavy)"),
        ("normandy71", "combat", "attack 3828 with 16/1 ; medium gunfire"),
        ("normandy44", "phase B", "attack 0720 with 82AB (fighters)"),
    ],
)
def test_a_comment_with_a_word_of_the_order_is_none(key: str, section: str, text: str) -> None:
    """What an order of the section may have besides is no comment, in brackets or behind a semicolon."""
    reading = desk(key).read("allied", section, text)
    assert reading.faults and not said(reading)
    assert [each for each in offered(reading) if "naval" in each or "fighters 1" in each]
    kind = desk(key).read("allied", section, text.replace("heavy", "good luck").replace("fighters", "hurrah"))
    assert said(kind) if "(" in text else not said(kind)


@pytest.mark.parametrize(
    "words",
    [
        "with the support of VII",
        "supported by VII",
        ", VII in support",
        "and VII supports",
        "with VII support",
    ],
)
def test_support_in_players_words(words: str) -> None:
    at = desk("normandy44")
    meant = at.meaning("allied", "phase B", "attack 0720 with 82AB support of VII")
    assert said(at.read("allied", "phase B", f"82AB attacks 0720 {words}".replace(" ,", ","))) == meant


@pytest.mark.parametrize(
    ("key", "section", "text", "offer"),
    [
        ("normandy44", "allocation", "interdict zone II with an Amercan fighter", "an American fighter"),
        ("normandy44", "allocation", "carpet 0905 with the comonwealth bombers", "the Commonwealth bombers"),
        ("normandy44", "allocation", "delay Paris with two bombrs", "with 2 bombers"),
        ("normandy71", "landing", "land 8/4 at beech 1 Utah", "at beach 1 Utah"),
    ],
)
def test_a_misspelt_name_of_a_word_of_the_game(key: str, section: str, text: str, offer: str) -> None:
    """What armies, beaches and so on also go by is mended as their own words are."""
    offers = list(offered(desk(key).read("allied", section, text)))
    assert offers and offers[0].endswith(offer)


@pytest.mark.parametrize(
    ("key", "section", "text", "plain"),
    [
        ("normandy44", "allocation", "delay Paris with two bombers", "delay Paris with 2 bombers"),
        ("normandy44", "allocation", "cover VII/US with two fighters", "cover VII/US with 2 fighters"),
        ("france44", "supply", "commit ten supply points", "commit 10 supply points"),
    ],
)
def test_numbers_as_words(key: str, section: str, text: str, plain: str) -> None:
    at = desk(key)
    assert said(at.read("allied", section, text)) == at.meaning("allied", section, plain)


@pytest.mark.parametrize("line", ["ten move VIII/US to 1209", "two VIII/US to 1209"])
def test_a_number_in_words_in_front_is_no_box(line: str) -> None:
    """It may be a slip, or say how many: nothing is offered that moves in a box of that number."""
    reading = desk("france44").read("allied", "initiative", line)
    assert reading.said and not reading.orders and not list(offered(reading))


def test_no_further_advance_is_no_advance() -> None:
    at = desk("normandy44")
    line = "82AB attacks 0720, no further advance"
    assert said(at.read("allied", "phase B", line)) == at.meaning(
        "allied", "phase B", "attack 0720 with 82AB, no advance"
    )


def test_a_line_that_reads_is_no_rest_of_a_faulty_one() -> None:
    """A broken line ends in the next only if it cannot end where it does, or the next says nothing alone."""
    at = desk("normandy71")
    reading = at.read("allied", "movement", "16/1 to 4028, with the 1st Div\n26/1: 4028. 12/4: 4128")
    assert [line.text for line in reading.orders] == ["move 26/1 to 4028", "move 12/4 to 4128"]
    assert reading.faults or reading.unread
    reading = at.read("allied", "movement", "16/1 and\n26/1: 4028. 12/4: 4128")
    assert [line.text for line in reading.orders] == ["move 16/1, 26/1 to 4028", "move 12/4 to 4128"]


# --- typing errors ------------------------------------------------------------------------------------------

TYPOS = size(50, 200)
WORD = re.compile(r"[^\s,:]+")
LETTERS = "abcdefghijklmnopqrstuvwxyz"


def mistyped(line: str, chance: random.Random) -> tuple[str, str, str]:
    """A line with one typing error, the word that has it, and what became of it. Numbers of hexes stay as
    they are."""
    words = [found for found in WORD.finditer(line) if not re.fullmatch(r"\d{4}|\d", found[0])]
    word = chance.choice(words)
    text, at = word[0], chance.randrange(len(word[0]))
    kind = chance.choice(("swap", "drop", "double", "wrong"))
    other = chance.choice("0123456789" if text[at].isdigit() else LETTERS)
    if kind == "swap" and len(text) > 1:
        at = min(at, len(text) - 2)
        wrong = text[:at] + text[at + 1] + text[at] + text[at + 2 :]
    elif kind == "drop" and len(text) > 1:
        wrong = text[:at] + text[at + 1 :]
    elif kind == "double":
        wrong = text[:at] + text[at] * 2 + text[at + 1 :]
    else:
        wrong = text[:at] + other + text[at + 1 :]
    return line[: word.start()] + wrong + line[word.end() :], text, wrong


def is_name(word: str, roster: Roster) -> bool:
    """Whether a word is the name of something: an id, a number, a place, or, like ``82Inf`` for the 82nd US
    Infantry Division, the number and the kind of a unit."""
    if folded(word) in map(folded, (*roster.units, *roster.hexes, *roster.places)):
        return True
    words = name_words(word)
    number = any(map(str.isdigit, words)) and "/" not in word
    return number and any(words <= name_words(unit.name) for unit in roster.units.values())


@pytest.mark.parametrize("key", GAMES)
def test_typing_errors(key: str) -> None:
    """A canonical line with one typing error is never taken for another order unless the error makes the name
    of something else, and 96 of 100 are understood or come back ready to send."""
    at, chance = desk(key), random.Random(key)
    lines = [(line.seat, line.section, want) for line in corpus(key) for want in line.want]
    lines = [each for each in lines if not each[2].startswith("hold")]
    outcomes: list[str] = []
    while len(outcomes) < TYPOS:
        seat, section, line = chance.choice(lines)
        text, word, wrong = mistyped(line, chance)
        if wrong == word or is_name(wrong, at.rosters[seat]):
            continue
        right = at.meaning(seat, section, line)
        reading = at.read(seat, section, text)
        found = outcome(at, seat, section, text, [right], [])
        if found not in ("understood", "offered"):
            again = next(offered(reading), "")
            print(f"  {found:10} {text!r} for {line!r}" + (f": {again!r}" if again else ""))
        silent = found == "MISREAD" and said(reading)
        assert not silent, f"{text!r} for {line!r} is read as {silent}"
        outcomes.append(found)
    table(f"{key}, typos", outcomes)
    count = Counter(outcomes)
    assert count["understood"] + count["offered"] >= 0.96 * TYPOS


@pytest.mark.parametrize("kept", [folded, name_words, place_key, plain_id, plain_number])
def test_words_of_letters_are_not_remembered_for_ever(kept: Any) -> None:
    """A process that reads letters for years does not grow with what is written in them."""
    for number in range(2 * REMEMBERED):
        kept(f"a{number}b")
    assert kept.cache_info().currsize == REMEMBERED


@pytest.mark.parametrize("key", GAMES)
@pytest.mark.parametrize("line", ["(now): we are ready", " : we are ready", "(2): stop 06:00", "(, ): ready"])
def test_a_colon_with_nothing_but_a_comment_before_it(key: str, line: str) -> None:
    """It is read like any line that says nothing, and stops no game."""
    for seat in desk(key).rosters:
        for section in desk(key).game.grammar.sections:
            assert not desk(key).read(seat, section, line).orders


# --- faulty orders under the wrong heading ------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "why", "suggestion"),
    [
        ("move 243 to 3309", 'there is no hex "3309" on the map', ""),
        ("mov 243 to 0825, pleese", 'unknown word "pleese"', "[phase A]\nmov 243 to 0825"),
    ],
)
def test_a_faulty_order_under_the_wrong_heading_is_judged_where_it_belongs(
    line: str, why: str, suggestion: str
) -> None:
    """Its writer learns both: the heading to put it under, and what is wrong with it there."""
    rules = game("normandy44")
    roster = rules.roster(rules.start("cherbourg"), "german")
    scope = Scope(sections=("allocation", "phase A"))
    [fault] = rules.grammar.read([(1, line)], roster, "allocation", scope).faults
    assert fault.error.text.startswith(f"move belongs under [phase A], not under [allocation]; {why}")
    assert fault.suggestion == suggestion


def test_choices_of_an_order_under_the_wrong_heading_come_with_the_right_one() -> None:
    """Where a name may mean several units each line to send has the heading to put it under."""
    rules = game("normandy44")
    roster = rules.roster(rules.start("cherbourg"), "german")
    scope = Scope(sections=("allocation", "phase A"))
    [fault] = rules.grammar.read([(1, "move Flak to 0825")], roster, "allocation", scope).faults
    assert isinstance(fault.error, Ambiguous) and str(fault.error) == fault.error.text
    assert fault.either == tuple(f"[phase A]\nmove {unit} to 0825" for unit in ("FlakA", "FlakB", "FlakC"))


def test_a_faulty_order_of_the_section_is_not_sent_elsewhere() -> None:
    """A verb that the section has is judged there, whatever others have it too."""
    rules = game("normandy44")
    roster = rules.roster(rules.start("cherbourg"), "german")
    scope = Scope(sections=("allocation", "phase A"))
    [fault] = rules.grammar.read([(1, "suport 2 to nobody")], roster, "allocation", scope).faults
    assert "belongs" not in fault.error.text
