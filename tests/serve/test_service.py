"""`pbem serve` as a process: letters in by LMTP and a socket, answers out, faults that stay where they
happen."""

from __future__ import annotations

import os
import re
import shutil
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from serve.kit import TESTS, Club, FarEnd, Service, free_port, serving, wait_until
from sizes import some
from sqlalchemy import text

from pbem.mail.transport import Maildir
from pbem.serve import work
from pbem.service.intake.aside import again, asides
from pbem.service.intake.reception import Reception
from pbem.service.record.store import Store, now_utc
from pbem.service.time.host import workers

pytestmark = pytest.mark.skipif(os.name != "posix", reason="signals and sockets of POSIX")

PIPE = "from pbem.pipe import run; run()"


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Service, Club, FarEnd]]:
    """A service on a game file that the tests share, each with a game of its own."""
    folder = tmp_path_factory.mktemp("shared")
    club = Club(Store.create(folder / "club.pbem"), [f"g{number}" for number in range(1, 7)])
    with FarEnd(free_port()) as far, serving(Service(folder, club.store.target, far.port)) as (one,):
        yield one, club, far


@pytest.fixture
def service(shared: tuple[Service, Club, FarEnd]) -> Service:
    return shared[0]


@pytest.fixture
def club(shared: tuple[Service, Club, FarEnd]) -> Club:
    return shared[1]


@pytest.fixture
def far(shared: tuple[Service, Club, FarEnd]) -> FarEnd:
    return shared[2]


@pytest.fixture
def own(tmp_path: Path) -> Iterator[tuple[Club, FarEnd]]:
    """A game file and a far end of a test's own."""
    club = Club(Store.create(tmp_path / "own.pbem"), ["g1", "g2"])
    with FarEnd(free_port()) as far:
        yield club, far


def sent_once(club: Club, far: FarEnd) -> None:
    """Every letter of the outbox has left, and each came to the far end once."""
    wait_until(lambda: club.unsent() == 0, 60, f"{club.unsent()} letters are unsent")
    assert set(far.taken) == club.answers() and set(far.taken.values()) == {1}


def faulty(club: Club, sender: str, does: str) -> None:
    """Let the store run into something when it is to keep a letter of this sender: a fault of pbem that one
    letter alone meets."""
    with club.store.engine.begin() as connection:
        connection.execute(text(
            f"CREATE TRIGGER fault BEFORE INSERT ON letter WHEN new.sender LIKE '{sender}' BEGIN {does}; END"
        ))  # fmt: skip


def mended(club: Club) -> None:
    with club.store.engine.begin() as connection:
        connection.execute(text("DROP TRIGGER fault"))


def children(parent: int) -> list[int]:
    """The processes of a service that have the store open; its fork server has made them."""
    table = subprocess.run(["ps", "-eo", "pid=,ppid="], capture_output=True, text=True, check=True).stdout
    rows = [line.split() for line in table.splitlines()]
    above = {int(process): int(up) for process, up in rows}
    return [process for process, up in above.items() if above.get(up) == parent]


# --- letters ------------------------------------------------------------------------------------------------


def test_letters_in_and_answers_out(tmp_path: Path, store: Store) -> None:
    """The first letters leave; orders come in by LMTP, their reply and the letters of the next phase leave; a
    second delivery changes nothing; SIGTERM ends it with 0, and it says that it has stopped. On a game file
    and on a server."""
    club = Club(store, ["g1"])
    with FarEnd(free_port()) as far, serving(Service(tmp_path, store.target, far.port)) as (one,):
        sent_once(club, far)
        raw, to = club.letter("g1", "red", "move R1 to 0201\ndone\n")
        assert one.hand_over(raw, to) == "250"
        assert one.hand_over(raw, to) == "250"
        sent_once(club, far)
        assert club.outcomes() == {"accepted": 1}
        assert b"R1" in b"".join(far.mails)
        assert one.ready() == {"ok": True} and one.get("/healthz")[0] == 200
        code, metrics = one.get("/metrics")
        assert code == 200 and 'pbem_letters_total{outcome="accepted",source="lmtp"} 1.0' in metrics
        assert f'pbem_mails_out_total{{result="sent"}} {len(far.mails)}.0' in metrics
        assert [each.state for each in workers(store, now_utc())] == ["at work"]
        assert one.stop() == 0
    assert [each.state for each in workers(store, now_utc())] == ["stopped"]
    assert "event=stopped" in one.said() and "0201" not in one.said()
    assert to.partition("@")[0].rpartition(".")[2] not in one.said()


