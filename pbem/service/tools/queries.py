"""Use cases that only read: status, map, log, dice and history of a game, as one seat sees them or as the
umpire, who sees everything."""

from __future__ import annotations

import hashlib
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from typing import Any

from sqlmodel import col, select

from pbem.engine.board import Board
from pbem.engine.dice import event_key
from pbem.engine.errors import OrderError
from pbem.engine.game import SYSTEM, View
from pbem.engine.play import seats_asked
from pbem.engine.wording import unknown
from pbem.render.replay import Story
from pbem.service.intake.outbox import failures
from pbem.service.letters import budget, maps
from pbem.service.letters.log import Part, log_lines, log_of_phases, readable, visible_facts
from pbem.service.letters.luck import Luck, luck_of
from pbem.service.letters.ordering import page_of, sitting_of
from pbem.service.letters.reports import waiting_lines
from pbem.service.letters.rolls.open import open_disputes, open_lines
from pbem.service.letters.rolls.page import Page as RollPage
from pbem.service.letters.rolls.page import page_of as roll_page_of
from pbem.service.letters.rolls.page import zone_of
from pbem.service.letters.ruled import TOLD_TO_ALL, recorded
from pbem.service.letters.summary import summary_parts
from pbem.service.letters.telling import Scene, html_of, record_of, scenes_of, story_of
from pbem.service.letters.wrapping import short_lines
from pbem.service.play.sections import phase_title
from pbem.service.play.steps import Step
from pbem.service.proof.lines import faces_text
from pbem.service.proof.verify import Replayed, other_rules, replay, rerun_of
from pbem.service.record.errors import StoreError
from pbem.service.record.rows import GameRow, PhaseRow
from pbem.service.record.store import Store, is_temporary, only_game
from pbem.service.record.table import Table
from pbem.service.record.turn_dice import Roll

UMPIRE = "umpire"
BROKEN = "broken"
"""The status of a game that cannot be opened."""


@contextmanager
def table_of(store: Store, game_id: str | None, seat: str = UMPIRE) -> Iterator[tuple[Table, Step]]:
    """Open a game for reading as a seat. Raises StoreError for an unknown game or seat."""
    with store.transaction() as session:
        row = only_game(session, game_id)
        table = Table(session, row, row.created)
        if seat != UMPIRE and seat not in table.seats:
            raise StoreError(unknown(f"game {row.id} has no seat", seat, [*table.seats, UMPIRE]))
        yield table, table.here()


@dataclass(frozen=True, slots=True)
class Status:
    """The status of a game. `result` is empty until the game is over; `trouble` is the error that stopped it,
    for the umpire only."""

    game: str
    rules: str
    scenario: str
    options: dict[str, str]
    status: str
    turn: int
    phase: str
    title: str
    waited_for: tuple[str, ...]
    deadline: str
    seats: dict[str, dict[str, str]]
    result: str = ""
    figures: tuple[tuple[str, str, str], ...] = ()
    mail: tuple[str, ...] = ()
    """Letters in, letters out and hours waited, for each turn; empty unless it was asked for."""
    trouble: str = ""
    unsent: tuple[str, ...] = ()
    """Letters of the game that the mail server has not accepted; for the umpire only."""
    other_rules: str = ""
    """A note if the installed rules differ from those under which the game began."""
    disputes: tuple[str, ...] = ()
    """The disputed rolls that no ruling has settled."""

    def lines(self) -> list[str]:
        """The status in words."""
        named = self.rules if self.game == self.rules else f"{self.game}: {self.rules}"
        waited = [line for line in self.waited_for if line.rstrip(".") != self.title.rstrip(".")]
        lines = [f"{named}, {self.scenario}, {self.status}", f"  {self.title}"]
        lines += [f"  {line}" for line in (*waited, *self.disputes)]
        for key, seat in self.seats.items():
            told = [f"{name} {value}" for name, value in seat.items() if value]
            lines.append(f"  {key:<12} " + (SYSTEM if seat["bot"] == SYSTEM else ", ".join(told)))
        if self.result:
            lines.append(f"  result: {self.result}")
            wide = max((len(what) for what, _, _ in self.figures), default=0)
            lines += [f"    {what:<{wide}} {value:>8}  [{case}]" for what, value, case in self.figures]
        if self.mail:
            lines += [
                "  mail by turn:",
                *(f"    {line}" for line in self.mail),
            ]
        lines += [f"  not sent: {line}" for line in self.unsent]
        if self.other_rules:
            lines.append(f"  {self.other_rules}")
        if self.trouble:
            lines.append(f"  stopped by: {self.trouble.strip().splitlines()[-1]}")
        return lines


