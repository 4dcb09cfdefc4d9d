"""Tests for games, of pbem and of anyone: what must hold of every game, and cases of rulebooks as files.

`Conformance` is a class of tests for pytest to derive from; nothing here needs pytest to be installed.
`findings(Suite(GAME))` runs the same checks without it.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pbem.testing.casefile import CaseFile, faults_of_case
    from pbem.testing.checks import Suite, findings
    from pbem.testing.conformance import Conformance
    from pbem.testing.secrecy import Watch

__all__ = ["CaseFile", "Conformance", "Suite", "Watch", "faults_of_case", "findings"]

_ROOMS = {
    "CaseFile": "casefile", "faults_of_case": "casefile", "Suite": "checks", "findings": "checks",
    "Conformance": "conformance", "Watch": "secrecy",
}  # fmt: skip


def __getattr__(name: str) -> Any:
    """Load what is asked for and no more: a process that only plays a game (fingerprint.py) is spared the
    whole service."""
    if name not in _ROOMS:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_ROOMS[name]}"), name)
