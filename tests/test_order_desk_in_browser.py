"""The order desk in a headless Chromium: taps become lines, kept lines keep their names, questions are
answered, all of it by keyboard too; what it writes is read as it is meant, by link and by copied text;
nothing is asked for from outside, and axe-core finds nothing serious.

It runs where there are a Chromium and Playwright (`pip install -e .[browser]`). `PBEM_BROWSER=1 pytest
tests/test_order_desk_in_browser.py` plays two turns of each of the five games from desks alone.
"""

from __future__ import annotations

import os
import random
import re
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from datetime import timedelta
from email.message import EmailMessage
from email.policy import SMTP
from importlib.util import find_spec
from itertools import product
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit

import pytest
from replays import BEGUN, CHROMIUM, LONGEST, SERIOUS, SETTINGS, Window, chromium, played
from sizes import some
from sqlmodel import select

from pbem.engine.game import game
from pbem.engine.language import Roster
from pbem.service.intake.receive import receive
from pbem.service.intake.submit import submit
from pbem.service.moderating.start import NewGame, start
from pbem.service.play.sheet import SheetLine
from pbem.service.record.rows import SeatRow
from pbem.service.record.store import Store
from pbem.service.tools.queries import UMPIRE, desk_page, table_of
from pbem.testing.post import people

WHOLE = bool(os.environ.get("PBEM_BROWSER"))
TURNS = dict.fromkeys(LONGEST, 2) if WHOLE else {"rampage": 1}
pytestmark = [
    pytest.mark.dear,
    pytest.mark.skipif(not CHROMIUM, reason="there is no Chromium here"),
    pytest.mark.skipif(
        find_spec("playwright") is None, reason="Playwright is not installed: pip install -e .[browser]"
    ),
]

SIZES = [(1280, 900), (820, 1180), (390, 844), (320, 640)]
LATER = BEGUN + timedelta(hours=9)
CLOSES = re.compile("^(DONE|NO ORDERS|DONE ANYWAY)$")

TOO_SMALL = """() => [...document.querySelectorAll('button, select, summary, input, textarea, a')]
  .filter(e => e.offsetParent && (e.offsetHeight < 44 || e.offsetWidth < 44))
  .map(e => e.outerHTML.slice(0, 90))"""
NAMELESS = """() => [...document.querySelectorAll('button, select, input, textarea, a')]
  .filter(e => e.offsetParent && !(e.ariaLabel || e.textContent.trim() || e.labels?.length))
  .map(e => e.outerHTML)"""
WIDER = """() => [document.documentElement, ...document.querySelectorAll('.pg')]
  .filter(e => e.offsetParent !== null && e.scrollWidth > e.clientWidth).map(e => e.id || e.tagName)"""
CUT = """() => [...document.querySelectorAll('header *, [role=tab]')]
  .filter(e => e.scrollWidth > e.clientWidth && getComputedStyle(e).display !== 'inline')
  .map(e => e.outerHTML)"""
"""What of the header and the tabs is cut."""

MOVABLE = """() => {
  const p = desk.parts.findIndex(p => p.asked), busy = new Set(desk.data.stacks.map(s => s[0]));
  return desk.groupsOf(p).filter(g => g.u.length === 1 && g.t.startsWith('move '))
    .map(g => [desk.data.units[g.u[0]][0], desk.choicesOf(p, g).map(o => o.end).filter(h => !busy.has(h))
      .map(h => desk.hexes[h])]);
}"""
"""Units that can move, each with the free hexes where it can go."""

LEGS = """() => {
  const p = desk.parts.findIndex(p => p.asked), busy = new Set(desk.data.stacks.map(s => s[0]));
  for (const g of desk.groupsOf(p).filter(g => g.u.length === 1 && g.t.startsWith('move '))) {
    const free = desk.choicesOf(p, g).map(o => o.end).filter(h => h >= 0 && !busy.has(h));
    if (free.length > 1) return [desk.data.units[g.u[0]][0], desk.hexes[free[0]], desk.hexes[free[1]]];
  }
}"""
"""A unit that can move, and two free hexes."""

