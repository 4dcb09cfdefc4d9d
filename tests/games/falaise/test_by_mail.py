"""Games by letters: complete standing orders need no decision letter, and what a missing line costs
is exactly its decisions (N11, N12, N13); one order or two draw the same fire (6.2)."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest
from sizes import some

from pbem.engine.desk import Desk
from pbem.engine.dice import GameDice, HashChain, new_secret
from pbem.engine.errors import Overtaken
from pbem.engine.play import Answer, Ask, Decision, Entry, advance
from pbem.games.falaise.activation import activation
from pbem.games.falaise.notes import OpFired
from pbem.games.falaise.orders import Move
from pbem.service.proof.verify import verify_game
from tests.correspondence import PLAYERS, Club, begun, correspond, letters_of
from tests.games.falaise.correspondence import GAME, SCRIPT, STANDING
from tests.games.falaise.kit import game

LINES = [(seat, line) for seat, lines in STANDING.items() for line in lines]


@pytest.fixture(scope="module")
def complete() -> Club:
    """A game of ten turns between two players with complete standing orders."""
    club = Club(SCRIPT, STANDING)
    state = club.play()
    assert GAME.over(state) or not state.phase
    return club


def test_n11_complete_standing_orders_need_no_decision(complete: Club) -> None:
    """One letter with orders a turn from each side, and nothing else is asked for."""
    assert complete.stops == []
    turns = Counter((label.split(".")[0], seat) for label, seat, _ in complete.book)
    twice = {key for key, number in turns.items() if number > 1}
    assert twice == {
        ("t1", "german"),
        ("t1", "allied"),
        ("t7", "german"),
    }  # the set-up, and the counterattack
    assert len({turn for turn, _ in turns}) == GAME.turns


@pytest.mark.parametrize(("seat", "line"), some(LINES, 2), ids=lambda word: word.removeprefix("standing "))
def test_n12_a_missing_line_costs_its_own_decisions(complete: Club, seat: str, line: str) -> None:
    """Without one standing line its player is asked for each decision that the line took,
    and for nothing else; compared as long as the two games are the same."""
    rest = {key: [each for each in lines if (key, each) != (seat, line)] for key, lines in STANDING.items()}
    club = Club(SCRIPT, rest, dict(complete.book))
    club.play()
    same = club.same(complete)
    decided = [
        label for label, fired in complete.fired if (fired.seat, fired.line) == (seat, line) and label in same
    ]
    kind = line.split(":")[0].removeprefix("standing ")
    assert [stop for stop in club.stops if stop[0] in same] == [(label, seat, kind) for label in decided]
    assert {(who, what) for _, who, what in club.stops} <= {(seat, kind)}


def test_the_lines_are_put_to_the_test(complete: Club) -> None:
    """Most of the lines decide something in this game."""
    kinds = {fired.line for _, fired in complete.fired}
    assert len(kinds) >= 8


# --- through the mail -----------------------------------------------------------------------------------


@pytest.mark.dear
def test_n11_three_turns_by_mail(tmp_path: Path) -> None:
    """Through the mail nobody is asked for a decision, each side writes one order letter a turn after
    the set-up, and everything can be verified."""
    box = correspond(begun(tmp_path / "pocket.pbem", SCRIPT, STANDING), SCRIPT, 3)
    assert not [row.subject for row in box.outbox() if " decision" in row.subject]
    letters = [letters_of(box, turn) for turn in (1, 2, 3)]
    assert letters[0] == {"german": 4, "allied": 3}  # standing orders, set-up, the orders; redeployment
    assert letters[1] == letters[2] == {"german": 1, "allied": 1}
    assert not verify_game(box.store, "pocket").wrong
    box.store.close()


def test_n12_the_decision_letter(tmp_path: Path) -> None:
    """Without the line for op-fire the round stops in mid-move: one letter with what has happened,
    the numbered stacks that can fire, and the map."""
    standing = SCRIPT.without("allied", "standing opfire:")
    box = correspond(begun(tmp_path / "pocket.pbem", SCRIPT, standing), SCRIPT, 3)
    last = box.texts(PLAYERS["allied"].address)[-1]
    assert re.search(r"^Q1\. Op-fire on \S+ (leaving|entering) .*\[6\.2\]$", last, re.MULTILINE)
    assert re.search(r"^     b  \d{4} \(default\)   \S.*, [-+]\d: halt \d+%", last, re.MULTILINE)
    assert re.search(r"^Turn 1$", last, re.MULTILINE)
    assert box.outbox(PLAYERS["allied"].address)[-1].subject.count(" decision") == 1
    box.store.close()


# --- one order or two -------------------------------------------------------------------------------------


def test_6_2_one_order_or_two() -> None:
    """The same move written as one order or as two gives the same fire, dice and result,
    with dice as real games throw them."""
    way = ("3119", "3018", "2918", "2818", "2718", "2617")
    under_fire = 0
    for seed in range(40):
        whole = action_round(seed, Move(("Pz/12SS",), way))
        legs = action_round(seed, Move(("Pz/12SS",), way[:2]), Move(("Pz/12SS",), way[2:]))
        assert whole == legs
        under_fire += any("op-fire" in entry.asked for entry in whole[0])
    assert under_fire > 20


def action_round(seed: int, *orders: Move) -> tuple[list[Entry], str | None, bool, tuple[str, ...]]:
    """A round of the 1st SS Panzer Corps past an American regiment: its dice, where the unit is,
    whether it is disrupted, and the fire that it drew."""
    state = game("Pz/12SS 3219, 357/90 2817", cup=["1SS"])
    written = list(orders)

    def answers(request: Decision) -> Answer:
        if isinstance(request, Ask):
            return Answer(request.fallback)
        assert isinstance(request, Desk)
        while written:
            order = written.pop(0)
            try:
                request.check(order)
            except Overtaken:
                continue
            return Answer(order)
        return Answer(None)

    dice = GameDice(HashChain(new_secret(str(seed)), 10), "pocket", 3, "t3.activation")
    done = advance(activation(state), state, answers=answers, dice=dice)
    unit = state.units["Pz/12SS"]
    fire = tuple(f"{note.hex} {note.total} {note.effect}" for note in state.log if isinstance(note, OpFired))
    return [entry for entry in done.entries if entry.by == "dice"], unit.hex, unit.disrupted, fire
