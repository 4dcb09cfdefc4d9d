"""Missed deadlines: each policy does what letters say it does, and reminders come once and in time."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

import pytest
from conftest import HOUR, NOW
from postbox import Postbox, sent
from protocol_kit import flat, letter, new_game, normandy, told

from pbem.service.moderating import people, timing
from pbem.service.moderating.hosting import carry_out
from pbem.service.moderating.missed import force
from pbem.service.moderating.rulings.ruling import rule
from pbem.service.proof.verify import verify_game
from pbem.service.record.errors import StoreError
from pbem.service.record.rows import SeatRow
from pbem.service.record.store import Store
from pbem.service.time import deadline
from pbem.service.tools import queries

HOW = {"by": "host", "why": ""}
LATE = NOW + 80 * HOUR
DORA = "Dora <dora@x.example>"


def box_of(store: Store, now: datetime = NOW) -> Postbox:
    return Postbox(store, "toy", "pbem@host.example", now)


def terms(store: Store, **values: object) -> None:
    carry_out(store, "toy", NOW, lambda table: timing.set_terms(table, values, **HOW))


def stand_by(store: Store, who: str = DORA) -> None:
    carry_out(store, "toy", NOW, lambda table: people.standby(table, who, **HOW))


def red(store: Store) -> SeatRow:
    return box_of(store).seat("red")


def where(store: Store, unit: str) -> str:
    units: dict[str, str] = queries.view_of(store, "toy").units  # type: ignore[attr-defined]
    return units[unit]


# missed, what a reply to a draft says, what it says of the deadline, what blue's letters say of red
WORDS = [
    ("standing", "Red march is played on Tue 9 Jun 18:00 UTC", "closed as it is: lines to correct are not",
     "the lines of Red (Rita) are played as they are"),
    ("wait", "Nothing of Red march is played without DONE", "pbem goes on waiting for you",
     "pbem goes on waiting for Red (Rita)"),
    ("hold", "Without DONE Red march is closed without your lines", "your units hold",
     "pbem plays on without orders from Red (Rita)"),
    ("bot", "none of Red march is played", "the planner takes your seat", "the planner plays on for"),
    ("substitute", "Red march goes to Dora as a draft", "Dora takes your seat", "Dora plays on for Red"),
]  # fmt: skip


@pytest.mark.parametrize(("missed", "draft", "deadline", "other"), WORDS)
def test_letters_say_what_happens_at_the_deadline(
    toy: Store, missed: str, draft: str, deadline: str, other: str
) -> None:
    """The reply to a draft, and a letter to the other side, go by the terms of the game."""
    stand_by(toy)
    terms(toy, missed=missed)
    box = box_of(toy)
    last = box.last()
    box.mail("red", "move R1 to 0201\n")
    (text,) = map(flat, box.texts(box.address("red"), last))
    assert draft in text and deadline in text
    box.mail("blue", "try\nmove B1 to 0402\n")
    assert other in flat(box.texts(box.address("blue"), last)[-1])


def test_without_a_stand_by_letters_say_so(toy: Store) -> None:
    terms(toy, missed="substitute")
    box = box_of(toy)
    box.mail("red", "move R1 to 0201\n")
    text = flat(box.texts(box.address("red"))[-1])
    assert "There is no stand-by who could take your seat. At the deadline this section is closed as" in text


def test_a_letter_that_tells_of_a_missed_deadline_begins_with_it(tmp_path: Path) -> None:
    """So does its subject; nobody's letter says then that nothing has happened."""
    box = new_game(tmp_path, "normandy44", "allied", "german")
    for _ in range(5):
        sent(box.store, box.now)
        box.now += 100 * HOUR
        last = box.last()
        assert deadline.act(box.store, box.game, box.now, late=True)
        for seat in ("allied", "german"):
            (row,) = box.outbox(box.address(seat), last)
            (text,) = box.texts(box.address(seat), last)
            assert not text.startswith("Nothing has happened.")
            missed = "You missed the deadline" in text
            assert text.startswith("You missed the deadline for ") == missed
            assert row.subject.startswith("[game] Deadline missed - ") == missed


def test_hold_plays_no_lines_and_tells_what_became_of_them(toy: Store) -> None:
    """The section is closed without the draft of the player who is late, who is told so of each line."""
    terms(toy, missed="hold")
    box = box_of(toy)
    box.mail("red", "move R1 to 0201\n")
    sent(toy, NOW)
    before, last = where(toy, "R1"), box.last()
    assert deadline.act(toy, "toy", LATE)
    assert where(toy, "R1") == before and queries.status(toy, "toy").phase == "t1.blue_march"
    text = flat(box.texts(box.address("red"), last)[-1])
    assert "You missed the deadline for [march]: it was closed without your lines" in text
    assert "passed over L1 move R1 to 0201 you missed the deadline, and this game plays no lines" in text
    other = flat(box.texts(box.address("blue"), last)[-1])
    assert "Red (Rita) missed the deadline for [march], which was closed without its lines" in other
    assert verify_game(toy, "toy").wrong == []


