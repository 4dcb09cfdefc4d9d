"""The order language, on a toy grammar of half a dozen verbs."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import replace
from time import process_time
from typing import Any

import pytest
from given import Given
from hypothesis import example, given, settings
from hypothesis import strategies as st
from one_order import read_line
from sizes import size

from pbem.engine.desk import Desk
from pbem.engine.errors import Ambiguous, NotAllowed, Unreadable
from pbem.engine.language import (
    Condition,
    Grammar,
    Heading,
    IfClause,
    Kind,
    Line,
    Order,
    Policy,
    Reading,
    Roster,
    RosterUnit,
    Scope,
    StandingLine,
    Unread,
)
from pbem.engine.language.never import contradiction, idle_else
from pbem.engine.language.reference import Examples, reference, template
from pbem.engine.play import Ask


class Move(Order):
    verb = "move"
    usage = "[move] <units> [to] <path> [by <way>]"
    help = "march along a path, or to a hex by the best path"
    example = "move 8/4 to 4918"
    case = "MV.A"

    units: tuple[str, ...]
    path: tuple[str, ...]
    way: str = ""


class Attack(Order):
    usage = "attack <hex> [with <units>] [from <origins:hexes>] [naval <mission>]"
    help = "attack a hex with units or from hexes"
    example = "attack 4817 with 8/4 + 22/4, naval heavy"
    case = "COM.A"

    hex: str
    units: tuple[str, ...] = ()
    origins: tuple[str, ...] = ()
    mission: str | None = None


class Break(Order):
    usage = "break <unit> into <number>"
    help = "break a unit down into battalions"
    example = "break 1/1 into 3"
    case = "BRK"

    unit: str
    number: int


class Advance(Order):
    verb = "advance"
    usage = "(<units> advance|advance <units>) [to] <hex>"
    help = "advance after combat"
    example = "26/1 advance to 3120"
    case = "COM.V"

    units: tuple[str, ...]
    hex: str


class Entrench(Order):
    usage = "entrench <units> [at <hex>] [<hidden:=out of sight>] [facing <edges:edge...>]"
    help = "dig in"
    example = "entrench 8/4 facing north, south-east"
    case = "ENT"

    units: tuple[str, ...]
    hex: str | None = None
    hidden: bool = False
    edges: tuple[str, ...] = ()


class Remark(Order):
    usage = "remark <words:text>"
    help = "note something"
    example = "remark all quiet"
    case = "REM"

    words: str


class Empty(Condition):
    usage = "<hex> is empty"
    help = "no unit that you can see is there"
    example = "if 3120 is empty"

    hex: str


class Holds(Condition):
    usage = "<unit> holds <hex>"
    help = "the unit is there"
    example = "if 26/1 holds 3120"

    unit: str
    hex: str


class Gunfire(Policy, kind=Kind("defensive gunfire", "NAV.D")):
    usage = "<mission> on the (largest attack|<largest:=biggest attack>|attack on <hex>)"
    help = "where naval gunfire goes"
    example = "heavy on the largest attack"

    mission: str
    hex: str | None = None
    largest: bool = False

    def decide(self, ask: Ask[Any], earlier: Mapping[str, Any]) -> Any | None:
        return None


class Retreat(Policy, kind=Kind("retreat", "COM.R")):
    usage = "towards <hex>"
    help = "where retreats go"
    example = "towards 4619"

    hex: str

    def decide(self, ask: Ask[Any], earlier: Mapping[str, Any]) -> Any | None:
        return None


GRAMMAR = Grammar(
    orders=(Move, Attack, Break, Advance, Entrench, Remark),
    conditions=(Empty, Holds),
    policies=(Gunfire, Retreat),
    words={
        "mission": ("heavy", "medium", "light", "any"),
        "way": ("road", "rail", "country"),
        "edge": ("north", "north-east", "south-east", "south", "south-west", "north-west"),
    },
    sections={
        "movement": (Move, Break, Entrench, Remark),
        "combat": (Attack, Advance),
        "movement 2": (Move, Advance),
    },
)
UNITS = [
    ("8/4", "7-4", "4717"), ("22/4", "7-4", "4717"), ("12/4", "6-5", "5127"), ("1/1", "9-4", "3023"),
    ("26/1", "7-4", "3020"), ("7/1a", "2-4", "3024"), ("7/1b", "2-4", "3024"), ("7/1c", "2-4", "3025"),
    ("116/29", "9-4", "3119"), ("3+6Cdo/1SS", "3-5", None), ("13/18H/27", "4-8", None),
    ("21Pz/125", "6-6", "3122"), ("21Pz/192", "6-6", "3122"), ("506/101", "5-4", "4018"),
]  # fmt: skip
ROSTER = Roster(
    {id: RosterUnit(id, kind, hex) for id, kind, hex in UNITS}
    | {"919/709": RosterUnit("919/709", "4-4", "4817", True)},
    frozenset(f"{x:02}{y:02}" for x in range(28, 53) for y in range(15, 30)),
)


def read(text: str, section: str = "", roster: Roster = ROSTER) -> Reading:
    return GRAMMAR.read(list(enumerate(text.splitlines(), 1)), roster, section)


def order(text: str, section: str = "") -> Order:
    reading = read(text, section)
    assert not reading.faults, reading.faults[0]
    assert len(reading.orders) == 1, reading
    return reading.orders[0].order


LETTER = """\
Hi, here we go.

