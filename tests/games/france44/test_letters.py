"""Letters of this game: examples that can be read, lines that wait, and what whole games tell each side."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest
from one_order import read_line

from pbem.engine.autoplay import Played, autoplay
from pbem.engine.bots import greedy_bot
from pbem.engine.desk import Desk
from pbem.engine.language import Line
from pbem.engine.language.reference import Examples, template
from pbem.engine.notes import Note
from pbem.engine.play import advance
from pbem.games.france44 import GAME, orders
from pbem.games.france44.activation import Initiative
from pbem.games.france44.begin import Commitment
from pbem.games.france44.forecast import ahead
from pbem.games.france44.state import State
from pbem.games.france44.view import roster
from pbem.service.play.papers import Papers
from pbem.service.play.sheet import SheetLine
from pbem.service.play.trying import Trying
from tests.games.france44.kit import game

WIDTH = 140
"""Lines to remember stay within it, lists of names aside."""


# --- reading ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("section", "text", "order"),
    [
        ("commitment", "commit 2", orders.Commit(2)),
        ("commitment", "interdict with 2 tactical air markers", orders.Interdict(2)),
        ("initiative", "activate US1", orders.Activate("US1")),
        ("initiative", "box 4: VII/US, 2AD/US to 1209", orders.Move(("VII/US", "2AD/US"), ("1209",), 4)),
        ("initiative", "inc 4: attack 1209 1310 with VII/US, no advance",
            orders.Attack(("1209", "1310"), ("VII/US",), 4, stay=True)),
        ("initiative", "attack 1209 with VII/US air heavy", orders.Attack(("1209",), ("VII/US",),
                air="heavy")),
        ("initiative", "inc 10", orders.Increment(10)),
        ("reaction", "react with a point", orders.Denial()),
        ("reaction", "piece US1", orders.Piece("US1")),
        ("administration", "replace VII/US with 1 point", orders.Replace("VII/US", 1)),
        ("arrival", "enter XV/US at 1309 then to 1311", orders.Enter(("XV/US",), "1309", ("1311",))),
    ],
)  # fmt: skip
def test_orders_as_people_write_them(section: str, text: str, order: orders.Order) -> None:
    """5.1 to 8.0 The short and the long way of writing the orders of a turn."""
    reading = GAME.grammar.read([(0, f"[{section}]"), (1, text)], roster(game("VII/US 1208"), "allied"))
    assert not reading.faults and reading.orders[0].order == order


def _form(seat: str, section: str, desk: Desk[orders.Order], state: State) -> str:
    examples = Examples(GAME.grammar, seat, roster(state, seat), desk)
    return template(GAME.grammar, {section: []}, examples)


@pytest.mark.parametrize("seat", ["allied", "german"])
def test_6_0_the_examples_of_an_initiative_can_be_sent_below_its_activation(seat: str) -> None:
    """5.1, 6.0 Each example of the form, after the line that activates, is an order of the present position;
    the attack alone shows what else an attack can say."""
    state = GAME.start("falaise")
    desk = Initiative(state, seat)  # type: ignore[arg-type]
    form = _form(seat, "initiative", desk, state)
    lines = [line.removeprefix("; ") for line in form.splitlines()[1:-2]]
    first, *others = (read_line(GAME.grammar, line, roster(state, seat), "initiative") for line in lines)
    desk.activate(first)  # type: ignore[arg-type]
    assert {type(order) for order in others} >= {orders.Administrative, orders.Increment, orders.Move}
    for order in others:
        if not isinstance(order, orders.Attack):
            desk.check(order)


@pytest.mark.parametrize(("seat", "verb"), [("allied", "interdict"), ("german", "offensive")])
def test_2_0_8_the_form_offers_nothing_that_this_turn_does_not_allow(seat: str, verb: str) -> None:
    """2.0.3, 12.5 No interdiction without air support, no offensive in July."""
    state = GAME.start("westwall")
    form = _form(seat, "commitment", Commitment(state, seat, 2), state)  # type: ignore[arg-type]
    assert "; commit " in form and verb not in form


# --- lines judged before their time -------------------------------------------------------------------------

FRONT = "VII/US 1208, 2AD/US 1208, US1 1208, XIX/US 1207, LXXXIV 1209, AOK7 1311, 2SS 1410"


def front(text: str = FRONT, **fields: object) -> State:
    values = {
        "phase": "cycle",
        "control": {"1207": "allied", "0910": "german"},
        "reaction": {"allied": 3, "german": 1},
    }
    return game(text, **(values | fields))  # type: ignore[arg-type]


def told(state: State, seat: str, section: str, *written: orders.Order) -> tuple[str, tuple[str, ...]]:
    """Why the last of these lines could not be carried out ("" if it could),
    and what its writer is told of it."""
    play = ahead(state, seat, section)
    assert play is not None
    lines = [SheetLine(at, section, "", Line(at, "", section, order)) for at, order in enumerate(written, 1)]
    papers = {key: Papers(key, tuple(lines) if key == seat else ()) for key in ("allied", "german")}
    desk = Trying(GAME, state, papers, seat, lambda count: count - 1)
    advance(play, state, answers=desk, dice=desk.imagine)
    desk.close()
    last = desk.outcomes[len(lines) - 1]
    return str(last.error or ""), last.preview


def test_5_1_lines_for_a_chit_are_judged_one_after_another() -> None:
    """5.1, 6.0, 8.0 The headquarters first, then increments with the units that it commands."""
    us1 = orders.Activate("US1", ("VII/US",))
    aok7 = orders.Activate("AOK7", ("2SS",))
    assert told(front(), "allied", "initiative", us1)[0] == ""
    far = orders.Activate("US1", ("XV/US",))
    assert "out of the command range" in told(front(FRONT + ", XV/US 2113"), "allied", "initiative", far)[0]
    first = orders.Attack(("1209",), ("VII/US",), 4)
    error, says = told(front(), "allied", "initiative", us1, first)
    assert error == "" and any("against" in line for line in says)
    assert told(front(), "allied", "initiative", us1, first, orders.Increment(8))[0] == ""
    assert "no headquarters has been activated" in told(front(), "allied", "initiative", first)[0]
    stranger = orders.Attack(("1209",), ("2AD/US",), 4)
    assert "2AD/US is not under command" in told(front(), "allied", "initiative", us1, stranger)[0]
    empty = orders.Attack(("1311",), ("VII/US",), 4)
    assert "no enemy unit in 1311" in told(front(), "allied", "initiative", us1, empty)[0]
    move = orders.Move(("2SS",), ("1411",), 1)
    assert told(front(), "german", "initiative", aok7, move)[0] == ""
    assert "1411 costs 3 [7.0]" in told(front(), "german", "initiative", aok7, replace(move, box=4))[0]


def test_9_2_a_chit_that_is_to_come_frees_the_other_heavy_bombers() -> None:
    """9.2 Lines for the next chit may count on the second marker, though the first has been used
    since the last one."""
    attack = orders.Attack(("1209",), ("VII/US",), 4, air="heavy")
    us1 = orders.Activate("US1", ("VII/US",))
    assert told(front(heavy_used=True), "allied", "initiative", us1, attack)[0] == ""


def test_5_2_lines_for_a_reaction_are_judged_by_the_points_in_hand() -> None:
    """5.2 An army reaction takes three points, pieces act alone one after another;
    without any points there is nothing to judge by."""
    react, move = orders.React(), orders.Move(("2SS",), ("1411",), 1)
    assert "nothing is written below it" in told(front(), "allied", "reaction", react)[0]
    assert told(front(), "allied", "reaction", react, orders.Activate("US1"))[0] == ""
    assert "takes 3 points" in told(front(), "german", "reaction", react, orders.Activate("AOK7"))[0]
    assert told(front(), "german", "reaction", react, orders.Piece("2SS"), move)[0] == ""
    other = orders.Piece("LXXXIV")
    assert "LXXXIV is not on" not in told(front(), "german", "reaction", react, other)[0]
    assert "2SS is not under command" in told(front(), "german", "reaction", react, other, move)[0]
    assert ahead(front(reaction={"allied": 0, "german": 0}), "german", "reaction") is None


def test_5_2_each_react_line_is_judged_as_an_opportunity_of_its_own() -> None:
    """5.2 A point for nothing, then a piece: both are possible, and the lines of the piece are judged
    by what it can do."""
    lines = (orders.Denial(), orders.React(), orders.Piece("2AD/US"))
    state = front(reaction={"allied": 2, "german": 1})
    assert told(state, "allied", "reaction", *lines)[0] == ""
    assert state.reaction["allied"] == 0
    state = front(reaction={"allied": 2, "german": 1})
    too_far = orders.Move(("2AD/US",), ("1512",), 1)
    assert told(state, "allied", "reaction", *lines, too_far)[0] != ""


def test_2_0_8_10_1_2_other_lines_that_wait() -> None:
    """2.0.8, 10.1.2, 10.1.5 Commitment, replacements and arrivals are judged by what is there;
    nothing is for an onlooker or the south."""
    supply = {"allied": 2, "german": 0}
    commit = orders.Commit
    assert told(front(supply=supply), "allied", "commitment", commit(2))[0] == ""
    assert (
        "3 points cannot be committed: at most 2"
        in told(front(supply=supply), "allied", "commitment", commit(3))[0]
    )
    state = front()
    state.units["VII/US"].lost = 1
    assert told(state, "allied", "administration", orders.Replace("VII/US", 1))[0] == ""
    assert told(front(), "allied", "commitment", orders.Interdict(1))[0] == ""
    assert (
        "interdict is not an order for [commitment]"
        in told(front(), "german", "commitment", orders.Interdict(1))[0]
    )
    assert told(front(), "allied", "arrival", orders.Enter(("5AD/US",), "1207"))[0] == ""
    assert (
        "no unit can enter at 1512"
        in told(front(), "allied", "arrival", orders.Enter(("5AD/US",), "1512"))[0]
    )
    assert "VII/US is not among" in told(front(), "allied", "arrival", orders.Enter(("VII/US",), "1207"))[0]
    assert ahead(front(), "umpire", "initiative") is None and ahead(front(), "allied", "south") is None


# --- a whole game -----------------------------------------------------------------------------------------


@pytest.fixture(scope="module", params=["falaise", "westwall"])
def pages(request: pytest.FixtureRequest) -> list[tuple[State, list[Note]]]:
    """The state at the end of each phase of a game of one month and of one of three, with what was logged in
    it."""
    bots = {seat: greedy_bot(GAME.judge, random.Random(1)) for seat in ("allied", "german")}
    played: Played[State] = autoplay(GAME, "letters", bots, scenario=request.param)
    found = []
    for phase in played.phases:
        state = GAME.load(phase.snapshot)
        advance(GAME.phase(state.phase).play(state), state, phase.entries)
        found.append((state, list(state.log)))
    return found


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


def test_7_0_an_unknown_place_is_answered_as_a_place() -> None:
    """7.0 Who misspells a town beyond guessing learns that the map has no such place, not that a word is
    unknown."""
    reading = GAME.grammar.read([(0, "[initiative]"), (1, "inc 10: move VII/US to Mortain")],
        roster(game("VII/US 1208"), "allied"))  # fmt: skip
    (fault,) = reading.faults
    assert fault.error.text == 'there is no place "Mortain" on the map; give the number of the hex'


@pytest.mark.parametrize(
    ("section", "line"),
    [
        ("initiative", "increment 4: attack 0101 with VII/US"),
        ("initiative", "increment 1: move VII/US to 0101"),
        ("arrival", "enter XV/US at 0101"),
        ("arrival", "VI/US at 0101"),
    ],
)
def test_a_hex_that_the_map_does_not_show_is_told_at_once(section: str, line: str) -> None:
    """A number off the map is no hex, also for a line that could not be played yet."""
    reading = GAME.grammar.read([(0, f"[{section}]"), (1, line)], roster(game("VII/US 1208"), "allied"))
    assert not reading.orders and 'there is no hex "0101" on the map' in str(reading.faults[0].error)
