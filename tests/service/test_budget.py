"""N13 What mail a game costs, in each report: for everybody his own, of others what they could have seen."""

from __future__ import annotations

import pytest
from conftest import HOUR, NOW
from postbox import Postbox
from test_systems import begin as begin_alone

from pbem.service.intake.submit import submit
from pbem.service.letters import budget
from pbem.service.moderating import people
from pbem.service.moderating.hosting import carry_out
from pbem.service.record.store import Store
from pbem.service.time.deadline import act
from pbem.service.tools import queries

RITA, BOB = "rita@mail.example", "bob@mail.example"


@pytest.fixture
def box(toy: Store) -> Postbox:
    return Postbox(toy, "toy", "pbem@host.example", NOW)


def first_turn(box: Postbox) -> None:
    """A faulty letter of red and its correction, a draft of blue written meanwhile, and blue's orders: five
    letters, an hour each."""
    box.mail("red", "move R1 to 0201\nmove R2 to 9999\ndone\n")
    box.mail("blue", "move B1 to 0401\n")
    box.mail("blue", "move B1 to 0402\n")
    box.mail("red", "move R2 to 0202\ndone\n")
    box.mail("blue", "done\nstanding retreat: B1\n")


def told(box: Postbox, address: str) -> list[str]:
    """The lines on mail in the last letter to an address that has any."""
    text = [text for text in box.texts(address) if "Mail by turn" in text][-1]
    rest = text.partition("Mail by turn\n")[2].split("\n", 1)[1].replace("\n  ", " ")
    return [line for line in rest.partition("\n\n")[0].splitlines() if line]


def test_a_report_tells_letters_and_hours(box: Postbox) -> None:
    """A turn letter has a line for the turn: one's own letters with drafts, corrections and replies, and the
    hours until one's orders came."""
    first_turn(box)
    assert box.phase().label == "t2.red_march"
    assert told(box, RITA) == [
        (
            "Turn 1: 2 letters from you, 3 to you, 4 h waiting for you; "
            "1 letter from Blue moved the game forward, "
            "1 h waiting for Blue"
        )
    ]


def test_drafts_of_others_are_not_told(box: Postbox) -> None:
    """What blue has written ahead changes nothing of what red is told of its mail."""
    box.mail("red", "move R1 to 0201\ndone\n")
    assert told(box, BOB) == ["Turn 1: 1 letter from Red moved the game forward, 1 h waiting for Red"]
    box.mail("blue", "move B1 to 0401\n")
    box.mail("blue", "move B1 to 0402\n")
    with queries.table_of(box.store, "toy") as (table, _):
        [line] = budget.lines(table, "red", 0, everything=False)
    assert line == "Turn 1: 1 letter from you, 2 to you, 1 h waiting for you"


def test_letters_of_a_predecessor_are_not_called_yours(box: Postbox) -> None:
    """Whoever takes a seat over reads of the mail of the side until then; later letters are theirs alone."""
    box.mail("red", "move R1 to 0201\n")
    who = "Dora <dora@mail.example>"
    how = {"by": "host", "why": ""}
    carry_out(box.store, "toy", box.now, lambda table: people.substitute(table, "red", who, **how))
    with queries.table_of(box.store, "toy") as (table, _):
        assert budget.lines(table, "red", 0, everything=False)[0].startswith(
            "Turn 1: 1 letter from your side, 4 to your side, "
        )  # the last one tells the predecessor who plays now
    box.mail("red", "done all\n")
    for hour in range(4):
        if box.phase().turn == 1:
            act(box.store, "toy", NOW + (100 + hour) * HOUR, force=True)
    box.now = NOW + 110 * HOUR
    box.mail("red", "move R1 to 0202\ndone\n")
    with queries.table_of(box.store, "toy") as (table, _):
        first, second, *_ = budget.lines(table, "red", 0, everything=False)
    assert "2 letters from your side" in first and "Turn 2: 1 letter from you, " in second


def test_a_turn_without_mail_is_not_told(box: Postbox) -> None:
    """A turn in which nobody wrote or was waited for has no line, though pbem wrote; the umpire's has."""
    with queries.table_of(box.store, "toy") as (table, _):
        assert budget.lines(table, "red", 0, everything=False) == ()
        assert "1 to Red" in budget.lines(table, "umpire", 0, everything=True)[0]
    assert not any("Mail by turn" in text for text in box.texts(RITA))


def test_the_umpire_and_the_end_tell_everything(box: Postbox) -> None:
    """`pbem status --mail` has it all, turn by turn, and so have the letters in which the game ends."""
    first_turn(box)
    [first, *_] = queries.status(box.store, None, mail=True).mail
    assert first == (
        "Turn 1: 2 letters from Red, 3 to Red, 4 h waiting for Red; 3 letters from Blue, 3 to Blue, "
        "1 h waiting for Blue"
    )
    assert f"    {first}" in queries.status(box.store, None, mail=True).lines()
    assert (
        queries.status(box.store, None, "red", mail=True)
        .mail[0]
        .endswith("1 letter from Blue moved the game forward, 1 h waiting for Blue")
    )
    assert not queries.status(box.store, None).mail
    for hour in range(12):
        if box.row().status == "over":
            break
        act(box.store, "toy", NOW + (100 + hour) * HOUR, force=True)
    lines = told(box, RITA)
    assert [line.partition(":")[0] for line in lines] == ["Turn 1", "Turn 2", "Turn 3"]
    assert lines[0] == (
        "Turn 1: 2 letters from you, 3 to you, 4 h waiting for you; 3 letters from Blue, 3 to Blue, "
        "1 h waiting for Blue"
    )


def test_the_system_has_no_mail(store: Store) -> None:
    """A seat that the game plays itself is not counted."""
    begin_alone(store)
    submit(store, None, "red", "[pick]\npick 0302\ndone\nno orders: A1, A2\n", NOW + HOUR)
    assert all("Blue" not in line for line in queries.status(store, None, mail=True).mail)
