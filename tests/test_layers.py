"""What may know of what: imports point one way, and rules do no I/O and know no chance but the dice.

``python tests/test_layers.py`` prints the rooms of the service, its floors, arrows and largest classes.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator
from functools import cache
from pathlib import Path

import pbem

PACKAGE = Path(pbem.__file__).parent
PACKED = {"_templates", "_migrations", "_examples"}
"""Folders that a wheel packs into the package and that are no part of it."""

MODULES = sorted(path for path in PACKAGE.rglob("*.py") if path.relative_to(PACKAGE).parts[0] not in PACKED)

BELOW = {
    "__main__": ("pipe",),
    "pipe": ("cli",),
    "cli": ("serve", "service", "mail", "render", "games", "engine", "config", "fields", "paths"),
    "serve": ("service", "mail", "engine", "config", "paths"),
    "service": ("mail", "render", "games", "engine", "config", "fields", "paths"),
    "mail": ("engine", "paths"),
    "render": ("engine", "paths"),
    "testing": ("service", "mail", "render", "engine"),
    "games": ("wargame", "engine"),
    "wargame": ("engine",),
    "tour": ("engine",),
    "engine": (),
    "config": ("engine", "fields", "paths"),
    "fields": ("mail",),
    "paths": ("engine",),
}
"""What each part of the package may import besides itself."""

ROOMS = ("play", "record", "proof", "letters", "moderating", "intake", "time", "tools")
"""The rooms of the service: each may import those before it."""

OUTSIDE = {
    "aiosmtplib", "alembic", "asyncio", "click", "concurrent", "email", "http", "icalendar", "imaplib",
    "jinja2", "logging", "multiprocessing", "os", "PIL", "resvg", "rich", "smtplib", "socket",
    "sqlalchemy", "sqlite3", "sqlmodel", "subprocess", "tempfile", "threading", "time", "urllib", "uuid",
}  # fmt: skip
"""What rules have no use for: mail, database, screen, clock, processes and the machine they run on."""

CHANCE = {
    "random": ("bots.py", "autoplay.py", "imagine.py", "plan.py", "planner.py"),
    "secrets": ("dice.py",),
}
"""Sources of chance, and the modules of the engine that may have them: bots are handed theirs."""

PLANS = ("plan.py", "guess.py")
"""The modules of a game that may have a source of chance: its plan for the planner, and what it guesses."""

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
    return [path for path in MODULES if part(path) in ("engine", "wargame", "games", "tour")]


def imported_parts(path: Path, at: int = 1) -> Iterator[tuple[str, str]]:
    """What a module imports of pbem, each with the part that it belongs to; `at` counts from the left."""
    for module in imported(path):
        steps = module.split(".")
        if steps[0] == "pbem" and len(steps) > at:
            yield steps[at], module


def test_every_part_has_its_place() -> None:
    """Whatever stands in the package belongs to a part whose imports are looked at here."""
    assert {part(path) for path in MODULES} - {""} <= set(BELOW)
    assert len(rules()) > 10


def test_imports_point_one_way() -> None:
    """cli -> service -> mail, render, games -> wargame -> engine, and no other way."""
    wrong = [
        f"{name(path)} belongs to {part(path) or 'the package'} and may not import {module}"
        for path in MODULES
        for there, module in imported_parts(path)
        if there not in (part(path), *BELOW.get(part(path), ()))
    ]
    assert not wrong, wrong


def test_games_do_not_know_one_another() -> None:
    """A game imports nothing of another game."""
    wrong = [
        f"{name(path)} imports {module}"
        for path in MODULES
        if part(path) == "games"
        for there, module in imported_parts(path, 2)
        if module.startswith("pbem.games.") and there not in path.relative_to(PACKAGE).parts[1:-1]
    ]
    assert not wrong, wrong


def room(path: Path) -> str:
    """The room of the service that a module stands in; empty for one outside."""
    steps = path.relative_to(PACKAGE).parts
    return steps[1] if steps[0] == "service" and len(steps) > 2 else ""


def arrows() -> set[tuple[str, str]]:
    """Which room of the service imports which."""
    return {
        (room(path), there)
        for path in MODULES
        if room(path)
        for there, module in imported_parts(path, 2)
        if module.startswith("pbem.service.") and there != room(path)
    }


def floor(here: str, found: set[tuple[str, str]]) -> int:
    """How many rooms stand on one another up to this one."""
    return 1 + max((floor(below, found) for above, below in found if above == here), default=0)


def methods() -> Iterator[tuple[int, str, str]]:
    """The classes of the service: how many methods each has, its name and its module."""
    for path in MODULES:
        if part(path) == "service":
            for node in ast.walk(tree(path)):
                if isinstance(node, ast.ClassDef):
                    yield sum(isinstance(each, ast.FunctionDef) for each in node.body), node.name, name(path)


def test_every_module_of_the_service_has_its_room() -> None:
    """The service is its rooms and nothing beside them."""
    stands = {room(path) or name(path) for path in MODULES if part(path) == "service"}
    assert stands == {*ROOMS, "service/__init__.py"}


def test_rooms_of_the_service_import_one_way() -> None:
    """A room uses those before it, never those behind it."""
    wrong = [
        f"{name(path)} imports {module}"
        for path in MODULES
        if (here := room(path))
        for there, module in imported_parts(path, 2)
        if module.startswith("pbem.service.") and there not in ROOMS[: ROOMS.index(here) + 1]
    ]
    assert not wrong, wrong


def test_no_class_of_the_service_does_everything() -> None:
    """No class of the service has more than 30 methods."""
    assert not [found for found in methods() if found[0] > 30]


def test_a_name_means_one_class_in_a_room() -> None:
    """No two classes of a part of the package have the same name: of a game, of a room of the service."""
    where: dict[tuple[str, str], list[str]] = {}
    for path in MODULES:
        steps = path.relative_to(PACKAGE).parts
        here = "/".join(steps[:2]) if steps[0] in ("games", "service") else steps[0]
        for node in tree(path).body:
            if isinstance(node, ast.ClassDef):
                where.setdefault((here, node.name), []).append(name(path))
    assert not {key: paths for key, paths in where.items() if len(paths) > 1}


def test_play_and_letters_know_no_database() -> None:
    """Lines are judged and played, and letters written, without SQL: they are handed what is stored. `play`
    knows no store at all, and `letters` no more of it than the rows that a game record gives."""
    for path in MODULES:
        if room(path) in ("play", "letters"):
            names = {*imported(path)}
            assert not {each.split(".")[0] for each in names} & {"sqlalchemy", "sqlmodel"}, name(path)
            assert not [each for each in names if each.startswith("pbem.service.record.store")], name(path)


def test_rules_know_no_outside_world() -> None:
    """Engine, wargame and games import no mail, database, clock, process or event loop, and no source of
    chance."""
    for path in rules():
        roots = {module.split(".")[0] for module in imported(path)}
        assert not roots & OUTSIDE, name(path)
        for source, allowed in CHANCE.items():
            may = allowed if part(path) == "engine" else PLANS
            assert source not in roots or path.name in may, name(path)


def test_rules_read_no_clock() -> None:
    """Nothing in engine, wargame and games asks what day or time it is."""
    calls = [
        f"{name(path)}:{node.lineno}"
        for path in rules()
        for node in ast.walk(tree(path))
        if isinstance(node, ast.Attribute)
        and node.attr in CLOCK
        and isinstance(node.value, ast.Name | ast.Attribute)
        and ast.unparse(node.value).split(".")[-1] in ("datetime", "date")
    ]
    assert not calls


def test_unfinished_phases_run_no_finally() -> None:
    """No rule awaits inside `try ... finally`: an unfinished phase is closed, and the `finally` would act."""
    caught = [
        f"{name(path)}:{node.lineno}"
        for path in rules()
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


if __name__ == "__main__":
    there = arrows()
    print(f"{len(ROOMS)} rooms on {max(floor(each, there) for each in ROOMS)} floors, {len(there)} arrows")
    for above, below in sorted(there, key=lambda pair: [ROOMS.index(each) for each in pair]):
        print(f"  {above} -> {below}")
    for number, kind, where in sorted(methods())[:-6:-1]:
        print(f"{number} methods: {kind} ({where})")
