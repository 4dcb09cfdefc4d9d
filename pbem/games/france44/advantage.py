"""Operational Advantage (12.10, an option): who holds the marker may have one die thrown again, anybody's;
then the other side holds it from the next turn on.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from pbem.engine.play import Ask, Roll
from pbem.games.france44.notes import Rerolled
from pbem.games.france44.state import ENEMY, State

NO = "no"


def usable(state: State) -> bool:
    """12.10 Whether the marker may be used now."""
    return bool(state.advantage) and state.turn >= state.advantage_from


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Reroll(Ask[str]):
    """12.10 Which die is rolled again, if any? `faces` has the face of each; `attacker` is the side that
    attacks if it is a combat."""

    kind: str = "advantage"
    faces: Mapping[str, int]
    attacker: str


class Die(NamedTuple):
    """A die that counts, and the number of its roll."""

    face: int
    roll: int


async def throw(
    state: State,
    case: str,
    what: str,
    dice: Mapping[str, int],
    means: Callable[[str, int], str],
    attacker: str = "",
) -> dict[str, Die]:
    """12.10 Throw named dice, (name, number of faces), and let the holder of the marker have one of them
    thrown again. `means` says what a die comes to with a face, `attacker` which side attacks
    if it is a combat. Gives the dice that count."""
    thrown: dict[str, Die] = {}
    for name, sides in dice.items():
        face = await Roll(case=case, what=f"{name}, {what}" if name else what, sides=sides)
        thrown[name] = Die(face, state.rolls)
    if not usable(state):
        return thrown
    holder, shown = state.advantage, {name or what: die.face for name, die in thrown.items()}
    answer = await Reroll(
        case="12.10",
        what=f"advantage: {what}",
        seat=holder,
        options=(NO, *shown),
        default=NO,
        faces=shown,
        attacker=attacker,
        says=lambda name: means(name, shown[name]) if name != NO else "",
    )
    for name, (face, _) in thrown.items():
        if answer == (name or what):
            again = await Roll(case="12.10", what=f"again: {answer}, {what}", sides=dice[name])
            state.note(
                Rerolled(case="12.10", roll=state.rolls, side=holder, what=answer, first=face, second=again)
            )
            thrown[name] = Die(again, state.rolls)
            state.advantage, state.advantage_from = ENEMY[holder], state.turn + 1
    return thrown
