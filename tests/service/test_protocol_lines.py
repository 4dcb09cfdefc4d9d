"""From a letter to the sheet: names that never move, new lines beside kept ones, withdrawals, headings."""

from __future__ import annotations

from pathlib import Path

import pytest
from postbox import Postbox
from protocol_kit import (
    closed,
    first_line,
    flat,
    form_of,
    kept,
    new_game,
    normandy,
    sections,
    states,
    told,
    toy_box,
    units,
)

from pbem.engine.errors import OrderError
from pbem.engine.language import Fault
from pbem.service.letters.sheets import fault_lines


@pytest.fixture
def box(tmp_path: Path) -> Postbox:
    return toy_box(tmp_path)


@pytest.fixture
def allied(tmp_path: Path) -> Postbox:
    return normandy(tmp_path)


# --- names that never move ----------------------------------------------------------------------------------


def test_no_line_name_is_given_twice(box: Postbox) -> None:
    """A name that was withdrawn or played is never given again, in no later turn either."""
    box.mail("red", "move R1 to 0201\n")
    box.mail("red", "withdraw L1\nmove R2 to 0202\n")
    assert kept(box, "red") == {"L2": "move R2 to 0202"}
    box.mail("red", "done\n")
    box.mail("blue", "no orders\n")
    for number in box.questions("blue"):
        box.mail("blue", f"Q{number}: a\n")
    assert box.phase().turn == 2
    box.mail("red", "move R2 to 0203\n")
    assert list(kept(box, "red")) == ["L3"]


def test_each_seat_has_its_own_count(box: Postbox) -> None:
    """The first line of each seat is L1."""
    box.mail("red", "move R1 to 0201\n")
    box.mail("blue", "move B1 to 0402\n")
    assert list(kept(box, "red")) == list(kept(box, "blue")) == ["L1"]


def test_no_question_number_is_given_twice(box: Postbox) -> None:
    """The question of the next turn has the next number, though it asks the same."""
    asked: list[int] = []
    while box.row().status == "running" and len(asked) < 2:
        box.mail("red", "no orders\n")
        box.mail("blue", "no orders\n")
        for number in box.questions("blue"):
            asked.append(number)
            box.mail("blue", f"Q{number}: a\n")
    assert asked == [1, 2]


def test_a_line_that_takes_the_place_of_another_takes_its_name(box: Postbox) -> None:
    """A replaced line keeps its name, so that letters speak of the same line as before."""
    box.mail("red", "move R1 to 0201\nmove R2 to 0202\n")
    box.mail("red", "move R1 to 0202\n")
    assert kept(box, "red") == {"L1": "move R1 to 0202", "L2": "move R2 to 0202"}


def test_lines_are_printed_in_the_order_of_play_under_their_names(allied: Postbox) -> None:
    """A letter prints a preparation that was written last first, and under its own name."""
    box = allied
    text = told(box, "allied", "move 116/29 to 3526\nbreak 8/3\n")
    assert list(kept(box, "allied")) == ["L2", "L1"]
    assert text.index("L2 break 8/3") < text.index("L1 move 116/29")


def test_line_9_is_written_in_words_too(box: Postbox) -> None:
    """`line 1:` means L1; a plain `1:` is never a line."""
    box.mail("red", "move R1 to 0201\n")
    box.mail("red", "line 1: move R1 to 0202\n")
    assert kept(box, "red") == {"L1": "move R1 to 0202"}
    box.mail("red", "1: move R2 to 0202\n")
    assert kept(box, "red") == {"L1": "move R1 to 0202", "L2": "move R2 to 0202"}


def test_the_mark_of_a_list_is_no_part_of_a_line(box: Postbox) -> None:
    """Bullets and numbers before an order are dropped, also from a faulty one."""
    box.mail("red", "- move R1 to 0201\n2) move R2 to 0202\n* mvoe R2 to 0202\n")
    assert list(kept(box, "red").values()) == ["move R1 to 0201", "move R2 to 0202", "mvoe R2 to 0202"]


# --- lines of one letter ------------------------------------------------------------------------------------


def test_lines_of_one_letter_never_replace_one_another(allied: Postbox) -> None:
    """A second move of a unit is faulty and names the line that moves it, where the game has no second
    leg."""
    text = told(allied, "allied", "move 8/3 to 1422\nmove 8/3 to 1323\n")
    assert states(allied, "allied") == {"L1": "ready", "L2": "faulty"}
    assert "8/3 has already moved [MOV.H]: see L1" in text


def test_opposite_conditions_stand_side_by_side(box: Postbox) -> None:
    """Two lines for one unit with opposite conditions are both kept, and neither is faulty."""
    box.mail("red", "if 0402 is free then move R1 to 0201\nif not 0402 is free then scout 0502 with R1\n")
    assert list(kept(box, "red")) == ["L1", "L2"]
    assert set(states(box, "red").values()) == {"ready"}


# --- rule 1: L9, after L9 -----------------------------------------------------------------------------------


def test_a_named_line_is_replaced(allied: Postbox) -> None:
    """`L1: ...` takes the place of L1, whatever it is about; the name is no part of the line."""
    allied.mail("allied", "move 8/3 to 1422\nmove 9/3 to 1425\n")
    text = told(allied, "allied", "L1: move 116/29 to 3526\n")
    assert kept(allied, "allied") == {"L1": "move 116/29 to 3526", "L2": "move 9/3 to 1425"}
    assert "L1 was: move 8/3 to 1422 is now: move 116/29 to 3526" in text
    assert "now without an order: 8/3" in text


