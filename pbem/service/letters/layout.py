"""How letters go out: laid out by ``templates/letters``, with map, order form and proof lines, composed as
mail, and put into the outbox."""

from __future__ import annotations

import copy
import gzip
import hashlib
import re
import traceback
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC
from itertools import groupby
from typing import TYPE_CHECKING, Literal

from pbem.engine.board import Board
from pbem.engine.dice import round_of
from pbem.engine.game import GameState
from pbem.mail.compose import Attachment, Envelope, Key, attach, compose, contents
from pbem.mail.digests import PROOF
from pbem.mail.signing import public_key
from pbem.service.letters.calendar import deadline_file
from pbem.service.letters.lessons import lesson
from pbem.service.letters.log import ROLL, Head, Part, template
from pbem.service.letters.rolls.open import open_lines
from pbem.service.letters.unproved import held_lines, question
from pbem.service.letters.wrapping import for_html, short_lines
from pbem.service.play.steps import Step
from pbem.service.proof import lines as proof
from pbem.service.record.dice_rules import Round, rule_of
from pbem.service.record.post import Postmark
from pbem.service.record.rows import SeatRow, StaffRow
from pbem.service.record.table import Table
from pbem.service.record.turn_dice import Roll

if TYPE_CHECKING:
    from pbem.render.frame import Area
    from pbem.render.layout import Scene
    from pbem.render.palette import PaletteName

MOST_SET_IN = 8
"""Lines of the HTML part are set in as if by at most this many characters."""

LABEL = re.compile(r"\d{4}|[A-Za-z]+(?: ?L?\d+)?")
"""What is a label if it stands in front of a line: a hex, a word, the number of a roll or of a line."""

DOUBT = "doubt"
"""The kind of a letter about a held one."""

WAITING = "Waiting for"
"""The part of a letter that the order form and then the map follow. A letter without it has the form last and
the map first."""


@dataclass(frozen=True, slots=True)
class Writing:
    """A letter before it is laid out. `board` makes the map that it shows, `pictures` are others;
    `form` is an order template to attach and to show; `section` is what the letter asks for,
    `letter` the letter that it answers (its number and its Message-ID), `about` the seat that wrote the
    press, or of a letter to the staff the games that it is about."""

    kind: str
    subject: str
    lead: tuple[str, ...] = ()
    parts: tuple[Part, ...] = ()
    board: Callable[[], Board] | None = None
    form: str = ""
    orders: tuple[str, ...] = ()
    rolls_from: int = 0
    """The first phase whose rolls are listed; 0 for none."""
    turns: tuple[int, int] | None = None
    """The first and the last turn, both over, whose dice an observer's letter proves."""
    show_view: bool = False
    """Whether it shows a position: it proves the view of its reader, who may have it as JSON."""
    section: str = ""
    letter: int | None = None
    answers: str = ""
    about: str = ""
    foot: str = ""
    proved: str = ""
    """What is said of the file that proves the letter."""
    files: tuple[Attachment, ...] = ()
    pictures: tuple[Attachment, ...] = ()

    @property
    def waiting_at(self) -> int:
        """The number of the part that says who is waited for, counted from 1; 0 if there is none."""
        places = [at for at, part in enumerate(self.parts, 1) if part.title == WAITING]
        return places[-1] if places else 0


MAP_WIDTH, OVERVIEW_WIDTH = 600, 520
"""A phone shows a close-up of this width with lettering that can be read; the overview has less to read."""

MOST_BYTES = 40_000
"""If two close-ups would have more bytes than about this, the second one is left out. In the mail, with the
overview, pictures then take about 80 KB at most."""


@dataclass(slots=True)
class Pictures:
    """Maps drawn in one use case: readers who see the same board share their pictures, encoded once."""

    drawn: list[tuple[Board, PaletteName, tuple[Attachment, ...]]] = field(default_factory=list)

    def of(self, board: Board, look: PaletteName = "paper") -> tuple[Attachment, ...]:
        """The pictures that a letter shows: one or two close-ups of where most happened and the hexes in
        play. `look` is ``dark`` for a reader who asked for dark maps."""
        from pbem import render

        for known, worn, kept in self.drawn:
            if worn == look and (known is board or known == board):
                return kept
        areas = render.busiest(board)
        close = _close_ups(board, look, areas)
        if len(close) > 1 and sum(map(render.weight, close)) > MOST_BYTES:
            areas = areas[:1]
            close = _close_ups(board, look, areas)
        scenes = dict(zip(("action", "action-2"), close, strict=False))
        scenes["map"] = render.layout(board, OVERVIEW_WIDTH, "overview", look, areas)
        files = tuple(_picture(name, scene) for name, scene in scenes.items())
        self.drawn.append((board, look, files))
        return files


