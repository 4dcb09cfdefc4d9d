"""Letter commands. HELP, STATUS, FORCES, ENEMY, MAP, REPLAY, DESK, LOG, HISTORY, SUMMARY, LUCK, ADVICE,
ORDERS and STANDING only inform; PRESS, MUTE, DIARY, SALT, DATA, BRIEF, CALENDAR, DARK, RULING and DISPUTE
act, and so do proposals: UNDO, EXTEND, AGREE and REFUSE."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterator, Sequence

from sqlmodel import col, select

from pbem.engine.game import SYSTEM
from pbem.engine.language import Command
from pbem.engine.language.reference import NO_HELP, reference
from pbem.engine.notes import UMPIRE
from pbem.engine.wording import count
from pbem.mail.compose import attach
from pbem.render.luck import luck_png
from pbem.render.replay import Story
from pbem.service.intake.inbox import Inbox, consider, weight
from pbem.service.intake.reading import DoFirst
from pbem.service.letters import diary, handbook, maps, mutes
from pbem.service.letters.advice import advised
from pbem.service.letters.layout import WAITING, Pictures, Writing, look_of, send, tell_of_fault
from pbem.service.letters.log import Part, forces, log_of_phases, who, writer
from pbem.service.letters.luck import luck_of
from pbem.service.letters.ordering import page_of, sitting_of
from pbem.service.letters.reports import waiting_lines
from pbem.service.letters.sheets import NO_STANDING, examples, habits, order_form, sheet_lines, standing_lines
from pbem.service.letters.summary import summary_parts
from pbem.service.letters.telling import html_of, record_of, story_of
from pbem.service.moderating import disputes, library, proposals
from pbem.service.moderating.disputes import raise_dispute
from pbem.service.moderating.hosting import Done
from pbem.service.play.sections import open_orders
from pbem.service.play.steps import Step
from pbem.service.record import reliability
from pbem.service.record.dice_rules import rule_of
from pbem.service.record.errors import StoreError
from pbem.service.record.rows import JournalRow, StaffRow
from pbem.service.record.table import Table
from pbem.service.record.terms import Terms, is_advised, is_public

PRESS_LIMIT = 20
"""Messages that a seat may send with PRESS in one turn."""

ANONYMOUS = "anonymous"
"""What press without a name is about, in place of its writer."""

MODERATOR = "moderator"
"""What the moderators of a game are called in PRESS."""

LARGEST_PAGE = 1_000_000
"""A page of the game larger than this, in bytes, is not sent by mail."""

MOST = 20
"""Letter commands that are carried out in one letter."""

PROPOSAL = "Proposal"
NOT_ALONE = "Not done: send {} in an email of {} own, without orders, answers or DONE."
"""The part about a proposal, and what it says of one that came with what it may change."""

BY_LETTER = "letter"
"""The means by which a salt was given that nobody has chosen: the digest of a letter."""

Answer = Iterator[tuple[str, tuple[str, ...]]]
"""What a command gives: titled parts for the reply."""


def carry_out(inbox: Inbox, after: Step) -> list[Part]:
    """Carry out the commands that only inform, each once, on the game as it is `after` the letter."""
    parts: list[Part] = []
    for command in _limited(inbox, TELLING):
        parts += [
            Part(title, lines, table=True) for title, lines in TELLING[command.name](inbox, after, command)
        ]
    return parts


def act(inbox: Inbox) -> None:
    """Carry out the commands that act, each once, unless the letter is only tried. What became of its
    proposals is one list."""
    proposed: list[tuple[str, tuple[str, ...]]] = []
    for command in _limited(inbox, ACTING):
        if inbox.tried:
            not_done = ("Not done: a letter with TRY changes nothing.",)
            inbox.parts.append(Part(command.name.capitalize(), not_done))
            continue
        for title, lines in ACTING[command.name](inbox, inbox.here, command):
            if title == PROPOSAL:
                proposed.append((f"{command.name.upper()} {command.argument}", lines))
            else:
                inbox.parts.append(Part(title, lines, table=True))
    if proposed:
        inbox.parts.append(_proposal_part(proposed))


def _proposal_part(proposed: Sequence[tuple[str, tuple[str, ...]]]) -> Part:
    """What became of the proposals of a letter and of its answers to some, by what was written."""
    if len(proposed) == 1:
        return Part(PROPOSAL, proposed[0][1], table=True)
    if all(lines == (NOT_ALONE.format("this", "its"),) for _, lines in proposed):
        which = ", ".join(dict.fromkeys(what for what, _ in proposed))
        return Part(f"{PROPOSAL}s", (f"{which}: {NOT_ALONE.format('these', 'their')}",), table=True)
    told = tuple(f"{what}: {line}" for what, lines in proposed for line in lines)
    return Part(f"{PROPOSAL}s", told, table=True)


def _limited(inbox: Inbox, known: dict[str, Callable[..., Answer]]) -> list[Command]:
    """Return the commands of a letter to carry out, without duplicates and up to `MOST`."""
    every: dict[tuple[str, str, str], Command] = {}
    for command in inbox.reading.commands:
        if command.name in TELLING or command.name in ACTING:
            every.setdefault((command.name, command.argument.lower(), command.text), command)
    done = list(every.values())[:MOST]
    if len(every) > MOST and known is TELLING:
        more = len(every) - MOST
        were = "were" if more > 1 else "was"
        inbox.notes.append(
            f"{count(more, 'more command')} {were} not carried out: the limit is {MOST} per email."
        )
    return [command for command in done if command.name in known]


# --- those that tell ----------------------------------------------------------------------------------------


def _help(inbox: Inbox, here: Step, command: Command) -> Answer:
    game, topic = inbox.table.game, command.argument.lower()
    charts = game.report.charts(here.state)
    title = f"Help{': ' + command.argument if command.argument else ''}"
    if topic in charts:
        yield title, charts[topic]
        return
    text = reference(game.grammar, command.argument or None, examples(inbox.table, here, inbox.seat.key))
    if text.startswith(NO_HELP) and (tables := handbook.charts_on(game, here.state, topic)):
        yield from ((part.title, part.lines) for part in tables)
        return
    also = ("", f"Charts: {', '.join(f'HELP {name}' for name in charts)}") if charts else ()
    yield title, (*text.splitlines(), *also)


def _charts(inbox: Inbox, here: Step, command: Command) -> Answer:
    game = inbox.table.game
    tables = handbook.charts_on(game, here.state, command.argument)
    yield from ((part.title, part.lines) for part in tables)
    if not tables:
        titles = "; ".join(part.title for part in handbook.charts(game, here.state))
        yield (
            "Charts",
            (f"There is no such table. There are: {titles}." if titles else "This game has none.",),
        )


def _rulings(inbox: Inbox, here: Step, command: Command) -> Answer:
    words, key = command.argument, inbox.table.game.key
    on = f" on {words}" if words else ""
    yield f"Rulings on gaps in the rulebook{on}", handbook.rulings_lines(key, words) or ("there are none",)
    found = library.about(library.library(inbox.table.record.session, key), words)
    if found:
        yield f"Rulings of moderators in games that are over{on}", tuple(library.told(found))


def _status(inbox: Inbox, here: Step, command: Command) -> Answer:
    table = inbox.table
    view = table.game.view(here.state, inbox.seat.key)
    yield "Status", (view.title,)
    yield "Waiting for", waiting_lines(table, here, inbox.seat.key)
    if is_public(table.row.settings):
        known = reliability.of_seats(table.record.session, table.seats.values())
        yield (
            "How reliable the players are",
            tuple(f"{who(table, key)}: {each.words()}" for key, each in known.items()),
        )
    yield from _listed(inbox, here, "")


def _forces(inbox: Inbox, here: Step, command: Command) -> Answer:
    yield from _listed(inbox, here, "acting", "own", "later", "marks")


def _enemy(inbox: Inbox, here: Step, command: Command) -> Answer:
    known = list(_listed(inbox, here, "enemy", "marks"))
    yield from known
    if not known:
        yield "The enemy", ("You know of no unit of the enemy's.",)


def _listed(inbox: Inbox, here: Step, *kinds: str) -> Answer:
    table = inbox.table
    view = table.game.view(here.state, inbox.seat.key)
    yield from ((part.title, part.lines) for part in forces(table.game, view) if part.kind in kinds)


def _map(inbox: Inbox, here: Step, command: Command) -> Answer:
    table, seat = inbox.table, inbox.seat.key

    def story() -> Story:
        record = record_of(table, here, seat)
        basis = ("story", table.row.id, seat, table.record.journal.head)
        return inbox.readings.done(basis, lambda: story_of(record))

    try:
        inbox.maps.look = look_of(inbox.seat)
        yield from maps.told(table, here, seat, command.argument, inbox.maps, story)
    except StoreError as error:
        yield f"Map {command.argument}".rstrip(), (f"Not sent: {error}",)
    except DoFirst:
        raise
    except Exception:  # a drawing error does not stop the game
        tell_of_fault(inbox.table)
        yield "Map", ("The map could not be drawn.",)


def _replay(inbox: Inbox, here: Step, command: Command) -> Answer:
    """Attach the game so far, as the seat knows it, as one page; of a page that is too large for mail, say
    what would make it."""
    table, seat = inbox.table, inbox.seat.key
    record, luck = record_of(table, here, seat), luck_of(table, here, seat)
    page, story = inbox.readings.done(
        (table.row.id, seat, table.record.journal.head), lambda: html_of(record, luck)
    )
    raw, name = page.encode(), f"{table.row.id}.html"
    if len(raw) <= LARGEST_PAGE:
        inbox.files.append(attach(name, "text/html", raw))
        steps = count(len(story.tracks[0].steps), "step")
        yield "Replay", (f"{name} is attached: the game so far in {steps}. Open it in a browser.",)
        return
    size = f"{len(raw) / 1e6:.1f} MB"
    yield (
        "Replay",
        (
            f"The page of this game has {size}, too much for an email. The moderator can make it for you: "
            f"pbem replay FILE --seat {seat} -o {name}",
            f"Its SHA-256 is {hashlib.sha256(raw).hexdigest()}.",
        ),
    )


def _desk(inbox: Inbox, here: Step, command: Command) -> Answer:
    """Attach the order desk of the seat, with its sheet as the letter has left it."""
    table, row = inbox.table, inbox.seat
    sitting = sitting_of(table, here, row.key)
    basis = (
        "desk", table.row.id, row.key, table.record.journal.head, sitting.sheet.dump(), dict(row.questions),
        sitting.standing, sitting.reader, sitting.to, sitting.due, sitting.subject,
    )  # fmt: skip
    raw = inbox.readings.done(basis, lambda: page_of(sitting)).encode()
    name = f"orders-{table.row.id}-{row.key}.html"
    if len(raw) > LARGEST_PAGE:
        size = f"{len(raw) / 1e6:.1f} MB"
        yield "Order desk", (f"The page has {size}, too much for an email. Write your orders in a letter.",)
        return
    inbox.files.append(attach(name, "text/html", raw))
    yield (
        "Order desk",
        (
            f"{name} is attached: a page that writes your orders on a map. It needs no network.",
            "Open it in a browser (on an iPhone save it to Files first), mail the letter that it writes, "
            "and the reply judges it.",
        ),
    )


def _log(inbox: Inbox, here: Step, command: Command) -> Answer:
    turn = int(command.argument) if command.argument else here.turn
    rows = [row for row in inbox.table.record.phases() if row.turn == turn]
    parts = log_of_phases(inbox.table, inbox.seat.key, rows, here)
    yield from ((part.title, part.lines) for part in parts)
    if not parts:
        yield f"Log of turn {turn}", ("nothing that you know of has happened",)


def _history(inbox: Inbox, here: Step, command: Command) -> Answer:
    """List the rolls of each phase; LOG sends the whole log of a turn."""
    parts = log_of_phases(inbox.table, inbox.seat.key, inbox.table.record.phases(), here)
    for part in parts:
        rolls = tuple(line for line in part.lines if line.startswith("R"))
        yield f"History: {part.title}", rolls or ("no rolls",)
    if not parts:
        yield "History", ("nothing has happened yet",)


def _summary(inbox: Inbox, here: Step, command: Command) -> Answer:
    """SUMMARY: the story of the game so far, as the seat may know it."""
    parts = summary_parts(inbox.table, here, inbox.seat.key)
    yield from ((part.title, part.lines) for part in parts if part.title != WAITING)  # each letter has it


def _luck(inbox: Inbox, here: Step, command: Command) -> Answer:
    """LUCK: how high the dice fell that the seat knows of, with a picture if there are enough of them."""
    table, seat = inbox.table, inbox.seat
    luck, look = luck_of(table, here, seat.key), look_of(seat)
    lines = tuple(luck.lines())
    if luck.drawable:
        basis = ("luck", table.row.id, seat.key, table.record.journal.head, here.number, look)
        drawn = inbox.readings.done(basis, lambda: luck_png(luck.title, tuple(luck.courses()), look))
        name = f"{table.row.id}-luck.png"
        inbox.files.append(attach(name, "image/png", drawn))
        lines += (f"{name} is attached: how the dice of each side ran.",)
    yield "Luck", lines


def _advice(inbox: Inbox, here: Step, command: Command) -> Answer:
    """ADVICE: what the planner would do in the seat's place, where the game allows it."""
    table, seat = inbox.table, inbox.seat.key
    if not is_advised(table.row.settings):
        yield "Advice", ("The terms of this game allow no advice.",)
        return
    try:
        yield "Advice", advised(table, seat)
    except Exception:  # a fault of the planner does not stop the game
        tell_of_fault(table, "The planner could not be asked")
        yield "Advice", ("The planner could not be asked. The moderator reads of it.",)