def test_several_lines_may_share_a_name(allied: Postbox) -> None:
    """`L1: ...` twice: the second line stands behind the first, under a name of its own."""
    allied.mail("allied", "move 8/3 to 1422\nmove 9/3 to 1425\n")
    allied.mail("allied", "L1: move 116/29 to 3526\nL1: move 8/3 to 1323\n")
    assert kept(allied, "allied") == {
        "L1": "move 116/29 to 3526", "L3": "move 8/3 to 1323", "L2": "move 9/3 to 1425",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("line", "offers"),
    [
        ("L1: as before but to 1323", "move 8/3 to 1323"),
        ("L2: as L1 but 9/3", "move 8/3, 9/3 to 1422 or: move 9/3 to 1422"),
        ("L1: the same as before, but without 8/3", ""),
    ],
)
def test_a_line_that_refers_to_another_is_written_out(allied: Postbox, line: str, offers: str) -> None:
    """pbem asks for the whole line, tells what the other one is, and offers what may be meant."""
    allied.mail("allied", "[movement]\nmove 8/3 to 1422\n")
    text = told(allied, "allied", f"[movement]\n{line}\n")
    assert 'write the whole line: L1 is "move 8/3 to 1422"' in text
    assert all(offer in text for offer in offers.split(" or: "))


def test_a_line_may_stand_behind_another(allied: Postbox) -> None:
    """`after L1: ...` puts a new line behind L1."""
    allied.mail("allied", "move 8/3 to 1422\nmove 9/3 to 1425\n")
    allied.mail("allied", "after L1: move 116/29 to 3526\n")
    assert list(kept(allied, "allied")) == ["L1", "L3", "L2"]
    assert kept(allied, "allied")["L3"] == "move 116/29 to 3526"


def test_a_kept_line_may_be_moved_behind_another(allied: Postbox) -> None:
    """`after L2: L1` moves L1, and the reply says so."""
    allied.mail("allied", "move 8/3 to 1422\nmove 9/3 to 1425\n")
    text = told(allied, "allied", "after L2: L1\n")
    assert list(kept(allied, "allied")) == ["L2", "L1"]
    assert "L1 now comes after L2: move 8/3 to 1422" in text


def test_a_name_that_is_not_there_is_refused(box: Postbox) -> None:
    """A line for L9, where there is none, is faulty; moving it is refused, and neither lets the letter
    close."""
    text = told(box, "red", "L9: move R1 to 0201\ndone\n")
    assert "there is no line L9" in text and states(box, "red") == {"L1": "faulty"}
    assert units(box)["R1"] == "0101"
    box.mail("red", "new [march]\nmove R1 to 0201\n")
    text = told(box, "red", "after L9: L2\ndone\n")
    assert "refused: after L9: L2 there is no line L9" in text
    assert '[march] stays open: "after L9: L2" needs correcting.' in first_line(text)
    assert units(box)["R1"] == "0101"


# --- rule 2: the same verb about exactly the same -----------------------------------------------------------


def test_the_same_verb_about_the_same_units_replaces(allied: Postbox) -> None:
    """A new move of exactly the same units takes the place of the old one."""
    allied.mail("allied", "move 9/3, 185/3 to 1425\nmove 8/3 to 1422\n")
    text = told(allied, "allied", "move 185/3, 9/3 to 1524\n")
    assert kept(allied, "allied") == {"L1": "move 185/3, 9/3 to 1524", "L2": "move 8/3 to 1422"}
    assert "L1 was: move 9/3, 185/3 to 1425" in text


def test_an_attack_on_the_same_hex_with_one_of_its_attackers_replaces(tmp_path: Path) -> None:
    """For attacks the targets must be the same, and one attacker: others make a second attack on the hex."""
    box = normandy(tmp_path, "t2.allied_combat")
    box.mail("allied", "attack 1321 with 5Para/6\n")
    box.mail("allied", "attack 1321 with 5Para/6 + 6Airldg/6\n")
    assert kept(box, "allied") == {"L1": "attack 1321 with 5Para/6 + 6Airldg/6"}
    box.mail("allied", "attack 1321 with 8/3\n")
    assert list(kept(box, "allied")) == ["L1", "L2"]


def test_a_faulty_line_is_replaced_before_others(box: Postbox) -> None:
    """Of two kept lines for a unit the faulty one is the one that a new line takes the place of."""
    box.mail("red", "move R1 to 0201\nmove R1 to 0503\n")
    assert states(box, "red") == {"L1": "ready", "L2": "faulty"}
    box.mail("red", "move R1 to 0102\n")
    assert kept(box, "red") == {"L1": "move R1 to 0201", "L2": "move R1 to 0102"}


# --- rule 3: instead of a faulty line -----------------------------------------------------------------------


def test_a_line_of_the_same_kind_takes_the_place_of_a_faulty_one(allied: Postbox) -> None:
    """A line that shares a unit with a faulty one replaces it; units that are left without an order are
    named."""
    allied.mail("allied", "move 9/3, 185/3 to 1719\n")
    assert states(allied, "allied") == {"L1": "faulty"}
    text = told(allied, "allied", "move 9/3 to 1425\n")
    assert kept(allied, "allied") == {"L1": "move 9/3 to 1425"}
    assert "now without an order: 185/3" in text


def test_several_lines_may_take_the_place_of_a_faulty_one(allied: Postbox) -> None:
    """The second line that stands for a faulty one stands behind the first."""
    allied.mail("allied", "move 9/3, 185/3 to 1719\nmove 8/3 to 1422\n")
    text = told(allied, "allied", "move 9/3 to 1425\nmove 185/3 to 1525\n")
    assert kept(allied, "allied") == {
        "L1": "move 9/3 to 1425", "L3": "move 185/3 to 1525", "L2": "move 8/3 to 1422",
    }  # fmt: skip
    assert "now without an order" not in text


