"""Use cases: who plays, who moderates, who watches. Each works on an open table (hosting.carry_out opens
one), and raises StoreError for what cannot be."""

from __future__ import annotations

from dataclasses import replace as changed
from typing import Any

from sqlmodel import select

from pbem.engine.game import SYSTEM
from pbem.engine.planner import BOTS
from pbem.engine.wording import unknown
from pbem.fields import address as checked_address
from pbem.fields import person
from pbem.fields import zone as checked_zone
from pbem.mail.address import hash_password
from pbem.service.letters import diary, mutes
from pbem.service.letters.deadlines import time_left
from pbem.service.letters.former import farewell, is_gone
from pbem.service.letters.handbook import Seated
from pbem.service.letters.layout import Pictures, send, send_plain
from pbem.service.letters.log import Part
from pbem.service.letters.observers import AT_THE_END, delay_words, tell_observer
from pbem.service.letters.reports import mark_told, turn_letter
from pbem.service.letters.sheets import standing_lines
from pbem.service.moderating.hosting import Done, lines_of, note
from pbem.service.moderating.staff_seat import former_keys, say_farewell, write_to_staff
from pbem.service.moderating.start import new_staff, new_token
from pbem.service.record import reliability
from pbem.service.record.errors import StoreError
from pbem.service.record.rows import ROLES, JournalRow, SeatRow, StaffRow
from pbem.service.record.table import Table
from pbem.service.record.terms import in_subject, is_public, settled


def seat_of(table: Table, key: str) -> SeatRow:
    """Return a seat that people may play."""
    if key not in table.seats:
        raise StoreError(unknown(f"game {table.row.id} has no seat", key, table.seats))
    if table.seats[key].bot == SYSTEM:
        raise StoreError(f"seat {key} of game {table.row.id} is played by the game itself")
    return table.seats[key]


def _seat_in_play(table: Table, key: str) -> SeatRow:
    """Return a seat that may change hands: that of a game that is not over. Whoever had it at the end keeps
    the result."""
    row = seat_of(table, key)
    if table.row.status == "over":
        raise StoreError(f"game {table.row.id} is over: nobody else can play {key} now")
    return row


def listed(table: Table) -> list[str]:
    """Return the people of a game, a line each; of players also what is on record of them."""
    lines = []
    known = reliability.of_seats(table.record.session, table.seats.values(), telling=(table.row.id,))
    everybody: list[SeatRow | StaffRow] = [*table.seats.values(), *table.record.staff()]
    for row in everybody:
        role = row.role if isinstance(row, StaffRow) else f"bot {row.bot}" if row.bot else "player"
        who = f"{row.name} <{row.address}>" if row.address else row.name or "nobody"
        away = "".join(f", away {a} to {b}" for a, b in row.away) if isinstance(row, SeatRow) else ""
        late = f", {delay_words(row)}" if isinstance(row, StaffRow) and row.role == "observer" else ""
        back = f", letters come back: {why}" if (why := table.post.came_back(row)) else ""
        lines.append(f"{row.key:<12} {role:<10} {who} ({row.zone}){away}{late}{back}")
        if row.key in known:
            time = f"; {left}" if (left := time_left(table, row.key)) else ""
            lines.append(f"{'':<23} {known[row.key].words()}{time}")
    if name := table.row.settings.get("standby"):
        lines.append(f"{'':<12} {'stand-by':<10} {name}")
    if table.row.settings.get("senders") == "checked":
        lines.append(f"{'':<12} {'senders':<10} checked: others are asked back")
    if table.row.settings.get("open"):
        lines.append(f"{'':<12} {'open':<10} strangers may ask to play")
    if is_public(table.row.settings):
        lines.append(f"{'':<12} {'public':<10} how reliable the players are")
    return lines


def join(table: Table, seat: str, who: str, *, by: str, why: str, zone: str = "") -> Done:
    """Give a seat that nobody plays to a person, who gets the first letter."""
    row = _seat_in_play(table, seat)
    if row.address:
        raise StoreError(f"seat {seat} is played by {row.name or row.address}: replace the player instead")
    return _seated(table, row, "join", who, zone, by, why)


