"""The words and turns of phrase that orders in a free order of words are made of (free.py), in any game.

What belongs to one game stands in its own tables (`Declarations.respelt`, `Declarations.sayings`). Patterns
are looked for in a line of small letters, whose words are one blank apart; they take whole words.
"""

from __future__ import annotations

import re

from pbem.engine.language.limits import BOUNDS, LIMITS
from pbem.engine.language.names import Names

# --- single words -------------------------------------------------------------------------------------------

FILLERS = frozenset(
    "the our my its their his your this that these those will shall must can please pls thanks "
    "so now here immediately directly together hex hexes unit units division div corps there back "
    "just simply forward up down inland quickly fast again we i it they he she them him own straight go "
    "along ok okay road strategic strategically strategical movement "
    "der die das den dem le la les des el los las il lo gli de van zum zur".split()
)
"""Words that say nothing an order could depend on, where its units and hexes are named."""

LIMITING = LIMITS | BOUNDS | frozenset("round rounds loss losses odds".split())
"""Words that are never left out of an option that they stand in front of, or of whatever they limit."""

TO = frozenset("to into toward towards onto nach vers hacia verso naar auf gen > -> => – — → : @ =".split())
ON = frozenset(
    "on at in against v vs versus upon gegen auf contre contra contro tegen en à sur sobre".split()
)
WITH = frozenset("with w/ w using by mit avec con met plus".split())
VIA = frozenset("via through over über uber par por".split())
FROM = frozenset("from von aus de depuis desde".split())
UNTIL = frozenset("until till bis".split())
AND = frozenset(
    ", ( ) & + and und et y e ed en then next afterwards puis danach dann luego poi . / - u.".split()
)
STAFF = frozenset("hq headquarters corps korps army armee staff stab".split())
"""Words in front of the name of a headquarters."""
EACH = frozenset("each je".split())
TAKE = frozenset(
    "take takes retake retakes capture captures seize seizes occupy occupies liberate liberates".split()
)
"""Verbs that mean an attack where the enemy is, else a move."""

GOING = frozenset(
    "go goes move moves land lands come comes jump jumps attack attacks storm storms advance "
    "advances disembark disembarks sail sails arrive arrives join joins paradrop paradrops parachute "
    "parachutes".split()
)
"""Verbs for getting somewhere: where a section has only one order for that, they mean it."""

MEASURES = frozenset("hex hexes hexfield hexfields mp mps point points pt pts step steps".split())
"""What is counted in front of which no number names a unit: ``moves 2 hexes to 0720``."""
APART = {"next": TO, "so": frozenset({"that"})}
"""Words that say something else with the word behind them: ``next to Caen``, ``so that 243ID can pass``."""

AFTER_BATTLE = frozenset(
    "advance advances retreat retreats withdraw withdraws follow follows pursue pursues".split()
)
"""Verbs that say behind an attack what comes of it."""

SETS = frozenset("all every everybody everyone everything both".split())
KINDS = frozenset("corps div division".split())
"""Fillers that say which units are meant behind one of `SETS`: ``all corps``."""

# --- what is said of units and places -----------------------------------------------------------------------

END = r"(?= |$)"


def _words(*patterns: str) -> re.Pattern[str]:
    return re.compile(rf"(?:{'|'.join(patterns)}){END}")


REST = _words(
    r"(?:all )?(?:the )?(?:rest|others|remainder|remaining (?:units|ones))"
    r"(?: of (?:the )?(?:units|army|corps|command|others|reinforcements|lot))?",
    r"every(?:one|body|thing) else",
    r"all (?:the )?other(?:s| units)",
    r"alles andere",
    r"alle anderen",
    r"(?:der )?rest",
)
"""All units that no other line speaks of."""