def _close_ups(board: Board, look: PaletteName, areas: tuple[Area, ...]) -> list[Scene]:
    """A close-up of each of these areas, still to be painted."""
    from pbem import render

    places = range(len(areas))
    return [render.layout(board, MAP_WIDTH, "action", look, areas, place) for place in places]


def _picture(name: str, scene: Scene) -> Attachment:
    from pbem import render

    return attach(f"{name}.png", "image/png", render.scene_png(scene), cid=name)


def send(table: Table, seat: str, writing: Writing, step: Step, pictures: Pictures) -> str:
    """Lay out a letter, compose it and put it into the outbox; return its key. A seat without an address gets
    none ("")."""
    row = table.seats[seat]
    if not row.address:
        return ""
    row.letters += 1
    table.record.keep(row)
    held = held_lines(table, row)
    first, then = (writing.lead, held) if writing.kind == "ruling" else (held, writing.lead)
    lead = (*first, *then, *open_lines(table, seat))
    parts = (*lesson(table, row, step), *writing.parts)
    writing = replace(writing, lead=lead, parts=parts, foot=_foot(table, row, writing, step))
    key = Key(table.row.id, step.label, seat, writing.kind, row.letters, table.row.secret)
    raw = _mail(table, row, writing, step, pictures, key)
    host = table.address.partition("@")[2]
    about = Postmark(key.message_id(host), writing.section, writing.letter, writing.about)
    table.post.put(key, row.address, writing.subject, raw, about)
    table.clock.promise(seat, step)  # its proof lines name the deadline, whatever else it says
    return key.slug


def _foot(table: Table, row: SeatRow, writing: Writing, step: Step) -> str:
    """Return the closing hints of every letter about orders."""
    if step.over or writing.kind not in ("turn", "reply", "ruling"):
        return ""
    if row.key not in table.waited_for(step) and writing.kind == "turn":
        return "HELP explains orders and commands."
    people = any(each.address and each.key != row.key for each in table.seats.values())
    umpires = table.record.staff("moderator")
    to = [word for word, there in (("player", people), ("moderator", umpires)) if there]
    whom = " or to the ".join(to).replace("player", "a player") if people else "the moderator"
    press = (
        f" PRESS {to[0] if not people else '<name>'}: and your words on one line go to {whom}." if to else ""
    )
    return (
        "Lines are a draft until you write DONE; TRY on a line of its own checks an email and keeps nothing."
        f"{press} HELP explains orders and commands."
    )


def send_plain(
    table: Table,
    row: SeatRow | StaffRow,
    writing: Writing,
    pictures: Pictures | None = None,
    end: Step | None = None,
    asks: Step | None = None,
) -> None:
    """Put a letter to a player or one of the staff into the outbox that proves no dice but those of its
    `turns`, and at the `end` of the game all of them. It shows a map if `pictures` are given.
    With `asks`, the game as it stands, it may bring the deadline as a calendar file."""
    if not row.address:
        return
    if writing.kind != DOUBT:  # such a letter lists them itself, below the newest
        writing = replace(writing, lead=(*held_lines(table, row), *writing.lead))
    row.letters += 1
    table.record.keep(row)
    label = table.record.phase().label
    key = Key(table.row.id, label, row.key, writing.kind, row.letters, table.row.secret)
    if asks is not None and isinstance(row, SeatRow):
        entry = deadline_file(table, row, writing.kind, asks)
        writing = replace(writing, files=(*writing.files, *([entry] if entry else ())))
    told = proof_of(table, row, writing, end)
    writing = replace(writing, proved=proved(told))
    envelope = replace(_envelope(table, row, writing, key), attachments=writing.files)
    if pictures is not None:
        inline = _map(table, row, writing, pictures)
        writing = replace(writing, board=writing.board if inline else None)
        page = as_html(writing, [file.cid for file in inline], table.game.report.credits)
        envelope = replace(envelope, html=page, inline=inline)
    raw = _signed(table, replace(envelope, text=as_text(writing)), told)
    host = table.address.partition("@")[2]
    about = Postmark(key.message_id(host), writing.section, writing.letter, writing.about)
    table.post.put(key, row.address, writing.subject, raw, about)


