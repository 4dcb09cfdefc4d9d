"""Which store a command works on."""

from __future__ import annotations

import os

import click


def target(given: str | None, default: str = "") -> str:
    """Return the store to work on: as given, else from the environment, the settings, or the default."""
    found = given or os.environ.get("PBEM_STORE", "")
    if not found:
        from pbem.config import settings

        found = settings().store or default
    if not found:
        raise click.UsageError("no game file: give FILE or --store, or set PBEM_STORE")
    return found
