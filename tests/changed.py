"""Letters as people change them: valid letters of real positions, the ways in which letters get changed
between head and server, and what must hold of every one of them (protocol.md: nobody loses a turn by a
letter)."""

from __future__ import annotations

import random
import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from textwrap import wrap
from typing import Any

from conftest import NOW
from correspondence import PLAYERS, SETTINGS, put
from sizes import some

from pbem.engine.bots import greedy_bot, seated
from pbem.engine.desk import Desk, FirstOf
from pbem.engine.dice import GameDice, HashChain, new_secret
from pbem.engine.game import Game, GameState, game
from pbem.engine.language import Line
from pbem.engine.language.names import Names
from pbem.engine.language.reading import unlisted
from pbem.engine.play import Answer, Decision, advance
from pbem.mail.letter import parse
from pbem.mail.text import plain as straight
from pbem.service.intake.inbox import Inbox, consider, inbox_of, keep
from pbem.service.intake.replies import check_lines, first_line
from pbem.service.intake.submit import letter as written
from pbem.service.letters.sheets import SHOWN
from pbem.service.moderating.start import NewGame, Player, start
from pbem.service.play.sheet import SheetLine
from pbem.service.record.rows import LetterRow
from pbem.service.record.store import Store, locked_game
from pbem.service.record.table import Table

PHASES = {"normandy71": 16, "rampage": 10, "falaise": 30, "normandy44": 14, "france44": 16}
"""How many phases of a game of bots letters are taken from."""


# --- valid letters ------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Original:
    """A letter without a fault: who writes it, at the start of which phase, and its order lines by
    section."""

    game: str
    label: str
    seat: str
    sections: tuple[tuple[str, tuple[str, ...]], ...]


@dataclass(frozen=True)
class Stretch:
    """A phase played by bots: its start, and what was ordered by whom in which section."""

    label: str
    turn: int
    drawn: bool
    state: GameState
    orders: tuple[tuple[str, str, str], ...]


@dataclass
class Notebook:
    """Bots whose orders are noted: seat, section and words of each."""

    answers: Callable[[Decision], Answer | None]
    write: Callable[[Any], str]
    given: list[tuple[str, str, str]] = field(default_factory=list)

    def __call__(self, request: Decision) -> Answer | None:
        answer = self.answers(request)
        ask, value = request, answer.value if answer else None
        if isinstance(request, FirstOf) and value is not None:
            ask = next(ask for ask in request.asks if ask.seat == value[0])
            value = value[1]
        if isinstance(ask, Desk) and value is not None:
            self.given.append((ask.seat, ask.section, self.write(value)))
        return answer


def stretches(key: str, seed: str) -> Iterator[Stretch]:
    """The first phases of a game of greedy bots."""
    rules: Game[Any] = game(key)
    state = rules.start()
    chain = HashChain(new_secret(seed), rules.turns)
    bots = {seat.key: greedy_bot(rules.judge, random.Random(f"{seed}|{seat.key}")) for seat in rules.seats}
    for _ in range(PHASES[key]):
        if not state.phase:
            return
        phase, label, begun = rules.phase(state.phase), rules.label(state), rules.dump(state)
        notes = Notebook(seated(bots, state), rules.grammar.write)
        dice = GameDice(chain, key, max(1, state.turn), label)
        advance(phase.play(state), state, answers=notes, dice=dice)
        yield Stretch(label, state.turn, phase.drawn, rules.load(begun), tuple(notes.given))
        rules.next_phase(state)


ORIGINALS = 8
"""Phases of a game from which letters are taken in a bare run."""


@cache
def originals(key: str, seed: str = "1") -> tuple[Original, ...]:
    """The letters that the bots of a game might have written: for each phase, with what they ordered in the
    phases after it up to the next of the other side."""
    played = list(stretches(key, seed))
    found = []
    for at, begun in some(list(enumerate(played)), ORIGINALS):
        for seat in dict.fromkeys(order[0] for order in begun.orders):
            lines: dict[str, list[str]] = {}
            for stretch in played[at:]:
                theirs = {order[0] for order in stretch.orders} - {seat}
                if stretch is not begun and (
                    theirs or stretch.turn != begun.turn or stretch.drawn or begun.drawn
                ):
                    break
                for who, section, text in stretch.orders:
                    if who == seat:
                        lines.setdefault(section, []).append(text)
            original = _without_faults(Original(key, begun.label, seat, _frozen(lines)), begun.state)
            if original.sections:
                found.append(original)
    return tuple(found)


