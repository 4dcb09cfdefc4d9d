"""Orders from the command line and deadlines, on a toy game."""

from __future__ import annotations

import pytest
from conftest import HOUR, NOW, begin
from postbox import sent
from sqlmodel import select

from pbem.mail.transport import Outgoing, Sent
from pbem.service.intake.outbox import send_pending
from pbem.service.intake.submit import submit
from pbem.service.intake.trial import check_file
from pbem.service.moderating.seats import hand_to_bot
from pbem.service.moderating.start import Player
from pbem.service.record.errors import StoreError
from pbem.service.record.rows import JournalRow, LetterRow
from pbem.service.record.store import Store, only_game
from pbem.service.record.table import Table
from pbem.service.time import deadline
from pbem.service.tools import queries


def label(store: Store) -> str:
    return queries.status(store, None).phase


def by(store: Store, asked: str) -> list[str]:
    with store.transaction() as session:
        rows = session.exec(select(JournalRow).order_by(JournalRow.number)).all()
    return [row.by for row in rows if asked in row.asked]


# --- orders -------------------------------------------------------------------------------------------------


def test_submitted_orders_are_carried_out_and_confirmed(toy: Store) -> None:
    """Orders from a file go the way of a letter: played, and answered with the whole set of orders."""
    done = submit(toy, None, "red", "move R1 to 0201\ndone\n", NOW + HOUR)
    assert done.received.outcome == "accepted"
    assert any("move R1 to 0201" in line for line in done.confirmation)
    assert label(toy) == "t1.blue_march"
    assert queries.view_of(toy, None).units["R1"] == "0201"  # type: ignore[attr-defined]
    with toy.transaction() as session:
        assert len(session.exec(select(LetterRow)).all()) == 1


def test_faulty_orders_are_explained_and_nothing_is_played(toy: Store) -> None:
    """A line that cannot be carried out keeps the phase open and is answered with the reason and its case."""
    done = submit(toy, "toy", "red", "move R1 to 0503\ndone\n", NOW + HOUR)
    assert any("R1 cannot go to 0503 [2.1]" in line for line in done.confirmation)
    assert label(toy) == "t1.red_march"


def test_a_seat_without_an_address_is_answered_too(store: Store) -> None:
    """A seat that is played from the command line gets its confirmation, and mails for it stay here."""
    begin(store, red=Player())
    assert submit(store, None, "red", "no orders\n", NOW + HOUR).confirmation
    taken: list[str] = []

    class Way:
        def send(self, letter: Outgoing) -> Sent:
            taken.append(letter.to)
            return Sent(letter.message_id, "sent")

        def close(self) -> None: ...

    assert {handed.result for handed in send_pending(store, Way(), NOW)} == {"sent", "kept"}
    assert set(taken) == {"bob@mail.example"}


def test_orders_of_an_unknown_seat_are_refused(toy: Store) -> None:
    """An unknown seat is named together with those there are."""
    with pytest.raises(StoreError, match=r"green.*(red|blue)"):
        submit(toy, None, "green", "done\n", NOW)


def test_checking_a_file_changes_nothing(toy: Store) -> None:
    """A check says what would become of each line, and leaves the game as it is."""
    trial = check_file(toy, "red", "move R1 to 0201\nmove R2 too 0503\nmove R1 to 0202\n")
    assert not trial.ok
    assert [line["state"] for line in trial.facts["lines"]] == ["ready", "faulty", "faulty"]
    assert trial.lines[0].startswith("2 lines to correct in [march].")
    assert any("R1 has already moved" in line for line in trial.lines)
    assert label(toy) == "t1.red_march"
    with toy.transaction() as session:
        assert session.exec(select(LetterRow)).all() == []


def test_checking_without_a_store() -> None:
    """Orders can be tried at the very start of a game by its name alone."""
    assert check_file("clash", "red", "move R1 to 0201\n").ok
    with pytest.raises(KeyError, match="green"):
        check_file("clash", "green", "")


