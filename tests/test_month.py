"""A month of mail for each game: two people who forget, are late, send twice, correct, withdraw, write ahead
and answer from the wrong address.

``PBEM_MONTH=/folder pytest tests/test_month.py`` writes every letter, in and out, into a folder, to be read;
``PBEM_SEEDS=30`` plays 30 months of each game.
"""

from __future__ import annotations

import os
import random
from collections import Counter
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from correspondence import PLAYERS, SETTINGS, looked_up, planned, waited_for
from postbox import START, Postbox
from sizes import few, size

from pbem.engine.game import game
from pbem.engine.language.choices import choice_letter
from pbem.service.intake.receive import Received
from pbem.service.moderating.start import NewGame, start
from pbem.service.play.questions import Questions
from pbem.service.play.sections import asked_section, open_sections
from pbem.service.proof.lines import letter_text
from pbem.service.proof.verify import verify_game
from pbem.service.record.store import Store
from pbem.service.time.deadline import act

FOLDER = os.environ.get("PBEM_MONTH", "")
SEEDS = int(os.environ.get("PBEM_SEEDS", "1"))
DAYS = 30 if FOLDER or SEEDS > 1 else size(5, 12)
GAMES = ("normandy71", "rampage", "falaise", "normandy44", "france44")
GREETINGS = ("Hi,", "Hello Bert,", "Moin,", "Bonjour,", "")
CLOSINGS = ("Cheers,\nAnna", "Best regards", "Anna", "-- \nsent from the train", "Viele Grüße,\nBert", "")


@dataclass
class Month:
    """The correspondence of a month: who wrote what, and what came back."""

    box: Postbox
    key: str
    chance: random.Random
    habits: Counter[str] = field(default_factory=Counter)
    letters: Counter[int] = field(default_factory=Counter)
    pages: list[str] = field(default_factory=list)
    seen: int = 0
    last: dict[str, str] = field(default_factory=dict)

    def mail(self, seat: str, text: str, habit: str, **how: Any) -> Received:
        """Write a letter and note it with its answers."""
        text = f"{self.chance.choice(GREETINGS)}\n\n{text}\n\n{self.chance.choice(CLOSINGS)}\n".strip() + "\n"
        how.setdefault("headers", [f"In-Reply-To: {self.last.get(self.box.address(seat), '')}"])
        return self.post(seat, self.box.raw(seat, text, **how), text, habit)

    def post(self, seat: str, raw: bytes, text: str, habit: str) -> Received:
        self.habits[habit] += 1
        _, here = looked_up(self.box)
        self.letters[here.turn] += 1
        self.pages.append(f"######## {seat} writes ({habit})\n{text}")
        got = self.box.deliver(raw)
        self.pages.append(f"######## {got.outcome}: {got.why}")
        self.read()
        return got

    def read(self) -> None:
        """Note all letters that have been written since."""
        for row in self.box.outbox(after=self.seen):
            self.seen = row.id or 0
            body = "\n".join(letter_text(row.raw)).rstrip()
            self.pages.append(f"######## to {row.recipient}: {row.subject}\n{body}")
            self.last[row.recipient] = row.message_id

    def turn(self) -> None:
        """Whoever is waited for writes, in one of the ways in which people do."""
        position, here = looked_up(self.box)
        seat = waited_for(self.box)[0]
        if numbers := self.box.questions(seat):
            self._answer(seat, numbers)
            return
        section = asked_section(here, seat)
        lines = planned(game(self.key), position, seat, section)
        if not lines:
            self.mail(seat, f"no orders: {section}", "nothing to order")
            return
        letter = f"[{section}]\n" + "\n".join(lines)
        habit = self.chance.choice(
            [
                "plain",
                "plain",
                "twice",
                "slip",
                "draft",
                "withdraw",
                "ahead",
                "stranger",
                "forgets",
                "late",
                "again",
            ]
        )
        getattr(self, f"_{habit}")(seat, section, lines, letter)

    def _plain(self, seat: str, section: str, lines: list[str], letter: str) -> None:
        self.mail(seat, f"{letter}\ndone", "plain")

    def _twice(self, seat: str, section: str, lines: list[str], letter: str) -> None:
        raw = self.box.raw(seat, f"{letter}\ndone\n")
        self.post(seat, raw, f"{letter}\ndone", "sends")
        assert self.post(seat, raw, f"{letter}\ndone", "sends the same mail again").outcome == "duplicate"

    def _again(self, seat: str, section: str, lines: list[str], letter: str) -> None:
        """The same words in a new mail, before anything is closed: nothing changes."""
        self.mail(seat, letter, "draft")
        before = self.box.seat(seat).sheet
        self.mail(seat, letter, "the same words in a new mail")
        assert [line["text"] for line in self.box.seat(seat).sheet["lines"]] == [
            line["text"] for line in before["lines"]
        ]
        self._close(seat, section)

    def _slip(self, seat: str, section: str, lines: list[str], letter: str) -> None:
        at = self.chance.randrange(len(lines))
        broken = [*lines[:at], f"{lines[at]} 99x", *lines[at + 1 :]]
        self.mail(seat, f"[{section}]\n" + "\n".join(broken) + "\ndone", "a slip")
        if asked_section(looked_up(self.box)[1], seat) == section and self._lines(seat, section):
            self.mail(seat, f"[{section}]\n{lines[at]}\ndone", "corrects it")

    def _draft(self, seat: str, section: str, lines: list[str], letter: str) -> None:
        self.mail(seat, letter, "draft")
        self._close(seat, section)

    def _withdraw(self, seat: str, section: str, lines: list[str], letter: str) -> None:
        self.mail(seat, letter, "draft")
        kept = self._lines(seat, section)
        if kept:
            self.mail(seat, f"withdraw L{self.chance.choice(kept)}", "withdraws a line")
        self._close(seat, section)

    def _ahead(self, seat: str, section: str, lines: list[str], letter: str) -> None:
        _, here = looked_up(self.box)
        later = [each for each in open_sections(game(self.key), here, seat) if each != section]
        none = f"\nno orders: {later[0]}" if later else ""
        self.mail(seat, f"{letter}\ndone{none}", "writes ahead")

    def _stranger(self, seat: str, section: str, lines: list[str], letter: str) -> None:
        got = self.mail(seat, f"{letter}\ndone", "from the wrong address", sender="anna@office.example")
        assert got.outcome == "held"
        self.mail(seat, f"{letter}\ndone", "from the right one")

    def _forgets(self, seat: str, section: str, lines: list[str], letter: str) -> None:
        self._time_is_up(seat)

    def _late(self, seat: str, section: str, lines: list[str], letter: str) -> None:
        answered = self.last.get(self.box.address(seat), "")
        self._time_is_up(seat)
        if self.box.row().status == "running":
            before = len(self.box.journal())
            self.mail(seat, f"{letter}\ndone", "too late", headers=[f"In-Reply-To: {answered}"])
            assert len(self.box.journal()) == before, "a late letter was played"

    def _time_is_up(self, seat: str) -> None:
        self.habits["forgets"] += 1
        self.box.now += timedelta(days=4)
        self.pages.append(f"######## {seat} does not write, and the deadline passes")
        act(self.box.store, None, self.box.now, force=True)
        self.read()

    def _close(self, seat: str, section: str) -> None:
        """Say that a section is done, whatever it takes."""
        if asked_section(looked_up(self.box)[1], seat) != section:
            return
        self.mail(seat, "done" if self._lines(seat, section) else "no orders", "says that it is done")
        if asked_section(looked_up(self.box)[1], seat) == section and self._lines(seat, section):
            self.mail(seat, "done anyway", "goes without the faulty lines")

    def _lines(self, seat: str, section: str) -> list[int]:
        return [line["name"] for line in self.box.seat(seat).sheet["lines"] if line["section"] == section]

    def _answer(self, seat: str, numbers: list[int]) -> None:
        if self.chance.random() < 0.2:
            self._time_is_up(seat)
            return
        asked = Questions.load(self.box.seat(seat).questions)
        chosen = {
            each.number: choice_letter(self.chance.randrange(len(each.options)))
            for each in asked.open
            if each.number in numbers
        }
        forms = [
            "\n".join(f"Q{number}: {letter}" for number, letter in chosen.items()),
            "   ".join(f"Q{number}: {letter}" for number, letter in chosen.items()),
            "\n".join(f"{number}. {letter}" for number, letter in chosen.items()),
            "defaults",
        ]
        self.mail(seat, self.chance.choice(forms), "answers")


