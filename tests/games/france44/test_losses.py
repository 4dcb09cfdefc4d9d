"""Step losses (3.2, 9.6)."""

from __future__ import annotations

from pbem.games.france44 import losses
from pbem.games.france44.notes import Eliminated, StepsLost
from pbem.games.france44.orders import Attack
from pbem.games.france44.state import State
from tests.games.france44.fighting import answers, fights, war
from tests.games.france44.kit import at, game
from tests.games.playing import Played, play


def paid(
    state: State, ids: str, hits: int, lead: str, *, named: str = "", way: str | None = None
) -> Played[State]:
    """Units of a hex lose this many steps."""

    async def phase(state: State) -> None:
        units = [state.units[id] for id in ids.split()]
        await losses.pay(state, units, hits, state.units[lead], units[0].placed, named=named.split())

    return play(phase, state, choose=answers(losses=way))


def lost(state: State, ids: str) -> list[int]:
    return [state.units[id].lost for id in ids.split()]


def test_3_2_full_reduced_cadre_eliminated() -> None:
    """3.2 Three steps; a cadre has a strength of one and no zone, and the one after it is eliminated."""
    state = game("VII/US 1022")
    unit = state.units["VII/US"]
    for strength, cadre in (((7, 3), False), ((4, 2), False), ((1, 1), True)):
        assert (unit.strength(False), unit.strength(True)) == strength and unit.cadre is cadre
        assert unit.morale == 4
        losses.lose(state, {"VII/US": 1}, "1022", "combat")
    assert (unit.place, unit.hex, unit.lost) == ("eliminated", None, 0)
    assert state.losses == {"allied": 1}
    (note,) = [note for note in state.log if isinstance(note, Eliminated)]
    assert (note.name, note.hex, note.gone) == ("VII/US", "1022", False)


def test_3_2_nobody_loses_more_steps_than_he_has() -> None:
    """3.2 More hits than steps are lost on nobody."""
    state = game("VII/US 1022 lost=1")
    losses.lose(state, {"VII/US": 5}, "1022", "combat")
    (note,) = [note for note in state.log if isinstance(note, StepsLost)]
    assert note.lost == (("VII/US", 2),)


def test_9_6_the_lead_loses_the_first_step_the_owner_spreads_the_rest() -> None:
    """9.3, 9.6 Every way in which the lead is hit at least once is offered, and no other."""
    state = game("VII/US 1022, V/US 1022")
    played = paid(state, "VII/US V/US", 2, "VII/US", way="lose VII/US, VII/US")
    (ask,) = played.asked("losses")
    assert (ask.seat, set(ask.options)) == ("allied", {"lose VII/US, V/US", "lose VII/US, VII/US"})
    assert lost(state, "VII/US V/US") == [2, 0]


def test_9_6_a_single_hit_is_the_leads() -> None:
    """9.4, player note: nobody is asked."""
    state = game("VII/US 1022, V/US 1022")
    assert not paid(state, "VII/US V/US", 1, "V/US").asked("losses")
    assert lost(state, "VII/US V/US") == [0, 1]


def test_9_6_the_order_names_who_loses_next() -> None:
    """9.6 As far as it goes; the rest is asked."""
    state = game("VII/US 1022, V/US 1022, 2AD/US 1022")
    assert not paid(state, "VII/US V/US 2AD/US", 3, "VII/US", named="2AD/US V/US V/US").asked("losses")
    assert lost(state, "VII/US V/US 2AD/US") == [1, 1, 1]
    state = game("VII/US 1022, V/US 1022, 2AD/US 1022")
    (ask,) = paid(state, "VII/US V/US 2AD/US", 3, "VII/US", named="2AD/US").asked("losses")
    assert all("2AD/US" in option for option in ask.options) and len(ask.options) == 3
    assert ask.what == "Allied losses at 1022"
    assert ask.intro == (
        "3 steps to lose; the lead unit VII/US loses the first [9.6]. "
        "In brackets: set piece and mobile strength left"
    )


def test_9_6_what_a_way_leaves_is_told() -> None:
    """9.6, 3.2 Steps that are left with their strengths, and who is gone."""
    state = game("VII/US 1022, V/US 1022 lost=2")
    assert losses.left(state, {"VII/US": 2, "V/US": 1}) == "VII/US 1 step left (1-1), V/US eliminated"


def test_9_6_by_default_nobody_is_eliminated_without_need() -> None:
    """9.6 The first way offered loses the fewest units."""
    state = game("VII/US 1022 lost=1, V/US 1022 lost=2, 2AD/US 1022")
    paid(state, "VII/US V/US 2AD/US", 3, "VII/US")
    assert at(state, "V/US") == "1022" and state.units["V/US"].lost == 2
    assert sum(lost(state, "VII/US 2AD/US")) == 1 + 3


def test_9_6_more_hits_than_steps_eliminate_all() -> None:
    """9.6 Nobody is asked then."""
    state = game("VII/US 1022 lost=2, V/US 1022 lost=2")
    assert not paid(state, "VII/US V/US", 6, "VII/US").asked("losses")
    assert at(state, "VII/US") is None and at(state, "V/US") is None


def test_9_6_both_sides_lose_by_their_own_dice() -> None:
    """9.5, 9.6 The hit die of a side is for its own units, in either hex of two."""
    state = war("VII/US 1022, LXXXIV 1021, 2Pz 1122")
    order = Attack(("1021", "1122"), ("VII/US",), 4)
    choose = answers(lead="LXXXIV", losses="lose LXXXIV, 2Pz, 2Pz", retreat="stay")
    fights(state, order, dice=(1, 1, 1, 6), choose=choose)
    assert lost(state, "VII/US LXXXIV 2Pz") == [2, 1, 2]
