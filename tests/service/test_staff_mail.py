"""The moderator's desk by mail: commands, previews with codes, each once; observers; several games."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from conftest import HOUR, NOW, begin
from postbox import Postbox, copy_of
from protocol_kit import flat
from sqlmodel import col, select
from test_rulings import played

from pbem.mail.address import hash_password, reply_address
from pbem.service.intake import staff_acts, staff_letters
from pbem.service.intake.receive import IDLE_LETTERS
from pbem.service.moderating import bench, held, people
from pbem.service.moderating.hosting import carry_out
from pbem.service.moderating.roles import COMMANDS, commands_of
from pbem.service.moderating.rulings.ruling import rule, rulings
from pbem.service.proof.verify import verify_game
from pbem.service.record.rows import JournalRow, StaffRow
from pbem.service.record.store import Store

MODERATOR, EVE = "mod@host.example", "eve@x.example"
HOW = {"by": "host", "why": "as agreed"}


@pytest.fixture
def box(tmp_path: Path) -> Postbox:
    return copy_of(disputed, tmp_path / "toy.pbem")


def disputed(path: Path) -> Postbox:
    """The toy game after a roll, R1, that red disputes."""
    store = Store.create(path)
    begin(store)
    played(store)
    box = Postbox(store, "toy", "pbem@host.example", NOW + 3 * HOUR)
    box.mail("red", "dispute R1 the die was cocked\n")
    assert box.digests() == 1
    return box


def digest(box: Postbox) -> str:
    """The header with which a reply names the last letter to the moderator."""
    return f"In-Reply-To: {box.outbox(MODERATOR)[-1].message_id}"


def told(box: Postbox, body: str, **how: Any) -> str:
    """Write as the moderator, and return the one answer."""
    last = box.last()
    box.mail("moderator", body, **how)
    (text,) = box.texts(MODERATOR, last)
    return text


def coded(text: str) -> str:
    """The line to send back that an answer names."""
    (line,) = re.findall(r"^    (.* CODE [0-9a-f]{8})$", text, flags=re.MULTILINE)
    return str(line)


def rows(box: Postbox, *kinds: str) -> list[tuple[str, str, str]]:
    """What was done to the game: what, by whom, why."""
    with box.store.transaction() as session:
        query = select(JournalRow).where(JournalRow.game == box.game, col(JournalRow.kind).in_(kinds))
        return [(row.asked, row.by, row.answer["why"]) for row in session.exec(query)]


def held_letter(box: Postbox, seat: str = "blue") -> int:
    box.mail(seat, "done\n", sender=EVE)
    return held.letters(box.store, box.game)[-1].number


# --- what acts at once --------------------------------------------------------------------------------------

AT_ONCE = [
    ("UPHOLD R1 because 3.1 says so", "ruling", ("R1", "moderator", "3.1 says so")),
    ("uphold r1.", "ruling", ("R1", "moderator", "")),
    ("EXTEND 2d because: holidays", "host", ("extend", "moderator", "holidays")),
    ("toy: pause because Bob is ill", "host", ("pause", "moderator", "Bob is ill")),
]


@pytest.mark.parametrize(("line", "kind", "event"), AT_ONCE)
def test_a_line_acts_once_in_answer_to_one_letter(
    box: Postbox, line: str, kind: str, event: tuple[str, str, str]
) -> None:
    """It is one event of the journal with who and why, told to the players; sent again in answer to the same
    letter it says when it acted, and nothing more happens."""
    same, last = digest(box), box.last()
    assert "Not done" not in told(box, f"Hello,\n\n{line}\n\n-- \nCarla\nPAUSE\n", headers=[same])
    assert rows(box, kind) == [event]
    assert all(box.outbox(box.address(seat), last) for seat in ("red", "blue"))
    again = told(box, f"{line}\n", headers=[same])
    assert "This line acted already, Sat 6 Jun 23:00 UTC. It does not act again." in again
    assert rows(box, kind) == [event]
    assert verify_game(box.store, "toy").wrong == []


def test_the_same_line_in_answer_to_another_letter_acts_again(box: Postbox) -> None:
    told(box, "EXTEND 1d\n", headers=[digest(box)])
    told(box, "EXTEND 1d\n", headers=[digest(box)])
    assert len(rows(box, "host")) == 2


def test_the_clock_goes_on(box: Postbox) -> None:
    told(box, "PAUSE\n")
    assert "the clock is stopped" in told(box, "STATUS\n")
    assert "The clock goes on" in told(box, "CONTINUE\n")


def test_a_held_letter_is_released_or_discarded_by_mail(box: Postbox) -> None:
    """RELEASE acts at once, DISCARD asks first; another game's letter is none of his."""
    first, second = held_letter(box), held_letter(box)
    assert f"letter {first} of blue is accepted" in told(box, f"RELEASE {first} because he phoned\n")
    asked = told(box, f"DISCARD {second} because forged\n")
    assert [each.number for each in held.letters(box.store)] == [second]
    told(box, f"{coded(asked)}\n")
    assert held.letters(box.store) == []
    assert rows(box, "host") == [("release", "moderator", "he phoned"), ("discard", "moderator", "forged")]
    assert "it is accepted, not held" in told(box, f"RELEASE {first}\n")
    assert "it is not there" in told(box, "RELEASE 99\n")
    assert "there is no letter 99" in told(box, "SHOW 99\n")


