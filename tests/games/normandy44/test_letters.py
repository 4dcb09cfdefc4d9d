"""Letters of this game: what a reply tells of lines that are carried out, that wait and that are idle,
and what a whole game tells each side."""

from __future__ import annotations

import random
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from pbem.engine.autoplay import Played, autoplay
from pbem.engine.bots import greedy_bot
from pbem.engine.notes import Note
from pbem.engine.play import advance
from pbem.games.normandy44 import GAME
from pbem.games.normandy44.notes import Attacked
from pbem.games.normandy44.state import State
from pbem.service.intake.submit import submit
from pbem.service.intake.trial import check_file
from pbem.service.letters.log import log_lines
from pbem.service.moderating.start import NewGame, Player, start
from pbem.service.record.store import Store, locked_game
from pbem.service.record.table import Table
from tests.correspondence import closed
from tests.shortened import shortened

NOW = datetime(2026, 11, 2, 18, tzinfo=UTC)
SEED = "7"
"""Clear weather and no German marker on turn 1, and a result for the first attack
that leaves the defender a choice."""
WIDTH = 96
ALLIED = """Herr General,
[allocation]
support VII/US
cover VII/US
[phase A]
4US to 0518
101AB to 0619
attack 0519 with 82AB at 1:1 or better, no advance
[phase B]
101AB to 0618
"""
GERMAN = "[phase B]\nStB7 to 0420\n"
EMPTY = {"allied": "no orders: end\n", "german": "no orders: allocation, phase A, end\n"}
"""What closes the other sections of the turn."""
STANDING = "standing losses: lose ground before steps\nstanding retreat: fewest losses\n"


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    """The drive on Cherbourg before its first allocation."""
    opened = Store.create(tmp_path / "game.pbem")
    players = {seat: Player(seat.capitalize(), f"{seat}@mail.example") for seat in ("allied", "german")}
    start(opened, NewGame("normandy44", "drive", scenario="cherbourg", players=players, seed=SEED), NOW)
    yield opened
    opened.close()


def send(store: Store, seat: str, text: str) -> list[str]:
    """The reply to a letter, line by line."""
    return [line.strip() for line in submit(store, None, seat, text, NOW).confirmation]


def stop(store: Store) -> tuple[str, list[Note]]:
    """Where the game waits, and what has been logged since the last letters."""
    with store.transaction() as session:
        step = Table(session, locked_game(session, "drive"), NOW).here()
        return step.label, list(step.notes)


# --- played by letter -------------------------------------------------------------------------------------


def test_one_letter_of_each_side_plays_a_turn(store: Store) -> None:
    """1.0, 2.3 Allocation, both phases and the end stand in one letter; with standing orders for losses
    and retreats nobody is asked in between."""
    send(store, "german", STANDING + EMPTY["german"] + closed(GERMAN))
    send(store, "allied", EMPTY["allied"] + closed(ALLIED))
    label, _ = stop(store)
    assert label.startswith("t2.")


def test_without_a_standing_order_the_defender_decides(store: Store) -> None:
    """7.3 The defender is asked whether he gives steps or ground as soon as the die has fallen."""
    send(store, "german", EMPTY["german"] + closed(GERMAN))
    send(store, "allied", EMPTY["allied"] + closed(ALLIED))
    label, notes = stop(store)
    assert label == "t1.a_first"
    (combat,) = [note for note in notes if isinstance(note, Attacked)]
    lines = log_lines("normandy44", [combat.facts()], "german")
    assert lines[1].strip() == "82AB 4 against StB7 1: 4:1"
    assert lines[2].strip() == "column shifts: -1 bocage [C3] = 3:1"


def test_2_4_a_confirmation_tells_what_is_left(store: Store) -> None:
    """2.2, 2.4 After each line of the allocation its writer reads what he has left."""
    told = send(store, "allied", "support VII/US\ncover VII/US\n")
    assert "left: 1 offensive marker; fighters US 1, UK 0; 0 bombers [2.3]" in told
    assert "left: 1 offensive marker; fighters US 0, UK 0; 0 bombers [2.3]" in told


