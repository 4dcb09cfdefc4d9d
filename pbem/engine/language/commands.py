"""Letter commands: what a player may ask of pbem in any game, one to a line.

A line is a command only if it has the whole form of one. ``Status of my leg: better`` begins with a command's
word and is still chat.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from re import Pattern

from pbem.engine.language.model import Command


@dataclass(frozen=True, slots=True)
class Form:
    """A command as it is explained (`usage`, `help`) and recognised (`pattern`, on the whole line)."""

    name: str
    usage: str
    help: str
    pattern: Pattern[str]


def _form(name: str, usage: str, help: str, pattern: str) -> Form:
    return Form(name, usage, help, re.compile(rf"\s*(?:{pattern})\s*", re.IGNORECASE))


_END = r"\s*[.!]*"
_ROLL = r"(?P<argument>R?\d+)\b\s*[:,;]?\s*(?P<text>.*?)"
_SINCE = (
    r"(?:(?:T\d{1,3}\s+)?(?:text\s+)?since\s+(?:my\s+)?(?:last\s+)?"
    r"(?:(?:[RT]\d{1,6}|letter)\s+(?:text\s+)?)?(?=\S))"
)
_FORMS = (
    _form("help", "HELP [topic]", "explains orders: all of them, one verb, one section",
        rf"help(?:\s+(?P<argument>[\w-]+(?:\s+[\w-]+)?))?{_END}"),
    _form("charts", "CHARTS [word]", "sends the game's tables, or only those with this word in the title",
        rf"charts?(?:\s+(?P<argument>[\w-]+(?:\s+[\w-]+)?))?{_END}"),
    _form("rulings", "RULINGS [case|words]",
        "lists how gaps in the rulebook are filled here, and what was ruled in games that are over",
        rf"rulings(?:\s+(?:on\s+)?(?P<argument>[\w.'-]+(?:\s+[\w.'-]+)?))?{_END}"),
    _form("status", "STATUS", "sends the state of the game and who it is waiting for", rf"status{_END}"),
    _form("map", "MAP [T<turn>] [SINCE R<roll>|T<turn>|LETTER] [TEXT] [hex|place|unit]",
        "sends the map as your side sees it: the whole, or around a hex, a place or a unit; as it was at the "
        "end of a turn; with all moves and fights since a roll, a turn or your last letter with a map; as "
        "text",
        rf"map(?:\s+(?:of\s+|around\s+)?"
        rf"(?P<argument>{_SINCE}?\S{{1,40}}?(?:[ \t]+\S{{1,40}}?){{0,3}}))?{_END}"),
    _form("replay", "REPLAY", "sends the game so far as a web page, to step through on a map with no network",
        rf"replay{_END}"),
    _form("desk", "DESK", "sends a page that writes your orders on a map, with no network", rf"desk{_END}"),
    _form("log", "LOG [turn]", "sends the log of this turn, or of an earlier one",
        rf"log(?:\s+(?:turn\s+)?(?P<argument>\d+))?{_END}"),
    _form("history", "HISTORY", "sends the game so far in a few lines for each turn", rf"history{_END}"),
    _form("summary", "SUMMARY", "sends the story of the game so far, in about 20 lines",
        rf"summary(?:\s+of\s+(?:the\s+)?game)?{_END}"),
    _form("luck", "LUCK", "sends how high the dice fell, against fair dice, by side, by rule and by turn",
        rf"luck{_END}"),
    _form("advice", "ADVICE", "sends what the planner would order in your place; nothing of it is kept",
        rf"advice{_END}"),
    _form("forces", "FORCES", "lists all your units, and what is still to come", rf"forces{_END}"),
    _form("enemy", "ENEMY", "lists all that you know of the enemy's units", rf"enemy{_END}"),
    _form("data", "DATA ON|OFF", "adds the position as JSON to each letter that shows one, for programs",
        rf"data\s+(?P<argument>on|off){_END}"),
    _form("brief", "BRIEF ON|OFF",
        "keeps letters after play short, without log, map and forces; LOG, MAP and FORCES send them",
        rf"brief\s+(?P<argument>on|off){_END}"),
    _form("calendar", "CALENDAR ON|OFF",
        "adds deadlines to letters as entries for your calendar (deadline.ics), or leaves them out",
        rf"calendar\s+(?P<argument>on|off){_END}"),
    _form("dark", "DARK ON|OFF", "sends dark maps, or light ones again",
        rf"dark\s+(?P<argument>on|off){_END}"),
    _form("orders", "ORDERS", "sends your kept lines and the order form", rf"orders{_END}"),
    _form("try", "TRY", "alone on a line: checks this letter; nothing is kept", rf"try{_END}"),
    _form("standing", "STANDING", "alone on a line: lists your standing orders", rf"standing{_END}"),
    _form("press", "PRESS <to> [anonymously]: <text>",
        "sends one line to a side, to all or to the moderator; anonymously where the game allows it; "
        "PRESS <to>: alone on a line begins a message that END PRESS ends",
        r"press\s+(?:to\s+)?(?P<argument>[^:]{1,60}?)\s*:\s*(?P<text>.*)"),
    _form("mute", "MUTE [who]", "you get no more press of theirs; alone it lists whom you have muted",
        rf"mute(?:\s+(?P<argument>[\w-]{{1,40}}))?{_END}"),
    _form("unmute", "UNMUTE <who>", "you get their press again",
        rf"unmute\s+(?P<argument>[\w-]{{1,40}}){_END}"),
    _form("diary", "DIARY: <text>",
        "keeps one line for yourself alone, which the replay shows once the game is over; "
        "DIARY: alone on a line begins an entry that END DIARY ends; DIARY sends your diary",
        rf"diary(?:\s*(?P<argument>:)\s*(?P<text>.*)|{_END})"),
    _form("done", "DONE [section|all|anyway]",
        "closes the section it is in, the one it names, or all with lines; "
        "DONE ANYWAY goes ahead without the lines to correct",
        rf"done(?:\s+(?P<argument>[^:]{{1,80}}?))?{_END}"),
    _form("final", "FINAL", "the same as DONE ALL", rf"final{_END}"),
    _form("none", "NO ORDERS[: sections|all]",
        "closes a section with no lines, or several; "
        "NO ORDERS ALL every one of this turn that has no lines and waits for no draw",
        rf"no\s+orders(?:(?:\s*(?::|for|in)\s*|\s+(?=(?:all|everything){_END}\s*$))"
        rf"(?P<argument>[^:]{{1,200}}?))?{_END}"),
    _form("draft", "DRAFT", "keeps this letter a draft, even if it says DONE", rf"draft{_END}"),
    _form("keep", "KEEP",
        "in reply to a letter about late or tried orders: puts them on your sheets as a draft",
        rf"keep{_END}"),
    _form("withdraw", "WITHDRAW <L3, L7|units|attack on hex|all>", "withdraws lines of earlier letters",
        rf"withdraw(?:\s+(?P<argument>.+?))?{_END}"),
    _form("new", "NEW [section]", "withdraws all lines kept in a section",
        rf"new(?:\s+\[?\s*(?P<argument>[^\[\]:]{{1,60}}?)\s*\]?)?{_END}"),
    _form("answer", "Q<number>: <choice>",
        "answers a question; Q7 a, 7: a, 7. a, 7 a and ANSWER 7 a also work",
        rf"answer\s+Q?(?P<argument>\d{{1,5}})\s*[:=).]?\s*(?P<text>\S.*?){_END}"),
    _form("defaults", "DEFAULTS",
        "leaves all other questions of this phase to your standing orders and the defaults",
        rf"defaults{_END}"),
    _form("salt", "SALT <text>", "mixes words of your own into every roll from the next phase on",
        r"salt\s*:?\s+(?P<text>\S.*?)"),
    _form("password", "PASSWORD <text>", "proves that the letter is yours, where the host asks for it",
        r"password\s*:?\s+(?P<text>\S.*?)"),
    _form("confirm", "CONFIRM [code|NONE]",
        "lets an email in your name act that was held because of its address; NONE drops all that are held",
        rf"confirm(?:\s+(?P<argument>[0-9a-f]{{8}}|none))?{_END}"),
    _form("ruling", "RULING R<number> [reason]", "the same as DISPUTE",
        rf"ruling\s*:?\s+{_ROLL}"),
    _form("dispute", "DISPUTE R<number> [reason]",
        "asks the moderator for a ruling on a roll of the log; all about it goes to everyone who knows of it",
        rf"dispute\s*:?\s+{_ROLL}"),
    _form("undo", "UNDO [R<number>|J<number>|turn <number>] [because <reason>]",
        "proposes to the others to go back to before a roll, an order of yours or a turn; "
        "alone it lists what you can name",
        rf"undo(?:\s+(?P<argument>[RJ]\d{{1,6}}|turn\s+\d{{1,3}})\b\s*[:,]?\s*(?P<text>.*?))?{_END}"),
    _form("extend", "EXTEND <2d|12h> [because <reason>]",
        "proposes to the others to put off the present deadline",
        r"extend\s+(?:by\s+)?(?P<argument>\d{1,3}d(?:\d{1,3}h)?|\d{1,3}h)\b\s*[:,]?\s*(?P<text>.*?)"),
    _form("agree", "AGREE <number>", "agrees to a proposal; it is done when all who play agree",
        rf"agree(?:\s+(?:to|with))?\s+(?:proposal\s+)?(?P<argument>\d{{1,4}}){_END}"),
    _form("refuse", "REFUSE <number> [because <reason>]",
        "refuses a proposal, which ends it; takes back one of your own",
        r"refuse\s+(?:proposal\s+)?(?P<argument>\d{1,4})\b\s*[:,]?\s*(?P<text>.*?)"),
)  # fmt: skip
COMMANDS = {form.name: form for form in _FORMS}
FIRST_WORDS = {form.name: form for form in _FORMS if form.name != "none"} | {"no": COMMANDS["none"]}
VERBATIM = frozenset({"press", "diary", "salt", "password", "dispute", "ruling"})
"""Commands whose text may hold the signs that begin a comment elsewhere."""

END_BLOCK = re.compile(r"\s*end\s+(?P<name>press|diary)\s*[.!]*\s*", re.IGNORECASE)
"""The end of a message or an entry of several lines, with the command that has begun it."""


def begins_block(found: Command) -> bool:
    """Whether the text of a command stands in the lines below it, up to its end."""
    return bool(found.argument) and not found.text and found.name in ("press", "diary")


PLEASE = re.compile(r"^\s*please,?\s+|,?\s+please(?=\s*[.!]*\s*$)", re.IGNORECASE)


def command(number: int, line: str) -> Command | None:
    """The command that `line` is, if it is one. `argument` holds what the command is about (topic, turn,
    addressee, question, roll), `text` free words."""
    first = re.match(r"\s*([A-Za-z]+)", line)
    form = FIRST_WORDS.get(first[1].lower()) if first else None
    found = form.pattern.fullmatch(line) if form else None
    if form is None or found is None:
        plain = PLEASE.sub("", line)
        return command(number, plain) if plain != line else None
    parts = found.groupdict()
    argument = (parts.get("argument") or "").strip()
    if form.name in ("ruling", "dispute"):
        argument = f"R{argument.upper().removeprefix('R')}"
    return Command(form.name, argument, number, (parts.get("text") or "").strip())


_DISPUTED = re.compile(
    r"\b(?:disput(?:e|ed|ing)|contest|challenge|(?:ruling|rule)\s+on)\s+(?:(?:the|that|this|result|of)\s+)*"
    r"(?:R|(?:roll|die|dice)\s+(?:number\s+)?R?)(?P<roll>\d{1,6})\b\s*[:,;.-]?\s*(?P<text>.*)",
    re.IGNORECASE,
)


def disputing(line: str) -> str:
    """``I dispute R22, it fell off the table`` as the command to send; "" for a line that speaks of no
    disputed roll."""
    found = _DISPUTED.search(line)
    return f"DISPUTE R{found['roll']} {found['text'].strip()}".strip() if found else ""


# --- answers ------------------------------------------------------------------------------------------------

_NUMBERED = re.compile(
    r"\s*(?:(?P<q>Q)\s*)?(?P<number>\d{1,5})\s*(?P<mark>[:.)=]|\s(?=\s*[A-Za-z0-9]))\s*(?P<text>\S.*)",
    re.IGNORECASE,
)
_SEVERAL = re.compile(r"(?:\s{2,}|[,;]\s*|\s+)(?=Q?\s*\d{1,5}\s*[:.)=]\s*\S)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Numbered:
    """Words behind a number: an answer, a unit whose name is a number, or an item of a list. `asked` tells
    that it is written as ``Q7``."""

    number: int
    text: str
    column: int
    asked: bool
    mark: str


def numbered(line: str, column: int = 0) -> Numbered | None:
    """The line as a number with words behind it, if it begins with one. `column` is where it begins in the
    whole line."""
    found = _NUMBERED.fullmatch(line)
    if found is None:
        return None
    return Numbered(
        int(found["number"]),
        found["text"].rstrip(),
        column + found.start("text"),
        bool(found["q"]),
        found["mark"].strip(),
    )


def several(line: str) -> list[tuple[int, str]]:
    """``Q1: a  Q2: b`` as its parts, each with its column."""
    parts: list[tuple[int, str]] = []
    start = 0
    for found in _SEVERAL.finditer(line):
        if line[: found.start()].strip():
            parts.append((start, line[start : found.start()]))
            start = found.end()
    return [*parts, (start, line[start:])]