[movement]
8/4 to 4918                     ; its own way
12/4, 22/4: 5027 4926 4825      ; a path
break 1/1 into 3                ; as Bernd likes it
3x 2-4 at 3024 to 3122 by road

[combat]
attack 4817 with 8/4 + 22/4, naval heavy
attack 3120 from 3020, 3119 naval any
[movement 2]
26/1 advance to 3120 if 3120 is empty, else stay

standing: defensive gunfire: heavy on the largest attack
press german: Your move, Herr General.
Anna
"""


def test_letter_as_people_write_it() -> None:
    """Every line of an ordinary letter is understood, and the one that asks too much is answered."""
    reading = read(LETTER)
    assert [(line.section, line.order) for line in reading.orders] == [
        ("movement", Move(("8/4",), ("4918",))),
        ("movement", Move(("12/4", "22/4"), ("5027", "4926", "4825"))),
        ("movement", Break("1/1", 3)),
        ("combat", Attack("4817", ("8/4", "22/4"), mission="heavy")),
        ("combat", Attack("3120", origins=("3020", "3119"), mission="any")),
        ("movement 2", Advance(("26/1",), "3120")),
    ]
    assert reading.orders[-1].conditions == (IfClause(Empty("3120")),)
    assert reading.orders[-1].otherwise is None
    [fault] = reading.faults
    assert isinstance(fault.error, NotAllowed)
    assert fault.error.text == "only 2 units of type 2-4 are at 3024 (7/1a, 7/1b)"
    assert fault.text[fault.error.column :][: fault.error.length] == "3x 2-4 at 3024"
    assert fault.suggestion == "7/1a, 7/1b at 3024 to 3122 by road"
    assert order(fault.suggestion) == Move(("7/1a", "7/1b"), ("3122",), "road")
    assert reading.standing[0].policy == Gunfire("heavy")
    assert [(c.name, c.argument, c.text) for c in reading.commands] == [
        ("press", "german", "Your move, Herr General.")
    ]
    assert reading.unread == ()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("MOVE 8/4 TO 4918", Move(("8/4",), ("4918",))),
        ("mo\t8/4   4918.", Move(("8/4",), ("4918",))),
        ("- 8/4+22/4 -> 4818>4918", Move(("8/4", "22/4"), ("4818", "4918"))),
        ("8/4,22/4 to 4818-4918 by ro", Move(("8/4", "22/4"), ("4818", "4918"), "road")),
        ("8/4 & 22/4 and 12/4: 4818, 4918", Move(("8/4", "22/4", "12/4"), ("4818", "4918"))),
        ("7/1a..7/1c to 3122", Move(("7/1a", "7/1b", "7/1c"), ("3122",))),
        ("2 x 2-4 at 3024 to 3122", Move(("7/1a", "7/1b"), ("3122",))),
        ("3x 2-4 to 3122", Move(("7/1a", "7/1b", "7/1c"), ("3122",))),
        ("1x 2-4 at 3024, 8/4 to 3122", Move(("7/1a", "8/4"), ("3122",))),
        ("all at 4717 to 4818", Move(("8/4", "22/4"), ("4818",))),
        ("all 2-4 to 3122", Move(("7/1a", "7/1b", "7/1c"), ("3122",))),
        ("3+6cdo/1ss to 4818", Move(("3+6Cdo/1SS",), ("4818",))),
        ("13/18h to 4818", Move(("13/18H/27",), ("4818",))),
        ("21 pz/1 9 to 4818", None),
        ("506 to 4818", Move(("506/101",), ("4818",))),
        ("8/4 to 4918 by co", Move(("8/4",), ("4918",), "country")),
        ("en 8/4 at 4717 out of sight fac no and south-e",
            Entrench(("8/4",), "4717", True, ("north", "south-east"))),
        ("entrench 8/4", Entrench(("8/4",))),
        ("advance 26/1, 1/1 3120", Advance(("26/1", "1/1"), "3120")),
        ("remark Nothing: to see, here", Remark("Nothing: to see, here")),
        ("att 4817 from 4717 and 4818 & 4918", Attack("4817", origins=("4717", "4818", "4918"))),
        ("attack: 4817", Attack("4817")),
    ],
)  # fmt: skip
def test_ways_to_write(text: str, expected: Order | None) -> None:
    """Case, blanks, abbreviations and separators are the player's; what is meant is the same."""
    if expected is None:
        assert not read(text).orders
        assert len(read(text).faults) == 1
    else:
        assert order(text) == expected


