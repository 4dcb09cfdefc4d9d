"""A month in a club, by mail alone: eight people, four games, two moderators. Four rolls are disputed and
settled with lines from the letters, players are replaced and go on holiday, rulings are signed and agreed on,
terms change, a bot sits in, one game is paused and ends in a draw.

``PBEM_CLUB=/folder pytest tests/test_club.py`` writes every letter into a folder, to be read.
"""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import pytest
from correspondence import planned
from postbox import START, Postbox

from pbem.engine.game import game
from pbem.service.letters.rolls.open import open_disputes
from pbem.service.moderating.digest import write_digests
from pbem.service.moderating.rulings.ruling import rulings
from pbem.service.moderating.start import NewGame, Player
from pbem.service.play.sections import asked_section
from pbem.service.proof.lines import check_letters, letter_text
from pbem.service.proof.verify import verify_game
from pbem.service.record.rows import OutboxRow
from pbem.service.record.store import Store, only_game
from pbem.service.record.table import Table
from pbem.service.time.deadline import act

FOLDER = os.environ.get("PBEM_CLUB", "")
DAYS = 30
DISPUTED = {2: "utah", 6: "gap", 9: "ale", 13: "gap"}
CARLA, MAX = "carla@club.example", "max@club.example"
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
                    self.write(id, seat, self.orders(id, seat, section))
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

    def orders(self, id: str, seat: str, section: str) -> str:
        """What a player writes who is asked for something."""
        if not section:
            return "defaults"
        with self.store.transaction() as session:
            position = Table(session, only_game(session, id), self.now).position()
        lines = planned(game(GAMES[id][0]), position, seat, section)
        return "\n".join([f"[{section}]", *lines, "done"]) if lines else f"no orders: {section}"

    def read(self, to: str) -> str:
        """The last letter to somebody."""
        return "\n".join(letter_text([row for row in self.letters() if row.recipient == to][-1].raw))

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


def answer(club: Club, id: str, line: str, who: str = "moderator") -> str:
    """The answer to a line of a moderator."""
    [told] = club.write(id, who, line)
    assert "Not done" not in told and "Not read" not in told, told
    return told


def settle(club: Club, id: str, line: str, who: str = "moderator") -> str:
    """A moderator writes a line that asks first, and sends back what the answer says, for each game."""
    asked = answer(club, id, line, who)
    lines = re.findall(r"^    (.*?CODE [0-9a-f]+)$", re.sub(r"\n      +", " ", asked), flags=re.MULTILINE)
    assert "Nothing is done yet." in asked and lines, asked
    done = answer(club, id, "\n".join(lines), who)
    assert "Nothing is done yet." not in done
    for rest in re.findall(r"is still disputed. To settle it: (\S+ UPHOLD R\d+)", " ".join(done.split())):
        answer(club, id, f"{rest} because the die itself was right")
    return done


def offered(club: Club, id: str, what: str, to: str = CARLA) -> str:
    """The line that the last digest offers for a ruling; where it names no order, the order is taken from
    LIST."""
    digest = re.sub(r"\n      +", " ", club.read(to))
    lines = re.findall(rf"^    ({id}: {what} .*?) because \.\.\.$", digest, flags=re.MULTILINE)
    if lines:
        return str(lines[-1])
    listed = answer(club, id, f"{id}: LIST")
    orders = re.findall(r"^ +(J\d+) +\w+ \[\w+\] (?!done)(.*?) \(orders\)$", listed, flags=re.MULTILINE)
    name, order = orders[-1]
    return f"{id}: {what} {name}" + (f" {order}" if what == "CORRECT" else "")


@pytest.mark.dear
def test_a_month_in_a_club(tmp_path: Path) -> None:
    """No command is typed once the games have begun; each moderator gets at most one digest a day but for
    urgent news, and answers to what he wrote; every game proves itself."""
    club = Club(tmp_path)
    for day in range(1, DAYS + 1):
        club.evening()
        if day in DISPUTED:
            id = DISPUTED[day]
            why = "I cannot find this on the table; the sum is wrong"
            club.write(id, GAMES[id][2], f"DISPUTE {club.roll(id)} {why}")
            assert club.disputed(id) == 1
        if day in MONTH:
            MONTH[day](club)
    _check(club)


