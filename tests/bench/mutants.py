#!/usr/bin/env python3
"""Whether the tests notice small faults: mutants of the code, one at a time, and who kills them.

    pytest --cov=pbem --cov-context=test --cov-report= --junitxml=tests.xml
    python tests/bench/mutants.py [--number 100] [--seed 1] [--jobs 2] [--only pbem/engine] [--near]
        [--part 1/2] [--coverage FILE] [--durations FILE] [--results FILE]

Each mutant changes one comparison or number, or drops one statement, in the engine, the service or the rules
of a game (not in bots, whose judgement no test pins down). The tests that run its line come first, the quick
ones before the slow ones, as the first of these commands has recorded them; where it has none for a line,
such as one that is run when a module is imported, those of its folder. Then come all. Results are added to a
file, so that a run can be stopped and goes on where it stopped; survivors are listed at the end. With all
tests a survivor takes as long as the suite: --near leaves that out, and the slowest of the others, and a
later run without it tries those that were not killed so far. Two processes, each in a clone of its own, try
every second one: --part 1/2 and --part 2/2.
"""

from __future__ import annotations

import argparse
import ast
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from itertools import accumulate
from pathlib import Path
from xml.etree import ElementTree

from coverage import CoverageData

ROOT = Path(__file__).resolve().parents[2]
PARTS = ("pbem/engine", "pbem/wargame", "pbem/service", "pbem/games")
LEFT_OUT = ("bot.py", "bots.py", "selfplay.py", "autoplay.py")
TURNED: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq, ast.In: ast.NotIn, ast.NotIn: ast.In, ast.Is: ast.IsNot, ast.IsNot: ast.Is,
}  # fmt: skip
PATIENCE = 150
"""With --near: the seconds that the tests of a mutant take together, as recorded."""
LONGEST = {True: 240, False: 3600}
"""After this many seconds a run of the near tests, or of all, is stopped. If it was all, the mutant runs in
circles and counts as killed."""


@dataclass(frozen=True, slots=True)
class Mutant:
    """A change of one place in a module."""

    module: str
    line: int
    last: int
    was: str
    now: str
    start: int
    end: int


def mutants_of(path: Path) -> Iterator[Mutant]:
    """Every mutant of a module."""
    text = path.read_text(encoding="utf-8")
    tree = ast.parse(text)
    begins = [0]
    for each in text.encode().splitlines(keepends=True):
        begins.append(begins[-1] + len(each))
    unseen = {id(inner) for node in ast.walk(tree) for part in _no_code(node) for inner in ast.walk(part)}

    def mutant(node: ast.expr | ast.stmt, now: str) -> Mutant:
        start = begins[node.lineno - 1] + node.col_offset
        end = begins[(node.end_lineno or 0) - 1] + (node.end_col_offset or 0)
        was = text.encode()[start:end].decode()
        last = node.end_lineno or node.lineno
        return Mutant(path.relative_to(ROOT).as_posix(), node.lineno, last, was, now, start, end)

    for node in ast.walk(tree):
        if id(node) in unseen:
            continue
        if isinstance(node, ast.Compare) and len(node.ops) == 1 and type(node.ops[0]) in TURNED:
            turned = ast.Compare(node.left, [TURNED[type(node.ops[0])]()], node.comparators)
            yield mutant(node, f"({ast.unparse(turned)})")
        elif isinstance(node, ast.Constant) and type(node.value) is int:
            yield mutant(node, f"({node.value + 1})")
        elif isinstance(node, ast.Constant) and type(node.value) is bool:
            yield mutant(node, str(not node.value))
        elif isinstance(node, ast.AugAssign | ast.Expr | ast.Assign) and _does_something(node):
            yield mutant(node, "pass")


def _does_something(node: ast.AugAssign | ast.Expr | ast.Assign) -> bool:
    """Whether a statement can be dropped without leaving a name undefined."""
    if isinstance(node, ast.Expr):
        return isinstance(node.value, ast.Call | ast.Await)
    return isinstance(node, ast.AugAssign) or all(isinstance(each, ast.Attribute) for each in node.targets)


def _no_code(node: ast.AST) -> Iterator[ast.AST]:
    """What of a node says nothing that a test could notice: types, decorators, limits of whole numbers."""
    if isinstance(node, ast.AnnAssign | ast.arg) and node.annotation is not None:
        yield node.annotation
    elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
        yield from node.decorator_list
        if node.returns is not None:
            yield node.returns
    elif isinstance(node, ast.ClassDef):
        yield from node.decorator_list


def chosen(number: int, seed: int, only: str) -> list[Mutant]:
    """This number of mutants, drawn by lot: first a part of the package, then a mutant in it."""
    rng = random.Random(seed)
    parts = [part for part in PARTS if only.startswith(part) or part.startswith(only)]
    known = {
        part: [
            mutant
            for path in sorted((ROOT / part).rglob("*.py"))
            if path.name not in LEFT_OUT and path.relative_to(ROOT).as_posix().startswith(only)
            for mutant in mutants_of(path)
        ]
        for part in parts
    }
    weights = [len(known[part]) ** 0.5 for part in parts]
    return [rng.choice(known[part]) for part in rng.choices(parts, weights, k=number)]


