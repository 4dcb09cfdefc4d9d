"""Painting a scene: as one SVG document, or as a PNG of at most 256 colours.

The PNG is put together from parts drawn by the same SVG: the ground, drawn once for each frame
and kept in memory and on disk, and one small picture for each different piece. Some of its colours belong
to the ground, the others to the pieces, so that pasting copies bytes and never has to choose colours again.
"""

from __future__ import annotations

import io
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache, lru_cache
from pathlib import Path
from xml.sax.saxutils import escape, quoteattr

from PIL import Image
from resvg import render, usvg

from pbem.engine.board import Board
from pbem.engine.map import Map
from pbem.render import cache as disk
from pbem.render.frame import Frame, FrameName
from pbem.render.layout import Scene, ground_of, layout
from pbem.render.lettering import FAMILY, font_files
from pbem.render.palette import PAPER, Palette, PaletteName, few_inks, flat, inks, rgb
from pbem.render.pieces import FLAGS, Piece, symbols_used

COLOURS = (64, 192)
"""How many colours the ground and the pieces of a picture have; one that is to be small has few, see `flat`
and `few_inks`."""

Pasted = tuple[Image.Image, Image.Image]
"""A piece in the colours of the picture, and where it is solid."""


# --- SVG ------------------------------------------------------------------------------------------------


def svg(board: Board, width: int = 1400, frame: FrameName = "focus", palette: PaletteName = "paper") -> str:
    """The map as one SVG document, the same bytes for the same board.

    Every counter of the board is a group of class ``counter`` whose ``data-`` attributes hold what it shows;
    those outside the frame are listed without a drawing. Raises ValueError as `layout` does.
    """
    return scene_svg(layout(board, width, frame, palette))


def scene_svg(scene: Scene) -> str:
    """A scene as an SVG document."""
    body = "".join(_group(piece) for piece in scene.pieces)
    listed = "".join(f"<g{_data(counter)}/>" for counter in scene.outside())
    outside = f'<g class="outside">{listed}</g>' if listed else ""
    clip = (
        f'<clipPath id="frame"><rect width="{scene.frame.width}" height="{scene.frame.height}"/></clipPath>'
    )
    return (
        _open(scene.width, scene.height)
        + f"<title>{escape(scene.board.title)}</title><defs>{clip}{symbols_used(body)}</defs>"
        + (
            f'<g class="ground" transform="translate(0 {scene.top})">'
            f'<g clip-path="url(#frame)">{scene.ground.svg()}</g></g>'
        )
        + body
        + outside
        + "</svg>\n"
    )


def _open(width: int, height: int) -> str:
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" '
        f'height="{height}" font-family="{FAMILY}, Verdana, sans-serif">'
    )


def _group(piece: Piece) -> str:
    title = f"<title>{escape(piece.title)}</title>" if piece.title and piece.layer != "panel" else ""
    place = f'transform="translate({piece.x} {piece.y})"'
    if not piece.counters:
        return f'<g class="{piece.layer}" {place}>{title}{piece.body}</g>'
    covered = "".join(f"<g{_data(counter)}/>" for counter in piece.counters[1:])
    return f"<g{_data(piece.counters[0])} {place}>{title}{piece.body}{covered}</g>"


def _data(counter: object) -> str:
    shown = [
        (name, getattr(counter, name)) for name in ("hex", "colours", "figures", "name", "symbol", "size")
    ]
    told = "".join(f" data-{name}={quoteattr(value)}" for name, value in shown if value and value != "none")
    flags = " ".join(flag for flag in FLAGS if getattr(counter, flag))
    return f' class="counter"{told}' + (f' data-flags="{flags}"' if flags else "")


# --- PNG ------------------------------------------------------------------------------------------------


