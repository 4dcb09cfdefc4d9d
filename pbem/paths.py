"""Where the files are that are not code, and how files are made that nobody else may read.

Templates, migrations and examples are beside the modules in an installed wheel, and at the top of the
tree in a working copy.
"""

from __future__ import annotations

import os
from pathlib import Path

from pbem.engine.errors import DataError

PRIVATE_FOLDER = 0o700
"""The mode of a folder for its owner alone."""

_PACKAGE = Path(__file__).resolve().parent


def templates() -> Path:
    """The folder of the letter, map and replay templates. Raises DataError when it is missing."""
    return _folder("templates")


def migrations() -> Path:
    """The folder of the database migrations. Raises DataError when it is missing."""
    return _folder("migrations")


def examples() -> Path:
    """The folder of the example games. Raises DataError when it is missing."""
    return _folder("examples")


def private(path: str | Path, flags: int) -> int:
    """Open a file as `os.open` does; a new one is for its owner alone. An `opener` for `open`."""
    return os.open(path, flags, 0o600)


def settle(folder: Path) -> None:
    """Let the names in a folder get to the disk, so that a rename lasts. Windows cannot open a folder, and
    needs no such thing."""
    if os.name != "posix":
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _folder(name: str) -> Path:
    for folder in (_PACKAGE / f"_{name}", _PACKAGE.parent / name):
        if folder.is_dir():
            return folder
    raise DataError(f"the folder {name!r} is missing from this installation of pbem ({_PACKAGE})")
