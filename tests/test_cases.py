"""Every rulebook case has a status, every case cited exists, every case met in code is cited there and in a
test."""

from __future__ import annotations

import ast
import io
import re
import tokenize
import tomllib
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import Any, get_args

import pytest

import pbem
from pbem.engine.data import Case
from pbem.engine.installed import games

PACKAGE = Path(pbem.__file__).parent
TESTS = Path(__file__).parent / "games"

REFUSALS = {"NotAllowed", "OrderError", "Unreadable", "Ambiguous"}
"""Errors whose second argument is a case."""

LOOKS_LIKE_A_CASE = re.compile(r"[A-Z]{1,4}\.[0-9]*[A-Z]?|[0-9]+(?:\.[0-9]+)+[a-z]?")
SEPARATORS = re.compile(r"[,;/\s]+")


def ours() -> list[str]:
    """The installed games that stand in this package; games of others bring their own tests."""
    return [key for key, where in games().items() if where.startswith(f"pbem.games.{key}:")]


@cache
def cases(key: str) -> dict[str, dict[str, Any]]:
    """The case list of a game: number -> title, status and more."""
    written = tomllib.loads((PACKAGE / "games" / key / "data" / "cases.toml").read_text(encoding="utf-8"))
    listed: dict[str, dict[str, Any]] = written.get("case", written)
    return listed


def modules(folder: Path) -> list[Path]:
    return sorted(folder.rglob("*.py"))


def words_of(path: Path) -> Iterator[str]:
    """The comments and strings of a module, where cases are cited; numbers in the code itself are not
    cases."""
    source = path.read_text(encoding="utf-8")
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        kind = tokenize.tok_name[token.type]
        if kind == "COMMENT" or "STRING" in kind:
            yield token.string


def mentioned(numbers: Iterable[str], texts: Iterable[str]) -> set[str]:
    """The cases named anywhere in the texts, whole numbers only: `MOV.A` does not mention `MOV`."""
    text = "\n".join(texts)
    return {number for number in numbers if re.search(rf"(?<![\w.]){re.escape(number)}(?!\w|\.\w)", text)}


def citations(path: Path) -> Iterator[tuple[int, str]]:
    """The places of a module where a case must stand: `case=` of a request or note, `case` of an order, the
    second argument of a refusal or of a modifier, the beginning of a docstring."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call):
            called = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
            written = [keyword.value for keyword in node.keywords if keyword.arg == "case"]
            if called in REFUSALS or (called == "add" and len(node.args) == 3):
                written += node.args[1:2]
            yield from ((value.lineno, text) for value in written for text in constant(value))
        elif isinstance(node, ast.AnnAssign) and getattr(node.target, "id", "") == "case" and node.value:
            yield from ((node.lineno, text) for text in constant(node.value))
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            yield from ((node.lineno, text) for text in heading(ast.get_docstring(node) or ""))


def constant(node: ast.expr) -> list[str]:
    """The cases written as a plain string, one or several."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return [text for text in SEPARATORS.split(node.value) if text]
    return []


def heading(docstring: str) -> Iterator[str]:
    """The case numbers with which a docstring begins: `NAV.B, NAV.C The Allied player ...`."""
    for word in docstring.split():
        if not LOOKS_LIKE_A_CASE.fullmatch(word.rstrip(",:")):
            return
        yield word.rstrip(",:")
        if not word.endswith(","):
            return


def cases_of_data(value: Any) -> Iterator[str]:
    """The cases that a data file cites under the key `case`."""
    if isinstance(value, dict):
        for key, part in value.items():
            if key == "case" and isinstance(part, str):
                yield from (text for text in SEPARATORS.split(part) if text)
            else:
                yield from cases_of_data(part)
    elif isinstance(value, list):
        for part in value:
            yield from cases_of_data(part)


def test_games_are_found() -> None:
    """The games of the package are found by their entry points, which need pbem to be installed (`pip install
    -e .`)."""
    folders = {path.parent.name for path in (PACKAGE / "games").glob("*/__init__.py")}
    assert folders
    assert folders == set(ours())


@pytest.mark.parametrize("key", ours())
def test_every_case_has_a_status(key: str) -> None:
    """Every case has a title of its own and one of the known statuses; the count by status is printed."""
    assert cases(key)
    known = get_args(Case.model_fields["status"].annotation)
    for number, entry in cases(key).items():
        assert entry.get("title"), f"{key} {number} has no title"
        assert entry.get("status") in known, f"{key} {number} is none of {', '.join(known)}"
    titles = Counter(entry["title"] for entry in cases(key).values())
    assert [title for title, count in titles.items() if count > 1] == []
    by_status = Counter(entry["status"] for entry in cases(key).values())
    print(f"{key}: {len(cases(key))} cases,", ", ".join(f"{by_status[status]} {status}" for status in known))


@pytest.mark.parametrize("key", ours())
def test_cited_cases_exist(key: str) -> None:
    """Every case that rules, orders, refusals and data files cite stands in the case list."""
    folder = PACKAGE / "games" / key
    wrong = [
        f"{path.name}:{line} cites {number}"
        for path in modules(folder)
        for line, number in citations(path)
        if number not in cases(key)
    ]
    for path in sorted((folder / "data").rglob("*.toml")):
        if path.name != "cases.toml":
            cited = cases_of_data(tomllib.loads(path.read_text(encoding="utf-8")))
            wrong += [f"{path.name} cites {number}" for number in cited if number not in cases(key)]
    assert not wrong, "\n".join(wrong)


def met_in_code(key: str) -> list[str]:
    return [number for number, entry in cases(key).items() if entry["status"] == "code"]


@pytest.mark.parametrize("key", ours())
def test_cases_in_code_are_cited_there(key: str) -> None:
    """Every case with status "code" is named in the code of its game."""
    cited = mentioned(
        met_in_code(key), (text for path in modules(PACKAGE / "games" / key) for text in words_of(path))
    )
    missing = [number for number in met_in_code(key) if number not in cited]
    assert not missing, f"{key} has no code that cites {', '.join(missing)}"


@pytest.mark.parametrize("key", ours())
def test_cases_in_code_are_tested(key: str) -> None:
    """Every case with status "code" is named in a test of its game."""
    texts = [text for path in modules(TESTS / key) for text in words_of(path)]
    texts += [path.read_text(encoding="utf-8") for path in sorted((TESTS / key).rglob("*.toml"))]
    cited = mentioned(met_in_code(key), texts)
    missing = [number for number in met_in_code(key) if number not in cited]
    assert not missing, f"{key} has no test that names {', '.join(missing)}"


def test_whole_numbers_only() -> None:
    """A case is mentioned by its whole number, not by that of a case within it or around it."""
    texts = ["# a stack (STK.A) and MOV.F/INV.1A.", '"10.33"', "110.3"]
    numbers = ["STK", "STK.A", "MOV", "MOV.F", "INV.1A", "INV.1", "10.3", "10.33", "10"]
    assert mentioned(numbers, texts) == {"STK.A", "MOV.F", "INV.1A", "10.33"}


def test_docstrings_begin_with_cases() -> None:
    """The cases at the head of a docstring are read as such, and ordinary first words are not."""
    assert list(heading("NAV.B, NAV.C The Allied player may help.")) == ["NAV.B", "NAV.C"]
    assert list(heading("10.33 Town defence")) == ["10.33"]
    assert list(heading("Whether a unit, 10.33 or not, may go.")) == []
