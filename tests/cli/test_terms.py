"""The terms of a game from the command line: given at its start, changed later, echoed as written."""

from __future__ import annotations

from pathlib import Path

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