def test_all_means_ones_own() -> None:
    """`all` never names a unit of the enemy."""
    moved = order("all to 4918")
    assert isinstance(moved, Move)
    assert moved.units == tuple(id for id, _, _ in UNITS)


@pytest.mark.parametrize(
    "text",
    [
        "26/1 advance to 3120 if 3120 is empty and not 1/1 holds 3119, else 8/4 to 4918",
        "if 3120 is empty and not 1/1 holds 3119, then 26/1 advance to 3120 else move 8/4 to 4918",
        "IF 3120 is empty and not 1/1 holds 3119: 26/1 advance to 3120, else 8/4 4918",
    ],
)
def test_conditions(text: str) -> None:
    """Conditions may stand before or after the order, negated or not, with another order for the other
    case."""
    line = replace(read(text).orders[0], number=0, text="")
    assert line == Line(
        0,
        "",
        "",
        Advance(("26/1",), "3120"),
        (IfClause(Empty("3120")), IfClause(Holds("1/1", "3119"), negated=True)),
        Move(("8/4",), ("4918",)),
    )


@pytest.mark.parametrize("end", ["", ", else stay", " else nothing."])
def test_nothing_else(end: str) -> None:
    """`else stay` says what is understood without it."""
    [line] = read(f"try 8/4 to 4918 if 4918 is empty{end}").orders
    assert line.attempt
    assert line.otherwise is None
    assert line.conditions == (IfClause(Empty("4918")),)


def test_sections() -> None:
    """A heading may be shortened and rules the lines below it; what stands below one that does not exist is
    answered with the nearest."""
    reading = read(
        "[MOV]\n[com]\nattack 4817\nmove 8/4 to 4918\n[ Movement ]\nmove 8/4 to 4918\n[combta]\nattack 4817\n"
        "[x]\nattack 4817"
    )
    assert [(line.number, line.section) for line in reading.orders] == [(3, "combat"), (6, "movement")]
    assert [(fault.number, fault.suggestion) for fault in reading.faults] == [
        (4, "[movement]\nmove 8/4 to 4918"),
        (8, "[combat]\nattack 4817"),
        (10, ""),
    ]
    headings = [each for each in reading.said if isinstance(each, Heading)]
    assert [(heading.section, heading.near) for heading in headings] == [
        ("", "movement"),
        ("combat", ""),
        ("movement", ""),
        ("", "combat"),
        ("", ""),
    ]


OPEN = Scope(
    ("movement 2", "combat"), {"Allied second movement": "movement 2", "Allied combat": "combat"}, turn=2
)


@pytest.mark.parametrize(
    ("heading", "section"),
    [
        ("[mov]", "movement 2"),
        ("Allied second movement", "movement 2"),
        ("[Turn 2, Allied combat]", "combat"),
        ("ALLIED COMBAT:", "combat"),
        ("[movement]", "movement"),
        ("[turn 3 movement 2]", ""),
        ("Allied secnod movement", ""),
        ("[movment 2]", ""),
    ],
)
def test_headings_as_letters_print_them(heading: str, section: str) -> None:
    """A key, a title, or a beginning that fits one open section, with brackets or without; a turn that is not
    being played is none."""
    order_ = "attack 4817" if section == "combat" else "22/4 to 4918"
    reading = GRAMMAR.read([(1, heading), (2, order_)], ROSTER, scope=OPEN)
    [found] = [each for each in reading.said if isinstance(each, Heading)]
    assert found.section == section
    assert bool(reading.orders) is bool(section) and bool(reading.faults) is not bool(section)


def test_standing_orders() -> None:
    """Standing orders are read with or without the word, under their heading or not, and can be cleared."""
    reading = read(
        "standing retreat towards 4619\n[standing]\nretreat: towards 4718 ; comment\n"
        "def gun: hea on the biggest attack\n"
        "clear retreat\nstanding clear\nstanding"
    )
    assert not reading.faults
    assert [(line.kind, line.policy) for line in reading.standing] == [
        ("retreat", Retreat("4619")),
        ("retreat", Retreat("4718")),
        ("defensive gunfire", Gunfire("heavy", largest=True)),
        ("retreat", None),
        ("", None),
    ]
    assert [command.name for command in reading.commands] == ["standing"]


