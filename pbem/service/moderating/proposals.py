"""Proposals of players: to go back (UNDO), or to put off a deadline (EXTEND); and of a moderator: a ruling on
which the players agree, or that another moderator signs. When all who play have agreed, it is done by the use
cases of the host (rulings/ruling.py, timing.py), by "the players".

A proposal is an event of the journal, and so is each answer to it: nothing else is kept of it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from sqlmodel import col, select

from pbem.engine.notes import UMPIRE
from pbem.engine.wording import count
from pbem.service.letters.log import local_time, who, writer
from pbem.service.letters.rolls.page import page_of, zone_of
from pbem.service.letters.ruled import Ruled, What
from pbem.service.moderating.hosting import Done, lines_of, note
from pbem.service.moderating.rulings.named import decision_named, move_of, moves, place_named
from pbem.service.moderating.rulings.ruling import looked_at, rule_on
from pbem.service.moderating.timing import extend
from pbem.service.play.history import Move, reveals
from pbem.service.play.sections import phase_title
from pbem.service.proof.lines import faces_text
from pbem.service.record.errors import StoreError
from pbem.service.record.journal import PLAYED
from pbem.service.record.rows import GameRow, JournalRow, SeatRow
from pbem.service.record.table import Table
from pbem.service.record.terms import span

PLAYERS = "the players"
"""Who does what the players have agreed on."""

MOST_IN_A_PHASE = 3
"""Proposals that a seat may make in one phase."""

LONGEST = 30 * 24.0
"""The longest time by which players may put off a deadline, in hours."""


@dataclass(slots=True)
class Proposal:
    """A proposal: `row` is its row of the journal, `what` is "undo", "extend", "rule" (all who play must
    agree) or "sign" (another moderator must), `about` the place to go back to, the time, or what the ruling
    is about, `seat` who makes it, `agreed` the seats that have agreed. `settled` says what became of it; ""
    while it is open."""

    number: int
    row: JournalRow
    what: str
    about: str
    seat: str
    agreed: list[str] = field(default_factory=list)
    settled: str = ""

    @property
    def details(self) -> dict[str, Any]:
        return dict(self.row.answer)

    def title(self) -> str:
        """What it is called in letters to all: its number and what it proposes, in nobody's time zone."""
        what = f"put off the deadline by {self.about}" if self.what == "extend" else self.details["says"]
        return f"proposal {self.number} ({what})"


def proposals(table: Table) -> list[Proposal]:
    """Return the proposals of the game, in order."""
    query = select(JournalRow).where(JournalRow.game == table.row.id, JournalRow.kind == "host")
    by_number: dict[int, Proposal] = {}
    for row in table.record.session.exec(query.order_by(col(JournalRow.number))):
        given: dict[str, Any] = row.answer
        number = int(given.get("proposal", 0))
        if given.get("do"):
            by_number[number] = Proposal(number, row, given["do"], given["about"], given["seat"])
        elif number in by_number and row.asked == "agree":
            by_number[number].agreed.append(row.by)
        elif number in by_number:
            by_number[number].settled = given["says"]
    return list(by_number.values())


def propose_extension(table: Table, hours: float, *, by: str, why: str) -> Done:
    """Propose that the present deadline is put off. Raise StoreError if none is running, or the time is none
    that players may agree on."""
    if not 0 < hours <= LONGEST:
        raise StoreError(
            f"players may put off a deadline by at most {LONGEST / 24:.0f}d: write EXTEND 2d because ..."
        )
    due = table.deadline()
    if due is None:
        raise StoreError("no deadline is running")
    later = table.clock.calendar.after(max(due, table.now), hours)
    zones = {key: row.zone for key, row in table.seats.items()} | {UMPIRE: zone_of(table, UMPIRE)}
    says = {
        key: f"put off the deadline by {span(hours)}, to {local_time(later, zone)}"
        for key, zone in zones.items()
    }
    details = {"hours": hours, "since": table.clock.since()}
    return _propose(table, "extend", span(hours), says, details, by, why)


