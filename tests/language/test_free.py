"""Orders in a free order of words: what is read, and what is never read around."""

from __future__ import annotations

import pytest

from pbem.engine.game import game
from pbem.engine.language import Reading, Scope
from pbem.engine.language.limits import LIMITS
from pbem.engine.language.model import StandingLine
from pbem.engine.language.turns import FILLERS
from tests.language.test_language import desk, said


@pytest.mark.parametrize(
    ("key", "seat", "section", "text", "meant"),
    [
        # several orders on a line
        ("falaise", "allied", "2CC", "7/3C to 1421, 8/3C to 1422, 9/3C holds",
         "move 7/3C to 1421\nmove 8/3C to 1422\nhold 9/3C"),
        ("falaise", "allied", "bombardment", "30th Corps bombards 1439, 12th Corps bombards 1530",
         "artillery 30C on 1439\nartillery 12C on 1530"),
        ("normandy44", "german", "phase A", "709 ID to 0518, then attacks 0617 with 84th Corps support",
         "move 709ID to 0518\nattack 0617 with 709ID, support of LXXXIV"),
        ("rampage", "allied", "operations", "35ID stays (REPS), 28 + 30 ID to 1105, 1106",
         "hold 35Inf\nmove 28Inf, 30Inf to 1105 1106"),
        ("normandy71", "allied", "movement", "8/4 to 5230; then, finally, 22/4 to 5331",
         "move 8/4 to 5230\nmove 22/4 to 5331"),
        # the name of a unit below the heading of its corps
        ("falaise", "allied", "2CC", "Move. 4AB to 1319", "move 4AB/4C to 1319"),
        ("falaise", "allied", "7C", "60th regiment and CCA attack the 1st SS Panzer, the 1st Division stays",
         "assault 3736 with 60/9, CCA/3A\nhold 16/1, 18/1, 26/1"),
        # odds, support, counts in any wording and place
        ("falaise", "allied", "2CC", "if 3-1 the 8th and 9th Brigades (3rd Div) attack 1422",
         "assault 1422 with 8/3C, 9/3C at 3-1 or better"),
        ("falaise", "allied", "bombardment", "3 airstrikes vs 1524", "airstrike on 1524 times 3"),
        ("normandy44", "allied", "phase A", "6AB attacks 711 ID (1006), naval support two cruisers RN",
         "attack 1006 with 6AB, guns 2"),
        ("normandy71", "allied", "combat", "116th attacks 3828 with 743, medium naval support",
         "attack 3828 with 116/29, 743, naval medium"),
        ("falaise", "german", "2SS", "KG Fick attacks 3311 with Pz/2SS, 2:1",
         "assault 3311 with KG/17SS, Pz/2SS at 2-1 or better"),
        ("normandy71", "german", "movement", "FJR 6 leaves Carentan for 5326", "move FJR6/2FJ to 5326"),
        # where it is: the enemy, a direction, a condition
        ("normandy71", "german", "combat", "125PzG & 736 attack the Tommies in 1522",
         "attack 1522 with 125PzG/21, 736/716"),
        ("normandy71", "allied", "movement", "Everything in 3628 moves one hex south",
         "move all in 3628 to 3627"),
        ("normandy44", "german", "phase A",
         "716 ID attacks 0908 if there's anybody in it, otherwise stands fast",
         "if 0908 is held by the enemy, attack 0908 with 716ID"),
        ("falaise", "german", "74", "751, 752 and 753 to 1538, 1539, 1540 respectively",
         "move 751/326 to 1538\nmove 752/326 to 1539\nmove 753/326 to 1540"),
        ("falaise", "allied", "Pol", "Stefanowicz 1116 attack, Zgorzelski in support",
         "assault 1116 with Stefanowicz, Zgorzelski"),
        ("falaise", "allied", "Pol",
         "Zgorzelski to 1217, then mech assault on 1116 together with Stefanowicz, min. 3:1",
         "move Zgorzelski to 1217\nmech assault 1116 with Zgorzelski, Stefanowicz at 3-1 or better"),
        ("falaise", "allied", "bombardment", "Jabos: 1 each on 3213 and 3314",
         "airstrike on 3213\nairstrike on 3314"),
        ("normandy44", "german", "phase A", "243ID attacks 0619, LXXXIV supports it",
         "attack 0619 with 243ID, support of LXXXIV"),
        ("normandy44", "german", "phase A", "711ID 1007, min. 1:2",
         "attack 1007 with 711ID at 1:2 or better"),
        ("normandy44", "german", "phase A", "711ID x 1007 (min. 1:2)",
         "attack 1007 with 711ID at 1:2 or better"),
        ("normandy44", "german", "phase A", "716ID, 711ID attack 1007 at 2:1 or better else stay at 1107",
         "attack 1007 with 716ID, 711ID at 2:1 or better, else stay"),
        # who holds a place is said by the name of a side
        ("normandy44", "german", "phase A", "move 709ID to 0518 unless the enemy holds 0617",
         "if not 0617 is held by the enemy, move 709ID to 0518"),
        ("normandy44", "german", "phase A", "move 709ID to 0518 if the Allies hold 0617",
         "if 0617 is held by the enemy, move 709ID to 0518"),
        ("normandy44", "german", "phase A", "move 709ID to 0518 if 0617 isn't held by the Germans",
         "if not 0617 is held by us, move 709ID to 0518"),
        ("normandy44", "allied", "phase A", "move 4US to 0518 if the British are in 1008",
         "if 1008 is held by us, move 4US to 0518"),
        ("normandy44", "allied", "phase A", "move 4US to 0518 if 1008 is not empty",
         "if not 1008 is empty, move 4US to 0518"),
        ("normandy44", "allied", "phase A", "move 4US to 0518 if 1009 falls",
         "if not 1009 is held by the enemy, move 4US to 0518"),
        ("normandy44", "german", "phase A", "move 709ID to 0518 if 1009 falls",
         "if 1009 is held by the enemy, move 709ID to 0518"),
        # two battles, each with its own units
        ("normandy71", "allied", "combat", "attack 1424 with 8/3 and attack 1522 with 9/3",
         "attack 1424 with 8/3\nattack 1522 with 9/3"),
        ("normandy71", "allied", "combat", "attack 1424 with 8/3 and 1522 with 9/3",
         "attack 1424 with 8/3\nattack 1522 with 9/3"),
        ("normandy71", "allied", "combat", "attack 1424 with 8/3 and no heavy",
         "attack 1424 with 8/3, naval none"),
        ("normandy44", "german", "phase A", "Attack 1007 with 716ID. 709ID moves to 0518.",
         "attack 1007 with 716ID\nmove 709ID to 0518"),
        ("normandy44", "allied", "phase A", "move 4US to 0518 if 0519 is not empty and 1009 is held by us",
         "if not 0519 is empty and 1009 is held by us, move 4US to 0518"),
        ("rampage", "allied", "operations", "attack 1105 with 35ID and attack 1106 with 28ID",
         "move 35Inf to 1105\nmove 28Inf to 1106"),
        # where one order alone gets units somewhere, every verb of going means it
        ("normandy44", "allied", "landing", "1st Special Service Brigade goes with 79b onto Sword (0808)",
         "assault 0808 with 1SSB, 79b"),
        ("normandy44", "allied", "landing", "4US at Utah", "assault 0617 with 4US"),
        ("normandy44", "allied", "landing", "two RN cruisers bombard 0808", "guns 2 at 0808"),
        ("normandy71", "allied", "movement", "8/4 moves one hex to 5231", "move 8/4 to 5231"),
        ("normandy71", "allied", "movement", "502 to 5532 if nothing is there",
         "if 5532 is empty, move 502/101 to 5532"),
        ("normandy71", "allied", "combat", "8/3 and 13/18 Hussars vs 1424, light guns",
         "attack 1424 with 8/3, 13/18H/27, naval light"),
        # a division before the parts of an armoured one
        ("normandy44", "allied", "phase A", "4th Division attacks 0519", "attack 0519 with 4US"),
        ("normandy44", "allied", "phase A", "2nd Division and 90th land at Utah", "land 2US, 90US at 0617"),
        ("normandy44", "allied", "allocation", "a fighter covers VII Corps", "cover VII/US"),
        # what a section is for stands in front, or a word for those who come
        ("normandy71", "allied", "movement 2", "Second movement: 501 to 5129", "move 501/101 to 5129"),
        ("rampage", "allied", "reinforcement", "Reinforcements: 8th & 29th Infantry in Alençon (1402)",
         "place 8Inf, 29Inf at 1402"),
        ("france44", "allied", "arrival", "all reinforcements at 1309",
         "enter 4AD/US, 6AD/US, XII/BR, GdsAD/BR, II/CA, US3, CA1 at 1309"),
        # nothing
        ("normandy44", "allied", "end", "No replacements for me", "no orders"),
        ("rampage", "allied", "airborne", "No drop this turn.", "no orders"),
        ("normandy71", "allied", "combat", "No attacks anywhere else", "the rest stays"),
        # abbreviations of veterans, and of people on a phone
        ("rampage", "allied", "operations", "3A n 1Inf w/ 4Inf to 1203, max 3 rds, stop < 45%",
         "move 3A, 1Inf, 4Inf to 1203 fight at most 3 rounds, stop if odds under 45%"),
        ("rampage", "allied", "operations", "3A+1Inf - 1203, 2 rds max, stop < 45%, losses inf 1st",
         "move 3A, 1Inf to 1203 fight at most 2 rounds, stop if odds under 45%, take losses infantry first"),
        ("rampage", "allied", "operations", "3A w 1Inf to 1203, losses inf 1st, kill arm 1st",
         "move 3A, 1Inf to 1203, take losses infantry first, kill armour first"),
        ("rampage", "allied", "operations", "3A, 1Inf 1203, 2 rnds, spare 3A",
         "move 3A, 1Inf to 1203, fight at most 2 rounds, take losses never 3A"),
        ("rampage", "allied", "operations",
         "3A and 1Inf attack 1203 but break off when the odds fall under 50 percent",
         "move 3A, 1Inf to 1203, stop if odds under 50%"),
        ("rampage", "allied", "operations", "3A to 1203 and fights until it has won, then continues to 1304",
         "move 3A to 1203, fight until won, then continue to 1304"),
        ("rampage", "allied", "operations", "15+43+50 - 1605 - 1606",
         "move 15BrInf, 43BrInf, 50BrInf to 1605 1606"),
        ("rampage", "allied", "operations", "3A, 1Inf - 1203, only if 1302 ours",
         "if 1302 is held by us, move 3A, 1Inf to 1203"),
        ("rampage", "allied", "operations", "3A, 1Inf - 1203 - 1304, but only if 1203 is ours",
         "if 1203 is held by us, move 3A, 1Inf to 1203 1304"),
        ("falaise", "german", "74", "991/277 to 1436 if 1337 lost",
         "if 1337 is held by the enemy, move 991/277 to 1436"),
        ("france44", "german", "initiative", "act PzWest w/ 1SS, 2SS", "activate PzWest with 1SS, 2SS"),
        ("france44", "german", "initiative", "I activate PzWest with 1SS", "activate PzWest with 1SS"),
        # all others stay, with the verb in front
        ("normandy71", "allied", "movement", "Hold Everything Else", "the rest stays"),
        ("rampage", "allied", "operations", "Hold Everything Else", "the rest stays"),
        ("falaise", "german", "1SS", "Hold Everything Else", "the rest stays"),
        ("normandy44", "allied", "phase A", "Hold Everything Else", "the rest stays"),
        ("france44", "allied", "initiative", "Hold Everything Else", "the rest stays"),
    ],
)  # fmt: skip
def test_what_is_read(key: str, seat: str, section: str, text: str, meant: str) -> None:
    at = desk(key)
    reading = at.read(seat, section, text)
    assert not reading.faults and not reading.unread
    assert said(reading) == at.meaning(seat, section, meant)


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("move 4US to 0518 if the US are in 1008", "if 1008 is held by us, then move 4US to 0518"),
        ("move 4US to 0518 if Germans hold 1008", "if 1008 is held by the enemy, then move 4US to 0518"),
    ],
)
def test_who_holds_a_place_is_written_as_people_write_it(text: str, meant: str) -> None:
    """The writer's own side is us, not "the us"; what is written is read as the same."""
    at = desk("normandy44")
    (line,) = at.read("allied", "phase A", text).orders
    assert game("normandy44").grammar.write_line(line) == meant
    assert said(at.read("allied", "phase A", meant)) == at.meaning("allied", "phase A", text)


