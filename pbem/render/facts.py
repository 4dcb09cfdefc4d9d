"""A board as JSON, for programs: all that its pictures show, with nothing to be read off them."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import Any

from pbem.engine.board import Board
from pbem.render.ground import kinds_of
from pbem.render.pieces import as_seen


def board_facts(board: Board) -> dict[str, Any]:
    """Return a board as plain values: every hex with its ground and names, every counter with all its fields
    (of a hidden one only its back), arrows, battles, marks and borders."""
    kinds, map = kinds_of(board.map), board.map
    return {
        "title": board.title,
        "subtitle": board.subtitle,
        "hexes": [
            {"hex": hex_id, "ground": kinds[hex_id], "names": list(map.names(hex_id))}
            for hex_id in map.grid.ids
            if hex_id in map
        ],
        "counters": [asdict(as_seen(each)) for each in board.counters],
        "arrows": [asdict(each) for each in board.arrows],
        "battles": [asdict(each) for each in board.battles],
        "marks": [asdict(each) for each in board.marks],
        "borders": [asdict(each) for each in board.borders],
        "entries": list(board.entries),
        "focus": list(board.focus),
        "legend": dict(board.legend),
    }


def as_json(board: Board) -> str:
    """Return the facts of a board as a JSON document."""
    return json.dumps(board_facts(board), ensure_ascii=False, indent=1) + "\n"
