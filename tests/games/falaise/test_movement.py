"""Movement rounds (7): points, stacks, roads, breaking contact, op-fire on the way, legs, leaving the map."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from typing import Any

import pytest

from pbem.engine.desk import Desk, write
from pbem.engine.errors import NotAllowed, Overtaken
from pbem.engine.language import Order
from pbem.engine.play import Answer, Ask, Phase, advance
from pbem.games.falaise import march, stacking
from pbem.games.falaise.movement import Movement, allowance, written
from pbem.games.falaise.notes import Exited, Moved, OpFired
from pbem.games.falaise.orders import Exit, Move
from pbem.games.falaise.state import State
from pbem.games.falaise.tables import ALLIED_COMMANDS, GERMAN_COMMANDS, GRID, MAP, SETUP
from tests.games.falaise.kit import at, game
from tests.games.playing import Played, opening, play

# 0118 to 0327 is open ground without roads. A road runs from Argentan (3219, a town) over 3119, 3018, 2918
# (woods), 2818, 2718 and 2617 to 2616, and over the bridge 3220-3321 the other way. Ratings:
# 4/2C 3, 6/2AB 4 (mechanised), 1053/85 2, 192/21Pz 4, 25/12SS 5, Pz/12SS 5 and 16/116Pz 4
# (mechanised), KG/243 1.

ROUNDS: list[Movement] = []


class Marching(Desk[Order]):
    """The moves of a round, and nothing else."""

    case, takes = "7.0", (Move, Exit)

    def __init__(self, movement: Movement) -> None:
        self.movement, self.seat = movement, movement.side

    @property
    def section(self) -> str:
        return self.movement.command

    @property
    def what(self) -> str:
        return f"movement of {self.movement.command}"

    def subjects(self) -> Sequence[str]:
        return self.movement.subjects()

    def options(self, subject: str) -> Sequence[Order]:
        return self.movement.options(subject)

    def check(self, order: Order | None) -> None:
        self.movement.check(order)

    def settle(self, order: Order) -> Order:
        return self.movement.settle(order)

    def carry_out(self, order: Order) -> Any:
        return self.movement.carry_out(order)


def moving(command: str, points: int) -> Callable[[State], Phase[Any]]:
    """A movement round of a command, and nothing else."""

    async def phase(state: State) -> None:
        movement = Movement(state, command, points)
        ROUNDS.append(movement)
        await write(Marching(movement))

    return phase


def run(
    command: str, points: int, text: str, *orders: Move | Exit, dice: tuple[int, ...] = (), **fields: Any
) -> Played:
    return play(moving(command, points), game(text, **fields), *orders, dice=dice)


def refused(
    command: str, points: int, text: str, *orders: Move | Exit, dice: tuple[int, ...] = (), **fields: Any
) -> NotAllowed:
    with pytest.raises(NotAllowed) as caught:
        run(command, points, text, *orders, dice=dice, **fields)
    return caught.value


def go(units: str, *path: str, cover: tuple[str, ...] = ()) -> Move:
    return Move(tuple(units.split(", ")), path, cover)


def paths(played: Played) -> list[tuple[str, ...]]:
    return [note.path for note in played.of(Moved)]


# --- points (7.1.1, 7.2) --------------------------------------------------------------------------------


def test_7_1_1_rating_and_points() -> None:
    """7.1.1 A rating of 1 or less takes a point off, one of 5 or more adds two; disruption counts."""
    state = game("KG/243 0224, 1053/85 0222, 25/12SS 0220, 26/12SS 0218 disrupted, 1054/85 0118 disrupted")
    points = {
        id: allowance(state, state.units[id], 4)
        for id in ("KG/243", "1053/85", "25/12SS", "26/12SS", "1054/85")
    }
    assert points == {"KG/243": 6, "1053/85": 8, "25/12SS": 12, "26/12SS": 8, "1054/85": 6}
    assert allowance(state, state.units["KG/243"], 1) == 0
    assert [written(half) for half in (0, 1, 4, 5)] == ["0", "1/2", "2", "2 1/2"]


def test_7_2_terrain_costs() -> None:
    """7.2 Half points by terrain, on foot and mechanised: clear, woods, crest, rivers, fords, bridges."""
    assert march.step_cost(False, "0224", "0225") == march.step_cost(True, "0224", "0225") == 2
    assert (march.step_cost(False, "0230", "0330"), march.step_cost(True, "0230", "0330")) == (4, 6)
    crest = next(
        hex
        for hex in MAP.hexes("crest")
        if any(march.step_cost(False, near, hex) for near in MAP.neighbours(hex))
    )
    near = next(n for n in MAP.neighbours(crest) if not MAP.hexside(n, crest) and not MAP.road(n, crest))
    terrain = {"clear": 2, "bocage": 4, "woods": 4, "rough": 4}[MAP.terrain(crest)]
    assert march.step_cost(False, near, crest) == terrain + 2
    assert (march.step_cost(False, "1203", "1202"), march.step_cost(True, "1203", "1202")) == (8, None)
    assert march.step_cost(False, "2613", "2612") is None
    assert (march.step_cost(False, "2711", "2712"), march.step_cost(True, "2711", "2712")) == (6, 8)
    assert march.step_cost(True, "3220", "3321") == 4, "7.3: a road hex and a bridge"
    assert march.step_cost(False, "3018", "2918") == 2, "7.3: by road, whatever the terrain"


def test_7_2_as_far_as_points_go() -> None:
    """7.2 The whole way is gone if the points allow it, else as much of it as they do; the log says why."""
    played = run("2CC", 4, "4/2C 0224", go("4/2C", "0220"))
    assert at(played.state, "4/2C") == "0220" and played.of(Moved)[0].why == ""
    assert (played.of(Moved)[0].spent, played.of(Moved)[0].of) == ("4", "4")
    short = run("2CC", 3, "4/2C 0224", go("4/2C", "0220"))
    assert at(short.state, "4/2C") == "0221" and "0 movement points left" in short.of(Moved)[0].why


def test_7_2_1_one_hex_always() -> None:
    """7.2.1 With a point a unit moves one hex whatever it costs; without one, or over what is prohibited,
    it does not."""
    assert at(run("2CC", 1, "4/2C 0230", go("4/2C", "0330")).state, "4/2C") == "0330"
    assert at(run("1SS", 1, "1053/85 1203", go("1053/85", "1202")).state, "1053/85") == "1202"
    none = refused("84", 1, "KG/243 0224", go("KG/243", "0223"), zone_86="open")
    assert none.case == "7.2.1" and isinstance(none, Overtaken)
    assert refused("2CC", 1, "6/2AB 1203", go("6/2AB", "1202", "1102")).case == "7.2"
    twice = refused("2CC", 1, "4/2C 0230", go("4/2C", "0330"), go("4/2C", "0331"))
    assert "0 movement points left" in twice.text
    dear = refused("2CC", 2, "4/2C 0230", go("4/2C", "0229"), go("4/2C", "0330"))
    assert "1 movement point left in 0229, 0330 costs 2" in dear.text and "move 4/2C to 0329" in dear.legal


def test_7_2_prohibited_steps_are_refused() -> None:
    """7.2, 11.4, 11.9 A written step that no rule allows is refused with the reason,
    and what could be done instead."""
    error = refused("2CC", 5, "4/2C 1421", go("4/2C", "1420", "1419"))
    assert error.case == "11.9" and not isinstance(error, Overtaken) and error.legal
    assert refused("7C", 9, "26/1 2008", go("26/1", "2007", "2006"), counterattack=1).case == "11.4"
    assert refused("7C", 9, "26/1 2008", go("26/1", "2005"), counterattack=1).case == "11.4"
    assert refused("7C", 9, "26/1 2008", go("26/1", "9999")).case == "7.2"


def test_7_2_a_neighbour_that_may_not_be_entered_from_here() -> None:
    """7.2 An order into a neighbouring hex over a river without a bridge is refused,
    and is no order to go around; nor is it offered."""
    text = "6/2AB 1619"
    error = refused("2CC", 9, text, go("6/2AB", "1618"), turn=7, counterattack=5)
    assert error.case == "7.2" and "bridges and fords" in error.text and not isinstance(error, Overtaken)
    around = run("2CC", 9, text, go("6/2AB", "1719", "1818", "1718", "1618"), turn=7, counterattack=5)
    assert at(around.state, "6/2AB") == "1618", "whoever means the way around writes it"
    movement = Movement(game(text, turn=7, counterattack=5), "2CC", 9)
    ends = {order.path for order in movement.options("6/2AB") if isinstance(order, Move)}
    assert ("1618",) not in ends and ("1718",) in ends
    trun = refused("47Pz", 6, "16/116Pz 2415", go("16/116Pz", "2315"))
    assert trun.case == "7.2.1"


def test_7_2_the_enemy_in_the_way() -> None:
    """7.2 A way that leads to an enemy is gone up to him; if that is nowhere the line is passed over."""
    played = run("2CC", 5, "4/2C 0224, 25/12SS 0221", go("4/2C", "0223", "0222", "0221"), dice=(1,))
    assert at(played.state, "4/2C") == "0222" and "enemy" in played.of(Moved)[-1].why
    error = refused("2CC", 5, "4/2C 0224, 25/12SS 0223", go("4/2C", "0223"))
    assert isinstance(error, Overtaken)


def test_7_2_cheapest_way_and_least_fire() -> None:
    """7.2 With only the goal named the cheapest way is gone; of equal ones the one with fewer hexes
    in enemy zones."""
    played = run("2CC", 6, "4/2C 0224, 25/12SS 0323", go("4/2C", "0221"))
    assert paths(played) == [("0224", "0124", "0123", "0122", "0221")]
    assert not played.rolled()


def test_7_2_once_a_turn() -> None:
    """7.2 Who has begun to move is done when another begins; finished units, and those of other commands,
    do not move."""
    error = refused(
        "2CC", 5, "4/2C 0224, 5/2C 0220", go("4/2C", "0223"), go("5/2C", "0219"), go("4/2C", "0222")
    )
    assert error.case == "7.2" and "has already moved" in error.text
    assert refused("2CC", 5, "4/2C 0224 finished", go("4/2C", "0223")).case == "4.0"
    assert refused("2CC", 5, "71/53 0224", go("71/53", "0223")).case == "7.0"
    assert refused("2CC", 5, "25/12SS 0224", go("25/12SS", "0223")).case == "7.0"
    attached = run("74", 5, "1053/85 3036 to=74", go("1053/85", "3035"))
    assert at(attached.state, "1053/85") == "3035"


# --- stacks (7.2, 5.1) ----------------------------------------------------------------------------------


def test_7_2_a_stack_goes_by_the_lowest() -> None:
    """7.2 A stack has the points of its slowest unit, and pays in each hex what its worst
    placed unit does."""
    text = "1053/85 0224, 25/12SS 0224"
    played = run("1SS", 3, text, go("25/12SS, 1053/85", "0220"), zone_86="open")
    assert at(played.state, "25/12SS") == at(played.state, "1053/85") == "0221"
    assert played.of(Moved)[0].names == ("25/12SS", "1053/85") and played.of(Moved)[0].of == "3"
    wood = run("1SS", 5, "1053/85 0230, Pz/12SS 0230", go("1053/85, Pz/12SS", "0330", "0331"), zone_86="open")
    assert at(wood.state, "1053/85") == "0330", "three points for the vehicles, twice, are too many"


def test_7_2_dropping_off() -> None:
    """7.2 The faster unit goes on from where the slower one is left; that one is done."""
    text = "1053/85 0224, 25/12SS 0224"
    orders = go("1053/85, 25/12SS", "0221"), go("25/12SS", "0219")
    played = run("1SS", 3, text, *orders, zone_86="open")
    assert (at(played.state, "1053/85"), at(played.state, "25/12SS")) == ("0221", "0219")
    assert (played.of(Moved)[-1].spent, played.of(Moved)[-1].of) == ("5", "5")
    error = refused("1SS", 3, text, *orders, go("1053/85", "0222"), zone_86="open")
    assert "has already moved" in error.text


def test_7_2_nobody_is_picked_up() -> None:
    """7.2 A stack on the move takes nobody along who was not with it, and begins in one hex."""
    text = "1053/85 0224, 25/12SS 0226"
    assert (
        refused("1SS", 6, text, go("25/12SS", "0224"), go("25/12SS, 1053/85", "0223"), zone_86="open").case
        == "7.2"
    )
    assert refused("1SS", 6, text, go("25/12SS, 1053/85", "0223"), zone_86="open").case == "7.2"


def test_5_1_no_passing_through() -> None:
    """5.1 Two regiments do not pass through each other: the way leads around, or ends."""
    around = run("2CC", 6, "4/2C 0224, 71/53 0223", go("4/2C", "0222"))
    assert at(around.state, "4/2C") == "0222" and "0223" not in paths(around)[0]
    error = refused("2CC", 6, "4/2C 0224, 71/53 0223", go("4/2C", "0223", "0222"))
    assert error.case == "5.3" and isinstance(error, Overtaken)
    assert at(run("2CC", 6, "6/2AB 0224, 71/53 0223", go("6/2AB", "0223", "0222")).state, "6/2AB") == "0222"


def test_7_2_currie() -> None:
    """7.2, 5.3 Task Force Currie moves by the rating of its brigade in a round that it began with it,
    and stacks with nobody else."""
    text = "10/4C 0224 disrupted, Currie 0224"
    parted = run("2CC", 3, text, go("Currie", "0220"))
    assert at(parted.state, "Currie") == "0222" and parted.of(Moved)[0].of == "2"
    brigade_first = run("2CC", 3, text, go("10/4C", "0223"), go("Currie", "0126"))
    assert brigade_first.of(Moved)[-1].of == "2", "the round began with the two together"
    assert run("2CC", 3, "10/4C 0222 disrupted, Currie 0224", go("Currie", "0126")).of(Moved)[0].of == "3"
    assert refused("2CC", 3, "Currie 0224, 6/2AB 0223", go("Currie", "0223")).case == "5.3"


# --- roads (7.3) ----------------------------------------------------------------------------------------


def test_7_3_half_rate() -> None:
    """7.3 A mechanised unit that goes by road all the way pays half a point a hex; infantry a point."""
    played = run("47Pz", 3, "16/116Pz 3219", go("16/116Pz", "2617"))
    (note,) = played.of(Moved)
    assert note.path == ("3219", "3119", "3018", "2918", "2818", "2718", "2617")
    assert (note.spent, note.road, note.case) == ("3", True, "7.3")
    assert at(run("1SS", 3, "1053/85 3219", go("1053/85", "2617")).state, "1053/85") == "2918"


def test_7_3_bridges() -> None:
    """7.3 A bridge costs a point more, at half rate too."""
    assert run("47Pz", 5, "16/116Pz 3321", go("16/116Pz", "3220", "3219")).of(Moved)[0].spent == "2"
    assert run("1SS", 5, "1053/85 3321", go("1053/85", "3220", "3219")).of(Moved)[0].spent == "3"


def test_7_3_begun_on_the_road_and_never_off() -> None:
    """7.3 Whoever begins beside the road, or leaves it in a later leg,
    pays the full rate for all of the way."""
    assert run("47Pz", 5, "16/116Pz 3120", go("16/116Pz", "3119", "3018")).of(Moved)[0].spent == "2"
    off = run("47Pz", 5, "16/116Pz 3219", go("16/116Pz", "3018"), go("16/116Pz", "3019"))
    assert [note.spent for note in off.of(Moved)] == ["1", "3"]
    error = refused("47Pz", 2, "16/116Pz 3219", go("16/116Pz", "2918"), go("16/116Pz", "2919"))
    assert "1/2 movement points left" in error.text and isinstance(error, Overtaken)


def test_7_3_never_stacked() -> None:
    """7.3 No half rate for stacks, for a unit that begins in one, or that passes through a friend's hex."""
    both = run("47Pz", 3, "16/116Pz 3219, 3/2Pz 3219", go("16/116Pz, 3/2Pz", "3018"))
    assert both.of(Moved)[0].spent == "2"
    one = run("47Pz", 3, "16/116Pz 3219, 3/2Pz 3219", go("16/116Pz", "3018"), go("3/2Pz", "3119"))
    assert [note.spent for note in one.of(Moved)] == ["2", "1/2"], "the second one was alone when it set out"
    through = run("47Pz", 3, "16/116Pz 3219, 3/2Pz 3119", go("16/116Pz", "3119", "3018"))
    assert through.of(Moved)[0].spent == "2"


