"""Builders for the tests of this game: states written as a line of text, and games by mail
that begin at such a state."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import correspondence
from postbox import SETTINGS, START, Postbox

from pbem.engine.desk import Desk
from pbem.engine.language import Order
from pbem.games.rampage import control
from pbem.games.rampage.state import State
from pbem.games.rampage.tables import UNITS
from pbem.service.moderating.start import NewGame, Player, start
from pbem.service.record.store import Store

PLAYERS = {
    "allied": Player("Anna", "anna@x.example", "Europe/Paris"),
    "us": Player("Anna", "anna@x.example", "Europe/Paris"),
    "british": Player("Bert", "bert@y.example", "Europe/Berlin"),
}
TWO = {"command": "two", "airborne": "both"}


def game(
    text: str = "",
    *,
    turn: int = 2,
    allied: str = "",
    german: str | None = None,
    pool: str | None = None,
    **fields: Any,
) -> State:
    """A state with every counter off the map but those in `text`: ``3A 1501, 1Inf 1501 reduced, 1SS 1904``.

    `allied` are hexes that have turned Allied since the start, `german` all that the Germans hold (instead),
    `pool` the units of the force pool (without it those of the start; the rest are then gone). The
    Argentan-Falaise Pocket has escaped unless `afp` says otherwise. `fields` are further fields of the state.
    """
    fields.setdefault("afp", "escaped")
    state = State(scenario="campaign", turn=turn, **fields)
    state.units = {counter.id: counter.unit() for counter in UNITS.allied}
    state.germans = {counter.id: counter.unit() for counter in UNITS.german}
    lost = allied.split()
    state.german = german.split() if german is not None else [h for h in control.at_start() if h not in lost]
    settle(state, pool)
    for part in text.split(","):
        if part.strip():
            put(state, *part.split())
    return state


def settle(state: State, pool: str | None) -> None:
    """Lay out the Germans: the force pool, and the pocket's units where they are by now."""
    named = pool.split() if pool is not None else None
    assert named is None or not set(named) - set(state.germans), pool
    for unit in state.germans.values():
        if unit.place == "afp" and state.afp != "standing":
            unit.place, unit.hex = "pool", None
        if named is not None and unit.place != "afp":
            unit.place = "pool" if unit.id in named else "gone"


def put(state: State, id: str, hex: str, *words: str) -> None:
    """Put a unit of either side into a hex; `reduced`, `replenishing`."""
    assert set(words) <= {"reduced", "replenishing"}, words
    if id in state.germans:
        state.germans[id].place, state.germans[id].hex = "map", hex
        return
    unit = state.units[id]
    unit.place, unit.hex = "map", hex
    unit.steps = 1 if {"reduced", "replenishing"} & set(words) else 2
    unit.replenishing = "replenishing" in words


def at(state: State, id: str) -> str | None:
    """Where a unit of either side is."""
    return (state.units.get(id) or state.germans[id]).hex


def previewed(desk: Desk[Order], order: Order) -> tuple[str, ...]:
    """What a desk tells beforehand of an order that it takes."""
    desk.check(order)
    return tuple(desk.preview(desk.settle(order)))


# --- games by mail ----------------------------------------------------------------------------------------


def by_mail(
    folder: Path,
    *letters: str,
    state: State | None = None,
    seat: str = "allied",
    seed: str = "11",
    id: str = "rush",
    **options: str,
) -> Postbox:
    """A game by mail after these letters of one seat, each of which was read. It begins at `state`,
    or where both army groups stand by default and the operations of turn 1 are asked for."""
    box = Postbox(Store.create(folder / f"{id}.pbem"), id)
    seats = ("us", "british") if options.get("command") == "two" else ("allied",)
    players = {key: PLAYERS[key] for key in seats}
    if state is None:
        start(box.store, NewGame("rampage", id, None, options, players, SETTINGS, seed), START)
        for key in seats:
            assert box.mail(key, "[set-up]\ndefault\ndone\n").outcome == "accepted"
    else:
        state.options = options
        silent = {key: Player(player.name) for key, player in players.items()}
        start(box.store, NewGame("rampage", id, None, options, silent, SETTINGS, seed), START)
        correspondence.put(box.store, id, state, players)
    for letter in letters:
        assert box.mail(seat, letter).outcome in ("accepted", "explained"), letter
    return box


def kept(box: Postbox, seat: str = "allied") -> dict[str, str]:
    """The lines on the sheet of a seat under their names, in the order of play."""
    return {f"L{line['name']}": line["text"] for line in box.seat(seat).sheet["lines"]}


def told(box: Postbox, seat: str, letter: str) -> str:
    """What a seat is written because of a letter of its own."""
    last = box.last()
    box.mail(seat, letter)
    return "\n".join(box.texts(box.address(seat), last))
