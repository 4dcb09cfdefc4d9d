"""Use case: start a game."""

from __future__ import annotations

import re
import secrets
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from pbem.engine import beacon
from pbem.engine.dice import new_secret
from pbem.engine.game import SYSTEM, game
from pbem.engine.planner import BOTS
from pbem.engine.wording import unknown
from pbem.fields import address, zone
from pbem.mail.address import hash_password
from pbem.service.letters.reports import tell
from pbem.service.moderating.staff_seat import write_to_staff
from pbem.service.record.errors import StoreError
from pbem.service.record.journal import JournalWriter
from pbem.service.record.rows import GameRow, PhaseRow, SeatRow, StaffRow, pack
from pbem.service.record.store import Store
from pbem.service.record.table import Table
from pbem.service.record.terms import replies_to, settled

TOKEN_BYTES = 16
"""How long the secret is from which the reply address of a seat, or of one of the staff, is made."""

_NAME = re.compile(r"[a-z0-9][a-z0-9_-]{0,23}")


@dataclass(frozen=True, slots=True)
class Player:
    """Who plays a seat: a person with an address, or a bot by its name (engine/planner.py). Neither: the seat
    is played from the command line."""

    name: str = ""
    address: str = ""
    zone: str = "UTC"
    password: str = ""
    bot: str = ""


@dataclass(frozen=True, slots=True)
class NewGame:
    """Everything that is decided when a game is started. `seed` fixes the dice, for tests and examples
    alone."""

    key: str
    id: str
    scenario: str | None = None
    options: Mapping[str, str] = field(default_factory=dict)
    players: Mapping[str, Player] = field(default_factory=dict)
    settings: Mapping[str, Any] = field(default_factory=dict)
    seed: str | None = None


def start(store: Store, new: NewGame, now: datetime) -> None:
    """Start a game and write each player the first letter.

    Raise StoreError, KeyError or ValueError naming what cannot be.
    """
    settings = check(new)
    settings.setdefault("dice", "salts" if new.seed is None else "seed")
    if settings["dice"] == "beacon":
        beacon.require()
    moderators = moderators_of(new.id, settings, new.seed)
    rules = game(new.key)
    state = rules.start(new.scenario, new.options)
    with store.transaction() as session:
        if session.get(GameRow, new.id) is not None:
            raise StoreError(f"there is already a game {new.id!r} here")
        row = GameRow(
            id=new.id, game=new.key, scenario=state.scenario, options=state.options,
            secret=new_secret(new.seed), settings=settings, created=now, rules=rules.rules,
            letter_key=new_secret(None if new.seed is None else f"{new.seed} letters"),
        )  # fmt: skip
        session.add(row)
        session.flush()
        session.add_all(moderators)
        for seat_key in (seat.key for seat in rules.seats_of(state.options)):
            session.add(_seat(new, seat_key, seat_key in rules.systems_of(state.options)))
        snapshot = rules.dump(state)
        session.add(
            PhaseRow(
                game=new.id,
                number=1,
                label=rules.label(state),
                turn=state.turn,
                snapshot=pack(snapshot),
                salts=[],
                notes=[],
            )
        )
        begun = f"{new.key} {state.scenario}"
        JournalWriter(session, new.id).append(1, "start", begun, dict(state.options), at=now)
        session.flush()
        table = Table(session, row, now)
        steps = table.play_on()
        tell(table, steps)
        for moderator in moderators:
            write_to_staff(table, moderator, f"You are moderator of this game, {rules.title}")


def moderators_of(game_id: str, settings: dict[str, Any], seed: str | None = None) -> list[StaffRow]:
    """Take the moderator out of the settings of a game, and return the rows of its staff."""
    to, name = settings.pop("moderator", ""), settings.pop("moderator_name", "")
    return [new_staff(game_id, "moderator", "moderator", name, to, seed=seed)] if to else []


def new_staff(
    game_id: str, key: str, role: str, name: str, to: str, *, zone: str = "UTC", seed: str | None = None
) -> StaffRow:
    """A new row of a game's staff, with an address of its own to write to."""
    return StaffRow(
        game=game_id, key=key, role=role, name=name, address=to.lower(), zone=zone,
        token_key=new_token(seed, key),
    )  # fmt: skip


def new_token(seed: str | None = None, key: str = "") -> bytes:
    """Return a new secret for a reply address; `seed` fixes it, for tests and examples alone."""
    return secrets.token_bytes(TOKEN_BYTES) if seed is None else new_secret(f"{seed} {key}")[:TOKEN_BYTES]


def check(new: NewGame) -> dict[str, Any]:
    """Return the settings of a new game as its row keeps them, once everything about it has been checked.

    Raise KeyError for an unknown game or seat, ValueError for anything else that cannot be.
    """
    if not _NAME.fullmatch(new.id):
        raise ValueError(f'"{new.id}" is not a valid game name: use at most 24 of a-z, 0-9, - and _')
    rules = game(new.key)
    rules.start(new.scenario, new.options)
    chosen = rules.chosen(new.options)
    for seat, player in new.players.items():
        if rules.seat(seat) not in rules.seats_of(chosen):
            raise ValueError(f"seat {seat} is not played under these options")
        if seat in rules.systems_of(chosen):
            raise ValueError(f"seat {seat} is played by the game itself under these options")
        _check_player(player)
    settings = settled(new.settings)
    if settings.get("open") and not settings.get("moderator"):
        raise ValueError("an open game needs a moderator, who reads the requests to play")
    for each in rules.seats_of(chosen):  # a long name may not fit into a mail address
        replies_to(settings, new.id, each.key, bytes(TOKEN_BYTES))
    return settings


def _check_player(player: Player) -> None:
    zone(player.zone)
    if player.bot not in ("", *BOTS):
        raise ValueError(unknown("there is no bot", player.bot, BOTS))
    if player.address:
        address(player.address)


def _seat(new: NewGame, key: str, system: bool) -> SeatRow:
    player = new.players.get(key, Player(bot=SYSTEM if system else ""))
    return SeatRow(
        game=new.id, key=key, name=player.name, address=player.address.lower(), zone=player.zone,
        bot=player.bot, token_key=new_token(new.seed, key),
        password=hash_password(player.password) if player.password else "",
    )  # fmt: skip
