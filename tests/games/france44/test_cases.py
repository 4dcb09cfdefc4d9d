"""The list of cases (cases.toml) and the code agree; every case that is done in code has a test."""

from __future__ import annotations

import io
import re
import tokenize
from pathlib import Path

from pbem.games import france44
from pbem.games.france44.tables import CASES

NUMBER = re.compile(r"(?<![\w.=-])(?:2\.0|10\.1|[1-9]|1[0-3])\.\d{1,2}(?![\w-]|\.\d)")
RANGE = re.compile(rf"({NUMBER.pattern}) to ({NUMBER.pattern})")
WORDS = (tokenize.STRING, tokenize.COMMENT)


def order(case: str) -> tuple[int, ...]:
    """The place of a case in the rulebook."""
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


RULES = Path(str(france44.__file__)).parent
CITED = citations(RULES, "*.py")
TESTED = citations(Path(__file__).parent, "test_*.py") | {
    match.replace("_", ".")
    for path in sorted(Path(__file__).parent.glob("test_*.py"))
    for match in re.findall(r"def test_(\d+(?:_\d+){1,2})_", path.read_text(encoding="utf-8"))
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


def test_there_are_90_cases() -> None:
    """The list holds every numbered case of the rulebook in its order."""
    assert len(CASES) == 90
    assert list(CASES) == sorted(CASES, key=order)
