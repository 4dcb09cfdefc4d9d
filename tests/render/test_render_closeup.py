"""Pictures that a phone shows at half their size: close-ups of the fights and the overview."""

from __future__ import annotations

import io
import re
from collections.abc import Iterable
from dataclasses import replace
from email import message_from_bytes
from importlib import import_module
from itertools import combinations
from math import hypot

import pytest
from PIL import Image

from pbem.engine.board import Arrow, Battle, Board, Counter, Mark
from pbem.engine.map import Map
from pbem.games import falaise, france44, normandy44, normandy71, rampage
from pbem.mail.compose import Attachment
from pbem.render import Area, Scene, busiest, layout, scene_png, scene_svg
from pbem.render.closeup import RADIUS
from pbem.render.frame import FrameName, action_frame, in_play
from pbem.render.lettering import in_lines, text_width
from pbem.render.palette import DARK, FACES, NATIONS, PAPER, Palette, face, rgb
from pbem.render.pieces import Piece
from pbem.service.letters.layout import MAP_WIDTH, Pictures

GAMES = (falaise, france44, normandy44, normandy71, rampage)
READABLE = 17
PHONE = 390
"""The width of a phone, which shows a picture from edge to edge."""


def close_up(board: Board, place: int = 0, look: str = "paper") -> Scene:
    return layout(board, MAP_WIDTH, "action", look, busiest(board), place)


def sizes(scene: Scene) -> Iterable[tuple[float, str]]:
    """The font size of each lettering, with its text."""
    for piece in scene.pieces:
        for found in re.finditer(r'<text[^>]*font-size="([\d.]+)"[^>]*>([^<]*)</text>', piece.body):
            yield float(found[1]), found[2]


# --- which areas ----------------------------------------------------------------------------------------


def test_fights_far_apart_get_two_close_ups(front: Board) -> None:
    """The area with most fights comes first; each fight is in the close-up whose frame shows its hex."""
    first, second = busiest(front)
    assert [each.label for each in first.battles] == ["R7", "R108"]
    assert [each.label for each in second.battles] == ["R9"]
    for place, area in enumerate((first, second)):
        scene = close_up(front, place)
        assert [p.title for p in scene.pieces if p.layer == "battle"] == [
            f"battle {each.label}" for each in area.battles
        ]


def test_losses_weigh_as_fights_do(front: Board) -> None:
    """A fight that cost many units goes before two that cost nothing."""
    costly = replace(front, marks=(Mark("1512", "lost", "4", "us"),))
    assert [each.label for each in busiest(costly)[0].battles] == ["R9"]


def test_two_close_ups_at_most(front: Board) -> None:
    """Fights in a third area are left to the whole map, and the close-ups say how many."""
    more = (*front.battles, Battle("2710", "R20"), Battle("5330", "R21"))
    board = replace(front, battles=more)
    areas = busiest(board)
    assert len(areas) == 2
    rest = len(more) - sum(len(area.battles) for area in areas)
    texts = [text for _, text in sizes(close_up(board))]
    assert f"1 of 2 areas; {rest} more fights on the whole map" in texts
    overview = [text for _, text in sizes(layout(board, MAP_WIDTH, "overview", areas=areas))]
    assert {"R20", "R21"} <= {*overview, *(each.label for area in areas for each in area.battles)}


def test_without_fights_one_area(front: Board) -> None:
    """Where most moves end, else where units may enter, else nowhere."""
    quiet = replace(front, battles=())
    assert len(busiest(quiet)) == 1 and quiet.arrows[0].path[-1] in busiest(quiet)[0].hexes
    landing = replace(quiet, arrows=(), entries=("4218",))
    assert busiest(landing) == (Area(("4218",)),)
    assert busiest(replace(landing, entries=())) == ()


# --- what a close-up shows ------------------------------------------------------------------------------


@pytest.mark.parametrize("place", [0, 1])
def test_close_up_is_lettered_for_a_phone(front: Board, place: int) -> None:
    """A phone shows everything at least 11 pixels high; 7 to 9 hexes lie beside each other."""
    scene = close_up(front, place)
    step = 1.5 if front.map.grid.kind == "flat" else 3**0.5
    assert 7 <= scene.width / (scene.frame.size * step) <= 9
    small = [(size, text) for size, text in sizes(scene) if size * PHONE / scene.width < 11]
    assert not small


