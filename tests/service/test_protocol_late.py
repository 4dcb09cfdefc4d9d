"""Answers to questions, letters that come late, and letters that come twice."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from conftest import HOUR, NOW
from postbox import Postbox, facts, placed, position
from protocol_kit import closed, first_line, kept, letter, new_game, normandy, told, toy_box, units

from pbem.games.normandy71.tables import missions
from pbem.service.time.deadline import act

BOB, RITA = "bob@mail.example", "rita@mail.example"


@pytest.fixture
def box(tmp_path: Path) -> Postbox:
    return toy_box(tmp_path)


@pytest.fixture
def asked(box: Postbox) -> Postbox:
    """Blue is asked Q1, who goes back: a B1, b B2."""
    box.mail("red", "no orders\n")
    box.mail("blue", "no orders\n")
    assert box.questions("blue") == [1]
    return box


@pytest.fixture
def next_turn(asked: Postbox) -> Postbox:
    """Turn 2: red is asked for [march] again, after it was played in turn 1."""
    asked.mail("blue", "Q1: b\n")
    assert asked.phase().label == "t2.red_march"
    return asked


def gone_back(box: Postbox) -> list[str]:
    return [row.answer for row in box.journal() if "who goes back" in row.asked]


# --- answers ------------------------------------------------------------------------------------------------


def test_closing_while_a_question_is_open_says_what_pbem_waits_for(asked: Postbox) -> None:
    """The reply names the words that were written, and the question. An answer comes first."""
    for word in ("NO ORDERS", "DONE"):
        assert (
            f"{word} closed nothing: it names no section, and pbem is waiting for your answer to Q1, "
            "not for orders."
        ) in first_line(told(asked, "blue", f"{word.lower()}\n"))
    closing = "Answered: Q1. DONE ALL closed nothing: no section has lines."
    assert closing in first_line(told(asked, "blue", "Q1: b\ndone all\n"))


@pytest.mark.parametrize(
    "line",
    [
        "Q1: b",
        "1: b",
        "1. b",
        "1 b",
        "1) b",
        "1 = B2",
        "Q1 b",
        "q1: B2",
        "answer 1 b",
        "ANSWER Q1: B2",
        "b",
        "B2",
        "b.",
        "Q1: b, please",
    ],
)
def test_answers_may_be_written_in_many_ways(asked: Postbox, line: str) -> None:
    """By number and letter, by number and words, and by a lone letter while one question is open."""
    text = told(asked, "blue", f"Hi,\n{line}\nBob\n")
    assert gone_back(asked) == ["B2"] and "Answered: Q1." in first_line(text)
    assert "Q1 who goes back: b B2" in text


def test_what_follows_the_choice_after_a_comma_is_not_read(asked: Postbox) -> None:
    """The words behind a comma are listed as not read."""
    text = told(asked, "blue", "Q1: b, as I said yesterday\n")
    assert gone_back(asked) == ["B2"] and re.search(r"Not read -+ line 1: as I said yesterday", text)


@pytest.mark.parametrize("line", ["Q1: c", "1: x", "Q1: nobody"])
def test_what_is_none_of_the_choices_is_refused(asked: Postbox, line: str) -> None:
    """A choice that there is not is refused with those that there are."""
    text = told(asked, "blue", f"{line}\n")
    assert "is none of the choices of Q1: a B1, b B2" in text and "Q1: a, Q1: b" in text
    assert gone_back(asked) == []


def test_two_answers_to_one_question_in_one_letter_do_not_count(asked: Postbox) -> None:
    """Lines of one letter never replace one another: neither answer is carried out, and the reply says so."""
    text = told(asked, "blue", "Q1: a\nQ1: b\n")
    assert first_line(text).startswith(
        "Q1: your email has several answers, and none of them was used. Open: Q1."
    )
    assert gone_back(asked) == []
    told(asked, "blue", "Q1: b\nQ1: b\n")
    assert gone_back(asked) == ["B2"]


def test_a_number_before_an_order_is_a_unit_of_that_name(tmp_path: Path) -> None:
    """`743: 3930` moves the unit 743; a number that is no unit and no question is the mark of a list."""
    box = normandy(tmp_path)
    box.mail("allied", "743: 4028\n2: move 8/3 to 1422\n")
    assert kept(box, "allied") == {"L1": "743: 4028", "L2": "move 8/3 to 1422"}


def test_an_answer_that_comes_late_changes_nothing(next_turn: Postbox) -> None:
    """The same answer again is told to be settled, another one is refused with what was decided."""
    text = told(next_turn, "blue", "Q1: b\n")
    assert "Q1 has already been decided; your answer changes nothing." in text
    text = told(next_turn, "blue", "Q1: a\n")
    assert "Q1 was decided before, by b B2" in text
    assert gone_back(next_turn) == ["B2"]


def test_a_faulty_line_holds_answers_back(asked: Postbox) -> None:
    """An answer waits while its letter has something to correct; a question about the game does not let it
    go, DONE ANYWAY does."""
    text = told(asked, "blue", "Q1: b\nwithdraw L9\n")
    assert "Q1 waits until your lines are corrected, or you write DONE ANYWAY." in first_line(text)
    assert gone_back(asked) == []
    text = told(asked, "blue", "Q1: b\nwithdraw L9\ndone\n")
    assert "is waiting for your corrections, which hold your answer to Q1." in first_line(text)
    assert "not waiting for orders from you" not in text
    told(asked, "blue", "status\n")
    assert gone_back(asked) == []
    told(asked, "blue", "done anyway\n")
    assert gone_back(asked) == ["B2"]


def test_a_new_answer_replaces_one_that_waits(asked: Postbox) -> None:
    """Until an answer is carried out a new one takes its place."""
    told(asked, "blue", "Q1: b\nwithdraw L9\n")
    told(asked, "blue", "Q1: a\n")
    assert gone_back(asked) == ["B1"]


def test_answers_are_carried_out_when_their_time_is_up(asked: Postbox) -> None:
    """At the deadline an answer that was held back counts."""
    told(asked, "blue", "Q1: b\nwithdraw L9\n")
    act(asked.store, "toy", NOW + 100 * HOUR, force=True)
    assert gone_back(asked) == ["B2"]


def test_a_standing_order_answers_an_open_question(asked: Postbox) -> None:
    """The reply says what was decided by which line."""
    text = told(asked, "blue", "standing retreat: B2\n")
    assert gone_back(asked) == ["B2"] and "who goes back: B2 (standing retreat: B2)" in text


def test_an_answer_goes_before_a_standing_order_of_the_same_letter(asked: Postbox) -> None:
    """A standing order answers an open question unless the same letter does."""
    told(asked, "blue", "standing retreat: B2\nQ1: a\n")
    assert gone_back(asked) == ["B1"]


def test_an_answer_that_waits_for_corrections_goes_before_a_standing_order(asked: Postbox) -> None:
    """A faulty line holds the answer back; the standing order of the letter does not decide instead."""
    text = told(asked, "blue", "standing retreat: B2\nQ1: a\n[march]\nmove B9 to 0402\n")
    assert "waits for your corrections" in text and gone_back(asked) == []
    told(asked, "blue", "Q1: a\n")
    assert gone_back(asked) == ["B1"]


@pytest.fixture
def reacting(tmp_path: Path) -> Postbox:
    """France 1944: the Allied player is asked whether to react (Q1: a none, b react)."""
    box = new_game(tmp_path, "france44", "allied", "german")
    box.mail("allied", "[initiative]\nactivate US1\nbox 2: VII/US to 1108\ndone\n")
    box.mail("german", "defaults\n")
    assert box.questions("allied") == [1]
    return box


def test_orders_for_what_the_answer_opens_may_stand_in_the_same_letter(reacting: Postbox) -> None:
    """Lines of the section that an answer opens are judged as if it were open; their own DONE closes them."""
    text = told(reacting, "allied", "Q1: b\n[reaction]\npiece VIII/US\nbox 1: VIII/US to 1108\ndone\n")
    assert "Played: [reaction]." in first_line(text) and "Answered: Q1." in first_line(text)
    assert "carried out L3 piece VIII/US; L4 box 1: VIII/US to 1108" in text


def test_a_faulty_line_for_what_the_answer_opens_holds_the_answer_back(reacting: Postbox) -> None:
    """Nothing is answered before the lines that go with it are right; the corrected line lets it go."""
    text = told(reacting, "allied", "Q1: b\n[reaction]\npiece VIII/US\nmove VIII/US to 1108\ndone\n")
    assert first_line(text).startswith(
        "1 line to correct in [reaction]. Q1 waits until your lines are corrected"
    )
    assert reacting.questions("allied") == [1]
    text = told(reacting, "allied", "L4: box 1: VIII/US to 1408\ndone reaction\n")
    assert first_line(text).startswith("1 line to correct in [reaction].") and reacting.questions(
        "allied"
    ) == [1]
    text = told(reacting, "allied", "L4: box 1: VIII/US to 1108\ndone reaction\n")
    assert "Played: [reaction]." in first_line(text) and reacting.questions("allied") != [1]


# --- several questions at once ------------------------------------------------------------------------------

ATTACKS = (
    "attack 0620 with 25PzG/12SS, 12AA/12SS, 130AA/Lehr\nattack 3024 with 30Schnelle\n"
    "attack 3627 with 914/352\ndone\n"
)


@pytest.fixture
def gunfire(tmp_path: Path) -> Postbox:
    """The Allied player is asked for gunfire at three hexes: a none, b medium, c heavy."""
    box = normandy(tmp_path, "t1.german_combat")
    box.mail("german", ATTACKS)
    assert box.questions("allied") == [1, 2, 3]
    return box


def test_several_answers_may_stand_on_a_line(gunfire: Postbox) -> None:
    """`Q1: a, Q2: b` and so on; all are carried out when the last one is answered."""
    text = told(gunfire, "allied", "Q1: a, Q2: a  3: a\n")
    assert first_line(text).startswith("Answered: Q1, Q2, Q3.") and 1 not in gunfire.questions("allied")


def test_answers_are_carried_out_when_the_last_one_is_given(gunfire: Postbox) -> None:
    """Until then the reply says which are answered and which are open, and a new answer replaces an old
    one."""
    text = told(gunfire, "allied", "Q1: b\nQ3: a\n")
    assert first_line(text).startswith("Answered: Q1, Q3. Open: Q2.")
    assert "Your answer so far: b medium" in text and gunfire.questions("allied") == [1, 2, 3]
    assert "Your answer so far: a none" in told(gunfire, "allied", "Q1: a\n")


def test_a_lone_letter_answers_only_a_lone_question(gunfire: Postbox) -> None:
    """With three questions open `a` says nothing."""
    text = told(gunfire, "allied", "a\n")
    assert first_line(text).startswith("Nothing in this email was read.") and "Q1. Gunfire at 0620" in text


def test_defaults_leaves_the_others_to_standing_orders_and_defaults(gunfire: Postbox) -> None:
    """DEFAULTS lets the answers go that were given."""
    told(gunfire, "allied", "Q1: b\n")
    told(gunfire, "allied", "defaults\n")
    assert 1 not in gunfire.questions("allied")
    assert any("medium" in str(row.answer) for row in gunfire.journal())


def test_answers_that_do_not_go_together_are_asked_again(tmp_path: Path) -> None:
    """More heavy missions than there are: all answers are refused together, and the reply says why and asks
    again."""
    state = position("greedy", "1", "t1.german_combat")
    heavy = next(mission.count for mission in missions(state) if mission.key == "heavy")
    state.fired["defence heavy"] = heavy - 1
    box = placed(tmp_path / "normandy.pbem", state)
    box.mail("german", ATTACKS)
    text = told(box, "allied", "Q1: c\nQ2: c\nQ3: a\n")
    assert first_line(text) == (
        "Your answers cannot be combined: only 1 heavy mission is left, not 2 [NAV.B]. Open: Q1, Q2, Q3."
    )
    assert "c heavy (refused)" in text
    assert box.questions("allied") == [1, 2, 3]
    assert "Answered: Q1, Q2, Q3." in told(box, "allied", "Q1: c\nQ2: b\nQ3: a\n")


# --- late letters -------------------------------------------------------------------------------------------


def ours(box: Postbox, title: str) -> str:
    """The Message-ID of the letter to red whose subject ends so."""
    return next(row.message_id for row in box.outbox(RITA) if row.subject.endswith(f" - {title}"))


@pytest.mark.parametrize("how", ["In-Reply-To", "References", "subject", "short subject"])
def test_a_line_is_late_if_its_section_was_played_since(next_turn: Postbox, how: str) -> None:
    """What a letter answers is told by its headers, else by the turn and phase in its subject. The reply says
    what was played, when and by what, and brings the form for what is asked now."""
    box, asked = next_turn, ours(next_turn, "T1 Red march")
    ways = {
        "In-Reply-To": {"headers": [f"In-Reply-To: {asked}"]},
        "References": {"headers": [f"References: <a@b.example> {asked} <c@d.example>"]},
        "subject": {"subject": "Re: [toy] Your move by Tue 9 Jun 18:00 - T1 Red march"},
        "short subject": {"subject": "AW: [toy] - T1 Red march"},
    }
    text = told(box, "red", "move R1 to 0201\ndone\n", **ways[how])
    assert first_line(text).startswith("You were late: 1 line was not used.")
    assert "[march] of turn 1 was played Sat 6 Jun 19:00 UTC, as you closed it" in text
    assert "Your order form" in text and "Reply KEEP to put the lines" in text
    assert units(box)["R1"] == "0101" and kept(box, "red") == {}


@pytest.mark.parametrize("how", [{}, {"subject": "Re: our game"}, {"subject": "[toy] Turn 2, Red march"}])
def test_a_letter_that_answers_nothing_counts_as_written_now(next_turn: Postbox, how: dict[str, str]) -> None:
    """Without a letter of ours that it answers no line is late."""
    told(next_turn, "red", "move R1 to 0201\ndone\n", **how)
    assert units(next_turn)["R1"] == "0201"


def test_the_clock_of_the_sender_is_of_no_account(next_turn: Postbox) -> None:
    """The Date of a mail makes no line late."""
    raw = (
        next_turn.raw("red", "move R1 to 0201\ndone\n")
        .replace(b"Jun 2026", b"Jan 2020")
        .replace(b"Nov 2026", b"Jan 2020")
    )
    next_turn.deliver(raw)
    assert units(next_turn)["R1"] == "0201"


def late_letter(box: Postbox) -> str:
    headers = [f"In-Reply-To: {ours(box, 'T1 Red march')}"]
    return told(box, "red", "move R1 to 0201\nmove R2 to 0202\ndone\n", headers=headers)


def test_keep_puts_late_lines_on_the_sheet_as_a_draft(next_turn: Postbox) -> None:
    """KEEP alone closes nothing; DONE afterwards plays the lines."""
    late_letter(next_turn)
    text = told(next_turn, "red", "keep\n")
    assert first_line(text).startswith("Draft: DONE plays Red march.")
    assert list(kept(next_turn, "red").values()) == ["move R1 to 0201", "move R2 to 0202"]
    told(next_turn, "red", "done\n")
    assert units(next_turn)["R1"] == "0201"


def test_keep_and_done_in_one_letter_close(next_turn: Postbox) -> None:
    """KEEP and DONE play the late lines at once."""
    late_letter(next_turn)
    assert "Played: Red march." in first_line(told(next_turn, "red", "keep\ndone\n"))
    assert (units(next_turn)["R1"], units(next_turn)["R2"]) == ("0201", "0202")


def test_lines_are_kept_once(next_turn: Postbox) -> None:
    """A second KEEP finds nothing: lines that were kept and withdrawn do not come back."""
    late_letter(next_turn)
    told(next_turn, "red", "keep\n")
    told(next_turn, "red", "withdraw all\n")
    text = told(next_turn, "red", "keep\ndone\n")
    assert "KEEP: you have no late or tried lines to keep." in text and kept(next_turn, "red") == {}


def test_keep_takes_up_tried_lines(box: Postbox) -> None:
    """KEEP after TRY keeps the lines that were tried; the reply to TRY says so."""
    text = told(box, "red", "try\nmove R1 to 0201\ndone\n")
    assert first_line(text).startswith("Tried: nothing is kept.") and "the lines that you tried" in text
    assert kept(box, "red") == {}
    told(box, "red", "keep\ndone\n")
    assert units(box)["R1"] == "0201"


def test_the_rest_of_a_late_letter_is_a_draft(tmp_path: Path) -> None:
    """Lines for sections that have not been played are kept, and closed by no DONE of that letter."""
    box = normandy(tmp_path)
    box.mail("allied", "status\n")
    headers = [f"In-Reply-To: {box.outbox()[-1].message_id}"]
    box.mail("allied", "no orders\n")
    text = told(
        box, "allied", "[movement]\nmove 8/3 to 1422\n[movement 2]\nmove 9/3 to 1425\ndone\n", headers=headers
    )
    assert first_line(text).startswith(
        "You were late: 1 line was not used. [movement 2] stays open: part of your email arrived too late."
    )
    assert kept(box, "allied") == {"L1": "move 9/3 to 1425"} and closed(box, "allied") == []


def test_the_first_mail_after_a_missed_deadline_is_held_as_late(box: Postbox) -> None:
    """A new mail that answers nothing is not played; the one after it is."""
    act(box.store, "toy", NOW + 100 * HOUR, force=True)
    box.mail("blue", "no orders\n")
    for number in box.questions("blue"):
        box.mail("blue", f"Q{number}: a\n")
    text = told(box, "red", "move R1 to 0201\ndone\n")
    assert first_line(text).startswith("You were late: 1 line was not used.")
    assert "this is your first email since; it does not reply to any letter from pbem" in text
    assert units(box)["R1"] == "0101"
    told(box, "red", "move R2 to 0202\ndone\n")
    assert units(box)["R2"] == "0202"


def test_the_first_mail_is_late_though_its_section_is_over(box: Postbox) -> None:
    """Lines for the section whose deadline was missed are late while the other side moves; the reply says
    what was played."""
    act(box.store, "toy", NOW + 100 * HOUR, force=True)
    text = told(box, "red", "move R1 to 0201\ndone\n")
    assert first_line(text).startswith("You were late: 1 line was not used.")
    assert "[march] of turn 1 was played" in text and "because you missed the deadline" in text


def test_an_answer_to_the_letter_after_a_missed_deadline_is_not_late(box: Postbox) -> None:
    """Who answers the letter that asks now is not held up for having missed a deadline before."""
    act(box.store, "toy", NOW + 100 * HOUR, force=True)
    box.mail("blue", "no orders\n")
    for number in box.questions("blue"):
        box.mail("blue", f"Q{number}: a\n")
    told(box, "red", "move R1 to 0201\ndone\n", headers=[f"In-Reply-To: {ours(box, 'T2 Red march')}"])
    assert units(box)["R1"] == "0201"


def test_who_missed_a_deadline_is_told_what_was_decided(asked: Postbox) -> None:
    """They are told what was decided for them by which line or default."""
    last = asked.last()
    act(asked.store, "toy", NOW + 100 * HOUR, force=True)
    text = letter(asked, "blue", last)
    assert "You missed the deadline: your standing orders and the defaults decided for you" in text
    assert "who goes back: B1 (default)" in text


# --- twice --------------------------------------------------------------------------------------------------


def test_a_mail_that_comes_twice_changes_nothing(box: Postbox) -> None:
    """The same Message-ID, or the same words and date under another one, is the same mail."""
    raw = box.raw("red", "move R1 to 0201\npress blue: hello\nsalt pepper\n")
    box.deliver(raw)
    before = facts(box.store)
    assert box.deliver(raw).outcome == "duplicate"
    assert box.deliver(raw.replace(b"<m1@", b"<other@")).outcome == "duplicate"
    assert facts(box.store) == before


def test_words_sent_again_are_read_against_the_sheet(box: Postbox) -> None:
    """The same words in a new mail find their lines kept already; press and salt in them do not count
    twice."""
    words = "move R1 to 0201\npress blue: hello\nsalt pepper\n"
    box.mail("red", words)
    last = box.last()
    text = told(box, "red", words)
    assert kept(box, "red") == {"L1": "move R1 to 0201"}
    assert (
        "Not sent again to blue" in text
        and 'Not added: "pepper" is already your salt for this phase.' in text
    )
    assert box.outbox(BOB, last) == []


def test_an_answer_sent_again_does_not_answer_the_next_question(asked: Postbox) -> None:
    """Questions have numbers of their own: the old answer in a new mail decides nothing more."""
    asked.mail("blue", "Q1: b\n")
    while not asked.questions("blue"):
        for seat in ("red", "blue"):
            asked.mail(seat, "no orders\n")
    assert asked.questions("blue") == [2]
    asked.mail("blue", "Q1: b\n")
    assert gone_back(asked) == ["B2"] and asked.questions("blue") == [2]


def test_keep_keeps_tried_lines_under_the_names_that_they_were_shown_with(tmp_path: Path) -> None:
    """What TRY showed as L4 is L4 after KEEP, at its place, and a correction of the same letter goes to it;
    what the letter withdrew is withdrawn."""
    box = normandy(tmp_path)
    box.mail("allied", "[movement]\nmove 8/3 to 1422\nmove 9/3 to 1425\nmove 4+45Cdo/1SS to 1322\n")
    tried = "try\nwithdraw L2\n[movement]\nafter L1: move 231/50 to 2225\nmove 69/50 to 9999\n"
    text = told(box, "allied", tried)
    assert "L4 move 231/50 to 2225" in text and "L5 move 69/50 to 9999" in text
    assert list(kept(box, "allied")) == ["L1", "L2", "L3"]
    told(box, "allied", "keep\nL5: move 69/50 to 2225\n")
    assert kept(box, "allied") == {
        "L1": "move 8/3 to 1422",
        "L4": "move 231/50 to 2225",
        "L3": "move 4+45Cdo/1SS to 1322",
        "L5": "move 69/50 to 2225",
    }


def test_keep_takes_up_tried_standing_orders(box: Postbox) -> None:
    """Standing orders of a tried letter are shown in its reply, and kept by KEEP."""
    assert "retreat: B2" in told(box, "red", "try\nstanding retreat: B2\n")
    assert box.seat("red").standing == []
    told(box, "red", "keep\n")
    assert [line["kind"] for line in box.seat("red").standing] == ["retreat"]


def test_defaults_in_a_faulty_letter_wait_like_its_answers(asked: Postbox) -> None:
    """An answer that waits is not overtaken by the DEFAULTS of the same letter."""
    told(asked, "blue", "Q1: b\nwithdraw L9\ndefaults\n")
    assert gone_back(asked) == []
    told(asked, "blue", "done anyway\n")
    assert gone_back(asked) == ["B2"]


def test_the_reason_for_several_late_lines_is_told_once(box: Postbox) -> None:
    """Lines that come too late for the same reason are listed together."""
    headers = [f"In-Reply-To: {box.outbox(box.address('red'))[0].message_id}"]
    box.mail("red", "no orders\n")
    text = told(box, "red", "[march]\nmove R1 to 0201\nmove R2 to 0202\n", headers=headers)
    assert "not used: move R1 to 0201 not used: move R2 to 0202 [march] of turn 1 was played" in text


def test_an_order_in_a_list_is_no_answer(asked: Postbox) -> None:
    """`1) move ...` is the first order of a list even while question 1 is open; a choice is an answer."""
    text = told(asked, "blue", "[march]\n1) move B1 to 0301\n")
    assert "refused: move B1 to 0301" in text and "choices of Q1" not in text
    told(asked, "blue", "1) b\n")
    assert gone_back(asked) == ["B2"]


@pytest.mark.parametrize("line", ["no, a", "scratch that", "sorry, I mean a", "actually Q1: a", "not yet"])
def test_words_below_an_answer_that_take_it_back(asked: Postbox, line: str) -> None:
    """They hold it, until its writer says what is meant."""
    text = told(asked, "blue", f"Q1: b\n{line}\n")
    assert gone_back(asked) == [] and "Q1 waits" in first_line(text)
    told(asked, "blue", "Q1: b\n")
    assert gone_back(asked) == ["B2"]


@pytest.mark.parametrize("line", ["B1 stays", "all others stay", "Let us see."])
def test_units_that_stay_beside_defaults(asked: Postbox, line: str) -> None:
    """Staying answers no question; chat holds no answer."""
    told(asked, "blue", f"{line}\ndefaults\n")
    assert bool(gone_back(asked)) == (line == "Let us see.")
