"""Score, losses and ground over the turns: each as a picture and as the table it is drawn from."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from markupsafe import Markup, escape

from pbem.render.lettering import number
from pbem.render.palette import FACES
from pbem.render.replay.story import Story

WIDTH, HEIGHT, LEFT, BOTTOM = 380, 170, 36, 20
MOST_LINES = 6
_NUMBER = re.compile(r"[-+\u2212]?\d+(\.\d+)?")


@dataclass(frozen=True, slots=True)
class Chart:
    """A picture of some values over the turns, and its table: `columns` are the values, `rows` have the turn
    first; `sides` are the palette keys of the columns, "" for what belongs to no side."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    picture: Markup
    sides: tuple[str, ...]


def charts(story: Story) -> Iterator[Chart]:
    """Yield what there is to draw: the score where it is in numbers, the losses, the ground held."""
    begins = min((step.chapter for step in story.tracks[0].steps), default=0)
    turns = list(dict.fromkeys(chapter.turn for chapter in story.chapters[begins:]))
    scores: dict[str, dict[int, float]] = {}
    for chapter in story.chapters:
        for what, value, _ in chapter.figures:
            if _NUMBER.fullmatch(value):
                scores.setdefault(what, {})[chapter.turn] = float(value.replace("\u2212", "-"))
    moving = {what: values for what, values in scores.items() if len(set(values.values())) > 1}
    if moving:
        yield _chart("Score at the end of each turn", turns, dict(list(moving.items())[:MOST_LINES]))
    lost: dict[str, dict[int, float]] = {}
    held: dict[str, dict[int, float]] = {}
    names = {player.side: player.title for player in story.players} | story.board.legend
    keys = {name: key for key, name in names.items() if key in FACES}
    for step in story.tracks[0].steps:
        turn = story.chapters[step.chapter].turn
        for mark in step.signs:
            if mark.kind == "lost" and mark.text.isdecimal():
                values = lost.setdefault(names.get(mark.colours, mark.colours), {})
                values[turn] = values.get(turn, 0.0) + int(mark.text)
        if step.marks is not None:
            control = [mark.colours for mark in step.marks if mark.kind == "control"]
            for colours in {*control, *held}:
                held.setdefault(colours, {})[turn] = float(control.count(colours))
    if lost:
        told = {side: _summed(values, turns) for side, values in lost.items()}
        yield _chart("Losses so far, as the log counts them", turns, told, keys)
    places = {names.get(key, key): _carried(values, turns) for key, values in held.items() if key}
    if places:
        yield _chart("Places held at the end of each turn", turns, places, keys)


def _summed(values: Mapping[int, float], turns: Sequence[int]) -> dict[int, float]:
    total, told = 0.0, {}
    for turn in turns:
        total += values.get(turn, 0.0)
        told[turn] = total
    return told


def _carried(values: Mapping[int, float], turns: Sequence[int]) -> dict[int, float]:
    last, told = 0.0, {}
    for turn in turns:
        last = values.get(turn, last)
        told[turn] = last
    return told


def _chart(
    title: str,
    turns: Sequence[int],
    lines: Mapping[str, Mapping[int, float]],
    keys: Mapping[str, str] = MappingProxyType({}),
) -> Chart:
    rows = tuple((f"Turn {turn}", *(_told(values.get(turn)) for values in lines.values())) for turn in turns)
    sides = tuple(keys.get(name, "") for name in lines)
    return Chart(title, tuple(lines), rows, _picture(title, turns, lines, sides), sides)


def _told(value: float | None) -> str:
    return "" if value is None else f"{value:g}".replace("-", "\u2212")


def _text(x: float, y: float, anchor: str, words: str) -> str:
    return f'<text class="axt" x="{number(x)}" y="{number(y)}" text-anchor="{anchor}">{words}</text>'


def _picture(
    title: str, turns: Sequence[int], lines: Mapping[str, Mapping[int, float]], sides: Sequence[str]
) -> Markup:
    values = [value for line in lines.values() for value in line.values()]
    low, high = min(0.0, *values), max(1.0, *values)
    spread = high - low

    def x(turn: int) -> float:
        return LEFT + (WIDTH - LEFT - 8) * (turns.index(turn) + 0.5) / len(turns)

    def y(value: float) -> float:
        return 6 + (HEIGHT - BOTTOM - 12) * (high - value) / spread

    told = []
    for value in sorted({low, (low + high) / 2, high}):
        told.append(f'<path class="ax" d="M{LEFT} {number(y(value))}H{WIDTH}"/>')
        told.append(_text(LEFT - 5, y(value) + 4, "end", _told(round(value, 1))))
    every = max(1, len(turns) // 12)
    for turn in turns[::every]:
        told.append(_text(x(turn), HEIGHT - 5, "middle", str(turn)))
    for at, (name, line) in enumerate(lines.items()):
        colour = f' style="--l:var(--s-{sides[at]})"' if sides[at] else ""
        points = [f"{number(x(turn))} {number(y(line[turn]))}" for turn in turns if turn in line]
        told.append(
            f'<path class="ln l{at}" d="M{"L".join(points)}"{colour}><title>{escape(name)}</title></path>'
        )
    return Markup(
        f'<svg viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label="{escape(title)}">{"".join(told)}</svg>'
    )