def test_secrets_in_the_subject(tmp_path: Path) -> None:
    """Where the provider has no plus-addresses, letters come to the server's own address; no code is in the
    log."""
    club = Club(Store.create(tmp_path / "club.pbem"), ["g1"], token="subject")
    with FarEnd(free_port()) as far, serving(Service(tmp_path, "club.pbem", far.port)) as (one,):
        sent_once(club, far)
        raw, to = club.letter("g1", "red", "move R1 to 0201\ndone\n")
        (code,) = re.findall(rb"\(g1\.red\.([a-z2-7]{16})\)", raw)
        assert to == "pbem@host.example" and one.hand_over(raw, to) == "250"
        forged, _ = club.letter("g1", "blue", "done\n")
        assert one.hand_over(re.sub(rb"[a-z2-7]{16}\)", b"a" * 16 + b")", forged), to) == "250"
        sent_once(club, far)
        assert club.outcomes() == {"accepted": 1, "held": 1}
        assert sum(code in mail for mail in far.mails) == 2, "the first letter to Rita, and the reply"
        assert code.decode() not in one.said()


def test_mail_for_others_is_not_taken(service: Service, club: Club) -> None:
    """An address that is not the server's is refused at once; one that belongs to no game is kept for the
    moderators."""
    raw, _ = club.letter("g1", "red", "status\n")
    assert "550" in service.hand_over(raw, "someone@elsewhere.example")
    raw = raw.replace(b"rita@g1.example", b"eve@evil.example").replace(b"+g1.red", b"+nosuch.red")
    assert service.hand_over(raw, "pbem+nosuch.red.aaaabbbbccccdddd@host.example") == "250"
    assert club.outcomes()["quarantined"] == 1


def test_too_many_letters(tmp_path: Path, own: tuple[Club, FarEnd]) -> None:
    """A member over the limit hears 451 and may come again; a stranger 550; nothing of them is stored."""
    club, far = own
    limits = "[limits]\nletters_an_hour_seat = 3\nletters_an_hour_stranger = 2"
    with serving(Service(tmp_path, club.store.target, far.port, more=limits)) as (one,):
        letters = [club.letter("g1", "red", f"press blue: number {number}\n") for number in range(4)]
        assert [one.hand_over(*each)[:3] for each in letters] == ["250", "250", "250", "451"]
        strange = [
            (raw.replace(b"bob@g1.example", b"eve@evil.example"), to)
            for raw, to in (club.letter("g1", "blue", f"number {number}\n") for number in range(3))
        ]
        assert [one.hand_over(*each)[:3] for each in strange] == ["250", "250", "550"]
        assert club.outcomes() == {"accepted": 3, "held": 2}
        assert one.hand_over(*club.letter("g2", "red", "status\n")) == "250"


# --- faults -------------------------------------------------------------------------------------------------


@pytest.mark.dear
def test_a_mail_that_fails_each_time_is_set_aside(service: Service, club: Club, far: FarEnd) -> None:
    """The mail server hears 250, the bytes and the error are kept, the moderator reads of it, the next letter
    is played; and once the fault is mended the mail acts."""
    faulty(club, "rita@g2%", "SELECT RAISE(ABORT, 'no')")
    raw, to = club.letter("g2", "red", "move R1 to 0201\n")
    assert service.hand_over(raw, to) == "250"
    (kept,) = asides(club.store)
    assert (kept.tries, kept.source.partition(":")[0], "no" in kept.line()) == (3, "lmtp", True)
    assert service.hand_over(*club.letter("g2", "blue", "status\n")) == "250"
    wait_until(lambda: b"was set aside: pbem fails on it" in b"".join(far.mails), 60)
    mended(club)
    assert [got.outcome for _, got in again(club.store, [kept.number], now_utc())] == ["accepted"]
    assert asides(club.store) == []


@pytest.mark.dear
def test_a_letter_over_its_time_ends_alone(tmp_path: Path, own: tuple[Club, FarEnd]) -> None:
    """Its child is ended, the mail is set aside, and the next letter is answered."""
    club, far = own
    endless = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n"
    faulty(club, "rita@g1%", endless)
    with serving(Service(tmp_path, club.store.target, far.port, more="[limits]\nseconds = 2.5")) as (one,):
        assert one.hand_over(*club.letter("g1", "red", "move R1 to 0201\n")) == "250"
        assert "not done after 2.5 s" in asides(club.store)[0].error
        assert one.hand_over(*club.letter("g2", "red", "move R1 to 0201\n")) == "250"
        sent_once(club, far)
        assert one.stop() == 0


