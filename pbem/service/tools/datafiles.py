"""The data files of a game: written out for a group that owns the printed game, and read back to see whether
they can be played with."""

from __future__ import annotations

import subprocess
import sys
from importlib import import_module
from pathlib import Path

from pbem.engine.data import use_own
from pbem.engine.errors import DataError
from pbem.engine.installed import games, home, playable
from pbem.engine.wording import unknown


def export(key: str, folder: Path) -> list[Path]:
    """Write the data files of a game into `folder` and return their paths. Raises KeyError for an unknown
    game, DataError rather than overwrite a file that reads otherwise."""
    source = _home(key) / "data"
    if not source.is_dir():
        raise DataError(f"{key} has no data files")
    contents = {
        folder / item.name: item.read_bytes() for item in source.iterdir() if item.name.endswith(".toml")
    }
    for path, content in contents.items():
        if path.exists() and path.read_bytes() != content:
            raise DataError(
                f"{path} is there already and reads otherwise: it was left alone, and nothing was written"
            )
    folder.mkdir(parents=True, exist_ok=True)
    for path, content in sorted(contents.items()):
        path.write_bytes(content)
    return sorted(contents)


def check(key: str, folder: Path) -> list[str]:
    """What is wrong with the data files in `folder`: the game is loaded with them, in a process of its own,
    as its data is read once only. Empty if nothing is. Raises KeyError for an unknown game, DataError for a
    folder without data files of this game."""
    source = _home(key) / "data"
    known = {item.name for item in source.iterdir()} if source.is_dir() else set()
    names = sorted(path.name for path in folder.glob("*.toml")) if folder.is_dir() else []
    if not set(names) & known:
        raise DataError(f"{folder} holds none of the data files of {key}: {', '.join(sorted(known))}")
    wrong = [f"{folder / name}: {key} has no data file of this name" for name in names if name not in known]
    command = [
        sys.executable,
        "-c",
        (
            f"from {__name__} import load_with; load_with({key!r}, {playable()[key].partition(':')[0]!r}, "
            f"{str(folder)!r})"
        ),
    ]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        wrong += done.stderr.rstrip().splitlines()
    return wrong


def load_with(key: str, module: str, folder: str) -> None:
    """Load a game with the data files in `folder` in place of its own; ends the process with what is wrong on
    standard error."""
    use_own(key, Path(folder))
    try:
        import_module(module)
    except DataError as error:
        print(error, file=sys.stderr)
        raise SystemExit(1) from None
    except Exception as error:
        print(f"{folder}: the game cannot be loaded with these files: {error!r}", file=sys.stderr)
        raise SystemExit(1) from None


def _home(key: str) -> Path:
    """The folder of the package that a game is found in."""
    if key not in playable():
        raise KeyError(unknown("there is no game", key, games()))
    return home(key)
