"""Words that the grammar does not know, put among the lines of valid letters: what no letter may do with
them, told by its first finding."""

from __future__ import annotations

import random
import re
import tomllib
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st

from pbem.engine.autoplay import autoplay
from pbem.engine.bots import random_bot
from pbem.engine.game import game
from pbem.engine.language.courtesies import is_closing, is_greeting
from pbem.engine.language.cover import gaps
from pbem.engine.language.limits import LIMITS
from pbem.engine.language.people import ADVERBS, NOISE
from pbem.service.intake.inbox import Inbox
from pbem.service.intake.replies import check_lines, first_line
from pbem.service.intake.trial import considered
from pbem.service.moderating.start import NewGame
from pbem.service.play.sections import open_orders
from pbem.service.record.store import Store
from pbem.testing.post import Postbox, people, put

MOST_LINES = 3
PHRASES = tuple(
    each["text"]
    for each in tomllib.loads((Path(__file__).parent / "language/phrases.toml").read_text())["phrase"]
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


def valid(key: str, path: Path, places: int = 6) -> Iterator[Written]:
    """Valid letters of a game, in a number of positions of a game of bots."""
    rules = game(key)
    players = people(rules, {})
    bots = {seat.key: random_bot(random.Random(key)) for seat in rules.seats}
    found: set[tuple[str, str]] = set()
    for at, phase in enumerate(autoplay(rules, key, bots).phases):
        if len(found) >= places:
            return
        box = Postbox.started(
            Store.create(path / f"{at}.pbem"), NewGame(key, "game", players=players, seed="1")
        )
        put(box.store, "game", rules.load(phase.snapshot), players)
        for seat in players:
            with considered(box.store, seat, "status\n", None) as inbox:
                desk = open_orders(inbox.here.waiting, seat)
            if desk is None or (seat, desk.section) in found:
                continue
            samples = [rules.grammar.write(order) for order in desk.samples().values()]
            if (letter := reduced(Written(box.store, seat, desk.section, tuple(samples)))) is not None:
                found.add((seat, desk.section))
                yield letter


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


class Finding(AssertionError):
    """What a letter does that none may do."""


def taken_for(letter: Written, phrase: str, at: int, hanging: str) -> str:
    """What a letter takes a phrase for that is put among its lines: it is `held` by it and the reply says so
    with all its words, it reads it back as a `comment`, or it is all `courtesy`. Raises Finding if it does
    anything else, or if a word of the letter is not covered. The `then` of ``; then`` begins a line."""
    lines = put_in(letter.lines, phrase, at, hanging)
    inbox, answer = letter.considered(lines)
    text = [(line.number, line.text) for line in inbox.letter.lines]
    if left := gaps(text, inbox.reading.cover):
        raise Finding("not covered", lines, left)
    if letter.section not in inbox.closing.closed:
        said = re.sub(r"^then,? ", "", phrase) if hanging.startswith(";") else phrase
        if missing := [word for word in words(said) if word not in words(answer)]:
            raise Finding("not told of", lines, missing, answer)
        return "held"
    if any(phrase.rstrip(".!") in comment.text for comment in inbox.reading.comments):
        if phrase.rstrip(".!") not in answer:
            raise Finding("a comment not read back", lines, answer)
        if limits := [word for word in words(phrase) if word in LIMITS]:
            raise Finding("a limit as a comment", lines, limits)
        return "comment"
    if not harmless(phrase):
        raise Finding("closed over", lines, [each.order for each in inbox.reading.orders])
    return "courtesy"


def tried(
    written: Sequence[Written], count: int, seeded: int | None = None, phrases: Sequence[str] = PHRASES
) -> Counter[str]:
    """What a number of letters take phrases for, always the same ones or those of a seed; raises the first
    Finding."""
    told: Counter[str] = Counter()

    @settings(
        max_examples=count,
        deadline=None,
        derandomize=seeded is None,
        database=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(
        st.integers(0, len(written) - 1),
        st.integers(0, MOST_LINES - 1),
        st.sampled_from(phrases),
        st.sampled_from(HANGING),
    )
    def letters(which: int, at: int, phrase: str, hanging: str) -> None:
        told[taken_for(written[which], phrase, at, hanging)] += 1

    (letters if seeded is None else seed(seeded)(letters))()
    return told
