"""Turns of phrase that no order has: their writer is asked, with a line for each thing that may be meant."""

from __future__ import annotations

import pytest

from pbem.engine.language.model import Scope
from tests.language.test_language import desk
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


@pytest.mark.parametrize(
    ("key", "section", "line", "offers"),
    [
        (
            "normandy44",
            "",
            "4US to 0618, then attack 0718 with 82AB",
            ("move 4US to 0618\nattack 0718 with 4US, 82AB", "move 4US to 0618\nattack 0718 with 82AB"),
        ),
        (
            "normandy44",
            "",
            "4US to 0618 and attack 0718 with 82AB",
            ("move 4US to 0618\nattack 0718 with 4US, 82AB", "move 4US to 0618\nattack 0718 with 82AB"),
        ),
        (
            "normandy44",
            "",
            "4US to 0618 & attack 0718 with 82AB",
            ("move 4US to 0618\nattack 0718 with 4US, 82AB", "move 4US to 0618\nattack 0718 with 82AB"),
        ),
        (
            "falaise",
            "2CC",
            "4/2C to 1425, then assault 1525 with 5/2C",
            (
                "when 2CC: move 4/2C to 1425\nwhen 2CC: assault 1525 with 4/2C, 5/2C",
                "when 2CC: move 4/2C to 1425\nwhen 2CC: assault 1525 with 5/2C",
            ),
        ),
    ],
)
def test_who_moves_may_attack_as_well(key: str, section: str, line: str, offers: tuple[str, ...]) -> None:
    reading = read(key, line, section=section)
    assert "as well, or" in asks(reading)
    assert reading.faults[0].either == offers


@pytest.mark.parametrize(
    ("line", "attackers"),
    [
        ("4US to 0517 & attack 0718 with 82AB", ("82AB",)),  # 4US is not next to it
        ("4US to 0618, then attacks 0718 with 82AB", ("4US", "82AB")),
        ("4US to 0618, then attack 0718 with 4US, 82AB", ("4US", "82AB")),
        ("4US to 0618, then attack 0718", ("4US",)),
    ],
)
def test_who_attacks_after_a_move(line: str, attackers: tuple[str, ...]) -> None:
    assert read("normandy44", line).orders[1].order.actors() == attackers


def test_the_rest_at_a_hex_behind_a_comma() -> None:
    reading = read("normandy71", "entrench 69/50, rest at 2326", section="entrenchment")
    assert asks(reading) == "56: too, or not?"
    assert reading.faults[0].either == ("entrench 69/50, 56", "entrench 69/50")
    assert read("normandy71", "entrench the rest at 2326", section="entrenchment").orders


@pytest.mark.parametrize("line", ["the flak stays", "flak stays where it is", "all flak units hold"])
def test_units_of_a_name_stay(line: str) -> None:
    (stay,) = read("normandy44", line, seat="german").commands
    assert (stay.name, stay.names) == ("stay", ("FlakA", "FlakB", "FlakC"))


@pytest.mark.parametrize("line", ["the flak stays or moves", "flak stays at 1007", "morale holds"])
def test_what_stays_is_units_and_no_more(line: str) -> None:
    reading = read("normandy44", line, seat="german")
    assert not reading.commands and (reading.faults or reading.holding)


@pytest.mark.parametrize("line", ["same as last turn", "Repeat last turn's orders", "as last turn."])
def test_orders_of_an_earlier_turn_are_written_again(line: str) -> None:
    why = asks(read("normandy71", line, section="combat"))
    assert 'send each again as a line, such as "attack ' in why


@pytest.mark.parametrize("line", ["47Pz holds", "the 47th Panzer Corps holds"])
def test_a_command_that_holds(line: str) -> None:
    fault = read("falaise", line, seat="german", section="1SS").faults[0]
    assert fault.suggestion == "when 47Pz: hold"


@pytest.mark.parametrize(
    ("line", "offer"),
    [
        ("Q3: a, but 47Pz holds", "Q3: a\nwhen 47Pz: hold"),
        ("Q3: a. 2/2Pz holds", "Q3: a\n2/2Pz holds"),
        ("Q3: a but 2/2Pz to 3431", "Q3: a\n2/2Pz to 3431"),
        ("Q3: a but not if it rains", ""),
        ("Q3: a and b", ""),
    ],
)
def test_an_answer_and_more(line: str, offer: str) -> None:
    """What is said besides is offered on a line of its own, and the answer never without it."""
    here = desk("falaise")
    scope = Scope(sections=("47Pz",), turn=here.state.turn, questions={3: ("1425", "1524")})
    (fault,) = here.game.grammar.read([(1, line)], here.rosters["german"], "47Pz", scope).faults
    assert (fault.suggestion, fault.either) == (offer, ())


