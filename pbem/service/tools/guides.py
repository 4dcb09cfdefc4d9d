"""The guides that come with pbem, and the order reference of each game as a page. `pbem help` shows them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from pbem.engine.errors import DataError
from pbem.engine.game import Game
from pbem.engine.installed import games
from pbem.engine.language.reference import page
from pbem.mail.letter import parse
from pbem.paths import examples
from pbem.service.tools import demo

# --- guides -------------------------------------------------------------------------------------------


_HTML = re.compile(r"<!--.*?-->\n|</details>\n\n|</?(?:details|summary|code)>", re.DOTALL)
"""Comments and folded sections of a guide."""


@dataclass(frozen=True, slots=True)
class Guide:
    """A guide that comes with pbem: its file in the package, and what it is about."""

    file: str
    about: str

    def text(self) -> str:
        """Return the whole guide, without what only a browser understands. Raise DataError if it is
        missing."""
        path = Path(__file__).parents[2] / self.file
        try:
            return _HTML.sub("", path.read_text(encoding="utf-8"))
        except OSError as error:
            raise DataError(f"the guide {path} is missing from this installation of pbem") from error

    def chapters(self, words: str) -> str:
        """Return the chapters with all `words` in their titles. Raise KeyError naming the nearest title
        and those there are."""
        _, *chapters = re.split(r"^(?=## )", self.text(), flags=re.MULTILINE)
        titles = [each.splitlines()[0].removeprefix("## ") for each in chapters]
        matching = [
            chapter
            for title, chapter in zip(titles, chapters, strict=True)
            if all(word in title.lower() for word in words.lower().split())
        ]
        if not matching:
            near = nearest(words, titles)
            meant = f' Did you mean "{near}"?' if near else ""
            raise KeyError(f'no chapter has "{words}" in its title.{meant} There are: {"; ".join(titles)}')
        return "".join(matching)


def nearest(words: str, titles: Sequence[str]) -> str:
    """Return the title that is most like some words, or has a word like one of them; "" if none is."""
    names = {word.lower(): title for title in reversed(titles) for word in title.split()}
    names |= {title.lower(): title for title in titles}
    for each in (words.lower(), *words.lower().split()):
        if near := get_close_matches(each, names, 1):
            return names[near[0]]
    return ""


GUIDES = {
    "playing": Guide("service/PLAYING.md", "how to play by email, from the first letter to the last"),
    "hosting": Guide("service/HOSTING.md", "how to run a server: mail, deadlines, database, backup, trouble"),
    "moderating": Guide("service/MODERATING.md", "how to rule on disputes: dice, odds, undo, replay"),
    "adding": Guide("games/README.md", "how to add a game"),
    "testing": Guide("testing/README.md", "how to test a game, with and without programming"),
    "dice": Guide("engine/README.md", "how a letter becomes a turn, and how to recompute every roll"),
}
"""The guides, by the topic of `pbem help` that shows them."""


# --- the orders of a game, as a page ------------------------------------------------------------------


def order_page(game: Game[Any]) -> str:
    """Return the order reference of a game as Markdown, with a whole letter if one of its examples has a
    `sample`: what is on file as ``pbem/games/<key>/ORDERS.md``."""
    seats = {seat.key: seat.title for seat in game.seats}
    parts = [
        f"# Orders: {game.title}",
        f"Made from the declarations of the game by `pbem help {game.key} --markdown`. `pbem help playing` "
        "explains letters, drafts and deadlines. In what follows, `<units>` stands for words of yours, "
        "`[to]` may be left out, of `(at|in)` one is written, and of `{a | b}` as many as you like, in any "
        "order.",
    ]
    if letter := sample(game.key):
        parts += ["## A whole letter", letter.where, f"```\n{letter.text}\n```"]
    return "\n\n".join([*parts, page(game.grammar, seats)])


@dataclass(frozen=True, slots=True)
class Sample:
    """A letter of an example game, as its player wrote it; `where` says which it is."""

    file: Path
    text: str
    where: str


def sample(key: str) -> Sample | None:
    """Return the letter that an example of the game gives as its `sample`; None if there is none."""
    for folder in sorted(examples().iterdir() if key in games() else ()):
        if not (folder / "game.toml").is_file():
            continue
        example, letters = demo.read(folder.name)
        if example.game.game == key and example.game.sample:
            [file] = [path for path in letters if path.name == example.game.sample]
            letter = parse(file.read_bytes())
            lines = "\n".join(line.text for line in letter.lines if not line.quoted).strip()
            text = re.sub(r"\n{3,}", "\n\n", lines)
            where = (
                f"A letter of the example game `examples/{folder.name}`, which pbem accepts as it is: "
                f"`{file.name}`."
            )
            return Sample(file, text, where)
    return None
