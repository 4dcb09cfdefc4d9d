"""Press, what is no order, the first lines of replies, and what the next letter says of each line."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from postbox import Postbox
from protocol_kit import (
    closed,
    first_line,
    flat,
    kept,
    letter,
    normandy,
    states,
    told,
    toy_box,
    units,
)

BOB, RITA = "bob@mail.example", "rita@mail.example"


@pytest.fixture
def box(tmp_path: Path) -> Postbox:
    return toy_box(tmp_path)


@pytest.fixture
def allied(tmp_path: Path) -> Postbox:
    return normandy(tmp_path)


def press_to(box: Postbox, address: str, after: int = 0) -> list[str]:
    """The press that a player was sent since, without the part that says how to answer."""
    rows = [row for row in box.outbox(address, after) if row.kind == "press"]
    texts = {
        row.id: text for row, text in zip(box.outbox(address, after), box.texts(address, after), strict=True)
    }
    return [texts[row.id].partition("\n\nTo answer")[0] for row in rows]


# --- press --------------------------------------------------------------------------------------------------


def test_press_is_one_line(box: Postbox) -> None:
    """`press blue: ...` sends that line with all its signs; the next line is an order again. The reply quotes
    what was sent."""
    text = told(box, "red", "press blue: hold 0402; I mean it # now\nmove R1 to 0201\n")
    (sent,) = press_to(box, BOB)
    assert "hold 0402; I mean it # now" in sent and "R1" not in sent
    assert "> hold 0402; I mean it # now" in text and kept(box, "red") == {"L1": "move R1 to 0201"}


def test_press_is_a_block(box: Postbox) -> None:
    """A block goes from `press blue:` alone on its line to `end press`; nothing in it is an order."""
    told(box, "red", "press blue:\nDear Bob,\n\nmove R1 to 0201\nend press\nmove R2 to 0202\ndone\n")
    (sent,) = press_to(box, BOB)
    assert "Dear Bob," in sent and "move R1 to 0201" in sent and "R2" not in sent
    assert (units(box)["R1"], units(box)["R2"]) == ("0101", "0202")


def test_press_without_its_end_is_not_sent(box: Postbox) -> None:
    """Nothing is sent, the letter closes nothing, and the reply offers no letter that would send the orders
    below as press."""
    text = told(box, "red", "move R1 to 0201\ndone\npress blue:\nhello\nmove R2 to 0202\n")
    assert (
        press_to(box, BOB) == []
        and closed(box, "red") == []
        and kept(box, "red") == {"L1": "move R1 to 0201"}
    )
    assert "the message has no end: write END PRESS below it; nothing was sent" in text
    assert "send instead" not in text and "move R2" not in text


@pytest.mark.parametrize(
    "line", ["press blue hello", "press: hello", "I press on", "Bob: hello", "tell blue: hello"]
)
def test_anything_else_is_not_press(box: Postbox, line: str) -> None:
    """Lines that are not quite press reach nobody."""
    last = box.last()
    told(box, "red", f"{line}\n")
    assert box.outbox(BOB, last) == []


def test_comments_and_chat_reach_nobody(box: Postbox) -> None:
    """What is written for pbem or for oneself never reaches another player."""
    told(box, "red", "My secret plan follows.\nmove R1 to 0201 ; to lure B1 away\n; and then 0301\n")
    told(box, "red", "done\n")
    told(box, "blue", "status\nlog\norders\n")
    assert not any(
        word in flat(text) for text in box.texts(BOB) for word in ("secret plan", "lure", "and then")
    )


def replied(box: Postbox, body: str) -> str:
    """What Blue is told for a reply to Red's press."""
    told(box, "red", "press blue: hello\n")
    row = next(row for row in box.outbox(BOB) if row.kind == "press")
    return told(box, "blue", body, headers=[f"In-Reply-To: {row.message_id}"], subject="Re: press")


