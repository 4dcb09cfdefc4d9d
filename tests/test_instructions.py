"""Each instruction of pbem does what it says: what a letter offers to send is sent back word by word.

Orders of a month of mail are spoilt as people spoil them, and each text that the reply offers instead is sent
in the same game, which stays as it is. ``PBEM_SPOILT=20`` spoils 20 letters at each stop.
"""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from pathlib import Path
from uuid import uuid4

import pytest
from correspondence import PLAYERS, SETTINGS, looked_up, planned, waited_for
from postbox import START, Postbox
from sizes import few, size, some
from sqlmodel import Session
from test_month import GAMES, Month

from pbem.engine.game import game
from pbem.engine.language.reference import reference
from pbem.mail.letter import parse
from pbem.service.intake.inbox import Inbox, consider, inbox_of, keep, set_aside
from pbem.service.intake.replies import check_lines, first_line
from pbem.service.intake.submit import letter
from pbem.service.letters.layout import Writing, laid_out
from pbem.service.letters.log import Part
from pbem.service.letters.reports import question_part
from pbem.service.letters.sheets import examples, order_form
from pbem.service.moderating.start import NewGame, start
from pbem.service.play.answers import questions
from pbem.service.play.questions import Questions
from pbem.service.play.sections import asked_section
from pbem.service.record.rows import LetterRow
from pbem.service.record.store import Store, only_game
from pbem.service.record.table import Table

SPOILT = size(2, 3, "PBEM_SPOILT")
STOPS = size(1, 2)
"""At how many stops of each game letters are spoilt."""
FORMS = size(3, 8)
"""At how many the order form is sent back."""
LATE = size(2, 4)
"""At how many lines are sent that come late."""
OFFER = re.compile(r" {6}(?P<label>send instead:|or: {11}| {14}) (?P<line>\S.*)")


def heard(box: Postbox, session: Session, seat: str, text: str, replies_to: str = "") -> Inbox:
    """A letter of a seat, read and judged, and not yet kept; `replies_to` is the Message-ID of the letter
    that it answers."""
    table = Table(session, only_game(session, box.game), box.now)
    row = table.seats[seat]
    head = f"In-Reply-To: {replies_to}\n" if replies_to else ""
    raw = head.encode() + letter(row.address, table.address, text)
    received = LetterRow(
        identity=str(uuid4()), received=table.now, raw=raw, game=table.row.id, seat=seat, outcome="read"
    )
    session.add(received)
    session.flush()
    inbox = inbox_of(table, row, parse(raw), received)
    consider(inbox)
    return inbox


def answered(box: Postbox, session: Session, seat: str, text: str, replies_to: str = "") -> tuple[Inbox, str]:
    """A letter that is kept, or set aside if it only tries, and the reply to it."""
    inbox = heard(box, session, seat, text, replies_to)
    (set_aside if inbox.tried else keep)(inbox)
    session.flush()
    return inbox, "\n".join((first_line(inbox, inbox.here), *check_lines(inbox)))


def spoilt(chance: random.Random, lines: Sequence[str]) -> list[str]:
    """The lines with one of them as people write it."""
    at = chance.randrange(len(lines))
    line, other = lines[at], chance.choice(lines)
    slip = chance.randrange(1, len(line))
    again = chance.choice(
        (
            f"{line[:slip]}{line[slip + 1 :]}",
            f"{line}; and {other}",
            f"{line} and {other}",
            f"{line} (only if it is safe)",
            re.sub(r"/\w+", "", line),
            re.sub(r"\b(\d{3})\d\b", rf"\g<1>{chance.randrange(10)}", line),
            line.partition(" ")[2] or line,
        )
    )
    return [*lines[:at], again, *lines[at + 1 :]]