EITHER = """() => {
  const busy = new Set(desk.data.stacks.map(s => s[0])), verb = o => desk.data.verbs[o.v][0];
  const name = o => desk.data.units[o.units[0]][0];
  for (let p = 0; p < desk.parts.length; p++) {
    const all = desk.groupsOf(p).flatMap(g => desk.choicesOf(p, g)).filter(o => o.units.length === 1);
    const hit = all.find(o => verb(o) === 'assault');
    const go = hit && all.find(o => verb(o) === 'move' && o.units[0] !== hit.units[0] && !busy.has(o.end));
    if (go) return [p, name(go), desk.hexes[go.end], name(hit), desk.hexes[hit.end]];
  }
}"""
"""A section, a unit that can move with a free hex, and another that can assault with its target."""

MATE = """id => {
  const at = desk.data.units.find(u => u[0] === id)[2];
  return desk.data.units.find(u => u[0] !== id && u[2] === at)?.[0];
}"""
"""Another unit in the hex of one."""


class Table:
    """A game of people, who write at desks alone."""

    def __init__(self, folder: Path, key: str, seed: str = "5") -> None:
        rules = game(key)
        options = rules.start(LONGEST[key], {}).options
        self.key, self.folder, self.written = key, folder, 0
        self.file = folder / f"{key}.pbem"
        self.store = Store.create(self.file)
        seats = people(rules, options)
        start(self.store, NewGame(key, key, LONGEST[key], options, seats, SETTINGS, seed), BEGUN)

    @classmethod
    def at(cls, folder: Path, key: str, phases: int) -> Table:
        """A game of which bots have played this many phases, with people from there on."""
        table = object.__new__(cls)
        table.key, table.folder, table.written, table.file = key, folder, 0, folder / f"{key}.pbem"
        table.store = played(table.file, key, LONGEST[key], bot="greedy", phases=phases)
        with table.store.transaction() as session:
            for seat in session.exec(select(SeatRow)).all():
                seat.bot, seat.name, seat.address = "", seat.key, f"{seat.key}@players.example"
                seat.played, seat.sheet, seat.questions = {}, {}, {}
                session.add(seat)
        return table

    def copy(self, name: str) -> Table:
        """The same game once more."""
        other = object.__new__(Table)
        other.key, other.folder, other.written = self.key, self.folder, self.written
        other.file = self.folder / f"{name}.pbem"
        with closing(sqlite3.connect(self.file)) as old, closing(sqlite3.connect(other.file)) as new:
            old.backup(new)
        other.store = Store.open(other.file)
        return other

    @property
    def now(self) -> tuple[bool, int, str, dict[str, str]]:
        """Whether it is over, turn, phase, and who is asked for which section."""
        with table_of(self.store, None, UMPIRE) as (table, here):
            return here.over, here.state.turn, here.label, table.waited_for(here)

    def page(self, seat: str) -> Path:
        """The desk of a seat as a file."""
        file = self.folder / f"orders-{seat}.html"
        file.write_text(desk_page(self.store, None, seat), encoding="utf-8", newline="\n")
        return file

    def send(self, seat: str, text: str) -> str:
        """Hand in a letter; what is answered, below its first line as above it."""
        self.written += 1
        handed = submit(self.store, None, seat, text, BEGUN + timedelta(hours=self.written))
        return "\n".join(handed.confirmation)

    def lines(self, seat: str) -> dict[str, SheetLine]:
        """The lines that are kept of a seat."""
        with table_of(self.store, None, seat) as (table, _):
            return {line.title: line for line in table.sheet(table.seats[seat]).lines}

    def roster(self, seat: str) -> Roster:
        with table_of(self.store, None, seat) as (table, here):
            return table.game.roster(here.state, seat)


