"""The lines at the end of every letter by which its reader can check dice, orders and text, and the check
itself.

``pbem dice verify`` reads them back from saved letters, with nothing of the server's: the links that were
revealed, the rolls with their faces, the digest of each order and of the text, and the seal, an HMAC with the
link of the turn. Seals can be checked once that link has been revealed.
"""

from __future__ import annotations

import hashlib
import hmac
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from email import message_from_bytes, policy
from email.message import EmailMessage
from itertools import pairwise
from pathlib import Path
from typing import Any

from pbem.engine.dice import follows, roll_again, sha256

HEAD = "== proof =="

_LINK = re.compile(r"link (\d+|sealed|opened) ([0-9a-f]{64})$")
_SALTS = re.compile(r"salts (\S+) (.+)$")
_ROLL = re.compile(r"(R\d+|S) (\S+?)\|(.+) = (.+)$")
_ORDER = re.compile(r"order (\d+) (.+) = ([0-9a-f]{16})$")
_GAME = re.compile(r"game (\S+) (\S+) turn (\d+)$")
_TEXT = re.compile(r"text ([0-9a-f]{64})$")
_SEAL = re.compile(r"seal ([0-9a-f]{64})$")


@dataclass(frozen=True, slots=True)
class Proof:
    """What the proof lines of one letter say. `links` are the links known to the reader, the number as text;
    `rolls` are (name, phase, label, faces as text); `salts` are those in force, by phase."""

    game: str
    key: str
    turn: int
    links: dict[str, str] = field(default_factory=dict)
    salts: dict[str, tuple[str, ...]] = field(default_factory=dict)
    rolls: tuple[tuple[str, str, str, str], ...] = ()
    orders: tuple[str, ...] = ()
    view: str = ""
    state: str = ""


def faces_text(faces: Iterable[Any]) -> str:
    return ",".join(str(face) for face in faces)


def order_digest(line: str) -> str:
    return hashlib.sha256(line.encode()).hexdigest()[:16]


def text_digest(lines: Sequence[str]) -> str:
    """The digest of a text as mail may deliver it: blanks at line ends and empty lines do not count."""
    bare = [line.rstrip() for line in lines]
    return hashlib.sha256("\n".join(line for line in bare if line).encode()).hexdigest()


def seal(link: bytes, digest: str) -> str:
    return hmac.digest(link, digest.encode(), hashlib.sha256).hex()


def write(body: Sequence[str], proof: Proof, link: bytes) -> list[str]:
    """The proof lines that follow `body`; `link` is the (still secret) link of the turn."""
    lines = [HEAD, f"game {proof.game} {proof.key} turn {proof.turn}"]
    lines += [f"link {number} {value}" for number, value in proof.links.items()]
    lines += [f"salts {phase} {' / '.join(salts)}" for phase, salts in proof.salts.items() if salts]
    lines += [f"{name} {phase}|{label} = {faces}" for name, phase, label, faces in proof.rolls]
    lines += [f"order {number} {line} = {order_digest(line)}" for number, line in enumerate(proof.orders, 1)]
    if proof.view:
        lines.append(f"view {proof.view}")
    if proof.state:
        lines.append(f"state {proof.state}")
    digest = text_digest([*body, *lines])
    return [*lines, f"text {digest}", f"seal {seal(link, digest)}"]


# --- the check --------------------------------------------------------------------------------------------


@dataclass(slots=True)
class Findings:
    """The result of a check: how much was checked, what is wrong, and what cannot be checked yet."""

    links: int = 0
    rolls: int = 0
    orders: int = 0
    texts: int = 0
    seals: int = 0
    wrong: list[str] = field(default_factory=list)
    pending: list[str] = field(default_factory=list)

    @property
    def ok(self) -> bool:
        return not self.wrong

    def summary(self) -> str:
        done = (
            f"{self.links} links, {self.rolls} rolls, {self.orders} orders, {self.texts} texts, "
            f"{self.seals} seals checked"
        )
        return f"{done}; {len(self.pending)} wait for a link not yet revealed; {len(self.wrong)} wrong"


def letter_text(raw: bytes) -> list[str]:
    """The lines of the text part of a mail as it stands in a file."""
    message = message_from_bytes(raw, policy=policy.default)
    assert isinstance(message, EmailMessage)
    body = message.get_body(("plain",))
    return body.get_content().splitlines() if body is not None else []


def check_letters(letters: Iterable[tuple[str, bytes]]) -> Findings:
    """Check every letter of ours among (name, bytes), from these alone."""
    checker = Checker()
    for name, raw in letters:
        checker.read(name, letter_text(raw))
    return checker.finish()


def check_folder(folder: Path) -> Findings:
    """Check the letters saved in a folder (.eml files). Raises ValueError when none of them is ours."""
    files = sorted(folder.rglob("*.eml"))
    findings = check_letters((path.name, path.read_bytes()) for path in files)
    if not findings.texts and not findings.wrong:
        raise ValueError(f"none of the {len(files)} letters in {folder} carries proof lines")
    return findings


