#!/usr/bin/env python3
"""How the stances of one side do in whole games, all with the same dice, to tune the planner's book by.

    python tests/bench/stances.py GAME:SCENARIO SEAT [--games 200] [--seed0 500000] [--only STANCE ...]
                                  [--try KNOB=NUMBER,KNOB=NUMBER ...] [--against planner]

The other seats follow the first stance of their side, or are greedy. `--try` adds stances that differ from
the first one by some knobs. Prints of each stance how it did, the best first: the average margin in the eyes
of the seat (`Result.margin`), the standard error of it, games won, drawn and lost, and how far it is ahead of
the first stance over the same dice, in standard errors. The best of many stances owes part of its lead to
luck: measure it again on other seeds. Two processes.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from functools import partial
from math import sqrt
from statistics import fmean, stdev
from typing import Any

from pbem.engine.autoplay import autoplay
from pbem.engine.bots import Bot
from pbem.engine.game import Game, game
from pbem.engine.planner import bot_for, first_stance, follower


def changed(stance: Any, knobs: str) -> Any:
    """A stance with other values for some of its knobs, written as `closing=60,head=8`. Where it is followed
    otherwise in some scenarios, they change there too."""
    values: dict[str, Any] = {}
    for each in knobs.split(","):
        name, value = each.split("=")
        values[name] = type(getattr(stance, name))(value)
    if otherwise := getattr(stance, "otherwise", None):
        values["otherwise"] = {key: replace(other, **values) for key, other in otherwise.items()}
    return replace(stance, **values)


def with_stances(rules: Game[Any], side: str, tried: Sequence[str]) -> Game[Any]:
    """The game with more stances for a side, each named by what it changes in the first one."""
    assert rules.plan is not None
    stances = dict(rules.plan.stances[side])
    first = next(iter(stances.values()))
    stances |= {knobs: changed(first, knobs) for knobs in tried}
    return replace(rules, plan=replace(rules.plan, stances={**rules.plan.stances, side: stances}))


def margin(
    rules_of: str, scenario: str, seat: str, tried: Sequence[str], against: str, work: tuple[str, int]
) -> float:
    """What a seat that follows a stance comes to in the game of a seed; below 0 where it loses."""
    stance, seed = work
    side = game(rules_of).seat(seat).side
    rules = with_stances(game(rules_of), side, tried)
    bots: dict[str, Bot] = {}
    for each in rules.seats_of(rules.chosen({})):
        chance = random.Random(f"{seed}|{each.key}")
        if each.side == side:
            bots[each.key] = follower(rules, each.key, stance, chance)
        else:
            bots[each.key] = bot_for(against, rules, each.key, chance)
    result = autoplay(rules, str(seed), bots, scenario).result
    if result.winner is None:
        return 0.0
    return float(result.margin if result.winner == side else -result.margin)


def spread(numbers: Sequence[float]) -> float:
    """The standard error of their average."""
    return stdev(numbers) / sqrt(len(numbers))


def line(name: str, margins: Mapping[str, Sequence[float]], first: str) -> str:
    """How a stance did, beside the first one over the same dice."""
    own = margins[name]
    won, lost = sum(each > 0 for each in own), sum(each < 0 for each in own)
    gaps = [a - b for a, b in zip(own, margins[first], strict=True)]
    error = spread(gaps)
    ahead = (
        "the first"
        if name == first
        else f"{fmean(gaps):+.2f}, {fmean(gaps) / error if error else 0:+.1f} errors"
    )
    return f"  {fmean(own):+7.2f} +- {spread(own):.2f}  {won}-{len(own) - won - lost}-{lost}  {ahead}  {name}"


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("scenario", metavar="GAME:SCENARIO")
    parser.add_argument("seat")
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--seed0", type=int, default=500_000)
    parser.add_argument("--only", nargs="*", metavar="STANCE", help="these of the book, with the first")
    parser.add_argument("--try", nargs="*", default=[], metavar="KNOB=NUMBER,...", dest="tried")
    parser.add_argument("--against", default="planner", choices=("planner", "greedy"))
    chosen = parser.parse_args()
    key, scenario = chosen.scenario.split(":")
    rules = with_stances(game(key), game(key).seat(chosen.seat).side, chosen.tried)
    assert rules.plan is not None
    first = first_stance(rules, chosen.seat)
    names = [
        name
        for name in rules.plan.stances[rules.seat(chosen.seat).side]
        if chosen.only is None or name in (first, *chosen.only, *chosen.tried)
    ]
    play = partial(margin, key, scenario, chosen.seat, chosen.tried, chosen.against)
    margins: dict[str, Sequence[float]] = {}
    with ProcessPoolExecutor(2) as pool:
        for name in names:
            seeds = range(chosen.seed0, chosen.seed0 + chosen.games)
            margins[name] = list(pool.map(play, [(name, seed) for seed in seeds], chunksize=5))
            print(line(name, margins, first), file=sys.stderr, flush=True)
    print(f"{chosen.scenario}, {chosen.seat}, {chosen.games} games a stance, from seed {chosen.seed0}:")
    for name in sorted(names, key=lambda name: -fmean(margins[name])):
        print(line(name, margins, first))
    return 0


if __name__ == "__main__":
    sys.exit(main())
