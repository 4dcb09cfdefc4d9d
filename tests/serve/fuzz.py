"""Sends poison and letters that were changed at random to a running service, as fast as it takes them, and an
ordinary letter of another game behind each.

    PYTHONPATH=tests:. python -m serve.fuzz [--minutes 10] [--seed 1] [--keep FOLDER]

It prints what became of them, and how many seconds the ordinary letters and the others waited for their
reply. A mail after which something is wrong is named; `--keep` writes it into a folder. In `tests/` it runs
for a few mails (test_poison.py).
"""

from __future__ import annotations

import argparse
import email
import random
import re
import smtplib
import socket
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Self

from serve.kit import TESTS, Club, FarEnd, Service, free_port, serving, wait_until
from serve.poison import CALM, GAMES, POISONS, Addressed, Post, Reader

from pbem.service.intake.aside import asides
from pbem.service.record.store import Store

OUTCOMES = ("accepted", "explained", "held", "quarantined", "ignored", "duplicate")
"""What may become of a mail. One that stops its game has found a fault of pbem."""

LIMITS = """[limits]
letters_an_hour = 1000000
letters_an_hour_seat = 1000000
letters_an_hour_stranger = 1000000
"""


@dataclass
class Hunt:
    """A service on a game file, which mails are sent to, and what became of them."""

    folder: Path
    games: tuple[str, ...] = GAMES
    outcomes: Counter[str] = field(default_factory=Counter)
    ordinary: list[float] = field(default_factory=list)
    """Seconds until the reply to an ordinary letter."""
    others: list[tuple[float, str]] = field(default_factory=list)
    """Seconds until the reply to a poison, and its name."""
    set_aside: int = 0

    def __enter__(self) -> Self:
        club = Club(Store.create(self.folder / "club.pbem"), [CALM, "p1", "p2", "p3", "p4"])
        self.club, self.addressed = club, Addressed(club, self.games)
        self.path = self.folder / "intake.sock"
        with ExitStack() as stack:
            far = stack.enter_context(FarEnd(free_port()))
            self.service = Service(self.folder, club.store.target, far.port, more=LIMITS)
            with self.service.config.open("a") as config:
                config.write(f'[intake.socket]\npath = "{self.path}"\n')
            stack.enter_context(serving(self.service))
            wait_until(lambda: club.unsent() == 0, 120)
            self.stack = stack.pop_all()
        return self

    def __exit__(self, *error: object) -> None:
        self.stack.close()

    def give(self, name: str, raw: bytes, to: str) -> str:
        """Hand a mail over, by the socket if LMTP does not take its lines. Return what is wrong, or ""."""
        began = time.monotonic()
        try:
            reply = self._by_lmtp(raw, to)
            if reply.startswith("500"):
                reply = self._by_socket(f"Delivered-To: {to}\r\n".encode() + raw)
        except (OSError, smtplib.SMTPException) as error:
            reply = f"{type(error).__name__}: {error}"
        self.others.append((time.monotonic() - began, name))
        if len(self.others) % 15 == 0:
            self.addressed.let_an_hour_pass()
        outcome = reply.removeprefix("250 2.0.0 ")
        self.outcomes[outcome] += 1
        if len(asides(self.club.store)) > self.set_aside:
            self.set_aside = len(asides(self.club.store))
            return f"{name}: {asides(self.club.store)[-1].error}"
        fine = outcome in OUTCOMES or outcome.startswith("552")
        return "" if fine else f"{name}: {reply}"

    def calm(self) -> str:
        """Hand an ordinary letter of another game over. Return what is wrong, or ""."""
        began = time.monotonic()
        letter = self.club.letter(CALM, "red", f"move R1 to 0201\npress blue: letter {len(self.ordinary)}\n")
        reply = self._by_lmtp(*letter)
        self.ordinary.append(time.monotonic() - began)
        return "" if reply == "250 2.0.0 accepted" else f"an ordinary letter: {reply}"

    def troubles(self) -> list[str]:
        """What is wrong with the service itself."""
        found = [line[:2000] for line in self.service.said().splitlines() if "level=error" in line]
        told = self.service.get("/readyz")
        return [*found, *([] if told[0] == 200 else [told[1]])]

    def _by_lmtp(self, raw: bytes, to: str) -> str:
        with smtplib.LMTP("127.0.0.1", self.service.lmtp, timeout=300) as client:
            client.ehlo_or_helo_if_needed()
            client.mail("anna@mail.example")
            code, text = client.rcpt(to)
            if code == 250:
                code, text = client.data(raw)
            return f"{code} {text.decode()}"

    def _by_socket(self, raw: bytes) -> str:
        with socket.socket(socket.AF_UNIX) as line:
            line.settimeout(300)
            line.connect(str(self.path))
            line.sendall(b"%d\n" % len(raw) + raw)
            with line.makefile() as answer:
                code, says = answer.readline().split(maxsplit=1)
            return says.replace(":", " ").split()[0] if code == "0" else f"{code} {says}"


