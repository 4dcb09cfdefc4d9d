"""The lines at the end of every letter by which its reader can check dice, orders and the letter itself, and
the check.

``pbem dice verify`` reads them back from saved letters, with nothing of the server's: the links that were
revealed, the rolls with their faces, the digest of each order and of each part of the letter, and the
signature, by a key that the first letter names. The digest of the text covers all lines above it, and the
signature covers this digest.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from itertools import pairwise
from pathlib import Path
from typing import Any

from pbem.engine import beacon
from pbem.engine.dice import follows, link_of, roll_again, round_of, sha256
from pbem.mail import digests
from pbem.mail.signing import is_signed, sign

HEAD = "== proof =="
NO_SALTS = "none"
"""What stands for the salts of a phase without any; a salt names its seat."""

_LINK = re.compile(r"link (\d+|sealed|opened) ([0-9a-f]{64})$")
_DICE = re.compile(r"dice (seed|salts|beacon [0-9a-f]{64})$")
_ROUND = re.compile(r"round (\d+) closed (\S+)(?: ([0-9a-f]{96})| (dropped by ruling \d+))?$")
_SALTS = re.compile(r"salts (\S+) (.+)$")
_ROLL = re.compile(r"(R\d+|S) (\S+?)\|(.+) = (.+)$")
_ORDER = re.compile(r"order (\d+) (.+) = ([0-9a-f]{16})$")
_GAME = re.compile(r"game (\S+) (\S+) turn (\d+)$")
_NUMBER = re.compile(r"letter (\d+) to (\S+)$")
_KEY = re.compile(r"key ([0-9a-f]{64})$")
_RECEIVED = re.compile(r"received ([0-9a-f]{64}) \S+$")
_JOURNAL = re.compile(r"journal ([0-9a-f]{64})$")
_TOLD = re.compile(r"(?:deadline \S+|(?:view|state) [0-9a-f]{64})$")
_PART = re.compile(r"part (.+) ([0-9a-f]{64})$")
_TEXT = re.compile(r"text ([0-9a-f]{64})$")
_SIGNED = re.compile(r"signed ([A-Za-z0-9+/=]{88})$")
_SEAL = re.compile(r"seal [0-9a-f]{64}$")
"""What letters of earlier releases ended with; it proved nothing once its link was revealed."""
_MARK = re.compile(rb"^X-Pbem: *letter\b", re.MULTILINE | re.IGNORECASE)
"""The header of letters that carry proof lines."""


@dataclass(frozen=True, slots=True)
class Proof:
    """What the proof lines of one letter say.

    `number` counts the letters to this `seat`; `public` is the key by which it is signed; `received` are the
    digest of the letter that it answers and when that came; `journal` commits to the journal when it was
    written. `dice` is what the dice hang on (dice_rules.py). `links` are the links known to the reader, the
    number as text; `rolls` are (name, phase, label, faces as text); `salts` are those in force, by phase.
    """

    game: str
    key: str
    turn: int
    seat: str = ""
    number: int = 0
    public: str = ""
    journal: str = ""
    deadline: str = ""
    received: str = ""
    dice: str = ""
    links: dict[str, str] = field(default_factory=dict)
    rounds: tuple[str, ...] = ()
    salts: dict[str, tuple[str, ...]] = field(default_factory=dict)
    rolls: tuple[tuple[str, str, str, str], ...] = ()
    orders: tuple[str, ...] = ()
    view: str = ""
    state: str = ""


def beacon_rule() -> str:
    """What the dice hang on in a game with a beacon."""
    return f"beacon {beacon.QUICKNET.hash}"


def faces_text(faces: Iterable[Any]) -> str:
    return ",".join(str(face) for face in faces)


def order_digest(line: str) -> str:
    return hashlib.sha256(line.encode()).hexdigest()[:16]


def lines_of(proof: Proof) -> list[str]:
    """Return the proof lines of a letter, up to those about its own parts."""
    lines = [HEAD, f"game {proof.game} {proof.key} turn {proof.turn}"]
    if proof.number:
        lines += [f"letter {proof.number} to {proof.seat}", f"key {proof.public}"]
    lines += [
        f"{name} {told}" for name in ("received", "deadline", "journal") if (told := getattr(proof, name))
    ]
    lines += [f"dice {proof.dice}"] if proof.dice else []
    lines += [f"link {number} {value}" for number, value in proof.links.items()]
    lines += proof.rounds
    none = NO_SALTS if proof.dice == "salts" else ""
    told = {phase: " / ".join(salts) or none for phase, salts in proof.salts.items()}
    lines += [f"salts {phase} {salts}" for phase, salts in told.items() if salts]
    lines += [f"{name} {phase}|{label} = {faces}" for name, phase, label, faces in proof.rolls]
    lines += [f"order {number} {line} = {order_digest(line)}" for number, line in enumerate(proof.orders, 1)]
    lines += [f"{name} {told}" for name in ("view", "state") if (told := getattr(proof, name))]
    return lines


def signed(text: Sequence[str], parts: Mapping[str, str], secret: bytes) -> list[str]:
    """Return the text of a letter, proof lines included, with what ends it: the digests of the other
    `parts`, that of all these lines, and its signature."""
    lines = [*text, *(f"part {name} {digest}" for name, digest in parts.items())]
    digest = digests.of_lines(lines)
    return [*lines, f"text {digest}", f"signed {sign(secret, _statement(digest))}"]


def _statement(digest: str) -> str:
    """What is signed: the key signs nothing else that begins like this."""
    return f"pbem letter {digest}"


# --- the check --------------------------------------------------------------------------------------------


@dataclass(slots=True)
class Told:
    """What a letter says of itself: its number among those to a seat, and of what the server alone can
    check, the commitment to the journal and the digest of the letter that it answers."""

    seat: str = ""
    number: int = 0
    key: str = ""
    text: str = ""
    journal: str = ""
    received: str = ""
    parts: dict[str, str] = field(default_factory=dict)

    def take(self, line: str) -> bool:
        """Take in a line; whether it is one about the letter itself."""
        if match := _NUMBER.match(line):
            self.number, self.seat = int(match[1]), match[2]
        elif match := _KEY.match(line):
            self.key = match[1]
        elif match := _JOURNAL.match(line):
            self.journal = match[1]
        elif match := _RECEIVED.match(line):
            self.received = match[1]
        elif match := _PART.match(line):
            self.parts[match[1]] = match[2]
        else:
            return _TOLD.match(line) is not None
        return True


@dataclass(slots=True)
class Findings:
    """The result of a check: how much was checked, what is wrong, what cannot be checked yet, and what was
    `noted`: letters and rolls that are not there."""

    links: int = 0
    rounds: int = 0
    rolls: int = 0
    orders: int = 0
    texts: int = 0
    parts: int = 0
    signatures: int = 0
    wrong: list[str] = field(default_factory=list)
    pending: list[str] = field(default_factory=list)
    noted: list[str] = field(default_factory=list)

    @property
    def ok(self) -> bool:
        return not self.wrong

    def summary(self) -> str:
        rounds = f"{self.rounds} rounds, " if self.rounds else ""
        done = (
            f"{self.links} links, {rounds}{self.rolls} rolls, {self.orders} orders, {self.texts} texts, "
            f"{self.parts} other parts, {self.signatures} signatures checked"
        )
        return f"{done}; {len(self.pending)} wait for a link not yet revealed; {len(self.wrong)} wrong"


def letter_text(raw: bytes) -> list[str]:
    """The lines of the text part of a mail as it stands in a file."""
    return "\n".join(digests.read(raw)[0]).splitlines()


def check_letters(letters: Iterable[tuple[str, bytes]]) -> Findings:
    """Check every letter of ours among (name, bytes), from these alone."""
    checker = Checker()
    for name, raw in letters:
        checker.read(name, raw)
    return checker.finish()


def saved(folder: Path) -> list[tuple[str, bytes]]:
    """Return the letters saved in a folder (.eml files) as (name, bytes)."""
    return [(path.name, path.read_bytes()) for path in sorted(folder.rglob("*.eml"))]


def check_folder(folder: Path) -> Findings:
    """Check the letters saved in a folder (.eml files). Raises ValueError when none of them is ours."""
    letters = saved(folder)
    findings = check_letters(letters)
    if not findings.texts and not findings.wrong:
        raise ValueError(f"none of the {len(letters)} letters in {folder} carries proof lines")
    return findings


def check_lines(name: str, lines: Iterable[str]) -> Findings:
    """Check proof lines by themselves, such as `roll_lines`."""
    checker = Checker()
    for line in lines:
        if game := _GAME.match(line):
            checker.game = game[1]
        elif line.strip() and line != HEAD and not checker.take(name, line.rstrip()):
            checker.found.wrong.append(f"{name}: not a proof line: {line!r}")
    checker.check_rolls()
    return checker.found


def roll_lines(letters: Iterable[tuple[str, bytes]], roll: str) -> list[str]:
    """Return the proof lines that anybody needs to check one roll (R22), from letters of a game as (name,
    bytes). Raises ValueError if the roll is not among them, or its link not yet revealed."""
    checker = Checker()
    for name, raw in letters:
        checker.read(name, raw)
    found = [
        (phase, label, faces) for (phase, label), (_, faces, own) in checker.rolls.items() if own == roll
    ]
    if not found:
        raise ValueError(f"roll {roll} is in none of these letters")
    phase, label, faces = found[-1]
    turn = link_of(phase, label)
    if turn is None:
        raise ValueError(f"roll {roll} was set by a ruling, not thrown")
    if str(turn) not in checker.links:
        raise ValueError(f"the link of roll {roll} is revealed when turn {turn} is over")
    links = {"0": checker.links["0"], str(turn): checker.links[str(turn)]}
    told = Proof(checker.game, checker.rules, turn, links=links, rolls=((roll, phase, label, faces),))
    told = replace(told, dice=checker.dice)
    number = round_of(label)
    if number is not None:
        closed, signature, _ = checker.rounds[number]
        return lines_of(replace(told, rounds=(f"round {number} closed {closed} {signature}",)))
    return lines_of(replace(told, salts={phase: checker.salts.get(phase, ())}))


class Checker:
    """Collects proof lines and checks them against each other. All letters must be of one game."""

    def __init__(self) -> None:
        self.found = Findings()
        self.links: dict[str, str] = {}
        self.salts: dict[str, tuple[str, ...]] = {}
        self.rounds: dict[int, tuple[str, str, str]] = {}
        """By number: when its orders were closed, its signature, what has dropped it."""
        self.rolls: dict[tuple[str, str], tuple[str, str, str]] = {}
        self.told: dict[str, Told] = {}
        """By the names of the letters."""
        self.game = self.rules = self.key = self.dice = ""

    def read(self, name: str, raw: bytes) -> None:
        """Take in the proof lines of one letter, and check its parts and its signature; one without any is
        not ours and is passed over."""
        try:
            lines, parts = digests.read(raw)
        except digests.Unreadable as error:
            if _MARK.search(raw):
                self.found.wrong.append(f"{name}: {error}")
            return
        lines = [line.rstrip(" \t\r") for line in lines]
        if HEAD in lines:
            self._read(name, lines, parts)
        elif any(_SIGNED.match(line) or _SEAL.match(line) for line in lines):
            self.found.wrong.append(f"{name}: the line {HEAD!r} is missing above its proof lines")
        elif _MARK.search(raw):
            self.found.wrong.append(f"{name}: it has no proof lines, as every letter of a game has")

    def _read(self, name: str, lines: list[str], parts: Mapping[str, str]) -> None:
        start = len(lines) - 1 - lines[::-1].index(HEAD)  # a message quoted above may hold such a line too
        told = self.told[name] = Told()
        for number, line in enumerate(lines[start + 1 :], start + 1):
            if game := _GAME.match(line):
                self._same_game(name, game[1])
                self.rules = game[2]
            elif text := _TEXT.match(line):
                told.text = text[1]
                self._text(name, lines[:number], text[1])
            elif told.text and (signature := _SIGNED.match(line)):
                self._signature(name, told, signature[1])
                break
            elif told.text and _SEAL.match(line):
                self.found.noted.append(f"{name}: an earlier release wrote it, and it is not signed")
                return
            elif line and not told.take(line) and not self.take(name, line):
                self.found.wrong.append(f"{name}: not a proof line: {line!r}")
        else:
            self.found.wrong.append(f"{name}: the letter is not signed")
        self._parts(name, told.parts, parts)

    def _same_game(self, name: str, game: str) -> None:
        if self.game and game != self.game:
            raise ValueError(
                f"{name} is of game {game}, the others are of {self.game}: check one game at a time"
            )
        self.game = game

    def take(self, name: str, line: str) -> bool:
        """Take in a proof line about links, dice or orders; whether it is one."""
        if match := _LINK.match(line):
            known = self.links.setdefault(match[1], match[2])
            if known != match[2]:
                self.found.wrong.append(f"{name}: link {match[1]} differs from the one in another letter")
        elif match := _DICE.match(line):
            self._dice(name, match[1])
        elif match := _ROUND.match(line):
            self._round(name, int(match[1]), match[2], match[3] or "", match[4] or "")
        elif match := _SALTS.match(line):
            self._salts(name, match[1], () if match[2] == NO_SALTS else tuple(match[2].split(" / ")))
        elif match := _ROLL.match(line):
            self._roll(name, match[1], match[2], match[3], match[4])
        elif match := _ORDER.match(line):
            self.found.orders += 1
            if order_digest(match[2]) != match[3]:
                self.found.wrong.append(f"{name}: order {match[1]} was altered: {match[2]}")
        else:
            return False
        return True

    def _dice(self, name: str, rule: str) -> None:
        """What the dice hang on is the same in all letters of a game."""
        self.dice = self.dice or rule
        if rule != self.dice:
            self.found.wrong.append(f"{name}: it says dice {rule}, another letter says dice {self.dice}")
        elif rule.startswith("beacon") and rule != beacon_rule():
            self.found.wrong.append(f"{name}: {rule} is not the beacon that pbem knows, {beacon_rule()}")

    def _round(self, name: str, number: int, closed: str, signature: str, dropped: str) -> None:
        """A round is named once, for one moment, and has one signature."""
        known = self.rounds.get(number, (closed, signature, dropped))
        if known[0] != closed or (signature and known[1] not in ("", signature)):
            self.found.wrong.append(f"{name}: round {number} differs from the one in another letter")
        self.rounds[number] = (known[0], known[1] or signature, known[2] or dropped)

    def _salts(self, name: str, phase: str, salts: tuple[str, ...]) -> None:
        """The salts of a phase are those that its first letter names."""
        known = self.salts.setdefault(phase, salts)
        if self.dice and known != salts:
            self.found.wrong.append(f"{name}: the salts of {phase} differ from those in another letter")

    def _roll(self, name: str, roll: str, phase: str, label: str, faces: str) -> None:
        earlier = self.rolls.setdefault((phase, label), (f"{name}: {roll}", faces, roll))
        if earlier[1] != faces:
            self.found.wrong.append(
                f"{name}: {roll} {phase}|{label} = {faces}, but {earlier[0]} says {earlier[1]}"
            )

    def _text(self, name: str, above: list[str], digest: str) -> None:
        self.found.texts += 1
        if digests.of_lines(above) != digest:
            self.found.wrong.append(f"{name}: the text of the letter is not the one that was sent")

    def _signature(self, name: str, told: Told, signature: str) -> None:
        self.found.signatures += 1
        self.key = self.key or told.key
        if told.key != self.key:
            self.found.wrong.append(f"{name}: it names another key than the letters before")
        if not is_signed(told.key, _statement(told.text), signature):
            self.found.wrong.append(f"{name}: the signature is not of this text by the key of the game")

    def _parts(self, name: str, told: Mapping[str, str], parts: Mapping[str, str]) -> None:
        """Compare the digests that a letter tells of its parts with those that they have."""
        names = {
            digests.SUBJECT: "its subject",
            digests.HEAD: "its head (From, To, Date)",
            digests.PAGE: "its HTML part",
        }
        self.found.parts += len(told)
        for part in dict.fromkeys([*told, *parts]):
            what = names.get(part, part)
            if part not in parts:
                self.found.wrong.append(f"{name}: {what} is missing")
            elif part not in told:
                self.found.wrong.append(f"{name}: {what} was not sent with it")
            elif told[part] != parts[part]:
                self.found.wrong.append(f"{name}: {what} is not what was sent")

    def finish(self) -> Findings:
        """Check links and rolls now that everything has been read, and name what is not there."""
        self.check_rolls()
        self._check_numbers()
        rolls = {int(roll[1:]) for _, _, roll in self.rolls.values() if roll != "S"}
        self.found.noted += [f"roll R{numbers} is in none of these letters" for numbers in _missing(rolls)]
        return self.found

    def check_rolls(self) -> None:
        """Check links and rolls."""
        self._check_links()
        self._check_rounds()
        for (phase, label), (where, faces, roll) in self.rolls.items():
            self._check_roll(phase, label, where, faces, sealed=roll == "S")

    def _check_numbers(self) -> None:
        """Each number is that of one letter, and none is left out."""
        first: dict[tuple[str, int], str] = {}
        for name, told in self.told.items():
            if not told.number:
                continue
            other = first.setdefault((told.seat, told.number), name)
            if self.told[other].text != told.text:
                self.found.wrong.append(f"{name}: {other} is letter {told.number} to {told.seat}, too")
        for seat in dict.fromkeys(seat for seat, _ in first):
            missing = _missing({number for whose, number in first if whose == seat})
            self.found.noted += [f"letter {numbers} to {seat} is not among these" for numbers in missing]

    def _check_links(self) -> None:
        turns = sorted(int(number) for number in self.links if number.isdecimal())
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

    def _check_rounds(self) -> None:
        """Each round is the one that follows from its moment, its signature is the beacon's, and none was
        passed over."""
        signed = max((number for number, each in self.rounds.items() if each[1]), default=0)
        for number, (closed, signature, dropped) in sorted(self.rounds.items()):
            self.found.rounds += 1
            where = f"round {number}, closed {closed}"
            try:
                right = beacon.round_after(datetime.fromisoformat(closed))
                genuine = not signature or beacon.is_genuine(number, signature)
            except beacon.MissingLibrary as error:
                self.found.noted.append(f"{where}: its signature was not checked, for {error}")
                continue
            except (ValueError, OverflowError) as error:
                self.found.wrong.append(f"{where}: {error}")
                continue
            if number != right:
                self.found.wrong.append(f"{where}: the round of this moment is {right}")
            if not genuine:
                self.found.wrong.append(f"{where}: its signature is not the one of the beacon")
            if dropped:
                self.found.noted.append(f"{where}, was {dropped}: no die hangs on it")
            elif not signature and number < signed:
                self.found.wrong.append(f"{where}: it was named, and its value withheld")
            elif not signature:
                self.found.pending.append(f"{where}, until its value is known")

    def _salts_of(self, phase: str, label: str) -> tuple[str, ...] | None:
        """What goes into a roll besides the link; None while the value of its round is not known. Raises
        ValueError for a roll of a game with a beacon that hangs on none."""
        number = round_of(label)
        if number is None:
            if self.dice.startswith("beacon"):
                raise ValueError(f"{label} hangs on no round of the beacon")
            return self.salts.get(phase, ())
        if number not in self.rounds:
            raise ValueError(f"{label} hangs on a round that no letter has named")
        signature = self.rounds[number][1]
        return (beacon.value_of(signature),) if signature else None

    def _check_roll(self, phase: str, label: str, where: str, faces: str, sealed: bool) -> None:
        try:
            turn = link_of(phase, label)
        except ValueError as error:
            self.found.wrong.append(f"{where}: {error}")
            return
        if turn is None:
            return
        link = self.links.get("opened" if sealed else str(turn))
        if link is None:
            self.found.pending.append(f"{where} {phase}|{label}, until its link is revealed")
            return
        self.found.rolls += 1
        try:
            salts = self._salts_of(phase, label)
            if salts is None:
                self.found.wrong.append(f"{where} {phase}|{label} fell before its round was known")
                return
            drawn = faces_text(roll_again(bytes.fromhex(link), self.game, phase, label, salts))
        except ValueError as error:
            self.found.wrong.append(f"{where} {phase}: {error}")
            return
        if drawn != faces:
            self.found.wrong.append(f"{where} {phase}|{label} shows {faces}, the dice fell {drawn}")


def opens(secret: str, commitment: str) -> bool:
    """Whether the opened sealed secret is the one committed to at the start."""
    return sha256(bytes.fromhex(secret)).hex() == commitment


def _missing(numbers: Collection[int]) -> Iterator[str]:
    """Yield the gaps in numbers that begin with 1: `6`, `8 to 10`."""
    for earlier, later in pairwise([0, *sorted(numbers)]):
        if later - earlier == 2:
            yield str(earlier + 1)
        elif later - earlier > 2:
            yield f"{earlier + 1} to {later - 1}"
