"""Dice that anyone can check, years later, with nothing but this page.

At the start of a game the server draws a secret of 256 bits and hashes it turn by turn, backwards:
``link[t-1] = SHA-256(link[t])``. The first letter carries ``link[0]``. When turn t is over its letter reveals
``link[t]``, which must hash to the link before it: the server could not change its mind on the way.

A roll is keyed to the event it decides, not to a running number: ``HMAC-SHA-256(link[t], key)`` where the key
names game, phase, rulebook case, dice, what is decided, how many times that was asked in the phase, and the
salts that players have added. Correcting one order leaves every other die as it was; sending an order again
cannot roll it again.

Rolls that one side may not know yet are `sealed`: they come from a second secret, whose hash the first letter
carries too and which is revealed when the game ends.
"""

from __future__ import annotations

import hashlib
import hmac
import re
import secrets
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

from pbem.engine.play import Chance

_RULED = re.compile(r"\|ruling \d+ of turn (\d+)$")
_SET = re.compile(r"\|set by ruling \d+$")
_RULING = re.compile(r"\|(?:set by )?ruling (\d+)(?= of turn \d+$|$)")
_ROUND = re.compile(r"\|round (\d+)(?=\||$)")
_TURN = re.compile(r"t(\d+)\.")


def sha256(data: bytes) -> bytes:
    return hashlib.sha256(data).digest()


def new_secret(seed: str | None = None) -> bytes:
    """A fresh secret of 256 bits, or for tests and examples the one fixed by `seed`."""
    return secrets.token_bytes(32) if seed is None else sha256(f"pbem seed {seed}".encode())


@dataclass(frozen=True, slots=True)
class HashChain:
    """The links of one game: link 0 is published at the start, link t when turn t is over."""

    secret: bytes
    turns: int

    def link(self, turn: int) -> bytes:
        """The link of `turn`, 0 to `turns`. Raises ValueError outside of these."""
        if not 0 <= turn <= self.turns:
            raise ValueError(f"the chain has links 0 to {self.turns}, not {turn}")
        value = self.secret
        for _ in range(self.turns - turn):
            value = sha256(value)
        return value

    @property
    def sealed_secret(self) -> bytes:
        """The secret of the sealed rolls; its SHA-256 is published at the start, itself at the end of the
        game."""
        return hmac.digest(self.secret, b"sealed", hashlib.sha256)

    @property
    def sealed_commitment(self) -> bytes:
        return sha256(self.sealed_secret)


def follows(link: bytes, earlier: bytes, steps: int = 1) -> bool:
    """Whether `link`, hashed `steps` times, is `earlier`."""
    for _ in range(steps):
        link = sha256(link)
    return hmac.compare_digest(link, earlier)


def event_key(game: str, phase: str, label: str, salts: Iterable[str] = ()) -> str:
    """What a roll is for. `label` is the journal's ``case|dice|what|n``."""
    return "|".join([game, phase, label, *salts])


class Word(NamedTuple):
    """32 bits of the stream of an event: the `digest` of which block, from which of its bytes on, the
    `number` they make, the `sides` it was wanted for; `picked` is None where it was thrown away."""

    block: int
    digest: bytes
    start: int
    number: int
    sides: int
    picked: int | None


def picker(key_material: bytes, event: str, seen: list[Word] | None = None) -> Callable[[int], int]:
    """A source of fair numbers for one event: `pick(n)` gives 0 to n - 1. What it reads is added to `seen`.

    The stream is HMAC-SHA-256 of the event and a block counter, read 32 bits at a time; a number in the
    incomplete last stretch of the range is thrown away, so that no face is likelier than another.
    """

    def words() -> Iterable[tuple[int, bytes, int, int]]:
        block = 0
        while True:
            digest = hmac.digest(key_material, f"{event}|{block}".encode(), hashlib.sha256)
            for start in range(0, 32, 4):
                yield block, digest, start, int.from_bytes(digest[start : start + 4], "big")
            block += 1

    stream = iter(words())

    def pick(sides: int) -> int:
        limit = (1 << 32) // sides * sides
        while True:
            block, digest, start, number = next(stream)
            picked = number % sides if number < limit else None
            if seen is not None:
                seen.append(Word(block, digest, start, number, sides, picked))
            if picked is not None:
                return picked

    return pick


