"""The hash chain and the dice keyed to events."""

from __future__ import annotations

import hashlib
import hmac
from collections import Counter

import pytest

from pbem.engine.dice import (
    GameDice,
    HashChain,
    event_key,
    follows,
    new_secret,
    parse_dice,
    picker,
    roll_again,
    sha256,
)
from pbem.engine.play import Draw, Hits, Roll, Volley

CHAIN = HashChain(new_secret("test"), 6)


def test_each_link_hashes_to_the_one_before() -> None:
    """Who knows the first link can check every later one."""
    assert all(sha256(CHAIN.link(turn)) == CHAIN.link(turn - 1) for turn in range(1, 7))
    assert follows(CHAIN.link(6), CHAIN.link(0), steps=6)
    assert not follows(CHAIN.link(6), CHAIN.link(0), steps=5)
    with pytest.raises(ValueError, match="links 0 to 6, not 7"):
        CHAIN.link(7)


def test_the_sealed_secret_is_committed_to() -> None:
    """The sealed rolls come from a secret of their own, whose hash is published."""
    assert sha256(CHAIN.sealed_secret) == CHAIN.sealed_commitment
    assert CHAIN.sealed_secret not in {CHAIN.link(turn) for turn in range(7)}


def test_a_seed_fixes_the_secret_and_no_seed_does_not() -> None:
    """Games with a seed can be played again, others are unpredictable."""
    assert new_secret("a") == new_secret("a") != new_secret("b")
    assert new_secret() != new_secret()
    assert len(new_secret()) == 32


def test_a_die_can_be_computed_by_hand() -> None:
    """A die is what the page says it is: HMAC-SHA-256 of the event, 32 bits, without modulo bias."""
    key = b"\x01" * 32
    event = event_key("cotentin", "t2.allied_combat", "COM|d6|attack on 4817|1", ["german: fog"])
    assert event == "cotentin|t2.allied_combat|COM|d6|attack on 4817|1|german: fog"
    digest = hmac.new(key, f"{event}|0".encode(), hashlib.sha256).digest()
    word = int.from_bytes(digest[:4], "big")
    assert word < 2**32 // 6 * 6
    assert roll_again(key, "cotentin", "t2.allied_combat", "COM|d6|attack on 4817|1", ("german: fog",)) == [
        1 + word % 6
    ]


def test_faces_are_fair() -> None:
    """Six thousand keyed dice show each face about a thousand times."""
    faces = Counter(picker(b"k" * 32, f"event {n}")(6) for n in range(6000))
    assert set(faces) == set(range(6))
    assert all(850 < count < 1150 for count in faces.values())


def test_numbers_in_the_incomplete_stretch_are_thrown_away() -> None:
    """A range that does not divide 2^32 is sampled by rejection, so large ranges stay fair."""
    pick = picker(b"k" * 32, "large")
    large = 3 * 2**30
    assert all(0 <= pick(large) < large for _ in range(200))


@pytest.mark.parametrize(
    "request_",
    [
        Roll(case="COM", what="attack on 4817"),
        Hits(case="10.1", what="volley", count=8, at_least=5),
        Volley(case="10.1", what="volley", count=3, worth=(0, 0, 0, 1, 1, 2)),
        Draw(case="8.2", what="defenders", pool=("a", "b", "c"), count=2),
    ],
    ids=lambda request: request.dice,
)
def test_a_label_is_enough_to_roll_again(request_: Roll | Hits | Volley | Draw) -> None:
    """Anybody can compute a roll from its label, the link of its turn and the salts."""
    dice = GameDice(CHAIN, "cotentin", 2, "t2.allied_combat", ("german: fog",))
    label = f"{request_.case}|{request_.dice}|{request_.what}|1"
    again = roll_again(CHAIN.link(2), "cotentin", "t2.allied_combat", label, ("german: fog",))
    assert dice(request_, label) == again


def test_every_part_of_the_key_counts() -> None:
    """Game, phase, event, number and salts each change the dice; nothing else does."""
    volley = Hits(case="10.1", what="volley", count=12, at_least=5)
    label = "10.1|12d6>=5|volley|1"

    def faces(
        game: str = "g", turn: int = 2, phase: str = "t2.x", salts: tuple[str, ...] = (), n: str = "1"
    ) -> list[int]:
        return GameDice(CHAIN, game, turn, phase, salts)(volley, label[:-1] + n)

    others = [faces(game="h"), faces(turn=3), faces(phase="t2.y"), faces(salts=("red: a",)), faces(n="2")]
    assert all(other != faces() for other in others)
    assert faces() == faces()


def test_sealed_rolls_do_not_come_from_the_chain() -> None:
    """A sealed roll cannot be computed from the link of its turn."""
    open_, sealed = (
        Hits(case="1", what="x", count=12, at_least=5, sealed=sealed) for sealed in (False, True)
    )
    dice = GameDice(CHAIN, "g", 1, "t1.x")
    label = "1|12d6>=5|x|1"
    assert dice(open_, label) != dice(sealed, label)
    assert dice(sealed, label) == roll_again(CHAIN.sealed_secret, "g", "t1.x", label)


@pytest.mark.parametrize("label", ["", "COM|attack", "COM|dice|x|1", "COM|draw x of a|y|1"])
def test_what_is_no_roll_is_said_so(label: str) -> None:
    """A label that names no dice raises a clear error."""
    with pytest.raises(ValueError, match=r"not the label of a roll|not dice"):
        parse_dice(label)
