"""What a desk offers is what comes of the order: end, way, cost and odds, in games that bots have played."""

from __future__ import annotations

from sizes import size

from pbem.games.france44 import GAME
from pbem.games.france44.notes import Attacked, Moved
from pbem.games.france44.orders import Attack, Move
from pbem.testing.plays import Plan
from tests.games.offers import carried_out

PLANS = (Plan("mixed", "westwall", 3), Plan("mixed", "rhine", 3))


def test_7_0_a_move_costs_what_was_offered() -> None:
    """7.0, 12.8 The log tells the end, way and cost that were offered, unless a bridge is blown before a
    unit."""
    whole = 0
    for plan in PLANS:
        for tried in carried_out(GAME, plan, (Move,), Moved, size(30, 120)):
            offer, note = tried.offer, tried.note
            assert offer.end == offer.way[-1] and not offer.odds
            if note is None or note.path != offer.way:
                assert note is None or offer.way[: len(note.path)] == note.path
                continue
            assert (offer.cost, offer.of) == (note.points, note.of), tried
            whole += 1
    assert whole > size(50, 200)


def test_9_the_odds_are_those_that_were_offered() -> None:
    """9.3 to 9.6 If the defender names the lead unit of the best morale, strengths compare as offered, and
    the box and the steps lost are among those offered."""
    fought = 0
    for plan in PLANS:
        for tried in carried_out(
            GAME, plan, (Attack,), Attacked, size(30, 100), lambda note, order: note.hexes == order.hexes
        ):
            odds, note = {each.what: each for each in tried.offer.odds}, tried.note
            assert tried.offer.end == tried.order.hexes[0]
            assert all(sum(dict(each.shares).values()) == 1 for each in tried.offer.odds)
            if note is not None:
                assert odds["attack"].column == note.comparison
                assert note.corner in dict(odds["attack"].shares)
                fought += 1
    assert fought > size(20, 60)