def _frozen(lines: dict[str, list[str]]) -> tuple[tuple[str, tuple[str, ...]], ...]:
    return tuple((section, tuple(texts[:12])) for section, texts in lines.items() if texts)


def _without_faults(original: Original, state: GameState) -> Original:
    """The letter without the lines that are faulty in it, as what is ordered for later may be when the dice
    fell otherwise."""
    for _ in range(4):
        seen = Mailbox.at(original, state).send(Changed.of(original, done=False).text)
        bad = {(line.section, line.text.strip()) for line in seen.sheet if line.state == "faulty"}
        bad |= {("", text) for text in seen.faults}
        if not bad:
            return original
        sections = [
            (
                section,
                tuple(text for text in lines if (section, text) not in bad and ("", text) not in bad),
            )
            for section, lines in original.sections
        ]
        original = replace(original, sections=tuple(each for each in sections if each[1]))
    return replace(original, sections=())


# --- the desk that a letter comes to ------------------------------------------------------------------------


@dataclass(frozen=True)
class Seen:
    """What came of a letter: the sheet, the sections that it closes, what it sends to others, and what its
    writer is told."""

    sheet: tuple[SheetLine, ...]
    closed: frozenset[str]
    press: tuple[str, ...]
    reply: str
    faults: tuple[str, ...]
    last: str = ""
    """What the last letter alone was answered."""
    earlier: tuple[Meaning, ...] = ()
    """What the sheet said before the last letter."""


class Mailbox:
    """A position that letters come to, and that stays as it is."""

    def __init__(self, original: Original, state: GameState) -> None:
        self.original = original
        self.store = Store.create("sqlite://")
        players = {key: Player(player.name) for key, player in PLAYERS.items()}
        rules = game(original.game)
        seats = {seat.key for seat in rules.seats}
        mine = {key: player for key, player in players.items() if key in seats}
        start(self.store, NewGame(original.game, "changed", settings=SETTINGS, seed="5", players=mine), NOW)
        put(self.store, "changed", state, {key: PLAYERS[key] for key in mine})

    @classmethod
    def at(cls, original: Original, state: GameState | None = None) -> Mailbox:
        key = original.game, original.label
        if key not in _DESKS:
            if state is None:
                state = next(each.state for each in stretches(key[0], "1") if each.label == key[1])
            while len(_DESKS) >= 24:
                _DESKS.pop(next(iter(_DESKS))).store.close()
            _DESKS[key] = cls(original, state)
        return replace_original(_DESKS[key], original)

    def send(self, *letters: str) -> Seen:
        """What comes of letters of which only the last one may close anything."""
        with self.store.transaction() as session:
            table = Table(session, locked_game(session, "changed"), NOW)
            replies: list[str] = []
            earlier: tuple[Meaning, ...] = ()
            for number, text in enumerate(letters, 1):
                inbox = self._considered(table, text)
                if number < len(letters):
                    keep(inbox)
                    earlier = meanings(inbox.sheet.lines)
                seen = _seen(inbox)
                replies.append(seen.reply)
            session.rollback()
        return replace(seen, reply=" ".join(replies), last=replies[-1], earlier=earlier)

    def _considered(self, table: Table, text: str) -> Inbox:
        seat = table.seats[self.original.seat]
        raw = written(seat.address or "writer@x.example", table.address, text)
        row = LetterRow(identity="", received=table.now, raw=raw)
        inbox = inbox_of(table, seat, parse(raw), row)
        consider(inbox)
        return inbox


_DESKS: dict[tuple[str, str], Mailbox] = {}


def replace_original(desk: Mailbox, original: Original) -> Mailbox:
    desk.original = original
    return desk


def _seen(inbox: Inbox) -> Seen:
    press = tuple(command.text for command in inbox.said("press"))
    reply = "\n".join((first_line(inbox, inbox.here), *check_lines(inbox), *press))
    faults = tuple(fault.text.strip() for _, fault in inbox.taken.faults)
    return Seen(tuple(inbox.sheet.lines), frozenset(inbox.closing.closed), press, plain(reply), faults)


def plain(text: str) -> str:
    """Words without the spaces and line ends between them, as they are compared."""
    return "".join(straight(unicodedata.normalize("NFC", text)).split())


