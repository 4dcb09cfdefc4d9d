"""Retreats (COM): two hexes by the other side's choice."""

from __future__ import annotations

import pytest

from pbem.engine.language import Policy
from pbem.engine.play import Ask
from pbem.games.normandy71 import bot, combat, retreat, standing
from pbem.games.normandy71.notes import Attacked, BeachLost, Lost, Retreated
from pbem.games.normandy71.orders import Attack
from pbem.games.normandy71.state import State
from pbem.games.normandy71.tables import BEACHES, MAP
from tests.games.normandy71.kit import at, game
from tests.games.playing import Played, play


def ways(text: str, id: str = "x", **fields: object) -> set[str]:
    """The last hexes to which a unit may retreat."""
    state = game(text, **fields)  # type: ignore[arg-type]
    return {path.split()[-1] for path in retreat.paths(state, state.units[id])}


def beaten(state: State, choose: object = None) -> Played:
    """7 against 7 with a 2: the defenders of 1215 retreat."""
    return play(
        combat.german_combat,
        state,
        Attack(("1215",)),
        dice=(2,),
        choose=choose,  # type: ignore[arg-type]
    )


def test_two_hexes_away() -> None:
    """COM A retreat ends two hexes from where it began."""
    found = ways("x allied 7-4 1215")
    assert found == set(MAP.grid.ring("1215", 2))


def test_a_unit_of_movement_one_goes_two_hexes_as_well() -> None:
    """COM The allowance does not matter."""
    assert ways("x german 4-1 1215") == set(MAP.grid.ring("1215", 2))


def test_never_into_or_through_the_enemy() -> None:
    """COM Hexes with enemy units bar the way, zones of control do not."""
    state = game("x allied 7-4 1215, g german 4-1 1216, h german 4-1 1217")
    found = retreat.paths(state, state.units["x"])
    assert found and not any("1216" in path or "1217" in path for path in found)
    assert any(path.split()[0] == "1315" for path in found)


def test_not_across_rivers_without_a_bridge_nor_into_the_sea() -> None:
    """COM Rivers and flooded ground bar a retreat unless they are bridged; so do sea and border."""
    state = game("x allied 7-4 1219, y allied 7-4 1626")
    assert not any(path.startswith(("1319", "1320")) for path in retreat.paths(state, state.units["x"]))
    assert not any(
        MAP.has(hex, "all sea") for path in retreat.paths(state, state.units["y"]) for hex in path.split()
    )
    assert "1418" in retreat.steps("1518")


def test_the_stacking_limit_holds_at_the_end_of_a_retreat() -> None:
    """COM A full hex may be passed but not be the end."""
    full = "f allied 7-4 {0}, g allied 7-4 {0}, x allied 7-4 1215"
    assert "1217" not in ways(full.format("1217"))
    assert "1217" in ways(full.format("1216"))


def test_the_other_side_routes_the_retreat() -> None:
    """COM The attacker chooses the way of the defenders, unit by unit."""
    state = game("a german 7-2 1216, x allied 7-4 1215", turn=1)
    asked: list[Ask[str]] = []

    def choose(ask: Ask[str]) -> str:
        if ask.kind != "retreat":
            return str(ask.fallback)
        asked.append(ask)
        return "1214 1213"

    played = beaten(state, choose)
    assert [(ask.seat, ask.what) for ask in asked] == [("german", "retreat of x from 1215")]
    assert at(state, "x") == "1213" and state.retreated == ["x"]
    assert played.of(Retreated, "german")[0].path == ("1215", "1214", "1213")


def test_a_german_is_not_named_to_the_allied_player_who_routes_him() -> None:
    """COM, ENT.B The one who routes a German unit is told its kind, not its name."""
    state = game("x allied 7-4 1216, secret german 7-2 1215", turn=1)
    played = play(combat.allied_combat, state, Attack(("1215",)), dice=(2,))
    ask = next(request for request in played.requests if isinstance(request, Ask))
    assert ask.what == "retreat of 7-2 from 1215" and "secret" not in str(ask)
    assert all("secret" not in str(note.facts()) for note in played.notes if note.seen_by("allied"))


def test_no_way_out_is_elimination() -> None:
    """COM A unit with no legal retreat is eliminated."""
    ring = ", ".join(f"g{n} german 4-1 {hex}" for n, hex in enumerate(MAP.neighbours("1215")))
    state = game(f"{ring}, x allied 20-10 1215, i allied 2-4 1215", turn=1)
    played = play(combat.german_combat, state, Attack(("1215",)), dice=(1,))
    assert {(note.name, note.why) for note in played.of(Lost, "allied") if note.side == "allied"} == {
        ("x", "no retreat"),
        ("i", "no retreat"),
    }


def test_inverted_paratroops_do_not_retreat() -> None:
    """INV.1C Inverted units are eliminated when their stack is retreated."""
    state = game("a german 7-2 1216, x allied 7-4 1215, p allied 5-4 paratroop inverted 1215", turn=1)
    played = beaten(state)
    assert [(note.name, note.why) for note in played.of(Lost, "german")] == [("p", "inverted")]


