"""Seats that the game plays itself: nobody else has them, nothing is mailed to them, and they move as the
greedy bot does."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from conftest import HOUR, NOW
from sqlmodel import select

from pbem.engine.autoplay import autoplay
from pbem.engine.bots import random_bot
from pbem.engine.game import game
from pbem.service.intake.submit import submit
from pbem.service.moderating.seats import hand_to_bot
from pbem.service.moderating.start import NewGame, Player, start
from pbem.service.proof.verify import verify_game
from pbem.service.record.errors import StoreError
from pbem.service.record.rows import OutboxRow, SeatRow
from pbem.service.record.store import Store
from pbem.service.tools import demo, queries
from pbem.service.tools.selfplay import play_series
from pbem.service.tools.transfer import export

ALONE = {"players": "one"}


def begin(store: Store, **players: Player) -> None:
    seated = {"red": Player("Rita", "rita@mail.example")} | players
    settings = {"address": "pbem@host.example"}
    start(store, NewGame("lots", "solo", options=ALONE, players=seated, settings=settings, seed="1"), NOW)


@pytest.fixture
def solo(store: Store) -> Store:
    begin(store)
    return store


def test_the_system_plays_its_seat(solo: Store) -> None:
    """The seat is there without having been named; it plays when its turn comes, and the game waits for
    people only."""
    with solo.transaction() as session:
        assert session.get_one(SeatRow, ("solo", "blue")).bot == "system"
    submit(solo, None, "red", "[pick]\npick 0302\ndone\nno orders: A1, A2\n", NOW + HOUR)
    told = queries.status(solo, None)
    assert told.phase == "t2.pick"
    units: dict[str, str] = queries.view_of(solo, None).units  # type: ignore[attr-defined]
    assert "0302" in {hex for unit, hex in units.items() if unit.endswith("b")}


def test_it_is_shown_as_the_system(solo: Store) -> None:
    """Where seats are listed it says `system`, and the game waits for nobody there."""
    told = queries.status(solo, None)
    assert told.seats["blue"]["bot"] == "system"
    assert "  blue         system" in told.lines()
    assert not any("Blue" in line for line in told.waited_for)
    assert next(row for row in export(solo)["seats"] if row["key"] == "blue")["bot"] == "system"
    assert verify_game(solo).ok


def test_nothing_is_mailed_to_it(solo: Store) -> None:
    """It gets no letters, and none can be sent to it."""
    done = submit(solo, None, "red", "press blue: hello\n\npick 0302\ndone\n", NOW + HOUR)
    assert any('unknown recipient "blue"' in line for line in done.confirmation)
    with solo.transaction() as session:
        assert all("-blue-" not in row.key for row in session.exec(select(OutboxRow)))


def test_nobody_else_may_have_it(solo: Store) -> None:
    """It can be given neither to a person nor to another bot, nor can orders be handed in for it."""
    for bot in ("random", "greedy", "none"):
        with pytest.raises(StoreError, match="played by the game itself"):
            hand_to_bot(solo, None, "blue", bot, NOW)
    with pytest.raises(StoreError, match="played by the game itself"):
        submit(solo, None, "blue", "done\n", NOW)


@pytest.mark.parametrize("player", [Player("Bob", "bob@mail.example"), Player(bot="random")])
def test_it_cannot_be_named_when_a_game_is_started(store: Store, player: Player) -> None:
    """A player for a seat of the system is refused."""
    with pytest.raises(ValueError, match="played by the game itself"):
        begin(store, blue=player)


def test_bots_for_it_are_replaced() -> None:
    """In games of bots it is played as in any other: whatever bot is given for its seat, the game is the
    same."""

    def refuse(request: Any, state: Any) -> Any:
        raise AssertionError("this bot is not asked")

    rules = game("lots")
    played = autoplay(rules, "7", {"red": random_bot(_rng()), "blue": refuse}, options=ALONE)
    again = autoplay(rules, "7", {"red": random_bot(_rng())}, options=ALONE)
    assert played.phases == again.phases


def _rng() -> Any:
    import random

    return random.Random(1)


def test_series_name_it() -> None:
    """A series of games says that the system played, and plays them as `autoplay` does."""
    series = play_series("lots", 2, bots={"": "random", "blue": "random"}, options=ALONE)
    assert series.ok and series.bots == {"red": "random", "blue": "system"}
    assert play_series("lots", 1, bots={}).bots == {"red": "random", "blue": "random"}


def test_a_demonstration_leaves_it_to_the_game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The example of a game for one player goes by the name of its folder, and bots finish it for the people
    alone."""
    folder = tmp_path / "examples" / "lots-alone"
    folder.mkdir(parents=True)
    (folder / "game.toml").write_text(
        '[game]\ngame = "lots"\nid = "solo"\noptions = { players = "one" }\n[players.red]\n'
        'address = "rita@mail.example"\n'
    )
    monkeypatch.setattr(demo, "examples", lambda: tmp_path / "examples")
    done = demo.demo(tmp_path / "show", "lots-alone")
    assert done.result == "played" and set(done.letters) == {"red"}
    store = Store.open(tmp_path / "show" / "game.pbem")
    assert queries.status(store, None).seats["blue"]["bot"] == "system"
    store.close()
    with pytest.raises(KeyError, match="nothing"):
        demo.read("nothing")
