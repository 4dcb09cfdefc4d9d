"""How strangers write to the two games of 1944 who know the rulebook and not the usage lines: nicknames,
reasons, polite forms, names that fit several units."""

from __future__ import annotations

import re
import time

import pytest

from pbem.engine.language import Reading
from pbem.engine.language.lines import OPERATION, REASON
from pbem.engine.language.model import Command, Comment
from pbem.games.france44 import idioms
from pbem.games.normandy44 import phrasing
from tests.language.test_language import desk, said


def read(key: str, line: str, seat: str = "allied", section: str = "") -> Reading:
    return desk(key).read(seat, section or {"normandy44": "phase A", "france44": "initiative"}[key], line)


def means(key: str, line: str, meant: str, seat: str = "allied", section: str = "") -> None:
    """A line is read as the canonical lines that it means."""
    section = section or {"normandy44": "phase A", "france44": "initiative"}[key]
    reading = read(key, line, seat, section)
    assert not reading.faults and not reading.unread, (reading.faults, reading.unread)
    assert said(reading) == desk(key).meaning(seat, section, meant)


def offers(key: str, line: str, *lines: str, seat: str = "allied", section: str = "") -> None:
    """A line is asked, with a line to send for each meaning."""
    reading = read(key, line, seat, section)
    assert not reading.orders and len(reading.faults) == 1, (reading.orders, reading.unread)
    fault = reading.faults[0]
    assert {fault.suggestion, *fault.either} - {""} == set(lines)


@pytest.mark.parametrize(
    "key, seat, section, line, meant",
    [
        ("normandy44", "allied", "phase A", "Tough Ombres ashore at Utah", "land 90US at 0617"),
        ("normandy44", "allied", "phase A", "the Screaming Eagles to 0818", "move 101AB to 0818"),
        ("normandy44", "allied", "phase A", "Ivy Division attacks 0519", "attack 0519 with 4US"),
        ("normandy44", "allied", "phase A", "Collins' HQ to 0518", "move VII/US to 0518"),
        ("normandy44", "allied", "end", "rebuild Lovat's commandos", "rebuild 1SSB"),
        ("normandy44", "german", "end", "give the replacement to the 352nd", "replace 352ID"),
        ("normandy44", "german", "end", "352nd gets the RP", "replace 352ID"),
        ("normandy44", "german", "end", "2 RPs: one on 716, one on 709", "replace 716ID, 709ID"),
        ("normandy44", "german", "reaction", "von der Heydte's FJR 6 to 0818", "move FJR6 to 0818"),
        (
            "normandy44", "german", "phase A", "Panzer Lehr enters at D",
            "enter 130/Lehr, 901/Lehr, 902/Lehr at 1901",
        ),
        ("france44", "german", "initiative", "activate Eberbach with LAH", "activate PzWest with 1SS"),
        ("france44", "allied", "initiative", "activate Dempsey with Horrocks and the Desert Rats",
         "activate BR2 with XXX/BR, 7AD/BR"),
    ],
)  # fmt: skip
def test_nicknames(key: str, seat: str, section: str, line: str, meant: str) -> None:
    means(key, line, meant, seat, section)


def test_a_nickname_begins_with_a_capital() -> None:
    """Small letters make no division of an everyday word."""
    for line in ("VII Corps is the spearhead at 1209", "ivy to 0518"):
        assert not read("france44", line).orders


def test_a_particle_names_nobody() -> None:
    assert not read("normandy44", "von to 0519", seat="german", section="reaction").orders


@pytest.mark.parametrize(
    "line, meant",
    [
        ("90US lands at Utah and moves to 0618", "land 90US at 0617 to 0618"),
        ("Big Red One & 2US land at 0714, then move to 0813", "land 1US, 2US at 0714 to 0813"),
    ],
)
def test_a_move_behind_a_landing_is_part_of_it(line: str, meant: str) -> None:
    """Who lands has no other move in its phase."""
    means("normandy44", line, meant)


