"""A stored game proves itself, and what was altered is named."""

from __future__ import annotations

from typing import Any

import pytest
from conftest import HOUR, NOW, begin
from postbox import Postbox
from sqlalchemy import text

from pbem.engine.errors import ReplayMismatch
from pbem.engine.game import game
from pbem.service.intake.submit import submit
from pbem.service.play.steps import state_hash
from pbem.service.proof.lines import letter_proof
from pbem.service.proof.verify import compare, replay, verify_game, verify_store
from pbem.service.record.rows import pack, unpack
from pbem.service.record.store import Store, locked_game, phase_row
from pbem.service.time.deadline import act
from pbem.service.tools import queries


@pytest.fixture
def played(store: Store) -> Store:
    """A toy game played to its end, with a salt and a few orders."""
    begin(store)
    submit(store, None, "red", "salt hop and malt\nmove R1 to 0201\n", NOW + HOUR)
    submit(store, None, "red", "done\n", NOW + HOUR)
    submit(store, None, "blue", "move B1 to 0402\ndone\nstanding retreat: B2\n", NOW + HOUR)
    for step in range(12):
        if queries.status(store, None).status == "over":
            return store
        act(store, None, NOW + (step + 2) * HOUR, force=True)
    raise AssertionError("the game does not end")


def alter(store: Store, statement: str, **values: Any) -> None:
    with store.engine.begin() as connection:
        assert connection.execute(text(statement), values).rowcount >= 1


def test_a_played_game_is_in_order(played: Store) -> None:
    """Every die, link, order line and letter of an honest game checks out, sealed lots included."""
    findings = verify_game(played)
    assert findings.wrong == []
    assert findings.rolls >= 4
    assert findings.orders >= 2
    assert findings.signatures >= 3 and findings.parts >= 9
    assert findings.pending == []
    assert findings.unchecked == ["letter 1 to blue is not among these"]  # `begin` takes it out of the outbox
    assert not findings.ok and findings.summary().endswith("; 1 not checked")


def test_every_game_of_a_store_is_counted_as_it_is_checked(played: Store) -> None:
    begin(played, id="other")
    told: list[tuple[int, int]] = []
    found = verify_store(played, done=lambda number, of: told.append((number, of)))
    assert told == [(1, 2), (2, 2)] and sorted(found) == ["other", "toy"]


def test_an_altered_die_is_named(played: Store) -> None:
    """A die changed in the journal breaks its link and no longer is what the chain throws."""
    alter(played, "UPDATE journal SET answer = '[2, 2]' WHERE asked LIKE '3.1|d6|clash%' AND phase = 4")
    wrong = "\n".join(verify_game(played).wrong)
    assert "3.1|d6|clash|1" in wrong
    assert "does not fit its hash" in wrong
    assert "shows 2,2, the dice fell" in wrong


def test_an_altered_hash_is_named(played: Store) -> None:
    """A changed link of the journal and a changed state hash are both named."""
    alter(played, "UPDATE journal SET hash = 'f00d' WHERE number = 3")
    alter(played, "UPDATE phase SET state_hash = 'beef' WHERE number = 2")
    wrong = "\n".join(verify_game(played).wrong)
    assert "journal row 3" in wrong
    assert "phase 2 (t1.red_march): the state after it does not have the hash" in wrong


def test_an_altered_letter_is_named(played: Store) -> None:
    """Order lines in a letter written and words in a letter received cannot be changed unseen."""
    with played.engine.begin() as connection:
        key, raw = connection.execute(
            text("SELECT key, raw FROM outbox WHERE key LIKE '%red-reply%' ORDER BY id LIMIT 1")
        ).one()
        changed = bytes(raw).replace(b"move R1 to 0201 =", b"move R1 to 0202 =")
        assert changed != bytes(raw)
        connection.execute(
            text("UPDATE outbox SET raw = :raw WHERE key = :key"), {"raw": changed, "key": key}
        )
        raw = connection.execute(text("SELECT raw FROM letter ORDER BY id LIMIT 1")).scalar_one()
        changed = bytes(raw).replace(b"move R1 to 0201", b"move R1 to 0202")
        connection.execute(
            text("UPDATE letter SET raw = :raw WHERE id = (SELECT MIN(id) FROM letter)"), {"raw": changed}
        )
    wrong = "\n".join(verify_game(played).wrong)
    assert "was altered: L1 [march] move R1 to 0202" in wrong
    assert "is not the one that was received" in wrong


def test_every_phase_is_adjudicated_anew(played: Store) -> None:
    """Today's rules lead from every snapshot, by the recorded answers, to the recorded state."""
    phases = list(replay(played))
    assert [phase.label for phase in phases[:3]] == ["t1.hide", "t1.red_march", "t1.blue_march"]
    ended = [phase for phase in phases if phase.retold.state.phase]
    assert len(ended) == 10
    assert all(phase.state_hash for phase in ended)


def test_a_mismatch_names_the_phase(played: Store) -> None:
    """Where the same answers lead elsewhere, the replay stops and says where."""
    alter(played, "UPDATE phase SET state_hash = 'beef' WHERE number = 3")
    with pytest.raises(
        ReplayMismatch, match=r"turn 1, phase 3, t1\.blue_march, step 2: .* another state: recorded beef, now"
    ):
        list(replay(played))


