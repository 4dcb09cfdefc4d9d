"""What an administrator sees of the service: /healthz, /readyz and /metrics on a local port, and a line of
the log for each letter and mail."""

from __future__ import annotations

import asyncio
import json
import logging
import threading
from collections.abc import Callable, Iterable, Mapping
from datetime import datetime, timedelta
from time import monotonic
from typing import Any
from wsgiref.simple_server import WSGIRequestHandler, WSGIServer, make_server

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, make_wsgi_app

from pbem.config import HealthSettings, host_and_port
from pbem.serve import work
from pbem.serve.desk import Desk, now
from pbem.serve.log import hidden
from pbem.serve.work import Health, Taken
from pbem.service.intake.outbox import Claimed
from pbem.service.time.host import HostClock, Source

log = logging.getLogger("pbem.serve")

CACHED = 10.0
"""Seconds for which what was seen in the store is shown again."""

SECONDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60)


class Seen:
    """Counts what happens, and writes it to the log."""

    def __init__(self, version: str, letters: bool) -> None:
        self.letters = letters
        self.registry = CollectorRegistry()
        made: dict[str, Any] = {"registry": self.registry}
        self.taken = Counter(
            "pbem_letters", "Letters in, by way in and outcome", ["source", "outcome"], **made
        )
        self.seconds = Histogram(
            "pbem_letter_seconds", "From the mail to its outcome", buckets=SECONDS, **made
        )
        self.sent = Counter("pbem_mails_out", "Letters out, by result", ["result"], **made)
        self.unsent = Gauge("pbem_unsent", "Letters that wait to be sent", **made)
        self.refused = Gauge("pbem_refused", "Letters that no mail server takes", **made)
        self.oldest = Gauge("pbem_oldest_unsent_seconds", "Age of the oldest letter that waits", **made)
        self.unread = Gauge("pbem_unread_seconds", "Since when a way in is not read", ["source"], **made)
        self.due = Gauge("pbem_deadlines_due", "Games to look at because of a deadline", **made)
        self.games = Gauge("pbem_games", "Games, by status", ["status"], **made)
        self.aside = Gauge("pbem_aside", "Emails set aside", **made)
        self.workers = Gauge("pbem_workers", "Workers that are there", **made)
        self.held = Gauge("pbem_clock_held", "1 while the clock waits for a person", **made)
        Gauge("pbem_worker_info", "This process", ["version"], **made).labels(version).set(1)
        self.clock: HostClock | None = None

    def letter(self, source: str, taken: Taken) -> None:
        """A letter has come in."""
        kind = source.partition(":")[0]
        outcome = taken.outcome or taken.result
        self.taken.labels(kind, outcome).inc()
        self.seconds.observe(taken.ms / 1000)
        if self.letters or taken.result in ("aside", "later"):
            level = logging.INFO if taken.result in ("done", "refused") else logging.WARNING
            seat = f"{taken.game}/{taken.seat}" if taken.game else ""
            why = taken.why.partition("\n")[0][:200]
            said = {"source": kind, "seat": seat, "outcome": outcome, "why": why, "ms": taken.ms}
            log.log(level, "letter", extra=said)

    def mail(self, result: str, claimed: Claimed, code: int, detail: str, began: datetime) -> None:
        """A letter went out, or could not."""
        self.sent.labels(result).inc()
        if self.letters or result != "sent":
            ms = round((now() - began).total_seconds() * 1000)
            said = {
                "key": claimed.key,
                "to": hidden(claimed.recipient),
                "result": result,
                "code": code,
                "ms": ms,
            }
            level = logging.INFO if result == "sent" else logging.WARNING
            log.log(level, "mail", extra=said | ({} if result == "sent" else {"why": detail[:200]}))

    def beat(self, clock: HostClock) -> None:
        """The clock of the host was looked at."""
        if clock.held is not None and (self.clock is None or self.clock.held is None):
            log.error("the clock has jumped: deadlines wait for pbem deadline clock --confirm")
        self.clock = clock
        self.held.set(clock.held is not None)

    def store(self, found: Health) -> None:
        """The store was looked at."""
        self.unsent.set(found.unsent)
        self.refused.set(found.refused)
        self.oldest.set(found.oldest_unsent)
        self.due.set(found.due)
        self.aside.set(found.aside)
        self.workers.set(found.workers)
        for status in ("running", "over", "stopped"):
            self.games.labels(status).set(found.games.get(status, 0))


