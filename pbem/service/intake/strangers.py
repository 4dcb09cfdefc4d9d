"""Use case: a letter of somebody who has no part in any game here. HELP, LIST and JOIN are answered, each at
most once a day, if the domain of the sender vouches for the letter (mail/senders.py). Who asks to play is
told to the moderators of the game, who decide."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from textwrap import shorten

from sqlmodel import Session, col, func, select

from pbem.engine.game import game
from pbem.mail.address import Claim
from pbem.mail.compose import Envelope, Key, compose
from pbem.mail.letter import Letter
from pbem.service.letters.deadlines import clock_words
from pbem.service.letters.layout import Writing, as_text
from pbem.service.letters.log import Part
from pbem.service.moderating.held import shown
from pbem.service.record import reliability
from pbem.service.record.notices import tell_moderators
from pbem.service.record.rows import GameRow, OutboxRow, SeatRow, StaffRow
from pbem.service.record.terms import is_public

KIND = "stranger"
"""The kind of a letter to somebody who has no part in any game."""

EVERY = timedelta(days=1)
"""The least time between two answers to the same word of one sender."""

MOST_A_DAY = 100
"""At most this many strangers' letters are answered in a day."""

MOST_SHOWN = 200
"""Moderators read at most this many characters of a request to play."""

ASKS = "Somebody asks to play (JOIN)"

