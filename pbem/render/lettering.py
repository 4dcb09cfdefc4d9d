"""Lettering: how wide a text is, and the packaged fonts. Same fonts everywhere,
so same pictures everywhere."""

from __future__ import annotations

import io
from functools import cache, lru_cache
from importlib.resources import files
from xml.sax.saxutils import escape

from PIL import ImageFont

FAMILY = "DejaVu Sans"
_MEASURED_AT = 100


@cache
def font_files() -> tuple[bytes, bytes]:
    """The regular and the bold font."""
    folder = files("pbem.render").joinpath("fonts")
    return folder.joinpath("DejaVuSans.ttf").read_bytes(), folder.joinpath("DejaVuSans-Bold.ttf").read_bytes()


@cache
def _font(bold: bool) -> ImageFont.FreeTypeFont:
    return ImageFont.truetype(
        io.BytesIO(font_files()[bold]), _MEASURED_AT, layout_engine=ImageFont.Layout.BASIC
    )


@lru_cache(maxsize=8192)
def text_width(text: str, size: float, bold: bool = False) -> float:
    """How wide `text` runs at a font size, in the same units."""
    return float(_font(bold).getlength(text)) * size / _MEASURED_AT


def cut_to(text: str, size: float, room: float, bold: bool = False) -> str:
    """`text`, or as much of it as fits in `room`, ended with an ellipsis."""
    if text_width(text, size, bold) <= room:
        return text
    while text and text_width(text + "…", size, bold) > room:
        text = text[:-1]
    return text.rstrip() + "…" if text else ""


def fitted(
    text: str,
    x: float,
    y: float,
    size: float,
    room: float,
    fill: str,
    *,
    anchor: str = "start",
    bold: bool = False,
) -> str:
    """An SVG text as `letters` draws it, of its full height but narrowed to `room` where it runs wider."""
    wide = text_width(text, size, bold)
    if wide <= room:
        return letters(text, x, y, size, fill, anchor=anchor, bold=bold)
    narrow = letters(text, 0, 0, size, fill, anchor=anchor, bold=bold)
    return f'<g transform="translate({number(x)} {number(y)}) scale({room / wide:.3f} 1)">{narrow}</g>'


def in_lines(text: str, size: float, room: float, narrowest: float = 0.76) -> tuple[str, ...]:
    """A name as one line, or as two where it would have to be narrowed below `narrowest` of its width. It is
    parted behind a stroke, best of all, a plus or a space, and never cut."""
    if text_width(text, size) * narrowest <= room:
        return (text,)
    breaks = [at + 1 for at, sign in enumerate(text[:-1]) if sign in "/+ -"]
    if not breaks:
        return (text,)

    def width(at: int) -> float:
        wider = max(text_width(text[:at], size), text_width(text[at:], size))
        return wider * (0.85 if text[at - 1] == "/" else 1.0)

    at = min(breaks, key=width)
    return text[:at].rstrip(), text[at:]


def letters(
    text: str,
    x: float,
    y: float,
    size: float,
    fill: str,
    *,
    anchor: str = "start",
    bold: bool = False,
    halo: str = "",
) -> str:
    """An SVG text with its baseline at (x, y); `halo` is the colour of a rim that keeps it readable."""
    weight = ' font-weight="bold"' if bold else ""
    where = f' text-anchor="{anchor}"' if anchor != "start" else ""
    rim = (
        f' stroke="{halo}" stroke-width="{number(size * 0.32)}" stroke-linejoin="round" paint-order="stroke"'
        if halo
        else ""
    )
    return (
        f'<text x="{number(x)}" y="{number(y)}" font-size="{number(size)}" fill="{fill}"{weight}{where}{rim}>'
        f"{escape(text)}</text>"
    )


def number(value: float) -> str:
    """A coordinate with one decimal at most, written the shortest way."""
    text = f"{value:.1f}"
    return text[:-2] if text.endswith(".0") else text
