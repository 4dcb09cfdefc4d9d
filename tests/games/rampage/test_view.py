"""What a seat knows and what letters show of it: views, boards, summaries, the log in words,
and what is told of orders beforehand."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import pytest

from pbem.engine.autoplay import Played, autoplay
from pbem.engine.bots import greedy_bot, random_bot
from pbem.engine.notes import Imagined, Note
from pbem.engine.play import Answer, advance
from pbem.engine.tally import Modifier
from pbem.games.rampage import GAME, notes
from pbem.games.rampage.airborne import Assault
from pbem.games.rampage.notes import Controlled, Engaged, Fired, Losses, Moved, Repulsed, Won
from pbem.games.rampage.operations import Force, Operations, operations
from pbem.games.rampage.orders import Alive, Drop, Full, Held, Move, Replenish
from pbem.games.rampage.pockets import bomb
from pbem.games.rampage.preview import defence_die, percent, sizes
from pbem.games.rampage.replacement import Replacement
from pbem.games.rampage.report import board, summary
from pbem.games.rampage.state import State
from pbem.games.rampage.tables import MAP
from pbem.games.rampage.view import roster, view
from pbem.service.letters.log import forces, log_lines
from tests.games.playing import filled, kinds, play
from tests.games.rampage.kit import game, previewed


@pytest.fixture(scope="module")
def played() -> Played[State]:
    return autoplay(GAME, "view", {"allied": greedy_bot(GAME.judge, random.Random(1))})


def pages(played: Played[State]) -> Iterator[tuple[State, tuple[Note, ...]]]:
    """The state at the end of each phase, with what was logged in it."""
    for phase in played.phases:
        state = GAME.load(phase.snapshot)
        advance(GAME.phase(state.phase).play(state), state, phase.entries)
        yield state, tuple(state.log)


def war(text: str = "", **changes: object) -> State:
    """A state in the middle of the operations of turn 2."""
    return game(text, **({"phase": "operations"} | changes))  # type: ignore[arg-type]


# --- views ----------------------------------------------------------------------------------------------


def test_3_6_the_front_of_a_view_is_closed(played: Played[State]) -> None:
    """3.6, 3.7 At the end of every phase each hexside between German and Allied land is part of the border,
    and nothing else is."""
    for state, _ in pages(played):
        seen = view(state, "allied")
        german = set(seen.german)
        assert all(a in german and b not in german and MAP.grid.are_neighbours(a, b) for a, b in seen.borders)
        for hex in german:
            for near in MAP.neighbours(hex):
                dry = MAP.terrain(near) != "sea" and "sea" not in MAP.hexside(hex, near)
                assert ((hex, near) in seen.borders) == (near not in german and dry)


def test_3_3_players_read_the_size_of_the_pool_and_not_what_is_in_it() -> None:
    """3.3 A player is told how many units of which colour are in the pool; the umpire,
    and everybody once it is over, which."""
    state = war(pool="1SS 2SS 70Inf")
    seen = view(state, "allied").pool
    assert (seen.elite, seen.other, seen.names) == (2, 1, ())
    assert view(state, "umpire").pool.names == ("1SS", "2SS", "70Inf")
    state.phase = ""
    assert view(state, "allied").pool.names == ("1SS", "2SS", "70Inf")


def test_1_1_two_commanders_see_the_same_and_command_their_own() -> None:
    """1.1 With two commanders each sees every division, and knows which are his to order."""
    state = war("3A 1501, 7BrA 1801", options={"command": "two", "airborne": "both"})
    us, british = view(state, "us"), view(state, "british")
    assert [unit.id for unit in us.units] == [unit.id for unit in british.units]
    mine = {
        seat: {unit.id for unit in seen.units if unit.mine}
        for seat, seen in (("us", us), ("british", british))
    }
    assert "3A" in mine["us"] - mine["british"] and "7BrA" in mine["british"] - mine["us"]
    assert {"82AB", "1BrAB"} <= mine["us"] & mine["british"]
    for seat in ("us", "british"):
        known = roster(state, seat).units
        assert {unit.id for unit in us.units} | set(state.germans) == set(known)
        assert {id for id, unit in known.items() if not unit.enemy} == mine[seat]


def test_4_1_conditions_say_what_is_missing() -> None:
    """4.1 Each condition names what it still lacks; of the victory cities one is enough."""
    seen = view(war(allied="1507"), "allied")
    west, sites, cities = seen.conditions
    assert "1507" in west.missing and not west.met  # Paris is held, but nothing links it to the west
    assert sites.missing == seen.sites and "Dieppe (2105)" in sites.told
    assert cities.any_of and cities.told.startswith("any one of Arnhem (3017)")
    assert seen.level == "German win"


def test_7_7_what_keeps_a_division_from_acting_is_told() -> None:
    """7.7, 13.8 Replenished and airborne divisions are marked, reduced ones too."""
    seen = view(war("3A 1501 replenishing, 4A 1501 reduced, 5A 1501, 82AB 1402"), "allied")
    told = {unit.id: unit.state for unit in seen.units if unit.place == "map"}
    assert told == {"3A": "replenishing", "4A": "reduced", "5A": "", "82AB": "holds"}


def test_9_15_partial_supply_is_remembered() -> None:
    """9.15, 11.2 What binds a player in this phase stands at the head of his forces."""
    told = " ".join(view(war(partial="us", afp="standing"), "allied").notes)
    assert "US army group is partially supplied" in told and "1602" in told


def test_9_11_hexes_closed_by_the_other_army_group_are_named() -> None:
    """9.11 Of two commanders each is told which hexes the other has attacked this turn;
    a single one, or the umpire, needs no such line."""
    shared = war(options={"command": "two"}, attacked={"1705": "british", "1505": "us"})
    assert "attacked there this turn: 1705 [9.11]" in " ".join(view(shared, "us").notes)
    assert "attacked there this turn: 1505 [9.11]" in " ".join(view(shared, "british").notes)
    assert "closed" not in " ".join(view(shared, "umpire").notes)


def test_conditions_of_orders_are_judged() -> None:
    """An order's condition is true or false of the state as it stands."""
    state = war("3A 1501 reduced")
    assert Held("1501", "us").holds(state, "allied") and not Held("1501", "enemy").holds(state, "allied")
    assert Alive("3A").holds(state, "allied") and not Alive("4A").holds(state, "allied")
    assert not Full("3A").holds(state, "allied")