@pytest.mark.parametrize("key", few(GAMES, "normandy71", "rampage"))
@pytest.mark.parametrize("seed", range(SEEDS))
def test_a_month_of_mail(key: str, seed: int, tmp_path: Path) -> None:
    """However two people write, no letter stops the game, none is unanswered, and what they are told proves
    itself."""
    box = Postbox(Store.create(tmp_path / "game.pbem"), "month")
    people = {key: PLAYERS[key] for key in ("allied", "german")}
    rules = game(key)
    playing = {seat.key for seat in rules.seats_of(rules.start().options)}
    players = {seat: player for seat, player in people.items() if seat in playing}
    players = {
        seat: player
        for seat, player in players.items()
        if seat not in rules.systems_of(rules.start().options)
    }
    start(box.store, NewGame(key, "month", settings=SETTINGS, seed=str(4 + seed), players=players), START)
    month = Month(box, key, random.Random(f"month {key} {seed}"))
    month.read()
    while box.row().status == "running" and box.now < START + timedelta(days=DAYS):
        before = len(month.pages)
        month.turn()
        box.now += timedelta(hours=month.chance.randrange(6, 40))
        assert len(month.pages) > before
    assert box.row().trouble == ""
    assert {letter.outcome for letter in box.letters()} <= {"accepted", "explained", "held"}
    assert verify_game(box.store).wrong == []
    if FOLDER:
        used = ", ".join(f"turn {turn}: {number}" for turn, number in sorted(month.letters.items()))
        print(f"{key}: letters in: {used}; {dict(month.habits)}")
        Path(FOLDER).mkdir(parents=True, exist_ok=True)
        (Path(FOLDER) / f"{key}-{seed}.txt").write_text("\n\n".join(month.pages), encoding="utf-8")
    box.store.close()
