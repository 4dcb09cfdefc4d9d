"""People and the clock of a running game: what hosts and moderators do to them, and who is told."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import datetime, timedelta
from pathlib import Path

import pytest
from conftest import HOUR, NOW, begin
from postbox import Postbox, sent
from protocol_kit import flat, normandy, told
from sqlmodel import select

from pbem.service.intake.released import release
from pbem.service.moderating import ending, held, people, timing
from pbem.service.moderating.hosting import Done, carry_out
from pbem.service.moderating.start import Player
from pbem.service.proof.verify import verify_game
from pbem.service.record.errors import StoreError
from pbem.service.record.rows import JournalRow, LetterRow, SeatRow, StaffRow
from pbem.service.record.store import Store, staff
from pbem.service.record.table import Table
from pbem.service.time import deadline
from pbem.service.tools import queries

LATER = NOW + HOUR
HOW = {"by": "host", "why": "as agreed"}


def do(store: Store, act: Callable[[Table], Done], now: datetime = LATER) -> Done:
    return carry_out(store, "toy", now, act)


def seat(store: Store, key: str) -> SeatRow:
    with store.transaction() as session:
        return session.get_one(SeatRow, ("toy", key))


def due(store: Store) -> str:
    return queries.status(store, "toy").deadline


# what is done, what it says, who is told
ACTS: list[tuple[Callable[[Table], Done], str, tuple[str, ...]]] = [
    (lambda t: people.replace(t, "blue", "Dora <d@x.example>", **HOW), "place of Bob", ("blue", "red")),
    (lambda t: people.substitute(t, "red", "dora@x.example", **HOW), "in place of Rita", ("red", "blue")),
    (lambda t: people.set_address(t, "red", "Rita2@x.example", **HOW), "go to rita2@x.example", ("red",)),
    (lambda t: people.set_name(t, "red", "R. R.", **HOW), "red is called R. R.", ("red",)),
    (lambda t: people.set_password(t, "red", "xyzzy", **HOW), "red has a new password", ("red",)),
    (lambda t: people.renew_token(t, "red", **HOW), "red has a new reply address", ("red",)),
    (lambda t: people.eject(t, "blue", **HOW), "Bob no longer plays Blue", ("red", "blue")),
    (lambda t: people.resign(t, "blue", why="ill"), "Bob no longer plays Blue", ("red", "blue")),
    (lambda t: people.take_over(t, "blue", "greedy", **HOW), "the greedy bot plays Blue", ("red", "blue")),
    (lambda t: people.add_staff(t, "observer", "Ed <e@x.example>", **HOW), "Ed is observer", ("red", "blue")),
    (lambda t: people.add_staff(t, "moderator", "ed@x.example", **HOW), "is moderator", ("red", "blue")),
    (lambda t: people.remove_staff(t, "moderator", **HOW), "no longer moderator", ("red", "blue")),
    (lambda t: timing.extend(t, 48, **HOW), "The deadline is Thu 11 Jun 18:00", ("red", "blue")),
    (lambda t: timing.pause(t, **HOW), "The clock is stopped", ("red", "blue")),
    (lambda t: timing.set_terms(t, {"days": "mon tue"}, **HOW), "new terms (days: mon tue)", ("red", "blue")),
    (lambda t: timing.away(t, "red", "2026-06-08", "2026-06-20", **HOW), "is Sun 21 Jun", ("red", "blue")),
]  # fmt: skip


@pytest.mark.parametrize(("act", "says", "told"), ACTS)
def test_what_is_done_is_an_event_and_told(
    toy: Store, act: Callable[[Table], Done], says: str, told: tuple[str, ...]
) -> None:
    """Each is one event of the journal with its reason, told to those it concerns; the game verifies."""
    done = do(toy, act)
    assert says in done.says[0] and sorted(done.told) == sorted(told)
    with toy.transaction() as session:
        (row,) = session.exec(select(JournalRow).where(JournalRow.kind == "host")).all()
    assert row.answer["why"] in ("as agreed", "ill") and row.by in ("host", "blue")
    assert verify_game(toy, "toy").wrong == []


@pytest.mark.parametrize("act", [act for act, _, _ in ACTS[:12]])
def test_no_address_reaches_another_player(toy: Store, act: Callable[[Table], Done]) -> None:
    """Not of those who have given no name, either."""
    with toy.transaction() as session:
        for person in (*session.exec(select(SeatRow)), *session.exec(select(StaffRow))):
            person.name = ""
    box = Postbox(toy, "toy", "pbem@host.example", LATER)
    last = box.last()
    do(toy, act)
    for row, text in zip(box.outbox(after=last), box.texts(after=last), strict=True):
        foreign = set(re.findall(r"[\w.]+@\w+\.example", f"{row.subject} {text}"))
        foreign -= {row.recipient, "pbem@host.example", "mod@host.example"}  # of the staff: whom to write to
        assert not foreign or row.seat.startswith("moderator"), (row.seat, foreign)


@pytest.mark.parametrize(("act", "says", "told"), ACTS[:1])
def test_a_dry_run_changes_nothing(
    toy: Store, act: Callable[[Table], Done], says: str, told: tuple[str, ...]
) -> None:
    done = carry_out(toy, "toy", LATER, act, dry_run=True)
    assert not done.done and done.lines()[0] == "not done, only tried:"
    assert seat(toy, "blue").name == "Bob"


WRONG: list[tuple[Callable[[Table], Done], str]] = [
    (lambda t: people.replace(t, "green", "a@x.example", **HOW), 'no seat "green"'),
    (lambda t: people.replace(t, "red", "Dora", **HOW), '"Dora" is not a mail address'),
    (lambda t: people.join(t, "red", "a@x.example", **HOW), "is played by Rita"),
    (lambda t: people.give_back(t, "red", **HOW), "has no substitute"),
    (lambda t: people.take_over(t, "red", "clever", **HOW), 'no bot "clever"'),
    (lambda t: people.add_staff(t, "king", "a@x.example", **HOW), 'no role "king"'),
    (lambda t: people.remove_staff(t, "observer", **HOW), "no staff called"),
    (lambda t: timing.extend(t, 0, **HOW), "can only be put off"),
    (lambda t: timing.go_on(t, **HOW), "the clock is not stopped"),
    (lambda t: timing.set_terms(t, {"days": "someday"}, **HOW), '"someday" is not a weekday'),
    (lambda t: timing.away(t, "red", "2026-07-02", "2026-07-01", **HOW), "before it begins"),
]


@pytest.mark.parametrize(("act", "why"), WRONG)
def test_what_cannot_be_is_refused(toy: Store, act: Callable[[Table], Done], why: str) -> None:
    with pytest.raises(StoreError, match=why):
        do(toy, act)


def test_a_new_player_gets_the_side_and_not_the_press(toy: Store) -> None:
    """The old reply address is useless; the new player reads the side's reports and draft, and no press."""
    box = Postbox(toy, "toy", "pbem@host.example", LATER)
    box.mail("red", "move R1 to 0201\npress blue: meet me at the mill\n")
    old = box.raw("red", "done\n")
    do(toy, lambda t: people.substitute(t, "red", "Dora <dora@x.example>", **HOW), NOW + 3 * HOUR)
    text = box.texts("dora@x.example")[-1]
    assert "Welcome, Dora" in text and "move R1 to 0201" in text and "mill" not in text
    got = box.deliver(old)
    assert got.outcome == "ignored" and "rita@mail.example, who no longer plays red" in got.why
    assert due(toy) == (NOW + 75 * HOUR).isoformat()
    do(toy, lambda t: people.give_back(t, "red", **HOW), NOW + 4 * HOUR)
    assert (seat(toy, "red").name, seat(toy, "red").address) == ("Rita", "rita@mail.example")
    text = flat(box.texts("rita@mail.example")[-1])
    assert text.startswith("Welcome back, Rita. You play the Red side against Blue (Bob) again.")
    assert "Your orders for [march] are due" in text and "How orders work" not in text