def _mail(table: Table, row: SeatRow, writing: Writing, step: Step, pictures: Pictures, key: Key) -> bytes:
    inline = _map(table, row, writing, pictures)
    writing = replace(writing, board=writing.board if inline else None)
    inline = (*inline, *writing.pictures)
    files = [*writing.files]
    if writing.form:
        files.append(attach("orders.txt", "text/plain", writing.form))
    if writing.show_view and row.settings.get("data"):
        view = table.game.view(step.state, row.key).model_dump_json(indent=1)
        packed = gzip.compress(view.encode(), mtime=0)
        files.append(attach("view.json.gz", "application/gzip", packed))
    if (entry := deadline_file(table, row, writing.kind, step)) is not None:
        files.append(entry)
    told = proof_of(table, row, writing, step)
    writing = replace(writing, proved=proved(told))
    credits = table.game.report.credits
    envelope = replace(
        _envelope(table, row, writing, key),
        text=as_text(writing, credits),
        html=as_html(writing, [file.cid for file in inline], credits),
        inline=inline,
        attachments=tuple(files),
    )
    return _signed(table, envelope, told)


def _signed(table: Table, envelope: Envelope, told: proof.Proof) -> bytes:
    """The letter as bytes, with the file that proves it."""
    lines = proof.signed(proof.lines_of(told), contents(envelope), table.row.letter_key)
    file = attach(PROOF, "text/plain", "\n".join(lines) + "\n")
    return compose(replace(envelope, attachments=(*envelope.attachments, file)))


def proved(told: proof.Proof) -> str:
    """What a letter says of the file that proves it."""
    names = [name for name, *_ in told.rolls if name != "S"]
    span = dict.fromkeys(names[:1] + names[-1:])
    rolls = f"{(' to ' if len(names) > 2 else ', ').join(span)} and " if names else ""
    return f"{PROOF} proves {rolls}this letter: pbem dice verify checks saved letters."


def _envelope(table: Table, row: SeatRow | StaffRow, writing: Writing, key: Key) -> Envelope:
    """A letter, still without its text, to be answered with its reader's own secret. Its subject may hold
    it: the outbox has the subject without."""
    host = table.address.rpartition("@")[2]
    asks = table.post.letter(writing.letter) if writing.kind == DOUBT else None
    back = table.reply_to(row, question(asks.identity) if asks is not None else "")
    return Envelope(
        key=key,
        sender=back.address,
        sender_name=f"pbem {table.row.id}",
        to=row.address,
        to_name=row.name,
        subject=back.subject(writing.subject),
        text="",
        date=table.now,
        in_reply_to=writing.answers,
        references=(key.thread_id(host),),
        auto="auto-replied" if writing.answers else "auto-generated",
    )


def look_of(row: SeatRow | StaffRow) -> PaletteName:
    """The palette of the maps for a reader: dark after DARK ON."""
    return "dark" if isinstance(row, SeatRow) and row.settings.get("dark") else "paper"


def _map(
    table: Table, row: SeatRow | StaffRow, writing: Writing, pictures: Pictures
) -> tuple[Attachment, ...]:
    """Return the maps that a letter shows of itself. A drawing error does not stop the game:
    the letter goes out without a map and the moderator is notified."""
    if writing.board is None:
        return ()
    try:
        return pictures.of(writing.board(), look_of(row))
    except Exception:
        tell_of_fault(table)
        return ()


def tell_of_fault(table: Table, what: str = "A map could not be drawn") -> None:
    """Tell the moderators what a letter went without, by default a map, and why; to be called where it was
    noticed."""
    lines = ["Its letter went without.", *traceback.format_exc().splitlines()]
    table.record.tell_moderators(what, lines)


def as_text(writing: Writing, credits: str = "") -> str:
    """The text part of a letter."""
    return "\n".join(laid_out(writing, credits)) + "\n"


