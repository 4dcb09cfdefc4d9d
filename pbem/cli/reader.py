"""The reader of a replay: a terminal that shows the log and the map of a game, step by step, and obeys keys.

`Reader` knows what is shown and what a key does; `read` puts it on a screen with curses. Each phase is
adjudicated anew, so while no key is pressed the next steps are read.
"""

from __future__ import annotations

import curses
import locale
import os
import re
import signal
import sys
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cache
from time import monotonic
from typing import TYPE_CHECKING

import click

from pbem.cli import terminal
from pbem.render.palette import FACES
from pbem.render.window import Place, Span, key, window

if TYPE_CHECKING:
    from pbem.service.letters.telling import Scene

WIDE = 130
"""From this many columns on, log and map are side by side."""

MOST_LOG = 78
"""Most columns of the log beside a map."""

LEAST = (40, 10)
"""Fewest columns and rows of a screen."""

MOST_HERE = 30
"""A step that changes more hexes than this is not about any of them."""

REDRAWN = 0.25
"""Seconds after which the screen is drawn again while steps are being read."""

WAKES = 500
"""Milliseconds after which a wait for a key ends without one: a signal that comes just before the wait does
not end it, and is obeyed then."""

ESCAPE, ENTER, ERASE = "\x1b", ("\n", "\r"), ("\x7f", "\b")

HELP = """\
next, previous step         right, space, Enter    left, b, Backspace
next, previous phase        down, j                up, k
next, previous turn         page down              page up
next, previous battle       c                      C
first, last step            g, Home                G, End
turn 3                      t3 Enter
roll R22                    r22 Enter
search, next, previous hit  /word Enter            n                   N
only steps with a word      fword Enter            f Enter: all steps again
map on or off               m
units in these hexes        u
picture of the map          p
help                        ?
quit                        q

Esc cancels what is being typed or looked for. Where a step is longer than its
pane, space shows the rest of it first.

On the map a letter is a side, a figure the number of units in the hex; a ? is
an unknown unit. The hexes of the step are shown in reverse, as are its lines."""

WORD = re.compile(r"[\w/.+-]*\w")

Lines = list[list[Span]]
Fits = Callable[["Scene"], bool]


class Book:
    """The steps of a game as far as they have been read. `error` is what stopped the reading."""

    def __init__(self, scenes: Iterator[Scene]) -> None:
        self.scenes: list[Scene] = []
        self.done = False
        self.error: Exception | None = None
        self._coming = scenes
        self._ahead: Scene | None = None

    def read_on(self) -> None:
        """Read the next step, if there is one; with the last it is known that no other follows."""
        try:
            self.scenes.append(self._ahead or next(self._coming))
            self._ahead = next(self._coming)
        except StopIteration:
            self.done = True
        except Exception as error:
            self.done, self.error = True, error