# --- boards and summaries -----------------------------------------------------------------------------------


def test_board_shows_steps_pocket_garrisons_and_the_front() -> None:
    """Counters carry their steps, the pocket its number of divisions, a garrison a trench;
    the front is drawn as a German line."""
    state = war("3A 1501 reduced, 4A 1501, 70Inf 2003", afp="standing", garrisons=["2003"])
    drawn = board(view(state, "allied"), ())
    faces = {counter.name: counter for counter in drawn.counters}
    assert (faces["3A"].figures, faces["4A"].figures, faces["AFP"].figures) == ("1", "2", "22")
    assert faces["70Inf"].entrenched and faces["70Inf"].unsupplied
    assert faces["AFP"].hex == "1602"
    assert {border.hexes for border in drawn.borders} == set(view(state, "allied").borders)
    assert {mark.hex for mark in drawn.marks} >= {"1507", "1904", "1311", "3017", "2105"}


def test_board_numbers_battles_as_the_log_does() -> None:
    """A battle stands on the map under the number of its first dice, with an arrow back
    for those thrown back."""
    told: tuple[Note, ...] = (
        Moved(case="9.8", group="us", names=("3A",), path=("1501", "1502"), spent=1, of=6),
        Engaged(case="9.3", hex="1502", origin="1501", attackers=("3A",), defenders=("70Inf",)),
        Fired(
            case="10.1",
            roll=7,
            hex="1502",
            round=1,
            firer="german",
            arm="infantry",
            dice=1,
            parts=(),
            steps=1,
        ),
        Fired(case="10.1", roll=8, hex="1502", round=1, firer="us", arm="armour", dice=2, parts=(), steps=0),
        Losses(case="10.4", hex="1502", round=1, reduced=("3A",)),
        Repulsed(case="9.6", hex="1502", back="1501", names=("3A",), defenders=("70Inf",), why="orders"),
    )
    drawn = board(view(war("3A 1501 reduced, 70Inf 1502"), "allied"), told)
    assert [(battle.label, battle.hex, battle.attackers) for battle in drawn.battles] == [
        ("R7", "1502", ("1501",))
    ]
    assert [(arrow.kind, arrow.path) for arrow in drawn.arrows] == [
        ("move", ("1501", "1502")),
        ("retreat", ("1502", "1501")),
    ]


