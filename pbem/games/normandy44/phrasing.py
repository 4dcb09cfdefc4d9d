"""How players of this game put orders into words of the rulebook and of their own, with what pbem reads for
them (`Declarations.respelt`, `Declarations.sayings`)."""

from __future__ import annotations

N = r"(\d{1,2}|one|two|three|four|five|six|an|a)"
"""A number in figures or in a word."""

AMERICAN = ("American", "Americans", "USA", "USAAF", "First US Army", "1st US Army", "Amerikaner")
BRITISH = ("British", "Commonwealth", "Brits", "GB", "RAF", "British 2nd Army", "Second Army", "Briten")
"""What else players call the two Allied armies."""

NICKNAMES = {
    "1US": "Big Red One, Fighting First",
    "2US": "Indianhead, Indianheads, 2nd Indianhead",
    "4US": "Ivy, Ivy Leaves, Ivymen, 4th Ivy",
    "5US": "Red Diamond, Red Diamonds",
    "8US": "Golden Arrow",
    "9US": "Old Reliables",
    "28US": "Keystone, Bloody Bucket",
    "29US": "Blue and Gray, Blue and Grey, Blue & Gray, Blue & Grey, 29ers",
    "30US": "Old Hickory",
    "35US": "Santa Fe",
    "79US": "Cross of Lorraine",
    "80US": "Blue Ridge",
    "90US": "Tough Ombres, Tough Hombres",
    "82AB": "All American, All Americans, All-American, All-Americans",
    "101AB": "Screaming Eagles",
    "6AB": "Red Devils",
    "3BR": "Ironsides, Iron Division",
    "43BR": "Wyverns, Wessex Wyverns",
    "49BR": "Polar Bears",
    "50BR": "Tyne Tees, Tyne-Tees, Northumbrians",
    "51BR": "Highlanders, 51st Highlanders",
    "15BR": "Scots, 15th Scots",
    "2AD": "Hell on Wheels",
    "3AD": "Spearhead",
    "6AD": "Super Sixth",
    "2DB": "Leclerc, 2DB Leclerc",
    "1PAD": "Maczek",
    "7BAD": "Desert Rats",
    "11BAD": "Black Bull",
    "GAD": "Guards Armoured, Guards Armd, Guards Armored",
    "1SSB": "Lovat, Lord Lovat",
    "4SSB": "Leicester",
    "1BE": "Piron",
    "V/US": "Gerow",
    "VII/US": "Collins, Lightning Joe",
    "VIII/US": "Middleton",
    "XIX/US": "Corlett",
    "XV/US": "Haislip",
    "XX/US": "Walker",
    "I/BR": "Crocker",
    "VIII/BR": "O'Connor",
    "XII/BR": "Ritchie",
    "XXX/BR": "Bucknall, Horrocks",
    "II/CA": "Simonds",
    "LXXXIV": "Marcks, Choltitz, von Choltitz",
    "IIFJ": "Meindl",
    "LXXXVI": "Obstfelder, von Obstfelder",
    "LXXIV": "Straube",
    "LXXXI": "Kuntzen",
    "ISS": "Dietrich, Sepp Dietrich",
    "IISS": "Hausser, Bittrich",
    "XLVII": "Funck, von Funck",
    "LVIII": "Krüger",
    "1SS": "LAH, LSSAH, LAH Division, Leibstandarte",
    "2SS": "Das Reich",
    "9SS": "Hohenstaufen",
    "10SS": "Frundsberg",
    "12SS": "HJ, Hitlerjugend, Hitler Jugend, Hitler Youth",
    "17SS": "GvB, Götz, Götz von Berlichingen",
    "Lehr": "Panzer Lehr, Pz Lehr, PzLehr, Panzerlehr, Bayerlein",
    "116Pz": "Windhund, Greyhounds",
    "21Pz": "Feuchtinger",
    "FlakA": "Flak A",
    "FlakB": "Flak B",
    "FlakC": "Flak C",
    "FJR6": "Heydte, Von der Heydte",
}
"""What units and divisions were called, and who commanded them."""