def test_a_reply_to_press_is_press_back(box: Postbox) -> None:
    """All of a person's reply goes to the writer of the press, and to nobody else; what is quoted in it does
    not."""
    text = replied(box, "Hi Rita,\n\nnice move!\n\nBob\n\n> hello\n")
    (sent,) = press_to(box, RITA)
    assert flat(sent).endswith("Hi Rita, nice move! Bob") and "Press sent to Red" in text


@pytest.mark.parametrize(
    "body",
    ["I move B1 to 0402.", "nice.\nstatus", "nice at 0402", "march\nnice", "nice\nmove B1 to 0402", "b"],
)
def test_a_reply_to_press_with_orders_is_not_sent(box: Postbox, body: str) -> None:
    """If a line of it is an order, a command or a heading, or looks like one, nothing is sent, and the reply
    says how to write back."""
    text = replied(box, f"{body}\n")
    if body != "b":
        assert press_to(box, RITA) == []
        assert "none of it was sent on. To write back, use PRESS red: and your words on one line." in text
    else:
        assert len(press_to(box, RITA)) == 1


# --- not orders ---------------------------------------------------------------------------------------------


def test_courtesies_are_dropped_in_silence(box: Postbox) -> None:
    """Greetings above, closings, signatures, footers and quotations are no lines that were not read."""
    letter_ = (
        "Hi Bob,\n\nmove R1 to 0201\n\nCheers\nRita\n-- \nRita Rot\nSent from my phone\n"
        "> quoted: move R2 to 0202\n"
    )
    text = told(box, "red", letter_)
    assert "Not read" not in text and kept(box, "red") == {"L1": "move R1 to 0201"}


def test_any_other_line_is_listed(box: Postbox) -> None:
    """What is not read is quoted with the number of its line."""
    text = told(box, "red", "The weather is fine.\nmove R1 to 0201\n")
    assert re.search(r"Not read -+ line 1: The weather is fine\.", text)


@pytest.mark.parametrize(
    "line", ["mvoe R1 to 0201", "please mvoe R1 to 0201", "- mvoe R1 to 0201", "move R1 too far 0201"]
)
def test_a_line_with_a_nearly_known_verb_is_faulty(box: Postbox, line: str) -> None:
    """It stays on the sheet until it is corrected or withdrawn."""
    told(box, "red", f"{line}\ndone\n")
    assert states(box, "red") == {"L1": "faulty"} and box.phase().label == "t1.red_march"


@pytest.mark.parametrize("line", ["statsu", "witdraw L1", "fnal"])
def test_a_nearly_known_command_is_corrected(box: Postbox, line: str) -> None:
    """A letter command with a slip is no chat: it keeps the letter from closing."""
    text = told(box, "red", f"move R1 to 0201\ndone\n{line}\n")
    assert f'"{line}" needs correcting' in first_line(text) and units(box)["R1"] == "0101"


@pytest.mark.parametrize("line", ["R1 looks weak", "I want to hold 0402 at all costs"])
def test_what_looks_like_an_order_keeps_its_section_open(box: Postbox, line: str) -> None:
    """A line that begins with a unit or holds a hex is listed as not read, and the section is not closed."""
    text = told(box, "red", f"move R1 to 0201\ndone\n{line}\n")
    assert "1 line was not read; [march] stays open." in first_line(text)
    assert f"{line} This looks like an order; [march] stays open." in text and units(box)["R1"] == "0101"


@pytest.mark.parametrize(
    "line", ["nothing lands here", "I think the 47th will not like this.", "We meet at 2100 h on 3/4"]
)
def test_words_in_running_prose_are_no_order(allied: Postbox, line: str) -> None:
    """Chat with a verb or a number in it neither is an order nor keeps anything open."""
    allied.mail("allied", f"{line}\nmove 8/3 to 1422\ndone\n")
    assert allied.phase().label == "t2.allied_combat"