def _second_moderator(club: Club) -> None:
    settle(club, "utah", f"all: ADD moderator Max <{MAX}> because Carla is away at times")
    assert club.boxes["gap"].address("moderator2") == MAX


def _struck(club: Club) -> None:
    settle(club, "utah", f"{offered(club, 'utah', 'STRIKE')} because it was sent by mistake")


def _corrected(club: Club) -> None:
    line = offered(club, "gap", "CORRECT")
    assert "CORRECT J" in line
    settle(club, "gap", f"{line} because the letter says so")


def _back(club: Club) -> None:
    settle(club, "ale", f"{offered(club, 'ale', 'BACK')} because both sides want to begin again")


def _signed(club: Club) -> None:
    """The other moderator finds the line to sign in his own digest."""
    told = answer(club, "gap", f"gap: UPHOLD {club.roll('gap')} because 9.6 says so")
    assert "another moderator signs it" in told and club.disputed("gap") == 1
    club.evening()
    [line] = re.findall(r"^ +(gap: SIGN \d+)$", club.read(MAX), flags=re.MULTILINE)
    assert "stands" in answer(club, "gap", line, "moderator2") and club.disputed("gap") == 0


def _agreed(club: Club) -> None:
    answer(club, "utah", f"utah: PROPOSE REROLL {club.roll('utah')} because the table was the wrong one")
    for seat in ("allied", "german"):
        [line] = re.findall(
            r"^ *(AGREE \d+)$", club.read(club.boxes["utah"].address(seat)), flags=re.MULTILINE
        )
        club.write("utah", seat, line)
    assert "by the players" in " ".join(club.read(club.boxes["utah"].address("allied")).split())


def _looked_about(club: Club) -> None:
    """What each side sees, and who plays."""
    for line, says in (
        ("gap: LOG german turn 1", "Turn 1"),
        ("gap: MAP all", "map-german.svg is attached"),
        ("gap: BECOME german", "Subject: [gap]"),
        ("gap: PEOPLE", "Jan <jan@mail.example>"),
        ("all: STATUS", "Turn"),
        ("gap: RULINGS", "game gap"),
    ):
        assert says in answer(club, "gap", line), line


MONTH: dict[int, Callable[[Club], object]] = {
    1: _second_moderator,
    2: lambda club: answer(club, "bock", "bock: PAUSE because the club is on a trip"),
    3: _struck,
    4: lambda club: settle(club, "utah", "utah: REPLACE german Ida <ida@mail.example> because she moved"),
    5: lambda club: answer(club, "utah", "utah: AWAY allied 2026-11-26 2026-12-06 because holiday"),
    7: _corrected,
    8: lambda club: answer(club, "bock", "bock: TERMS clock 4d, missed hold\nbock: CONTINUE"),
    9: lambda club: settle(club, "bock", "bock: END draw because both sides have agreed on it"),
    10: _back,
    11: lambda club: answer(club, "gap", "gap: SIGNERS 2"),
    12: lambda club: settle(club, "gap", "gap: REPLACE german Jan <jan@mail.example> because he moved"),
    14: _signed,
    20: lambda club: settle(club, "utah", "utah: BOT german greedy because Ida is ill"),
    22: _looked_about,
    23: lambda club: settle(club, "utah", "utah: BOT german none"),
    24: _agreed,
}
"""What moderators and players do on a day."""


def _check(club: Club) -> None:
    letters = club.letters()
    if FOLDER:
        for row in letters:
            path = Path(FOLDER) / f"{row.id:04}-{row.recipient.partition('@')[0]}-{row.kind}.txt"
            path.write_text("\n".join(letter_text(row.raw)), encoding="utf-8")
    for moderator in (CARLA, MAX):
        mine = [row for row in letters if row.recipient == moderator]
        assert {row.kind for row in mine} == {"seat", "digest", "desk"}
        digests = Counter(row.created.date() for row in mine if row.kind == "digest")
        assert digests and max(digests.values()) == 1
    assert club.boxes["bock"].row().status == "over"
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
