"""What a letter closes, what keeps a section open, what becomes of closed sections, and deadlines."""

from __future__ import annotations

import re
from datetime import datetime, timedelta
from pathlib import Path

import pytest
from conftest import HOUR, NOW
from postbox import Postbox
from protocol_kit import (
    closed,
    first_line,
    form_of,
    kept,
    letter,
    new_game,
    normandy,
    send_all,
    told,
    toy_box,
    units,
)
from test_letters_in import with_red_there

from pbem.service.intake.trial import check_file
from pbem.service.moderating.rulings.ruling import rule
from pbem.service.time.deadline import act
from pbem.service.tools import queries

PLAN = "[movement]\nmove 8/3 to 1422\n[combat]\nattack 1321 with 8/3\n"


@pytest.fixture
def box(tmp_path: Path) -> Postbox:
    return toy_box(tmp_path)


@pytest.fixture
def allied(tmp_path: Path) -> Postbox:
    return normandy(tmp_path)


# --- done ---------------------------------------------------------------------------------------------------


def test_done_closes_the_section_in_which_it_stands(allied: Postbox) -> None:
    """DONE below [combat] closes combat alone."""
    text = told(allied, "allied", f"{PLAN}done\n")
    assert closed(allied, "allied") == ["combat"]
    assert "Closed: Allied combat. Draft: DONE plays Allied first movement." in first_line(text)


def test_done_under_no_heading_closes_what_is_asked_for(allied: Postbox) -> None:
    """DONE above all headings closes the section asked for now, and plays it."""
    allied.mail("allied", f"move 9/3 to 1425\ndone\n{PLAN}")
    assert allied.phase().label == "t2.allied_combat" and closed(allied, "allied") == []


def test_done_under_no_heading_closes_what_the_answered_letter_asks_for(box: Postbox) -> None:
    """DONE in answer to a letter of ours closes the section that it asked for; if that one is over it does
    nothing."""
    asked = next(row for row in box.outbox() if row.section == "march" and row.seat == "red")
    reply = {"headers": [f"In-Reply-To: {asked.message_id}"]}
    told(box, "red", "move R1 to 0201\ndone\n", **reply)
    box.mail("blue", "no orders\n")
    for number in box.questions("blue"):
        box.mail("blue", f"Q{number}: a\n")
    box.mail("red", "move R2 to 0202\n")
    text = told(box, "red", "done\n", **reply)
    assert "There was nothing to close: [march] of turn 1 was played" in first_line(text)
    assert units(box)["R2"] == "0102"


def test_done_may_name_its_section(allied: Postbox) -> None:
    """`done combat` closes combat, wherever it stands; a name that is not known is corrected."""
    allied.mail("allied", PLAN)
    told(allied, "allied", "[movement]\ndone combat\n")
    assert closed(allied, "allied") == ["combat"]
    text = told(allied, "allied", "done combt\n")
    assert "there is no section [combt]" in text and "send instead: done combat" in text


@pytest.mark.parametrize("word", ["done all", "final", "DONE ALL.", "Final", "done everything"])
def test_done_all_closes_every_section_with_lines(allied: Postbox, word: str) -> None:
    """DONE ALL and FINAL close every section of the turn that has lines, whichever letter brought them."""
    allied.mail("allied", "[movement 2]\nmove 9/3 to 1425\n")
    told(allied, "allied", f"{PLAN}{word}\n")
    assert kept(allied, "allied") == {"L1": "move 9/3 to 1425"} and closed(allied, "allied") == ["movement 2"]
    assert allied.phase().label == "t2.allied_reinforcement"


def test_done_where_nothing_is_asked_closes_nothing(box: Postbox) -> None:
    """DONE under no heading while the other side moves does nothing, and the reply says which DONE would."""
    text = told(box, "blue", "move B1 to 0402\ndone\n")
    assert (
        "DONE closed nothing: it names no section, and pbem is not waiting for orders from you."
        in first_line(text)
    )
    assert "Draft: DONE march closes Blue march." in first_line(text) and closed(box, "blue") == []
    text = told(box, "blue", "new march\ndone all\n")
    assert "DONE ALL closed nothing: no section has lines." in first_line(text)


