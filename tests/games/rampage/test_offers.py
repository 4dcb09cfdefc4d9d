"""What a desk offers is what comes of the order: end, way, cost and odds, in games that bots have played."""

from __future__ import annotations

from fractions import Fraction

from sizes import size

from pbem.engine.offer import Odds
from pbem.games.rampage import GAME, control
from pbem.games.rampage.notes import Defended, Engaged, Moved
from pbem.games.rampage.orders import Drop, Move
from pbem.testing.plays import Plan
from tests.games.offers import carried_out

PLANS = (Plan("mixed", "campaign", 3), Plan("greedy", "campaign", 0))


def of_the_force(note: Moved | Engaged, order: Move) -> bool:
    """Whether a note is about the units of an order."""
    names = note.names if isinstance(note, Moved) else note.attackers
    return set(names) <= set(order.units)


def test_9_8_a_move_costs_what_was_offered() -> None:
    """9.8 A force that meets no German goes the way offered, and has the points left that were offered; one
    that meets some goes that way as far as the first of them."""
    calm = 0
    for plan in PLANS:
        for tried in carried_out(GAME, plan, (Move,), Moved, size(40, 120), of_the_force):
            offer, note, state = tried.offer, tried.note, tried.state
            assert offer.cost is not None and offer.of is not None
            if note is None:  # 9.15 the die gave too few points for the first hex
                assert state.partial
                continue
            assert offer.end == offer.way[-1] and offer.way[: len(note.path)] == note.path
            german = [hex for hex in offer.way[1:] if control.is_german(state, hex)]
            assert {odds.hex for odds in offer.odds} == set(german)
            if not german and state.partial != note.group:
                assert note.path == offer.way and offer.of - offer.cost == note.of - note.spent
                calm += 1
    assert calm > size(13, 40)


def test_8_2_the_defence_is_one_of_those_offered() -> None:
    """8.2 The number of Germans that the die makes has a chance in the offer; of known Germans the battle has
    just their number (8.8)."""
    rolled = known = 0
    for plan in PLANS:
        for tried in carried_out(
            GAME, plan, (Move,), Defended, size(30, 80), lambda note, order: bool(note.die)
        ):
            if (note := tried.note) and (die := shares(tried.offer.odds, "defence", note.hex)):
                assert str(len(note.names)) in die and sum(die.values()) == 1
                rolled += 1
        for fought in carried_out(GAME, plan, (Move,), Engaged, 80, of_the_force):
            battles = [odds for odds in fought.offer.odds if odds.what == "battle"]
            hex = fought.note.hex if fought.note else ""
            numbers = [odds.column for odds in battles if odds.hex == hex]
            if fought.note and numbers and not shares(fought.offer.odds, "defence", hex):
                assert numbers == [str(len(fought.note.defenders))]
                known += 1
            assert all(sum(dict(odds.shares).values()) == 1 for odds in battles)
    assert rolled > size(7, 20) and known > 0


def test_13_5_a_drop_is_offered_with_its_defence_die() -> None:
    """13.5 A drop ends in its hex, and meets one of the numbers of Germans that were offered."""
    for plan in PLANS:
        for tried in carried_out(
            GAME, plan, (Drop,), Defended, 20, lambda note, order: note.hex == order.hex
        ):
            assert tried.offer.end == tried.order.hex
            if tried.note and tried.note.die:
                assert str(len(tried.note.names)) in shares(tried.offer.odds, "defence", tried.note.hex)


def shares(every: tuple[Odds, ...], what: str, hex: str) -> dict[str, Fraction]:
    """The shares of one thing that chance decides in a hex; empty if the offer has none."""
    return next((dict(odds.shares) for odds in every if (odds.what, odds.hex) == (what, hex)), {})
