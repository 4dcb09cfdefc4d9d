"""The list of cases (cases.toml) and the code agree; every case that is done in code has a test."""

from __future__ import annotations

import io
import re
import tokenize
from pathlib import Path

from pbem.games import normandy44
from pbem.games.normandy44.tables import CASES

NUMBER = re.compile(r"(?<![\w.=-])(?:0\.[12]|(?:[1-9]|1[0-5])\.\d|[SCE]\d)(?![\w-]|\.\d)")
RANGE = re.compile(rf"({NUMBER.pattern}) to ({NUMBER.pattern})")
WORDS = (tokenize.STRING, tokenize.COMMENT)
CHAPTERS = {"S": 16, "C": 17, "E": 18}
"""Where the scenarios, the charts and the errata stand behind the numbered rules."""


def order(case: str) -> tuple[int, ...]:
    """The place of a case in the rulebook."""
    if case[0] in CHAPTERS:
        return CHAPTERS[case[0]], int(case[1:])
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


RULES = Path(str(normandy44.__file__)).parent
CITED = citations(RULES, "*.py")
TESTED = citations(Path(__file__).parent, "test_*.py") | {
    match.replace("_", ".").upper()
    for path in sorted(Path(__file__).parent.glob("test_*.py"))
    for match in re.findall(r"def test_(\d+_\d|[sce]\d)_", path.read_text(encoding="utf-8"))
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


def test_there_are_62_cases() -> None:
    """The list holds every numbered case of the rulebook, its scenarios, its charts and its errata,
    in their order."""
    assert len(CASES) == 62
    assert list(CASES) == sorted(CASES, key=order)
    assert {case[0] for case in CASES if not case[0].isdigit()} == {"S", "C", "E"}