def test_press_of_the_moderator_is_answered_in_kind(box: Postbox) -> None:
    """A player reads it as press, and his reply comes back in the next digest."""
    assert "press sent to Blue (Bob): which hex?" in told(box, "PRESS bob: which hex?\n")
    press = box.outbox(box.address("blue"))[-1]
    assert press.subject == "[toy] Press from the moderator"
    box.mail("blue", "the one in the north\n", headers=[f"In-Reply-To: {press.message_id}"])
    box.now += 30 * HOUR
    assert box.digests() == 1
    assert "> the one in the north To answer: PRESS blue: your words" in flat(box.texts(MODERATOR)[-1])
    assert "nobody here is called" in told(box, "PRESS green: hello\n")


# --- what asks first ----------------------------------------------------------------------------------------

ASKED = [
    ("REROLL R1 because cocked", "R1 "),
    ("SET R1 5 because both agree", "R1 counts as 5 (it fell 4)"),
    ("STRIKE J4 because sent by mistake", "is struck out"),
    ("CORRECT J5 move R2 to 0202 because misread", "in place of"),
    ("BACK turn 1 because agreed", "The game goes back to"),
    ("POSITION units.R2=0302 because misread", "The position is corrected"),
]


@pytest.mark.parametrize(("line", "says"), ASKED)
def test_what_cannot_be_undone_is_shown_first(box: Postbox, line: str, says: str) -> None:
    """The preview changes nothing; the line with its code acts, and the same again says when it acted."""
    before = [row.hash for row in box.journal()]
    asked = told(box, f"{line}\n")
    assert "Nothing is done yet." in asked and says in asked and "preview of ruling 1" in asked
    assert [row.hash for row in box.journal()] == before
    send = coded(asked)
    assert send.startswith(line)
    done = told(box, f"{send}\n")
    assert says in done and "preview" not in done
    assert len(rulings(box.store, "toy")) == 3
    assert "This line acted already" in told(box, f"{send}\n")
    assert len(rows(box, "ruling")) == 1
    assert verify_game(box.store, "toy").wrong == []


def test_a_reason_may_stand_behind_a_semicolon(box: Postbox) -> None:
    """As behind because; what takes the place of an order may hold the sign itself."""
    assert "reason: it is right; both say so" in told(box, "UPHOLD R1; it is right; both say so\n")
    assert "reason: misread" in told(box, "SET R1 5; misread\n")


def test_a_refused_line_does_not_bring_the_list_of_commands(box: Postbox) -> None:
    """Only a letter of which no line is a command does."""
    assert "POSITION units" not in told(box, "UPHOLD R99\n")
    assert "POSITION units" in told(box, "what can I do?\n")


def test_a_preview_has_its_times_in_the_zone_of_the_game(box: Postbox) -> None:
    with box.store.transaction() as session:
        row = box.row()
        row.settings = row.settings | {"zone": "Asia/Tokyo"}
        session.merge(row)
    asked = told(box, "REROLL R1 because cocked\n").partition("already told")[2]
    assert "Asia/Tokyo" in asked and " UTC" not in asked.partition("To do it")[0]