def test_a_child_that_is_killed_loses_no_letter(service: Service, club: Club, far: FarEnd) -> None:
    """As the kernel does when memory runs out: the letter is tried again in another child."""
    sent_once(club, far)
    assert service.process
    before = club.outcomes()["accepted"]
    for number in range(3):
        for child in children(service.process.pid):
            os.kill(child, signal.SIGKILL)
        assert service.hand_over(*club.letter("g3", "red", f"press blue: number {number}\n")) == "250"
    sent_once(club, far)
    assert club.outcomes()["accepted"] == before + 3


def test_a_child_without_memory_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    """What letters before it have left in memory does not count against a letter: it is tried again in a
    child of its own."""

    def out_of_memory(*words: object) -> None:
        raise MemoryError

    def ended(code: int) -> None:
        raise SystemExit(code)

    monkeypatch.setattr(work, "receive", out_of_memory)
    monkeypatch.setattr(work, "store", lambda: None)
    monkeypatch.setattr(os, "_exit", ended)
    with pytest.raises(SystemExit, match="71"):
        work.take(b"", now_utc(), Reception())


def test_a_store_out_of_reach_is_said_with_451(service: Service, club: Club, far: FarEnd) -> None:
    """While the game file is gone nothing is taken, and nothing is lost: 451, then 250."""
    sent_once(club, far)
    path = Path(club.store.target)
    assert service.process
    path.rename(path.with_suffix(".gone"))
    raw, to = club.letter("g4", "red", "move R1 to 0201\n")
    try:
        for child in children(service.process.pid):
            os.kill(child, signal.SIGKILL)  # the next child has to open the file
        assert service.hand_over(raw, to).startswith("451")
    finally:
        path.with_suffix(".gone").rename(path)
    assert service.hand_over(raw, to) == "250"
    sent_once(club, far)


def test_a_full_disk_is_said_with_452(tmp_path: Path) -> None:
    """A letter that finds no room is not taken, and nothing of it is stored; there is room, it is taken."""
    disk = tmp_path / "disk"
    disk.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=6m", "tmpfs", str(disk)]
    if subprocess.run(mount, capture_output=True).returncode:
        pytest.skip("may not mount a disk here")
    try:
        club = Club(Store.create(disk / "club.pbem"), ["g1"])
        with FarEnd(free_port()) as far, serving(Service(tmp_path, club.store.target, far.port)) as (one,):
            sent_once(club, far)
            ballast = disk / "ballast"
            ballast.write_bytes(bytes(shutil.disk_usage(disk).free))
            raw, to = club.letter("g1", "red", "move R1 to 0201\n" + "; and so on\n" * 4_000)
            assert one.hand_over(raw, to).startswith("452")
            assert club.outcomes() == {}
            ballast.unlink()
            assert one.hand_over(raw, to) == "250"
            sent_once(club, far)
        club.store.close()
    finally:
        subprocess.run(["umount", "-l", disk], check=True)


# --- other ways in ------------------------------------------------------------------------------------------


@pytest.mark.dear
def test_the_pipe_hands_over(tmp_path: Path, own: tuple[Club, FarEnd]) -> None:
    """`pbem mail receive --socket` gives the mail to the service and ends with its code; where no service is,
    the command takes the mail itself."""
    club, far = own
    path = tmp_path / "intake.sock"
    intake = f'[intake.socket]\npath = "{path}"\n[limits]\nbytes = 200000\n'
    one = Service(tmp_path, club.store.target, far.port, intake=intake)
    environment = os.environ | {
        "PYTHONPATH": os.pathsep.join([str(TESTS.parent), str(TESTS)]), "PBEM_STORE": club.store.target,
    }  # fmt: skip

    def receive(text: str) -> tuple[int, str]:
        raw = club.letter("g1", "red", text)[0] if text else b""
        words = [sys.executable, "-c", PIPE, "mail", "receive", "--socket", str(path)]
        done = subprocess.run(words, input=raw, env=environment, capture_output=True, check=False)
        return done.returncode, (done.stdout + done.stderr).decode()

    with serving(one):
        assert one.process
        below = children(one.process.pid)
        assert below
        assert oct(path.stat().st_mode & 0o777) == "0o600"
        assert receive("move R1 to 0201\n") == (0, "-: accepted g1 red: 1 line, nothing closed\n")
        assert receive("") == (75, "pbem: there is no email on standard input\n")
        code, why = receive(f"move R2 to 0202\n{'x' * 600_000}\n")
        assert code == 77 and "bytes, and the limit is 200,000 ([limits] bytes)" in why
        one.kill()
        wait_until(lambda: not any(Path(f"/proc/{each}").exists() for each in below), 20)
        assert path.is_socket()
        assert receive("move R2 to 0202\n") == (0, "-: accepted g1 red: 1 line, nothing closed\n")
        one.start()
        assert receive("draft\n")[0] == 0
        assert one.stop() == 0
    assert not path.exists()