SWITCHES = {
    "data": (
        "Letters that show the position bring it as JSON too (view.json.gz).",
        "Letters no longer bring the position as JSON.",
    ),
    "brief": (
        "Letters after play are short: what is asked, until when, what became of your lines, and the form.",
        "Letters after play are whole again.",
    ),
    "calendar": (
        "Letters that ask for something bring its deadline for your calendar (deadline.ics).",
        "Letters no longer bring deadlines for your calendar.",
    ),
    "dark": ("Maps are dark from now on.", "Maps are light again."),
}
"""What a seat can have on or off, and what a reply says of it: DATA ON, DATA OFF."""


def _switched(inbox: Inbox, here: Step, command: Command) -> Answer:
    on = command.argument.lower() == "on"
    inbox.seat.settings = inbox.seat.settings | {command.name: on}
    inbox.table.record.keep(inbox.seat)
    with_it, without = SWITCHES[command.name]
    yield command.name.capitalize(), (with_it if on else without,)


def _orders(inbox: Inbox, here: Step, command: Command) -> Answer:
    sheet = inbox.table.sheet(inbox.seat)
    yield "Your lines", tuple(sheet_lines(sheet, None)) or ("none",)
    if open_orders(here.waiting, inbox.seat.key) is not None:
        yield "Order form", tuple(order_form(inbox.table, here, inbox.seat.key, whole=True).splitlines())


