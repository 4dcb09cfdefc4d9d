"""Tells a writer's own words from what the mail program put around them.

A reply may be above, below or inside the letter it answers. Lines that begin with `>` are quoted, and where
several begin with `|`, those are too, unless all end with one, and are given with `>`. Lines between quoted
ones are the writer's. Programs that quote without marks put a block of headers before the quotation, and all
that follows it is quoted. Introductions ("On Friday Anna wrote:"), signatures, footers of lists and
advertisements of phones are set aside.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

_QUOTED = re.compile(r" {0,3}>")
_BAR = re.compile(r"^ {0,3}\| ?")
_WROTE = (
    "wrote", "writes", "schrieb", "a écrit", "ha scritto", "escribió", "escreveu", "schreef", "geschreven",
    "skrev", "kirjoitti", "napisał", "napsal", "napísal", "írta", "пишет", "написал", "yazdı", "写道", "寫道",
)  # fmt: skip
_OPENINGS = ("on ", "am ", "le ", "el ", "il ", "op ", "em ", "den ", "dnia ", "w dniu ", "dne ")
_SIGNED = "-----BEGIN PGP SIGNED MESSAGE-----"
_BLOCK = re.compile(r"-----BEGIN PGP (SIGNATURE|MESSAGE|PUBLIC KEY BLOCK)-----")
_INTRODUCTION_LINES = 4
_WRAPPED_COLUMNS = 30  # no program wraps lines shorter than this
_SEPARATOR = re.compile(
    r"\s*(?:-{4,} ?(?:original message|original appointment|ursprüngliche nachricht|originalnachricht"
    r"|message d'origine|message transféré|mensaje original|messaggio originale|oorspronkelijk bericht"
    r"|forwarded message|weitergeleitete nachricht"
    r"|[^\s-].{0,200} (?:wrote|schrieb|a écrit|ha scritto|escribió):) ?-{4,}"
    r"|begin forwarded message:|anfang der weitergeleiteten nachricht:)\s*",
    re.IGNORECASE,
)
_RULE = re.compile(r"\s*(?:[_-]{10,}|-{4,}[^-]{1,60}-{4,})\s*")
_HEADERS = (  # what programs call From (first), Sent, To, Cc and Subject
    "from|sent|date|to|cc|subject|reply-to",
    "von|gesendet|datum|an|kopie|betreff|thema",
    "de|envoyé|envoyé le|date|à|copie à|objet|sujet",
    "de|enviado el|enviado|enviada em|enviado em|fecha|data|para|asunto|assunto",
    "da|inviato|data|a|oggetto",
    "van|verzonden|aan|onderwerp",
    "från|skickat|till|kopia|ämne",
    "fra|sendt|dato|til|kopi|emne",
    "lähettäjä|lähetetty|päivämäärä|päiväys|vastaanottaja|kopio|aihe",
    "od|wysłano|data|do|dw|temat",
    "od|odesláno|datum|komu|kopie|předmět",
    "od|odoslané|dátum|komu|kópia|predmet",
    "feladó|elküldve|dátum|címzett|másolatot kap|tárgy",
    "de la|trimis|data|către|subiect",
    "от|отправлено|дата|кому|копия|тема",
    "від|надіслано|дата|кому|копія|тема",
    "kimden|gönderildi|tarih|kime|bilgi|konu",
    "από|στάλθηκε|ημερομηνία|προς|κοιν|θέμα",
    "差出人|送信日時|日時|日付|宛先|件名",
    "发件人|发送时间|日期|收件人|抄送|主题",
    "寄件者|寄件日期|日期|收件者|副本|主旨",
    "보낸 사람|보낸 날짜|받는 사람|참조|제목",
)
_FIRST_HEADERS = frozenset(names.partition("|")[0] for names in _HEADERS)
_HEADER = re.compile(rf"\s*\*{{0,2}}({'|'.join(_HEADERS)})\s?:\*{{0,2}}(?:\s.*)?", re.IGNORECASE)
_NOTES_TABLE = re.compile(r"> -{5,}\+-{5,}>")
_NOTES_DATE = re.compile(r"\s*\d{1,4}[./-]\d{1,2}[./-]\d{2,4},? +\d{1,2}[:.]\d{2}.{0,12}")
_LIST_RULE = re.compile(r"_{20,}|(?:-=){10,}-?")
_LIST_NAME = re.compile(r"\b(?:mailing|lists?|groups?|unsubscribe)\b", re.IGNORECASE)
_LIST_ADDRESS = re.compile(r"https?://|@")
_FOOTERS = (
    "sent from my ", "sent from outlook", "sent from mail for ", "sent from yahoo", "sent from proton",
    "sent with proton", "get outlook for ", "gesendet von ", "gesendet mit ",
    "diese nachricht wurde von meinem ", "von meinem iphone", "von meinem ipad", "von meinem android",
    "von meinem samsung", "von meinem handy", "holen sie sich outlook", "envoyé de mon ", "envoyé depuis ",
    "télécharger outlook", "enviado desde ", "inviato da ", "verstuurd vanaf ", "skickat från min ",
    "sendt fra min ", "enviado do meu ", "enviado a partir d", "lähetetty iphonesta", "lähetetty ipadista",
    "wysłane z ", "odesláno z ", "odoslané z ", "отправлено с ", "отправлено из ", "надіслано з ",
    "iphoneから送信", "ipadから送信", "从我的iphone发送", "发自我的", "나의 iphone에서 보냄",
)  # fmt: skip
_PICTURE = re.compile(r"\[(?:cid:|image: |inline image)[^\]]*\]", re.IGNORECASE)
_BARE_SIGNATURE_LINES = 6
_BLOCK_LINES = 20
_LIST_FOOTER_LINES = 12
_SEVERAL = 2  # lines that begin with a bar: one alone may be anything


@dataclass(frozen=True, slots=True)
class Line:
    """A line of a letter. `number` counts from 1 in the text as read; `quoted` means that it repeats another
    letter and is not what the writer says."""

    number: int
    text: str
    quoted: bool = False


def folded(text: str) -> str:
    """A line as it is compared with another: without the blanks and marks that mail programs change."""
    return " ".join(text.replace("\xa0", " ").lstrip("> ").split())


def repeated(lines: Sequence[Line], known: Collection[str], least: int = 3) -> Iterator[list[Line]]:
    """The stretches of lines that repeat another letter without a mark: `least` or more in a row, empty ones
    not counted, that are among its lines (`known`, folded)."""
    run: list[Line] = []
    for line in (*lines, Line(0, "", quoted=True)):
        if not line.quoted and not line.text.strip():
            continue
        if not line.quoted and folded(line.text) in known:
            run.append(line)
            continue
        if len(run) >= least:
            yield run
        run = []


def divide(texts: Sequence[str]) -> tuple[tuple[Line, ...], tuple[Line, ...]]:
    """Divide a letter's text into the lines that were written or quoted, and those set aside: introductions
    of quotations, signatures, advertisements and the frame of a signed message."""
    texts = _bars_made_marks(list(_unescaped(texts)))
    kept: list[Line] = []
    aside: list[Line] = []
    for number, (role, text) in enumerate(zip(_roles(texts), texts, strict=True), 1):
        line = Line(number, text.rstrip(), role == "quoted")
        (aside if role == "aside" else kept).append(line)
    return tuple(kept), tuple(aside)


def _unescaped(texts: Sequence[str]) -> Iterator[str]:
    """The lines without the `- ` that signing in the text puts before those that begin with a hyphen (RFC
    9580, 7.2)."""
    signed = False
    for text in texts:
        if text.startswith("-----BEGIN PGP "):
            signed = text.strip() == _SIGNED
        yield text.removeprefix("- ") if signed else text


def _bars_made_marks(texts: Sequence[str]) -> Sequence[str]:
    """The lines with `>` for `|` at their beginning, if several begin so."""
    barred = [text for text in texts if _BAR.match(text)]
    if len(barred) < _SEVERAL or all(text.rstrip().endswith("|") for text in barred):  # a table
        return texts
    return [_BAR.sub("> ", text) for text in texts]


def _roles(texts: Sequence[str]) -> Iterator[str]:
    """For each line: own, quoted or aside."""
    marks = [index for index, text in enumerate(texts) if _QUOTED.match(text)]
    last_mark = marks[-1] if marks else -1
    in_signature = False
    index = 0
    while index < len(texts):
        text = texts[index]
        if length := _notes_block(texts, index):
            yield from ["aside"] * length
            yield from ["quoted"] * (len(texts) - index - length)
            return
        if _QUOTED.match(text):
            in_signature = False
            yield "quoted"
            index += 1
        elif length := _armour(texts, index):
            yield from ["aside"] * length
            index += length
        elif _begins_list_footer(texts, index):
            yield from ["aside"] * (len(texts) - index)
            return
        elif length := _introduction(texts, index, last_mark):
            yield from ["aside"] * length
            index += length
            in_signature = False
            if last_mark < index:
                yield from ["quoted"] * (len(texts) - index)
                return
        elif length := _header_block(texts, index):
            yield from ["aside"] * length
            index += length
            in_signature = False
            following = next((line for line in texts[index:] if line.strip()), "")
            if not _QUOTED.match(following):
                yield from ["quoted"] * (len(texts) - index)
                return
        else:
            in_signature = in_signature or _begins_signature(texts, index)
            yield "aside" if in_signature or _is_footer(text) else "own"
            index += 1


def _introduction(texts: Sequence[str], start: int, last_mark: int) -> int:
    """How many lines from `start` introduce a quotation, which mail programs often wrap; 0 if none does.

    It ends in a colon. It must say that somebody wrote, or give an address right above the quotation; and
    where no quotation follows at once, it must also look like what programs write: a date and a name.
    """
    if not texts[start].strip():
        return 0
    dated = _opens_dated(texts[start])
    joined = ""
    for length, text in enumerate(texts[start : start + _INTRODUCTION_LINES], 1):
        words = text.strip().lower()
        if not words or _QUOTED.match(text) or (length > 1 and _opens_dated(text)):
            return 0
        joined = f"{joined} {words}".strip()
        if joined.endswith(":"):
            says = any(word in joined for word in _WROTE)
            if _quote_follows(texts, start + length):
                return length if says or ("@" in joined and "<" in joined) else 0
            return length if says and dated and ("@" in joined or "," in joined or last_mark > start) else 0
        if len(words) < _WRAPPED_COLUMNS or not (dated or "<" in joined):
            return 0
    return 0


def _opens_dated(text: str) -> bool:
    return text.strip().lower().startswith(_OPENINGS) and any(letter.isdecimal() for letter in text)


def _quote_follows(texts: Sequence[str], start: int) -> bool:
    following = next((text for text in texts[start : start + 3] if text.strip()), "")
    return bool(_QUOTED.match(following))


def _header_block(texts: Sequence[str], start: int) -> int:
    """How many lines from `start` are a separator and the headers of the letter quoted below; 0 if none
    are."""
    index = start
    separated = bool(_SEPARATOR.fullmatch(texts[index]))
    if separated or _RULE.fullmatch(texts[index]):
        index += 1
        while index < len(texts) and index < start + 3 and not texts[index].strip():
            index += 1
    first = _HEADER.fullmatch(texts[index]) if index < len(texts) else None
    if first and (separated or first[1].lower() in _FIRST_HEADERS):
        names = set()
        end = min(len(texts), start + _BLOCK_LINES)
        while index < end and (match := _HEADER.fullmatch(texts[index])):
            names.add(match[1].lower())
            index += 1
            if index + 1 < len(texts) and not texts[index].strip() and _HEADER.fullmatch(texts[index + 1]):
                index += 1
        if separated or len(names) >= 3:
            return index - start
    return 1 if separated else 0


def _notes_block(texts: Sequence[str], start: int) -> int:
    """How many lines from `start` are what Lotus Notes puts above a quotation; 0 if none are. Either a table
    of writer and date, or the writer, the date, and To, cc and Subject below, each on a line of its own."""
    if _NOTES_TABLE.match(texts[start]):
        rest = (at for at in range(start, len(texts)) if texts[at].strip() and not _QUOTED.match(texts[at]))
        return next(rest, len(texts)) - start
    block = texts[start : start + _BLOCK_LINES]
    if "@" not in block[0] or not any(_NOTES_DATE.fullmatch(text) for text in block[1:3]):
        return 0
    headers = [at for at, text in enumerate(block) if _HEADER.fullmatch(text)]
    return headers[-1] + 1 if len(headers) > 1 else 0


def _armour(texts: Sequence[str], start: int) -> int:
    """How many lines from `start` frame a message that is signed in the text itself, or hold one that cannot
    be read; 0 if none do."""
    text = texts[start].strip()
    if text == _SIGNED:
        return next((count for count, line in enumerate(texts[start : start + 6], 1) if not line.strip()), 1)
    if begin := _BLOCK.fullmatch(text):
        end = f"-----END PGP {begin[1]}-----"
        ends = (at for at in range(start, len(texts)) if texts[at].strip() == end)
        return next(ends, len(texts) - 1) - start + 1
    return 0


def _begins_signature(texts: Sequence[str], index: int) -> bool:
    """The line `-- ` begins a signature. Without its space it may also be a line drawn between orders, so
    then only a few lines may follow."""
    if texts[index] == "-- ":
        return True
    if texts[index] != "--":
        return False
    count = 0
    for text in texts[index + 1 :]:
        if _QUOTED.match(text) or count > _BARE_SIGNATURE_LINES:
            break
        count += bool(text.strip())
    return count <= _BARE_SIGNATURE_LINES


def _begins_list_footer(texts: Sequence[str], index: int) -> bool:
    """Whether a mailing list has signed the letter here: a rule, and below it to the end only lines with its
    name or an address, and both somewhere."""
    if not _LIST_RULE.fullmatch(texts[index].strip()) or len(texts) - index > _LIST_FOOTER_LINES:
        return False
    footer = [text for text in texts[index + 1 :] if text.strip()]
    names = [_LIST_NAME.search(text) is not None for text in footer]
    addresses = [_LIST_ADDRESS.search(text) is not None for text in footer]
    return any(names) and any(addresses) and all(map(max, names, addresses))


def _is_footer(text: str) -> bool:
    """Whether a program has written this line: an advertisement, or where a picture is."""
    text = text.strip()
    return len(text) < 120 and (text.lower().startswith(_FOOTERS) or _PICTURE.fullmatch(text) is not None)
