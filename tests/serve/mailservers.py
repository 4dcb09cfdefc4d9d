"""Real mail servers on loopback, for tests that run as root: a Postfix and a Dovecot, each with ports and a
configuration of its own.

Postfix takes mail at one port. What is for pbem at one of the domains below goes on by that way in, all else
to Dovecot, where every address has a mailbox.

    lmtp.example   to `pbem serve` by LMTP
    pipe.example   to `pbem mail receive`, which a pipe starts
    home.example   to the users of this machine, whose `.forward` names a program
    box.example    to a mailbox in Dovecot, which `pbem serve` reads by IMAP
"""

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
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest
from imapclient import IMAPClient, SocketTimeout
from serve.kit import TESTS, free_port, wait_until

USER, PASSWORD = "nobody", "secret"
"""Who runs the pipe and owns the mailboxes; the password of every mailbox."""

DOVECOT = """\
base_dir = {folder}/run
log_path = {folder}/dovecot.log
protocols = imap lmtp
listen = 127.0.0.1
ssl = no
disable_plaintext_auth = no
recipient_delimiter = +
mail_location = maildir:{folder}/mail/%Ld/%Ln
mail_max_userip_connections = 50
first_valid_uid = 1
passdb {{
  driver = static
  args = password={password}
}}
userdb {{
  driver = static
  args = uid={user} gid={group} home={folder}/mail/%Ld/%Ln allow_all_users=yes
}}
service imap-login {{
  inet_listener imap {{
    port = {imap}
  }}
  inet_listener imaps {{
    port = 0
  }}
}}
service lmtp {{
  inet_listener lmtp {{
    port = {lmtp}
  }}
}}
protocol lmtp {{
  auth_username_format = %Lu
}}
lmtp_save_to_detail_mailbox = no
"""

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
smtp_host_lookup = native
smtpd_peername_lookup = no
myhostname = mx.example
mydestination = home.example
mynetworks = 127.0.0.0/8
alias_maps =
alias_database =
recipient_delimiter = +
transport_maps = inline:{{
  {{ lmtp.example = pbem:inet:127.0.0.1:{pbem} }}
  {{ pipe.example = doorway: }} }}
default_transport = box:inet:127.0.0.1:{lmtp}
smtpd_sender_restrictions = check_sender_access inline:{{
  {{ outside.example = PREPEND Authentication-Results: mx.example; dmarc=pass header.from=outside.example }}
  {{ forged.example = PREPEND Authentication-Results: mx.example; dmarc=fail header.from=forged.example }} }}
pbem_destination_recipient_limit = 1
doorway_destination_recipient_limit = 1
message_size_limit = 32000000
minimal_backoff_time = 2s
maximal_backoff_time = 4s
queue_run_delay = 2s
"""
"""Two domains have a result of DMARC, as a milter of the mail server writes it. Shorter waits end with a mail
that stays: it is looked at while it is still being put back."""

MASTER = """\
127.0.0.1:{smtp} inet n - n - - smtpd
pickup  unix n - n 60 1 pickup
cleanup unix n - n - 0 cleanup
qmgr    unix n - n 300 1 qmgr
rewrite unix - - n - - trivial-rewrite
bounce  unix - - n - 0 bounce
defer   unix - - n - 0 bounce
trace   unix - - n - 0 bounce
proxymap unix - - n - - proxymap
showq   unix n - n - - showq
error   unix - - n - - error
retry   unix - - n - - error
scache  unix - - n - 1 scache
anvil   unix - - n - 1 anvil
postlog unix-dgram n - n - 1 postlogd
box     unix - - n - - lmtp
pbem    unix - - n - - lmtp flags=DO
local   unix - n n - - local
doorway unix - n n - 2 pipe flags=DOq user={user} argv={command}
"""
"""Delivered-To and X-Original-To (flags D and O) say which address was meant."""


def skip_without_servers() -> None:
    """Skip the test on a machine that cannot run it."""
    programs = ("postfix", "postqueue", "dovecot", "doveconf")
    if os.geteuid() or not all(map(shutil.which, programs)):
        pytest.skip("needs root, Postfix and Dovecot")
    version = subprocess.run(["dovecot", "--version"], capture_output=True, text=True).stdout
    if not version.startswith("2.3."):
        pytest.skip(f"the configuration is that of Dovecot 2.3, this is {version.strip()}")
    if not open_to_all(Path(__file__)) or python_for_all() is None:
        pytest.skip("pbem is where another user may not go")


def open_to_all(path: Path) -> bool:
    """Whether any user may get to a file."""
    return all(each.stat().st_mode & stat.S_IXOTH for each in path.resolve().parents)


def python_for_all() -> str | None:
    """A Python that any user may run, for the pipe, which needs nothing else: this one, or the system's."""
    if open_to_all(Path(sys.executable)):
        return sys.executable
    return shutil.which("python3", path="/usr/bin:/bin")


def answers(port: int) -> bool:
    """Whether somebody listens on a port."""
    with socket.socket() as probe:
        return not probe.connect_ex(("127.0.0.1", port))