# --- letters as rows ----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Row:
    """A line of a letter. `orders` are the numbers of the original orders that it holds, or part of it;
    `kind` is order, heading, done, press or word. `free` tells that its writer has written another unit, hex
    or number, which is then what he says."""

    text: str
    kind: str = "word"
    section: str = ""
    orders: tuple[int, ...] = ()
    free: bool = False
    quoted: bool = False


@dataclass(frozen=True)
class Changed:
    """A letter on its way: its rows, and the letter that its writer meant. `before` are the rows of a letter
    sent ahead of it."""

    original: Original
    rows: tuple[Row, ...]
    before: tuple[Row, ...] = ()
    homeless: frozenset[str] = frozenset()
    """Sections whose heading has been lost or changed."""
    said: tuple[str, ...] = ()
    """What was done to it."""

    @classmethod
    def of(cls, original: Original, *, done: bool, press: str = "") -> Changed:
        """The letter as its writer meant it."""
        rows: list[Row] = []
        number = 0
        for section, lines in original.sections:
            rows.append(Row(f"[{section}]", "heading", section))
            for text in lines:
                rows.append(Row(text, "order", section, (number,)))
                number += 1
            if done:
                rows.append(Row("done", "done", section))
        if press:
            rows.insert(len(rows) // 2, Row(press, "press"))
        return cls(original, tuple(rows))

    @property
    def text(self) -> str:
        return "\n".join(row.text for row in self.rows) + "\n"

    def with_(self, rows: Sequence[Row], what: str, **more: Any) -> Changed:
        return replace(self, rows=tuple(rows), said=(*self.said, what), **more)


Mutation = Callable[[Changed, random.Random], Changed]


def _places(letter: Changed, *kinds: str) -> list[int]:
    return [at for at, row in enumerate(letter.rows) if row.kind in kinds and not row.quoted]


def _word(row: Row, rng: random.Random) -> tuple[int, int] | None:
    words = [match.span() for match in re.finditer(r"[^\s,;\[\]]{2,}", row.text)]
    return rng.choice(words) if words else None


def slip(letter: Changed, rng: random.Random) -> Changed:
    """A sign of a line is swapped with the next, dropped or doubled."""
    places = _places(letter, "order", "heading", "done", "press")
    if not places:
        return letter
    at = rng.choice(places)
    row = letter.rows[at]
    span = _word(row, rng)
    if span is None:
        return letter
    here = rng.randrange(span[0], span[1])
    text = row.text
    how = rng.choice(["swap", "drop", "double"])
    if how == "swap" and here + 1 < span[1]:
        new = text[:here] + text[here + 1] + text[here] + text[here + 2 :]
    elif how == "drop":
        new = text[:here] + text[here + 1 :]
    else:
        new = text[: here + 1] + text[here] + text[here + 1 :]
    old = text[span[0] : span[1]]
    name = any(sign.isdigit() or sign in "/." for sign in old) or old[0].isupper()
    word = new[span[0] : span[1] + len(new) - len(text)]
    roman = set(word.lower()) <= set("iv")
    free = row.free or (row.kind == "order" and (roman or (name and _is_name(letter.original, word))))
    changed = replace(row, text=new, free=free)
    if re.match(r"\s*(?:#{2}|#\D|;|//)", new):
        changed = replace(changed, quoted=True, kind="word")  # a comment is never read
    rows = [*letter.rows[:at], changed, *letter.rows[at + 1 :]]
    homeless = letter.homeless
    if row.kind == "heading":
        homeless |= {row.section, *_behind(letter, at)}
    if row.kind == "done" and not re.search(r"\bdone\b", new, re.IGNORECASE):
        rows[at] = replace(changed, kind="word")
    return letter.with_(rows, f"slip in {row.text!r}: {new!r}", homeless=homeless)


@cache
def _names(key: str, seat: str) -> Names:
    rules = game(key)
    return Names(rules.roster(rules.start(), seat))


def _is_name(original: Original, word: str) -> bool:
    """Whether a word names a unit or hex, or is a number as such: who writes it has said so."""
    bare, names = word.strip(".,:;()"), _names(original.game, original.seat)
    if bare.isdigit() or not any(map(str.isalnum, bare)) or len(bare) < 3:
        return True
    meant = names.meant([bare], frozenset()) if any(map(str.isdigit, bare)) else None
    return bare.casefold() in names.units or (meant is not None and len(meant.units) == 1)


def _behind(letter: Changed, at: int) -> set[str]:
    """The section before a heading, to which the lines below it fall if it is lost."""
    earlier = [row.section for row in letter.rows[:at] if row.kind == "heading"]
    return {earlier[-1]} if earlier else set()


def lose_heading(letter: Changed, rng: random.Random) -> Changed:
    """A heading is lost."""
    places = _places(letter, "heading")
    if not places:
        return letter
    at = rng.choice(places)
    row = letter.rows[at]
    rows = [*letter.rows[:at], *letter.rows[at + 1 :]]
    return letter.with_(
        rows, f"lost {row.text}", homeless=letter.homeless | {row.section, *_behind(letter, at)}
    )


def title(letter: Changed, rng: random.Random) -> Changed:
    """A heading is written as people speak of it."""
    places = _places(letter, "heading")
    if not places:
        return letter
    at = rng.choice(places)
    row = letter.rows[at]
    titles = [
        phase.title
        for phase in game(letter.original.game).phases
        if row.section in phase.sections and letter.original.seat in phase.seats
    ]
    forms = [
        *titles, *(f"[{each}]" for each in titles), row.section, f"{row.section}:",
        f"[{row.section.upper()}]", f"{row.section.capitalize()} orders", f"** {row.section} **",
        f"-- {row.section} --", f"[{row.section[:4]}]", f"[ {row.section} ]", f"[{row.section}",
    ]  # fmt: skip
    text = rng.choice(forms)
    rows = [*letter.rows[:at], replace(row, text=text), *letter.rows[at + 1 :]]
    return letter.with_(
        rows, f"{row.text} as {text!r}", homeless=letter.homeless | {row.section, *_behind(letter, at)}
    )


def move_line(letter: Changed, rng: random.Random) -> Changed:
    """A line stands elsewhere in its section."""
    places = _places(letter, "order")
    if not places:
        return letter
    at = rng.choice(places)
    row = letter.rows[at]
    others = [other for other in places if letter.rows[other].section == row.section]
    rows = list(letter.rows)
    del rows[at]
    rows.insert(rng.choice(others), row)
    return letter.with_(rows, f"moved {row.text!r}")


def double_line(letter: Changed, rng: random.Random) -> Changed:
    """A line stands there twice."""
    places = _places(letter, "order", "heading", "done")
    if not places:
        return letter
    at = rng.choice(places)
    rows = [*letter.rows[: at + 1], letter.rows[at], *letter.rows[at + 1 :]]
    return letter.with_(rows, f"doubled {letter.rows[at].text!r}")


def merge(letter: Changed, rng: random.Random) -> Changed:
    """The end of a line is lost: two lines are one."""
    places = [at for at in range(len(letter.rows) - 1) if not letter.rows[at].quoted]
    if not places:
        return letter
    at = rng.choice(places)
    one, two = letter.rows[at : at + 2]
    kind = "press" if one.kind == "press" else "order" if one.orders or two.orders else "word"
    if not (one.text.strip() and two.text.strip()):
        rows = [*letter.rows[:at], one if one.text.strip() else two, *letter.rows[at + 2 :]]
        return letter.with_(rows, "an empty line lost")
    text = one.text + rng.choice([" ", " ", ", ", "; ", ""]) + two.text
    if two.kind == "done" and re.search(r"[;,]\s*$", text[: -len(two.text)]):
        return letter  # what a line break may make of this, nobody can say
    if one.kind == "done" or (one.kind, two.kind) == ("heading", "done"):
        kind = "done"
    row = Row(text, kind, one.section or two.section, (*one.orders, *two.orders), free=one.free or two.free)
    lost = {each.section for each in (one, two) if each.kind == "heading"}
    lost |= _behind(letter, at + 1) if two.kind == "heading" else _behind(letter, at) if lost else set()
    rows = [*letter.rows[:at], row, *letter.rows[at + 2 :]]
    return letter.with_(rows, f"merged {text!r}", homeless=letter.homeless | lost)


def wrapped(letter: Changed, rng: random.Random) -> Changed:
    """A mail program breaks long lines."""
    width = rng.choice([72, 60, 40, 30])
    rows: list[Row] = []
    for row in letter.rows:
        parts = wrap(row.text, width, break_long_words=False, break_on_hyphens=False) or [row.text]
        if len(parts) == 1 or row.kind in ("heading", "done"):
            rows.append(row)
            continue
        first = row.kind
        rows += [
            replace(row, text=part, kind=first if number == 0 or row.orders else "word")
            for number, part in enumerate(parts)
        ]
    return letter.with_(rows, f"wrapped at {width}")


def case(letter: Changed, rng: random.Random) -> Changed:
    """Capitals, or none."""
    how = rng.choice([str.upper, str.lower, str.capitalize, str.swapcase])
    every = rng.random() < 0.5
    rows = [
        replace(row, text=how(row.text)) if row.kind != "press" and (every or rng.random() < 0.4) else row
        for row in letter.rows
    ]
    return letter.with_(rows, how.__name__)


def numbered(letter: Changed, rng: random.Random) -> Changed:
    """The lines are a list."""
    style = rng.choice(
        ["{n}. ", "{n}) ", "({n}) ", "{a}) ", "- ", "* ", "• ", "– ", "{n}: ", "{n} - ", "#{n} "]
    )
    rows, number = [], 0
    for row in letter.rows:
        if row.orders or (row.kind == "done" and rng.random() < 0.3):
            number += 1
            lead = style.format(n=number, a=chr(96 + (number - 1) % 26 + 1))
            row = replace(row, text=lead + row.text)
        rows.append(row)
    return letter.with_(rows, f"list {style!r}")


def smart(letter: Changed, rng: random.Random) -> Changed:
    """Punctuation as word processors and telephones set it."""
    table = rng.choice(
        [
            {"-": "–"}, {"-": "—"}, {"->": "→"}, {" ": "\u00a0"}, {"'": "’", '"': "”"}, {"...": "…"},
            {",": "，"}, {" to ": " → "}, {"-": "\u2011"}, {"/": "∕"}, {" ": "  "}, {" ": "\t"},
        ]
    )  # fmt: skip
    rows = []
    for row in letter.rows:
        text = row.text
        for old, new in table.items():
            text = text.replace(old, new)
        rows.append(replace(row, text=text) if row.kind != "press" else row)
    if rng.random() < 0.3:
        rows = [replace(row, text=unicodedata.normalize("NFD", row.text)) for row in rows]
    return letter.with_(rows, f"smart {table}")


GREETINGS = (
    "Hi Bernd,",
    "Hallo zusammen,",
    "Dear all,",
    "Bonjour,",
    "Hello pbem!",
    "Moin,",
    "Evening all - here we go:",
)
ENDINGS = (
    ("Cheers,", "Anna"), ("Best regards", "Anna Meier"), ("Viele Grüße,", "Bernd"), ("Good luck!",),
    ("Your move, Bernd!",), ("A.",),
    ("-- ", "Anna Meier, 8/4 Rue Truc, 75011 Paris", "Tel. 0171 5230 44"), ("Sent from my iPhone",),
    ("Thanks!", "", "Anna"),
    ("--", "8/4 to the end!"),
    ("_______________________________________________", "club mailing list", "club@lists.example"),
    ("Mit freundlichen Grüßen", "Dr. A. Meier"), ("Get Outlook for iOS<https://aka.ms/o0ukef>",), ("/Anna",),
    ("Anna (on the train)",),
)  # fmt: skip
CHAT = (
    "Sorry for the delay, the kids were ill.", "What a turn that was, nothing landed where it should.",
    "I think the 47th will not like this.", "Let me know if anything is wrong.",
    "The rest stays where it is.", "Here are the orders for this turn:",
)  # fmt: skip
FOOTERS = (
    ("This e-mail is confidential. If you are not the intended recipient, please delete it.",),
    ("--", "Diese Nachricht wurde von meinem Telefon gesendet."),
    ("> On Fri, pbem wrote:", "> [movement]", "> ; move <units> to <hex>", "> ; done"),
    ("-----Original Message-----", "From: pbem", "Subject: your move", "", "[movement]", "; done"),
)  # fmt: skip


def greeting(letter: Changed, rng: random.Random) -> Changed:
    """Friendly words above."""
    rows = [Row(rng.choice(GREETINGS)), Row("")]
    if rng.random() < 0.5:
        rows += [Row(rng.choice(CHAT)), Row("")]
    return letter.with_([*rows, *letter.rows], "greeting")


def signature(letter: Changed, rng: random.Random) -> Changed:
    """Friendly words below."""
    gap = [Row("")] if rng.random() < 0.5 else []
    ending = rng.choice(ENDINGS)
    return letter.with_([*letter.rows, *gap, *(Row(text) for text in ending)], f"signed {ending}")


def footer(letter: Changed, rng: random.Random) -> Changed:
    """What mail programs and companies put below."""
    lines = rng.choice(FOOTERS)
    return letter.with_(
        [*letter.rows, Row(""), *(Row(text, quoted=True) for text in lines)], f"footer {lines}"
    )


def chat(letter: Changed, rng: random.Random) -> Changed:
    """A sentence between the lines."""
    at = rng.randrange(len(letter.rows) + 1)
    text = rng.choice(CHAT)
    return letter.with_([*letter.rows[:at], Row(text), *letter.rows[at:]], f"said {text!r}")


def quoted(letter: Changed, rng: random.Random) -> Changed:
    """The letter again below, as it is quoted in the answer to an answer; or the letter itself quoted by
    mistake."""
    again = [Row(f"> {row.text}", quoted=True) for row in letter.rows]
    if rng.random() < 0.7:
        return letter.with_([*letter.rows, Row(""), *again], "quoted below")
    rows = [replace(row, text=f"> {row.text}", quoted=True, kind="word") for row in letter.rows]
    return letter.with_(rows, "quoted whole")


def two_letters(letter: Changed, rng: random.Random) -> Changed:
    """The letter in two parts, of which the first says nothing of done."""
    if letter.before or len(letter.rows) < 3:
        return letter
    at = rng.randrange(1, len(letter.rows))
    first = [row for row in letter.rows[:at] if row.kind not in ("done", "press")]
    rest = list(letter.rows[at:])
    heads = [row for row in first if row.kind == "heading" and not row.quoted]
    if heads and rest and rest[0].kind != "heading":
        rest.insert(0, heads[-1])
    return letter.with_(rest, "two letters", before=tuple(first))


def correction(letter: Changed, rng: random.Random) -> Changed:
    """A slip, and then the right line alone, under its heading or under none, with done or without."""
    places = [
        at
        for at in _places(letter, "order")
        if len(letter.rows[at].orders) == 1
        and sum(row.orders == letter.rows[at].orders for row in letter.rows) == 1
    ]
    if not places or letter.before:
        return letter
    at = rng.choice(places)
    row = letter.rows[at]
    words = row.text.split()
    broken = replace(
        row,
        text=" ".join(["xx" + words[0], *words[1:]]) if rng.random() < 0.5 else f"{row.text} 99x",
        free=False,
    )
    first = [
        each
        for each in [*letter.rows[:at], broken, *letter.rows[at + 1 :]]
        if each.kind not in ("done", "press")
    ]
    rest = [row]
    rest += [each for each in letter.rows if each.kind == "done" and each.section == row.section][:1]
    homeless = letter.homeless
    if rng.random() < 0.7:
        rest.insert(0, Row(f"[{row.section}]", "heading", row.section))
    else:
        homeless |= {row.section}
    return letter.with_(rest, f"{broken.text!r} corrected", before=tuple(first), homeless=homeless)


MUTATIONS: tuple[Mutation, ...] = (
    slip, slip, slip, lose_heading, title, move_line, double_line, merge, wrapped, case, numbered, smart,
    greeting, signature, footer, chat, quoted, two_letters, correction,
)  # fmt: skip


def changed(original: Original, seed: int, count: int) -> Changed:
    """A letter as it arrives after `count` changes."""
    rng = random.Random(seed)
    other = "german" if original.seat == "allied" else "allied"
    press = rng.choice(["", "", f"press {other}: Well fought so far, old friend!"])
    if other not in {seat.key for seat in game(original.game).seats}:
        press = ""
    letter = Changed.of(original, done=rng.random() < 0.7, press=press)
    for mutation in rng.sample(MUTATIONS, count):
        letter = mutation(letter, rng)
    return letter


# --- what must hold -----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Meaning:
    """What an order line says."""

    section: str
    order: Any
    conditions: tuple[Any, ...]
    otherwise: Any
    attempt: bool

    @classmethod
    def of(cls, line: Line, section: str) -> Meaning:
        return cls(section, line.order, line.conditions, line.otherwise, line.attempt)

    @property
    def words(self) -> tuple[Any, ...]:
        return self.order, self.conditions, self.otherwise, self.attempt


def meanings(lines: Iterable[SheetLine]) -> tuple[Meaning, ...]:
    """What the lines of a sheet say, as far as they can be read."""
    return tuple(Meaning.of(line.line, line.section) for line in lines if line.line is not None)


@cache
def meant(original: Original) -> tuple[Meaning, ...]:
    """What the lines of a letter say, in the order in which they are written. Lines are read one by one:
    nothing stands between them."""
    lines = Mailbox.at(original).send(Changed.of(original, done=False).text).sheet
    by_text = {(line.section, line.text.strip()): line for line in lines}
    return tuple(
        Meaning.of(found, section)
        for section, texts in original.sections
        for text in texts
        if (found := by_text[section, text].line) is not None
    )


@dataclass
class Outcome:
    """What came of a changed letter, order by order: carried out as meant if it is done (`kept`), named in
    the reply (`named`), or wrong in some way."""

    kept: int = 0
    named: int = 0
    wrong: list[str] = field(default_factory=list)


def judge(letter: Changed) -> Outcome:
    """Whether all that must hold of a letter holds."""
    texts = ["\n".join(row.text for row in rows) + "\n" for rows in (letter.before, letter.rows) if rows]
    seen = Mailbox.at(letter.original).send(*texts)
    rows = [*letter.before, *letter.rows]
    outcome = Outcome()
    wanted = meant(letter.original)
    there = meanings(seen.sheet)
    for number, meaning in enumerate(wanted):
        mine = [row for row in rows if number in row.orders and not row.quoted]
        found = [each for each in there if each.words == meaning.words]
        if not mine:
            continue
        if found and (meaning in found or meaning.section in letter.homeless):
            outcome.kept += 1
            continue
        reply = seen.last if meaning in seen.earlier else seen.reply
        if all(_is_named(row, seen, reply) for row in mine if _weighs(row)):
            outcome.named += 1
        else:
            outcome.wrong.append(f"neither kept nor named: {[row.text for row in mine]}")
        told = meaning in seen.earlier or mine[0] in letter.before
        replaced = told and _is_named(mine[0], seen, seen.last)
        free = replaced or any(row.free or row.kind == "press" for row in mine)
        if meaning.section in seen.closed and not free and meaning.section not in letter.homeless:
            outcome.wrong.append(f"[{meaning.section}] is closed without: {[row.text for row in mine]}")
    _judge_sense(letter, seen, wanted, outcome)
    _judge_done(letter, seen, outcome)
    _judge_press(letter, seen, outcome)
    return outcome


def _is_named(row: Row, seen: Seen, reply: str) -> bool:
    """Whether the reply shows a line; of press that was sent it quotes the message."""
    sent = row.kind == "press" and any(plain(text) in plain(row.text) for text in seen.press)
    text = re.sub(r"^\s*(?:#?\d+:?\s|\[[^\]]*\])", "", unlisted(row.text))
    if sent or plain(text) in reply or all(plain(part) in reply for part in text.split(";")):
        return True
    cuts = (text[at : at + 50] for at in range(len(text) - 50))  # a long line is shown around its fault
    return len(text) > SHOWN and any(plain(cut) in reply for cut in cuts)


def _weighs(row: Row) -> bool:
    return any(map(str.isalnum, row.text))


def _judge_sense(letter: Changed, seen: Seen, wanted: Sequence[Meaning], outcome: Outcome) -> None:
    """Nothing is closed that says something else than was meant."""
    free = any(row.free for row in (*letter.before, *letter.rows))
    allowed = Counter(each.words for each in wanted)
    for line in seen.sheet:
        if line.line is None or line.section not in seen.closed:
            continue
        if Meaning.of(line.line, line.section).words not in allowed and not free:
            outcome.wrong.append(f"closed in another sense: [{line.section}] {line.text.strip()}")


def _judge_done(letter: Changed, seen: Seen, outcome: Outcome) -> None:
    """No section closes without DONE."""
    said = {row.section for row in letter.rows if row.kind == "done" and not row.quoted}
    extra = seen.closed - said
    if extra and not (said and letter.homeless):
        outcome.wrong.append(f"closed without done: {sorted(extra)}")


def _judge_press(letter: Changed, seen: Seen, outcome: Outcome) -> None:
    """Nothing reaches another player that does not stand under PRESS."""
    rows = [plain(row.text).casefold() for row in letter.rows if row.kind == "press"]
    for text in seen.press:
        if not any(plain(text).casefold() in row for row in rows):
            outcome.wrong.append(f"sent as press: {text!r}")