def propose_undo(table: Table, about: str, *, by: str, why: str) -> Done:
    """Propose to go back to before a roll that the seat knows (R22), an order or decision of its own (J12) or
    a turn (turn 2). Raise StoreError for anything else."""
    if table.row.status != "running":
        raise StoreError(f"the game is {table.row.status}: nothing can be taken back")
    if about.upper().startswith("R"):
        page_of(table, about.upper(), by)
    elif about.upper().startswith("J") and by not in _seats_of(table, about):
        raise StoreError(f"{about} is no order of yours that counts: UNDO alone lists them")
    if about.lower().startswith("turn") and about.split()[-1] not in map(str, table.record.turns().values()):
        turn = table.record.phase().turn
        raise StoreError(f'"{about}" is nothing that the game could go back to: it is turn {turn}')
    place = place_named(table, about)
    title = phase_title(table.game, table.record.phase(place.phase).label)
    if about.lower().startswith("turn"):
        where = f"the beginning of {title}"
    else:
        order = f"an order of {writer(table, by)}" if about.upper().startswith("J") else about.upper()
        where = f"{title}, to before {order}"
    says = dict.fromkeys(table.seats, f"go back to {where}")
    return _propose(table, "undo", about, says, {"place": place.number}, by, why)


def propose_ruling(table: Table, what: What, about: str, value: str, *, by: str, why: str) -> Done:
    """A moderator proposes a ruling to those who play; it is made when all of them agree. Raise StoreError
    for one that cannot be made, and without a reason."""
    ruled = _looked_at(table, what, about, value, by, why)
    says = dict.fromkeys([*table.seats, by], ruled.public)
    return _propose(table, "rule", about, says, {"what": what, "value": value}, by, why)


def ask_for_signature(table: Table, what: What, about: str, value: str, *, by: str, why: str) -> Done:
    """A moderator hands a ruling to the others: it is made when one of them signs it. Raise StoreError for
    one that cannot be made, without a reason, and where there is no other moderator."""
    ruled = _looked_at(table, what, about, value, by, why)
    if not _other_moderators(table, by):
        raise StoreError(
            "rulings of this game need two moderators, and there is no other: ask the host for one, "
            "or let the players agree (PROPOSE)"
        )
    number = len(proposals(table)) + 1
    says = f"Ruling to be signed, proposal {number}: {ruled.says}"
    details = {
        "proposal": number, "do": "sign", "about": about, "seat": by, "says": ruled.says, "due": "",
        "what": what, "value": value,
    }  # fmt: skip
    done = note(table, "propose", details, says, {}, by=by, why=why, news=False)
    lines = [*ruled.lines(), "", "To sign it, or to refuse, send one of these lines:"]
    game = table.row.id
    lines += [f"    {game}: SIGN {number}", f"    {game}: REFUSE {number} because ..."]
    table.record.tell_moderators(f"{by} asks you to sign a ruling", lines, by=by, urgent=True)
    return Done(done.game, done.what, (says, "It is made when another moderator signs it."))


def sign(table: Table, number: int, *, by: str, why: str = "") -> Done:
    """Sign a ruling of another moderator, which makes it. Raise StoreError if it is not open, or his own."""
    proposal = _open(table, number)
    if proposal.what != "sign":
        raise StoreError(f"proposal {number} is no ruling to be signed: those who play answer it")
    if by not in _other_moderators(table, proposal.seat):
        raise StoreError("another person has to sign your ruling")
    says = f"{by} signs {proposal.title()}"
    details = {"proposal": number, "says": says}
    note(table, "sign", details, says, {}, by=by, why=why)
    ruled = _made(table, proposal, by=proposal.seat, also=f"signed by {by}")
    return Done(table.row.id, "sign", (f"{says}. {ruled.says}",), tuple(table.seats))


def _looked_at(table: Table, what: What, about: str, value: str, by: str, why: str) -> Ruled:
    if not why.strip() and what != "uphold":
        raise StoreError("a ruling needs a reason that its readers can understand: --why TEXT")
    return looked_at(table, what, about, value, by=by, why=why)


def _made(table: Table, proposal: Proposal, *, by: str, also: str) -> Ruled:
    """Make the ruling that was proposed."""
    details = proposal.details
    why = f"{details['why']} ({also})"
    return rule_on(table, details["what"], proposal.about, details["value"], by=by, why=why)


def _other_moderators(table: Table, by: str) -> list[str]:
    """The moderators of a game who are other people than this one."""
    staff = {row.key: row.address for row in table.record.staff("moderator")}
    return [key for key, address in staff.items() if address != staff.get(by)]