# --- time ---------------------------------------------------------------------------------------------------


def test_nothing_is_done_before_the_deadline(toy: Store) -> None:
    """A game is due when its clock says so, and not before."""
    sent(toy, NOW)
    assert deadline.act(toy, "toy", NOW + 71 * HOUR) == []
    assert deadline.act(toy, "toy", NOW + 73 * HOUR)


def test_the_clock_does_not_run_while_the_letter_that_asks_is_not_sent(toy: Store) -> None:
    """A deadline is put off by as much as the letter that asks was late; minutes do not count."""
    assert deadline.act(toy, "toy", NOW + 500 * HOUR) == []
    sent(toy, NOW + 500 * HOUR)
    assert deadline.act(toy, "toy", NOW + 571 * HOUR) == []
    assert deadline.act(toy, "toy", NOW + 573 * HOUR)


def test_a_clock_that_goes_back_makes_no_game_due(toy: Store) -> None:
    """A letter that comes while the machine's clock is wrong does not move the beginning of the wait back."""
    submit(toy, None, "red", "no orders\n", NOW + HOUR)
    submit(toy, None, "blue", "no orders\n", NOW - 5000 * HOUR)
    sent(toy, NOW + HOUR)
    assert deadline.act(toy, "toy", NOW + 2 * HOUR) == []


def test_a_draft_counts_at_the_deadline(toy: Store) -> None:
    """At the deadline what has been written so far is played, and the rest is left undone."""
    submit(toy, None, "red", "move R1 to 0201\n", NOW + HOUR)
    assert label(toy) == "t1.red_march"
    sent(toy, NOW)
    assert deadline.act(toy, "toy", NOW + 80 * HOUR)
    assert queries.view_of(toy, None).units["R1"] == "0201"  # type: ignore[attr-defined]
    assert label(toy) == "t1.blue_march"


def test_who_missed_a_deadline_has_a_day_for_each_further_section(store: Store) -> None:
    """Until the late player writes, each further section of the turn is closed at the same hour of the next
    day."""
    begin(store, blue=Player(bot="greedy"))
    deadline.act(store, "toy", NOW + 100 * HOUR, force=True)
    with store.transaction() as session:
        table = Table(session, only_game(session, None), NOW + 100 * HOUR)
        table.seats["red"].news = {}  # no letter has named a deadline yet
        table.seats["red"].missed = {"turn": table.here().turn, "due": (NOW + 100 * HOUR).isoformat()}
        assert table.deadline() == NOW + 124 * HOUR
        table.seats["red"].missed = {}
        assert table.deadline() == NOW + 172 * HOUR


def test_a_deadline_is_over_when_the_other_side_has_moved(store: Store) -> None:
    """One deadline plays one stretch: with a bot on the other side the game waits again in the next turn."""
    begin(store, blue=Player(bot="random"))
    deadline.act(store, "toy", NOW, force=True)
    assert label(store) == "t2.red_march"


def test_defaults_decide_for_those_whose_time_is_up(store: Store) -> None:
    """A decision that nobody takes in time is taken by its default, as the journal says."""
    begin(store)
    for step in range(12):
        if queries.status(store, None).status == "over":
            break
        deadline.act(store, "toy", NOW + step * HOUR, force=True)
    assert queries.status(store, None).status == "over"
    assert set(by(store, "who goes back")) <= {"default"}
    assert by(store, "|clash")
    with pytest.raises(StoreError, match="over"):
        deadline.act(store, "toy", NOW, force=True)


def test_a_bot_plays_on(toy: Store) -> None:
    """A seat handed to a bot is played at once, and back in its player's hands when asked for."""
    hand_to_bot(toy, None, "red", "random", NOW)
    assert label(toy) == "t1.blue_march"
    hand_to_bot(toy, None, "red", "none", NOW)
    assert queries.status(toy, None).seats["red"]["bot"] == ""
    with pytest.raises(StoreError, match="clever"):
        hand_to_bot(toy, None, "red", "clever", NOW)
