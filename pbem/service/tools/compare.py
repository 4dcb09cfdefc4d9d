"""Two bots compared: games in pairs, with the same dice and the sides changed, so that a game in which one
side wins nearly always still tells who plays it better.

A pair is won by the sum of its margins (`Result.margin`), and a draw counts half. The games of a pair have
one seed. Where people play only one side, each bot plays it once, and the margins are compared.

Games run on any `concurrent.futures` executor. What a game comes to follows from its seed alone, so the same
results come out whatever ran them, in whatever order, and in however many runs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Executor, ProcessPoolExecutor, as_completed
from contextlib import contextmanager
from dataclasses import dataclass, field
from math import comb, sqrt
from multiprocessing import get_context
from pathlib import Path
from random import Random
from statistics import fmean
from typing import Any

import msgspec

from pbem.engine.autoplay import autoplay
from pbem.engine.game import Game, Result, game
from pbem.engine.planner import BOTS, bot_for
from pbem.engine.wording import count, unknown
from pbem.render.margins import Panel, margins_png

LIKELY = 1.96
"""How many standard errors an interval reaches to either side: 95 of 100 hold the true share."""

RETRIES = 3
"""How often a game is begun anew whose machine has gone."""


class Work(msgspec.Struct, frozen=True):
    """A game to be played: which bot plays each side, and of which version of the rules. What it comes to
    follows from this alone."""

    rules: str
    version: str
    scenario: str
    options: dict[str, str]
    seed: int
    bots: dict[str, str]
    think: int = 0
    """How many decisions a planner imagines in each turn."""

    @property
    def key(self) -> bytes:
        """What tells it from every other game."""
        return msgspec.json.encode(self, order="deterministic")


class Outcome(msgspec.Struct, frozen=True):
    """What became of a game: how far the first side was ahead at the end and after each turn, and the hash of
    its last state."""

    work: Work
    margin: float
    turns: list[float]
    level: str
    state: str

    @property
    def seed(self) -> int:
        return self.work.seed

    @property
    def bots(self) -> dict[str, str]:
        return self.work.bots


@dataclass(slots=True)
class Compared:
    """What a comparison of bot `a` with bot `b` comes to: for each pair the sum of its margins, as `a` sees
    it, in the order of their seeds."""

    game: str
    scenario: str
    a: str
    b: str
    sides: tuple[str, ...]
    games: list[Outcome] = field(default_factory=list)

    def pairs(self) -> dict[int, float]:
        """The sum of the margins of each pair that has been played, by its seed: above 0 for `a`."""
        sums: dict[int, list[float]] = {}
        for each in self.games:
            mine = each.bots[self.sides[0]] == self.a
            sums.setdefault(each.seed, []).append(each.margin if mine else -each.margin)
        return {seed: sum(both) for seed, both in sorted(sums.items()) if len(both) == 2}

    @property
    def counts(self) -> tuple[int, int, int]:
        """How many pairs `a` has won, drawn and lost."""
        sums = self.pairs().values()
        return sum(each > 0 for each in sums), sum(each == 0 for each in sums), sum(each < 0 for each in sums)

    @property
    def share(self) -> float:
        """The share of the pairs that are the first bot's; a draw counts half."""
        won, drawn, lost = self.counts
        return (won + drawn / 2) / max(1, won + drawn + lost)

    def by_turn(self, bot: str, side: str) -> list[float]:
        """How far a bot was ahead as this side after each turn, on average; a game that ended early stays as
        it ended."""
        sign = 1 if side == self.sides[0] else -1
        ways = [each.turns for each in self.games if each.bots.get(side) == bot]
        longest = max(map(len, ways), default=0)
        return [sign * fmean(way[min(turn, len(way) - 1)] for way in ways) for turn in range(longest)]

    def facts(self) -> dict[str, Any]:
        """The comparison as plain values."""
        won, drawn, lost = self.counts
        low, high = wilson(self.share, won + drawn + lost)
        return {
            "game": self.game, "scenario": self.scenario, "bots": [self.a, self.b],
            "pairs": won + drawn + lost, "won": won, "drawn": drawn, "lost": lost,
            "share": round(self.share, 4), "interval": [round(low, 4), round(high, 4)],
            "chance": round(sign_test(won, lost), 4),
            "margins": {str(seed): margin for seed, margin in self.pairs().items()},
            "states": [{"seed": each.seed, "bots": each.bots, "state": each.state} for each in self.games],
        }  # fmt: skip

    def lines(self) -> list[str]:
        """The comparison in words."""
        won, drawn, lost = self.counts
        number = won + drawn + lost
        low, high = wilson(self.share, number)
        who = f"{self.a} as each side against {self.b}" if len(self.sides) > 1 else f"{self.a} or {self.b}"
        lines = [
            f"{self.game}, {self.scenario}: {count(number, 'pair')} of games, {who}, the same dice in both"
        ]
        lines.append(f"  {self.a} has won {won} pairs, {self.b} {lost}; {drawn} are drawn")
        if number:
            lines.append(
                f"  share of {self.a}: {self.share:.0%}, with 95% confidence {low:.0%} to {high:.0%}"
            )
            lines.append(f"  if both were equal, as clear a result would come in {sign_test(won, lost):.1%}")
            mean = fmean(self.pairs().values())
            lines.append(f"  margin of a pair, on average: {mean:+.2f} for {self.a}")
        for side in self.sides if self.games else ():
            ends = [f"{bot} {self.by_turn(bot, side)[-1]:+.2f}" for bot in (self.a, self.b)]
            lines.append(f"  ahead as {side}, on average: {', '.join(ends)}")
        return lines

    def picture(self) -> bytes:
        """How far each bot was ahead after each turn, as a PNG."""
        panels = [
            Panel(f"As {side}", tuple((bot, tuple(self.by_turn(bot, side))) for bot in (self.a, self.b)))
            for side in self.sides
        ]
        title = f"{game(self.game).title}, {self.scenario}: {self.a} and {self.b}"
        return margins_png(f"{title}, {count(len(self.pairs()), 'pair')} of games", panels)