def test_whose_units_they_are() -> None:
    """Who owns what is named behind takes no part: his headquarters stays out of it."""
    line = "Patton's 4th and 6th Armored land at Cherbourg"
    assert not read("france44", line, section="arrival").orders


def test_no_unit_comes_twice() -> None:
    means(
        "france44",
        "4AD lands at Cherbourg and goes on to 1208",
        "enter 4AD at 1207 to 1208",
        section="arrival",
    )


@pytest.mark.parametrize(
    "key, section, line, meant",
    [
        ("normandy44", "allocation", "offensive support for VII US & XXX BR", "support VII/US, XXX/BR"),
        ("normandy44", "allocation", "Gerow and Collins get the markers", "support V/US, VII/US"),
        ("normandy44", "allocation", "RAF interdiction zone III", "interdict zone III with UK"),
        ("normandy44", "allocation", "both bombers to Le Mans please", "delay Le Mans with 2 bombers"),
        ("normandy44", "allocation", "US heavies carpet bomb 1216", "carpet 1216 with US"),
        ("normandy44", "landing", "Naval: 2 pts Utah, 1 pt Gold", "guns 2 at 0617\nguns 1 at 0710"),
        ("normandy44", "end", "Replacement step to the 82nd", "replace 82AB"),
        ("normandy44", "end", "1 infantry step: Big Red One. 1 armored step: CCA 2AD", "replace 1US, A/2AD"),
        ("normandy44", "end", "air supply for 101st", "supply 101AB by air"),
        ("france44", "initiative", "spend time up to 8", "increment 8"),
        ("france44", "initiative", "inc 4: VII, 2AD x 1209, carpet bombing",
         "inc 4: attack 1209 with VII/US, 2AD/US, air heavy"),
        ("france44", "initiative", "Inc 4: the 1510 stack attacks 1511",
         "inc 4: attack 1511 with I/BR, 7AD/BR"),
    ],
)  # fmt: skip
def test_nouns_of_the_rules(key: str, section: str, line: str, meant: str) -> None:
    means(key, line, meant, section=section)


@pytest.mark.parametrize(
    "line, meant",
    [
        ("6th Abn stays put to guard the Orne bridges", "stay 6AB"),
        ("attack 0912 with 50BR, because it is weak", "attack 0912 with 50BR"),
        ("Operation Epsom: attack 0912 with 50BR", "attack 0912 with 50BR"),
    ],
)
def test_a_reason_is_a_comment(line: str, meant: str) -> None:
    reading = read("normandy44", line)
    assert not reading.faults and not reading.unread
    assert said(reading) == said(read("normandy44", meant))
    assert reading.comments


@pytest.mark.parametrize(
    "line",
    ["attack 0912 with 50BR because 12SS is on its way", "attack 0912 with 50BR, they must not lose a step"],
)
def test_a_reason_that_says_something_of_the_game_is_asked(line: str) -> None:
    offers("normandy44", line, "attack 0912 with 50BR")


def test_a_limit_is_no_reason() -> None:
    """It is asked, or read as the limit that it is."""
    assert not read("normandy44", "3BR to 0908, it is to stop at 0808").orders
    limited = read("normandy44", "attack 0912 with 50BR, we need 3:1")
    assert said(limited) == said(read("normandy44", "attack 0912 at 3:1 with 50BR"))


def test_each_meaning_in_a_free_order_of_words() -> None:
    offers(
        "france44",
        "Inc 4: VII + VIII + 2AD hit 1209 with heavies",
        "when initiative: increment 4: attack 1209 with VII/US, VIII/US, 2AD/US air heavy",
        "when initiative: increment 4: attack 1209 with VII/US, VIII/BR, 2AD/US air heavy",
    )


def test_some_units_of_the_formation_in_front() -> None:
    offers(
        "normandy44",
        "21 Pz: attack 0808 w/ 22, 192; 125 stays",
        "attack 0808 with 22/21Pz, 192/21Pz",
        "attack 0808 with 22/21Pz, 125/21Pz, 192/21Pz",
        seat="german",
    )


