"""Letter commands: what a player may ask of the server in any game, one to a line.

A line is a command only if it has the whole form of one. ``Status of my leg: better`` begins with a command's word and
is still chat.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from re import Pattern

from pbem.engine.orders import Command


@dataclass(frozen=True, slots=True)
class Form:
    """A command as it is explained (`usage`, `help`) and recognised (`pattern`, on the whole line)."""

    name: str
    usage: str
    help: str
    pattern: Pattern[str]


def _form(name: str, usage: str, help: str, pattern: str) -> Form:
    return Form(name, usage, help, re.compile(rf"\s*(?:{pattern})\s*", re.IGNORECASE))


_END = r"\s*[.!]?"
_FORMS = (
    _form("help", "HELP [verb]", "the order reference, or one verb of it", rf"help(?:\s+(?P<argument>[\w-]+(?:\s+[\w-]+)?))?{_END}"),
    _form("status", "STATUS", "where the game stands and who is awaited", rf"status{_END}"),
    _form("map", "MAP", "the map as you see it now", rf"map{_END}"),
    _form("log", "LOG [turn]", "the log of this turn, or of an earlier one", rf"log(?:\s+(?:turn\s+)?(?P<argument>\d+))?{_END}"),
    _form("history", "HISTORY", "the game so far in a few lines for each turn", rf"history{_END}"),
    _form("orders", "ORDERS", "your orders as they are kept now", rf"orders{_END}"),
    _form("try", "TRY", "alone on a line: check this letter, keep nothing of it", rf"try{_END}"),
    _form("standing", "STANDING", "alone on a line: list your standing orders", rf"standing{_END}"),
    _form("press", "PRESS <to>: <text>", "a message to a seat, to all or to the moderator; it ends at a blank line", r"press\s+(?:to\s+)?(?P<argument>[^:]{1,60}?)\s*:\s*(?P<text>.*)"),
    _form("final", "FINAL", "these orders stand; do not wait for more from me", rf"final{_END}"),
    _form("draft", "DRAFT", "keep these orders, more will come", rf"draft{_END}"),
    _form("withdraw", "WITHDRAW [<units>|all]", "take back orders, of these units or all", rf"withdraw(?:\s+(?P<argument>.+?))?{_END}"),
    _form("salt", "SALT <text>", "add words of yours to the dice from the next phase on", r"salt\s*:?\s+(?P<text>\S.*?)"),
    _form("password", "PASSWORD <text>", "proves that the letter is yours, where the host asks for it", r"password\s*:?\s+(?P<text>\S.*?)"),
    _form("done", "NO ORDERS or DONE", "nothing (more) to order in this phase", rf"(?:no\s+orders|done){_END}"),
    _form("answer", "ANSWER <number> <choice>", "answers a question of a decision letter; 1: b or 1 = heavy will do", rf"answer\s+(?P<argument>\d{{1,4}})\s*[:=)]?\s*(?P<text>\S.*?){_END}"),
    _form("confirm", "CONFIRM <code>", "a letter held because its sender was in doubt is yours after all", rf"confirm\s+(?P<argument>[0-9a-f]{{8}}){_END}"),
    _form("ruling", "RULING R<number> [text]", "asks the moderator for a ruling on a result of the log", r"ruling\s*:?\s+(?P<argument>R\d+)\s*[:,]?\s*(?P<text>.*?)"),
    _form("dispute", "DISPUTE R<number> [text]", "disputes a result of the log", r"dispute\s*:?\s+(?P<argument>R\d+)\s*[:,]?\s*(?P<text>.*?)"),
)  # fmt: skip
COMMANDS = {form.name: form for form in _FORMS}
FIRST_WORDS = {form.name: form for form in _FORMS} | {"no": COMMANDS["done"]}
VERBATIM = frozenset({"press", "salt", "password"})
"""Commands whose text may hold the signs that begin a comment elsewhere."""

_SHORT_ANSWER = re.compile(rf"\s*(?P<argument>\d{{1,4}})\s*[:=]\s*(?P<text>\S.*?){_END}\s*")


def command(number: int, line: str) -> Command | None:
    """The command that `line` is, if it is one. `argument` holds what the command is about (topic, turn, addressee,
    question, roll), `text` free words."""
    first = re.match(r"\s*([A-Za-z]+)", line)
    form = FIRST_WORDS.get(first[1].lower()) if first else None
    if form is None:
        return None
    bare = line if form.name in VERBATIM else re.split(r"[#;]", line, maxsplit=1)[0]
    return _made(number, form.name, form.pattern.fullmatch(bare))


def short_answer(number: int, line: str) -> Command | None:
    """``1: b`` or ``1 = heavy``, the short form of ANSWER."""
    return _made(number, "answer", _SHORT_ANSWER.fullmatch(line))


def _made(number: int, name: str, found: re.Match[str] | None) -> Command | None:
    if found is None:
        return None
    parts = found.groupdict()
    argument = (parts.get("argument") or "").strip()
    if name in ("ruling", "dispute"):
        argument = argument.upper()
    return Command(name, argument, number, (parts.get("text") or "").strip())
