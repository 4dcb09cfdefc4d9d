"""Phases in which chance decides whose turn comes next: orders written ahead, what is closed, what is kept
and what is said of it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from conftest import HOUR, NOW
from lots_game import MIDDLE, OWN
from postbox import Postbox

from pbem.engine.desk import Desk
from pbem.engine.game import game
from pbem.service.intake.trial import check_file
from pbem.service.moderating.start import NewGame, Player
from pbem.service.record.store import Store
from pbem.service.record.table import Table
from pbem.service.time.deadline import act
from pbem.service.tools import queries

RITA, BOB = "rita@mail.example", "bob@mail.example"
SERVER = "pbem@host.example"
WAYS = {"A1": ("1a", "0201"), "A2": ("3a", "0203"), "B1": ("1b", "0401"), "B2": ("3b", "0403")}
"""A unit of each command and a hex to which it can go at the start."""


@pytest.fixture
def box(tmp_path: Path) -> Postbox:
    """The game of lots, to be played by mail."""
    return started(tmp_path)


def started(tmp_path: Path, **options: str) -> Postbox:
    players = {"red": Player("Rita", RITA), "blue": Player("Bob", BOB)}
    settings = {"address": SERVER, "clock_hours": 72}
    box = Postbox.started(
        Store.create(tmp_path / "lots.pbem"),
        NewGame("lots", "lots", options=options, players=players, settings=settings, seed="1"),
    )
    box.server, box.now = SERVER, NOW
    return box


def waited_for(box: Postbox) -> tuple[str, str]:
    """The seat that is waited for, and the section that it is to write."""
    with box.store.transaction() as session:
        waiting = Table(session, box.row(), NOW).here().waiting
    assert isinstance(waiting, Desk)
    return waiting.seat, waiting.section


def units(box: Postbox) -> dict[str, str]:
    found: dict[str, str] = queries.view_of(box.store, box.game).units  # type: ignore[attr-defined]
    return found


def others(box: Postbox, seat: str) -> list[str]:
    """The sections of a seat that are still to come, but for the one that the game waits for."""
    with box.store.transaction() as session:
        state = Table(session, box.row(), NOW).here().state
    return [command for command in OWN[seat] if command not in state.acted]  # type: ignore[attr-defined]


def order(section: str) -> str:
    unit, hex = WAYS[section]
    return f"go {unit} to {hex}"


def picked(box: Postbox, body: str = "[pick]\npick 0302\ndone\n") -> tuple[str, str, str]:
    """After red's pick: the seat asked, its section, and the other seat."""
    assert box.mail("red", body).outcome == "accepted"
    seat, section = waited_for(box)
    return seat, section, "blue" if seat == "red" else "red"


def ahead(*sections: str) -> str:
    """Lines and DONE for commands that are to come."""
    return "".join(f"[{section}]\n{order(section)}\ndone\n" for section in sections)


def closed(box: Postbox, seat: str) -> list[str]:
    return sorted(box.seat(seat).sheet["closed"])


def kept(box: Postbox, seat: str) -> list[list[str]]:
    return [[line["section"], line["text"]] for line in box.seat(seat).sheet["lines"]]


# --- what is closed -----------------------------------------------------------------------------------------


def test_orders_may_be_written_ahead(box: Postbox) -> None:
    """From the start of the turn on, orders for any command are kept, and carried out when it is drawn,
    without another letter."""
    box.mail("blue", f"when B1: {order('B1')}\ndone\nwhen Bravo Two: {order('B2')}\ndone\n")
    assert closed(box, "blue") == ["B1", "B2"]
    assert box.mail("red", f"[pick]\npick 0302\ndone\n{ahead('A1', 'A2')}").outcome == "accepted"
    assert box.phase().label == "t2.pick"
    assert {unit: units(box)[unit] for unit, _ in WAYS.values()} == dict(WAYS.values())
    assert kept(box, "red") == kept(box, "blue") == []
    assert closed(box, "red") == closed(box, "blue") == []


def test_a_section_is_closed_by_its_own_done_alone(box: Postbox) -> None:
    """DONE under a heading closes that section and no other; DONE ALL every one with lines."""
    box.mail("red", f"when A2: {order('A2')}\ndone\n")
    assert closed(box, "red") == ["A2"] and box.phase().label == "t1.pick"
    box.mail("red", f"[A1]\n{order('A1')}\n[pick]\npick 0302\n")
    assert closed(box, "red") == ["A2"]
    box.mail("red", "done all\n")
    assert box.phase().label != "t1.pick"
    assert not {"A1"} & set(others(box, "red")) or "A1" in closed(box, "red")


