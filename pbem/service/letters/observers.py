"""Letters to observers, who may know what both sides know once it is old enough: turns that are over, as many
turns later as has been settled for each, or all of them when the game is over."""

from __future__ import annotations

from collections.abc import Iterator

from pbem.engine.notes import UMPIRE
from pbem.engine.wording import count
from pbem.mail.compose import Attachment, attach
from pbem.service.letters.layout import Pictures, Writing, send_plain
from pbem.service.letters.log import Part, forces, log_of_phases, result_part
from pbem.service.play.steps import Step
from pbem.service.store import StaffRow, staff, unpack
from pbem.service.table import Table

AT_THE_END = "end"
"""The delay of who is told everything when the game is over, and nothing before."""


def delay_of(row: StaffRow) -> int | None:
    """How many turns an observer is behind; None if he is told everything at the end."""
    delay = row.settings.get("delay", AT_THE_END)
    return None if delay == AT_THE_END else int(delay)


def delay_words(row: StaffRow) -> str:
    """What an observer learns, and when, as all who play read it."""
    delay = delay_of(row)
    if delay is None:
        return "learns everything when the game is over, and nothing secret before"
    return f"reads what both sides know of each turn {count(delay, 'turn')} after it has ended"


def tell_observers(table: Table, last: Step) -> None:
    """Write to each observer about the turns that have become old enough by now, each turn once."""
    pictures = Pictures()
    for row in staff(table.session, table.row.id, "observer"):
        first = row.told.get("turn", 0) + 1
        delay = delay_of(row)
        newest = last.turn if last.over else last.turn - 1 - delay if delay is not None else 0
        if newest >= first and not row.told.get("over"):
            row.told = row.told | {"turn": newest, "over": last.over}
            table.session.add(row)
            send_plain(table, row, _letter(table, first, newest, last), pictures)


def _letter(table: Table, first: int, newest: int, last: Step) -> Writing:
    phases = table.phases()
    told = [row for row in phases if first <= row.turn <= newest and (row.ended or last.over)]
    log = log_of_phases(table, UMPIRE, told, last)
    after = next((row for row in phases if row.turn > newest), None)
    state = last.state if last.over or after is None else table.game.load(unpack(after.snapshot))
    view = table.game.view(state, UMPIRE)
    turns = f"turn {newest}" if first == newest else f"turns {first} to {newest}"
    parts = [*([result_part(table, last)] if last.over else []), *_short(log), *forces(table.game, view)]
    title = "The game is over" if last.over else f"What both sides know of {turns}"
    if last.over:
        how = f"Its host can send you the whole game to replay: pbem game export {table.row.id}."
        parts.append(Part("To see it again", (how,)))
    return Writing(
        "observer",
        f"[{table.row.id}] {title}",
        (f"{title}.",) if last.over else (f"{title}.", "Keep it from those who play."),
        tuple(parts),
        board=lambda: table.game.report.board(view, ()),
        files=tuple(_whole(log)),
    )


MOST_LINES = 400
"""A longer log is a file beside the letter."""


def _short(log: tuple[Part, ...]) -> tuple[Part, ...]:
    if sum(len(part.lines) for part in log) <= MOST_LINES:
        return log
    return (Part("What happened", ("The log is attached (log.txt).",)),)


def _whole(log: tuple[Part, ...]) -> Iterator[Attachment]:
    if sum(len(part.lines) for part in log) > MOST_LINES:
        text = "\n\n".join("\n".join([part.title, "-" * len(part.title), *part.lines]) for part in log)
        yield attach("log.txt", "text/plain", text)