@pytest.mark.parametrize(
    ("key", "seat", "section", "text"),
    [
        ("normandy71", "allied", "movement", "8/4 is at 5230 now"),  # a report
        ("normandy71", "allied", "movement", "8/4 moves one hex to 5430"),  # it is further than that
        ("france44", "allied", "administration", "replace V/US with 2 points (then back again)"),
        ("rampage", "allied", "airborne", "drop 82AB at 1811 -- all void from tomorrow"),  # All-American
        ("rampage", "allied", "airborne", "drop 82AB at 1811 -- Here are my orders, all void from tomorrow."),
        ("normandy71", "allied", "combat", "Heavy x 2 on 5131"),  # a number of missions is no unit
        ("france44", "allied", "initiative", "Le Havre again."),  # chat
        ("normandy71", "allied", "combat", "Carentan!"),
        ("normandy71", "allied", "movement", "12AA and 130AA 0620?"),  # a question
        ("normandy71", "allied", "movement", "8/4 to 5230, 22/4 to"),  # the line breaks off
        ("normandy71", "allied", "movement", "8/4 to 5230, 22/4 whatever"),
        ("normandy71", "allied", "combat", "8/4 attacks 5131 with naval support"),  # of which size?
        ("rampage", "allied", "operations", "79Inf to 1303 next turn"),
        ("rampage", "allied", "operations", "79Inf, 80Inf to 1303, but not 80Inf"),
        ("rampage", "allied", "operations", "move A, 1Inf, 4Inf to 1403"),  # A is no preposition
        ("falaise", "allied", "12C", "assault 1530 with 160/53, 158/53 from the woods"),
        ("falaise", "allied", "2CC", "7/3C to 1421, both of them"),  # there is one
        ("falaise", "german", "1SS", "attach 16/116Pz to 1SS"),  # a formation, no unit to attach
        ("normandy44", "allied", "allocation", "both offensive markers on VII Corps"),
        ("normandy44", "allied", "phase A", "6AB attacks 1006 if it is cheap"),
        ("normandy44", "german", "phase A", "716 ID from 0101 to 1010"),  # it is not there
        ("normandy71", "german", "movement", "FJR 6 leaves Bayeux for 5326"),
        ("normandy71", "german", "movement", "125PzG leaves 192PzG for 1322"),
    ],
)
def test_a_line_with_a_word_too_many_is_not_read_without_it(
    key: str, seat: str, section: str, text: str
) -> None:
    reading = desk(key).read(seat, section, text)
    assert all(line.order.actors() == ("16/116Pz",) for line in reading.orders)


