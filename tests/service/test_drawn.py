"""Phases in which chance decides whose turn comes next: orders written ahead, what is final, what is kept and what is said of it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from conftest import HOUR, NOW
from lots_game import MIDDLE, OWN
from postbox import Postbox

from pbem.engine.game import game
from pbem.engine.play import Orders
from pbem.service import look
from pbem.service.deadline import act
from pbem.service.start import NewGame, Player
from pbem.service.store import Store
from pbem.service.table import Table
from pbem.service.trial import check_file

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


def awaited(box: Postbox) -> tuple[str, str]:
    """The seat that is waited for, and the section that it is to write for."""
    with box.store.transaction() as session:
        waiting = Table(session, box.row(), NOW).here().waiting
    assert isinstance(waiting, Orders)
    return waiting.seat, waiting.section


def units(box: Postbox) -> dict[str, str]:
    found: dict[str, str] = look.view_of(box.store, box.game).units  # type: ignore[attr-defined]
    return found


def others(box: Postbox, seat: str) -> list[str]:
    """The sections of a seat that are still to come, the awaited one left out."""
    with box.store.transaction() as session:
        state = Table(session, box.row(), NOW).here().state
    return [command for command in OWN[seat] if command not in state.acted]  # type: ignore[attr-defined]


def order(section: str) -> str:
    unit, hex = WAYS[section]
    return f"go {unit} to {hex}"


def picked(box: Postbox, body: str = "pick 0302\n") -> tuple[str, str, str]:
    """After red's pick: the seat awaited, its section, and the other seat."""
    assert box.mail("red", body).outcome == "accepted"
    seat, section = awaited(box)
    return seat, section, "blue" if seat == "red" else "red"


# --- what is final ------------------------------------------------------------------------------------------


def test_orders_may_be_written_ahead(box: Postbox) -> None:
    """From the start of the turn on, orders for any command are kept, and carried out when it is drawn, without another letter."""
    box.mail("blue", f"when B1: {order('B1')}\nwhen Bravo Two: {order('B2')}\n")
    assert box.seat("blue").released == ["B1", "B2"]
    body = f"pick 0302\nwhen A1: {order('A1')}\n[A2]\n{order('A2')}\n"
    assert box.mail("red", body).outcome == "accepted"
    assert box.phase().label == "t2.pick"
    assert {unit: units(box)[unit] for unit, _ in WAYS.values()} == dict(WAYS.values())
    assert box.seat("red").lines == box.seat("blue").lines == []
    assert box.seat("red").released == box.seat("blue").released == []


def test_a_letter_is_final_for_the_drawn_sections_that_it_names(box: Postbox) -> None:
    """A section of chance is final only where it is named, and naming it makes nothing else final."""
    box.mail("red", f"when A2: {order('A2')}\n")
    assert box.seat("red").released == ["A2"]
    assert box.phase().label == "t1.pick"
    box.mail("red", f"[A1]\n{order('A1')}\n[pick]\npick 0302\ndraft\n")
    assert box.seat("red").released == ["A2"]
    box.mail("red", "[pick]\npick 0302\n")
    assert "A1" not in box.seat("red").released
    assert box.seat("red").lines[0] == ["A1", order("A1")]
    box.mail("red", "final\n")
    assert "A1" in box.seat("red").released or "A1" in acted(box)


def test_a_corrected_line_makes_the_others_final_too(box: Postbox) -> None:
    """What a faulty letter named is final once its faults are mended, by the corrected lines alone."""
    box.mail("blue", f"when B1: {order('B1')}\nwhen B2: go 3b to 9999\n")
    assert box.seat("blue").released == []
    box.mail("blue", f"when B2: {order('B2')}\n")
    assert box.seat("blue").released == ["B1", "B2"]


def test_a_named_section_without_orders_is_final(box: Postbox) -> None:
    """`when A1:` with nothing after it says that A1 has no orders."""
    box.mail("blue", "when B1:\n[B2]\n")
    box.mail("red", "pick 0302\nwhen A1:\nwhen A2:\n")
    assert box.phase().label == "t2.pick"