def test_a_code_holds_for_nothing_else(box: Postbox) -> None:
    """For another die, another reason, another person, and once the game has moved on, there is a new
    preview; a new reply address makes it useless, too."""
    carry_out(box.store, "toy", box.now, lambda t: people.add_staff(t, "moderator", "ed@x.example", **HOW))
    send = coded(told(box, "SET R1 5 because agreed\n"))
    for other in (send.replace("5", "6", 1), send.replace("agreed", "asked"), f"{send[:-8]}00000000"):
        text = told(box, f"{other}\n")
        assert "since you were asked, or the line has changed" in text and coded(text) != other
    box.mail("moderator2", f"{send}\n")
    assert "Nothing is done yet." in box.texts("ed@x.example")[-1]
    told(box, "EXTEND 1d\n")
    text = told(box, f"{send}\n")
    assert "The game has moved on" in text and rows(box, "ruling") == []
    stale = coded(text)
    carry_out(box.store, "toy", box.now, lambda t: people.renew_token(t, "moderator", **HOW))
    assert "Nothing is done yet." in told(box, f"{stale}\n")
    assert rows(box, "ruling") == []


def test_a_line_broken_by_a_mail_program_still_acts(box: Postbox) -> None:
    """A long reason may come back on several lines, the code on the last."""
    reason = "the die lay on the edge of the map and both players have agreed that it does not count"
    send = coded(told(box, f"SET R1 5 because {reason}\n"))
    at = send.index("both")
    told(box, f"Yes:\n\n{send[: at - 1]}\n{send[at:]}\n\nThanks\n")
    assert rows(box, "ruling") == [("R1", "moderator", reason)]


def test_a_broken_line_whose_code_does_not_fit_is_asked_again_whole(box: Postbox) -> None:
    """Not its first half alone, which would be another order."""
    reason = "the die lay on the edge of the map and both players have agreed that it does not count"
    send = coded(told(box, f"SET R1 5 because {reason}\n"))
    at = send.index("both")
    text = told(box, f"{send[: at - 1]}\n{send[at:-8]}00000000\n")
    assert "since you were asked, or the line has changed" in text and coded(text) == send
    assert rows(box, "ruling") == []


@pytest.mark.parametrize("line", ["REROLL R1", "REROLL R1 because ...", "BACK turn 1 because"])
def test_a_ruling_without_a_reason_is_refused(box: Postbox, line: str) -> None:
    text = told(box, f"{line}\n")
    assert "a ruling needs a reason" in text and "CODE" not in text


# --- what is read -------------------------------------------------------------------------------------------


def test_every_line_is_answered(box: Postbox) -> None:
    """What is no command is named with the nearest one; prose that begins like a command is none."""
    text = told(box, "Good morning\nUPHOLT R1\nBack in town tomorrow\nset the die to 5\nUPHOLD R7\n")
    for line in ("line 1: Good morning", "line 2: UPHOLT R1", "write it as: UPHOLD R1", "line 3: Back in"):
        assert line in text
    assert "write it as: SET R22 5" in text and 'there is no roll "R7"' in text and "Commands" in text
    assert rows(box, "ruling", "host") == []


def test_quoted_lines_and_signatures_do_nothing(box: Postbox) -> None:
    text = told(box, "> UPHOLD R1\n> EXTEND 2d\n\n-- \nPAUSE\n")
    assert "All of its text is quoted" in text
    assert rows(box, "ruling", "host") == []


def test_a_letter_has_at_most_twenty_commands(box: Postbox) -> None:
    text = told(box, "".join(f"EXTEND {hours}h\n" for hours in range(1, 25)))
    assert len(rows(box, "host")) == staff_letters.MOST and "the limit is 20 commands" in text


def test_help_has_every_command(box: Postbox) -> None:
    text = " ".join(told(box, "help\n").split())
    assert all(command.usage in text and command.help in text for command in COMMANDS.values())


def test_all_about_a_roll_and_a_letter_is_shown(box: Postbox) -> None:
    """SHOW R1 is the page of the umpire, SHOW 3 the letter as it came, without its password."""
    assert "Key   toy|t1.clash|3.1|d6|clash|1" in told(box, "SHOW R1\n")
    box.mail("blue", "done\npassword: sesame\n", sender=EVE)
    text = told(box, f"SHOW {held.letters(box.store)[-1].number}\n")
    assert f"From:       {EVE}" in text and "done" in text and "sesame" not in text


def test_a_program_that_writes_to_the_desk_is_not_answered_for_ever(box: Postbox) -> None:
    got = []
    for _ in range(IDLE_LETTERS + 3):
        got.append(box.mail("moderator", "I am away.\n").outcome)
        box.now -= HOUR
    assert got.count("ignored") == 3


