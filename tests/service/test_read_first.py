"""A long letter is read while the store is open to others, and nothing but that depends on it."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from conftest import HOUR, NOW
from postbox import Postbox, facts
from protocol_kit import TOY, form_of, kept, new_game, normandy

from pbem.engine.game import game
from pbem.engine.language import Grammar
from pbem.service.intake import reading
from pbem.service.intake import receive as receiving
from pbem.service.intake.reading import LONG, Basis, Read, read_letter
from pbem.service.intake.receive import Received, receive
from pbem.service.record import store
from pbem.service.record.store import Store

CHAT = "The weather is fine and the sea is calm today.\n" * (LONG // 40)
GAMES = ("normandy71", "rampage", "falaise", "normandy44", "france44")


class Reader:
    """Reads letters as pbem does, and does something else before each long one."""

    def __init__(self) -> None:
        self.long: list[Basis] = []
        self.before: Callable[[int], object] = lambda number: None

    def __call__(self, basis: Basis, *, now: bool = False) -> Read:
        if not now and any(CHAT[:40] in line.text for line in basis.letter.lines):
            self.long.append(basis)
            self.before(len(self.long))
        return read_letter(basis, now=now)


@pytest.fixture
def reader(monkeypatch: pytest.MonkeyPatch) -> Reader:
    made = Reader()
    monkeypatch.setattr(reading, "read_letter", made)
    monkeypatch.setattr(store, "BUSY_MS", 200)
    return made


@pytest.fixture
def other(toy: Store, reader: Reader) -> Iterator[Store]:
    """The store of the toy game as another process has it, which waits only shortly for a lock."""
    wait = "%20-clock_timeout%3D200" if "://" in toy.target else ""
    opened = Store.open(f"{toy.target}{wait}")
    yield opened
    opened.close()


def box_of(toy: Store) -> Postbox:
    return Postbox(toy, "toy", TOY, NOW)


def twin(box: Postbox, path: Path) -> Postbox:
    """The same game once more."""
    box.store.close()
    shutil.copyfile(box.store.target, path)
    return Postbox(Store.open(path), box.game, box.server, box.now, box.written)


def attached(text: str, form: str) -> str:
    """The body of a mail with an attached order form."""
    file = 'Content-Disposition: attachment; filename="orders.txt"'
    return f"--b\n\n{text}\n--b\n{file}\n\n{form}\n--b--"


def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Letters are read while the store is locked, however long they are."""
    monkeypatch.setattr(receiving, "TRIES", 0)


