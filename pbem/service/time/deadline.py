"""Use case: act at a deadline, by the terms of the game for a missed turn (moderating/missed.py)."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from sqlmodel import col, select

from pbem.engine.beacon import QUICKNET
from pbem.service.intake.trouble import guarded
from pbem.service.letters.log import common_zone
from pbem.service.letters.reports import tell
from pbem.service.moderating.missed import decide
from pbem.service.moderating.timing import go_on_without_ruling
from pbem.service.play.steps import Step
from pbem.service.record.clock import nothing_before
from pbem.service.record.errors import StoreError
from pbem.service.record.notices import tell_moderators
from pbem.service.record.rows import GameRow, SeatRow
from pbem.service.record.store import Store, locked_game, only_game
from pbem.service.record.table import Table
from pbem.service.time.reminders import remind

LATEST = timedelta(days=1)
"""How long ago a deadline may have passed that is applied without asking."""
FIRST_LOOKS = 200
"""How many games a run looks at in which nothing can be due yet, to learn until when they are quiet."""
ROUND_TAKES = timedelta(hours=1)
"""How long after it came out a round of the beacon may be missing before the moderators read of it."""


def play(store: Store, game_id: str | None, now: datetime) -> list[Step]:
    """Adjudicate as far as orders, standing orders and bots carry the game, and write what there is to
    tell."""
    with store.transaction() as session:
        table = Table(session, only_game(session, game_id), now)
        _must_run(table)
        return guarded(table, lambda: _played(table)) or []


def to_look_at(store: Store, now: datetime) -> list[str]:
    """Return the ids of the games that are played and may have something to do about a deadline now.

    The others are known to be quiet, or their rows tell that nothing can be due in them yet. Of the latter
    the first `FIRST_LOOKS` are looked at too, those with the nearest deadlines first: after an upgrade that
    would take long if it were done with all games of a large store at once.
    """
    running, quiet = GameRow.status == "running", col(GameRow.quiet_until)
    with store.transaction() as session:
        due = list(session.exec(select(GameRow.id).where(running, quiet <= now)))
        rows = session.exec(
            select(GameRow.id, GameRow.settings, GameRow.clock, GameRow.waiting_since)
            .where(running, quiet.is_(None))
            .order_by(col(GameRow.id))
        ).all()
        missed = select(SeatRow.game, SeatRow.missed).join(GameRow).where(running, quiet.is_(None))
        late = {game for game, what in session.exec(missed) if what}
    nothing = {game: None if game in late else _nothing_before(*row) for game, *row in rows}
    pending = [game for game, moment in nothing.items() if moment is None or moment <= now]
    later = sorted((moment, game) for game, moment in nothing.items() if moment is not None and moment > now)
    return sorted([*due, *pending, *(game for _, game in later[:FIRST_LOOKS])])


def _nothing_before(
    settings: dict[str, Any], clock: dict[str, Any], waiting_since: datetime | None
) -> datetime | None:
    """As in the clock; None for a damaged row: a look at the game tells what is wrong with it."""
    try:
        return nothing_before(settings, clock, waiting_since)
    except Exception:
        return None


def act(
    store: Store, game_id: str | None, now: datetime, force: bool = False, late: bool = False
) -> list[Step]:
    """Apply the deadline of a game, once it and the time of grace have passed; `force` does so at once,
    `late` however long ago it passed.

    Return the steps that were played: none while there is time left (seats are reminded then) or the game is
    not waiting for anyone. Raise StoreError for a game that is over or stopped, for `force` where the terms
    are to go on waiting, and where the deadline passed more than `LATEST` ago.
    """
    with store.transaction() as session:
        table = Table(session, only_game(session, game_id), now)
        _must_run(table)
        if force and table.row.settings.get("missed") == "wait":
            raise StoreError(
                f"game {table.row.id} goes on waiting after a missed deadline, so that there is nothing to "
                "apply: change that first (pbem deadline terms --missed standing)"
            )
        if "trouble" in table.row.clock:
            table.clock.remember(trouble=None)
        return guarded(table, lambda: _decided(table, force, late)) or []


def _must_be_now(table: Table, here: Step) -> None:
    """Raise StoreError if the deadline passed so long ago that the machine was off, or its clock is wrong:
    nobody's orders are decided by either unasked."""
    due = table.deadline(here)
    if due and table.now > due + table.clock.grace + LATEST:
        passed = _day_and_time(due, common_zone(table))
        raise StoreError(
            f"its deadline passed more than a day ago, on {passed}. If the clock of this "
            "machine is wrong, set it right. If the machine was off, let the time run again (pbem deadline "
            "restart) or apply the deadline (pbem adjudicate --late)"
        )


def _day_and_time(moment: datetime, zone: str) -> str:
    """A time with its year, for what may be long ago."""
    return f"{moment.astimezone(ZoneInfo(zone)):%Y-%m-%d %H:%M} {zone}"


def is_new_trouble(store: Store, game_id: str, trouble: str, now: datetime) -> bool:
    """Whether a game fails for another reason than at the last run; its moderators are notified then.

    `trouble` is remembered until the deadline of the game can be applied again (`act`).
    """
    with store.transaction() as session:
        row = locked_game(session, game_id)
        if row.clock.get("trouble") == trouble:
            return False
        row.clock = row.clock | {"trouble": trouble}
        session.add(row)
        tell_moderators(session, game_id, f"Game {game_id} cannot go on: {trouble}", (), now)
        return True


def _must_run(table: Table) -> None:
    if table.row.status != "running":
        why = table.row.trouble.strip().splitlines()[-1:] or ["it has ended"]
        raise StoreError(f"game {table.row.id} is {table.row.status}: {why[0]}")


def _decided(table: Table, force: bool, as_late: bool) -> list[Step]:
    """Decide for those whose time is up as the terms of the game say (`missed` in terms.py), and note that
    they have missed it."""
    here = table.here()
    if go_on_without_ruling(table):
        return []
    late = table.waited_for(here)
    if not late:
        return _rest(table, here)
    if not (force or table.clock.is_due(here)):
        remind(table, here)
        return _rest(table, here)
    if table.row.settings.get("missed") != "wait" and not (force or as_late):
        _must_be_now(table, here)
    return decide(table, here, late, early="the host" if force else "")


def _rest(table: Table, here: Step) -> list[Step]:
    """Nothing is played; until when it is quiet, no run has to look at the game."""
    table.row.quiet_until = _round_missed(table) or table.clock.quiet_until(here)
    table.record.keep(table.row)
    return []


def _round_missed(table: Table) -> datetime | None:
    """Notify the moderators once of a round of the beacon that nobody has fetched `ROUND_TAKES` after it came
    out. Return when that will be; None if it has passed or no round is waited for."""
    round = table.dice.open_round()
    if round is None or table.row.clock.get("round") == round.number:
        return None
    out = QUICKNET.out_at(round.number)
    if table.now < out + ROUND_TAKES:
        return out + ROUND_TAKES
    table.clock.remember(round=round.number)
    says = (
        f"{table.row.id} stands still: it waits for round {round.number} of the beacon, and nobody fetches it"
    )
    came = _day_and_time(out, common_zone(table))
    lines = [
        f"The round came out at {came}. Let cron run this every few minutes:",
        f"pbem dice beacon --game {table.row.id} --fetch",
        "Without a network, take its value from a file: --file instead of --fetch.",
    ]
    table.record.tell_moderators(says, lines)
    return None


def _played(table: Table) -> list[Step]:
    steps = table.play_on()
    tell(table, steps)
    return steps
