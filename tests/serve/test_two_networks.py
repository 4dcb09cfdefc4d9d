"""Two workers on two machines, as far as one machine can show it: each in a network namespace of its own, so
that they share nothing but the database."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest
from serve.kit import Club, FarEnd, Service, free_port, serving, wait_until
from sqlalchemy import text

from pbem.service.record.store import Store

LETTERS = (("red", "move R1 to 0201\n"), ("blue", "move B1 to 0401\ndraft\n"), ("red", "done\n"))


def run(*words: str) -> None:
    subprocess.run(words, check=True, capture_output=True)


@contextmanager
def network(number: int) -> Iterator[tuple[str, str]]:
    """A network namespace, joined to this machine by one cable. Yields its name, and the address that this
    machine has at the other end."""
    name, there, here = f"pbem{os.getpid()}n{number}", f"p{os.getpid()}n{number}", f"p{os.getpid()}h{number}"
    run("ip", "netns", "add", name)
    try:
        run("ip", "link", "add", here, "type", "veth", "peer", "name", there, "netns", name)
        run("ip", "addr", "add", f"10.213.{number}.1/24", "dev", here)
        run("ip", "link", "set", here, "up")
        inside = ("ip", "netns", "exec", name, "ip")
        run(*inside, "addr", "add", f"10.213.{number}.2/24", "dev", there)
        run(*inside, "link", "set", there, "up")
        run(*inside, "link", "set", "lo", "up")
        yield name, f"10.213.{number}.1"
    finally:
        run("ip", "netns", "delete", name)


def by_socket(store: Store) -> str:
    """The URL of a store on this machine by the socket of its server, which namespaces do not part. Skip the
    test where it has none."""
    with store.engine.connect() as connection:
        folder = str(connection.execute(text("SHOW unix_socket_directories")).scalar()).partition(",")[0]
    url = store.engine.url.set(host=None, port=None).update_query_dict({"host": folder})
    target = url.render_as_string(hide_password=False)
    try:
        other = Store(target)
        other.version()
        other.close()
    except Exception as error:
        pytest.skip(f"the server has no socket for us: {error}")
    return target


@pytest.mark.dear
def test_two_workers_share_only_the_database(tmp_path: Path, store: Store) -> None:
    """Letters come to either, one is killed meanwhile: every letter has one outcome, every answer leaves
    once."""
    if store.engine.dialect.name == "sqlite":
        pytest.skip("a game file is on one machine")
    if os.geteuid() or not shutil.which("ip"):
        pytest.skip("needs root and ip")
    target, names = by_socket(store), [f"g{number}" for number in range(4)]
    club = Club(store, names)
    with ExitStack() as stack:
        try:
            networks = [stack.enter_context(network(number)) for number in (1, 2)]
        except (OSError, subprocess.CalledProcessError) as error:
            pytest.skip(f"no network namespaces: {error}")
        far = stack.enter_context(FarEnd(free_port(), host=""))
        workers = [
            Service(tmp_path, target, far.port, f"w{at}", smtp_host=address, within=name)
            for at, (name, address) in enumerate(networks)
        ]
        stack.enter_context(serving(*workers))
        for number, letter in enumerate(LETTERS):
            for at, name in enumerate(names):
                raw, to = club.letter(name, *letter)
                assert workers[(number + at) % 2].hand_over(raw, to) == "250"
            if number == 1:
                workers[0].kill()
                workers[0].start()
        wait_until(lambda: club.unsent() == 0, 180, f"{club.unsent()} letters are unsent")
        assert [each.stop() for each in workers] == [0, 0]
    assert club.outcomes() == {"accepted": len(names) * len(LETTERS)}
    assert set(far.taken) == club.answers()
    assert sum(far.taken.values()) - len(far.taken) <= 1  # what the killed one had in hand
    assert all("event=mail" in each.said() for each in workers)