def statuses(
    store: Store, game_id: str | None = None, seat: str = UMPIRE, *, mail: bool = False
) -> list[Status]:
    """Return the status of every game of a store, or of the one called `game_id`; `mail` adds its mail of all
    turns.

    A game that cannot be opened has the status `broken`; the others are shown all the same.
    Raise StoreError for an unknown game or seat.
    """
    if game_id:
        return [status(store, game_id, seat, mail=mail)]
    with store.transaction() as session:
        rows = session.exec(select(GameRow).order_by(col(GameRow.id))).all()
    return [_status_or_fault(store, row, seat, mail) for row in rows]


def _status_or_fault(store: Store, row: GameRow, seat: str, mail: bool) -> Status:
    try:
        return status(store, row.id, seat, mail=mail)
    except Exception as error:
        if isinstance(error, StoreError) or is_temporary(error):
            raise
        fault = f"cannot be opened: {error.args[0] if error.args else type(error).__name__}"
        return Status(row.id, row.game, row.scenario, {}, BROKEN, 0, "", fault, (), "", {})


def status(store: Store, game_id: str | None, seat: str = UMPIRE, *, mail: bool = False) -> Status:
    """Return the status of a game, with `mail` that of all turns too. Raise StoreError for an unknown game or
    seat."""
    with table_of(store, game_id, seat) as (table, here):
        return status_of(table, here, seat, mail=mail)


def status_of(table: Table, here: Step, seat: str = UMPIRE, *, mail: bool = False) -> Status:
    """Return the status of the game at a table, with `mail` that of all turns, whose cost grows with them."""
    row, due = table.row, table.deadline(here)
    result = here.result(table.game) if here.over else None
    return Status(
        row.id,
        row.game,
        row.scenario,
        dict(row.options),
        row.status,
        here.turn,
        "" if here.over else here.label,
        table.game.title_of(here.state, seat),
        waiting_lines(table, here, seat),
        due.isoformat() if due else "",
        {key: _seat(table, key, seat) for key in table.seats},
        result.level if result else "",
        result.figures if result else (),
        budget.lines(table, seat, 0, everything=here.over or seat == UMPIRE) if mail else (),
        row.trouble if seat == UMPIRE else "",
        tuple(
            f"{failure.recipient}  {failure.subject}: {failure.detail}"
            for failure in (failures(table.record.session, row.id) if seat == UMPIRE else ())
        ),
        other_rules(row),
        open_lines(table, seat),
    )


def _seat(table: Table, key: str, reader: str) -> dict[str, str]:
    """Return the entries of a seat that a reader may see: its address and papers only for itself and the
    umpire."""
    row = table.seats[key]
    told = {"name": row.name, "bot": row.bot}
    if reader in (key, UMPIRE):
        told |= {
            "address": row.address,
            "lines": str(len(table.sheet(row).lines) or ""),
            "standing orders": str(len(row.standing) or ""),
        }
    if reader == UMPIRE:
        told |= {"letters come back": table.post.came_back(row)}
    return told


def view_of(store: Store, game_id: str | None, seat: str = UMPIRE) -> View:
    """What a seat knows."""
    with table_of(store, game_id, seat) as (table, here):
        return table.game.view(here.state, seat)