def compare(
    key: str,
    a: str,
    b: str,
    pairs: int,
    *,
    run: Executor | None = None,
    first_seed: int = 0,
    scenario: str | None = None,
    options: Mapping[str, str] | None = None,
    think: int = 0,
    results: Path | None = None,
    done: Callable[[int], None] = lambda number: None,
) -> Compared:
    """Play `pairs` pairs of games with seeds from `first_seed` on, and return what they come to.

    Games of `results`, a file of JSON lines, are not played again, and new ones are added to it as they end;
    `done` is called with the number of games that are there; `think` is how many decisions a planner imagines
    in each turn. Raises KeyError for an unknown game or bot,
    ValueError for an unknown scenario or option, or two bots that are the same, and what goes wrong in a
    game.
    """
    rules = game(key)
    chosen = rules.chosen(options or {})
    scenario = scenario or next(iter(rules.scenarios))
    rules.start(scenario, chosen)
    for bot in (a, b):
        if bot not in BOTS:
            raise KeyError(unknown("there is no bot", bot, BOTS))
    if a == b:
        raise ValueError("name two bots that differ")
    sides = sides_of(rules, chosen)
    work = [
        Work(key, rules.rules, scenario, chosen, seed, bots, think)
        for seed in range(first_seed, first_seed + pairs)
        for bots in arrangements(sides, a, b)
    ]
    known = _read(results, work)
    compared = Compared(key, scenario, a, b, sides)
    done(len(known))
    for outcome in _played([each for each in work if each.key not in known], run):
        known[outcome.work.key] = outcome
        if results is not None:
            with results.open("ab") as file:
                file.write(msgspec.json.encode(outcome) + b"\n")
        done(len(known))
    compared.games = [known[each.key] for each in work]
    return compared


def sides_of(rules: Game[Any], options: Mapping[str, str]) -> tuple[str, ...]:
    """The sides that bots can play, the one of the first seat first."""
    systems = rules.systems_of(options)
    return tuple(dict.fromkeys(seat.side for seat in rules.seats_of(options) if seat.key not in systems))


