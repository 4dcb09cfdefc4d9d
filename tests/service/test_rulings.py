"""Rulings: what they change, what they leave standing, and that all of it still adds up."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from conftest import HOUR, NOW, begin
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sizes import size
from sqlmodel import col, select

from pbem.service.intake.submit import submit
from pbem.service.letters.log import Part
from pbem.service.letters.ruled import Ruled
from pbem.service.letters.rulings import Known, differences
from pbem.service.moderating.digest import write_digests
from pbem.service.moderating.rulings.named import decisions
from pbem.service.moderating.rulings.ruling import rule, rulings
from pbem.service.proof.lines import check_letters, letter_proof, letter_text
from pbem.service.proof.verify import replay, verify_game
from pbem.service.record.errors import StoreError
from pbem.service.record.journal import journal, standing_rows
from pbem.service.record.rows import JournalRow, OutboxRow
from pbem.service.record.store import Store
from pbem.service.tools import queries
from pbem.service.tools.transfer import export, import_

LATER = NOW + 12 * HOUR


def played(store: Store) -> None:
    """Turn 1 up to the question whom blue sends back: the clash shows 4."""
    submit(store, None, "red", "move R1 to 0201\nmove R2 to 0103\ndone\n", NOW + HOUR)
    submit(store, None, "blue", "move B1 to 0402\ndone\n", NOW + 2 * HOUR)


def ruled(store: Store, what: str, about: str = "", value: str = "", now: datetime = LATER) -> Ruled:
    return rule(store, None, what, about, value, by="moderator", why="as agreed", now=now)  # type: ignore[arg-type]


def rows(store: Store) -> list[JournalRow]:
    with store.transaction() as session:
        return journal(session, "toy")


def dice(store: Store) -> dict[str, tuple[str, list[object]]]:
    """The dice that count: what they are for -> by what means, what they show."""
    return {row.asked: (row.by, row.answer) for row in standing_rows(rows(store)) if row.entry().dice}


def sound(store: Store) -> None:
    """The game proves itself, by its rows, by its letters, and played again."""
    assert verify_game(store).wrong == []
    list(replay(store))
    for seat in ("red", "blue"):
        with store.transaction() as session:
            query = select(OutboxRow).where(OutboxRow.seat == seat).order_by(col(OutboxRow.id))
            letters = [(row.key, row.raw) for row in session.exec(query)]
        assert check_letters(letters).wrong == []


def last(store: Store, seat: str) -> bytes:
    """The last letter about a ruling."""
    with store.transaction() as session:
        query = select(OutboxRow).where(OutboxRow.kind == "ruling", OutboxRow.seat == seat)
        return list(session.exec(query.order_by(col(OutboxRow.id))))[-1].raw


def letter(store: Store, seat: str) -> str:
    return "\n".join(letter_text(last(store, seat)))


def units(store: Store) -> dict[str, str]:
    found: dict[str, str] = queries.view_of(store, None).units  # type: ignore[attr-defined]
    return found


def test_a_roll_is_thrown_again(toy: Store) -> None:
    """A new die, keyed to the ruling; the old one stays readable, and every other die is as it was."""
    played(toy)
    before = dice(toy)
    assert before["3.1|d6|clash|1"] == ("dice", [4])
    count = len(rows(toy))
    done = ruled(toy, "reroll", "r1")
    after = dice(toy)
    assert after["3.1|d6|clash|1"][0] == "dice ruling 1 of turn 1" and len(done.thrown) == 1
    assert {name: die for name, die in after.items() if "clash" not in name} == {
        name: die for name, die in before.items() if "clash" not in name
    }
    assert [row.asked for row in rows(toy)][:count] == [row.asked for row in rows(toy)[:count]]
    sound(toy)
    thrown = after["3.1|d6|clash|1"][1][0]
    assert letter(toy, "blue").startswith(f"R1 was thrown again: {thrown} (before: 4).")
    assert "as agreed" in letter(toy, "red")


def test_a_roll_is_set(toy: Store) -> None:
    """The moderator's die counts, and its proof line says whose it is."""
    played(toy)
    ruled(toy, "set", "R1", "1")
    assert dice(toy)["3.1|d6|clash|1"] == ("dice set by ruling 1", [1])
    assert "R1 t1.clash|3.1|d6|clash|1|set by ruling 1 = 1" in letter_proof(last(toy, "red"))
    assert letter(toy, "red").startswith("R1 counts as 1 (it fell 4).")
    ruled(toy, "set", "R1", "2")
    assert letter(toy, "red").startswith("R1 counts as 2 (before: it was set to 1).")
    sound(toy)


def test_what_was_written_in_ignorance_stands(toy: Store) -> None:
    """Red's second order came in one letter with the first, which is struck out: it stands. Blue had read of
    the first before he moved: he is asked again, and what he ordered is his draft."""
    played(toy)
    done = ruled(toy, "strike", "J4")
    assert done.kept == 2 and done.left == (("blue", "march", "move B1 to 0402"),)
    assert units(toy) == {"R1": "0101", "R2": "0103", "B1": "0502", "B2": units(toy)["B2"]}
    assert "L2   move B1 to 0402" in letter(toy, "blue")
    assert "-      R1 goes to 0201" in letter(toy, "red")
    sound(toy)


