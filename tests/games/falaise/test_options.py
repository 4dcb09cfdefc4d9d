"""The options (12): what each of them changes when it is in use, and that nothing changes when it is not."""

from __future__ import annotations

from typing import Any

import pytest

from pbem.engine.play import Chance
from pbem.games.falaise import GAME
from pbem.games.falaise.activation import activation, modifiers
from pbem.games.falaise.bombardment import Bombardment, bombardment
from pbem.games.falaise.command import command
from pbem.games.falaise.counterattack import Gathering, counterattack
from pbem.games.falaise.notes import Airstrikes, Drawn
from pbem.games.falaise.orders import Attach, Bombard
from pbem.games.falaise.state import State
from tests.games.falaise.kit import game
from tests.games.playing import Played, play

BOTH = pytest.mark.parametrize("used", [True, False])


def options(key: str, used: bool) -> dict[str, str]:
    """All options of the printed game, and one of them in use or not."""
    return {**GAME.chosen({}), key: "yes" if used else "no"}


def dice_for(played: Played[State], case: str) -> list[str]:
    return [each.what for each in played.requests if isinstance(each, Chance) and each.case == case]


@BOTH
def test_12_1_the_germans_choose_who_begins(used: bool) -> None:
    """12.1 With it the Germans choose the command that begins one of turns 1 to 4, the 58th Corps
    if they like; without it the first marker is drawn."""
    text = "KG/9Pz 2430, KG/243 2444, 71/53 1528"
    state = game(text, turn=3, cup=["12C", "47Pz", "84"], options=options("better_command", used))
    faces: list[Any] = [3] if used else ["12C", 3]
    played = play(
        activation,
        state,
        dice=faces,
        choose=lambda ask: "84" if ask.kind == "choose" else ask.fallback,
    )
    asked = [ask.options for ask in played.asked("choose")]
    assert asked == ([("47Pz", "84", "58Pz")] if used else [])
    assert [(note.command, note.how) for note in played.of(Drawn)] == (
        [("84", "chosen")] if used else [("12C", "drawn")]
    )


@BOTH
def test_12_2_three_more_units(used: bool) -> None:
    """12.2 With it the counterattack attaches three units from anywhere on the map besides the three
    that stand near it east of the line; without it those alone."""
    near = "KG/9Pz 2003, PzG/1SS 2004, Pz/1SS 2104, 2/2Pz 2105"
    far = "KG/243 2444, 941/353 2644, 942/353 2744, 943/353 2843"
    state = game(f"Pz/2SS 2002, {near}, {far}", turn=6, options=options("stronger_counterattack", used))
    everybody = Attach(tuple(unit.id for unit in state.on_map("german") if unit.id != "Pz/2SS"))
    played = play(
        counterattack,
        state,
        everybody,
        choose=lambda ask: "2SS" if ask.kind == "counterattack" else ask.fallback,
    )
    attached = [unit.id for unit in played.state.on_map("german") if unit.attached == "2SS"]
    assert (len(attached), played.state.attachments) == (6 if used else 3, 3)
    assert ("KG/243" in attached or "941/353" in attached) is used
    left = Gathering.of(played.state, "2SS").attachments
    assert left.left == 0


@BOTH
@pytest.mark.parametrize(("die", "sunny"), [(1, 3), (2, 3), (3, 3), (4, 4)])
def test_12_3_three_airstrikes_at_least(used: bool, die: int, sunny: int) -> None:
    """12.3 With it there are three airstrikes at least on a day turn; without it as many as the die shows."""
    state = game("3/2Pz 2423", turn=3, options=options("sunny_skies", used))
    (note,) = play(bombardment, state, dice=[die]).of(Airstrikes)
    assert note.number == (sunny if used else die)


@BOTH
def test_12_3_not_by_night(used: bool) -> None:
    """12.3 By night there is none either way."""
    state = game("3/2Pz 2423", turn=4, options=options("sunny_skies", used))
    assert not dice_for(play(bombardment, state), "8.3")


@BOTH
@pytest.mark.parametrize(
    ("friend", "commonwealth"), [("71/53", True), ("4/2C", True), ("Koszutski", True), ("Dio", False)]
)
def test_12_4_guns_beside_the_commonwealth(used: bool, friend: str, commonwealth: bool) -> None:
    """12.4 With it US guns fire next to Commonwealth units, the Poles among them,
    and still not next to the French; without it next to neither."""
    state = game(
        f"3/2Pz 2423, 357/90 2723, {friend} 2424", turn=3, options=options("better_coordination", used)
    )
    assert (Bombard("15C", "2423") in Bombardment(state).options("15C")) is (used and commonwealth)


@BOTH
@pytest.mark.parametrize(("key", "better", "printed"), [("7C", -1, -2), ("15C", -1, -2), ("2CC", -1, -1)])
def test_12_4_nights(used: bool, key: str, better: int, printed: int) -> None:
    """12.4 With it night takes one from the die of a US command, without it two; the Commonwealth is as ever,
    and days are for all."""
    chosen = options("better_coordination", used)
    assert modifiers(game(turn=4, options=chosen), key).total == (better if used else printed)
    assert modifiers(game(turn=3, options=chosen), key).total == 0


@BOTH
def test_12_5_paris(used: bool) -> None:
    """12.5 With it a die is thrown for the French division on turn 3, and may take it off the map;
    without it none is."""
    state = game("Dio 3532, Langlade 3533, Billotte 3534", turn=3, options=options("paris", used))
    played = play(command, state, dice=[6] if used else [])
    assert len(dice_for(played, "12.5")) == used
    french = [played.state.units[id].place for id in ("Dio", "Langlade", "Billotte")]
    assert set(french) == {"removed" if used else "map"}
