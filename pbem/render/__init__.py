"""Pictures and text of a board: vector map, PNG, and maps for terminals and text mails."""

from __future__ import annotations

from pbem.render.cache import cache_folder
from pbem.render.closeup import whereabouts
from pbem.render.facts import as_json, board_facts
from pbem.render.frame import Area, around, busiest, parts, shown_in
from pbem.render.layout import Scene, layout
from pbem.render.picture import moving, png, scene_png, scene_svg, svg, weight
from pbem.render.signs import in_words
from pbem.render.terminal import folded, half_block, read_text, text
from pbem.render.whole import whole_svg

__all__ = [
    "Area",
    "Scene",
    "around",
    "as_json",
    "board_facts",
    "busiest",
    "cache_folder",
    "folded",
    "half_block",
    "in_words",
    "layout",
    "moving",
    "parts",
    "png",
    "read_text",
    "scene_png",
    "scene_svg",
    "shown_in",
    "svg",
    "text",
    "weight",
    "whereabouts",
    "whole_svg",
]