@pytest.mark.parametrize("text", [CHAT, CHAT[: LONG // 2]], ids=["long", "much work"])
def test_others_write_while_a_long_letter_is_read(
    text: str, toy: Store, other: Store, reader: Reader, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It has many characters, or takes much work."""
    monkeypatch.setattr(reading, "LITTLE_WORK", 100)
    box, results = box_of(toy), list[Received]()
    reader.before = lambda number: results.append(receive(other, box.raw("blue", "move B1 to 0302\n"), NOW))
    assert box.mail("red", f"move R1 to 0201\n{text}").outcome == "accepted"
    assert [each.outcome for each in results] == ["accepted"] and len(reader.long) == 1
    assert kept(box, "blue") and kept(box, "red")


def test_a_held_letter_is_read_so_when_it_is_confirmed(toy: Store, other: Store, reader: Reader) -> None:
    box, results = box_of(toy), list[Received]()
    box.mail(
        "red", f"move R1 to 0201\n{CHAT}", sender="rita@elsewhere.example", to=TOY, subject="[toy] orders"
    )
    box.mail("red", f"move R1 to 0201\n{CHAT}", sender="rita@elsewhere.example")
    assert not reader.long
    reader.before = lambda number: results.append(receive(other, box.raw("blue", "status\n"), NOW))
    box.mail("red", "confirm\n")
    assert [each.outcome for each in results] == ["accepted"] and list(kept(box, "red").values()) == [
        "move R1 to 0201"
    ]


@pytest.mark.parametrize("moved", [1, 2, 9])
def test_a_letter_is_read_again_if_the_game_has_moved_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, reader: Reader, moved: int
) -> None:
    """As often as another letter comes in between, and at last within the lock: the outcome is that of the
    letters one after another."""
    box = normandy(tmp_path)
    again = twin(box, tmp_path / "again.pbem")
    between = [box.raw("allied", f"[movement]\nmove {unit} to 1422\n") for unit in ("8/3", "22/4", "12/4")]
    long = box.raw("allied", f"[movement]\nwithdraw L1\nmove 8/3 to 1321\n{CHAT}done\n")

    def before(number: int) -> None:
        for raw in between[number - 1 : number] if number <= moved else []:
            receive(box.store, raw, NOW)

    reader.before = before
    receive(box.store, long, NOW + HOUR)
    assert len(reader.long) == min(moved, len(between)) + 1
    reader.before = lambda number: None
    at_once(monkeypatch)
    for raw in between[:moved]:
        receive(again.store, raw, NOW)
    receive(again.store, long, NOW + HOUR)
    assert facts(box.store) == facts(again.store)


@pytest.mark.parametrize("key", GAMES)
def test_a_long_letter_is_answered_as_ever(
    key: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, reader: Reader
) -> None:
    """The order form sent back among chat, with slips, and as an attached file."""
    rules = game(key)
    seats = [seat.key for seat in rules.seats_of(rules.chosen({}))]
    first = new_game(tmp_path, key, *seats)
    seat, form = next((each, form) for each in seats if (form := form_of(first, each)))
    again = twin(first, tmp_path / "again.pbem")
    headers = ("MIME-Version: 1.0", 'Content-Type: multipart/mixed; boundary="b"')
    letters = [
        first.raw(seat, f"{form}\n{CHAT}"),
        first.raw(seat, f"{form.replace('move', 'mvoe').replace('attack', 'atack')}\n{CHAT}try\n"),
        first.raw(seat, attached(CHAT, form), headers=headers),
    ]
    for raw in letters:
        receive(first.store, raw, NOW)
    assert len(reader.long) == len(letters)
    at_once(monkeypatch)
    for raw in letters:
        receive(again.store, raw, NOW)
    assert facts(first.store) == facts(again.store)


def test_an_error_while_a_letter_is_read_first_changes_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, reader: Reader
) -> None:
    """The letter is read again under the lock; if the error comes again, it stops the game there."""
    box = normandy(tmp_path)
    again = twin(box, tmp_path / "again.pbem")
    letters = [box.raw("allied", f"[movement]\nmove {unit} to 1422\n{CHAT}") for unit in ("8/3", "22/4")]

    def fail(*numbers: int) -> Callable[[int], None]:
        def before(number: int) -> None:
            if number in numbers:
                raise ArithmeticError("a fault of pbem")

        return before

    reader.before = fail(1, 3, 4)
    outcomes = [receive(box.store, raw, NOW).outcome for raw in letters]
    assert outcomes == ["accepted", "stopped"] and len(reader.long) == 4
    at_once(monkeypatch)
    reader.before = fail(6)
    outcomes = [receive(again.store, raw, NOW).outcome for raw in letters]
    assert outcomes == ["accepted", "stopped"]
    assert without_traces(facts(box.store)) == without_traces(facts(again.store))


def without_traces(found: dict[str, Any]) -> dict[str, Any]:
    """What a store holds, without the letters that show where in the program an error was."""
    return {key: value for key, value in found.items() if key not in ("game", "outbox")}


def test_a_letter_that_does_not_act_is_not_read(tmp_path: Path, reader: Reader) -> None:
    """A stranger's, an automatic one, and one that has come before."""
    box = normandy(tmp_path)
    known = box.raw("allied", CHAT)
    assert box.deliver(known).outcome == "explained" and len(reader.long) == 1
    assert box.deliver(known).outcome == "duplicate"
    assert box.mail("allied", CHAT, sender="x@x.example").outcome == "held"
    assert box.mail("allied", CHAT, headers=("Auto-Submitted: auto-replied",)).outcome == "ignored"
    assert len(reader.long) == 1


def test_a_line_of_a_letter_from_pbem_is_looked_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However often a letter repeats it: to tell a quotation from orders costs no more than to read it."""
    box = normandy(tmp_path)
    box.mail("allied", "help\n")
    line = "standing retreat: (away from|off) [the] roads\n"
    assert line.strip() in box.texts(box.address("allied"))[-1]
    calls: list[int] = []
    read = Grammar.read

    def counted(self: Grammar, lines: Any, *rest: Any) -> Any:
        calls.append(len(lines))
        return read(self, lines, *rest)

    monkeypatch.setattr(Grammar, "read", counted)
    box.mail("allied", f"{line * 3}well\n" * 400)
    assert calls[:-1].count(1) == 1 and len(calls) == 2