def offers(reply: Iterable[str]) -> Iterator[str]:
    """What a reply offers to send: each of several texts behind a label of its own."""
    found: list[str] = []
    for line in reply:
        told = OFFER.fullmatch(line)
        if told and told["label"].strip():
            yield from found
            found = [told["line"].strip()]
        elif told and found:
            found = [f"{found[0]}\n{told['line'].strip()}"]
        else:
            yield from found
            found = []
    yield from found


def amiss(inbox: Inbox, text: str, section: str) -> list[str]:
    """What is wrong with a letter that only does as it was told."""
    reading = inbox.reading
    new = [line for line in inbox.sheet.lines if line.name in inbox.taken.new]
    headed = re.findall(r"^\[([^\]]+)\]", text, re.MULTILINE)
    orders = [repr(line.order) for line in new if line.order is not None]
    return [
        *(f"fault: {fault.error}" for fault in reading.faults),
        *(f"not read: {unread.text}" for unread in reading.unread),
        *(f"goes to [{each.section}]" for each in new if each.section not in (headed or [section])),
        *(f"{each.kind}: {each.why}" for each in inbox.taken.changes if each.kind in ("refused", "late")),
        *(f"twice: {order}" for order in set(orders) if orders.count(order) > 1),
    ]


def month_of(key: str, path: Path) -> Month:
    """A game by mail that has just begun."""
    box = Postbox(Store.create(path / "game.pbem"), "month")
    rules = game(key)
    options = rules.start().options
    people = {seat.key for seat in rules.seats_of(options)} - {*rules.systems_of(options)}
    players = {seat: player for seat, player in PLAYERS.items() if seat in people}
    start(box.store, NewGame(key, "month", settings=SETTINGS, seed="4", players=players), START)
    month = Month(box, key, random.Random(f"instructions {key}"))
    month.read()
    return month


@pytest.mark.parametrize("key", GAMES)
def test_what_is_offered_can_be_sent(key: str, tmp_path: Path) -> None:
    """Offers and the examples of the order form, sent back word by word, are read as what they say, in the
    section that they stand under."""
    month = month_of(key, tmp_path)
    box, chance = month.box, random.Random(key)
    sent, stops, wrong = 0, 0, []
    while box.row().status == "running" and stops < STOPS:
        position, here = looked_up(box)
        seat = waited_for(box)[0]
        section = asked_section(here, seat)
        lines = planned(game(key), position, seat, section)[:3] if section else []
        if lines:
            stops += 1
            for text, back in _sent_back(box, seat, section, [spoilt(chance, lines) for _ in range(SPOILT)]):
                sent += 1
                wrong += [(text, each) for each in amiss(back, text, section)]
        month.turn()
    print(key, sent)
    assert sent and not wrong
    box.store.close()


def _sent_back(
    box: Postbox, seat: str, section: str, letters: Iterable[Sequence[str]]
) -> Iterator[tuple[str, Inbox]]:
    """What the order form and the replies to these letters offer, with what becomes of it."""
    with box.store.transaction() as session:
        table = Table(session, only_game(session, box.game), box.now)
        form = order_form(table, table.here(), seat).split(f"[{section}]\n")[-1].split("\n\n")[0]
        for example in (line.removeprefix("; ") for line in form.splitlines() if line.startswith("; ")):
            text = f"[{section}]\n{example}"
            yield text, heard(box, session, seat, text)
        session.rollback()
    for lines in letters:
        with box.store.transaction() as session:
            first = heard(box, session, seat, "\n".join((f"[{section}]", *lines)))
            keep(first)
            reply = laid_out(
                Writing("reply", "", (), (Part("Reply", tuple(check_lines(first)), table=True),))
            )
            for text in offers(reply):
                yield text, heard(box, session, seat, text)
            session.rollback()


# --- commands that a reply names ----------------------------------------------------------------------------