def test_summary_tells_ground_battles_and_how_it_stands() -> None:
    """The first lines of a letter: what was taken and lost, how the battles went,
    what the conditions still want."""
    told: tuple[Note, ...] = (
        Engaged(case="9.3", hex="1507", origin="1506", attackers=("3A",), defenders=("70Inf", "1SS")),
        Losses(case="10.4", hex="1507", round=1, germans=("1SS", "70Inf")),
        Losses(case="10.4", hex="1507", round=1, reduced=("3A",), eliminated=("4A",)),
        Repulsed(case="10.1", hex="1507", back="", names=(), defenders=("2SS",), why="lost"),
        Controlled(case="3.6", hexes=("1507", "1606", "1705"), to="allied", why="battle"),
        Controlled(case="12.6", hexes=("1606",), to="german", why="breakout"),
    )
    lines = summary(view(war(allied="1507 1705"), "allied"), told)
    assert lines[0] == "2 hexes taken, among them Paris. Lost again: 1606."
    assert lines[1] == (
        "1 battle, 0 won, repulsed at 1507. "
        "2 German units eliminated; 1 Allied division reduced; 4A eliminated."
    )
    assert (
        lines[-1].lower().startswith("if the game ended now: german win.") and "3 lacks a city" in lines[-1]
    )
    assert summary(view(war(), "allied"), ())[0] == "Nothing has happened."


def test_summary_counts_battles_when_they_are_decided() -> None:
    """A battle that a decision has interrupted goes on; the letter that tells of its end counts it."""
    begun: tuple[Note, ...] = (
        Engaged(case="9.3", hex="1507", origin="1506", attackers=("3A",), defenders=("70Inf", "1SS")),
        Losses(case="10.4", hex="1507", round=1, germans=("1SS",)),
    )
    ended: tuple[Note, ...] = (
        Losses(case="10.4", hex="1507", round=2, germans=("70Inf",)),
        Won(case="10.1", hex="1507", rounds=2, attackers=("3A",)),
    )
    assert (
        summary(view(war(), "allied"), begun)[0]
        == "1 German unit eliminated. The battle for Paris (1507) goes on."
    )
    assert (
        summary(view(war(allied="1507"), "allied"), ended)[0] == "1 battle, 1 won. 1 German unit eliminated."
    )


# --- lists ----------------------------------------------------------------------------------------------


def parts(state: State, seat: str = "allied") -> dict[str, str]:
    """The lists of a letter: title -> text."""
    return {part.title: "\n".join(part.lines) for part in forces(GAME, view(state, seat))}


def test_3_4_the_letter_of_the_set_up_says_where() -> None:
    """3.4, 6.2 Where each army group may stand, in words and hexes, and what the departure
    from the rulebook is."""
    state = GAME.start("campaign", {})
    told = parts(state)
    assert "British divisions are set up in: 1701, 1801, 1802, 1900, 1901 [3.4]." in told["Reminders"]
    assert "US divisions are set up in: " in told["Reminders"] and "1901 replaces 1902" in told["Reminders"]
    assert "to be set up, British: GdsA, 7BrA" in told["Still to come"]
    assert "waiting for a city" not in told["Still to come"]
    two = GAME.start("campaign", {"command": "two"})
    assert "British divisions are" not in parts(two, "us")["Reminders"]


