"""The letters that go out: what a view, a log and a request become when a person is to read them.

A letter is a summary, titled parts, a map and proof lines, laid out by ``templates/letters``. Everything a letter says of a game
comes from the reader's view and from notes the reader may read.
"""

from __future__ import annotations

import copy
import gzip
import hashlib
import textwrap
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import cache
from typing import Any
from zoneinfo import ZoneInfo

from jinja2 import ChoiceLoader, Environment, FileSystemLoader, FunctionLoader, StrictUndefined, Template

from pbem.engine import game as contract
from pbem.engine.board import Board
from pbem.engine.game import SYSTEM, Game, GameState, View
from pbem.engine.installed import games, home
from pbem.engine.notes import Note
from pbem.engine.play import Ask, FirstOf, Orders, Request
from pbem.engine.wording import count
from pbem.mail.address import reply_address
from pbem.mail.compose import Attachment, Envelope, Key, attach, compose
from pbem.paths import templates
from pbem.service import budget, proof
from pbem.service.adjudicate import Step
from pbem.service.desk import questions
from pbem.service.store import PhaseRow, SeatRow
from pbem.service.table import Table, visible

TEXT_WIDTH = 96
"""Longer lines of the text part are broken."""


@dataclass(frozen=True, slots=True)
class Part:
    """A titled stretch of a letter. `table` lines keep their columns, others may be wrapped."""

    title: str
    lines: tuple[str, ...]
    table: bool = False


@dataclass(frozen=True, slots=True)
class Writing:
    """A letter before it is laid out. `board` asks for a map; `form` is an order template to attach and to show."""

    kind: str
    subject: str
    lead: tuple[str, ...] = ()
    parts: tuple[Part, ...] = ()
    board: Board | None = None
    form: str = ""
    orders: tuple[str, ...] = ()
    rolls_from: int = 0
    """The first phase whose rolls are listed; 0 for none."""
    show_view: bool = False
    asks: bool = False
    """Whether decisions are wanted, as against orders."""


@cache
def environment() -> Environment:
    """The templates of letters and logs; those of a game lie in ``templates/<key>``, or in the folder ``templates`` of its own package."""
    return Environment(
        loader=ChoiceLoader([FileSystemLoader(templates()), FunctionLoader(_own_template)]),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        autoescape=lambda name: bool(name and name.endswith(".html.j2")),
    )


def _own_template(name: str) -> tuple[str, str, None] | None:
    key, _, file = name.partition("/")
    path = home(key) / "templates" / file
    return (path.read_text(encoding="utf-8"), str(path), None) if key in games() and path.is_file() else None


@cache
def _template(name: str) -> Template:
    return environment().get_template(name)


@cache
def _of_game(key: str, name: str) -> Template:
    """A template of a game; in it `at(hex)` is what the game calls a hex."""
    return environment().get_template(f"{key}/{name}.txt.j2", globals={"at": contract.game(key).place})


@cache
def _macros(key: str) -> Any:
    return _of_game(key, "log").module


def worded(game: str, facts: Mapping[str, Any], seat: str) -> tuple[str, ...]:
    """One note of the log in words, as lines; the macro of the note's kind in the game's ``log.txt.j2``."""
    text = str(getattr(_macros(game), facts["kind"])(facts, seat))
    return tuple(line.rstrip() for line in text.splitlines() if line.strip())


def log_lines(game: str, notes: Iterable[Mapping[str, Any]], seat: str) -> tuple[str, ...]:
    """Notes in words, each with the number of its roll in front where one decided it."""
    lines: list[str] = []
    for facts in notes:
        mark = f"R{facts['roll']}" if facts.get("roll") else ""
        for number, line in enumerate(worded(game, facts, seat)):
            lines.append(f"{mark if number == 0 else '':<5}{line}".rstrip())
    return tuple(lines)


def local_time(moment: datetime, zone: str) -> str:
    """A time as its reader's clock shows it: ``Fri 20 Nov 21:00 Europe/Paris``."""
    return f"{moment.astimezone(ZoneInfo(zone)):%a %d %b %H:%M} {zone}"


# --- the log of a game for one reader -----------------------------------------------------------------------


