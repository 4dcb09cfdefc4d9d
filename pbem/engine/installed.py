"""Which games are installed, and where their files lie. None is loaded: that is left to `game.game`."""

from __future__ import annotations

from functools import cache
from importlib.metadata import entry_points
from importlib.util import find_spec
from pathlib import Path

GROUP = "pbem.games"
"""The entry point group under which a package names its games."""


@cache
def games() -> dict[str, str]:
    """The installed games: key -> where it is found, such as ``pbem.games.rampage:GAME``."""
    return {entry.name: entry.value for entry in sorted(entry_points(group=GROUP))}


@cache
def home(key: str) -> Path:
    """The folder of a game's package, which holds its ``data`` and ``templates``; for a game that is not installed the one in pbem. It need
    not exist."""
    module = games().get(key, f"{GROUP}.{key}").partition(":")[0]
    spec = find_spec(module)
    if spec is None or spec.origin is None:
        return Path(__file__).parents[1] / "games" / key
    return Path(spec.origin).parent