@pytest.mark.parametrize(
    "lines",
    [
        ("second: 4US to 0618", "first: 82AB to 0718"),
        ("First, 82AB to 0718", "Second, 4US to 0618"),
        ("first: 82AB to 0718", "second: 4US to 0618"),
    ],
)
def test_lines_that_are_counted_out(lines: tuple[str, ...]) -> None:
    reading = read("normandy44", *lines)
    assert not reading.faults and not reading.holding
    assert [line.order.actors() for line in reading.orders] == [("82AB",), ("4US",)]


def test_lines_that_are_counted_out_otherwise() -> None:
    """The first is not behind others; and nobody moves after an attack in one phase."""
    why = asks(read("normandy44", "101AB to 0717", "second: 4US to 0618", "first: 82AB to 0718"))
    assert "put this one in front" in why
    for lines in (
        ("second: 4US to 0618", "first: 82AB attacks 0719"),
        ("first: 82AB attacks 0719", "second: 4US to 0618"),
    ):
        assert "this is played before the attack in front of it" in asks(read("normandy44", *lines))


@pytest.mark.parametrize(
    ("key", "section", "line", "attackers"),
    [
        ("normandy44", "", "attack 0719 with everything", ("82AB",)),
        ("normandy44", "", "everyone attacks 0719", ("82AB",)),
        ("normandy44", "", "attack 0719 w/82AB", ("82AB",)),
        ("normandy71", "combat", "attack 3828 with everything", ("116/29", "743")),
        ("normandy71", "combat", "attack 3828 all adjacent", ("116/29", "743")),
        (
            "falaise",
            "2CC",
            "assault 1525 with everything but 4/2C",
            ("5/2C", "6/2C", "6/2AB", "10/2AB", "27/2AB"),
        ),
    ],
)
def test_everything_attacks_that_can(key: str, section: str, line: str, attackers: tuple[str, ...]) -> None:
    """Of all units those adjacent to the target, as of a formation."""
    (attack,) = read(key, line, section=section).orders
    assert attack.order.actors() == attackers


def test_a_unit_before_a_command_of_that_name() -> None:
    """Luck is the leader of 125/21Pz, and LUCK a command."""
    (move,) = read("falaise", "Luck pulls out to 1420", seat="german", section="1SS").orders
    assert move.order.actors() == ("125/21Pz",)
    (luck,) = read("falaise", "luck", seat="german", section="1SS").commands
    assert luck.name == "luck"


@pytest.mark.parametrize(
    ("line", "actors", "stay"),
    [
        ("4US to 0618 but 82AB holds", ("4US",), ("82AB",)),
        ("82AB attack 0719, 4US the same", ("82AB", "4US"), ()),
        ("82AB attack 0719, 4US ditto", ("82AB", "4US"), ()),
        ("attack 0719 with 82AB, 2-1, no lower", ("82AB",), ()),
    ],
)
def test_some_do_the_same_and_some_stay(line: str, actors: tuple[str, ...], stay: tuple[str, ...]) -> None:
    reading = read("normandy44", line)
    assert not reading.faults and not reading.holding
    assert [line.order.actors() for line in reading.orders] == [actors]
    assert tuple(unit for each in reading.commands for unit in each.names) == stay


@pytest.mark.parametrize(
    ("key", "line", "offer"),
    [
        ("normandy44", "82AB joins 4US in attacking 0719", "attack 0719 with 4US, 82AB"),
        ("rampage", "3A joins 4A in attacking 1203", "move 4A, 3A to 1203"),
    ],
)
def test_who_joins_an_attack_attacks_with_the_others(key: str, line: str, offer: str) -> None:
    """Not a move to where they are, and an attack alone."""
    reading = read(key, line)
    assert not reading.orders
    assert asks(reading).startswith("together, or one after the other?")
    assert reading.faults[0].either == (offer,)


