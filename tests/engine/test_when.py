"""``when`` lines: the heading of a section whose turn chance decides, and its orders, on one line."""

from __future__ import annotations

import pytest
from fourth_game.tables import MAP
from lots_game import GAME as LOTS
from lots_game import GRAMMAR, START, TITLES, At, Free, Go, Pick

from pbem.engine.errors import Ambiguous, Unreadable
from pbem.engine.game import Game
from pbem.engine.language import Fault, Grammar, Heading, IfClause, Line, Reading, Roster, RosterUnit, Scope
from pbem.engine.language.reference import reference

ROSTER = Roster({unit: RosterUnit(unit, "1-1", hex) for unit, hex in START.items()}, frozenset(MAP.grid.ids))


def read(text: str, section: str = "pick", grammar: Grammar = GRAMMAR) -> Reading:
    return grammar.read(list(enumerate(text.splitlines(), 1)), ROSTER, section)


def said(reading: Reading) -> list[tuple[str, object]]:
    assert not reading.faults, reading.faults[0]
    return [(line.section, line.order) for line in reading.orders]


def test_when_is_a_heading_with_its_orders() -> None:
    """The orders of a `when` line, and the lines after it, stand under its section; each is kept as if it
    stood alone."""
    reading = read("when A1: go 1a to 0201; if 0202 is free, go 2a to 0202\n1a to 0202\n\n[A2]\n3a to 0202\n")
    written = read("[A1]\ngo 1a to 0201\nif 0202 is free, go 2a to 0202\n1a to 0202\n\n[A2]\n3a to 0202\n")
    assert said(reading) == said(written)
    assert reading.headings == written.headings == ("A1", "A2")
    assert [line.text for line in reading.orders] == [line.text for line in written.orders]
    assert reading.orders[1].conditions == (IfClause(Free("0202")),)


@pytest.mark.parametrize("title", ["A1", "a1", "A 1", "Alpha One", "alphaone", "ALPHA  ONE", "alpha o"])
def test_sections_go_by_key_and_title(title: str) -> None:
    """Key and title both name a section; blanks and capitals do not count, and a beginning will do."""
    assert said(read(f"when {title}: 1a to 0201")) == [("A1", Go("1a", "0201"))]
    assert said(read(f"[{title}]\n1a to 0201")) == [("A1", Go("1a", "0201"))]


def test_a_beginning_of_two_titles_is_asked_back() -> None:
    """Nothing is guessed: a beginning that fits two sections is answered with both, and what stands below it
    is not taken."""
    [fault] = read("when alpha: 1a to 0201").faults
    assert isinstance(fault.error, Ambiguous) and fault.error.legal == ("A1", "A2")
    assert fault.text[fault.error.column :][: fault.error.length] == "alpha"
    heading, fault = read("[alpha]\n1a to 0201").said
    assert isinstance(heading, Heading) and not heading.section and "[A1] or [A2]" in heading.why
    assert isinstance(fault, Fault) and "[A1] or [A2]" in str(fault.error)
    assert not read("[alpha]\n").faults


def test_no_orders() -> None:
    """A section without orders is named all the same."""
    assert read("when A1:\n").headings == ("A1",)


def test_faults_point_into_the_line() -> None:
    """Each wrong order of a `when` line is a fault of its own, under its words; the others are read."""
    text = "  - when A1: go 1a to 0201; gp 2a to 0202; 2a to 9999   # off"
    reading = read(text)
    assert [line.order for line in reading.orders] == [Go("1a", "0201")]
    first, second = reading.faults
    assert first.text[first.error.column :][: first.error.length] == "gp"
    assert first.suggestion == "when A1: go 2a to 0202"
    assert second.text[second.error.column :][: second.error.length] == "9999"
    assert {first.number, second.number} == {1}


def test_suggestions_name_their_section() -> None:
    """A corrected line may be sent alone: where chance decides whose turn it is, it says for whom it is."""
    [fault] = read("[A1]\ngp 1a to 0201\n").faults
    assert fault.suggestion == "when A1: go 1a to 0201"
    [fault] = read("[A1]\n1a to 0201; 2a to 0202\n").faults
    assert fault.suggestion == "when A1: 1a to 0201; 2a to 0202"
    assert said(read(fault.suggestion)) == [("A1", Go("1a", "0201")), ("A1", Go("2a", "0202"))]