def test_final_is_for_the_draft(box: Postbox) -> None:
    """FINAL and DONE alone make final what a draft has named, and without one the section that is awaited."""
    box.mail("blue", f"when B1: {order('B1')}; go 2b to 9999\n")
    assert box.seat("blue").released == []
    box.mail("blue", "final\n")
    assert box.seat("blue").released == ["B1"]
    seat, section, _ = picked(box)
    if section == "B1":
        seat, section = awaited(box)
    label = box.phase().label
    box.mail(seat, "done\n")
    assert box.phase().label != label
    assert section in acted(box)


def acted(box: Postbox) -> list[str]:
    with box.store.transaction() as session:
        state: Any = Table(session, box.row(), NOW).here().state
    done: list[str] = state.acted
    return done


def test_done_makes_nothing_final_by_chance(box: Postbox) -> None:
    """DONE from a seat that is not awaited is not taken for one of its commands."""
    _, _, other = picked(box)
    box.mail(other, "done\n")
    assert not set(box.seat(other).released) & set(OWN[other])


# --- what is kept -------------------------------------------------------------------------------------------


def test_lines_wait_until_their_round(box: Postbox) -> None:
    """While one section is awaited, drafts and final orders of the others survive, round after round."""
    seat, section, _ = picked(box)
    [later] = others(box, seat) or [""]
    if later:
        box.mail(seat, f"draft\nwhen {later}: {order(later)}\n")
    box.mail(seat, f"when {section}: {order(section)}\n")
    assert units(box)[WAYS[section][0]] == WAYS[section][1]
    if later:
        assert box.seat(seat).lines == [[later, order(later)]]


def test_lines_do_not_outlive_the_turn(box: Postbox) -> None:
    """What was not used when a command acted, and what was left when the last one had acted, is spent."""
    box.mail("red", f"draft\nwhen A1: {order('A1')}\nwhen A2: {order('A2')}\n")
    box.mail("red", "[pick]\n")
    for hour in range(8):
        if box.phase().label.startswith("t2"):
            break
        act(box.store, "lots", NOW + (100 + hour) * HOUR, force=True)
    assert box.phase().label == "t2.pick"
    assert box.seat("red").lines == []
    assert units(box)["1a"] == "0201"


def test_a_section_that_has_had_its_turn_takes_no_orders(box: Postbox) -> None:
    """Orders for a command that has acted this turn, or for one of the other side, are wrong; what is still to come is named."""
    seat, section, other = picked(box)
    box.mail(seat, f"when {section}:\n")
    assert section in acted(box)
    last = box.last()
    box.mail(seat, f"when {section}: {order(section)}\n")
    [text] = [text for text in box.texts(box.address(seat), last) if "Your orders" in text]
    assert f"[{section}]" in text and "has no turn of yours to come" in text and "nothing is final" in text
    foreign = (others(box, other) or OWN[other])[0]
    last = box.last()
    box.mail(seat, f"withdraw all\nwhen {foreign}: {order(foreign)}\n")
    assert "has no turn of yours to come" in box.texts(box.address(seat), last)[0]
    assert not set(box.seat(seat).released) & {section, foreign}


def test_lines_without_a_heading_are_for_the_section_awaited(box: Postbox) -> None:
    """Under no heading, orders are taken for the command that is awaited, and never for another that may come."""
    seat, section, other = picked(box)
    foreign = others(box, other)[0]
    box.mail(other, f"{order(foreign)}\n")
    assert box.seat(other).lines == []
    assert "needs a heading" in box.texts(box.address(other), 0)[-1]
    assert box.mail(seat, f"{order(section)}\n").outcome == "accepted"
    assert units(box)[WAYS[section][0]] == WAYS[section][1]


# --- what is said -------------------------------------------------------------------------------------------


