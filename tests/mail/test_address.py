"""Reply addresses and passwords."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.mail.address import (
    Claim,
    check,
    find_password,
    hash_password,
    read_address,
    reply_address,
    token,
    verify_password,
    without_password,
)
from pbem.mail.quotes import Line

SECRET = bytes(range(32))
BASE = "pocket@club.example"
names = st.from_regex(r"[a-z0-9][a-z0-9_-]{0,15}", fullmatch=True)


@given(names, names)
def test_an_address_given_out_is_recognised(game: str, seat: str) -> None:
    """What was given out comes back as the same claim and holds, in capitals too, and fits a mail address."""
    address = reply_address(BASE, game, seat, SECRET)
    claim = read_address(["someone@else.example", address.upper()], BASE)
    assert claim is not None
    assert (claim.game, claim.seat, len(claim.token)) == (game, seat, 16)
    assert check(claim, SECRET)
    assert len(address.partition("@")[0]) <= 64


def test_a_token_opens_one_seat_only() -> None:
    """A token is good for its game, seat, scope and secret, and for no others."""
    good = token(SECRET, "g", "a", "")
    assert check(Claim("g", "a", good), SECRET)
    assert not check(Claim("g", "b", good), SECRET)
    assert not check(Claim("h", "a", good), SECRET)
    assert not check(Claim("g", "a", good), SECRET, scope="turn-2")
    assert not check(Claim("g", "a", good), SECRET[::-1])
    assert not check(Claim("g", "a", good[:-1] + ("a" if good[-1] != "a" else "b")), SECRET)
    assert not check(Claim("g", "a", ""), SECRET)
    assert not check(Claim("g", "a", "é\ud800"), SECRET)


def test_a_scoped_token_holds_in_its_scope() -> None:
    """A token for one turn opens that turn and not the seat as such."""
    claim = read_address([reply_address(BASE, "g", "a", SECRET, scope="turn-2")], BASE)
    assert claim is not None
    assert check(claim, SECRET, scope="turn-2")
    assert not check(claim, SECRET)


@pytest.mark.parametrize(
    "address",
    [BASE, "pocket+g.a@club.example", "pocket+g.a.t@other.example", "other+g.a.t@club.example",
     "pocket+g..t@club.example", "pocket+a.b.c.d@club.example", "", "+@", "pocket+g.a.t"],
)  # fmt: skip
def test_other_addresses_claim_nothing(address: str) -> None:
    """What is not a reply address of this server is not taken for one."""
    assert read_address([address], BASE) is None


@pytest.mark.parametrize(
    ("game", "seat"), [("a.b", "c"), ("a", "b c"), ("", "a"), ("A", "b"), ("a\n", "b"), ("x" * 40, "b")]
)
def test_names_that_fit_no_address(game: str, seat: str) -> None:
    """A name that would spoil the address is refused when the address is made."""
    with pytest.raises(ValueError, match=r"address"):
        reply_address(BASE, game, seat, SECRET)


def test_a_short_secret_is_refused() -> None:
    """A secret that can be guessed is no secret."""
    with pytest.raises(ValueError, match="16 bytes"):
        token(b"short", "g", "a")


def test_password_line() -> None:
    """The password is found in the writer's own lines only, and is not repeated in an answer."""
    lines = (
        Line(1, "> password: old", quoted=True),
        Line(2, "8/4 to 4918"),
        Line(3, " Password = two words "),
    )
    assert find_password(lines) == "two words"
    assert without_password(lines) == (lines[1],)
    assert find_password(lines[:2]) is None


def test_stored_password() -> None:
    """A stored password verifies itself and nothing else, and the same password is stored differently each
    time."""
    stored = hash_password("Herr General’s dog")
    assert verify_password("Herr General's dog", stored)
    assert not verify_password("herr general's dog", stored)
    assert "General" not in stored
    assert stored != hash_password("Herr General’s dog")


@pytest.mark.parametrize("stored", [
    "", "plain", "scrypt:x:8:00:00", "scrypt:15:8:00:00", "scrypt:16384:8:zz:00",
    "scrypt:9999999999:8:00:00", "md5:2:8:00:00",
])  # fmt: skip
def test_damaged_store_verifies_nothing(stored: str) -> None:
    """A stored value that is damaged opens nothing and raises nothing."""
    assert not verify_password("plain", stored)
