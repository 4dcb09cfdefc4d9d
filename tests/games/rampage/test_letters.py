"""Order letters of this game: legs of one force in one letter, corrections in the next, and seats that are not played."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

import pytest

from pbem.engine.orders import Line
from pbem.games.rampage import GAME
from pbem.games.rampage.view import roster
from pbem.service.receive import merged
from pbem.service.start import NewGame, Player, start
from pbem.service.store import Store, locked_game
from pbem.service.submit import submit
from pbem.service.table import Table
from pbem.service.trial import check_file
from tests.games.rampage.kit import game

NOW = datetime(2026, 10, 1, 18, tzinfo=UTC)


def lines(*texts: str) -> tuple[Line, ...]:
    """Order lines of operations as a letter has them."""
    state = game("3A 1501, 1Inf 1501, 4A 1402")
    numbered = [(0, "[operations]"), *enumerate(texts, 1)]
    reading = GAME.grammar.read(numbered, roster(state, "allied"))
    assert len(reading.orders) == len(texts)
    return reading.orders


def texts(kept: Sequence[Line]) -> list[str]:
    return [line.text for line in kept]


def test_legs_of_one_letter_follow_one_another() -> None:
    """9.2 Several lines of a letter about the same division are legs of its way: none takes the place of another."""
    written = ("3A, 1Inf to 1502", "3A to 1503, fight until won", "4A to 1403")
    assert texts(merged((), lines(*written))) == list(written)


def test_a_later_letter_takes_the_place_of_all_legs() -> None:
    """A force ordered anew in a later letter forgets all its earlier legs, and keeps its place among the others."""
    before = merged((), lines("3A, 1Inf to 1502", "3A to 1503", "4A to 1403"))
    after = merged(before, lines("3A, 1Inf to 1502 1503", "1Inf to 1504"))
    assert texts(after) == ["3A, 1Inf to 1502 1503", "1Inf to 1504", "4A to 1403"]


@pytest.mark.parametrize(
    ("options", "seats"), [({}, {"allied"}), ({"command": "two", "airborne": "both"}, {"us", "british"})]
)
def test_only_the_seats_that_are_played_have_letters(
    options: dict[str, str], seats: set[str], tmp_path: Path
) -> None:
    """1.1 One commander or two: set-up by letter leads on to the operations of turn 1 either way."""
    players = {seat: Player(seat.capitalize(), f"{seat}@mail.example") for seat in seats}
    store = Store.create(tmp_path / "game.pbem")
    start(store, NewGame("rampage", "caen", options=options, players=players, seed="1"), NOW)
    for seat in sorted(seats):
        submit(store, None, seat, "[set-up]\ndefault\n", NOW)
    with store.transaction() as session:
        table = Table(session, locked_game(session, "caen"), NOW)
        assert set(table.seats) == seats
        assert table.here().label == "t1.operations" and not table.here().over
        assert {unit.place for unit in table.here().state.on_map()} == {"map"}
    store.close()


def test_lines_behind_a_die_are_judged_as_things_stand() -> None:
    """9.1, 9.8 The die for the first defence ends a check; of the lines behind it the player reads their odds, or what they still need."""
    text = "[set-up]\ndefault\n[operations]\n2A to 1403\n4A to 1103\n5A to 1506\n2A to 1404\n"
    says = {each.line.text: each for each in check_file("rampage", "allied", text).check.lines if each.line}
    assert says["2A to 1403"].verdict == "ok"
    near, far, leg = says["4A to 1103"], says["5A to 1506"], says["2A to 1404"]
    assert {near.verdict, far.verdict, leg.verdict} == {"later"}
    assert near.says[0] == "kept for [operations]; as things stand now:" and any(
        "to win within" in told for told in near.says
    )
    assert far.says[0].startswith("only if the lines before it make it possible: no way leads from")
    assert leg.says == ("kept for [operations]",)


def test_a_check_changes_nothing_of_what_is_played(tmp_path: Path) -> None:
    """A letter that was checked first is adjudicated exactly like one that was not."""
    finals = []
    for checked in (False, True):
        store = Store.create(tmp_path / f"{checked}.pbem")
        players = {"allied": Player("Allied", "allied@mail.example")}
        start(store, NewGame("rampage", "caen", players=players, seed="1"), NOW)
        submit(store, None, "allied", "[set-up]\ndefault\n", NOW)
        orders = "[operations]\n2A to 1403, fight until won\n4A to 1304, fight until won\n"
        if checked:
            assert check_file(store, "allied", orders).check.ok
        submit(store, None, "allied", orders, NOW)
        with store.transaction() as session:
            finals.append(Table(session, locked_game(session, "caen"), NOW).here().state)
        store.close()
    assert finals[0] == finals[1]