def test_staff_gets_keys_of_its_own(toy: Store) -> None:
    do(toy, lambda t: people.add_staff(t, "moderator", "ed@x.example", **HOW))
    with toy.transaction() as session:
        assert [row.key for row in staff(session, "toy")] == ["moderator", "moderator2"]


def test_the_clock_stands_still_while_it_is_stopped(toy: Store) -> None:
    """No deadline passes in a pause; afterwards the time that was left is left."""
    sent(toy, NOW)
    do(toy, lambda t: timing.pause(t, **HOW), NOW + 24 * HOUR)
    assert due(toy) == "" and deadline.act(toy, "toy", NOW + 500 * HOUR) == []
    do(toy, lambda t: timing.go_on(t, **HOW), NOW + 500 * HOUR)
    assert due(toy) == (NOW + 548 * HOUR).isoformat()


def test_new_terms_never_shorten_a_deadline_that_was_named(toy: Store) -> None:
    before = due(toy)
    do(toy, lambda t: timing.set_terms(t, {"clock_hours": 24.0}, **HOW))
    assert due(toy) == before


MISSED = [("wait", "", False), ("bot", "planner", True), ("standing", "", True)]


@pytest.mark.parametrize(("missed", "bot", "acts"), MISSED)
def test_a_missed_turn_goes_by_the_terms(toy: Store, missed: str, bot: str, acts: bool) -> None:
    sent(toy, NOW)
    do(toy, lambda t: timing.set_terms(t, {"missed": missed, "grace_hours": 10.0}, **HOW))
    sent(toy, LATER)
    assert deadline.act(toy, "toy", NOW + 81 * HOUR) == []  # within the time of grace
    assert bool(deadline.act(toy, "toy", NOW + 83 * HOUR)) == acts
    assert seat(toy, "red").bot == bot
    assert deadline.act(toy, "toy", NOW + 83 * HOUR + timedelta(minutes=1)) == []
    with toy.transaction() as session:
        told = [row.asked for row in session.exec(select(JournalRow).where(JournalRow.kind == "host"))]
    assert told.count("wait") == (missed == "wait")