class Hand(Window):
    """A person at a desk, who taps."""

    def __init__(self, browser: Any, file: Path, **options: Any) -> None:
        super().__init__(browser, file, **({"reduced_motion": "reduce"} | options))

    @property
    def letter(self) -> str:
        return str(self.page.evaluate("desk.letter()"))

    @property
    def words(self) -> str:
        """The letter without the line that says when it was written."""
        first, _, rest = self.letter.partition("\n\n")
        assert not first or first.startswith("Re: [")
        return rest

    def tap(self, hex: str) -> None:
        """Tap a hex on the map."""
        at = self.page.evaluate(f"desk.place.get('{hex}')")
        self.page.evaluate(f"desk.goTo({at})")
        x, y = self.page.evaluate(f"desk.spotOf({at})")
        self.page.mouse.click(x, y)

    def order(self, unit: str, hex: str) -> None:
        """Choose a unit from the list, tap a hex, and there the first order where several are possible."""
        self.page.click("#tab-left")
        self.page.locator("#p-left .row button", has=self.page.get_by_text(unit, exact=True)).click()
        before = self.letter
        self.tap(hex)
        if self.letter == before:
            self.page.locator("#p-unit .op button").first.click()

    def order_any(self, rng: random.Random) -> bool:
        """Give one of the units or hexes in the list an order; whether there was one."""
        self.page.click("#tab-left")
        listed = self.page.locator("#p-left .row button")
        if not listed.count():
            return False
        listed.nth(rng.randrange(listed.count())).click()
        found = self.page.evaluate("desk.offers().map(o => [o.end < 0 ? '' : desk.hexes[o.end], o.text])")
        if not found:
            return True
        hex, text = rng.choice(found)
        before = self.letter
        if hex:
            self.tap(hex)
        if self.letter == before:
            choices = self.page.locator("#p-unit .op button")
            exact = choices.filter(has=self.page.get_by_text(text, exact=True))
            (exact if exact.count() else choices).first.click()
        return True

    def answer(self, rng: random.Random) -> None:
        """Answer each question that is asked."""
        self.page.keyboard.press("1")
        self.page.keyboard.press("Escape")
        for at in range(self.page.evaluate("desk.data.questions.length")):
            options = self.page.locator("#p-unit ul[role=group]").nth(at).locator("button")
            options.nth(rng.randrange(options.count())).click()

    def close_section(self, anyway: bool = False) -> None:
        """Say DONE, or NO ORDERS, in the section that is shown last; `anyway`, without what is faulty."""
        self.page.click("#tab-letter")
        found = self.page.locator("#p-letter .chips button").filter(has_text=CLOSES)
        (found.last if anyway else found.first).click()


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with chromium() as started:
        yield started


@pytest.fixture(scope="module")
def movement(tmp_path_factory: pytest.TempPathFactory) -> Table:
    """Normandy 1971 at the first German movement."""
    table = Table.at(tmp_path_factory.mktemp("movement"), "normandy71", 7)
    assert table.now[3] == {"german": "movement"}
    return table


# --- whole turns --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("key", TURNS)
def test_turns_are_played_from_desks_alone(browser: Any, key: str, tmp_path: Path) -> None:
    """Every letter is written by taps. Each of its lines is read as an order, an answer or a command; what is
    refused is refused by a rule."""
    table, rng, stuck = Table(tmp_path, key), random.Random(key), 0
    for _ in range(400):
        over, turn, _, waiting = now = table.now
        if over or turn > TURNS[key]:
            break
        seat = next(iter(waiting))
        hand = Hand(browser, table.page(seat))
        asked = hand.page.evaluate("desk.data.questions.length")
        if asked:
            hand.answer(rng)
        else:
            for _ in range(6):
                if not hand.order_any(rng):
                    break
            hand.close_section(anyway=stuck > 0)
        text, roster = hand.letter, table.roster(seat)
        hand.close()
        reply = table.send(seat, text)
        if asked:
            assert "Answered: Q" in reply, reply
        else:
            lines = list(enumerate(text.splitlines()))[1:]
            reading = game(key).grammar.read(lines, roster)
            assert not reading.faults and not reading.unread and not reading.comments, text
        stuck = stuck + 1 if table.now == now and not asked else 0
        assert stuck < 4, reply
    else:
        raise AssertionError("the game does not move on")


# --- one letter ---------------------------------------------------------------------------------------------


def test_a_tap_writes_a_line(browser: Any, movement: Table) -> None:
    """A unit and a hex are a line; another hex takes its place; it can be undone, removed and found again
    after a reload."""
    hand = Hand(browser, movement.page("german"))
    unit, (first, second) = _movable(hand)[0]
    hand.order(unit, first)
    assert hand.words == f"[turn 1 movement]\nmove {unit} to {first}\n"
    hand.page.evaluate(f"desk.choose([desk.data.units.findIndex(u => u[0] === '{unit}')])")
    hand.tap(second)
    assert hand.words == f"[turn 1 movement]\nmove {unit} to {second}\n"
    hand.page.reload()
    assert hand.words == f"[turn 1 movement]\nmove {unit} to {second}\n"
    hand.page.click("#tab-letter")
    hand.page.get_by_role("button", name=f"Remove: move {unit}").click()
    assert hand.letter == ""
    hand.page.keyboard.press("u")
    assert f"move {unit} to {second}" in hand.letter
    hand.close()


