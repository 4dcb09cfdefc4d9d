"""Letters of this game: examples that can be read, lines that wait, and what whole games tell each side."""

from __future__ import annotations

import random

import pytest

from pbem.engine.autoplay import Played, autoplay
from pbem.engine.bots import greedy_bot
from pbem.engine.notes import Note
from pbem.engine.orders import Line
from pbem.engine.play import advance
from pbem.games.france44 import GAME, orders
from pbem.games.france44.planning import ahead
from pbem.games.france44.state import State
from pbem.games.france44.tables import place_name
from pbem.games.france44.view import roster
from pbem.service.desk import judged
from pbem.service.letters import environment
from tests.games.france44.kit import game
from tests.games.france44.test_report import words

WIDTH = 140
"""Lines to remember stay within it, lists of names aside."""


# --- reading ----------------------------------------------------------------------------------------------


def test_every_example_of_the_order_reference_can_be_read() -> None:
    """Each order's and condition's example is understood under a heading where it belongs."""
    state = game("VII/US 1208")
    for kind in GAME.grammar.orders:
        heading = next(name for name, kinds in GAME.grammar.sections.items() if kind in kinds)
        for seat in kind.seats or ("allied", "german"):
            example = kind.examples.get(seat, kind.example)
            reading = GAME.grammar.read([(0, f"[{heading}]"), (1, example)], roster(state, seat))
            assert not reading.faults and isinstance(reading.orders[0].order, kind), (seat, example)
    for condition in GAME.grammar.conditions:
        lines = [(1, "[initiative]"), (2, f"{condition.example}: inc 4: move 2AD/US to 1210")]
        reading = GAME.grammar.read(lines, roster(state, "allied"))
        read = reading.orders[0].conditions[0].condition
        assert not reading.faults and isinstance(read, condition), condition


def test_every_standing_example_can_be_read() -> None:
    """Each standing order's example is understood."""
    state = game("VII/US 1208")
    for policy in GAME.grammar.policies:
        reading = GAME.grammar.read([(1, policy.example)], roster(state, "allied"))
        assert not reading.faults and reading.standing, policy.example


@pytest.mark.parametrize(
    ("section", "text", "order"),
    [
        ("commitment", "commit 2", orders.Commit(2)),
        ("commitment", "interdict with 2 tactical air markers", orders.Interdict(2)),
        ("initiative", "activate US1", orders.Activate("US1")),
        ("initiative", "box 4: VII/US, 2AD/US to 1209", orders.Move(("VII/US", "2AD/US"), ("1209",), 4)),
        ("initiative", "inc 4: attack 1209 1310 with VII/US, no advance", orders.Attack(("1209", "1310"), ("VII/US",), 4, stay=True)),
        ("initiative", "attack 1209 with VII/US air heavy", orders.Attack(("1209",), ("VII/US",), air="heavy")),
        ("initiative", "inc 10", orders.Increment(10)),
        ("reaction", "react with a point", orders.Deny()),
        ("reaction", "piece US1", orders.Piece("US1")),
        ("administration", "replace VII/US with 1 point", orders.Replace("VII/US", 1)),
        ("arrival", "enter XV/US at 1309 then to 1311", orders.Enter(("XV/US",), "1309", ("1311",))),
    ],
)  # fmt: skip
def test_orders_as_people_write_them(section: str, text: str, order: orders.Order) -> None:
    """5.1 to 8.0 The short and the long way of writing the orders of a turn."""
    reading = GAME.grammar.read([(0, f"[{section}]"), (1, text)], roster(game("VII/US 1208"), "allied"))
    assert not reading.faults and reading.orders[0].order == order


# --- lines judged as things stand ---------------------------------------------------------------------------

FRONT = "VII/US 1208, 2AD/US 1208, US1 1208, XIX/US 1207, LXXXIV 1209, AOK7 1311, 2SS 1410"


def front(text: str = FRONT, **fields: object) -> State:
    values = {
        "phase": "cycle",
        "control": {"1207": "allied", "0910": "german"},
        "reaction": {"allied": 3, "german": 1},
    }
    return game(text, **(values | fields))  # type: ignore[arg-type]


def told(state: State, seat: str, section: str, order: orders.Order) -> tuple[str, tuple[str, ...]]:
    """Why a line could not be carried out now ("" if it could), and what its writer is told of it."""
    request = ahead(state, seat, section)
    assert request is not None
    (fed,) = judged(GAME, state, request, [Line(1, "", section, order)])
    return str(fed.error or ""), tuple(fed.preview) if not fed.error else ()