@pytest.mark.parametrize(
    ("line", "offers"),
    [
        ("3BR one hex short of 1010", ("move 3BR to 0909",)),
        ("3BR to 1010, stop one hex short", ("move 3BR to 0909",)),
        ("3BR to the hex before 1010", ("move 3BR to 0909",)),
        ("3BR moves next to 1008", ("move 3BR to 0907", "move 3BR to 0908")),
        ("3BR to 0808 0908, one hex short", ("move 3BR to 0808",)),
        ("3BR to 0908, stop on contact", ("if not 0908 is held by the enemy, move 3BR to 0908",)),
        ("3BR to 0908 until it meets the enemy", ("if not 0908 is held by the enemy, move 3BR to 0908",)),
        ("3BR to 0908, not 1008", ("move 3BR to 0908",)),
    ],
)
def test_where_a_move_is_to_end(line: str, offers: tuple[str, ...]) -> None:
    reading = read("normandy44", line)
    assert not reading.orders and asks(reading)
    assert reading.faults[0].either == offers


def test_stop_on_contact_with_an_enemy_who_is_there() -> None:
    reading = read("normandy44", "82AB to 0419, stop on contact")
    assert "no order stops on contact" in asks(reading)
    assert reading.faults[0].either == ("move 82AB to 0518", "move 82AB to 0519")
    assert not read("normandy44", "6AB to 1006, stop on contact").faults[0].either  # next to him already
    assert "no order stops on contact" in asks(read("normandy44", "stop on contact"))


def test_a_way_that_names_no_other_hex_is_no_confirmation() -> None:
    """Who says that he goes to a hex and not to it says nothing that could be offered."""
    assert read("normandy44", "3BR to 0808 0908, not 0808").faults[0].either == ()


@pytest.mark.parametrize(
    ("key", "line", "section", "offers"),
    [
        ("rampage", "15/43/50 to 1604", "", ("move 15BrInf, 43BrInf, 50BrInf to 1604",)),
        ("rampage", "7A/2Fr to 1505", "", ("move 7A, 2FrA to 1505",)),
        ("normandy44", "1US/29US to 0714", "", ("move 1US, 29US to 0714",)),
        ("france44", "V/VII to 1209", "initiative", ("when initiative: move V/US, VII/US to 1209",)),
    ],
)
def test_units_between_strokes(key: str, line: str, section: str, offers: tuple[str, ...]) -> None:
    reading = read(key, line, section=section)
    assert "write several with commas" in asks(reading)
    assert reading.faults[0].either == offers


def test_the_rest_of_the_airstrikes() -> None:
    reading = read("falaise", "airstrike on 1335, rest on 1433", section="bombardment")
    assert asks(reading) == "how many are the rest?"
    assert reading.faults[0].either[1] == "airstrike on 1335\nairstrike on 1433 times 2"


@pytest.mark.parametrize(
    ("word", "condition"),
    [
        ("unless it is", "not 8/3C is"),
        ("when it is", "8/3C is"),
        ("if it's not", "not 8/3C is"),
    ],
)
def test_the_state_of_what_has_been_named(word: str, condition: str) -> None:
    reading = read("falaise", f"8/3C to 1521 {word} disrupted", section="2CC")
    assert asks(reading) == "what is to be so?"
    assert reading.faults[0].either == (f"when 2CC: if {condition} disrupted, move 8/3C to 1521",)


def test_a_pause_after_each_line() -> None:
    reading = read("rampage", "pause after each battle")
    assert "below each line" in asks(reading) and reading.faults[0].either == ("pause",)


@pytest.mark.parametrize("odds", [", 3-1", " at 3-1", ", 3:1 or better", " only at 3:1"])
def test_odds_where_no_attack_waits_for_them(odds: str) -> None:
    reading = read("france44", f"inc 4: attack 1209 with VII/US{odds}", section="initiative")
    assert "no attack waits for odds" in asks(reading)
    assert reading.faults[0].either == ("when initiative: increment 4: attack 1209 with VII/US",)


@pytest.mark.parametrize(
    ("key", "section", "line", "offers"),
    [
        (
            "rampage",
            "",
            "GdsA to 1702, then attack 1703 with 15BrInf",
            ("move GdsA to 1702\nmove GdsA, 15BrInf to 1703", "move GdsA to 1702\nmove 15BrInf to 1703"),
        ),
        (
            "normandy71",
            "movement",
            "8/4 to 5230, attack 5130",
            ("move 8/4 to 5230\n[combat]\nattack 5130 with 8/4",),
        ),
    ],
)
def test_an_attack_behind_a_move(key: str, section: str, line: str, offers: tuple[str, ...]) -> None:
    reading = read(key, line, section=section)
    assert not reading.orders and reading.faults[0].either == offers
    assert read("rampage", "attack 1105 with 35ID and attack 1106 with 28ID").orders