def board_of(store: Store, game_id: str | None, seat: str = UMPIRE) -> Board:
    """The map as a seat sees it, with what has happened in the running phase."""
    with table_of(store, game_id, seat) as (table, here):
        notes = tuple(note for note in here.notes if note.seen_by(seat))
        return once(table.board(here, table.game.view(here.state, seat), notes))


def once(board: Board) -> Board:
    """Return a board with each arrow and battle once: the umpire has them from the notes of every seat."""
    return replace(
        board, arrows=tuple(dict.fromkeys(board.arrows)), battles=tuple(dict.fromkeys(board.battles))
    )


def boards_of_turns(store: Store, game_id: str | None, seat: str) -> dict[int, Board]:
    """The map as a seat knew it at the end of every turn that is over, by its number."""
    with table_of(store, game_id, seat) as (table, here):
        return {turn: maps.board_of(table, here, seat, turn)[0] for turn in maps.turns_over(table, here)}


def log(store: Store, game_id: str | None, seat: str = UMPIRE, turn: int | None = None) -> list[Part]:
    """The log of the game, or of one turn, phase by phase, and the rulings on what was played in it. Raise
    StoreError for a turn that has not begun."""
    with table_of(store, game_id, seat) as (table, here):
        rows = _phases_of(table, turn)
        parts = list(log_of_phases(table, seat, rows, here))
        numbers, zone = {row.number for row in rows}, zone_of(table, seat)
        told = [row for row in table.record.rulings if row.phase in numbers]
        told = [row for row in told if seat == UMPIRE or row.answer["what"] in TOLD_TO_ALL]
        lines = tuple(line for row in told for line in recorded(row, zone))
        return [*parts, Part("Rulings", lines)] if lines else parts


def summary(store: Store, game_id: str | None, seat: str = UMPIRE) -> list[Part]:
    """Return the story of the game so far, in about twenty lines as a letter has them. Raise StoreError for
    an unknown game or seat."""
    with table_of(store, game_id, seat) as (table, here):
        parts = summary_parts(table, here, seat)
        return [
            replace(part, lines=tuple(short for line in part.lines for short in short_lines(line)))
            for part in parts
        ]


def _phases_of(table: Table, turn: int | None) -> list[PhaseRow]:
    """The phases of a turn, or of the whole game for None. Raise StoreError for a turn that has not begun."""
    rows = [row for row in table.record.phases() if turn is None or row.turn == turn]
    if not rows:
        last = table.record.phase().turn
        raise StoreError(f"turn {turn} of game {table.row.id} has not begun: it is in turn {last}")
    return rows


def log_facts(
    store: Store, game_id: str | None, seat: str = UMPIRE, turn: int | None = None
) -> list[dict[str, Any]]:
    """The log as plain values: the notes with turn and phase. Raise StoreError as `log`."""
    facts: list[dict[str, Any]] = []
    with table_of(store, game_id, seat) as (table, here):
        for row in _phases_of(table, turn):
            notes = row.notes if row.ended else [note.facts() for note in here.notes]
            facts += [{"turn": row.turn, "phase": row.label} | note for note in notes if readable(note, seat)]
    return facts


def rolls(
    store: Store, game_id: str | None, seat: str = UMPIRE, turn: int | None = None
) -> list[dict[str, Any]]:
    """Return the dice of the game or of one turn; sealed ones only for the umpire until the game is over.
    Raise StoreError for a turn that has not begun."""
    with table_of(store, game_id, seat) as (table, here):
        _phases_of(table, turn)
        known = table.dice.rolls(sealed=seat == UMPIRE or here.over)
        return [_roll(table, roll) for roll in known if turn is None or roll.turn == turn]


def roll_page(store: Store, game_id: str | None, name: str, seat: str = UMPIRE) -> RollPage:
    """Return the page of a roll, such as ``R22``. Raise StoreError for an unknown game or seat, and for a
    roll that the seat may not know of."""
    with table_of(store, game_id, seat) as (table, _):
        return roll_page_of(table, name, seat)


