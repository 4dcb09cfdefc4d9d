"""Lines whose words part, limit or bind less or more than an order read from them would: their writer is
asked."""

from __future__ import annotations

import pytest

from pbem.engine.language import Reading
from pbem.engine.language.model import Scope
from pbem.games.normandy44.orders import Attack
from tests.language.test_language import desk

SECTIONS = {"normandy44": "phase B", "rampage": "operations"}


def read(key: str, *lines: str, seat: str = "allied", section: str = "") -> Reading:
    return desk(key).read(seat, section or SECTIONS[key], "\n".join(lines))


def asks(reading: Reading) -> str:
    """Why the one faulty line of a letter is not played."""
    assert len(reading.faults) == 1, (reading.orders, reading.faults, reading.unread)
    return str(reading.faults[0].error)


# --- conditions ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "line",
    [
        "attack 0714 with 1US, don't advance if the weather is clear",
        "attack 0714 with 1US and advance if 0714 is empty",
        "51BR attacks 1007, 1SSB too if the weather is clear",
        "attack 1007 with 51BR, support of I/BR if possible",
        "3BR to 0908, 1108 if possible",
    ],
)
def test_a_condition_may_be_one_of_the_last_part(line: str) -> None:
    assert "of all of it, or of the last part?" in asks(read("normandy44", line))


@pytest.mark.parametrize(
    "lines",
    [
        ("if the weather is clear, 3BR to 0908", "and 1US to 0714"),
        ("if the weather is clear, 3BR to 0908,", "1US to 0714"),
        ("if the weather is clear, 3BR to 0908;", "1US to 0714"),
        ("- if the weather is clear, 3BR to 0908", "   - 1US to 0714"),
        ("if the weather is clear, 3BR to 0908. Then 1US to 0714.",),
    ],
)
def test_an_order_that_goes_on_from_one_with_a_condition(lines: tuple[str, ...]) -> None:
    reading = read("normandy44", *lines)
    assert "does the condition before it hold here too?" in asks(reading)
    assert reading.faults[0].either == (
        "if the weather is clear, then move 1US to 0714",
        "move 1US to 0714",
    )


def test_an_order_on_a_line_of_its_own_has_no_condition() -> None:
    reading = read("normandy44", "if the weather is clear, 3BR to 0908", "1US to 0714")
    assert not reading.faults and not reading.orders[1].conditions
    reading = read("normandy44", "3BR to 0908 if the weather is clear", "and 1US to 0714")
    assert not reading.faults and not reading.orders[1].conditions


def test_it_is_clear_is_no_empty_hex() -> None:
    assert read("normandy44", "attack 0714 with 1US if it's clear").faults
    assert read("normandy44", "attack 0714 with 1US if it's empty").orders


def test_no_pronoun_is_the_name_of_a_unit() -> None:
    """ISS is a headquarters of this game."""
    fault = read("normandy44", "attack 0714 with 1US unless it's nice").faults[0]
    assert "ISS" not in "".join((fault.suggestion, *fault.either))
    assert [line.order.actors() for line in read("normandy44", "3BR avance à 0908").orders] == [("3BR",)]


@pytest.mark.parametrize("seat, word, enemy", [("allied", "german", True), ("german", "german", False)])
def test_nations_are_those_of_the_writer(seat: str, word: str, enemy: bool) -> None:
    """Also in a game whose units are not named by their nation."""
    unit = "8/4" if seat == "allied" else "916/352"
    other = "held by the enemy" if enemy else "held by us"
    for line in (f"{unit} to 5230 if 5229 is held by the {word}s", f"{unit} to 5230 if 5229 is {word}"):
        [order] = read("normandy71", line, seat=seat, section="movement").orders
        [clause] = order.conditions
        held = read("normandy71", f"{unit} to 5230 if 5229 is {other}", seat=seat, section="movement")
        assert clause == held.orders[0].conditions[0]


# --- parts --------------------------------------------------------------------------------------------------


def test_attacks_one_after_the_other() -> None:
    reading = read("normandy71", "attack 1617 then 1716", seat="german", section="combat")
    assert "one attack, or one after the other?" in asks(reading)
    assert reading.faults[0].either == ("attack 1617\nattack 1716", "attack 1617, 1716")
    assert read("normandy71", "attack 1617 and 1716", seat="german", section="combat").orders