def test_7_3_enemy_zones() -> None:
    """7.3 No half rate into an enemy zone, nor out of one, but that zones do not reach into towns for this;
    fire is drawn there all the same."""
    into = run("47Pz", 3, "16/116Pz 3219, 357/90 3017", go("16/116Pz", "3119", "3018"), dice=(1,))
    assert into.of(Moved)[-1].spent == "2"
    out = run("47Pz", 3, "16/116Pz 3018, 357/90 3017", go("16/116Pz", "3119"), turn=4)
    assert out.of(Moved)[-1].spent == "2", "a point for the road and one for breaking contact"
    town = run("47Pz", 3, "16/116Pz 3018, 357/90 3319", go("16/116Pz", "3119", "3219"), dice=(1,))
    assert town.of(Moved)[-1].spent == "1" and town.of(OpFired)[0].hex == "3219"


def test_7_3_out_of_a_town() -> None:
    """7.3, 6.3 From a town under an enemy zone a march goes on at half rate, pays for breaking contact,
    and is fired on."""
    played = run("47Pz", 5, "16/116Pz 3219, 4/2C 3220", go("16/116Pz", "3319"), dice=(1,))
    assert played.of(OpFired)[0].case == "6.3"
    assert played.of(Moved)[0].spent == "2 1/2", "half a point, a bridge, breaking contact"