def test_no_filler_limits_an_order() -> None:
    """Words that bind or limit are never dropped."""
    assert FILLERS.isdisjoint(LIMITS)


def test_a_subset_in_brackets_is_the_subset() -> None:
    """``21 Pz (22 and 192)``: of the division these two."""
    reading = desk("normandy44").read("german", "phase A", "21 Pz (22 and 192) to 1008")
    assert [set(line.order.actors()) for line in reading.orders] == [{"22/21Pz", "192/21Pz"}]


@pytest.mark.parametrize(
    ("key", "seat", "section", "text", "empties"),
    [
        ("normandy44", "german", "phase A", "no orders", True),
        ("normandy44", "german", "phase A", "no advance", False),
        ("normandy44", "german", "phase A", "no retreat", False),
        ("normandy44", "allied", "end", "no replacements for me", True),
        ("normandy44", "allied", "end", "no supply", False),
        ("normandy71", "allied", "movement", "no movement", True),
        ("normandy71", "allied", "combat", "no attacks", True),
        ("france44", "allied", "commitment", "no interdiction", False),
        ("france44", "german", "initiative", "no retreat", False),
        ("normandy44", "german", "", "no thanks", False),
    ],
)
def test_what_leaves_a_section_empty(key: str, seat: str, section: str, text: str, empties: bool) -> None:
    """``no advance`` says nothing of orders."""
    reading = desk(key).read(seat, section, text)
    assert not reading.orders
    assert [each.name for each in reading.commands] == ["none"] * empties