def test_the_line_that_was_offered_takes_the_place_of_the_faulty_one(box: Postbox) -> None:
    """What the reply offers replaces the faulty line, with its name in front or without."""
    text = told(box, "red", "mvoe R1 to 0201\n")
    assert "send instead: L1: move R1 to 0201" in text
    box.mail("red", "move R1 to 0201\n")
    assert kept(box, "red") == {"L1": "move R1 to 0201"} and states(box, "red") == {"L1": "ready"}


# --- rule 4: refused with the lines to choose from ----------------------------------------------------------


def test_a_line_that_shares_only_some_units_is_refused(allied: Postbox) -> None:
    """A move of some of the units of a kept move is not guessed: the reply offers both places."""
    allied.mail("allied", "move 9/3, 185/3 to 1425\n")
    text = told(allied, "allied", "move 9/3 to 1525\ndone\n")
    assert kept(allied, "allied")["L1"] == "move 9/3, 185/3 to 1425"
    assert "send instead: L1: move 9/3 to 1525 or: after L1: move 9/3 to 1525" in text
    assert f"NO L2: move 9/3 to 1525 {16 * '^'} does it replace L1" in text
    assert states(allied, "allied")["L2"] == "faulty" and closed(allied, "allied") == []
    allied.mail("allied", "L1: move 9/3 to 1525\n")
    assert kept(allied, "allied") == {"L1": "move 9/3 to 1525"}


# --- rule 5: added ------------------------------------------------------------------------------------------


def test_a_line_that_cannot_stand_beside_a_kept_one_names_it(box: Postbox) -> None:
    """A line of another verb about a unit that has an order already is added, faulty, and names the other
    line."""
    box.mail("red", "move R1 to 0201\n")
    text = told(box, "red", "scout 0502 with R1\n")
    assert states(box, "red") == {"L1": "ready", "L2": "faulty"}
    assert "R1 has already moved [2.1]: see L1" in text


def test_a_new_line_stands_where_the_order_of_play_has_it(allied: Postbox) -> None:
    """A preparation of a later letter comes before the movement of an earlier one."""
    allied.mail("allied", "move 116/29 to 3526\n")
    allied.mail("allied", "break 8/3\n")
    assert list(kept(allied, "allied")) == ["L2", "L1"]


# --- heads --------------------------------------------------------------------------------------------------

ARMY = "[initiative]\nactivate US1\nbox 2: VII/US to 1108\nbox 2: XIX/US to 1108\n"


def test_a_head_with_lines_begins_afresh(tmp_path: Path) -> None:
    """`activate US1` with lines below it takes off what is kept in its section, and names the lines that are
    gone."""
    box = new_game(tmp_path, "france44", "allied", "german")
    box.mail("allied", ARMY)
    text = told(box, "allied", "[initiative]\nactivate US1\nbox 2: VII/US to 1108\nbox 3: 2AD/US to 1108\n")
    assert list(kept(box, "allied")) == ["L1", "L2", "L4"]
    assert "L3 is withdrawn: box 2: XIX/US to 1108 L1 starts afresh" in text


def test_a_head_alone_replaces_only_itself(tmp_path: Path) -> None:
    """A head with nothing below it leaves the lines that are kept below the old one."""
    box = new_game(tmp_path, "france44", "allied", "german")
    box.mail("allied", ARMY)
    box.mail("allied", "[initiative]\nactivate BR2\n")
    assert kept(box, "allied")["L1"] == "activate BR2" and list(kept(box, "allied")) == ["L1", "L2", "L3"]


def test_a_form_with_one_line_changed_begins_nothing_afresh(tmp_path: Path) -> None:
    """Heads that are written by name do not throw away the lines below them."""
    box = new_game(tmp_path, "france44", "allied", "german")
    box.mail("allied", ARMY)
    box.mail("allied", "[initiative]\nL1: activate US1\nL3: box 3: XIX/US to 1108\n")
    assert (
        list(kept(box, "allied")) == ["L1", "L2", "L3"]
        and kept(box, "allied")["L3"] == "box 3: XIX/US to 1108"
    )


def test_a_line_without_its_head_goes_below_it(tmp_path: Path) -> None:
    """A new line of an army that is activated stands below it; the box belongs to its subject."""
    box = new_game(tmp_path, "france44", "allied", "german")
    box.mail("allied", ARMY)
    box.mail("allied", "[initiative]\nbox 1: V/US to 1308\n")
    assert list(kept(box, "allied")) == ["L1", "L4", "L2", "L3"]


def test_the_box_belongs_to_the_subject(tmp_path: Path) -> None:
    """A move in another box is the next leg of a unit; one in the same box takes the place of the line
    there."""
    box = new_game(tmp_path, "france44", "allied", "german")
    box.mail("allied", "[initiative]\nactivate US1\nbox 2: VII/US to 1108\n")
    box.mail("allied", "[initiative]\nbox 5: VII/US to 1208\n")
    assert list(kept(box, "allied")) == ["L1", "L2", "L3"]
    box.mail("allied", "[initiative]\nbox 2: VII/US to 1207\n")
    assert kept(box, "allied")["L2"] == "box 2: VII/US to 1207" and len(kept(box, "allied")) == 3


def test_a_correction_that_does_not_read_is_told_why(tmp_path: Path) -> None:
    """Words behind the name of a line that look like no order have a reason of their own."""
    box = new_game(tmp_path, "france44", "allied", "german")
    box.mail("allied", ARMY)
    words = "the same as it was but with the two Canadian infantry divisions that are not there yet, if any"
    text = told(box, "allied", f"L2: {words}\n")
    assert 'unknown word "same"' in text and "cannot be read so" not in text


def test_the_caret_stays_under_a_long_line() -> None:
    """A fault as long as its line is not underlined beyond the width of a letter, where the underline would
    be broken; dots stand in front only of what is cut there."""
    text = "When the 2nd SS is drawn, the Das Reich panzers should withdraw to 3012, and the others too."
    shown, caret, _ = fault_lines("L6", Fault(1, text, OrderError("why", length=len(text))))
    assert (
        shown.startswith(" NO   L6:  When") and caret.index("^") == shown.index("When") and len(caret) == 78
    )


