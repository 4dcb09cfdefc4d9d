"""What a moderator does by mail that once needed a shell: looking about, people, terms, the end."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from conftest import HOUR, NOW, begin
from postbox import Postbox
from test_rulings import played, sound
from test_staff_mail import MODERATOR, coded, told

from pbem.service.moderating.start import Player
from pbem.service.proof.verify import verify_game
from pbem.service.record.rows import GameRow, OutboxRow
from pbem.service.record.store import Store
from pbem.service.tools import queries
from pbem.service.tools.site import _manifest, write_site


@pytest.fixture
def box(tmp_path: Path) -> Postbox:
    """The toy game after a roll, R1, with a decision of blue open."""
    store = Store.create(tmp_path / "toy.pbem")
    begin(store, blue=Player("Bob", "bob@mail.example"))
    played(store)
    return Postbox(store, "toy", "pbem@host.example", NOW + 3 * HOUR)


def done(box: Postbox, line: str) -> str:
    """Send a command that asks first, and then the line with its code; return the second answer."""
    return told(box, f"{coded(told(box, line + chr(10)))}\n")


def written(box: Postbox, line: str) -> OutboxRow:
    """The letter that answers a command."""
    told(box, f"{line}\n")
    return box.outbox(MODERATOR)[-1]


# --- looking ------------------------------------------------------------------------------------------------


def test_an_order_is_struck_by_mail_alone(box: Postbox) -> None:
    """LIST names it, STRIKE takes its name."""
    listed = told(box, "LIST\n")
    (name,) = re.findall(r"(J\d+) +red .*move R2 to 0103", listed)
    assert "R1 J" in listed
    assert "R2 to 0103 is struck out" in done(box, f"STRIKE {name} because it was sent by mistake")
    assert "Nothing was thrown or decided" in told(box, "LIST turn 7\n")


def test_the_log_of_any_seat(box: Postbox) -> None:
    everything, of_blue = told(box, "LOG\n"), told(box, "log blue turn 1\n")
    assert "the prize lies at 0303" in everything and "B1 goes to 0402" in of_blue
    assert "the prize lies" not in of_blue
    assert "has not begun" in told(box, "LOG red turn 9\n")
    assert 'no seat "green"' in told(box, "LOG green\n")


def test_the_map_of_any_seat_or_of_all(box: Postbox) -> None:
    one, every = written(box, "MAP red"), written(box, "MAP all")
    assert b'filename="map-red.svg"' in one.raw and b"image/png" in one.raw
    for reader in ("umpire", "red", "blue"):
        assert f'filename="map-{reader}.svg"'.encode() in every.raw
    assert "is not over yet" in told(box, "MAP red turn 1\n")


def test_the_last_letter_of_a_seat_without_its_secret(box: Postbox) -> None:
    last = box.outbox(box.address("blue"))[-1]
    shown = told(box, "BECOME blue\n")
    assert f"Subject: {last.subject}" in " ".join(shown.split())
    body = box.texts(box.address("blue"))[-1].split("\n\n")[0]
    assert " ".join(body.split()) in " ".join(shown.split())
    secret = box.reply_address("blue").partition("@")[0].rpartition(".")[2]
    assert secret not in shown and "no seat" in told(box, "BECOME green\n")


def test_people(box: Postbox) -> None:
    assert "Bob <bob@mail.example>" in told(box, "PEOPLE\n")


# --- people and terms ---------------------------------------------------------------------------------------


def test_a_seat_changes_hands_and_comes_back(box: Postbox) -> None:
    done(box, "SUBSTITUTE blue Dora <dora@mail.example> because Bob is ill")
    assert box.address("blue") == "dora@mail.example"
    assert box.outbox("dora@mail.example")[-1].subject.startswith("[toy] 1 decision by")
    done(box, "player back blue because he is well")
    assert box.address("blue") == "bob@mail.example"
    done(box, "REPLACE blue carla@mail.example")
    assert box.address("blue") == "carla@mail.example"
    done(box, "EJECT blue")
    assert box.address("blue") == ""


def test_a_new_reply_address(box: Postbox) -> None:
    old = box.reply_address("blue")
    done(box, "TOKEN blue because it leaked")
    assert box.reply_address("blue") != old
    assert "old one is useless" in " ".join(box.texts("bob@mail.example")[-1].split())


def test_staff_comes_and_goes(box: Postbox) -> None:
    done(box, "ADD observer Ed <ed@mail.example>")
    assert "2 turns after it has ended" in " ".join(told(box, "DELAY observer 2\n").split())
    done(box, "REMOVE observer because he asked")
    assert "ed@mail.example" not in told(box, "PEOPLE\n")


def test_a_bot_plays_and_gives_back(box: Postbox) -> None:
    done(box, "BOT blue greedy because Bob is away")
    assert "bot greedy" in told(box, "PEOPLE\n")
    assert all(row.outcome != "held" for row in box.letters())
    done(box, "BOT blue none")
    says = "Bob plays Blue from now on, in place of the bot"
    assert any(says in " ".join(text.split()) for text in box.texts("bob@mail.example"))
    assert "no bot plays" in told(box, "BOT blue none\n")


TERMS = [
    ("clock 36h", {"clock_hours": 36.0}),
    ("missed wait, remind 12h", {"missed": "wait", "remind_hours": 12.0}),
    ('--days "mon tue" --at 21', {"days": "mon tue", "clock_at": 21}),
    ("disputes wait, dispute-days 2.", {"disputes": "wait", "dispute_days": 2}),
    ("grace: 6h, minimum=1d", {"grace_hours": 6.0, "minimum_hours": 24.0}),
]


@pytest.mark.parametrize(("words", "terms"), TERMS)
def test_terms(box: Postbox, words: str, terms: dict[str, object]) -> None:
    assert "Not done" not in told(box, f"TERMS {words}\n")
    assert box.row().settings.items() >= terms.items()


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("clok 3d", "did you mean clock?"),
        ("clock often", "write a time as 3d, 36h or 1d12h"),
        ("days foo", '"foo" is not a weekday'),
        ("at noon", "at: "),
    ],
)
def test_terms_that_are_none(box: Postbox, words: str, said: str) -> None:
    before = dict(box.row().settings)
    assert said in " ".join(told(box, f"TERMS {words}\n").split())
    assert box.row().settings == before


def test_a_deadline_is_applied_now(box: Postbox) -> None:
    """Blue's decision is made for him, and he reads so."""
    before = len(box.journal())
    asked = told(box, "FORCE because Bob does not answer\n")
    assert "The deadline is applied now, for Blue" in asked and len(box.journal()) == before
    told(box, f"{coded(asked)}\n")
    assert "letters go to: blue" in asked
    letter = " ".join(box.texts("bob@mail.example")[-1].split())
    assert letter.startswith("The moderator did not wait any longer: a decision was made for you")
    told(box, "TERMS missed wait\n")
    assert "TERMS missed standing" in told(box, "FORCE\n")


