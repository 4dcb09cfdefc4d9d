"""How reliable people are: what counts for whom over the games of a store, and who reads of it."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from conftest import HOUR, NOW, begin
from postbox import Postbox, sent
from protocol_kit import flat
from sqlmodel import select

from pbem.mail.senders import Senders
from pbem.service.intake.reception import Reception
from pbem.service.moderating import ending, missed, people, timing
from pbem.service.moderating.hosting import Done, carry_out
from pbem.service.moderating.start import Player
from pbem.service.proof.verify import verify_game
from pbem.service.record.reliability import Record, records
from pbem.service.record.rows import GameRow, JournalRow
from pbem.service.record.store import Store
from pbem.service.record.table import Table
from pbem.service.time import deadline

HOW = {"by": "host", "why": ""}
RITA, BOB, DORA = "rita@mail.example", "bob@mail.example", "dora@x.example"
LATE = NOW + 80 * HOUR


def do(store: Store, act: Callable[[Table], Done], game: str = "toy") -> None:
    carry_out(store, game, NOW + HOUR, act)


def box_of(store: Store, game: str = "toy") -> Postbox:
    return Postbox(store, game, "pbem@host.example", NOW + HOUR)


def on_record(store: Store, *telling: str) -> dict[str, Record]:
    """The records by address; letters of running games count in those named, and in all if none is."""
    with store.transaction() as session:
        found, broken = records(session, telling=telling or None)
    assert broken == []
    return {each.address: each for each in found}


def miss(store: Store, policy: str, game: str = "toy") -> None:
    """Red lets the first deadline pass."""
    carry_out(store, game, NOW, lambda t: timing.set_terms(t, {"missed": policy}, **HOW))
    sent(store, NOW)
    deadline.act(store, game, LATE)


def test_letters_in_time_of_two_games(store: Store) -> None:
    """Each wait counts once, for the seat that was asked."""
    begin(store)
    begin(store, "mill")
    for game in ("toy", "mill"):
        box = box_of(store, game)
        box.mail("red", "move R1 to 0201\ndone\n")
        box.mail("red", "try\nmove R1 to 0201\n")
    found = on_record(store)
    assert (found[RITA].asked, found[RITA].in_time, found[RITA].games, found[RITA].over) == (2, 2, 2, 0)
    assert (found[BOB].asked, found[BOB].missed) == (0, 0)
    assert found[RITA].words() == "2 of 2 letters in time, no deadline missed, no game left"
    assert found[BOB].words() == "no letter counted yet, no deadline missed, no game left"


@pytest.mark.parametrize(
    ("policy", "asked", "left"),
    [("standing", 1, {}), ("hold", 1, {}), ("wait", 0, {}), ("bot", 0, {"handed to a bot": 1})],
)
def test_a_missed_deadline_is_on_record(toy: Store, policy: str, asked: int, left: dict[str, int]) -> None:
    """Once, under all terms, and for good: a later letter does not wipe it out. The journal verifies."""
    miss(toy, policy)
    deadline.act(toy, "toy", LATE + HOUR) if policy == "wait" else None
    box = box_of(toy)
    box.now = LATE + 2 * HOUR
    box.mail("red", "status\n")
    (mine,) = (each for address, each in on_record(toy).items() if address == RITA)
    assert (mine.missed, mine.asked, mine.in_time, dict(mine.left)) == (1, asked, 0, left)
    with toy.transaction() as session:
        (row,) = session.exec(select(JournalRow).where(JournalRow.asked == "missed")).all()
    assert row.answer["seat"] == "red" and row.answer["due"] < LATE.isoformat()
    assert verify_game(toy, "toy").wrong == []


def test_a_letter_after_the_deadline_is_late(toy: Store) -> None:
    """Where the game goes on waiting the answer comes by letter, and not in time; the next one is."""
    miss(toy, "wait")
    box = box_of(toy)
    box.now = LATE + 2 * HOUR
    box.mail("red", "move R1 to 0201\ndone\n")
    mine = on_record(toy)[RITA]
    assert (mine.asked, mine.in_time, mine.missed) == (1, 0, 1)


@pytest.mark.parametrize("by_mail", [True, False])
def test_a_deadline_that_is_applied_early_is_not_missed(toy: Store, by_mail: bool) -> None:
    """Neither by FORCE nor by pbem adjudicate --force; the next one that passes is."""
    if by_mail:
        do(toy, lambda t: missed.force(t, **HOW))
    else:
        deadline.act(toy, "toy", NOW + HOUR, force=True)
    mine = on_record(toy)[RITA]
    assert (mine.missed, mine.asked) == (0, 0)
    sent(toy, NOW + HOUR)
    deadline.act(toy, "toy", NOW + 80 * HOUR)
    assert sum(each.missed for each in on_record(toy).values()) == 1


def test_the_one_who_played_then_has_missed_it(toy: Store) -> None:
    """The stand-by who takes the seat starts with a clean record, and leaves no game when it goes back."""
    do(toy, lambda t: people.standby(t, f"Dora <{DORA}>", **HOW))
    miss(toy, "substitute")
    found = on_record(toy)
    assert (found[RITA].missed, found[DORA].missed, found[DORA].games) == (1, 0, 1)
    carry_out(toy, "toy", LATE + HOUR, lambda t: people.give_back(t, "red", **HOW))
    found = on_record(toy)
    assert not found[RITA].left and not found[DORA].left and found[DORA].name == "Dora"


LEAVING: list[tuple[Callable[[Table], Done], str]] = [
    (lambda t: people.eject(t, "red", **HOW), "ejected"),
    (lambda t: people.resign(t, "red", why=""), "resigned"),
    (lambda t: people.replace(t, "red", DORA, **HOW), "replaced"),
    (lambda t: people.take_over(t, "red", "greedy", **HOW), "handed to a bot"),
]


@pytest.mark.parametrize(("act", "how"), LEAVING)
def test_a_game_that_is_left(toy: Store, act: Callable[[Table], Done], how: str) -> None:
    """It stays on record until its player is back."""
    do(toy, act)
    mine = on_record(toy)[RITA]
    assert dict(mine.left) == {how: 1} and mine.games == 1
    assert mine.words() == f"no letter counted yet, no deadline missed, 1 game left ({how})"
    if how == "handed to a bot":
        do(toy, lambda t: people.take_over(t, "red", "none", **HOW))
    else:
        back = people.replace if how == "replaced" else people.join
        do(toy, lambda t: back(t, "red", RITA, **HOW))
    assert not on_record(toy)[RITA].left


def test_a_change_of_address_is_no_change_of_player(toy: Store) -> None:
    box_of(toy).mail("red", "no orders\ndone\n")
    do(toy, lambda t: people.set_address(t, "red", "rita@new.example", **HOW))
    found = on_record(toy)
    assert RITA not in found and found["rita@new.example"].asked == 1


def test_what_a_bot_plays_counts_for_nobody(toy: Store) -> None:
    do(toy, lambda t: people.take_over(t, "red", "greedy", **HOW))
    with toy.transaction() as session:
        Table(session, session.get_one(GameRow, "toy"), NOW + 2 * HOUR).play_on()
        assert session.exec(select(JournalRow).where(JournalRow.kind == "answer")).first()
    assert on_record(toy)[RITA].asked == 0


# --- who reads it -------------------------------------------------------------------------------------------


def test_letters_of_a_running_game_count_for_the_host_alone(store: Store) -> None:
    """How many were asked for may be secret. Missed deadlines are known to all; letters once it is over."""
    begin(store)
    begin(store, "mill")
    box_of(store, "mill").mail("red", "no orders\ndone\n")
    miss(store, "standing")
    assert on_record(store)[RITA].asked == 2
    assert on_record(store, "toy")[RITA].asked == 1
    told = on_record(store, "none")[RITA]
    assert (told.asked, told.missed) == (0, 1)
    do(store, lambda t: ending.end(t, "draw", by="host", why="agreed"), "mill")
    told = on_record(store, "none")[RITA]
    assert (told.asked, told.in_time, told.over) == (1, 1, 1)


def test_people_tells_the_moderator(toy: Store) -> None:
    box = box_of(toy)
    box.mail("red", "no orders\ndone\n")
    box.mail("moderator", "PEOPLE\n")
    text = flat(box.texts("mod@host.example")[-1])
    assert "Rita <rita@mail.example> (UTC) 1 of 1 letters in time, no deadline missed, no game left" in text


def status(box: Postbox, seat: str) -> str:
    last = box.last()
    box.mail(seat, "status\n")
    return flat(box.texts(box.address(seat), last)[-1])


def test_status_tells_players_only_where_it_is_public(toy: Store) -> None:
    """All who play are told when it becomes so; no address stands there."""
    box = box_of(toy)
    assert "missed" not in status(box, "blue")
    last = box.last()
    box.mail("moderator", "RELIABILITY public\n")
    assert "Everybody may read how reliable" in flat(box.texts(RITA, last)[-1])
    text = status(box, "blue")
    assert "Red (Rita): no letter counted yet, no deadline missed, no game left" in text
    assert "Blue (Bob): no letter counted yet" in text
    assert RITA not in text
    box.mail("moderator", "RELIABILITY private\n")
    assert "no game left" not in status(box, "blue")


def test_list_tells_strangers_only_where_it_is_public(store: Store) -> None:
    begin(store, blue=Player())
    do(store, lambda t: people.set_open(t, "yes", **HOW))
    miss(store, "wait")
    server = "mx.host.example"
    how = Reception(senders=Senders((server,)), public="pbem@host.example")
    box = Postbox(store, "toy", "pbem@host.example", LATE, how=how)

    def asked(sender: str) -> str:
        proof = f"Authentication-Results: {server}; dmarc=pass header.from=mail.example\n"
        box.deliver(f"{proof}From: {sender}\nTo: pbem@host.example\nSubject: list\n\nlist\n".encode())
        return flat(box.texts(sender)[-1])

    assert "Rita" not in asked("ed@mail.example")
    do(store, lambda t: people.set_reliability(t, "public", **HOW))
    text = asked("eve@mail.example")
    assert "Red is Rita: no letter counted yet, 1 deadline missed, no game left" in text
    assert RITA not in text
