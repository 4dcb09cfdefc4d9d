#!/usr/bin/env python3
"""How large the letters of whole games are, and how they look on a phone.

    python tests/bench/letters.py [--folder FOLDER] [EXAMPLE...]

Plays the examples to their end (`pbem demo`) and measures the letters after play: bytes as mailed, lines of
text, and in Chromium at 390 pixels their height, what scrolls sideways (at 320 as well), cells in which words
are crushed, and the smallest lettering of a close-up in CSS pixels. A letter that brings the map asked for is
counted apart.
"""

from __future__ import annotations

import argparse
import base64
import shutil
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from email import message_from_bytes, policy
from email.message import EmailMessage
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

from pbem.render.closeup import LETTERING

EXAMPLES = ("rampage", "normandy71", "falaise", "falaise-solitaire", "normandy44", "france44")
CRUSHED = """() => [...document.querySelectorAll('td')].filter(cell => {
  const box = cell.getBoundingClientRect(), words = cell.innerText.trim().split(/\\s+/).length;
  const lines = box.height / parseFloat(getComputedStyle(cell).lineHeight);
  return getComputedStyle(cell).display === 'table-cell' && words > 3 && words / lines < 2;
}).length"""
"""The cells of a page that hold at least four words and fewer than two to a line."""


@dataclass(frozen=True, slots=True)
class Measured:
    """One letter: bytes as mailed, lines of its text, and what a phone shows."""

    name: str
    size: int
    lines: int
    height: int
    sideways: bool
    crushed: int
    lettering: float
    """The smallest lettering of its close-ups in CSS pixels; 0 without one."""


def letters(folder: Path) -> Iterator[tuple[Path, EmailMessage]]:
    """The letters after play in a folder but those that bring the map asked for."""
    for path in sorted(folder.rglob("*-turn-*.eml")):
        message = message_from_bytes(path.read_bytes(), policy=policy.default)
        assert isinstance(message, EmailMessage)
        if not any(part.get_filename() == "map.svg" for part in message.walk()):
            yield path, message


def page_of(message: EmailMessage) -> str:
    """The HTML part of a letter with its pictures inside."""
    body = message.get_body(("html",))
    assert isinstance(body, EmailMessage)
    html = str(body.get_content())
    for part in message.walk():
        if name := (part["Content-ID"] or "").strip("<>"):
            data = part.get_payload(decode=True)
            assert isinstance(data, bytes)
            html = html.replace(f'"cid:{name}"', f'"data:image/png;base64,{base64.b64encode(data).decode()}"')
    return html


def measured(page: Page, path: Path, message: EmailMessage) -> Measured:
    """A letter in the browser."""
    text = message.get_body(("plain",))
    assert isinstance(text, EmailMessage)
    page.set_content(page_of(message))
    sideways = False
    for width in (320, 390):
        page.set_viewport_size({"width": width, "height": 844})
        sideways |= page.evaluate("document.documentElement.scrollWidth > innerWidth")
    close_up = page.query_selector('img[alt^="Where"]')
    wide = page.evaluate("image => image.clientWidth / image.naturalWidth", close_up) if close_up else 0.0
    return Measured(
        path.name,
        path.stat().st_size,
        len(str(text.get_content()).splitlines()),
        page.evaluate("document.documentElement.scrollHeight"),
        sideways,
        page.evaluate(CRUSHED),
        LETTERING * wide,
    )


def table(name: str, found: list[Measured]) -> str:
    """The row of a game."""
    sizes, lines, heights = ([getattr(each, what) for each in found] for what in ("size", "lines", "height"))
    told = [
        name,
        str(len(found)),
        f"{statistics.median(sizes) / 1000:.0f} / {max(sizes) / 1000:.0f}",
        f"{statistics.median(lines):.0f} / {max(lines)}",
        f"{statistics.median(heights):,.0f} / {max(heights):,}",
        str(sum(each.sideways for each in found)),
        str(sum(each.crushed for each in found)),
        f"{min((each.lettering for each in found if each.lettering), default=0):.1f}",
    ]
    return f"| {' | '.join(told)} |"


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("examples", nargs="*", default=EXAMPLES, metavar="EXAMPLE")
    parser.add_argument("--folder", type=Path, help="where games played before lie, or are to be kept")
    chosen = parser.parse_args()
    chromium = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))))
    print("| game | letters | KB, median / max | lines | px high | sideways | crushed cells | lettering |")
    print("|---|---:|---:|---:|---:|---:|---:|---:|")
    with tempfile.TemporaryDirectory() as made, sync_playwright() as started:
        folder: Path = chosen.folder or Path(made)
        browser = started.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        page = browser.new_page()
        for name in chosen.examples:
            if not (folder / name).exists():
                command = [sys.executable, "-m", "pbem", "demo", str(folder / name), "--game", name]
                subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
            found = [measured(page, *each) for each in letters(folder / name / "letters")]
            print(table(name, found), flush=True)
        browser.close()
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
