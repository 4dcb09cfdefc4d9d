"""Use case: end a game before its rules do, where the players agree, have gone, or the moderator has to say
who has won. The last letter of each player has the result and opens all secrets, as at every end."""

from __future__ import annotations

from pbem.engine.game import SYSTEM
from pbem.engine.wording import unknown
from pbem.service.letters.reports import tell
from pbem.service.moderating.hosting import Done, note
from pbem.service.record.errors import StoreError
from pbem.service.record.table import Table

ENDINGS = {
    "draw": "a draw, as agreed",
    "abandoned": "abandoned, without a result",
    "annulled": "annulled: it counts for nobody",
}
"""How a game may end without a winner, and what that is called in letters."""

UNCOUNTED = ("abandoned", "annulled")
"""Endings that are no result for anybody."""


def end(table: Table, how: str, *, by: str, why: str) -> Done:
    """End a game where it stands: a "draw", "abandoned", "annulled", or the key of the seat that wins. It
    cannot be taken back, since all links are opened. Raises StoreError for a game that is over or stopped,
    and for any other word."""
    row = table.row
    if row.status != "running":
        raise StoreError(f"game {row.id} is {row.status}" + (": resume it first" * (row.status == "stopped")))
    winners = {key: table.game.seat(key).title for key, seat in table.seats.items() if seat.bot != SYSTEM}
    if how not in (*ENDINGS, *winners):
        raise StoreError(unknown("a game does not end as", how, [*ENDINGS, *winners]))
    level = ENDINGS[how] if how in ENDINGS else f"{winners[how]} wins, as adjudicated"
    winner = "" if how in ENDINGS else how
    here = table.here()
    details = {"how": how, "level": level, "winner": winner, "phase": here.state.phase}
    done = note(table, "end", details, f"The game ends: {level}", {}, by=by, why=why)
    table.end(here)
    tell(table, [table.here()])
    told = tuple(key for key, seat in table.seats.items() if seat.address)
    return Done(done.game, done.what, done.says, told)