def test_lines_below_a_reaction_belong_to_it(tmp_path: Path) -> None:
    """Without a heading, what stands below `react` or `piece` is of that reaction, whether or not the head
    reads; below the next heading or DONE it is not."""
    box = new_game(tmp_path, "france44", "allied", "german")
    army = "activate US1\nbox 2: VII/US to 1108\n"
    box.mail("allied", f"{army}react\nactivate BR2\nbox 2: XXX/BR to 1508\n")
    assert list(sections(box, "allied").values()) == ["initiative"] * 2 + ["reaction"] * 3
    box.mail("allied", "withdraw all\n")
    box.mail("allied", f"{army}react BR2 first\nbox 2: XXX/BR to 1508\nbox 3: 11AD/BR too 1508\n")
    assert list(sections(box, "allied").values()) == ["initiative"] * 2 + ["reaction"] * 3
    box.mail("allied", "withdraw all\n")
    box.mail("allied", "piece XIX/US\nXIX/US to 1107\nactivate US1\nVII/US to 1108\n")
    assert sorted(sections(box, "allied").values()) == ["initiative"] * 2 + ["reaction"] * 2
    box.mail("allied", "withdraw all\n")
    box.mail("allied", "piece XIX/US\nXIX/US to 1107\n[initiative]\nactivate US1\nVII/US to 1108\n")
    assert sorted(sections(box, "allied").values()) == ["initiative"] * 2 + ["reaction"] * 2


# --- withdraw, new ------------------------------------------------------------------------------------------


def test_lines_are_withdrawn_by_name(allied: Postbox) -> None:
    """`withdraw L1, L3` takes off these lines and names them."""
    allied.mail("allied", "move 8/3 to 1422\nmove 9/3 to 1425\nmove 116/29 to 3526\n")
    text = told(allied, "allied", "withdraw L1, L3\n")
    assert kept(allied, "allied") == {"L2": "move 9/3 to 1425"}
    assert "L1 is withdrawn: move 8/3 to 1422" in text and "L3 is withdrawn: move 116/29 to 3526" in text


def test_lines_are_withdrawn_by_unit_and_by_target(allied: Postbox) -> None:
    """`withdraw 8/3` and `withdraw attack on 1321` take off the lines about them."""
    allied.mail(
        "allied", "[movement]\nmove 9/3 to 1425\nmove 8/3 to 1422\n[combat]\nattack 1321 with 5Para/6\n"
    )
    allied.mail("allied", "withdraw 9/3\nwithdraw attack on 1321\n")
    assert kept(allied, "allied") == {"L2": "move 8/3 to 1422"}


def test_withdraw_speaks_of_no_other_section_if_one_is_named(allied: Postbox) -> None:
    """WITHDRAW below a heading leaves the lines of other sections about the same unit as they are."""
    allied.mail("allied", "[movement]\nmove 8/3 to 1422\n[combat]\nattack 1321 with 8/3\n")
    allied.mail("allied", "[combat]\nwithdraw 8/3\n")
    assert kept(allied, "allied") == {"L1": "move 8/3 to 1422"}
    allied.mail("allied", "[combat]\nattack 1321 with 8/3\n")
    allied.mail("allied", "[movement]\nwithdraw all\n")
    assert list(sections(allied, "allied").values()) == ["combat"]


def test_withdraw_speaks_of_earlier_letters_only(box: Postbox) -> None:
    """WITHDRAW ALL at the end of a letter leaves the lines above it in place."""
    box.mail("red", "move R1 to 0201\n")
    box.mail("red", "move R2 to 0202\nwithdraw all\n")
    assert kept(box, "red") == {"L2": "move R2 to 0202"}


def test_a_unit_that_shares_a_line_is_not_withdrawn_with_it(allied: Postbox) -> None:
    """`withdraw 9/3`, where 9/3 shares a line, is refused with the line without it; the letter closes
    nothing."""
    allied.mail("allied", "move 9/3, 185/3 to 1425\n")
    text = told(allied, "allied", "withdraw 9/3\ndone\n")
    assert "refused: withdraw 9/3 L1 is also about 185/3" in text
    assert "withdraw L1" in text and "L1: move 185/3 to 1425" in text
    assert closed(allied, "allied") == [] and list(kept(allied, "allied")) == ["L1"]


def test_what_is_not_kept_cannot_be_withdrawn(allied: Postbox) -> None:
    """A WITHDRAW that fits no line is refused and keeps open what its letter would close; on an empty sheet
    WITHDRAW ALL does no harm."""
    assert "withdraw all: no lines were kept" in told(allied, "allied", "withdraw all\nmove 8/3 to 1422\n")
    text = told(allied, "allied", "withdraw 9/3\ndone\n")
    assert "refused: withdraw 9/3 no kept line matches" in text and "1 line was refused." in first_line(text)
    assert kept(allied, "allied") == {"L1": "move 8/3 to 1422"} and closed(allied, "allied") == []
    assert "there is no line L7" in told(allied, "allied", "withdraw L7\n")


def test_new_takes_off_all_that_is_kept_in_a_section(allied: Postbox) -> None:
    """`new [movement]` leaves the lines of its own letter and those of other sections."""
    allied.mail("allied", "[movement]\nmove 8/3 to 1422\nmove 9/3 to 1425\n[combat]\nattack 1321 with 8/3\n")
    text = told(allied, "allied", "[movement]\nmove 116/29 to 3526\nnew [movement]\n")
    assert sections(allied, "allied") == {"L4": "movement", "L3": "combat"}
    assert "L1 is withdrawn: move 8/3 to 1422" in text