def test_no_attacks_leaves_no_section_empty() -> None:
    """It says nothing of moves."""
    reading = desk("normandy44").read("german", "phase A", "no attacks this turn")
    assert not reading.orders and [each.name for each in reading.commands] == ["abstain"]


@pytest.mark.parametrize(
    ("key", "seat", "section", "text"),
    [
        # "one" and a plural name no single unit
        ("rampage", "allied", "operations", "one division to 1502"),
        ("normandy71", "allied", "movement", "one unit to 3726"),
        ("normandy71", "allied", "movement", "one of the Rangers to 4329"),
        ("falaise", "german", "redeployment", "withhold the 9SS regiments"),
        # what comes of a battle is no order of its own
        ("falaise", "allied", "Pol", "mech assault 1116 with Stefanowicz, advance on to 1015"),
        ("falaise", "allied", "Pol", "mech assault 1116 with Stefanowicz, Stefanowicz advances to 1015"),
        ("normandy44", "german", "phase A", "attack 1007 with 716ID, retreat 716ID to 1108"),
        # no attack is none, and a mission stands for its own hex
        ("falaise", "allied", "2CC", "no assault 1423 with 4/2C"),
        ("normandy71", "allied", "combat", "no attack on 1424"),
        ("normandy71", "allied", "combat", "attack 1424 with 8/3, heavy on 1522"),
        # a second order is no condition, and a number of fighters no division
        ("normandy44", "german", "phase A", "709ID to 0518 if weather is clear and 91ID to 0620"),
        ("normandy44", "allied", "allocation", "cover VII/US with 2 US fighters"),
        ("normandy44", "allied", "phase A", "VII Corps moves 4US to 0518"),
        ("normandy44", "allied", "phase A", "I won't move 4US to 0518"),
        ("normandy71", "allied", "movement", "8/4 would go to 5230"),
        # a limit or a condition may be one of a part alone
        ("rampage", "allied", "operations", "2A to 1502 and 5A to 1403, 2 rounds each"),
        ("rampage", "allied", "operations", "2A to 1502 then 1503, 2 rounds at 1503"),
        ("rampage", "allied", "operations", "2A to 1502, then 1503 if 1403 is held by us"),
        ("falaise", "allied", "2CC", "7/3C to 1421 unless 1524 is empty and 1625 is empty"),
        ("falaise", "allied", "bombardment", "three airstrikes: 1523, 1524, 1525"),
        ("falaise", "allied", "2CC", "assault 1625 with 6/2C, 27/2AB, and 7/3C to 1421"),
        ("falaise", "allied", "2CC", "assault 1625 with 6/2C, 27/2AB, 27/2AB advances to 1724"),
        # a comment that takes the line back
        ("normandy44", "allied", "phase A", "move 4US to 0518 (cancelled)"),
    ],
)
def test_what_is_not_read(key: str, seat: str, section: str, text: str) -> None:
    """A line that says something else than it seems to: its writer says which is meant."""
    assert not desk(key).read(seat, section, text).orders