def test_hostile_text_is_read_in_linear_time() -> None:
    """No pattern of this game, and none for reasons, takes long over text made to slow it down."""
    texts = ["a" * 3000, " " * 3000, ", it " * 600, "because " * 375, "1 pt " * 600, "infantry " * 333]
    texts += [
        "Operation " + "A" * 3000,
        "1 fighters, " * 250,
        "to guard " * 333,
        "supply " * 428,
        "and X " * 500,
    ]
    patterns = [REASON, OPERATION]
    patterns += [
        re.compile(said, re.IGNORECASE)
        for table in (phrasing.RESPELT, phrasing.TURNS, phrasing.SAYINGS, idioms.RESPELT, idioms.SAYINGS)
        for said, _ in table
    ]
    for pattern in patterns:
        for text in texts:
            start = time.process_time()
            pattern.sub("", text)
            assert time.process_time() - start < 0.1, (pattern.pattern, text[:20])


@pytest.mark.parametrize(
    "section, line, meant",
    [
        ("commitment", "We spend 5 supply points on initiative chits, the rest is saved", "commit 5"),
        ("commitment", "interdiction: 1 air marker", "interdict with 1 marker"),
        ("initiative", "First Army chit: VII Corps, V Corps, 2nd and 3rd Armored",
         "activate US1 with VII/US, V/US, 2AD/US, 3AD/US"),
        ("initiative", "XIX corps admin mv to 1208", "administrative XIX/US\nmove XIX/US to 1208"),
        ("initiative", "inc 4: pull 2AD back to 1208", "inc 4: move 2AD/US to 1208"),
        ("reaction", "React w/ US1 (3 pts): VII Corps, 2AD", "activate US1 with VII/US, 2AD/US"),
        ("reaction", "React w/ 2AD: inc 3 to 1209", "piece 2AD/US\ninc 3: move 2AD/US to 1209"),
        ("reaction", "deny him the reaction", "deny with a point"),
        ("administration", "infantry repl: VII Corps 1, V Corps 1",
         "replace VII/US with 1 point\nreplace V/US with 1 point"),
    ],
)  # fmt: skip
def test_idioms_in_other_words(section: str, line: str, meant: str) -> None:
    means("france44", line, meant, section=section)


def test_no_comma_behind_a_condition() -> None:
    line = "If Carentan is ours 29th US goes to Isigny, otherwise stays put"
    means("normandy44", line, "if 0818 is held by us, move 29US to 0816")


def test_the_number_of_a_box_is_no_unit() -> None:
    means(
        "france44",
        "Operation Cobra: box 4, VII Corps and 2 AD attack St. Lo, carpet bombing",
        "inc 4: attack 1209 with VII/US, 2AD/US, air heavy",
    )


@pytest.mark.parametrize(
    "key, seat, section, line, meant",
    [
        ("normandy44", "allied", "phase B", "Attack 0914 with 1st and 29th Divs",
         "attack 0914 with 1US, 29US"),
        ("normandy44", "allied", "allocation", "Collins & Bucknall are the supported HQs this turn",
         "support VII/US, XXX/BR"),
        ("normandy44", "allied", "end", "Give the All-Americans a step", "replace 82AB"),
        ("normandy44", "german", "end", "fill up the 91st and 352nd", "replace 91ID, 352ID"),
        ("normandy44", "german", "phase A", "709 counter-attacks Utah", "attack 0617 with 709ID"),
        ("france44", "allied", "initiative", "US First Army activates, taking Collins, Gerow, Hell on Wheels",
         "activate US1 with VII/US, V/US, 2AD/US"),
        ("france44", "allied", "initiative", "inc 4: VII Corps attacks 1209 supported by heavy bombers",
         "inc 4: attack 1209 with VII/US, air heavy"),
        ("france44", "allied", "administration", "repl pts: 2AD 1", "replace 2AD/US with 1 point"),
        ("france44", "german", "administration", "1 pt LXXXIV", "replace LXXXIV with 1 point"),
    ],
)  # fmt: skip
def test_more_words(key: str, seat: str, section: str, line: str, meant: str) -> None:
    means(key, line, meant, seat, section)