# --- the same lines again -----------------------------------------------------------------------------------


def test_a_letter_that_repeats_some_lines_closes_nothing_there(allied: Postbox) -> None:
    """Two kept lines again without the third: the reply names it, and offers to withdraw it, to begin afresh,
    or to go on."""
    allied.mail("allied", "move 8/3 to 1422\nmove 9/3 to 1425\nmove 116/29 to 3526\n")
    text = told(allied, "allied", "move 8/3 to 1422\nmove 9/3 to 1425\ndone\n")
    why = "your email repeats lines of [movement] but leaves out L3"
    assert f"[movement] stays open: {why}." in first_line(text)
    assert (
        "withdraw L3" in text
        and "new [movement]" in text
        and "to go ahead with the kept lines, send: done movement" in text
    )
    assert closed(allied, "allied") == []
    told(allied, "allied", "done\n")
    assert allied.phase().label == "t2.allied_combat"


def test_a_letter_that_repeats_lines_in_another_order_closes_nothing_there(allied: Postbox) -> None:
    """The kept lines in another order keep their order; the letter closes nothing."""
    allied.mail("allied", "move 8/3 to 1422\nmove 9/3 to 1425\n")
    text = told(allied, "allied", "move 9/3 to 1425\nmove 8/3 to 1422\ndone\n")
    assert "your email has the lines of [movement] in a different order" in first_line(text)
    assert list(kept(allied, "allied")) == ["L1", "L2"] and closed(allied, "allied") == []


def test_a_letter_that_repeats_all_lines_closes(box: Postbox) -> None:
    """All kept lines again, with DONE, are closed and played."""
    box.mail("red", "move R1 to 0201\nmove R2 to 0202\n")
    box.mail("red", "move R1 to 0201\nmove R2 to 0202\ndone\n")
    assert (units(box)["R1"], units(box)["R2"]) == ("0201", "0202")


def test_the_form_sent_back_unchanged_changes_nothing(allied: Postbox) -> None:
    """The form holds kept lines as `L9: ...`; sent back it changes no line, no section and no name."""
    allied.mail(
        "allied",
        "[movement]\nmove 8/3 to 1422\nmove 9/3 to 1425 ; the bridge\n[combat]\nattack 1321 with 8/3\n",
    )
    allied.mail("allied", "after L2: L1\ndone combat\n")
    before, form = allied.seat("allied").sheet, form_of(allied, "allied")
    assert "L2: move 9/3 to 1425" in form and "\n; done\n; no orders" in form and "\ndone" not in form
    text = told(allied, "allied", form)
    assert allied.seat("allied").sheet == before
    assert "Changes" not in text and "again" not in first_line(text)


# --- headings -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "heading",
    ["[combat]", "combat", "combat:", "[Combat]", "[ combat ]", "Allied combat", "[Allied combat]", "[comb]",
     "[turn 2 combat]",
     "Turn 2, Allied combat"],
)  # fmt: skip
def test_headings_may_be_written_in_many_ways(allied: Postbox, heading: str) -> None:
    """A section's key, its title as letters print it or a clear abbreviation, with brackets or without, with
    the present turn."""
    allied.mail("allied", f"{heading}\nattack 1321 with 8/3\n")
    assert sections(allied, "allied") == {"L1": "combat"}


def test_a_heading_that_is_not_known_makes_its_lines_faulty(allied: Postbox) -> None:
    """Lines below a misspelt heading are faulty, the nearest heading is offered, and DONE below it closes
    nothing."""
    text = told(allied, "allied", "[combt]\nattack 1321 with 8/3\ndone\n")
    assert "it is below [combt]: there is no section [combt]" in text
    assert "send instead: [combat] attack 1321 with 8/3" in text
    assert "DONE closed nothing: the heading above it is unknown." in first_line(text)
    assert set(states(allied, "allied").values()) == {"faulty"} and closed(allied, "allied") == []


def test_below_an_unknown_heading_no_line_is_offered_that_does_not_read(allied: Postbox) -> None:
    """The heading that is offered is one under which the line is an order."""
    text = told(allied, "allied", "[combt]\nmove 8/3 to 1422\n")
    assert "it is below [combt]" in text and "send instead: [movement] move 8/3 to 1422" in text


def test_a_heading_with_nothing_below_says_nothing(allied: Postbox) -> None:
    """An empty heading, known or not, closes nothing and is no fault."""
    text = told(allied, "allied", "[combat]\n[combt]\n[movement]\nmove 8/3 to 1422\n")
    assert "Lines to correct" not in first_line(text) and sections(allied, "allied") == {"L1": "movement"}


def test_headings_never_reach_into_the_next_turn(allied: Postbox) -> None:
    """Lines below `[turn 3 movement]` are faulty in turn 2."""
    text = told(allied, "allied", "[turn 3 movement]\nmove 8/3 to 1422\ndone\n")
    assert (
        "turn 3 is not the one being played" in text and "send instead: [movement] move 8/3 to 1422" in text
    )
    assert states(allied, "allied") == {"L1": "faulty"} and closed(allied, "allied") == []


def test_a_heading_does_not_reach_a_section_of_a_like_name(allied: Postbox) -> None:
    """[movement] is not [movement 2], and what is kept in one is not replaced from the other."""
    allied.mail("allied", "[movement]\nmove 8/3 to 1422\n[movement 2]\nmove 8/3 to 1323\n")
    assert sections(allied, "allied") == {"L1": "movement", "L2": "movement 2"}
    allied.mail("allied", "[movement 2]\nmove 8/3 to 1123\n")
    assert kept(allied, "allied") == {"L1": "move 8/3 to 1422", "L2": "move 8/3 to 1123"}


