"""The cases of a rulebook in a game's package and in its tests: which are listed, which are cited, and
where."""

from __future__ import annotations

import ast
import io
import re
import tokenize
import tomllib
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, get_args

from pbem.engine.data import Case

REFUSALS = {"NotAllowed", "OrderError", "Unreadable", "Ambiguous"}
"""Errors whose second argument is a case."""

LOOKS_LIKE_A_CASE = re.compile(r"[A-Z]{1,4}\.[0-9]*[A-Z]?|[0-9]+(?:\.[0-9]+)+[a-z]?")
SEPARATORS = re.compile(r"[,;/\s]+")
STATUSES = get_args(Case.model_fields["status"].annotation)


def listed(folder: Path) -> dict[str, dict[str, Any]]:
    """The case list of the game in `folder`: number -> title, status and more."""
    written = tomllib.loads((folder / "data" / "cases.toml").read_text(encoding="utf-8"))
    cases: dict[str, dict[str, Any]] = written.get("case", written)
    return cases


def in_code(folder: Path) -> list[str]:
    """The numbers of the cases that are met in code."""
    return [number for number, entry in listed(folder).items() if entry.get("status") == "code"]


def faults_of_the_list(folder: Path) -> Iterator[str]:
    """What is wrong with the case list: a case without a title, two of one title, an unknown status."""
    cases = listed(folder)
    if not cases:
        yield "cases.toml lists no case"
    for number, entry in cases.items():
        if not entry.get("title"):
            yield f"{number} has no title"
        if entry.get("status") not in STATUSES:
            yield f"{number} has the status {entry.get('status')}, which is none of {', '.join(STATUSES)}"
    titles = Counter(entry.get("title") for entry in cases.values())
    yield from (f"{count} cases have the title {title}" for title, count in titles.items() if count > 1)


def unknown(folder: Path) -> Iterator[str]:
    """The places where rules, orders, refusals and data files cite a case that is not listed."""
    cases = listed(folder)
    for path in _modules(folder):
        for line, number in citations(path):
            if number not in cases:
                yield f"{path.name}:{line} cites {number}, which cases.toml does not list"
    for path in sorted((folder / "data").rglob("*.toml")):
        if path.name != "cases.toml":
            for number in cases_of_data(tomllib.loads(path.read_text(encoding="utf-8"))):
                if number not in cases:
                    yield f"{path.name} cites {number}, which cases.toml does not list"


def uncited(folder: Path) -> list[str]:
    """The cases met in code that no module of the game names."""
    return _missing(folder, (text for path in _modules(folder) for text in words_of(path)))


def untested(folder: Path, tests: Path) -> list[str]:
    """The cases met in code that no test of the game names, and no case file."""
    texts = [text for path in _modules(tests) for text in words_of(path)]
    texts += [path.read_text(encoding="utf-8") for path in sorted(tests.rglob("*.toml"))]
    return _missing(folder, texts)


def _missing(folder: Path, texts: Iterable[str]) -> list[str]:
    numbers = in_code(folder)
    cited = mentioned(numbers, texts)
    return [number for number in numbers if number not in cited]


def _modules(folder: Path) -> list[Path]:
    return sorted(folder.rglob("*.py")) if folder.is_dir() else [folder]


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
            yield from ((value.lineno, text) for value in written for text in _constant(value))
        elif isinstance(node, ast.AnnAssign) and getattr(node.target, "id", "") == "case" and node.value:
            yield from ((node.lineno, text) for text in _constant(node.value))
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            yield from ((node.lineno, text) for text in heading(ast.get_docstring(node) or ""))


def _constant(node: ast.expr) -> list[str]:
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
