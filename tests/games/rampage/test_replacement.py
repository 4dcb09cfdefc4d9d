"""Replacements (7.4 to 7.8)."""

from __future__ import annotations

import pytest

from pbem.engine.desk import FirstOf
from pbem.engine.errors import NotAllowed
from pbem.games.rampage import administration
from pbem.games.rampage.notes import Conceded, Replenished, Replenishing
from pbem.games.rampage.orders import Concede, Replenish
from pbem.games.rampage.replacement import Replacement, capacity, replacement
from pbem.games.rampage.state import State
from tests.games.playing import opening, play
from tests.games.rampage.kit import game

REDUCED = (
    "2A 1501 reduced, 3A 1501 reduced, 1Inf 1501 reduced, 4Inf 1502 reduced,"
    "GdsA 1701 reduced, 7BrA 1701 reduced, 11BrA 1701 reduced, 3BrInf 1701 reduced"
)


def refused(state: State, *units: str, seat: str = "allied") -> NotAllowed:
    with pytest.raises(NotAllowed) as caught:
        Replacement(state, seat).check(Replenish(units))
    return caught.value


def test_7_8_limits_by_army_group_and_turn() -> None:
    """7.8 Three US and two British divisions; the partially supplied group one fewer."""
    state = game()
    assert (capacity(state, "us"), capacity(state, "british")) == (3, 2)
    state.partial = "british"
    assert (capacity(state, "us"), capacity(state, "british")) == (3, 1)
    state.partial = "us"
    assert (capacity(state, "us"), capacity(state, "british")) == (2, 2)


def test_7_7_a_replenished_division_sits_out_and_is_full_in_phase_iv() -> None:
    """7.7 The marker is put on in phase I and comes off in phase IV,
    when the division has two steps again."""
    state = game(REDUCED)
    played = play(replacement, state, Replenish(("2A", "1Inf")), Replenish(("GdsA",)))
    assert [(note.group, note.names) for note in played.of(Replenishing)] == [
        ("us", ("2A", "1Inf")),
        ("british", ("GdsA",)),
    ]
    assert [(state.units[id].replenishing, state.units[id].steps) for id in ("2A", "3A")] == [
        (True, 1),
        (False, 1),
    ]
    after = play(administration.administration, state)
    assert after.of(Replenished)[0].names == ("GdsA", "2A", "1Inf")
    assert (state.units["2A"].steps, state.units["2A"].replenishing) == (2, False)
    assert state.units["3A"].steps == 1


def test_7_8_no_more_than_the_limit_in_one_line_or_several() -> None:
    """7.8 The fourth US division and the third British one are refused, and the refusal says how
    many are left."""
    assert "3 left" in refused(game(REDUCED), "2A", "3A", "1Inf", "4Inf").text
    state = game(REDUCED)
    play(replacement, state, Replenish(("GdsA", "7BrA")))
    assert refused(state, "11BrA").case == "7.8"
    Replacement(state, "allied").check(Replenish(("2A", "3A", "1Inf")))


@pytest.mark.parametrize(
    ("text", "unit", "words"),
    [
        ("3BrInf 1701 reduced", "3BrInf", "British infantry"),
        ("2CanInf 1701 reduced", "2CanInf", "British infantry"),
        ("1BrAB 1701 reduced", "1BrAB", "airborne"),
        ("82AB 1501 reduced", "82AB", "airborne"),
        ("3A 1501", "3A", "full strength"),
        ("3A 1501 replenishing", "3A", "already"),
        ("", "6A", "not on the map"),
        ("", "17L", "not one of your divisions"),
    ],
)
def test_7_8_who_cannot_be_replenished(text: str, unit: str, words: str) -> None:
    """7.8 British infantry, the airborne army, full divisions and those off the map get nothing,
    each with its reason."""
    assert words in refused(game(text), unit).text


def test_7_8_french_count_as_us_and_poles_as_british() -> None:
    """1.4, 7.8 A French division takes one of the three US places, a Polish armoured one a British place."""
    state = game("2FrA 1501 reduced, 1PolA 1701 reduced, GdsA 1701 reduced, 7BrA 1701 reduced")
    play(replacement, state, Replenish(("2FrA", "1PolA", "GdsA")))
    assert refused(state, "7BrA").case == "7.8" and not Replacement(state, "allied").subjects()


def test_7_6_nobody_is_asked_when_nothing_can_be_replenished() -> None:
    """7.6 With no reduced division the phase passes by itself; the offered orders are the legal ones."""
    assert opening(replacement, game("3A 1501, 3BrInf 1701 reduced")) is None
    asked = opening(replacement, game(REDUCED))
    assert "3BrInf" not in asked.subjects() and asked.options("2A") == [Replenish(("2A",))]


def test_two_commanders_replenish_their_own() -> None:
    """7.6 With two seats both are asked at once, each for its army group alone."""
    state = game(REDUCED, options={"command": "two"})
    asked = opening(replacement, state)
    assert isinstance(asked, FirstOf) and [ask.seat for ask in asked.asks] == ["us", "british"]
    assert "not one of your divisions" in refused(state, "2A", seat="british").text
    played = play(replacement, state, Replenish(("2A",)), None, Replenish(("GdsA",)))
    assert played.ended and state.units["GdsA"].replenishing and state.units["2A"].replenishing


def test_5_5_conceding_ends_the_writing() -> None:
    """5.5 Conceding may be written in any section and stops everything."""
    state = game(REDUCED)
    played = play(replacement, state, Concede())
    assert played.ended and state.conceded and played.of(Conceded)[0].seat == "allied"