@pytest.mark.parametrize("section", ["", "pick"])
def test_an_order_must_say_for_whom_it_is(section: str) -> None:
    """An order that stands only under headings of chance is not taken for any of them: under another heading
    it is wrong, under none every section that it fits is named."""
    if section:
        [fault] = read("go 1a to 0201", section).faults
        assert "needs a heading" in str(fault.error) and fault.error.legal == tuple(f"[{s}]" for s in TITLES)
        return
    lines = list(enumerate(["go 1a to 0201"], 1))
    [line] = GRAMMAR.read(lines, ROSTER, scope=Scope(("pick", *TITLES))).orders
    assert line.section == "" and [each.section for each in line.fits] == list(TITLES)


def test_other_sections_have_no_when() -> None:
    """`when` is for sections of chance; of another, of none, or without its colon it is wrong, and in chat it
    is left alone."""
    [fault] = read("when pick: pick 0302").faults
    assert isinstance(fault.error, Unreadable) and "pick" in str(fault.error)
    [fault] = read("when A3: 1a to 0201").faults
    assert fault.suggestion == "when A1: 1a to 0201" and "A3" in str(fault.error)
    [fault] = read("when A1 1a to 0201").faults
    assert "when <section>: order; order" in str(fault.error)
    assert not read("When will you be back? I wonder: soon?").faults
    bare = Grammar(orders=(Pick,), sections={"pick": (Pick,)})
    assert read("when A1: 1a to 0201", grammar=bare).orders == ()


def test_help_lists_sections_of_chance_together() -> None:
    """HELP explains `when`, and lists what all drawn sections take once."""
    text = reference(GRAMMAR)
    assert "when <section>:" in text and text.count("A unit of the command goes one hex.") == 1
    assert "[A1] Alpha One, [A2] Alpha Two" in text
    assert "goes one hex" in reference(GRAMMAR, "alpha one") and "goes one hex" in reference(GRAMMAR, "b2")


def test_a_condition_is_about_the_order_of_its_line() -> None:
    """What a condition leaves unsaid is taken from the order it hangs on."""
    assert At("0101").about(Go("1a", "0201")) == At("0101", "1a")
    assert At("0101", "2a").about(Go("1a", "0201")) == At("0101", "2a")
    assert Free("0101").about(Go("1a", "0201")) == Free("0101")


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("if 0202 is free and not 0202 is free, go 1a to 0202", "can never apply"),
        ("if at 0101 and not 1a at 0101, go 1a to 0202", "can never apply"),
        ("go 1a to 0202, else go 1a to 0201", 'else" can never apply'),
    ],
)
def test_lines_that_can_never_act(line: str, why: str) -> None:
    """What the words alone rule out is answered at once."""
    [fault] = read(f"[A1]\n{line}").faults
    assert why in str(fault.error)


@pytest.mark.parametrize(
    "line",
    [
        "if 0202 is free and not 0201 is free, go 1a to 0202",
        "if at 0101 and not 2a at 0101, go 1a to 0202",
        "try go 1a to 0202, else go 1a to 0201",
        "if 0202 is free, go 1a to 0202, else go 1a to 0201",
    ],
)
def test_lines_that_may_act(line: str) -> None:
    """Nothing is ruled out that might come to pass."""
    assert said(read(f"[A1]\n{line}"))


def test_an_idle_else_is_mended() -> None:
    """An else with nothing before it is answered with the line that was meant."""
    [fault] = read("[A1]\ngo 1a to 0202, else go 1a to 0201").faults
    assert fault.text[fault.error.column :][: fault.error.length] == "else"
    [line] = read(fault.suggestion).orders
    assert line == Line(1, line.text, "A1", Go("1a", "0202"), (), Go("1a", "0201"), True)


def test_titles_are_those_of_drawn_phases() -> None:
    """A game whose drawn sections and titles do not agree does not come into being."""
    values = {name: getattr(LOTS, name) for name in LOTS.__dataclass_fields__}
    with pytest.raises(ValueError, match=r"lots: .*A1"):
        Game(**values | {"grammar": Grammar(orders=(Pick, Go))})


def test_a_heading_in_a_letter_has_the_full_name() -> None:
    """Letters name a section by its full name where it has one, else by its title."""
    named = Grammar(sections=GRAMMAR.sections, titles=TITLES, formations={"A1": "First Alpha Corps"})
    assert named.heading("A1") == "[A1] First Alpha Corps"
    assert named.heading("A2") == f"[A2] {TITLES['A2']}"
    assert named.heading("pick") == "[pick]"
