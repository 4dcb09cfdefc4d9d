"""The letters of the examples in a headless Chromium, at the width of a phone: nothing is wider than the
screen or too small to read, and axe-core has nothing serious to say.

It runs where there are a Chromium and Playwright (`pip install -e .[browser]`).
"""

from __future__ import annotations

from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from replays import CHROMIUM, SERIOUS, chromium

from pbem.service.letters.layout import Writing, as_html
from pbem.service.letters.log import Part

LETTERS = sorted((Path(__file__).parents[1] / "examples").glob("*/out/*.html"))
pytestmark = [
    pytest.mark.dear,
    pytest.mark.skipif(not CHROMIUM, reason="there is no Chromium here"),
    pytest.mark.skipif(
        find_spec("playwright") is None, reason="Playwright is not installed: pip install -e .[browser]"
    ),
]

SMALL = """() => [...document.querySelectorAll('main *')]
  .filter(e => e.innerText && parseFloat(getComputedStyle(e).fontSize) < 14).map(e => e.outerHTML)"""
"""The texts that are lettered smaller than 14 pixels."""

UNDER = """() => {
  const at = document.querySelector('.asis').getBoundingClientRect(), u = document.querySelector('u');
  return u.getBoundingClientRect().right <= innerWidth && at.height > 40 && u.textContent;
}"""
"""What is marked in a line of several rows."""


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with chromium() as started:
        yield started


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_letters_on_a_phone(browser: Any, scheme: str) -> None:
    """Each letter on file, with all that it folds open."""
    import axe_playwright_python

    axe = Path(axe_playwright_python.__file__).with_name("axe.min.js").read_text(encoding="utf-8")
    page = browser.new_page(viewport={"width": 390, "height": 844}, color_scheme=scheme)
    assert len(LETTERS) > 10
    for letter in LETTERS:
        page.goto(letter.as_uri())
        page.evaluate("document.querySelectorAll('details').forEach(folded => folded.open = true)")
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), letter.name
        assert page.evaluate(SMALL) == [], letter.name
    page.evaluate(axe)
    assert page.evaluate(SERIOUS) == []
    page.close()


def test_a_long_line_to_correct_on_a_phone(browser: Any) -> None:
    """What is wrong with it is marked in the line, however that is broken."""
    line = " NO   L5:  attack 4817 with 8/4, 22/4, 9/4 at 2:1 or better, support of VII/US, one fighter"
    carets = " " * line.index("one") + "^^^"
    part = Part("Lines to correct", (line, carets, '      unknown word "one"'))
    page = browser.new_page(viewport={"width": 390, "height": 844})
    page.set_content(as_html(Writing("reply", "Subject", parts=(part,)), (), ""))
    assert page.evaluate(UNDER) == "one"
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.close()