@pytest.mark.parametrize(
    "line, why",
    [
        ("GdsA then 3BrInf to 1702", "together, or one after the other?"),
        ("GdsA followed by 3BrInf to 1702", "together, or one after the other?"),
        ("GdsA to 3BrInf to 1702", "from one to the other"),
        ("all at 1604 -15BrInf to 1702", "with or without 15BrInf?"),
        ("all at 1603 and 1604 to 1704", "the units of both hexes, or a way through the second?"),
    ],
)
def test_units_that_words_part(line: str, why: str) -> None:
    assert why in asks(read("rampage", line))


@pytest.mark.parametrize(
    "line",
    [
        "GdsA, 3BrInf to 1702 round by round",
        "GdsA, 3BrInf to 1702 on round",
        "GdsA, 3BrInf to 1702 by loss",
        "GdsA, 3BrInf to 1702, no more than 1 step loss each",
        "GdsA to 1702 until dark falls",
    ],
)
def test_no_limit_is_left_out(line: str) -> None:
    assert read("rampage", line).faults


@pytest.mark.parametrize("line", ["attack 0714 with 1US at >1:1", "1US attacks 0714 >1:1"])
def test_better_odds_are_not_these(line: str) -> None:
    assert "these odds too, or only better ones?" in asks(read("normandy44", line))


def test_some_of_the_attackers_advance() -> None:
    reading = read("normandy44", "attack 1007 with 51BR + 1SSB, 1SSB doesn't advance")
    assert "who advances?" in asks(reading)
    assert reading.faults[0].either[0] == "attack 1007 with 51BR, 1SSB advance 51BR"
    reading = read("normandy44", "attack 1007 with 51BR + 1SSB, 1SSB follows up")
    assert reading.faults[0].either[0] == "attack 1007 with 51BR, 1SSB advance 1SSB"
    [line] = read("normandy44", "attack 1007 with 51BR + 1SSB, no advance").orders
    assert isinstance(line.order, Attack) and line.order.stay


def test_a_move_behind_an_attack_that_would_come_first() -> None:
    reading = read("normandy44", "51BR attacks 1007; then 1SSB to 1007 if 1007 is empty")
    assert "this is played before the attack in front of it" in asks(reading)


def test_the_rest_of_a_line() -> None:
    """Units that the line names in front, and those that an earlier line keeps where they are, are no part
    of it."""
    reading = read("normandy71", "land 175/29 at 5 Omaha, the rest at 7 Omaha", section="reinforcement")
    first, second = (line.order.actors() for line in reading.orders)
    assert first == ("175/29",) and second and "175/29" not in second
    reading = read("normandy71", "175/29 stays", "land the rest at 7 Omaha", section="reinforcement")
    assert "175/29" not in reading.orders[0].order.actors()


def test_otherwise_nothing_is_no_order() -> None:
    """An order whose words may all be left out stands in front of no `else`."""
    for key, seat, section in (("normandy71", "allied", "plan"), ("france44", "german", "reaction")):
        assert not read(key, "Otherwise nothing.", seat=seat, section=section).orders


# --- numbers in front ---------------------------------------------------------------------------------------


def test_a_number_in_front_may_be_that_of_a_corps() -> None:
    """A number that counts no lines names the corps that acts, if one has it."""
    for text, section in (("84: hold", "84"), ("47: hold", "47Pz")):
        assert read("falaise", text, seat="german", section="2SS").headings == (section,)
    assert read("falaise", "12: hold", section="2CC").headings == ("12C",)
    assert read("falaise", "7: hold", section="2CC").headings == ("7C",)


def test_a_division_attacks_from_where_it_goes() -> None:
    """Of a formation those attack that are adjacent to the target once they have moved."""
    whole, near = ("22/21Pz", "125/21Pz", "192/21Pz"), ("125/21Pz",)
    letters = (("21Pz to 1107", "attack 1007 with 21Pz"), ("21Pz to 1107, attack 1007",))
    for lines in letters:
        move, attack = (line.order.actors() for line in read("normandy44", *lines, seat="german").orders)
        assert move == attack == whole
    assert read("normandy44", "attack 1007 with 21Pz", seat="german").orders[0].order.actors() == near


# --- places, sections, verbs --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "line", ["8/4 to 5031, second move 5230", "8/4 to 5230 (2nd move)", "second move 8/4 to 5230"]
)
def test_the_second_movement_is_not_the_first(line: str) -> None:
    assert not read("normandy71", line, section="movement").orders
    scope = Scope(sections=("movement", "movement 2"), turn=desk("normandy71").state.turn)
    here = desk("normandy71")
    reading = here.game.grammar.read([(1, line)], here.rosters["allied"], "movement", scope)
    assert not reading.orders