def held_letter(store: Store) -> int:
    """A letter in Red's name from a stranger, held."""
    box = Postbox(store, "toy", "pbem@host.example", LATER)
    assert box.deliver(box.raw("red", "move R1 to 0201\n", sender="eve@x.example")).outcome == "held"
    (kept,) = held.letters(store, "toy")
    assert (kept.outcome, kept.seat, kept.sender) == ("held", "red", "eve@x.example")
    return kept.number


def test_a_held_letter_is_released_once(toy: Store) -> None:
    number = held_letter(toy)
    done = do(toy, lambda t: release(t, number, **HOW), NOW + 2 * HOUR)
    assert "accepted" in done.says[0] and held.letters(toy, "toy") == []
    assert seat(toy, "red").sheet["lines"][0]["text"] == "move R1 to 0201"
    with pytest.raises(StoreError, match="it is accepted, not held"):
        do(toy, lambda t: release(t, number, **HOW))


def test_a_held_letter_is_discarded(toy: Store) -> None:
    number = held_letter(toy)
    assert do(toy, lambda t: held.discard(t, number, **HOW)).told == ("red",)
    with pytest.raises(StoreError, match="it is discarded, not held"):
        do(toy, lambda t: release(t, number, **HOW))


# --- those whose seat another one holds ---------------------------------------------------------------------


@pytest.mark.parametrize("decreed", [False, True])
def test_a_player_beside_a_bot_reads_that_the_game_is_over(toy: Store, decreed: bool) -> None:
    """Nothing else reaches him of what the bot plays; the last letter has result, position and proof."""
    do(toy, lambda t: people.take_over(t, "red", "greedy", **HOW))
    box = Postbox(toy, "toy", "pbem@host.example", LATER)
    last = box.last()
    deadline.play(toy, "toy", LATER)
    for hour in range(12):
        if decreed and hour == 2:
            assert "red" in do(toy, lambda t: ending.end(t, "draw", **HOW), LATER + 9 * HOUR).told
        if box.row().status == "over":
            break
        assert not box.outbox("rita@mail.example", last)
        deadline.act(toy, "toy", LATER + hour * HOUR, force=True)
    (row,) = box.outbox("rita@mail.example", last)
    assert row.subject.startswith("[toy] The game is over: ")
    (text,) = box.texts("rita@mail.example", last)
    assert "The greedy bot played Red to the end." in text and "\nResult: " in text and "\nUnits\n" in text
    assert "LOG and the number of a turn" in text
    assert verify_game(toy, "toy").wrong == []


