"""N2 Something of every player is in the dice, and the order in which letters are let in changes none."""

from __future__ import annotations

import re
from itertools import permutations
from pathlib import Path

from conftest import NOW
from sizes import some
from sqlmodel import col, select

from pbem.service.moderating.start import NewGame, Player, start
from pbem.service.proof.lines import check_letters
from pbem.service.proof.verify import verify_game
from pbem.service.record.rows import PhaseRow
from pbem.service.record.store import Store
from pbem.service.tools import queries
from pbem.testing.post import Postbox

SERVER = "pbem@host.example"
PLAYERS = {"red": Player("Rita", "rita@mail.example"), "blue": Player("Bob", "bob@mail.example")}
RED, BLUE = "[march]\nmove R1 to 0201\nmove R2 to 0202\n", "[march]\nmove B1 to 0401\n"


def begun(path: Path, dice: str = "salts") -> Postbox:
    """A toy game whose secret is fixed and whose dice hang on what `dice` says."""
    store = Store.create(path)
    settings = {"address": SERVER, "dice": dice}
    start(store, NewGame("clash", "toy", players=PLAYERS, settings=settings, seed="toy"), NOW)
    return Postbox(store, "toy", SERVER, NOW)


def salts(box: Postbox) -> dict[str, list[str]]:
    """The salts of each phase."""
    with box.store.transaction() as session:
        return {row.label: row.salts for row in session.exec(select(PhaseRow).order_by(col(PhaseRow.number)))}


def test_the_first_letter_of_a_player_gives_a_salt(tmp_path: Path) -> None:
    """The SHA-256 of the first letter with orders, a draft too, counts from the next phase on, until SALT
    replaces it; a query gives none."""
    box = begun(tmp_path / "toy.pbem")
    box.mail("red", "help\n")
    assert all(row.kind != "salt" for row in box.journal())
    draft, closing = box.raw("red", RED), box.raw("red", "done\n")
    box.deliver(draft)
    reply = " ".join(box.texts("rita@mail.example")[-1].split())
    assert "is your salt: it goes into every roll from the next phase on." in reply
    box.deliver(closing)
    digest = next(letter.digest for letter in box.letters() if letter.orders and letter.seat == "red")
    assert salts(box)["t1.red_march"] == []
    assert salts(box)["t1.blue_march"] == [f"red: {digest}"]
    box.mail("blue", f"salt pepper\n{BLUE}done\n")
    assert salts(box)["t1.clash"] == ["blue: pepper", f"red: {digest}"]
    assert verify_game(box.store).wrong == []
    assert check_letters((row.key, row.raw) for row in box.outbox()).wrong == []


def test_the_order_of_letters_changes_no_die(tmp_path: Path) -> None:
    """The same four letters, let in in each of their 24 orders, lead to the same dice."""
    fell = set()
    for number, order in enumerate(some([*permutations(range(4))], 6)):
        box = begun(tmp_path / f"{number}.pbem")
        letters = [
            box.raw("red", "salt hop\n"),
            box.raw("blue", "salt malt\n"),
            box.raw("red", RED),
            box.raw("blue", BLUE),
        ]
        closing = [box.raw("red", "done march\n"), box.raw("blue", "done march\n")]
        for letter in [*(letters[at] for at in order), *closing]:
            box.deliver(letter)
        rolls = queries.rolls(box.store, "toy")
        assert [roll["salts"] for roll in rolls][-1] == ("blue: malt", "red: hop")
        fell.add(str([(roll["key"], roll["faces"]) for roll in rolls]))
        box.store.close()
    assert len(fell) == 1


def test_the_first_letter_of_a_phase_names_its_salts(tmp_path: Path) -> None:
    """The salts of a phase are in its first letter, before any die of it falls; a letter that names others
    later is found out."""
    box = begun(tmp_path / "toy.pbem")
    assert re.search(r"^salts t1\.red_march none$", box.proofs("rita@mail.example")[0], re.MULTILINE)
    box.mail("red", f"salt hop\n{RED}done\n")
    assert re.search(r"^salts t1\.blue_march red: hop$", box.proofs("bob@mail.example")[-1], re.MULTILINE)
    letters = [(row.key, row.raw) for row in box.outbox()]
    false = letters[-1][1].replace(b"salts t1.blue_march red: hop", b"salts t1.blue_march red: top")
    assert false != letters[-1][1]
    wrong = check_letters([*letters, ("false", false)]).wrong
    assert any("the salts of t1.blue_march differ from those in another letter" in line for line in wrong)


def test_the_first_letter_says_who_could_choose_dice(tmp_path: Path) -> None:
    """It promises what holds for this game, and no more."""
    first = " ".join(begun(tmp_path / "salts.pbem").texts()[0].split())
    assert "no player can foresee or choose a roll, alone or with others; the host" in first
    first = " ".join(begun(tmp_path / "seed.pbem", "seed").texts()[0].split())
    assert "fixed by a seed, for tests and examples" in first
