"""`pbem` for tests that give many commands: one process loads the whole of pbem and forks for each command,
which is spared half a second of imports.

``python forked.py FOLDER`` listens at FOLDER/socket until it is killed. `program` writes a program that hands
its words, folder, environment and open files over.
"""

from __future__ import annotations

import gc
import json
import os
import pkgutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path

CLIENT = """#!{python} -IS
import json, os, socket, sys

with socket.socket(socket.AF_UNIX) as server:
    server.connect({path!r})
    said = json.dumps([sys.argv, os.getcwd(), dict(os.environ)]).encode()
    socket.send_fds(server, [len(said).to_bytes(4, "big")], [0, 1, 2])
    server.sendall(said)
    code = server.recv(1)
sys.exit(code[0] if code else "pbem: the process that was to run this has ended")
"""


@contextmanager
def program(folder: Path) -> Iterator[Path]:
    """A folder with a program `pbem` in it, whose commands end with the exit codes of the real one."""
    folder.mkdir(parents=True)
    address = folder / "socket"
    client = folder / "pbem"
    client.write_text(CLIENT.format(python=sys.executable, path=str(address)), encoding="utf-8")
    client.chmod(0o755)
    with subprocess.Popen([sys.executable, __file__, folder], stdin=subprocess.DEVNULL) as server:
        try:
            while not address.exists():
                assert server.poll() is None, "the process that forks has ended"
                time.sleep(0.02)
            yield folder
        finally:
            server.kill()


def serve(folder: Path) -> None:
    """Fork for each command that comes in."""
    load("pbem")
    gc.freeze()
    with socket.socket(socket.AF_UNIX) as door:
        door.bind(str(folder / "new"))
        door.listen()
        (folder / "new").rename(folder / "socket")
        signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # nobody asks how those end that wait for commands
        while True:
            caller, _ = door.accept()
            if os.fork() == 0:
                door.close()
                signal.signal(signal.SIGCHLD, signal.SIG_DFL)
                return attend(caller)
            caller.close()


def load(name: str) -> None:
    """Import a package with all that is in it, but for what runs when it is imported, and what needs
    libraries that are not there."""
    package = import_module(name)
    for found in pkgutil.walk_packages(package.__path__, f"{name}."):
        if not found.name.endswith("__main__"):
            try:
                import_module(found.name)
            except ModuleNotFoundError as error:
                if (error.name or "").startswith("pbem"):
                    raise


def attend(caller: socket.socket) -> None:
    """Run the command of a caller in one more process, and hand its exit code back."""
    head, files, _, _ = socket.recv_fds(caller, 4, 3)
    said = b""
    while len(said) < int.from_bytes(head, "big"):
        if not (more := caller.recv(65536)):
            os._exit(1)  # the caller has gone
        said += more
    words, folder, environment = json.loads(said)
    command = os.fork()
    if command == 0:
        caller.close()
        for number, file in enumerate(files):
            os.dup2(file, number)
            os.close(file)
        os.chdir(folder)
        os.environ.clear()
        os.environ.update(environment)
        time.tzset()
        sys.argv = words
        from pbem.pipe import run

        run()
        return
    _, status = os.waitpid(command, 0)
    caller.sendall(bytes([os.waitstatus_to_exitcode(status) & 0xFF]))
    os._exit(0)


if __name__ == "__main__":
    serve(Path(sys.argv[1]))