@pytest.mark.parametrize(
    ("key", "seat", "section", "text", "meant"),
    [
        ("normandy44", "allied", "phase A", "VII/US: 4US to 0518", "move 4US to 0518"),
        ("normandy44", "allied", "phase A", "attack 0519 with 4US, advance 4US to 0519",
         "attack 0519 with 4US, advance 4US"),
    ],
)  # fmt: skip
def test_who_is_meant(key: str, seat: str, section: str, text: str, meant: str) -> None:
    at = desk(key)
    assert said(at.read(seat, section, text)) == said(at.read(seat, section, meant))


def test_a_place_where_units_hold() -> None:
    """``hold at 3739`` is about the units there, not about the whole command."""
    (stay,) = desk("falaise").read("allied", "7C", "hold at 3739").commands
    assert stay.name == "stay" and stay.names
    assert all(desk("falaise").rosters["allied"].units[unit].hex == "3739" for unit in stay.names)


@pytest.mark.parametrize("word", ["nothing", "pass", "none"])
def test_nothing_beside_words_that_are_not_read(word: str) -> None:
    """Below no heading it may be said of them: it closes nothing."""

    def closed(text: str) -> list[str]:
        return [each.name for each in letter(text).commands]

    assert closed(word) == ["none"]
    assert closed(f"{word}\nOrders follow tonight, I think.") == []
    assert closed("no orders\nOrders follow tonight, I think.") == ["none"]