# --- changed letters ----------------------------------------------------------------------------------------

Change = Callable[[random.Random, bytes], bytes]


@cache
def recorded() -> Sequence[tuple[str, bytes]]:
    """The letters of the examples, each with the name of its game."""
    found = sorted((TESTS.parent / "examples").glob("*/in/*.eml"))
    return [(path.parts[-3].partition("-")[0], path.read_bytes()) for path in found]


def _spot(rng: random.Random, raw: bytes) -> tuple[int, int]:
    start = rng.randrange(len(raw) + 1)
    return start, min(len(raw), start + rng.choice((1, 3, 20, 300, 5000)))


def _flipped(rng: random.Random, raw: bytes) -> bytes:
    data = bytearray(raw)
    for _ in range(rng.choice((1, 5, 50)) if data else 0):
        data[rng.randrange(len(data))] = rng.randrange(256)
    return bytes(data)


def _cut(rng: random.Random, raw: bytes) -> bytes:
    start, end = _spot(rng, raw)
    return raw[:start] + raw[end:]


def _doubled(rng: random.Random, raw: bytes) -> bytes:
    start, end = _spot(rng, raw)
    times = min(rng.choice((1, 2, 50, 2000)), 1 + 300_000 // (end - start + 1))
    return raw[:end] + raw[start:end] * times + raw[end:]


def _moved(rng: random.Random, raw: bytes) -> bytes:
    (start, end), target = _spot(rng, raw), rng.randrange(len(raw) + 1)
    rest = raw[:start] + raw[end:]
    return rest[:target] + raw[start:end] + rest[target:]


def _lines_mixed(rng: random.Random, raw: bytes) -> bytes:
    lines = raw.splitlines(keepends=True)
    start = rng.randrange(len(lines) + 1)
    some = lines[start : start + 30]
    rng.shuffle(some)
    return b"".join([*lines[:start], *some, *lines[start + 30 :]])


def _headers_mixed(rng: random.Random, raw: bytes) -> bytes:
    head, _, body = raw.partition(b"\n\n")
    lines = head.splitlines()
    rng.shuffle(lines)
    return b"\n".join([*lines[rng.randrange(2) :], b"", body])


def _headers_added(rng: random.Random, raw: bytes) -> bytes:
    other = rng.choice(recorded())[1] if rng.random() < 0.7 else _poison(rng, Post("a@x", "b@x"))[1]
    return b"\n".join(rng.sample(lines := other[:20_000].splitlines(), min(6, len(lines)))) + b"\n" + raw


def _encoded(rng: random.Random, raw: bytes) -> bytes:
    """Says that the mail is encoded in another way than it is."""
    kind = rng.choice((b"base64", b"quoted-printable", b"8bit", b"x-uuencode", b"gzip"))
    name = rng.choice((b"utf-16", b"utf-7", b"iso-2022-jp", b"cp037", b"gb18030", b"big5", b"none"))
    form = rng.choice((b"text/plain", b"text/html", b"multipart/mixed; boundary=b", b"text/calendar"))
    head = b"Content-Transfer-Encoding: %b\nContent-Type: %b; charset=%b; format=flowed\n" % (
        kind,
        form,
        name,
    )
    return head + raw


def _parts_swapped(rng: random.Random, raw: bytes) -> bytes:
    marks = re.findall(rb"\n--\S+", raw)
    if not marks:
        return raw
    parts = raw.split(rng.choice(marks))
    rng.shuffle(parts)
    return rng.choice(marks).join(parts)


def _words_mixed(rng: random.Random, raw: bytes) -> bytes:
    """The words of the text in another order: nearly orders."""
    head, _, body = raw.partition(b"\n\n")
    words = re.split(rb"( |\n)", body)
    start = rng.randrange(len(words) + 1)
    some = words[start : start + 60]
    rng.shuffle(some)
    return head + b"\n\n" + b"".join([*words[:start], *some, *words[start + 60 :]])


def _spliced(rng: random.Random, raw: bytes) -> bytes:
    other = rng.choice(recorded())[1]
    return raw[: _spot(rng, raw)[0]] + other[_spot(rng, other)[0] :]


CHANGES: tuple[Change, ...] = (
    _flipped, _cut, _doubled, _moved, _lines_mixed, _headers_mixed, _headers_added, _encoded, _parts_swapped,
    _words_mixed, _spliced,
)  # fmt: skip


def _poison(rng: random.Random, post: Post) -> tuple[str, bytes]:
    name = rng.choice([*POISONS])
    raw = POISONS[name].mail(post)
    return name, raw if len(raw) < 1_000_000 else raw[:100_000]


def _plain(raw: bytes) -> bytes:
    """The text of a letter in the clear, so that changes meet its words."""
    message = email.message_from_bytes(raw)
    texts = [part for part in message.walk() if part.get_content_maintype() == "text"]
    return b"\n\n".join(bytes(part.get_payload(decode=True) or b"") for part in texts)


def mutated(rng: random.Random, addressed: Addressed) -> tuple[str, bytes, str]:
    """A mail changed at random, for a seat of its game: its name, its bytes and the address."""
    to: Reader = "moderator" if rng.random() < 0.05 else "player"
    if rng.random() < 0.35:
        key = rng.choice([*POISONS])
        post = addressed.post(POISONS[key].game, to)
        name, raw = _poison(rng, post)
        raw = raw.replace(b"\r\n", b"\n")
    else:
        name, raw = rng.choice(recorded())
        post = addressed.post(name, to)
        if rng.random() < 0.5:
            raw = post.mail(_plain(raw))
        else:
            raw = re.sub(rb"(?mi)^(from|to|cc|message-id|return-path|delivered-to|x-pbem.*?): .*\n", b"", raw)
            raw = f"From: {post.sender}\nMessage-ID: <fuzz.{post.number}@mail.example>\n".encode() + raw
    for _ in range(rng.choice((1, 1, 2, 4))):
        change = rng.choice(CHANGES)
        raw, name = change(rng, raw), f"{name} {change.__name__.strip('_')}"
    return name, re.sub(rb"\r?\n", b"\r\n", raw)[:2_000_000], post.to


def fuzz(hunt: Hunt, seed: int, goes_on: Callable[[int], bool]) -> Iterator[tuple[str, bytes]]:
    """Send changed mails while `goes_on` says so. Give each after which something is wrong, with what it
    is."""
    rng = random.Random(seed)
    while goes_on(len(hunt.others)):
        name, raw, to = mutated(rng, hunt.addressed)
        wrong = hunt.give(name, raw, to) or hunt.calm()
        if wrong:
            yield wrong, f"Delivered-To: {to}\r\n".encode() + raw


def _row(name: str, seconds: Sequence[float]) -> str:
    ranked = sorted(seconds)
    at = {
        says: ranked[int(share * (len(ranked) - 1))]
        for says, share in (("p50", 0.5), ("p99", 0.99), ("max", 1))
    }
    return f"{name:20} {len(ranked):6}  " + "  ".join(f"{says} {value:6.3f} s" for says, value in at.items())


def report(hunt: Hunt) -> str:
    """What became of the mails, and how long they took."""
    slow = [f"  {seconds:6.2f} s  {name}" for seconds, name in sorted(hunt.others, reverse=True)[:20]]
    became = ", ".join(f"{count} {outcome}" for outcome, count in hunt.outcomes.most_common())
    others = [seconds for seconds, _ in hunt.others]
    return "\n".join(
        [_row("ordinary letters", hunt.ordinary), _row("others", others), became, "The slowest:", *slow]
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", type=Path, help="a folder for the mails after which something is wrong")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="pbem-fuzz-") as folder, Hunt(Path(folder)) as hunt:
        end = time.monotonic() + 60 * args.minutes
        for number, (wrong, raw) in enumerate(fuzz(hunt, args.seed, lambda done: time.monotonic() < end)):
            print(f"WRONG {number}: {wrong}", flush=True)
            if args.keep:
                args.keep.mkdir(exist_ok=True)
                (args.keep / f"{number}.eml").write_bytes(raw)
        print(report(hunt), *hunt.troubles(), sep="\n")


if __name__ == "__main__":
    main()