_REFUSE = r"(?:do(?:es)? not|don't|dont|doesn't|doesnt|will not|won't|cannot|can't)"
_WHERE = (
    r"(?:put|fast|still|firm|behind|aboard|in place|in position|in its place|in their places|dug in"
    r"|(?:as|in) (?:a |the )?(?:reserves?|garrison|flank guard|rear ?guard|screen)"
    r"|in (?:its|their|his) (?:fox)?(?:holes?|trench(?:es)?|dugouts?)"
    r"|where (?:it|they) (?:is|are)|as (?:it|they) (?:is|are)|for now|tight|there|here|ashore)"
)
_STAYS = "|".join(
    (
        r"(?:awaits?|waits? for) (?:further |new )?orders",
        rf"{_REFUSE} (?:move|attack|fight|do anything)(?: at all)?",
        r"no (?:move|movement|attack|attacks|orders|action|fighting)",
        rf"(?:to )?(?:stays?|stands?|remains?|holds?|sits?|waits?)(?: {_WHERE})*",
        r"holds? (?:position|positions|its ground|their ground|the line)",
        r"nothing|do(?:es)? nothing|pass(?:es)?|not yet|withheld|(?:is |are )?held back",
        r"bleib(?:t|en)(?: stehen)?|hält|halten|rest(?:e|ent)|an ort und stelle",
    )
)
STAY = _words(rf"(?:{_STAYS})(?: (?:this turn|this phase|for now))*")
"""What is said of units that do nothing."""

PEACE = re.compile(rf"no (?:attacks?|fighting|action|orders)|{_REFUSE} (?:attack|fight|do anything)")
"""Those of them that cannot be said of units which attack."""

STAYING = re.compile(rf"(?:they |it |he |both |we )*(?:{_STAYS}|not|no attack|both sit tight)")
"""The same behind ``otherwise``."""

REST_OF = _words(r"(?:the )?(?:rest|others|remainder) of(?: the)?")
"""The same of a formation."""

IDLE = _words(
    r"(?:nobody|no one|no-one) else (?:moves|attacks|goes|fights|does anything)",
    r"no other (?:moves|attacks|movements?)",
    r"no (?:attacks|moves) (?:anywhere|somewhere) else",
    r"no (?:more|further) (?:attacks|moves)(?: (?:this|in this) (?:turn|phase))?",
    r"(?:all|the) (?:other )?units not (?:mentioned|named)(?: above)?(?: ?[:,] ?| )"
    r"no (?:movement|move|attacks?)",
)
"""What is said of all others that do nothing."""

TOO = _words(
    r"too|also|likewise|as well|do likewise|does likewise|does the same|do the same|the same|ditto"
    r"|with (?:it|them|him)"
)
"""What is said of units that do the same as those before them."""

EVERYONE = _words(
    r"all (?:the |our |my |new |available )*(?:reinforcements|arrivals|newcomers)"
    r"(?: (?:available|that (?:arrive|come)|due))?"
)
"""All units that there are, with a word for them."""

AROUND = _words(
    r"(?:with |w/ )?(?:everything|everyone|all|anything|all units)(?: (?:that is|that's|we have))?"
    r" (?:next to it|adjacent(?: to it)?|around(?: it)?|in range|nearby)"
)
"""All units of a formation that can take part: those are meant without it too."""

COUNT = _words(
    r"(?:(?:all|the) (?P<all>two|three|four|five|2|3|4|5)"
    r"|(?P<n>two|three|four|five) of (?:them|it)|(?P<both>both))"
    r"(?: of (?:them|it))?"
    r"(?: (?:regiments|regts|rgts|regs|brigades|bdes|battalions|bns|divisions|divs|units|kgs"
    r"|combat commands))?"
)
"""How many units are meant: true of those that are named."""

GERMANS = frozenset("german germans ss krauts jerry jerries panzers".split())
FOES = re.compile(
    r"(?:the )?(?P<who>germans?|enem(?:y|ies)|americans?|us|yanks|british|tommies|brits|canadians|poles"
    r"|allies|ss|krauts|jerries|panzers|defenders)(?: units?| troops| forces)? (?:in|at|on|holding)(?= )"
)
"""The enemy in front of the hex where he is."""

NATION = re.compile(rf"(?:the )?(british|canadians|poles|french|americans|germans){END}")

STEP = _words(
    r"(?P<n>one|two|three|four|a|[1-6]) hex(?:es)? (?:to(?:wards)? )?(?:the )?"
    r"(?P<way>north|south|east|west|(?:north|south)[- ]?(?:east|west)|[ns][ew]|[nsew])"
)
"""Where units go as seen from where they are."""