def test_no_counter_is_cut_at_the_edge(front: Board) -> None:
    """Every counter, strip and number of a close-up lies wholly on the map part of the picture."""
    scene = close_up(front)
    shown = [p for p in scene.pieces if p.layer in ("counter", "strip", "number")]
    assert len([p for p in shown if p.layer == "counter"]) > 15
    for piece in shown:
        assert piece.x >= 0 and piece.x + piece.width <= scene.width, piece.hex
        assert piece.y >= scene.top - 6 and piece.y + piece.height <= scene.top + scene.frame.height + 6


def test_hexes_that_would_be_cut_are_not_shown(front: Board) -> None:
    """A hex whose counters do not fit is paper: it must not look empty."""
    scene = close_up(front)
    shown = {piece.hex for piece in scene.pieces if piece.layer == "counter"}
    hidden = {counter.hex for counter in front.counters} - shown
    picture = Image.open(io.BytesIO(scene_png(scene))).convert("RGB")
    at_edge = 0
    for hex_id in hidden:
        x, y = scene.frame.at(front.map.grid.center(hex_id))
        if 0 <= x < scene.width and 0 <= y < scene.frame.height:
            at_edge += picture.getpixel((int(x), int(y) + scene.top)) == rgb(PAPER.paper)
    assert at_edge


@pytest.mark.parametrize(
    "name", ["901PzG/Lehr", "41+48Cdo/4SS", "192PzG/21Pz", "Stefanowicz", "46+47Cdo/4SS", "28Inf REPS"]
)
def test_names_are_whole(front: Board, name: str) -> None:
    """What must be written in an order stands on the counter letter for letter, in two lines if need be."""
    counter = Counter("4218", "german", "14-6", name, "armour")
    for scene in (
        close_up(replace(front, counters=(counter,))),
        layout(replace(front, counters=(counter,), focus=("4218",))),
    ):
        piece = next(p for p in scene.pieces if p.layer == "counter" and p.hex == "4218")
        assert "…" not in piece.body
        lines = re.findall(r"<text[^>]*>([^<]*)</text>", piece.body)
        assert name.replace(" ", "") in "".join(lines).replace(" ", "")


def test_names_are_parted_where_they_have_a_joint() -> None:
    """A long name is set in two lines, the shorter the wider one is the better."""
    assert in_lines("22/4", 17, 80) == ("22/4",)
    assert in_lines("41+48Cdo/4SS", 17, 80) == ("41+48Cdo/", "4SS")
    assert in_lines("Zgorzelskiewicz", 17, 80) == ("Zgorzelskiewicz",)


def test_counters_carry_their_nation(front: Board) -> None:
    """US, UK and DE stand on counters of a close-up and on detailed ones of the large map."""
    for scene in (close_up(front), layout(replace(front, focus=("4218",)))):
        for piece in scene.pieces:
            if piece.counters and not piece.counters[0].hidden:
                assert f">{NATIONS[piece.counters[0].colours]}</text>" in piece.body


def test_stacks_are_laid_open_beside_their_hex(front: Board) -> None:
    """A strip names every unit of a stack with its figures; a stack of unknown units has none."""
    thinned = replace(front, counters=front.counters[:6])
    strips = [p for p in close_up(thinned).pieces if p.layer == "strip"]
    assert [strip.hex for strip in strips] == ["4218"]
    assert all(text in strips[0].body for text in ("901PzG/Lehr", "1/919", ">14-6 D<", ">2-4<"))
    unknown = Counter("4218", "german", hidden=True)
    hidden = replace(front, counters=(unknown, replace(unknown, entrenched=True)))
    assert not [p for p in close_up(hidden).pieces if p.layer == "strip"]


def test_numbers_are_whole_or_not_there(front: Board) -> None:
    """A number that a strip would cover in part is left out: half a number is misread."""
    scene = close_up(replace(front, counters=front.counters[:6]))
    strip = next(p for p in scene.pieces if p.layer == "strip")
    left, top, right, bottom = strip.box()
    for piece in scene.pieces:
        if piece.layer == "number":
            a, b, c, d = piece.box(-2)
            assert min(right, c) - max(left, a) <= 6 or min(bottom, d) - max(top, b) <= 4


