"""A mail as a letter: who wrote it, whom it was sent to, what kind it is, and the lines its writer wrote.

`parse` is pure and takes any bytes. It decides nothing about games: whether the letter may act is found out
from its recipients (`address`), what it orders from its lines.
"""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections.abc import Sequence, Set
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Literal
from urllib.parse import unquote

from pbem.mail.address import Claim, read_codes, without_codes
from pbem.mail.mime import Headers, Part, decode_words, leaves, read_mail
from pbem.mail.quotes import Line, divide
from pbem.mail.text import html_to_text, plain, unflow

__all__ = [
    "MAX_BYTES",
    "MAX_COLUMNS",
    "MAX_FILES",
    "MAX_LINES",
    "MAX_RESULTS",
    "Kind",
    "Letter",
    "Line",
    "TextFile",
    "parse",
]

MAX_BYTES = 1_000_000
MAX_LINES = 2_000
MAX_COLUMNS = 1_000
MAX_FILES = 5
MAX_RESULTS = 20

Kind = Literal["letter", "auto-reply", "bounce", "list", "ours"]

_HEADERS_OF_TOO_BIG = 64_000  # bytes of an oversized mail that are read to know whom to answer
_RECIPIENTS = ("delivered-to", "x-original-to", "envelope-to", "to", "cc")
_ADDRESS = re.compile(r"[^\s<>,;:\"'()\[\]@]{1,64}@[^\s<>,;:\"'()\[\]@]{1,255}")
_IN_ANGLES = re.compile(r"<\s*([^\s<>@]{1,64}@[^\s<>@]{1,255})\s*>")
_QUOTED_NAME = re.compile(r'"(?:[^"\\]|\\.)*+"?|\([^()]*\)')
_QUOTED_LOCAL_PART = re.compile(r'"([^\s"<>,;:()\\@\[\]]{1,64})"(?=@)')
_ID = re.compile(r"<[^<>\s]{1,250}>")
_OUR_ID = re.compile(r"<pbem\.[a-z2-7]{32}@[!-;=?-~]{1,250}>")
_DAEMONS = ("mailer-daemon", "postmaster", "mail-daemon", "mailerdaemon")
_AUTO_HEADERS = (
    "x-autoreply", "x-auto-reply", "x-autoreply-from", "x-mail-autoreply", "x-autorespond", "x-autoresponder",
    "x-vacation", "x-fc-machinegenerated",
)  # fmt: skip
_AUTO_PRECEDENCES = ("auto_reply", "auto-reply", "junk")
_CHALLENGES = (
    "x-boxtrapper", "x-askversion", "x-spamazoid-md", "x-bluebottle-request", "x-exispam", "spamlion",
)  # fmt: skip
_AUTO_REPLIES = (  # what programs call an answer that nobody wrote
    "auto[- ]?(?:reply|response|responder)", "automat(?:ic|ed) (?:reply|response)",
    "vacation (?:auto-?)?(?:reply|response|message|notice)", "away from my (?:e-?)?mail",
    "abwesenheits(?:notiz|meldung|nachricht|benachrichtigung)", "automatische (?:rück)?antwort",
    "réponse automatique", "message d'absence", "respuesta automática", "risposta automatica",
    "automatisch antwoord", "automatische reactie", "afwezigheidsbericht",
    "autosvar", "automatiskt? svar", "fraværsmelding", "frånvaromeddelande",
    "automaattinen vastaus", "poissaoloilmoitus", "automatikus válasz", "răspuns automat",
    "resposta automática", "autoodpowiedź", "odpowiedź automatyczna", "automatyczna odpowiedź",
    "automatická odpo(?:věď|veď)", "автоответ(?:чик)?", "автоматический ответ", "автоматична відповідь",
    "автовідповідь", "автоматичен отговор", "otomatik (?:yanıt|cevap)", "αυτόματη απάντηση",
    "自動(?:応答|返信|回覆|回復|答覆)", "自动(?:答复|回复)", "자동 ?(?:회신|응답)",
)  # fmt: skip
_ABSENCES = (  # what people call it, and may also begin a letter with
    "out of (?:the )?office", "ooo", "abwesend", "nicht im büro", "absen(?:t|te|ce) du bureau",
    "fuera de (?:la )?oficina", "fuori (?:sede|ufficio)", "afwezig", "ikke til stede", "mimo kancelář",
    "ausência temporária", "fora do escritório",
)  # fmt: skip
_AUTO_SUBJECT = re.compile(
    rf"(?:{'|'.join(_AUTO_REPLIES)})\s*(?:$|[^\w\s]|(?:from|to|re|von|de)\b)"
    rf"|(?:{'|'.join(_ABSENCES)})\s*(?:$|[:(]|re:|(?:auto\W?)?(?:reply|response|message|notice)\b"
    r"|(?:until|till|bis|jusqu|hasta|fino|tot)\b)"
)
_INVITATION_ANSWERS = re.compile(
    r"(?:accepted|declined|tentative|new time proposed|zugesagt|abgelehnt|mit vorbehalt|accepté|refusé"
    r"|provisoire|aceptad[ao]|rechazad[ao]|accettato|rifiutato|geaccepteerd|geweigerd|accepterat|avböjt"
    r"|accepteret|afvist|zaakceptowano|odrzucono|přijato|odmítnuto|hyväksytty|hylätty"
    r"|aceite|aceito|recusad[ao]) ?:"
)
_CALENDARS = ("text/calendar", "application/ics")
_CALENDAR_ANSWER = re.compile(r"^METHOD:(?:REPLY|COUNTER)[ \t]*$", re.IGNORECASE | re.MULTILINE)
_REACTION = re.compile(
    r".{0,80}(?:reacted (?:to your (?:message|e-?mail)|via gmail)|hat auf (?:ihre|deine) nachricht reagiert"
    r"|a réagi à (?:votre|ton) message|(?:ha reaccionado|reaccionó) a (?:su|tu) mensaje"
    r"|ha reagito al (?:suo|tuo) messaggio|heeft op uw bericht gereageerd)(?:\W*|\s*<https?://\S*)",
    re.IGNORECASE,
)
_NO_WORDS = re.compile(r"\W*|<https?://\S+>?")
_FORMATS = (  # what a file is, by its type or the end of its name
    ("Word document", r"msword|wordprocessingml|\.do[ct][xm]?$"),
    ("text document", r"rtf|opendocument\.text|\.(?:odt|pages|wps)$"),
    ("spreadsheet", r"ms-excel|spreadsheet|\.(?:xls[xm]?|ods|csv|numbers)$"),
    ("PDF", r"/pdf|\.pdf$"),
    ("archive", r"^application/(?:x-)?(?:zip|gzip|rar|7z|tar)|\.(?:zip|7z|rar|t?gz|tar)$"),
    ("picture", r"^image/|\.(?:png|jpe?g|gif|heic|webp|bmp|tiff?|svgz?)$"),
    ("sound", r"^audio/|\.(?:m4a|mp3|wav|ogg|amr)$"),
    ("video", r"^video/|\.(?:mp4|mov|avi|mkv)$"),
    ("email", r"^message/|\.(?:eml|msg)$"),
    ("calendar entry", r"calendar|\.ics$"),
    ("web page", r"^text/html|\.html?$"),
    ("Outlook file", r"ms-tnef|^winmail\.dat$"),
)
_BESIDE_THE_TEXT = re.compile(
    r"multipart/.*|application/(?:x-)?(?:pgp-signature|pkcs7-signature|pgp-keys)|text/(?:x-)?vcard"
    r"|message/.*(?<!rfc822)|text/rfc822-headers"
)
_PGP_MESSAGE = re.compile(rb"^-----BEGIN PGP MESSAGE-----[ \t]*$", re.MULTILINE)
_CONTENT_ID = re.compile(r"\bcid:([^\s\"'<>()]{1,250})", re.IGNORECASE)
_SMALL_PICTURE = 10_000  # bytes of one that may be part of a signature
_MAX_UNOPENED = 10