def test_a_stopped_game_goes_on(box: Postbox) -> None:
    """The letters kept meanwhile act."""
    with box.store.transaction() as session:
        row = box.row()
        row.status, row.trouble = "stopped", "KeyError"
        session.merge(row)
    assert box.mail("blue", "Q1: a\n").outcome == "stopped"
    assert "The game goes on; 1 letter kept since then: blue" in " ".join(told(box, "RESUME\n").split())
    assert box.row().status == "running" and box.letters()[-2].outcome != "stopped"
    assert "not stopped" in told(box, "adjudicate --resume\n")


# --- the end ------------------------------------------------------------------------------------------------

ENDS = {
    "draw": "a draw, as agreed",
    "abandoned": "abandoned, without a result",
    "annulled": "annulled: it counts for nobody",
    "red": "Red wins, as adjudicated",
}


@pytest.mark.parametrize("how", ENDS)
def test_the_end(box: Postbox, how: str) -> None:
    """Every player gets a last letter with the result, the reason and all secrets; the record holds, and
    nothing more can be played."""
    last = box.last()
    assert "The game ends: " + ENDS[how] in done(box, f"END {how} because both have agreed")
    for seat in ("red", "blue"):
        (letter,) = box.outbox(box.address(seat), last)
        text = " ".join(box.texts(box.address(seat), last)[0].split())
        assert letter.subject == f"[toy] The game is over: {ENDS[how]}"
        ended = f"The game has ended: {ENDS[how]}. Ended by the moderator: both have agreed"
        assert f"Result: {ENDS[how]}" in text and text.startswith(ended)
        assert b"opened" in letter.raw
    assert box.row().status == "over"
    assert "The game is over" in told(box, "STATUS\n")
    sound(box.store)
    status = queries.status(box.store, "toy")
    assert (status.status, status.result) == ("over", ENDS[how])
    before = len(box.journal())
    box.mail("blue", "Q1: a\ndone\n")
    assert "The game is over" in " ".join(box.texts("bob@mail.example")[-1].split())
    assert len(box.journal()) == before
    assert "is over" in told(box, "END draw because again\n")
    assert "over" in told(box, "REROLL R1 because of that\n")
    assert verify_game(box.store, "toy").wrong == []