def must_be_free(table: Table, by: str) -> None:
    """Raise StoreError if a moderator has a stake: he plays in this game, or against somebody who plays here
    in another one that is running."""
    session, mine = table.record.session, {row.key: row.address for row in table.record.staff()}.get(by)
    here = {row.address: who(table, key) for key, row in table.seats.items() if row.address}
    running = select(SeatRow).join(GameRow).where(GameRow.status == "running", SeatRow.address == mine)
    for seat in session.exec(running) if mine else ():
        others = select(SeatRow).where(SeatRow.game == seat.game, SeatRow.address != mine)
        met = [here[row.address] for row in session.exec(others) if row.address in here]
        if seat.game == table.row.id or met:
            how = (
                "play in this game" if seat.game == table.row.id else f"play against {met[0]} in {seat.game}"
            )
            free = _other_moderators(table, by)
            to = f"leave it to {' or '.join(free)}, or " if free else ""
            raise StoreError(f"you {how}, so this ruling is not yours: {to}let the players agree (PROPOSE)")


def undoable(table: Table, seat: str) -> Iterator[str]:
    """Yield what a seat may propose to go back to, of this turn, below the titles of the phases: its orders,
    decisions and the rolls that it knows."""
    names = {roll.row: f"R{roll.number}" for roll in table.dice.rolls()}
    turn = table.record.phase().turn
    for phase in table.record.phases():
        if phase.turn == turn and (lines := list(_undoable_in(table, phase.number, seat, names))):
            yield f"{phase_title(table.game, phase.label)}:"
            yield from lines


def _undoable_in(table: Table, phase: int, seat: str, names: Mapping[int, str]) -> Iterator[str]:
    """Yield what a seat may propose to go back to in a phase; `names` are those of the rolls, by row."""
    for row, move in moves(table, phase):
        if row.number in names:
            try:
                page_of(table, names[row.number], seat)
            except StoreError:  # a roll that the seat may not know of
                continue
            yield f"{names[row.number]:<5} {_in_short(table, move)}"
        elif seat in move.seats and not row.entry().dice:
            yield f"J{row.number:<4} {_in_short(table, move)}"


def _in_short(table: Table, move: Move) -> str:
    """What was thrown, or what a player has ordered or decided, in his own words."""
    entry = move.entry
    if entry.dice:
        case, dice, what, *_ = entry.asked.split("|")
        return f"{dice} for {what}: fell {faces_text(entry.answer)} [{case}]"
    by = {"standing": " (standing order)", "default": " (default)"}.get(entry.by, "")
    if move.orders is not None:
        order = table.game.grammar.write(move.order) if move.order is not None else "DONE"
        return f"{table.game.grammar.heading(move.orders.section)} {order}{by}"
    return f"{move.request.what}: {faces_text([entry.answer])}{by}"


def agree(table: Table, number: int, *, by: str) -> Done:
    """Agree to a proposal; when all have, carry it out. Raise StoreError if it is not open, or cannot be
    carried out any more."""
    proposal = _open(table, number)
    if proposal.what == "sign":
        raise StoreError(f"proposal {number} is a ruling for another moderator to sign")
    if by == proposal.seat or by in proposal.agreed:
        raise StoreError(f"you have agreed to proposal {number} already")
    says = f"{writer(table, by)} agrees to {proposal.title()}"
    missing = [key for key in _others(table, proposal) if key not in (*proposal.agreed, by)]
    details = {"proposal": number, "says": says}
    if missing:
        waits = f"{says}; pbem waits for {' and '.join(who(table, key) for key in missing)}"
        lines = dict.fromkeys(missing, (f"AGREE {number}", f"REFUSE {number} because ..."))
        _tell_moderators(table, number, waits)
        told = _told(table, by, waits)
        return note(table, "agree", details, waits, told, by=by, why="", also=lines, news=False)
    if proposal.what == "rule":
        given = proposal.details
        _looked_at(table, given["what"], proposal.about, given["value"], PLAYERS, given["why"])
    _tell_moderators(table, number, says)
    done = note(table, "agree", details, says, {}, by=by, why="", news=False)
    settled = _carry_out(table, proposal)
    return Done(done.game, "agree", (says, *settled.says), settled.told)