@dataclass(frozen=True, slots=True)
class TextFile:
    """A text file attached to a mail; without a name, the text of the mail itself.

    name       short, and without what cannot be seen
    lines      written and quoted lines; see `own`
    set_aside  introductions of quotations and signatures, which nobody means as orders
    too_big    more lines than are read; `faults` says which
    faults     what could not be read, in words for the sender
    """

    name: str = ""
    lines: tuple[Line, ...] = ()
    set_aside: tuple[Line, ...] = ()
    too_big: bool = False
    faults: tuple[str, ...] = ()

    @property
    def own(self) -> tuple[Line, ...]:
        """The lines that the writer wrote, without empty ones."""
        return _own(self.lines)


@dataclass(frozen=True, slots=True)
class Letter:
    """What a mail says.

    message_id      as sent, or made from the digest when the mail has none
    digest          SHA-256 of the mail as received, in hex
    content_digest  SHA-256 of sender and own words; the same for a letter sent again under a new Message-ID.
                    Words in text files count. Compare it within one seat's phase only: "no orders" may well
                    be said twice in a game
    sender          the first of `senders`, or "": a claim, never a proof
    senders         every address in From, lower case, without repeats
    doubtful        why nobody can say who wrote the mail ("it has 2 From headers"), or ""
    results         what mail servers have found out about the sender, the last of them first (senders.py)
    recipients      every address the mail was sent or delivered to, lower case, without repeats
    date            as the sender's clock says, always with a zone, or None
    kind            only a "letter" is ever answered
    lines           written and quoted lines; see `own`
    set_aside       introductions of quotations and signatures, which nobody means as orders
    files           attached text files, at most five; where nobody wrote anything in the mail itself,
                    the first of them is its text and not in here
    unopened        each part that was not read, and why, in words for the sender
    about           of a bounce: the Message-ID of the letter of ours that came back, if it says so
    too_big         more bytes or lines than are read; `faults` says which
    faults          what could not be read as sent, in words for the sender
    subject         without the codes in it, which are secret; `codes` has their claims
    """

    message_id: str
    digest: str
    content_digest: str
    sender: str
    senders: tuple[str, ...]
    doubtful: str
    results: tuple[str, ...]
    recipients: tuple[str, ...]
    subject: str
    date: datetime | None
    in_reply_to: str
    references: tuple[str, ...]
    kind: Kind
    lines: tuple[Line, ...]
    set_aside: tuple[Line, ...]
    files: tuple[TextFile, ...]
    unopened: tuple[str, ...]
    about: str
    too_big: bool
    faults: tuple[str, ...]
    codes: tuple[Claim, ...] = ()

    @property
    def own(self) -> tuple[Line, ...]:
        """The lines that the writer wrote, without empty ones."""
        return _own(self.lines)


