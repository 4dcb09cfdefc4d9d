"""Whether words above the first order of a letter, or below its last DONE, bear on its orders: what takes
them back, puts them off, limits them or asks about them holds them back, as it would among them. Chat holds
nothing."""

from __future__ import annotations

import re

from pbem.engine.language.courtesies import is_greeting
from pbem.engine.language.limits import BOUNDS, CONDITIONS, REFUSALS
from pbem.engine.language.names import LONGEST_NAME, Names

MOST_WORDS = 60
"""No more words of a line are looked at."""
SHORT = 8
"""A line of at most this many words that says no to something may say it of an order."""
WORD = re.compile(r"[^\W_]+(?:['/-][^\W_]+)*")

SENTENCES = re.compile(r"(?<=[.!?;:])\s+|,?\s+\bbut\b\s+|\s--?\s")


def _one_of(*phrases: str) -> re.Pattern[str]:
    return re.compile(rf"\b(?:{'|'.join(phrases)})\b", re.IGNORECASE)


OFF = _one_of(
    r"scratch|scrap|belay|never ?mind|undo|undone|cancel\w*|void|invalid|disregard|ignore|forget|delete",
    r"strike (?:it|that|this|them|out)|remove|drop(?! (?:me|you|us)\b)|revoke|reverse|skip|redo|instead",
    r"re-?open|open again|mistake|changed (?:my|our) minds?|change of (?:mind|plan)|on second thoughts?",
    r"take (?:it|that|them) back|(?:leave|left) (?:it|them|that|this|out|the)",
    r"do the \w+ (?:first|last)|does(?: not|n't) count|swap (?:it|them|the|with|\S*\d)",
    r"actually,? (?:don't|do not|no)",
    r"streich\w*|vergiss|doch nicht|nicht (?:ziehen|spielen|angreifen|bewegen|ausführen|werten)|zurückziehen",
    r"annul\w*|oubli\w*|finalement non|no lo hagas|annulla\w*|vergeet",
)
"""Words that take back or change."""
AT_ONCE = re.compile(
    r"^\W*(?:(?:ps|p\.s\.?|but|and|oh|please|so|no|ok)\W+)*"
    r"(?:sorry\W+)?(?:stop|wait|halt|hold|hang on|pause|warte\w*|actually|correction|i meant?)\b"
    r"(?! to (?:see|hear))|\bQ\s?\d{1,4}\b",
    re.IGNORECASE,
)
"""A line that begins with a stop or a correction, or names a question."""
LATER = _one_of(
    r"please (?:wait|hold|check|stop)|hold (?:this|it|that|them|the|back|my|off)|(?:keep|leave) \w+ open",
    r"not (?:yet|before|final|ready|done|definite|sent?|to be)|(?:until|till) (?:i|you|we|he|she)|only valid",
    r"drafts?|preliminary|provisional\w*|tentative\w*|entwurf|brouillon|noch nicht|erst wenn|nur wenn",
    r"(?:just|only|as) an? (?:test|check|question|try|idea)|(?:just|only) (?:testing|checking|ideas?)",
    r"test only|this is (?:just )?a (?:test|check)|only check|just check|check whether|try this|first ideas?",
    r"for discussion|ask me|(?:tell me|let me know) (?:the|whether|before)|odds for|confirm\w*",
    r"(?:orders|rest|half|others?|final ones?|remainder|more|part|moves?|attacks?)\b.*\b"
    r"(?:later|tomorrow|soon|follows?|to come)",
    r"what if|would do|would you|could you|should i|may i|can i|legal|one of (?:these|them|the)",
    r"is (?:this|that|it) (?:legal|allowed|ok\w*|right|possible)|old orders|pick (?:one|the)|do nothing",
    r"(?:two|three|some|any|best) of (?:these|them|the)|in (?:that|this) order|in doubt|as below|choose",
    r"(?:stop|end) (?:if|when|there|after)|provided|as long as|on condition|in case|but only|no further",
    r"(?:only|not|except|even) (?:if|when|where|at|with|one|on|in|for)|same (?:conditions?|limits?|as)",
    r"agree[sd]?|no more than|permitting",
)
"""Words that put off, ask or bind."""
FIGURES = re.compile(
    r"\d\s*%|\b\d{1,2}\s*:\s*\d\b|\bat \d{1,2}-\d\b|\b\d+\s+"
    r"(?:mps?|movement points?|hex(?:es)?|steps?|rounds?|losses|loss)\b",
    re.IGNORECASE,
)
"""Odds, chances and numbers of movement points, hexes, steps or rounds."""
UNSURE = re.compile(
    r"\s*(?:withdrawn|tentative|next turn|later|no longer|obsolete|scratched|old|wrong|replaced|tomorrow"
    r"|postponed|(?:not )?yet|maybe|perhaps|optional|alternative|plan b|already played|gestrichen|rather not"
    r"|x|\?|not now|on hold|nope|nah|pending.*|(?:to be|yet) (?:decided|confirmed)|undecided|superseded.*"
    r"|dropped|replaced by .*|crossed out|i take (?:that|it) back|for (?:later|next turn)|once .*"
    r"|(?:second|2nd|next) (?:phase|movement|move)"
    r"|morgen|vielleicht|entfällt|storniert|ungültig|später|peut-être|plus tard)"
    r"(?: (?:this|it|one|line|that))*\s*[.!?]*\s*",
    re.IGNORECASE,
)
"""A comment that puts its line off, or leaves it open."""
MATTERS = frozenset(
    "attack attacks attacking assault assaults advance advances advancing retreat retreats move moves "
    "moving march marches fight fights fighting react reacts reaction loss losses step steps odds round "
    "rounds order orders box boxes line bomber bombers bombing fighter fighters airstrike airstrikes "
    "artillery guns tank tanks armour armor infantry unit units division divisions reserve reserves "
    "battle battles combat support replacement replacements reinforcement reinforcements hex hexes point "
    "points stack stacks withdraw withdraws bombard heavy exit".split()
)
"""What orders are about."""
WISHES = frozenset(
    "must should shouldn't mustn't want rather please avoid spare keep take first everybody nobody everyone "
    "careful like prefer everywhere".split()
)
"""Words that say how orders are to be carried out."""
BINDING = (BOUNDS | CONDITIONS | WISHES) - {"below", "above"}
DIRECTS = frozenset(
    "too also same plus instead stay stays keep keeps hold holds spare spares avoid back reserve out but "
    "just sorry remain remains wait waits add".split()
)
"""Words that say what a unit is to do, or that it is the one that is meant."""
FEW = 2
"""A line of at most this many words that names something may be all of a correction."""
LEADS = frozenset("and but oh ps p s so ok please".split())
"""Words in front of what is said."""
CHAT = _one_of(
    r"last (?:turn|week|time|night|month)|yesterday(?!'s (?:mail|orders|letter|lines|message))|hope|thanks",
    r"thank you|sorry (?:about|for)|of course|looking forward",
)
"""Words beside which talk of waiting or cancelling is not about the orders."""
PAST = _one_of(
    r"was|were|wasn't|weren't|had|did|didn't|lost|took|gave|got|went|saw|made|thought|played|hit|cost|came|fell",
    r"has been|have been|well (?:done|played|fought)|nice|pity|unlucky|congrat\w*|glad|how|reading|enjoy\w*",
    r"love|funny|i (?:think|guess|bet|fear|suppose|wonder)(?!.*\b(?:should|must|better|stays?)\b)",
)
"""Words of talk about what has been."""
HARMLESS = _one_of(
    r"no (?:hurry|rush|problems?|worries|worry|idea|comment|hard feelings|mercy|luck|news|doubt|time)",
    r"no questions?|no need to (?:answer|reply|hurry)|don't (?:worry|mention)",
    r"can't (?:complain|wait|believe)|not (?:bad|much|sure i|a problem|feeling)",
    r"not be (?:amused|pleased|happy)|please (?:find|see|accept)",
    r"why not|at least(?! \d)|nothing (?:new|special|more|else)(?: from me)?(?! to)|not at (?:home|work)",
    r"without further ado|not (?:had|have|having) (?:much|a lot of|enough|any) (?:time|sleep)",
    r"only (?:human|now|got|had|just|a (?:short|quick|little|game))",
    r"never (?:a dull|boring)|until (?:then|next|soon|tomorrow|later|sunday|monday)",
)
"""Turns of phrase of chat that say no to nothing of the game."""
INTRODUCES = frozenset(
    "my our here here's are is come comes the these this following orders order turn turns moves for now "
    "so then ok okay all right well go goes we i as follows below in of and phase letter plan plans his "
    "her own side commands command allied german germans allies us british american canadian it let's "
    "lets begin begins start starts with done again new first finally at last today please find attached "
    "enclosed have has to dear hi hello game".split()
)
"""Words of a line with a colon above orders that say no more than that orders follow."""


