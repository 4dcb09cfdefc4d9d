"""The site of a store in a headless Chromium: every page is reached and shown by links alone, with no script,
and axe-core has nothing serious to say.

It runs where there are a Chromium and Playwright (`pip install -e .[browser]`); with PBEM_BROWSER=1 the site
has 100 games.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from conftest import NOW, begin
from replays import CHROMIUM, SERIOUS, chromium
from sizes import some

from pbem.service.moderating.start import NewGame, Player, start
from pbem.service.record.store import Store
from pbem.service.tools.site import write_site
from pbem.testing.post import SETTINGS

GAMES = 100 if os.environ.get("PBEM_BROWSER") else 8
CUT = """() => [...document.querySelectorAll('.wide')].filter(e => e.scrollWidth > e.clientWidth)
  .map(e => e.ariaLabel)"""
"""The tables that are wider than their place."""

SMALL = """() => [...document.querySelectorAll('main *')]
  .filter(e => e.childElementCount === 0 && e.textContent)
  .filter(e => parseFloat(getComputedStyle(e).fontSize) * (e.closest('svg') ? e.getScreenCTM().a : 1) < 12)
  .map(e => e.outerHTML)"""
"""The texts that are lettered smaller than 12 pixels."""

pytestmark = [
    pytest.mark.dear,
    pytest.mark.skipif(not CHROMIUM, reason="there is no Chromium here"),
    pytest.mark.skipif(
        find_spec("playwright") is None, reason="Playwright is not installed: pip install -e .[browser]"
    ),
]


class Quiet(SimpleHTTPRequestHandler):
    def log_message(self, format: str, *words: Any) -> None:
        """Say nothing."""


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a site of games: a quarter of them runs."""
    folder = tmp_path_factory.mktemp("site")
    store = Store.create(folder / "club.pbem")
    for number in range(GAMES):
        if number % 4 == 0:
            begin(store, f"g{number}", blue=Player(f"Player {number}", f"p{number}@mail.example"))
            continue
        seats = {"red": Player(bot="greedy"), "blue": Player(bot=("random", "greedy")[number % 2])}
        new = NewGame("clash", f"g{number}", players=seats, settings=dict(SETTINGS), seed=str(number))
        start(store, new, NOW)
    write_site(store, folder / "site", "The Club")
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(folder / "site")))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/"
    server.shutdown()
    server.server_close()


@pytest.fixture(scope="module")
def axe() -> str:
    import axe_playwright_python

    return Path(axe_playwright_python.__file__).with_name("axe.min.js").read_text(encoding="utf-8")


@pytest.mark.parametrize("scheme", some(["light", "dark"], 1))
def test_every_page_is_reached_and_in_order(address: str, axe: str, scheme: str) -> None:
    """From the first page on, at the width of a phone; nothing is dead, wider than the screen, to be shifted
    sideways, too small to read, or asked for from elsewhere."""
    with chromium() as browser:
        context = browser.new_context(viewport={"width": 390, "height": 844}, color_scheme=scheme)
        page = context.new_page()
        faults: list[str] = []
        page.on("console", lambda message: faults.append(f"{page.url}: {message.text}"))
        page.on("request", lambda asked: asked.url.startswith(address) or faults.append(asked.url))
        page.on("response", lambda got: got.ok or faults.append(f"{got.status} {got.url}"))
        todo, seen, checked = [f"{address}index.html"], set[str](), 0
        while todo:
            url = todo.pop()
            seen.add(url)
            if url.endswith(".png"):
                continue
            if url.endswith("replay.html"):
                assert context.request.get(url).ok
                continue
            page.goto(url)
            assert page.evaluate("document.scripts.length") == 0
            assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), url
            assert page.evaluate(CUT) == [], url
            assert page.evaluate(SMALL) == [], url
            if url.count("/") < 5 or checked < 12:
                page.evaluate(axe)
                assert page.evaluate(SERIOUS) == [], url
                checked += 1
            links = page.evaluate("[...document.links].map(a => a.href.split('#')[0])")
            todo += [link for link in dict.fromkeys(links) if link not in seen and link not in todo]
        assert faults == []
        assert sum("/games/" in url and url.endswith("index.html") for url in seen) == GAMES
        context.close()