@pytest.mark.parametrize(
    ("text", "name", "argument", "rest"),
    [
        ("HELP", "help", "", ""),
        ("help attack", "help", "attack", ""),
        ("Status.", "status", "", ""),
        ("map", "map", "", ""),
        ("map since my last letter", "map", "since my last letter", ""),
        ("Map T3 since R17 text 21 Pz Lehr", "map", "T3 since R17 text 21 Pz Lehr", ""),
        ("log turn 3", "log", "3", ""),
        ("history", "history", "", ""),
        ("Luck!", "luck", "", ""),
        ("orders", "orders", "", ""),
        ("TRY", "try", "", ""),
        ("final", "final", "", ""),
        ("Draft", "draft", "", ""),
        ("withdraw", "withdraw", "all", ""),
        ("withdraw all", "withdraw", "all", ""),
        ("withdraw 8/4 + 22/4", "withdraw", "units", ""),
        ("withdraw L3, L7", "withdraw", "lines", ""),
        ("withdraw attack on 4817", "withdraw", "targets", ""),
        ("salt pepper; #1", "salt", "", "pepper; #1"),
        ("password: open; sesame", "password", "", "open; sesame"),
        ("no orders", "none", "", ""),
        ("Done!", "done", "", ""),
        ("done all", "final", "", ""),
        ("done movement anyway", "done", "", "anyway"),
        ("keep", "keep", "", ""),
        ("new [movement]", "new", "", ""),
        ("defaults", "defaults", "", ""),
        ("dispute r17, that die was cocked", "dispute", "R17", "that die was cocked"),
        ("ruling R3", "ruling", "R3", ""),
        ("Dispute 22", "dispute", "R22", ""),
        ("press to all: hello: there", "press", "all", "hello: there"),
        ("Diary: dull; #1", "diary", ":", "dull; #1"),
        ("diary", "diary", "", ""),
        ("Advice!", "advice", "", ""),
        ("Mute german!", "mute", "german", ""),
        ("mute", "mute", "", ""),
        ("unmute german", "unmute", "german", ""),
        ("press all anonymously: who?", "press", "all anonymously", "who?"),
    ],
)
def test_letter_commands(text: str, name: str, argument: str, rest: str) -> None:
    """Commands that belong to no game are recognised with what they are about."""
    reading = read(text)
    assert not reading.faults
    assert not reading.unread
    [command] = reading.commands
    assert (command.name, command.argument, command.text) == (name, argument, rest)


def test_press_is_one_line_or_a_block() -> None:
    """A message is one line, or a block with an end; what stands below one line is read as ever, and a block
    without its end is wrong."""
    reading = read(
        "press all: one\n8/4 to 4918\npress german:\nfour; # five\n\n> 8/4 to 4818\nEnd press\natack 4817"
    )
    assert [(c.name, c.text) for c in reading.commands] == [
        ("press", "one"),
        ("press", "four; # five\n\n> 8/4 to 4818"),
    ]
    assert len(reading.orders) == 1 and len(reading.faults) == 1
    open_ = read("press german:\nfour\nmove 8/4 to 4918")
    assert not open_.commands and not open_.orders and "no end" in str(open_.faults[0])


@pytest.mark.parametrize(
    "text",
    [
        "Anna",
        "Cheers,",
        "Viele Grüße",
        "Thanks!",
        "Good luck!",
        "Your move, Bernd!",
        "Best regards, Anna",
        "Cheers,\n\nA. B. Smith (Mr)",
    ],
)
def test_courtesies_are_dropped_in_silence(text: str) -> None:
    """Greetings, closings and names are no part of what a letter says, wherever they stand."""
    said = read("[movement]\n8/4 to 4918").said
    assert [replace(each, number=0) for each in read(f"[movement]\n8/4 to 4918\n{text}").said] == [
        replace(each, number=0) for each in said
    ]
    assert not read(text).said


def test_long_lines_take_no_time() -> None:
    """However a line is built, it is read or refused without trying every combination."""
    line = (
        "if 3120 is empty and 3119 is empty, try "
        + "8/4 at 4717, " * 60
        + "to "
        + "4818 " * 150
        + "by rood else "
        + "22/4 " * 90
    )
    start = process_time()
    assert [each.like for each in read(line).unread] == [True]
    assert process_time() - start < 2


@pytest.mark.parametrize(
    "text",
    [
        "Hi, here we go.",
        "Anna",
        "Status of my leg: better",
        "Map looks great by the way",
        "Help, I am losing!!! What now",
        "Final thoughts on the game follow",
        "At last we meet.",
        "To be honest, I am tired",
        "See you on the 21st, 7 pm",
        "Done with work, now for the war",
        "-- ",
        "Press on, dear friend",
        "In 1944 it was colder",
        "Starting tomorrow I am away",
        "Advice is welcome",
        "http://example.org/map1 shows it",
    ],
)
def test_chat_is_left_alone(text: str) -> None:
    """Chat outside of the orders is listed as not read or dropped as a courtesy, and nothing is complained
    about."""
    assert read(text).said in ((), (Unread(1, text.strip()),))


