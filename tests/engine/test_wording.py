"""Words that all letters share."""

from __future__ import annotations

from pbem.engine.wording import some


def test_a_list_never_ends_with_one_more() -> None:
    """The name takes no more room than to say so; from two on they are counted."""
    names = list("abcdefgh")
    assert some(names[:7]) == "a, b, c, d, e, f, g"
    assert some(names) == "a, b, c, d, e, f and 2 more"