class Reader:
    """What the screen shows. `at` is the step, from 0; `wanted` looks for another one among those that are
    still being read, `typed` is what is being typed."""

    def __init__(self, book: Book, maps: bool = True) -> None:
        self.book = book
        self.maps = maps
        self.at = 0
        self.message = ""
        self.typed = ""
        self.wanted: tuple[int, Fits, str] | None = None
        self.over = False
        self.shows_picture = False
        self._pages: list[str] = []
        """Lines shown in place of log and map, from `_scrolled` on."""
        self._scrolled = 0
        self._more = False
        self._word = ""
        self._only = ""
        """The word that a step must have to be stopped at when stepping."""
        self._corner: Place | None = None
        self._blocks: dict[tuple[int, int], Lines] = {}

    # --- keys -----------------------------------------------------------------------------------------------

    def press(self, pressed: str) -> None:
        """Do what a key asks for: a character, or the name of a key as curses has it."""
        self.message = ""
        if self.typed:
            self._type(pressed)
        elif self._pages:
            self._turn_over(pressed)
        elif pressed in KEYS:
            KEYS[pressed](self)
        elif pressed != ESCAPE:
            self.message = f"no such key: {named(pressed)}. ? lists the keys"

    def _type(self, pressed: str) -> None:
        if pressed == ESCAPE:
            self.typed = ""
        elif pressed in (*ERASE, "KEY_BACKSPACE"):
            self.typed = self.typed[:-1]
        elif pressed in (*ENTER, "KEY_ENTER"):
            asked, self.typed = self.typed, ""
            self._asked(asked[0], asked[1:].strip())
        elif len(pressed) == 1 and pressed.isprintable():
            self.typed += pressed

    def _asked(self, what: str, word: str) -> None:
        """Go to the turn, the roll or the word that was typed."""
        if what == "/":
            self._word = word.casefold() or self._word
            self._hit(1)
        elif what == "f":
            self._narrow(word)
        elif not word.isdecimal():
            self.message = f'"{word}" is not a number' if word else ""
        elif what == "t":
            self.go(0, lambda scene: scene.chapter.turn == int(word), f"turn {word}")
        else:
            self.go(0, lambda scene: int(word) in scene.step.rolls, f"roll R{word}")

    def _hit(self, by: int) -> None:
        if not self._word:
            self.message = "no word to search for: type / and the word"
            return
        self.go(self.at + by, lambda scene: self._word in text_of(scene).casefold(), f'"{self._word}"', by)

    def _narrow(self, word: str) -> None:
        """From now on step only to steps with a word, beginning with this one or the next; "" is all. A word
        that no step has, as far as they have been read, changes nothing."""
        before, self._only = self._only, word.casefold()
        if word:
            first = self.at if any(map(self._wanted_step, self.book.scenes[self.at :])) else 0
            self.go(first, self._wanted_step, self._named_step)
        if self.message:
            self.message, self._only = self.message.removesuffix(" further on"), before

    def _wanted_step(self, scene: Scene) -> bool:
        return self._only in text_of(scene).casefold()

    @property
    def _named_step(self) -> str:
        return f'step with "{self._only}"' if self._only else "step"

    def _turn_over(self, pressed: str) -> None:
        """Obey a key while lines are shown in place of the game."""
        if pressed in (" ", "KEY_DOWN", "KEY_NPAGE", "j") and self._more:
            self._scrolled += 1 if pressed in ("KEY_DOWN", "j") else 10
        elif pressed in ("KEY_UP", "KEY_PPAGE", "k", "b"):
            self._scrolled = max(0, self._scrolled - (1 if pressed in ("KEY_UP", "k") else 10))
        else:
            self._pages, self._scrolled = [], 0

    # --- going about ----------------------------------------------------------------------------------------

    def go(self, start: int, fits: Fits, what: str, by: int = 1) -> None:
        """Go to the first step from `start` on that fits, `by` 1 forwards or -1 backwards; `what` names it. A
        step that is not there yet is waited for."""
        scenes = self.book.scenes
        while 0 <= start < len(scenes):
            if fits(scenes[start]):
                self.at, self._scrolled, self.wanted = start, 0, None
                return
            start += by
        if by > 0 and not self.book.done:
            self.wanted = start, fits, what
            return
        self.wanted = None
        self.message = f"no {what} {'further on' if by > 0 else 'before this'}"
        if what.startswith(("turn", "roll")):
            self.message = f"no {what} in this game, as far as you can see it"

    def look_on(self) -> None:
        """Go on looking for the step that is waited for."""
        if self.wanted is not None:
            self.go(*self.wanted)

    def step(self, by: int) -> None:
        if by > 0 and self._more:
            self._scrolled += 1
        else:
            self.go(self.at + by, self._wanted_step, self._named_step, by)

    def part(self, by: int, part: Callable[[Scene], int], what: str) -> None:
        """Go to the first step of the next phase or turn, or of the one before."""
        here = part(self.scene)
        if by > 0:
            self.go(self.at, lambda scene: part(scene) > here, what)
            return
        scenes = self.book.scenes
        first = next((at for at, scene in enumerate(scenes) if part(scene) == here), 0)
        before = part(scenes[first - 1]) if first and self.at == first else here
        if self.at == first == 0:
            self.message = f"no {what} before this"
        else:
            self.go(0, lambda scene: part(scene) == before, what)

    def battle(self, by: int) -> None:
        self.go(self.at + by, lambda scene: bool(scene.step.battles), "battle", by)

    def last(self) -> None:
        scenes = self.book.scenes
        self.go(self.at, lambda scene: self.book.done and scene is scenes[-1], "last step")

    @property
    def scene(self) -> Scene:
        return self.book.scenes[self.at]

    # --- what is shown --------------------------------------------------------------------------------------

    def ask(self, what: str) -> None:
        self.typed = what

    def show(self, lines: Sequence[str]) -> None:
        self._pages, self._scrolled = list(lines), 0

    def show_units(self) -> None:
        """Show the units in the hexes of the step, then all others."""
        from pbem.render.terminal import units

        here, every = hexes_of(self.scene), units(self.scene.board)
        near = [line for line in every if line.split(" ")[0] in here]
        self.show([*(["Units in these hexes", *near, ""] if near else []), "All units", *every])

    def flip_map(self) -> None:
        self.maps = not self.maps

    def picture(self) -> None:
        self.shows_picture = True

    def quit(self) -> None:
        self.over = True

    def screen(self, columns: int, rows: int) -> Lines:
        """Return the lines of a screen of this size."""
        if columns < LEAST[0] or rows < LEAST[1]:
            return [[Span(f"at least {LEAST[0]} columns, {LEAST[1]} rows"[:columns])]]
        if not self.book.scenes:
            return [[Span("No step yet" if self.book.done else "Reading ...", "faint")]]
        height = rows - 2
        if self._pages:
            body = self._shown_pages(height)
        elif not self.maps:
            body = self._log(columns, height)
        elif columns >= WIDE:
            log = min(MOST_LOG, columns * 2 // 5)
            beside = zip(self._log(log, height), self._map(columns - log - 3, height), strict=True)
            body = [[*fitted(left, log), Span(" │ ", "faint"), *right] for left, right in beside]
        else:
            high = height // 2
            rule = [Span("─" * columns, "faint")]
            body = [*self._map(columns, high), rule, *self._log(columns, height - high - 1)]
        return [self._title(columns), *body, self._status(columns)]

    def _title(self, columns: int) -> list[Span]:
        scene = self.scene
        of = f" of {len(self.book.scenes)}" if self.book.done else ""
        only = f' only "{self._only}" ·' if self._only else ""
        place = f"{only} step {self.at + 1}{of} "[-columns:]
        title = f" {scene.board.title}"[: columns - len(place)]
        return [Span(title.ljust(columns - len(place)) + place, "head", True)]

    def _status(self, columns: int) -> list[Span]:
        if self.typed:
            asked = {"/": "search: ", "f": "only steps with: ", "t": "turn: ", "r": "roll: R"}[self.typed[0]]
            return [Span(f"{asked}{self.typed[1:]}_"[-columns:], "head")]
        told = self.message
        if self.wanted is not None:
            told = f"reading on to {self.wanted[2]} ... Esc stops"
        elif self.book.error is not None and not told:
            told = f"stopped here: {self.book.error}"
        keys = (
            "any other key: back to the game"
            if self._pages
            else "space next  b back  / search  ? keys  q quit"
        )
        return [Span((told or keys)[:columns], "head" if told else "faint")]

    def _shown_pages(self, height: int) -> Lines:
        self._scrolled = max(0, min(self._scrolled, len(self._pages) - height))
        self._more = len(self._pages) > self._scrolled + height
        shown = self._pages[self._scrolled : self._scrolled + height]
        return [[Span(line)] for line in shown] + [[] for _ in range(height - len(shown))]

    def _map(self, columns: int, height: int) -> Lines:
        scene = self.scene
        lines, self._corner = window(scene.board, columns, height - 1, hexes_of(scene), self._corner)
        return [*lines, key(scene.board)]

    def _log(self, width: int, height: int) -> Lines:
        """Return the lines around the step, which are marked, with some of what comes before."""
        now = [[span._replace(here=True) for span in line] for line in self._block(self.at, width)]
        head = self._heading(self.at, width)
        page = max(1, height - len(head))
        if len(now) > page:
            begin = min(self._scrolled * page, len(now) - page)
            self._more = begin + page < len(now)
            return [*head, *now[begin : begin + page]]
        self._more = False
        lines, before, after = [*head, *now], self.at - 1, self.at + 1
        room = min(height // 3, height - len(lines))
        above: Lines = []
        while before >= 0 and len(above) < room:
            above = [*self._heading(before, width), *self._block(before, width), *above]
            before -= 1
        lines = [*above[len(above) - room :], *lines] if len(above) > room else [*above, *lines]
        while after < len(self.book.scenes) and len(lines) < height:
            lines += [*self._heading(after, width), *self._block(after, width)]
            after += 1
        return (lines + [[] for _ in range(height)])[:height]

    def _heading(self, at: int, width: int) -> Lines:
        """Return the title of a phase before its first step."""
        chapter = self.book.scenes[at].chapter
        if at and self.book.scenes[at - 1].chapter.number == chapter.number:
            return []
        return [[Span(chapter.title[:width], "head")]]

    def _block(self, at: int, width: int) -> Lines:
        """Return a step in words."""
        from pbem.service.letters.wrapping import short_lines

        if (at, width) not in self._blocks:
            scene = self.book.scenes[at]
            sides = sides_of(*self.book.scenes[max(0, at - 1) : at + 1])
            lines: Lines = []
            for order in scene.step.orders:
                seat, told = order.seat, short_lines(f"> {order.seat}: {order.text}", width)
                rest = told[0].removeprefix(f"> {seat}")
                lines += [
                    [Span("> ", "faint"), Span(seat, seat), *coloured(rest, sides)],
                    *(coloured(line, sides) for line in told[1:]),
                ]
            lines += [
                coloured(short, sides) for line in scene.step.lines for short in short_lines(line, width)
            ]
            self._blocks[at, width] = lines or [[Span("(units change)", "faint")]]
        return self._blocks[at, width]


KEYS: dict[str, Callable[[Reader], None]] = {}


def _bind(does: Callable[[Reader], None], *keys: str) -> None:
    KEYS.update(dict.fromkeys(keys, does))


_bind(lambda reader: reader.step(1), " ", "KEY_RIGHT", "KEY_ENTER", *ENTER)
_bind(lambda reader: reader.step(-1), "b", "KEY_LEFT", "KEY_BACKSPACE", *ERASE)
_bind(lambda reader: reader.part(1, lambda scene: scene.chapter.number, "phase"), "j", "KEY_DOWN")
_bind(lambda reader: reader.part(-1, lambda scene: scene.chapter.number, "phase"), "k", "KEY_UP")
_bind(lambda reader: reader.part(1, lambda scene: scene.chapter.turn, "turn"), "KEY_NPAGE")
_bind(lambda reader: reader.part(-1, lambda scene: scene.chapter.turn, "turn"), "KEY_PPAGE")
_bind(lambda reader: reader.battle(1), "c")
_bind(lambda reader: reader.battle(-1), "C")
_bind(lambda reader: reader.go(0, lambda scene: True, "step"), "g", "KEY_HOME")
_bind(Reader.last, "G", "KEY_END")
_bind(lambda reader: reader.ask("t"), "t")
_bind(lambda reader: reader.ask("r"), "r")
_bind(lambda reader: reader.ask("/"), "/")
_bind(lambda reader: reader.ask("f"), "f")
_bind(lambda reader: reader._hit(1), "n")
_bind(lambda reader: reader._hit(-1), "N")
_bind(Reader.flip_map, "m")
_bind(Reader.show_units, "u")
_bind(Reader.picture, "p")
_bind(lambda reader: reader.show(HELP.splitlines()), "?")
_bind(Reader.quit, "q")


def named(pressed: str) -> str:
    """Return the name of a key for people: ``F5``, ``x``, ``^A``."""
    if len(pressed) == 1:
        return pressed if pressed.isprintable() else f"^{chr(ord(pressed) ^ 64)}"
    return re.sub(r"KEY_|[()]", "", pressed).replace("_", " ").capitalize()


def text_of(scene: Scene) -> str:
    """Return all words of a step, with the title of its phase."""
    orders = (f"{order.seat}: {order.text}" for order in scene.step.orders)
    return "\n".join([scene.chapter.title, *orders, *scene.step.lines])


def hexes_of(scene: Scene) -> list[str]:
    """Return the hexes that a step is about, the most important first."""
    step = scene.step
    found = [hex for battle in step.battles for hex in (battle.hex, *battle.attackers)]
    found += [hex for arrow in step.arrows for hex in reversed(arrow.path)]
    found += [mark.hex for mark in step.signs]
    if not found and len(step.stacks) <= MOST_HERE:
        found = list(step.stacks)
    return list(dict.fromkeys(found))


def sides_of(*scenes: Scene) -> dict[str, str]:
    """Return the side of each unit that is on a map of these scenes, by its name; not of names that both
    sides have, or that are mere numbers."""
    named: dict[str, set[str]] = {}
    for counter in (counter for scene in scenes for counter in scene.board.counters):
        for name in {counter.name, counter.unit}:
            named.setdefault(name, set()).add(counter.colours)
    return {name: next(iter(of)) for name, of in named.items() if len(of) == 1 and not name.isdigit()}


def coloured(line: str, sides: Mapping[str, str]) -> list[Span]:
    """Return a line with the names of units in the colours of their sides."""
    names = {word: sides[word] for word in set(WORD.findall(line)) if word in sides}
    names |= {name: side for name, side in sides.items() if " " in name and name in line}
    if not names:
        return [Span(line)]
    longest = sorted(map(re.escape, names), key=len, reverse=True)
    parts = re.split(rf"(?<![\w/+-])({'|'.join(longest)})(?![\w/+-])", line)
    return [Span(part, names[part] if at % 2 else "") for at, part in enumerate(parts) if part]


def fitted(spans: Sequence[Span], width: int) -> list[Span]:
    """Return a line cut or filled to a width."""
    line: list[Span] = []
    for span in spans:
        line.append(span._replace(text=span.text[:width]))
        width -= len(line[-1].text)
    return [*line, Span(" " * width)]


# --- the screen ---------------------------------------------------------------------------------------------


def has_screen() -> bool:
    """Whether standard input and output are a terminal that curses can draw on."""
    if not (terminal.is_terminal(sys.stdin) and terminal.is_watched()) or os.environ.get("TERM") == "dumb":
        return False
    try:
        curses.setupterm()
    except curses.error:
        return False
    return True


def read(scenes: Callable[[], Iterator[Scene]], turn: int | None = None, maps: bool = True) -> None:
    """Show a replay until its reader quits. `scenes` opens it, when the screen is there already. Raises what
    stopped the reading, once the screen is closed."""
    locale.setlocale(locale.LC_ALL, "")
    os.environ.setdefault("ESCDELAY", "25")
    before = {ends: signal.signal(ends, _stop) for ends in (signal.SIGTERM, signal.SIGHUP)}
    screen = curses.initscr()
    try:
        _prepare(screen)
        screen.addstr(0, 0, "Reading ...")
        screen.refresh()
        book = Book(scenes())
        reader = Reader(book, maps)
        if turn is not None:
            reader.go(0, lambda scene: scene.chapter.turn >= turn, f"turn {turn}")
        _obey(screen, reader)
    finally:
        curses.endwin()
        for ends, handler in before.items():
            signal.signal(ends, handler)
    if book.error is not None:
        raise book.error


def _stop(number: int, frame: object) -> None:
    """End the reader on a signal, so that the terminal is given back."""
    raise SystemExit(128 + number)


def _prepare(screen: curses.window) -> None:
    curses.noecho()
    curses.cbreak()
    screen.keypad(True)
    with suppress(curses.error):  # a terminal whose cursor cannot be hidden
        curses.curs_set(0)
    if terminal.is_coloured() and curses.has_colors():
        curses.start_color()
        curses.use_default_colors()


def _obey(screen: curses.window, reader: Reader) -> None:
    """Draw, and do what the keys say; those pressed while a step is looked for wait until it is there."""
    waiting: deque[str] = deque()
    book = reader.book
    while not reader.over:
        reader.look_on()
        _draw(screen, reader)
        busy = reader.wanted is not None or not (book.scenes or book.done)
        if waiting and not busy:
            reader.press(waiting.popleft())
        else:
            pressed = _next_key(screen, book)
            if pressed == ESCAPE and busy:
                reader.wanted = None
                waiting.clear()
            elif pressed == "q" and busy:
                return
            elif pressed:
                waiting.append(pressed)
        if reader.shows_picture:
            reader.shows_picture = False
            _show_picture(screen, reader)


def _next_key(screen: curses.window, book: Book) -> str:
    """Return the next key; read on meanwhile. "" if it is time to draw what has been read, or a screen of
    another size."""
    began, first = monotonic(), not book.scenes
    while not book.done:
        screen.timeout(0)
        if pressed := _pressed(screen):
            return pressed
        book.read_on()
        if first or book.done or monotonic() - began > REDRAWN:
            return ""
    screen.timeout(WAKES)
    size = screen.getmaxyx()
    while not (pressed := _pressed(screen)) and screen.getmaxyx() == size:
        continue
    return pressed


def _pressed(screen: curses.window) -> str:
    """Return the key that is pressed, "" if none is or the size of the terminal has changed."""
    try:
        pressed = screen.get_wch()
    except curses.error:
        return ""
    if isinstance(pressed, str):
        return pressed
    if pressed == curses.KEY_RESIZE:
        curses.update_lines_cols()
        return ""
    return curses.keyname(pressed).decode()


def _draw(screen: curses.window, reader: Reader) -> None:
    rows, columns = screen.getmaxyx()
    screen.erase()
    for row, line in enumerate(reader.screen(columns, rows)[:rows]):
        column = 0
        for text, style, here in line:
            with suppress(curses.error):  # the last cell of a screen can be written, but not left
                screen.addnstr(row, column, text, columns - column, _look(style) | here * curses.A_REVERSE)
            column += len(text)
            if column >= columns:
                break
    screen.refresh()


@cache
def _look(style: str) -> int:
    """Return the attributes of a style; those of a side are its colours."""
    plain = {"head": curses.A_BOLD, "faint": curses.A_DIM, "town": curses.A_BOLD, "battle": curses.A_BOLD}
    if not terminal.is_coloured() or not curses.has_colors():
        return plain.get(style, curses.A_BOLD if style in FACES else 0)
    few = {"river": curses.COLOR_CYAN, "battle": curses.COLOR_RED, "town": curses.COLOR_YELLOW}
    if style in few:
        return _pair(few[style], -1) | plain.get(style, 0)
    if style not in FACES:
        return plain.get(style, 0)
    face = FACES[style]
    if curses.COLORS >= 256:
        return _pair(_of_256(face.ink), _of_256(face.face)) | curses.A_BOLD
    return _pair(curses.COLOR_RED if face.stripe else curses.COLOR_GREEN, -1) | curses.A_BOLD


@cache
def _pair(ink: int, paper: int) -> int:
    number = _pair.cache_info().misses
    curses.init_pair(number, ink, paper)
    return curses.color_pair(number)


def _of_256(colour: str) -> int:
    """Return the colour of a cube of 6 by 6 by 6 that is nearest to ``#rrggbb``."""
    levels = (0, 95, 135, 175, 215, 255)
    red, green, blue = (
        min(range(6), key=lambda at: abs(levels[at] - int(colour[begin : begin + 2], 16)))
        for begin in (1, 3, 5)
    )
    return 16 + 36 * red + 6 * green + blue


def _show_picture(screen: curses.window, reader: Reader) -> None:
    """Show the map as a picture until a key is pressed."""
    from pbem import render

    rows, columns = screen.getmaxyx()
    drawn = render.half_block(render.png(reader.scene.board), columns, rows - 1)
    curses.def_prog_mode()
    curses.endwin()
    click.clear()
    click.echo(drawn, nl=False)
    click.echo("any key: back to the game", nl=False)
    click.getchar()
    curses.reset_prog_mode()
    screen.redrawwin()
