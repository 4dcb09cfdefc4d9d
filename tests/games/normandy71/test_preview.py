"""What a player is told of an order before anything is rolled."""

from __future__ import annotations

import pytest

from pbem.games.normandy71 import combat
from pbem.games.normandy71.invasion_plan import InvasionPlan
from pbem.games.normandy71.movement import Movement
from pbem.games.normandy71.orders import Attack, Drop, Land, Move, UseDefault
from pbem.games.normandy71.state import State
from tests.games.normandy71.kit import game
from tests.games.playing import opening

BEACH = "8/4 allied 7-4 1218, 70 allied 6-10 1218, x german 4-1 1219"


def attacked(state: State, order: Attack) -> tuple[str, ...]:
    """What is shown of an attack of the Allies before it is taken down."""
    return tuple(opening(combat.allied_combat, state).preview(order))


def test_nav_gunfire_counts_in_the_odds() -> None:
    """NAV Gunfire that is written stands in the sum, with its points."""
    (line,) = attacked(game(BEACH, turn=1), Attack(("1219",), ("8/4",), missions=("medium",)))
    assert line.startswith("8/4: 7 + 25 : 4 = 8-1, die unmodified")


def test_ent_b_nothing_is_told_of_what_lies_under_a_marker() -> None:
    """ENT.B Whatever lies under a marker, the same is told of an attack on it."""
    told = {
        attacked(
            game(BEACH.replace("4-1", kind), turn=1, trenches="1219 german"), Attack(("1219",), ("8/4",))
        )
        for kind in ("4-1", "10-6", "7-2")
    }
    assert len(told) == 1 and "against a stack under a marker" in told.pop()[0]


def test_inv_1c_a_drop_is_told_with_its_chance_of_loss() -> None:
    """INV.1C Over flooded ground one jump in six is lost; of Germans nothing is told."""
    state = game("505/82 allied 5-4 paratroop later, x german 4-1 4025", turn=1, phase="deployment")
    (line,) = InvasionPlan(state).preview(Drop(("505/82",), "4025"))
    assert line == "a unit that jumps over 4025 (flooded) may be lost: 17% in the drop [INV.1C]"


@pytest.mark.parametrize(
    ("text", "units", "told"),
    [
        (BEACH.replace("1218", "1217", 1), ("8/4",), ["1218 is adjacent to the enemy"]),
        (
            "70 allied 6-10 1217, x german 4-1 1219",
            ("70",),
            ["1218 is adjacent to the enemy", "armour alone in 1218: 70 [COM.J]"],
        ),
        ("8/4 allied 7-4 1217", ("8/4",), []),
    ],
)  # fmt: skip
def test_a_move_is_told_with_what_may_be_overlooked(
    text: str, units: tuple[str, ...], told: list[str]
) -> None:
    """COM.J Contact with the enemy, and armour that would stand alone."""
    desk = Movement(game(text, turn=2, supply=["3 Utah"]), "allied", second=False)
    assert list(desk.preview(Move(units, ("1218",)))) == told


def test_sup_a_move_out_of_supply_is_told() -> None:
    """SUP A unit that ends where no supply reaches it is named."""
    desk = Movement(game("4Cdo allied 2-4 commando 1011", turn=3), "allied", second=False)
    assert list(desk.preview(Move(("4Cdo",), ("1010",)))) == ["out of supply in 1010: 4Cdo"]


def test_stk_a_too_many_for_a_beach_are_told() -> None:
    """STK.A Landing places that the plan fills beyond their limit are told, with what becomes of the rest."""
    state = game(
        ", ".join(f"{id} allied 7-4 later" for id in ("8/4", "16/1", "116/29")), turn=1, phase="deployment"
    )
    desk = InvasionPlan(state)
    assert not list(desk.preview(Land(("8/4",), "3")))
    state.plan.beaches["3 Utah"] = ["16/1", "116/29"]
    (line,) = desk.preview(Land(("8/4",), "3"))
    assert "5031" in line and line.endswith("or wait in the box [STK.A]")
    assert not list(desk.preview(UseDefault()))
