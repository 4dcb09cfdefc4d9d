"""The list of cases (cases.toml) and the code agree."""

from __future__ import annotations

import re
from pathlib import Path

from pbem.games import normandy71
from pbem.games.normandy71.tables import CASES

CITED = re.compile(r"\b(?:MOV|COM|NAV|ZOC|STK|SUP|ENT|PAR|INV|OOB|VIC)\.[A-Z0-9]{1,2}\b")


def citations() -> set[str]:
    """Every case that a module of the game cites, with the chapters that have no letter."""
    folder = Path(str(normandy71.__file__)).parent
    text = "\n".join(path.read_text(encoding="utf-8") for path in sorted(folder.glob("*.py")))
    chapters = {case for case in CASES if "." not in case and re.search(rf"\b{case}\b", text)}
    return set(CITED.findall(text)) | chapters


def test_every_case_that_is_cited_is_listed() -> None:
    """No module cites a case that the rulebook does not have."""
    assert citations() <= set(CASES)


def test_every_case_done_in_code_is_cited() -> None:
    """A case with the status "code" is named where it is done."""
    assert {case for case, entry in CASES.items() if entry.status == "code"} <= citations()