RESPELT = (
    (r"\bboth (?:offensive )?markers? ?(?:on|to|for|:)? ?", "support both of them "),
    (
        r"\b(?:use|fire) (\d|one|two|three|four) points? of (?:naval )?(?:gun ?fire"
        "|bombardment) (?:on|at) (?:the )?",
        r"guns \1 at ",
    ),
    (
        r"^ ?(\d|one|two|three|four) (?:points? of )?(?:us |uk |rn |royal navy |american |british )?"
        r"(?:destroyers?|cruisers?|battleships?|ships?)(?: points?)? "
        r"(?:bombards?|bombard|shells?|fires? (?:on|at)|supports?|on|at|vs\.?|against|for) (?:the )?",
        r"guns \1 at ",
    ),
    (
        r"\bnaval (?:bombardment|gun ?fire) (?:of|on) (\w+) ?[-:,]? ?(\d|one|two|three) (?:us |uk "
        "|rn )?(?:destroyer|cruiser|battleship)? ?(?:points?)?$",
        r"guns \2 at \1",
    ),
    (r"\bx (?=\d{4})", "attacks "),
    (
        r"^(?:the |our |my )?(?:only |single |one )?(?:offensive )?marker(?: is| goes| should go| shall go)?"
        r" (?:for|to|on|with) (?:the )?(?=\S)",
        "support ",
    ),
    (
        r"^(?:the |our )?(?:only |single |one )?fighter(?: squadron)? ?: ?(?:to |for |over )?(?=\S)",
        "fighter to ",
    ),
    (r"^(?:hq|corps|offensive) support ?(?::|for|to|goes to|on) ?(?:the )?", "support "),
    (
        r"^(?!(?:the )?II\b)(.{1,60}?) (?:gets?|has|have|receives?) (?:an?|the|one|both|each an?"
        r"|our)? ?(?:offensive )?"
        r"(?:markers?|offensive support)(?: each)?$",
        r"support \1",
    ),
    (r"^(?:naval|guns?|ngf|gun ?fire|ships|navy)(?: (?:support|points?|gun ?fire))? ?: ?(?=\d)", ""),
    (
        r"(?:^|(?<=, )|(?<=and ))(\d|one|two|three|four) (?:naval |gun |ngf )?(?:pts?|points?)"
        r"(?: (?:in support of|on|at|for|to))? (?:the )?(?=[A-Z\d])",
        r"guns \1 at ",
    ),
    (
        r"(?:^|(?<=, )|(?<=and ))(\d|one|two|three|four) fighters? ?(?:->|to|for|over|on|with|w/"
        r"|covers?) ?(?:the )?"
        r"((?-i:[IVXL]{1,7}(?:/(?:US|BR|CA))?)(?: (?:corps|hq))?)(?=,| and|$)",
        r"cover \2 with \1 fighters",
    ),
    (
        r"(?<=fighters, )(\d|one|two|three) ?(?:->|to|for|over|on|with|w/) ?(?:the )?"
        r"((?-i:[IVXL]{1,7}(?:/(?:US|BR|CA))?)(?: (?:corps|hq))?)(?=,| and|$)",
        r"cover \2 with \1 fighters",
    ),
    (r"^(.{2,60}?) (?:is|are) (?:the )?supported(?: (?:hqs?|corps|ones))?(?: this turn)?$", r"support \1"),
    (r"^(?:raf|uk|british) (?:fighter )?(?:over|in|on) zone (\w+)$", r"interdict zone \1 with UK"),
    (r"^(?:usaaf|us|american) (?:fighter )?(?:over|in|on) zone (\w+)$", r"interdict zone \1 with US"),
    (r"^gives? (.{2,40}?) (?:back )?(?:an?|one|its|their) (?:step|replacement)s?(?: back)?$", r"replace \1"),
    (
        r"^(?:naval|gun ?fire)(?: support)? (?:for|at|on) ([\w ]{3,20}?)"
        r" ?: ?(\d|one|two) ?(?:pts?|points?)?$",
        r"guns \2 at \1",
    ),
    (r"^cover ?: ?(?=\S)", "cover "),
    (
        r"(?:(?<=cover )|(?<=, ))((?-i:[IVXL]{1,7}(?:/(?:US|BR|CA))?)(?: (?:corps|hq))?) (\d)(?=,|$)",
        r"cover \1 with \2 fighters",
    ),
    (r"\bcover cover\b", "cover"),
    (r"^(?:an? |one )?steps? (?:for|to|on) (?:the )?", "replace "),
    (r"^(.{2,40}?) gets? (?:a |an |one |the |our )?(?:replacements?|steps?|rps?)$", r"replace \1"),
    (
        r"^(?:give|send)s? (?:an? |one |the |our )?(?:replacement(?: point)?|step|rp)s? to (?:the )?"
        r"(.{2,40})$",
        r"replace \1",
    ),
    (
        r"^(?:2|two) (?:rp|replacement(?: point)?|step)s? ?: ?(?:1|one) (?:on|for|to) (.{2,25}?)"
        r"(?:,| and|, and) (?:1|one) (?:on|for|to) (.{2,25})$",
        r"replace \1, \2",
    ),
    (r"^(?:fill|build|bring)s? up (?:the )?(?=\S)", "replace "),
    (r"^(?:1|one|a) (?:repl|replacement|step|rep)s? each (?:to|for) (?:the )?", "replace "),
    (
        r"^(?:raf|uk|british) (?:fighter )?(?:interdicts?|interdiction)(?: (?:of|over|in))? ?"
        r"(?:zone )?(\w+)$",
        r"interdict zone \1 with UK",
    ),
    (
        r"^(?:usaaf|us|american) (?:fighter )?(?:interdicts?|interdiction)(?: (?:of|over|in))? ?"
        r"(?:zone )?(\w+)$",
        r"interdict zone \1 with US",
    ),
    (
        r"^(us|american|raf|uk|british) (?:heavies|heavy bombers|bombers) (?:carpet[ -]?bomb|carpet)s?"
        r"(?: bombing)?(?: on| at)? (.{2,40})$",
        r"carpet \2 with \1",
    ),
    (
        r"^(?:the )?bombers (?:hit|bomb|over|strike|go to|to|on|at|against|delay) (?:the )?"
        r"(.{2,20}?)(?: box)?$",
        r"delay \1",
    ),
    (
        r"^both bombers(?: (?:hit|bomb|over|go to|to|on|at))+ (?:the )?(.{2,20}?)(?: box)?$",
        r"delay \1 with 2 bombers",
    ),
    (
        r"^(?:air supply|supply by air|air ?drop|drop supplies) ?(?::|for|to|on) ?(.{2,40})$",
        r"supply \1 by air",
    ),
    (
        r"(?:^|(?<=[.,] ))(?:(?:one|an?|1|the) )?(?:(?:infantry|armou?red|tank|panzer|replacement) )+steps?"
        r" ?(?::|to|for|on|goes to) ?(?:the )?",
        "replace ",
    ),
    (r"\b(?:the )?beach(?:es)? (?:at|of|near) (?=[A-Z\d])", ""),
    (r"(?<=[a-z]) beach(?:es)?(?= |,|$)", ""),
    (
        r"\b(?:(?:2nd|1st|one|an|1|the|je ein|ein) )?(?:offensive ?|offensiv)?(?:markers?"
        "|marker) ?(?:on|to|for|:|auf|goes to)",
        "support",
    ),
    (r"\b(?:(?:2nd|1st|one|an|1|the) )?offensive markers? ?(?:on|to|for|:|auf)?", "support "),
    (r"(?:^|(?<=, ))1 marker (?=[IVXL\d])", "support "),
    (r"\bsupported(?: (?:ems?|hqs?|corps))? ?: ?", "support "),
    (r"\b(?:the )?fighters? (?:on|to|for) interdiction (?:in|of|over) (?:zone )?", "interdict zone "),
    (r"\binterdiction (?:in|of|over) (?:zone )?", "interdict zone "),
    (r"\bbombers? ?: ?both on (?:the )?(.*?)(?: box)?$", r"delay \1 with 2 bombers"),
    (
        r"\b(\d|one|two) bombers? (?:on |to )?(?:the )?([A-Z][\w ]*?)(?: box)?(?=,|$)",
        r"delay \2 with \1 bombers",
    ),
    (r"^ ?(?:a |the )?bomber (?:on |to |for )(?:the )?([A-Z][\w ]*?)(?: box)?$", r"delay \1 with 1 bomber"),
    (r"^ ?(?:a |the )?fighter (?:with|w/|to|for|over|covers?) (?:the )?", "cover "),
    (r"\bbrittany\b", "Bretagne"),
    (
        r"\b(?:with|mit) (?:the )?(?!(?:the|no|not) )([\w./]+(?: (?:corps|korps|hq))?) support\b",
        r"support of \1",
    ),
    (r"\b(?:mit )?unterst(?:ü|ue)tzung(?: (?:von|durch|des))? ", "support of "),
    (
        r"^(\S+)(?=\s)(.*?)(?:, ?(?:and )?| and )(?:the )?([\w./]+(?: (?:corps|korps|hq))?) "
        r"(?:supports|supporting|in support)"
        r"(?: (?:it|them|him|this|that|the attack|the battle|of (?:it|them)|\1))?$",
        r"\1\2, support of \3",
    ),
    (r"\bsupply drop (?:for|to|on) (.*)$", r"supply \1 by air"),
    (r"\bsupply (.*?) by (?:parachute|air ?drop)\b", r"supply \1 by air"),
    (
        "^ ?(?:one|a|1) (?:infantry |armou?red |tank |panzer |replacement )*steps? (?:to|for|on) ",
        "replace ",
    ),
    (r"\bgets? (?:one|a|1|its) (?:infantry |armou?red |tank )?(?:step|replacement)(?: back)?", "replace"),
    ("^ ?(?:ersatz|replacements?) ?: ?", "replace "),
    (r"\b(?:je )?einen\b", ""),
    (r"\b(?:strasse|straße|road) (?=[A-Z]\b)", "at "),
    (r"\bdont\b", "don't"),
)
"""Nicknames, and nouns that stand for a verb."""

