"""Whether words above the first order of a letter, or below its last DONE, bear on its orders: what takes
them back, puts them off, limits them or asks about them holds them back, as it would among them. Chat holds
nothing.

Each sentence is looked at by itself. Some words are about orders whatever stands beside them (`SURELY`);
others are so if the sentence speaks of the orders: by `this` or `it`, as a line or attack, or by a unit.
"""

from __future__ import annotations

import re

from pbem.engine.language.courtesies import is_greeting
from pbem.engine.language.limits import LIMITS, REFUSALS
from pbem.engine.language.names import LONGEST_NAME, Names

MOST_WORDS = 60
"""No more words of a line are looked at."""
SHORT = 4
"""A sentence of at most this many words that takes something back may speak of an order by nothing."""
WORD = re.compile(r"[^\W_]+(?:['/-][^\W_]+)*")
SENTENCES = re.compile(r"(?<=[.!?;:])\s+|,?\s+\b(?:but|so)\b\s+|\s--?\s")


def _one_of(*phrases: str) -> re.Pattern[str]:
    return re.compile(rf"\b(?:{'|'.join(phrases)})", re.IGNORECASE)


SURELY = _one_of(
    r"(?:scratch|scrap|belay|disregard|undo|skip|bin|void|kill|wipe|strike|cross out|tear up"
    r"|rip up)\b (?:it|that|this|them|those|all|everything|the|my|out|line)\b",
    r"undone\b|never ?mind\b(?! the)|second thoughts?\b",
    r"(?:have |may |might )?(?:changed?|change) (?:my|our) minds?\b|change of (?:mind|plan)\b",
    r"in two minds\b|take (?:(?:all of )?(?:it|that|this|them)|the \w+(?: one)?|what i wrote) back\b",
    r"take back (?:what|the|my)\b|(?:leave|left) (?:it|them|that|this|\S*\d\S*|the \w+(?: \w+)?) out\b",
    r"leave out\b|does(?: not|n't) count\b|actually,? (?:don't|do not|no)\b|drafts?\b|preliminary\b",
    r"provisional\w*|tentative\w*|subject to (?!\w+ weather)",
    r"not (?:yet\b|final\b|ready to|(?:the|my) final|to be (?:played|run|executed))",
    r"(?:not|\w+n't) \w+(?: \w+)? yet\b(?! (?:had|been))|please (?:wait|hold|check|stop|pause)\b",
    r"hold (?:this|it|that|them|these|the (?:letter|orders?|mail))\b",
    r"(?:keep|leave) (?:it|this|that|them|these|the \w+) open\b|sleep(?:ing)? on (?:it|this|that)\b",
    r"sit on (?:it|this)\b",
    r"(?:just|only|as) (?:a |an )?(?:test\w*|check\w*|try\w*|ideas?|planning|thinking|kidding|exercise)\b",
    r"(?:test|dry) (?:only|run)\b|this is (?:just )?a (?:test|check|draft)\b|check whether\b|try this\b",
    r"first ideas?\b|not before\b|(?:will|'ll) confirm\b",
    r"keep (?:one|two|three|\d) (?:points?|units?|bombers?)\b|for discussion\b|ask me\b|check with me\b",
    r"call me before\b|before (?:you|i) (?:run|play|do|roll|send|process)\b",
    r"(?:tell me|let me know) (?:the odds|whether|before|what (?:you|the) odds)",
    r"odds (?:for|of|first|is that)\b",
    r"(?:orders?|rest|half|final (?:ones?|version)|remainder|part|moves?|attacks?"
    r"|second half)\b.*\b(?:later|tomorrow|tonight|soon|follows?|to come)\b",
    r"real orders\b|tell you when\b|wrong game\b|abort\b|called? (?:it |them |that |all )?off\b",
    r"(?:these|this) (?:is|are) for (?:next|turn)|for next (?:turn|phase)\b|old orders\b|do nothing\b",
    r"one of these\b|(?:two|three|some|any|best|none) of (?:these|them)\b(?! [a-z])|as below\b|choose\b",
    r"in (?:that|this) order\b|order matters\b|in doubt\b",
    r"same (?:conditions?|limits?|as above|again in)\b|no further\b",
    r"(?:only|not|except) (?:if|when|where)\b|but not\b|but only\b|provided\b|on condition\b",
    r"permitting\b|only valid\b|(?:must|has to|have to) (?:agree|approve|confirm|see)\b",
    r"only with the consent\b|approv(?:e|al)\b",
    r"(?:stop|end|give up|break off|quit) (?:if|when|there|after|early)\b|stops? when\b|just once\b",
    r"max once\b|go easy\b|keep (?:away|clear)\b|stay (?:away|clear|off|out)\b|at all costs\b",
    r"play (?:this|these|it|them) (?:on|only|to)|(?:better|worse) than \w+ (?:odds|or)",
    r"(?:three|two|four|even) to (?:one|two)\b|(?:once|each) and out\b|streich\w*\b",
    r"vergiss (?:das|es|den|die|meine)|doch nicht\b|kommando zurück",
    r"noch nicht (?:spielen|ausführen|\w+en)\b",
    r"nicht (?:ziehen|spielen|angreifen|bewegen|ausführen|werten|würfeln)\b|(?:noch )?warten\b",
    r"erst (?:morgen|wenn)\b|nur wenn\b|entwurf\b|brouillon\b|bitte nicht\b|zurückziehen\b|annul\w*",
    r"oublie (?:ça|cela|la|le|mes)|finalement non|changé d'avis|(?:ne |n')\w+ pas encore|no lo hagas",
    r"vergeet",
)
"""Words that take orders back, put them off or bind them, whatever stands beside them."""
ALWAYS = _one_of(
    r"thank(?:s| you) for (?:not |holding|waiting|ignoring|leaving|skipping|keeping|playing|sitting)",
    r"see you (?:when|tomorrow with|after the final)|new version|better version",
    r"real (?:thing|ones|orders)|resend|(?:tear|rip|throw|bin) (?:this|it|that|these)|on reflection",
    r"typo\b|mixed up|call me first|nonsense|(?:no dice|roll nothing|\w+n't roll)",
    r"think (?:it over|about it some)|another day\b|unfinished|work in progress|rough version",
    r"first sketch|april fool|proper orders|one go only|green light|your opinion|wrong turn",
    r"(?:it|this|these|them)\b.{0,30}\b(?:until|till) (?:mon|tues|wednes|thurs|fri|satur|sun)day",
)
"""Words that put off or take back even as thanks."""
AT_ONCE = re.compile(
    r"^\W*(?:(?:ps|p\.s\.?|but|and|oh|please|so|no|ok|sorry)\W+)*(?:(?:stop|wait|halt|pause|warte\w*)\b"
    r"(?=\W*$|\W+(?:for|with|until|till|there|a bit|please|here|noch|bitte)\b)"
    r"|(?:actually|correction|i meant?)\b)|\bQ\s?\d{1,4}\b|^\W*(?:hold|hold on|on hold)\W*$",
    re.IGNORECASE,
)
"""A sentence that begins with a stop or a correction, or names a question."""
PERHAPS = _one_of(
    r"void\b|undo\b|cancel\w*\b|forget\b|ignore\b|delete\b|remove\b|drop\b(?! (?:me|you|us)\b)|revoke\b",
    r"reverse\b|redo\b|instead\b|mistake\b|wrong\b|re-?open\b|open again\b|confirm\w*\b",
    r"agree[sd]?\b|would do\b|would you\b|could you\b|should i\b|may i\b|can (?:i|they|we)\b|legal\b",
    r"allowed\b|possible\b|what if\b|(?:until|till) (?:i|you|we|he|she)\b|later\b|tomorrow\b|tonight\b",
    r"wait\b|stop\b|hold\b|halt\b|off\b|as long as\b|in case\b|suggestion\b|idea\b|try\b",
    r"only (?:at|with|one|on|in|for|the)\b|except\b|without\b|rather (?:not|keep|wait)\b|no more than\b",
    r"at most\b|max\b|too\b|also\b|same\b|plus\b|spare\b|keep\b|stays?\b|stay\b|should\b|must\b",
    r"not\b|never\b|just\b|but\b|first\b|last\b|reserve\b|lieber\b|bleib\w*\b|ohne\b|sans\b",
)
"""Words that do so if the sentence speaks of orders."""
THESE = _one_of(
    r"(?:this|these|it|them|those|that)\b(?! (?:game|book|map|film|weather|time|year|week|month|one was))",
    r"(?:the |my |all )?(?:orders?|lines?|moves?|attacks?|(?:this|my last) (?:letter|mail))\b|line \d",
    r"lines \d",
    r"the (?:first|second|third|last|other|final|above)\b(?: (?:one|line|two|order|part|move"
    r"|attack))?(?! (?:time|turn|game|week))",
)
"""Words for the orders of the letter."""
OF_LINES = _one_of(
    r"the (?:first|second|third|last|other|final) (?:one|line|two|order|part|move|attack)\b|the above\b",
    r"all of it\b|(?:first|second|third|last) (?:line|order)\b|lines? \d",
    r"all (?:the )?(?:others|orders|lines|attacks|moves)\b|everything (?:below|above|but|except)\b",
)
"""Words for some of the lines of the letter."""
FIGURES = re.compile(
    r"\d\s*%|\b\d{1,2}\s*:\s*\d\b|\bat \d{1,2}-\d\b|\b(?:\d+|one|two|three)\s+"
    r"(?:mps?|movement points?|steps?|rounds?|losses|loss|hits?)\b|\b\d+ hex(?:es)?\b",
    re.IGNORECASE,
)
"""Odds, chances and numbers of movement points, hexes, steps or rounds."""
MATTERS = frozenset(
    "attack attacks attacking assault assaults advance advances advancing retreat retreats move moves moving "
    "fight fights fighting react reacts reaction loss losses steps odds order orders bomber bombers bombing "
    "fighter fighters airstrike airstrikes artillery guns shells tank tanks armour armor "
    "infantry unit units division divisions reserves battle battles combat support replacement replacements "
    "reinforcements hexes stack stacks withdraw bombard panzers panzer chars angriff".split()
)
"""What orders are about."""
BINDS = REFUSALS | frozenset(
    "must should shouldn't mustn't want please avoid spare keep save take first careful prefer max "
    "maximum minimum min most under below above nobody everybody everyone ohne sans lieber".split()
)
"""Words that say how orders are to be carried out."""
CHAT = _one_of(
    r"last (?:turn|week|time|night|month|year)\b|yesterday\b(?!'s (?:mail|orders|letter|lines|message))",
    r"of course\b|(?:i )?hope\b|thanks\b|thank you\b|sorry (?:about|for)\b|looking forward\b",
)
"""Words of chat."""
PAST = _one_of(
    r"(?:was|were|wasn't|weren't|had|did|didn't|lost|took|gave|got|went|saw|made|thought|played"
    r"|hit|cost|came|fell)\b",
    r"(?:has|have) (?:been|\w+ed)\b|well (?:done|played|fought)\b|nice\b|pity\b|unlucky\b|congrat\w*",
    r"glad\b|reading\b|enjoy\w*|love\b|funny\b",
    r"i (?:think|guess|bet|fear|suppose|wonder|wish)\b(?!.*\b(?:should|must|better|stays?|wrong|last)\b)",
    r"would you like\b",
)
"""Words of talk about what has been."""
TO_YOU = _one_of(r"you(?:r|'re|'ll|'d)?\b(?!.*\b(?:play|run|roll|send|check|process)\b)")
"""Words to the reader: what is said of him is seldom about the orders."""
HARMLESS = _one_of(
    r"no (?:hurry|rush|problems?|worries|worry|idea|comment|hard feelings|mercy|luck|news|doubt|time)\b",
    r"no questions?\b|should be (?:interesting|fun|good|easy|hard)\b",
    r"my first (?:game|turn|letter|time)\b|i must (?:say|confess|admit)\b|or not\W*$|not that\b",
    r"that should do\b|not happen again\b|no need to\b|don't (?:worry|mention|laugh|panic)\b",
    r"can't (?:complain|wait|believe)\b|why not\b|at least\b(?! \d)",
    r"not (?:bad|much|sure i|a problem|feeling|my best|in a|at (?:home|work))\b",
    r"not (?:be )?(?:amused|pleased|happy)\b|please (?:find|see|accept)\b",
    r"nothing (?:new|special|more|else)(?: from me)?\b(?! to)|without further ado\b",
    r"not (?:had|have|having) (?:much|a lot of|enough|any) (?:time|sleep)\b|never (?:a dull|boring)\b",
    r"only (?:human|now|got|had|just|a (?:short|quick|little|game)|\w+ more)\b",
    r"first of (?:all|january|june|march)\b",
)
"""Turns of phrase of chat that say no to nothing of the game."""
TAKES_OFF = _one_of(
    r"(?:cancel\w*|forget|delete|ignore|remove|drop|undo|void|revoke|reverse|redo|wrong)\b",
)
"""Words that take back all there is in a short sentence: ``cancel everything``."""
UNSURE = re.compile(
    r"\s*\W?(?:withdrawn|tentative|next (?:turn|phase)|later|no longer|obsolete|scratched|scrapped|old|wrong"
    r"|replaced|tomorrow|postponed|(?:not )?yet|optional|alternative|plan b|x|\?|nope"
    r"|(?:maybe|perhaps|possibly)\b.*|and back(?: again)?"
    r"|already played|gestrichen|rather not|not now|on hold|nah|no|pending.*|to be (?:confirmed"
    r"|decided|checked|discussed|seen).*|yet to .*|undecided"
    r"|superseded.*|dropped|replaced by .*|crossed out|i take (?:that|it) back|once (?:free"
    r"|clear|there|ready|we|they|it|he)\b.*|so far|almost|joke"
    r"|for (?:later|next turn|tomorrow|example)|(?:second|2nd|next) (?:phase|movement|move)|drafts?"
    r"|proposals?|ideas?|suggestions?|tbc|tbd|wip|kidding|hold|skip|question|test|nein|später"
    r"|on \w{3,6}day|morgen"
    r"|vielleicht|entfällt|storniert|ungültig|peut-être|plus tard)(?: (?:this|it|one|line|that))*\W*",
    re.IGNORECASE,
)
"""A comment that puts its line off, or leaves it open; alone on a line, the orders."""
ASKS = _one_of(
    r"what do you think\W*$|(?:this|these|those|they|odds)\b[^.!]*\?\W*$|how about (?:this|that)\b",
)
"""A question about the orders."""
ORDINAL = re.compile(r"\d+(?:st|nd|rd|th)", re.IGNORECASE)
"""The day of a month more often than a unit."""
YEAR = re.compile(r"\b(?:in|of|since|until|before|from) (?:19|20)\d\d\b")
"""A year, though it may be the number of a hex."""
FEW = 2
"""A sentence of at most this many words that names something may be all of a correction."""
INTRODUCES = frozenset(
    "my our here here's are is come comes the these this following orders order turn turns moves for now so "
    "then ok okay all right well go goes we i as follows below in of and phase letter plan plans his her own "
    "side commands command allied german germans allies us british american canadian it let's lets begin "
    "begins start starts with done again new first finally at last today please find attached enclosed have "
    "has to dear hi hello game fun part".split()
)
"""Words of a line with a colon above orders that say no more than that orders follow."""


