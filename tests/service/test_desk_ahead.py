"""The desk of a section that comes later this turn, as if it came up now."""

from __future__ import annotations

import pytest

from pbem.engine.game import game
from pbem.service.play.ahead import desk_ahead, desk_below
from pbem.service.play.sections import asked_section, open_orders, open_sections
from pbem.service.play.steps import Position, resume
from pbem.testing.plays import Plan, Play

LATER = {
    "normandy71": {"movement", "movement 2", "combat"},
    "rampage": {"operations"},
    "falaise": {"Pol", "84", "1SS", "2CC"},
    "normandy44": {"phase A", "phase B"},
    "france44": {"initiative"},
}
"""Sections of which each game has desks before their turn."""


@pytest.mark.parametrize("key", LATER)
def test_a_section_has_its_desk_before_its_turn(key: str) -> None:
    """A desk is of the seat and section asked for, offers legal orders, and leaves the position as it is; the
    section that is asked for now has its own desk."""
    rules, found = game(key), set()
    played = Play.of(rules, Plan("mixed", list(rules.scenarios)[-1], 3)).played
    assert played is not None
    for phase in played.phases[:40]:
        position = Position(1, phase.snapshot)
        step = resume(rules, position)
        before = rules.dump(step.state)
        for seat in {each.key for each in rules.seats_of(step.state.options)}:
            for section in open_sections(rules, step, seat):
                desk = desk_ahead(rules, step, position, seat, section)
                if section == asked_section(step, seat):
                    assert desk is open_orders(step.waiting, seat)
                elif desk is not None:
                    assert (desk.seat, desk.section) == (seat, section)
                    orders = [order for subject in desk.subjects()[:3] for order in desk.options(subject)[:3]]
                    for order in orders:
                        desk.check(order)
                        desk.offer(desk.settle(order))
                    found |= {section} if orders else set()
        assert rules.dump(step.state) == before
    assert found >= LATER[key], found


def test_below_a_line_that_heads_others_there_is_a_desk() -> None:
    """What may be written below a headquarters is what may be written once it has been activated: the desk is
    of the same seat and section, its orders are legal and differ from those without that line, and the
    position stays as it is. This is so in a section that is asked for and in one that comes later."""
    rules, heads, asked_for, later = game("france44"), 0, 0, 0
    played = Play.of(rules, Plan("mixed", "falaise", 3)).played
    assert played is not None
    for phase in played.phases[:10]:
        position = Position(1, phase.snapshot)
        step = resume(rules, position)
        before = rules.dump(step.state)
        for seat in {each.key for each in rules.seats_of(step.state.options)}:
            for section in open_sections(rules, step, seat):
                desk = desk_ahead(rules, step, position, seat, section)
                orders = [each for at in desk.subjects() for each in desk.options(at)] if desk else []
                for head in [order for order in orders if order.heads][:3]:
                    heads += 1
                    below = desk_below(rules, step, position, seat, section, head)
                    if below is None:
                        continue
                    assert below is not desk and (below.seat, below.section) == (seat, section)
                    more = [each for at in below.subjects()[:4] for each in below.options(at)[:4]]
                    assert not [order for order in more if order in orders]
                    for order in more:
                        below.check(order)
                        below.offer(below.settle(order))
                    asked_for += bool(more) and section == asked_section(step, seat)
                    later += bool(more) and section != asked_section(step, seat)
        assert rules.dump(step.state) == before
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