def test_a_heading_that_may_mean_two_sections_is_not_guessed(allied: Postbox) -> None:
    """`[m]` is no heading that fits one section: its lines are faulty."""
    text = told(allied, "allied", "[mov]\nmove 8/3 to 1422\n")
    assert "[mov] may be [movement] or [movement 2]" in text and states(allied, "allied") == {"L1": "faulty"}


def test_a_line_without_a_heading_goes_to_the_line_that_it_corrects(allied: Postbox) -> None:
    """A new order for a unit that has one in a single section goes there, though another section is asked
    for."""
    allied.mail("allied", "[movement 2]\nmove 8/3 to 1323\n")
    allied.mail("allied", "move 8/3 to 1123\n")
    assert sections(allied, "allied") == {"L1": "movement 2"} and kept(allied, "allied") == {
        "L1": "move 8/3 to 1123"
    }


def test_a_line_without_a_heading_goes_to_what_is_asked_for(allied: Postbox) -> None:
    """Otherwise it goes to the section asked for, if that takes its verb, else to the only open one that
    does."""
    allied.mail("allied", "move 8/3 to 1422\nattack 1321 with 8/3\nentrench 9/3\n")
    assert sections(allied, "allied") == {"L1": "movement", "L2": "combat", "L3": "entrenchment"}


def test_a_line_without_a_heading_that_fits_several_sections_is_refused(allied: Postbox) -> None:
    """Where several open sections take the verb and none is asked for, the line is faulty and both headings
    are offered."""
    text = told(allied, "german", "move 914/352 to 3726\n")
    assert "move needs a heading that names its section" in text
    assert "send instead: [movement] move 914/352 to 3726 or: [movement 2] move 914/352 to 3726" in text
    assert states(allied, "german") == {"L1": "faulty"}


def test_the_first_line_counts_lines_without_a_heading_apart(allied: Postbox) -> None:
    """They come last, and are told apart from those of a section."""
    text = told(allied, "german", "move 914/352 to 3726\n[combat]\nattack nobody\n")
    assert first_line(text).startswith("1 line to correct in [combat]. 1 line to correct without a heading. ")


def test_a_line_for_a_section_that_is_over_is_refused(box: Postbox) -> None:
    """Orders for a section that has been played are refused with the reason, under a heading or under
    none."""
    box.mail("red", "move R1 to 0201\ndone\n")
    for letter in ("[march]\nmove R2 to 0202\n", "move R2 to 0202\n"):
        text = told(box, "red", letter)
        assert first_line(text).startswith("1 line was refused.")
        assert "refused: move R2 to 0202 [march] of turn 1 was played" in text and "as you closed it" in text
    assert kept(box, "red") == {}


def test_a_section_that_comes_up_again_is_a_new_one(tmp_path: Path) -> None:
    """While a round is still being played, the heading of what is over in it means the next time, with a
    sheet of its own."""
    box = new_game(tmp_path, "france44", "allied", "german")
    box.mail("allied", "[initiative]\nactivate US1\nbox 2: VII/US to 1108\ndone\n")
    assert box.phase().label == "t1.cycle" and kept(box, "allied") == {}
    text = told(box, "allied", "[initiative]\nactivate BR2\ndone\n")
    assert kept(box, "allied") == {"L3": "activate BR2"} and closed(box, "allied") == ["initiative"]
    assert "Closed: [initiative]." in first_line(text)
    box.mail("german", "defaults\n")
    assert kept(box, "allied") == {"L3": "activate BR2"} and closed(box, "allied") == ["initiative"]


def test_a_heading_in_a_quoted_form_counts_for_the_lines_below_it(allied: Postbox) -> None:
    """What the writer puts right below a quoted heading belongs there; nothing else that is quoted is
    read."""
    quoted = (
        "> [movement]\n> ; move 8/4 to 4818\n> move 8/3 to 1422\n\n"
        "> [combat]\nattack 1321 with 8/3\n> ; done\n"
    )
    allied.mail("allied", quoted)
    assert kept(allied, "allied") == {"L1": "attack 1321 with 8/3"} and sections(allied, "allied") == {
        "L1": "combat"
    }


def test_a_line_behind_another_does_not_draw_the_next_ones_after_it(tmp_path: Path) -> None:
    """`after L1: ...` is about one line: those below it in the letter stand at the end."""
    box = new_game(tmp_path, "rampage", "allied")
    box.mail("allied", "[operations]\nmove 3A to 1303\nmove 1Inf to 1502\n")
    box.mail("allied", "[operations]\nafter L1: move 2A to 1303\nmove 28Inf to 1502\n")
    assert list(kept(box, "allied")) == ["L1", "L3", "L2", "L4"]


def test_a_line_may_be_withdrawn_by_its_name_in_front(box: Postbox) -> None:
    """`L1: withdraw` is WITHDRAW L1, and names and units may stand in one WITHDRAW."""
    box.mail("red", "move R1 to 0201\nmove R2 to 0202\n")
    told(box, "red", "L1: withdraw\n")
    assert kept(box, "red") == {"L2": "move R2 to 0202"}
    box.mail("red", "move R1 to 0201\n")
    told(box, "red", "withdraw L2, R1\n")
    assert kept(box, "red") == {}


def test_several_orders_may_take_the_place_of_a_line(box: Postbox) -> None:
    """`L1: order; then order` puts both in its place."""
    box.mail("red", "move R1 to 0201\n")
    box.mail("red", "L1: move R1 to 0101; then move R2 to 0202\n")
    assert list(kept(box, "red").values()) == ["move R1 to 0101", "move R2 to 0202"]


def test_a_unit_named_twice_is_asked_about(allied: Postbox) -> None:
    """Two names of one unit in a list are a slip; the same name twice does no harm."""
    text = told(allied, "allied", "[movement]\nmove 8/3, 8th/3rd to 1422\n")
    assert "are both 8/3" in text and states(allied, "allied") == {"L1": "faulty"}
    told(allied, "allied", "L1: move 8/3, 8/3 to 1422\n")
    assert kept(allied, "allied") == {"L1": "move 8/3, 8/3 to 1422"}


