"""Rulings for which more than one person stands: those who play, or a second moderator; who may not rule."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from conftest import HOUR, NOW, begin
from postbox import Postbox
from test_rulings import dice, played, sound
from test_staff_mail import MODERATOR, coded, told

from pbem.service.moderating import people
from pbem.service.moderating.hosting import carry_out
from pbem.service.moderating.start import Player
from pbem.service.record.store import Store

SECOND = "carl@host.example"


@pytest.fixture
def box(tmp_path: Path) -> Postbox:
    """The toy game after a roll, R1, that red disputes."""
    store = Store.create(tmp_path / "toy.pbem")
    begin(store)
    played(store)
    box = Postbox(store, "toy", "pbem@host.example", NOW + 3 * HOUR)
    box.mail("red", "dispute R1 the die was cocked\n")
    assert box.digests() == 1
    return box


@pytest.fixture
def two(box: Postbox) -> Postbox:
    """The same with a second moderator, whose signature the terms want."""
    carry_out(box.store, "toy", NOW, lambda t: people.add_staff(t, "moderator", SECOND, by="host", why=""))
    assert "second moderator signs it" in told(box, "SIGNERS 2\n")
    return box


def flat(text: str) -> str:
    return " ".join(text.split())


def second(box: Postbox, body: str) -> str:
    """Write as the second moderator, and return the answer."""
    box.mail("moderator2", body, sender=SECOND)
    return flat(box.texts(SECOND)[-1])


# --- those who play -----------------------------------------------------------------------------------------


def test_a_ruling_that_the_players_agree_on(box: Postbox) -> None:
    """Nothing falls before both have agreed; then the ruling is theirs."""
    assert "Proposal 1: R1 counts as 5 (it fell 4)" in flat(told(box, "PROPOSE SET R1 5 because cocked\n"))
    for seat in ("red", "blue"):
        text = flat(box.texts(box.address(seat))[-1])
        assert "Proposal 1: the moderator proposes: R1 counts as 5 (it fell 4)" in text
        assert "Reason: cocked" in text and "AGREE 1" in text and "It lapses with another ruling." in text
    box.mail("red", "AGREE 1\n")
    assert dice(box.store)["3.1|d6|clash|1"][1] == [4]
    box.mail("blue", "AGREE 1\n")
    assert dice(box.store)["3.1|d6|clash|1"][1] == [5]
    letter = flat(box.texts(box.address("red"))[-1])
    assert letter.startswith("R1 counts as 5 (it fell 4)") and "by the players" in letter
    assert "cocked (proposal 1)" in letter
    sound(box.store)


def test_one_that_a_player_refuses_or_the_moderator_takes_back(box: Postbox) -> None:
    told(box, "PROPOSE REROLL R1 because cocked\n")
    box.mail("blue", "REFUSE 1 because it was not\n")
    box.mail("red", "AGREE 1\n")
    assert "is settled" in flat(box.texts(box.address("red"))[-1])
    told(box, "PROPOSE REROLL R1 because cocked indeed\n")
    assert "the moderator takes back proposal 2" in flat(told(box, "REFUSE 2\n"))
    assert dice(box.store)["3.1|d6|clash|1"][1] == [4]


def test_one_that_another_ruling_overtakes(box: Postbox) -> None:
    told(box, "PROPOSE SET R1 5 because cocked\n")
    told(box, f"{coded(told(box, 'SET R1 6 because seen' + chr(10)))}\n")
    box.mail("red", "AGREE 1\n")
    assert "has lapsed: ruling 1 came after it" in flat(box.texts(box.address("red"))[-1])


def test_players_read_of_a_secret_order_only_what_they_may(box: Postbox) -> None:
    told(box, "PROPOSE STRIKE J5 because misread\n")
    for seat in ("red", "blue"):
        text = flat(box.texts(box.address(seat))[-1])
        assert "An order of Red is struck out" in text and "R2 to 0103" not in text


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("PROPOSE REROLL R9 because cocked", 'there is no roll "R9"'),
        ("PROPOSE REROLL R1", "needs a reason"),
        ("PROPOSE SET R1 because cocked", "write the ruling as: SET R22 5"),
        ("PROPOSE EXTEND 2d because ill", "PROPOSE REROLL R22"),
    ],
)
def test_what_cannot_be_proposed(box: Postbox, line: str, said: str) -> None:
    before = len(box.journal())
    assert said in flat(told(box, f"{line}\n"))
    assert len(box.journal()) == before


# --- a second moderator -------------------------------------------------------------------------------------


def test_a_ruling_is_signed(two: Postbox) -> None:
    """The other moderator gets it at once with its preview; with his line it is made, for both."""
    text = told(two, f"{coded(told(two, 'SET R1 5 because cocked' + chr(10)))}\n")
    assert "It is made when another moderator signs it." in flat(text)
    assert dice(two.store)["3.1|d6|clash|1"][1] == [4]
    two.now += HOUR
    assert two.digests() == 1
    asked = flat(two.texts(SECOND)[-1])
    assert "asks you to sign a ruling" in asked and "R1 counts as 5 (it fell 4)" in asked
    assert re.search(r"toy: SIGN 1 toy: REFUSE 1 because", asked)
    assert "another person has to sign" in flat(told(two, "SIGN 1\n"))
    assert "R1 counts as 5" in second(two, "toy: SIGN 1\n")
    assert dice(two.store)["3.1|d6|clash|1"][1] == [5]
    letter = flat(two.texts(two.address("red"))[-1])
    assert "cocked (signed by moderator2)" in letter
    sound(two.store)


def test_a_ruling_is_not_signed(two: Postbox) -> None:
    told(two, "UPHOLD R1\n")
    assert "moderator refuses proposal 1" in second(two, "REFUSE 1 because I saw it\n")
    two.now += 30 * HOUR
    two.digests()
    assert "I saw it" in flat(two.texts(MODERATOR)[-1])
    two.mail("red", "AGREE 1\n")
    assert "settled" in flat(two.texts(two.address("red"))[-1])


def test_a_player_cannot_sign(two: Postbox) -> None:
    told(two, "UPHOLD R1\n")
    two.mail("red", "AGREE 1\n")
    assert "for another moderator to sign" in flat(two.texts(two.address("red"))[-1])


def test_without_a_second_moderator_nothing_is_made(box: Postbox) -> None:
    told(box, "SIGNERS 2\n")
    assert "there is no other" in flat(told(box, "UPHOLD R1\n"))
    assert "ruling" not in {row.kind for row in box.journal()}


# --- who may not --------------------------------------------------------------------------------------------


def test_who_plays_against_a_party_does_not_rule(box: Postbox) -> None:
    """In this game or in another; when that is over he may again."""
    begin(box.store, "mill", red=Player("Mo", MODERATOR), blue=Player("Rita", "rita@mail.example"))
    text = flat(told(box, "toy: UPHOLD R1\n"))
    assert "you play against Red (Rita) in mill, so this ruling is not yours: let the players agree" in text
    assert "not yours" in flat(told(box, "toy: REROLL R1 because cocked\n"))
    assert "Proposal 1" in flat(told(box, "toy: PROPOSE REROLL R1 because cocked\n"))
    carry_out(box.store, "mill", NOW, lambda t: people.eject(t, "red", by="host", why=""))
    assert "R1 stands" in flat(told(box, "toy: UPHOLD R1\n"))


def test_another_moderator_is_named(two: Postbox) -> None:
    begin(two.store, "mill", red=Player("Mo", MODERATOR), blue=Player("Rita", "rita@mail.example"))
    assert "leave it to moderator2, or let the players agree" in flat(told(two, "toy: UPHOLD R1\n"))
