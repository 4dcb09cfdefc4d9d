"""`pbem host init` and `pbem host check`: what is printed is run as it stands, by a user of its own, with a
real Postfix and Dovecot; then something is broken, and the check names it."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from conftest import NOW, begin
from serve.kit import TESTS, free_port, wait_until
from serve.mailservers import (
    PASSWORD,
    Dovecot,
    Postfix,
    mail_servers,
    open_to_all,
    skip_without_servers,
)

from pbem.cli import main
from pbem.config import Intake, SenderSettings, Settings, settings
from pbem.serve import check as checks
from pbem.serve.setup import Host, settings_file, steps
from pbem.service.intake.receive import receive
from pbem.service.intake.reception import reception
from pbem.service.moderating.hosting import carry_out
from pbem.service.moderating.people import set_senders
from pbem.service.moderating.start import NewGame, Player, start
from pbem.service.record.store import Store, now_utc

pytestmark = pytest.mark.skipif(os.name != "posix", reason="users and signals of POSIX")

USER = f"pbem-host-{os.environ.get('PYTEST_XDIST_WORKER', '')}".rstrip("-")
"""One for each process of the tests, as all that runs under it is killed."""

SYSTEMCTL = """\
#!/bin/sh
# Stands for systemd: `enable --now pbem.service` starts what the unit says, as its user.
case "$*" in
*--now*)
    unit={units}/pbem.service
    say() {{ sed -n "s/^$1=//p" $unit; }}
    cd "$(say WorkingDirectory)"
    runuser -u "$(say User)" -- env "$(say Environment)" PBEM_HEALTH__LISTEN=127.0.0.1:{health} \\
        $(say ExecStart) >{units}/log 2>&1 &
    echo $! >{units}/pid
    ;;
