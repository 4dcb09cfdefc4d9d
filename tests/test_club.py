"""A month in a club: eight people, four games, one moderator who writes by mail. Two players are replaced,
one goes on holiday, three rolls are disputed, one game goes back, one is paused and archived.

``PBEM_CLUB=/folder pytest tests/test_club.py`` writes every letter into a folder, to be read.
"""

from __future__ import annotations

import os
import re
from collections import Counter
from datetime import timedelta
from pathlib import Path

from postbox import START, Postbox

from pbem.service.letters.rolls.open import open_disputes
from pbem.service.moderating import people, timing
from pbem.service.moderating.digest import write_digests
from pbem.service.moderating.hosting import Done, carry_out
from pbem.service.moderating.rulings.ruling import rulings
from pbem.service.moderating.start import NewGame, Player
from pbem.service.play.sections import asked_section
from pbem.service.proof.lines import check_letters, letter_text
from pbem.service.proof.verify import verify_game
from pbem.service.record.rows import OutboxRow
from pbem.service.record.store import Store, only_game
from pbem.service.record.table import Table
from pbem.service.time.deadline import act
from pbem.service.tools.transfer import export, read

FOLDER = os.environ.get("PBEM_CLUB", "")
DAYS = 30
DISPUTED = {2: "utah", 6: "gap", 9: "ale"}
CARLA = "carla@club.example"
SETTINGS = {
    "address": "pbem@club.example", "clock_hours": 72, "clock_at": 21, "zone": "Europe/Paris",
    "moderator": f"Carla <{CARLA}>",
}  # fmt: skip
GAMES = {
    "ale": ("clash", "", "red", "blue"),
    "bock": ("clash", "", "red", "blue"),
    "utah": ("normandy44", "cherbourg", "allied", "german"),
    "gap": ("france44", "falaise", "allied", "german"),
}
NAMES = ("Anna", "Bert", "Clara", "Dora", "Emil", "Fritz", "Greta", "Hans")


class Club:
    """The club's store, a postbox for each game, and the day that it is."""

    def __init__(self, folder: Path) -> None:
        self.store = Store.create(folder / "club.pbem")
        self.boxes: dict[str, Postbox] = {}
        names = iter(NAMES)
        for id, (key, scenario, *seats) in GAMES.items():
            who = {
                seat: Player(name, f"{name.lower()}@mail.example")
                for seat, name in zip(seats, names, strict=False)
            }
            new = NewGame(key, id, scenario, {}, who, SETTINGS, seed=id)
            self.boxes[id] = Postbox.started(self.store, new)
        self.now = START

    def evening(self) -> None:
        """A day passes: who is asked writes, deadlines are acted on, letters and digests go out."""
        self.now += timedelta(days=1)
        for id, box in self.boxes.items():
            for seat, section in self.asked(id).items():
                if (self.now - START).days % 2:
                    self.write(id, seat, f"[{section}]\ndone" if section else "defaults")
            if box.row().status == "running":
                act(self.store, id, self.now)
        write_digests(self.store, self.now)
        with self.store.transaction() as session:
            for row in self.letters():
                if row.sent is None:
                    row.sent = self.now
                    session.add(row)

    def asked(self, id: str) -> dict[str, str]:
        with self.store.transaction() as session:
            table = Table(session, only_game(session, id), self.now)
            here = table.here()
            return {seat: asked_section(here, seat) for seat in table.waited_for(here)}

    def write(self, id: str, who: str, text: str) -> list[str]:
        """Write a letter, and return the answers to it."""
        box = self.boxes[id]
        box.now = self.now - timedelta(hours=1)
        last = box.last()
        got = box.mail(who, text)
        assert got.outcome in ("accepted", "explained"), (text, got)
        to = box.address(who)
        return ["\n".join(letter_text(row.raw)) for row in self.letters(last) if row.recipient == to]

    def letters(self, after: int = 0) -> list[OutboxRow]:
        return self.boxes["ale"].outbox(after=after)

    def roll(self, id: str) -> str:
        """The last roll of a game."""
        with self.store.transaction() as session:
            return f"R{Table(session, only_game(session, id), self.now).dice.rolls()[-1].number}"

    def disputed(self, id: str) -> int:
        with self.store.transaction() as session:
            return len(open_disputes(Table(session, only_game(session, id), self.now)))


