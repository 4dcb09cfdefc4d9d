"""Use case: the order desk of a seat, one page that writes its letter on a map.

What the store holds is read first, in plain values (`Sitting`); what may be ordered is then asked of the
desks of the game, when the store is free for others. Desks tell their seat nothing that it may not know, and
nothing else goes into the page.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from pbem.engine.board import Board
from pbem.engine.desk import Desk
from pbem.engine.errors import OrderError
from pbem.engine.game import Game
from pbem.engine.language import ATTACK, Order
from pbem.engine.language.choices import choice_letter
from pbem.engine.language.reference import Examples
from pbem.mail.address import ReplyTo
from pbem.render.orderdesk import Choice, Form, Head, Kept, Part, Question, Unit, Verb, html
from pbem.service.letters.log import clock_time
from pbem.service.letters.reports import subject
from pbem.service.letters.sheets import standing_lines, state_of
from pbem.service.play.ahead import desk_ahead, desk_below
from pbem.service.play.answers import questions
from pbem.service.play.questions import Questions
from pbem.service.play.sections import asked_section, open_sections, phase_title
from pbem.service.play.sheet import Sheet, SheetLine
from pbem.service.play.steps import Position, Step
from pbem.service.record.table import Table, visible

MOST = 60_000
"""At most this many orders of a section are on the page, which says so if there are more."""


@dataclass(frozen=True, slots=True)
class Sitting:
    """A seat at one moment: what is read of the store for its desk."""

    id: str
    game: Game[Any]
    seat: str
    reader: str
    here: Step
    position: Position
    board: Board
    sheet: Sheet
    asked: Questions
    standing: tuple[str, ...] = ()
    due: str = ""
    to: str = ""
    subject: str = ""
    beside: str = ""
    press: tuple[str, ...] = ()


def sitting_of(table: Table, here: Step, seat: str) -> Sitting:
    """Return what the order desk of a seat at a table needs."""
    row, game = table.seats[seat], table.game
    view = game.view(here.state, seat)
    due = table.deadline(here)
    title = game.seat(seat).title
    back = table.reply_to(row) if table.address else ReplyTo("")
    return Sitting(
        table.row.id,
        game,
        seat,
        f"{title}, {row.name}" if row.name else title,
        here,
        table.position(),
        table.board(here, view, visible(here.notes, seat)),
        table.sheet(row).copy(),
        Questions.load(row.questions),
        tuple(standing_lines(table.standing(row))),
        clock_time(due, row.zone) if due else "",
        back.address,
        back.subject(f"Re: {(about := subject(table, here, seat))}"),
        f"Re: [{table.row.id}] - {about.rpartition(' - ')[2]}" if " - " in about else "",
        tuple(key for key in table.seats if key != seat),
    )


def page_of(sitting: Sitting) -> str:
    """Return the page of the order desk of a seat."""
    return html(form_of(sitting))


def form_of(sitting: Sitting) -> Form:
    """Return what the order desk of a seat holds."""
    game, here, seat = sitting.game, sitting.here, sitting.seat
    roster = game.roster(here.state, seat)
    asks = questions(here.waiting, seat)
    examples = Examples(game.grammar, seat, roster)
    parts = tuple(_parts(sitting, examples))
    left = {name for part in parts for name in part.left}
    return Form(
        sitting.id,
        game.title,
        seat,
        game.seat(seat).side,
        sitting.reader,
        here.state.turn,
        phase_title(game, here.label, lambda: here.state),
        sitting.due,
        sitting.to,
        sitting.subject,
        sitting.beside,
        sitting.board,
        tuple(
            Unit(unit.id, unit.kind, unit.hex or "", unit.name)
            for unit in roster.units.values()
            if not unit.enemy and not unit.absent and (not unit.gone or unit.id in left)
        ),
        parts,
        tuple(_kept(line) for line in sitting.sheet.lines),
        tuple(_questions(sitting.asked, asks)),
        sitting.standing,
        tuple(
            Verb(policy.kind, policy.usage, example, policy.help, policy.case, "")
            for policy in game.grammar.policies
            if (not policy.seats or seat in policy.seats) and (example := examples.written(policy))
        ),
        sitting.press,
        game.report.credits,
    )


def _parts(sitting: Sitting, examples: Examples) -> Iterator[Part]:
    game, here, seat, sheet = sitting.game, sitting.here, sitting.seat, sitting.sheet
    asked = asked_section(here, seat)
    open_ = [] if here.over else open_sections(game, here, seat)
    for section in dict.fromkeys((*open_, *sheet.sections())):
        desk = desk_ahead(game, here, sitting.position, seat, section) if section in open_ else None
        orders = list(_orders(desk)) if desk is not None else []
        yield Part(
            section,
            game.grammar.heading(section),
            section == asked,
            desk is not None,
            state_of(sheet, section) if sheet.of(section) or section in sheet.closed else "",
            tuple(desk.subjects()) if desk is not None else (),
            _demand(desk),
            tuple(_verb(kind, examples) for kind in game.grammar.allowed(section, seat) if not kind.grave),
            tuple(_choices(game, desk, orders)),
            tuple(_heads(sitting, section, [order for _, order in orders if order.heads])),
            *_room(desk, orders),
            len(orders) == MOST,
        )


def _room(
    desk: Desk[Any] | None, orders: Sequence[tuple[str, Order]]
) -> tuple[dict[str, int | None], dict[str, int]]:
    """The room of the hexes where units can go, and what each of these units counts against it; nothing where
    no hex has a limit."""
    if desk is None:
        return {}, {}
    goes = [order for _, order in orders if order.sort != ATTACK and order.place() and order.actors()]
    room = {hex: desk.room(hex) for hex in dict.fromkeys(order.place() for order in goes)}
    if all(left is None for left in room.values()):
        return {}, {}
    units = dict.fromkeys(unit for order in goes for unit in order.actors())
    return room, {unit: desk.size(unit) for unit in units}


def _orders(desk: Desk[Any]) -> Iterator[tuple[str, Order]]:
    """Each legal order of a desk with its subject, each once."""
    seen: set[Order] = set()
    for subject_ in desk.subjects():
        for order in desk.options(subject_):
            if order not in seen:
                seen.add(order)
                yield subject_, order
            if len(seen) == MOST:
                return


def _choices(game: Game[Any], desk: Desk[Any] | None, orders: list[tuple[str, Order]]) -> Iterator[Choice]:
    if desk is None:
        return
    for subject_, order in orders:
        yield Choice(game.grammar.write(order), order.verb, order.actors(), subject_, desk.offer(order))


def _heads(sitting: Sitting, section: str, heads: Sequence[Order]) -> Iterator[Head]:
    """What could be ordered below the lines that head others."""
    game = sitting.game
    for head in heads:
        desk = desk_below(game, sitting.here, sitting.position, sitting.seat, section, head)
        if desk is not None:
            choices = tuple(_choices(game, desk, list(_orders(desk))))
            yield Head(game.grammar.write(head), tuple(desk.subjects()), choices)


def _demand(desk: Desk[Any] | None) -> str:
    """What a rule asks for before the orders may end; "" for nothing."""
    if desk is None:
        return ""
    try:
        desk.check(None)
    except OrderError as error:
        return str(error)
    return ""


def _verb(kind: type[Order], examples: Examples) -> Verb:
    return Verb(
        kind.verb, kind.usage, examples.written(kind), kind.help, kind.case, kind.sort, kind.again,
        kind.excludes, kind.bars,
    )  # fmt: skip


def _kept(line: SheetLine) -> Kept:
    order = line.order
    return Kept(
        line.title,
        line.section,
        line.text.strip(),
        line.state,
        line.why,
        order.verb if order else "",
        order.actors() if order else tuple(line.about),
        order.targets() if order else (),
        order.place() if order else "",
    )


def _questions(asked: Questions, asks: Sequence[Any]) -> Iterator[Question]:
    numbers = {each.what: each for each in asked.open}
    for ask in asks:
        question = numbers.get(ask.what)
        if question is None:
            continue
        options = tuple(
            (choice_letter(at), str(option), ask.says(option), option == ask.fallback)
            for at, option in enumerate(ask.options)
        )
        chosen = choice_letter(question.chosen) if question.chosen is not None else ""
        yield Question(question.title, ask.what, ask.case, ask.intro, options, chosen)
