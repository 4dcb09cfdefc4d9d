"""Who wrote a mail: results of mail servers, and signatures."""

from __future__ import annotations

import base64
from collections.abc import Callable

import dkim
import pytest
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import rsa

from pbem.mail.letter import parse
from pbem.mail.senders import Check, Senders, check_sender, server_of

NAMED = Senders(("mx.club.example",))


def mail(*results: str, sender: str = "anna@mail.example") -> bytes:
    heads = "".join(f"Authentication-Results: {each}\n" for each in results)
    return f"{heads}From: {sender}\nTo: pbem@club.example\nSubject: orders\n\nhelp\n".encode()


def found(raw: bytes, senders: Senders = NAMED) -> Check:
    return check_sender(parse(raw), raw, senders)


@pytest.mark.parametrize(
    ("results", "check"),
    [
        ("mx.club.example; dmarc=pass (p=reject) header.from=mail.example", "pass"),
        ("MX.Club.Example; dmarc=pass header.from=MAIL.example", "pass"),
        ("mx.club.example 1; dmarc=pass", "pass"),
        ("mx.club.example; dmarc=fail (p=none) header.from=mail.example", "fail"),
        ("mx.club.example; dmarc=fail; dkim=pass header.d=mail.example", "fail"),
        ("mx.club.example; dmarc=pass header.from=evil.example", "none"),
        ("mx.club.example; dmarc=none; dkim=pass header.d=mail.example", "pass"),
        ("mx.club.example; dkim=pass header.i=@mail.example header.s=a", "pass"),
        ("mx.club.example; dkim=pass header.d=evil.example; dkim=pass header.d=mail.example", "pass"),
        ("mx.club.example; dkim=pass header.d=news.mail.example", "pass"),
        ("mx.club.example; dkim=pass header.d=example", "none"),
        ("mx.club.example; dkim=pass header.d=evilmail.example", "none"),
        ("mx.club.example; dkim=fail header.d=mail.example", "none"),
        ("mx.club.example; spf=pass smtp.mailfrom=bounces@mail.example", "pass"),
        ("mx.club.example; spf=pass smtp.mailfrom=mail.example", "pass"),
        ("mx.club.example; spf=pass smtp.helo=mail.example", "none"),
        ("mx.club.example; spf=pass smtp.mailfrom=anna@evil.example", "none"),
        ("mx.club.example; none", "none"),
        ("mx.club.example (dmarc=pass); spf=softfail smtp.mailfrom=mail.example", "none"),
        ("elsewhere.example; dmarc=pass header.from=mail.example", ""),
        ("elsewhere.example; dmarc=fail header.from=mail.example", ""),
        ("; ; dmarc=pass", ""),
        ("mx.club.example; dmarc=", ""),
    ],
)
def test_what_the_server_of_the_host_says_counts(results: str, check: Check) -> None:
    assert found(mail(results)) == check


def test_what_stands_below_in_its_name_counts_for_nothing() -> None:
    """A forger can write a header in the name of the server; its own stands above."""
    forged = "mx.club.example; dmarc=pass header.from=mail.example"
    assert found(mail("mx.club.example; dmarc=fail", forged)) == "fail"
    assert found(mail("mx.club.example; dmarc=none", forged)) == "none"


def test_several_headers_of_one_server_are_read_together() -> None:
    """A server may write what it finds out in a header for each method."""
    spf = "mx.club.example; spf=pass smtp.mailfrom=evil.example"
    assert found(mail("mx.club.example; dkim=pass header.d=mail.example", spf)) == "pass"
    assert found(mail(spf, "mx.club.example; dmarc=fail")) == "fail"


@pytest.mark.parametrize(
    ("results", "check"),
    [("pass header.from=mail.example", "none"), ("fail", "fail"), ("none", "none")],
)
def test_an_unnamed_server_only_disowns(results: str, check: Check) -> None:
    """Where the settings name none, nobody knows whether the host's own server wrote what stands topmost."""
    raw = mail(f"mx.any.example; dmarc={results}", "mx.other.example; dmarc=fail")
    assert found(raw, Senders()) == check
    assert found(mail(), Senders()) == ""


def test_the_topmost_server_has_a_name() -> None:
    assert server_of(parse(mail("MX.any.example; dmarc=pass", "b.example; none")).results) == "mx.any.example"
    assert server_of(parse(mail("garbage;;;", "b.example; none")).results) == "b.example"
    assert server_of(()) == ""


@pytest.mark.parametrize(
    "value", ["(" * 3_900, "mx.club.example; " + "a=b " * 900, '"' * 3_000, "=;" * 1_900]
)
def test_any_header_is_read(value: str) -> None:
    assert found(mail(*[value] * 30)) in ("", "none")


# --- signatures ---------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def signed() -> tuple[Callable[..., bytes], Senders]:
    """What signs mails, and how they are checked: the key of mail.example and of evil.example stands in
    DNS."""
    key = rsa.generate_private_key(public_exponent=65537, key_size=2048)
    form, plain = serialization.PrivateFormat.TraditionalOpenSSL, serialization.NoEncryption()
    private = key.private_bytes(serialization.Encoding.PEM, form, plain)
    public = key.public_key().public_bytes(
        serialization.Encoding.DER, serialization.PublicFormat.SubjectPublicKeyInfo
    )
    text = b"v=DKIM1; k=rsa; p=" + base64.b64encode(public)
    names = [b"s._domainkey.mail.example.", b"s._domainkey.evil.example."]

    def look_up(name: bytes, timeout: float = 5) -> bytes | None:
        return text if name in names else None

    def sign(raw: bytes, domain: bytes = b"mail.example", **how: object) -> bytes:
        head: bytes = dkim.sign(raw, b"s", domain, private, **how)
        return head + raw

    return sign, Senders(("mx.club.example",), dkim=True, look_up=look_up)


def test_a_signature_of_the_domain_of_from_passes(signed: tuple[Callable[..., bytes], Senders]) -> None:
    sign, senders = signed
    assert found(sign(mail()), senders) == "pass"
    assert found(sign(sign(mail()), b"evil.example"), senders) == "pass"


def test_any_other_signature_proves_nothing(signed: tuple[Callable[..., bytes], Senders]) -> None:
    """None, one of another domain, of a text that was changed, of part of the text, with a key that DNS does
    not have."""
    sign, senders = signed
    assert found(mail(), senders) == "none"
    assert found(sign(mail(), b"evil.example"), senders) == "none"
    assert found(sign(mail()).replace(b"help", b"join"), senders) == "none"
    assert found(sign(mail()).replace(b"anna@", b"bert@"), senders) == "none"
    assert found(sign(mail(), length=True) + b"join\n", senders) == "none"
    assert found(sign(mail(sender="a@x.mail.test"), b"mail.test"), senders) == "none"
    assert found(b"DKIM-Signature: v=1; a=rsa-sha256; d=mail.example; b=\n" + mail(), senders) == "none"


def test_results_of_the_server_count_more(signed: tuple[Callable[..., bytes], Senders]) -> None:
    sign, senders = signed
    assert found(sign(mail("mx.club.example; dmarc=fail")), senders) == "fail"
    assert found(sign(mail("elsewhere.example; dmarc=fail")), senders) == "pass"
    assert found(sign(mail()), NAMED) == ""
