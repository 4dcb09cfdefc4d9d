"""A game as one HTML page that opens from disk: what it holds (`story`), its map and counters (`drawn`), and
the page itself (`page`)."""

from __future__ import annotations

from pbem.render.replay.page import html, proof_in, with_proof
from pbem.render.replay.story import (
    LETTER,
    Chapter,
    Die,
    NothingSince,
    Order,
    Player,
    Position,
    Step,
    Story,
    Track,
    boards,
    changed_since,
    part,
)

__all__ = [
    "LETTER",
    "Chapter",
    "Die",
    "NothingSince",
    "Order",
    "Player",
    "Position",
    "Step",
    "Story",
    "Track",
    "boards",
    "changed_since",
    "html",
    "part",
    "proof_in",
    "with_proof",
]
