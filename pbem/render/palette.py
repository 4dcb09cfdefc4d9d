"""Colours: what the paper, the lines and the counters of each side look like, by day and in the dark.

The sides differ in lightness as well as in hue, and dark sides carry a stripe, so that nobody needs colour
vision to tell them apart.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Literal

PaletteName = Literal["paper", "dark"]
RGB = tuple[int, int, int]


@dataclass(frozen=True, slots=True)
class Face:
    """The colours of one side's counters and arrows. `stripe` runs down the left edge of the counter."""

    face: str
    ink: str
    frame: str
    arrow: str
    stripe: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class Palette:
    """Everything that has a colour. `terrain` maps a kind of ground (see `ground.GROUND`) to its fill
    and pattern."""

    name: PaletteName
    paper: str
    ink: str
    faint: str
    bar: str
    bar_ink: str
    bar_faint: str
    grid: str
    coast: str
    river: str
    major: str
    flooded: str
    road: str
    casing: str
    bridge: str
    special: str
    burst: str
    warning: str
    halo: str
    terrain: tuple[tuple[str, str, str], ...]

    def ground(self, kind: str) -> tuple[str, str]:
        """(fill, pattern) of a kind of ground."""
        return next((fill, pattern) for name, fill, pattern in self.terrain if name == kind)


FACES: dict[str, Face] = {
    "allied": Face("#ded39b", "#1d211c", "#fdfbf0", "#17468f"),
    "us": Face("#c3cf94", "#1d211c", "#fdfbf0", "#17468f"),
    "uk": Face("#e3c290", "#1d211c", "#fdfbf0", "#0f6b78"),
    "british": Face("#e3c290", "#1d211c", "#fdfbf0", "#0f6b78"),
    "canadian": Face("#e8b9a0", "#1d211c", "#fdfbf0", "#0f6b78"),
    "polish": Face("#ecc6cf", "#1d211c", "#fdfbf0", "#0f6b78"),
    "french": Face("#bcd0e8", "#1d211c", "#fdfbf0", "#17468f"),
    "german": Face("#5f6b76", "#f6f4ea", "#d5dade", "#23262b", stripe=True),
    "army": Face("#5f6b76", "#f6f4ea", "#d5dade", "#23262b", stripe=True),
    "ss": Face("#2b2d31", "#f6f4ea", "#c9ccd0", "#23262b", stripe=True),
    "luftwaffe": Face("#44688c", "#f6f4ea", "#d3dfea", "#23262b", stripe=True),
    "red": Face("#e3a69b", "#1d211c", "#fdfbf0", "#23262b"),
    "blue": Face("#3d5a86", "#f6f4ea", "#d3dfea", "#17468f", stripe=True),
    "neutral": Face("#d8d3c8", "#2d2a26", "#fbf8f0", "#4b4640"),
}

NATIONS = {
    "us": "US", "uk": "UK", "british": "UK", "canadian": "CA", "polish": "PL", "french": "FR", "german": "DE",
    "army": "DE", "ss": "SS", "luftwaffe": "LW",
}  # fmt: skip
"""The letters that a counter carries, so that nobody needs colours to tell nations and services apart. A side
of many nations has none."""

PAPER = Palette(
    name="paper", paper="#fbf8ef", ink="#22271f", faint="#5a5d50", bar="#26332d", bar_ink="#f6f1de",
    bar_faint="#c9d2c2", grid="#c5c8ae", coast="#6f8f9f", river="#7fb0cf", major="#4a86b3", flooded="#a5d0ea",
    road="#b0664a", casing="#fbf1e2", bridge="#26332d", special="#7b5aa0", burst="#c0391f", warning="#b3261e",
    halo="#fdfbf2", terrain=(
        ("clear", "#f4eeda", ""), ("bocage", "#dfe5c3", "#b9c494"), ("woods", "#c8d6a8", "#94ab72"),
        ("rough", "#e8dabb", "#c0a878"), ("marsh", "#d9e6d6", "#8fb3b0"), ("town", "#dcc8b0", "#b59f86"),
        ("city", "#cdb9a3", "#a18a72"), ("fort", "#cfbfae", "#8f7a66"), ("sea", "#cfe1ea", "#b3d0dd"),
        ("outside", "#eeebe2", ""),
    ),
)  # fmt: skip

DARK = Palette(
    name="dark", paper="#1d2122", ink="#e8e4d6", faint="#a3a99f", bar="#101415", bar_ink="#f0ead6",
    bar_faint="#9fae9f", grid="#4b524a", coast="#7f9dab", river="#4f87aa", major="#67abdc", flooded="#3d6f8e",
    road="#c98765", casing="#2a2622", bridge="#e8e4d6", special="#b79be0", burst="#d9532f", warning="#ff6b5e",
    halo="#1b1f20", terrain=(
        ("clear", "#49453a", ""), ("bocage", "#2f3a2c", "#46543d"), ("woods", "#26352a", "#41583f"),
        ("rough", "#403a2e", "#5d543f"), ("marsh", "#2c3b3a", "#47625f"), ("town", "#4a4238", "#6b6050"),
        ("city", "#584b3f", "#7b6a58"), ("fort", "#4d4338", "#85725e"), ("sea", "#1e2f3a", "#2b4352"),
        ("outside", "#232627", ""),
    ),
)  # fmt: skip

