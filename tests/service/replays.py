"""Games played by bots for the tests of the replay page, the page read back as its script reads it, and the
boards that it must agree with."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from sqlmodel import col, delete

from pbem.engine.board import Board, Counter
from pbem.engine.game import Game, game
from pbem.render.pieces import as_seen
from pbem.render.web.shell import FLAGS
from pbem.service.moderating.start import NewGame, Player, start
from pbem.service.record.rows import GameRow, JournalRow, PhaseRow
from pbem.service.record.store import Store
from pbem.service.tools.queries import pages

BEGUN = datetime(2026, 11, 20, 20, 0, tzinfo=UTC)
LONGEST = {
    "rampage": "campaign",
    "normandy71": "campaign",
    "falaise": "campaign",
    "normandy44": "campaign",
    "france44": "crusade",
}
"""The longest scenario of each game."""

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), "")

TIMES = """async () => {
  const times = [], n = replay.steps().length;
  const timed = i => { const t = performance.now(); replay.go(i, {silent: true}); document.body.offsetHeight;
    times.push(performance.now() - t); };
  for (let i = 1; i < n; i++) timed(i);
  const forward = times.length;
  for (let i = n - 2; i >= 0; i--) timed(i);
  times.sort((a, b) => a - b);
  return [times[Math.floor(times.length * .95)], times[times.length - 1], forward];
}"""
"""Shows every step forward and back: how long 95 of 100 take at most, the slowest, and how many there are."""

SERIOUS = """async () => (await axe.run(document, {resultTypes: ['violations']})).violations
  .filter(v => ['serious', 'critical'].includes(v.impact)).map(v => [v.id, v.nodes[0].html])"""
"""The serious findings of axe-core on a page."""

SETTINGS = {"address": "pbem@club.example", "moderator": "mod@club.example"}

Stacks = dict[str, list[tuple[Any, ...]]]
"""What a page or a board shows in each hex: of every counter, the uppermost first, its name, colours,
figures, kind and flags."""


def played(
    file: Path,
    key: str,
    scenario: str | None = None,
    *,
    bot: str = "random",
    seed: str = "3",
    phases: int = 0,
    **players: Player,
) -> Store:
    """A game that bots have played to its end, or this many phases of it; `players` are seats with names."""
    rules = game(key)
    options = rules.start(scenario, {}).options
    seats = {seat.key: Player(bot=bot) for seat in rules.seats_of(options)}
    seats = {
        seat: Player(name=players[seat].name, bot=bot) if seat in players else who
        for seat, who in seats.items()
    }
    store, new = Store.create(file), NewGame(key, key, scenario, options, seats, SETTINGS, seed)
    if not phases:
        start(store, new, BEGUN)
        return store
    with _over_after(phases + 1):
        start(store, new, BEGUN)
    _cut(store, key, phases)
    return store


@contextmanager
def _over_after(phases: int) -> Iterator[None]:
    """Every game is over after this many phases."""
    turn_page, left = Game.next_phase, phases

    def next_phase(self: Game[Any], state: Any) -> None:
        nonlocal left
        turn_page(self, state)
        left -= 1
        if left <= 0:
            state.phase = ""

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Game, "next_phase", next_phase)
        yield


def _cut(store: Store, id: str, phases: int) -> None:
    """Forget all of a game but its first phases: it stands at the start of the next."""
    with store.transaction() as session:
        session.exec(delete(JournalRow).where(col(JournalRow.phase) > phases))
        session.exec(delete(PhaseRow).where(col(PhaseRow.number) > phases + 1))
        here = session.get_one(PhaseRow, (id, phases + 1))
        here.ended, here.state_hash, here.notes = False, "", []
        row = session.get_one(GameRow, id)
        row.phase, row.status, row.waiting_since = phases + 1, "running", BEGUN
        session.add_all([here, row])


@contextmanager
def chromium() -> Iterator[Any]:
    """A headless Chromium, driven by Playwright."""
    from playwright.sync_api import sync_playwright

    options = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]
    with sync_playwright() as play:
        started = play.chromium.launch(executable_path=CHROMIUM, args=options)
        try:
            yield started
        finally:
            started.close()


class Window:
    """A page in the browser, and what it complained of or asked for."""

    def __init__(self, browser: Any, file: Path, at: str = "", **options: Any) -> None:
        self.context = browser.new_context(**({"viewport": {"width": 1280, "height": 900}} | options))
        self.page = self.context.new_page()
        self.faults: list[str] = []
        self.page.on("console", lambda message: self.faults.append(message.text))
        self.page.on("pageerror", lambda error: self.faults.append(str(error)))
        self.page.on("request", self._asked)
        self.address = f"file://{file}"
        self.page.goto(self.address + at)

    def _asked(self, request: Any) -> None:
        if request.url.partition("#")[0] != self.address:
            self.faults.append(f"asked for {request.url}")

    def until(self, true: str) -> None:
        """Wait for what a script says; Playwright's own wait is refused by the policy of the page."""
        for _ in range(300):
            if self.page.evaluate(true):
                return
            self.page.wait_for_timeout(50)
        focus = self.page.evaluate("document.activeElement.outerHTML.slice(0, 80)")
        raise AssertionError(f"never: {true}; focus: {focus}; faults: {self.faults}")

    def close(self) -> None:
        assert self.faults == []
        self.context.close()


