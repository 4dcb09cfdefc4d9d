"""Lines that read as orders and can never act, whatever happens in the game: what the words alone rule out.

`Ahead.never` says what only the rules of a game rule out.
"""

from __future__ import annotations

from pbem.engine.language.model import Line


def contradiction(line: Line) -> bool:
    """Whether the line asks for a condition and for its opposite, so that its order can never be given."""
    asked = {clause.condition.about(line.order) for clause in line.conditions if not clause.negated}
    refused = {clause.condition.about(line.order) for clause in line.conditions if clause.negated}
    return not asked.isdisjoint(refused)


def idle_else(line: Line) -> bool:
    """Whether the line has an ``else`` that never comes to pass: its order is neither tried nor subject to a
    condition."""
    return line.otherwise is not None and not line.attempt and not line.conditions
