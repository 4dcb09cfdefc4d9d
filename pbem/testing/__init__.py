"""Tests for games, of pbem and of anyone: what must hold of every game, and cases of rulebooks as files.

`Conformance` is a class of tests for pytest to derive from; nothing here needs pytest to be installed.
`findings(Suite(GAME))` runs the same checks without it.
"""

from __future__ import annotations

from pbem.testing.casefile import CaseFile, faults_of_case
from pbem.testing.checks import Suite, findings
from pbem.testing.conformance import Conformance
from pbem.testing.secrecy import Watch

__all__ = ["CaseFile", "Conformance", "Suite", "Watch", "faults_of_case", "findings"]