def letter(text: str) -> Reading:
    """A letter below no heading, where the movement of turn 1 is asked for."""
    at, lines = desk("normandy71"), list(enumerate(text.splitlines(), 1))
    scope = Scope(sections=("movement",), turn=1, writer=frozenset({"anna"}))
    return at.game.grammar.read(lines, at.rosters["allied"], "", scope)


@pytest.mark.parametrize(
    "text",
    [
        "8/4 to 5230\ndone\nNot done yet, sorry!",
        "8/4 to 5230\ndone\nSorry, do not play this yet.",
        "cancel my last order\ndone",
    ],
)
def test_done_that_is_taken_back(text: str) -> None:
    assert not any(each.name == "done" for each in letter(text).commands)


@pytest.mark.parametrize(
    "text",
    [
        "For turn 3:\n8/4 to 5230\ndone",
        "Would this be legal:\n8/4 to 5230\ndone",
        "Bob wrote:\n8/4 to 5230\ndone",
        "Is this right?\n8/4 to 5230\ndone",
        "Only if Caen has fallen:\n8/4 to 5230\ndone",
        "8/4 to 5230\n(cancelled)\ndone",
        "swap L3 and L4\ndone",
        "no attacks\ndone",
    ],
)
def test_what_holds_a_section_open(text: str) -> None:
    assert any(each.holds or each.like for each in letter(text).unread)


@pytest.mark.parametrize("text", ["My orders for turn 1:", "How are you?", "All right:", "All my orders:"])
def test_words_above_orders(text: str) -> None:
    assert not any(each.holds for each in letter(f"{text}\n8/4 to 5230\ndone").unread)


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("cancel L3", ("3",)),
        ("please delete L3 and L5", ("3", "5")),
        ("withdraw L3, 4 and 5", ("3", "4", "5")),
        ("withdraw L3-L5", ("3", "4", "5")),
        ("withdraw line 3 please", ("3",)),
        ("don't play L3", ("3",)),
        ("L3: none", ("3",)),
    ],
)
def test_lines_that_are_withdrawn(text: str, names: tuple[str, ...]) -> None:
    (found,) = letter(text).commands
    assert (found.name, found.argument, found.names) == ("withdraw", "lines", names)