esac
"""


@pytest.fixture(scope="module")
def servers() -> Iterator[tuple[Postfix, Dovecot]]:
    """A Postfix and a Dovecot, and a user for the service."""
    skip_without_servers()
    if not open_to_all(Path(sys.executable).resolve()) or not shutil.which("useradd"):
        pytest.skip("needs useradd, and a Python that other users may run")
    folder = Path(tempfile.mkdtemp(prefix="pbem-host-"))
    folder.chmod(0o755)
    try:
        with mail_servers(folder) as both:
            yield both
    finally:
        subprocess.run(["userdel", "-f", USER], check=False, capture_output=True)
        shutil.rmtree(folder, ignore_errors=True)


@dataclass
class Machine:
    """A folder with pbem in it, on a machine with a mail server."""

    folder: Path
    mta: Postfix
    box: Dovecot
    env: dict[str, str] = field(default_factory=dict)

    @classmethod
    def made(cls, name: str, mta: Postfix, box: Dovecot) -> Machine:
        """An empty one, in which `systemctl` starts the service."""
        folder = mta.folder.parent / name
        units, programs = folder / "units", folder / "bin"
        for each in (folder, units, programs, folder / "club"):
            each.mkdir()
        program = programs / "pbem"
        source = f"import sys; sys.argv[0] = '{program}'; sys.path[:0] = ['{TESTS.parent}', '{TESTS}']"
        write(
            program,
            f'#!/bin/sh\nexec {sys.executable} -c "{source}; from pbem.pipe import run; run()" "$@"\n',
        )
        write(programs / "systemctl", SYSTEMCTL.format(units=units, health=free_port()))
        path = f"{programs}:/usr/sbin:/usr/bin:/sbin:/bin"
        return cls(
            folder, mta, box, {"PATH": path, "MAIL_CONFIG": str(mta.folder / "etc"), "LANG": "C.UTF-8"}
        )

    def init(self, *words: str) -> str:
        """`pbem host init` in the empty folder; return what it prints."""
        common = [
            "--moderator", "carla@club.example", "--smtp", f"127.0.0.1:{self.mta.smtp}",
            "--store", "club.pbem", "--zone", "Europe/Paris", "--user", USER,
        ]  # fmt: skip
        return self.run(["pbem", "host", "init", *common, *words])

    def follow(self, script: str) -> None:
        """Run what was printed, but for the folder of the units and of Dovecot."""
        script = script.replace("/etc/systemd/system", str(self.folder / "units"))
        script = script.replace("/etc/dovecot/conf.d", str(self.folder / "units"))
        body, _, last = script.rpartition("# Then see whether all of it works:\n")
        self.run(["bash", "-euo", "pipefail", "-c", body.replace("doveadm reload", ":")])
        assert last.startswith("runuser") and last.endswith("host check\n")

    def run(self, words: list[str]) -> str:
        done = subprocess.run(
            words, cwd=self.folder / "club", env=self.env, capture_output=True, text=True, timeout=120
        )
        assert done.returncode == 0, f"{done.stdout}\n{done.stderr}"
        return done.stdout

    def check(self, wait: float = 20, **variables: str) -> dict[str, tuple[str, str]]:
        """`pbem host check` as the user of the service: how each check came out, and what it says."""
        words = [
            "runuser",
            "-u",
            USER,
            "--",
            "env",
            *(f"{name}={value}" for name, value in variables.items()),
        ]
        words += [
            f"PBEM_CONFIG={self.folder / 'club/pbem.toml'}",
            "pbem",
            "host",
            "check",
            "--wait",
            str(wait),
        ]
        done = subprocess.run(words, env=self.env, capture_output=True, text=True, timeout=120)
        assert not done.stderr, done.stderr
        lines = [line.split(None, 1) for line in done.stdout.splitlines()]
        found = {rest[:13].strip(): (state, rest[14:]) for state, rest in lines}
        states = {state for state, _ in found.values()}
        assert done.returncode == (2 if "FAIL" in states else 1 if "WARN" in states else 0)
        return found

    def stop(self) -> None:
        """End the service."""
        pid = self.folder / "units/pid"
        if pid.exists():
            subprocess.run(["pkill", "-KILL", "-u", USER], check=False)
            pid.unlink()

    def ready(self) -> None:
        """Wait until the service is."""
        log = self.folder / "units/log"
        wait_until(
            lambda: log.exists() and "event=ready" in log.read_text(), 30, "the service does not begin"
        )


def write(path: Path, text: str) -> None:
    path.write_text(text)
    path.chmod(0o755)


WAYS = {
    "lmtp": ["--address", "pbem@one.example", "--intake", "lmtp"],
    "pipe": ["--address", "pbem@two.example", "--intake", "pipe"],
    "imap": ["--address", "pbem@box.example", "--intake", "imap", "--imap-user", "pbem@box.example"],
}


@pytest.fixture(params=list(WAYS))
def served(request: pytest.FixtureRequest, servers: tuple[Postfix, Dovecot]) -> Iterator[Machine]:
    """A machine on which the printed steps were followed, for each way in."""
    mta, box = servers
    machine = Machine.made(request.param, mta, box)
    words = [*WAYS[request.param], "--listen", f"127.0.0.1:{free_port()}"]
    if request.param == "imap":
        machine.env["PBEM_INTAKE__IMAP__PASSWORD"] = PASSWORD
        words += ["--imap", f"127.0.0.1:{box.imap}"]
    try:
        machine.follow(machine.init(*words))
        machine.env.pop("PBEM_INTAKE__IMAP__PASSWORD", None)
        machine.ready()
        yield machine
    finally:
        machine.stop()


@pytest.mark.dear
def test_followed_to_the_letter(served: Machine) -> None:
    """The check finds no fault, after a backup nothing but that no sender was checked; a player's letter is
    answered. Then the service is killed, and the check says so."""
    club = served.folder / "club"
    assert oct((club / "pbem.toml").stat().st_mode & 0o777) == "0o600"
    config = f"PBEM_CONFIG={club / 'pbem.toml'}"
    served.run(["runuser", "-u", USER, "--", "env", config, "pbem", "backup"])
    found = served.check()
    assert {name for name, (state, _) in found.items() if state != "ok"} == {"sender"}, str(found)
    assert "Authentication-Results" in found["sender"][1] and "back in" in found["round trip"][1]
    words = ["new", "rampage", "--id", "caen", "--player", "allied=Rita <rita@mail.example>"]
    served.run(["runuser", "-u", USER, "--", "env", config, "pbem", *words])
    wait_until(lambda: served.box.mails("rita@mail.example"), 30, "Rita gets no letter")
    served.stop()
    dead = served.check(wait=1)
    assert dead["service"][0] == "FAIL" and "systemctl start pbem" in dead["service"][1]
    state = dead["way in"][0] if "pbem@box" not in (club / "pbem.toml").read_text() else "ok"
    assert state == ("ok" if served.folder.name == "imap" else "FAIL")


@pytest.mark.dear
def test_what_is_broken_is_named(servers: tuple[Postfix, Dovecot]) -> None:
    """Each fault by itself: no plus-address, a port that is closed, the wrong owner, a key that is none."""
    mta, box = servers
    machine = Machine.made("broken", mta, box)
    port = free_port()
    try:
        machine.follow(machine.init(*WAYS["lmtp"], "--listen", f"127.0.0.1:{port}"))
        machine.ready()
        machine.run(["postconf", "-e", "recipient_delimiter ="])
        machine.run(["postfix", "reload"])
        found = wait_until(lambda: no_plus(machine), 20)
        assert "recipient_delimiter" in found["plus-address"][1] and "way out" not in found
        machine.run(["postconf", "-e", "recipient_delimiter = +"])
        machine.run(["postfix", "reload"])
        closed = machine.check(wait=1, PBEM_SMTP__PORT=str(free_port()))
        assert closed["way out"][0] == "FAIL" and "below [smtp]" in closed["way out"][1]
        other = machine.check(wait=1, PBEM_INTAKE__LMTP__LISTEN=f"127.0.0.1:{free_port()}")
        assert other["way in"][0] == "FAIL" and "Connection refused" in other["way in"][1]
        config = machine.folder / "club/pbem.toml"
        text = config.read_text()
        config.write_text(text.replace("zone =", "zonne ="))
        assert machine.check()["settings"] == (
            "FAIL", f'{config} or PBEM_ variables: there is no "zonne"; did you mean zone?'
        )  # fmt: skip
        config.write_text(text)
        machine.stop()
        shutil.chown(machine.folder / "club/club.pbem", "root")
        found = machine.check(wait=1)
        assert found["owner"][0] == "FAIL" and f"chown -R {USER}:" in found["owner"][1]
        assert found["store"][0] == "FAIL"
    finally:
        machine.stop()


def no_plus(machine: Machine) -> dict[str, tuple[str, str]] | None:
    """What the check finds once Postfix knows no plus-addresses any more."""
    found = machine.check(wait=1)
    return found if found.get("plus-address", ("", ""))[0] == "FAIL" else None


@pytest.mark.dear
def test_a_wrong_password(servers: tuple[Postfix, Dovecot], tmp_path: Path) -> None:
    """Of the mailbox."""
    _, box = servers
    known: dict[str, Any] = {
        "imap": {
            "host": "127.0.0.1", "port": box.imap, "tls": "none", "user": "pbem@box.example",
            "password": "wrong",
        }
    }  # fmt: skip
    (found,) = checks._ways_in(Settings(intake=known))  # type: ignore[arg-type]
    assert found.state == "FAIL" and "refuses the login" in found.says
    known["imap"]["port"] = free_port()
    (found,) = checks._ways_in(Settings(intake=known))  # type: ignore[arg-type]
    assert found.state == "FAIL" and "out of reach" in found.says


def test_a_full_disk(tmp_path: Path) -> None:
    """On a disk of its own, of 8 MB."""
    disk = tmp_path / "disk"
    disk.mkdir()
    done = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=8m", "tmpfs", disk], capture_output=True)
    if done.returncode:
        pytest.skip("may not mount a disk here")
    try:
        store = Store.create(disk / "club.pbem")
        found = checks._store(store)
        assert found.state == "FAIL" and "MB left" in found.says
        (disk / "ballast").write_bytes(bytes(disk_free(disk) // 4096 * 4096))
        with pytest.raises(OSError, match="No space left"):
            (disk / "more").write_bytes(bytes(8192))
        assert checks._store(store).state == "FAIL"
        store.close()
    finally:
        subprocess.run(["umount", "-l", disk], check=True)


def disk_free(disk: Path) -> int:
    return shutil.disk_usage(disk).free


def test_a_line_of_dns_that_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is there and what is not, by name, as a name server answers."""
    from dns.resolver import NXDOMAIN

    there = {"club.org": ["v=spf1 mx -all"], "_dmarc.club.org": ["v=DMARC1; p=none"]}

    class Text:
        def __init__(self, text: str) -> None:
            self.strings = (text.encode(),)

    def resolve(name: str, kind: str) -> list[Text]:
        if name not in there:
            raise NXDOMAIN
        return [Text(each) for each in there[name]]

    monkeypatch.setattr(checks, "resolve", resolve)
    assert [each.state for each in checks._names("club.org", "mx.club.org")] == ["ok"]
    del there["_dmarc.club.org"]
    (found,) = checks._names("club.org", "mx.club.org")
    assert found.state == "WARN" and '_dmarc.club.org TXT "v=DMARC1; p=none"' in found.says
    assert "spf1" not in found.says