def laid_out(writing: Writing, credits: str = "") -> list[str]:
    """The lines of the text part of a letter."""
    text = template("letters/letter.txt.j2").render(letter=writing, credits=credits)
    form = frozenset(writing.form.splitlines())  # an order that is broken would come back as two
    return [
        short
        for line in text.lstrip("\n").splitlines()
        for short in ([line] if line in form else short_lines(line))
    ]


def proof_of(
    table: Table, row: SeatRow | StaffRow, writing: Writing, step: Step | None = None
) -> proof.Proof:
    """What the proof lines of a letter say. Without a `step` they prove the letter alone; with one, also what
    the reader may have of the dice now: links of finished turns, open rolls, and once the game is over
    everything."""
    known = proof.Proof(
        game=table.row.id,
        key=table.game.key,
        turn=max(1, step.turn if step else table.record.phase().turn),
        seat=row.key,
        number=row.letters,
        public=public_key(table.row.letter_key),
        journal=table.dice.journal_seal(row.key, row.letters, table.record.journal.head),
        received=_receipt(table, writing),
        rounds=tuple(each.line() for each in filter(None, [table.dice.open_round()])),
    )
    if step is None:
        return with_dice(table, known, *writing.turns) if writing.turns else known
    finished = known.turn if step.over else known.turn - 1
    links = {str(number): table.dice.chain.link(number).hex() for number in range(finished + 1)}
    links["sealed"] = table.dice.chain.sealed_commitment.hex()
    if step.over:
        links["opened"] = table.dice.chain.sealed_secret.hex()
    rolls = table.dice.rolls(writing.rolls_from) if writing.rolls_from or step.over else []
    if step.over:
        rolls = [roll for roll in table.dice.rolls(sealed=True) if not roll.number] + rolls
    view = state = ""
    if writing.show_view:
        view = hashlib.sha256(table.game.view(step.state, row.key).model_dump_json().encode()).hexdigest()
        state = table.dice.commitment(table.game.dump(without_log(step.state)))
    due = table.deadline(step)
    rule = rule_of(table.row)
    salts = {} if rule == "beacon" else {roll.phase: roll.salts for roll in rolls}
    if not step.over and rule != "beacon":  # named before any die of the phase falls
        salts[step.label] = tuple(table.record.phase(step.number).salts)
    return replace(
        known,
        deadline=due.astimezone(UTC).isoformat() if due else "",
        dice=proof.beacon_rule() if rule == "beacon" else rule,
        links=links,
        rounds=tuple(each.line() for each in _rounds(table, writing, step)),
        salts=salts,
        rolls=tuple(roll_line(roll) for roll in rolls),
        orders=writing.orders,
        view=view,
        state=state,
    )


def with_dice(table: Table, known: proof.Proof, first: int, last: int) -> proof.Proof:
    """Return a proof with the dice of some turns that are over, and the links up to the last of them alone: a
    later one would let its reader try out what has been ordered since."""
    phases = {row.label for row in table.record.phases() if first <= max(1, row.turn) <= last}
    rolls = [roll for roll in table.dice.rolls() if roll.phase in phases]
    hang_on = {round_of(roll.label) for roll in rolls}
    rule = rule_of(table.row)
    return replace(
        known,
        dice=proof.beacon_rule() if rule == "beacon" else rule,
        links={str(number): table.dice.chain.link(number).hex() for number in range(last + 1)},
        rounds=tuple(each.line() for each in table.dice.rounds() if each.number in hang_on) + known.rounds,
        salts={} if rule == "beacon" else {roll.phase: roll.salts for roll in rolls},
        rolls=tuple(roll_line(roll) for roll in rolls),
    )


def roll_line(roll: Roll) -> tuple[str, str, str, str]:
    """Return a roll as proof lines name it."""
    name = f"R{roll.number}" if roll.number else "S"
    return name, roll.phase, roll.label, proof.faces_text(roll.faces)


def _rounds(table: Table, writing: Writing, step: Step) -> list[Round]:
    """The rounds of the beacon that a letter names: those on which its rolls hang, and the one that the game
    waits for."""
    first = 1 if step.over else writing.rolls_from
    return [each for each in table.dice.rounds() if each.waits or (first and each.phase >= first)]


def _receipt(table: Table, writing: Writing) -> str:
    """The digest of the letter that is answered, as it was received, and when that was."""
    letter = table.post.letter(writing.letter)
    return (
        f"{letter.digest} {letter.received.astimezone(UTC).isoformat()}" if letter and letter.digest else ""
    )


