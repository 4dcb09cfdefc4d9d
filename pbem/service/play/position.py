"""Values of a position changed by hand: what a moderator writes, checked and put into a snapshot."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

from pydantic import ValidationError

from pbem.engine.errors import OrderError
from pbem.engine.game import Game
from pbem.engine.wording import unknown


def written(changes: Iterable[str]) -> dict[str, str]:
    """Return changes as they are written, ``units.1A.hex=2126``, as paths and the text of their values.

    Raises ValueError for one that is not written like this.
    """
    values: dict[str, str] = {}
    for change in changes:
        path, sign, value = change.partition("=")
        if not path.strip() or not sign:
            raise ValueError(f'"{change}" is not a change: write PATH=VALUE, such as units.1A.hex=2126')
        values[path.strip()] = value.strip()
    return values


def changed(game: Game[Any], snapshot: bytes, changes: Mapping[str, str]) -> bytes:
    """Return the snapshot with these values, by path (``units.1A.hex``) in the state as plain values; `null`
    for nothing.

    Raises ValueError for a path that is not there, a value that cannot stand there, and for a state that
    breaks a rule (`Game.invariants`).
    """
    plain = json.loads(game.dump(game.load(snapshot)))
    for path, value in changes.items():
        _put(plain, path, value)
    try:
        state = game.load(json.dumps(plain).encode())
    except (ValidationError, ValueError, OrderError) as error:
        raise ValueError(f"the position cannot be so: {_reason(error)}") from error
    after = game.dump(state)
    now = json.loads(after)
    for path in changes:
        if (kept := _at(now, path.split("."))) != (meant := _at(plain, path.split("."))):
            raise ValueError(f"{path} cannot be {meant!r}: it would be {kept!r}")
    before = set(game.invariants(game.load(snapshot)))
    if faults := [fault for fault in game.invariants(state) if fault not in before]:
        raise ValueError(f"the position would break the rules: {'; '.join(faults)}")
    return after


def _put(plain: Any, path: str, value: str) -> None:
    """Change one value in place."""
    *way, last = path.split(".")
    inner = _at(plain, way)
    if isinstance(inner, list) and last.isdecimal() and int(last) < len(inner):
        inner[int(last)] = _like(inner[int(last)], value)
    elif isinstance(inner, dict) and last in inner:
        inner[last] = _like(inner[last], value)
    elif isinstance(inner, dict) and inner and all(isinstance(each, str | int) for each in inner.values()):
        inner[last] = _like(next(iter(inner.values())), value)
    else:
        raise ValueError(unknown(f"{'.'.join(way) or 'the state'} has no", last, _names(inner)))


def _like(old: Any, text: str) -> Any:
    """A written value: text where text stood, because hexes look like numbers (0203); else JSON, or text."""
    if isinstance(old, str) and text != "null":
        return text
    try:
        return None if text == "null" else text if text.startswith("0") and text != "0" else json.loads(text)
    except ValueError:
        return text


def _at(plain: Any, way: Iterable[str]) -> Any:
    """The value at the end of a way. Raises ValueError where it leads nowhere."""
    gone: list[str] = []
    for name in way:
        if isinstance(plain, dict) and name in plain:
            plain = plain[name]
        elif isinstance(plain, list) and name.isdecimal() and int(name) < len(plain):
            plain = plain[int(name)]
        else:
            raise ValueError(unknown(f"{'.'.join(gone) or 'the state'} has no", name, _names(plain)))
        gone.append(name)
    return plain


def _names(plain: Any) -> list[str]:
    if isinstance(plain, dict):
        return list(plain)
    return [str(place) for place in range(len(plain))] if isinstance(plain, list) else []


def _reason(error: Exception) -> str:
    if isinstance(error, ValidationError):
        first = error.errors(include_url=False, include_input=False)[0]
        return f"{'.'.join(map(str, first['loc']))}: {first['msg']}"
    return str(error)
