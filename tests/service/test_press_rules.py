"""Press without a name, where the terms allow it, and press that is not wanted."""

from __future__ import annotations

from pathlib import Path

import pytest
from postbox import Postbox
from protocol_kit import flat, letter, new_game, told, toy_box

from pbem.service.letters import mutes
from pbem.service.moderating import people
from pbem.service.moderating.hosting import Done, carry_out
from pbem.service.record.rows import StaffRow
from pbem.testing.secrecy import covered_up

HOW = {"by": "host", "why": ""}
UNNAMED = "press all anonymously: Who trusts Red?\n"


@pytest.fixture
def box(tmp_path: Path) -> Postbox:
    return toy_box(tmp_path)


def do(box: Postbox, act: object, *words: str) -> Done:
    return carry_out(box.store, "toy", box.now, lambda t: act(t, *words, **HOW))  # type: ignore[operator]


def got(box: Postbox, seat: str, after: int) -> list[str]:
    """The press that a seat was sent since."""
    rows = [row for row in box.outbox(box.address(seat), after) if row.kind == "press"]
    return [flat(text) for row in rows for text in box.texts(row.recipient, (row.id or 0) - 1)[:1]]


# --- without a name -----------------------------------------------------------------------------------------


def test_press_is_signed_unless_the_terms_say_otherwise(box: Postbox) -> None:
    last = box.last()
    text = told(box, "red", UNNAMED)
    assert "Not sent: this game has only signed press. PRESS all: and your words sends it" in text
    assert got(box, "blue", last) == []


def test_press_without_a_name(box: Postbox) -> None:
    """Nothing in the letter names its writer; the moderator reads who it was; a reply reaches nobody."""
    do(box, people.set_anonymous, "yes")
    last = box.last()
    box.mail("red", UNNAMED)
    (mine,) = (flat(text) for text in box.texts(box.address("red"), last))
    assert "Press sent without your name to Blue" in mine and "> Who trusts Red?" in mine
    (row,) = box.outbox(box.address("blue"), last)
    assert row.subject == "[toy] Press from a player" and row.about == "anonymous"
    (text,) = got(box, "blue", last)
    assert "Press from a player to all" in text and "a reply to this letter reaches nobody" in text
    assert "Rita" not in row.raw.decode() and "rita" not in row.raw.decode()
    assert box.digests() == 1
    assert "Press without a name from Red (Rita) to all" in flat(box.texts("mod@host.example")[-1])
    last = box.last()
    answer = told(box, "blue", "I do.\n", headers=[f"In-Reply-To: {row.message_id}"])
    assert "none of it was sent on, since nobody is named to whom it could go" in answer
    assert got(box, "red", last) == []


def test_a_moderator_who_plays_does_not_learn_who_wrote_it(box: Postbox) -> None:
    do(box, people.set_anonymous, "yes")
    with box.store.transaction() as session:
        session.get_one(StaffRow, ("toy", "moderator")).address = box.address("blue")
    last = box.last()
    box.mail("red", UNNAMED)
    assert box.digests() == 1
    texts = [flat(text) for text in box.texts(box.address("blue"), last)]
    assert any("Press without a name from a player to all" in text for text in texts)
    assert not any("Rita" in text.partition("Where the game is")[0] for text in texts)


def test_the_moderator_is_always_told_who_writes(box: Postbox) -> None:
    do(box, people.set_anonymous, "yes")
    text = told(box, "red", "press moderator anonymously: Blue cheats.\n")
    assert "Not sent: the moderator always learns who writes." in text


def test_two_writers_cannot_be_told_apart(tmp_path: Path) -> None:
    """The same words without a name are the same letter, byte for byte, whoever of two wrote them."""
    seen = []
    for writer in ("allied", "german"):
        (path := tmp_path / writer).mkdir()
        box = new_game(path, "normandy71", "allied", "german")
        carry_out(box.store, None, box.now, lambda t: people.set_anonymous(t, "yes", **HOW))
        last = box.last()
        box.mail(writer, UNNAMED)
        (row,) = [row for row in box.outbox(after=last) if row.kind == "press"]
        text = covered_up(row.raw).decode().lower()
        assert row.seat != writer and f"{writer}@" not in text
        seen.append(text.partition("who trusts red?")[2].partition("receipt")[0].partition("proof")[0])
    assert seen[0] == seen[1]


# --- muted --------------------------------------------------------------------------------------------------


def test_who_is_muted_is_told_so(box: Postbox) -> None:
    """The writer reads it, also of press without a name; others and the moderator are written as ever."""
    text = told(box, "blue", "mute red\n")
    assert "You get no more press of Red (Rita), who reads so when writing to you." in text
    assert "Red (Rita)" in told(box, "blue", "mute\n")
    last = box.last()
    assert "Not sent to Blue, who reads no press of yours (MUTE)." in told(box, "red", "press blue: hi\n")
    do(box, people.set_anonymous, "yes")
    last = box.last()
    assert "Not sent to Blue" in told(box, "red", UNNAMED) and got(box, "blue", last) == []
    assert "Press sent to the moderator" in told(box, "red", "press moderator: hi\n")
    assert "You get press of Red (Rita) again." in told(box, "blue", "unmute red\n")
    last = box.last()
    box.mail("red", "press blue: hello again\n")
    assert "hello again" in got(box, "blue", last)[0]


@pytest.mark.parametrize("line", ["Mute swans are loud", "Unmute it, I said", "mute the radio, please"])
def test_chat_mutes_nobody(box: Postbox, line: str) -> None:
    assert "Nothing in this email was read." in told(box, "red", f"{line}\n")


def test_nobody_of_that_name(box: Postbox) -> None:
    assert 'Not done: nobody here is called "green". You can mute: blue.' in told(box, "red", "mute green\n")


def test_a_mute_holds_for_people(box: Postbox) -> None:
    """It moves with an address, and ends when another person plays the seat."""
    box.mail("blue", "mute red\n")
    do(box, people.set_address, "red", "rita@new.example")
    assert mutes.is_muted(box.seat("blue"), box.seat("red"))
    do(box, people.replace, "red", "Dora <dora@mail.example>")
    assert not mutes.is_muted(box.seat("blue"), box.seat("red"))


def test_the_moderator_stops_press(box: Postbox) -> None:
    """The player is told, can still write to the moderator, and to the others once it is ended."""
    last = box.last()
    box.mail("moderator", "MUTE red because insults\n")
    news = letter(box, "red", last)
    assert "press of red to other players is stopped" in news and "Reason: insults" in news
    assert "the moderator has stopped your press to other players." in told(box, "red", "press blue: hi\n")
    assert "Press sent to the moderator" in told(box, "red", "press moderator: why?\n")
    box.mail("moderator", "UNMUTE red\n")
    last = box.last()
    box.mail("red", "press blue: sorry\n")
    assert "sorry" in got(box, "blue", last)[0]
