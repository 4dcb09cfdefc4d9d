"""The pictures of a letter: each is painted once, and how heavy they will be is known before."""

from __future__ import annotations

import pytest

from pbem import render
from pbem.engine.board import Board
from pbem.render import Scene, busiest, layout, scene_png, weight
from pbem.render.layout import _cheapest
from pbem.render.picture import scene_image
from pbem.service.letters import layout as letters
from pbem.service.letters.layout import MAP_WIDTH, OVERVIEW_WIDTH, Pictures


@pytest.fixture
def painted(monkeypatch: pytest.MonkeyPatch) -> list[Scene]:
    """The scenes that are made into PNGs."""
    scenes: list[Scene] = []

    def counted(scene: Scene) -> bytes:
        scenes.append(scene)
        return scene_png(scene)

    monkeypatch.setattr(render, "scene_png", counted)
    return scenes


def test_two_close_ups_and_the_overview_are_painted_once(front: Board, painted: list[Scene]) -> None:
    """Where both close-ups are light there are three pictures, each painted once."""
    assert [file.cid for file in Pictures().of(front)] == ["action", "action-2", "map"]
    assert [scene.frame.kind for scene in painted] == ["close", "close", "overview"]


def test_a_heavy_second_close_up_is_never_painted(
    front: Board, painted: list[Scene], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where two close-ups would be too heavy the first is painted as one alone, and the overview outlines no
    other; nothing is painted twice."""
    monkeypatch.setattr(letters, "MOST_BYTES", 1000)
    assert [file.cid for file in Pictures().of(front)] == ["action", "map"]
    alone = busiest(front)[:1]
    assert [scene.pieces for scene in painted] == [
        layout(front, MAP_WIDTH, "action", areas=alone).pieces,
        layout(front, OVERVIEW_WIDTH, "overview", areas=alone).pieces,
    ]


def test_the_weight_of_a_picture_is_known_before_it_is_made(front: Board, beachhead: Board) -> None:
    """`weight` is at most a tenth off the bytes of the PNG."""
    for board in (front, beachhead):
        for place, _ in enumerate(areas := busiest(board)):
            scene = layout(board, MAP_WIDTH, "action", areas=areas, place=place)
            assert 0.9 < weight(scene) / len(scene_png(scene)) < 1.1


@pytest.mark.parametrize("look", ["paper", "dark"])
def test_each_colour_of_a_slim_picture_stands_once(front: Board, look: str) -> None:
    """A colour that ground and pieces share is the same byte in both: so the picture is smaller."""
    scene = layout(front, MAP_WIDTH, "action", look, busiest(front))
    picture = scene_image(scene)
    palette = picture.getpalette() or []
    used = [tuple(palette[3 * at : 3 * at + 3]) for _, at in picture.getcolors(256) or []]
    assert len(used) == len(set(used)) > 10


@pytest.mark.parametrize(
    "costs", [[0, 9, 20], [30, 12, 13], [30, 13, 12], [7, 7, 12], [6, 6, 12], [50, 40, 30]]
)
def test_the_cheapest_spot_is_found_without_a_look_at_all(costs: list[float]) -> None:
    """The first of the cheapest spots is taken, as if all had been looked at."""
    assert _cheapest(len(costs), costs.__getitem__, 6) == costs.index(min(costs))