# --- op-fire and breaking contact (6.2, 6.3) ------------------------------------------------------------


def test_6_2_entering_a_zone() -> None:
    """6.2 Each hex of an enemy zone that is entered draws one fire; a halt ends the move there."""
    played = run("2CC", 6, "4/2C 0224, 25/12SS 0323", go("4/2C", "0223", "0222"), dice=(1, 1))
    assert played.rolled() == ["op-fire on 4/2C entering 0223", "op-fire on 4/2C entering 0222"]
    halted = run("2CC", 6, "4/2C 0224, 25/12SS 0323", go("4/2C", "0223", "0222", "0221"), dice=(4,))
    assert at(halted.state, "4/2C") == "0223" and halted.of(OpFired)[0].effect == "halt"
    assert ROUNDS[-1].finished_units() == [halted.state.units["4/2C"]]
    error = refused("2CC", 6, "4/2C 0224, 25/12SS 0323", go("4/2C", "0223"), go("4/2C", "0222"), dice=(4,))
    assert isinstance(error, Overtaken) and "halted" in error.text


def test_6_2_a_stack_is_one_target() -> None:
    """6.2 A stack is fired on once, and both units suffer."""
    played = run("2CC", 6, "4/2C 0224, 6/2AB 0224, 25/12SS 0323", go("4/2C, 6/2AB", "0223"), dice=(6,))
    assert len(played.of(OpFired)) == 1
    assert played.state.units["4/2C"].disrupted and played.state.units["6/2AB"].disrupted


