"""How notes, orders, conditions and standing orders are declared."""

from __future__ import annotations

from dataclasses import FrozenInstanceError
from typing import Any

import pytest

from pbem.engine.language import Condition, Grammar, Kind, Order, Policy
from pbem.engine.notes import Note


class Seen(Note):
    reveals = True

    unit: str
    hex: str = ""
    help: str = ""


def test_a_note_is_a_frozen_dataclass() -> None:
    """A class derived from Note takes its fields by name, is equal by their values, and cannot be changed."""
    note = Seen(case="2.2", unit="R1")
    assert note == Seen(case="2.2", unit="R1", hex="") != Seen(case="2.2", unit="R2")
    assert hash(note) == hash(Seen(case="2.2", unit="R1")) and note.reveals
    own = {"unit": "R1", "hex": "", "help": ""}
    assert note.facts() == {"kind": "Seen", "case": "2.2", "readers": (), "roll": 0} | own
    with pytest.raises(TypeError, match="positional"):
        Seen("2.2", "R1")  # type: ignore[call-arg, misc]
    with pytest.raises(FrozenInstanceError):
        note.unit = "R2"  # type: ignore[misc]


def declared(base: type, words: dict[str, Any], fields: dict[str, str] | None = None) -> type:
    """A class `Wrong` of this base with these words and fields."""
    return type("Wrong", (base,), {**words, "__annotations__": fields or {}, "__module__": __name__})


@pytest.mark.parametrize(
    ("base", "words", "error"),
    [
        (Note, {"cell": "die"}, r"Wrong\.cell must be tuple\[str, \.\.\.\], not 'die'"),
        (Note, {"chart": 1}, r"Wrong\.chart must be str, not 1"),
        (Order, {"usage": ("go <unit>",)}, r"Wrong\.usage must be str, not \('go <unit>',\)"),
        (Order, {"seats": "red"}, r"Wrong\.seats must be tuple\[str, \.\.\.\], not 'red'"),
        (Order, {"rank": True}, r"Wrong\.rank must be int, not True"),
        (Order, {"again": "after"}, r"Wrong\.again must be Literal\['', 'instead', 'on'\], not 'after'"),
        (Condition, {"usage": "<hex> is free", "help": None}, r"Wrong\.help must be str, not None"),
        (Policy, {"usage": "never", "seats": "red"}, r"Wrong\.seats must be tuple\[str, .*not 'red'"),
        (Order, {"examples": {"red": 1}}, r"Wrong\.examples must be .*Mapping\[str, .*not \{'red': 1\}"),
    ],
)
def test_a_word_of_a_wrong_type_is_refused(base: type, words: dict[str, Any], error: str) -> None:
    """The error comes when the class is made, and names the class, the word and what it must be."""
    with pytest.raises(TypeError, match=error):
        declared(base, words)


@pytest.mark.parametrize(
    ("base", "word"), [(Note, "chart"), (Order, "usage"), (Condition, "usage"), (Policy, "usage")]
)
def test_a_word_with_a_type_is_refused(base: type, word: str) -> None:
    """With a type it would be a field, which nobody means."""
    with pytest.raises(TypeError, match=rf"Wrong\.{word} is a word, not a field"):
        declared(base, {word: ""}, {word: "str"})


class Go(Order):
    usage = "go <unit> to <hex>"
    help = "A unit goes to a hex."
    example = "go R1 to 0201"
    case = "2.1"
    rank = 1

    unit: str
    hex: str = ""


def test_an_order_is_a_frozen_dataclass() -> None:
    """A class derived from Order is equal by its values, cannot be changed, and has its words beside them."""
    order = Go("R1")
    assert order == Go("R1", hex="") != Go("R2") and hash(order) == hash(Go("R1"))
    assert order.dump() == {"verb": "go", "unit": "R1", "hex": ""} and order.stage == 1
    assert Grammar((Go,)).load(order.dump()) == order
    with pytest.raises(FrozenInstanceError):
        order.unit = "R2"  # type: ignore[misc]


def test_the_verb_is_the_first_word_of_the_usage_line() -> None:
    """Unless it is stated; a usage line that begins with no word leaves the verb that a class inherits."""

    class March(Go):
        usage = "march <unit> to <hex>"

    class Slowly(March):
        usage = "[slowly] <unit> to <hex>"

    class Dash(March):
        verb = "dash"
        usage = "run <unit> to <hex>"

    class DashFar(Dash):
        help = "A unit goes far."

    verbs = [kind.verb for kind in (Go, March, Slowly, Dash, DashFar)]
    assert verbs == ["go", "march", "march", "dash", "dash"]
    with pytest.raises(TypeError, match="Wrong has no verb, and its usage line does not begin with one"):
        declared(Order, {"usage": "[go] <unit>"})


def test_a_usage_line_that_is_missing() -> None:
    """A class with help or an example but no usage line is refused; one with neither is a base of others,
    which no grammar takes."""
    for base in (Order, Condition, Policy):
        with pytest.raises(TypeError, match="Wrong has no usage line"):
            declared(base, {"help": "A unit goes."})
    with pytest.raises(TypeError, match="Wrong has no verb, no usage, no help, no example, no case"):
        Grammar((declared(Order, {"rank": 1}),))
    with pytest.raises(TypeError, match="Wrong has no usage, no help, no example"):
        Grammar(conditions=(declared(Condition, {}),))
    with pytest.raises(TypeError, match="Wrong has no kind, no case"):
        Grammar(policies=(declared(Policy, {"usage": "never", "help": "Never.", "example": "never"}),))


def test_conditions_and_standing_orders_are_frozen_dataclasses() -> None:
    """They are declared as orders are: equal by their values, and never changed."""

    class Free(Condition):
        usage = "<hex> is free"
        help = "No unit is in the hex."
        example = "if 0201 is free"

        hex: str

    class Back(Policy, kind=Kind("retreat", "3.2")):
        usage = "toward <hex>"
        help = "Toward a hex."
        example = "toward 0101"

        hex: str

    for kind in (Free, Back):
        made = kind("0201")
        assert made == kind("0201") != kind("0202") and hash(made) == hash(kind("0201"))
        with pytest.raises(FrozenInstanceError):
            made.hex = "0202"  # type: ignore[misc]
