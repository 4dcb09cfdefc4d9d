"""Whose letter it is: reply addresses with a secret part, and passwords as the last resort.

Every seat answers to an address of its own, `pocket+falaise.german.k3v9x2m7q4w8n5ra@club.example`. The last
part is an HMAC over game and seat, 80 bits in lower-case base32: 16 characters, which fit the 64 that a local
part may have and survive programs that change upper and lower case. From is never asked: anybody can write
anything there.

Where a provider has no addresses with a `+`, all seats answer to the server's own address, and the same three
words stand as a code in the subject: `[falaise] Your move - T1 (falaise.german.k3v9x2m7q4w8n5ra)`. A code has
no blank inside, so it is never folded, and reads the same behind `Re:`, `AW:` and the name of a list.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import os
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from pbem.mail.quotes import Line
from pbem.mail.text import plain

NOWHERE = "pbem.invalid"
"""The host of seats that are played on this machine: their letters are read here and never mailed."""

MAX_LOCAL_PART = 64

_ADDRESS = re.compile(r"[!#-'*+\-./0-9=?A-Z^-~]{1,64}@[A-Za-z0-9.\-\[\]:]{1,255}")
_NAME = re.compile(r"[a-z0-9][a-z0-9_-]*")
_CODE = re.compile(r"\(([a-z0-9][a-z0-9_-]{0,63})\.([a-z0-9][a-z0-9_-]{0,63})\.([a-z2-7]{16})\)", re.A | re.I)
_LIKE_A_CODE = (
    re.compile(  # whole, with or without its brackets; or begun in a bracket, and broken or cut off
        r"\(?(?<![a-z0-9_.-])[a-z0-9_-]{1,64}\.[a-z0-9_-]{1,64}\.[a-z2-7]{16}(?![a-z0-9])\)?"
        r"|\([a-z0-9_-]{1,64}\.[a-z0-9_-]{1,64}\.[a-z2-7][a-z2-7\s]{5,}[^()]*(?:\)|$)",
        re.A | re.I,
    )
)
_PASSWORD = re.compile(r"\s*password\s*[:=]\s*(\S.*)", re.IGNORECASE)
_SCRYPT_COST = 2**14
_SCRYPT_BLOCK = 8


@dataclass(frozen=True, slots=True)
class Claim:
    """What a reply address claims: that its writer holds this seat of this game. `check` says whether it is
    so."""

    game: str
    seat: str
    token: str


@dataclass(frozen=True, slots=True)
class ReplyTo:
    """How a letter of ours is answered: to this `address`, and with this `code` in the subject; "" where the
    secret is part of the address."""

    address: str
    code: str = ""

    def subject(self, text: str) -> str:
        """Return a subject as it is sent, with the code behind it."""
        return f"{text} ({self.code})" if self.code else text


def is_address(text: str) -> bool:
    """Whether `text` is one mail address that can be written to: ASCII, no name, nothing beside it."""
    return _ADDRESS.fullmatch(text) is not None


def token(secret: bytes, *what: str) -> str:
    """The 16 characters that prove knowledge of `what`: game and seat, and perhaps what else they are good
    for.

    Raises ValueError for a secret of fewer than 16 bytes.
    """
    if len(secret) < 16:
        raise ValueError("the secret for reply addresses needs at least 16 bytes")
    message = b"pbem reply\0" + b"\0".join(part.encode() for part in what)
    digest = hmac.new(secret, message, hashlib.sha256).digest()
    return base64.b32encode(digest[:10]).decode("ascii").lower()


def reply_address(base: str, game: str, seat: str, secret: bytes, scope: str = "") -> str:
    """The address of a seat, below the address `base` of the server. A `scope` ("turn-2", "confirm-17") makes
    a token that is good for nothing else.

    Raises ValueError when a name holds other signs than `a-z 0-9 _ -`, or when the local part gets longer
    than 64.
    """
    local, host = _divided(base)
    whole = f"{local}+{_code(game, seat, secret, scope)}"
    if len(whole) > MAX_LOCAL_PART:
        raise ValueError(
            f"{whole!r} has {len(whole)} characters and a mail address may have {MAX_LOCAL_PART} before "
            "the @; choose a shorter name for the game"
        )
    return f"{whole}@{host}"


def reply_to(
    base: str, game: str, seat: str, secret: bytes, scope: str = "", *, in_subject: bool = False
) -> ReplyTo:
    """How letters to a seat are answered. With `in_subject` to the address `base` of the server itself, with
    a code in the subject; else to the seat's own address. Raises ValueError as `reply_address` does."""
    if not in_subject:
        return ReplyTo(reply_address(base, game, seat, secret, scope))
    return ReplyTo("@".join(_divided(base)), _code(game, seat, secret, scope))


