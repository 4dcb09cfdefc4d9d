"""What a side may know: everything on the map, and of an allocation nothing before both are done."""

from __future__ import annotations

import pytest

from pbem.games.normandy44 import GAME
from pbem.games.normandy44.notes import Supported
from pbem.games.normandy44.sequence import PHASES
from pbem.games.normandy44.state import Port, State
from pbem.games.normandy44.tables import CHARTS, ROUTES, UNITS
from pbem.games.normandy44.view import label, roster, title, view
from pbem.service.letters import log as letters
from tests.games.normandy44.kit import game

TEXT = (
    "4US 0617, 82AB 0619 lost=1 unsupplied, 709ID 0519, VII/US 0617, LXXXIV 1218 used, 90US reserve phase=A, "
    "77ID track box=Bretagne"
)


def war(text: str = TEXT, **fields: object) -> State:
    return game(text, **({"phase": "a_first"} | fields))  # type: ignore[arg-type]


def forces(state: State, seat: str) -> str:
    parts = letters.forces(GAME, view(state, seat))
    return "\n".join(line for part in parts for line in (f"## {part.title}", *part.lines))


def test_0_1_counters_are_seen_as_they_are_now() -> None:
    """0.1, 8.3, E1 Both sides see strengths, steps, stacking points and marks of every counter."""
    units = {unit.id: unit for unit in view(war(), "german").units}
    worn = units["82AB"]
    assert (worn.attack, worn.defence, worn.steps, worn.printed_steps, worn.pe) == (3, 2, 2, 3, 2)
    assert worn.unsupplied and worn.state == ("out of supply",) and not worn.mine
    assert units["709ID"].mine and units["LXXXIV"].state == ("support given",)
    assert set(units) == set(UNITS)


@pytest.mark.parametrize("told", [False, True])
def test_2_3_what_the_other_side_allocates_is_not_seen_before_it_is_laid_open(told: bool) -> None:
    """2.3, 2.4 Markers, fighters, bombers and targets of a side are its own until its allocation is told."""
    state = war(
        phase="allocation", supported=["VII/US", "LXXXIV"], fighters={"VII/US": 2}, interdicted=["I"],
        bombers={"Paris": 1}, targets={"1218": "us"}, markers={"allied": 1, "german": 0}, initiative="",
    )  # fmt: skip
    if told:
        state.note(Supported(case="2.3", side="allied", names=("VII/US",), stock=1))
    seen = view(state, "german")
    assert seen.supported == (("VII/US", "LXXXIV") if told else ("LXXXIV",))
    assert bool(seen.fighters) is bool(seen.zones) is bool(seen.bombers) is bool(seen.targets) is told
    assert seen.markers == {"allied": 1 if told else 2, "german": 0}
    assert any(unit.supported for unit in seen.units if unit.id == "VII/US") is told
    assert any(unit.fighters for unit in seen.units) is told
    assert ("VII/US HQ+2 *" in forces(state, "german")) is told
    allied = view(state, "allied")
    assert allied.supported == ("VII/US",) and allied.fighters and allied.zones == ("I",)
    assert allied.markers == {"allied": 1, "german": 1}
    assert view(state, "umpire").supported == ("VII/US", "LXXXIV")


def test_2_6_titles_say_whose_activation_it_is() -> None:
    """2.6, 2.3 Turn, dates, and whose phase A or B is played."""
    assert title(war()) == "Turn 2 (13 to 19 June), Allied phase A"
    assert title(war(phase="b_second")) == "Turn 2 (13 to 19 June), German phase B"
    assert title(war(phase="b_second", initiative="german")) == "Turn 2 (13 to 19 June), Allied phase B"
    assert title(war(phase="")) == "The game is over"
    assert label(0) == "D-Day, 6 June" and label(99) == CHARTS.calendar.turns[-1]
    assert all(title(war(phase=phase.key)) for phase in PHASES)


def test_11_1_10_4_the_track_is_seen_with_its_bombers() -> None:
    """11.1, 10.4 Boxes with somebody in them or bombers over them; those who come without the track
    are told first."""
    state = war("77ID track box=Bretagne, 346ID track box=map", bombers={"Paris": 2})
    assert [(box.name, box.number, box.bombers, box.units) for box in view(state, "allied").track] == [
        ("map", 0, 0, ("346ID",)),
        ("Paris", 6, 2, ()),
        ("Bretagne", 6, 0, ("77ID",)),
    ]
    told = forces(state, "allied")
    assert (
        "Paris (leaves on a die of 1 to 3, 2 bombers over it): empty [11.1]" in told
        and "Straight onto the map: 346ID [2.5]" in told
    )
    starred = "A box with * comes before the box of that name on the way to the map [11.1]"
    assert starred not in told
    assert starred in forces(war("LVIII track box=Paris*"), "allied")


