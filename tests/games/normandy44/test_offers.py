"""What a desk offers is what comes of the order: end, way, cost and odds, in games that bots have played."""

from __future__ import annotations

from sizes import size, some

from pbem.games.normandy44 import GAME
from pbem.games.normandy44.notes import Attacked, Entered, Exited, Landed, Moved
from pbem.games.normandy44.orders import Attack, Enter, Exit, Land, Move
from pbem.testing.plays import Plan
from tests.games.offers import carried_out

PLANS = some((Plan("mixed", "cherbourg", 3), Plan("mixed", "cobra", 3), Plan("greedy", "cherbourg", 0)), 1)


def test_5_a_move_costs_what_was_offered() -> None:
    """5.1, 5.3 The log tells the end, way and cost that were offered."""
    for plan in PLANS:
        moves = list(carried_out(GAME, plan, (Move,), Moved, size(25, 100)))
        assert len(moves) == size(25, 100)
        for tried in moves:
            offer, note = tried.offer, tried.note
            assert note is not None and offer.end == offer.way[-1] and not offer.odds
            assert (offer.way, offer.cost, offer.of) == (note.path, note.points, note.of), tried


def test_11_units_come_and_go_the_way_that_was_offered() -> None:
    """11.1, 11.2, S2 A landing, an entry or an exit takes the way offered, for points that there are."""
    seen = dict.fromkeys((Landed, Entered, Exited), 0)
    for plan in PLANS:
        for kind, told in ((Land, Landed), (Enter, Entered), (Exit, Exited)):
            for tried in carried_out(GAME, plan, (kind,), told, size(10, 30)):
                offer, note = tried.offer, tried.note
                assert note is not None and (offer.end, offer.way) == (note.path[-1], note.path)
                assert offer.cost is not None and offer.of is not None and offer.cost <= offer.of
                seen[told] += 1
    assert seen[Landed] > size(6, 20) and seen[Entered] > size(6, 20)


def test_7_2_the_odds_are_those_that_were_offered() -> None:
    """7.2 An attack to which the enemy adds no help has the strengths, column and chances offered."""
    fought = 0
    for plan in PLANS:
        for tried in carried_out(
            GAME, plan, (Attack,), Attacked, size(50, 150), lambda note, order: note.hex == order.hex
        ):
            assert tried.offer.end == tried.order.hex
            if not tried.offer.odds:
                assert "only headquarters" in tried.offer.told[0]
                continue
            odds, note = tried.offer.odds[0], tried.note
            assert (odds.hex, sum(dict(odds.shares).values())) == (tried.order.hex, 1)
            if note is None or tried.order.guns:
                continue
            if odds.column == note.column:
                assert note.result in dict(odds.shares)
                fought += 1
            else:
                assert any(
                    part.case in ("6.3", "10.1", "12.0") for part in (*note.shifts, *note.defence_parts)
                )
    assert fought > size(20, 60)