def test_orders_written_ahead_stand(toy: Store) -> None:
    """Blue wrote before he had read of red's move: his orders do not hang on it."""
    submit(toy, None, "blue", "[march]\nmove B1 to 0402\ndone\n", NOW + HOUR)
    submit(toy, None, "red", "move R1 to 0201\nmove R2 to 0103\ndone\n", NOW + 2 * HOUR)
    found = {each.text: each.names for each in decisions(toy, None)}
    done = ruled(toy, "strike", found["red [march] move R1 to 0201 (orders)"])
    assert done.left == () and units(toy)["B1"] == "0402" and units(toy)["R1"] == "0101"
    sound(toy)


def test_an_order_is_corrected(toy: Store) -> None:
    """Another order takes the place of the one that was given."""
    played(toy)
    done = ruled(toy, "correct", "J5", "move R2 to 0202")
    assert units(toy)["R2"] == "0202" and "in place of" in done.says
    sound(toy)


def test_back_and_forward_again(toy: Store) -> None:
    """Back to the start of the turn; the same orders lead to the same state with the same dice."""
    played(toy)
    before, fell = queries.status(toy, None), dice(toy)
    hash_before = ruled(toy, "uphold", "R1").before
    done = ruled(toy, "back", "turn 1")
    assert [text for _, _, text in done.left] == ["move R1 to 0201", "move R2 to 0103", "move B1 to 0402"]
    submit(toy, None, "red", "done\n", LATER + HOUR)
    submit(toy, None, "blue", "done\n", LATER + 2 * HOUR)
    assert dice(toy) == fell and queries.status(toy, None).phase == before.phase
    assert ruled(toy, "uphold", "R1", now=LATER + 3 * HOUR).before == hash_before
    sound(toy)


def test_dice_of_a_revealed_turn_are_new(toy: Store) -> None:
    """Once a turn's link is out anybody can work out its dice: after a ruling has gone back into it they hang
    on a link that is still secret, and say so."""
    played(toy)
    submit(toy, None, "blue", "Q1: b\n", NOW + 3 * HOUR)
    assert queries.status(toy, None).turn == 2
    ruled(toy, "back", "turn 1")
    submit(toy, None, "red", "withdraw all\nno orders\n", LATER + HOUR)
    submit(toy, None, "blue", "withdraw all\nno orders\n", LATER + 2 * HOUR)
    assert dice(toy)["3.1|d6|clash|1"][0] == "dice ruling 1 of turn 2"
    sound(toy)


def test_the_position_is_changed_at_once_or_later(toy: Store) -> None:
    """At once where nothing has been played in the phase, else where the next one opens."""
    played(toy)
    later = ruled(toy, "position", "units.R2=0302")
    assert "when Turn 1, Clash is over" in later.says and units(toy)["R2"] == "0103"
    submit(toy, None, "blue", "Q1: b\n", LATER + HOUR)
    assert units(toy)["R2"] == "0302"
    at_once = ruled(toy, "position", "units.R1=0303", now=LATER + 2 * HOUR)
    assert "when" not in at_once.says and units(toy)["R1"] == "0303"
    assert "- R1 at 0201" in letter(toy, "red") and "+ R1 at 0303" in letter(toy, "red")
    sound(toy)


def test_a_position_is_changed_again_after_going_back(toy: Store) -> None:
    """A ruling on the position holds for the phase for which it was made, however often that begins."""
    played(toy)
    ruled(toy, "position", "units.R2=0302")
    submit(toy, None, "blue", "Q1: b\n", LATER + HOUR)
    ruled(toy, "back", "t1.clash", now=LATER + 2 * HOUR)
    assert units(toy)["R2"] == "0103"
    submit(toy, None, "blue", "Q2: b\n", LATER + 3 * HOUR)
    assert units(toy)["R2"] == "0302"
    sound(toy)


def test_looking_changes_nothing(toy: Store) -> None:
    """A preview tells what would change, and leaves every row as it was."""
    played(toy)
    before = [row.hash for row in rows(toy)]
    look = rule(toy, None, "set", "R1", "1", by="host", why="", now=LATER, dry_run=True)
    assert not look.done and look.lines()[0] == "toy: preview of ruling 1: R1 counts as 1 (it fell 4)"
    again = rule(toy, None, "reroll", "R1", by="host", why="", now=LATER, dry_run=True)
    assert again.falls and not again.thrown and again.after == ""
    assert [row.hash for row in rows(toy)] == before


def test_who_knew_what(toy: Store) -> None:
    """The list of letters that have told of what is taken back is that of the letters written since."""
    played(toy)
    with toy.transaction() as session:
        query = select(OutboxRow).where(OutboxRow.position >= 11, OutboxRow.seat != "")
        written = [row.subject for row in session.exec(query.order_by(col(OutboxRow.id)))]
    done = rule(toy, None, "reroll", "R1", by="host", why="as agreed", now=LATER)
    assert [leak.subject for leak in done.leaks] == written
    assert write_digests(toy, LATER) == 1
    with toy.transaction() as session:
        told = session.exec(select(OutboxRow).where(OutboxRow.recipient == "mod@host.example")).all()[-1]
    assert all(subject in "".join(letter_text(told.raw)) for subject in written)