def log_of_phases(
    table: Table, seat: str, rows: Iterable[PhaseRow], running: Step | None
) -> tuple[Part, ...]:
    """The log of some phases as a reader may know it, a part for each phase that has anything to tell."""
    parts: list[Part] = []
    for row in rows:
        if row.ended:
            facts = [note for note in row.notes if readable(note, seat)]
        elif running is not None and running.number == row.number:
            facts = visible_facts(running.notes, seat)
        else:
            continue
        if lines := log_lines(table.game.key, facts, seat):
            parts.append(Part(phase_title(table.game, row.label), lines, table=True))
    return tuple(parts)


def visible_facts(notes: Iterable[Note], seat: str) -> list[dict[str, Any]]:
    """The notes a seat may read, as plain values."""
    return [note.facts() for note in visible(notes, seat)]


def readable(facts: Mapping[str, Any], seat: str) -> bool:
    """Whether a stored note may be read by a seat."""
    return not facts["readers"] or seat in facts["readers"] or seat == "umpire"


def phase_title(game: Game[Any], label: str) -> str:
    """``t2.allied_combat`` in words: Turn 2, Allied combat."""
    turn, _, phase = label.partition(".")
    key, _, again = phase.partition(".")
    return f"Turn {turn[1:]}, {game.phase(key).title}" + (f" ({again})" if again else "")


# --- what is awaited ----------------------------------------------------------------------------------------


def open_orders(request: Request | None, seat: str) -> Orders[Any] | None:
    """The orders that a seat is asked to write now."""
    asks = request.asks if isinstance(request, FirstOf) else (request,) if isinstance(request, Orders) else ()
    return next((ask for ask in asks if isinstance(ask, Orders) and ask.seat == seat), None)