def parse(raw: bytes, *, max_bytes: int = MAX_BYTES, max_lines: int = MAX_LINES) -> Letter:
    """Read a mail. Take any bytes and never raise; name what cannot be read in `faults`. Of a mail longer
    than `max_bytes` read only the headers, of a text longer than `max_lines` only that many lines."""
    digest = hashlib.sha256(raw).hexdigest()
    faults: list[str] = []
    too_big = len(raw) > max_bytes
    mail = read_mail(raw[:_HEADERS_OF_TOO_BIG] if too_big else raw)
    headers = mail.headers
    if mail.broken:
        faults.append("some lines among the headers of the email are not headers")
    senders = _senders(headers)
    sender = next(iter(senders), "")
    doubtful = _doubt(headers, senders)
    if len(senders) > 1 or len(headers.all("from")) > 1:
        faults.append("the email names more than one sender")
    content = _Content()
    if too_big:
        faults.append(
            f"the email has {len(raw):,} bytes and only {max_bytes:,} are allowed; nothing in it was read: "
            "send its text again, without attachments"
        )
    else:
        content = _read(mail, max_lines)
    text = content.text
    message_id = next(iter(_ID.findall(headers.first("message-id"))), f"<{digest[:32]}@digest.invalid>")
    subject = " ".join(plain(decode_words(headers.first("subject"))).split())
    kind = _kind(mail, content, sender, message_id, subject)
    came_back = _OUR_ID.search(mail.body.decode("ascii", "replace")) if kind == "bounce" else None
    return Letter(
        message_id=message_id,
        digest=digest,
        content_digest=_content_digest(sender, [text, *content.files]),
        sender=sender,
        senders=senders,
        doubtful=doubtful,
        results=tuple(headers.all("authentication-results")[:MAX_RESULTS]),
        recipients=_recipients(headers),
        subject=" ".join(without_codes(subject).split()),
        date=_date(headers.first("date")),
        in_reply_to=next(iter(_ID.findall(headers.first("in-reply-to"))), ""),
        references=tuple(_ID.findall(headers.first("references"))),
        kind=kind,
        lines=text.lines,
        set_aside=text.set_aside,
        files=content.files,
        unopened=content.unopened,
        about=came_back[0] if came_back else "",
        too_big=too_big or text.too_big,
        faults=(*faults, *text.faults),
        codes=read_codes(subject),
    )


