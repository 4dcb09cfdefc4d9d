"""Builders for the tests of this game: states written as a line of text, and a phase played
with scripted orders and dice."""

from __future__ import annotations

from typing import Any

from pbem.engine.desk import Desk
from pbem.engine.language import Order
from pbem.engine.play import Request
from pbem.games.falaise import activation
from pbem.games.falaise.state import State, Unit
from pbem.games.falaise.tables import UNITS

PLACES = ("later", "unknown", "dead", "exited", "removed")


def game(text: str = "", *, turn: int = 3, **fields: Any) -> State:
    """A state with every counter off the map ("later") but those in `text`:
    ``25/12SS 1720, 357/90 3109 reduced disrupted``.

    Instead of a hex a place may stand (unknown, dead, exited, removed). Words: reduced, disrupted, finished,
    and ``to=47Pz`` for a unit attached to that command. The 80th Division is rated 2 and turn 3 is by day,
    unless `fields` say otherwise; they are fields of the state.
    """
    fields.setdefault("rating_80", 2)
    state = State(scenario="campaign", turn=turn, **fields)
    state.units = {counter.id: Unit(counter.id, steps=counter.steps) for counter in UNITS.values()}
    for part in text.split(","):
        if part.strip():
            put(state, *part.split())
    return state


def put(state: State, id: str, where: str, *words: str) -> Unit:
    """Put a unit into a hex, or into one of the places off the map."""
    unit = state.units[id]
    if where in PLACES:
        unit.place, unit.hex = where, None  # type: ignore[assignment]
    else:
        unit.place, unit.hex = "map", where
    for word in words:
        if word.startswith("to="):
            unit.attached = word.removeprefix("to=")
        elif word == "reduced":
            assert unit.counter.steps == 2, f"{id} has one step"
            unit.steps = 1
        elif word == "disrupted":
            unit.disrupted = True
        else:
            assert word == "finished", word
            unit.finished = True
    return unit


def at(state: State, id: str) -> str | None:
    """Where a unit is; None off the map."""
    return state.units[id].hex


def rehearsal(state: State, seat: str, command: str) -> list[Desk[Order]]:
    """What a seat would be asked to order in the round of a command that were drawn now: its attachments, if
    it can make any, then the round itself. The state is as it is for the last of them."""
    played = activation.ahead(state, seat, command)
    assert played is not None
    found = [_orders(played.send(None))]
    while found[-1].first:
        found.append(_orders(played.send(None)))
    return found


def _orders(request: Request) -> Desk[Order]:
    assert isinstance(request, Desk)
    return request
