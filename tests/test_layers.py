"""What may know of what: imports point one way, and rules do no I/O and know no chance but the dice."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator
from functools import cache
from pathlib import Path

import pytest

import pbem

PACKAGE = Path(pbem.__file__).parent
PACKED = {"_templates", "_migrations", "_examples"}
"""Folders that a wheel packs into the package and that are no part of it."""

MODULES = sorted(path for path in PACKAGE.rglob("*.py") if path.relative_to(PACKAGE).parts[0] not in PACKED)

BELOW = {
    "__main__": ("cli",),
    "cli": ("service", "mail", "render", "games", "engine", "config", "fields", "paths"),
    "service": ("mail", "render", "games", "engine", "config", "fields", "paths"),
    "mail": ("engine", "paths"),
    "render": ("engine", "paths"),
    "testing": ("service", "mail", "render", "engine"),
    "games": ("wargame", "engine"),
    "wargame": ("engine",),
    "engine": (),
    "config": ("engine", "fields", "paths"),
    "fields": ("mail",),
    "paths": ("engine",),
}
"""What each part of the package may import besides itself."""

OUTSIDE = {
    "aiosmtplib", "alembic", "asyncio", "click", "concurrent", "email", "http", "imaplib", "jinja2",
    "logging", "multiprocessing", "os", "PIL", "resvg", "rich", "smtplib", "socket",
    "sqlalchemy", "sqlite3", "sqlmodel", "subprocess", "tempfile", "threading", "time", "urllib", "uuid",
}  # fmt: skip
"""What rules have no use for: mail, database, screen, clock, processes and the machine they run on."""

CHANCE = {"random": ("bots.py", "autoplay.py"), "secrets": ("dice.py",)}
"""Sources of chance, and the modules of the engine that may have them: bots are handed theirs."""

CLOCK = {"now", "utcnow", "today"}


def name(path: Path) -> str:
    return path.relative_to(PACKAGE).as_posix()


def part(path: Path) -> str:
    """The part of the package that a module belongs to: `engine`, `games`, `paths`; empty for the package
    itself."""
    first = path.relative_to(PACKAGE).parts[0]
    return first.removesuffix(".py").removeprefix("__init__")


@cache
def tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"), filename=str(path))


def imported(path: Path) -> Iterator[str]:
    """The full names of all that a module imports, wherever in the module."""
    for node in ast.walk(tree(path)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{name(path)}:{node.lineno} imports relatively"
            assert node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def rules() -> list[Path]:
    return [path for path in MODULES if part(path) in ("engine", "wargame", "games")]


def test_every_part_has_its_place() -> None:
    """Whatever stands in the package belongs to a part whose imports are looked at here."""
    assert {part(path) for path in MODULES} - {""} <= set(BELOW)
    assert len(rules()) > 10


@pytest.mark.parametrize("path", MODULES, ids=name)
def test_imports_point_one_way(path: Path) -> None:
    """cli -> service -> mail, render, games -> wargame -> engine, and no other way."""
    here = part(path)
    if not here:
        assert not [module for module in imported(path) if module.startswith("pbem")]
        return
    allowed = {here, *BELOW[here]}
    wrong = [
        module
        for module in imported(path)
        if module.startswith("pbem.") and module.split(".")[1] not in allowed
    ]
    assert not wrong, f"{name(path)} belongs to {here} and may not import {', '.join(wrong)}"


@pytest.mark.parametrize("path", [path for path in MODULES if part(path) == "games"], ids=name)
def test_games_do_not_know_one_another(path: Path) -> None:
    """A game imports nothing of another game."""
    steps = path.relative_to(PACKAGE).parts
    game = steps[1] if len(steps) > 2 else ""
    others = [
        module
        for module in imported(path)
        if module.startswith("pbem.games.") and module.split(".")[2] != game
    ]
    assert not others, f"{name(path)} imports {', '.join(others)}"


@pytest.mark.parametrize("path", rules(), ids=name)
def test_rules_know_no_outside_world(path: Path) -> None:
    """Engine, wargame and games import no mail, database, clock, process or event loop, and no source of
    chance."""
    roots = {module.split(".")[0] for module in imported(path)}
    assert not roots & OUTSIDE
    for source, allowed in CHANCE.items():
        assert source not in roots or (part(path) == "engine" and path.name in allowed), source


@pytest.mark.parametrize("path", rules(), ids=name)
def test_rules_read_no_clock(path: Path) -> None:
    """Nothing in engine, wargame and games asks what day or time it is."""
    calls = [
        f"{name(path)}:{node.lineno}"
        for node in ast.walk(tree(path))
        if isinstance(node, ast.Attribute)
        and node.attr in CLOCK
        and isinstance(node.value, ast.Name | ast.Attribute)
        and ast.unparse(node.value).split(".")[-1] in ("datetime", "date")
    ]
    assert not calls


@pytest.mark.parametrize("path", rules(), ids=name)
def test_unfinished_phases_run_no_finally(path: Path) -> None:
    """No rule awaits inside `try ... finally`: an unfinished phase is closed, and the `finally` would act."""
    caught = [
        f"{name(path)}:{node.lineno}"
        for node in ast.walk(tree(path))
        if isinstance(node, ast.Try) and node.finalbody
        for inner in ast.walk(node)
        if isinstance(inner, ast.Await)
    ]
    assert not caught


def test_no_module_imports_itself_by_way_of_others() -> None:
    """There are no circles, imports inside functions included."""
    modules = {".".join(path.relative_to(PACKAGE.parent).with_suffix("").parts): path for path in MODULES}
    modules = {key.removesuffix(".__init__"): path for key, path in modules.items()}
    needs = {key: {found for found in wanted(path, modules) if found != key} for key, path in modules.items()}
    while free := [key for key, found in needs.items() if not found & needs.keys()]:
        for key in free:
            del needs[key]
    circle = {key: sorted(found & needs.keys()) for key, found in needs.items()}
    assert not circle, circle


def wanted(path: Path, modules: Collection[str]) -> Iterator[str]:
    """The modules of pbem that a file imports, wherever in it."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module:
            for alias in node.names:
                whole = f"{node.module}.{alias.name}"
                yield from [each for each in (whole, node.module) if each in modules][:1]
        elif isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name in modules)
