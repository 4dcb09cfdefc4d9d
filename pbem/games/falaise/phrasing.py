"""How players of this game put orders into words of the rulebook and of their own, with what pbem reads for
them (`Declarations.respelt`, `Declarations.sayings`)."""

from __future__ import annotations

N = r"(\d{1,2}|one|two|three|four|five|six|an|a)"
"""A number in figures or in a word."""

STOPS = r"(?:,? (?:and|then)| ,|,)+ (?:(?:they|it|both) )?(?:stops?|stays?|halts?|remains?|ends?) there\W*$"
"""What is said at the end of a move: it ends there anyway."""

RESPELT = (
    (rf"^((?:(?!assault|attack|hit|strike|storm|against).)*\d{{4}}){STOPS}", r"\1"),
    ("^ ?guf ?: ?", ""),
    (r"\b(?:jabos?|air ?forces?|air attacks?|fighter.bombers?)\b", "airstrike"),
    (r"\bair strikes?\b", "airstrike"),
    (r"^ ?airstrikes? ?[:-] ?(?:(?:one|1) )?(?:each )?(?:on |at )?(?=\d{4})", "airstrike on "),
    (r"\b(?:guns|artillery|arty) (?:fires?|shoots?|shells?|bombards?)\b", "artillery"),
    (
        r"\badvanc(?:es?|ing) with ([^,.;]+?)(?: (?:if|when|once) (?:it(?:'s| is) (?:taken|ours|empty)"
        r"|it falls|(?:they|the enemy|the germans) (?:retreats?|goe?s?|leaves?)))?(?=$|[,.])",
        r"advance \1",
    ),
    (r"\btigers\b", "501SS"),
    (r"^ ?(?:all )?(?:the )?(?:artillery|arty|guns) of (?=\w)", "artillery of "),
    (
        r"^ ?(?:all )?(?:the )?([\w. ]{1,30}?) (?:artillery|arty|guns) (?:hits?|on|at) (?=\d{4})",
        r"artillery of \1 on ",
    ),
    (r",? (?:and )?(?:breaks?|breaking) contact(?=[.! ]*$)", ""),
    (r"\bbreaks? contact (?:and (?:moves?|goes) )?to\b", "moves to"),
    (r"^ ?break contact with ([^,;]{1,40}?),? and (?:move|go) to\b", r"\1 to"),
    (
        r",? (?:and )?([^,]+?) (?:in support|supports|supporting|helps|helping)(?: (?:it|them|him))?$",
        r" with \1",
    ),
    (r"\b(?:the )?sherbrookes?(?: fusiliers)?\b", "27/2AB"),
    (r"\b(?:assault|attack|movement|move|combat) (?:round|phase)\b", r"\g<0>"),
    (r"\b(assault|attack|movement|move) round\b", r"\1"),
    (r"\b(?:hvy|heavy) (?:pz|panzer|tank) (?:bn|battalion|abt\.?) 501\b", "501SS"),
)
"""Nicknames, and nouns that stand for a verb."""

SAYINGS = (
    (
        N + " (?:counters?|strikes?|missions?|airstrikes?|air points?|markers?)",
        r"times \1",
    ),
    ("(?:no|without) (?:movement|attacks?)", ""),
    ("(?:and )?(?:do(?:es)? not|don't|dont) (?:fight|attack)", ""),
)
"""Turns of phrase for a part of an order."""