# --- the text ---------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Content:
    """What is in a mail: all its parts, and what they say."""

    parts: tuple[Part, ...] = ()
    text: TextFile = TextFile()
    files: tuple[TextFile, ...] = ()
    unopened: tuple[str, ...] = ()


def _read(mail: Part, max_lines: int) -> _Content:
    """Read the parts of an email. If its body has no text of its own, use the first file's."""
    parts = tuple(leaves(mail))
    shown, text = _read_body(mail, parts, max_lines)
    enclosed = [part for part in parts if part.is_text_file and not _sealed(part)][:MAX_FILES]
    files = tuple(_divide(_decoded(part, max_lines), max_lines, part.filename) for part in enclosed)
    if files and not text.own:
        text, *rest = files
        files = tuple(rest)
    unopened = _unopened(parts, {id(part) for part in (*shown, *enclosed)}, bool(text.own))
    return _Content(parts, text, files, unopened)


def _read_body(mail: Part, parts: Sequence[Part], max_lines: int) -> tuple[Sequence[Part], TextFile]:
    """Return the text of an email's body and the parts it comes from: the most readable ones with text of the
    sender's own, else the first with any text."""
    if mail.type.startswith("multipart/") and parts[0] is mail:  # its boundary is lost
        return parts, _divide(_decoded(mail, max_lines), max_lines)
    fallback: tuple[Sequence[Part], TextFile] = ((), TextFile())
    for level in (3, 2, 1):
        if chosen := [part for part in parts if part.legible == level]:
            text = _divide("\n".join(_decoded(part, max_lines) for part in chosen), max_lines)
            if text.own:
                return chosen, text
            fallback = fallback if fallback[0] else (chosen, text)
    return fallback


def _decoded(part: Part, max_lines: int) -> str:
    text = part.text
    if part.type == "text/html":
        return html_to_text(text, max_lines)
    if part.parameter("format").lower() == "flowed":
        return unflow(text, part.parameter("delsp").lower() == "yes")
    return text


def _divide(text: str, max_lines: int, name: str = "") -> TextFile:
    texts = plain(text.rstrip()).split("\n")
    faults: list[str] = []
    where = f"{name}: " if name else ""
    too_big = len(texts) > max_lines
    if too_big:
        faults.append(f"{where}the text has more than {max_lines} lines; the rest was not read")
        del texts[max_lines:]
    for index, line in enumerate(texts):
        if len(line) > MAX_COLUMNS:
            faults.append(
                f"{where}line {index + 1} has more than {MAX_COLUMNS} characters; the rest of it was not read"
            )
            texts[index] = line[:MAX_COLUMNS]
    return TextFile(name, *divide(texts), too_big, tuple(faults))


