"""How letters go out: laid out by ``templates/letters``, with map, order form and proof lines, composed as
mail, and put into the outbox."""

from __future__ import annotations

import copy
import hashlib
import textwrap
import traceback
from collections.abc import Callable
from dataclasses import dataclass, field, replace

from pbem.engine.board import Board
from pbem.engine.game import GameState
from pbem.mail.address import reply_address
from pbem.mail.compose import Attachment, Envelope, Key, attach, compose
from pbem.service.letters import proof
from pbem.service.letters.log import Part, template
from pbem.service.letters.notices import tell_moderator
from pbem.service.play.steps import Step
from pbem.service.store import SeatRow
from pbem.service.table import Postmark, Table

TEXT_WIDTH = 96
"""Longer lines of the text part are broken."""


@dataclass(frozen=True, slots=True)
class Writing:
    """A letter before it is laid out. `board` makes the map that it shows, `zoom` asks for one to zoom into
    as well; `form` is an order template to attach and to show; `section` is what the letter asks for,
    `letter` the letter that it answers (its number and its Message-ID), `about` the seat that wrote the
    press."""

    kind: str
    subject: str
    lead: tuple[str, ...] = ()
    parts: tuple[Part, ...] = ()
    board: Callable[[], Board] | None = None
    zoom: bool = False
    form: str = ""
    orders: tuple[str, ...] = ()
    rolls_from: int = 0
    """The first phase whose rolls are listed; 0 for none."""
    show_view: bool = False
    section: str = ""
    letter: int | None = None
    answers: str = ""
    about: str = ""
    foot: str = ""


@dataclass(slots=True)
class Pictures:
    """Maps drawn in one use case: readers who see the same board share one picture, encoded once."""

    drawn: list[tuple[Board, Attachment]] = field(default_factory=list)

    def of(self, board: Board) -> Attachment:
        """The map as an inline picture."""
        from pbem import render

        for known, png in self.drawn:
            if known == board:
                return png
        png = attach("map.png", "image/png", render.scene_png(render.layout(board)), cid="map")
        self.drawn.append((board, png))
        return png


def send(table: Table, seat: str, writing: Writing, step: Step, pictures: Pictures) -> str:
    """Lay out a letter, compose it and put it into the outbox; return its key. A seat without an address gets
    none ("")."""
    row = table.seats[seat]
    if not row.address:
        return ""
    row.letters += 1
    table.session.add(row)
    writing = replace(writing, foot=_foot(table, row, writing, step))
    key = Key(table.row.id, step.label, seat, writing.kind, row.letters, table.row.secret)
    raw = _mail(table, row, writing, step, pictures, key)
    host = table.address.partition("@")[2]
    about = Postmark(key.message_id(host), writing.section, writing.letter, writing.about)
    table.post(key, row.address, writing.subject, raw, about)
    return key.slug


def _foot(table: Table, row: SeatRow, writing: Writing, step: Step) -> str:
    """Return the closing hints of every letter about orders."""
    if step.over or writing.kind not in ("turn", "reply", "undo"):
        return ""
    people = any(each.address and each.key != row.key for each in table.seats.values())
    to = [
        word
        for word, there in (("player", people), ("moderator", table.row.settings.get("moderator")))
        if there
    ]
    whom = " or to the ".join(to).replace("player", "a player") if people else "the moderator"
    press = (
        f" PRESS {to[0] if not people else '<name>'}: and your words on one line go to {whom}." if to else ""
    )
    return (
        "Lines are a draft until you write DONE; TRY on a line of its own checks an email and keeps nothing."
        f"{press} HELP explains orders and commands."
    )