def test_who_is_replaced_reads_so_once_and_what_he_can_do(toy: Store) -> None:
    """A substitute may give the side back; who takes it for good, or gets it back, keeps it."""
    box = Postbox(toy, "toy", "pbem@host.example", LATER)
    last = box.last()
    do(toy, lambda t: people.substitute(t, "red", "Dora <dora@x.example>", by="host", why="Rita is ill"))
    (text,) = map(flat, box.texts("rita@mail.example", last))
    assert text.startswith("News ---- Dora plays Red instead of you from now on. Reason: Rita is ill")
    assert "The side is yours again when the moderator gives it back" in text
    assert "reply to this email: the moderator reads its first line." in text and "are not kept" in text
    assert "dora@" not in text and "mod@" not in text
    last = box.last()
    do(toy, lambda t: people.give_back(t, "red", **HOW))
    (text,) = map(flat, box.texts("dora@x.example", last))
    assert "Rita plays Red instead of you from now on." in text and "yours again" not in text
    assert len(box.outbox("rita@mail.example", last)) == 1
    assert verify_game(toy, "toy").wrong == []


def test_who_no_longer_plays_is_told_who_does(toy: Store) -> None:
    """Nothing of his orders is kept, nobody else is asked to confirm them or reads his address, and a second
    letter on that day is not answered. The moderator reads what he wrote."""
    box = Postbox(toy, "toy", "pbem@host.example", LATER)
    letters = [box.raw("red", f"move R1 to 0201\ndone\n{number}\n") for number in range(3)]
    do(toy, lambda t: people.replace(t, "red", "Dora <dora@x.example>", **HOW))
    sheet, last = box.papers(), box.last()
    assert box.deliver(letters[0]).why.endswith("the reply says who does")
    assert box.deliver(letters[1]).outcome == "ignored"
    (row,) = box.outbox(after=last)
    (text,) = map(flat, box.texts("rita@mail.example", last))
    assert row.recipient == "rita@mail.example" and row.subject == "Re: [toy] Turn 1, Red march"
    assert "Dora has played Red since Sat 6 Jun 19:00 UTC. Nothing of your letter was kept; " in text
    assert "the moderator reads its first line." in text and "CONFIRM" not in text
    assert (
        "If you would like to play again, or this is a mistake, say so in the first line of a reply." in text
    )
    assert box.papers() == sheet and not box.digests() - 1
    digest = flat(box.texts("mod@host.example")[-1])
    assert "Rita, who no longer plays Red, has written" in digest and "mod@" not in text
    do(toy, lambda t: people.eject(t, "red", **HOW))
    box.now += 25 * HOUR
    box.deliver(letters[2])
    assert "Nobody has played Red since Sat 6 Jun 19:00 UTC" in flat(box.texts("rita@mail.example")[-1])
    assert verify_game(toy, "toy").wrong == []


@pytest.mark.parametrize("at", ["rita@mail.example", "bob@mail.example", "mod@host.example"])
def test_a_question_shows_no_address_of_somebody_else(toy: Store, at: str) -> None:
    """A letter to the secret address of the new player that comes from whom he replaced, from the other
    player or from the moderator is held. He is asked whether he sent it, and reads neither address nor
    subject; nor does a later letter or that of its discarding show them. An address that nobody in the game
    has is shown."""
    do(toy, lambda t: people.replace(t, "red", "Dora <dora@x.example>", **HOW))
    box = Postbox(toy, "toy", "pbem@host.example", LATER)
    last = box.last()
    assert box.mail("red", "done\n", sender=at, subject="Re: for my partner").outcome == "held"
    (text,) = map(flat, box.texts("dora@x.example", last))
    assert "It came from the address of somebody else in this game. If you sent it" in text
    box.mail("red", "move R1 to 0201\n", sender="dora@x.example")
    assert "drops it (from the address of somebody else in this game, " in flat(
        box.texts("dora@x.example")[-1]
    )
    with toy.transaction() as session:
        (number,) = session.exec(select(LetterRow.id).where(LetterRow.outcome == "held")).all()
    done = do(toy, lambda t: held.discard(t, number or 0, **HOW))
    assert at in done.says[0]
    texts = "\n".join(flat(each) for each in box.texts("dora@x.example", last))
    assert "A letter in your name from the address of somebody else in this game is discarded" in texts
    assert at not in texts and "for my partner" not in texts
    box.mail("red", "done\n", sender="dora@office.example")
    assert "It came from dora@office.example with the subject" in flat(box.texts("dora@x.example")[-1])
    assert verify_game(toy, "toy").wrong == []