def test_2_5_the_next_arrivals_are_told() -> None:
    """2.5, C4, C5 The arrivals of the next two turns stand in the view,
    without those that have come already."""
    seen = view(war(turn=1), "allied")
    coming = {(each.turn, each.side, each.where): each.units for each in seen.coming}
    assert coming[2, "allied", "reserve, phase A"] == ("XIX/US", "33Armd")
    assert coming[2, "german", "Sud France*"] == ("2Pz/2SS", "3/2SS", "4/2SS")
    assert {turn for turn, _, _ in coming} == {2, 3}
    first = view(war("33Armd reserve phase=A", turn=0), "allied").coming
    assert any(each.where == "map, road A or B" for each in first)
    assert any(each.units == ("XIX/US",) for each in first)


@pytest.mark.parametrize(
    ("port", "told"),
    [
        (Port(), "not begun"),
        (Port(left=2), "works from turn 4 on"),
        (Port(left=0, worth=3), "works"),
        (Port(gone=True), "lost for good"),
    ],
)
def test_14_0_ports_in_words(port: Port, told: str) -> None:
    """14 What each port gives, or when."""
    state = war(ports={"Isigny": port})
    assert [(each.name, each.told) for each in view(state, "german").ports] == [("Isigny", told)]


def test_14_1_14_3_damaged_closed_and_growing_ports() -> None:
    """14.0, 14.1, 14.3 Storm damage, Germans next to it, and the second depot of Cherbourg are told."""
    ports = {"Arromanches": Port(left=0, worth=5, damaged=True), "Cherbourg": Port(left=2, worth=9)}
    told = {each.name: each.told for each in view(war(ports=ports), "allied").ports}
    assert told == {
        "Arromanches": "works, damaged by a storm",
        "Cherbourg": "works, doubled from turn 4 on",
    }
    closed = view(war("709ID 0816", ports={"Isigny": Port(left=0, worth=3)}), "allied").ports
    assert closed[0].told == "closed by Germans adjacent to it" and not closed[0].works


def test_what_to_remember_is_told_by_phase() -> None:
    """2.3, 6.2, 8.3, 6.4, 13.0 Each phase has its lines, for the side that they concern."""
    out = war("82AB 0619 unsupplied, LXXXIV dead", phase="allocation", initiative="")
    out.units["LXXXIV"].back = 3
    allied, german = view(out, "allied").notes, view(out, "german").notes
    assert any("Clear weather: 2 US and 2 UK fighters, 2 bombers [2.4]" in line for line in allied)
    assert not any("[2.4]" in line for line in german)
    assert any("82AB [8.3]" in line for line in allied) and not any("82AB" in line for line in german)
    assert any("LXXXIV may return at the end of turn 3 [6.4]" in line for line in german)
    assert any("[6.2]" in line for line in view(war(), "german").notes)
    assert any("[13.0]" in line for line in view(war(phase="end"), "german").notes)
    assert not any("[13.0]" in line for line in view(war(phase="end", scenario="cobra"), "german").notes)
    assert not view(war(phase=""), "german").notes


def test_S1_before_cherbourg_there_is_one_fighter() -> None:
    """S1 In clear weather a single American fighter, no bombers."""
    notes = view(war(scenario="cherbourg", phase="allocation", initiative=""), "allied").notes
    assert "Clear weather: 1 US and 0 UK fighters, 0 bombers [2.4]." in notes


def test_forces_list_units_with_their_marks() -> None:
    """Own and enemy units stand hex by hex, with steps lost, supply, support and fighters."""
    told = forces(war(supported=["VII/US"], fighters={"VII/US": 2}), "allied")
    assert "Utah (0617): 4US 4-4-8, VII/US HQ+2 * 2f" in told
    assert "Sainte-Mere-Eglise (0619): 82AB 3-2-6 -1 !" in told
    assert "Marigny (1218): LXXXIV HQ+1 x" in told
    assert "May land from phase A on: 90US [11.2]" in told
    assert "Your units on the map: 3" in told and "The enemy on the map: 2" in told


def test_the_roster_names_everybody() -> None:
    """Own units may be ordered, those of the enemy named in conditions;
    a division in several counters is asked back."""
    names = roster(war(), "allied")
    assert names.units["4US"].kind == "4-4-8" and names.units["VII/US"].kind == "+2"
    assert not names.units["4US"].enemy and names.units["709ID"].enemy
    assert names.groups["2AD"] == ("the 2AD division (A/2AD, B/2AD, R/2AD)",)
    assert not set(names.groups) & set(names.units)


def test_11_1_roads_by_which_units_enter_are_named_with_their_hexes() -> None:
    """11.1, E0 Units of a track that enter by the same roads stand together;
    roads that are closed are left out."""
    state = game("77ID track box=Bretagne, 25/12SS track box=Paris", scenario="cherbourg")
    (entry,) = view(state, "german").entries
    assert entry.units == ("77ID",)
    assert entry.roads and all(f"({ROUTES[road[0]]})" in road for road in entry.roads)


def test_6_2_phase_a_lists_whom_a_headquarters_can_activate() -> None:
    """6.2 Of the reader's own side, within five hexes and with a line to it."""
    state = game(
        "4US 0617, 82AB 0619, 3BR 0808, VII/US 0617, 709ID 0222", supported=["VII/US"], phase="a_first"
    )
    state.control = {"0617": "allied"}
    assert view(state, "allied").activates == {"VII/US": ("4US", "82AB")}
    assert view(state, "german").activates == {}
