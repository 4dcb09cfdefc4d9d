"""Where the files lie that are not code: beside the modules in an installed wheel, at the top of the tree in a working copy."""

from __future__ import annotations

from pathlib import Path

from pbem.engine.errors import DataError

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


def _folder(name: str) -> Path:
    for folder in (_PACKAGE / f"_{name}", _PACKAGE.parent / name):
        if folder.is_dir():
            return folder
    raise DataError(f"the folder {name!r} is missing from this installation of pbem ({_PACKAGE})")
