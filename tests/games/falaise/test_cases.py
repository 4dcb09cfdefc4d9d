"""The list of cases (cases.toml) and the code agree; every case that is done in code has a test."""

from __future__ import annotations

import io
import re
import tokenize
from pathlib import Path

from pbem.games import falaise
from pbem.games.falaise.tables import CASES

NUMBER = re.compile(r"(?<![\w.=-])(?:[1-9]|1[0-4])\.\d{1,2}(?:\.\d)?(?![\w-]|\.\d)")
RANGE = re.compile(rf"({NUMBER.pattern}) to ({NUMBER.pattern})")
WORDS = (tokenize.STRING, tokenize.COMMENT)


def order(case: str) -> tuple[int, ...]:
    return tuple(int(part) for part in case.split("."))


def written(path: Path) -> str:
    """The strings and comments of a module: other numbers with a point are no cases."""
    source = io.StringIO(path.read_text(encoding="utf-8"))
    return "\n".join(
        token.string for token in tokenize.generate_tokens(source.readline) if token.type in WORDS
    )


def citations(folder: Path, pattern: str) -> set[str]:
    """Every case that a file of a folder cites, those between the ends of a range among them."""
    text = "\n".join(written(path) for path in sorted(folder.glob(pattern)))
    found = set(NUMBER.findall(text))
    for first, last in RANGE.findall(text):
        found |= {case for case in CASES if order(first) <= order(case) <= order(last)}
    return found


RULES = Path(str(falaise.__file__)).parent
CITED = citations(RULES, "*.py")
TESTED = citations(Path(__file__).parent, "test_*.py") | {
    match.replace("_", ".")
    for path in sorted(Path(__file__).parent.glob("test_*.py"))
    for match in re.findall(r"def test_(\d+_\d+(?:_\d)?)_", path.read_text(encoding="utf-8"))
}
IN_CODE = {case for case, entry in CASES.items() if entry.status == "code"}


def test_every_case_that_is_cited_is_listed() -> None:
    """No module cites a case that the rulebook does not have."""
    assert sorted(CITED - set(CASES)) == []


def test_every_case_done_in_code_is_cited() -> None:
    """A case with the status "code" is named where it is done."""
    assert sorted(IN_CODE - CITED, key=order) == []


def test_every_case_done_in_code_is_tested() -> None:
    """A case with the status "code" is named by a test."""
    assert sorted(IN_CODE - TESTED, key=order) == []


def test_there_are_67_cases() -> None:
    """The list holds every numbered case of the rulebook, in its order."""
    assert len(CASES) == 67
    assert list(CASES) == sorted(CASES, key=order)


def test_the_contents_page_names_the_modules_of_each_case() -> None:
    """Each case on the page of contents is cited in one of the modules of its line,
    and no module of rules is missing."""
    lines = re.findall(r"^\* ((?:\w+\.py )+) +(.+)$", falaise.__doc__ or "", re.MULTILINE)
    named: set[str] = set()
    for modules, cases in lines:
        named |= set(modules.split())
        text = " ".join(written(RULES / module) for module in modules.split())
        for case in NUMBER.findall(cases):
            assert CASES[case].status != "code" or case in NUMBER.findall(text), (modules, case)
    listed = {case for _, cases in lines for case in NUMBER.findall(cases)}
    assert {case for case in IN_CODE if case.split(".")[0] in ("11", "12")} <= listed
    assert {path.name for path in RULES.glob("*.py")} - named <= {
        "__init__.py", "notes.py", "orders.py", "state.py", "tables.py",
    }  # fmt: skip
