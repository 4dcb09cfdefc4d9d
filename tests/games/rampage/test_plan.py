"""The planner's page: paths of several battles, orders that the rules allow, and better games than greedy's."""

from __future__ import annotations

import random
from collections import Counter
from itertools import islice
from typing import Any

import pytest
from games.rampage.kit import board

from pbem.engine.autoplay import Played, autoplay, replay_equal
from pbem.engine.bots import Bot, greedy_bot
from pbem.engine.desk import Desk
from pbem.engine.errors import OrderError
from pbem.engine.planner import Planner, follower
from pbem.games.rampage import GAME, bot, control, plan
from pbem.games.rampage.movement import Marchers
from pbem.games.rampage.paths import Mission, Search, away
from pbem.games.rampage.plan import PLAN, STANCES
from pbem.games.rampage.state import State
from pbem.games.rampage.tables import AFP, GRID

BOOK = STANCES["saar"]


def played(seed: str, stance: str | None = None, **options: str) -> Played[State]:
    """A game in which every seat follows a stance."""
    chance = random.Random(seed)
    bots = {seat.key: follower(GAME, seat.key, stance, chance) for seat in GAME.seats_of(GAME.chosen(options))}
    return autoplay(GAME, seed, bots, options=options)
