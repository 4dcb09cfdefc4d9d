from __future__ import annotations

import io
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest
from PIL import Image, ImageChops, ImageStat

from pbem.engine.board import Board, Counter
from pbem.render import cache_folder, layout, picture, png, scene_svg
from pbem.render.cache import keep, kept, key_of


def opened(data: bytes) -> Image.Image:
    return Image.open(io.BytesIO(data))


@pytest.mark.parametrize("look", ["paper", "dark"])
@pytest.mark.parametrize("frame", ["focus", "whole"])
def test_png_looks_like_the_svg(beachhead: Board, tmp_path: Path, frame: str, look: str) -> None:
    """N21: the PNG put together from parts is, but for its 256 colours, the picture of the SVG."""
    scene = layout(beachhead, 1000, frame, look)  # type: ignore[arg-type]
    pasted = opened(picture.scene_png(scene, tmp_path)).convert("RGB")
    body = scene_svg(scene).partition("</title>")[2].removesuffix("</svg>\n")
    drawn = picture.rasterise(body, scene.width, scene.height).convert("RGB")
    assert pasted.size == drawn.size
    difference = ImageStat.Stat(ImageChops.difference(pasted, drawn))
    assert max(difference.mean) < 4


def test_png_shows_each_stack_where_the_layout_puts_it(beachhead: Board, tmp_path: Path) -> None:
    """Taking one stack off the board changes the picture at that stack, and only around it."""
    gone = beachhead.counters[0].hex
    without = replace(
        beachhead, counters=tuple(c for c in beachhead.counters if c.hex != gone), arrows=(), battles=()
    )
    with_it = replace(beachhead, arrows=(), battles=())
    place = next(
        piece for piece in layout(with_it, frame="whole").pieces if piece.hex == gone and piece.counters
    )
    before, after = (
        opened(png(board, frame="whole", cache=tmp_path)).convert("RGB") for board in (with_it, without)
    )
    changed = ImageChops.difference(before, after).crop(tuple(map(int, place.box())))
    assert changed.getbbox() is not None


def test_png_is_small_and_of_256_colours(beachhead: Board, tmp_path: Path) -> None:
    """A map 1400 pixels wide has at most 256 colours and 250 KB."""
    for frame in ("focus", "whole"):
        drawn = png(beachhead, 1400, frame, cache=tmp_path)  # type: ignore[arg-type]
        assert opened(drawn).mode == "P" and opened(drawn).width == 1400
        assert len(drawn) <= 250_000


def test_png_is_the_same_with_and_without_a_cache(island_board: Board, tmp_path: Path) -> None:
    """A drawing from memory, from disk or made anew gives the same bytes; a damaged one is made again."""
    folder = tmp_path / "cache"
    first = png(island_board, cache=folder)
    (stored,) = folder.iterdir()
    whole = stored.read_bytes()
    for damaged in (whole, whole[:100], b"", whole[:-1] + b"x"):
        stored.write_bytes(damaged)
        picture._ground.cache_clear()
        assert png(island_board, cache=folder) == first
        assert stored.read_bytes() == whole


def test_drawing_does_not_need_a_disk(island_board: Board, tmp_path: Path) -> None:
    """Where nothing can be written the picture is made all the same."""
    blocked = tmp_path / "file"
    blocked.write_text("not a folder", encoding="utf-8")
    picture._ground.cache_clear()
    assert opened(png(island_board, cache=blocked / "cache")).width == 1400


def test_cache_with_many_writers(tmp_path: Path) -> None:
    """Writers at the same time leave one whole drawing and no rubbish."""
    key, drawing = key_of("a", b"b"), b"x" * 200_000
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda _: keep(tmp_path, key, drawing), range(40)))
    assert [file.name for file in tmp_path.iterdir()] == [key]
    assert kept(tmp_path, key) == drawing


def test_cache_keys_tell_parts_apart() -> None:
    """Moving a letter from one part to the next gives another key."""
    assert key_of("ab", "c") != key_of("a", "bc") != key_of("abc")


def test_cache_folder_follows_the_environment() -> None:
    """$PBEM_CACHE goes before $XDG_CACHE_HOME, and that before the home folder."""
    settings = {"PBEM_CACHE": "/a", "XDG_CACHE_HOME": "/b", "HOME": "/c"}
    assert cache_folder(settings) == Path("/a")
    del settings["PBEM_CACHE"]
    assert cache_folder(settings) == Path("/b/pbem")
    del settings["XDG_CACHE_HOME"]
    assert cache_folder(settings) == Path("/c/.cache/pbem")


def test_many_sides_share_the_colours(island_board: Board, tmp_path: Path) -> None:
    """With every side of every game on one map the picture still fits into 256 colours."""
    sides = ("us", "uk", "canadian", "polish", "french", "german", "ss", "luftwaffe", "army", "unheard-of")
    land = [
        h
        for h in island_board.map.grid.ids
        if h in island_board.map and island_board.map.terrain(h) != "all sea"
    ]
    counters = tuple(Counter(h, side, "4-4", side, "infantry") for h, side in zip(land, sides, strict=False))
    drawn = opened(png(replace(island_board, counters=counters), cache=tmp_path))
    assert len(drawn.getcolors(256) or ()) > 20