def test_a_line_that_is_all_comment_is_never_read(box: Postbox) -> None:
    """`;`, `#` and `//` begin a comment."""
    text = told(
        box, "red", "; move R2 to 0202\n# move R2 to 0202\n// move R2 to 0202\nmove R1 to 0201 // slowly\n"
    )
    assert list(kept(box, "red").values()) == ["move R1 to 0201 // slowly"] and "Not read" not in text


def test_then_begins_the_next_line(box: Postbox) -> None:
    """`; then` is no comment but the next order."""
    told(box, "red", "move R1 to 0201; then move R2 to 0202\n")
    assert list(kept(box, "red").values()) == ["move R1 to 0201", "move R2 to 0202"]


def test_a_comment_that_reads_as_an_order_makes_its_line_faulty(allied: Postbox) -> None:
    """An order or a clause behind `;` is not lost in silence: the line is faulty, and the whole of it is
    offered."""
    text = told(
        allied,
        "allied",
        "move 8/3 to 1422 ; move 9/3 to 1425\n[combat]\nattack 1321 with 8/3 ; naval heavy\n",
    )
    assert states(allied, "allied") == {"L1": "faulty", "L2": "faulty"}
    assert "send instead: move 8/3 to 1422 move 9/3 to 1425" in text
    assert "send instead: L2: attack 1321 with 8/3, naval heavy" in text


@pytest.mark.parametrize(
    ("body", "why"),
    [
        ("", ""),
        ("> move R1 to 0201\n> done\n", "All of its text is quoted. Write your lines above the quotation."),
        ("What do I do now? I have never played by mail.\n", "HELP explains orders."),
        (
            "[march]\n",
            (
                "To write to Blue (Bob): PRESS blue: and your words on one line; to the moderator: "
                "PRESS moderator:"
            ),
        ),
    ],
)
def test_a_mail_in_which_nothing_was_read_says_so_first(box: Postbox, body: str, why: str) -> None:
    """The reply begins with it, says why, and how to write to a player or the moderator."""
    text = told(box, "red", body)
    assert first_line(text).startswith("Nothing in this email was read.") and why in text


def attached(box: Postbox, body: str, *files: tuple[str, str, str]) -> bytes:
    """A mail with attached files: name, type, text."""
    parts = [f"Content-Type: text/plain; charset=utf-8\n\n{body}"]
    parts += [
        f'Content-Type: {kind}; name="{name}"\nContent-Disposition: attachment; filename="{name}"\n\n{text}'
        for name, kind, text in files
    ]
    mail = (
        box.raw("red", "", headers=["MIME-Version: 1.0", 'Content-Type: multipart/mixed; boundary="cut"'])
        .decode()
        .rstrip()
    )
    return (mail + "\n\n--cut\n" + "\n--cut\n".join(parts) + "\n--cut--\n").encode()


def test_an_attached_order_form_is_read(box: Postbox) -> None:
    """`orders.txt`, or the only text attachment, is read when the body holds no order, and not otherwise."""
    box.deliver(attached(box, "Hi, orders attached.", ("orders.txt", "text/plain", "move R1 to 0201\n")))
    assert kept(box, "red") == {"L1": "move R1 to 0201"}
    last = box.last()
    box.deliver(attached(box, "move R2 to 0202", ("my-turn.txt", "text/plain", "move R1 to 0102\n")))
    assert kept(box, "red") == {"L1": "move R1 to 0201", "L2": "move R2 to 0202"}
    assert "my-turn.txt was not read because the email itself has orders." in letter(box, "red", last)


def test_an_attachment_that_cannot_be_read_is_named(box: Postbox) -> None:
    """The reply says that an attachment was not opened."""
    last = box.last()
    box.deliver(attached(box, "", ("orders.docx", "application/msword", "UEsDBBQ")))
    text = letter(box, "red", last)
    assert first_line(text).startswith("Nothing in this email was read.") and "orders.docx" in text


# --- the first line of the reply ----------------------------------------------------------------------------