def test_other_facts_before_a_decision_are_named(played: Store) -> None:
    """Where the log told something else when a decision was made, the replay names the decision and both
    digests."""
    alter(
        played, "UPDATE journal SET digest = '2:beef' WHERE phase = 3 AND digest != '' AND asked LIKE '%|2'"
    )
    with pytest.raises(
        ReplayMismatch,
        match=r"turn 1, phase 3, t1\.blue_march, step 2: before .* the log now tells other facts "
        r".*recorded 2:beef, now 2:",
    ):
        list(replay(played))


def test_another_note_is_the_first_difference(played: Store) -> None:
    """A note that tells another fact than the one on record is named, with the step that led to it."""
    with played.transaction() as session:
        row = phase_row(session, "toy", 4)
        place = next(at for at, note in enumerate(row.notes) if note["kind"] == "Fought")
        was = row.notes[place]["die"]
        row.notes = [*row.notes[:place], row.notes[place] | {"die": 7}, *row.notes[place + 1 :]]
        session.add(row)
    with pytest.raises(
        ReplayMismatch, match=rf"phase 4, t1\.\w+, step \d+: Fought\.die: recorded 7, now {was}$"
    ):
        list(replay(played))


def test_a_note_more_or_less_is_a_difference(played: Store) -> None:
    """A note that is on record alone, or that comes now alone, is shown."""
    with played.transaction() as session:
        row = phase_row(session, "toy", 4)
        last, row.notes = row.notes[-1], row.notes[:-1]
        session.add(row)
    with pytest.raises(ReplayMismatch, match=rf"phase 4, .* recorded nothing more, now {last['kind']} "):
        list(replay(played))
    with played.transaction() as session:
        row = phase_row(session, "toy", 4)
        row.notes = [*row.notes, last, last]
        session.add(row)
    with pytest.raises(ReplayMismatch, match=rf"phase 4, .* recorded {last['kind']} .*, now nothing more"):
        list(replay(played))


def test_the_first_difference_of_a_state_is_named(played: Store) -> None:
    """Where the state on record is another, the replay says what of it first differs."""
    with played.transaction() as session:
        rules, following = game("clash"), phase_row(session, "toy", 4)
        state = rules.load(unpack(following.snapshot))
        state.rolls += 1
        changed = rules.dump(state)
        following.snapshot = pack(changed)
        before = phase_row(session, "toy", 3)
        before.state_hash = state_hash(changed)
        session.add_all([before, following])
    with pytest.raises(ReplayMismatch, match=r"phase 3, .* another state: rolls: recorded \d, now \d$"):
        list(replay(played))


# --- versions of the rules ----------------------------------------------------------------------------------


def test_a_game_stores_the_version_of_its_rules(toy: Store) -> None:
    """While the rules are those under which a game began, nothing is said of them."""
    with toy.transaction() as session:
        assert locked_game(session, "toy").rules == game("clash").rules == "1"
    assert queries.status(toy, None).other_rules == compare(toy).rules == ""


def test_other_rules_are_told(toy: Store) -> None:
    """Status and replay say that the installed rules are not those under which a game began."""
    told = "toy began under version 0.9 of the rules; version 1 of clash is installed"
    alter(toy, "UPDATE game SET rules = '0.9'")
    status = queries.status(toy, None)
    assert status.other_rules == told and f"  {told}" in status.lines()
    assert compare(toy).lines()[-1] == told
    alter(toy, "UPDATE phase SET state_hash = 'beef' WHERE number = 1")
    with pytest.raises(ReplayMismatch, match="decided differently: .*" + told):
        compare(toy)


def test_pages_hide_what_a_seat_may_not_know(played: Store) -> None:
    """A seat's pages hold its own orders and open dice; another's orders and sealed lots of a running game
    are left out."""
    mine = [line for page in queries.pages(played, None, "blue", 1) for line in page.orders]
    assert any("move B1 to 0402" in line for line in mine)
    assert not any("R1" in line for line in mine)
    assert any("move R1 to 0201" in line for page in queries.pages(played, None) for line in page.orders)


def test_a_seat_gets_the_hash_of_its_view(toy: Store) -> None:
    """While the game runs a seat's pages have the hash of its view, as its letters do, not of the state."""
    submit(toy, None, "red", "move R1 to 0201\ndone\n", NOW + HOUR)
    blue = list(queries.pages(toy, None, "blue"))
    umpire = list(queries.pages(toy, None))
    assert [bool(page.view_hash) for page in blue] == [True, True, False]
    assert blue[-1].lines()[-1] == "this phase is being played"
    hidden = {page.state_hash for page in umpire if page.state_hash}
    assert len(hidden) == 2
    assert not any(digest in str(page) for page in blue for digest in hidden)
    letter = Postbox(toy, "toy", "pbem@host.example", NOW).outbox("bob@mail.example")[-1]
    assert f"view {blue[1].view_hash}" in letter_proof(letter.raw)
    assert f"view {blue[1].view_hash}" in blue[1].lines()
    assert f"state {umpire[1].state_hash}" in umpire[1].lines()


def test_the_end_of_a_game_opens_its_states(played: Store) -> None:
    """Once the game is over a seat may have the hash of every state, too."""
    blue = [page.state_hash for page in queries.pages(played, None, "blue")]
    assert blue == [page.state_hash for page in queries.pages(played, None)]
    assert all(blue)


def test_sealed_lots_stay_sealed(toy: Store) -> None:
    """While the game runs only the umpire is shown the sealed dice."""
    assert [roll["name"] for roll in queries.rolls(toy, None)] == ["S"]
    assert queries.rolls(toy, None, "blue") == []
    assert next(page.dice for page in queries.pages(toy, None, "blue")) == ()