def bears(text: str, names: Names, places: bool = True) -> bool:
    """Whether words that are no order, above the orders of a letter or below them, bear on them. Without
    `places` the name of a hex or place is not enough: a comment may say why its unit goes there."""
    plain = text.replace("’", "'")
    return bool(UNSURE.fullmatch(plain)) or any(
        _bears(each, names, places) for each in SENTENCES.split(plain) if each.strip()
    )


def _bears(text: str, names: Names, places: bool) -> bool:
    if introduces(text):
        return False
    words = WORD.findall(HARMLESS.sub(" ", text).lower())[:MOST_WORDS]
    chat, past = CHAT.search(text) is not None, PAST.search(text) is not None
    these = THESE.search(text) is not None
    if ALWAYS.search(text):
        return True
    if SURELY.search(text) or AT_ONCE.search(text) or (ASKS.search(text) and not past):
        return these or not chat
    refused = REFUSALS.union(word for word in words if word.endswith("n't"))
    bound = not (refused | BINDS).isdisjoint(words)
    if (OF_LINES.search(text) and PERHAPS.search(text)) or (
        FIGURES.search(text) and (bound or not (chat or past))
    ):
        return True
    if past:
        return False
    if not chat and PERHAPS.search(text) and _names(text, names, places=False):
        return True
    if TO_YOU.search(text):
        return False
    if (
        PERHAPS.search(HARMLESS.sub(" ", text))
        and not chat
        and ((these and len(words) <= 2 * SHORT) or len(words) <= 1)
    ):
        return True
    if not MATTERS.isdisjoint(words) and bound:
        return True
    if _names(text, names, places) and not chat:
        return bool(PERHAPS.search(text)) or bound or len(words) <= FEW
    short = len(words) <= SHORT and not chat
    if short and TAKES_OFF.search(text):
        return True
    return short and (words[-1:] == ["not"] or (words[:1] != [] and words[0] in refused and len(words) <= 2))