def test_beaches_are_no_supply_in_passing() -> None:
    assert not read("normandy71", "16/1, 741, 116/29 at 5,7,8 Omaha", section="plan").orders
    assert not read("normandy71", "supply from 1 through 5", section="plan").orders
    assert read("normandy71", "supply 1, 5", section="plan").orders


@pytest.mark.parametrize("line", ["attack 3827 with naval", "attack 3827, naval"])
def test_naval_gunfire_needs_its_mission(line: str) -> None:
    assert read("normandy71", line, section="combat").faults


def test_others_behind_a_hex_have_no_part_in_the_way() -> None:
    why = asks(read("normandy71", "8/4 to 5031, its division to 5131", section="movement"))
    assert "a way of two hexes, or a hex for others too?" in why


@pytest.mark.parametrize("line", ["inc 4, 8: VII attacks 1209", "inc 4 and inc 8: VII attacks 1209"])
def test_an_order_for_two_boxes(line: str) -> None:
    reading = read("france44", line, section="initiative")
    assert not reading.orders and reading.holding


def test_a_box_that_was_not_ticked() -> None:
    reading = read("normandy71", "( ) 8/4 to 5230", "8/3 to 1422", section="movement")
    assert [line.order.actors() for line in reading.orders] == [("8/3",)] and reading.holding


def test_who_is_to_hold_otherwise() -> None:
    """Of one unit `otherwise holds` may say that it stays; `else hold` is the order for the command."""
    asked = read("falaise", "Koszutski to 1117 if 1117 is empty, otherwise holds", section="Pol")
    assert "do these units stay otherwise" in asks(asked)
    [line] = read("falaise", "Koszutski to 1117 if 1117 is empty, else hold", section="Pol").orders
    assert line.otherwise is not None and line.otherwise.ends


def test_guns_are_not_sent() -> None:
    reading = read("falaise", "12C to 1433", section="bombardment")
    assert "a move, or fire?" in asks(reading)
    assert read("falaise", "12C on 1433", section="bombardment").orders


@pytest.mark.parametrize(
    "key, line",
    [
        ("normandy44", "51BR attacks 1007, 1US attacks 0714, no advances"),
        ("normandy44", "51BR attacks 1007 and 1US attacks 0714, at 2:1 or better"),
        ("rampage", "GdsA to 1702, 3BrInf to 1704, two rounds max"),
    ],
)
def test_a_limit_behind_several_orders(key: str, line: str) -> None:
    reading = read(key, line)
    assert "of all of it, or of the last order?" in asks(reading)
    both, last = reading.faults[0].either
    for each in (both, last):
        assert not read(key, *each.splitlines()).faults


@pytest.mark.parametrize(
    "line", ["done, thanks", "done - Anna", "Done. Thanks!", "DONE ALL, cheers", "done thanks Bernd"]
)
def test_thanks_behind_done(line: str) -> None:
    commands = read("rampage", "GdsA to 1702", line).commands
    assert [each.name for each in commands] == ["final" if "ALL" in line else "done"]


@pytest.mark.parametrize("line", ["done - not yet", "done, but only if 1704 is empty"])
def test_a_limit_behind_done(line: str) -> None:
    reading = read("rampage", "GdsA to 1702", line)
    assert not [each for each in reading.commands if each.name == "done"] or reading.faults


# --- who is meant -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("key", "line", "offers"),
    [
        ("normandy44", "3BR follows 1US to 0714", ("move 3BR to 0714", "move 3BR, 1US to 0714")),
        ("rampage", "30Inf follows 2A to 1508", ("move 30Inf to 1508", "move 30Inf, 2A to 1508")),
    ],
)
def test_who_follows_another_unit(key: str, line: str, offers: tuple[str, ...]) -> None:
    reading = read(key, line)
    assert asks(reading) == "do both go there, or the one that follows?"
    assert reading.faults[0].either == offers


def test_all_but_one_at_a_hex_are_not_all_there_are() -> None:
    fault = read("normandy44", "everything but 3BR at 0908 to 1007").faults[0]
    assert str(fault.error) == "the units at 0908, or all there are?"
    assert fault.either[0] == "all at 0908 but 3BR to 1007"


LEHR = ("901PzG/Lehr", "902PzG/Lehr", "130Pz/Lehr", "130AA/Lehr")


@pytest.mark.parametrize("name", ["Panzer Lehr Division", "Lehr", "the Panzer Lehr Division"])
def test_a_division_whose_arm_is_its_name(name: str) -> None:
    found = desk("normandy71").read("german", "movement", f"{name} to 0321")
    assert [line.order.actors() for line in found.orders] == [LEHR]


