"""Who wrote a mail: what the mail server that took it in found out about its From (RFC 8601), or a signature
that pbem checks by itself (DKIM, RFC 6376)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from pbem.mail.letter import Letter

__all__ = ["Check", "Gate", "Senders", "check_sender", "server_of"]

Check = Literal["pass", "fail", "none", ""]
"""pass: the domain of From vouches for the mail; fail: it disowns it (DMARC); none: somebody looked, and it
does neither; "": nobody looked."""

MOST_SIGNATURES = 3
"""Signatures of a mail that are checked: each costs a question to DNS."""

LookUp = Callable[..., bytes | None]
"""What answers for a name in DNS with the text that stands there, as dkimpy asks for it."""


@dataclass(frozen=True, slots=True)
class Senders:
    """How it is found out who wrote a mail.

    servers  the names under which the mail server of this host writes its results. Without one nobody is
             believed to be genuine: what stands topmost counts, but only where it disowns a mail
    dkim     where there are no results, pbem checks the signature itself
    look_up  answers for DNS; None asks it
    """

    servers: tuple[str, ...] = ()
    dkim: bool = False
    look_up: LookUp | None = None

    @property
    def can_vouch(self) -> bool:
        """Whether any mail can pass."""
        return self.dkim or bool(self.servers)


@dataclass(frozen=True, slots=True)
class Gate:
    """Who may write: addresses, or domains with an @ before them (none of their subdomains).

    deny   their letters are not read
    allow  who may ask to play; everybody if it is empty
    """

    deny: tuple[str, ...] = ()
    allow: tuple[str, ...] = ()

    def denies(self, letter: Letter) -> bool:
        """Whether a letter is not read because of one of those whom it names as its senders."""
        return any(_is_among(sender, self.deny) for sender in letter.senders)

    def lets_ask(self, sender: str) -> bool:
        """Whether a stranger may ask to play."""
        return not self.allow or _is_among(sender, self.allow)


def _is_among(sender: str, listed: Sequence[str]) -> bool:
    sender = sender.lower()
    return sender in listed or f"@{sender.rpartition('@')[2]}" in listed


def check_sender(letter: Letter, raw: bytes, senders: Senders) -> Check:
    """Return whether the domain of From vouches for a mail. Does not raise."""
    domain = letter.sender.rpartition("@")[2]
    found = _told(letter.results, domain, senders.servers)
    if found or not senders.dkim:
        return found
    return "pass" if _is_signed(raw, domain, senders.look_up) else "none"


def server_of(results: Sequence[str]) -> str:
    """The name of the mail server that wrote the topmost results of a mail; "" if there are none."""
    return next((name for name, _ in _read(results)), "")


def _told(results: Sequence[str], domain: str, servers: Sequence[str]) -> Check:
    """What the results of a mail say that these servers have written, or else the server of the topmost."""
    read = list(_read(results))
    names = {name.lower() for name in servers} or {name for name, _ in read[:1]}
    mine: dict[str, list[Any]] = {}
    for name, found in read:
        if name in names:
            for method in {each.method for each in found} - mine.keys():  # what stands topmost counts
                mine[method] = [each for each in found if each.method == method]
    if not any(name in names for name, _ in read):
        return ""
    dmarc = mine.get("dmarc", [])
    if any(each.result == "fail" for each in dmarc):
        return "fail"
    vouches = any(_vouches(each, domain) for results_of in mine.values() for each in results_of)
    return "pass" if servers and vouches else "none"


def _read(results: Sequence[str]) -> Iterator[tuple[str, list[Any]]]:
    """The results of a mail, by the name of the server that wrote them. What cannot be read is passed
    over."""
    from authres import AuthenticationResultsHeader

    for value in results:
        try:
            header = AuthenticationResultsHeader.parse_value(value)
        except Exception:  # written by strangers, for a reader that names few of its errors
            continue
        yield str(header.authserv_id).lower(), header.results


def _vouches(result: Any, domain: str) -> bool:
    """Whether a result vouches for mail from a domain: DMARC passed, or what it rests on, for a domain that
    is aligned with it (RFC 7489, 3.1)."""
    if result.result != "pass":
        return False
    said = {f"{each.type}.{each.name}": each.value or "" for each in result.properties}
    if result.method == "dmarc":
        return bool(said.get("header.from", domain).rpartition("@")[2].lower() == domain)
    names = {"dkim": ("header.d", "header.i"), "spf": ("smtp.mailfrom",)}.get(result.method, ())
    return any(_is_aligned(said[name].rpartition("@")[2], domain) for name in names if name in said)


def _is_aligned(signs: str, domain: str) -> bool:
    """Whether a domain may vouch for another one: it is the same, or one lies below the other."""
    signs = signs.lower().rstrip(".")
    short, long = sorted((signs, domain), key=len)
    return short == long or ("." in short and long.endswith(f".{short}"))


def _is_signed(raw: bytes, domain: str, look_up: LookUp | None) -> bool:
    """Whether a mail has a valid signature of a domain that may vouch for its From, over its whole body."""
    try:
        import dkim
        from dkim import DKIM
    except ImportError:
        return False
    mail = DKIM(raw, timeout=5)
    headers = [value for name, value in mail.headers if name.lower() == b"dkim-signature"]
    for place, header in enumerate(headers[:MOST_SIGNATURES]):
        try:
            fields = dkim.parse_tag_value(header)
            signs = fields.get(b"d", b"").decode("ascii").strip()
            covers_from = b"from" in fields.get(b"h", b"").lower().replace(b" ", b"").split(b":")
            if b"l" in fields or not covers_from or not _is_aligned(signs, domain):
                continue
            if mail.verify(place, **({"dnsfunc": look_up} if look_up else {})):
                return True
        except Exception:  # a broken signature proves nothing, nor does a name that DNS does not know
            continue
    return False