def replace(table: Table, seat: str, who: str, *, by: str, why: str, zone: str = "") -> Done:
    """Give a seat to another person for good: a new reply address, the side's own reports, and the whole time
    to answer in."""
    return _seated(table, _seat_in_play(table, seat), "replace", who, zone, by, why)


def substitute(table: Table, seat: str, who: str, *, by: str, why: str, zone: str = "") -> Done:
    """Give a seat to another person for a while: `give_back` returns it to its player."""
    return _seated(table, _seat_in_play(table, seat), "substitute", who, zone, by, why)


def stand_in(table: Table, seat: str, who: str, *, by: str, why: str) -> Done:
    """Give a seat to its stand-by, as `substitute` does, once its player has been told."""
    return _seated(table, _seat_in_play(table, seat), "substitute", who, "", by, why, told=True)


def standby(table: Table, who: str, *, by: str, why: str) -> Done:
    """Name the person who takes the seat of a player who misses a deadline, if the terms of the game say so
    (`missed`); "nobody" names none."""
    settings = {name: value for name, value in table.row.settings.items() if name != "standby"}
    if who != "nobody":
        name, to = _read_person(who)
        if table.clock.has_part(to):
            raise StoreError(f"{name or to} has a part in game {table.row.id} already: name somebody else")
        settings["standby"] = f"{name} <{to}>" if name else to
    table.row.settings = settings
    table.record.keep(table.row)
    says = "Nobody is the stand-by" if who == "nobody" else f"{name or to} is the stand-by of this game"
    details = {"who": settings.get("standby", "")}
    return note(table, "standby", details, says, dict.fromkeys(table.seats, says), by=by, why=why)


def give_back(table: Table, seat: str, *, by: str, why: str) -> Done:
    """Return a seat from its substitute to its player."""
    row = _seat_in_play(table, seat)
    query = select(JournalRow).where(JournalRow.game == table.row.id, JournalRow.kind == "host")
    mine = [each for each in table.record.session.exec(query) if each.answer.get("seat") == seat]
    mine = sorted((each for each in mine if "before" in each.answer), key=lambda each: each.number)
    if not mine or mine[-1].asked != "substitute":
        raise StoreError(f"seat {seat} has no substitute")
    before: dict[str, str] = mine[-1].answer["before"]
    who = f"{before['name']} <{before['address']}>" if before["name"] else before["address"]
    return _seated(table, row, "give back", who, before["zone"], by, why)


def _seated(
    table: Table, row: SeatRow, what: str, who: str, zone: str, by: str, why: str, *, told: bool = False
) -> Done:
    """Let a person play a seat from now on. Who has played it is written to, unless he has been `told`."""
    name, to = _read_person(who)
    try:
        zone = checked_zone(zone) if zone else row.zone
    except ValueError as error:
        raise StoreError(str(error)) from error
    _must_know_one_side(table, row.key, to)
    before = {"name": row.name, "address": row.address, "zone": row.zone}
    title = table.game.seat(row.key).title
    old = f"the {row.bot} bot" if row.bot else row.name or row.address
    known_before = f"the {row.bot} bot" if row.bot else row.name
    if is_gone(row, to) and not told:
        new, for_a_while = name or "another player", what == "substitute"
        send_plain(table, row, farewell(table, new, title, lines_of(why), for_a_while=for_a_while))
    row.name, row.address, row.zone, row.bot = name, to, zone, ""
    row.token_key, row.password, row.missed, row.away = new_token(), "", {}, []
    table.post.drop(row.key, "the seat has a new player")
    news = f"{name or to} plays {title}" + (f" in place of {old}" if old else "") + " from now on"
    known = f"{name or 'another player'} plays {title}"  # addresses are not for the other players
    known += (f" in place of {known_before}" if known_before else "") + " from now on"
    others = {key: known for key in table.seats if key != row.key}
    done = note(table, what, {"seat": row.key, "before": before}, news, others, by=by, why=why)
    seated = Seated(known_before, what == "substitute", what == "give back", bool(old))
    _hand_over(table, row, seated)
    return changed(done, told=(row.key, *done.told))