def test_done_alone_on_an_empty_sheet_asks_back(box: Postbox) -> None:
    """DONE without any line is no NO ORDERS."""
    text = told(box, "red", "done\n")
    assert first_line(text).startswith("[march] has no lines. To close it without any, write")
    assert box.phase().label == "t1.red_march"


@pytest.mark.parametrize("words", ["R1 stays\nR2 stays", "[march]\nthe rest stays", "everybody stays"])
def test_done_behind_units_that_stay_closes_without_lines(box: Postbox, words: str) -> None:
    """Who says that his units stay, and DONE, has said that there are no orders."""
    text = told(box, "red", f"{words}\ndone\n")
    assert "has no lines" not in text and box.phase().label == "t1.blue_march"


def test_units_that_stay_in_one_section_may_act_in_another(allied: Postbox) -> None:
    allied.mail("allied", "[combat]\nattack 1321 with 8/3\n")
    text = told(allied, "allied", "[movement]\neverybody stays\ndone\n")
    assert "refused" not in text and "attack 1321 with 8/3" in text
    assert "Played: Allied first movement" in first_line(text)


def test_units_that_stay_in_one_section_close_no_other(allied: Postbox) -> None:
    text = first_line(told(allied, "allied", "[movement]\n8/3 stays\n[combat]\ndone\n"))
    assert "[combat] has no lines" in text and closed(allied, "allied") == []


def test_a_section_that_is_asked_for_once_is_played_too(tmp_path: Path) -> None:
    """The reply says `Played` also where the rules take one order and go on without asking for a second."""
    box = new_game(tmp_path, "lots", "red", "blue")
    text = first_line(told(box, "red", "pick 0302\ndone\n"))
    assert "Played: Pick." in text and "Closed" not in text


# --- no orders, draft ---------------------------------------------------------------------------------------


def test_no_orders_closes_an_empty_section(box: Postbox) -> None:
    """NO ORDERS plays a section without lines."""
    box.mail("red", "no orders\n")
    assert box.phase().label == "t1.blue_march"


def test_no_orders_closes_several_sections(allied: Postbox) -> None:
    """`no orders: movement, combat` closes both, and no other."""
    allied.mail("allied", "no orders: movement, combat, entrenchment\n")
    assert allied.phase().label == "t2.allied_reinforcement" and closed(allied, "allied") == ["entrenchment"]


def test_no_orders_on_a_sheet_with_lines_is_refused(box: Postbox) -> None:
    """NO ORDERS never throws lines away."""
    box.mail("red", "move R1 to 0201\n")
    text = told(box, "red", "no orders\n")
    assert first_line(text).startswith("[march] has lines") and box.phase().label == "t1.red_march"
    box.mail("red", "withdraw all\nno orders\n")
    assert box.phase().label == "t1.blue_march" and units(box)["R1"] == "0101"


def test_draft_wins_over_done(box: Postbox) -> None:
    """A letter with DRAFT closes nothing, wherever the word stands."""
    text = told(box, "red", "move R1 to 0201\ndone\ndraft\n")
    assert "[march] stays open: you wrote DRAFT." in first_line(text)
    assert closed(box, "red") == [] and kept(box, "red") == {"L1": "move R1 to 0201"}


def test_a_letter_without_done_is_a_draft_and_says_when_it_is_played(box: Postbox) -> None:
    """The reply to a draft says what DONE plays, and when it is played unless it is changed."""
    text = first_line(told(box, "red", "move R1 to 0201\n"))
    assert text == (
        "Draft: DONE plays Red march. Unless you change it, Red march is played on Tue 9 Jun 18:00 "
        "UTC (in 2 d 23 h)."
    )


