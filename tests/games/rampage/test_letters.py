"""Order letters of this game: legs of one force in one letter, corrections in the next,
and seats that are not played."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest

from pbem.service.intake.submit import submit
from pbem.service.intake.trial import check_file
from pbem.service.moderating.start import NewGame, Player, start
from pbem.service.record.store import Store, locked_game
from pbem.service.record.table import Table
from tests.games.rampage.kit import TWO, by_mail, kept

NOW = datetime(2026, 10, 1, 18, tzinfo=UTC)
LEGS = "[operations]\n4A, 35Inf to 1103\n4A to 1104, fight until won\n5A to 1403\n"


def test_legs_of_one_letter_follow_one_another(tmp_path: Path) -> None:
    """9.2 Several lines of a letter about the same division are legs of its way:
    none takes the place of another."""
    box = by_mail(tmp_path, LEGS)
    assert kept(box) == {"L2": "4A, 35Inf to 1103", "L3": "4A to 1104, fight until won", "L4": "5A to 1403"}


def test_a_leg_is_ordered_anew_in_its_place(tmp_path: Path) -> None:
    """9.2 A line for exactly the same force as a kept leg takes the name and the place of that leg;
    the other legs stay as they are."""
    box = by_mail(tmp_path, LEGS)
    assert box.mail("allied", "4A, 35Inf to 1003 1103\n").outcome == "accepted"
    assert list(kept(box).items()) == [
        ("L2", "4A, 35Inf to 1003 1103"),
        ("L3", "4A to 1104, fight until won"),
        ("L4", "5A to 1403"),
    ]


def test_a_new_force_out_of_kept_legs_is_not_guessed(tmp_path: Path) -> None:
    """9.2 A later letter that orders a part of a kept force may mean its next leg or another way:
    pbem asks which line it is for."""
    box = by_mail(tmp_path, LEGS)
    assert box.mail("allied", "35Inf to 1203\n").outcome == "explained"
    assert list(kept(box)) == ["L2", "L3", "L4", "L5"]
    offered = box.texts()[-1]
    assert "L2: 35Inf to 1203" in offered and "after L2: 35Inf to 1203" in offered


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
        submit(store, None, seat, "[set-up]\ndefault\ndone\n", NOW)
    with store.transaction() as session:
        table = Table(session, locked_game(session, "caen"), NOW)
        assert set(table.seats) == seats
        assert table.here().label == "t1.operations" and not table.here().over
        assert {unit.place for unit in table.here().state.on_map()} == {"map"}
    store.close()


def test_lines_behind_a_die_are_judged_by_what_it_may_show() -> None:
    """9.1, 9.8 What only the battle before it can make possible waits for its dice;
    what no die can make possible is to be corrected."""
    text = "[set-up]\ndefault\n[operations]\n2A to 1403\n2A to 1404\n4A to 1103\n5A to 1506\n2A to 1504\n"
    trial = check_file("rampage", "allied", text)
    says = {line["text"]: line for line in trial.facts["lines"]}
    near, far, leg, again = (says[text] for text in ("4A to 1103", "5A to 1506", "2A to 1404", "2A to 1504"))
    assert says["2A to 1403"]["state"] == "ready" and not trial.ok
    assert near["state"] == "waiting" and any("to win within" in told for told in near["says"])
    assert far["state"] == "faulty" and far["says"][0].startswith("no path leads from")
    assert leg["state"] == "waiting" and leg["after"] == "defence of 1403"
    assert again["state"] == "faulty" and again["says"][0].startswith(
        "2A has already acted this turn, and another force has started since [9.1]"
    )


def test_a_check_changes_nothing_of_what_is_played(tmp_path: Path) -> None:
    """A letter that was checked first is adjudicated exactly like one that was not."""
    finals = []
    for checked in (False, True):
        store = Store.create(tmp_path / f"{checked}.pbem")
        players = {"allied": Player("Allied", "allied@mail.example")}
        start(store, NewGame("rampage", "caen", players=players, seed="1"), NOW)
        submit(store, None, "allied", "[set-up]\ndefault\ndone\n", NOW)
        orders = "[operations]\n2A to 1403, fight until won\n4A to 1103, fight until won\ndone\n"
        if checked:
            assert check_file(store, "allied", orders).ok
        submit(store, None, "allied", orders, NOW)
        with store.transaction() as session:
            finals.append(Table(session, locked_game(session, "caen"), NOW).here().state)
        store.close()
    assert finals[0] == finals[1]
    assert finals[0].log or finals[0].turn == 2


def test_9_1_the_other_commander_waits_and_loses_nothing(tmp_path: Path) -> None:
    """9.1 While the force of the one is paused the closed lines of the other are kept;
    they are played when it is done, whoever closes last."""
    box = by_mail(tmp_path, **TWO)
    box.mail("us", "[operations]\n79Inf to 1301, pause after battles\n79Inf to 1302\ndone\n")
    box.mail("british", "[operations]\n49BrInf to 1900\ndone\n")
    assert kept(box, "british"), "it waits"
    box.mail("us", "done\n")
    texts = "\n".join(box.texts())
    assert box.phase().label != "t1.operations" and "49BrInf  1901 > 1900" in texts