def test_letters_that_may_be_forged_are_not_answered(toy: Store) -> None:
    """Neither those whose sender failed DMARC, nor, in a game that asks for it, those that nothing vouches
    for."""
    box = Postbox(toy, "toy", "pbem@host.example", LATER)
    forged, bare = (
        box.raw("red", "done\n", headers=["Authentication-Results: mx.host.example; dmarc=fail"]),
        box.raw("red", "done\n\n"),
    )
    do(toy, lambda t: people.replace(t, "red", "Dora <dora@x.example>", **HOW))
    do(toy, lambda t: people.set_senders(t, "checked", **HOW))
    last = box.last()
    assert [box.deliver(each).outcome for each in (forged, bare)] == ["ignored", "ignored"]
    assert box.outbox(after=last) == []


def test_who_no_longer_plays_reads_how_the_game_has_ended(toy: Store) -> None:
    """Once, with the result alone; who has come back reads the last letter of his seat."""
    do(toy, lambda t: people.substitute(t, "red", "Dora <dora@x.example>", **HOW))
    do(toy, lambda t: people.give_back(t, "red", **HOW))
    do(toy, lambda t: people.eject(t, "blue", **HOW))
    box = Postbox(toy, "toy", "pbem@host.example", LATER)
    last = box.last()
    do(toy, lambda t: ending.end(t, "draw", by="host", why="no time"), LATER + HOUR)
    box.mail("red", "status\n")
    assert [row.recipient for row in box.outbox(after=last)].count("rita@mail.example") == 2
    for who, title in (("dora@x.example", "Red"), ("bob@mail.example", "Blue")):
        (row,) = box.outbox(who, last)
        (text,) = map(flat, box.texts(who, last))
        assert row.subject == "[toy] The game is over: a draw, as agreed"
        assert f"The game in which you played {title} is over." in text
        assert "Ended by the host: no time" in text and "R1 at" not in text
    assert verify_game(toy, "toy").wrong == []


SEATED = [
    (people.substitute, "You are a substitute for Bob, until the moderator gives the side back."),
    (people.replace, "You take the place of Bob."),
]


@pytest.mark.parametrize(("act", "says"), SEATED)
def test_the_first_letter_to_who_comes_later_says_what_is_in_hand(
    toy: Store, act: Callable[..., Done], says: str
) -> None:
    """For whom he plays, where the game is, and what is kept for his side; not how a game begins."""
    box = Postbox(toy, "toy", "pbem@host.example", NOW)
    box.mail("blue", "standing retreat: B1\n")
    box.mail("red", "no orders\n")
    box.mail("blue", "move B1 to 0402\n")
    do(toy, lambda t: act(t, "blue", "Dora <dora@x.example>", **HOW), box.now)
    text = flat(box.texts("dora@x.example")[-1])
    assert text.startswith(
        f"Welcome, Dora. You play the Blue side against Red (Rita). {says} "
        "The game is running: Turn 1, Blue march. "
        "In hand for your side: 1 line for [march], 1 standing order. Your orders for [march] are due"
    )


def test_the_first_letter_names_open_questions_and_the_bot_that_played(toy: Store) -> None:
    box = Postbox(toy, "toy", "pbem@host.example", NOW)
    box.mail("red", "no orders\n")
    box.mail("blue", "no orders\n")
    do(toy, lambda t: people.take_over(t, "blue", "greedy", **HOW), box.now)
    do(toy, lambda t: people.replace(t, "blue", "Ed <ed@x.example>", **HOW), box.now)
    text = flat(box.texts("ed@x.example")[-1])
    assert "You take the place of the greedy bot." in text
    assert "In hand for your side: 1 open question." in text


def test_how_to_begin_is_not_told_in_the_midst_of_a_game(tmp_path: Path) -> None:
    box = normandy(tmp_path)
    told(box, "allied", "move 8/3 to 1422\ndone\n")
    carry_out(
        box.store, box.game, box.now, lambda t: people.replace(t, "allied", "Dora <d@x.example>", **HOW)
    )
    text = flat(box.texts("d@x.example")[-1])
    assert "You take the place of Anna." in text and "How orders work" in text and "How to begin" not in text


