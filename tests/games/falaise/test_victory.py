"""Victory points as they come (3.2, 3.3), surrender, Argentan (3.4) and the count at the end."""

from __future__ import annotations

import pytest

from pbem.games.falaise import victory
from pbem.games.falaise.notes import Controlled, Eliminated, FinalCount, Scored, StepLost, SurrenderTried
from pbem.games.falaise.state import State
from pbem.games.falaise.tables import UNITS
from tests.games.falaise.kit import game
from tests.games.playing import play

BOTTLED = (
    "KG/9Pz 2625, Koszutski 2626, Stefanowicz 2624, Zgorzelski 2525, 357/90 2526, 358/90 2725, 359/90 2726"
)
"""A German unit with an Allied one in every hex around it."""


def ledger(state: State) -> list[tuple[str, int, str]]:
    return [(entry.unit, entry.points, entry.case) for entry in state.ledger]


# --- losses ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("id", "cut_off", "points"),
    [
        ("KG/9Pz", True, 1),
        ("KG/9Pz", False, 0),
        ("941/353", True, 1),
        ("Co/7Army", True, 0),
        ("Co/PGEb", True, 0),
        ("Currie", None, -1),
        ("Greys/4AB", None, -1),
        ("610TD", None, -1),
        ("4/2C", None, -2),
        ("CCA/3A", None, -2),
        ("Koszutski", None, -2),
    ],
)
def test_3_3_what_an_elimination_scores(id: str, cut_off: bool | None, points: int) -> None:
    """3.3 A German unit without communication is worth a point, however many steps it had, a company nothing;
    an Allied battalion costs one point and a brigade, regiment or task force of two steps two."""
    state = game(f"{id} 2625")
    victory.eliminate(state, state.units[id], "10.2", "lost", cut_off)
    assert state.points == points
    assert ledger(state) == ([(id, points, "3.3")] if points else [])
    unit = state.units[id]
    assert (unit.place, unit.hex, unit.steps) == ("dead", None, 0)
    [note] = state.log
    assert isinstance(note, Eliminated)
    assert (note.unit, note.hex, note.case, note.points, note.cut_off) == (
        id,
        "2625",
        "10.2",
        points,
        bool(cut_off),
    )


@pytest.mark.parametrize(
    ("text", "cut_off"),
    [("KG/9Pz 2625", False), ("KG/9Pz 1802", False), (BOTTLED, True)],
)
def test_3_3_communication_is_judged_at_the_instant(text: str, cut_off: bool) -> None:
    """3.3, 6.5 Unless a rule has settled it, the unit's own line of communication decides,
    as things stand."""
    state = game(text)
    victory.eliminate(state, state.units["KG/9Pz"], "10.2", "lost")
    assert state.log[-1].cut_off is cut_off  # type: ignore[attr-defined]
    assert state.points == int(cut_off)


def test_3_3_ledger_of_a_brigade_of_two_steps() -> None:
    """3.3 A reduced brigade costs a point, its loss another one: two in all,
    as if it had been lost at once."""
    state = game("160/53 1429")
    unit = state.units["160/53"]
    victory.lose_step(state, unit, "10.2", "assault")
    assert (unit.steps, unit.hex, unit.strength, state.points) == (1, "1429", 2, -1)
    victory.lose_step(state, unit, "10.2", "assault")
    assert (unit.place, state.points) == ("dead", -2)
    assert ledger(state) == [("160/53", -1, "3.3"), ("160/53", -1, "3.3")]
    assert [type(note) for note in state.log] == [StepLost, Scored, Eliminated]


def test_3_3_a_german_step_scores_nothing() -> None:
    """3.3 Only eliminated German units score."""
    state = game("941/353 2644")
    victory.lose_step(state, state.units["941/353"], "10.2", "assault")
    assert (state.units["941/353"].steps, state.points, state.ledger) == (1, 0, [])


def test_3_3_a_unit_of_one_step_dies_of_it() -> None:
    """2.2 A unit of one step is eliminated by a step loss; disruption goes with it."""
    state = game("Currie 1219 disrupted")
    victory.lose_step(state, state.units["Currie"], "10.2", "assault")
    assert (state.units["Currie"].place, state.units["Currie"].disrupted) == ("dead", False)