def test_who_comes_twice_is_not_read() -> None:
    assert not read("normandy44", "I SS Pz Korps enters C, sets up in Falaise", seat="german").orders


def test_standing_orders_in_other_words() -> None:
    for line in ("Losses: infantry before armor", "SO losses: panzers last", "losses: spare the tanks"):
        offers("normandy44", line, "standing losses: infantry first", seat="german")


def test_a_bracket_that_says_how_is_no_comment() -> None:
    """Neither is the order played without it, nor is a line without it offered beside others."""
    assert not read("france44", "XIX Corps moves by road (admin) to 1309").orders
    reading = read("france44", "inc 5 VII Corps (lead) and 2AD attack Vire, 2AD advances to 1111")
    assert not reading.orders and not reading.faults[0].suggestion


@pytest.mark.parametrize(
    "key, seat, section, line, meant",
    [
        ("normandy44", "allied", "phase A", "Screaming Eagles and the 29th hit Carentan, Collins supporting",
         "attack 0818 with 101AB, 29US, support of VII/US"),
        ("normandy44", "allied", "phase B", "Attack 0914 - 29th & 1st US, take losses on 29th first",
         "attack 0914 with 29US, 1US, lose 29US"),
        ("normandy44", "allied", "landing", "naval support for Gold: 2 points", "guns 2 at 0710"),
        ("normandy44", "german", "phase B", "Flak A at D to Falaise", "enter FlakA at 1901 to 1607"),
        ("normandy44", "german", "phase A", "Bayerlein's Panzer Lehr enters at D",
         "enter 130/Lehr, 901/Lehr, 902/Lehr at 1901"),
        ("france44", "allied", "reaction", "use a point to deny them", "deny with a point"),
        ("france44", "allied", "arrival", "4AD & 6AD ashore at 1207", "enter 4AD/US, 6AD/US at 1207"),
    ],
)  # fmt: skip
def test_support_losses_and_whose(key: str, seat: str, section: str, line: str, meant: str) -> None:
    means(key, line, meant, seat, section)


def test_only_a_hex_is_empty() -> None:
    offers(
        "france44",
        "V Corps to 1209 in inc 6 if it's empty",
        "when initiative: if 1209 is empty, increment 6: move V/US to 1209",
    )


@pytest.mark.parametrize(
    "key, seat, section, line, meant",
    [
        ("normandy44", "allied", "end", "82nd and 101st get replacements", "replace 82AB, 101AB"),
        ("normandy44", "german", "end", "refit 716", "replace 716ID"),
        ("france44", "german", "reaction", "PzWest reacts: 9SS, 10SS", "activate PzWest with 9SS, 10SS"),
    ],
)  # fmt: skip
def test_short_forms(key: str, seat: str, section: str, line: str, meant: str) -> None:
    means(key, line, meant, seat, section)


def test_others_that_stay_too() -> None:
    assert said(read("normandy44", "352 stays, 716 too", seat="german")) == said(
        read("normandy44", "352ID, 716ID stay", seat="german")
    )


# --- more words between units and where they go than a verb -------------------------------------------------


@pytest.mark.parametrize(
    ("seat", "section", "line", "strange", "lines"),
    [
        ("german", "phase B", "Marcks takes his staff from Marigny forward to 0821.",
         "takes his staff from Marigny forward to", ("move LXXXIV to 0821",)),
        ("german", "phase B", "the 243. pulls back one hex north to 0320", "pulls back one hex north to",
         ("move 243ID to 0320",)),
        ("german", "phase B", "709ID moves inside Cherbourg from 0222 to 0221",
         "moves inside Cherbourg from 0222 to", ("move 709ID to 0221",)),
        ("allied", "phase B", "VII Corps HQ up behind the 4th at 0518, thanks", "up behind the 4th at",
         ("land VII/US at 0518", "move VII/US to 0518")),
    ],
)  # fmt: skip
def test_more_words_than_a_verb(
    seat: str, section: str, line: str, strange: str, lines: tuple[str, ...]
) -> None:
    """They are quoted, and where the units would go without them is offered."""
    offers("normandy44", line, *lines, seat=seat, section=section)
    error = str(read("normandy44", line, seat, section).faults[0].error)
    assert error.startswith(f'"{strange}" is no order here: which is meant?')