def test_6_3_breaking_contact_by_day() -> None:
    """6.3 Out of the zones by day: a point more, and fire at two less, after the step;
    a halt holds the unit where it has come to."""
    text = "4/2C 0224, 25/12SS 0324"
    played = run("2CC", 4, text, go("4/2C", "0225", "0226"), dice=(1,))
    (fired,) = played.of(OpFired)
    assert (
        fired.case == "6.3"
        and fired.hex == "0225"
        and "breaking contact" in [part.why for part in fired.parts]
    )
    assert played.of(Moved)[-1].spent == "3"
    held = run("2CC", 4, text, go("4/2C", "0225", "0226"), dice=(5,))
    assert at(held.state, "4/2C") == "0225"


def test_6_3_breaking_contact_by_night() -> None:
    """6.3 By night it costs the point, and nobody fires."""
    played = run("2CC", 4, "4/2C 0224, 25/12SS 0324", go("4/2C", "0225"), turn=4)
    assert not played.asked("opfire")
    assert played.of(Moved)[0].spent == "2"


def test_6_3_zone_to_zone() -> None:
    """6.3 From one zone into another is no breaking contact: one fire, for entering, and no point more."""
    played = run("2CC", 4, "4/2C 0224, 25/12SS 0324", go("4/2C", "0223"), dice=(1,))
    assert played.of(OpFired)[0].case == "6.2" and played.of(Moved)[0].spent == "1"