def _divided(base: str) -> tuple[str, str]:
    local, _, host = base.lower().partition("@")
    if not local or not host:
        raise ValueError(f"{base!r} is not a mail address")
    return local, host


def _code(game: str, seat: str, secret: bytes, scope: str) -> str:
    for name in (game, seat):
        if not _NAME.fullmatch(name):
            raise ValueError(f"{name!r} cannot stand in a mail address: use a-z, 0-9, - and _ only")
    return f"{game}.{seat}.{token(secret, game, seat, scope)}"


def read_codes(subject: str) -> tuple[Claim, ...]:
    """The claims of the codes in a subject, each once. Only what has exactly the form of a code is one."""
    found = (Claim(*map(str.lower, match.groups())) for match in _CODE.finditer(subject))
    return tuple(dict.fromkeys(found))


def without_codes(text: str) -> str:
    """A subject, or a line that may quote one, without its codes and without what is left of a broken one:
    others than their owner may read it."""
    return _LIKE_A_CODE.sub("", text)


def read_address(addresses: Iterable[str], base: str) -> Claim | None:
    """The claim in the first of `addresses` that is a reply address below `base`; None when none is."""
    local, _, host = base.lower().partition("@")
    for address in addresses:
        theirs, _, their_host = address.strip().lower().rpartition("@")
        ours, plus, rest = theirs.partition("+")
        parts = rest.split(".")
        if (ours, plus, their_host) == (local, "+", host) and len(parts) == 3 and all(parts):
            return Claim(*parts)
    return None


def check(claim: Claim, secret: bytes, scope: str = "") -> bool:
    """Whether the claim's token is the one that was given out for its seat and `scope`."""
    expected = token(secret, claim.game, claim.seat, scope)
    return hmac.compare_digest(expected.encode(), claim.token.encode("utf-8", "replace"))


def find_password(lines: Sequence[Line]) -> str | None:
    """The password in the first line of the writer's own that gives one (`password: xyz`), or None."""
    for line in lines:
        if not line.quoted and (match := _PASSWORD.fullmatch(line.text)):
            return match[1].rstrip()
    return None


def without_password(lines: Sequence[Line]) -> tuple[Line, ...]:
    """The lines without any that gives a password, quoted or not: these may be repeated in an answer."""
    return tuple(line for line in lines if not _PASSWORD.fullmatch(line.text.lstrip("> ")))


def hash_password(password: str, salt: bytes | None = None) -> str:
    """A password as it may be stored: scrypt, its costs, salt and hash. A salt is drawn unless one is
    given."""
    salt = os.urandom(16) if salt is None else salt
    return (
        f"scrypt:{_SCRYPT_COST}:{_SCRYPT_BLOCK}:{salt.hex()}:"
        f"{_scrypt(password, salt, _SCRYPT_COST, _SCRYPT_BLOCK).hex()}"
    )


def verify_password(password: str, stored: str) -> bool:
    """Whether `password` is the one that was stored; False also for a stored value that is none of ours."""
    try:
        name, cost, block, salt, expected = stored.split(":")
        if name != "scrypt" or int(cost) > 2**17 or int(block) > 16:
            return False
        hashed = _scrypt(password, bytes.fromhex(salt), int(cost), int(block))
        return hmac.compare_digest(hashed, bytes.fromhex(expected))
    except (ValueError, binascii.Error):
        return False


def _scrypt(password: str, salt: bytes, cost: int, block: int) -> bytes:
    """Punctuation is made plain first, since letters are read that way and telephones like to change it."""
    secret = plain(password).encode("utf-8", "replace")
    return hashlib.scrypt(secret, salt=salt, n=cost, r=block, p=1, maxmem=256 * cost * block, dklen=32)
