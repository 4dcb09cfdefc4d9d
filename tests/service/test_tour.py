"""The tutorial by mail: a newcomer who does what its letters say learns everything in six letters, and one
who does something else is told again.

Cases of its rules: 2.1, 2.2, 3.1, 3.2, 3.3.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest
from conftest import Store
from sizes import some

from pbem.config import settings
from pbem.engine.game import game
from pbem.engine.installed import games
from pbem.engine.play import Answer, Ask, Decision, advance
from pbem.service.letters.lessons import AGAIN
from pbem.service.letters.rolls.open import open_disputes
from pbem.service.moderating.start import NewGame, Player
from pbem.service.proof.lines import letter_text
from pbem.service.record.store import only_game
from pbem.service.record.table import Table
from pbem.service.time.deadline import act
from pbem.testing.post import Postbox
from pbem.tour.rules import blue_march, fight, result
from pbem.tour.state import Fought, State
from tests.cli.test_commands import ok, refused

GAME = game("tour")
NELL = "nell@x.example"
LESSONS = ["TRY", "a draft", "a correction", "a decision", "DISPUTE", "a standing order"]
USED = "You have used TRY, a correction, DONE, a decision, DISPUTE, a standing order."


class Newcomer:
    """Somebody who reads the last letter and does what it says, and nothing else."""

    def __init__(self, store: Store, seed: str | None = "1", **settings: object) -> None:
        players = {"red": Player("Nell", NELL)}
        terms = {"address": "pbem@club.example"} | settings
        self.box = Postbox.started(store, NewGame("tour", "tour", players=players, settings=terms, seed=seed))
        self.sent: list[str] = []

    def letter(self) -> list[str]:
        """The last letter, line by line."""
        return list(letter_text(self.box.outbox(NELL)[-1].raw))

    def lesson(self) -> str:
        """The title of the lesson in the last letter."""
        [title] = [line for line in self.letter() if line.startswith(("Lesson ", "The end of the lessons"))]
        return title

    def told(self) -> list[str]:
        """The lines that the letter says to send."""
        letter = self.letter()
        if "Send:" not in letter:
            return []
        lines: list[str] = []
        for line in letter[letter.index("Send:") + 1 :]:
            if not line.startswith("    "):
                break
            lines.append(line.strip())
        return lines

    def write(self, *lines: str) -> None:
        """Answer the last letter as mail programs do: the letter is quoted below the answer."""
        last = self.box.outbox(NELL)[-1]
        quoted = [f"> {line}" for line in self.letter()]
        body = "\n".join([*lines, "", "On Friday pbem wrote:", *quoted])
        headers = [f"In-Reply-To: <{last.message_id.strip('<>')}>"]
        self.box.mail("red", body, subject=f"Re: {last.subject}", headers=headers)
        self.sent.append("\n".join(lines))

    def goes_on(self, most: int) -> list[str]:
        """Do what the letters say until they say nothing more; return the titles of the lessons."""
        titles = [self.lesson()]
        while lines := self.told():
            assert len(self.sent) < most, "\n".join(self.letter())
            self.write(*lines)
            titles.append(self.lesson())
        return titles


@pytest.mark.parametrize("seed", ["1", "2", "3", "4"])
def test_six_letters_teach_everything(store: Store, seed: str) -> None:
    """A newcomer who does only what the letters say has used everything after six letters, whatever the dice
    say, and the game is over."""
    newcomer = Newcomer(store, seed)
    titles = newcomer.goes_on(most=6)
    assert titles == [
        *(f"Lesson {number} of 6: {what}" for number, what in enumerate(LESSONS, 1)),
        "The end of the lessons",
    ]
    assert newcomer.box.row().status == "over"
    words = "\n".join(newcomer.sent)
    used = ("TRY", "DONE", "L2: move", "Q1: ", "DISPUTE R1", "standing rest: ")
    assert len(newcomer.sent) == 6 and all(each in words for each in used)
    assert USED in newcomer.letter()


def test_what_was_learned_is_on_record(store: Store) -> None:
    """What the letters say was done was done: a roll is disputed, and a standing order has decided."""
    newcomer = Newcomer(store)
    newcomer.goes_on(most=6)
    with store.transaction() as session:
        table = Table(session, only_game(session, "tour"), newcomer.box.now)
        assert [(each.roll, each.seat) for each in open_disputes(table)] == [("R1", "red")]
    assert "which patrol rests: Owl   (standing rest: Owl)" in newcomer.letter()


ELSE = {
    "chat": "Hello! What a nice game. How do I play?",
    "DONE alone": "DONE",
    "a word nobody knows": "fly Fox to 0202",
    "a hex too far": "move Fox to 0303",
    "a draft at once": "move Fox to 0202",
    "HELP": "HELP",
    "nothing but a blank": " ",
    "the next lesson": "standing rest: Fox",
    "TRY alone": "TRY",
    "all at once": "move Fox to 0202\nmove Owl to 0203\nDONE",
    "no orders": "NO ORDERS",
    "a plan for both turns": "move Fox to 0202\nmove Fox to 0303\nDONE ALL",
}


something_else = pytest.mark.parametrize("words", some([*ELSE.values()], 4), ids=some([*ELSE], 4))


@something_else
def test_who_does_something_else_is_not_lost(store: Store, words: str) -> None:
    """The lesson comes again, or the next one that fits, and whoever then does what it says comes to the
    end."""
    newcomer = Newcomer(store)
    first = newcomer.lesson()
    newcomer.write(*words.splitlines())
    assert newcomer.told()
    again = newcomer.lesson() == first
    assert again == any(line.startswith(AGAIN[:30]) for line in newcomer.letter())
    newcomer.goes_on(most=10)
    assert newcomer.box.row().status == "over"
    asked = "standing" not in words  # who gives a standing order before he is asked is not asked
    assert (USED in newcomer.letter()) is asked
    assert asked or "You have not used a decision" in " ".join(newcomer.letter())


@something_else
def test_every_lesson_can_be_missed(store: Store, words: str) -> None:
    """Somebody who answers each lesson first with something else is led to the end all the same."""
    newcomer = Newcomer(store)
    while newcomer.told() and len(newcomer.sent) < 30:
        newcomer.write(*words.splitlines())
        if lines := newcomer.told():
            newcomer.write(*lines)
    assert newcomer.box.row().status == "over"


def test_a_lesson_that_was_missed_comes_again(store: Store) -> None:
    """A wrong line, DONE alone: the letter says so and brings the same lesson once more."""
    newcomer = Newcomer(store)
    for words in ("DONE", "Hello?"):
        newcomer.write(words)
        assert newcomer.lesson() == "Lesson 1 of 6: TRY"
        assert AGAIN[:30] in "\n".join(newcomer.letter())
    newcomer.write(*newcomer.told())
    assert newcomer.lesson() == "Lesson 2 of 6: a draft"
    assert AGAIN[:30] not in "\n".join(newcomer.letter())


def test_a_line_of_ones_own_is_corrected(store: Store) -> None:
    """A wrong line of the newcomer's own is the one to be corrected; one too many is withdrawn."""
    newcomer = Newcomer(store)
    newcomer.write("TRY", "move Fox to 0202")
    newcomer.write("move Fox to 0303")
    assert newcomer.told() == ["L1: move Fox to 0202", "DONE"]
    newcomer.write("L1: move Fox to 0202", "move Owl to 0203", "move Bear to 0303")
    assert newcomer.told() == ["withdraw L3", "DONE"]
    newcomer.goes_on(most=10)
    assert USED in newcomer.letter()