def _standing(inbox: Inbox, here: Step, command: Command) -> Answer:
    lines = (*standing_lines(inbox.table.standing(inbox.seat)), *habits(inbox.table.sheet(inbox.seat)))
    yield "Standing orders", lines or (NO_STANDING,)


# --- those that act -----------------------------------------------------------------------------------------


def _press(inbox: Inbox, here: Step, command: Command) -> Answer:
    """PRESS: send a message unchanged to a seat, to all or to the moderator; to players without the name of
    its writer, if the terms allow it."""
    table, words = inbox.table, command.argument.lower().split()
    unnamed = len(words) > 1 and words[-1] in ("anonymously", ANONYMOUS)
    to = " ".join(words[:-1] if unnamed else words)
    if why := _why_not(inbox, to, unnamed):
        yield "Press", (f"Not sent: {why}",)
        return
    if not command.text.strip():
        yield "Press", ("Not sent: the message is empty.",)
        return
    before = _press_of_turn(table, inbox.seat.key, here.turn)
    if any(row.asked == f"{inbox.seat.key} to {to}" and row.answer == command.text for row in before):
        yield "Press", (f"Not sent again to {to}: they already have this message.",)
        return
    if len(before) >= PRESS_LIMIT:
        yield "Press", (f"Not sent: the limit is {PRESS_LIMIT} messages a turn.",)
        return
    seats = [key for key in _others(inbox) if to in ("all", *names(table, key))]
    to_moderator = to in ("moderator", "umpire") and bool(_moderators(table))
    if not seats and not to_moderator:
        known = ", ".join([*_others(inbox), "all", *(["moderator"] if _moderators(table) else [])])
        yield "Press", (f'Not sent: unknown recipient "{command.argument}". You can write to: {known}.',)
        return
    deaf = [key for key in seats if mutes.is_muted(table.seats[key], inbox.seat)]
    seats = [key for key in seats if key not in deaf]
    not_read = tuple(
        f"Not sent to {_called(table, key)}, who reads no press of yours (MUTE)." for key in deaf
    )
    if deaf and not seats:
        yield "Press", not_read
        return
    by = ANONYMOUS if unnamed else ""
    table.record.journal.append(
        table.row.phase, "press", f"{inbox.seat.key} to {to}", command.text,
        at=table.now, by=by, letter=inbox.row.id,
    )  # fmt: skip
    send_press(table, here, by or inbox.seat.key, seats, command.text, to_all=to == "all")
    if unnamed:
        _tell_of_unnamed(inbox, to, command.text)
    if to_moderator:
        sender = table.game.seat(inbox.seat.key).title
        answer = f"To answer: PRESS {inbox.seat.key}: your words"
        words = [*(f"> {line}" for line in command.text.splitlines()), answer]
        table.record.tell_moderators(f"Press from {sender}", words)
    who = [table.game.seat(key).title for key in seats] or ["the moderator"]
    how = " without your name" if unnamed else ""
    quoted = (f"> {line}" for line in command.text.splitlines())
    yield f"Press sent{how} to {', '.join(who)}", (*quoted, *not_read)


