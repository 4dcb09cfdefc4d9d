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
from pbem.service.record.rows import StaffRow
from pbem.service.record.table import Table

AT_THE_END = "end"
"""The delay of an observer who reads nothing until the game is over, and then everything."""


def delay_of(row: StaffRow) -> int | None:
    """How many turns an observer is behind; None if he reads everything at the end."""
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
    for row in table.record.staff("observer"):
        tell_observer(table, row, last, pictures)


def tell_observer(table: Table, row: StaffRow, last: Step, pictures: Pictures) -> None:
    """Write to an observer about the turns that have become old enough by now and that he has not been told
    of, if there are any."""
    first, delay, back = row.told.get("turn", 0) + 1, delay_of(row), row.told.get("back", 0)
    newest = last.turn if last.over else last.turn - 1 - delay if delay is not None else 0
    if newest < first or row.told.get("over"):
        return
    kept = {name: value for name, value in row.told.items() if name != "back"}
    row.told = kept | {"turn": newest, "over": last.over}
    table.record.keep(row)
    writing = _letter(table, first, newest, last, back)
    send_plain(table, row, writing, pictures, last if last.over else None)


def tell_again(table: Table, turn: int, ruling: int) -> None:
    """A ruling goes back into a turn: observers who have been told of it are told again, once what is played
    instead is old enough."""
    for row in table.record.staff("observer"):
        if row.told.get("turn", 0) >= max(1, turn):
            kept = {name: value for name, value in row.told.items() if name != "turn"}
            row.told = kept | {"back": ruling} | ({"turn": turn - 1} if turn > 1 else {})
            table.record.keep(row)


def _letter(table: Table, first: int, newest: int, last: Step, back: int) -> Writing:
    """The letter about some turns; `back` is the ruling after which they are told again, 0 for none."""
    phases = table.record.phases()
    told = [row for row in phases if first <= max(1, row.turn) <= newest and (row.ended or last.over)]
    log = log_of_phases(table, UMPIRE, told, last)
    after = next((row for row in phases if row.turn > newest), None)
    state = last.state if last.over or after is None else table.game.load(table.record.snapshot(after))
    view = table.game.view(state, UMPIRE)
    turns = f"turn {newest}" if first == newest else f"turns {first} to {newest}"
    parts = [*([result_part(table, last)] if last.over else []), *_short(log), *forces(table.game, view)]
    title = "The game is over" if last.over else f"What both sides know of {turns}"
    if last.over:
        parts.append(Part("To see it again", _how_to_replay(table.row.id)))
    lead = [f"{title}."]
    lead += [f"Ruling {back} has gone back to turn {first}: this is how it was played then."] if back else []
    lead += [] if last.over else ["Keep it from those who play."]
    return Writing(
        "observer",
        f"[{table.row.id}] {title}",
        tuple(lead),
        tuple(parts),
        board=lambda: table.game.report.board(view, ()),
        files=tuple(_whole(log)),
        turns=(first, newest),
    )


def _how_to_replay(game: str) -> tuple[str, ...]:
    """How an observer replays a game that is over."""
    return (
        f"The host can send you the whole game: pbem export --game {game} -o {game}.json writes it.",
        f"With pbem you then replay it, turn by turn: pbem import {game}.json -o {game}.pbem, and",
        f"pbem replay {game}.pbem.",
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