def test_a_form_holds_no_done(allied: Postbox) -> None:
    """Each section of a form ends with `; done` and `; no orders`; the ; taken away says it."""
    allied.mail("allied", "move 8/3 to 1422\n")
    form = form_of(allied, "allied")
    blocks = re.split(r"\n\n(?=\[)", form)
    assert all("\n; done\n; no orders" in block for block in blocks) and len(blocks) == 5
    allied.mail("allied", form.replace("; done", "done", 1))
    assert allied.phase().label == "t2.allied_combat"


def test_a_section_is_closed_by_no_orders_in_the_form(allied: Postbox) -> None:
    """The ; taken away from `no orders` closes that section and no other."""
    form = form_of(allied, "allied")
    head, combat, rest = form.partition("[combat]")
    allied.mail("allied", head + combat + rest.replace("; no orders", "no orders", 1))
    assert closed(allied, "allied") == ["combat"] and allied.phase().label == "t2.allied_movement"


# --- what keeps a section open ------------------------------------------------------------------------------


def test_a_faulty_line_keeps_open_its_section_and_those_before(allied: Postbox) -> None:
    """Of what the letter closes, the sections before the faulty one wait for it; they close when it does."""
    text = told(allied, "allied", f"{PLAN}attack 1321 with 9/3\n[entrenchment]\nentrench 9/3\ndone all\n")
    assert first_line(text).startswith("1 line to correct in [combat]; Allied first movement waits for it.")
    assert closed(allied, "allied") == ["entrenchment"] and allied.phase().label == "t2.allied_movement"
    told(allied, "allied", "withdraw L3\ndone combat\n")
    assert allied.phase().label == "t2.allied_reinforcement"


def test_a_faulty_line_in_another_section_holds_nothing_that_was_closed_before(allied: Postbox) -> None:
    """What an earlier letter closed stays closed, whatever a later letter has to correct."""
    allied.mail("allied", f"{PLAN}done\n")
    told(allied, "allied", "[movement 2]\nmove 9/3 to 1719 1720\nmove 8/3 to 9999\n")
    assert closed(allied, "allied") == ["combat"]
    text = told(allied, "allied", "done all\n")
    assert "[movement 2]; Allied first movement waits for it. Closed: Allied combat." in first_line(text)
    assert closed(allied, "allied") == ["combat"]


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("press blue:\nhello\n", "the press in this letter has no END PRESS"),
        ("Q9: a", '"Q9: a" needs correcting'),
        ("standing retret B1", '"standing retret B1" needs correcting'),
        ("done marhc", '"done marhc" needs correcting'),
        ("withdraw L9", '"withdraw L9" needs correcting'),
    ],
)
def test_a_faulty_answer_command_or_standing_order_keeps_all_open(box: Postbox, line: str, why: str) -> None:
    """What cannot be read and is no order of a section keeps open all that its letter would close."""
    text = told(box, "red", f"move R1 to 0201\ndone\n{line}\n")
    assert f"[march] stays open: {why}." in first_line(text)
    assert closed(box, "red") == [] and units(box)["R1"] == "0101"
    if not line.startswith("press"):
        told(box, "red", f"done anyway\n{line}\n")
        assert units(box)["R1"] == "0201"


def test_done_anyway_goes_without_the_faulty_lines(box: Postbox) -> None:
    """DONE ANYWAY plays the good lines, and names the others and why."""
    text = told(box, "red", "move R1 to 0201\nmove R2 to 0503\ndone anyway\n")
    assert "Not used, because you wrote DONE ANYWAY: L2. Played: Red march." in first_line(text)
    assert "Lines to correct" not in text and "R2 cannot go to 0503 [2.1]" in text
    assert units(box)["R1"] == "0201"


def test_done_anyway_of_one_section_leaves_out_no_line_of_another(allied: Postbox) -> None:
    """A faulty line of a section that the same letter closes with DONE alone keeps that section open."""
    second = "[movement 2]\nmove 8/3 to 1323\nmove 9/3 to 9999\ndone\n"
    told(allied, "allied", f"{second}[entrenchment]\nentrench 99/9\ndone anyway\n")
    assert closed(allied, "allied") == ["entrenchment"]
    assert "move 9/3 to 9999" in kept(allied, "allied").values()


