"""Which games are installed, and where their files are. Nothing is loaded here: `game.game` does that."""

from __future__ import annotations

from functools import cache
from importlib.metadata import entry_points
from importlib.util import find_spec
from pathlib import Path

GROUP = "pbem.games"
"""The entry point group under which a package names its games."""


UNLISTED = {"tour": "pbem.tour:GAME"}
"""Games of pbem that are played like any other, but are not among those of the club: the tutorial."""


@cache
def games() -> dict[str, str]:
    """Return the installed games: key -> where it is found, such as ``pbem.games.rampage:GAME``."""
    return {entry.name: entry.value for entry in sorted(entry_points(group=GROUP))}


def playable() -> dict[str, str]:
    """Return the games that can be started: those installed, and after them those that are not listed."""
    return games() | {key: where for key, where in UNLISTED.items() if key not in games()}


@cache
def home(key: str) -> Path:
    """Return the folder of a game's package, with its ``data`` and ``templates``; it need not exist.

    A game that is not installed, or whose package is missing, would have its folder in pbem.
    """
    module = playable().get(key, f"{GROUP}.{key}").partition(":")[0]
    try:
        spec = find_spec(module)
    except ImportError:
        spec = None
    if spec is None or spec.origin is None:
        return Path(__file__).parents[1] / "games" / key
    return Path(spec.origin).parent