@pytest.mark.parametrize(("name", "regiment"), [("Panzer Lehr", "130Pz/Lehr"), ("12 SS Panzer", "12Pz/12SS")])
def test_a_division_or_its_regiment_of_that_arm(name: str, regiment: str) -> None:
    fault = desk("normandy71").read("german", "movement", f"{name} to 0321").faults[0]
    assert fault.either[0] == f"{regiment} to 0321"
    assert fault.either[1].count(",") == 3


@pytest.mark.parametrize(
    ("key", "section", "line", "one"),
    [
        ("falaise", "bombardment", "airstrikes on 1625", "airstrike on 1625"),
        ("normandy44", "allocation", "cover VII/US with fighters", "cover VII/US"),
    ],
)
def test_several_aircraft_without_a_number(key: str, section: str, line: str, one: str) -> None:
    reading = read(key, line, section=section)
    assert asks(reading) == "how many?"
    assert reading.faults[0].either[0] == one
    assert read(key, one, section=section).orders


def test_two_units_and_two_hexes_in_one_list_each() -> None:
    fault = read("normandy71", "8/3, 9/3 to 1422, 1423", section="movement").faults[0]
    assert fault.either == ("move 8/3 to 1422\nmove 9/3 to 1423", "move 8/3, 9/3 to 1422 1423")
    assert read("normandy71", "8/3, 9/3 to 1422-1423", section="movement").orders


# --- attacks ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "line",
    [
        "attack 1007 with 51BR and 1SSB, then move to 0908",
        "attack 1007 with 51BR, 1SSB. Move to 0908",
        "attack 1007 with 51BR + 1SSB, then move to 0908",
        "attack 1007 with 51BR, 1SSB, attack 1008",
        "attack 1007 with 51BR, 1SSB, advance, then exploit to 0908",
    ],
)
def test_the_last_attacker_does_not_go_somewhere_else(line: str) -> None:
    reading = read("normandy44", line)
    assert not reading.orders and len(reading.faults) == 1
    fault = reading.faults[0]
    first = [each.partition("\n")[0] for each in (fault.suggestion, *fault.either) if each]
    assert all("51BR" in each and "1SSB" in each for each in first)


def test_another_unit_attacks_elsewhere() -> None:
    found = read("normandy44", "attack 1007 with 51BR, 1SSB attacks 1008").orders
    assert [(line.order.actors(), line.order.targets()) for line in found] == [
        (("51BR",), ("1007",)),
        (("1SSB",), ("1008",)),
    ]


@pytest.mark.parametrize(
    ("key", "section", "line"),
    [
        ("normandy44", "landing", "guns 2 at 0714, rest at 0713"),
        ("falaise", "bombardment", "airstrike on 1335, rest on 1433"),
        ("falaise", "bombardment", "artillery 12C on 1433, rest on 1434"),
        ("normandy44", "phase B", "attack 1007 with 51BR, fighters 1, rest on 1008"),
        ("falaise", "bombardment", "airstrike 1335, 1335"),
        ("falaise", "bombardment", "airstrike 1335 1335 1433"),
    ],
)
def test_what_the_rest_does_and_a_hex_named_twice(key: str, section: str, line: str) -> None:
    reading = read(key, line, section=section)
    assert not reading.orders and len(reading.faults) == 1


@pytest.mark.parametrize("fighters", ["the fighters", "both fighters", "our fighters", "fighters"])
def test_fighters_without_a_number(fighters: str) -> None:
    assert asks(read("normandy44", f"51BR, 1SSB attack 1007, {fighters}")) == "how many?"


@pytest.mark.parametrize(("fighters", "number"), [("fighters 2", 2), ("fighters 1", 1)])
def test_fighters_with_a_number(fighters: str, number: int) -> None:
    """The 1 of the guns is no number of fighters."""
    (line,) = read("normandy44", f"attack 1007 with 51BR, {fighters}, guns 1").orders
    assert isinstance(line.order, Attack) and (line.order.air, line.order.guns) == (number, 1)


@pytest.mark.parametrize(
    "line",
    [
        "2A, 30Inf to 1502 (maybe next turn)",
        "2A to 1502 (whole stack)",
        "2A to 1502 (everyone there)",
        "2A to 1502 (and back)",
    ],
)
def test_comments_that_put_off_or_take_in_more(line: str) -> None:
    assert read("rampage", line).faults and not read("rampage", line).orders


