"""Words that limit, bind or turn round what they stand in. None of them is a slip of another word, and none
is left out: a line without it would say something else."""

from __future__ import annotations

REFUSALS = frozenset(
    "no not never none nobody dont don't unless without except only neither nor instead rather "
    "nicht nie ohne nur".split()
)
"""Words that turn round what they stand in."""

BOUNDS = frozenset(
    "under over below above beyond less more fewer least most minimum maximum min max before after until "
    "till both either neither every each".split()
)
"""Words that say how far something goes."""

TIMES = frozenset("turn turns phase next week month now today tonight tomorrow later".split())
"""Words that say when: without one of them a line would be for now."""

CONDITIONS = frozenset("if unless when until only falls wenn sobald nur si quand cuando solo se als".split())
"""Words that begin a condition, in six languages."""

LIMITS = frozenset(
    "if unless only not no never but then else otherwise instead stop at or with without via after before "
    "whole entire everyone everybody "
    "until till both all rest first last except don't dont twice half none nobody nothing everything when "
    "while "
    "wenn falls nur nicht kein keine keinen aber sonst dann oder ohne mit bis nach vor beide alle nie außer "
    "stattdessen halt erst sobald solange nichts "
    "si seulement pas ne mais sinon alors ou sans avec après avant jusque jusqu'à tous toutes sauf jamais "
    "rien quand "
    "solo sólo pero entonces sin con hasta después antes todos todas salvo nunca nada cuando "
    "se soltanto non ma senza fino dopo prima tutti tutte mai niente quando "
    "als alleen niet geen maar anders dan of zonder met tot na voor allebei alles nooit niets".split()
)
"""Words that limit, bind or take back what is ordered, in six languages: with one of them a comment may be
meant as part of the order."""
