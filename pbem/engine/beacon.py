"""A public randomness beacon: values that nobody can know before their time, and that anybody can check.

drand quicknet publishes a round every three seconds: a BLS signature of the number of the round, by a key
that many organisations share, so that no one of them can make it before its time, choose it or give another
one. The chain is fixed here: a host cannot put a chain of their own in its place.

The check needs the library of ``pip install '.[beacon]'``; nothing here needs a network.
"""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from datetime import UTC, datetime

QUARTER = 15 * 60
"""Orders that were closed get the first round of the next quarter of an hour: a choice among seconds would be
a choice of dice."""

_DOMAIN = b"BLS_SIG_BLS12381G1_XMD:SHA-256_SSWU_RO_NUL_"
_SIGNATURE = re.compile(r"[0-9a-f]{96}")


@dataclass(frozen=True, slots=True)
class Chain:
    """A beacon: the hash that names it, its public key, when round 1 came out, and the seconds between two
    rounds."""

    hash: str
    key: str
    genesis: int
    period: int

    def round_at(self, moment: float) -> int:
        """The first round that comes out at a moment (seconds since 1970) or after it."""
        return max(1, -(-int(moment - self.genesis) // self.period) + 1)

    def out_at(self, round: int) -> datetime:
        """When a round comes out."""
        return datetime.fromtimestamp(self.genesis + (round - 1) * self.period, UTC)


QUICKNET = Chain(
    "52db9ba70e0cc0f6eaf7803dd07447a1f5477735fd3f661792ba94600c84e971",
    "83cf0f2896adee7eb8b5f01fcad3912212c437e0073e911fb90022d3e760183c"
    "8c4b450b6a0a6c3ac6a5776a2d1064510d1fec758c921cc22b0e17e63aaf4bcb"
    "5ed66304de9cf809bd274ca73bab4af5a6e9c76a4bc09e76eae8991ef5ece45a",
    1692803367,
    3,
)


class MissingLibrary(ValueError):
    """Signatures cannot be checked here."""


def round_after(closed: datetime) -> int:
    """The round on which the dice hang for which the last orders were closed at a moment: the first of the
    next quarter of an hour."""
    quarter = (int(closed.timestamp()) // QUARTER + 1) * QUARTER
    return QUICKNET.round_at(quarter)


def value_of(signature: str) -> str:
    """The randomness of a round: SHA-256 of its signature, in hexadecimal digits."""
    return hashlib.sha256(bytes.fromhex(signature)).hexdigest()


def is_genuine(round: int, signature: str) -> bool:
    """Whether this is the beacon's signature of a round. Raises MissingLibrary where nobody can tell."""
    require()
    from py_arkworks_bls12381 import GT, G1Point, G2Point

    if not _SIGNATURE.fullmatch(signature):
        return False
    message = G1Point.hash_to_curve(hashlib.sha256(round.to_bytes(8, "big")).digest(), _DOMAIN)
    key = G2Point.from_compressed_bytes(bytes.fromhex(QUICKNET.key))
    try:
        point = G1Point.from_compressed_bytes(bytes.fromhex(signature))
    except ValueError:  # it is no point of the curve
        return False
    return GT.pairing_check([point, -message], [G2Point(), key])


def require() -> None:
    """Raise MissingLibrary unless signatures can be checked."""
    try:
        import py_arkworks_bls12381  # noqa: F401
    except ImportError:
        raise MissingLibrary(
            "the beacon needs a library that is not installed: pip install '.[beacon]'"
        ) from None