class Dovecot:
    """Takes mail for every address by LMTP, and shows it by IMAP."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.imap, self.lmtp = folder, free_port(), free_port()
        owner = pwd.getpwnam(USER)
        (folder / "mail").mkdir(parents=True)
        os.chown(folder / "mail", owner.pw_uid, owner.pw_gid)
        known = {"user": owner.pw_uid, "group": owner.pw_gid, "password": PASSWORD}
        self.config = folder / "dovecot.conf"
        self.config.write_text(DOVECOT.format(folder=folder, imap=self.imap, lmtp=self.lmtp, **known))
        self.process: subprocess.Popen[bytes] | None = None
        self.clients: dict[str, IMAPClient] = {}
        self.read: dict[tuple[str, str, int], bytes] = {}

    def start(self) -> None:
        """Start it, and wait until it answers."""
        self.process = subprocess.Popen(["dovecot", "-F", "-c", self.config])
        wait_until(lambda: answers(self.imap) and answers(self.lmtp), says="Dovecot does not answer")

    def stop(self) -> None:
        """End it; its connections end with it."""
        while self.clients:
            self.clients.popitem()[1].shutdown()
        if self.process is not None:
            self.process.terminate()
            self.process.wait(20)
            self.process = None

    def mails(self, user: str, folder: str = "INBOX") -> list[bytes]:
        """The mails in a mailbox, oldest first."""
        client = self.clients.get(user) or self._client(user)
        client.select_folder(folder, readonly=True)
        there = [(user, folder, uid) for uid in sorted(client.search(["ALL"]))]
        if new := [each[2] for each in there if each not in self.read]:
            fetched = client.fetch(new, ["BODY.PEEK[]"])
            self.read |= {(user, folder, uid): fetched[uid][b"BODY[]"] for uid in new if uid in fetched}
        return [self.read[each] for each in there if each in self.read]

    def _client(self, user: str) -> IMAPClient:
        client = IMAPClient("127.0.0.1", self.imap, ssl=False, timeout=SocketTimeout(10, 30))
        client.login(user, PASSWORD)
        self.clients[user] = client
        return client


class Postfix:
    """Takes mail at a port, and hands it on by LMTP to port `pbem`, by the pipe, or to Dovecot at port
    `boxes`. The pipe hands it over at the socket `doorway`."""

    def __init__(self, folder: Path, boxes: int) -> None:
        self.folder, self.smtp, self.pbem = folder, free_port(), free_port()
        self.doorway = folder / "doorway" / "intake.sock"
        for name in ("etc", "queue", "data", "doorway"):
            (folder / name).mkdir(parents=True)
        shutil.chown(folder / "data", "postfix")
        shutil.chown(folder / "doorway", USER)
        program = folder / "pbem"
        source = f"import sys; sys.path[:0] = [{str(TESTS.parent)!r}]; from pbem.pipe import run; run()"
        program.write_text(f'#!/bin/sh\nexec {python_for_all()} -c "{source}" "$@"\n')
        program.chmod(0o755)
        command = f"{program} mail receive --socket {self.doorway}"
        known = {"folder": folder, "smtp": self.smtp, "pbem": self.pbem, "lmtp": boxes}
        (folder / "etc/main.cf").write_text(MAIN.format(**known))
        (folder / "etc/master.cf").write_text(MASTER.format(smtp=self.smtp, user=USER, command=command))

    def start(self) -> None:
        """Start it, and wait until it answers."""
        self._control("start")
        wait_until(lambda: answers(self.smtp), says="Postfix does not answer")

    def stop(self) -> None:
        """End it."""
        self._control("stop")

    def _control(self, word: str) -> None:
        """`postfix` speaks on its standard error even if all is well."""
        subprocess.run(["postfix", "-c", self.folder / "etc", word], check=True, capture_output=True)

    def send(self, raw: bytes, sender: str, to: str) -> None:
        """Hand a mail over, as the mail server of its writer does; with swaks where there is one."""
        if swaks := shutil.which("swaks"):
            where = ["--server", f"127.0.0.1:{self.smtp}", "--from", sender, "--to", to]
            words = [swaks, *where, "--data", "-", "--hide-all"]
            subprocess.run(words, input=raw, check=True, timeout=60)
            return
        with smtplib.SMTP("127.0.0.1", self.smtp, timeout=60) as client:
            client.sendmail(sender, [to], raw)

    def waiting(self) -> int:
        """How many mails are in its queue."""
        words = ["postqueue", "-c", str(self.folder / "etc"), "-j"]
        return len(subprocess.run(words, check=True, capture_output=True, text=True).stdout.splitlines())

    def said(self, status: str) -> list[str]:
        """The lines of its log about deliveries of this status: sent, deferred, bounced."""
        return re.findall(rf"^.*status={status} .*$", self.log, re.MULTILINE)

    @property
    def log(self) -> str:
        """What stands in its log."""
        path = self.folder / "postfix.log"
        return path.read_text() if path.exists() else ""


@contextmanager
def mail_servers(folder: Path) -> Iterator[tuple[Postfix, Dovecot]]:
    """Both, started. Their users must be able to enter the folder."""
    box = Dovecot(folder / "dovecot")
    mta = Postfix(folder / "postfix", box.lmtp)
    with ExitStack() as ends:
        ends.callback(box.stop)
        box.start()
        mta.start()
        ends.callback(mta.stop)
        yield mta, box