def test_a_faulty_line_keeps_its_own_section_open(box: Postbox) -> None:
    """What is wrong for one command does not keep the letter from closing another; the corrected line alone
    closes nothing."""
    box.mail("blue", f"{ahead('B1')}when B2: go 3b to 9999\ndone\n")
    assert closed(box, "blue") == ["B1"]
    box.mail("blue", f"when B2: {order('B2')}\n")
    assert closed(box, "blue") == ["B1"]
    box.mail("blue", "done B2\n")
    assert closed(box, "blue") == ["B1", "B2"]


def test_a_section_without_orders_is_closed_by_name(box: Postbox) -> None:
    """NO ORDERS names what is to be played without; a heading with nothing below it says nothing."""
    box.mail("blue", "when B1:\n[B2]\n")
    assert closed(box, "blue") == []
    box.mail("blue", "no orders: B1, B2\n")
    box.mail("red", "[pick]\npick 0302\ndone\nno orders: A1, A2\n")
    assert box.phase().label == "t2.pick"


def acted(box: Postbox) -> list[str]:
    with box.store.transaction() as session:
        state: Any = Table(session, box.row(), NOW).here().state
    done: list[str] = state.acted
    return done


def test_done_alone_is_for_the_section_that_is_asked_for(box: Postbox) -> None:
    """DONE from a seat that is not asked closes none of its commands, and its reply says so."""
    seat, section, other = picked(box)
    last = box.last()
    box.mail(other, f"{ahead(others(box, other)[0])[:-5]}\n")
    box.mail(other, "done\n")
    assert closed(box, other) == []
    assert "DONE closed nothing" in box.texts(box.address(other), last)[-1]
    box.mail(seat, f"{order(section)}\ndone\n")
    assert section in acted(box)


# --- what is kept -------------------------------------------------------------------------------------------


def test_lines_wait_until_their_round(box: Postbox) -> None:
    """While one section is asked for, lines of the others survive, round after round."""
    seat, section, _ = picked(box)
    [later] = others(box, seat) or [""]
    if later:
        box.mail(seat, f"when {later}: {order(later)}\n")
    box.mail(seat, f"when {section}: {order(section)}\ndone\n")
    assert units(box)[WAYS[section][0]] == WAYS[section][1]
    if later:
        assert kept(box, seat) == [[later, order(later)]]


def test_lines_do_not_outlive_the_turn(box: Postbox) -> None:
    """What was left when the last command had acted is passed over, and its writer is told."""
    box.mail("red", f"when A1: {order('A1')}\nwhen A2: {order('A2')}\n")
    for hour in range(8):
        if box.phase().label.startswith("t2"):
            break
        act(box.store, "lots", NOW + (100 + hour) * HOUR, force=True)
    assert box.phase().label == "t2.pick"
    assert kept(box, "red") == []
    assert units(box)["1a"] == "0201"
    assert " carried out  L1 go 1a to 0201" in "\n".join(box.texts(RITA))


def test_a_section_that_has_had_its_turn_takes_no_orders(box: Postbox) -> None:
    """Orders for a command that has acted this turn, or for one of the other side, are refused with the
    reason."""
    seat, section, other = picked(box)
    box.mail(seat, f"no orders: {section}\n")
    assert section in acted(box)
    last = box.last()
    box.mail(seat, f"when {section}: {order(section)}\n")
    [text] = box.texts(box.address(seat), last)
    assert f" refused: {order(section)}" in text and f"[{section}] of turn 1 was played" in text
    foreign = (others(box, other) or OWN[other])[0]
    last = box.last()
    box.mail(seat, f"when {foreign}: {order(foreign)}\n")
    assert f"[{foreign}] does not come up again this turn" in box.texts(box.address(seat), last)[0]
    assert kept(box, seat) == []