def test_a_broken_installation_defers_the_mail(tmp_path: Path) -> None:
    """Where click cannot even be imported the pipe ends with 75, and the mail server keeps the letter."""
    (tmp_path / "click.py").write_text("raise ImportError('half installed')\n")
    environment = os.environ | {"PYTHONPATH": os.pathsep.join([str(tmp_path), str(TESTS.parent)])}
    words = [sys.executable, "-c", PIPE, "mail", "receive", "g.pbem"]
    done = subprocess.run(words, input=b"x", env=environment, capture_output=True, check=False)
    assert (done.returncode, b"this installation does not work" in done.stderr) == (75, True)


def test_a_maildir(tmp_path: Path, own: tuple[Club, FarEnd], monkeypatch: pytest.MonkeyPatch) -> None:
    """Mail in a Maildir is taken, and lies in `cur` after that. systemd hears when the service is ready, and
    that it stops."""
    club, far = own
    systemd = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
    systemd.bind(str(tmp_path / "notify"))
    systemd.setblocking(False)
    monkeypatch.setenv("NOTIFY_SOCKET", str(tmp_path / "notify"))
    box = Maildir(tmp_path / "box")
    intake = f'[intake.maildir]\npath = "{tmp_path / "box"}"\n'
    with serving(Service(tmp_path, club.store.target, far.port, intake=intake)) as (one,):
        box.deliver(club.letter("g1", "red", "move R1 to 0201\n")[0])
        wait_until(lambda: not list(box.waiting()), 20)
        sent_once(club, far)
        assert club.outcomes() == {"accepted": 1} and len(list((tmp_path / "box/cur").iterdir())) == 1
        assert one.ready() == {"ok": True}
        assert one.stop() == 0
    told = [systemd.recv(100)]
    while told[-1] != b"STOPPING=1":
        told.append(systemd.recv(100))
    systemd.close()
    assert told[0] == b"READY=1" and set(told[1:-1]) <= {b"WATCHDOG=1"}


def test_a_mail_that_cannot_be_read(tmp_path: Path, own: tuple[Club, FarEnd]) -> None:
    """It keeps none of the others back, and deadlines wait for it. The log names it once, not every two
    seconds."""
    club, far = own
    box = Maildir(tmp_path / "box")
    (box.path / "new" / "1.bad").mkdir()
    intake = f'[intake.maildir]\npath = "{tmp_path / "box"}"\n'
    with serving(Service(tmp_path, club.store.target, far.port, intake=intake)) as (one,):
        for number in (1, 2):
            box.deliver(club.letter("g1", "red", f"move R{number} to 0201\n")[0])
            wait_until(lambda: len(list(box.waiting())) == 1, 20)
        assert not any(each["empty"] for each in workers(club.store, now_utc())[0].sources.values())
        (box.path / "new" / "1.bad").rmdir()
        wait_until(lambda: one.ready() == {"ok": True}, 20)
        assert one.stop() == 0
    assert one.said().count("deadlines wait") == 1 and "1.bad" in one.said()


def test_a_mail_that_is_too_large_for_a_maildir(tmp_path: Path, own: tuple[Club, FarEnd]) -> None:
    """It is not read and lies in `cur`, whole; the letter behind it is taken."""
    club, far = own
    box = Maildir(tmp_path / "box")
    intake = f'[intake.maildir]\npath = "{tmp_path / "box"}"\n[limits]\nbytes = 20000\n'
    large = club.letter("g1", "blue", f"move B1 to 0402\n{'x' * 20_000}\n")[0]
    name = box.deliver(large)
    box.deliver(club.letter("g1", "red", "move R1 to 0201\n")[0])
    with serving(Service(tmp_path, club.store.target, far.port, intake=intake)) as (one,):
        wait_until(lambda: not list(box.waiting()), 20)
        assert one.stop() == 0
    assert club.outcomes() == {"accepted": 1}
    assert (tmp_path / "box/cur" / f"{name}:2,S").read_bytes() == large


