"""Builders for the tests of this game: states written as a line of text, and a phase played
with scripted orders and dice."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from pbem.games.normandy71.state import State, Unit
from pbem.games.normandy71.tables import UNITS

TYPES = {
    "infantry",
    "paratroop",
    "glider",
    "commando",
    "armour",
    "motorised",
    "bicycle",
    "reconnaissance",
    "flak",
}
FLAGS = {"inverted", "unsupplied"}


def unit(text: str) -> Unit:
    """A unit written as ``8/4 allied 7-4 5030``: id, side, kind, and then in any order a hex,
    a type where the kind leaves a choice, a size, `inverted`, `unsupplied` (never yet in supply), `later`,
    `box:3_Utah`, `turn:2`, `edge:south`, `entry:commando`."""
    id, side, kind, *rest = text.split()
    assert side in ("allied", "german"), text
    words = dict(word.split(":", 1) for word in rest if ":" in word)
    plain = [word for word in rest if ":" not in word]
    type = next((word for word in plain if word in TYPES), "")
    type = {"motorised": "motorised infantry", "bicycle": "bicycle infantry"}.get(type, type)
    size = next((word for word in plain if word in ("regiment", "battalion")), None)
    hex = next((word for word in plain if word.isdigit()), None)
    made = UNITS.get(side, kind, type, size).unit(id)  # type: ignore[arg-type]
    made.place, made.hex = ("map", hex) if hex else ("later", None)
    if "box" in words:
        made.place, made.beach = "box", words["box"].replace("_", " ")
    made.inverted, made.never_supplied = "inverted" in plain, "unsupplied" in plain
    made.arrives = int(words.get("turn", 0))
    made.edges = tuple(words["edge"].split("/")) if "edge" in words else ()
    made.entry = words.get("entry", "").replace("_", " ")
    known = {*TYPES, *FLAGS, "regiment", "battalion", "later", hex}
    assert not set(plain) - known, f"{text}: {set(plain) - known}"
    return made


def units(text: str) -> dict[str, Unit]:
    """Units by id, written one after another with commas between them."""
    made = [unit(part) for part in text.split(",") if part.strip()]
    assert len({each.id for each in made}) == len(made), "two units of one name"
    return {each.id: each for each in made}


def game(
    text: str = "", *, turn: int = 2, supply: Iterable[str] = (), trenches: str = "", **fields: Any
) -> State:
    """A state with these units. `supply` are the Allied supply areas, `trenches` entrenchments
    as ``4817 german 5030 allied``; `fields` are further fields of the state."""
    state = State(scenario="campaign", turn=turn, units=units(text), **fields)
    state.plan.supply = list(supply)
    words = trenches.split()
    state.entrenchments = dict(zip(words[::2], words[1::2], strict=True))  # type: ignore[arg-type]
    return state


def at(state: State, id: str) -> str | None:
    """Where a unit stands."""
    return state.units[id].hex
