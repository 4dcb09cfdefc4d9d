"""Games by letters: complete standing orders need no decision letter, what a missing kind of line costs
is exactly its decisions, one letter carries a whole phase, and how many letters a turn takes at most
(N11, N12, N13)."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest
from postbox import Postbox
from sizes import some

from pbem.engine.play import Ask, seats_asked
from pbem.games.france44.state import ADMINISTRATIVE, State
from pbem.games.france44.tables import CHARTS, TURNS
from pbem.service.proof.verify import verify_game
from pbem.service.time import deadline
from tests.correspondence import Club, begun, closed, correspond, letters_of, looked_up, wanted
from tests.games.france44.correspondence import DECIDED, GAME, MONTHS, SCRIPT, STANDING

SEATS = ("allied", "german")
COMMITMENT = len(SEATS)
"""2.0.8 One letter from each side, written at the same time."""
CHIT = 1
"""5.1 An initiative chit: the letter of its side."""
OPPORTUNITIES = 2
"""5.2 After each: one letter of the other side, and if it spends nothing one of its own side.
The answer and what is ordered go into one letter."""
FINAL = 2
"""2.0.10, 2.0.11 The last reaction of each side."""
SEGMENTS = 2 * len(SEATS)
"""10.1.2, 10.1.4, 10.1.5 Replacements and arrivals of each side, one letter where both
are written at once."""
SOUTH = len(SEATS)
"""10.1.3 In September those of the south as well."""
OFFENSIVE = 1
"""12.5 The reaction that opens a German offensive; its two phases stand for two chits of the turn."""
MOST_CHITS = sum(CHARTS.points.commit.values())
"""2.0.8 Five Allied and three German ones."""
MOST_LETTERS = COMMITMENT + MOST_CHITS * (CHIT + OPPORTUNITIES) + FINAL + SEGMENTS + max(SOUTH, OFFENSIVE)
"""N13 What a turn takes from both sides together if every chit is in the cup and no reaction is settled: 34.
September has no offensive."""
MOST_SETTLED = COMMITMENT + MOST_CHITS * CHIT + SEGMENTS + SOUTH
"""N13 The same with standing orders for reactions: 16, of which one for each chit."""


def ceiling(turn: int, chits: int, *, settled: bool) -> int:
    """N13 The most letters that a turn with this many initiative chits takes,
    with or without standing orders for reactions."""
    asked = 0 if settled else chits * OPPORTUNITIES + FINAL + OFFENSIVE * TURNS[turn].bulge
    return COMMITMENT + chits * CHIT + SEGMENTS + SOUTH * TURNS[turn].south + asked


def test_n13_the_ceiling_of_a_turn() -> None:
    """N13 At most 34 letters, 16 with standing orders for reactions;
    the first turn of six chits 26 and 12."""
    turns = range(1, GAME.turns + 1)
    assert max(ceiling(turn, MOST_CHITS, settled=False) for turn in turns) == MOST_LETTERS == 34
    assert max(ceiling(turn, MOST_CHITS, settled=True) for turn in turns) == MOST_SETTLED == 16
    first = sum(CHARTS.points.first_chits.values())
    assert (ceiling(1, first, settled=False), ceiling(1, first, settled=True)) == (26, 12)


# --- in memory ------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def complete() -> Club:
    """Falaise Gap between two players with complete standing orders."""
    club = Club(SCRIPT, STANDING, seed="1")
    assert club.play().over
    return club


def test_n11_complete_standing_orders_need_no_decision(complete: Club) -> None:
    """N11 No decision is asked for in the whole game."""
    assert complete.stops == []


@pytest.mark.parametrize("kind", DECIDED)
@pytest.mark.parametrize("seat", SEATS)
def test_n12_missing_lines_cost_their_own_decisions(complete: Club, seat: str, kind: str) -> None:
    """N12 Without the standing lines of one kind their player is asked for each decision that they took,
    and for nothing else; compared as long as the two games are the same."""
    club = Club(SCRIPT, SCRIPT.without(seat, f"standing {kind}:"), dict(complete.book), seed="1")
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
    """Most kinds of line decide something in this game."""
    kinds = {(fired.seat, fired.line.split(":")[0]) for _, fired in complete.fired}
    assert len(kinds) >= 8


def chits(club: Club, turn: int) -> Counter[str]:
    """The initiative chits with which a turn begins."""
    state: State = GAME.load(club.snapshots[f"t{turn}.cycle"])
    return Counter(chit for chit in state.cup if chit != ADMINISTRATIVE)


@pytest.mark.dear
@pytest.mark.parametrize("settled", some([True, False], 1))
def test_n13_no_turn_takes_more_letters_than_the_ceiling(settled: bool) -> None:
    """N13 Over three turns no turn takes more than its chits allow; without standing orders for reactions
    a decision letter each comes on top."""
    standing = STANDING if settled else {seat: _unsettled(seat) for seat in SEATS}
    club = Club(MONTHS, standing, seed="1")
    assert club.play().over
    for turn in (1, 2, 3):
        here = f"t{turn}."
        used = Counter((seat, section) for label, seat, section in club.book if label.startswith(here))
        asked = {(label, seat) for label, seat, _ in club.stops if label.startswith(here)}
        cup = chits(club, turn)
        assert used.total() + len(asked) <= ceiling(turn, cup.total(), settled=settled)
        assert all(used[seat, "initiative"] == cup[seat] for seat in SEATS)
        assert all(times == 1 for (_, section), times in used.items() if section != "initiative")
        assert bool(asked) is not settled


def _unsettled(seat: str) -> tuple[str, ...]:
    """The standing orders of a seat without those for reactions."""
    return MONTHS.without(seat, "standing reaction:")[seat]


# --- through the mail -----------------------------------------------------------------------------------


def quiet(box: Postbox) -> bool:
    """Whether nobody has been asked for a decision."""
    return not [row.subject for row in box.outbox() if " decision" in row.subject]


@pytest.mark.dear
def test_n11_two_turns_by_mail(tmp_path: Path) -> None:
    """N11, N13 Through the mail nobody is asked for a decision, a turn takes its commitment,
    its chits and its administration, and everything can be verified. Turn 1 has the letters with the standing
    orders besides."""
    box = correspond(begun(tmp_path / "game.pbem", MONTHS, STANDING), MONTHS, 2)
    used = [letters_of(box, turn) for turn in (1, 2)]
    first = sum(CHARTS.points.first_chits.values())
    assert sum(used[0].values()) <= len(SEATS) + ceiling(1, first, settled=True)
    assert sum(used[1].values()) <= ceiling(2, MOST_CHITS, settled=True)
    assert quiet(box)
    assert not verify_game(box.store, "gap").wrong
    box.store.close()


@pytest.mark.dear
def test_n13_falaise_gap_by_mail_with_every_reaction_asked(tmp_path: Path) -> None:
    """N13 Without standing orders for reactions each opportunity costs a letter,
    and the game of one turn stays under its ceiling."""
    box = begun(tmp_path / "game.pbem", SCRIPT, {seat: _unsettled(seat) for seat in SEATS})
    correspond(box, SCRIPT, 1, decide="none")
    used = letters_of(box, 1)
    first = sum(CHARTS.points.first_chits.values())
    assert looked_up(box)[1].over and not quiet(box)
    assert sum(used.values()) <= len(SEATS) - COMMITMENT + ceiling(1, first, settled=False)
    box.store.close()


ONE_LETTER = {
    "allied": """[initiative]
