"""A letter through a real Postfix and the pipe that the guide for hosts prints. Skipped where there is none,
or where a user cannot be made."""

from __future__ import annotations

import os
import pwd
import re
import shutil
import smtplib
import socket
import stat
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlmodel import select

from pbem.mail.address import reply_address
from pbem.service.moderating.start import NewGame, Player, start
from pbem.service.record.rows import LetterRow, SeatRow
from pbem.service.record.store import Store, now_utc

USER, DOMAIN = "pbem-test", "club.example"
GUIDE = Path(__file__).parents[2] / "pbem/service/HOSTING.md"

MAIN = """\
compatibility_level = 3.6
queue_directory = {folder}/queue
data_directory = {folder}/data
command_directory = /usr/sbin
daemon_directory = /usr/lib/postfix/sbin
mail_owner = postfix
setgid_group = postdrop
maillog_file = {folder}/postfix.log
maillog_file_prefixes = {folder}
inet_interfaces = 127.0.0.1
inet_protocols = ipv4
myhostname = {domain}
mydestination = {domain}
mynetworks = 127.0.0.0/8
alias_maps =
alias_database =
local_recipient_maps =
recipient_delimiter = +
default_transport = discard
"""

MASTER = """\
127.0.0.1:{port} inet n - n - - smtpd
pickup  unix n - n 60 1 pickup
cleanup unix n - n - 0 cleanup
qmgr    unix n - n 300 1 qmgr
rewrite unix - - n - - trivial-rewrite
bounce  unix - - n - 0 bounce
defer   unix - - n - 0 bounce
trace   unix - - n - 0 bounce
proxymap unix - - n - - proxymap
error   unix - - n - - error
retry   unix - - n - - error
discard unix - - n - - discard
local   unix - n n - - local
anvil   unix - - n - 1 anvil
postlog unix-dgram n - n - 1 postlogd
"""


def open_to_all(path: Path) -> bool:
    """Whether any user may get to a file."""
    return all(each.stat().st_mode & stat.S_IXOTH for each in path.parents)


@pytest.fixture
def home() -> Iterator[Path]:
    """The home folder of a user made for the test."""
    if os.geteuid() or not shutil.which("postfix") or not shutil.which("useradd"):
        pytest.skip("needs root, Postfix and useradd")
    if not open_to_all(Path(sys.executable).resolve()) or not open_to_all(GUIDE):
        pytest.skip("pbem lies where another user may not go")
    folder = Path(tempfile.mkdtemp(prefix="pbem-postfix-"))
    folder.chmod(0o755)
    subprocess.run(["useradd", "-M", "-d", folder / "home", "-s", "/bin/sh", USER], check=True)
    (folder / "home").mkdir()
    try:
        yield folder / "home"
    finally:
        subprocess.run(["userdel", "-f", USER], check=False, capture_output=True)
        shutil.rmtree(folder, ignore_errors=True)


def postfix(folder: Path) -> tuple[int, list[str]]:
    """Start a Postfix of its own on loopback; return its port and the command that controls it."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    for name in ("etc", "queue", "data"):
        (folder / name).mkdir()
    shutil.chown(folder / "data", "postfix")
    (folder / "etc" / "main.cf").write_text(MAIN.format(folder=folder, domain=DOMAIN))
    (folder / "etc" / "master.cf").write_text(MASTER.format(port=port))
    control = ["postfix", "-c", str(folder / "etc")]
    subprocess.run([*control, "start"], check=True, capture_output=True)
    return port, control


def test_the_pipe_of_the_guide(home: Path) -> None:
    """A letter to a secret address goes through `.forward` as the guide prints it, and is played."""
    found = re.search(r'^"\|cd /srv/pbem .*"$', GUIDE.read_text(), re.MULTILINE)
    assert found
    (home / ".forward").write_text(found[0].replace("/srv/pbem", str(home)) + "\n")
    command = home / ".venv/bin/pbem"
    command.parent.mkdir(parents=True)
    source = f"import sys; sys.path[:0] = [{str(GUIDE.parents[2])!r}]; from pbem.cli import run; run()"
    command.write_text(f'#!/bin/sh\nexec {sys.executable} -c "{source}" "$@"\n')
    command.chmod(0o755)
    (home / "pbem.toml").write_text(f'store = "club.pbem"\naddress = "pbem@{DOMAIN}"\n')
    store = Store.create(home / "club.pbem")
    players = {"allied": Player("Clara", "clara@mail.example")}
    start(store, NewGame("rampage", "caen", players=players, settings={}, seed="1"), now_utc())
    with store.transaction() as session:
        seat = session.exec(select(SeatRow).where(SeatRow.key == "allied")).one()
    to = reply_address(f"{USER}@{DOMAIN}", "caen", "allied", seat.token_key)
    uid = pwd.getpwnam(USER).pw_uid
    for path in (home, *home.rglob("*")):
        os.chown(path, uid, uid)
    (home / "club.pbem").chmod(0o600)
    port, control = postfix(home.parent)
    try:
        with smtplib.SMTP("127.0.0.1", port) as client:
            client.sendmail(
                "clara@mail.example",
                [to],
                f"From: clara@mail.example\nTo: {to}\nMessage-ID: <1@mail.example>\n\ndraft\n",
            )
        log = home.parent / "postfix.log"
        for _ in range(200):
            if "status=" in log.read_text():
                break
            time.sleep(0.2)
    finally:
        subprocess.run([*control, "stop"], check=False, capture_output=True)
    assert "delivered to command" in log.read_text(), log.read_text()
    with store.transaction() as session:
        letters = session.exec(select(LetterRow)).all()
    assert [(row.game, row.seat) for row in letters] == [("caen", "allied")]