@pytest.mark.parametrize(
    ("text", "suggestion"),
    [
        ("move 8/4 too 4918", "move 8/4 to 4918"),
        ("mvoe 8/4 to 4918", "move 8/4 to 4918"),
        ("atack 4817 wiht 8/4", "attack 4817 with 8/4"),
        ("attack 4817 with 8/4, naval haevy ; boom", "attack 4817 with 8/4, naval heavy"),
        ("break 11/1 into 3", "break 1/1 into 3"),
        ("break 11 into 3", "break 1/1 into 3"),
        ("move 8/4 to 9918", ""),
        ("move 8/4 to", ""),
        ("8/4 to 4918 if 4918 is emtpy", "8/4 to 4918 if 4918 is empty"),
        ("standing retreet: towards 4619", "standing retreat: towards 4619"),
        ("finall", "FINAL"),
        ("withdraw 8/5", "withdraw 8/4"),
        ("break 26/1 at 3024 into 2", ""),
        ("2x 74 at 4717 to 4918", "2x 7-4 at 4717 to 4918"),
        ("move 26/1 at 3024 to 3122", "move 26/1 at 3020 to 3122"),
        ("move 8/4 to 4918 pleese", "move 8/4 to 4918"),
        ("move 8/4 to 4918, plese", "move 8/4 to 4918"),
        ("move 8/4 to 4918 reluctantly", ""),
    ],
)
def test_faults_suggest(text: str, suggestion: str) -> None:
    """A line that was meant as an order is never dropped in silence, never mended in silence, and answered
    with a line that reads."""
    reading = read(text)
    assert not reading.orders
    assert not reading.standing
    assert not reading.commands
    [fault] = reading.faults
    assert fault.suggestion == suggestion
    if suggestion:
        assert not read(suggestion).faults


def test_fault_texts() -> None:
    """A complaint says in plain words what was written and why it is not understood, and points at it."""
    [fault] = read("move 8/4 too 4918").faults
    assert str(fault) == 'unknown word "too" Did you mean: move 8/4 to 4918'
    assert (fault.error.column, fault.error.length) == (9, 3)
    [fault] = read("break 9/1 into 3").faults
    assert fault.error.text.startswith('there is no unit "9/1"')
    [fault] = read("move 99 to 4918").faults
    assert fault.error.text.startswith('there is no unit "99"')
    [fault] = read("21 Pz to 4918").faults
    assert isinstance(fault.error, Ambiguous)
    assert fault.error.text == '"21 Pz": 21Pz/125 or 21Pz/192?'
    assert fault.suggestion == ""
    [fault] = read("8/4 to 9999").faults
    assert fault.error.text == 'there is no hex "9999" on the map'
    [fault] = read("attack 4817 with 8/4 naval").faults
    assert fault.error.text.startswith("incomplete: expected")
    assert fault.error.column == len(fault.text)
    [fault] = read("all at 5017 to 4918").faults
    assert fault.error.text == "you have no units at 5017"
    [fault] = read("break 1/1 into many").faults
    assert fault.error.text == 'unknown word "many"; expected a number'
    [fault] = read("2x 7-5 at 4717 to 4918").faults
    assert fault.error.text == "you have no units of type 7-5"
    [fault] = read("answer 1").faults
    assert fault.error.text == "write it as: Q<number>: <choice>"
    [fault] = read("2x 7-4 to 4918").faults
    assert isinstance(fault.error, Ambiguous)


def test_ids_with_blanks() -> None:
    """A unit whose printed name has a blank in it is found with the blank and without."""
    roster = Roster({"21 Pz/125": RosterUnit("21 Pz/125", "6-6", "3122")}, ROSTER.hexes)
    for text in ("21 Pz/125 to 4918", "21pz/125 to 4918", "21 pz to 4918"):
        assert read_line(GRAMMAR, text, roster) == Move(("21 Pz/125",), ("4918",))


def test_read_line() -> None:
    """A single order is read or refused with the error of its kind."""
    assert read_line(GRAMMAR, "8/4 to 4918", ROSTER) == Move(("8/4",), ("4918",))
    with pytest.raises(Ambiguous):
        read_line(GRAMMAR, "21Pz to 4918", ROSTER)
    with pytest.raises(Unreadable):
        read_line(GRAMMAR, "hello", ROSTER)