def _must_know_one_side(table: Table, key: str, address: str) -> None:
    """Raise StoreError for somebody who plays another side already, or watches: he would read the secrets of
    both. `key` is the seat, or "" for one of the staff."""
    side = table.game.seat(key).side if key else None
    for other in table.seats.values():
        if other.address == address != "" and other.key != key and table.game.seat(other.key).side != side:
            raise StoreError(
                f"{address} plays {other.key} in game {table.row.id}: nobody may know two sides. "
                "Name somebody else"
            )
    if key and any(row.address == address for row in table.record.staff("observer")):
        raise StoreError(
            f"{address} watches game {table.row.id}, and may know both sides: name somebody else"
        )


def _read_person(who: str) -> tuple[str, str]:
    try:
        return person(who)
    except ValueError as error:
        raise StoreError(f'{error}; write "Dora <dora@mail.example>"') from error


def _hand_over(table: Table, row: SeatRow, seated: Seated) -> None:
    """Write the first letter to a new player, or to one who is back: the rules, which the latter knows, the
    side's own reports and standing orders, what is asked now; nothing of anybody's press. The time to answer
    in begins anew."""
    here = table.here()
    if not here.over:
        table.clock.bank.turn(table.waited_for(here), anew=True)
        table.row.waiting_since = table.now
    row.news = {}
    table.record.keep(row)
    table.record.session.flush()
    letter = turn_letter(table, [here], row.key, seated=seated)
    if letter is None:  # the game is over, and the seat has been told
        return
    lines = tuple(standing_lines(table.standing(row))) or ("none",)
    letter = changed(letter, parts=(*letter.parts, Part("Standing orders of your side", lines)))
    mark_told(table, here, row.key, send(table, row.key, letter, here, Pictures()))


def set_address(table: Table, seat: str, to: str, *, by: str, why: str) -> Done:
    """Let letters to a seat or one of the staff go to another address from now on."""
    row = _person(table, seat)
    old = row.address
    try:
        row.address = checked_address(to)
    except ValueError as error:
        raise StoreError(str(error)) from error
    if isinstance(row, SeatRow):
        diary.take_along(row, old)
        mutes.moved(table, old, row.address)
    says = f"letters to {seat} go to {row.address} from now on"
    return _changed(table, row, "address", says, {"address": row.address}, by, why)


def set_name(table: Table, seat: str, name: str, *, by: str, why: str) -> Done:
    """Give a player or one of the staff another name."""
    row = _person(table, seat)
    row.name = " ".join(name.split())
    says = f"{seat} is called {row.name or 'by the seat alone'} from now on"
    return _changed(table, row, "name", says, {"name": row.name}, by, why)


def set_password(table: Table, seat: str, password: str, *, by: str, why: str) -> Done:
    """Set the password of a seat or one of the staff; "" takes it away."""
    row = _person(table, seat)
    row.password = hash_password(password) if password else ""
    says = f"{seat} has {'a new' if password else 'no'} password"
    return _changed(table, row, "password", says, {}, by, why)


def renew_token(table: Table, seat: str, *, by: str, why: str) -> Done:
    """Give a seat or one of the staff a new reply address, or code in the subject; letters to the old one, or
    with it, are held."""
    row = _person(table, seat)
    row.token_key = new_token()
    what = "reply address: the one this letter came from"
    if in_subject(table.row.settings):
        what = "code: the one in the subject of this letter"
    says = f"{seat} has a new {what}. The old one is useless"
    return _changed(table, row, "token", says, {}, by, why)