@dataclass(frozen=True)
class GameDice:
    """Draws the dice of one phase with the link of `turn`. `phase` is the phase's label, such as
    ``t2.allied_combat``; `salts` are those in force when the phase began; `ruling` is the one for which open
    dice are thrown, if any (``ruling 2 of turn 3``). `round` is the round of the beacon on which they hang
    (``round 34139812``), if any; its value is the salt then."""

    chain: HashChain
    game: str
    turn: int
    phase: str
    salts: tuple[str, ...] = ()
    ruling: str = ""
    round: str = ""

    @cached_property
    def _link(self) -> bytes:
        return self.chain.link(self.turn)

    def __call__(self, request: Chance, label: str) -> list[Any]:
        if request.sealed:
            return request.faces(
                picker(
                    self.chain.sealed_secret,
                    event_key(self.game, self.phase, ruled(label, self.says(sealed=True)), self.salts),
                )
            )
        event = event_key(self.game, self.phase, ruled(label, self.says()), self.salts)
        return request.faces(picker(self._link, event))

    def says(self, *, sealed: bool = False) -> str:
        """What the label of a die says behind what was asked: its round, and of open dice the ruling."""
        return "|".join(filter(None, (self.round, "" if sealed else self.ruling)))


def ruled(asked: str, ruling: str) -> str:
    """The label of dice that a ruling has to do with (`Entry.ruling`): ``COM|d6|attack on 2126|1|ruling 2 of
    turn 3``."""
    return f"{asked}|{ruling}" if ruling else asked


def round_of(label: str) -> int | None:
    """The round of the beacon on which a roll hangs; None if it hangs on none."""
    named = _ROUND.search(label)
    return int(named[1]) if named else None


def is_set(label: str) -> bool:
    """Whether a moderator has set these dice."""
    return _SET.search(label) is not None


def ruling_of(label: str) -> int:
    """The number of the ruling by which dice were thrown or set; 0 for those of play."""
    named = _RULING.search(label)
    return int(named[1]) if named else 0


def link_of(phase: str, label: str) -> int | None:
    """The turn whose link decides a roll: that of the phase, or the one that a ruling names in the label;
    None for dice that a moderator has set. What happens before the first turn is thrown with its link: link 0
    is public. Raises ValueError for a phase that names no turn."""
    if is_set(label):
        return None
    named = _RULED.search(label) or _TURN.match(phase)
    if named is None:
        raise ValueError(f"not a phase of a turn: {phase!r}")
    return max(1, int(named[1]))


def roll_again(
    material: bytes,
    game: str,
    phase: str,
    label: str,
    salts: tuple[str, ...] = (),
    seen: list[Word] | None = None,
) -> list[Any]:
    """The faces that a proof line must show, computed from its own words alone. What is read of the stream on
    the way is added to `seen`.

    `material` is the link of the turn, or the sealed secret. Raises ValueError when `label` is not the label
    of a roll.
    """
    dice = parse_dice(label)
    pick = picker(material, event_key(game, phase, label, salts), seen)
    if dice.pool:
        left = list(dice.pool)
        return [left.pop(pick(len(left))) for _ in range(min(dice.count, len(left)))]
    return [1 + pick(dice.sides) for _ in range(dice.count)]


@dataclass(frozen=True, slots=True)
class ParsedDice:
    """The dice of a label: `count` dice of `sides`, or `count` items drawn from `pool`."""

    count: int
    sides: int
    pool: tuple[str, ...] = ()


def parse_dice(label: str) -> ParsedDice:
    """The dice named in a label ``case|dice|what|n``: ``d6``, ``8d6>=5``, ``3d6@0,0,0,1,1,2`` or ``draw 1 of
    A,B,C``. Raises ValueError."""
    parts = label.split("|")
    if len(parts) < 4:
        raise ValueError(f"not the label of a roll: {label!r}")
    words = parts[1]
    try:
        if words.startswith("draw "):
            count, _, pool = words[5:].partition(" of ")
            items = tuple(pool.split(","))
            return ParsedDice(int(count), len(items), items)
        count, _, sides = words.partition(">=")[0].partition("@")[0].partition("d")
        return ParsedDice(int(count or 1), int(sides))
    except ValueError:
        raise ValueError(f"not dice: {words!r} in {label!r}") from None