def bears(text: str, names: Names, places: bool = True) -> bool:
    """Whether words that are no order, above the orders of a letter or below them, bear on them. Without
    `places` the name of a hex or place is not enough: a comment may say why its unit goes there."""
    return any(_bears(each, names, places) for each in SENTENCES.split(text.replace("’", "'")))


def _bears(text: str, names: Names, places: bool) -> bool:
    if introduces(text):
        return False
    if OFF.search(text) or AT_ONCE.search(text) or LATER.search(text):
        return CHAT.search(text) is None
    if CHAT.search(text) or PAST.search(text):
        return False
    if FIGURES.search(text):
        return True
    words = WORD.findall(HARMLESS.sub(" ", text).lower())[:MOST_WORDS]
    refused = REFUSALS.union(word for word in words if word.endswith("n't"))
    bound = not (refused | BINDING).isdisjoint(words)
    if _names(text, names, places):
        return bound or not DIRECTS.isdisjoint(words) or len(words) <= FEW
    if bound and not MATTERS.isdisjoint(words):
        return True
    first = next((word for word in words if word not in LEADS), "")
    return len(words) <= SHORT and (first in refused or words[-1:] == ["not"])


def takes_back(comment: str) -> bool:
    """Whether a comment takes its line back, puts it off or leaves it open."""
    text = comment.replace("’", "'")
    return bool(UNSURE.fullmatch(text) or OFF.search(text)) and CHAT.search(text) is None


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
    pieces = [piece.strip(".,;:!?()\"'") for piece in text.split()[:MOST_WORDS]]
    for at, piece in enumerate(pieces):
        figures = any(map(str.isdecimal, piece))
        if piece.lower() in names.units and len(piece) > 1 and (figures or piece[0].isupper()):
            return True
        if figures and any(map(str.isalpha, piece)) and names.meant([piece], frozenset()) is not None:
            return True
        if places and figures and any(names.hex(number) for number in re.findall(r"\b\d{4}\b", piece)):
            return True
        if places and piece[:1].isupper() and len(piece) > 2 and names.place(pieces[at : at + LONGEST_NAME]):
            return True
    return False
