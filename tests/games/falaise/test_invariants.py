"""The invariants find what they are for, and nothing in a state that is right."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from pbem.games.falaise import setup
from pbem.games.falaise.invariants import invariants
from pbem.games.falaise.orders import Withhold
from pbem.games.falaise.state import Award, State
from tests.games.playing import play

Spoil = Callable[[State], None]


def good() -> State:
    """The state when turn 1 begins, with two units withheld."""
    state = setup.setup("campaign", {})
    play(setup.set_up_german, state)
    play(setup.set_up_allied, state, dice=[4])
    play(setup.redeployment, state, Withhold(("D/2SS", "DF/2SS")))
    state.phase = "redeployment"
    return state


def put(id: str, hex: str | None, place: str = "map") -> Spoil:
    def spoil(state: State) -> None:
        state.units[id].hex, state.units[id].place = hex, place  # type: ignore[assignment]

    return spoil


def given(id: str = "", **fields: object) -> Spoil:
    def spoil(state: State) -> None:
        for name, value in fields.items():
            setattr(state.units[id] if id else state, name, value)

    return spoil


def several(*spoils: Spoil) -> Spoil:
    def spoil(state: State) -> None:
        for each in spoils:
            each(state)

    return spoil


def test_a_good_state_has_no_faults() -> None:
    """Nothing is wrong after the set-up, nor in the phases before everybody is on the map."""
    assert list(invariants(good())) == []
    state = setup.setup("campaign", {})
    state.phase = "set_up_german"
    play(setup.set_up_german, state)
    assert list(invariants(state)) == []


@pytest.mark.parametrize(
    ("spoil", "case"),
    [
        (put("3/2Pz", None), "place map"),
        (put("3/2Pz", "2423", "unknown"), "place unknown"),
        (put("3/2Pz", None, "later"), "3.1"),
        (put("4/2C", None, "unknown"), "not German"),
        (put("4/2C", None, "exited"), "not German"),
        (given("3/2Pz", hex="9999"), "not a hex"),
        (given("3/2Pz", steps=2), "2.2"),
        (given("3/2Pz", steps=0), "2.2"),
        (put("3/2Pz", None, "dead"), "2.2"),
        (given("D/2SS", disrupted=True), "9.0"),
        (
            several(*(put(id, None, "unknown") for id in ("2/2Pz", "304/2Pz", "3/2Pz", "501SS", "KG/9Pz"))),
            "3.1",
        ),
        (put("978/271", "1531"), "5.3"),
        (put("4/2C", "1531"), "5.3 both"),
        (put("357/90", "3306"), "11.4"),
        (put("3/2Pz", "0811"), "11.4"),
        (several(put("4/2C", "0811"), given(options={"players": "one"})), "13.3"),
        (given(cup=["1SS"], activated=["1SS"]), "4.0"),
        (given(activated=["1SS", "1SS"]), "4.0"),
        (given(cup=["1SS", "1SS"]), "4.0"),
        (given(cup=["8C"]), "4.0"),
        (given(activated=["8C"]), "4.0"),
        (given(cup=["Pol"], held_back=["Pol"]), "11.10"),
        (given(attachments=4), "11.1"),
        (given(attachments=4, options={"stronger_counterattack": "yes"}, counterattack=5), "11.1"),
        (given("3/2Pz", attached="8C"), "11.1"),
        (given(points=1), "3.2"),
        (given(ledger=[Award(1, "cut off", 1, "3.3")]), "3.2"),
        (put("317/80", "3219"), "3.4"),
        (given(argentan="allied"), "3.4"),
        (given(rating_80=4), "11.8"),
        (given(rating_80=0), "11.8"),
    ],
)
def test_what_is_wrong_is_found(spoil: Spoil, case: str) -> None:
    """Each fault is told, with its case or in words."""
    state = good()
    spoil(state)
    assert any(case in fault for fault in invariants(state)), list(invariants(state))


@pytest.mark.parametrize(
    "change",
    [
        put("3/2Pz", "2505"),
        several(put("3/2Pz", "0811"), given(zone_entered=True)),
        several(put("3/2Pz", "0811"), given(zone_86="open")),
        put("4/2C", "0811"),
        several(put("4/2C", "0811"), given(options={"players": "one"}, boundary=True)),
        given(activated=["1SS", "58Pz"], cup=["2SS", "86"]),
        given(attachments=6, turn=5, counterattack=5, options={"stronger_counterattack": "yes"}),
        given(points=1, ledger=[Award(1, "cut off", 1, "3.3")]),
        several(put("317/80", "3219"), given(argentan="allied", argentan_fell=True)),
        several(put("3/2Pz", None, "dead"), given("3/2Pz", steps=0)),
        put("3/2Pz", None, "exited"),
    ],
)
def test_what_is_right_is_let_alone(change: Spoil) -> None:
    """What the rules allow is no fault."""
    state = good()
    change(state)
    assert list(invariants(state)) == []
