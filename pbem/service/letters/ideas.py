"""Words that people try by mail, and what pbem has for them: one table. None of them acts by itself."""

from __future__ import annotations

import re
from dataclasses import dataclass

from pbem.service.letters.log import writer
from pbem.service.record.table import Table


@dataclass(frozen=True, slots=True)
class Idea:
    """Words for the same wish, parted by bars, and the answer. `{ask}` is how to ask those who run the game,
    `{concede}` a sentence where the game has an order to concede, `{other}` an opponent's key, `{away}` what
    a moderator can do for a player who is away. `pleads`: those who run the game must hear of it."""

    words: str
    says: str
    pleads: bool = False


IDEAS = (
    Idea(
        r"resign|quit|surrender|capitulate|give up|concede|abandon|retire|drop out|leave(?!\s+\d)|substitute"
        "|replacement|replace me",
        "{concede}To be replaced, {ask}.",
        pleads=True,
    ),
    Idea(
        "unsubscribe|unregister|sign off|signoff|remove|remove me|stop|stop mail|stop emails",
        "Letters stop when somebody else plays your side: {ask}. BRIEF ON makes them short. {concede}",
        pleads=True,
    ),
    Idea(
        "pause|pause the game|vacation|holiday|holidays|away|absent|absence|ill|sick|delay|adjourn|more time"
        "|time|wait",
        "EXTEND 2d because of ... proposes to put off the deadline. If you are away for longer, {ask}, with "
        "the dates: {away}.",
        pleads=True,
    ),
    Idea(
        "statistics|stats|luck|score|points|victory|dice|rolls",
        "STATUS sends the state of the game, FORCES what you have, HISTORY all rolls, LUCK how high the "
        "dice fell.",
    ),
    Idea(
        "summar(?:y|ies|ise)|report|(?:the )?story|recap|news|events|results?|last turn|replay|what happened"
        "|so far",
        "SUMMARY sends the game so far in about 20 lines, LOG what has happened in this turn, LOG 1 that of "
        "turn 1, HISTORY all rolls.",
    ),
    Idea(
        "(?:note|notes|memo|journal|to do|todo)(?:\\s*:.*)?|diary\\s+[^:]*",
        "DIARY: and your words keep a line for you alone. A line that begins with ; is a note in your own "
        "mailbox.",
    ),
    Idea(
        "draw|tie|peace|truce|armistice|offer draw|offer a draw",
        "There is no order for a draw. Agree on it with the other side (PRESS {other}: your words), then "
        "{ask}.",
    ),
    Idea(
        "take ?back|mistake|oops|restart|go back|correction",
        "UNDO lists what you can go back to, and UNDO R17 because of ... proposes it to the others. A line "
        "that was not played yet is replaced by its name: L3: and the order.",
    ),
    Idea(
        "rules|rule book|rulebook|manual|commands|instructions|info|about|faq|how to play|tutorial",
        "HELP explains orders, CHARTS sends the tables, RULINGS lists how gaps in the rulebook are filled.",
    ),
    Idea(
        "units?|oob|order of battle|position|board|picture|image|hexes|reinforcements?",
        "MAP sends the map, MAP and a hex, a place or a unit what is around it. FORCES lists your units and "
        "those still to come, ENEMY what you know of theirs.",
    ),
    Idea(
        "(?:orders?|web) ?(?:page|desk|map)|webpage|click|click orders|click on (?:the )?map|gui|app|website"
        "|browser|html",
        "DESK sends a page that writes your orders on a map; open it in a browser.",
    ),
    Idea(
        "odds|chances?|probability|probabilities|what if|simulate|simulation|preview|test",
        "TRY, alone on a line above your orders, shows what they cost and their odds; nothing is kept.",
    ),
    Idea(
        "skip|skip turn|next|next turn|end|end turn|end phase|end of turn|finish|finished|go on|ready",
        "DONE closes a section that has lines, NO ORDERS one that has none.",
    ),
    Idea(
        "deadline|due|when|who|whose turn|players?|list|games?|turn|date|who is waiting|waiting",
        "STATUS says who the game is waiting for, and until when.",
    ),
    Idea(
        "cancel|revoke|delete|clear|undo orders",
        "WITHDRAW L3 withdraws a line, NEW alone on a line all lines of its section.",
    ),
    Idea("reroll|re-roll|cheat|protest|complaint|complain", "DISPUTE R17 and your reason ask for a ruling."),
    Idea(
        "message|messages|chat|send|tell|write|mail|email|letter|broadcast",
        "PRESS {other}: and your words on one line writes to the other side.",
    ),
    Idea(
        "join|sign on|signon|register|observe|watch|spectate|address|change address|new address|name",
        "Only those who run the game can do that: {ask}.",
    ),
)

_AWAY = "the moderator can put off deadlines for those days (AWAY) or give your side to a substitute"
_AWAY_BY_HOST = "the host can put off deadlines for those days or give your side to a substitute"