def test_lines_counted_out_in_figures() -> None:
    first, second = read("rampage", "1st: GdsA to 1702", "2nd: 3BrInf to 1702").orders
    assert (first.order.actors(), second.order.actors()) == (("GdsA",), ("3BrInf",))
    assert read("rampage", "2nd: GdsA to 1702").faults  # of what has no first


@pytest.mark.parametrize(
    ("line", "offer"),
    [
        ("losses full 1st", "standing losses: full first"),
        ("losses: full first", "standing losses: full first"),
        ("battle 3 rounds", "standing battle: fight at most 3 rounds"),
        ("standing battle: 3 rounds", "standing battle: fight at most 3 rounds"),
        ("standing battle stop 40%", "standing battle: stop if the odds of winning are under 40%"),
    ],
)
def test_standing_orders_that_lack_a_word(line: str, offer: str) -> None:
    (fault,) = read("rampage", line).faults
    assert fault.command and fault.either == (offer,)


@pytest.mark.parametrize("words", ["by road", "strategic", "by strategic movement"])
def test_how_a_move_is_made_is_told(words: str) -> None:
    """The words order nothing where the way alone says how units move: the reply lists them."""
    for key, line, section in (
        ("normandy71", "8/4 to 5230", "movement"),
        ("normandy44", "3BR to 0908", ""),
        ("rampage", "GdsA to 1702", ""),
    ):
        reading = read(key, f"{line} {words}", section=section)
        assert [each.text for each in reading.comments] == [words] and len(reading.orders) == 1


def test_strategic_movement_that_the_game_calls_administrative() -> None:
    for line in ("2AD/US to 1210 by strategic movement", "strategic move 2AD/US to 1210"):
        verbs = [each.order.verb for each in read("france44", line, section="initiative").orders]
        assert verbs == ["administrative", "move"]


@pytest.mark.parametrize(("line", "actors"), [("react AOK7 with Lehr", ("Lehr",)), ("react with AOK7", ())])
def test_a_reaction_of_an_army(line: str, actors: tuple[str, ...]) -> None:
    (order,) = read("france44", line, seat="german", section="reaction").orders
    assert order.order.verb == "activate" and order.order.actors() == actors


def test_the_caret_below_what_is_wrong_behind_w() -> None:
    for with_ in ("w/ ", "w/"):
        fault = read("normandy44", f"attack 0714 {with_}1US, 29US at 2:1, snorkels 3").faults[0]
        assert fault.text[fault.error.column :].startswith("snorkels")


def test_versus_is_no_corps() -> None:
    for line in ("6AB + 1SSB v 1106 at 1-1", "6AB, 1SSB v. 1106 at least evens"):
        (order,) = read("normandy44", line).orders
        assert order.order.actors() == ("6AB", "1SSB")
    assert read("normandy44", "6AB, V to 0714").orders[0].order.actors() == ("6AB", "V/US")


@pytest.mark.parametrize(
    ("key", "section", "line", "offers"),
    [
        ("normandy44", "", "79b stays with 3BR", ("79b stays",)),
        ("normandy44", "", "swap 3BR and 3CA", ("move 3BR to 0809\nmove 3CA to 0808",)),
        ("normandy71", "movement", "70 stacks with 8/4", ("70 to 5130",)),
        (
            "normandy71",
            "movement",
            "505/82 to 5531, stacking with 506/101",
            ("move 505/82 to 5531", "move 505/82, 506/101 to 5531"),
        ),
        ("france44", "initiative", "XIX Corps follows VII Corps", ("when initiative: XIX/US to 1208",)),
        (
            "falaise",
            "2CC",
            "7/3C to 1420 and 8/3C follows it",
            (
                "when 2CC: move 7/3C to 1420\nwhen 2CC: 8/3C to 1420",
                "when 2CC: move 7/3C to 1420\nwhen 2CC: 8/3C to 1321",
            ),
        ),
        ("rampage", "", "5A to 1505, then both to 1606", ("move 5A to 1505 then continue to 1606",)),
    ],
)
def test_units_beside_others(key: str, section: str, line: str, offers: tuple[str, ...]) -> None:
    reading = read(key, line, section=section)
    assert not reading.orders and not reading.commands and asks(reading)
    assert reading.faults[0].either == offers


