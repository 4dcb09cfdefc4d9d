"""Use cases: rounds of the beacon that games wait for, and what comes of their values."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from urllib.error import URLError
from urllib.request import urlopen

from pbem.engine.beacon import QUICKNET, is_genuine
from pbem.service.intake.player_letters import let_in_waiting
from pbem.service.intake.trouble import guarded
from pbem.service.letters.reports import tell
from pbem.service.record.dice_rules import Round
from pbem.service.record.errors import StoreError
from pbem.service.record.store import Store, game_ids, locked_game
from pbem.service.record.table import Table

SERVER = "https://api.drand.sh"
TIMEOUT = 20
"""Seconds to wait for the server of the beacon."""

_LINE = re.compile(r"(\d+)\s+([0-9a-fA-F]{96})$")


@dataclass(frozen=True, slots=True)
class Waiting:
    """A game that waits for a round of the beacon, which comes out at `out`."""

    game: str
    round: int
    closed: datetime
    out: datetime

    def line(self) -> str:
        return f"{self.game} waits for round {self.round}, out {self.out:%Y-%m-%d %H:%M} UTC"


def waiting(store: Store, game_id: str | None, now: datetime) -> list[Waiting]:
    """Return the games that wait for a round, or the one called `game_id` if it does."""
    with store.transaction() as session:
        games = [game_id] if game_id else game_ids(session)
        tables = [Table(session, locked_game(session, each), now) for each in games]
        rounds = [(table.row.id, table.dice.open_round()) for table in tables]
        return [
            Waiting(game, round.number, round.closed, QUICKNET.out_at(round.number))
            for game, round in rounds
            if round is not None
        ]


def take(store: Store, values: Mapping[int, str], game_id: str | None, now: datetime) -> list[Waiting]:
    """Play on in the games that wait for one of these rounds, given as number and signature, and process the
    letters that have waited. Return these games.

    Raise StoreError naming a false signature, and MissingLibrary where none can be checked; nothing has
    happened then.
    """
    ready = [each for each in waiting(store, game_id, now) if each.round in values]
    for wait in ready:
        if not is_genuine(wait.round, values[wait.round]):
            raise StoreError(
                f"{values[wait.round]} is not the signature of round {wait.round} of the beacon: "
                f"nothing was played in {wait.game}"
            )
    for wait in ready:
        with store.transaction() as session:
            table = Table(session, locked_game(session, wait.game), now)
            round = table.dice.open_round()
            if round is None or round.number != wait.round:  # somebody else was faster
                continue
            signature = values[wait.round]
            guarded(table, lambda table=table, signature=signature: _play(table, signature))  # type: ignore[misc]
            let_in_waiting(table)
    return ready


def _play(table: Table, signature: str) -> Round:
    """Write down the signature of the round that a game waits for, and play on with it."""
    round = table.dice.open_round()
    assert round is not None
    answer = {"round": round.number, "signature": signature}
    table.record.journal.append(table.row.phase, "beacon", round.name, answer, at=table.now)
    table.record.session.flush()
    round = table.dice.rounds()[-1]
    tell(table, table.play_on(round=round))
    return round


# --- where values come from ---------------------------------------------------------------------------------


def read_values(text: str) -> dict[int, str]:
    """Read rounds with their signatures: lines `ROUND SIGNATURE`, or JSON as the beacon serves it, an object
    or a list of them. Raise StoreError naming what cannot be read."""
    if text.lstrip().startswith(("{", "[")):
        return dict(_served(text))
    signatures: dict[int, str] = {}
    for number, line in enumerate(text.splitlines(), 1):
        if match := _LINE.match(line.strip()):
            signatures[int(match[1])] = match[2].lower()
        elif line.strip():
            raise StoreError(f'line {number} is not a round: "{line.strip()[:60]}"; write ROUND SIGNATURE')
    return signatures


def _served(text: str) -> Iterator[tuple[int, str]]:
    try:
        value = json.loads(text)
    except ValueError as error:
        raise StoreError(f"these rounds are no JSON: {error}") from error
    for entry in value if isinstance(value, list) else [value]:
        line = f"{entry.get('round')} {entry.get('signature')}" if isinstance(entry, dict) else ""
        match = _LINE.match(line)
        if match is None:
            raise StoreError(f'a round should have "round" and "signature", not {json.dumps(entry)[:60]}')
        yield int(match[1]), match[2].lower()


def fetch(round: int, server: str = SERVER) -> str:
    """Return the signature of a round from a server of the beacon. Raise StoreError if it has none, or cannot
    be reached: there is then nothing to play with yet."""
    url = f"{server}/{QUICKNET.hash}/public/{round}"
    try:
        with urlopen(url, timeout=TIMEOUT) as answer:
            text = answer.read(10_000).decode("utf-8", "replace")
    except (URLError, OSError) as error:
        raise StoreError(f"round {round} could not be fetched from {url}: {error}") from error
    values = read_values(text)
    if round not in values:
        raise StoreError(f"{url} has served another round: {text[:60]}")
    return values[round]