def covering(mutant: Mutant, data: CoverageData) -> list[str]:
    """The tests that run any line of a mutant."""
    paths = [path for path in data.measured_files() if path.endswith(f"/{mutant.module}")]
    lines = data.contexts_by_lineno(paths[0]) if paths else {}
    contexts = {each for line in range(mutant.line, mutant.last + 1) for each in lines.get(line, ())}
    return sorted({each.rpartition("|")[0] for each in contexts if each})


def durations(path: Path) -> dict[str, float]:
    """How many seconds each test took, by its name: pytest's own report."""
    found = {}
    for case in ElementTree.parse(path).iter("testcase"):
        module, name = case.attrib["classname"].replace(".", "/"), case.attrib["name"]
        found[f"{module}.py::{name}"] = float(case.attrib["time"])
    return found


def tests_for(mutant: Mutant, data: CoverageData, seconds: Mapping[str, float], near: bool) -> list[str]:
    """The tests that run a mutant, or those of its folder, the quick ones first; if only the `near` ones are
    wanted, those that take `PATIENCE` together."""
    parts = Path(mutant.module).parts
    nested = parts[1] == "games" or parts[2] == "language"
    folder = Path("tests", parts[1], parts[2]) if parts[1] == "games" else Path("tests", parts[1 + nested])
    known = covering(mutant, data) or [test for test in seconds if test.startswith(f"{folder}/")]
    known = sorted((test for test in known if test in seconds), key=lambda test: (seconds[test], test))
    totals = accumulate(seconds[test] for test in known)
    return [test for test, total in zip(known, totals, strict=True) if total < PATIENCE or not near]


def killed_by(mutant: Mutant, tests: list[str], jobs: int, near: bool) -> str:
    """The test that fails with a mutant, or "" if all pass; with `near` only these are run."""
    with tempfile.TemporaryDirectory() as folder:
        copy, listed = Path(folder) / "pbem", Path(folder) / "tests"
        shutil.copytree(ROOT, copy, ignore=shutil.ignore_patterns(".git", "__pycache__", ".*_cache", ".venv"))
        target = copy / mutant.module
        code = target.read_bytes()
        target.write_bytes(code[: mutant.start] + mutant.now.encode() + code[mutant.end :])
        listed.write_text("\n".join(tests))
        command = [sys.executable, "-m", "pytest", "-x", "-q", "-n", str(jobs), "-p", "no:cacheprovider"]
        for some in [[f"@{listed}"], *([] if near else [[]])]:
            try:
                done = subprocess.run(
                    [*command, *some], cwd=copy, env=os.environ | {"PYTHONPATH": str(copy)},
                    capture_output=True, text=True, timeout=LONGEST[near],
                )  # fmt: skip
            except subprocess.TimeoutExpired:
                return "" if near else "no end"
            if done.returncode not in (0, 5):
                failed = [line for line in done.stdout.splitlines() if line.startswith(("FAILED", "ERROR"))]
                return failed[0].split(" - ")[0] if failed else "no result"
    return ""


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--number", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--only", default="pbem", help="a folder or a module of the package")
    parser.add_argument("--near", action="store_true", help="leave out the tests of other folders")
    parser.add_argument("--part", default="1/1", help="which of the mutants to try, such as 1/2")
    parser.add_argument("--coverage", type=Path, default=Path(".coverage"), help="what tests run")
    parser.add_argument("--durations", type=Path, default=Path("tests.xml"), help="and how long")
    parser.add_argument("--results", type=Path, default=Path("mutants.jsonl"))
    chosen_ = parser.parse_args()
    results: Path = chosen_.results
    known = [json.loads(line) for line in results.read_text().splitlines()] if results.exists() else []
    done = {
        (each["module"], each["start"], each["now"]): each["by"]
        for each in known
        if each["by"] or chosen_.near or not each["near"]
    }
    part, parts = map(int, chosen_.part.split("/"))
    mutants = chosen(chosen_.number, chosen_.seed, chosen_.only)[part - 1 :: parts]
    data = CoverageData(str(chosen_.coverage))
    data.read()
    seconds = durations(chosen_.durations)
    for mutant in mutants:
        key = mutant.module, mutant.start, mutant.now
        if key not in done:
            done[key] = killed_by(
                mutant, tests_for(mutant, data, seconds, chosen_.near), chosen_.jobs, chosen_.near
            )
            with results.open("a") as file:
                file.write(json.dumps(asdict(mutant) | {"by": done[key], "near": chosen_.near}) + "\n")
            print(
                f"{mutant.module}:{mutant.line} {mutant.was!r} -> {mutant.now!r}: {done[key] or 'SURVIVES'}",
                flush=True,
            )
    alive = [each for each in mutants if not done[each.module, each.start, each.now]]
    print(f"\n{len(mutants) - len(alive)} of {len(mutants)} killed; survivors:")
    for each in alive:
        print(f"  {each.module}:{each.line} {each.was} -> {each.now}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