@pytest.mark.parametrize(
    "text",
    [
        "withdraw everything but L3", "withdraw all except L3 and L4", "cancel L1 if it is still there",
        "withdraw L3 now",
    ],
)  # fmt: skip
def test_lines_that_are_not_named_alone_are_asked(text: str) -> None:
    assert letter(text).faults and not letter(text).commands


def test_what_is_said_of_a_line_is_no_correction() -> None:
    assert not letter("L3 is fine.").faults and not letter("L3 is fine.").orders
    assert letter("L3 8/4 to 5230").orders[0].spot


@pytest.mark.parametrize(
    "text", ["opfire: never this turn", "opfire: always (except at mech)", "opfire: always; never at mech"]
)
def test_what_is_no_standing_order(text: str) -> None:
    reading = desk("falaise").read("allied", "standing", text)
    assert reading.faults
    assert not any(isinstance(each, StandingLine) for each in reading.said)


def test_a_heading_of_another_turn() -> None:
    """A letter for another turn closes nothing of this one."""
    assert not letter("[turn 3]\n[movement]\n8/4 to 5230\ndone").commands
    assert letter("[turn 1]\n[movement]\n8/4 to 5230\ndone").commands


@pytest.mark.parametrize("text", [".", "!", "...", "()", ";", "-", "withdraw", "withdraw ,", "L3", "L3 ."])
def test_lines_of_hardly_anything(text: str) -> None:
    """They are read, or not, and stop no letter."""
    assert letter(f"{text}\n8/4 to 5230").orders or letter(text).faults


@pytest.mark.parametrize("begun", ["SO: lead", "SO lead:", "standing orders: lead"])
def test_how_people_begin_a_standing_order(begun: str) -> None:
    reading = desk("france44").read("german", "initiative", f"{begun} best morale")
    meant = desk("france44").read("german", "initiative", "standing lead: best morale")
    assert [each.policy for each in reading.said if isinstance(each, StandingLine)] == [
        each.policy for each in meant.said if isinstance(each, StandingLine)
    ]
    assert len(reading.said) == 1


def test_an_order_that_begins_with_so_is_no_standing_order() -> None:
    at = desk("france44")
    assert said(at.read("german", "initiative", "SO 1SS to 1311")) == at.meaning(
        "german", "initiative", "1SS to 1311"
    )


@pytest.mark.parametrize("behind", ["headquarters go along", "standing headquarters: go along"])
def test_a_standing_order_behind_another_is_no_comment(behind: str) -> None:
    reading = desk("france44").read("german", "initiative", f"standing lead: best morale; {behind}")
    again = f"standing {behind.removeprefix('standing ')}"
    assert [each.suggestion for each in reading.faults] == [f"standing lead: best morale\n{again}"]


@pytest.mark.parametrize("words", ["only if 1302 ours", "if 1302 is ours"])
def test_a_condition_behind_a_limit_is_asked_about(words: str) -> None:
    reading = desk("rampage").read("allied", "operations", f"3A to 1203, 2 rounds, {words}")
    assert not reading.orders and "condition of all of it" in str(reading.faults[0].error)


def test_in_is_no_increment() -> None:
    """A preposition is not an abbreviation, neither read nor complained of."""
    reading = desk("france44").read("german", "initiative", "In defence the unit with the best morale leads")
    assert not reading.orders and not any("increment" in str(each.error) for each in reading.faults)
    reading = desk("france44").read("german", "initiative", "in 4")
    assert not reading.orders


@pytest.mark.parametrize(
    "closing",
    ["Thanks and a nice weekend,\nPeter", "That is all for now. All the best from rainy Bremen,\nFritz"],
)
def test_a_closing_holds_nothing_open(closing: str) -> None:
    reading = desk("rampage").read("allied", "operations", f"3A to 1203\n{closing}\n")
    assert len(reading.orders) == 1 and not reading.unread and not reading.faults


def test_a_closing_that_tells_of_the_game_is_not_passed_over() -> None:
    reading = desk("rampage").read("allied", "operations", "3A to 1203\nAll the best from Paris\n")
    assert reading.unread or reading.faults