def test_6_3_a_friend_stays() -> None:
    """6.3 A friend of another command who stays behind saves from fire, not from the point,
    and may not leave in this round."""
    played = run("2CC", 4, "6/2AB 0224, 71/53 0224, 25/12SS 0324", go("6/2AB", "0225"))
    assert not played.rolled() and played.of(Moved)[0].spent == "2"
    assert list(ROUNDS[-1].pinned) == ["71/53"]


def test_6_3_cover_by_an_active_friend() -> None:
    """6.3 A friend of the same command covers if the order says so, and then does not move himself."""
    text = "6/2AB 0224, 4/2C 0224, 25/12SS 0324"
    assert run("2CC", 4, text, go("6/2AB", "0225"), dice=(1,)).of(OpFired)
    played = run("2CC", 4, text, go("6/2AB", "0225", cover=("4/2C",)))
    assert not played.rolled() and list(ROUNDS[-1].pinned) == ["4/2C"]
    error = refused("2CC", 4, text, go("6/2AB", "0225", cover=("4/2C",)), go("4/2C", "0223"))
    assert error.case == "6.3"
    assert refused("2CC", 4, f"{text}, 5/2C 0122", go("6/2AB", "0225", cover=("5/2C",))).case == "6.3"
    assert refused("2CC", 4, text, go("6/2AB", "0225", cover=("25/12SS",))).case == "6.3"
    assert refused("2CC", 4, text, go("6/2AB", "0225", cover=("5/2C",))).case == "6.3"


