"""Chapter 1: the prize is hidden."""

from fourth_game.notes import Prize
from fourth_game.state import State
from fourth_game.tables import MAP

from pbem.engine.play import Draw


async def hide(state: State) -> None:
    """1.1 A lot decides where the prize lies; only red learns it."""
    (state.prize,) = await Draw(case="1.1", what="prize", pool=MAP.hexes("prize"), sealed=True)
    state.note(Prize(case="1.1", readers=("red",), hex=state.prize))
