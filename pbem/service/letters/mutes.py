"""Who reads no press of whom: a player by his own wish (MUTE), and in the whole game by the moderator's. Both
are kept with a seat and hold for people, by their addresses: whoever takes a seat over begins without."""

from __future__ import annotations

from pbem.service.record.rows import SeatRow
from pbem.service.record.table import Table

MUTED = "muted"
"""Where the settings of a seat have the pairs of reader and writer."""

SILENCED = "silenced"
"""Where the settings of a seat have the addresses of those whose press the moderator has stopped."""


def is_muted(reader: SeatRow, writer: SeatRow) -> bool:
    """Whether a player wants no press of another's."""
    return [reader.address, writer.address] in reader.settings.get(MUTED, ())


def mute(table: Table, reader: SeatRow, writer: SeatRow, *, on: bool) -> None:
    """Let a player get no more press of another's, or get it again."""
    pair = [reader.address, writer.address]
    others = [each for each in reader.settings.get(MUTED, ()) if each != pair]
    _keep(table, reader, MUTED, [*others, *([pair] if on else [])])


def is_silenced(seat: SeatRow) -> bool:
    """Whether the moderator has stopped the press of a player."""
    return seat.address in seat.settings.get(SILENCED, ())


def silence(table: Table, seat: SeatRow, *, on: bool) -> None:
    """Stop the press of a player in the game, or let it go on."""
    others = [each for each in seat.settings.get(SILENCED, ()) if each != seat.address]
    _keep(table, seat, SILENCED, [*others, *([seat.address] if on else [])])


def moved(table: Table, old: str, new: str) -> None:
    """Somebody has another address from now on: what held for the old one holds for it."""
    for seat in table.seats.values():
        pairs = [[new if each == old else each for each in pair] for pair in seat.settings.get(MUTED, ())]
        silenced = [new if each == old else each for each in seat.settings.get(SILENCED, ())]
        if pairs != seat.settings.get(MUTED, []):
            _keep(table, seat, MUTED, pairs)
        if silenced != seat.settings.get(SILENCED, []):
            _keep(table, seat, SILENCED, silenced)


def _keep(table: Table, seat: SeatRow, name: str, values: list[list[str]] | list[str]) -> None:
    seat.settings = seat.settings | {name: values}
    table.record.keep(seat)
