"""The terms of a game from the command line: given at its start, changed later, echoed as written."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from pbem.config import settings
from tests.cli.test_commands import ok, refused


def test_a_new_game_may_wait_for_rulings(tmp_path: Path) -> None:
    """Its first letters say so; a running game is given the term, and it is echoed."""
    file, letters = tmp_path / "mill.pbem", tmp_path / "out"
    ok("new", "clash", "-o", file, "--clock", "3d", "--disputes", "wait", "--dispute-days", "2", "--player",
       "red=Rita <rita@mail.example>")  # fmt: skip
    ok("mail", "folder", file, letters)
    first = "\n".join(path.read_text(encoding="utf-8") for path in letters.iterdir())
    assert "the clock is stopped until the ruling, for at most 2 days" in " ".join(first.split())
    assert "(disputes: go on)" in ok("deadline", "terms", file, "--disputes", "go on")
    assert "dispute_days" in refused("deadline", "terms", file, "--dispute-days", "0", code=2)


def test_terms_are_echoed_as_they_are_written(tmp_path: Path) -> None:
    """Hours are not numbers with a point."""
    file = tmp_path / "mill.pbem"
    ok("new", "clash", "-o", file, "--clock", "3d", "--player", "red=Rita <rita@mail.example>")
    said = ok("deadline", "terms", file, "--clock", "36h", "--grace", "6h", "--remind", "0h", "--at", "21")
    assert "(clock: 1d12h, clock at: 21, grace: 6h, remind: 0h)" in said


def test_a_new_game_may_have_its_secrets_in_the_subject(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where the command or the settings say so; the command beats them. An order desk says what to write to
    whom."""
    player = ("--address", "pbem@club.example", "--player", "red=Rita <rita@mail.example>")
    file_of_settings = tmp_path / "other.toml"
    file_of_settings.write_text(
        '[intake.imap]\nhost = "imap.club.example"\nuser = "club"\npassword = "x"\ntoken_in_subject = true\n'
    )
    made = [
        ("plain", (), False),
        ("asked", ("--token", "subject"), True),
        ("set", (), True),
        ("beaten", ("--token", "address"), False),
    ]
    for name, words, in_subject in made:
        file, letters, page = (tmp_path / f"{name}.{end}" for end in ("pbem", "out", "html"))
        if name == "set":
            monkeypatch.setenv("PBEM_CONFIG", str(file_of_settings))
            settings.cache_clear()
        ok("new", "clash", "-o", file, *player, *words)
        ok("mail", "folder", file, letters)
        (letter,) = [path.read_text(encoding="utf-8") for path in letters.iterdir() if "-red-" in path.name]
        assert ("pbem+" in letter) != in_subject
        assert bool(re.search(r"\(clash\.red\.[a-z2-7]{16}\)", letter)) == in_subject
        ok("desk", file, "--seat", "red", "-o", page)
        assert ('"to": "pbem@club.example"' in page.read_text().replace('":"', '": "')) == in_subject
    settings.cache_clear()
    assert "clash.red." not in ok("mail", "outbox", tmp_path / "asked.pbem", "--all")
    assert "address, subject" in refused("new", "clash", "--token", "body", code=2).replace("'", "")
