"""The chits of a turn (2.0.9): each round draws one and plays what it stands for, an initiative phase
with its reactions or the administrative phase.

A German surprise offensive (12.5) takes two rounds before the cup is drawn from: reaction points first,
then two initiative phases in a row.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from pbem.engine.play import Draw
from pbem.games.france44 import activation, administration, airborne, crossing, reaction
from pbem.games.france44.notes import ChitDrawn
from pbem.games.france44.state import ADMINISTRATIVE, ENEMY, State
from pbem.games.france44.tables import TURNS, Hex, Side

TITLES: Mapping[str, str] = {
    "initiative": "initiative",
    "reaction": "reaction",
    "administration": "replacements",
    "south": "arrivals from the south",
    "arrival": "arrivals",
}
"""What chits bring up: heading in letters -> its title."""


def sections_of(state: State, seat: str) -> tuple[str, ...]:
    """2.0.9 The headings under which a seat may still write in this turn: what chits in the cup may bring up,
    and the one that is played."""
    return tuple(_sections(state, seat))


def _sections(state: State, seat: str) -> Iterator[str]:
    chits = {*state.cup, state.chit} if state.phase == "cycle" else {*state.cup}
    if seat in chits or (seat == "german" and state.bulge):
        yield "initiative"
    yield "reaction"
    if ADMINISTRATIVE in chits:
        if not administration.over(state, administration.REPLACEMENTS):
            yield "administration"
        if TURNS[state.turn].south and not administration.over(state, administration.SOUTH):
            yield "south"
        if not administration.over(state, administration.arrival(seat)):
            yield "arrival"


def repeats(state: State, seat: str, section: str) -> bool:
    """2.0.9 Whether the chits that are left in the cup bring up a heading again that has been played
    in this round."""
    if section == "initiative":
        return seat in state.cup or (seat == "german" and state.bulge > 0)
    return section == "reaction" and more(state)


def more(state: State) -> bool:
    """2.0.9, 12.5 Whether there is another round in this turn."""
    return bool(state.cup) or state.bulge > 0


async def cycle(state: State) -> None:
    """2.0.9 One round: a chit, and what comes of it."""
    if state.bulge:
        await offensive(state)
        return
    state.chit = await draw(state)
    if state.chit == ADMINISTRATIVE:
        await administration.administration(state)
    else:
        await initiative_round(state, "german" if state.chit == "german" else "allied")
    crossing.judge_bridgeheads(state)
    state.chit = ""


async def draw(state: State) -> str:
    """2.0.9 A chit from the cup; the last one needs no drawing."""
    rolled, chit = 0, state.cup[0]
    if len(set(state.cup)) > 1:
        (chit,) = await Draw(case="2.0.9", what="chit", pool=tuple(state.cup))
        rolled = state.rolls
    state.cup.remove(chit)
    state.note(ChitDrawn(case="2.0.9", roll=rolled, chit=chit, left=len(state.cup)))
    return chit


async def offensive(state: State) -> None:
    """12.5 One of the two initiative phases of the German offensive; the reaction points
    that open it come before the first."""
    if state.bulge_points:
        state.bulge_points = False
        await reaction.opportunity(state, "german", chit="offensive")
    state.bulge -= 1
    state.chit = "german"
    await initiative_round(state, "german")
    crossing.judge_bridgeheads(state)
    state.chit = ""


async def initiative_round(state: State, side: Side) -> None:
    """5.1, 5.2, 2.0.9 The initiative phase of a side, the reaction of the other,
    and only if that spends nothing one of its own."""
    before = dict(state.control)
    hq = await activation.initiative(state, side)
    other = ENEMY[side]
    fallen: list[Hex] = [
        hex for hex, holder in state.control.items() if holder == side and before.get(hex) == other
    ]
    spent = await reaction.opportunity(state, other, fallen=fallen, chit=side)
    if not spent:
        await reaction.opportunity(state, side, chit=side, acted=hq)
    if state.jumped:
        airborne.lift(state)


async def german_final(state: State) -> None:
    """2.0.10 The last reaction of the Germans in a turn."""
    await reaction.opportunity(state, "german", chit="final")


async def allied_final(state: State) -> None:
    """2.0.11 The last reaction of the Allies in a turn, whatever the Germans have spent.
    No chit has been drawn for it: a heavy bomber marker used since the last initiative chit bars the other
    one here too (9.2)."""
    await reaction.opportunity(state, "allied", chit="final")