def test_small_letters_do_not_make_another_unit(allied: Postbox) -> None:
    """9/3c may be the brigade 9/3C or a part of 9/3: who writes small letters is asked."""
    text = told(allied, "allied", "[movement]\nmove 9/3c to 1422\n")
    assert "9/3C or 9/3c" in text or "9/3c or 9/3C" in text
    told(allied, "allied", "[movement]\nnew [movement]\nmove 9/3C to 1422\n")
    assert "move 9/3C to 1422" in kept(allied, "allied").values()


def test_a_line_that_ends_with_a_comma_is_no_order_of_its_own(allied: Postbox) -> None:
    """A line broken behind a comma, which reads as an order with the next one, is offered whole and closes
    nothing."""
    text = told(allied, "allied", "[movement]\nmove 8/3 to 1422,\n1322\ndone\n")
    assert "send instead: L1: move 8/3 to 1422, 1322" in text
    assert closed(allied, "allied") == [] and states(allied, "allied") == {"L1": "faulty"}


def test_a_line_that_reads_as_one_with_the_next_is_no_order_of_its_own(allied: Postbox) -> None:
    """An order whose next line is none, but reads as one order with it, is asked about; a friendly word
    changes nothing."""
    text = told(allied, "allied", "[combat]\nattack 5130, 5131 with 8/4\nNAVAL ANY\ndone\n")
    assert "send instead: L1: attack 5130, 5131 with 8/4 NAVAL ANY" in text
    assert closed(allied, "allied") == [] and states(allied, "allied") == {"L1": "faulty"}
    told(allied, "allied", "new [combat]\nattack 5130, 5131 with 8/4\nthank you\n")
    assert kept(allied, "allied") == {"L2": "attack 5130, 5131 with 8/4"}


def test_a_line_behind_a_comma_is_no_chat(allied: Postbox) -> None:
    """What stands below an order that ends with a comma, and cannot be read, keeps the section open."""
    text = told(allied, "allied", "[movement]\nmove 8/3 to 1422,\nfoo and bar\ndone\n")
    assert "foo and bar" in text and closed(allied, "allied") == []


@pytest.mark.parametrize(
    "line",
    [
        "move 8/3 to 1422; moove 9/3 to 1425",
        "#1 move 8/3 to 1422 #2 move 9/3 to 1425",
        "[movement]; move 8/3 to 1422",
        "[movement] #2 move 8/3 to 1422",
        "[movement; move 8/3 to 1422",
        "a) [movement]; - move 8/3 to 1422",
        "done movement; move 8/3 to 1422",
        "9/3 stays; move 8/3 to 1422",
    ],
)
def test_an_order_behind_a_comment_sign_is_told(allied: Postbox, line: str) -> None:
    """What stands behind a comment sign is a comment; one that is an order is not lost in silence, whatever
    the line is."""
    text = told(allied, "allied", f"[movement]\n{line}\ndone\n")
    assert "this may be part of the order" in text and closed(allied, "allied") == []


@pytest.mark.parametrize("heading", ["-- movement --", "*movement*", "=== Movement ===", "**movement**:"])
def test_a_framed_title_is_a_heading(allied: Postbox, heading: str) -> None:
    """Headings as people set them off; what stands behind one on its line is no comment."""
    told(allied, "allied", f"{heading}\nmove 8/3 to 1422\n-- combat -- attack 1424 with 8/3\n")
    assert kept(allied, "allied") == {"L1": "move 8/3 to 1422", "L2": "attack 1424 with 8/3"}
    assert sections(allied, "allied") == {"L1": "movement", "L2": "combat"}


def test_an_order_at_the_end_of_a_sentence_is_told(allied: Postbox) -> None:
    """Words and an order on one line: the order is offered, nothing is closed."""
    text = told(allied, "allied", "[movement]\nLet me know if this is wrong. move 8/3 to 1422\ndone\n")
    assert "send instead: L1: move 8/3 to 1422" in text and closed(allied, "allied") == []


def test_a_line_without_a_heading_lets_nothing_close(allied: Postbox) -> None:
    """A line that needs a heading keeps all open that its letter would close: nobody knows where it
    belongs."""
    text = told(allied, "allied", "[movement]\nmove 8/3 to 1422\ndone\n[plan 7]\nmove 9/3 to 1425\n")
    assert "L1" in kept(allied, "allied") and closed(allied, "allied") == [], text


def test_who_stays_leaves_the_others_their_order(allied: Postbox) -> None:
    """`8/3 stays` where 8/3 shares a line is refused with the line without it."""
    box = allied
    box.mail("allied", "[movement]\nmove 8/3, 9/3 to 1422\n")
    assert "send instead: L1: move 9/3 to 1422" in told(box, "allied", "8/3 stays\n")


def test_a_line_that_a_mail_program_broke_is_one_line(tmp_path: Path) -> None:
    """Two lines of which neither is an order, and which read as one, are one; a form in the body of a letter
    is never broken."""
    box = new_game(tmp_path, "rampage", "allied")
    whole = (
        "move 11BrA, 15BrInf, 43BrInf, 50BrInf, 53BrInf, 59BrInf to 1702 stop at 6 losses, "
        "take losses full first"
    )
    box.mail(
        "allied", f"[operations]\n{whole.replace('take losses full', 'take losses' + chr(10) + '  full')}\n"
    )
    assert kept(box, "allied") == {"L1": whole}
    last = box.last()
    box.mail("allied", "[set-up]\ndefault\ndone\n")
    assert f"L1: {whole}" in box.texts(box.address("allied"), last)[0].splitlines()


