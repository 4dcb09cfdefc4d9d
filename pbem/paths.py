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


def user_name(user: int) -> str:
    """The name of a user of this machine, or its number if it has none, as in a container."""
    import pwd

    try:
        return pwd.getpwuid(user).pw_name
    except KeyError:
        return str(user)


def denied(path: str | Path) -> str:
    """Why the user of this process may not use a file or folder, and what to do: about itself, or the folder
    around it that keeps him out. "" where nothing can be said."""
    if os.name != "posix":
        return ""
    whole = Path(path).absolute()
    for place in (whole, *whole.parents):
        try:
            owner = user_name(place.stat().st_uid)
        except OSError:
            continue  # it is not there, or the folder above is closed
        if os.access(place, _rights(place)):
            continue
        me = user_name(os.geteuid())
        why = f"{place} belongs to {owner}, and this is {me}" if owner != me else f"{me} may not use {place}"
        return f"{why}: {how_to_open(place)}"
    return ""


def how_to_open(place: Path) -> str:
    """What lets the user of this process use a file or folder that is there."""
    owner, me = user_name(place.stat().st_uid), user_name(os.geteuid())
    if owner == me:
        return f"chmod u+rw{'x' * place.is_dir()} {place}"
    again = "" if owner == "root" else f"run it as {owner}, or "
    return f"{again}chown {me} {place}"


def _rights(place: Path) -> int:
    return os.R_OK | os.W_OK | (os.X_OK if place.is_dir() else 0)


def _folder(name: str) -> Path:
    for folder in (_PACKAGE / f"_{name}", _PACKAGE.parent / name):
        if folder.is_dir():
            return folder
    raise DataError(f"the folder {name!r} is missing from this installation of pbem ({_PACKAGE})")
