"""How players of this game put orders into words of the rulebook and of their own: what pbem reads for them
(`Grammar.respelt`, `Grammar.sayings`)."""

from __future__ import annotations

RESPELT = (
    (r"^ ?guf ?: ?", ""),
    (r"\b(?:jabos?|air ?forces?|air attacks?|fighter.bombers?)\b", r"airstrike"),
    (r"\bair strikes?\b", r"airstrike"),
    (r"\btigers\b", r"501SS"),
    (r"\b(?:the )?sherbrookes?(?: fusiliers)?\b", r"27/2AB"),
    (r"\b(?:assault|attack|movement|move|combat) (?:round|phase)\b", r"\g<0>"),
    (r"\b(assault|attack|movement|move) round\b", r"\1"),
    (r"\b(?:hvy|heavy) (?:pz|panzer|tank) (?:bn|battalion|abt\.?) 501\b", r"501SS"),
)
"""Nicknames, and nouns that stand for a verb."""

SAYINGS = (
    (
        r"(\d{1,2}|one|two|three|four|five|six|an|a) (?:counters?|strikes?|missions?|airstrikes?|air points?|markers?)",
        r"times \1",
    ),
    (r"(?:no|without) (?:movement|attacks?)", r""),
    (r"(?:and )?(?:do(?:es)? not|don't|dont) (?:fight|attack)", r""),
)
"""Turns of phrase for a part of an order."""