def test_kept_lines_keep_their_names(browser: Any, movement: Table) -> None:
    """A tap for a unit with a kept line writes under its name, and says so; a kept line can be withdrawn,
    changed and moved; no other line changes."""
    table = movement.copy("kept")
    page = Hand(browser, table.page("german"))
    movable = _movable(page)
    page.close()
    assert len(movable) >= 5
    table.send("german", "[movement]\n" + "".join(f"move {u} to {to[0]}\n" for u, to in movable[:4]))
    hand = Hand(browser, table.page("german"))
    hand.page.evaluate(f"desk.choose([desk.data.units.findIndex(u => u[0] === '{movable[0][0]}')])")
    hand.tap(movable[0][1][1])
    assert f"L1: move {movable[0][0]} to {movable[0][1][1]}" in hand.letter
    assert "instead of" in hand.page.inner_text("#say")
    hand.page.click("#tab-letter")
    hand.page.get_by_role("button", name=re.compile("^Withdraw L2:")).click()
    row = hand.page.locator(".ln.k", has_text="L3 ")
    row.get_by_role("button", name=re.compile("^Change")).click()
    hand.page.locator("form.ln input[type=text]").first.fill(f"move {movable[2][0]} to {movable[2][1][1]}")
    hand.page.keyboard.press("Enter")
    hand.page.locator(".ln.k", has_text="L4 ").get_by_role("button", name=re.compile("^Up")).click()
    hand.order(movable[4][0], movable[4][1][0])
    table.send("german", hand.letter)
    hand.close()
    kept = {name: line.text for name, line in table.lines("german").items()}
    assert kept == {
        "L1": f"move {movable[0][0]} to {movable[0][1][1]}",
        "L3": f"move {movable[2][0]} to {movable[2][1][1]}",
        "L4": f"move {movable[3][0]} to {movable[3][1][0]}",
        "L5": f"move {movable[4][0]} to {movable[4][1][0]}",
    }


def test_a_faulty_line_is_not_replaced_unasked(browser: Any, movement: Table) -> None:
    """By the third rule of the protocol a line takes the place of a faulty one that shares a unit or target:
    the page writes its own beside it unless it is told otherwise."""
    table = movement.copy("faulty")
    page = Hand(browser, table.page("german"))
    one, to = _movable(page, stacked=True)[0]
    other = page.page.evaluate(MATE, one)
    page.close()
    table.send("german", f"[movement]\nmove {one}, {other} to 0102\n")
    assert table.lines("german")["L1"].state == "faulty"
    hand = Hand(browser, table.page("german"))
    hand.page.evaluate(f"desk.choose([desk.data.units.findIndex(u => u[0] === '{one}')])")
    hand.tap(to[0])
    first = hand.letter
    hand.page.click("#tab-letter")
    table.send("german", first)
    hand.close()
    kept = table.lines("german")
    assert other in kept["L1"].text, first
    assert any(line.text == f"move {one} to {to[0]}" for line in kept.values())


def test_by_keyboard_alone(browser: Any, movement: Table) -> None:
    """Order three units, say NO more, read the letter: never without a focus, never with the mouse."""
    hand = Hand(browser, movement.page("german"))
    keys = hand.page.keyboard
    for _ in range(3):
        keys.press("n")
        _tab_to(hand, ".op button")
        keys.press("Enter")
        assert hand.page.evaluate("document.activeElement !== document.body")
    keys.press("3")
    _tab_to(hand, "#p-letter .chips button")
    keys.press("Enter")
    lines = hand.words.splitlines()
    assert lines[0] == "[turn 1 movement]" and len(lines) == 5 and lines[-1] == "done"
    assert hand.page.evaluate("document.activeElement !== document.body")
    hand.close()


