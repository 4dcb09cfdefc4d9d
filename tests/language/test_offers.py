"""No offer says less than what was written."""

from __future__ import annotations

import pytest

from pbem.engine.language.names import Names
from pbem.engine.language.whole import says_all
from tests.language.test_language import GAMES, HERE, corpus, desk, offered


@pytest.mark.parametrize(
    ("line", "offer"),
    [
        ("2Rangers holds, 5Rangers to 4429", "2Rangers, 5Rangers to 4429"),
        ("79Inf to 1303 next turn", "79Inf to 1303"),
        ("fight at least 2 rounds", "fight at 2 rounds"),
        ("land 8/4 at Utah beach 2", "land 8/4 at Utah"),
        ("79Inf to 1303; then 80Inf follows", "80Inf to 1303"),
        ("50 BR dont move, 79a to 0811", "50 BR move, 79a to 0811"),
        ("35ID stays, 28 + 30 ID to 1105, 1106", "35ID, 28, 30 ID to 1105, 1106"),
        ("9th SS: all three regiments to 0912", "all to 0912"),
        ("commit 2 if the allied air force stays home", "commit 2 if the air"),
        ("Airstrike on 1625, two counters", "airstrike 1625"),
        ("7th Armoured to 1509, one RP", "7th Armoured to 1509"),
        ("attack 1009 with 3CA, below 2:1", "attack 1009 with 3CA"),
        ("V Corps, 3 AD attack 1310, no advance for 3 AD", "V Corps, 3 AD attack 1310, no advance"),
    ],
)
def test_an_offer_that_says_less(line: str, offer: str) -> None:
    names = Names(desk("normandy44").rosters["allied"])
    assert not says_all(line, offer, names)
    assert says_all(line, line, names)


@pytest.mark.parametrize(
    ("line", "offer"),
    [
        ("move 4S to the hex 0518 please", "move 4S to 0518"),
        ("attack 0914 with 29US at least 2:1", "attack 0914 with 29US at 2:1 or better"),
        ("attack 0914 with 29US, nobody advances", "attack 0914 with 29US, no advance"),
        ("moev 4US ot 0518", "move 4US to 0518"),
    ],
)
def test_an_offer_that_says_all(line: str, offer: str) -> None:
    assert says_all(line, offer, Names(desk("normandy44").rosters["allied"]))


@pytest.mark.parametrize("key", GAMES)
def test_every_offer_reads(key: str) -> None:
    """What is offered for a line as strangers write it can be sent as it stands."""
    if not (HERE / f"fresh_{key}.toml").exists():
        pytest.skip(f"no fresh lines for {key}")
    at = desk(key)
    for line in corpus(f"fresh_{key}"):
        reading = at.read(line.seat, line.section, line.text)
        if not reading.faults:
            continue
        for offer in offered(reading):
            again = at.read(line.seat, line.section, offer)
            assert not again.faults and not again.unread, (line.text, offer)
