"""Usage lines: how they are read, what may be written in any order, and marks that stick to a word."""

from __future__ import annotations

from typing import Any

import pytest

from pbem.engine.language import Roster
from pbem.engine.language.slots import slot_types
from pbem.engine.language.usage import (
    Choice,
    Flag,
    Key,
    Maybe,
    Names,
    Pattern,
    Scan,
    Series,
    Slot,
    Some,
    compile_usage,
    keywords,
)

TYPES = slot_types({"speed": ("slow", "fast")})
LINE = (
    'go {at <speed> | stop after <hours:number> (hours|hour) | when below <left:number> ["%"] | '
    "<loud:=singing>}"
)
DEFAULTS: dict[str, Any] = {"speed": "", "hours": None, "left": None, "loud": False}


def read(text: str) -> dict[str, Any] | None:
    """What a whole line fills in; None if it does not fit."""
    pattern = compile_usage(LINE, TYPES)
    for key in keywords(pattern):
        key.accepts = frozenset({key.word})
    scan = Scan(text, Names(Roster({})), frozenset())
    for end, captures in pattern.match(scan, 0):
        if end == scan.length:
            return dict(captures)
    return None


@pytest.mark.parametrize(
    ("text", "filled"),
    [
        ("go", {}),
        ("go at fast", {"speed": "fast"}),
        ("go singing at slow", {"speed": "slow", "loud": True}),
        ("go stop after 3 hours, at slow, singing", {"speed": "slow", "hours": 3, "loud": True}),
        ("go when below 40%, stop after 1 hour", {"left": 40, "hours": 1}),
        ("go when below 40%", {"left": 40}),
        ("go when below 40", {"left": 40}),
    ],
)
def test_each_once_and_in_any_order(text: str, filled: dict[str, Any]) -> None:
    """What stands in braces may be written in any order, all of it or none, with commas or without."""
    assert read(text) == filled


@pytest.mark.parametrize("text", ["go at fast at slow", "go singing singing", "go stop after 3", "go %"])
def test_nothing_twice_and_nothing_by_halves(text: str) -> None:
    """A part is written once and in full."""
    assert read(text) is None


def test_what_was_left_out_is_not_written() -> None:
    """Writing keeps the order of the usage line and leaves out what has its default."""
    pattern = compile_usage(LINE, TYPES)
    values = DEFAULTS | {"hours": 3, "loud": True}
    assert pattern.write(values, DEFAULTS) == "go stop after 3 hours, singing"
    assert pattern.write(DEFAULTS, DEFAULTS) == "go"
    assert set(pattern.slots()) == set(DEFAULTS)


def shown(pattern: Pattern) -> str:
    """A pattern with a bracket around everything that is one."""
    match pattern:
        case Key():
            return pattern.word
        case Slot():
            kind = next(name for name, each in TYPES.items() if each is pattern.type)
            return f"<{pattern.field}:{kind}>"
        case Flag():
            return f"<{pattern.field}:={shown(pattern.words)}>"
        case Maybe():
            return f"[{shown(pattern.inner)}]"
        case Choice():
            return f"({'|'.join(map(shown, pattern.items))})"
        case Some():
            return f"{{{'|'.join(map(shown, pattern.items))}}}"
        case Series():
            return f"({' '.join(map(shown, pattern.items))})"
    raise AssertionError(pattern)


@pytest.mark.parametrize(
    ("usage", "tree"),
    [
        ("hold", "hold"),
        ("  hold  fast ", "(hold fast)"),
        ("stop | go on", "(stop|(go on))"),
        ("go [on|off] now", "(go [(on|off)] now)"),
        ("go[on]<unit>", "(go [on] <unit:unit>)"),
        ("go (on) (far away)", "(go on (far away))"),
        ("go {on}", "(go {on})"),
        ("go {on|far off}", "(go {on|(far off)})"),
        ("<unit> at <goal:hex> via <stops:hex...>", "(<unit:unit> at <goal:hex> via <stops:hex...>)"),
        ("< unit > at < goal : hex >", "(<unit:unit> at <goal:hex>)"),
        ("<loud:=singing>", "<loud:=(singing)>"),
        ("< loud := dug in >", "<loud:=(dug in)>"),
        ('<number>"%" ":" op-fire o\'clock', "(<number:number> % : op-fire o'clock)"),
        ("<hex> is empty", "(<hex:hex> [is] empty)"),
    ],
)
def test_a_usage_line_is_read(usage: str, tree: str) -> None:
    """Brackets, slots and alternatives nest as written, and spaces do not matter."""
    assert shown(compile_usage(usage, TYPES)) == tree


@pytest.mark.parametrize(
    ("usage", "column", "why"),
    [
        ("", 1, "expected a keyword, a slot or a bracket, found the end"),
        ("Go", 1, 'expected a keyword, a slot or a bracket, found "Go"'),
        ("go |", 5, "expected a keyword, a slot or a bracket, found the end"),
        ("go (on|)", 8, 'expected a keyword, a slot or a bracket, found ")"'),
        ("go [on", 7, 'expected "]" for the "[" in column 4, found the end'),
        ("go {on (far]}", 12, 'expected ")" for the "(" in column 8, found "]"'),
        ("go on]", 6, '"]" does not belong here'),
        ('go "!"', 4, '"!" does not belong here'),
        ("go 3", 4, '"3" does not belong here'),
        ("go <>", 5, 'expected the name of a field, found ">"'),
        ("go <unit at", 10, 'expected ">" after <unit, found "at"'),
        ("go <goal:>", 10, 'expected a type, found ">"'),
        ("go <loud:=>", 11, 'expected the words that set loud, found ">"'),
        ("go <goal: hecks>", 11, 'there is no type "hecks"; there are unit, '),
    ],
)
def test_a_usage_line_that_is_wrong_is_refused(usage: str, column: int, why: str) -> None:
    """The author of a game reads the line, the column and what was expected there."""
    with pytest.raises(ValueError) as refused:
        compile_usage(usage, TYPES)
    assert str(refused.value).startswith(f'usage "{usage}", column {column}: {why}')


@pytest.mark.parametrize(
    ("usage", "read", "refused"),
    [
        ("go <far:number 1..>", ("1", "900"), ("0", "-1")),
        ("go <far:number 2..12>", ("2", "12"), ("1", "13", "-3")),
        ("go <far:number>", ("0", "-3"), ()),
    ],
)
def test_numbers_have_bounds(usage: str, read: tuple[str, ...], refused: tuple[str, ...]) -> None:
    """A number outside them is pointed at; what is possible is said."""
    pattern = compile_usage(usage, TYPES)
    for key in keywords(pattern):
        key.accepts = frozenset({key.word})
    for number in (*read, *refused):
        scan = Scan(f"go {number}", Names(Roster({})), frozenset())
        found = [dict(captures) for end, captures in pattern.match(scan, 0) if end == scan.length]
        assert found == ([{"far": int(number)}] if number in read else [])
        if number in refused:
            [error] = [miss.error for miss in scan.misses if miss.error]
            assert error.text.endswith(f"not {number}") and (error.column, error.length) == (3, len(number))


def test_only_numbers_have_bounds() -> None:
    """Bounds behind another type are no usage line."""
    with pytest.raises(ValueError, match="column 13"):
        compile_usage("go <far:hex 1..3>", TYPES)