def png(
    board: Board,
    width: int = 1400,
    frame: FrameName = "focus",
    palette: PaletteName = "paper",
    cache: Path | None = None,
) -> bytes:
    """The map as a PNG of 256 colours, `width` pixels wide.

    `cache` is the folder in which drawings of the ground are kept between runs (None: the user's own, see
    `cache_folder`). Raises ValueError as `layout` does.
    """
    return scene_png(layout(board, width, frame, palette), cache)


def scene_png(scene: Scene, cache: Path | None = None) -> bytes:
    """A scene as a PNG."""
    picture = scene_image(scene, cache)
    written = io.BytesIO()
    picture.save(written, "PNG", compress_level=6)
    return written.getvalue()


def weight(scene: Scene, cache: Path | None = None) -> int:
    """About how many bytes the PNG of a scene has, within a tenth, for a third of the work."""
    return round(PACKED * len(zlib.compress(scene_image(scene, cache).tobytes(), 1)))


PACKED = 0.73
"""The size of a PNG, in that of its pixels packed in haste."""


FRAME_MS = 900
"""How long each frame of a moving picture stands, in milliseconds; the last one three times as long."""


def moving(boards: Sequence[Board], width: int = 1400) -> bytes:
    """Boards one after another as an animated PNG (APNG), all in one frame. Raises ValueError for no boards,
    and as `layout` does."""
    if not boards:
        raise ValueError("there is nothing to draw")
    focus = tuple(dict.fromkeys(hex for board in boards for hex in board.focus))
    names = {key: name for board in boards for key, name in board.legend.items()}
    frames = [scene_image(layout(replace(board, focus=focus, legend=names), width)) for board in boards]
    high = max(each.height for each in frames)
    one = frames[0].getpalette()
    if any(each.height != high or each.getpalette() != one for each in frames):
        frames = [_padded(each.convert("RGB"), high) for each in frames]
    times = [FRAME_MS] * (len(frames) - 1) + [3 * FRAME_MS]
    written = io.BytesIO()
    frames[0].save(written, "PNG", save_all=True, append_images=frames[1:], duration=times, loop=0)
    return written.getvalue()


def _padded(picture: Image.Image, height: int) -> Image.Image:
    if picture.height == height:
        return picture
    padded = Image.new("RGB", (picture.width, height), rgb(PAPER.paper))
    padded.paste(picture, (0, 0))
    return padded


def scene_image(scene: Scene, cache: Path | None = None) -> Image.Image:
    """A scene as a picture of 256 colours."""
    sides = tuple(sorted(dict.fromkeys(_sides(scene))))
    below, above = COLOURS if scene.frame.kind == "full" else (len(flat(scene.look)), 0)
    ground = _ground(scene.board.map, scene.frame, scene.look, below, cache or disk.cache_folder())
    picture = Image.new("P", (scene.width, scene.height), 0)
    first = bytes(ground.getpalette() or [])[: 3 * below].ljust(3 * below, b"\0")
    picture.putpalette(first + _inks(scene.look, sides, above))
    picture.paste(ground, (0, scene.top))
    for piece in scene.pieces:
        drawn, solid = _sprite(piece.body, piece.width, piece.height, scene.look, sides, below, above)
        picture.paste(drawn, (piece.x, piece.y), solid)
    return picture


def _sides(scene: Scene) -> Iterator[str]:
    yield from (counter.colours for counter in scene.board.counters)
    yield from (arrow.colours for arrow in scene.board.arrows)
    yield from (mark.colours for mark in scene.board.marks if mark.colours)
    yield from (border.colours for border in scene.board.borders if border.colours)
    yield from scene.board.legend


@cache
def _inks(look: Palette, sides: tuple[str, ...], most: int) -> bytes:
    """The colours of the pieces as part of a palette."""
    return bytes(
        part for colour in (inks(look, sides, most) if most else few_inks(look, sides)) for part in colour
    )