def test_5_1_lines_for_a_chit_are_judged_as_things_stand() -> None:
    """5.1, 6.0, 8.0 Activations by the headquarters; increments as if their units were under command."""
    state = front()
    assert told(state, "allied", "initiative", orders.Activate("US1", ("VII/US",)))[0] == ""
    assert (
        "out of the command range"
        in told(front(FRONT + ", XV/US 2113"), "allied", "initiative", orders.Activate("US1", ("XV/US",)))[0]
    )
    error, says = told(state, "allied", "initiative", orders.Attack(("1209",), ("VII/US",), 4))
    assert error == "" and any("against" in line for line in says)
    assert (
        "no enemy unit in 1311"
        in told(state, "allied", "initiative", orders.Attack(("1311",), ("VII/US",), 4))[0]
    )
    assert told(state, "german", "initiative", orders.Move(("2SS",), ("1411",), 1))[0] == ""
    assert "1411 costs 3 [7.0]" in told(state, "german", "initiative", orders.Move(("2SS",), ("1411",), 4))[0]


def test_5_2_lines_for_a_reaction_are_judged_by_the_points_in_hand() -> None:
    """5.2 An army reaction takes three points; without any there is nothing to judge by."""
    state = front()
    assert told(state, "allied", "reaction", orders.React())[0] == ""
    assert told(state, "allied", "reaction", orders.Activate("US1"))[0] == ""
    assert "an army reaction takes 3 points" in told(state, "german", "reaction", orders.Activate("AOK7"))[0]
    assert told(state, "german", "reaction", orders.Piece("2SS"))[0] == ""
    assert ahead(front(reaction={"allied": 0, "german": 0}), "german", "reaction") is None


def test_2_0_8_10_1_2_other_lines_that_wait() -> None:
    """2.0.8, 10.1.2 Commitment and replacements are judged by what is there; arrivals are not, nor is anything for an onlooker."""
    state = front(supply={"allied": 2, "german": 0})
    assert told(state, "allied", "commitment", orders.Commit(2))[0] == ""
    assert (
        "3 points cannot be committed: 2 at most" in told(state, "allied", "commitment", orders.Commit(3))[0]
    )
    state.units["VII/US"].lost = 1
    assert told(state, "allied", "administration", orders.Replace("VII/US", 1))[0] == ""
    assert told(state, "allied", "commitment", orders.Interdict(1))[0] == ""
    assert (
        "interdict is not an order for [commitment]"
        in told(state, "german", "commitment", orders.Interdict(1))[0]
    )
    assert ahead(state, "allied", "arrival") is None and ahead(state, "umpire", "initiative") is None


# --- a whole game -----------------------------------------------------------------------------------------


@pytest.fixture(scope="module", params=["falaise", "westwall"])
def pages(request: pytest.FixtureRequest) -> list[tuple[State, list[Note]]]:
    """The state at the end of each phase of a game of one month and of one of three, with what was logged in it."""
    bots = {seat: greedy_bot(GAME.worth, random.Random(1)) for seat in ("allied", "german")}
    played: Played[State] = autoplay(GAME, "letters", bots, scenario=request.param)
    found = []
    for phase in played.phases:
        state = GAME.load(phase.snapshot)
        advance(GAME.phase(state.phase).play(state), state, phase.entries)
        found.append((state, list(state.log)))
    return found


@pytest.mark.parametrize("seat", ["allied", "german"])
def test_letters_of_a_game_can_be_written(pages: list[tuple[State, list[Note]]], seat: str) -> None:
    """Every phase is told in full to either side: log, summary, forces and map, without a gap."""
    forces = environment().get_template("france44/forces.txt.j2", globals={"at": place_name})
    for state, notes in pages:
        lines = words(*(note for note in notes if note.seen_by(seat)), seat=seat)
        seen = GAME.view(state, seat)
        assert GAME.summary(seen, tuple(notes)) and GAME.board(seen, tuple(notes)).counters
        parts = forces.render(view=seen).splitlines()
        assert any(line.startswith("## As it stands: ") for line in parts)
        assert any(line.startswith("## The enemy on the map: ") for line in parts)
        everything = [*lines, *parts, *GAME.summary(seen, tuple(notes))]
        assert not any("None" in line or "{{" in line or "Modifier" in line for line in everything)
        assert lines == [line for line in lines if line.strip()]


def test_lines_to_remember_are_short(pages: list[tuple[State, list[Note]]]) -> None:
    """The hints of a phase stay within a line of a letter, lists of names aside."""
    for state, _ in pages:
        for seat in ("allied", "german", "umpire"):
            for line in GAME.view(state, seat).notes:
                assert len(line) <= WIDTH, line


def test_every_roll_of_a_game_is_told(pages: list[tuple[State, list[Note]]]) -> None:
    """Each throw of a game stands in the log under the number of its last die."""
    rolls = [note.roll for _, notes in pages for note in notes if note.roll]
    assert rolls == sorted(rolls) and rolls and rolls[-1] == max(state.rolls for state, _ in pages)


def test_2_0_8_nothing_of_a_commitment_is_told_to_the_other_side(
    pages: list[tuple[State, list[Note]]],
) -> None:
    """2.0.8 In a whole game no view of a side changes with what the other has committed."""
    for state, _ in pages:
        other = GAME.load(GAME.dump(state))
        moved = other.committed.get("german", 0)
        other.committed["german"] = 0
        other.supply["german"] = other.supply.get("german", 0) + moved
        other.log = state.log
        assert GAME.view(other, "allied") == GAME.view(state, "allied")