def test_newcomers_share_the_fate_of_a_hex_still_to_be_attacked() -> None:
    """COM A unit that retreats into a hex still to be attacked adds nothing to its defence and shares its
    fate."""
    state = game("a german 7-2 1216, b german 14-6 1114, x allied 7-4 1215, y allied 2-4 1113", turn=1)
    played = play(
        combat.german_combat,
        state,
        Attack(("1215",), ("a",)),
        Attack(("1113",), ("b",)),
        dice=(2, 1),
        choose=lambda ask: "1214 1113" if ask.kind == "retreat" else ask.fallback,
    )
    assert state.units["x"].place == "lost" and state.units["y"].place == "lost"
    assert {note.name for note in played.of(Lost, "german")} == {"x", "y"}
    assert played.of(Attacked, "german")[1].defence_strength == 2


def test_sup_h_a_retreat_through_a_supply_area_kills_it() -> None:
    """SUP.H A German unit that is driven across a supply beach ends its use,
    and only the Allied player is told."""
    state = game("x allied 7-4 2625, g german 7-2 2626", turn=1, supply=["9 Gold"])
    played = play(
        combat.allied_combat,
        state,
        Attack(("2626",)),
        dice=(2,),
        choose=lambda ask: next((way for way in ask.options if "2627" in way), ask.fallback),
    )
    assert state.dead_beaches == ["9 Gold"]
    assert played.of(BeachLost, "allied") and not played.of(BeachLost, "german")


SENT_BACK = "231/50 allied 7-4 2527, g german 4-1 2526"


@pytest.mark.parametrize(
    "policy",
    [
        None,
        standing.RetreatOffRoads(),
        standing.RetreatAway("3024"),
        standing.RetreatTowards("2327"),
        standing.RetreatTowards("1827"),
    ],
)
def test_sup_h_no_default_or_standing_order_ends_a_supply_area(policy: Policy | None) -> None:
    """SUP.H Nothing but a written answer sends a beaten German through the Allied player's own supply
    area."""
    state = game(SENT_BACK, turn=1, supply=["11 Gold"])
    played = play(
        combat.allied_combat,
        state,
        Attack(("2526",)),
        dice=(2,),
        choose=lambda ask: policy.decide(ask, {}) if policy and ask.kind == "retreat" else None,
    )
    assert state.dead_beaches == [] and state.units["g"].place == "map"
    (ask,) = played.asked("retreat")
    bad = [way for way in ask.options if "2327" in way.split()]
    assert bad and set(ask.sparing) == set(ask.options) - set(bad)
    assert all("ends your supply area 11 Gold for good" in ask.says(way) for way in bad)
    rate = bot.judge(state, ask)
    judged = {way: rate(way) for way in ask.options}
    assert max(judged[way] for way in bad) < min(judged[way] for way in ask.sparing)


def test_sup_h_the_way_that_is_taken_does_not_tell_of_a_supply_area() -> None:
    """SUP.H The default is the same whichever of the invaded beaches are supply areas."""
    taken = []
    for areas in (["9 Gold"], ["10 Gold"], ["11 Gold"]):
        state = game(SENT_BACK, turn=1, supply=areas)
        state.plan.beaches = {"9 Gold": [], "10 Gold": [], "11 Gold": []}
        (ask,) = play(combat.allied_combat, state, Attack(("2526",)), dice=(2,)).asked("retreat")
        taken.append((ask.fallback, *ask.sparing))
    assert taken[0] == taken[1] == taken[2]


def test_sup_h_where_every_way_leads_through_the_supply_area() -> None:
    """SUP.H With no other way a beaten German goes through the supply area."""
    wall = [hex for hex in retreat.steps("2526") if hex not in ("2527", BEACHES["9 Gold"])]
    text = ", ".join(f"w{n} allied 2-4 {hex}" for n, hex in enumerate(wall))
    state = game(f"{SENT_BACK}, {text}", turn=1, supply=["9 Gold"])
    play(combat.allied_combat, state, Attack(("2526",), ("231/50",)), dice=(2,))
    assert state.dead_beaches == ["9 Gold"] and state.units["g"].place == "map"


def test_a_retreat_says_where_it_ends_and_what_is_wrong_there() -> None:
    """COM Terrain or name of the last hex, friends, trenches, attacks still to come, the router's zone."""
    state = game(
        "a german 7-2 1216, x allied 7-4 1215, y allied 2-4 1113, z allied 2-4 1413, b german 7-2 1412",
        turn=1,
        trenches="1413 allied",
    )

    def told(way: str, ahead: tuple[str, ...] = ()) -> str:
        return retreat.described(state, state.units["x"], way, ahead)

    assert told("1114 1113") == "ends in clear, joins y"
    assert told("1114 1113", ("1113",)) == "ends in clear, joins y, still to be attacked"
    assert told("1214 1413") == "ends in clear, entrenched there, adjacent to your units"


def test_a_retreat_does_not_tell_the_german_of_allied_supply() -> None:
    """SUP.H What the German router reads is the same wherever the supply areas are."""
    text = "a german 7-2 2526, x allied 7-4 2626"
    told = []
    for areas in (["9 Gold"], ["11 Gold"], []):
        state = game(text, turn=2, supply=areas)
        unit = state.units["x"]
        told.append([retreat.described(state, unit, way, ()) for way in retreat.paths(state, unit)])
    assert told[0] == told[1] == told[2]


def test_vic_c_a_retreat_through_a_city_counts_as_passing() -> None:
    """VIC.C Whoever retreats through a city hex was the last to pass there."""
    state = game("a german 7-2 1317, x allied 7-4 1418", turn=1)
    play(
        combat.german_combat,
        state,
        Attack(("1418",)),
        dice=(2,),
        choose=lambda ask: next((way for way in ask.options if way.startswith("1518")), ask.fallback),
    )
    assert state.passed == {"1518": "allied"}
