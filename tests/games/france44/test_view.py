"""What a side may know: everything on the map and in the cup, and of supply nothing that the other side
has committed in secret."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest

from pbem.games.france44 import begin, setup
from pbem.games.france44.notes import Activated, BoxEntered, ChitDrawn, Moved
from pbem.games.france44.orders import Commit
from pbem.games.france44.sequence import PHASES
from pbem.games.france44.state import State
from pbem.games.france44.supply import Supply
from pbem.games.france44.tables import GRID, PARIS, RHINE_BRIDGES, SCENARIOS, place_name
from pbem.games.france44.view import France44View, coming, month, roster, supply_line, title, view
from pbem.service.letters.log import environment
from tests.games.france44.kit import game

TEXT = (
    "VII/US 1208, 2AD/US 1208 lost=2 unsupplied, III/US 1309 green, "
    "US1 1208, XIX/US 1207, 2SS 1209, LXXXIV 1209, AOK7 1311, XV/US due, XVIII/US box, Lehr eliminated"
)
CONTROL = {"1207": "allied", "1309": "allied", "1409": "allied", "0910": "german"}


def war(text: str = TEXT, **fields: object) -> State:
    return game(text, **({"phase": "cycle", "control": dict(CONTROL)} | fields))  # type: ignore[arg-type]


def forces(state: State, seat: str) -> str:
    """The parts of a letter that list what a seat has, as its template writes them."""
    template = environment().get_template("france44/forces.txt.j2", globals={"at": place_name})
    return template.render(view=view(state, seat))


# --- secrecy (2.0.8) ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(("seat", "other"), [("allied", "german"), ("german", "allied")])
@pytest.mark.parametrize("number", [0, 1, 3])
def test_2_0_8_what_the_enemy_has_committed_changes_nothing_in_a_view(
    seat: str, other: str, number: int
) -> None:
    """2.0.8 Two states that differ only in what the other side has committed,
    and in what that leaves of its supply, look alike."""
    states = [
        war(supply={seat: 2, other: 3 - each}, committed={seat: 1, other: each}) for each in (0, number)
    ]  # type: ignore[dict-item]
    one, two = (view(state, seat).model_dump_json() for state in states)
    assert one == two
    assert forces(states[0], seat) == forces(states[1], seat)


def test_2_0_8_desks_keep_the_secret_until_the_chits_are_placed() -> None:
    """2.0.8, 2.0.6 Closing the desks changes what a side sees of itself;
    the other learns it with the chits of the next turn."""
    state = war(phase="begin", supply={"allied": 4, "german": 2})
    before = view(state, "german")
    commitment = begin.Commitment(state, "allied", 4)
    commitment.carry_out(Commit(3))
    commitment.set_aside()
    assert view(state, "german") == before
    own = view(state, "allied")
    assert own.supply["allied"] == 1 and own.committed == {"allied": 3}
    (note,) = state.log
    assert note.seen_by("allied") and not note.seen_by("german") and note.seen_by("umpire")
    begin.place_chits(state)
    assert view(state, "german").cup == {"allied": 3, "administrative": 1}


def test_2_0_8_own_and_open_points() -> None:
    """2.0.4, 2.0.5, 2.0.8 A side sees its own supply as it is, that of the other
    with what it may have committed; reaction points lie open."""
    state = war(
        supply={"allied": 1, "german": 2},
        committed={"allied": 3, "german": 2},
        reaction={"allied": 5, "german": 6},
    )
    allied, umpire = view(state, "allied"), view(state, "umpire")
    assert allied.supply == {"allied": 1, "german": 4} and allied.committed == {"allied": 3}
    assert umpire.supply == {"allied": 1, "german": 2} and umpire.committed == {"allied": 3, "german": 2}
    assert allied.reaction == {"allied": 5, "german": 6}
    told = forces(state, "allied")
    assert "1 supply point and 3 committed for the next turn [2.0.8]" in told
    assert "4 supply points, of which an unknown number is committed [2.0.8]" in told


# --- counters ---------------------------------------------------------------------------------------------


def test_counters_are_seen_as_they_are_now() -> None:
    """3.2, 3.7, 3.10, 11.5 Both sides see strengths, morale, steps and marks of every counter,
    and who is dead or to come."""
    units = {unit.id: unit for unit in view(war(), "german").units}
    full, cadre, green = units["VII/US"], units["2AD/US"], units["III/US"]
    assert (full.set_piece, full.mobile, full.morale, full.allowance, full.steps) == (7, 3, 4, 4, 3)
    assert (cadre.set_piece, cadre.mobile, cadre.steps, cadre.printed_steps) == (1, 1, 1, 3)
    assert cadre.unsupplied and cadre.state == ("cadre", "out of supply marker") and not cadre.mine
    assert green.morale == 1 and green.state == ("untried",)
    assert (units["US1"].armour, units["US1"].infantry, units["US1"].range) == (4, 4, 4)
    assert units["Lehr"].steps == 0 and units["Lehr"].mine and units["XV/US"].place == "due"


def test_11_1_supply_is_shown_as_it_would_be_judged_now() -> None:
    """11.1 Beside the marker a reader sees how a piece would be judged now."""
    units = {unit.id: unit for unit in view(war("VII/US 1208, US1 1208, XV/US 2113"), "allied").units}
    assert units["VII/US"].supplied and units["US1"].supplied and not units["XV/US"].supplied
    assert "XV/US 6-3-3/4 ?" in forces(war("VII/US 1208, US1 1208, XV/US 2113"), "allied")


# --- headquarters and supply lines ------------------------------------------------------------------------


def test_4_6_11_1_headquarters_with_their_supply_and_command() -> None:
    """4.5, 4.6, 11.1 Of each headquarters its owner sees the line that feeds it, its range,
    and whom it could command."""
    (post,) = view(war(), "allied").posts
    assert (post.id, post.supplied, post.source, post.line) == ("US1", True, "1207", ("1207", "1208"))
    assert "1208" in post.reach and "1309" in post.reach and "1210" not in post.reach
    assert set(post.units) == {"VII/US", "2AD/US", "III/US", "XIX/US"}
    assert [each.id for each in view(war(), "umpire").posts] == ["US1", "AOK7"]
    told = forces(war(), "allied")
    assert "US1 at 1208, range 4, 4 armour + 4 infantry: supply from Cherbourg (1207), 1 hex [11.1]" in told


def test_11_1_a_chain_leads_from_headquarters_to_headquarters() -> None:
    """11.1 One beyond the reach of any source is fed by a headquarters in whose range it stands;
    one without supply is told so."""
    state = war("US1 2619, US3 2821, US9 4422, LIII 4421", control={"1207": "allied"})
    posts = {post.id: post for post in view(state, "allied").posts}
    assert posts["US1"].source == "1207" and len(posts["US1"].line) - 1 == 19
    assert posts["US3"].source == "US1" and posts["US3"].line == ("2619", "2821")
    assert (posts["US9"].supplied, posts["US9"].source, posts["US9"].line) == (False, "", ())
    told = forces(state, "allied")
    assert "US3 at Besancon (2821), range 6, 5 armour + 3 infantry: supply by US1 [11.1]" in told
    assert "US9 at Munich (4422), range 5, 3 armour + 3 infantry: NOT IN SUPPLY [11.1]" in told


def test_4_5_of_americans_a_british_headquarters_could_command_one() -> None:
    """4.5 They are told apart from those that it could command all."""
    state = game("BR2 1409, XXX/BR 1409, V/US 1409, VII/US 1309, US1 1309")
    told = {post.id: (post.units, post.one_of) for post in view(state, "allied").posts}
    assert set(told["BR2"][0]) == {"XXX/BR", "V/US", "VII/US"} and set(told["BR2"][1]) == {"V/US", "VII/US"}
    assert told["US1"][1] == ()


def test_11_1_lines_keep_clear_of_enemies_and_their_zones() -> None:
    """11.1, 3.3 The line that is drawn is as long as the way is: around the enemy and his zones,
    hex by hex."""
    state = war("US1 1311, 2SS 1210")
    fed = Supply(state, "allied")
    line = supply_line(state, fed, state.units["US1"])
    assert all(GRID.are_neighbours(a, b) for a, b in pairwise(line))
    assert line[-1] == "1311" and line[0] in CONTROL
    assert not {"1210", *GRID.neighbours("1210")} & set(line[:-1])


# --- turns, chits, arrivals ---------------------------------------------------------------------------------


def test_2_0_titles_name_month_and_chit() -> None:
    """2.0.1, 2.0.9, 12.5 Turn and month, and which chit is played as soon as one is drawn."""
    assert title(war(phase="begin")) == "Turn 2 (August 1944), Supply and chits"
    for chit, told in (
        ("allied", "Allied chit"),
        ("german", "German chit"),
        ("administrative", "administrative phase"),
    ):
        state = war()
        state.note(ChitDrawn(case="2.0.9", chit=chit, left=3))
        assert title(state) == f"Turn 2 (August 1944), {told}"
    assert title(war(turn=6, bulge=1)) == "Turn 6 (December 1944), German offensive"
    assert title(war(turn=6, chit="german")) == "Turn 6 (December 1944), German offensive"
    assert title(war(phase="")) == "The game is over"
    assert month(11) == "May 1945" and all(title(war(phase=phase.key)) for phase in PHASES)


def test_1_4_arrivals_of_the_next_turns() -> None:
    """1.4, 4.10, 10.1.1 Arrivals of this turn and the two after it, headquarters that come back,
    Fuehrer divisions on the track; none after the end."""
    found = {(each.turn, each.side, each.where): each.units for each in coming(war("AOK7 track back=4"))}
    assert found[2, "german", "a German city"][:2] == ("LXXXII", "9Pz")
    assert found[3, "allied", "the airborne box"] == ("XVIII/US",)
    assert found[3, "german", "the south"] == ("LXIV", "LXXXV", "IVLw", "11Pz", "AOK19")
    assert found[4, "german", "back from the track"] == ("AOK7",)
    assert {turn for turn, _, _ in found} == {2, 3, 4}
    assert {each.turn for each in coming(war(scenario="falaise", turn=1))} == {1}
    fuehrer = war("Donau track back=4")
    assert any(each.where == "the eliminated box" and each.units == ("Donau",) for each in coming(fuehrer))
    told = forces(war(chit="administrative"), "allied")
    assert "May come in now: XV/US [10.1.4]" in told
    assert "In the airborne box in England: XVIII/US [3.12]" in told


@pytest.mark.parametrize(
    ("fields", "told"),
    [
        ({"cup": ["german", "administrative"]}, "May come in with the administrative chit: XV/US [10.1.4]"),
        (
            {"phase": "german_final"},
            "May come in with the administrative chit of the next turn: XV/US [10.1.4]",
        ),
        ({"phase": "german_final", "turn": 11}, ""),
        ({"chit": "allied", "turn": 11}, ""),
    ],
)
def test_10_1_arrivals_may_come_in_while_the_administrative_phase_lasts(
    fields: dict[str, Any], told: str
) -> None:
    """10.1, 2.0.9 When its chit is gone they wait for the next turn's;
    after the last one they are not listed."""
    lines = forces(war(**fields), "allied")
    assert told in lines and (told or "May come in" not in lines)


def test_2_0_8_nobody_is_told_to_commit_in_the_last_turn() -> None:
    """2.0.8 There is no next turn."""
    supply = {"allied": 3, "german": 3}
    assert any("commit" in line for line in view(war(phase="begin", turn=3, supply=supply), "allied").notes)
    last = war(phase="begin", turn=3, supply=supply, scenario="westwall")
    assert not any("commit" in line for line in view(last, "allied").notes)


def test_12_7_bridges_and_bridgeheads() -> None:
    """12.6, 12.7, 12.9 Every printed bridge of the Rhine, what has been tried, bridgeheads,
    and the turn of the crossing."""
    state = war(turn=9, bridges={"3511-3610": 0, "3511-3611": 1}, bridgeheads=["3610"], rhine_crossed=9)
    seen = {f"{each.hexes[0]}-{each.hexes[1]}": each for each in view(state, "german").bridges}
    assert set(seen) == set(RHINE_BRIDGES)
    assert seen["3511-3610"].tried and seen["3511-3610"].standing == 0
    assert (seen["3511-3611"].standing, seen["3511-3611"].printed) == (1, 2)
    assert not seen["3409-3509"].tried
    told = forces(state, "german")
    assert "Crossed by the Allies on turn 9 [12.9]" in told and "1 of 2 stand [12.7]" in told
    assert "Bridgeheads: " in told and ": blown [12.7]" in told


def test_sources_and_control() -> None:
    """11.2, 11.3 The sources of either side, the southern row left out, and who holds what."""
    seen = view(war(south_open=True, turn=4), "allied")
    assert set(seen.sources["allied"]) == {"1207", "1309", "1409"}
    assert "0910" in seen.sources["german"] and "3510" in seen.sources["german"]
    assert seen.control["1207"] == "allied"


# --- what to remember ---------------------------------------------------------------------------------------


def test_what_to_remember_is_told_by_phase() -> None:
    """2.0.3, 2.0.8, 12.5, 5.1, 12.3 Each phase has its lines, for the side that they concern."""
    start = war(
        phase="begin", turn=6, supply={"allied": 9, "german": 1}, cup=["german", "german", "administrative"]
    )
    allied, german = view(start, "allied").notes, view(start, "german").notes
    assert any("you may commit 5 supply points" in line for line in allied)
    assert any("you may commit 1 supply point " in line for line in german)
    assert any("[2.0.3]" in line for line in allied) and not any("[2.0.3]" in line for line in german)
    assert any("surprise offensive" in line for line in german)
    assert not any("[12.5]" in line for line in view(war(phase="begin"), "german").notes)
    drop = war(turn=4)
    assert any("Market Garden [12.3]" in line for line in view(drop, "allied").notes)
    assert not any("12.3" in line for line in view(drop, "german").notes)
    assert any("Varsity [12.4]" in line for line in view(war(turn=10), "allied").notes)
    assert any("[12.9]" in line for line in view(war(turn=9, rhine_crossed=8), "german").notes)
    assert any("[2.0.10" in line for line in view(war(phase="german_final"), "german").notes)
    assert not view(war(phase=""), "german").notes


def test_11_1_who_is_cut_off_or_uncommanded_is_told_to_his_side() -> None:
    """11.1, 4.6 Pieces that would be found without supply, and units in nobody's command range."""
    state = war(
        "VII/US 1208, US1 1208, XV/US 2113, XXV 0308, AOK7 1311", control={**CONTROL, "0308": "german"}
    )
    allied, german = view(state, "allied").notes, view(state, "german").notes
    assert "Allied, out of supply if judged now: XV/US [11.1]." in allied
    assert "German, out of command range: XXV [4.6]." in german
    assert not any("XXV" in line for line in allied)


