"""Use case: receive a letter. One transaction stores it, acts on it and puts the replies into the outbox. A
long letter is read before it (reading.py).

Every letter ends as exactly one of: accepted, explained (answered with its errors), held (sender in doubt;
the owner is notified), quarantined (belongs to no game here, or its sender is no longer of the
staff; the moderator is notified), ignored
(auto-replies, bounces, loops: never answered; and letters of those who no longer play), stopped (kept until
its game resumes after an internal error), waiting (kept until a round of the beacon is out), duplicate.
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from sqlalchemy import bindparam
from sqlmodel import Session, col, or_, select

from pbem.mail.address import Claim, find_password, read_address, verify_password
from pbem.mail.address import check as token_fits
from pbem.mail.letter import Letter, parse
from pbem.mail.senders import Check, check_sender
from pbem.service.intake import staff_letters
from pbem.service.intake.bounces import came_back
from pbem.service.intake.former_staff import answer_former, former_staff, named_game
from pbem.service.intake.limits import check_limits
from pbem.service.intake.player_letters import Received, process
from pbem.service.intake.reading import TRIES, DoFirst, Readings
from pbem.service.intake.reception import AS_IT_COMES, Reception
from pbem.service.intake.released import go_on
from pbem.service.intake.strangers import answer_stranger
from pbem.service.intake.strays import kept, tell_of_stray
from pbem.service.letters import doubts
from pbem.service.letters.former import Former, former_player, tell_former
from pbem.service.letters.layout import DOUBT
from pbem.service.letters.unproved import question
from pbem.service.moderating.held import first_line
from pbem.service.moderating.roles import ELSEWHERE, Proof, proved
from pbem.service.record.rows import LetterRow, Moment, SeatRow, StaffRow
from pbem.service.record.store import Store, find_game, only_game
from pbem.service.record.table import Table
from pbem.service.record.terms import Believed, Terms, in_subject

__all__ = ["IDLE_LETTERS", "Received", "receive", "resume"]

IDLE_LETTERS = 20
"""Answer at most this many letters without orders per seat and hour: more must come from a program."""


NO_TOKEN = {
    "address": (
        "was sent to a reply address that is not, or no longer, yours",
        "was not sent to your secret reply address",
    ),
    "code": (
        "has a code in its subject that is not, or no longer, yours",
        "does not have your secret code in its subject",
    ),
}
"""What is wrong with a letter whose token does not fit, or which has none."""

BELIEVED: Mapping[Believed, tuple[Check, ...]] = {
    "trusted": ("pass", "none", ""),
    "checked": ("pass",),
}
"""By the terms of a game: what may have been found out about the sender of a letter that counts as being from
its registered address."""

MOST_HELD = 20
"""A letter may answer a question about one of the newest held letters, at most this many."""

_KNOWN = select(LetterRow.id).where(
    or_(LetterRow.identity == bindparam("identity"), LetterRow.words == bindparam("words"))
)
_ANSWERED = (
    select(LetterRow.orders)
    .where(
        LetterRow.game == bindparam("game"),
        LetterRow.seat == bindparam("seat"),
        col(LetterRow.received) > bindparam("since", type_=Moment()),
        col(LetterRow.outcome).in_(("accepted", "explained")),
    )
    .order_by(col(LetterRow.id).desc())
    .limit(IDLE_LETTERS)
)


def receive(store: Store, raw: bytes, now: datetime, how: Reception = AS_IT_COMES) -> Received:
    """Receive one email. A duplicate changes nothing. An error in the rules stops its game and keeps the
    letter; other errors pass through with nothing stored. Raise TooMany for a letter over the limits."""
    letter = parse(raw)
    checked: Check = "pass" if how.vouched else check_sender(letter, raw, how.senders)
    mail = _Mail(raw, letter, checked, now, how)
    first, *others = [_received(store, mail, claim) for claim in _claims(letter)]
    return replace(first, also=tuple(others))


def _claims(letter: Letter) -> Sequence[Claim | None]:
    """The seats that the recipients of a letter claim, each once. Every game may have a server address of its
    own: the token decides. Where no recipient claims one, the code in the subject does; of several codes none
    counts."""
    claims: dict[tuple[str, str], Claim] = {}
    for recipient in letter.recipients:
        local, _, host = recipient.partition("@")
        if claim := read_address([recipient], f"{local.partition('+')[0]}@{host}"):
            claims.setdefault((claim.game, claim.seat), claim)
    if claims:
        return list(claims.values())
    return [letter.codes[0] if len(letter.codes) == 1 else None]


@dataclass(frozen=True, slots=True)
class _Mail:
    """A letter as it came: its bytes, what they say, what was found out about its sender, and when it
    came."""

    raw: bytes
    letter: Letter
    checked: Check
    now: datetime
    how: Reception


def _received(store: Store, mail: _Mail, claim: Claim | None) -> Received:
    readings = Readings(TRIES)
    while True:
        try:
            return _stored(store, mail, claim, readings)
        except DoFirst as first:
            readings.make(first)


def _stored(store: Store, mail: _Mail, claim: Claim | None, readings: Readings) -> Received:
    """Deal with a letter in one transaction. Raises DoFirst, with nothing stored, for a long one that has not
    been read yet."""
    letter = mail.letter
    with store.transaction() as session:
        row = LetterRow(
            identity=identity_of(letter, claim), words=words_of(letter, claim), digest=letter.digest,
            sender=letter.sender, message_id=letter.message_id, received=mail.now, raw=mail.raw,
            outcome="ignored", checked="" if mail.how.vouched else mail.checked,
        )  # fmt: skip
        if _is_known(session, row):
            return Received("duplicate", why="this letter has already been received")
        if mail.how.limits is not None:
            check_limits(session, letter.sender, mail.how.limits, mail.now)
        session.add(row)
        session.flush()
        result = _sort(session, mail, claim, row, readings)
        row.outcome, row.why = result.outcome, result.why
        row.game, row.seat = result.game or None, result.seat
        if result.outcome in ("quarantined", "ignored") or not result.game:
            row.raw = kept(mail.raw)
        session.add(row)
    return result


def identity_of(letter: Letter, claim: Claim | None) -> str:
    """The same letter delivered twice to a seat has the same identity, whatever the mail servers wrote on
    it."""
    return _digest(letter.message_id, letter, claim)


def words_of(letter: Letter, claim: Claim | None) -> str:
    """Return the identity of a letter from its words and date, for copies with another Message-ID; "" without
    a date."""
    return _digest(letter.date.isoformat(), letter, claim) if letter.date else ""


def _digest(first: str, letter: Letter, claim: Claim | None) -> str:
    to = [claim.game, claim.seat] if claim else sorted(letter.recipients)
    parts = [first, letter.sender, letter.content_digest, *to]
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()


def _is_known(session: Session, row: LetterRow) -> bool:
    words = row.words or row.identity  # without a date a letter is known by its identity alone
    return session.exec(_KNOWN, params={"identity": row.identity, "words": words}).first() is not None


def _sort(session: Session, mail: _Mail, claim: Claim | None, row: LetterRow, readings: Readings) -> Received:
    letter, now, gate = mail.letter, mail.now, mail.how.gate
    if gate.denies(letter):
        return Received("ignored", why="its sender is one of those who may not write ([senders] deny)")
    if letter.kind == "bounce":
        return came_back(session, letter, row.raw, now)
    if letter.kind not in ("letter", "list"):
        return Received("ignored", why=f"an automatic email ({letter.kind}): never answered")
    addressed = _addressed(session, claim, letter, now)
    proofs = _proofs(*addressed, mail, claim) if addressed is not None else set[Proof]()
    if letter.kind == "list" and "token" not in proofs:
        return Received("ignored", why="an automatic email (list): never answered")
    if addressed is None:
        if (former := _of_former_staff(session, mail, claim, row)) is not None:
            return former
        word = None
        if mail.checked == "pass":
            may_ask = gate.lets_ask(letter.sender)
            word = answer_stranger(session, letter, claim, now, mail.how.public, may_ask=may_ask)
        if word:
            return Received("explained", why=f"{word} from a stranger, answered")
        tell_of_stray(session, letter, row, now)
        return Received("quarantined", why="it is not addressed to any seat of a game here")
    table, owner = addressed
    game = table.row.id
    if (doubt := _doubt(*addressed, mail, claim, proofs)) is not None:
        unclear = isinstance(owner, StaffRow) or "token" in proofs or letter.doubtful
        who = None if unclear else former_player(table, owner.key, letter.sender)
        if who is not None:
            return _of_former(table, who, mail)
        doubts.tell_owner(table, owner, letter, row, doubt, proves=bool(proofs))
        return Received("held", game, owner.key, doubt)
    if _loops(session, game, owner.key, now):
        return Received(
            "ignored",
            game,
            owner.key,
            f"{IDLE_LETTERS} letters without an order within an hour: a loop?",
        )
    if isinstance(owner, StaffRow):
        return staff_letters.answer(table, owner, letter, row, elsewhere=proofs >= ELSEWHERE)
    return process(table, owner, letter, row, readings)


def _of_former(table: Table, who: Former, mail: _Mail) -> Received:
    """A letter from somebody whose seat another person plays now: nothing of it is kept, and the reply says
    so. The moderators read its first line; the player of the seat reads nothing of it, and no address."""
    why = f"from {who.address}, who no longer plays {who.seat}"
    if mail.checked not in _believed(table):
        return Received("ignored", table.row.id, who.seat, why)
    answered = tell_former(table, who, mail.letter)
    title = table.game.seat(who.seat).title
    news = f"{who.name or who.address}, who no longer plays {title}, has written; nothing was kept"
    table.record.tell_moderators(news, [first_line(mail.letter)])
    return Received("ignored", table.row.id, who.seat, f"{why}{': the reply says who does' * answered}")


def _of_former_staff(session: Session, mail: _Mail, claim: Claim | None, row: LetterRow) -> Received | None:
    """What becomes of a letter from somebody who has been removed from the staff of a game: the one of his
    old address, or that its subject names; None if it is from nobody like that."""
    letter = mail.letter
    game = find_game(session, claim.game if claim else named_game(letter.subject))
    if game is None or letter.doubtful:
        return None
    table = Table(session, game, mail.now)
    who = former_staff(table, letter.sender, claim.seat if claim else "")
    if who is None or mail.checked not in _believed(table):
        return None
    return answer_former(table, who, letter, row)


def _loops(session: Session, game: str, seat: str, now: datetime) -> bool:
    """Whether a seat has had at least `IDLE_LETTERS` replies to letters without orders within an hour: a
    program must be writing them."""
    since = now - timedelta(hours=1)
    last = session.exec(_ANSWERED, params={"game": game, "seat": seat, "since": since}).all()
    return len(last) == IDLE_LETTERS and not any(last)


def _addressed(
    session: Session, claim: Claim | None, letter: Letter, now: datetime
) -> tuple[Table, SeatRow | StaffRow] | None:
    """The seat, or the one of the staff, that a letter is meant for: by its address, or by its sender and the
    game named in its subject. Its game is locked, and all is read as it is now that another letter has been
    dealt with in the meantime."""
    if claim is None:
        mine: list[SeatRow | StaffRow] = []
        if letter.sender:
            seats = session.exec(select(SeatRow).where(SeatRow.address == letter.sender)).all()
            mine = [*(seats or session.exec(select(StaffRow).where(StaffRow.address == letter.sender)))]
        named = [seat for seat in mine if f"[{seat.game}]" in letter.subject.lower()] or mine
        if len(named) != 1:
            return None
        game, key = named[0].game, named[0].key
    else:
        game, key = claim.game, claim.seat
    row = find_game(session, game)
    if row is None:
        return None
    table = Table(session, row, now)
    owner = table.seats.get(key) or session.get(StaffRow, (game, key), populate_existing=True)
    return (table, owner) if owner is not None else None


def _proofs(table: Table, owner: SeatRow | StaffRow, mail: _Mail, claim: Claim | None) -> set[Proof]:
    """What a letter gives to prove that it is its owner's."""
    letter = mail.letter
    password = find_password(letter.own)
    fits = claim is not None and token_fits(claim, owner.token_key)
    asked = None if fits or claim is None else _question_of(table, owner, letter, claim)
    facts: dict[Proof, bool] = {
        "token": fits or asked is not None,
        "address": _is_from(owner, letter) and mail.checked in _believed(table),
        "password": bool(password and owner.password and verify_password(password, owner.password)),
        "asked": asked is not None and asked.outcome == "held" and not letter.doubtful,
    }
    return {proof for proof, given in facts.items() if given}