VALID = [
    "move 8/4 to 4918 by road",
    "move 12/4, 22/4 to 5027 4926 4825",
    "break 1/1 into 3",
    "attack 4817 with 506/101 + 22/4, naval heavy",
    "attack 3120 from 3020, 3119 naval light",
    "advance 116/29 to 3120 if 3120 is empty",
    "entrench 13/18H/27 facing north-west",
    "entrench 21Pz/125 out of sight",
    "move 3+6Cdo/1SS to 4818 by country",
    "standing defensive gunfire: medium on the largest attack",
    "standing retreat: towards 4619",
]


def misspelt(word: str, draw: random.Random) -> str:
    """The word with one typing error."""
    at = draw.randrange(len(word))
    letters = "0123456789" if word[at].isdigit() else "abcdefghijklmnopqrstuvwxyz"
    match draw.randrange(4):
        case 0:
            return word[:at] + word[at + 1 :]
        case 1:
            return word[:at] + draw.choice(letters) + word[at:]
        case 2 if at:
            return word[: at - 1] + word[at] + word[at - 1] + word[at + 1 :]
        case _:
            return word[:at] + draw.choice(letters) + word[at + 1 :]


def test_first_suggestion_is_right() -> None:
    """Of 300 typing errors in verbs, keywords, units and vocabulary, 95 in a hundred are answered with the
    line that was meant."""
    draw = random.Random(1944)
    right = wrong = 0
    failures = []
    while right + wrong < 300:
        line = draw.choice(VALID)
        words = line.split(" ")
        at = draw.choice(
            [i for i, word in enumerate(words) if not word.rstrip(",").isdigit() and word != "+"]
        )
        core = words[at].rstrip(",:")
        typo = misspelt(core, draw)
        bad = " ".join([*words[:at], typo + words[at][len(core) :], *words[at + 1 :]])
        reading = read(bad)
        if reading.orders or reading.standing:
            continue
        [fault] = reading.faults
        if fault.suggestion == line:
            right += 1
        else:
            wrong += 1
            failures.append((bad, fault.suggestion, fault.error.text))
    assert right >= 285, failures


units = st.lists(st.sampled_from([id for id, _, _ in UNITS]), min_size=1, max_size=4, unique=True).map(tuple)
hexes = st.lists(st.sampled_from(sorted(ROSTER.hexes)), min_size=1, max_size=4).map(tuple)
hex_ = st.sampled_from(sorted(ROSTER.hexes))
HERE = {id: hex for id, _, hex in UNITS}


def leaves(order_: Move) -> bool:
    """Whether a path does not begin in the hex of one of its units, which reading leaves out."""
    return order_.path[0] not in {HERE[id] for id in order_.units}


orders = st.one_of(
    st.builds(Move, units, hexes, st.sampled_from(["", *GRAMMAR.words["way"]])).filter(leaves),
    st.builds(
        Attack,
        hex_,
        st.just(()) | units,
        st.just(()) | hexes,
        st.none() | st.sampled_from(GRAMMAR.words["mission"]),
    ),
    st.builds(Break, units.map(lambda names: names[0]), st.integers(0, 99)),
    st.builds(Advance, units, hex_),
    st.builds(
        Entrench,
        units,
        st.none() | hex_,
        st.booleans(),
        st.lists(st.sampled_from(GRAMMAR.words["edge"]), max_size=3).map(tuple),
    ),
    st.builds(
        Remark,
        st.from_regex(r"[A-Za-z0-9]([A-Za-z0-9 ,:/-]{0,20}[a-z0-9])?", fullmatch=True).filter(
            lambda words: "//" not in words and " -- " not in words
        ),
    ),
)
clauses = st.builds(
    IfClause,
    st.builds(Empty, hex_) | st.builds(Holds, units.map(lambda names: names[0]), hex_),
    st.booleans(),
)


@settings(max_examples=size(100, 300), deadline=None)
@given(orders)
def test_round_trip(order_: Order) -> None:
    """An order written and read again is the same order; so is one dumped and loaded."""
    assert order(GRAMMAR.write(order_)) == order_
    assert GRAMMAR.load(order_.dump()) == order_


@settings(max_examples=size(50, 150), deadline=None)
@given(
    orders.filter(lambda o: not isinstance(o, Remark)),
    st.lists(clauses, max_size=3).map(tuple),
    st.none() | orders,
    st.booleans(),
)
def test_line_round_trip(order_: Order, conditions: Any, otherwise: Order | None, attempt: bool) -> None:
    """So is a line with all that may hang on an order."""
    line = Line(1, "", "", order_, conditions, otherwise, attempt)
    reading = read(GRAMMAR.write_line(line))
    if contradiction(line) or idle_else(line):
        assert [fault.error.text[:4] for fault in reading.faults] == ["this"] and not reading.orders
    else:
        assert [replace(again, text="") for again in reading.orders] == [line]