def test_6_2_held_fire() -> None:
    """6.2 If the enemy holds his fire the move goes on."""

    def hold(ask: Ask[Any]) -> str:
        return "hold"

    state = game("4/2C 0224, 25/12SS 0323")
    played = play(moving("2CC", 6), state, go("4/2C", "0223", "0222"), choose=hold)
    assert at(state, "4/2C") == "0222" and len(played.asked("opfire")) == 2


def test_7_2_one_line_or_two() -> None:
    """7.2 A way in one line or in several gives the same dice, the same points and the same place."""
    text, way = "16/116Pz 3219, 357/90 2817", ("3119", "3018", "2918", "2818", "2718", "2617")
    whole = run("47Pz", 7, text, go("16/116Pz", *way), dice=(1, 2, 1, 1))
    legs = [go("16/116Pz", *way[:2]), go("16/116Pz", *way[2:3]), go("16/116Pz", *way[3:])]
    cut = run("47Pz", 7, text, *legs, dice=(1, 2, 1, 1))
    assert whole.rolled() == cut.rolled() and len(whole.rolled()) == 4
    assert at(whole.state, "16/116Pz") == at(cut.state, "16/116Pz") == "2617"
    assert whole.of(Moved)[-1].spent == cut.of(Moved)[-1].spent == "7"
    stopped = run("47Pz", 7, text, go("16/116Pz", *way), dice=(1, 4))
    assert at(stopped.state, "16/116Pz") == "2818"


