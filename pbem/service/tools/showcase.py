"""The page that a demonstration begins with, and its letters as pages that any browser opens."""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Iterable
from dataclasses import dataclass
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import default
from pathlib import Path

from pbem.service.letters.log import template


@dataclass(frozen=True, slots=True)
class LetterPage:
    """A letter as a page: its `path` from the folder of the demonstration, its subject and number of
    pictures."""

    path: str
    subject: str
    pictures: int
    is_turn: bool
    """Whether it reports play, rather than answers a letter."""


@dataclass(frozen=True, slots=True)
class Showcase:
    """What a demonstration has left, by its paths from its folder; "" for what there is not."""

    title: str
    result: str
    game: str
    log: str
    maps: tuple[str, ...]
    letters: dict[str, tuple[LetterPage, ...]]
    desk: str = ""
    moment: str = ""
    played: str = "The bots played it."
    """Who played it, as a sentence."""

    @property
    def first(self) -> LetterPage | None:
        """The letter to open first: the first report of play with most pictures, else the first letter."""
        all_letters = [letter for letters in self.letters.values() for letter in letters]
        return max(all_letters, key=lambda letter: (letter.is_turn, letter.pictures), default=None)

    def html(self) -> str:
        """Return the page that leads to everything else."""
        return template("demo/index.html.j2").render(show=self)


def letter_pages(folder: Path, letters: Iterable[Path], to: Path) -> tuple[LetterPage, ...]:
    """Write saved letters as pages into the folder `to`, each whole, with its pictures. A letter without an
    HTML part is shown as its text."""
    pages = []
    for file in letters:
        mail = message_from_bytes(file.read_bytes(), policy=default)
        subject = str(mail["subject"])
        html, pictures = _page_of(mail, subject)
        to.mkdir(parents=True, exist_ok=True)
        page = to / f"{file.stem}.html"
        page.write_text(html, encoding="utf-8", newline="\n")
        path = page.relative_to(folder).as_posix()
        pages.append(LetterPage(path, subject, pictures, "-turn-" in file.stem))
    return tuple(pages)


def _page_of(mail: EmailMessage, subject: str) -> tuple[str, int]:
    """Return a letter as a page that needs no other file, and the number of its pictures."""
    html = mail.get_body(("html",))
    if html is None:
        text = mail.get_body(("plain",))
        words = text.get_content() if text else ""
        return template("demo/letter.html.j2").render(subject=subject, text=words), 0
    pictures = {
        str(part["content-id"]).strip("<>"): part.get_payload(decode=True)
        for part in mail.walk()
        if part.get_content_maintype() == "image" and part["content-id"]
    }

    def inline(found: re.Match[str]) -> str:
        data = pictures.get(found[1])
        return f'src="data:image/png;base64,{b64encode(data).decode()}"' if isinstance(data, bytes) else ""

    return re.sub(r'src="cid:([^"]+)"', inline, html.get_content()), len(pictures)