@pytest.mark.parametrize(
    "policy", [Gunfire("heavy"), Gunfire("any", "4817"), Gunfire("light", None, True), Retreat("4619"), None]
)
def test_standing_round_trip(policy: Policy | None) -> None:
    """A standing order written and read again is the same."""
    line = StandingLine(1, "", policy.kind if policy else "retreat", policy)
    [again] = read(GRAMMAR.write_standing(line)).standing
    assert replace(again, text="") == line


PIECES = [
    "8/4",
    "22/4",
    "21Pz",
    "21",
    "move",
    "to",
    "4918",
    ",",
    ":",
    "+",
    "and",
    "if",
    "not",
    "is",
    "empty",
    "else",
]
PIECES += [
    "stay",
    "with",
    "at",
    "all",
    "3x",
    "2-4",
    "attack",
    "..",
    "]",
    "[",
    "try",
    "standing",
    "retreat",
    "withdraw",
]


@settings(max_examples=size(100, 300), deadline=None)
@given(
    st.text(max_size=60)
    | st.lists(
        st.sampled_from(PIECES),
        max_size=9,
    ).map(" ".join)
)
@example("²")
def test_any_text_can_be_read(text: str) -> None:
    """Whatever a player writes ends up in exactly one part of the reading, and every suggestion reads."""
    lines = [line for line in text.splitlines() if line.strip()]
    reading = read("\n\n".join(lines))
    numbers = [each.number for each in reading.said]
    assert numbers == sorted(numbers) and set(numbers) <= set(range(1, 2 * len(lines)))
    for fault in reading.faults:
        assert 0 <= fault.error.column <= len(fault.text)
        if fault.suggestion:
            assert not read(fault.suggestion).faults


def test_load_refuses_what_is_not_an_order() -> None:
    """A value that no order of this game was dumped to is refused."""
    assert GRAMMAR.load(None) is None
    extra = {"verb": "break", "unit": "1/1", "number": 2, "x": 1}
    values: list[Any] = [{"verb": "fly"}, {"verb": "move", "units": ["8/4"]}, extra, [], 3]
    for value in values:
        with pytest.raises(ValueError, match="not an order"):
            GRAMMAR.load(value)


def test_help_on_a_standing_order_however_it_is_asked() -> None:
    """HELP STANDING <kind> tells the same as HELP <kind>."""
    kind = GRAMMAR.policies[0].kind
    assert reference(GRAMMAR, f"standing {kind}") == reference(GRAMMAR, kind)
    assert "no help" not in reference(GRAMMAR, kind)


def test_help_names_everything() -> None:
    """The reference holds every verb, condition, standing order, section and letter command, with examples
    and cases."""
    text = reference(GRAMMAR)
    for kind in GRAMMAR.orders:
        assert kind.example in text
        assert f"[{kind.case}]" in text
    for each in (*(c.example for c in GRAMMAR.conditions), *(p.example for p in GRAMMAR.policies)):
        assert each in text
    for section in (*GRAMMAR.sections, "standing"):
        assert f"[{section}]" in text
    for word in ("HELP", "PRESS", "WITHDRAW", "DISPUTE", "SALT", "heavy, medium, light, any"):
        assert word in text
    assert "break a unit down" in reference(GRAMMAR, "Break")
    assert "march" not in reference(GRAMMAR, "Break")
    assert "heavy" in reference(GRAMMAR, "mission")
    assert "no help on" in reference(GRAMMAR, "love")


def test_examples_read() -> None:
    """Every example in the reference is itself a valid order."""
    for kind in GRAMMAR.orders:
        assert type(order(kind.example)) is kind
    kinds: tuple[type[Policy], ...] = (Gunfire, Retreat)
    for policy in kinds:
        assert isinstance(read(policy.example).standing[0].policy, policy)


def test_orders_joined_by_then_stand_on_one_line() -> None:
    """``; then`` joins orders on one line; each is read, quoted and faulted by itself. Any other second order
    is refused as before."""
    reading = read(
        "[movement]\nmove 8/4 to 4918; then if 4917 is empty, move 8/4 to 4917; "
        "Then move 8/4 to 4916  # and on"
    )
    assert not reading.faults
    assert [line.text for line in reading.orders] == [
        "move 8/4 to 4918",
        "if 4917 is empty, move 8/4 to 4917",
        "move 8/4 to 4916",
    ]
    (fault,) = read("[movement]\nmove 8/4 to 4918; then move 8/4 to 9z").faults
    assert fault.error.column > len("move 8/4 to 4918; then move")
    assert read("[movement]\nmove 8/4 to 4918; move 8/4 to 4917").faults