def refuse(table: Table, number: int, *, by: str, why: str) -> Done:
    """Refuse a proposal, which ends it; whoever made it takes it back. Raise StoreError if it is not open."""
    proposal = _open(table, number)
    verb = "takes back" if by == proposal.seat else "refuses"
    says = f"{_name(table, by)} {verb} {proposal.title()}"
    details = {"proposal": number, "says": says}
    if proposal.what == "sign":
        table.record.tell_moderators(says, lines_of(why), by=by, urgent=True)
        return note(table, "refuse", details, says, {}, by=by, why=why, news=False)
    _tell_moderators(table, number, says, why, by=by)
    return note(table, "refuse", details, says, _told(table, by, says), by=by, why=why, news=False)


def _tell_moderators(table: Table, number: int, says: str, why: str = "", by: str = "") -> None:
    """Keep for the digest what has become of a proposal: all about it is one piece of news. The moderator
    who does it (`by`) knows."""
    lines = [f"{says}.", *lines_of(" ".join(why.split()))]
    table.record.tell_moderators(f"Proposal {number}", lines, by=by)


def _propose(
    table: Table, do: str, about: str, says: dict[str, str], details: dict[str, Any], by: str, why: str
) -> Done:
    """Write a proposal down, and ask everybody else; without anybody else it is carried out at once."""
    known = proposals(table)
    mine = [each for each in known if each.seat == by]
    if still := [each.number for each in mine if not each.settled and not _lapsed(table, each)]:
        raise StoreError(f"your proposal {still[0]} is still open: REFUSE {still[0]} takes it back")
    if sum(each.row.phase == table.row.phase for each in mine) >= MOST_IN_A_PHASE:
        raise StoreError(f"the limit is {count(MOST_IN_A_PHASE, 'proposal')} in a phase")
    number = len(known) + 1
    due = table.deadline() if do != "rule" else None
    details = {
        "proposal": number, "do": do, "about": about, "seat": by, "says": says[by],
        "due": due.isoformat() if due else "", **details,
    }  # fmt: skip
    told = {
        key: f"Proposal {number}: {_name(table, by)} proposes{': ' if do == 'rule' else ' to '}{text}"
        for key, text in says.items()
        if key in table.seats and key != by and not table.seats[key].bot
    }
    ends = {key: _how_to_answer(table, number, do, about, due, table.seats[key].zone) for key in told}
    proposes = f"proposes{': ' if do == 'rule' else ' to '}{says.get(UMPIRE, says[by])}"
    _tell_moderators(table, number, f"{_name(table, by)} {proposes}", why)
    text = f"Proposal {number}: {says[by]}"
    done = note(table, "propose", details, text, told, by=by, why=why, also=ends, news=False)
    proposal = proposals(table)[-1]
    if _others(table, proposal):
        return Done(done.game, done.what, (*done.says, _who_decides(table, do, about)), done.told)
    settled = _carry_out(table, proposal)
    return Done(done.game, done.what, (*done.says, *settled.says), settled.told)


def _how_to_answer(
    table: Table, number: int, do: str, about: str, due: datetime | None, zone: str
) -> tuple[str, ...]:
    ends = {"undo": ["when the game goes on"], "rule": ["with another ruling"]}.get(do, [])
    ends += [f"at the deadline, {local_time(due, zone)}"] if due else []
    return (
        f"{_who_decides(table, do, about)} Reply with one of these lines, in an email of its own:",
        f"AGREE {number}",
        f"REFUSE {number} because ...",
        *([f"It lapses {' or '.join(ends)}."] if ends else []),
    )


def _who_decides(table: Table, do: str, about: str) -> str:
    """When a proposal is carried out, and by whom. Whether secret dice would be taken back is not told."""
    if do != "undo" or not table.record.staff("moderator"):
        return "It is done when all who play agree."
    if about.upper().startswith("R"):
        return "It takes back a roll: if all who play agree, the moderator decides."
    return (
        "It is done when all who play agree; but if it takes back a roll or anything that was revealed, the "
        "moderator decides then."
    )