def test_one_letter_for_each_seat_and_stop(box: Postbox) -> None:
    """Each time the game stops, every seat has had one letter at most since it stopped before: what happened, who is awaited, the map."""
    box.mail("red", "pick 0302\n")
    for _ in range(4):
        seat, section = awaited(box)
        last = box.last()
        box.mail(seat, f"when {section}: {order(section)}\n")
        letters = [row for row in box.outbox(after=last) if "-reply-" not in row.key]
        assert len({row.recipient for row in letters}) == len(letters) <= 2
        told = "\n".join(box.texts(after=last))
        assert f"{WAYS[section][0]} goes to {WAYS[section][1]}" in told and "Awaited" in told
        if box.phase().label.startswith("t2"):
            break


def test_letters_name_the_command(box: Postbox) -> None:
    """Subject and text say with which command it is whose move, and the form has its heading and no empty one."""
    seat, section, _ = picked(box)
    title = game("lots").grammar.titles[section]
    row = box.outbox(box.address(seat))[-1]
    text = box.texts(box.address(seat))[-1]
    assert f"your move with {title}" in row.subject
    assert f"orders for [{section}] {title}" in text
    form = text.partition(f"[{section}]\n")[2]
    assert all(f"\n[{other}]" not in form for other in OWN[seat])
    for later in others(box, seat):
        assert f"when {later}: order; order" in text


def test_the_form_sent_back_names_the_section_awaited_alone(box: Postbox) -> None:
    """P5 The order form of a drawn section is final for that section and for what had been written for others."""
    seat, section, _ = picked(box)
    later = others(box, seat)
    body = f"draft\nwhen {later[0]}: {order(later[0])}\n" if later else "draft\n"
    last = box.last()
    box.mail(seat, f"{body}orders\n")
    form = box.texts(box.address(seat), last)[0].partition("Order form\n")[2].partition("\n\nAwaited")[0]
    assert f"[{section}]" in form
    box.mail(seat, form)
    assert section in acted(box)
    assert len(others(box, seat)) == len(later) or later[0] in acted(box)


def test_blocked_orders_wait_for_their_writer(box: Postbox) -> None:
    """Orders written ahead that cannot be carried out when their command is drawn are answered, and the game waits there."""
    box.mail("blue", "when B1: 2b to 0402\nwhen B2: 3b to 0402\n")
    box.mail("red", "pick 0302\nwhen A1:\nwhen A2:\n")
    seat, section = awaited(box)
    assert (seat, section) in {("blue", "B1"), ("blue", "B2")}
    told = [text for text in box.texts(BOB) if "cannot be carried out" in text]
    assert len(told) == 1 and "cannot go to 0402" in told[0]
    box.mail("blue", "final\n")
    assert box.phase().label == "t2.pick"
    assert sorted(units(box)[unit] == "0402" for unit in ("2b", "3b")) == [False, True]


def test_whoever_has_decided_and_is_to_write_gets_the_form(tmp_path: Path) -> None:
    """A decision is asked before the orders of the same phase: once it is taken, its seat has one letter with the form."""
    box = started(tmp_path, asks="yes")
    box.mail("red", "pick 0302\n")
    [seat] = [seat for seat in OWN if "your decision" in box.outbox(box.address(seat))[-1].subject]
    last = box.last()
    box.mail(seat, "1: b\n")
    assert awaited(box)[0] == seat
    [letter] = [row for row in box.outbox(after=last) if "-reply-" not in row.key]
    assert letter.recipient == box.address(seat) and "your move" in letter.subject


def test_orders_that_stop_on_the_way_are_told_with_what_came_of_them(box: Postbox) -> None:
    """Where a die has fallen between orders, the writer of the one that is refused has one letter: what happened, what is wrong, the form."""
    box.mail("blue", "when B1:\nwhen B2:\n")
    box.mail("red", "pick 0302\nwhen A1:\n")
    assert awaited(box) == ("red", "A2")
    last = box.last()
    box.mail("red", f"when A2: 4a to {MIDDLE}; 3a to 0101\n")
    assert awaited(box) == ("red", "A2") and units(box)["4a"] == MIDDLE
    [told] = [
        text for text in box.texts(RITA, last) if "Orders as they stand" not in text and "order form" in text
    ]
    assert (
        "4a in the middle: die" in told and "cannot be carried out" in told and "3a cannot go to 0101" in told
    )


