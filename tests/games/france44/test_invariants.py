"""What must always hold (invariants.py)."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from pbem.games.france44 import control
from pbem.games.france44.invariants import invariants
from pbem.games.france44.notes import (
    Activated,
    Interdicted,
    PhasePassed,
    PieceActivated,
    Replaced,
    RhineCrossed,
    TurnPoints,
)
from pbem.games.france44.setup import setup
from pbem.games.france44.state import State, Unit
from tests.games.france44.kit import OPTIONS, game, put


def sound() -> State:
    state = game("US1 1208, VII/US 1208, V/US 1309, LXXXIV 1210, AOK7 1411", phase="cycle", cup=["allied"])
    control.begin(state)
    return state


@pytest.mark.parametrize("scenario", ["falaise", "westwall", "rhine", "crusade"])
@pytest.mark.parametrize("advantage", ["no", "yes"])
def test_every_scenario_begins_soundly(scenario: str, advantage: str) -> None:
    assert list(invariants(setup(scenario, {"advantage": advantage}))) == []


def test_a_sound_state_has_no_faults() -> None:
    assert list(invariants(sound())) == []


Spoil = Callable[[State], object]


def at(id: str, where: str, *words: str) -> Spoil:
    return lambda state: put(state, id, where, *words)


def have(id: str, **fields: object) -> Spoil:
    def spoil(state: State) -> None:
        for name, value in fields.items():
            setattr(state.units[id], name, value)

    return spoil


def be(**fields: object) -> Spoil:
    def spoil(state: State) -> None:
        for name, value in fields.items():
            setattr(state, name, value)

    return spoil


def replaced(id: str, points: int) -> Spoil:
    def spoil(state: State) -> None:
        unit = state.units[id]
        for _ in range(points):
            state.note(Replaced(case="10.1.2", side=unit.side, name=id, points=1, now="full"))

    return spoil


def reacted(side: str, pieces: int) -> Spoil:
    def spoil(state: State) -> None:
        for _ in range(pieces):
            state.note(PieceActivated(case="5.2", side=side, name="V/US", unsupplied=False, left=0))

    return spoil


def army(side: str) -> Spoil:
    return lambda state: state.note(Activated(case="5.2", side=side, hq="US1", names=(), cost=3))


def denied(side: str) -> Spoil:
    return lambda state: state.note(PhasePassed(case="5.2", side=side, what="denied"))


def told(supply: int, reaction: int) -> Spoil:
    return lambda state: state.note(
        TurnPoints(case="2.0.5", side="german", supply=supply, gained=0, reaction=reaction, parts=())
    )


def both(*spoils: Spoil) -> Spoil:
    return lambda state: [spoil(state) for spoil in spoils]


FAULTS: dict[str, tuple[str, Spoil]] = {
    "a counter is missing": ("1.7", lambda s: s.units.pop("XX/US")),
    "filed wrongly": ("XX/US is filed under", lambda s: s.units.update({"XV/US": Unit("XX/US")})),
    "no place": ("V/US has place map", have("V/US", hex=None)),
    "no hex": ("XV/US has place later", have("XV/US", hex="1309")),
    "sea": ("1.3", at("V/US", "1307")),
    "the southern row before September": ("1.3", at("V/US", "2428")),
    "steps": ("3.2", have("V/US", lost=3)),
    "steps of a headquarters": ("3.2", have("US1", lost=1)),
    "steps of a Fuehrer division": ("3.2", have("Kurmark", lost=1)),
    "untried for ever": ("3.10", have("V/US", green=True)),
    "untried again": ("3.10", both(have("III/US", green=True), be(tried=["III/US"]))),
    "beside the box": ("10.1.2", at("XV/US", "fresh")),
    "not come in": ("10.1.2", at("XV/US", "due", "rebuilt")),
    "a marker off the map": ("11.5", at("XV/US", "eliminated", "unsupplied")),
    "in the airborne box": ("3.12", at("XV/US", "box")),
    "a headquarters eliminated": ("4.1", at("US1", "eliminated")),
    "on the track without a turn": ("4.10", at("US3", "track")),
    "a turn without the track": ("4.10", have("US3", back=4)),
    "a corps on the track": ("4.10", at("XV/US", "track", "back=4")),
    "too many infantry": ("7.1", lambda s: [put(s, id, "1208") for id in ("XV/US", "XX/US")]),
    "both sides": ("7.1", at("AOK7", "1309")),
    "a lone headquarters": ("4.10", at("US3", "1211")),
    "supply overdrawn": ("2.0.4", be(supply={"allied": -1, "german": 0})),
    "committed too much": ("2.0.8", be(committed={"allied": 0, "german": 4})),
    "reaction overdrawn": ("2.0.5", be(reaction={"allied": 3, "german": -1})),
    "too many reaction points": ("2.0.5", be(reaction={"allied": 12, "german": 0})),
    "reaction points after the Rhine": ("2.0.5", be(rhine_crossed=1)),
    "supply that nobody was told of": ("2.0.8", told(1, 3)),
    "reaction points that nobody was told of": ("2.0.5", told(0, 4)),
    "four single pieces": ("5.2", reacted("allied", 4)),
    "an army and a piece": ("5.2", both(army("allied"), reacted("allied", 1))),
    "a reaction after a denial": ("2.0.9", both(denied("german"), reacted("allied", 1))),
    "an unknown chit": ("2.0.7", be(cup=["british"])),
    "two administrative chits": ("2.0.7", be(cup=["administrative"] * 2)),
    "too many chits": ("2.0.6", be(cup=["german"] * 4)),
    "chits set aside count": ("2.0.6", be(cup=["german"] * 2, bulge=2, turn=6)),
    "an offensive in August": ("12.5", be(bulge=1)),
    "a long offensive": ("12.5", be(bulge=3, turn=6)),
    "points of the offensive": ("12.5", be(bulge=1, bulge_points=True, turn=6)),
    "chits left": ("2.0.9", be(phase="german_final")),
    "heavy bombers": ("9.2", be(heavies=3)),
    "interdiction without air support": ("2.0.3", be(air=False, interdicting=1)),
    "too much interdiction": ("2.0.3", be(interdicting=3)),
    "a jump that is not over": ("12.3", be(jumped=True)),
    "a landing hex": ("12.3", be(drop="1309")),
    "too many replacements": ("10.1.2", both(replaced("2AD/US", 2), replaced("3AD/US", 1))),
    "too many for a unit": ("10.1.2", both(be(turn=3), replaced("LXXXIV", 4))),
    "replacements after the Rhine": ("12.9", both(be(rhine_crossed=2), replaced("LXXXIV", 1))),
    "control": ("11.3", lambda s: s.control.update({"1309": "german"})),
    "a bridgehead twice": ("12.6", be(bridgeheads=["3609", "3609"])),
    "a bridgehead on the west bank": ("12.6", be(bridgeheads=["3510"])),
    "a bridgehead under Germans": ("12.6", both(be(bridgeheads=["3609"]), at("LIII", "3609"))),
    "a bridge that is not there": ("12.7", be(bridges={"3510-3610": 0})),
    "too many bridges": ("12.7", be(bridges={"3509-3510": 2})),
    "crossed tomorrow": ("12.9", be(rhine_crossed=5)),
    "Fuehrer divisions not raised": ("12.9 Kurmark", be(rhine_crossed=2)),
    "the Advantage without its option": ("12.10", be(advantage="allied")),
    "the Advantage lost": ("12.10", be(options={"advantage": "yes"})),
}


@pytest.mark.parametrize("name", FAULTS)
def test_faults_are_found(name: str) -> None:
    state = sound()
    expected, spoil = FAULTS[name]
    spoil(state)
    assert any(fault.startswith(expected) for fault in invariants(state)), list(invariants(state))


def test_most_faults_are_found_once() -> None:
    """A broken rule is not hidden among others that follow from it."""
    lonely = [
        name for name in FAULTS if name.startswith(("steps", "sea", "control", "heavy", "too many infantry"))
    ]
    for name in lonely:
        state = sound()
        FAULTS[name][1](state)
        assert len(list(invariants(state))) == 1, name


def test_5_2_three_points_are_no_fault() -> None:
    state = sound()
    both(reacted("allied", 2), denied("allied"))(state)
    assert list(invariants(state)) == []


def test_12_5_the_points_that_open_an_offensive_are_counted_by_themselves() -> None:
    state = sound()
    both(be(turn=6, bulge=1), army("german"), army("german"))(state)
    assert list(invariants(state)) == []


def test_2_0_5_interdiction_is_in_the_ledger() -> None:
    state = sound()
    state.note(Interdicted(case="2.0.3", number=1, cost=2))
    told(0, 5)(state)
    assert list(invariants(state)) == []


def test_12_9_replacements_before_the_rhine_is_crossed_are_no_fault() -> None:
    """Arrivals may cross it later in the same administrative phase."""
    state = sound()
    for unit in state.units.values():
        if not unit.hq and unit.counter.fuehrer:
            unit.place = "eliminated"
    replaced("LXXXIV", 1)(state)
    state.note(RhineCrossed(case="12.9", hex="3509"))
    state.rhine_crossed, state.reaction["german"] = state.turn, 0
    assert not [fault for fault in invariants(state) if fault.startswith("12.9")]
    replaced("LXXXIV", 1)(state)
    assert [fault for fault in invariants(state) if fault.startswith("12.9 LXXXIV")]


def test_12_10_the_advantage_is_not_played_in_falaise_gap() -> None:
    state = setup("falaise", OPTIONS)
    state.advantage = "german"
    assert any(fault.startswith("12.10") for fault in invariants(state))


def test_10_1_3_from_september_on_the_southern_row_is_open() -> None:
    state = sound()
    put(state, "VI/US", "2428")
    state.south_open = True
    assert list(invariants(state)) == []
