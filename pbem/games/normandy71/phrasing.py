"""How players of this game put orders into words of the rulebook and of their own, with what pbem reads for
them (`Declarations.respelt`, `Declarations.sayings`)."""

from __future__ import annotations

NICKNAMES = {
    "69/50": "green howards",
    "231/50": "malta (?:brigade|bde)",
    "6Airldg/6": "air-?landing (?:brigade|bde)",
    "StaffsYeo/27": "staffs yeo(?:manry)?",
    "ERidYeo/27": "east riding yeo(?:manry)?",
    "6CAR/2C": "1st (?:canadian )?hussars",
    "10CAR/2C": "fort garry(?: horse|s)?",
    "27CAR/2C": "sherbrookes?(?: fusiliers)?",
    "9/3C": "(?:canadian )?highland (?:brigade|bde)",
    "131/7": "queen['’]?s (?:brigade|bde)",
}
"""What regiments and brigades are called besides, in histories of the campaign."""

RESPELT = (
    *(
        (rf"\b(?:the )?(?:{called})(?: (?:brigade|bde|regiment))?(?: \({unit}\))?(?!\w)", unit)
        for unit, called in NICKNAMES.items()
    ),
    (
        r"\b(?:lord )?(?:lovat|roosevelt|vandervoort|gavin|feuchtinger|meyer|rudder|huebner)['’]s (?=\w)",
        "",
    ),
    (r"^(utah|omaha|gold|juno|sword)(?: beach)? ?: ?(?!\d{4}\b)(.+)$", r"\2 at \1"),
    (r"\b(utah|omaha|gold|juno|sword)(?: beach)?,? \(?beach (\d{1,2})\)?", r"\2 \1"),
    (r"(?<=\w) ashore (?=(?:at|on) )", " lands "),
    (r"\bcommandos \((\d{1,2}) ?[+&/] ?(\d{1,2})\)", r"\1+\2Cdo"),
    (r"\b(\d{1,2})/(\d{1,2}) (?:cdos?|commandos?)\b", r"\1+\2Cdo"),
    (r"(?<=\w) (?:is |are |stays? |held |kept )?in reserve(?=[.! ]*$)", " stays"),
    (r"^no attacks? (?:by|for|from|with) ([^,;]{1,60}?)(?=[.! ]*$)", r"\1 no attack"),
    (r"^(?:leave|keep) ([^,;]{1,60}?) (?:at|in) (?=\d{4}|[A-Z])", r"\1 stays at "),
    (
        r"\b(?:no\.? ?)?(\d{1,2})(?:th|st|nd|rd)? ?(?:\+|/|and|&) ?(\d{1,2})(?:th|st|nd|rd)? (?:RM "
        r"|royal marine )?(?:cdos?|commandos?)\b",
        r"\1+\2Cdo",
    ),
    (r"\bERY\b", "ERidYeo/27"),
    (r"\b4/7(?:th)? (?:royal )?dragoon guards\b", "4/7DG/8"),
    (r"\b13/18(?:th)? (?:royal )?hussars\b", "13/18H/27"),
    (r"\b(?:aufkl(?:ä|ae)rungsabteilung|recon(?:naissance)?(?: battalion| bn)?)\b", "AA"),
    (r"\b(?:second|2nd) (?:movement|mvt\.?|move)(?: for)? ?[:\-]? ?", ""),
    (r"^ ?(?:first|1st) (?:movement|mvt\.?|move)(?: for)? ?[:\-]? ?", ""),
    (r"\bswap\b", "swap"),
    (
        r"\b(?:splits?|breaks? (?:down|up)|divides?) (.*?) in(?:to)? (?:its )?(?:two|three|2|3"
        r"|four)(?: (?:battalions|parts|\d-\ds?|regiments))?$",
        r"break \1",
    ),
    (r"^ ?break (?:down|up) ([\w/+]+)(?: into (?:its )?(?:battalions|parts))?$", r"break \1"),
    (r"\bbeach (?=\d{4})", ""),
    (r"\bGR\b", "regiment"),
    (r"\b(jumps?|drops?) over (?=(?:the )?\d{4})", r"\1 at "),
    (r"(?<=\d{4}, )((?:the )?[\w/]{2,12}) over (?=\d{4})", r"\1 at "),
    (r"\b(?:on|at) no\.? ?(?=\d{1,2}\b)", "on beach "),
    (r"^(suppl(?:y|ies)(?: areas)?)(?: (?:come|comes) in)? over (?=\d)", r"\1: "),
    (r"\bdigs? (?:itself|themselves|himself) in\b", "digs in"),
)
"""Nicknames, and nouns that stand for a verb."""

SAYINGS = (
    ("dug in|entrenched|in entrenchments?", "entrenched"),
    ("not (?:dug in|entrenched)|unentrenched", "unentrenched"),
    (
        "(?:with |and |by )?(?:a |an |one |1 )?(heavy|medium|light)(?: naval)?(?: (?:gun ?fire"
        "|support|ngs|fire|guns?|ships?|missions?"
        "|gun missions?))*(?: and (?:otherwise )?nothing(?: else)?)?",
        r"naval \1",
    ),
    ("(?:with )?naval (heavy|medium|light)", r"naval \1"),
    (
        "(?:with |and |but )?(?:no|without|not the)(?: any)?(?: (?:heavy|medium|light|naval|gun ?fire|ngs"
        "|support|fire|guns?|ships?|missions?))+",
        "naval none",
    ),
)
"""Turns of phrase for a part of an order."""
