"""The page that a demonstration begins with leads to all that it has left."""

from __future__ import annotations

import re
from email.message import EmailMessage
from pathlib import Path
from urllib.parse import unquote

import pytest

from pbem.service.tools.demo import Demo, demo
from pbem.service.tools.showcase import LetterPage, Showcase, letter_pages

LINK = re.compile(r'(?:href|src)="([^"]*)"')


@pytest.fixture(scope="module")
def done(tmp_path_factory: pytest.TempPathFactory) -> Demo:
    return demo(tmp_path_factory.mktemp("show") / "demo", "clash")


def test_every_link_leads_to_a_file(done: Demo) -> None:
    """To the game, the desk, each letter, each map and the log; nothing from elsewhere, and no script."""
    page = (done.folder / "index.html").read_text(encoding="utf-8")
    links = LINK.findall(page)
    assert links and all((done.folder / unquote(link)).is_file() for link in links)
    letters = sum(done.letters.values())
    assert sum(link.startswith("pages/") and link != done.first for link in links) == letters - 1
    assert {"game.html", "log.txt", done.desk, done.first} < set(links)
    assert {f"maps/turn-{turn}.png" for turn in done.turns} < set(links)
    assert "<script" not in page and "http" not in page
    assert 'name="viewport"' in page and "prefers-color-scheme:dark" in page
    assert "The bots played it." in page and "People wrote" not in page


def test_a_demonstration_names_what_to_open(done: Demo) -> None:
    told = "\n".join(done.lines())
    for name in ("index.html", done.first, f"maps/turn-{done.turns[-1]}.png"):
        assert f"  {done.folder / name}   " in told
    assert Demo(done.folder, letters={"red": 1}).lines()[-1].endswith("letters/red")
    assert "1 letter to red" in "\n".join(Demo(done.folder, letters={"red": 1}).lines())


def test_a_letter_is_a_page_with_its_pictures(done: Demo) -> None:
    """It names no part of a mail any more."""
    page = (done.folder / done.first).read_text(encoding="utf-8")
    assert 'src="data:image/png;base64,' in page and "cid:" not in page


def test_what_players_wrote_is_escaped(tmp_path: Path) -> None:
    """Titles, subjects, and a letter of text alone."""
    mail = EmailMessage()
    mail["Subject"] = "<b>no</b> & more"
    mail.set_content("1 < 2 <script>")
    (tmp_path / "1.eml").write_bytes(mail.as_bytes())
    [letter] = letter_pages(tmp_path, [tmp_path / "1.eml"], tmp_path / "pages")
    assert letter == LetterPage("pages/1.html", "<b>no</b> & more", 0, False)
    text = (tmp_path / letter.path).read_text(encoding="utf-8")
    assert "1 &lt; 2 &lt;script&gt;" in text and "<b>" not in text
    letters = {"<red>": (letter,)}
    show = Showcase("A <i>", "B & <i>", "game.html", "log.txt", (), letters, played="People wrote <i>")
    page = show.html()
    assert "<i>" not in page and "<b>" not in page and "<red>" not in page and "People wrote" in page


def test_the_letter_to_open_first_has_most_to_see() -> None:
    """A report with pictures before one without, and before a reply."""
    plain, seen = LetterPage("1", "", 1, True), LetterPage("2", "", 2, True)
    reply = LetterPage("3", "", 3, False)
    show = Showcase("", "", "", "", (), {"red": (plain, seen), "blue": (reply,)})
    assert show.first == seen
    assert Showcase("", "", "", "", (), {}).first is None