def test_a_hex_in_brackets_behind_another() -> None:
    why = "one after the other, or one of them?"
    assert asks(read("normandy71", "231/50 to 2126 (2127)", section="movement")) == why
    assert asks(read("normandy71", "231/50 to Bayeux (2126)", section="movement")) == why
    assert read("normandy71", "231/50 to Bayeux (3024)", section="movement").orders


def test_a_beach_alone_is_no_supply() -> None:
    assert asks(read("normandy71", "4 Utah", section="plan")) == 'does this mean "supply"?'


# --- headings and lines by name -----------------------------------------------------------------------------


def test_two_headings_on_a_line() -> None:
    reading = read("falaise", "[12C] [30C]", "hold", section="12C")
    assert "two headings on a line" in str(reading.faults[0].error)


def test_a_line_that_stays_as_it_is() -> None:
    reading = read("rampage", "L6: ok", "L7: as is", "L8: yes")
    assert not reading.faults and not reading.unread and not reading.orders


def test_withdraw_takes_back_all_that_it_names_or_nothing() -> None:
    reading = read("rampage", "withdraw L1 and replace it by 4A, 35Inf at 1302")
    assert reading.faults and not [each for each in reading.said if each not in reading.faults]


def test_a_question_that_begins_with_when_is_no_order() -> None:
    (unread,) = read("rampage", "When does turn 3 start?").unread
    assert unread.holds and not unread.like


@pytest.mark.parametrize("line", ["Orders attached.", "My orders are attached.", "Orders below:"])
def test_words_for_the_orders_of_a_letter_are_a_greeting(line: str) -> None:
    reading = read("rampage", line, "2A to 1508")
    assert len(reading.orders) == 1 and not reading.faults and not reading.unread


def test_a_standing_order_of_the_other_side() -> None:
    """Normandy (1971): the Germans decide of retreats as well, by other standing orders."""
    at = desk("normandy71")
    told = str(at.read("german", "movement", "standing retreat: away from the coast").faults[0].error)
    assert told.startswith("only the other side may say this of retreat")
    assert not at.read("german", "movement", "standing retreat: away from roads").faults


@pytest.mark.parametrize("line", ["attack 0714 with 1US, 3-1", "0714 attacked by 1US 3-1"])
def test_odds_with_a_hyphen_or_a_unit(line: str) -> None:
    """3-1 is how Americans write odds, and how some write the 3rd regiment of the 1st division."""
    reading = read("normandy44", line)
    assert asks(reading) == "3-1: odds, or 3/1PAD?"
    assert reading.faults[0].either == (
        "attack 0714 with 1US at 3:1 or better",
        "attack 0714 with 1US, 3/1PAD",
    )


@pytest.mark.parametrize(
    ("line", "units", "odds"),
    [
        ("attack 0714 with 1US at 3-1", ("1US",), "3:1"),
        ("attack 0714 with 1US and 3-1 or better", ("1US",), "3:1"),
        ("attack 0714 with 3-1", ("3/1PAD",), ""),
        ("attack 0714 with 1US, 3/1PAD", ("1US", "3/1PAD"), ""),
    ],
)
def test_odds_that_say_so(line: str, units: tuple[str, ...], odds: str) -> None:
    [order] = [each.order for each in read("normandy44", line).orders]
    assert isinstance(order, Attack)
    assert (order.units, order.odds) == (units, odds)


@pytest.mark.parametrize(("odds", "least"), [("3-2", "3:2"), ("2-1", "2:1"), ("1-1", "1:1")])
def test_odds_are_no_unit(odds: str, least: str) -> None:
    """3-2 is not 32/GAD, 2-1 no unit of the enemy, 1-1 not ISS."""
    (line,) = read("normandy44", f"attack 0719 with 82AB, {odds}").orders
    assert isinstance(line.order, Attack) and (line.order.units, line.order.odds) == (("82AB",), least)
    reading = read("normandy44", "attack 0809 with 716ID, 1-1", seat="german")
    assert asks(reading) == "1-1: odds, or 1/1SS?"


@pytest.mark.parametrize(
    "units", ["A,B/2AD", "A, B/2AD", "A and B/2AD", "A+B/2AD", "A & B of 2AD", "A/2AD and B of 2AD"]
)
def test_regiments_of_letters(units: str) -> None:
    """A is no hex where units come in, if it is a regiment of the division behind it."""
    (line,) = read("normandy44", f"{units} to 0814").orders
    assert line.order.actors() == ("A/2AD", "B/2AD") and line.order.sort == "goes"
