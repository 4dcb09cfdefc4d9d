"""How players of this game put orders into words of the rulebook and of their own: what pbem reads for them
(`Grammar.respelt`, `Grammar.sayings`)."""

from __future__ import annotations

RESPELT = (
    (r"^ ?give (?:the |a |one )?(?:replacements?|reps?) to\b", "replenish"),
    (r"^ ?(?:one|a|1) steps?(?: each)?(?: ?:| to| for) ?", "replenish "),
    (r"\b(?:gets?|receives?|takes?) (?:a |one |the )?(?:replacements?|reps?)(?: markers?)?\b", r"replenish"),
    (r"\b(?:place|put) (?:a |one |the )?(?:replacements?|reps?)(?: markers?)? (?:on|with)\b", r"replenish"),
    (r"\bto full strength\b", r""),
    (r"\b(?:first|1st) allied airborne army ?: ?", r""),
    (r"\bstays? (?:at home|in england|in the air)\b", r"stays"),
    (r"^ ?(?:para ?drop|fallschirm|air ?drop|airborne drop) ?: ?", r"drop "),
    (r"\bto (?=jump|drop|attack|move|land)", r""),
)
"""Nicknames, and nouns that stand for a verb."""

SAYINGS = (
    (
        r"(?:but )?(?:fall back|stop|break off|retreat|call it off) if (?:it|they|he) (?:loses?|takes?) a (?:step|loss)",
        r"stop at 1 losses",
    ),
    (r"(?:fight )?(?:on )?(?:until|till) (?:the hex|it) is (?:ours|taken|won)", "fight until won"),
    (
        r"(?:(?:fight|attack|battle) )?(?:(?:for|at|at the) )?(?:(?:most|max\.?|maximum|only|no more than|not more than) )?(\d{1,2}|one|two|three|four|five|six|an|a) rounds?(?: of (?:battle|combat|fighting))?(?: (?:at most|at the most|max\.?|maximum|only))?(?: in each hex)?",
        r"fight at most \1 rounds",
    ),
    (
        r"(?:and )?(?:(?:keep|go on|keep on|continue) (?:attacking|fighting|at it)|fight(?: for it)?|attack) (?:till|until) (?:it|the hex|\w+)(?: is)? (?:falls?|taken|won|ours|done)",
        r"fight until won",
    ),
    (
        r"(?:and )?(?:no limit (?:on|of|to) (?:the )?(?:number of )?rounds|(?:fight )?as (?:long|many rounds) as (?:it takes|needed|necessary)|to the (?:bitter )?end)",
        r"fight until won",
    ),
    (r"(?:and )?fight for it as long as they have (?:movement points|mp)(?: left)?", r"fight until won"),
    (
        r"(?:and )?(?:fall back|stop|break off|retreat|call it off) (?:if|after|when) (?:more than one step is lost|two (?:steps )?(?:losses|are lost|lost))",
        r"stop at 2 losses",
    ),
    (
        r"(?:and )?(?:fall back|stop|break off|retreat|call it off) (?:if|after|when|at) (\d{1,2}|one|two|three|four|five|six|an|a) (?:steps? )?(?:losses|loss|are lost|is lost|lost|steps?)",
        r"stop at \1 losses",
    ),
    (r"(?:and )?attacks?(?: it)?", r""),
)
"""Turns of phrase for a part of an order."""
