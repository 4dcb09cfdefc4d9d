"""How players of this game put orders into words of the rulebook and of their own, with what pbem reads for
them (`Declarations.respelt`, `Declarations.sayings`)."""

from __future__ import annotations

N = r"(\d{1,2}|one|two|three|four|five|six|an|a)"
"""A number in figures or in a word."""

NICKNAMES = {
    "2A": "hell on wheels",
    "3A": "spearhead division",
    "6A": "super sixth",
    "7A": "lucky seventh",
    "2FrA": "2e db|deuxi[eè]me db|leclerc(?:['’]s)? (?:division|2e db|2nd french(?: armou?red)?)",
    "1PolA": "maczek(?:['’]s)? (?:poles|division|polish(?: armou?red)?)",
    "4Inf": "ivy division|4(?:th)? ivy",
    "5Inf": "red diamond",
    "28Inf": "keystone division|bloody bucket",
    "30Inf": "old hickory",
    "35Inf": "santa fe division",
    "79Inf": "cross of lorraine division",
    "80Inf": "blue ridge division",
    "83Inf": "thunderbolt division",
    "90Inf": "tough (?:['’]ombres|hombres)",
    "11BrA": "black bull(?: division)?",
    "51BrInf": "highlanders",
    "15BrInf": "scots|scotsmen",
    "59BrInf": "(?:59(?:th)? )?staffs",
}
"""What divisions are called besides, in histories of the campaign."""
COMMANDERS = r"(?:patton|bradley|hodges|collins|haislip|eddy|walker|monty|montgomery|crerar|dempsey|horrocks)"

RESPELT = (
    *(
        (rf"\b(?:the )?(?:\d{{1,3}}(?:st|nd|rd|th)? )?(?:{called})(?: \(\d{{1,3}}\w{{0,5}}\))?(?!\w)", unit)
        for unit, called in NICKNAMES.items()
    ),
    (r"^(?:both|one each|1 each) (?:of them )?(?:to|for) (?!\d{4})", "replenish "),
    (rf"\b{COMMANDERS}['’]s (?=\w)", ""),
    (
        r"\b(?:races?|dash(?:es)?|barrels?|rolls?|swings?|hooks?) (?:on |out |up |forward )?"
        r"(?=to |into |towards? )",
        "moves ",
    ),
    (r"(?<=\w) (?:is |are |stays? |held |kept )?in reserve(?=[.! ]*$)", " stays"),
    (r"\b(infantry|armou?r|reduced|full) loses? first\b", r"take losses \1 first"),
    (
        r"(?<=\w)(?:,? (?:and )?keeps? (?:on )?(?:attacking|fighting))?"
        r",? (?:un)?till? (?:taken|it falls|it's ours|captured|won)(?=[.! ]*$)",
        ", fight until won",
    ),
    (
        r"(?<=\w)(?:,| and| &| then|, then|, and) (?:(?:they|both|it|he) )?"
        r"(?:(?:stops?|halts?|holds?|stays?) there|holds?|stops?|halts?)(?=[.! ]*$)",
        "",
    ),
    (
        r"(?<=\w)(?: \+|,| and)? fights? there (?:at most|max\.?|no more than) (?=\d|one|two|three)",
        ", fight at most ",
    ),
    (r"\b(?:loses?) (?:its|their) (?:trucks?|lorries|transport|vehicles)\b", "ground"),
    (r"\b(?:gives?|hands?) up (?:its|their|the) (?:trucks?|lorries|transport|vehicles)\b", "ground"),
    (
        r"(?<=\d{4})(?:,? (?:and|then)| ,|,)+ (?:(?:they|it|both) )?(?:stops?|stays?|halts?|remains?|ends?)"
        r" there(?: (?:if|when) (?:they|it|he) (?:wins?|succeeds?))?\W*$",
        "",
    ),
    (r"\b(?:cross(?:es)?) (?:over )?(?:into|to)\b", "moves to"),
    (
        r"^(?:we )?keeps? (.+?) (?:in reserve|back|at home|in england)(?: this turn| for now)?\W*$",
        r"\1 stays",
    ),
    (r"(^|, ?)(\S[^,:]*?) (?:guards?|garrisons?) (\d{4})(?= ?[,.]|$)", r"\1\2 stays in \3"),
    (
        r"\b(?:gets?|receives?|takes?) (?:the )?(?:us |british |american )?(?:replacements|reps)\b",
        "replenish",
    ),
    (r"^ ?give (?:the |a |one )?(?:replacements?|reps?) to\b", "replenish"),
    ("^ ?(?:one|a|1) steps?(?: each)?(?: ?:| to| for) ?", "replenish "),
    (
        r"\b(?:gets?|receives?|takes?) (?:a |one |the )?(?:replacements?|reps?)(?: markers?)?\b",
        "replenish",
    ),
    (
        r"\b(?:place|put) (?:a |one |the )?(?:replacements?|reps?)(?: markers?)? (?:on|with)\b",
        "replenish",
    ),
    (r"\bto full strength\b", ""),
    (r"\b(?:first|1st) allied airborne army ?: ?", ""),
    (r"\bstays? (?:at home|in england|in the air)\b", "stays"),
    ("^ ?(?:para ?drop|fallschirm|air ?drop|airborne drop) ?: ?", "drop "),
    (r"\bto (?=jump|drop|attack|move|land)", ""),
    (r"\bstop (?:under|below|<) ?(?=\d{1,2} ?%)", "stop when odds under "),
    (r"\binf\.? (?=1st\b|first\b)", "infantry "),
    (r"\barm(?:or)?\.? (?=1st\b|first\b)", "armour "),
    (r"\b(infantry|armour|reduced|full|elites|others) 1st\b", r"\1 first"),
    (r"(?<!take)(?<!takes) loss(?:es)? (?=(?:infantry|armour|reduced|full) first\b)", " take losses "),
    (r"(?<=[\w%]),? (?:and |but )?(?:spare|protect)s? (?=\w)", ", take losses never "),
)
"""Nicknames, and nouns that stand for a verb."""