def test_strips_keep_off_counters(front: Board) -> None:
    """Where every hex is full a stack keeps its badge and gets no strip."""
    assert not [p for p in close_up(front).pieces if p.layer == "strip" and overlaps(p, close_up(front))]
    top = next(p for p in close_up(front).pieces if p.layer == "counter" and p.hex == "4218")
    assert ">2</text>" in top.body


def overlaps(strip: Piece, scene: Scene) -> bool:
    hidden = 0.0
    for piece in scene.pieces:
        if piece.layer == "counter":
            (a, b, c, d), (e, f, g, h) = strip.box(), piece.box(-10)
            hidden += max(0.0, min(c, g) - max(a, e)) * max(0.0, min(d, h) - max(b, f))
    return hidden > 0.15 * strip.width * strip.height


def test_numbers_only_where_an_order_may_need_them(front: Board) -> None:
    """Hexes within one of a unit, a fight or the end of a move are numbered, above all counters."""
    lonely = replace(front, counters=front.counters[:1], arrows=())
    scene = close_up(lonely)
    numbered = {piece.hex for piece in scene.pieces if piece.layer == "number"}
    fights = {"4218", *(hex_id for battle in lonely.battles for hex_id in (battle.hex, *battle.attackers))}
    near = fights | {other for hex_id in fights for other in front.map.neighbours(hex_id)}
    assert "4218" in numbered and numbered <= near
    layers = [piece.layer for piece in close_up(front).pieces]
    assert max(at for at, layer in enumerate(layers) if layer == "counter") < layers.index("number")


def test_caption_says_what_is_shown(front: Board) -> None:
    """The bars name the fights, the place, the scale and the sides."""
    texts = [text for _, text in sizes(close_up(front))]
    assert any(re.fullmatch(r"R7, R108: (at|[a-z-]+ of) .+", text) for text in texts)
    assert "2 km" in texts and "DE German" in texts and "UK British" in texts
    assert "1 of 2 areas" in texts


def test_caption_without_fights(front: Board) -> None:
    """A close-up of moves or of hexes open to the reader says so."""
    quiet = replace(front, battles=())
    assert any(text.startswith("Most moves: ") for _, text in sizes(close_up(quiet)))
    landing = replace(quiet, arrows=(), entries=("4218",))
    assert any(text.startswith("Open to your units: ") for _, text in sizes(close_up(landing)))


def test_one_roll_for_two_fights_is_named_once(front: Board) -> None:
    """Fights decided by one die have one number in the caption."""
    same = replace(front, battles=tuple(replace(each, label="R7") for each in front.battles[1:]))
    assert any(re.fullmatch(r"R7: .+", text) for _, text in sizes(close_up(same)))


def test_arrows_run_beside_roads(normandy: Map) -> None:
    """A move along a road does not hide it."""
    key = next(iter(normandy.roads["main"]))
    a, b = key.split("-")
    board = Board(normandy, "", arrows=(Arrow((a, b), "german"),))
    scene = close_up(board)
    piece = next(p for p in scene.pieces if p.layer == "arrow")
    start = re.search(r'd="M([\d.-]+) ([\d.-]+)', piece.body)
    assert start
    (ax, ay), (bx, by) = (scene.frame.at(normandy.grid.center(end)) for end in (a, b))
    x, y = float(start[1]), float(start[2]) - scene.top
    off = abs((bx - ax) * (ay - y) - (ax - x) * (by - ay)) / hypot(bx - ax, by - ay)
    assert off >= 0.1 * scene.frame.size


def test_hidden_counters_stay_hidden(front: Board) -> None:
    """A close-up shows the back of an unknown counter, whatever a game forgot to leave out."""
    leaky = Counter("4218", "german", "9-9", "Lehr", "armour", hidden=True)
    scene = close_up(replace(front, counters=(leaky, replace(leaky, hidden=False, name="Open"))))
    assert not any("9-9" in p.body and "Lehr" in p.body for p in scene.pieces)
    assert "Lehr" not in scene_svg(scene)


# --- the overview ---------------------------------------------------------------------------------------