_SOMEBODY = r"\b(?:some|any)(?:body|one)(?:\s+else)?\b.*"
_PLEAS = (
    _SOMEBODY + r"\b(?:for\s+me|my\s+(?:side|seat|part|place|army|turns?|moves?|orders)"
    r"|take\s+(?:it\s+|this\s+)?over|(?:stand|step|fill)\s+in)\b",
    r"\btak(?:e|es|ing)\s+over\s+(?:for|from)\s+me\b|\bstand[- ]?in\s+for\s+me\b",
    r"\b(?:need|find|want|looking\s+for)\s+(?:me\s+)?(?:a|an)\s+(?:substitute|replacement|stand-?in)\b",
    r"\b(?:in|into|to|from)\s+(?:the\s+|a\s+)?hospital\b|\bsurgery\b|\bfuneral\b",
    r"\b(?:I'm|I\s+am|I\s+was|I'll\s+be|I\s+will\s+be|I\s+shall\s+be)\s+(?:\w+\s+){0,2}"
    r"(?:ill|sick|unwell|injured|absent|away|offline|abroad|travell?ing|on\s+(?:holiday|vacation|leave))\b",
    r"\bon\s+(?:holiday|vacation|leave)\b|\baway\s+(?:until|till|next\s+week|this\s+week)\b",
    r"\bI\s+(?:can't|can\s*not|can\s+no\s+longer|won't\s+be\s+able\s+to|will\s+not\s+be\s+able\s+to"
    r"|am\s+(?:not\s+able|unable)\s+to|have\s+no\s+time\s+to)\s+(?:\w+\s+){0,2}"
    r"(?:play|go\s+on|continue|write|finish|keep\s+up|carry\s+on)\b",
    r"\bI(?:'d)?\s+(?:want|would\s+like|like|must|have|wish|will|need)\s+(?:to\s+)?"
    r"(?:resign|quit|drop\s+out|give\s+up|leave\s+the\s+game|stop\s+playing)\b",
    r"\b(?:please\s+help|need\s+(?:\w+\s+)?help|help\s+me)\b",
)
_FOR_A_PLEA = (
    "If you are away, {ask}, with the dates: {away}. EXTEND 2d because of ... proposes to put off the "
    "deadline. {concede}"
)
_PLEA = re.compile("|".join(_PLEAS), re.IGNORECASE)
"""Free words in which a player asks those who run the game for help."""

_BEFORE = r"(?:(?:please|i|we|i'd like to|i would like to|i want to|can i|may i|how do i|how can i)\s+)*"
_BEHIND = r"(?:\s+(?:please|me|my mail|the game|this game))*(?:\s+\d.*)?\s*[.!?]*\s*"
_READ = tuple((re.compile(rf"\s*{_BEFORE}(?:{idea.words}){_BEHIND}", re.IGNORECASE), idea) for idea in IDEAS)


def is_plea(line: str) -> bool:
    """Whether those who run the game must hear of a line that was not read: its writer wants to leave, is
    away, or asks for help."""
    known = next((idea for pattern, idea in _READ if pattern.fullmatch(line)), None)
    return known.pleads if known else _PLEA.search(line) is not None


def idea(table: Table, seat: str, line: str) -> str:
    """Return what pbem has for the wish that a line of a seat is; "" if it is none that is known."""
    known = next((idea for pattern, idea in _READ if pattern.fullmatch(line)), None)
    says = known.says if known else _FOR_A_PLEA if _PLEA.search(line) else ""
    others = [key for key in table.seats if key != seat]
    if "{other}" in says and not others:
        return ""
    concede = "CONCEDE ends the game. " if _has_concede(table) else ""
    away = _AWAY if table.record.staff("moderator") else _AWAY_BY_HOST
    words = {"ask": ask(table), "concede": concede, "other": others[0] if others else "", "away": away}
    return says.format(**words).strip()


def _has_concede(table: Table) -> bool:
    return any(order.verb == "concede" for order in table.game.grammar.orders)


def ask(table: Table) -> str:
    """How a player asks those who run the game for something."""
    if table.record.staff("moderator"):
        return "write PRESS moderator: and your words"
    return "write to the host"


def how_to_write(table: Table, seat: str) -> str:
    """How a seat writes to others, for a letter in which nothing was read."""
    others = [key for key, row in table.seats.items() if key != seat and (row.address or not row.bot)]
    ways = []
    if others:
        named = " or ".join(writer(table, key) for key in others)
        ways.append(f"To write to {named}: PRESS {others[0]}: and your words on one line")
    if table.record.staff("moderator"):
        to = "to the moderator" if ways else "To write to the moderator"
        ways.append(f"{to}: PRESS moderator: and your words")
    return " ".join(filter(None, [f"{'; '.join(ways)}." if ways else "", "HELP explains orders."]))
