"""Words that the grammar does not know, put among the lines of a valid letter: no section closes over one of
them, and each word is accounted for.

``PBEM_LETTERS=1000 pytest tests/service/test_words_among_orders.py`` tries so many letters of each game."""

from __future__ import annotations

import os
import random
import re
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pbem.engine.autoplay import autoplay
from pbem.engine.bots import random_bot
from pbem.engine.game import game
from pbem.engine.language.courtesies import is_closing, is_greeting
from pbem.engine.language.cover import gaps
from pbem.engine.language.people import ADVERBS, NOISE
from pbem.service.inbox import Inbox
from pbem.service.letters.replies import check_lines, first_line
from pbem.service.play.sections import open_orders
from pbem.service.start import NewGame
from pbem.service.store import Store
from pbem.service.trial import considered
from pbem.testing.post import Postbox, people, put

GAMES = ("normandy71", "rampage", "falaise", "normandy44", "france44")
LETTERS = int(os.environ.get("PBEM_LETTERS", "60"))
PLACES = 6
"""So many positions of each game are written letters in."""
MOST_LINES = 3
PHRASES = tuple(
    each["text"]
    for each in tomllib.loads((Path(__file__).parents[1] / "language/phrases.toml").read_text())["phrase"]
)
HANGING = ("", " {}", ", {}", "; {}", " ({})", " -- {}", ". {}", " # {}", ": {}")
"""How words may hang on an order; "" for a line of their own."""


@dataclass(frozen=True)
class Written:
    """A letter that closes a section of a game where it stands."""

    store: Store
    seat: str
    section: str
    lines: tuple[str, ...]

    def considered(self, lines: Sequence[str]) -> tuple[Inbox, str]:
        """What would come of these lines: the letter as it is read, and the reply in one line."""
        text = "\n".join(["Hi Bert,", "", f"[{self.section}]", *lines, "done", "", "Cheers", "Anna"])
        with considered(self.store, self.seat, text, None) as inbox:
            answer = " ".join(" ".join((first_line(inbox, inbox.here), *check_lines(inbox))).split())
            return inbox, answer

    def closes(self, lines: Sequence[str]) -> bool:
        return self.section in self.considered(lines)[0].closing.closed


@pytest.fixture(scope="module")
def letters(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[Written]]:
    """Valid letters of each game, in positions of a game of bots."""
    return {key: list(valid(key, tmp_path_factory.mktemp(key))) for key in GAMES}


def valid(key: str, path: Path) -> list[Written]:
    rules = game(key)
    players = people(rules, {})
    bots = {seat.key: random_bot(random.Random(key)) for seat in rules.seats}
    found: list[Written] = []
    for at, phase in enumerate(autoplay(rules, key, bots).phases):
        if len(found) == PLACES:
            break
        box = Postbox.started(
            Store.create(path / f"{at}.pbem"), NewGame(key, "game", players=players, seed="1")
        )
        put(box.store, "game", rules.load(phase.snapshot), players)
        for seat in players:
            with considered(box.store, seat, "status\n", None) as inbox:
                desk = open_orders(inbox.here.waiting, seat)
            if desk is None or any((each.seat, each.section) == (seat, desk.section) for each in found):
                continue
            samples = [rules.grammar.write(order) for order in desk.samples().values()]
            if (letter := reduced(Written(box.store, seat, desk.section, tuple(samples)))) is not None:
                found.append(letter)
    return found


def reduced(letter: Written) -> Written | None:
    """The letter with the first of its lines that together close its section."""
    good: list[str] = []
    for line in letter.lines:
        if len(good) < MOST_LINES and letter.closes([*good, line]):
            good.append(line)
    return Written(letter.store, letter.seat, letter.section, tuple(good)) if good else None


def put_in(lines: Sequence[str], phrase: str, at: int, hanging: str) -> list[str]:
    """The lines with a phrase behind the one at this place, or as a line of its own before it."""
    at %= len(lines)
    if not hanging:
        return [*lines[:at], phrase, *lines[at:]]
    return [*lines[:at], lines[at] + hanging.format(phrase), *lines[at + 1 :]]


def words(text: str) -> list[str]:
    return re.findall(r"\w+(?:['’]\w+)?", text.lower())


def harmless(phrase: str) -> bool:
    """Whether a phrase is all courtesy, from the closed lists."""
    return all(word in NOISE | ADVERBS for word in words(phrase)) or is_greeting(phrase) or is_closing(phrase)


@pytest.mark.parametrize("key", GAMES)
def test_no_section_closes_over_words_that_are_not_read(key: str, letters: dict[str, list[Written]]) -> None:
    """A limit, a place, a second clause or a sentence in the middle of orders costs a letter, never a turn;
    as a comment it is read back. Every word of the letter is covered, and told of in the reply."""
    written = letters[key]
    assert len(written) > 2
    told = {"held": 0, "comment": 0, "courtesy": 0}

    @settings(
        max_examples=LETTERS,
        deadline=None,
        derandomize=True,
        database=None,
        suppress_health_check=list(HealthCheck),
    )
    @given(
        st.integers(0, len(written) - 1),
        st.integers(0, MOST_LINES - 1),
        st.sampled_from(PHRASES),
        st.sampled_from(HANGING),
    )
    def no_letter(which: int, at: int, phrase: str, hanging: str) -> None:
        letter = written[which]
        lines = put_in(letter.lines, phrase, at, hanging)
        inbox, answer = letter.considered(lines)
        text = [(line.number, line.text) for line in inbox.letter.lines]
        assert gaps(text, inbox.reading.cover) == []
        if letter.section not in inbox.closing.closed:
            told["held"] += 1
            missing = [word for word in words(phrase) if word not in words(answer)]
            assert not missing, (lines, missing, answer)
        elif any(phrase.rstrip(".!") in comment.text for comment in inbox.reading.comments):
            told["comment"] += 1
            assert phrase in answer or phrase.rstrip(".!") in answer
        else:
            told["courtesy"] += 1
            assert harmless(phrase), (lines, [each.order for each in inbox.reading.orders])

    no_letter()
    print(key, told)
