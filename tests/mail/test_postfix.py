"""A letter through a real Postfix and the pipe that the guide for hosts prints. Skipped where there is none,
or where a user cannot be made."""

from __future__ import annotations

import os
import pwd
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from serve.kit import free_port, wait_until
from serve.mailservers import Postfix, open_to_all
from sqlmodel import select

from pbem.mail.address import reply_address
from pbem.service.moderating.start import NewGame, Player, start
from pbem.service.record.rows import LetterRow, SeatRow
from pbem.service.record.store import Store, now_utc

USER, DOMAIN = "pbem-test", "home.example"
GUIDE = Path(__file__).parents[2] / "pbem/service/HOSTING.md"


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
    server = Postfix(home.parent / "postfix", free_port())
    server.start()
    try:
        mail = f"From: clara@mail.example\nTo: {to}\nMessage-ID: <1@mail.example>\n\ndraft\n"
        server.send(mail.encode(), "clara@mail.example", to)
        wait_until(lambda: "delivered to command" in server.log, 40, server.log)
    finally:
        server.stop()
    with store.transaction() as session:
        letters = session.exec(select(LetterRow)).all()
    assert [(row.game, row.seat) for row in letters] == [("caen", "allied")]