# --- letters ----------------------------------------------------------------------------------------------


def test_forces_list_units_with_their_marks() -> None:
    """Own and enemy units stand hex by hex, with strengths, steps lost and marks;
    the dead and the cup follow."""
    told = forces(war(cup=["allied", "german", "german", "administrative"]), "allied")
    assert "1208: VII/US 7-3-4/4, 2AD/US 1-1-4/6 -2 !, US1 HQ 4+4" in told
    assert "1309: III/US 6-3-1/4 ~" in told
    assert "In the cup: 1 Allied chit, 2 German chits, the administrative chit [2.0.9]" in told
    assert "German, in the eliminated box: Lehr" in told
    assert "## acting: Your units on the map: 5" in told and "## enemy: The enemy on the map: 3" in told
    assert "Air: 2 tactical markers for attacks this turn; heavy bombers left in the game: 2 [9.2]" in told


@pytest.mark.parametrize("scenario", ["falaise", "westwall", "rhine", "crusade"])
@pytest.mark.parametrize("seat", ["allied", "german", "umpire"])
def test_13_every_scenario_has_its_first_view(scenario: str, seat: str) -> None:
    """13.1, 13.2 The first position of each scenario can be seen and listed by everybody."""
    state = setup.setup(scenario, {"advantage": "yes"})
    state.phase = "begin"
    seen = view(state, seat)
    assert isinstance(seen, France44View) and seen.last_turn == SCENARIOS.of(scenario).last_turn
    told = forces(state, seat)
    assert "None" not in told and "## Headquarters" in told
    assert ("The Advantage: Allied [12.10]" in told) is (scenario != "falaise")