def test_link_and_copied_text_are_the_same_letter(browser: Any, movement: Table) -> None:
    """The link has address, subject and the letter; delivered as a mail it is answered as the copied text is.
    TRY keeps nothing. A letter too long for a link is copied."""
    hand = Hand(browser, movement.page("german"))
    for unit, to in _movable(hand)[:3]:
        hand.order(unit, to[0])
    hand.page.click("#tab-letter")
    mail = hand.page.get_attribute("#mail", "href")
    tried = hand.page.get_attribute("#try", "href")
    hand.context.grant_permissions(["clipboard-read", "clipboard-write"])
    hand.page.click("#copy")
    hand.until("document.querySelector('#say').textContent !== ''")
    copied = hand.page.evaluate("navigator.clipboard.readText()")
    subject = hand.page.evaluate("desk.data.subject")
    replies = []
    for name, (to, about, body) in {
        "link": _opened(mail),
        "copy": (hand.page.evaluate("desk.data.to"), subject, copied),
    }.items():
        assert (about, body.replace("\r\n", "\n")) == (subject, hand.letter)
        table = movement.copy(name)
        received = receive(table.store, _mail(to, about, body), BEGUN + timedelta(hours=9))
        assert received.outcome == "accepted"
        replies.append([(line.title, line.text, line.state) for line in table.lines("german").values()])
    assert replies[0] == replies[1] and len(replies[0]) == 3
    table = movement.copy("tried")
    receive(table.store, _mail(*_opened(tried)), LATER)
    assert table.lines("german") == {}
    for unit, to in _movable(hand)[3:60]:
        hand.order(unit, to[0])
    hand.page.click("#tab-letter")
    assert "&body" not in hand.page.get_attribute("#mail", "href") or len(hand.letter) < 1900
    hand.close()


def test_a_question_is_answered_with_a_button(browser: Any, tmp_path: Path) -> None:
    """The options of a question are buttons, with what is told of each."""
    table, rng = Table(tmp_path, "rampage"), random.Random(1)
    table.send("allied", "[set-up]\ndefault\ndone\n")
    for _ in range(40):
        if table.now[0] or "" in table.now[3].values():
            break
        hand = Hand(browser, table.page("allied"))
        for _ in range(8):
            hand.order_any(rng)
        hand.close_section()
        table.send("allied", hand.letter)
        hand.close()
    hand = Hand(browser, table.page("allied"))
    asked = hand.page.evaluate("desk.data.questions")
    options = hand.page.locator("#p-unit ul[role=group]").first.locator("button")
    assert options.count() == len(asked[0][4])
    options.nth(1).click()
    assert hand.words == f"{asked[0][0]}: b\n"
    assert f"Answered: {asked[0][0]}" in table.send("allied", hand.letter)
    hand.close()


def test_a_further_leg(browser: Any, tmp_path: Path) -> None:
    """Rampage: from where a line ends a unit goes on, in a line of its own behind it; so it does from the end
    of a kept line."""
    table = Table.at(tmp_path, "rampage", 1)
    hand = Hand(browser, table.page("allied"))
    legs = hand.page.evaluate(LEGS)
    unit, first, then = legs
    hand.order(unit, first)
    hand.page.evaluate(f"desk.choose([desk.data.units.findIndex(u => u[0] === '{unit}')])")
    hand.page.get_by_role("button", name=f"Go on from {first}").click()
    hand.tap(then)
    assert hand.words == f"[turn 1 operations]\nmove {unit} to {first}\nmove {unit} to {then}\n"
    table.send("allied", hand.letter)
    hand.close()
    assert [line.text for line in table.lines("allied").values()] == [
        f"move {unit} to {first}",
        f"move {unit} to {then}",
    ]


def test_one_thing_or_the_other(browser: Any, tmp_path: Path) -> None:
    """Falaise: a command moves or assaults. An order that cannot stand beside a line says so before it is
    chosen, and after."""
    table = Table.at(tmp_path, "falaise", 5)
    hand = Hand(browser, table.page("allied"))
    part, mover, to, attacker, at = hand.page.evaluate(EITHER)
    hand.page.evaluate(f"desk.turnTo({part})")
    hand.order(mover, to)
    hand.page.evaluate(f"desk.choose([desk.data.units.findIndex(u => u[0] === '{attacker}')])")
    barred = hand.page.locator("#p-unit .op button", has_text="not beside move").filter(has_text=at)
    assert barred.count()
    barred.first.click()
    assert "cannot stand beside" in hand.page.inner_text("#say")
    hand.page.click("#tab-letter")
    assert "cannot stand beside" in hand.page.inner_text("#p-letter")
    hand.close()