DISTANCE = _words(r"(?P<n>one|two|three|four|a|[1-6]) hex(?:es)?(?= (?:to|into|onto|towards?|up to) )")
"""How far units go to the hex that is named."""


def initials(way: str) -> str:
    """A direction as maps name it: ``NE`` for north-east."""
    return ("".join(word[0] for word in re.findall("north|south|east|west", way)) or way).upper()


# --- parts of orders ----------------------------------------------------------------------------------------

MISSIONS = r"(?:air ?strikes?|fighters?|bombers?|planes?|aircraft|guns?|ships?|rounds?|markers?)"
"""What orders give a number of."""
_CUE = (
    r"(?:at )?(?:the )?least|min\.?|minimum(?: of)?"
    r"|(?:no|not)(?: at| with)? (?:worse|less|lower|below|under)(?: than)?"
)
ODDS = _words(
    r"(?:but |and )?(?:(?:only|but only) )?(?:(?:if|when) )?(?:the )?(?:odds )?(?:are )?"
    r"(?:(?:it's|its|it is|we get|we have|that is|the odds are) )?(?:(?:at|with) )?"
    rf"(?:(?:{_CUE}) )?(?:at )?(?P<one>\d{{1,2}})(?: ?[-:] ?| to )(?P<other>\d{{1,2}})(?!\d| {MISSIONS}\b)"
    r"(?:(?: ,)? (?:and |but )?(?:no|not) (?:lower|worse|less)(?= ,|$))?"
    r"(?: (?:at (?:the )?least|or (?:better|more|higher|above)|minimum|min\.?|odds|only))*"
    r"(?: ?,? (?:otherwise|else|if not)(?: they| it| he| both| we)?"
    r" (?:stays?|holds?|remains?|no attack|do(?:es)? not|not|sits? tight|none|stands? fast|pass))?"
)
"""Odds below which an attack is not made."""
EVEN = _words(
    rf"(?:only )?(?:if |at )?(?:least |(?:{_CUE}) )?(?:even odds|evens)(?: or better| at least|,? not worse)?"
)

_NO_TARGET = r"(?! (?:on|at|in|against|from|with|by|\w*\d))"
NO_FIGHT = _words(
    rf"(?:and )?(?:no|without) (?:attacks?|fighting|combat|assaults?|fights?)(?: this turn)?{_NO_TARGET}",
    r"(?:and )?no (?:more|further) (?:attacks?|assaults?|fighting)(?: this turn| this phase)?"
    rf"{_NO_TARGET}",
)
"""What is said of moves where attacks are orders of their own: there it says nothing more, and contradicts an
attack. Where who moves may have to fight it says how far a move goes."""

OPTIONS: tuple[tuple[str, str], ...] = (
    (
        r"(?:with )?no (?:more |further )?advances?(?: after combat)?|nobody advances|"
        + _REFUSE
        + " advance",
        "no advance",
    ),
    (
        r"(?:and )?no (?:more|further) (?:moves?|movements?|orders?|reps?|replacements?|replenishments?"
        r"|drops?|landings?|air ?strikes?|bombardments?|barrages?|reinforcements?|activations?|markers?)"
        r"(?: this turn| this phase)?|nobody moves|that's all",
        "",
    ),
    (
        r"(?:and |, )?(?:then )?(?:follows? up|advances? after(?: the)?(?: combat)?|advance yes|and advances?"
        r"|advances? if (?:they|it|he|the enemy) (?:goes?|retreats?|leaves?|falls?))",
        "advance {units}",
    ),
)
"""Turns of phrase for a part of an order, in any game that has it; `{units}` are those of the order."""