def send_plain(table: Table, row: SeatRow, writing: Writing) -> None:
    """Put a letter into the outbox that says nothing of the game itself, and so needs neither map nor
    proof."""
    if not row.address:
        return
    row.letters += 1
    table.session.add(row)
    label = table.phase().label
    key = Key(table.row.id, label, row.key, writing.kind, row.letters, table.row.secret)
    text = template("letters/letter.txt.j2").render(letter=writing, credits="").lstrip("\n")
    envelope = _envelope(table, row, writing, key, text=text)
    about = Postmark(key.message_id(table.address.partition("@")[2]), "", writing.letter)
    table.post(key, row.address, writing.subject, compose(envelope), about)


def _mail(table: Table, row: SeatRow, writing: Writing, step: Step, pictures: Pictures, key: Key) -> bytes:
    inline, files = _map(table, writing, step, pictures)
    text = laid_out(table, row, replace(writing, board=writing.board if inline else None), step)
    if writing.form:
        files.append(attach("orders.txt", "text/plain", writing.form))
    if writing.show_view:
        view = table.game.view(step.state, row.key).model_dump_json(indent=1)
        files.append(attach("view.json", "application/json", view))
    html = as_html(writing, text, bool(inline), table.game.report.credits)
    envelope = _envelope(table, row, writing, key, text=text)
    return compose(replace(envelope, html=html, inline=inline, attachments=tuple(files)))


def _envelope(table: Table, row: SeatRow, writing: Writing, key: Key, text: str) -> Envelope:
    """A letter to a seat, to be answered to the seat's own address."""
    return Envelope(
        key=key,
        sender=reply_address(table.address, table.row.id, row.key, row.token_key),
        sender_name=f"pbem {table.row.id}",
        to=row.address,
        to_name=row.name,
        subject=writing.subject,
        text=text,
        date=table.now,
        in_reply_to=writing.answers,
        auto="auto-replied" if writing.answers else "auto-generated",
    )


def _map(
    table: Table, writing: Writing, step: Step, pictures: Pictures
) -> tuple[tuple[Attachment, ...], list[Attachment]]:
    """Return the map that a letter shows and the one to zoom into. A drawing error does not stop the game:
    the letter goes out without a map and the moderator is notified."""
    from pbem import render

    if writing.board is None:
        return (), []
    try:
        board = writing.board()
        inline = (pictures.of(board),)
        svg = render.scene_svg(render.layout(board)) if writing.zoom else ""
    except Exception:
        why = traceback.format_exc().splitlines()
        lines = ["A map could not be drawn; its letter went without.", "", *why]
        key = Key(table.row.id, step.label, "moderator", "map")
        tell_moderator(table.session, table.row, "A map could not be drawn", lines, table.now, key)
        return (), []
    return inline, [attach("map.svg", "image/svg+xml", svg)] if svg else []


def laid_out(table: Table, row: SeatRow, writing: Writing, step: Step) -> str:
    """The text part of a letter, proof lines included."""
    text = (
        template("letters/letter.txt.j2")
        .render(letter=writing, credits=table.game.report.credits)
        .lstrip("\n")
    )
    form = frozenset(writing.form.splitlines())  # an order that is broken would come back as two
    body = [short for line in text.splitlines() for short in ([line] if line in form else _short_lines(line))]
    lines = proof.write(body, proof_of(table, row.key, writing, step), table.chain.link(max(1, step.turn)))
    return "\n".join([*body, "", *lines]) + "\n"


def _short_lines(line: str) -> list[str]:
    """A line of text as lines that a phone or an 80-column program can show, the following ones set in."""
    if len(line) <= TEXT_WIDTH:
        return [line]
    set_in = len(line) - len(line.lstrip())
    indent = " " * (set_in + 6 if set_in else 2)
    return textwrap.wrap(
        line, TEXT_WIDTH, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False
    )


def proof_of(table: Table, seat: str, writing: Writing, step: Step) -> proof.Proof:
    """The proof lines that a reader may have now: links of finished turns, open rolls, and once the game is
    over everything."""
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
    return template("letters/letter.html.j2").render(
        letter=writing, picture=picture, proof=proofs, credits=credits
    )
