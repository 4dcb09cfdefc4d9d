"""Drawings kept on disk, each under the hash of what it was made from.

Any number of processes may share the folder: a file appears whole or not at all, and one that cannot be read
is made again. Losing the folder costs time, nothing else, so no failure to write stops anybody.
"""

from __future__ import annotations

import hashlib
import os
import tempfile
from collections.abc import Mapping
from pathlib import Path

_MAGIC = b"pbem-drawing-1\n"


def cache_folder(environment: Mapping[str, str] | None = None) -> Path:
    """Where drawings are kept: $PBEM_CACHE, else $XDG_CACHE_HOME/pbem, else ~/.cache/pbem."""
    settings = os.environ if environment is None else environment
    if chosen := settings.get("PBEM_CACHE"):
        return Path(chosen)
    home = settings.get("XDG_CACHE_HOME")
    return (Path(home) if home else Path(settings.get("HOME", tempfile.gettempdir())) / ".cache") / "pbem"


def key_of(*parts: str | bytes) -> str:
    """The name under which the drawing made from these parts is kept."""
    digest = hashlib.sha256()
    for part in parts:
        written = part.encode() if isinstance(part, str) else part
        digest.update(len(written).to_bytes(8, "big") + written)
    return digest.hexdigest()


def kept(folder: Path, key: str) -> bytes | None:
    """The drawing kept under `key`, None if there is none or if it is damaged."""
    try:
        stored = (folder / key).read_bytes()
    except OSError:
        return None
    head = len(_MAGIC) + 32
    if not stored.startswith(_MAGIC) or hashlib.sha256(stored[head:]).digest() != stored[len(_MAGIC) : head]:
        return None
    return stored[head:]


def keep(folder: Path, key: str, drawing: bytes) -> None:
    """Keep a drawing under `key`, if the disk lets us."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(dir=folder, prefix=".new-")
    except OSError:
        return
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(_MAGIC + hashlib.sha256(drawing).digest() + drawing)
        Path(name).replace(folder / key)
    except OSError:
        Path(name).unlink(missing_ok=True)