def _own(lines: Sequence[Line]) -> tuple[Line, ...]:
    return tuple(line for line in lines if line.text.strip() and not line.quoted)


def _content_digest(sender: str, texts: Sequence[TextFile]) -> str:
    words = [" ".join(line.text.split()) for text in texts for line in text.own]
    return hashlib.sha256("\n".join([sender, *words]).encode("utf-8", "replace")).hexdigest()


# --- parts that are not read ------------------------------------------------------------------------------


def _unopened(parts: Sequence[Part], opened: Set[int], has_words: bool) -> tuple[str, ...]:
    """Say of each part why it was not read, but for those `opened` (by `id`) and what goes along with any
    letter."""
    pages = "\n".join(part.text for part in parts if part.type == "text/html")
    shown = {unquote(name).lower() for name in _CONTENT_ID.findall(pages)}
    said = dict.fromkeys(
        _sealed(part) or _passed_over(part)
        for part in parts
        if _sealed(part) or not (id(part) in opened or _goes_along(part, shown, has_words))
    )
    first, more = list(said)[:_MAX_UNOPENED], len(said) - _MAX_UNOPENED
    return (*first, f"{more} more attached files were not opened") if more > 0 else tuple(first)


def _goes_along(part: Part, shown: Set[str], has_words: bool) -> bool:
    """Whether no one misses a part: empty, another form of the text, a signature, a picture shown in the
    text."""
    text = part.type in ("text/plain", "text/html")
    if not part.attached and (part.spare or (text and part.legible != 2)):
        return True
    if not part.data.strip() or _BESIDE_THE_TEXT.fullmatch(part.type):
        return True
    what = _format(part)
    if what == "picture":
        small = part.disposition != "attachment" and len(part.data) < _SMALL_PICTURE
        return small or part.headers.first("content-id").strip("<> ").lower() in shown
    return what == "Outlook file" and has_words


def _passed_over(part: Part) -> str:
    what, size = _format(part), len(part.data) / 1024
    measure = f"{size / 1024:.1f} MB" if size >= 1024 else f"{max(1, round(size))} KB"
    name = f"{part.filename} ({what}, {measure})" if part.filename else f"an attached {what} ({measure})"
    limit = f"only the first {MAX_FILES} text files are read"
    return f"{name} was not opened: {limit if part.is_text_file else 'write orders as plain text'}"


def _format(part: Part) -> str:
    """What kind of file a part is, in words."""
    if part.is_text_file:
        return "text file"
    name = part.filename.lower()
    return next(
        (words for words, mark in _FORMATS if re.search(mark, part.type) or re.search(mark, name)), "file"
    )


def _sealed(part: Part) -> str:
    """Return why only the recipient can read a part, or ""."""
    name = part.filename.lower()
    smime = part.type in ("application/pkcs7-mime", "application/x-pkcs7-mime") or name.endswith(".p7m")
    if smime and part.parameter("smime-type").lower() == "signed-data":
        return "the email is inside its signature (S/MIME), where pbem cannot read it: send it unsigned"
    pgp = part.type == "application/pgp-encrypted" or name.endswith((".pgp", ".gpg"))
    if smime or pgp or _PGP_MESSAGE.search(part.data):
        return "the email is encrypted, and pbem has no key: write orders as plain text"
    return ""


# --- the headers ------------------------------------------------------------------------------------------


def _senders(headers: Headers) -> tuple[str, ...]:
    """The addresses in From. A name may contain what looks like another address, so angle brackets count
    first."""
    addresses: list[str] = []
    for value in headers.all("from"):
        value = _QUOTED_LOCAL_PART.sub(r"\1", value)
        bare = _QUOTED_NAME.sub(" ", value)
        addresses += _mailboxes(bare) or _mailboxes(value)
    return tuple(dict.fromkeys(addresses))


