"""What a desk offers is what comes of the order: end, way, cost and odds, in games that bots have played."""

from __future__ import annotations

from sizes import size

from pbem.games.normandy71 import GAME
from pbem.games.normandy71.notes import Attacked, Entered, Exited, Moved
from pbem.games.normandy71.orders import Attack, Enter, Exit, Move
from pbem.games.normandy71.tables import CHARTS
from pbem.testing.plays import Plan
from tests.games.offers import carried_out


def by_it(note: Attacked, order: Attack) -> bool:
    """Whether the note tells of the attack that was ordered."""
    return note.hexes == order.hexes


PLAN = Plan("mixed", "campaign", 3)
GREEDY = Plan("greedy", "campaign", 3)


def test_mov_a_move_costs_what_was_offered() -> None:
    """MOV.A, MOV.J The log tells the end, way and cost that were offered; a unit that only lands has gone no
    way, and none is told."""
    moved = 0
    for tried in carried_out(GAME, PLAN, (Move,), Moved, size(50, 150)):
        offer, note = tried.offer, tried.note
        assert offer.end == offer.way[-1] and not offer.odds
        if note is None:
            assert len(offer.way) == 1 and offer.cost == 0
            continue
        assert (offer.way, offer.cost, offer.of) == (note.path, note.points, note.of), tried
        moved += 1
    assert moved > size(33, 100)


def test_oob_r_an_entry_goes_the_way_that_was_offered() -> None:
    """OOB.R A reinforcement enters along the path that was offered, and has the points for it."""
    entered = list(carried_out(GAME, PLAN, (Enter,), Entered, 40))
    assert len(entered) > 20
    for tried in entered:
        offer = tried.offer
        assert tried.note and (offer.end, offer.way) == (tried.note.path[-1], tried.note.path)
        assert offer.cost is not None and offer.of is not None and offer.cost > 0


def test_vic_x_an_exit_is_at_the_hex_that_was_offered() -> None:
    """VIC.X A unit leaves the map where its offer ends, and its way there is paid."""
    for tried in carried_out(GAME, GREEDY, (Exit,), Exited, 20):
        assert tried.note and tried.offer.end == tried.note.hex == tried.offer.way[-1]
        assert tried.offer.cost is not None and tried.offer.of is not None
        assert tried.offer.cost <= tried.offer.of


def test_com_g_the_odds_are_those_that_were_offered() -> None:
    """COM.G, SUP.H An attack is resolved at the odds offered, unless defenders turn out to be unsupplied;
    under a marker no odds are offered (ENT.B)."""
    fought = 0
    for tried in carried_out(GAME, GREEDY, (Attack,), Attacked, size(90, 200), by_it):
        (odds,), note = tried.offer.odds, tried.note
        if note is None:  # other attacks are compulsory before it (INV.3)
            continue
        assert odds.hex == note.hexes[0] == tried.offer.end
        if any(part.case == "COM.I" for part in note.defence_parts):
            continue
        if any(hex in tried.state.entrenchments for hex in note.hexes):
            assert (odds.column, odds.shares) == ("", ())
            continue
        plus = sum(part.value for part in note.modifiers)
        assert odds.column == note.column
        assert dict(odds.shares) == CHARTS.combat.chances(note.column, plus)
        assert note.result in dict(odds.shares)
        fought += 1
    assert fought > size(24, 80)