@pytest.mark.parametrize(
    "line",
    [
        "17Pz joins them there from 1118",  # it is not to go there
        "4US slips past 0618",
        "4US will by no means go to 0618",
        "4US is to go anywhere but 0618",
        "4US goes if it likes to 0618",
        "4US goes with the whole of 9US to 0618",
        "all three attack 0618",  # which three?
    ],
)
def test_what_is_not_offered_as_a_move(line: str) -> None:
    seat = "german" if line.startswith("17Pz") else "allied"
    reading = read("normandy44", line, seat, "phase A")
    assert not reading.orders
    written = [offer for fault in reading.faults for offer in (fault.suggestion, *fault.either)]
    assert not [offer for offer in written if "1118" in offer or "0618" in offer], written


# --- terse lines, and lines that order nothing --------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "meant"),
    [
        ("4US-0518", "move 4US to 0518"),
        ("4US-0518, 90US-0518", "move 4US to 0518\nmove 90US to 0518"),
    ],
)
def test_a_dash_between_a_unit_and_where_it_goes(line: str, meant: str) -> None:
    means("normandy44", line, meant)


@pytest.mark.parametrize(
    ("key", "section", "line", "name", "names"),
    [
        ("normandy44", "phase A", "No attacks from my side in this phase.", "abstain", ("phase A",)),
        ("normandy44", "phase A", "We don't want to attack anybody this turn", "abstain", ("phase A",)),
        ("normandy44", "phase A", "nobody attacks", "abstain", ("phase A",)),
        ("normandy44", "end", "nothing for the end of the turn", "none", ("end",)),
        ("france44", "initiative", "We do nothing with this chit.", "none", ("initiative",)),
        ("france44", "reaction", "we do not react to anything this turn", "none", ("reaction",)),
    ],
)
def test_nothing_is_ordered(key: str, section: str, line: str, name: str, names: tuple[str, ...]) -> None:
    reading = read(key, line, section=section)
    assert [(each.name, each.names) for each in reading.said if isinstance(each, Command)] == [(name, names)]
    assert not reading.orders and not reading.faults and not reading.unread


@pytest.mark.parametrize(
    ("key", "section", "line", "name", "why"),
    [
        ("normandy44", "phase A", "No attacks in this phase, we are much too weak.", "abstain",
         "we are much too weak."),
        ("france44", "reaction", "no reaction please, save the points", "none", "save the points"),
        ("rampage", "airborne", "Nobody jumps this turn, weather's foul", "none", "weather's foul"),
        ("rampage", "replacement", "no replacements. We save them", "none", "We save them"),
    ],
)  # fmt: skip
def test_nothing_is_ordered_and_why(key: str, section: str, line: str, name: str, why: str) -> None:
    reading = read(key, line, section=section)
    assert [each.name for each in reading.said if isinstance(each, Command)] == [name]
    assert [each.text for each in reading.said if isinstance(each, Comment)] == [why]
    assert not reading.orders and not reading.faults and not reading.unread


@pytest.mark.parametrize(
    ("key", "section", "line"),
    [
        ("normandy44", "phase A", "no attacks, except at Carentan"),
        ("normandy44", "phase A", "no attacks, but 4US may"),
        ("rampage", "airborne", "no drops, not even at Arnhem"),
        ("rampage", "airborne", "Nobody jumps, 82AB waits"),
    ],
)
def test_what_limits_nothing_is_no_reason(key: str, section: str, line: str) -> None:
    reading = read(key, line, section=section)
    assert not reading.orders and not [each for each in reading.said if isinstance(each, Command)]
    assert reading.faults or [each for each in reading.unread if each.holds or each.like]


