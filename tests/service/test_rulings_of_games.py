"""N4, N20 A disputed roll of each game, and every kind of ruling on it: the letters to both sides and to the
moderator, the proof of the whole game afterwards, and back and forward again."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import product
from pathlib import Path

import pytest
from postbox import Postbox
from sizes import some

from pbem.mail.letter import parse
from pbem.service.intake.receive import receive
from pbem.service.letters.layout import without_log
from pbem.service.letters.ruled import Ruled, What
from pbem.service.moderating.rulings.named import Playable, decisions
from pbem.service.moderating.rulings.ruling import rule
from pbem.service.moderating.start import start
from pbem.service.play.steps import state_hash
from pbem.service.proof.lines import check_letters, faces_text, letter_proof, letter_text
from pbem.service.proof.verify import replay, verify_game
from pbem.service.record.store import Store, only_game, seats
from pbem.service.record.table import Table
from pbem.service.record.turn_dice import Roll
from pbem.service.tools import demo

WHY = "as agreed by letter"


@dataclass(frozen=True)
class Case:
    """An example of a game, played up to its letter number `letters`. The disputed roll and the order before
    it are named by words of theirs; `instead` may take the place of the order, `change` corrects the
    position. `turn` is the turn of the roll."""

    letters: int
    turn: int
    roll: str
    order: str
    instead: str
    change: str


CASES = {
    "normandy71": Case(
        13, 1, "attack on 3828", "attack 3828 with 116/29", "attack 3828 with 116/29 naval light",
        "units.8/4.strength=3",
    ),
    "rampage": Case(
        6, 2, "8.2|d6|defence of 2306", "move 49BrInf", "move 49BrInf to 1703 1804", "units.GdsA.steps=1"
    ),
    "falaise": Case(
        6, 1, "7.1.1|d6|movement points of 58Pz", "move 21/10SS", "move 21/10SS to 3340",
        "units.25/12SS.disrupted=true",
    ),
    "normandy44": Case(
        4, 1, "attack on 0519", "attack 0519", "attack 0519 with 4US at 1:1 or better", "units.90US.lost=1"
    ),
    "france44": Case(
        3, 1, "attack hits, combat at 1609", "increment 4: attack 1609",
        "increment 4: attack 1609 with 7AD/BR, I/BR", "units.V/US.lost=1",
    ),
}  # fmt: skip


@cache
def _played(key: str, folder: Path) -> Path:
    """Play the letters of an example; return its file."""
    example, letters = demo.read(key)
    path = folder / f"{key}.pbem"
    store = Store.create(path)
    now = example.game.start
    start(store, example.new(), now)
    for letter in letters[: CASES[key].letters]:
        raw = letter.read_bytes()
        now = max(now, parse(raw).date or now)
        receive(store, raw, now)
    store.close()
    return path


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("rulings")


@pytest.fixture
def key(request: pytest.FixtureRequest) -> str:
    found: str = request.param
    return found


@pytest.fixture
def game(key: str, folder: Path, tmp_path: Path) -> Iterator[Postbox]:
    """A copy of the game as the letters of its example have left it."""
    store = Store(Path(shutil.copy(_played(key, folder), tmp_path)))
    example, _ = demo.read(key)
    with store.transaction() as session:
        row = only_game(session, None)
        assert row.waiting_since is not None and row.status == "running"
        now = row.waiting_since
    yield Postbox(store, example.game.id, example.game.address, now)
    store.close()


KINDS = ("reroll", "uphold", "set", "correct", "strike", "back", "position")

some_games = pytest.mark.parametrize("key", some([*CASES], 2), indirect=True)


def named(box: Postbox, key: str, words: str) -> str:
    """The name of the first answer of the disputed turn with these words: R22 of a roll, else J45."""
    found: list[Playable] = decisions(box.store, None, CASES[key].turn)
    return next(each.names.split()[0] for each in found if words in each.text)


def rolls(box: Postbox) -> dict[str, Roll]:
    with box.store.transaction() as session:
        return {
            f"R{each.number}": each for each in Table(session, only_game(session, None), box.now).dice.rolls()
        }


def standing(box: Postbox) -> str:
    """The hash of the position as it is now."""
    with box.store.transaction() as session:
        table = Table(session, only_game(session, None), box.now)
        return state_hash(table.game.dump(without_log(table.here().state)))


def ruling(box: Postbox, what: What, about: str, value: str = "", dry_run: bool = False) -> Ruled:
    return rule(box.store, None, what, about, value, by="moderator", why=WHY, now=box.now, dry_run=dry_run)


def sound(box: Postbox) -> None:
    """The game proves itself, by its rows, by the letters of each side, and played again."""
    assert verify_game(box.store).wrong == []
    list(replay(box.store))
    for seat in people(box):
        letters = [(row.key, row.raw) for row in box.outbox() if row.seat == seat]
        assert check_letters(letters).wrong == []


def people(box: Postbox) -> list[str]:
    with box.store.transaction() as session:
        return [row.key for row in seats(session, box.game).values() if row.address]


@some_games
def test_a_disputed_roll_of_each_game_has_its_page(game: Postbox, key: str) -> None:
    """Both sides and the moderator get it, each once; it is open until a ruling names the roll."""
    roll, last = named(game, key, CASES[key].roll), game.last()
    game.mail("allied", f"DISPUTE {roll} the odds look wrong")
    game.digests()
    texts = {row.recipient: "\n".join(letter_text(row.raw)) for row in game.outbox(after=last)}
    assert texts.keys() == {*(game.address(seat) for seat in people(game)), "carla@club.example"}
    fell = f"fell {faces_text(rolls(game)[roll].faces)}"
    for text in texts.values():
        assert roll in text and fell in text and "Lines that led to it" in text
        assert "What could have fallen" in text and "Who read of it when" in text
    ruling(game, "uphold", roll)
    letters = game.texts(game.address("allied"))
    assert f"{roll} stands" in letters[-1] and WHY in letters[-1] and "no ruling yet" not in letters[-1]
    sound(game)


@pytest.mark.parametrize(("key", "what"), some([*product(CASES, KINDS)], 7), indirect=["key"])
def test_every_kind_of_ruling_in_each_game(game: Postbox, key: str, what: What) -> None:
    """What a preview says comes about; both sides get a letter with the hashes before and after, and the
    letters said to have told of the roll are those that did."""
    case = CASES[key]
    roll, order = named(game, key, case.roll), named(game, key, case.order)
    about = {"position": case.change, "strike": order, "correct": order, "back": order}.get(what, roll)
    value = {"set": faces_text([1] * len(rolls(game)[roll].faces)), "correct": case.instead}.get(what, "")
    told = letters_with(game, rolls(game)[roll], roll)
    last, rows = game.last(), len(game.journal())
    shown = ruling(game, what, about, value, dry_run=True)
    assert len(game.journal()) == rows and game.last() == last
    done = ruling(game, what, about, value)
    if what != "reroll":
        assert (done.says, done.kept, done.left, done.changes) == (
            shown.says, shown.kept, shown.left, shown.changes
        )  # fmt: skip
    if what in ("reroll", "set"):
        assert {(leak.seat, leak.subject) for leak in done.leaks} >= told and told
    for seat in people(game):
        [text] = ["\n".join(letter_text(row.raw)) for row in game.outbox(game.address(seat), after=last)
                  if row.kind == "ruling"]  # fmt: skip
        before, after = re.findall(r"^your view (?:before|now) +([0-9a-f]{64})$", text, re.MULTILINE)
        assert WHY in text and (before == after or done.before != done.after)
    assert f"  state before {done.before}" in done.lines() and f"  state after  {done.after}" in done.lines()
    assert what != "uphold" or done.before == done.after
    assert what not in ("strike", "back") or done.before != done.after
    sound(game)


def letters_with(box: Postbox, roll: Roll, name: str) -> set[tuple[str, str]]:
    """The first letter to each side that told of a roll, by its proof line."""
    line = f"{name} {roll.event} = {faces_text(roll.faces)}"
    found: dict[str, str] = {}
    for row in box.outbox():
        if row.seat in people(box) and line in letter_proof(row.raw):
            found.setdefault(row.seat, row.subject)
    return set(found.items())


@some_games
def test_back_and_forward_again_in_each_game(game: Postbox, key: str) -> None:
    """After going back, the same orders lead to the same dice and the same position."""
    order, before = named(game, key, CASES[key].order), standing(game)
    thrown = {name: (roll.event, roll.faces) for name, roll in rolls(game).items()}
    done = ruling(game, "back", order)
    assert standing(game) != before and done.left
    for seat, section in dict.fromkeys((seat, section) for seat, section, _ in done.left):
        game.mail(seat, f"[{section}]\ndone")
    again = {name: (roll.event, roll.faces) for name, roll in rolls(game).items()}
    if key == "rampage":  # the link of the turn was revealed: new dice, which say why
        assert any(event.endswith("|ruling 1 of turn 3") for event, _ in again.values())
    elif key == "normandy71":  # a standing order now decides a retreat that was decided by letter
        assert again.items() <= thrown.items()
    else:
        assert (standing(game), again) == (before, thrown)
    sound(game)