def test_a_draft_with_a_faulty_line_says_what_done_anyway_plays(box: Postbox) -> None:
    """DONE would not play such a section: the reply does not say that it would."""
    text = first_line(told(box, "red", "move R1 to 0201\nmove R2 to 0503\n"))
    assert "Draft: DONE ANYWAY plays Red march without L2." in text


# --- closed -------------------------------------------------------------------------------------------------


def test_a_change_makes_a_closed_section_a_draft_again(box: Postbox) -> None:
    """Any change opens the section, and the reply says so, unless the same letter says DONE."""
    box.mail("blue", "move B1 to 0402\ndone march\n")
    text = told(box, "blue", "move B2 to 0403\n")
    assert "Blue march is a draft again." in first_line(text) and closed(box, "blue") == []
    text = told(box, "blue", "move B2 to 0504\ndone march\n")
    assert "again" not in first_line(text) and closed(box, "blue") == ["march"]


def test_a_change_in_one_section_opens_no_other(allied: Postbox) -> None:
    """A fault, a withdrawal and a question leave other sections closed."""
    allied.mail("allied", "[movement 2]\nmove 8/3 to 1323\ndone\n[entrenchment]\nentrench 9/3\ndone\n")
    told(allied, "allied", "[movement]\nmove 8/3 to 9999\nstatus\n")
    assert closed(allied, "allied") == ["entrenchment", "movement 2"]
    told(allied, "allied", "withdraw L1\n")
    assert closed(allied, "allied") == ["entrenchment"]


def test_what_is_closed_does_not_stop_for_a_line(box: Postbox) -> None:
    """A line that cannot be done by then is passed over, the others are played, and the letter says why."""
    box.mail("blue", "move B1 to 0402\nmove B2 to 0403\ndone march\n")
    with_red_there(box)
    last = box.last()
    box.mail("red", "no orders\n")
    text = letter(box, "blue", last)
    assert "passed over L1 move B1 to 0402 B1 cannot go to 0402 [2.1]" in text
    assert (units(box)["B1"], units(box)["B2"]) == ("0502", "0403")


def test_a_pause_stops_a_closed_section(box: Postbox) -> None:
    """What stands below PAUSE is a draft after it; the reply says where it stopped."""
    text = told(box, "red", "move R1 to 0201\npause\nmove R2 to 0202\ndone\n")
    assert "Stopped at your PAUSE in Red march: the lines below it are a draft." in first_line(text)
    assert units(box)["R1"] == "0201" and kept(box, "red") == {"L3": "move R2 to 0202"}
    assert closed(box, "red") == [] and box.phase().label == "t1.red_march"
    box.mail("red", "done\n")
    assert units(box)["R2"] == "0202"


def test_closed_sections_stop_for_a_question(tmp_path: Path) -> None:
    """A question that no line or standing order settles stops what is closed; its answer lets all of it go
    on."""
    box = normandy(tmp_path, "t2.allied_combat")
    box.mail(
        "allied",
        "attack 3828 with 116/29 naval any\nattack 5131 with 12/4 naval any\ndone\n"
        "no orders: reinforcement\n[movement 2]\nmove 9/3 to 1425\ndone\n",
    )
    assert box.questions("allied") == [1] and closed(box, "allied") == ["movement 2", "reinforcement"]
    text = told(box, "allied", "Q1: a\n")
    assert box.phase().label == "t2.allied_entrenchment" and "carried out L3 move 9/3 to 1425" in text


# --- what the rules demand, seats that write at the same time, giving up ------------------------------------


def test_what_the_rules_demand_counts_as_a_faulty_line(tmp_path: Path) -> None:
    """A set-up that is not complete is not closed; DONE ANYWAY leaves what is lacking to the default and
    names it."""
    box = new_game(tmp_path, "normandy71", "allied", "german")
    text = told(box, "allied", "no orders\n")
    assert "[plan] stays open: 8/4, 16/1," in first_line(text) and closed(box, "allied") == []
    text = told(box, "allied", "done anyway\n")
    assert first_line(text).startswith("Left to the default in [plan]: 8/4, 16/1,")
    assert "Closed: [plan]. Waiting for German (German)." in first_line(text)