@pytest.mark.parametrize("seat", ["allied", "german"])
def test_i_is_the_writer_and_no_corps(seat: str) -> None:
    reading = read("normandy44", "I pass", seat, "phase B")
    assert [(each.name, each.names) for each in reading.said if isinstance(each, Command)] == [
        ("none", ("phase B",))
    ]


def test_no_more_attacks_is_said_of_the_others() -> None:
    reading = read("normandy44", "attack 0519 with 4US\nNo more attacks this turn.")
    assert [each.text for each in reading.orders] == ["attack 0519 with 4US"]
    assert not reading.faults and not reading.unread


# --- conditions ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("seat", "line", "meant"),
    [
        ("allied", "if 0420 is free of Germans, 82AB goes to 0420",
         "if not 0420 is held by the enemy, move 82AB to 0420"),
        ("allied", "82AB goes to 0420 if there are no Jerries in 0420",
         "if not 0420 is held by the enemy, move 82AB to 0420"),
        ("allied", "if we get into 0221, 82AB goes to 0420", "if 0221 is held by us, move 82AB to 0420"),
        ("german", "If the Amis hold Montebourg 91ID goes to 0521",
         "if 0519 is held by the enemy, move 91ID to 0521"),
        ("german", "91ID goes to 0521 if nobody sits there", "if 0521 is empty, move 91ID to 0521"),
    ],
)  # fmt: skip
def test_who_is_where(seat: str, line: str, meant: str) -> None:
    means("normandy44", line, meant, seat, "phase B")


def test_a_place_that_falls_to_whom() -> None:
    """Where nobody is seen there it may be meant of either."""
    offers(
        "normandy44",
        "if Montebourg has fallen by then, 101AB goes to 0618",
        "if 0519 is held by us, 101AB goes to 0618",
        "if 0519 is held by the enemy, 101AB goes to 0618",
    )


def test_a_headquarters_that_commands_a_box() -> None:
    """It commands those who go, and does not go with them."""
    means(
        "france44",
        "With Bradley in box 1: VII, VIII, 2AD and 3AD all go to 1110.",
        "increment 1: move VII/US, VIII/US, 2AD/US, 3AD/US to 1110",
    )


def test_administrative_movement_comes_before_the_move() -> None:
    means(
        "france44",
        "116th Panzer comes from Rouen to Le Havre by administrative march",
        "administrative movement for 116Pz\nmove 116Pz to 1609",
        "german",
    )


@pytest.mark.parametrize(
    ("seat", "line", "meant"),
    [
        ("german", "The only marker is for Marcks (LXXXIV).", "support LXXXIV"),
        ("allied", "Collins gets an offensive marker please", "support VII/US"),
        ("allied", "Fighter: to VII Corps", "cover VII/US"),
    ],
)
def test_markers_and_fighters(seat: str, line: str, meant: str) -> None:
    means("normandy44", line, meant, seat, "allocation")


@pytest.mark.parametrize(
    ("key", "seat", "section", "line", "meant"),
    [
        ("france44", "allied", "initiative", "inc 3, 2 Armd thru St-Lo to Vire",
         "increment 3: move 2AD/US to 1209 1210"),
        ("rampage", "allied", "operations", "3A frm 1302 to 1303 pse", "move 3A to 1303"),
        ("rampage", "allied", "operations", "1Inf to 1204 and no further", "move 1Inf to 1204"),
        ("rampage", "allied", "operations", "1Inf to 1204, not a step further", "move 1Inf to 1204"),
        ("rampage", "allied", "operations", "GdsA to 1605, quit at 4 losses",
         "move GdsA to 1605, stop at 4 losses"),
        ("rampage", "allied", "set-up", "Everybody not mentioned goes where the default has him.", "default"),
        ("falaise", "german", "set-up", "all others by the book", "default"),
        ("rampage", "allied", "operations", "1 Inf 1204, 1205, 1206 & halt", "move 1Inf to 1204 1205 1206"),
        ("falaise", "german", "1SS", "Pz/12SS w/ 501SS mech aslt on 1424, not below even odds pls",
         "mech assault on 1424 with Pz/12SS, 501SS at 1-1"),
        ("falaise", "german", "1SS", "192 dont move", "192/21Pz stays"),
        ("falaise", "german", "74", "please leave the 988th in its hole", "988/276 stays"),
        ("normandy71", "german", "movement", "914 and 916 stand in their holes", "914/352, 916/352 stays"),
        ("falaise", "allied", "7C", "18/1 attacks 3241, not at worse than 1:1",
         "assault 3241 with 18/1 at 1-1"),
        ("falaise", "german", "1SS", "take 978 and 979 of 271 Inf Div under command",
         "attach 978/271, 979/271"),
        ("falaise", "allied", "15C", "357 IR (90th Div) up to 3313 provided it's clear of Germans",
         "if not 3313 is held by the enemy, move 357/90 to 3313"),
        ("falaise", "allied", "2CC", "Maj. Currie and 10 Bde to 1319, then 1419",
         "move Currie, 10/4C to 1319 1419"),
        ("falaise", "allied", "bombardment", "one strike on 3217", "airstrike on 3217"),
    ],
)  # fmt: skip
def test_short_and_everyday_words(key: str, seat: str, section: str, line: str, meant: str) -> None:
    means(key, line, meant, seat, section)