def test_3_2_points_may_fall_below_zero() -> None:
    """3.2, 3.3 The running total is the sum of the ledger, also below zero."""
    state = game("4/2C 1424, 5/2C 1425")
    for id in ("4/2C", "5/2C"):
        victory.eliminate(state, state.units[id], "5.2", "no room")
    assert state.points == -4 == sum(entry.points for entry in state.ledger)


def test_3_2_award_is_told() -> None:
    """3.2 Points outside of eliminations are told with the new total; none are entered for none."""
    state = game(points=3)
    victory.award(state, "unknown forces", 1, "3.1")
    [note] = state.log
    assert isinstance(note, Scored) and (note.points, note.total, note.case) == (1, 4, "3.1")
    victory.record(state, "lost", 0, "3.3", "KG/9Pz")
    assert len(state.ledger) == 1


# --- German points ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "points"),
    [
        ("KG/9Pz 2505", 4),
        ("941/353 2505", 2),
        ("941/353 2505, 942/353 2604", 2),
        ("19/9SS 2505, 20/9SS 2604", 2),
        ("19/9SS 2505, Pz/9SS 2604", 4),
        ("19/9SS 2505, D/2SS 2604", 4),
        ("Pz/9SS 2505, Pz/2SS 2604", 8),
        ("501SS 2505", 2),
        ("KG/1SS 2505, Pz/1SS 2604", 6),
        ("KG/Lehr 2505, Recon/Lehr 2604", 6),
        ("Co/7Army 2505, Co/PGEb 2604", 0),
        ("980/272 0505", 2),
        ("KG/9Pz 2507", 0),
        ("KG/9Pz exited", 1),
        ("941/353 exited, 942/353 exited", 2),
        ("Co/7Army exited", 0),
        ("KG/9Pz dead, D/2SS unknown", 0),
    ],
)
def test_3_3_german_points(text: str, points: int) -> None:
    """3.3 Two points for each division east of the line and two for each mechanised unit,
    so that one that is alone of its division there is worth four; one for each unit gone by the south edge;
    companies score nothing, and column 07 is not east of the line."""
    state = game(text, turn=10, argentan="allied")
    assert sum(line.points for line in victory.german_points(state)) == points
    assert victory.total(state) == -points


@pytest.mark.parametrize(
    ("text", "argentan", "points"),
    [
        ("16/116Pz 3219", "german", 10),
        ("", "german", 10),
        (
            "16/116Pz 3219, 317/80 3319, 318/80 3318, 357/90 3218, 358/90 3118, 359/90 3119, 16/1 3220",
            "german",
            5,
        ),
        ("317/80 3219", "allied", 0),
    ],
)
def test_3_4_argentan(text: str, argentan: str, points: int) -> None:
    """3.3, 3.4 Argentan is worth five points, ten with a line of communication,
    whether anybody stands in it or not."""
    state = game(text, turn=10, argentan=argentan)
    assert sum(line.points for line in victory.german_points(state)) == points


# --- surrender ----------------------------------------------------------------------------------------------


def bottled(id: str) -> State:
    """A state in which this unit has no line of communication, and Argentan is Allied."""
    return game(BOTTLED.replace("KG/9Pz", id), turn=10, argentan="allied", argentan_fell=True)


@pytest.mark.parametrize(
    "id", [unit.id for unit in UNITS.values() if unit.side == "german" and unit.ter <= 2]
)
def test_3_3_low_ratings_always_surrender(id: str) -> None:
    """3.3 A unit with a printed TER of 1 or 2 throws no die and surrenders."""
    played = play(victory.victory, bottled(id))
    [note] = played.of(SurrenderTried)
    assert note.surrendered and note.die == 0 and played.rolled() == []
    assert played.state.units[id].place == "dead" and played.state.points == 1


@pytest.mark.parametrize(
    ("id", "die", "surrenders"),
    [
        ("KG/9Pz", 1, False),
        ("KG/9Pz", 2, True),
        ("125/21Pz", 2, False),
        ("125/21Pz", 3, True),
        ("KG/Lehr", 3, False),
        ("KG/Lehr", 4, True),
        ("501SS", 4, False),
        ("501SS", 5, True),
    ],
)
def test_3_3_surrender(id: str, die: int, surrenders: bool) -> None:
    """3.3 A die and two above the printed TER is a surrender, worth a point; equal to it is none."""
    played = play(victory.victory, bottled(id), dice=[die])
    [note] = played.of(SurrenderTried)
    assert (note.total, note.surrendered) == (die + 2, surrenders)
    assert played.rolled() == [f"surrender of {id}"]
    assert played.state.points == int(surrenders)
    assert (played.state.units[id].place == "dead") == surrenders
    [count] = played.of(FinalCount)
    assert (count.allied, count.result) == (int(surrenders), int(surrenders))


