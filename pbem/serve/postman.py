"""The way out: letters of the outbox, oldest first, over one kept connection."""

from __future__ import annotations

import asyncio
import logging
from datetime import timedelta

from pbem.config import Smtp
from pbem.mail.transport import SmtpSettings, SmtpTransport, Unreachable
from pbem.serve import work
from pbem.serve.desk import Desk, now
from pbem.serve.health import Seen
from pbem.service.intake.outbox import Claimed, Outcome, Tries, Which

log = logging.getLogger("pbem.serve")

EVERY = 2.0
"""Seconds between two looks at the outbox while no letter comes in."""

WAITS = (1, 5, 30, 60)
"""Seconds of rest while no mail server answers."""


class Postman:
    """Hands letters over, one after another. What became of one is written down before any letter that came
    in meanwhile, in the visit that claims the next: so a process that is killed sends at most one letter
    twice."""

    def __init__(self, desk: Desk, settings: Smtp, worker: str, seen: Seen) -> None:
        self.desk, self.worker, self.seen = desk, worker, seen
        self.way = SmtpTransport(
            SmtpSettings(
                settings.host, settings.port, settings.tls, settings.user, settings.password,
                cafile=settings.cafile,
            )
        )  # fmt: skip
        backoff = tuple(timedelta(minutes=minutes) for minutes in settings.retry_minutes)
        self.tries = Tries(backoff, timedelta(days=settings.give_up_days))
        self.stopped = asyncio.Event()
        self.failures = 0

    async def run(self) -> None:
        """Send what is due until told to stop; finish the letter in hand."""
        outcome: Outcome | None = None
        while outcome is not None or not self.stopped.is_set():
            claims = not self.stopped.is_set() and not (outcome and outcome.unreachable)
            which = Which(by=self.worker) if claims else None
            self.desk.wake.clear()  # a letter that comes from here on may be too late for this look
            try:
                claimed = await self.desk.visit(work.visit, now(), outcome, which, self.tries)
            except Exception as error:
                log.error("the outbox cannot be read", extra={"why": str(error)})
                await self._rest(WAITS[1])
                if self.stopped.is_set():
                    break
                continue
            waits = WAITS[min(self.failures, len(WAITS)) - 1] if outcome and outcome.unreachable else EVERY
            outcome = await self._handed_over(claimed) if claimed else None
            if outcome is None:
                await self._rest(waits)
        await self.way.quit()

    async def _handed_over(self, claimed: Claimed) -> Outcome:
        began = now()
        try:
            sent = await self.way.deliver(claimed.letter)
        except Unreachable as error:
            self.failures += 1
            self.seen.mail("unreachable", claimed, 0, str(error), began)
            return Outcome(claimed, now(), "later", str(error), unreachable=True)
        self.failures = 0
        self.seen.mail(sent.result, claimed, sent.code, sent.detail, began)
        return Outcome(claimed, now(), sent.result, sent.detail)

    async def _rest(self, seconds: float) -> None:
        """Wait until a letter may have been written, for so long at most; while no server answers, all of
        it."""
        stopped = asyncio.create_task(self.stopped.wait())
        woken = asyncio.create_task(self.desk.wake.wait())
        waits = {stopped} if self.failures else {stopped, woken}
        await asyncio.wait(waits, timeout=seconds, return_when=asyncio.FIRST_COMPLETED)
        for each in (stopped, woken):
            each.cancel()