def test_overview_shows_what_is_in_play(front: Board) -> None:
    """The frame of the overview is that of the units and places that count, not of the whole map."""
    few = replace(front, counters=front.counters[:5], battles=front.battles[1:])
    far = (Mark("0102", "supply", colours="us"), Mark("0102", "control", colours="us"))
    scene = layout(replace(few, marks=far), MAP_WIDTH, "overview")
    assert not scene.frame.whole and "0102" not in in_play(replace(few, marks=far))
    assert scene.frame.size > 1.5 * layout(front, MAP_WIDTH, "whole").frame.size
    for hex_id in in_play(few):
        for near in front.map.neighbours(hex_id):
            assert scene.frame.shows(scene.frame.at(front.map.grid.center(near)))
    goal = replace(few, marks=(Mark("0402", "objective"),))
    assert layout(goal, MAP_WIDTH, "overview").frame.shows(
        layout(goal, MAP_WIDTH, "overview").frame.at(front.map.grid.center("0402"))
    )


def test_overview_has_plain_markers_and_names_to_read(beachhead: Board) -> None:
    """Counters too small for figures are plain; names are lettered as in a close-up."""
    scene = layout(beachhead, MAP_WIDTH, "overview")
    counters = [p for p in scene.pieces if p.layer == "counter"]
    assert counters and all("<text" not in p.body for p in counters)
    named = [
        size
        for p in scene.pieces
        if p.layer == "name"
        for size in map(float, re.findall(r'font-size="([\d.]+)"', p.body))
    ]
    assert named and min(named) >= READABLE


def test_close_ups_are_outlined_on_the_overview(front: Board) -> None:
    """The overview shows where the close-ups lie, with their numbers."""
    scene = layout(front, MAP_WIDTH, "overview", areas=busiest(front))
    assert [p.title for p in scene.pieces if p.title.startswith("close-up")] == ["close-up 1", "close-up 2"]


# --- size and colours -----------------------------------------------------------------------------------


def test_pictures_of_a_letter_are_slim(front: Board, beachhead: Board) -> None:
    """Two close-ups and an overview have 80 KB, one close-up 45 KB."""
    for board in (front, beachhead):
        files = Pictures().of(board)
        found = {file.cid: len(content(file)) for file in files}
        assert {"action", "map"} <= found.keys() <= {"action", "action-2", "map"}
        assert sum(found.values()) <= 80_000 and max(found.values()) <= 45_000


def test_readers_of_one_board_share_pictures(front: Board) -> None:
    """Pictures are drawn once for each board and palette."""
    pictures = Pictures()
    paper, dark = pictures.of(front), pictures.of(front, "dark")
    assert pictures.of(replace(front)) is paper and pictures.of(front, "dark") is dark
    assert content(paper[0]) != content(dark[0])
    darkest = [
        Image.open(io.BytesIO(content(files[0]))).convert("L").resize((1, 1)).getpixel((0, 0))
        for files in (paper, dark)
    ]
    assert darkest[1] < 110 < darkest[0]  # type: ignore[operator]


def content(file: Attachment) -> bytes:
    found = message_from_bytes(file.part).get_payload(decode=True)
    assert isinstance(found, bytes)
    return found


def seen(colour: str, eye: str) -> tuple[float, float, float]:
    """A colour as CIE Lab, as an eye without one kind of cones sees it (Machado and others, 2009)."""
    light = [part / 255 for part in rgb(colour)]
    light = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in light]
    light = [sum(a * b for a, b in zip(row, light, strict=True)) for row in EYES[eye]]
    light = [min(1.0, max(0.0, part)) for part in light]
    xyz = [sum(a * b for a, b in zip(row, light, strict=True)) for row in XYZ]
    f = [part ** (1 / 3) if part > 0.008856 else 7.787 * part + 16 / 116 for part in xyz]
    return 116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])


EYES = {
    "usual": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "deuteranopia": (
        (0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.011820, 0.042940, 0.968881),
    ),
    "protanopia": (
        (0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998),
    ),
}  # fmt: skip
XYZ = ((0.4339, 0.3762, 0.1899), (0.2126, 0.7152, 0.0722), (0.0177, 0.1095, 0.8728))


def apart(a: str, b: str, eye: str) -> float:
    return hypot(*(x - y for x, y in zip(seen(a, eye), seen(b, eye), strict=True)))


def sides_of(package: object) -> set[str]:
    """The palette keys that the report of a game uses."""
    report = import_module(f"{package.__name__}.report")  # type: ignore[attr-defined]
    keys = set(getattr(report, "COLOURS", {}).values()) | set(getattr(report, "LEGEND", {}))
    return {key for key in keys if key in FACES} | {"german", "ss"}