@pytest.mark.parametrize(
    ("what", "about", "value", "reason"),
    [
        ("reroll", "R9", "", 'there is no roll "R9" in the log: they are R1 to R1'),
        ("set", "R1", "7", "7"),
        ("set", "R1", "3,4", "R1 has 1 die"),
        ("set", "R1", "six", "are no faces of dice"),
        ("strike", "J11", "", "J11 is a roll"),
        ("strike", "J99", "", "J99 is no recorded answer that counts"),
        ("strike", "R1", "", '"R1" names no order'),
        ("correct", "J4", "move R1 to 0502", "move R1 to 0502"),
        ("correct", "J4", "nonsense", '"nonsense" cannot take its place'),
        ("back", "t9.clash", "", "is nothing that the game could go back to"),
        ("position", "units.R7x.hex=0101", "", "units has no"),
        ("position", "units.R1", "", "write PATH=VALUE"),
        ("pardon", "R1", "", 'there is no ruling "pardon"'),
    ],
)
def test_what_cannot_be(toy: Store, what: str, about: str, value: str, reason: str) -> None:
    """Each refusal says why, and nothing is changed."""
    played(toy)
    before = [row.hash for row in rows(toy)]
    with pytest.raises(StoreError) as error:
        ruled(toy, what, about, value)
    assert reason in str(error.value)
    assert [row.hash for row in rows(toy)] == before


def test_a_reason_is_needed(toy: Store) -> None:
    """The players read why."""
    played(toy)
    with pytest.raises(StoreError, match="a ruling needs a reason"):
        rule(toy, None, "reroll", "R1", by="host", why=" ", now=LATER)


def test_rulings_are_listed(toy: Store) -> None:
    """Who, when, what and why, with the hashes before and after."""
    played(toy)
    done = ruled(toy, "set", "R1", "1")
    lines = rulings(toy, None)
    assert lines[0].startswith("ruling 1, Sun 7 Jun 06:00 UTC, by moderator: R1 counts as 1 (it fell 4)")
    assert lines[1:] == ["  reason: as agreed", f"  state before {done.before}, after {done.after}"]


def test_lists_show_only_the_lines_that_change() -> None:
    """A heading that counts its units, or says whether they may be ordered, is the same list; order does not
    matter, and equal lines are counted."""

    def knows(*parts: tuple[str, tuple[str, ...]]) -> Known:
        return Known((), tuple(Part(title, lines) for title, lines in parts), "")

    before = knows(
        ("Enemy on the map: 3", ("a at 1", "b at 2", "c at 3")), ("1SS (1SS): 2, acting", ("d", "d")),
        ("Your units (2; two steps each)", ("e", "f")), ("Off the map", ("g, turn 3",)),
    )  # fmt: skip
    after = knows(
        ("Enemy on the map: 2", ("c at 3", "a at 1")), ("1SS (1SS): 1", ("d",)),
        ("Your units (3; two steps each)", ("e", "f", "h")), ("Off the map", ("g, turn 3",)),
    )  # fmt: skip
    (part,) = differences(before, after)
    assert part.lines == (
        "Enemy on the map: 2", "  - b at 2", "1SS (1SS): 1", "  - d",
        "Your units (3; two steps each)", "  + h",
    )  # fmt: skip


RULINGS = st.sampled_from(
    [
        ("reroll", "R1", ""),
        ("set", "R1", "1"),
        ("set", "R1", "5"),
        ("uphold", "R1", ""),
        ("strike", "order", ""),
        ("correct", "order", "move R1 to 0202"),
        ("back", "turn 1", ""),
        ("back", "R1", ""),
        ("position", "units.R1=0303", ""),
        ("undo", "", ""),
        ("play", "", ""),
        ("play", "", ""),
    ]
)


@settings(
    max_examples=size(4, 12), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(st.lists(RULINGS, min_size=1, max_size=7))
def test_any_sequence_of_rulings(steps: list[tuple[str, str, str]]) -> None:
    """Whatever is ruled, in whatever order, the chain holds, the game proves itself and moves house."""
    with TemporaryDirectory() as folder:
        store = Store.create(Path(folder) / "toy.pbem")
        begin(store)
        played(store)
        for hour, (what, about, value) in enumerate(steps):
            now = LATER + hour * HOUR
            if what == "play":
                for seat in ("red", "blue"):
                    submit(store, None, seat, "defaults\ndone\nno orders\n", now)
                continue
            if about == "order":
                orders = [each.names for each in decisions(store, None) if "move R1" in each.text]
                about = orders[-1] if orders else "J1"
            try:
                ruled(store, what, about, value, now)
            except StoreError:
                continue
            sound(store)
        sound(store)
        moved = Store.create(Path(folder) / "moved.pbem")
        import_(moved, export(store, "toy"))
        assert verify_game(moved).wrong == []
        moved.close()
        store.close()
