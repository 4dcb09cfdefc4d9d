"""Runs pbem in a terminal of its own."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import select
import signal
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Callable
from pathlib import Path

import pyte
from pyte.screens import Margins

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


class Screen(pyte.Screen):
    """A screen that can scroll without moving the cursor, which pyte leaves out."""

    def scroll_up(self, lines: int = 1) -> None:
        self._scroll(lines, self.index, (self.margins or Margins(0, self.lines - 1)).bottom)

    def scroll_down(self, lines: int = 1) -> None:
        self._scroll(lines, self.reverse_index, (self.margins or Margins(0, self.lines - 1)).top)

    def _scroll(self, lines: int, move: Callable[[], None], row: int) -> None:
        before, self.cursor.y = self.cursor.y, row
        for _ in range(lines or 1):
            move()
        self.cursor.y = before


class Stream(pyte.ByteStream):
    csi = {**pyte.ByteStream.csi, "S": "scroll_up", "T": "scroll_down"}
    events = pyte.ByteStream.events | {"scroll_up", "scroll_down"}


def _take_terminal() -> None:
    """Make the terminal that of this process, and let Ctrl-C end it: what a shell runs in the background
    ignores Ctrl-C, and so would all that tests start there."""
    fcntl.ioctl(0, termios.TIOCSCTTY, 0)
    signal.signal(signal.SIGINT, signal.SIG_DFL)


class Live:
    """pbem in a terminal whose screen can be read and whose keys are pressed one by one."""

    def __init__(
        self, *words: str | Path, columns: int = 80, rows: int = 24, before: str = "", **more: str
    ) -> None:
        """Start pbem with these words and variables; `before` is run in its process first."""
        bare = {name: value for name, value in os.environ.items() if name not in UNSET}
        # screen has an alternate screen, and no sequence to repeat a letter, which pyte does not know
        known = {"PYTHONPATH": os.pathsep.join(sys.path), "TERM": "screen-256color", "LC_ALL": "C.UTF-8"}
        self.screen = Screen(columns, rows)
        self._stream = Stream(self.screen)
        self._master, self._slave = pty.openpty()
        self._size(columns, rows)
        self.modes = termios.tcgetattr(self._slave)
        self.sent = b""
        command = [*PBEM[:2], f"{before}\n{PBEM[2]}", *map(str, words)]
        self.process = subprocess.Popen(
            command,
            stdin=self._slave,
            stdout=self._slave,
            stderr=self._slave,
            env=bare | known | more,
            start_new_session=True,
            preexec_fn=_take_terminal,
        )

    def _size(self, columns: int, rows: int) -> None:
        fcntl.ioctl(self._slave, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    def press(self, keys: str) -> None:
        os.write(self._master, keys.encode())

    def resize(self, columns: int, rows: int) -> None:
        self._size(columns, rows)
        self.screen.resize(rows, columns)

    def read(self, seconds: float = 0.05) -> None:
        """Take in what is written within this time."""
        while select.select([self._master], [], [], seconds)[0]:
            chunk = os.read(self._master, 65536)
            self.sent += chunk
            self._stream.feed(chunk)

    def until(self, fits: Callable[[str], bool], seconds: float = 60) -> str:
        """Wait until the screen fits, and return it."""
        late = time.monotonic() + seconds
        while not fits(self.text()) and time.monotonic() < late:
            self.read()
        self.read()
        assert fits(self.text()), self.text()
        return self.text()

    def shows(self, text: str) -> str:
        """Wait until the screen has this text on it, and return the screen."""
        return self.until(lambda screen: text in screen)

    def comes_to(self, wanted: str, seconds: float = 20) -> None:
        """Wait until the screen is this one."""
        late = time.monotonic() + seconds
        while self.text() != wanted and time.monotonic() < late:
            self.read()
        assert self.text() == wanted

    def text(self) -> str:
        return "\n".join(line.rstrip() for line in self.screen.display) + "\n"

    def marked(self) -> str:
        """Return what is shown in reverse below the title."""
        rows = range(1, self.screen.lines)
        cells = (self.screen.buffer[row][column] for row in rows for column in range(self.screen.columns))
        return "".join(cell.data for cell in cells if cell.reverse)

    def ends(self, seconds: float = 60) -> int:
        """Wait for the end, and return the exit code."""
        late = time.monotonic() + seconds
        while self.process.poll() is None and time.monotonic() < late:
            self.read()
        self.read()
        assert termios.tcgetattr(self._slave) == self.modes
        return self.process.wait(1)

    def close(self) -> None:
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        os.close(self._master)
        os.close(self._slave)