@pytest.mark.parametrize("id", ["991/277", "KG/9Pz", "125/21Pz", "KG/Lehr", "501SS", "Co/7Army"])
def test_3_3_what_a_surrender_is_likely_to_score(id: str) -> None:
    """3.3 A point times the share of the dice with which the unit surrenders; nothing for a company."""
    dice = range(1, 7) if UNITS[id].ter > 2 else ()
    scored = [play(victory.victory, bottled(id), dice=[die]).state.points for die in dice] or [1]
    state = bottled(id)
    assert victory.surrender_value(state, state.units[id]) == pytest.approx(sum(scored) / len(scored))


def test_3_3_surrender_goes_by_the_printed_rating() -> None:
    """3.3, 9.1 Disruption does not count."""
    state = bottled("501SS")
    state.units["501SS"].disrupted = True
    assert not play(victory.victory, state, dice=[4]).of(Eliminated)


def test_3_3_companies_surrender_without_a_point() -> None:
    """3.3 A company rolls as everybody does, and scores nothing."""
    played = play(victory.victory, bottled("Co/7Army"), dice=[6])
    assert played.state.units["Co/7Army"].place == "dead" and played.state.points == 0


def test_3_3_nobody_in_communication_rolls() -> None:
    """3.3 Units with a line of communication do not surrender."""
    state = game("KG/243 2505, KG/708 1802", turn=10)
    assert play(victory.victory, state).rolled() == []


def test_3_4_argentan_falls_with_its_garrison() -> None:
    """3.4 If all Germans in Argentan surrender the town is no longer German;
    surrender comes before the German points are counted."""
    ring = "317/80 3319, 318/80 3318, 357/90 3218, 358/90 3118, 359/90 3119, 16/1 3220"
    state = game(f"16/116Pz 3219, {ring}", turn=10)
    played = play(victory.victory, state, dice=[6])
    assert [note.side for note in played.of(Controlled)] == ["allied"]
    [count] = played.of(FinalCount)
    assert (count.german, count.allied, count.result) == ((), 1, 1)
    held = play(victory.victory, game(f"16/116Pz 3219, {ring}", turn=10), dice=[2])
    assert held.of(FinalCount)[0].result == -5 and not held.of(Controlled)


# --- the result ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("points", "level", "winner"),
    [(5, "Allied win", "allied"), (4, "German win", "german"), (3, "German win", "german")],
)
def test_3_3_who_wins(points: int, level: str, winner: str) -> None:
    """3.3 At one point or more the Allies win; at nought or fewer the Germans do."""
    state = game("KG/9Pz 2505", turn=10, argentan="allied")
    victory.award(state, "cut off", points, "3.3", "PzG/1SS")
    result = victory.result(state)
    assert (result.level, result.winner) == (level, winner)
    assert ("Result", f"{points - 4:+d}", "3.3") in result.figures


def test_3_3_the_figures_add_up() -> None:
    """3.3 The ledger is shown by what the points were for, then the German points, then the result."""
    state = game("KG/9Pz 2505, 4/2C 1424, 941/353 2644", turn=10, argentan="allied")
    victory.lose_step(state, state.units["4/2C"], "10.2", "assault")
    victory.eliminate(state, state.units["4/2C"], "10.2", "assault")
    victory.eliminate(state, state.units["941/353"], "10.3", "no retreat", cut_off=True)
    assert victory.result(state).figures == (
        ("Allied: reduced", "-1", "3.3"),
        ("Allied: lost", "-1", "3.3"),
        ("Allied: cut off", "+1", "3.3"),
        ("Allied points", "-1", "3.3"),
        ("German: divisions east of the Withdrawal Line", "-2", "3.3"),
        ("German: mechanised units east of the Withdrawal Line", "-2", "3.3"),
        ("Result", "-5", "3.3"),
    )