def test_who_writes_nothing_is_told_at_each_deadline(store: Store) -> None:
    """With a clock the game ends by itself, and its last letter says what was not used."""
    newcomer = Newcomer(store, clock_hours=24)
    titles = [newcomer.lesson()]
    for _ in range(10):
        newcomer.box.now += timedelta(days=2)
        act(store, "tour", newcomer.box.now, force=True)
        titles.append(newcomer.lesson())
        if newcomer.box.row().status == "over":
            break
    assert titles[0] == "Lesson 1 of 6: TRY" and titles[-1] == "The end of the lessons"
    assert "You have not used TRY" in " ".join(newcomer.letter())


def test_the_tutorial_of_a_club_writes_to_its_player_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The moderator of the settings has no part in it: the dispute of its lesson reaches nobody. Other games
    have that moderator."""
    monkeypatch.setenv("PBEM_MODERATOR", "Carla <carla@club.example>")
    settings.cache_clear()
    file = tmp_path / "club.pbem"
    ok("new", "tour", "-o", file, "--id", "nell", "--player", f"red=Nell <{NELL}>", "--seed", "1")
    ok("submit", file, "--seat", "red", "-", stdin="press moderator: hello\nmove Fox to 0202\ndone\n")
    ok("submit", file, "--seat", "red", "-", stdin="dispute R1 it was cocked\n")
    ok("mail", "folder", file, tmp_path / "out")
    letters = [path.read_text() for path in (tmp_path / "out").glob("*.eml")]
    assert letters and all(f"<{NELL}>" in each for each in letters)
    assert "carla" not in "".join(letters)
    ok("new", "rampage", "-o", file, "--id", "caen", "--seed", "1")
    assert "carla@club.example" in ok("mail", "outbox", file)


def test_a_moderator_is_named(store: Store) -> None:
    """The lesson on DISPUTE speaks of a moderator where there is one."""
    newcomer = Newcomer(store, moderator="mod@club.example")
    while "DISPUTE" not in newcomer.lesson():
        newcomer.write(*newcomer.told())
    assert "no moderator" not in " ".join(newcomer.letter())
    newcomer.goes_on(most=6)
    assert USED in newcomer.letter()


def test_no_lesson_while_the_dice_wait(store: Store) -> None:
    """In a game with the beacon there is nothing to do until the round is out: no letter says there is."""
    pytest.importorskip("py_arkworks_bls12381")
    newcomer = Newcomer(store, seed=None, dice="beacon")
    for _ in range(3):
        newcomer.write(*newcomer.told())
    letter = " ".join(newcomer.letter())
    assert "The dice: they hang on round" in letter and "Lesson" not in letter and not newcomer.told()


# --- its rules ----------------------------------------------------------------------------------------------


def fought(die: int, rests: str = "Fox", **units: str) -> State:
    """2.2, 3.1, 3.2 A game after Blue has moved and the die has fallen."""
    state = GAME.start()
    state.units |= units
    advance(blue_march(state), state)
    state.phase = "fight"

    def answers(request: Decision) -> Answer | None:
        assert isinstance(request, Ask)
        return Answer(rests, "orders")

    advance(fight(state), state, answers=answers, dice=lambda request, label: [die])
    return state


def faces(**units: str) -> Iterator[bool]:
    """3.1 For each face whether Red wins."""
    for die in range(1, 7):
        [note] = [note for note in fought(die, **units).log if isinstance(note, Fought)]
        yield note.won


def test_3_1_patrols_near_the_mill_count() -> None:
    """2.2 Both of Blue's come near; 3.1 with none, one or two of Red's, a 6, 5 or 4 wins."""
    assert sum(faces()) == 1
    assert sum(faces(Fox="0202")) == 2
    assert sum(faces(Fox="0202", Owl="0203")) == 3


def test_3_2_the_patrol_named_rests() -> None:
    """3.2 It goes back to where it began, and the other stays."""
    state = fought(1, "Fox", Fox="0202", Owl="0203")
    assert (state.units["Fox"], state.units["Owl"]) == ("0102", "0203")


def test_3_3_one_fight_is_enough() -> None:
    """3.3 Red wins with one fight, and Blue without."""
    assert result(fought(6)).winner == "red" and result(fought(1)).winner == "blue"


# --- where it is found --------------------------------------------------------------------------------------


def test_it_is_not_one_of_the_games() -> None:
    """Nobody who looks for a wargame is shown the tutorial."""
    assert "tour" not in games() and "tour" not in ok("games").split()


def test_a_host_starts_it_for_a_newcomer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is started like any game, with one player."""
    monkeypatch.chdir(tmp_path)
    ok("new", "tour", "--player", "red=Nell <nell@mail.example>")
    assert "Red (Nell): orders for [march]" in ok("status", "tour.pbem")
    ok("mail", "send", "tour.pbem", "--folder", "out")
    [letter] = (tmp_path / "out").glob("*.eml")
    assert "Lesson 1 of 6" in letter.read_text(encoding="utf-8")


def test_the_tour_shows_each_letter(tmp_path: Path) -> None:
    """`pbem demo --tour` shows what pbem writes and what is sent, in turn, and leaves the letters."""
    shown = ok("demo", str(tmp_path / "demo"), "--tour")
    at = [shown.index(f"Lesson {number} of 6") for number in range(1, 7)]
    assert at == sorted(at) and shown.count("You reply") == 6
    assert shown.index("   TRY\n   move Fox to 0202") < shown.index("Tried: nothing is kept.")
    assert USED in " ".join(shown.split())
    assert len(list((tmp_path / "demo/letters/red").glob("*.eml"))) == 7
    assert (tmp_path / "demo/index.html").is_file()


def test_the_tour_has_a_game_of_its_own(tmp_path: Path) -> None:
    """No game is given with it, and no folder that is taken."""
    assert "--tour has a game of its own" in refused(
        "demo", str(tmp_path), "--tour", "--game", "falaise", code=2
    )
    (tmp_path / "game.pbem").touch()
    assert "already holds a demo" in refused("demo", str(tmp_path), "--tour")