# --- what may be ordered --------------------------------------------------------------------------------


def test_7_1_2_options_are_legal() -> None:
    """7.1.2 Everything that is offered is allowed, and settles to a way that means the same."""
    text = "4/2C 0224, 6/2AB 0224, 5/2C 0226, Currie 0229, 10/4C 0230, 25/12SS 0324, 1053/85 0228"
    movement = Movement(game(text), "2CC", 4)
    assert set(movement.subjects()) == {"4/2C", "6/2AB", "5/2C", "Currie", "10/4C"}
    for id in movement.subjects():
        options = movement.options(id)
        assert options and len(options) == len(set(options))
        for order in options:
            movement.check(order)
            settled = movement.settle(order)
            assert isinstance(settled, Move) and isinstance(order, Move)
            assert settled.path[-1] == order.path[-1]
            assert movement.settle(settled) == settled
            assert movement.plan(order).march.spent == movement.plan(settled).march.spent


@pytest.mark.parametrize("turn", [1, 2])
@pytest.mark.parametrize("command", [*GERMAN_COMMANDS, *ALLIED_COMMANDS])
def test_7_0_random_rounds(command: str, turn: int) -> None:
    """7.0 A round played at random ends, keeps the stacking limits, and moves nobody further
    than the points allow."""
    state = game(", ".join(f"{id} {hex}" for id, hex in SETUP.example.hexes.items()), turn=turn)
    rng = random.Random(f"{command} {turn}")
    before = {unit.id: unit.placed for unit in state.on_map()}

    def answers(request: Any) -> Answer | None:
        if isinstance(request, Ask):
            return Answer(rng.choice(request.options))
        subjects = request.subjects()
        if not subjects:
            return Answer(None)
        return Answer(rng.choice(request.options(rng.choice(subjects))))

    progress = advance(moving(command, 5)(state), state, answers=answers, dice=lambda *_: [rng.randint(1, 6)])
    assert progress.waiting is None
    movement = ROUNDS[-1]
    assert set(movement.moved) <= {unit.id for unit in movement.units}
    for unit in state.on_map():
        assert (
            stacking.fits(state.at(unit.placed)) and len({each.side for each in state.at(unit.placed)}) == 1
        )
        assert unit.id in movement.moved or unit.hex == before[unit.id]
        assert GRID.distance(before[unit.id], unit.placed) <= movement.allowance(unit) or unit.disrupted


def test_7_2_subjects_end() -> None:
    """7.2 A unit that has used its points is no subject any more."""
    request = opening(moving("2CC", 4), game("4/2C 0224"))
    assert request.subjects() == ["4/2C"] and request.options("71/53") == ()
    run("2CC", 1, "4/2C 0224", go("4/2C", "0223"))
    assert ROUNDS[-1].subjects() == [] and ROUNDS[-1].options("4/2C") == []


# --- leaving the map (3.3) ------------------------------------------------------------------------------


def test_3_3_exit() -> None:
    """3.3 A German unit on the southern edge leaves for a point, and is part of the round."""
    played = run("1SS", 3, "192/21Pz 3917", go("192/21Pz", "4017"), Exit(("192/21Pz",)))
    assert played.of(Exited)[0].hex == "4017"
    assert played.state.units["192/21Pz"].place == "exited" and list(ROUNDS[-1].moved) == ["192/21Pz"]
    assert ROUNDS[-1].finished_units() == []


def test_3_3_exit_disrupted() -> None:
    """3.3, 9.0 A disrupted unit may leave too; nothing of its disruption is kept."""
    unit = run("1SS", 4, "192/21Pz 4017 disrupted", Exit(("192/21Pz",))).state.units["192/21Pz"]
    assert (unit.place, unit.disrupted) == ("exited", False)