def test_template_is_an_order_letter() -> None:
    """The template reads without a fault and repeats the orders put into it."""
    lines = {
        "movement": ["move 8/4 to 4918"],
        "combat": ["attack 4817"],
        "standing": ["standing retreat: towards 4619"],
    }
    reading = read(template(GRAMMAR, lines))
    assert not reading.faults
    assert not reading.unread
    assert [(line.section, line.text) for line in reading.orders] == [
        ("movement", "move 8/4 to 4918"),
        ("combat", "attack 4817"),
    ]
    assert len(reading.standing) == 1


class Halt(Order):
    usage = "halt <unit>"
    help = "stand still"
    example = "halt 8/4"
    examples = {"german": "halt 914"}
    case = "1"

    unit: str


def test_help_shows_each_seat_examples_of_its_own_units() -> None:
    """Where an example names units of one side, HELP for the other side has one of its own."""
    grammar = Grammar((Halt,))
    roster = Roster({"914": RosterUnit("914", "2-4", "4918"), "8/4": RosterUnit("8/4", "4-4", enemy=True)})
    assert "e.g. halt 8/4" in reference(grammar, "halt", Examples(grammar, "allied"))
    assert "e.g. halt 914" in reference(grammar, "halt", Examples(grammar, "german", roster))
    assert "e.g." not in reference(grammar, "halt", Examples(grammar, "allied", roster))
    assert "Name units by any unambiguous part of their names: 914; " in reference(
        grammar, None, Examples(grammar, "german", roster)
    )


def test_an_example_is_an_order_that_is_legal_now() -> None:
    """Where its seat is asked for orders, an example is one of those that the position allows, ready to send;
    a later section has none in the form. No form suggests to give the game up, and none shows a kind of order
    that is of no use any more."""

    class Give(Halt):
        usage = "give <unit> up"
        example = "give 914 up"
        examples = {}
        grave = True

    class Over(Halt):
        usage = "over <unit>"
        example = "over 914"
        examples = {}

    grammar = Grammar(sections={"halts": (Halt, Give, Over), "later": (Halt,)})
    asked: Desk[Order] = Given(
        case="1",
        what="halts",
        seat="german",
        section="halts",
        takes=(Halt, Give, Over),
        check=lambda order: None,
        subjects=lambda: ["915", "916"],
        options=lambda unit: [Halt(unit), Over(unit)],
        offers=(Halt, Give),
    )
    examples = Examples(grammar, "german", asked=asked)
    form = template(grammar, {"halts": [], "later": []}, examples)
    assert form == "[halts]\n; halt 915\n; done\n; no orders\n\n[later]\n; done\n; no orders\n"
    assert "e.g. halt 915" in reference(grammar, "halt", examples)


class Odd(Order):
    usage = "odd <what:word>"
    help = ""
    example = ""
    case = ""

    unit: str


def test_a_wrong_declaration_is_refused() -> None:
    """A usage line that does not fit its dataclass is an error of the game, not of the player."""
    with pytest.raises(ValueError, match="does not match the fields"):
        Grammar((Odd,)).read([(1, "odd x")], ROSTER)


def test_help_and_form_for_a_seat_leave_out_what_others_write() -> None:
    """A seat's help has no sections, orders and standing orders of others, and its own examples."""

    class Own(Move):
        usage = "own <units> <path>"
        seats = ("blue",)

    class Shared(Move):
        examples = {"red": "move 22/4 to 4916"}

    class Blue(Gunfire):
        seats = ("blue",)

    grammar = Grammar(
        sections={"movement": (Shared, Own), "blue": (Own,), "notes": (Shared,)},
        policies=(Blue,),
        writers={"notes": ("blue",)},
    )
    red, blue = (reference(grammar, None, Examples(grammar, seat)) for seat in ("red", "blue"))
    assert "own <units>" in blue and "[notes]" in blue and Shared.example in blue and Blue.example in blue
    assert "own <units>" not in red and "[notes]" not in red and "[blue]" not in red
    assert "move 22/4 to 4916" in red and Blue.example not in red
    assert "no help on" in reference(grammar, "own", Examples(grammar, "red"))
    assert "own <units>" in reference(grammar, "own", Examples(grammar, "blue"))


def test_one_of_a_thing_is_written_in_the_singular() -> None:
    """Where a usage line has both words, ``(points|point)``, an order about one is written
    with that for one."""

    class Spend(Order):
        usage = "spend <number> [supply] [(points|point)]"
        help = "spend points"
        example = "spend 2 points"
        case = "1"

        number: int

    grammar = Grammar((Spend,))
    assert grammar.write(Spend(1)) == "spend 1 supply point"
    assert grammar.write(Spend(2)) == "spend 2 supply points"