def test_2_1_a_line_that_can_never_act_keeps_the_letter_open(store: Store) -> None:
    """2.1, 2.6 A line that its phase makes idle is told with its reason; its section stays open,
    and those before it. One that the weather of the turn makes idle is passed over."""
    told = send(
        store,
        "allied",
        f"{ALLIED}if weather is adverse: 82AB to 0618\nif VII/US is supported: 4US to 0618\ndone all\n",
    )
    assert "1 line to correct in [phase B]; Allocation, [phase A] wait for it." in " ".join(told)
    assert "if played now it is passed over: its condition is not met" in told
    assert "VII/US is no longer supported after phase A [2.6]" in told
    assert stop(store)[0] == "t1.allocation"


def test_lines_that_wait_are_judged_as_if_played_now(store: Store) -> None:
    """5.1 Of a line for phase B its writer reads the way and the cost as they are now."""
    told = send(store, "german", "[phase B]\nStB7 to 0420\n")
    assert "waiting for: [phase B]; if played now:" in told
    assert "StB7  0519 > 0420   0.5 of 6 MP" in told


def test_a_line_that_is_not_possible_yet_says_so_once(store: Store) -> None:
    """7.1 A refusal of a line for a later phase is not introduced as what happens now."""
    told = send(store, "german", "[phase B]\nattack 0717 with 91ID\n")
    assert told[told.index("waiting for: [phase B]") + 1].startswith("not possible yet: 91ID at 0721 is not")


def test_a_misspelt_place_of_several_hexes_is_offered_hex_by_hex(store: Store) -> None:
    """Without a verb, too: `709ID to Cherburg` is an order, and Cherbourg is two hexes."""
    told = send(store, "german", "[phase B]\n91ID to Cherburg\nmove 91ID to Cherbourg\n")
    assert 'there is no place "Cherburg" on the map; the closest is Cherbourg' in told
    assert '"Cherbourg": 0222 or 0221?' in told
    offered = [line.removeprefix("send instead:").removeprefix("or:").strip() for line in told]
    assert {"L1: 91ID to 0222", "L1: 91ID to 0221", "L2: move 91ID to 0222"} <= {*offered}
    assert not any(line.startswith("legal:") for line in told)


def test_orders_can_be_tried_without_a_game() -> None:
    """15.0, 12.0 The first letter of the campaign: where the special tanks land, with which odds,
    and what the guns are worth."""
    text = "[landing]\nassault 0710 with 79a\nguns 3 at 0710\nassault 0617 with 79b\ndefault\n"
    lines = {line["text"]: line for line in check_file("normandy44", "allied", text).facts["lines"]}
    assert "50BR 4 + 79a 2 = 6 against WN-Gold 2: 3:1" in lines["assault 0710 with 79a"]["says"][0]
    assert lines["guns 3 at 0710"]["says"][0].startswith("3 points of gunfire: ")
    assert lines["assault 0617 with 79b"]["state"] == "faulty"


# --- a whole game -----------------------------------------------------------------------------------------


@pytest.fixture(scope="module", params=["cherbourg", "campaign"])
def pages(request: pytest.FixtureRequest) -> list[tuple[State, list[Note]]]:
    """The state at the end of each phase of a game, of a long one in its first turns, with what was logged
    in it."""
    bots = {seat: greedy_bot(GAME.judge, random.Random(1)) for seat in ("allied", "german")}
    played: Played[State] = autoplay(shortened(GAME, 16), "letters", bots, scenario=request.param)
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
                assert len(line) <= WIDTH or "Out of supply" in line


def test_every_roll_of_a_game_is_told(pages: list[tuple[State, list[Note]]]) -> None:
    """Each open die of a game stands in the log under its number; a scattered drop has two
    and tells both in one line."""
    rolls = [note.roll for _, told in pages for note in told if note.roll]
    most = max(state.rolls for state, _ in pages)
    scattered = sum(getattr(note, "scatter_die", 0) > 0 for _, told in pages for note in told)
    assert len(set(rolls)) == most - scattered