@pytest.mark.parametrize(
    ("how", "score"), [("draw", "drawn"), ("annulled", ""), ("abandoned", ""), ("red", "won")]
)
def test_what_an_end_counts_for(box: Postbox, how: str, score: str, tmp_path: Path) -> None:
    """A game without a result is nobody's."""
    done(box, f"END {how} because of that")
    write_site(box.store, tmp_path / "site", NOW)
    (told,) = _manifest(tmp_path / "site").games
    assert (told.result, told.score("red")) == (ENDS[how], score)


def test_how_no_game_ends(box: Postbox) -> None:
    text = " ".join(told(box, "END peace because of that\n").split())
    assert "a game does not end as" in text and "draw, abandoned, annulled, blue, red" in text
    assert "needs a reason" in told(box, "END draw\n")


# --- the words of the command line, and all games -----------------------------------------------------------


def test_the_words_of_the_command_line(box: Postbox) -> None:
    assert "PAUSE" in told(box, "deadline pause because of the holidays\n")
    assert box.row().clock.get("paused")
    assert "The clock goes on" in told(box, "toy: deadline continue\n")
    assert "REROLL R1 because cocked CODE" in told(box, "rule reroll R1 because cocked\n")


def test_every_game_at_once(box: Postbox) -> None:
    """`all:` stands for each game that he moderates."""
    begin(box.store, "mill")
    told(box, "all: PAUSE because the server is off\n")
    with box.store.transaction() as session:
        paused = [session.get_one(GameRow, name).clock.get("paused") for name in ("toy", "mill")]
    assert all(paused)


def test_a_ruling_comes_first_and_what_is_held_behind_it(box: Postbox) -> None:
    assert box.mail("red", "done\n", sender="eve@x.example").outcome == "held"
    told(box, "UPHOLD R1\n")
    text = " ".join(box.texts(box.address("red"))[-1].split())
    assert text.startswith("R1 stands. This is ruling 1") and "1 email in your name is held" in text


def test_a_line_that_is_broken_before_a_word_that_is_a_command(box: Postbox) -> None:
    """It is put together again where its code fits; lines that stand by themselves stay apart."""
    line = coded(told(box, "REROLL R1 because the die fell off the table at the end of it all\n"))
    first, second = line.split(" end ")
    done = told(box, f"{first}\nend {second}\n")
    assert "R1 was thrown again" in done and "END" not in done
    line = coded(told(box, "REROLL R1 because it fell off once more\n"))
    both = told(box, f"PAUSE\n{line}\n")
    assert "The clock is stopped" in " ".join(both.split()) and "R1 was thrown again" in both


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("STRKE J4 because it was a slip", "write it as: STRIKE J4 because it was a slip"),
        ("please pauze", "write it as: PAUSE"),
        ("please pause the game", "write it as: PAUSE"),
        ("LITS turn 2", "write it as: LIST turn 2"),
        ("REPLCE blue Dora", "write it as: REPLACE german dora@mail.example"),
    ],
)
def test_a_mistyped_line_comes_back_as_it_was_meant(box: Postbox, line: str, says: str) -> None:
    before = len(box.journal())
    assert says in " ".join(told(box, f"{line}\n").split())
    assert len(box.journal()) == before


def test_please(box: Postbox) -> None:
    assert "The clock is stopped" in " ".join(told(box, "Please pause because of the holidays\n").split())