def test_a_server_without_a_service(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the settings have no [intake] none has to run: cron reads the Maildir, or the mail server starts
    pbem, which nobody can see from here."""
    store = Store.create(tmp_path / "club.pbem")

    def found(**more: Any) -> list[str]:
        known = Settings(store=store.target, **more)
        return [each.state for each in (checks._service(store, known), *checks._ways_in(known))]

    box = tmp_path / "Maildir"
    assert found(maildir=box) == ["ok", "FAIL"]
    box.mkdir()
    assert found(maildir=box) == ["ok", "ok"]
    monkeypatch.setattr(os, "access", lambda path, mode: Path(path) != box / "new")
    (box / "new").mkdir()
    assert found(maildir=box) == ["ok", "FAIL"]
    assert "may not use" in next(checks._ways_in(Settings(maildir=box))).says
    monkeypatch.undo()
    assert found() == ["WARN", "WARN"]
    assert found(intake={"maildir": {"path": box}}) == ["FAIL", "ok"]
    store.close()


def test_what_lies_about(tmp_path: Path) -> None:
    """Letters that have waited for hours, a game that has stopped, a backup of last week, a clock that has
    jumped."""
    store = Store.create(tmp_path / "club.pbem")
    known = Settings(store=store.target, backup={"folder": tmp_path / "backup"})  # type: ignore[arg-type]
    start(
        store, NewGame("clash", "g1", players={"red": Player("Rita", "rita@x.example")}, seed="1"), now_utc()
    )
    assert [checks._outbox(store).state, checks._games(store).state, checks._clock(store).state] == ["ok"] * 3
    assert checks._backup(store, known).says.startswith("there is none")
    with store.engine.begin() as connection:
        connection.exec_driver_sql("UPDATE outbox SET created = '2026-01-01 00:00:00'")
        connection.exec_driver_sql("UPDATE game SET status = 'stopped'")
        connection.exec_driver_sql(
            "INSERT INTO host (id, seen, held) VALUES (1, '2026-01-01 00:00:00', '2025-01-01 00:00:00')"
        )
    assert "pbem mail outbox says why" in checks._outbox(store).says
    assert "g1" in checks._games(store).says
    assert "pbem deadline clock --confirm" in checks._clock(store).says
    folder = tmp_path / "backup"
    folder.mkdir()
    old = folder / "club-20260101T040000Z.pbem"
    old.touch()
    os.utime(old, (1_700_000_000, 1_700_000_000))
    assert checks._backup(store, known).state == "WARN"
    store.close()


# --- what is written ----------------------------------------------------------------------------------------


def host(**changes: Any) -> Host:
    """The answers of a host."""
    values: dict[str, Any] = {
        "folder": Path("/srv/pbem"), "program": "/srv/pbem/.venv/bin/pbem", "user": "pbem",
        "address": "pbem@club.example", "moderator": "Carla <carla@club.example>", "zone": "Europe/Paris",
        "store": "/srv/pbem/club.pbem", "way": "lmtp", "server": "postfix", "smtp": ("127.0.0.1", 25),
    }  # fmt: skip
    return Host(**(values | changes))


def test_the_settings_file_has_every_key() -> None:
    """What was answered is set; every other key stands in a comment with its default, and is the default."""
    text = settings_file(host().settings())
    assert Settings.model_validate(tomllib.loads(text)) == Settings.model_validate(host().settings())
    lines = [line[2:] if line.startswith("# ") else line for line in text.splitlines()]
    whole = tomllib.loads("\n".join(line for line in lines if not line.startswith("##")))
    assert set(whole) == set(Settings.model_fields)
    assert set(whole["intake"]) == set(Intake.model_fields)
    assert whole["limits"] == Settings().limits.model_dump()
    assert whole["intake"]["imap"]["done"] == "pbem-done"


@pytest.mark.parametrize(
    ("changes", "has", "has_not"),
    [
        ({}, ["pbem:inet:127.0.0.1:2424", "postfix reload"], ["argv=", "exim", "dovecot"]),
        ({"way": "pipe"}, ["argv=/usr/bin/env PBEM_CONFIG=/srv/pbem/pbem.toml"], ["2424", "exim", "dovecot"]),
        ({"server": "exim"}, ["350_pbem", "local_part_suffix = +*", "port = 2424"], ["postconf", "dovecot"]),
        (
            {"way": "imap", "imap": ("imap.mail.example", 993), "imap_user": "club"},
            ["imap.mail.example", "--token subject"], ["postconf", "exim", "dovecot"],
        ),
        (
            {"way": "imap", "imap": ("127.0.0.1", 143), "imap_user": "x"},
            ["99-pbem.conf"], ["postconf", "exim"],
        ),
    ],
    ids=["lmtp", "pipe", "exim", "a provider", "dovecot"],
)  # fmt: skip
def test_only_what_belongs_to_the_way_in_is_printed(
    changes: dict[str, Any], has: list[str], has_not: list[str]
) -> None:
    """And it is a script that a shell can read."""
    printed = steps(host(**changes))
    assert all(each in printed for each in has) and not any(each in printed.lower() for each in has_not)
    assert "{{" not in printed and "{%" not in printed and "\n\n\n" not in printed
    assert subprocess.run(["bash", "-n"], input=printed, text=True).returncode == 0
    numbers = [line[2] for line in printed.splitlines() if line[:2] == "# " and line[3:4] == "."]
    assert numbers == [str(n) for n in range(1, len(numbers) + 1)]


def test_a_container() -> None:
    printed = steps(host(), container=True)
    assert "'/src[serve,postgres]'" in printed and "ENV PBEM_CONFIG=/srv/pbem/pbem.toml" in printed


def test_questions_are_asked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Six of them, with defaults; the file is not replaced without --force. A wrong answer is asked for again
    at once, a wrong option ends it, and neither leaves anything."""
    monkeypatch.chdir(tmp_path)
    said = "pbem@club.example\ncarla@club.example\n\n\n\nEurope/Paris\n"
    run = CliRunner()
    wrong = run.invoke(main, ["host", "init", "--zone", "Europe/Pris"], input=said)
    assert wrong.exit_code == 2 and "Europe/Paris" in wrong.output and not list(tmp_path.iterdir())
    wrong = run.invoke(main, ["host", "init", "--address", "club"])
    assert wrong.exit_code == 2 and '"club" is not a mail address' in wrong.output
    answers = (
        "club\npbem@club.example\nCarla\ncarla@club.example\nnone\n\nhere\n\n\nEurope/Pris\nEurope/Paris\n"
    )
    done = run.invoke(main, ["host", "init"], input=answers)
    assert done.exit_code == 0, done.output
    for each in ('"Carla" is not', 'imap, not "none"', 'HOST:PORT, not "here"', '"Europe/Pris" is not'):
        assert each in done.output
    assert sorted(each.name for each in tmp_path.iterdir()) == ["club.pbem", "pbem.toml"]
    settings.cache_clear()
    assert settings().zone == "Europe/Paris" and settings().intake.lmtp is not None
    again = run.invoke(main, ["host", "init"], input=said)
    assert again.exit_code == 1 and "--force replaces it" in again.output


def test_no_password_is_shown() -> None:
    """That of a database stands in the settings file alone."""
    store = "postgresql://pbem:geheim@db.example/games"
    assert "geheim" in settings_file(host(store=store).settings())
    printed = steps(host(store=store))
    assert "geheim" not in printed and "postgresql+psycopg://pbem:***@db.example/games" in printed


def test_a_pipe_is_for_postfix(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No steps are printed that do not fit the settings, and nothing is written."""
    monkeypatch.chdir(tmp_path)
    words = ["--address", "pbem@club.example", "--moderator", "m@club.example", "--intake", "pipe"]
    done = CliRunner().invoke(main, ["host", "init", *words, "--mail-server", "exim"])
    assert done.exit_code == 2 and "with Exim take --intake lmtp" in done.output
    assert not list(tmp_path.iterdir())


RESULTS = "Authentication-Results: mx.club.example; dmarc=pass header.from=mail.example\n"


@pytest.mark.parametrize(
    ("results", "settings", "policy", "state", "says"),
    [
        ("", {}, "trusted", "WARN", "no letter says whether its sender was checked"),
        (RESULTS, {}, "trusted", "WARN", 'name it: server = "mx.club.example" below [senders]'),
        (RESULTS, {"server": "mx.club.example"}, "trusted", "ok", "mx.club.example says whether senders"),
        (RESULTS, {"server": "mx.old.example"}, "trusted", "FAIL", "the results in letters are of mx.club"),
        ("", {"dkim": True}, "checked", "ok", "pbem says whether senders"),
        ("", {}, "checked", "FAIL", "toy takes letters only from senders that are checked"),
    ],
)
def test_who_says_whether_senders_are_genuine(
    store: Store, results: str, settings: dict[str, Any], policy: str, state: str, says: str
) -> None:
    """By the last letter, the settings, and what a game asks for."""
    begin(store)
    carry_out(store, "toy", NOW, lambda t: set_senders(t, policy, by="host", why=""))
    known = Settings(senders=SenderSettings(**settings))
    raw = f"{results}From: rita@mail.example\nTo: pbem@host.example\nSubject: hello\n\nhelp\n".encode()
    receive(store, raw, NOW, reception(known))
    found = checks._sender(store, known, b"From: pbem@host.example\n\nx\n")
    assert found.state == state and says in found.says, found