@pytest.mark.parametrize("package", GAMES, ids=lambda package: package.__name__.rpartition(".")[2])
def test_nations_are_told_apart_by_any_eye(package: object) -> None:
    """Two sides of one game differ by their letters, or by 20 in CIE Lab to every eye."""
    sides = sides_of(package)
    assert len(sides) >= 3
    for one, other in combinations(sorted(sides), 2):
        letters = NATIONS.get(one), NATIONS.get(other)
        if letters[0] == letters[1]:
            for eye in EYES:
                assert apart(FACES[one].face, FACES[other].face, eye) >= 20, (one, other, eye)


@pytest.mark.parametrize("look", [PAPER, DARK], ids=lambda look: look.name)
@pytest.mark.parametrize("eye", EYES)
def test_arrows_differ_from_roads_and_fights(look: Palette, eye: str) -> None:
    """To every eye the arrows of the nations lie 20 in CIE Lab from roads and from the stars of battles."""
    for side in NATIONS:
        arrow = face(side, look).arrow
        assert apart(arrow, look.road, eye) >= 20, side
        assert apart(arrow, look.burst, eye) >= 20, side
    assert apart(face("german", look).arrow, face("us", look).arrow, eye) >= 20


def test_condensed_letters_stay_legible() -> None:
    """The longest names of the games are narrowed to three parts in five of their width at most."""
    for name in ("41+48Cdo/4SS", "902PzG/Lehr", "StaffsYeo/27", "Recon/Lehr", "44RTR/4AB", "28Inf REPS"):
        for line in in_lines(name, READABLE, 78):
            assert text_width(line, READABLE) * 0.76 <= 80, name


@pytest.mark.parametrize("hexes", [("4218",), ("4218", "4220"), ("4218", "4120"), ("1512", "1514")])
@pytest.mark.parametrize("alone", [True, False])
def test_close_ups_end_with_a_row_of_hexes(normandy: Map, hexes: tuple[str, ...], alone: bool) -> None:
    """No band of empty paper is left above or below the hexes that are shown."""
    frame = action_frame(normandy, MAP_WIDTH, hexes, "alone" if alone else "of two")
    rows = [at[1] for at in map(frame.at, map(normandy.grid.center, normandy.grid.ids)) if frame.holds(at)]
    assert min(rows) <= 0.9 * frame.size + 2 and max(rows) >= frame.height - 0.9 * frame.size - 2


def test_frames_of_close_ups_start_on_whole_columns(front: Board) -> None:
    """So pieces and ground of one picture serve the next one."""
    one, other = (action_frame(front.map, MAP_WIDTH, [hex_id]) for hex_id in ("4218", "4318"))
    shift = (one.left - other.left) * one.size
    assert shift and abs(shift - round(shift)) < 0.01


@pytest.fixture
def crowd(normandy: Map) -> Board:
    """Three stacks in a row with counters, a mark and named places about them."""
    middle = "4218"
    near = normandy.neighbours(middle)
    far = [hex_id for each in near for hex_id in normandy.neighbours(each)]
    counters = [
        Counter(hex_id, "us", "5-4", f"{at}/101", "infantry", "regiment")
        for hex_id in (middle, near[0], near[3])
        for at in (501, 502, 506)
    ]
    lone = sorted({*far, near[1], near[4]} - {middle, near[0], near[3]})[::2]
    counters += [Counter(hex_id, "german", "7-2", "914/352", "infantry") for hex_id in lone]
    battles = (Battle(middle, "R7", (near[1],)), Battle(near[4], "R8", (near[3],)))
    marks = tuple(Mark(hex_id, "control", colours="us") for hex_id in sorted({*far})[1::4])
    return Board(normandy, "Normandy", "as the umpire", tuple(counters), (), battles, marks)


def test_strips_hide_no_counter_no_mark_and_no_half_name(crowd: Board) -> None:
    """A strip lies clear of all other counters, of marks, battles and other strips; a name that it meets is
    left out, and the line to its stack runs below names."""
    scene = close_up(crowd)
    strips = [piece for piece in scene.pieces if piece.layer == "strip"]
    assert len(strips) >= 2
    for strip in strips:
        left, top, right, bottom = strip.box()
        for piece in scene.pieces:
            if piece is strip or piece.layer not in ("counter", "mark", "battle", "strip", "name"):
                continue
            a, b, c, d = piece.box(-10) if piece.layer == "counter" else piece.box()
            assert min(right, c) - max(left, a) <= 4 or min(bottom, d) - max(top, b) <= 4, piece
    layers = [piece.layer for piece in scene.pieces]
    assert layers.index("attack") < layers.index("name")


