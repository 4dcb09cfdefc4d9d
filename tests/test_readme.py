"""The README names what there is."""

from __future__ import annotations

import re
from pathlib import Path

import click

from pbem.cli import main
from pbem.engine.game import games

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")


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
    assert all(f"`{key}`" in README for key in games() if (ROOT / "pbem/games" / key).is_dir())


def test_the_two_commands_are_those_that_are_run() -> None:
    """The demo and the tests each start with one line, the same in the README and in .ci/run."""
    lines = [
        "python3 -m venv .venv && .venv/bin/pip install -q . && .venv/bin/pbem demo",
        "python3 -m venv .venv && .venv/bin/pip install -q '.[test]' && .venv/bin/pytest",
    ]
    shown = re.findall(r"```sh\n(.*)\n```", README.partition("## A game in ten commands")[0])
    assert shown == lines
    run = ROOT / ".ci/run"  # not part of a source distribution
    assert not run.is_file() or all(f'="{line}"' in run.read_text(encoding="utf-8") for line in lines)