def test_9_9_who_has_acted_and_who_can_still_act() -> None:
    """9.1, 9.2, 9.9 While operations pause the lists tell by army, type and steps who has acted,
    who is under way and who is still free."""
    state = war("3A 1303, 1Inf 1302, 4Inf 1304 reduced, 9Inf 1302, GdsA 1701", allied="1303 1304")
    state.note(Moved(case="9.8", group="us", names=("9Inf",), path=("1202", "1302"), spent=1, of=6))
    state.note(Moved(case="9.8", group="us", names=("3A", "4Inf"), path=("1302", "1303"), spent=1, of=6))
    state.note(notes.Won(case="10.1", hex="1303", rounds=2, attackers=("3A", "4Inf"), points=4))
    state.note(notes.Dropped(case="9.2", names=("3A",), hex="1303"))
    state.note(Moved(case="9.8", group="us", names=("4Inf",), path=("1303", "1304"), spent=3, of=6))
    us = next(text for title, text in parts(state).items() if title.startswith("US divisions"))
    assert us.splitlines() == [
        "1302  infantry 1Inf, 9Inf (acted)",
        "1303  armour 3A (acted)",
        "1304  infantry 4Inf (1 step, under way, 3 points left)",
        "Can still act: 1Inf, 4Inf [9.9]",
    ]


def test_9_9_what_was_played_is_what_the_lists_tell() -> None:
    """9.1, 9.2 Divisions that the lists call free, and no others, are those that the operations
    take orders for."""
    state = war("3A 1302, 1Inf 1302, 9Inf 1202, GdsA 1701")
    orders = (Move(("3A", "1Inf"), ("1303",)), Move(("3A",), ("1302",)))
    request: Any = None
    script = list(orders)

    def answers(decision: Any) -> Answer | None:
        return Answer(script.pop(0)) if script else None

    request = advance(operations(state), state, answers=answers, dice=lambda *_: [1]).waiting
    seen = {unit.id: unit.done for unit in view(state, "allied").units if unit.place == "map"}
    assert seen == {"GdsA": "", "3A": "under way, 4 points left", "1Inf": "acted", "9Inf": ""}
    assert set(request.subjects()) == {id for id, done in seen.items() if done != "acted"}


def test_13_4_what_is_over_is_not_offered() -> None:
    """13.4 After the only assault the divisions that did not jump are out of the game,
    and their section is closed."""
    state = war("82AB 1507", allied="1507", drop_turn=2, turn=3)
    told = parts(state)
    assert "to drop" not in told["Still to come"]
    assert "airborne, did not drop [13.4]: 101AB, 1BrAB" in told["Out of the game"]
    phase = GAME.phase("airborne")
    assert phase.open_to(state, "allied") == () and phase.open_to(war(), "allied") == ("airborne",)


def test_4_1_hexes_are_listed_where_they_are_spoken_of() -> None:
    """4.1, 8.3 Every hex west of the Seine that is still wanted, and every fortress city that is German,
    stand in the letter."""
    told = parts(war(allied="1303"))
    victory = next(text for title, text in told.items() if title.startswith("If the game ended now"))
    missing = view(war(allied="1303"), "allied").conditions[0].missing
    assert len(missing) > 10 and f"These are: {' '.join(missing)}" in victory
    assert "Fortress cities still German: Le Havre (2003), Dieppe (2105), " in told["The Germans"]


def test_7_3_9_15_letters_say_what_is_asked() -> None:
    """7.3, 9.15 The letter of the grounding says how many and who; that of the reinforcements
    which cities take them."""
    state = game(
        "3A 1302, 1Inf 1302, 4Inf 1302, 9Inf 1302 reduced, 5Inf 1302",
        turn=3,
        phase="supply_die",
        partial="us",
    )
    assert (
        "Of the US army group 3 full-strength divisions must be grounded and leave the game. "
        "Choose from: 1Inf, 4Inf, 5Inf, 3A [9.15]."
    ) in parts(state)["Reminders"]
    state = game("3A 1302", turn=3, phase="administration")
    assert (
        "US reinforcements: 6A, 83Inf. Cities with room for them now: Le Mans (1202) [7.3]."
        in parts(state)["Reminders"]
    )


# --- words ----------------------------------------------------------------------------------------------

KINDS = kinds(notes)
WORDS = {
    "group": "us", "full": "us", "partial": "british", "firer": "elite", "arm": "armour", "to": "german",
    "why": "breakout", "how": "by itself", "seat": "allied",
}  # fmt: skip


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
def test_every_note_has_its_words(kind: type[Note]) -> None:
    """The log can put every kind of note into words, and cites its case."""
    note = filled(kind, WORDS, ("3A", "1602"), "1602", Modifier(1, "10.3", "a reason"))
    lines = log_lines("rampage", [note.facts()], "allied")
    assert lines and all(line.strip() for line in lines)
    assert kind in (Moved, Fired) or "[9.99]" in " ".join(lines)


