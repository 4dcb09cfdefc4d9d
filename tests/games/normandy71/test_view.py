"""What a side may know: views, boards and summaries never hold the other side's secrets."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import pytest

from pbem.engine.autoplay import Played, autoplay
from pbem.engine.bots import random_bot
from pbem.engine.play import advance
from pbem.games.normandy71 import GAME, combat
from pbem.games.normandy71.notes import Allotted, Retreated
from pbem.games.normandy71.orders import Alive, Attack, Empty, Held
from pbem.games.normandy71.state import State
from pbem.games.normandy71.view import Normandy71View, view
from pbem.service.letters.log import forces
from tests.games.normandy71.kit import game as made
from tests.games.playing import opening, play


def game(text: str, **fields: Any) -> State:
    """A state in the middle of the game."""
    return made(text, **({"phase": "german_combat"} | fields))


@pytest.fixture(scope="module")
def played() -> Played[State]:
    rng = random.Random(71)
    return autoplay(GAME, "71", {"allied": random_bot(rng), "german": random_bot(rng)})


def states(played: Played[State]) -> Iterator[State]:
    """The state at the end of each phase, with its log."""
    for phase in played.phases:
        state = GAME.load(phase.snapshot)
        advance(GAME.phase(state.phase).play(state), state, phase.entries)
        yield state


def test_ent_b_a_stack_under_a_marker_is_a_marker() -> None:
    """ENT.B Of an entrenched enemy stack only the marker is seen;
    in the open what is printed on the counters."""
    text = "x allied 7-4 1215, g german 4-1 1415, h german 7-2 1615"
    seen = view(game(text, trenches="1415 german"), "allied")
    assert [(stack.hex, stack.hidden, [unit.kind for unit in stack.units]) for stack in seen.seen] == [
        ("1415", True, []),
        ("1615", False, ["7-2"]),
    ]
    assert [unit.name for stack in seen.seen for unit in stack.units] == ["7-2"]
    german = view(game(text, trenches="1415 german"), "german")
    assert {unit.id: unit.entrenched for unit in german.units} == {"g": True, "h": False}


def test_a_view_does_not_depend_on_what_its_reader_cannot_know() -> None:
    """INV.1A, INV.1B, SUP.H Changing the other side's secrets leaves a view,
    its board and the offered orders equal."""
    text = "x allied 7-4 2626, a german 2-6 2625, d german {0} 1415, l german {1} later turn:4 edge:south"
    one = game(text.format("4-1", "14-6"), supply=["9 Gold"], trenches="1415 german", order_of_battle="A")
    two = game(text.format("15-6", "4-1"), supply=["9 Gold"], trenches="1415 german", order_of_battle="F")
    assert view(one, "allied") == view(two, "allied") and view(one, "german") != view(two, "german")
    other = game(text.format("4-1", "14-6"), supply=["11 Gold"], trenches="1415 german", order_of_battle="A")
    other.dead_beaches = ["11 Gold"]
    other.plan.drops = {"x": "5530"}
    assert view(one, "german") == view(other, "german") and view(one, "allied") != view(other, "allied")
    assert (
        GAME.report.board(view(one, "german"), ()).counters
        == GAME.report.board(view(other, "german"), ()).counters
    )
    requests = [opening(combat.german_combat, state) for state in (one, other)]
    assert requests[0].options("2626") == requests[1].options("2626")


def previewed(areas: list[str]) -> tuple[str, ...]:
    """The preview of a German attack."""
    state = game("x allied 7-4 2626, a german 14-6 2625", supply=areas)
    return tuple(opening(combat.german_combat, state).preview(Attack(("2626",), ("a",))))


def test_previews_do_not_betray_supply() -> None:
    """SUP.H The odds that a German is told do not halve an Allied defender who is out of supply."""
    told = [previewed(areas) for areas in (["9 Gold"], [])]
    assert told[0] == told[1] and "14 : 7 if in supply = 2-1" in told[0][0]


def test_nothing_is_seen_of_the_other_side_while_both_deploy() -> None:
    """INV.1A, INV.1B During the secret deployment neither side sees the other,
    whatever has been written so far."""
    state = game("g german 4-1 1415", turn=1, trenches="1415 german", order_of_battle="C")
    state.phase = "deployment"
    seen = view(state, "allied")
    assert seen.seen == () and seen.trenches == () and seen.order_of_battle == ""
    assert view(state, "german").plan is None


def test_no_letter_ever_names_what_is_secret(played: Played[State]) -> None:
    """ENT.B, INV.1B, SUP.H In a whole game no view or note of a side names a German unit, order of battle,
    supply area or plan of the other side."""
    for state in states(played):
        germans = {unit.id for unit in state.units.values() if unit.side == "german"}
        allied = view(state, "allied")
        told = allied.model_dump_json() + "".join(
            str(note.facts()) for note in state.log if note.seen_by("allied")
        )
        assert not [id for id in germans if f'"{id}"' in told or f"'{id}'" in told]
        assert allied.order_of_battle == "" and allied.reserves == ()
        german = view(state, "german")
        assert german.plan is None and german.supply_areas == () and german.missions == ()
        notes = [note for note in state.log if note.seen_by("german")]
        assert not {type(note).__name__ for note in notes} & {"BeachLost", "InSupplyNow", "DieCast"}


def test_at_the_end_everything_is_open(played: Played[State]) -> None:
    """VIC.L When the game is over both sides see the order of battle, the plan and the whole score."""
    for seat in ("allied", "german"):
        seen = view(played.state, seat)
        assert seen.order_of_battle and seen.plan is not None and seen.figures == played.result.figures
        assert not any(stack.hidden for stack in seen.seen)


def test_boards_summaries_and_round_trips(played: Played[State]) -> None:
    """Every view of a game makes a board within the map and a summary of a few lines, and survives JSON."""
    for state in states(played):
        for seat in ("allied", "german", "umpire"):
            seen = view(state, seat)
            assert Normandy71View.model_validate_json(seen.model_dump_json()) == seen
            board = GAME.report.board(seen, tuple(state.log))
            assert {counter.hex for counter in board.counters} <= set(board.map.grid.ids)
            lines = GAME.report.summary(seen, tuple(state.log))
            assert 1 <= len(lines) <= 12 and all(lines)
    assert "Turn 6" in seen.title


def test_the_board_shows_battles_and_retreats(played: Played[State]) -> None:
    """A board of a combat phase has a numbered battle for each combat that its reader may know of."""
    battles = [
        battle
        for state in states(played)
        for battle in GAME.report.board(view(state, "allied"), tuple(state.log)).battles
    ]
    assert battles and all(battle.label.startswith("R") and battle.attackers for battle in battles)


def test_conditions() -> None:
    """Conditions of orders are judged by what can be seen."""
    state = game("x allied 7-4 1215, g german 4-1 1415")
    assert Empty("1616").holds(state, "allied") and not Empty("1415").holds(state, "allied")
    assert Held("1415", "us").holds(state, "german") and Held("1415", "enemy").holds(state, "allied")
    assert Alive("x").holds(state, "allied") and not Alive("g").holds(state, "allied")
    assert not Alive("nobody").holds(state, "allied")


def test_the_roster_names_only_ones_own() -> None:
    """A seat's roster holds its own units, the lost ones as gone, and the parts of those that it can break
    down; of every other counter it tells no more than that there is one."""
    state = game("x allied 7-4 1215, y allied 7-4 later, z allied 7-4 later turn:4, g german 4-1 1415")
    state.units["y"].place = "lost"
    rosters = {seat: GAME.roster(state, seat).units for seat in ("allied", "german")}
    own = {seat: {id for id, unit in units.items() if not unit.absent} for seat, units in rosters.items()}
    assert own == {"allied": {"x", "xa", "xb", "xc", "y", "z"}, "german": {"g", "ga", "gb"}}
    assert [id for id, unit in rosters["allied"].items() if unit.gone] == ["y"]
    assert {id for id, unit in rosters["allied"].items() if unit.here} == {"x"}
    others = [unit for unit in rosters["allied"].values() if unit.absent]
    assert "22Pz/21" in {unit.id for unit in others} and all(unit.hex is None for unit in others)


def test_nav_d_a_new_game_turn_has_all_its_missions() -> None:
    """NAV.D Before the Allied combat phase the view counts every mission of the game-turn,
    later those that are left."""
    fired = {"attack heavy": 2, "defence medium": 1}
    before = view(game("x allied 7-4 1215", phase="allied_movement", fired=fired), "allied").missions
    after = view(game("x allied 7-4 1215", phase="german_combat", fired=fired), "allied").missions
    assert {m.mission: (m.left_in_attack, m.left_in_defence) for m in before} == {
        "light": (3, 0),
        "medium": (3, 3),
        "heavy": (2, 2),
    }
    assert {m.mission: (m.left_in_attack, m.left_in_defence) for m in after} == {
        "light": (3, 0),
        "medium": (3, 2),
        "heavy": (0, 2),
    }


def test_a_summary_tells_battles_and_losses_in_the_readers_words() -> None:
    """A summary names the enemy's losses by kind and one's own by name."""
    for text, die, told in (
        ("a german 14-6 1216, x allied 2-4 1215", 1, ["Allied losses: x.", "Allied losses: x."]),
        ("a german 4-1 1216, x allied 7-4 1215", 6, ["German losses: 4-1.", "German losses: a."]),
    ):
        state = game(text, turn=1)
        play(combat.german_combat, state, Attack(("1215",)), dice=(die,))
        lines = [GAME.report.summary(view(state, seat), tuple(state.log)) for seat in ("allied", "german")]
        assert lines == [(f"1 battle at 1215. {losses}",) for losses in told]


def test_a_summary_tells_of_a_retreat_after_its_battle_was_told() -> None:
    """A letter whose only news is a retreat says so, with its end."""
    state = game("x allied 7-4 1215, g german 4-1 1415")
    note = Retreated(case="COM", side="german", name="4-1", path=("1215", "1316", "1417"))
    assert GAME.report.summary(view(state, "allied"), (note,)) == ("1 unit retreated to 1417.",)


# --- lists ----------------------------------------------------------------------------------------------


def listed(state: State, seat: str) -> dict[str, tuple[str, ...]]:
    """The parts of a letter that list what a seat has: title -> lines."""
    return {part.title: part.lines for part in forces(GAME, view(state, seat))}


def test_units_are_listed_by_formation_with_type_and_hex() -> None:
    """Units stand under their division or brigade, nation and number in order, with kind, type and hex."""
    text = (
        "22/4 allied 7-4 5030, 16/1 allied 7-4 3628, 70 allied 6-10 5030, 8/4a allied 2-4 infantry 5131,"
        "502/101 allied 5-4 paratroop 5431"
    )
    state = game(text, supply=["3 Utah"])
    for unit in state.units.values():
        unit.nation = "US"
    state.units["8/4a"].part_of = "8/4"
    lines = next(
        lines for title, lines in listed(state, "allied").items() if title.startswith("Your units on")
    )
    assert lines == (
        "US 1: 16/1 7-4 infantry in 3628",
        "US 4: 22/4 7-4 infantry in 5030, 8/4a 2-4 infantry battalion in 5131",
        "US 101: 502/101 5-4 paratroop in 5431",
        "US independent: 70 6-10 armour battalion in 5030",
    )


def test_who_is_still_to_come_when_and_where() -> None:
    """OOB.R, INV.4 Reinforcements stand under turn and way of arrival, with type; the German reads where
    roads lead in."""
    text = (
        "a german 4-1 later turn:2 edge:east entry:reinforcement, b german 14-6 later turn:2 edge:east "
        "entry:reinforcement,"
        "c german 8-8 later turn:3 edge:south/east entry:reinforcement, x allied 7-4 box:11_Gold,"
        "y allied 7-4 box:3_Utah, z allied 6-10 later turn:3 entry:reinforcement"
    )
    state = game(text, supply=["11 Gold", "3 Utah"])
    german = listed(state, "german")
    assert german["Reinforcements to come, by game-turn"] == (
        "turn 2, by the east edge: a (4-1 infantry); b (14-6 motorised infantry)",
        "turn 3, by the south or east edge: c (8-8 reconnaissance battalion)",
    )
    assert [line.split(":")[0] for line in german["Where reinforcements enter"][1:]] == ["south", "east"]
    allied = listed(state, "allied")
    assert "Where reinforcements enter" not in allied
    assert allied["Reinforcements to come, by game-turn"] == (
        "turn 3, to your supply areas: z (6-10 armour battalion)",
    )
    assert allied["Waiting to land"] == (
        "3 Utah (5031): y (7-4 infantry)",
        "11 Gold (2327): x (7-4 infantry)",
    )


def test_inv_3_the_reminder_names_the_hexes_that_must_be_attacked() -> None:
    """INV.3 Before the attacks are written the Allied letter lists the hexes that beach units must attack."""
    text = "8/3 allied 7-4 1425, x german 4-1 1424, y german 4-1 1810"
    state = made(text, turn=1, phase="allied_combat")
    state.plan.beaches["16 Sword"] = ["8/3"]
    (reminder,) = (line for line in view(state, "allied").notes if "INV.3" in line)
    assert reminder.endswith("adjacent to them, in 1424 [INV.3].")
    state.note(Allotted(case="COM", attacker="allied", hexes=("1424",), attackers=("8/3",), missions=("",)))
    assert not [line for line in view(state, "allied").notes if "INV.3" in line]


def test_inv_2_a_landing_player_reads_that_the_first_wave_lands_by_itself() -> None:
    """INV.2 In the first movement phase of game-turn 1 alone, and for the Allied side alone."""
    state = made("8/3 allied 7-4 box:16_Sword", turn=1, phase="allied_movement")
    assert any("come ashore" in line for line in view(state, "allied").notes)
    assert not any("come ashore" in line for line in view(state, "german").notes)
    state.turn = 2
    assert not any("come ashore" in line for line in view(state, "allied").notes)
