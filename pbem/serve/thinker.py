"""Planners that think: each thought in a process of its own, while the desk goes on answering letters."""

from __future__ import annotations

import asyncio
import logging
from functools import partial

from pbem.config import Settings
from pbem.engine.planner import Thought
from pbem.serve import work
from pbem.serve.desk import TRIES, Child, Desk, Gone, now
from pbem.service.time.host import BEAT
from pbem.service.time.thinking import Idea, ToThink

log = logging.getLogger("pbem.serve")

LONGEST = 3_600.0
"""Seconds after which a thought is given up: the budget of a planner ends it long before."""


class Thinker:
    """Thinks for one game after another that waits for it: when a game may have been played on, and at each
    beat, so that nothing is forgotten."""

    def __init__(self, desk: Desk, settings: Settings) -> None:
        self.desk, self.settings = desk, settings
        self.stopped = asyncio.Event()
        self._troubles: dict[str, str] = {}

    async def run(self) -> None:
        """Think until told to stop; a thought that is not ready then is dropped."""
        while not self.stopped.is_set():
            self.desk.played.clear()
            try:
                for game in await self.desk.visit(work.games_that_think):
                    await self._think(game)
            except Exception as error:
                log.error("the planners stand still", extra={"why": str(error) or type(error).__name__})
            await self._first(BEAT.total_seconds(), self.stopped, self.desk.played)

    async def _think(self, game: str) -> None:
        """Think in one game until it no longer waits for that; what fails there keeps no other back."""
        try:
            while not self.stopped.is_set() and (waits := await self.desk.visit(work.to_think, game, now())):
                idea = await self._thought(waits[0])
                if idea is None:
                    return
                wanted = await self.desk.visit(work.hand_in, waits[0], idea, now())
                log.info("thought", extra={"game": game, "said": "handed in" if wanted else "too late"})
                self.desk.wake.set()
            self._troubles.pop(game, None)
        except Exception as error:
            trouble = str(error) or type(error).__name__
            if self._troubles.get(game) != trouble:
                log.error("a planner stands still", extra={"game": game, "why": trouble})
            self._troubles[game] = trouble

    async def _thought(self, wait: ToThink) -> Idea | None:
        """Return what came of thinking, the stance in use if it fails each time; None if the service stops
        meanwhile."""
        fault = ""
        for _ in range(TRIES):
            child = Child(self.settings)
            thinking = asyncio.create_task(child.run(partial(work.think, wait), LONGEST))
            await self._first(None, self.stopped, thinking)
            while not (child.process or thinking.done()):  # it has only just begun
                await asyncio.sleep(0.02)
            child.end(at_once=not thinking.done() or isinstance(thinking.exception(), Gone))
            try:
                return await thinking
            except Gone as gone:
                fault = str(gone)
            if self.stopped.is_set():
                return None
        return Idea(Thought(wait.stance), fault)

    @staticmethod
    async def _first(seconds: float | None, *what: asyncio.Event | asyncio.Task[Idea]) -> None:
        """Wait for the first of some things, for so long at most."""
        events = [asyncio.create_task(each.wait()) for each in what if isinstance(each, asyncio.Event)]
        tasks = [each for each in what if isinstance(each, asyncio.Task)]
        await asyncio.wait([*events, *tasks], timeout=seconds, return_when=asyncio.FIRST_COMPLETED)
        for each in events:
            each.cancel()