CHAT = "my neighbour still owes me a dinner"
DONE = re.compile(r"(?:send|write|Draft:) (?P<send>DONE[^.,\n]*?)(?: (?:plays|closes)|\.)")
EMPTY = re.compile(
    r"Still open for you: (?P<open>[^;]+); (?P<send>NO ORDERS ALL) closes the empty ones"
    r"(?:, but not (?P<but>.*))?\."
)
NONE = re.compile(r"write (?P<send>NO ORDERS: (?P<open>[\w ]+))\.")
KEEP = re.compile(r"Reply (?P<send>KEEP) to put .*; KEEP and (?P<done>DONE(?: ANYWAY)?) also")
MUDDLED = re.compile(
    r"send(?P<all> with all your lines)?: +(?P<send>withdraw [L\d, ]+|new \[[^\]]+\]|done [\w ]+)"
)
NAMED = {"done": DONE, "empty": EMPTY, "none": NONE, "keep": KEEP, "in another order": MUDDLED}
"""Commands as replies name them."""


def commanded(
    box: Postbox, seat: str, section: str, lines: list[str], chance: random.Random, sent: Counter[str]
) -> list[str]:
    """What is wrong with the commands that the replies to a few letters name, once they are sent back; `sent`
    counts them."""
    head, wrong = f"[{section}]", list[str]()
    orders = "\n".join(lines)

    def check(fine: bool, *what: object) -> None:
        if not fine:
            wrong.append(" | ".join(map(str, what)))

    def told(pattern: re.Pattern[str], *letters: str) -> Iterator[tuple[Session, str, re.Match[str]]]:
        """The session after letters, the last reply, and what it tells to send; at least once."""
        with box.store.transaction() as session:
            reply = ""
            for text in letters:
                _, reply = answered(box, session, seat, text)
            found = [*pattern.finditer(reply)]
            for each in found:
                with session.begin_nested() as inner:
                    yield session, reply, each
                    inner.rollback()
                session.expire_all()
            session.rollback()
        sent.update(name for name, each in NAMED.items() if each is pattern for _ in found)

    def closes(session: Session, text: str, reply: str, sections: Iterable[str] = (section,)) -> None:
        inbox, again = answered(box, session, seat, text)
        missing = {*sections} - {*inbox.closing.closed}
        check(not missing, "does not close", text, missing, again[:300], "AFTER", reply[:300])

    for session, reply, found in told(DONE, "\n".join((head, lines[0], CHAT, *lines[1:], "done"))):
        closes(session, found["send"], reply)
    for session, reply, found in told(DONE, "\n".join((head, *spoilt(chance, lines), "done"))):
        closes(session, found["send"], reply)
    for session, reply, found in told(DONE, f"{head}\n{orders}"):
        closes(session, found["send"], reply)
    for session, _, found in told(KEEP, f"try\n{head}\n{orders}"):
        tried, _ = answered(box, session, seat, f"try\n{head}\n{orders}")
        kept, _ = answered(box, session, seat, found["send"])
        texts = [[line.text for line in inbox.sheet.of(section)] for inbox in (tried, kept)]
        check(texts[0] == texts[1] != [], "KEEP", *texts)
        check(not kept.closing.closed, "KEEP closes", kept.closing.closed)
    tries = [f"try\n{head}\n{text}" for text in (orders, "\n".join(spoilt(chance, lines)))]
    for session, reply, found in chain.from_iterable(told(KEEP, text) for text in tries):
        closes(session, f"{found['send']}\n{found['done']}", reply)
    for session, reply, found in told(DONE, f"{head}\ndone"):
        closes(session, found["send"], reply)
    for letters in ((orders, "\n".join(lines[::-1])), (orders, "\n".join(lines[:-1]))):
        for session, reply, found in told(MUDDLED, *(f"{head}\n{text}" for text in letters)):
            send = found["send"]
            if found["all"]:
                again, _ = answered(box, session, seat, f"{send}\n{letters[1]}")
                now = [line.text for line in again.sheet.of(section)]
                check(now == letters[1].splitlines(), send, now, letters[1].splitlines())
            elif send.startswith("withdraw"):
                again, _ = answered(box, session, seat, send)
                left = {line.title for line in again.sheet.of(section)} & {*re.findall(r"L\d+", send)}
                check(not left and not again.reading.faults, send, left)
            else:
                closes(session, send, reply)
    for session, reply, found in told(EMPTY, f"{head}\n{orders}"):
        empty = {*re.findall(r"\[([^\]]+)\]", found["open"])} - {
            *re.findall(r"\[([^\]]+)\]", found["but"] or "")
        }
        check(bool(empty), "none named", reply)
        closes(session, found["send"], reply, empty)
    for session, reply, found in told(NONE, f"{head}\ndone"):
        closes(session, found["send"], reply, (found["open"],))
    return wrong