def _mailboxes(value: str) -> list[str]:
    texts = re.split("[,;]", value)
    return [each.lower() for text in texts for each in _IN_ANGLES.findall(text) or _ADDRESS.findall(text)]


def _doubt(headers: Headers, senders: tuple[str, ...]) -> str:
    """Why it cannot be said who wrote a mail, or an empty string."""
    count = len(headers.all("from"))
    if count > 1:
        return f"it has {count} From headers"
    if len(senders) > 1:
        return f"its From header names {len(senders)} addresses"
    return ""


def _recipients(headers: Headers) -> tuple[str, ...]:
    addresses = [
        address.lower()
        for name in _RECIPIENTS
        for value in headers.all(name)
        for address in _ADDRESS.findall(_QUOTED_LOCAL_PART.sub(r"\1", value))
    ]
    return tuple(dict.fromkeys(addresses))


def _date(value: str) -> datetime | None:
    try:
        date = parsedate_to_datetime(value[:100])
        return date if date.tzinfo else date.replace(tzinfo=UTC)
    except (ValueError, TypeError, IndexError, OverflowError):
        return None


def _kind(mail: Part, content: _Content, sender: str, message_id: str, subject: str) -> Kind:
    """What sort of mail this is, from the marks that programs leave (RFC 3834 and older habits). A bounce is
    also an automatic answer, so it is looked for first."""
    headers = mail.headers
    if "x-pbem" in headers or _OUR_ID.fullmatch(message_id):
        return "ours"
    report = mail.parameter("report-type").lower() if mail.type == "multipart/report" else None
    local = sender.partition("@")[0]
    if report in ("delivery-status", "") or "x-failed-recipients" in headers or local in _DAEMONS:
        return "bounce"
    subject = unicodedata.normalize("NFC", subject).casefold()
    if (
        report
        or _is_auto_reply(headers)
        or _AUTO_SUBJECT.match(subject)
        or message_id.endswith("-tmda-confirm>")
    ):
        return "auto-reply"
    if _is_reaction(content) or any(_answers_invitation(part, subject) for part in content.parts):
        return "auto-reply"
    if headers.first("return-path").replace(" ", "") == "<>":
        return "bounce"
    if {"list-id", "list-post"} & headers.fields.keys() or _word(headers, "precedence") in ("bulk", "list"):
        return "list"
    return "letter"


def _is_auto_reply(headers: Headers) -> bool:
    return (
        _word(headers, "auto-submitted") not in ("", "no")
        or any(_word(headers, name) in _AUTO_PRECEDENCES for name in ("precedence", "x-precedence"))
        or _word(headers, "x-auto-response-suppress") not in ("", "none")
        or _word(headers, "x-autogenerated") == "reply"
        or any(_word(headers, name) not in ("", "no") for name in _AUTO_HEADERS)
        or any(name in headers for name in _CHALLENGES)
    )


def _answers_invitation(part: Part, subject: str) -> bool:
    """Whether a part is what a calendar sends when an invitation is accepted or declined."""
    if part.type not in _CALENDARS:
        return False
    says = part.parameter("method").lower() in ("reply", "counter") or _CALENDAR_ANSWER.search(part.text)
    return bool(says or _INVITATION_ANSWERS.match(subject))


def _is_reaction(content: _Content) -> bool:
    """Whether a mail says only that somebody has reacted to a letter of ours with a sign."""
    marked = any(
        part.type == "text/vnd.google.email-reaction+json" and part.disposition != "attachment"
        for part in content.parts
    )
    said = [line.text for line in content.text.own if not _NO_WORDS.fullmatch(line.text)]
    return marked or (len(said) == 1 and _REACTION.fullmatch(said[0]) is not None)


def _word(headers: Headers, name: str) -> str:
    return headers.first(name).partition(";")[0].partition(",")[0].strip().lower()
