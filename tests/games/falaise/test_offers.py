"""What a desk offers is what comes of the order: end, way, cost and odds, in games that bots have played."""

from __future__ import annotations

from fractions import Fraction

from sizes import size

from pbem.games.falaise import GAME, assault
from pbem.games.falaise.march import written
from pbem.games.falaise.notes import Assaulted, Bombarded, Exited, Moved, OpFired
from pbem.games.falaise.orders import Assault, Bombard, Exit, MechAssault, Move, Strike
from pbem.testing.plays import Plan
from tests.games.offers import carried_out

SCENARIO = next(iter(GAME.scenarios))
PLANS = (Plan("mixed", SCENARIO, 3), Plan("greedy", SCENARIO, 0))


def points(text: str) -> Fraction:
    """Movement points as the log writes them: ``2 1/2``."""
    return next(Fraction(halves, 2) for halves in range(200) if written(halves) == text)


def of_the_stack(note: Moved, order: Move) -> bool:
    """Whether a note tells of the units of an order."""
    return set(note.names) == set(order.units)


def test_7_2_a_move_costs_what_was_offered() -> None:
    """7.2 A stack that draws no fire goes the way offered, and has the points left that were offered, unless
    a die still decides how many there are; under fire it goes that way as far as the fire (6.2)."""
    calm = under_fire = 0
    for plan in PLANS:
        for tried in carried_out(GAME, plan, (Move,), Moved, size(50, 150), of_the_stack):
            offer, note = tried.offer, tried.note
            assert note is not None and offer.cost is not None and offer.of is not None
            assert offer.end == offer.way[-1]
            whole = points(note.of) >= offer.of and offer.way[: len(note.path)] == note.path
            if offer.odds and whole:
                assert len(note.path) < len(offer.way) or offer.odds[0].hex == offer.end
                under_fire += 1
            elif whole and note.path == offer.way:
                assert offer.of - offer.cost == points(note.of) - points(note.spent), tried
                calm += 1
    assert calm > size(20, 60) and under_fire > size(6, 20)


def test_6_2_fire_has_the_chances_that_were_offered() -> None:
    """6.2 The first fire that a move draws is at the modifier offered, by the stack that fires best, and has
    one of the results offered."""
    fired = 0
    for plan in PLANS:
        for tried in carried_out(
            GAME, plan, (Move,), OpFired, size(60, 120), lambda note, order: not note.retreat
        ):
            if tried.note and set(tried.note.names) == set(tried.order.units):
                odds = next(odds for odds in tried.offer.odds if odds.hex == tried.note.hex)
                assert odds.column == f"{sum(part.value for part in tried.note.parts):+d}"
                assert dict(odds.shares)[tried.note.result] > 0 and sum(dict(odds.shares).values()) == 1
                fired += 1
    assert fired > size(10, 20)


def test_10_2_an_assault_is_at_the_odds_that_were_offered() -> None:
    """10.2 If all who were ordered attack, the column is the one offered, and the chances are those of the
    table."""
    fought = 0
    for plan in PLANS:
        for tried in carried_out(
            GAME,
            plan,
            (Assault, MechAssault),
            Assaulted,
            size(40, 120),
            lambda note, order: note.hex == order.hex,
        ):
            odds, note = tried.offer.odds[-1], tried.note
            assert tried.offer.end == odds.hex == tried.order.hex and sum(dict(odds.shares).values()) == 1
            if note and set(note.attackers) == set(tried.order.units):
                assert odds.column == note.odds
                assert {note.result, note.may} & dict(odds.shares).keys()
                if not note.mech and not tried.offer.odds[:-1]:
                    units = [tried.state.units[id] for id in note.attackers]
                    assert dict(odds.shares) == assault.chances(tried.state, note.hex, units, note.mech)
                fought += 1
    assert fought > size(20, 60)


def test_8_1_a_bombardment_has_a_result_that_was_offered() -> None:
    """8.1 Guns and aircraft roll with the modifier offered, and have one of the results offered."""
    for plan in PLANS:
        for tried in carried_out(
            GAME, plan, (Strike, Bombard), Bombarded, 40, lambda note, order: note.hex == order.hex
        ):
            odds, note = tried.offer.odds[0], tried.note
            assert note is not None and tried.offer.end == odds.hex == note.hex
            assert odds.column == f"{sum(part.value for part in note.parts):+d}"
            assert dict(odds.shares)[note.result] > 0 and sum(dict(odds.shares).values()) == 1


def test_3_3_an_exit_is_where_it_was_offered() -> None:
    """3.3 A unit leaves the map where its offer ends, for points that it has."""
    for plan in PLANS:
        for tried in carried_out(GAME, plan, (Exit,), Exited, 20):
            assert tried.offer.cost is not None and tried.offer.of is not None
            assert tried.offer.cost <= tried.offer.of
            assert tried.note is None or tried.offer.end == tried.note.hex
