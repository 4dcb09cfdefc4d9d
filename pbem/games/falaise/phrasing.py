"""How players of this game put orders into words of the rulebook and of their own, with what pbem reads for
them (`Declarations.respelt`, `Declarations.sayings`)."""

from __future__ import annotations

N = r"(\d{1,2}|one|two|three|four|five|six|an|a)"
"""A number in figures or in a word."""

STOPS = r"(?:,? (?:and|then)| ,|,)+ (?:(?:they|it|both) )?(?:stops?|stays?|halts?|remains?|ends?) there\W*$"
"""What is said at the end of a move: it ends there anyway."""

RESPELT = (
    (
        r"\b(?:the )?(?:typhoons?|thunderbolts?|raf|2nd taf|usaaf|luftwaffe)(?: strikes?| attacks?)?\b",
        "airstrike",
    ),
    (r"\bairstrikes? x ?(\d) (?:on |at |against )?", r"\1 airstrikes on "),
    (r"(?<=\w) (?:x ?(\d)|(\d) ?x)(?=[\s,.]|$)", r" times \1\2"),
    (
        r"^(artillery of [\w ]{1,30}?) (?:shells?|hits?|fires? (?:on|at)|bombards?|barrages?) (?:on )?(?=\S)",
        r"\1 on ",
    ),
    (r"\b3(?:rd)? ?(?:AD|armd|armou?red)(?: div(?:ision)?)? (CC[AB])\b", r"\1"),
    (r"\bairstrike (?:hits?|bombs?|strafes?|attacks?) (?=\S)", "airstrike "),
    (r"\b(?:\d(?:nd|rd|th)? )?agras? (?:of )?", "artillery of "),
    (r"\b(?:wittmann|leclerc|patton|crerar|simonds|maczek|meyer|hausser|bittrich|meindl)['’]s (?=\w)", ""),
    (
        r"\b(?:(?:101|501)\.? ?)?s(?:chwere )?\.?(?:ss-?)?(?:pzabt|panzerabteilung)\.?(?: (?:101|501))?\b",
        "501SS",
    ),
    (r"\b(501SS)(?: (?:pz|panzer)\.?(?:abt|bn)\.?)\b", r"\1"),
    (r"\b(?:wittmann|the tigers?|tiger (?:bn|battalion|abt))\b", "501SS"),
    (
        r",? (?:and )?(?:breaks?|breaking) contact(?:,|,? and)? "
        r"(?=falls?|moves?|goe?s?|pulls?|retreats?|withdraws?)",
        " ",
    ),
    (r"(?<=\w) (?:is |are |stays? |held |kept )?in reserve(?=[.! ]*$)", " stays"),
    (
        r"\bexits? (?:the map )?(?:by|over|at|off|from|via|through) (?:the )?south(?:ern)?(?: map)? edge\b",
        "exits",
    ),
    (
        r"(?: -|[,;])? (?:and )?(?P<who>(?:the )?[\w/]{1,20}(?: [\w/]{1,12}){0,2}?)"
        r" (?:takes?|loses?|absorbs?) (?:the |any |all )?(?:first )?"
        r"(?:loss(?:es)?|steps?|step loss)(?: first)?(?=[,.! ]*$|, )",
        r", lose \g<who>",
    ),
    (
        r"[,;] (?P<who>(?:the )?[\w/]{1,20}(?: [\w/]{1,12}){0,2}?) loses first(?=[,.! ]*$|, )",
        r", lose \g<who>",
    ),
    (rf"^((?:(?!assault|attack|hit|strike|storm|against).)*\d{{4}}){STOPS}", r"\1"),
    ("^ ?guf ?: ?", ""),
    (r"\b(?:jabos?|air ?forces?|air attacks?|fighter.bombers?)\b", "airstrike"),
    (r"\bair strikes?\b", "airstrike"),
    (
        r"^(?:all )?(a|one|two|three|four|five|six|\d) strikes? (?=(?:on|at|against) |\d{4})",
        r"\1 airstrikes ",
    ),
    (r"^all (?=(?:two|three|four|five|six|\d) airstrike)", ""),
    (r"\bcps\b", "Corps"),
    (
        r"^(?:please )?(?:takes? )?(?P<who>[^,;.]+?) (?:(?:comes?|are|is) )?(?:taken )?"
        r"under (?:our |my |its )?command(?: this turn)?(?=[.! ]*$)",
        r"attach \g<who>",
    ),
    (r"^ ?airstrikes? ?[:-] ?(?:(?:one|1) )?(?:each )?(?:on |at )?(?=\d{4})", "airstrike on "),
    (r"\b(?:guns|artillery|arty) (?:fires?|barrages?|shoots?|shells?|bombards?)\b", "artillery"),
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
