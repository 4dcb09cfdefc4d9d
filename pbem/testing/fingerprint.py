"""What games come to, phase by phase: run in processes that hash strings differently.

PYTHONHASHSEED=1 python -m pbem.testing.fingerprint pbem.games.rampage:GAME random-campaign-1
"""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
from collections.abc import Sequence
from importlib import import_module
from itertools import zip_longest
from operator import attrgetter
from typing import Any

from pbem.engine.game import Game
from pbem.testing.plays import Plan, Play

HASH_SEEDS = ("1", "2")


def located(where: str) -> Game[Any]:
    """The game at ``package.module:GAME``."""
    module, _, name = where.partition(":")
    found: Game[Any] = attrgetter(name)(import_module(module))
    return found


def fingerprints(game: Game[Any], plan: Plan) -> list[tuple[str, str, str]]:
    """For each phase of a game its label, the hash of the state after it, and a hash of its answers."""
    play = Play.of(game, plan)
    return [
        (phase.label, phase.state_hash, hashlib.sha256(repr(phase.entries).encode()).hexdigest())
        for phase in (play.played.phases if play.played else ())
    ]


def differences(where: str, plans: Sequence[Plan]) -> list[str]:
    """The first phase of each game in which two processes that hash strings differently part ways."""
    command = [sys.executable, "-m", "pbem.testing.fingerprint", where, *map(str, plans)]
    path = os.pathsep.join(filter(None, sys.path))
    running = [
        subprocess.Popen(
            command,
            env=os.environ | {"PYTHONHASHSEED": seed, "PYTHONPATH": path},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for seed in HASH_SEEDS
    ]
    said = [process.communicate() for process in running]
    for process, (_, errors) in zip(running, said, strict=True):
        if process.returncode:
            return [f"{where} cannot be played in another process: {errors.strip().splitlines()[-1]}"]
    one, other = (json.loads(out) for out, _ in said)
    return [found for plan in map(str, plans) if (found := _parting(plan, one[plan], other[plan]))]


def _parting(plan: str, one: list[list[str]], other: list[list[str]]) -> str:
    for first, second in zip_longest(one, other):
        if first != second:
            label = (first or second)[0]
            what = "state" if first and second and first[1] != second[1] else "answers"
            return f"{plan}: the {what} of {label} depend on how strings are hashed"
    return ""


def main() -> None:
    where, *plans = sys.argv[1:]
    game = located(where)
    print(json.dumps({plan: fingerprints(game, Plan.parse(plan)) for plan in plans}))


if __name__ == "__main__":
    main()
