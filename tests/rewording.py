"""Changes to the rules while they are running: other words in the code of a function, other fields of a
note."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import fields
from functools import reduce
from importlib import import_module
from types import CodeType, ModuleType
from typing import Any

import pytest

from pbem.engine.notes import Note

WORDS = (
    # refusals
    ("falaise.movement:Movement._too_far", " movement point", " point to move with"),
    ("rampage.movement:Planner.leg", " movement point", " point to move with"),
    ("france44.activation:Initiative.check_activate", " is out of supply", " has no supplies"),
    ("normandy44.combat:Combat.duty_fault", " is out of supply", " has no supplies"),
    ("normandy71.reach:UnitReach._check_supply", " would be out of supply in ", " would have no supply in "),
    # losses and the parts of sums, in the notes of the log
    ("falaise.assault:lose_step", "assault", "lost in the assault"),
    ("falaise.assault:disrupt", "disrupted again by a mechanised assault", "disrupted once too often"),
    ("france44.begin:add_reaction", "turn track", "as the turn track says"),
    ("france44.odds:Battle.defence_parts", "defenders out of supply, halved", "halved for want of supply"),
    ("normandy44.odds:fighters", " ", " flying "),
    ("normandy71.odds:defence_parts", ", halved: out of supply", ", half strength without supply"),
    ("normandy71.odds:hex_die", "entrenched", "dug in"),
    ("rampage.breakout:breakout_parts", "pocket west of the line", "all of the pocket in the west"),
    ("rampage.defence:formula", "west of the line", "in the west"),
)
"""Words that the rules say, and what might take their place: where, was, now."""


def reword(patch: pytest.MonkeyPatch, where: str, was: str, now: str) -> None:
    """Put other words into the code of a function, as an editor would: ``game.module:Class.function``."""
    module, _, name = where.partition(":")
    function = reduce(getattr, name.split("."), import_module(f"pbem.games.{module}"))
    code = _reworded(function.__code__, was, now)  # type: ignore[attr-defined]
    assert code != function.__code__, f"{where} does not say {was!r}"  # type: ignore[attr-defined]
    patch.setattr(function, "__code__", code)


def _reworded(code: CodeType, was: str, now: str) -> CodeType:
    return code.replace(co_consts=tuple(_said(each, was, now) for each in code.co_consts))


def _said(constant: Any, was: str, now: str) -> Any:
    if isinstance(constant, CodeType):
        return _reworded(constant, was, now)
    return constant.replace(was, now) if isinstance(constant, str) else constant


def modules(game: str) -> list[ModuleType]:
    """The modules of a game that have been imported."""
    package = f"pbem.games.{game}"
    return [
        module for name, module in sys.modules.items() if name == package or name.startswith(f"{package}.")
    ]


def kinds(game: str) -> Iterator[type[Note]]:
    """The kinds of note that a game declares."""
    for value in vars(import_module(f"pbem.games.{game}.notes")).values():
        if isinstance(value, type) and issubclass(value, Note) and value is not Note:
            yield value


def turn_round(patch: pytest.MonkeyPatch, game: str) -> int:
    """Give every note of a game its own fields in the opposite order; how many notes have a new order."""
    turned = 0
    for kind in list(kinds(game)):
        other = _turned(kind)
        turned += [each.name for each in fields(other)] != [each.name for each in fields(kind)]
        for module in modules(game):
            for name in [name for name, value in vars(module).items() if value is kind]:
                patch.setattr(module, name, other)
    return turned


def _turned(kind: type[Note]) -> type[Note]:
    """The same kind of note, with its own fields in the opposite order."""
    common = {each.name for each in fields(Note)}
    own = [each.name for each in fields(kind) if each.name not in common]
    turned = type(kind.__name__, (kind,), {"__module__": kind.__module__})
    known = kind.__dataclass_fields__
    turned.__dataclass_fields__ = {  # type: ignore[attr-defined]
        name: known[name] for name in (*common, *reversed(own))
    }
    return turned
