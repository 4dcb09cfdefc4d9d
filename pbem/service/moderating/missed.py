"""What becomes of a turn whose deadline has passed, by the terms of the game (`missed` in terms.py).

- standing: the section that was asked for is closed as it is, and no other: lines that can be played are
  played, the rest is decided by standing orders and defaults.
- hold: it is closed without lines; standing orders do not count, and defaults decide what the rules demand.
- bot, substitute: the bot, or the stand-by of the game, takes the seat. Without a stand-by, or if bots alone
  would play on: standing.
- wait: nothing is decided; everybody reads once that the game goes on waiting.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime

from pbem.service.letters.reports import tell
from pbem.service.moderating.hosting import Done, note
from pbem.service.moderating.people import stand_in, take_over
from pbem.service.play.lateness import let_pass
from pbem.service.play.steps import Step
from pbem.service.record.clock import NEVER
from pbem.service.record.errors import StoreError
from pbem.service.record.table import Table


def force(table: Table, *, by: str, why: str) -> Done:
    """Apply the deadline of a game now, before it is due. Raises StoreError for a game that waits for nobody,
    is stopped or over, and where the terms are to go on waiting."""
    row = table.row
    if row.status != "running":
        raise StoreError(f"game {row.id} is {row.status}")
    if row.settings.get("missed") == "wait":
        raise StoreError(
            f"game {row.id} goes on waiting after a missed deadline, so that there is nothing to apply: "
            "change that first (TERMS missed standing)"
        )
    here = table.here()
    late = table.waited_for(here)
    if not late:
        raise StoreError(f"game {row.id} waits for nobody")
    names = " and ".join(table.game.seat(key).title for key in late)
    written = {key: seat.letters for key, seat in table.seats.items()}
    done = note(table, "force", {}, f"The deadline is applied now, for {names}", {}, by=by, why=why)
    decide(table, here, late, early="the host" if by == "host" else "the moderator")
    told = tuple(key for key, seat in table.seats.items() if seat.address and seat.letters > written[key])
    return Done(done.game, done.what, done.says, told)


def decide(table: Table, here: Step, late: Mapping[str, str], early: str = "") -> list[Step]:
    """Decide for those whose time is up, each with the section that he was asked for, and note that they have
    missed it. `early` is who applies the deadline whether it is due or not: before it is due nobody has
    missed it. Return the steps that were played."""
    clock = table.deadline(here)
    due = clock or table.now
    passed = due.isoformat() if clock and clock <= table.now else ""
    early = "" if passed else early
    policy = table.row.settings.get("missed", "standing")
    if policy == "wait":
        return _wait(table, late, due)
    for key in late:
        _write_down(table, key, passed)
    taken = [key for key in late if _hand_to_bot(table, key, early)]
    others = [key for key in late if key not in taken and not _stand_in(table, key, early)]
    left = {key: late[key] for key in others}
    if not taken and not left:
        return []
    steps = table.play_on(here, forced=left, early=early)
    for key, section in left.items():
        seat = table.seats[key]
        before = let_pass(seat.missed, here.turn) if early else None
        seat.missed = {"turn": here.turn, "due": min(due, table.now).isoformat(), "section": section}
        if early:
            seat.missed |= {"early": early}
        if before:
            seat.missed |= {"before": before.isoformat()}
        table.record.keep(seat)
    if left:
        names = " and ".join(table.game.seat(key).title for key in left)
        says = f"{early.capitalize()} has closed early for" if early else "The deadline has passed for"
        table.record.tell_moderators(f"{says} {names}", ())
    tell(table, steps)
    return steps


def _write_down(table: Table, key: str, due: str) -> None:
    """Keep for good that a seat has missed its deadline (record/reliability.py), or with "" as `due` that it
    was applied early, which is not the player's doing."""
    table.record.journal.append(
        table.row.phase, "host", "missed", {"seat": key, "due": due, "why": ""}, at=table.now, by="host"
    )


def _why(early: str) -> str:
    """Why a seat changes hands."""
    return f"{early} did not wait any longer" if early else "the deadline was missed"


def _hand_to_bot(table: Table, key: str, early: str) -> bool:
    """Hand the seat of a player who is late to the planner, where the terms of the game say so and another
    person plays. Return whether it was handed over."""
    if table.clock.policy(key) != "bot":
        return False
    take_over(table, key, "planner", by="host", why=_why(early))
    return True


def _stand_in(table: Table, key: str, early: str) -> bool:
    """Hand the seat of a player who is late to the stand-by of the game, where its terms say so and there is
    one. Return whether the seat was handed over."""
    if table.clock.policy(key) != "substitute":
        return False
    row, who = table.seats[key], table.clock.stand_by()
    what = f"{early.capitalize()} did not wait any longer" if early else "You missed the deadline"
    says = (
        f"{what}: {table.clock.stand_by_name} takes your seat. "
        "To take it back, write to the moderator or the host"
    )
    note(table, "stand in", {"seat": key}, says, {key: says}, by="host", why="")
    row.missed = {}
    stand_in(table, key, who, by="host", why=_why(early))
    return True


def _wait(table: Table, late: Iterable[str], due: datetime) -> list[Step]:
    """Go on waiting after a deadline, and tell everybody so once."""
    if table.row.clock.get("waited") == due.isoformat():
        table.row.quiet_until = NEVER
        table.record.keep(table.row)
    else:
        table.clock.remember(waited=due.isoformat())
        for key in late:
            _write_down(table, key, due.isoformat())
        who = " and ".join(table.game.seat(key).title for key in late)
        says = f"The deadline has passed; the game goes on waiting for {who}"
        told = dict.fromkeys(table.seats, says)
        note(table, "wait", {"due": due.isoformat()}, says, told, by="host", why="")
    return []