_PALETTES: dict[str, Palette] = {"paper": PAPER, "dark": DARK}
_DARK_ARROWS = {"#17468f": "#7fb2ff", "#0f6b78": "#6fd3df", "#23262b": "#f2eee0", "#4b4640": "#d8d3c8"}


def palette(name: str) -> Palette:
    """The palette called `name`. Raises ValueError naming those there are."""
    if name not in _PALETTES:
        raise ValueError(f"no palette {name!r}; there are: {', '.join(_PALETTES)}")
    return _PALETTES[name]


@cache
def face(colours: str, look: Palette) -> Face:
    """The colours of a side. A side that a game made up gets the neutral ones: a map is better than none."""
    found = FACES.get(colours, FACES["neutral"])
    if look.name == "paper":
        return found
    return Face(found.face, found.ink, found.frame, _DARK_ARROWS[found.arrow], found.stripe)


def faded(colours: Face, look: Palette) -> str:
    """The face of a counter that has moved or does not matter now: nearer to the paper, and still legible."""
    return mix(colours.face, look.paper, 0.55 if look.name == "paper" else 0.3)


def legible(ink: str, ground: str) -> str:
    """`ink`, or the opposite of it where it would drown on `ground`."""
    dark = sum(rgb(ground)) < 330
    if (sum(rgb(ink)) < 330) == dark:
        return "#f6f4ea" if dark else "#1d211c"
    return ink


def mix(a: str, b: str, share: float) -> str:
    """The colour that is `share` of the way from `a` to `b`."""
    return "#" + "".join(f"{round(x + (y - x) * share):02x}" for x, y in zip(rgb(a), rgb(b), strict=True))


def rgb(colour: str) -> RGB:
    """``#rrggbb`` as three numbers."""
    return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16)


def _ramp(a: str, b: str, steps: int) -> Iterator[str]:
    yield from (mix(a, b, step / steps) for step in range(steps + 1))


def flat(look: Palette) -> tuple[RGB, ...]:
    """The colours of the ground of a close-up, which has no others."""
    lines = (look.road, look.casing, look.river, look.major, look.flooded, look.coast, look.grid, look.bridge)
    ground = (colour for _, fill, tuft in look.terrain for colour in (fill, tuft) if colour)
    plain = dict.fromkeys((look.paper, *ground, *lines, look.special, look.ink))
    return tuple(rgb(colour) for colour in plain)


def few_inks(look: Palette, sides: tuple[str, ...]) -> tuple[RGB, ...]:
    """The colours of all that is laid over the ground of a close-up, with the mixtures without which
    lettering would be ragged."""
    plain = [look.paper, look.ink, look.bar, look.bar_ink, look.burst, look.warning, look.halo, look.special]
    plain += ["#ffffff", "#1d211c", *(fill for _, fill, _ in look.terrain)]
    for each in (face(side, look) for side in sides):
        plain += [
            each.face,
            each.ink,
            each.frame,
            each.arrow,
            faded(each, look),
            mix(each.face, each.ink, 0.5),
        ]
    plain += [
        mix(look.halo, look.ink, 0.5),
        mix(look.bar, look.bar_ink, 0.5),
        mix(look.burst, "#ffffff", 0.5),
    ]
    return tuple(rgb(colour) for colour in dict.fromkeys(plain))


def inks(look: Palette, sides: tuple[str, ...], most: int) -> tuple[RGB, ...]:
    """At most `most` colours for all that is laid over the ground, with the mixtures that smooth edges need.

    Those that matter most come first: a picture with very many sides loses some smoothness, not its colours.
    """
    faces = [face(side, look) for side in sides]
    plain = [
        look.paper,
        look.ink,
        look.bar,
        look.bar_ink,
        look.burst,
        look.warning,
        look.halo,
        look.special,
        "#ffffff",
    ]
    for each in faces:
        plain += [each.face, each.ink, each.frame, each.arrow, faded(each, look)]
    ground = [colour for _, fill, tuft in look.terrain for colour in (fill, tuft) if colour]
    plain += [
        look.road,
        look.river,
        look.major,
        look.coast,
        look.flooded,
        look.bar_faint,
        look.faint,
        *ground,
    ]
    mixed: list[str] = []
    for each in faces:
        mixed += [
            *_ramp(each.frame, "#1d211c", 4),
            *_ramp(each.face, each.ink, 5),
            *_ramp(each.arrow, look.halo, 4),
        ]
    mixed += [
        *_ramp(look.halo, look.ink, 6),
        *_ramp(look.bar, look.bar_ink, 6),
        *_ramp(look.burst, "#ffffff", 5),
    ]
    mixed += [
        *_ramp(look.paper, look.ink, 5),
        *_ramp(look.bar, look.bar_faint, 4),
        *_ramp(look.warning, "#ffffff", 3),
    ]
    return tuple(rgb(colour) for colour in list(dict.fromkeys(plain + mixed))[:most])