def eject(table: Table, seat: str, *, by: str, why: str, what: str = "eject") -> Done:
    """Let nobody play a seat until somebody joins; its reply address is useless from now on."""
    row = _seat_in_play(table, seat)
    if not row.address:
        raise StoreError(f"nobody plays seat {seat} by mail")
    old, title = row.name or row.address, table.game.seat(seat).title
    news = f"{old} no longer plays {title}"
    before = {"name": row.name, "address": row.address, "zone": row.zone}
    told = dict.fromkeys(table.seats, f"{row.name or 'the player'} no longer plays {title}")
    done = note(table, what, {"seat": seat, "before": before}, news, told, by=by, why=why)
    row.name, row.address, row.password, row.token_key = "", "", "", new_token()
    table.post.drop(row.key, "the seat has a new player")
    table.record.keep(row)
    return done


def resign(table: Table, seat: str, *, why: str) -> Done:
    """A player gives up the seat; the game goes on with whoever takes it."""
    return eject(table, seat, by=seat, why=why, what="resign")


def take_over(table: Table, seat: str, bot: str, *, by: str, why: str) -> Done:
    """Let a bot play a seat from now on, or with "none" the seat's own player again. Play on afterwards."""
    row, title = _seat_in_play(table, seat), table.game.seat(seat).title
    if bot not in (*BOTS, "none"):
        raise StoreError(unknown("there is no bot", bot, [*BOTS, "none"]))
    if bot == "none" and not row.bot:
        raise StoreError(f"no bot plays seat {seat}")
    if bot == row.bot:
        raise StoreError(f"the {bot} bot plays seat {seat} already")
    news = f"the {bot} bot plays {title} from now on"
    if bot != "none" and table.row.status == "running" and table.clock.is_last_player(seat):
        news += "; nobody else plays, so the bots play the game to its end at once"
    if bot == "none":
        row.bot = ""  # so that he is written to
        news = f"{row.name or 'its player'} plays {title} from now on, in place of the bot"
    told = dict.fromkeys(table.seats, news)
    also: dict[str, tuple[str, ...]] = {}
    if bot != "none":
        also[seat] = (
            "While it does you get no letters about play, only the last one when the game is over.",
            "To play again: PRESS moderator: and your words on one line."
            if table.record.staff("moderator")
            else "To play again, ask the host of the game.",
            *_not_played(table, row),
        )
    done = note(table, "take over", {"seat": seat, "bot": bot}, news, told, by=by, why=why, also=also)
    row.bot = "" if bot == "none" else bot
    table.record.keep(row)
    return done


def _not_played(table: Table, row: SeatRow) -> list[str]:
    """What the player of a seat reads, whom a bot takes it from, of his lines on its sheet."""
    if row.bot or not (kept := table.sheet(row).lines):
        return []
    says = "The bot gives orders of its own. These lines of yours are not played while it has the side:"
    return [says, *(f"  {line.title}  {line.text}" for line in kept)]


def add_staff(
    table: Table, role: str, who: str, *, by: str, why: str, zone: str = "UTC", delay: str = ""
) -> Done:
    """Add a moderator, or an observer: all who play learn of him, and with which `delay` he watches
    (`set_delay`; the default is "end")."""
    if role not in ROLES:
        raise StoreError(unknown("there is no role", role, ROLES))
    if delay and role != "observer":
        raise StoreError(f"a {role} has no delay: only an observer has one")
    taken = {*table.seats, *(row.key for row in table.record.staff()), *former_keys(table)}
    names = (role, *(f"{role}{number}" for number in range(2, len(taken) + 3)))
    key = next(name for name in names if name not in taken)
    try:
        name, to = person(who)
        row = new_staff(table.row.id, key, role, name, to, zone=checked_zone(zone))
        table.reply_to(row)
    except ValueError as error:
        raise StoreError(f'{error}; write "Dora <dora@mail.example>"') from error
    is_now, reads = f"is {role} of this game from now on", list[str]()
    if role == "observer":
        _must_know_one_side(table, "", to)
        row.settings = {"delay": _read_delay(delay or AT_THE_END)}
        is_now += f", and {delay_words(row)}"
        reads = [f"An observer {delay_words(row)}."]
    news = f"{name or to} {is_now}"
    told = dict.fromkeys(table.seats, f"{name or 'another person'} {is_now}")  # addresses are for moderators
    done = note(table, "add", {"staff": key, "role": role, **row.settings}, news, told, by=by, why=why)
    table.record.join(row)
    write_to_staff(table, row, f"You are {role} of this game from now on", [*reads, *lines_of(why)])
    _tell_what_is_old_enough(table, row)
    return done