def dispute_lines(store: Store, game_id: str | None, name: str, seat: str = UMPIRE) -> list[str]:
    """Return in words that a roll is disputed, as a seat may know it; nothing if it is not. Raise StoreError
    for an unknown game or seat."""
    with table_of(store, game_id, seat) as (table, _):
        about = zip(open_disputes(table, seat), open_lines(table, seat), strict=True)
        return [said for dispute, said in about if dispute.roll == name.upper()]


def luck(store: Store, game_id: str | None, seat: str = UMPIRE) -> Luck:
    """Return how high the dice of a game fell, those of which a seat may know. Raise StoreError for an
    unknown game or seat."""
    with table_of(store, game_id, seat) as (table, here):
        return luck_of(table, here, seat)


def _roll(table: Table, roll: Roll) -> dict[str, Any]:
    return asdict(roll) | {
        "name": f"R{roll.number}" if roll.number else "S",
        "shows": faces_text(roll.faces),
        "key": event_key(table.row.id, roll.phase, roll.label, roll.salts),
    }


# --- step by step ---


def tell(store: Store, game_id: str | None, reader: str = UMPIRE) -> Story:
    """Return the history of a game as a seat, or the umpire, may know it. The umpire's
    has a track for each seat too. Raises StoreError for an unknown game or seat, OrderError where today's
    rules refuse what was played."""
    with table_of(store, game_id, reader) as (table, here):
        record = record_of(table, here, reader)
    return story_of(record)


def replay_page(
    store: Store,
    game_id: str | None,
    reader: str = UMPIRE,
    start: str = "",
    end: str = "",
    *,
    diaries: bool = True,
) -> tuple[str, Story]:
    """Return the page of a game, or of a part of it (story.part), with its signed proof, and its story; of a
    game that is over with the players' diaries, unless these are left out. Raises what `tell` raises, and
    ValueError where there is no such part."""
    with table_of(store, game_id, reader) as (table, here):
        record = record_of(table, here, reader, diaries=diaries)
        luck = luck_of(table, here, reader)
    return html_of(record, luck, start, end)


def scenes(store: Store, game_id: str | None, reader: str = UMPIRE) -> Iterator[Scene]:
    """Return the steps of a game as a seat, or the umpire, may know them. The store is read at once, and each
    phase played and compared with the record as its steps are asked for. Raises what `tell` and `pages`
    raise."""
    with table_of(store, game_id, reader) as (table, here):
        return _compared(scenes_of(record_of(table, here, reader)), rerun_of(table))


def _compared(scenes: Iterator[Scene], rerun: Iterator[Replayed]) -> Iterator[Scene]:
    """Yield each scene when the phases before its own have been compared with the record: the first scene
    does not wait for it."""
    number = 0
    try:
        for scene in scenes:
            while number < scene.chapter.number - 1:
                number = next(rerun).number
            yield scene
    except OrderError:
        deque(rerun, maxlen=0)  # the mismatch that led to it says more
        raise
    deque(rerun, maxlen=0)


@dataclass(frozen=True, slots=True)
class OrderDesk:
    """The order desk of a seat: the name of its game and the page. `idle` says why no orders are asked for
    now; it is empty if they are."""

    game: str
    page: str
    idle: str = ""


def desk_page(store: Store, game_id: str | None, seat: str) -> str:
    """Return the order desk of a seat as it is now: one page that writes its letter. Raises StoreError for an
    unknown game, and for a seat that no person plays."""
    return order_desk(store, game_id, seat).page