def test_hold_lets_standing_orders_rest_and_defaults_decide(toy: Store) -> None:
    """Of a question that is not answered the default is taken, though a standing order would say otherwise;
    it counts again afterwards."""
    box = box_of(toy)
    box.mail("red", "no orders\n")
    box.mail("blue", "no orders\n")
    assert box.questions("blue") == [1]
    terms(toy, missed="hold")
    with toy.transaction() as session:
        seat = session.get_one(SeatRow, ("toy", "blue"))
        assert not seat.standing
    sent(toy, box.now)
    assert deadline.act(toy, "toy", box.now + 100 * HOUR, late=True)
    text = flat(box.texts(box.address("blue"))[-1])
    assert "You missed the deadline. The defaults decided what the rules demand." in text
    assert "who goes back: B1 (default)" in text


def test_the_stand_by_takes_the_seat_with_the_whole_time(toy: Store) -> None:
    """The draft and the deadline go to the stand-by; the late player is told, and the old address is
    useless."""
    stand_by(toy)
    terms(toy, missed="substitute")
    box = box_of(toy)
    box.mail("red", "move R1 to 0201\n")
    old = box.raw("red", "done\n")
    sent(toy, NOW)
    assert deadline.act(toy, "toy", LATE) == []
    assert (red(toy).name, red(toy).address) == ("Dora", "dora@x.example")
    assert "You missed the deadline: Dora takes your seat" in flat(box.texts("rita@mail.example")[-1])
    first = flat(box.texts("dora@x.example")[-1])
    assert "Welcome, Dora" in first and "move R1 to 0201" in first
    assert queries.status(toy, "toy").deadline == (LATE + 72 * HOUR).isoformat()
    assert box.deliver(old).outcome == "ignored"
    assert verify_game(toy, "toy").wrong == []
    sent(toy, LATE)
    assert deadline.act(toy, "toy", LATE + 80 * HOUR)  # nobody is left to stand in
    assert where(toy, "R1") == "0201"


def test_the_stand_by_may_have_no_part_in_the_game(toy: Store) -> None:
    with pytest.raises(StoreError, match="has a part in game toy already"):
        stand_by(toy, "bob@mail.example")
    stand_by(toy)
    stand_by(toy, "nobody")
    terms(toy, missed="substitute")
    sent(toy, NOW)
    assert deadline.act(toy, "toy", LATE)
    assert red(toy).name == "Rita"


def test_force_follows_the_terms(toy: Store) -> None:
    terms(toy, missed="wait")
    with pytest.raises(StoreError, match="goes on waiting after a missed deadline"):
        deadline.act(toy, "toy", NOW + HOUR, force=True)
    terms(toy, missed="bot")
    assert deadline.act(toy, "toy", NOW + HOUR, force=True)
    assert red(toy).bot == "planner"


FORCED = [
    ("standing", "The moderator closed [march] early; your lines were played as they were.",
     "The moderator closed [march] early, as it was.", "[march] of Red (Rita) early, as it was."),
    ("hold", "The moderator closed [march] early; L1 was not used.",
     "The moderator closed [march] early, without your lines; the defaults decided what the rules demand.",
     "The moderator closed [march] of Red (Rita) early, without its lines."),
    ("substitute", "The moderator did not wait any longer: Dora takes your seat.", "", ""),
    ("bot", "Reason: the moderator did not wait any longer", "", "the planner bot plays Red"),
]  # fmt: skip


@pytest.mark.parametrize(("missed", "first", "then", "other"), FORCED)
def test_who_is_forced_has_missed_nothing(toy: Store, missed: str, first: str, then: str, other: str) -> None:
    """The moderator closed the section before its deadline: letters say so, and so does the answer to a line
    that comes too late. The moderator reads who gets letters."""
    stand_by(toy)
    terms(toy, missed=missed)
    box = box_of(toy)
    box.mail("red", "move R1 to 0201\n")
    asked, last = box.outbox(box.address("red"))[0].message_id, box.last()
    rita = box.address("red")
    done = carry_out(toy, "toy", box.now, lambda table: force(table, by="moderator", why="Rita is ill"))
    assert "letters go to: " in done.lines()[-1] and "red" in done.lines()[-1]
    mine = flat(" ".join(box.texts(rita, last)))
    assert first in mine and then in mine
    texts = flat(" ".join(box.texts(box.address("blue"), last)))
    assert other in texts
    if missed in ("standing", "hold"):
        assert box.outbox(rita, last)[0].subject.startswith("[toy] Closed early - ")
        box.mail("red", "move R2 to 0202\n", headers=[f"In-Reply-To: {asked}"])
        late = flat(box.texts(rita)[-1])
        assert "because it was closed early" in late
        mine += late
    assert "missed" not in mine + texts
    assert verify_game(toy, "toy").wrong == []


