"""The desk of a section that comes later this turn, as if it came up now."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from shortened import shortened
from sizes import LONG, few

from pbem.engine.desk import Desk
from pbem.engine.game import Game, game
from pbem.engine.language import Order
from pbem.service.play.ahead import desk_ahead, desk_below
from pbem.service.play.sections import asked_section, open_orders, open_sections
from pbem.service.play.steps import Position, Step, resume
from pbem.testing.plays import Plan, Play

LATER = {
    "normandy71": {"movement", "movement 2", "combat"},
    "rampage": {"operations"},
    "falaise": {"Pol", "84", "1SS", "2CC"},
    "normandy44": {"phase A", "phase B"},
    "france44": {"initiative"},
}
"""Sections of which each game has desks before their turn."""


Moment = tuple[Step, Position, str, str]


def moments(rules: Game[Any], scenario: str, most: int) -> Iterator[Moment]:
    """Each seat's open sections in the first phases of a game of bots: the step, its position, seat and
    section. What is done with them must leave each position as it is."""
    played = Play.of(shortened(rules, most), Plan("mixed", scenario, 3)).played
    assert played is not None
    for phase in played.phases:
        position = Position(1, phase.snapshot)
        step = resume(rules, position)
        before = rules.dump(step.state)
        for seat in {each.key for each in rules.seats_of(step.state.options)}:
            for section in open_sections(rules, step, seat):
                yield step, position, seat, section
        assert rules.dump(step.state) == before


def legal(desk: Desk[Any], subjects: int, orders: int) -> list[Order]:
    """Some orders of a desk, which is checked to allow them and to tell what they would bring."""
    found = [order for subject in desk.subjects()[:subjects] for order in desk.options(subject)[:orders]]
    for order in found:
        desk.check(order)
        desk.offer(order)
    return found


@pytest.mark.parametrize("key", few([*LATER], "normandy71", "falaise"))
def test_a_section_has_its_desk_before_its_turn(key: str) -> None:
    """A desk is of the seat and section asked for, offers legal orders, and leaves the position as it is; the
    section that is asked for now has its own desk."""
    rules, found = game(key), set()
    for step, position, seat, section in moments(rules, list(rules.scenarios)[-1], 40):
        if section in found and not LONG:
            continue
        desk = desk_ahead(rules, step, position, seat, section)
        if section == asked_section(step, seat):
            assert desk is open_orders(step.waiting, seat)
        elif desk is not None:
            assert (desk.seat, desk.section) == (seat, section)
            found |= {section} if legal(desk, 3, 3) else set()
    assert found >= LATER[key], found


def test_below_a_line_that_heads_others_there_is_a_desk() -> None:
    """What may be written below a headquarters is what may be written once it has been activated: the desk is
    of the same seat and section, its orders are legal and differ from those without that line, and the
    position stays as it is. This is so in a section that is asked for and in one that comes later."""
    rules, heads, asked_for, later = game("france44"), 0, 0, 0
    for step, position, seat, section in moments(rules, "falaise", 10):
        desk = desk_ahead(rules, step, position, seat, section)
        orders = [each for at in desk.subjects() for each in desk.options(at)] if desk else []
        for head in [order for order in orders if order.heads][:3]:
            heads += 1
            below = desk_below(rules, step, position, seat, section, head)
            if below is None:
                continue
            assert below is not desk and (below.seat, below.section) == (seat, section)
            more = legal(below, 4, 4)
            assert not [order for order in more if order in orders]
            asked_for += bool(more) and section == asked_section(step, seat)
            later += bool(more) and section != asked_section(step, seat)
    assert heads and asked_for and later, (heads, asked_for, later)


def test_below_a_line_that_is_refused_there_is_no_desk() -> None:
    """An order that is not legal, and one of a section that does not come up, have nothing below them."""
    rules = game("france44")
    state = rules.start("falaise", {})
    position = Position(1, rules.dump(state))
    step = resume(rules, position)
    seat = next(iter(rules.seats_of(state.options))).key
    desk = desk_ahead(rules, step, position, seat, "initiative")
    assert desk is not None
    head = next(order for at in desk.subjects() for order in desk.options(at) if order.heads)
    assert desk_below(rules, step, position, seat, "initiative", head) is not None
    assert desk_below(rules, step, position, seat, "no section", head) is None