@lru_cache(maxsize=16)
def _ground(map: Map, frame: Frame, look: Palette, colours: int, folder: Path) -> Image.Image:
    """The ground of a frame in its own colours: from memory, from disk, or drawn."""
    drawing = ground_of(map, frame, look)
    body = drawing.svg()
    key = disk.key_of("ground", str(colours), f"{frame.width}x{frame.height}", body)
    stored = disk.kept(folder, key)
    if stored is None:
        picture = rasterise(body, frame.width, frame.height).convert("RGB")
        if frame.kind != "full":
            reduced = picture.quantize(palette=_flat_picture(look), dither=Image.Dither.NONE)
        else:
            reduced = picture.quantize(colours, method=Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE)
        written = io.BytesIO()
        reduced.save(written, "PNG", compress_level=3)
        disk.keep(folder, key, stored := written.getvalue())
    found = Image.open(io.BytesIO(stored))
    found.load()
    return found


@lru_cache(maxsize=4096)
def _sprite(
    body: str, width: int, height: int, look: Palette, sides: tuple[str, ...], below: int, above: int
) -> Pasted:
    """The picture of a piece, in the `above` piece colours of `sides`, which follow `below` others."""
    drawn = _drawn(body, width, height)
    alpha = drawn.getchannel("A").tobytes().translate(_SOLID)
    solid = Image.frombytes("L", drawn.size, alpha)
    # Half transparent edges are mixed with the colour of the rims, then taken for solid or for nothing.
    opaque = Image.new("RGB", drawn.size, rgb(look.halo))
    opaque.paste(drawn, (0, 0), drawn)
    reduced = opaque.quantize(palette=_ink_picture(look, sides, above), dither=Image.Dither.NONE)
    moved = reduced.tobytes().translate(_places(look, sides, below, above))
    return Image.frombytes("P", reduced.size, moved), solid.convert("1", dither=Image.Dither.NONE)


@lru_cache(maxsize=4096)
def _drawn(body: str, width: int, height: int) -> Image.Image:
    """A piece in all its colours, whatever other sides are in the picture: not to be changed."""
    return rasterise(body, width, height)


_SOLID = bytes(255 if alpha >= 128 else 0 for alpha in range(256))


@cache
def _places(look: Palette, sides: tuple[str, ...], below: int, above: int) -> bytes:
    """Where the colours of the pieces are in the palette of a picture: behind the `below` colours of its
    ground. Those that a slim ground has too are taken from there, so that like pixels are like bytes."""
    shared = {} if above else {bytes(colour): at for at, colour in enumerate(flat(look))}
    inks = _inks(look, sides, above)
    places = [shared.get(inks[3 * at : 3 * at + 3], below + at) for at in range(256)]
    return bytes(min(255, place) for place in places)


@cache
def _flat_picture(look: Palette) -> Image.Image:
    picture = Image.new("P", (1, 1))
    picture.putpalette(bytes(part for colour in flat(look) for part in colour))
    return picture


@cache
def _ink_picture(look: Palette, sides: tuple[str, ...], most: int) -> Image.Image:
    picture = Image.new("P", (1, 1))
    picture.putpalette(_inks(look, sides, most))
    return picture


def chart_png(body: str, width: int, height: int) -> bytes:
    """Return an SVG body of few colours as a PNG."""
    out = io.BytesIO()
    rasterise(body, width, height).convert("RGB").quantize(64).save(out, "PNG", optimize=True)
    return out.getvalue()


def rasterise(body: str, width: int, height: int) -> Image.Image:
    """A drawing as an RGBA picture, by resvg with the packaged fonts."""
    document = f"{_open(width, height)}<defs>{symbols_used(body)}</defs>{body}</svg>"
    tree = usvg.Tree.from_str(document, _options())
    picture = Image.open(io.BytesIO(render(tree, _AS_IT_IS)))
    picture.load()
    return picture


_AS_IT_IS = (1.0, 0.0, 0.0, 0.0, 1.0, 0.0)
"""No scaling or shifting: resvg wants the two rows of the matrix."""


@cache
def _options() -> usvg.Options:
    options = usvg.Options.default()
    for font in font_files():
        options.load_font_data(font)
    options.font_family = FAMILY
    return options