TURNS = (
    (r"^(?:bomb|bombers? on) (?:the )?(.{2,20}?)(?: box)?$", r"delay \1"),
    (
        r"\b(\d|one|two) (?:us|uk|american|british|raf) fighters? ?(?:->|to|for|over|on|with|w/) ?"
        r"(?:the )?(.+)$",
        r"cover \2 with \1 fighters",
    ),
    (r"\binf(?:antry)? (?:before|ahead of) (?:the )?(?:armou?r|tanks|panzers)\b", "infantry first"),
    (
        r"\b(?:(?:armou?r|tanks|panzers) (?:last|at the end)|(?:spare|never|not) (?:the )?"
        r"(?:armou?r|tanks|panzers))\b",
        "infantry first",
    ),
    (r"\bretreat ?: ?(?:fall|pull|go|move|withdraw)(?: back)? (?=to)", "retreat: "),
    (r"\badvance ?: ?(?:no|never) advance\b", "advance: never"),
    (r"^(standing ?:? ?)(?:no|never) advance (?=out of)", r"standing advance: never "),
)
"""Turns of phrase that are offered in the words of the usage lines."""

SAYINGS = (
    (
        "(?:with )?(?:naval (?:support|gun ?fire|bombardment)|navy|naval|guns|gun ?fire)?(?: (?::"
        "|by|of|-|from))? ?"
        + N
        + " (?:us |uk |rn |royal navy |american |british )?(?:destroyers?|cruisers?|battleships?"
        "|ships?|guns?|(?:naval|gun|cruiser|destroyer) points?|points? of (?:naval )?gun ?fire)(?: (?:rn"
        "|uk|us))?",
        r"guns \1",
    ),
    (
        "(?:with )?" + N + " (?:fighters?|air(?: support)?|planes?|aircraft)(?: in support| helping)?",
        r"fighters \1",
    ),
    ("(?:with )?fighters? " + N, r"fighters \1"),
    ("(?:with )?guns " + N, r"guns \1"),
    ("(?:with )?" + N + " naval", r"guns \1"),
    (
        "(?:with )?(?:naval (?:gun ?fire|support|bombardment)|gun ?fire|naval) "
        + N
        + "(?: ?(?:pts?|points?))?",
        r"guns \1",
    ),
    ("(?:with )?(?:air|fighter points?) " + N, r"fighters \1"),
    ("(?:with )?" + N + " fighter points?", r"fighters \1"),
    ("(?:with )?(?:the )?fighters?(?: in support)?", "fighters 1"),
    (
        r"(?:and )?(?:with )?(?:(?:the )?support (?:of|from|by)|supported by) (?:the )?"
        r"(\S+(?: (?:corps|korps|hq))?)",
        r"support of \1",
    ),
    (
        r"(?:and )?(?:(?:takes? |the )?(?:first |1st )?loss(?:es)?|first step)(?: (?:from|on|to|for"
        r"|with))? (?:the )?"
        r"(\S*\d\S*(?: (?:armd|armoured|div|division))?)(?: first)?",
        r"lose \1",
    ),
    ("beach|zone", ""),
)
"""Turns of phrase for a part of an order."""
