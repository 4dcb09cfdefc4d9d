"""The command line: one file for each noun, each command a few lines around a use case.

Modules are loaded when they are needed.
"""

from __future__ import annotations

import atexit
import os
import sys
from contextlib import suppress
from importlib import import_module
from typing import Any

import click

from pbem.cli.shell import Group, explained, shown_in_terminal

COMMANDS = {
    "games": "games",
    "help": "handbook",
    "new": "new",
    "status": "status",
    "orders": "orders",
    "desk": "orderdesk",
    "submit": "submit",
    "adjudicate": "adjudicate",
    "undo": "undo",
    "end": "end",
    "rule": "rule",
    "player": "player",
    "deadline": "deadline",
    "map": "map",
    "log": "log",
    "odds": "odds",
    "replay": "replay",
    "site": "site",
    "dice": "dice",
    "luck": "luck",
    "cases": "cases",
    "data": "data",
    "bot": "bot",
    "autoplay": "autoplay",
    "mail": "mail",
    "serve": "serve",
    "host": "host",
    "tick": "tick",
    "backup": "backup",
    "restore": "backup",
    "upgrade": "backup",
    "export": "transfer",
    "import": "transfer",
    "demo": "demo",
    "db": "db",
    "rules": "rules",
}
"""Command -> the module of this package that holds it, as `<name>_command`."""

COMPLETION = """\b
Shell completion:
  bash  eval "$(_PBEM_COMPLETE=bash_source pbem)"
  zsh   eval "$(_PBEM_COMPLETE=zsh_source pbem)"
  fish  _PBEM_COMPLETE=fish_source pbem | source
"""


class Commands(Group):
    """The commands in the order in which a game meets them."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        module = import_module(f"pbem.cli.{COMMANDS[cmd_name]}")
        command: click.Command = getattr(module, f"{cmd_name}_command")
        return command

    def make_context(
        self, info_name: str | None, args: list[str], parent: click.Context | None = None, **extra: Any
    ) -> click.Context:
        with shown_in_terminal():
            return super().make_context(info_name, args, parent, **extra)

    def invoke(self, ctx: click.Context) -> object:
        with shown_in_terminal(), explained():
            return super().invoke(ctx)


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"]}, epilog=COMPLETION)
@click.version_option(package_name="pbem", prog_name="pbem")
def main() -> None:
    """Play wargames by email: letters in, provable dice, maps and combat logs out.

    Most commands work on a game file or a database URL. Give it as FILE, with --store, in the variable
    PBEM_STORE, or as `store` in pbem.toml. If it holds several games, choose one with --game. Set
    PBEM_DEBUG to see the traceback of an error.

    In a terminal, output is laid out for it, and long output goes to the program in PAGER. NO_COLOR and
    CLICOLOR=0 switch colours off. A pipe gets every line whole.

    Exit codes: 0 for done, 1 for what is refused, missing or wrong, 2 for a command line that cannot be read
    or has a value that no game could take. Commands for mail servers have codes of their own.
    """


def run() -> None:
    """The program `pbem`: run a command, and end at once with its exit code.

    To take a whole interpreter apart, object by object, takes as long as to read several letters. Threads are
    waited for and all other exit handlers run first, as the handler registered first runs last. An end by any
    other error than SystemExit, or one whose output cannot be written, is left to Python.
    """
    code: int | None = None

    def end() -> None:
        if code is None:
            return
        with suppress(OSError, ValueError):
            for stream in (sys.stdout, sys.stderr):
                if stream is not None:  # closed by the caller
                    stream.flush()
            os._exit(code)

    atexit.register(end)
    try:
        main()
    except SystemExit as error:
        code = error.code if isinstance(error.code, int) else None
        raise