def exemplified(box: Postbox, seat: str) -> Iterator[tuple[str, Inbox]]:
    """Each example of HELP as a letter, below its heading, and what is read of it."""
    with box.store.transaction() as session:
        table = Table(session, only_game(session, box.game), box.now)
        help = reference(table.game.grammar, None, examples(table, table.here(), seat)).splitlines()
        example = next((line[9:] for line in help if line.startswith("    e.g. ")), "pause")
        heading, condition = "", False
        for line in help:
            if not line.startswith(" "):
                heading = found[0] if (found := re.match(r"\[[^\]]+\]", line)) else heading
                condition = line == "CONDITIONS" or (condition and not found)
            elif line.startswith("    e.g. "):
                text = f"{line[9:]}, {example}" if condition else line[9:]
                yield text, heard(box, session, seat, text if condition else f"{heading}\n{text}")
        session.rollback()


def illegal(box: Postbox, seat: str, section: str) -> list[str]:
    """The examples of the order form that the rules refuse, alone and after each of those above them."""
    found: list[str] = []
    with box.store.transaction() as session:
        table = Table(session, only_game(session, box.game), box.now)
        form = order_form(table, table.here(), seat).split(f"[{section}]\n")[-1].split("\n\n")[0]
        shown = [line.removeprefix("; ") for line in form.splitlines() if line.startswith("; ")]
        shown = [line for line in shown if line not in ("done", "no orders")]
        for at, example in enumerate(shown):
            said = []
            for before in ([], *([each] for each in shown[:at])):
                back = heard(box, session, seat, "\n".join(("try", f"[{section}]", *before, example)))
                said += [[str(verdict.error) for verdict in back.judgement.faulty()]]
            if all(said):
                found.append(f"{example}: {said[0]}")
        session.rollback()
    return found


def _answers(box: Postbox, seat: str, sent: Counter[str]) -> list[str]:
    """What is wrong with the answers that a letter with questions shows, once they are sent."""
    wrong: list[str] = []
    with box.store.transaction() as session:
        table = Table(session, only_game(session, box.game), box.now)
        asks = questions(table.here().waiting, seat)
        asked = Questions.load(table.seats[seat].questions)
        shown = question_part(asks, asked).lines if asks else ()
        told = [line.strip().removeprefix("; ") for line in shown if re.match(r" +; Q", line)]
        for text in told:
            sent["answer"] += 1
            back = heard(box, session, seat, text)
            titles = [each.title for each in back.answers if each.answer]
            if titles != [text.split(":")[0]] or back.reading.faults or back.reading.unread:
                wrong.append(f"{text}: {titles}")
        session.rollback()
    return wrong


