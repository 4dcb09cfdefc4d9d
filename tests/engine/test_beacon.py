"""The beacon: published rounds are accepted, anything else is refused, and times lead to the right rounds."""

from __future__ import annotations

import sys
from datetime import UTC, datetime, timedelta

import pytest

from pbem.engine.beacon import QUICKNET, MissingLibrary, is_genuine, round_after, value_of

PUBLISHED = {
    1000: "b44679b9a59af2ec876b1a6b1ad52ea9b1615fc3982b19576350f93447cb1125e342b73a8dd2bacbe47e4b6b63ed5e39",
    32281667: "b0f5ae301358ff87a9d3dd539ed4a07c0148b1ab4f7b61a8ca43c7e9ca7ca955"
    "3e4faae9188deb30b2cd1a7f447e3e5b",
    32285085: "81dbce51d584d90d618547f4b50391d53ace6f6b9aeb8fb67e1879427af9d031"
    "0ac0ec6f519271d9a313ee84b378d416",
    32285086: "a64d99fd7fa3e48912be7209c7b69c72c88fc5224be2516949b6f29f3a4b7e3f"
    "a069dd58b2bbb4bf2c34ae61ef631a44",
}
"""Rounds of drand quicknet as https://api.drand.sh has served them."""
VALUES = {
    1000: "fe290beca10872ef2fb164d2aa4442de4566183ec51c56ff3cd603d930e54fdd",
    32281667: "4fd2fc55983dbfa3f446d8a0bd56f16cc8c5e76afd1ec154b60d477cbabed13b",
}
"""The randomness that was served with them."""


@pytest.mark.parametrize("round", PUBLISHED)
def test_a_published_round_is_genuine(round: int) -> None:
    """The signature that the beacon has published fits its round and no other."""
    assert is_genuine(round, PUBLISHED[round])
    assert not is_genuine(round + 1, PUBLISHED[round])


@pytest.mark.parametrize("round", VALUES)
def test_the_value_of_a_round_is_the_hash_of_its_signature(round: int) -> None:
    assert value_of(PUBLISHED[round]) == VALUES[round]


@pytest.mark.parametrize(
    "signature",
    ["", "00" * 48, "c0" + "00" * 47, PUBLISHED[1000][:-2] + "3a", PUBLISHED[1000].upper(), "no hexadecimal"],
)
def test_a_false_signature_is_refused(signature: str) -> None:
    """No point, the point at infinity, a changed digit: none is a signature."""
    assert not is_genuine(1000, signature)


def test_orders_get_the_first_round_of_the_next_quarter() -> None:
    """Any moment of a quarter of an hour leads to the same round, which comes out when the next begins."""
    quarter = datetime(2026, 11, 20, 21, 0, tzinfo=UTC)
    rounds = {
        round_after(quarter + timedelta(seconds=seconds, microseconds=7)) for seconds in (0, 1, 450, 899)
    }
    (round,) = rounds
    assert QUICKNET.out_at(round) == quarter + timedelta(minutes=15)
    assert QUICKNET.out_at(round_after(quarter + timedelta(minutes=15))) == quarter + timedelta(minutes=30)


def test_times_and_rounds_of_the_chain_agree() -> None:
    """Round 1 came out at the genesis, and a moment between two rounds leads to the later one."""
    assert QUICKNET.round_at(QUICKNET.genesis) == 1
    assert QUICKNET.round_at(QUICKNET.genesis + 1) == 2
    assert QUICKNET.round_at(QUICKNET.out_at(32285085).timestamp()) == 32285085
    assert QUICKNET.out_at(32285085) == datetime(2026, 9, 17, 15, 23, 39, tzinfo=UTC)


def test_without_its_library_the_beacon_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "py_arkworks_bls12381", None)
    with pytest.raises(MissingLibrary, match=r"pip install '\.\[beacon\]'"):
        is_genuine(1000, PUBLISHED[1000])