def _why_not(inbox: Inbox, to: str, unnamed: bool) -> str:
    """Why no press of a seat is sent at all, in a sentence; "" if it may be."""
    if mutes.is_silenced(inbox.seat) and to not in ("moderator", "umpire"):
        return "the moderator has stopped your press to other players. PRESS moderator still works."
    if unnamed and to in ("moderator", "umpire"):
        return "the moderator always learns who writes. PRESS moderator: and your words sends it."
    if unnamed and inbox.table.row.settings.get("press", Terms().press) != ANONYMOUS:
        return f"this game has only signed press. PRESS {to}: and your words sends it with your name."
    return ""


def _tell_of_unnamed(inbox: Inbox, to: str, text: str) -> None:
    """Let the moderators know who has written press without a name, against abuse; where one of them plays in
    the game himself, they read it without the name too."""
    table = inbox.table
    playing = {row.address for row in table.seats.values()} & {row.address for row in _moderators(table)}
    sender = "a player" if playing else writer(table, inbox.seat.key)
    words = [f"> {line}" for line in text.splitlines()]
    table.record.tell_moderators(f"Press without a name from {sender} to {to}", words)


def _called(table: Table, key: str) -> str:
    return table.game.seat(key).title


def _mute(inbox: Inbox, here: Step, command: Command) -> Answer:
    """MUTE, UNMUTE: get no more press of a player, or get it again; MUTE alone lists who is muted."""
    table, mine, to = inbox.table, inbox.seat, command.argument.lower()
    if not to:
        muted = [key for key in _others(inbox) if mutes.is_muted(mine, table.seats[key])]
        yield "Mute", tuple(writer(table, key) for key in muted) or ("You have muted nobody.",)
        return
    found = [key for key in _others(inbox) if to in names(table, key)]
    if not found:
        known = ", ".join(_others(inbox))
        yield "Mute", (f'Not done: nobody here is called "{command.argument}". You can mute: {known}.',)
        return
    for key in found:
        on = command.name == "mute"
        mutes.mute(table, mine, table.seats[key], on=on)
        again = f"You get no more press of {writer(table, key)}, who reads so when writing to you. "
        again += f"UNMUTE {key} ends it."
        yield "Mute", (again if on else f"You get press of {writer(table, key)} again.",)


