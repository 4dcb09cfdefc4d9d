"""Two bots compared in pairs of games: what a pair comes to, how sure it is, and that it does not matter what
the games ran on."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from math import comb
from pathlib import Path

import pytest
from sizes import some

from pbem.engine.game import game
from pbem.service.tools.compare import (
    Compared,
    Outcome,
    Work,
    compare,
    executor,
    play,
    sides_of,
    sign_test,
    wilson,
)
from tests.cli.test_commands import ok, refused


def cherbourg(a: str, b: str, **how: object) -> Compared:
    return compare("normandy44", a, b, 2, scenario="cherbourg", **how)  # type: ignore[arg-type]


def toy(a: str, b: str, **how: object) -> Compared:
    return compare("clash", a, b, 6, **how)  # type: ignore[arg-type]


def test_the_better_bot_wins_its_pairs() -> None:
    """And the other way round it loses the same pairs."""
    there, back = cherbourg("greedy", "random"), cherbourg("random", "greedy")
    assert there.counts[0] > there.counts[2]
    assert back.counts == there.counts[::-1]
    assert back.pairs() == {seed: -margin for seed, margin in there.pairs().items()}
    assert there.share + back.share == pytest.approx(1)


def test_a_side_that_always_wins_tells_nothing() -> None:
    """In the toy game the same side wins whoever plays it: all pairs are drawn."""
    found = toy("greedy", "random")
    assert found.counts == (0, 6, 0) and found.share == 0.5
    assert sign_test(0, 0) == 1.0
    with pytest.raises(ValueError, match="differ"):
        toy("greedy", "greedy")


def test_a_pair_is_the_sum_of_its_margins() -> None:
    """Each margin as the first bot sees it; a draw is neither won nor lost."""
    games = [
        Outcome(
            Work("clash", "1", "meeting", {}, seed, {"red": red, "blue": "ab".replace(red, "")}),
            margin,
            [margin],
            "",
            "",
        )
        for seed, red, margin in ((1, "a", 5), (1, "b", 7), (2, "a", -1), (2, "b", -1), (3, "a", 9))
    ]
    found = Compared("clash", "meeting", "a", "b", ("red", "blue"), games)
    assert found.pairs() == {1: -2, 2: 0}
    assert found.counts == (0, 1, 1) and found.share == 0.25
    assert found.by_turn("a", "blue") == [-3] and found.by_turn("a", "red") == [pytest.approx(13 / 3)]
    drawn = Compared("clash", "meeting", "a", "b", ("red", "blue"), games[2:4])
    assert drawn.counts == (0, 1, 0) and drawn.share == 0.5
    assert Compared("clash", "meeting", "a", "b", ("red", "blue")).share == 0


def test_one_side_alone() -> None:
    """In Rampage people play the Allies: both bots play them, with the same dice."""
    rules = game("rampage")
    assert sides_of(rules, rules.chosen({})) == ("allied",)
    found = compare("rampage", "greedy", "random", 2)
    assert [each.bots for each in found.games] == [{"allied": "greedy"}, {"allied": "random"}] * 2
    assert found.counts == (2, 0, 0)


@pytest.mark.parametrize(
    ("share", "number", "low", "high"),
    [(0.8, 10, 0.4902, 0.9433), (0.5, 100, 0.4038, 0.5962), (1, 3, 0.4385, 1)],
)
def test_wilson(share: float, number: int, low: float, high: float) -> None:
    """Published values of the interval."""
    assert wilson(share, number) == pytest.approx((low, high), abs=5e-4)
    assert wilson(0, 0) == (0, 1)


@pytest.mark.parametrize(("won", "lost"), [(9, 1), (1, 9), (5, 5), (70, 30), (3, 0)])
def test_sign_test(won: int, lost: int) -> None:
    """As enumeration has it."""
    number, most = won + lost, max(won, lost)
    as_uneven = [at for at in range(number + 1) if max(at, number - at) >= most]
    assert sign_test(won, lost) == pytest.approx(sum(comb(number, at) for at in as_uneven) / 2**number)


def test_it_does_not_matter_what_the_games_run_on(tmp_path: Path) -> None:
    """Threads or none, in one run or in two, the second after a game was cut off in its line."""
    whole = toy("greedy", "random").facts()
    with ThreadPoolExecutor(3) as threads:
        assert toy("greedy", "random", run=threads).facts() == whole
    file = tmp_path / "games.jsonl"
    compare("clash", "greedy", "random", 3, results=file)
    file.write_bytes(file.read_bytes()[:-20])
    told: list[int] = []
    assert toy("greedy", "random", results=file, done=told.append).facts() == whole
    assert told[0] == 5 and told[-1] == 12


def test_games_of_another_comparison_are_no_games_of_this_one(tmp_path: Path) -> None:
    """They may share a file: another scenario, option, rulebook or bot is another game, whatever its seed."""
    file = tmp_path / "games.jsonl"
    compare("normandy44", "greedy", "random", 1, scenario="cherbourg", results=file)
    before = len(file.read_bytes().splitlines())
    dry, wet = (
        compare("clash", "greedy", "random", 1, options={"weather": weather}, results=file)
        for weather in ("dry", "wet")
    )
    assert len(file.read_bytes().splitlines()) == before + 4
    assert {each.work.rules for each in (*dry.games, *wet.games)} == {"clash"}
    assert [each.work.options["weather"] for each in wet.games] == ["wet", "wet"]


def test_processes() -> None:
    with executor(2) as pool:
        assert (
            compare("rampage", "greedy", "random", 1, run=pool).facts()
            == compare("rampage", "greedy", "random", 1).facts()
        )


@pytest.mark.dear
def test_a_cluster_that_is_not_there() -> None:
    with (
        pytest.raises(ValueError, match=r"cannot be reached|pbem\[cluster\]"),
        executor(1, "tcp://127.0.0.1:1"),
    ):
        pass


@pytest.mark.parametrize(
    ("key", "scenario"),
    some([("normandy44", "cherbourg"), ("normandy71", None), ("france44", "falaise"), ("falaise", None)], 2),
)
def test_the_margin_is_that_of_the_winner(key: str, scenario: str | None) -> None:
    """More than 0 where somebody has won; the better bot has more of it."""
    rules = game(key)
    first = rules.seats_of(rules.chosen({}))[0].side
    options = rules.chosen({})
    sides = sides_of(rules, options)
    scenario = scenario or next(iter(rules.scenarios))
    for bots in ((sides[0], sides[1]), (sides[1], sides[0])):
        seated = {bots[0]: "greedy", bots[1]: "random"}
        outcome = play(Work(key, rules.rules, scenario, options, 1, seated))
        winner = first if outcome.margin > 0 else next(side for side in sides if side != first)
        assert outcome.margin and winner == bots[0]


def test_on_the_command_line(tmp_path: Path) -> None:
    picture = tmp_path / "margins.png"
    shown = ok("autoplay", "rampage", "--compare", "greedy", "random", "--games", "2", "--picture", picture)
    assert "greedy has won 2 pairs, random 0; 0 are drawn" in shown
    assert picture.read_bytes().startswith(b"\x89PNG")
    assert "go with --compare" in refused("autoplay", "rampage", "--picture", picture, code=2)
    assert "leave out --bot" in refused(
        "autoplay", "rampage", "--compare", "greedy", "random", "--bot", "greedy", code=2
    )
    assert "no bot" in refused("autoplay", "rampage", "--compare", "greedy", "clever", code=2)