activate US1 with VII/US, VIII/US, V/US, 2AD/US, 3AD/US
inc 4: attack 1209 with VII/US, VIII/US led by VII/US, air tactical, lose VIII/US, no advance; \
then if 1209 is empty, inc 8: move 2AD/US to 1209 else inc 8: attack 1209 with 2AD/US, VII/US
try move 3AD/US to 1209 else stay
done
""",
    "german": """[initiative]
activate AOK7 with IIFJ, 2Pz, Lehr, 17SS
inc 4: attack 1309 with IIFJ, 2Pz, Lehr led by Lehr, lose IIFJ, no advance; \
then if 1309 is empty, inc 8: move Lehr to 1309 else inc 8: attack 1309 with Lehr, 2Pz
done
""",
}
"""A whole phase: the headquarters, its units, and increments that depend on what the attack brings."""
FIRST = {"allied": "1", "german": "2"}
"""The first chit with these seeds."""


def opened(path: Path, seat: str, **standing: tuple[str, ...]) -> Postbox:
    """Falaise Gap with the first chit of a side drawn; `standing` lines come before the others."""
    lines = {each: (*standing.get(each, ()), *STANDING[each]) for each in SEATS}
    box = begun(path, SCRIPT, lines, FIRST[seat])
    here = looked_up(box)[1]
    assert here.waiting.what == f"{seat.capitalize()} initiative"  # type: ignore[union-attr]
    return box


@pytest.mark.parametrize(
    ("seat", "other", "posture", "what"),
    [
        ("allied", "german", "give ground", "move"),
        ("allied", "german", "stay", "attack"),
        ("german", "allied", "stay", "attack"),
    ],
)
def test_n13_an_initiative_phase_in_one_letter(
    tmp_path: Path, seat: str, other: str, posture: str, what: str
) -> None:
    """N13, 5.1, 6.0 One letter names the headquarters, its units and the whole series;
    whichever way the combat goes, its next increment follows and nobody is asked."""
    box = opened(tmp_path / "game.pbem", seat, **{other: (f"standing retreat: {posture}",)})
    after = box.last()
    assert box.mail(seat, ONE_LETTER[seat]).outcome == "accepted"
    told = "\n".join(box.texts(box.address(other), after))
    assert re.search(rf"Increment, box 4: attack.*Increment, box 8: {what}", told, re.DOTALL)
    assert looked_up(box)[1].label != "t1.cycle" and quiet(box)
    assert letters_of(box, 1)[seat] == 2  # the first has the standing orders
    box.store.close()


ARMY = "activate PzWest with 1SS, 12SS, LXXXVI\ninc 1: attack 1409 with 1SS, 12SS\n"
SENT = "PzWest reacts, 3 points"
REACTIONS = (
    pytest.param(("react with 3 points: PzWest",), f"[reaction]\n{ARMY}", SENT, id="standing, army"),
    pytest.param((), f"[reaction]\nreact as ordered\n{ARMY}", SENT, id="as ordered, army"),
    pytest.param(
        (),
        "[reaction]\nreact as ordered\npiece 116Pz\ninc 1: move 116Pz to 1711\n",
        "116Pz reacts alone for a point",
        id="piece",
    ),
    pytest.param(
        (), "[reaction]\nreact with a point\n", "a point spent to deny the enemy a reaction", id="a point"
    ),
    pytest.param(
        ("spend one point to deny",), "", "a point spent to deny the enemy a reaction", id="standing, a point"
    ),
)


@pytest.mark.parametrize(("lines", "ahead", "says"), REACTIONS)
def test_5_2_a_reaction_written_ahead_needs_no_letter(
    tmp_path: Path, lines: tuple[str, ...], ahead: str, says: str
) -> None:
    """5.2, N13 Written before the chit is played, an army, a piece or a point reacts at once,
    and nobody is asked."""
    box = opened(
        tmp_path / "game.pbem", "allied", german=tuple(f"standing reaction: {line}" for line in lines)
    )
    if ahead:
        assert box.mail("german", closed(ahead)).outcome == "accepted"
    after = box.last()
    assert box.mail("allied", ONE_LETTER["allied"]).outcome == "accepted"
    told = "\n".join(box.texts(box.address("allied"), after))
    assert says in told and quiet(box)
    assert letters_of(box, 1)["german"] == 1 + bool(ahead)
    box.store.close()


def answered(box: Postbox, seat: str, choice: str) -> str:
    """The answer to the one question of a seat, as it is written."""
    (number,) = box.questions(seat)
    return f"Q{number}: {choice}\n"


def test_5_2_an_answer_and_its_orders_in_one_letter(tmp_path: Path) -> None:
    """5.2, N13 Who is asked whether he reacts writes in the same letter what he does."""
    box = begun(
        tmp_path / "game.pbem", SCRIPT, SCRIPT.without("german", "standing reaction:"), FIRST["allied"]
    )
    box.mail("allied", ONE_LETTER["allied"])
    assert looked_up(box)[1].waiting.what == "German reaction"  # type: ignore[union-attr]
    after = box.last()
    assert (
        box.mail("german", answered(box, "german", "react") + closed(f"[reaction]\n{ARMY}")).outcome
        == "accepted"
    )
    assert SENT in "\n".join(box.texts(box.address("german"), after))
    assert looked_up(box)[1].label != "t1.cycle"
    assert letters_of(box, 1)["german"] == 2
    box.store.close()


def test_5_1_a_reaction_written_ahead_leaves_the_next_chit_to_its_player(tmp_path: Path) -> None:
    """5.1, 5.2 A letter that closes its reaction does not close the initiative:
    the next German chit is waited for."""
    box = opened(tmp_path / "game.pbem", "allied")
    box.mail("german", closed("[reaction]\nreact with a point\n"))
    box.mail("allied", ONE_LETTER["allied"])
    waiting = looked_up(box)[1].waiting
    assert waiting.what == "German initiative"  # type: ignore[union-attr]
    box.store.close()


def test_5_2_two_reactions_in_one_letter(tmp_path: Path) -> None:
    """5.2 Each `react` line is for one opportunity, with the lines below it:
    the second waits while the first is played."""
    box = opened(tmp_path / "game.pbem", "allied")
    ahead = "[reaction]\nreact as ordered\npiece 116Pz\ninc 1: move 116Pz to 1711\nreact with a point\n"
    assert box.mail("german", closed(ahead)).outcome == "accepted"
    after = box.last()
    box.mail("allied", ONE_LETTER["allied"])
    told = "\n".join(box.texts(box.address("allied"), after))
    assert "116Pz reacts alone for a point" in told and "spent for nothing" not in told
    kept = box.papers()["german"]
    assert "react with a point" in str(kept) and "reaction" in str(kept)
    while "spent for nothing" not in "\n".join(box.texts(box.address("allied"), after)):
        waiting = looked_up(box)[1].waiting
        seat = seats_asked(waiting)[0]
        assert box.mail(seat, f"no orders: {wanted(waiting, seat).section}").outcome == "accepted"
    box.store.close()


def test_5_2_who_has_decided_something_is_still_asked_whether_he_reacts(tmp_path: Path) -> None:
    """5.2 The answer to a decision letter about a combat does not give the reaction away."""
    box = begun(tmp_path / "game.pbem", SCRIPT, {"allied": STANDING["allied"]}, FIRST["allied"])
    box.mail("allied", ONE_LETTER["allied"])
    kinds = []
    while isinstance(waiting := looked_up(box)[1].waiting, Ask) and waiting.kind != "reaction":
        kinds.append(waiting.kind)
        box.mail("german", answered(box, "german", "a"))
    assert kinds[0] == "lead" and isinstance(waiting, Ask) and waiting.kind == "reaction"
    box.store.close()


def test_2_0_10_a_reaction_that_was_not_needed_waits_for_the_last_one(tmp_path: Path) -> None:
    """2.0.10, 5.2 What is written ahead under [reaction] and not used while chits are drawn is there
    for the last reaction."""
    box = begun(tmp_path / "game.pbem", SCRIPT, {"german": STANDING["german"]}, FIRST["german"])
    while (here := looked_up(box)[1]).state.cup:
        seat = seats_asked(here.waiting)[0]
        asked = isinstance(here.waiting, Ask)
        if asked:
            box.mail(seat, answered(box, seat, "none"))
        else:
            box.mail(seat, f"no orders: {wanted(here.waiting, seat).section}")
    after = box.last()
    ahead = "[reaction]\nreact as ordered\npiece 116Pz\ninc 1: move 116Pz to 1711\n"
    assert box.mail("german", closed(ahead)).outcome == "accepted"
    box.mail("allied", "no orders: arrival")
    told = "\n".join(box.texts(box.address("allied"), after))
    assert re.search(r"Last German reaction\n +116Pz reacts alone for a point", told)
    box.store.close()


def test_5_1_a_missed_deadline_costs_one_chit_and_not_the_next(tmp_path: Path) -> None:
    """5.1 Whose time is up passes with his chit; with his next one he is waited for again,
    also if it comes at once."""
    box = opened(tmp_path / "game.pbem", "german")
    deadline.act(box.store, "gap", box.now, force=True)
    here = looked_up(box)[1]
    assert here.waiting.what == "German initiative"  # type: ignore[union-attr]
    assert here.label == "t1.cycle.2"
    box.store.close()


def test_5_2_a_second_reaction_waits_also_when_the_first_was_interrupted(tmp_path: Path) -> None:
    """5.2 The attack of the first stops for a decision of its defender;
    the lines of the second are not taken for the first when it goes on."""
    standing = {"german": STANDING["german"], "allied": _unsettled("allied")}
    standing["allied"] = tuple(line for line in standing["allied"] if not line.startswith("standing lead"))
    box = begun(tmp_path / "game.pbem", SCRIPT, standing, FIRST["allied"])
    ahead = f"[reaction]\nreact as ordered\n{ARMY}react as ordered\npiece 116Pz\ninc 1: move 116Pz to 1711\n"
    assert box.mail("german", closed(ahead)).outcome == "accepted"
    box.mail("allied", ONE_LETTER["allied"])
    waiting = looked_up(box)[1].waiting
    assert isinstance(waiting, Ask) and waiting.kind == "lead" and waiting.seat == "allied"
    after = box.last()
    box.mail("allied", answered(box, "allied", "a"))
    assert looked_up(box)[1].label == "t1.cycle.2"
    assert "116Pz reacts" not in "\n".join(box.texts(box.address("allied"), after))
    assert [line["text"] for line in box.seat("german").sheet["lines"]] == [
        "react as ordered",
        "piece 116Pz",
        "inc 1: move 116Pz to 1711",
    ]
    box.store.close()
