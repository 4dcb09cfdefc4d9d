"""How many fresh lines are read at first sight: order lines as strangers with the printed rulebook write them
by email, who have never seen how pbem writes orders.

The lines were written without knowledge of the language and stay as they are."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import pytest
from sizes import FULL, some

from pbem.engine.language.model import Command, Reading
from tests.language.test_language import (
    GAMES,
    HERE,
    Desk,
    Written,
    choices,
    corpus,
    desk,
    judged,
    offered,
    said,
    table,
)

# What is reached now, per cent of the lines that mean an order, rounded down; raised as the language learns.
# The aim is 80 understood and 92 understood or offered.
UNDERSTOOD = {"rampage": 63, "falaise": 75, "normandy71": 67, "normandy44": 81, "france44": 94}
OFFERED = {"rampage": 65, "falaise": 83, "normandy71": 72, "normandy44": 81, "france44": 94}
# The same for lines that the language has not been fitted to.
UNSEEN = {"rampage": 42, "falaise": 14, "normandy71": 53, "normandy44": 38, "france44": 14}

TOLD = 110
MOST = 24
"""Lines that are read in a bare run, which counts those that are misread and no more."""


def sides(key: str, which: str = "fresh") -> Iterator[tuple[str, list[Written]]]:
    """The fresh lines of a game, or others, by the seat that writes them."""
    lines = corpus(f"{which}_{key}")
    if not FULL:
        lines = some(lines, MOST if which == "fresh" else MOST // 3)
    for seat in dict.fromkeys(line.seat for line in lines):
        yield seat, [line for line in lines if line.seat == seat]


def passed_over(at: Desk, line: Written) -> bool:
    """Whether a line that means an order is left aside without a word that would hold up the letter."""
    reading = at.read(line.seat, line.section, line.text)
    return bool(line.want) and not (
        reading.faults or said(reading) or any(each.like or each.holds for each in reading.unread)
    )


def answer(reading: Reading) -> str:
    """What pbem says to a line, in a few words."""
    taken = [f"taken: {each.text}" for each in reading.orders]
    taken += [
        f"taken: {each.name} {', '.join(each.names)}" for each in reading.said if isinstance(each, Command)
    ]
    held = reading.faults or any(each.like or each.holds for each in reading.unread)
    ready = [f"offered: {line!r}" for line in (*offered(reading), *choices(reading)) if held]
    faults = [str(each.error) for each in reading.faults]
    return "; ".join(taken[:2] + ready[:2] + faults[:1]) or "nothing"


@pytest.mark.parametrize("key", GAMES)
def test_fresh_lines(key: str) -> None:
    """As many fresh lines as ever are understood, and no more of them are misread."""
    if not (HERE / f"fresh_{key}.toml").exists():
        pytest.skip(f"no fresh lines for {key}")
    at, orders = desk(key), Counter[str]()
    for seat, lines in sides(key):
        outcomes = {line: judged(at, line) for line in lines}
        mine = [found for line, found in outcomes.items() if line.want]
        others = [found for line, found in outcomes.items() if not line.want]
        aside = [line for line in lines if passed_over(at, line)]
        table(f"{key} {seat}", mine)
        table("  that mean no order", others)
        print(f"{'':24}passed over {len(aside)}")
        orders.update(mine)
        orders["MISREAD"] += others.count("MISREAD")
        for line, found in outcomes.items():
            if found == "understood":
                continue
            told = "passed over" if line in aside else found
            heard = answer(at.read(line.seat, line.section, line.text))
            print(f"  {told:11} [{line.section}] {line.text!r} -> {heard[:TOLD]}")
    wanted = sum(bool(line.want) for _, lines in sides(key) for line in lines)
    assert not orders["MISREAD"]
    if not FULL:
        return
    assert 100 * orders["understood"] >= UNDERSTOOD[key] * wanted
    assert 100 * (orders["understood"] + orders["offered"]) >= OFFERED[key] * wanted


@pytest.mark.parametrize("key", GAMES)
def test_unseen_lines(key: str) -> None:
    """How far the language carries beyond the lines that it was made with; none of them is misread."""
    at, orders = desk(key), Counter[str]()
    for seat, lines in sides(key, "unseen"):
        outcomes = {line: judged(at, line) for line in lines}
        mine = [found for line, found in outcomes.items() if line.want]
        others = [found for line, found in outcomes.items() if not line.want]
        table(f"{key} {seat}, unseen", mine)
        table("  that mean no order", others)
        orders.update(mine)
        orders["MISREAD"] += others.count("MISREAD")
        assert not [line.text for line in lines if passed_over(at, line)]
    wanted = sum(bool(line.want) for _, lines in sides(key, "unseen") for line in lines)
    assert not orders["MISREAD"]
    assert not FULL or 100 * orders["understood"] >= UNSEEN[key] * wanted
