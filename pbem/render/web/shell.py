"""The parts of a page around what it tells: the policy, script and style, and the map with its counters as
the script reads them."""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Iterable
from dataclasses import replace
from functools import cache
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from pbem import paths
from pbem.engine.board import Arrow, Board, Border, Counter, Mark
from pbem.render.ground import kinds_of
from pbem.render.palette import FACES
from pbem.render.pieces import as_seen
from pbem.render.web import drawn

ARROWS = ("move", "retreat", "advance", "arrival", "supply")
FLAGS = ("unsupplied", "disrupted", "moved", "dimmed")
"""What a counter shows besides its face, each worth a bit."""

BOOT = "document.documentElement.className='js'"
"""Tells the style that scripts run, before anything is drawn."""


@cache
def environment(folder: str) -> Environment:
    """The templates of a kind of page."""
    return Environment(
        loader=FileSystemLoader(paths.templates() / folder),
        undefined=StrictUndefined,
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
    )


@cache
def file(name: str) -> str:
    """A file among the templates: ``replay/replay.css``."""
    return (paths.templates() / name).read_text(encoding="utf-8")


@cache
def script_of(name: str) -> str:
    """The script of a page, below the one that all pages with a map share."""
    return f'(() => {{\n"use strict";\n{file("web/map.js")}\n{file(name)}}})();'


def policy(*scripts: str, form: str = "'none'") -> str:
    """The content security policy of a page: these scripts run, and nothing is asked for from outside. `form`
    is where forms may lead."""
    hashes = " ".join(map(_hash, scripts))
    return (
        "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; "
        f"form-action {form}; script-src {hashes}"
    )


def _hash(script: str) -> str:
    """What a browser must find in a script before it runs it."""
    return f"'sha256-{base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()}'"


def as_json(data: Any) -> Markup:
    """Data as it may stand within a script element."""
    return Markup(json.dumps(data, separators=(",", ":"), ensure_ascii=False).replace("<", "\\u003c"))


DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"


def two_digits(number: int) -> str:
    """A number below 4,096 in two signs."""
    return DIGITS[number >> 6] + DIGITS[number & 63]


def packed(numbers: Iterable[int]) -> str:
    """Numbers below 4,096, each in two signs: what `unpacked` of map.js reads."""
    return "".join(map(two_digits, numbers))


class OnPage:
    """A map on a page: its ground and the faces of all counters that are shown on it, each drawn once."""

    def __init__(self, board: Board) -> None:
        self.board = board
        self.map = board.map
        self.hexes = {hex: at for at, hex in enumerate(self.map.grid.ids)}
        self.looks: dict[Counter, int] = {}

    def drawing(self) -> dict[str, Any]:
        """What the template of a page puts into its map, when all counters are known (`shown`)."""
        defs, ground = drawn.ground(self.map)
        defs += drawn.counters(self.looks)
        width, height = drawn.extent(self.map)
        return {
            "defs": Markup(defs),
            "ground": Markup(ground),
            "names": Markup(drawn.names(self.map)),
            "width": width,
            "height": height,
        }

    def style(self, name: str, sides: Iterable[str]) -> Markup:
        """The style of a page: what all pages with a map share, its own file, the colours of map and
        counters, and of these sides."""
        keys = sorted({*sides, "neutral"})
        return Markup(
            file("web/map.css")
            + file(name)
            + f":root{{{drawn.light()}}}:root[data-theme=dark]{{{drawn.dark()}}}"
            + f"@media(prefers-color-scheme:dark){{:root:not([data-theme=light]){{{drawn.dark()}}}}}"
            + drawn.faces(look.colours for look in self.looks)
            + "".join(f".s-{key}{{--side:var(--s-{key if key in FACES else 'neutral'})}}" for key in keys)
        )

    def data(self) -> dict[str, Any]:
        """The map for the script, when all counters are known."""
        map = self.map
        ids = map.grid.ids
        kinds = kinds_of(map)
        places = [drawn.center(map, hex) for hex in ids]
        terrain = [map.terrain(hex) if kinds[hex] != "outside" else "" for hex in ids]
        words = sorted(set(terrain))
        return {
            "radius": drawn.SIZE,
            "flat": map.grid.kind == "flat",
            "hexes": " ".join(ids),
            "x": packed(round(x) for x, _ in places),
            "y": packed(round(y) for _, y in places),
            "words": words,
            "ground": packed(words.index(each) for each in terrain),
            "legend": self.board.legend,
            "looks": [self._face(look) for look in self.looks],
        }

    # --- things on the map, as the script reads them ---

    def shown(self, counter: Counter) -> int:
        """A counter as a number: its face and what it shows besides."""
        bits = sum(1 << place for place, flag in enumerate(FLAGS) if getattr(counter, flag))
        return self.look(counter) << len(FLAGS) | bits

    def look(self, counter: Counter) -> int:
        """The number of the face of a counter."""
        plain = replace(
            as_seen(counter), hex="", unsupplied=False, disrupted=False, moved=False, dimmed=False
        )
        return self.looks.setdefault(plain, len(self.looks))

    def _face(self, look: Counter) -> list[Any]:
        told = [flag for flag in ("hidden", "entrenched", "inverted") if getattr(look, flag)]
        symbol = "" if look.symbol == "none" else look.symbol
        return [look.name, look.colours, look.figures, " ".join(filter(None, (symbol, look.size))), *told]

    def arrow(self, arrow: Arrow) -> list[Any]:
        path = [self.hexes[hex] for hex in arrow.path if hex in self.hexes]
        return [ARROWS.index(arrow.kind), arrow.colours, *path]

    def mark(self, mark: Mark) -> list[Any]:
        return [self.hexes.get(mark.hex, -1), mark.kind, mark.text, mark.colours]

    def border(self, border: Border) -> list[Any]:
        a, b = border.hexes
        return [self.hexes[a], self.hexes[b], border.colours, border.kind]