def order_desk(store: Store, game_id: str | None, seat: str) -> OrderDesk:
    """Return the order desk of a seat as it is now, and why it has nothing to order. Raises what `desk_page`
    raises."""
    with table_of(store, game_id) as (table, here):
        name, people = table.row.id, [key for key, row in table.seats.items() if row.bot != SYSTEM]
        if seat in table.seats and seat not in people:
            raise StoreError(f"seat {seat} of game {name} is played by the game itself")
        if seat not in people:
            why = unknown(f"game {name} has no seat", seat, people)
            if seat == UMPIRE:
                why = f"an order desk is for one seat of game {name}: {' or '.join(people)}, not the umpire"
            raise StoreError(why)
        sitting, idle = sitting_of(table, here, seat), ""
        if here.over:
            idle = "The game is over."
        elif seat not in seats_asked(here.waiting):
            idle = f"The game is not waiting for {seat} now: the letter would be for later."
    return OrderDesk(name, page_of(sitting), idle)


# --- page by page -------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Page:
    """A phase as one reader may know it: orders and decisions, the log with its dice, the board at its end.

    `state_hash` is for the umpire only until the game is over: with it anyone could test guesses at a hidden
    state. Until then a seat has `view_hash`, the hash of its view that its letters print.
    """

    number: int
    turn: int
    label: str
    title: str
    orders: tuple[str, ...]
    log: tuple[str, ...]
    dice: tuple[str, ...]
    board: Board
    state_hash: str
    view_hash: str

    def lines(self) -> list[str]:
        """The page in words, without its map."""
        lines = [f"== {self.number}  {self.title}"]
        for title, part in (("Orders", self.orders), ("Log", self.log), ("Dice", self.dice)):
            if part:
                lines += ["", title, *(f"  {line}" for line in part)]
        hashes = [f"state {self.state_hash}"] if self.state_hash else []
        hashes += [f"view {self.view_hash}"] if self.view_hash else []
        return [*lines, "", *(hashes or ["this phase is being played"])]


def pages(store: Store, game_id: str | None, seat: str = UMPIRE, turn: int | None = None) -> Iterator[Page]:
    """Return the history of a game or of one turn, one page per phase, each rerun with the installed rules.
    Raises ReplayMismatch naming the phase in which they differ, and StoreError for a turn that has not
    begun."""
    with table_of(store, game_id, seat) as (table, here):
        _phases_of(table, turn)
        over = here.over
    for replayed in replay(store, game_id):
        if (turn is None or replayed.turn == turn) and replayed.retold.state.phase:
            yield _page(table, replayed, seat, over)


def _page(table: Table, replayed: Replayed, seat: str, over: bool) -> Page:
    state, moves = replayed.retold.state, replayed.retold.moves
    write = table.game.grammar.write
    orders: list[str] = []
    dice: list[str] = []
    for move in moves:
        shown = move.entry.answer
        if move.entry.dice:
            if move.entry.dice == "dice" or over or seat == UMPIRE:
                dice.append(f"{move.entry.asked} = {faces_text(shown)}")
        elif seat in (UMPIRE, *move.seats) and (seat == UMPIRE or len(move.seats) == 1):
            if move.orders is not None and move.order is None:
                continue
            told = write(move.order) if move.order is not None else f"{move.request.what}: {_choice(shown)}"
            orders.append(
                f"{', '.join(move.seats)}: {told}"
                + (f"  ({move.entry.by})" if move.entry.by != "orders" else "")
            )
    notes = tuple(note for note in state.log if note.seen_by(seat))
    board = once(table.game.report.board(table.game.view(state, seat), notes))
    all_known = over or seat == UMPIRE
    return Page(
        replayed.number,
        replayed.turn,
        replayed.label,
        phase_title(table.game, replayed.label),
        tuple(orders),
        log_lines(table.game.key, visible_facts(state.log, seat), seat),
        tuple(dice),
        board,
        replayed.state_hash if all_known else "",
        "" if all_known or replayed.after is None else _view_hash(table.game.view(replayed.after, seat)),
    )


def _view_hash(view: View) -> str:
    return hashlib.sha256(view.model_dump_json().encode()).hexdigest()


def _choice(answer: Any) -> str:
    return ", ".join(map(str, answer)) if isinstance(answer, list) else str(answer)