@pytest.mark.parametrize(
    ("line", "hq", "units"),
    [
        ("Dempsey takes 7 Armd, 11 Armd, I Corps and XXX Corps under command", "BR2",
         "7AD/BR, 11AD/BR, I/BR, XXX/BR"),
        ("First Army activates and commands V, VII and 2AD", "US1", "V/US, VII/US, 2AD/US"),
        ("Bradley's First Army acts: VII, XIX corps plus 2nd and 3rd Armored", "US1",
         "VII/US, XIX/US, 2AD/US, 3AD/US"),
        ("Let 2nd British Army have this one: XXX, 11th Armoured", "BR2", "XXX/BR, 11AD/BR"),
        ("put V, VII, XIX under US1", "US1", "V/US, VII/US, XIX/US"),
        ("Activate Bradley (V, VII, 2AD)", "US1", "V/US, VII/US, 2AD/US"),
    ],
)  # fmt: skip
def test_a_headquarters_and_its_units_in_a_sentence(line: str, hq: str, units: str) -> None:
    """It comes back with a line to send that names all of them."""
    (fault,) = read("france44", line).faults
    ready = fault.suggestion or fault.either[0]
    again = desk("france44").read("allied", "initiative", ready)
    assert [order.text for order in again.orders] and not again.faults
    assert said(again) == said(read("france44", f"when initiative: activate {hq} with {units}"))


def test_behind_a_semicolon_somebody_stays() -> None:
    offers(
        "rampage", "GdsA to 1605; 3A stays", "GdsA to 1605\n3A stays", seat="allied", section="operations"
    )  # fmt: skip


def test_what_is_offered_of_units_that_stay_names_them() -> None:
    """It is no piece of the line, which would say less than it says there."""
    reading = read("normandy71", "914 and 916 stay in the barns", "german", "movement")
    assert [fault.either for fault in reading.faults] == [("914/352, 916/352 stays",)]


def test_a_line_to_send_may_have_the_name_of_the_line_that_it_replaces() -> None:
    """``send instead: when initiative: ...`` with ``L1:`` in front, as other such lines have it."""
    (order,) = read("france44", "L1: when initiative: activate BR2 with I/BR").orders
    assert order.spot is not None and (order.spot.name, order.spot.after) == (1, False)
    assert (order.section, order.text) == ("initiative", "activate BR2 with I/BR")
    (fault,) = read("france44", "L2: when initiative: move 99AD to 1511").faults
    assert fault.text[fault.error.column :].startswith("99AD") and fault.spot is not None


def test_no_order_is_left_out_of_what_is_offered() -> None:
    """``increment 4`` alone would say nothing of the line."""
    reading = read("france44", "inc 4, I Corps somehow sneaks around 1511")
    assert not [offer for fault in reading.faults for offer in (fault.suggestion, *fault.either) if offer]
