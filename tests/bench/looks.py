#!/usr/bin/env python3
"""How five letters of each game look: the first one, a turn, a decision, a confirmation and the map.

    python tests/bench/looks.py [--folder FOLDER] [GAME...]

Plays the example of each game, and once more without its standing orders if nothing was asked of its players.
Each letter is written to FOLDER (default: looks) as a page with its pictures inside, photographed at 390 and
1280 pixels, light and dark, and checked by axe-core. The table shows how high it is at 390 pixels, whether it
scrolls sideways there or at 320, and what axe-core finds.
"""

from __future__ import annotations

import argparse
import re
import shutil
import sys
from collections.abc import Iterator
from email import message_from_bytes, policy
from email.message import EmailMessage
from pathlib import Path
from tempfile import TemporaryDirectory

import axe_playwright_python
from letters import page_of
from playwright.sync_api import Page, sync_playwright
from sqlmodel import col, select

from pbem.mail.letter import parse
from pbem.service.intake.receive import receive
from pbem.service.moderating.start import start
from pbem.service.record.rows import OutboxRow
from pbem.service.record.store import Store
from pbem.service.tools import demo
from pbem.testing.post import Postbox

GAMES = ("normandy71", "rampage", "falaise", "normandy44", "france44")
KINDS = ("first", "turn", "decision", "confirmation", "map")
WIDTHS = (390, 1280)
SCHEMES = ("light", "dark")
AXE = Path(axe_playwright_python.__file__).with_name("axe.min.js")
FOUND = """async () => (await axe.run(document, {resultTypes: ['violations']})).violations
  .map(found => found.impact + ' ' + found.id)"""
"""The findings of axe-core on a page: weight and rule."""


def letters_of(name: str, folder: Path, bare: bool = False) -> list[OutboxRow]:
    """The letters of an example, and of its players the map at the end; `bare` leaves out standing orders."""
    example, letters = demo.read(name)
    store = Store.create(folder / f"{name}-{bare}.pbem")
    start(store, example.new(), example.game.start)
    now = example.game.start
    for letter in letters:
        raw = letter.read_bytes()
        if bare:
            raw = re.sub(rb"(?mi)^ *standing\b.*\n", b"", raw)
        now = max(now, parse(raw).date or now)
        receive(store, raw, now)
    box = Postbox(store, example.game.id, example.game.address, now)
    for seat in example.players:
        box.mail(seat, "MAP\n")
    with store.transaction() as session:
        rows = list(session.exec(select(OutboxRow).order_by(col(OutboxRow.id))))
    store.close()
    return rows


def chosen(rows: list[OutboxRow]) -> dict[str, EmailMessage]:
    """The letters to look at, by kind: of several the longest, of those with the map the last."""
    found: dict[str, list[tuple[int, EmailMessage]]] = {}
    for row in rows:
        message = message_from_bytes(row.raw, policy=policy.default)
        assert isinstance(message, EmailMessage)
        page, subject = message.get_body(("html",)), str(message["Subject"])
        kind = (
            "first" if row.key.endswith("-turn-1")
            else "decision" if re.search(r" decisions? by ", subject)
            else "turn" if "Your move" in subject
            else "map" if any(part.get_filename() == "map.svg" for part in message.walk())
            else "confirmation" if "-reply-" in row.key
            else ""
        )  # fmt: skip
        if kind and page is not None:
            found.setdefault(kind, []).append((len(page.get_content()), message))
    found |= {"map": found["map"][-1:]} if "map" in found else {}
    return {kind: max(letters, key=lambda each: each[0])[1] for kind, letters in found.items()}


def gathered(game: str, folder: Path) -> Iterator[tuple[str, EmailMessage]]:
    """The five letters of a game."""
    found: dict[str, EmailMessage] = {}
    for name, bare in ((game, False), (f"{game}-westwall", False), (game, True)):
        if not set(KINDS) <= found.keys():
            try:
                found = chosen(letters_of(name, folder, bare)) | found
            except KeyError:  # no example has this name
                continue
    for kind in KINDS:
        if kind in found:
            yield kind, found[kind]
        else:
            print(f"{game}: no {kind}", file=sys.stderr)


def looked_at(page: Page, name: Path) -> tuple[int, bool, list[str]]:
    """Photograph a page; return its height on a phone, whether it scrolls sideways, what axe-core finds."""
    page.goto(name.with_suffix(".html").as_uri())
    page.evaluate(AXE.read_text(encoding="utf-8"))
    height, sideways, found = 0, False, dict[str, None]()
    for scheme in SCHEMES:
        page.emulate_media(color_scheme=scheme)
        for width in (320, *WIDTHS):
            page.set_viewport_size({"width": width, "height": 844})
            sideways |= page.evaluate("document.documentElement.scrollWidth > innerWidth")
            if width == WIDTHS[0]:
                height = page.evaluate("document.documentElement.scrollHeight")
            if width in WIDTHS:
                found |= dict.fromkeys(page.evaluate(FOUND))
                page.screenshot(path=f"{name}-{width}-{scheme}.png", full_page=True)
    return height, sideways, list(found)


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("games", nargs="*", default=GAMES, metavar="GAME")
    parser.add_argument("--folder", type=Path, default=Path("looks"), help="where pages and pictures go")
    wanted = parser.parse_args()
    wanted.folder.mkdir(parents=True, exist_ok=True)
    chromium = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))))
    print("| game | letter | px high | sideways | axe-core |\n|---|---|---:|---|---|")
    with TemporaryDirectory() as stores, sync_playwright() as started:
        browser = started.chromium.launch(executable_path=chromium, args=["--no-sandbox", "--disable-gpu"])
        page = browser.new_page()
        for game in wanted.games:
            for kind, message in gathered(game, Path(stores)):
                name = wanted.folder / f"{game}-{kind}"
                name.with_suffix(".html").write_text(page_of(message), encoding="utf-8")
                height, sideways, found = looked_at(page, name.absolute())
                told = [game, kind, f"{height:,}", "yes" if sideways else "no", ", ".join(found) or "none"]
                print(f"| {' | '.join(told)} |", flush=True)
        browser.close()
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
