"""Deadlines, and digests to moderators. A deadline is called once every way in has been read up to it; one
that passed while nobody was there is put off (service/time/host.py)."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Mapping
from datetime import datetime

from pbem.serve import work
from pbem.serve.desk import Desk, now
from pbem.serve.health import Seen
from pbem.service.record.errors import WrongVersion
from pbem.service.time.host import BEAT, HostClock, Source, Worker

log = logging.getLogger("pbem.serve")


class Clock:
    """Looks at the clocks of all games every now and then, one game a visit, so that letters come in
    between."""

    def __init__(
        self,
        desk: Desk,
        me: Worker,
        sources: Callable[[], Mapping[str, Source]],
        outage_hours: float,
        seen: Seen,
    ) -> None:
        self.desk, self.me, self.sources, self.seen = desk, me, sources, seen
        self.outage_hours = outage_hours
        self.stopped = asyncio.Event()
        self.misfit = ""
        """Why this worker may not go on: the store is of another version by now."""

    async def run(self) -> None:
        """Look until told to stop."""
        while not self.stopped.is_set():
            try:
                await self._round()
            except WrongVersion as error:
                self.misfit = str(error)
                return
            except Exception as error:
                log.error("the clock stands still", extra={"why": str(error) or type(error).__name__})
            try:
                await asyncio.wait_for(self.stopped.wait(), BEAT.total_seconds())
            except TimeoutError:
                continue

    async def _round(self) -> None:
        clock = await self.beat()
        if clock.held is None and clock.read is not None:
            if clock.down is not None:
                await self._put_off(clock.down)
            for game in await self.desk.visit(work.to_look_at, clock.read):
                if self.stopped.is_set():
                    return
                await self._call(game, clock.read)
        if await self.desk.visit(work.digests, now()):
            self.desk.wake.set()

    async def beat(self) -> HostClock:
        """Say that this worker is there."""
        clock = await self.desk.visit(work.beat, self.me, self.sources(), now())
        self.seen.beat(clock)
        return clock

    async def _call(self, game: str, moment: datetime) -> None:
        try:
            said = await self.desk.visit(work.call, game, moment)
        except Exception as error:  # of this game alone
            said = f"trouble: {error or type(error).__name__}"
        if said:
            log.info("deadline", extra={"game": game, "said": said})
            self.desk.wake.set()
            self.desk.played.set()

    async def _put_off(self, down: tuple[datetime, datetime]) -> None:
        for game in await self.desk.visit(work.games_to_put_off, down, self.outage_hours):
            if self.stopped.is_set():
                return
            said = await self.desk.visit(work.put_off, game, down, self.outage_hours, now())
            if said:
                log.info("outage", extra={"game": game, "said": said})
        await self.desk.visit(work.put_off_all, down)
        self.desk.wake.set()