_OTHERS = (
    r"(?:(?:all )?(?:the )?(?:rest|others|remainder|remaining units)|every(?:one|thing|body) else"
    r"|all (?:the )?other(?:s| units))(?: of (?:them|the units))?"
)
_GO = r"(?:falls?|pulls?|drops?|go|goes|comes?|moves?|push|pushes)"
_NOT_CUT = "".join(rf"(?<!\b{word})" for word in "min max abt div inf regt rgt bde bn korps".split())
"""Not behind a word that is cut short: its full stop ends no sentence."""
_WHO = r"(?=[^,;.\d]*\d)"
"""In front of a clause with a figure: it names a unit or a hex."""
_NAMED = r"(?=(?:the )?[\w/]{0,9}\d)(?!\d+ (?:hex|mp|more))"
"""In front of a unit with a figure in its name, not of a number of hexes: in ``w 2 hexes`` it is the west."""
_SORTIES = r"(?:\d|one|two|three|four) (?:air ?strikes?|air|fighters?|planes?|bombers?|guns?)"
RESPELT = tuple(
    (re.compile(pattern, re.IGNORECASE), instead)
    for pattern, instead in (
        (r"\b(?:hitler ?jugend|HJ)\b", "12SS"),
        (r"\bdas reich\b", "2SS"),
        (r"\b(?:leibstandarte|LS?S?AH)\b", "1SS"),
        (r"\bhohenstaufen\b", "9SS"),
        (r"\bfrundsberg\b", "10SS"),
        (r"\b((?-i:[A-Z])\w+)['’]s\b(?! (?:free|empty|held))", r"\1"),
        (r"(?<![\w/-])(?=[\w/]*[A-Za-z])([\w/]{2,12})-(?=\d{4}\b)", r"\1 to "),
        (
            r"^(?:and |put |for )?(?:(?:the )?rest|(?:all )?(?:of )?(?:the )?others|everything else"
            r"|every(?:one|body) (?:else|not (?:mentioned|named))|anything (?:i|we) forgot)(?: ?[:,] ?| )"
            r"(?:(?:is|are|goes|go|sets? up|by|as|in|the) )*(?:default|standard|usual|normal|book"
            r"|where the (?:default|book|example) (?:has|puts|sets) (?:it|him|them)"
            r"|wherever you (?:usually |normally )?(?:put|place|want|like) (?:it|them)"
            r"|(?:as|where) you (?:like|please|want))(?: (?:positions?|set-up|hexes))?(?=[.! ]*$)",
            "the rest default",
        ),
        (r"\bmech\. ", "mech "),
        (r"\bthru\b", "through"),
        (r"\bfrm\b", "from"),
        (r"\bdo['’]nt\b", "don't"),
        (r"\baslt(s?)\b", r"assault\1"),
        (
            r"^(?:please )?(?:leave|keep) (?P<who>[^,;:]{2,60}?) (?:where (?:it|they|he) (?:is|are|stands?)"
            r"|there|put|in (?:its|their|his) (?:fox)?(?:holes?|trench(?:es)?|positions?))(?=[.! ]*$)",
            r"\g<who> stays",
        ),
        (r",? \bprovid(?:ed|ing)(?: that)? (?=it|he|they|the|we|\d)", " if "),
        (r"\b(?:maj|gen|col|brig|capt|lt)\. (?=(?-i:[A-Z]))", ""),
        (
            r"^((?:(?!attack|assault|hit|storm|strike|take|against)[^;])*?\d{4})"
            r"(?:,? (?:and |but )?(?:not? (?:an? |one )?(?:(?:hex|step|yard|mile|inch) )?(?:further|farther)"
            r"|no further than that)"
            r"|(?:,? (?:and|&|then)|,) (?:(?:it|they|he) )?(?:stops?|halts?)(?: there)?)(?=[.! ]*$)",
            r"\1",
        ),
        (r"\badv\b\.?", "advance"),
        (r"(?<=\d[:-]\d)\+(?=[\s,.)]|$)", " or better"),
        (r"(?:>=|=>|≥) ?(?=\d{1,2} ?[:-] ?\d)", "at least "),
        (
            r"\b(?:needs?|needing|requires?|requiring|wants?|min\.?|minimum)(?: of)?(?: at least)? "
            r"(?=\d{1,2} ?[:-] ?\d)",
            "at least ",
        ),
        (
            r"^(?:please )?(?:send|order|get|direct|rush|shift|bring)s? "
            r"(?=\S[^,;]{0,80}? (?:to|into|towards?|->|up to) )",
            "",
        ),
        (r"\bgreif(?:t|en)\b(.*?)\ban\b", r"attacks\1"),
        (r"\brück(?:t|en)\b(.*?)\bvor\b", r"moves\1"),
        (r"\b(?:come|comes|coming) in\b", "enters"),
        (r"\b(?:go|goes|come|comes|get|gets) ashore\b", "lands"),
        (r"\b(?:has|have) a go at\b|\bgo(?:es)? for\b", "attacks"),
        (
            r"[,.]? \b(?:else|otherwise|if not),? (?:it |they )?(?:stays?|holds?|remains?|sits?)"
            r" (?:(?:at|in|on) \d{4}|put|there|where (?:it|they) (?:is|are))(?=[.! ]*$)",
            ", else stay",
        ),
        (
            r"^(?P<head>.*?\battacks?\b[^,;]*?(?P<hex>\d{4})\b.*?)\badvance (?P<who>[^,;]+?)"
            r" (?:to|into|in) (?P=hex)(?=[.! ]*$|,)",
            r"\g<head>advance \g<who>",
        ),
        (r"^(?:I|we)(?:['’]ll| will| shall)(?! not\b) (?=\w)", ""),
        (r"^(?:I|we)(?:['’]d| would) (?:like|prefer|want) (?:to (?:have|see|send) )?(?=\S)", ""),
        (r"\b(?:the )?(\d{4}) stack\b", r"all at \1"),
        (r"\b(?:pulls?|brings?|sends?|moves?) ([^,;:]{1,40}?) back (?=to\b)", r"move \1 "),
        (r"\breinforces? (?=\d{4}\b)", "moves to "),
        (r"\b(?:over|across) the (?-i:[A-Z])[\w-]{2,15} (?=to\b)", ""),
        (r"(?<=st |nd |rd |th )div(?:ision)?s\b", "Div"),
        (
            r"\b(\d{1,3}(?:st|nd|rd|th))(?= ?(?:,|and|&|\+) ?(?:\d{1,3}(?:st|nd|rd|th) ?(?:,|and|&"
            r"|\+) ?){0,5}"
            r"\d{1,3}(?:st|nd|rd|th) (Div)\b)",
            r"\1 \2",
        ),
        (
            r"^([^,;:]{2,40}?) (?:stays?|holds?)(?: put)?, (?:and )?([^,;:]{2,40}?) (?:too|as well"
            r"|also)(?=[.! ]*$)",
            r"\1 and \2 stay",
        ),
        (r"\bcounter-(?=attack)", "counter"),
        (r"\bby way of\b", "via"),
        (r"\bas far as (?=\d{4}\b)", "to "),
        (
            r"(?<=\w )(?:(?:north|south)[- ]?(?:east|west)?|east|west)(?:wards?)? (?=(?:to|into|towards?) )",
            "",
        ),
        (r"\b(?:meets?(?: up)?|links? up) (?:at|in) (?=\d{4}\b)", "moves to "),
        (r"\b(everything|everyone) (?:(?:that )?we(?: have|['’]ve)(?: got)?|available)\b", r"\1"),
        (r"(?<=\w )(?:all )?(?:by (?:itself|himself|themselves)|on (?:its|their) own)(?=[.,! ]*$)", ""),
        (
            r"^(?:everything|everyone|all units) (?:that(?: is|'s|’s) )?(?:adjacent|next) to (\d{4}) "
            r"(?:attacks?|assaults?)(?: it)?(?=[.! ]*$)",
            r"attack \1 with everything",
        ),
        (
            r"^((?:(?!attack|assault|hit|storm|strike|take|against)[^;])*?\bto [^;,]{1,40}?),? "
            r"and (?:holds?|stays?|remains?) (?:there|it)(?=[.! ]*$)",
            r"\1",
        ),
        (
            r",? (?:and )?if (?:they|it|we|he) (?:wins?|succeeds?),? (?:then )?(?:only )?"
            r"(?P<who>[\w/+ ]{1,40}) advances?(?=[.! ]*$)",
            r", advance \g<who>",
        ),
        (rf"\bw/ ?(?=\w)|(?<=\w )(?-i:w) {_NAMED}", "with "),
        (rf"(?:(?<=\d)|(?<=\d\w)|(?<=\d\w\w)|(?<=\d\w{{3}}))(?-i: n | 'n' ){_NAMED}", " and "),
        (r"(?<=\d )(?:rds|rnds?)\b\.?", "rounds"),
        (r",? but (?=[^,;\d]{0,40}\d[^,;]{0,40}? (?:stays?|holds?)(?: put)?[.! ]*$)", ", "),
        (r"(?<=\w )lands (?=(?-i:[A-Z][a-z]))", "lands at "),
        (
            r"^((?:attack|assault) \d{4}),? (?:with )?(?:all|every(?:thing|one)|all units)"
            r"(?: that(?: is|'s|’s))? (?:adjacent|next to it|around)(?: to it)?(?=[,;.! ]|$)",
            r"\1 with everything",
        ),
        (r"\b(?:is|are|will be|to be|gets?) (attacked|assaulted|stormed) by\b", r"\1 by"),
        (
            r"^(?:please )?(?:have|let) "
            r"(?=\S[^,;]*? (?:attack|move|advance|go|land|enter|assault|hold|stay)\b)",
            "",
        ),
        (rf"\b(?:supported by|\+|plus) (?={_SORTIES}\b)", "with "),
        (
            rf"^{_WHO}(?P<one>[^,;.]+?) first(?P<then>[,.]? (?:and )?(?:then|after that|afterwards)\b)",
            r"\g<one>\g<then>",
        ),
        (
            rf"^{_WHO}(?P<one>[^,;.]+?) first, (?:and )?"
            rf"{_WHO}(?P<two>[^,;.]+?) (?:second|next|after)(?=[.! ]*$)",
            r"\g<one>, then \g<two>",
        ),
        (r"\bva (?:a|à)\b", "moves to"),
        (r"\bsets? up\b", "place"),
        (r"\b(?:(?:is|are) )?stack(?:s|ed|ing)?(?: up)?(?: together)? with\b", "with"),
        (
            rf"^(?:put |place |leave )?{_OTHERS}(?:,? (?:is|are|as|by|per|at|in|on|to|goes?|takes?|uses?|the"
            r"|their|its))*[ :,]+default(?: set-?up| positions?| hex(?:es)?| places?)?[.! ]*$",
            "default",
        ),
        (
            r"^(?:use )?(?:the )?default(?: set-?up| positions?| hex(?:es)?| places?)? (?:for|to) "
            rf"{_OTHERS}[.! ]*$",
            "default",
        ),
        (
            r"\b(?:(?:by|using|with|in) )?"
            r"(?:strategic(?:al)?|strategische[rs]?|mouvement strat[ée]gique)\b",
            "",
        ),
        (r"\b(?:par la|along the|by|on the) (?:route|road)\b", ""),
        (rf"\b{_GO}(?: (?:back|down|up|over|forward|on|out))+\b(?! (?:if|when|after)\b)", "moves"),
        (r"\b(?:heads?|makes?|sets? out) for\b", "moves to"),
        (r"\b(?:leaves?|quits?) (?!the map)([^,;.]+?) (?:for|towards?)\b", r"from \1 to"),
        (
            r",? (?:and )?thanks?(?: a lot)?(?: for (?:running this|(?:the|your) (?:game|help|work)))?"
            r"[.! ]*$",
            "",
        ),
        (r"\bfrom (?:(?:their|its) (?:own )?(?:hex|hexes|positions?)|there)\b", ""),
        (r"\.{2,}|…|!+(?= |$)", ","),
        (r"\bv\.(?= )", "v"),
        (r"\bu\.(?= )", "and"),
        (r"=+>|—>|–>", "->"),
        (r"^([\w. ]*\b(?:div|division|corps|korps|brigade|bde)\b)\.? ?[-–] ", r"\1: "),
        (r"(?<=\w\w)/(?= )|(?<= )/(?= )", ","),
        (rf"(?-i:(?<=[a-z]{{3}}){_NOT_CUT}\.(?= [A-Z\d]))", ","),
    )
)
"""What people call things besides, and how they write them, with what stands for it."""