def test_the_first_line_says_everything_in_order(allied: Postbox) -> None:
    """Late lines, lines to correct, what was played, what is closed, and what is a draft until when."""
    box = allied
    box.mail("allied", "status\n")
    headers = [f"In-Reply-To: {box.outbox()[-1].message_id}"]
    box.mail("allied", "no orders\n")
    text = first_line(
        told(
            box,
            "allied",
            "[movement]\nmove 8/3 to 1422\n[combat]\ndisentrench 4817\n[movement 2]\nmove 8/3 to 9999\n",
            headers=headers,
        )
    )
    order = ["You were late: 1 line was not used.", "to correct in", "Draft: "]
    places = [text.find(words) for words in order]
    assert -1 not in places and places == sorted(places)


def test_the_first_line_of_several_events(allied: Postbox) -> None:
    """`Played: ... Closed: ... Draft: ...`, each by the title that letters print."""
    allied.mail("allied", "[movement 2]\nmove 9/3 to 1425\ndone\n[entrenchment]\nentrench 9/3\n")
    text = first_line(told(allied, "allied", "[movement]\nmove 8/3 to 1422\ndone\nno orders: combat\n"))
    assert text.startswith("Allied: 1 unit moved. Played: Allied first movement, Allied combat. ")
    assert "Draft: DONE entrenchment closes Allied entrenchment." in text


def test_a_draft_names_both_ways_of_closing(allied: Postbox) -> None:
    """DONE for the section asked for, DONE ALL for all of them."""
    text = first_line(told(allied, "allied", "move 8/3 to 1422\n[movement 2]\nmove 9/3 to 1425\n"))
    assert text.startswith(
        "Draft: DONE plays Allied first movement, DONE ALL both sections. Unless you change it, "
    )


def test_the_parts_of_a_reply_come_in_order(box: Postbox) -> None:
    """Lines to correct, what is open and due, then press as sent, not read, the sheet, receipt."""
    (text,) = [told(box, "red", "move R1 to 0503\npress blue: hello\nThe weather is fine.\n")]
    order = ["Lines to correct", "Waiting for", "Press sent to Blue", "Not read", "Your lines", "Receipt"]
    places = [text.find(words) for words in order]
    assert -1 not in places and places == sorted(places)


def test_lines_to_correct_come_in_the_order_of_the_sheet(box: Postbox) -> None:
    """A line of an earlier letter that cannot be played stands above a new one that cannot be read."""
    box.mail("red", "move R1 to 0503\n")
    text = told(box, "red", "mvoe R2 to 0202\n")
    faults = text.partition("Lines to correct")[2].partition("Waiting for")[0]
    assert -1 < faults.find("NO L1: move R1 to 0503") < faults.find("NO L2: mvoe R2 to 0202")


def test_the_first_line_counts_what_the_list_below_has(box: Postbox) -> None:
    """Lines that hold a section are listed by themselves; chat around the orders has a list of its own."""
    last = box.last()
    box.mail(
        "red",
        "The weather is fine.\n\nmove R1 to 0201\nThe men are tired.\ndone\nWe shall meet on Sunday.\n",
    )
    (raw,) = box.texts(box.address("red"), last)
    assert "1 line was not read; [march] stays open." in first_line(flat(raw))
    held, _, chat = raw.partition("Also not read; keeps nothing open\n")
    held = held.partition("\nNot read\n")[2]
    assert held.count("line ") == 1 and "The men are tired." in held
    assert "line 1: The weather is fine." in chat and "line 6: We shall meet on Sunday." in chat


def test_faulty_standing_orders_each_have_their_reason(allied: Postbox) -> None:
    """Lines one below the other that are no orders are not taken for lines of one fault."""
    text = told(allied, "allied", "standing retreat: lots\nstanding gunfire: at 1 odds\n")
    faults = text.partition("Lines to correct")[2].partition("Waiting for")[0]
    assert faults.count(" NO ") == 2 and "headings" not in faults
    assert 'unknown word "lots"' in faults.partition("line 2")[0]
    assert "at 1 odds" in faults.partition("line 2")[2] and "lots" not in faults.partition("line 2")[2]


