"""Letters of words thrown together stop no reading: lines of the corpus with words of the language put in."""

from __future__ import annotations

from random import Random

import pytest
from sizes import size

from pbem.engine.language import Scope
from tests.language.test_language import GAMES, corpus, desk

LETTERS = size(60, 3000)
WORDS = (
    "if unless and or not no L3 L4 L3-L5 withdraw cancel all but except done turn 3 first then there each "
    "both is held by the enemy empty (cancelled) ; , . : one unit division I won't attack move advance to "
    "with at hold stays nothing pass heavy on 2 rounds Q1: a"
).split()


@pytest.mark.parametrize("key", GAMES)
def test_letters_of_anything(key: str) -> None:
    rng, at, lines = Random(key), desk(key), [each.text for each in corpus(key)]
    sections = list(at.game.grammar.sections)
    letters = [[word] for word in WORDS]
    for _ in range(LETTERS):
        letters.append([])
        for _ in range(rng.randint(1, 4)):
            words = rng.choice(lines).split() if rng.random() < 0.7 else []
            for _ in range(rng.randint(0 if words else 1, 5)):
                words.insert(rng.randint(0, len(words)), rng.choice(WORDS))
            letters[-1].append(" ".join(words))
    for letter in letters:
        scope = Scope(sections=(rng.choice(sections),), turn=1, questions={1: ("lose 9US", "hold")})
        seat, section = rng.choice(sorted(at.rosters)), rng.choice([*sections, ""])
        reading = at.game.grammar.read(list(enumerate(letter, 1)), at.rosters[seat], section, scope)
        assert reading.said or reading.cover, letter
