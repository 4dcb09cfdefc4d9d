"""The file ``proof.txt`` of every letter, by which its reader can check dice, orders and the letter itself,
and the check.

``pbem dice verify`` reads it back from saved letters, with nothing of the server's: the links that were
revealed, the rolls with their faces, the digest of each order and of each part of the letter, its text
included, and the signature, by a key that the first letter names. The last digest covers all lines above it,
and the signature covers this digest.

The proof of one roll is a file of such lines, signed with the same key. It is worth what it is compared with:
alone it could be by any key, so it counts as checked only next to letters that name the same.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from itertools import pairwise
from pathlib import Path
from typing import Any

from pbem.engine import beacon
from pbem.engine.dice import follows, link_of, roll_again, round_of, ruling_of, sha256
from pbem.engine.wording import count
from pbem.mail import digests
from pbem.mail.signing import is_signed, public_key, sign
from pbem.render.replay import proof_in

HEAD = "== proof =="
PAGE = "page"
"""The part of the proof of a replay that is the page around it."""
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
    """Return the proof lines of a letter, up to those about its own parts, or of one roll. Those of a roll
    have no number of a letter."""
    lines = [HEAD, f"game {proof.game} {proof.key} turn {proof.turn}"]
    lines += [f"letter {proof.number} to {proof.seat}"] if proof.number else []
    lines += [f"key {proof.public}"]
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


def signed(told: Sequence[str], parts: Mapping[str, str], secret: bytes, kind: str = "letter") -> list[str]:
    """Return proof lines with what ends them: the digests of the `parts` of the letter, that of all these
    lines, and their signature."""
    lines = [*told, *(f"part {name} {digest}" for name, digest in parts.items())]
    digest = digests.of_lines(lines)
    return [*lines, f"text {digest}", f"signed {sign(secret, _statement(kind, digest))}"]


def _statement(kind: str, digest: str) -> str:
    """What is signed: a letter can never pass for the proof of a roll, nor a proof for a letter."""
    return f"pbem {kind} {digest}"


# --- the check --------------------------------------------------------------------------------------------


@dataclass(slots=True)
class Told:
    """What a letter says of itself: its number among those to a seat, and of what the server alone can
    check, the commitment to the journal and the digest of the letter that it answers."""

    seat: str = ""
    number: int = 0
    key: str = ""
    text: str = ""
    signature: str = ""
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
    """The result of a check: how much was checked, what is `wrong`, what was `unchecked` and why (letters and
    rolls that are missing, files that are none of ours), what is `pending` until a link is revealed, and what
    was `noted` beside it."""

    links: int = 0
    rounds: int = 0
    rolls: int = 0
    orders: int = 0
    texts: int = 0
    parts: int = 0
    signatures: int = 0
    wrong: list[str] = field(default_factory=list)
    unchecked: list[str] = field(default_factory=list)
    pending: list[str] = field(default_factory=list)
    noted: list[str] = field(default_factory=list)

    @property
    def ok(self) -> bool:
        """Whether all of it was checked and is right, but for what waits for its link."""
        return not self.wrong and not self.unchecked

    def summary(self) -> str:
        """Return the result in one line. "0 wrong" is said only where nothing was left unchecked."""
        done = [
            count(self.links, "link"),
            *([count(self.rounds, "round")] if self.rounds else []),
            count(self.rolls, "roll"),
            count(self.orders, "order"),
            count(self.texts, "text"),
            count(self.parts, "other part"),
            count(self.signatures, "signature"),
        ]
        ends = [f"{len(self.pending)} waiting for a link not yet revealed"]
        ends += [f"{len(self.unchecked)} not checked"] if self.unchecked else []
        ends += [f"{len(self.wrong)} wrong"] if self.wrong or self.ok else []
        return "; ".join([f"{', '.join(done)} checked", *ends])


def is_letter(raw: bytes) -> bool:
    """Whether a mail says that it is a letter of a game, which has proof lines."""
    return _MARK.search(raw) is not None


def letter_text(raw: bytes) -> list[str]:
    """The lines of the text part of a mail as it stands in a file."""
    return "\n".join(digests.read(raw).text).splitlines()


def letter_proof(raw: bytes) -> list[str]:
    """The lines of the proof of a mail as it stands in a file; none if it has no proof."""
    return [bare for line in digests.read(raw).proof if (bare := line.rstrip(" \t\r"))]


def check_letters(letters: Iterable[tuple[str, bytes]]) -> Findings:
    """Check letters, given as (name, bytes), from these alone."""
    checker = Checker()
    for name, raw in letters:
        checker.read_letter(name, raw)
    return checker.finish()


def check_files(paths: Iterable[Path]) -> Findings:
    """Check saved letters (.eml), proofs of rolls and replays (.html) against each other. A path is a file or
    a folder, of which all files count that are not hidden; a file that is none of these is named. Raises
    ValueError if there is no file at all, or if they are of several games."""
    paths = list(paths)
    files = dict.fromkeys(file for path in paths for file in _files(path))
    if not files:
        raise ValueError(f"there are no letters in {', '.join(map(str, paths))}")
    checker = Checker()
    letters = [file for file in files if file.suffix.lower() == ".eml"]
    for file in letters:
        checker.read_letter(str(file), file.read_bytes())
    for file in [file for file in files if file not in letters]:
        if file.suffix.lower() == ".html":
            checker.read_page(str(file), file.read_bytes())
        else:
            checker.read_proof(str(file), file.read_bytes())
    return checker.finish()


def _files(path: Path) -> Iterator[Path]:
    if not path.is_dir():
        yield path
        return
    for entry in sorted(path.rglob("*")):
        if entry.is_file() and not any(part.startswith(".") for part in entry.relative_to(path).parts):
            yield entry


def roll_proof(letters: Iterable[tuple[str, bytes]], roll: str, secret: bytes) -> list[str]:
    """Return the file that proves one roll (R22): its lines, signed with the game's key.

    `letters` are those of the game, as (name, bytes), in the order in which they were written. Raises
    ValueError if the roll is not among them, if its link is not yet revealed, or if they are not in order.
    """
    checker = Checker()
    for name, raw in letters:
        checker.read_letter(name, raw)
    checker.check_rolls()
    throws = [
        (phase, label, faces) for (phase, label), (_, faces, own) in checker.rolls.items() if own == roll
    ]
    if not throws:
        raise ValueError(f"roll {roll} is in none of these letters")
    if checker.found.wrong:
        raise ValueError(f"the letters of the game are not in order: {checker.found.wrong[0]}")
    phase, label, faces = throws[-1]
    turn = link_of(phase, label)
    if turn is None:
        raise ValueError(f"roll {roll} was set by a ruling, not thrown")
    if str(turn) not in checker.links:
        raise ValueError(f"the link of roll {roll} is revealed when turn {turn} is over")
    number = round_of(label)
    closed, signature, _ = checker.rounds[number] if number is not None else ("", "", "")
    told = Proof(
        game=checker.game,
        key=checker.rules,
        turn=turn,
        public=public_key(secret),
        dice=checker.dice,
        links={"0": checker.links["0"], str(turn): checker.links[str(turn)]},
        rounds=(f"round {number} closed {closed} {signature}",) if signature else (),
        salts={} if signature else {phase: checker.salts.get(phase, ())},
        rolls=((roll, phase, label, faces),),
    )
    return signed(lines_of(told), {}, secret, "proof")


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
        self.lines: set[str] = set()
        """The proof lines of all letters."""
        self.proofs: list[str] = []
        """The names of the proofs of rolls."""
        self.game = self.rules = self.key = self.dice = ""

    def read_letter(self, name: str, raw: bytes) -> None:
        """Take in the proof of one letter, and check its parts and its signature."""
        try:
            letter = digests.read(raw)
        except digests.Unreadable as error:
            self._not_ours(name, raw, str(error))
            return
        lines = [bare for line in letter.proof if (bare := line.rstrip(" \t\r"))]
        if lines[:1] != [HEAD]:
            has = f"{digests.PROOF} does not begin with {HEAD!r}" if lines else f"it has no {digests.PROOF}"
            self._not_ours(name, raw, f"{has}, as in every letter of a game")
            return
        told = self.told[name] = Told()
        body = self._without_signature(name, lines, told)[1:]
        for line in body:
            self._read_line(name, line, told)
        self.lines.update(body)
        self._signature(name, told, "letter")
        self._parts(name, told.parts, letter.parts)

    def _not_ours(self, name: str, raw: bytes, why: str) -> None:
        """A file that says that it is a letter of ours and has no proof lines is wrong, another one is only
        not checked."""
        (self.found.wrong if is_letter(raw) else self.found.unchecked).append(f"{name}: {why}")

    def read_proof(self, name: str, raw: bytes) -> None:
        """Take in the proof of a roll, after all letters, and compare it with them: what they do not hold is
        named, too."""
        text = raw.decode("utf-8-sig", "replace").split("\n")
        lines = [line for each in text if (line := each.rstrip(" \t\r"))]
        if lines[:1] != [HEAD]:
            self.found.unchecked.append(f"{name}: it is neither a letter (.eml) nor the proof of a roll")
            return
        self._read_proof(name, lines, "proof")

    def read_page(self, name: str, raw: bytes) -> None:
        """Take in the proof that a replay carries, after all letters, and compare it with them and with the
        page around it."""
        try:
            page, text = proof_in(raw.decode("utf-8"))
        except ValueError as error:
            self.found.unchecked.append(f"{name}: it is no replay of a game: {error}")
            return
        told = self._read_proof(name, [line.rstrip(" \t\r") for line in text if line.strip()], "page")
        self.found.parts += 1
        if told.parts != {PAGE: hashlib.sha256(page.encode()).hexdigest()}:
            self.found.wrong.append(f"{name}: the page is not the one that was signed")

    def _read_proof(self, name: str, lines: list[str], kind: str) -> Told:
        told = Told()
        for line in self._without_signature(name, lines, told)[1:]:
            before = len(self.found.wrong)
            self._read_line(name, line, told)
            if len(self.found.wrong) == before and self.told and not self._known(line):
                self.found.unchecked.append(f"{name}: none of these letters says: {line}")
            if roll := _ROLL.match(line):
                self._thrown_again(name, roll[1], roll[3])
        self._signature(name, told, kind)
        self.proofs.append(name)
        return told

    def _known(self, line: str) -> bool:
        """Whether the letters say what a line of a proof says. A link need not be revealed in them, for it
        must hash to link 0; game, key and the parts of a replay are compared by themselves."""
        apart = _GAME.match(line) or _KEY.match(line) or _PART.match(line)
        link = _LINK.match(line)
        return line in self.lines or apart is not None or (link is not None and link[1] != "0")

    def _thrown_again(self, name: str, roll: str, label: str) -> None:
        """Name the last ruling by which the roll of a proof counts no longer."""
        last = max([ruling_of(other) for (_, other), (_, _, own) in self.rolls.items() if own == roll] or [0])
        if last > ruling_of(label):
            self.found.wrong.append(f"{name}: {roll} counts otherwise since ruling {last}")

    def _without_signature(self, name: str, lines: list[str], told: Told) -> list[str]:
        """Take the digest and the signature, which end a proof, off its lines, none of which is empty. Return
        the lines that they cover."""
        at = next((at for at in reversed(range(len(lines))) if _SIGNED.match(lines[at])), None)
        if at is None:
            self.found.wrong.append(f"{name}: it is not signed")
            return [line for line in lines if not _TEXT.match(line)]
        for line in lines[at + 1 :]:
            self.found.wrong.append(f"{name}: it goes on below its signature: {line!r}")
        told.signature = lines[at].removeprefix("signed ")
        text = _TEXT.match(lines[at - 1])
        if text is None:
            self.found.wrong.append(f"{name}: the digest of its proof is missing above its signature")
            return lines[:at]
        told.text = text[1]
        if digests.of_lines(lines[: at - 1]) != told.text:
            self.found.wrong.append(f"{name}: its proof is not the one that was signed")
        return lines[: at - 1]

    def _read_line(self, name: str, line: str, told: Told) -> None:
        if game := _GAME.match(line):
            self._same_game(name, game[1])
            self.rules = game[2]
        elif not told.take(line) and not self.take(name, line):
            self.found.wrong.append(f"{name}: not a proof line: {line!r}")

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
        if known != salts:
            self.found.wrong.append(f"{name}: the salts of {phase} differ from those in another letter")

    def _roll(self, name: str, roll: str, phase: str, label: str, faces: str) -> None:
        earlier = self.rolls.setdefault((phase, label), (f"{name}: {roll}", faces, roll))
        if earlier[1] != faces:
            self.found.wrong.append(
                f"{name}: {roll} {phase}|{label} = {faces}, but {earlier[0]} says {earlier[1]}"
            )

    def _signature(self, name: str, told: Told, kind: str) -> None:
        """Check a signature by the key that goes with it, and that this is the key of all the others."""
        if not told.signature:
            return
        self.found.signatures += 1
        self.key = self.key or told.key
        if told.key != self.key:
            self.found.wrong.append(f"{name}: it names another key than the letters before")
        if not is_signed(told.key, _statement(kind, told.text), told.signature):
            self.found.wrong.append(f"{name}: the signature is not of this proof by the key of the game")

    def _parts(self, name: str, told: Mapping[str, str], parts: Mapping[str, str]) -> None:
        """Compare the digests that a letter tells of its parts with those that they have."""
        names = {
            digests.SUBJECT: "its subject",
            digests.HEAD: "its head (From, To, Date)",
            digests.TEXT: "its text",
            digests.PAGE: "its HTML part",
        }
        self.found.texts += digests.TEXT in told
        self.found.parts += len(told) - (digests.TEXT in told)
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
        if self.told:
            rolls = [roll[1] for line in self.lines if (roll := _ROLL.match(line))]
            missing = _missing({int(roll[1:]) for roll in rolls if roll != "S"})
            self.found.unchecked += [f"roll R{numbers} is in none of these letters" for numbers in missing]
        elif self.proofs:
            self._hang_on()
        return self.found

    def _hang_on(self) -> None:
        """Say what proofs without any letters hang on."""
        if "0" not in self.links:
            self.found.wrong.append(f"{self.proofs[0]}: it names no link 0")
        elif not self.found.wrong:
            self.found.unchecked += [
                f"{name}: true only if link 0 in your first letter is {self.links['0']} and the game's key "
                f"there is {self.key}; to compare them: pbem dice verify {name} LETTERS"
                for name in self.proofs
            ]

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
            self.found.unchecked += [f"letter {numbers} to {seat} is not among these" for numbers in missing]

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
                self.found.unchecked.append(f"{where}: its signature was not checked, for {error}")
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