# --- conditions ---------------------------------------------------------------------------------------------

_OTHERWISE = r"[,.]?\s+(?:else|otherwise|if not|sonst),?\s+"
CONDITIONAL = re.compile(
    r"\s*(?:(?P<word>if|unless|when|falls|wenn)\s+(?P<if>[^,:;]+?)(?:[,:]|\s+then)\s+(?P<rest>[^;]+?)"
    rf"(?:{_OTHERWISE}(?P<else>.+))?"
    r"|(?P<main>[^;]+?),?\s+(?:but\s+)?(?:only\s+)?(?P<behind>if|unless|when|falls|wenn)\s+(?P<when>[^,;]+?)"
    rf"(?:{_OTHERWISE}(?P<other>.+))?)\s*[.!]*\s*$",
    re.IGNORECASE,
)
"""An order with a condition before or behind it, and what is done otherwise."""

_NATIONS = (
    r"germans?|krauts|jerr(?:y|ies)|ss|allies|allied|americans?|us|yanks|amis|british|brits|tommies"
    r"|canadians?|poles"
    r"|polish|french"
)
_SIDE = (
    rf"(?P<side>we|us|he|(?:the |an? |any )?(?:enem(?:y|ies)|opponent|{_NATIONS})"
    r"(?: units?| troops| forces| army)?)"
)
_PLACE = r"(?P<where>\d{4}|[a-z][\w'-]*(?: [\w'-]+)??)"
_STILL = r"(?:still |already |now )?"
_CONDITIONS = (
    (r"(?P<who>.*\d.*) (?:is|are) there(?: already| by then)?", "{who} is at {hex}"),
    (
        rf"{_SIDE}(?: is| are| stands?| sits?)? {_STILL}(?:(?:in|at|on) (?:it|{_PLACE})|there|in it)"
        r"(?: already| by then| then)?",
        "{where} is held by {side}",
    ),
    (
        r"(?:it|there|that hex)(?: is|'s)? (?:still |left )?(?:empty|free|unoccupied|vacant)"
        r"(?: by then)?",
        "{hex} is empty",
    ),
    (
        rf"(?:it|that hex)(?: is|'s) {_STILL}(?:free|clear|empty) of (?:any |all )?{_SIDE}",
        "not {hex} is held by {side}",
    ),
    (
        rf"it(?: is|'s) {_STILL}(?P<side>ours|theirs|his)",
        "{hex} is held by {side}",
    ),
    (r"(?:empty|free|unoccupied)", "{hex} is empty"),
    (
        r"(?:nobody|no one|no-one|nothing|no enemy|no german)(?:'s| is| sits| stands)? (?:there|in it)",
        "{hex} is empty",
    ),
    (r"there(?:'s| is) (?:nobody|no one)(?: there| in it)?", "{hex} is empty"),
    (
        r"(?:there(?:'s| is) )?(?:anybody|anyone|somebody|someone|an enemy|the enemy|any enemy)(?: is|'s)?"
        r" (?:still )?(?:there|in it)",
        "{hex} is held by the enemy",
    ),
    (
        rf"{_PLACE} is {_STILL}(?:held|occupied|taken|controlled|defended) by {_SIDE}",
        "{where} is held by {side}",
    ),
    (rf"{_PLACE} is {_STILL}(?P<side>ours|theirs|his|enemy|{_NATIONS})", "{where} is held by {side}"),
    (rf"{_PLACE} is {_STILL}in (?P<side>our|enemy|their|his|{_NATIONS}) hands", "{where} is held by {side}"),
    (rf"we (?:lose|lost|have lost) {_PLACE}", "{where} is held by the enemy"),
    (rf"{_PLACE} is lost", "{where} is held by the enemy"),
    (r"(?P<where>\d{4}) lost", "{where} is held by the enemy"),
    (r"(?P<where>\d{4}) (?:still |already |now )?(?P<side>ours|theirs)", "{where} is held by {side}"),
    (
        rf"{_PLACE} (?:was taken|has been taken|has fallen|falls|fell|is taken)(?: by (?:then|now))?",
        "{fallen}",
    ),
    (rf"{_PLACE} is {_STILL}(?:free|clear|empty) of (?:any |all )?{_SIDE}", "not {where} is held by {side}"),
    (
        rf"(?:there(?:'s| is| are) )?no {_SIDE}(?: is| are| sits?| stands?)? (?:in|at|on) {_PLACE}",
        "not {where} is held by {side}",
    ),
    (rf"(?:nobody|no one|no-one)(?: is| sits| stands)? (?:in|at|on) {_PLACE}", "{where} is empty"),
    (rf"we (?:have|own|get into|get|are in|sit in) {_PLACE}", "{where} is held by us"),
    (
        rf"{_SIDE} {_STILL}(?:took|have taken|has taken|takes?|holds?|occup(?:y|ies)|controls?|keeps?)"
        rf" {_PLACE}",
        "{where} is held by {side}",
    ),
    (rf"{_PLACE} is (?:left|abandoned|evacuated)(?: by (?:the )?\w+)?", "{where} is empty"),
)
"""How people put what may be asked of a hex."""