# --- the page read back -------------------------------------------------------------------------------------


def data_in(page: str) -> dict[str, Any]:
    """The data that the script of a page reads."""
    found = re.search(r'<script type="application/json" id="data">(.*?)</script>', page, re.DOTALL)
    assert found is not None
    told: dict[str, Any] = json.loads(found[1])
    return told


def steps_of(data: dict[str, Any], reader: int = 0) -> list[list[Any] | None]:
    """The steps of a reader, as `readAs` of replay.js has them: None where it saw nothing."""
    track = data["tracks"][reader - 1]["steps"] if reader else [1] * len(data["steps"])
    pairs = zip(data["steps"], track, strict=True)
    return [step if mine == 1 else mine[1] if mine else None for step, mine in pairs]


def positions(data: dict[str, Any], reader: int = 0) -> Iterator[Stacks]:
    """What the page shows after the last step of each chapter."""
    steps = iter([*enumerate(steps_of(data, reader)), (-1, None)])
    hexes, shown = data["hexes"].split(" "), dict[str, list[int]]()
    at, step = next(steps)
    for chapter in range(len(data["chapters"])):
        while at >= 0 and data["steps"][at][0] == chapter:
            for place, there in flat(step[2] if step else []):
                shown[hexes[place]] = there
            at, step = next(steps)
        yield {hex: [_face(data, each) for each in there] for hex, there in shown.items() if there}


def flat(stacks: list[int]) -> Iterator[tuple[int, list[int]]]:
    """The changes of a step: a hex and its counters."""
    at = 0
    while at < len(stacks):
        end = at + 2 + stacks[at + 1]
        yield stacks[at], stacks[at + 2 : end]
        at = end


def _face(data: dict[str, Any], shown: int) -> tuple[Any, ...]:
    bits = [flag for place, flag in enumerate(FLAGS) if shown >> place & 1]
    return (*data["looks"][shown >> len(FLAGS)], *bits)


# --- the boards it must agree with --------------------------------------------------------------------------


def boards(store: Store, seat: str) -> list[Stacks]:
    """What `pbem replay` draws at the end of each phase."""
    return [_stacks(page.board) for page in pages(store, None, seat)]


def _stacks(board: Board) -> Stacks:
    told: Stacks = {}
    for counter in board.counters:
        if counter.hex in board.map.grid.ids:
            told.setdefault(counter.hex, []).append(_told(counter))
    return told


def _told(counter: Counter) -> tuple[Any, ...]:
    seen = as_seen(counter)
    symbol = "" if seen.symbol == "none" else seen.symbol
    face = [flag for flag in ("hidden", "entrenched", "inverted") if getattr(seen, flag)]
    bits = [flag for flag in FLAGS if getattr(counter, flag)]
    return (seen.name, seen.colours, seen.figures, " ".join(filter(None, (symbol, seen.size))), *face, *bits)


def differing(mine: Iterable[Stacks], theirs: Iterable[Stacks]) -> list[tuple[int, str, Any, Any]]:
    """Where two lists of positions differ: phase, hex and what each has there."""
    return [
        (place, hex, ours.get(hex), other.get(hex))
        for place, (ours, other) in enumerate(zip(mine, theirs, strict=True))
        for hex in sorted({*ours, *other})
        if ours.get(hex) != other.get(hex)
    ]
