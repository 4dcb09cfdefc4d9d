"""What the tests of the protocol share: games to write letters to, and what is read, kept and told of
them."""

from __future__ import annotations

import re
from datetime import datetime
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from conftest import NOW, begin
from postbox import SERVER, Postbox, placed, position

from pbem.mail.transport import Outgoing, Sent
from pbem.service.intake.outbox import send_pending
from pbem.service.moderating.start import NewGame, Player
from pbem.service.record.store import Store
from pbem.service.tools import queries

TOY = "pbem@host.example"
ALLIED = "t2.allied_movement"
"""A player-turn of normandy71 with five sections of one seat behind one another."""


def toy_box(path: Path, **players: Player) -> Postbox:
    """The toy game at its start: red is asked for [march], blue may write ahead."""
    store = Store.create(path / "toy.pbem")
    begin(store, **players)
    return Postbox(store, "toy", TOY, NOW)


def normandy(path: Path, label: str = ALLIED) -> Postbox:
    """Normandy (1971) in the second turn, Allied first movement."""
    return placed(path / "normandy.pbem", position("greedy", "1", label))


def told(box: Postbox, seat: str, body: str, **how: Any) -> str:
    """The one letter that a seat is written after its own, without line breaks."""
    last = box.last()
    box.mail(seat, body, **how)
    return letter(box, seat, last)


def letter(box: Postbox, seat: str, after: int) -> str:
    """The one letter that a seat was written since, without line breaks."""
    (text,) = box.texts(box.address(seat), after)
    return flat(text)


def flat(text: str) -> str:
    return " ".join(text.split())


def first_line(text: str) -> str:
    """The first paragraph of a letter, before the line that says which letter is answered. That of a turn
    letter ends where its first part begins."""
    if " · received " in text:
        return text.partition(" · ")[0].rpartition(" ")[0]
    return re.split(r"(?<=\.) [^.]{1,80}? -{5,} ", text, maxsplit=1)[0]


def kept(box: Postbox, seat: str) -> dict[str, str]:
    """The lines on the sheet of a seat by name, in the order of play."""
    return {f"L{line['name']}": line["text"] for line in box.seat(seat).sheet.get("lines", ())}


def states(box: Postbox, seat: str) -> dict[str, str]:
    """What would become of each line of a seat."""
    return {f"L{line['name']}": line.get("state", "ready") for line in box.seat(seat).sheet["lines"]}


def closed(box: Postbox, seat: str) -> list[str]:
    return sorted(box.seat(seat).sheet.get("closed", ()))


def sections(box: Postbox, seat: str) -> dict[str, str]:
    """The section of each line of a seat, by its name."""
    return {f"L{line['name']}": line["section"] for line in box.seat(seat).sheet["lines"]}


def units(box: Postbox) -> dict[str, Any]:
    """Where the units of the toy game are."""
    found: dict[str, Any] = queries.view_of(box.store, box.game).units  # type: ignore[attr-defined]
    return found


def form_of(box: Postbox, seat: str) -> str:
    """The order form of a seat, as ORDERS sends it."""
    last = box.last()
    box.mail(seat, "orders\n")
    (text,) = box.texts(box.address(seat), last)
    return text.partition("Order form\n")[2].partition("\n\nYour lines")[0].partition("\n\nWaiting for")[0]


def send_all(box: Postbox, now: datetime) -> None:
    """Send what lies in the outbox: until then no clock runs for those who are asked."""

    class Way:
        def send(self, letter: Outgoing) -> Sent:
            return Sent(letter.message_id, "sent")

        def close(self) -> None: ...

    list(send_pending(box.store, Way(), now))


def new_game(path: Path, key: str, *seats: str, scenario: str | None = None) -> Postbox:
    """A game at its start, its seats played by mail."""
    file = path / "game.pbem"
    file.write_bytes(_begun(key, seats, scenario))
    return Postbox(Store.open(file), "game")


@cache
def _begun(key: str, seats: tuple[str, ...], scenario: str | None) -> bytes:
    """The file of such a game."""
    players = {seat: Player(seat.title(), f"{seat}@x.example") for seat in seats}
    settings = {"address": SERVER, "clock_hours": 72}
    new = NewGame(key, "game", scenario, players=players, settings=settings, seed="1")
    with TemporaryDirectory() as folder:
        path = Path(folder) / "game.pbem"
        Postbox.started(Store.create(path), new).store.close()
        return path.read_bytes()