def _is_from(owner: SeatRow | StaffRow, letter: Letter) -> bool:
    """Whether a letter says that it is from the registered address, and from no other."""
    return letter.sender == owner.address and not letter.doubtful


def _believed(table: Table) -> Collection[Check]:
    """What must have been found out about its sender, for a letter to be from where it says."""
    return BELIEVED[table.row.settings.get("senders", Terms().senders)]


def _question_of(table: Table, owner: SeatRow | StaffRow, letter: Letter, claim: Claim) -> LetterRow | None:
    """The letter in the owner's name about which pbem has asked, and with the secret of whose question this
    one answers: only who reads the mail of the registered address has it."""
    answered = table.post.answered(letter, owner.key)
    about = [table.post.letter(answered.letter)] if answered is not None and answered.kind == DOUBT else []
    for row in (*about, *table.post.held(owner.key)[:MOST_HELD]):
        if row is not None and token_fits(claim, owner.token_key, question(row.identity)):
            return row
    return None


def _doubt(
    table: Table, owner: SeatRow | StaffRow, mail: _Mail, claim: Claim | None, proofs: Collection[Proof]
) -> str | None:
    """Why the letter may not act, or None if its sender has proved to be the owner."""
    letter = mail.letter
    if claim is None and letter.codes:
        return f"its subject has {len(letter.codes)} secret codes, of which none counts"
    if proved(proofs):
        return None
    if letter.doubtful:
        return letter.doubtful
    if mail.checked == "fail":
        return "its From address may be forged (it failed DMARC)"
    from_ = "it did not come from your registered address"
    if letter.sender == owner.address:
        from_ = f"nothing shows that it is from {letter.sender}, and this game asks for that"
    wrong, missing = NO_TOKEN["code" if in_subject(table.row.settings) else "address"]
    why = [] if "token" in proofs else [f"it {wrong if claim else missing}"]
    return ", and ".join([*why, *([] if "address" in proofs else [from_])])


def resume(store: Store, game_id: str | None, now: datetime) -> list[Received]:
    """Resume a stopped game and process the letters kept since, in order of arrival. Raises StoreError for a
    game that is not stopped."""
    with store.transaction() as session:
        return go_on(Table(session, only_game(session, game_id), now))