class Checker:
    """Collects proof lines and checks them against each other. All letters must be of one game."""

    def __init__(self) -> None:
        self.found = Findings()
        self.links: dict[str, str] = {}
        self.salts: dict[str, tuple[str, ...]] = {}
        self.rolls: dict[tuple[str, str], tuple[str, str, str]] = {}
        self.seals: list[tuple[str, int, str, str]] = []
        self.game = ""

    def read(self, name: str, lines: list[str]) -> None:
        """Take in the proof lines of one letter; one without any is not ours and is passed over."""
        if HEAD not in lines:
            if any(_SEAL.match(line.rstrip()) for line in lines):
                self.found.wrong.append(f"{name}: the line {HEAD!r} is missing above its proof lines")
            return
        start = (
            len(lines) - 1 - lines[::-1].index(HEAD)
        )  # the last one: a message quoted above may hold such a line too
        turn = 0
        for number in range(start + 1, len(lines)):
            line = lines[number].rstrip()
            if game := _GAME.match(line):
                turn = int(game[3])
                self._same_game(name, game[1])
            elif text := _TEXT.match(line):
                self._text(name, lines[:number], text[1])
            elif line.startswith("seal ") and (before := _TEXT.match(lines[number - 1].rstrip())):
                self.seals.append((name, turn, before[1], line[5:]))
                return
            elif line and not self._line(name, line):
                self.found.wrong.append(f"{name}: not a proof line: {line!r}")
        self.found.wrong.append(f"{name}: the letter has no seal")

    def _same_game(self, name: str, game: str) -> None:
        if self.game and game != self.game:
            raise ValueError(
                f"{name} is of game {game}, the others are of {self.game}: check one game at a time"
            )
        self.game = game

    def _line(self, name: str, line: str) -> bool:
        if match := _LINK.match(line):
            known = self.links.setdefault(match[1], match[2])
            if known != match[2]:
                self.found.wrong.append(f"{name}: link {match[1]} differs from the one in another letter")
        elif match := _SALTS.match(line):
            self.salts[match[1]] = tuple(match[2].split(" / "))
        elif match := _ROLL.match(line):
            self._roll(name, match[1], match[2], match[3], match[4])
        elif match := _ORDER.match(line):
            self.found.orders += 1
            if order_digest(match[2]) != match[3]:
                self.found.wrong.append(f"{name}: order {match[1]} was altered: {match[2]}")
        else:
            return line.startswith(("view ", "state "))
        return True

    def _roll(self, name: str, roll: str, phase: str, label: str, faces: str) -> None:
        earlier = self.rolls.setdefault((phase, label), (f"{name}: {roll}", faces, roll))
        if earlier[1] != faces:
            self.found.wrong.append(
                f"{name}: {roll} {phase}|{label} = {faces}, but {earlier[0]} says {earlier[1]}"
            )

    def _text(self, name: str, above: list[str], digest: str) -> None:
        self.found.texts += 1
        if text_digest(above) != digest:
            self.found.wrong.append(f"{name}: the text of the letter is not the one that was sent")

    def finish(self) -> Findings:
        """Check links, rolls and seals now that everything has been read."""
        self._check_links()
        for (phase, label), (where, faces, roll) in self.rolls.items():
            self._check_roll(phase, label, where, faces, sealed=roll == "S")
        for name, turn, digest, value in self.seals:
            link = self.links.get(str(turn))
            if link is None:
                self.found.pending.append(f"{name}: its seal, until turn {turn} is over")
                continue
            self.found.seals += 1
            if not _SEAL.match(f"seal {value}") or not hmac.compare_digest(
                seal(bytes.fromhex(link), digest), value
            ):
                self.found.wrong.append(f"{name}: the seal does not match the text")
        return self.found

    def _check_links(self) -> None:
        turns = sorted(int(number) for number in self.links if number.isdigit())
        for earlier, later in pairwise(turns):
            self.found.links += 1
            if not follows(
                bytes.fromhex(self.links[str(later)]),
                bytes.fromhex(self.links[str(earlier)]),
                later - earlier,
            ):
                self.found.wrong.append(f"link {later} does not hash to link {earlier}")
        if "opened" in self.links and "sealed" in self.links:
            self.found.links += 1
            if not opens(self.links["opened"], self.links["sealed"]):
                self.found.wrong.append(
                    "the revealed secret of the sealed rolls is not the one committed to at the start"
                )

    def _check_roll(self, phase: str, label: str, where: str, faces: str, sealed: bool) -> None:
        turn = re.match(r"t(\d+)\.", phase)
        # What happens before the first turn is thrown with its link: link 0 is public.
        link = self.links.get("opened" if sealed else str(max(1, int(turn[1]))) if turn else "")
        if link is None:
            self.found.pending.append(f"{where} {phase}|{label}, until its link is revealed")
            return
        self.found.rolls += 1
        try:
            drawn = faces_text(
                roll_again(bytes.fromhex(link), self.game, phase, label, self.salts.get(phase, ()))
            )
        except ValueError as error:
            self.found.wrong.append(f"{where} {phase}: {error}")
            return
        if drawn != faces:
            self.found.wrong.append(f"{where} {phase}|{label} shows {faces}, the dice fell {drawn}")


def opens(secret: str, commitment: str) -> bool:
    """Whether the opened sealed secret is the one committed to at the start."""
    return sha256(bytes.fromhex(secret)).hex() == commitment
