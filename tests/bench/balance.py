#!/usr/bin/env python3
"""How the games come out when one bot plays both sides, scenario by scenario.

    python tests/bench/balance.py [--bot planner] [--think 0] [--games 60] [--seed0 9000]
                                  [--only GAME:SCENARIO ...]

Prints for each scenario the range and quartiles of the Allied margin (`Result.margin`, below 0 where the
Germans are ahead), who won, and where the historic result lies: in the middle half, within the range, or
outside. Normandy (1971) is measured by the Allied points on the ground, as its level also turns on a German
order of battle that is drawn by lot. Two processes.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from time import perf_counter

from pbem.engine.autoplay import autoplay
from pbem.engine.game import Result, game
from pbem.engine.planner import BOTS, bot_for
from pbem.games.normandy71 import victory

HISTORY: dict[str, tuple[float, str]] = {
    "rampage:campaign": (0, "a draw by case 4.2"),
    "falaise:campaign": (-14, "half of the Germans out, few vehicles: from -2 to -26 (its README)"),
    "normandy71:campaign": (
        11.5,
        "points on the ground: 38 km deep on 11 June (Designer's Notes), 19 hexes, and Bayeux",
    ),
    "normandy44:cherbourg": (2, "Cherbourg fell on 26 and 27 June, turn 3: operational"),
    "normandy44:cobra": (3, "Avranches, Alencon and Lisieux taken, both edges crossed: strategic"),
    "normandy44:campaign": (3, "as Cobra"),
    "france44:falaise": (5, "all four towns, no German cut off yet in July, few units lost: 9 points"),
    "france44:westwall": (0, "Paris 2, Brussels 1, V-1 sites 2: 5 points, a draw from 4"),
    "france44:rhine": (2, "Remagen, Oppenheim, Rees, Wesel: four bridgeheads and more, decisive"),
    "france44:crusade": (1, "Germany surrendered in May"),
}
"""Scenario -> the Allied margin of the historic result, and how it is reckoned."""


def played(work: tuple[str, str, str, int, int]) -> tuple[float, str]:
    """The Allied margin of a game, or its points on the ground in Normandy (1971), and who won it."""
    key, scenario, bot, think, seed = work
    rules = game(key)
    seats = [seat.key for seat in rules.seats_of(rules.chosen({}))]
    bots = {seat: bot_for(bot, rules, seat, random.Random(f"{seed}|{seat}"), think) for seat in seats}
    ended = autoplay(rules, str(seed), bots, scenario)
    result: Result = ended.result
    if key == "normandy71":
        return float(victory.score(ended.state).ground), result.winner or "drawn"
    if result.winner is None:
        return 0.0, "drawn"
    return float(result.margin if result.winner == "allied" else -result.margin), result.winner


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--bot", default="planner", choices=BOTS)
    parser.add_argument("--think", type=int, default=0, help="decisions that a planner imagines in each turn")
    parser.add_argument("--games", type=int, default=60)
    parser.add_argument("--seed0", type=int, default=9000)
    parser.add_argument("--only", nargs="*", default=list(HISTORY), choices=list(HISTORY), metavar="SCENARIO")
    chosen = parser.parse_args()
    with ProcessPoolExecutor(2) as pool:
        for name in chosen.only:
            key, scenario = name.split(":")
            began = perf_counter()
            seeds = range(chosen.seed0, chosen.seed0 + chosen.games)
            games = [(key, scenario, chosen.bot, chosen.think, seed) for seed in seeds]
            ends = list(pool.map(played, games))
            margins, won = sorted(margin for margin, _ in ends), Counter(who for _, who in ends)
            low, middle, high = (margins[len(margins) * part // 4] for part in (1, 2, 3))
            history, why = HISTORY[name]
            where = "outside"
            if margins[0] <= history <= margins[-1]:
                where = "middle half" if low <= history <= high else "within the range"
            print(
                f"{name}: {margins[0]:+g}, {low:+g}, {middle:+g}, {high:+g}, {margins[-1]:+g}; "
                f"{', '.join(f'{who} {number}' for who, number in won.most_common())}; "
                f"history {history:+g} ({why}): {where}; "
                f"{perf_counter() - began:.0f} s",
                flush=True,
            )
    return 0


if __name__ == "__main__":
    sys.exit(main())