def gone(table: Table) -> Done:
    """A player goes on holiday."""
    return timing.away(table, "allied", "2026-11-26", "2026-12-06", by="host", why="holiday")


def settle(club: Club, id: str, line: str) -> None:
    """The moderator writes a line that asks first, and sends the line with its code."""
    [answer] = club.write(id, "moderator", f"{id}: {line}")
    code = re.search(r"CODE ([0-9a-f]+)", answer)
    assert "Nothing is done yet." in answer and code, answer
    [done] = club.write(id, "moderator", f"{id}: {line} CODE {code[1]}")
    assert "Nothing is done yet." not in done and "Not done" not in done


def test_a_month_in_a_club(tmp_path: Path) -> None:
    """The moderator gets at most one digest a day, and answers to what he wrote; every game proves itself."""
    club = Club(tmp_path)
    for day in range(1, DAYS + 1):
        club.evening()
        if day in DISPUTED:
            id = DISPUTED[day]
            club.write(id, GAMES[id][2], f"DISPUTE {club.roll(id)} I cannot find this on the table")
            assert club.disputed(id) == 1
        if day == 3:
            [done] = club.write("utah", "moderator", f"utah: UPHOLD {club.roll('utah')} because 2.2 says so")
            assert "stands" in done and club.disputed("utah") == 0
        if day == 7:
            settle(club, "gap", f"REROLL {club.roll('gap')} because the wrong column was read")
            assert club.disputed("gap") == 0
        if day == 10:
            settle(club, "ale", "BACK turn 1 because both sides want to begin again")
            assert club.disputed("ale") == 0
        if day in (4, 12):
            id, name = {4: ("utah", "Ida <ida@mail.example>"), 12: ("gap", "Jan <jan@mail.example>")}[day]
            carry_out(
                club.store, id, club.now,
                lambda table, name=name: people.replace(table, "german", name, by="host", why="she moved"),  # type: ignore[misc]
            )  # fmt: skip
        if day == 5:
            carry_out(club.store, "utah", club.now, gone)
        if day == 8:
            [done] = club.write("bock", "moderator", "bock: PAUSE because the club is on a trip")
            assert "The clock is stopped" in done
        if day == 20:
            archived = export(club.store, "bock")
            assert read(archived)
    _check(club)


def _check(club: Club) -> None:
    letters = club.letters()
    if FOLDER:
        for row in letters:
            path = Path(FOLDER) / f"{row.id:04}-{row.recipient.partition('@')[0]}-{row.kind}.txt"
            path.write_text("\n".join(letter_text(row.raw)), encoding="utf-8")
    mine = [row for row in letters if row.recipient == CARLA]
    assert {row.kind for row in mine} == {"seat", "digest", "desk"}
    assert sum(row.kind == "desk" for row in mine) == 6
    digests = Counter(row.created.date() for row in mine if row.kind == "digest")
    assert digests and max(digests.values()) == 1
    for id, box in club.boxes.items():
        assert verify_game(club.store, id).wrong == []
        assert box.row().status in ("running", "over"), box.row().trouble
        for seat in GAMES[id][2:]:
            own = [(row.key, row.raw) for row in letters if (row.game, row.seat) == (id, seat)]
            assert check_letters(own).wrong == [], (id, seat)
    assert all(rulings(club.store, id) for id in DISPUTED.values())
    for row in letters:
        text = "\n".join(letter_text(row.raw))
        assert "Traceback" not in text and " None" not in text, row.key
