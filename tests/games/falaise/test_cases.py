"""The page of contents and the modules of the rules agree."""

from __future__ import annotations

import re
from pathlib import Path

from pbem.games import falaise
from pbem.games.falaise.tables import CASES
from pbem.testing.rulecases import in_code, mentioned, words_of

RULES = Path(str(falaise.__file__)).parent


def test_the_contents_page_names_the_modules_of_each_case() -> None:
    """Each case on the page of contents is cited in one of the modules of its line, and no module of rules is
    missing."""
    lines = re.findall(r"^\* ((?:\w+\.py )+) +(.+)$", falaise.__doc__ or "", re.MULTILINE)
    code = in_code(RULES)
    named: set[str] = set()
    listed: set[str] = set()
    for modules, cases in lines:
        named |= set(modules.split())
        told = mentioned(CASES, [cases])
        listed |= told
        text = [word for module in modules.split() for word in words_of(RULES / module)]
        assert (told & set(code)) <= mentioned(code, text), modules
    assert {case for case in code if case.split(".")[0] in ("11", "12")} <= listed
    others = {"__init__.py", "notes.py", "orders.py", "phrasing.py", "state.py", "tables.py"}
    assert {path.name for path in RULES.glob("*.py")} - named <= others