@pytest.mark.parametrize("missed", [False, True])
def test_who_is_forced_has_the_whole_time_for_what_follows(tmp_path: Path, missed: bool) -> None:
    """Unless a deadline of that turn had passed before: until the late player writes, each further section is
    closed at the same hour of the next day."""
    box = new_game(tmp_path, "normandy71", "allied", "german")

    def close(early: bool) -> str | None:
        sent(box.store, box.now)
        box.now += HOUR if early else 100 * HOUR
        assert deadline.act(box.store, box.game, box.now, force=early, late=not early)
        return queries.status(box.store, box.game).deadline

    next_day = box.now + 144 * HOUR  # three days to the deadline; pbem notices a day later that it has passed
    for early in (not missed, True, True):
        assert close(early) == (next_day if missed else box.now + 72 * HOUR).isoformat()


def test_no_question_is_decided_unasked_for_who_is_forced(tmp_path: Path) -> None:
    """A forced section is no reason to decide anything else of the phase: the next deadline is about what its
    letter asks, and says so."""
    box = new_game(tmp_path, "normandy71", "allied", "german")
    for _ in range(3):
        sent(box.store, box.now)
        box.now, last = box.now + HOUR, box.last()
        assert deadline.act(box.store, box.game, box.now, force=True)
    text = flat(box.texts(box.address("german"), last)[-1])
    assert "At the deadline your standing orders and the defaults decide for you." in text


def test_no_missed_deadline_lets_bots_play_a_game_to_its_end(toy: Store) -> None:
    """Where a bot plays the other side, the planner takes no seat: the section is closed as it is."""
    carry_out(toy, "toy", NOW, lambda t: people.take_over(t, "blue", "greedy", by="host", why=""))
    terms(toy, missed="bot")
    box = box_of(toy)
    box.mail("red", "move R1 to 0201\n")
    sent(toy, NOW)
    assert deadline.act(toy, "toy", LATE)
    assert red(toy).bot == "" and box.row().status == "running"
    assert any("missed the deadline" in text for text in box.texts(box.address("red")))


def test_a_bot_for_the_last_player_is_announced(toy: Store) -> None:
    """Before it is confirmed, the moderator reads that the bots will play the game to its end."""
    how = {"by": "host", "why": ""}
    first = carry_out(toy, "toy", NOW, lambda t: people.take_over(t, "blue", "greedy", **how))
    assert "to its end" not in first.says[0]
    tried = carry_out(toy, "toy", NOW, lambda t: people.take_over(t, "red", "greedy", **how), dry_run=True)
    assert tried.says[0].endswith("nobody else plays, so the bots play the game to its end at once")


# --- reminders ----------------------------------------------------------------------------------------------


def reminders(store: Store) -> list[str]:
    return [row.seat for row in box_of(store).outbox() if row.kind == "reminder"]


def test_a_reminder_comes_once_a_day_before_the_deadline(toy: Store) -> None:
    """It says what is asked, until when, what happens otherwise, and what to send."""
    box = box_of(toy)
    box.mail("red", "move R1 to 0201\n")
    sent(toy, NOW)
    deadline.act(toy, "toy", NOW + 47 * HOUR)
    assert reminders(toy) == []
    deadline.act(toy, "toy", NOW + 48 * HOUR)
    deadline.act(toy, "toy", NOW + 49 * HOUR)
    assert reminders(toy) == ["red"]
    text = box.texts(box.address("red"))[-1]
    assert "pbem is waiting for you, until Tue 9 Jun 18:00 UTC (in 1 d)." in text
    assert "You have 1 line for [march], as a draft." in text and "DONE march     plays what you have" in text
    assert "At the deadline this section is closed as it is" in text
    sent(toy, NOW + 49 * HOUR)
    assert deadline.act(toy, "toy", NOW + 73 * HOUR)
    assert verify_game(toy, "toy").wrong == []


def test_a_reminder_is_answered_with_the_line_that_it_names(toy: Store) -> None:
    sent(toy, NOW)
    deadline.act(toy, "toy", NOW + 50 * HOUR)
    box = box_of(toy, NOW + 50 * HOUR)
    (reminder,) = [row for row in box.outbox() if row.kind == "reminder"]
    assert "NO ORDERS: march" in box.texts(box.address("red"))[-1]
    box.mail("red", "no orders: march\n", headers=[f"In-Reply-To: {reminder.message_id}"])
    assert queries.status(toy, "toy").phase == "t1.blue_march"