@pytest.mark.parametrize("frame", ["action", "overview"])
def test_names_lie_clear_of_counters(beachhead: Board, crowd: Board, frame: FrameName) -> None:
    """What would lie under a counter, and could not be read, is left out."""
    board = crowd if frame == "action" else beachhead
    scene = layout(board, MAP_WIDTH, frame, areas=busiest(board))
    counters = [piece.box(-10 if frame == "action" else 0) for piece in scene.pieces if piece.counters]
    names = [piece for piece in scene.pieces if piece.layer == "name"]
    assert names
    for name in names:
        left, top, right, bottom = name.box()
        hidden = sum(
            max(0.0, min(right, c) - max(left, a)) * max(0.0, min(bottom, d) - max(top, b))
            for a, b, c, d in counters
        )
        assert hidden < 0.1 * name.width * name.height, name.body


def test_badges_hide_no_figures(front: Board) -> None:
    """The figures stand between the badges for disruption or supply and the number of counters."""
    drawn = next(p for p in close_up(front).pieces if p.layer == "counter" and p.hex == "4218").body
    at = re.search(
        r'translate\(([\d.]+) [\d.]+\) scale\(([\d.]+) 1\)"><text[^>]*font-size="18"[^>]*>14-6<', drawn
    )
    badges = {text: float(x) for x, text in re.findall(r'<text x="([\d.]+)"[^>]*>([D2])</text>', drawn)}
    assert at and set(badges) == {"D", "2"}
    half = text_width("14-6", 18, True) * float(at[2]) / 2
    middle = float(at[1]) + RADIUS
    assert badges["D"] + RADIUS - 3 <= middle - half and middle + half <= badges["2"] - RADIUS + 3


def test_a_close_up_is_as_wide_as_it_can_be(normandy: Map) -> None:
    """Seven whole columns of hexes stand in it, with as much room on either side."""
    for hex_id in ("4218", "0121", "6010"):
        frame = action_frame(normandy, MAP_WIDTH, (hex_id,))
        across = [frame.at(normandy.grid.center(each))[0] for each in normandy.grid.ids]
        held = {round(x) for x in across if 47 <= x <= MAP_WIDTH - 47}
        assert len(held) == 7 and abs(min(held) + max(held) - MAP_WIDTH) <= 1


def foot_of(scene: Scene) -> Piece:
    return [piece for piece in scene.pieces if piece.layer == "panel"][-1]


def test_the_bar_below_sets_nothing_over_anything(front: Board) -> None:
    """With sides in two rows the note stands to the right of the second one."""
    sides = ["us", "uk", "canada", "german", "ss", "luftwaffe"]
    near = front.map.neighbours("4218")
    counters = tuple(Counter(hex_id, side, "5-4", "1") for hex_id, side in zip(near, sides, strict=True))
    legend = {
        "us": "American",
        "uk": "British",
        "canada": "Canadian",
        "german": "German",
        "ss": "elite units",
    }
    board = replace(front, counters=counters, legend=legend | {"luftwaffe": "Paratroops"})
    bar = foot_of(close_up(board))
    rows: dict[str, list[tuple[float, float]]] = {}
    for found in re.finditer(r"<text([^>]*)>([^<]*)</text>", bar.body):
        at = {key: re.search(rf' {key}="([\d.]+)"', found[1]) for key in ("x", "y")}
        assert at["x"] and at["y"]
        x = float(at["x"][1])
        rows.setdefault(at["y"][1], []).append((x, x + text_width(found[2], READABLE)))
    assert len(rows) == 2
    for row in rows.values():
        assert all(end <= start for (_, end), (start, _) in zip(sorted(row), sorted(row)[1:], strict=False))


def test_a_bar_that_has_nothing_to_say_is_an_edge(front: Board) -> None:
    empty = replace(front, counters=(), battles=(), arrows=(), marks=(), entries=("4218",))
    assert foot_of(close_up(empty)).height < 10 < foot_of(close_up(front)).height
