"""Many games played by bots, in several processes: the rules' own test of themselves."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from multiprocessing import get_context
from pathlib import Path
from time import perf_counter
from traceback import extract_tb, format_exception
from typing import Any

from pbem.engine.autoplay import autoplay, replay_equal
from pbem.engine.bots import DeadEnd
from pbem.engine.game import SYSTEM, game
from pbem.engine.planner import BOTS, bot_for
from pbem.engine.wording import unknown

MOST_WORDS, LONGEST_WORD = 12, 20
"""Score entries with more or longer words are not counted."""


@dataclass(frozen=True, slots=True)
class Played:
    """One game: its result, or the fault that ended it (`dead_end` if the rules left no way on). `state` is
    the hash of its last state."""

    seed: int
    level: str = ""
    winner: str = ""
    figures: dict[str, int] = field(default_factory=dict)
    """The parts of the score that are numbers."""
    words: dict[str, str] = field(default_factory=dict)
    """The others."""
    phases: int = 0
    answers: int = 0
    dice: int = 0
    state: str = ""
    replayed: bool = False
    dead_end: bool = False
    fault: str = ""
    """The traceback of the fault."""
    reason: str = ""
    """The fault in a line: what it is, and where."""


@dataclass(slots=True)
class Series:
    """A series of games and what it comes to. `seconds` is wall-clock time."""

    game: str
    bots: dict[str, str]
    played: list[Played] = field(default_factory=list)
    seconds: float = 0.0

    @property
    def ok(self) -> bool:
        return all(each.replayed and not each.fault for each in self.played)

    def spread(self) -> dict[str, tuple[int, int, int]]:
        """Lowest, median and highest of each figure that every game has."""
        ended = [each.figures for each in self.played if not each.fault]
        common = [what for what in ended[0] if all(what in each for each in ended)] if ended else []
        listed = {what: sorted(each[what] for each in ended) for what in common}
        return {what: (values[0], values[len(values) // 2], values[-1]) for what, values in listed.items()}

    def counts(self) -> dict[str, dict[str, int]]:
        """How often each word stands for each part of the score that is a few short words, as `no` or a
        month."""
        counters: dict[str, Counter[str]] = {}
        for played in self.played:
            for what, word in played.words.items():
                counters.setdefault(what, Counter())[word] += 1
        return {
            what: dict(words.most_common())
            for what, words in counters.items()
            if len(words) <= MOST_WORDS and max(map(len, words)) <= LONGEST_WORD
        }

    def facts(self) -> dict[str, Any]:
        """The series as plain values."""
        return {
            "game": self.game,
            "bots": self.bots,
            "games": len(self.played),
            "ended": sum(not each.fault for each in self.played),
            "dead_ends": sum(each.dead_end for each in self.played),
            "faults": {str(each.seed): each.fault for each in self.played if each.fault},
            "replays_equal": sum(each.replayed for each in self.played),
            "results": dict(Counter(each.level for each in self.played if not each.fault).most_common()),
            "winners": dict(
                Counter(each.winner or "nobody" for each in self.played if not each.fault).most_common()
            ),
            "figures": self.spread(),
            "words": self.counts(),
            "phases": sum(each.phases for each in self.played),
            "answers": sum(each.answers for each in self.played),
            "dice": sum(each.dice for each in self.played),
            "seconds": round(self.seconds, 2),
            "states": {str(each.seed): each.state for each in self.played if each.state},
        }

    def lines(self) -> list[str]:
        """The series in words."""
        facts = self.facts()
        bots = ", ".join(f"{seat} {bot}" for seat, bot in self.bots.items())
        lines = [f"{self.game}: {facts['games']} games ({bots}) in {facts['seconds']} s"]
        lines += [f"  {count:>5}  {level}" for level, count in facts["results"].items()]
        lines += [f"  {count:>5}  won by {winner}" for winner, count in facts["winners"].items()]
        lines += [
            f"  {what}: lowest {low}, median {middle}, highest {high}"
            for what, (low, middle, high) in facts["figures"].items()
        ]
        lines += [
            f"  {what}: " + ", ".join(f"{word} {count}" for word, count in words.items())
            for what, words in facts["words"].items()
        ]
        lines.append(f"  {facts['phases']} phases, {facts['answers']} answers, {facts['dice']} dice")
        lines.append(
            f"  dead ends: {facts['dead_ends']}; replays equal: {facts['replays_equal']} of {facts['games']}"
        )
        return lines + [f"  seed {each.seed}: {each.reason}" for each in self.played if each.fault]


def play_series(
    key: str,
    games: int,
    *,
    bots: Mapping[str, str],
    think: int = 0,
    first_seed: int = 0,
    jobs: int = 1,
    scenario: str | None = None,
    options: Mapping[str, str] | None = None,
    done: Callable[[int], None] = lambda count: None,
) -> Series:
    """Play `games` games with seeds from `first_seed` on; call `done` with the number played so far.

    `bots` names a bot (random, greedy, planner) for each seat; those that the game plays itself are left to
    it. `think` is how many decisions a planner imagines in each turn. Raise
    KeyError for an unknown game or bot, ValueError for an unknown scenario or option; what goes wrong in a
    game is noted with its seed.
    """
    rules = game(key)
    chosen = rules.chosen(options or {})
    systems = rules.systems_of(chosen)
    seated = {
        seat.key: SYSTEM if seat.key in systems else bots.get(seat.key, bots.get("", "random"))
        for seat in rules.seats_of(chosen)
    }
    for bot in seated.values():
        if bot == SYSTEM:
            continue
        if bot not in BOTS:
            raise KeyError(unknown("there is no bot", bot, BOTS))
    rules.start(scenario, options)
    series = Series(key, seated)
    work = [
        (key, seed, seated, think, scenario, dict(options or {}))
        for seed in range(first_seed, first_seed + games)
    ]
    began = perf_counter()
    for played in _all(work, jobs):
        series.played.append(played)
        done(len(series.played))
    series.seconds = perf_counter() - began
    return series


Work = tuple[str, int, dict[str, str], int, str | None, dict[str, str]]


def _all(work: list[Work], jobs: int) -> Iterator[Played]:
    if jobs <= 1 or len(work) <= 1:
        yield from map(_one, work)
        return
    with ProcessPoolExecutor(jobs, mp_context=get_context("spawn")) as pool:
        yield from pool.map(_one, work, chunksize=max(1, min(8, len(work) // (2 * jobs))))


def _one(work: Work) -> Played:
    """One whole game, and the same again from its journal."""
    key, seed, seated, think, scenario, options = work
    rules = game(key)
    bots = {
        seat: bot_for(bot, rules, seat, random.Random(f"{seed}|{seat}"), think)
        for seat, bot in seated.items()
        if bot != SYSTEM
    }
    try:
        played = autoplay(rules, str(seed), bots, scenario, options)
        replay_equal(rules, played)
    except Exception as error:
        fault = "".join(format_exception(error))
        return Played(seed, fault=fault, reason=_reason(error), dead_end=isinstance(error, DeadEnd))
    entries = [entry for phase in played.phases for entry in phase.entries]
    return Played(
        seed,
        played.result.level,
        played.result.winner or "",
        {what: int(value) for what, value, _ in played.result.figures if _is_number(value)},
        {what: value for what, value, _ in played.result.figures if not _is_number(value)},
        len(played.phases),
        sum(not entry.dice for entry in entries),
        sum(bool(entry.dice) for entry in entries),
        played.phases[-1].state_hash,
        True,
    )


def _reason(error: Exception) -> str:
    """An error in a line: what it is, in which line of which file, and its notes."""
    last = extract_tb(error.__traceback__)[-1]
    said = f"{type(error).__name__}: {error} ({Path(last.filename).name}, line {last.lineno})"
    return ", ".join([said, *getattr(error, "__notes__", ())])


def _is_number(value: str) -> bool:
    return value.lstrip("+-").isdecimal()