# --- units that stay ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("letter", ["move R1 to 0201\nR1 stays\ndone\n", "R1 stays\nmove R1 to 0201\ndone\n"])
def test_a_unit_that_is_to_stay_and_to_go(box: Postbox, letter: str) -> None:
    """A letter that moves a unit and says that it stays closes nothing: it is told of both."""
    answer = told(box, "red", letter)
    assert kept(box, "red") == {"L1": "move R1 to 0201"}
    assert closed(box, "red") == []
    assert "L1 says: move R1 to 0201" in answer


def test_a_unit_that_is_to_stay_beside_others_that_go(box: Postbox) -> None:
    answer = told(box, "red", "move R1 to 0201\nR2 stays\ndone\n")
    assert "stays where it is: R2" in answer
    assert "says: move" not in answer


def test_a_unit_that_is_to_stay_beside_an_attack_of_all(tmp_path: Path) -> None:
    """An attack that names no units is made by all that can: who is not to take part makes it unclear."""
    box = normandy(tmp_path, "t2.allied_combat")
    answer = told(box, "allied", "attack 3828\n116/29 does not attack\ndone\n")
    assert closed(box, "allied") == [] and "1 line was refused." in first_line(answer)
    assert "says: attack 3828, which is for all that can" in answer


def test_a_standing_order_that_is_never_used_is_told_first(tmp_path: Path) -> None:
    """A new standing order stands behind the earlier ones: the first line says which of them decides."""
    box = new_game(tmp_path, "normandy44", "german")
    told(box, "german", "standing support: always\n")
    text = told(box, "german", "standing support: never\n")
    assert '"standing support: never" is never used: "standing support: always" decides first' in first_line(
        text
    )
    text = told(box, "german", "standing clear support\nstanding support: never\n")
    assert "never used" not in text


# --- lines that were not read, and what is closed already ---------------------------------------------------


@pytest.mark.parametrize(
    "letter",
    ["[movement]\nnot 8/3\ndone\n", "Sorry, 8/3 stays after all.\n", "Please wait.\n", "draft please\n"],
)
def test_lines_that_are_not_read_open_what_they_are_about(tmp_path: Path, letter: str) -> None:
    """What was closed ahead is a draft again, as the reply says."""
    box = normandy(tmp_path, "t1.allied_combat")
    told(box, "allied", "[movement 2]\nmove 8/3 to 1422\ndone\n")
    assert closed(box, "allied") == ["movement 2"]
    answer = told(box, "allied", letter.replace("[movement]", "[movement 2]"))
    assert closed(box, "allied") == [] and "draft again" in first_line(answer)


def test_chat_opens_nothing(tmp_path: Path) -> None:
    box = normandy(tmp_path, "t1.allied_combat")
    told(box, "allied", "[movement 2]\nmove 8/3 to 1422\ndone\n")
    told(box, "allied", "Thanks for the map, it looks great!\n")
    assert closed(box, "allied") == ["movement 2"]


def test_no_orders_and_done_do_not_go_together(allied: Postbox) -> None:
    """NO ORDERS for a section with lines is refused, and DONE in the same letter does not play them."""
    told(allied, "allied", "[movement]\nmove 8/3 to 1422\n")
    answer = told(allied, "allied", "[movement]\nno orders\ndone\n")
    assert "has lines: to drop them" in first_line(answer) and closed(allied, "allied") == []
    assert list(kept(allied, "allied")) == ["L1"]


def test_a_table_is_no_quotation(allied: Postbox) -> None:
    """Rows between bars are not read, but they are seen."""
    answer = told(allied, "allied", "[movement]\n| unit | to |\n|---|---|\n| 8/3 | 1422 |\ndone\n")
    assert "3 lines were not read" in first_line(answer) and closed(allied, "allied") == []


def test_one_unit_of_a_line_stays(allied: Postbox) -> None:
    """The line of the others is offered, and nothing is taken off."""
    allied.mail("allied", "land 8/4, 70 at 3 Utah\n")
    text = told(allied, "allied", "L1: 70 stays\n")
    assert kept(allied, "allied") == {"L1": "land 8/4, 70 at 3 Utah"}
    assert "L1 is for 8/4 too" in text and "L1: land 8/4 at 3 Utah" in text


def test_a_line_that_is_confirmed_stays(box: Postbox) -> None:
    box.mail("red", "move R1 to 0201\n")
    text = told(box, "red", "L1: ok\ndone\n")
    assert "Played: Red march." in text and "carried out L1 move R1 to 0201" in text


def test_words_for_a_line_that_is_not_there(box: Postbox) -> None:
    """Words that are no order, behind a name that was never given, are listed once; nothing is offered that
    would be refused again."""
    letter = told(box, "red", "move R1 to 0201\nL7: without R2\n")
    assert letter.count("NO L2:") == 1
    assert "send instead: L7: without R2" not in flat(letter)


@pytest.mark.parametrize(
    ("words", "offer"),
    [
        ("without 22/4", "L1: move 8/4 to 5230"),
        ("but without 22/4", "L1: move 8/4 to 5230"),
        ("with 12/4 too", "L1: move 8/4, 22/4, 12/4 to 5230"),
        ("plus 12/4", "L1: move 8/4, 22/4, 12/4 to 5230"),
        ("without 12/4", ""),
        ("plus 5230", ""),
    ],
)
def test_a_kept_line_with_more_units_or_less(allied: Postbox, words: str, offer: str) -> None:
    """L1 is offered as it is to be."""
    allied.mail("allied", "move 8/4, 22/4 to 5230\n")
    text = told(allied, "allied", f"L1: {words}\n")
    assert f'"{words.split()[0]}"' in text
    assert (f"send instead: {offer} " in text) if offer else "send instead" not in text
    assert states(allied, "allied") == {"L1": "faulty"}