def test_a_reply_names_what_is_open_and_due(allied: Postbox) -> None:
    """Date and time left, and the sections of this turn that are still empty."""
    text = told(allied, "allied", "move 8/3 to 1422\n")
    assert (
        "You: orders for [movement] (Allied first movement), due Mon 23 Nov 21:00 Europe/Paris (in 2 d 23 h)."
        in text
    )
    assert first_line(text).endswith(
        "Still open for you: [combat], [reinforcement], [movement 2], [entrenchment]; "
        "NO ORDERS ALL closes the empty ones."
    )
    assert "Still open" not in told(allied, "allied", "status\n")


def test_a_reply_is_the_first_part_of_the_letter_that_follows(box: Postbox) -> None:
    """If a letter sets off play that its writer is told of, they get one letter, not two."""
    last = box.last()
    box.mail("red", "move R1 to 0201\ndone\n")
    (row,) = box.outbox(RITA, last)
    text = letter(box, "red", last)
    assert row.kind == "turn" and text.startswith("Notes in the log: 1. Played: Red march. Waiting for")
    assert "SHA-256" in text and " · received " not in text
    assert text.count("Waiting for") == 1


# --- the next letter ----------------------------------------------------------------------------------------


def test_the_next_letter_says_what_became_of_each_line(box: Postbox) -> None:
    """Carried out, or passed over and why, whenever the line was written."""
    box.mail(
        "blue", "move B1 to 0402\nif 0403 is free then move B2 to 0504\ntry scout 0502 with B1\ndone march\n"
    )
    last = box.last()
    box.mail("red", "no orders\n")
    text = letter(box, "blue", last)
    assert "Your orders" in text and "carried out L1 move B1 to 0402" in text
    assert "passed over L3 try scout 0502 with B1" in text and "B1 has already moved" in text


def test_a_reply_tells_what_has_not_been_told(box: Postbox) -> None:
    """Who was told of a line once is not told of it again."""
    box.mail("red", "move R1 to 0201\ndone\n")
    assert "carried out" not in told(box, "red", "status\n")


def test_an_order_at_the_end_of_a_message_is_not_sent(tmp_path: Path) -> None:
    """Where the line end between press and an order got lost, nothing is sent, and both are offered as
    lines."""
    box = normandy(tmp_path)
    last = box.last()
    text = told(box, "allied", "press german: Well fought! move 8/3 to 1422\n")
    assert "nothing was sent" in text and "move 8/3 to 1422" in text
    assert box.texts(box.address("german"), last) == []


def test_what_would_be_legal_is_listed_only_where_it_is_little(allied: Postbox) -> None:
    """Six things or more tell nobody anything."""
    for wrong in ("move 8/3 frobnicate 1422", "8/3 xyz 1422", "attack", "move 8/3 to 4999"):
        allied.mail("allied", f"try\n{wrong}\n")
        text = allied.texts(allied.address("allied"))[-1]
        listed = [line for line in text.splitlines() if line.strip().startswith("legal:")]
        assert all(line.count(", ") < 5 for line in listed), listed


def test_brief_letters_hold_what_is_wanted_alone(box: Postbox) -> None:
    """BRIEF ON leaves out log, map and forces of letters after play, and says so; BRIEF OFF ends it."""
    assert "Letters after play are short" in told(box, "red", "brief on\n")
    last = box.last()
    box.mail("red", "move R1 to 0201\ndone\n")
    (text,) = box.texts(RITA, last)
    assert "Left out (BRIEF ON)" in text and "Waiting for" in text and "Your orders" in text
    assert "The map is in the HTML part" not in text and "\npbem-proof" not in text.partition("Left out")[0]
    assert "Letters after play are whole again." in told(box, "red", "brief off\n")
