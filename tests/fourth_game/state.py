"""What a game of Clash keeps between two phases: plain values only, for it is stored as JSON."""

from dataclasses import dataclass, field

from pbem.engine.game import GameState


@dataclass(slots=True, kw_only=True)
class State(GameState):
    """`units` says where each unit stands, `prize` where the prize lies,
    `wins` how many clashes red has won."""

    units: dict[str, str] = field(default_factory=dict)
    prize: str = ""
    wins: int = 0

    def own(self, seat: str) -> list[str]:
        """The units of a seat."""
        return [unit for unit in self.units if unit.lower().startswith(seat[0])]
