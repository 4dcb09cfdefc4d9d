"""How players of this game put orders into words of the rulebook and of their own, with what pbem reads for
them (`Declarations.respelt`, `Declarations.sayings`)."""

from __future__ import annotations

N = r"(\d{1,2}|one|two|three|four|five|six|an|a)"
"""A number in figures or in a word."""

RESPELT = (
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
)
"""Nicknames, and nouns that stand for a verb."""

SAYINGS = (
    (
        "(?:but )?(?:fall back|stop|break off|retreat|call it off) if (?:it|they|he) (?:loses?"
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
        r"|fight(?: for it)?|attack) (?:till|until) (?:it|the hex|\w+)(?: is)? (?:falls?|taken|won"
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
        "(?:and )?(?:fall back|stop|break off|retreat|call it off) (?:if|after"
        "|when) (?:more than one step is lost|two (?:steps )?(?:losses|are lost|lost))",
        "stop at 2 losses",
    ),
    (
        "(?:and )?(?:fall back|stop|break off|retreat|call it off) (?:if|after|when|at) "
        + N
        + " (?:steps? )?(?:losses|loss|are lost|is lost|lost|steps?)",
        r"stop at \1 losses",
    ),
    ("(?:and )?attacks?(?: it)?", ""),
)
"""Turns of phrase for a part of an order."""
