"""Games by letters: complete standing orders need no decision letter, what a missing kind of line costs
is exactly its decisions, and a turn takes six letters at most, or one from each side with conditions
(N11, N12, N13)."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest

from pbem.engine.desk import FirstOf
from pbem.engine.dice import GameDice, HashChain, new_secret
from pbem.engine.play import seats_asked
from pbem.service.play.papers import ForPhase, Late, Papers
from pbem.service.play.steps import Position, play_on
from pbem.service.proof.verify import verify_game
from tests.correspondence import PLAYERS, Club, begun, correspond, letters_of, looked_up
from tests.games.normandy44.correspondence import DECIDED, GAME, SCRIPT, STANDING

KINDS = [(seat, kind) for seat, kinds in DECIDED.items() for kind in kinds]


@pytest.fixture(scope="module")
def complete() -> Club:
    """The drive on Cherbourg between two players with complete standing orders."""
    club = Club(SCRIPT, STANDING)
    state = club.play()
    assert not state.phase or GAME.over(state)
    return club


def test_n11_complete_standing_orders_need_no_decision(complete: Club) -> None:
    """No decision is asked for in the whole game."""
    assert complete.stops == []


def test_n13_six_letters_a_turn_at_most(complete: Club) -> None:
    """Each side writes at most three letters a turn: allocation, phase A and phase B;
    whose phase A or B it is does not matter."""
    turns = Counter((label.split(".")[0], seat) for label, seat, _ in complete.book)
    assert set(turns) == {(f"t{turn}", seat) for turn in range(1, 5) for seat in PLAYERS}
    assert max(turns.values()) <= 3
    assert {label.split(".")[1] for label, _, _ in complete.book} <= {
        "allocation",
        "a_first",
        "a_second",
        "b_first",
        "b_second",
    }


@pytest.mark.parametrize(("seat", "kind"), KINDS)
def test_n12_missing_lines_cost_their_own_decisions(complete: Club, seat: str, kind: str) -> None:
    """Without the standing lines of one kind their player is asked each time that they decided,
    and for nothing else; compared as long as the two games are the same."""
    club = Club(SCRIPT, SCRIPT.without(seat, f"standing {kind}:"), dict(complete.book))
    club.play()
    same = club.same(complete)
    decided = [
        label
        for label, fired in complete.fired
        if fired.seat == seat and fired.line.startswith(f"standing {kind}:") and label in same
    ]
    assert [stop for stop in club.stops if stop[0] in same] == [(label, seat, kind) for label in decided]
    assert {(who, what) for _, who, what in club.stops} <= {(seat, kind)}


def test_the_lines_are_put_to_the_test(complete: Club) -> None:
    """Several of the lines decide something in this game."""
    kinds = {(fired.seat, fired.line) for _, fired in complete.fired}
    assert len(kinds) >= 4


def test_2_6_a_missed_deadline_lasts_until_the_other_side_has_acted(complete: Club) -> None:
    """2.6 Whose time is up in phase A acts by default in it; when the other side has acted he is waited
    for again in phase B."""
    position = Position(1, complete.snapshots["t1.a_first"])
    state = GAME.load(position.snapshot)
    first = state.initiative
    papers = {
        seat: Papers(seat, phase=ForPhase(late=Late(frozenset({"phase A"}))))
        if seat == first
        else Papers(seat, closed=frozenset({"phase A"}))
        for seat in PLAYERS
    }
    dice = GameDice(HashChain(new_secret("7"), GAME.turns), "cherbourg", 1, "late")
    steps, left = play_on(GAME, position, papers, lambda state, label, number: dice)
    last = steps[-1]
    assert last.label == "t1.b_first" and seats_asked(last.waiting) == (first,)
    assert left[first].phase.late is None


# --- through the mail -----------------------------------------------------------------------------------


def test_n11_two_turns_by_mail(tmp_path: Path) -> None:
    """Through the mail nobody is asked for a decision, a turn takes no more than six letters,
    and everything can be verified."""
    box = correspond(begun(tmp_path / "game.pbem", SCRIPT, STANDING), SCRIPT, 2)
    assert not [row.subject for row in box.outbox() if " decision" in row.subject]
    used = [letters_of(box, turn) for turn in (1, 2)]
    assert all(sum(letters.values()) <= 6 + 2 * (turn == 1) for turn, letters in enumerate(used, 1))
    assert not verify_game(box.store, "cherbourg").wrong
    box.store.close()


WHOLE_TURN = {
    "allied": """[allocation]
support VII/US
if weather is clear, cover VII/US

[phase A]
if we have the initiative, try move 101AB to 0718
if VII/US is supported, try attack 0519 with 4US, 82AB at 1:1 or better, support of VII/US

[phase B]
if 4US is at 0617, try move 4US to 0517
try attack 0519 with 82AB at 1:1 or better
""",
    "german": """[allocation]
support LXXXIV

[phase A]
if not we have the initiative, try move FJR6 to 1019

[phase B]
try move 243ID to 0622
if weather is clear, try move Pz206 to 0320 else Pz206 to 0420
""",
}
"""One letter from each side for a whole turn: what depends on the weather, the initiative
or an offensive marker says so."""


def test_n13_a_whole_turn_in_one_letter_from_each_side(tmp_path: Path) -> None:
    """2.3, 2.6 Written while the markers are still to be allocated, with conditions,
    one letter from each side carries the game to the next turn."""
    box = begun(tmp_path / "game.pbem", SCRIPT, STANDING)
    after = box.last()
    assert box.mail("german", f"{WHOLE_TURN['german']}done all\nno orders: end").outcome == "accepted"
    assert looked_up(box)[1].turn == 1
    assert box.mail("allied", f"{WHOLE_TURN['allied']}done all\nno orders: end").outcome == "accepted"
    here = looked_up(box)[1]
    assert here.turn == 2 and isinstance(here.waiting, FirstOf)
    told = "\n".join(box.texts(after=after))
    assert not re.search(" decision", "\n".join(row.subject for row in box.outbox(after=after)))
    assert "243ID" in told
    box.store.close()