def send_press(table: Table, here: Step, sent_by: str, seats: list[str], text: str, *, to_all: bool) -> None:
    """Send the words of a player, or of the MODERATOR, to others; ANONYMOUS stands for a player who is not
    named."""
    sender = _sender(table, sent_by)
    part = Part(f"Press from {sender}{' to all' if to_all else ''}", tuple(text.splitlines()))
    answer = (
        f"Reply to this letter with only your message, or write PRESS {sent_by}: "
        "and your message on one line of any letter."
    )
    if sent_by == ANONYMOUS:
        answer = (
            "Its writer is not named, and a reply to this letter reaches nobody. PRESS all: writes to all."
        )
    how = Part("To answer", (answer,))
    writing = Writing("press", f"[{table.row.id}] Press from {sender}", (), (part, how), about=sent_by)
    for key in seats:
        send(table, key, writing, here, Pictures())


def _sender(table: Table, sent_by: str) -> str:
    """What the writer of press is called in it."""
    unnamed = {MODERATOR: "the moderator", ANONYMOUS: "a player"}
    return unnamed.get(sent_by) or table.game.seat(sent_by).title


def _others(inbox: Inbox) -> list[str]:
    """The seats that a player may write to."""
    return [key for key, row in inbox.table.seats.items() if key != inbox.seat.key and row.bot != SYSTEM]


