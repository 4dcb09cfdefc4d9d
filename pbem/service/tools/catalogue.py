"""Use case: which games are installed, and what each offers. No store is opened, so none of its modules is
loaded."""

from __future__ import annotations

from dataclasses import dataclass, field

from pbem.engine.errors import DataError
from pbem.engine.game import game, games


@dataclass(frozen=True, slots=True)
class Installed:
    """A game that can be played; one that cannot be loaded has a `fault` and nothing else."""

    key: str
    title: str = ""
    seats: tuple[str, ...] = ()
    scenarios: dict[str, str] = field(default_factory=dict)
    options: dict[str, tuple[str, ...]] = field(default_factory=dict)
    fault: str = ""


def installed() -> list[Installed]:
    """Return the installed games in the order of their keys."""
    return [_installed(key) for key in games()]


def _installed(key: str) -> Installed:
    try:
        rules = game(key)
    except DataError as error:
        return Installed(key, fault=str(error))
    return Installed(
        rules.key,
        rules.title,
        tuple(seat.key for seat in rules.seats),
        {key: scenario.title for key, scenario in rules.scenarios.items()},
        {option.key: option.choices for option in rules.options},
    )