def test_a_bot_is_not_spoken_of_as_the_player_whose_seat_it_holds(toy: Store) -> None:
    """He himself reads what that means for him, also when he writes; what he writes is his own."""
    box = Postbox(toy, "toy", "pbem@host.example", LATER)
    last = box.last()
    do(toy, lambda t: people.take_over(t, "blue", "planner", **HOW))
    text = flat(box.texts("bob@mail.example", last)[-1])
    assert "the planner bot plays Blue from now on" in text and "mod@" not in text
    assert "To play again: PRESS moderator: and your words on one line." in text
    assert "only the last one when the game is over" in text
    assert "only the last one" not in flat(box.texts("rita@mail.example", last)[-1])
    box.mail("red", "summary\n")
    text = flat(box.texts("rita@mail.example")[-1])
    assert "Red (Rita) against Blue (bot)" in text or "Blue (bot) against Red (Rita)" in text
    box.mail("red", "freely written words\n")
    text = flat(box.texts("rita@mail.example")[-1])
    assert "To write to Blue (Bob): PRESS blue" in text  # he reads it still
    do(toy, lambda t: people.take_over(t, "red", "greedy", **HOW))
    box.mail("blue", "move B1 to 0402\ndone\n")
    text = flat(box.texts("bob@mail.example")[-1])
    assert "The planner bot plays your side: none of your lines is played until the side is yours" in text
    assert "Unless you change it" not in text


def test_a_bot_without_a_player_gets_no_press(store: Store) -> None:
    begin(store, blue=Player(bot="greedy"))
    box = Postbox(store, "toy", "pbem@host.example", LATER)
    box.mail("red", "freely written words\n")
    text = flat(box.texts("rita@mail.example")[-1])
    assert "To write to the moderator: PRESS moderator" in text and "PRESS blue" not in text


def test_who_loses_his_seat_to_a_bot_reads_what_it_does_not_play(toy: Store) -> None:
    """His lines on the sheet; nobody else reads them. Given back, the seat has what is still to come."""
    box = Postbox(toy, "toy", "pbem@host.example", LATER)
    box.mail("blue", "move B1 to 0402\n")
    last = box.last()
    do(toy, lambda t: people.take_over(t, "blue", "planner", **HOW))
    text = flat(box.texts("bob@mail.example", last)[-1])
    assert "These lines of yours are not played while it has the side: L1 move B1 to 0402" in text
    assert "B1" not in flat(box.texts("rita@mail.example", last)[-1])
    last = box.last()
    with pytest.raises(StoreError, match="the planner bot plays seat blue already"):
        do(toy, lambda t: people.take_over(t, "blue", "planner", **HOW))
    do(toy, lambda t: people.take_over(t, "blue", "greedy", **HOW))
    assert box.texts("bob@mail.example", last) == []


@pytest.mark.parametrize(
    "act",
    [
        lambda t: people.take_over(t, "blue", "planner", **HOW),
        lambda t: people.take_over(t, "blue", "none", **HOW),
        lambda t: people.replace(t, "blue", "Dora <d@x.example>", **HOW),
        lambda t: people.substitute(t, "blue", "Dora <d@x.example>", **HOW),
        lambda t: people.give_back(t, "blue", **HOW),
        lambda t: people.join(t, "blue", "Dora <d@x.example>", **HOW),
        lambda t: people.eject(t, "blue", **HOW),
    ],
)
def test_no_seat_changes_hands_once_the_game_is_over(toy: Store, act: Callable[[Table], Done]) -> None:
    """Nobody reads that somebody plays from now on, and the result stays that of who has played."""
    box = Postbox(toy, "toy", "pbem@host.example", LATER)
    do(toy, lambda t: ending.end(t, "draw", **HOW))
    last = box.last()
    with pytest.raises(StoreError, match="game toy is over: nobody else can play blue now"):
        do(toy, act)
    assert box.outbox(after=last) == [] and seat(toy, "blue").name == "Bob"


@pytest.mark.parametrize("act", [people.replace, people.substitute])
def test_nobody_is_given_a_second_side(toy: Store, act: Callable[..., Done]) -> None:
    """The opponent would read its reports, and an observer knows both: each is refused with who it is."""
    box = Postbox(toy, "toy", "pbem@host.example", LATER)
    last = box.last()
    with pytest.raises(StoreError, match=r"rita@mail\.example plays red in game toy: nobody may know two"):
        do(toy, lambda t: act(t, "blue", "Rita <rita@mail.example>", **HOW))
    with pytest.raises(StoreError, match=r"rita@mail\.example plays red"):
        do(toy, lambda t: people.add_staff(t, "observer", "rita@mail.example", delay="1", **HOW))
    assert box.outbox(after=last) == []
    do(toy, lambda t: people.add_staff(t, "observer", "ed@x.example", **HOW))
    with pytest.raises(StoreError, match=r"ed@x\.example watches game toy, and may know both sides"):
        do(toy, lambda t: act(t, "blue", "ed@x.example", **HOW))