def without_log(state: GameState) -> GameState:
    """The state as it can be stored: the log of the running phase is kept elsewhere."""
    bare = copy.copy(state)
    bare.log = []
    return bare


def as_html(writing: Writing, pictures: Sequence[str], credits: str) -> str:
    """The HTML part: the same words as the text part, and the pictures where they belong."""
    return template("letters/letter.html.j2").render(
        letter=writing,
        lead=[for_html(line) for line in writing.lead],
        parts=[(part, list(_stretches(part))) for part in writing.parts],
        pictures=pictures,
        signs=_signs(writing) if pictures else (),
        credits=credits,
    )


def _signs(writing: Writing) -> Sequence[tuple[str, str]]:
    """What the signs on the pictures of a letter mean, which have no legend: how each looks, and its
    meaning."""
    from pbem import render

    return render.in_words(writing.board()) if writing.board else ()


@dataclass(frozen=True, slots=True)
class Stretch:
    """Lines of a part that look alike: a `head`, a `table` of cells, lines to keep `as_is`, whose
    second of three pieces is marked, entries of a `log` with the number of their roll, or paragraphs; and how
    far they are set in."""

    kind: Literal["head", "table", "as_is", "log", "lines"]
    rows: list[list[str]]
    set_in: int = 0

    @property
    def labelled(self) -> bool:
        """Whether all its lines have a label in front."""
        return all(len(row) > 1 and (not row[0] or LABEL.fullmatch(row[0])) for row in self.rows)


def _stretches(part: Part) -> Iterator[Stretch]:
    """The lines of a part as HTML shows them: neighbours with as many columns are a table."""
    if part.kind == "log":
        yield from (_entry(line) for line in part.lines)
        return
    if any(line.strip() and not line.strip(" ^") for line in part.lines):  # a caret points at a column
        yield from (
            Stretch("as_is", [pieces], min(set_in, MOST_SET_IN)) for set_in, pieces in _marked(part.lines)
        )
        return
    for head, lines in groupby(part.lines, key=lambda line: isinstance(line, Head)):
        if head:
            yield from (Stretch("head", [[for_html(line)]]) for line in lines)
            continue
        for (set_in, width), alike in groupby(_in_cells(lines), key=lambda each: (each[0], len(each[1]))):
            rows = [cells for _, cells in alike]
            kind: Literal["table", "lines"] = "table" if width > 1 and len(rows) > 1 else "lines"
            yield Stretch(kind, rows, min(set_in, MOST_SET_IN))


def _marked(lines: Sequence[str]) -> Iterator[tuple[int, list[str]]]:
    """Lines without the carets below them: how far each is set in, and what stands before, above and behind
    the carets. On a phone a line may be broken, and a caret below it would point at another word."""
    for line, below in zip(lines, [*lines[1:], ""], strict=True):
        words = line.lstrip(" ")
        if not words.strip("^"):
            if not words:
                yield 0, ["", "", ""]
            continue
        set_in = len(line) - len(words)
        start, end = len(line), len(line)
        if below.strip() and not below.strip(" ^"):
            start, end = below.index("^"), below.rindex("^") + 1
        yield set_in, [line[set_in:start], line[start:end] or "^" * (end > start), line[end:]]


def _in_cells(lines: Iterable[str]) -> Iterator[tuple[int, list[str]]]:
    """Lines as cells, and how far they are set in. What stands below the text behind a label at the margin is
    one more text of that label."""
    begins = 0
    for line in lines:
        set_in = len(line) - len(line.lstrip(" "))
        cells = re.split(" {2,}", line.strip(" "))
        if len(cells) == 1 and 0 < set_in == begins:
            cells, set_in = ["", *cells], 0
        else:
            begins = len(line.rstrip(" ")) - len(cells[1]) if len(cells) == 2 and not set_in else 0
        yield set_in, [for_html(cell) for cell in cells]


def _entry(line: str) -> Stretch:
    """A line of the log: what heads others, or an entry behind the number of its roll, if it has one."""
    if isinstance(line, Head):
        return Stretch("head", [[for_html(line)]])
    roll = ROLL.match(line)
    words = re.sub(" {2,}", "\u2002", for_html(line[roll.end() if roll else 0 :].strip()))
    return Stretch("log", [[roll[0].strip() if roll else "", words]])