def test_an_error_of_pbem_undoes_the_command_alone(box: Postbox, monkeypatch: pytest.MonkeyPatch) -> None:
    """The other lines act, the game goes on, and the moderators' host is to hear of it."""

    def broken(*words: Any, **how: Any) -> Any:
        raise ZeroDivisionError("there is no clock")

    monkeypatch.setitem(staff_acts.ACTING, "PAUSE", broken)
    text = " ".join(told(box, "PAUSE\nEXTEND 1d\n").split())
    assert "internal error of pbem (ZeroDivisionError: there is no clock)" in text
    assert [what for what, _, _ in rows(box, "host")] == ["extend"]
    assert box.row().status == "running"


def test_the_desk_works_while_a_game_is_stopped(box: Postbox) -> None:
    """A ruling lets a stopped game go on."""
    with box.store.transaction() as session:
        row = box.row()
        row.status, row.trouble = "stopped", "KeyError"
        session.merge(row)
    assert "stopped by an internal error" in told(box, "STATUS\n")
    told(box, f"{coded(told(box, 'SET R1 5 because both agree' + chr(10)))}\n")
    assert box.row().status == "running"


# --- who it is ----------------------------------------------------------------------------------------------


def test_a_letter_in_the_moderators_name_is_held_and_can_be_confirmed(box: Postbox) -> None:
    """From another address nothing acts; the moderator is asked, and CONFIRM in reply lets it act."""
    last = box.last()
    assert box.mail("moderator", "UPHOLD R1\n", sender="carla@phone.example").outcome == "held"
    assert box.mail("moderator", "PAUSE\n", sender=EVE).outcome == "held"
    text, _ = box.texts(MODERATOR, last)
    (code,) = re.findall(r"CONFIRM ([0-9a-f]{8})", text)
    assert rows(box, "ruling", "host") == []
    assert "Held letters: none" in told(box, "STATUS\n")
    assert "only its owner can let it act" in told(box, f"RELEASE {held.letters(box.store)[-1].number}\n")
    told(box, f"CONFIRM {code}\n", headers=[digest(box)])
    assert rows(box, "ruling", "host") == [("R1", "moderator", "")]
    assert "no letter is held under this code" in told(box, f"CONFIRM {code}\n")


def test_of_many_held_letters_the_last_are_listed(box: Postbox, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bench, "MOST_HELD", 2)
    numbers = [held_letter(box) for _ in range(2)]
    assert "earlier one" not in told(box, "STATUS\n")
    numbers.append(held_letter(box))
    text = told(box, "STATUS\n")
    assert [f"RELEASE {number}" in text for number in numbers] == [False, True, True]
    assert "and 1 earlier one (pbem mail list)" in text


def test_a_forged_sender_is_held_even_with_the_right_token(box: Postbox) -> None:
    """DMARC that failed at the receiving server counts, whatever another server says below it."""
    failed = "Authentication-Results: mx.host.example; spf=pass; dmarc=fail (p=none)"
    passed = "Authentication-Results: mx.host.example; dmarc=pass"
    other = "Authentication-Results: elsewhere.example; dmarc=fail"
    for seat in ("moderator", "red"):
        got = box.mail(seat, "STATUS\n", headers=[failed])
        assert got.outcome == "held" and "may be forged (it failed DMARC)" in got.why
        assert box.mail(seat, "STATUS\n", headers=[passed, other]).outcome == "accepted"
        assert box.mail(seat, "STATUS\n", headers=[other, passed]).outcome == "held"


def test_a_renewed_address_makes_the_old_one_useless(box: Postbox) -> None:
    """A letter to the old one is held; the letter about the new one comes from it."""
    old = box.raw("moderator", "UPHOLD R1\n")
    carry_out(box.store, "toy", box.now, lambda t: people.renew_token(t, "moderator", **HOW))
    assert box.reply_address("moderator").encode() in box.outbox(MODERATOR)[-1].raw
    got = box.deliver(old)
    assert got.outcome == "held" and "not, or no longer, yours" in got.why
    assert rows(box, "ruling") == []


def test_the_password_stands_in_for_the_address(box: Postbox) -> None:
    with box.store.transaction() as session:
        row = session.get_one(StaffRow, ("toy", "moderator"))
        row.password = hash_password("sesame")
        session.add(row)
    text = told(box, "password: sesame\nUPHOLD R1\n", sender="carla@phone.example")
    assert len(rows(box, "ruling")) == 1 and "sesame" not in text