# --- the page -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("size", "dark"), some([*product(SIZES, (False, True))], 3))
def test_each_size(browser: Any, movement: Table, size: tuple[int, int], dark: bool) -> None:
    """Nothing sticks out at the side or is cut in the header, each control is 44 pixels high and wide and has
    a name, and axe-core finds nothing serious, on all three tabs."""
    hand = Hand(
        browser,
        movement.page("german"),
        viewport=dict(zip(("width", "height"), size, strict=True)),
        color_scheme="dark" if dark else "light",
        bypass_csp=True,
    )
    unit, to = _movable(hand)[0]
    hand.order(unit, to[0])
    axe = _axe()
    for tab in ("#tab-unit", "#tab-left", "#tab-letter"):
        hand.page.click(tab)
        assert hand.page.evaluate(TOO_SMALL) == [], tab
        assert hand.page.evaluate(NAMELESS) == [], tab
        assert hand.page.evaluate(WIDER) == [], tab
        assert hand.page.evaluate(CUT) == [], tab
        if axe:
            hand.page.evaluate(axe)
            assert hand.page.evaluate(SERIOUS) == [], tab
    hand.close()


def test_a_finger_on_a_phone(browser: Any, movement: Table) -> None:
    """Touch does what the mouse does."""
    hand = Hand(browser, movement.page("german"), viewport={"width": 390, "height": 844}, has_touch=True)
    unit, to = _movable(hand)[0]
    hand.page.evaluate(f"desk.choose([desk.data.units.findIndex(u => u[0] === '{unit}')])")
    at = hand.page.evaluate(f"desk.place.get('{to[0]}')")
    hand.page.evaluate(f"desk.goTo({at})")
    hand.page.touchscreen.tap(*hand.page.evaluate(f"desk.spotOf({at})"))
    assert hand.words == f"[turn 1 movement]\nmove {unit} to {to[0]}\n"
    hand.close()


def test_without_a_script_or_a_network(browser: Any, movement: Table) -> None:
    """Offline it works; without its script it says what to do."""
    file = movement.page("german")
    hand = Hand(browser, file, offline=True)
    assert hand.page.locator("#p-unit h2").is_visible()
    hand.close()
    plain = Window(browser, file, java_script_enabled=False)
    assert plain.page.get_by_text("answer the letter as always").is_visible()
    plain.close()


def _movable(hand: Hand, stacked: bool = False) -> list[tuple[str, list[str]]]:
    """Units of the section asked for that can go to two free hexes of the map, no two to the same; those that
    are `stacked` share their hex with others."""
    found: list[tuple[str, list[str]]] = []
    used: set[str] = set()
    for unit, hexes in hand.page.evaluate(MOVABLE):
        free = [hex for hex in hexes if hex not in used][:2]
        if len(free) == 2 and (not stacked or hand.page.evaluate(MATE, unit)):
            used.update(free)
            found.append((unit, free))
    return found


def _tab_to(hand: Hand, what: str) -> None:
    for _ in range(80):
        hand.page.keyboard.press("Tab")
        if hand.page.evaluate(f"document.activeElement.matches('{what}')"):
            return
    raise AssertionError(f"no way to {what} by keyboard")


def _opened(link: str | None) -> tuple[str, str, str]:
    """Address, subject and words of a link, as a mail program takes them."""
    found = urlsplit(link or "")
    said = parse_qs(found.query)
    return unquote(found.path), said["subject"][0], said["body"][0]


def _mail(to: str, subject: str, body: str) -> bytes:
    message = EmailMessage(policy=SMTP)
    message["From"], message["To"], message["Subject"] = "german@players.example", to, subject
    message["Message-ID"] = "<desk@players.example>"
    message.set_content(body.replace("\r\n", "\n"))
    return message.as_bytes()


def _axe() -> str:
    if find_spec("axe_playwright_python") is None:
        return ""
    import axe_playwright_python

    return Path(axe_playwright_python.__file__).with_name("axe.min.js").read_text(encoding="utf-8")