def _moderators(table: Table) -> list[StaffRow]:
    return table.record.staff("moderator")


def names(table: Table, key: str) -> tuple[str, ...]:
    """What a seat may be called in PRESS: its key, its title, its player's name."""
    return key, table.game.seat(key).title.lower(), *filter(None, (table.seats[key].name.lower(),))


def _press_of_turn(table: Table, seat: str, turn: int) -> list[JournalRow]:
    """What a seat has sent to others in a turn."""
    numbers = [row.number for row in table.record.phases() if row.turn == turn]
    query = select(JournalRow).where(
        JournalRow.game == table.row.id,
        JournalRow.kind == "press",
        col(JournalRow.phase).in_(numbers),
        col(JournalRow.asked).startswith(f"{seat} to "),
    )
    return list(table.record.session.exec(query))


def _diary(inbox: Inbox, here: Step, command: Command) -> Answer:
    """DIARY: keep an entry, which is not repeated in the reply; without a text, attach the diary. So what
    moderators can read of the letters to a seat (BECOME) holds nothing of it."""
    table, seat = inbox.table, inbox.seat
    if command.argument:
        text = command.text.strip()
        why = diary.write(table, seat, text, here.turn) if text else "the entry is empty"
        kept = f"Kept: your diary has {count(len(diary.mine(seat)), 'entry', 'entries')}. DIARY sends it."
        yield "Diary", (f"Not kept: {why}." if why else kept,)
        return
    lines = diary.written(table, seat)
    if not lines:
        yield "Diary", ("It is empty. DIARY: and your words write an entry.",)
        return
    name = f"diary-{table.row.id}-{seat.key}.txt"
    inbox.files.append(attach(name, "text/plain", ("\n".join(lines) + "\n").encode()))
    entries = count(len(diary.mine(seat)), "entry", "entries")
    yield "Diary", (f"{name} is attached: {entries}, for you alone until the game is over.",)