def choice_letter(number: int) -> str:
    """The letter by which an option is chosen: a to z, then aa, ab."""
    return chr(97 + number) if number < 26 else choice_letter(number // 26 - 1) + choice_letter(number % 26)


def question_part(asks: Sequence[Ask[Any]]) -> Part:
    lines: list[str] = []
    for number, ask in enumerate(asks, 1):
        lines.append(f"{number}. {ask.what[:1].upper()}{ask.what[1:]} [{ask.case}]")
        if "says" in ask.about:
            lines.append(f"     {ask.about['says']}")
        for at, option in enumerate(ask.options):
            default = "   (default)" if option == ask.fallback else ""
            says = ask.says(option)
            lines.append(f"     {choice_letter(at)}  {option}{default}{'   ' if says else ''}{says}")
    lines += ["", "Answer like this:  " + "   ".join(f"{n}: a" for n in range(1, len(asks) + 1))]
    lines.append("What else comes up in this phase follows your standing orders, or else the default.")
    return Part("Decisions wanted of you", tuple(lines), table=True)


def awaited_lines(table: Table, step: Step, seat: str) -> tuple[str, ...]:
    """Who is waited for, for what, until when, in the reader's own time."""
    zone = table.seats[seat].zone if seat in table.seats else str(table.row.settings.get("zone", "UTC"))
    if step.over:
        return ("The game is over.",)
    due = table.deadline()
    until = f", until {local_time(due, zone)}" if due else ""
    lines = []
    request = step.waiting
    for key, row in table.seats.items():
        if orders := open_orders(request, key):
            what = f"orders for {table.game.grammar.heading(orders.section)} ({table.game.phase(step.state.phase).title})"
        elif asks := questions(request, key):
            what = f"{len(asks)} decision{'s' if len(asks) > 1 else ''}"
        else:
            continue
        name = SYSTEM if row.bot == SYSTEM else row.name
        title = table.game.seat(key).title
        who = "you" if key == seat else f"{title} ({name})" if name else title
        lines.append(f"Awaited from {who}: {what}{until}.")
    if due and lines:
        lines.append(
            "After that, what is written so far counts, and the rest is decided by standing orders and defaults."
        )
    return tuple(lines) or ("Nobody is awaited.",)


def upcoming_sections(game: Game[Any], step: Step, seat: str) -> list[str]:
    """The order headings that a seat may fill from here on, the one that is awaited of it first, then in the order of play, each once."""
    state = step.state
    if not state.phase:
        return []
    keys = [phase.key for phase in game.phases]
    at = keys.index(state.phase)
    awaited = open_orders(step.waiting, seat)
    found = [awaited.section] if awaited else []
    for phase in (*game.phases[at:], *game.phases[:at]):
        if phase.key == state.phase or phase.when(state):
            found += [section for section in phase.open_to(state, seat) if section not in found]
    return found


def sections_in_turn(game: Game[Any], step: Step, seat: str) -> list[str]:
    """Those of the upcoming sections whose turn is known: the one awaited, and all that chance does not bring up."""
    awaited = open_orders(step.waiting, seat)
    return [
        section
        for section in upcoming_sections(game, step, seat)
        if section not in game.grammar.titles or (awaited and section == awaited.section)
    ]


def order_form(table: Table, step: Step, seat: str) -> str:
    """The order template: the headings up to the other side's turn, with the lines kept so far. Sent back unchanged it gives the same
    orders again."""
    kept: dict[str, list[str]] = {}
    for section, text in table.seats[seat].lines:
        kept.setdefault(section, []).append(text)
    game = table.game
    sections = own_stretch(game, step, seat) or sections_in_turn(game, step, seat)[:1]
    lines = {section: kept.pop(section, []) for section in sections} | kept
    form = game.grammar.template(lines, seat)
    later = [s for s in upcoming_sections(game, step, seat) if s in game.grammar.titles and s not in lines]
    return form + _also_open(later) if later else form


def _also_open(sections: Sequence[str]) -> str:
    """The comment that names the sections that chance has yet to bring up: a heading without orders would mean that there are none."""
    names = textwrap.wrap(", ".join(sections), 76, initial_indent="; ", subsequent_indent="; ")
    lines = [
        "",
        f"; To come when chance has it; you may write ahead (when {sections[0]}: order; order):",
        *names,
    ]
    return "\n".join(lines) + "\n"


def own_stretch(game: Game[Any], step: Step, seat: str) -> list[str]:
    """The headings of the seat's phases from here to the next phase of another seat, or of chance."""
    state = step.state
    if not state.phase:
        return []
    awaited = open_orders(step.waiting, seat)
    if game.phase(state.phase).drawn:
        return [awaited.section] if awaited else []
    keys = [phase.key for phase in game.phases]
    found: list[str] = []
    for phase in game.phases[keys.index(state.phase) :]:
        if phase.when(state) and phase.sections and (phase.drawn or seat not in phase.seats):
            break
        found += [s for s in phase.open_to(state, seat) if s not in found]
    here = game.phase(state.phase)
    return [s for s in found if len(here.seats) == 1 or s in _seat_sections(game, state, seat, found)]


def _seat_sections(game: Game[Any], state: GameState, seat: str, found: list[str]) -> list[str]:
    """In a phase in which several seats write, each has the heading at its own place in the list."""
    here = game.phase(state.phase)
    if seat in here.seats and len(here.sections) == len(here.seats):
        mine = here.sections[here.seats.index(seat)]
        return [s for s in found if s == mine or s not in here.sections]
    return found


# --- writing letters ----------------------------------------------------------------------------------------


def turn_letter(table: Table, steps: Sequence[Step], seat: str, pictures: Pictures) -> Writing | None:
    """What a seat is told after play: what happened since its last letter, what is wanted of it, the map, its forces and the form to
    answer with. None when there is nothing new to tell."""
    last = steps[-1]
    row = table.seats[seat]
    phases = table.phases(max(1, row.told_phase))
    notes = [note for step in steps for note in visible(step.notes[step.before :], seat)]
    asks = questions(last.waiting, seat)
    writes = open_orders(last.waiting, seat) is not None
    if not (notes or asks or writes or last.over) or _waits_on(row, steps, bool(asks), writes):
        return None
    view = table.game.view(last.state, seat)
    parts = list(blocked_parts(table, last, seat))
    if asks:
        parts.append(question_part(asks))
    parts.append(Part("Awaited", awaited_lines(table, last, seat)))
    if taken := decided_lines(steps, seat):
        parts.append(Part("Decided for you", taken))
    parts += log_of_phases(table, seat, phases, last)
    parts += forces(table.game, view)
    if last.over:
        parts.append(result_part(table, last))
    if used := budget.lines(table, seat, 0 if last.over else last.turn - 1, everything=last.over):
        parts.append(Part("Order letters in, letters out, hours awaited", used))
    return Writing(
        "turn",
        subject(table, last, seat),
        lead=table.game.summary(view, tuple(notes)),
        parts=tuple(parts),
        board=table.game.board(view, tuple(notes)),
        form=order_form(table, last, seat) if open_orders(last.waiting, seat) else "",
        rolls_from=phases[0].number if phases else 0,
        show_view=True,
        asks=bool(asks),
    )


def _waits_on(row: SeatRow, steps: Sequence[Step], asked: bool, writes: bool) -> bool:
    """Whether nothing has changed for a seat that has been told of this phase: others have written, and the phase has not ended. Whoever is to
    write is told of what has come of its orders or its decision."""
    number = steps[-1].number
    went_on = row.asked_in == number or any(
        fed.seat == row.key and fed.order is not None for step in steps for fed in step.fed
    )
    told = row.told_phase == number and not any(step.ended for step in steps)
    return told and not asked and not (writes and went_on)


def blocked_parts(table: Table, step: Step, seat: str) -> tuple[Part, ...]:
    """Why final orders of a seat could not be carried out, and what it can do."""
    if seat not in step.blocked:
        return ()
    refused = [fed for fed in step.refused if fed.error and fed.seat == seat]
    lines = [f"{fed.line.text.strip()}: {fed.error}" for fed in refused] or [str(step.blocked[seat])]
    again = Part("What next", (what_next(table, table.seats[seat]),))
    return Part("Orders that cannot be carried out", tuple(lines)), again


def what_next(table: Table, seat: SeatRow) -> str:
    """What the writer of faulty orders can do."""
    due = table.deadline()
    until = f" Deadline {local_time(due, seat.zone)}." if due else ""
    return f"Send the corrected lines alone, or FINAL to go without them.{until}"


TOLD_SINGLY = 4
"""So many decisions of one standing line are told one by one."""


def decided_lines(steps: Sequence[Step], seat: str) -> tuple[str, ...]:
    """N11: what standing orders or defaults decided for a seat, and which line did. What one of them decided many times over is counted: the log
    tells each."""
    by_line: dict[str, list[str]] = {}
    for each in (fired for step in steps for fired in step.fired if fired.seat == seat):
        line = each.line if each.by == "standing" else "default"
        by_line.setdefault(line, []).append(f"{each.what}: {each.value}")
    lines: list[str] = []
    for line, taken in by_line.items():
        shown = taken if len(taken) <= TOLD_SINGLY else taken[:1]
        lines += [f"{what}   ({line})" for what in shown]
        if len(shown) < len(taken):
            lines.append(f"and {count(len(taken) - 1, 'decision')} more, told in the log   ({line})")
    return tuple(lines)


def subject(table: Table, step: Step, seat: str) -> str:
    """``[cotentin] Turn 2, Allied combat: your move, until Fri 20 Nov 21:00 Europe/Paris``"""
    due = table.deadline()
    until = f", until {local_time(due, table.seats[seat].zone)}" if due else ""
    if step.over:
        return f"[{table.row.id}] The game is over: {table.game.result(step.state).level}"
    title = phase_title(table.game, step.label)
    if questions(step.waiting, seat):
        return f"[{table.row.id}] {title}: your decision{until}"
    if orders := open_orders(step.waiting, seat):
        drawn = table.game.grammar.titles.get(orders.section, orders.section)
        return f"[{table.row.id}] {title}: your move{f' with {drawn}' * (drawn != orders.section)}{until}"
    return f"[{table.row.id}] {title}: report"


def forces(game: Game[Any], view: View) -> list[Part]:
    """The parts that list what a seat has and knows, from the game's ``forces.txt.j2``: blocks of a title line and its lines."""
    text = _of_game(game.key, "forces").render(view=view)
    parts: list[Part] = []
    for block in text.split("\n## "):
        title, _, rest = block.strip().partition("\n")
        lines = tuple(line.rstrip() for line in rest.splitlines())
        if title and any(lines):
            parts.append(Part(title.removeprefix("## ").strip(), lines, table=True))
    return parts


def result_part(table: Table, step: Step) -> Part:
    result = table.game.result(step.state)
    lines = [f"{what:<40} {value:>8}  [{case}]" for what, value, case in result.figures]
    return Part(f"Result: {result.level}", tuple(lines), table=True)


# --- from writing to mail -----------------------------------------------------------------------------------


@dataclass(slots=True)
class Pictures:
    """Maps drawn in one use case: readers who see the same board share one picture, encoded once."""

    drawn: list[tuple[Board, Attachment, Attachment]] = field(default_factory=list)

    def of(self, board: Board) -> tuple[Attachment, Attachment]:
        """The map as an inline PNG and as an attached SVG."""
        from pbem import render

        for known, png, svg in self.drawn:
            if known == board:
                return png, svg
        scene = render.layout(board)
        png = attach("map.png", "image/png", render.scene_png(scene), cid="map")
        svg = attach("map.svgz", "image/svg+xml", gzip.compress(render.scene_svg(scene).encode(), 6, mtime=0))
        self.drawn.append((board, png, svg))
        return png, svg


def send(
    table: Table,
    seat: str,
    writing: Writing,
    step: Step,
    pictures: Pictures,
    *,
    answers: str = "",
    number: int = 0,
) -> None:
    """Lay out a letter, compose it and put it into the outbox. A letter with the same key is not written twice; a seat without an
    address gets none."""
    row = table.seats[seat]
    if not row.address:
        return
    key = Key(table.row.id, step.label, seat, writing.kind, number)
    table.post(key, row.address, writing.subject, _mail(table, row, writing, step, pictures, key, answers))


def _mail(
    table: Table, row: SeatRow, writing: Writing, step: Step, pictures: Pictures, key: Key, answers: str
) -> bytes:
    text = laid_out(table, row, writing, step)
    inline: tuple[Attachment, ...] = ()
    files: list[Attachment] = []
    if writing.board is not None:
        png, svg = pictures.of(writing.board)
        inline = (png,)
        files.append(svg)
    if writing.form:
        files.append(attach("orders.txt", "text/plain", writing.form))
    if writing.show_view:
        files.append(
            attach(
                "view.json",
                "application/json",
                table.game.view(step.state, row.key).model_dump_json(indent=1),
            )
        )
    base = table.address
    return compose(
        Envelope(
            key=key,
            sender=reply_address(base, table.row.id, row.key, row.token_key),
            sender_name=f"pbem {table.row.id}",
            to=row.address,
            to_name=row.name,
            subject=writing.subject,
            text=text,
            html=as_html(writing, text, bool(inline), table.game.credits),
            date=table.now,
            inline=inline,
            attachments=tuple(files),
            in_reply_to=answers,
            auto="auto-replied" if answers else "auto-generated",
        )
    )


def laid_out(table: Table, row: SeatRow, writing: Writing, step: Step) -> str:
    """The text part of a letter, proof lines included."""
    text = _template("letters/letter.txt.j2").render(letter=writing, credits=table.game.credits).lstrip("\n")
    body = [short for line in text.splitlines() for short in _short_lines(line)]
    lines = proof.write(body, proof_of(table, row.key, writing, step), table.chain.link(max(1, step.turn)))
    return "\n".join([*body, "", *lines]) + "\n"


def _short_lines(line: str) -> list[str]:
    """A line of text as lines that a phone or an 80-column program can show, the following ones set in."""
    if len(line) <= TEXT_WIDTH:
        return [line]
    indent = " " * (len(line) - len(line.lstrip()) + 6)
    return textwrap.wrap(
        line, TEXT_WIDTH, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False
    )


def proof_of(table: Table, seat: str, writing: Writing, step: Step) -> proof.Proof:
    """The proof lines that a reader may have now: links of finished turns, open rolls, and once the game is over everything."""
    turn = max(1, step.turn)
    finished = turn if step.over else turn - 1
    links = {str(number): table.chain.link(number).hex() for number in range(finished + 1)}
    links["sealed"] = table.chain.sealed_commitment.hex()
    if step.over:
        links["opened"] = table.chain.sealed_secret.hex()
    rolls = table.rolls(writing.rolls_from) if writing.rolls_from or step.over else []
    if step.over:
        rolls = [roll for roll in table.rolls(sealed=True) if not roll.number] + rolls
    view = state = ""
    if writing.show_view:
        view = hashlib.sha256(table.game.view(step.state, seat).model_dump_json().encode()).hexdigest()
        state = table.commitment(table.game.dump(without_log(step.state)))
    return proof.Proof(
        table.row.id,
        table.game.key,
        turn,
        links,
        {roll.phase: roll.salts for roll in rolls},
        tuple(
            (f"R{roll.number}" if roll.number else "S", roll.phase, roll.label, proof.faces_text(roll.faces))
            for roll in rolls
        ),
        writing.orders,
        view,
        state,
    )


def without_log(state: GameState) -> GameState:
    """The state as it can be stored: the log of the running phase is kept elsewhere."""
    bare = copy.copy(state)
    bare.log = []
    return bare


def as_html(writing: Writing, text: str, picture: bool, credits: str) -> str:
    """The HTML part: the same words as the text part, the map where it belongs."""
    proofs = proof.HEAD + text.rpartition(proof.HEAD)[2]
    return _template("letters/letter.html.j2").render(
        letter=writing, picture=picture, proof=proofs, credits=credits
    )