@pytest.mark.parametrize("key", few(some(GAMES, 3), "normandy71"))
def test_what_letters_say_to_send(key: str, tmp_path: Path) -> None:
    """DONE ANYWAY, KEEP, WITHDRAW, `new [movement]`, NO ORDERS and answers, sent as replies name them, do
    what these say; the examples of HELP read, and those of the form are legal."""
    month = month_of(key, tmp_path)
    box, chance = month.box, random.Random(key)
    sent, stops, several, wrong = Counter[str](), 0, 0, list[str]()
    while (
        box.row().status == "running"
        and (stops < FORMS or not sent["answer"] or not several)
        and sent["stop"] < 60
    ):
        sent["stop"] += 1
        position, here = looked_up(box)
        seat = waited_for(box)[0]
        section = asked_section(here, seat)
        lines = planned(game(key), position, seat, section)[:3] if section else []
        wrong += _answers(box, seat, sent)
        several += len(lines) > 1
        if lines and (stops < STOPS or (several <= STOPS and len(lines) > 1)):
            wrong += commanded(box, seat, section, lines, chance, sent)
            for text, back in exemplified(box, seat):
                sent["example"] += 1
                faults = [each.error for each in back.reading.faults if not each.meant]
                wrong += [f"HELP: {text}: {fault}" for fault in (*faults, *back.reading.unread)]
        if section and stops < FORMS:
            stops += 1
            wrong += [f"not legal in [{section}]: {each}" for each in illegal(box, seat, section)]
        month.turn()
    print(key, dict(sent))
    assert {*sent} >= {"done", "keep", "in another order", "answer", "example"} and not wrong, "\n".join(
        wrong
    )
    box.store.close()


# --- KEEP after a letter that came late ---------------------------------------------------------------------


def kept_late(box: Postbox, seat: str, section: str, answers: str, lines: Sequence[str]) -> Iterator[str]:
    """What is wrong with KEEP, alone and with DONE, after lines that answer the letter `answers`, which asked
    for the section before it was played."""
    text = "\n".join((f"[{section}]", *lines, "done"))
    for done in (False, True):
        with box.store.transaction() as session:
            late, reply = answered(box, session, seat, text, answers)
            before = {line.name for line in late.sheet.lines}
            aside = [line.text for line in late.taken.aside]
            found = KEEP.search(reply)
            if len(aside) != len(lines) or late.closing.closed:
                yield f"not late: {lines}: {reply}"
            elif found is None:
                yield f"no KEEP is offered: {reply}"
            else:
                send = f"{found['send']}\n{found['done']}" if done else found["send"]
                back, again = answered(box, session, seat, send)
                new = [line.text for line in back.sheet.of(section) if line.name not in before]
                if [text for text in aside if text not in new and text not in again]:
                    yield f"{send}: {aside} became {new}: {again}"
                if (section in back.closing.closed) != done:
                    yield f"{send}: closed {back.closing.closed}: {reply} AND {again}"
            session.rollback()


@pytest.mark.dear
@pytest.mark.parametrize("key", GAMES)
def test_keep_after_a_late_letter(key: str, tmp_path: Path) -> None:
    """The reply to a late letter offers KEEP: sent alone it puts the lines on the sheet, or says why not;
    with the DONE that is named it closes their section. So with lines that are legal now, and with those
    that were when the section was asked for."""
    month = month_of(key, tmp_path)
    box, stops, wrong = month.box, Counter[str](), list[str]()
    asked: dict[tuple[str, str], tuple[int, str, list[str]]] = {}
    while box.row().status == "running" and stops["late"] < LATE and stops["stop"] < 90:
        stops["stop"] += 1
        position, here = looked_up(box)
        seat = waited_for(box)[0]
        section = asked_section(here, seat)
        lines = planned(game(key), position, seat, section)[:3] if section else []
        if lines:
            number, answers, old = asked.get((seat, section), (here.number, "", []))
            if number != here.number:
                stops["late"] += 1
                for letter in (lines, old):
                    wrong += [
                        f"[{section}] {each}" for each in kept_late(box, seat, section, answers, letter)
                    ]
            asked[seat, section] = here.number, month.last[box.address(seat)], lines
        month.turn()
    print(key, dict(stops))
    assert stops["late"] and not wrong, "\n".join(wrong)
    box.store.close()