def test_an_observer_learns_what_everybody_may_know(box: Postbox) -> None:
    """STATUS and HELP, nothing of disputes or held letters; any other command is refused."""
    carry_out(box.store, "toy", box.now, lambda t: people.add_staff(t, "observer", "ed@x.example", **HOW))
    assert "You are observer of this game" in box.texts("ed@x.example")[-1]
    held_letter(box)
    box.mail("observer", "STATUS\nHELP\nUPHOLD R1\nSHOW R1\n")
    text = box.texts("ed@x.example")[-1]
    assert "Blue (Bob): 1 decision" in text and "cocked" not in text and "RELEASE" not in text
    assert text.count("only a moderator may do this") == 2
    assert rows(box, "ruling") == []


# --- several games ------------------------------------------------------------------------------------------


@pytest.fixture
def club(box: Postbox) -> Postbox:
    """A second game, mill, with the same moderator."""
    begin(box.store, "mill", "mill")
    return box


def test_a_moderator_of_several_games_names_the_game(club: Postbox) -> None:
    """A line without a game is refused with the line to send, but in answer to a letter about one game."""
    text = told(club, "EXTEND 2d\nmill: EXTEND 1d\nmil: EXTEND 1d\n")
    assert "say in which game" in text and "    toy: EXTEND 2d" in text and "did you mean mill?" in text
    mill = Postbox(club.store, "mill", "pbem@host.example", club.now)
    assert rows(mill, "host") == [("extend", "moderator", "")] and rows(club, "host") == []
    told(club, "EXTEND 2d\n", headers=[digest(club)])
    assert rows(club, "host") == [("extend", "moderator", "")]


def test_another_game_needs_the_moderators_own_address(club: Postbox) -> None:
    """With the password of one game alone nothing happens in another; nor where he is no moderator."""
    with club.store.transaction() as session:
        row = session.get_one(StaffRow, ("toy", "moderator"))
        row.password = hash_password("sesame")
        session.add(row)
    text = told(club, "password: sesame\nmill: PAUSE\n", sender="carla@phone.example")
    assert 'you have no game "mill"' in text
    carry_out(
        club.store, "mill", club.now, lambda t: people.set_address(t, "moderator", "ed@x.example", **HOW)
    )
    assert 'you have no game "mill"' in told(club, "mill: PAUSE\n")
    assert rows(Postbox(club.store, "mill"), "host") == [("address", "host", "as agreed")]


def test_a_letter_to_the_bare_address_is_held(box: Postbox) -> None:
    """Without the secret address the sender alone proves nothing, and the moderator is asked."""
    got = box.mail("moderator", "UPHOLD R1\n", to=box.server, subject="[toy] ruling")
    assert (got.outcome, got.seat) == ("held", "moderator") and rows(box, "ruling") == []


def test_a_wrong_token_is_held(box: Postbox) -> None:
    to = reply_address(box.server, "toy", "moderator", b"x" * 16)
    assert box.mail("moderator", "UPHOLD R1\n", to=to).outcome == "held"


def test_host_and_moderator_use_one_use_case(box: Postbox) -> None:
    """The same ruling by mail and by command line changes the same."""
    shown = rule(box.store, "toy", "set", "R1", "5", by="host", why="agreed", now=box.now, dry_run=True)
    text = told(box, "SET R1 5 because agreed\n")
    assert shown.lines()[0] in text and shown.before in text and shown.after in text


# --- the first letter ---------------------------------------------------------------------------------------


def test_the_moderator_of_a_new_game_learns_what_he_can_do(tmp_path: Path) -> None:
    """The first letter names every command, and comes from the address to write them to."""
    store = Store.create(tmp_path / "toy.pbem")
    begin(store, welcome=True)
    box = Postbox(store, "toy", "pbem@host.example", NOW)
    [text] = box.texts("mod@host.example")
    words = " ".join(text.split())
    assert "You are moderator of this game, Clash of Twenty Hexes." in words
    assert all(re.search(rf"\b{command.name}\b", words) for command in commands_of("moderator"))
    box.mail("moderator", "PAUSE\n")
    assert "The clock is stopped" in " ".join(box.texts("mod@host.example")[-1].split())