def test_seats_that_write_at_the_same_time_close_each_for_itself(tmp_path: Path) -> None:
    """What is secret is played when all have closed; who has closed is not waited for and may still change
    it."""
    box = new_game(tmp_path, "normandy71", "allied", "german")
    told(box, "allied", "default\ndone\n")
    assert closed(box, "allied") == ["plan"] and box.phase().label == "t1.deployment"
    assert list(waiting(box)) == ["german"]
    told(box, "allied", "withdraw all\n")
    assert closed(box, "allied") == [] and sorted(waiting(box)) == ["allied", "german"]
    told(box, "allied", "default\ndone\n")
    told(box, "german", "default\ndone\n")
    assert box.phase().label != "t1.deployment"


def waiting(box: Postbox) -> dict[str, str]:
    with queries.table_of(box.store, box.game) as (table, here):
        return table.waited_for(here)


def test_what_gives_up_a_game_needs_a_code(tmp_path: Path) -> None:
    """CONCEDE is never abbreviated, and is carried out only with the code that the reply gives."""
    box = new_game(tmp_path, "rampage", "allied")
    told(box, "allied", "default\ndone\n")
    section = next(iter(waiting(box).values()))
    text = told(box, "allied", f"[{section}]\nconcede\ndone\n")
    (code,) = set(re.findall(r"concede ([0-9a-f]{6})", text))
    assert box.row().status == "running"
    told(box, "allied", f"new [{section}]\n[{section}]\nconc {code}\ndone\n")
    told(box, "allied", f"new [{section}]\n[{section}]\nconcede 000000\ndone\n")
    assert box.row().status == "running"
    told(box, "allied", f"new [{section}]\n[{section}]\nconcede {code}\ndone\n")
    assert box.row().status == "over"


# --- what is still open -------------------------------------------------------------------------------------


def test_the_first_line_names_the_sections_that_are_still_open(allied: Postbox) -> None:
    """Those of this turn that have no lines and are not closed; a query does not list them, nor an answer."""
    text = first_line(told(allied, "allied", f"{PLAN}no orders: reinforcement\n"))
    assert text.endswith(
        "Still open for you: [movement 2], [entrenchment]; NO ORDERS ALL closes the empty ones."
    )
    for words in ("status\n", "map\n", "orders\n", "help\n", f"try\n{PLAN}", "standing fire: never\n"):
        assert "Still open" not in told(allied, "allied", words)


@pytest.mark.parametrize(
    "words", ["no orders all", "NO ORDERS: everything", "No orders for all.", "no orders: all"]
)
def test_no_orders_all_closes_the_empty_sections(allied: Postbox, words: str) -> None:
    """It closes every section of this turn without lines and says which; those with lines stay as they
    are."""
    text = first_line(told(allied, "allied", f"{PLAN}{words}\n"))
    assert closed(allied, "allied") == ["entrenchment", "movement 2", "reinforcement"]
    assert "Closed as empty: [reinforcement], [movement 2], [entrenchment]." in text
    assert "Draft: DONE plays" in text and "Still open" not in text
    text = first_line(told(allied, "allied", f"{words}\n"))
    assert "NO ORDERS ALL closed nothing: no section is open and empty." in text


def test_no_orders_all_closes_nothing_that_chance_brings_up(tmp_path: Path) -> None:
    """Commands that are drawn may still get orders."""
    box = new_game(tmp_path, "lots", "red", "blue")
    text = first_line(told(box, "red", "no orders all\n"))
    assert "Closed as empty: [pick]." in text and "Played" not in text
    assert not {"A1", "A2"} & set(closed(box, "red"))


def test_no_orders_all_waits_for_a_line_without_a_section(allied: Postbox) -> None:
    """Lines below a heading that is not known may belong to any of them."""
    text = first_line(told(allied, "allied", "[reinforcments]\nmove 8/3 to 1422\nno orders all\n"))
    assert closed(allied, "allied") == [] and "open: the heading [reinforcments] is unknown." in text