def test_every_die_stands_in_the_log_under_its_number() -> None:
    """Every roll of a game, lots and each bomber's die among them, has its number in the log in words."""
    for seed in range(3):
        told: list[str] = []
        rolls = 0
        options = {"heavy_bombers": "yes"}
        game = autoplay(GAME, f"dice{seed}", {"allied": random_bot(random.Random(seed))}, options=options)
        for state, log in pages(game):
            told += log_lines("rampage", [note.facts() for note in log], "allied")
            rolls = state.rolls
        numbers = {int(number) for line in told for number in re.findall(r"R(\d+)", line)}
        assert rolls > 50 and numbers == set(range(1, rolls + 1))


def test_14_2_the_dice_of_the_bombers_are_told() -> None:
    """14.2 Both dice and the lots stand in the log under their numbers."""
    state = war("3A 1603", turn=1, allied="1603", afp="standing", options={"heavy_bombers": "yes"})
    found = play(
        lambda state: bomb(state, state.defenders("1602"), ("1602",), "1603"),
        state,
        dice=[1, 2, "1SS 84Inf 85Inf"],
    )
    (line,) = log_lines("rampage", [note.facts() for note in found.notes], "allied")
    assert "R1   " in line and "R1 1 + R2 2 = 3: 1SS, 84Inf, 85Inf (drawn by R3)" in line


# --- previews -------------------------------------------------------------------------------------------


def test_8_8_the_chance_against_known_defenders_is_told() -> None:
    """8.8 Where the defenders stand on the map a player reads who they are and his exact chance."""
    state = war("1Inf 1303, 70Inf 1304", allied="1303")
    (line,) = previewed(Operations(state, "allied"), Move(("1Inf",), ("1304",), rounds=2))
    # Two dice that hit with 4 to 6; then two, or one that must live as well:
    # 3/4 + 1/4 x (2/3 x 3/4 + 1/3 x 1/2 x 2/3). To lose: two misses and a hit, then another: 1/4 x 1/3 x 1/3.
    assert line == "1304: defended by 70Inf; 90% to win within 2 rounds, 3% to lose all units [8.8]"


def test_8_2_of_unknown_defenders_the_die_is_told() -> None:
    """8.2, 8.3, 8.4, 8.5, 8.7 Of other hexes a player reads how many units may turn up,
    and never more than the pool has."""
    full = war()
    fortress, city = sizes(defence_die(full, "2003")), sizes(defence_die(full, "3017"))
    assert sizes(defence_die(full, "1304")) == "defenders 0 (50%), 1 (17%), 2 (17%), 3 (17%) [8.2]"
    assert fortress.startswith("defenders 1 (67%)") and "(fortress) [8.3]" in fortress
    assert "8 (17%)" in city and "(victory city) [8.5]" in city
    assert sizes(defence_die(war(pool="70Inf"), "1304")) == "defenders 0 (50%), 1 (50%) [8.2]"


def test_10_1_the_chance_against_so_many_is_told() -> None:
    """10.1, 9.4 Of the first hex on the way a player reads his exact chance for each size of its defence,
    within the rounds he can pay for."""
    order = Move(("1Inf", "4Inf"), ("1304", "1305"), rounds=2)
    lines = previewed(Operations(war("1Inf 1303, 4Inf 1303", allied="1303"), "allied"), order)
    # Four dice against one unit: 15 times out of 16 at once; then with four, or with three after a loss,
    # of which one is left at least.
    first, again = (
        Fraction(15, 16),
        Fraction(1, 16) * (Fraction(2, 3) * Fraction(15, 16) + Fraction(1, 3) * Fraction(7, 8)),
    )
    told = f"chance to win within 2 rounds, by number of ordinary infantry: 1: {percent(first + again)}, 2: "
    assert lines[1].startswith(told) and "1: 99%" in told
    assert [line[:5] for line in lines if "defenders " in line] == ["1304:", "1305:"]
    desk = Operations(war("1Inf 1303", allied="1303"), "allied")
    desk.active = Force(desk.state.at("1303"), "1303", points=1, of=6)
    assert "within one round" in previewed(desk, Move(("1Inf",), ("1304",)))[1]


