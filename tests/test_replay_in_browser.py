"""N3 A game as one page, in a headless Chromium: slider, keys, search, filter and links, every step forward
and back, each die computed again, nothing asked for from outside, and no serious finding of axe-core.

It runs where there are a Chromium and Playwright (`pip install -e .[browser]`). One short game is enough for
every day; `PBEM_BROWSER=1 pytest tests/test_replay_in_browser.py` plays whole games of all five.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from importlib.util import find_spec
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from replays import CHROMIUM, LONGEST, SERIOUS, TIMES, Window, chromium, data_in, played, positions
from sizes import some

from pbem.service.tools.queries import luck as luck_of_game
from pbem.service.tools.queries import replay_page

WHOLE = bool(os.environ.get("PBEM_BROWSER"))
GAMES = (
    {key: (scenario, "greedy") for key, scenario in LONGEST.items()}
    if WHOLE
    else {"normandy44": ("cherbourg", "random")}
)
SIZES = [(1280, 900), (390, 844), (320, 640)]
pytestmark = [
    pytest.mark.dear,
    pytest.mark.skipif(not CHROMIUM, reason="there is no Chromium here"),
    pytest.mark.skipif(
        find_spec("playwright") is None, reason="Playwright is not installed: pip install -e .[browser]"
    ),
]

SHOWN = """() => Object.fromEntries([...replay.stacks()].filter(([h, there]) => there.length)
  .map(([h, there]) => [replay.data.hexes.split(' ')[h], there]))"""
CUT = """() => [...document.querySelectorAll('header *:not(.vh), [role=tab]')]
  .filter(e => e.scrollWidth > e.clientWidth && getComputedStyle(e).display !== 'inline')
  .map(e => e.outerHTML)"""
"""What of the header and the tabs is cut."""

TOO_SMALL = """() => [
  ...[...document.querySelectorAll('button, select, summary, input')]
    .filter(e => e.checkVisibility() && (e.offsetHeight < 40 || e.offsetWidth < 40)),
  ...[...document.querySelectorAll('header *, .bar *, .pg *, .ctl *, #where *')]
    .filter(e => e.checkVisibility() && e.childElementCount === 0 && e.textContent)
    .filter(e => parseFloat(getComputedStyle(e).fontSize) * (e.closest('svg') ? e.getScreenCTM().a : 1) < 12)
  ].map(e => e.outerHTML)"""
"""What is too small for a thumb, and what for the eye."""

PROVED = """async () => {
  const bad = [];
  for (const roll of [...replay.proof.rolls.values(), ...replay.proof.sealed]) {
    const got = await replay.again(roll);
    if (!got.ok && !got.set && !got.sealed) bad.push(got);
  }
  return bad;
}"""


class Told:
    """A game, its page, and the page as the script is to read it."""

    def __init__(self, folder: Path, key: str) -> None:
        scenario, bot = GAMES[key]
        self.store = played(folder / f"{key}.pbem", key, scenario, bot=bot, seed="7")
        self.html, self.story = replay_page(self.store, None)
        self.file = folder / f"{key}.html"
        self.file.write_text(self.html, encoding="utf-8", newline="\n")


@pytest.fixture(scope="module", params=GAMES)
def told(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Told:
    return Told(tmp_path_factory.mktemp("browser"), request.param)


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with chromium() as started:
        yield started


class Reader(Window):
    """A replay in the browser."""

    @property
    def now(self) -> int:
        return int(self.page.evaluate("replay.current()"))

    def shown(self) -> Any:
        return self.page.evaluate(SHOWN)


@pytest.fixture
def window(browser: Any, told: Told) -> Iterator[Reader]:
    opened = Reader(browser, told.file)
    yield opened
    opened.close()


# --- every step ---------------------------------------------------------------------------------------------


def test_every_step_forward_and_back(window: Reader, told: Told) -> None:
    """All steps are shown, for every reader; back at the first the map is as it was."""
    first = window.shown()
    for reader in range(len(told.story.tracks)):
        if reader:
            window.page.select_option("#reader", str(reader))
            window.page.evaluate("replay.go(0, {force: true, silent: true})")
            first = window.shown()
        window.page.evaluate(TIMES)
        assert window.shown() == first


def test_the_map_is_where_the_data_say(window: Reader, told: Told) -> None:
    """At the end of the game the script shows the position that its data hold."""
    last = list(positions(data_in(told.html)))[-1]
    window.page.keyboard.press("End")
    assert window.now == len(told.story.tracks[0].steps) - 1
    shown = window.shown()
    assert {hex: len(there) for hex, there in shown.items()} == {
        hex: len(there) for hex, there in last.items()
    }
    drawn = window.page.evaluate("document.querySelectorAll('#units > g').length")
    assert drawn == len(last)


# --- dice ---------------------------------------------------------------------------------------------------


def test_every_die_is_green(window: Reader, told: Told) -> None:
    """Each die comes out again, the chain holds, and the lines are signed."""
    assert window.page.evaluate(PROVED) == []
    window.page.click("#tab-dice")
    window.page.click("#all")
    window.page.wait_for_selector("#allout.ok")
    words = window.page.inner_text("#allout")
    assert "✓" in words and "signature right" in words
    assert f"{window.page.evaluate('replay.proof.rolls.size + replay.proof.sealed.length')} of" in words


def test_the_luck_of_the_dice(browser: Any, told: Told) -> None:
    """With the script and without: the sentences of the report, a panel for each side that has enough dice,
    in the colour of the side, and the table."""
    luck = luck_of_game(told.store, None)
    for scripts in (True, False):
        window = Reader(browser, told.file, java_script_enabled=scripts)
        if scripts:
            window.page.click("#tab-dice")
        words = " ".join(window.page.locator(".luck").inner_text().split())
        assert all(sentence in words for sentence in luck.sentences())
        panels = window.page.locator(".luck svg:visible")
        assert panels.count() == len(list(luck.courses())) > 0
        assert window.page.locator(".luck tbody tr:not(:has(.by)):visible").count() == len(luck.groups)
        window.close()


def test_a_false_die_is_red(browser: Any, told: Told, tmp_path: Path) -> None:
    """One die that says something else is found and named, by itself and among all."""
    roll = next(die for die in told.story.dice.values() if die.dice == "d6")
    label = f"R{roll.number} {roll.phase}|"
    true = next(line for line in told.html.split("\n") if line.startswith(label))
    false = f"{true.rpartition(' = ')[0]} = {roll.faces[0] % 6 + 1}"
    file = tmp_path / "false.html"
    file.write_text(told.html.replace(true, false), encoding="utf-8", newline="\n")
    window = Reader(browser, file)
    assert [got["roll"] for got in window.page.evaluate(PROVED)] == [f"R{roll.number}"]
    window.page.click("#tab-dice")
    window.page.click("#all")
    window.page.wait_for_selector("#allout.no")
    assert f"R{roll.number}: the log says" in window.page.inner_text("#allout")
    window.page.keyboard.press("/")
    window.page.keyboard.type(f"R{roll.number}")
    window.page.keyboard.press("Enter")
    window.page.keyboard.press("d")
    window.page.wait_for_selector(".e.on .pf.no")
    assert "the dice fell" in window.page.inner_text(".e.on .pf.no")
    window.close()


# --- keys, slider, search, links ----------------------------------------------------------------------------


def test_keys_and_buttons(window: Reader, told: Told) -> None:
    """Each key and button goes where it says."""
    press, steps = window.page.keyboard.press, told.story.tracks[0].steps
    turn = [told.story.chapters[step.chapter].turn for step in steps]
    press("ArrowRight")
    press("ArrowRight")
    press("ArrowLeft")
    assert window.now == 1
    press("PageDown")
    assert window.now == next((at for at, each in enumerate(turn) if each > turn[0]), len(steps) - 1)
    press("PageUp")
    assert window.now == 0
    press("ArrowDown")
    assert window.now == next(at for at, step in enumerate(steps) if step.chapter > steps[0].chapter)
    press("ArrowUp")
    assert window.now == 0
    press("G")
    assert window.now == len(steps) - 1
    press("g")
    assert window.now == 0
    press("]")
    fight = window.now
    assert window.page.evaluate(f"replay.data.steps[{fight}][1]") == "f"
    press("]")
    press("[")
    assert window.now == fight
    zoom = "document.querySelector('#map').viewBox.baseVal.width"
    window.page.wait_for_timeout(500)
    for key, nearer in (("+", True), ("+", True), ("-", False)):
        before = window.page.evaluate(zoom)
        press(key)
        window.page.wait_for_timeout(300)
        assert (window.page.evaluate(zoom) < before) is nearer
    for key in ("0", "0"):
        before = window.page.evaluate(zoom)
        press(key)
        window.page.wait_for_timeout(500)
        assert window.page.evaluate(zoom) != before
    press("?")
    assert window.page.is_visible("#help")
    press("Escape")
    assert not window.page.is_visible("#help")
    press("Home")
    press(" ")
    window.until("replay.current() >= 2")
    press(" ")
    window.page.evaluate("replay.go(0)")
    for name in ("ArrowRight", "ArrowDown", "PageDown"):
        before = window.now
        window.page.click(f'[data-go="{name}"]')
        assert window.now > before


CLOSED = """() => {
    const help = document.querySelector("#help"), button = help.querySelector("button");
    help.showModal();
    button.focus();
    help.close();
    button.dispatchEvent(new KeyboardEvent("keydown", { key: " ", bubbles: true }));
}"""


def test_a_key_right_after_help_is_closed(window: Reader) -> None:
    """Until the page is drawn again the button that closed it has the focus; the key is for the page all the
    same."""
    window.page.evaluate(CLOSED)
    assert window.page.get_attribute('[data-go=" "]', "aria-pressed") == "true"
    window.until("replay.current() >= 1")


def test_the_slider(window: Reader, told: Told) -> None:
    """The slider goes to its step and says in words where it is."""
    last = len(told.story.tracks[0].steps) - 1
    window.page.evaluate(
        "v => { const s = document.querySelector('#sl'); s.value = v; s.dispatchEvent(new Event('input')); }",
        last // 2,
    )
    assert window.now == last // 2
    words = window.page.get_attribute("#sl", "aria-valuetext")
    assert words and words.startswith(
        told.story.chapters[told.story.tracks[0].steps[last // 2].chapter].title
    )
    box = window.page.locator(".tl").bounding_box()
    window.page.mouse.click(box["x"] + box["width"] - 2, box["y"] + box["height"] / 2)
    assert window.now == last
    window.page.keyboard.press("ArrowLeft")
    assert window.now == last - 1


def test_search_and_filter(window: Reader, told: Told) -> None:
    """R17 finds that roll alone; a word finds the steps that hold it, a kind those of that kind; what is not
    there is said to be nowhere."""
    steps, page = told.story.tracks[0].steps, window.page
    number = next(step.rolls[-1] for step in steps[len(steps) // 2 :] if step.rolls)
    page.keyboard.press("/")
    page.keyboard.type(f"R{number}")
    assert page.locator(".e.hit").count() == 1
    page.keyboard.press("Enter")
    assert number in steps[window.now].rolls
    assert page.locator(".e.on").is_visible()
    counter = next(each for step in steps for there in step.stacks.values() for each in there if each.name)
    page.fill("#q", counter.name)
    found = page.locator(".e.hit").count()
    assert found > 0 and f"{found} " in page.inner_text("#found")
    page.fill("#q", "there is nothing like this")
    assert page.locator(".e:visible").count() == 0 and "Nothing" in page.inner_text("#found")
    page.fill("#q", "")
    assert page.locator(".e.hit").count() == 0 and not page.is_visible("#found")
    page.locator("#q").blur()
    page.keyboard.press("f")
    fights = page.evaluate("replay.data.steps.filter(s => s[1] === 'f').length")
    assert page.locator(".e.hit").count() == fights > 0
    page.keyboard.press("n")
    assert page.evaluate("replay.data.steps[replay.current()][1]") == "f"
    page.keyboard.press("f")
    for kind in page.evaluate("[...document.querySelectorAll('#kind option')].map(o => o.value)"):
        page.select_option("#kind", kind)
        shown = page.evaluate("k => replay.data.steps.filter(s => !k || s[1] === k).length", kind)
        assert page.locator(".e.hit").count() == (shown if kind else 0)


def test_links(browser: Any, told: Told) -> None:
    """A page opens at the step that its address names, by step, roll, phase or turn; a jump is remembered, so
    that Back leads where one was."""
    steps = told.story.tracks[0].steps
    data = data_in(told.html)
    at = next(at for at, step in enumerate(steps) if at > len(steps) / 2 and step.rolls)
    turn = told.story.chapters[steps[at].chapter].turn
    places = {f"#{data['ids'][at]}": at, f"#t{turn}-r{steps[at].rolls[-1]}": at}
    places[f"#t{turn}"] = next(
        n for n, step in enumerate(steps) if told.story.chapters[step.chapter].turn == turn
    )
    for address, place in places.items():
        window = Reader(browser, told.file, address)
        assert window.now == place, address
        assert window.page.locator(".e.on").is_visible()
        window.close()
    window = Reader(browser, told.file)
    window.page.evaluate(f"replay.go({at})")
    window.until(f"location.hash === '#{data['ids'][at]}'")
    window.page.go_back()
    window.until("replay.current() === 0")
    window.page.go_forward()
    window.until(f"replay.current() === {at}")
    window.page.evaluate("location.hash = '#nowhere'")
    window.page.wait_for_timeout(100)
    assert window.now == at
    window.close()


def test_the_open_step_is_in_sight(window: Reader, told: Told) -> None:
    """However far one jumps, the step gone to stands in the visible part of the log."""
    sight = """() => { const e = document.querySelector('.e.on .hd').getBoundingClientRect(),
      p = document.querySelector('#p-log').getBoundingClientRect();
      return e.top >= p.top && e.bottom <= p.bottom; }"""
    last = len(told.story.tracks[0].steps) - 1
    for place in (last, 0, last // 2, last // 3, last - 1, last // 5, last // 2 + 1):
        window.page.evaluate(f"replay.go({place})")
        window.page.wait_for_timeout(700)
        assert window.page.evaluate(sight), place


def test_an_open_step_does_not_repeat_its_headline(window: Reader) -> None:
    """Below the headline stand its cases with their titles, and then the lines after the first."""
    told = window.page.evaluate("""() => [...document.querySelectorAll('.e')].map((e, i) => {
      replay.go(i, {force: true, silent: true});
      return [e.querySelector('.tx').textContent, e.querySelector('pre').textContent,
        [...e.querySelectorAll('.log p')].map(p => p.textContent)]; })""")
    cited = 0
    for head, lines, shown in told:
        first, *others = lines.split("\n")
        assert head not in shown
        cases = re.findall(r"\[[^\[\]]*\]", first)
        if cases and shown:
            assert [line.split("]")[0] + "]" for line in shown[: len(cases)]] == cases
            cited += 1
        assert [line.strip() for line in others if line.strip()] == [
            line for line in shown[len(shown) - len(others) :] if line
        ]
    assert cited


def test_the_game_of_each_seat(browser: Any, told: Told) -> None:
    """Of a finished game the page shows what a seat saw; the page of a seat has no other reader."""
    window = Reader(browser, told.file)
    data = data_in(told.html)
    for number, track in enumerate(data["tracks"], 1):
        window.page.select_option("#reader", str(number))
        window.page.locator("#reader").blur()
        window.page.keyboard.press("End")
        last = list(positions(data, number))[-1]
        shown = window.shown()
        assert {hex: len(there) for hex, there in shown.items()} == {
            hex: len(there) for hex, there in last.items()
        }, track["reader"]
    window.close()
    text, _ = replay_page(told.store, None, told.story.players[0].seat)
    file = told.file.with_name("seat.html")
    file.write_text(text, encoding="utf-8", newline="\n")
    window = Reader(browser, file)
    assert window.page.locator("#reader").count() == 0
    window.page.keyboard.press("End")
    window.page.evaluate(TIMES)
    assert window.page.evaluate(PROVED) == []
    window.close()


# --- readers of all kinds -----------------------------------------------------------------------------------


@pytest.mark.parametrize(("size", "dark"), some([*product(SIZES, (False, True))], 2))
def test_nothing_serious_for_axe(browser: Any, told: Told, size: tuple[int, int], dark: bool) -> None:
    """axe-core finds nothing serious, nothing sticks out at the side, nothing is too small for a phone, and a
    first picture is painted: how soon is for tests/bench/replay.py."""
    if find_spec("axe_playwright_python") is None:
        pytest.skip("axe-core is not installed: pip install -e .[browser]")
    import axe_playwright_python

    axe = Path(axe_playwright_python.__file__).with_name("axe.min.js").read_text(encoding="utf-8")
    window = Reader(
        browser,
        told.file,
        viewport=dict(zip(("width", "height"), size, strict=True)),
        color_scheme="dark" if dark else "light",
        bypass_csp=True,
    )
    page = window.page
    page.wait_for_function("performance.getEntriesByName('first-contentful-paint').length")
    page.evaluate(axe)
    page.keyboard.press("]")
    assert page.evaluate(SERIOUS) == []
    assert page.evaluate("document.documentElement.scrollWidth") == size[0]
    assert page.evaluate(CUT) == []
    page.keyboard.press("]")
    assert size[0] < 390 or page.evaluate(TOO_SMALL) == []
    assert page.evaluate(
        "document.querySelector('#p-log').scrollWidth <= document.querySelector('#p-log').clientWidth"
    )
    for tab in ("score", "dice"):
        page.click(f"#tab-{tab}")
        assert page.evaluate(SERIOUS) == []
        assert size[0] < 390 or page.evaluate(TOO_SMALL) == []
        assert page.evaluate(
            "t => document.querySelector(t).scrollWidth <= document.querySelector(t).clientWidth", f"#p-{tab}"
        )
    page.click("#bt-help")
    assert page.evaluate(SERIOUS) == []
    window.close()


def test_without_javascript_every_step_can_be_read(browser: Any, told: Told) -> None:
    """Without the script every step stands in the page, open, with a map for each turn."""
    window = Reader(browser, told.file, java_script_enabled=False)
    entries, steps = window.page.locator(".e"), told.story.tracks[0].steps
    assert entries.count() == len(steps)
    read = re.sub(r"\s+", " ", window.page.inner_text("#p-log"))
    for step in steps:
        for line in step.lines:
            assert re.sub(r"\s+", " ", line).strip() in read
    assert window.page.locator(".js-only:visible").count() == 0
    assert window.page.locator(".still:visible").count() >= len({c.turn for c in told.story.chapters}) - 1
    window.close()