def test_withdrawing_the_last_line_of_a_closed_section_opens_it(allied: Postbox) -> None:
    """The reply says so."""
    told(allied, "allied", "[movement 2]\nmove 9/3 to 1425\ndone\n")
    assert closed(allied, "allied") == ["movement 2"]
    text = first_line(told(allied, "allied", "withdraw L1\n"))
    assert "is open again, without lines." in text and closed(allied, "allied") == []


# --- standing done ------------------------------------------------------------------------------------------


def test_standing_done_always_closes_what_a_letter_has_lines_for(box: Postbox) -> None:
    """With it a letter without a fault needs no DONE; the reply says each time that this line closed the
    section."""
    told(box, "red", "standing done: always\n")
    text = told(box, "blue", "standing done: always\nmove B1 to 0402\n")
    assert "Closed by STANDING DONE: ALWAYS: Blue march." in first_line(text) and closed(box, "blue") == [
        "march"
    ]
    text = told(box, "red", "move R1 to 0201\n")
    assert "by STANDING DONE: ALWAYS" in first_line(text) and units(box)["R1"] == "0201"


def test_standing_done_always_leaves_faulty_letters_and_drafts_open(box: Postbox) -> None:
    """A fault or DRAFT keeps a section open; STANDING DONE: NEVER ends it."""
    told(box, "red", "standing done: always\n")
    told(box, "red", "move R1 to 0503\n")
    told(box, "red", "draft\nmove R1 to 0201\n")
    assert kept(box, "red") == {"L1": "move R1 to 0201"} and closed(box, "red") == []
    text = told(box, "red", "standing done: never\nmove R2 to 0202\n")
    assert "From now on only DONE closes a section." in text and box.phase().label == "t1.red_march"


def test_standing_empty_closes_what_has_no_lines_with_done_all(allied: Postbox) -> None:
    """With it DONE ALL closes the empty sections of the turn too, and the reply says so each time; `ask` ends
    it. STANDING lists it."""
    text = told(allied, "allied", "standing empty: close\n")
    assert "standing empty: close: DONE ALL also closes" in text and closed(allied, "allied") == []
    assert "standing empty: close" in told(allied, "allied", "standing\n").partition("Standing orders")[2]
    text = first_line(
        told(allied, "allied", "[combat]\nattack 1321 with 8/3\n[movement]\nmove 8/3 to 1422\n")
    )
    assert "Closed" not in text and "Still open for you: [reinforcement]," in text
    text = first_line(told(allied, "allied", "done all\n"))
    assert "Played: Allied first movement" in text
    assert "Closed as empty by STANDING EMPTY: CLOSE: [reinforcement], [movement 2], [entrenchment]." in text
    text = told(allied, "allied", "standing empty: ask\n")
    assert "From now on only NO ORDERS closes a section without lines." in text


@pytest.mark.parametrize("wrong", ["move 8/3 to 9999", "[movment]\nmove 8/3 to 1422", "draft"])
def test_standing_empty_closes_nothing_where_a_line_is_in_doubt(allied: Postbox, wrong: str) -> None:
    """A faulty line of the letter may have been meant for any section."""
    told(allied, "allied", f"standing empty: close\n[combat]\nattack 1321 with 8/3\n{wrong}\ndone all\n")
    assert not {"reinforcement", "movement 2", "entrenchment"} & set(closed(allied, "allied"))


# --- one check ----------------------------------------------------------------------------------------------


def test_try_and_the_check_of_a_file_say_the_same(box: Postbox) -> None:
    """One function judges a text, whichever way it comes."""
    words = "move R1 to 0201\nmove R1 to 0202\ndone\n"
    trial = check_file(box.store, "red", words)
    text = told(box, "red", f"try\n{words}")
    assert first_line(text) == "1 line to correct in [march]. Tried: nothing is kept."
    assert trial.lines[0].startswith("1 line to correct in [march].") and not trial.ok
    assert [line["state"] for line in trial.facts["lines"]] == ["ready", "faulty"]
    assert all(says in text for line in trial.facts["lines"] for says in line["says"])
    assert kept(box, "red") == {}


