"""The desk of a section that comes later this turn, as if it came up now."""

from __future__ import annotations

import pytest

from pbem.engine.game import game
from pbem.service.play.ahead import desk_ahead
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
        step = resume(rules, Position(1, phase.snapshot))
        before = rules.dump(step.state)
        for seat in {each.key for each in rules.seats_of(step.state.options)}:
            for section in open_sections(rules, step, seat):
                desk = desk_ahead(rules, step, seat, section)
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