def set_delay(table: Table, key: str, delay: str, *, by: str, why: str) -> Done:
    """Settle how many turns an observer is behind those who play, "1" to "99", or "end": he is told
    everything when the game is over. All who play learn of it."""
    row = _person(table, key)
    if not isinstance(row, StaffRow) or row.role != "observer":
        raise StoreError(f"{key} is no observer")
    row.settings = row.settings | {"delay": _read_delay(delay)}
    table.record.keep(row)
    says = f"{row.name or row.address}, who observes this game, {delay_words(row)}"
    told = dict.fromkeys(table.seats, f"{row.name or 'a person'}, who observes this game, {delay_words(row)}")
    done = note(table, "delay", {"staff": key, "delay": delay}, says, told, by=by, why=why)
    write_to_staff(table, row, f"You are an observer who {delay_words(row)}", lines_of(why))
    _tell_what_is_old_enough(table, row)
    return done


def _read_delay(delay: str) -> int | str:
    if delay == AT_THE_END:
        return delay
    if not (delay.isdecimal() and 1 <= int(delay) <= 99):
        raise StoreError(f'"{delay}" is no delay: write a number of turns from 1 to 99, or end')
    return int(delay)


def _tell_what_is_old_enough(table: Table, row: StaffRow) -> None:
    """Write to an observer at once about the turns that he may know by his delay. While a game is stopped
    nothing can be said of it: he learns it with the next turn that ends."""
    if row.role == "observer" and table.row.status != "stopped":
        tell_observer(table, row, table.here(), Pictures())


def set_senders(table: Table, senders: str, *, by: str, why: str) -> Done:
    """Settle when a letter counts as being from its registered address: "trusted" unless the mail server
    disowns it, or only if it was "checked" and found genuine. All who play learn of it."""
    says = {
        "trusted": "Letters count as from their address unless the mail server disowns them",
        "checked": "Letters count as from their address only if the mail server has found it genuine; for "
        "any other pbem asks back",
    }
    if senders not in says:
        raise StoreError(unknown("senders cannot be", senders, says))
    return _settle(table, "senders", senders, says[senders], by, why)


def set_open(table: Table, whether: str, *, by: str, why: str) -> Done:
    """Let strangers who write LIST or JOIN find a game and its moderator's address, or no longer: "yes" or
    "no"."""
    if whether not in ("yes", "no"):
        raise StoreError(unknown("a game is open or not,", whether, ["yes", "no"]))
    if whether == "yes" and not table.record.staff("moderator"):
        raise StoreError("an open game needs a moderator, who reads the requests to play")
    says = "Strangers may ask to play" if whether == "yes" else "Strangers are no longer told of this game"
    return _settle(table, "open", whether == "yes", says, by, why)


def set_signers(table: Table, number: str, *, by: str, why: str) -> Done:
    """Settle how many moderators have to stand for a ruling, "1" or "2". All who play learn of it."""
    if number not in ("1", "2"):
        raise StoreError(unknown("a ruling is signed by one moderator or two,", number, ["1", "2"]))
    says = "A ruling is made when a second moderator signs it" if number == "2" else "One moderator rules"
    return _settle(table, "signers", int(number), says, by, why)


def set_reliability(table: Table, whose: str, *, by: str, why: str) -> Done:
    """Settle who reads how reliable each player has been here: "public", all who play and strangers who ask
    for an open game, or "private", host and moderators alone. All who play learn of it."""
    says = {
        "public": "Everybody may read how reliable each player has been in the games here",
        "private": "Only host and moderators read how reliable each player has been",
    }
    if whose not in says:
        raise StoreError(unknown("reliability cannot be", whose, says))
    return _settle(table, "reliability", whose, says[whose], by, why)


