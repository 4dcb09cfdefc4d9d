"""Standing orders: what they decide, and that they can be written."""

from __future__ import annotations

from typing import Any

from pbem.engine.language import Roster, RosterUnit
from pbem.engine.play import Ask, AskAll
from pbem.games.normandy71 import combat, standing
from pbem.games.normandy71.combat import Mission
from pbem.games.normandy71.orders import Attack
from pbem.games.normandy71.retreat import RetreatWay
from tests.games.normandy71.kit import game
from tests.games.playing import decision, play

ROSTER = Roster(
    {"70": RosterUnit("70", "6-10", "5031"), "741": RosterUnit("741", "6-10", "3628")},
    frozenset({"1518", "6110"}),
)


def gunfire(
    rank: int = 1, odds: str = "2-1", options: tuple[str, ...] = ("none", "medium", "heavy")
) -> Mission:
    return decision(
        Mission,
        *options,
        seat="allied",
        kind="defensive gunfire",
        rank=rank,
        attack=14,
        defence=7.0,
        odds=odds,
        strengths={"medium": 10, "heavy": 10, "light": 5},
        left={"medium": 3, "heavy": 1},
    )


def test_fire_on_the_largest_attack_only() -> None:
    """NAV.B The mission fires at the strongest attack and at no other."""
    policy = standing.FireOnLargest("heavy")
    assert policy.decide(gunfire(1), {}) == "heavy"
    assert policy.decide(gunfire(2), {}) == "none"
    assert policy.decide(gunfire(1, options=("none", "medium")), {}) == "none"


def test_fire_at_odds() -> None:
    """NAV.B The mission fires only at attacks of the named odds or better, and no more often
    than there are missions."""
    policy = standing.FireAtOdds("heavy", "2-1")
    assert policy.decide(gunfire(odds="3-1"), {}) == "heavy"
    assert policy.decide(gunfire(odds="1-1"), {}) == "none"
    assert policy.decide(gunfire(2), {"gunfire 1": "heavy"}) == "none"


def test_any_takes_the_strongest_that_is_left() -> None:
    """NAV.B "any" is the strongest mission that reaches and has not been given away."""
    policy = standing.FireAlways("any")
    assert policy.decide(gunfire(), {}) in ("medium", "heavy")
    assert policy.decide(gunfire(options=("none", "heavy")), {"other": "heavy"}) == "none"
    assert standing.FireAlways("none").decide(gunfire(), {}) == "none"


def test_standing_gunfire_never_asks_for_too_much() -> None:
    """NAV.B Decided one after another, the answers of a batch are legal together."""
    state = game(
        "a german 14-6 1218, x allied 7-4 1219, b german 14-6 2418, y allied 7-4 2419, c german 14-6 2818, "
        "z allied 7-4 2819",
        turn=1,
        fired={"defence medium": 3},
    )
    batches: list[AskAll] = []
    attacks = [Attack((hex,)) for hex in ("1219", "2419", "2819")]
    played = play(combat.german_combat, state, *attacks, dice=(4, 4, 4))
    batches = [request for request in played.requests if isinstance(request, AskAll)]
    policy, earlier = standing.FireAlways("any"), dict[str, Any]()
    for ask in batches[0].asks:
        earlier[ask.what] = policy.decide(ask, earlier)
    batches[0].check(tuple(earlier.values()))
    assert list(earlier.values()).count("heavy") == 2
    assert [ask.rank for ask in batches[0].asks] == [1, 2, 3]


def retreat() -> RetreatWay:
    ways = ("1216 1217", "1314 1413", "1114 1013")
    return decision(RetreatWay, *ways, side="allied", sparing=ways)


def test_routing_retreats() -> None:
    """COM Retreats are routed towards a hex, away from one, or off the roads."""
    assert standing.RetreatTowards("1217").decide(retreat(), {}) == "1216 1217"
    assert standing.RetreatAway("1217").decide(retreat(), {}) != "1216 1217"
    chosen = standing.RetreatOffRoads().decide(retreat(), {})
    ends = {way: standing.to_road(way.split()[-1]) for way in retreat().options}
    assert ends[chosen] == max(ends.values())
    inland = standing.RetreatInland().decide(retreat(), {})
    ends = {way: standing.to_coast(way.split()[-1]) for way in retreat().options}
    assert ends[inland] == max(ends.values()) > min(ends.values())


def test_losses() -> None:
    """COM Losses of an exchange are the cheapest, or spare units by name if that can be done."""
    ask = Ask(
        case="COM",
        what="losses",
        seat="allied",
        kind="losses",
        options=("70 + 8/4", "741 + 16/1", "70 + 741"),
    )
    assert standing.LoseCheapest().decide(ask, {}) == "70 + 8/4"
    assert standing.Spare(("70",)).decide(ask, {}) == "741 + 16/1"
    assert standing.Spare(("70", "741")).decide(ask, {}) is None
