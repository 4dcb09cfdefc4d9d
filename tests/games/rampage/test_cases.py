"""The list of cases (cases.toml) and the code agree."""

from __future__ import annotations

import re
from pathlib import Path

from pbem.games import rampage
from pbem.games.rampage.tables import CASES

CITED = re.compile(r"(?<![\w.=-])(?:[1-9]|1[0-4])\.\d{1,2}(?![\w.-]|\d)")
RANGE = re.compile(r"(?<![\w.])(\d{1,2})\.(\d{1,2}) to (\d{1,2})\.(\d{1,2})")


def citations() -> set[str]:
    """Every case that a module of the game cites, those between the ends of a range among them."""
    folder = Path(str(rampage.__file__)).parent
    text = "\n".join(path.read_text(encoding="utf-8") for path in sorted(folder.glob("*.py")))
    between = {
        f"{chapter}.{number}"
        for chapter, first, last_chapter, last in RANGE.findall(text)
        if chapter == last_chapter
        for number in range(int(first), int(last) + 1)
    }
    return set(CITED.findall(text)) | between


def test_every_case_that_is_cited_is_listed() -> None:
    """No module cites a case that the rulebook does not have."""
    assert citations() <= set(CASES)


def test_every_case_done_in_code_is_cited() -> None:
    """A case with the status "code" is named where it is done."""
    assert {case for case, entry in CASES.items() if entry.status == "code"} <= citations()


def test_there_are_120_cases() -> None:
    """The list holds every numbered case of the rulebook."""
    assert len(CASES) == 120