_WORD = re.compile(r"\W*(help|list|join)\b[\s:.,!?-]*(.*)", re.IGNORECASE | re.DOTALL)
_MACHINES = re.compile(r"(?:no|do-?not)[-_.]?reply\b|bounces?\b|notifications?\b|newsletter\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Open:
    """A game that takes players: its name, what it is, the seats that nobody plays with their titles, what is
    said of its clock, its moderators as they can be written to, and lines on how reliable its players are, if
    everybody may know that."""

    id: str
    title: str
    seats: Mapping[str, str]
    clock: str
    moderators: Sequence[str]
    players: Sequence[str] = ()

    def lines(self) -> Iterator[str]:
        """What a stranger reads of it."""
        yield f"{self.id}: {self.title}"
        yield f"    deadlines: {self.clock}"
        yield f"    moderator: {', '.join(self.moderators)}"
        yield from (f"    {player}" for player in self.players)
        for seat, title in self.seats.items():
            yield f"    to play {title}, send: JOIN {self.id} {seat}"


def answer_stranger(
    session: Session,
    letter: Letter,
    claim: Claim | None,
    now: datetime,
    address: str,
    *,
    may_ask: bool = True,
) -> str | None:
    """Answer a letter that is sent to the server's own address and belongs to no game; the caller has seen
    that its sender is who he claims to be. Without `may_ask` JOIN is answered with a refusal. Return the word
    that it was about; None if it is not one to answer."""
    word, rest = _word_of(letter)
    mine = address.lower() in letter.recipients and claim is None and not letter.codes
    machine = letter.sender == address.lower() or _MACHINES.match(letter.sender)
    if not (word and address and mine) or letter.doubtful or machine:
        return None
    if _answered(session, now, letter.sender, word) or _answered(session, now) >= MOST_A_DAY:
        return None
    answer = _ANSWERS[word] if may_ask or word != "JOIN" else _not_here
    writing = answer(session, letter, rest, now, address)
    host = address.partition("@")[2]
    key = Key("", "", KIND, word, secret=letter.digest.encode())
    raw = compose(
        Envelope(
            key=key, sender=address, to=letter.sender, subject=writing.subject, text=as_text(writing),
            date=now, in_reply_to=letter.message_id, auto="auto-replied",
        )
    )  # fmt: skip
    session.add(
        OutboxRow(
            key=f"{key.slug}-{letter.digest[:16]}", recipient=letter.sender, kind=KIND, about=word,
            message_id=key.message_id(host), subject=writing.subject, raw=raw, created=now,
        )
    )  # fmt: skip
    return word


def _word_of(letter: Letter) -> tuple[str, str]:
    """The word that a letter begins with, in its text or else in its subject, and what follows it on its
    line; empty strings if it begins with none."""
    first = next((line.text for line in letter.own), "")
    for text in (first, letter.subject):
        if match := _WORD.fullmatch(text):
            return match[1].upper(), match[2].strip()
    return "", ""


def _answered(session: Session, now: datetime, sender: str = "", word: str = "") -> int:
    """How many answers to strangers were written within a day; to one sender, about one word."""
    query = select(func.count()).where(OutboxRow.kind == KIND, col(OutboxRow.created) > now - EVERY)
    if sender:
        query = query.where(OutboxRow.recipient == sender, OutboxRow.about == word)
    return session.exec(query).one()


# --- the games that take players ----------------------------------------------------------------------------


def open_games(session: Session) -> list[Open]:
    """The games that their hosts have opened to strangers and that lack a player."""
    running = select(GameRow).where(GameRow.status == "running").order_by(col(GameRow.id))
    found = (_open(session, row) for row in session.exec(running) if row.settings.get("open"))
    return [each for each in found if each is not None]


def _open(session: Session, row: GameRow) -> Open | None:
    try:
        rules = game(row.game)
    except Exception:  # a package that is gone or broken: such a game takes nobody
        return None
    seats = session.exec(select(SeatRow).where(SeatRow.game == row.id).order_by(col(SeatRow.key))).all()
    free = {each.key: rules.seat(each.key).title for each in seats if not (each.address or each.bot)}
    staff = session.exec(select(StaffRow).where(StaffRow.game == row.id, StaffRow.role == "moderator"))
    moderators = [f"{each.name} <{each.address}>" if each.name else each.address for each in staff]
    if not free or not moderators:
        return None
    clock = clock_words(row.settings) or "none"
    scenario = rules.scenarios[row.scenario].title
    known = reliability.of_seats(session, seats) if is_public(row.settings) else {}
    names = {each.key: each.name or "a player without a name" for each in seats}
    players = [f"{rules.seat(key).title} is {names[key]}: {record.words()}" for key, record in known.items()]
    return Open(row.id, f"{rules.title}, {scenario}", free, clock, moderators, players)


def _open_part(games: Sequence[Open]) -> Part:
    lines = [line for each in games for line in each.lines()] or ["No game here waits for players now."]
    return Part("Games that wait for players", tuple(lines))


# --- the answers --------------------------------------------------------------------------------------------


def _help(session: Session, letter: Letter, rest: str, now: datetime, address: str) -> Writing:
    about = (
        f"{address} is a program, pbem, that runs wargames by email. Players write orders in plain words; "
        "it applies the rules, throws dice that anybody can check, and sends each player a map and a log of "
        "what that player may know.",
    )
    words = (
        "HELP  this letter",
        "LIST  the games that wait for players",
        "JOIN  and a game: you ask to play, and its moderator decides",
        f"Write one of them on the first line of an email to {address}. Each is answered once a day.",
    )
    mine = ("Answer one of the letters of your game: each has a secret address of its own.",)
    parts = (
        Part("What you can write", words, table=True),
        _open_part(open_games(session)),
        Part("If you play here already", mine),
    )
    return Writing(KIND, "Playing by email here", about, parts)


def _list(session: Session, letter: Letter, rest: str, now: datetime, address: str) -> Writing:
    return Writing(KIND, "Games that wait for players", (), (_open_part(open_games(session)),))


def _join(session: Session, letter: Letter, rest: str, now: datetime, address: str) -> Writing:
    """JOIN: pass the wish on to the moderators of the game, or say which games there are."""
    games = open_games(session)
    words = [word.strip(".,:;!?\"'").lower() for word in rest.split()]
    named = [each for each in games if each.id in words] or (games if len(games) == 1 else [])
    if len(named) != 1:
        why = "Say which game you would like to play." if games else "There is no game to join now."
        return Writing(KIND, "Which game?", (why,), (_open_part(games),) if games else ())
    (wanted,) = named
    seats = [seat for seat, title in wanted.seats.items() if {seat, title.lower()} & set(words)]
    line = f"{wanted.id}: JOIN {next(iter(seats or wanted.seats))} {letter.sender}"
    said = shorten(shown(" ".join(each.text for each in letter.own)), MOST_SHOWN, placeholder=" ...")
    side = ", ".join(wanted.seats[seat] for seat in seats) or "any side"
    news = [f"{letter.sender} asks for {side}. To give the seat, send:", f"    {line}"]
    news += [f"> {said}"] if said else []
    tell_moderators(session, wanted.id, ASKS, news, now)
    told = (
        f"Your wish to play {side} in {wanted.id} is passed on to {', '.join(wanted.moderators)}, who "
        f"decides. Once the side is yours, the first letter of the game comes to {letter.sender}.",
    )
    return Writing(KIND, f"Your wish to play in {wanted.id}", told)


def _not_here(session: Session, letter: Letter, rest: str, now: datetime, address: str) -> Writing:
    """JOIN of somebody who is not among those whom the host lets ask; no moderator hears of it."""
    why = "Only people whom the host of this server has named may ask to play here. Write to the host first."
    return Writing(KIND, "You cannot join by mail", (why,))


_ANSWERS: Mapping[str, Callable[[Session, Letter, str, datetime, str], Writing]] = {
    "HELP": _help,
    "LIST": _list,
    "JOIN": _join,
}