def test_the_roster_names_everybody() -> None:
    """Own units may be ordered, those of the enemy named in conditions."""
    names = roster(war(), "allied")
    assert names.units["VII/US"].kind == "7-3-4" and names.units["US1"].kind == "HQ 4"
    assert not names.units["VII/US"].enemy and names.units["2SS"].enemy


def test_6_0_who_has_acted_and_who_can_still_act_is_told() -> None:
    """6.0, 7.0, 8.0 In the phase that is played: the box of the marker, those who follow, who is done in it;
    nothing before a box is entered."""
    state = war("VII/US 1208, 2AD/US 1208, US1 1208, LXXXIV 1209, AOK7 1311")
    state.note(Activated(case="5.1", side="allied", hq="US1", names=("VII/US", "2AD/US")))
    assert not any("box" in line for line in view(state, "allied").notes)
    state.note(BoxEntered(case="6.0", side="allied", box=4, what="move"))
    state.note(Moved(case="7.0", side="allied", names=("VII/US",), path=("1207", "1208"), points=2, of=2))
    told = view(state, "allied").notes
    assert "Allied, box 4 of the track; next 8, 9, 10 [6.0]." in told
    assert "Allied, can still act in box 4: 2AD/US [6.0]." in told
    assert "Allied, under command and done for box 4: VII/US [6.0]." in told
    assert not any("box 4" in line for line in view(state, "german").notes)


def test_4_5_who_could_be_commanded_is_listed_by_arm_with_steps_lost() -> None:
    """4.5, 4.7 Headquarters have room for so much of each arm."""
    told = forces(war("VII/US 1208, 2AD/US 1208 lost=1, US1 1208"), "allied")
    assert "could command: armour 2AD/US (2 steps); infantry VII/US [4.5]" in told


def test_13_2_places_that_score_nothing_yet_are_told_in_one_line() -> None:
    """13.2 Whatever scores has a line of its own."""
    told = forces(war(control=CONTROL | {PARIS: "allied"}, scenario="westwall"), "allied")
    assert "Paris: +2 [13.2]\n" in told
    assert "No points yet for Brussels, Metz, Saint-Nazaire and Brest, V-1 sites, " in told
    assert ": +0" not in told
