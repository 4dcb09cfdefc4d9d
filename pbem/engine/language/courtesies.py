"""Greetings, closings and names below them, in six languages: what people write around their orders. Such
lines are dropped in silence."""

from __future__ import annotations

import re

_NAME = r"(?P<name>(?-i:[\s,]+[A-ZÀ-Þ][\w.'’-]*){0,3})"
_END = r"[\s.,!:;)\-–—*]*(?:[:;]-?[)D])?\s*"

_GREETINGS = (
    "hi|hi there|hi all|hi everybody|hi everyone|hello|hello all|hello there|hey|hey there"
    "|dear(?: all| both| friends?)?|good (?:morning|day|afternoon|evening)"
    "|sir|madam|herr|frau|mein herr|monsieur|madame|signore|señor"
    "|greetings|gentlemen|here we go|hi,? here we go|here (?:are|come) my orders|my orders"
    "|here is my turn|my turn"
    "|(?:my |our |the |all )?orders (?:are )?(?:attached|below|enclosed|follow|as follows|in the attachment)"
    "|hallo|hallo zusammen|moin|servus|guten (?:morgen|tag|abend)|liebe[rs]?"
    "|grüß (?:dich|gott)|sehr geehrte[rs]?|hier (?:sind|kommen) meine befehle"
    "|bonjour|bonsoir|salut|cher|chère|chers|voici mes ordres"
    "|hola|buenos días|buenas(?: tardes| noches)?|querido|estimado|aquí van mis órdenes"
    "|ciao|salve|buongiorno|buonasera|caro|cara|ecco i miei ordini"
    "|hoi|dag|beste|goedemorgen|goedemiddag|goedenavond|goedendag|hier zijn mijn orders"
)
_CLOSINGS = (
    "cheers|thanks(?: a lot| again| in advance| for (?P<for>.{1,30}))?|many thanks"
    "|thank you(?: (?P<you>.{1,30}))?"
    "|(?:thanks and )?(?:have )?a (?:nice|good|great|lovely) (?:day|evening|week|weekend|time)"
    "|thx|ta|(?:all |my |the |very )*best(?: wishes| regards)?"
    "(?: from (?P<from>[^\\W\\d_]+(?: [^\\W\\d_]+)?))?"
    "|(?:kind|warm|best|warmest) regards"
    "|regards|greetings|yours(?: truly| sincerely| faithfully| ever)?|sincerely(?: yours)?"
    "|take care|over and out|love(?: to all| to everybody)?|more (?:soon|next time)"
    "|peace|keep (?:well|smiling|safe|in touch|it up|up the good work)|stay (?:safe|well|healthy|tuned)"
    "|see you(?: soon| later| (?P<see>.{1,20}))?|bye|good luck|have fun|good game|gg"
    "|(?:over to you|your (?:move|turn)|it is your (?:move|turn)|it's your (?:move|turn)"
    "|that's (?:it|all)(?: from me)?|that is all(?: from me| for now)?)"
    "|(?:viele|liebe|beste|herzliche|schöne|freundliche)n? gr(?:ü|ue)(?:ß|ss)e(?: aus \\w+)?"
    "|mit (?:freundlichen|besten|vielen|lieben|herzlichen) gr(?:ü|ue)(?:ß|ss)en|mfg|lg|vg|gru(?:ß|ss)"
    "|danke(?: dir| euch| schön| sehr)?|vielen dank|bis (?:bald|dann|später|morgen)|tschüss"
    "|viel (?:glück|spaß|erfolg)"
    "|cordialement|bien (?:à toi|à vous|cordialement)|amicalement|merci(?: beaucoup| d'avance)?"
    "|à (?:bientôt|plus|demain)|bonne (?:chance|journée|soirée|partie)|salutations|amitiés"
    "|saludos(?: cordiales)?|un (?:saludo|abrazo)|atentamente|gracias|muchas gracias"
    "|hasta (?:luego|pronto|mañana)|suerte|buena suerte"
    "|(?:cordiali|distinti|cari) saluti|saluti|grazie(?: mille)?"
    "|a presto|arrivederci|buona (?:fortuna|giornata|serata|partita)|in bocca al lupo"
    "|(?:met )?(?:vriendelijke|hartelijke|beste) groet(?:en)?|groet(?:en|jes)?|mvg|bedankt|dank je(?: wel)?"
    "|dank u(?: wel)?|tot (?:ziens|straks|morgen|later)|succes|veel plezier"
)
_GREETING = re.compile(
    rf"\s*(?:{_GREETINGS})(?i:\s+(?:all|both|everybody|everyone|friends?|team|folks|together))?{_NAME}{_END}",
    re.IGNORECASE,
)
_CLOSING = re.compile(
    rf"\s*(?:(?:and|so|ok|okay|well),?\s+)?(?:that(?:['’]s| is) all(?: for now)?[.,!]\s+)?"
    rf"(?:{_CLOSINGS}){_NAME}{_END}",
    re.IGNORECASE,
)
_SIGNED = re.compile(r"\s*(?:[A-ZÀ-Þ][\w.'’-]*[\s.,]*){1,4}(?:\([^()]{1,40}\))?\s*")


def is_greeting(line: str) -> bool:
    """Whether a line is nothing but a greeting, perhaps with a name."""
    return _GREETING.fullmatch(line) is not None


def is_closing(line: str) -> bool:
    """Whether a line is nothing but the end of a letter, perhaps with a name."""
    return _CLOSING.fullmatch(line) is not None


def free_words(line: str) -> str:
    """The words of a greeting or closing that its writer chose: names, and what the thanks are for."""
    found = _GREETING.fullmatch(line) or _CLOSING.fullmatch(line)
    return " ".join(filter(None, found.groupdict().values())).strip() if found else ""


_FINISHED = re.compile(
    r"\s*(?P<head>(?:done|no orders)(?:\s+(?:all|anyway|all anyway))?)"
    r"\s*(?P<mark>[,.;!–—-]*)\s+(?P<tail>\S.*)",
    re.IGNORECASE,
)


def without_closing(line: str) -> str:
    """A line that ends a letter or section without the thanks or the name behind it: ``done, thanks``,
    ``done - Anna``. Any other line as it is."""
    found = _FINISHED.fullmatch(line)
    if found is None:
        return line
    signed = found["mark"] in ("-", "–", "—") and is_name(found["tail"])
    return found["head"] if is_closing(found["tail"]) or signed else line


WISHES = frozenset(
    "resign resigned quit retire surrender capitulate unsubscribe unregister signoff away absent absence "
    "holiday holidays vacation ill sick hospital substitute replacement".split()
)
"""Words that ask for something, even alone and with a capital: a line that begins with one is no name."""


def is_name(line: str) -> bool:
    """Whether a line could be the name of its writer: one to four words with a capital and no figures."""
    if _SIGNED.fullmatch(line) is None or any(map(str.isdecimal, line)):
        return False
    return line.split()[0].strip(".,").casefold() not in WISHES