def _carry_out(table: Table, proposal: Proposal) -> Done:
    """Do what all players have agreed on; an undo that takes back something revealed is for the moderator, if
    there is one."""
    number = proposal.number
    why = f"{proposal.row.answer['why'] or 'all players agree'} (proposal {number})"
    moderated = bool(table.record.staff("moderator"))
    if proposal.what == "undo" and moderated and _reveals(table, proposal):
        says = f"All players agree to {proposal.title()}; the moderator decides, because it takes back a roll"
        line = f"{table.row.id}: BACK {proposal.about} because proposal {number}"
        table.record.tell_moderators(f"Proposal {number} waits for you", [f"{says}.", "", line])
        details = {"proposal": number, "says": says}
        return note(table, "settle", details, says, _told(table, "", says), by=PLAYERS, why="", news=False)
    says = f"All players agree to {proposal.title()}: it is done"
    _tell_moderators(table, number, says)
    note(table, "settle", {"proposal": number, "says": says}, says, {}, by=PLAYERS, why="", news=False)
    if proposal.what == "rule":
        ruled = _made(table, proposal, by=PLAYERS, also=f"proposal {number}")
        return Done(table.row.id, "rule", (f"{says}. {ruled.public}",), tuple(table.seats))
    if proposal.what == "extend":
        done = extend(table, proposal.details["hours"], by=PLAYERS, why=why)
        return Done(done.game, "extend", (f"{says}. {done.says[0]}",), done.told)
    ruled = rule_on(table, "back", proposal.about, "", by=PLAYERS, why=why)
    return Done(table.row.id, "undo", (f"{says}. {ruled.says}",), tuple(table.seats))


def _open(table: Table, number: int) -> Proposal:
    """Return a proposal that can still be answered. Raise StoreError."""
    known = {each.number: each for each in proposals(table)}
    if number not in known:
        there = f"the last one is {max(known)}" if known else "nobody has proposed anything"
        raise StoreError(f"there is no proposal {number}: {there}")
    proposal = known[number]
    if proposal.settled:
        raise StoreError(f"proposal {number} is settled: {proposal.settled}")
    if why := _lapsed(table, proposal):
        raise StoreError(f"proposal {number} has lapsed: {why}")
    return proposal


def _lapsed(table: Table, proposal: Proposal) -> str:
    """Why a proposal can no longer be answered; "" if it can."""
    details, row = proposal.details, table.seats.get(proposal.seat)
    zone = row.zone if row is not None else zone_of(table, UMPIRE)
    if table.row.status != "running":
        return f"the game is {table.row.status}"
    if proposal.what == "undo":
        later = [row for row in table.record.rows() if row.number > proposal.row.number]
        if moved := [row for row in later if row.kind in (*PLAYED, "ruling")]:
            return f"the game went on at {local_time(moved[0].at, zone)}"
    elif proposal.what in ("rule", "sign"):
        later = [row for row in table.record.rulings if row.number > proposal.row.number]
        if later:
            return f"ruling {later[0].answer['ruling']} came after it"
    elif details["since"] != table.clock.since():
        return "that deadline is over"
    if details["due"] and datetime.fromisoformat(details["due"]) < table.now:
        return f"the deadline of {local_time(datetime.fromisoformat(details['due']), zone)} has passed"
    return ""


def _reveals(table: Table, proposal: Proposal) -> bool:
    """Whether what an undo takes back holds a die that was open, or something that was revealed."""
    place = table.record.session.get(JournalRow, (table.row.id, proposal.details["place"]))
    assert place is not None
    return any(
        row.entry().dice == "dice" or any(reveals(each) for each in move.notes)
        for phase in table.record.phases(place.phase)
        for row, move in moves(table, phase.number)
        if row.number >= place.number
    )


def _others(table: Table, proposal: Proposal) -> list[str]:
    """The people who have to agree: all who play but the one who proposed it."""
    return [key for key, row in table.seats.items() if not row.bot and key != proposal.seat]


def _name(table: Table, by: str) -> str:
    """Who proposes or answers, as others know him."""
    return writer(table, by) if by in table.seats else f"the {by.rstrip('0123456789')}"


def _told(table: Table, by: str, says: str) -> dict[str, str]:
    """The seats to write to of an answer, but for its writer, who gets a reply."""
    return {key: says for key, row in table.seats.items() if key != by and not row.bot}


def _seats_of(table: Table, name: str) -> tuple[str, ...]:
    """The seats that took a decision; none for what is no decision that counts."""
    try:
        return move_of(table, decision_named(table, name)).seats
    except StoreError:
        return ()