def test_a_question_is_named_in_its_reminder(toy: Store) -> None:
    box = box_of(toy)
    box.mail("red", "no orders\n")
    box.mail("blue", "no orders\n")
    sent(toy, box.now)
    deadline.act(toy, "toy", box.now + 60 * HOUR)
    assert reminders(toy) == ["blue"]
    assert "Q1: a        answers: who goes back (a B1, b B2)" in box.texts(box.address("blue"))[-1]


@pytest.mark.parametrize(
    ("remind", "at", "comes"),
    [(0.0, 71, False), (12.0, 59, False), (12.0, 60, True), (12.0, 73, False), (100.0, 50, False)],
)
def test_reminders_go_by_the_terms(toy: Store, remind: float, at: int, comes: bool) -> None:
    """None with 0, none after the deadline, none where the letter that asked is as late itself."""
    terms(toy, remind_hours=remind, missed="wait")
    sent(toy, NOW)
    deadline.act(toy, "toy", NOW + at * HOUR)
    assert reminders(toy) == ["red"] * comes


def test_an_extended_deadline_is_reminded_of_again(toy: Store) -> None:
    sent(toy, NOW)
    deadline.act(toy, "toy", NOW + 50 * HOUR)
    carry_out(toy, "toy", NOW + 51 * HOUR, lambda table: timing.extend(table, 48, **HOW))
    deadline.act(toy, "toy", NOW + 52 * HOUR)
    assert reminders(toy) == ["red"]
    deadline.act(toy, "toy", NOW + 97 * HOUR)
    assert reminders(toy) == ["red", "red"]


# --- what a letter names is kept ----------------------------------------------------------------------------


def test_a_ruling_that_names_a_deadline_keeps_it(toy: Store) -> None:
    """A shorter clock does not bring forward the deadline that the letter about a ruling has named."""
    box = box_of(toy)
    box.mail("red", "move R1 to 0201\ndone\n")
    rule(toy, None, "undo", by="host", why="", now=NOW + 5 * HOUR)
    due = queries.status(toy, "toy").deadline
    assert due == (NOW + 77 * HOUR).isoformat()
    terms(toy, clock_hours=1.0)
    assert queries.status(toy, "toy").deadline == due


def test_a_missed_deadline_is_the_first_line_of_the_next_letter(tmp_path: Path) -> None:
    """With the lines that were not used; no such letter says that nothing has happened."""
    box = normandy(tmp_path)
    told(box, "allied", "move 8/3 to 4999\nmove 9/3 to 1425\n")
    last = box.last()
    sent(box.store, box.now)
    deadline.act(box.store, box.game, box.now + 100 * HOUR, late=True)
    text = letter(box, "allied", last)
    head = text.partition(" Waiting for ")[0]
    assert head.startswith("You missed the deadline for [movement]; L1 was not used."), head
    assert "Nothing has happened" not in text


# --- a clock that is wrong ------------------------------------------------------------------------------


def test_a_deadline_that_passed_long_ago_decides_nothing_by_itself(toy: Store) -> None:
    """The machine was off, or its clock is wrong: nobody's orders are decided; the host chooses."""
    terms(toy, clock_hours=72)
    sent(toy, NOW)
    for _ in range(2):
        with pytest.raises(StoreError, match="passed more than a day ago, on 2026-06-09 18:00 UTC"):
            deadline.act(toy, "toy", NOW + 400 * 24 * HOUR)
    assert queries.status(toy, "toy").phase == "t1.red_march"
    assert deadline.act(toy, "toy", NOW + 100 * HOUR, late=True)


def test_the_time_runs_again_after_the_clock_was_wrong(toy: Store) -> None:
    """A clock 400 days ahead plays on, asks, and names deadlines in the far future; once it is right,
    `restart` lets the whole time run from now, and everybody is told."""
    terms(toy, clock_hours=72)
    ahead = NOW + 400 * 24 * HOUR
    sent(toy, ahead)
    assert deadline.act(toy, "toy", ahead, force=True)
    sent(toy, ahead)
    now = NOW + 5 * HOUR
    assert queries.status(toy, "toy").deadline > "2027"
    done = carry_out(toy, "toy", now, lambda table: timing.restart(table, **HOW))
    assert done.told
    assert queries.status(toy, "toy").deadline == (now + 72 * HOUR).isoformat()
    sent(toy, now)
    assert deadline.act(toy, "toy", now + 71 * HOUR) == []
    assert deadline.act(toy, "toy", now + 73 * HOUR)