def test_lines_without_a_heading_are_for_the_section_asked_for(box: Postbox) -> None:
    """Under no heading, orders are taken for the command that is asked for; a seat that is not asked names
    its own."""
    seat, section, other = picked(box)
    first = others(box, other)
    box.mail(other, f"{order(first[0])}\n")
    if len(first) > 1:
        assert kept(box, other) == [["", order(first[0])]]
        assert "needs a heading" in box.texts(box.address(other), 0)[-1]
    assert box.mail(seat, f"{order(section)}\ndone\n").outcome == "accepted"
    assert units(box)[WAYS[section][0]] == WAYS[section][1]


# --- what is said -------------------------------------------------------------------------------------------


def test_one_letter_for_each_seat_and_stop(box: Postbox) -> None:
    """Each time the game stops, every seat has had one letter at most since it stopped before: what happened,
    who it waits for, the map."""
    box.mail("red", "pick 0302\ndone\n")
    for _ in range(4):
        seat, section = waited_for(box)
        last = box.last()
        box.mail(seat, f"when {section}: {order(section)}\ndone\n")
        letters = box.outbox(after=last)
        assert len({row.recipient for row in letters}) == len(letters) <= 2
        told = "\n".join(box.texts(after=last))
        assert f"{WAYS[section][0]} goes to {WAYS[section][1]}" in told and "Waiting for" in told
        if box.phase().label.startswith("t2"):
            break


def test_letters_name_the_command(box: Postbox) -> None:
    """Subject and text say with which command it is whose move, and the form has its heading and no empty
    one."""
    seat, section, _ = picked(box)
    title = game("lots").grammar.titles[section]
    row = box.outbox(box.address(seat))[-1]
    text = box.texts(box.address(seat))[-1]
    assert "Your move by" in row.subject and row.subject.endswith(f", {title}")
    assert f"orders for [{section}] {title}" in text
    form = text.partition(f"[{section}]\n")[2]
    assert all(f"\n[{other}]" not in form for other in OWN[seat])
    for later in others(box, seat):
        assert f"when {later}: order; order" in text


def test_the_form_sent_back_closes_nothing(box: Postbox) -> None:
    """P5 The order form of a drawn section, sent back unchanged, changes nothing; with "done" taken out of
    its comment it closes that one."""
    seat, section, _ = picked(box)
    later = others(box, seat)
    last = box.last()
    box.mail(
        seat,
        f"when {section}: {order(section)}\n" + (f"when {later[0]}: {order(later[0])}\n" if later else ""),
    )
    box.mail(seat, "orders\n")
    form = box.texts(box.address(seat), last)[-1].partition("Order form\n")[2].partition("\n\nYour lines")[0]
    before = kept(box, seat)
    box.mail(seat, form)
    assert kept(box, seat) == before and closed(box, seat) == []
    head, _, rest = form.partition(f"[{section}]")
    box.mail(seat, f"{head}[{section}]{rest.replace('; done', 'done', 1)}")
    assert section in acted(box)


def test_what_cannot_be_done_when_its_turn_comes_is_passed_over(box: Postbox) -> None:
    """Closed orders do not stop the game: of two that want one hex, the second is passed over, and its writer
    reads why."""
    box.mail("blue", "when B1: 2b to 0402\ndone\nwhen B2: 3b to 0402\ndone\n")
    box.mail("red", "[pick]\npick 0302\ndone\nno orders: A1, A2\n")
    assert box.phase().label == "t2.pick"
    told = "\n".join(box.texts(BOB))
    assert told.count(" passed over ") == 1 and "cannot go to 0402" in told
    assert sorted(units(box)[unit] == "0402" for unit in ("2b", "3b")) == [False, True]


def test_whoever_has_decided_and_is_to_write_gets_the_form(tmp_path: Path) -> None:
    """A decision is asked before the orders of the same phase: once it is taken, its seat has one letter with
    the form."""
    box = started(tmp_path, asks="yes")
    box.mail("red", "pick 0302\ndone\n")
    [seat] = [seat for seat in OWN if " decision" in box.outbox(box.address(seat))[-1].subject]
    last = box.last()
    box.mail(seat, "Q1: b\n")
    assert waited_for(box)[0] == seat
    [letter] = box.outbox(after=last)
    assert letter.recipient == box.address(seat) and "Your move" in letter.subject


