"""Runs pbem in a terminal of its own."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import struct
import subprocess
import sys
import termios
from pathlib import Path

PBEM = [sys.executable, "-c", "import sys; sys.argv[0] = 'pbem'; from pbem.cli import run; run()"]
COLOUR = re.compile(r"\x1b\[[0-9;]*m")


def in_terminal(
    *words: str | Path, columns: int = 80, rows: int = 24, code: int = 0, keys: str = "", **more: str
) -> str:
    """Return what pbem shows in a terminal of this size to somebody who types these keys, with these
    variables set as well."""
    bare = {name: value for name, value in os.environ.items() if name not in UNSET}
    environment = bare | {"PYTHONPATH": os.pathsep.join(sys.path), "TERM": "xterm"} | more
    master, slave = pty.openpty()
    fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
    command = [*PBEM, *map(str, words)]
    with subprocess.Popen(command, stdin=slave, stdout=slave, stderr=slave, env=environment) as process:
        os.close(slave)
        os.write(master, keys.encode())
        shown = b""
        try:
            while chunk := os.read(master, 65536):
                shown += chunk
        except OSError:  # the terminal is closed when the process ends
            pass
        os.close(master)
    assert process.returncode == code, shown
    return shown.decode().replace("\r\n", "\n")


UNSET = ("NO_COLOR", "CLICOLOR", "COLUMNS", "LINES", "PAGER", "LESS", "MANPAGER")
"""What would change how a terminal looks."""