_NEGATED = re.compile(
    r"(?P<who>.+?) (?:(?P<do>do|does|did)|(?P<be>is|are|was|has|have))(?:n't| not) (?P<what>.+)",
    re.IGNORECASE,
)
"""``Caen is not empty``, ``we don't hold Caen``."""


_ASKS = re.compile(r" (?:is|are|was|has|have|holds?|falls?|fell|takes?|took)(?:n't)?\b", re.IGNORECASE)
"""The verb of what is asked: ``A is empty and B is not`` asks two things, ``A and B are empty`` does not."""


def are_foes(who: str, names: Names) -> bool:
    """Whether a word for a side is one for the other."""
    if who.startswith("enem") or who in ("defenders", "opponent", "he", "his", "theirs", "their"):
        return True
    return (who in GERMANS) != (names.roster.seat in GERMANS)


def _holder(who: str, names: Names) -> str:
    """A word for a side as the usage lines have it."""
    if who in ("we", "us", "ours", "our"):
        return "us"
    word = next(word for word in who.split() if word not in ("the", "a", "an", "any"))
    return "the enemy" if are_foes(word, names) else "us"


def _fallen(hex: str, names: Names) -> str:
    """That a hex has fallen: to the other side than that of the units that are seen there now; "" where there
    are none."""
    enemy = {unit.enemy for unit in names.roster.units.values() if unit.hex == hex}
    if len(enemy) != 1:
        return ""
    return f"not {hex} is held by the enemy" if enemy == {True} else f"{hex} is held by the enemy"