def test_what_came_of_lines_is_told_line_by_line(box: Postbox) -> None:
    """Where a die falls between orders and the next cannot be carried out, both are told."""
    box.mail("blue", "no orders: B1, B2\n")
    box.mail("red", "[pick]\npick 0302\ndone\nno orders: A1\n")
    assert waited_for(box) == ("red", "A2")
    last = box.last()
    box.mail("red", f"when A2: 4a to {MIDDLE}; try 3a to 0101\ndone\n")
    [told] = box.texts(RITA, last)
    assert "4a in the middle: die" in told
    assert f" carried out  L2 4a to {MIDDLE}" in told and " passed over  L3   try 3a to 0101" in told


def test_overtaken_orders_are_passed_over(box: Postbox) -> None:
    """Orders written ahead that events have made void stop nothing."""
    box.mail("blue", f"no orders: B1\nwhen B2: 4b to {MIDDLE}\ndone\n")
    box.mail("red", f"[pick]\npick 0302\ndone\nno orders: A1\nwhen A2: 4a to {MIDDLE}\ndone\n")
    assert box.phase().label == "t2.pick"
    assert sorted(units(box)[unit] == MIDDLE for unit in ("4a", "4b")) == [False, True]


# --- judging what was written ahead -------------------------------------------------------------------------


def states(box: Postbox, seat: str, text: str) -> list[tuple[str, str]]:
    return [
        (line["state"], " ".join(line["says"])) for line in check_file(box.store, seat, text).facts["lines"]
    ]


def test_lines_ahead_are_judged_as_if_their_turn_had_come(box: Postbox) -> None:
    """A line for a section to come is tried as if its turn had come now: what it would do, why it could not
    yet, or that its condition is not met."""
    [good, far, held, stays] = states(
        box,
        "blue",
        "when B1: 1b to 0401; 2b to 0101\nwhen B2: if 0101 is free, 3b to 0403; if 0101 is free, "
        "4b to 0201, else 4b to 0302\n",
    )
    assert good[0] == "waiting" and "go seen from pick" in good[1]
    assert far[0] == "waiting" and far[1].startswith("not possible yet: 2b cannot go to 0101")
    assert held == ("waiting", "if played now it is passed over: its condition is not met")
    assert stays[0] == "waiting" and "go seen from" in stays[1]


def test_replies_show_each_line_under_its_heading(box: Postbox) -> None:
    """Where chance decides whose turn comes next, every line of a reply stands under its heading, with its
    name."""
    box.mail("red", f"when A1: {order('A1')}\nwhen A2: {order('A2')}\n[pick]\npick 0302\n")
    shown = box.texts(RITA)[-1].partition("Your lines")[2]
    places = [
        shown.index(words)
        for words in ("[A1]", f"L1   {order('A1')}", "[A2]", order("A2"), "[pick]", "pick 0302")
    ]
    assert places == sorted(places)


def test_judging_ahead_changes_nothing(box: Postbox) -> None:
    """What `Ahead.play` does to the state it is given is not seen by the game, nor by the next judgement."""
    text = "when B1: 2b to 0402\nwhen B2: 3b to 0402\n"
    assert [state for state, _ in states(box, "blue", text)] == ["waiting", "waiting"]
    assert units(box)["1b"] == "0501"


def test_a_line_that_can_never_act_is_faulty(box: Postbox) -> None:
    """What the rules say can never act is told at once, and keeps its section open."""
    assert states(box, "blue", "when B1: 3b to 0403\n") == [("faulty", "3b never acts with B1 [2.2]")]
    box.mail("blue", f"when B1: 3b to 0403\ndone\n{ahead('B2')}")
    assert closed(box, "blue") == ["B2"]
    assert "3b never acts with B1" in box.texts(BOB)[-1]


# --- time ---------------------------------------------------------------------------------------------------


def test_a_deadline_closes_the_section_that_was_asked_for_and_no_other(box: Postbox) -> None:
    """Sections of the late player that are drawn later are asked for anew; what was written for them is still
    there."""
    late, section, other = picked(box)
    later = others(box, late)
    box.mail(late, "".join(f"when {each}: {order(each)}\n" for each in later) or "status\n")
    theirs = others(box, other)
    box.mail(other, "".join(f"when {each}: {order(each)}\n" for each in theirs))
    assert act(box.store, "lots", NOW + 100 * HOUR, force=True)
    assert section in acted(box) and units(box)[WAYS[section][0]] != WAYS[section][1]
    assert {each for each, _ in kept(box, late)} == set(later)
    assert {each for each, _ in kept(box, other)} == set(theirs)
    assert waited_for(box)[1] in (*later, *theirs, "pick")
