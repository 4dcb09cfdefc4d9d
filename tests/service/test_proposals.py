"""Proposals by mail: an undo or an extension is done when all who play agree, and not otherwise."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from conftest import HOUR, NOW, begin
from postbox import Postbox, sent
from protocol_kit import flat
from sqlmodel import select

from pbem.service.moderating import people, proposals
from pbem.service.moderating.hosting import carry_out
from pbem.service.moderating.start import Player
from pbem.service.proof.verify import verify_game
from pbem.service.record.rows import SeatRow
from pbem.service.record.store import Store, only_game
from pbem.service.record.table import Table
from pbem.service.time import deadline
from pbem.service.tools import queries
from pbem.service.tools.transfer import EVENTS, export, import_

HOW = {"by": "host", "why": ""}


@pytest.fixture
def box(tmp_path: Path) -> Postbox:
    """The toy game between two people, with a moderator."""
    store = Store.create(tmp_path / "toy.pbem")
    begin(store)
    return Postbox(store, "toy", "pbem@host.example", NOW)


@pytest.fixture
def alone(box: Postbox) -> Postbox:
    """The same without a moderator."""
    carry_out(box.store, "toy", NOW, lambda table: people.remove_staff(table, "moderator", **HOW))
    return box


def told(box: Postbox, seat: str, body: str) -> str:
    """The reply to a letter of a seat: the last letter that it got for it."""
    box.mail(seat, body)
    return last(box, box.address(seat))


def last(box: Postbox, address: str) -> str:
    return flat(box.texts(address)[-1])


def due(box: Postbox) -> str:
    return queries.status(box.store, "toy").deadline


def phase(box: Postbox) -> str:
    return box.phase().label


def test_an_extension_is_done_when_the_other_player_agrees(box: Postbox) -> None:
    """The other player gets the lines to send and the new time in their zone; the moderator sees it."""
    before = due(box)
    assert "Proposal 1: put off the deadline by 2d, to Thu 11 Jun 18:00 UTC." in told(
        box, "red", "extend 2d because of my exam\n"
    )
    text = last(box, box.address("blue"))
    assert "Proposal 1: Red (Rita) proposes to put off the deadline by 2d" in text
    assert "Reason: my exam" in text and "AGREE 1 REFUSE 1 because ..." in text
    assert "It lapses at the deadline, Tue 9 Jun 18:00 UTC." in text
    box.digests()
    assert "Red (Rita) proposes to put off" in last(box, "mod@host.example")
    assert due(box) == before
    assert "All players agree to proposal 1 (put off the deadline by 2d): it is done" in told(
        box, "blue", "agree 1\n"
    )
    assert due(box) == (NOW + 120 * HOUR).isoformat()
    row = next(row for row in box.journal() if row.asked == "extend")
    assert row.by == "the players" and "my exam" in row.answer["why"]
    assert "is settled" in told(box, "blue", "agree 1\n")
    assert verify_game(box.store, "toy").wrong == []


def test_a_digest_tells_once_of_a_proposal_in_the_zone_of_the_players(box: Postbox) -> None:
    """What is proposed, answered and done is one piece of news, with its times as the players read them."""
    with box.store.transaction() as session:
        for row in session.exec(select(SeatRow)):
            row.zone = "Asia/Tokyo"
            session.add(row)
    box.mail("red", "extend 1d because of my exam\n")
    box.mail("blue", "agree 1\n")
    box.mail("blue", "extend 12h\n")
    box.mail("red", "refuse 2 because I am away\n")
    box.digests()
    text = box.texts("mod@host.example")[-1]
    said = flat(text)
    assert said.count("Proposal 1 (last ") == said.count("Proposal 2 (last ") == 1
    assert (
        said.count("Red (Rita) proposes to put off the deadline by 1d, to Thu 11 Jun 03:00 Asia/Tokyo.") == 1
    )
    assert said.count("All players agree to proposal 1") == said.count("Red (Rita) refuses proposal 2") == 1
    assert said.count("Blue (Bob) agrees to proposal 1") == said.count("Reason: I am away") == 1
    assert "by red)" not in said and "by blue)" not in said
    assert "Asia/Tokyo" in said.partition("Where the game is")[2] and " UTC" not in said


def test_a_digest_has_the_zone_of_the_game_where_it_has_one(box: Postbox) -> None:
    """Whatever the zones of the players."""
    with box.store.transaction() as session:
        row = only_game(session, "toy")
        row.settings = row.settings | {"zone": "Europe/Paris"}
        seat = session.get_one(SeatRow, ("toy", "red"))
        seat.zone = "Asia/Tokyo"
        session.add_all([row, seat])
    box.mail("red", "extend 1d\n")
    box.digests()
    said = last(box, "mod@host.example")
    assert "by 1d, to Wed 10 Jun 20:00 Europe/Paris." in said and "Asia" not in said and " UTC" not in said


def test_the_proposals_of_a_letter_are_one_list(box: Postbox) -> None:
    """Each line names what was written. With orders beside them none is done, which is said once."""
    box.mail("red", "status\nextend 1d\nextend 2d\nagree 1\n")
    text = box.texts(box.address("red"))[-1]
    assert text.count("\nProposals\n") == 1 and "\nProposal\n" not in text
    assert "EXTEND 1d: Proposal 1: put off the deadline by 1d, to Wed 10 Jun 18:00 UTC." in flat(text)
    assert "EXTEND 2d: Not done: your proposal 1 is still open: REFUSE 1 takes it back." in flat(text)
    assert "AGREE 1: Not done: you have agreed to proposal 1 already." in flat(text)
    assert [line for line in text.splitlines() if line == "Waiting for"] == ["Waiting for"]
    said = told(box, "red", "move R1 to 0201\nextend 2d\nrefuse 1\n")
    assert "EXTEND 2d, REFUSE 1: Not done: send these in an email of their own, without orders" in said
    assert said.count("without orders, answers or DONE") == 1


def test_a_refusal_ends_a_proposal(box: Postbox) -> None:
    before = due(box)
    box.mail("red", "extend 12h\n")
    assert "Blue (Bob) refuses proposal 1" in told(box, "blue", "refuse 1 because I am waiting\n")
    assert "Reason: I am waiting" in last(box, box.address("red"))
    assert "proposal 1 is settled: Blue (Bob) refuses proposal 1 (put off" in told(box, "blue", "agree 1\n")
    assert due(box) == before


def test_a_proposal_is_taken_back_before_another_is_made(box: Postbox) -> None:
    box.mail("red", "extend 12h\n")
    assert "your proposal 1 is still open: REFUSE 1 takes it back" in told(box, "red", "extend 1d\n")
    assert "Red (Rita) takes back proposal 1" in told(box, "red", "refuse 1\n")
    assert "Proposal 2: put off" in told(box, "red", "extend 1d\n")
    box.mail("red", "refuse 2\n")
    box.mail("red", "extend 1d\n")
    box.mail("red", "refuse 3\n")
    assert "the limit is 3 proposals in a phase" in told(box, "red", "extend 1d\n")


def test_an_undo_is_done_when_the_other_player_agrees(box: Postbox) -> None:
    """No die has been thrown since: nobody but the players is needed. The orders are drafts again."""
    box.mail("red", "move R1 to 0201\ndone\n")
    listed = box.mail("red", "undo\n") and box.texts(box.address("red"))[-1]
    (line,) = [line for line in listed.splitlines() if "move R1 to 0201" in line]
    name = line.split()[0]
    assert line == f"{name:<5} [march] move R1 to 0201" and "[march] DONE" in listed
    said = told(box, "red", f"undo {name} because wrong hex\n")
    assert "Turn 1, Red march:" in listed.splitlines()
    to = "go back to Turn 1, Red march, to before an order of Red (Rita)"
    assert f"Proposal 1: {to}." in said
    text = last(box, box.address("blue"))
    assert f"Proposal 1: Red (Rita) proposes to {to}" in text
    assert "0201" not in text and "It lapses when the game goes on or at the deadline" in text
    box.mail("blue", "agree 1\n")
    assert phase(box) == "t1.red_march"
    assert [line["text"] for line in box.seat("red").sheet["lines"]] == ["move R1 to 0201"]
    assert "by the players" in flat(" ".join(box.texts(box.address("red"))[-1:]))
    assert verify_game(box.store, "toy").wrong == []


def test_an_undo_of_a_turn_goes_back_to_its_beginning(box: Postbox) -> None:
    """The phase is named by its title in the proposal and in what becomes of it."""
    box.mail("red", "move R1 to 0201\ndone\n")
    box.mail("red", "undo turn 1\n")
    to = "go back to the beginning of Turn 1, Hiding"
    assert f"Proposal 1: Red (Rita) proposes to {to}" in last(box, box.address("blue"))
    box.mail("blue", "refuse 1\n")
    assert f"Blue (Bob) refuses proposal 1 ({to})" in last(box, box.address("red"))


def test_an_undo_lapses_when_the_game_goes_on(box: Postbox) -> None:
    box.mail("red", "move R1 to 0201\ndone\n")
    box.mail("red", "undo turn 1\n")
    box.mail("blue", "no orders\n")
    assert "proposal 1 has lapsed: the game went on at" in told(box, "blue", "agree 1\n")


def after_the_clash(box: Postbox) -> None:
    """The die of turn 1 is thrown, and blue is asked who goes back."""
    box.mail("red", "no orders\n")
    box.mail("blue", "no orders\n")
    assert box.questions("blue") == [1]


def test_an_undo_past_a_die_is_for_the_moderator(box: Postbox) -> None:
    """The moderator gets the command that settles it; what players wrote is not in that command."""
    after_the_clash(box)
    box.mail("red", 'undo R1 because "$(rm -rf /)"\n')
    named = "proposal 1 (go back to Turn 1, Blue march, to before R1)"
    decides = f"All players agree to {named}; the moderator decides, because it takes back a roll"
    assert decides in told(box, "blue", "agree 1\n") and decides in last(box, box.address("red"))
    line = "toy: BACK R1 because proposal 1"
    box.digests()
    assert line in last(box, "mod@host.example") and phase(box) == "t1.clash"


DECIDES = [
    ("undo R1", "It takes back a roll: if all who play agree, the moderator decides."),
    ("undo turn 1", "but if it takes back a roll or anything that was revealed, the moderator decides then."),
    ("extend 2d", "It is done when all who play agree."),
]


@pytest.mark.parametrize(("line", "says"), DECIDES)
def test_a_proposal_says_who_decides(box: Postbox, line: str, says: str) -> None:
    """The one who proposes reads it too."""
    after_the_clash(box)
    assert says in told(box, "red", f"{line} because I misread the map\n")
    assert says in last(box, box.address("blue"))


def test_rolls_are_listed_in_words(box: Postbox) -> None:
    after_the_clash(box)
    (line,) = [line for line in box.mail("red", "undo\n") and box.texts(box.address("red"))[-1].splitlines()
               if line.startswith("R1 ")]  # fmt: skip
    assert re.fullmatch(r"R1    d6 for clash: fell [1-6] \[3\.1\]", line)


def test_without_a_moderator_players_may_undo_a_die(alone: Postbox) -> None:
    after_the_clash(alone)
    alone.mail("red", "undo R1\n")
    alone.mail("blue", "agree 1\n")
    assert phase(alone) == "t1.blue_march"


NOT_DONE = [
    ("undo R7", "the log has no roll R7"),
    ("undo J1", "J1 is no order of yours"),
    ("undo J99", "J99 is no order of yours"),
    ("undo turn 9", '"turn 9" is nothing that the game could go back to: it is turn 1.'),
    ("extend 40d", "at most 30d"),
    ("agree 4", "there is no proposal 4: nobody has proposed anything"),
    ("refuse 4", "there is no proposal 4"),
    ("move R1 to 0201\nextend 2d", "send this in an email of its own"),
]


@pytest.mark.parametrize(("body", "why"), NOT_DONE)
def test_what_cannot_be_proposed_is_answered(box: Postbox, body: str, why: str) -> None:
    assert why.lower() in told(box, "red", f"{body}\n").lower()
    assert not [row for row in box.journal() if row.kind == "host"]


def test_nobody_learns_of_orders_of_others(box: Postbox) -> None:
    """An order of the other side is no more to be named than one that does not exist; it is not listed."""
    box.mail("red", "move R1 to 0201\ndone\n")
    row = next(row for row in box.journal() if row.kind == "answer" and row.by == "orders")
    theirs, none = (told(box, "blue", f"undo {name}\n") for name in (f"J{row.number}", "J99"))
    assert f"Not done: J{row.number} is no order of yours that counts" in theirs
    assert "Not done: J99 is no order of yours that counts" in none
    assert "You can go back to before ------------------------- nothing of this turn" in told(
        box, "blue", "undo\n"
    )


def test_a_player_against_a_bot_agrees_alone(tmp_path: Path) -> None:
    store = Store.create(tmp_path / "toy.pbem")
    begin(store, blue=Player(bot="greedy"))
    box = Postbox(store, "toy", "pbem@host.example", NOW)
    assert "Proposal 1: put off the deadline by 1d" in told(box, "red", "extend 1d\n")
    assert due(box) == (NOW + 96 * HOUR).isoformat()


def open_ones(store: Store) -> list[int]:
    with store.transaction() as session:
        table = Table(session, only_game(session, "toy"), NOW)
        return [each.number for each in proposals.proposals(table) if not each.settled]


def test_a_proposal_moves_with_its_game(box: Postbox, tmp_path: Path) -> None:
    """An exported game takes its open proposals along; half a proposal is refused."""
    box.mail("red", "extend 2d\n")
    data = export(box.store, "toy")
    other = Store.create(tmp_path / "other.pbem")
    import_(other, json.loads(json.dumps(data)))
    assert open_ones(other) == open_ones(box.store) == [1]
    (row,) = [row for row in data["journal"] if row["asked"] == "propose"]
    row["answer"]["do"] = "undo"
    with pytest.raises(ValueError, match="is half a proposal"):
        EVENTS["host"](row["answer"])


def test_a_reminder_moves_with_its_game(box: Postbox, tmp_path: Path) -> None:
    """Who has been reminded of a deadline is not reminded again after the game has moved."""
    sent(box.store, NOW)
    deadline.act(box.store, "toy", NOW + 50 * HOUR)
    other = Store.create(tmp_path / "other.pbem")
    import_(other, json.loads(json.dumps(export(box.store, "toy"))))
    before = Postbox(other, "toy").last()
    deadline.act(other, "toy", NOW + 51 * HOUR)
    assert Postbox(other, "toy").last() == before