def condition(text: str, hex: str, names: Names) -> str:
    """A condition in the words of the usage lines; as it is where none of `_CONDITIONS` fits. `hex` is the
    one that the order is about."""
    parts = re.split(r"\s+and\s+", text)
    if len(parts) > 1 and all(_ASKS.search(part) for part in parts):
        return " and ".join(condition(part, hex, names) for part in parts)
    if found := _NEGATED.fullmatch(text.replace("’", "'")):
        what = " ".join(filter(None, (found["who"], found["be"], found["what"])))
        asked = condition(what, hex, names)
        return asked.removeprefix("not ") if asked.startswith("not ") else f"not {asked}"
    words = text.lower().replace("’", "'").strip(" .,!")
    for pattern, instead in _CONDITIONS:
        if found := re.fullmatch(pattern, words):
            said = found.groupdict()
            where = said.get("where") or hex
            where = hex if where in ("it", "that") else where
            called = [word.capitalize() for word in where.split()]
            place = names.place(called)
            if place and place[1] == len(called) and len(place[0]) == 1:
                where = place[0][0]
            side = _holder(said["side"], names) if said.get("side") else ""
            fallen = _fallen(where, names) if instead == "{fallen}" else ""
            asked = instead.format(hex=hex, who=said.get("who") or "", where=where, side=side, fallen=fallen)
            return asked or text
    return re.sub(r"\bit\b", hex, text) if words.startswith("it ") else text