def arrangements(sides: Sequence[str], a: str, b: str) -> list[dict[str, str]]:
    """Who plays which side in the games of a pair."""
    if len(sides) == 1:
        return [{sides[0]: a}, {sides[0]: b}]
    first, *others = sides
    return [{first: x} | dict.fromkeys(others, y) for x, y in ((a, b), (b, a))]


def play(work: Work) -> Outcome:
    """Play a game to its end."""
    rules = game(work.rules)
    systems = rules.systems_of(work.options)
    bots = {
        seat.key: bot_for(
            work.bots[seat.side], rules, seat.key, Random(f"{work.seed}|{seat.key}"), work.think
        )
        for seat in rules.seats_of(work.options)
        if seat.key not in systems
    }
    played = autoplay(rules, str(work.seed), bots, work.scenario, work.options)
    first = rules.seats_of(work.options)[0].side
    turns: dict[int, float] = {}
    for phase in played.phases:
        state = rules.load(phase.snapshot)
        turns[state.turn - 1] = _margin(rules.report.result(state), first)
    end = _margin(played.result, first)
    after = [turns[turn] for turn in sorted(turns) if turn >= 1]
    return Outcome(work, end, [*after, end], played.result.level, played.phases[-1].state_hash)


def _margin(result: Result, first: str) -> float:
    """How far a side is ahead."""
    if result.winner is None:
        return 0.0
    return float(result.margin if result.winner == first else -result.margin)


def _read(results: Path | None, work: Sequence[Work]) -> dict[bytes, Outcome]:
    """The games that an earlier run has left, as far as they are wanted: others may share the file. A line
    that was cut off in the middle is passed over."""
    if results is None or not results.exists():
        return {}
    wanted = {each.key for each in work}
    known: dict[bytes, Outcome] = {}
    for line in results.read_bytes().splitlines():
        try:
            outcome = msgspec.json.decode(line, type=Outcome)
        except msgspec.DecodeError:
            continue
        if outcome.work.key in wanted:
            known[outcome.work.key] = outcome
    return known


def _played(work: Sequence[Work], run: Executor | None) -> Iterator[Outcome]:
    """Yield the games as they end."""
    if run is None:
        yield from map(play, work)
        return
    for each in as_completed([run.submit(play, one) for one in work]):
        yield each.result()


@contextmanager
def executor(jobs: int, cluster: str = "") -> Iterator[Executor | None]:
    """What games run on: processes of this machine, or a Dask cluster by its address (``tcp://HOST:PORT``),
    which begins a game anew whose worker has gone; None is this process. Raises ValueError where the cluster
    cannot be reached or the extra `cluster` is not installed."""
    if not cluster:
        if jobs <= 1:
            yield None
            return
        with ProcessPoolExecutor(jobs, mp_context=get_context("spawn")) as pool:
            yield pool
        return
    try:
        from distributed import Client  # type: ignore[import-not-found, unused-ignore]
    except ImportError as error:
        raise ValueError("a cluster needs the extra: pip install 'pbem[cluster]'") from error
    try:
        client = Client(cluster, timeout="20s")  # type: ignore[no-untyped-call, unused-ignore]
    except OSError as error:
        raise ValueError(f"the cluster {cluster} cannot be reached: {error}") from error
    with client:
        cluster_run: Any = client
        yield cluster_run.get_executor(retries=RETRIES, pure=False)


# --- how sure it is -----------------------------------------------------------------------------------------


def wilson(share: float, number: int, likely: float = LIKELY) -> tuple[float, float]:
    """Return Wilson's interval for a share of `number` trials."""
    if not number:
        return 0.0, 1.0
    square = likely * likely / number
    middle = share + square / 2
    reach = likely * sqrt(share * (1 - share) / number + square / number / 4)
    return (middle - reach) / (1 + square), (middle + reach) / (1 + square)


def sign_test(won: int, lost: int) -> float:
    """Return how likely at least as uneven a result is between equals; draws do not count."""
    number = won + lost
    tail = sum(comb(number, at) for at in range(max(won, lost), number + 1))
    return min(1.0, 2 * tail / float(2**number))
