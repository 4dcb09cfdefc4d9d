"""Every word of every letter of the suite is covered, and every span has one of the kinds."""

from __future__ import annotations

import os
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import get_args

import pytest
from sizes import few

from pbem.engine.game import game
from pbem.engine.language.cover import gaps
from pbem.engine.language.model import SpanKind
from pbem.mail.letter import parse
from pbem.paths import examples

MOST = int(os.environ.get("PBEM_LINES", "25"))
"""How many lines of a text are read at most."""
HERE = Path(__file__).parent
GAMES = ("normandy71", "rampage", "falaise", "normandy44", "france44")


def texts(key: str) -> Iterator[str]:
    """The letters of the examples of a game, letters as mail programs send them, and lines that people
    wrote."""
    folders = [
        path.parent / "in"
        for path in examples().glob("*/game.toml")
        if tomllib.loads(path.read_text(encoding="utf-8"))["game"]["game"] == key
    ]
    for path in (*folders, HERE / "mail" / "letters"):
        for file in sorted(path.glob("*.eml")):
            yield "\n".join(line.text for line in parse(file.read_bytes()).lines)
    for name in (f"{key}.toml", f"fresh_{key}.toml"):
        written = tomllib.loads((HERE / "language" / name).read_text(encoding="utf-8"))
        yield "\n".join(each["text"] for each in written["line"][:MOST])


@pytest.mark.parametrize("key", few(GAMES, "rampage", "falaise"))
def test_no_word_is_left_out(key: str) -> None:
    """However a text reads, its cover has no gap, and no two spans share a letter."""
    rules = game(key)
    roster = rules.roster(rules.start(), rules.seats[0].key)
    for text in texts(key):
        lines = list(enumerate(text.splitlines()[:MOST], 1))
        spans = rules.grammar.read(lines, roster).cover
        assert gaps(lines, spans) == []
        assert {span.kind for span in spans} <= {*get_args(SpanKind)}
        ends = {number: 0 for number, _ in lines}
        for span in spans:
            assert ends[span.number] <= span.start < span.end, (span, text)
            ends[span.number] = span.end
