"""What the signs of a map mean: one list for the legend of a large map and for the words below the pictures
of a letter, which have no room for a legend. A game says itself what it means by a sign (`Board.signs`)."""

from __future__ import annotations

from collections.abc import Iterator

from pbem.engine.board import Board

MEANINGS = {
    "stack": "units in the hex", "hidden": "unknown", "entrenched": "entrenched", "inverted": "inverted",
    "unsupplied": "out of supply", "disrupted": "disrupted", "moved": "has moved", "dimmed": "has acted",
    "battle": "battle, as numbered in the log", "attack": "attack, from where", "entry": "open to your units",
    "lost": "units lost", "supply": "supply source", "objective": "objective", "control": "held by",
    "beach": "beach", "target": "target", "exit": "exit",
}  # fmt: skip
"""What a sign means where a game does not say otherwise: the flags of counters, the kinds of marks, and what
else occurs on a map."""

_LOOKS = {
    "stack": "number on black", "hidden": "?", "entrenched": "battlements below a counter",
    "inverted": "black corner", "unsupplied": "!", "disrupted": "D", "moved": "pale counter with »",
    "dimmed": "pale counter", "battle": "red star", "attack": "red dotted line", "entry": "purple disc",
    "lost": "red cross", "supply": "S", "objective": "star", "control": "flag", "beach": "blue number",
    "target": "purple cross-hairs", "exit": "black arrow", "retreat": "dashed arrow",
    "advance": "arrow with a pale core", "arrival": "arrow from a ring",
}  # fmt: skip
"""How a sign looks, in words."""

FLAGS = ("entrenched", "inverted", "unsupplied", "disrupted", "moved", "dimmed")


def meaning(board: Board, sign: str) -> str:
    """What a sign means on a board."""
    return board.signs.get(sign) or MEANINGS.get(sign, sign)


def in_words(board: Board) -> list[tuple[str, str]]:
    """The signs on a board: how each looks, and what it means."""
    told = [("figures", board.signs["figures"])] if "figures" in board.signs else []
    told += [(_LOOKS[sign], meaning(board, sign)) for sign in _occurring(board)]
    return [*told, *_lines(board)]


def _occurring(board: Board) -> Iterator[str]:
    counters = board.counters
    if len({counter.hex for counter in counters}) < len(counters):
        yield "stack"
    if any(counter.hidden for counter in counters):
        yield "hidden"
    yield from (flag for flag in FLAGS if any(getattr(each, flag) for each in counters))
    if board.battles:
        yield "battle"
    if any(battle.attackers for battle in board.battles):
        yield "attack"
    yield from dict.fromkeys(each.kind for each in board.arrows if each.kind not in ("move", "supply"))
    if board.entries:
        yield "entry"
    yield from dict.fromkeys(each.kind for each in board.marks)


def _lines(board: Board) -> Iterator[tuple[str, str]]:
    """The lines along hexsides and of supply: how they look, and what they are."""
    named: dict[str, list[str]] = {}
    for each in board.borders:
        look = "toothed line" if each.kind == "front" else "dashed line"
        told = named.setdefault(look, [])
        if (name := border_name(board, each.colours, each.kind, each.name)) not in told:
            told.append(name)
    yield from ((look, " or ".join(names)) for look, names in named.items())
    if any(each.kind == "supply" for each in board.arrows):
        yield "line from a ring", "supply line"


def border_name(board: Board, colours: str, kind: str, name: str = "") -> str:
    """What a line along hexsides is called: by its own name, else after its side and kind."""
    side = board.legend.get(colours, colours.capitalize())
    return name or f"{side} {'front line' if kind == 'front' else 'boundary'}".strip()
