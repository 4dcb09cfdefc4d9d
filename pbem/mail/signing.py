"""Signatures of letters: Ed25519, with a key of the game whose public half every letter names."""

from __future__ import annotations

import base64
import binascii
from functools import lru_cache

KEY_BYTES = 32


@lru_cache(maxsize=64)
def public_key(secret: bytes) -> str:
    """Return the public half of a key of 32 bytes, in hexadecimal digits."""
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

    return Ed25519PrivateKey.from_private_bytes(secret).public_key().public_bytes_raw().hex()


def sign(secret: bytes, text: str) -> str:
    """Return the signature of a text: 88 characters of base64."""
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

    signature = Ed25519PrivateKey.from_private_bytes(secret).sign(text.encode())
    return base64.b64encode(signature).decode("ascii")


def is_signed(public: str, text: str, signature: str) -> bool:
    """Whether a signature of a text is by the key with this public half; False for what is none."""
    from cryptography.exceptions import InvalidSignature
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

    try:
        data = base64.b64decode(signature, validate=True)
        Ed25519PublicKey.from_public_bytes(bytes.fromhex(public)).verify(data, text.encode())
    except (InvalidSignature, binascii.Error, ValueError):
        return False
    return base64.b64encode(data).decode("ascii") == signature  # its last sign could be written otherwise