# --- undo ---------------------------------------------------------------------------------------------------


def test_what_was_taken_back_is_a_draft(box: Postbox) -> None:
    """After an undo what was played is on the sheet again, and not closed."""
    told(box, "red", "move R1 to 0201\ndone\n")
    rule(box.store, "toy", "undo", by="host", why="", now=NOW + 3 * HOUR)
    assert list(kept(box, "red").values()) == ["move R1 to 0201"] and closed(box, "red") == []
    assert units(box)["R1"] == "0101"


def deadline(box: Postbox) -> datetime:
    return datetime.fromisoformat(queries.status(box.store, box.game).deadline)


# --- deadlines ----------------------------------------------------------------------------------------------


def test_a_deadline_closes_the_section_that_was_asked_and_no_other(allied: Postbox) -> None:
    """Ready lines of the asked section are played, faulty ones not; the drafts of other sections stay
    drafts."""
    allied.mail("allied", f"{PLAN}[movement]\nmove 9/3 to 9999\nmove 185/3 to 1719\n")
    last = allied.last()
    act(allied.store, "cotentin", allied.now, force=True)
    assert allied.phase().label == "t2.allied_combat" and list(kept(allied, "allied")) == ["L2"]
    text = letter(allied, "allied", last)
    assert "The host closed [movement] early" in text and "carried out L1 move 8/3 to 1422" in text
    assert "passed over L3 move 9/3 to 9999" in text and "passed over L4 move 185/3 to 1719" in text


def test_the_others_get_one_line_about_a_missed_deadline(box: Postbox) -> None:
    """They are told who missed it and for what, and nothing of the lines."""
    box.mail("red", "move R1 to 0201\n")
    last = box.last()
    act(box.store, "toy", NOW + 100 * HOUR, force=True)
    text = letter(box, "blue", last)
    assert text.count("missed the deadline") == 1 and "Red (Rita) missed the deadline for [march]" in text
    assert "L1" not in text  # a signature may have any letters


def test_who_missed_a_deadline_has_until_the_same_hour_of_the_next_day(allied: Postbox) -> None:
    """For each further section of that turn, until they write: then the whole time runs again."""
    due = datetime.fromisoformat("2026-11-23T20:00:00+00:00")
    act(allied.store, "cotentin", due, force=False)
    send_all(allied, due)
    assert allied.phase().label == "t2.allied_combat"
    assert deadline(allied) == due + timedelta(days=1)
    act(allied.store, "cotentin", due + timedelta(days=1), force=False)
    send_all(allied, due + timedelta(days=1))
    assert allied.phase().label == "t2.allied_reinforcement"
    assert deadline(allied) == due + timedelta(days=2)
    allied.now = due + timedelta(days=1, hours=1)
    told(allied, "allied", "status\n")
    assert deadline(allied) == due + timedelta(days=4)


@pytest.mark.parametrize(
    "letter, sections",
    [
        ("no second movement\n", ["movement 2"]),
        ("no combat\n", ["combat"]),
        ("[combat]\nno orders\ndone\n", ["combat"]),
    ],
)
def test_no_orders_for_another_section(tmp_path: Path, letter: str, sections: list[str]) -> None:
    """What is not to be is named, whatever is asked for; and DONE says nothing that NO ORDERS has said."""
    box = normandy(tmp_path)
    text = told(box, "allied", letter)
    assert closed(box, "allied") == sections and "has no lines" not in first_line(text)


@pytest.mark.parametrize("again", ["[movement 2]\nno orders\n", "[movement 2]\n8/3 stays\ndone\n"])
def test_no_orders_and_refused_changes_open_what_was_closed(tmp_path: Path, again: str) -> None:
    """Lines that were closed by an earlier letter are not played against the words of a later one."""
    box = normandy(tmp_path, "t1.allied_combat")
    told(box, "allied", "[movement 2]\nmove 8/3 to 1422\ndone\n")
    told(box, "allied", again)
    assert closed(box, "allied") == []
