"""A beacon for tests: a chain whose key they hold, so that they can sign the rounds of any time."""

from __future__ import annotations

import hashlib
from dataclasses import replace
from pathlib import Path

import pytest
from conftest import NOW
from py_arkworks_bls12381 import G1Point, G2Point, Scalar

from pbem.engine import beacon
from pbem.service.moderating.start import NewGame, Player, start
from pbem.service.record.store import Store
from pbem.service.time import beacon as rounds
from pbem.testing.post import Postbox

SERVER = "pbem@host.example"
PLAYERS = {"red": Player("Rita", "rita@mail.example"), "blue": Player("Bob", "bob@mail.example")}
KEY = Scalar(20261120)


def use_chain(monkeypatch: pytest.MonkeyPatch) -> None:
    """Put a chain with the times of drand and the key of the tests in its place."""
    key = (G2Point() * KEY).to_compressed_bytes().hex()
    chain = replace(beacon.QUICKNET, hash=hashlib.sha256(b"tests").hexdigest(), key=key)
    for module in (beacon, rounds):
        monkeypatch.setattr(module, "QUICKNET", chain)


def signature(round: int) -> str:
    """The value of a round, as the beacon would publish it."""
    message = hashlib.sha256(round.to_bytes(8, "big")).digest()
    point = G1Point.hash_to_curve(message, b"BLS_SIG_BLS12381G1_XMD:SHA-256_SSWU_RO_NUL_")
    return (point * KEY).to_compressed_bytes().hex()


def begun(path: Path, dice: str = "beacon", **settings: object) -> Postbox:
    """A toy game whose secret is fixed and whose dice hang on what `dice` says."""
    store = Store.create(path)
    values = {"address": SERVER, "dice": dice, "clock_hours": 72} | settings
    start(store, NewGame("clash", "toy", players=PLAYERS, settings=values, seed="toy"), NOW)
    return Postbox(store, "toy", SERVER, NOW)


def awaited(box: Postbox) -> int:
    """The round that the game waits for."""
    (waiting,) = rounds.waiting(box.store, "toy", box.now)
    return waiting.round


def come_out(box: Postbox) -> int:
    """Let the awaited round come out, and play on with it."""
    number = awaited(box)
    box.now = max(box.now, beacon.QUICKNET.out_at(number))
    rounds.take(box.store, {number: signature(number)}, "toy", box.now)
    return number
