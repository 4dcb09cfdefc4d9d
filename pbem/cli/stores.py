"""Which store a command works on."""

from __future__ import annotations

import os

import click


def target(given: str | None, default: str = "") -> str:
    """Return the store to work on: as given, else from the environment, the settings, or the default."""
    store = given or os.environ.get("PBEM_STORE", "")
    if not store:
        from pbem.config import settings

        store = settings().store or default
    if not store:
        raise click.UsageError("no game file: give FILE or --store, or set PBEM_STORE")
    return store
