"""Standing orders as a game declares them, and how they choose."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any

import pytest

from pbem.engine.hexes import Grid
from pbem.engine.language import Grammar, Kind, Policy, Roster, StandingLine
from pbem.engine.play import Ask
from pbem.wargame.policies import Fixed, Rank, Settling, ends, first, nearest

ADVANCE = Kind("advance", "9.8")
RETREAT = Kind("retreat", "9.7", seats=("red",))


class AdvanceNever(Fixed, kind=ADVANCE):
    usage = "never"
    help = "Your units stay."
    answer = "stay"


class RetreatTo(Settling[Ask[str]], kind=RETREAT, case="9.71"):
    usage = "(toward|to) <hex>"
    help = "Your units retreat toward this hex."
    example = "toward 0101"
    examples = {"red": ("toward 0102", "standing retreat: toward 0103")}

    hex: str
    steps: int = 0


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Loss(Ask[str]):
    kind: str = "loss"
    strength: Mapping[str, int]
    armour: Mapping[str, int]


def ask(*options: str) -> Ask[str]:
    return Ask(case="1", what="a decision", seat="red", kind="retreat", options=options)


def test_a_kind_gives_its_lines_name_case_and_seats() -> None:
    """Kind, case and seats come from the kind; a line may cite a case of its own."""
    assert (AdvanceNever.kind, AdvanceNever.case, AdvanceNever.seats) == ("advance", "9.8", ())
    assert (RetreatTo.kind, RetreatTo.case, RetreatTo.seats) == ("retreat", "9.71", ("red",))


def test_an_example_begins_with_its_kind() -> None:
    """The beginning of an example is put in front once; a usage line without slots is its own example."""
    assert AdvanceNever.example == "standing advance: never"
    assert RetreatTo.example == "standing retreat: toward 0101"
    assert RetreatTo.examples == {"red": ("standing retreat: toward 0102", "standing retreat: toward 0103")}


def test_the_slots_are_the_fields() -> None:
    """A standing order is a frozen dataclass of its slots and keeps the name of its class."""
    assert [field.name for field in fields(RetreatTo)] == ["hex", "steps"]
    assert RetreatTo("0101") == RetreatTo("0101", 0) != RetreatTo("0102")
    assert (RetreatTo.__name__, AdvanceNever.__name__) == ("RetreatTo", "AdvanceNever")
    with pytest.raises(AttributeError):
        RetreatTo("0101").hex = "0102"  # type: ignore[misc]


def test_a_fixed_line_settles_its_kind() -> None:
    """It gives its answer whatever the decision, so nothing behind it is reached."""
    assert AdvanceNever().settles and AdvanceNever().decide(ask("a", "b"), {}) == "stay"


def test_an_inherited_kind_may_change() -> None:
    """A line derived from another may belong to another kind of decision."""

    class Base(Policy):
        usage = "<hex>"

        hex: str

        def decide(self, ask: Ask[Any], earlier: Mapping[str, Any]) -> str:
            return self.hex

    class One(Base, kind=ADVANCE):
        help = "One."
        example = "0101"

    class Other(One, kind=RETREAT):
        help = "Other."

    assert (One.example, Other.kind, Other.case) == ("standing advance: 0101", "retreat", "9.7")
    assert Other("0103").decide(ask("0101"), {}) == "0103" and not Other("0103").settles


def test_lines_can_be_read_and_written() -> None:
    """What a grammar reads, it writes in full."""
    grammar = Grammar(policies=(AdvanceNever, RetreatTo))
    roster = Roster({}, frozenset({"0101", "0102"}))
    for policy, text in ((AdvanceNever(), "advance: never"), (RetreatTo("0102"), "retreat: toward 0102")):
        (line,) = grammar.read([(1, f"standing {text}")], roster).standing
        assert line.policy == policy
        assert grammar.write_standing(StandingLine(1, "", policy.kind, policy)) == f"standing {text}"


# --- how they choose ----------------------------------------------------------------------------------------

GRID = Grid("CCRR", "flat", "even", "E", "S", cols=(1, 6), rows=(1, 6))


def test_ends_of_ways() -> None:
    """A way ends in its last hex; staying is left out if it is named."""
    decision = ask("stay", "0101", "0102 0103")
    assert ends(decision, leaving=("stay",)) == {"0101": "0101", "0102 0103": "0103"}


def test_nearest_way() -> None:
    """The way that ends nearest; of equals the cheapest, then the first."""
    ways = {"a": "0101", "b": "0103", "c": "0103", "d": "0104"}
    assert nearest(GRID, "0103", ways) == "b"
    assert nearest(GRID, "0103", ways, lambda way: way != "c") == "c"
    assert nearest(GRID, "0106", ways) == "d"


def test_first_unit() -> None:
    """The first preference decides, then the next, then what comes after them, then the order of units."""
    ranks: Mapping[str, Rank[Loss]] = {
        "weakest": lambda id, ask: ask.strength[id],
        "armour": lambda id, ask: not ask.armour[id],
    }
    decision = Loss(
        case="1",
        what="a decision",
        seat="red",
        options=("a", "b", "c"),
        strength={"a": 2, "b": 1, "c": 1},
        armour={"a": 1, "b": 0, "c": 1},
    )
    assert first(decision, ranks, ("weakest",), decision.options) == "b"
    assert first(decision, ranks, ("weakest", "armour"), decision.options) == "c"
    assert first(decision, ranks, ("armour",), decision.options) == "a"
    assert first(decision, ranks, ("armour",), decision.options, lambda id: id != "c") == "c"
    assert first(decision, ranks, ("armour",), ()) is None