def test_overtaken_orders_are_passed_over(box: Postbox) -> None:
    """Orders written ahead that events have made void are no fault."""
    box.mail("blue", f"when B1:\nwhen B2: 4b to {MIDDLE}\n")
    box.mail("red", f"pick 0302\nwhen A1:\nwhen A2: 4a to {MIDDLE}\n")
    assert box.phase().label == "t2.pick"
    assert sorted(units(box)[unit] == MIDDLE for unit in ("4a", "4b")) == [False, True]


# --- judging what was written ahead ---------------------------------------------------------------------------


def verdicts(box: Postbox, seat: str, text: str) -> list[tuple[str, str]]:
    return [
        (checked.verdict, " ".join(checked.says)) for checked in check_file(box.store, seat, text).check.lines
    ]


def test_lines_ahead_are_judged_as_things_stand(box: Postbox) -> None:
    """A line for a section to come is tried against what would be asked for it now: what it would do, why it could not yet, or that its condition
    does not hold."""
    box.mail("red", "draft\n[pick]\n")
    [good, far, held, stays] = verdicts(
        box,
        "blue",
        "when B1: 1b to 0401; 2b to 0101\nwhen B2: if 0101 is free, 3b to 0403; if 0101 is free, 4b to 0201, else 4b to 0302\n",
    )
    assert good == ("later", "kept for [B1]; as things stand now: go seen from pick")
    assert far[0] == "later" and far[1].startswith("only if things change until then: 2b cannot go to 0101")
    assert held == ("later", "kept for [B2]; as things stand the condition does not hold")
    assert stays == ("later", "kept for [B2]; as things stand now: go seen from pick")


def test_confirmations_say_for_whom_each_line_is(box: Postbox) -> None:
    """Where chance decides whose turn comes next, every line of a confirmation stands under its heading."""
    box.mail("red", f"when A1: {order('A1')}\nwhen A2: {order('A2')}\n[pick]\npick 0302\ndraft\n")
    shown = box.texts(RITA)[-1].partition("Your orders as they stand")[2]
    places = [
        shown.index(words) for words in ("[pick]", "pick 0302", "[A1]", order("A1"), "[A2]", order("A2"))
    ]
    assert places == sorted(places)


def test_judging_ahead_changes_nothing(box: Postbox) -> None:
    """What `Game.ahead` does to the state it is given is not seen by the game, nor by the next judgement."""
    text = "when B1: 2b to 0402\nwhen B2: 3b to 0402\n"
    assert [verdict for verdict, _ in verdicts(box, "blue", text)] == ["later", "later"]
    assert units(box)["1b"] == "0501"


def test_a_line_that_can_never_act_is_wrong(box: Postbox) -> None:
    """What the rules say can never act makes the letter a draft, with the reason."""
    assert verdicts(box, "blue", "when B1: 3b to 0403\n") == [("no", "3b never acts with B1 [2.2]")]
    box.mail("blue", f"when B1: 3b to 0403\nwhen B2: {order('B2')}\n")
    assert box.seat("blue").released == []
    assert "3b never acts with B1" in box.texts(BOB)[-1]


# --- time ---------------------------------------------------------------------------------------------------


def test_a_deadline_decides_all_that_a_seat_has_not_written(box: Postbox) -> None:
    """A deadline decides of every section of the late seat that is drawn before the other one is waited for, or the turn ends."""
    late, _, other = picked(box)
    assert act(box.store, "lots", NOW + 100 * HOUR, force=True)
    seat, section = awaited(box)
    assert (seat, section == "pick") in ((other, False), ("red", True))
    assert seat != late or section == "pick"


def test_a_deadline_keeps_what_was_written_ahead(box: Postbox) -> None:
    """Drafts of other sections survive a deadline."""
    _, _, other = picked(box)
    later = others(box, other)
    box.mail(other, "draft\n" + "".join(f"when {each}: {order(each)}\n" for each in later))
    act(box.store, "lots", NOW + 100 * HOUR, force=True)
    kept = {each for each, _ in box.seat(other).lines}
    assert kept == set(later)