def _salt(inbox: Inbox, here: Step, command: Command) -> Answer:
    """SALT: words that go into every roll from the next phase on, in the place of the seat's salt before; one
    for each seat and phase."""
    table, key = inbox.table, inbox.seat.key
    if rule_of(table.row) == "beacon":
        yield "Salt", ("Not added: the dice of this game hang on a public beacon, and no salt counts.",)
        return
    text = command.text.replace("|", " ").replace(" / ", " ").strip()
    rows = table.record.rows(table.row.phase, "salt")
    given = [row.answer for row in rows if row.asked == key and row.by != BY_LETTER]
    if given:
        yield "Salt", (f'Not added: "{given[0]}" is already your salt for this phase.',)
        return
    table.dice.add_salt(key, text, inbox.row.id)
    yield "Salt", (f'Your salt "{text}" goes into every roll from the next phase on.',)


def first_salt(inbox: Inbox) -> None:
    """The first letter with orders of a seat gives its first salt, unless it has sent one: so something of
    every player is in the dice."""
    table, key = inbox.table, inbox.seat.key
    if rule_of(table.row) != "salts" or not inbox.row.orders:
        return
    if any(row.asked == key for row in table.record.rows(1, "salt")):
        return
    table.dice.add_salt(key, inbox.letter.digest, inbox.row.id, BY_LETTER)
    told = (
        "The SHA-256 of this letter, as in the receipt, is your salt: it goes into every roll from the next "
        "phase on. SALT and words of your own replace it."
    )
    inbox.parts.append(Part("Salt", (told,)))


def _dispute(inbox: Inbox, here: Step, command: Command) -> Answer:
    """DISPUTE, RULING: bring a roll before the moderator. Everybody who may know of it gets its page, each as
    he may know it; the reason goes to the moderator alone. The first line of the reply says what came of
    it."""
    table, mine = inbox.table, inbox.seat.key
    try:
        pages = raise_dispute(table, command.argument, command.text, mine, inbox.row.id)
    except StoreError as error:
        inbox.first.append(f"{error} Nothing new is disputed.")
        yield command.argument, (str(error),)
        return
    disputes.stand(table)
    inbox.first.append(f"{command.argument} is disputed.")
    name, seat = pages[mine].name, writer(table, mine)
    del pages[UMPIRE]  # the digest has it as it is then
    told = table.record.tell_moderators("", (), urgent=True)
    page = pages.pop(mine)
    pages = {key: other for key, other in pages.items() if not table.seats[key].bot}  # nobody reads theirs
    for seat_key, other in pages.items():
        clock = disputes.clock_lines(table, table.seats[seat_key].zone)
        lead = (f"{seat} disputes {name}. Below is all that your side may know of this roll.", *clock)
        writing = Writing("dispute", f"[{table.row.id}] {name} is disputed", lead, other.parts())
        send(table, seat_key, writing, here, Pictures())
    others = " and ".join([*(["the moderator"] if told else []), *(who(table, key) for key in pages)])
    lines = [f"{others[:1].upper()}{others[1:]} will get a page like the one below."] if others else []
    if not told:
        whom = "the other side, or with the host" if pages else "the host"
        lines.append(f"This game has no moderator: settle it with {whom}.")
    lines += disputes.clock_lines(table, inbox.seat.zone)
    if command.text:
        whom = ", which only the moderator reads" if told else ""
        lines.append(f"Your reason{whom}: {command.text}")
    yield f"You dispute {name}", tuple(lines)
    yield from ((part.title, part.lines) for part in page.parts())


def _undo(inbox: Inbox, here: Step, command: Command) -> Answer:
    """UNDO: propose to go back; alone, list what the seat may name."""
    table, mine, about = inbox.table, inbox.seat.key, " ".join(command.argument.split())
    if not about:
        lines = tuple(proposals.undoable(table, mine)) or ("nothing of this turn",)
        how = "To propose it, write UNDO with its name, BECAUSE and your reason."
        yield "You can go back to before", (*lines, how)
        return
    yield from _proposed(inbox, lambda: proposals.propose_undo(table, about, by=mine, why=_reason(command)))