def test_a_unit_follows_to_where_the_other_is_sent() -> None:
    reading = read("normandy44", "3CA to 0909", "4SSB follows 3CA")
    assert reading.faults[0].either == ("4SSB to 0909", "4SSB stays")


@pytest.mark.parametrize(
    ("key", "section", "line", "same"),
    [
        ("normandy44", "", "101st AB eastwards to Carentan", "101AB to 0818"),
        ("normandy44", "", "82AB attacks 0419, gunfire 1pt, air 1",
         "attack 0419 with 82AB, fighters 1, guns 1"),
        ("normandy44", "", "3CA and 4SSB attack 1009, if they win only 3CA advances",
         "attack 1009 with 3CA, 4SSB, advance 3CA"),
        ("normandy71", "movement", "741 1 hex SE", "741 to 3527"),
        ("normandy71", "movement", "break down 8/4 into battalions", "break 8/4"),
        ("rampage", "", "79Inf to 1007 if it's still ours, otherwise stay",
         "if 1007 is held by us, 79Inf to 1007"),
        ("rampage", "", "5A and 7A meet at 1506", "5A, 7A to 1506"),
        ("rampage", "", "4A to Sens and hold there", "4A to 1210"),
        ("falaise", "bombardment", "12 Corps arty hits 1433", "artillery of 12C on 1433"),
        ("falaise", "2CC", "4/2C breaks contact to 1423", "4/2C to 1423"),
        ("falaise", "2CC", "assault 1525 with everything we have", "assault 1525 with everything"),
        ("france44", "initiative", "wait until box 6", "increment 6"),
        ("france44", "initiative", "1st increment: 2AD moves to 1210", "inc 1: move 2AD/US to 1210"),
        ("france44", "initiative", "US1 HQ displaces to 1209", "move US1 to 1209"),
    ],
)  # fmt: skip
def test_more_ways_to_say_it(key: str, section: str, line: str, same: str) -> None:
    (one,), (other,) = (read(key, each, section=section).orders for each in (line, same))
    assert (one.order, one.conditions) == (other.order, other.conditions)


@pytest.mark.parametrize(
    ("key", "section", "line", "sort"),
    [
        ("normandy44", "phase A", "no attacks", "attack"),
        ("normandy44", "phase A", "No assaults this turn please", "attack"),
        ("normandy44", "phase A", "no movement for now", "goes"),
        ("france44", "initiative", "no attacks please", "attack"),
    ],
)
def test_what_is_not_ordered(key: str, section: str, line: str, sort: str) -> None:
    """Where units move and attack, ``no attacks`` says nothing of moves, and is no order."""
    reading = read(key, line, section=section)
    assert [(each.name, each.argument) for each in reading.commands] == [("abstain", sort)]
    assert not reading.faults and not reading.unread


@pytest.mark.parametrize("words", ["no attack", "no attacks", "don't attack", "no fighting"])
def test_an_attack_without_attack_is_asked_about(words: str) -> None:
    """It was played as an attack."""
    reading = read("normandy44", f"attack 0912 with 50BR, {words}")
    assert not reading.orders and f'"{words}"' in asks(reading)
    assert reading.faults[0].either == ("attack 0912 with 50BR",)


def test_a_move_without_attack_is_a_move() -> None:
    (line,) = read("normandy44", "50BR to 0811, no attacks").orders
    assert line.order.place() == "0811"
    assert [each.name for each in read("normandy44", "attack 0912 with 50BR\nno attacks").commands] == [
        "abstain"
    ]


@pytest.mark.parametrize(
    "line", ["II SS Pz Corps to 1310", "move 2SS Corps to 1310", "2nd SS Panzer Army to 1310"]
)
def test_a_corps_is_no_division(line: str) -> None:
    """The 2nd SS Panzer Division is no part of the II SS Panzer Corps."""
    reading = read("france44", line, seat="german", section="reaction")
    assert not reading.orders and (reading.faults or reading.holding)
    assert not [each for each in reading.faults if "2SS" in each.suggestion]


def test_a_unit_of_another_size_is_named() -> None:
    reading = read("france44", "move 2SS Corps to 1310", seat="german", section="reaction")
    assert 'there is no unit "2SS Corps"; 2SS is the German 2 SS Panzer Division' in asks(reading)