def test_3_3_exit_beside_a_friend() -> None:
    """3.3, 6.3 A unit that a friend in its hex shields leaves without fire; the round goes on."""
    text = "192/21Pz 4017, KG/9Pz 4017, 125/21Pz 2430, 357/90 3917"
    played = run("1SS", 3, text, Exit(("192/21Pz",)), go("125/21Pz", "2429"))
    assert played.state.units["192/21Pz"].place == "exited" and not played.rolled()
    assert list(ROUNDS[-1].pinned) == ["KG/9Pz"] and at(played.state, "125/21Pz") == "2429"


def test_3_3_exit_refused() -> None:
    """3.3 Not from elsewhere, not without a point left, and no Allies."""
    assert refused("1SS", 3, "192/21Pz 3917", Exit(("192/21Pz",))).case == "3.3"
    error = refused("1SS", 1, "192/21Pz 3917", go("192/21Pz", "4017"), Exit(("192/21Pz",)))
    assert isinstance(error, Overtaken)
    assert refused("2CC", 3, "4/2C 4017", Exit(("4/2C",))).case == "3.3"


def test_3_3_exit_is_breaking_contact() -> None:
    """3.3, 6.3 Out of an enemy zone leaving costs a point more, and draws fire by day;
    a halt keeps the unit on the map."""
    text = "192/21Pz 4014, 4/2C 4013"
    gone = run("1SS", 3, text, Exit(("192/21Pz",)), dice=(1,))
    assert gone.of(Exited) and gone.rolled() == ["op-fire on 192/21Pz leaving the map at 4014"]
    kept = run("1SS", 3, text, Exit(("192/21Pz",)), dice=(6,))
    assert not kept.of(Exited) and at(kept.state, "192/21Pz") == "4014"
    assert run("1SS", 3, text, Exit(("192/21Pz",)), turn=4).of(Exited)
    assert Exit(("192/21Pz",)) in Movement(game(text), "1SS", 3).options("192/21Pz")


# --- special restrictions -------------------------------------------------------------------------------


def test_12_5_withdrawal_only() -> None:
    """12.5 While Paris beckons a French unit goes one hex, out of the German zones, and no further."""
    state = game("Dio 0224, Langlade 0120, 25/12SS 0324", french="waiting", turn=4)
    movement = Movement(state, "15C", 6)
    assert movement.subjects() == ["Dio"]
    ends = {order.path for order in movement.options("Dio") if isinstance(order, Move)}
    assert ends == {("0124",), ("0125",), ("0225",)}
    error = refused("15C", 6, "Dio 0224, 25/12SS 0324", go("Dio", "0223", "0222"), french="waiting", turn=4)
    assert error.case == "12.5" and isinstance(error, Overtaken)


def test_11_9_argentan_falls_on_the_way() -> None:
    """11.9, 3.4 The 80th Division takes Argentan and is free in the same round."""
    played = run("15C", 5, "317/80 3220", go("317/80", "3219"), go("317/80", "3119"))
    assert at(played.state, "317/80") == "3119" and played.state.argentan == "allied"


def test_11_9_one_line_over_argentan() -> None:
    """11.9, 3.4 A line over Argentan, written out or not, is one move:
    in the town the 80th Division is free of its limit."""
    for path in (("3219", "3119"), ("3119",), ("3219", "3018")):
        played = run("15C", 5, "317/80 3220", go("317/80", *path))
        assert at(played.state, "317/80") == path[-1] and paths(played)[0][:3] == ("3220", "3219", "3119")
    movement = Movement(game("317/80 3220"), "15C", 5)
    ends = {order.path for order in movement.options("317/80") if isinstance(order, Move)}
    assert {("3219",), ("3119",)} <= ends
    error = refused("15C", 5, "317/80 3220, 60/116Pz 3219", go("317/80", "3119"))
    assert error.case == "11.9" and not isinstance(error, Overtaken), "not past a garrison"