def takes_back(comment: str) -> bool:
    """Whether a comment takes its line back, puts it off or leaves it open."""
    text = comment.replace("’", "'")
    if UNSURE.fullmatch(text):
        return True
    short = len(WORD.findall(text)) <= SHORT and TAKES_OFF.search(text)
    bound = not LIMITS.isdisjoint(WORD.findall(text.lower()))  # "stop there" may be a part of the order
    return bool(short or (SURELY.search(text) and not bound)) and CHAT.search(text) is None


def introduces(text: str) -> bool:
    """Whether a line with a colon above orders says no more than that they follow: ``My orders:``."""
    begun, comma, rest = text.replace("’", "'").partition(",")
    words = WORD.findall((rest if comma and is_greeting(begun) else f"{begun} {rest}").lower())
    return all(word in INTRODUCES or word.isdecimal() for word in words)


def is_harmless(text: str) -> bool:
    """Whether words begin with a no of chat that is said to nothing of the game: ``Don't worry about it``."""
    return HARMLESS.match(text.strip().replace("’", "'")) is not None and not any(map(str.isdecimal, text))


def _names(text: str, names: Names, places: bool) -> bool:
    """Whether words name a unit or, with `places`, a hex or a place."""
    pieces = [piece.strip(".,;:!?()\"'") for piece in YEAR.sub(" ", text).split()[:MOST_WORDS]]
    for at, piece in enumerate(pieces):
        figures = any(map(str.isdecimal, piece))
        if piece.lower() in names.units and len(piece) > 1 and (figures or piece[0].isupper()):
            return True
        letters = figures and any(map(str.isalpha, piece)) and ORDINAL.fullmatch(piece) is None
        if letters and names.meant([piece], frozenset()) is not None:
            return True
        if places and figures and any(names.hex(number) for number in re.findall(r"\b\d{4}\b", piece)):
            return True
        if places and piece[:1].isupper() and len(piece) > 2 and names.place(pieces[at : at + LONGEST_NAME]):
            return True
    return False
