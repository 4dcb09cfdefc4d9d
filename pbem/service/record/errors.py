"""What goes wrong with a store."""

from __future__ import annotations


class StoreError(RuntimeError):
    """The store cannot be used as it is: no such file, not ours, wrong version, out of reach. The text says
    what to do."""


class WrongVersion(StoreError):
    """The store is of another version than this pbem."""