def test_9_4_the_points_are_those_that_will_be_left() -> None:
    """9.4, 9.12 A hex further on is judged with the rounds that can still be paid for there:
    entering the hexes before it has cost points."""
    state = war("1Inf 1303, 70Inf 1305", allied="1303")
    lines = previewed(Operations(state, "allied"), Move(("1Inf",), ("1304", "1305")))
    assert any(line.startswith("1305: defended by 70Inf") and "within 5 rounds" in line for line in lines)
    desk = Operations(state, "allied")
    desk.active = Force(state.at("1303"), "1303", points=2, of=6)
    lines = previewed(desk, Move(("1Inf",), ("1304", "1305")))
    chance = Fraction(3, 4)  # one round: two dice that hit with 4 to 6
    assert (
        f"1305: defended by 70Inf; {percent(chance)} to win within one round, 0% to lose all units [8.8]"
        in lines
    )


def test_12_8_a_garrison_that_a_check_has_imagined_is_not_named() -> None:
    """12.8 Whom dice may yet put into a fortress nobody can know; whom they have put there is told."""
    state = war("1Inf 1903, 70Inf 2003", allied="1902 1903 2004", garrisons=["2003"])
    order = Move(("1Inf",), ("2003",))
    assert "defended by 70Inf;" in previewed(Operations(state, "allied"), order)[0]
    state.note(Imagined(case="12.8"))
    state.note(notes.Garrisoned(case="12.8", hex="2003", name="70Inf", lots=3))
    lines = previewed(Operations(state, "allied"), order)
    assert lines[0] == "Le Havre (2003): defended by a garrison that is not known yet [12.8]"
    assert not any("70Inf" in line for line in lines) and "1: " in lines[1]


def test_9_15_one_round_is_reckoned_for_the_short_of_supply() -> None:
    """9.15 The chance of a partially supplied force is that of one round."""
    state = war("1Inf 1303, 70Inf 1304", allied="1303", partial="us")
    desk, order = Operations(state, "allied"), Move(("1Inf",), ("1304",))
    lines = previewed(desk, order)
    assert "75% to win within one round" in lines[-1]
    assert lines[0] == "a die decides the points when the force sets out, one round for each battle [9.15]"
    desk.active = Force(state.at("1303"), "1303", points=3, of=4)
    assert previewed(desk, order)[0] == "one round for each battle [9.15]"


def test_other_orders_are_told_what_matters() -> None:
    """7.8, 13.5 A replacement tells how many are left, a drop whom it may meet;
    an order without anything to tell says nothing."""
    state = war("3A 1501 replenishing, 4A 1501")
    (us, british) = Replacement(state, "allied").remarks(Replenish(("3A",)))
    assert us == "US: 1 of 3 replacements used [7.8]" and british.startswith("British: 0 of 2 ")
    assert "fire first [13.5]" in previewed(Assault(state, "allied"), Drop(("82AB",), "1507"))[0]
    assert previewed(Operations(state, "allied"), Move(("4A",), ("1402",))) == ()


def test_percentages_are_certain_only_when_they_are() -> None:
    """A chance is told as 0 or 100 only if it is."""
    told = [
        percent(Fraction(1, 1000)),
        percent(Fraction(999, 1000)),
        percent(Fraction(1)),
        percent(Fraction(0)),
    ]
    assert told == ["under 1%", "over 99%", "100%", "0%"]


def test_summary_tells_arms_of_one_kind_together() -> None:
    """Both army groups' replacements stand in one line, and all that arrives in one city in another."""
    told: tuple[Note, ...] = (
        notes.Replenishing(case="7.7", group="us", names=("4A",)),
        notes.Replenishing(case="7.7", group="british", names=("GdsA",)),
        notes.Arrived(case="7.3", names=("6A",), hex="1507"),
        notes.Arrived(case="7.3", names=("83Inf",), hex="1507"),
    )
    lines = summary(view(war(allied="1507"), "allied"), told)
    assert lines[0] == "Replenishing: 4A, GdsA." and lines[1] == "Arrived at Paris (1507): 6A, 83Inf."