STOP = r"(?:falls? back|stops?|breaks? off|retreats?|calls? it off)"
LOSS = r"(?:steps?(?: (?:lost|loss(?:es)?|is lost|are lost))?|loss(?:es)?)"

SAYINGS = (
    (
        rf"(?:but )?{STOP} (?:if|when|as soon as|after) (?:we|you) (?:lose|take) (?:a|one) (?:step|loss)",
        "stop at 1 losses",
    ),
    (
        rf"(?:with )?(?:no more than|at most|max\.?|maximum|at the most) {N} {LOSS}(?! (?:each|apiece|per))",
        r"stop at \1 losses",
    ),
    (
        rf"(?:(?:but|and) )?{STOP} (?:(?:if|when) (?:the |its |their )?(?:odds|chances?)"
        r"(?: of (?:winning|success|victory))? (?:(?:is|are|gets?|falls?|drops?|goes?) )?)?"
        r"(?:worse than|under|below|less than|lower than|<)"
        r" (\d{1,2}) ?(?:%|percent|per cent)",
        r"stop when odds under \1",
    ),
    (
        "(?:and )?(?:if|when|once|after)"
        " (?:(?:it|they|we|he) (?:wins?|won|succeeds?|takes? it|ha(?:s|ve) won)"
        "|(?:it|that) is (?:won|taken|ours)|(?:it|the hex) falls|successful)(?: ,)?"
        " (?:then )?(?:(?:they|it|we) )?(?:goe?s?|continues?|push(?:es)?|moves?|advances?|drives?)"
        "(?: on)?(?: to| into| towards?)+"
        r" (\d{4})(?!(?: (?:,|and|then))* \d{4})",
        r"then continue to \1",
    ),
    (
        "(?:and )?(?:(?:fight|keep fighting|keep attacking|go on) )?(?:for )?as (?:long|far) as"
        " (?:it|they|we) (?:has|have) (?:movement )?(?:points|mps?)(?: left)?",
        "fight until won",
    ),
    (r"(?:until|till) (?:it|the hex|\d{4}) (?:falls?|is taken|is ours|is won)", "fight until won"),
    (
        r"(?:and )?fights? (?:on )?(?:until|till)(?: (?:it|they|he|we))?(?: (?:has|have|is|are))?"
        r" (?:won|wins?)",
        "fight until won",
    ),
    (
        r"(?:and )?then continues? (?:on )?(?:to|into) (\d{4})(?!(?: (?:,|and|then))* \d{4})",
        r"then continue to \1",
    ),
    (rf"at best {N} rounds?", r"fight at most \1 rounds"),
    (
        "(?:but )?(?:fall back|stop|quit|break off|retreat|call it off) if (?:it|they|he) (?:loses?"
        "|takes?) a (?:step|loss)",
        "stop at 1 losses",
    ),
    ("(?:fight )?(?:on )?(?:until|till) (?:the hex|it) is (?:ours|taken|won)", "fight until won"),
    (
        r"(?:(?:fight|attack|battle) )?(?:(?:for|at|at the) )?(?:(?:most|max\.?|maximum|only"
        "|no more than|not more than) )?"
        + N
        + r" rounds?(?: of (?:battle|combat|fighting))?(?: (?:at most|at the most|max\.?|maximum"
        "|only))?(?: in each hex)?",
        r"fight at most \1 rounds",
    ),
    (
        "(?:and )?(?:(?:keep|go on|keep on|continue) (?:attacking|fighting|at it)"
        r"|fight(?: for it)?|attack) (?:till|until) (?:it|the hex|\d{4})(?: is)? (?:falls?|taken|won"
        "|ours|done)",
        "fight until won",
    ),
    (
        "(?:and )?(?:no limit (?:on|of|to) (?:the )?(?:number of )?rounds|(?:fight )?as (?:long"
        "|many rounds) as (?:it takes|needed|necessary)|to the (?:bitter )?end)",
        "fight until won",
    ),
    ("(?:and )?fight for it as long as they have (?:movement points|mp)(?: left)?", "fight until won"),
    (
        "(?:and )?(?:fall back|stop|quit|break off|retreat|call it off) (?:if|after"
        "|when) (?:more than one step is lost|two (?:steps )?(?:losses|are lost|lost))",
        "stop at 2 losses",
    ),
    (
        "(?:and )?(?:fall back|stop|quit|break off|retreat|call it off) (?:if|after|when|at) "
        + N
        + " (?:steps? )?(?:losses|loss|are lost|is lost|lost|steps?)",
        r"stop at \1 losses",
    ),
    ("(?:and )?attacks?(?: it)?", ""),
)
"""Turns of phrase for a part of an order."""
