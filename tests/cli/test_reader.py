"""The reader of a replay in a terminal: its screens, its keys, and how it leaves the terminal.

``pytest --golden tests/cli/test_reader.py`` writes the screens in tests/cli/screens anew.
"""

from __future__ import annotations

import signal
import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from sizes import some

from pbem.cli.reader import HELP, KEYS, Book, Reader, coloured, named, sides_of, text_of
from pbem.cli.replay import changes
from pbem.service.letters.telling import Scene
from pbem.service.record.store import Store
from pbem.service.tools.queries import scenes, tell
from tests.cli.terminal_kit import Live, in_terminal
from tests.cli.test_commands import ok

SCREENS = Path(__file__).parent / "screens"
RIGHT, LEFT, UP, DOWN = "\x1bOC", "\x1bOD", "\x1bOA", "\x1bOB"
PAGE_UP, PAGE_DOWN, HOME, END = "\x1b[5~", "\x1b[6~", "\x1b[1~", "\x1b[4~"


@pytest.fixture(scope="module")
def fought(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A game of Rampage that bots have played to its end."""
    file = tmp_path_factory.mktemp("read") / "rampage.pbem"
    ok("new", "rampage", "-o", file, "--seed", "7", "--player", "allied=bot:greedy")
    return file


@pytest.fixture(scope="module")
def told(fought: Path) -> list[Scene]:
    store = Store.open(str(fought))
    found = list(scenes(store, None))
    store.close()
    return found


@pytest.fixture
def live(fought: Path) -> Iterator[Callable[..., Live]]:
    """Opens the game in a terminal, and waits until it has been read to its end."""
    opened: list[Live] = []

    def start(*words: str, columns: int = 80, rows: int = 24, **more: str) -> Live:
        opened.append(Live("replay", fought, *words, columns=columns, rows=rows, **more))
        opened[-1].until(lambda text: " of " in text.splitlines()[0])
        return opened[-1]

    yield start
    for each in opened:
        each.close()


SCRIPT = [
    ("first", ""),
    ("third step", "  "),
    ("battle", "c"),
    ("battle by battle", "cC"),
    ("next phase", DOWN),
    ("turn 2", "t2\r"),
    ("typing", "r2"),
    ("roll", "\r"),
    ("no such roll", "r9999\r"),
    ("found", "/attack\r"),
    ("only", "gf1pola\r"),
    ("only, next", " "),
    ("all again", "f\r"),
    ("no map", "m"),
    ("help", "m?"),
    ("units", " u"),
    ("unknown key", "qx"),
    ("last", "G"),
]
"""The name of each screen and the keys that lead to it from the one before."""


@pytest.mark.parametrize(("columns", "rows"), some([(80, 24), (200, 60)], 1))
def test_screens(live: Callable[..., Live], columns: int, rows: int, request: pytest.FixtureRequest) -> None:
    shown = live(columns=columns, rows=rows)
    golden = SCREENS / f"{columns}x{rows}.txt"
    if request.config.getoption("--golden"):
        golden.parent.mkdir(exist_ok=True)
        screens = []
        for name, keys in SCRIPT:
            shown.press(keys)
            shown.read(1)
            screens.append(f"=== {name}\n{shown.text()}")
        golden.write_text("".join(screens), encoding="utf-8")
    else:
        wanted = golden.read_text(encoding="utf-8").split("=== ")[1:]
        for (name, keys), screen in zip(SCRIPT, wanted, strict=True):
            shown.press(keys)
            shown.comes_to(screen.removeprefix(f"{name}\n"))
    shown.press("q")
    assert shown.ends() == 0
    assert shown.sent.index(b"\x1b[?1049h") < shown.sent.index(b"\x1b[?1049l")
    assert b"\x1b[?25h" in shown.sent or b"\x1b[34h\x1b[?25h" in shown.sent


@pytest.mark.dear
def test_line_and_hexes_are_marked_together(live: Callable[..., Live], told: list[Scene]) -> None:
    """In reverse: the lines of the step, and its hexes on the map."""
    shown = live(columns=200, rows=60)
    shown.press("c")
    at, battle = next((at, scene) for at, scene in enumerate(told) if scene.step.battles)
    shown.shows(f"step {at + 1} of")
    marked = " ".join(shown.marked().split())
    assert battle.step.lines[0].split()[-1] in marked
    assert "*" in marked


@pytest.mark.dear
def test_resize(live: Callable[..., Live]) -> None:
    """The screen fills a terminal of any size, and says so where it is too small for it."""
    shown = live()
    for columns, rows in ((132, 40), (60, 15), (40, 10), (30, 8), (80, 24)):
        shown.resize(columns, rows)
        if columns < 40:
            shown.shows("at least 40 columns")
        else:
            shown.until(lambda text: text.splitlines()[-1].startswith("space next"))
            shown.until(lambda text: "step 1 of" in text.splitlines()[0])
    shown.press("q")
    assert shown.ends() == 0


def test_interrupt(live: Callable[..., Live]) -> None:
    """Ctrl-C ends the reader and gives the terminal back."""
    shown = live()
    shown.press("\x03")
    assert shown.ends() == 1
    assert b"\x1b[?1049l" in shown.sent and b"Traceback" not in shown.sent


BESIDE = """
import os, signal, threading, time
def beside():
    while not os.path.exists(os.environ["NOW"]):
        time.sleep(0.01)
    signal.pthread_kill(threading.get_ident(), signal.SIGINT)
threading.Thread(target=beside, daemon=True).start()
"""
"""A thread that takes an interrupt while the reader waits for a key, which does not end the wait."""


def test_an_interrupt_that_does_not_end_the_wait_for_a_key(fought: Path, tmp_path: Path) -> None:
    """As one that comes just before the wait begins: it is obeyed without another key."""
    shown = Live("replay", fought, before=BESIDE, NOW=str(tmp_path / "now"))
    shown.until(lambda text: " of " in text.splitlines()[0])
    (tmp_path / "now").touch()
    assert shown.ends(20) == 1
    shown.close()


@pytest.mark.parametrize("ends", some([signal.SIGTERM, signal.SIGHUP], 1))
def test_a_signal_gives_the_terminal_back(live: Callable[..., Live], ends: signal.Signals) -> None:
    shown = live()
    shown.process.send_signal(ends)
    assert shown.ends() == 128 + ends
    assert b"\x1b[?1049l" in shown.sent and b"Traceback" not in shown.sent


def test_keys_can_be_pressed_at_once(fought: Path) -> None:
    """Those pressed before anything is shown are obeyed, in their order."""
    shown = Live("replay", fought)
    shown.press("Gbg m/combat\r")
    shown.press("q")
    assert shown.ends() == 0
    shown.close()


@pytest.mark.dear
def test_no_colours(live: Callable[..., Live]) -> None:
    """Colours of the sides where the terminal has them; none with NO_COLOR."""
    coloured = (b"[38;5", b"[48;5", b"[31m", b"[33m", b"[36m")
    shown, plain = live(), live(NO_COLOR="1")
    assert any(each in shown.sent for each in coloured)
    assert not any(each in plain.sent for each in coloured)


def test_a_picture_and_back(live: Callable[..., Live]) -> None:
    shown = live()
    shown.press("p")
    assert "▀" in shown.shows("any key: back")
    shown.press("x")
    assert "step 1 of" in shown.shows("space next")


def test_seat_and_turn(live: Callable[..., Live]) -> None:
    """A seat reads what it may know; --turn begins with a turn, --no-map without a map."""
    shown = live("--seat", "allied", "--turn", "2", "--no-map")
    assert "Turn 2" in shown.text().splitlines()[0]
    assert "─" not in shown.text()


@pytest.mark.dear
def test_without_a_screen_the_pages_are_printed(fought: Path) -> None:
    shown = in_terminal("replay", fought, "--no-pager", TERM="dumb")
    assert "== 1  Turn 1" in shown and "\x1b" not in shown
    shown = in_terminal("replay", fought, "--no-pager", TERM="unheard-of")
    assert "== 1  Turn 1" in shown


def test_a_game_that_comes_out_otherwise(fought: Path, tmp_path: Path) -> None:
    """What can be read is shown, then the difference; the exit code is 1."""
    file = tmp_path / "other.pbem"
    file.write_bytes(fought.read_bytes())
    with sqlite3.connect(file) as base:
        base.execute("update phase set state_hash = 'x' where number = 3")
    base.close()
    shown = Live("replay", file)
    shown.shows("stopped here")
    shown.press("q")
    assert shown.ends() == 1
    shown.close()


# --- without a terminal -------------------------------------------------------------------------------------


def test_scenes_are_the_steps_of_the_page(fought: Path) -> None:
    """The umpire, and each seat, reads the steps of the HTML page, each once."""
    store = Store.open(str(fought))
    for reader in ("umpire", "allied"):
        page = tell(store, None, reader).tracks[0].steps
        assert [scene.step for scene in scenes(store, None, reader)] == page
    store.close()


@pytest.fixture
def reader(told: list[Scene]) -> Reader:
    return Reader(read_up(told))


def read_up(told: list[Scene]) -> Book:
    book = Book(iter(told))
    while not book.done:
        book.read_on()
    return book


def test_every_key_of_the_help_is_one(reader: Reader) -> None:
    """And the help names every key."""
    words = {word.strip(",") for line in HELP.splitlines()[:15] for word in line[28:].split()}
    for pressed in KEYS:
        for name in {" ": "space", "\n": "Enter", "\r": "Enter", "\x7f": "Backspace", "\b": "Backspace"}.get(
            pressed, named(pressed) if len(pressed) > 1 else pressed
        ).split():
            known = {"Npage": "down", "Ppage": "up"}.get(name, name)
            assert known in words or known.lower() in words or f"{known}3" in words or "/word" in words, (
                pressed
            )
        reader.press("g")
        reader.press(pressed)
        assert not reader.message.startswith("no such key"), pressed
        reader.typed = ""
        reader.press("\x1b")
    reader.press("KEY_F(5)")
    assert reader.message == "no such key: F5. ? lists the keys"


def test_going_about(reader: Reader, told: list[Scene]) -> None:
    """By step, battle, phase and turn, there and back."""
    for there, back in ((" ", "b"), ("KEY_DOWN", "KEY_UP"), ("KEY_NPAGE", "KEY_PPAGE"), ("c", "C")):
        reader.press("g")
        passed = []
        for _ in range(5):
            reader.screen(400, 400)
            reader.press(there)
            passed.append(reader.at)
        assert passed == sorted(passed) and passed[-1] > 0
        for at in passed[-2::-1]:
            reader.press(back)
            assert passed[-1] == passed[-2] or reader.at == at, (there, passed)
    reader.press("G")
    assert reader.at == len(told) - 1
    for key, said in ((" ", "no step further on"), ("c", "no battle further on")):
        reader.press(key)
        assert (reader.at, reader.message) == (len(told) - 1, said)
    reader.press("g")
    for key, said in (("b", "no step before this"), ("k", "no phase before this")):
        reader.press(key)
        assert (reader.at, reader.message) == (0, said)


def test_typing(reader: Reader, told: list[Scene]) -> None:
    def types(keys: str) -> None:
        for each in keys:
            reader.press(each)

    types("t2\r")
    assert reader.scene.chapter.turn == 2 and told[reader.at - 1].chapter.turn == 1
    types("r13\x7f2\r")
    assert 12 in reader.scene.step.rolls
    types("t99\r")
    assert reader.message == "no turn 99 in this game, as far as you can see it"
    types("tx\r")
    assert reader.message == '"x" is not a number'
    types("t2\x1b")
    assert not reader.typed
    types("n")
    assert reader.message.startswith("no word to search for")
    types("g/COMBAT\r")
    first = reader.at
    types("n")
    assert reader.at > first
    types("N")
    assert reader.at == first


def test_only_steps_with_a_word(reader: Reader, told: list[Scene]) -> None:
    """Stepping stops at these alone, there and back; other ways of going about do not change."""
    fits = [at for at, scene in enumerate(told) if "1pola" in text_of(scene).casefold()]
    assert 3 < len(fits) < len(told) / 2

    def types(keys: str) -> None:
        for each in keys:
            reader.press(each)

    def passed(key: str) -> list[int]:
        steps = []
        while not reader.message:
            steps.append(reader.at)
            reader.screen(400, 400)
            reader.press(key)
        return steps

    types("gf1PolA\r")
    assert passed(" ") == fits
    assert reader.message == 'no step with "1pola" further on'
    assert ' only "1pola" ·' in reader.screen(80, 24)[0][0].text
    types("\x1b")
    assert passed("b") == fits[::-1]
    types("Gf1pola\r")
    assert reader.at == fits[0]
    types("fno such word\r")
    assert (reader.at, reader.message) == (fits[0], 'no step with "no such word"')
    types("f\rg ")
    assert reader.at == 1


def test_units_are_named_in_the_colours_of_their_sides(told: list[Scene]) -> None:
    """Also those that the step has destroyed, and no part of another word."""
    at = next(at for at, scene in enumerate(told) if any("1PolA" in line for line in scene.step.lines))
    sides = sides_of(*told[at - 1 : at + 1])
    assert sides["1PolA"] == "polish"
    line = "7BrA, 1PolA, 51BrInf at 1802; 1PolAB and 1PolA-1 are none"
    spans = [(span.text, span.style) for span in coloured(line, sides) if span.style]
    assert spans == [("7BrA", "uk"), ("1PolA", "polish"), ("51BrInf", "uk")]
    assert "".join(span.text for span in coloured(line, sides)) == line


def test_a_step_longer_than_its_pane_is_shown_whole(reader: Reader, told: list[Scene]) -> None:
    """Before the next step is."""
    longest = max(range(len(told)), key=lambda at: len(told[at].step.lines))
    reader.at = longest
    seen = ""
    for _ in range(50):
        seen += "\n".join("".join(span.text for span in line) for line in reader.screen(80, 10))
        reader.press(" ")
        if reader.at != longest:
            break
    assert reader.at == longest + 1
    for line in told[longest].step.lines:
        assert line.split()[-1] in seen


def test_what_is_not_read_yet_is_waited_for(told: list[Scene]) -> None:
    """The last step is looked for as the others come."""
    reader = Reader(Book(iter(told)))
    for _ in range(3):
        reader.book.read_on()
    reader.press("G")
    assert reader.wanted is not None and "reading on to last step" in reader.screen(80, 24)[-1][0].text
    while not reader.book.done:
        reader.book.read_on()
        reader.look_on()
    assert (reader.wanted, reader.at) == (None, len(told) - 1)


def test_lists_that_repeat_are_told_by_what_changes() -> None:
    before = ["  0101 red A", "  0102 red B", "  red front at 0101 0102", "  blue boundary at 0404"]
    now = ["  0101 red A", "  0103 red B", "  red front at 0102 0103"]
    assert list(changes(now, before)) == [
        "  0103 red B",
        "  red front +0103 -0101",
        "  gone: 0102, blue boundary",
    ]
    assert not list(changes(before, before))
