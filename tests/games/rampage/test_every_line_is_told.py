"""Whole games by mail, with orders of a bot between lines that are impossible, misspelt,
doubtful or taken back: whatever becomes of a line, its writer is told."""

from __future__ import annotations

import os
import random
import re
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from correspondence import looked_up, planned, waited_for
from postbox import Postbox

from pbem.games.rampage import GAME
from pbem.service.play.sections import asked_section
from tests.games.rampage.kit import TWO, by_mail

SEEDS = range(1, 1 + int(os.environ.get("PBEM_SEEDS", "1")))
MOST = 100
"""More rounds of letters than a game has."""
DOUBTFUL = (
    "9Inf to 1801",
    "4A to 1203",
    "try 3A to 1507",
    "5Inf, 7BrA to 1803",
    "79Imf to 1304",
    "if 3A is alive, GdsA to 1803",
    "2A to 1603, fight until won, pause after battles",
)
FATE = re.compile(r"(?:carried out|passed over) +L(\d+)|L(\d+) is withdrawn")
TOGETHER = re.compile(r"carried out +(L\d+ .*)")
LEFT_OUT = re.compile(r"Not used, because you wrote DONE ANYWAY: ([^.]*)\.")


@dataclass
class Correspondence:
    """A game by mail, and for each seat the names of all lines that were kept and of those whose fate
    a letter has told."""

    box: Postbox
    chance: random.Random
    kept: dict[str, set[str]] = field(default_factory=dict)
    told: dict[str, set[str]] = field(default_factory=dict)

    def mail(self, seat: str, text: str) -> None:
        last = self.box.last()
        self.box.mail(seat, text)
        for key in self.kept:
            self.kept[key] |= {str(line["name"]) for line in self.box.seat(key).sheet["lines"]}
            for letter in self.box.texts(self.box.address(key), last):
                plain = letter.replace("\n  ", " ")
                self.told[key] |= {name for pair in FATE.findall(plain) for name in pair if name}
                done = (re.split(r"; +L", f"; {each}")[1:] for each in TOGETHER.findall(plain))
                self.told[key] |= {each.partition(" ")[0] for line in done for each in line}
                self.told[key] |= {
                    name for names in LEFT_OUT.findall(plain) for name in re.findall(r"\d+", names)
                }

    def turn(self) -> None:
        """One who is waited for writes: answers, or a draft, corrections,
        and that all of it is to be played."""
        position, here = looked_up(self.box)
        seat = waited_for(self.box)[0]
        if questions := self.box.questions(seat):
            answers = "\n".join(f"Q{number}: {self.chance.choice('ab')}" for number in questions)
            self.mail(seat, "defaults" if self.chance.random() < 0.2 else answers)
            return
        section = asked_section(here, seat)
        lines = planned(GAME, position, seat, section)
        if section == "operations":
            lines += [line for line in DOUBTFUL if self.chance.random() < 0.3]
        self.mail(seat, f"[{section}]\n" + "\n".join(lines))
        if self.chance.random() < 0.2:
            self.mail(seat, "\n".join(lines[:2]))
        if self.chance.random() < 0.1:
            self.mail(seat, f"withdraw L{self.chance.randrange(1, 30)}")
        self.mail(seat, "done anyway" if lines else f"new [{section}]\nno orders: {section}")


@pytest.mark.dear
@pytest.mark.parametrize("seed", SEEDS)
def test_every_line_of_a_game_is_accounted_for(seed: int, tmp_path: Path) -> None:
    """9.1 Of every line that was ever kept a letter says that it was carried out, passed over,
    withdrawn or left out; no letter stops the game."""
    two = seed % 2 == 1
    box = by_mail(tmp_path, seed=str(seed), **(TWO if two else {"heavy_bombers": "yes"}))
    seats = ("us", "british") if two else ("allied",)
    letters = Correspondence(
        box, random.Random(seed), {key: set() for key in seats}, {key: set() for key in seats}
    )
    for _ in range(MOST):
        if box.row().status != "running":
            break
        letters.turn()
    assert box.row().status == "over", box.row().trouble
    assert letters.kept == {key: letters.kept[key] & letters.told[key] for key in seats}
    assert all(len(names) > 20 for names in letters.kept.values())