def _extend(inbox: Inbox, here: Step, command: Command) -> Answer:
    """EXTEND: propose to put off the deadline."""
    days, _, hours = command.argument.lower().rpartition("d")
    time = 24.0 * int(days or 0) + float(hours.removesuffix("h") or 0)
    table, mine = inbox.table, inbox.seat.key
    yield from _proposed(
        inbox, lambda: proposals.propose_extension(table, time, by=mine, why=_reason(command))
    )


def _agree(inbox: Inbox, here: Step, command: Command) -> Answer:
    table, mine = inbox.table, inbox.seat.key
    yield from _proposed(inbox, lambda: proposals.agree(table, int(command.argument), by=mine))


def _refuse(inbox: Inbox, here: Step, command: Command) -> Answer:
    table, mine, number = inbox.table, inbox.seat.key, int(command.argument)
    yield from _proposed(inbox, lambda: proposals.refuse(table, number, by=mine, why=_reason(command)))


def _reason(command: Command) -> str:
    return re.sub(r"^because\s+(?:of\s+)?", "", command.text, flags=re.IGNORECASE)


def _proposed(inbox: Inbox, act: Callable[[], Done]) -> Answer:
    """Make or answer a proposal. It may change the position, and with it what the lines of the letter would
    mean: so it goes in a letter without any."""
    if weight(inbox):
        yield PROPOSAL, (NOT_ALONE.format("this", "its"),)
        return
    try:
        done = act()
    except StoreError as error:
        yield PROPOSAL, (f"Not done: {str(error).rstrip('.')}.",)
        return
    inbox.here = inbox.table.here()
    consider(inbox)
    yield PROPOSAL, tuple(f"{line}." for line in done.says)


TELLING: dict[str, Callable[[Inbox, Step, Command], Answer]] = {
    "help": _help,
    "charts": _charts,
    "rulings": _rulings,
    "status": _status,
    "map": _map,
    "replay": _replay,
    "desk": _desk,
    "log": _log,
    "history": _history,
    "summary": _summary,
    "luck": _luck,
    "advice": _advice,
    "forces": _forces,
    "enemy": _enemy,
    "orders": _orders,
    "standing": _standing,
}
ACTING: dict[str, Callable[[Inbox, Step, Command], Answer]] = {
    "press": _press,
    "diary": _diary,
    "mute": _mute,
    "unmute": _mute,
    "salt": _salt,
    **dict.fromkeys(SWITCHES, _switched),
    "ruling": _dispute,
    "dispute": _dispute,
    "undo": _undo,
    "extend": _extend,
    "agree": _agree,
    "refuse": _refuse,
}


def press_back(inbox: Inbox) -> bool:
    """Send a person's reply to press back as press, unless a line of it is or looks like an order, a heading
    or a command. Return whether it was sent."""
    answered, reading = inbox.answered, inbox.reading
    if answered is not None and (answered.kind, answered.about) == ("press", ANONYMOUS):
        if any(each.text.strip() for each in reading.unread):
            inbox.notes.append(
                "Your email answers press without a name: none of it was sent on, since nobody is named to "
                "whom it could go. PRESS all: and your words on one line writes to everybody."
            )
        return False
    if answered is None or answered.kind != "press" or answered.about not in (*inbox.table.seats, MODERATOR):
        return False
    if len(reading.unread) != len(reading.said) or any(unread.like for unread in reading.unread):
        if not any(command.name == "press" for command in reading.commands):
            by = answered.about
            sender = _sender(inbox.table, by)
            inbox.notes.append(
                f"Your email answers press from {sender}, but a line of it is or looks like an order, "
                f"a heading or a command: none of it was sent on. To write back, use PRESS {answered.about}: "
                "and your words on one line."
            )
        return False
    text = "\n".join(line.text.strip() for line in inbox.letter.own)
    if not text.strip():
        return False
    inbox.reading = type(reading)((Command("press", answered.about, 1, text),))
    return True