# --- beginning and end --------------------------------------------------------------------------------------


@pytest.mark.dear
@pytest.mark.parametrize("sign", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_to_all_of_its_processes(
    tmp_path: Path, own: tuple[Club, FarEnd], sign: signal.Signals
) -> None:
    """Ctrl-C in a terminal, and systemd without KillMode=mixed, tell the children as well: a letter that is
    in hand then has its outcome, or is refused for now."""
    club, far = own
    one = Service(tmp_path, club.store.target, far.port)
    with serving(one):
        assert one.process
        raw, to = club.letter("g1", "red", "move R1 to 0201\ndone\n")
        with ThreadPoolExecutor(1) as sender:
            reply = sender.submit(one.hand_over, raw, to)
            for child in (*children(one.process.pid), one.process.pid):
                os.kill(child, sign)
            assert one.process.wait(60) == 0
            if reply.exception() is None and reply.result() == "250":
                assert club.outcomes() == {"accepted": 1}
    assert "Traceback" not in one.said()


@pytest.mark.dear
@pytest.mark.parametrize("sign", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_to_all_of_its_processes_while_it_starts(
    tmp_path: Path, own: tuple[Club, FarEnd], sign: signal.Signals
) -> None:
    club, far = own
    one = Service(tmp_path, club.store.target, far.port).start(wait=False)
    assert one.process
    below = Path(f"/proc/{one.process.pid}/task/{one.process.pid}/children")
    try:
        wait_until(lambda: len(below.read_text().split()) > 1, 20)  # it imports what its children need
        for each in (*below.read_text().split(), one.process.pid):
            os.kill(int(each), sign)
        assert one.process.wait(60) == 0
    finally:
        one.kill()
    assert "Traceback" not in one.said() and "Aborted" not in one.said()


def test_two_of_one_name_do_not_serve_at_once(service: Service, tmp_path: Path, club: Club) -> None:
    """The second ends and says why."""
    other = Service(tmp_path / "other", club.store.target, 1)
    assert other.run_to_end() == 1
    assert "a worker called w1 is at work as process" in other.said()


@pytest.mark.dear
@pytest.mark.parametrize(
    ("intake", "says"),
    some(
        [
            pytest.param("[intake]\n", "no way in: pbem.toml needs a section [intake.lmtp]", id="no way in"),
            pytest.param(
                '[intake.lmtp]\nlisten = "127.0.0.1:{port}"\n', "lmtp:127.0.0.1:", id="which way in"
            ),
            pytest.param(
                '[intake.lmtp]\nlisten = "127.0.0.1:{port}"\n',
                "address already in use",
                id="a port that is taken",
            ),
            pytest.param(
                f'[intake.socket]\npath = "/tmp/{"s" * 110}"\n',
                "ss cannot be opened: AF_UNIX path too long",
                id="a path too long for a socket",
            ),
            pytest.param(
                '[intake.lmtp]\nlisten = "here"\n',
                'write HOST:PORT or unix:PATH, not "here"',
                id="no address",
            ),
            pytest.param(
                "[intake.lmpt]\n", 'there is no "intake.lmpt"; did you mean lmtp?', id="a wrong key"
            ),
        ],
        2,
    ),
)
def test_what_keeps_it_from_starting(
    tmp_path: Path, shared: tuple[Service, Club, FarEnd], intake: str, says: str
) -> None:
    """One line, and exit code 1."""
    running, club, _ = shared
    one = Service(tmp_path, club.store.target, 1, "w2", intake.format(port=running.lmtp))
    assert one.run_to_end() == 1
    assert says in one.said() and "Traceback" not in one.said()


@pytest.mark.dear
def test_the_store_is_upgraded_under_it(tmp_path: Path, own: tuple[Club, FarEnd]) -> None:
    """A worker of an earlier version takes no more, says so, and ends with 75, so that systemd starts the new
    one."""
    club, far = own
    with serving(Service(tmp_path, club.store.target, far.port)) as (one,):
        with club.store.engine.begin() as connection:
            connection.execute(text("UPDATE alembic_version SET version_num = '9999'"))
        assert one.process and one.process.wait(60) == 75
    assert "has version 9999" in one.said()