def set_anonymous(table: Table, whether: str, *, by: str, why: str) -> Done:
    """Let players write press without their names, "yes", or not, "no". All who play learn of it."""
    if whether not in ("yes", "no"):
        raise StoreError(unknown("press is anonymous or not,", whether, ["yes", "no"]))
    says = "Players may write press anonymously" if whether == "yes" else "All press is signed"
    return _settle(table, "press", "anonymous" if whether == "yes" else "signed", says, by, why)


def set_advice(table: Table, whether: str, *, by: str, why: str) -> Done:
    """Let players ask what the planner would do in their place, "yes", or not, "no". All who play learn of
    it."""
    if whether not in ("yes", "no"):
        raise StoreError(unknown("ADVICE is allowed or not,", whether, ["yes", "no"]))
    may = whether == "yes"
    says = "Players may ask the planner for ADVICE" if may else "Nobody may ask the planner for ADVICE"
    return _settle(table, "advice", may, says, by, why)


def mute(table: Table, seat: str, *, by: str, why: str) -> Done:
    """Stop the press of a player to the others. Raises StoreError if it is stopped."""
    row = seat_of(table, seat)
    if mutes.is_silenced(row):
        raise StoreError(f"the press of {seat} is stopped already")
    mutes.silence(table, row, on=True)
    return _changed(table, row, "mute", f"press of {seat} to other players is stopped", {}, by, why)


def unmute(table: Table, seat: str, *, by: str, why: str) -> Done:
    """Let the press of a player go on. Raises StoreError if it is not stopped."""
    row = seat_of(table, seat)
    if not mutes.is_silenced(row):
        raise StoreError(f"the press of {seat} is not stopped")
    mutes.silence(table, row, on=False)
    return _changed(table, row, "unmute", f"press of {seat} to other players goes on", {}, by, why)


def _settle(table: Table, what: str, value: str | int, says: str, by: str, why: str) -> Done:
    """Change a term of the game and tell all who play."""
    table.row.settings = settled(table.row.settings | {what: value})
    table.record.keep(table.row)
    return note(table, what, {what: value}, says, dict.fromkeys(table.seats, says), by=by, why=why)


def remove_staff(table: Table, key: str, *, by: str, why: str) -> Done:
    """Remove a moderator or an observer, who reads it. Letters held in this name never act; those that come
    from now on are kept (intake/former_staff.py)."""
    known = {row.key: row for row in table.record.staff()}
    if key not in known:
        raise StoreError(unknown(f"game {table.row.id} has no staff called", key, known))
    row = known[key]
    was = {"role": row.role, "name": row.name, "address": row.address, "zone": row.zone}
    table.post.drop(key, f"{key} is no longer of the staff")
    say_farewell(table, row, lines_of(why))
    table.record.leave(row)
    news = f"{row.name or row.address} is no longer {row.role} of this game"
    told = dict.fromkeys(table.seats, f"{row.name or 'a person'} is no longer {row.role} of this game")
    return note(table, "remove", {"staff": key, "was": was}, news, told, by=by, why=why)


def _person(table: Table, key: str) -> SeatRow | StaffRow:
    """Return a seat that people may play, or one of the staff."""
    known = {row.key: row for row in table.record.staff()}
    return known[key] if key in known else seat_of(table, key)


def _changed(
    table: Table, row: SeatRow | StaffRow, what: str, says: str, details: dict[str, Any], by: str, why: str
) -> Done:
    """Keep what has been changed about one person, and tell this person alone."""
    table.record.keep(row)
    told = {row.key: says} if isinstance(row, SeatRow) else {}
    done = note(table, what, {"seat": row.key, **details}, says, told, by=by, why=why)
    if isinstance(row, StaffRow):
        write_to_staff(table, row, says, lines_of(why))
    return done