class HealthServer:
    """Answers on a local port, in a thread of its own, so that it answers while all others wait."""

    def __init__(
        self,
        desk: Desk,
        seen: Seen,
        settings: HealthSettings,
        sources: Callable[[], Mapping[str, Source]],
        stopping: Callable[[], bool],
    ) -> None:
        self.desk, self.seen, self.settings = desk, seen, settings
        self.sources, self.stopping = sources, stopping
        self.metrics = make_wsgi_app(seen.registry)
        self.loop: asyncio.AbstractEventLoop | None = None
        self.found: tuple[float, Health | str] | None = None
        self.server: WSGIServer | None = None

    def start(self) -> None:
        """Begin to answer. Raise OSError if the port is taken."""
        if not self.settings.listen:
            return
        self.loop = asyncio.get_running_loop()
        host, port = host_and_port(self.settings.listen)
        try:
            self.server = make_server(host, port, self._answer, handler_class=_Silent)
        except OSError as error:
            why = error.strerror or error
            raise OSError(f"[health] listen {self.settings.listen} cannot be opened: {why}") from error
        threading.Thread(target=self.server.serve_forever, name="health", daemon=True).start()

    def stop(self) -> None:
        """Answer no more."""
        if self.server is not None:
            self.server.shutdown()
            self.server.server_close()

    def _answer(self, environ: dict[str, Any], respond: Any) -> Iterable[bytes]:
        path = environ.get("PATH_INFO", "")
        if path == "/metrics":
            self._look()
            for name, source in self.sources().items():
                self.seen.unread.labels(name).set(_age(source.empty))
            answered: Iterable[bytes] = self.metrics(environ, respond)
            return answered
        if path not in ("/healthz", "/readyz"):
            respond("404 Not Found", [("Content-Type", "text/plain")])
            return [b"/healthz /readyz /metrics\n"]
        wrong = self._alive() or (self._ready() if path == "/readyz" else {})
        respond("503 Service Unavailable" if wrong else "200 OK", [("Content-Type", "application/json")])
        return [json.dumps(wrong or {"ok": True}).encode() + b"\n"]

    def _alive(self) -> dict[str, str]:
        """Whether the loop that everything runs in still turns."""
        assert self.loop is not None
        turned = asyncio.run_coroutine_threadsafe(asyncio.sleep(0), self.loop)
        try:
            turned.result(CACHED)
        except TimeoutError:
            return {"loop": f"has not turned for {CACHED:.0f} s"}
        return {}

    def _ready(self) -> dict[str, str]:
        """What keeps letters from being taken, answered or played, in words."""
        wrong: dict[str, str] = {}
        found = self._look()
        if self.stopping():
            wrong["service"] = "it is stopping"
        if isinstance(found, str):
            return wrong | {"store": found}
        if found.oldest_unsent > 60 * self.settings.unsent_minutes:
            wrong["outbox"] = f"the oldest of {found.unsent} letters waits since {found.oldest_unsent:.0f} s"
        for name, source in self.sources().items():
            if _age(source.empty) > 60 * self.settings.unread_minutes:
                since = f"{source.empty:%Y-%m-%d %H:%M} UTC" if source.empty else "the start"
                wrong[name] = f"not read since {since}"
        if self.seen.clock is not None and self.seen.clock.held is not None:
            wrong["clock"] = "it has jumped: pbem deadline clock"
        return wrong

    def _look(self) -> Health | str:
        """Look at the store, at most every ten seconds."""
        assert self.loop is not None
        if self.found is not None and monotonic() - self.found[0] < CACHED:
            return self.found[1]
        found: Health | str
        try:
            asked = asyncio.run_coroutine_threadsafe(self.desk.visit(work.health, now()), self.loop)
            found = asked.result(CACHED)
            self.seen.store(found)
        except Exception as error:
            found = str(error) or f"no answer within {CACHED:.0f} s"
        self.found = monotonic(), found
        return found


class _Silent(WSGIRequestHandler):
    def log_message(self, *what: Any) -> None:
        """Say nothing: the log is for letters."""


def _age(moment: datetime | None) -> float:
    """Seconds since a moment; for one that is not known yet as long as anything."""
    return max((now() - moment) / timedelta(seconds=1), 0.0) if moment else float("inf")
