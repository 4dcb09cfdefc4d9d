"""The README names what there is."""

from __future__ import annotations

import re
from pathlib import Path

import click

from pbem.cli import main
from pbem.engine.game import games

README = (Path(__file__).parents[1] / "README.md").read_text(encoding="utf-8")


def commands(group: click.Group, before: str = "") -> list[str]:
    """The full names of all commands."""
    context = click.Context(group)
    found: list[str] = []
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        found += (
            commands(command, f"{before}{name} ") if isinstance(command, click.Group) else [f"{before}{name}"]
        )
    return found


def test_every_command_is_named() -> None:
    """Whoever reads the README meets every command."""
    words = README.replace("export|check", "export data check").replace("show|verify", "show dice verify")
    missing = [name for name in commands(main) if not re.search(rf"\b{name.split()[-1]}\b", words)]
    assert not missing


def test_every_game_is_named() -> None:
    """Every game that comes with pbem stands in the table."""
    assert all(
        f"`{key}`" in README for key in games() if (Path(__file__).parents[1] / "pbem/games" / key).is_dir()
    )


def test_the_two_commands_stand_as_they_are() -> None:
    """The demo and the tests each start with one command."""
    assert "pip install . && pbem demo" in README
    assert "pip install '.[test]' && pytest" in README
