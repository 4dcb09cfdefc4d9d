"""How players of this game put orders into words of the rulebook and of their own: what pbem reads for them
(`Grammar.respelt`, `Grammar.sayings`)."""

from __future__ import annotations

RESPELT = (
    (
        r"\b(?:use|fire) (\d|one|two|three|four) points? of (?:naval )?(?:gun ?fire|bombardment) (?:on|at) (?:the )?",
        r"guns \1 at ",
    ),
    (
        r"\bnaval (?:bombardment|gun ?fire) (?:of|on) (\w+) ?[-:,]? ?(\d|one|two|three) (?:us |uk |rn )?(?:destroyer|cruiser|battleship)? ?(?:points?)?$",
        r"guns \2 at \1",
    ),
    (r"\b(?:the )?big red one\b", r"1US"),
    (r"\b(?:the )?screaming eagles\b", r"101AB"),
    (r"\ball[ -]americans?\b", r"82AB"),
    (r"\bhitler ?jugend\b", r"12SS"),
    (r"\bx (?=\d{4})", r"attacks "),
    (
        r"\b(?:(?:2nd|1st|one|an|1|2|both|the|je ein|ein) )?(?:offensive ?|offensiv)?(?:markers?|marker) ?(?:on|to|for|:|auf|goes to)",
        r"support",
    ),
    (r"\b(?:(?:2nd|1st|one|an|1|2|both|the) )?offensive markers? ?(?:on|to|for|:|auf)?", r"support "),
    (r"(?:^|(?<=, ))1 marker (?=[IVXL\d])", r"support "),
    (r"\bsupported(?: (?:ems?|hqs?|corps))? ?: ?", r"support "),
    (r"\b(?:the )?fighters? (?:on|to|for) interdiction (?:in|of|over) (?:zone )?", r"interdict zone "),
    (r"\binterdiction (?:in|of|over) (?:zone )?", r"interdict zone "),
    (r"\bbombers? ?: ?both on (?:the )?(.*?)(?: box)?$", r"delay \1 with 2 bombers"),
    (
        r"\b(\d|one|two) bombers? (?:on |to )?(?:the )?([A-Z][\w ]*?)(?: box)?(?=,|$)",
        r"delay \2 with \1 bombers",
    ),
    (r"\bbrittany\b", r"Bretagne"),
    (r"\b(?:with|mit) (?:the )?([\w./]+(?: (?:corps|korps|hq))?) support\b", r"support of \1"),
    (r"\b(?:mit )?unterst(?:ü|ue)tzung(?: (?:von|durch|des))? ", r"support of "),
    (r"\bsupply drop (?:for|to|on) (.*)$", r"supply \1 by air"),
    (r"\bsupply (.*?) by (?:parachute|air ?drop)\b", r"supply \1 by air"),
    (
        r"^ ?(?:one|a|1) (?:infantry |armou?red |tank |panzer |replacement )*steps? (?:to|for|on) ",
        r"replace ",
    ),
    (r"\bgets? (?:one|a|1|its) (?:infantry |armou?red |tank )?(?:step|replacement)(?: back)?", r"replace"),
    (r"^ ?(?:ersatz|replacements?) ?: ?", r"replace "),
    (r"\b(?:je )?einen\b", r""),
    (r"\b(?:strasse|straße|road) (?=[A-Z]\b)", r"at "),
    (r"\bdont\b", r"don't"),
)
"""Nicknames, and nouns that stand for a verb."""

SAYINGS = (
    (
        r"(?:with )?(?:naval (?:support|gun ?fire|bombardment)|navy|naval|guns|gun ?fire)?(?: (?::|by|of|-|from))? ?(\d{1,2}|one|two|three|four|five|six|an|a) (?:us |uk |rn |royal navy |american |british )?(?:destroyers?|cruisers?|battleships?|ships?|(?:naval|gun|cruiser|destroyer) points?|points? of (?:naval )?gun ?fire)(?: (?:rn|uk|us))?",
        r"guns \1",
    ),
    (
        r"(?:with )?(\d{1,2}|one|two|three|four|five|six|an|a) fighters?(?: in support| helping)?",
        r"fighters \1",
    ),
    (r"(?:with )?(?:the )?fighters?(?: in support)?", r"fighters 1"),
    (r"(?:and )?(?:with )?support (?:of|from|by) (?:the )?(\S+(?: (?:corps|korps|hq))?)", r"support of \1"),
    (r"beach|zone", r""),
)
"""Turns of phrase for a part of an order."""
